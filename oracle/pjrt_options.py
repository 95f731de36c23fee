"""Writes `crates/pjrt/tests/compile_options.bin`: compile options as JAX hands them to a plugin."""

import pathlib

import numpy as np
from jax._src import compiler

OUT = pathlib.Path(__file__).parent.parent / "crates/pjrt/tests/compile_options.bin"

options = compiler.get_compile_options(
    num_replicas=1,
    num_partitions=2,
    device_assignment=np.array([[0, 3]]),
    env_options_overrides={"xla_a": True, "xla_b": 3, "xla_c": "x", "xla_d": 1.5},
)
options.executable_build_options.allow_spmd_sharding_propagation_to_output = [True, False]
OUT.write_bytes(options.SerializeAsString())

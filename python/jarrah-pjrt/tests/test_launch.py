"""JAX's processes as `jarrah launch` starts them. `$JARRAH` names the command."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[3]
JARRAH = os.environ.get("JARRAH", str(ROOT / "target/debug/jarrah"))

BEGIN = """
import os, sys, time
import jarrah_pjrt
import jax, numpy as np
from jax import lax, shard_map
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.distributed.initialize()
mesh = Mesh(np.array(jax.devices()), ("i",))
f = jax.jit(shard_map(lambda x: lax.psum(x, "i"), mesh=mesh, in_specs=P("i"), out_specs=P()))
x = jax.make_array_from_callback((2,), NamedSharding(mesh, P("i")), lambda at: np.arange(3, 5, dtype=np.float32)[at])
process = jax.process_index()
"""


def launched(script: str, initialize: str = BEGIN) -> subprocess.CompletedProcess:
    """A launch of two processes of a script, after its end."""
    command = [JARRAH, "launch", "-n", "2", "--", sys.executable, "-c", initialize + script]
    environment = {**os.environ, "JAX_PLATFORMS": "jarrah,cpu", "JARRAH_CPU_DEVICES": "1"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_processes_of_a_launch_find_each_other_without_arguments():
    ran = launched("print(process, jax.process_count(), f(x))")
    assert ran.returncode == 0, ran.stderr
    assert sorted(ran.stdout.splitlines()) == ["[0] 0 2 [7.]", "[1] 1 2 [7.]"], ran.stdout


def test_processes_that_do_not_join_are_warned_that_each_does_the_whole_work():
    ran = launched("", "import jax; jax.devices('jarrah')")
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("this is one of 2 processes of `jarrah launch` and has not joined the others") == 2


@pytest.mark.parametrize("culprit", [0, 1])
def test_a_launch_names_the_process_at_fault_and_not_one_that_failed_for_want_of_it(culprit):
    ran = launched(f"""
f(x).block_until_ready()
if process == {culprit}:
    raise ValueError("bad batch")
f(x).block_until_ready()
""")
    assert ran.returncode == 1, ran.stderr
    said = ran.stderr.splitlines()[-1]
    assert said == f"process {culprit} ended with exit status: 1" or said.endswith(f"for want of process {culprit}"), (
        ran.stderr
    )

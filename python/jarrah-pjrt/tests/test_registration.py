"""What the package registers with JAX."""

import os
import pathlib
import subprocess
import sys

import jarrah_pjrt
import jax
import pytest
from jarrah_pjrt import lowering
from jax.interpreters import mlir

# Primitives that JAX lowers for its own platforms only and this package does not lower.
WITHOUT_RULE = {
    "coo_spmm": "JAX's CPU backend has no rule either",
    "coo_spmv": "JAX's CPU backend has no rule either",
    "csr_spmm": "reached only through rules for other platforms: the sparse product itself has one for any platform",
    "csr_spmv": "reached only through rules for other platforms: the sparse product itself has one for any platform",
    "cudnn_fusion": "cuDNN",
    "dot_product_attention_bwd": "cuDNN",
    "dot_product_attention_fp8_bwd": "cuDNN",
    "dot_product_attention_fp8_fwd": "cuDNN",
    "dot_product_attention_fwd": "cuDNN",
    "pbroadcast": "a collective of several devices",
    "pbroadcast_start": "a collective of several devices",
    "scaled_matmul": "cuDNN",
    "spsolve": "a sparse direct solver: JAX's CPU backend calls SciPy for it",
}


def test_every_primitive_has_a_rule_or_a_reason():
    import jax.experimental.sparse  # noqa: F401

    missing = {
        primitive.name
        for rules in mlir._platform_specific_lowerings.values()
        for primitive in rules
        if primitive not in mlir._lowerings and primitive not in lowering.rules()
    }
    assert missing == set(WITHOUT_RULE)


def test_rules_are_registered(backends):
    registered = mlir._platform_specific_lowerings["jarrah"]
    assert set(lowering.FUNCTIONS) | set(lowering.RULES) <= set(registered)


def test_it_is_found_without_being_asked_for(backends):
    """With JAX_PLATFORMS unset, ours comes first."""
    script = "import jax; print(jax.default_backend(), jax.numpy.arange(3).devices())"
    kept = {name: value for name, value in os.environ.items() if name != "JAX_PLATFORMS"}
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=kept, check=True)
    assert found.stdout.startswith("jarrah "), found.stderr


def test_devices_describe_themselves(backends):
    device = backends.ours
    assert (device.platform, device.id, device.process_index) == ("jarrah", 0, 0)
    assert device.client.platform == "jarrah"
    assert jax.local_devices(backend="jarrah")[0] == device
    assert device.default_memory().kind in {memory.kind for memory in device.addressable_memories()}


def test_a_missing_library_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("JARRAH_PJRT_LIBRARY", str(tmp_path / "nothing.so"))
    with pytest.raises(FileNotFoundError, match=r"nothing\.so does not exist .*pip install"):
        jarrah_pjrt.plugin_path()
    monkeypatch.setenv("JARRAH_PJRT_LIBRARY", __file__)
    assert jarrah_pjrt.plugin_path() == pathlib.Path(__file__).resolve()
    monkeypatch.chdir(pathlib.Path(__file__).parent)
    monkeypatch.setenv("JARRAH_PJRT_LIBRARY", pathlib.Path(__file__).name)
    assert jarrah_pjrt.plugin_path() == pathlib.Path(__file__).resolve()

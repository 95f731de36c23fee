"""The two backends that the tests compare: Jarrah's and XLA's CPU."""

import os

os.environ["JAX_PLATFORMS"] = "jarrah,cpu"

import jax
import numpy as np
import pytest


class Backends:
    """Runs the same function on both backends."""

    def __init__(self):
        self.ours, self.xla = jax.devices("jarrah")[0], jax.devices("cpu")[0]

    def on(self, device, function, *arguments):
        """The results, as NumPy arrays, of a function compiled for a device."""
        with jax.default_device(device):
            results = jax.jit(function)(*jax.device_put(arguments, device))
        for leaf in jax.tree.leaves(results):
            assert leaf.devices() == {device}
        return jax.tree.map(np.asarray, results)

    def both(self, function, *arguments):
        """The results of Jarrah, and those of XLA."""
        return self.on(self.ours, function, *arguments), self.on(self.xla, function, *arguments)

    def assert_close(self, function, *arguments, rtol=1e-5, atol=1e-6):
        """Asserts that both backends give nearly the same arrays, of equal types."""
        ours, xla = self.both(function, *arguments)
        assert jax.tree.structure(ours) == jax.tree.structure(xla)
        for mine, theirs in zip(jax.tree.leaves(ours), jax.tree.leaves(xla), strict=True):
            assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype)
            np.testing.assert_allclose(mine.astype(wide(mine)), theirs.astype(wide(theirs)), rtol=rtol, atol=atol)

    def assert_equal(self, function, *arguments):
        """Asserts that both backends give the same bits."""
        ours, xla = self.both(function, *arguments)
        for mine, theirs in zip(jax.tree.leaves(ours), jax.tree.leaves(xla), strict=True):
            assert (mine.dtype, mine.tobytes()) == (theirs.dtype, theirs.tobytes())


def wide(x: np.ndarray) -> np.dtype:
    """A type of NumPy's own that holds the values of `x`."""
    return np.result_type(x.dtype, np.complex128) if np.iscomplexobj(x) else np.dtype(np.float64)


@pytest.fixture(scope="session")
def backends() -> Backends:
    """Both backends. Without Jarrah's every test that asks for it fails: nothing is skipped."""
    return Backends()

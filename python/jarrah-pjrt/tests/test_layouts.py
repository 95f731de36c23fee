"""Arrays whose axes lie in another order than row-major."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental.layout import Format, Layout
from jax.sharding import SingleDeviceSharding

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def lying(backends, order):
    """The array with its axes in an order, the slowest first."""
    return jax.device_put(X, Format(Layout(major_to_minor=order), SingleDeviceSharding(backends.ours)))


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
def test_arrays_lie_as_they_are_put(backends, order):
    x = lying(backends, order)
    assert x.format.layout.major_to_minor == order
    seen = np.asarray(x)
    np.testing.assert_array_equal(seen, X)
    # NumPy gets the elements in the order of the memory.
    assert tuple(np.argsort(seen.strides)[::-1]) == order
    np.testing.assert_array_equal(np.from_dlpack(x), X)
    np.testing.assert_array_equal(jnp.sin(x) + x[1, :, 2:3], np.sin(X) + X[1, :, 2:3])
    copy = jax.device_put(x, backends.ours, may_alias=False)
    assert copy.format.layout.major_to_minor == order
    np.testing.assert_array_equal(copy, X)


def test_programs_say_how_their_arrays_lie(backends):
    with jax.default_device(backends.ours):
        automatic = Format(Layout.AUTO)
        transposed = jax.jit(lambda x: x.transpose(2, 0, 1), out_shardings=automatic).lower(X).compile()
        assert transposed.output_formats.layout.major_to_minor == (1, 2, 0)
        np.testing.assert_array_equal(transposed(X), X.transpose(2, 0, 1))
        x = lying(backends, (1, 0, 2))
        doubled = jax.jit(lambda x: x * 2, in_shardings=x.format, out_shardings=x.format, donate_argnums=0)
        assert doubled(x).format.layout.major_to_minor == (1, 0, 2)
        assert x.is_deleted()
        with pytest.raises(ValueError, match="does not match the layout"):
            doubled(lying(backends, (2, 1, 0)))

"""Arrays that other libraries read where they lie, by DLPack."""

import gc

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import dlpack

DTYPES = [bool, jnp.int8, jnp.uint16, jnp.int32, jnp.float16, jnp.float32, jnp.complex64]


@pytest.mark.parametrize("shape", [(), (4,), (2, 3, 4), (0,), (3, 0), (1, 4)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_reads_the_same_memory(shape, dtype):
    x = jnp.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    y = np.from_dlpack(x)
    assert (y.shape, y.dtype) == (x.shape, x.dtype)
    np.testing.assert_array_equal(y, np.asarray(x))
    if x.size:
        assert y.ctypes.data == x.unsafe_buffer_pointer()
    assert not y.flags.writeable


def test_the_memory_stays_when_the_array_is_deleted_or_donated():
    donate = jax.jit(lambda x: x + 1, donate_argnums=0)
    x, z = jnp.arange(1000.0), jnp.arange(1000.0)
    y, w = np.from_dlpack(x), np.from_dlpack(z)
    x.delete()
    after = donate(z)
    assert z.is_deleted()
    del x, z
    gc.collect()
    others = [jax.block_until_ready(jnp.full(1000, -1.0)) for _ in range(20)]
    np.testing.assert_array_equal(y, np.arange(1000.0))
    np.testing.assert_array_equal(w, np.arange(1000.0))
    np.testing.assert_array_equal(after, np.arange(1.0, 1001.0))
    del others


def test_a_capsule_that_nobody_takes_lets_go_of_the_memory():
    def held():
        return jax.devices("jarrah")[0].memory_stats()["bytes_in_use"]

    x = jax.block_until_ready(jnp.zeros(1 << 20))
    with_array = held()
    for version in (None, (1, 0)):
        x.__dlpack__(max_version=version)
    del x
    gc.collect()
    assert held() <= with_array - (4 << 20)


def test_a_copy_is_made_on_request_only():
    x = jnp.arange(4.0)
    y = np.from_dlpack(x, copy=True)
    assert y.ctypes.data != x.unsafe_buffer_pointer()
    y[:] = 7
    np.testing.assert_array_equal(x, np.arange(4.0))
    assert np.from_dlpack(x, copy=False).ctypes.data == x.unsafe_buffer_pointer()


def test_versions_and_places():
    x = jnp.arange(4.0)
    assert x.__dlpack_device__() == (1, 0)
    assert '"dltensor"' in repr(x.__dlpack__())
    assert '"dltensor"' in repr(x.__dlpack__(max_version=(0, 8), dl_device=(1, 0), stream=-1))
    assert '"dltensor_versioned"' in repr(x.__dlpack__(max_version=(1, 0)))
    for wish in ({"stream": 1}, {"max_version": (0, 4)}, {"dl_device": (99, 0)}):
        with pytest.raises(BufferError):
            x.__dlpack__(**wish)


@pytest.mark.parametrize("dtype", [jnp.int4, jnp.uint4, jnp.float4_e2m1fn])
def test_elements_of_less_than_a_byte_are_refused(dtype):
    with pytest.raises(BufferError, match=jnp.dtype(dtype).name):
        jnp.zeros(3, dtype).__dlpack__()


@pytest.mark.parametrize("version", [None, (1, 0)])
@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_torch_reads_the_same_memory(dtype, version):
    torch = pytest.importorskip("torch")
    x = jnp.arange(6.0).reshape(2, 3).astype(dtype)
    y = torch.utils.dlpack.from_dlpack(x.__dlpack__(max_version=version))
    assert y.dtype == getattr(torch, dtype)
    assert y.data_ptr() == x.unsafe_buffer_pointer()
    np.testing.assert_array_equal(y.float().numpy(), np.arange(6.0).reshape(2, 3))


def test_torch_takes_an_array():
    torch = pytest.importorskip("torch")
    x = jnp.arange(6.0)
    y = torch.from_dlpack(x)
    assert y.data_ptr() == x.unsafe_buffer_pointer()
    np.testing.assert_array_equal(y, np.arange(6.0))


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16, jnp.float8_e4m3fn, bool])
def test_jax_takes_an_array_to_the_device_that_it_names_cpu(dtype):
    x = jnp.arange(6).astype(dtype)
    y = dlpack.from_dlpack(x)
    assert y.devices() == {jax.devices("cpu")[0]}
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(np.asarray(y), np.asarray(x))


def test_arrays_of_other_platforms_keep_what_they_have():
    x = jax.device_put(np.arange(4.0, dtype=np.float32), jax.devices("cpu")[0])
    assert '"dltensor"' in repr(x.__dlpack__(max_version=(1, 0)))
    assert np.from_dlpack(x).ctypes.data == x.unsafe_buffer_pointer()


def test_a_jax_without_these_methods_stays_as_it_is(monkeypatch):
    from jax._src import array
    from jarrah_pjrt import dlpack as ours

    class Plain:
        pass

    monkeypatch.setattr(array, "ArrayImpl", Plain)
    ours.register("jarrah")
    assert not hasattr(Plain, "__dlpack__")
    monkeypatch.delattr(array, "ArrayImpl")
    ours.register("jarrah")

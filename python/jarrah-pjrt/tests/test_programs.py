"""Control flow, transformations, random numbers and element types."""

import functools

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest


def recurrence(weights, inputs):
    """A recurrent network's last state and all of its states."""

    def step(state, x):
        state = jnp.tanh(weights @ state + x)
        return state, state

    return jax.lax.scan(step, jnp.zeros(weights.shape[0]), inputs)


def numbers(*shape):
    """Normal numbers, always the same for a shape."""
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def test_scan_and_its_gradient(backends):
    weights, inputs = 0.3 * numbers(5, 5), numbers(50, 5)
    backends.assert_close(recurrence, weights, inputs)
    backends.assert_close(jax.grad(lambda w, x: jnp.sum(recurrence(w, x)[1] ** 2)), weights, inputs, rtol=1e-4)


def test_scan_under_vmap_and_checkpoint(backends):
    weights, inputs = 0.3 * numbers(3, 5, 5), numbers(3, 20, 5)
    loss = jax.checkpoint(lambda w, x: jnp.sum(recurrence(w, x)[0]))
    backends.assert_close(jax.vmap(jax.grad(loss)), weights, inputs, rtol=1e-4)


def test_while_and_cond(backends):
    def collatz(n):
        def body(state):
            n, steps = state
            return jax.lax.cond(n % 2 == 0, lambda n: n // 2, lambda n: 3 * n + 1, n), steps + 1

        return jax.lax.while_loop(lambda state: state[0] != 1, body, (n, 0))[1]

    backends.assert_equal(jax.vmap(collatz), np.arange(1, 50, dtype=np.int32))
    backends.assert_equal(collatz, np.int32(27))


def test_switch(backends):
    branches = [jnp.sin, jnp.cos, lambda x: x * 2]
    for i in range(-1, 4):
        backends.assert_close(lambda i, x: jax.lax.switch(i, branches, x), np.int32(i), numbers(7))


@pytest.mark.parametrize("implementation", ["threefry2x32", "rbg", "unsafe_rbg"])
def test_random_bits_are_the_same(backends, implementation):
    def draw(seed):
        key = jax.random.key(seed, impl=implementation)
        a, b = jax.random.split(key)
        return jax.random.key_data(a), jax.random.bits(a, (3, 5)), jax.random.uniform(b, (7,)), jax.random.permutation(a, 10)

    backends.assert_equal(draw, np.uint32(42))


def test_random_distributions(backends):
    def draw(seed):
        key = jax.random.key(seed)
        return [
            jax.random.normal(key, (100,)),
            jax.random.gamma(key, 2.5, (20,)),
            jax.random.categorical(key, jnp.zeros(8), shape=(20,)),
            jax.random.randint(key, (20,), 0, 1000),
        ]

    backends.assert_close(draw, np.uint32(7), rtol=1e-4)


TYPES = "bool int8 int16 int32 uint8 uint16 uint32 float16 float32 complex64".split()
SMALL = "bfloat16 int4 uint4 float8_e4m3fn float8_e5m2".split()


@pytest.mark.parametrize("name", TYPES + SMALL)
def test_arrays_go_to_the_device_and_back(backends, name):
    dtype = np.dtype(getattr(ml_dtypes, name) if name in SMALL else name)
    x = np.arange(6).reshape(2, 3).astype(dtype)
    for array in (x, x.T, x[:, ::2], x[:0], x[0, 0]):
        there = jax.device_put(array, backends.ours)
        assert there.devices() == {backends.ours}
        back = np.asarray(there)
        assert back.dtype == dtype and back.shape == array.shape
        assert (back == array).all()
    backends.assert_equal(lambda x: jnp.concatenate([x, x[::-1]]).T, x)


@pytest.mark.parametrize("name", ["int2", "int4", "uint2", "uint4"])
def test_the_bytes_of_narrow_integers_on_the_host_are_those_of_xla(backends, name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    seen = []

    def note(x):
        seen.append(x)
        # A byte of which the upper bits are those of a sign.
        return np.array([0xFF], np.uint8).view(dtype)

    def f(x):
        noted = jax.pure_callback(note, jax.ShapeDtypeStruct((1,), dtype), x)
        return jax.lax.rev(x, (0,)), (x.astype(jnp.int8) - 1).astype(dtype), noted

    backends.assert_equal(f, np.arange(-8, 8).astype(np.int8).astype(dtype))
    ours, xla = (np.asarray(x) for x in seen)
    assert ours.tobytes() == xla.tobytes()


def test_wide_types(backends):
    with jax.enable_x64(True):
        backends.assert_close(lambda x: jnp.cumsum(x) / 3, np.arange(5.0), rtol=1e-15)
        backends.assert_equal(lambda x: x * x, np.array([2**40, -7], np.int64))
        backends.assert_close(jnp.exp, np.array([1 + 2j, 0.5j]), rtol=1e-14)


def test_copies_between_devices(backends):
    x = jax.device_put(numbers(4, 4), backends.ours)
    y = jax.device_put(x, backends.xla)
    z = jax.device_put(y, backends.ours)
    assert y.devices() == {backends.xla} and z.devices() == {backends.ours}
    np.testing.assert_array_equal(np.asarray(x), np.asarray(z))


def test_errors_are_exceptions(backends):
    @functools.partial(jax.jit, donate_argnums=0)
    def double(x):
        return x * 2

    x = jax.device_put(numbers(4), backends.ours)
    double(x)
    with pytest.raises(RuntimeError, match="deleted"):
        np.asarray(x)
    x = jax.device_put(numbers(4), backends.ours)
    x.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        double(x)


def test_donated_memory_is_used_again(backends):
    add = jax.jit(lambda x, y: x + y, donate_argnums=0)
    # A result of the device: memory that was put there may still be NumPy's.
    x, y = (jax.device_put(numbers(1024), backends.ours) * 2 for _ in range(2))
    expected = np.asarray(x) + np.asarray(y)
    where = x.unsafe_buffer_pointer()
    total = add(x, y)
    assert x.is_deleted() and not y.is_deleted()
    assert total.unsafe_buffer_pointer() == where
    np.testing.assert_array_equal(np.asarray(total), expected)


def test_memory_is_reported(backends):
    x = jax.device_put(numbers(1 << 18), backends.ours)
    stats = backends.ours.memory_stats()
    x = (x * 2).block_until_ready()
    assert backends.ours.memory_stats()["bytes_in_use"] >= stats["bytes_in_use"] + x.nbytes
    compiled = jax.jit(lambda x: x @ x.T).lower(x.reshape(512, 512)).compile()
    assert compiled.memory_analysis().argument_size_in_bytes == x.nbytes
    assert compiled.cost_analysis()["flops"] >= 2 * 512**3


@pytest.mark.parametrize("function", [jnp.linalg.qr, jnp.linalg.svd, lambda x: jax.random.normal(jax.random.key(1), x.shape)])
def test_the_text_of_a_program_with_operations_that_xla_lacks(function):
    text = jax.jit(function).lower(numbers(4, 3)).compile().as_text()
    assert 'custom_call_target="jarrah.' in text


def test_options_of_the_compiler():
    lowered = jax.jit(jnp.sin).lower(1.0)
    lowered.compile(compiler_options={"xla_embed_ir_in_executable": True})
    for options, message in [
        ({"xla_embed_ir": True}, "No such compile option: 'xla_embed_ir'"),
        ({"xla_embed_ir_in_executable": "maybe"}, "'maybe' is not a valid bool value"),
    ]:
        with pytest.raises(jax.errors.JaxRuntimeError, match=message):
            lowered.compile(compiler_options=options)


def test_a_token_has_no_value():
    with pytest.raises(jax.errors.JaxRuntimeError, match="token"):
        np.asarray(jax.lax.create_token()._buf)


@pytest.mark.parametrize("method", ["average", "dense"])
def test_sorting_in_a_branch(backends, method):
    backends.assert_equal(lambda x: jax.scipy.stats.rankdata(x, method=method), np.float32([3, 1, 4, 1, 5, 9, 2, 6]))

"""Callbacks: out of a compiled program into Python and back."""

import ctypes
import gc
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jarrah_pjrt import callbacks
from jax.experimental import io_callback


@pytest.fixture(autouse=True)
def ours(backends):
    with jax.default_device(backends.ours):
        yield


def like(x):
    return jax.ShapeDtypeStruct(np.shape(x), x.dtype)


def test_pure_callback():
    f = jax.jit(lambda x: jax.pure_callback(lambda x: np.sin(x) + 1, like(x), x) * 2)
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_allclose(f(x), 2 * (np.sin(x) + 1), rtol=1e-6)


def test_arguments_are_arrays_on_the_host():
    seen = []

    def function(x):
        assert isinstance(x, jax.Array)
        seen.append(x)
        return jnp.cumsum(x)

    f = jax.jit(lambda x: jax.pure_callback(function, like(x), x))
    np.testing.assert_array_equal(f(np.arange(4, dtype=np.int32)), [0, 1, 3, 6])
    assert next(iter(seen[0].devices())).platform == "cpu"
    # The argument outlives the program's memory.
    f(np.full(4, 7, np.int32))
    np.testing.assert_array_equal(seen[0], np.arange(4))


def test_several_operands_and_results():
    types = (jax.ShapeDtypeStruct((3,), np.float32), jax.ShapeDtypeStruct((), np.int32), jax.ShapeDtypeStruct((0, 2), bool))
    f = jax.jit(lambda x, y: jax.pure_callback(lambda x, y: (x + y, np.int32(5), np.zeros((0, 2), bool)), types, x, y))
    a, b, c = f(np.arange(3, dtype=np.float32), np.float32(1))
    np.testing.assert_array_equal(a, [1, 2, 3])
    assert b == 5 and c.shape == (0, 2)


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, ml_dtypes.int4, ml_dtypes.float8_e4m3fn, np.float16, bool, np.complex64])
def test_element_types(dtype):
    x = np.array([1, 0, 1, 1, 0]).astype(dtype)
    f = jax.jit(lambda x: jax.pure_callback(lambda x: np.asarray(x)[::-1], like(x), x))
    np.testing.assert_array_equal(np.asarray(f(x)), x[::-1])


def test_inside_scan_cond_and_vmap():
    double = lambda x: jax.pure_callback(lambda x: x * 2, like(x), x, vmap_method="sequential")
    scanned = jax.jit(lambda x: jax.lax.scan(lambda c, y: (double(c) + y, c), x, jnp.arange(4.0)))
    final, states = scanned(jnp.float32(1))
    assert final == 27 and list(states) == [1, 2, 5, 12]
    assert list(jax.jit(jax.vmap(double))(jnp.arange(3.0))) == [0, 2, 4]
    chosen = jax.jit(lambda p, x: jax.lax.cond(p, double, lambda x: x, x))
    assert chosen(True, jnp.float32(3)) == 6 and chosen(False, jnp.float32(3)) == 3


def test_ordered_io_keeps_its_order():
    seen = []
    record = lambda x: seen.append(int(x))

    @jax.jit
    def f(n):
        def body(i, carry):
            io_callback(record, None, i, ordered=True)
            io_callback(record, None, -i, ordered=True)
            return carry + 1

        return jax.lax.fori_loop(0, n, body, 0)

    f(5).block_until_ready()
    io_callback(record, None, 100, ordered=True)
    jax.effects_barrier()
    assert seen == [0, 0, 1, -1, 2, -2, 3, -3, 4, -4, 100]


def test_unordered_io_happens_even_unused():
    seen = []
    jax.jit(lambda x: io_callback(lambda x: seen.append(float(x)), None, x))(1.5)
    jax.effects_barrier()
    assert seen == [1.5]


@pytest.mark.parametrize("ordered", [False, True])
def test_debug_print(capsys, ordered):
    @jax.jit
    def f(x):
        jax.debug.print("x is {x}", x=x, ordered=ordered)
        return jax.grad(lambda x: jnp.sum(x**2))(x)

    f(np.arange(3, dtype=np.float32)).block_until_ready()
    jax.effects_barrier()
    assert capsys.readouterr().out == "x is [0. 1. 2.]\n"


def test_debug_callback_with_keys():
    seen = []
    f = jax.jit(lambda key: jax.debug.callback(lambda data: seen.append(np.asarray(data)), jax.random.key_data(key)))
    f(jax.random.key(3))
    jax.effects_barrier()
    np.testing.assert_array_equal(seen[0], [0, 3])


def test_exceptions_come_back():
    def fail(x):
        raise ValueError("the number is bad: ü")

    f = jax.jit(lambda x: jax.pure_callback(fail, like(x), x))
    with pytest.raises(Exception, match="ValueError: the number is bad: ü"):
        np.asarray(f(jnp.float32(1)))
    # The backend goes on.
    assert jax.jit(lambda x: x + 1)(1) == 2


class Mute(Exception):
    """An exception whose text cannot be made."""

    def __str__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize(("exception", "said"), [(Mute(), "Mute"), (ValueError("\udcff is half"), "udcff is half")])
def test_exceptions_without_text_are_named(exception, said):
    def fail(x):
        raise exception

    f = jax.jit(lambda x: jax.pure_callback(fail, like(x), x))
    with pytest.raises(Exception, match=said):
        np.asarray(f(jnp.float32(1)))


def test_a_process_may_end_while_callbacks_are_made():
    script = """
import jax, numpy as np
step = lambda i, x: jax.pure_callback(lambda x: np.asarray(x) + 1, x, x)
kept = jax.jit(lambda x: jax.lax.fori_loop(0, 1000, step, x))(np.zeros(3, np.float32))
print("leaves")
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stdout.strip()) == (0, "leaves"), ended.stderr


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: np.zeros(3, np.float32), "shape"),
        (lambda x: np.zeros(2, np.int32), "dtype"),
        (lambda x: (x, x), "returned 2 values, and 1 were declared"),
    ],
)
def test_wrong_results_are_errors(function, message):
    f = jax.jit(lambda x: jax.pure_callback(function, like(x), x))
    with pytest.raises(Exception, match=message):
        np.asarray(f(jnp.zeros(2, jnp.float32)))


def test_callbacks_may_run_programs():
    inner = jax.jit(lambda x: x @ x)
    device = jax.devices("jarrah")[0]

    def function(x):
        return np.asarray(inner(jax.device_put(x, device)))

    f = jax.jit(lambda x: jax.pure_callback(function, like(x), x) + 1)
    np.testing.assert_allclose(f(2 * jnp.eye(3)), 4 * np.eye(3) + 1)


def addresses(lowered) -> tuple[int, int]:
    """Address and context of the one callback of a program."""
    return tuple(int(part) for part in re.search(r'backend_config = "(\d+):(\d+)"', lowered.as_text()).groups())


def c_call(address: int, context: int, operands: list[np.ndarray], results: list[np.ndarray], capacity=256):
    """Calls the C function as a plugin would; its status and its message."""
    pointers = [(ctypes.c_void_p * max(1, len(xs)))(*(x.ctypes.data for x in xs)) for xs in (operands, results)]
    error = ctypes.create_string_buffer(b"untouched", capacity)
    function = ctypes.CFUNCTYPE(
        ctypes.c_int32, ctypes.c_uint64, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p,
        ctypes.c_uint64,
    )(address)
    status = function(
        context, len(operands), ctypes.addressof(pointers[0]), len(results), ctypes.addressof(pointers[1]),
        ctypes.addressof(error), capacity,
    )
    return status, error.value.decode()


def test_the_c_function():
    lowered = jax.jit(lambda x: jax.pure_callback(lambda x: x + 1, like(x), x)).lower(jnp.zeros(4, jnp.float32))
    address, context = addresses(lowered)
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    assert c_call(address, context, [x], [y]) == (0, "untouched")
    np.testing.assert_array_equal(y, x + 1)
    assert c_call(address, context + 1, [x], [y])[0] == 1

    def fail(x):
        raise ValueError("ü" * 100)

    address, context = addresses(jax.jit(lambda x: jax.pure_callback(fail, like(x), x)).lower(x))
    assert c_call(address, context, [x], [y]) == (1, f"ValueError: {'ü' * 100}")
    assert c_call(address, context, [x], [y], capacity=18) == (1, "ValueError: üü")


def test_freed_programs_free_their_callbacks():
    before = len(callbacks._live)
    for i in range(callbacks.KEPT + 50):
        jax.jit(lambda x, i=i: jax.pure_callback(lambda x: x + i, like(x), x)).lower(jnp.float32(0))
    gc.collect()
    assert len(callbacks._live) <= before + callbacks.KEPT + 10


def test_an_ordered_line_within_a_solve_is_there_after_the_barrier(capfd):
    def matvec(v):
        jax.debug.callback(lambda: print("seen", flush=True), ordered=True)
        return v

    def solve(b):
        return jax.lax.custom_linear_solve(matvec, b, lambda matvec, x: matvec(x))

    slow = jax.jit(lambda x: jax.lax.fori_loop(0, 200, lambda i, c: jnp.sin(c @ c), x))
    for f in (solve, jax.jit(solve)):
        for _ in range(5):
            f(slow(jnp.ones((200, 200)))[0])
            jax.effects_barrier()
            assert capfd.readouterr().out == "seen\n"


def test_ordered_effects_go_on_after_one_that_failed():
    seen = []

    def fail(i):
        if i == 2:
            raise ValueError("unlucky")

    loop = jax.jit(lambda x: jax.lax.fori_loop(0, 5, lambda i, c: (io_callback(fail, None, i, ordered=True), c + 1)[1], x))
    with pytest.raises(jax.errors.JaxRuntimeError, match="unlucky"):
        loop(0).block_until_ready()
    after = jax.jit(lambda x: (io_callback(lambda v: seen.append(float(v)), None, x, ordered=True), x)[1])
    for i in range(3):
        after(float(i)).block_until_ready()
    jax.effects_barrier()
    assert seen == [0.0, 1.0, 2.0]


def test_callbacks_see_no_mesh(backends):
    """A callback may run in the thread of its caller, whose mesh has none of the callback's devices."""
    mesh = jax.make_mesh((1,), ("x",), devices=[backends.ours])
    x = np.arange(4, dtype=np.float32)

    def double(x):
        assert jax.sharding.get_abstract_mesh().empty
        return jnp.asarray(x) + x

    with jax.set_mesh(mesh):
        function = jax.jit(lambda x: jax.pure_callback(double, x, x))
        np.testing.assert_array_equal(function(jax.device_put(x, jax.P("x"))), x * 2)
        assert not jax.sharding.get_abstract_mesh().empty

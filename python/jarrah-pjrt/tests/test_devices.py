"""Programs for several devices, in a process where each backend has four."""

import os
import subprocess
import sys

import pytest

# Prints a line for each program whose results on the two backends differ, and then how many there were.
SCRIPT = """
import functools
import jax, jax.numpy as jnp, numpy as np
from jax import lax, shard_map
from jax.sharding import Mesh, PartitionSpec as P

both = P("a", "b")
x = (np.arange(16, dtype=np.float32).reshape(4, 4) - 3) ** 2
psum, pmax, at = lax.psum, lax.pmax, lax.axis_index
gather = functools.partial(lax.all_gather, tiled=True)
scatter = functools.partial(lax.psum_scatter, tiled=True)
swap = functools.partial(lax.all_to_all, tiled=True)
turn = [(0, 1), (1, 0)]
one_way = [(0, 1)]

functions = {
    "sums": lambda x: psum(psum(x, "b"), "a"),
    "sums the other way": lambda x: psum(psum(x * x, "a") + x, "b"),
    "three sums": lambda x: psum(psum(psum(x, "b") * 0.5 + x, "a") * 0.5 + x, "b"),
    "a sum and a maximum": lambda x: pmax(psum(x, "b") - x, "a"),
    "a sum of both": lambda x: psum(x, ("a", "b")) + psum(x, "a") * psum(x, "b"),
    "gathers": lambda x: gather(gather(x, "b", axis=1) * (1 + at("a")), "a")[1:3, 1:3] + x,
    "scattered sums": lambda x: scatter(scatter(jnp.tile(x, (2, 2)), "b", scatter_dimension=1), "a"),
    "transposes": lambda x: swap(swap(x, "b", 0, 1), "a", 1, 0),
    "turns": lambda x: lax.ppermute(lax.ppermute(x, "b", turn) + x, "a", one_way),
    "a mean of means": lambda x: x / lax.pmean(lax.pmean(x, "b") + 1, "a"),
    "branches with sums": lambda x: lax.cond(at("a") == 0, lambda x: psum(x, "b"), lambda x: psum(x * 2, "b"), x),
    "branches of which one has sums": lambda x: psum(
        lax.cond(at("a") == 0, lambda x: psum(x, "b") * 3, lambda x: x, x), "a"
    ),
    "branches with different numbers of sums": lambda x: lax.cond(
        at("a") == 0, lambda x: psum(psum(x, "b") * 0.5 + x, "b"), lambda x: psum(x, "b"), x
    ),
    "branches that are taken apart": lambda x: lax.switch(
        at("b"), [lambda x: x, lambda x: x * 2, lambda x: psum(x, "b")], x
    ),
    "a branch that depends on data": lambda x: lax.cond(
        psum(x, "b").sum() > 60, lambda x: psum(x, "b") * 3, lambda x: x, x
    ),
    "a loop": lambda x: lax.fori_loop(0, 3, lambda i, c: psum(c, "a") * 0.25 + psum(c, "b") * 0.125 + x, x),
    "loops of different lengths": lambda x: lax.while_loop(
        lambda c: c[0] < 1 + 2 * at("a"), lambda c: (c[0] + 1, psum(c[1], "b") * 0.5 + x), (0, x)
    )[1],
    "a loop that ends when all are there": lambda x: lax.while_loop(
        lambda c: psum(c.sum(), ("a", "b")) > 10, lambda c: c * 0.5 + 0.125 * psum(c, "a"), x
    ),
    "a scan": lambda x: lax.scan(lambda c, y: (psum(c, "b") * 0.25 + y, psum(c, "a")), x, jnp.stack([x, x * 2]))[0],
    "a gradient": jax.grad(lambda x: (psum(psum(x * x, "b") * (1 + at("a")), "a") * x).sum()),
}


def run(platform, f):
    mesh = Mesh(np.array(jax.devices(platform)).reshape(2, 2), ("a", "b"))
    return np.asarray(jax.jit(shard_map(f, mesh=mesh, in_specs=both, out_specs=both, check_vma=False))(x))


for name, f in functions.items():
    ours, xla = run("jarrah", f), run("cpu", f)
    if not np.allclose(ours, xla, rtol=1e-5, atol=1e-5):
        print(name, ours, xla)
try:
    print(run("jarrah", lambda x: lax.cond(at("b") == 0, lambda x: psum(x, "b"), lambda x: x, x)))
except jax.errors.JaxRuntimeError as error:
    assert "devices of a run wait for each other for ever" in str(error), error
try:
    print(run("jarrah", lambda x: lax.cond(x[0, 0] > 5, lambda x: psum(x, "b"), lambda x: x, x)))
except jax.errors.JaxRuntimeError as error:
    assert "devices of a run wait for each other for ever" in str(error), error
print(len(functions), "programs")
"""


def test_exchanges_between_devices_are_those_of_xla():
    environment = {**os.environ, "JAX_PLATFORMS": "jarrah,cpu", "JARRAH_CPU_DEVICES": "4"}
    environment["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=False, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "20 programs\n"


# Prints a line for each program on arrays that are cut over the devices whose results on the two backends differ.
SPLIT = """
import jax, jax.numpy as jnp, numpy as np
from jax import lax, shard_map
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

x = np.arange(32, dtype=np.float32).reshape(8, 4)
programs = {
    "an elementwise function": lambda x, y: x * y + 1,
    "a product": lambda x, y: jnp.tanh(x / 9) @ y.T,
    "a sum": lambda x, y: (x + y).sum(axis=0),
    "a gradient": lambda x, y: jax.grad(lambda x: (jnp.sin(x) * y).sum())(x),
    "a manual part": lambda x, y: jnp.sin(
        shard_map(lambda x: lax.psum(x, "a") * 2, in_specs=P("a", "b"), out_specs=P(None, "b"))(x + y)
    ),
}


def run(platform, f, donated):
    mesh = Mesh(np.array(jax.devices(platform)).reshape(2, 2), ("a", "b"))
    with jax.set_mesh(mesh):
        args = [jax.device_put(x + i, NamedSharding(mesh, spec)) for i, spec in enumerate([P("a", "b"), P(("b", "a"))])]
        result = jax.jit(f, out_shardings=P("b") if donated else None, donate_argnums=0 if donated else ())(*args)
        parts = [np.asarray(shard.data) for shard in result.addressable_shards if donated]
        return [np.asarray(result), *parts, [arg.is_deleted() for arg in args]]


for name, f in programs.items():
    for donated in (False, True):
        ours, xla = run("jarrah", f, donated), run("cpu", f, donated)
        if not all(np.allclose(a, b, rtol=1e-5, atol=1e-5) for a, b in zip(ours, xla, strict=True)):
            print(name, donated, ours, xla)
print(len(programs), "programs")
"""


def test_programs_on_arrays_that_are_cut_over_devices_are_those_of_xla():
    environment = {**os.environ, "JAX_PLATFORMS": "jarrah,cpu", "JARRAH_CPU_DEVICES": "4"}
    environment["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
    ran = subprocess.run(
        [sys.executable, "-c", SPLIT], capture_output=True, text=True, env=environment, check=False, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "5 programs\n"


# Prints how often each program calls back on the two backends, where these differ, and then how many programs there were.
CALLBACKS = """
import jax, jax.numpy as jnp, numpy as np
from jax import shard_map
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

seen = []


def note(x):
    seen.append(float(np.sum(x)))


def number(x):
    note(x)
    return np.float32(len(seen))


scalar = jax.ShapeDtypeStruct((), np.float32)
programs = {
    "noted": lambda x: (jax.debug.callback(note, x.sum()), x * 2)[1],
    "noted twice": lambda x: (jax.debug.callback(note, x.sum()), io_callback(note, None, x), x)[2],
    "numbered": lambda x: x * 0 + io_callback(number, scalar, x),
}


def run(platform, f, split):
    seen.clear()
    mesh = Mesh(np.array(jax.devices(platform)), ("i",))
    x = np.arange(16, dtype=np.float32)
    if split:
        y = jax.jit(shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False))(x)
    else:
        y = jax.jit(f)(jax.device_put(x, NamedSharding(mesh, P())))
    jax.effects_barrier()
    assert split or all(np.array_equal(shard.data, y) for shard in y.addressable_shards)
    return sorted(seen), sorted(np.asarray(y).tolist())


for name, f in programs.items():
    for split in (False, True):
        ours, xla = run("jarrah", f, split), run("cpu", f, split)
        if ours != xla:
            print(name, split, ours, xla)


def in_part(platform):
    # The calls of a function that is manual along one of two axes.
    seen.clear()
    mesh = Mesh(np.array(jax.devices(platform)).reshape(2, 2), ("i", "j"))

    def f(x):
        jax.debug.callback(note, x)
        jax.debug.print("{at} {x}", at=jax.lax.axis_index("i"), x=x.sum())
        return jnp.cos(x)

    y = jax.jit(shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i"), axis_names={"i"}))(np.arange(8.0))
    jax.effects_barrier()
    return sorted(seen), np.asarray(y).round(3).tolist()


if in_part("jarrah") != in_part("cpu"):
    print("in part", in_part("jarrah"), in_part("cpu"))
print(len(programs), "programs")
"""


def test_programs_on_several_devices_call_back_as_often_as_those_of_xla():
    environment = {**os.environ, "JAX_PLATFORMS": "jarrah,cpu", "JARRAH_CPU_DEVICES": "4"}
    environment["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
    ran = subprocess.run(
        [sys.executable, "-c", CALLBACKS], capture_output=True, text=True, env=environment, check=False, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    # Both backends print what each part of a function prints that is manual in part.
    assert sorted(ran.stdout.splitlines()) == sorted(["0 6.0", "1 22.0"] * 2 + ["3 programs"])


# Prints a line for each program and each sharding of its argument: how the value is cut that it asks about.
INSPECTED = """
import sys
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

devices = jax.devices(sys.argv[1])
mesh = Mesh(np.array(devices).reshape(2, -1), ("a", "b"))
x = np.arange(32, dtype=np.float32).reshape(8, 4)
seen = []


def asked(value):
    jax.debug.inspect_array_sharding(value, callback=seen.append)
    return value


def cut(x):
    return jax.lax.with_sharding_constraint(x * 2, NamedSharding(mesh, P(None, "a")))


def manual(x):
    return jax.shard_map(lambda x: asked(x * 2), mesh=mesh, in_specs=P("a", "b"), out_specs=P("a", "b"))(x)


programs = {
    "an argument": lambda x: asked(x) * 2,
    "an elementwise function": lambda x: asked(jnp.sin(x) + 1) * 2,
    "a transpose": lambda x: asked(x.T) * 2,
    "a function in another": lambda x: jax.jit(lambda y: asked(y * 3))(x + 1) * 2,
    "a constraint": lambda x: asked(cut(x)),
    "a manual part": manual,
    "a gradient": jax.grad(lambda x: (asked(x) ** 2).sum()),
}
for name, f in programs.items():
    for spec in (P("a", "b"), P(None, ("b", "a")), P()):
        seen.clear()
        compiled = jax.jit(f).lower(jax.device_put(x, NamedSharding(mesh, spec))).compile()
        assert "inspect" not in compiled.as_text()
        print(name, spec, [(s.spec, len(s.device_set)) for s in seen])


def refuse(sharding):
    raise ValueError("no such sharding")


try:
    f = jax.jit(lambda x: (jax.debug.inspect_array_sharding(x, callback=refuse), x)[1])
    f(jax.device_put(x, NamedSharding(mesh, P("a"))))
except jax.errors.JaxRuntimeError as error:
    assert "no such sharding" in str(error), error
else:
    print("no error")
"""


def test_shardings_that_programs_ask_for_are_those_of_xla():
    environment = {**os.environ, "JAX_PLATFORMS": "jarrah,cpu", "JARRAH_CPU_DEVICES": "4"}
    environment["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

    def told(platform):
        command = [sys.executable, "-c", INSPECTED, platform]
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=600)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.splitlines()

    ours = told("jarrah")
    assert len(ours) == 21
    assert ours == told("cpu")


# Prints how often a buffer that is filled anew behind each call is read as it then is, and whether tensors with strides come and go as they are.
REUSED = """
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices("jarrah")), "x")
total = jax.jit(jax.shard_map(lambda x: jax.lax.psum(x.sum(), "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
for size in (64, 1 << 14, 1 << 18):
    buffer = np.zeros(size, np.float32)
    for put in (lambda b: b, lambda b: jax.device_put(b, NamedSharding(mesh, P("x")))):
        results = []
        for k in range(100):
            buffer[:] = k % 7 + 1
            results.append(total(put(buffer)))
        print(size, sum(float(r) != size * (k % 7 + 1) for k, r in enumerate(results)))
whole = np.arange(3 * 64 * 48, dtype=np.float32).reshape(3, 64, 48)
cuts = [whole[:, :, :8], whole[:, ::2], whole[::-1], whole.T, np.asfortranarray(whole), whole[:, 5:6], np.broadcast_to(whole[:1], (4, 64, 48))]
for cut in cuts:
    for dtype in (np.float32, np.int16, np.complex64, np.bool_):
        given = cut.astype(dtype, order="K")[...]
        assert (np.asarray(jax.device_put(given, jax.devices("jarrah")[0])) == given).all(), (cut.strides, dtype)
        assert (np.asarray(jax.device_put(cut, jax.devices("jarrah")[0])) == cut).all(), cut.strides
"""


def test_buffers_that_are_filled_anew_behind_a_call_on_several_devices_were_read():
    environment = {**os.environ, "JAX_PLATFORMS": "jarrah,cpu", "JARRAH_CPU_DEVICES": "4"}
    command = [sys.executable, "-c", REUSED]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=600)
    assert ran.returncode == 0, ran.stderr
    assert [line.split()[1] for line in ran.stdout.splitlines()] == ["0"] * 6, ran.stdout


COUNTED = [
    ({"JARRAH_CPU_DEVICES": "3"}, "", 3),
    ({"XLA_FLAGS": "--xla_force_host_platform_device_count=4"}, "", 4),
    ({"XLA_FLAGS": "--xla_force_host_platform_device_count=4"}, "jax.config.update('jax_num_cpu_devices', 2)", 2),
    ({"XLA_FLAGS": "--xla_force_host_platform_device_count=4", "JARRAH_CPU_DEVICES": "1"}, "", 1),
    ({"XLA_FLAGS": "--xla_force_host_platform_device_count=4", "JARRAH_CPU_DEVICES": ""}, "", 4),
    ({}, "", 1),
]


@pytest.mark.parametrize(("variables", "line", "devices"), COUNTED)
def test_the_number_of_devices_is_that_which_is_asked_of_the_cpu_of_jax(variables, line, devices):
    environment = {**os.environ, "JAX_PLATFORMS": "jarrah,cpu"}
    for name in ("JARRAH_CPU_DEVICES", "XLA_FLAGS"):
        environment.pop(name, None)
    script = f"import jax\n{line}\nprint(jax.device_count('jarrah'))"
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment | variables, check=True
    )
    assert int(ran.stdout) == devices

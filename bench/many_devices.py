"""Times of the same work on one device and on eight of one process, and of sums over devices: for a backend of JAX.

    JAX_PLATFORMS=jarrah,cpu JARRAH_CPU_DEVICES=8 python bench/many_devices.py
    JAX_PLATFORMS=cpu XLA_FLAGS=--xla_force_host_platform_device_count=8 python bench/many_devices.py

Each line: the median of several runs in microseconds, after two that are not counted.
"""

import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, shard_map
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

DEVICES = jax.devices()[:8]
MESH = Mesh(np.array(DEVICES), ("i",))


def median(f, *args, runs=20):
    """The median time of a call, in microseconds."""
    times = []
    for _ in range(runs + 2):
        begun = time.perf_counter()
        jax.block_until_ready(f(*args))
        times.append((time.perf_counter() - begun) * 1e6)
    return statistics.median(times[2:])


def loss(weights, x):
    """A network of three layers."""
    for w in weights:
        x = jnp.tanh(x @ w)
    return jnp.mean(x * x)


def gradient(weights, x):
    """The gradient of the loss."""
    return jax.grad(loss)(weights, x)


def spread(weights, x):
    """The same, of rows that lie on the devices."""
    f = lambda w, x: jax.tree.map(lambda g: lax.pmean(g, "i"), jax.grad(loss)(lax.pcast(w, "i", to="varying"), x))
    return shard_map(f, mesh=MESH, in_specs=(P(), P("i")), out_specs=P())(weights, x)


def main():
    """Prints the times."""
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal((512, 512), dtype=np.float32) / 23 for _ in range(3)]
    x = rng.standard_normal((1024, 512), dtype=np.float32)
    one = median(jax.jit(gradient), *jax.device_put((weights, x), DEVICES[0]))
    rows = jax.device_put(x, NamedSharding(MESH, P("i")))
    whole = jax.device_put(weights, NamedSharding(MESH, P()))
    eight = median(jax.jit(spread), whole, rows)
    print(f"{jax.default_backend()}: gradient of 1024 rows: one device {one:.0f}, eight {eight:.0f}, {eight / one:.2f} times")
    for count in (1024, 1 << 20):
        y = jax.device_put(np.ones((8, count), np.float32), NamedSharding(MESH, P("i")))
        total = jax.jit(shard_map(lambda y: lax.psum(y, "i"), mesh=MESH, in_specs=P("i"), out_specs=P()))
        print(f"{jax.default_backend()}: all-reduce of {count * 4} bytes over 8: {median(total, y):.0f}")
    for devices in (2, 8):
        mesh = Mesh(np.array(DEVICES[:devices]), ("i",))
        turn = lambda _, y: lax.pcast(lax.psum(y, "i") / devices, "i", to="varying")
        turns = lambda y: lax.fori_loop(0, 1000, turn, y)
        y = jax.device_put(np.ones((devices, 1024), np.float32), NamedSharding(mesh, P("i")))
        each = median(jax.jit(shard_map(turns, mesh=mesh, in_specs=P("i"), out_specs=P("i"))), y, runs=5) / 1000
        print(f"{jax.default_backend()}: all-reduce of 4096 bytes over {devices} in a loop: {each:.1f}")


if __name__ == "__main__":
    main()

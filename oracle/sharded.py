"""Functions of a mesh of eight devices (`shard_map`), lowered to StableHLO, with inputs, outputs and gradients.

Writes `exported/devices_<name>.mlir` and `exported/devices.safetensors`: `<name>/in/<i>`, `<name>/out/<i>`, and
`<name>/grad/<i>`, the gradient of the sum over all float outputs of output times sin(1 + number of the element).
"""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import common
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((4, 2), ("dp", "tp"), axis_types=(AxisType.Auto,) * 2)
CASES = {}


def case(in_specs, out_specs, *shapes, **options):
    def add(f):
        streams = range(10 * len(CASES), 10 * len(CASES) + 10)
        inputs = [jnp.asarray(common.unit(s, shape)) for s, shape in zip(streams, shapes)]
        sharded = jax.shard_map(f, mesh=MESH, in_specs=in_specs, out_specs=out_specs, **{"check_vma": False, **options})
        CASES[f.__name__] = (sharded, inputs)
        return f

    return add


@case((P("dp", None), P(None, "tp"), P("tp", None)), P("dp", None), (8, 6), (6, 4), (4, 6))
def two_layers(x, up, down):
    """Data and tensor parallel."""
    return lax.psum(jnp.tanh(x @ up) @ down, "tp")


@case((P("dp", None),) * 3, P("dp", None), (8, 4), (8, 4), (8, 4))
def ring_attention(q, k, v):
    def step(i, carry):
        k, v, total, weights = carry
        w = jnp.exp(q @ k.T)
        shift = [(j, (j + 1) % 4) for j in range(4)]
        k, v = lax.ppermute((k, v), "dp", shift)
        return k, v, total + w @ lax.ppermute(v, "dp", [(b, a) for a, b in shift]), weights + w.sum(1, keepdims=True)

    *_, total, weights = lax.fori_loop(0, 4, step, (k, v, jnp.zeros_like(q), jnp.zeros_like(q[:, :1])))
    return total / weights


@case(P("dp", "tp"), (P("dp", "tp"), P(None, "tp")), (8, 4))
def scanned(x):
    def step(carry, i):
        mean = lax.pmean(carry * i, "dp")
        return carry + lax.axis_index("dp") + mean, mean.sum(0)

    return lax.scan(step, x, jnp.arange(3.0))


@case(P(("dp", "tp"), None), (P(("tp", "dp"), None), P(None), P("dp")), (8, 8))
def exchanges(x):
    every = lax.all_gather(x, ("dp", "tp"), axis=0, tiled=True)
    mine = lax.psum_scatter(every, "dp", scatter_dimension=0, tiled=True)
    turned = lax.all_to_all(mine, "tp", split_axis=1, concat_axis=0, tiled=True)
    return turned, lax.psum(x.max(0), ("dp", "tp")), lax.psum(x.sum(), "tp")[None]


@case(P("dp", None), P(None, None), (8, 4), axis_names={"dp"})
def partly_manual(x):
    return lax.psum(jnp.sin(x), "dp") @ jnp.eye(4)


@case(P("dp", "tp"), P("dp", "tp"), (8, 4))
def chosen(x):
    everyone = lax.psum(jnp.square(x).sum(), ("dp", "tp"))
    return lax.cond(everyone > 0, lambda x: x * lax.psum(x, "tp"), lambda x: x, x)


@case(P("dp", "tp"), P("dp", "tp"), (8, 4))
def rematerialized(x):
    return jax.checkpoint(lambda x: jnp.tanh(lax.psum(x * x, "tp")) * x)(x)


def weight(y):
    return jnp.sin(1 + jnp.arange(y.size, dtype=jnp.float32)).reshape(y.shape)


def main():
    tensors = {}
    for name, (f, inputs) in CASES.items():
        flat = lambda *xs, f=f: jax.tree.leaves(f(*xs))
        (common.GOLDEN / "exported").mkdir(parents=True, exist_ok=True)
        (common.GOLDEN / "exported" / f"devices_{name}.mlir").write_text(jax.jit(flat).lower(*inputs).as_text())
        loss = lambda *xs: sum((y * weight(y)).sum() for y in flat(*xs))
        for kind, values in (("in", inputs), ("out", jax.jit(flat)(*inputs)), ("grad", jax.jit(jax.grad(loss, range(len(inputs))))(*inputs))):
            for i, value in enumerate(values):
                tensors[f"{name}/{kind}/{i}"] = np.asarray(value)
    common.save_tensors("exported/devices.safetensors", tensors)


if __name__ == "__main__":
    main()

"""DeepSeek's latent attention and its gradients, by the plain formula in f64, and how far JAX's own f32 is from it.

Writes `latent.{json,safetensors}`. With c = rms_norm(x W_c), r = rotary(x W_r), both of x kv_down, and the queries of a head (n_h, p_h) of
norm(x q.layers.0) q.layers.2, or of x q,

    k_h = (c K_h, r) ;  v_h = c V_h ;  q_h = (n_h, rotary(p_h))
    y = concat over h of softmax(q_h k_h^T / sqrt(nope + rope), causal) v_h, times out

which makes the keys and values of every head: nothing is absorbed. Pair (2i, 2i + 1) is turned by position * base^(-2i / rope),
of which the power is rounded to f32.

A parameter is `unit(index, shape) * scale + offset`, the argument `unit(90, shape) * 4`, the cotangent `unit(91, shape)` (see common.py); the JSON
lists configurations and parameters by the names of the layer that the test builds. The file holds the elements 0, s, 2s, ... of each
flat result: the result "y" and the gradients of sum(y * ct), "dx" and those of the parameters by their names. "jax_f32" is the root mean
square, over these elements, of what the same formula gives in f32, jitted, less the truth, over that of the truth.
"""

import common
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

CONFIGS = [
    dict(name="queries with a latent vector", batch=2, time=70, width=24, heads=4, latent=16, query_latent=12, nope=8, rope=4, value=6, base=10000.0),
    dict(name="queries without", batch=1, time=33, width=16, heads=2, latent=12, query_latent=None, nope=4, rope=8, value=8, base=100.0),
]  # fmt: skip
EPSILON = 1e-6


def parameters(c):
    """Name, shape, scale, offset; the position is the stream."""
    h, inner = c["heads"], c["query_latent"]
    table = []
    if inner is not None:
        table += [("q.layers.0.weight", [c["width"], inner], 0.5, 0.0), ("q.layers.1.scale", [inner], 0.25, 1.0)]
    table += [
        ("q.weight" if inner is None else "q.layers.2.weight", [inner or c["width"], h * (c["nope"] + c["rope"])], 1.0, 0.0),
        ("kv_down.weight", [c["width"], c["latent"] + c["rope"]], 0.5, 0.0),
        ("kv_norm.scale", [c["latent"]], 0.25, 1.0),
        ("k_up", [c["latent"], h * c["nope"]], 1.0, 0.0),
        ("v_up", [c["latent"], h * c["value"]], 0.5, 0.0),
        ("out.weight", [h * c["value"], c["width"]], 0.5, 0.0),
    ]
    return table


def norm(x, scale):
    return x / jnp.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * scale


def rotary(x, base):
    """`x: [B,T,H,D]` at positions 0, 1, ..."""
    d = x.shape[-1]
    rates = jnp.asarray((base ** (-np.arange(0, d, 2) / d)).astype(np.float32), x.dtype)
    angles = jnp.arange(x.shape[1], dtype=x.dtype)[:, None, None] * rates
    a, b = x[..., 0::2], x[..., 1::2]
    turned = jnp.stack([a * jnp.cos(angles) - b * jnp.sin(angles), a * jnp.sin(angles) + b * jnp.cos(angles)], -1)
    return turned.reshape(x.shape)


def plain(c, p, x):
    b, t, _ = x.shape
    h, nope, rope, latent = c["heads"], c["nope"], c["rope"], c["latent"]
    latent_q = c["query_latent"] is not None
    q = norm(x @ p["q.layers.0.weight"], p["q.layers.1.scale"]) @ p["q.layers.2.weight"] if latent_q else x @ p["q.weight"]
    q = q.reshape(b, t, h, nope + rope)
    down = x @ p["kv_down.weight"]
    inner, shared = norm(down[..., :latent], p["kv_norm.scale"]), down[..., latent:]
    shared = jnp.broadcast_to(rotary(shared[:, :, None], c["base"]), (b, t, h, rope))
    k = jnp.concatenate([jnp.einsum("btl,lhn->bthn", inner, p["k_up"].reshape(latent, h, nope)), shared], -1)
    v = jnp.einsum("btl,lhv->bthv", inner, p["v_up"].reshape(latent, h, -1))
    q = jnp.concatenate([q[..., :nope], rotary(q[..., nope:], c["base"])], -1)
    s = jnp.einsum("bthd,bshd->bhts", q, k) / np.sqrt(nope + rope).astype(x.dtype)
    s = jnp.where(np.tril(np.ones((t, t), bool)), s, -jnp.inf)
    y = jnp.einsum("bhts,bshv->bthv", jax.nn.softmax(s, -1), v)
    return y.reshape(b, t, h * c["value"]) @ p["out.weight"]


def results(c, p, x, ct, dtype):
    cast = lambda tree: jax.tree.map(lambda a: jnp.asarray(a, dtype), tree)

    def both(p, x, ct):
        y, pull = jax.vjp(lambda p, x: plain(c, p, x), p, x)
        return y, *pull(ct)

    y, dp, dx = jax.jit(both)(cast(p), cast(x), cast(ct))
    found = dict(y=y, dx=dx, **{f"d{name}": slope for name, slope in dp.items()})
    return {name: np.asarray(value, np.float64) for name, value in found.items()}


def main():
    described, tensors = [], {}
    for number, c in enumerate(CONFIGS):
        table = parameters(c)
        p = {
            name: (common.unit(i, shape) * np.float32(scale) + np.float32(offset)).astype(np.float64)
            for i, (name, shape, scale, offset) in enumerate(table)
        }
        shape = [c["batch"], c["time"], c["width"]]
        x, ct = common.unit(90, shape).astype(np.float64) * 4, common.unit(91, shape).astype(np.float64)
        truths, found = results(c, p, x, ct, jnp.float64), results(c, p, x, ct, jnp.float32)
        entry = dict(c, parameters=[dict(name=n, scale=s, offset=o) for n, _, s, o in table], results={})
        for name, truth in truths.items():
            stride = 1 if truth.size <= 400 else 7
            pick = lambda value: value.reshape(-1)[::stride]
            tensors[f"{number}/{name}"] = pick(truth)
            off, size = (np.sqrt(np.mean(pick(y) ** 2)) for y in (found[name] - truth, truth))
            entry["results"][name] = dict(stride=stride, jax_f32=float(off / size))
        described.append(entry)
    common.save_json("latent.json", dict(jax=jax.__version__, layers=described))
    common.save_tensors("latent.safetensors", tensors)


if __name__ == "__main__":
    main()

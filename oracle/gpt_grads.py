"""Loss, logits and gradients of the GPT that `models` builds, computed by JAX in f64.

Writes `gpt_grads.json` (configurations, how each parameter is made, summaries) and `gpt_grads.safetensors`.

Parameters are `unit(index, shape) * scale + offset` (see common.py), token inputs
`integer(1000, [B,T], V)`, labels `integer(1001, [B,T], V)`; nothing of that is stored.

The model, on token ids [B,T]:

    x = wte[tokens] + wpe[0..T]
    for each block:
        h = layernorm(x) ; qkv = h @ W + b                    W: [C,3C], columns q | k | v
        q, k, v = split(qkv), each [B,T,C] -> [B,T,H,C/H]
        s = q k^T / sqrt(C/H), masked to -inf above the diagonal ; a = softmax(s) v -> [B,T,C]
        x = x + (a @ W + b)
        h = layernorm(x) ; x = x + (gelu_tanh(h @ W1 + b1) @ W2 + b2)
    logits = layernorm(x) @ wte^T
    loss = mean over B*T of (logsumexp(logits) - logits[label])

with layernorm(x) = (x - mean) / sqrt(var + 1e-5) * g + b, var the mean squared deviation.

Of each gradient the file holds the elements 0, s, 2s, ... of the flat tensor ("stride", coprime to the
element count, so every row and column is met), and the JSON the full tensor's largest absolute value,
L2 norm, and `projection` = sum_i g_i * unit(2000 + index, i), which any misplaced element changes.
"""

import math

import common
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

MODELS = [
    dict(name="tiny", layers=2, width=32, heads=2, context=16, vocabulary=61, batch=3, scale=0.5, samples=1 << 20),
    dict(name="default", layers=4, width=128, heads=4, context=128, vocabulary=4096, batch=4, scale=0.25, samples=4096),
    dict(name="char", layers=6, width=384, heads=6, context=256, vocabulary=65, batch=2, scale=0.125, samples=4096),
]


def parameter_table(m):
    """Name, shape, scale and offset of each parameter; the position is its stream number."""
    c, w = m["width"], m["scale"]
    table = [("wte", [m["vocabulary"], c], w, 0.0), ("wpe", [m["context"], c], w, 0.0)]
    for i in range(m["layers"]):
        p = f"blocks.{i}."
        table += [
            (p + "ln_1.scale", [c], 0.25, 1.0),
            (p + "ln_1.bias", [c], 0.125, 0.0),
            (p + "attn.qkv.weight", [c, 3 * c], w, 0.0),
            (p + "attn.qkv.bias", [3 * c], 0.125, 0.0),
            (p + "attn.proj.weight", [c, c], w, 0.0),
            (p + "attn.proj.bias", [c], 0.125, 0.0),
            (p + "ln_2.scale", [c], 0.25, 1.0),
            (p + "ln_2.bias", [c], 0.125, 0.0),
            (p + "mlp.up.weight", [c, 4 * c], w, 0.0),
            (p + "mlp.up.bias", [4 * c], 0.125, 0.0),
            (p + "mlp.down.weight", [4 * c, c], w, 0.0),
            (p + "mlp.down.bias", [c], 0.125, 0.0),
        ]
    return table + [("ln_f.scale", [c], 0.25, 1.0), ("ln_f.bias", [c], 0.125, 0.0)]


def layer_norm(x, g, b):
    mean = x.mean(-1, keepdims=True)
    var = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(var + 1e-5) * g + b


def gelu(x):
    return 0.5 * x * (1.0 + jnp.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))


def logits(p, tokens, m):
    b, t = tokens.shape
    c, h = m["width"], m["heads"]
    x = p["wte"][tokens] + p["wpe"][:t]
    for i in range(m["layers"]):
        q = lambda name: p[f"blocks.{i}.{name}"]
        y = layer_norm(x, q("ln_1.scale"), q("ln_1.bias"))
        qkv = y @ q("attn.qkv.weight") + q("attn.qkv.bias")
        query, key, value = (part.reshape(b, t, h, c // h) for part in jnp.split(qkv, 3, -1))
        s = jnp.einsum("bqhd,bkhd->bhqk", query, key) / math.sqrt(c // h)
        s = jnp.where(jnp.tril(jnp.ones((t, t), bool)), s, -jnp.inf)
        a = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s, -1), value).reshape(b, t, c)
        x = x + a @ q("attn.proj.weight") + q("attn.proj.bias")
        y = layer_norm(x, q("ln_2.scale"), q("ln_2.bias"))
        y = gelu(y @ q("mlp.up.weight") + q("mlp.up.bias"))
        x = x + y @ q("mlp.down.weight") + q("mlp.down.bias")
    return layer_norm(x, p["ln_f.scale"], p["ln_f.bias"]) @ p["wte"].T


def loss(p, tokens, labels, m):
    z = logits(p, tokens, m)
    picked = jnp.take_along_axis(z, labels[..., None], -1)[..., 0]
    return (jax.nn.logsumexp(z, -1) - picked).mean()


def stride_for(count, samples):
    """The smallest stride coprime to `count` that leaves at most `samples` elements."""
    stride = -(-count // samples)
    while math.gcd(stride, count) != 1:
        stride += 1
    return stride


def summary(value, stream, samples):
    flat = np.asarray(value, np.float64).reshape(-1)
    stride = stride_for(flat.size, samples)
    facts = dict(
        stride=stride,
        max_abs=float(np.abs(flat).max()),
        l2=float(np.sqrt((flat**2).sum())),
        projection=float((flat * common.unit(stream, flat.shape).astype(np.float64)).sum()),
    )
    return facts, flat[::stride].astype(np.float32)


def main():
    described, tensors = [], {}
    for m in MODELS:
        table = parameter_table(m)
        params = {
            name: common.unit(i, shape) * np.float32(scale) + np.float32(offset)
            for i, (name, shape, scale, offset) in enumerate(table)
        }
        shape = (m["batch"], m["context"])
        tokens = common.integers(1000, shape, m["vocabulary"])
        labels = common.integers(1001, shape, m["vocabulary"])
        step = jax.jit(jax.value_and_grad(lambda p: loss(p, tokens, labels, m)))
        forward = jax.jit(lambda p: logits(p, tokens, m))
        wide = {k: jnp.asarray(v, jnp.float64) for k, v in params.items()}
        value, grads = step(wide)
        value32, grads32 = step(params)
        assert value32.dtype == jnp.float32 and value.dtype == jnp.float64

        entries, worst = [], 0.0
        for i, (name, shape, scale, offset) in enumerate(table):
            facts, picked = summary(grads[name], 2000 + i, m["samples"])
            difference = float(np.abs(np.asarray(grads32[name], np.float64) - grads[name]).max() / facts["max_abs"])
            worst = max(worst, difference)
            entries.append(dict(name=name, index=i, shape=shape, scale=scale, offset=offset, **facts, jax_f32_error=difference))
            tensors[f"{m['name']}/grad/{name}"] = picked
        facts, picked = summary(forward(wide), 3000, m["samples"])
        tensors[f"{m['name']}/logits"] = picked
        described.append(
            dict(
                **{k: m[k] for k in ("name", "layers", "width", "heads", "context", "vocabulary", "batch")},
                loss=float(value),
                loss_jax_f32=float(value32),
                logits=dict(shape=[m["batch"], m["context"], m["vocabulary"]], **facts),
                parameters=entries,
            )
        )
        print(f"{m['name']}: loss {float(value):.6f}, JAX f32 gradients off by at most {worst:.1e}")
    common.save_json("gpt_grads.json", dict(models=described))
    common.save_tensors("gpt_grads.safetensors", tensors)


if __name__ == "__main__":
    main()

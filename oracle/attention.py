"""Attention and its gradients in every variant, by the plain formula in f64, and how far JAX's own f32 is from it.

Writes `attention.{json,safetensors}`. For query i and key j of a head, with G groups of H / G heads,

    s = scale q_i . k_j ;  s = softcap tanh(s / softcap) ;  s = s + bias_ij ;  s = hidden where the pair is hidden
    p = exp(s) / (sum over j of exp(s) + exp(sink)) ;  o_i = sum over j of p_j multiplier_ij v_j

and the gradients are those of sum(o * ct). A row that sees nothing, where hidden is -inf, is 0.

The JSON lists the variants: extents, options and which operands there are, with their shapes. Operands are not stored:
`operand(stream, shape) = unit(stream, shape) * 4` (see common.py), rounded to the element type, with the streams of `STREAMS`; masks, lengths,
segments and multipliers are by the formulas below, which the test repeats. Of each result the file holds the elements 0, s,
2s, ... of the flat array ("stride", coprime to every extent). "jax_f32" and "jax_bf16" are root mean squares over these elements of what the same
formula gives in JAX in that type, jitted, less the truth for the operands so rounded, over the root mean square of the truth.
"""

import math

import common
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

STREAMS = dict(q=50, k=51, v=52, ct=53, bias=54, sinks=55)
B, T, S, H, G, D = 2, 37, 70, 4, 2, 8
JAX_HIDDEN = -0.7 * float(np.finfo(np.float32).max)


def variant(name, **options):
    """Extents and options; what is not said has its default."""
    base = dict(batch=B, queries=T, keys=S, heads=H, groups=G, width=D, value_width=D, scale=1 / math.sqrt(D))
    base.update(causal=False, before=None, after=None, offset=None, lengths=None, segments=False, mask=None, bias=None)
    base.update(sinks=None, softcap=None, multiplier=None, hidden=None)
    unknown = set(options) - set(base)
    assert not unknown, unknown
    base.update(options)
    return dict(name=name, **base)


def wide(name, **options):
    return variant(name, **(dict(queries=128, keys=192, heads=2, groups=1, width=64, value_width=64, scale=1 / 8) | options))


PAIRS = [B, H, T, S]
# Of results of so many elements at most, every stride-th is looked at.
STRIDES = [(400, 1), (4000, 11), (24000, 41), (math.inf, 101)]
VARIANTS = [
    variant("full"),
    variant("one group", groups=1),
    variant("as many groups as heads", groups=4),
    variant("one sequence, one head", batch=1, heads=1, groups=1, queries=150, keys=200),
    variant("values wider than keys", value_width=13),
    variant("values narrower than keys", width=12, value_width=5),
    variant("causal", causal=True, queries=S),
    variant("causal, offsets", causal=True, offset=[33, 4]),
    variant("causal, the first see nothing", causal=True, offset=[-3, 10], hidden=-math.inf),
    variant("window", before=9, after=4, queries=S),
    variant("causal window", causal=True, before=12, queries=S),
    variant("window that some are out of", before=3, after=2, offset=[40, 60], hidden=-math.inf),
    variant("lengths", lengths=[70, 23]),
    variant("lengths, one of none", lengths=[0, 65]),
    variant("segments", segments=True),
    variant("segments, causal", segments=True, causal=True, queries=S),
    variant("mask of each pair", mask=PAIRS),
    variant("mask of queries and keys", mask=[1, 1, T, S]),
    variant("mask of keys", mask=[B, 1, 1, S]),
    variant("mask that blinds rows, -inf", mask=[B, 1, T, 1], hidden=-math.inf),
    variant("mask that blinds rows, finite", mask=[B, 1, T, 1], hidden=-1e9),
    variant("hidden scores of consequence", mask=PAIRS, hidden=-1.5),
    variant("bias of each pair", bias=PAIRS),
    # A bias that is the same for all keys of a query changes nothing, unless there is a sink.
    variant("bias of heads", bias=[1, H, 1, 1], sinks=[1, H]),
    variant("bias of heads, queries, keys", bias=[1, H, T, S]),
    variant("bias of sequences and keys", bias=[B, 1, 1, S]),
    variant("bias of queries and keys", bias=[1, 1, T, S]),
    variant("bias of queries", bias=[B, 1, T, 1], sinks=[1, H]),
    variant("bias of all", bias=[1, 1, 1, 1], sinks=[1, H]),
    variant("bias of heads and keys, causal", bias=[1, H, 1, S], causal=True, queries=S),
    variant("sinks of heads", sinks=[1, H]),
    variant("sinks of sequences and heads", sinks=[B, H]),
    variant("one sink", sinks=[1, 1], causal=True, queries=S),
    variant("sinks, nothing else seen", sinks=[1, H], mask=[B, 1, T, 1], hidden=-math.inf),
    variant("softcap", softcap=1.25),
    variant("softcap, causal, window", softcap=2.0, causal=True, before=20, queries=S),
    variant("multiplier of each pair", multiplier=PAIRS),
    variant("multiplier of queries and keys, causal", multiplier=[1, 1, S, S], causal=True, queries=S),
    variant("large scores", scale=40.0),
    variant(
        "all of it",
        causal=True, before=40, offset=[30, 3], lengths=[66, 50], segments=True, mask=[1, H, T, S], bias=[1, H, T, S],
        sinks=[B, H], softcap=1.5, multiplier=[B, 1, T, S], value_width=11,
    ),
    # Of the widths of models: sums as long as theirs.
    wide("wide, full"),
    wide("wide, causal", causal=True, queries=192),
    wide("wide, causal window", causal=True, before=64, queries=192),
    wide("wide, lengths", lengths=[192, 100]),
    wide("wide, mask of each pair", mask=[B, 2, 128, 192]),
    wide("wide, bias of heads, queries, keys", bias=[1, 2, 128, 192]),
    wide("wide, softcap, causal", softcap=30.0, causal=True, queries=192),
    wide("wide, sinks", sinks=[1, 2]),
    wide("wide, multiplier of each pair", multiplier=[B, 2, 128, 192]),
]  # fmt: skip


def operand(stream, shape):
    return common.unit(stream, shape).astype(np.float64) * 4


def shapes(x):
    b, t, s, h, g, d, e = (x[n] for n in ("batch", "queries", "keys", "heads", "groups", "width", "value_width"))
    all = dict(q=[b, t, h, d], k=[b, s, g, d], v=[b, s, g, e], ct=[b, t, h, e], bias=x["bias"], sinks=x["sinks"])
    return {name: shape for name, shape in all.items() if shape is not None}


def mask(shape):
    """Two thirds of the pairs; where a mask repeats along keys, of the queries."""
    return common.bits(60, math.prod(shape)).reshape(shape) % np.uint64(3) != 0


def multiplier(shape):
    return (common.bits(61, math.prod(shape)).reshape(shape) % np.uint64(4) != 0) / 0.75


def segments(count):
    """Runs of 16."""
    return np.arange(count) // 16


def visible(x):
    """Truth values [B,H,T,S]."""
    b, t, s = x["batch"], x["queries"], x["keys"]
    offset = np.array(x["offset"] or [0] * b)[:, None, None, None]
    i, j = np.arange(t)[:, None], np.arange(s)[None, :]
    seen = np.ones((b, x["heads"], t, s), bool)
    distance = j - i - offset
    if x["causal"] or x["after"] is not None:
        seen &= distance <= (0 if x["causal"] else x["after"])
    if x["before"] is not None:
        seen &= distance >= -x["before"]
    if x["lengths"] is not None:
        seen &= j < np.array(x["lengths"])[:, None, None, None]
    if x["segments"]:
        seen &= segments(t)[:, None] == segments(s)[None, :]
    if x["mask"] is not None:
        seen &= mask(x["mask"])
    return seen


def plain(x, a):
    """The formula over the operands `a`, in their type; scores of narrow types in f32."""
    dtype = a["q"].dtype
    wide = jnp.promote_types(dtype, jnp.float32)
    per_group = x["heads"] // x["groups"]
    k, v = (jnp.repeat(a[n], per_group, axis=2) for n in "kv")
    s = jnp.einsum("bthd,bshd->bhts", a["q"], k, preferred_element_type=wide) * jnp.asarray(x["scale"], wide)
    if x["softcap"] is not None:
        s = jnp.tanh(s / x["softcap"]) * x["softcap"]
    if "bias" in a:
        s = s + a["bias"].astype(wide)
    seen = visible(x)
    hidden = JAX_HIDDEN if x["hidden"] is None else x["hidden"]
    s = jnp.where(seen, s, hidden) if not seen.all() else s
    m = s.max(-1, keepdims=True)
    if "sinks" in a:
        sinks = jnp.broadcast_to(a["sinks"].astype(wide), s.shape[:2])[:, :, None, None]
        m = jnp.maximum(m, sinks)
    m = jax.lax.stop_gradient(jnp.where(jnp.isinf(m), 0, m))
    p = jnp.exp(s - m)
    total = p.sum(-1, keepdims=True)
    if "sinks" in a:
        total = total + jnp.exp(sinks - m)
    p = p / jnp.where(total == 0, 1, total)
    if x["multiplier"] is not None:
        p = p * multiplier(x["multiplier"]).astype(wide)
    return jnp.einsum("bhts,bshe->bthe", p.astype(dtype), v)


def results(x, a, dtype):
    a = {name: jnp.asarray(value, dtype) for name, value in a.items()}
    ct = a.pop("ct")

    def both(a):
        o, pull = jax.vjp(lambda a: plain(x, a), a)
        return o, pull(ct)[0]

    o, slopes = jax.jit(both)(a)
    found = dict(o=o, **{f"d{name}": slope for name, slope in slopes.items()})
    return {name: np.asarray(value).astype(np.float64) for name, value in found.items()}


def sampled(value, stride):
    return value.reshape(-1)[::stride]


def main():
    described, tensors = [], {}
    for number, x in enumerate(VARIANTS):
        a = {name: operand(STREAMS[name], shape) for name, shape in shapes(x).items()}
        entry = dict(x)
        if x["hidden"] is not None and math.isinf(x["hidden"]):
            entry["hidden"] = "-inf"
        truths = results(x, a, jnp.float64)
        entry["results"] = {}
        for name, truth in truths.items():
            stride = next(stride for most, stride in STRIDES if truth.size <= most)
            tensors[f"{number}/{name}"] = sampled(truth, stride)
            entry["results"][name] = dict(stride=stride)
        for label, dtype in [("jax_f32", jnp.float32), ("jax_bf16", jnp.bfloat16)]:
            rounded = {name: np.asarray(jnp.asarray(value, dtype), np.float64) for name, value in a.items()}
            exact = truths if dtype == jnp.float32 else results(x, rounded, jnp.float64)
            found = results(x, a, dtype)
            for name, value in exact.items():
                stride = entry["results"][name]["stride"]
                off, size = (np.sqrt(np.mean(sampled(y, stride) ** 2)) for y in (found[name] - value, value))
                entry["results"][name][label] = float(off / size)
                if label == "jax_bf16":
                    tensors[f"{number}/{name}/bf16"] = sampled(value, stride).astype(np.float32)
        described.append(entry)
    common.save_json("attention.json", dict(jax=jax.__version__, variants=described))
    common.save_tensors("attention.safetensors", tensors)


if __name__ == "__main__":
    main()

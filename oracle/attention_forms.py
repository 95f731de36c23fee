"""Attention as people write it in JAX, Flax and NumPy's manner, and as PyTorch decomposes its own, lowered to StableHLO, and programs that only
look like it.

Writes `attention/forms.mlir`, every program under a line `// form: NAME | WHAT`, and `attention/forms.safetensors` with
`NAME/in/I`, `NAME/out/I` and, for what is differentiated, `NAME/grad/I`: the gradient of `sum(out * w)` in input `I`, where
`w` is `NAME/w`. `WHAT` says which attentions a program becomes, one after another: their operands and attributes, in the
words of `crates/testing/tests/attention_forms.rs`; it is `-` for a near miss, which stays as it is.

Goldens are computed in f64 where the program is in f32, so that they are closer to the truth than what is compared.
"""

import common
import flax.linen as linen
import flax.nnx as nnx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

B, T, S, H, G, D, E = 2, 5, 6, 4, 2, 3, 7
FORMS = []
STREAM = [9000]


def floats(*shape, dtype=np.float32, scale=2.0):
    STREAM[0] += 1
    return np.asarray(common.unit(STREAM[0], shape) * np.float32(scale)).astype(dtype)


def bools(*shape, full=False):
    STREAM[0] += 1
    x = common.integers(STREAM[0], shape, 3) > 0
    if not full:
        x[..., 0] = True
    return x


def form(name, what, *args):
    """The function below under this name, with these arguments."""

    def add(f):
        FORMS.append((name, what, f, args))
        return f

    return add


def near(name, *args):
    return form(name, "-", *args)


def qkv(t=T, s=T, h=H, g=None, d=D, e=None, b=B, dtype=np.float32):
    g, e = g or h, e or d
    return floats(b, t, h, d, dtype=dtype), floats(b, s, g, d, dtype=dtype), floats(b, s, g, e, dtype=dtype)


def heads_first(t=T, s=T, h=H, d=D, b=B):
    return floats(b, h, t, d), floats(b, h, s, d), floats(b, h, s, d)


def flat_heads(t=T, s=T, n=B * H, d=D):
    return floats(n, t, d), floats(n, s, d), floats(n, s, d)


dpa = jax.nn.dot_product_attention
softmax = jax.nn.softmax
NEG = float(np.finfo(np.float32).min)


def scores(q, k, scale=0.5):
    return jnp.einsum("bthd,bshd->bhts", q, k) * scale


def mix(p, v):
    return jnp.einsum("bhts,bshe->bthe", p, v)


def plain(q, k, v):
    return mix(softmax(scores(q, k), -1), v)


# JAX's own function.
form("jax_plain", "full", *qkv())(lambda q, k, v: dpa(q, k, v))
form("jax_cross", "full", *qkv(s=S))(lambda q, k, v: dpa(q, k, v))
form("jax_scale", "full", *qkv())(lambda q, k, v: dpa(q, k, v, scale=0.3))
form("jax_causal", "causal", *qkv())(lambda q, k, v: dpa(q, k, v, is_causal=True))
form("jax_causal_cross", "causal", *qkv(s=S))(lambda q, k, v: dpa(q, k, v, is_causal=True))
form("jax_causal_more_queries", "causal", *qkv(t=S, s=T))(lambda q, k, v: dpa(q, k, v, is_causal=True))
form("jax_grouped", "groups=2", *qkv(g=G))(lambda q, k, v: dpa(q, k, v))
form("jax_grouped_causal", "causal groups=2", *qkv(g=G))(lambda q, k, v: dpa(q, k, v, is_causal=True))
form("jax_multi_query", "causal", *qkv(g=1))(lambda q, k, v: dpa(q, k, v, is_causal=True))
form("jax_mask", "mask", *qkv(s=S), bools(B, H, T, S))(lambda q, k, v, m: dpa(q, k, v, mask=m))
form("jax_mask_of_all_heads", "mask", *qkv(s=S), bools(B, 1, T, S))(lambda q, k, v, m: dpa(q, k, v, mask=m))
form("jax_mask_blind_rows", "mask", *qkv(s=S), bools(B, 1, T, S, full=True) & (np.arange(T) != 2)[:, None])(
    lambda q, k, v, m: dpa(q, k, v, mask=m)
)
form("jax_mask_causal", "causal mask", *qkv(), bools(1, 1, T, T))(lambda q, k, v, m: dpa(q, k, v, mask=m, is_causal=True))
form("jax_bias", "bias nan", *qkv(s=S), floats(1, H, T, S))(lambda q, k, v, b: dpa(q, k, v, bias=b))
form("jax_bias_full", "bias nan", *qkv(s=S), floats(B, H, T, S))(lambda q, k, v, b: dpa(q, k, v, bias=b))
form("jax_bias_causal", "causal bias nan", *qkv(), floats(1, H, T, T))(lambda q, k, v, b: dpa(q, k, v, bias=b, is_causal=True))
form("jax_window", "before=2 after=1", *qkv(t=S, s=S))(lambda q, k, v: dpa(q, k, v, local_window_size=(2, 1)))
form("jax_window_wide", "before=3 after=3", *qkv(t=S, s=S))(lambda q, k, v: dpa(q, k, v, local_window_size=3))
form("jax_window_causal", "before=2 after=0", *qkv(t=S, s=S))(
    lambda q, k, v: dpa(q, k, v, local_window_size=(2, 0), is_causal=True)
)
form("jax_lengths", "lengths", *qkv(s=S), np.int32([3, 5]))(lambda q, k, v, n: dpa(q, k, v, key_value_seq_lengths=n))
form("jax_lengths_both", "lengths mask", *qkv(s=S), np.int32([3, 5]), np.int32([4, 2]))(
    lambda q, k, v, n, m: dpa(q, k, v, key_value_seq_lengths=n, query_seq_lengths=m)
)
form("jax_lengths_causal", "causal lengths", *qkv(), np.int32([3, 5]))(
    lambda q, k, v, n: dpa(q, k, v, key_value_seq_lengths=n, is_causal=True)
)
form("jax_all", "before=2 after=0 lengths mask bias groups=2 nan", *qkv(g=G), np.int32([3, 5]), bools(B, 1, T, T), floats(1, H, T, T))(
    lambda q, k, v, n, m, b: dpa(q, k, v, bias=b, mask=m, key_value_seq_lengths=n, is_causal=True, local_window_size=(2, 0))
)
form("jax_bf16", "causal", *qkv(dtype=jnp.bfloat16))(lambda q, k, v: dpa(q, k, v, is_causal=True))
form("f16", "full", *qkv(s=S, dtype=np.float16))(lambda q, k, v: plain(q, k, v))
form("jax_bf16_grouped_mask", "mask groups=2", *qkv(g=G, dtype=jnp.bfloat16), bools(B, 1, T, T))(lambda q, k, v, m: dpa(q, k, v, mask=m))
form("jax_unbatched", "causal", floats(T, H, D), floats(T, H, D), floats(T, H, D))(lambda q, k, v: dpa(q, k, v, is_causal=True))
form("jax_vmapped", "causal", floats(3, B, T, H, D), floats(3, B, T, H, D), floats(3, B, T, H, D))(
    jax.vmap(lambda q, k, v: dpa(q, k, v, is_causal=True))
)
form("jax_vmapped_queries", "groups=4", floats(3, T, H, D), floats(T, H, D), floats(T, H, D))(
    jax.vmap(lambda q, k, v: dpa(q, k, v), in_axes=(0, None, None))
)
form("jax_jitted_twice", "causal; causal", *qkv())(
    lambda q, k, v: jax.jit(lambda q: dpa(q, k, v, is_causal=True))(jax.jit(lambda q: dpa(q, k, v, is_causal=True))(q))
)

# Flax.
form("nnx_plain", "full", *qkv(s=S))(lambda q, k, v: nnx.dot_product_attention(q, k, v))
form("nnx_mask", "mask", *qkv(s=S), bools(B, H, T, S))(lambda q, k, v, m: nnx.dot_product_attention(q, k, v, mask=m))
form("nnx_bias", "bias nan", *qkv(s=S), floats(B, H, T, S))(lambda q, k, v, b: nnx.dot_product_attention(q, k, v, bias=b))
form("nnx_bias_mask", "mask bias nan", *qkv(s=S), floats(B, H, T, S), bools(B, 1, T, S))(
    lambda q, k, v, b, m: nnx.dot_product_attention(q, k, v, bias=b, mask=m)
)
form("linen_plain", "full", *qkv(s=S))(lambda q, k, v: linen.dot_product_attention(q, k, v))
form("linen_causal", "causal", *qkv())(
    lambda q, k, v: linen.dot_product_attention(q, k, v, mask=linen.make_causal_mask(jnp.ones((B, T))))
)
form("linen_causal_and_padding", "causal mask", *qkv(), np.int32([[3, 4, 0, 0, 2], [1, 2, 3, 4, 5]]))(
    lambda q, k, v, x: linen.dot_product_attention(
        q, k, v, mask=linen.combine_masks(linen.make_causal_mask(x), linen.make_attention_mask(x > 0, x > 0))
    )
)
form("linen_mask_as_bias", "mask", *qkv(s=S), bools(B, 1, T, S))(
    lambda q, k, v, m: linen.dot_product_attention(q, k, v, bias=lax.select(m, jnp.zeros(m.shape), jnp.full(m.shape, NEG)))
)
form("linen_dropout", "multiplier", *qkv(s=S), np.uint32([1, 2]))(
    lambda q, k, v, r: linen.dot_product_attention(q, k, v, dropout_rng=r, dropout_rate=0.25, deterministic=False)
)
form("linen_dropout_of_all_heads", "multiplier", *qkv(s=S), np.uint32([3, 2]))(
    lambda q, k, v, r: linen.dot_product_attention(
        q, k, v, dropout_rng=r, dropout_rate=0.25, deterministic=False, broadcast_dropout=False
    )
)
form("linen_bf16", "full", *qkv(s=S, dtype=jnp.bfloat16))(lambda q, k, v: linen.dot_product_attention(q, k, v))
form("linen_bf16_softmax_f32", "full", *qkv(s=S, dtype=jnp.bfloat16))(
    lambda q, k, v: linen.dot_product_attention(q, k, v, force_fp32_for_softmax=True)
)


def multi_head(x, wq, wk, wv, wo):
    heads = lambda w: jnp.einsum("btm,mhd->bthd", x, w)
    return jnp.einsum("bthd,hdm->btm", dpa(heads(wq), heads(wk), heads(wv), is_causal=True), wo)


form("block", "causal", floats(B, T, 8), floats(8, H, D), floats(8, H, D), floats(8, H, D), floats(H, D, 8))(multi_head)

# Layouts and orders of products.
form("bthd", "full", *qkv(s=S))(plain)
form("value_width", "full", *qkv(s=S, e=E))(plain)
form("bhtd", "full", *heads_first(s=S))(
    lambda q, k, v: jnp.einsum("bhts,bhsd->bhtd", softmax(jnp.einsum("bhtd,bhsd->bhts", q, k) * 0.5, -1), v)
)
form("bhtd_matmul", "full", *heads_first(s=S))(
    lambda q, k, v: softmax(q @ jnp.swapaxes(k, -1, -2) / np.sqrt(D), axis=-1) @ v
)
form("bhtd_causal", "causal", *heads_first())(
    lambda q, k, v: softmax(jnp.where(jnp.tril(jnp.ones((T, T), bool)), q @ jnp.swapaxes(k, -1, -2), -jnp.inf)) @ v
)
form("flat_heads", "full", *flat_heads(s=S))(lambda q, k, v: softmax(q @ k.swapaxes(1, 2)) @ v)
form("one_head", "causal", floats(T, D), floats(T, D), floats(T, D))(
    lambda q, k, v: softmax(jnp.where(jnp.tri(T, dtype=bool), q @ k.T / jnp.sqrt(D), -jnp.inf)) @ v
)
form("two_heads_axes", "full", floats(2, 3, B, T, D), floats(2, 3, B, S, D), floats(2, 3, B, S, D))(
    lambda q, k, v: softmax(q @ jnp.swapaxes(k, -1, -2)) @ v
)
form("keys_transposed", "full", floats(B, H, T, D), floats(B, H, D, S), floats(B, H, S, D))(lambda q, k, v: softmax(q @ k) @ v)
form("keys_first", "full", *qkv(s=S))(lambda q, k, v: mix(softmax(jnp.einsum("bshd,bthd->bhts", k, q), -1), v))
form("scores_transposed", "full", *qkv(s=S))(
    lambda q, k, v: jnp.einsum("bhst,bshe->bthe", softmax(jnp.einsum("bshd,bthd->bhst", k, q), 2), v)
)
form("scores_heads_last", "full", *qkv(s=S))(
    lambda q, k, v: jnp.einsum("btsh,bshe->bthe", softmax(jnp.einsum("bthd,bshd->btsh", q, k), 2), v)
)
form("values_first", "full", *qkv(s=S))(lambda q, k, v: jnp.einsum("bshe,bhts->bhte", v, softmax(scores(q, k), -1)))
form("output_heads_first", "full", *qkv(s=S))(lambda q, k, v: jnp.einsum("bhts,bshe->ebht", softmax(scores(q, k), -1), v))
form("merged_width", "full", floats(B, T, H * D), floats(B, S, H * D), floats(B, S, H * D))(
    lambda q, k, v: plain(q.reshape(B, T, H, D), k.reshape(B, S, H, D), v.reshape(B, S, H, D)).reshape(B, T, H * D)
)
form("split_merged", "causal", floats(B, T, 3 * H * D))(
    lambda x: dpa(*(y.reshape(B, T, H, D) for y in jnp.split(x, 3, -1)), is_causal=True).reshape(B, T, H * D)
)
form("two_axes_of_positions", "groups=4", floats(B, 2, 3, H, D), floats(B, 2, 3, H, D), floats(B, 2, 3, H, D))(
    lambda q, k, v: jnp.einsum(
        "bhxyuv,buvhe->bxyhe",
        softmax(jnp.einsum("bxyhd,buvhd->bhxyuv", q, k).reshape(B, H, 2, 3, 6), -1).reshape(B, H, 2, 3, 2, 3),
        v,
    )
)
form("one_query", "full", *qkv(t=1, s=S))(plain)
form("one_query_lengths", "lengths", *qkv(t=1, s=S), np.int32([3, 5]))(
    lambda q, k, v, n: mix(softmax(jnp.where(jnp.arange(S) < n[:, None, None, None], scores(q, k), NEG), -1), v)
)
form("two_widths", "full", floats(B, T, H, 2, D), floats(B, S, H, 2, D), floats(B, S, H, E))(
    lambda q, k, v: mix(softmax(jnp.einsum("bthxd,bshxd->bhts", q, k), -1), v)
)
form("latent", "full", floats(B, T, H, D), floats(B, S, D))(
    lambda q, c: jnp.einsum("bhts,bsd->bthd", softmax(jnp.einsum("bthd,bsd->bhts", q, c), -1), c)
)

# Groups.
form("repeat_keys", "groups=2", *qkv(s=S, g=G))(
    lambda q, k, v: plain(q, jnp.repeat(k, H // G, 2), jnp.repeat(v, H // G, 2))
)
form("broadcast_keys", "causal", floats(B, H, T, D), floats(B, G, T, D), floats(B, G, T, D))(
    lambda q, k, v: softmax(
        jnp.where(
            jnp.tri(T, dtype=bool),
            q @ jnp.swapaxes(jnp.broadcast_to(k[:, :, None], (B, G, 2, T, D)).reshape(B, H, T, D), -1, -2),
            NEG,
        )
    )
    @ jnp.broadcast_to(v[:, :, None], (B, G, 2, T, D)).reshape(B, H, T, D)
)
form("grouped_queries", "groups=2", floats(B, T, G, 3, D), floats(B, S, G, D), floats(B, S, G, D))(
    lambda q, k, v: jnp.einsum("bgrts,bsge->btgre", softmax(jnp.einsum("btgrd,bsgd->bgrts", q, k), -1), v)
)
form("multi_query", "full", floats(B, T, H, D), floats(B, S, D), floats(B, S, D))(
    lambda q, k, v: jnp.einsum("bhts,bse->bthe", softmax(jnp.einsum("bthd,bsd->bhts", q, k), -1), v)
)
form("multi_query_causal", "causal", floats(B, T, H, D), floats(B, T, D), floats(B, T, D))(
    lambda q, k, v: jnp.einsum(
        "bhts,bse->bthe", softmax(jnp.where(jnp.tri(T, dtype=bool), jnp.einsum("bthd,bsd->bhts", q, k), NEG), -1), v
    )
)

# Scales.
form("scale_on_queries", "full", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q / np.sqrt(D), k, 1), -1), v))
form("scale_on_keys", "full", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k * D**-0.5, 1), -1), v))
form("scale_divides", "full", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k, 1) / jnp.sqrt(jnp.float32(D)), -1), v))
form("scale_rsqrt", "full", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k, 1) * lax.rsqrt(jnp.float32(D)), -1), v))
form("scale_of_both", "full", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q * D**-0.25, k * D**-0.25, 1), -1), v))
form("scale_twice", "full", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k, 1) * 0.5 / 1.5, -1), v))
form("scale_negative", "full", *qkv(s=S))(lambda q, k, v: mix(softmax(-scores(q, k), -1), v))

# Softmax.
form("softmax_by_hand", "full", *qkv(s=S))(
    lambda q, k, v: (lambda s: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.exp(s - lax.stop_gradient(s.max(-1, keepdims=True)))))(
        scores(q, k)
    )
)
form("softmax_unshifted", "full", *qkv(s=S))(
    lambda q, k, v: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.exp(scores(q, k)))
)
form("softmax_of_all_maxima", "full", *qkv(s=S))(
    lambda q, k, v: (lambda s: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.exp(s - lax.stop_gradient(s.max()))))(scores(q, k))
)
form("softmax_reciprocal", "full", *qkv(s=S))(
    lambda q, k, v: (lambda e: mix(e * (1.0 / e.sum(-1, keepdims=True)), v))(jnp.exp(scores(q, k)))
)
form("softmax_base_two", "full", *qkv(s=S))(lambda q, k, v: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.exp2(scores(q, k))))
form("softmax_late_division", "full", *qkv(s=S))(
    lambda q, k, v: (lambda e: mix(e, v) / jnp.einsum("bhts->bth", e)[..., None])(jnp.exp(scores(q, k)))
)
form("softmax_where", "mask", *qkv(s=S), bools(B, H, T, S))(lambda q, k, v, m: mix(softmax(scores(q, k), -1, where=m), v))
form("softmax_guarded", "mask", *qkv(s=S), bools(B, H, T, S, full=True) & (np.arange(T) != 2)[:, None])(
    lambda q, k, v, m: (
        lambda s: (lambda e: (lambda z: mix(e / jnp.where(z == 0, 1.0, z), v))(e.sum(-1, keepdims=True)))(
            jnp.exp(s - lax.stop_gradient((lambda x: jnp.where(jnp.isfinite(x), x, 0.0))(s.max(-1, keepdims=True))))
        )
    )(jnp.where(m, scores(q, k), -jnp.inf))
)
form("softmax_mask_behind_exp", "mask nan", *qkv(s=S), bools(B, H, T, S))(
    lambda q, k, v, m: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.where(m, jnp.exp(scores(q, k)), 0.0))
)
form("softmax_f32_of_bf16", "full", *qkv(s=S, dtype=jnp.bfloat16))(
    lambda q, k, v: mix(softmax(scores(q, k, 1).astype(jnp.float32) * 0.5, -1).astype(jnp.bfloat16), v)
)
form("softmax_bf16", "full", *qkv(s=S, dtype=jnp.bfloat16))(lambda q, k, v: mix(softmax(scores(q, k), -1), v))
form("softmax_barrier", "full", *qkv(s=S))(lambda q, k, v: mix(lax.optimization_barrier(softmax(lax.optimization_barrier(scores(q, k)), -1)), v))
form("weights_scaled", "full", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k), -1) * 0.25, v))

# Masks.
K0, V0 = floats(B, S, H, D), floats(B, S, H, D)
cap = lambda s, c=1.5: c * jnp.tanh(s / c)
tri = lambda t=T, s=T, k=0: jnp.tri(t, s, k, dtype=bool)
masked = lambda m, s, x=NEG: jnp.where(m, s, x)
form("causal_iota", "causal", *qkv())(
    lambda q, k, v: mix(softmax(masked(jnp.arange(T)[:, None] >= jnp.arange(T)[None], scores(q, k)), -1), v)
)
form("causal_iota_reversed", "causal", *qkv())(
    lambda q, k, v: mix(softmax(jnp.where(jnp.arange(T)[None] > jnp.arange(T)[:, None], -jnp.inf, scores(q, k)), -1), v)
)
form("causal_constant", "causal", *qkv())(lambda q, k, v: mix(softmax(masked(np.tri(T, dtype=bool), scores(q, k)), -1), v))
form("causal_triu", "causal", *qkv())(
    lambda q, k, v: mix(softmax(masked(~jnp.triu(jnp.ones((T, T), bool), 1), scores(q, k)), -1), v)
)
form("causal_float_tril", "causal", *qkv())(
    lambda q, k, v: mix(softmax(jnp.where(jnp.tril(jnp.ones((T, T))) == 0, NEG, scores(q, k)), -1), v)
)
form("causal_added", "causal", *qkv())(
    lambda q, k, v: mix(softmax(scores(q, k) + jnp.where(tri(), 0.0, -1e9), -1), v)
)
form("causal_added_by_hand", "causal", *qkv())(
    lambda q, k, v: mix(softmax(scores(q, k) + (1.0 - tri().astype(jnp.float32)) * -1e9, -1), v)
)
form("causal_added_infinity", "causal", *qkv())(
    lambda q, k, v: mix(softmax(scores(q, k) + jnp.where(tri(), 0.0, -jnp.inf), -1), v)
)
form("causal_gated", "causal", *qkv())(
    lambda q, k, v: (lambda b: mix(softmax(scores(q, k) * b - 1e10 * (1 - b), -1), v))(tri().astype(jnp.float32))
)
form("causal_aligned_right", "causal offset=1", *qkv(s=S))(lambda q, k, v: mix(softmax(masked(tri(T, S, 1), scores(q, k)), -1), v))
form("causal_strict", "causal offset=-1", *qkv())(lambda q, k, v: mix(softmax(masked(tri(k=-1), scores(q, k)), -1), v))
form("causal_cached", "causal offset=?", *qkv(t=2, s=S), np.int32(3))(
    lambda q, k, v, n: mix(softmax(masked(jnp.arange(S)[None] <= jnp.arange(2)[:, None] + n, scores(q, k)), -1), v)
)
form("causal_cached_each", "causal offset=?", *qkv(t=2, s=S), np.int32([3, 1]))(
    lambda q, k, v, n: mix(
        softmax(masked((jnp.arange(S)[None] <= jnp.arange(2)[:, None] + n[:, None, None])[:, None], scores(q, k)), -1), v
    )
)
form("window_by_distance", "before=2 after=0", *qkv(t=S, s=S))(
    lambda q, k, v: (
        lambda d: mix(softmax(masked((d >= 0) & (d < 3), scores(q, k)), -1), v)
    )(jnp.arange(S)[:, None] - jnp.arange(S)[None])
)
form("window_constant", "before=1 after=1", *qkv(t=S, s=S))(
    lambda q, k, v: mix(softmax(masked(np.abs(np.arange(S)[:, None] - np.arange(S)) <= 1, scores(q, k)), -1), v)
)
form("segments", "segments", *qkv(), np.int32([[0, 0, 1, 1, 1], [0, 1, 1, 2, 2]]))(
    lambda q, k, v, s: mix(softmax(masked((s[:, :, None] == s[:, None])[:, None], scores(q, k)), -1), v)
)
form("segments_causal", "causal segments", *qkv(), np.int32([[0, 0, 1, 1, 1], [0, 1, 1, 2, 2]]))(
    lambda q, k, v, s: mix(softmax(masked((s[:, :, None] == s[:, None])[:, None] & tri(), scores(q, k)), -1), v)
)
form("segments_of_two", "segments", *qkv(s=S), np.int32([[0, 0, 1, 1, 1], [0, 1, 1, 2, 2]]), np.int32([[0, 0, 1, 1, 1, 1], [0, 1, 1, 2, 2, 2]]))(
    lambda q, k, v, s, z: mix(softmax(masked((s[:, :, None] == z[:, None])[:, None], scores(q, k)), -1), v)
)
form("padding", "mask", *qkv(s=S), bools(B, S))(
    lambda q, k, v, m: mix(softmax(masked(m[:, None, None], scores(q, k)), -1), v)
)
form("padding_added_1e9", "bias", *qkv(s=S), bools(B, S, full=True))(
    lambda q, k, v, m: mix(softmax(scores(q, k) + jnp.where(m, 0.0, -1e9)[:, None, None], -1), v)
)
form("padding_of_floats", "bias nan", *qkv(s=S), floats(B, S))(
    lambda q, k, v, m: mix(softmax(scores(q, k) + ((1 - m) * -30.0)[:, None, None], -1), v)
)
form("mask_infinite_blind", "mask nan", *qkv(s=S), bools(B, 1, T, S, full=True) & (np.arange(T) != 2)[:, None])(
    lambda q, k, v, m: mix(softmax(masked(m, scores(q, k), -jnp.inf), -1), v)
)
form("mask_small_number", "mask hidden=-2.5", *qkv(s=S), bools(B, 1, T, S))(
    lambda q, k, v, m: mix(softmax(masked(m, scores(q, k), -2.5), -1), v)
)
form("mask_before_scale", "mask", *qkv(s=S), bools(B, 1, T, S))(
    lambda q, k, v, m: mix(softmax(masked(m, scores(q, k, 1), -1e9) * 0.5, -1), v)
)
form("mask_twice", "causal mask", *qkv(), bools(B, 1, T, T))(
    lambda q, k, v, m: mix(softmax(masked(m, masked(tri(), scores(q, k))), -1), v)
)
form("mask_inverted", "mask", *qkv(s=S), bools(B, 1, T, S))(
    lambda q, k, v, m: mix(softmax(jnp.where(~m, NEG, scores(q, k)), -1), v)
)
form("mask_of_heads", "mask", *qkv(s=S), bools(H, T, S))(lambda q, k, v, m: mix(softmax(masked(m, scores(q, k)), -1), v))
form("mask_alternatives", "mask", *qkv(), bools(B, 1, T, T))(
    lambda q, k, v, m: mix(softmax(masked(m | tri(), scores(q, k)), -1), v)
)
form("prefix", "mask", *qkv())(
    lambda q, k, v: mix(softmax(masked(tri() | (jnp.arange(T) < 2), scores(q, k)), -1), v)
)

# Biases, caps, sinks, multipliers.
form("bias_alibi", "causal bias nan", *qkv())(
    lambda q, k, v: mix(
        softmax(
            masked(tri(), scores(q, k) + jnp.float32([0.5, 0.25, 0.125, 0.0625])[:, None, None] * (jnp.arange(T) - jnp.arange(T)[:, None])),
            -1,
        ),
        v,
    )
)
form("bias_before_scale", "bias nan", *qkv(s=S), floats(H, T, S))(lambda q, k, v, b: mix(softmax((scores(q, k, 1) + b) * 0.5, -1), v))
form("bias_subtracted", "bias nan", *qkv(s=S), floats(H, T, S))(lambda q, k, v, b: mix(softmax(scores(q, k) - b, -1), v))
form("bias_relative", "bias nan", *qkv(s=S), floats(T, S, D))(
    lambda q, k, v, r: mix(softmax((scores(q, k, 1) + jnp.einsum("bthd,tsd->bhts", q, r)) * 0.5, -1), v)
)
form("bias_of_table", "bias nan", *qkv(), floats(2 * T - 1, H))(
    lambda q, k, v, t: mix(
        softmax(scores(q, k) + t[np.arange(T)[:, None] - np.arange(T) + T - 1].transpose(2, 0, 1), -1), v
    )
)
form("bias_of_two", "bias nan", *qkv(s=S), floats(H, T, S), floats(B, 1, 1, S))(
    lambda q, k, v, a, b: mix(softmax(scores(q, k) + a + b, -1), v)
)
form("cap", "cap=1.5", *qkv(s=S))(lambda q, k, v: mix(softmax(cap(scores(q, k)), -1), v))
form("cap_causal", "causal cap=1.5", *qkv())(lambda q, k, v: mix(softmax(masked(tri(), cap(scores(q, k))), -1), v))
form("cap_window_grouped", "before=2 after=0 groups=2 cap=1.5", *qkv(g=G, t=S, s=S))(
    lambda q, k, v: (
        lambda s: jnp.einsum("bgrts,bsge->btgre", softmax(masked(tri(S, S) & ~tri(S, S, -3), cap(s)), -1), v)
    )(jnp.einsum("btgrd,bsgd->bgrts", q.reshape(B, S, G, 2, D), k) * 0.5)
)
form("sinks", "sinks", *qkv(s=S), floats(H))(
    lambda q, k, v, s: mix(
        softmax(jnp.concatenate([scores(q, k), jnp.broadcast_to(s[:, None, None], (B, H, T, 1))], -1), -1)[..., :-1], v
    )
)
form("sinks_first_causal", "causal sinks", *qkv(), floats(H))(
    lambda q, k, v, s: mix(
        softmax(jnp.concatenate([jnp.broadcast_to(s[:, None, None], (B, H, T, 1)), masked(tri(), scores(q, k))], -1), -1)[..., 1:], v
    )
)
form("dropout_select", "multiplier", *qkv(s=S), bools(B, H, T, S))(
    lambda q, k, v, m: mix(jnp.where(m, softmax(scores(q, k), -1) / 0.9, 0.0), v)
)
form("dropout_multiply", "causal multiplier", *qkv(), bools(B, H, T, T))(
    lambda q, k, v, m: mix(softmax(masked(tri(), scores(q, k)), -1) * (m / 0.9), v)
)
form("dropout_drawn", "multiplier", *qkv(s=S), np.uint32([4, 2]))(
    lambda q, k, v, r: mix(softmax(scores(q, k), -1) * jax.random.bernoulli(r, 0.75, (B, H, T, S)) / 0.75, v)
)



# PyTorch: `scaled_dot_product_attention` as it is decomposed for export (2.5 and later), and as its documentation writes it.
def torch_scores(q, k, scale=None):
    """Scores of `[.., L, E]` queries and keys, which are both multiplied by the root of the scale."""
    root = np.float32(scale or q.shape[-1] ** -0.5) ** np.float32(0.5)
    return q * root.astype(q.dtype) @ (jnp.swapaxes(k, -1, -2) * root.astype(k.dtype))


def torch_blind(s):
    return ~jnp.any(~(s == -jnp.inf), -1, keepdims=True)


def torch_softmax(s):
    """`_safe_softmax`: rows in which all scores are minus infinity have weights of zero."""
    return jnp.where(torch_blind(s), 0.0, softmax(s, -1))


def torch_added(mask):
    return jnp.where(mask, jnp.float32(0), jnp.float32(-jnp.inf))


def torch_causal(t=T, s=T):
    """`tril`, as it is decomposed."""
    return (jnp.arange(s, dtype=jnp.int32)[None] - jnp.arange(t, dtype=jnp.int32)[:, None] <= 0) & jnp.full((t, s), True)


def torch_sdpa(q, k, v, mask=None, causal=False, softmax=torch_softmax, dropped=None):
    if causal:
        mask = torch_causal(q.shape[-2], k.shape[-2])
    if k.shape[-3] != q.shape[-3]:
        k, v = jnp.repeat(k, q.shape[-3] // k.shape[-3], -3), jnp.repeat(v, q.shape[-3] // v.shape[-3], -3)
    s = torch_scores(q, k)
    if mask is not None:
        s = s + (torch_added(mask) if mask.dtype == bool else mask)
    p = softmax(s)
    if dropped is not None:
        p = p * (dropped.astype(p.dtype) / 0.75)
    return p @ v


def torch_documented(q, k, v, mask=None, causal=False):
    bias = jnp.zeros((q.shape[-2], k.shape[-2]), q.dtype)
    if causal:
        bias = jnp.where(~jnp.tril(jnp.ones(bias.shape, bool)), -jnp.inf, bias)
    if mask is not None and mask.dtype == bool:
        bias = jnp.where(~mask, -jnp.inf, bias)
    elif mask is not None:
        bias = mask + bias
    if k.shape[-3] != q.shape[-3]:
        k, v = jnp.repeat(k, q.shape[-3] // k.shape[-3], -3), jnp.repeat(v, q.shape[-3] // v.shape[-3], -3)
    return softmax(q @ jnp.swapaxes(k, -1, -2) * q.shape[-1] ** -0.5 + bias, -1) @ v


def torch_heads(x, w, b):
    """The rows of `MultiheadAttention`, `[L, N, M]`, as queries, keys and values `[N H, L, D]`."""
    x = (x @ w.T + b).reshape(T, B, 3, 8)
    x = jnp.squeeze(jnp.moveaxis(x[None], 3, 0), 1)
    return [x[i].reshape(T, B * 2, 4).transpose(1, 0, 2) for i in range(3)]


def torch_packed(mask, x, w, b):
    """`MultiheadAttention` that returns no weights; `mask` of queries and keys."""
    q, k, v = (y.reshape(B, 2, T, 4) for y in torch_heads(x, w, b))
    return torch_sdpa(q, k, v, mask).transpose(2, 0, 1, 3).reshape(T, B, 8)


def torch_baddbmm(x, w, b, mask):
    """`MultiheadAttention` that might return weights: the mask is added as the product is made."""
    q, k, v = torch_heads(x, w, b)
    mask = jnp.broadcast_to(torch_added(mask)[:, None, None], (B, 2, 1, T)).reshape(B * 2, 1, T)
    return (softmax(mask + (q * 0.5) @ k.swapaxes(1, 2), -1) @ v).transpose(1, 0, 2).reshape(T, B, 8)


grouped_heads = lambda: (floats(B, H, T, D), floats(B, G, T, D), floats(B, G, T, D))
projection = lambda: (floats(T, B, 8), floats(24, 8, scale=0.5), floats(24))
blind_row = lambda *shape: bools(*shape, full=True) & (np.arange(T) != 2)[:, None]
form("torch", "full", *heads_first(s=S))(torch_sdpa)
form("torch_causal", "causal", *heads_first(s=S))(lambda q, k, v: torch_sdpa(q, k, v, causal=True))
form("torch_mask", "mask", *heads_first(s=S), blind_row(T, S))(torch_sdpa)
form("torch_mask_of_heads", "mask", *heads_first(s=S), blind_row(B, H, T, S))(torch_sdpa)
form("torch_bias", "bias", *heads_first(s=S), floats(T, S))(torch_sdpa)
form("torch_bias_blind", "bias", *heads_first(s=S), np.where(blind_row(B, 1, T, S), floats(B, 1, T, S), -np.inf).astype(np.float32))(torch_sdpa)
form("torch_grouped", "full", *grouped_heads())(torch_sdpa)
form("torch_grouped_causal", "causal", *grouped_heads())(lambda q, k, v: torch_sdpa(q, k, v, causal=True))
form("torch_dropout", "causal multiplier", *heads_first(), bools(B, H, T, T))(
    lambda q, k, v, m: torch_sdpa(q, k, v, causal=True, dropped=m)
)
form("torch_bf16", "causal", *(x.astype(jnp.bfloat16) for x in heads_first()))(
    lambda q, k, v: torch_sdpa(*(x.astype(jnp.float32) for x in (q, k, v)), causal=True).astype(jnp.bfloat16)
)
form("torch_f16_scores", "causal", *(x.astype(np.float16) for x in heads_first()))(
    lambda q, k, v: torch_sdpa(
        q, k, v.astype(jnp.float32), causal=True, softmax=lambda s: torch_softmax(s.astype(jnp.float32))
    ).astype(np.float16)
)
form("torch_unbatched", "causal", floats(H, T, D), floats(H, T, D), floats(H, T, D))(lambda q, k, v: torch_sdpa(q, k, v, causal=True))
form("torch_blind_by_maximum", "mask", *heads_first(s=S), blind_row(T, S))(
    lambda q, k, v, m: torch_sdpa(
        q, k, v, m, softmax=lambda s: jnp.where(s.max(-1, keepdims=True) == -jnp.inf, 0.0, softmax(s, -1))
    )
)
form("torch_blind_by_all", "mask", *heads_first(s=S), blind_row(T, S))(
    lambda q, k, v, m: torch_sdpa(q, k, v, m, softmax=lambda s: jnp.where(jnp.all(s == -jnp.inf, -1)[..., None], 0.0, softmax(s, -1)))
)
form("torch_documented", "full", *heads_first(s=S))(torch_documented)
form("torch_documented_causal", "causal", *heads_first(s=S))(lambda q, k, v: torch_documented(q, k, v, causal=True))
form("torch_documented_mask", "mask nan", *heads_first(s=S), bools(T, S))(torch_documented)
form("torch_documented_mask_causal", "causal mask nan", *heads_first(), bools(T, T))(
    lambda q, k, v, m: torch_documented(q, k, v, m, causal=True)
)
form("torch_documented_bias", "bias nan", *heads_first(s=S), floats(T, S))(torch_documented)
form("torch_documented_bias_causal", "causal bias nan", *heads_first(), floats(T, T))(
    lambda q, k, v, m: torch_documented(q, k, v, m, causal=True)
)
form("torch_documented_grouped", "causal", *grouped_heads())(lambda q, k, v: torch_documented(q, k, v, causal=True))
form("torch_multihead", "full", *projection())(lambda *args: torch_packed(None, *args))
form("torch_multihead_causal", "causal", *projection())(lambda *args: torch_packed(torch_causal(), *args))
form("torch_multihead_padding", "mask nan", *projection(), bools(B, T))(torch_baddbmm)


# The plain formula's gradient is NaN for all queries where one is blind; ours is for none.
BLIND = ["mask_infinite_blind", "torch_mask", "torch_mask_of_heads", "torch_bias_blind", "torch_blind_by_maximum", "torch_blind_by_all"]

# Training steps: the forward function and its derivative in one program.
STEPS = []


def step(name, what, f, *args):
    """`f`, and the derivative of the sum of the squares of what it gives."""
    STEPS.append(name)
    floating = tuple(i for i, x in enumerate(args) if np.asarray(x).dtype == np.float32)
    total = lambda *args: (lambda o: ((o * o).sum(), o))(f(*args))
    form(name, what, *args)(lambda *args: jax.value_and_grad(total, floating, has_aux=True)(*args))


step("step_jax", "full +grad", lambda q, k, v: dpa(q, k, v), *qkv(s=S))
step("step_jax_causal", "causal +grad", lambda q, k, v: dpa(q, k, v, is_causal=True), *qkv())
step("step_jax_grouped", "causal groups=2 +grad", lambda q, k, v: dpa(q, k, v, is_causal=True), *qkv(g=G))
step("step_jax_mask", "mask +grad", lambda q, k, v, m: dpa(q, k, v, mask=m), *qkv(s=S), bools(B, 1, T, S))
step("step_jax_bias", "bias +grad(bias) nan", lambda q, k, v, b: dpa(q, k, v, bias=b), *qkv(s=S), floats(1, H, T, S))
step("step_jax_bias_full", "bias +grad(bias) nan", lambda q, k, v, b: dpa(q, k, v, bias=b), *qkv(s=S), floats(B, H, T, S))
step("step_linen", "full +grad", lambda q, k, v: linen.dot_product_attention(q, k, v), *qkv(s=S))
step("step_bhtd", "causal +grad", lambda q, k, v: softmax(masked(tri(), q @ jnp.swapaxes(k, -1, -2) * 0.5)) @ v, *heads_first())
step("step_cap", "causal cap=1.5 +grad", lambda q, k, v: mix(softmax(masked(tri(), cap(scores(q, k))), -1), v), *qkv())
step("step_by_hand", "full +grad", lambda q, k, v: (
    lambda s: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.exp(s - lax.stop_gradient(s.max(-1, keepdims=True))))
)(scores(q, k)), *qkv(s=S))
step("step_dropout", "multiplier +grad", lambda q, k, v, m: mix(jnp.where(m, softmax(scores(q, k), -1) / 0.75, 0.0), v), *qkv(s=S), bools(B, H, T, S))
step("step_block", "causal +grad", multi_head, floats(B, T, 8), floats(8, H, D), floats(8, H, D), floats(8, H, D), floats(H, D, 8))
step("step_of_two", "causal +grad; causal +grad", lambda q, k, v: dpa(dpa(q, k, v, is_causal=True), k, v, is_causal=True), *qkv())
step("step_queries_only", "full +grad", lambda q: plain(q, K0, V0), floats(B, T, H, D))


@jax.custom_vjp
def torch_saved(s):
    return torch_softmax(s)


# PyTorch derives a softmax by its result.
torch_saved.defvjp(
    lambda s: (lambda p: (p, p))(torch_softmax(s)),
    lambda p, g: (p * g - p * (p * g).sum(-1, keepdims=True),),
)
step("step_torch", "full +grad", torch_sdpa, *heads_first(s=S))
step("step_torch_causal", "causal +grad", lambda q, k, v: torch_sdpa(q, k, v, causal=True), *heads_first())
step("step_torch_saved", "causal +grad", lambda q, k, v: torch_sdpa(q, k, v, causal=True, softmax=torch_saved), *heads_first())
step("step_torch_saved_dropout", "multiplier +grad", lambda q, k, v, m: torch_sdpa(q, k, v, softmax=torch_saved, dropped=m), *heads_first(s=S), bools(B, H, T, S))
step("step_torch_mask", "mask +grad", lambda q, k, v, m: torch_sdpa(q, k, v, m, softmax=torch_saved), *heads_first(s=S), bools(T, S))
step("step_torch_documented", "causal +grad", lambda q, k, v: torch_documented(q, k, v, causal=True), *heads_first())

# What only looks like it.
near("one_key", *qkv(s=1))(lambda q, k, v: dpa(q, k, v))
near("base_three", *qkv(s=S))(lambda q, k, v: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.float32(3) ** scores(q, k)))
near("softmax_over_queries", *qkv())(lambda q, k, v: mix(softmax(scores(q, k), 2), v))
near("softmax_over_heads", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k), 1), v))
near("softmax_over_all", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k), (2, 3)), v))
near("softmax_over_sequences", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k), 0), v))
near("softmax_twice", *qkv(s=S))(lambda q, k, v: mix(softmax(softmax(scores(q, k), -1), -1), v))
near("log_softmax", *qkv(s=S))(lambda q, k, v: mix(jax.nn.log_softmax(scores(q, k), -1), v))
near("sigmoid", *qkv(s=S))(lambda q, k, v: mix(jax.nn.sigmoid(scores(q, k)), v))
near("relu", *qkv(s=S))(lambda q, k, v: mix(jax.nn.relu(scores(q, k)), v))
near("exp_alone", *qkv(s=S))(lambda q, k, v: mix(jnp.exp(scores(q, k)), v))
near("sum_over_queries", *qkv())(lambda q, k, v: (lambda e: mix(e / e.sum(2, keepdims=True), v))(jnp.exp(scores(q, k))))
near("sum_plus_number", *qkv(s=S))(lambda q, k, v: (lambda e: mix(e / (e.sum(-1, keepdims=True) + 0.5), v))(jnp.exp(scores(q, k))))
near("sum_of_squares", *qkv(s=S))(lambda q, k, v: (lambda e: mix(e / (e * e).sum(-1, keepdims=True), v))(jnp.exp(scores(q, k))))
near("squares", *qkv(s=S))(lambda q, k, v: (lambda e: mix(e * e / e.sum(-1, keepdims=True), v))(jnp.exp(scores(q, k))))
near("mean_for_sum", *qkv(s=S))(lambda q, k, v: (lambda e: mix(e / jnp.sqrt(e.sum(-1, keepdims=True)), v))(jnp.exp(scores(q, k))))
near("largest_for_sum", *qkv(s=S))(lambda q, k, v: (lambda e: mix(e / e.max(-1, keepdims=True), v))(jnp.exp(scores(q, k))))
near("sum_of_others", *qkv(s=S), floats(B, H, T, S))(
    lambda q, k, v, x: (lambda e: mix(e / jnp.exp(x).sum(-1, keepdims=True), v))(jnp.exp(scores(q, k)))
)
near("maximum_of_keys", *qkv())(
    lambda q, k, v: (lambda s: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.exp(s - s.max(2, keepdims=True))))(scores(q, k))
)
near("expm1", *qkv(s=S))(lambda q, k, v: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.expm1(scores(q, k))))
near("entropy", *qkv(s=S))(lambda q, k, v: (lambda p: mix(p * jnp.log(p), v))(softmax(scores(q, k), -1)))
near("weights_returned", *qkv(s=S))(lambda q, k, v: (lambda p: (mix(p, v), p))(softmax(scores(q, k), -1)))
near("scores_returned", *qkv(s=S))(lambda q, k, v: (lambda s: (mix(softmax(s, -1), v), s))(scores(q, k)))
near("products_returned", *qkv(s=S))(lambda q, k, v: (lambda s: (mix(softmax(s * 0.5, -1), v), s))(scores(q, k, 1)))
near("sums_returned", *qkv(s=S))(
    lambda q, k, v: (lambda e: (lambda z: (mix(e / z, v), z))(e.sum(-1, keepdims=True)))(jnp.exp(scores(q, k)))
)
near("maxima_returned", *qkv(s=S))(
    lambda q, k, v: (lambda s: (lambda m: (lambda e: (mix(e / e.sum(-1, keepdims=True), v), m))(jnp.exp(s - m)))(s.max(-1, keepdims=True)))(scores(q, k))
)
near("weights_used_twice", *qkv(s=S), floats(B, S, H, E))(
    lambda q, k, v, w: (lambda p: (mix(p, v), mix(p, w)))(softmax(scores(q, k), -1))
)
near("weights_mean", *qkv(s=S))(lambda q, k, v: (lambda p: (mix(p, v), p.mean(1)))(softmax(scores(q, k), -1)))
near("weights_largest", *qkv(s=S))(lambda q, k, v: (lambda p: (mix(p, v), p.argmax(-1)))(softmax(scores(q, k), -1)))
near("scores_shared", *qkv(s=S))(
    lambda q, k, v: (lambda s: mix(softmax(s, -1), v) + mix(softmax(s * 2, -1), v))(scores(q, k))
)
near("scores_squared", *qkv(s=S))(lambda q, k, v: mix(softmax(jnp.square(scores(q, k)), -1), v))
near("scores_absolute", *qkv(s=S))(lambda q, k, v: mix(softmax(jnp.abs(scores(q, k)), -1), v))
near("scores_clipped", *qkv(s=S))(lambda q, k, v: mix(softmax(jnp.clip(scores(q, k), -1, 1), -1), v))
near("scores_clipped_above", *qkv(s=S))(lambda q, k, v: mix(softmax(jnp.minimum(scores(q, k), 0.5), -1), v))
near("scale_per_key", *qkv(s=S), floats(S))(lambda q, k, v, x: mix(softmax(scores(q, k) * x, -1), v))
near("scale_per_query", *qkv(s=S), floats(T))(lambda q, k, v, x: mix(softmax(scores(q, k) * x[:, None], -1), v))
near("scale_per_head", *qkv(s=S), floats(H))(lambda q, k, v, x: mix(softmax(scores(q, k) * x[:, None, None], -1), v))
near("scale_given", *qkv(s=S), floats())(lambda q, k, v, x: mix(softmax(scores(q, k) * x, -1), v))
near("scale_by_own_norm", *qkv(s=S))(
    lambda q, k, v: (lambda s: mix(softmax(s / jnp.sqrt((s * s).sum(-1, keepdims=True)), -1), v))(scores(q, k))
)
near("scores_plus_row_mean", *qkv(s=S))(
    lambda q, k, v: (lambda s: mix(softmax(s * s.mean(-1, keepdims=True), -1), v))(scores(q, k))
)
near("cap_by_sine", *qkv(s=S))(lambda q, k, v: mix(softmax(jnp.sin(scores(q, k)), -1), v))
near("cap_behind_bias", *qkv(s=S), floats(H, T, S))(lambda q, k, v, b: mix(softmax(cap(scores(q, k) + b), -1), v))
near("cap_behind_mask", *qkv())(lambda q, k, v: mix(softmax(cap(masked(tri(), scores(q, k), -9.0)), -1), v))
near("cap_twice", *qkv(s=S))(lambda q, k, v: mix(softmax(cap(cap(scores(q, k)), 1.0), -1), v))
near("products_of_three", *qkv(s=S), floats(B, H, T, S))(lambda q, k, v, x: mix(softmax(scores(q, k) * x, -1), v))
near("distances", *qkv(s=S))(
    lambda q, k, v: mix(softmax(-jnp.square(q[:, :, None] - k[:, None]).sum(-1).transpose(0, 3, 1, 2), -1), v)
)
near("talking_heads_before", *qkv(s=S), floats(H, H))(
    lambda q, k, v, w: mix(softmax(jnp.einsum("bhts,hg->bgts", scores(q, k), w) * scores(q, k), -1), v)
)
near("talking_heads_behind", *qkv(s=S), floats(H, H))(
    lambda q, k, v, w: mix(jnp.einsum("bhts,hg->bgts", softmax(scores(q, k), -1), w), v)
)
near("weights_times_scores", *qkv(s=S))(lambda q, k, v: (lambda s: mix(softmax(s, -1) * s, v))(scores(q, k)))
near("weights_times_floats", *qkv(s=S), floats(B, H, T, S))(lambda q, k, v, x: mix(softmax(scores(q, k), -1) * x, v))
near("weights_times_gates", *qkv(s=S), floats(B, S))(
    lambda q, k, v, x: mix(softmax(scores(q, k), -1) * jax.nn.sigmoid(x)[:, None, None], v)
)
near("weights_plus_number", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k), -1) + 0.1, v))
near("weights_plus_identity", *qkv())(lambda q, k, v: mix(softmax(scores(q, k), -1) + jnp.eye(T), v))
near("weights_less_mean", *qkv(s=S))(lambda q, k, v: (lambda p: mix(p - p.mean(-1, keepdims=True), v))(softmax(scores(q, k), -1)))
near("weights_normalised_twice", *qkv(s=S), bools(B, H, T, S))(
    lambda q, k, v, m: (lambda p: mix(p / p.sum(-1, keepdims=True), v))(jnp.where(m, softmax(scores(q, k), -1), 0.0))
)
near("weights_squared", *qkv(s=S))(lambda q, k, v: mix(jnp.square(softmax(scores(q, k), -1)), v))
near("weights_cumulated", *qkv(s=S))(lambda q, k, v: mix(jnp.cumsum(softmax(scores(q, k), -1), -1), v))
near("weights_reversed", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k), -1)[..., ::-1], v))
near("weights_rolled", *qkv(s=S))(lambda q, k, v: mix(jnp.roll(softmax(scores(q, k), -1), 1, -1), v))
near("weights_cut", *qkv(s=S))(lambda q, k, v: mix(softmax(scores(q, k), -1)[..., 1:], v[:, 1:]))
near("weights_transposed", *qkv())(lambda q, k, v: jnp.einsum("bhts,bthe->bshe", softmax(scores(q, k), -1), v))
near("weights_summed_over_queries", *qkv(s=S))(lambda q, k, v: jnp.einsum("bhts,bshe->bhe", softmax(scores(q, k), -1), v))
near("weights_summed_over_heads", *qkv(s=S))(lambda q, k, v: jnp.einsum("bhts,bshe->bte", softmax(scores(q, k), -1), v))
near("weights_of_diagonal", *qkv())(lambda q, k, v: jnp.einsum("bhts,bshe->bthse", softmax(scores(q, k), -1), v))
near("no_values", *qkv(s=S))(lambda q, k, v: softmax(scores(q, k), -1).sum(2) + v.sum())
near("no_keys", floats(B, H, T, S), floats(B, S, H, D))(lambda s, v: mix(softmax(s, -1), v))
near("scores_summed", *qkv(s=S))(lambda q, k, v: mix(softmax(jnp.cumsum(scores(q, k), -1), -1), v))
near("two_exponentials", *qkv(s=S))(
    lambda q, k, v: (lambda e, f: mix((e + f) / (e + f).sum(-1, keepdims=True), v))(jnp.exp(scores(q, k)), jnp.exp(scores(k, q).swapaxes(2, 3) * 0.3))
)
near("masks_of_two_numbers", *qkv(s=S), bools(B, 1, T, S), bools(B, 1, T, S))(
    lambda q, k, v, m, n: mix(softmax(masked(m, masked(n, scores(q, k), -3.0), -5.0), -1), v)
)
near("bias_behind_small_mask", *qkv(s=S), bools(B, 1, T, S), floats(H, T, S))(
    lambda q, k, v, m, b: mix(softmax(masked(m, scores(q, k), -3.0) + b, -1), v)
)
near("classifier", floats(B, 8), floats(8, S), floats(S, 3))(lambda x, w, u: jnp.tanh(softmax(x @ w + 1.0, -1) * 2.0 - 1.0) @ u)

# What only looks like PyTorch's softmax of rows that see nothing.
guarded_by = lambda guard, fill=0.0: lambda q, k, v, *m: torch_sdpa(
    q, k, v, *m, softmax=lambda s: jnp.where(guard(s), fill, softmax(s, -1))
)
near("blind_rows_uniform", *heads_first(s=S), bools(T, S))(guarded_by(torch_blind, 1 / S))
near("blind_rows_alone", *heads_first(s=S), bools(T, S))(guarded_by(lambda s: ~torch_blind(s)))
near("blind_where_one_is_hidden", *heads_first(s=S), bools(T, S))(guarded_by(lambda s: jnp.any(s == -jnp.inf, -1, keepdims=True)))
near("blind_where_a_query_is", *heads_first(s=T), bools(T, T))(guarded_by(lambda s: jnp.all(s == -jnp.inf, -2, keepdims=True)))
near("blind_where_a_head_is", *heads_first(s=S), bools(B, H, T, S))(
    guarded_by(lambda s: jnp.all(s == -jnp.inf, (1, 3), keepdims=True))
)
near("blind_where_scores_are_low", *heads_first(s=S))(guarded_by(lambda s: jnp.all(s == -0.5, -1, keepdims=True)))
near("blind_by_a_low_maximum", *heads_first(s=S))(guarded_by(lambda s: s.max(-1, keepdims=True) < 0))
form("blind_by_other_scores", "multiplier", *heads_first(s=S), floats(B, H, T, S))(
    lambda q, k, v, x: torch_sdpa(q, k, v, softmax=lambda s: jnp.where(torch_blind(x), 0.0, softmax(s, -1)))
)
near("blind_by_scores_transposed", *heads_first(), bools(T, T))(guarded_by(lambda s: torch_blind(s.swapaxes(-1, -2))))
near("blind_rows_returned", *heads_first(s=S))(lambda q, k, v: (torch_sdpa(q, k, v), torch_blind(torch_scores(q, k))))

# Derivatives alone: nothing reads the result of the forward function, so that programs have no product of weights and values.
def derivative(name, what, f, *args, of=(0, 1, 2)):
    """The derivative of the sum of what `f` gives in some arguments."""
    STEPS.append(name)
    form(name, what, *args)(lambda *args: jax.grad(lambda *args: f(*args).astype(jnp.float32).sum(), of)(*args))


def pulled_back(name, what, f, *args, of=(0, 1, 2)):
    """The cotangents of some arguments; the last argument is that of the result."""
    STEPS.append(name)
    form(name, what, *args)(lambda *args: (lambda cts: [cts[i] for i in of])(jax.vjp(f, *args[:-1])[1](args[-1])))


result = lambda t=T, e=D, dtype=np.float32: floats(B, t, H, e, dtype=dtype)
derivative("grads_jax", "full +grad", lambda q, k, v: dpa(q, k, v), *qkv(s=S))
derivative("grads_jax_causal", "causal +grad", lambda q, k, v: dpa(q, k, v, is_causal=True), *qkv())
derivative("grads_jax_grouped", "causal groups=2 +grad", lambda q, k, v: dpa(q, k, v, is_causal=True), *qkv(g=G))
derivative("grads_jax_mask", "mask +grad", lambda q, k, v, m: dpa(q, k, v, mask=m), *qkv(s=S), bools(B, 1, T, S))
derivative("grads_jax_bf16", "causal +grad", lambda q, k, v: dpa(q, k, v, is_causal=True), *qkv(dtype=jnp.bfloat16))
derivative("grads_jax_scale", "full +grad", lambda q, k, v: dpa(q, k, v, scale=0.3), *qkv(s=S))
derivative("grads_bthd", "full +grad", plain, *qkv(s=S))
derivative("grads_scaled_queries", "causal +grad", lambda q, k, v: mix(softmax(masked(tri(), scores(q * 0.7, k, 1)), -1), v), *qkv())
derivative("grads_bhtd", "causal +grad", lambda q, k, v: softmax(masked(tri(), q @ jnp.swapaxes(k, -1, -2) * 0.5)) @ v, *heads_first())
derivative("grads_weights_scaled", "full +grad", lambda q, k, v: mix(softmax(scores(q, k), -1) * 0.25, v), *qkv(s=S))
derivative("grads_square", "full +grad", plain, *qkv(t=S, s=S))
derivative("grads_of_queries", "full +grad", plain, *qkv(s=S), of=(0,))
derivative("grads_of_keys", "full +grad", plain, *qkv(s=S), of=(1,))
derivative("grads_of_keys_and_values", "causal +grad", lambda q, k, v: dpa(q, k, v, is_causal=True), *qkv(), of=(1, 2))
derivative("grads_of_queries_and_values", "full +grad", plain, *qkv(s=S), of=(0, 2))
by_hand = lambda q, k, v: (
    lambda s: (lambda e: mix(e / e.sum(-1, keepdims=True), v))(jnp.exp(s - lax.stop_gradient(s.max(-1, keepdims=True))))
)(scores(q, k))
dropped = lambda q, k, v, m: mix(jnp.where(m, softmax(scores(q, k), -1) / 0.75, 0.0), v)
derivative("grads_by_hand", "full +grad", by_hand, *qkv(s=S))
derivative("grads_by_hand_of_queries", "full +grad", by_hand, *qkv(s=S), of=(0,))
derivative("grads_torch", "causal +grad", lambda q, k, v: torch_sdpa(q, k, v, causal=True, softmax=torch_saved), *heads_first())
pulled_back("vjp_jax", "full +grad", lambda q, k, v: dpa(q, k, v), *qkv(s=S), result())
pulled_back("vjp_jax_causal", "causal +grad", lambda q, k, v: dpa(q, k, v, is_causal=True), *qkv(), result())
pulled_back("vjp_jax_grouped", "groups=2 +grad", lambda q, k, v: dpa(q, k, v), *qkv(g=G), result())
pulled_back("vjp_jax_bias", "bias +grad(bias)", lambda q, k, v, b: dpa(q, k, v, bias=b), *qkv(s=S), floats(1, H, T, S), result(), of=(0, 1, 2, 3))
pulled_back("vjp_jax_fixed_bias", "bias +grad", lambda q, k, v, b: dpa(q, k, v, bias=b), *qkv(s=S), floats(B, H, T, S), result())
pulled_back("vjp_jax_bf16", "mask +grad", lambda q, k, v, m: dpa(q, k, v, mask=m), *qkv(dtype=jnp.bfloat16), bools(B, 1, T, T), result(dtype=jnp.bfloat16))
pulled_back("vjp_value_width", "full +grad", plain, *qkv(s=S, e=E), result(e=E))
pulled_back("vjp_cap", "causal cap=1.5 +grad", lambda q, k, v: mix(softmax(masked(tri(), cap(scores(q, k))), -1), v), *qkv(), result())
pulled_back("vjp_dropout", "multiplier +grad", dropped, *qkv(s=S), bools(B, H, T, S), result())
pulled_back("vjp_dropout_of_queries", "multiplier +grad", dropped, *qkv(s=S), bools(B, H, T, S), result(), of=(0,))
pulled_back("vjp_by_hand", "full +grad", by_hand, *qkv(s=S), result())
pulled_back("vjp_window", "before=2 after=1 +grad", lambda q, k, v: dpa(q, k, v, local_window_size=(2, 1)), *qkv(t=S, s=S), result(t=S))
# With keys for queries and the result's cotangent for values.
pulled_back("vjp_softmax_over_queries", "full +grad", lambda q, k, v: mix(softmax(scores(q, k), 2), v), *qkv(), result(), of=(0, 1))
# What is computed again has no result, either.
step("step_remat", "causal; causal +grad", jax.checkpoint(lambda q, k, v: dpa(q, k, v, is_causal=True)), *qkv())


def by_formula(q, k, v, g, others=None, weigh=lambda p, dp: p * (dp - (p * dp).sum(-1, keepdims=True))):
    """The cotangents of q, k and v, as papers write them; `others` in the place of k, v and g where they are read a second time."""
    k2, g2 = others or (k, g)
    p = softmax(scores(q, k), -1)
    dv = jnp.einsum("bhts,bthe->bshe", p, g2)
    ds = weigh(p, jnp.einsum("bthe,bshe->bhts", g, v)) * 0.5
    return jnp.einsum("bhts,bshd->bthd", ds, k2), jnp.einsum("bhts,bthd->bshd", ds, q), dv


def near_derivative(name, f, *args):
    STEPS.append(name)
    near(name, *args)(f)


STEPS.append("vjp_by_formula")
form("vjp_by_formula", "full +grad", *qkv(s=S), result())(by_formula)
near_derivative("grads_of_values", lambda q, k: jax.grad(lambda v: plain(q, k, v).sum())(V0), floats(B, T, H, D), floats(B, S, H, D))
near_derivative("vjp_of_other_keys", lambda q, k, v, g, x: by_formula(q, k, v, g, (x, g)), *qkv(s=S), result(), floats(B, S, H, D))
near_derivative("vjp_of_two_cotangents", lambda q, k, v, g, x: by_formula(q, k, v, g, (k, x)), *qkv(s=S), result(), result())
near_derivative("vjp_without_mean", lambda *args: by_formula(*args, weigh=lambda p, dp: p * dp), *qkv(s=S), result())
near_derivative(
    "vjp_less_sum", lambda *args: by_formula(*args, weigh=lambda p, dp: p * (dp - dp.sum(-1, keepdims=True))), *qkv(s=S), result()
)
near_derivative(
    "vjp_mean_of_queries",
    lambda *args: by_formula(*args, weigh=lambda p, dp: p * (dp - (p * dp).sum(2, keepdims=True))),
    *qkv(),
    result(),
)
near_derivative(
    "vjp_unweighted", lambda *args: by_formula(*args, weigh=lambda p, dp: dp - (p * dp).sum(-1, keepdims=True)), *qkv(s=S), result()
)
near_derivative(
    "vjp_weights_returned", lambda q, k, v, g: (by_formula(q, k, v, g), softmax(scores(q, k), -1)), *qkv(s=S), result()
)
near_derivative(
    "vjp_of_values_made_of_their_cotangent",
    lambda q, k, x, g: by_formula(q, k, x + jnp.einsum("bhts,bthe->bshe", softmax(scores(q, k), -1), g), g),
    *qkv(s=S),
    result(),
)
near_derivative(
    "vjp_times_floats",
    lambda q, k, v, g, x: by_formula(q, k, v, g, weigh=lambda p, dp: p * (dp * x - (p * dp * x).sum(-1, keepdims=True)))[:2],
    *qkv(s=S),
    result(),
    floats(B, H, T, S),
)



def gradient_of(f, args, weights):
    floating = [i for i, x in enumerate(args) if np.issubdtype(np.asarray(x).dtype, np.floating) or x.dtype == jnp.bfloat16]

    def total(*moved):
        full = list(args)
        for i, x in zip(floating, moved):
            full[i] = x
        out = jax.tree.leaves(f(*full))
        return sum((o.astype(w.dtype) * w).sum() for o, w in zip(out, weights) if jnp.issubdtype(o.dtype, jnp.floating))

    grads = jax.jit(jax.grad(total, tuple(range(len(floating)))))(*(args[i] for i in floating))
    return dict(zip(floating, grads))


def wide(x):
    x = np.asarray(x)
    return x.astype(np.float64) if x.dtype in (np.float32, np.float16, jnp.bfloat16) else x


def main():
    texts, tensors = [], {}
    for name, what, f, args in FORMS:
        print(name, end=" ", flush=True)
        text = jax.jit(f).lower(*args).as_text()
        texts.append(f"// form: {name} | {what}\n{text}")
        # With 64 bits other numbers are drawn.
        draws = any(np.asarray(x).dtype == np.uint32 for x in args)
        with jax.enable_x64(not draws):
            exact = list(args) if draws else [wide(x) for x in args]
            outs = [np.asarray(o) for o in jax.tree.leaves(jax.jit(f)(*exact))]
            weights = [np.asarray(common.unit(9900 + i, o.shape), np.float32 if draws else np.float64) for i, o in enumerate(outs)]
            grads = {} if name in STEPS + BLIND else gradient_of(f, exact, weights)
        for i, x in enumerate(args):
            tensors[f"{name}/in/{i}"] = np.asarray(x, np.float32) if np.asarray(x).dtype in (jnp.bfloat16, np.float16) else np.asarray(x)
        for i, o in enumerate(outs):
            tensors[f"{name}/out/{i}"] = o.astype(np.float32)
            tensors[f"{name}/w/{i}"] = weights[i].astype(np.float32)
        for i, g in grads.items():
            tensors[f"{name}/grad/{i}"] = np.asarray(g).astype(np.float32)
    tensors = {key: value.astype(np.uint8) if value.dtype == bool else value for key, value in tensors.items()}
    common.save_tensors("attention/forms.safetensors", tensors)
    (common.GOLDEN / "attention" / "forms.mlir").write_text("".join(texts))
    matched = sum(what != "-" for _, what, _, _ in FORMS)
    print(f"{matched} forms, {len(FORMS) - matched} near misses")
    assert len({name for name, *_ in FORMS}) == len(FORMS)


if __name__ == "__main__":
    main()

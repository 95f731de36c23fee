"""Forward programs with JAX's vjp of them."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .values import F32, F64, I32, complexes, floats, matrix, positive_definite


def attention(q, k, v):
    s = jnp.einsum("btd,bsd->bts", q, k) / 2
    s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -jnp.inf)
    return jax.nn.softmax(s, -1) @ v


@jax.custom_jvp
def smooth(x):
    return jnp.log1p(jnp.exp(x))


smooth.defjvp(lambda p, t: (smooth(p[0]), jax.nn.sigmoid(p[0]) * t[0]))


@jax.custom_vjp
def cubed(x):
    return x * x * x


cubed.defvjp(lambda x: (cubed(x), x), lambda x, g: (3 * x * x * g,))


def rnn(m, h, xs):
    def step(h, x):
        h = jnp.tanh(h @ m + x)
        return h, h * 2

    return lax.scan(step, h, xs)


def lstm(w, b, xs):
    def step(c, x):
        h, s = c
        i, f, g, o = jnp.split(jnp.concatenate([x, h]) @ w + b, 4)
        s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(s)
        return (h, s), h

    return lax.scan(step, (jnp.zeros(3, w.dtype), jnp.zeros(3, w.dtype)), xs)[1]


def batch_norm(x, g, b):
    return (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-3) * g + b


def add_all(w):
    x, y, v = floats(1, 3, 4), floats(2, 3, 4), floats(3, 6)
    c, image, kernel = complexes(4, 5), floats(5, 2, 6, 5, 3), floats(6, 3, 2, 3, 4)
    nhwc = ("NHWC", "HWIO", "NHWC")

    def add(name, f, *inputs, **options):
        w.gradient(f"vjp_{name}", f, *inputs, **options)

    add("arithmetic", lambda x, y: (x * y - x / (y + 2), (x + y) ** 3, -x), x, y, of="lax.mul")
    add("unary", lambda x: (jnp.exp(x), jnp.sin(x), jnp.tanh(x), jnp.log1p(x), jnp.sqrt(x + 2), lax.rsqrt(x + 2), lax.logistic(x), jnp.cbrt(x + 2), jnp.expm1(x)), floats(7, 3, 4, low=-0.8, high=0.9), of="lax")
    add("trigonometry", lambda x: (jnp.tan(x), jnp.arcsin(x), jnp.arccos(x), jnp.arctan(x), jnp.sinh(x), jnp.cosh(x), jnp.arcsinh(x), jnp.arctanh(x), jnp.arccosh(x + 2), jnp.arctan2(x, x + 2)), floats(8, 5, low=-0.9, high=0.9), of="lax")
    add("special", lambda x: (lax.erf(x), lax.erfc(x), lax.erf_inv(x), lax.lgamma(x + 2), lax.digamma(x + 2), lax.bessel_i1e(x)), floats(9, 5, low=-0.8, high=0.8, dtype=F64), of="lax", tol="relative:1e-9")
    add("powers", lambda x, y: (lax.pow(x, y), lax.integer_pow(x, -2), jnp.power(2.0, y)), floats(10, 6, low=0.3, high=2), v, of="lax.pow")
    add("selects", lambda x, y: (jnp.where(x > 0, x * y, y), jnp.maximum(x, y), jnp.minimum(x, y), jnp.clip(x, -0.4, 0.45), jnp.abs(x)), x, y, of="lax.select")
    add("complex", lambda c: (c * c, jnp.exp(c), jnp.abs(c), jnp.real(c) * jnp.imag(c), jnp.conj(c) * 2, jnp.log(c)), c, of="lax.complex")
    add("complex_double", lambda c: (jnp.sin(c), jnp.sqrt(c), c**3, 1 / c), complexes(11, 5, dtype=np.complex128), of="lax.complex")
    add("dot", lambda x, z: (x @ z, x[0] @ z), x, floats(12, 4, 5), of="lax.dot_general")
    add("dot_batched", lambda a, b: jnp.einsum("bij,bjk->bki", a, b), floats(13, 2, 3, 4), floats(14, 2, 4, 5), of="jnp.einsum")
    add("dot_f64", lambda x, z: jnp.tanh(x @ z).sum(), x.astype(F64), floats(12, 4, 5, dtype=F64), of="lax.dot_general")
    add("reductions", lambda x: (x.sum(0), x.mean(), x.prod(1), x.max(1), x.min(0), x.var(1)), x, of="lax.reduce_sum")
    add("reduce_prod", lambda x: jnp.prod(x + 2, 1), x, of="lax.reduce_prod")
    add("logsumexp", lambda x: jax.nn.logsumexp(x * 3, -1), x, of="jax.nn.logsumexp")
    add("softmax", lambda x: (jax.nn.softmax(x, 0), jax.nn.log_softmax(x)), x, of="jax.nn.softmax")
    add("cumulative", lambda v: (jnp.cumsum(v), jnp.cumprod(v + 2), lax.cummax(v), lax.cumlogsumexp(v), lax.cumsum(v, reverse=True)), v, of="lax.cumsum")
    add("shapes", lambda x: (x.T, x.reshape(2, 6), x[::-1, 1::2], jnp.pad(x, 1), lax.pad(x, F32(0), [(1, 0, 1), (-1, 2, 0)]), jnp.concatenate([x, x * 2]), jnp.broadcast_to(x, (2, 3, 4))), x, of="lax.reshape")
    add("dynamic", lambda x, u, i: (lax.dynamic_slice(x, (i, 0), (2, 3)), lax.dynamic_update_slice(x, u, (i, i))), x, floats(15, 2, 2), I32(1), of="lax.dynamic_slice")
    add("gather", lambda x, i: (x[i], jnp.take_along_axis(x, i[:, None] % 4, 1), jnp.take(x, i - 1, 0, mode="clip")), x, np.array([2, 0, 2], I32), of="lax.gather")
    add("scatter", lambda x, i, u: (x.at[i].add(u), x.at[i].set(u), x.at[i].multiply(u, unique_indices=True)), x, np.array([2, 0], I32), floats(16, 2, 4), of="lax.scatter_add")
    add("scatter_extremes", lambda x, i, u: (x.at[i].max(u), x.at[i].min(u)), x, np.array([2, 0], I32), floats(16, 2, 4), of="lax.scatter_max")
    add("segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 2), x, np.array([1, 0, 1], I32), of="jax.ops.segment_sum")
    add("sort", lambda x: (jnp.sort(x, 1), jnp.sort(x, 0, descending=True)), x, of="lax.sort")
    add("sort_pairs", lambda k, v: lax.sort((k, v), num_keys=1), floats(17, 6), v, of="lax.sort")
    add("top_k", lambda x: lax.top_k(x, 2)[0], x, of="lax.top_k")
    add("conv", lambda i, k: lax.conv_general_dilated(i, k, (2, 1), "SAME", dimension_numbers=nhwc), image, kernel, of="lax.conv_general_dilated")
    add("conv_dilated", lambda i, k: lax.conv_general_dilated(i, k, (1, 1), [(2, 1), (1, 2)], lhs_dilation=(2, 1), rhs_dilation=(1, 2), dimension_numbers=nhwc), image, kernel, of="lax.conv_general_dilated")
    add("conv_groups", lambda i, k: lax.conv_general_dilated(i, k, (1, 1), "VALID", feature_group_count=3, dimension_numbers=nhwc), image, floats(18, 2, 2, 1, 6), of="lax.conv_general_dilated")
    add("max_pool", lambda i: lax.reduce_window(i, F32(-np.inf), lax.max, (1, 2, 2, 1), (1, 2, 1, 1), "VALID"), image, of="lax.reduce_window")
    add("avg_pool", lambda i: lax.reduce_window(i, F32(0), lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "SAME") / 4, image, of="lax.reduce_window")
    add("batch_norm", batch_norm, image, floats(19, 3), floats(20, 3), of="lax.rsqrt")
    add("layer_norm", lambda x, g: (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * g, x, floats(21, 4), of="jnp.var")
    add("attention", attention, floats(22, 2, 4, 3), floats(23, 2, 4, 3), floats(24, 2, 4, 3), of="jax.nn.softmax")
    add("dot_product_attention", lambda q, k: jax.nn.dot_product_attention(q, k, k, is_causal=True), floats(25, 1, 4, 2, 3), floats(26, 1, 4, 2, 3), of="jax.nn.dot_product_attention")
    add("cross_entropy", lambda z, i: -jnp.take_along_axis(jax.nn.log_softmax(z), i[:, None], 1).mean(), x, np.array([1, 3, 0], I32), of="jax.nn.log_softmax")
    add("activations", lambda x: (jax.nn.gelu(x), jax.nn.silu(x), jax.nn.softplus(x), jax.nn.elu(x), jax.nn.leaky_relu(x), jax.nn.relu(x)), x, of="jax.nn")
    add("scan_rnn", rnn, floats(27, 4, 4), floats(28, 4), floats(29, 5, 4), of="lax.scan")
    add("scan_lstm", lstm, floats(30, 5, 12), floats(31, 12), floats(32, 4, 2), of="lax.scan")
    add("scan_reverse", lambda v: lax.scan(lambda c, x: (c * x + 1, c * 2), F32(0.3), v, reverse=True), v, of="lax.scan")
    add("scan_nested", lambda x: lax.scan(lambda c, r: lax.scan(lambda c, e: (jnp.sin(c + e), c * e), c, r), F32(0.2), x), x, of="lax.scan")
    add("scan_f64", rnn, floats(27, 4, 4, dtype=F64), floats(28, 4, dtype=F64), floats(29, 5, 4, dtype=F64), of="lax.scan")
    add("scan_closed_over", lambda m, v: lax.scan(lambda c, x: (jnp.tanh(m @ c) * x, None), jnp.ones(3, F32), v)[0], floats(33, 3, 3), v, of="lax.scan")
    add("fori", lambda x: lax.fori_loop(0, 4, lambda i, s: jnp.sin(s) * 1.5 + x[i % 3], x[0]), x, of="lax.fori_loop")
    add("map", lambda x: lax.map(lambda r: jnp.exp(r).sum() * r, x), x, of="lax.map")
    add("cond", lambda p, x: lax.cond(p, lambda x: jnp.sin(x) * 2, lambda x: x**2, x), np.bool_(False), x, of="lax.cond")
    add("switch", lambda i, x, y: lax.switch(i, [lambda x, y: x * y, lambda x, y: jnp.exp(x), lambda x, y: y - x], x, y), I32(1), x, y, of="lax.switch")
    add("cond_in_scan", lambda v: lax.scan(lambda c, x: (lax.cond(x > 0, lambda c: c * x, lambda c: c + x, c), c), F32(0.5), v), v, of="lax.scan")
    add("calls", lambda x: jax.jit(lambda x: jax.jit(jnp.sin)(x) * 2)(x) + jax.jit(jnp.cos)(x), x, of="jax.jit")
    add("remat", jax.checkpoint(lambda x: jnp.sin(jnp.tanh(x) @ x.T)), x, of="jax.checkpoint")
    add("custom_jvp", lambda x: smooth(x) * x, x, of="jax.custom_jvp")
    add("custom_vjp", lambda x: cubed(jnp.sin(x)), x, of="jax.custom_vjp")
    add("associative_scan", lambda v: lax.associative_scan(jnp.multiply, v + 2), v, of="lax.associative_scan")
    add("cholesky", lambda p: jnp.linalg.cholesky(p), positive_definite(34, 3), of="jnp.linalg.cholesky", tol="relative:1e-4")
    add("triangular_solve", lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True), matrix(35, 3, 3), floats(36, 3, 2), of="lax.linalg.triangular_solve", tol="relative:1e-4")
    add("solve", lambda a, b: jnp.linalg.solve(a, b), matrix(35, 3, 3), floats(36, 3, 2), of="jnp.linalg.solve", tol="relative:1e-4")
    add("slogdet", lambda a: jnp.linalg.slogdet(a)[1], matrix(35, 3, 3), of="jnp.linalg.slogdet", tol="relative:1e-4")
    add("eigh", lambda p: jnp.linalg.eigvalsh(p), positive_definite(37, 3), of="jnp.linalg.eigvalsh", tol="relative:1e-4")
    add("eigh_vectors", lambda p: (lambda v, u: (u * jnp.sin(v)) @ u.T)(*jnp.linalg.eigh(p)), positive_definite(37, 3, dtype=F64), of="jnp.linalg.eigh", tol="relative:1e-9")
    add("svd", lambda t: jnp.linalg.svd(t, compute_uv=False), matrix(38, 4, 3), of="jnp.linalg.svd", tol="relative:1e-4")
    add("svd_vectors", lambda t: (lambda u, s, h: (u * jnp.log(s)) @ h)(*jnp.linalg.svd(t, full_matrices=False)), matrix(38, 4, 3, dtype=F64), of="jnp.linalg.svd", tol="relative:1e-9")
    add("qr", lambda t: (lambda q, r: (q @ q.T, jnp.abs(r)))(*jnp.linalg.qr(t)), matrix(39, 4, 3), of="jnp.linalg.qr", tol="relative:1e-4")
    add("qr_complete", lambda t: jnp.linalg.qr(t, mode="complete"), matrix(53, 4, 2, dtype=F64), of="jnp.linalg.qr", tol="relative:1e-9")
    add("qr_wide", lambda t: jnp.linalg.qr(t), matrix(54, 2, 4), of="jnp.linalg.qr", tol="relative:1e-4")
    add("qr_stack", lambda t: jax.vmap(jnp.linalg.qr)(t), matrix(55, 2, 3, 3), of="jnp.linalg.qr", tol="relative:1e-4")
    add("qr_complex", lambda t: jnp.linalg.qr(t), matrix(56, 4, 3, dtype=np.complex128), of="jnp.linalg.qr", tol="relative:1e-9")
    add("qr_complete_complex", lambda t: jnp.linalg.qr(t, mode="complete"), matrix(57, 2, 3, 2, dtype=np.complex64), of="jnp.linalg.qr", tol="relative:1e-4")
    add("qr_triangle", lambda t: jnp.linalg.qr(t, mode="r"), matrix(58, 5, 3), of="jnp.linalg.qr", tol="relative:1e-4")
    add("qr_identity", lambda t: jnp.linalg.qr(t), np.eye(3, dtype=F64), of="jnp.linalg.qr", tol="relative:1e-9")
    add("eig_values", lambda a: jnp.abs(jnp.linalg.eigvals(a)).prod(), matrix(40, 3, 3, dtype=F64), of="jnp.linalg.eigvals", tol="relative:1e-9")
    add("fft", lambda c: (jnp.fft.fft(c), jnp.abs(jnp.fft.ifft(c))), complexes(41, 6), of="jnp.fft.fft")
    add("rfft", lambda v: (jnp.fft.rfft(v), jnp.fft.irfft(jnp.fft.rfft(v) * 2, n=6)), v, of="jnp.fft.rfft")
    add("igamma", lambda a, x: lax.igamma(a, x), floats(42, 4, low=0.5, high=3), floats(43, 4, low=0.5, high=3), of="lax.igamma", tol="relative:1e-4", wrt=[1])
    add("igamma_orders", lambda a, x: lax.igamma(a, x), floats(42, 8, low=0.5, high=3, dtype=F64), floats(43, 8, low=0.5, high=3, dtype=F64), of="lax.igamma", tol="relative:1e-9")
    add("ragged_dot", lambda a, b, g: lax.ragged_dot(a, b, g), floats(44, 5, 4), floats(45, 3, 4, 2), np.array([2, 0, 3], I32), of="lax.ragged_dot")
    add("mlp_loss", lambda p, x: jnp.square(jnp.tanh(x @ p["a"] + p["b"]) @ p["c"]).mean(), {"a": floats(46, 4, 6), "b": floats(47, 6), "c": floats(48, 6, 2)}, x, of="jax.grad")
    add("halves", lambda a, b: jnp.tanh(a @ b), floats(49, 3, 4, dtype=jnp.bfloat16), floats(50, 4, 2, dtype=jnp.bfloat16), of="lax.dot_general", tol="relative:5e-2")

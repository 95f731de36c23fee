"""Products, convolutions, reductions, windows and sorts."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from .elementwise import w_name
from .values import BF16, COMPLEX, F16, F32, F64, I32, REAL, SIGNED, SMALL, UNSIGNED, bools, complexes, floats, ints, words


def dots(w):
    plain = (((1,), (0,)), ((), ()))
    for d in REAL + COMPLEX:
        make = complexes if d in COMPLEX else floats
        x, y, v = make(1, 3, 5, dtype=d), make(2, 5, 4, dtype=d), make(3, 5, dtype=d)
        w.add(f"dot_{w_name(d)}", lambda x, y, v: (x @ y, x @ v, v @ v, jnp.outer(v, v)), x, y, v, of="lax.dot_general")
    for d in [np.dtype(t) for t in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")]:
        w.add(f"dot_{w_name(d)}", lambda x, y: x @ y, words(4, 3, 5, dtype=d), words(5, 5, 4, dtype=d), of="lax.dot_general")
    w.add("dot_bool", lambda p, q: p @ q, bools(6, 3, 4), bools(7, 4, 2), of="jnp.matmul")
    for d in [np.dtype(t) for t in ("int8", "uint8")]:
        w.add(f"dot_{w_name(d)}_wide", lambda x, y: lax.dot_general(x, y, plain, preferred_element_type=jnp.int32), words(4, 3, 5, dtype=d), words(5, 5, 4, dtype=d), of="lax.dot_general")
    for d in [SIGNED[0], SIGNED[1], UNSIGNED[0], UNSIGNED[1]]:
        x, y = words(4, 3, 5, dtype=d), words(5, 5, 4, dtype=d)
        w.add(f"dot_{w_name(d)}_wide", lambda x, y: lax.dot_general(x, y, plain, preferred_element_type=jnp.int32), x, y, outputs=[x.astype(I32) @ y.astype(I32)], of="lax.dot_general")
    for d in (np.dtype(F16), np.dtype(BF16), *SMALL[:-1]):
        w.add(f"dot_{w_name(d)}_f32", lambda x, y: lax.dot_general(x, y, plain, preferred_element_type=jnp.float32), floats(8, 3, 5, dtype=d), floats(9, 5, 4, dtype=d), of="lax.dot_general")
    f4 = SMALL[-1]
    x, y = floats(8, 3, 5, low=-4, high=4, dtype=f4), floats(9, 5, 4, low=-4, high=4, dtype=f4)
    w.add("dot_f4_f32", lambda x, y: lax.dot_general(x, y, plain, preferred_element_type=jnp.float32), x, y, outputs=[x.astype(F32) @ y.astype(F32)], tol="exact", of="lax.dot_general")
    w.add("dot_mixed_f8", lambda x, y: lax.dot_general(x, y, plain, preferred_element_type=jnp.float32), floats(8, 3, 5, dtype=SMALL[3]), floats(9, 5, 4, dtype=SMALL[5]), of="lax.dot_general")
    w.add("dot_mixed_types", lambda x, y: lax.dot_general(x, y, plain, preferred_element_type=jnp.float32), floats(8, 3, 5), floats(9, 5, 4, dtype=BF16), of="lax.dot_general")
    a, b = floats(10, 2, 3, 4), floats(11, 2, 4, 5)
    w.add("dot_batched", lambda a, b: (lax.batch_matmul(a, b), lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,)))), a @ b[0], a[0] @ b), a, b, of="lax.dot_general")
    w.add("dot_many_dims", lambda a, b: (lax.dot_general(a, b, (((3, 1), (2, 0)), ((0,), (3,)))), lax.dot_general(a, b, (((1, 3), (0, 2)), ((), ())))), floats(12, 2, 3, 4, 2), floats(13, 3, 5, 2, 2), of="lax.dot_general")
    w.add("dot_outer", lambda a, b: (lax.dot_general(a, b, (((), ()), ((), ()))), lax.dot_general(a, b, (((), ()), ((0,), (0,)))), jnp.tensordot(a, b, 0)), floats(14, 2, 3), floats(15, 2, 2), of="lax.dot_general")
    w.add("dot_empty", lambda a, b: a @ b, np.zeros((3, 0), F32), np.zeros((0, 2), F32), of="lax.dot_general")
    w.add("dot_precisions", lambda x, y: (lax.dot(x, y, precision="highest"), lax.dot(x, y, precision=lax.Precision.HIGH), lax.dot(x, y, precision=("default", "highest")), lax.dot(x, y, precision=lax.DotAlgorithmPreset.F32_F32_F32)), floats(16, 3, 5), floats(17, 5, 4), of="lax.dot")
    w.add("dot_algorithm_bf16", lambda x, y: lax.dot(x, y, precision=lax.DotAlgorithmPreset.BF16_BF16_F32, preferred_element_type=jnp.float32), floats(16, 3, 5, dtype=BF16), floats(17, 5, 4, dtype=BF16), of="lax.dot")
    w.add("einsums", lambda a, b, c: (jnp.einsum("bij,bjk->bik", a, b), jnp.einsum("bij,bkj->bik", a, a), jnp.einsum("bij->ji", a), jnp.einsum("bii->b", c), jnp.einsum("ij,jk,kl->il", a[0], b[0], b[1].T), jnp.einsum("bij,bjk,k->b", a, b, b[0, 0])), a, b, floats(18, 3, 2, 2), of="jnp.einsum")
    for groups in ((2, 0, 3), (5, 0, 0), (1, 1, 1)):
        w.add("ragged_dot_" + "_".join(map(str, groups)), lambda x, y, g: lax.ragged_dot(x, y, g), floats(19, 5, 4), floats(20, 3, 4, 2), np.array(groups, I32), of="lax.ragged_dot", platforms=("cpu", "tpu"))
    modes = {"contracting": lax.RaggedDotDimensionNumbers((((0,), (0,)), ((), ())), [0], [])}
    for name, numbers in modes.items():
        w.add(f"ragged_dot_{name}", lambda x, y, g, n=numbers: lax.ragged_dot_general(x, y, g, n), floats(21, 5, 4), floats(22, 5, 2), np.array([2, 0, 3], I32), of="lax.ragged_dot_general", platforms=("cpu", "tpu"))
    q, k = floats(25, 2, 3, 2, 4), floats(26, 2, 5, 2, 4)
    w.add("dot_product_attention", lambda q, k, m: (jax.nn.dot_product_attention(q, k, k), jax.nn.dot_product_attention(q, q, q, is_causal=True), jax.nn.dot_product_attention(q, k, k, mask=m)), q, k, np.ones((2, 1, 3, 5), bool), of="jax.nn.dot_product_attention")
    w.add("quantized_like", quantized_like, floats(27, 3, 8, low=-2, high=2), floats(28, 8, 4), of="lax.dot_general", tol="relative:1e-4")


def quantized_like(x, y):
    def quantize(x, axis):
        scale = jnp.max(jnp.abs(x), axis, keepdims=True) / 127
        return jnp.clip(jnp.round(x / scale), -128, 127).astype(jnp.int8), scale

    (a, s), (b, t) = quantize(x, 1), quantize(y, 0)
    return lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32).astype(F32) * s * t


def convolutions(w):
    conv = lax.conv_general_dilated

    def case(name, x, k, strides, padding, **options):
        w.add(f"conv_{name}", lambda x, k: conv(x, k, strides, padding, **options), x, k, of="lax.conv_general_dilated")

    x1, k1 = floats(30, 2, 3, 9), floats(31, 4, 3, 3)
    case("1d", x1, k1, (1,), "SAME")
    case("1d_strided", x1, k1, (2,), [(2, 0)])
    x2, k2 = floats(32, 2, 4, 6, 5), floats(33, 4, 4, 3, 2)
    case("2d", x2, k2, (1, 1), "VALID")
    case("2d_same", x2, k2, (2, 1), "SAME")
    case("2d_padded", x2, k2, (1, 2), [(1, 2), (0, 3)])
    case("2d_negative_padding", x2, k2, (1, 1), [(-1, 1), (1, -1)])
    case("2d_dilated", x2, k2, (1, 1), [(2, 2), (1, 1)], rhs_dilation=(2, 3))
    case("2d_lhs_dilated", x2, k2, (1, 1), [(1, 1), (2, 0)], lhs_dilation=(2, 2))
    case("2d_both_dilated", x2, k2, (2, 1), [(3, 1), (2, 2)], lhs_dilation=(2, 3), rhs_dilation=(2, 1))
    case("2d_groups", x2, floats(34, 6, 2, 3, 2), (1, 1), "SAME", feature_group_count=2)
    case("2d_depthwise", x2, floats(35, 8, 1, 3, 3), (1, 1), "SAME", feature_group_count=4)
    case("2d_batch_groups", x2, floats(36, 4, 4, 3, 2), (1, 1), "VALID", batch_group_count=2)
    case("2d_nhwc", floats(37, 2, 6, 5, 3), floats(38, 3, 2, 3, 4), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    case("2d_odd_layout", floats(39, 6, 3, 2, 5), floats(40, 3, 4, 2, 3), (1, 1), "SAME", dimension_numbers=("HCNW", "IOWH", "WNCH"))
    case("3d", floats(41, 1, 2, 4, 5, 3), floats(42, 3, 2, 2, 3, 2), (1, 2, 1), "SAME")
    case("0d", floats(43, 3, 4), floats(44, 2, 4), (), ())
    case("f64", x2.astype(F64), k2.astype(F64), (1, 1), "SAME")
    case("bf16", x2.astype(BF16), k2.astype(BF16), (1, 1), "SAME", preferred_element_type=jnp.float32)
    case("f16", x2.astype(F16), k2.astype(F16), (1, 1), "SAME")
    case("c64", complexes(45, 1, 2, 4, 4), complexes(46, 2, 2, 2, 2), (1, 1), "SAME")
    case("i32", ints(47, 1, 2, 4, 4), ints(48, 2, 2, 2, 2), (1, 1), "SAME")
    case("i8", ints(47, 1, 2, 4, 4, dtype=np.int8), ints(48, 2, 2, 2, 2, dtype=np.int8), (1, 1), "SAME", preferred_element_type=jnp.int32)
    case("f8", floats(49, 1, 2, 4, 4, dtype=SMALL[3]), floats(50, 2, 2, 2, 2, dtype=SMALL[3]), (1, 1), "SAME", preferred_element_type=jnp.float32)
    w.add("conv_transpose", lambda x, k: (lax.conv_transpose(x, k, (2, 2), "SAME"), lax.conv_transpose(x, k, (1, 2), "VALID", rhs_dilation=(2, 1))), floats(51, 2, 4, 3, 3), floats(52, 3, 2, 3, 4), of="lax.conv_transpose")
    w.add("conv_transpose_kernel", lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME", transpose_kernel=True), floats(51, 2, 4, 3, 4), floats(52, 3, 2, 3, 4), of="lax.conv_transpose")

    def grads(f, *xs):
        return jax.grad(lambda *xs: jnp.sin(f(*xs)).sum(), tuple(range(len(xs))))(*xs)

    w.add("conv_grad", lambda x, k: grads(lambda x, k: conv(x, k, (2, 1), "SAME"), x, k), x2, k2, of="lax.conv_general_dilated")
    w.add("conv_grad_groups", lambda x, k: grads(lambda x, k: conv(x, k, (1, 2), [(1, 0), (2, 1)], feature_group_count=2, rhs_dilation=(1, 2)), x, k), x2, floats(34, 6, 2, 3, 2), of="lax.conv_general_dilated")
    w.add("conv_grad_batch_groups", lambda x, k: grads(lambda x, k: conv(x, k, (1, 1), "SAME", batch_group_count=2), x, k), x2, k2, of="lax.conv_general_dilated")
    w.add("conv_local", lambda x, k: lax.conv_general_dilated_local(x, k, (1, 1), "VALID", (2, 2)), floats(53, 1, 2, 4, 4), floats(54, 3, 8, 3, 3), of="lax.conv_general_dilated_local")
    w.add("conv_patches", lambda x: lax.conv_general_dilated_patches(x, (2, 2), (1, 1), "SAME"), floats(53, 1, 2, 4, 4), of="lax.conv_general_dilated_patches")
    w.add("conv_vmapped", jax.vmap(lambda x, k: conv(x, k, (1, 1), "SAME")), floats(55, 3, 1, 2, 4, 4), floats(56, 3, 2, 2, 2, 2), of="lax.conv_general_dilated")
    w.add("convolve", lambda x, k: (jnp.convolve(x, k), jnp.convolve(x, k, "same"), jnp.correlate(x, k, "full"), jax.scipy.signal.convolve2d(jnp.outer(x, x), jnp.outer(k, k))), floats(57, 7), floats(58, 3), of="jnp.convolve")


def reductions(w):
    c = floats(60, 2, 3, 4, low=-2, high=2)
    for d in [*REAL, *COMPLEX, *[np.dtype(t) for t in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")]]:
        x = complexes(61, 2, 3, 4, dtype=d) if d in COMPLEX else floats(61, 2, 3, 4, low=-2, high=2, dtype=d) if d in REAL else words(61, 2, 3, 4, dtype=d)

        def reduce(x):
            out = (lax.reduce_sum(x, (1,)), lax.reduce_sum(x, (0, 2)), lax.reduce_prod(x, (2,)), lax.reduce_sum(x, (0, 1, 2)))
            if jnp.issubdtype(x.dtype, jnp.complexfloating):
                return out
            return (*out, lax.reduce_max(x, (1,)), lax.reduce_min(x, (0, 1)), lax.argmax(x, 1, jnp.int32), lax.argmin(x, 2, jnp.int32))

        w.add(f"reduce_{w_name(d)}", reduce, x, of="lax.reduce_sum")
    w.add("reduce_bitwise", lambda x, y, p: tuple(f(v, (1,)) for v in (x, y, p) for f in (lax.reduce_and, lax.reduce_or, lax.reduce_xor)), words(62, 3, 4, dtype=np.dtype(I32)), words(63, 3, 4, dtype=np.dtype("uint8")), bools(64, 3, 4), of="lax.reduce_and")
    w.add("reduce_narrow", lambda x, y: (lax.reduce(x, np.zeros((), x.dtype), lax.add, (0,)), lax.reduce(y, np.ones((), y.dtype), lax.mul, (1,))), words(65, 3, 4, dtype=SIGNED[1]), words(66, 3, 4, dtype=UNSIGNED[1]), of="lax.reduce")
    w.add("reduce_f8", lambda x: (lax.reduce_max(x, (1,)), lax.reduce_min(x, (0,))), floats(67, 3, 4, low=-3, high=3, dtype=SMALL[3]), tol="exact", of="lax.reduce_max")
    w.add("reduce_nan", lambda x: (x.max(1), x.min(1), x.sum(1), jnp.nanmax(x, 1), jnp.nansum(x, 1), jnp.argmax(x, 1), jnp.nanargmin(x, 1), jnp.isnan(x).any(1)), np.array([[1, np.nan, 3], [-np.inf, 2, np.inf], [0.0, -0.0, -1]], F32), of="lax.reduce_max")
    w.add("reduce_general", lambda x: (lax.reduce(x, F32(0), lambda a, b: a + b + a * b, (1,)), lax.reduce(x, F32(2), lambda a, b: jnp.hypot(a, b), (0, 2))), c * F32(0.3), of="lax.reduce", tol="relative:1e-4")
    w.add("reduce_several", lambda x, y, i: lax.reduce((x, y, i), (F32(-np.inf), F32(0), I32(-1)), lambda a, b: (jnp.maximum(a[0], b[0]), a[1] + b[1], jnp.where(a[0] >= b[0], a[2], b[2])), (1,)), c, floats(68, 2, 3, 4), ints(69, 2, 3, 4), of="lax.reduce")
    w.add("reduce_empty", lambda x: (x.sum(0), x.prod(0), x.all(0), x.any(0)), np.zeros((0, 3), F32), of="lax.reduce_sum")
    w.add("statistics", lambda c: (c.mean(1), c.var(0), c.std((0, 2)), jnp.median(c, 1), jnp.percentile(c, 30.0, axis=2), jnp.quantile(c[0, 0], jnp.array([0.1, 0.9])), jnp.average(c, 2, weights=jnp.arange(4.0)), jnp.ptp(c, 0), jnp.cov(c[0]), jnp.corrcoef(c[0]), jnp.linalg.norm(c[0]), jnp.count_nonzero(c > 0)), c, of="jnp.mean")
    w.add("nan_statistics", lambda c: (jnp.nanmean(c, 1), jnp.nanvar(c, 0), jnp.nanmedian(c, 1), jnp.nanpercentile(c, 40.0), jnp.nancumsum(c, 1), jnp.nanprod(c)), np.where(floats(70, 3, 4) > 0.5, np.nan, floats(71, 3, 4)).astype(F32), of="jnp.nanmean")
    w.add("logsumexp_softmax", lambda x: (jax.nn.logsumexp(x, -1), jax.nn.logsumexp(x, 0, b=2.0), jax.nn.softmax(x, 0), jax.nn.log_softmax(x), jax.nn.standardize(x)), floats(72, 3, 5, low=-9, high=9), of="jax.nn.logsumexp")
    w.add("reduce_and_precision", lambda x: (lax.reduce_sum(x, (1,)), x.sum(1, dtype=jnp.float32), x.mean(0)), floats(73, 3, 16, dtype=BF16), of="lax.reduce_sum")


def windows(w):
    x = floats(80, 2, 6, 5, 3, low=-2, high=2)
    for name, f in (("sum", lax.cumsum), ("prod", lax.cumprod), ("max", lax.cummax), ("min", lax.cummin), ("logsumexp", lax.cumlogsumexp)):
        w.add(f"cum{name}", lambda x, f=f: (f(x, 0), f(x, 1), f(x, 1, reverse=True)), floats(81, 3, 7), of=f"lax.cum{name}")
        if name != "logsumexp":
            w.add(f"cum{name}_types", lambda *xs, f=f: tuple(f(x, 0) for x in xs), floats(81, 7, dtype=F64), floats(82, 7, dtype=BF16), floats(83, 7, dtype=F16), ints(84, 7), ints(85, 7, dtype=np.int8), ints(86, 7, low=0, dtype=np.uint32), of=f"lax.cum{name}")
    w.add("cumsum_long", lambda x: (jnp.cumsum(x), jnp.cumsum(x.reshape(20, 15), 1)), floats(87, 300), of="lax.cumsum")
    w.add("cum_complex", lambda x: (jnp.cumsum(x), jnp.cumprod(x)), complexes(88, 6), of="lax.cumsum")
    sizes = dict(window_dimensions=(1, 3, 2, 1), window_strides=(1, 2, 1, 1))

    def pool(x):
        return (
            lax.reduce_window(x, F32(-np.inf), lax.max, padding="SAME", **sizes),
            lax.reduce_window(x, F32(np.inf), lax.min, padding="VALID", **sizes),
            lax.reduce_window(x, F32(0), lax.add, padding=[(0, 0), (2, 1), (0, 3), (0, 0)], **sizes),
            lax.reduce_window(x, F32(1), lax.mul, padding="VALID", **sizes),
        )

    w.add("reduce_window_pools", pool, x, of="lax.reduce_window")
    w.add("reduce_window_dilated", lambda x: (lax.reduce_window(x, F32(0), lax.add, (1, 2, 2, 1), (1, 1, 2, 1), [(0, 0), (1, 1), (0, 2), (0, 0)], window_dilation=(1, 2, 3, 1)), lax.reduce_window(x, F32(0), lax.add, (1, 2, 2, 1), (1, 1, 1, 1), [(0, 0), (1, 1), (0, 2), (0, 0)], base_dilation=(1, 2, 2, 1))), x, of="lax.reduce_window")
    w.add("reduce_window_several", lambda x, i: lax.reduce_window((x, i), (F32(-np.inf), I32(0)), lambda a, b: (jnp.where(a[0] >= b[0], a[0], b[0]), jnp.where(a[0] >= b[0], a[1], b[1])), (2, 2), (1, 2), "VALID"), floats(90, 4, 6), ints(91, 4, 6), of="lax.reduce_window")
    w.add("reduce_window_types", lambda *xs: tuple(lax.reduce_window(x, np.zeros((), x.dtype), lax.add, (3,), (1,), "SAME") for x in xs), ints(92, 7), ints(93, 7, dtype=np.int8), floats(94, 7, dtype=BF16), floats(95, 7, dtype=F64), complexes(96, 7), of="lax.reduce_window")
    w.add("reduce_window_logic", lambda p: (lax.reduce_window(p, False, lax.bitwise_or, (2, 2), (1, 1), "SAME"), lax.reduce_window(p, True, lax.bitwise_and, (2, 2), (1, 1), "VALID")), bools(97, 4, 4), of="lax.reduce_window")
    w.add("max_pool_grad", jax.grad(lambda x: jnp.sin(lax.reduce_window(x, F32(-np.inf), lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")).sum()), x, of="lax.reduce_window", tol="relative:1e-5")
    w.add("max_pool_grad_overlap", jax.grad(lambda x: jnp.sin(lax.reduce_window(x, F32(-np.inf), lax.max, (1, 3, 2, 1), (1, 1, 1, 1), [(0, 0), (1, 1), (1, 0), (0, 0)])).sum()), x, of="lax.reduce_window")
    w.add("min_pool_grad", jax.grad(lambda x: jnp.sin(lax.reduce_window(x, F64(np.inf), lax.min, (1, 2, 2, 1), (1, 1, 2, 1), "VALID")).sum()), x.astype(F64), of="lax.reduce_window")
    w.add("avg_pool_grad", jax.grad(lambda x: jnp.sin(lax.reduce_window(x, F32(0), lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "SAME") / 4).sum()), x, of="lax.reduce_window")
    w.add("pool_jvp", lambda x, t: jax.jvp(lambda x: lax.reduce_window(x, F32(-np.inf), lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), (x,), (t,)), x, floats(98, 2, 6, 5, 3), of="lax.reduce_window")
    w.add("cum_grads", lambda x: (jax.grad(lambda x: jnp.sin(lax.cumsum(x, 0)).sum())(x), jax.grad(lambda x: jnp.sin(lax.cumprod(x, 0)).sum())(x), jax.grad(lambda x: jnp.sin(lax.cummax(x, 0)).sum())(x), jax.grad(lambda x: jnp.sin(lax.cumlogsumexp(x, 0)).sum())(x)), floats(99, 6), of="lax.cumsum")


def select_and_scatter(w):
    x = floats(130, 1, 6, 5, 1, low=-2, high=2)

    def of_pools(x, y):
        windows = dict(window_dimensions=(1, 2, 3, 1), window_strides=(1, 2, 1, 1))
        pooled = lax.reduce_window(x, F32(-np.inf), lax.max, padding="VALID", **windows)
        _, pull = jax.vjp(lambda x: lax.reduce_window(x, F32(-np.inf), lax.max, padding="VALID", **windows), x)
        return pooled, pull(y)[0]

    w.add("select_and_scatter_add", of_pools, x, floats(131, 1, 3, 3, 1), of="lax.select_and_scatter_add")
    second = jax.hessian(lambda x: (lax.reduce_window(x, F32(-np.inf), lax.max, (2,), (1,), "VALID") ** 3).sum())
    w.add("select_and_gather_add", second, floats(132, 5), of="lax.select_and_gather_add")


def sorts(w):
    for d in [*REAL, *COMPLEX, np.dtype(bool), *SIGNED[1:], *UNSIGNED[1:], *SMALL[3:4], SMALL[5]]:
        x = complexes(100, 3, 5, dtype=d) if d in COMPLEX else bools(100, 3, 5) if d == bool else words(100, 3, 5, dtype=d) if d in SIGNED + UNSIGNED else floats(100, 3, 5, low=-3, high=3, dtype=d)
        w.add(f"sort_{w_name(d)}", lambda x: (lax.sort(x, dimension=0), lax.sort(x, dimension=1)), x, tol="exact", of="lax.sort")
    w.add("sort_special", lambda x: (jnp.sort(x), jnp.argsort(x), jnp.sort(x, descending=True), jnp.argsort(x, descending=True)), np.array([np.nan, 1, -0.0, 0.0, np.inf, -np.inf, np.nan, -1], F32), tol="exact", of="jnp.sort")
    k, v, u = ints(101, 12, low=0, high=3), floats(102, 12), ints(103, 12)
    w.add("sort_several", lambda k, v, u: (lax.sort((k, v, u), num_keys=1), lax.sort((k, v, u), num_keys=2), lax.sort((k, u, v), num_keys=3), lax.sort((k, v), is_stable=False, num_keys=2)), k, v, u, tol="exact", of="lax.sort")
    w.add("sort_key_val", lambda k, v: lax.sort_key_val(k, v), k, v, tol="exact", of="lax.sort_key_val")
    w.add("sort_middle", lambda x: (lax.sort(x, dimension=1), jnp.lexsort((x[0, :, 0], x[1, :, 0]))), floats(104, 2, 4, 3), tol="exact", of="lax.sort")
    for d in [*REAL, np.dtype(I32), np.dtype("uint8")]:
        x = floats(105, 3, 8, dtype=d) if d in REAL else words(105, 3, 8, dtype=d)
        w.add(f"top_k_{w_name(d)}", lambda x: (lax.top_k(x, 3), lax.top_k(x, 8)), x, tol="exact", of="lax.top_k")
    w.add("top_k_ties", lambda x: (lax.top_k(x, 4), lax.top_k(x, 2, axis=0)), ints(106, 3, 8, low=0, high=3).astype(F32), tol="exact", of="lax.top_k")
    w.add("approx_top_k", lambda x: (lax.approx_max_k(x, 3), lax.approx_min_k(x, 2, reduction_dimension=0), lax.approx_max_k(x, 3, recall_target=1.0, aggregate_to_topk=True)), floats(107, 4, 16), tol="exact", of="lax.approx_max_k")
    w.add("sort_grad", lambda x: (jax.grad(lambda x: (jnp.sort(x) * jnp.arange(6.0)).sum())(x), jax.grad(lambda x: lax.top_k(x, 2)[0].sum())(x)), floats(108, 6), tol="exact", of="lax.sort")
    x = np.array([3, 1, 3, 2, 1, 5], I32)
    w.add("sets", lambda x: (jnp.unique(x, size=4, return_inverse=True, return_counts=True), jnp.nonzero(x > 1, size=5, fill_value=-1), jnp.isin(x, jnp.array([1, 5])), jnp.union1d(x, jnp.array([7]), size=6), jnp.intersect1d(x, jnp.array([5, 1, 9]), size=3), jnp.argwhere(x == 3, size=2), jnp.flatnonzero(x, size=6), jnp.bincount(x, length=6)), x, of="jnp.unique")
    w.add("searches", lambda x, y: (jnp.searchsorted(x, y), jnp.searchsorted(x, y, side="right", method="sort"), jnp.searchsorted(x, y, method="compare_all"), jnp.digitize(y, x), jnp.interp(y, x, x * x), jnp.histogram(y, bins=4, range=(-1, 1)), jnp.partition(y, 2), jnp.argpartition(y, 2)), np.sort(floats(109, 7)), floats(110, 5), of="jnp.searchsorted")


def add_all(w):
    dots(w)
    convolutions(w)
    reductions(w)
    windows(w)
    select_and_scatter(w)
    sorts(w)

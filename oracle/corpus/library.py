"""Random numbers and functions of wide use."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .elementwise import w_name
from .values import BF16, F16, F32, F64, I32, bools, complexes, floats, ints, words

KEY = np.array([3, 9], np.uint32)


def random_numbers(w):
    def draw(name, f, *inputs, tol="relative", of=None, **options):
        w.add(f"random_{name}", lambda k, *xs: f(jax.random.wrap_key_data(k), *xs), KEY, *inputs, tol=tol, of=of or f"jax.random.{name}", reference=False, **options)

    for bits in (8, 16, 32, 64):
        draw(f"bits_{bits}", lambda k, b=bits: (jax.random.bits(k, (5,), f"uint{b}"), jax.random.bits(k, (), f"uint{b}")), of="jax.random.bits", x64=True)
    draw("keys", lambda k: tuple(jax.random.key_data(x) for x in (jax.random.split(k, 3), jax.random.fold_in(k, 7), jax.random.split(k, (2, 2)), jax.random.clone(k))), of="jax.random.split")
    w.add("random_seed", lambda s: (jax.random.key_data(jax.random.key(s)), jax.random.PRNGKey(s)), I32(-5), of="jax.random.key")
    for d in (F16, BF16, F32, F64):
        s = w_name(np.dtype(d))
        draw(f"uniform_{s}", lambda k, d=d: (jax.random.uniform(k, (2, 3), d), jax.random.uniform(k, (4,), d, -3, 5)), of="jax.random.uniform", tol="exact", x64=d == F64)
        draw(f"normal_{s}", lambda k, d=d: jax.random.normal(k, (7,), d), of="jax.random.normal", x64=d == F64)
    draw("normal_complex", lambda k: jax.random.normal(k, (3,), jnp.complex64), of="jax.random.normal")
    draw("randint", lambda k: (jax.random.randint(k, (5,), -3, 9), jax.random.randint(k, (3,), 0, 200, jnp.uint8), jax.random.bernoulli(k, 0.3, (6,)), jax.random.rademacher(k, (4,))))
    draw("permutation", lambda k, x: (jax.random.permutation(k, 9), jax.random.permutation(k, x), jax.random.choice(k, 7, (3,)), jax.random.choice(k, 7, (3,), replace=False)), floats(1, 5, 2))
    draw("categorical", lambda k, x: (jax.random.categorical(k, x), jax.random.categorical(k, x, 0, shape=(2, 5))), floats(2, 4, 5))
    draw("gamma", lambda k, a: (jax.random.gamma(k, a), jax.random.loggamma(k, a)), floats(3, 4, low=0.3, high=4), tol="relative:1e-4")
    draw("poisson", lambda k, a: jax.random.poisson(k, a), np.array([0.5, 3, 40], F32))
    draw("truncated_normal", lambda k: jax.random.truncated_normal(k, -1, 2, (6,)))
    draw("multivariate_normal", lambda k, c: jax.random.multivariate_normal(k, jnp.zeros(2), c, (3,)), np.array([[2, 0.5], [0.5, 1]], F32), tol="relative:1e-4")
    draw("orthogonal", lambda k: (lambda q: q @ q.T)(jax.random.orthogonal(k, 3)), tol="relative:1e-4")
    draw("vmapped", lambda k: jax.vmap(lambda k: jax.random.uniform(k, (2,)))(jax.random.split(k, 3)), of="jax.random.uniform")
    four = np.array([1, 2, 3, 4], np.uint32)
    for impl in ("rbg", "unsafe_rbg"):
        w.add(f"random_{impl}", lambda k, impl=impl: (lambda key: (jax.random.bits(key, (5,)), jax.random.uniform(key, (3,)), jax.random.key_data(jax.random.split(key)), jax.random.key_data(jax.random.fold_in(key, 3))))(jax.random.wrap_key_data(k, impl=impl)), four, of=f"jax.random.key(impl={impl})", reference=False, tol="relative:1e-6")
    for name, algorithm, key in (("philox", lax.RandomAlgorithm.RNG_PHILOX, four), ("threefry", lax.RandomAlgorithm.RNG_THREE_FRY, four), ("default", lax.RandomAlgorithm.RNG_DEFAULT, four)):
        w.add(f"rng_bit_generator_{name}", lambda k, a=algorithm: tuple(lax.rng_bit_generator(k, s, d, a) for s, d in (((7,), jnp.uint32), ((2, 3), jnp.uint32), ((3,), jnp.uint8), ((5,), jnp.uint16))), key, of="lax.rng_bit_generator")
        w.add(f"rng_bit_generator_{name}_u64", lambda k, a=algorithm: lax.rng_bit_generator(k, (5,), jnp.uint64, a), key, of="lax.rng_bit_generator", x64=True)
    w.add("rng_uniform_constant", lambda: lax.rng_uniform(F32(2), np.nextafter(F32(2), F32(3)), (4,)) > 1.5, of="lax.rng_uniform")


def neural(w):
    x = floats(10, 3, 4, low=-3, high=3)
    nn = jax.nn
    w.add("activations", lambda x: (nn.relu(x), nn.relu6(x), nn.gelu(x), nn.gelu(x, approximate=False), nn.silu(x), nn.softplus(x), nn.elu(x), nn.selu(x), nn.celu(x), nn.leaky_relu(x), nn.hard_tanh(x), nn.hard_sigmoid(x), nn.hard_silu(x), nn.log_sigmoid(x), nn.soft_sign(x), nn.mish(x), nn.glu(x), nn.squareplus(x), nn.sparse_plus(x)), x, of="jax.nn")
    for name, d in (("bf16", BF16), ("f16", F16), ("f64", F64)):
        w.add(f"activations_{name}", lambda x: (nn.relu(x), nn.gelu(x), nn.silu(x), nn.softmax(x), nn.softplus(x), jnp.tanh(x) * x + 1), x.astype(d), of="jax.nn")
    w.add("activation_grads", lambda x: tuple(jax.grad(lambda x, f=f: f(x).sum())(x) for f in (nn.gelu, nn.silu, nn.softplus, nn.elu, lambda x: nn.softmax(x) ** 2, nn.log_sigmoid, nn.mish)), x, of="jax.nn")
    w.add("one_hot", lambda i: (nn.one_hot(i, 5), nn.one_hot(i, 3, dtype=jnp.int32), nn.one_hot(i, 4, axis=0)), ints(11, 4, low=-1, high=6), tol="exact", of="jax.nn.one_hot")
    w.add("normalizations", lambda x: ((x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5), x * lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-6), x / jnp.linalg.norm(x, axis=-1, keepdims=True)), x, of="lax.rsqrt")
    w.add("rotary", rotary, floats(12, 2, 5, 2, 4), of="jnp.sin")
    w.add("cross_entropy_grad", jax.value_and_grad(lambda x, i: -jnp.take_along_axis(nn.log_softmax(x), i[:, None], 1).mean()), x, np.array([1, 3, 0], I32), of="jax.nn.log_softmax")
    w.add("image_resize", lambda x: tuple(jax.image.resize(x, (5, 3), m) for m in ("nearest", "linear", "cubic", "lanczos3")), floats(13, 3, 4), of="jax.image.resize", tol="relative:1e-4")
    w.add("map_coordinates", lambda x, c: (jax.scipy.ndimage.map_coordinates(x, c, 1), jax.scipy.ndimage.map_coordinates(x, c, 0, mode="nearest")), floats(14, 4, 4), floats(15, 2, 3, low=0.1, high=2.9), of="scipy.ndimage.map_coordinates", tol="relative:1e-4")


def rotary(x):
    angle = jnp.arange(5, dtype=F32)[:, None] * 100.0 ** (-jnp.arange(2, dtype=F32) / 2)
    c, s = jnp.cos(angle)[None, :, None], jnp.sin(angle)[None, :, None]
    a, b = x[..., :2], x[..., 2:]
    return jnp.concatenate([a * c - b * s, a * s + b * c], -1)


def numpy_functions(w):
    x, y, i, j = floats(20, 3, 4, low=-3, high=3), floats(21, 3, 4, low=0.2, high=3), ints(22, 3, 4), ints(23, 3, 4, low=1, high=5)
    w.add("jnp_integers", lambda i, j: (i // j, i % j, jnp.divmod(i, -j), jnp.gcd(i, j), jnp.lcm(i, j), i**2, jnp.left_shift(i, j), jnp.bitwise_count(i), jnp.sign(i), jnp.abs(i), jnp.floor_divide(i, 3), jnp.invert(i), jnp.float_power(j, 2.0), jnp.bitwise_right_shift(i, 1)), i, j, of="jnp", reference=False)
    w.add("jnp_floats", lambda x, y: (x // y, x % y, jnp.fmod(x, y), jnp.divmod(x, y), jnp.power(y, x), jnp.round(x, 1), jnp.isclose(x, y), jnp.maximum(x, y), jnp.fmax(x, y), jnp.degrees(x), jnp.cbrt(x), jnp.exp2(x), jnp.log2(y), jnp.log10(y), jnp.logaddexp2(x, y), jnp.true_divide(x, y)), x, y, of="jnp", reference=False)
    w.add("jnp_comparisons", lambda x, y: (jnp.array_equal(x, y), jnp.allclose(x, x), jnp.logical_xor(x > 0, y > 1), jnp.isnan(x), jnp.isposinf(x), jnp.any(x > 2, 1), jnp.all(x < 3)), x, y, of="jnp")
    w.add("jnp_calculus", lambda x, y: (jnp.diff(x), jnp.gradient(x[0]), jnp.trapezoid(y, dx=0.5), jnp.cumsum(x, 1), jnp.ediff1d(x), jnp.polyval(y[0], x), jnp.convolve(x[0], y[0]), jnp.unwrap(x[0] * 3)), x, y, of="jnp.diff")
    w.add("jnp_shapes", lambda x: (jnp.ravel(x), jnp.atleast_3d(x), jnp.array_split(x, 3, 1), jnp.dstack([x, x]), jnp.column_stack([x, x]), jnp.rollaxis(x, 1), jnp.flipud(x), jnp.resize(x, (5, 3)), jnp.block([[x, x], [x, x]])), x, tol="exact", of="jnp.ravel")
    w.add("jnp_complex", lambda c: (jnp.angle(c), jnp.abs(c), jnp.conj(c), jnp.real(c) + jnp.imag(c), jnp.exp(1j * jnp.abs(c)), c.sum(), c.mean(), jnp.sqrt(c), c**2, c * 2.0, jnp.isfinite(c), c @ c, jnp.vdot(c, c)), complexes(24, 5), of="jnp.angle")
    w.add("jnp_polynomials", lambda p, x: (jnp.polyfit(x, x * x, 2), jnp.polyadd(p, p), jnp.polymul(p, x), jnp.polyder(p), jnp.polyint(p), jnp.poly(x)), floats(25, 3), floats(26, 4), of="jnp.polyfit", tol="relative:1e-4", reference=False)
    w.add("jnp_apply", lambda x: (jnp.apply_along_axis(lambda r: r.sum() * r, 1, x), jnp.vectorize(lambda a, b: a * b + 1)(x, 2.0), jnp.fromfunction(lambda i, j: i + j, (2, 3)), jnp.indices((2, 2)), jnp.packbits(x > 0, axis=1), jnp.unpackbits(jnp.uint8(77))), x, of="jnp.apply_along_axis")
    w.add("ode_step", lambda y: lax.fori_loop(0, 8, lambda i, y: y + 0.125 * jnp.stack([y[1], -y[0]]), y), np.array([1, 0], F32), of="lax.fori_loop")
    w.add("sparse_product", lambda v, i, x: jax.ops.segment_sum(v[:, None] * x[i[:, 1]], i[:, 0], 3), floats(28, 5), np.array([[0, 1], [2, 3], [0, 0], [1, 2], [2, 2]], I32), floats(29, 4, 2), of="jax.ops.segment_sum")


def add_all(w):
    random_numbers(w)
    neural(w)
    numpy_functions(w)

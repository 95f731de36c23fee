"""Small JAX functions lowered to StableHLO text, with inputs and outputs.

Writes, under `stablehlo/`, `<name>.mlir` as `jax.jit(f).lower(...).as_text()` prints it, and one
`values.safetensors` with `<name>/in/<i>` and `<name>/out/<i>`; `index.json` lists names, input and output counts and ops.
"""

import common
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)

FLOAT = np.float32


def floats(stream, *shape, scale=2.0, dtype=FLOAT):
    return np.asarray(common.unit(6000 + stream, shape) * np.float32(scale)).astype(dtype)


def ints(stream, *shape, n=10, low=0, dtype=np.int32):
    return (common.integers(6500 + stream, shape, n) + low).astype(dtype)


def bools(stream, *shape):
    return common.integers(6800 + stream, shape, 2).astype(bool)


X, Y, Z = floats(0, 3, 4), floats(1, 3, 4), floats(2, 4, 5)
V, C = floats(3, 6), floats(4, 2, 3, 4)
I, J = ints(0, 3, 4, low=-4), ints(1, 3, 4, n=5, low=1)
U = ints(2, 6, n=1 << 31, dtype=np.uint32)
P, Q = bools(0, 3, 4), bools(1, 3, 4)
S = lambda x: np.int32(x)


def loop_sum(x, n):
    return lax.fori_loop(0, n, lambda i, s: s + x[i % 3], jnp.zeros_like(x[0]))


def scan_rnn(w, xs):
    def step(h, x):
        h = jnp.tanh(h @ w + x)
        return h, h.sum()

    return lax.scan(step, jnp.zeros(4, FLOAT), xs)


def scan_reverse(xs):
    return lax.scan(lambda c, x: (c * 0.5 + x, c), jnp.zeros((), FLOAT), xs, reverse=True)


def attention(q, k, v):
    s = jnp.einsum("btd,bsd->bts", q, k) / jnp.sqrt(jnp.float32(q.shape[-1]))
    s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -jnp.inf)
    return jax.nn.softmax(s, -1) @ v


def layer_norm(x, g, b):
    mean = x.mean(-1, keepdims=True)
    var = jnp.square(x - mean).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(var + 1e-5) * g + b


def cross_entropy(z, labels):
    return (jax.nn.logsumexp(z, -1) - jnp.take_along_axis(z, labels[:, None], -1)[:, 0]).mean()


@jax.jit
def helper(x):
    return jnp.sin(x) * 2


def collatz(n):
    return lax.while_loop(lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, jnp.int32(0)))


def gather_general(x, i):
    numbers = lax.GatherDimensionNumbers(offset_dims=(1, 2), collapsed_slice_dims=(0,), start_index_map=(0, 2))
    return lax.gather(x, i, numbers, (1, 2, 3), mode=lax.GatherScatterMode.CLIP)


def gather_batched(x, i):
    return jax.vmap(lambda row, k: lax.dynamic_slice(row, (k,), (2,)))(x, i)


def scatter_general(x, i, u):
    numbers = lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    return lax.scatter_add(x, i, u, numbers), lax.scatter(x, i, u, numbers), lax.scatter_max(x, i, u, numbers)


def table():
    """Name, function, inputs."""
    t = []

    def add(name, f, *inputs):
        t.append((name, f, inputs))

    add("arithmetic", lambda x, y: (x + y, x - y, x * y, x / y, -x, lax.rem(x, y), lax.max(x, y), lax.min(x, y)), X, Y)
    add("exponentials", lambda x: (lax.exp(x), lax.expm1(x), lax.logistic(x), lax.tanh(x)), X)
    add("logarithms", lambda x: (lax.log(x), lax.log1p(x), lax.sqrt(x), lax.rsqrt(x), lax.cbrt(x)), np.abs(X) + FLOAT(0.1))
    add("trigonometry", lambda x, y: (lax.sin(x), lax.cos(x), lax.tan(x), lax.atan2(x, y)), X, Y)
    add("hyperbolic", lambda x: (lax.sinh(x), lax.cosh(x), lax.asinh(x), lax.atan(x), lax.asin(x)), X * FLOAT(0.9))
    add("powers", lambda x, y: (lax.pow(x, y), lax.integer_pow(x, 3), lax.integer_pow(x, -2), lax.square(x)), np.abs(X) + FLOAT(0.1), Y)
    add("special", lambda x: (lax.erf(x), lax.erf_inv(x * FLOAT(0.9)), lax.lgamma(x + 2), lax.digamma(x + 2)), X)
    add("rounding", lambda x: (lax.floor(x), lax.ceil(x), lax.round(x), lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), lax.sign(x), lax.abs(x), lax.is_finite(x)), X * FLOAT(3))
    add("integers", lambda x, y: (x + y, x - y, x * y, lax.div(x, y), lax.rem(x, y), x // y, x % y, lax.abs(x), lax.sign(x), lax.max(x, y)), I, J)
    add("bits", lambda x, y: (x & y, x | y, x ^ y, ~x, lax.shift_left(x, y), lax.shift_right_arithmetic(x, y), lax.shift_right_logical(x, y)), I, J)
    add("bit_counts", lambda x: (lax.population_count(x), lax.clz(x), x + x, x * jnp.uint32(2654435761)), U)
    add("small_integers", lambda x, y: (x + y, x * y, lax.rem(x, y)), ints(5, 8, n=200, dtype=np.uint8), ints(6, 8, n=100, low=1, dtype=np.uint8))
    add("wide_integers", lambda x: (x * x, x - 1, x >> 3), ints(7, 5, n=1 << 30, dtype=np.int64))
    add("doubles", lambda x: (jnp.exp(x), jnp.sqrt(jnp.abs(x)), x.sum(), x @ x.T), floats(7, 3, 4, dtype=np.float64))
    add("halves", lambda x, y: (x + y, x * y, jnp.exp(x), x.astype(jnp.float32)), floats(8, 6, dtype=jnp.bfloat16), floats(9, 6, dtype=jnp.bfloat16))
    add("float16", lambda x, y: (x + y, x * y, x.astype(jnp.float32)), floats(8, 6, dtype=np.float16), floats(9, 6, dtype=np.float16))
    add("logic", lambda p, q: (p & q, p | q, p ^ q, ~p), P, Q)
    add("compare", lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y), X, Y)
    add("compare_integers", lambda x, y: (x < y, x >= y, x == y), I, J)
    add("select", lambda p, x, y: lax.select(p, x, y), P, X, Y)
    add("select_scalar", lambda p, x, y: lax.select(p, x, y), np.bool_(True), X, Y)
    add("clamp", lambda x: lax.clamp(FLOAT(-0.3), x, FLOAT(0.4)), X)
    add("convert", lambda x, i, p: (x.astype(jnp.int32), i.astype(jnp.float32), p.astype(jnp.float32), x.astype(jnp.bfloat16), x.astype(jnp.float64), i.astype(jnp.uint8), x.astype(bool)), X * FLOAT(5), I, P)
    add("bitcast", lambda x: lax.bitcast_convert_type(x, jnp.uint32), X)
    add("iota", lambda: (lax.iota(jnp.int32, 5), lax.broadcasted_iota(jnp.float32, (2, 3), 1), jnp.arange(3, dtype=jnp.uint8)))
    add("constants", lambda: (jnp.array([[1.5, -2.25], [3e-7, 4e8]], jnp.float32), jnp.full((2, 3), -0.0, jnp.float32), jnp.array([True, False]), jnp.array([jnp.inf, -jnp.inf, jnp.nan], jnp.float32)))
    add("broadcast", lambda v, s: (lax.broadcast_in_dim(v, (2, 6, 3), (1,)), jnp.broadcast_to(s, (2, 2))), V, FLOAT(1.5))
    add("reshape", lambda x: (x.reshape(12), x.reshape(2, 6), x.reshape(3, 1, 4)), X)
    add("transpose", lambda c: (c.transpose(2, 0, 1), jnp.swapaxes(c, 0, 1)), C)
    add("reverse", lambda c: lax.rev(c, (0, 2)), C)
    add("slice", lambda x: (x[1:], x[:, ::2], x[0:2, 1:4:2], x[::-1]), X)
    add("dynamic_slice", lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)), X, S(1), S(7))
    add("dynamic_index", lambda x, i: x[i], X, S(-1))
    add("dynamic_update", lambda x, u, i: (lax.dynamic_update_slice(x, u, (i, S(1))), x.at[i].set(7.0)), X, floats(10, 2, 2), S(2))
    add("concatenate", lambda x, y: (jnp.concatenate([x, y], 0), jnp.concatenate([x, y, x], 1), jnp.stack([x, y], 1)), X, Y)
    add("pad", lambda x: (lax.pad(x, FLOAT(0.5), [(1, 2, 0), (0, 1, 2)]), lax.pad(x, FLOAT(0), [(-1, 0, 0), (1, -2, 0)])), X)
    add("take_rows", lambda x, i: x[i], floats(11, 7, 3), ints(8, 5, n=7))
    add("take_along", lambda x, i: jnp.take_along_axis(x, i, 1), X, ints(9, 3, 2, n=4))
    add("gather_general", gather_general, floats(12, 5, 4, 6), ints(10, 3, 2, n=7))
    add("gather_batched", gather_batched, X, ints(11, 3, n=4))
    add("scatter_add_rows", lambda x, i, u: x.at[i].add(u), floats(13, 7, 3), ints(12, 5, n=9), floats(14, 5, 3))
    add("scatter_set", lambda x, u: x.at[jnp.array([2, 0])].set(u), floats(13, 7, 3), floats(14, 2, 3))
    add("scatter_mul_min", lambda x, i, u: (x.at[i].multiply(u), x.at[i].min(u)), floats(13, 7, 3), ints(12, 5, n=7), floats(14, 5, 3))
    add("scatter_general", scatter_general, floats(15, 5, 3), ints(13, 4, 1, n=6), floats(16, 4, 3))
    add("embedding_gradient", jax.grad(lambda w, i: jnp.sin(w[i]).sum()), floats(17, 6, 3), ints(14, 2, 4, n=6))
    add("dot", lambda x, z: (x @ z, x[0] @ z, x[0] @ x[1]), X, Z)
    add("dot_batch", lambda a, b: jnp.einsum("bij,bjk->bik", a, b), C, floats(18, 2, 4, 5))
    add("dot_heads", lambda q, k: jnp.einsum("bthd,bshd->bhts", q, k), floats(19, 2, 3, 2, 4), floats(20, 2, 5, 2, 4))
    add("dot_two_contractions", lambda a, b: lax.dot_general(a, b, (((1, 2), (0, 1)), ((), ()))), C, floats(21, 3, 4, 2))
    add("dot_mixed", lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32), floats(22, 3, 4, dtype=jnp.bfloat16), floats(23, 4, 2, dtype=jnp.bfloat16))
    add("dot_integers", lambda a, b: a @ b, I, J.T)
    add("reduce", lambda c: (c.sum((0, 2)), c.max(1), c.min(), c.mean(-1), c.prod(0)), C)
    add("reduce_logic", lambda p: (p.any(0), p.all(1), jnp.sum(p)), P)
    add("argmax", lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0), jnp.argmax(x)), X)
    add("reduce_general", lambda x: lax.reduce(x, FLOAT(0), lambda a, b: a + b + a * b, (1,)), X * FLOAT(0.3))
    add("cumulative", lambda x: (jnp.cumsum(x, 1), lax.cummax(x, 0), lax.cumsum(x, 1, reverse=True)), X)
    add("sort", lambda x: (jnp.sort(x, 1), jnp.argsort(x, 0), -jnp.sort(-x, 1)), X)
    add("sort_pairs", lambda k, v: lax.sort((k, v), dimension=0, num_keys=2), ints(15, 8, n=3), floats(24, 8))
    add("top_k", lambda x: lax.top_k(x, 2), X)
    add("while", collatz, S(27))
    add("fori", loop_sum, X, S(5))
    add("scan", scan_rnn, floats(25, 4, 4, scale=0.8), floats(26, 5, 4))
    add("scan_reverse", scan_reverse, V)
    add("scan_gradient", jax.grad(lambda w, xs: scan_rnn(w, xs)[1].sum()), floats(25, 4, 4, scale=0.8), floats(26, 5, 4))
    add("cond", lambda p, x: lax.cond(p, jnp.sin, lambda x: x * 2, x), np.bool_(False), X)
    add("switch", lambda i, x: lax.switch(i, [jnp.sin, lambda x: x * 2, lambda x: x.at[0].set(1.0)], x), S(2), X)
    add("batched_cond", jax.vmap(lambda p, x: lax.cond(p, jnp.sin, lambda x: x * 2, x)), bools(2, 3), X)
    add("batched_while", jax.vmap(collatz), np.array([6, 1, 11], np.int32))
    add("call", lambda x: helper(helper(x)) + helper(x[0]), X)
    add("remat_gradient", jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.tanh(x)).sum())), X)
    add("softmax", lambda x: (jax.nn.softmax(x, -1), jax.nn.logsumexp(x, -1), jax.nn.log_softmax(x, 0)), X)
    add("activations", lambda x: (jax.nn.gelu(x), jax.nn.silu(x), jax.nn.relu(x), jax.nn.softplus(x)), X)
    add("layer_norm", layer_norm, X, floats(27, 4), floats(28, 4))
    add("layer_norm_gradient", jax.grad(lambda *a: jnp.cos(layer_norm(*a)).sum(), (0, 1, 2)), X, floats(27, 4), floats(28, 4))
    add("attention", attention, floats(29, 2, 4, 3), floats(30, 2, 4, 3), floats(31, 2, 4, 3))
    add("attention_gradient", jax.grad(lambda *a: jnp.sin(attention(*a)).sum(), (0, 1, 2)), floats(29, 2, 4, 3), floats(30, 2, 4, 3), floats(31, 2, 4, 3))
    add("cross_entropy", jax.value_and_grad(cross_entropy), floats(32, 4, 7), ints(16, 4, n=7))
    add("threefry", lambda k: jax.random.bits(k, (5,)), np.array([3, 9], np.uint32))
    add("uniform", lambda k: jax.random.uniform(k, (2, 3), jnp.float32), np.array([3, 9], np.uint32))
    add("normal", lambda k: jax.random.normal(k, (7,), jnp.float32), np.array([3, 9], np.uint32))
    return t


def main():
    index, tensors = [], {}
    folder = common.GOLDEN / "stablehlo"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.mlir"):
        old.unlink()
    ops = set()
    for name, f, inputs in table():
        f.__name__ = name
        lowered = jax.jit(f, keep_unused=True).lower(*inputs)
        text = lowered.as_text()
        used = {word.strip('",') for word in text.replace("(", " ").split() if word.strip('"').startswith(("stablehlo.", "chlo."))}
        ops |= used
        (folder / f"{name}.mlir").write_text(text)
        outputs = jax.tree.leaves(lowered.compile()(*inputs))
        for i, x in enumerate(inputs):
            tensors[f"{name}/in/{i}"] = np.asarray(x)
        for i, x in enumerate(outputs):
            tensors[f"{name}/out/{i}"] = np.asarray(x)
        index.append(dict(name=name, inputs=len(inputs), outputs=len(outputs), ops=sorted(used)))
    common.save_json("stablehlo/index.json", index, compact=True)
    common.save_tensors("stablehlo/values.safetensors", tensors)
    print(len(index), "functions,", sum(p.stat().st_size for p in folder.glob("*.mlir")), "bytes of text;", len(ops), "ops:")
    print(*sorted(ops))


if __name__ == "__main__":
    main()

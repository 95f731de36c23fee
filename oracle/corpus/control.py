"""Control flow, calls, custom rules, tokens, shardings and collectives on one device."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from .values import F32, F64, I32, I64, bools, complexes, floats, ints

X, Y, V = floats(1, 3, 4), floats(2, 3, 4), floats(3, 6)


def mesh():
    return Mesh(np.array(jax.devices()[:1]), ("x",))


def loops(w):
    w.add("while_collatz", lambda n: lax.while_loop(lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, jnp.int32(0))), I32(27), of="lax.while_loop")
    w.add("while_vmapped", jax.vmap(lambda n: lax.while_loop(lambda s: s[0] < 50, lambda s: (s[0] * 2, s[1] + 1), (n, jnp.int32(0)))), np.array([3, 60, 11, 1], I32), of="lax.while_loop")
    w.add("while_captures", lambda x, t: lax.while_loop(lambda s: jnp.sum(s) < t, lambda s: s + jnp.abs(x), x), X, F32(9), of="lax.while_loop")
    w.add("while_newton", lambda a: lax.while_loop(lambda s: jnp.abs(s * s - a) > 1e-5, lambda s: 0.5 * (s + a / s), a), F32(7), of="lax.while_loop", reference=False)
    w.add("while_nested", lambda n: lax.fori_loop(0, n, lambda i, s: lax.fori_loop(0, i + 1, lambda j, s: s + i * j, s), jnp.int32(0)), I32(5), of="lax.fori_loop")
    w.add("while_never", lambda x: lax.while_loop(lambda s: False, lambda s: s + 1, x), X, of="lax.while_loop")
    w.add("fori_static", lambda x: lax.fori_loop(0, 5, lambda i, s: s * 0.5 + x[i % 3], jnp.zeros(4, F32)), X, of="lax.fori_loop")
    w.add("fori_dynamic", lambda x, n: lax.fori_loop(1, n, lambda i, s: s.at[i % 3].add(i.astype(F32)), x), X, I32(5), of="lax.fori_loop")
    w.add("fori_unrolled", lambda x: lax.fori_loop(0, 3, lambda i, s: jnp.sin(s) + i, x, unroll=True), X, of="lax.fori_loop")
    w.add("fori_i64", lambda n: lax.fori_loop(jnp.int64(0), n, lambda i, s: s * 3 + i, jnp.int64(1)), I64(9), of="lax.fori_loop")

    def rnn(m, xs):
        def step(h, x):
            h = jnp.tanh(h @ m + x)
            return h, (h.sum(), h[:2])

        return lax.scan(step, jnp.zeros(4, F32), xs)

    m, xs = floats(4, 4, 4), floats(5, 5, 4)
    w.add("scan_rnn", rnn, m, xs, of="lax.scan")
    w.add("scan_rnn_grad", jax.grad(lambda m, xs: sum(y.sum() for y in rnn(m, xs)[1]), (0, 1)), m, xs, of="lax.scan")
    w.add("scan_rnn_hessian_vector", lambda m, xs, t: jax.jvp(jax.grad(lambda m: rnn(m, xs)[0].sum()), (m,), (t,))[1], m, xs, floats(6, 4, 4), of="lax.scan")
    w.add("scan_rnn_vmapped", lambda m, xs: jax.vmap(rnn, (None, 0))(m, xs), m, floats(7, 2, 5, 4), of="lax.scan")
    w.add("scan_reverse", lambda xs: lax.scan(lambda c, x: (c * 0.5 + x, c), jnp.zeros((), F32), xs, reverse=True), V, of="lax.scan")
    w.add("scan_unrolled", lambda xs: lax.scan(lambda c, x: (c * 0.5 + x, c), jnp.zeros((), F32), xs, unroll=4), V, of="lax.scan")
    w.add("scan_no_inputs", lambda x: lax.scan(lambda c, _: (c * 0.9, c.sum()), x, None, length=4), X, of="lax.scan")
    w.add("scan_integers", lambda xs: lax.scan(lambda c, x: ((c[0] + x, c[1] ^ x), c[0] * x), (jnp.int32(0), jnp.int32(0)), xs), ints(1, 7), of="lax.scan")
    w.add("scan_empty", lambda xs: lax.scan(lambda c, x: (c + x.sum(), x * 2), F32(1), xs), np.zeros((0, 3), F32), of="lax.scan")
    w.add("scan_nested", lambda xs: lax.scan(lambda c, row: lax.scan(lambda c, x: (c + x, c * x), c, row), F32(0), xs), X, of="lax.scan")
    w.add("scan_checkpointed_grad", jax.grad(lambda m, xs: lax.scan(jax.checkpoint(lambda h, x: (jnp.tanh(h @ m + x), None)), jnp.zeros(4, F32), xs)[0].sum()), m, xs, of="lax.scan")
    w.add("map", lambda x: lax.map(lambda r: (jnp.sort(r), r.sum()), x), X, of="lax.map")
    w.add("map_batched", lambda x: lax.map(jnp.sin, x, batch_size=2), floats(8, 5, 3), of="lax.map")
    w.add("associative_scan", lambda x: (lax.associative_scan(jnp.add, x), lax.associative_scan(jnp.maximum, x, axis=1), lax.associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (x, x * 2), reverse=True)), X, of="lax.associative_scan")
    w.add("reduce_with_loop_grad", jax.grad(lambda x: lax.fori_loop(0, 4, lambda i, s: jnp.sin(s) * x.sum(), F32(0.5))), V, of="lax.fori_loop")


def branches(w):
    for value in (False, True):
        w.add(f"cond_{str(value).lower()}", lambda p, x: lax.cond(p, jnp.sin, lambda x: x * 2, x), np.bool_(value), X, of="lax.cond")
    w.add("cond_captures", lambda p, x, y: lax.cond(p > 0, lambda: (x + y, x.sum()), lambda: (x * y, F32(0))), F32(-1), X, Y, of="lax.cond")
    w.add("cond_nested", lambda i, x: lax.cond(i > 2, lambda x: lax.cond(i > 5, lambda x: x + 1, lambda x: x - 1, x), lambda x: -x, x), I32(4), X, of="lax.cond")
    w.add("cond_vmapped", jax.vmap(lambda p, x: lax.cond(p, jnp.sin, lambda x: x * 2, x)), bools(2, 3), X, of="lax.cond")
    w.add("cond_grad", jax.grad(lambda x, p: lax.cond(p, lambda x: jnp.sin(x).sum(), lambda x: (x**3).sum(), x)), X, np.bool_(False), of="lax.cond")
    for i in (-1, 0, 1, 2, 9):
        w.add(f"switch_{'minus_' if i < 0 else ''}{abs(i)}", lambda i, x: lax.switch(i, [jnp.sin, lambda x: x * 2, lambda x: x.at[0].set(1.0)], x), I32(i), X, of="lax.switch")
    w.add("switch_vmapped", jax.vmap(lambda i, x: lax.switch(i, [jnp.cos, jnp.negative, jnp.exp], x)), np.array([2, 0, 7], I32), X, of="lax.switch")
    w.add("cond_no_results_used", lambda p, x: lax.cond(p, lambda x: (x, x), lambda x: (x, -x), x)[0], np.bool_(True), X, of="lax.cond")
    w.add("platform_dependent", lambda x: lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos), X, of="lax.platform_dependent")
    w.add("piecewise", lambda x: (jnp.piecewise(x, [x < -0.3, x > 0.3], [jnp.sin, jnp.cos, lambda x: x * 0]), jnp.select([x < 0, x > 0.5], [x, -x], 7.0), jnp.where(x > 0, x, 0), jnp.clip(x, -0.2, 0.2)), X, of="jnp.piecewise")


def calls(w):
    inner = jax.jit(lambda x: jnp.sin(x) * 2)
    w.add("jit_nested", lambda x: inner(inner(x)) + inner(x[0]), X, of="jax.jit")
    w.add("jit_deep", lambda x: jax.jit(lambda x: jax.jit(lambda y: jax.jit(jnp.tanh)(y) + 1)(x) * 2)(x), X, of="jax.jit")
    w.add("jit_inlined", lambda x: jax.jit(lambda x: x + 1, inline=True)(x), X, of="jax.jit")
    w.add("jit_many_results", lambda x, y: jax.jit(lambda a, b: (b, a, a + b, a))(x, y), X, Y, of="jax.jit")
    w.add("unused_arguments", lambda x, y: x * 2, X, Y, of="jax.jit")
    w.add("results_are_arguments", lambda x, y: (y, x, y), X, Y, of="jax.jit")
    w.add("no_arguments", lambda: (jnp.float32(3), jnp.arange(3.0)), of="jax.jit", reference=False)

    def square_plus(x, *, shift):
        return x * x + shift

    w.add("composite", lambda x: lax.composite(square_plus, "jarrah.square_plus", version=2)(x, shift=np.float32(1.5)) + 1, X, of="lax.composite")
    w.add("composite_nested", lambda x: lax.composite(lambda x: lax.composite(jnp.sin, "jarrah.sine")(x) * 2, "jarrah.outer")(x), X, of="lax.composite")
    w.add("named_scopes", lambda x: named(x), X, of="jax.named_scope")
    w.add("optimization_barrier", lambda x, y: lax.optimization_barrier((x + y, x * y)), X, Y, of="lax.optimization_barrier")
    w.add("remat_grad", jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.tanh(x)).sum())), X, of="jax.checkpoint")
    w.add("remat_policy_grad", jax.grad(lambda x, m: jax.checkpoint(lambda x: jnp.sin(jnp.tanh(x) @ m).sum(), policy=jax.checkpoint_policies.dots_saveable)(x)), X, floats(9, 4, 4), of="jax.checkpoint")

    @jax.custom_jvp
    def clipped(x):
        return jnp.minimum(x, 0.2)

    clipped.defjvp(lambda p, t: (clipped(p[0]), t[0] * 0.5))

    @jax.custom_vjp
    def scaled(x):
        return jnp.sin(x)

    scaled.defvjp(lambda x: (scaled(x), x), lambda r, g: (g * jnp.cos(r) * 3,))
    w.add("custom_jvp", lambda x, t: (clipped(x), jax.jvp(clipped, (x,), (t,))[1], jax.grad(lambda x: clipped(x).sum())(x)), X, Y, of="jax.custom_jvp")
    w.add("custom_vjp", lambda x: (scaled(x), jax.grad(lambda x: scaled(x).sum())(x)), X, of="jax.custom_vjp")
    w.add("custom_root", lambda a: lax.custom_root(lambda x: x**3 - a, F32(1), lambda f, x: lax.fori_loop(0, 12, lambda i, x: x - f(x) / (3 * x * x), x), lambda g, y: y / g(jnp.ones_like(y))), F32(2.5), of="lax.custom_root")
    w.add("custom_linear_solve", lambda a, b: lax.custom_linear_solve(lambda x: a @ x, b, lambda mv, b: jnp.linalg.solve(a, b), symmetric=True), np.array([[3, 1], [1, 2]], F32), floats(10, 2), of="lax.custom_linear_solve")
    w.add("conjugate_gradients", lambda a, b: jax.scipy.sparse.linalg.cg(lambda x: a @ x, b, maxiter=6)[0], np.array([[3, 1, 0], [1, 2, 0.5], [0, 0.5, 4]], F32), floats(11, 3), of="jax.scipy.sparse.linalg.cg", tol="relative:1e-4")
    w.add("derivatives", lambda x: (jax.jacfwd(jnp.sin)(x), jax.jacrev(lambda x: x @ jnp.outer(x, x))(x), jax.hessian(lambda x: jnp.exp(x).prod())(x), jax.jvp(jnp.tanh, (x,), (x,)), jax.linearize(jnp.cos, x)[1](x)), floats(12, 3), of="jax.jacfwd")
    w.add("stop_gradient", lambda x: (lax.stop_gradient(x), jax.grad(lambda x: (x * lax.stop_gradient(x)).sum())(x)), X, of="lax.stop_gradient")
    w.add("tokens", tokens, X, of="lax.after_all")


def named(x):
    with jax.named_scope("outer"), jax.named_scope("inner"):
        return jnp.sin(x) + 1


def tokens(x):
    lax.after_all(lax.create_token(), lax.create_token())
    return x * 2


def shardings(w):
    devices = mesh()
    sharding = NamedSharding(devices, P("x", None))
    w.add("sharding_constraint", lambda x: jnp.tanh(lax.with_sharding_constraint(x @ x.T, sharding)), X, of="lax.with_sharding_constraint")
    w.add("sharded_arguments", jax.jit(lambda x: x * 2, in_shardings=sharding, out_shardings=NamedSharding(devices, P())), X, of="jax.jit")
    smap = functools.partial(jax.shard_map, mesh=devices)
    w.add("shard_map_psum", smap(lambda x: lax.psum(x, "x"), in_specs=P("x"), out_specs=P()), X, of="lax.psum")
    collectives = {
        "pmax_pmin_pmean": lambda x: (lax.pmax(x, "x"), lax.pmin(x, "x"), lax.pmean(x, "x")),
        "all_gather": lambda x: lax.all_gather(x, "x", tiled=True),
        "all_to_all": lambda x: lax.all_to_all(x, "x", 0, 1, tiled=True),
        "ppermute": lambda x: lax.ppermute(x, "x", [(0, 0)]),
        "psum_scatter": lambda x: lax.psum_scatter(x, "x", tiled=True),
        "axis_index": lambda x: x + lax.axis_index("x").astype(F32) + lax.axis_size("x"),
    }
    for name, f in collectives.items():
        w.add(f"shard_map_{name}", smap(f, in_specs=P("x"), out_specs=P("x"), check_vma=False), X, of=f"lax.{name}")
    w.add("shard_map_pbroadcast", smap(lambda x: lax.pbroadcast(x, "x", 0), in_specs=P("x"), out_specs=P("x"), check_vma=False), X, of="lax.pbroadcast", platforms=("cuda",), outputs=[X])
    w.add("shard_map_grad", jax.grad(lambda x: smap(lambda x: lax.psum(jnp.sin(x).sum(), "x"), in_specs=P("x"), out_specs=P())(x)), X, of="jax.shard_map")


def add_all(w):
    loops(w)
    branches(w)
    calls(w)
    shardings(w)

"""Chains of transformations around a smooth function of two arrays, on JAX.

A program is a line of words: a shape, shells from the outermost to the innermost, and a base. Base and shells are
functions of `(x, w)`, both of the shape, that return an array of it; a shell `name.a.b` has integers. What each means is
stated by its function here and, next to each other, in `crates/testing/tests/compositions/{shells,bases}.rs`.
"""

import common  # noqa: F401  (chooses the CPU before JAX starts)
import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

POLICIES = [
    jax.checkpoint_policies.nothing_saveable,
    jax.checkpoint_policies.everything_saveable,
    jax.checkpoint_policies.dots_saveable,
    jax.checkpoint_policies.save_only_these_names("half"),
    jax.checkpoint_policies.dots_with_no_batch_dims_saveable,
]


def gram(x, by):
    """`x x^T / 5 + by I` of the last axis."""
    return x[..., :, None] * x[..., None, :] * 0.2 + by * jnp.eye(x.shape[-1], dtype=x.dtype)


def apply(a, x):
    return (a @ x[..., None])[..., 0]


def scatter(x, w):
    rows = jnp.moveaxis(x * 0.5, -1, 0).at[jnp.array([0, 2, 0])].add(jnp.moveaxis(jnp.sin(w), -1, 0))
    return jnp.moveaxis(rows, 0, -1)


def recurrence(x, w):
    def step(c, t):
        c = jnp.tanh(c * 0.7 + w * t)
        return c, c * t

    c, ys = lax.scan(step, x, jnp.moveaxis(jnp.stack([x, w, x * w]), 0, 0))
    return c + ys.sum(0)


def linear_recurrence(x, w):
    a, b = lax.associative_scan(lambda p, q: (p[0] * q[0], p[1] * q[0] + q[1]), (jnp.cos(x), w), axis=-1)
    return a * 0.5 + b


def centred(x):
    return x - x.mean(-1, keepdims=True)


BASES = {
    "sin": lambda x, w: jnp.sin(x) * w,
    "tanh": lambda x, w: jnp.tanh(x * w) + x * 0.2,
    "cubic": lambda x, w: x * x * x * 0.3 - x * w * w,
    "gauss": lambda x, w: jnp.exp(-x * x) * w,
    "quotient": lambda x, w: x / (jnp.cos(w) + 2.0) + w * w / (jnp.sin(x) + 2.0),
    "log1p": lambda x, w: jnp.log1p(x * x) * w,
    "log": lambda x, w: jnp.log(x * x + 1.5) * w,
    "sqrt": lambda x, w: jnp.sqrt(x * x + 1.0) * jnp.sin(w),
    "rsqrt": lambda x, w: lax.rsqrt(x * x + w * w + 1.0) * w,
    "sigmoid": lambda x, w: jax.nn.sigmoid(x * 2.0) * w,
    "expm1": lambda x, w: jnp.expm1(x * 0.5) * w,
    "erf": lambda x, w: special.erf(x) * w,
    "atan2": lambda x, w: jnp.arctan2(x, w * w + 2.0),
    "asinh": lambda x, w: jnp.arcsinh(x) * w,
    "cosh": lambda x, w: jnp.cosh(x) * w * 0.5 - jnp.sinh(w) * 0.5,
    "power": lambda x, w: (jnp.tanh(x) + 2.0) ** w,
    "fifth": lambda x, w: x**5 * 0.3 + w,
    "logaddexp": lambda x, w: jnp.logaddexp(x, w),
    "where": lambda x, w: jnp.where(x > w, x * x * w, jnp.sin(x) + w),
    "tan": lambda x, w: jnp.tan(jnp.tanh(x) * 0.5) * w,
    "lgamma": lambda x, w: special.gammaln(jnp.tanh(x) + 2.0) * w,
    "prod": lambda x, w: jnp.prod(x * 0.3 + 1.0, -1, keepdims=True) * w,
    "cumprod": lambda x, w: jnp.cumprod(x * 0.2 + 1.0, -1) * w,
    "gram": lambda x, w: apply(gram(x, 0.0), w),
    "matmul": lambda x, w: jnp.matmul(jnp.atleast_2d(x), jnp.atleast_2d(w).T) @ jnp.atleast_2d(x).reshape(-1, 3) * 0.3 if x.ndim == 2 else jnp.dot(x, w) * x * 0.3,
    "einsum": lambda x, w: jnp.einsum("...i,...j,...j->...i", x, w, x) * 0.3,
    "softmax": lambda x, w: jax.nn.softmax(x, -1) * w,
    "log_softmax": lambda x, w: jax.nn.log_softmax(x, -1) * w * 0.3,
    "logsumexp": lambda x, w: special.logsumexp(x, -1, keepdims=True) * w,
    "layer_norm": lambda x, w: centred(x) * lax.rsqrt(jnp.var(x, -1, keepdims=True) + 0.5) * w,
    "norm": lambda x, w: w * lax.rsqrt((x * x).sum() + 1.0),
    "cumsum": lambda x, w: jnp.cumsum(jnp.sin(x), -1) * w,
    "max": lambda x, w: jnp.max(jnp.sin(x), -1, keepdims=True) * w,
    "sort": lambda x, w: jnp.sort(x * x, -1) * w,
    "gather": lambda x, w: jnp.take(x, jnp.array([2, 0, 0]), -1) * jnp.sin(w),
    "flip": lambda x, w: jnp.flip(x, -1) * x + jnp.roll(w, 1, -1),
    "shift": lambda x, w: jnp.concatenate([x[..., 1:], x[..., :1]], -1) * w + jnp.sin(x),
    "scatter": lambda x, w: scatter(x, w) * x,
    "scan": recurrence,
    "associative_scan": linear_recurrence,
    "fori": lambda x, w: lax.fori_loop(0, 3, lambda i, c: c * jnp.cos(w) + x * 0.1 * i, x),
    "solve": lambda x, w: jnp.linalg.solve(gram(x, 2.0), w[..., None])[..., 0],
    "cholesky": lambda x, w: apply(jnp.linalg.cholesky(gram(x, 2.0)), w),
    "inv": lambda x, w: apply(jnp.linalg.inv(gram(x, 1.0)), w),
    "det": lambda x, w: jnp.linalg.det(gram(x, 1.0))[..., None] * w,
    "slogdet": lambda x, w: jnp.linalg.slogdet(gram(x, 1.0))[1][..., None] * w,
    "triangular": lambda x, w: lax.linalg.triangular_solve(jnp.tril(gram(x, 2.0)), w[..., None], left_side=True, lower=True)[..., 0],
    "eigvalsh": lambda x, w: jnp.linalg.eigvalsh(gram(x, 0.0) + jnp.diag(jnp.array([0, 1, 2], x.dtype))) * w,
    "gelu": lambda x, w: jax.nn.gelu(x) * w,
    "silu": lambda x, w: jax.nn.silu(x) * w,
    "fft": lambda x, w: jnp.fft.ifft(jnp.fft.fft(x) * jnp.fft.fft(w)).real * 0.3,
}  # fmt: skip


# Shells: each takes the inner function, a name of its own, and its integers, and gives a function of (x, w).


def grad(f, name, of):
    def shell(x, w):
        weights = jnp.cos(x)
        loss = lambda a, b: (f(a, b) * weights).sum()
        if of < 2:
            return jax.grad(loss, of)(x, w)
        value, (dx, dw) = jax.value_and_grad(loss, (0, 1))(x, w)
        return dx + dw * x + value * 0.1

    return shell


def jvp(f, name, of):
    def shell(x, w):
        if of == 0:
            y, dy = jax.jvp(f, (x, w), (w, x * 0.5))
            return y * 0.1 + dy
        return jax.jvp(lambda a: f(a, w), (x,), (jnp.sin(w),))[1]

    return shell


def vjp(f, name):
    def shell(x, w):
        y, pull = jax.vjp(f, x, w)
        dx, dw = pull(jnp.cos(x) + y * 0.1)
        return dx + dw * 0.5

    return shell


def thirds(y, axis):
    """The three slices along an axis, weighed."""
    a, b, c = (lax.index_in_dim(y, i, axis, keepdims=False) for i in range(3))
    return a + b * 0.5 - c * 0.7


def vmap(f, name, a, b, c):
    """The axis of `w` is `b`, or none where `b` is 9."""

    def shell(x, w):
        xs = jnp.stack([x, x * 0.5 + w, x * w], a)
        ws = w if b == 9 else jnp.stack([w, w * 0.7, x], b)
        return thirds(jax.vmap(f, (a, None if b == 9 else b), c)(xs, ws), c % (x.ndim + 1))

    return shell


def named(f, name, kind):
    def element(x, w):
        match kind:
            case 0:
                y = f(x, w)
                return y - lax.pmean(y, name) * 0.5
            case 1:
                return lax.psum(f(x, w) * (lax.axis_index(name) + 1) * 0.3, name) * x
            case 2:
                return f(lax.psum(x, name) * 0.3, w) + lax.all_gather(w, name)[1]
            case _:
                return f(lax.ppermute(x, name, [(0, 1), (1, 2), (2, 0)]), w)

    def shell(x, w):
        xs = jnp.stack([x, x * 0.5 + w, x * w])
        return thirds(jax.vmap(element, (0, None), axis_name=name)(xs, w), 0)

    return shell


def scan(f, name, length, reverse):
    def shell(x, w):
        def step(c, t):
            y = f(c, t)
            return y * 0.5 + c * 0.3 + x * 0.1, y * jnp.cos(c)

        ws = jnp.stack([w, w * 0.5, x][:length])
        c, ys = lax.scan(step, x, ws, reverse=bool(reverse))
        return c + thirds(jnp.concatenate([ys, ws, ws])[:3], 0)

    return shell


def steps(f, w):
    test = lambda s: (s[0] < 3) & (s[1].sum() < 2.0)
    body = lambda s: (s[0] + 1, f(s[1], w) * 0.5 + s[1] * 0.5)
    return test, body


def while_(f, name):
    def shell(x, w):
        return lax.while_loop(*steps(f, w), (0, x))[1]

    return shell


def bounded(f, name, most):
    """A loop of at most `most` steps, as a scan whose steps do nothing once the test is false."""

    def shell(x, w):
        test, body = steps(f, w)
        step = lambda s, _: (lax.cond(test(s), body, lambda s: s, s), None)
        return lax.scan(step, (0, x), None, most)[0][1]

    return shell


def fori(f, name, count):
    return lambda x, w: lax.fori_loop(0, count, lambda i, c: f(c, w * (i + 1)) * 0.5 + x * 0.1, x)


def map_(f, name):
    return lambda x, w: thirds(lax.map(lambda p: f(*p), (jnp.stack([x, w, x * w]), jnp.stack([w, w * 0.5, x]))), 0)


def cond(f, name, turned):
    def shell(x, w):
        test = (x * w).sum() > 0.1
        return lax.cond(~test if turned else test, lambda: f(x, w), lambda: f(w, x) * 0.5 + x)

    return shell


def switch(f, name, by):
    def shell(x, w):
        index = jnp.floor(x.sum() * 2.0 + by).astype(jnp.int32)
        return lax.switch(index, [lambda: f(x, w), lambda: f(w, x), lambda: f(x * 0.5, w) * jnp.sin(w)])

    return shell


def checkpoint(f, name, policy):
    from jax.ad_checkpoint import checkpoint_name

    return jax.checkpoint(lambda x, w: f(checkpoint_name(jnp.sin(x), "half"), w) * jnp.cos(x), policy=POLICIES[policy])


def jit(f, name):
    return jax.jit(f)


def custom_jvp(f, name, kind):
    g = jax.custom_jvp(f)

    def rule(primals, tangents):
        (x, w), (dx, dw) = primals, tangents
        if kind == 0:
            y = f(x, w)
            return y, dx * jnp.cos(w) * 0.5 + dw * y
        y, dy = jax.jvp(f, primals, tangents)
        return y, dy * 0.5 + dx * w

    g.defjvp(rule)
    return g


def custom_vjp(f, name, kind):
    g = jax.custom_vjp(f)

    def ahead(x, w):
        y = f(x, w)
        return y, (x, w, y)

    def back(kept, ct):
        x, w, y = kept
        if kind == 0:
            return ct * jnp.cos(x) + ct * y * 0.1, ct * w
        dx, dw = jax.vjp(f, x, w)[1](ct)
        return dx * 0.5 + ct * w, dw

    g.defvjp(ahead, back)
    return g


def linearize(f, name):
    def shell(x, w):
        y, push = jax.linearize(f, x, w)
        return push(w, x * 0.5) + y * 0.1

    return shell


def linear_transpose(f, name):
    def shell(x, w):
        slope = lambda dx: jax.jvp(lambda a: f(a, w), (x,), (dx,))[1]
        return jax.linear_transpose(slope, x)(jnp.cos(w))[0]

    return shell


def closure_convert(f, name):
    def shell(x, w):
        g, captured = jax.closure_convert(lambda a: f(a, w) * x, x)
        return g(jnp.sin(x), *captured)

    return shell


def stop(f, name, which):
    return lambda x, w: f(lax.stop_gradient(x), w) + x * x * 0.3 if which == 0 else f(x, lax.stop_gradient(w)) * w


def jacobian(of):
    def make(f, name):
        def shell(x, w):
            return jnp.tensordot(of(lambda a: f(a, w))(x), w, x.ndim)

        return shell

    return make


def hessian(f, name):
    def shell(x, w):
        return jnp.tensordot(jax.hessian(lambda a: (f(a, w) * jnp.cos(w)).sum())(x), w, x.ndim)

    return shell


SHELLS = {
    "grad": grad, "jvp": jvp, "vjp": vjp, "vmap": vmap, "named": named, "scan": scan, "while": while_, "bounded": bounded,
    "fori": fori, "map": map_, "cond": cond, "switch": switch, "checkpoint": checkpoint, "jit": jit,
    "custom_jvp": custom_jvp, "custom_vjp": custom_vjp, "linearize": linearize, "linear_transpose": linear_transpose,
    "closure_convert": closure_convert, "stop": stop, "jacfwd": jacobian(jax.jacfwd), "jacrev": jacobian(jax.jacrev),
    "hessian": hessian,
}  # fmt: skip


def function(line):
    """The function of `(x, w)` that a line describes, and its shape."""
    shape, *shells, base = line.split()
    f = BASES[base]
    for depth, shell in reversed(list(enumerate(shells))):
        kind, *numbers = shell.split(".")
        f = SHELLS[kind](f, f"axis{depth}", *map(int, numbers))
    return f, tuple(map(int, shape.split(",")))

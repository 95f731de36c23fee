"""Runs programs of the JSON language (README.md) on JAX.

`compiled(program, wide)` evaluates in f32, or in f64 when `wide`; integers stay i32. A function's body
is evaluated in an environment that extends the enclosing one, so captured values are ordinary closures.
"""

import os

# Hundreds of programs run once each: LLVM's expensive passes would only cost time.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")

import common  # noqa: F401  (chooses the CPU before JAX starts)
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

UNARY = {
    "neg": lax.neg, "exp": lax.exp, "expm1": lax.expm1, "log": lax.log, "log1p": lax.log1p, "tanh": lax.tanh,
    "sin": lax.sin, "cos": lax.cos, "sqrt": lax.sqrt, "rsqrt": lax.rsqrt, "logistic": lax.logistic,
    "floor": lax.floor, "sign": lax.sign, "abs": lax.abs, "stop_gradient": lax.stop_gradient, "not": lax.bitwise_not,
}  # fmt: skip
BINARY = {
    "add": lax.add, "sub": lax.sub, "mul": lax.mul, "div": lax.div, "maximum": lax.max, "minimum": lax.min,
    "rem": lax.rem, "and": lax.bitwise_and, "or": lax.bitwise_or,
}  # fmt: skip
COMPARE = {"LT": lax.lt, "LE": lax.le, "GT": lax.gt, "GE": lax.ge, "EQ": lax.eq, "NE": lax.ne}


def parse_type(text):
    """`f[2,3]` -> ("f", (2, 3))."""
    kind, dims = text[0], text[2:-1]
    return kind, tuple(int(d) for d in dims.split(",")) if dims else ()


class Interpreter:
    def __init__(self, wide):
        self.dtype = {"f": jnp.float64 if wide else jnp.float32, "i": jnp.int32, "b": jnp.bool_}

    def close(self, fn, env):
        """A Python function over `env`; one result comes back bare only through `scalar`."""

        def call(*args):
            inner = dict(env)
            assert len(args) == len(fn["params"])
            for (name, text), value in zip(fn["params"], args):
                kind, shape = parse_type(text)
                assert value.shape == shape and value.dtype == self.dtype[kind], (name, text, value)
                inner[name] = value
            for node in fn["body"]:
                self.node(node, inner)
            return tuple(inner[name] for name in fn["results"])

        return call

    def node(self, n, env):
        named = [env[a] for a in n["args"] if isinstance(a, str)]
        out = self.evaluate(n, env, [env[a] if isinstance(a, str) else jnp.full_like(named[0], a) for a in n["args"]])
        out = out if isinstance(out, (tuple, list)) else (out,)
        assert len(out) == len(n["out"]), n
        for (name, text), value in zip(n["out"], out):
            kind, shape = parse_type(text)
            assert value.shape == shape and value.dtype == self.dtype[kind], (n["op"], name, text, value)
            env[name] = value

    def evaluate(self, n, env, a):
        op = n["op"]
        if op in UNARY:
            return UNARY[op](*a)
        if op in BINARY:
            return BINARY[op](*a)
        if higher := getattr(self, "do_" + op, None):
            return higher(n, env, a)
        match op:
            case "constant":
                kind, shape = parse_type(n["out"][0][1])
                return jnp.full(shape, n["value"], self.dtype[kind])
            case "iota":
                kind, shape = parse_type(n["out"][0][1])
                return lax.broadcasted_iota(self.dtype[kind], shape, n["axis"])
            case "compare":
                return COMPARE[n["direction"]](*a)
            case "select":
                return lax.select(*a)
            case "clamp":
                return lax.clamp(*a)
            case "convert":
                return lax.convert_element_type(a[0], self.dtype[n["to"]])
            case "reshape":
                return lax.reshape(a[0], n["shape"])
            case "transpose":
                return lax.transpose(a[0], n["permutation"])
            case "broadcast_in_dim":
                return lax.broadcast_in_dim(a[0], n["shape"], n["dims"])
            case "reverse":
                return lax.rev(a[0], n["axes"])
            case "slice":
                return lax.slice(a[0], n["start"], n["limit"], n["stride"])
            case "dynamic_slice":
                return lax.dynamic_slice(a[0], a[1:], n["sizes"])
            case "dynamic_update_slice":
                return lax.dynamic_update_slice(a[0], a[1], a[2:])
            case "concatenate":
                return lax.concatenate(a, n["axis"])
            case "pad":
                return lax.pad(a[0], a[1], list(zip(n["low"], n["high"], n["interior"])))
            case "take":
                return a[0].at[a[1]].get(mode="clip")
            case "scatter_add":
                return a[0].at[a[1]].add(a[2], mode="drop")
            case "dot_general":
                contract = (n["lhs_contract"], n["rhs_contract"])
                return lax.dot_general(a[0], a[1], (contract, (n["lhs_batch"], n["rhs_batch"])), precision="highest")
            case "reduce_sum":
                return lax.reduce(a[0], jnp.zeros((), a[0].dtype), lax.add, n["axes"])
            case "reduce_max":
                return lax.reduce(a[0], jnp.array(-jnp.inf, a[0].dtype), lax.max, n["axes"])
            case "argmax":
                return lax.argmax(a[0], n["axis"], jnp.int32)
            case "cumsum":
                return lax.cumsum(a[0], n["axis"], n["reverse"])
            case "sort":
                return lax.sort(tuple(a), dimension=n["axis"], num_keys=1)
        raise ValueError(op)

    def do_call(self, n, env, a):
        return jax.jit(self.close(n["fn"], env))(*a)

    def do_remat(self, n, env, a):
        return jax.checkpoint(self.close(n["fn"], env))(*a)

    def do_grad(self, n, env, a):
        f = self.close(n["fn"], env)
        value, grads = jax.value_and_grad(lambda *x: f(*x)[0], tuple(n["wrt"]))(*a)
        return ((value,) if n["value"] else ()) + tuple(grads)

    def do_jvp(self, n, env, a):
        f = self.close(n["fn"], env)
        at = [i for i, t in enumerate(n["tangents"]) if t is not None]
        results, tangents = jax.jvp(partial_at(f, at, a), [a[i] for i in at], [env[n["tangents"][i]] for i in at])
        return tuple(results) + tuple(tangents)

    def do_vjp(self, n, env, a):
        f = partial_at(self.close(n["fn"], env), n["wrt"], a)
        results, pull = jax.vjp(f, *[a[i] for i in n["wrt"]])
        return tuple(results) + tuple(pull(tuple(env[c] for c in n["cotangents"])))

    def do_vmap(self, n, env, a):
        return jax.vmap(self.close(n["fn"], env), tuple(n["in_axes"]), tuple(n["out_axes"]), axis_size=n["size"])(*a)

    def do_scan(self, n, env, a):
        k = n["carry"]
        f = self.close(n["fn"], env)

        def step(carry, x):
            out = f(*carry, *x)
            return out[:k], out[k:]

        carry, ys = lax.scan(step, tuple(a[:k]), tuple(a[k:]), n["length"], n["reverse"])
        return carry + ys

    def do_while(self, n, env, a):
        cond, body = self.close(n["cond"], env), self.close(n["body"], env)
        return lax.while_loop(lambda s: cond(*s)[0], lambda s: body(*s), tuple(a))

    def do_cond(self, n, env, a):
        return lax.cond(a[0], self.close(n["true"], env), self.close(n["false"], env), *a[1:])

    def do_switch(self, n, env, a):
        return lax.switch(a[0], [self.close(b, env) for b in n["branches"]], *a[1:])

    def do_custom_jvp(self, n, env, a):
        plain, rule = self.close(n["fn"], {}), self.close(n["jvp"], {})
        f = jax.custom_jvp(plain)
        f.defjvp(lambda primals, tangents: (plain(*primals), rule(*primals, *tangents)))
        return f(*a)

    def do_custom_vjp(self, n, env, a):
        plain, keep, back = (self.close(n[k], {}) for k in ("fn", "fwd", "bwd"))
        f = jax.custom_vjp(plain)
        f.defvjp(lambda *x: (plain(*x), keep(*x)), lambda residuals, cotangents: back(*residuals, *cotangents))
        return f(*a)


def partial_at(f, positions, args):
    """`f` as a function of the arguments at `positions`, the others fixed."""

    def g(*some):
        full = list(args)
        for i, x in zip(positions, some):
            full[i] = x
        return f(*full)

    return g


def compiled(program, wide):
    """The program as a function from NumPy inputs (f32 and i32) to NumPy results."""
    it = Interpreter(wide)
    f = jax.jit(it.close(program, {}))

    def call(inputs):
        with jax.enable_x64(wide):
            args = [jnp.asarray(x, it.dtype[parse_type(t)[0]]) for x, (_, t) in zip(inputs, program["params"])]
            return [np.asarray(x) for x in f(*args)]

    return call

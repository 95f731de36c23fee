"""Random programs that nest transformations and control flow three deep, and their results from JAX.

Writes `compositions.json` (the programs, in the language of README.md) and `compositions.safetensors`
(`<program>/in/<i>`, `<program>/out32/<i>`, `<program>/out64/<i>`).

Every pair outer > middle and middle > inner of the higher-order nodes is drawn at least four times. A drawing is thrown
away and redrawn where JAX refuses it (reverse mode through `while`, forward mode through `custom_vjp`),
where a result is not finite, above 50 or nowhere above 1e-3, where f32 and f64 differ by more than 2e-5 of the
result's largest absolute value, or where moving every float input by about 1e-6 moves a f64 result by more than
2e-4 of it: this keeps away from ties, kinks and ill-conditioned points. Ties by construction are avoided by adding
distinct offsets before reduce_max, argmax and sort.
"""

import collections
import multiprocessing
import random
import sys

import common
from compositions_interp import compiled  # before jax: it sets the flags

import jax
import numpy as np

MAIN = ["grad", "jvp", "vjp", "vmap", "scan", "while", "cond", "remat"]
EXTRA = ["switch", "custom_jvp", "custom_vjp", "call"]
SEED = 20
ATTEMPTS = 200
LONGEST = 8_500


class Value:
    """A name with its type and a rough bound of its magnitude."""

    def __init__(self, name, kind, shape, bound):
        self.name, self.kind, self.shape, self.bound, self.used = name, kind, tuple(shape), bound, False

    @property
    def type(self):
        return f"{self.kind}[{','.join(map(str, self.shape))}]"

    @property
    def size(self):
        return int(np.prod(self.shape, dtype=int))


class Scope:
    """The body of one function under construction; `parent` is None where captures are not allowed."""

    def __init__(self, gen, parent, reverse):
        self.gen, self.parent, self.reverse = gen, parent, reverse
        self.body, self.values = [], []

    def param(self, kind, shape, bound=2.0):
        v = Value(self.gen.fresh(), kind, shape, bound)
        self.values.append(v)
        return v

    def emit(self, op, args, outs, /, **attrs):
        """Appends a node; `outs` are (kind, shape, bound); gives its values."""
        values = [Value(self.gen.fresh(), *o) for o in outs]
        for a in args:
            a.used = True
        self.body.append({"op": op, "args": [a.name for a in args], **attrs, "out": [[v.name, v.type] for v in values]})
        self.values += values
        return values

    def one(self, op, args, kind, shape, bound, /, **attrs):
        return self.emit(op, args, [(kind, shape, bound)], **attrs)[0]

    def visible(self, kind):
        """Local values and captured ones, each captured scope weighing less than the local one."""
        groups, scope = [], self
        while scope is not None:
            groups.append([v for v in scope.values if v.kind == kind])
            scope = scope.parent
        return groups

    def pick(self, kind, test=lambda v: True):
        r = self.gen.r
        groups = [[v for v in g if test(v)] for g in self.visible(kind)]
        groups = [g for g in groups if g]
        if not groups:
            return None
        group = groups[0] if len(groups) == 1 or r.random() < 0.7 else r.choice(groups[1:])
        unused = [v for v in group if not v.used]
        if unused and r.random() < 0.7:
            return r.choice(unused)
        return r.choice(group[-6:] if r.random() < 0.6 else group)


class Gen:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.count = 0

    def fresh(self):
        self.count += 1
        return f"v{self.count}"

    # Small pieces.

    def shape(self, low=0, high=2):
        return tuple(self.r.randint(2, 4) for _ in range(self.r.randint(low, high)))

    def const(self, s, x, shape=(), kind="f"):
        return s.one("constant", [], kind, shape, abs(x), value=x)

    def literal(self, x):
        """A number in an argument list: of the type of the first named argument."""
        return Value(x, None, (), abs(x))

    def scaled(self, s, v, x):
        return s.one("mul", [v, self.literal(x)], "f", v.shape, v.bound * abs(x))

    def shifted(self, s, v, x):
        return s.one("add", [v, self.literal(x)], "f", v.shape, v.bound + abs(x))

    def tame(self, s, v, limit=4.0):
        """`v` itself where it is small, else squashed."""
        if v.bound <= limit:
            return v
        if v.bound > 8:
            v = self.scaled(s, v, 0.25)
        return s.one(self.r.choice(["sin", "tanh", "tanh", "logistic"]), [v], "f", v.shape, 1.0)

    def floating(self, s, test=lambda v: True):
        v = s.pick("f", test)
        if v is None:
            v = self.const(s, round(self.r.uniform(-1, 1), 3))
            if not test(v):
                v = self.coerce(s, v, (3, 2))
        return self.tame(s, v)

    def index(self, s, bound):
        """A computed scalar i32 in [0, bound)."""
        v = s.pick("i", lambda v: v.shape == ())
        if v is None:
            x = self.floating(s, lambda v: v.size > 0)
            if x.shape:
                x = self.coerce(s, x, ())
            x = s.one("floor", [self.shifted(s, self.scaled(s, x, 2.0), 6.03)], "f", (), 12.0)
            v = s.one("convert", [x], "i", (), 12, to="i")
        if v.bound <= bound:
            return v
        if self.r.random() < 0.4:
            v = s.one("add", [v, self.literal(self.r.randint(1, 3))], "i", (), v.bound + 3)
        return s.one("rem", [v, self.literal(bound)], "i", (), bound)

    def start(self, s):
        """A start index, possibly past the end (clamped)."""
        return s.pick("i", lambda v: v.shape == ()) or self.index(s, 4)

    def indices(self, s, count, bound):
        """A computed i32 vector in [0, bound), duplicates likely."""
        old = s.pick("i", lambda v: v.shape == (count,) and v.bound <= bound)
        if old is not None:
            return old
        v = s.one("iota", [], "i", (count,), count, axis=0)
        if self.r.random() < 0.4:
            shift = s.one("broadcast_in_dim", [self.start(s)], "i", (count,), 4, shape=[count], dims=[])
            v = s.one("add", [v, shift], "i", (count,), count + 4)
        else:
            v = s.one("mul", [v, self.literal(self.r.choice([2, 3, 5]))], "i", (count,), 5 * count)
        return s.one("rem", [v, self.literal(bound)], "i", (count,), bound)

    def predicate(self, s, shape=()):
        x = self.coerce(s, self.floating(s), shape)
        y = self.literal(round(self.r.uniform(-0.5, 0.5), 3))
        if self.r.random() < 0.4:
            y = self.shifted(s, self.coerce(s, self.floating(s), shape), y.name)
        p = s.one("compare", [x, y], "b", shape, 1, direction=self.r.choice(["LT", "GT", "GE", "LE"]))
        if self.r.random() < 0.2:
            p = s.one("not", [p], "b", shape, 1)
        elif shape == () and self.r.random() < 0.3:
            i = self.index(s, 3)
            q = s.one("compare", [i, self.literal(1)], "b", (), 1, direction=self.r.choice(["EQ", "NE", "GT"]))
            p = s.one(self.r.choice(["and", "or"]), [p, q], "b", (), 1)
        return p

    def spread(self, s, v, axis):
        """`v` plus offsets that differ along an axis."""
        i = s.one("iota", [], "f", v.shape, v.shape[axis], axis=axis)
        return s.one("add", [v, self.scaled(s, i, 0.137)], "f", v.shape, v.bound + 0.5)

    def coerce(self, s, v, shape):
        """`v` brought to another shape."""
        r, shape = self.r, tuple(shape)
        if v.shape == shape:
            return v
        size = int(np.prod(shape, dtype=int))
        if shape == ():
            total = s.one("reduce_sum", [v], "f", (), v.bound * v.size, axes=list(range(len(v.shape))))
            total.bound = v.bound * v.size**0.5
            return self.tame(s, total)
        if v.size == size:
            return s.one("reshape", [v], "f", shape, v.bound, shape=list(shape))
        if v.shape == ():
            return s.one("broadcast_in_dim", [v], "f", shape, v.bound, shape=list(shape), dims=[])
        if len(shape) > len(v.shape) and r.random() < 0.8:
            for at in range(len(shape) - len(v.shape) + 1):
                if shape[at : at + len(v.shape)] == v.shape:
                    return s.one("broadcast_in_dim", [v], "f", shape, v.bound, shape=list(shape), dims=list(range(at, at + len(v.shape))))
        if len(v.shape) == len(shape) and all(a >= b for a, b in zip(v.shape, shape)):
            if r.random() < 0.5:
                start = [r.randint(0, a - b) for a, b in zip(v.shape, shape)]
                return s.one("slice", [v], "f", shape, v.bound, start=start, limit=[a + b for a, b in zip(start, shape)], stride=[1] * len(shape))
            starts = [self.start(s) for _ in shape]
            return s.one("dynamic_slice", [v, *starts], "f", shape, v.bound, sizes=list(shape))
        if len(v.shape) == len(shape) and all(a <= b for a, b in zip(v.shape, shape)):
            low = [r.randint(0, b - a) for a, b in zip(v.shape, shape)]
            high = [b - a - l for a, b, l in zip(v.shape, shape, low)]
            return s.one("pad", [v, self.const(s, 0.25)], "f", shape, v.bound, low=low, high=high, interior=[0] * len(shape))
        flat = v if len(v.shape) == 1 else s.one("reshape", [v], "f", (v.size,), v.bound, shape=[v.size])
        row = s.one("take", [flat, self.indices(s, size, v.size)], "f", (size,), v.bound)
        return row if shape == (size,) else s.one("reshape", [row], "f", shape, v.bound, shape=list(shape))

    # One random primitive.

    def primitive(self, s):
        r = self.r
        ranked = lambda low: self.coerce_rank(s, self.floating(s), low)
        op = r.choices(list(PRIMITIVES), list(PRIMITIVES.values()))[0]
        match op:
            case "tanh" | "sin" | "cos" | "logistic" | "neg" | "stop_gradient":
                v = self.floating(s)
                return s.one(op, [v], "f", v.shape, v.bound if op in ("neg", "stop_gradient") else 1.0)
            case "exp" | "expm1":
                v = self.scaled(s, self.floating(s), 0.4)
                return s.one(op, [v], "f", v.shape, 2.0)
            case "sqrt" | "rsqrt" | "log" | "log1p":
                v = self.floating(s)
                v = s.one("mul", [v, v], "f", v.shape, v.bound**2)
                v = v if op == "log1p" else self.shifted(s, v, 0.5)
                return s.one(op, [v], "f", v.shape, 1.5)
            case "floor" | "sign" | "abs":
                v = self.shifted(s, self.floating(s), 0.137)
                v = s.one(op, [v], "f", v.shape, v.bound)
                w = self.coerce(s, self.floating(s), v.shape)
                return s.one("mul", [v, w], "f", v.shape, v.bound * w.bound)
            case "add" | "sub" | "mul":
                a = self.floating(s)
                b = self.coerce(s, self.floating(s), a.shape)
                return s.one(op, [a, b], "f", a.shape, a.bound * b.bound if op == "mul" else a.bound + b.bound)
            case "div":
                a = self.floating(s)
                b = self.coerce(s, self.floating(s), a.shape)
                b = self.shifted(s, s.one("mul", [b, b], "f", b.shape, b.bound**2), 1.0)
                return s.one("div", [a, b], "f", a.shape, a.bound)
            case "maximum" | "minimum":
                a = self.floating(s)
                b = self.shifted(s, self.scaled(s, self.coerce(s, self.floating(s), a.shape), 0.9), 0.053)
                return s.one(op, [a, b], "f", a.shape, max(a.bound, b.bound))
            case "clamp":
                v = self.floating(s)
                low, high = self.literal(-0.613), self.literal(0.719)
                return s.one("clamp", [low, v, high], "f", v.shape, 1.0)
            case "select":
                a = self.floating(s)
                b = self.coerce(s, self.floating(s), a.shape)
                return s.one("select", [self.predicate(s, a.shape), a, b], "f", a.shape, max(a.bound, b.bound))
            case "dot_general":
                if r.random() < 0.4:
                    a = self.coerce(s, self.floating(s), (2, r.randint(2, 3), r.randint(2, 4)))
                    b = self.coerce(s, self.floating(s), (2, a.shape[2], r.randint(2, 3)))
                    attrs = dict(lhs_contract=[2], rhs_contract=[1], lhs_batch=[0], rhs_batch=[0])
                    shape = (2, a.shape[1], b.shape[2])
                else:
                    a, n = self.floating(s), r.randint(2, 3)
                    a = a if len(a.shape) == 2 else self.coerce(s, a, self.shape(2, 2))
                    turned = r.random() < 0.3
                    b = self.coerce(s, self.floating(s), (n, a.shape[1]) if turned else (a.shape[1], n))
                    attrs = dict(lhs_contract=[1], rhs_contract=[1 if turned else 0], lhs_batch=[], rhs_batch=[])
                    shape = (a.shape[0], n)
                k = a.shape[attrs["lhs_contract"][0]]
                return s.one("dot_general", [a, b], "f", shape, a.bound * b.bound * k**0.5, **attrs)
            case "transpose":
                v = ranked(2)
                p = list(range(len(v.shape)))
                r.shuffle(p)
                return s.one("transpose", [v], "f", [v.shape[i] for i in p], v.bound, permutation=p)
            case "reshape":
                v = ranked(2)
                shape = (v.size,) if r.random() < 0.5 else (v.shape[1], v.size // v.shape[1])
                return s.one("reshape", [v], "f", shape, v.bound, shape=list(shape))
            case "broadcast_in_dim":
                v = self.floating(s, lambda v: len(v.shape) <= 2)
                at, n = r.randint(0, len(v.shape)), r.randint(2, 3)
                shape = v.shape[:at] + (n,) + v.shape[at:]
                dims = [i for i in range(len(shape)) if i != at]
                return s.one("broadcast_in_dim", [v], "f", shape, v.bound, shape=list(shape), dims=dims)
            case "reverse":
                v = ranked(1)
                return s.one("reverse", [v], "f", v.shape, v.bound, axes=[r.randrange(len(v.shape))])
            case "slice":
                v = ranked(1)
                start = [r.randint(0, d - 1) for d in v.shape]
                stride = [r.randint(1, 2) for _ in v.shape]
                shape = [-(-(d - b) // k) for d, b, k in zip(v.shape, start, stride)]
                return s.one("slice", [v], "f", shape, v.bound, start=start, limit=list(v.shape), stride=stride)
            case "dynamic_slice":
                v = ranked(1)
                sizes = [r.randint(1, d) for d in v.shape]
                starts = [self.start(s) for _ in v.shape]
                return s.one("dynamic_slice", [v, *starts], "f", sizes, v.bound, sizes=sizes)
            case "dynamic_update_slice":
                v = ranked(1)
                u = self.coerce(s, self.floating(s), [r.randint(1, d) for d in v.shape])
                starts = [self.start(s) for _ in v.shape]
                return s.one("dynamic_update_slice", [v, u, *starts], "f", v.shape, max(u.bound, v.bound))
            case "concatenate":
                a = ranked(1)
                axis = r.randrange(len(a.shape))
                other = a.shape[:axis] + (r.randint(1, 2),) + a.shape[axis + 1 :]
                b = self.coerce(s, self.floating(s), other)
                parts = [a, b] if r.random() < 0.5 else [b, a]
                shape = a.shape[:axis] + (a.shape[axis] + b.shape[axis],) + a.shape[axis + 1 :]
                return s.one("concatenate", parts, "f", shape, max(a.bound, b.bound), axis=axis)
            case "pad":
                v = ranked(1)
                value = self.coerce(s, self.floating(s), ())
                low, high = [r.randint(-1, 1) for _ in v.shape], [r.randint(0, 1) for _ in v.shape]
                interior = [r.randint(0, 1) if r.random() < 0.3 else 0 for _ in v.shape]
                shape = [l + d + (d - 1) * i + h for l, d, i, h in zip(low, v.shape, interior, high)]
                if min(shape) < 1:
                    low, shape = [0] * len(low), [n - l for n, l in zip(shape, low)]
                return s.one("pad", [v, value], "f", shape, max(v.bound, value.bound), low=low, high=high, interior=interior)
            case "take":
                v, n = ranked(1), r.randint(2, 4)
                return s.one("take", [v, self.indices(s, n, v.shape[0])], "f", (n, *v.shape[1:]), v.bound)
            case "scatter_add":
                v, n = ranked(1), r.randint(2, 4)
                u = self.coerce(s, self.floating(s), (n, *v.shape[1:]))
                return s.one("scatter_add", [v, self.indices(s, n, v.shape[0]), u], "f", v.shape, v.bound + 2 * u.bound)
            case "reduce_sum" | "reduce_max":
                v = ranked(1)
                axes = sorted(r.sample(range(len(v.shape)), 1 if op == "reduce_max" else r.randint(1, len(v.shape))))
                shape = [d for i, d in enumerate(v.shape) if i not in axes]
                if op == "reduce_max":
                    v = self.spread(s, v, axes[0])
                return s.one(op, [v], "f", shape, v.bound * (2 if op == "reduce_sum" else 1), axes=axes)
            case "argmax":
                v = ranked(1)
                axis = r.randrange(len(v.shape))
                v = self.spread(s, v, axis)
                i = s.one("argmax", [v], "i", v.shape[:axis] + v.shape[axis + 1 :], v.shape[axis], axis=axis)
                f = self.scaled(s, s.one("convert", [i], "f", i.shape, 3.0, to="f"), 0.4)
                w = self.coerce(s, self.floating(s), f.shape)
                return s.one("add", [f, w], "f", f.shape, f.bound + w.bound)
            case "cumsum":
                v = ranked(1)
                axis = r.randrange(len(v.shape))
                return s.one("cumsum", [v], "f", v.shape, v.bound * 2, axis=axis, reverse=r.random() < 0.3)
            case "sort":
                v = ranked(1)
                axis = r.randrange(len(v.shape))
                v = self.spread(s, v, axis)
                if r.random() < 0.5:
                    return s.one("sort", [v], "f", v.shape, v.bound, axis=axis)
                w = self.coerce(s, self.floating(s), v.shape)
                a, b = s.emit("sort", [v, w], [("f", v.shape, v.bound), ("f", v.shape, w.bound)], axis=axis)
                return s.one("mul", [a, b], "f", v.shape, a.bound * b.bound)
            case "iota":
                v = self.floating(s)
                if not v.shape:
                    v = self.coerce(s, v, (3,))
                i = s.one("iota", [], "i", v.shape, 4, axis=r.randrange(len(v.shape)))
                f = self.scaled(s, s.one("convert", [i], "f", v.shape, 3.0, to="f"), 0.3)
                return s.one("mul", [f, v], "f", v.shape, v.bound)
            case "convert":
                p = self.predicate(s, self.shape(0, 2))
                f = s.one("convert", [p], "f", p.shape, 1.0, to="f")
                w = self.coerce(s, self.floating(s), p.shape)
                return s.one("add", [f, w], "f", p.shape, 1 + w.bound)
        raise ValueError(op)

    def coerce_rank(self, s, v, low):
        if len(v.shape) >= low and v.size <= 64:
            return v
        return self.coerce(s, v, self.shape(low, 2))

    # Functions.

    def function(self, s, params, results, inner, steps=None, ints=0):
        """A closed or capturing function: `params` (kind, shape), `results` (kind, shape), nested `inner` kinds.

        `s` is the new, empty scope. Every float result depends on the nested node and on the parameters."""
        ps = [s.param(kind, shape, 3.0 if kind == "f" else 5) for kind, shape in params]
        floats = [p for p in ps if p.kind == "f"]
        steps = self.r.randint(2, 3) if steps is None else steps
        for _ in range(steps if inner else steps + 1):
            self.primitive(s)
        made = self.higher(s, inner[0], inner[1:], floats) if inner else []
        for _ in range(self.r.randint(0, 2) if inner else 1):
            self.primitive(s)
        made = [v for v in made if v.kind == "f"]
        names = []
        for kind, shape in results:
            if kind == "i":
                names.append(self.index(s, 5).name)
                continue
            made = made or [self.floating(s)]
            idle = [v for v in s.values if v.kind == "f" and not v.used and v not in made]
            terms = (made if len(made) <= 3 else self.r.sample(made, 3)) + idle[-3:]
            terms = [self.coerce(s, self.tame(s, v), shape) for v in terms]
            last = self.coerce(s, self.floating(s), shape)
            v = s.one("mul", [terms[0], last], "f", shape, terms[0].bound * last.bound)
            for t in terms[1:]:
                v = s.one(self.r.choice(["add", "sub", "add", "mul"]), [v, t], "f", shape, v.bound + t.bound)
                v.bound = min(v.bound, 8.0)
            names.append(self.tame(s, v, 2.5).name)
        return self.close(s, ps, names)

    def close(self, s, params, names):
        return {"params": [[p.name, p.type] for p in params], "body": s.body, "results": names}

    def sub(self, s, reverse=None, closed=False):
        return Scope(self, None if closed else s, s.reverse if reverse is None else reverse)

    # Higher-order nodes.

    def arguments(self, s, prefer, low=1, high=3, index=0.3):
        """Float values, the preferred first, and sometimes an integer one."""
        args = list(self.r.sample(prefer, min(len(prefer), self.r.randint(1, 2)))) if prefer else []
        while len(args) < low or (len(args) < high and self.r.random() < 0.4):
            args.append(self.floating(s, lambda v: v.size <= 24))
        args = [self.tame(s, v) for v in args]
        if self.r.random() < index:
            args.insert(self.r.randint(0, len(args)), self.index(s, 4))
        return args

    def higher(self, s, kind, inner, prefer):
        """Appends a node of a higher-order kind; gives its results."""
        return getattr(self, "make_" + kind)(s, inner, prefer)

    def types(self, values):
        return [(v.kind, v.shape) for v in values]

    def outs(self, types, bound=4.0):
        return [(k, sh, bound) for k, sh in types]

    def result_types(self):
        return [("f", self.shape()) for _ in range(self.r.choice([1, 1, 2]))]

    def make_call(self, s, inner, prefer, op="call"):
        args, results = self.arguments(s, prefer), self.result_types()
        fn = self.function(self.sub(s), self.types(args), results, inner)
        return s.emit(op, args, self.outs(results), fn=fn)

    def make_remat(self, s, inner, prefer):
        return self.make_call(s, inner, prefer, "remat")

    def make_grad(self, s, inner, prefer):
        args = self.arguments(s, prefer)
        floats = [i for i, a in enumerate(args) if a.kind == "f"]
        wrt = sorted(self.r.sample(floats, self.r.randint(1, len(floats))))
        fn = self.function(self.sub(s, True), self.types(args), [("f", ())], inner)
        value = self.r.random() < 0.3
        outs = ([("f", (), 3.0)] if value else []) + [("f", args[i].shape, 6.0) for i in wrt]
        made = s.emit("grad", args, outs, fn=fn, wrt=wrt, value=value)
        return made[1:] + made[:1] if value else made

    def make_jvp(self, s, inner, prefer):
        args, results = self.arguments(s, prefer), self.result_types()
        tangents = [self.coerce(s, self.floating(s), a.shape).name if a.kind == "f" else None for a in args]
        fn = self.function(self.sub(s), self.types(args), results, inner)
        made = s.emit("jvp", args, self.outs(results) + self.outs(results, 6.0), fn=fn, tangents=tangents)
        return made[len(results) :] + made[: len(results)]

    def make_vjp(self, s, inner, prefer):
        args, results = self.arguments(s, prefer), self.result_types()
        floats = [i for i, a in enumerate(args) if a.kind == "f"]
        wrt = sorted(self.r.sample(floats, self.r.randint(1, len(floats))))
        cotangents = [self.coerce(s, self.floating(s), shape).name for _, shape in results]
        fn = self.function(self.sub(s, True), self.types(args), results, inner)
        outs = self.outs(results) + [("f", args[i].shape, 6.0) for i in wrt]
        made = s.emit("vjp", args, outs, fn=fn, wrt=wrt, cotangents=cotangents)
        return made[len(results) :] + made[: len(results)]

    def make_vmap(self, s, inner, prefer):
        r, size = self.r, self.r.randint(2, 4)
        args, params, axes = [], [], []
        for k, v in enumerate(self.arguments(s, prefer, index=0)):
            if k > 0 and r.random() < 0.3:
                args.append(v), params.append(("f", v.shape)), axes.append(None)
                continue
            shape = v.shape[:2] if r.random() < 0.5 else self.shape(0, 2)
            axis = r.randint(0, len(shape))
            args.append(self.coerce(s, v, shape[:axis] + (size,) + shape[axis:]))
            params.append(("f", shape)), axes.append(axis)
        if r.random() < 0.7:
            mapped = r.random() < 0.7
            args.append(self.indices(s, size, 4) if mapped else self.index(s, 4))
            params.append(("i", ())), axes.append(0 if mapped else None)
        scope, results = self.sub(s), self.result_types()
        fn = self.function(scope, params, results, inner)
        out_axes = [r.randint(0, len(shape)) for _, shape in results]
        shapes = [shape[:a] + (size,) + shape[a:] for a, (_, shape) in zip(out_axes, results)]
        if r.random() < 0.25 and (free := s.pick("f", lambda v: v.size <= 12)):
            fn["results"].append(free.name)
            if r.random() < 0.5:
                out_axes.append(None), shapes.append(free.shape)
            else:
                a = r.randint(0, len(free.shape))
                out_axes.append(a), shapes.append(free.shape[:a] + (size,) + free.shape[a:])
        return s.emit("vmap", args, [("f", sh, 4.0) for sh in shapes], fn=fn, in_axes=axes, out_axes=out_axes, size=size)

    def make_scan(self, s, inner, prefer):
        r, length = self.r, self.r.randint(2, 4)
        carry = [v for v in self.arguments(s, prefer, high=2, index=0.4)]
        xs = []
        for _ in range(r.choice([0, 1, 1, 2])):
            if r.random() < 0.25:
                xs.append(self.indices(s, length, 4))
            else:
                xs.append(self.coerce(s, self.floating(s), (length, *self.shape(0, 2))))
        ys = [("f", self.shape()) for _ in range(r.choice([0, 1, 1, 2]))]
        params = self.types(carry) + [(x.kind, x.shape[1:]) for x in xs]
        fn = self.function(self.sub(s), params, self.types(carry) + ys, inner)
        outs = self.outs(self.types(carry), 4.0) + [(k, (length, *sh), 4.0) for k, sh in ys]
        return s.emit("scan", carry + xs, outs, fn=fn, carry=len(carry), length=length, reverse=r.random() < 0.4)

    def make_while(self, s, inner, prefer):
        r = self.r
        state = self.arguments(s, prefer, high=2, index=0.2)
        stop = s.reverse
        if stop:
            state = [s.one("stop_gradient", [v], "f", v.shape, v.bound) if v.kind == "f" else v for v in state]
        bound = self.index(s, 4)
        carried = stop or r.random() < 0.4
        init = [self.const(s, 0, (), "i")] + ([bound] if carried else []) + state
        types = self.types(init)

        test = self.sub(s, False, closed=stop)
        ps = [test.param(k, sh) for k, sh in types]
        limit = ps[1] if carried else bound
        more = test.one("compare", [ps[0], limit], "b", (), 1, direction="LT")
        floats = [p for p in ps if p.kind == "f"]
        if r.random() < 0.3:
            x = self.coerce(test, r.choice(floats), ())
            also = test.one("compare", [x, self.literal(1.371)], "b", (), 1, direction="LT")
            more = test.one("and", [more, also], "b", (), 1)
        cond = self.close(test, ps, [more.name])

        body = self.function(self.sub(s, False, closed=stop), types, self.types(state), inner)
        names = [p[0] for p in body["params"]]
        body["body"].append({"op": "add", "args": [names[0], 1], "out": [[up := self.fresh(), "i[]"]]})
        body["results"] = [up] + ([names[1]] if carried else []) + body["results"]
        made = s.emit("while", init, self.outs(types), cond=cond, body=body)
        return made[-len(state) :]

    def make_cond(self, s, inner, prefer):
        args, results = self.arguments(s, prefer), self.result_types()
        order = [inner, inner if self.r.random() < 0.15 else []]
        self.r.shuffle(order)
        branches = [self.function(self.sub(s), self.types(args), results, k, None if k else 1) for k in order]
        pred = self.predicate(s)
        return s.emit("cond", [pred] + args, self.outs(results), true=branches[0], false=branches[1])

    def make_switch(self, s, inner, prefer):
        args, results = self.arguments(s, prefer), self.result_types()
        n = self.r.choice([2, 2, 3])
        nested = self.r.randrange(n)
        branches = [self.function(self.sub(s), self.types(args), results, inner if i == nested else [], None if i == nested else 1) for i in range(n)]
        return s.emit("switch", [self.index(s, n + 1)] + args, self.outs(results), branches=branches)

    def chain(self, s, v):
        """A short chain of smooth elementwise ops, bounded."""
        for _ in range(self.r.randint(1, 2)):
            v = s.one(self.r.choice(["sin", "cos", "tanh", "logistic"]), [v], "f", v.shape, 1.0)
            v = self.shifted(s, self.scaled(s, v, round(self.r.uniform(0.5, 1.5), 3)), 0.25)
        return v

    def make_custom_jvp(self, s, inner, prefer):
        args = self.arguments(s, prefer, high=2, index=0)
        shape = self.r.choice(args).shape
        fn = self.function(self.sub(s, closed=True), self.types(args), [("f", shape)], inner)
        rule = self.sub(s, closed=True)
        points = [rule.param("f", a.shape) for a in args]
        vectors = [rule.param("f", a.shape) for a in args]
        tangent = None
        for p, t in zip(points, vectors):
            term = self.linear(rule, rule.one("mul", [self.chain(rule, p), t], "f", t.shape, 2.0), shape)
            tangent = term if tangent is None else rule.one("add", [tangent, term], "f", shape, 4.0)
        jvp = self.close(rule, points + vectors, [tangent.name])
        return s.emit("custom_jvp", args, [("f", shape, 2.5)], fn=fn, jvp=jvp)

    def linear(self, s, v, shape):
        """`v` brought to another shape by a linear map only."""
        if v.shape == shape:
            return v
        total = s.one("reduce_sum", [v], "f", (), 2.0, axes=list(range(len(v.shape)))) if v.shape else v
        return s.one("broadcast_in_dim", [total], "f", shape, 2.0, shape=list(shape), dims=[]) if shape else total

    def make_custom_vjp(self, s, inner, prefer):
        args = self.arguments(s, prefer, high=2, index=0)
        shape = self.r.choice(args).shape
        fn = self.function(self.sub(s, closed=True), self.types(args), [("f", shape)], inner)
        forward = self.sub(s, closed=True)
        points = [forward.param("f", a.shape) for a in args]
        kept = [self.chain(forward, p) for p in points]
        fwd = self.close(forward, points, [v.name for v in kept])
        back = self.sub(s, closed=True)
        factors = [back.param("f", a.shape) for a in args]
        cotangent = back.param("f", shape)
        results = [back.one("mul", [f, self.linear(back, cotangent, f.shape)], "f", f.shape, 4.0) for f in factors]
        bwd = self.close(back, factors + [cotangent], [v.name for v in results])
        return s.emit("custom_vjp", args, [("f", shape, 2.5)], fn=fn, fwd=fwd, bwd=bwd)

    def program(self, kinds):
        """A whole program whose nested nodes are `kinds`, outermost first."""
        s = Scope(self, None, False)
        params = [("f", self.shape(1, 2)) for _ in range(self.r.randint(2, 3))] + [("f", self.shape(0, 1)), ("i", ())]
        ps = [s.param(k, sh, 1.0 if k == "f" else 5) for k, sh in params]
        for _ in range(self.r.randint(1, 3)):
            self.primitive(s)
        made = self.higher(s, kinds[0], kinds[1:], [p for p in ps if p.kind == "f"])
        made = [v for v in made if v.kind == "f"]
        last = self.floating(s)
        mixed = self.tame(s, made[0])
        joined = s.one("mul", [mixed, self.coerce(s, last, mixed.shape)], "f", mixed.shape, 3.0)
        names = list(dict.fromkeys(v.name for v in made + [joined]))
        return self.close(s, ps, names)


PRIMITIVES = {
    "tanh": 0.3, "sin": 0.3, "cos": 1, "logistic": 0.5, "neg": 2, "exp": 2, "expm1": 2, "sqrt": 2, "rsqrt": 2, "log": 2, "log1p": 2,
    "floor": 2, "sign": 2, "abs": 2, "add": 0.3, "sub": 1, "mul": 0.5, "div": 3, "maximum": 3, "minimum": 2, "clamp": 2, "select": 4,
    "dot_general": 8, "transpose": 4, "reshape": 1, "broadcast_in_dim": 1, "reverse": 3, "slice": 3, "dynamic_slice": 3,
    "dynamic_update_slice": 5, "concatenate": 4, "pad": 4, "take": 3, "scatter_add": 5, "reduce_sum": 1, "reduce_max": 4,
    "argmax": 2, "cumsum": 5, "sort": 5, "iota": 2, "convert": 2, "stop_gradient": 2,
}  # fmt: skip

FUNCTIONS = ("fn", "cond", "body", "true", "false", "jvp", "fwd", "bwd")


def functions_of(node):
    """The functions written inside a node."""
    inner = [node[k] for k in FUNCTIONS if isinstance(node.get(k), dict)]
    return inner + node.get("branches", [])


def prune(fn):
    """Drops nodes nobody reads; gives the names the function reads from outside."""
    needed, kept = set(fn["results"]), []
    for node in reversed(fn["body"]):
        if not any(name in needed for name, _ in node["out"]):
            continue
        kept.append(node)
        needed |= {a for a in node["args"] if isinstance(a, str)} | {t for t in node.get("tangents", []) if t} | set(node.get("cotangents", []))
        for inner in functions_of(node):
            needed |= prune(inner)
    fn["body"] = kept[::-1]
    return needed - {p for p, _ in fn["params"]} - {name for node in kept for name, _ in node["out"]}


def coverage(fn, path, pairs, triples, prims):
    """Counts what stands inside what."""
    for node in fn["body"]:
        inner = functions_of(node)
        if not inner:
            prims[node["op"]][path[-1] if path else "top"] += 1
            continue
        here = path + [node["op"]]
        pairs[tuple(here[-2:])] += len(here) >= 2
        triples[tuple(here[-3:])] += len(here) >= 3
        for f in inner:
            coverage(f, here, pairs, triples, prims)


def inputs_for(program, seed):
    rng = np.random.default_rng(seed)
    out = []
    for _, text in program["params"]:
        shape = tuple(int(d) for d in text[2:-1].split(",")) if text[2:-1] else ()
        out.append(rng.uniform(-1, 1, shape).astype(np.float32) if text[0] == "f" else np.asarray(rng.integers(0, 5, shape), np.int32))
    return out


def judge(program, inputs, seed):
    """The results in f32 and f64, or the reason to throw the program away."""
    try:
        evaluate = compiled(program, True)
        wide = evaluate(inputs)
    except (ValueError, TypeError, NotImplementedError, AssertionError) as e:
        return None, f"{type(e).__name__}: {str(e)[:90]}"
    for v in wide:
        if not np.isfinite(v).all() or np.abs(v).max(initial=0) > 50:
            return None, "too large"
        if np.abs(v).max() < 1e-3:
            return None, "too small" if v.any() else "all zero"
    rng = np.random.default_rng(seed + 1)
    moved = [x + (1e-6 * rng.uniform(-1, 1, x.shape) if x.dtype == np.float32 else 0) for x in map(np.asarray, inputs)]
    narrow = compiled(program, False)(inputs)
    for a, b in zip(evaluate(moved), wide):
        if not np.abs(a - b).max() <= 2e-4 * np.abs(b).max():
            return None, "near a kink"
    if not all(np.abs(a - b).max() <= 2e-5 * np.abs(b).max() for a, b in zip(narrow, wide)):
        return None, "f32 noise"
    return (narrow, wide), None


def draw(kinds, number):
    """The first good program for these kinds, with its inputs and results; None where JAX has none."""
    reasons = collections.Counter()
    for attempt in range(ATTEMPTS):
        seed = SEED * 10_000_000 + number * 1000 + attempt
        program = Gen(seed).program(list(kinds))
        prune(program)
        found = collections.Counter()
        coverage(program, [], found, found, collections.defaultdict(collections.Counter))
        size = len(common.json.dumps(program, separators=(",", ":")))
        if not found[tuple(kinds)] or size > LONGEST:
            reasons["pruned away" if size <= LONGEST else "too long"] += 1
            continue
        inputs = inputs_for(program, seed)
        results, reason = judge(program, inputs, seed)
        if results:
            return program, inputs, results, reasons
        reasons[reason] += 1
    return None, None, None, reasons


def work(job):
    number, kinds = job
    out = draw(kinds, number)
    jax.clear_caches()
    return number, kinds, out


def jobs():
    """Half of the main kinds' triples, so that each pair stands four times outside and four times inside; then the extra kinds in each position."""
    n = len(MAIN)
    triples = [(MAIN[a], MAIN[b], MAIN[(a + b + k) % n]) for a in range(n) for b in range(n) for k in (0, 1, 3, 6)]
    r = random.Random(SEED)
    for extra in EXTRA:
        for other in MAIN:
            below = (r.choice(MAIN),) if extra in ("switch", "call") else ()
            triples += [(extra, other, *below), (other, extra, r.choice(MAIN)), (r.choice(MAIN), other, extra)]
    return list(enumerate(triples))


def main():
    todo = jobs()
    if len(sys.argv) > 1:
        todo = random.Random(1).sample(todo, int(sys.argv[1]))
    tensors, programs, missing, reasons = {}, [], [], collections.Counter()
    pairs, triples, prims = collections.Counter(), collections.Counter(), collections.defaultdict(collections.Counter)


    with multiprocessing.get_context("spawn").Pool(2, maxtasksperchild=40) as pool:
        for number, kinds, (program, inputs, results, why) in pool.imap(work, todo):
            reasons += why
            if program is None:
                missing.append((kinds, why.most_common(2)))
                continue
            name = f"p{number:03}"
            programs.append(dict(name=name, nesting=list(kinds), **program))
            coverage(program, [], pairs, triples, prims)
            for i, x in enumerate(inputs):
                tensors[f"{name}/in/{i}"] = x
            for i, (a, b) in enumerate(zip(*results)):
                tensors[f"{name}/out32/{i}"], tensors[f"{name}/out64/{i}"] = a, b
            if len(programs) % 50 == 0:
                print(len(programs), "programs", flush=True)

    print(f"\n{len(programs)} programs, {sum(triples.values())} triples met of {len(triples)} kinds")
    print("redrawn:", *reasons.most_common(12), sep="\n  ")
    print("no program:", *missing, sep="\n  ")
    kinds = MAIN + EXTRA
    print("\nouter \\ inner" + "".join(f"{k:>11}" for k in kinds))
    for a in kinds:
        print(f"{a:13}" + "".join(f"{pairs[a, b]:11}" for b in kinds))
    print("\nprimitive            " + "".join(f"{k:>11}" for k in ["top", *kinds]))
    for op in sorted(prims):
        print(f"{op:21}" + "".join(f"{prims[op][k]:11}" for k in ["top", *kinds]))
    common.save_json("compositions.json", dict(programs=programs), compact=True)
    common.save_tensors("compositions.safetensors", tensors)


if __name__ == "__main__":
    main()

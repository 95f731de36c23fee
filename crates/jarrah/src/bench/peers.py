"""The workloads of `jarrah bench` in JAX and PyTorch: a JSON line in, a JSON line out."""
import functools
import json
import math
import os
import sys
import time

THREADS = int(sys.argv[1]) if len(sys.argv) > 1 else 2
# Names of the GPTs' steps, in the order of their sizes.
GPTS = ("gpt-step", "char-step", "gpt2-step")

# XLA takes as many threads as the process may use cores.
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])

try:
    import numpy as np
except ImportError:
    np = None
try:
    import jax
    import jax.numpy as jnp
except ImportError:
    jax = None
try:
    import torch

    torch.set_num_threads(THREADS)
except ImportError:
    torch = None


def word(count, seed):
    return (np.arange(count, dtype=np.uint64) * 2654435761 + seed * 97) & 0xFFFFFFFF


def numbers(shape, seed):
    return (word(math.prod(shape), seed).astype(np.float64) / 2**31 - 1).astype(np.float32).reshape(shape)


def whole(shape, most, seed):
    return ((word(math.prod(shape), seed) >> np.uint64(8)) % np.uint64(most)).astype(np.int32).reshape(shape)


def arrays(s, name, count):
    """Inputs of a workload of whole arrays: as many rows as that has, the slope of the result last."""
    rows = s["rows"] if name in ("add", "exp", "gelu", "sum", "sum-columns", "transpose") else s["normed_rows"]
    return [numbers((rows, s["columns"]), 1 + i) for i in range(count)]


def factors(s, name):
    """So many rows, and the square matrix that they are multiplied by; integers of eight bits where the name says so."""
    kind, extent = name.split("-")[:2]
    n = 2 * s["product"] if kind == "rows" else s["product"] * int(extent) // 2048
    pair = numbers((int(extent) if kind == "rows" else n, n), 1), numbers((n, n), 2)
    return tuple((x * 128).astype(np.int8) for x in pair) if name.endswith("-i8") else pair


def experts(s, name):
    """Rows, a matrix for each of 64 experts, and how many rows each has."""
    if name.endswith(("-int8", "-int4")):
        raise NotImplementedError("it has no products in groups by weights in few bits")
    few = name.startswith("experts-rows")
    rows, width, inner = 64 if few else 2 * s["product"], s["product"] // 4, s["product"] // 2
    weights = whole((64,), 9, 5).astype(np.int64)
    sizes = rows * weights // weights.sum()
    sizes[0] += rows - sizes.sum()
    return numbers((rows, width), 1), numbers((64, width, inner), 2), sizes.astype(np.int32)


def mlp(s):
    """A row more than a power of two, and two matrices."""
    n = s["columns"]
    return numbers((n + 1, n), 1), numbers((n, 4 * n), 2), numbers((4 * n, n), 3)


def quantized(s, name):
    """Rows, codes of a square matrix between -127 and 127 or -7 and 7 in groups of rows, and the scales of each group, of bf16."""
    _, rows, kind = name.split("-")
    n, top = 2 * s["product"], 127 if kind == "int8" else 7
    w = numbers((n, n), 2).reshape(-1, n if kind == "int8" else min(n, 128), n)
    bits = (np.abs(w).max(1, keepdims=True) / np.float32(top)).view(np.uint32)
    scales = ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    return numbers((int(rows), n), 1), np.clip(np.rint(w / scales), -top, top).astype(np.int8), scales


def gpt_sizes(s, name):
    """The extents of a GPT by the name of its step, and whether it computes in bf16."""
    sizes = s["gpts"][GPTS.index(name.removesuffix("-bf16"))]
    names = "layers", "width", "heads", "batch", "context", "vocabulary"
    return tuple(sizes[n] for n in names), name.endswith("-bf16")


def gpt_weights(layers, width, context, vocabulary):
    """Weights of a GPT by name; projections that add to the residual stream are smaller."""
    random = np.random.default_rng(0)
    normal = lambda *shape, by=0.02: (by * random.standard_normal(shape)).astype(np.float32)
    weights = {"tokens": normal(vocabulary, width), "positions": normal(context, width)}
    weights |= {"scale": np.ones(width, np.float32), "bias": np.zeros(width, np.float32)}
    small = 0.02 / math.sqrt(2 * layers)
    shapes = {"qkv": (width, 3 * width), "out": (width, width), "up": (width, 4 * width), "down": (4 * width, width)}
    for i in range(layers):
        for name, shape in shapes.items():
            weights[f"{i}.{name}"] = normal(*shape, by=small if name in ("out", "down") else 0.02)
            weights[f"{i}.{name}.bias"] = np.zeros(shape[1], np.float32)
        for name in ("first", "second"):
            weights[f"{i}.{name}.scale"] = np.ones(width, np.float32)
            weights[f"{i}.{name}.bias"] = np.zeros(width, np.float32)
    return weights


def gpt_logits(p, tokens, layers, ops):
    """The GPT over a framework's `ops`: norm, gelu and causal attention."""
    x = p["tokens"][tokens] + p["positions"]
    linear = lambda x, name: x @ p[name] + p[name + ".bias"]
    for i in range(layers):
        y = ops.norm(x, p[f"{i}.first.scale"], p[f"{i}.first.bias"])
        x = x + linear(ops.attend(linear(y, f"{i}.qkv")), f"{i}.out")
        y = ops.norm(x, p[f"{i}.second.scale"], p[f"{i}.second.bias"])
        x = x + linear(ops.gelu(linear(y, f"{i}.up")), f"{i}.down")
    return ops.norm(x, p["scale"], p["bias"]) @ p["tokens"].T


class Jax:
    """Each method makes a workload: a function of nothing that computes and waits, and the mean of its result or None."""

    def function(self, f, *arguments):
        f = jax.jit(f)
        arguments = [jnp.asarray(a) for a in arguments]
        mean = float(jnp.mean(jax.tree.leaves(f(*arguments))[0].astype(jnp.float32)))
        return lambda: jax.block_until_ready(f(*arguments)), mean

    def gradient(self, f):
        return lambda *inputs: jax.vjp(f, *inputs[:-1])[1](inputs[-1])

    def add_donated(self, s):
        x, y = (jnp.asarray(a) for a in arrays(s, "add", 2))
        f = jax.jit(lambda x, y: x + y, donate_argnums=0)
        return self.steps(lambda x: f(x, y), x)

    def prepare(self, name, s):
        # Peers have no form of their own for a weight that stays the same.
        name = name.removesuffix("-prepared")
        nn = jax.nn
        norm = lambda x: (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
        rms = lambda x: x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-5)
        simple = {
            "add": (lambda x, y: x + y, 2),
            "exp": (jnp.exp, 1),
            "gelu": (lambda x: nn.gelu(x, approximate=True), 1),
            "sum": (jnp.sum, 1),
            "sum-columns": (lambda x: x.sum(0), 1),
            "transpose": (lambda x: x.T, 1),
            "softmax": (lambda x: nn.softmax(x, -1), 1),
            "layernorm": (norm, 1),
            "rmsnorm": (rms, 1),
            "swiglu": (lambda x, y: nn.silu(x) * y, 2),
        }
        if name in simple:
            f, count = simple[name]
            return self.function(f, *arrays(s, name, count))
        if name.startswith("attention"):
            f = functools.partial(nn.dot_product_attention, is_causal=True)
            dtype = jnp.bfloat16 if name.endswith("-bf16") else jnp.float32
            inputs = [jnp.asarray(numbers(s["attention"], seed), dtype) for seed in (1, 2, 3, 4)]
            return self.function(self.gradient(f), *inputs) if "gradient" in name else self.function(f, *inputs[:3])
        if name.endswith("-gradient"):
            f, count = simple[name.removesuffix("-gradient")]
            return self.function(self.gradient(f), *arrays(s, name, count + 1))
        if name.startswith("experts"):
            x, w, sizes = experts(s, name)
            dtype = jnp.bfloat16 if name.endswith("-bf16") else jnp.float32
            return self.function(jax.lax.ragged_dot, jnp.asarray(x, dtype), jnp.asarray(w, dtype), sizes)
        if name.endswith(("-int8", "-int4")):
            x, codes, scales = quantized(s, name)
            codes = jnp.asarray(codes, jnp.int4 if name.endswith("-int4") else jnp.int8)
            product = lambda x, codes, scales: x @ (codes.astype(x.dtype) * scales).reshape(-1, codes.shape[-1])
            return self.function(product, jnp.asarray(x, jnp.bfloat16), codes, jnp.asarray(scales, jnp.bfloat16))
        if name.removesuffix("-bf16") in GPTS:
            return self.gpt_step(*gpt_sizes(s, name))
        if name.endswith("-i8"):
            product = functools.partial(jnp.matmul, preferred_element_type=jnp.int32)
            return self.function(product, *(jnp.asarray(x) for x in factors(s, name)))
        if name.startswith(("matmul-", "rows-")):
            dtype = jnp.bfloat16 if name.endswith("-bf16") else jnp.float32
            return self.function(jnp.matmul, *(jnp.asarray(x, dtype) for x in factors(s, name)))
        return getattr(self, name.replace("-", "_"))(s)

    def cross_entropy(self, s):
        rows = max(s["normed_rows"] // 8, 1)

        def loss(x, labels):
            chosen = jnp.take_along_axis(x, labels[:, None], 1)[:, 0]
            return (jax.nn.logsumexp(x, -1) - chosen).mean()

        def both(x, labels):
            value, slope = jax.value_and_grad(loss)(x, labels)
            return slope + value

        return self.function(both, numbers((rows, s["classes"]), 1), whole((rows,), s["classes"], 2))

    def mlp(self, s):
        return self.function(lambda x, w, v: jax.nn.gelu(x @ w, approximate=True) @ v, *mlp(s))

    mlp_bucketed = mlp

    def scan(self, s):
        def f(x, w):
            return jax.lax.scan(lambda x, _: (jnp.tanh(x @ w), None), x, None, length=s["steps"])[0]

        return self.function(f, numbers((8, 64), 1), numbers((64, 64), 2))

    def scalar_loop(self, s):
        return self.function(
            lambda x: jax.lax.fori_loop(0, s["numbers"], lambda _, x: x * 0.999 + 0.001, x), np.float32(0.5)
        )

    def update(self, params, slopes, state, rate, betas, decay):
        count, ms, vs = state
        count = count + 1
        b1, b2 = betas
        ms = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, ms, slopes)
        vs = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, vs, slopes)
        one, two = 1 - b1**count, 1 - b2**count
        move = lambda p, m, v: p - rate * (m / one / (jnp.sqrt(v / two) + 1e-8) + decay * p)
        return jax.tree.map(move, params, ms, vs), (count, ms, vs)

    def steps(self, step, state):
        held = [step(state)]

        def call():
            held[0] = step(held[0])
            jax.block_until_ready(held[0])

        return call, None

    def initial(self, params):
        zeros = lambda: jax.tree.map(jnp.zeros_like, params)
        return params, (jnp.float32(0), zeros(), zeros())

    def adamw(self, s):
        shape = (s["width"], s["width"])
        params, slopes = ([jnp.asarray(numbers(shape, at + i)) for i in range(s["leaves"])] for at in (1, 1000))
        step = jax.jit(lambda ps, slopes: self.update(ps[0], slopes, ps[1], 1e-3, (0.9, 0.999), 0.01), donate_argnums=0)
        return self.steps(lambda ps: step(ps, slopes), self.initial(params))

    def gpt_step(self, sizes, narrow):
        layers, width, heads, batch, context, vocabulary = sizes

        class ops:
            gelu = staticmethod(lambda x: jax.nn.gelu(x, approximate=True))

            @staticmethod
            def norm(x, scale, bias):
                return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * scale + bias

            @staticmethod
            def attend(qkv):
                parts = (p.reshape(batch, context, heads, width // heads) for p in jnp.split(qkv, 3, -1))
                return jax.nn.dot_product_attention(*parts, is_causal=True).reshape(batch, context, width)

        x, y = (jnp.asarray(whole((batch, context), vocabulary, seed)) for seed in (3, 4))

        def loss(params, x, y):
            if narrow:
                params = jax.tree.map(lambda w: w.astype(jnp.bfloat16), params)
            logits = gpt_logits(params, x, layers, ops).astype(jnp.float32)
            chosen = jnp.take_along_axis(logits, y[..., None], -1)[..., 0]
            return (jax.nn.logsumexp(logits, -1) - chosen).mean()

        def step(ps, x, y):
            slopes = jax.grad(loss)(ps[0], x, y)
            return self.update(ps[0], slopes, ps[1], 3e-4, (0.9, 0.95), 0.1)

        step = jax.jit(step, donate_argnums=0)
        params = {name: jnp.asarray(w) for name, w in gpt_weights(layers, width, context, vocabulary).items()}
        return self.steps(lambda ps: step(ps, x, y), self.initial(params))


class Torch:
    """As `Jax`, eager."""

    def function(self, f, *arguments):
        tensor = lambda a: a if torch.is_tensor(a) else torch.from_numpy(np.ascontiguousarray(a))
        arguments = [tensor(a) for a in arguments]
        result = f(*arguments)
        return lambda: f(*arguments), float((result[0] if isinstance(result, tuple) else result).float().mean())

    def gradient(self, f):
        def slopes(*inputs):
            given = [x.detach().requires_grad_() for x in inputs[:-1]]
            return torch.autograd.grad(f(*given), given, inputs[-1])

        return slopes

    def add_donated(self, s):
        x, y = (torch.from_numpy(a) for a in arrays(s, "add", 2))
        return lambda: x.add_(y), None

    def prepare(self, name, s):
        # Peers have no form of their own for a weight that stays the same.
        name = name.removesuffix("-prepared")
        F = torch.nn.functional
        width = (s["columns"],)
        simple = {
            "add": (lambda x, y: x + y, 2),
            "exp": (torch.exp, 1),
            "gelu": (lambda x: F.gelu(x, approximate="tanh"), 1),
            "sum": (torch.sum, 1),
            "sum-columns": (lambda x: x.sum(0), 1),
            "transpose": (lambda x: x.T.contiguous(), 1),
            "softmax": (lambda x: F.softmax(x, -1), 1),
            "layernorm": (lambda x: F.layer_norm(x, width, eps=1e-5), 1),
            "rmsnorm": (lambda x: F.rms_norm(x, width, eps=1e-5), 1),
            "swiglu": (lambda x, y: F.silu(x) * y, 2),
        }
        if name in simple:
            f, count = simple[name]
            return self.function(f, *arrays(s, name, count))
        if name.startswith("attention"):
            heads_first = lambda x: x.transpose(1, 2)

            def f(*qkv):
                return heads_first(F.scaled_dot_product_attention(*map(heads_first, qkv), is_causal=True))

            dtype = torch.bfloat16 if name.endswith("-bf16") else torch.float32
            inputs = [torch.from_numpy(numbers(s["attention"], seed)).to(dtype) for seed in (1, 2, 3, 4)]
            return self.function(self.gradient(f), *inputs) if "gradient" in name else self.function(f, *inputs[:3])
        if name.endswith("-gradient"):
            f, count = simple[name.removesuffix("-gradient")]
            return self.function(self.gradient(f), *arrays(s, name, count + 1))
        if name.startswith("experts"):
            return self.experts(*experts(s, name), torch.bfloat16 if name.endswith("-bf16") else torch.float32)
        if name.endswith(("-int8", "-int4")):
            return self.quantized(*quantized(s, name), name.endswith("-int4"))
        if name.removesuffix("-bf16") in GPTS:
            return self.gpt_step(*gpt_sizes(s, name))
        if name.endswith("-i8"):
            return self.function(torch._int_mm, *(torch.from_numpy(x) for x in factors(s, name)))
        if name.startswith(("matmul-", "rows-")):
            dtype = torch.bfloat16 if name.endswith("-bf16") else torch.float32
            return self.function(torch.matmul, *(torch.from_numpy(x).to(dtype) for x in factors(s, name)))
        return getattr(self, name.replace("-", "_"))(s)

    def cross_entropy(self, s):
        rows = max(s["normed_rows"] // 8, 1)
        labels = torch.from_numpy(whole((rows,), s["classes"], 2)).long()

        def both(x):
            x = x.detach().requires_grad_()
            value = torch.nn.functional.cross_entropy(x, labels)
            value.backward()
            return x.grad + value.detach()

        return self.function(both, numbers((rows, s["classes"]), 1))

    def mlp(self, s):
        gelu = functools.partial(torch.nn.functional.gelu, approximate="tanh")
        return self.function(lambda x, w, v: gelu(x @ w) @ v, *mlp(s))

    mlp_bucketed = mlp

    def experts(self, x, w, sizes, dtype):
        sizes = sizes.tolist()
        each = lambda x, w: torch.cat([part @ matrix for part, matrix in zip(x.split(sizes), w)])
        return self.function(each, *(torch.from_numpy(a).to(dtype) for a in (x, w)))

    def quantized(self, x, codes, scales, nibbles):
        x, scales = torch.from_numpy(x).bfloat16(), torch.from_numpy(scales)[:, 0].bfloat16()
        group = codes.shape[1]
        codes = torch.from_numpy(np.ascontiguousarray(codes.reshape(-1, codes.shape[-1]).T))
        if not nibbles:
            return self.function(torch.ops.aten._weight_int8pack_mm, x, codes, scales[0])
        # The operator subtracts 8.
        packed = torch.ops.aten._convert_weight_to_int4pack_for_cpu(codes.int() + 8, 1)
        both = torch.stack([scales, torch.zeros_like(scales)], -1).contiguous()
        product = lambda x, w, both: torch.ops.aten._weight_int4pack_mm_for_cpu(x, w, group, both)
        return self.function(product, x, packed, both)

    def scan(self, s):
        def f(x, w):
            for _ in range(s["steps"]):
                x = torch.tanh(x @ w)
            return x

        return self.function(f, numbers((8, 64), 1), numbers((64, 64), 2))

    def scalar_loop(self, s):
        raise NotImplementedError("a loop of Python is no loop of PyTorch")

    def adamw(self, s):
        shape = (s["width"], s["width"])
        params = [torch.from_numpy(numbers(shape, 1 + i)).requires_grad_() for i in range(s["leaves"])]
        for i, p in enumerate(params):
            p.grad = torch.from_numpy(numbers(shape, 1000 + i))
        optimizer = torch.optim.AdamW(params, lr=1e-3, betas=(0.9, 0.999), weight_decay=0.01)
        return optimizer.step, None

    def gpt_step(self, sizes, narrow):
        F = torch.nn.functional
        layers, width, heads, batch, context, vocabulary = sizes

        class ops:
            gelu = staticmethod(lambda x: F.gelu(x, approximate="tanh"))
            norm = staticmethod(lambda x, scale, bias: F.layer_norm(x, (width,), scale, bias))

            @staticmethod
            def attend(qkv):
                parts = (p.view(batch, context, heads, -1).transpose(1, 2) for p in qkv.split(width, -1))
                mixed = F.scaled_dot_product_attention(*parts, is_causal=True)
                return mixed.transpose(1, 2).reshape(batch, context, width)

        x, y = (torch.from_numpy(whole((batch, context), vocabulary, seed)).long() for seed in (3, 4))
        params = {n: torch.from_numpy(w).requires_grad_() for n, w in gpt_weights(layers, width, context, vocabulary).items()}
        optimizer = torch.optim.AdamW(params.values(), lr=3e-4, betas=(0.9, 0.95), weight_decay=0.1)

        def step():
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=narrow):
                logits = gpt_logits(params, x, layers, ops)
                loss = F.cross_entropy(logits.reshape(-1, vocabulary), y.reshape(-1))
            loss.backward()
            optimizer.step()

        return step, None


def main():
    frameworks = {}
    if np is not None and jax is not None:
        frameworks["jax"] = Jax()
    if np is not None and torch is not None:
        frameworks["torch"] = Torch()
    versions = {"jax": jax and jax.__version__, "torch": torch and str(torch.__version__)}
    if np is None:
        versions = {"jax": None, "torch": None}
    print(json.dumps({**versions, "python": sys.version.split()[0]}), flush=True)
    ready = {}
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            framework = asked["framework"]
            if "prepare" in asked:
                # One workload at a time, or the memory of all of them would be held.
                ready.pop(framework, None)
                call, mean = frameworks[framework].prepare(asked["prepare"], asked["sizes"])
                call()
                ready[framework] = call
                answer = {"mean": mean}
            else:
                call = ready[framework]
                call()
                begun = time.perf_counter()
                for _ in range(asked["calls"]):
                    call()
                answer = {"seconds": (time.perf_counter() - begun) / asked["calls"]}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()

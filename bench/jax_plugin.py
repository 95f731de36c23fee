"""JAX on the plugin next to JAX on XLA's CPU backend: dispatch of a tiny function, and a Flax and Optax GPT-2 training step.

    cargo build --release -p jarrah-pjrt-plugin
    JARRAH_PJRT_LIBRARY=target/release/libjarrah_pjrt_plugin.so python bench/jax_plugin.py --rounds 3 [--layers 12 ...]

Needs jax, flax, optax and the package of `python/jarrah-pjrt`. The backends take turns, each in a process of its own; what
is printed are medians over rounds, and ratios of ours to theirs.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

PLATFORMS = {"jarrah": "jarrah,cpu", "xla": "cpu"}


def dispatch() -> dict:
    """Microseconds per call of a compiled function of four numbers: one after another, and each waited for."""
    import jax
    import jax.numpy as jnp

    f = jax.jit(lambda x: x * 2 + 1)
    x = jnp.arange(4.0)
    f(x).block_until_ready()

    def call(calls: int, wait: bool) -> float:
        begun = time.perf_counter()
        for _ in range(calls):
            y = f(x)
            if wait:
                y.block_until_ready()
        y.block_until_ready()
        return (time.perf_counter() - begun) / calls * 1e6

    return {
        "dispatch_us": statistics.median(call(2000, False) for _ in range(7)),
        "call_us": statistics.median(call(2000, True) for _ in range(7)),
    }


def training(shape: dict) -> dict:
    """Seconds to compile and to run one AdamW step of a GPT-2, its temporaries and the losses."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optax
    from flax import nnx

    width, heads, length = shape["width"], shape["heads"], shape["length"]

    class Block(nnx.Module):
        def __init__(self, rngs):
            self.norm1, self.norm2 = nnx.LayerNorm(width, rngs=rngs), nnx.LayerNorm(width, rngs=rngs)
            self.attention = nnx.MultiHeadAttention(heads, width, decode=False, rngs=rngs)
            self.up = nnx.Linear(width, 4 * width, rngs=rngs)
            self.down = nnx.Linear(4 * width, width, rngs=rngs)

        def __call__(self, x, mask):
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self.down(jax.nn.gelu(self.up(self.norm2(x))))

    class Gpt(nnx.Module):
        def __init__(self, rngs):
            self.tokens = nnx.Embed(shape["vocabulary"], width, rngs=rngs)
            self.positions = nnx.Embed(length, width, rngs=rngs)
            self.blocks = nnx.List([Block(rngs) for _ in range(shape["layers"])])
            self.norm = nnx.LayerNorm(width, rngs=rngs)

        def __call__(self, tokens):
            x = self.tokens(tokens) + self.positions(jnp.arange(length))
            mask = nnx.make_causal_mask(tokens)
            for block in self.blocks:
                x = block(x, mask)
            return self.tokens.attend(self.norm(x))

    model = Gpt(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adamw(1e-3), wrt=nnx.Param)
    graph, state = nnx.split((model, optimizer))

    def step(state, tokens):
        model, optimizer = nnx.merge(graph, state)

        def loss(model):
            logits = model(tokens[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

        value, gradients = nnx.value_and_grad(loss)(model)
        optimizer.update(model, gradients)
        return nnx.state((model, optimizer)), value

    random = np.random.default_rng(0)
    tokens = jnp.asarray(random.integers(0, shape["vocabulary"], (shape["batch"], length + 1)))
    lowered = jax.jit(step, donate_argnums=0).lower(state, tokens)
    begun = time.perf_counter()
    compiled = lowered.compile()
    compile_s = time.perf_counter() - begun
    temporaries = compiled.memory_analysis().temp_size_in_bytes
    times, losses = [], []
    for _ in range(shape["steps"]):
        begun = time.perf_counter()
        state, value = compiled(state, tokens)
        losses.append(float(value))
        times.append(time.perf_counter() - begun)
    found = {"compile_s": compile_s, "step_s": statistics.median(times), "temporaries_mb": temporaries / 1e6}
    return {**found, "losses": losses}


def measure(platform: str, shape: dict) -> dict:
    """What a process of its own finds on one backend."""
    environment = {**os.environ, "JAX_PLATFORMS": PLATFORMS[platform]}
    line = [sys.executable, __file__, "--child", json.dumps(shape)]
    done = subprocess.run(line, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    shape = {"layers": 12, "width": 768, "heads": 12, "vocabulary": 50257, "length": 128, "batch": 2, "steps": 5}
    for name, value in shape.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps({**dispatch(), **training(json.loads(arguments.child))}))
        return
    shape = {name: getattr(arguments, name) for name in shape}
    found = {platform: [] for platform in PLATFORMS}
    for _ in range(arguments.rounds):
        for platform in PLATFORMS:
            found[platform].append(measure(platform, shape))
    print(f"{'':14}{'jarrah':>10}{'xla':>10}{'ratio':>8}")
    for key in ("dispatch_us", "call_us", "compile_s", "step_s", "temporaries_mb"):
        ours, theirs = (statistics.median(round[key] for round in found[platform]) for platform in PLATFORMS)
        print(f"{key:14}{ours:10.3f}{theirs:10.3f}{ours / theirs:8.3f}")
    losses = [found[platform][0]["losses"] for platform in PLATFORMS]
    apart = max(abs(a - b) for a, b in zip(*losses, strict=True))
    print(f"losses differ by at most {apart:.2g}: {losses[0]}")


if __name__ == "__main__":
    main()

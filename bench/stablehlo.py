"""Programs that JAX lowers, compiled and run by JAX and by `jarrah hlo run` on the same inputs.

    cargo build --release
    .venv/bin/python bench/stablehlo.py [NAME...]

For each program: whether the results agree, the time to parse and compile it and to run it once here, and both as ratios to JAX
(below 1 is faster), which compiles what it has already traced and lowered. The two take turns; times are medians. Vectors of
decompositions agree up to their signs.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from safetensors.numpy import load_file, save_file

BINARY = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "jarrah"
ROUNDS = 5
R = np.random.default_rng(0)


def draw(*shape, dtype=np.float32):
    return R.standard_normal(shape).astype(dtype)


def transformer_step():
    width, layers, vocabulary, length, batch = 512, 6, 8192, 128, 8
    shapes = dict(qkv=(width, 3 * width), out=(width, width), up=(width, 4 * width), down=(4 * width, width))
    parameters = dict(
        embedding=0.02 * draw(vocabulary, width),
        head=0.02 * draw(width, vocabulary),
        blocks=[{k: 0.02 * draw(*s) for k, s in shapes.items()} for _ in range(layers)],
    )

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)

    def loss(p, tokens, labels):
        h = p["embedding"][tokens]
        for b in p["blocks"]:
            q, k, v = jnp.split((norm(h) @ b["qkv"]).reshape(batch, length, 8, -1), 3, -1)
            h = h + jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(h.shape) @ b["out"]
            h = h + jax.nn.gelu(norm(h) @ b["up"]) @ b["down"]
        logits = jax.nn.log_softmax(norm(h) @ p["head"])
        return -jnp.take_along_axis(logits, labels[..., None], -1).mean()

    def step(p, m, tokens, labels):
        value, slopes = jax.value_and_grad(loss)(p, tokens, labels)
        m = jax.tree.map(lambda m, g: 0.9 * m + g, m, slopes)
        return value, jax.tree.map(lambda p, m: p - 0.01 * m, p, m), m

    tokens = R.integers(0, vocabulary, (2, batch, length)).astype(np.int32)
    return step, parameters, jax.tree.map(np.zeros_like, parameters), *tokens


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


def conv(groups):
    def f(x, k):
        return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)

    return f


def attend(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


def definite(n):
    x = draw(n, n)
    return x @ x.T + n * np.eye(n, dtype=np.float32)


IMAGE = (32, 56, 56, 64)
# Batch, length, heads and width of a head: those of `jarrah bench attention attention-gradient`, which has our own op.
HEADS = (2, 1024, 12, 64)
PROGRAMS = {
    "transformer_step": transformer_step,
    "attention": lambda: (attend, *(draw(*HEADS) for _ in range(3))),
    "attention_grad": lambda: (lambda q, k, v, slope: jax.vjp(attend, q, k, v)[1](slope), *(draw(*HEADS) for _ in range(4))),
    "conv": lambda: (conv(1), draw(*IMAGE), draw(3, 3, 64, 64)),
    "depthwise_conv": lambda: (conv(64), draw(*IMAGE), draw(3, 3, 1, 64)),
    "max_pool": lambda: (pool, draw(*IMAGE)),
    "max_pool_grad": lambda: (jax.grad(lambda x: pool(x).sum()), draw(*IMAGE)),
    "avg_pool": lambda: (lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), draw(*IMAGE)),
    "cumsum": lambda: (lambda x: jnp.cumsum(x, 1), draw(256, 4096)),
    "reverse_cumsum": lambda: (lambda x: lax.cumsum(x, 1, reverse=True), draw(256, 4096)),
    "cummax": lambda: (lambda x: lax.cummax(x, 1), draw(256, 4096)),
    "softmax": lambda: (lambda x: jax.nn.softmax(x), draw(2048, 4096)),
    "sort": lambda: (jnp.sort, draw(64, 100352)),
    "top_k": lambda: (lambda x: lax.top_k(x, 50), draw(64, 100352)),
    "argmax": lambda: (lambda x: jnp.argmax(x, -1), draw(64, 100352)),
    "gather": lambda: (lambda x, i: x[i], draw(50000, 256), R.integers(0, 50000, 4096)),
    "scatter_add": lambda: (lambda x, i, u: x.at[i].add(u), draw(50000, 256), R.integers(0, 50000, 4096), draw(4096, 256)),
    "dot_i8": lambda: (lambda x: lax.dot(x, x, preferred_element_type=jnp.int32), R.integers(-9, 9, (512, 512)).astype(np.int8)),
    "dot_bf16": lambda: (lambda x: lax.dot(x, x), draw(512, 512, dtype=jnp.bfloat16)),
    "complex": lambda: (lambda x: x * x + x, draw(1024, 1024).astype(np.complex64)),
    "lgamma": lambda: (jax.scipy.special.gammaln, draw(1024, 1024)),
    "erf": lambda: (jax.scipy.special.erf, draw(1024, 1024)),
    "normal": lambda: (lambda k: jax.random.normal(k, (1024, 1024)), np.array([0, 7], np.uint32)),
    "fft": lambda: (jnp.fft.fft, draw(256, 1024).astype(np.complex64)),
    "rfft2": lambda: (jnp.fft.rfft2, draw(16, 256, 256)),
    "cholesky": lambda: (jnp.linalg.cholesky, definite(256)),
    "solve": lambda: (jnp.linalg.solve, draw(256, 256), draw(256, 256)),
    "qr": lambda: (jnp.linalg.qr, draw(256, 256)),
    "eigh": lambda: (jnp.linalg.eigh, definite(256)),
    "svd": lambda: (jnp.linalg.svd, draw(256, 256)),
}
UP_TO_SIGNS = {"eigh", "svd"}


def timed(f):
    begun = time.perf_counter()
    result = jax.block_until_ready(f())
    return time.perf_counter() - begun, result


def ours(folder):
    command = [BINARY, "hlo", "run", folder / "p.mlir", "--inputs", folder / "in", "--outputs", folder / "out", "--repeat", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def agree(name, got, want):
    for i, y in enumerate(want):
        x, y = got[str(i)].astype(np.complex128), np.asarray(y).astype(np.complex128)
        bound = 1e-4
        if name in UP_TO_SIGNS:
            # Vectors of values that are close to each other are known to fewer digits.
            x, y, bound = np.abs(x), np.abs(y), 2e-2
        apart = np.abs(np.subtract(x, y, where=x != y, out=np.zeros_like(x)))
        if np.max(apart, initial=0) > bound * np.max(np.abs(y), initial=1, where=np.isfinite(y)):
            return f"result {i} differs"
    return "agrees"


def measure(name):
    f, *arguments = PROGRAMS[name]()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        lowered = jax.jit(f).lower(*arguments)
        (folder / "p.mlir").write_text(lowered.as_text())
        leaves = jax.tree.leaves(arguments)
        leaves = [x.astype(np.int32) if x.dtype == np.int64 else x for x in leaves]
        save_file({str(i): np.array(x, order="C") for i, x in enumerate(leaves)}, folder / "in")
        compiles, runs = [], []
        on_device = jax.device_put(arguments)
        for _ in range(ROUNDS):
            jax.clear_caches()
            lowered = jax.jit(f).lower(*arguments)
            compiled_s, compiled = timed(lowered.compile)
            want = compiled(*on_device)
            run_s = statistics.median(timed(lambda: compiled(*on_device))[0] for _ in range(3))
            report = ours(folder)
            compiles.append((report["parse_s"] + report["compile_s"], compiled_s))
            runs.append((report["run_s"], run_s))
        verdict = agree(name, load_file(folder / "out"), jax.tree.leaves(want))

    def ratio(pairs):
        return statistics.median(a / b for a, b in pairs)

    here = statistics.median(a for a, _ in compiles), statistics.median(a for a, _ in runs)
    print(f"{name:<18} {verdict:<8} compile {1e3 * here[0]:8.2f} ms ({ratio(compiles):.3f})  run {1e3 * here[1]:9.3f} ms ({ratio(runs):.2f})", flush=True)
    return ratio(compiles), ratio(runs)


def main():
    names = sys.argv[1:] or list(PROGRAMS)
    ratios = [measure(name) for name in names]
    for what, column in zip(("compile", "run"), zip(*ratios)):
        print(f"{what}: geometric mean of the ratios {statistics.geometric_mean(column):.3f}")


if __name__ == "__main__":
    main()

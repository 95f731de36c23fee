"""Random chains of transformations, up to four deep, and fourth derivatives, with their results from JAX in f64.

Writes `nested.txt` (a line for each program, in the words of `nested_interp.py`; those below `fourth` are fourth
derivatives) and `nested.safetensors` (`results`: the results, flat, one after another). The arguments of program number n are
`2 unit(7000 + 2n)` and `2 unit(7001 + 2n)`.

A drawing is thrown away and redrawn where JAX refuses it (reverse mode through `while`, forward mode through
`custom_vjp`), where a result is not finite, above 50 or nowhere above 1e-2, or where moving the arguments by about 1e-13 or 1e-7 moves
the result by more than 20 times that much of its largest absolute value, or where JAX's own f32 is off by more than 5e-6 of it.
So is one whose custom backward pass differentiates a function without reverse mode: JAX traces the pass only when somebody
differentiates, we trace it at once. A fourth derivative that is not finite is an error.
"""

import collections
import multiprocessing
import os
import random
import sys

os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")

import common
from nested_interp import BASES, SHELLS, function

import jax
import jax.numpy as jnp
import numpy as np

COUNT = 1000
SEED = 10
SHAPES = ["3", "3", "2,3"]
# The Jacobians multiply the work by the number of elements, so they stand at the bottom.
DEEP = [name for name in SHELLS if name not in ("jacfwd", "jacrev", "hessian")]
# Shells whose derivative gives one more order each; four of them around a base are a fourth derivative.
ORDERS = ["grad.0 grad.0 grad.0 grad.0", "jvp.1 jvp.1 jvp.1 jvp.1", "jvp.1 grad.0 jvp.1 grad.0", "grad.0 jvp.1 grad.1 jvp.0"]


def shell(r, name, rank):
    axis = lambda: r.randint(-rank - 1, rank)
    match name:
        case "grad":
            numbers = [r.randrange(3)]
        case "vmap":
            numbers = [axis(), r.choice([9, axis()]), axis()]
        case "named":
            numbers = [r.randrange(4)]
        case "scan":
            numbers = [r.randint(1, 3), r.randrange(2)]
        case "bounded":
            numbers = [r.choice([2, 4])]
        case "fori":
            numbers = [r.randint(1, 3)]
        case "checkpoint":
            numbers = [r.randrange(5)]
        case "jvp" | "cond" | "switch" | "custom_jvp" | "custom_vjp" | "stop":
            numbers = [r.randrange(2)]
        case _:
            numbers = []
    return ".".join([name, *map(str, numbers)])


def draw(r, number):
    shape = r.choice(SHAPES)
    depth = r.choices([2, 3, 4], [1, 3, 6])[0]
    # The first two walk through all pairs.
    names = [DEEP[number % len(DEEP)], DEEP[number // len(DEEP) % len(DEEP)]] + [r.choice(DEEP) for _ in range(depth - 2)]
    if r.random() < 0.5:
        names = [r.choice(DEEP) for _ in range(depth - 2)] + names[:2]
    if r.random() < 0.15:
        names[-1] = r.choice([name for name in SHELLS if name not in DEEP])
    return " ".join([shape, *(shell(r, name, shape.count(",") + 1) for name in names), r.choice(list(BASES))])


def arguments(number, shape):
    return [2 * common.unit(7000 + 2 * number + i, shape) for i in range(2)]


def has_backward_passes(line, shape):
    """Whether the function in each `custom_vjp.1`, whose backward pass is that of the function, has reverse mode."""
    words = line.split()
    x = jnp.zeros(shape)
    for at in (i for i, word in enumerate(words) if word == "custom_vjp.1"):
        f, _ = function(" ".join(words[:1] + words[at + 1 :]))
        try:
            jax.eval_shape(lambda x, f=f: jax.vjp(f, x, x)[1](x), x)
        except ValueError:
            return False
    return True


def judge(line, number):
    """The result in f64, or the reason to throw the program away."""
    f, shape = function(line)
    xs = arguments(number, shape)
    rng = np.random.default_rng(number)
    try:
        with jax.enable_x64(True):
            run = jax.jit(f)
            at = lambda by: np.asarray(run(*(jnp.asarray(x + by * rng.uniform(-1, 1, shape), jnp.float64) for x in xs)))
            wide, *moved = [at(by) for by in (0, 1e-13, 1e-7)]
    except (ValueError, TypeError, NotImplementedError, AssertionError) as e:
        return None, f"{type(e).__name__}: {str(e)[:70]}"
    assert wide.shape == shape and wide.dtype == np.float64, (line, wide.shape, wide.dtype)
    if not has_backward_passes(line, shape):
        return None, "a backward pass without reverse mode"
    largest = np.abs(wide).max()
    if not np.isfinite(wide).all() or largest > 50 or largest < 1e-2:
        return None, "too large or too small"
    for by, other in zip((1e-13, 1e-7), moved):
        if not np.abs(other - wide).max() <= 20 * by * largest:
            return None, "near a kink, or ill-conditioned"
    narrow = np.asarray(jax.jit(function(line)[0])(*(jnp.asarray(x) for x in xs)))
    if not np.abs(narrow - wide).max() <= 5e-6 * largest:
        return None, "f32 noise"
    return wide, None


def work(number):
    reasons = collections.Counter()
    r = random.Random(SEED * 1_000_000 + number)
    while True:
        line = draw(r, number)
        wide, reason = judge(line, number)
        jax.clear_caches()
        if wide is not None:
            return line, wide, reasons
        reasons[reason] += 1


def fourth(job):
    """A fourth derivative in f64; none where JAX has none."""
    number, line = job
    with jax.enable_x64(True):
        f, shape = function(line)
        result = np.asarray(jax.jit(f)(*(jnp.asarray(x, jnp.float64) for x in arguments(number, shape))))
    jax.clear_caches()
    return line, result


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    orders = [f"3 {order} {base}" for base in BASES for order in ORDERS][: len(BASES) * len(ORDERS) * count // COUNT]
    lines, results, reasons, pairs = [], [], collections.Counter(), collections.Counter()
    with multiprocessing.get_context("spawn").Pool(2, maxtasksperchild=100) as pool:
        for line, result, why in pool.imap(work, range(count), chunksize=5):
            lines.append(line)
            results.append(result)
            reasons += why
            names = [word.split(".")[0] for word in line.split()[1:-1]]
            pairs.update(zip(names, names[1:]))
            if len(lines) % 50 == 0:
                print(len(lines), "programs", flush=True)
        lines.append("fourth")
        for line, result in pool.imap(fourth, [(count + i, line) for i, line in enumerate(orders)], chunksize=5):
            if not np.isfinite(result).all():
                raise SystemExit(f"{line} is {result}")
            lines.append(line)
            results.append(result)

    print("redrawn:", *reasons.most_common(12), sep="\n  ")
    possible = len(DEEP) * len(SHELLS)
    print(len(pairs), "of", possible, "pairs; seldom:", *(p for p, n in pairs.items() if n == 1))
    path = common.GOLDEN / "nested.txt"
    path.write_text("".join(line + "\n" for line in lines))
    print(f"nested.txt: {path.stat().st_size} bytes")
    common.save_tensors("nested.safetensors", {"results": np.concatenate([result.ravel() for result in results])})


if __name__ == "__main__":
    main()

"""Single steps of every Optax optimizer in f32, bf16 and f16, from a state that is given: updates and states.

Writes `optim/steps.tsv` and `optim/steps.safetensors`, of the cases and the loss of `optimizers.py`. A case is run in f32; before some of its
steps, 2 and 50 (and 4, of which the gradient has a NaN, where the name ends in `~nan`), parameters, state, loss and gradient are kept. They
are rounded to each of the three dtypes, and Optax makes one step from there. Every op rounds to its dtype: XLA is told not to keep the precision of
f32 between ops of a narrower dtype (`xla_allow_excess_precision`), and not to simplify algebra (`algsimp`), as it would multiply by a rounded reciprocal
where Optax divides by a scalar; in bf16 and f16 steps are made op by op (`jax.disable_jit`), as within a fused loop some roundings to f16 are left out still.

A row of the table is `case, state, dtypes in f32, dtypes in bf16, dtypes in f16`: the state as `path:elements`, and dtypes of its leaves, separated by commas;
`refused` for dtypes where JAX lacks a function of the dtype. The tensor `case/start` has a row for each step, of parameters, gradient, loss and state, and
the tensors `case/f32`, `case/bf16` and `case/f16` have rows of the step's updates and the state after it. All are stored as f32, which has every number of
the others; the words of keys as their bits. With names as arguments only the cases that begin so, and those that are new, are computed.
"""

import os
import sys
import warnings

os.environ["XLA_FLAGS"] = "--xla_allow_excess_precision=false --xla_disable_hlo_passes=algsimp"

import common
import jax
import jax.numpy as jnp
import numpy as np
import optax
from safetensors.numpy import load_file

from optimizers import CASES, SHAPES, loss_of, path_of, plain, problem, start, stored

warnings.filterwarnings("ignore")

DTYPES = {"f32": jnp.float32, "bf16": jnp.bfloat16, "f16": jnp.float16}


def leaves_of(state):
    return sorted(((path_of(p), plain(x)) for p, x in jax.tree_util.tree_flatten_with_path(state)[0]), key=lambda pair: pair[0])


def extended(make):
    """An optimizer that takes all that there is beside gradients."""
    opt = make()
    return optax.with_extra_args_support(opt) if isinstance(opt, optax.GradientTransformation) else opt


def rounded(state, like, dtype):
    """A state in the dtypes that one has which begins in a dtype; in that dtype where it has no such leaf."""
    dtypes = {path_of(path): x.dtype for path, x in jax.tree_util.tree_flatten_with_path(like)[0]}

    def leaf(path, x):
        if not jnp.issubdtype(x.dtype, jnp.floating):
            return x
        return x.astype(dtypes.get(path_of(path), dtype))

    return jax.tree_util.tree_map_with_path(leaf, state)


def starts(make, tensors, init, steps, nan):
    """Before each of these steps: parameters, state, loss and gradient."""
    loss, opt = loss_of(tensors, jnp.float32), extended(make)
    params = {k: jnp.asarray(v, jnp.float32) for k, v in init.items()}
    state = opt.init(params)

    def sloped(params, bad):
        value, grads = jax.value_and_grad(loss)(params)
        return value, grads | {"x": jnp.where(bad, jnp.nan, grads["x"])}

    sloped = jax.jit(sloped)

    @jax.jit
    def step(params, state, value, grads):
        updates, state = opt.update(grads, state, params, value=value, grad=grads, value_fn=loss)
        return optax.apply_updates(params, updates), state

    kept = []
    for t in range(1, max(steps) + 1):
        value, grads = sloped(params, nan and t in (4, 5))
        if t in steps:
            kept.append((params, state, value, grads))
        params, state = step(params, state, value, grads)
    return kept


def nexts_of(make, tensors, dtype, starts):
    """The updates and the state of one step from each start, rounded to a dtype."""
    loss, opt = loss_of(tensors, dtype), extended(make)
    narrow = lambda tree: jax.tree.map(lambda x: x.astype(dtype), tree)

    @jax.jit
    def step(params, state, value, grads):
        return opt.update(grads, state, params, value=value, grad=grads, value_fn=loss)

    for params, state, value, grads in starts:
        params = narrow(params)
        with jax.disable_jit(dtype != jnp.float32):
            yield step(params, rounded(state, opt.init(params), dtype), value.astype(dtype), narrow(grads))


def row(*leaves):
    return np.concatenate([stored(np.asarray(x)) for x in leaves])


def save(rows, out):
    table = common.GOLDEN / "optim" / "steps.tsv"
    table.write_text("".join(f"{row}\n" for name in CASES if (row := rows.get(name))))
    common.save_tensors("optim/steps.safetensors", out)


def main():
    tensors, init = problem(), start()
    rows, out = {}, {}
    if sys.argv[1:]:
        table = common.GOLDEN / "optim" / "steps.tsv"
        rows = {row.split("\t")[0]: row for row in table.read_text().splitlines()}
        out = load_file(str(table.with_suffix(".safetensors")))
    for name, make in CASES.items():
        if name in rows and not any(name.startswith(only) for only in sys.argv[1:]):
            continue
        steps = (2, 4, 50) if name.endswith("~nan") else (2, 50)
        kept = starts(make, tensors, init, steps, name.endswith("~nan"))
        leaves = leaves_of(kept[0][1])
        cells = [name, ",".join(f"{path}:{x.size}" for path, x in leaves)]
        in_order = lambda tree: [tree[k] for k in SHAPES]
        out[f"{name}/start"] = np.stack([row(*in_order(p), *in_order(g), v, *(x for _, x in leaves_of(s))) for p, s, v, g in kept])
        for label, dtype in DTYPES.items():
            try:
                after = list(nexts_of(make, tensors, dtype, kept))
            except (NotImplementedError, TypeError) as e:
                print(name, label, type(e).__name__, str(e)[:200].replace("\n", " "))
                cells.append("refused")
                continue
            cells.append(",".join(str(x.dtype) for _, x in leaves_of(after[-1][1])))
            out[f"{name}/{label}"] = np.stack([row(*in_order(u), *(x for _, x in leaves_of(s))) for u, s in after])
        rows[name] = "\t".join(cells)
        save(rows, out)


if __name__ == "__main__":
    main()

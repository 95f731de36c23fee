"""Fifty steps of every Optax optimizer on an ill-conditioned quadratic and a small network: parameters and states.

Writes `optim/trajectories.tsv` and `optim/trajectories.safetensors`. The loss is computed from the tensors `problem/..`:

    0.5 x'Ax - b'x + mean((tanh(X w1 + b1) w2 + b2 - Y)^2),   parameters b1 [4], b2 [2], w1 [3,4], w2 [4,2], x [8]

A row of the table is `case, f32 errors, state`, the state as `path:dtype:elements` separated by commas. The tensor of a case has a row after
each of the steps 1, 2, 10 and 50, with the elements of the parameters and then of the state in the order of the table; it is computed in
f64 and rounded to f32. The words of keys are stored as their bits. Dtypes are those of the same run in f32, and an f32 error, one for each
of those steps, is the largest difference of the two runs over max(1, largest absolute value of the leaf). Where a case's name ends in `~nan`, the gradient of x is NaN at
steps 4 and 5.
"""

import sys
import warnings

import common
import jax
import jax.numpy as jnp
import numpy as np
import optax
from safetensors.numpy import load_file

from optimizer_references import REFERENCES

warnings.filterwarnings("ignore")

SHAPES = {"b1": (4,), "b2": (2,), "w1": (3, 4), "w2": (4, 2), "x": (8,)}
KEEP = (1, 2, 10, 50)


def problem():
    """The tensors of the loss."""
    q, _ = np.linalg.qr(common.unit(7100, (8, 8)).astype(np.float64))
    a = (q * np.geomspace(0.01, 4.0, 8)) @ q.T
    return {
        "A": (a + a.T) / 2,
        "b": common.unit(7101, (8,)).astype(np.float64),
        "X": common.unit(7102, (6, 3)).astype(np.float64) * 2,
        "Y": common.unit(7103, (6, 2)).astype(np.float64),
    }


def start():
    """The first parameters."""
    return {k: common.unit(7110 + i, s).astype(np.float64) * 2 for i, (k, s) in enumerate(SHAPES.items())}


def loss_of(tensors, dtype):
    t = {k: jnp.asarray(v, dtype) for k, v in tensors.items()}

    def loss(p):
        quadratic = 0.5 * jnp.sum(p["x"] * (t["A"] @ p["x"])) - jnp.sum(t["b"] * p["x"])
        out = jnp.tanh(t["X"] @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]
        return quadratic + jnp.mean(jnp.square(out - t["Y"]))

    return loss


SCHEDULE = optax.linear_schedule(0.02, 0.005, 40)
MATRICES = lambda p: jax.tree.map(lambda x: x.ndim >= 2, p)
KEY = lambda: jax.random.key(7)


class Lookahead:
    """Optax's lookahead with its slow parameters as a part of the state."""

    def __init__(self, *args, **kwargs):
        self.inner = optax.lookahead(*args, **kwargs)

    def init(self, params):
        return {"lookahead": self.inner.init(optax.LookaheadParams(params, params)), "slow": params}

    def update(self, grads, state, params, **_):
        pair = optax.LookaheadParams(params, state["slow"])
        updates, inner = self.inner.update(grads, state["lookahead"], pair)
        pair = optax.apply_updates(pair, updates)
        return updates.fast, {"lookahead": inner, "slow": pair.slow}


def hyper(**numbers):
    return optax.inject_hyperparams(lambda learning_rate, weight_decay: optax.adamw(learning_rate, weight_decay=weight_decay))(**numbers)


def labels(p):
    return {k: "biases" if k.startswith("b") else "weights" for k in p}


def multi(k, **kwargs):
    return optax.MultiSteps(optax.adam(0.01), k, **kwargs).gradient_transformation()


CASES = {
    "adabelief": lambda: optax.adabelief(0.01),
    "adabelief.nesterov": lambda: optax.adabelief(0.01, eps=1e-8, nesterov=True),
    "adadelta": lambda: optax.adadelta(0.5, rho=0.8, eps=1e-4, weight_decay=0.01),
    "adafactor": lambda: optax.adafactor(0.05),
    "adafactor.factored": lambda: optax.adafactor(0.05, min_dim_size_to_factor=2, momentum=0.9, weight_decay_rate=1e-3),
    "adafactor.plain": lambda: optax.adafactor(0.02, multiply_by_parameter_scale=False, clipping_threshold=None, factored=False, decay_offset=-1),
    "adagrad": lambda: optax.adagrad(0.1),
    "adam": lambda: optax.adam(0.01),
    "adam.options": lambda: optax.adam(0.01, b1=0.8, b2=0.99, eps=1e-6, eps_root=1e-8),
    "adam.schedule": lambda: optax.adam(SCHEDULE),
    "adam.mu_bf16": lambda: optax.adam(0.01, mu_dtype=jnp.bfloat16),
    "adamax": lambda: optax.adamax(0.01),
    "adamaxw": lambda: optax.adamaxw(0.01, weight_decay=0.1, mask=MATRICES),
    "adamw": lambda: optax.adamw(0.01),
    "adamw.mask": lambda: optax.adamw(0.01, weight_decay=0.1, mask=MATRICES),
    "adan": lambda: optax.adan(0.01, weight_decay=0.01),
    "amsgrad": lambda: optax.amsgrad(0.01),
    "amsgrad.biased": lambda: optax.amsgrad(0.01, bias_correction_mu=False, bias_correction_nu=False),
    "fromage": lambda: optax.fromage(0.02),
    "fromage.schedule": lambda: optax.fromage(SCHEDULE),
    "lamb": lambda: optax.lamb(0.01, weight_decay=0.01),
    "lars": lambda: optax.lars(1.0, weight_decay=0.01, weight_decay_mask=MATRICES, trust_coefficient=0.02, trust_ratio_mask=MATRICES),
    "lbfgs": lambda: optax.lbfgs(),
    "lbfgs.identity": lambda: optax.lbfgs(
        0.5,
        memory_size=3,
        scale_init_precond=False,
        linesearch=optax.scale_by_zoom_linesearch(15, max_learning_rate=1.5, tol=1e-3, curv_rtol=0.1, initial_guess_strategy="keep"),
    ),
    "scale_by_lbfgs": lambda: optax.lbfgs(0.3, memory_size=4, linesearch=None),
    "scale_by_zoom_linesearch": lambda: optax.chain(
        optax.sgd(1.0), optax.scale_by_zoom_linesearch(10, curv_rtol=0.3, approx_dec_rtol=None, initial_guess_strategy="keep")
    ),
    "scale_by_backtracking_linesearch": lambda: optax.chain(
        optax.sgd(1.0), optax.scale_by_backtracking_linesearch(15, max_learning_rate=5.0, increase_factor=2.0)
    ),
    "scale_by_backtracking_linesearch.grad": lambda: optax.chain(
        optax.sgd(1.0), optax.scale_by_backtracking_linesearch(8, slope_rtol=0.5, rtol=1e-3, store_grad=True)
    ),
    "lion": lambda: optax.lion(0.002),
    "nadam": lambda: optax.nadam(0.01),
    "nadamw": lambda: optax.nadamw(0.01, weight_decay=0.1),
    "noisy_sgd": lambda: optax.noisy_sgd(0.05, key=KEY()),
    "novograd": lambda: optax.novograd(0.01, weight_decay=0.01),
    "optimistic_gradient_descent": lambda: optax.optimistic_gradient_descent(0.05, alpha=0.9, beta=0.8),
    "optimistic_adam": lambda: optax.optimistic_adam(0.01),
    "optimistic_adam_v2": lambda: optax.optimistic_adam_v2(0.01, alpha=0.9),
    "polyak_sgd": lambda: optax.polyak_sgd(0.2, f_min=-40.0),
    "polyak_sgd.positive": lambda: optax.polyak_sgd(0.2, scaling=0.5, f_min=0.1, eps=0.01, variant="sps+"),
    "radam": lambda: optax.radam(0.01),
    "radam.nesterov": lambda: optax.radam(0.01, b2=0.9, nesterov=True),
    "rmsprop": lambda: optax.rmsprop(0.01),
    "rmsprop.centered": lambda: optax.rmsprop(0.01, decay=0.8, eps=1e-3, centered=True, momentum=0.5, nesterov=True),
    "rmsprop.outside": lambda: optax.rmsprop(0.01, eps_in_sqrt=False, bias_correction=True),
    "rmsprop.centered_outside": lambda: optax.rmsprop(0.01, eps=1e-3, centered=True, eps_in_sqrt=False, bias_correction=True, initial_scale=0.5),
    "rprop": lambda: optax.rprop(0.01),
    "sgd": lambda: optax.sgd(0.05),
    "sgd.momentum": lambda: optax.sgd(0.05, momentum=0.9, nesterov=True),
    "sgd.bf16": lambda: optax.sgd(0.05, momentum=0.9, accumulator_dtype=jnp.bfloat16),
    "sign_sgd": lambda: optax.sign_sgd(0.003),
    "signum": lambda: optax.signum(0.003),
    "sm3": lambda: optax.sm3(0.05),
    "yogi": lambda: optax.yogi(0.01),
    "scale_by_lion.smooth": lambda: optax.chain(optax.scale_by_lion(mode="smooth", smooth_beta=3.0), optax.scale(-0.02)),
    "scale_by_lion.refined": lambda: optax.chain(optax.scale_by_lion(mode="refined"), optax.scale(-0.02)),
    "scale_by_sm3": lambda: optax.chain(optax.scale_by_sm3(0.5, b2=0.9), optax.scale(-0.02)),
    "scale_by_param_block_norm": lambda: optax.chain(optax.scale_by_param_block_norm(), optax.scale(-0.02)),
    "scale_by_param_block_rms": lambda: optax.chain(optax.scale_by_param_block_rms(), optax.scale(-0.05)),
    "scale_by_schedule": lambda: optax.chain(optax.scale_by_schedule(SCHEDULE), optax.scale(-1.0)),
    "scale_by_distance_over_gradients": lambda: optax.chain(
        optax.scale_by_distance_over_gradients(reps_rel=0.01, param_dtype=float), optax.scale(-1.0)
    ),
    "scale_by_factored_rms": lambda: optax.chain(optax.scale_by_factored_rms(min_dim_size_to_factor=3, decay_rate=0.7), optax.scale(-0.01)),
    "add_decayed_weights.schedule": lambda: optax.chain(optax.add_decayed_weights(SCHEDULE, MATRICES), optax.sgd(0.05)),
    "add_noise": lambda: optax.chain(optax.add_noise(0.1, 0.6, KEY()), optax.scale(-0.05)),
    "adaptive_grad_clip": lambda: optax.chain(optax.adaptive_grad_clip(0.1), optax.sgd(0.1)),
    "apply_every": lambda: optax.chain(optax.apply_every(3), optax.sgd(0.05)),
    "apply_if_finite~nan": lambda: optax.apply_if_finite(optax.adam(0.01), 3),
    "centralize": lambda: optax.chain(optax.centralize(), optax.sgd(0.05)),
    "clip": lambda: optax.chain(optax.clip(0.1), optax.sgd(0.1)),
    "clip_by_block_rms": lambda: optax.chain(optax.clip_by_block_rms(0.1), optax.sgd(0.1)),
    "clip_by_global_norm": lambda: optax.chain(optax.clip_by_global_norm(0.2), optax.adam(0.01)),
    "conditionally_mask": lambda: optax.transforms.conditionally_mask(optax.adam(0.01), lambda step: step % 3 != 1),
    "conditionally_mask.value": lambda: optax.transforms.conditionally_mask(
        optax.sgd(0.05), lambda step, value, **_: value > 0.3, forward_extra_args=True
    ),
    "conditionally_transform": lambda: optax.chain(
        optax.transforms.conditionally_transform(optax.scale_by_adam(), lambda step: step % 4 < 2), optax.scale(-0.01)
    ),
    "ema": lambda: optax.chain(optax.ema(0.9), optax.scale(-0.05)),
    "ema.biased": lambda: optax.chain(optax.ema(0.9, debias=False, accumulator_dtype=jnp.bfloat16), optax.scale(-0.05)),
    "flatten": lambda: optax.flatten(optax.chain(optax.clip_by_block_rms(0.1), optax.adam(0.01))),
    "freeze": lambda: optax.chain(optax.transforms.freeze({k: k == "w1" for k in SHAPES}), optax.sgd(0.05)),
    "inject_hyperparams": lambda: hyper(learning_rate=SCHEDULE, weight_decay=0.1),
    "inject_hyperparams.decays": lambda: optax.inject_hyperparams(lambda learning_rate, b1, b2: optax.adam(learning_rate, b1, b2))(
        0.01, b1=optax.linear_schedule(0.95, 0.85, 30), b2=0.99
    ),
    "inject_hyperparams.momentum": lambda: optax.inject_hyperparams(
        lambda momentum: optax.chain(optax.trace(momentum, nesterov=True), optax.scale(-0.03))
    )(momentum=optax.linear_schedule(0.5, 0.9, 30)),
    "inject_hyperparams.numbers": lambda: hyper(learning_rate=0.02, weight_decay=0.05),
    "keep_params_nonnegative": lambda: optax.chain(optax.sgd(0.05), optax.keep_params_nonnegative()),
    "lookahead": lambda: Lookahead(optax.sgd(0.05, momentum=0.5), 4, 0.3),
    "lookahead.reset": lambda: Lookahead(optax.adam(0.01), 3, 0.5, reset_state=True),
    "masked": lambda: optax.masked(optax.adam(0.01), MATRICES),
    "measure_with_ema": lambda: optax.chain(
        optax.sgd(0.05),
        optax.transforms.monitor({"norm": optax.tree.norm, "smooth": optax.transforms.measure_with_ema(optax.tree.norm, 0.9)}),
    ),
    "multi_steps": lambda: multi(3),
    "multi_steps.sum": lambda: multi(lambda step: jnp.where(step < 2, 2, 4), use_grad_mean=False),
    "multi_steps.skip~nan": lambda: multi(2, should_skip_update_fn=optax.transforms.skip_not_finite),
    "multi_steps.large": lambda: multi(
        2, should_skip_update_fn=lambda u, s, p: optax.transforms.skip_large_updates(u, s, p, max_squared_norm=0.8)
    ),
    "named_chain": lambda: optax.named_chain(("clip", optax.clip(0.2)), ("adam", optax.scale_by_adam()), ("rate", optax.scale(-0.01))),
    "normalize_by_update_norm": lambda: optax.chain(optax.normalize_by_update_norm(0.5), optax.scale(-0.1)),
    "partition": lambda: optax.partition({"biases": optax.sgd(0.05, momentum=0.9), "weights": optax.adam(0.01)}, labels),
    "selective_transform": lambda: optax.transforms.selective_transform(optax.adam(0.01), freeze_mask={k: k == "w2" for k in SHAPES}),
    "set_to_zero": lambda: optax.set_to_zero(),
    "snapshot": lambda: optax.chain(optax.sgd(0.05), optax.snapshot("norm", optax.tree.norm)),
    "zero_nans~nan": lambda: optax.chain(optax.zero_nans(), optax.adam(0.01)),
    **REFERENCES,
}


def path_of(path):
    name = jax.tree_util.keystr(path, simple=True, separator=".")
    return name.removeprefix("lookahead.")


def run(make, tensors, init, dtype, nan):
    """By step: parameters and state, each as a list of (path, array)."""
    with jax.enable_x64(dtype == np.float64):
        loss, opt = loss_of(tensors, dtype), make()
        params = {k: jnp.asarray(v, dtype) for k, v in init.items()}
        state = opt.init(params)
        if isinstance(opt, optax.GradientTransformation):
            opt = optax.with_extra_args_support(opt)

        def step(params, state, bad):
            value, grads = jax.value_and_grad(loss)(params)
            grads["x"] = jnp.where(bad, jnp.nan, grads["x"])
            updates, state = opt.update(grads, state, params, value=value, grad=grads, value_fn=loss)
            return optax.apply_updates(params, updates), state

        step = jax.jit(step)
        kept = []
        for t in range(1, max(KEEP) + 1):
            params, state = step(params, state, nan and t in (4, 5))
            if t in KEEP:
                leaves = [(path_of(p), plain(x)) for p, x in jax.tree_util.tree_flatten_with_path(state)[0]]
                kept.append(([params[k] for k in SHAPES], sorted(leaves, key=lambda pair: pair[0])))
        return kept


def plain(x):
    return np.asarray(jax.random.key_data(x) if jnp.issubdtype(x.dtype, jax.dtypes.prng_key) else x)


def stored(x):
    if x.dtype == np.uint32:
        return x.ravel().view(np.float32)
    return x.astype(np.float64).ravel().astype(np.float32)


def main():
    tensors, init = problem(), start()
    out = {f"problem/{k}": v for k, v in tensors.items()} | {f"init/{k}": v for k, v in init.items()}
    rows, old, kept = [], {}, {}
    table = common.GOLDEN / "optim" / "trajectories.tsv"
    if sys.argv[1:]:
        # Only the cases whose names begin with an argument are computed; the others stay as they are.
        old = {row.split("\t")[0]: row for row in table.read_text().splitlines()}
        kept = load_file(str(table.with_suffix(".safetensors")))
    for name, make in CASES.items():
        if name in old and not any(name.startswith(only) for only in sys.argv[1:]):
            rows.append(old[name])
            out[f"case/{name}"] = kept[f"case/{name}"]
            continue
        nan = name.endswith("~nan")
        wide = run(make, tensors, init, np.float64, nan)
        narrow = run(make, tensors, init, np.float32, nan)
        errors = []
        for (p, s), (q, t) in zip(wide, narrow):
            error = 0.0
            for a, b in zip([*p, *(x for _, x in s)], [*q, *(x for _, x in t)]):
                if a.size and a.dtype != np.uint32:
                    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
                    error = max(error, float(np.nan_to_num(np.abs(a - b)).max() / max(1, np.nan_to_num(np.abs(a), posinf=0).max())))
            errors.append(error)
        assert all(np.isfinite(x).all() for x in wide[-1][0]), name
        state = ",".join(f"{path}:{x.dtype}:{x.size}" for path, x in narrow[-1][1])
        rows.append(f"{name}\t{'/'.join(f'{e:.1e}' for e in errors)}\t{state}")
        out[f"case/{name}"] = np.stack([np.concatenate([stored(np.asarray(x)) for x in [*p, *(x for _, x in s)]]) for p, s in wide])
        print(rows[-1].split("\t")[:2], flush=True)
    common.save_tensors("optim/trajectories.safetensors", out)
    table.write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()

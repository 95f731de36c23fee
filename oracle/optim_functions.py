"""Values of Optax's losses, schedules, projections and helpers of trees and curvature.

Writes `optim/functions.tsv`, a row `tensor, dtype, shape` for each tensor of `optim/functions.safetensors`:

    in/<name>            the inputs
    out/<case>/<k>       the results of a case, in f64; booleans and integers as numbers
    grad/<case>          the gradient of the sum of the first result by the input x or v, where the case has one
"""

import common
import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
import optax
from optax import losses, projections

N, V = 4, 5


def inputs():
    unit = lambda stream, shape: common.unit(stream, shape).astype(np.float64) * 4
    y = np.exp(unit(7201, (N, V)))
    y[0, 1] = y[2, 3] = 0.0
    return {
        "x": unit(7200, (N, V)),
        "y": y / y.sum(-1, keepdims=True),
        "z": unit(7202, (N, V)),
        "labels": common.integers(7203, (N,), V),
        "bits": common.integers(7204, (N, V), 2).astype(np.float64),
        "mask": (common.integers(7205, (N, V), 3) > 0).astype(np.float64),
        "groups": np.array([0, 1, 0, 1], np.int32),
        "v": unit(7206, (7,)),
        "a": unit(7207, (7,)),
        "logits": unit(7208, (2, 6, 4)),
        "logit_paddings": np.array([[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1]], np.float64),
        "targets": np.array([[1, 1, 3], [2, 3, 0]], np.int32),
        "label_paddings": np.array([[0, 0, 0], [0, 0, 1]], np.float64),
        "image": unit(7209, (2, 3, 3, 3)),
        "segments": np.eye(3)[common.integers(7210, (2, 3, 3), 3)],
        "m": unit(7211, (4, 4)) @ unit(7211, (4, 4)).T + np.eye(4),
        "wide": unit(7212, (6, 3)),
        "c": unit(7213, (6,)),
        "costs": unit(7214, (6, 9)),
    }


def cases(t):
    """By name: a function of x or v, the name of that argument, and whether it is differentiated."""
    mask = t["mask"] > 0
    pm = 2 * t["bits"] - 1
    of = lambda f: ("x", f)
    out = {
        "softmax_cross_entropy": of(lambda x: losses.softmax_cross_entropy(x, t["y"])),
        "softmax_cross_entropy.where": of(lambda x: losses.softmax_cross_entropy(x, t["y"], axis=0, where=mask)),
        "softmax_cross_entropy_with_integer_labels": of(lambda x: losses.softmax_cross_entropy_with_integer_labels(x, t["labels"])),
        "softmax_cross_entropy_with_integer_labels.where": of(
            lambda x: losses.softmax_cross_entropy_with_integer_labels(x.T, t["labels"], axis=0, where=mask.T | jax.nn.one_hot(t["labels"], V, dtype=bool).T)
        ),
        "safe_softmax_cross_entropy": of(lambda x: losses.safe_softmax_cross_entropy(x, t["y"])),
        "sigmoid_binary_cross_entropy": of(lambda x: losses.sigmoid_binary_cross_entropy(x, t["bits"])),
        "sigmoid_focal_loss": of(lambda x: losses.sigmoid_focal_loss(x, t["bits"])),
        "sigmoid_focal_loss.alpha": of(lambda x: losses.sigmoid_focal_loss(x, t["y"], alpha=0.3, gamma=1.5)),
        "squared_error": of(lambda x: losses.squared_error(x, t["z"])),
        "l2_loss": of(lambda x: losses.l2_loss(x, t["z"])),
        "huber_loss": of(lambda x: losses.huber_loss(x, t["z"], delta=0.7)),
        "log_cosh": of(lambda x: losses.log_cosh(x * 20, t["z"])),
        "hinge_loss": of(lambda x: losses.hinge_loss(x, pm)),
        "multiclass_hinge_loss": of(lambda x: losses.multiclass_hinge_loss(x, t["labels"])),
        "perceptron_loss": of(lambda x: losses.perceptron_loss(x, pm)),
        "multiclass_perceptron_loss": of(lambda x: losses.multiclass_perceptron_loss(x, t["labels"])),
        "cosine_similarity": of(lambda x: losses.cosine_similarity(x, t["z"])),
        "cosine_distance.where": of(lambda x: losses.cosine_distance(x, t["z"], epsilon=1e-3, axis=0, where=mask)),
        "kl_divergence": of(lambda x: losses.kl_divergence(jax.nn.log_softmax(x), t["y"])),
        "kl_divergence.where": of(lambda x: losses.kl_divergence(x, t["y"], axis=0, where=mask)),
        "kl_divergence_with_log_targets": of(lambda x: losses.kl_divergence_with_log_targets(x, t["z"])),
        "generalized_kl_divergence": of(lambda x: losses.generalized_kl_divergence(x, t["y"])),
        "ctc_loss": ("logits", lambda x: losses.ctc_loss_with_forward_probs(x, t["logit_paddings"], t["targets"], t["label_paddings"])),
        "poly_loss_cross_entropy": of(lambda x: losses.poly_loss_cross_entropy(x, t["y"], epsilon=1.5)),
        "ranking_softmax_loss": of(lambda x: losses.ranking_softmax_loss(x, t["y"], reduce_fn=None)),
        "ranking_softmax_loss.where": of(lambda x: losses.ranking_softmax_loss(x, t["y"], where=mask, weights=t["bits"] + 1, reduce_fn=None)),
        "sparsemax_loss": of(lambda x: losses.sparsemax_loss(x, t["bits"].astype(bool))),
        "multiclass_sparsemax_loss": of(lambda x: losses.multiclass_sparsemax_loss(x, t["labels"])),
        "smooth_labels": of(lambda x: losses.smooth_labels(x, 0.1)),
        "smooth_labels.where": of(lambda x: losses.smooth_labels(x, 0.1, axis=0, where=mask)),
        "ntxent": of(lambda x: losses.ntxent(x, t["groups"], temperature=0.5)),
        "triplet_margin_loss": of(lambda x: losses.triplet_margin_loss(x, t["y"], t["z"])),
        "dice_loss": ("image", lambda x: losses.dice_loss(x, t["segments"], reduction="none", alpha=0.3, beta=0.6, ignore_background=True)),
        "multiclass_generalized_dice_loss": ("image", lambda x: losses.multiclass_generalized_dice_loss(x, t["segments"])),
        "binary_dice_loss": ("image", lambda x: losses.binary_dice_loss(x[..., 0], t["segments"][..., 0], smooth=0.5)),
        "make_fenchel_young_loss": of(lambda x: losses.make_fenchel_young_loss(jax.nn.logsumexp)(x, t["y"])),
        "projection_non_negative": ("v", projections.projection_non_negative),
        "projection_box": ("v", lambda v: projections.projection_box(v, -0.5, 0.7)),
        "projection_hypercube": ("v", lambda v: projections.projection_hypercube(v, 0.5)),
        "projection_simplex": ("v", lambda v: projections.projection_simplex(v, 1.5)),
        "projection_simplex.inside": ("v", lambda v: projections.projection_simplex(v * 0.01, 1.0)),
        "projection_l1_sphere": ("v", lambda v: projections.projection_l1_sphere(v, 1.5)),
        "projection_l1_ball": ("v", lambda v: projections.projection_l1_ball(v, 1.5)),
        "projection_l1_ball.inside": ("v", lambda v: projections.projection_l1_ball(v, 100.0)),
        "projection_l2_sphere": ("v", lambda v: projections.projection_l2_sphere(v, 1.5)),
        "projection_l2_ball": ("v", lambda v: projections.projection_l2_ball(v, 1.5)),
        "projection_linf_ball": ("v", lambda v: projections.projection_linf_ball(v, 0.8)),
        "projection_vector": ("v", lambda v: projections.projection_vector(v, t["a"])),
        "projection_hyperplane": ("v", lambda v: projections.projection_hyperplane(v, t["a"], 0.3)),
        "projection_halfspace": ("v", lambda v: projections.projection_halfspace(v, t["a"], -20.0)),
        "projection_halfspace.inside": ("v", lambda v: projections.projection_halfspace(v, t["a"], 50.0)),
        "safe_norm": ("v", lambda v: optax.safe_norm(v, 0.1)),
        "safe_norm.small": ("v", lambda v: optax.safe_norm(v, 100.0)),
        "safe_root_mean_squares": ("v", lambda v: optax.safe_root_mean_squares(v, 0.1)),
        "unitwise_norm": ("x", optax.transforms.unitwise_norm if hasattr(optax.transforms, "unitwise_norm") else optax.unitwise_norm),
        "global_norm": ("x", lambda x: optax.global_norm({"a": x, "b": t["v"]})),
        "tree_norm.one": ("x", lambda x: optax.tree.norm({"a": x, "b": t["v"]}, ord=1)),
        "tree_norm.infinity": ("x", lambda x: optax.tree.norm({"a": x, "b": t["v"]}, ord="inf")),
        "tree_vdot": ("x", lambda x: optax.tree.vdot({"a": x, "b": t["v"]}, {"a": t["z"], "b": t["a"]})),
        "tree_max": ("x", lambda x: optax.tree.max({"a": x, "b": t["v"]})),
        "tree_min": ("x", lambda x: optax.tree.min({"a": x, "b": t["v"]})),
        "hvp": ("v", lambda v: jax.jvp(jax.grad(lambda p: jnp.sum(jnp.sin(p) * p**2)), (v,), (t["a"],))[1]),
        "hessian_diag": ("v", lambda v: jnp.diag(jax.hessian(lambda p: jnp.sum(jnp.sin(p)) * jnp.sum(p**2))(v))),
        "fisher_diag": ("v", lambda v: jnp.square(jax.grad(lambda p: jnp.sum(jnp.sin(p) * p**2))(v))),
        "per_example_global_norm_clip": ("x", lambda x: optax.per_example_global_norm_clip([x, t["z"]], 3.0)),
        "per_example_layer_norm_clip": ("x", lambda x: optax.per_example_layer_norm_clip([x, t["y"]], 2.0, uniform=False)),
        "incremental_update": ("v", lambda v: optax.incremental_update(v, t["a"], 0.3)),
        "power_iteration": ("m", lambda m: optax.power_iteration(m, v0=jnp.ones(4), num_iters=500, error_tolerance=1e-12)),
        "hungarian_algorithm": (
            "costs",
            lambda c: [*optax.assignment.base_hungarian_algorithm(c), *optax.assignment.base_hungarian_algorithm(c.T)],
        ),
        "nnls": ("wide", lambda a: optax.nnls(a, t["c"], 400)),
        "perturbed": (
            "v",
            lambda v: optax.perturbations.make_perturbed_fun(lambda z: jax.nn.one_hot(jnp.argmax(z), 7), num_samples=50, sigma=0.5)(
                jax.random.key(3), v
            ),
        ),
    }
    return out


SCHEDULES = {
    "cosine_onecycle": optax.cosine_onecycle_schedule(50, 0.3),
    "exponential_decay": optax.exponential_decay(0.5, 6, 0.7, transition_begin=4, end_value=0.1),
    "exponential_growth": optax.exponential_decay(0.5, 6, 1.3, transition_begin=4, staircase=True, end_value=1.1),
    "linear_onecycle": optax.linear_onecycle_schedule(50, 0.3),
    "piecewise_interpolate.cosine": optax.piecewise_interpolate_schedule("cosine", 0.5, {10: 3.0, 30: 0.1, 30 + 8: 2.0}),
    "piecewise_interpolate.linear": optax.piecewise_interpolate_schedule("linear", 0.5, {10: 3.0, 30: 0.1}),
    "sgdr": optax.sgdr_schedule(
        [
            dict(init_value=0.0, peak_value=0.4, warmup_steps=3, decay_steps=20, end_value=0.1, exponent=2.0),
            dict(init_value=0.1, peak_value=0.2, warmup_steps=5, decay_steps=30, end_value=0.0),
        ]
    ),
    "warmup_cosine_decay": optax.warmup_cosine_decay_schedule(0.0, 0.4, 5, 40, 0.1, exponent=3.0),
    "warmup_exponential_decay": optax.warmup_exponential_decay_schedule(0.0, 0.4, 5, 4, 0.8, transition_begin=3, end_value=0.05),
}

# Losses and projections have gradients; what is left out has none, or is one itself.
PLAIN = {"smooth_labels", "hvp", "hessian_diag", "fisher_diag", "per_example_global_norm_clip", "per_example_layer_norm_clip", "power_iteration", "nnls", "hungarian_algorithm"}


def main():
    raw = inputs()
    out = {f"in/{k}": v for k, v in raw.items()}
    t = {k: jnp.asarray(v) for k, v in raw.items()}
    for name, (argument, f) in cases(t).items():
        results = jax.tree.leaves(f(t[argument]))
        for k, result in enumerate(results):
            out[f"out/{name}/{k}"] = np.asarray(result, np.float64)
        if name not in PLAIN:
            gradient = jax.grad(lambda x: jnp.sum(jax.tree.leaves(f(x))[0]))(t[argument])
            out[f"grad/{name}"] = np.asarray(gradient, np.float64)
    for name, schedule in SCHEDULES.items():
        out[f"schedule/{name}"] = np.array([schedule(jnp.asarray(c, jnp.int32)) for c in range(64)], np.float64)
    rows = [f"{k}\t{v.dtype}\t{','.join(map(str, v.shape))}" for k, v in sorted(out.items())]
    common.save_tensors("optim/functions.safetensors", out)
    (common.GOLDEN / "optim" / "functions.tsv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()

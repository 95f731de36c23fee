"""Twenty steps of Optax optimizers on given gradient sequences, and the values of its schedules.

Writes `optax.json` (optimizers and schedules as data) and `optax.safetensors`:

    init/<leaf>                     the parameters before the first step, leaves w [4,3], b [3], s []
    grads/<sequence>/<leaf>         [20, ...leaf], f32
    case/<name>/<leaf>              [20, ...leaf], the parameters after each step, computed in f32
    case64/<name>/<leaf>            the same computed in f64, stored as f64
    norm/<sequence>                 [20], the gradients' global norm
    schedule/<name>                 [64], the schedule at counts 0..64

`f32_error` of a case is the largest difference of the two over max(1, largest absolute value of the leaf's
trajectory); every case stays below 6e-7, so that a test at 1e-6 measures the algorithm and not rounding.
(Adam's bias correction 1 - b2^t loses 4 digits in f32 at t = 1: learning rates are chosen small enough.)
"""

import common
import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS = 20
LEAVES = {"w": (4, 3), "b": (3,), "s": ()}


def sequences():
    """Gradient sequences by name; each leaf has its own stream."""
    out = {}
    for n, name in enumerate(["dense", "sparse", "large", "tiny", "mixed", "zero"]):
        out[name] = {}
        for i, (leaf, shape) in enumerate(LEAVES.items()):
            g = common.unit(4000 + 10 * n + i, (STEPS, *shape)) * np.float32(2)
            if name == "sparse":
                g = np.where(common.integers(4500 + i, g.shape, 5) == 0, g, np.float32(0))
            elif name == "large":
                g = g * np.float32(1024)
            elif name == "tiny":
                g = g * np.float32(2**-20)
            elif name == "mixed":
                g = g * np.exp2(common.integers(4600 + i, g.shape, 21) - 14).astype(np.float32)
            elif name == "zero":
                g = g * np.float32(0)
            out[name][leaf] = g
    return out


SCHEDULES = {
    "constant": {"op": "constant", "value": 0.25},
    "linear": {"op": "linear", "init_value": 1.0, "end_value": 0.1, "transition_steps": 10},
    "linear_late": {"op": "linear", "init_value": 0.0, "end_value": 0.5, "transition_steps": 12, "transition_begin": 5},
    "polynomial": {"op": "polynomial", "init_value": 1.0, "end_value": 0.01, "power": 2.0, "transition_steps": 30},
    "cosine_decay": {"op": "cosine_decay", "init_value": 0.1, "decay_steps": 15},
    "cosine_decay_alpha": {"op": "cosine_decay", "init_value": 0.1, "decay_steps": 40, "alpha": 0.05, "exponent": 2.0},
    "warmup_cosine": {"op": "warmup_cosine_decay", "init_value": 0.0, "peak_value": 0.1, "warmup_steps": 5, "decay_steps": 18},
    "warmup_cosine_end": {
        "op": "warmup_cosine_decay", "init_value": 0.01, "peak_value": 0.2, "warmup_steps": 10, "decay_steps": 50, "end_value": 0.02,
    },
    "warmup_constant": {"op": "warmup_constant", "init_value": 0.0, "peak_value": 0.3, "warmup_steps": 7},
    "exponential": {"op": "exponential_decay", "init_value": 0.5, "transition_steps": 6, "decay_rate": 0.5},
    "exponential_stairs": {"op": "exponential_decay", "init_value": 0.5, "transition_steps": 6, "decay_rate": 0.5, "staircase": True},
    "piecewise": {"op": "piecewise_constant", "init_value": 1.0, "boundaries": [4, 9, 15], "scales": [0.5, 0.1, 3.0]},
    "warmup_cosine_small": {"op": "warmup_cosine_decay", "init_value": 0.0, "peak_value": 0.005, "warmup_steps": 6, "decay_steps": 18},
    "join_small": {
        "op": "join",
        "schedules": [
            {"op": "linear", "init_value": 0.0, "end_value": 0.005, "transition_steps": 4},
            {"op": "cosine_decay", "init_value": 0.005, "decay_steps": 10},
        ],
        "boundaries": [7],
    },
    "join": {
        "op": "join",
        "schedules": [
            {"op": "linear", "init_value": 0.0, "end_value": 0.2, "transition_steps": 4},
            {"op": "constant", "value": 0.2},
            {"op": "cosine_decay", "init_value": 0.2, "decay_steps": 10},
        ],
        "boundaries": [4, 10],
    },
}


def schedule(d):
    """An Optax schedule from its description; a plain number stays one."""
    if not isinstance(d, dict):
        return d
    a = {k: v for k, v in d.items() if k != "op"}
    match d["op"]:
        case "constant":
            return optax.constant_schedule(a["value"])
        case "linear":
            return optax.linear_schedule(**a)
        case "polynomial":
            return optax.polynomial_schedule(**a)
        case "cosine_decay":
            return optax.cosine_decay_schedule(**a)
        case "warmup_cosine_decay":
            return optax.warmup_cosine_decay_schedule(**a)
        case "warmup_constant":
            return optax.warmup_constant_schedule(**a)
        case "exponential_decay":
            return optax.exponential_decay(**a)
        case "piecewise_constant":
            return optax.piecewise_constant_schedule(a["init_value"], dict(zip(a["boundaries"], a["scales"])))
        case "join":
            return optax.join_schedules([schedule(s) for s in a["schedules"]], a["boundaries"])
    raise ValueError(d)


def optimizer(d):
    """An Optax transformation from its description: `op` is Optax's name, the rest its keyword arguments."""
    a = {k: v for k, v in d.items() if k != "op"}
    if "mask" in a:
        a["mask"] = dict(a["mask"])
    match d["op"]:
        case "chain":
            return optax.chain(*[optimizer(x) for x in a["of"]])
        case "masked":
            return optax.masked(optimizer(a["of"]), dict(a["mask"]))
        case "scale_by_schedule" | "scale_by_learning_rate":
            return getattr(optax, d["op"])(schedule(next(iter(a.values()))))
        case name:
            if "learning_rate" in a:
                a["learning_rate"] = schedule(a["learning_rate"])
            return getattr(optax, name)(**a)


MASK = {"w": True, "b": False, "s": False}


def cases():
    """Every case: name, optimizer, the sequences it runs on."""
    s = SCHEDULES
    usual = ["dense", "sparse", "large", "tiny", "mixed", "zero"]
    few = ["dense", "sparse", "mixed"]
    clip = lambda n: {"op": "clip_by_global_norm", "max_norm": n}
    recipe = {
        "op": "chain",
        "of": [
            clip(1.0),
            {"op": "adamw", "learning_rate": s["warmup_cosine"], "b1": 0.9, "b2": 0.95, "eps": 1e-8, "weight_decay": 0.1, "mask": MASK},
        ],
    }
    table = [
        ("sgd", {"op": "sgd", "learning_rate": 0.1}, usual),
        ("sgd_momentum", {"op": "sgd", "learning_rate": 0.05, "momentum": 0.9}, usual),
        ("sgd_nesterov", {"op": "sgd", "learning_rate": 0.05, "momentum": 0.9, "nesterov": True}, usual),
        ("sgd_cosine", {"op": "sgd", "learning_rate": s["cosine_decay"]}, few),
        ("sgd_linear_momentum", {"op": "sgd", "learning_rate": s["linear"], "momentum": 0.5}, few),
        ("sgd_piecewise", {"op": "sgd", "learning_rate": s["piecewise"]}, few),
        ("sgd_clipped", {"op": "chain", "of": [clip(1.0), {"op": "sgd", "learning_rate": 0.1}]}, usual),
        ("sgd_clip_elements", {"op": "chain", "of": [{"op": "clip", "max_delta": 0.25}, {"op": "sgd", "learning_rate": 0.1}]}, usual),
        ("adam", {"op": "adam", "learning_rate": 0.002}, usual),
        ("adam_betas", {"op": "adam", "learning_rate": 0.002, "b1": 0.8, "b2": 0.99, "eps": 1e-6}, usual),
        ("adam_eps_root", {"op": "adam", "learning_rate": 0.002, "eps": 1e-6, "eps_root": 1e-8}, usual),
        ("adam_nesterov", {"op": "adam", "learning_rate": 0.002, "nesterov": True}, few),
        ("adam_warmup_cosine", {"op": "adam", "learning_rate": s["warmup_cosine_small"]}, few),
        ("adamw", {"op": "adamw", "learning_rate": 0.002}, usual),
        ("adamw_decay", {"op": "adamw", "learning_rate": 0.002, "weight_decay": 0.1}, usual),
        ("adamw_mask", {"op": "adamw", "learning_rate": 0.002, "weight_decay": 0.1, "mask": MASK}, usual),
        ("adamw_schedule", {"op": "adamw", "learning_rate": s["warmup_cosine_end"], "weight_decay": 0.05, "b2": 0.95}, few),
        ("recipe", recipe, usual),
        (
            "by_hand",
            {
                "op": "chain",
                "of": [
                    clip(0.5),
                    {"op": "scale_by_adam", "b1": 0.9, "b2": 0.95, "eps": 1e-8},
                    {"op": "add_decayed_weights", "weight_decay": 0.01, "mask": MASK},
                    {"op": "scale_by_schedule", "step_size_fn": s["warmup_cosine_end"]},
                    {"op": "scale", "step_size": -1.0},
                ],
            },
            usual,
        ),
        (
            "adam_then_schedule",
            {"op": "chain", "of": [{"op": "scale_by_adam"}, {"op": "scale_by_learning_rate", "learning_rate": s["join_small"]}]},
            few,
        ),
        ("trace", {"op": "chain", "of": [{"op": "trace", "decay": 0.9}, {"op": "scale", "step_size": -0.05}]}, few),
        ("ema", {"op": "chain", "of": [{"op": "ema", "decay": 0.9}, {"op": "scale", "step_size": -0.1}]}, few),
        ("masked_clip", {"op": "chain", "of": [{"op": "masked", "of": clip(0.5), "mask": MASK}, {"op": "sgd", "learning_rate": 0.1}]}, few),
        ("lion", {"op": "lion", "learning_rate": 0.01}, few),
        ("lion_decay", {"op": "lion", "learning_rate": 0.005, "b1": 0.95, "b2": 0.98, "weight_decay": 0.1, "mask": MASK}, few),
        ("rmsprop", {"op": "rmsprop", "learning_rate": 0.01}, few),
        ("rmsprop_centered", {"op": "rmsprop", "learning_rate": 0.01, "centered": True, "momentum": 0.5, "decay": 0.8, "eps": 1e-3}, few),
        ("rmsprop_nesterov", {"op": "rmsprop", "learning_rate": 0.01, "momentum": 0.9, "nesterov": True, "initial_scale": 1.0}, few),
        ("adagrad", {"op": "adagrad", "learning_rate": 0.1}, few),
        ("adamax", {"op": "adamax", "learning_rate": 0.01}, few),
        ("lamb", {"op": "lamb", "learning_rate": 0.01, "weight_decay": 0.01}, few),
        ("clip_never_met", {"op": "chain", "of": [clip(1e6), {"op": "adam", "learning_rate": 0.002}]}, ["large"]),
    ]
    return [(f"{name}.{seq}", d, seq) for name, d, seqs in table for seq in seqs]


def run(d, init, grads, dtype):
    """The parameters after each step, stacked per leaf."""
    with jax.enable_x64(dtype == jnp.float64):
        params = {k: jnp.asarray(v, dtype) for k, v in init.items()}
        opt = optimizer(d)
        state = opt.init(params)

        @jax.jit
        def steps(params, state, grads):
            def step(carry, g):
                params, state = carry
                updates, state = opt.update(g, state, params)
                params = optax.apply_updates(params, updates)
                return (params, state), params

            return jax.lax.scan(step, (params, state), grads)[1]

        out = steps(params, state, {k: jnp.asarray(v, dtype) for k, v in grads.items()})
        assert all(v.dtype == dtype for v in out.values())
        return {k: np.asarray(v) for k, v in out.items()}


def main():
    tensors, described = {}, []
    init = {leaf: common.unit(3900 + i, shape) * np.float32(2) for i, (leaf, shape) in enumerate(LEAVES.items())}
    seqs = sequences()
    for leaf, v in init.items():
        tensors[f"init/{leaf}"] = v
    for name, leaves in seqs.items():
        for leaf, v in leaves.items():
            tensors[f"grads/{name}/{leaf}"] = v
        squares = sum((v.astype(np.float64) ** 2).reshape(STEPS, -1).sum(1) for v in leaves.values())
        tensors[f"norm/{name}"] = np.sqrt(squares).astype(np.float32)
    for name, d, seq in cases():
        narrow = run(d, init, seqs[seq], jnp.float32)
        wide = run(d, init, seqs[seq], jnp.float64)
        error = max(float((np.abs(narrow[k] - wide[k])).max() / max(1, np.abs(wide[k]).max())) for k in LEAVES)
        moved = max(float(np.abs(wide[k][-1] - init[k]).max()) for k in LEAVES)
        assert error < 6e-7, (name, error)
        described.append(dict(name=name, sequence=seq, optimizer=d, f32_error=error, moved=moved))
        for leaf in LEAVES:
            tensors[f"case/{name}/{leaf}"] = narrow[leaf]
            tensors[f"case64/{name}/{leaf}"] = wide[leaf]
    counts = np.arange(64, dtype=np.int32)
    for name, d in SCHEDULES.items():
        f = schedule(d)
        tensors[f"schedule/{name}"] = np.array([f(jnp.asarray(c)) for c in counts], np.float32)
    common.save_json("optax.json", dict(steps=STEPS, leaves={k: list(v) for k, v in LEAVES.items()}, schedules=SCHEDULES, cases=described))
    common.save_tensors("optax.safetensors", tensors)
    print(f"{len(described)} cases")
    print("still:", [c["name"] for c in described if c["moved"] == 0])
    print("worst f32 error:", max((c["f32_error"], c["name"]) for c in described))


if __name__ == "__main__":
    main()

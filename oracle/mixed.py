"""Mixed precision: products in 8 bits with delayed scaling (Flax), and trajectories of a dynamic loss scale (jmp's rule).

Writes `mixed.safetensors`:

    f8/x/<step>, f8/w/<step>, f8/ct/<step>      operands [4,6] and [6,5], and the cotangent [4,5], f32
    f8/y/<step>, f8/dx/<step>, f8/dw/<step>     the product and the cotangents, f32
    f8/<lhs|rhs|gradient>/<scale|history>/<step>   the state after the step; histories have 3 entries
    current/...                                 the same by the operands' own magnitudes, without a state
    scale/<case>/finite                         [24], whether the gradients of a step are finite
    scale/<case>/scale, scale/<case>/counter    [24], after each step

The operands grow and shrink by powers of two, so that some steps saturate; those of step 3 are zeros.
`jmp` is not a dependency: `adjust` is its rule, in the same operations.
"""

import common
import jax
import jax.numpy as jnp
import numpy as np
from flax.linen import fp8_ops

STEPS = 6
E4M3, E5M2 = jnp.float8_e4m3fn, jnp.float8_e5m2
DIMS = (((1,), (0,)), ((), ()))


def f8_dot(x, w, state):
    """`fp8_ops` as its layers use it: operands quantized with the scale of the history before this step."""
    q_x, s_x = fp8_ops.in_q(jnp.float32, E4M3, x, *state["lhs"])
    q_w, s_w = fp8_ops.in_q(jnp.float32, E4M3, w, *state["rhs"])
    y = fp8_ops.quantized_dot(x, q_x, s_x, w, q_w, s_w, *state["gradient"], DIMS, jnp.float32)
    return fp8_ops.out_dq(jnp.float32, s_x, s_w, y)


def current_scale(x, dtype):
    amax = jnp.max(jnp.abs(x))
    return jnp.where(amax > 0, amax / jnp.finfo(dtype).max.astype(jnp.float32), 1.0)


def current_dot(x, w, ct):
    """The product and its cotangents, each operand by its own largest magnitude."""
    s_x, s_w, s_g = current_scale(x, E4M3), current_scale(w, E4M3), current_scale(ct, E5M2)
    q_x = fp8_ops.qdq(x, E4M3, s_x, jnp.float32)
    q_w = fp8_ops.qdq(w, E4M3, s_w, jnp.float32)
    q_g = fp8_ops.qdq(ct, E5M2, s_g, jnp.float32)
    return q_x @ q_w, q_g @ q_w.T, q_x.T @ q_g


def operands(step):
    size = np.float32(2.0 ** [0, 3, -4, 0, 6, 1][step])
    x = common.unit(7000 + step, (4, 6)) * size
    w = common.unit(7100 + step, (6, 5)) * np.float32(2) / size
    ct = common.unit(7200 + step, (4, 5)) * size * np.float32(64)
    return (x * 0, w, ct) if step == 3 else (x, w, ct)


def f8(tensors):
    state = {name: (jnp.ones(()), jnp.zeros((3,))) for name in ["lhs", "rhs", "gradient"]}
    for step in range(STEPS):
        x, w, ct = operands(step)
        y, pull = jax.vjp(f8_dot, x, w, state)
        dx, dw, state = pull(ct)
        values = {"x": x, "w": w, "ct": ct, "y": y, "dx": dx, "dw": dw}
        for name, (scale, history) in state.items():
            values[f"{name}/scale"], values[f"{name}/history"] = scale, history
        tensors.update({f"f8/{name}/{step}": np.asarray(value) for name, value in values.items()})
        for name, value in zip(["y", "dx", "dw"], current_dot(x, w, ct)):
            tensors[f"current/{name}/{step}"] = np.asarray(value)


# initial, period, factor, least scale; the steps whose gradients are not finite
CASES = {
    "grows": (8.0, 3, 2.0, 1.0, []),
    "skips": (1024.0, 4, 2.0, 1.0, [0, 1, 7, 12, 13]),
    "least": (4.0, 5, 4.0, 0.5, list(range(6)) + [17]),
    "largest": (2.0**126, 2, 4.0, 1.0, [9]),
}


def adjust(scale, counter, finite, period, factor, least):
    """`jmp.DynamicLossScale.adjust`."""
    larger = scale * np.float32(factor)
    larger = jnp.where(jnp.isfinite(larger), larger, scale)
    grown = jnp.where(counter == period - 1, larger, scale)
    next_scale = jnp.where(finite, grown, jnp.maximum(np.float32(least), scale / np.float32(factor)))
    return next_scale, ((counter + 1) % period) * finite


def scales(tensors):
    for name, (initial, period, factor, least, bad) in CASES.items():
        scale, counter, rows = jnp.float32(initial), jnp.int32(0), []
        for step in range(24):
            finite = jnp.bool_(step not in bad)
            scale, counter = adjust(scale, counter, finite, period, factor, least)
            rows.append((int(finite), float(scale), int(counter)))
        finite, scale, counter = zip(*rows)
        tensors[f"scale/{name}/finite"] = np.array(finite, np.int32)
        tensors[f"scale/{name}/scale"] = np.array(scale, np.float32)
        tensors[f"scale/{name}/counter"] = np.array(counter, np.int32)


def main():
    tensors = {}
    f8(tensors)
    scales(tensors)
    common.save_tensors("mixed.safetensors", tensors)


if __name__ == "__main__":
    main()

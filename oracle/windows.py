"""Convolutions, reductions of windows, normalizations and ragged products, with their gradients.

Writes `windows.json` (each case: function and its attributes) and `windows.safetensors`: operands `<name>/x<i>`,
results `<name>/y<i>`, cotangents `<name>/ct<i>` and the gradients `<name>/g<i>` of the float operands, all in f64.
Window cases hold ties on purpose, so that the first of the largest is told from the others.
"""

import common
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)

REDUCERS = {"add": (lax.add, 0.0), "mul": (lax.mul, 1.0), "max": (lax.max, -np.inf), "min": (lax.min, np.inf)}
WINDOWS = [
    dict(sizes=[1, 2, 3], strides=[1, 1, 2], padding=[[0, 0], [0, 0], [1, 1]], base=[1, 1, 1], window=[1, 1, 1]),
    dict(sizes=[2, 3, 2], strides=[1, 2, 3], padding=[[1, 0], [0, 2], [0, 0]], base=[1, 1, 1], window=[1, 1, 2]),
    dict(sizes=[1, 5, 1], strides=[1, 1, 1], padding=[[0, 0], [4, 0], [0, 0]], base=[1, 1, 1], window=[1, 1, 1]),
    dict(sizes=[1, 2, 2], strides=[1, 2, 1], padding=[[0, 0], [1, 1], [0, -1]], base=[1, 2, 1], window=[1, 1, 2]),
]
# What JAX's running extrema are lowered to. Their derivative differs from that of other windows: equal elements share a
# tangent pair by pair, and in the others the first has it all.
RUNNING = WINDOWS[2]
CONVOLUTIONS = [
    dict(x=[2, 3, 7, 6], k=[4, 3, 3, 2], spec=["NCHW", "OIHW", "NCHW"]),
    dict(x=[2, 7, 6, 3], k=[3, 2, 3, 4], spec=["NHWC", "HWIO", "NHWC"], strides=[2, 1], padding=[[1, 1], [0, 2]]),
    dict(x=[2, 5, 6, 3], k=[2, 3, 3, 4], spec=["NHWC", "HWIO", "NHWC"], lhs=[2, 1], rhs=[1, 2], padding=[[1, 0], [-1, 3]]),
    dict(x=[2, 6, 9], k=[4, 3, 3], spec=["NCW", "OIW", "NWC"], strides=[2], features=2),
    dict(x=[4, 6, 9], k=[4, 6, 3], spec=["NCW", "OIW", "NCW"], padding=[[1, 2]], batches=2),
    dict(x=[2, 6, 6, 4], k=[3, 3, 1, 8], spec=["NHWC", "HWIO", "NHWC"], padding=[[1, 1], [1, 1]], features=4),
    dict(x=[1, 4, 4, 4, 2], k=[2, 2, 2, 2, 3], spec=["NDHWC", "DHWIO", "NDHWC"], strides=[1, 2, 2]),
]


def main():
    cases, tensors, streams = [], {}, iter(range(9000, 10000))

    def draw(shape):
        return common.unit(next(streams), shape).astype(np.float64)

    def add(function, f, operands, **attributes):
        name = f"{len(cases):03}.{function}"
        floats = [i for i, x in enumerate(operands) if np.issubdtype(x.dtype, np.floating)]

        def of_floats(*xs):
            full = list(operands)
            for i, x in zip(floats, xs):
                full[i] = x
            y = f(*full)
            return y if isinstance(y, tuple) else (y,)

        ys, back = jax.vjp(of_floats, *[operands[i] for i in floats])
        cts = tuple(draw(y.shape) for y in ys)
        for kind, values in (("x", operands), ("y", ys), ("ct", cts), ("g", back(cts))):
            for i, value in enumerate(values):
                tensors[f"{name}/{kind}{i}"] = np.asarray(value)
        cases.append(dict(name=name, function=function, **attributes))

    for reducer, (op, init) in REDUCERS.items():
        for w in WINDOWS:
            if reducer in ("max", "min") and max(w["base"] + w["window"]) > 1:
                continue
            x = np.round(draw([2, 5, 7]) * 4) / 4 if reducer in ("max", "min") else draw([2, 5, 7])
            window = (w["sizes"], w["strides"], w["padding"], w["base"], w["window"])
            # JAX knows the derivative of a product of windows only forwards: it is taken of patches.
            if reducer == "mul":
                f = lambda x, w=w: product(x, w)
            elif reducer in ("max", "min") and w is RUNNING:
                f = lambda x, reducer=reducer: getattr(lax, f"cum{reducer}")(x, axis=1)
            else:
                f = lambda x, op=op, init=init, window=window: lax.reduce_window(x, np.float64(init), op, *window)
            add("reduce_window", f, [x], reducer=reducer, window=w)
    for c in CONVOLUTIONS:
        spatial = len(c["x"]) - 2
        c = dict(strides=[1] * spatial, padding=[[0, 0]] * spatial, lhs=[1] * spatial, rhs=[1] * spatial, features=1, batches=1) | c
        numbers = lax.conv_dimension_numbers(c["x"], c["k"], tuple(c["spec"]))
        f = lambda x, k, c=c, numbers=numbers: lax.conv_general_dilated(
            x, k, c["strides"], c["padding"], c["lhs"], c["rhs"], numbers, c["features"], c["batches"]
        )
        axes = [list(map(int, spec)) for spec in numbers]
        add("convolution", f, [draw(c.pop("x")), draw(c.pop("k"))], axes=axes, **c)
    for sizes in ([2, 0, 3], [1, 1, 1], [0, 0, 5]):
        sizes = np.asarray(sizes, np.int32)
        free = lax.RaggedDotDimensionNumbers((([1], [1]), ([], [])), [0], [0])
        add("ragged_dot", lambda a, b, s: lax.ragged_dot_general(a, b, s, free), [draw([5, 3]), draw([3, 3, 4]), sizes], mode="free")
        # JAX has no derivative of this mode: it is taken of the slices.
        ends = np.cumsum(sizes)
        parts = lambda a, b, s, ends=ends, sizes=sizes: jnp.stack(
            [a[:, end - size : end] @ b[end - size : end] for end, size in zip(ends, sizes)]
        )
        add("ragged_dot", parts, [draw([4, 5]), draw([5, 3]), sizes], mode="contract")

    def normalized(x, scale, offset):
        mean = x.mean((0, 2))
        variance = ((x - mean[:, None]) ** 2).mean((0, 2))
        return scale[:, None] * (x - mean[:, None]) / jnp.sqrt(variance[:, None] + 1e-3) + offset[:, None]

    for reducer in ("max", "min"):
        x = np.round(draw([2, 5, 7]) * 4) / 4
        w = RUNNING | dict(sizes=[1, 1, 7], padding=[[0, 0], [0, 0], [0, 6]])
        f = lambda x, reducer=reducer: getattr(lax, f"cum{reducer}")(x, axis=2, reverse=True)
        add("reduce_window", f, [x], reducer=reducer, window=w)
    add("batch_norm", normalized, [draw([3, 4, 5]), draw([4]), draw([4])], epsilon=1e-3, axis=1)
    common.save_json("windows.json", dict(cases=cases), compact=True)
    common.save_tensors("windows.safetensors", tensors)


def product(x, w):
    """The products of windows, from slices that are multiplied one after another."""
    x = lax.pad(x, np.float64(1), [(low, high, base - 1) for (low, high), base in zip(w["padding"], w["base"])])
    reach = [(size - 1) * step + 1 for size, step in zip(w["sizes"], w["window"])]
    out = [(n - r) // s + 1 for n, r, s in zip(x.shape, reach, w["strides"])]
    total = 1.0
    for place in np.ndindex(*w["sizes"]):
        start = [p * d for p, d in zip(place, w["window"])]
        limit = [b + (n - 1) * s + 1 for b, n, s in zip(start, out, w["strides"])]
        total = total * lax.slice(x, start, limit, w["strides"])
    return total


if __name__ == "__main__":
    main()

"""Derivatives of functions of complex numbers, as JAX has them.

Writes `slopes.safetensors`: for each function the operands `<function>/x` (and `/y`), their tangents `/dx` (and `/dy`), the
tangent of the result `/forward` (jax.jvp), a cotangent `/ct` and the cotangents `/back_x` (and `/back_y`) (jax.vjp): f64[n, 2],
real and imaginary parts, or f64[n] where a value is real. JAX conjugates nothing: the cotangent of `a z` is `a` times that of
the result.
"""

import common
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
lax = jax.lax

UNARY = {
    "abs": lax.abs, "negate": lax.neg, "sign": lax.sign, "conj": lax.conj, "square": lax.square,
    "exponential": lax.exp, "exponential_minus_one": lax.expm1, "log": lax.log, "log_plus_one": lax.log1p,
    "logistic": lax.logistic, "tanh": lax.tanh, "sqrt": lax.sqrt, "rsqrt": lax.rsqrt,
    "sine": lax.sin, "cosine": lax.cos, "tan": lax.tan, "sinh": lax.sinh, "cosh": lax.cosh,
    "asin": lax.asin, "acos": lax.acos, "atan": lax.atan, "asinh": lax.asinh, "acosh": lax.acosh, "atanh": lax.atanh,
}
BINARY = {"add": lax.add, "subtract": lax.sub, "multiply": lax.mul, "divide": lax.div, "power": lax.pow}


def numbers(stream, count=12):
    parts = 3 * common.unit(9000 + stream, (count, 2)).astype(np.float64)
    return jnp.asarray(parts[:, 0] + 1j * parts[:, 1])


def parts(z):
    z = np.asarray(z)
    return np.stack([z.real, z.imag], 1) if np.iscomplexobj(z) else z


def main():
    tensors = {}
    for i, (name, function) in enumerate({**UNARY, **BINARY}.items()):
        names = ["x", "y"] if name in BINARY else ["x"]
        points = [numbers(8 * i + k) for k in range(len(names))]
        if name == "acosh":
            # To the left of it JAX takes the root of the product for the product of roots, and has the other sign.
            points = [jnp.abs(points[0].real) + 1j * points[0].imag]
        steps = [numbers(8 * i + 2 + k) for k in range(len(names))]
        _, forward = jax.jvp(function, points, steps)
        ct = numbers(8 * i + 4)
        ct = ct if jnp.iscomplexobj(forward) else ct.real
        back = jax.vjp(function, *points)[1](ct)
        for column, x, dx, b in zip(names, points, steps, back):
            tensors[f"{name}/{column}"], tensors[f"{name}/d{column}"] = parts(x), parts(dx)
            tensors[f"{name}/back_{column}"] = parts(b)
        tensors[f"{name}/forward"], tensors[f"{name}/ct"] = parts(forward), parts(ct)
    common.save_tensors("slopes.safetensors", tensors)


if __name__ == "__main__":
    main()

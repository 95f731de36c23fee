"""The regularized incomplete beta function, as it is and as JAX computes it.

Writes `betainc.safetensors`: for f32 and f64 the operands `<type>/a`, `/b` and `/x`, rows of 8 as in the program of the corpus,
the values `<type>/true` (mpmath, rounded to doubles) and `<type>/jax`.  The program that JAX lowers it to is a loop that goes on
until all elements of a row have converged, or for hundreds of steps; each step multiplies by what should be 1, so that an
element's error depends on those beside it.  Only the errors of many elements can be compared.
"""

import common
import jax
import mpmath
import numpy as np

jax.config.update("jax_enable_x64", True)
mpmath.mp.dps = 50


def main():
    tensors = {}
    for i, (name, dtype) in enumerate((("f32", np.float32), ("f64", np.float64))):
        streams = range(9500 + 3 * i, 9503 + 3 * i)
        a, b, x = ((common.unit(stream, (16, 8)).astype(np.float64) + 0.5) for stream in streams)
        a, b, x = (a * 5 + 0.1).astype(dtype), (b * 5 + 0.1).astype(dtype), (x * 0.98 + 0.01).astype(dtype)
        true = [mpmath.betainc(float(p), float(q), 0, float(r), regularized=True) for p, q, r in zip(a.flat, b.flat, x.flat)]
        f = jax.jit(jax.lax.betainc)
        found = np.stack([np.asarray(f(*row)) for row in zip(a, b, x)])
        tensors |= {f"{name}/a": a, f"{name}/b": b, f"{name}/x": x, f"{name}/jax": found}
        tensors[f"{name}/true"] = np.array([float(t) for t in true]).reshape(a.shape)
    common.save_tensors("betainc.safetensors", tensors)


if __name__ == "__main__":
    main()

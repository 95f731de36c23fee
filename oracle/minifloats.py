"""Floats of at most 8 bits: the value of every code, and the codes of numbers near the rounding boundaries.

Per format, `<name>/values` is f32[codes] (every value is an f32), and `<name>/codes` are the codes, u8, of these f64
inputs in order: the special numbers below, then for each pair of neighbours among the non-negative finite values the
f32 below their midpoint, the midpoint and the f32 above it, and then all of these negated. (A double is rounded to f32
first by ml_dtypes, so that closer neighbours would be rounded twice.)
"""

import common
import ml_dtypes
import numpy as np

SPECIALS = [0.0, 1e-44, 1e-40, 2.0**-127, 2.0**-128, 1e300, 1e39, 2.0**127 * 1.4, 2.0**127 * 1.5, 2.0**127 * 1.6,
            1.0, 1.5, 6.0, 7.0, 448.0, 464.0, 480.0, 57344.0, 61440.0, 65536.0, np.inf]
FORMATS = {"f4e2m1fn": 4, "f6e2m3fn": 6, "f6e3m2fn": 6, "f8e3m4": 8, "f8e4m3": 8, "f8e4m3b11fnuz": 8, "f8e4m3fn": 8,
           "f8e4m3fnuz": 8, "f8e5m2": 8, "f8e5m2fnuz": 8, "f8e8m0fnu": 8}


def main():
    out = {}
    for name, bits in FORMATS.items():
        dtype = getattr(ml_dtypes, name.replace("f", "float", 1).replace("e", "_e", 1))
        values = np.arange(1 << bits, dtype=np.uint8).view(dtype).astype(np.float64)
        finite = np.unique(values[np.isfinite(values) & (values >= 0)])
        middle = ((finite[:-1] + finite[1:]) / 2).astype(np.float32)
        # Below, ml_dtypes does not round to nearest.
        middle = middle[middle >= np.finfo(np.float32).tiny]
        zero, infinity = np.float32(0), np.float32(np.inf)
        near = np.stack([np.nextafter(middle, zero), middle, np.nextafter(middle, infinity)], axis=1).reshape(-1)
        inputs = np.concatenate([np.array(SPECIALS), near.astype(np.float64)])
        inputs = np.concatenate([inputs, -inputs])
        out[f"{name}/values"] = values.astype(np.float32)
        out[f"{name}/codes"] = inputs.astype(dtype).view(np.uint8)
    common.save_tensors("minifloats.safetensors", out)


if __name__ == "__main__":
    main()

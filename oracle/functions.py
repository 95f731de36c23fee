"""The elementwise functions of doubles, rounded from 40 digits.

Writes `functions.safetensors`: `<function>/x` (and `<function>/y` of a function of two), f64, with `<function>/value`. What has
no value is left out. Points are spread over the magnitudes where the function is neither constant nor infinite.
"""

import mpmath as mp
import numpy as np

import common

mp.mp.dps = 40


def spread(stream, low, high, count=48, sign=False):
    """Points whose logarithms are uniform in [low, high], of both signs if asked for."""
    sizes = [2.0**e for e in uniform(stream, low, high, count)]
    return [-x if sign and i % 2 else x for i, x in enumerate(sizes)]


def uniform(stream, low, high, count=48):
    return [low + (high - low) * (float(u) + 0.5) for u in common.unit(7000 + stream, count)]


def bessel(order):
    return lambda x: mp.exp(-abs(x)) * mp.besseli(order, x)


def lgamma(x):
    return mp.log(abs(mp.gamma(x)))


def polygamma(n, x):
    return mp.polygamma(int(n), x)


REAL = {
    "exponential": (mp.exp, spread(1, -60, 9, sign=True)),
    "exponential_minus_one": (mp.expm1, spread(2, -60, 6, sign=True)),
    "log": (mp.log, spread(3, -1000, 1000) + uniform(4, 0.9, 1.1)),
    "log_plus_one": (mp.log1p, spread(5, -60, 100) + uniform(6, -0.9, 0.9)),
    "logistic": (lambda x: 1 / (1 + mp.exp(-x)), spread(7, -60, 9, sign=True)),
    "tanh": (mp.tanh, spread(8, -60, 4, sign=True)),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), spread(9, -900, 900, sign=True)),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), spread(10, -900, 900)),
    "sine": (mp.sin, spread(11, -60, 30, sign=True)),
    "cosine": (mp.cos, spread(12, -30, 30, sign=True)),
    "tan": (mp.tan, spread(13, -60, 30, sign=True)),
    "asin": (mp.asin, spread(14, -60, 0, sign=True)),
    "acos": (mp.acos, spread(15, -60, 0, sign=True)),
    "atan": (mp.atan, spread(16, -60, 60, sign=True)),
    "sinh": (mp.sinh, spread(17, -60, 9, sign=True)),
    "cosh": (mp.cosh, spread(18, -30, 9, sign=True)),
    "asinh": (mp.asinh, spread(19, -60, 900, sign=True) + uniform(20, -3, 3)),
    "acosh": (mp.acosh, [1 + x for x in spread(21, -50, 900)]),
    "atanh": (mp.atanh, spread(22, -60, 0, sign=True)),
    "erf": (mp.erf, spread(23, -60, 2.5, sign=True)),
    "erfc": (mp.erfc, spread(24, -60, 4.6) + uniform(25, -5, 5)),
    "erf_inv": (mp.erfinv, spread(26, -60, 0, sign=True) + [1 - x for x in spread(27, -52, -1)]),
    "lgamma": (lgamma, spread(28, -60, 60) + uniform(29, 2.5, 40)),
    "digamma": (mp.digamma, spread(30, -60, 60) + uniform(31, 0.5, 4) + uniform(32, -0.4, 0)),
    "bessel_i0e": (bessel(0), spread(33, -60, 60, sign=True) + uniform(34, 0, 40)),
    "bessel_i1e": (bessel(1), spread(35, -60, 60, sign=True) + uniform(36, 0, 40)),
}

BINARY = {
    "power": (mp.power, spread(40, -20, 20), uniform(41, -30, 30)),
    "atan2": (mp.atan2, spread(42, -40, 40, sign=True), spread(43, -40, 40)),
    "polygamma": (polygamma, [1.0 + i % 12 for i in range(48)], spread(44, -10, 10)),
    "zeta": (mp.zeta, [1 + x for x in spread(45, -10, 5)], spread(46, -10, 12)),
}


def double(value):
    return float(mp.re(value)) if abs(mp.im(value)) == 0 else None


def main():
    tensors = {}
    for name, (function, *points) in {**REAL, **BINARY}.items():
        rows = []
        for point in zip(*points):
            value = double(function(*map(mp.mpf, point)))
            if value is not None and np.isfinite(value) and abs(value) > 1e-300:
                rows.append((*point, value))
        columns = np.array(rows).T
        names = ["x", "y"][: len(points)] + ["value"]
        tensors.update({f"{name}/{c}": np.ascontiguousarray(v) for c, v in zip(names, columns)})
    common.save_tensors("functions.safetensors", tensors)


if __name__ == "__main__":
    main()

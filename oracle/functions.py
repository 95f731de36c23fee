"""The elementwise functions of doubles and of complex doubles, rounded from 150 digits.

Writes `functions.safetensors`: `<function>/x` (and `<function>/y` of a function of two) with `<function>/value`, f64[n]; and
`complex/<function>/x`, `../y`, `../value`, f64[n, 2]: real and imaginary parts. What has no value is left out. Points are spread
over the magnitudes where the function is neither constant nor infinite.
"""

import mpmath as mp
import numpy as np

import common

mp.mp.dps = 150


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


def plane(stream, low, high, count=96):
    """Complex numbers whose parts have logarithms uniform in [low, high], in all quadrants."""
    re, im = spread(stream, low, high, count, sign=True), spread(stream + 1, low, high, count)
    return [complex(x, -y if i % 4 > 1 else y) for i, (x, y) in enumerate(zip(re, im))]


def circle(stream, centre, radius, distance, count=48):
    """Complex numbers near a circle: a function may vanish, or nearly, on it."""
    angles, steps = uniform(stream, 0, 2 * np.pi, count), spread(stream + 1, -50, distance, count, sign=True)
    return [complex(centre + radius * (1 + d) * np.exp(1j * a)) for a, d in zip(angles, steps)]


def beside(points, stream):
    """Complex numbers whose quotients with these are nearly real."""
    factors = uniform(stream, -3, 3, len(points))
    turns = spread(stream + 1, -50, -1, len(points), sign=True)
    return [z * complex(f, f * t) for z, f, t in zip(points, factors, turns)]


def atan2(y, x):
    return -1j * mp.log((x + 1j * y) / mp.sqrt(x * x + y * y))


def atanh(z):
    return (mp.log1p(z) - mp.log1p(-z)) / 2


COMPLEX = {
    "abs": (abs, plane(100, -100, 100)),
    "sign": (lambda z: z / abs(z), plane(102, -100, 100)),
    "exponential": (mp.exp, plane(104, -30, 9)),
    "exponential_minus_one": (mp.expm1, plane(106, -30, 8)),
    "log": (mp.log, plane(108, -100, 100) + circle(110, 0, 1, -2)),
    "log_plus_one": (mp.log1p, plane(112, -30, 30) + circle(114, -1, 1, -2)),
    "logistic": (lambda z: 1 / (1 + mp.exp(-z)), plane(116, -10, 4)),
    "tanh": (mp.tanh, plane(118, -30, 4)),
    "sine": (mp.sin, plane(120, -30, 9)),
    "cosine": (mp.cos, plane(122, -20, 9)),
    "tan": (mp.tan, plane(124, -30, 4)),
    "sinh": (mp.sinh, plane(126, -30, 9)),
    "cosh": (mp.cosh, plane(128, -20, 9)),
    "sqrt": (mp.sqrt, plane(130, -300, 300)),
    "rsqrt": (lambda z: 1 / mp.sqrt(z), plane(132, -300, 300)),
    "cbrt": (mp.cbrt, plane(134, -300, 300)),
    "square": (lambda z: z * z, plane(136, -100, 100)),
    "asin": (mp.asin, plane(138, -30, 30) + circle(140, 1, 0.01, -2)),
    "acos": (mp.acos, plane(142, -30, 30) + circle(144, 1, 0.01, -2)),
    "atan": (lambda z: -1j * atanh(1j * z), plane(146, -30, 30)),
    "asinh": (mp.asinh, plane(148, -30, 30)),
    "acosh": (mp.acosh, plane(150, -30, 30)),
    "atanh": (atanh, plane(152, -30, 30) + circle(154, 1, 0.01, -2)),
    "divide": (lambda x, y: x / y, plane(156, -300, 300), plane(158, -300, 300)),
    "power": (mp.power, plane(160, -3, 3), plane(162, -3, 3)),
    "atan2": (atan2, plane(164, -30, 30) + plane(168, -3, 3, 48), plane(166, -30, 30) + beside(plane(168, -3, 3, 48), 170)),
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
    for name, (function, *points) in COMPLEX.items():
        values = [complex(function(*(mp.mpc(z) for z in point))) for point in zip(*points)]
        names = ["x", "y"][: len(points)] + ["value"]
        for column, numbers in zip(names, [*points, values]):
            tensors[f"complex/{name}/{column}"] = np.array([(z.real, z.imag) for z in numbers])
    common.save_tensors("functions.safetensors", tensors)


if __name__ == "__main__":
    main()

"""The first three derivatives of functions of one real variable, from 100 digits and more.

Writes `derivatives.safetensors`. For each function and each of the dtypes f32 and f64: `<function>/<dtype>/x`, about 200 points of
that dtype, spread over where the function is tiny, moderate and saturated, and about its kinks, poles and zeros; `../d`, the
derivatives of order 1, 2 and 3 there, rounded to the dtype, NaN where that is neither 0 nor a normal number; and `../rest`, what
rounding took away, in units in the last place (f32).

A function is given by its derivative as a formula of jets, truncated Taylor series, of which the higher derivatives follow, or by all
three derivatives.
"""

import mpmath as mp
import numpy as np

import common

COUNT = 200


class Jet:
    """`c[0] + c[1] t + c[2] t^2`."""

    def __init__(self, *c):
        self.c = [mp.mpf(x) for x in c] + [mp.mpf(0)] * (3 - len(c))

    def __add__(self, other):
        return Jet(*(a + b for a, b in zip(self.c, jet(other).c)))

    def __neg__(self):
        return Jet(*(-a for a in self.c))

    def __sub__(self, other):
        return self + -jet(other)

    def __rsub__(self, other):
        return jet(other) - self

    def __mul__(self, other):
        a, b = self.c, jet(other).c
        return Jet(*(sum(a[i] * b[k - i] for i in range(k + 1)) for k in range(3)))

    def __truediv__(self, other):
        return self * jet(other) ** -1

    def __rtruediv__(self, other):
        return jet(other) * self**-1

    def __pow__(self, p):
        """By `x y' = p y x'`."""
        x, p = self.c, mp.mpf(p)
        y0 = x[0] ** p
        y1 = p * y0 * x[1] / x[0]
        return Jet(y0, y1, (p * (y1 * x[1] + 2 * y0 * x[2]) - x[1] * y1) / (2 * x[0]))

    __radd__ = __add__
    __rmul__ = __mul__


def jet(x):
    return x if isinstance(x, Jet) else Jet(x)


def composed(f0, f1, f2):
    """A function of jets, given its value and two derivatives."""

    def function(x):
        a, b = x.c[1], x.c[2]
        d0, d1, d2 = f0(x.c[0]), f1(x.c[0]), f2(x.c[0])
        return Jet(d0, d1 * a, d1 * b + d2 * a * a / 2)

    return function


exp = composed(mp.exp, mp.exp, mp.exp)
log = composed(mp.log, lambda x: 1 / x, lambda x: -1 / x**2)
sin = composed(mp.sin, mp.cos, lambda x: -mp.sin(x))
cos = composed(mp.cos, lambda x: -mp.sin(x), lambda x: -mp.cos(x))
sinh = composed(mp.sinh, mp.cosh, mp.sinh)
cosh = composed(mp.cosh, mp.sinh, mp.cosh)
logistic = composed(
    lambda x: 1 / (1 + mp.exp(-x)),
    lambda x: mp.sech(x / 2) ** 2 / 4,
    lambda x: -mp.tanh(x / 2) * mp.sech(x / 2) ** 2 / 4,
)


def of(first):
    """All three derivatives, from a formula of jets for the first."""

    def derivatives(x):
        c = first(Jet(x, 1)).c
        return [c[0], c[1], 2 * c[2]]

    return derivatives


def polygammas(n):
    return lambda x: [mp.polygamma(n + k, x) for k in range(3)]


def bessel(order):
    """The derivatives of the function `I_n`, by those of its neighbours."""

    def value(n, k, x):
        if k == 0:
            return mp.besseli(abs(n), x)
        return (value(n - 1, k - 1, x) + value(n + 1, k - 1, x)) / 2

    return lambda x: [value(order, k, x) for k in (0, 1, 2, 3)]


def scaled_bessel(order):
    """Those of `e^-|x| I_n(x)`; at 0 the means of both sides."""

    def derivatives(x):
        i, s = bessel(order)(x), -mp.sign(x)
        e = mp.exp(-abs(x))
        both = [sum(mp.binomial(k, j) * s ** (k - j) * i[j] for j in range(k + 1)) for k in (1, 2, 3)]
        if x == 0:
            sides = [[sum(mp.binomial(k, j) * t ** (k - j) * i[j] for j in range(k + 1)) for k in (1, 2, 3)] for t in (-1, 1)]
            both = [(a + b) / 2 for a, b in zip(*sides)]
        return [e * v for v in both]

    return derivatives


def erf_inv(x):
    y = mp.erfinv(x)
    d = mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
    return [d, 2 * y * d**2, (2 + 8 * y * y) * d**3]


def ndtri(p):
    y = mp.sqrt(2) * mp.erfinv(2 * p - 1)
    d = mp.sqrt(2 * mp.pi) * mp.exp(y * y / 2)
    return [d, y * d**2, (1 + 2 * y * y) * d**3]


def sinc(x):
    with mp.workdps(1400):
        x = mp.mpf(x)
        if x == 0:
            return [mp.mpf(0), -mp.pi**2 / 3, mp.mpf(0)]
        z = mp.pi * x
        s, c = mp.sin(z), mp.cos(z)
        first = (z * c - s) / z**2
        second = -s / z - 2 * c / z**2 + 2 * s / z**3
        third = -c / z + 3 * s / z**2 + 6 * c / z**3 - 6 * s / z**4
        return [mp.pi * first, mp.pi**2 * second, mp.pi**3 * third]


def spence(x):
    """`ln(x) / (1 - x)`, by its series near 1."""
    u = x - 1
    if abs(u) > mp.mpf(2) ** -40:
        with mp.workdps(200):
            return of(lambda x: log(x) / (1 - x))(x)
    terms = [(-1) ** (k + 1) * mp.mpf(1) / (k + 1) for k in range(12)]
    return [sum(mp.ff(k, n) * c * u ** (k - n) for k, c in enumerate(terms) if k >= n) for n in range(3)]


def erfcx(x):
    with mp.workdps(300):
        y = [mp.exp(x * x) * mp.erfc(x)]
        y.append(2 * x * y[0] - 2 / mp.sqrt(mp.pi))
        y.append(2 * y[0] + 2 * x * y[1])
        y.append(4 * y[1] + 2 * x * y[2])
        return y[1:]


def dawsn(x):
    with mp.workdps(300):
        y = [mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)]
        y.append(1 - 2 * x * y[0])
        y.append(-2 * y[0] - 2 * x * y[1])
        y.append(-4 * y[1] - 2 * x * y[2])
        return y[1:]


def hypot(x):
    root = mp.sqrt(1 + x * x)
    return [x / root, 1 / root**3, -3 * x / root**5]


def soft_sign(x):
    share = 1 / (1 + abs(x))
    return [share**2, -2 * mp.sign(x) * share**3, 6 * share**4]


def squareplus(x):
    """Of `(x + sqrt(x^2 + 4)) / 2`, without cancelling."""
    root = mp.sqrt(x * x + 4)
    first = (root + x) / root / 2 if x > 0 else 2 / (root - x) / root
    return [first, 2 / root**3, -6 * x / root**5]


def gelu(x):
    """Of `x s(2 z)`, the logistic function `s` of `z = sqrt(2 / pi) (x + 0.044715 x^3)`."""

    def first(x):
        double = (x + x * x * x * mp.mpf("0.044715")) * (2 * mp.sqrt(2 / mp.pi))
        slope = (1 + x * x * 3 * mp.mpf("0.044715")) * (2 * mp.sqrt(2 / mp.pi))
        share = logistic(double)
        return share + x * slope * share * logistic(-double)

    with mp.workdps(1400):
        return of(first)(mp.mpf(x))


def log_ndtr(x):
    with mp.workdps(300):
        r = mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi) / (mp.erfc(-x / mp.sqrt(2)) / 2)
        second = -r * (x + r)
        return [r, second, -second * (x + r) - r * (1 + second)]


def box_cox_by_lambda(base):
    """Of `(base^lambda - 1) / lambda` by `lambda`."""

    def derivatives(x):
        log = mp.log(base)
        return [log ** (n + 1) * mp.hyp1f1(n + 1, n + 2, x * log) / (n + 1) for n in (1, 2, 3)]

    return derivatives


def rising(m):
    """Of `gamma(x + m) / gamma(x)`."""

    def derivatives(x):
        y = [mp.rf(x, m)]
        p = [mp.polygamma(k, x + m) - mp.polygamma(k, x) for k in range(3)]
        y.append(y[0] * p[0])
        y.append(y[1] * p[0] + y[0] * p[1])
        y.append(y[2] * p[0] + 2 * y[1] * p[1] + y[0] * p[2])
        return y[1:]

    return derivatives


def of_logarithm_of_beta(y):
    return lambda x: [mp.polygamma(k, x) - mp.polygamma(k, x + y) for k in range(3)]


TINY = ("log", -1000, -3)

# Name: derivatives, and segments of points: ("log", low, high[, signs]) has sizes 2^low .. 2^high, ("lin", low, high) is even, and
# ("near", c, low, high) lies 2^low .. 2^high to both sides of c, ("at", c..) are points themselves. Exponents that a dtype lacks are cut.
FUNCTIONS = {
    "exponential": (of(exp), [TINY, ("lin", -8, 8), ("lin", -700, 700)]),
    "exponential_minus_one": (of(exp), [TINY, ("lin", -8, 8), ("lin", -700, 700)]),
    "log": (of(lambda x: 1 / x), [("log", -300, 300, "+"), ("near", 1, -50, -2)]),
    "log_plus_one": (of(lambda x: 1 / (1 + x)), [TINY, ("lin", -0.9, 8), ("near", -1, -50, -2), ("log", 3, 200, "+")]),
    "logistic": (lambda x: [logistic(Jet(x, 1)).c[1], *of(lambda x: 0.25 / cosh(x * 0.5) ** 2)(x)[1:]], [TINY, ("lin", -8, 8), ("lin", -700, 700)]),
    "tanh": (of(lambda x: 1 / cosh(x) ** 2), [TINY, ("lin", -4, 4), ("lin", -340, 340)]),
    "sqrt": (of(lambda x: 0.5 * x**-0.5), [("log", -300, 300, "+"), ("lin", 0, 4)]),
    "rsqrt": (of(lambda x: -0.5 * x**-1.5), [("log", -200, 200, "+"), ("lin", 0, 4)]),
    "cbrt": (lambda x: [v * s for v, s in zip(of(lambda x: x ** (-mp.mpf(2) / 3) / 3)(abs(x)), (1, mp.sign(x), 1))], [("log", -300, 300), ("lin", -4, 4)]),
    "sine": (of(cos), [TINY, ("lin", -8, 8), ("log", 3, 20)]),
    "cosine": (of(lambda x: -sin(x)), [TINY, ("lin", -8, 8), ("log", 3, 20)]),
    "tan": (of(lambda x: 1 / cos(x) ** 2), [TINY, ("lin", -8, 8), ("near", mp.pi / 2, -20, -3)]),
    "asin": (of(lambda x: (1 - x * x) ** -0.5), [TINY, ("lin", -1, 1), ("near", 1, -50, -2), ("near", -1, -50, -2)]),
    "acos": (of(lambda x: -((1 - x * x) ** -0.5)), [TINY, ("lin", -1, 1), ("near", 1, -50, -2), ("near", -1, -50, -2)]),
    "atan": (of(lambda x: 1 / (1 + x * x)), [TINY, ("lin", -4, 4), ("log", 2, 200)]),
    "sinh": (of(cosh), [TINY, ("lin", -4, 4), ("lin", -700, 700)]),
    "cosh": (of(sinh), [TINY, ("lin", -4, 4), ("lin", -700, 700)]),
    "asinh": (of(lambda x: (1 + x * x) ** -0.5), [TINY, ("lin", -4, 4), ("log", 2, 300)]),
    "acosh": (of(lambda x: ((x - 1) * (x + 1)) ** -0.5), [("near", 1, -50, -2), ("lin", 1, 4), ("log", 2, 300, "+")]),
    "atanh": (of(lambda x: 1 / (1 - x * x)), [TINY, ("lin", -1, 1), ("near", 1, -50, -2), ("near", -1, -50, -2)]),
    "square": (of(lambda x: 2 * x), [TINY, ("lin", -8, 8)]),
    "erf": (of(lambda x: 2 / mp.sqrt(mp.pi) * exp(-x * x)), [TINY, ("lin", -3, 3), ("lin", -26, 26)]),
    "erfc": (of(lambda x: -2 / mp.sqrt(mp.pi) * exp(-x * x)), [TINY, ("lin", -3, 3), ("lin", -26, 26)]),
    "erf_inv": (erf_inv, [TINY, ("lin", -1, 1), ("near", 1, -50, -2)]),
    "lgamma": (polygammas(0), [("log", -100, 40, "+"), ("lin", 0.1, 12)]),
    "digamma": (polygammas(1), [("log", -80, 40, "+"), ("lin", 0.1, 12)]),
    "bessel_i0e": (scaled_bessel(0), [TINY, ("lin", -8, 8), ("lin", -100, 100), ("log", 6, 20)]),
    "bessel_i1e": (scaled_bessel(1), [TINY, ("lin", -8, 8), ("lin", -100, 100), ("log", 6, 20)]),
    "i0": (lambda x: bessel(0)(x)[1:], [TINY, ("lin", -8, 8), ("lin", -690, 690)]),
    "i1": (lambda x: bessel(1)(x)[1:], [TINY, ("lin", -8, 8), ("lin", -690, 690)]),
    "power_of_x": (of(lambda x: mp.mpf(2.5) * x**1.5), [("log", -100, 100, "+"), ("lin", 0, 8)]),
    "power_by_x": (of(lambda x: mp.log(3) * exp(x * mp.log(3))), [TINY, ("lin", -8, 8), ("lin", -600, 600)]),
    "atan2_of_x": (of(lambda x: 2 / (4 + x * x)), [TINY, ("lin", -8, 8), ("log", 2, 60)]),
    "atan2_by_x": (of(lambda x: -2 / (4 + x * x)), [TINY, ("lin", -8, 8), ("log", 2, 60)]),
    "polygamma": (polygammas(3), [("log", -40, 20, "+"), ("lin", 0.1, 12)]),
    "zeta": (lambda q: [(-1) ** k * mp.rf(mp.mpf(2.5), k) * mp.zeta(2.5 + k, q) for k in (1, 2, 3)], [("log", -30, 20, "+"), ("lin", 0.1, 12)]),
    "exp2": (of(lambda x: mp.log(2) * exp(x * mp.log(2))), [TINY, ("lin", -8, 8), ("lin", -1000, 1024)]),
    "log2": (of(lambda x: 1 / (x * mp.log(2))), [("log", -300, 300, "+"), ("near", 1, -50, -2)]),
    "log10": (of(lambda x: 1 / (x * mp.log(10))), [("log", -300, 300, "+"), ("near", 1, -50, -2)]),
    "reciprocal": (of(lambda x: -1 / (x * x)), [("log", -200, 200), ("lin", -4, 4)]),
    "sinc": (sinc, [TINY, ("lin", -2, 2), ("lin", -20, 20)]),
    "logaddexp": (lambda x: of(logistic)(x - 1), [TINY, ("lin", -8, 8), ("lin", -600, 600), ("at", 1)]),
    "softplus": (of(logistic), [TINY, ("lin", -8, 8), ("lin", -700, 700)]),
    "log_sigmoid": (lambda x: [v * s for v, s in zip(of(logistic)(-x), (1, -1, 1))], [TINY, ("lin", -8, 8), ("lin", -700, 700)]),
    "logit": (of(lambda p: 1 / (p * (1 - p))), [("log", -100, -2, "+"), ("lin", 0, 1), ("near", 1, -50, -2)]),
    "erfcx": (erfcx, [TINY, ("lin", -3, 6), ("lin", 4, 40), ("log", 5, 30, "+")]),
    "ndtr": (of(lambda x: exp(x * x * -0.5) / mp.sqrt(2 * mp.pi)), [TINY, ("lin", -3, 3), ("lin", -36, 36)]),
    "log_ndtr": (log_ndtr, [TINY, ("lin", -4, 4), ("lin", -40, 10)]),
    "ndtri": (ndtri, [("log", -100, -2, "+"), ("lin", 0, 1), ("near", 1, -50, -2)]),
    "xlogy_of_x": (lambda x: [mp.log(3), mp.mpf(0), mp.mpf(0)], [TINY, ("lin", -8, 8)]),
    "xlogy_by_x": (of(lambda y: 2.5 / y), [("log", -200, 200, "+"), ("lin", 0, 4)]),
    "xlog1py_by_x": (of(lambda y: 2.5 / (1 + y) + 0 * log(1 + y)), [TINY, ("lin", -0.9, 8), ("near", -1, -50, -2)]),
    "entr": (of(lambda x: -log(x) - 1), [("log", -200, 100, "+"), ("lin", 0, 4)]),
    "rel_entr": (of(lambda p: log(p / mp.mpf(1.5)) + 1), [("log", -200, 100, "+"), ("lin", 0, 4)]),
    "kl_div": (of(lambda p: log(p / mp.mpf(1.5))), [("log", -200, 100, "+"), ("lin", 0, 4), ("near", 1.5, -20, -2)]),
    "boxcox": (of(lambda x: x**0.5), [("log", -60, 60, "+"), ("lin", 0, 4)]),
    "boxcox1p": (of(lambda x: (1 + x) ** 0.5), [TINY, ("lin", -0.9, 8), ("log", 3, 60, "+")]),
    "gammainc": (of(lambda x: x**1.5 * exp(-x) / mp.gamma(2.5)), [("log", -20, -2, "+"), ("lin", 0, 40)]),
    "gammaincc": (of(lambda x: -(x**1.5) * exp(-x) / mp.gamma(2.5)), [("log", -20, -2, "+"), ("lin", 0, 40)]),
    "betainc": (of(lambda x: x**1.5 * (1 - x) ** 0.5 / mp.beta(2.5, 1.5)), [("log", -20, -2, "+"), ("lin", 0, 1)]),
    "exp1": (of(lambda x: -exp(-x) / x), [("log", -100, 2, "+"), ("lin", 0, 8), ("lin", 8, 600)]),
    "expi": (of(lambda x: exp(x) / x), [("log", -100, 2), ("lin", -8, 8), ("lin", -600, 600)]),
    "dawsn": (dawsn, [TINY, ("lin", -4, 4), ("lin", -30, 30), ("log", 5, 30)]),
    "spence": (spence, [("log", -100, 100, "+"), ("lin", 0, 4), ("near", 1, -40, -2)]),
    "logaddexp2": (of(lambda x: logistic((x - 3) * mp.log(2))), [TINY, ("lin", -8, 8), ("lin", -600, 600), ("at", 3)]),
    "hypot": (hypot, [("log", -300, -3), ("lin", -4, 4), ("log", 2, 200), ("at", -1, 1)]),
    "betaln": (of_logarithm_of_beta(2.5), [("log", -80, 20, "+"), ("lin", 0.1, 12), ("at", 2.5, 8)]),
    "soft_sign": (soft_sign, [TINY, ("lin", -4, 4), ("log", 2, 200)]),
    "squareplus": (squareplus, [TINY, ("lin", -4, 4), ("log", 2, 150)]),
    "gelu": (gelu, [TINY, ("lin", -4, 4), ("lin", -20, 20)]),
    "betaln_of_small": (of_logarithm_of_beta(mp.mpf(2) ** -20), [("log", -30, 20, "+"), ("lin", 0.1, 12)]),
    "betaln_of_large": (of_logarithm_of_beta(10000), [("log", -30, 20, "+"), ("lin", 0.1, 12)]),
    "sinc_far": (sinc, [("log", 55, 100)]),
    "poch": (rising(2.5), [("log", -30, 30, "+"), ("lin", 0.1, 12)]),
    "comb": (lambda n: [v / mp.gamma(3.5) for v in rising(2.5)(n - 1.5)], [("log", 2, 30, "+"), ("lin", 3, 12)]),
    "boxcox_by_lambda": (box_cox_by_lambda(mp.mpf(3)), [TINY, ("lin", -8, 8), ("lin", -600, 600), ("at", 0)]),
    "boxcox1p_by_lambda": (box_cox_by_lambda(1 + mp.mpf(1) / 64), [TINY, ("lin", -600, 600), ("log", 3, 12), ("at", 0)]),
}

DTYPES = {"f32": (np.float32, 120, 80.0 / 700, 20), "f64": (np.float64, 1000, 1.0, 50)}


def points(stream, segments, dtype):
    """Points of a dtype: what is too large or too near for `f32` is brought closer."""
    kind, most, shrink, digits = DTYPES[dtype]
    found = []
    segments, exact = [s for s in segments if s[0] != "at"], [s[1:] for s in segments if s[0] == "at"]
    for number, segment in enumerate(segments):
        count = COUNT // len(segments) + (number < COUNT % len(segments))
        u = common.unit(9000 + 64 * stream + number, count).astype(np.float64) + 0.5
        sign = np.where(np.arange(count) % 2 == 0, 1.0, -1.0)
        if segment[0] == "lin":
            low, high = (float(v) * (shrink if abs(v) > 60 else 1.0) for v in segment[1:])
            found.extend(low + (high - low) * u)
        elif segment[0] == "log":
            low, high = (max(-most, min(most, v)) * (most / 1000 if abs(v) > 100 else 1.0) for v in segment[1:3])
            size = np.exp2(low + (high - low) * u)
            found.extend(size if segment[3:] == ("+",) else size * sign)
        else:
            centre, low, high = float(segment[1]), max(-digits, segment[2]), segment[3]
            found.extend(centre + sign * np.exp2(low + (high - low) * u))
    return [float(x) for x in np.array(found + [x for some in exact for x in some]).astype(kind)]


def rounded(value, kind):
    """A number in a dtype, and the rest in units in the last place; NaN unless it is 0 or a normal number."""
    value = mp.mpf(value)
    if value == 0:
        return 0.0, 0.0
    info = np.finfo(kind)
    if not float(info.tiny) <= abs(value) <= float(info.max):
        return np.nan, 0.0
    near = float(kind(float(value)))
    ulp = mp.mpf(2) ** (int(mp.floor(mp.log(abs(value), 2))) - info.nmant)
    return near, float((value - mp.mpf(near)) / ulp)


def main():
    tensors = {}
    mp.mp.dps = 100
    for stream, (name, (derivatives, segments)) in enumerate(FUNCTIONS.items()):
        for dtype, (kind, *_) in DTYPES.items():
            xs, values, rests = [], [], []
            for x in points(stream, segments, dtype):
                try:
                    all_orders = derivatives(mp.mpf(x))
                    if any(mp.im(v) != 0 or not mp.isfinite(v) for v in all_orders):
                        continue
                except (TypeError, ValueError, ZeroDivisionError):
                    continue
                pairs = [rounded(mp.re(v), kind) for v in all_orders]
                xs.append(x)
                values.append([p[0] for p in pairs])
                rests.append([p[1] for p in pairs])
            assert len(xs) > COUNT // 2, (name, dtype, len(xs))
            tensors[f"{name}/{dtype}/x"] = np.array(xs, kind)
            tensors[f"{name}/{dtype}/d"] = np.array(values, kind).T
            tensors[f"{name}/{dtype}/rest"] = np.array(rests, np.float32).T
        print(name, flush=True)
    common.save_tensors("derivatives.safetensors", tensors)


if __name__ == "__main__":
    main()

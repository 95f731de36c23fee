"""One program per elementwise op and class of element types; every type of the class is an argument."""

import contextlib

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from jax.scipy import special

from .values import BOOL, COMPLEX, F32, F64, I32, REAL, SCALE, SIGNED, SIX, SMALL, UNSIGNED, bools, complexes, floats, ints, specials, width, words

COUNT = 12

# name, function, (low, high) of the drawn arguments, classes, tolerance of f64 results where 8 units are not enough.
# Classes: i signed, u unsigned, r real, s small floats, c complex, b bool.
UNARY = [
    ("abs", lax.abs, (-4, 4), "irsc", "exact"),
    ("neg", lax.neg, (-4, 4), "iursc", "exact"),
    ("sign", lax.sign, (-4, 4), "iursc", "exact"),
    ("square", lax.square, (-2, 2), "iursc", "exact"),
    ("cube", lambda x: lax.integer_pow(x, 3), (-2, 2), "iurc", "ulp"),
    ("inverse_square", lambda x: lax.integer_pow(x, -2), (0.5, 2), "rc", "ulp"),
    ("ceil", lax.ceil, (-4, 4), "rs", "exact"),
    ("floor", lax.floor, (-4, 4), "rs", "exact"),
    ("round_afz", lambda x: lax.round(x), (-4, 4), "rs", "exact"),
    ("round_even", lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), (-4, 4), "rs", "exact"),
    ("is_finite", lax.is_finite, (-4, 4), "rs", "exact"),
    ("sqrt", lax.sqrt, (0, 4), "rsc", "exact"),
    ("rsqrt", lax.rsqrt, (0.1, 4), "rsc", "ulp"),
    ("cbrt", lax.cbrt, (-4, 4), "rs", "ulp"),
    ("reciprocal", lax.reciprocal, (0.1, 4), "rsc", "ulp"),
    ("exp", lax.exp, (-4, 4), "rsc", "ulp"),
    ("exp2", lax.exp2, (-4, 4), "rsc", "ulp"),
    ("expm1", lax.expm1, (-2, 2), "rsc", "ulp"),
    ("log", lax.log, (0, 4), "rsc", "ulp"),
    ("log1p", lax.log1p, (-0.9, 4), "rsc", "ulp"),
    ("logistic", lax.logistic, (-6, 6), "rsc", "ulp"),
    ("sin", lax.sin, (-7, 7), "rsc", "ulp"),
    ("cos", lax.cos, (-7, 7), "rsc", "ulp"),
    ("tan", lax.tan, (-1.4, 1.4), "rsc", "ulp"),
    ("asin", lax.asin, (-1, 1), "rsc", "ulp"),
    ("acos", lax.acos, (-1, 1), "rsc", "ulp"),
    ("atan", lax.atan, (-4, 4), "rsc", "ulp"),
    ("sinh", lax.sinh, (-4, 4), "rsc", "ulp"),
    ("cosh", lax.cosh, (-4, 4), "rsc", "ulp"),
    ("tanh", lax.tanh, (-4, 4), "rsc", "ulp"),
    ("asinh", lax.asinh, (-4, 4), "rsc", "ulp"),
    ("acosh", lax.acosh, (1, 4), "rsc", "ulp"),
    ("atanh", lax.atanh, (-0.95, 0.95), "rsc", "ulp"),
    ("erf", lax.erf, (-3, 3), "rs", "ulp"),
    ("erfc", lax.erfc, (-3, 3), "r", "ulp"),
    ("erf_inv", lax.erf_inv, (-0.98, 0.98), "rs", "ulp"),
    ("lgamma", lax.lgamma, (0.2, 8), "rs", "ulp"),
    ("digamma", lax.digamma, (0.2, 8), "rs", "ulp"),
    ("bessel_i0e", lax.bessel_i0e, (-9, 9), "r", "ulp"),
    ("bessel_i1e", lax.bessel_i1e, (-9, 9), "r", "ulp"),
    ("not", lax.bitwise_not, (-4, 4), "biu", "exact"),
    ("popcnt", lax.population_count, (-4, 4), "iu", "exact"),
    ("clz", lax.clz, (-4, 4), "iu", "exact"),
    ("real", lax.real, (-4, 4), "c", "exact"),
    ("imag", lax.imag, (-4, 4), "c", "exact"),
    ("conj", lax.conj, (-4, 4), "c", "exact"),
]

BINARY = [
    ("add", lax.add, (-4, 4), (-4, 4), "iursc", "exact"),
    ("sub", lax.sub, (-4, 4), (-4, 4), "iursc", "exact"),
    ("mul", lax.mul, (-4, 4), (-4, 4), "iursc", "exact"),
    ("div", lax.div, (-4, 4), (0.5, 4), "iursc", "exact"),
    ("rem", lax.rem, (-4, 4), (0.5, 4), "iurs", "exact"),
    ("max", lax.max, (-4, 4), (-4, 4), "biursc", "exact"),
    ("min", lax.min, (-4, 4), (-4, 4), "biursc", "exact"),
    ("pow", lax.pow, (0.1, 3), (-3, 3), "rsc", "ulp"),
    ("atan2", lax.atan2, (-4, 4), (-4, 4), "rsc", "ulp"),
    ("nextafter", lax.nextafter, (-4, 4), (-4, 4), "r", "exact"),
    ("and", lax.bitwise_and, (-4, 4), (-4, 4), "biu", "exact"),
    ("or", lax.bitwise_or, (-4, 4), (-4, 4), "biu", "exact"),
    ("xor", lax.bitwise_xor, (-4, 4), (-4, 4), "biu", "exact"),
    ("shift_left", lax.shift_left, (-4, 4), None, "iu", "exact"),
    ("shift_right_logical", lax.shift_right_logical, (-4, 4), None, "iu", "exact"),
    ("shift_right_arithmetic", lax.shift_right_arithmetic, (-4, 4), None, "iu", "exact"),
    ("eq", lax.eq, (-2, 2), (-2, 2), "biursc", "exact"),
    ("ne", lax.ne, (-2, 2), (-2, 2), "biursc", "exact"),
    ("lt", lax.lt, (-2, 2), (-2, 2), "biurs", "exact"),
    ("le", lax.le, (-2, 2), (-2, 2), "biurs", "exact"),
    ("gt", lax.gt, (-2, 2), (-2, 2), "biurs", "exact"),
    ("ge", lax.ge, (-2, 2), (-2, 2), "biurs", "exact"),
    ("eq_total", lax.eq_to_p.bind, (-2, 2), (-2, 2), "r", "exact"),
    ("lt_total", lax.lt_to_p.bind, (-2, 2), (-2, 2), "r", "exact"),
    ("le_total", lax.le_to_p.bind, (-2, 2), (-2, 2), "r", "exact"),
]

CLASSES = {"i": ("signed", SIGNED), "u": ("unsigned", UNSIGNED), "r": ("real", REAL), "s": ("small", SMALL), "c": ("complex", COMPLEX), "b": ("bool", [BOOL])}

# Where JAX's CPU code is off by more than its class: results there say nothing.
WITHOUT_SPECIALS = {"lgamma", "digamma", "bessel_i0e", "bessel_i1e", "inverse_square", "cube"}


def draw(kind, dtype, domain, stream, with_specials=True):
    low, high = domain
    if kind == "b":
        return bools(stream, COUNT)
    if kind in "iu":
        return words(stream, COUNT, dtype=dtype)
    if kind == "c":
        if low >= 0:
            return (floats(stream, COUNT, low=max(low, 0.1), high=high, dtype=F64) + 1j * floats(stream + 500, COUNT, dtype=F64)).astype(dtype)
        return complexes(stream, COUNT, scale=min(high, 3), dtype=dtype)
    drawn = floats(stream, COUNT, low=low, high=high, dtype=dtype)
    if dtype == SMALL[-1]:  # has neither infinities nor NaN
        return np.clip(floats(stream, COUNT + (8 if with_specials else 0), low=low, high=high), low, high).astype(dtype)
    return np.concatenate([drawn, specials(dtype)]) if with_specials else drawn


def second(kind, dtype, domain, stream, name):
    if domain is None:
        return ints(stream, COUNT, low=0, high=min(width(dtype), 8) if width(dtype) > 2 else 2, dtype=dtype)
    if kind in "iu" and name in ("div", "rem"):
        drawn = words(stream, COUNT, dtype=dtype)
        drawn[(drawn == 0) | (drawn.astype(np.int64) == -1)] = 1
        return drawn
    if dtype == SMALL[-1]:
        return draw(kind, dtype, domain, stream)
    drawn = draw(kind, dtype, domain, stream, False)
    return np.concatenate([drawn, specials(dtype)[::-1]]) if kind in "rs" else drawn


def accepted(function, count, dtypes):
    """The types for which JAX traces the function: it refuses narrow integers for most."""
    kept = []
    for d in dtypes:
        with contextlib.suppress(TypeError, ValueError), jax.enable_x64(True):
            jax.eval_shape(function, *[jax.ShapeDtypeStruct((4,), d)] * count)
            kept.append(d)
    return kept


def program(function, count):
    if count == 1:
        return lambda *xs: tuple(function(x) for x in xs)
    return lambda *xs: tuple(function(*xs[i : i + count]) for i in range(0, len(xs), count))


def unary_and_binary(w):
    for k, (name, function, domain, classes, tol) in enumerate(UNARY):
        for kind in classes:
            label, dtypes = CLASSES[kind]
            dtypes = accepted(function, 1, dtypes)
            inputs = [draw(kind, d, domain, 10 * k + i, name not in WITHOUT_SPECIALS) for i, d in enumerate(dtypes)]
            w.add(f"{name}_{label}", program(function, 1), *inputs, tol="ulp" if kind == "c" and tol == "exact" and name in ("abs", "sign", "sqrt", "square") else tol, of=f"lax.{name}", rounded=kind == "s" and tol == "ulp")
    for k, (name, function, left, right, classes, tol) in enumerate(BINARY):
        for kind in classes:
            label, dtypes = CLASSES[kind]
            dtypes = accepted(function, 2, dtypes)
            inputs = []
            for i, d in enumerate(dtypes):
                inputs += [draw(kind, d, left, 1000 + 20 * k + i), second(kind, d, right, 1200 + 20 * k + i, name)]
            w.add(f"{name}_{label}", program(function, 2), *inputs, tol="ulp" if kind == "c" and name in ("mul", "div") else tol, of=f"lax.{name}", rounded=kind == "s" and tol == "ulp", reference=name != "nextafter")


def select_and_clamp(w):
    for kind in "biursc":
        label, dtypes = CLASSES[kind]
        dtypes = accepted(lambda x: lax.select(x == x, x, x), 1, dtypes)
        inputs = [bools(1, COUNT), np.bool_(True)]
        for i, d in enumerate(dtypes):
            inputs += [draw(kind, d, (-4, 4), 1500 + i, False), draw(kind, d, (-4, 4), 1520 + i, False)]

        def select(p, q, *xs):
            pairs = list(zip(xs[::2], xs[1::2]))
            return tuple(lax.select(p, x, y) for x, y in pairs) + tuple(lax.select(q, x, y) for x, y in pairs)

        w.add(f"select_{label}", select, *inputs, tol="exact", of="lax.select")
        if kind == "c":
            continue
        dtypes = accepted(lambda x: lax.clamp(x, x, x), 1, dtypes)
        inputs = []
        for i, d in enumerate(dtypes):
            if kind == "b":
                inputs += [np.bool_(False), bools(3, COUNT), np.bool_(True)]
            elif kind in "iu":
                top = 1 if width(d) == 2 else 3
                inputs += [np.array(0 if kind == "u" else -1, d), words(1540 + i, COUNT, dtype=d), np.array(top, d)]
            else:
                inputs += [np.array(-1.5, d), draw(kind, d, (-4, 4), 1540 + i), np.array(2, d)]
        w.add(f"clamp_{label}", program(lax.clamp, 3), *inputs, tol="exact", of="lax.clamp")
    w.add("select_n", lambda i, x, y, z: lax.select_n(i, x, y, z), ints(1, 3, 4, low=0, high=3), floats(1, 3, 4), floats(2, 3, 4), floats(3, 3, 4), tol="exact", of="lax.select_n")


def conversions(w):
    """From each type to every other: whole and half numbers that all signed types hold."""
    ordinary = [BOOL, *SIGNED, *UNSIGNED, *REAL, *SMALL, *COMPLEX]
    for source in ordinary:
        signed = source not in UNSIGNED and source != BOOL
        if source in SIGNED + UNSIGNED or source == BOOL:
            top = 2 if source == BOOL else 1 << (min(width(source), 4) - (1 if signed else 0))
            x = np.arange(0, min(top, 8)).astype(source)
            negative = np.arange(-top, 0)[-8:].astype(source) if signed else x[:0]
        else:
            x = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], F64).astype(source)
            negative = -x
        label = w_name(source)

        def convert(x, negative, source=source):
            out = [lax.convert_element_type(x, d) for d in ordinary if d != source]
            if signed:
                out += [lax.convert_element_type(negative, d) for d in ordinary if d != source and d not in UNSIGNED]
            return tuple(out)

        two = x if not (source in REAL + SMALL + COMPLEX) else x.copy()
        w.add(f"convert_{label}", convert, two, negative, tol="exact", of="lax.convert_element_type", x64=True)
    wild = np.array([0.49, -0.51, 127.6, -128.7, 300, -300, 7e4, -7e4, 3e9, -3e9, 1e19, -1e19, np.inf, -np.inf, np.nan, 2.0**31, 2.0**63], F64)

    def out_of_range(*xs):
        return tuple(lax.convert_element_type(x, d) for x in xs for d in [BOOL, *SIGNED[2:], *UNSIGNED[2:]])

    w.add("convert_out_of_range", out_of_range, wild.astype(F32), wild, x64=True, of="lax.convert_element_type", note="JAX saturates and sends NaN to 0")
    w.add("convert_wraps", lambda x, y: tuple(lax.convert_element_type(v, d) for v in (x, y) for d in SIGNED[:-1] + UNSIGNED), words(5, 9, dtype=np.dtype("int64")), words(6, 9, dtype=np.dtype("uint64")), of="lax.convert_element_type")
    rounding = np.concatenate([floats(20, 24, low=-9, high=9, dtype=F64), floats(21, 24, low=-0.02, high=0.02, dtype=F64), floats(22, 16, low=-600, high=600, dtype=F64), np.array([65519.0, 65520.0, 3.4e38, 1e-7, 448.0, 464.0, 465.0, 57344.0, 61440.0, 15.5, 15.75, 240.0, 248.0, 30.0, 31.0])])
    w.add("convert_rounds", lambda x: tuple(lax.convert_element_type(x, d) for d in REAL[:2] + [REAL[3]] + SMALL), rounding.astype(F32), tol="exact", of="lax.convert_element_type", x64=True, reference=False)
    w.add("convert_rounds_double", lambda x: tuple(lax.convert_element_type(x, d) for d in REAL[:3]), rounding, tol="exact", of="lax.convert_element_type")
    w.add("convert_scale", lambda x, e: (lax.convert_element_type(x, SCALE), lax.convert_element_type(e, F32), lax.convert_element_type(e, jnp.bfloat16)), np.exp2(np.arange(-6, 7)).astype(F32), np.exp2(np.arange(-9, 9)).astype(SCALE), tol="exact", of="lax.convert_element_type")
    w.add("scale_ops", lambda a, b: (lax.mul(a, b), lax.max(a, b), lax.min(a, b), lax.lt(a, b), lax.eq(a, b)), np.exp2(np.arange(-6, 7)).astype(SCALE), np.exp2(np.arange(7, -6, -1)).astype(SCALE), tol="exact", of="lax.mul", reference=False)
    for d in SMALL:
        every = np.arange(1 << (4 if d.name.startswith("float4") else 8), dtype=np.uint8).view(d)
        w.add(f"every_{w_name(d)}", lambda x: (lax.convert_element_type(x, F32), lax.convert_element_type(x, jnp.bfloat16), lax.convert_element_type(x, jnp.float16)), every, tol="exact", of="lax.convert_element_type", reference=False)
    for d in SIX:
        every = np.arange(64, dtype=np.uint8).view(d)
        x, y = floats(30, 40, low=-8, high=8), floats(31, 16, low=-3, high=3).astype(d)
        z = y[::-1].copy()
        with np.errstate(over="ignore"):
            sums = [(y.astype(F32) + z.astype(F32)).astype(d), (y.astype(F32) * z.astype(F32)).astype(d), np.maximum(y.astype(F32), z.astype(F32)).astype(d)]
            w.add(f"convert_{w_name(d)}", lambda e, x, d=d: (lax.convert_element_type(e, F32), lax.convert_element_type(x, d), lax.convert_element_type(e, jnp.bfloat16)), every, x, outputs=[every.astype(F32), x.astype(d), every.astype(F32).astype(ml_dtypes.bfloat16)], tol="exact", of="lax.convert_element_type")
            w.add(f"arithmetic_{w_name(d)}", lambda y, z: (lax.add(y, z), lax.mul(y, z), lax.max(y, z), lax.lt(y, z)), y, z, outputs=[*sums, y.astype(F32) < z.astype(F32)], tol="exact", of="lax.add")


def w_name(dtype):
    from .writer import type_name

    return type_name(dtype).replace("complex<f32>", "c64").replace("complex<f64>", "c128").lower()


def bitcasts(w):
    groups = {
        8: [np.dtype(d) for d in ("int8", "uint8")] + SMALL[:-1],
        16: [np.dtype(d) for d in ("int16", "uint16", "float16", ml_dtypes.bfloat16)],
        32: [np.dtype(d) for d in ("int32", "uint32", "float32")],
        64: [np.dtype(d) for d in ("int64", "uint64", "float64")],
    }
    for bits, dtypes in groups.items():
        x = words(40, 10, dtype=np.dtype(f"uint{bits}"))
        w.add(f"bitcast_{bits}", lambda x, dtypes=dtypes: tuple(lax.bitcast_convert_type(lax.bitcast_convert_type(x, d), np.uint8 if d.itemsize == 1 else f"uint{8 * d.itemsize}") for d in dtypes) + tuple(lax.bitcast_convert_type(x, d) for d in dtypes if d.kind in "iu"), x, tol="exact", of="lax.bitcast_convert_type")
    w.add("bitcast_narrowing", lambda x, y, z: (lax.bitcast_convert_type(x, np.uint8), lax.bitcast_convert_type(y, np.uint32), lax.bitcast_convert_type(z, np.uint16), lax.bitcast_convert_type(x, jnp.bfloat16)), floats(40, 2, 3), floats(41, 3, dtype=F64), ints(42, 2, 2), tol="exact", of="lax.bitcast_convert_type", reference=False)
    w.add("bitcast_widening", lambda x, y: (lax.bitcast_convert_type(x, np.uint32), lax.bitcast_convert_type(y, np.float64), lax.bitcast_convert_type(x[:, :2], np.int16)), words(43, 3, 4, dtype=np.dtype("uint8")), np.array([[0, 0x3FF80000], [7, 0xC0590000]], np.uint32), tol="exact", of="lax.bitcast_convert_type", x64=True, reference=False)


def corners(w):
    integers = [np.dtype(d) for d in ("int8", "int32", "int64", "uint8", "uint32")]

    def by_zero(*xs):
        return tuple(f(x, y) for x, y in zip(xs[::2], xs[1::2]) for f in (lax.div, lax.rem))

    pairs = []
    for d in integers:
        low, high = np.iinfo(d).min, np.iinfo(d).max
        pairs += [np.array([7, 0, low, high, low], d), np.array([0, 0, 0, 0, -1 if low else 1], d)]
    w.add("div_by_zero", by_zero, *pairs, of="lax.div", note="x / 0 is all ones, x % 0 is x, min / -1 is min")

    def past_end(*xs):
        return tuple(f(x, y) for x, y in zip(xs[::2], xs[1::2]) for f in (lax.shift_left, lax.shift_right_logical, lax.shift_right_arithmetic))

    pairs = []
    for d in integers:
        pairs += [np.array([5, -5 if np.iinfo(d).min else 200, 1, 100, 3], d), np.array([8 * d.itemsize - 1, 8 * d.itemsize, 100, 8 * d.itemsize - 2, 0], d)]
    w.add("shift_past_end", past_end, *pairs, of="lax.shift_left", note="a shift by the width or more leaves zeros, or copies of the sign")
    for name, f in (("complex_parts", lambda x, y: (lax.complex(x, y), lax.real(lax.complex(x, y)), lax.imag(lax.complex(y, x)))),):
        for d in (F32, F64):
            w.add(f"{name}_{w_name(np.dtype(d))}", f, specials(np.dtype(d)), specials(np.dtype(d))[::-1], tol="exact", of="lax.complex")
    w.add("pow_integers", lambda x, n, b, m: (lax.pow(x, n), jnp.power(b, m), jnp.power(n, 3)), floats(50, 9, low=-2, high=2), ints(50, 9, low=-3, high=4), ints(51, 9, low=-4, high=5), ints(52, 9, low=0, high=6), tol="ulp", of="lax.pow")
    corner = np.array([0, -0.0, 1, -1, 2, -2, 0.5, np.inf, -np.inf, np.nan], F32)
    w.add("pow_corners", lambda x, y: lax.pow(x, y), np.repeat(corner, 10), np.tile(corner, 10), tol="ulp", of="lax.pow")
    w.add("atan2_corners", lambda x, y: lax.atan2(x, y), np.repeat(corner, 10), np.tile(corner, 10), tol="ulp", of="lax.atan2")
    w.add("maximum_corners", lambda x, y: (lax.max(x, y), lax.min(x, y), lax.rem(x, y), lax.add(x, y), lax.mul(x, y)), np.repeat(corner, 10), np.tile(corner, 10), tol="exact", of="lax.max")
    w.add("mulhi", lambda *xs: tuple(lax.mulhi(x, y) for x, y in zip(xs[::2], xs[1::2])), *[words(60 + i, 9, dtype=np.dtype(d)) for i, d in enumerate(("int32", "int32", "uint32", "uint32", "int64", "int64", "uint64", "uint64"))], of="lax.mulhi")
    for exponent, mantissa in ((5, 10), (8, 7), (4, 3), (5, 2), (8, 0), (3, 4)):
        x = np.concatenate([floats(55, 24, low=-9, high=9), floats(56, 8, low=-1e-3, high=1e-3), np.array([np.inf, -np.inf, np.nan, 0, -0.0, 7e4, -1e30, 470, 240], F32)])
        w.add(f"reduce_precision_e{exponent}m{mantissa}", lambda x, y, e=exponent, m=mantissa: (lax.reduce_precision(x, e, m), lax.reduce_precision(y, e, m)), x, x.astype(F64), tol="exact", of="lax.reduce_precision", reference=False)
    x = np.concatenate([floats(57, 24, low=-9, high=9, dtype=np.float16)])
    w.add("reduce_precision_halves", lambda x, y: (lax.reduce_precision(x, 4, 3), lax.reduce_precision(y, 4, 3)), x, x.astype(ml_dtypes.bfloat16), tol="exact", of="lax.reduce_precision", reference=False)


def special_functions(w):
    """What XLA has an op for, and what JAX writes as loops."""
    for d, digits in ((F32, "relative:1e-5"), (F64, "relative:1e-11")):
        s = w_name(np.dtype(d))
        a, b, x = floats(70, 8, low=0.3, high=5, dtype=d), floats(71, 8, low=0.4, high=4, dtype=d), floats(72, 8, low=0.05, high=0.95, dtype=d)
        n = np.array([1, 2, 3, 1, 4, 2, 5, 0], d)
        w.add(f"zeta_{s}", lambda a, b: lax.zeta(a + 1.5, b), a, b, tol=digits, of="lax.zeta")
        w.add(f"polygamma_{s}", lax_polygamma, n, b, tol=digits, of="lax.polygamma")
        w.add(f"igamma_{s}", lambda a, b: lax.igamma(a, b), a, b, tol=digits, of="lax.igamma")
        w.add(f"igammac_{s}", lambda a, b: lax.igammac(a, b), a, b, tol=digits, of="lax.igammac")
        w.add(f"igamma_grad_a_{s}", lambda a, b: lax.igamma_grad_a(a, b), a, b, tol="relative:1e-4" if d == F32 else "relative:1e-9", of="lax.igamma_grad_a")
        w.add(f"random_gamma_grad_{s}", lambda a, b: lax.random_gamma_grad(a, b), a, b, tol="relative:1e-4" if d == F32 else "relative:1e-9", of="lax.random_gamma_grad")
        w.add(f"betainc_{s}", lambda a, b, x: lax.betainc(a, b, x), a, b, x, tol="relative:1e-4" if d == F32 else digits, of="lax.betainc")
        w.add(f"ndtr_{s}", lambda x, y: (special.ndtr(x), special.ndtri(y), special.log_ndtr(x)), floats(73, 8, low=-4, high=4, dtype=d), x, tol="relative:1e-4" if d == F32 else digits, of="scipy.special.ndtr")
    a, b, x = floats(70, 8, low=0.3, high=5), floats(71, 8, low=0.4, high=4), floats(72, 8, low=0.05, high=0.95)
    w.add("scipy_f32", lambda a, b, x: (special.betaln(a, b), special.entr(x), special.expit(a), special.logit(x), special.xlogy(a, b), special.xlog1py(a, b), special.i0(b), special.i1(b), special.expi(b), special.kl_div(a, b), special.factorial(jnp.floor(b))), a, b, x, tol="relative:1e-5", of="scipy.special")
    w.add("nextafter_corners", lambda x, y: jnp.nextafter(x, y), np.array([0, 1, -1, np.inf, 3.4028235e38, np.nan, 1], F32), np.array([1, 2, 0, 0, np.inf, 1, 1], F32), tol="exact", of="jnp.nextafter", reference=False)
    w.add("sinc_and_others", lambda x: (jnp.sinc(x), jnp.deg2rad(x), jnp.hypot(x, 2 * x), jnp.logaddexp(x, -x), jnp.signbit(x), jnp.frexp(x + 3), jnp.ldexp(x, 3), jnp.copysign(x, -x), jnp.heaviside(x, 0.5), jnp.nan_to_num(x / 0), jnp.trunc(x), jnp.modf(x)), floats(74, 9, low=-3, high=3), of="jnp", reference=False)


def lax_polygamma(n, x):
    return lax.polygamma(n, x)


def add_all(w):
    unary_and_binary(w)
    select_and_clamp(w)
    conversions(w)
    bitcasts(w)
    corners(w)
    special_functions(w)

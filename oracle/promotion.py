"""The dtypes and values of the NumPy-like functions, for every dtype and for numbers beside arrays.

Writes `promotion.json`: for each case the function, its arguments and what JAX makes of them with 64-bit types enabled. An
argument is the name of a dtype, which stands for three fixed numbers of it, or a number.  A result is a dtype and values (NaN
and infinities as text, complex numbers as pairs), or null where JAX refuses; what JAX lacks by accident is left out.  What JAX
computes in a default type because a number asks for it (a weak type) is converted to the 32-bit default.  Running sums widen
like sums, as in NumPy.
"""

import warnings

import common
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

jax.config.update("jax_enable_x64", True)
warnings.simplefilter("ignore")

SIGNED, UNSIGNED = ["i8", "i16", "i32", "i64"], ["u8", "u16", "u32", "u64"]
FLOATS, COMPLEX = ["bf16", "f16", "f32", "f64"], ["c64", "c128"]
DTYPES = ["bool"] + SIGNED + UNSIGNED + FLOATS + COMPLEX
JAX_NAMES = {"bool": "bool", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}
JAX_NAMES |= {name: "int" + name[1:] for name in SIGNED} | {name: "uint" + name[1:] for name in UNSIGNED}
NAMES = {value: key for key, value in JAX_NAMES.items()}
KINDS = {"b": "bool", "i": "signed", "u": "unsigned", "f": "float", "V": "float", "c": "complex"}
FIRST = {"bool": [1, 0, 1], "signed": [5, -3, 2], "unsigned": [5, 3, 2], "float": [0.75, -1.5, 2.0], "complex": [1 + 2j, -0.5 + 0.25j, 3 - 1j]}
SECOND = {"bool": [0, 1, 1], "signed": [2, -2, 3], "unsigned": [2, 1, 3], "float": [0.5, -0.75, 1.5], "complex": [0.5 - 1j, 2 + 1j, -1 + 0.5j]}
NUMBERS = {"true": True, "3": 3, "0.5": 0.5, "1.5-2i": 1.5 - 2j}

UNARY = {
    "abs": jnp.abs, "sign": jnp.sign, "floor": jnp.floor, "ceil": jnp.ceil, "round": jnp.round, "exp": jnp.exp,
    "expm1": jnp.expm1, "log": jnp.log, "log1p": jnp.log1p, "sigmoid": jax.scipy.special.expit, "tanh": jnp.tanh,
    "sqrt": jnp.sqrt, "cbrt": jnp.cbrt, "sin": jnp.sin, "cos": jnp.cos, "tan": jnp.tan, "neg": lambda x: -x,
    "not": lambda x: ~x, "square": jnp.square, "is_finite": jnp.isfinite, "sum": jnp.sum, "prod": jnp.prod,
    "mean": jnp.mean, "var": jnp.var, "max": jnp.max, "min": jnp.min, "all": jnp.all, "any": jnp.any,
    "cumsum": lambda x: jnp.cumsum(x, dtype=jnp.sum(x).dtype), "cumprod": lambda x: jnp.cumprod(x, dtype=jnp.sum(x).dtype),
    "sort": jnp.sort, "logsumexp": jax.scipy.special.logsumexp, "real": jnp.real, "imag": jnp.imag, "conj": jnp.conj,
    "stop_gradient": jax.lax.stop_gradient, "truth": lambda x: x.astype(bool),
}
BINARY = {
    "add": jnp.add, "sub": jnp.subtract, "mul": jnp.multiply, "div": jnp.true_divide, "rem": jnp.remainder,
    "pow": jnp.power, "maximum": jnp.maximum, "minimum": jnp.minimum, "atan2": jnp.arctan2,
    "shift_left": jnp.left_shift, "shift_right": jnp.right_shift, "equal": jnp.equal, "lt": jnp.less, "ge": jnp.greater_equal,
    "where": lambda x, y: jnp.where(jnp.array([True, False, True]), x, y),
}
PROMOTING = ["add", "div", "where"]


def array(dtype, values):
    kind = KINDS[jnp.dtype(JAX_NAMES[dtype]).kind]
    return jnp.array(values[kind]).astype(JAX_NAMES[dtype])


def plain(x):
    if isinstance(x, complex):
        return [plain(x.real), plain(x.imag)]
    return repr(x) if isinstance(x, float) and not np.isfinite(x) else x


def result(f, args):
    try:
        y = f(*args)
    except (TypeError, ValueError):
        return None
    if y.weak_type and not all(isinstance(x, jax.Array) for x in args):
        y = y.astype({"int64": "int32", "float64": "float32", "complex128": "complex64"}.get(str(y.dtype), y.dtype))
    wide = {"c": complex, "f": float, "V": float, "b": bool}.get(y.dtype.kind, int)
    values = [plain(wide(x)) for x in np.asarray(y).reshape(-1)]
    return [NAMES[str(y.dtype)], values]


def main():
    cases = []
    for name, f in UNARY.items():
        lacking = {"round": ["bool"], "cbrt": COMPLEX}.get(name, [])
        cases += [[name, [d], result(f, [array(d, FIRST)])] for d in DTYPES if d not in lacking]
    for name, f in BINARY.items():
        pairs = [(a, b) for a in DTYPES for b in DTYPES if a == b or name in PROMOTING]
        # JAX takes the negative exponents of integers for large ones.
        pairs = [(a, b) for a, b in pairs if name != "pow" or a not in SIGNED]
        cases += [[name, [a, b], result(f, [array(a, FIRST), array(b, SECOND)])] for a, b in pairs]
        for d in DTYPES:
            for text, number in NUMBERS.items():
                cases.append([name, [d, text], result(f, [array(d, FIRST), number])])
    for text, number in NUMBERS.items():
        for other, second in NUMBERS.items():
            cases.append(["where", [text, other], result(BINARY["where"], [number, second])])
    common.save_json("promotion.json", cases, compact=True)


if __name__ == "__main__":
    main()

"""What JAX makes of the expressions in the tables of `crates/testing/tests/surface/`, and their gradients.

Writes `surface/TABLE.safetensors`, one for each table, or for those named as arguments; rows whose results are there already
are left as they are, unless `--all` is an argument. A row of a table is

    "names": "expression of JAX", slack => |x: kind<bound>(extents), ...| expression of Rust;

and the numbers of its arguments follow from the hash of the expression (`mod.rs` beside the tables says how). Keys are
`NAME:HASHES/CASE/I` for result I for the CASE-th dtypes, `.../dI` for the gradient of the weighted sum of the real parts of the
results by argument I, and `.../refused` where JAX refuses. 64-bit types are enabled; what JAX computes in a default type
because a number asks for it (a weak type) is converted to the 32-bit default.
"""

import pathlib
import re
import sys
import warnings

import common
import jax
import jax.numpy as jnp
import jax.experimental.layout
import jax.flatten_util
import jax.scipy as jsp
import numpy as np
from jax import lax, nn, ops, random
from jax._src.cudnn import scaled_matmul_stablehlo
from jax.experimental import jet, ode, sparse
from jax.numpy import fft, linalg
from jax.scipy.cluster.vq import vq
from jax.scipy.interpolate import RegularGridInterpolator
from jax.scipy.spatial.transform import Rotation, Slerp
from jax.scipy import optimize, special, stats
from safetensors.numpy import load_file

# JAX runs products of scaled blocks on GPUs only: this one does the same with `lax`, beneath JAX's own rounding and rules.
def scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, preferred_element_type=np.float32):
    wide = lambda x, s: x.astype("float32") * jnp.repeat(s.astype("float32"), x.shape[-1] // s.shape[-1], -1)
    return jnp.einsum("bmk,bnk->bmn", wide(lhs, lhs_scales), wide(rhs, rhs_scales)).astype(preferred_element_type)


scaled_matmul_stablehlo.scaled_matmul_wrapper = scaled_matmul
jax.config.update("jax_enable_x64", True)
warnings.simplefilter("ignore")

TABLES = pathlib.Path(__file__).resolve().parent.parent / "crates" / "testing" / "tests" / "surface"
ROW = re.compile(r'^\s*"([^"]+)":\s*"((?:[^"\\]|\\.)*)"\s*(?:,\s*[\d.e+-]+)?\s*=>\s*\|([^|]*)\|', re.M)
ARGUMENT = re.compile(r"(\w+):\s*(\w+)(?:<(\d+)>)?\s*\(([^)]*)\)")
KIND = re.compile(r'\("(\w+)", &\[([^\]]*)\]\)')
JAX_NAMES = {
    "bool": "bool", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
    "c128": "complex128", **{f"i{n}": f"int{n}" for n in (8, 16, 32, 64)}, **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
}
DEFAULTS = {"int64": "int32", "float64": "float32", "complex128": "complex64"}


def fnv(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def kinds():
    """The dtypes of each kind, as `mod.rs` lists them."""
    table = (TABLES / "mod.rs").read_text()
    return {name: [d.strip().split("::")[1].lower() for d in dtypes.split(",")] for name, dtypes in KIND.findall(table)}


KINDS = kinds()


def numbers(stream, dtype, bound, shape):
    """The numbers of an argument."""
    count = int(np.prod(shape, dtype=np.int64))
    words = common.bits(stream & 0xFFFFFFFF, 2 * count)
    kind = dtype[0] if dtype not in ("bf16", "bool") else {"bf16": "f", "bool": "b"}[dtype]
    if kind == "i":
        values = (words % np.uint64(2 * bound + 1)).astype(np.int64) - bound
    elif kind == "u":
        values = words % np.uint64(bound + 1)
    elif kind == "b":
        values = words % np.uint64(2)
    else:
        values = ((words >> np.uint64(40)).astype(np.float64) * 2.0**-24 - 0.5) * (2.0 * bound)
    if kind == "c":
        values = values[:count] + 1j * values[count:]
    return jnp.asarray(values[:count].reshape(shape)).astype(JAX_NAMES[dtype])


def leaves(result):
    """The arrays of a result; a Python scalar is an array of the default type."""
    arrays = []
    for leaf in jax.tree.leaves(result):
        weak = not hasattr(leaf, "dtype") or getattr(leaf, "weak_type", False)
        leaf = jnp.asarray(leaf)
        arrays.append(leaf.astype(DEFAULTS.get(str(leaf.dtype), leaf.dtype)) if weak else leaf)
    return arrays


def differentiable(dtype):
    return jnp.issubdtype(dtype, jnp.inexact)


def key_of(names, expression, arguments):
    """The name, the expression and the arguments of a row in goldens."""
    listed = ",".join(f"{kind}<{bound}>[{','.join(map(str, shape))}]" for _, kind, bound, shape in arguments)
    return f"{names.split()[0]}:{fnv(expression):08x}{fnv(listed):08x}"


def goldens(names, expression, arguments):
    code = compile(expression, expression, "eval")
    hashed = fnv(expression)
    found = {}
    lists = [KINDS.get(kind, [kind]) for _, kind, _, _ in arguments]
    for case in range(max(map(len, lists), default=1)):
        key = f"{key_of(names, expression, arguments)}/{case}"
        values = []
        for i, ((_, _, bound, shape), dtypes) in enumerate(zip(arguments, lists)):
            values.append(numbers(hashed + i, dtypes[case % len(dtypes)], bound, shape))

        def f(*values):
            bound = dict(zip([name for name, *_ in arguments], values))
            return leaves(eval(code, {**globals(), **bound}))  # noqa: S307: the expressions are ours

        try:
            results = f(*values)
        except (TypeError, ValueError, NotImplementedError):
            found[f"{key}/refused"] = np.zeros(0, np.uint8)
            continue
        for i, result in enumerate(results):
            found[f"{key}/{i}"] = np.asarray(result)
        inputs = [i for i, value in enumerate(values) if differentiable(value.dtype)]
        # In the narrow floats a gradient says little, and JAX's own is not near the truth.
        narrow = any(value.dtype.itemsize < 4 for value in values if differentiable(value.dtype))
        if not inputs or narrow or not any(differentiable(y.dtype) for y in results):
            continue

        def weighted(chosen):
            full = list(values)
            for i, value in zip(inputs, chosen):
                full[i] = value
            total = 0
            for i, y in enumerate(f(*full)):
                if differentiable(y.dtype):
                    name = next(k for k, v in JAX_NAMES.items() if v == str(y.dtype))
                    weights = numbers(hashed ^ 0x5EED ^ i, name, 1, y.shape)
                    total = total + jnp.sum(jnp.real(y * weights))
            return total

        try:
            gradients = jax.grad(weighted)([values[i] for i in inputs])
        except (TypeError, ValueError, NotImplementedError) as error:
            print(f"no gradient of {expression}: {str(error).splitlines()[0]}")
            continue
        for i, gradient in zip(inputs, gradients):
            found[f"{key}/d{i}"] = np.asarray(gradient)
    return found


def main():
    for path in sorted(TABLES.glob("*.rs")):
        wanted = [argument for argument in sys.argv[1:] if argument != "--all"]
        if path.stem == "mod" or wanted and path.stem not in wanted:
            continue
        name, found = f"surface/{path.stem}.safetensors", {}
        known = {}
        if "--all" not in sys.argv and (common.GOLDEN / name).exists():
            for key, tensor in load_file(common.GOLDEN / name).items():
                known.setdefault(key.split("/")[0], {})[key] = tensor
        for names, expression, arguments in ROW.findall(path.read_text()):
            parsed = [
                (argument, kind, int(bound or 4), tuple(int(n) for n in extents.split(",") if n.strip()))
                for argument, kind, bound, extents in ARGUMENT.findall(arguments)
            ]
            row = key_of(names, expression, parsed)
            if row in known:
                found |= known[row]
                continue
            try:
                found |= goldens(names, expression, parsed)
            except Exception as error:
                raise SystemExit(f"{path.name}: {expression}: {error!r}") from error
        common.save_tensors(name, found)


if __name__ == "__main__":
    main()

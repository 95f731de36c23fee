"""Lowers a function, runs it with JAX on CPU, measures how exact the result is, and keeps text and tensors."""

import contextlib
import re
import sys

import common
import jax
import ml_dtypes
import numpy as np

FOLDER = common.GOLDEN / "corpus"

# Without excess precision every op rounds to its type, as StableHLO says.
OPTIONS = {"xla_allow_excess_precision": False}

NAMES = {
    "bool": "i1",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
    "float4_e2m1fn": "f4E2M1FN",
    "float6_e2m3fn": "f6E2M3FN",
    "float6_e3m2fn": "f6E3M2FN",
    "float8_e3m4": "f8E3M4",
    "float8_e4m3": "f8E4M3",
    "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
}
WIDE = {"float64", "complex128", "int64", "uint64"}
# What a safetensors file holds under its own type; all else is bytes.
NATIVE = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64"}

ULP = {"f64": 8, "f32": 4, "complex<f32>": 8, "complex<f64>": 16}
RELATIVE = {"f64": 1e-12, "complex<f64>": 1e-12, "f32": 1e-5, "complex<f32>": 1e-5, "f16": 4e-3, "bf16": 2e-2}


def type_name(dtype):
    name = np.dtype(dtype).name
    if name in NAMES:
        return NAMES[name]
    return name.replace("uint", "ui").replace("int", "i")


def is_float(dtype):
    return jax.numpy.issubdtype(dtype, jax.numpy.inexact)


def stored(x):
    """An array as the tensors file holds it."""
    name = x.dtype.name
    if name in NATIVE:
        return x
    raw = np.frombuffer(np.ascontiguousarray(x).tobytes(), np.uint8)
    bits = {"int2": 2, "uint2": 2, "int4": 4, "uint4": 4, "float4_e2m1fn": 4, "float6_e2m3fn": 6, "float6_e3m2fn": 6}.get(name, 8)
    return raw & np.uint8((1 << bits) - 1)


def upcast(x):
    if not is_float(x.dtype):
        return x
    return x.astype(np.complex128 if np.issubdtype(x.dtype, np.complexfloating) else np.float64)


def spacing(value, dtype):
    """The distance of neighbours of `dtype` around |value|."""
    part = {"complex64": np.float32, "complex128": np.float64}.get(dtype.name, dtype)
    info = ml_dtypes.finfo(part)
    with np.errstate(divide="ignore"):
        exponent = np.floor(np.log2(np.abs(value)))
    return np.exp2(np.maximum(exponent, float(np.log2(float(info.smallest_normal)))) - info.nmant)


def measure(got, exact):
    """The largest error in units in the last place, and relative to the largest magnitude."""
    dtype = got.dtype
    wide = upcast(got)
    with np.errstate(all="ignore"):
        rounded = upcast(exact.astype(dtype))
    same = (wide == rounded) | (np.isnan(wide) & np.isnan(rounded))
    finite = np.isfinite(wide) & np.isfinite(exact)
    if not np.all(same | finite):
        return float("inf"), float("inf")
    if not np.any(finite) or np.all(same):
        return 0.0, 0.0
    error = np.abs(wide - exact)[finite & ~same]
    ulp = np.max(error / spacing(exact[finite & ~same], dtype))
    return float(ulp), float(np.max(error) / max(np.max(np.abs(wide[finite])), 1e-300))


def tolerance(kind, got, exact):
    """The text that says how near a result has to come, from the class asked for and JAX's own error."""
    name = type_name(got.dtype)
    if not is_float(got.dtype) or got.size == 0:
        return "exact"
    if ":" in kind:
        return kind if np.any(upcast(got)) else "exact"
    ulp, relative = measure(got, exact) if exact is not None else (0.0, 0.0)
    if kind == "exact":
        return "exact" if ulp == 0.0 else f"ulp:{int(np.ceil(ulp))}"
    if kind == "ulp":
        floor = ULP.get(name, 1)
        slack = 1 if floor == 1 else 3
        return f"ulp:{max(floor, int(np.ceil(ulp)) + slack)}" if ulp < 4096 else f"relative:{max(RELATIVE.get(name, 0.25), 4 * relative):.0e}"
    return f"relative:{max(RELATIVE.get(name, 0.25), 4 * relative):.0e}"


def paths_in(data):
    """What of this machine stands in the data: the checkout, the Python installation, or a source file."""
    places = (str(common.GOLDEN.parents[3]), sys.prefix, sys.base_prefix, "site-packages", '.py"')
    return [place for place in places if place.encode() in data]


def operations(module):
    found = set()

    def visit(op):
        name = op.operation.name
        found.add(f"{name}@{op.attributes['call_target_name'].value}" if name == "stablehlo.custom_call" else name)
        for region in op.operation.regions:
            for block in region.blocks:
                for inner in block.operations:
                    visit(inner)

    visit(module.operation)
    return sorted(found - {"builtin.module", "func.func", "func.return", "stablehlo.return", "sdy.return"})


def types_in(text):
    found = re.findall(r"tensor<(?:[0-9?]+x)*(complex<f\d+>|[a-z]+[0-9][A-Za-z0-9]*|token)", text)
    return sorted(set(found))


class Program:
    """A function with the arguments it was run with, kept for exports and other forms of the same program."""

    def __init__(self, name, function, inputs, x64):
        self.name, self.function, self.inputs, self.x64 = name, function, inputs, x64

    def lower(self, platform="cpu"):
        with self.scope():
            return jax.jit(self.function, keep_unused=True).trace(*self.inputs).lower(lowering_platforms=(platform,))

    def scope(self):
        return jax.enable_x64(self.x64)


class Writer:
    def __init__(self):
        self.index, self.tensors, self.programs, self.group = [], {}, {}, None

    def write(self, file, data):
        if found := paths_in(data):
            raise ValueError(f"{file} contains {found}")
        (FOLDER / file).write_bytes(data)

    def describe(self, arrays, tolerances=None):
        rows = [{"type": type_name(x.dtype), "shape": list(x.shape)} for x in arrays]
        for row, text in zip(rows, tolerances or []):
            row["tolerance"] = text
        return rows

    def keep(self, prefix, arrays):
        for i, x in enumerate(arrays):
            key = f"{prefix}/{i}"
            assert key not in self.tensors, key
            self.tensors[key] = stored(x)

    def add(self, name, function, *inputs, tol="relative", of=None, x64=None, platforms=("cpu",), outputs=None, note=None, reference=True, rounded=False):
        """Lowers `function` of `inputs` (trees of arrays) and keeps text, arguments and results.

        tol: exact, ulp, relative (widened to what JAX's own error asks for), or a fixed class such as `relative:1e-4`.
        rounded: results of narrow floats are those of f64, rounded once; XLA rounds after each step of its expansions.
        outputs: the results where JAX's CPU backend cannot run the program.
        """
        assert name not in self.programs, name
        inputs = jax.tree.map(np.asarray, inputs)
        flat = jax.tree.leaves(inputs)
        if x64 is None:
            x64 = any(x.dtype.name in WIDE for x in flat)
        function.__name__ = name
        program = Program(name, function, inputs, x64)
        note = [note] if note else []
        if outputs is None:
            with program.scope():
                compiled = program.lower().compile(compiler_options=OPTIONS)
                results = [np.asarray(x) for x in jax.tree.leaves(compiled(*inputs))]
        else:
            results = [np.asarray(x) for x in outputs]
            note.append("results by NumPy with ml_dtypes: JAX on CPU cannot run it")
        exact = [None] * len(results)
        if reference and outputs is None and any(is_float(x.dtype) and x.dtype.name not in WIDE for x in results):
            exact = self.reference(function, inputs, results)
        if rounded:
            with np.errstate(all="ignore"):
                results = [e.astype(r.dtype) if e is not None and r.dtype.itemsize == 1 else r for r, e in zip(results, exact)]
        tolerances = [tolerance(tol, got, want) for got, want in zip(results, exact)]
        if outputs is None:
            tolerances = self.steady(name, program, compiled, inputs, results, tolerances)
        if tol == "ulp":
            # f64 has no wider type to be measured with: it is given what the same op needs in f32.
            need = max([int(t[4:]) for r, t in zip(results, tolerances) if r.dtype.name in ("float32", "complex64") and t.startswith("ulp")], default=0)
            tolerances = [f"ulp:{max(int(t[4:]), need)}" if r.dtype.name in WIDE and t.startswith("ulp") else t for r, t in zip(results, tolerances)]
        self.keep(f"{name}/in", flat)
        self.keep(f"{name}/out", results)
        self.programs[name] = program
        for platform in platforms:
            lowered = program.lower(platform)
            text = lowered.as_text()
            full = name if platform == "cpu" else f"{name}_{platform}"
            self.write(f"{full}.mlir", text.encode())
            row = dict(name=full, file=f"{full}.mlir", format="text", group=self.group, of=of or name, tensors=name)
            if platform != "cpu":
                row["platform"] = platform
            row |= dict(inputs=self.describe(flat), outputs=self.describe(results, tolerances))
            row |= dict(ops=operations(lowered.compiler_ir()), types=types_in(text))
            if note:
                row["note"] = "; ".join(note)
            self.index.append(row)
        return self.index[-1]

    def steady(self, name, program, compiled, inputs, results, tolerances):
        """Widens tolerances that arguments off by a few units in the last place use up; fails where a result is chaotic."""
        if not any(t.startswith("relative") for t in tolerances):
            return tolerances

        def move(x):
            if x.dtype.name not in ("float32", "float64") or x.size == 0:
                return x
            step = 2.0 ** -(22 if x.dtype == np.float32 else 50)
            return (x * (1 + step * common.unit(5000, x.shape).astype(np.float64) * 2)).astype(x.dtype)

        with program.scope():
            moved = [np.asarray(x) for x in jax.tree.leaves(compiled(*jax.tree.map(move, inputs)))]
        wider = []
        for i, (got, want, text) in enumerate(zip(moved, results, tolerances)):
            if text.startswith("relative"):
                a, b = upcast(got), upcast(want)
                finite = np.isfinite(a) & np.isfinite(b)
                with np.errstate(invalid="ignore"):
                    off = np.max(np.abs(a - b), where=finite, initial=0) / max(np.max(np.abs(b), where=finite, initial=0), 1e-300)
                if off > 5e-3:
                    raise ValueError(f"{name}: result {i} moves by {off:.1e}")
                if off > 0.3 * float(text.split(":")[1]):
                    text = f"relative:{4 * off:.0e}"
            wider.append(text)
        return wider

    def reference(self, function, inputs, results):
        """The same function of the same numbers in f64, where its types follow from those of its arguments."""
        with contextlib.suppress(Exception), jax.enable_x64(True):
            wide = jax.tree.map(upcast, inputs)
            exact = [np.asarray(x) for x in jax.tree.leaves(jax.jit(function)(*wide))]
            return [e if e.dtype == upcast(r).dtype and e.shape == r.shape else None for e, r in zip(exact, results)]
        return [None] * len(results)

    def gradient(self, name, function, *inputs, wrt=None, tol="relative", of=None, x64=None):
        """A forward program with a cotangent for each inexact result, and JAX's vjp of the arguments `wrt` (flat positions)."""
        row = self.add(name, function, *inputs, tol=tol, of=of, x64=x64)
        program = self.programs[name]
        flat, tree = jax.tree.flatten(program.inputs)
        wrt = [i for i, x in enumerate(flat) if is_float(x.dtype)] if wrt is None else list(wrt)

        def restricted(chosen, rest):
            rest = list(rest)
            for i, x in zip(wrt, chosen):
                rest[i] = x
            results = jax.tree.leaves(function(*jax.tree.unflatten(tree, rest)))
            return [x for x in results if is_float(x.dtype)]

        def pull(chosen, rest, cts):
            return jax.vjp(lambda chosen: restricted(chosen, rest), chosen)[1](list(cts))[0]

        results = [self.tensors_of(row, "outputs", i) for i in range(len(row["outputs"]))]
        floating = [i for i, x in enumerate(results) if is_float(x.dtype)]
        cts = []
        for k, i in enumerate(floating):
            ct = common.unit(4000 + k, results[i].shape) + np.float32(1)
            if np.issubdtype(results[i].dtype, np.complexfloating):
                ct = ct + 1j * common.unit(4100 + k, results[i].shape)
            cts.append(ct.astype(results[i].dtype))
        with program.scope():
            grads = [np.asarray(x) for x in jax.jit(pull).lower([flat[i] for i in wrt], flat, cts).compile(compiler_options=OPTIONS)([flat[i] for i in wrt], flat, cts)]
        exact = [None] * len(grads)
        with contextlib.suppress(Exception), jax.enable_x64(True):
            wide = [upcast(x) for x in flat]
            exact = [np.asarray(x) for x in jax.jit(pull)([wide[i] for i in wrt], wide, [upcast(x) for x in cts])]
        assert all(np.all(np.isfinite(upcast(g))) for g in grads), name
        tolerances = [tolerance(tol, g, e if e is not None and e.dtype == upcast(g).dtype else None) for g, e in zip(grads, exact)]
        self.keep(f"{name}/ct", cts)
        self.keep(f"{name}/grad", grads)
        row["gradient"] = {"of": floating, "wrt": wrt, "tolerances": tolerances}

    def tensors_of(self, row, side, i):
        """A kept tensor with its true type."""
        kind, description = {"inputs": "in", "outputs": "out"}[side], row[side][i]
        raw = self.tensors[f"{row['tensors']}/{kind}/{i}"]
        back = {type_name(d): np.dtype(d) for d in [*NAMES, "int2", "int4", "uint2", "uint4", *NATIVE]}
        dtype = back[description["type"]]
        return raw if raw.dtype == dtype else raw.view(dtype).reshape(description["shape"])

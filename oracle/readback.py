"""Reads back with JAX what Jarrah wrote, runs it on CPU and compares.

    readback.py FOLDER [--corpus crates/testing/tests/golden/corpus]

FOLDER holds `.mlir` (StableHLO text), `.mlirbc` (portable artifacts or plain bytecode) and `.jax_export` files. The arguments
and expected results of `x.mlir` are those of the corpus entry whose file is called the same up to the ending or, if there are
such files, `x.inputs.safetensors` and `x.outputs.safetensors` with tensors "0", "1", ... A file without arguments is parsed and
compiled only; one that JAX's CPU client cannot run is parsed and verified. Prints a line for each file; exits with 1 if one failed, with 2 if there was nothing to read.
"""

import argparse
import pathlib
import sys

import common
import jax
import ml_dtypes
import numpy as np
from safetensors.numpy import load_file

jax.config.update("jax_enable_x64", True)

from corpus.writer import NAMES, NATIVE, OPTIONS, is_float, spacing, type_name, upcast  # noqa: E402
from jax import export  # noqa: E402
from jax._src import compiler, xla_bridge  # noqa: E402
from jax._src.interpreters import mlir  # noqa: E402
from jax._src.lib import _jax, xla_client  # noqa: E402
from jaxlib import lapack  # noqa: E402

lapack.prepare_lapack_call("potrf_ffi", np.dtype(np.float32))  # loads the kernels that custom calls name

DTYPES = {type_name(d): np.dtype(d) for d in [*NAMES, "int2", "int4", "uint2", "uint4", *NATIVE]}
ENDINGS = (".mlir", ".mlirbc", ".jax_export")


class Corpus:
    def __init__(self, folder):
        rows = common.json.loads((folder / "index.json").read_text())
        self.rows = {}
        for row in rows:
            self.rows.setdefault(pathlib.Path(row["file"]).stem, []).append(row)
        self.tensors = load_file(folder / "corpus.safetensors")

    def arrays(self, row, side):
        out = []
        for i, description in enumerate(row[side + "puts"]):
            x, dtype = self.tensors[f"{row['tensors']}/{side}/{i}"], DTYPES[description["type"]]
            out.append(x if x.dtype == dtype else x.view(dtype).reshape(description["shape"]))
        return out

    def cases(self, stem):
        """(arguments, results, tolerances, whether the CPU cannot run it) of every entry of this name."""
        for row in self.rows.get(stem, []):
            yield self.arrays(row, "in"), self.arrays(row, "out"), [o["tolerance"] for o in row["outputs"]], "platform" in row or "JAX on CPU cannot" in row.get("note", "")


def numbered(path):
    tensors = load_file(path)
    return [tensors[str(i)] for i in range(len(tensors))]


def cases_of(path, corpus):
    inputs, outputs = path.with_suffix(".inputs.safetensors"), path.with_suffix(".outputs.safetensors")
    if inputs.exists():
        results = numbered(outputs) if outputs.exists() else None
        return [(numbered(inputs), results, [None] * len(results or []), False)]
    return list(corpus.cases(path.stem)) if corpus else []


def difference(got, want, tolerance):
    """None, or a sentence."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{type_name(got.dtype)}{list(got.shape)} in place of {type_name(want.dtype)}{list(want.shape)}"
    tolerance = tolerance or ("relative:1e-05" if is_float(want.dtype) else "exact")
    a, b = (upcast(x) if is_float(want.dtype) else x for x in (got, want))
    same = (a == b) | ((a != a) & (b != b))
    if np.all(same):
        return None
    if tolerance == "exact":
        return f"{np.sum(~same)} of {same.size} elements differ"
    finite = np.isfinite(a) & np.isfinite(b)
    if not np.all(finite | same):
        return "infinities or NaN differ"
    kind, bound = tolerance.split(":")
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.where(same, 0, np.abs(a - b)) / (spacing(b, want.dtype) if kind == "ulp" else np.max(np.abs(b[finite])))
    worst = np.max(error, where=~same, initial=0)
    return None if worst <= float(bound) else f"off by {kind} {worst:.3g}, tolerance {bound}"


def parse(data):
    """A module, from text, from a portable artifact or from plain bytecode."""
    if not data.startswith(b"ML\xefR"):
        return mlir.ir.Module.parse(data.decode())
    try:
        return _jax.mlir.deserialize_portable_artifact(data)
    except Exception:
        return mlir.ir.Module.parse(data)


def run_module(data, inputs):
    """Parses, verifies and compiles; the results, or None without arguments."""
    backend = xla_bridge.get_backend("cpu")
    devices = backend.local_devices()[:1]
    with mlir.make_ir_context():
        module = parse(data)
        if inputs is not None:
            module = refined(module, inputs)
        elif "?" in str(module.body.operations[0]).split("{", 1)[0]:
            return None
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1, device_assignment=np.array([[0]]), env_options_overrides=OPTIONS)
        options.executable_build_options.use_spmd_partitioning = True
        options.executable_build_options.use_shardy_partitioner = True
        executable = compiler.backend_compile_and_load(backend, module, xla_client.DeviceList(tuple(devices)), options, [])
    if inputs is None:
        return None
    results = executable.execute_sharded([jax.device_put(x, devices[0]) for x in inputs])
    return [np.asarray(x[0]) for x in results.disassemble_into_single_device_arrays()]


def refined(module, inputs):
    """The module at the shapes of the arguments, where it has dynamic ones: a new main converts and calls the old one."""
    text = str(module)
    if "?" not in text:
        return module
    main = next(f for f in module.body.operations if f.operation.name == "func.func" and f.attributes["sym_name"].value == "main")
    function = main.attributes["function_type"].value
    wanted, results = [str(t) for t in function.inputs], [str(t) for t in function.results]
    given = [f"tensor<{''.join(f'{n}x' for n in x.shape)}{type_name(x.dtype)}>" for x in inputs]
    lines = [f"%c{i} = stablehlo.convert %a{i} : ({g}) -> {t}" for i, (g, t) in enumerate(zip(given, wanted))]
    lines.append(f"%r:{len(results)} = func.call @dynamic_main({', '.join(f'%c{i}' for i in range(len(wanted)))}) : ({', '.join(wanted)}) -> ({', '.join(results)})")
    lines.append(f"func.return {', '.join(f'%r#{i}' for i in range(len(results)))} : {', '.join(results)}")
    head = f"func.func public @main({', '.join(f'%a{i}: {g}' for i, g in enumerate(given))}) -> ({', '.join(results)})"
    text = text.replace("func.func public @main(", "func.func private @dynamic_main(").rstrip().removesuffix("}")
    return mlir.refine_polymorphic_shapes(mlir.ir.Module.parse("\n".join([text, head, "{", *lines, "}", "}"])))


def run_export(data, inputs):
    exported = export.deserialize(bytearray(data))
    if inputs is None:
        return None
    arguments, named = jax.tree.unflatten(exported.in_tree, inputs)
    return [np.asarray(x) for x in jax.tree.leaves(exported.call(*arguments, **named))]


def check(path, corpus):
    data = path.read_bytes()
    run = run_export if path.suffix == ".jax_export" else run_module
    cases = cases_of(path, corpus)
    if any(foreign for *_, foreign in cases):
        with mlir.make_ir_context():
            parse(data).operation.verify()
        return "read", None
    if not cases:
        run(data, None)
        return "read", None
    for inputs, outputs, tolerances, _ in cases:
        results = run(data, inputs)
        if outputs is None:
            return "ran", None
        if len(results) != len(outputs):
            return "FAIL", f"{len(results)} results in place of {len(outputs)}"
        for i, (got, want, tolerance) in enumerate(zip(results, outputs, tolerances)):
            if text := difference(got, want, tolerance):
                return "FAIL", f"result {i}: {text}"
    return "equal", None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--corpus", type=pathlib.Path)
    options = parser.parse_args()
    corpus = Corpus(options.corpus) if options.corpus else None
    files = sorted(p for p in options.folder.iterdir() if p.suffix in ENDINGS)
    counts = {}
    for path in files:
        try:
            outcome, text = check(path, corpus)
        except Exception as error:
            outcome, text = "FAIL", f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        counts[outcome] = counts.get(outcome, 0) + 1
        print(f"{outcome:6} {path.name}" + (f"   {text}" if text else ""), flush=True)
    print(len(files), "files:", ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items())))
    sys.exit(2 if not files else 1 if "FAIL" in counts else 0)


if __name__ == "__main__":
    main()

"""The corpus: programs lowered from JAX over every op and element type, with arguments, results and gradients.

Writes `corpus/`: texts (`.mlir`), bytecode (`.mlirbc`), exports (`.jax_export`), `index.json` and the tensors; see README.md.
"""

import importlib
import sys

import common
import jax
from jaxlib.mlir.dialects import _chlo_ops_gen, _stablehlo_ops_gen

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*")

from corpus import writer  # noqa: E402

GROUPS = ["elementwise", "movement", "contractions", "control", "linalg", "library", "models", "gradients", "exports"]

# Ops of the dialects that JAX never writes, or not for one device without callbacks.
NOT_WRITTEN = {
    "stablehlo": "all_to_all async_done async_start batch_norm_grad batch_norm_inference batch_norm_training broadcast cross-replica-sum dot einsum get_tuple_element if infeed logistic map outfeed recv replica_id return send set_dimension_size torch_index_select tuple unary_einsum uniform_dequantize uniform_quantize",
    "chlo": "_asin_acos_kernel constant constant_like is_inf is_neg_inf is_pos_inf scan tan",
}


def missing(used):
    """Ops of both dialects that no program has, but for those that JAX does not write."""
    names = {c.OPERATION_NAME for module in (_chlo_ops_gen, _stablehlo_ops_gen) for c in vars(module).values() if hasattr(c, "OPERATION_NAME")}
    skipped = {f"{dialect}.{name}" for dialect, text in NOT_WRITTEN.items() for name in text.split()}
    return sorted(n for n in names - skipped - {u.split("@")[0] for u in used} if not n.startswith("chlo.broadcast_"))


def main():
    groups = sys.argv[1:] or GROUPS
    writer.FOLDER.mkdir(parents=True, exist_ok=True)
    for old in writer.FOLDER.iterdir():
        old.unlink()
    w = writer.Writer()
    for group in groups:
        w.group = group
        before = len(w.index)
        importlib.import_module(f"corpus.{group}").add_all(w)
        print(f"{group}: {len(w.index) - before}", flush=True)
    lines = ",\n".join(common.json.dumps(row, separators=(",", ":")) for row in w.index)
    w.write("index.json", f"[\n{lines}\n]\n".encode())
    common.save_tensors("corpus/corpus.safetensors", w.tensors)
    used = sorted({op for row in w.index for op in row.get("ops", ())})
    types = sorted({t for row in w.index for t in row.get("types", ())})
    print(len(w.index), "entries,", sum(p.stat().st_size for p in writer.FOLDER.iterdir()), "bytes;", len(used), "ops,", len(types), "element types")
    print(*used)
    print(*types)
    if groups == GROUPS and missing(used):
        sys.exit(f"no program has {missing(used)}")


if __name__ == "__main__":
    main()

"""Other forms of programs of the corpus: `jax.export` artifacts, dynamic shapes, and bytecode at several versions."""

import contextlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jaxlib.mlir.dialects import stablehlo

from .values import F32, I32, floats, ints
from .writer import operations, types_in

ARTIFACTS = [
    "add_real", "sort_i4", "every_f8e4m3fn", "bitcast_64", "mul_complex", "lgamma_real", "dot_bf16_f32", "dot_batched", "conv_2d_groups", "reduce_several", "cumsum", "reduce_window_pools",
    "sort_several", "top_k_f32", "gather_fill", "scatter_add", "while_collatz", "scan_rnn_grad", "switch_1", "jit_nested", "composite_nested", "shard_map_psum", "sharding_constraint", "random_normal_f32", "random_rbg",
    "cholesky_f32", "eigh_f64", "svd_c64", "fft_8", "optimization_barrier", "custom_vjp", "transformer_1_adamw", "lstm_step", "optax_adam", "conv_net_predict",
]  # fmt: skip

# Artifacts hold trees of lists, tuples and dictionaries of text only: these functions take and return flat lists.
FLAT = {"transformer_1_adamw", "lstm_step", "optax_adam"}

PORTABLE = [
    "add_real", "add_small", "abs_complex", "exp_real", "cbrt_real", "clamp_unsigned", "not_bool", "popcnt_signed", "shift_left_signed", "round_even_real", "reduce_precision_e5m10", "complex_parts_f32", "convert_bf16", "convert_f4e2m1fn", "every_f8e3m4", "bitcast_narrowing", "constants_every_type", "iota_every_type",
    "empty_arrays", "reshape_many", "transpose_many", "broadcast_many", "reverse_many", "slice_many", "pad_many", "dynamic_slice_clamps", "dynamic_update_clamps", "gather_clip", "gather_batching_explicit", "scatter_blocks", "scatter_batching_explicit", "dot_many_dims", "dot_precisions",
    "dot_algorithm_bf16", "conv_2d_both_dilated", "conv_3d", "reduce_f32", "reduce_several", "reduce_window_dilated", "select_and_scatter_add", "sort_several", "while_nested", "cond_nested", "switch_2", "scan_nested", "jit_deep", "composite", "optimization_barrier", "rng_bit_generator_philox",
    "fft_3d", "triangular_solve_f32", "tokens", "shard_map_all_gather", "shard_map_ppermute", "sharding_constraint", "optax_adamw", "conv_net_momentum",
]  # fmt: skip

BYTECODE = ["add_real", "top_k_f32", "lgamma_real", "composite", "sharding_constraint", "shard_map_psum", "scan_rnn", "gather_fill", "conv_2d", "cholesky_f32"]

VERSIONS = ["0.9.0", "0.14.0", "0.20.0", "1.0.0", "1.8.0", "1.17.0"]


@contextlib.contextmanager
def calling_convention(version):
    before = jax.config.jax_export_calling_convention_version
    jax.config.update("jax_export_calling_convention_version", version)
    yield
    jax.config.update("jax_export_calling_convention_version", before)


def row_of(w, name):
    return next(row for row in w.index if row["name"] == name)


def artifacts(w):
    for k, name in enumerate(ARTIFACTS):
        program, row = w.programs[name], row_of(w, name)
        function, inputs = program.function, program.inputs
        if name in FLAT:
            inputs, tree = jax.tree.flatten(inputs)
            function = lambda *flat, f=program.function, tree=tree: jax.tree.leaves(f(*jax.tree.unflatten(tree, flat)))
        for version in (10, 9) if k % 5 == 0 else (10,):
            with program.scope(), calling_convention(version):
                exported = export.export(jax.jit(function, keep_unused=True), platforms=("cpu", "tpu", "cuda") if name == "dot_batched" else None)(*inputs)
            full = f"export_{name}" + ("" if version == 10 else f"_{version}")
            w.write(f"{full}.jax_export", bytes(exported.serialize(vjp_order=1 if name in ("jit_nested", "dot_batched") else 0)))
            w.index.append(dict(name=full, file=f"{full}.jax_export", format="export", group=w.group, of=row["of"], tensors=name, calling_convention=version, inputs=row["inputs"], outputs=row["outputs"]))


def portable(w):
    for k, name in enumerate(PORTABLE):
        program, row = w.programs[name], row_of(w, name)
        module = program.lower().compiler_ir()
        with module.context:
            text = str(module)
        mixed = any(dialect in text for dialect in ("chlo.", "sdy."))
        first = True
        for version in VERSIONS:
            if not first and version not in (VERSIONS[k % 5], VERSIONS[-1]):
                continue
            try:
                data = stablehlo.serialize_portable_artifact(module, version, True) if mixed else stablehlo.serialize_portable_artifact(module, version)
            except ValueError:
                continue
            first = False
            full = f"portable_{name}_{version}"
            w.write(f"{full}.mlirbc", data)
            w.index.append(dict(name=full, file=f"{full}.mlirbc", format="portable", group=w.group, of=row["of"], tensors=name, version=version, inputs=row["inputs"], outputs=row["outputs"]))
    for name in BYTECODE:
        program, row = w.programs[name], row_of(w, name)
        w.write(f"bytecode_{name}.mlirbc", mlir.module_to_bytecode(program.lower().compiler_ir()))
        w.index.append(dict(name=f"bytecode_{name}", file=f"bytecode_{name}.mlirbc", format="bytecode", group=w.group, of=row["of"], tensors=name, inputs=row["inputs"], outputs=row["outputs"]))


def polymorphic(w):
    """Programs with symbolic dimensions, each run at two sets of sizes."""

    def attention(q, k, v):
        s = jnp.einsum("btd,bsd->bts", q, k) / 2
        s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -jnp.inf)
        return jax.nn.softmax(s, -1) @ v

    table = [
        ("mlp", lambda x, a, b: jax.nn.gelu(x @ a) @ b, ["n, 4", "4, 6", "6, 3"], lambda s: (floats(1, s, 4), floats(2, 4, 6), floats(3, 6, 3)), (2, 5)),
        ("attention", attention, ["b, t, 4"] * 3, lambda s: tuple(floats(4 + i, s, s + 2, 4) for i in range(3)), (1, 3)),
        ("convolution", lambda x, k: lax.reduce_window(lax.conv_general_dilated(x, k, (1, 1), "SAME"), F32(-np.inf), lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID"), ["b, 2, h, h", "3, 2, 3, 3"], lambda s: (floats(7, s, 2, s + 2, s + 2), floats(8, 3, 2, 3, 3)), (2, 4)),
        ("shapes", lambda x: (x.reshape(-1), x[1:], x[::-1].T, jnp.concatenate([x, x * 2]), jnp.pad(x, ((1, 0), (0, 2))), jnp.broadcast_to(x, (2, *x.shape)), jnp.arange(x.shape[0]), x.sum(0), x.mean()), ["n, m"], lambda s: (floats(9, s, s + 1),), (3, 6)),
        ("dynamic_ops", lambda x: (x[: x.shape[0] // 2 + 1], jnp.pad(x, ((0, x.shape[0]), (x.shape[0], 0))), lax.conv_general_dilated(x[None, None], jnp.ones((1, 1, 3, 3), F32), (2, 2), "SAME"), x[x.shape[0] - 2 :], jnp.roll(x, x.shape[0] - 1, 0)), ["n, n"], lambda s: (floats(18, s, s),), (3, 6)),
        ("gather", lambda x, i: (x[i], jnp.take_along_axis(x, i[:, None], 0), x.at[i].add(1.0), lax.dynamic_slice(x, (i[0], 0), (2, 3))), ["n, 3", "k"], lambda s: (floats(10, s, 3), ints(11, s - 1, low=0, high=s)), (4, 7)),
        ("scan", lambda m, xs: lax.scan(lambda h, x: (jnp.tanh(h @ m + x), h.sum()), jnp.zeros(4, F32), xs), ["4, 4", "t, 4"], lambda s: (floats(12, 4, 4), floats(13, s, 4)), (2, 5)),
        ("sort", lambda x: (jnp.sort(x, 0), jnp.cumsum(x, 1), jnp.argmax(x, 0), jnp.linspace(0.0, 1.0, 5) * x.shape[0]), ["n, 3"], lambda s: (floats(14, s, 3),), (3, 8)),
        ("constraint", lambda x, y: jnp.concatenate([x, y[: x.shape[0]]]) * (x.shape[0] // 2), ["n", "2*n + 1"], lambda s: (floats(15, s), floats(16, 2 * s + 1)), (3, 4)),
        ("iota", lambda x: (x + jnp.arange(x.shape[0], dtype=F32)[:, None], jnp.eye(x.shape[0], dtype=F32) @ x, jnp.ones((x.shape[0] * 2, 1), F32)), ["n, 2"], lambda s: (floats(17, s, 2),), (2, 3)),
    ]
    for name, function, shapes, make, sizes in table:
        function.__name__ = f"poly_{name}"
        scope = export.SymbolicScope(("n >= 2",) if name in ("gather", "dynamic_ops") else ())
        arguments = [jax.ShapeDtypeStruct(export.symbolic_shape(s, scope=scope), x.dtype) for s, x in zip(shapes, make(sizes[0]))]
        for version in (10, 9) if name in ("mlp", "shapes") else (10,):
            with calling_convention(version):
                exported = export.export(jax.jit(function))(*arguments)
            full = f"poly_{name}" + ("" if version == 10 else f"_{version}")
            w.write(f"{full}.jax_export", bytes(exported.serialize()))
            with mlir.make_ir_context():
                text = exported.mlir_module(serialized=False).operation.get_asm(enable_debug_info=False)
            if version == 10:
                w.write(f"{full}.mlir", text.encode())
            for size in sizes:
                inputs = make(size)
                results = [np.asarray(x) for x in jax.tree.leaves(exported.call(*inputs))]
                prefix = f"poly_{name}_{size}"
                if version == 10:
                    w.keep(f"{prefix}/in", inputs)
                    w.keep(f"{prefix}/out", results)
                outputs = w.describe(results, ["exact" if x.dtype.kind in "iub" else "relative:1e-05" for x in results])
                row = dict(group=w.group, of="jax.export", tensors=prefix, symbolic=shapes, inputs=w.describe(inputs), outputs=outputs)
                w.index.append(dict(name=f"export_{full}_{size}", file=f"{full}.jax_export", format="export", calling_convention=version, **row))
                if version == 10:
                    with mlir.make_ir_context():
                        w.index.append(dict(name=prefix, file=f"{full}.mlir", format="text", **row, ops=operations(mlir.ir.Module.parse(text)), types=types_in(text)))


def add_all(w):
    artifacts(w)
    portable(w)
    polymorphic(w)

"""Data movement: shapes, slices, gathers and scatters of every mode."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from .values import BF16, BOOL, COMPLEX, F16, F32, F64, I32, I64, REAL, SCALE, SIGNED, SMALL, UNSIGNED, bools, complexes, floats, ints, words

MODES = {"clip": lax.GatherScatterMode.CLIP, "fill": lax.GatherScatterMode.FILL_OR_DROP, "promise": lax.GatherScatterMode.PROMISE_IN_BOUNDS}


def of_type(stream, d, *shape):
    if d == BOOL:
        return bools(stream, *shape)
    if d in SIGNED or d in UNSIGNED:
        return words(stream, *shape, dtype=d)
    if d in COMPLEX:
        return complexes(stream, *shape, dtype=d)
    if d == SCALE:
        return np.exp2(ints(stream, *shape)).astype(d)
    return floats(stream, *shape, low=-3, high=3, dtype=d)


def every_type(w):
    """The ops that only move elements, for each element type."""
    for i, d in enumerate([BOOL, *SIGNED, *UNSIGNED, *REAL, *SMALL, SCALE, *COMPLEX]):
        from .elementwise import w_name

        x, y = of_type(20 + i, d, 3, 4), of_type(60 + i, d, 3, 4)
        zero = np.ones((), d)

        def move(x, y, zero, k):
            return (
                x.reshape(2, 6), x.T, lax.rev(x, (1,)), x[1:, ::2], jnp.concatenate([x, y], 0),
                lax.broadcast_in_dim(x, (2, 3, 4), (1, 2)), lax.dynamic_slice(x, (k, k), (2, 2)),
                lax.dynamic_update_slice(x, y[:1, :2], (k, k)), lax.select(x == y, x, y),
            )  # fmt: skip

        outputs = None
        if d in SIGNED[:2] + UNSIGNED[:2] + SMALL[-1:]:
            wide = {"i": np.int8, "u": np.uint8, "f": F32}[d.name[0]]
            outputs = [np.asarray(r).astype(d) for r in jax.jit(move)(x.astype(wide), y.astype(wide), zero.astype(wide), 1)]
        w.add(f"move_{w_name(d)}", move, x, y, zero, I32(1), tol="exact", of="lax.reshape", x64=True, reference=False, outputs=outputs)
        if outputs is not None or d == SCALE:
            continue

        def index(x, y, zero, i):
            return lax.pad(x, zero, [(1, -1, 1), (-1, 2, 0)]), x[i], x.at[i].set(y[: i.shape[0]])

        w.add(f"index_{w_name(d)}", index, x, y, zero, np.array([2, 0, 1], I32), tol="exact", of="lax.gather", x64=True, reference=False)


def constants(w):
    def all_types():
        out = []
        for d in [BOOL, *SIGNED, *UNSIGNED, *REAL, *SMALL, SCALE, *COMPLEX]:
            out.append(jnp.asarray(of_type(1, d, 2, 3)))
            out.append(lax.full((2, 2), np.ones((), d)[()]))
        return tuple(out)

    w.add("constants_every_type", all_types, tol="exact", of="constant", x64=True, reference=False)
    w.add("constants_special", lambda: tuple(jnp.asarray(np.array([np.inf, -np.inf, np.nan, -0.0, 1e-3], F64).astype(d)) for d in REAL) + (jnp.asarray(np.array([complex(np.nan, np.inf), complex(-0.0, 1)], np.complex64)),), tol="exact", of="constant", x64=True, reference=False)
    w.add("constants_large", lambda x: (x + jnp.asarray(floats(2, 16, 8)), jnp.asarray(ints(2, 64))), F32(1), tol="exact", of="constant")

    def iotas():
        ordinary = [*SIGNED[1:], *UNSIGNED[1:], *REAL, *COMPLEX]
        return tuple(lax.broadcasted_iota(d, (3, 4), k) for d in ordinary for k in (0, 1))

    w.add("iota_every_type", iotas, tol="exact", of="lax.iota", x64=True, reference=False)
    w.add("arange_linspace_eye", lambda: (jnp.arange(2, 11, 3), jnp.linspace(0, 1, 5, dtype=jnp.float32), jnp.eye(3, 4, 1), jnp.tri(3), jnp.logspace(0, 2, 4), jnp.identity(2, jnp.complex64)), of="jnp.arange", reference=False)
    w.add("empty_arrays", lambda x, y: (jnp.concatenate([x, y]), x.sum(0), x.T @ x, x * 2, lax.pad(x, F32(0), [(1, 1, 0), (0, 0, 0)])), np.zeros((0, 3), F32), floats(3, 2, 3), tol="exact", of="lax.concatenate")
    w.add("scalars", lambda x, y: (x + y, x.reshape(1, 1), lax.broadcast_in_dim(x, (2, 2), ()), jnp.stack([x, y])), F32(1.5), F32(-2), tol="exact", of="lax.broadcast_in_dim")


def shapes(w):
    c = floats(4, 2, 3, 4)
    w.add("reshape_many", lambda c: (c.reshape(24), c.reshape(4, 6), c.reshape(2, 1, 12, 1), c.reshape(6, 4).T.reshape(3, 8), jnp.squeeze(c[:1]), jnp.expand_dims(c, (0, 2)), lax.collapse(c, 1)), c, tol="exact", of="lax.reshape")
    w.add("transpose_many", lambda c: (c.transpose(2, 0, 1), c.transpose(1, 0, 2), c.transpose(2, 1, 0), jnp.moveaxis(c, 0, -1), jnp.swapaxes(c, 1, 2)), c, tol="exact", of="lax.transpose")
    w.add("broadcast_many", lambda v, c: (lax.broadcast_in_dim(v, (2, 3, 4), (2,)), lax.broadcast_in_dim(c[:, :1], (2, 3, 4), (0, 1, 2)), jnp.broadcast_to(c, (2, 2, 3, 4)), lax.broadcast(v, (2, 2))), floats(5, 4), c, tol="exact", of="lax.broadcast_in_dim")
    w.add("reverse_many", lambda c: (lax.rev(c, (0,)), lax.rev(c, (0, 2)), jnp.flip(c), jnp.rot90(c[0]), jnp.roll(c, 2, 1)), c, tol="exact", of="lax.rev")
    w.add("slice_many", lambda c: (c[:, 1:], c[:, ::2, 1:4:2], c[::-1], c[..., -1], lax.slice(c, (0, 1, 0), (2, 3, 3), (1, 1, 2)), c[:0], jnp.split(c, 2, 2), lax.split(c, (1, 2), 1)), c, tol="exact", of="lax.slice")
    w.add("pad_many", lambda c: (lax.pad(c, F32(0.5), [(1, 2, 0), (0, 0, 2), (-1, -1, 0)]), lax.pad(c, F32(0), [(-1, 0, 0), (2, -2, 1), (0, 0, 0)]), lax.pad(c, F32(1), [(0, 0, 1), (-2, 0, 2), (3, -1, 0)])), c, tol="exact", of="lax.pad")
    w.add("pad_modes", lambda x: tuple(jnp.pad(x, ((1, 2), (2, 1)), mode=m) for m in ("constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "maximum", "mean", "minimum")), floats(6, 3, 4), of="jnp.pad")
    w.add("concatenate_many", lambda x, y: (jnp.concatenate([x, y], 1), jnp.stack([x, x], 2), jnp.hstack([x, y]), jnp.vstack([x, x]), jnp.tile(x, (2, 2)), jnp.repeat(x, 2, 1), jnp.concatenate([x] * 5)), floats(7, 3, 2), floats(8, 3, 5), tol="exact", of="lax.concatenate")
    w.add("dynamic_slice_clamps", lambda x, i: tuple(lax.dynamic_slice(x, (i[k], i[k + 1]), (2, 3)) for k in range(5)), floats(9, 4, 5), np.array([-3, 9, 1, 0, 3, -1], I32), tol="exact", of="lax.dynamic_slice")
    w.add("dynamic_slice_types", lambda x, *i: tuple(lax.dynamic_slice(x, (k, k), (2, 2)) for k in i), floats(9, 4, 5), *[np.array(2, t) for t in ("int8", "uint8", "int16", "uint32", "int64", "uint64")], tol="exact", of="lax.dynamic_slice")
    w.add("dynamic_update_clamps", lambda x, u, i: tuple(lax.dynamic_update_slice(x, u, (i[k], i[k + 1])) for k in range(5)), floats(10, 4, 5), floats(11, 2, 3), np.array([-3, 9, 1, 0, 3, -1], I32), tol="exact", of="lax.dynamic_update_slice")
    w.add("dynamic_in_dim", lambda x, u, i: (lax.dynamic_index_in_dim(x, i, 1), lax.dynamic_slice_in_dim(x, i, 2, 0), lax.dynamic_update_index_in_dim(x, u, i, 0), lax.dynamic_update_slice_in_dim(x, u[None], -i, 0)), floats(12, 4, 5), floats(13, 5), I32(2), tol="exact", of="lax.dynamic_index_in_dim")
    w.add("triangles", lambda x: (jnp.tril(x), jnp.triu(x, 1), jnp.diag(x), jnp.diag(x[0]), jnp.diagonal(x, 1), jnp.trace(x), jnp.tril_indices(3), jnp.vander(x[0]), jnp.meshgrid(x[0], x[1]), jnp.kron(x[:2, :2], x[1:3, 1:3])), floats(14, 4, 4), of="jnp.tril")


def gathers(w):
    x, c = floats(15, 5, 4, 6), floats(16, 7, 3)
    for label, mode in MODES.items():
        inside = label == "promise"
        low, high = (0, 5) if inside else (-3, 9)
        i = ints(20, 4, low=low, high=high)
        j = np.stack([ints(21, 3, 2, low=low, high=4 if inside else high)[..., 0], ints(22, 3, 2, low=low, high=3 if inside else high)[..., 1]], -1)

        def gather(x, i, j, mode=mode):
            rows = lax.GatherDimensionNumbers(offset_dims=(1, 2), collapsed_slice_dims=(0,), start_index_map=(0,))
            blocks = lax.GatherDimensionNumbers(offset_dims=(1, 2), collapsed_slice_dims=(0,), start_index_map=(0, 2))
            windows = lax.GatherDimensionNumbers(offset_dims=(0, 2, 3), collapsed_slice_dims=(), start_index_map=(2, 0))
            return (
                lax.gather(x, i[:, None], rows, (1, 4, 6), mode=mode),
                lax.gather(x, j, blocks, (1, 2, 3), mode=mode),
                lax.gather(x, j[:, ::-1], windows, (2, 1, 3), mode=mode),
            )

        w.add(f"gather_{label}", gather, x, i, j, tol="exact", of="lax.gather")
        if not inside:
            w.add(f"take_{label}", lambda c, i, m=label: (jnp.take(c, i, 0, mode=m), c.at[i].get(mode=m), c[i]), c, i, tol="exact", of="jnp.take")
    w.add("gather_fill_integers", lambda x, i: (x.at[i].get(mode="fill"), x.at[i].get(mode="fill", fill_value=7)), ints(23, 5, 2), np.array([0, 9, -1, 4, 5], I32), tol="exact", of="jnp.ndarray.at")
    w.add("gather_flags", lambda x, i: x.at[i].get(unique_indices=True, indices_are_sorted=True), c, np.array([0, 2, 5], I32), tol="exact", of="jnp.ndarray.at")
    w.add("gather_batching", jax.vmap(lambda row, i: lax.gather(row, i[:, None], lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 2), mode="clip")), floats(17, 3, 5, 4), ints(24, 3, 2, low=0, high=6), tol="exact", of="lax.gather")
    w.add("gather_batching_explicit", lambda x, i: lax.gather(x, i, lax.GatherDimensionNumbers(offset_dims=(2,), collapsed_slice_dims=(1,), start_index_map=(1,), operand_batching_dims=(0,), start_indices_batching_dims=(0,)), (1, 1, 4), mode="clip"), floats(18, 3, 5, 4), ints(25, 3, 2, 1, low=0, high=5), tol="exact", of="lax.gather")
    w.add("gather_index_types", lambda x, *i: tuple(x[k] for k in i), c, *[np.array([1, 3, 6], t) for t in ("int8", "uint8", "int16", "uint32", "int64")], tol="exact", of="lax.gather")
    w.add("take_along_axes", lambda x, i, j: (jnp.take_along_axis(x, i, 1), jnp.take_along_axis(x, j, 0), jnp.choose(j[0] % 2, [x[0], x[1]], mode="clip")), floats(19, 3, 4), ints(26, 3, 2, low=0, high=4), ints(27, 2, 4, low=0, high=3), tol="exact", of="jnp.take_along_axis")
    w.add("index_advanced", lambda x, i, j, p: (x[i, :, j], x[:, i[:, None], j], x[..., None, 1:3], x[1, i, ::-1], jnp.where(p[:, None, None], x, 0)), floats(20, 5, 4, 6), ints(28, 3, low=0, high=4), ints(29, 3, low=0, high=6), bools(30, 5), tol="exact", of="jnp.ndarray.__getitem__")
    w.add("vmap_dynamic_slice", jax.vmap(lambda x, i: (lax.dynamic_slice(x, (i,), (2,)), lax.dynamic_update_slice(x, x[:2] * 2, (i,)))), floats(21, 3, 5), np.array([0, 4, -2], I32), tol="exact", of="lax.dynamic_slice")


def scatters(w):
    c, u = floats(22, 7, 3), floats(23, 5, 3)
    i = np.array([3, 0, 3, 6, 1], I32)
    wild = np.array([3, -1, 9, 6, -20], I32)
    numbers = lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    kinds = {"add": lax.scatter_add, "sub": lax.scatter_sub, "mul": lax.scatter_mul, "min": lax.scatter_min, "max": lax.scatter_max}
    for name, f in kinds.items():
        w.add(f"scatter_{name}", lambda c, i, k, u, f=f: (f(c, i[:, None], u, numbers), f(c, k[:, None], u, numbers, mode="clip"), f(c, k[:, None], u, numbers, mode="drop")), c, i, wild, u, tol="relative" if name in ("add", "sub", "mul") else "exact", of=f"lax.scatter_{name}")
        integers = ints(31, 7, 3), i, ints(32, 5, 3)
        w.add(f"scatter_{name}_integers", lambda c, i, u, f=f: f(c, i[:, None], u, numbers), *integers, of=f"lax.scatter_{name}")
    w.add("scatter_set", lambda c, i, k, u: (lax.scatter(c, i[::2, None][1:], u[:2], numbers), lax.scatter(c, k[:4, None], u[:4], numbers, mode="drop")), c, i, wild, u, tol="exact", of="lax.scatter")
    w.add("scatter_apply", lambda c, i: (lax.scatter_apply(c, i[:, None], jnp.sin, numbers, update_shape=(5, 3)), c.at[i[1:]].apply(jnp.exp)), c, i, tol="ulp", of="lax.scatter_apply", reference=False)
    w.add("scatter_updates", lambda c, i, u: (c.at[i].divide(u + 2), c.at[i[1:]].power(2.0), c.at[i, 1].multiply(0.5), c.at[1:3].add(1.0), c.at[:, ::2].set(0.0), c.at[-1].min(0.0), c.at[2, 2].max(3.0)), np.abs(c), i, u, of="jnp.ndarray.at", tol="relative:1e-5")
    blocks = lax.ScatterDimensionNumbers(update_window_dims=(1, 2), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0, 2))
    w.add("scatter_blocks", lambda x, j, u: (lax.scatter_add(x, j, u, blocks, mode="clip"), lax.scatter_add(x, j, u, blocks, mode="drop"), lax.scatter_max(x, j, u, blocks, mode="clip")), floats(24, 5, 4, 6), ints(33, 3, 2, low=-2, high=7), floats(25, 3, 2, 3), of="lax.scatter_add")
    w.add("scatter_batching", jax.vmap(lambda c, i, u: c.at[i].add(u)), floats(26, 3, 5, 2), ints(34, 3, 4, low=0, high=7), floats(27, 3, 4, 2), of="lax.scatter_add")
    w.add("scatter_batching_explicit", lambda x, i, u: lax.scatter_add(x, i, u, lax.ScatterDimensionNumbers(update_window_dims=(2,), inserted_window_dims=(1,), scatter_dims_to_operand_dims=(1,), operand_batching_dims=(0,), scatter_indices_batching_dims=(0,))), floats(28, 3, 5, 2), ints(35, 3, 4, 1, low=0, high=5), floats(29, 3, 4, 2), of="lax.scatter_add")
    w.add("scatter_flags", lambda c, i, u: c.at[i].set(u, unique_indices=True, indices_are_sorted=True), c, np.array([0, 2, 5], I32), u[:3], tol="exact", of="jnp.ndarray.at")
    w.add("scatter_scalar_index", lambda c, k: (c.at[k].set(1.0), c.at[k, k - 2].add(2.0)), c, I32(3), tol="exact", of="jnp.ndarray.at")
    for name, d in (("bf16", BF16), ("f16", F16), ("f64", F64), ("c64", np.complex64), ("i8", np.int8), ("ui8", np.uint8), ("i1", bool)):
        x = of_type(36, np.dtype(d), 6, 2)
        v = of_type(37, np.dtype(d), 4, 2)
        w.add(f"scatter_types_{name}", lambda x, i, v: x.at[i].set(v[:3]) if x.dtype == bool else (x.at[i].set(v[:3]), x.at[jnp.concatenate([i, i[:1]])].add(v)), x, np.array([4, 0, 2], I32), v, of="lax.scatter")
    w.add("segments", lambda x, i: (jax.ops.segment_sum(x, i, 4), jax.ops.segment_max(x, i, 4), jax.ops.segment_min(x, i, 4), jax.ops.segment_prod(x, i, 4), jax.ops.segment_sum(x, i, 4, indices_are_sorted=True)), floats(30, 6, 2), np.array([0, 0, 1, 3, 3, 3], I32), of="jax.ops.segment_sum")
    w.add("put_and_fill", lambda x, i, v: (jnp.put(x, i, v, inplace=False), jnp.fill_diagonal(x, 9.0, inplace=False), jnp.put_along_axis(x, i[None, :], 0.0, 1, inplace=False), jnp.insert(x, 1, 5.0, axis=0), jnp.delete(x, 1, axis=1), jnp.place(x, x > 0, v, inplace=False)), floats(31, 3, 4), np.array([0, 3, 2], I32), floats(32, 3), tol="exact", of="jnp.put")


def add_all(w):
    every_type(w)
    constants(w)
    shapes(w)
    gathers(w)
    scatters(w)

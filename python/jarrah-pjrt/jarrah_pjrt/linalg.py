"""Decompositions, each as the one custom call that Jarrah's importer reads as its own operation.

The targets are names only: those of LAPACK as JAX's CPU lowering spells them, and those of XLA's decompositions. No
routine of jaxlib is called. A decomposition that fails is NaN, so that the status in a last result is not looked at.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import core
from jax.lax.linalg import EighImplementation, EigImplementation, SvdAlgorithm

LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
COMPLEX = {"float32": np.complex64, "float64": np.complex128}


def routine(name: str, x: jax.Array) -> str:
    """The target of a LAPACK routine for the element type of `x`; `real|complex` where the names of both differ."""
    letter = LETTERS.get(x.dtype.name)
    if letter is None:
        raise NotImplementedError(f"Unsupported dtype {x.dtype}")
    real, _, complex_ = name.partition("|")
    return f"lapack_{letter}{complex_ if complex_ and letter in 'cz' else real}_ffi"


def array(shape: tuple[int, ...], dtype) -> jax.ShapeDtypeStruct:
    """The type of a result."""
    return jax.ShapeDtypeStruct(shape, dtype)


def real_of(x: jax.Array) -> np.dtype:
    """The element type of the parts of `x`."""
    return np.finfo(x.dtype).dtype


def call(target: str, results: list[jax.ShapeDtypeStruct], *operands: jax.Array, **attributes) -> list[jax.Array]:
    """A custom call without side effects."""
    return list(jax.ffi.ffi_call(target, results)(*operands, **attributes))


def refuse_subset(name: str, subset: tuple[int, int] | None, count: int) -> None:
    """Refuses to compute only some of `count` values."""
    if subset is not None and subset != (0, count):
        raise NotImplementedError(f"{name} computes all of the spectrum: subset_by_index is not supported")


def eigh(x: jax.Array, *, lower: bool, sort_eigenvalues: bool, subset_by_index, algorithm) -> list[jax.Array]:
    """Eigenvectors and the eigenvalues, ascending, of the Hermitian matrices `x: [..., n, n]`."""
    del sort_eigenvalues
    refuse_subset("eigh", subset_by_index, x.shape[-1])
    if algorithm not in (None, EighImplementation.QR):
        raise NotImplementedError(f"eigh: the algorithm {algorithm.name} is not supported")
    return call("Eigh", [array(x.shape, x.dtype), array(x.shape[:-1], real_of(x))], x, lower=lower)


def eig(
    x: jax.Array,
    *,
    compute_left_eigenvectors: bool,
    compute_right_eigenvectors: bool,
    enable_eigvec_derivs: bool,
    implementation,
) -> list[jax.Array]:
    """The eigenvalues of `x: [..., n, n]`, then its left and its right eigenvectors where they are asked for."""
    del enable_eigvec_derivs
    if implementation not in (None, EigImplementation.LAPACK):
        raise ValueError(f"eig: the implementation {implementation.name} is not supported")
    values, vectors = array(x.shape[:-1], x.dtype), array(x.shape, COMPLEX.get(x.dtype.name, x.dtype))
    parts = [values] if jnp.iscomplexobj(x) else [values, values]
    asked = (compute_left_eigenvectors, compute_right_eigenvectors)
    left, right = (np.uint8(ord("V" if one else "N")) for one in asked)
    *parts, left_vectors, right_vectors, _ = call(
        routine("geev", x),
        [*parts, vectors, vectors, array(x.shape[:-2], np.int32)],
        x,
        compute_left=left,
        compute_right=right,
    )
    values = parts[0] if len(parts) == 1 else lax.complex(*parts)
    return [values, *(each for each, one in zip((left_vectors, right_vectors), asked, strict=True) if one)]


def svd(x: jax.Array, *, full_matrices: bool, compute_uv: bool, subset_by_index, algorithm=None) -> list[jax.Array]:
    """Singular values of `x: [..., m, n]`, descending, then `u` and `vh` if they are asked for."""
    *batch, m, n = x.shape
    k = core.min_dim(m, n)
    refuse_subset("svd", subset_by_index, k)
    if algorithm in (SvdAlgorithm.JACOBI, SvdAlgorithm.POLAR):
        raise NotImplementedError(f"svd: the algorithm {algorithm.name} is not supported")
    u = array((*batch, m, m if full_matrices else k), x.dtype)
    vh = array((*batch, n if full_matrices else k, n), x.dtype)
    if k == 0:
        def identity(ty):
            return jnp.broadcast_to(jnp.eye(*ty.shape[-2:], dtype=x.dtype), ty.shape)

        return [jnp.zeros((*batch, 0), real_of(x)), *([identity(u), identity(vh)] if compute_uv else [])]
    mode = ("A" if full_matrices else "S") if compute_uv else "N"
    _, *found, _ = call(
        routine("gesdd", x),
        [array(x.shape, x.dtype), array((*batch, k), real_of(x)), u, vh, array(tuple(batch), np.int32)],
        x,
        mode=np.uint8(ord(mode)),
    )
    return found if compute_uv else found[:1]


def lu(x: jax.Array) -> list[jax.Array]:
    """`L` and `U` of `x: [..., m, n]` in one matrix, pivots counted from 0, and the permutation of the rows."""
    *batch, m, n = x.shape
    pivots, rows = array((*batch, core.min_dim(m, n)), np.int32), array((*batch, m), np.int32)
    return call("LuDecomposition", [array(x.shape, x.dtype), pivots, rows], x)


def hessenberg(x: jax.Array) -> list[jax.Array]:
    """The Hessenberg form of `x: [..., n, n]` with the reflections below it, and their factors."""
    *batch, n, _ = x.shape
    info = array(tuple(batch), np.int32)
    results = [array(x.shape, x.dtype), array((*batch, n - 1), x.dtype), info]
    return call(routine("gehrd", x), results, x, low=np.int32(1), high=np.int32(n))[:2]


def schur(x: jax.Array, *, compute_schur_vectors: bool, sort_eig_vals: bool, select_callable) -> list[jax.Array]:
    """The Schur form of `x: [..., n, n]`, and its vectors if they are asked for."""
    del select_callable
    if sort_eig_vals:
        raise NotImplementedError("schur does not sort eigenvalues")
    values, info = array(x.shape[:-1], x.dtype), array(x.shape[:-2], np.int32)
    values = [values] if jnp.iscomplexobj(x) else [values, values]
    form = array(x.shape, x.dtype)
    mode = np.uint8(ord("V" if compute_schur_vectors else "N"))
    found = call(routine("gees", x), [form, form, *values, info, info], x, mode=mode, sort=np.uint8(ord("N")))
    return found[: 1 + compute_schur_vectors]


def tridiagonal(x: jax.Array, *, lower: bool) -> list[jax.Array]:
    """The tridiagonal form of the Hermitian matrices `x: [..., n, n]`: reflections, both diagonals, factors."""
    *batch, n, _ = x.shape
    results = [
        array(x.shape, x.dtype),
        array((*batch, n), real_of(x)),
        array((*batch, n - 1), real_of(x)),
        array((*batch, n - 1), x.dtype),
        array(tuple(batch), np.int32),
    ]
    return call(routine("sytrd|hetrd", x), results, x, uplo=np.uint8(ord("L" if lower else "U")))[:4]


def tridiagonal_solve(dl: jax.Array, d: jax.Array, du: jax.Array, b: jax.Array, *, perturb_singular: bool) -> jax.Array:
    """Solves tridiagonal systems, whose diagonals are `[..., n]`, for `b: [..., n, k]`."""
    if perturb_singular:
        solve = perturbed_tridiagonal_solve
        for _ in d.shape[:-1]:
            solve = jax.vmap(solve)
        return solve(dl, d, du, b)
    types = [array(x.shape, x.dtype) for x in (dl, d, du, b)]
    return call(routine("gtsv", b), [*types, array(b.shape[:-2], np.int32)], dl, d, du, b)[3]


def perturbed_tridiagonal_solve(dl: jax.Array, d: jax.Array, du: jax.Array, b: jax.Array) -> jax.Array:
    """Solves one tridiagonal system whose matrix may be singular: a pivot below `eps max |U|` is taken for that number.

    Elimination exchanges a row with the next one where that has the larger entry, so that `U` has two diagonals above the
    main one (Golub and Van Loan, Matrix Computations, 4.3.6).
    """
    # Outside of the matrix.
    du = du.at[-1:].set(0)
    nothing = jnp.zeros((), d.dtype)

    def eliminate(row, below):
        (r0, r1, rb), (low, s0, s1, sb) = row, below
        exchange = jnp.abs(low) > jnp.abs(r0)
        pivot, other = jnp.where(exchange, low, r0), jnp.where(exchange, r0, low)
        factor = jnp.where(pivot == 0, 0, other / jnp.where(pivot == 0, 1, pivot))
        u1, u2, ub = jnp.where(exchange, s0, r1), jnp.where(exchange, s1, nothing), jnp.where(exchange, sb, rb)
        v1, v2, vb = jnp.where(exchange, r1, s0), jnp.where(exchange, nothing, s1), jnp.where(exchange, rb, sb)
        return (v1 - factor * u1, v2 - factor * u2, vb - factor * ub), (pivot, u1, u2, ub)

    last, rows = lax.scan(eliminate, (d[0], du[0], b[0]), (dl[1:], d[1:], du[1:], b[1:]))
    last = (last[0], nothing, nothing, last[2])
    u0, u1, u2, ub = (jnp.concatenate([each, end[None]]) for each, end in zip(rows, last, strict=True))
    eps = jnp.finfo(d.dtype).eps
    largest = jnp.max(jnp.abs(jnp.stack([u0, u1, u2])))
    least = jnp.where(largest == 0, eps, eps * largest)
    u0 = jnp.where(jnp.abs(u0) < least, jnp.where(u0.real < 0, -least, least).astype(d.dtype), u0)

    def substitute(after, row):
        (x1, x2), (u0, u1, u2, ub) = after, row
        x = (ub - u1 * x1 - u2 * x2) / u0
        return (x, x1), x

    zeros = jnp.zeros_like(b[0])
    return lax.scan(substitute, (zeros, zeros), (u0, u1, u2, ub), reverse=True)[1]


def geqrf(a: jax.Array) -> list[jax.Array]:
    """The QR decomposition of `a: [..., m, n]`: `R` with the reflections below it, and their factors."""
    *batch, m, n = a.shape
    return call(routine("geqrf", a), [array(a.shape, a.dtype), array((*batch, core.min_dim(m, n)), a.dtype)], a)


def householder_product(a: jax.Array, taus: jax.Array) -> jax.Array:
    """The unitary matrix that the reflections `a` with factors `taus` make, as many columns as `a` has."""
    return call(routine("orgqr|ungqr", a), [array(a.shape, a.dtype)], a, taus)[0]


def ormqr(a: jax.Array, taus: jax.Array, c: jax.Array, *, left: bool, transpose: bool) -> jax.Array:
    """`c` multiplied by the unitary matrix that the reflections `a` with factors `taus` make."""
    target = routine("ormqr|unmqr", a)
    return call(target, [array(c.shape, c.dtype)], a, taus, c, left=left, transpose=transpose)[0]


def geqp3(a: jax.Array, jpvt: jax.Array, *, use_magma) -> list[jax.Array]:
    """The QR decomposition of `a: [..., m, n]` with column pivoting: `R` with the reflections below it, the columns'
    order counted from 1, and the factors.

    Each step takes the column of largest norm below the rows that are done (Golub and Van Loan, Matrix Computations,
    5.4.2). Norms are computed anew in each step, so that none is lost to cancellation. `jpvt` says which columns come
    first; JAX leaves all of them free.
    """
    del use_magma, jpvt
    step = pivoted_qr
    for _ in a.shape[:-2]:
        step = jax.vmap(step)
    return list(step(a))


def pivoted_qr(a: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """`geqp3` of one matrix."""
    m, n = a.shape
    rows, columns = jnp.arange(m), jnp.arange(n)
    order = jnp.arange(1, n + 1, dtype=np.int32)
    if min(m, n) == 0:
        return a, order, jnp.zeros((0,), a.dtype)

    def step(i, state):
        a, order, taus = state
        below = jnp.where(rows[:, None] >= i, a, 0)
        norms = jnp.where(columns >= i, jnp.linalg.norm(below, axis=0), -1)
        pivot = jnp.argmax(norms)
        swapped = jnp.where(columns == i, pivot, jnp.where(columns == pivot, i, columns))
        a, order = a[:, swapped], order[swapped]
        v, beta, tau = reflection(a[:, i], i, rows)
        # The reflection is applied from the left: H^H = I - conj(tau) v v^H.
        product = jnp.matmul(v.conj(), a, precision=lax.Precision.HIGHEST)
        updated = a - (tau.conj() * v)[:, None] * product[None, :]
        column = jnp.where(rows == i, beta, jnp.where(rows > i, v, a[:, i]))
        a = jnp.where(columns > i, updated, jnp.where(columns == i, column[:, None], a))
        return a, order, taus.at[i].set(tau)

    return lax.fori_loop(0, min(m, n), step, (a, order, jnp.zeros((min(m, n),), a.dtype)))


def reflection(x: jax.Array, i: jax.Array, rows: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The reflection that takes the part of `x` from row `i` on to a multiple `beta` of the first unit vector.

    `(I - conj(tau) v v^H) x = beta e_i` with `v[i] = 1`, zeros before it, and `beta` real; `tau` is 0 where `x` has that
    form already. This is LAPACK's `larfg`.
    """
    alpha = x[i]
    tail = jnp.where(rows > i, x, 0)
    rest = jnp.linalg.norm(tail)
    size = jnp.hypot(jnp.abs(alpha), rest)
    beta = -jnp.copysign(size, alpha.real)
    trivial = (rest == 0) & (alpha.imag == 0)
    beta = jnp.where(trivial, alpha.real, beta)
    safe = jnp.where(trivial, 1, beta)
    tau = jnp.where(trivial, 0, (safe - alpha) / safe).astype(x.dtype)
    scale = jnp.where(trivial, 1, alpha - beta)
    v = jnp.where(rows == i, 1, tail / scale).astype(x.dtype)
    return v, beta.astype(x.dtype), tau

"""Linear algebra and FFT: functions that do not depend on signs or phases of vectors; also as JAX lowers them for other platforms."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import linalg as sla

from .elementwise import w_name
from .values import COMPLEX, F32, F64, I32, complexes, floats, matrix, positive_definite

EVERYWHERE = ("cpu", "tpu", "cuda")
TYPES = [np.dtype(d) for d in (F32, F64, np.complex64, np.complex128)]
SINGLE = {"float32": "relative:1e-4", "complex64": "relative:1e-4", "float64": "relative:1e-11", "complex128": "relative:1e-11"}


def ct(x):
    return jnp.conj(jnp.swapaxes(x, -1, -2))


def factorizations(w):
    for d in TYPES:
        s, tol = w_name(d), SINGLE[d.name]
        every = EVERYWHERE if d == F32 else ("cpu",)
        both = ("cpu", "cuda") if d == F32 else ("cpu",)
        m, p, tall = matrix(1, 4, 4, dtype=d), positive_definite(2, 4, dtype=d), matrix(3, 5, 3, dtype=d)
        many, b = matrix(4, 2, 3, 3, dtype=d), matrix(5, 4, 2, dtype=d)

        def add(name, f, *inputs, platforms=("cpu",), of=None):
            w.add(f"{name}_{s}", f, *inputs, tol=tol, of=of or name, platforms=platforms)

        add("cholesky", lambda p, q: (lax.linalg.cholesky(p), jnp.linalg.cholesky(q)), p, positive_definite(6, 3, 2, dtype=d), platforms=every, of="lax.linalg.cholesky")
        add("cholesky_fails", lambda p: jnp.linalg.cholesky(p), -p, of="lax.linalg.cholesky")

        def solves(m, b):
            return tuple(
                lax.linalg.triangular_solve(m, x, left_side=left, lower=lower, transpose_a=t, conjugate_a=c, unit_diagonal=u)
                for left, lower, t, c, u in [(True, True, False, False, False), (True, False, True, False, False), (False, True, True, True, True), (False, False, False, False, False), (True, True, False, True, False)]
                for x in [b if left else jnp.swapaxes(b, -1, -2)]
            )

        add("triangular_solve", solves, m, b, platforms=every, of="lax.linalg.triangular_solve")
        add("lu", lambda m, t: (lax.linalg.lu(m), lax.linalg.lu(t)), m, many, platforms=every, of="lax.linalg.lu")
        add("lu_rectangular", lambda t: (sla.lu(t), sla.lu(t.T)), tall, of="scipy.linalg.lu")
        add("lu_solve", lambda m, b: sla.lu_solve(sla.lu_factor(m), b, trans=1), m, b, of="scipy.linalg.lu_solve")
        add("qr", lambda t: (lambda q, r: (q @ r, ct(q) @ q, jnp.abs(r)))(*jnp.linalg.qr(t)), tall, platforms=every, of="jnp.linalg.qr")
        add("qr_complete", lambda t, u: tuple(x for m in (t, u) for q, r in [jnp.linalg.qr(m, mode="complete")] for x in (q @ r, q @ ct(q))), tall, many, of="jnp.linalg.qr")
        add("qr_wide", lambda t: (lambda q, r: (q @ r, ct(q) @ q))(*jnp.linalg.qr(t.T)), tall, of="jnp.linalg.qr")
        add("householder", lambda t: (lambda a, taus: (ct(lax.linalg.householder_product(a, taus)) @ lax.linalg.householder_product(a, taus), jnp.abs(jnp.triu(a))))(*lax.linalg.geqrf(t) if hasattr(lax.linalg, "geqrf") else lax_geqrf(t)), tall, of="lax.linalg.householder_product")
        add("eigh", lambda p: (lambda v, u: (v, (u * v[None, :]) @ ct(u), ct(u) @ u))(*jnp.linalg.eigh(p)), p, platforms=every, of="jnp.linalg.eigh")
        add("eigh_batched", lambda t: jnp.linalg.eigvalsh(t + ct(t)), many, of="jnp.linalg.eigvalsh")
        add("svd", lambda t: (lambda u, v, h: (v, (u * v) @ h, ct(u) @ u))(*jnp.linalg.svd(t, full_matrices=False)), tall, platforms=both, of="jnp.linalg.svd")
        add("svd_full", lambda t: (lambda u, v, h: (v, u @ ct(u), h @ ct(h)))(*jnp.linalg.svd(t)), tall, of="jnp.linalg.svd")
        add("svd_values", lambda t, u: (jnp.linalg.svd(t, compute_uv=False), jnp.linalg.svd(u, compute_uv=False), jnp.linalg.norm(u, 2, axis=(-2, -1)), jnp.linalg.norm(t, "nuc")), tall, many, of="jnp.linalg.svdvals")
        add("eig_values", lambda m: (lambda v: (jnp.prod(v), v.sum(), jnp.sort(jnp.abs(v))))(jnp.linalg.eigvals(m)), m, platforms=both, of="jnp.linalg.eigvals")
        add("eig", lambda m: (lambda v, u: jnp.abs(m @ u - u * v[None, :]) < 1e-4)(*jnp.linalg.eig(m)), m, of="jnp.linalg.eig")
        add("schur", lambda m: (lambda t, z: (z @ t @ ct(z), z @ ct(z)))(*sla.schur(m, output="complex" if d in COMPLEX else "real")), m, of="scipy.linalg.schur")
        add("hessenberg", lambda m: (lambda h, q: (q @ h @ ct(q), q @ ct(q), jnp.tril(h, -2)))(*sla.hessenberg(m, calc_q=True)), m, of="scipy.linalg.hessenberg")
        add("tridiagonal_solve", lambda l, m, u, b: lax.linalg.tridiagonal_solve(l, m, u, b), *tridiagonal(d), b, platforms=both, of="lax.linalg.tridiagonal_solve")
        add("solve", lambda m, b: (jnp.linalg.solve(m, b), jnp.linalg.solve(m, b[:, 0])), m, b, platforms=every, of="jnp.linalg.solve")
        if d not in COMPLEX:
            add("inv_det", lambda m, t: (jnp.linalg.inv(m), jnp.linalg.det(m), jnp.linalg.slogdet(t), jnp.linalg.inv(t)), m, many, of="jnp.linalg.inv")
        add("pinv_rank", lambda t: (jnp.linalg.pinv(t), jnp.linalg.matrix_rank(t), jnp.linalg.cond(t), jnp.linalg.lstsq(t, t[:, :1])[0]), tall, of="jnp.linalg.pinv")
    for d in TYPES[:2]:
        s, tol, p = w_name(d), SINGLE[d.name], positive_definite(7, 4, dtype=d)
        w.add(f"tridiagonal_{s}", lambda p: (lambda a, d, e, taus: (d.sum(), jnp.abs(e)))(*lax.linalg.tridiagonal(p, lower=True)), p, tol=tol, of="lax.linalg.tridiagonal")
        if d == F32:
            w.add(f"eigh_tridiagonal_{s}", lambda d, e: sla.eigh_tridiagonal(d, e, eigvals_only=True), floats(8, 5, dtype=d), floats(9, 4, dtype=d), tol=tol, of="scipy.linalg.eigh_tridiagonal")
    m = matrix(10, 3, 3)
    w.add("expm", lambda m: sla.expm(m * 0.5), m, tol="relative:1e-4", of="scipy.linalg.expm")
    w.add("cho_solve", lambda p, b: (sla.cho_solve(sla.cho_factor(p), b), sla.solve(p, b, assume_a="pos"), sla.solve_triangular(p, b, lower=True)), positive_definite(12, 3), floats(13, 3), tol="relative:1e-4", of="scipy.linalg.cho_solve")
    w.add("matrix_powers", lambda m, v: (jnp.linalg.matrix_power(m, 5), jnp.linalg.matrix_power(m, -2), jnp.linalg.multi_dot([m, m, v]), jnp.cross(m, v), sla.block_diag(m, v[None]), sla.toeplitz(v), jnp.linalg.norm(m, 1), jnp.linalg.norm(v, 3)), m, floats(14, 3), tol="relative:1e-4", of="jnp.linalg.matrix_power")
    w.add("lu_pivots", lambda p: lax.linalg.lu_pivots_to_permutation(p, 5), np.array([2, 4, 2, 3], I32), of="lax.linalg.lu_pivots_to_permutation")
    w.add("cholesky_update", lambda r, v: lax.linalg.cholesky_update(r, v), np.linalg.cholesky(positive_definite(15, 3, dtype=F64)).T.astype(F32), floats(16, 3), tol="relative:1e-4", of="lax.linalg.cholesky_update")
    w.add("symmetric_product", lambda a, c: lax.linalg.symmetric_product(a, c, alpha=2.0, beta=0.5, symmetrize_output=True), floats(17, 3, 4), positive_definite(18, 3), tol="relative:1e-4", of="lax.linalg.symmetric_product")
    w.add("qdwh", lambda m: (lambda u, h: (u @ h, h))(*lax.linalg.qdwh(m)[:2]), m, tol="relative:1e-3", of="lax.linalg.qdwh", reference=False)
    grads = {
        "cholesky": (lambda p: jnp.linalg.cholesky(p).sum(), positive_definite(19, 3)),
        "solve": (lambda m: jnp.linalg.solve(m, jnp.arange(3.0, dtype=m.dtype)).sum(), m),
        "eigh": (lambda p: jnp.linalg.eigvalsh(p)[1], positive_definite(20, 3)),
        "svd": (lambda t: jnp.log(jnp.linalg.svd(t, compute_uv=False)).sum(), matrix(21, 4, 3)),
        "qr": (lambda t: jnp.abs(jnp.linalg.qr(t)[1]).sum(), matrix(22, 4, 3)),
        "det": (lambda m: jnp.linalg.slogdet(m)[1] + jnp.linalg.det(m), m),
    }
    for name, (f, x) in grads.items():
        w.add(f"{name}_grad", jax.grad(f), x, tol="relative:1e-4", of=f"jnp.linalg.{name}", platforms=EVERYWHERE if name == "cholesky" else ("cpu",))


def lax_geqrf(t):
    from jax._src.lax.linalg import geqrf

    return geqrf(t)


def tridiagonal(d):
    make = complexes if d in COMPLEX else floats
    low, middle, high = make(23, 4, dtype=d), make(24, 4, dtype=d) + 4, make(25, 4, dtype=d)
    low[0], high[-1] = 0, 0
    return low, middle.astype(d), high


def transforms(w):
    x, c = floats(30, 2, 8), complexes(31, 2, 8)
    for n in (1, 2, 3, 5, 7, 8, 12, 13, 30):
        w.add(f"fft_{n}", lambda c, x: (jnp.fft.fft(c), jnp.fft.ifft(c), jnp.fft.rfft(x), jnp.fft.irfft(c, n=x.shape[-1])), complexes(32, 2, n), floats(33, 2, n), of="jnp.fft.fft")
    w.add("fft_f64", lambda c, x: (jnp.fft.fft(c), jnp.fft.ifft(c), jnp.fft.rfft(x), jnp.fft.irfft(c)), c.astype(np.complex128), x.astype(F64), of="jnp.fft.fft")
    w.add("fft_many", lambda c, x: (jnp.fft.fft2(c), jnp.fft.ifftn(c), jnp.fft.rfft2(x), jnp.fft.irfftn(c), jnp.fft.fft(c, axis=1)), complexes(34, 2, 3, 4), floats(35, 2, 3, 4), of="jnp.fft.fftn")
    w.add("fft_3d", lambda c, x: (lax.fft(c, "FFT", (2, 3, 4)), lax.fft(x, "RFFT", (2, 3, 4)), lax.fft(c[..., :3], "IRFFT", (2, 3, 4)), lax.fft(c, "IFFT", (3, 4))), complexes(36, 2, 2, 3, 4), floats(37, 2, 2, 3, 4), of="lax.fft")
    w.add("fft_padded", lambda x: (jnp.fft.rfft(x, n=11), jnp.fft.fft(x, n=5), jnp.fft.hfft(x[:, :5]), jnp.fft.ihfft(x), jnp.fft.fftshift(x), jnp.fft.fftfreq(8, dtype=jnp.float32)), x, of="jnp.fft.rfft")
    w.add("fft_norms", lambda c: (jnp.fft.fft(c, norm="ortho"), jnp.fft.ifft(c, norm="forward")), c, of="jnp.fft.fft")
    w.add("fft_grad", lambda x: (jax.grad(lambda x: jnp.abs(jnp.fft.rfft(x)).sum())(x), jax.grad(lambda x: jnp.fft.irfft(jnp.fft.rfft(x) ** 2, n=8).max())(x)), x, of="jnp.fft.rfft")
    w.add("dct", lambda x: (jax.scipy.fft.dct(x), jax.scipy.fft.idct(x), jax.scipy.fft.dctn(x)), x, of="scipy.fft.dct")
    w.add("fftconvolve_stft", lambda x: (jax.scipy.signal.fftconvolve(x[0], x[1, :3]), jax.scipy.signal.detrend(x), jax.scipy.signal.stft(x[0], nperseg=4)[2]), x, of="scipy.signal.fftconvolve")


def add_all(w):
    factorizations(w)
    transforms(w)

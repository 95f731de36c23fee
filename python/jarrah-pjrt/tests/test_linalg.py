"""Decompositions: those of Jarrah reconstruct the matrix, and agree with LAPACK's where they are unique."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.lax import linalg

TYPES = [np.float32, np.float64, np.complex64, np.complex128]


@pytest.fixture(autouse=True)
def wide_types():
    with jax.enable_x64(True):
        yield


def matrix(dtype, *shape, seed=0):
    """Normal numbers."""
    numbers = np.random.default_rng(seed)
    x = numbers.standard_normal(shape)
    return (x + 1j * numbers.standard_normal(shape) if np.issubdtype(dtype, np.complexfloating) else x).astype(dtype)


def hermitian(dtype, *shape):
    """A matrix that equals its conjugate transpose."""
    x = matrix(dtype, *shape)
    return x + x.swapaxes(-1, -2).conj()


def adjoint(x):
    return x.swapaxes(-1, -2).conj()


def tolerance(dtype):
    return {"rtol": 2e-4, "atol": 2e-4} if np.finfo(dtype).eps > 1e-10 else {"rtol": 1e-10, "atol": 1e-10}


@pytest.fixture(params=TYPES, ids=lambda dtype: np.dtype(dtype).name)
def dtype(request):
    return request.param


def test_eigh(backends, dtype):
    x = hermitian(dtype, 3, 6, 6)
    v, w = backends.on(backends.ours, linalg.eigh, x)
    np.testing.assert_allclose((v * w[..., None, :]) @ adjoint(v), x, **tolerance(dtype))
    backends.assert_close(lambda x: linalg.eigh(x)[1], x, **tolerance(dtype))
    backends.assert_close(jax.grad(lambda x: jnp.sum(jnp.linalg.eigvalsh(x)[..., :2])), x.real, **tolerance(dtype))


def test_eig(backends, dtype):
    x = matrix(dtype, 2, 5, 5)
    w, left, right = backends.on(
        backends.ours, lambda x: linalg.eig(x, compute_left_eigenvectors=True, compute_right_eigenvectors=True), x
    )
    np.testing.assert_allclose(x @ right, right * w[..., None, :], **tolerance(dtype))
    np.testing.assert_allclose(adjoint(left) @ x, adjoint(left) * w[..., None], **tolerance(dtype))
    values = backends.both(lambda x: linalg.eig(x, compute_left_eigenvectors=False, compute_right_eigenvectors=False)[0], x)
    np.testing.assert_allclose(*(np.sort_complex(each.round(3)) for each in values), atol=2e-3)


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (2, 5, 5), (0, 3)])
@pytest.mark.parametrize("full", [False, True])
def test_svd(backends, dtype, shape, full):
    x = matrix(dtype, *shape)
    u, s, vh = backends.on(backends.ours, lambda x: jnp.linalg.svd(x, full_matrices=full), x)
    k = s.shape[-1]
    np.testing.assert_allclose((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], x, **tolerance(dtype))
    backends.assert_close(lambda x: jnp.linalg.svd(x, full_matrices=full, compute_uv=False), x, **tolerance(dtype))


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (2, 5, 5)])
def test_lu(backends, dtype, shape):
    x = matrix(dtype, *shape)
    backends.assert_close(linalg.lu, x, **tolerance(dtype))
    # Without a rule this would be a loop.
    text = jax.jit(linalg.lu).lower(jax.device_put(x, backends.ours)).as_text()
    assert text.count("stablehlo.custom_call") == 1 and "while" not in text


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (2, 5, 5)])
def test_qr(backends, dtype, shape):
    x = matrix(dtype, *shape)
    backends.assert_close(linalg.qr, x, **tolerance(dtype))
    backends.assert_close(lambda x: linalg.qr(x, full_matrices=True), x, **tolerance(dtype))


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (2, 5, 5), (1, 3), (3, 1)])
def test_pivoted_qr(backends, dtype, shape):
    x = matrix(dtype, *shape)
    with jax.numpy_dtype_promotion("strict"), jax.numpy_rank_promotion("raise"):
        jax.jit(lambda x: linalg.qr(x, pivoting=True)).lower(jax.device_put(x, backends.ours))
    backends.assert_close(lambda x: linalg.qr(x, pivoting=True, full_matrices=False), x, **tolerance(dtype))


def test_pivoted_qr_of_low_rank(backends, dtype):
    x = matrix(dtype, 6, 2) @ matrix(dtype, 2, 5, seed=1)
    q, r, p = backends.on(backends.ours, lambda x: linalg.qr(x, pivoting=True, full_matrices=False), x)
    np.testing.assert_allclose(q @ r, x[:, p], **tolerance(dtype))
    assert np.abs(np.diag(r)[2:]).max() < 1e-3 * np.abs(r[0, 0])


def test_hessenberg_and_schur(backends, dtype):
    x = matrix(dtype, 2, 5, 5)
    backends.assert_close(lambda x: linalg.hessenberg(x), x, **tolerance(dtype))
    t, z = backends.on(backends.ours, linalg.schur, x)
    np.testing.assert_allclose(z @ t @ adjoint(z), x, **tolerance(dtype))


def test_tridiagonal(backends, dtype):
    backends.assert_close(lambda x: linalg.tridiagonal(x), hermitian(dtype, 2, 5, 5), **tolerance(dtype))


def test_tridiagonal_solve(backends, dtype):
    dl, d, du = matrix(dtype, 3, 2, 6)
    dl[..., 0] = du[..., -1] = 0
    backends.assert_close(linalg.tridiagonal_solve, dl, d + 4, du, matrix(dtype, 2, 6, 3), **tolerance(dtype))


def test_perturbed_tridiagonal_solve(backends, dtype):
    # Without pivoting this divides by zero.
    dl, d, du = matrix(dtype, 3, 2, 6)
    d[:, 0] = 0
    solve = functools.partial(linalg.tridiagonal_solve, perturb_singular=True)
    backends.assert_close(solve, dl, d, du, matrix(dtype, 2, 6, 3), **tolerance(dtype))
    zeros = np.zeros((2, 6), dtype)
    x = backends.on(backends.ours, solve, zeros, zeros, zeros, np.ones((2, 6, 1), dtype))
    assert np.isfinite(x).all() and (np.abs(x) > 1e6).all()


@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("transpose", [False, True])
def test_ormqr(backends, dtype, left, transpose):
    def apply(a, c):
        packed, taus = jnp.linalg.qr(a, mode="raw")
        return linalg.ormqr(packed.T, taus, c, left=left, transpose=transpose)

    backends.assert_close(apply, matrix(dtype, 5, 5), matrix(dtype, 5, 5, seed=2), **tolerance(dtype))


def test_solve_and_cholesky(backends, dtype):
    a, b = matrix(dtype, 3, 5, 5), matrix(dtype, 3, 5, 2)
    backends.assert_close(jnp.linalg.solve, a, b, **tolerance(dtype))
    backends.assert_close(jnp.linalg.cholesky, a @ adjoint(a) + 3 * np.eye(5, dtype=dtype), **tolerance(dtype))
    backends.assert_close(lambda a, b: linalg.triangular_solve(a, b, left_side=True, lower=True), a, b, **tolerance(dtype))


def test_a_failed_decomposition_is_nan(backends):
    x = np.array([[1.0, 2.0], [2.0, 1.0]])
    assert np.isnan(backends.on(backends.ours, jnp.linalg.cholesky, x)).any()
    assert np.isnan(backends.on(backends.ours, lambda x: linalg.eigh(x)[1], np.full((3, 3), np.nan))).all()


def test_what_is_not_supported_says_so(backends):
    with jax.default_device(backends.ours):
        with pytest.raises(NotImplementedError, match="subset_by_index"):
            jax.jit(lambda x: jnp.linalg.svd(x, full_matrices=False, subset_by_index=(0, 1)))(jnp.eye(3))
        with pytest.raises(NotImplementedError, match="JACOBI"):
            jax.jit(lambda x: linalg.svd(x, algorithm=linalg.SvdAlgorithm.JACOBI))(jnp.eye(3))


@pytest.mark.parametrize("function", [jnp.linalg.svd, linalg.lu])
def test_decompositions_of_matrices_of_any_size_are_exported(backends, function):
    m, n = jax.export.symbolic_shape("m, n")
    exported = jax.export.export(jax.jit(function), platforms=["jarrah"])(jax.ShapeDtypeStruct((m, n), np.float64))
    for shape in [(3, 5), (5, 3)]:
        x = jax.device_put(matrix(np.float64, *shape), backends.ours)
        for found, expected in zip(exported.call(x), function(x), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_a_singular_value_decomposition_whose_algorithm_is_not_named(backends):
    def function(x):
        return linalg.svd_p.bind(x, full_matrices=False, compute_uv=False, subset_by_index=None)

    x = matrix(np.float64, 4, 3)
    with jax.default_device(backends.ours):
        np.testing.assert_allclose(jax.jit(function)(x)[0], np.linalg.svd(x, compute_uv=False), rtol=1e-12)

//! `jax.numpy.linalg`, `jax.scipy.linalg` and `jax.lax.linalg`.
//!
//! Vectors are unique but for their signs or phases, so their absolute values are compared.

use jarrah_array::lax::linalg::{self as ops, MatrixTranspose, Triangle, TriangularOptions};
use jarrah_array::linalg::{self, MatrixNorm};
use jarrah_array::numpy::tensordot;
use jarrah_array::{Array, DType, stack, stop_gradient};
use jarrah_science::signal::Mode;

use super::rows;

/// `n` times the identity more, which moves eigenvalues away from zero.
fn shifted(x: &Array, by: f64) -> Array {
    let n = x.shape()[x.rank() - 1];
    x + Array::arange(n).one_hot(n, x.dtype()) * by
}

/// `x x^T + by I`.
fn positive(x: &Array, by: f64) -> Array {
    shifted(&x.matmul(&x.t()), by)
}

/// `x x^H + by I`.
fn hermitian(x: &Array, by: f64) -> Array {
    shifted(&x.matmul(&x.conj().t()), by)
}

/// As [`shifted`], by an integer.
fn shifted_by(x: &Array, by: i64) -> Array {
    let n = x.shape()[x.rank() - 1];
    x + Array::arange(n).one_hot(n, x.dtype()) * by
}

/// What stands below the first subdiagonal.
fn below_subdiagonal(x: &Array) -> Array {
    let place = Array::arange(x.shape()[0]);
    x * place.expand_dims(1).gt(&place + 1).astype(x.dtype())
}

/// The real parts of the sums of the first three powers.
fn power_sums(w: &Array) -> Array {
    let sum = |x: Array| x.sum(..).real();
    stack(&[&sum(w.clone()), &sum(w * w), &sum(w * w * w)], 0)
}

const UNIT: TriangularOptions = TriangularOptions {
    left_side: true,
    triangle: Triangle::Lower,
    transpose: MatrixTranspose::None,
    unit_diagonal: true,
};

rows! {
    // Factors.
    "numpy.linalg.cholesky": "jnp.linalg.cholesky(x @ jnp.conj(x.mT) + 4 * jnp.eye(4, dtype=x.dtype))", 4 => |x: inexact<2>(2, 4, 4)| linalg::cholesky(&hermitian(x, 4.0));
    "numpy.linalg.cholesky": "jnp.linalg.cholesky(x + 20 * jnp.eye(3, dtype=x.dtype), upper=True)", 4 => |x: inexact<2>(3, 3)| linalg::cholesky_upper(&shifted(x, 20.0));
    "numpy.linalg.cholesky": "jnp.linalg.cholesky(x)" => |x: numbers(1, 1)| linalg::cholesky(x);
    "scipy.linalg.cholesky": "jsp.linalg.cholesky(x @ x.T + 4 * jnp.eye(4, dtype=x.dtype))", 4 => |x: wide<2>(4, 4)| linalg::cholesky_upper(&positive(x, 4.0));
    "lax.linalg.cholesky": "lax.linalg.cholesky(x @ jnp.conj(x.T) + 4 * jnp.eye(4, dtype=x.dtype), symmetrize_input=False)", 4 => |x: inexact<2>(4, 4)| ops::cholesky(&hermitian(x, 4.0), Triangle::Lower);
    "numpy.linalg.qr": "jnp.linalg.qr(x)", 4 => |x: inexact(2, 5, 3)| linalg::qr(x);
    "numpy.linalg.qr": "jnp.linalg.qr(x, 'reduced')", 16 => |x: inexact(3, 5)| linalg::qr(x);
    "numpy.linalg.qr": "jnp.linalg.qr(x, mode='complete')", 4 => |x: inexact(5, 3)| linalg::qr_complete(x);
    "numpy.linalg.qr": "jnp.abs(jnp.linalg.qr(x, mode='r'))", 4 => |x: numbers(4, 4)| linalg::qr_r(x).abs();
    "numpy.linalg.qr": "jnp.linalg.qr(x, mode='raw')", 4 => |x: numbers(4, 3)| linalg::qr_raw(x);
    "scipy.linalg.qr": "jsp.linalg.qr(x, mode='economic')", 4 => |x: wide(5, 3)| linalg::qr(x);
    "scipy.linalg.qr": "jsp.linalg.qr(x)", 4 => |x: wide(4, 2)| linalg::qr_complete(x);
    "lax.linalg.qr": "lax.linalg.qr(x, full_matrices=False)", 4 => |x: inexact(5, 3)| ops::qr(x);
    "lax.linalg.qr": "lax.linalg.qr(x)", 4 => |x: inexact(3, 5)| ops::qr_complete(x);
    "scipy.linalg.qr": "(lambda q, r, p: (q, r, p.astype('int32')))(*jsp.linalg.qr(x, mode='economic', pivoting=True))", 8 => |x: inexact(5, 4)| linalg::qr_pivoted(x);
    "lax.linalg.qr": "(lambda q, r, p: (q, r, p.astype('int32')))(*lax.linalg.qr(x, pivoting=True, full_matrices=False))", 16 => |x: inexact(2, 3, 5)| linalg::qr_pivoted(x);
    "numpy.linalg.eigh": "(lambda w, v: (w, jnp.abs(v)))(*jnp.linalg.eigh(x + jnp.conj(x.mT)))", 16 => |x: inexact(2, 4, 4)| {
        let (w, v) = linalg::eigh(&(x + x.conj().t()));
        [w, v.abs()]
    };
    "numpy.linalg.eigh": "jnp.linalg.eigh(x, UPLO='U')[0]", 4 => |x: numbers(3, 3)| linalg::eigh(x).0;
    "numpy.linalg.eigvalsh": "jnp.linalg.eigvalsh(x)", 4 => |x: numbers(4, 4)| linalg::eigvalsh(x);
    "scipy.linalg.eigh": "(lambda w, v: (w, jnp.abs(v)))(*jsp.linalg.eigh(x))", 16 => |x: wide(4, 4)| {
        let (w, v) = linalg::eigh(x);
        [w, v.abs()]
    };
    "lax.linalg.eigh": "(lambda v, w: (jnp.abs(v), w))(*lax.linalg.eigh(x + x.T, lower=False, symmetrize_input=False))", 16 => |x: wide(4, 4)| {
        let (v, w) = ops::eigh(&(x + x.t()), Triangle::Upper);
        [v.abs(), w]
    };
    "numpy.linalg.svd": "(lambda u, s, v: (jnp.abs(u), s, jnp.abs(v), u * s[..., None, :] @ v))(*jnp.linalg.svd(x, full_matrices=False))", 40 => |x: inexact(2, 5, 3)| {
        let (u, s, v) = linalg::svd(x);
        let product = (&u * s.expand_dims(-2)).matmul(&v);
        [u.abs(), s, v.abs(), product]
    };
    "numpy.linalg.svd": "(lambda u, s, v: (jnp.abs(u), s, v.shape[0] * jnp.abs(v[:3])))(*jnp.linalg.svd(x))", 8 => |x: wide(3, 5)| {
        let (u, s, v) = linalg::svd_complete(x);
        let extent = v.shape()[0] as f64;
        [u.abs(), s, v.slice(0, 0..3).abs() * extent]
    };
    "numpy.linalg.svdvals numpy.linalg.svd": "jnp.linalg.svdvals(x)", 4 => |x: numbers(3, 4)| linalg::svdvals(x);
    "scipy.linalg.svd": "jsp.linalg.svd(x, compute_uv=False)", 4 => |x: wide(4, 3)| linalg::svdvals(x);
    "lax.linalg.svd": "(lambda u, s, v: (jnp.abs(u), s, jnp.abs(v)))(*lax.linalg.svd(x, full_matrices=False))", 40 => |x: inexact(3, 4)| {
        let (u, s, v) = ops::svd(x);
        [u.abs(), s, v.abs()]
    };
    "scipy.linalg.lu": "jsp.linalg.lu(x)", 8 => |x: numbers(4, 4)| linalg::lu(x);
    "scipy.linalg.lu": "jsp.linalg.lu(x[:, :3])", 8 => |x: inexact(5, 4)| linalg::lu(&x.slice(1, ..3));
    "scipy.linalg.lu": "jsp.linalg.lu(x[:3])", 8 => |x: inexact(4, 5)| linalg::lu(&x.slice(0, ..3));
    "scipy.linalg.lu_factor": "jsp.linalg.lu_factor(x)", 8 => |x: numbers(4, 4)| linalg::lu_factor(x);
    "lax.linalg.lu": "lax.linalg.lu(x)", 8 => |x: inexact(2, 4, 3)| ops::lu(x);

    // Solutions.
    "numpy.linalg.solve": "jnp.linalg.solve(x + 10 * jnp.eye(4, dtype=x.dtype), y)", 4 => |x: numbers(4, 4), y: numbers(4)| linalg::solve(&shifted(x, 10.0), y);
    "numpy.linalg.solve": "jnp.linalg.solve(x + 10j * jnp.eye(3, dtype=x.dtype), y)", 4 => |x: c64(2, 3, 3), y: f32(3, 2)| linalg::solve(&(x + Array::arange(3).one_hot(3, x.dtype()) * jarrah_array::c64::new(0.0, 10.0)), y);
    "numpy.linalg.solve": "jnp.linalg.solve(x, y)", 20 => |x: inexact(3, 3), y: inexact(2, 3, 2)| linalg::solve(x, y);
    "scipy.linalg.solve": "jsp.linalg.solve(x + 10 * jnp.eye(4, dtype=x.dtype), y)", 4 => |x: wide(4, 4), y: wide(4, 2)| linalg::solve(&shifted(x, 10.0), y);
    "scipy.linalg.solve": "jsp.linalg.solve(x @ jnp.conj(x.T) + 4 * jnp.eye(4, dtype=x.dtype), y, assume_a='pos')", 8 => |x: wide(4, 4), y: wide(4)| linalg::solve_positive(&hermitian(x, 4.0), y);
    "numpy.linalg.inv": "jnp.linalg.inv(x + 10 * jnp.eye(4, dtype=x.dtype))", 4 => |x: numbers(2, 4, 4)| linalg::inv(&shifted(x, 10.0));
    "scipy.linalg.inv": "jsp.linalg.inv(x)", 20 => |x: inexact(3, 3)| linalg::inv(x);
    "scipy.linalg.solve_triangular": "jsp.linalg.solve_triangular(x + 10 * jnp.eye(4, dtype=x.dtype), y)", 4 => |x: numbers(4, 4), y: numbers(4)| linalg::solve_triangular(&shifted(x, 10.0), y, Triangle::Upper);
    "scipy.linalg.solve_triangular": "jsp.linalg.solve_triangular(x + 10 * jnp.eye(4, dtype=x.dtype), y, lower=True)", 4 => |x: inexact(2, 4, 4), y: inexact(4, 3)| linalg::solve_triangular(&shifted(x, 10.0), y, Triangle::Lower);
    "scipy.linalg.solve_triangular": "jsp.linalg.solve_triangular(x + 10 * jnp.eye(4, dtype=x.dtype), y, lower=True, trans='C')", 4 => |x: inexact(4, 4), y: inexact(4)| linalg::solve_triangular(&shifted(&x.conj().t(), 10.0), y, Triangle::Upper);
    "lax.linalg.triangular_solve": "lax.linalg.triangular_solve(x / 4, y, left_side=True, lower=True, unit_diagonal=True)", 4 => |x: inexact<2>(4, 4), y: inexact(4, 2)| ops::triangular_solve(&(x / 4.0), y, UNIT);
    "lax.linalg.triangular_solve": "lax.linalg.triangular_solve(x + 8 * jnp.eye(4, dtype=x.dtype), y, transpose_a=True)", 4 => |x: inexact<2>(4, 4), y: inexact(2, 4)| ops::triangular_solve(&shifted(x, 8.0), y, TriangularOptions { left_side: false, triangle: Triangle::Upper, transpose: MatrixTranspose::Transpose, unit_diagonal: false });
    "lax.linalg.triangular_solve": "lax.linalg.triangular_solve(x + 8 * jnp.eye(4, dtype=x.dtype), y, transpose_a=True, conjugate_a=True, lower=True)", 4 => |x: inexact<2>(4, 4), y: inexact(2, 4)| ops::triangular_solve(&shifted(x, 8.0), y, TriangularOptions { left_side: false, transpose: MatrixTranspose::Adjoint, ..TriangularOptions::default() });
    "scipy.linalg.cho_factor scipy.linalg.cho_solve": "jsp.linalg.cho_solve(jsp.linalg.cho_factor(x @ jnp.conj(x.T) + 4 * jnp.eye(4, dtype=x.dtype), lower=True), y)", 8 => |x: inexact(4, 4), y: inexact(2, 4, 3)| linalg::cho_solve(&linalg::cho_factor(&hermitian(x, 4.0)), y);
    "scipy.linalg.cho_factor": "jsp.linalg.cho_factor(x + 10, lower=True)[0]" => |x: reals(1, 1)| linalg::cho_factor(&(x + 10.0));
    "scipy.linalg.cho_solve": "jsp.linalg.cho_solve((x + 10 * jnp.eye(3, dtype=x.dtype), True), y)", 4 => |x: numbers(3, 3), y: numbers(3)| linalg::cho_solve(&shifted(x, 10.0), y);
    "scipy.linalg.lu_solve": "jsp.linalg.lu_solve(jsp.linalg.lu_factor(x), y)", 20 => |x: inexact(4, 4), y: inexact(4)| {
        let (lu, pivots) = linalg::lu_factor(x);
        linalg::lu_solve((&lu, &pivots), y, MatrixTranspose::None)
    };
    "scipy.linalg.lu_solve": "jsp.linalg.lu_solve(jsp.linalg.lu_factor(x), y, trans=1)", 20 => |x: inexact(2, 4, 4), y: inexact(4, 2)| {
        let (lu, pivots) = linalg::lu_factor(x);
        linalg::lu_solve((&lu, &pivots), y, MatrixTranspose::Transpose)
    };
    "scipy.linalg.lu_solve": "jsp.linalg.lu_solve(jsp.linalg.lu_factor(x), y, trans=2)", 20 => |x: inexact(4, 4), y: inexact(4, 2)| {
        let (lu, pivots) = linalg::lu_factor(x);
        linalg::lu_solve((&lu, &pivots), y, MatrixTranspose::Adjoint)
    };
    "lax.linalg.lu_pivots_to_permutation": "lax.linalg.lu_pivots_to_permutation(jnp.abs(x) % 2 + jnp.arange(3, dtype='int32'), 5)" => |x: i32(2, 3)| ops::lu_pivots_to_permutation(&(x.abs() % 2 + Array::arange(3)), 5);
    "numpy.linalg.pinv": "jnp.linalg.pinv(x)", 20 => |x: numbers(5, 3)| linalg::pinv(x);
    "numpy.linalg.pinv": "jnp.linalg.pinv(x[:, 1:])", 20 => |x: inexact(2, 4, 4)| linalg::pinv(&x.slice(1, 1..));
    "numpy.linalg.pinv": "jnp.linalg.pinv(x[:, :2] @ y[:2], rtol=1e-3)", 40 => |x: inexact(4, 3), y: inexact(3, 5)| linalg::pinv_with(&x.slice(1, 0..2).matmul(&y.slice(0, 0..2)), 1e-3);
    "numpy.linalg.lstsq": "(lambda x, r, k, s: (x, r, k.astype('int32'), s))(*jnp.linalg.lstsq(x, y))", 20 => |x: numbers(5, 3), y: numbers(5, 2)| linalg::lstsq(x, y);
    "numpy.linalg.lstsq": "jnp.linalg.lstsq(x, y)[0]", 20 => |x: inexact(3, 5), y: inexact(3)| linalg::lstsq(x, y).0;

    // Numbers of a matrix.
    "numpy.linalg.det": "jnp.linalg.det(x)", 8 => |x: numbers(4, 4)| linalg::det(x);
    "numpy.linalg.det": "jnp.linalg.det(x / 2)", 8 => |x: inexact(2, 5, 5)| linalg::det(&(x / 2.0));
    "numpy.linalg.det": "jnp.stack([jnp.linalg.det(x), jnp.linalg.det(x[:2, :2]), jnp.linalg.det(x[:1, :1])])", 4 => |x: inexact(3, 3)| {
        let part = |n: usize| linalg::det(&x.slice(0, 0..n).slice(1, 0..n));
        stack(&[&part(3), &part(2), &part(1)], 0)
    };
    // At a rank of one less the determinant is zero, but its gradient is not. The other element sets the tolerance.
    "numpy.linalg.det": "jnp.stack([jnp.linalg.det(x + lax.stop_gradient(x[:, :3] @ y[:3] - x)), jnp.array(1e5, x.dtype)])", 8 => |x: inexact(4, 4), y: inexact(4, 4)| {
        let singular = x.slice(1, ..3).matmul(&y.slice(0, ..3));
        let det = linalg::det(&(x + stop_gradient(&(singular - x))));
        stack(&[&det, &(det.ones_like() * 1e5)], 0)
    };
    "numpy.linalg.det": "jnp.linalg.det(x - lax.stop_gradient(x * jnp.array([0, 0, 0, 1], x.dtype)))", 8 => |x: inexact(4, 4)| {
        linalg::det(&(x - stop_gradient(&(x * Array::from_slice(&[0, 0, 0, 1])))))
    };
    "numpy.linalg.slogdet": "jnp.linalg.slogdet(x)", 8 => |x: numbers(4, 4)| linalg::slogdet(x);
    "numpy.linalg.slogdet": "jnp.linalg.slogdet(x / 2)", 8 => |x: inexact(3, 2, 2)| linalg::slogdet(&(x / 2.0));
    "numpy.linalg.slogdet": "jnp.linalg.slogdet(x * jnp.array([[1, 1], [0, 0]], x.dtype))[1]" => |x: i32(2, 2)| linalg::slogdet(&(x * Array::new(&[1i32, 1, 0, 0], &[2, 2]))).1;
    "numpy.linalg.norm": "jnp.linalg.norm(x)" => |x: numbers(3, 5)| linalg::norm(x);
    "numpy.linalg.norm": "jnp.linalg.norm(x, ord=3, axis=1)", 2 => |x: inexact(3, 5)| linalg::vector_norm(x, 3, 1);
    "numpy.linalg.norm": "jnp.linalg.norm(x, axis=0, keepdims=True)" => |x: inexact(3, 5)| linalg::vector_norm(x, 2, 0).expand_dims(0);
    "numpy.linalg.norm": "jnp.linalg.norm(x, ord='nuc', axis=(0, 2))", 4 => |x: inexact(4, 2, 3)| linalg::matrix_norm(&x.transpose(&[1, 0, 2]), MatrixNorm::Nuclear);
    "numpy.linalg.matrix_norm": "jnp.linalg.matrix_norm(x)" => |x: numbers(2, 3, 4)| linalg::matrix_norm(x, MatrixNorm::Frobenius);
    "numpy.linalg.matrix_norm": "jnp.stack([jnp.linalg.matrix_norm(x, ord=o) for o in ('nuc', 2, -2, 1, -1, jnp.inf, -jnp.inf)])", 4 => |x: inexact(3, 4)| {
        use MatrixNorm::*;
        let norms = [Nuclear, Spectral, SmallestSingular, LargestColumn, SmallestColumn, LargestRow, SmallestRow];
        let norms = norms.map(|norm| linalg::matrix_norm(x, norm));
        stack(&norms.each_ref(), 0)
    };
    "numpy.linalg.vector_norm": "jnp.linalg.vector_norm(x)" => |x: inexact(7)| linalg::vector_norm(x, 2, 0);
    "numpy.linalg.vector_norm": "jnp.stack([jnp.linalg.vector_norm(x, ord=o, axis=-1) for o in (0, 1, 2, 2.5, -1, jnp.inf, -jnp.inf)])", 4 => |x: inexact(2, 5)| {
        let norms = [0.0, 1.0, 2.0, 2.5, -1.0, f64::INFINITY, f64::NEG_INFINITY];
        let norms = norms.map(|order| linalg::vector_norm(x, order, -1));
        stack(&norms.each_ref(), 0)
    };

    "numpy.linalg.cond": "jnp.linalg.cond(x)", 20 => |x: numbers(2, 4, 3)| linalg::cond(x);
    "numpy.linalg.cond": "jnp.stack([jnp.linalg.cond(x, p=p) for p in ('fro', 'nuc', -2, 1, jnp.inf)])", 20 => |x: inexact(4, 4)| {
        use MatrixNorm::*;
        let norms = [Frobenius, Nuclear, SmallestSingular, LargestColumn, LargestRow];
        let conds = norms.map(|norm| linalg::cond_by(x, norm));
        stack(&conds.each_ref(), 0)
    };
    "numpy.linalg.matrix_rank": "jnp.linalg.matrix_rank(x[..., :2] @ x[..., :2, :]).astype('int32')" => |x: numbers(3, 4, 4)| linalg::matrix_rank(&x.slice(-1, ..2).matmul(&x.slice(-2, ..2)));

    // Products.
    "numpy.linalg.matmul": "jnp.linalg.matmul(x, y)" => |x: numbers(2, 3, 4), y: numbers(4, 5)| x.matmul(y);
    "numpy.linalg.matrix_power": "jnp.linalg.matrix_power(x, 5)", 2 => |x: numbers<2>(2, 3, 3)| linalg::matrix_power(x, 5);
    "numpy.linalg.matrix_power": "jnp.linalg.matrix_power(x + 6 * jnp.eye(3, dtype=x.dtype), -2)", 4 => |x: numbers<2>(3, 3)| linalg::matrix_power(&shifted_by(x, 6), -2);
    "numpy.linalg.matrix_power": "jnp.linalg.matrix_power(x, 0)" => |x: numbers(2, 3, 3)| linalg::matrix_power(x, 0);
    "numpy.linalg.matrix_transpose": "jnp.linalg.matrix_transpose(x)" => |x: all(2, 3, 4)| x.t();
    "numpy.linalg.multi_dot": "jnp.linalg.multi_dot([x, y, z, w])", 2 => |x: numbers(5), y: numbers(5, 2), z: numbers(2, 7), w: numbers(7, 3)| linalg::multi_dot(&[x, y, z, w]);
    "numpy.linalg.multi_dot": "jnp.linalg.multi_dot([x, y, z])", 2 => |x: wide(3, 5), y: wide(5, 2), z: wide(2)| linalg::multi_dot(&[x, y, z]);
    "numpy.linalg.outer": "jnp.linalg.outer(x, y)" => |x: numbers(3), y: numbers(4)| x.outer(y);
    "numpy.linalg.vecdot": "jnp.linalg.vecdot(x, y)" => |x: numbers(2, 5), y: numbers(5)| x.vecdot(y, -1);
    "numpy.linalg.vecdot": "jnp.linalg.vecdot(x, y, axis=0)" => |x: inexact(5, 2), y: inexact(5, 1)| x.vecdot(y, 0);
    "numpy.linalg.tensordot": "jnp.linalg.tensordot(x, y)" => |x: numbers(2, 3, 4), y: numbers(3, 4, 2)| tensordot(x, y, &[-2, -1], &[0, 1]);
    "numpy.linalg.tensordot": "jnp.linalg.tensordot(x, y, axes=((0, 2), (1, 0)))" => |x: inexact(2, 3, 4), y: inexact(4, 2)| tensordot(x, y, &[0, 2], &[1, 0]);
    "numpy.linalg.cross": "jnp.linalg.cross(x, y)" => |x: numbers(2, 3), y: numbers(3)| x.cross(y);
    "numpy.linalg.cross": "jnp.linalg.cross(x, y, axis=0)" => |x: inexact(3, 4), y: inexact(3, 4)| x.moveaxis(0, -1).cross(&y.moveaxis(0, -1)).moveaxis(-1, 0);
    "numpy.linalg.diagonal": "jnp.linalg.diagonal(x, offset=1)" => |x: all(2, 3, 5)| x.diagonal(1, -2, -1);
    "numpy.linalg.diagonal": "(jnp.linalg.diagonal(x, offset=-2), jnp.linalg.diagonal(x, offset=7))" => |x: all(4, 3)| [x.diagonal(-2, -2, -1), x.diagonal(7, -2, -1)];
    "numpy.linalg.trace": "jnp.linalg.trace(x)" => |x: numbers(2, 3, 5)| x.trace(0, -2, -1);
    "numpy.linalg.trace": "jnp.linalg.trace(x, offset=-1)" => |x: inexact(4, 3)| x.trace(-1, -2, -1);
    "numpy.linalg.tensorinv": "jnp.linalg.tensorinv(x, ind=1)", 40 => |x: inexact(4, 2, 2)| linalg::tensorinv(x, 1);
    "numpy.linalg.tensorsolve": "jnp.linalg.tensorsolve(x, y)", 40 => |x: inexact(2, 3, 6), y: inexact(2, 3)| linalg::tensorsolve(x, y);

    // Eigenvalues of general matrices: their order is unspecified, so sums of powers are compared.
    "numpy.linalg.eigvals": "(lambda w: jnp.stack([(w ** k).sum().real for k in (1, 2, 3)]))(jnp.linalg.eigvals(x))", 8 => |x: numbers(4, 4)| power_sums(&linalg::eigvals(x));
    "numpy.linalg.eig": "(lambda w, v: jnp.real(v @ (w[:, None] * jnp.linalg.inv(v))))(*jnp.linalg.eig(x))", 40 => |x: inexact(4, 4)| {
        let (w, v) = linalg::eig(x);
        v.matmul(&(w.expand_dims(-1) * linalg::inv(&v))).real()
    };
    "lax.linalg.eig": "(lambda w, u, v: (jnp.stack([(w ** k).sum().real for k in (1, 2, 3)]), jnp.real(u @ (w.conj()[:, None] * jnp.linalg.inv(u)))))(*lax.linalg.eig(x))", 40 => |x: inexact(4, 4)| {
        let (w, u, _) = ops::eig(x);
        let product = u.matmul(&(w.conj().expand_dims(-1) * linalg::inv(&u)));
        [power_sums(&w), product.real()]
    };

    // Functions of matrices, and similar forms.
    "scipy.linalg.expm": "jsp.linalg.expm(x)", 16 => |x: numbers<1>(4, 4)| linalg::expm(x);
    "scipy.linalg.expm": "jsp.linalg.expm(x * jnp.array([0.01, 1, 6], x.dtype)[:, None, None])", 200 => |x: inexact<1>(3, 3, 3)| linalg::expm(&(x * Array::new(&[0.01f32, 1.0, 6.0], &[3, 1, 1]).astype(x.dtype())));
    "scipy.linalg.expm_frechet": "jsp.linalg.expm_frechet(x, y)", 16 => |x: inexact<1>(3, 3), y: inexact<1>(3, 3)| linalg::expm_frechet(x, y);
    "scipy.linalg.sqrtm": "jsp.linalg.sqrtm(x @ x.T + jnp.eye(4, dtype=x.dtype)).real", 16 => |x: inexact<2>(4, 4)| linalg::sqrtm(&positive(x, 1.0)).real();
    "scipy.linalg.sqrtm": "(lambda z: z.real + z.imag)(jsp.linalg.sqrtm(x + 5 * jnp.eye(3, dtype=x.dtype)))", 16 => |x: inexact<2>(3, 3)| {
        let root = linalg::sqrtm(&shifted(x, 5.0));
        root.real() + root.imag()
    };
    "scipy.linalg.schur lax.linalg.schur": "(lambda t, z: (z @ t @ z.T, z @ z.T, jnp.tril(t, -2), jnp.trace(t @ t)))(*jsp.linalg.schur(x))", 16 => |x: wide(4, 4)| {
        let (t, z) = linalg::schur(x);
        let below = below_subdiagonal(&t);
        [z.matmul(&t).matmul(&z.t()), z.matmul(&z.t()), below, t.matmul(&t).trace(0, -2, -1)]
    };
    "scipy.linalg.schur": "(lambda t, z: ((z @ t @ z.conj().T).real, jnp.abs(jnp.tril(t, -1))))(*jsp.linalg.schur(x, output='complex'))", 16 => |x: inexact(4, 4)| {
        let (t, z) = linalg::schur_complex(x);
        let below = &t * Array::arange(4).expand_dims(1).gt(Array::arange(4)).astype(t.dtype());
        [z.matmul(&t).matmul(&z.conj().t()).real(), below.abs()]
    };
    "scipy.linalg.hessenberg": "jsp.linalg.hessenberg(x, calc_q=True)", 8 => |x: inexact(5, 5)| linalg::hessenberg(x);
    "lax.linalg.hessenberg": "lax.linalg.hessenberg(x)", 8 => |x: inexact(2, 4, 4)| ops::hessenberg(x);
    "lax.linalg.tridiagonal": "(lambda a, d, e, t: (d, e, t))(*lax.linalg.tridiagonal(x + x.T))", 8 => |x: wide(5, 5)| {
        let (_, d, e, taus) = ops::tridiagonal(&(x + x.t()), Triangle::Lower);
        [d, e, taus]
    };
    "lax.linalg.ormqr": "(lambda a, t: (lax.linalg.ormqr(a.mT, t, y), lax.linalg.ormqr(a.mT, t, y, transpose=True), lax.linalg.ormqr(a.mT, t, y.mT, left=False)))(*jnp.linalg.qr(lax.stop_gradient(x), mode='raw'))", 8 => |x: wide(5, 3), y: wide(5, 2)| {
        let (packed, taus) = ops::geqrf(&jarrah_array::stop_gradient(x));
        let transposed = ops::ormqr_transposed(&packed, &taus, y);
        (ops::ormqr(&packed, &taus, y), transposed.clone(), transposed.t())
    };
    "lax.linalg.householder_product": "(lambda a, t: (a.mT, t, lax.linalg.householder_product(a.mT, t)))(*jnp.linalg.qr(x, mode='raw'))", 8 => |x: inexact(5, 3)| {
        let (packed, taus) = ops::geqrf(x);
        let q = ops::householder_product(&packed, &taus);
        [packed, taus, q]
    };
    "scipy.linalg.polar": "jsp.linalg.polar(x, method='svd')", 16 => |x: wide(4, 3)| linalg::polar(x);
    "lax.linalg.qdwh": "lax.linalg.qdwh(x)[:2]", 16 => |x: wide(4, 3)| linalg::polar(x);
    "scipy.linalg.polar": "jsp.linalg.polar(x, side='left', method='svd')", 16 => |x: wide(3, 4)| linalg::polar_left(x);
    "scipy.linalg.eigh_tridiagonal": "jsp.linalg.eigh_tridiagonal(x, y, eigvals_only=True)", 4 => |x: wide(5), y: wide(4)| linalg::eigh_tridiagonal(x, y);
    "lax.linalg.tridiagonal_solve": "lax.linalg.tridiagonal_solve(x * jnp.array([0, 1, 1, 1], x.dtype), y + 10, z * jnp.array([1, 1, 1, 0], x.dtype), w)", 4 => |x: wide(4), y: wide(4), z: wide(4), w: wide(4, 2)| {
        let mask = |first: i32, last: i32| Array::from_slice(&[first, 1, 1, last]);
        ops::tridiagonal_solve(&(x * mask(0, 1)), &(y + 10.0), &(z * mask(1, 0)), w)
    };
    "lax.linalg.symmetric_product": "lax.linalg.symmetric_product(x, y + y.T, alpha=2.0, beta=0.5, symmetrize_output=True)", 4 => |x: wide(3, 4), y: wide(3, 3)| ops::symmetric_product(x, &(y + y.t()), 2.0, 0.5);

    // Matrices made of fewer numbers.
    "scipy.linalg.toeplitz": "jsp.linalg.toeplitz(x, y)" => |x: numbers(3), y: numbers(4)| linalg::toeplitz(x, y);
    "scipy.linalg.toeplitz": "jsp.linalg.toeplitz(x)" => |x: inexact(2, 3)| linalg::toeplitz(x, &x.conj());
    "scipy.linalg.hankel": "jsp.linalg.hankel(x, y)" => |x: numbers(3), y: numbers(4)| linalg::hankel(x, y);
    "scipy.linalg.circulant": "jsp.linalg.circulant(x)" => |x: all(2, 4)| linalg::circulant(x);
    "scipy.linalg.block_diag": "jsp.linalg.block_diag(x, y, x)" => |x: numbers(1, 2), y: numbers(3, 1)| linalg::block_diag(&[x, y, x]);
    "scipy.linalg.hadamard": "jsp.linalg.hadamard(8, dtype='int32')" => | | linalg::hadamard(8, DType::I32);
    "scipy.linalg.dft": "jsp.linalg.dft(5, dtype='complex64')" => | | linalg::dft(5);
    "scipy.linalg.hilbert": "jsp.linalg.hilbert(4).astype('float32')" => | | linalg::hilbert(4);
    "scipy.linalg.fiedler": "jsp.linalg.fiedler(x)" => |x: all(2, 4)| linalg::fiedler(x);
    "scipy.linalg.leslie": "jsp.linalg.leslie(x, y)" => |x: numbers(2, 4), y: numbers(3)| linalg::leslie(x, y);
    "scipy.linalg.companion": "[jsp.linalg.companion(x[:n] + 6) for n in (2, 4)]" => |x: numbers(4)| [2, 4].map(|n| linalg::companion(&(x.slice(0, ..n) + 6)));
    "scipy.linalg.det": "jsp.linalg.det(x)", 4 => |x: wide(4, 4)| linalg::det(x);
    "scipy.linalg.helmert": "jsp.linalg.helmert(5).astype('float32')" => | | linalg::helmert(5);
    // JAX makes binomial coefficients of logarithms.
    "scipy.linalg.pascal": "(jsp.linalg.pascal(5), jsp.linalg.pascal(5, kind='lower'))", 10 => | | [linalg::pascal(5), linalg::pascal_lower(5)];
    "scipy.linalg.invpascal": "jsp.linalg.invpascal(5).astype('float32')", 10 => | | linalg::invpascal(5);
    "scipy.linalg.invhilbert": "jsp.linalg.invhilbert(4).astype('float32')", 10 => | | linalg::invhilbert(4);
    "scipy.linalg.convolution_matrix": "[jsp.linalg.convolution_matrix(x, n, mode=m) for n in (2, 6) for m in ('full', 'same', 'valid')]" => |x: numbers(4)| {
        let matrix = |n: usize, mode: Mode| linalg::convolution_matrix(x, n, mode);
        [matrix(2, Mode::Full), matrix(2, Mode::Same), matrix(2, Mode::Valid), matrix(6, Mode::Full), matrix(6, Mode::Same), matrix(6, Mode::Valid)]
    };
    "scipy.linalg.solve_sylvester": "jsp.linalg.solve_sylvester(x + 6 * jnp.eye(3, dtype=x.dtype), y + 6 * jnp.eye(2, dtype=x.dtype), z)", 16 => |x: inexact<2>(3, 3), y: inexact<2>(2, 2), z: inexact(3, 2)| linalg::solve_sylvester(&shifted(x, 6.0), &shifted(y, 6.0), z);
    "scipy.linalg.rsf2csf": "(lambda t, z: ((z @ t @ z.conj().T).real, jnp.abs(jnp.tril(t, -1))))(*jsp.linalg.rsf2csf(*jsp.linalg.schur(x)))", 16 => |x: wide(4, 4)| {
        let (t, z) = linalg::schur(x);
        let (t, z) = linalg::rsf2csf(&t, &z);
        let below = &t * Array::arange(4).expand_dims(1).gt(Array::arange(4)).astype(t.dtype());
        [z.matmul(&t).matmul(&z.conj().t()).real(), below.abs()]
    };
    "scipy.linalg.fiedler_companion": "[jsp.linalg.fiedler_companion(x[:n] + 6) for n in (7, 6, 3, 2)]" => |x: numbers(7)| {
        [7, 6, 3, 2].map(|n| linalg::fiedler_companion(&(x.slice(0, ..n) + 6)))
    };
    "scipy.linalg.funm": "(lambda z: z.real + z.imag)(jsp.linalg.funm(x, lambda w: jnp.sin(w) + w * w))", 40 => |x: inexact<2>(4, 4)| {
        let image = linalg::funm(x, |w| w.sin() + w * w);
        image.real() + image.imag()
    };
    "lax.linalg.cholesky_update": "lax.linalg.cholesky_update(jnp.triu(x), y)", 4 => |x: wide(4, 4), y: wide(4)| {
        let upper = x * Array::arange(4).expand_dims(1).le(Array::arange(4)).astype(x.dtype());
        ops::cholesky_update(&upper, y)
    };

    // Nothing, zeros, NaN and equal values.
    "numpy.linalg.cholesky": "jnp.linalg.cholesky(x)" => |x: inexact(0, 0)| linalg::cholesky(x);
    "numpy.linalg.cholesky": "jnp.linalg.cholesky(x)" => |x: inexact(0, 3, 3)| linalg::cholesky(x);
    "numpy.linalg.qr": "jnp.linalg.qr(x)" => |x: inexact(0, 3)| linalg::qr(x);
    "numpy.linalg.qr": "jnp.linalg.qr(x, mode='complete')" => |x: inexact(3, 0)| linalg::qr_complete(x);
    "numpy.linalg.eigh": "jnp.linalg.eigh(x)" => |x: inexact(0, 0)| linalg::eigh(x);
    "numpy.linalg.eigh": "jnp.linalg.eigh(x * jnp.nan)[0]" => |x: wide(3, 3)| linalg::eigh(&(x * f64::NAN)).0;
    "numpy.linalg.svd": "jnp.linalg.svd(x)" => |x: inexact(3, 0)| linalg::svd_complete(x);
    "numpy.linalg.svd": "jnp.linalg.svd(x)" => |x: inexact(0, 3, 2)| linalg::svd_complete(x);
    "numpy.linalg.svdvals": "jnp.linalg.svdvals(x * jnp.nan)" => |x: wide(3, 2)| linalg::svdvals(&(x * f64::NAN));
    "numpy.linalg.svdvals": "jnp.linalg.svdvals(x - lax.stop_gradient(x) + jnp.eye(3, dtype=x.dtype))" => |x: wide(3, 3)| linalg::svdvals(&(x - stop_gradient(x) + Array::eye_in(3, 3, 0, x.dtype())));
    "numpy.linalg.eigvalsh": "jnp.linalg.eigvalsh(x - lax.stop_gradient(x) + jnp.eye(3, dtype=x.dtype))" => |x: wide(3, 3)| linalg::eigvalsh(&(x - stop_gradient(x) + Array::eye_in(3, 3, 0, x.dtype())));
    "numpy.linalg.norm": "jnp.linalg.norm(x - lax.stop_gradient(x), ord=2)" => |x: wide(3, 2)| linalg::matrix_norm(&(x - stop_gradient(x)), MatrixNorm::Spectral);
    "numpy.linalg.slogdet": "jnp.linalg.slogdet(x)" => |x: inexact(0, 0)| linalg::slogdet(x);
    "numpy.linalg.slogdet": "jnp.linalg.slogdet(x * 0)" => |x: wide(3, 3)| linalg::slogdet(&(x * 0.0));
    "numpy.linalg.inv": "jnp.linalg.inv(x * 0)" => |x: wide(3, 3)| linalg::inv(&(x * 0.0));
    "numpy.linalg.solve": "jnp.linalg.solve(x, y)" => |x: inexact(0, 0), y: inexact(0)| linalg::solve(x, y);
    "numpy.linalg.pinv": "jnp.linalg.pinv(x * 0)" => |x: wide(2, 3)| linalg::pinv(&(x * 0.0));
    "numpy.linalg.matrix_norm": "jnp.linalg.matrix_norm(x, ord=1)" => |x: inexact(2, 0, 3)| linalg::matrix_norm(x, MatrixNorm::LargestColumn);
    "numpy.linalg.cond": "jnp.linalg.cond(x, p=-2)", 20 => |x: inexact(3, 2)| linalg::cond_by(x, MatrixNorm::SmallestSingular);
    "scipy.linalg.sqrtm": "jsp.linalg.sqrtm(x * 0).real" => |x: wide(2, 2)| linalg::sqrtm(&(x * 0.0)).real();
    "scipy.linalg.expm": "jsp.linalg.expm(x * jnp.inf)" => |x: wide(2, 2)| linalg::expm(&(x * f64::INFINITY));
    "scipy.linalg.lu": "jsp.linalg.lu(x * 0)" => |x: wide(3, 3)| linalg::lu(&(x * 0.0));
    "scipy.linalg.sqrtm": "jsp.linalg.sqrtm(jnp.triu(x) * jnp.array([0, 0, 1], x.dtype)[:, None]).real", 16 => |x: wide<2>(3, 3)| {
        linalg::sqrtm(&(x.triu(0) * Array::from_slice(&[0, 0, 1]).expand_dims(1))).real()
    };
}

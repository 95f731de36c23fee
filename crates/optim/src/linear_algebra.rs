//! Linear algebra beside optimizers: roots of matrices, eigenvectors, least squares and assignments.

use jarrah_array::{Array, DType, Error, custom_jvp, fail, linalg, scan_length, where_, while_loop};

pub use crate::assignment::hungarian_algorithm;

/// The largest eigenvalue of a symmetric matrix in absolute value, and its eigenvector, by at most `iterations` products with the matrix,
/// until `|A v - l v| < tolerance |l|`.
///
/// * `matrix`: `[n, n]`; `start`: `[n]`, not orthogonal to the eigenvector
///
/// ```
/// use jarrah_array::Array;
/// let m = Array::new(&[2.0f32, 0.0, 0.0, 5.0], &[2, 2]);
/// let (value, vector) = jarrah_optim::linear_algebra::power_iteration(&m, &Array::ones(&[2]), 100, 1e-6);
/// assert!((value.item::<f32>()? - 5.0).abs() < 1e-4 && vector.index(1).item::<f32>()? > 0.999);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Golub and van Loan, Matrix computations (2013), 7.3.1.
#[track_caller]
pub fn power_iteration(matrix: &Array, start: &Array, iterations: usize, tolerance: f64) -> (Array, Array) {
    let unit = |v: &Array| v / linalg::norm(v);
    let first = unit(start);
    let init = (first.clone(), matrix.matmul(&first), start.index(0) * 0.0, Array::scalar(0i32));
    let (_, product, value, _) = while_loop(
        |(v, product, value, count): &(Array, Array, Array, Array)| {
            let residual = linalg::norm(&(product - v * value));
            !(residual / value).abs().lt(tolerance) & count.lt(iterations as i64)
        },
        |(_, product, _, count): &(Array, Array, Array, Array)| {
            let v = unit(product);
            let product = matrix.matmul(&v);
            let value = (&v * &product).sum(..);
            (v, product, value, count + 1)
        },
        &init,
    );
    (value, unit(&product))
}

/// `(m + ridge l I)^(-1/p)` of a symmetric positive matrix, where `l` is its largest eigenvalue, by its eigenvalues.
///
/// ```
/// use jarrah_array::Array;
/// let root = jarrah_optim::linear_algebra::matrix_inverse_pth_root(&Array::new(&[16.0f32, 0.0, 0.0, 81.0], &[2, 2]), 4, 0.0);
/// assert!((root.index((0, 0)).item::<f32>()? - 0.5).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Anil et al., Scalable second order optimization for deep learning (2020).
#[track_caller]
pub fn matrix_inverse_pth_root(matrix: &Array, p: usize, ridge: f64) -> Array {
    let (values, vectors) = linalg::eigh(&at_least_f32(matrix));
    let largest = values.max(..);
    let shifted = values.maximum(0.0) + &largest * ridge;
    let roots = where_(&largest.gt(0.0), shifted.pow(-1.0 / p as f64), values.ones_like());
    (&vectors * roots).matmul(&vectors.t()).astype(matrix.dtype())
}

/// A float matrix in a dtype that decompositions take.
pub(crate) fn at_least_f32(x: &Array) -> Array {
    if x.dtype().bits() < 32 { x.astype(DType::F32) } else { x.clone() }
}

/// The `x`, not negative, for which `|A x - b|` is least, by `iterations` accelerated steps of projected gradients.
///
/// * `a`: `[m, n]`; `b`: `[m]` or `[m, k]`
///
/// ```
/// use jarrah_array::Array;
/// let x = jarrah_optim::linear_algebra::nnls(&Array::eye(2), &Array::from_slice(&[2.0f32, -1.0]), 50);
/// assert!((x.index(0).item::<f32>()? - 2.0).abs() < 1e-5 && x.index(1).item::<f32>()? == 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Nesterov (1983); Beck and Teboulle, A fast iterative shrinkage-thresholding algorithm (2009).
#[track_caller]
pub fn nnls(a: &Array, b: &Array, iterations: usize) -> Array {
    if a.rank() != 2 || b.rank() == 0 || b.rank() > 2 || a.shape()[0] != b.shape()[0] {
        let error = Error::program(format!("{} and {} do not fit", a.ty(), b.ty()));
        fail(error.op("nnls").help("give [m, n] and [m] or [m, k]"));
    }
    let (gram, right) = (a.t().matmul(a), a.t().matmul(b));
    // A bound of the largest eigenvalue: the smaller of two norms.
    let bound = linalg::norm(&gram).minimum(gram.abs().sum(0).max(..));
    let bound = where_(&bound.eq(0.0), bound.ones_like(), bound);
    let zero = right.zeros_like();
    let init = (zero.clone(), zero, Array::full(&[], 0.0, right.dtype()));
    let step = |(x, p, c): &(Array, Array, Array), (): &()| {
        let next = ((c.square() * 4.0 + 1.0).sqrt() + 1.0) / 2.0;
        let new = (p - (gram.matmul(p) - &right) / &bound).maximum(0.0);
        let ahead = &new + (&new - x) * ((c - 1.0) / &next);
        ((new, ahead, next), ())
    };
    let ((x, _, _), ()) = scan_length(step, &init, &(), iterations);
    x
}

/// `x`, whose gradient is multiplied by `scale`.
///
/// ```
/// use jarrah_array::{Array, grad};
/// use jarrah_optim::linear_algebra::scale_gradient;
/// let slope = grad(|x: &Array| scale_gradient(x, -2.0).square())(&Array::scalar(3.0));
/// assert_eq!(slope.item::<f32>()?, -12.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ganin and Lempitsky, Unsupervised domain adaptation by backpropagation (2015).
pub fn scale_gradient(x: &Array, scale: f64) -> Array {
    custom_jvp(|x: &Array| x.clone(), move |x: &Array, dx: &Array| (x.clone(), dx * scale))(x)
}

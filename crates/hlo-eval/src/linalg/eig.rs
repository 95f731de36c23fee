use super::field::{C, Field};
use super::householder::norm;
use super::matrix::Matrix;
use super::schur::{HasSchur, schur};

/// Eigenvalues, left and right eigenvectors.
pub struct Eig {
    pub values: Vec<C>,
    /// Columns `u` with `u^H A = w u^H`.
    pub left: Matrix<C>,
    /// Columns `v` with `A v = w v`.
    pub right: Matrix<C>,
}

/// The eigenvalues of a general matrix in the order of its Schur form, with vectors of length one whose largest element
/// is real; all NaN if it does not converge.
pub fn eig<T: HasSchur>(a: &Matrix<T>) -> Eig {
    let n = a.rows;
    let nan = C::new(f64::NAN, f64::NAN);
    let size = a.largest();
    let mut scaled = a.clone();
    if size > 0.0 && size.is_finite() {
        scaled.scale(1.0 / size);
    }
    let Some((t, z)) = schur(&scaled) else {
        return Eig {
            values: vec![nan; n],
            left: Matrix::filled(n, n, nan),
            right: Matrix::filled(n, n, nan),
        };
    };
    let complex = |m: &Matrix<T>| Matrix::from_fn(n, n, |i, j| C::new(m[(i, j)].re(), m[(i, j)].im()));
    let (t, z) = (complex(&t), complex(&z));
    let values = block_values(&t);
    let mut right = z.product(&vectors(&t, &values));
    normalize(&mut right);
    // u^H T = w u^H says T^T conj(u) = w conj(u); with rows and columns reversed T^T is upper triangular again.
    let reversed = Matrix::from_fn(n, n, |i, j| t[(n - 1 - j, n - 1 - i)]);
    let backwards: Vec<C> = values.iter().rev().copied().collect();
    let found = vectors(&reversed, &backwards);
    let mut left = z.product(&Matrix::from_fn(n, n, |i, j| found[(n - 1 - i, n - 1 - j)].conj()));
    normalize(&mut left);
    Eig { values: values.iter().map(|w| w.scale(size)).collect(), left, right }
}

/// The eigenvalues of a matrix in Schur form, those of a block of two with the positive imaginary part first.
fn block_values(t: &Matrix<C>) -> Vec<C> {
    let n = t.rows;
    let mut values: Vec<C> = (0..n).map(|i| t[(i, i)]).collect();
    for i in 0..n.saturating_sub(1) {
        if t[(i + 1, i)] != C::ZERO {
            let im = t[(i, i + 1)].abs().sqrt() * t[(i + 1, i)].abs().sqrt();
            values[i].im = im;
            values[i + 1].im = -im;
        }
    }
    values
}

/// An eigenvector of a block triangular matrix in each column, by substitution from its own block upwards.
fn vectors(t: &Matrix<C>, values: &[C]) -> Matrix<C> {
    let n = t.rows;
    // A matrix that is not zero was scaled to have elements up to one.
    let floor = f64::EPSILON;
    let kept = |x: C| if x.size() < floor { C::from_re(floor) } else { x };
    let joined = |i: usize| i > 0 && t[(i, i - 1)] != C::ZERO;
    let mut out = Matrix::zeros(n, n);
    for k in 0..n {
        let w = values[k];
        let mut x = vec![C::ZERO; n];
        // The eigenvalue's own block is rows `top..=last`.
        let top = if joined(k) { k - 1 } else { k };
        let last = if top + 1 < n && joined(top + 1) { top + 1 } else { top };
        if last > top {
            let (b, c) = (t[(top, last)], t[(last, top)]);
            if b.size() >= c.size() {
                (x[top], x[last]) = (C::ONE, (w - t[(top, top)]).over(b));
            } else {
                (x[top], x[last]) = ((w - t[(last, last)]).over(c), C::ONE);
            }
        } else {
            x[top] = C::ONE;
        }
        let mut i = top;
        while i > 0 {
            i -= 1;
            let residual = |row: usize, x: &[C]| -(i + 1..=last).fold(C::ZERO, |s, j| s + t[(row, j)] * x[j]);
            if joined(i) {
                let (r, s) = (residual(i - 1, &x), residual(i, &x));
                let (a, b, c, d) = (t[(i - 1, i - 1)] - w, t[(i - 1, i)], t[(i, i - 1)], t[(i, i)] - w);
                let det = kept(a * d - b * c);
                (x[i - 1], x[i]) = ((d * r - b * s).over(det), (a * s - c * r).over(det));
                i -= 1;
            } else {
                x[i] = residual(i, &x).over(kept(t[(i, i)] - w));
            }
            let largest = x.iter().fold(0.0f64, |m, x| x.size().max(m));
            if largest > 1e100 {
                x.iter_mut().for_each(|x| *x = x.scale(1.0 / largest));
            }
        }
        for (i, x) in x.into_iter().enumerate() {
            out[(i, k)] = x;
        }
    }
    out
}

/// Columns of length one whose largest element is positive.
fn normalize(v: &mut Matrix<C>) {
    for j in 0..v.cols {
        let column: Vec<C> = (0..v.rows).map(|i| v[(i, j)]).collect();
        let length = norm(&column);
        let mut largest = 0;
        for (i, x) in column.iter().enumerate() {
            if x.abs2() > column[largest].abs2() {
                largest = i;
            }
        }
        let size = column[largest].abs();
        let factor = column[largest].conj().scale(1.0 / size);
        for (i, &x) in column.iter().enumerate() {
            v[(i, j)] = (x * factor).scale(1.0 / length);
        }
        v[(largest, j)] = C::from_re(size / length);
    }
}

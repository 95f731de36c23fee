use super::field::Field;
use super::matrix::Matrix;

/// The form in which the matrix of a triangular system is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Apply {
    Plain,
    Transposed,
    Adjoint,
}

/// The lower factor of a Hermitian positive definite matrix, `A = L L^H`; only the lower triangle of `A` is read, and
/// the other one of the result is zero. All NaN unless `A` is positive definite.
pub fn cholesky<T: Field>(a: &Matrix<T>) -> Matrix<T> {
    let n = a.rows;
    let mut l = Matrix::<T>::zeros(n, n);
    for i in 0..n {
        for j in 0..=i {
            let mut sum = a[(i, j)];
            for k in 0..j {
                sum -= l[(i, k)] * l[(j, k)].conj();
            }
            if i == j {
                if !(sum.re() > 0.0 && sum.re().is_finite()) {
                    return Matrix::filled(n, n, T::from_parts(f64::NAN, f64::NAN));
                }
                l[(i, i)] = T::from_re(sum.re().sqrt());
            } else {
                l[(i, j)] = sum.over(l[(j, j)]);
            }
        }
    }
    l
}

/// The `x` with `op(A) x = b`, where `A` is triangular and the other triangle is not read.
pub fn solve<T: Field>(a: &Matrix<T>, b: &Matrix<T>, lower: bool, unit: bool, apply: Apply) -> Matrix<T> {
    let n = a.rows;
    let at = |i: usize, j: usize| match apply {
        Apply::Plain => a[(i, j)],
        Apply::Transposed => a[(j, i)],
        Apply::Adjoint => a[(j, i)].conj(),
    };
    let forward = lower == (apply == Apply::Plain);
    let mut x = b.clone();
    for step in 0..n {
        let i = if forward { step } else { n - 1 - step };
        let done = if forward { 0..i } else { i + 1..n };
        for k in done {
            let factor = at(i, k);
            let (row, known) = x.two_rows(i, k);
            for (r, &k) in row.iter_mut().zip(&*known) {
                *r -= factor * k;
            }
        }
        if !unit {
            let pivot = at(i, i);
            x.row_mut(i).iter_mut().for_each(|x| *x = x.over(pivot));
        }
    }
    x
}

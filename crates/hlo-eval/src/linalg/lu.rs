use super::field::Field;
use super::matrix::Matrix;

/// `A = P L U` with partial pivoting, the first of the largest elements winning: both factors in one matrix, the row
/// exchanged with row `k` in step `k`, and the permutation they make.
pub fn lu<T: Field>(a: &Matrix<T>) -> (Matrix<T>, Vec<i32>, Vec<i32>) {
    let (m, n) = (a.rows, a.cols);
    let mut lu = a.clone();
    let mut pivots = Vec::with_capacity(m.min(n));
    let mut permutation: Vec<i32> = (0..m as i32).collect();
    for k in 0..m.min(n) {
        let mut pivot = k;
        for i in k + 1..m {
            if lu[(i, k)].size() > lu[(pivot, k)].size() {
                pivot = i;
            }
        }
        pivots.push(pivot as i32);
        if pivot != k {
            let (a, b) = lu.two_rows(k, pivot);
            a.swap_with_slice(b);
            permutation.swap(k, pivot);
        }
        if lu[(k, k)] == T::ZERO {
            continue;
        }
        for i in k + 1..m {
            let factor = lu[(i, k)].over(lu[(k, k)]);
            lu[(i, k)] = factor;
            let (row, pivot) = lu.two_rows(i, k);
            for (r, &p) in row[k + 1..].iter_mut().zip(&pivot[k + 1..]) {
                *r -= factor * p;
            }
        }
    }
    (lu, pivots, permutation)
}

/// The solution of a tridiagonal system by elimination with partial pivoting: `lower[0]` and `upper[n - 1]` are not
/// read. All NaN if the matrix is singular.
pub fn solve_tridiagonal<T: Field>(lower: &[T], diagonal: &[T], upper: &[T], b: &Matrix<T>) -> Matrix<T> {
    let n = diagonal.len();
    let mut x = b.clone();
    // Row `i` during elimination: its diagonal and the two elements after it.
    let mut d = diagonal.to_vec();
    let mut u = upper.to_vec();
    let mut v = vec![T::ZERO; n];
    for i in 0..n.saturating_sub(1) {
        let below = lower[i + 1];
        if d[i].size() >= below.size() {
            if d[i] == T::ZERO {
                continue;
            }
            let factor = below.over(d[i]);
            d[i + 1] -= factor * u[i];
            let (row, next) = x.two_rows(i, i + 1);
            for (n, &r) in next.iter_mut().zip(&*row) {
                *n -= factor * r;
            }
        } else {
            let factor = d[i].over(below);
            d[i] = below;
            let diagonal = d[i + 1];
            d[i + 1] = u[i] - factor * diagonal;
            u[i] = diagonal;
            if i + 2 < n {
                v[i] = u[i + 1];
                u[i + 1] = -(factor * v[i]);
            }
            let (row, next) = x.two_rows(i, i + 1);
            for (n, r) in next.iter_mut().zip(row) {
                let old = *r;
                *r = *n;
                *n = old - factor * *r;
            }
        }
    }
    if d.contains(&T::ZERO) {
        return Matrix::filled(b.rows, b.cols, T::from_parts(f64::NAN, f64::NAN));
    }
    for i in (0..n).rev() {
        for j in 0..x.cols {
            let mut sum = x[(i, j)];
            if i + 1 < n {
                sum -= u[i] * x[(i + 1, j)];
            }
            if i + 2 < n {
                sum -= v[i] * x[(i + 2, j)];
            }
            x[(i, j)] = sum.over(d[i]);
        }
    }
    x
}

use super::field::{Field, inner};
use super::householder::{norm, pivoted, product};
use super::matrix::Matrix;

/// `A = U diag(s) V^H`.
pub struct Svd<T> {
    pub u: Matrix<T>,
    pub s: Vec<f64>,
    /// `V^H`.
    pub vt: Matrix<T>,
}

/// The singular values in descending order with their vectors: square `u` and `vt` if `full`, else as many as values.
/// All NaN if an element is not finite.
pub fn svd<T: Field>(a: &Matrix<T>, full: bool) -> Svd<T> {
    let (m, n) = (a.rows, a.cols);
    let k = m.min(n);
    let (us, vs) = if full { (m, n) } else { (k, k) };
    if !a.is_finite() {
        let nan = T::from_parts(f64::NAN, f64::NAN);
        return Svd { u: Matrix::filled(m, us, nan), s: vec![f64::NAN; k], vt: Matrix::filled(vs, n, nan) };
    }
    if m < n {
        let Svd { u, s, vt } = svd(&a.adjoint(), full);
        return Svd { u: vt.adjoint(), s, vt: u.adjoint() };
    }
    let size = a.largest();
    let mut scaled = a.clone();
    if size > 0.0 {
        scaled.scale(1.0 / size);
    }
    let (packed, taus, order) = pivoted(&scaled);
    // Columns beyond those of A complete the basis.
    let wide = Matrix::from_fn(m, us, |i, j| if j < n { packed[(i, j)] } else { T::ZERO });
    let q = product(&wide, &taus);
    let r = Matrix::from_fn(n, n, |i, j| if i <= j { packed[(i, j)] } else { T::ZERO });
    let (left, mut s, right) = jacobi(&r);
    let inner = Matrix::from_fn(us, us, |i, j| {
        if i < n && j < n {
            left[(i, j)]
        } else if i == j {
            T::ONE
        } else {
            T::ZERO
        }
    });
    s.iter_mut().for_each(|s| *s *= size);
    // A P = Q R = (Q U) diag(s) V^H, so A = (Q U) diag(s) (P V)^H.
    let mut vt = Matrix::zeros(n, n);
    for (j, &column) in order.iter().enumerate() {
        for i in 0..n {
            vt[(i, column)] = right[(j, i)].conj();
        }
    }
    Svd { u: q.product(&inner), s, vt }
}

/// Vectors longer than this have squares that do not underflow.
const SHORT: f64 = 1e-140;

fn length<T: Field>(x: &[T]) -> f64 {
    let length = inner(x, x).re().sqrt();
    if length > SHORT { length } else { norm(x) }
}

/// The decomposition `R = U diag(s) V^H` of a square matrix by one-sided Jacobi rotations of the columns of `R^H`, which
/// converges fast for the triangular `R` of a pivoted QR and gives small singular values with full relative accuracy.
fn jacobi<T: Field>(r: &Matrix<T>) -> (Matrix<T>, Vec<f64>, Matrix<T>) {
    let n = r.rows;
    // Row i is the column i of R^H W, and of W, for the unitary W of all rotations so far.
    let mut x = Matrix::from_fn(n, n, |i, j| r[(i, j)].conj());
    let mut w = Matrix::<T>::identity(n);
    let mut lengths: Vec<f64> = (0..n).map(|i| norm(x.row(i))).collect();
    let tolerance = f64::EPSILON * (n as f64).sqrt();
    for _ in 0..60 {
        let mut quiet = true;
        for p in 0..n {
            for q in p + 1..n {
                let (a, b) = x.two_rows(p, q);
                let (aa, bb) = (lengths[p], lengths[q]);
                if aa == 0.0 || bb == 0.0 {
                    continue;
                }
                let inner = if aa.min(bb) > SHORT {
                    inner(a, b).scale(1.0 / aa).scale(1.0 / bb)
                } else {
                    // Unit vectors, so that neither the product nor the squares underflow.
                    let unit = |(&a, &b): (&T, &T)| a.scale(1.0 / aa).conj() * b.scale(1.0 / bb);
                    a.iter().zip(&*b).map(unit).fold(T::ZERO, |s, x| s + x)
                };
                let cosine = inner.abs();
                if cosine <= tolerance {
                    continue;
                }
                quiet = false;
                let phase = inner.conj().scale(1.0 / cosine);
                let zeta = (bb / aa - aa / bb) / (2.0 * cosine);
                let t = 1.0f64.copysign(zeta) / (zeta.abs() + zeta.hypot(1.0));
                let t = if zeta.is_infinite() { 0.0 } else { t };
                let c = 1.0 / t.hypot(1.0);
                for rows in [(a, b), w.two_rows(p, q)] {
                    for (a, b) in rows.0.iter_mut().zip(rows.1) {
                        let turned = *b * phase;
                        (*a, *b) = (a.scale(c) - turned.scale(c * t), a.scale(c * t) + turned.scale(c));
                    }
                }
                (lengths[p], lengths[q]) = (length(x.row(p)), length(x.row(q)));
            }
        }
        if quiet {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| lengths[j].total_cmp(&lengths[i]));
    let s: Vec<f64> = order.iter().map(|&i| lengths[i]).collect();
    // R^H W = V diag(s), so R = W diag(s) V^H.
    let u = Matrix::from_fn(n, n, |i, j| w[(order[j], i)]);
    let mut columns = Matrix::from_fn(n, n, |i, j| x[(order[i], j)]);
    for (i, &length) in s.iter().enumerate() {
        if length > 0.0 {
            columns.row_mut(i).iter_mut().for_each(|x| *x = x.scale(1.0 / length));
        } else {
            complete(&mut columns, i);
        }
    }
    (u, s, columns.transpose())
}

/// Row `i` becomes a unit vector orthogonal to the rows before it: of the axes, the one that is farthest from them.
fn complete<T: Field>(rows: &mut Matrix<T>, i: usize) {
    let n = rows.cols;
    let covered = |axis: usize| (0..i).map(|k| rows[(k, axis)].abs2()).sum::<f64>();
    let axis = (0..n).min_by(|&a, &b| covered(a).total_cmp(&covered(b))).unwrap_or(0);
    rows.row_mut(i).fill(T::ZERO);
    rows[(i, axis)] = T::ONE;
    for _ in 0..2 {
        for k in 0..i {
            let (row, other) = rows.two_rows(i, k);
            let along = row.iter().zip(&*other).fold(T::ZERO, |s, (&x, &y)| s + x * y.conj());
            for (x, &y) in row.iter_mut().zip(&*other) {
                *x -= along * y;
            }
        }
    }
    let length = norm(rows.row(i));
    rows.row_mut(i).iter_mut().for_each(|x| *x = x.scale(1.0 / length));
}

use super::field::Field;
use super::householder::{shifted_product, tridiagonal};
use super::matrix::Matrix;

/// The eigenvalues of a Hermitian matrix in ascending order, and an orthonormal eigenvector in each column; all NaN if
/// an element is not finite. Only one triangle is read.
pub fn eigh<T: Field>(a: &Matrix<T>, lower: bool) -> (Matrix<T>, Vec<f64>) {
    let n = a.rows;
    let full = Matrix::from_fn(n, n, |i, j| {
        if i == j {
            T::from_re(a[(i, i)].re())
        } else if (i > j) == lower {
            a[(i, j)]
        } else {
            a[(j, i)].conj()
        }
    });
    let failed = || (Matrix::filled(n, n, T::from_parts(f64::NAN, f64::NAN)), vec![f64::NAN; n]);
    if !full.is_finite() {
        return failed();
    }
    let size = full.largest();
    let mut scaled = full;
    if size > 0.0 {
        scaled.scale(1.0 / size);
    }
    let (packed, mut d, mut e, taus) = tridiagonal(&scaled, true);
    // Rows are eigenvectors while they are rotated, so that they are contiguous.
    let mut vectors = shifted_product(&packed, &taus).transpose();
    if !implicit_ql(&mut d, &mut e, &mut vectors) {
        return failed();
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| d[i].total_cmp(&d[j]));
    let values = order.iter().map(|&i| d[i] * size).collect();
    (Matrix::from_fn(n, n, |i, j| vectors[(order[j], i)]), values)
}

/// The eigenvalues of a real symmetric tridiagonal matrix replace its diagonal; the rotations act on the rows of
/// `vectors`. Whether it converged.
fn implicit_ql<T: Field>(d: &mut [f64], e: &mut Vec<f64>, vectors: &mut Matrix<T>) -> bool {
    let n = d.len();
    e.push(0.0);
    for l in 0..n {
        let mut rounds = 0;
        loop {
            let small = |m: usize| e[m].abs() <= f64::EPSILON * (d[m].abs() * d[m + 1].abs()).sqrt();
            let m = (l..n - 1).find(|&m| small(m) || e[m].abs() < f64::MIN_POSITIVE).unwrap_or(n - 1);
            if m == l {
                break;
            }
            rounds += 1;
            if rounds > 60 {
                return false;
            }
            // Wilkinson's shift.
            let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let mut g = d[m] - d[l] + e[l] / (g + g.hypot(1.0).copysign(g));
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut deflated = false;
            for i in (l..m).rev() {
                let (f, b) = (s * e[i], c * e[i]);
                let r = f.hypot(g);
                e[i + 1] = r;
                if r == 0.0 {
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    deflated = true;
                    break;
                }
                (s, c) = (f / r, g / r);
                g = d[i + 1] - p;
                let r = (d[i] - g) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
                let (this, next) = vectors.two_rows(i, i + 1);
                rotate(next, this, c, s);
            }
            if !deflated {
                d[l] -= p;
                e[l] = g;
                e[m] = 0.0;
            }
        }
    }
    true
}

/// `(x, y)` becomes `(c x + s y, c y - s x)`.
pub fn rotate<T: Field>(x: &mut [T], y: &mut [T], c: f64, s: f64) {
    for (x, y) in x.iter_mut().zip(y) {
        (*x, *y) = (x.scale(c) + y.scale(s), y.scale(c) - x.scale(s));
    }
}

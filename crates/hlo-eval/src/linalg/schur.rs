use super::eigh::rotate;
use super::field::{C, Field};
use super::householder::{hessenberg, reflector, shifted_product};
use super::matrix::Matrix;

/// A field whose matrices have a Schur form of their own.
pub trait HasSchur: Field {
    /// Brings a Hessenberg matrix to Schur form; the rotations act on the columns of `z`. Whether it converged.
    fn iterate(h: &mut Matrix<Self>, z: &mut Matrix<Self>) -> bool;
}

/// `A = Z T Z^H` with a unitary `Z`; `T` is triangular, or over the reals block triangular with blocks of two that
/// have equal diagonal elements and off-diagonal ones of opposite signs. `None` if it does not converge.
pub fn schur<T: HasSchur>(a: &Matrix<T>) -> Option<(Matrix<T>, Matrix<T>)> {
    if !a.is_finite() {
        return None;
    }
    let (packed, taus) = hessenberg(a);
    let mut z = shifted_product(&packed, &taus);
    let mut h = Matrix::from_fn(a.rows, a.rows, |i, j| if i <= j + 1 { packed[(i, j)] } else { T::ZERO });
    T::iterate(&mut h, &mut z).then_some((h, z))
}

/// Columns `p` and `q`, `(x, y)`, become `(c x + s y, c y - s x)` in the first `rows` rows.
fn rotate_columns(a: &mut Matrix<f64>, p: usize, q: usize, rows: usize, c: f64, s: f64) {
    for i in 0..rows {
        let (x, y) = (a[(i, p)], a[(i, q)]);
        (a[(i, p)], a[(i, q)]) = (c * x + s * y, c * y - s * x);
    }
}

/// Whether the element below the diagonal in row `k` of the active block is negligible, by the test of Ahues and
/// Tisseur.
fn negligible<T: Field>(h: &Matrix<T>, k: usize) -> bool {
    let n = h.rows;
    let tiny = f64::MIN_POSITIVE * (n as f64 / f64::EPSILON);
    let below = h[(k, k - 1)].size();
    if below <= tiny {
        return true;
    }
    let mut size = h[(k - 1, k - 1)].size() + h[(k, k)].size();
    if size == 0.0 {
        if k >= 2 {
            size += h[(k - 1, k - 2)].size();
        }
        if k + 1 < n {
            size += h[(k + 1, k)].size();
        }
    }
    if below > f64::EPSILON * size {
        return false;
    }
    let beside = h[(k - 1, k)].size();
    let (ab, ba) = (below.max(beside), below.min(beside));
    let (here, gap) = (h[(k, k)].size(), (h[(k - 1, k - 1)] - h[(k, k)]).size());
    let (aa, bb) = (here.max(gap), here.min(gap));
    let s = aa + ab;
    ba * (ab / s) <= tiny.max(f64::EPSILON * (bb * (aa / s)))
}

impl HasSchur for f64 {
    /// Francis' double shift, as in LAPACK's `dlahqr`.
    fn iterate(h: &mut Matrix<f64>, z: &mut Matrix<f64>) -> bool {
        let n = h.rows;
        // The active block ends before `end`.
        let mut end = n;
        while end > 0 {
            let i = end - 1;
            let mut round = 0;
            let start = loop {
                let l = (1..=i).rev().find(|&k| negligible(h, k)).unwrap_or(0);
                if l > 0 {
                    h[(l, l - 1)] = 0.0;
                }
                if l + 1 >= i {
                    break l;
                }
                round += 1;
                if round > 30 * n.max(10) {
                    return false;
                }
                sweep(h, z, l, i, round);
            };
            if start < i {
                standardize(h, z, i - 1);
            }
            end = start;
        }
        true
    }
}

/// One double-shift sweep over rows `l..=i`.
fn sweep(h: &mut Matrix<f64>, z: &mut Matrix<f64>, l: usize, i: usize, round: usize) {
    let n = h.rows;
    let block = match round % 20 {
        10 => {
            let s = h[(l + 1, l)].abs() + h[(l + 2, l + 1)].abs();
            let d = 0.75 * s + h[(l, l)];
            [d, -0.4375 * s, s, d]
        }
        0 => {
            let s = h[(i, i - 1)].abs() + h[(i - 1, i - 2)].abs();
            let d = 0.75 * s + h[(i, i)];
            [d, -0.4375 * s, s, d]
        }
        _ => [h[(i - 1, i - 1)], h[(i - 1, i)], h[(i, i - 1)], h[(i, i)]],
    };
    let ([re1, im1], [re2, im2]) = shifts(block);
    // The first column of (H - shift 1)(H - shift 2), where two consecutive small elements allow to begin.
    let mut m = i - 2;
    let first = loop {
        let (d, below) = (h[(m, m)], h[(m + 1, m)]);
        let s = (d - re2).abs() + im2.abs() + below.abs();
        let scaled = below / s;
        let mut first = [
            scaled * h[(m, m + 1)] + (d - re1) * ((d - re2) / s) - im1 * (im2 / s),
            scaled * (d + h[(m + 1, m + 1)] - re1 - re2),
            scaled * h[(m + 2, m + 1)],
        ];
        let size: f64 = first.iter().map(|x| x.abs()).sum();
        first.iter_mut().for_each(|x| *x /= size);
        if m == l {
            break first;
        }
        let around = h[(m - 1, m - 1)].abs() + d.abs() + h[(m + 1, m + 1)].abs();
        if h[(m, m - 1)].abs() * (first[1].abs() + first[2].abs()) <= f64::EPSILON * first[0].abs() * around {
            break first;
        }
        m -= 1;
    };
    for k in m..i {
        let count = 3.min(i - k + 1);
        let mut v = first;
        if k > m {
            for (p, v) in v[..count].iter_mut().enumerate() {
                *v = h[(k + p, k - 1)];
            }
        }
        let tau = reflector(&mut v[..count]);
        if k > m {
            h[(k, k - 1)] = v[0];
            for p in 1..count {
                h[(k + p, k - 1)] = 0.0;
            }
        } else if m > l {
            h[(k, k - 1)] *= 1.0 - tau;
        }
        v[0] = 1.0;
        let v = &v[..count];
        for j in k..n {
            let sum: f64 = v.iter().enumerate().map(|(p, v)| v * h[(k + p, j)]).sum();
            for (p, v) in v.iter().enumerate() {
                h[(k + p, j)] -= sum * tau * v;
            }
        }
        for (a, rows) in [(&mut *h, (k + 3).min(i) + 1), (&mut *z, n)] {
            for j in 0..rows {
                let sum: f64 = v.iter().enumerate().map(|(p, v)| v * a[(j, k + p)]).sum();
                for (p, v) in v.iter().enumerate() {
                    a[(j, k + p)] -= sum * tau * v;
                }
            }
        }
    }
}

/// The eigenvalues of a block of two, as `[re, im]`; if they are real, the one closer to the last element twice.
fn shifts([a, b, c, d]: [f64; 4]) -> ([f64; 2], [f64; 2]) {
    let s = a.abs() + b.abs() + c.abs() + d.abs();
    if s == 0.0 {
        return ([0.0; 2], [0.0; 2]);
    }
    let (a, b, c, d) = (a / s, b / s, c / s, d / s);
    let middle = (a + d) / 2.0;
    let det = (a - middle) * (d - middle) - b * c;
    let root = det.abs().sqrt();
    if det >= 0.0 {
        return ([middle * s, root * s], [middle * s, -root * s]);
    }
    let (above, below) = (middle + root, middle - root);
    let closer = if (above - d).abs() <= (below - d).abs() { above } else { below };
    ([closer * s, 0.0], [closer * s, 0.0])
}

/// The block of rows and columns `p`, `p + 1` in standard form, as LAPACK's `dlanv2`.
fn standardize(h: &mut Matrix<f64>, z: &mut Matrix<f64>, p: usize) {
    let (n, q) = (h.rows, p + 1);
    let ([a, b, c, d], cs, sn) = standard_block([h[(p, p)], h[(p, q)], h[(q, p)], h[(q, q)]]);
    let (above, below) = h.two_rows(p, q);
    rotate(&mut above[q + 1..], &mut below[q + 1..], cs, sn);
    rotate_columns(h, p, q, p, cs, sn);
    rotate_columns(z, p, q, n, cs, sn);
    (h[(p, p)], h[(p, q)], h[(q, p)], h[(q, q)]) = (a, b, c, d);
}

fn standard_block([a, b, c, d]: [f64; 4]) -> ([f64; 4], f64, f64) {
    if c == 0.0 {
        return ([a, b, c, d], 1.0, 0.0);
    }
    if b == 0.0 {
        return ([d, -c, 0.0, a], 0.0, 1.0);
    }
    let opposite = b.signum() != c.signum();
    if a == d && opposite {
        return ([a, b, c, d], 1.0, 0.0);
    }
    let gap = a - d;
    let p = 0.5 * gap;
    let larger = b.abs().max(c.abs());
    let smaller = b.abs().min(c.abs()) * if opposite { -1.0 } else { 1.0 };
    let scale = p.abs().max(larger);
    let w = p / scale * p + larger / scale * smaller;
    if w >= 4.0 * f64::EPSILON {
        let w = p + (scale.sqrt() * w.sqrt()).copysign(p);
        let tau = c.hypot(w);
        return ([d + w, b - c, 0.0, d - larger / w * smaller], w / tau, c / tau);
    }
    // Complex, or real and almost equal: make the diagonal elements equal.
    let sigma = b + c;
    let tau = sigma.hypot(gap);
    let cs = (0.5 * (1.0 + sigma.abs() / tau)).sqrt();
    let sn = -(p / (tau * cs)) * 1.0f64.copysign(sigma);
    let (aa, bb, cc, dd) = (a * cs + b * sn, b * cs - a * sn, c * cs + d * sn, d * cs - c * sn);
    let (a, b, c, d) = (aa * cs + cc * sn, bb * cs + dd * sn, cc * cs - aa * sn, dd * cs - bb * sn);
    let middle = 0.5 * (a + d);
    if c == 0.0 || (b != 0.0 && b.signum() != c.signum()) {
        return ([middle, b, c, middle], cs, sn);
    }
    if b == 0.0 {
        return ([middle, -c, 0.0, middle], -sn, cs);
    }
    let (sab, sac) = (b.abs().sqrt(), c.abs().sqrt());
    let p = (sab * sac).copysign(c);
    let tau = 1.0 / (b + c).abs().sqrt();
    let (cs1, sn1) = (sab * tau, sac * tau);
    ([middle + p, b - c, 0.0, middle - p], cs * cs1 - sn * sn1, cs * sn1 + sn * cs1)
}

impl HasSchur for C {
    /// One shift at a time, by rotations.
    fn iterate(h: &mut Matrix<C>, z: &mut Matrix<C>) -> bool {
        let n = h.rows;
        let mut end = n;
        while end > 0 {
            let i = end - 1;
            let mut round = 0;
            loop {
                let l = (1..=i).rev().find(|&k| negligible(h, k)).unwrap_or(0);
                if l > 0 {
                    h[(l, l - 1)] = C::ZERO;
                }
                if l == i {
                    break;
                }
                round += 1;
                if round > 30 * n.max(10) {
                    return false;
                }
                let shift = match round % 20 {
                    10 => h[(l, l)] + C::from_re(0.75 * h[(l + 1, l)].size()),
                    0 => h[(i, i)] + C::from_re(0.75 * h[(i, i - 1)].size()),
                    _ => closer_eigenvalue([h[(i - 1, i - 1)], h[(i - 1, i)], h[(i, i - 1)], h[(i, i)]]),
                };
                let (mut x, mut y) = (h[(l, l)] - shift, h[(l + 1, l)]);
                for k in l..i {
                    let length = x.abs().hypot(y.abs());
                    let (c, s) = if length == 0.0 {
                        (C::ONE, C::ZERO)
                    } else {
                        (x.scale(1.0 / length), y.scale(1.0 / length))
                    };
                    // [c* s*; -s c] (x, y) = (length, 0).
                    let from = if k > l { k - 1 } else { l };
                    for j in from..n {
                        let (a, b) = (h[(k, j)], h[(k + 1, j)]);
                        (h[(k, j)], h[(k + 1, j)]) = (c.conj() * a + s.conj() * b, c * b - s * a);
                    }
                    if k > l {
                        h[(k + 1, k - 1)] = C::ZERO;
                    }
                    let rows = (k + 2).min(i) + 1;
                    for (m, rows) in [(&mut *h, rows), (&mut *z, n)] {
                        for j in 0..rows {
                            let (a, b) = (m[(j, k)], m[(j, k + 1)]);
                            (m[(j, k)], m[(j, k + 1)]) = (a * c + b * s, b * c.conj() - a * s.conj());
                        }
                    }
                    if k + 1 < i {
                        (x, y) = (h[(k + 1, k)], h[(k + 2, k)]);
                    }
                }
            }
            end = i;
        }
        true
    }
}

/// The eigenvalue of a block of two that is closer to its last element.
fn closer_eigenvalue([a, b, c, d]: [C; 4]) -> C {
    let half = (a - d).scale(0.5);
    let inner = b * c;
    let root = (half * half + inner).sqrt();
    let sum = if (half + root).abs2() >= (half - root).abs2() { half + root } else { half - root };
    if sum == C::ZERO { d } else { d - inner.over(sum) }
}

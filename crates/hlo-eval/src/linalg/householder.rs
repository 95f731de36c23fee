use super::field::Field;
use super::matrix::Matrix;

/// The reflection `H = I - tau v v^H`, `v[0] = 1`, with `H^H x = (beta, 0, ..., 0)` and a real `beta`: `x` becomes
/// `(beta, v[1], v[2], ...)`. The sign of `beta` is the opposite of that of `x[0]`, and `tau = 0` where nothing has to
/// be reflected, as in LAPACK.
pub fn reflector<T: Field>(x: &mut [T]) -> T {
    let Some((&mut alpha, tail)) = x.split_first_mut() else { return T::ZERO };
    let rest = norm(tail);
    if rest == 0.0 && alpha.im() == 0.0 {
        return T::ZERO;
    }
    let beta = -alpha.abs().hypot(rest).copysign(alpha.re());
    let scale = T::ONE.over(alpha - T::from_re(beta));
    tail.iter_mut().for_each(|x| *x = *x * scale);
    x[0] = T::from_re(beta);
    T::from_parts((beta - alpha.re()) / beta, -alpha.im() / beta)
}

/// The Euclidean length, without overflow on the way.
pub fn norm<T: Field>(x: &[T]) -> f64 {
    let largest = x.iter().fold(0.0f64, |m, x| x.size().max(m));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    x.iter().map(|x| x.scale(1.0 / largest).abs2()).sum::<f64>().sqrt() * largest
}

/// `(I - tau v v^H) A` in rows `top..` and columns `left..`; `v` starts at `top`.
fn reflect_rows<T: Field>(a: &mut Matrix<T>, v: &[T], tau: T, top: usize, left: usize) {
    let mut sums = vec![T::ZERO; a.cols - left];
    for (i, &v) in v.iter().enumerate() {
        for (sum, &x) in sums.iter_mut().zip(&a.row(top + i)[left..]) {
            *sum += v.conj() * x;
        }
    }
    for (i, &v) in v.iter().enumerate() {
        let factor = tau * v;
        for (x, &sum) in a.row_mut(top + i)[left..].iter_mut().zip(&sums) {
            *x -= factor * sum;
        }
    }
}

/// `A (I - tau v v^H)` in columns `left..`; `v` starts at `left`.
fn reflect_columns<T: Field>(a: &mut Matrix<T>, v: &[T], tau: T, left: usize) {
    for i in 0..a.rows {
        let row = &mut a.row_mut(i)[left..left + v.len()];
        let sum = row.iter().zip(v).fold(T::ZERO, |s, (&x, &v)| s + x * v) * tau;
        for (x, &v) in row.iter_mut().zip(v) {
            *x -= sum * v.conj();
        }
    }
}

fn column<T: Field>(a: &Matrix<T>, from: usize, j: usize) -> Vec<T> {
    (from..a.rows).map(|i| a[(i, j)]).collect()
}

fn set_column<T: Field>(a: &mut Matrix<T>, from: usize, j: usize, x: &[T]) {
    for (i, &x) in x.iter().enumerate() {
        a[(from + i, j)] = x;
    }
}

/// `A = Q R`: `R` in the upper triangle, the vectors of the reflections below it, and their factors.
pub fn geqrf<T: Field>(a: &Matrix<T>) -> (Matrix<T>, Vec<T>) {
    let mut a = a.clone();
    let mut taus = Vec::new();
    for k in 0..a.rows.min(a.cols) {
        reflect_column(&mut a, k, &mut taus);
    }
    (a, taus)
}

/// One step of [`geqrf`]: what is below the diagonal of column `k` goes.
fn reflect_column<T: Field>(a: &mut Matrix<T>, k: usize, taus: &mut Vec<T>) {
    let mut v = column(a, k, k);
    let tau = reflector(&mut v);
    set_column(a, k, k, &v);
    v[0] = T::ONE;
    reflect_rows(a, &v, tau.conj(), k, k + 1);
    taus.push(tau);
}

/// `A P = Q R`, packed as [`geqrf`] packs, with the columns in an order in which each is the longest of what is left:
/// column `j` of `A P` is column `order[j]` of `A`.
pub fn pivoted<T: Field>(a: &Matrix<T>) -> (Matrix<T>, Vec<T>, Vec<usize>) {
    let mut a = a.clone();
    let mut taus = Vec::new();
    let mut order: Vec<usize> = (0..a.cols).collect();
    for k in 0..a.rows.min(a.cols) {
        let mut squares = vec![0.0; a.cols];
        for i in k..a.rows {
            for (sum, x) in squares.iter_mut().zip(a.row(i)) {
                *sum += x.abs2();
            }
        }
        let longest = (k..a.cols).rev().max_by(|&i, &j| squares[i].total_cmp(&squares[j])).unwrap_or(k);
        order.swap(k, longest);
        for i in 0..a.rows {
            a.row_mut(i).swap(k, longest);
        }
        reflect_column(&mut a, k, &mut taus);
    }
    (a, taus, order)
}

/// The first columns of `H_0 H_1 ... H_{k-1}`, as many as `a` has; vector `i` stands below the diagonal of column `i`.
pub fn product<T: Field>(a: &Matrix<T>, taus: &[T]) -> Matrix<T> {
    let mut q = Matrix::eye(a.rows, a.cols);
    for (i, &tau) in taus.iter().enumerate().rev() {
        let mut v = column(a, i, i);
        v[0] = T::ONE;
        reflect_rows(&mut q, &v, tau, i, i);
    }
    q
}

/// `A = Q H Q^H` with a Hessenberg `H`, packed as `geqrf` packs, one row lower.
pub fn hessenberg<T: Field>(a: &Matrix<T>) -> (Matrix<T>, Vec<T>) {
    let mut a = a.clone();
    let mut taus = Vec::new();
    for k in 0..a.rows.saturating_sub(1) {
        let mut v = column(&a, k + 1, k);
        let tau = reflector(&mut v);
        set_column(&mut a, k + 1, k, &v);
        v[0] = T::ONE;
        // The columns after k first: column k itself holds the vector.
        reflect_columns(&mut a, &v, tau, k + 1);
        reflect_rows(&mut a, &v, tau.conj(), k + 1, k + 1);
        taus.push(tau);
    }
    (a, taus)
}

/// The `Q` of [`hessenberg`], or of [`tridiagonal`] from the lower triangle.
pub fn shifted_product<T: Field>(a: &Matrix<T>, taus: &[T]) -> Matrix<T> {
    let n = a.rows;
    let mut q = Matrix::identity(n);
    for (i, &tau) in taus.iter().enumerate().rev() {
        let mut v = column(a, i + 1, i);
        v[0] = T::ONE;
        reflect_rows(&mut q, &v, tau, i + 1, i + 1);
    }
    q
}

/// A Hermitian matrix as `Q T Q^H` with a real tridiagonal `T`: the packed matrix, the diagonal, the elements beside
/// it, and the factors. Only one triangle is read, and the other one is passed on as it is.
pub fn tridiagonal<T: Field>(a: &Matrix<T>, lower: bool) -> (Matrix<T>, Vec<f64>, Vec<f64>, Vec<T>) {
    let n = a.rows;
    let mut a = a.clone();
    let mut beside = vec![0.0; n.saturating_sub(1)];
    let mut taus = vec![T::ZERO; n.saturating_sub(1)];
    for i in 0..n {
        a[(i, i)] = T::from_re(a[(i, i)].re());
    }
    for step in 0..n.saturating_sub(1) {
        // The vector, and the rows of the block that is still to be reduced.
        let (k, rows): (usize, Vec<usize>) = if lower {
            (step, (step + 1..n).collect())
        } else {
            // The element next to the diagonal comes first.
            (n - 1 - step, (0..n - 1 - step).rev().collect())
        };
        let mut v: Vec<T> = rows.iter().map(|&i| a[(i, k)]).collect();
        let tau = reflector(&mut v);
        let slot = if lower { k } else { k - 1 };
        beside[slot] = v[0].re();
        taus[slot] = tau;
        for (&i, &x) in rows.iter().zip(&v) {
            a[(i, k)] = x;
        }
        v[0] = T::ONE;
        let full = |i: usize, j: usize| {
            if (i >= j) == lower || i == j { a[(i, j)] } else { a[(j, i)].conj() }
        };
        let mut w: Vec<T> = rows
            .iter()
            .map(|&i| tau * rows.iter().zip(&v).fold(T::ZERO, |s, (&j, &v)| s + full(i, j) * v))
            .collect();
        let inner = w.iter().zip(&v).fold(T::ZERO, |s, (&w, &v)| s + w.conj() * v);
        let alpha = (tau * inner).scale(-0.5);
        for (w, &v) in w.iter_mut().zip(&v) {
            *w += alpha * v;
        }
        for (p, &i) in rows.iter().enumerate() {
            for (q, &j) in rows.iter().enumerate() {
                if (i >= j) == lower || i == j {
                    let change = v[p] * w[q].conj() + w[p] * v[q].conj();
                    a[(i, j)] -= change;
                }
            }
            a[(i, i)] = T::from_re(a[(i, i)].re());
        }
    }
    let diagonal = (0..n).map(|i| a[(i, i)].re()).collect();
    (a, diagonal, beside, taus)
}

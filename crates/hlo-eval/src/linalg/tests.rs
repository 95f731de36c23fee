use super::eig::eig;
use super::eigh::eigh;
use super::field::{C, Field};
use super::householder::{hessenberg, product, shifted_product, tridiagonal};
use super::matrix::Matrix;
use super::schur::{HasSchur, schur};
use super::svd::svd;
use super::{lu, qr};

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn matrix<T: Field>(&mut self, m: usize, n: usize) -> Matrix<T> {
        let data = (0..m * n).map(|_| T::from_parts(self.next(), self.next())).collect();
        Matrix { rows: m, cols: n, data }
    }
}

/// The largest difference.
fn apart<T: Field>(a: &Matrix<T>, b: &Matrix<T>) -> f64 {
    assert_eq!((a.rows, a.cols), (b.rows, b.cols));
    a.data.iter().zip(&b.data).fold(0.0, |m, (&x, &y)| if (x - y).abs() > m { (x - y).abs() } else { m })
}

fn close<T: Field>(what: &str, a: &Matrix<T>, b: &Matrix<T>) {
    assert!(a.is_finite() && b.is_finite(), "{what}");
    let far = apart(a, b) / (1.0 + b.largest());
    assert!(far < 1e-12, "{what}: {}x{}: {far:e}", a.rows, a.cols);
}

fn unitary<T: Field>(what: &str, q: &Matrix<T>) {
    close(what, &q.adjoint().product(q), &Matrix::identity(q.cols));
}

fn diagonal<T: Field>(values: &[f64], rows: usize, cols: usize) -> Matrix<T> {
    Matrix::from_fn(rows, cols, |i, j| if i == j { T::from_re(values[i]) } else { T::ZERO })
}

const SHAPES: [(usize, usize); 9] =
    [(0, 0), (1, 1), (2, 2), (5, 5), (7, 3), (3, 7), (1, 4), (0, 3), (40, 40)];

/// Matrices that are hard: of low rank, of zeros, with equal values, of very different sizes.
fn square_matrices<T: Field>() -> Vec<Matrix<T>> {
    let mut numbers = Numbers(3);
    let mut all: Vec<Matrix<T>> =
        [0, 1, 2, 3, 4, 5, 8, 17, 40].iter().map(|&n| numbers.matrix(n, n)).collect();
    all.push(Matrix::zeros(4, 4));
    all.push(Matrix::identity(5));
    let (tall, wide) = (numbers.matrix::<T>(9, 3), numbers.matrix::<T>(3, 9));
    all.push(tall.product(&wide));
    // A Jordan block, a companion matrix, a rotation, a cycle.
    all.push(Matrix::from_fn(6, 6, |i, j| if i == j || i + 1 == j { T::ONE } else { T::ZERO }));
    all.push(Matrix::from_fn(5, 5, |i, j| if i == 0 || i == j + 1 { T::ONE } else { T::ZERO }));
    all.push(Matrix::from_fn(4, 4, |i, j| if (i + 1) % 4 == j { T::ONE } else { T::ZERO }));
    let mut graded = numbers.matrix::<T>(8, 8);
    for i in 0..8 {
        for x in graded.row_mut(i) {
            *x = x.scale(10f64.powi(-2 * i as i32));
        }
    }
    all.push(graded);
    all
}

fn orthogonal_forms<T: HasSchur>() {
    let mut numbers = Numbers(1);
    for (m, n) in SHAPES {
        let a = numbers.matrix::<T>(m, n);
        for columns in [m, m.min(n)] {
            let (q, r) = qr(&a, columns);
            unitary("q", &q);
            close("q r", &q.product(&r), &a);
        }
        for full in [false, true] {
            let found = svd(&a, full);
            unitary("u", &found.u);
            unitary("v", &found.vt.adjoint());
            let s = diagonal(&found.s, found.u.cols, found.vt.rows);
            close("u s v", &found.u.product(&s).product(&found.vt), &a);
            assert!(found.s.windows(2).all(|w| w[0] >= w[1]) && found.s.iter().all(|&s| s >= 0.0));
        }
        let (packed, _, permutation) = lu::lu(&a);
        let k = m.min(n);
        let l = Matrix::from_fn(m, k, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Less => T::ZERO,
            std::cmp::Ordering::Equal => T::ONE,
            std::cmp::Ordering::Greater => packed[(i, j)],
        });
        let u = Matrix::from_fn(k, n, |i, j| if i <= j { packed[(i, j)] } else { T::ZERO });
        close("l u", &l.product(&u), &Matrix::from_fn(m, n, |i, j| a[(permutation[i] as usize, j)]));
    }
}

fn similar_forms<T: HasSchur>() {
    for a in square_matrices::<T>() {
        let n = a.rows;
        let (packed, taus) = hessenberg(&a);
        let q = shifted_product(&packed, &taus);
        let h = Matrix::from_fn(n, n, |i, j| if i <= j + 1 { packed[(i, j)] } else { T::ZERO });
        unitary("hessenberg", &q);
        close("hessenberg", &q.product(&h).product(&q.adjoint()), &a);

        let (t, z) = schur(&a).expect("converges");
        unitary("schur", &z);
        close("schur", &z.product(&t).product(&z.adjoint()), &a);
        for i in 0..n {
            for j in 0..i {
                assert!(j + 1 == i || t[(i, j)] == T::ZERO, "{t:?}");
            }
            if i > 1 {
                assert!(t[(i, i - 1)] == T::ZERO || t[(i - 1, i - 2)] == T::ZERO, "{t:?}");
            }
            if i > 0 && t[(i, i - 1)] != T::ZERO {
                assert_eq!(t[(i, i)], t[(i - 1, i - 1)]);
                assert!(t[(i, i - 1)].re() * t[(i - 1, i)].re() < 0.0, "{t:?}");
            }
        }

        let found = svd(&a, false);
        unitary("u", &found.u);
        unitary("v", &found.vt.adjoint());
        close("svd", &found.u.product(&diagonal(&found.s, n, n)).product(&found.vt), &a);

        let hermitian = Matrix::from_fn(n, n, |i, j| a[(i, j)] + a[(j, i)].conj());
        for lower in [true, false] {
            // Only one triangle is read.
            let half = Matrix::from_fn(n, n, |i, j| {
                if i == j || (i > j) == lower { hermitian[(i, j)] } else { T::from_re(f64::NAN) }
            });
            let (v, w) = eigh(&half, lower);
            unitary("eigh", &v);
            close("eigh", &v.product(&diagonal(&w, n, n)).product(&v.adjoint()), &hermitian);
            assert!(w.windows(2).all(|w| w[0] <= w[1]));

            let (packed, d, e, taus) = tridiagonal(&half, lower);
            let t = Matrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
                0 => T::from_re(d[i]),
                1 => T::from_re(e[i.min(j)]),
                _ => T::ZERO,
            });
            let q = if lower {
                shifted_product(&packed, &taus)
            } else {
                // H_(n-2) ... H_0, where the vector of H_k is above the superdiagonal in column k + 1 and ends with one.
                let mut q = Matrix::identity(n);
                for (k, &tau) in taus.iter().enumerate() {
                    let v = Matrix::from_fn(n, 1, |i, _| match i.cmp(&k) {
                        std::cmp::Ordering::Less => packed[(i, k + 1)],
                        std::cmp::Ordering::Equal => T::ONE,
                        std::cmp::Ordering::Greater => T::ZERO,
                    });
                    let step = v.product(&v.adjoint());
                    let h = Matrix::from_fn(n, n, |i, j| {
                        (if i == j { T::ONE } else { T::ZERO }) - tau * step[(i, j)]
                    });
                    q = h.product(&q);
                }
                q
            };
            unitary("tridiagonal", &q);
            close("tridiagonal", &q.product(&t).product(&q.adjoint()), &hermitian);
        }

        let complex = Matrix::from_fn(n, n, |i, j| C::new(a[(i, j)].re(), a[(i, j)].im()));
        let found = eig(&a);
        let w = Matrix::from_fn(n, n, |i, j| if i == j { found.values[i] } else { C::ZERO });
        // Vectors of a defective matrix are accurate to the square root only, residuals to the last place.
        close("right", &complex.product(&found.right), &found.right.product(&w));
        close("left", &found.left.adjoint().product(&complex), &w.product(&found.left.adjoint()));
    }
}

#[test]
fn real_matrices() {
    orthogonal_forms::<f64>();
    similar_forms::<f64>();
}

#[test]
fn complex_matrices() {
    orthogonal_forms::<C>();
    similar_forms::<C>();
}

#[test]
fn eigenvalues_of_real_matrices_are_real_or_paired() {
    let mut numbers = Numbers(9);
    for n in 1..12 {
        let found = eig(&numbers.matrix::<f64>(n, n));
        let mut i = 0;
        while i < n {
            let (w, paired) = (found.values[i], found.values[i].im != 0.0);
            if paired {
                assert_eq!(found.values[i + 1], w.conj());
                assert!(w.im > 0.0);
            } else {
                assert!((0..n).all(|k| found.right[(k, i)].im == 0.0 && found.left[(k, i)].im == 0.0));
            }
            i += 1 + usize::from(paired);
        }
    }
}

#[test]
fn small_singular_values_are_accurate() {
    // Columns of very different lengths: the smallest value is 1e-30 to full relative accuracy.
    let a = Matrix { rows: 3, cols: 2, data: vec![1.0, 1e-30, 1.0, 1e-30, 1.0, -2e-30] };
    let found = svd(&a, true);
    assert!((found.s[0] / 3f64.sqrt() - 1.0).abs() < 1e-14);
    assert!((found.s[1] / (6f64.sqrt() * 1e-30) - 1.0).abs() < 1e-14);
}

#[test]
fn what_is_not_finite_gives_nan() {
    let a = Matrix { rows: 2, cols: 2, data: vec![1.0, f64::NAN, 2.0, 3.0] };
    assert!(svd(&a, true).s.iter().all(|s| s.is_nan()));
    assert!(eigh(&a, false).1.iter().all(|s| s.is_nan()));
    assert!(eig(&a).values.iter().all(|s| s.re.is_nan()));
    assert!(schur(&a).is_none());
    let indefinite = Matrix { rows: 2, cols: 2, data: vec![1.0, 0.0, 2.0, 3.0] };
    assert!(super::triangular::cholesky(&indefinite).data.iter().all(|x| x.is_nan()));
}

#[test]
fn fewer_factors_than_columns() {
    let a = Numbers(5).matrix::<C>(4, 3);
    let (packed, taus) = super::householder::geqrf(&a);
    let q = product(&packed, &taus[..1]);
    unitary("one reflection", &q);
    let v = [C::ONE, packed[(1, 0)], packed[(2, 0)], packed[(3, 0)]];
    let h =
        Matrix::from_fn(4, 3, |i, j| (if i == j { C::ONE } else { C::ZERO }) - taus[0] * v[i] * v[j].conj());
    close("one reflection", &q, &h);
}

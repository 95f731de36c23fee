//! Determinants.

use jarrah_base::DType;

use super::{adjoint, check_square, decomposable, extents, matrices, square};
use crate::Ellipsis;
use crate::array::Array;
use crate::control::cond;
use crate::custom::custom_jvp;
use crate::elementwise::where_;
use crate::lax;
use crate::lax::linalg::{Triangle, TriangularOptions, triangular_solve};

/// The determinant of matrices `[.., n, n]`.
///
/// Its derivative `tr(adj(A) A')` (Jacobi) exists for singular matrices too.
///
/// ```
/// use jarrah_array::{Array, grad, linalg};
/// let singular = Array::new(&[1.0f32, 2.0, 2.0, 4.0], &[2, 2]);
/// assert_eq!(linalg::det(&singular).item::<f32>()?, 0.0);
/// assert_eq!(grad(linalg::det)(&singular).to_vec::<f32>()?, [4.0, -2.0, -2.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn det(a: &Array) -> Array {
    let a = matrices("det", a);
    check_square("det", &a);
    let n = extents(&a).0;
    if n <= 3 {
        return expanded(&a, n);
    }
    let det = custom_jvp(
        |a: &Array| Pivoted::of(a).det(),
        |a: &Array, da: &Array| {
            let pivoted = Pivoted::of(a);
            let change = (pivoted.adjugate(a).t() * da).sum([-2, -1]);
            (pivoted.det(), change)
        },
    );
    det(&decomposable("det", &a))
}

/// The determinant of matrices of at most three rows, by expansion.
#[track_caller]
fn expanded(a: &Array, n: usize) -> Array {
    let at = |i: usize, j: usize| a.index((Ellipsis, i as isize, j as isize));
    match n {
        0 => a.sum([-2, -1]) + 1.0,
        1 => at(0, 0),
        2 => at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0),
        _ => {
            let minor = |j: usize, k: usize| at(1, j) * at(2, k) - at(1, k) * at(2, j);
            at(0, 0) * minor(1, 2) - at(0, 1) * minor(0, 2) + at(0, 2) * minor(0, 1)
        }
    }
}

/// `P A = L U`, and the sign of `P`.
struct Pivoted {
    lu: Array,
    diagonal: Array,
    permutation: Array,
    sign: Array,
}

impl Pivoted {
    #[track_caller]
    fn of(a: &Array) -> Pivoted {
        let (lu, pivots, permutation) = lax::linalg::lu(a);
        let place = lax::iota(DType::I32, &pivots.shape(), pivots.rank() - 1);
        let swaps = pivots.ne(place).sum(-1);
        let sign = (1i64 - (swaps % 2) * 2).astype(a.dtype().real());
        Pivoted { diagonal: lu.diagonal(0, -2, -1), lu, permutation, sign }
    }

    #[track_caller]
    fn det(&self) -> Array {
        self.diagonal.prod(-1) * &self.sign
    }

    /// `adj(A)`, which is `det(A) A^-1` if no pivot is zero.
    #[track_caller]
    fn adjugate(&self, a: &Array) -> Array {
        let n = extents(a).0;
        let singular = self.diagonal.eq(0).any(-1).expand_dims(-1).expand_dims(-1);
        let eye = Array::eye_in(n, n, 0, a.dtype()).broadcast_to(&a.shape());
        let order = self.permutation.expand_dims(-1).broadcast_to(&a.shape());
        let p = lax::take_along_axis(&eye, &order, a.rank() - 2);
        // Of the identity where pivots are zero: infinities would become NaN in derivatives.
        let lu = where_(&singular, &eye, &self.lu);
        let lower = TriangularOptions { unit_diagonal: true, ..TriangularOptions::default() };
        let upper = TriangularOptions { triangle: Triangle::Upper, ..TriangularOptions::default() };
        let inverse = triangular_solve(&lu, &triangular_solve(&lu, &p, lower), upper);
        let regular = inverse * self.det().expand_dims(-1).expand_dims(-1);
        let any: Vec<isize> = (0..a.rank() as isize).collect();
        cond(
            &singular.any(&any[..]),
            || where_(&singular, adjugate_of_singular(a), &regular),
            || regular.clone(),
        )
    }
}

/// `adj(A) = det(U V^H) V adj(S) U^H` of `A = U S V^H`, where the elements of the diagonal `adj(S)` are the products of all
/// singular values but one.
#[track_caller]
fn adjugate_of_singular(a: &Array) -> Array {
    let (u, s, vh) = lax::linalg::svd(a);
    let n = extents(a).0;
    // Row i has all singular values but the i-th, in the place of which is a one.
    let rows = s.expand_dims(-2).broadcast_to(&[&s.shape()[..], &[n]].concat());
    let others = where_(&Array::eye_in(n, n, 0, DType::Bool), 1.0, rows).prod(-1);
    let turn = Pivoted::of(&u.matmul(&vh)).det().expand_dims(-1).expand_dims(-1);
    (adjoint(&vh) * others.expand_dims(-2)).matmul(&adjoint(&u)) * turn
}

/// The sign of the determinant of matrices `[.., n, n]`, and the natural logarithm of its absolute value, which neither
/// overflows nor underflows: `(sign, logarithm)`.
///
/// Of complex matrices the sign is a number of length one. Singular matrices have the sign 0 and the logarithm `-inf`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (sign, logarithm) = linalg::slogdet(&Array::new(&[0.0f32, 1.0, 1.0, 0.0], &[2, 2]));
/// assert_eq!((sign.item::<f32>()?, logarithm.item::<f32>()?), (-1.0, 0.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn slogdet(a: &Array) -> (Array, Array) {
    let pivoted = Pivoted::of(&square("slogdet", a));
    let sizes = pivoted.diagonal.abs();
    let logarithm = sizes.log().sum(-1);
    let signs = match a.dtype().is_complex() {
        true => &pivoted.diagonal / where_(&sizes.eq(0), 1.0, &sizes),
        false => pivoted.diagonal.sign(),
    };
    (signs.prod(-1) * pivoted.sign, logarithm)
}

//! Functions of matrices.

use jarrah_base::DType;

use super::{MatrixNorm, adjoint, extents, matrix_norm, refuse, solve, square};
use crate::array::Array;
use crate::autodiff::jvp;
use crate::control::{cond, scan};
use crate::custom::{custom_jvp, stop_gradient};
use crate::elementwise::where_;
use crate::lax;
use crate::lax::linalg::{MatrixTranspose, Triangle, TriangularOptions, schur, triangular_solve};
use crate::operators::promote_types;

/// How often the argument of [`expm`] may be halved.
const MOST_HALVINGS: usize = 16;

/// The exponential of matrices `[.., n, n]`: `sum over k of A^k / k!`.
///
/// A Padé approximant of `A / 2^s`, squared `s` times, where `s` is the least that makes the approximant exact to rounding
/// (Higham, The scaling and squaring method for the matrix exponential revisited, 2005). Where `s` would be above 16, with
/// a norm of some 300,000, the result is NaN.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let nilpotent = Array::new(&[0.0f32, 2.0, 0.0, 0.0], &[2, 2]);
/// assert_eq!(linalg::expm(&nilpotent).to_vec::<f32>()?, [1.0, 2.0, 0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn expm(a: &Array) -> Array {
    let a = square("expm", a);
    if a.size() == 0 {
        return a;
    }
    // The largest norms for which the approximants of these degrees are exact to rounding.
    let (coefficients, largest): (&[f64], f64) = match a.dtype().real() {
        DType::F64 => (&DEGREE_13, 5.371920351148152),
        _ => (&DEGREE_7, 3.92572478313866),
    };
    let norm = stop_gradient(&matrix_norm(&a, MatrixNorm::LargestColumn));
    let wanted = ((norm / largest).log() * std::f64::consts::LOG2_E).ceil();
    let halvings = wanted.clip(0, MOST_HALVINGS as f64).expand_dims(-1).expand_dims(-1);
    let a = &a * (halvings.ones_like() * 0.5).pow(&halvings);
    let start = approximant(&a, coefficients);
    let all: Vec<isize> = (0..halvings.rank() as isize).collect();
    let most = halvings.max(&all[..]);
    let steps = lax::iota(halvings.dtype(), &[MOST_HALVINGS], 0);
    let squared = |power: &Array, step: &Array| {
        let next = cond(
            &step.lt(&most),
            || where_(&step.lt(&halvings), power.matmul(power), power),
            || power.clone(),
        );
        (next, ())
    };
    let power = scan(squared, &start, &steps).0;
    let exact = wanted.le(MOST_HALVINGS).expand_dims(-1).expand_dims(-1);
    where_(&exact, power, f64::NAN)
}

/// Coefficients of the numerators of Padé approximants of `e^x`. The denominators have the same coefficients, with the opposite
/// sign for odd powers.
const DEGREE_7: [f64; 8] = [17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0];
const DEGREE_13: [f64; 14] = [
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
];

/// `(V - U)^-1 (V + U)` with the even powers of the numerator in `V` and the odd ones in `U`.
#[track_caller]
fn approximant(a: &Array, coefficients: &[f64]) -> Array {
    let square = a.matmul(a);
    let mut power = Array::eye_in(extents(a).0, extents(a).0, 0, a.dtype()).broadcast_to(&a.shape());
    let (mut even, mut odd) = (&power * coefficients[0], &power * coefficients[1]);
    for pair in coefficients.chunks(2).skip(1) {
        power = power.matmul(&square);
        (even, odd) = (even + &power * pair[0], odd + &power * pair[1]);
    }
    let odd = a.matmul(&odd);
    solve(&(&even - &odd), &(even + odd))
}

/// [`expm`] of `a`, and its derivative in the direction `e`: `(expm(a), L)` with
/// `expm(a + h e) = expm(a) + h L + O(h^2)`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (a, e) = (Array::zeros(&[2, 2]), Array::ones(&[2, 2]));
/// assert_eq!(linalg::expm_frechet(&a, &e).1.to_vec::<f32>()?, [1.0; 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn expm_frechet(a: &Array, e: &Array) -> (Array, Array) {
    let (a, e) = super::promoted(a, e);
    jvp(expm, &square("expm_frechet", &a), &e)
}

/// The principal square root of matrices `[.., n, n]`, complex.
///
/// By the recurrence of Björck and Hammarling (A Schur method for the square root of a matrix, 1983). The derivative solves
/// `X X' + X' X = A'`; a second one does not exist.
///
/// ```
/// use jarrah_array::{Array, c64, linalg};
/// let root = linalg::sqrtm(&Array::new(&[4.0f32, 0.0, 0.0, -9.0], &[2, 2]));
/// assert_eq!(root.real().to_vec::<f32>()?, [2.0, 0.0, 0.0, 0.0]);
/// assert_eq!(root.imag().to_vec::<f32>()?, [0.0, 0.0, 0.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sqrtm(a: &Array) -> Array {
    let a = complex(&square("sqrtm", a));
    let root = custom_jvp(
        |a: &Array| {
            let (t, z) = schur(a);
            similar(&z, &triangular_root(&t))
        },
        |a: &Array, da: &Array| {
            let (t, z) = schur(a);
            let root = triangular_root(&t);
            let change = adjoint(&z).matmul(da).matmul(&z);
            (similar(&z, &root), similar(&z, &triangular_sylvester(&root, &root, &change)))
        },
    );
    root(&a)
}

/// `Z T Z^H`.
#[track_caller]
fn similar(z: &Array, t: &Array) -> Array {
    z.matmul(t).matmul(&adjoint(z))
}

/// `x` in complex numbers.
#[track_caller]
fn complex(x: &Array) -> Array {
    x.astype(x.dtype().complex().unwrap_or(x.dtype()))
}

/// The square root of upper triangular matrices.
///
/// Column `j` of the root `R` above the diagonal is `(R + r_jj I)^-1 t_j`, of which the rows above `j` count.
#[track_caller]
fn triangular_root(t: &Array) -> Array {
    let roots = t.diagonal(0, -2, -1).sqrt();
    let n = extents(t).0;
    let (place, eye) = (Array::arange(n), Array::eye_in(n, n, 0, t.dtype()));
    let column = |root: &Array, j: &Array| {
        let (before, chosen) = (place.lt(j), place.eq(j).astype(t.dtype()));
        let own = (&roots * &chosen).sum(-1).expand_dims(-1);
        // If both eigenvalues are zero, the element between them has no defining equation: it is zero, or no root exists.
        let free = &before & (&roots + &own).eq(0);
        let shift = where_(&free, 1.0, where_(&before, &own, 1.0));
        let system = root + shift.expand_dims(-1) * &eye;
        let side = where_(&before, (t * &chosen).sum(-1), 0.0).expand_dims(-1);
        let above = triangular_solve(&system, &side, UPPER);
        let above = where_(&(free.expand_dims(-1) & above.ne(0)), f64::NAN, above);
        let own = (&own * &chosen).expand_dims(-1);
        (root + (above + own) * &chosen, ())
    };
    scan(column, &t.zeros_like(), &place).0
}

const UPPER: TriangularOptions = TriangularOptions {
    left_side: true,
    triangle: Triangle::Upper,
    transpose: MatrixTranspose::None,
    unit_diagonal: false,
};

/// A function of matrices `[.., n, n]`, complex, from the function `f` of their eigenvalues, `[.., n]`, each by itself. The
/// eigenvalues of a matrix have to differ; it has no derivative.
///
/// By the recurrence of Parlett (A recurrence among the elements of functions of triangular matrices, 1976).
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[0.0f32, 1.0, 0.0, 2.0], &[2, 2]);
/// let root = linalg::funm(&a, Array::square).real();
/// assert_eq!(root.to_vec::<f32>()?, [0.0, 2.0, 0.0, 4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn funm(a: &Array, f: impl Fn(&Array) -> Array) -> Array {
    let (t, z) = schur(&complex(&square("funm", a)));
    let values = t.diagonal(0, -2, -1);
    let images = f(&values).astype(t.dtype());
    if images.ty() != values.ty() {
        let message = format!("the function maps eigenvalues {} to {}", values.ty(), images.ty());
        refuse("funm", message, "return one number for each");
    }
    let n = extents(&t).0;
    let (place, eye) = (Array::arange(n), Array::eye_in(n, n, 0, t.dtype()));
    // F T = T F says of column j above the diagonal that (T - t_jj I) f_j = F t_j - t_j f_jj.
    let column = |image: &Array, j: &Array| {
        let (before, chosen) = (place.lt(j), place.eq(j).astype(t.dtype()));
        let own = |x: &Array| (x * &chosen).sum(-1).expand_dims(-1);
        let shift = where_(&before, -own(&values), 1.0 - &values).expand_dims(-1) * &eye;
        let of = where_(&before, (&t * &chosen).sum(-1), 0.0).expand_dims(-1);
        let side = image.matmul(&of) - &of * own(&images).expand_dims(-1);
        let above = triangular_solve(&(&t + shift), &side, UPPER);
        let on = (&images * &chosen).expand_dims(-1);
        (image + (above + on) * &chosen, ())
    };
    similar(&z, &scan(column, &t.zeros_like(), &place).0)
}

/// The solution `X` of `A X + X B = C` of matrices `[.., m, m]`, `[.., n, n]` and `[.., m, n]` with the same leading axes;
/// where it is not unique, infinities or NaN.
///
/// By Schur forms (Bartels, Stewart, Solution of the matrix equation AX + XB = C, 1972). The derivative solves
/// `A X' + X' B = C' - A' X - X B'`; a second one exists in `C` alone.
///
/// ```
/// use jarrah_array::{Array, DType, linalg};
/// let (a, b) = (Array::full(&[1, 1], 1.0, jarrah_array::DType::F32), Array::ones(&[1, 1]));
/// let x = linalg::solve_sylvester(&a, &b, &Array::ones(&[1, 1]));
/// assert_eq!(x.to_vec::<f32>()?, [0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn solve_sylvester(a: &Array, b: &Array, c: &Array) -> Array {
    let dtype = promote_types(promote_types(a.dtype(), b.dtype()), c.dtype());
    let (a, b) = (square("solve_sylvester", &a.astype(dtype)), square("solve_sylvester", &b.astype(dtype)));
    let c = c.astype(dtype).inexact();
    let shape = [&a.shape()[..a.rank() - 1], &[extents(&b).0]].concat();
    if c.shape() != shape || a.shape()[..a.rank() - 2] != b.shape()[..b.rank() - 2] {
        let message = format!("shapes do not fit: {}, {} and {}", a.ty(), b.ty(), c.ty());
        refuse("solve_sylvester", message, "they are [.., m, m], [.., n, n] and [.., m, n]");
    }
    let solve = custom_jvp(
        |(a, b, c): &(Array, Array, Array)| Sylvester::of(a, b).solve(c),
        |(a, b, c): &(Array, Array, Array), (da, db, dc): &(Array, Array, Array)| {
            let equation = Sylvester::of(a, b);
            let x = equation.solve(c);
            let change = equation.solve(&(dc - da.matmul(&x) - x.matmul(db)));
            (x, change)
        },
    );
    let x = solve(&(complex(&a), complex(&b), complex(&c)));
    if c.dtype().is_complex() { x } else { x.real() }
}

/// `A = U R U^H` and `B = V S V^H`.
struct Sylvester {
    r: Array,
    u: Array,
    s: Array,
    v: Array,
}

impl Sylvester {
    #[track_caller]
    fn of(a: &Array, b: &Array) -> Sylvester {
        let ((r, u), (s, v)) = (schur(a), schur(b));
        Sylvester { r, u, s, v }
    }

    #[track_caller]
    fn solve(&self, c: &Array) -> Array {
        let side = adjoint(&self.u).matmul(c).matmul(&self.v);
        let y = triangular_sylvester(&self.r, &self.s, &side);
        self.u.matmul(&y).matmul(&adjoint(&self.v))
    }
}

/// The solution `Y` of `R Y + Y S = F` with upper triangular `R` and `S`: column `j` is
/// `(R + s_jj I)^-1 (f_j - Y s_j)`, for which the columns before `j` are needed.
#[track_caller]
fn triangular_sylvester(r: &Array, s: &Array, f: &Array) -> Array {
    let (m, n) = extents(f);
    let (place, eye) = (Array::arange(n), Array::eye_in(m, m, 0, r.dtype()));
    let column = |y: &Array, j: &Array| {
        let chosen = place.eq(j).astype(r.dtype());
        let of = (s * &chosen).sum(-1);
        let own = (&of * &chosen).sum(-1).expand_dims(-1).expand_dims(-1);
        let side = (f * &chosen).sum(-1).expand_dims(-1) - y.matmul(&of.expand_dims(-1));
        let solved = triangular_solve(&(r + own * &eye), &side, UPPER);
        (y + solved * &chosen, ())
    };
    scan(column, &f.zeros_like(), &place).0
}

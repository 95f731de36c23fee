//! Linear equations solved by products with the matrix alone.

use jarrah_base::{Error, Location, Type};
use jarrah_tree::Tree;

use crate::array::Array;
use crate::control::while_loop;
use crate::derivatives::ravel;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::function::Leaves;
use crate::implicit::{SolverMap, check_alike, custom_linear_solve_with};
use crate::lax::fori_loop;
use crate::linalg::lstsq;

/// When an iterative solver stops, and how it starts.
///
/// It stops where `|b - A x| <= max(tol |b|, atol)`, or after `maxiter` steps.
pub struct IterativeOptions<'a, T> {
    /// The residual allowed, relative to the norm of `b`.
    pub tol: f64,
    /// The residual allowed, absolute.
    pub atol: f64,
    /// The largest number of steps; by default ten for each unknown.
    pub maxiter: Option<usize>,
    /// How many directions [`gmres`] keeps before it starts again.
    pub restart: usize,
    /// The start of the iteration; by default zero.
    pub x0: Option<&'a T>,
    /// A linear map near the inverse of the matrix.
    pub preconditioner: Option<SolverMap<'a, T>>,
}

impl<T> Default for IterativeOptions<'_, T> {
    fn default() -> Self {
        IterativeOptions { tol: 1e-5, atol: 0.0, maxiter: None, restart: 20, x0: None, preconditioner: None }
    }
}

/// An equation over one vector: maps, the right side, the start, the square of the residual allowed, the most steps.
struct Equation<'a> {
    map: &'a dyn Fn(&Array) -> Array,
    precondition: &'a dyn Fn(&Array) -> Array,
    b: Array,
    x0: Array,
    threshold: Array,
    steps: i64,
}

/// Solves `a(x) = b` by `method`, which treats the leaves of the tree as one vector.
#[track_caller]
fn solve<T: Tree<Array>>(
    op: &str,
    a: impl Fn(&T) -> T,
    b: &T,
    options: &IterativeOptions<'_, T>,
    method: impl Fn(&Equation<'_>) -> Array,
) -> T {
    let at = Location::caller();
    let right = Leaves::of(b);
    if let Some((array, path)) = right.with_paths().find(|(x, _)| !x.dtype().is_differentiable()) {
        let place = path.below("right side");
        let error = Error::program(format!("{place} is {}, floats are needed", array.ty()));
        fail(with_context(error.op(op).at(at).help("convert it with astype")));
    }
    let alike = |name: &str, x: &T| check_alike(op, name, &Leaves::of(x), ("b", &right), at);
    if let Some(x0) = options.x0 {
        alike("x0", x0);
    }
    let (flat, unravel) = ravel(b);
    let steps = options.maxiter.unwrap_or(10 * flat.size()) as i64;
    let start = options.x0.map(|x0| ravel(x0).0);
    let precondition = |r: &Array| match options.preconditioner {
        Some(near) => {
            let near = near(&unravel(r));
            alike("result of the preconditioner", &near);
            ravel(&near).0
        }
        None => r.clone(),
    };
    // `x0` is a start for the equation itself; the transposed equation has another unknown and starts at zero.
    let run = |map: SolverMap<Array>, b: &Array, x0: Option<&Array>| {
        let threshold = (squared(b) * (options.tol * options.tol)).maximum(options.atol * options.atol);
        let x0 = x0.cloned().unwrap_or_else(|| Array::zeros_like(b));
        method(&Equation { map, precondition: &precondition, b: b.clone(), x0, threshold, steps })
    };
    let map = |x: &Array| {
        let image = a(&unravel(x));
        alike("result of a", &image);
        ravel(&image).0
    };
    let x = custom_linear_solve_with(
        map,
        &flat,
        |map: SolverMap<Array>, b: &Array| run(map, b, start.as_ref()),
        |map: SolverMap<Array>, b: &Array| run(map, b, None),
    );
    unravel(&x)
}

/// `|x|^2`, a real number.
fn squared(x: &Array) -> Array {
    x.vdot(x).real()
}

/// `a / b`, and zero where `b` is zero: a method that breaks down there no longer changes its iterate.
fn ratio(a: &Array, b: &Array) -> Array {
    let zero = b.eq(0.0);
    where_(&zero, Array::zeros_like(a), a / where_(&zero, Array::ones_like(b), b))
}

/// The solution of `a(x) = b` for a Hermitian, positive definite map by conjugate gradients, a tree like `b`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[4.0f32, 1.0, 1.0, 3.0], &[2, 2]);
/// let b = Array::from_slice(&[1.0f32, 2.0]);
/// let x = linalg::cg(|x: &Array| a.matmul(x), &b, &Default::default());
/// assert!((a.matmul(&x) - b).abs().max(..).item::<f32>()? < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// It has derivatives by what `a` captures and by `b`: see [`crate::lax::custom_linear_solve`].
///
/// Source: Hestenes and Stiefel, Methods of conjugate gradients for solving linear systems (1952).
#[track_caller]
pub fn cg<T: Tree<Array>>(a: impl Fn(&T) -> T, b: &T, options: &IterativeOptions<'_, T>) -> T {
    solve("cg", a, b, options, |equation| {
        let Equation { map, precondition, b, x0, threshold, steps } = equation;
        let r = b - map(x0);
        let z = precondition(&r);
        // The unknown, the residual, the direction, r^H z, the step.
        let init = (x0.clone(), r.clone(), z.clone(), r.vdot(&z), Array::scalar(0i64));
        let goes_on = |(_, r, _, _, k): &(Array, Array, Array, Array, Array)| {
            squared(r).gt(threshold).logical_and(k.lt(*steps))
        };
        let step = |(x, r, p, gamma, k): &(Array, Array, Array, Array, Array)| {
            let moved = map(p);
            let alpha = ratio(gamma, &p.vdot(&moved));
            let r = r - &alpha * &moved;
            let z = precondition(&r);
            let next = r.vdot(&z);
            let p_next = &z + ratio(&next, gamma) * p;
            (x + alpha * p, r, p_next, next, k + 1)
        };
        while_loop(goes_on, step, &init).0
    })
}

/// The solution of `a(x) = b` for any regular map by stabilized biconjugate gradients, a tree like `b`: see [`cg`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[4.0f32, 1.0, -1.0, 3.0], &[2, 2]);
/// let x = linalg::bicgstab(|x: &Array| a.matmul(x), &Array::from_slice(&[6.0f32, 5.0]), &Default::default());
/// assert_eq!(x.round_to(3).to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: van der Vorst, Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG (1992).
#[track_caller]
pub fn bicgstab<T: Tree<Array>>(a: impl Fn(&T) -> T, b: &T, options: &IterativeOptions<'_, T>) -> T {
    type State = (Array, Array, Array, Array, Array, Array);
    solve("bicgstab", a, b, options, |equation| {
        let Equation { map, precondition, b, x0, threshold, steps } = equation;
        let shadow = b - map(x0);
        // The unknown, the residual, the direction and its image, rho, the step; a step of zero length ends it.
        let init: State = (
            x0.clone(),
            shadow.clone(),
            shadow.clone(),
            map(&precondition(&shadow)),
            shadow.vdot(&shadow),
            Array::scalar(0i64),
        );
        let goes_on = |(_, r, _, _, _, k): &State| squared(r).gt(threshold).logical_and(k.lt(*steps));
        let step = |(x, r, p, v, rho, k): &State| {
            let alpha = ratio(rho, &shadow.vdot(v));
            let s = r - &alpha * v;
            let near = precondition(&s);
            let t = map(&near);
            let omega = ratio(&t.vdot(&s), &t.vdot(&t));
            let x = x + &alpha * precondition(p) + &omega * near;
            let r = s - &omega * t;
            let next = shadow.vdot(&r);
            let beta = ratio(&next, rho) * ratio(&alpha, &omega);
            let p = &r + beta * (p - omega * v);
            let v = map(&precondition(&p));
            (x, r, p, v, next, k + 1)
        };
        while_loop(goes_on, step, &init).0
    })
}

/// The solution of `a(x) = b` for any regular map by generalized minimal residuals, a tree like `b`: see [`cg`].
///
/// Each step makes an orthogonal basis of `restart` directions and takes the best combination of them; `maxiter` counts these
/// steps.
///
/// ```
/// use jarrah_array::linalg::{self, IterativeOptions};
/// use jarrah_array::Array;
/// let (a, b) = (Array::new(&[4.0f32, 1.0, -1.0, 3.0], &[2, 2]), Array::from_slice(&[6.0f32, 5.0]));
/// let divide = |r: &Array| r / Array::from_slice(&[4.0f32, 3.0]);
/// let options = IterativeOptions { tol: 1e-6, preconditioner: Some(&divide), ..Default::default() };
/// let x = linalg::gmres(|x: &Array| a.matmul(x), &b, &options);
/// assert_eq!(x.round_to(3).to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Saad and Schultz, GMRES: a generalized minimal residual algorithm (1986).
#[track_caller]
pub fn gmres<T: Tree<Array>>(a: impl Fn(&T) -> T, b: &T, options: &IterativeOptions<'_, T>) -> T {
    solve("gmres", a, b, options, |equation| {
        let Equation { map, precondition, b, x0, threshold, steps } = equation;
        let (n, dtype) = (b.size(), b.dtype());
        let directions = options.restart.clamp(1, n.max(1));
        let improve = |x: &Array, r: &Array| {
            let first = precondition(r);
            let size = squared(&first).sqrt().astype(dtype);
            // The basis vectors as rows, zero where they are not computed yet, and the Hessenberg matrix `H` of `A V = W H`,
            // where `W` is the basis with one vector more than `V`.
            let basis = Array::zeros_of(b.ty().with_leading(directions + 1));
            let basis = basis.at(0).set(ratio(&first, &size));
            let hessenberg = Array::zeros_of(Type::tensor(dtype, [directions + 1, directions]));
            let extend = |i: &Array, (basis, h): &(Array, Array)| {
                let w = precondition(&map(&basis.index(i)));
                // Twice, as once loses orthogonality.
                let part = basis.conj().matmul(&w);
                let w = &w - part.matmul(basis);
                let rest = basis.conj().matmul(&w);
                let w = &w - rest.matmul(basis);
                let length = squared(&w).sqrt().astype(dtype);
                let column = (part + rest).at(i + 1).set(&length);
                (basis.at(i + 1).set(ratio(&w, &length)), h.at((.., i)).set(column))
            };
            let (basis, h) = fori_loop(0..directions as i64, extend, &(basis, hessenberg));
            let right = Array::zeros_like(&h.slice(1, 0..1).ravel()).at(0).set(&size);
            let (y, ..) = lstsq(&h, &right);
            let x = x + y.matmul(&basis.slice(0, 0..directions));
            let r = b - map(&x);
            (x, r)
        };
        let goes_on = |(_, r, k): &(Array, Array, Array)| squared(r).gt(threshold).logical_and(k.lt(*steps));
        let step = |(x, r, k): &(Array, Array, Array)| {
            let (x, r) = improve(x, r);
            (x, r, k + 1)
        };
        while_loop(goes_on, step, &(x0.clone(), b - map(x0), Array::scalar(0i64))).0
    })
}

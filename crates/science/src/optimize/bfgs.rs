use jarrah_array::library::with_context;
use jarrah_array::{Array, Function, fail, value_and_grad, where_, while_loop};
use jarrah_base::{Error, Location};
use jarrah_tree::Tree;

use super::line_search::line_search;
use crate::relay;

/// When [`minimize`] stops.
#[derive(Clone, Copy, Debug)]
pub struct MinimizeOptions {
    /// The largest element of the gradient that is small enough.
    pub gtol: f64,
    /// The most steps; 200 for each unknown if not given.
    pub maxiter: Option<usize>,
    /// The most steps of a search along a line before a minimum is between two of them.
    pub line_search_maxiter: usize,
}

impl Default for MinimizeOptions {
    fn default() -> Self {
        MinimizeOptions { gtol: 1e-5, maxiter: None, line_search_maxiter: 10 }
    }
}

/// The minimum that [`minimize`] found, and how.
#[derive(Clone, Debug, Tree)]
pub struct OptimizeResults {
    /// The place of the minimum.
    pub x: Array,
    /// Whether the gradient became small enough.
    pub success: Array,
    /// 0 for success, 1 after too many steps, 3 or 5 where no step along the line lowers the value.
    pub status: Array,
    /// The value there.
    pub fun: Array,
    /// The gradient there.
    pub jac: Array,
    /// The inverse of the second derivatives, as the steps estimate it.
    pub hess_inv: Array,
    /// How often the function was called.
    pub nfev: Array,
    /// How often the gradient was computed.
    pub njev: Array,
    /// The number of steps.
    pub nit: Array,
}

/// A minimum of a function of a vector of floats near `x0`, by the quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno.
///
/// The gradient is computed by reverse mode. The result has no derivatives by reverse mode: the number of steps is not known
/// beforehand; [`jarrah_array::lax::custom_root`] of the gradient has.
///
/// # Errors
///
/// A program error if `x0` is not a vector of floats.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::optimize::minimize;
/// // The valley of Rosenbrock.
/// let f = |x: &Array| {
///     let (a, b) = (x.index(0), x.index(1));
///     (1.0 - &a).square() + (b - a.square()).square() * 100
/// };
/// let found = minimize(f, &Array::from_slice(&[-1.2f64, 1.0]), &Default::default());
/// assert!(found.success.item::<bool>()?);
/// assert!((found.x - 1.0).abs().max(..).item::<f64>()? < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Nocedal and Wright, Numerical optimization (1999), algorithm 6.1.
#[track_caller]
pub fn minimize(
    f: impl Function<Array, Output = Array>,
    x0: &Array,
    options: &MinimizeOptions,
) -> OptimizeResults {
    if x0.rank() != 1 || !x0.dtype().is_differentiable() || x0.dtype().is_complex() {
        let error = Error::program(format!("the start is {}, a vector of floats is needed", x0.ty()));
        let help = "ravel makes a vector of a tree";
        fail(with_context(error.op("minimize").at(Location::caller()).help(help)));
    }
    relay(Location::caller(), || search(&|x: &Array| f.apply(x), x0, options))
}

/// [`minimize`], of a vector of floats.
fn search(f: &dyn Fn(&Array) -> Array, x0: &Array, options: &MinimizeOptions) -> OptimizeResults {
    let maxiter = options.maxiter.unwrap_or(200 * x0.size());
    let eye = Array::eye_in(x0.size(), x0.size(), 0, x0.dtype());
    let small = |gradient: &Array| gradient.abs().max(..).lt(options.gtol);
    let (value, gradient) = value_and_grad(|x: &Array| f(x))(x0);
    let before = &value + gradient.square().sum(..).sqrt() * 0.5;
    let one = Array::scalar(1i32);
    let init = OptimizeResults {
        x: x0.clone(),
        success: small(&gradient),
        status: one.zeros_like(),
        fun: value,
        jac: gradient,
        hess_inv: eye.clone(),
        nfev: one.clone(),
        njev: one.clone(),
        nit: one.zeros_like(),
    };
    // Beside the results: the value a step ago, and whether the search along the line failed.
    type State = (OptimizeResults, Array, Array);
    let goes_on = |(r, _, failed): &State| !(&r.success | failed) & r.nit.lt(maxiter);
    let step = |(r, before, _): &State| {
        let direction = -r.hess_inv.matmul(&r.jac);
        let found = line_search(f, &r.x, &direction, (&r.fun, &r.jac), before, options.line_search_maxiter);
        let moved = &found.point.length * direction;
        let change = &found.point.gradient - &r.jac;
        let curvature = change.dot(&moved);
        let flat = curvature.eq(0);
        let rho = 1.0 / where_(&flat, 1, curvature);
        let project = &eye - moved.outer(&change) * &rho;
        let update = project.matmul(&r.hess_inv).matmul(&project.t()) + moved.outer(&moved) * rho;
        let next = OptimizeResults {
            x: &r.x + moved,
            success: small(&found.point.gradient),
            status: found.status,
            fun: found.point.value.clone(),
            jac: found.point.gradient.clone(),
            hess_inv: where_(&flat, &r.hess_inv, update),
            nfev: &r.nfev + &found.calls,
            njev: &r.njev + &found.calls,
            nit: &r.nit + 1,
        };
        (next, r.fun.clone(), found.failed)
    };
    let (mut r, _, failed) = while_loop(goes_on, step, &(init, before, Array::scalar(false)));
    let stopped = where_(&r.nit.ge(maxiter), 1, &r.status + 2);
    r.status = where_(&r.success, 0, stopped);
    r.success = &r.success & !failed;
    r
}

use jarrah_base::{Error, Location, Result};
use jarrah_tree::{Tree, TreeExt};

use crate::array::Array;
use crate::autodiff::{jvp, vjp};
use crate::error::fail_at;
use crate::function::{Function, Leaves, fill};
use crate::random::Key;

/// The options of [`check_grads`]: how derivatives are compared with finite differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradCheck {
    /// How many times the function is differentiated: 1 or 2.
    pub order: usize,
    /// Whether forward mode is checked, which functions with a rule for reverse mode alone lack.
    pub forward: bool,
    /// Whether reverse mode is checked.
    pub reverse: bool,
    /// Half the distance between the two points of a finite difference; by default `1e-5` for `f64`, `1e-2` for other floats.
    pub step: Option<f64>,
    /// How far a derivative may be off, as a share of the difference's size or 1, whichever is larger; by default `1e-5` for
    /// `f64`, `1e-2` for other floats.
    pub tolerance: Option<f64>,
    /// The seed of the random directions.
    pub seed: u64,
}

impl Default for GradCheck {
    fn default() -> Self {
        GradCheck { order: 2, forward: true, reverse: true, step: None, tolerance: None, seed: 0 }
    }
}

/// Checks the derivatives of `f` at `x`, in forward and in reverse mode, along random directions.
///
/// Central differences, `d = (f(x + h v) - f(x - h v)) / 2h`, are compared with forward mode, `J v`, and along a direction `u` with
/// reverse mode: `<u, d> = <J^T u, v>`. For order 2 the same is done with `x -> <u, J(x) v>`, in the mode that is checked.
///
/// # Errors
/// A derivative is not what it should be, or the function cannot be computed. Panics where an array of `x` is no float, or where
/// the function has no derivative.
///
/// ```
/// use jarrah_array::{Array, GradCheck, check_grads};
/// let x = Array::from_slice(&[0.5f64, -1.5]);
/// check_grads(|x: &Array| x.sin() * x, &x, GradCheck::default())?;
/// let wrong = check_grads(|x: &Array| x.floor() + 0.0 * x, &Array::from_slice(&[1.0f64]), GradCheck::default());
/// assert!(wrong.is_err());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn check_grads<P: Tree<Array>>(
    f: impl Function<P, Output = Array>,
    x: &P,
    options: GradCheck,
) -> Result<()> {
    let at = Location::caller();
    let leaves = Leaves::of(x);
    for (array, path) in leaves.with_paths() {
        if !array.dtype().is_float() {
            let place = path.below("argument");
            let error = Error::program(format!("{place}, {}, is no float", array.ty())).op("check_grads");
            fail_at(at, error.help("capture what is no float instead of passing it"));
        }
    }
    let double = leaves.arrays.iter().all(|array| array.dtype().bits() == 64);
    let size = if double { 1e-5 } else { 1e-2 };
    let check = Check {
        at,
        step: options.step.unwrap_or(size),
        tolerance: options.tolerance.unwrap_or(size),
        key: Key::new(options.seed),
    };
    let f = |x: &P| f.apply(x);
    if options.forward {
        check.forward(&f, x, 1)?;
        if options.order > 1 {
            let direction = check.direction(x, 3);
            check.forward(&|x: &P| jvp(f, x, &direction).1, x, 2)?;
        }
    }
    if options.reverse {
        check.reverse(&f, x, 1)?;
        if options.order > 1 {
            let (u, v) = (check.direction(&f(x), 4), check.direction(x, 5));
            check.reverse(&|x: &P| inner(&vjp(f, x).1(&u), &v), x, 2)?;
        }
    }
    Ok(())
}

/// The sum of the products of the elements of two trees of floats.
fn inner<P: Tree<Array>>(a: &P, b: &P) -> Array {
    let products = a.leaves().into_iter().zip(b.leaves()).map(|(a, b): (&Array, &Array)| (a * b).sum(..));
    products.reduce(|a, b| a + b).unwrap_or_else(|| Array::scalar(0.0f32))
}

struct Check {
    at: Location,
    step: f64,
    tolerance: f64,
    key: Key,
}

impl Check {
    /// Normal numbers like the arrays of `x`.
    fn direction<P: Tree<Array>>(&self, x: &P, stream: u32) -> P {
        let arrays = Leaves::of(x).arrays;
        let drawn = arrays.iter().enumerate().map(|(i, array)| {
            self.key.fold_in(stream).fold_in(i as u32).normal(&array.shape()).astype(array.dtype())
        });
        fill(x, drawn.collect::<Vec<_>>())
    }

    /// The difference of `f` along `v`.
    fn difference<P: Tree<Array>>(&self, f: &dyn Fn(&P) -> Array, x: &P, v: &P) -> Array {
        let moved = |by: f64| {
            let arrays = Leaves::of(x).arrays.into_iter().zip(Leaves::of(v).arrays);
            f(&fill(x, arrays.map(|(x, v)| x + v * by).collect::<Vec<_>>()))
        };
        (moved(self.step) - moved(-self.step)) / (2.0 * self.step)
    }

    fn forward<P: Tree<Array>>(&self, f: &dyn Fn(&P) -> Array, x: &P, order: usize) -> Result<()> {
        let v = self.direction(x, 1);
        let expected = self.difference(f, x, &v);
        let slope = jvp(f, x, &v).1;
        let off = (slope - &expected).abs().max(..).to_f64()?;
        self.judge("forward", order, off, expected.abs().max(..).to_f64()?)
    }

    fn reverse<P: Tree<Array>>(&self, f: &dyn Fn(&P) -> Array, x: &P, order: usize) -> Result<()> {
        let v = self.direction(x, 1);
        let expected = self.difference(f, x, &v);
        let u = self.direction(&expected, 2);
        let expected = (expected * &u).sum(..).to_f64()?;
        let found = inner(&vjp(f, x).1(&u), &v).to_f64()?;
        self.judge("reverse", order, (found - expected).abs(), expected.abs())
    }

    /// Fails if the error `off` of a derivative exceeds the tolerance relative to finite differences of magnitude `size`. A NaN
    /// also fails.
    fn judge(&self, mode: &str, order: usize, off: f64, size: f64) -> Result<()> {
        if off <= self.tolerance * size.max(1.0) {
            return Ok(());
        }
        let name = if order == 1 { "the derivative" } else { "the second derivative" };
        let error =
            Error::program(format!("{name} in {mode} mode is off by {off} from differences of {size}"));
        let error = error.op("check_grads").at(self.at);
        Err(error.help("look at custom rules, and at points where the function is not smooth"))
    }
}

use jarrah_array::{Array, DType, Error, Function, Tree, TreeExt, fail, value_and_grad_with_aux, where_};

use crate::{GradientTransformation, Leaves};

/// The factor on a loss before it is differentiated, so that its gradients do not underflow in `f16`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LossScale {
    /// A constant scale.
    Static(f64),
    /// As large as gradients stay finite with.
    ///
    /// ```text
    /// not all gradients finite:              scale = max(scale / factor, min),   the step is skipped
    /// finite in the last `period` steps:     scale = scale factor,               unless that is not finite
    /// ```
    Dynamic {
        /// The scale of the first step.
        initial: f64,
        /// Finite steps after which it grows.
        period: usize,
        /// The factor by which the scale grows, and by which it is divided when gradients are not finite.
        factor: f64,
        /// The least scale.
        min: f64,
    },
}

impl Default for LossScale {
    /// A dynamic scale from 2^15 on that doubles after 2000 steps.
    fn default() -> Self {
        LossScale::Dynamic { initial: 32768.0, period: 2000, factor: 2.0, min: 1.0 }
    }
}

impl LossScale {
    fn initial(self) -> f64 {
        match self {
            LossScale::Static(scale) => scale,
            LossScale::Dynamic { initial, .. } => initial,
        }
    }

    /// The scale, and the number of finite steps since it changed, after a step that was `finite` or not.
    fn after(self, finite: &Array, scale: &Array, count: &Array) -> (Array, Array) {
        let LossScale::Dynamic { period, factor, min, .. } = self else {
            return (scale.clone(), count.clone());
        };
        let larger = scale * factor;
        let larger = where_(&larger.isfinite(), &larger, scale);
        let grown = where_(&count.eq(period as i32 - 1), larger, scale);
        let scale = where_(finite, grown, (scale / factor).maximum(min));
        (scale, where_(finite, (count + 1) % period as i32, 0))
    }

    /// Panics unless the numbers make a scale.
    #[track_caller]
    fn check(self) {
        let positive = |x: f64| x as f32 > 0.0 && (x as f32).is_finite();
        let fits = match self {
            LossScale::Static(scale) => positive(scale),
            LossScale::Dynamic { initial, period, factor, min } => {
                positive(initial)
                    && period > 0
                    && i32::try_from(period).is_ok()
                    && factor as f32 > 1.0
                    && positive(factor)
                    && positive(min)
                    && min <= initial
            }
        };
        if !fits {
            let error = Error::program(format!("{self:?} is no loss scale"));
            let help = "scales are positive numbers of f32, the least at most the initial one, the factor is above 1, the period at least 1";
            fail(error.op("loss_scaled").help(help));
        }
    }
}

#[derive(Clone, Tree)]
struct State {
    /// `f32`.
    scale: Array,
    /// Finite steps since the scale changed, `i32`.
    count: Array,
    /// Steps that were skipped, `i32`.
    skipped: Array,
    inner: Leaves,
}

/// `inner` on gradients of a scaled loss: see [`scaled_value_and_grad`], which computes them and divides them by the scale.
///
/// Where an element of a gradient is not finite, the step is skipped: updates are zeros, the state of `inner` stays, and the scale goes
/// back. The state has `scale`, `count`, `skipped` and `inner`.
///
/// ```
/// use jarrah_array::{Array, Tree, TreeExt};
/// use jarrah_optim::{LossScale, Sgd, loss_scaled, sgd};
/// let scale = LossScale::Dynamic { initial: 8.0, period: 2, factor: 2.0, min: 1.0 };
/// let optimizer = loss_scaled(scale, sgd(1.0, Sgd::default()));
/// let p = Array::scalar(1.0);
/// let (update, state) = optimizer.update(&Array::scalar(f32::INFINITY), &optimizer.init(&p), &p);
/// assert_eq!(update.item::<f32>()?, 0.0);
/// let state: Vec<f64> = state.leaves().into_iter().map(|x: &Array| x.to_f64().unwrap()).collect();
/// assert_eq!(state, [4.0, 0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jmp.DynamicLossScale`; Micikevicius et al., Mixed precision training (2018).
#[track_caller]
pub fn loss_scaled(scale: LossScale, inner: GradientTransformation) -> GradientTransformation {
    scale.check();
    let first = inner.clone();
    GradientTransformation::with_extra(
        "loss_scaled",
        move |params: &Leaves| State {
            scale: Array::full(&[], scale.initial(), DType::F32),
            count: Array::scalar(0i32),
            skipped: Array::scalar(0i32),
            inner: first.start(params),
        },
        move |gradient, state, params, extra| {
            let finite = all_finite(gradient);
            let (updates, after) = inner.step(gradient, &state.inner, params, extra)?;
            let (next, count) = scale.after(&finite, &state.scale, &state.count);
            let skipped = &state.skipped + where_(&finite, Array::scalar(0i32), Array::scalar(1i32));
            let inner = after.or(&finite, &state.inner);
            Ok((updates.map(|u| where_(&finite, u, 0.0)), State { scale: next, count, skipped, inner }))
        },
    )
}

/// Whether every element of every leaf is finite: a truth value.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::all_finite;
/// let tree = (Array::ones(&[2]), Array::from_slice(&[1.0f32, f32::NAN]));
/// assert!(!all_finite(&tree).item::<bool>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn all_finite<T: Tree<Array>>(tree: &T) -> Array {
    let leaves = tree.leaves().into_iter().filter(|leaf: &&Array| leaf.dtype().is_differentiable());
    let finite = leaves.map(|leaf| leaf.isfinite().all(..)).reduce(|a, b| a & b);
    finite.unwrap_or_else(|| Array::scalar(true))
}

/// The value of `f` and its gradient, computed through `f` times the scale in `state`, the state of [`loss_scaled`].
///
/// ```text
/// gradient = grad(scale f) / scale,   divided in f32
/// ```
///
/// The value is that of `f`, not scaled.
///
/// ```
/// use jarrah_array::{Array, DType, autocast};
/// use jarrah_optim::{LossScale, Sgd, loss_scaled, scaled_value_and_grad, sgd};
/// // A gradient of 2^-26 is no number of f16.
/// let f = autocast(DType::F16, |w: &Array| (Array::ones(&[1, 1]).matmul(w) * 2f64.powi(-26)).sum(..));
/// let w = Array::ones(&[1, 1]);
/// let state = loss_scaled(LossScale::Static(1024.0), sgd(1.0, Sgd::default())).init(&w);
/// let (value, gradient) = scaled_value_and_grad(&f, &state)(&w);
/// assert_eq!((value.item::<f32>()?, gradient.item::<f32>()?), (2f32.powi(-26), 2f32.powi(-26)));
/// assert_eq!(jarrah_array::grad(&f)(&w).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Panics unless `state` has a scale, and `f` returns one float.
#[track_caller]
pub fn scaled_value_and_grad<P: Tree<Array>>(
    f: impl Function<P, Output = Array>,
    state: &Leaves,
) -> impl Fn(&P) -> (Array, P) {
    let scaled = scaled_value_and_grad_with_aux(move |params: &P| (f.apply(params), ()), state);
    move |params| {
        let ((value, ()), gradient) = scaled(params);
        (value, gradient)
    }
}

/// As [`scaled_value_and_grad`] of a function that returns more beside the value.
#[track_caller]
pub fn scaled_value_and_grad_with_aux<P: Tree<Array>, X: Tree<Array>>(
    f: impl Function<P, Output = (Array, X)>,
    state: &Leaves,
) -> impl Fn(&P) -> ((Array, X), P) {
    // A match, as a closure would fail at its own line.
    let scale = match state.iter().find(|(path, _)| path.to_string() == "scale") {
        Some((_, scale)) => scale.clone(),
        None => {
            let error = Error::program("the optimizer's state has no loss scale").op("scaled_value_and_grad");
            fail(error.help(
                "wrap the optimizer in loss_scaled, and give the state that its init or update returned",
            ))
        }
    };
    let by = scale.clone();
    let scaled = value_and_grad_with_aux(move |params: &P| {
        let (value, aux) = f.apply(params);
        (&value * by.astype(value.dtype()), (value, aux))
    });
    // A scale may be larger than any f16.
    let unscaled = move |g: &Array| match g.dtype().is_differentiable() {
        true => (g / &scale).astype(g.dtype()),
        false => g.clone(),
    };
    move |params| {
        let ((_, found), gradient) = scaled(params);
        (found, gradient.map_leaves(&unscaled))
    }
}

use std::sync::Arc;

use jarrah_array::{Array, DType, Tree, where_};

use crate::moments::{plus_one, start};
use crate::{GradientTransformation, Leaves, tree};

/// A rule that leaves out steps. It gets the gradients, the number of inner steps so far and the parameters; it returns whether
/// to leave out the step, and a tree of named values that the state shows.
type Skip = Arc<dyn Fn(&Leaves, &Array, &Leaves) -> (Array, Leaves) + Send + Sync>;

/// How [`multi_steps`] collects gradients.
#[derive(Clone)]
pub struct MultiSteps {
    every: Arc<dyn Fn(&Array) -> Array + Send + Sync>,
    mean: bool,
    skip: Option<Skip>,
    accumulator_dtype: DType,
}

impl MultiSteps {
    /// The mean of `k` gradients at a time, collected in `f32`.
    #[track_caller]
    pub fn every(k: usize) -> Self {
        let k = crate::accumulate::steps(k, "multi_steps");
        MultiSteps::scheduled(move |_| Array::scalar(k))
    }

    /// Updates with the mean of `k` gradients, where `k(inner steps so far)` returns an `i32`.
    pub fn scheduled(k: impl Fn(&Array) -> Array + Send + Sync + 'static) -> Self {
        MultiSteps { every: Arc::new(k), mean: true, skip: None, accumulator_dtype: DType::F32 }
    }

    /// The sum of gradients in place of their mean.
    pub fn sum(mut self) -> Self {
        self.mean = false;
        self
    }

    /// Collects gradients in `dtype`; complex gradients in the complex dtype whose parts are `dtype`.
    pub fn accumulator_dtype(mut self, dtype: DType) -> Self {
        self.accumulator_dtype = dtype;
        self
    }

    /// The dtype in which the gradients of a parameter are collected.
    fn accumulator(&self, param: &Array) -> DType {
        match (param.dtype().is_complex(), self.accumulator_dtype) {
            (false, dtype) => dtype,
            (true, DType::F64) => DType::C128,
            (true, dtype) if dtype.is_complex() => dtype,
            (true, _) => DType::C64,
        }
    }

    /// Leaves out the steps for which `skip(gradients, inner steps so far, parameters)` returns true. The tree that it returns
    /// besides is `skip_state` in the state: see [`skip_not_finite`] and [`skip_large_updates`].
    pub fn skipping<T: Tree<Array>>(
        mut self,
        skip: impl Fn(&Leaves, &Array, &Leaves) -> (Array, T) + Send + Sync + 'static,
    ) -> Self {
        self.skip = Some(Arc::new(move |updates, step, params| {
            let (skip, shown) = skip(updates, step, params);
            (skip, Leaves::of(&shown))
        }));
        self
    }
}

impl std::fmt::Debug for MultiSteps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MultiSteps({}, {})", if self.mean { "mean" } else { "sum" }, self.accumulator_dtype)
    }
}

/// Whether the last update, whose `state` of [`multi_steps`] this is, was one of the inner optimizer: a truth value.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::transforms::{MultiSteps, has_updated, multi_steps, scale};
/// let t = multi_steps(scale(-1.0), MultiSteps::every(2));
/// let p = Array::scalar(1.0);
/// let (_, first) = t.update(&p, &t.init(&p), &p);
/// let (_, second) = t.update(&p, &first, &p);
/// assert!(!has_updated(&first).item::<bool>()? && has_updated(&second).item::<bool>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Panics if the state is that of another transformation.
#[track_caller]
pub fn has_updated(state: &Leaves) -> Array {
    tree::get(state, "mini_step").eq(0) & tree::get(state, "gradient_step").gt(0)
}

/// The part of the state that says whether and why a step was skipped.
#[derive(Clone, Tree, Debug)]
pub struct Skipped {
    /// Whether this step was skipped.
    pub should_skip: Array,
    /// The number of elements that are not finite.
    pub num_not_finite: Option<Array>,
    /// The squared global norm.
    pub norm_squared: Option<Array>,
}

/// Skips steps with gradients that are not finite, for [`MultiSteps::skipping`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// use jarrah_optim::transforms::*;
/// let optimizer = multi_steps(sgd(0.1, Sgd::default()), MultiSteps::every(1).skipping(skip_not_finite));
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn skip_not_finite(updates: &Leaves, _: &Array, _: &Leaves) -> (Array, Skipped) {
    let count = tree::sum(&updates.map(|g| (!g.isfinite()).astype(DType::I32))).astype(DType::I32);
    let skip = count.gt(0);
    (skip.clone(), Skipped { should_skip: skip, num_not_finite: Some(count), norm_squared: None })
}

/// Skips steps whose gradients have a squared global norm that is not below `max_squared_norm`, for [`MultiSteps::skipping`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// use jarrah_optim::transforms::*;
/// let optimizer = multi_steps(sgd(0.1, Sgd::default()), MultiSteps::every(1).skipping(skip_large_updates(0.5)));
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? == 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn skip_large_updates(
    max_squared_norm: f64,
) -> impl Fn(&Leaves, &Array, &Leaves) -> (Array, Skipped) + Send + Sync + 'static {
    move |updates, _, _| {
        let square = tree::squared_norm(updates);
        let skip = !square.lt(max_squared_norm);
        (skip.clone(), Skipped { should_skip: skip, num_not_finite: None, norm_squared: Some(square) })
    }
}

#[derive(Clone, Tree)]
struct State {
    mini_step: Array,
    gradient_step: Array,
    inner_opt_state: Leaves,
    acc_grads: Leaves,
    skip_state: Leaves,
}

/// `inner` once for several steps, on the mean or sum of their gradients; updates of the steps between are zeros.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Sgd, sgd};
/// use jarrah_optim::transforms::{MultiSteps, multi_steps};
/// let t = multi_steps(sgd(1.0, Sgd::default()), MultiSteps::every(2));
/// let p = Array::scalar(0.0);
/// let (first, state) = t.update(&Array::scalar(1.0), &t.init(&p), &p);
/// let (second, _) = t.update(&Array::scalar(3.0), &state, &p);
/// assert_eq!((first.item::<f32>()?, second.item::<f32>()?), (0.0, -2.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// The state has `mini_step`, `gradient_step`, `inner_opt_state`, `acc_grads` and `skip_state`.
pub fn multi_steps(inner: GradientTransformation, options: MultiSteps) -> GradientTransformation {
    let (first, how) = (inner.clone(), options.clone());
    let init = move |params: &Leaves| {
        let skip_state =
            how.skip.as_ref().map(|skip| skip(&tree::zeros_like(params), &start().count, params).1);
        State {
            mini_step: start().count,
            gradient_step: start().count,
            inner_opt_state: first.start(params),
            acc_grads: params.map(|p| Array::full(&p.shape(), 0.0, how.accumulator(p))),
            skip_state: skip_state.unwrap_or_default(),
        }
    };
    GradientTransformation::with_extra("multi_steps", init, move |updates, state, params, extra| {
        let k = (options.every)(&state.gradient_step);
        let acc = updates.zip([&state.acc_grads], |g, [sum]| match options.mean {
            true => sum + (g - sum) / (&state.mini_step + 1).astype(DType::F32).astype(g.dtype()),
            false => g + sum,
        });
        let cast = acc.zip([updates], |sum, [g]| sum.astype(g.dtype()));
        let (out, after) = inner.step(&cast, &state.inner_opt_state, params, extra)?;
        let emit = state.mini_step.eq(&k - 1);
        let new = State {
            mini_step: plus_one(&state.mini_step) % &k,
            gradient_step: where_(&emit, plus_one(&state.gradient_step), &state.gradient_step),
            inner_opt_state: after.or(&emit, &state.inner_opt_state),
            acc_grads: acc.map(|sum| where_(&emit, sum.zeros_like(), sum)),
            skip_state: Leaves::default(),
        };
        let out = out.map(|u| where_(&emit, u, u.zeros_like()));
        let Some(skip) = &options.skip else { return Ok((out, new)) };
        let (skip, skip_state) = skip(updates, &state.gradient_step, params);
        let keep = |old: &Array, new: &Array| where_(&skip, old, new);
        let new = State {
            mini_step: keep(&state.mini_step, &new.mini_step),
            gradient_step: keep(&state.gradient_step, &new.gradient_step),
            inner_opt_state: state.inner_opt_state.or(&skip, &new.inner_opt_state),
            acc_grads: state.acc_grads.or(&skip, &new.acc_grads),
            skip_state,
        };
        Ok((out.map(|u| where_(&skip, u.zeros_like(), u)), new))
    })
}

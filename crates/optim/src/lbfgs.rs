use jarrah_array::{Array, DType, Tree, scan, scan_reverse, where_};

use crate::accumulate::steps;
use crate::lookahead::copied;
use crate::moments::{plus_one, start, zeros};
use crate::options::options;
use crate::transforms::{ZoomLinesearch, scale, scale_by_learning_rate, scale_by_zoom_linesearch};
use crate::tree::{self, NormOrder};
use crate::{GradientTransformation, Leaves, Schedule, chain};

options! {
    /// The options of L-BFGS.
    pub struct Lbfgs {
        /// How many pairs of differences are kept.
        memory_size: usize = 10,
        /// Whether the inverse Hessian starts as a multiple of the identity that fits the latest step, instead of as the
        /// identity.
        scale_init_precond: bool = true,
    }
}

#[derive(Clone, Tree)]
struct State {
    count: Array,
    params: Leaves,
    updates: Leaves,
    diff_params_memory: Leaves,
    diff_updates_memory: Leaves,
    weights_memory: Array,
}

/// Updates times an estimate of the inverse Hessian, `u = P g`, from the last differences of parameters and gradients:
///
/// `P = (I - r s y^T)^T P_before (I - r s y^T) + r s s^T`, with `s` a difference of parameters, `y` of gradients, `r = 1 / <y, s>`, for each
/// of `memory_size` pairs; at first `<y, s> / |y|^2` times the identity, or `min(1, 1 / |g|)` without a pair.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Lbfgs, apply_updates, chain};
/// use jarrah_optim::transforms::{scale, scale_by_lbfgs};
/// let t = chain([scale_by_lbfgs(Lbfgs::default()), scale(-1.0)]);
/// // The gradient of p^2 is 2 p: the second step goes to the minimum.
/// let mut p = Array::scalar(3.0);
/// let mut state = t.init(&p);
/// for _ in 0..2 {
///     let (u, next) = t.update(&(&p * 2.0), &state, &p);
///     (p, state) = (apply_updates(&p, &u), next);
/// }
/// assert!(p.abs().item::<f32>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Nocedal and Wright, Numerical optimization (1999), algorithm 7.4.
#[track_caller]
pub fn scale_by_lbfgs(options: Lbfgs) -> GradientTransformation {
    let Lbfgs { memory_size, scale_init_precond } = options;
    let size = steps(memory_size, "scale_by_lbfgs");
    let init = move |params: &Leaves| {
        let stacked =
            || params.map(|p| Array::full(&[&[memory_size], &p.shape()[..]].concat(), 0.0, p.dtype()));
        State {
            count: start().count,
            params: zeros(params),
            updates: zeros(params),
            diff_params_memory: stacked(),
            diff_updates_memory: stacked(),
            weights_memory: Array::full(&[memory_size], 0.0, wide(params)),
        }
    };
    GradientTransformation::new("scale_by_lbfgs", init, move |updates, state, params| {
        let later = state.count.gt(0);
        let at = &state.count % size;
        let last = (&state.count + (size - 1)) % size;
        let difference = |now: &Leaves, before: &Leaves| {
            now.zip([before], |now, [before]| where_(&later, now - before, now.zeros_like()))
        };
        let (s, y) = (difference(params, &state.params), difference(updates, &state.updates));
        let along = tree::real(&tree::vdot(&y, &s));
        let none = along.eq(0.0);
        let weight = where_(&none, along.zeros_like(), 1.0 / where_(&none, along.ones_like(), &along));
        let put = |memory: &Array, new: &Array| {
            let mut shape = vec![1; memory.rank()];
            shape[0] = memory_size;
            let here = Array::arange(memory_size as i64).astype(DType::I32).eq(&last).reshape(&shape);
            where_(&here, new.expand_dims(0).astype(memory.dtype()), memory)
        };
        let diff_params = state.diff_params_memory.beside(&s, put);
        let diff_updates = state.diff_updates_memory.beside(&y, put);
        let weights = put(&state.weights_memory, &weight);
        let first = match scale_init_precond {
            true => {
                let square = tree::squared_norm(&y);
                let some = square.gt(0.0);
                let ratio = where_(&some, &along / where_(&some, &square, 1.0), 1.0);
                let capped = (1.0 / tree::norm(updates, NormOrder::Two)).minimum(1.0);
                where_(&later, ratio, capped)
            }
            false => along.ones_like(),
        };
        let memory = (diff_params, diff_updates, weights);
        let out = precondition(updates, &memory, &first, &at, memory_size);
        let (diff_params_memory, diff_updates_memory, weights_memory) = memory;
        let state = State {
            count: plus_one(&state.count),
            params: params.map(copied),
            updates: updates.clone(),
            diff_params_memory,
            diff_updates_memory,
            weights_memory,
        };
        (out, state)
    })
}

fn wide(params: &Leaves) -> DType {
    if tree::dtype(params, true) == DType::F64 { DType::F64 } else { DType::F32 }
}

/// The two loops: from the newest pair to the oldest, and back.
fn precondition(
    updates: &Leaves,
    (s, y, weights): &(Leaves, Leaves, Array),
    first: &Array,
    at: &Array,
    size: usize,
) -> Leaves {
    let order = (Array::arange(size as i64).astype(DType::I32) + at) % size as i32;
    let pick = |memory: &Leaves, i: &Array| memory.map(|x| x.take(i, 0));
    let minus = |v: &Leaves, by: &Array, d: &Leaves| v.zip([d], |v, [d]| (v - d * by).astype(v.dtype()));
    let (vector, alphas) = scan_reverse(
        |v: &Leaves, i: &Array| {
            let alpha = weights.take(i, 0) * tree::real(&tree::vdot(&pick(s, i), v));
            (minus(v, &alpha, &pick(y, i)), alpha)
        },
        updates,
        &order,
    );
    let vector = vector.map(|v| (v * first).astype(v.dtype()));
    let (vector, _) = scan(
        |v: &Leaves, (i, alpha): &(Array, Array)| {
            let beta = weights.take(i, 0) * tree::real(&tree::vdot(&pick(y, i), v));
            (minus(v, &(beta - alpha), &pick(s, i)), ())
        },
        &vector,
        &(order.clone(), alphas),
    );
    vector
}

/// L-BFGS: [`scale_by_lbfgs`], the learning rate or -1, then a line search, as a rule [`scale_by_zoom_linesearch`] with
/// [`ZoomLinesearch::default`]; see [`lbfgs_with`] for another. Needs `value`, `grad` and `value_fn`.
///
/// ```
/// use jarrah_array::{Array, value_and_grad};
/// use jarrah_optim::{Extra, Lbfgs, Schedule, apply_updates, lbfgs};
/// let loss = |p: &Array| (p - 1.0).square().square().sum(..) + p.square().sum(..);
/// let optimizer = lbfgs(None::<Schedule>, Lbfgs::default());
/// let mut p = Array::from_slice(&[3.0f64, -2.0]);
/// let mut state = optimizer.init(&p);
/// for _ in 0..20 {
///     let (value, slope) = value_and_grad(loss)(&p);
///     let extra = Extra::new().value(&value).grad(&slope).value_fn(loss);
///     let (u, next) = optimizer.update_with(&slope, &state, &p, &extra);
///     (p, state) = (apply_updates(&p, &u), next);
/// }
/// assert!(value_and_grad(loss)(&p).1.abs().max(..).item::<f64>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Liu and Nocedal, On the limited memory BFGS method for large scale optimization (1989).
#[track_caller]
pub fn lbfgs(learning_rate: Option<impl Into<Schedule>>, options: Lbfgs) -> GradientTransformation {
    lbfgs_with(learning_rate, options, scale_by_zoom_linesearch(ZoomLinesearch::default()))
}

/// As [`lbfgs`], with a line search of your own; [`crate::transforms::identity`] for none.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// use jarrah_optim::transforms::*;
/// let optimizer = lbfgs_with(Some(0.1), Lbfgs::default(), identity());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lbfgs_with(
    learning_rate: Option<impl Into<Schedule>>,
    options: Lbfgs,
    linesearch: GradientTransformation,
) -> GradientTransformation {
    let rate = learning_rate.map_or_else(|| scale(-1.0), scale_by_learning_rate);
    chain([scale_by_lbfgs(options), rate, linesearch])
}

use jarrah_array::{Array, DType, Tree, cond, value_and_grad, where_, while_loop};

use super::value_dtype;
use crate::moments::zeros;
use crate::options::options;
use crate::{GradientTransformation, Leaves, tree};

options! {
    /// The options of the zoom line search.
    pub struct ZoomLinesearch {
        /// The largest number of points that are tried.
        max_linesearch_steps: usize = 20,
        /// The longest step, if steps are bounded.
        max_learning_rate: Option<f64> = None,
        /// The violation of the two conditions that is accepted.
        tol: f64 = 0.0,
        /// The factor by which steps grow while no interval is found.
        increase_factor: f64 = 2.0,
        /// The decrease that is required, as a share of the decrease that the slope predicts.
        slope_rtol: f64 = 1e-4,
        /// The slope that is flat enough, as a share of that at the start.
        curv_rtol: f64 = 0.9,
        /// The relative change of the value below which the decrease is judged by slopes (Hager and Zhang); `None` for never.
        approx_dec_rtol: Option<f64> = Some(1e-6),
        /// The length of an interval at which the search gives up.
        stepsize_precision: f64 = 1e-5,
        /// Whether the search begins with the last step, not with 1.
        keep_guess: bool = false,
    }
}

#[derive(Clone, Tree)]
struct Info {
    num_linesearch_steps: Array,
    decrease_error: Array,
    curvature_error: Array,
}

#[derive(Clone, Tree)]
struct State {
    learning_rate: Array,
    value: Array,
    grad: Leaves,
    info: Info,
}

/// A point on the line.
#[derive(Clone, Tree)]
struct Point {
    step: Array,
    value: Array,
    slope: Array,
}

impl Point {
    /// This point where `condition` is true, otherwise `other`.
    fn or(&self, condition: &Array, other: &Point) -> Point {
        tree::select(condition, self, other)
    }
}

/// The state that the search carries from point to point.
#[derive(Clone, Tree)]
struct Search {
    count: Array,
    now: Point,
    grad: Leaves,
    decrease_error: Array,
    curvature_error: Array,
    interval_found: Array,
    done: Array,
    failed: Array,
    low: Point,
    high: Point,
    /// The third point of the cubic interpolation.
    third: Point,
    /// The best point that decreases the loss enough: step, value and gradient.
    safe: (Array, Array, Leaves),
}

/// The constants of a search.
struct Line<'a> {
    options: ZoomLinesearch,
    start: Point,
    guess: Array,
    at: &'a dyn Fn(&Array) -> (Point, Leaves),
}

impl Line<'_> {
    fn decrease_error(&self, p: &Point) -> Array {
        let o = self.options;
        let mut error = &p.value - &self.start.value - &p.step * o.slope_rtol * &self.start.slope;
        if let Some(rtol) = o.approx_dec_rtol {
            let slopes = &p.slope - &self.start.slope * (2.0 * o.slope_rtol - 1.0);
            let change = &p.value - &self.start.value - self.start.value.abs() * rtol;
            error = slopes.maximum(change).minimum(error);
        }
        let error = error.maximum(0.0);
        where_(&error.isnan(), f64::INFINITY, error)
    }

    fn curvature_error(&self, p: &Point) -> Array {
        let error = (p.slope.abs() - self.start.slope.abs() * self.options.curv_rtol).maximum(0.0);
        where_(&error.isnan(), f64::INFINITY, error)
    }

    /// Tries longer and longer steps, until an interval is found that contains a point that meets both conditions.
    fn search(&self, s: &Search) -> Search {
        let o = self.options;
        let step = where_(&s.count.eq(0), &self.guess, &s.now.step * o.increase_factor);
        let (step, longest) = match o.max_learning_rate {
            Some(max) => (step.minimum(max), step.ge(max)),
            None => (step, Array::scalar(false)),
        };
        let (new, grad) = (self.at)(&step);
        let (decrease_error, curvature_error) = (self.decrease_error(&new), self.curvature_error(&new));
        let good = decrease_error.maximum(&curvature_error).le(o.tol);
        let high = decrease_error.gt(0.0) | (new.value.ge(&s.now.value) & s.count.gt(0));
        let low = new.slope.ge(0.0) & !&high;
        let found = &high | &low | &good;
        let done = &good | (longest & !&found);
        let safe = tree::select(
            &decrease_error.le(o.tol),
            &(new.step.clone(), new.value.clone(), grad.clone()),
            &s.safe,
        );
        let new_low = new.or(&low, &s.now);
        Search {
            count: &s.count + 1,
            failed: (&s.count + 1).ge(o.max_linesearch_steps as i64) & !&done,
            low: new_low.clone(),
            high: s.now.or(&low, &new),
            third: new_low,
            now: new,
            grad,
            decrease_error,
            curvature_error,
            interval_found: found,
            done,
            safe,
        }
    }

    /// A point within the interval, by the minimum of a cubic, of a parabola, or the middle.
    fn zoom(&self, s: &Search) -> Search {
        let o = self.options;
        let (low, high) = (&s.low, &s.high);
        let delta = (&high.step - &low.step).abs();
        let (left, right) = (high.step.minimum(&low.step), high.step.maximum(&low.step));
        let inside = |x: &Array, share: f64| x.gt(&left + &delta * share) & x.lt(&right - &delta * share);
        let (cubic, parabola) = (cubic_minimum(low, high, &s.third), parabola_minimum(low, high));
        let middle = (&low.step + &high.step) / 2.0;
        let middle = where_(&inside(&parabola, 0.1), &parabola, middle);
        let middle = where_(&inside(&cubic, 0.2), &cubic, middle);
        let (new, grad) = (self.at)(&middle);
        let (decrease_error, curvature_error) = (self.decrease_error(&new), self.curvature_error(&new));
        let done = decrease_error.maximum(&curvature_error).le(o.tol);
        let safe = tree::select(
            &(decrease_error.le(o.tol) & new.value.lt(&s.safe.1)),
            &(new.step.clone(), new.value.clone(), grad.clone()),
            &s.safe,
        );
        let to_high = decrease_error.gt(0.0) | new.value.ge(&low.value);
        let swaps = (&new.slope * (&high.step - &low.step)).ge(0.0) & !&to_high;
        let given_up = (&s.count + 1).ge(o.max_linesearch_steps as i64)
            | (delta.le(o.stepsize_precision) & safe.0.gt(0.0));
        Search {
            count: &s.count + 1,
            failed: given_up & !&done,
            low: low.or(&to_high, &new),
            high: low.or(&swaps, &new.or(&to_high, high)),
            third: high.or(&(&to_high | &swaps), low),
            now: new,
            grad,
            decrease_error,
            curvature_error,
            interval_found: s.interval_found.clone(),
            done,
            safe,
        }
    }
}

/// The minimum of the cubic with the values at three points and the slope at the first.
fn cubic_minimum(a: &Point, b: &Point, c: &Point) -> Array {
    let (db, dc) = (&b.step - &a.step, &c.step - &a.step);
    let denominator = (&db * &dc).square() * (&db - &dc);
    let rb = &b.value - &a.value - &a.slope * &db;
    let rc = &c.value - &a.value - &a.slope * &dc;
    let third = (dc.square() * &rb - db.square() * &rc) / &denominator;
    let second = (&db * db.square() * &rc - &dc * dc.square() * &rb) / &denominator;
    let radical = second.square() - &third * 3.0 * &a.slope;
    &a.step + (radical.sqrt() - second) / (third * 3.0)
}

/// The minimum of the parabola with the values at two points and the slope at the first.
fn parabola_minimum(a: &Point, b: &Point) -> Array {
    let db = &b.step - &a.step;
    let second = (&b.value - &a.value - &a.slope * &db) / db.square();
    &a.step - &a.slope / (second * 2.0)
}

/// A step along the update `u` that meets the strong Wolfe conditions:
///
/// `f(p + a u) <= f(p) + slope_rtol a <u, g>` and `|<u, grad f(p + a u)>| <= curv_rtol |<u, g>|`.
///
/// Needs `value`, `grad` and `value_fn`. Where no step meets both, the best that meets the first is taken. The state has `learning_rate`,
/// and `value` and `grad` where the step ends, for [`crate::transforms::value_and_grad_from_state`], and `info`.
///
/// ```
/// use jarrah_array::{Array, DType, grad};
/// use jarrah_optim::{Extra, Sgd, chain, sgd};
/// use jarrah_optim::transforms::{ZoomLinesearch, scale_by_zoom_linesearch};
/// let t = chain([sgd(1.0, Sgd::default()), scale_by_zoom_linesearch(ZoomLinesearch::default())]);
/// let loss = |p: &Array| p.square().sum(..);
/// let p = Array::scalar_in(1.0, DType::F64);
/// let extra = Extra::new().value(&loss(&p)).grad(&grad(loss)(&p)).value_fn(loss);
/// let (u, _) = t.update_with(&grad(loss)(&p), &t.init(&p), &p, &extra);
/// assert!((u.item::<f64>()? + 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Nocedal and Wright, Numerical optimization (1999), algorithms 3.5 and 3.6; Hager and Zhang, Algorithm 851 (2006).
pub fn scale_by_zoom_linesearch(options: ZoomLinesearch) -> GradientTransformation {
    let init = |params: &Leaves| {
        let dtype = value_dtype(params);
        let number = |value: f64| Array::full(&[], value, dtype);
        // As in Optax, the errors are `f32` unless the loss is `f64`.
        let error =
            || number(f64::INFINITY).astype(if dtype == DType::F64 { DType::F64 } else { DType::F32 });
        State {
            learning_rate: number(1.0),
            value: number(f64::INFINITY),
            grad: zeros(params),
            info: Info {
                num_linesearch_steps: Array::scalar(0i32),
                decrease_error: error(),
                curvature_error: error(),
            },
        }
    };
    GradientTransformation::with_extra(
        "scale_by_zoom_linesearch",
        init,
        move |updates, state, params, extra| {
            let dtype = state.value.dtype();
            let number = |value: f64| Array::full(&[], value, dtype);
            let (value, loss) = (extra.needed("value")?.astype(dtype), extra.needed_fn()?);
            let grad = extra.needed_tree("grad")?;
            let slope_of = |grad: &Leaves| tree::real(&tree::vdot(updates, grad)).astype(dtype);
            let at = |step: &Array| {
                let there =
                    params.zip([updates], |p, [u]| (p + u * step.astype(u.dtype())).astype(p.dtype()));
                let (value, slope) = value_and_grad(loss)(&there);
                let slope = slope.zip([params], |g, [p]| g.astype(p.dtype()));
                (Point { step: step.clone(), value: value.astype(dtype), slope: slope_of(&slope) }, slope)
            };
            let start = Point { step: number(0.0), value: value.clone(), slope: slope_of(grad) };
            let guess = if options.keep_guess { state.learning_rate.clone() } else { number(1.0) };
            let line = Line { options, start: start.clone(), guess, at: &at };
            let grad = grad.zip([params], |g, [p]| g.astype(p.dtype()));
            let begin = Search {
                count: Array::full(&[], 0.0, DType::I32),
                now: start.clone(),
                grad: grad.clone(),
                decrease_error: number(f64::INFINITY),
                curvature_error: number(f64::INFINITY),
                interval_found: Array::scalar(false),
                done: Array::scalar(false),
                failed: Array::scalar(false),
                low: start.clone(),
                high: start.clone(),
                third: start.clone(),
                safe: (number(0.0), value, grad),
            };
            let end = while_loop(
                |s: &Search| !(&s.done | &s.failed),
                |s: &Search| cond(&s.interval_found, || line.zoom(s), || line.search(s)),
                &begin,
            );
            // Where the search failed, the safe step, or none where even the last point is outside of the domain.
            let safe = &end.failed & (end.safe.0.gt(0.0) | end.decrease_error.isinf());
            let (rate, value, grad) =
                tree::select(&safe, &end.safe, &(end.now.step, end.now.value, end.grad));
            let info = Info {
                num_linesearch_steps: end.count,
                decrease_error: end.decrease_error,
                curvature_error: end.curvature_error,
            };
            let out = updates.map(|u| u * rate.astype(u.dtype()));
            Ok((out, State { learning_rate: rate, value, grad, info }))
        },
    )
}

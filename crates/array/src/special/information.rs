use super::pair;
use crate::array::Array;
use crate::autodiff::jvp;
use crate::custom::{custom_jvp, with_slope};
use crate::elementwise::where_;
use crate::operators::IntoOperand;

/// The logistic function, `1 / (1 + e^-x)`: see [`Array::sigmoid`].
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::expit(&Array::scalar(0.0f32)).item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn expit(x: &Array) -> Array {
    x.sigmoid()
}

/// The inverse of the logistic function, `ln(p / (1 - p))`.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::logit(&Array::from_slice(&[0.0f32, 0.5])).to_vec::<f32>()?, [f32::NEG_INFINITY, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn logit(p: &Array) -> Array {
    fn value(p: &Array) -> Array {
        (p / (1 - p)).log()
    }
    let p = &p.inexact();
    if p.dtype().is_complex() {
        return value(p);
    }
    with_slope(p, value, |p, _| 1.0 / (p * (1 - p)))
}

/// `x ln(y)`, which is 0 where `x` is, whatever `y`.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::xlogy(&Array::scalar(0.0f32), 0).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn xlogy(x: &Array, y: impl IntoOperand) -> Array {
    fn value(x: &Array, y: &Array) -> Array {
        let apart = x.ne(0);
        where_(&apart, x * where_(&apart, y, 1).log(), 0)
    }
    let rule =
        |(x, y): &(Array, Array), (dx, dy): &(Array, Array)| (value(x, y), dx * y.log() + dy * (x / y));
    custom_jvp(|(x, y): &(Array, Array)| value(x, y), rule)(&pair("xlogy", x, y))
}

/// `x ln(1 + y)`, which is 0 where `x` is, whatever `y`.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::xlog1py(&Array::scalar(0.0f32), -1).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn xlog1py(x: &Array, y: impl IntoOperand) -> Array {
    fn value(x: &Array, y: &Array) -> Array {
        let apart = x.ne(0);
        where_(&apart, x * where_(&apart, y, 0).log1p(), 0)
    }
    let rule = |(x, y): &(Array, Array), (dx, dy): &(Array, Array)| {
        (value(x, y), dx * y.log1p() + dy * (x / (y + 1)))
    };
    custom_jvp(|(x, y): &(Array, Array)| value(x, y), rule)(&pair("xlog1py", x, y))
}

/// An element of entropy, `-x ln(x)`; 0 at 0, minus infinity below.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::entr(&Array::from_slice(&[0.0f32, 1.0])).to_vec::<f32>()?, [0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn entr(x: &Array) -> Array {
    let x = &x.inexact();
    where_(&x.lt(0), f64::NEG_INFINITY, -xlogy(x, x))
}

/// An element of relative entropy, `p ln(p / q)`: 0 where `p` is 0 and `q` is not negative, else infinity unless both are
/// positive.
///
/// ```
/// use jarrah_array::{Array, special};
/// let y = special::rel_entr(&Array::from_slice(&[0.0f32, 1.0]), &Array::from_slice(&[2.0f32, 0.0]));
/// assert_eq!(y.to_vec::<f32>()?, [0.0, f32::INFINITY]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn rel_entr(p: &Array, q: impl IntoOperand) -> Array {
    divergence(&pair("rel_entr", p, q), false)
}

/// [`rel_entr`], or [`kl_div`], whose derivatives `ln(p / q)` and `1 - p / q` vanish where the two are equal.
#[track_caller]
fn divergence(both: &(Array, Array), kl: bool) -> Array {
    type Two = (Array, Array);
    let value = move |(p, q): &Two| {
        let both = p.gt(0) & q.gt(0);
        let (safe_p, safe_q) = (where_(&both, p, 1), where_(&both, q, 1));
        let value = &safe_p * (safe_p.log() - safe_q.log());
        let entropy = where_(&both, value, where_(&(p.eq(0) & q.ge(0)), p.zeros_like(), f64::INFINITY));
        if kl { entropy - p + q } else { entropy }
    };
    let rule = move |at: &Two, (dp, dq): &Two| {
        let (p, q) = at;
        let both = p.gt(0) & q.gt(0);
        let (p, q) = (where_(&both, p, 1), where_(&both, q, 1));
        let apart = (&p - &q) / &q;
        let close = apart.abs().lt(0.5);
        let log = where_(&close, where_(&close, &apart, 0).log1p(), p.log() - q.log());
        let (by_p, by_q) = if kl { (log, -apart) } else { (log + 1, -(&p / &q)) };
        let outside = if kl { 1 } else { 0 };
        let (by_p, by_q) = (where_(&both, by_p, -outside), where_(&both, by_q, outside));
        (value(at), dp * by_p + dq * by_q)
    };
    custom_jvp(value, rule)(both)
}

/// An element of the Kullback-Leibler divergence, `p ln(p / q) - p + q`: `q` where `p` is 0 and `q` is not negative, else
/// infinity unless both are positive.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::kl_div(&Array::scalar(0.0f32), 2).item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn kl_div(p: &Array, q: impl IntoOperand) -> Array {
    divergence(&pair("kl_div", p, q), true)
}

/// The power transformation `(x^lambda - 1) / lambda`, the logarithm of `x` where `lambda` is 0.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert!((special::boxcox(&Array::scalar(3.0f64), 2).item::<f64>()? - 4.0).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Box and Cox, An analysis of transformations (1964).
#[track_caller]
pub fn boxcox(x: &Array, lambda: impl IntoOperand) -> Array {
    power_of(&pair("boxcox", x, lambda), false)
}

/// [`boxcox`] of `1 + x`, accurate for small `x`.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::boxcox1p(&Array::scalar(1e-20f64), 0).item::<f64>()?, 1e-20);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn boxcox1p(x: &Array, lambda: impl IntoOperand) -> Array {
    power_of(&pair("boxcox1p", x, lambda), true)
}

/// The power transformation of `x`, or of `1 + x`, whose derivative is a power.
#[track_caller]
fn power_of(both: &(Array, Array), more: bool) -> Array {
    type Two = (Array, Array);
    let log = move |x: &Array| if more { x.log1p() } else { x.log() };
    let value = move |(x, lambda): &Two| power_of_log(&log(x), lambda);
    let rule = move |at: &Two, (dx, dlambda): &Two| {
        let (x, lambda) = at;
        let base = if more { x + 1 } else { x.clone() };
        let by_lambda = jvp(|lambda: &Array| power_of_log(&log(x), lambda), lambda, &lambda.ones_like()).1;
        (value(at), dx * base.pow(lambda - 1) + dlambda * by_lambda)
    };
    custom_jvp(value, rule)(both)
}

/// `(e^(lambda log) - 1) / lambda`, `log` where `lambda` is 0.
#[track_caller]
fn power_of_log(log: &Array, lambda: &Array) -> Array {
    let none = lambda.eq(0);
    let safe = where_(&none, 1, lambda);
    where_(&none, log, (log * &safe).expm1() / safe)
}

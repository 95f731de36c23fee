use super::difference::log1p_minus;
use super::pair;
use crate::array::Array;
use crate::custom::{custom_jvp, with_slope, with_slopes};
use crate::elementwise::where_;
use crate::operators::IntoOperand;

/// The logistic function, `1 / (1 + e^-x)`: see [`Array::sigmoid`].
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::expit(&Array::scalar(0.0)).item::<f32>()?, 0.5);
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
/// assert_eq!(special::xlogy(&Array::scalar(0.0), 0).item::<f32>()?, 0.0);
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
/// assert_eq!(special::xlog1py(&Array::scalar(0.0), -1).item::<f32>()?, 0.0);
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
    let positive = |(p, q): &Two| {
        let both = p.gt(0) & q.gt(0);
        let (safe_p, safe_q) = (where_(&both, p, 1), where_(&both, q, 1));
        (both, safe_p, safe_q)
    };
    let value = move |at: &Two| {
        let (p, q) = at;
        let (both, safe_p, safe_q) = positive(at);
        let value = &safe_p * log_of_ratio(&safe_p, &safe_q);
        let entropy = where_(&both, value, where_(&(p.eq(0) & q.ge(0)), p.zeros_like(), f64::INFINITY));
        if !kl {
            return entropy;
        }
        let apart = apart(&safe_p, &safe_q);
        let close = &both & apart.abs().lt(0.5);
        let apart = where_(&close, apart, 0);
        // `p ln(p / q) - p + q` of `p = q (1 + a)`, divided by `q`.
        let near = (&apart + 1) * log1p_minus(&apart) + apart.square();
        where_(&close, safe_q * near, entropy - p + q)
    };
    with_slopes(both, value, |at, _| {
        let (both, p, q) = positive(at);
        let log = log_of_ratio(&p, &q);
        let (by_p, by_q) = if kl { (log, -apart(&p, &q)) } else { (log + 1, -(&p / &q)) };
        let outside = if kl { 1 } else { 0 };
        (where_(&both, by_p, -outside), where_(&both, by_q, outside))
    })
}

/// `(p - q) / q` of positive numbers.
#[track_caller]
fn apart(p: &Array, q: &Array) -> Array {
    let at = (p.clone(), q.clone());
    with_slopes(&at, |(p, q)| (p - q) / q, |(p, q), _| (1.0 / q, -(p / q) / q))
}

/// `ln(p / q)` of positive numbers.
#[track_caller]
fn log_of_ratio(p: &Array, q: &Array) -> Array {
    let value = |(p, q): &(Array, Array)| {
        let apart = (p - q) / q;
        let close = apart.abs().lt(0.5);
        where_(&close, where_(&close, apart, 0).log1p(), p.log() - q.log())
    };
    with_slopes(&(p.clone(), q.clone()), value, |(p, q), _| (1.0 / p, -1.0 / q))
}

/// An element of the Kullback-Leibler divergence, `p ln(p / q) - p + q`: `q` where `p` is 0 and `q` is not negative, else
/// infinity unless both are positive.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::kl_div(&Array::scalar(0.0), 2).item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn kl_div(p: &Array, q: impl IntoOperand) -> Array {
    divergence(&pair("kl_div", p, q), true)
}

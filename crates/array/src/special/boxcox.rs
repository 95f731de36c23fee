use super::{pair, polynomial};
use crate::array::Array;
use crate::custom::with_slopes;
use crate::elementwise::where_;
use crate::operators::IntoOperand;
use crate::random::tiny;

/// The power transformation `(x^lambda - 1) / lambda`, the logarithm of `x` where `lambda` is 0.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// assert!((special::boxcox(&Array::scalar_in(3.0, DType::F64), 2).item::<f64>()? - 4.0).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Box and Cox, An analysis of transformations (1964).
#[track_caller]
pub fn boxcox(x: &Array, lambda: impl IntoOperand) -> Array {
    part(0, &pair("boxcox", x, lambda), false)
}

/// [`boxcox`] of `1 + x`, accurate for small `x`.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// assert_eq!(special::boxcox1p(&Array::scalar_in(1e-20, DType::F64), 0).item::<f64>()?, 1e-20);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn boxcox1p(x: &Array, lambda: impl IntoOperand) -> Array {
    part(0, &pair("boxcox1p", x, lambda), true)
}

/// Up to which `|lambda log|` the derivative number `n` by `lambda` is a series: beyond, the terms of the recurrence do not cancel.
const NEAR: [f64; 4] = [0.0, 2.0, 3.0, 4.0];

/// Derivative number `n` by `lambda` of the power transformation of `x`, or of `1 + x`:
/// `d_n = log^(n+1)` times the integral of `t^n e^(t lambda log)` from 0 to 1, where `d_n` has the slopes `log^n x^(lambda - 1)` by `x`
/// and `d_(n+1)` by `lambda`.
#[track_caller]
fn part(n: usize, both: &(Array, Array), more: bool) -> Array {
    type Two = (Array, Array);
    let log = move |x: &Array| if more { x.log1p() } else { x.log() };
    let value = move |(x, lambda): &Two| match n {
        0 => transformed(&log(x), lambda),
        _ => by_lambda(n, (x, &log(x)), lambda, more),
    };
    if n + 1 == NEAR.len() || both.0.dtype().is_complex() {
        return value(both);
    }
    with_slopes(both, value, |at, _| {
        let (x, lambda) = at;
        let power = if more { power1p(x, &(lambda - 1)) } else { x.pow(lambda - 1) };
        let by_x = if n == 0 { power } else { power * log(x).pow(n as i32) };
        (by_x, part(n + 1, at, more))
    })
}

/// `(1 + x)^p`. Next to 0, `1 + x` is rounded, and so would be its logarithm in the slope by `p`.
#[track_caller]
fn power1p(x: &Array, p: &Array) -> Array {
    let near = x.abs().lt(0.5);
    let close = (p * where_(&near, x, 0).log1p()).exp();
    where_(&near, close, where_(&near, 1, x + 1).pow(p))
}

/// `(e^(lambda log) - 1) / lambda`, which is `log` where `lambda` is 0.
#[track_caller]
fn transformed(log: &Array, lambda: &Array) -> Array {
    // Where the product is subnormal, it has lost digits that the quotient would need.
    let none = lambda.eq(0) | (log * lambda).abs().lt(tiny(log.dtype()));
    let safe = where_(&none, 1, lambda);
    where_(&none, log, (log * &safe).expm1() / safe)
}

/// The value of [`part`] for `n >= 1`.
#[track_caller]
fn by_lambda(n: usize, (x, log): (&Array, &Array), lambda: &Array, more: bool) -> Array {
    let z = log * lambda;
    let near = z.abs().lt(NEAR[n]);
    let close = where_(&near, &z, 0);
    // Both series have positive terms alone: below 0 that of the function times `e^-z`.
    let (above, below) = series(n);
    let size = close.abs();
    let above = polynomial(&size, &above);
    let below = polynomial(&size, &below) * close.exp();
    let series = where_(&z.lt(0), below, above) * log.pow(n as i32 + 1);
    // By parts: `d_k = (log^k e^z - k d_(k-1)) / lambda`; all times `e^(-z / 2)` where `z` is positive, so that nothing is infinite before
    // the result.
    let (x, log) = (where_(&near, 1, x), where_(&near, 1, log));
    let lambda = where_(&near, NEAR[n], lambda);
    let positive = z.gt(0);
    let share = where_(&positive, &lambda * 0.5, &lambda);
    let power = if more { (&log * share).exp() } else { x.pow(share) };
    let first = where_(&positive, &power - 1.0 / &power, (&log * &lambda).expm1());
    let vanishes = power.eq(0);
    let mut far = first / &lambda;
    for k in 1..=n {
        let edge = where_(&vanishes, 0, &power * where_(&vanishes, 1, &log).pow(k as i32));
        far = (edge - far * k as f64) / &lambda;
    }
    where_(&near, series, far * where_(&positive, power, 1))
}

/// The coefficients of the integral of `t^n e^(t z)` from 0 to 1 in `z`, and those of it times `e^z` in `-z`, of the highest powers first:
/// `1 / (k! (n + k + 1))` and `1 / ((n + 1) .. (n + k + 1))`.
fn series(n: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    let (mut factorial, mut rising, mut power) = (1.0, n as f64 + 1.0, 1.0);
    for k in 1.. {
        above.push(1.0 / (factorial * (n + k) as f64));
        below.push(1.0 / rising);
        factorial *= k as f64;
        rising *= (n + k + 1) as f64;
        power *= NEAR[n];
        if power < f64::EPSILON / 8.0 * factorial.min(rising) {
            break;
        }
    }
    above.reverse();
    below.reverse();
    (above, below)
}

use std::f64::consts::PI;

use super::polynomial;
use crate::array::Array;
use crate::custom::with_slope;
use crate::elementwise::where_;

/// Up to which `|pi x|` the derivative number `n` is its series: beyond, the terms of the recurrence do not cancel.
const NEAR: [f64; 4] = [1.0, 1.5, 2.5, 3.5];

/// The terms of a series, enough for `|pi x| <= 3.5`.
const TERMS: u32 = 20;

/// `sin(pi x) / (pi x)` of real numbers, with derivatives of every order that keep their digits around 0 and far from it.
#[track_caller]
pub(crate) fn sinc(x: &Array) -> Array {
    part(0, x)
}

/// The derivative number `n`.
#[track_caller]
fn part(n: usize, x: &Array) -> Array {
    if n + 1 == NEAR.len() {
        return value(n, x);
    }
    with_slope(x, |x| value(n, x), |x, _| part(n + 1, x))
}

/// Far from 0 by `x f_n + n f_(n-1) = pi^(n-1) s_n`, where `s_n` is the derivative number `n` of the sine at `pi x`.
#[track_caller]
fn value(n: usize, x: &Array) -> Array {
    let near = x.abs().lt(NEAR[n] / PI);
    let close = where_(&near, x, 0) * PI;
    let even = polynomial(&close.square(), &coefficients(n));
    let series = if n.is_multiple_of(2) { even } else { close * even };
    let x = where_(&near, 1, x);
    let z = &x * PI;
    // The distance from the nearest whole number is exact.
    let whole = x.round();
    let angle = (&x - &whole) * PI;
    let sign = 1.0 - (&whole - (&whole * 0.5).floor() * 2) * 2;
    let cosine = &sign * angle.cos();
    let sine = sign * angle.sin();
    let mut far = &sine / &z;
    for k in 1..=n {
        let (turned, sign) = (if k % 2 == 0 { &sine } else { &cosine }, if k % 4 < 2 { 1.0 } else { -1.0 });
        far = (turned * (sign * PI.powi(k as i32 - 1)) - far * k as f64) / &x;
    }
    where_(&near, series, far)
}

/// The coefficients of the derivative number `n` in `(pi x)^2`, that of the highest power first: of a term `(pi x)^(2 k)` of the
/// function, times `(-1)^k / (2 k + 1)!`, remain `2 k (2 k - 1) ..`, `n` factors, and `pi^n`. An odd `n` leaves a factor `pi x` aside.
fn coefficients(n: usize) -> Vec<f64> {
    let mut coefficient = 1.0;
    let mut all = Vec::new();
    for k in 1..=TERMS {
        let power = 2 * (k - 1);
        if power >= n as u32 {
            let falling = (0..n as u32).map(|i| f64::from(power - i)).product::<f64>();
            all.push(coefficient * falling * PI.powi(n as i32));
        }
        coefficient *= -0.5 / (f64::from(k) * f64::from(2 * k + 1));
    }
    all.reverse();
    all
}

use std::f64::consts::PI;

use super::polynomial;
use crate::array::Array;
use crate::custom::with_slope;
use crate::elementwise::where_;

/// Up to which `|z|` the function number `n` is its series: beyond, the terms of the recurrence do not cancel.
const NEAR: [f64; 4] = [1.0, 1.5, 2.5, 3.5];

/// The terms of a series, enough for `|z| <= 3.5`.
const TERMS: u32 = 20;

/// `sin(pi x) / (pi x)` of real numbers, with derivatives of every order that keep their digits around 0.
#[track_caller]
pub(crate) fn sinc(x: &Array) -> Array {
    part(0, x)
}

/// `g_n(pi x)` where `g_n(z) = j_n(z) / z^n` is even, `j_n` the spherical Bessel function, `g_0(z) = sin(z) / z`, and
/// `g_n'(z) = -z g_(n+1)(z)`.
///
/// Source: NIST Digital Library of Mathematical Functions, 10.49, 10.51 and 10.53.
#[track_caller]
fn part(n: usize, x: &Array) -> Array {
    if n + 1 == NEAR.len() {
        return value(n, x);
    }
    with_slope(x, |x| value(n, x), |x, _| x * part(n + 1, x) * -(PI * PI))
}

#[track_caller]
fn value(n: usize, x: &Array) -> Array {
    let near = x.abs().lt(NEAR[n] / PI);
    let series = polynomial(&(where_(&near, x, 0) * PI).square(), &coefficients(n));
    let x = where_(&near, 1, x);
    let z = &x * PI;
    // The distance from the nearest whole number is exact.
    let whole = x.round();
    let angle = (&x - &whole) * PI;
    let sign = 1.0 - (&whole - (&whole * 0.5).floor() * 2) * 2;
    let mut last = &sign * angle.cos();
    let mut far = sign * angle.sin() / &z;
    for k in 1..=n {
        let factor = (2 * k - 1) as f64;
        let next = if k == 1 { (&far - &last) / z.square() } else { (&far * factor - &last) / z.square() };
        last = std::mem::replace(&mut far, next);
    }
    where_(&near, series, far)
}

/// The coefficients of `g_n` in `z^2`, that of the highest power first: `(-1/2)^k / (k! (2 n + 2 k + 1)!!)`.
fn coefficients(n: usize) -> Vec<f64> {
    let odd = |n: u32| (1..=n).map(|k| f64::from(2 * k + 1)).product::<f64>();
    let mut coefficient = 1.0 / odd(n as u32);
    let mut all = Vec::new();
    for k in 1..=TERMS {
        all.push(coefficient);
        coefficient *= -0.5 / (f64::from(k) * f64::from(2 * (n as u32 + k) + 1));
    }
    all.reverse();
    all
}

//! Differences that their terms would lose.

use jarrah_base::DType;

use super::{digamma, polygamma, polynomial};
use crate::array::Array;
use crate::custom::{with_slope, with_slopes};
use crate::elementwise::where_;

/// `f` of floats of at least 32 bits, rounded once to the type of the first.
#[track_caller]
pub(super) fn widened(x: &Array, y: &Array, f: impl Fn(&Array, &Array) -> Array) -> Array {
    let dtype = x.dtype();
    if dtype.bits() >= 32 { f(x, y) } else { f(&x.astype(DType::F32), &y.astype(DType::F32)).astype(dtype) }
}

/// `ln(1 + x) - x`.
///
/// With `s = x / (2 + x)` the logarithm is `2 artanh(s)`, and `2 s - x = -x s`.
#[track_caller]
pub(super) fn log1p_minus(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        let near = x.gt(-0.5) & x.lt(1);
        let close = where_(&near, x, 0);
        let s = &close / (&close + 2);
        let terms: Vec<f64> = (0..18).rev().map(|k| 2.0 / f64::from(2 * k + 3)).collect();
        let square = s.square();
        let series = &s * (&square * polynomial(&square, &terms) - &close);
        let far = where_(&near, 1, x);
        where_(&near, series, far.log1p() - far)
    }
    with_slope(x, value, |x, _| -x / (x + 1))
}

/// By how much the arguments of a sum are raised before the asymptotic series of the rest.
const RAISED: usize = 12;

/// Bernoulli numbers 2, 4, ... 20.
const BERNOULLI: [f64; 10] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174_611.0 / 330.0,
];

/// The order of the derivative of digamma whose differences have no rule of their own.
const LAST: usize = 4;

/// `psi_n(x) - psi_n(x + y)`, `psi_n` the polygamma function of order `n`: where all arguments are positive, as a sum of
/// differences of powers, which are products, so that nothing cancels however near the two are.
///
/// Source: NIST Digital Library of Mathematical Functions, 5.15.1 and 5.15.8.
#[track_caller]
pub(super) fn polygammas_apart(n: usize, x: &Array, y: &Array) -> Array {
    let value = |(x, y): &(Array, Array)| {
        widened(x, y, |x, y| {
            let end = x + y;
            let plain = of_order(n, x) - of_order(n, &end);
            let positive = x.gt(0) & end.gt(0) & x.isfinite() & end.isfinite();
            let back = y.lt(0);
            let (first, last) = (where_(&back, &end, x), where_(&back, x, &end));
            let first = where_(&positive, first, 1);
            let difference = descent(n, &first, &where_(&positive, y.abs(), 1), &where_(&positive, last, 2));
            where_(&positive, where_(&back, -&difference, difference), plain)
        })
    };
    let at = (x.clone(), y.clone());
    if n == LAST {
        return value(&at);
    }
    with_slopes(&at, value, |(x, y), _| (polygammas_apart(n + 1, x, y), -of_order(n + 1, &(x + y))))
}

#[track_caller]
fn of_order(n: usize, x: &Array) -> Array {
    if n == 0 { digamma(x) } else { polygamma(&Array::full(&x.shape(), n as f64, x.dtype()), x) }
}

/// `psi_n(x) - psi_n(z)` for positive `z = x + y`.
#[track_caller]
fn descent(n: usize, x: &Array, y: &Array, z: &Array) -> Array {
    let factorial = |k: usize| (1..=k).map(|i| i as f64).product::<f64>();
    let sign = if n.is_multiple_of(2) { -1.0 } else { 1.0 };
    // `u - v` for `u = 1 / x` and `v = 1 / z` is `y u v`.
    let inverses = |j: usize| (1.0 / (x + j as f64), 1.0 / (z + j as f64));
    let apart = |u: &Array, v: &Array| u * (y * v);
    let (u, v) = inverses(RAISED);
    // Multiples of `u^m - v^m = (u - v) (u^(m-1) + u^(m-2) v + .. + v^(m-1))`.
    let mut coefficients = vec![0.0; n + 2 * BERNOULLI.len() + 1];
    if n > 0 {
        coefficients[n] = factorial(n - 1);
    }
    coefficients[n + 1] += factorial(n) / 2.0;
    for (k, bernoulli) in (1..).zip(BERNOULLI) {
        coefficients[2 * k + n] += bernoulli * factorial(2 * k + n - 1) / factorial(2 * k);
    }
    let (mut homogeneous, mut power) = (u.ones_like(), u.ones_like());
    let mut rest = u.zeros_like();
    for &coefficient in &coefficients[1..] {
        rest += &homogeneous * coefficient;
        power *= &v;
        homogeneous = homogeneous * &u + &power;
    }
    let mut sum = rest * apart(&u, &v);
    if n == 0 {
        sum += (y * &u).log1p();
    }
    for j in (0..RAISED).rev() {
        let (u, v) = inverses(j);
        let mut homogeneous = u.ones_like();
        let mut power = v.clone();
        for _ in 0..n {
            homogeneous = homogeneous * &u + &power;
            power *= &v;
        }
        sum += homogeneous * apart(&u, &v) * factorial(n);
    }
    sum * sign
}

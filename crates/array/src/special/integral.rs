use std::f64::consts::{FRAC_2_SQRT_PI, PI};

use jarrah_base::DType;

use super::incomplete::{lentz, until_small};
use super::polynomial;
use crate::array::Array;
use crate::custom::with_slope;
use crate::elementwise::where_;

/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

/// The exponential integral, of `e^-t / t` from `x` to infinity; NaN of negative numbers.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// assert!((special::exp1(&Array::scalar_in(1.0, DType::F64)).item::<f64>()? - 0.21938393439552029).abs() < 1e-15);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: NIST Digital Library of Mathematical Functions, 6.6.2 and 6.9.1.
#[track_caller]
pub fn exp1(x: &Array) -> Array {
    with_slope(&x.inexact(), exp1_value, |x, _| -(-x).exp() / x)
}

#[track_caller]
fn exp1_value(x: &Array) -> Array {
    let (small, large) = (x.gt(0) & x.le(1), x.gt(1) & x.isfinite());
    let near = where_(&small, x, 0.5);
    let near = -(near.log() + EULER + entire(&-&near));
    let far = where_(&large, x, 2);
    // Number n of the fraction is -n^2 over x + 2 n + 1.
    let fraction = lentz(&(&far + 1), |n| {
        let n = n.astype(far.dtype());
        (-n.square(), &far + (n * 2 + 1))
    });
    let far = (-&far).exp() / fraction;
    let edge = where_(&x.eq(0), f64::INFINITY, where_(&x.gt(1), 0, Array::full(&[], f64::NAN, x.dtype())));
    where_(&small, near, where_(&large, far, edge))
}

/// `x + x^2 / (2 2!) + x^3 / (3 3!) + ..`
#[track_caller]
fn entire(x: &Array) -> Array {
    until_small(x, x, |n, power| {
        let power = power * (x / n);
        (power.clone(), power / n)
    })
}

/// The exponential integral, of `e^t / t` from minus infinity to `x`, as a principal value.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// assert!((special::expi(&Array::scalar_in(1.0, DType::F64)).item::<f64>()? - 1.8951178163559368).abs() < 1e-15);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: NIST Digital Library of Mathematical Functions, 6.6.2; 6.12.2 from 40.
#[track_caller]
pub fn expi(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        let (negative, large) = (x.lt(0), x.ge(40));
        let below = -exp1_value(&where_(&negative, -x, 1));
        let near = where_(&(&negative | &large | x.eq(0)), 1, x);
        let near = near.log() + EULER + entire(&near);
        let far = where_(&large, x, 40);
        // Terms of the asymptotic series shrink up to number 40.
        let mut sum = far.ones_like();
        for n in (1..40).rev() {
            sum = sum * (f64::from(n) / &far) + 1;
        }
        let far = exp_over(&far) * sum;
        let above = where_(&large, far, where_(&x.eq(0), f64::NEG_INFINITY, near));
        where_(&negative, below, above)
    }
    with_slope(&x.inexact(), value, |x, _| exp_over(x))
}

/// `e^x / x`, finite where `e^x` itself is not.
#[track_caller]
fn exp_over(x: &Array) -> Array {
    // The exponential is finite up to here.
    let most = match x.dtype() {
        DType::F64 => 700.0,
        DType::F16 => 10.0,
        _ => 80.0,
    };
    let beyond = x.gt(most);
    let near = where_(&beyond, 1, x);
    let far = where_(&beyond, x, 1);
    let half = (&far * 0.5).exp();
    where_(&beyond, &half * (&half / far), near.exp() / near)
}

/// Dawson's integral, `e^(-x^2)` times the integral of `e^(t^2)` from 0 to `x`.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// assert!((special::dawsn(&Array::scalar_in(1.0, DType::F64)).item::<f64>()? - 0.5380795069127684).abs() < 1e-15);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Rybicki, Dawson's integral and the sampling theorem (1989), with steps of 1/4.
#[track_caller]
pub fn dawsn(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        const STEP: f64 = 0.25;
        // Beyond this the next term of the expansion in 1 / x does not count.
        let far = x.abs().gt(if x.dtype() == DType::F64 { 1e8 } else { 1e4 });
        let safe = where_(&far, 1, x);
        // Around the nearest even number of steps, odd numbers of steps away.
        let even = (&safe / (2.0 * STEP)).round() * 2;
        let rest = &safe - &even * STEP;
        let mut sum = x.zeros_like();
        for odd in (-27..=27).step_by(2) {
            let offset = f64::from(odd);
            let place = &even + offset;
            sum += (-(&rest - offset * STEP).square()).exp() / place;
        }
        let y = where_(&far, 0.5 / where_(&far, x, 1), sum * (0.5 * FRAC_2_SQRT_PI));
        // Around 0 the terms of the sum cancel: x - 2 x^3 / 3 + 4 x^5 / 15 - ..
        let near = x.abs().lt(0.5);
        let close = where_(&near, x, 0);
        let mut terms = vec![1.0];
        for k in 1..16 {
            terms.push(terms[k - 1] * -2.0 / (2 * k + 1) as f64);
        }
        terms.reverse();
        where_(&near, &close * polynomial(&close.square(), &terms), y)
    }
    // The derivative 1 - 2 x y cancels where x is large: there it is -1 / (2 x^2) - 3 / (4 x^4) - 15 / (8 x^6) - ..
    let slope = |x: &Array, y: &Array| {
        let far = x.abs().gt(7);
        let inverse = 1.0 / where_(&far, x, 7);
        let inverse = inverse.square();
        let mut terms = vec![-0.5];
        // Terms grow before they are multiplied by powers of the inverse: `f16` holds few, and needs no more.
        for k in 1..if x.dtype() == DType::F16 { 4 } else { 30 } {
            terms.push(terms[k - 1] * (2 * k + 1) as f64 * 0.5);
        }
        terms.reverse();
        where_(&far, &inverse * polynomial(&inverse, &terms), 1.0 - x * y * 2)
    };
    with_slope(&x.inexact(), value, slope)
}

/// Spence's function, the integral of `ln(t) / (1 - t)` from 1 to `x`: the dilogarithm of `1 - x`; NaN of negative
/// numbers.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let y = special::spence(&Array::scalar_in(0.0, DType::F64)).item::<f64>()?;
/// assert!((y - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-15);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: NIST Digital Library of Mathematical Functions, 25.12; between 1/2 and 2 the series in `ln(x)` with Bernoulli
/// numbers.
#[track_caller]
pub fn spence(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        let (small, large) = (x.lt(0.5) & x.gt(0), x.gt(2));
        let inner = where_(&small, 1.0 - x, where_(&large, 1.0 / where_(&large, x, 3), x));
        let inner = where_(&inner.gt(0), inner, 1);
        let u = -inner.log();
        let series = polynomial(&u.square(), &BERNOULLI);
        let near = &u * (series - &u * 0.25);
        let log = where_(&(x.gt(0)), x, 1).log();
        let low = PI * PI / 6.0 - &log * (-where_(&small, x, 0.25)).log1p() - &near;
        let high = -(&near + log.square() * 0.5);
        let y = where_(&small, low, where_(&large, high, near));
        where_(&x.lt(0), f64::NAN, where_(&x.eq(0), PI * PI / 6.0, y))
    }
    let slope = |x: &Array, _: &Array| {
        // `ln(x) / (1 - x) = -2 artanh(w) / (w (x + 1))` with `w = (x - 1) / (x + 1)`, whose series is even: near 1 nothing cancels.
        let near = x.gt(0.25) & x.lt(4);
        let close = where_(&near, x, 1);
        let w = (&close - 1) / (&close + 1);
        let terms: Vec<f64> = (0..36).rev().map(|k| 1.0 / f64::from(2 * k + 1)).collect();
        let series = polynomial(&w.square(), &terms) * -2 / (close + 1);
        let far = where_(&near, 5, x);
        where_(&near, series, far.log() / (1.0 - far))
    };
    with_slope(&x.inexact(), value, slope)
}

/// Bernoulli number `2 k` over `(2 k + 1)!`, from `k = 10` down to 0.
const BERNOULLI: [f64; 11] = [
    -1.0356517612181247e-17,
    4.518980029619918e-16,
    -1.9939295860721074e-14,
    8.921691020456452e-13,
    -4.0647616451442256e-11,
    1.8978869988971e-09,
    -9.185773074661964e-08,
    4.72411186696901e-06,
    -0.0002777777777777778,
    0.027777777777777776,
    1.0,
];

use std::f64::consts::PI;

use crate::running::Running;

/// `e^-|x| I0(x)`.
pub fn bessel_i0e(x: f64) -> f64 {
    let size = x.abs();
    if size > LARGE { asymptotic(size, 0.0) } else { (-size).exp() * series(size, 0.0) }
}

/// `e^-|x| I1(x)`, an odd function.
pub fn bessel_i1e(x: f64) -> f64 {
    let size = x.abs();
    let value =
        if size > LARGE { asymptotic(size, 1.0) } else { (-size).exp() * (size / 2.0) * series(size, 1.0) };
    value.copysign(x)
}

/// Whether `n` is a natural number.
fn is_natural(n: f64) -> bool {
    n >= 0.0 && n.floor() == n && n.is_finite()
}

/// `In(x)` for natural `n`, else NaN.
pub fn bessel_i(n: f64, x: f64) -> f64 {
    let size = x.abs();
    if x.is_nan() || !is_natural(n) {
        return f64::NAN;
    }
    let value = if size > LARGE.max(n * n).min(600.0) {
        // In two steps, for `e^x` is infinite before the result is.
        let half = (size / 2.0).exp();
        if size.is_infinite() { size } else { asymptotic(size, n) * half * half }
    } else {
        let front: f64 = (1..=n.min(1000.0) as u32).map(|k| size / 2.0 / f64::from(k)).product();
        front * series(size, n)
    };
    if n % 2.0 == 1.0 && x < 0.0 { -value } else { value }
}

/// The `n`-th derivative of `e^-|x| I0(x)` for natural `n`, else NaN:
/// `(-sign(x))^n / pi * integral of u^n e^(-|x| u) from 0 to pi`, with `u = 1 - cos(t)`.
pub fn bessel_i0e_slope(n: f64, x: f64) -> f64 {
    /// Beyond this the terms of the series in `1 / x` shrink until they are nothing.
    const FAR: f64 = 30.0;
    let size = x.abs();
    if x.is_nan() || !is_natural(n) {
        return f64::NAN;
    }
    let odd = n % 2.0 == 1.0;
    if odd && x == 0.0 {
        return 0.0;
    }
    let value = if size > FAR.max(n * n) { far_slope(n, size) } else { near_slope(n, size) };
    if odd && x > 0.0 { -value } else { value }
}

/// The integral by the trapezoidal rule, which converges as fast as the integrand's Fourier series; all terms are positive.
fn near_slope(n: f64, x: f64) -> f64 {
    // A power of two, so that angles have one rounding.
    let least = (64.0 + 8.0 * (n + x / 8.0)).min(65_536.0) as u32;
    let points = f64::from(least.next_power_of_two());
    let term = |j: f64| {
        let sine = (std::f64::consts::PI * j / (2.0 * points)).sin();
        let u = 2.0 * sine * sine;
        u.powf(n) * (-x * u).exp()
    };
    // The ends count half: the first, where `u` is 0, and the last.
    let ends = 0.5 * (term(0.0) + term(points));
    let sum = (1..points as u32).map(|j| term(f64::from(j))).fold(Running::from(ends), Running::plus);
    sum.value() / points
}

/// The integral over `u`, where `1 / sqrt(2 - u)` is its series: `1/sqrt(2 pi x) x^-n (1/2) (3/2) .. (n - 1/2)` times the sum of terms
/// that begin with 1, each of which is `(k + 1/2) (n + k + 1/2) / (2 (k + 1) x)` times the one before.
fn far_slope(n: f64, x: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    let (mut sum, mut term, mut k): (f64, f64, f64) = (0.0, 1.0, 0.0);
    while term > 1e-18 && k < 100.0 {
        sum += term;
        let next = term * (k + 0.5) * (n + k + 0.5) / (2.0 * (k + 1.0) * x);
        if next > term {
            break;
        }
        (term, k) = (next, k + 1.0);
    }
    let front: f64 = (1..=n as u32).map(|j| (f64::from(j) - 0.5) / x).product();
    sum * front / (2.0 * PI * x).sqrt()
}

/// Above this the smallest term of the asymptotic series, about `e^-2x`, is nothing.
const LARGE: f64 = 20.0;

/// `(2/x)^n n! In(x) = sum over k of (x^2/4)^k / (k! (n+1) .. (n+k))`: all terms are positive.
fn series(x: f64, n: f64) -> f64 {
    let quarter = x * x / 4.0;
    let mut terms = vec![1.0];
    let (mut term, mut k) = (1.0, 0.0);
    while (term > 1e-18 * terms[0] || quarter > k * (k + n)) && k < 2000.0 {
        k += 1.0;
        term *= quarter / (k * (k + n));
        terms.push(term);
    }
    terms.iter().rev().sum()
}

/// `1/sqrt(2 pi x) (1 - (4n^2 - 1)/(8x) + (4n^2 - 1)(4n^2 - 9)/(2! (8x)^2) - ...)`.
fn asymptotic(x: f64, n: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    let mut terms = vec![1.0];
    let (mut term, mut k): (f64, f64) = (1.0, 0.0);
    while term.abs() > 1e-18 && k < 40.0 {
        k += 1.0;
        let odd = 2.0 * k - 1.0;
        term *= -(4.0 * n * n - odd * odd) / (8.0 * x * k);
        terms.push(term);
    }
    let sum: f64 = terms.iter().rev().sum();
    sum / (2.0 * PI * x).sqrt()
}

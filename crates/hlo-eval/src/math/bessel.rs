use std::f64::consts::PI;

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

/// Above this the smallest term of the asymptotic series, about `e^-2x`, is nothing.
const LARGE: f64 = 20.0;

/// `(2/x)^n In(x) = sum over k of (x^2/4)^k / (k! (k+1) .. (k+n))` for `n` 0 or 1: all terms are positive.
fn series(x: f64, n: f64) -> f64 {
    let quarter = x * x / 4.0;
    let mut terms = vec![1.0];
    let (mut term, mut k) = (1.0, 0.0);
    while term > 1e-18 * terms[0] && k < 200.0 {
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

use jarrah_base::{Error, Location};
use jarrah_hlo::ops::{Elementwise, ElementwiseKind};

use super::difference::{log1p_minus, polygammas_apart, widened};
use super::{pair, polynomial, unary};
use crate::array::Array;
use crate::autodiff::jvp;
use crate::custom::with_slopes;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::operators::IntoOperand;
use crate::trace::apply_one;

/// The logarithm of the absolute value of the gamma function.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// assert!((special::gammaln(&Array::scalar_in(5.0, DType::F64)).item::<f64>()? - 24f64.ln()).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn gammaln(x: &Array) -> Array {
    unary(ElementwiseKind::Lgamma, x)
}

/// The derivative of [`gammaln`]; NaN at its poles.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// // -0.5772, Euler's constant.
/// assert!((special::digamma(&Array::scalar_in(1.0, DType::F64)).item::<f64>()? + 0.5772156649015329).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn digamma(x: &Array) -> Array {
    unary(ElementwiseKind::Digamma, x)
}

/// The `n`-th derivative of [`digamma`] at `x`, for natural numbers `n`.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let y = special::polygamma(&Array::scalar_in(1.0, DType::F64), &Array::scalar_in(1.0, DType::F64)).item::<f64>()?;
/// assert!((y - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn polygamma(n: &Array, x: impl IntoOperand) -> Array {
    let (n, x) = pair("polygamma", n, x);
    apply_one(Elementwise { kind: ElementwiseKind::Polygamma }, &[&n, &x])
}

/// The Hurwitz zeta function, `sum over k >= 0 of (q + k)^-x`; Riemann's with `q = 1`.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let y = special::zeta(&Array::scalar_in(2.0, DType::F64), 1).item::<f64>()?;
/// assert!((y - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn zeta(x: &Array, q: impl IntoOperand) -> Array {
    let (x, q) = pair("zeta", x, q);
    apply_one(Elementwise { kind: ElementwiseKind::Zeta }, &[&x, &q])
}

/// The sign of the gamma function; NaN at its poles but 0.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::gammasgn(&Array::from_slice(&[2.0f32, -0.5, -1.5])).to_vec::<f32>()?, [1.0, -1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn gammasgn(x: &Array) -> Array {
    let x = &x.inexact();
    let floor = x.floor();
    let negative = x.lt(0);
    // Between the poles the sign alternates, beginning with -1 in (-1, 0).
    let half = &floor * 0.5;
    let odd = &negative & half.ne(half.floor());
    let sign = where_(&odd, -1, x.ones_like());
    where_(&(negative & (x.eq(floor) | x.eq(f64::NEG_INFINITY))), f64::NAN, sign)
}

/// The gamma function, the integral of `t^(x-1) e^-t` over positive numbers, `(x - 1)!` of integers; NaN at its poles
/// but 0.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// assert!((special::gamma(&Array::scalar_in(5.0, DType::F64)).item::<f64>()? - 24.0).abs() < 1e-12);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn gamma(x: &Array) -> Array {
    gammasgn(x) * gammaln(x).exp()
}

/// The factorial `n!`, of floats `gamma(n + 1)`; 0 of negative numbers.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert!((special::factorial(&Array::scalar(4)).item::<f32>()? - 24.0).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn factorial(n: &Array) -> Array {
    let n = &n.inexact();
    where_(&n.lt(0), 0, gammaln(&(n + 1)).exp())
}

/// What Stirling's formula lacks of `gammaln(x)`, for `x >= 8`: a series in `1 / x` with Bernoulli numbers.
#[track_caller]
pub(super) fn stirling_rest(x: &Array) -> Array {
    let terms = [
        -3617.0 / 122_400.0,
        1.0 / 156.0,
        -691.0 / 360_360.0,
        1.0 / 1188.0,
        -1.0 / 1680.0,
        1.0 / 1260.0,
        -1.0 / 360.0,
        1.0 / 12.0,
    ];
    polynomial(&(1.0 / x.square()), &terms) / x
}

/// The logarithm of the magnitude of the [`beta`] function.
///
/// Where an argument is 8 or more, the difference of two large logarithms is taken from Stirling's formula, term by term.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let y = special::betaln(&Array::scalar_in(2.0, DType::F64), 3).item::<f64>()?;
/// assert!((y + 12f64.ln()).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: NIST Digital Library of Mathematical Functions, 5.11.1.
#[track_caller]
pub fn betaln(a: &Array, b: impl IntoOperand) -> Array {
    with_slopes(&pair("betaln", a, b), betaln_value, |(x, y), _| {
        (polygammas_apart(0, x, y), polygammas_apart(0, y, x))
    })
}

#[track_caller]
fn betaln_value((x, y): &(Array, Array)) -> Array {
    let swapped = x.gt(y);
    let (a, b) = (where_(&swapped, y, x), where_(&swapped, x, y));
    let small = b.lt(8) | a.lt(0);
    let sum = gammaln(&a) + (gammaln(&b) - gammaln(&(&a + &b)));
    let (c, d) = (where_(&small, 1, &a), where_(&small, 8, &b));
    let ratio = &c / &d;
    let total = &c + &d;
    let difference =
        stirling_rest(&d) - stirling_rest(&total) - (&total - 0.5) * ratio.log1p() - &c * (d.log() - 1);
    where_(&small, sum, gammaln(&c) + difference)
}

/// The beta function, `gamma(a) gamma(b) / gamma(a + b)`.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let y = special::beta(&Array::scalar_in(2.0, DType::F64), 3).item::<f64>()?;
/// assert!((y - 1.0 / 12.0).abs() < 1e-15);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn beta(a: &Array, b: impl IntoOperand) -> Array {
    let (a, b) = pair("beta", a, b);
    let sign = gammasgn(&a) * gammasgn(&b) * gammasgn(&(&a + &b));
    sign * betaln(&a, &b).exp()
}

/// The number of ways to choose `k` of `n` things, as a float: `n! / (k! (n - k)!)`; 0 where `k` is negative or above
/// `n`.
///
/// ```
/// use jarrah_array::{Array, special};
/// let y = special::comb(&Array::from_slice(&[5i32, 2]), 2).to_vec::<f32>()?;
/// assert!((y[0] - 10.0).abs() < 1e-5 && (y[1] - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn comb(n: &Array, k: impl IntoOperand) -> Array {
    let (n, k) = pair("comb", n, k);
    widened(&n, &k, |n, k| with_slopes(&(n.clone(), k.clone()), comb_value, comb_slopes))
}

#[track_caller]
fn comb_value((n, k): &(Array, Array)) -> Array {
    let none = n.lt(0) | k.lt(0) | (n - k).lt(0);
    let (n, k) = (where_(&none, 0, n), where_(&none, 0, k));
    let (few, factors) = few_factors(&k);
    let product = (0..FEW)
        .fold(n.ones_like(), |product, j| where_(&factors.gt(j), &product * (&n - j) / (j + 1), product));
    let rest = &n - &k + 1;
    let many = (-betaln_value(&(rest.clone(), &k + 1))).exp() / (&n + 1);
    // Of a large `n` the logarithms would lose digits of a result with few factors.
    let close = k.le(FEW) & rest.ge(8);
    let ways = poch_value(&(rest, where_(&close, &k, 1))) / gamma(&(where_(&close, k, 1) + 1));
    where_(&none, 0, where_(&few, product, where_(&close, ways, many)))
}

#[track_caller]
fn comb_slopes((n, k): &(Array, Array), ways: &Array) -> (Array, Array) {
    let none = n.lt(0) | k.lt(0) | (n - k).lt(0);
    let (n, k) = (where_(&none, 2, n), where_(&none, 1, k));
    let rest = &n - &k + 1;
    let by_k = digamma(&rest) - digamma(&(&k + 1));
    (-(ways * polygammas_apart(0, &rest, &k)), ways * by_k)
}

/// Up to how many factors a product is formed as it stands.
const FEW: i32 = 8;

/// Where `m` is a whole number from 0 to [`FEW`], and it there, 0 elsewhere.
#[track_caller]
fn few_factors(m: &Array) -> (Array, Array) {
    let few = m.eq(m.round()) & m.ge(0) & m.le(FEW);
    let factors = where_(&few, m, 0);
    (few, factors)
}

/// Pochhammer's symbol, `gamma(z + m) / gamma(z)`, the product of `z, z + 1, ..` of `m` factors.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// assert!((special::poch(&Array::scalar_in(3.0, DType::F64), 2).item::<f64>()? - 12.0).abs() < 1e-13);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn poch(z: &Array, m: impl IntoOperand) -> Array {
    let (z, m) = pair("poch", z, m);
    widened(&z, &m, |z, m| {
        // Next to 0, a pole of the gamma function below the line, `z` itself is taken out, which has no curvature.
        let near = z.abs().lt(0.5) & z.ne(0) & (z + m).gt(0) & !few_factors(m).0;
        let raised = with_slopes(&(where_(&near, z + 1, z), m.clone()), poch_value, poch_slopes);
        let end = where_(&near, z + m, 1);
        where_(&near, &raised * (where_(&near, z, 0) / end), raised)
    })
}

#[track_caller]
fn poch_slopes((z, m): &(Array, Array), value: &Array) -> (Array, Array) {
    // Between poles of digamma the product has a slope, though its logarithm has none.
    let (few, factors) = few_factors(m);
    let few = few & z.le(0);
    let product = jvp(|z: &Array| rising(z, &factors), z, &z.ones_like()).1;
    let by_z = where_(&few, product, -(value * polygammas_apart(0, &where_(&few, 1, z), m)));
    (by_z, value * digamma(&(z + m)))
}

/// `z (z + 1) .. (z + m - 1)` for whole `m` from 0 to [`FEW`].
#[track_caller]
fn rising(z: &Array, m: &Array) -> Array {
    (0..FEW).fold(z.ones_like(), |product, j| where_(&m.gt(j), &product * (z + j), product))
}

#[track_caller]
fn poch_value((z, m): &(Array, Array)) -> Array {
    // Of a negative `m` it is one over that of `-m`, from the other end.
    let back = m.lt(0);
    let (size, end) = (m.abs(), z + m);
    let (first, last) = (where_(&back, &end, z), where_(&back, z, &end));
    let (few, factors) = few_factors(&size);
    let product = rising(&first, &factors);
    // `z^m e^((z + m - 1/2) (log(1 + r) - r) + m r - r / 2 + ..)` with `r = m / z`, by Stirling's formula.
    let large = first.ge(8) & first.isfinite() & last.isfinite();
    let (d, total, count) = (where_(&large, first, 8), where_(&large, last, 9), where_(&large, size, 1));
    let ratio = &count / &d;
    let rest = stirling_rest(&total) - stirling_rest(&d);
    let exponent = (&total - 0.5) * log1p_minus(&ratio) + &ratio * (&count - 0.5) + rest;
    let stirling = d.pow(&count) * exponent.exp();
    let forward = where_(&few, product, stirling);
    let close = where_(&back, 1.0 / &forward, forward);
    let plain = gammasgn(&end) * gammasgn(z) * (gammaln(&end) - gammaln(z)).exp();
    where_(&(few | large), close, plain)
}

/// The logarithm of the gamma function of `d` variables, `d (d-1)/4 ln(pi) + sum over j < d of gammaln(a - j/2)`.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let a = Array::scalar_in(3.0, DType::F64);
/// let apart = special::multigammaln(&a, 1) - special::gammaln(&a);
/// assert_eq!(apart.item::<f64>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn multigammaln(a: &Array, d: usize) -> Array {
    if d == 0 {
        let error = Error::program("a gamma function of no variable");
        fail(with_context(error.op("multigammaln").at(Location::caller()).help("d is at least 1")));
    }
    let a = &a.inexact();
    let mut sum = gammaln(a);
    for j in 1..d {
        sum += gammaln(&(a - 0.5 * j as f64));
    }
    sum + (d * (d - 1)) as f64 * 0.25 * std::f64::consts::PI.ln()
}

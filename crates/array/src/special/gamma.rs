use jarrah_base::{Error, Location};
use jarrah_hlo::ops::{Elementwise, ElementwiseKind};

use super::{pair, polynomial, unary};
use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::operators::IntoOperand;
use crate::trace::apply_one;

/// The logarithm of the absolute value of the gamma function.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert!((special::gammaln(&Array::scalar(5.0f64)).item::<f64>()? - 24f64.ln()).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn gammaln(x: &Array) -> Array {
    unary(ElementwiseKind::Lgamma, x)
}

/// The derivative of [`gammaln`]; NaN at its poles.
///
/// ```
/// use jarrah_array::{Array, special};
/// // -0.5772, Euler's constant.
/// assert!((special::digamma(&Array::scalar(1.0f64)).item::<f64>()? + 0.5772156649015329).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn digamma(x: &Array) -> Array {
    unary(ElementwiseKind::Digamma, x)
}

/// The `n`-th derivative of [`digamma`] at `x`, for natural numbers `n`.
///
/// ```
/// use jarrah_array::{Array, special};
/// let y = special::polygamma(&Array::scalar(1.0f64), &Array::scalar(1.0f64)).item::<f64>()?;
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
/// use jarrah_array::{Array, special};
/// let y = special::zeta(&Array::scalar(2.0f64), 1).item::<f64>()?;
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
/// use jarrah_array::{Array, special};
/// assert!((special::gamma(&Array::scalar(5.0f64)).item::<f64>()? - 24.0).abs() < 1e-12);
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
/// assert!((special::factorial(&Array::scalar(4i32)).item::<f32>()? - 24.0).abs() < 1e-4);
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
/// use jarrah_array::{Array, special};
/// let y = special::betaln(&Array::scalar(2.0f64), 3).item::<f64>()?;
/// assert!((y + 12f64.ln()).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: NIST Digital Library of Mathematical Functions, 5.11.1.
#[track_caller]
pub fn betaln(a: &Array, b: impl IntoOperand) -> Array {
    let (x, y) = pair("betaln", a, b);
    // The smaller one first: not by `minimum`, whose derivative at equal arguments is that of neither order.
    let swapped = x.gt(&y);
    let (a, b) = (where_(&swapped, &y, &x), where_(&swapped, &x, &y));
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
/// use jarrah_array::{Array, special};
/// let y = special::beta(&Array::scalar(2.0f64), 3).item::<f64>()?;
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
    let rest = &n - &k;
    let none = n.lt(0) | k.lt(0) | rest.lt(0);
    let (m, k) = (where_(&none, 0, &n), where_(&none, 0, &k));
    let ways = (-betaln(&(&m - &k + 1), k + 1)).exp() / (m + 1);
    where_(&none, 0, ways)
}

/// Pochhammer's symbol, `gamma(z + m) / gamma(z)`, the product of `z, z + 1, ..` of `m` factors.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert!((special::poch(&Array::scalar(3.0f64), 2).item::<f64>()? - 12.0).abs() < 1e-13);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn poch(z: &Array, m: impl IntoOperand) -> Array {
    let (z, m) = pair("poch", z, m);
    let end = &z + &m;
    let value = gammasgn(&end) * gammasgn(&z) * (gammaln(&end) - gammaln(&z)).exp();
    where_(&m.eq(0), 1, value)
}

/// The logarithm of the gamma function of `d` variables, `d (d-1)/4 ln(pi) + sum over j < d of gammaln(a - j/2)`.
///
/// ```
/// use jarrah_array::{Array, special};
/// let a = Array::scalar(3.0f64);
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

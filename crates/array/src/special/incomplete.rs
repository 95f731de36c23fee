//! Regularised incomplete functions, by series and continued fractions.

use jarrah_base::DType;
use jarrah_tree::Tree;

use super::gamma::{betaln, gammaln, stirling_rest};
use super::pair;
use crate::array::Array;
use crate::autodiff::jvp;
use crate::control::while_loop;
use crate::custom::{custom_jvp, with_slopes, with_tangent};
use crate::elementwise::where_;
use crate::operators::{IntoOperand, align_inexact};

/// More rounds than any argument of moderate size needs: their number grows as the square root of the largest argument.
const MOST_ROUNDS: i64 = 10_000;

/// Whether any element holds.
#[track_caller]
fn any(x: &Array) -> Array {
    let axes: Vec<isize> = (0..x.rank() as isize).collect();
    x.any(&axes[..])
}

/// The distance of 1 to the next number.
fn epsilon(dtype: DType) -> f64 {
    if dtype == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) }
}

/// The regularised lower incomplete gamma function, `integral of t^(a-1) e^-t from 0 to x / gamma(a)`.
///
/// Differentiable in both arguments, in `a` once.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let y = special::gammainc(&Array::scalar_in(1.0, DType::F64), 2.0).item::<f64>()?;
/// assert!((y - (1.0 - (-2f64).exp())).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: NIST Digital Library of Mathematical Functions, 8.11.4 below `a + 1`, 8.9.2 above.
#[track_caller]
pub fn gammainc(a: &Array, x: impl IntoOperand) -> Array {
    let (a, x) = pair("gammainc", a, x);
    gamma_shares(&a, &x, 0)
}

/// The regularised upper incomplete gamma function, `1 - gammainc(a, x)`, accurate where that is small.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let y = special::gammaincc(&Array::scalar_in(1.0, DType::F64), 50.0).item::<f64>()?;
/// assert!((y / (-50f64).exp() - 1.0).abs() < 1e-13);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: as [`gammainc`].
#[track_caller]
pub fn gammaincc(a: &Array, x: impl IntoOperand) -> Array {
    let (a, x) = pair("gammaincc", a, x);
    gamma_shares(&a, &x, 1)
}

/// The derivative of [`gammainc`] by its first argument.
#[track_caller]
pub(crate) fn gammainc_slope(a: &Array, x: &Array) -> Array {
    let by_a = (a.ones_like(), x.zeros_like());
    jvp(|(a, x): &(Array, Array)| gamma_parts(a, x), &(a.clone(), x.clone()), &by_a).1[0].clone()
}

/// Share 0 is the lower, share 1 the upper one.
#[track_caller]
fn gamma_shares(a: &Array, x: &Array, share: usize) -> Array {
    let narrow = a.dtype();
    let wide = narrow.accumulator();
    let value = move |(a, x): &(Array, Array)| gamma_parts(a, x)[share].clone();
    // A loop's tangent cannot be transposed, but the slope is a plain factor.
    let slopes = move |(a, x): &(Array, Array), _: &Array| {
        let sign = 1.0 - 2.0 * share as f64;
        (gammainc_slope(a, x) * sign, gamma_density(a, x) * sign)
    };
    with_slopes(&(a.astype(wide), x.astype(wide)), value, slopes).astype(narrow)
}

/// `x^(a-1) e^-x / gamma(a)`.
#[track_caller]
fn gamma_density(a: &Array, x: &Array) -> Array {
    let inside = x.gt(0);
    let safe = where_(&inside, x, 1);
    let log = (a - 1) * safe.log() - &safe - gammaln(a);
    let at_zero = where_(&a.lt(1), f64::INFINITY, where_(&a.eq(1), 1, x.zeros_like()));
    where_(&inside, log.exp(), where_(&x.eq(0), at_zero, 0))
}

/// The logarithm of `x^a e^-x / gamma(a + 1)`. For large `a`, powers and factorial would cancel, so their logarithms are taken from
/// Stirling's formula together.
#[track_caller]
pub(crate) fn gamma_log_front(a: &Array, x: &Array) -> Array {
    let large = a.ge(8);
    let b = where_(&large, a, 8);
    let apart = (x - &b) / &b;
    let apart = where_(&large, apart, 0);
    let close = &b * (apart.log1p() - apart) - stirling_rest(&b) - (&b * std::f64::consts::TAU).log() * 0.5;
    let c = where_(&large, 1, a);
    let plain = &c * x.log() - x - gammaln(&(&c + 1));
    where_(&large, close, plain)
}

/// The lower and the upper share. Differentiable forwards only.
#[track_caller]
fn gamma_parts(a: &Array, x: &Array) -> [Array; 2] {
    let inside = a.gt(0) & x.gt(0) & x.isfinite() & a.isfinite();
    let rising = &inside & x.lt(a + 1);
    let falling = &inside & !&rising;
    let (c, y) = (where_(&rising, a, 1), where_(&rising, x, 0.5));
    let lower = gamma_log_front(&c, &y).exp() * gamma_series(&c, &y);
    let (c, y) = (where_(&falling, a, 1), where_(&falling, x, 2));
    let upper = gamma_log_front(&c, &y).exp() * &c / gamma_fraction(&c, &y);
    let wrong = x.lt(0) | a.lt(0) | a.ne(a) | x.ne(x) | (a.eq(0) & x.eq(0));
    // Nothing is below 0, all is below infinity; with `a` 0 everything is at 0, with `a` infinite there is nothing.
    let all = a.eq(0) | (x.eq(f64::INFINITY) & a.ne(f64::INFINITY));
    let edge = where_(&wrong, f64::NAN, where_(&all, 1, x.zeros_like()));
    let p = where_(&rising, &lower, where_(&falling, 1.0 - &upper, &edge));
    let q = where_(&rising, 1.0 - lower, where_(&falling, upper, 1.0 - edge));
    [p, q]
}

/// `1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + ..`
#[track_caller]
fn gamma_series(a: &Array, x: &Array) -> Array {
    // The derivative's terms shrink a little slower than the terms.
    let small = 0.01 * epsilon(a.dtype());
    let one = a.ones_like();
    let init = (Array::scalar(1i32), one.clone(), one);
    let (_, _, sum) = while_loop(
        |(n, term, sum): &(Array, Array, Array)| any(&term.gt(sum * small)) & n.lt(MOST_ROUNDS),
        |(n, term, sum): &(Array, Array, Array)| {
            let term = term * (x / (a + n.astype(a.dtype())));
            (n + 1, term.clone(), sum + term)
        },
        &init,
    );
    sum
}

/// `x + 1 - a - (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ..))`, by Lentz's method.
#[track_caller]
fn gamma_fraction(a: &Array, x: &Array) -> Array {
    differentiable_lentz(
        &(a.clone(), x.clone()),
        |(a, x)| x + 1 - a,
        |(a, x), n| {
            let n = n.astype(a.dtype());
            (&n * (a - &n), x - a + (&n * 2 + 1))
        },
    )
}

/// `first` and the terms after it until they do not count: `step` takes the number of a term, from 2, as a float, and a state
/// that begins as `state`, and returns the next state and the term.
#[track_caller]
pub(super) fn until_small(
    first: &Array,
    state: &Array,
    step: impl Fn(&Array, &Array) -> (Array, Array),
) -> Array {
    let small = 0.5 * epsilon(first.dtype());
    let init = (Array::scalar(2i32), state.clone(), first.clone(), first.clone());
    let (.., sum) = while_loop(
        |(n, _, term, sum): &(Array, Array, Array, Array)| {
            any(&term.abs().gt(sum.abs() * small)) & n.lt(MOST_ROUNDS)
        },
        |(n, state, _, sum): &(Array, Array, Array, Array)| {
            let (state, term) = step(&n.astype(first.dtype()), state);
            (n + 1, state, term.clone(), sum + term)
        },
        &init,
    );
    sum
}

/// The continued fraction `b0 + a1 / (b1 + a2 / (b2 + ..))`, where `terms(n)` are `a` and `b` number `n`, an `i32`: by
/// Lentz's method, until no element changes by more than rounding.
#[track_caller]
pub(super) fn lentz(first: &Array, terms: impl Fn(&Array) -> (Array, Array)) -> Array {
    let (tiny, small) = (1e-30, 0.5 * epsilon(first.dtype().real()));
    let apart = |x: &Array| where_(&x.eq(0), tiny, x);
    let first = apart(first);
    let init =
        (Array::scalar(1i32), first.clone(), first.zeros_like(), first.ones_like().ne(0), first.clone());
    let (.., value) = while_loop(
        |(n, _, _, going, _): &(Array, Array, Array, Array, Array)| any(going) & n.lt(MOST_ROUNDS),
        |(n, c, d, going, value): &(Array, Array, Array, Array, Array)| {
            let (a, b) = terms(n);
            let d = 1.0 / apart(&(&b + &a * d));
            let c = apart(&(&b + &a / c));
            let factor = &c * &d;
            let next = where_(going, value * &factor, value);
            // Two rounds at least, since a first numerator of 0 says nothing of the others.
            let still = (&factor - 1).abs().gt(small) | (n.lt(2) & going);
            (n + 1, c, d, going & still, next)
        },
        &init,
    );
    value
}

/// [`lentz`] of terms that depend on `at`, with its derivative. Where a numerator is 0 the fraction ends, but its derivative does not: that
/// has rounds of its own.
#[track_caller]
fn differentiable_lentz<P: Tree<Array>>(
    at: &P,
    first: fn(&P) -> Array,
    terms: fn(&P, &Array) -> (Array, Array),
) -> Array {
    let value = move |at: &P| lentz(&first(at), |n| terms(at, n));
    let rule = move |at: &P, along: &P| {
        let value = value(at);
        let tangent = &value * slope_of_lentz(at, along, first, terms);
        (value, tangent)
    };
    custom_jvp(value, rule)(at)
}

/// The derivative of the logarithm of [`lentz`] along a tangent: the sum of those of its factors, until none changes the sum by more than
/// rounding.
#[track_caller]
fn slope_of_lentz<P: Tree<Array>>(
    at: &P,
    along: &P,
    first: fn(&P) -> Array,
    terms: fn(&P, &Array) -> (Array, Array),
) -> Array {
    type Pair = (Array, Array);
    let (first, slope) = jvp(|at: &P| first(at), at, along);
    let (tiny, small) = (1e-30, epsilon(first.dtype()));
    let apart = |x: &Array| where_(&x.eq(0), tiny, x);
    let first = apart(&first);
    let none = first.zeros_like();
    let sum = &slope / &first;
    // The reciprocal of the last denominator, and the quotient of the last two, with their slopes.
    let init =
        (Array::scalar(1i32), (none.clone(), none), (first.clone(), slope), first.ones_like().ne(0), sum);
    let (.., sum) = while_loop(
        |(n, _, _, going, _): &(Array, Pair, Pair, Array, Array)| any(going) & n.lt(MOST_ROUNDS),
        |(n, (d, dd), (c, dc), going, sum): &(Array, Pair, Pair, Array, Array)| {
            let ((a, b), (da, db)) = jvp(|at: &P| terms(at, n), at, along);
            let below = &db + da.clone() * d + &a * dd;
            let d = 1.0 / apart(&(&b + &a * d));
            let ratio = &a / c;
            let dc = db + (da - &ratio * dc) / c;
            let c = apart(&(b + ratio));
            let (rising, falling) = (&dc / &c, below * &d);
            let change = &rising - &falling;
            let next = where_(going, sum + &change, sum);
            // The change is a difference, whose rounding is no less than that of its terms.
            let size = (next.abs() + rising.abs()) * (2.0 * small);
            let still = (&c * &d - 1).abs().gt(0.5 * small) | change.abs().gt(size) | (n.lt(2) & going);
            let dd = -falling * &d;
            (n + 1, (d, dd), (c, dc), going & still, next)
        },
        &init,
    );
    sum
}

/// The regularised incomplete beta function, `integral of t^(a-1) (1-t)^(b-1) from 0 to x / beta(a, b)`.
///
/// Differentiable in all arguments, in `a` and `b` once.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let y = special::betainc(&Array::scalar_in(2.0, DType::F64), 1.0, 0.5).item::<f64>()?;
/// assert!((y - 0.25).abs() < 1e-15);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: NIST Digital Library of Mathematical Functions, 8.17.22.
#[track_caller]
pub fn betainc(a: &Array, b: impl IntoOperand, x: impl IntoOperand) -> Array {
    let (a, b) = pair("betainc", a, b);
    let (b, x) = align_inexact("betainc", b.into_operand(), x.into_operand());
    let (a, x) = pair("betainc", a, x);
    let (b, x) = pair("betainc", b, x);
    let narrow = x.dtype();
    let wide = narrow.accumulator();
    type Three = (Array, Array, Array);
    let value = |(a, b, x): &Three| beta_part(a, b, x);
    let tangent = move |at: &Three, _: &Array, (da, db, dx): &Three| {
        let (a, b, x) = at;
        let (none, one) = (x.zeros_like(), x.ones_like());
        let by_a = jvp(value, at, &(one.clone(), none.clone(), none.clone())).1;
        let by_b = jvp(value, at, &(none.clone(), one, none)).1;
        let inside = x.gt(0) & x.lt(1);
        let y = where_(&inside, x, 0.5);
        let log = (a - 1) * y.log() + (b - 1) * (-y).log1p() - betaln(a, b);
        let by_x = where_(&inside, log.exp(), 0);
        da * by_a + db * by_b + dx * by_x
    };
    with_tangent(&(a.astype(wide), b.astype(wide), x.astype(wide)), value, tangent).astype(narrow)
}

/// [`betainc`] of three arrays of one type. Differentiable forwards only.
#[track_caller]
fn beta_part(a: &Array, b: &Array, x: &Array) -> Array {
    let inside = a.gt(0) & b.gt(0) & x.gt(0) & x.lt(1);
    let (c, d) = (where_(&inside, a, 1), where_(&inside, b, 1));
    let y = where_(&inside, x, 0.5);
    // The fraction converges fast below the mean; above it the other tail is computed.
    let turned = y.gt((&c + 1) / (&c + &d + 2));
    let (p, q) = (where_(&turned, &d, &c), where_(&turned, &c, &d));
    let (u, v) = (where_(&turned, 1.0 - &y, &y), where_(&turned, &y, 1.0 - &y));
    let fraction = differentiable_lentz(
        &(p.clone(), q.clone(), u.clone()),
        |(_, _, u)| u.ones_like(),
        |(p, q, u), n| {
            // Numerators in pairs: number 2 m - 1 and number 2 m.
            let m = n.astype(DType::F32) * 0.5;
            let m = m.floor().astype(u.dtype());
            let even = (n.astype(u.dtype()) - &m * 2).eq(0);
            let end = p + &m * 2;
            let odd = -((p + &m) * (p + q + &m)) / (&end * (&end + 1));
            let other = &m * (q - &m) / ((&end - 1) * &end);
            (where_(&even, other, odd) * u, u.ones_like())
        },
    );
    let front = (&p * u.log() + &q * v.log() - betaln(&p, &q)).exp() / &p;
    let share = front / fraction;
    let share = where_(&turned, 1.0 - &share, share);
    let wrong = a.le(0) | b.le(0) | x.lt(0) | x.gt(1) | a.ne(a) | b.ne(b) | x.ne(x);
    where_(&inside, share, where_(&wrong, f64::NAN, where_(&x.ge(1), 1, x.zeros_like())))
}

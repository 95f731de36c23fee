//! Derivatives of `x^y`: `F_k = y (y-1) .. (y-k+1) x^(y-k)`, number `k` by `x`, has the slope `F_(k+1)` by `x`, and `c' x^(y-k) + F_k log(x)` by
//! `y`, where `c'` is the derivative of the product before the power. A product of 0 makes all derivatives by `x` alone 0, though the power
//! may be infinite, but not those by `y`.

use jarrah_base::Result;

use super::slopes::least_normal;
use super::{ElementwiseKind, Point};
use crate::builder::Builder;
use crate::ops::{Comparison, CustomRule, Rule};
use crate::program::Value;

/// The derivatives that have a rule; higher ones are those of the formula of the last.
const ORDERS: usize = 3;

/// The derivative of a power by its base.
pub(super) fn by_base(p: &mut Point<'_>) -> Result<Value> {
    falling(p.b, 1, p.x, p.y)
}

/// The derivative of a power by its exponent: 0 where the base is.
pub(super) fn by_exponent(p: &mut Point<'_>) -> Result<Value> {
    times_log(p.b, p.x, p.out)
}

/// `out log(x)`, and 0 where `x` is.
fn times_log(b: &mut Builder, x: Value, out: Value) -> Result<Value> {
    let (zero, one) = (b.zeros_like(x)?, b.ones_like(x)?);
    let at_zero = b.compare(Comparison::Eq, x, zero)?;
    let base = b.select(at_zero, one, x)?;
    let log = b.unary(ElementwiseKind::Log, base)?;
    b.mul(log, out)
}

/// `F_k`.
fn falling(b: &mut Builder, k: usize, x: Value, y: Value) -> Result<Value> {
    if k > ORDERS {
        // The power is finite where the product is 0, so that further derivatives by `x` are 0 there too.
        let ((product, _), lower) = (product(b, k, y)?, minus(b, y, k)?);
        let (zero, one) = (b.zeros_like(y)?, b.ones_like(y)?);
        let vanishes = b.compare(Comparison::Eq, product, zero)?;
        let exponent = b.select(vanishes, one, lower)?;
        let power = b.binary(ElementwiseKind::Power, x, exponent)?;
        return b.mul(product, power);
    }
    let ty = b.ty(x);
    let source = b.source();
    let start = |params: usize| {
        let mut b = Builder::new("power_slope");
        b.set_source(source);
        let params: Vec<Value> = (0..params).map(|_| b.param(ty, "")).collect();
        (b, params)
    };
    let (mut primal, params) = start(2);
    let value = formula(&mut primal, k, params[0], params[1])?;
    let primal = primal.finish(&[value])?;
    let (mut tangent, params) = start(5);
    let [x_, y_, out, dx, dy] = [params[0], params[1], params[2], params[3], params[4]];
    let t = &mut tangent;
    let by_x = falling(t, k + 1, x_, y_)?;
    let (_, of_product) = product(t, k, y_)?;
    let power = lowered(t, k, x_, y_)?;
    let (first, second) = (t.mul(of_product, power)?, times_log(t, x_, out)?);
    let by_y = t.add(first, second)?;
    let (along_x, along_y) = (t.mul(dx, by_x)?, t.mul(dy, by_y)?);
    let sum = t.add(along_x, along_y)?;
    let tangent = tangent.finish(&[sum])?;
    b.one(CustomRule::new(primal, Rule::Tangent(tangent.into())), &[x, y])
}

/// `y (y-1) .. (y-k+1)` and its derivative.
fn product(b: &mut Builder, k: usize, y: Value) -> Result<(Value, Value)> {
    let (mut product, mut slope) = (y, b.ones_like(y)?);
    for i in 1..k {
        let factor = minus(b, y, i)?;
        let longer = b.mul(slope, factor)?;
        slope = b.add(longer, product)?;
        product = b.mul(product, factor)?;
    }
    Ok((product, slope))
}

/// `y - k`.
fn minus(b: &mut Builder, y: Value, k: usize) -> Result<Value> {
    let k = b.full(b.ty(y), k as f64)?;
    b.sub(y, k)
}

/// Whether `v` is neither zero, nor subnormal, infinite or NaN.
fn is_normal(b: &mut Builder, v: Value) -> Result<Value> {
    let size = b.unary(ElementwiseKind::Abs, v)?;
    let ty = b.ty(size);
    let (least, most) = (b.full(ty, least_normal(ty.dtype()))?, b.full(ty, f64::INFINITY)?);
    let (above, below) = (b.compare(Comparison::Ge, size, least)?, b.compare(Comparison::Lt, size, most)?);
    b.binary(ElementwiseKind::And, above, below)
}

/// Whether `y - k` is rounded.
fn is_rounded(b: &mut Builder, y: Value, k: usize) -> Result<Value> {
    let lower = minus(b, y, k)?;
    let k = b.full(b.ty(y), k as f64)?;
    let back = b.add(lower, k)?;
    b.compare(Comparison::Ne, back, y)
}

/// `x^(y-k)`, and of the first `x^y / x` where `y - 1` is rounded and the power is a normal number.
fn lowered(b: &mut Builder, k: usize, x: Value, y: Value) -> Result<Value> {
    let lower = minus(b, y, k)?;
    if k > 1 || b.ty(x).dtype().is_complex() {
        return b.binary(ElementwiseKind::Power, x, lower);
    }
    let one = b.ones_like(x)?;
    let whole = b.binary(ElementwiseKind::Power, x, y)?;
    let (rounded, normal) = (is_rounded(b, y, k)?, is_normal(b, whole)?);
    let divided = b.binary(ElementwiseKind::And, rounded, normal)?;
    let exponent = b.select(divided, y, lower)?;
    let power = b.binary(ElementwiseKind::Power, x, exponent)?;
    // One over one elsewhere, so that no derivative of the quotient is infinite where it is not chosen.
    let (dividend, divisor) = (b.select(divided, power, one)?, b.select(divided, x, one)?);
    let quotient = b.div(dividend, divisor)?;
    b.select(divided, quotient, power)
}

/// The value of `F_k`: from `k = 2` as `(y-k+1) F_(k-1) / x` where `y - k` is rounded or `x^(y-k)` no normal number, but `F_(k-1)` is one.
fn formula(b: &mut Builder, k: usize, x: Value, y: Value) -> Result<Value> {
    let (product, _) = product(b, k, y)?;
    let power = lowered(b, k, x, y)?;
    let mut value = b.mul(product, power)?;
    if k > 1 && !b.ty(x).dtype().is_complex() {
        let before = formula(b, k - 1, x, y)?;
        let (rounded, normal) = (is_rounded(b, y, k)?, is_normal(b, power)?);
        let abnormal = b.unary(ElementwiseKind::Not, normal)?;
        let wanted = b.binary(ElementwiseKind::Or, rounded, abnormal)?;
        let possible = is_normal(b, before)?;
        let divided = b.binary(ElementwiseKind::And, wanted, possible)?;
        let factor = minus(b, y, k - 1)?;
        let quotient = b.div(before, x)?;
        let quotient = b.mul(factor, quotient)?;
        value = b.select(divided, quotient, value)?;
    }
    let zero = b.zeros_like(x)?;
    let vanishes = b.compare(Comparison::Eq, product, zero)?;
    b.select(vanishes, zero, value)
}

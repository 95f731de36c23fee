//! Derivatives that keep their digits where a plain formula would lose them: where the function saturates, and around zero, at every
//! order.

use std::f64::consts::FRAC_2_SQRT_PI;

use jarrah_base::{DType, Result, Type};

use super::{ElementwiseKind, Point};
use crate::builder::Builder;
use crate::ops::{Clamp, Comparison, Complex, CustomRule, Imag, Real, ReducePrecision, Rule};
use crate::program::Value;

/// A formula at a point.
type Formula = fn(&mut Point<'_>) -> Result<Value>;

/// `f(x)` as `value` computes it, whose derivative, at every order, is what `slope` makes of `x` and `out = f(x)`.
fn closed(p: &mut Point<'_>, name: &str, x: Value, value: Formula, slope: Formula) -> Result<Value> {
    let ty = p.b.ty(x);
    let program = |params: usize, body: &dyn Fn(&mut Builder, &[Value]) -> Result<Value>| {
        let mut b = Builder::new(name);
        b.set_source(p.b.source());
        let params: Vec<Value> = (0..params).map(|_| b.param(ty, "")).collect();
        let result = body(&mut b, &params)?;
        b.finish(&[result])
    };
    let primal = program(1, &|b, params| {
        let x = params[0];
        value(&mut Point { b, x, y: x, out: x })
    })?;
    let tangent = program(3, &|b, params| {
        let (x, out, dx) = (params[0], params[1], params[2]);
        let slope = slope(&mut Point { b, x, y: x, out })?;
        b.mul(dx, slope)
    })?;
    p.b.one(CustomRule::new(primal, Rule::Tangent(tangent.into())), &[x])
}

/// The result times itself, less than 1, from 1.
fn one_minus_square_of_out(p: &mut Point<'_>) -> Result<Value> {
    let one = p.full(1.0)?;
    let square = p.square(p.out)?;
    p.b.sub(one, square)
}

/// `e^(-k |x|)` and 1 more.
fn decay(p: &mut Point<'_>, k: f64) -> Result<(Value, Value)> {
    let (size, one) = (p.unary(ElementwiseKind::Abs, p.x)?, p.full(1.0)?);
    let exponent = p.b.scale(size, -k)?;
    let e = p.b.exp(exponent)?;
    Ok((e, p.b.add(one, e)?))
}

/// `e = e^(-k z)`, of the sign of the real part of `z` so that it shrinks, and `1 + e`, for complex `z`; and whether the real part is so
/// far from 0 that `1 + e` keeps its digits: nearer, the formula of the function's own value does.
fn complex_decay(p: &mut Point<'_>, k: f64) -> Result<[Value; 3]> {
    let (real, one) = (p.b.one(Real, &[p.x])?, p.full(1.0)?);
    let zero = p.b.zeros_like(real)?;
    let below = p.b.compare(Comparison::Lt, real, zero)?;
    let minus = p.b.neg(p.x)?;
    let grows = p.b.select(below, minus, p.x)?;
    let exponent = p.b.scale(grows, -k)?;
    let e = p.b.exp(exponent)?;
    let size = p.b.unary(ElementwiseKind::Abs, real)?;
    let half = p.b.full(p.b.ty(real), 1.0 / k)?;
    let far = p.b.compare(Comparison::Gt, size, half)?;
    Ok([e, p.b.add(one, e)?, far])
}

/// `sech^2(x) = 4 e / (1 + e)^2` with `e = e^(-2 |x|)`, whose derivative is `-2 tanh(x) sech^2(x)`.
pub(super) fn of_tanh(p: &mut Point<'_>) -> Result<Value> {
    if p.b.ty(p.x).dtype().is_complex() {
        let near = one_minus_square_of_out(p)?;
        let [e, sum, far] = complex_decay(p, 2.0)?;
        let (e, square) = (p.b.scale(e, 4.0)?, p.square(sum)?);
        let saturated = p.b.div(e, square)?;
        return p.b.select(far, saturated, near);
    }
    let value: Formula = |p| {
        let (e, sum) = decay(p, 2.0)?;
        let (e, square) = (p.b.scale(e, 4.0)?, p.square(sum)?);
        p.b.div(e, square)
    };
    let slope: Formula = |p| {
        let tanh = p.unary(ElementwiseKind::Tanh, p.x)?;
        let slope = p.b.mul(tanh, p.out)?;
        p.b.scale(slope, -2.0)
    };
    closed(p, "sech_squared", p.x, value, slope)
}

/// `e / (1 + e)^2` with `e = e^-|x|`, whose derivative is `-tanh(x / 2)` times it.
pub(super) fn of_logistic(p: &mut Point<'_>) -> Result<Value> {
    if p.b.ty(p.x).dtype().is_complex() {
        let one = p.full(1.0)?;
        let rest = p.b.sub(one, p.out)?;
        let near = p.b.mul(p.out, rest)?;
        let [e, sum, far] = complex_decay(p, 1.0)?;
        let square = p.square(sum)?;
        let saturated = p.b.div(e, square)?;
        return p.b.select(far, saturated, near);
    }
    let value: Formula = |p| {
        let (e, sum) = decay(p, 1.0)?;
        let square = p.square(sum)?;
        p.b.div(e, square)
    };
    let slope: Formula = |p| {
        let half = p.b.scale(p.x, 0.5)?;
        let tanh = p.unary(ElementwiseKind::Tanh, half)?;
        let slope = p.b.mul(tanh, p.out)?;
        p.b.neg(slope)
    };
    closed(p, "logistic_slope", p.x, value, slope)
}

/// `1 - x^2`: near 1 as a product, whose factors are exact there, and near 0, where the derivative of the product would cancel, as it
/// stands.
fn one_minus_square_of(p: &mut Point<'_>, x: Value) -> Result<Value> {
    let ty = p.b.ty(x);
    let (one, half) = (p.b.full(ty, 1.0)?, p.b.full(ty, 0.5)?);
    let (above, below) = (p.b.add(one, x)?, p.b.sub(one, x)?);
    let product = p.b.mul(above, below)?;
    let square = p.b.mul(x, x)?;
    let rest = p.b.sub(one, square)?;
    let size = p.b.unary(ElementwiseKind::Abs, x)?;
    let near = p.b.compare(Comparison::Lt, size, half)?;
    p.b.select(near, rest, product)
}

/// `1 - z^2`, of a complex `z = x + i y` as `(1 - x^2) + y^2 - 2 i x y`, whose terms do not cancel next to `z = 1`.
pub(super) fn one_minus_square(p: &mut Point<'_>) -> Result<Value> {
    if !p.b.ty(p.x).dtype().is_complex() {
        return one_minus_square_of(p, p.x);
    }
    let (x, y) = (p.b.one(Real, &[p.x])?, p.b.one(Imag, &[p.x])?);
    let rest = one_minus_square_of(p, x)?;
    let square = p.b.mul(y, y)?;
    let real = p.b.add(rest, square)?;
    let product = p.b.mul(x, y)?;
    let imag = p.b.scale(product, -2.0)?;
    p.b.one(Complex, &[real, imag])
}

/// `1 + z^2`, of a complex `z = x + i y` as `(1 - y^2) + x^2 + 2 i x y`, whose terms do not cancel next to `z = i`.
fn one_plus_square(p: &mut Point<'_>) -> Result<Value> {
    if !p.b.ty(p.x).dtype().is_complex() {
        let one = p.full(1.0)?;
        let square = p.square(p.x)?;
        return p.b.add(square, one);
    }
    let (x, y) = (p.b.one(Real, &[p.x])?, p.b.one(Imag, &[p.x])?);
    let rest = one_minus_square_of(p, y)?;
    let square = p.b.mul(x, x)?;
    let real = p.b.add(rest, square)?;
    let product = p.b.mul(x, y)?;
    let imag = p.b.scale(product, 2.0)?;
    p.b.one(Complex, &[real, imag])
}

/// `1 / sqrt(1 - x^2)`.
pub(super) fn of_asin(p: &mut Point<'_>) -> Result<Value> {
    let rest = one_minus_square(p)?;
    p.unary(ElementwiseKind::Rsqrt, rest)
}

/// `g = 1 / (1 + x^2)`, whose derivative is `-2 (x g) g`, in the order in which nothing underflows before the result.
pub(super) fn of_atan(p: &mut Point<'_>) -> Result<Value> {
    let value: Formula = |p| {
        let (one, sum) = (p.full(1.0)?, one_plus_square(p)?);
        p.b.div(one, sum)
    };
    let slope: Formula = |p| {
        let slope = p.b.mul(p.x, p.out)?;
        let slope = p.b.mul(slope, p.out)?;
        p.b.scale(slope, -2.0)
    };
    closed(p, "atan_slope", p.x, value, slope)
}

/// A number of the type beyond which `x^2 + 1` and `x^2 - 1` are `x^2`, and up to which `x^2` does not overflow.
fn large(dtype: DType) -> f64 {
    if dtype == DType::F16 { 128.0 } else { 268_435_456.0 }
}

/// `near`, which is `1 / sqrt(x^2 + 1)` or `1 / sqrt(x^2 - 1)`, and `1 / |x|` where `x^2` might overflow.
fn inverse_beyond(p: &mut Point<'_>, near: Formula) -> Result<Value> {
    let large = large(p.b.ty(p.x).dtype());
    let (size, large, one) = (p.unary(ElementwiseKind::Abs, p.x)?, p.full(large)?, p.full(1.0)?);
    let beyond = p.b.compare(Comparison::Gt, size, large)?;
    // At 2 both are finite, so that nothing is infinite where the result is not.
    let two = p.full(2.0)?;
    let x = p.b.select(beyond, two, p.x)?;
    let near = near(&mut Point { b: p.b, x, y: x, out: p.out })?;
    let size = p.b.select(beyond, size, one)?;
    let far = p.b.div(one, size)?;
    p.b.select(beyond, far, near)
}

/// The least normal number.
pub(super) fn least_normal(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => f64::MIN_POSITIVE,
        DType::F32 | DType::BF16 => f64::from(f32::MIN_POSITIVE),
        // Of `f16`, and of all narrower floats with five bits for the exponent.
        _ => 6.103_515_625e-5,
    }
}

/// `I0e'' + sign(x) I0e'`, for `I1e = I0e' + sign(x) I0e`. The sign is the same on both sides of a place, but of 0: there it is taken a little above.
pub(super) fn of_bessel_i1e(p: &mut Point<'_>) -> Result<Value> {
    let least = least_normal(p.b.ty(p.x).dtype());
    let (zero, least) = (p.full(0.0)?, p.full(least)?);
    let at_zero = p.b.compare(Comparison::Eq, p.x, zero)?;
    let above = p.b.select(at_zero, least, zero)?;
    let x = p.b.add(p.x, above)?;
    let (one, two) = (p.full(1.0)?, p.full(2.0)?);
    let sign = p.unary(ElementwiseKind::Sign, x)?;
    let first = p.b.binary(ElementwiseKind::BesselI0eSlope, one, x)?;
    let second = p.b.binary(ElementwiseKind::BesselI0eSlope, two, x)?;
    let first = p.b.mul(sign, first)?;
    p.b.add(second, first)
}

/// `1 / sqrt(x^2 + 1)`.
pub(super) fn of_asinh(p: &mut Point<'_>) -> Result<Value> {
    let near: Formula = |p| {
        let sum = one_plus_square(p)?;
        p.unary(ElementwiseKind::Rsqrt, sum)
    };
    if p.b.ty(p.x).dtype().is_complex() { near(p) } else { inverse_beyond(p, near) }
}

/// `1 / sqrt((x + 1) (x - 1))`.
pub(super) fn of_acosh(p: &mut Point<'_>) -> Result<Value> {
    if p.b.ty(p.x).dtype().is_complex() {
        // Two roots, for that of the product has another branch cut.
        let one = p.full(1.0)?;
        let (above, below) = (p.b.add(p.x, one)?, p.b.sub(p.x, one)?);
        let above = p.unary(ElementwiseKind::Rsqrt, above)?;
        let below = p.unary(ElementwiseKind::Rsqrt, below)?;
        return p.b.mul(above, below);
    }
    inverse_beyond(p, |p| {
        let one = p.full(1.0)?;
        let (above, below) = (p.b.add(p.x, one)?, p.b.sub(p.x, one)?);
        let product = p.b.mul(above, below)?;
        p.unary(ElementwiseKind::Rsqrt, product)
    })
}

/// A number rounded so that its square is exact; `None` for types of few digits.
fn half_of_digits(ty: Type) -> Option<ReducePrecision> {
    let (exponent_bits, mantissa_bits) = match ty.dtype() {
        DType::F64 => (11, 25),
        DType::F32 => (8, 11),
        _ => return None,
    };
    Some(ReducePrecision { exponent_bits, mantissa_bits })
}

/// `2/sqrt(pi) e^(-x^2)`, whose derivative is `-2 x` times it. With `h` the leading half of the digits of `x`, the exponent is the exact
/// `h^2`, and `(x - h) (x + h)`, which is small.
pub(super) fn bell(p: &mut Point<'_>, x: Value) -> Result<Value> {
    let value: Formula = |p| {
        let Some(half) = half_of_digits(p.b.ty(p.x)) else {
            let square = p.square(p.x)?;
            let square = p.b.neg(square)?;
            let density = p.b.exp(square)?;
            return p.b.scale(density, FRAC_2_SQRT_PI);
        };
        // Beyond 30 it is 0.
        let (low, high) = (p.full(-30.0)?, p.full(30.0)?);
        let x = p.b.one(Clamp, &[low, p.x, high])?;
        let leading = p.b.one(half, &[x])?;
        let square = p.square(leading)?;
        let (less, more) = (p.b.sub(x, leading)?, p.b.add(x, leading)?);
        let rest = p.b.mul(less, more)?;
        let (square, rest) = (p.b.neg(square)?, p.b.neg(rest)?);
        let (most, least) = (p.b.exp(square)?, p.b.exp(rest)?);
        let most = p.b.scale(most, FRAC_2_SQRT_PI)?;
        p.b.mul(most, least)
    };
    let slope: Formula = |p| {
        let slope = p.b.mul(p.x, p.out)?;
        p.b.scale(slope, -2.0)
    };
    closed(p, "bell", x, value, slope)
}

/// `(I_(n-1) + I_(n+1)) / 2`, where `I_(-1)` is `I_1`.
pub(super) fn of_bessel(p: &mut Point<'_>) -> Result<Value> {
    let one = p.full(1.0)?;
    let (less, more) = (p.b.sub(p.x, one)?, p.b.add(p.x, one)?);
    let less = p.unary(ElementwiseKind::Abs, less)?;
    let less = p.b.binary(ElementwiseKind::BesselI, less, p.y)?;
    let more = p.b.binary(ElementwiseKind::BesselI, more, p.y)?;
    let sum = p.b.add(less, more)?;
    let mean = p.b.scale(sum, 0.5)?;
    // Next to the largest number the sum overflows before its half.
    let infinite = p.full(f64::INFINITY)?;
    let size = p.unary(ElementwiseKind::Abs, sum)?;
    let overflows = p.b.compare(Comparison::Eq, size, infinite)?;
    let (less, more) = (p.b.scale(less, 0.5)?, p.b.scale(more, 0.5)?);
    let halves = p.b.add(less, more)?;
    p.b.select(overflows, halves, mean)
}

/// `s = 1 / (3 cbrt(x)^2)`, whose derivative is `-2/3 s / x`.
pub(super) fn of_cbrt(p: &mut Point<'_>) -> Result<Value> {
    let value: Formula = |p| {
        let root = p.unary(ElementwiseKind::Cbrt, p.x)?;
        let (one, square) = (p.full(1.0)?, p.square(root)?);
        let divisor = p.b.scale(square, 3.0)?;
        p.b.div(one, divisor)
    };
    let slope: Formula = |p| {
        let slope = p.b.div(p.out, p.x)?;
        p.b.scale(slope, -2.0 / 3.0)
    };
    closed(p, "cbrt_slope", p.x, value, slope)
}

/// `(u, v) = (x, y) / (x^2 + y^2)`, of which the derivatives are products of `u` and `v`, so that nothing underflows before the result:
/// `du = (v^2 - u^2) dx - 2 u v dy` and `dv = (u^2 - v^2) dy - 2 u v dx`.
pub(super) fn inverse_of_point(p: &mut Point<'_>) -> Result<[Value; 2]> {
    let ty = p.b.ty(p.x);
    let start = |count: usize| {
        let mut b = Builder::new("inverse_of_point");
        b.set_source(p.b.source());
        let params: Vec<Value> = (0..count).map(|_| b.param(ty, "")).collect();
        (b, params)
    };
    let (mut b, params) = start(2);
    let [x2, y2] = [b.mul(params[0], params[0])?, b.mul(params[1], params[1])?];
    let square = b.add(x2, y2)?;
    let results = [b.div(params[0], square)?, b.div(params[1], square)?];
    let primal = b.finish(&results)?;
    let (mut b, params) = start(6);
    let [u, v, dx, dy] = [params[2], params[3], params[4], params[5]];
    let (less, more) = (b.sub(v, u)?, b.add(v, u)?);
    let across = b.mul(less, more)?;
    let both = b.mul(u, v)?;
    let both = b.scale(both, -2.0)?;
    let (along_x, along_y) = (b.mul(dx, across)?, b.mul(dy, across)?);
    let (mixed_x, mixed_y) = (b.mul(dx, both)?, b.mul(dy, both)?);
    let tangents = [b.add(along_x, mixed_y)?, b.sub(mixed_x, along_y)?];
    let tangent = b.finish(&tangents)?;
    let results = p.b.push(CustomRule::new(primal, Rule::Tangent(tangent.into())), &[p.x, p.y])?;
    Ok([results[0], results[1]])
}

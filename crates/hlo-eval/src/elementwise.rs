use std::cmp::Ordering;

use jarrah_base::{DType, Element, ElementKind, Error, Literal, Result, with_element};
use jarrah_hlo::ops::{Compare, Comparison, ElementwiseKind};

use crate::complex::{self, Complexes};
use crate::copy::with_width;
use crate::math;
use crate::number::{Numbers, maximum, minimum, next_after};

/// One function of integers: how many operands it takes, and what it does; results wrap.
enum Integers {
    Unary(fn(i128, u32) -> i128),
    Binary(fn(i128, i128, u32) -> i128),
}

/// One function of floats: how many operands it takes, and what it does in doubles.
pub enum Floats {
    /// Of one operand.
    Unary(fn(f64) -> f64),
    /// Of two operands.
    Binary(fn(f64, f64) -> f64),
}

enum Bools {
    Unary(fn(bool) -> bool),
    Binary(fn(bool, bool) -> bool),
}

/// `kind` applied to tensors of one type.
pub fn elementwise(kind: ElementwiseKind, operands: &[Literal]) -> Result<Literal> {
    let ty = operands[0].ty();
    let dtype = ty.dtype();
    let x = &operands[0];
    let second = || operands.get(1).ok_or_else(|| Error::internal("one operand is missing"));
    let undefined = || undefined(kind, dtype);
    if kind == ElementwiseKind::NextAfter {
        let mut out = x.clone();
        with_element!(dtype, T => {
            let pairs = out.as_mut_slice::<T>()?.iter_mut().zip(second()?.as_slice::<T>()?);
            pairs.for_each(|(x, &y)| *x = next_after(*x, y));
        });
        return Ok(out);
    }
    match dtype.kind() {
        ElementKind::Bool => {
            let values = match bools(kind).ok_or_else(undefined)? {
                Bools::Unary(f) => unary(x.to_i128_vec(), |x| f(x != 0).into()),
                Bools::Binary(f) => {
                    binary(x.to_i128_vec(), second()?.to_i128_vec(), |x, y| f(x != 0, y != 0).into())
                }
            };
            Literal::from_i128s(ty, &values)
        }
        ElementKind::Signed | ElementKind::Unsigned => {
            let bits = dtype.bits();
            let values = match integers(kind).ok_or_else(undefined)? {
                Integers::Unary(f) => unary(x.to_i128_vec(), |x| f(x, bits)),
                Integers::Binary(f) => binary(x.to_i128_vec(), second()?.to_i128_vec(), |x, y| f(x, y, bits)),
            };
            Literal::from_i128s(ty, &values)
        }
        ElementKind::Float => {
            let values = match floats(kind).ok_or_else(undefined)? {
                Floats::Unary(f) => unary(x.to_f64_vec(), f),
                Floats::Binary(f) => binary(x.to_f64_vec(), second()?.to_f64_vec(), f),
            };
            Literal::from_f64s(ty, &values)
        }
        ElementKind::Complex => {
            let values = match complex::function(kind).ok_or_else(undefined)? {
                Complexes::Unary(f) => unary(x.to_c128_vec(), f),
                Complexes::Binary(f) => binary(x.to_c128_vec(), second()?.to_c128_vec(), f),
            };
            let to = if kind == ElementwiseKind::Abs { dtype.real() } else { dtype };
            Literal::from_c128s(ty.with_dtype(to), &values)
        }
    }
}

fn undefined(kind: ElementwiseKind, dtype: DType) -> Error {
    Error::program(format!("{} is not defined for {dtype}", kind.name()))
}

fn unary<T: Copy>(mut x: Vec<T>, f: impl Fn(T) -> T) -> Vec<T> {
    x.iter_mut().for_each(|x| *x = f(*x));
    x
}

fn binary<T: Copy>(mut x: Vec<T>, y: Vec<T>, f: impl Fn(T, T) -> T) -> Vec<T> {
    x.iter_mut().zip(y).for_each(|(x, y)| *x = f(*x, y));
    x
}

fn sign(x: f64) -> f64 {
    if x.is_nan() || x == 0.0 { x } else { x.signum() }
}

/// The function of floats; `None` where there is none.
pub fn floats(kind: ElementwiseKind) -> Option<Floats> {
    use ElementwiseKind as K;
    use Floats::{Binary, Unary};
    Some(match kind {
        K::Abs => Unary(f64::abs),
        K::Negate => Unary(|x| -x),
        K::Sign => Unary(sign),
        K::Floor => Unary(f64::floor),
        K::Ceil => Unary(f64::ceil),
        K::RoundNearestEven => Unary(f64::round_ties_even),
        K::RoundNearestAfz => Unary(f64::round),
        K::Exponential => Unary(f64::exp),
        K::ExponentialMinusOne => Unary(f64::exp_m1),
        K::Log => Unary(f64::ln),
        K::LogPlusOne => Unary(f64::ln_1p),
        K::Logistic => Unary(math::logistic),
        K::Tanh => Unary(f64::tanh),
        K::Sqrt => Unary(f64::sqrt),
        K::Rsqrt => Unary(|x| 1.0 / x.sqrt()),
        K::Cbrt => Unary(f64::cbrt),
        K::Sine => Unary(f64::sin),
        K::Cosine => Unary(f64::cos),
        K::Tan => Unary(f64::tan),
        K::Asin => Unary(f64::asin),
        K::Acos => Unary(f64::acos),
        K::Atan => Unary(f64::atan),
        K::Sinh => Unary(f64::sinh),
        K::Cosh => Unary(f64::cosh),
        K::Asinh => Unary(libm::asinh),
        K::Acosh => Unary(math::acosh),
        K::Atanh => Unary(libm::atanh),
        K::Square => Unary(|x| x * x),
        K::Erf => Unary(libm::erf),
        K::Erfc => Unary(libm::erfc),
        K::ErfInv => Unary(math::erf_inv),
        K::Lgamma => Unary(math::lgamma),
        K::Digamma => Unary(math::digamma),
        K::BesselI0e => Unary(math::bessel_i0e),
        K::BesselI1e => Unary(math::bessel_i1e),
        K::Conj => Unary(|x| x),
        K::Add => Binary(|x, y| x + y),
        K::Subtract => Binary(|x, y| x - y),
        K::Multiply => Binary(|x, y| x * y),
        K::Divide => Binary(|x, y| x / y),
        K::Remainder => Binary(|x, y| x % y),
        K::Power => Binary(f64::powf),
        K::Maximum => Binary(maximum),
        K::Minimum => Binary(minimum),
        K::Atan2 => Binary(f64::atan2),
        K::BesselI => Binary(math::bessel_i),
        K::ErfcxSlope => Binary(math::erfcx_slope),
        K::BesselI0eSlope => Binary(math::bessel_i0e_slope),
        K::Polygamma => Binary(math::polygamma),
        K::Zeta => Binary(math::zeta),
        K::Not
        | K::Popcnt
        | K::CountLeadingZeros
        | K::And
        | K::Or
        | K::Xor
        | K::ShiftLeft
        | K::ShiftRightArithmetic
        | K::ShiftRightLogical
        | K::Mulhi
        | K::NextAfter => return None,
    })
}

/// The lowest `bits` bits, as a natural number.
fn low_bits(x: i128, bits: u32) -> u128 {
    x as u128 & ((1 << bits) - 1)
}

/// How far to shift; `None` where everything falls off.
fn distance(y: i128, bits: u32) -> Option<u32> {
    u32::try_from(y).ok().filter(|&y| y < bits)
}

/// `x^y` by squaring; a negative power is zero unless `x` is 1 or -1.
fn power(x: i128, y: i128) -> i128 {
    if y < 0 {
        return match x {
            1 => 1,
            -1 => 1 - 2 * (y & 1),
            _ => 0,
        };
    }
    let (mut base, mut left, mut result) = (x, y, 1i128);
    while left > 0 {
        if left & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        left >>= 1;
    }
    result
}

/// The high half of a product: that of unsigned 64-bit numbers needs all of 128 bits.
fn mulhi(x: i128, y: i128, bits: u32) -> i128 {
    if x >= 0 && y >= 0 { ((x as u128 * y as u128) >> bits) as i128 } else { (x * y) >> bits }
}

/// The function of integers of some number of bits; `None` where there is none.
fn integers(kind: ElementwiseKind) -> Option<Integers> {
    use ElementwiseKind as K;
    use Integers::{Binary, Unary};
    Some(match kind {
        K::Abs => Unary(|x, _| x.abs()),
        K::Negate => Unary(|x, _| -x),
        K::Sign => Unary(|x, _| x.signum()),
        K::Not => Unary(|x, _| !x),
        K::Popcnt => Unary(|x, bits| low_bits(x, bits).count_ones().into()),
        K::CountLeadingZeros => Unary(|x, bits| i128::from(low_bits(x, bits).leading_zeros() + bits) - 128),
        K::Add => Binary(|x, y, _| x + y),
        K::Subtract => Binary(|x, y, _| x - y),
        K::Multiply => Binary(|x, y, _| x.wrapping_mul(y)),
        K::Divide => Binary(|x, y, _| if y == 0 { -1 } else { x / y }),
        K::Remainder => Binary(|x, y, _| if y == 0 { x } else { x % y }),
        K::Power => Binary(|x, y, _| power(x, y)),
        K::Maximum => Binary(|x, y, _| x.max(y)),
        K::Minimum => Binary(|x, y, _| x.min(y)),
        K::And => Binary(|x, y, _| x & y),
        K::Or => Binary(|x, y, _| x | y),
        K::Xor => Binary(|x, y, _| x ^ y),
        K::ShiftLeft => Binary(|x, y, bits| distance(y, bits).map_or(0, |y| x << y)),
        K::ShiftRightArithmetic => Binary(|x, y, bits| {
            // Unsigned bits are read as two's complement.
            let unused = 128 - bits;
            let signed = (x << unused) >> unused;
            signed >> distance(y, bits).unwrap_or(bits - 1)
        }),
        K::ShiftRightLogical => {
            Binary(|x, y, bits| distance(y, bits).map_or(0, |y| (low_bits(x, bits) >> y) as i128))
        }
        K::Mulhi => Binary(mulhi),
        K::Floor
        | K::Ceil
        | K::RoundNearestEven
        | K::RoundNearestAfz
        | K::Exponential
        | K::ExponentialMinusOne
        | K::Log
        | K::LogPlusOne
        | K::Logistic
        | K::Tanh
        | K::Sqrt
        | K::Rsqrt
        | K::Cbrt
        | K::Sine
        | K::Cosine
        | K::Tan
        | K::Erf
        | K::ErfInv
        | K::Asin
        | K::Acos
        | K::Atan
        | K::Sinh
        | K::Cosh
        | K::Asinh
        | K::Acosh
        | K::Atanh
        | K::Erfc
        | K::Lgamma
        | K::Digamma
        | K::BesselI0e
        | K::BesselI1e
        | K::Conj
        | K::BesselI
        | K::ErfcxSlope
        | K::BesselI0eSlope
        | K::Polygamma
        | K::Zeta
        | K::NextAfter
        | K::Square
        | K::Atan2 => return None,
    })
}

/// The function of truth values; `None` where there is none.
fn bools(kind: ElementwiseKind) -> Option<Bools> {
    use Bools::{Binary, Unary};
    use ElementwiseKind as K;
    match kind {
        K::Not => Some(Unary(|x| !x)),
        K::Add | K::Or | K::Maximum => Some(Binary(|x, y| x | y)),
        K::Multiply | K::And | K::Minimum => Some(Binary(|x, y| x & y)),
        K::Xor => Some(Binary(|x, y| x ^ y)),
        _ => None,
    }
}

/// `op` as a combination of two numbers of an element type: what scatters and folds need.
pub fn combination<T: Element>(kind: ElementwiseKind, dtype: DType) -> Option<impl Fn(T, T) -> T> {
    let bits = dtype.bits();
    let (mut on_bools, mut on_integers, mut on_floats, mut on_complexes) = (None, None, None, None);
    match dtype.kind() {
        ElementKind::Bool => match bools(kind)? {
            Bools::Binary(f) => on_bools = Some(f),
            Bools::Unary(_) => return None,
        },
        ElementKind::Signed | ElementKind::Unsigned => match integers(kind)? {
            Integers::Binary(f) => on_integers = Some(f),
            Integers::Unary(_) => return None,
        },
        ElementKind::Float => match floats(kind)? {
            Floats::Binary(f) => on_floats = Some(f),
            Floats::Unary(_) => return None,
        },
        ElementKind::Complex => match complex::function(kind)? {
            Complexes::Binary(f) => on_complexes = Some(f),
            Complexes::Unary(_) => return None,
        },
    }
    Some(move |x: T, y: T| {
        if let Some(f) = on_floats {
            Element::from_f64(f(x.to_f64(), y.to_f64()))
        } else if let Some(f) = on_integers {
            T::from_i128(f(x.to_i128(), y.to_i128(), bits))
        } else if let Some(f) = on_complexes {
            T::from_c128(f(x.to_c128(), y.to_c128()))
        } else if let Some(f) = on_bools {
            T::from_i128(f(x.to_i128() != 0, y.to_i128() != 0).into())
        } else {
            x
        }
    })
}

/// Whether `op` holds between `x` and `y`.
pub fn compare(op: &Compare, x: &Literal, y: &Literal) -> Result<Literal> {
    let ty = x.ty().with_dtype(DType::Bool);
    let (x, y) = (Numbers::of(x), Numbers::of(y));
    let order = |i| if op.total_order { x.total_order(i, &y, i) } else { x.order(i, &y, i) };
    let values: Vec<i128> = (0..ty.elements()?).map(|i| holds(op.comparison, order(i)).into()).collect();
    Literal::from_i128s(ty, &values)
}

/// Whether numbers in this order compare so; NaN has none.
pub fn holds(comparison: Comparison, order: Option<Ordering>) -> bool {
    match comparison {
        Comparison::Eq => order == Some(Ordering::Equal),
        Comparison::Ne => order != Some(Ordering::Equal),
        Comparison::Lt => order == Some(Ordering::Less),
        Comparison::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Gt => order == Some(Ordering::Greater),
        Comparison::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// `on_true` where `predicate` holds, elsewhere `on_false`.
pub fn select(predicate: &Literal, on_true: &Literal, on_false: &Literal) -> Result<Literal> {
    let mut out = on_false.clone();
    let predicate = predicate.as_slice::<u8>()?;
    with_width!(out.dtype().size(), N => {
        let chosen = on_true.bytes().as_chunks::<N>().0;
        for ((out, &p), &x) in out.bytes_mut().as_chunks_mut::<N>().0.iter_mut().zip(predicate).zip(chosen) {
            if p != 0 {
                *out = x;
            }
        }
    });
    Ok(out)
}

/// `min(max(x, low), high)`; NaN wins.
pub fn clamp(low: &Literal, x: &Literal, high: &Literal) -> Result<Literal> {
    let raised = elementwise(ElementwiseKind::Maximum, &[x.clone(), low.clone()])?;
    elementwise(ElementwiseKind::Minimum, &[raised, high.clone()])
}

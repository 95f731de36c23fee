//! The values of every elementwise function, a row each.

use std::cmp::Ordering;

use jarrah_base::{Element, c128};
use jarrah_hlo::ops::ElementwiseKind;

use crate::math::{self, complex};
use crate::number::{maximum, minimum};

/// A function of one operand or of two.
pub enum ScalarFunction<U, B> {
    /// Of one operand.
    Unary(U),
    /// Of two operands.
    Binary(B),
}

use ScalarFunction::{Binary, Unary};

/// A function of floats, in doubles.
pub type FloatFunction = ScalarFunction<fn(f64) -> f64, fn(f64, f64) -> f64>;

/// A function of complex numbers. Where the result is real, its value has the imaginary part 0.
pub type ComplexFunction = ScalarFunction<fn(c128) -> c128, fn(c128, c128) -> c128>;

/// A function of integers of a number of bits, which is the last argument; results wrap.
type IntegerFunction = ScalarFunction<fn(i128, u32) -> i128, fn(i128, i128, u32) -> i128>;

type BoolFunction = ScalarFunction<fn(bool) -> bool, fn(bool, bool) -> bool>;

/// The function that an elementwise function is of each kind of elements; `None` of those for which it is not defined.
pub struct Values {
    pub floats: Option<FloatFunction>,
    pub complexes: Option<ComplexFunction>,
    pub integers: Option<IntegerFunction>,
    pub bools: Option<BoolFunction>,
}

const NONE: Values = Values { floats: None, complexes: None, integers: None, bools: None };

impl Values {
    fn floats(self, f: FloatFunction) -> Values {
        Values { floats: Some(f), ..self }
    }

    fn complexes(self, f: ComplexFunction) -> Values {
        Values { complexes: Some(f), ..self }
    }

    fn integers(self, f: IntegerFunction) -> Values {
        Values { integers: Some(f), ..self }
    }

    fn bools(self, f: BoolFunction) -> Values {
        Values { bools: Some(f), ..self }
    }
}

/// The function of floats; `None` where there is none.
pub fn function_of_floats(kind: ElementwiseKind) -> Option<FloatFunction> {
    values(kind).floats
}

/// The function of complex numbers; `None` where there is none.
pub fn function_of_complexes(kind: ElementwiseKind) -> Option<ComplexFunction> {
    values(kind).complexes
}

/// The values of a function for each kind of elements that it accepts.
// A table: a row for each function.
pub fn values(kind: ElementwiseKind) -> Values {
    use ElementwiseKind as K;
    match kind {
        K::Abs => NONE
            .floats(Unary(f64::abs))
            .complexes(Unary(|z| c128::new(complex::abs(z), 0.0)))
            .integers(Unary(|x, _| x.abs())),
        K::Negate => NONE.floats(Unary(|x| -x)).complexes(Unary(|z| -z)).integers(Unary(|x, _| -x)),
        K::Sign => {
            NONE.floats(Unary(sign)).complexes(Unary(complex::sign)).integers(Unary(|x, _| x.signum()))
        }
        K::Floor => NONE.floats(Unary(f64::floor)),
        K::Ceil => NONE.floats(Unary(f64::ceil)),
        K::RoundNearestEven => NONE.floats(Unary(f64::round_ties_even)),
        K::RoundNearestAfz => NONE.floats(Unary(f64::round)),
        K::Exponential => NONE.floats(Unary(f64::exp)).complexes(Unary(complex::exp)),
        K::ExponentialMinusOne => NONE.floats(Unary(f64::exp_m1)).complexes(Unary(complex::exp_m1)),
        K::Log => NONE.floats(Unary(f64::ln)).complexes(Unary(complex::ln)),
        K::LogPlusOne => NONE.floats(Unary(f64::ln_1p)).complexes(Unary(complex::ln_1p)),
        K::Logistic => NONE.floats(Unary(math::logistic)).complexes(Unary(complex::logistic)),
        K::Tanh => NONE.floats(Unary(f64::tanh)).complexes(Unary(complex::tanh)),
        K::Sqrt => NONE.floats(Unary(f64::sqrt)).complexes(Unary(complex::sqrt)),
        K::Rsqrt => NONE.floats(Unary(|x| 1.0 / x.sqrt())).complexes(Unary(complex::rsqrt)),
        K::Cbrt => NONE.floats(Unary(f64::cbrt)).complexes(Unary(complex::cbrt)),
        K::Sine => NONE.floats(Unary(f64::sin)).complexes(Unary(complex::sin)),
        K::Cosine => NONE.floats(Unary(f64::cos)).complexes(Unary(complex::cos)),
        K::Tan => NONE.floats(Unary(f64::tan)).complexes(Unary(complex::tan)),
        K::Asin => NONE.floats(Unary(f64::asin)).complexes(Unary(complex::asin)),
        K::Acos => NONE.floats(Unary(f64::acos)).complexes(Unary(complex::acos)),
        K::Atan => NONE.floats(Unary(f64::atan)).complexes(Unary(complex::atan)),
        K::Sinh => NONE.floats(Unary(f64::sinh)).complexes(Unary(complex::sinh)),
        K::Cosh => NONE.floats(Unary(f64::cosh)).complexes(Unary(complex::cosh)),
        K::Asinh => NONE.floats(Unary(libm::asinh)).complexes(Unary(complex::asinh)),
        K::Acosh => NONE.floats(Unary(math::acosh)).complexes(Unary(complex::acosh)),
        K::Atanh => NONE.floats(Unary(libm::atanh)).complexes(Unary(complex::atanh)),
        K::Square => NONE.floats(Unary(|x| x * x)).complexes(Unary(complex::square)),
        K::Erf => NONE.floats(Unary(libm::erf)),
        K::Erfc => NONE.floats(Unary(libm::erfc)),
        K::ErfInv => NONE.floats(Unary(math::erf_inv)),
        K::Lgamma => NONE.floats(Unary(math::lgamma)),
        K::Digamma => NONE.floats(Unary(math::digamma)),
        K::BesselI0e => NONE.floats(Unary(math::bessel_i0e)),
        K::BesselI1e => NONE.floats(Unary(math::bessel_i1e)),
        K::Conj => NONE.floats(Unary(|x| x)).complexes(Unary(|z| z.conj())),
        K::Not => NONE.integers(Unary(|x, _| !x)).bools(Unary(|x| !x)),
        K::Popcnt => NONE.integers(Unary(|x, bits| low_bits(x, bits).count_ones().into())),
        K::CountLeadingZeros => {
            NONE.integers(Unary(|x, bits| i128::from(low_bits(x, bits).leading_zeros() + bits) - 128))
        }
        K::Add => NONE
            .floats(Binary(|x, y| x + y))
            .complexes(Binary(|z, w| z + w))
            .integers(Binary(|x, y, _| x + y))
            .bools(Binary(|x, y| x | y)),
        K::Subtract => NONE
            .floats(Binary(|x, y| x - y))
            .complexes(Binary(|z, w| z - w))
            .integers(Binary(|x, y, _| x - y)),
        K::Multiply => NONE
            .floats(Binary(|x, y| x * y))
            .complexes(Binary(|z, w| z * w))
            .integers(Binary(|x, y, _| x.wrapping_mul(y)))
            .bools(Binary(|x, y| x & y)),
        K::Divide => NONE
            .floats(Binary(|x, y| x / y))
            .complexes(Binary(complex::div))
            .integers(Binary(|x, y, _| if y == 0 { -1 } else { x / y })),
        K::Remainder => {
            NONE.floats(Binary(|x, y| x % y)).integers(Binary(|x, y, _| if y == 0 { x } else { x % y }))
        }
        K::Power => NONE
            .floats(Binary(f64::powf))
            .complexes(Binary(complex::pow))
            .integers(Binary(|x, y, _| power(x, y))),
        K::Maximum => NONE
            .floats(Binary(maximum))
            .complexes(Binary(|z, w| extreme(z, w, Ordering::Greater)))
            .integers(Binary(|x, y, _| x.max(y)))
            .bools(Binary(|x, y| x | y)),
        K::Minimum => NONE
            .floats(Binary(minimum))
            .complexes(Binary(|z, w| extreme(z, w, Ordering::Less)))
            .integers(Binary(|x, y, _| x.min(y)))
            .bools(Binary(|x, y| x & y)),
        K::And => NONE.integers(Binary(|x, y, _| x & y)).bools(Binary(|x, y| x & y)),
        K::Or => NONE.integers(Binary(|x, y, _| x | y)).bools(Binary(|x, y| x | y)),
        K::Xor => NONE.integers(Binary(|x, y, _| x ^ y)).bools(Binary(|x, y| x ^ y)),
        K::ShiftLeft => NONE.integers(Binary(|x, y, bits| distance(y, bits).map_or(0, |y| x << y))),
        K::ShiftRightArithmetic => NONE.integers(Binary(|x, y, bits| {
            // Unsigned bits are read as two's complement.
            let unused = 128 - bits;
            let signed = (x << unused) >> unused;
            signed >> distance(y, bits).unwrap_or(bits - 1)
        })),
        K::ShiftRightLogical => NONE
            .integers(Binary(|x, y, bits| distance(y, bits).map_or(0, |y| (low_bits(x, bits) >> y) as i128))),
        K::Atan2 => NONE.floats(Binary(f64::atan2)).complexes(Binary(complex::atan2)),
        K::BesselI => NONE.floats(Binary(math::bessel_i)),
        K::BesselI0eSlope => NONE.floats(Binary(math::bessel_i0e_slope)),
        K::ErfcxSlope => NONE.floats(Binary(math::erfcx_slope)),
        K::Polygamma => NONE.floats(Binary(math::polygamma)),
        K::Zeta => NONE.floats(Binary(math::zeta)),
        // Its values depend on the element type: see `elementwise`.
        K::NextAfter => NONE,
        K::Mulhi => NONE.integers(Binary(mulhi)),
    }
}

fn sign(x: f64) -> f64 {
    if x.is_nan() || x == 0.0 { x } else { x.signum() }
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

/// The one that stands so to the other in the order of [`Element::order`]; what has a NaN wins.
fn extreme(z: c128, w: c128, wanted: Ordering) -> c128 {
    match z.order(w) {
        Some(order) => {
            if order == wanted {
                z
            } else {
                w
            }
        }
        None => {
            if z.is_nan() {
                z
            } else {
                w
            }
        }
    }
}

use std::cmp::Ordering;

use jarrah_base::{Element, Error, Literal, Result, c128};
use jarrah_hlo::ops::ElementwiseKind;

use crate::math::complex as math;

/// Complex numbers of their parts.
pub fn complex(re: &Literal, im: &Literal) -> Result<Literal> {
    let dtype = re.dtype().complex().ok_or_else(|| Error::internal(format!("parts of {}", re.dtype())))?;
    let parts = re.to_f64_vec().into_iter().zip(im.to_f64_vec());
    let values: Vec<c128> = parts.map(|(re, im)| c128::new(re, im)).collect();
    Literal::from_c128s(re.ty().with_dtype(dtype), &values)
}

/// The real parts.
pub fn real(x: &Literal) -> Result<Literal> {
    Literal::from_f64s(x.ty().with_dtype(x.dtype().real()), &x.to_f64_vec())
}

/// The imaginary parts.
pub fn imag(x: &Literal) -> Result<Literal> {
    let parts: Vec<f64> = x.to_c128_vec().into_iter().map(|z| z.im).collect();
    Literal::from_f64s(x.ty().with_dtype(x.dtype().real()), &parts)
}

/// One function of complex numbers: how many operands it takes, and what it does. Where the result is real, so is its
/// value.
pub enum Complexes {
    /// Of one operand.
    Unary(fn(c128) -> c128),
    /// Of two operands.
    Binary(fn(c128, c128) -> c128),
}

/// The function of complex numbers; `None` where there is none.
pub fn function(kind: ElementwiseKind) -> Option<Complexes> {
    use Complexes::{Binary, Unary};
    use ElementwiseKind as K;
    Some(match kind {
        K::Abs => Unary(|z| c128::new(math::abs(z), 0.0)),
        K::Negate => Unary(|z| -z),
        K::Sign => Unary(math::sign),
        K::Conj => Unary(|z| z.conj()),
        K::Square => Unary(math::square),
        K::Exponential => Unary(math::exp),
        K::ExponentialMinusOne => Unary(math::exp_m1),
        K::Log => Unary(math::ln),
        K::LogPlusOne => Unary(math::ln_1p),
        K::Logistic => Unary(math::logistic),
        K::Sqrt => Unary(math::sqrt),
        K::Rsqrt => Unary(math::rsqrt),
        K::Cbrt => Unary(math::cbrt),
        K::Sine => Unary(math::sin),
        K::Cosine => Unary(math::cos),
        K::Tan => Unary(math::tan),
        K::Sinh => Unary(math::sinh),
        K::Cosh => Unary(math::cosh),
        K::Tanh => Unary(math::tanh),
        K::Asin => Unary(math::asin),
        K::Acos => Unary(math::acos),
        K::Atan => Unary(math::atan),
        K::Asinh => Unary(math::asinh),
        K::Acosh => Unary(math::acosh),
        K::Atanh => Unary(math::atanh),
        K::Add => Binary(|z, w| z + w),
        K::Subtract => Binary(|z, w| z - w),
        K::Multiply => Binary(|z, w| z * w),
        K::Divide => Binary(math::div),
        K::Power => Binary(math::pow),
        K::Atan2 => Binary(math::atan2),
        K::Maximum => Binary(|z, w| extreme(z, w, Ordering::Greater)),
        K::Minimum => Binary(|z, w| extreme(z, w, Ordering::Less)),
        K::Floor
        | K::Ceil
        | K::RoundNearestEven
        | K::RoundNearestAfz
        | K::Erf
        | K::Erfc
        | K::ErfInv
        | K::Lgamma
        | K::Digamma
        | K::BesselI0e
        | K::BesselI1e
        | K::Not
        | K::Popcnt
        | K::CountLeadingZeros
        | K::Remainder
        | K::And
        | K::Or
        | K::Xor
        | K::ShiftLeft
        | K::ShiftRightArithmetic
        | K::ShiftRightLogical
        | K::BesselI
        | K::ErfcxSlope
        | K::BesselI0eSlope
        | K::Polygamma
        | K::Zeta
        | K::NextAfter
        | K::Mulhi => return None,
    })
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

//! The elementwise functions that loops have, a row each.

use jarrah_hlo::ops::ElementwiseKind;

use crate::ops::{Binary, Unary};

/// Whether the loop IR has the function.
pub fn has_loop(kind: ElementwiseKind) -> bool {
    function(kind).is_some()
}

/// The work of an elementwise function per element, in additions; one where it has no loop.
pub fn function_work(kind: ElementwiseKind) -> u32 {
    function(kind).map_or(1, |(_, work)| work)
}

/// An elementwise function as instructions of a loop.
pub enum Function {
    Unary(Unary),
    Binary(Binary),
    Square,
    NextAfter,
    HighProduct,
}

/// How a loop computes a function, and its work per element, in additions; `None` for those that are computed element by element, without a loop.
pub fn function(kind: ElementwiseKind) -> Option<(Function, u32)> {
    use ElementwiseKind as K;
    let unary = |f, work| Some((Function::Unary(f), work));
    let binary = |f, work| Some((Function::Binary(f), work));
    match kind {
        K::Abs => unary(Unary::Abs, 1),
        K::Negate => unary(Unary::Negate, 1),
        K::Sign => unary(Unary::Sign, 1),
        K::Floor => unary(Unary::Floor, 1),
        K::Ceil => unary(Unary::Ceil, 1),
        K::RoundNearestEven => unary(Unary::RoundNearestEven, 1),
        K::RoundNearestAfz => unary(Unary::RoundNearestAfz, 1),
        K::Exponential => unary(Unary::Exponential, 12),
        K::ExponentialMinusOne => unary(Unary::ExponentialMinusOne, 12),
        K::Log => unary(Unary::Log, 12),
        K::LogPlusOne => unary(Unary::LogPlusOne, 12),
        K::Logistic => unary(Unary::Logistic, 12),
        K::Tanh => unary(Unary::Tanh, 12),
        K::Sqrt => unary(Unary::Sqrt, 4),
        K::Rsqrt => unary(Unary::Rsqrt, 4),
        K::Cbrt => unary(Unary::Cbrt, 12),
        K::Sine => unary(Unary::Sine, 12),
        K::Cosine => unary(Unary::Cosine, 12),
        K::Tan => unary(Unary::Tan, 24),
        K::Erf => unary(Unary::Erf, 12),
        K::ErfInv => unary(Unary::ErfInv, 24),
        K::Not => unary(Unary::Not, 1),
        K::Popcnt => unary(Unary::Popcnt, 1),
        K::CountLeadingZeros => unary(Unary::CountLeadingZeros, 1),
        K::Add => binary(Binary::Add, 1),
        K::Subtract => binary(Binary::Subtract, 1),
        K::Multiply => binary(Binary::Multiply, 1),
        K::Divide => binary(Binary::Divide, 4),
        K::Remainder => binary(Binary::Remainder, 4),
        K::Power => binary(Binary::Power, 24),
        K::Maximum => binary(Binary::Maximum, 1),
        K::Minimum => binary(Binary::Minimum, 1),
        K::And => binary(Binary::And, 1),
        K::Or => binary(Binary::Or, 1),
        K::Xor => binary(Binary::Xor, 1),
        K::ShiftLeft => binary(Binary::ShiftLeft, 1),
        K::ShiftRightArithmetic => binary(Binary::ShiftRightArithmetic, 1),
        K::ShiftRightLogical => binary(Binary::ShiftRightLogical, 1),
        K::Atan2 => binary(Binary::Atan2, 24),
        K::Square => Some((Function::Square, 1)),
        K::NextAfter => Some((Function::NextAfter, 12)),
        K::Mulhi => Some((Function::HighProduct, 4)),
        K::Asin
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
        | K::Zeta => None,
    }
}

use serde::{Deserialize, Serialize};

use super::{Accepts, Slope, power, slopes};

macro_rules! table {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal $accepts:ident [$($slope:expr),+] $low:literal..$high:literal;)*) => {
        /// The elementwise functions. One row each: name, accepted dtypes, derivatives, and the interval of its
        /// example.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        pub enum ElementwiseKind {
            $($(#[doc = $doc])* $kind),*
        }

        impl ElementwiseKind {
            /// Every function.
            pub const ALL: &'static [ElementwiseKind] = &[$(ElementwiseKind::$kind),*];

            /// The name in StableHLO, without the dialect.
            pub fn name(self) -> &'static str {
                match self { $(ElementwiseKind::$kind => $name),* }
            }

            /// The name in Jarrah's own dialect, under which functions are written that StableHLO and CHLO lack.
            pub fn own_name(self) -> &'static str {
                match self { $(ElementwiseKind::$kind => concat!("jarrah.", $name)),* }
            }

            pub(super) fn accepts(self) -> Accepts {
                match self { $(ElementwiseKind::$kind => Accepts::$accepts),* }
            }

            pub(super) fn slopes(self) -> &'static [Slope] {
                use Slope::*;
                match self { $(ElementwiseKind::$kind => const { &[$($slope),+] }),* }
            }

            pub(super) fn summary(self) -> &'static str {
                match self { $(ElementwiseKind::$kind => concat!($($doc),*).trim_ascii()),* }
            }

            pub(super) fn example_range(self) -> (f64, f64) {
                match self { $(ElementwiseKind::$kind => ($low, $high)),* }
            }
        }
    };
}

table! {
    /// The absolute value, of complex numbers too.
    Abs "abs" Signed [Times(|p| p.sign())] 0.5..2.0;
    /// `-x`; two's complement for integers.
    Negate "negate" Number [MinusOne] -2.0..2.0;
    /// -1, 0 or 1; zero and NaN keep their bits. Of a complex number `z/|z|`, whose derivative counts as zero too, as in
    /// JAX.
    Sign "sign" Signed [Zero] -2.0..2.0;
    /// The largest integer not above `x`.
    Floor "floor" Float [Zero] 0.1..0.9;
    /// The smallest integer not below `x`.
    Ceil "ceil" Float [Zero] 0.1..0.9;
    /// The nearest integer, halves to even.
    RoundNearestEven "round_nearest_even" Float [Zero] 0.1..0.4;
    /// The nearest integer, halves away from zero.
    RoundNearestAfz "round_nearest_afz" Float [Zero] 0.1..0.4;
    /// `e^x`.
    Exponential "exponential" Inexact [Times(|p| Ok(p.out))] -2.0..2.0;
    /// `e^x - 1`, accurate near zero.
    ExponentialMinusOne "exponential_minus_one" Inexact [Times(|p| p.b.exp(p.x))] -2.0..2.0;
    /// The natural logarithm.
    Log "log" Inexact [Over(|p| Ok(p.x))] 0.2..3.0;
    /// `ln(1 + x)`, accurate near zero.
    LogPlusOne "log_plus_one" Inexact [Over(|p| {
        let one = p.full(1.0)?;
        p.b.add(p.x, one)
    })] -0.5..3.0;
    /// `1 / (1 + e^-x)`.
    Logistic "logistic" Inexact [Times(slopes::of_logistic)] -2.0..2.0;
    /// The hyperbolic tangent.
    Tanh "tanh" Inexact [Times(slopes::of_tanh)] -2.0..2.0;
    /// The square root.
    Sqrt "sqrt" Inexact [Over(|p| p.b.add(p.out, p.out))] 0.2..3.0;
    /// `1 / sqrt(x)`.
    Rsqrt "rsqrt" Inexact [Times(|p| {
        let slope = p.b.div(p.out, p.x)?;
        p.b.scale(slope, -0.5)
    })] 0.2..3.0;
    /// The cube root.
    Cbrt "cbrt" Inexact [Times(slopes::of_cbrt)] 0.2..3.0;
    /// The sine, of radians.
    Sine "sine" Inexact [Times(|p| p.unary(ElementwiseKind::Cosine, p.x))] -2.0..2.0;
    /// The cosine, of radians.
    Cosine "cosine" Inexact [Times(|p| {
        let sine = p.unary(ElementwiseKind::Sine, p.x)?;
        p.b.neg(sine)
    })] -2.0..2.0;
    /// The tangent, of radians.
    Tan "tan" Inexact [Times(|p| {
        let one = p.full(1.0)?;
        let square = p.b.mul(p.out, p.out)?;
        p.b.add(one, square)
    })] -1.0..1.0;
    /// The angle whose sine is `x`, in radians.
    Asin "asin" Inexact [Times(slopes::of_asin)] -0.8..0.8;
    /// The angle whose cosine is `x`, in radians.
    Acos "acos" Inexact [Times(|p| {
        let slope = slopes::of_asin(p)?;
        p.b.neg(slope)
    })] -0.8..0.8;
    /// The angle whose tangent is `x`, in radians.
    Atan "atan" Inexact [Times(slopes::of_atan)] -2.0..2.0;
    /// The hyperbolic sine.
    Sinh "sinh" Inexact [Times(|p| p.unary(ElementwiseKind::Cosh, p.x))] -2.0..2.0;
    /// The hyperbolic cosine.
    Cosh "cosh" Inexact [Times(|p| p.unary(ElementwiseKind::Sinh, p.x))] -2.0..2.0;
    /// The number whose hyperbolic sine is `x`.
    Asinh "asinh" Inexact [Times(slopes::of_asinh)] -2.0..2.0;
    /// The number, not negative, whose hyperbolic cosine is `x`.
    Acosh "acosh" Inexact [Times(slopes::of_acosh)] 1.3..3.0;
    /// The number whose hyperbolic tangent is `x`.
    Atanh "atanh" Inexact [Over(slopes::one_minus_square)] -0.8..0.8;
    /// `x^2`.
    Square "square" Inexact [Times(|p| p.b.scale(p.x, 2.0))] -2.0..2.0;
    /// The error function, `2/sqrt(pi) * integral of e^(-t^2) from 0 to x`.
    Erf "erf" Float [Times(|p| slopes::bell(p, p.x))] -2.0..2.0;
    /// `1 - erf(x)`, accurate where that is small.
    Erfc "erfc" Float [Times(|p| {
        let bell = slopes::bell(p, p.x)?;
        p.b.neg(bell)
    })] -2.0..2.0;
    /// The inverse of the error function.
    ErfInv "erf_inv" Float [Over(|p| slopes::bell(p, p.out))] -0.8..0.8;
    /// The logarithm of the absolute value of the gamma function.
    Lgamma "lgamma" Float [Times(|p| p.unary(ElementwiseKind::Digamma, p.x))] 0.3..4.0;
    /// The derivative of `lgamma`; NaN at its poles.
    Digamma "digamma" Float [Times(|p| {
        let one = p.full(1.0)?;
        p.b.binary(ElementwiseKind::Polygamma, one, p.x)
    })] 0.3..4.0;
    /// The modified Bessel function of the first kind and order 0, times `e^-|x|`.
    BesselI0e "bessel_i0e" Float [Times(|p| {
        let one = p.full(1.0)?;
        p.b.binary(ElementwiseKind::BesselI0eSlope, one, p.x)
    })] 0.3..4.0;
    /// The modified Bessel function of the first kind and order 1, times `e^-|x|`.
    BesselI1e "bessel_i1e" Float [Times(slopes::of_bessel_i1e)] 0.3..4.0;
    /// The complex conjugate; a real number itself.
    Conj "conj" Inexact [Itself] -2.0..2.0;
    /// The complement, bit by bit for integers.
    Not "not" Bits [Zero] -9.0..9.0;
    /// The number of one bits.
    Popcnt "popcnt" Integer [Zero] 0.0..9.0;
    /// The number of leading zero bits.
    CountLeadingZeros "count_leading_zeros" Integer [Zero] 0.0..9.0;
    /// `x + y`; the disjunction of truth values.
    Add "add" Any [One, One] -2.0..2.0;
    /// `x - y`.
    Subtract "subtract" Number [One, MinusOne] -2.0..2.0;
    /// `x * y`; the conjunction of truth values.
    Multiply "multiply" Any [Times(|p| Ok(p.y)), Times(|p| Ok(p.x))] -2.0..2.0;
    /// `x / y`; for integers rounded towards zero, and all ones where `y` is 0.
    Divide "divide" Number [Over(|p| Ok(p.y)), Times(|p| {
        let slope = p.b.div(p.out, p.y)?;
        p.b.neg(slope)
    })] 0.5..2.0;
    /// The remainder of division rounded towards zero, with the sign of `x`.
    Remainder "remainder" Real [One, Times(|p| {
        let quotient = p.b.div(p.x, p.y)?;
        let size = p.unary(ElementwiseKind::Abs, quotient)?;
        let size = p.unary(ElementwiseKind::Floor, size)?;
        let sign = p.unary(ElementwiseKind::Sign, quotient)?;
        let whole = p.b.mul(sign, size)?;
        p.b.neg(whole)
    })] 0.5..2.0;
    /// `x` to the power `y`.
    Power "power" Number [Times(power::by_base), Times(power::by_exponent)] 0.5..2.0;
    /// The larger; NaN wins.
    Maximum "maximum" Any [Times(|p| p.share(p.x, p.y)), Times(|p| p.share(p.y, p.x))] -2.0..2.0;
    /// The smaller; NaN wins.
    Minimum "minimum" Any [Times(|p| p.share(p.x, p.y)), Times(|p| p.share(p.y, p.x))] -2.0..2.0;
    /// The conjunction, bit by bit for integers.
    And "and" Bits [Zero, Zero] 0.0..9.0;
    /// The disjunction, bit by bit for integers.
    Or "or" Bits [Zero, Zero] 0.0..9.0;
    /// The exclusive or, bit by bit for integers.
    Xor "xor" Bits [Zero, Zero] 0.0..9.0;
    /// `x * 2^y`, bits falling off; 0 where `y` is the width or more.
    ShiftLeft "shift_left" Integer [Zero, Zero] 0.0..5.0;
    /// `x` shifted right by `y` bits, the sign filling in.
    ShiftRightArithmetic "shift_right_arithmetic" Integer [Zero, Zero] 0.0..5.0;
    /// `x` shifted right by `y` bits, zeros filling in.
    ShiftRightLogical "shift_right_logical" Integer [Zero, Zero] 0.0..5.0;
    /// The angle of the point `(y, x)`, in radians.
    Atan2 "atan2" Inexact [Times(|p| Ok(slopes::inverse_of_point(p)?[1])), Times(|p| {
        let slope = slopes::inverse_of_point(p)?[0];
        p.b.neg(slope)
    })] 0.5..2.0;
    /// The modified Bessel function of the first kind and order `n`, a natural number.
    BesselI "bessel_i" Float [Refuse("bessel_i is not differentiable in its order, which is a natural number"), Times(slopes::of_bessel)] 0.0..4.0;
    /// The `n`-th derivative of `bessel_i0e` at `x`, for natural numbers `n`; at 0 the mean of those on both sides.
    BesselI0eSlope "bessel_i0e_slope" Float [Refuse("bessel_i0e_slope is not differentiable in its order, which is a natural number"), Times(|p| {
        let one = p.full(1.0)?;
        let next = p.b.add(p.x, one)?;
        p.b.binary(ElementwiseKind::BesselI0eSlope, next, p.y)
    })] 1.0..4.0;
    /// The `n`-th derivative of the scaled complementary error function, `e^(x^2) erfc(x)`, at `x`, for natural numbers `n`.
    ErfcxSlope "erfcx_slope" Float [Refuse("erfcx_slope is not differentiable in its order, which is a natural number"), Times(|p| {
        let one = p.full(1.0)?;
        let next = p.b.add(p.x, one)?;
        p.b.binary(ElementwiseKind::ErfcxSlope, next, p.y)
    })] 1.0..4.0;
    /// The `n`-th derivative of `digamma` at `x`; NaN unless `n` is a natural number.
    Polygamma "polygamma" Float [Refuse("polygamma is not differentiable in its order, which is a natural number"), Times(|p| {
        let one = p.full(1.0)?;
        let next = p.b.add(p.x, one)?;
        p.b.binary(ElementwiseKind::Polygamma, next, p.y)
    })] 1.0..3.0;
    /// The Hurwitz zeta function `sum over k >= 0 of (q + k)^-x` of `x` and `q`.
    Zeta "zeta" Float [Refuse("the derivative of zeta in its exponent is no elementary function of zeta"), Times(|p| {
        let one = p.full(1.0)?;
        let next = p.b.add(p.x, one)?;
        let zeta = p.b.binary(ElementwiseKind::Zeta, next, p.y)?;
        let slope = p.b.mul(p.x, zeta)?;
        p.b.neg(slope)
    })] 1.3..3.0;
    /// The number next to `x` in the direction of `y`, in the element type.
    NextAfter "next_after" Float [One, Zero] -2.0..2.0;
    /// The high half of the product `x * y` of twice the width.
    Mulhi "mulhi" Integer [Zero, Zero] 0.0..9.0;
}

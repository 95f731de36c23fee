//! Every elementwise function on single values of each arithmetic type.

use super::body::{F1, F2};
use super::functions as fun;
use crate::math;

macro_rules! markers {
    ($($name:ident)*) => {$(pub(super) struct $name;)*};
}

/// Markers and their values: `f1! { [types] Name(x) = expression }`.
macro_rules! f1 {
    ($([$($t:ty)*] $name:ident ($x:ident) = $e:expr;)*) => {$($(
        impl F1<$t> for $name {
            type O = $t;
            #[inline(always)]
            fn f($x: $t) -> $t {
                $e
            }
        }
    )*)*};
}

macro_rules! f2 {
    ($([$($t:ty)*] $name:ident ($x:ident, $y:ident) = $e:expr;)*) => {$($(
        impl F2<$t> for $name {
            type O = $t;
            #[inline(always)]
            fn f($x: $t, $y: $t) -> $t {
                $e
            }
        }
    )*)*};
}

markers! {
    Abs Negate Sign Floor Ceil RoundNearestEven RoundNearestAfz Exponential ExponentialMinusOne Log LogPlusOne
    Logistic Tanh Sqrt Rsqrt Cbrt Sine Cosine Tan Erf ErfInv Not IsFinite Popcnt CountLeadingZeros
    Add Subtract Multiply Divide Remainder Power Maximum Minimum And Or Xor ShiftLeft ShiftRightArithmetic
    ShiftRightLogical Atan2 Eq Ne Lt Le Gt Ge TotalEq TotalNe TotalLt TotalLe TotalGt TotalGe All
}

f1! {
    [f32 f64] Abs(x) = x.abs();
    [i8 i16 i32 i64] Abs(x) = x.wrapping_abs();
    [u8 u16 u32 u64] Abs(x) = x;
    [f32 f64] Negate(x) = -x;
    [i8 i16 i32 i64 u8 u16 u32 u64] Negate(x) = x.wrapping_neg();
    [f32 f64] Sign(x) = if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { x };
    [i8 i16 i32 i64] Sign(x) = x.signum();
    [u8 u16 u32 u64] Sign(x) = x.min(1);
    [f32 f64] Floor(x) = x.floor();
    [f32 f64] Ceil(x) = x.ceil();
    [f32 f64] RoundNearestEven(x) = x.round_ties_even();
    [f32 f64] RoundNearestAfz(x) = x.round();
    [f32] Exponential(x) = math::exp_f32(x);
    [f64] Exponential(x) = math::exp_f64(x);
    [f32] ExponentialMinusOne(x) = fun::expm1_f32(x);
    [f64] ExponentialMinusOne(x) = x.exp_m1();
    [f32] Log(x) = math::ln_f32(x);
    [f64] Log(x) = math::ln_f64(x);
    [f32] LogPlusOne(x) = fun::log1p_f32(x);
    [f64] LogPlusOne(x) = x.ln_1p();
    [f32] Logistic(x) = fun::logistic_f32(x);
    [f64] Logistic(x) = fun::logistic_f64(x);
    [f32] Tanh(x) = fun::tanh_f32(x);
    [f64] Tanh(x) = x.tanh();
    [f32 f64] Sqrt(x) = x.sqrt();
    [f32 f64] Rsqrt(x) = 1.0 / x.sqrt();
    [f32] Cbrt(x) = f64::from(x).cbrt() as f32;
    [f64] Cbrt(x) = x.cbrt();
    [f64] Sine(x) = x.sin();
    [f64] Cosine(x) = x.cos();
    [f64] Tan(x) = x.tan();
    [f32] Erf(x) = fun::erf_f32(x);
    [f64] Erf(x) = fun::erf_f64(x);
    [f32] ErfInv(x) = fun::erf_inv_f32(x);
    [f64] ErfInv(x) = fun::erf_inv_f64(x);
    [bool i8 i16 i32 i64 u8 u16 u32 u64] Not(x) = !x;
    [i8 i16 i32 i64 u8 u16 u32 u64] Popcnt(x) = x.count_ones() as _;
    [i8 i16 i32 i64 u8 u16 u32 u64] CountLeadingZeros(x) = x.leading_zeros() as _;
}

macro_rules! trigonometric {
    ($($name:ident $f:ident $exact:ident;)*) => {$(
        impl F1<f32> for $name {
            type O = f32;
            #[inline(always)]
            fn f(x: f32) -> f32 {
                fun::$f(x)
            }
            #[inline(always)]
            fn outside(x: f32) -> bool {
                x.abs() > fun::TRIG_LIMIT
            }
            #[inline(always)]
            fn exact(x: f32) -> f32 {
                f64::from(x).$exact() as f32
            }
            const PARTIAL: bool = true;
        }
    )*};
}
trigonometric! {
    Sine sin_f32 sin;
    Cosine cos_f32 cos;
    Tan tan_f32 tan;
}

macro_rules! is_finite {
    ($($t:ty)*) => {$(
        impl F1<$t> for IsFinite {
            type O = bool;
            #[inline(always)]
            fn f(x: $t) -> bool {
                x.abs() < <$t>::INFINITY
            }
        }
    )*};
}
is_finite!(f32 f64);

// NaN wins (the left one first); of equal operands -0 is the lesser, by the sign bit.
macro_rules! extremes {
    ($($t:ty)*) => {$(
        impl F2<$t> for Maximum {
            type O = $t;
            #[inline(always)]
            fn f(x: $t, y: $t) -> $t {
                let equal = <$t>::from_bits(x.to_bits() & y.to_bits());
                let ordered = if x > y { x } else if x == y { equal } else { y };
                if x.is_nan() { x } else { ordered }
            }
        }
        impl F2<$t> for Minimum {
            type O = $t;
            #[inline(always)]
            fn f(x: $t, y: $t) -> $t {
                let equal = <$t>::from_bits(x.to_bits() | y.to_bits());
                let ordered = if x < y { x } else if x == y { equal } else { y };
                if x.is_nan() { x } else { ordered }
            }
        }
    )*};
}
extremes!(f32 f64);

f2! {
    [f32 f64] Add(x, y) = x + y;
    [f32 f64] Subtract(x, y) = x - y;
    [f32 f64] Multiply(x, y) = x * y;
    [f32 f64] Divide(x, y) = x / y;
    [f32 f64] Remainder(x, y) = x % y;
    [f64] Power(x, y) = x.powf(y);
    [f32] Atan2(x, y) = f64::from(x).atan2(f64::from(y)) as f32;
    [f64] Atan2(x, y) = x.atan2(y);
    [i8 i16 i32 i64 u8 u16 u32 u64] Add(x, y) = x.wrapping_add(y);
    [i8 i16 i32 i64 u8 u16 u32 u64] Subtract(x, y) = x.wrapping_sub(y);
    [i8 i16 i32 i64 u8 u16 u32 u64] Multiply(x, y) = x.wrapping_mul(y);
    [i8 i16 i32 i64 u8 u16 u32 u64] Divide(x, y) = if y == 0 { !0 } else { x.wrapping_div(y) };
    [i8 i16 i32 i64 u8 u16 u32 u64] Remainder(x, y) = if y == 0 { x } else { x.wrapping_rem(y) };
    [i8 i16 i32 i64] Power(x, y) = fun::int_pow(x, i128::from(y), 1, 0, Some(-1), |a, b| a.wrapping_mul(b));
    [u8 u16 u32 u64] Power(x, y) = fun::int_pow(x, i128::from(y), 1, 0, None, |a, b| a.wrapping_mul(b));
    [bool i8 i16 i32 i64 u8 u16 u32 u64] Maximum(x, y) = x.max(y);
    [bool i8 i16 i32 i64 u8 u16 u32 u64] Minimum(x, y) = x.min(y);
    [bool i8 i16 i32 i64 u8 u16 u32 u64] And(x, y) = x & y;
    [bool i8 i16 i32 i64 u8 u16 u32 u64] Or(x, y) = x | y;
    [bool i8 i16 i32 i64 u8 u16 u32 u64] Xor(x, y) = x ^ y;
    [bool] Add(x, y) = x | y;
    [bool] Multiply(x, y) = x & y;
}

impl F2<u8> for All {
    type O = u8;
    #[inline(always)]
    fn f(x: u8, y: u8) -> u8 {
        x & y
    }
}

impl F2<f32> for Power {
    type O = f32;
    #[inline(always)]
    fn f(x: f32, y: f32) -> f32 {
        fun::pow_f32(x, y)
    }
    #[inline(always)]
    fn outside(x: f32, y: f32) -> bool {
        !(x > 0.0 && x < f32::INFINITY && y.abs() < f32::INFINITY)
    }
    #[inline(always)]
    fn exact(x: f32, y: f32) -> f32 {
        f64::from(x).powf(f64::from(y)) as f32
    }
    const PARTIAL: bool = true;
}

macro_rules! shifts {
    ($($t:ident $u:ident $s:ident;)*) => {$(
        impl F2<$t> for ShiftLeft {
            type O = $t;
            #[inline(always)]
            fn f(x: $t, y: $t) -> $t {
                if (y as $u) < <$t>::BITS as $u { x.wrapping_shl(y as u32) } else { 0 }
            }
        }
        impl F2<$t> for ShiftRightLogical {
            type O = $t;
            #[inline(always)]
            fn f(x: $t, y: $t) -> $t {
                if (y as $u) < <$t>::BITS as $u { (x as $u).wrapping_shr(y as u32) as $t } else { 0 }
            }
        }
        impl F2<$t> for ShiftRightArithmetic {
            type O = $t;
            #[inline(always)]
            fn f(x: $t, y: $t) -> $t {
                let last = <$t>::BITS as $u - 1;
                let by = if (y as $u) < last { y as $u } else { last };
                (x as $s).wrapping_shr(by as u32) as $t
            }
        }
    )*};
}
shifts! {
    i8 u8 i8; i16 u16 i16; i32 u32 i32; i64 u64 i64; u8 u8 i8; u16 u16 i16; u32 u32 i32; u64 u64 i64;
}

macro_rules! relations {
    ($t:ty; $($name:ident $op:tt;)*) => {$(
        impl F2<$t> for $name {
            type O = bool;
            #[inline(always)]
            fn f(x: $t, y: $t) -> bool {
                x $op y
            }
        }
    )*};
}
macro_rules! relations_of {
    ($($t:ty)*) => {$( relations! { $t; Eq ==; Ne !=; Lt <; Le <=; Gt >; Ge >=; } )*};
}
relations_of!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

// Flipping the magnitude of negative floats makes their bits ordered as signed integers.
macro_rules! total_order {
    ($t:ty, $i:ty; $($name:ident $op:tt;)*) => {$(
        impl F2<$t> for $name {
            type O = bool;
            #[inline(always)]
            fn f(x: $t, y: $t) -> bool {
                let key = |v: $t| {
                    let bits = v.to_bits() as $i;
                    bits ^ ((bits >> (<$i>::BITS - 1)) & <$i>::MAX)
                };
                key(x) $op key(y)
            }
        }
    )*};
}
total_order! { f32, i32; TotalEq ==; TotalNe !=; TotalLt <; TotalLe <=; TotalGt >; TotalGe >=; }
total_order! { f64, i64; TotalEq ==; TotalNe !=; TotalLt <; TotalLe <=; TotalGt >; TotalGe >=; }

//! The table of the interpreter's bodies, by instruction and element type.

use jarrah_base::{DType, bf16, f16};
use jarrah_tile::{Binary, Direction, LoopReducer, Unary};

use super::body::{Isa, Kernel, Map1, Map2, Map3, Map21, Select, fast, plain};
use super::element::{Bool, Store, compute_type, unsigned, with_store};
use super::fold::{Accumulate, ArgCombine, ArgFold, Collapse, FoldRows, Reset};
use super::moves::{Convert, Copy, Pick, Ramp, Threefry, To};
use super::scalar_ops as ops;

/// A kernel of generic `$body` over `$T`: the first types compiled for AVX2, too, the rest for the build's target alone.
macro_rules! of_types {
    ($isa:expr, $dtype:expr, $T:ident => $body:ty; $($fast:ident)*; $($plain:ident)*) => {
        with_store!($dtype, $T => fast::<$body>($isa), $($fast)*)
            .or_else(|| with_store!($dtype, $T => plain::<$body>(), $($plain)*))
    };
}
macro_rules! floats {
    ($isa:expr, $dtype:expr, $T:ident => $body:ty) => {
        of_types!($isa, $dtype, $T => $body; F32; F64 BF16 F16)
    };
}
macro_rules! integers {
    ($dtype:expr, $T:ident => $body:ty) => {
        with_store!($dtype, $T => plain::<$body>(), I8 I16 I32 I64 U8 U16 U32 U64)
    };
}
/// The functions of integers that only depend on the bits, by the unsigned types.
macro_rules! words {
    ($isa:expr, $dtype:expr, $T:ident => $body:ty) => {
        of_types!($isa, unsigned($dtype), $T => $body; U32; U8 U16 U64)
    };
}
macro_rules! numbers {
    ($isa:expr, $dtype:expr, $T:ident => $body:ty) => {
        floats!($isa, $dtype, $T => $body).or_else(|| integers!($dtype, $T => $body))
    };
}
/// As `numbers`, for functions that are equal on signed and unsigned integers.
macro_rules! modular {
    ($isa:expr, $dtype:expr, $T:ident => $body:ty) => {
        floats!($isa, $dtype, $T => $body).or_else(|| words!($isa, $dtype, $T => $body))
    };
}
macro_rules! bits {
    ($isa:expr, $dtype:expr, $T:ident => $body:ty) => {
        words!($isa, $dtype, $T => $body).or_else(|| with_store!($dtype, $T => plain::<$body>(), Bool))
    };
}
macro_rules! all {
    ($isa:expr, $dtype:expr, $T:ident => $body:ty) => {
        numbers!($isa, $dtype, $T => $body).or_else(|| with_store!($dtype, $T => plain::<$body>(), Bool))
    };
}
macro_rules! modular_all {
    ($isa:expr, $dtype:expr, $T:ident => $body:ty) => {
        modular!($isa, $dtype, $T => $body).or_else(|| with_store!($dtype, $T => plain::<$body>(), Bool))
    };
}

/// Whether bodies over `dtype` take operands that are one element per row.
pub(super) fn takes_splats(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::I32 | DType::U32)
}

pub(super) fn unary(isa: Isa, f: Unary, dtype: DType) -> Option<Kernel> {
    macro_rules! pick {
        ($group:ident: $name:ident) => { $group!(isa, dtype, T => Map1<ops::$name, T, T>) };
    }
    match f {
        Unary::Abs => pick!(numbers: Abs),
        Unary::Negate => pick!(modular: Negate),
        Unary::Sign => pick!(numbers: Sign),
        Unary::Floor => pick!(floats: Floor),
        Unary::Ceil => pick!(floats: Ceil),
        Unary::RoundNearestEven => pick!(floats: RoundNearestEven),
        Unary::RoundNearestAfz => pick!(floats: RoundNearestAfz),
        Unary::Exponential => pick!(floats: Exponential),
        Unary::ExponentialMinusOne => pick!(floats: ExponentialMinusOne),
        Unary::Log => pick!(floats: Log),
        Unary::LogPlusOne => pick!(floats: LogPlusOne),
        Unary::Logistic => pick!(floats: Logistic),
        Unary::Tanh => pick!(floats: Tanh),
        Unary::Sqrt => pick!(floats: Sqrt),
        Unary::Rsqrt => pick!(floats: Rsqrt),
        Unary::Cbrt => pick!(floats: Cbrt),
        Unary::Sine => pick!(floats: Sine),
        Unary::Cosine => pick!(floats: Cosine),
        Unary::Tan => pick!(floats: Tan),
        Unary::Erf => pick!(floats: Erf),
        Unary::ErfInv => pick!(floats: ErfInv),
        Unary::Not => pick!(bits: Not),
        Unary::Popcnt => pick!(words: Popcnt),
        Unary::CountLeadingZeros => pick!(words: CountLeadingZeros),
        Unary::IsFinite => floats!(isa, dtype, T => Map1<ops::IsFinite, T, Bool>),
    }
}

/// `a`, `b`: whether the operand is one element per row; only where [`takes_splats`], and not both.
pub(super) fn binary(isa: Isa, f: Binary, dtype: DType, a: bool, b: bool) -> Option<Kernel> {
    macro_rules! pick {
        ($group:ident: $name:ident) => { $group!(isa, dtype, T => Map2<ops::$name, T, T, false, false>) };
    }
    macro_rules! splat {
        ($dtype:ident $name:ident: $($fast:ident)*; $($plain:ident)*) => {
            if a { of_types!(isa, $dtype, T => Map2<ops::$name, T, T, true, false>; $($fast)*; $($plain)*) }
            else { of_types!(isa, $dtype, T => Map2<ops::$name, T, T, false, true>; $($fast)*; $($plain)*) }
        };
    }
    if a || b {
        let word = unsigned(dtype);
        return match f {
            Binary::Add => splat!(word Add: F32 U32;),
            Binary::Subtract => splat!(word Subtract: F32 U32;),
            Binary::Multiply => splat!(word Multiply: F32 U32;),
            Binary::Divide => splat!(dtype Divide: F32; I32 U32),
            Binary::Remainder => splat!(dtype Remainder: F32; I32 U32),
            Binary::Power => splat!(dtype Power: F32; I32 U32),
            Binary::Maximum => splat!(dtype Maximum: F32; I32 U32),
            Binary::Minimum => splat!(dtype Minimum: F32; I32 U32),
            Binary::And => splat!(word And: U32;),
            Binary::Or => splat!(word Or: U32;),
            Binary::Xor => splat!(word Xor: U32;),
            Binary::ShiftLeft => splat!(word ShiftLeft: U32;),
            Binary::ShiftRightArithmetic => splat!(word ShiftRightArithmetic: U32;),
            Binary::ShiftRightLogical => splat!(word ShiftRightLogical: U32;),
            Binary::Atan2 => splat!(dtype Atan2: F32;),
        };
    }
    match f {
        Binary::Add => pick!(modular_all: Add),
        Binary::Subtract => pick!(modular: Subtract),
        Binary::Multiply => pick!(modular_all: Multiply),
        Binary::Divide => pick!(numbers: Divide),
        Binary::Remainder => pick!(numbers: Remainder),
        Binary::Power => pick!(numbers: Power),
        Binary::Maximum => pick!(all: Maximum),
        Binary::Minimum => pick!(all: Minimum),
        Binary::And => pick!(bits: And),
        Binary::Or => pick!(bits: Or),
        Binary::Xor => pick!(bits: Xor),
        Binary::ShiftLeft => pick!(words: ShiftLeft),
        Binary::ShiftRightArithmetic => pick!(words: ShiftRightArithmetic),
        Binary::ShiftRightLogical => pick!(words: ShiftRightLogical),
        Binary::Atan2 => pick!(floats: Atan2),
    }
}

/// The body of a comparison; `a` and `b` as for [`binary`].
pub(super) fn compare(isa: Isa, d: Direction, total: bool, dtype: DType, a: bool, b: bool) -> Option<Kernel> {
    macro_rules! pick {
        ($group:ident $name:ident $total:ident) => {
            match (total, a, b) {
                (true, ..) => {
                    with_store!(dtype, T => plain::<Map2<ops::$total, T, Bool, false, false>>(), F32 F64 BF16 F16)
                }
                (_, false, false) => $group!(isa, dtype, T => Map2<ops::$name, T, Bool, false, false>),
                (_, true, _) => of_types!(isa, dtype, T => Map2<ops::$name, T, Bool, true, false>; F32; I32 U32),
                (_, _, true) => of_types!(isa, dtype, T => Map2<ops::$name, T, Bool, false, true>; F32; I32 U32),
            }
        };
    }
    match d {
        Direction::Eq => pick!(modular_all Eq TotalEq),
        Direction::Ne => pick!(modular_all Ne TotalNe),
        Direction::Lt => pick!(all Lt TotalLt),
        Direction::Le => pick!(all Le TotalLe),
        Direction::Gt => pick!(all Gt TotalGt),
        Direction::Ge => pick!(all Ge TotalGe),
    }
}

/// `a`, `b`: whether the value is one element per row, for 4-byte elements.
pub(super) fn select(isa: Isa, dtype: DType, a: bool, b: bool) -> Kernel {
    match (dtype.size(), a, b) {
        (1, ..) => fast::<Select<u8, false, false>>(isa),
        (2, ..) => fast::<Select<u16, false, false>>(isa),
        (4, false, false) => fast::<Select<u32, false, false>>(isa),
        (4, true, false) => fast::<Select<u32, true, false>>(isa),
        (4, false, true) => fast::<Select<u32, false, true>>(isa),
        (4, true, true) => fast::<Select<u32, true, true>>(isa),
        _ => fast::<Select<u64, false, false>>(isa),
    }
}

pub(super) fn copy(isa: Isa, size: usize) -> Kernel {
    match size {
        1 => fast::<Copy<u8>>(isa),
        2 => fast::<Copy<u16>>(isa),
        4 => fast::<Copy<u32>>(isa),
        _ => fast::<Copy<u64>>(isa),
    }
}

pub(super) fn pick(size: usize) -> Kernel {
    match size {
        1 => plain::<Pick<u8>>(),
        2 => plain::<Pick<u16>>(),
        4 => plain::<Pick<u32>>(),
        _ => plain::<Pick<u64>>(),
    }
}

pub(super) fn ramp(isa: Isa, dtype: DType) -> Option<Kernel> {
    numbers!(isa, dtype, T => Ramp<T>)
}

pub(super) fn threefry(isa: Isa, key: bool, high: bool) -> Kernel {
    match (key, high) {
        (false, false) => fast::<Threefry<false, false>>(isa),
        (true, false) => fast::<Threefry<true, false>>(isa),
        (false, true) => fast::<Threefry<false, true>>(isa),
        (true, true) => fast::<Threefry<true, true>>(isa),
    }
}

pub(super) fn convert(isa: Isa, from: DType, to: DType) -> Option<Kernel> {
    match (from.is_integer(), to.is_integer()) {
        (true, true) => {
            // The sign of a source matters only to a wider result, that of a result never.
            let from = if to.size() > from.size() { from } else { unsigned(from) };
            with_store!(from, S => to_word::<S>(unsigned(to)), I8 I16 I32 U8 U16 U32 U64).flatten()
        }
        (true, false) => with_store!(from, S => to_float::<S>(to), I8 I16 I32 I64 U8 U16 U32 U64).flatten(),
        (false, true) => with_store!(from, S => to_integer::<S>(to), Bool BF16 F16 F32 F64).flatten(),
        (false, false) => match (from, to) {
            (DType::BF16, DType::F32) => Some(fast::<Convert<bf16, f32>>(isa)),
            (DType::F32, DType::BF16) => Some(fast::<Convert<f32, bf16>>(isa)),
            _ => with_store!(from, S => to_float::<S>(to), Bool BF16 F16 F32 F64).flatten(),
        },
    }
}

fn to_word<S: Store<C: To<u8> + To<u16> + To<u32> + To<u64>>>(to: DType) -> Option<Kernel> {
    with_store!(to, R => plain::<Convert<S, R>>(), U8 U16 U32 U64)
}

fn to_integer<S>(to: DType) -> Option<Kernel>
where
    S: Store<C: To<i8> + To<i16> + To<i32> + To<i64> + To<u8> + To<u16> + To<u32> + To<u64>>,
{
    with_store!(to, R => plain::<Convert<S, R>>(), I8 I16 I32 I64 U8 U16 U32 U64)
}

fn to_float<S: Store<C: To<Bool> + To<bf16> + To<f16> + To<f32> + To<f64>>>(to: DType) -> Option<Kernel> {
    with_store!(to, R => plain::<Convert<S, R>>(), Bool BF16 F16 F32 F64)
}

/// The bodies of one reducer and element type.
pub(super) struct Folds {
    /// Folds rows to elements.
    pub rows: Kernel,
    /// Folds rows to accumulators.
    pub partial: Kernel,
    /// Folds rows of accumulators to elements.
    pub combine: Kernel,
    /// Folds rows into lanes.
    pub accumulate: Kernel,
    /// Folds rows of accumulators into lanes of the next level.
    pub accumulate_level: Kernel,
    /// Combines lanes to accumulators.
    pub collapse_level: Kernel,
    /// Combines lanes to elements.
    pub collapse: Kernel,
    /// Resets lanes to the identity.
    pub reset: Kernel,
}

macro_rules! folds {
    ($isa:expr, $f:ident, $dtype:expr; $($fast:ident)*; $($plain:ident)*) => {
        with_store!($dtype, T => folds!($isa, ops::$f, T, fast($isa)), $($fast)*)
            .or_else(|| with_store!($dtype, T => folds!($isa, ops::$f, T, plain()), $($plain)*))
    };
    ($isa:expr, $f:ty, $T:ident, $way:ident($($way_isa:expr)?)) => {
        Folds {
            rows: $way::<FoldRows<$f, $T, $T, true>>($($way_isa)?),
            partial: $way::<FoldRows<$f, $T, <$T as Store>::C, false>>($($way_isa)?),
            accumulate: $way::<Accumulate<$f, $T>>($($way_isa)?),
            // These follow machine code, too.
            combine: fast::<FoldRows<$f, <$T as Store>::C, $T, false>>($isa),
            accumulate_level: fast::<Accumulate<$f, <$T as Store>::C>>($isa),
            collapse_level: fast::<Collapse<$f, <$T as Store>::C, <$T as Store>::C>>($isa),
            collapse: fast::<Collapse<$f, <$T as Store>::C, $T>>($isa),
            reset: fast::<Reset<$f, <$T as Store>::C>>($isa),
        }
    };
}

pub(super) fn folds(isa: Isa, f: LoopReducer, dtype: DType) -> Option<Folds> {
    if dtype == DType::Bool {
        return Some(bool_folds(isa, f));
    }
    let word = unsigned(dtype);
    match f {
        LoopReducer::Add => folds!(isa, Add, word; F32 U32; F64 BF16 F16 U8 U16 U64),
        LoopReducer::Multiply => folds!(isa, Multiply, word; F32 U32; F64 BF16 F16 U8 U16 U64),
        LoopReducer::Maximum => folds!(isa, Maximum, dtype; F32 I32 U32; F64 BF16 F16 I8 I16 I64 U8 U16 U64),
        LoopReducer::Minimum => folds!(isa, Minimum, dtype; F32 I32 U32; F64 BF16 F16 I8 I16 I64 U8 U16 U64),
        LoopReducer::And => folds!(isa, And, word; U32; U8 U16 U64),
        LoopReducer::Or => folds!(isa, Or, word; U32; U8 U16 U64),
        LoopReducer::Xor => folds!(isa, Xor, word; U32; U8 U16 U64),
    }
}

/// Bytes 0 and 1 fold as integers; a sum of truth values is `or`, a product `and`.
fn bool_folds(isa: Isa, f: LoopReducer) -> Folds {
    match f {
        LoopReducer::Add | LoopReducer::Or | LoopReducer::Maximum => folds!(isa, ops::Or, u8, plain()),
        LoopReducer::Multiply | LoopReducer::And | LoopReducer::Minimum => folds!(isa, ops::All, u8, plain()),
        LoopReducer::Xor => folds!(isa, ops::Xor, u8, plain()),
    }
}

/// The index reduction of rows, and of its chunks.
pub(super) fn arg_folds(isa: Isa, max: bool, dtype: DType) -> Option<(Kernel, Kernel)> {
    macro_rules! pick {
        ($f:ident) => {
            of_types!(isa, dtype, T => ArgFold<ops::$f, T>; F32 BF16; F64 F16 I8 I16 I32 I64 U8 U16 U32 U64).zip(
                with_store!(compute_type(dtype), T => fast::<ArgCombine<ops::$f, T>>(isa),
                    F32 F64 I8 I16 I32 I64 U8 U16 U32 U64),
            )
        };
    }
    if max { pick!(Maximum) } else { pick!(Minimum) }
}

/// `G(F(x, y), z)`, or with `swap` `G(z, F(x, y))`, over `f32`, each operand a splat or not; not all of them.
pub(super) fn pair(f: Binary, g: Binary, swap: bool, splat: [bool; 3]) -> Option<Kernel> {
    macro_rules! splats {
        ($f:ident $g:ident $swap:literal) => {
            match splat {
                [false, false, false] => plain::<Map3<ops::$f, ops::$g, $swap, false, false, false>>(),
                [true, false, false] => plain::<Map3<ops::$f, ops::$g, $swap, true, false, false>>(),
                [false, true, false] => plain::<Map3<ops::$f, ops::$g, $swap, false, true, false>>(),
                [true, true, false] => return None,
                [false, false, true] => plain::<Map3<ops::$f, ops::$g, $swap, false, false, true>>(),
                [true, false, true] => plain::<Map3<ops::$f, ops::$g, $swap, true, false, true>>(),
                [false, true, true] => plain::<Map3<ops::$f, ops::$g, $swap, false, true, true>>(),
                [true, true, true] => return None,
            }
        };
    }
    // Sums and products commute, so only a difference needs the swapped form.
    Some(match (f, g, swap) {
        (Binary::Add, Binary::Add, _) => splats!(Add Add false),
        (Binary::Add, Binary::Multiply, _) => splats!(Add Multiply false),
        (Binary::Add, Binary::Subtract, false) => splats!(Add Subtract false),
        (Binary::Add, Binary::Subtract, true) => splats!(Add Subtract true),
        (Binary::Subtract, Binary::Add, _) => splats!(Subtract Add false),
        (Binary::Subtract, Binary::Multiply, _) => splats!(Subtract Multiply false),
        (Binary::Subtract, Binary::Subtract, false) => splats!(Subtract Subtract false),
        (Binary::Subtract, Binary::Subtract, true) => splats!(Subtract Subtract true),
        (Binary::Multiply, Binary::Add, _) => splats!(Multiply Add false),
        (Binary::Multiply, Binary::Multiply, _) => splats!(Multiply Multiply false),
        (Binary::Multiply, Binary::Subtract, false) => splats!(Multiply Subtract false),
        (Binary::Multiply, Binary::Subtract, true) => splats!(Multiply Subtract true),
        _ => return None,
    })
}

/// `e^(x - y)` over `f32`.
pub(super) fn exp_difference(isa: Isa, a: bool, b: bool) -> Option<Kernel> {
    Some(match (a, b) {
        (false, false) => fast::<Map21<ops::Subtract, ops::Exponential, false, false>>(isa),
        (false, true) => fast::<Map21<ops::Subtract, ops::Exponential, false, true>>(isa),
        (true, false) => fast::<Map21<ops::Subtract, ops::Exponential, true, false>>(isa),
        (true, true) => return None,
    })
}

//! Functions that machine code calls with a vector at a time: those of the interpreter, for functions without a sequence of
//! instructions, or whose sequence does not cover all operands.
//!
//! A call keeps what registers hold, so that a block is written as if it were an instruction.

use iced_x86::{Code, MemoryOperand, Register};
use jarrah_base::bf16;
use jarrah_tile::{Binary, Unary};

use super::alloc::{FRAME, Layout, TABLE};
use super::asm::Assembler;
use crate::vector::body::{F1, F2};
use crate::vector::moves::To;
use crate::vector::scalar_ops as ops;

/// The distance in bytes from the first operand of a call to the second, and from the second to the result.
pub(super) const OPERAND: usize = 64;
/// The offsets of the saved registers, behind the operands and the result.
pub(super) const VECTORS: usize = 3 * OPERAND;
pub(super) const MASKS: usize = VECTORS + 32 * 64;
pub(super) const GENERAL: usize = MASKS + 64;
/// The bytes of the frame that calls need.
pub(super) const BYTES: usize = GENERAL + 64;
/// The general registers that a called function may overwrite and the caller needs; `r10` and `r11` hold nothing across a call.
const KEPT: [Register; 5] = [Register::RAX, Register::RCX, Register::RSI, Register::R8, Register::R9];

/// A function whose operands and result are vectors in memory, and its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Function {
    pub name: &'static str,
    pub address: usize,
}

type Pointer = unsafe extern "sysv64" fn(*mut u8);

/// `F` of `N` elements.
#[target_feature(enable = "avx2,fma,lzcnt,popcnt")]
unsafe extern "sysv64" fn unary<F: F1<C>, C: Copy, const N: usize>(operands: *mut u8) {
    // SAFETY: the operands and the result have a vector each, which is aligned to its size.
    let (x, y) =
        unsafe { (&*operands.cast::<[C; N]>(), &mut *operands.add(2 * OPERAND).cast::<[F::O; N]>()) };
    for (y, &x) in y.iter_mut().zip(x) {
        *y = if F::outside(x) { F::exact(x) } else { F::f(x) };
    }
}

/// `F` of `N` pairs.
#[target_feature(enable = "avx2,fma,lzcnt,popcnt")]
unsafe extern "sysv64" fn binary<F: F2<C>, C: Copy, const N: usize>(operands: *mut u8) {
    // SAFETY: as for `unary`.
    let (x, y, z) = unsafe {
        (
            &*operands.cast::<[C; N]>(),
            &*operands.add(OPERAND).cast::<[C; N]>(),
            &mut *operands.add(2 * OPERAND).cast::<[F::O; N]>(),
        )
    };
    for (z, (&x, &y)) in z.iter_mut().zip(x.iter().zip(y)) {
        *z = if F::outside(x, y) { F::exact(x, y) } else { F::f(x, y) };
    }
}

/// `N` elements as another type of the same size.
#[target_feature(enable = "avx2,fma,lzcnt,popcnt")]
unsafe extern "sysv64" fn convert<S: To<R>, R, const N: usize>(operands: *mut u8) {
    // SAFETY: as for `unary`.
    let (x, y) = unsafe { (&*operands.cast::<[S; N]>(), &mut *operands.add(2 * OPERAND).cast::<[R; N]>()) };
    for (y, x) in y.iter_mut().zip(x) {
        *y = x.to();
    }
}

/// `N` elements rounded to `f32`, as `f64`s of that value.
#[target_feature(enable = "avx2,fma,lzcnt,popcnt")]
unsafe extern "sysv64" fn rounded<S: To<f32>, const N: usize>(operands: *mut u8) {
    // SAFETY: as for `unary`.
    let (x, y) = unsafe { (&*operands.cast::<[S; N]>(), &mut *operands.add(2 * OPERAND).cast::<[f64; N]>()) };
    for (y, x) in y.iter_mut().zip(x) {
        *y = f64::from(x.to());
    }
}

/// Sixteen words of the `bf16` that two registers of floats are rounded to.
unsafe extern "sysv64" fn words(operands: *mut u8) {
    // SAFETY: as for `unary`.
    let (low, high, words) = unsafe {
        (
            &*operands.cast::<[f32; 16]>(),
            &*operands.add(OPERAND).cast::<[f32; 16]>(),
            &mut *operands.add(2 * OPERAND).cast::<[u32; 16]>(),
        )
    };
    for (word, (&low, &high)) in words.iter_mut().zip(low.iter().zip(high)) {
        let [low, high] = [low, high].map(|x| u32::from(bf16::from_f32(x).to_bits()));
        *word = high << 16 | low;
    }
}

/// The function that [`words`](super::graph::Graph::words) calls if a number is subnormal.
pub(super) fn of_words() -> Function {
    Function { name: "words", address: words as Pointer as usize }
}

/// The [`Function`] for elements of this size, on vectors of both widths.
macro_rules! function {
    ($wide:expr, $name:expr, $f:ident<$($t:ty),*>, $size:literal) => {
        Some(Function {
            name: $name,
            address: if $wide {
                $f::<$($t,)* { 64 / $size }> as Pointer as usize
            } else {
                $f::<$($t,)* { 32 / $size }> as Pointer as usize
            },
        })
    };
}

/// A function of floats that machine code calls; `None` for those that it computes itself, and for those of other types.
pub(super) fn of_float(f: Unary, double: bool, wide: bool) -> Option<Function> {
    macro_rules! of {
        ($name:ident f32) => { function!(wide, concat!(stringify!($name), " f32"), unary<ops::$name, f32>, 4) };
        ($name:ident f64) => { function!(wide, concat!(stringify!($name), " f64"), unary<ops::$name, f64>, 8) };
    }
    match (f, double) {
        (Unary::Cbrt, false) => of!(Cbrt f32),
        (Unary::Sine, false) => of!(Sine f32),
        (Unary::Cosine, false) => of!(Cosine f32),
        (Unary::Tan, false) => of!(Tan f32),
        (Unary::ExponentialMinusOne, true) => of!(ExponentialMinusOne f64),
        (Unary::LogPlusOne, true) => of!(LogPlusOne f64),
        (Unary::Tanh, true) => of!(Tanh f64),
        (Unary::Cbrt, true) => of!(Cbrt f64),
        (Unary::Sine, true) => of!(Sine f64),
        (Unary::Cosine, true) => of!(Cosine f64),
        (Unary::Tan, true) => of!(Tan f64),
        (Unary::Erf, true) => of!(Erf f64),
        (Unary::ErfInv, true) => of!(ErfInv f64),
        (
            Unary::ExponentialMinusOne | Unary::LogPlusOne | Unary::Tanh | Unary::Erf | Unary::ErfInv,
            false,
        )
        | (
            Unary::Abs
            | Unary::Negate
            | Unary::Sign
            | Unary::Floor
            | Unary::Ceil
            | Unary::RoundNearestEven
            | Unary::RoundNearestAfz
            | Unary::Exponential
            | Unary::Log
            | Unary::Logistic
            | Unary::Sqrt
            | Unary::Rsqrt
            | Unary::Not
            | Unary::IsFinite
            | Unary::Popcnt
            | Unary::CountLeadingZeros,
            _,
        ) => None,
    }
}

/// A function of two floats.
pub(super) fn of_floats(f: Binary, double: bool, wide: bool) -> Option<Function> {
    macro_rules! of {
        ($name:ident f32) => { function!(wide, concat!(stringify!($name), " f32"), binary<ops::$name, f32>, 4) };
        ($name:ident f64) => { function!(wide, concat!(stringify!($name), " f64"), binary<ops::$name, f64>, 8) };
    }
    match (f, double) {
        (Binary::Power, false) => of!(Power f32),
        (Binary::Remainder, false) => of!(Remainder f32),
        (Binary::Atan2, false) => of!(Atan2 f32),
        (Binary::Power, true) => of!(Power f64),
        (Binary::Remainder, true) => of!(Remainder f64),
        (Binary::Atan2, true) => of!(Atan2 f64),
        _ => None,
    }
}

/// A function of integers in lanes of 32 or 64 bits; those of bits alone are the unsigned types'.
pub(super) fn of_integer(f: Unary, long: bool, wide: bool) -> Option<Function> {
    match (f, long) {
        (Unary::Popcnt, false) => function!(wide, "Popcnt u32", unary<ops::Popcnt, u32>, 4),
        (Unary::Popcnt, true) => function!(wide, "Popcnt u64", unary<ops::Popcnt, u64>, 8),
        (Unary::CountLeadingZeros, false) => {
            function!(wide, "CountLeadingZeros u32", unary<ops::CountLeadingZeros, u32>, 4)
        }
        (Unary::CountLeadingZeros, true) => {
            function!(wide, "CountLeadingZeros u64", unary<ops::CountLeadingZeros, u64>, 8)
        }
        _ => None,
    }
}

/// A function of two integers in lanes of 32 or 64 bits.
pub(super) fn of_integers(f: Binary, long: bool, signed: bool, wide: bool) -> Option<Function> {
    macro_rules! of {
        ($name:ident) => {
            match (long, signed) {
                (false, true) => {
                    function!(wide, concat!(stringify!($name), " i32"), binary<ops::$name, i32>, 4)
                }
                (false, false) => {
                    function!(wide, concat!(stringify!($name), " u32"), binary<ops::$name, u32>, 4)
                }
                (true, true) => {
                    function!(wide, concat!(stringify!($name), " i64"), binary<ops::$name, i64>, 8)
                }
                (true, false) => {
                    function!(wide, concat!(stringify!($name), " u64"), binary<ops::$name, u64>, 8)
                }
            }
        };
    }
    match f {
        Binary::Power => of!(Power),
        Binary::Divide => of!(Divide),
        Binary::Remainder => of!(Remainder),
        _ => None,
    }
}

/// `f64`s as integers of 64 bits.
pub(super) fn to_long(signed: bool, wide: bool) -> Option<Function> {
    if signed {
        function!(wide, "f64 to i64", convert<f64, i64>, 8)
    } else {
        function!(wide, "f64 to u64", convert<f64, u64>, 8)
    }
}

/// Integers of 64 bits rounded once to `f32`, as `f64`s.
pub(super) fn to_single(signed: bool, wide: bool) -> Option<Function> {
    if signed {
        function!(wide, "i64 to f32", rounded<i64>, 8)
    } else {
        function!(wide, "u64 to f32", rounded<u64>, 8)
    }
}

/// Writes the code behind a function: the parts that are seldom run, and the routine by which calls are made, which saves the
/// general registers.
pub(super) fn finish(asm: &mut Assembler, layout: Layout) {
    let Some(calls) = asm.calls else { return };
    asm.comment("aside");
    asm.append_asides();
    asm.comment("calls");
    asm.bind(calls);
    let general = || KEPT.into_iter().enumerate().map(|(i, r)| (r, layout.kept_general(i)));
    general().for_each(|(r, m)| asm.mr(Code::Mov_rm64_r64, m, r));
    // Six registers, two addresses and these two leave the stack aligned to 16 bytes.
    asm.r(Code::Push_r64, FRAME);
    asm.r(Code::Push_r64, TABLE);
    let operands = MemoryOperand::with_base_displ(FRAME, layout.calls() as i64);
    asm.rm(Code::Lea_r64_m, Register::RDI, operands);
    asm.op0(Code::VEX_Vzeroupper);
    asm.r(Code::Call_rm64, Register::R11);
    asm.r(Code::Pop_r64, TABLE);
    asm.r(Code::Pop_r64, FRAME);
    general().for_each(|(r, m)| asm.rm(Code::Mov_r64_rm64, r, m));
    asm.op0(Code::Retnq);
}

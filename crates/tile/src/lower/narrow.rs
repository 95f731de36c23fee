//! Elements narrower than those that loops compute with: loops hold their codes, a byte each. An op computes with the
//! numbers that codes stand for, and what it gives is rounded to a code.

use jarrah_base::{DType, FloatLayout, Specials};

use super::body::{Bits, Body};
use crate::kernel::{DTYPES, Inst, Reg};
use crate::ops::Binary::{Add, And, Maximum, Minimum, Multiply, Or, ShiftLeft, Subtract, Xor};
use crate::ops::Binary::{ShiftRightArithmetic, ShiftRightLogical};
use crate::ops::Direction;

/// The type that loops hold elements of `dtype` in.
///
/// ```
/// use jarrah_base::DType;
/// assert_eq!(jarrah_tile::stored(DType::F8E5M2), DType::U8);
/// assert_eq!(jarrah_tile::stored(DType::F16), DType::F16);
/// ```
pub fn stored(dtype: DType) -> DType {
    if is_narrow(dtype) { DType::U8 } else { dtype }
}

/// Whether loops hold codes of elements of `dtype`.
pub fn is_narrow(dtype: DType) -> bool {
    !DTYPES.contains(&dtype) && !dtype.is_complex()
}

/// The type in which ops of `dtype` are computed, which holds all of its numbers: so does that of the reference
/// evaluator, and what both give is rounded to the same code. Products of powers of two reach further than singles.
pub fn wide(dtype: DType) -> DType {
    match FloatLayout::of(dtype) {
        Some(layout) if layout.specials == Specials::PowersOfTwo => DType::F64,
        Some(_) => DType::F32,
        None if is_narrow(dtype) => DType::I32,
        None => dtype,
    }
}

impl Body {
    /// The number that `x` stands for, in the type [`wide`].
    pub fn decode(&mut self, dtype: DType, x: Reg) -> Reg {
        if let Some((layout, b)) = FloatLayout::of(dtype).zip(Bits::of(wide(dtype))) {
            let code = self.convert(DType::U8, b.word, x);
            return self.decode_float(layout, b, code);
        }
        match is_narrow(dtype) && dtype.integer_range().is_some_and(|(low, _)| low < 0) {
            true => self.extended(dtype, x),
            false => self.convert(stored(dtype), wide(dtype), x),
        }
    }

    /// The bits of a narrow integer as a number in two's complement.
    pub fn extended(&mut self, dtype: DType, x: Reg) -> Reg {
        let code = self.convert(DType::U8, DType::I32, x);
        let sign = self.of(1i32 << (dtype.bits() - 1));
        let flipped = self.binary(Xor, code, sign);
        self.binary(Subtract, flipped, sign)
    }

    /// The number that a code, which is a word, stands for.
    pub fn decode_float(&mut self, layout: FloatLayout, b: Bits, code: Reg) -> Reg {
        let up = i64::from(b.mantissa - layout.mantissa);
        let nan = b.constant(self, b.infinity() | 1 << (b.mantissa - 1));
        let raised = b.power_of_two(-layout.bias);
        if layout.specials == Specials::PowersOfTwo {
            let exponent = b.with(self, ShiftLeft, code, up);
            let power = b.with(self, Add, exponent, raised);
            let is_nan = b.is(self, Direction::Gt, code, layout.largest.into());
            let bits = self.select(is_nan, nan, power);
            return b.give(self, bits);
        }
        let size = b.with(self, And, code, i64::from(layout.sign) - 1);
        let mantissa = b.with(self, ShiftLeft, size, up);
        let normal = b.with(self, Add, mantissa, raised);
        // Below the normal numbers a code counts steps.
        let step = b.constant(self, b.power_of_two(1 - layout.bias - layout.mantissa as i32));
        let (steps, step) = (self.convert(b.word, b.float, size), b.give(self, step));
        let small = self.binary(Multiply, steps, step);
        let small = b.take(self, small);
        let is_small = b.is(self, Direction::Lt, size, 1 << layout.mantissa);
        let mut bits = self.select(is_small, small, normal);
        if matches!(layout.specials, Specials::Ieee) {
            let infinity = b.constant(self, b.infinity());
            let is_infinite = b.is(self, Direction::Gt, size, layout.largest.into());
            bits = self.select(is_infinite, infinity, bits);
        }
        let last_number = match layout.specials {
            Specials::Ieee => Some(layout.largest + 1),
            Specials::AllOnesNan => Some(layout.largest),
            _ => None,
        };
        if let Some(last) = last_number {
            let is_nan = b.is(self, Direction::Gt, size, last.into());
            bits = self.select(is_nan, nan, bits);
        }
        let place = i64::from(b.exponent - layout.exponent) + up;
        let sign = b.with(self, ShiftLeft, code, place);
        let sign = b.with(self, And, sign, b.sign());
        bits = self.binary(Or, bits, sign);
        if layout.specials == Specials::NegativeZeroNan {
            let is_nan = b.is(self, Direction::Eq, code, layout.sign.into());
            bits = self.select(is_nan, nan, bits);
        }
        b.give(self, bits)
    }

    /// `x`, a register of the loop type `from`, converted to an element of type `to`, which may be narrow.
    pub fn encode(&mut self, from: DType, to: DType, x: Reg) -> Reg {
        if !is_narrow(to) {
            return self.convert(from, to, x);
        }
        // What a single rounds of an integer is far beyond the largest number, but for the powers of two.
        let through = if from == DType::F64 { DType::F64 } else { wide(to) };
        let Some((layout, b)) = FloatLayout::of(to).zip(Bits::of(through)) else {
            let mut number = self.convert(from, DType::I32, x);
            if from.is_float() {
                let (low, high) = to.integer_range().unwrap_or_default();
                let (low, high) = (self.of(low as i32), self.of(high as i32));
                number = self.push(Inst::Clamp { low, x: number, high });
            }
            let ones = self.of((1i32 << to.bits()) - 1);
            let code = self.binary(And, number, ones);
            return self.convert(DType::I32, DType::U8, code);
        };
        let x = match from {
            DType::I64 | DType::U64 if through == DType::F64 => self.odd(from, x),
            _ => x,
        };
        let x = self.convert(from, through, x);
        let code = self.encode_float(layout, b, x);
        self.convert(b.word, DType::U8, code)
    }

    /// An integer of 64 bits; one that a double would round is rounded to odd at fewer bits: so it is rounded once.
    fn odd(&mut self, dtype: DType, x: Reg) -> Reg {
        const REST: u32 = 11;
        let bits = self.bitcast(dtype, DType::I64, x);
        let right = if dtype == DType::I64 { ShiftRightArithmetic } else { ShiftRightLogical };
        let (by, low) = (self.of(i64::from(REST)), self.of((1i64 << REST) - 1));
        let rest = self.binary(And, bits, low);
        // One where there is a rest, which carries into the lowest bit that is kept.
        let carried = self.binary(Add, rest, low);
        let sticky = self.binary(ShiftRightLogical, carried, by);
        let kept = self.binary(right, bits, by);
        let odd = self.binary(Or, kept, sticky);
        let odd = self.binary(ShiftLeft, odd, by);
        let far = self.of(1i64 << 53);
        let near = match dtype {
            DType::I64 => {
                let minus = self.of(-(1i64 << 53));
                let within = self.push(Inst::Clamp { low: minus, x: bits, high: far });
                self.compare(Direction::Eq, within, bits)
            }
            _ => {
                let above = self.of(53i64);
                let above = self.binary(ShiftRightLogical, bits, above);
                let none = self.of(0i64);
                self.compare(Direction::Eq, above, none)
            }
        };
        let chosen = self.select(near, bits, odd);
        self.bitcast(DType::I64, dtype, chosen)
    }

    /// The code, as a word, of the number nearest to `x`.
    pub fn encode_float(&mut self, layout: FloatLayout, b: Bits, x: Reg) -> Reg {
        let down = b.mantissa - layout.mantissa;
        let bits = b.take(self, x);
        let size = b.with(self, And, bits, !b.sign());
        let raised = b.power_of_two(-layout.bias);
        let lowered = raised >> down;
        let over = i64::from(layout.largest) + 1;
        if layout.specials == Specials::PowersOfTwo {
            // Ties go up, and what is below the smallest is the smallest.
            let size = b.with(self, Maximum, size, raised);
            let rounded = b.with(self, Add, size, 1 << (down - 1));
            let exponent = b.with(self, ShiftRightLogical, rounded, down.into());
            let code = b.with(self, Subtract, exponent, lowered);
            let code = b.with(self, Minimum, code, over);
            let nan = b.constant(self, over);
            let is_none = b.is(self, Direction::Le, bits, 0);
            return self.select(is_none, nan, code);
        }
        // Normal numbers: the rest of the mantissa is rounded off, and may carry into the exponent.
        let shifted = b.with(self, ShiftRightLogical, size, down.into());
        let last = b.with(self, And, shifted, 1);
        let rounded = b.with(self, Add, size, (1 << (down - 1)) - 1);
        let rounded = self.binary(Add, rounded, last);
        let normal = b.with(self, ShiftRightLogical, rounded, down.into());
        let normal = b.with(self, Subtract, normal, lowered);
        // Smaller ones: the sum with a number whose last bit is one step has as many steps.
        let steps = b.power_of_two(b.mantissa as i32 + 1 - layout.bias - layout.mantissa as i32);
        let steps = b.constant(self, steps);
        let (summand, positive) = (b.give(self, steps), b.give(self, size));
        let sum = self.binary(Add, positive, summand);
        let sum = b.take(self, sum);
        let small = self.binary(Subtract, sum, steps);
        let is_small = b.is(self, Direction::Lt, size, b.power_of_two(1 - layout.bias));
        let code = self.select(is_small, small, normal);
        let most = if layout.specials == Specials::Finite { over - 1 } else { over };
        let mut code = b.with(self, Minimum, code, most);
        if layout.specials == Specials::Ieee {
            code = self.unless_nan(b, size, over | 1 << (layout.mantissa - 1), code);
        }
        let place = b.exponent + b.mantissa - layout.exponent - layout.mantissa;
        let sign = b.with(self, ShiftRightLogical, bits, place.into());
        let sign = b.with(self, And, sign, layout.sign.into());
        let signed = self.binary(Or, code, sign);
        match layout.specials {
            Specials::NegativeZeroNan => {
                let is_zero = b.is(self, Direction::Eq, code, 0);
                self.select(is_zero, code, signed)
            }
            Specials::Finite => self.unless_nan(b, size, layout.sign.into(), signed),
            _ => signed,
        }
    }

    /// `nan` where `size` is that of a NaN, else `code`.
    fn unless_nan(&mut self, b: Bits, size: Reg, nan: i64, code: Reg) -> Reg {
        let nan = b.constant(self, nan);
        let is_nan = b.is(self, Direction::Gt, size, b.infinity());
        self.select(is_nan, nan, code)
    }
}

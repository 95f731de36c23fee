//! Functions that are written in other instructions.

use jarrah_base::{DType, FloatLayout, Specials};
use jarrah_hlo::ops::ReducePrecision;

use super::body::{Bits, Body};
use super::narrow::{stored, wide};
use crate::kernel::{Reg, ScalarBits};
use crate::ops::Binary::{Add, And, Multiply, Or, ShiftRightArithmetic, ShiftRightLogical, Subtract};
use crate::ops::{Binary, Direction};

impl Body {
    /// The element of type `dtype` next to `x` in the direction of `y`.
    pub fn next_after(&mut self, dtype: DType, x: Reg, y: Reg) -> Option<Reg> {
        let layout = FloatLayout::of(dtype);
        let numbers = [x, y].map(|x| self.decode(dtype, x));
        let [a, b] = numbers;
        let (bits, sign, nan) = match layout {
            Some(layout) => {
                let bits = Bits::of(DType::F32)?;
                let nan = ScalarBits::from_f64(dtype, f64::NAN).bits as i64;
                (bits, i64::from(layout.sign), nan)
            }
            None => {
                let bits = Bits::of(dtype)?;
                (bits, bits.sign(), bits.infinity() | 1 << (bits.mantissa - 1))
            }
        };
        let take = |body: &mut Body, x: Reg| match layout {
            Some(_) => body.convert(stored(dtype), bits.word, x),
            None => bits.take(body, x),
        };
        let (from, to) = (take(self, x), take(self, y));
        let zero = self.constant(ScalarBits::from_f64(wide(dtype), 0.0));
        let (up, positive) = (self.compare(Direction::Lt, a, b), self.compare(Direction::Gt, a, zero));
        // Floats of one sign are ordered as their bits are.
        let away = self.compare(Direction::Eq, up, positive);
        let (larger, smaller) = (bits.with(self, Add, from, 1), bits.with(self, Subtract, from, 1));
        let mut next = self.select(away, larger, smaller);
        if layout.is_some_and(|layout| layout.specials == Specials::NegativeZeroNan) {
            let is_zero = bits.is(self, Direction::Eq, next, sign);
            let none = bits.constant(self, 0);
            next = self.select(is_zero, none, next);
        }
        let smallest = bits.with(self, And, to, sign);
        let smallest = bits.with(self, Or, smallest, 1);
        let is_zero = self.compare(Direction::Eq, a, zero);
        next = self.select(is_zero, smallest, next);
        let equal = self.compare(Direction::Eq, a, b);
        next = self.select(equal, to, next);
        let nans = numbers.map(|x| self.compare(Direction::Ne, x, x));
        let is_nan = self.binary(Or, nans[0], nans[1]);
        let nan = bits.constant(self, nan);
        next = self.select(is_nan, nan, next);
        Some(match layout {
            Some(_) => self.convert(bits.word, stored(dtype), next),
            None => bits.give(self, next),
        })
    }

    /// `x` rounded to fewer bits: in its own format, narrow floats in that of singles.
    pub fn reduce_precision(&mut self, dtype: DType, op: &ReducePrecision, x: Reg) -> Option<Reg> {
        if let Some(layout) = FloatLayout::of(dtype) {
            let x = self.decode(dtype, x);
            let single = self.convert(wide(dtype), DType::F32, x);
            let all = op.exponent_bits >= layout.exponent;
            // What the type can be reduced to is all of it; in singles its smallest numbers would look too small.
            let op = ReducePrecision { exponent_bits: if all { 8 } else { op.exponent_bits }, ..op.clone() };
            let reduced = self.reduce_precision(DType::F32, &op, single)?;
            return Some(self.encode(DType::F32, dtype, reduced));
        }
        let b = Bits::of(dtype)?;
        if op.exponent_bits >= b.exponent && op.mantissa_bits >= b.mantissa {
            return Some(x);
        }
        let bits = b.take(self, x);
        let size = b.with(self, And, bits, !b.sign());
        let mut reduced = size;
        let infinity = b.constant(self, b.infinity());
        if op.mantissa_bits < b.mantissa {
            let dropped = b.mantissa - op.mantissa_bits;
            let last = b.with(self, ShiftRightLogical, size, dropped.into());
            let last = b.with(self, And, last, 1);
            let half = b.with(self, Add, size, (1 << (dropped - 1)) - 1);
            let rounded = self.binary(Add, half, last);
            reduced = b.with(self, And, rounded, -1 << dropped);
        }
        if op.exponent_bits < b.exponent {
            let most = (1 << (op.exponent_bits - 1)) - 1;
            let over = b.is(self, Direction::Ge, reduced, b.power_of_two(most + 1));
            let under = b.is(self, Direction::Lt, reduced, b.power_of_two(1 - most));
            let none = b.constant(self, 0);
            reduced = self.select(under, none, reduced);
            reduced = self.select(over, infinity, reduced);
        }
        let is_nan = self.compare(Direction::Gt, size, infinity);
        let nan = if op.mantissa_bits == 0 { infinity } else { size };
        reduced = self.select(is_nan, nan, reduced);
        let sign = b.with(self, And, bits, b.sign());
        let reduced = self.binary(Or, reduced, sign);
        Some(b.give(self, reduced))
    }

    /// The high half of the product of integers of type `dtype`.
    pub fn high_product(&mut self, dtype: DType, x: Reg, y: Reg) -> Reg {
        let signed = dtype.integer_range().is_some_and(|(low, _)| low < 0);
        let bits = dtype.bits();
        let right = if signed { ShiftRightArithmetic } else { ShiftRightLogical };
        if bits == 64 {
            return self.high_half(dtype, right, x, y);
        }
        let twice = if bits == 32 { DType::I64 } else { DType::I32 };
        let [x, y] = [x, y].map(|x| {
            let number = self.decode(dtype, x);
            self.convert(wide(dtype), twice, number)
        });
        let product = self.binary(Multiply, x, y);
        let by = if twice == DType::I64 { self.of(i64::from(bits)) } else { self.of(bits as i32) };
        let high = self.binary(right, product, by);
        self.encode(twice, dtype, high)
    }

    /// The high half of the product of 64-bit integers, from the products of their 32-bit halves; the high halves carry the sign.
    fn high_half(&mut self, dtype: DType, right: Binary, x: Reg, y: Reg) -> Reg {
        let [by, ones] = [32, u64::from(u32::MAX)].map(|bits| self.constant(ScalarBits { dtype, bits }));
        let low = [x, y].map(|x| self.binary(And, x, ones));
        let high = [x, y].map(|x| self.binary(right, x, by));
        let product = self.binary(Multiply, low[0], low[1]);
        let carried = self.binary(ShiftRightLogical, product, by);
        let product = self.binary(Multiply, high[0], low[1]);
        let middle = self.binary(Add, product, carried);
        let product = self.binary(Multiply, low[0], high[1]);
        let below = self.binary(And, middle, ones);
        let below = self.binary(Add, product, below);
        let product = self.binary(Multiply, high[0], high[1]);
        let above = self.binary(right, middle, by);
        let sum = self.binary(Add, product, above);
        let above = self.binary(right, below, by);
        self.binary(Add, sum, above)
    }
}

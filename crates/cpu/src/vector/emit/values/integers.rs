//! Integer functions that take several instructions, on 256 bits because a single one is missing.

use jarrah_tile::{Binary, Unary};

use super::super::calls;
use super::super::graph::{Graph, Parts, V};
use super::super::ops::Opcode::*;
use super::Kind;

/// The bits of 2⁵², above which numbers of 64 bits have no fraction: an integer in the low bits of one is added to it.
const INTEGER: u64 = 0x4330_0000_0000_0000;

impl Graph<'_> {
    /// All ones where an integer of 64 bits is negative.
    pub fn negative(&mut self, x: V) -> V {
        if self.wide() {
            return self.imm1(SarQ, x, 63);
        }
        let zero = self.long(0);
        self.op2(GtQ, zero, x)
    }

    pub fn abs_long(&mut self, x: V) -> V {
        if self.wide() {
            return self.op1(AbsQ, x);
        }
        let negative = self.negative(x);
        let flipped = self.op2(Xor, x, negative);
        self.op2(SubQ, flipped, negative)
    }

    pub fn sign_long(&mut self, signed: bool, x: V) -> V {
        let (zero, one) = (self.long(0), self.long(1));
        match (self.wide(), signed) {
            (true, true) => {
                let minus = self.long(u64::MAX);
                let y = self.op2(MinSQ, x, one);
                self.op2(MaxSQ, y, minus)
            }
            (true, false) => self.op2(MinUQ, x, one),
            (false, true) => {
                let above = self.op2(GtQ, x, zero);
                let above = self.op2(And, above, one);
                let below = self.negative(x);
                self.op2(Or, above, below)
            }
            (false, false) => {
                let none = self.op2(EqQ, x, zero);
                self.op2(AndNot, none, one)
            }
        }
    }

    /// A count of bits, within the type's lowest `bits` bits.
    pub fn of_bits(&mut self, f: Unary, kind: Kind, bits: u32, x: &Parts) -> Option<Parts> {
        let x = if bits < 32 {
            let low = self.word(u32::MAX >> (32 - bits));
            self.map1(x, |g, x| g.op2(And, x, low))
        } else {
            x.clone()
        };
        if !self.wide() {
            let function = calls::of_integer(f, kind.is_wide(), false)?;
            return Some(self.map1(&x, |g, x| g.call(function, [x, x])));
        }
        let op = match (f, kind.is_wide()) {
            (Unary::Popcnt, false) => CountD,
            (Unary::Popcnt, true) => CountQ,
            (_, false) => ZerosD,
            (_, true) => ZerosQ,
        };
        Some(self.map1(&x, |g, x| g.op1(op, x)))
    }

    /// Functions of integers of 64 bits for which 256 bits have no instruction.
    pub fn long_lanes(&mut self, f: Binary, kind: Kind, x: V, y: V) -> Option<V> {
        let signed = match kind {
            Kind::Long => true,
            Kind::Ulong => false,
            _ => return None,
        };
        Some(match f {
            Binary::Multiply => {
                // The low halves' product, and what the high halves add to its high half.
                let (above, beyond) = (self.imm1(ShrQ, x, 32), self.imm1(ShrQ, y, 32));
                let (a, b) = (self.op2(MulLow, above, y), self.op2(MulLow, x, beyond));
                let cross = self.op2(AddQ, a, b);
                let cross = self.imm1(ShlQ, cross, 32);
                let low = self.op2(MulLow, x, y);
                self.op2(AddQ, low, cross)
            }
            Binary::Maximum | Binary::Minimum => {
                let (mut a, mut b) = (x, y);
                if !signed {
                    let flip = self.long(1 << 63);
                    (a, b) = (self.op2(Xor, x, flip), self.op2(Xor, y, flip));
                }
                let above = self.op2(GtQ, a, b);
                let [no, yes] = if f == Binary::Maximum { [y, x] } else { [x, y] };
                self.op3(BlendPd, above, no, yes)
            }
            Binary::ShiftRightArithmetic => {
                // Zeros come in where the sign's bits are zeros.
                let sign = self.negative(x);
                let flipped = self.op2(Xor, x, sign);
                let shifted = self.op2(ShrVarQ, flipped, y);
                self.op2(Xor, shifted, sign)
            }
            _ => return None,
        })
    }

    /// The low words of the lanes of 64 bits of two registers, on 256 bits.
    pub fn low_words(&mut self, low: V, high: V) -> V {
        let even = self.imm2(ShufflePs, low, high, 0x88);
        self.imm1(PermuteQ, even, 0xd8)
    }

    /// The unsigned integers in the low half of a register as numbers of 64 bits.
    pub fn uint_to_pd(&mut self, x: V) -> V {
        if self.wide() {
            return self.op1(UintToPd, x);
        }
        let above = self.long(INTEGER);
        let wide = self.op1(WidenUint, x);
        let sum = self.op2(Or, wide, above);
        self.op2(SubPd, sum, above)
    }

    /// Numbers of 64 bits, within the range of the integers, as unsigned integers.
    pub fn pd_to_uint(&mut self, low: V, high: V) -> V {
        if self.wide() {
            let (low, high) = (self.op1(PdToUint, low), self.op1(PdToUint, high));
            return self.imm2(Join, low, high, 1);
        }
        let above = self.long(INTEGER);
        let [low, high] = [low, high].map(|x| {
            let whole = self.imm1(RoundPd, x, 11);
            self.op2(AddPd, whole, above)
        });
        self.low_words(low, high)
    }

    /// Integers of 64 bits as numbers, rounded once.
    pub fn long_to_pd(&mut self, signed: bool, x: V) -> V {
        if self.wide() {
            return self.op1(if signed { LongToPd } else { UlongToPd }, x);
        }
        // The high half, whose sign bit is turned, as a multiple of 2³² above 2⁸⁴; the low half above 2⁵².
        const HIGH: u64 = 0x4530_0000_0000_0000;
        let mut high = self.imm1(ShrQ, x, 32);
        if signed {
            let flip = self.long(1 << 31);
            high = self.op2(Xor, high, flip);
        }
        let (above, beyond, words) = (self.long(INTEGER), self.long(HIGH), self.long(u64::from(u32::MAX)));
        let high = self.op2(Or, high, beyond);
        let turned = if signed { 63.0f64.exp2() } else { 0.0 };
        let less = self.f64(f64::from_bits(HIGH) + f64::from_bits(INTEGER) + turned);
        let high = self.op2(SubPd, high, less);
        let low = self.op2(And, x, words);
        let low = self.op2(Or, low, above);
        self.op2(AddPd, high, low)
    }

    /// Quotients of integers of 32 bits are those of doubles, truncated.
    pub fn divide(&mut self, f: Binary, kind: Kind, x: &Parts, y: &Parts) -> Parts {
        self.map2(x, y, |g, x, y| {
            let (xh, yh) = (g.imm1(High, x, 1), g.imm1(High, y, 1));
            let [a, b, c, d] =
                [x, xh, y, yh].map(|v| if kind == Kind::Int { g.op1(IntToPd, v) } else { g.uint_to_pd(v) });
            let (low, high) = (g.op2(DivPd, a, c), g.op2(DivPd, b, d));
            let q = if kind == Kind::Int {
                let (low, high) = (g.op1(PdToInt, low), g.op1(PdToInt, high));
                g.imm2(Join, low, high, 1)
            } else {
                g.pd_to_uint(low, high)
            };
            if f == Binary::Divide {
                let (zero, ones) = (g.word(0), g.word(u32::MAX));
                let undefined = g.op2(EqD, y, zero);
                return g.op3(Blend, undefined, q, ones);
            }
            let product = g.op2(MulD, q, y);
            let rest = g.op2(SubD, x, product);
            let zero = g.word(0);
            let undefined = g.op2(EqD, y, zero);
            g.op3(Blend, undefined, rest, x)
        })
    }
}

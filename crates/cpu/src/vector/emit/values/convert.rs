//! Conversions between types.

use jarrah_base::DType;
use jarrah_tile::Direction;
use smallvec::smallvec;

use super::super::calls;
use super::super::graph::{Graph, Parts};
use super::super::math::{floats, relation};
use super::super::ops::Opcode::{self, *};
use super::{Kind, kind};

impl Graph<'_> {
    fn widen(&mut self, x: &Parts, op: Opcode) -> Parts {
        let mut out = Parts::new();
        for &x in x {
            let high = self.imm1(High, x, 1);
            out.push(self.op1(op, x));
            out.push(self.op1(op, high));
        }
        out
    }

    fn narrow(&mut self, x: &Parts, op: Opcode) -> Parts {
        x.chunks(2)
            .map(|pair| {
                let (low, high) = (self.op1(op, pair[0]), self.op1(op, pair[1]));
                self.imm2(Join, low, high, 1)
            })
            .collect()
    }

    pub fn convert(&mut self, from: DType, to: DType, x: &Parts) -> Option<Parts> {
        let (source, target) = (kind(from)?, kind(to)?);
        let exact = from.size() <= 2;
        Some(match (source, target) {
            (Kind::Mask, Kind::Mask) => x.clone(),
            (_, Kind::Mask) => {
                let zero = if source.is_wide() { self.long(0) } else { self.word(0) };
                let zeros: Parts = smallvec![zero; x.len()];
                self.compare(Direction::Ne, false, from, x, &zeros)?
            }
            (Kind::Mask, _) => {
                let zero = self.word(0);
                let one = if target.is_float() { self.f32(1.0) } else { self.word(1) };
                let y = self.map1(x, |g, k| g.op3(Blend, k, zero, one));
                match target {
                    Kind::Double => self.widen(&y, PsToPd),
                    Kind::Long | Kind::Ulong => self.widen(&y, WidenUint),
                    _ => y,
                }
            }
            (Kind::Float, Kind::Float) => self.fit(to, x.clone()),
            (Kind::Float, Kind::Double) => self.widen(x, PsToPd),
            (Kind::Double, Kind::Double) => x.clone(),
            // Integers that a float does not hold exactly are rounded to halves once, by way of doubles rounded to odd.
            (_, Kind::Float) if to != DType::F32 && !exact && source != Kind::Float => {
                let wide = self.convert(from, DType::F64, x)?;
                let y = self.narrow_to_odd(&wide);
                self.fit(to, y)
            }
            (Kind::Uint, Kind::Float) if !exact => {
                if self.wide() {
                    self.map1(x, |g, x| g.op1(UintToPs, x))
                } else {
                    let wide = self.convert(from, DType::F64, x)?;
                    self.narrow(&wide, PdToPs)
                }
            }
            (Kind::Int | Kind::Uint, Kind::Float) => {
                let y = self.map1(x, |g, x| g.op1(IntToPs, x));
                // Halves hold all integers of eight bits.
                let held = from.size() == 1 && matches!(to, DType::BF16 | DType::F16);
                if held { y } else { self.fit(to, y) }
            }
            (Kind::Int, Kind::Double) => self.widen(x, IntToPd),
            (Kind::Uint, Kind::Double) if exact => self.widen(x, IntToPd),
            (Kind::Uint, Kind::Double) => {
                let mut out = Parts::new();
                for &x in x {
                    let high = self.imm1(High, x, 1);
                    out.push(self.uint_to_pd(x));
                    out.push(self.uint_to_pd(high));
                }
                out
            }
            (Kind::Int | Kind::Uint, Kind::Int | Kind::Uint) => self.fit(to, x.clone()),
            (Kind::Int, Kind::Long | Kind::Ulong) => self.widen(x, WidenInt),
            (Kind::Uint, Kind::Long | Kind::Ulong) => self.widen(x, WidenUint),
            (Kind::Long | Kind::Ulong, Kind::Long | Kind::Ulong) => x.clone(),
            (Kind::Long | Kind::Ulong, Kind::Int | Kind::Uint) => {
                let y = self.narrow_longs(x);
                self.fit(to, y)
            }
            (Kind::Long | Kind::Ulong, Kind::Double) => {
                self.map1(x, |g, x| g.long_to_pd(source == Kind::Long, x))
            }
            (Kind::Long, Kind::Float) if self.wide() && to == DType::F32 => self.narrow(x, LongToPs),
            (Kind::Ulong, Kind::Float) if self.wide() && to == DType::F32 => self.narrow(x, UlongToPs),
            (Kind::Float, Kind::Int | Kind::Uint) => self.float_to_integer(to, x)?,
            (Kind::Double, Kind::Int | Kind::Uint) => self.double_to_integer(to, x)?,
            (Kind::Float, Kind::Long | Kind::Ulong) => {
                let x = self.widen(x, PsToPd);
                self.double_to_long(target == Kind::Long, &x)?
            }
            (Kind::Double, Kind::Long | Kind::Ulong) => self.double_to_long(target == Kind::Long, x)?,
            (Kind::Double, Kind::Float) => self.narrow(x, PdToPs),
            (Kind::Long | Kind::Ulong, Kind::Float) => {
                let function = calls::to_single(source == Kind::Long, self.wide())?;
                let y = self.map1(x, |g, x| g.call(function, [x, x]));
                self.narrow(&y, PdToPs)
            }
        })
    }

    /// Doubles as floats rounded to odd: rounding those to halves gives the doubles rounded once.
    fn narrow_to_odd(&mut self, x: &Parts) -> Parts {
        let bits = self.map1(x, |g, x| {
            let y = g.op1(PdToPs, x);
            let (bits, back) = (g.op1(WidenUint, y), g.op1(PsToPd, y));
            let sizes = [back, x].map(|v| g.abs(floats(true), v));
            let beyond = g.imm2(CmpPd, sizes[0], sizes[1], relation::GT);
            let one = g.long(1);
            let less = g.op2(SubQ, bits, one);
            let toward_zero = g.op3(BlendPd, beyond, bits, less);
            let odd = g.op2(Or, toward_zero, one);
            let exact = g.imm2(CmpPd, back, x, relation::EQ);
            let nan = g.imm2(CmpPd, x, x, relation::UNORDERED);
            let odd = g.op3(BlendPd, exact, odd, bits);
            g.op3(BlendPd, nan, odd, bits)
        });
        self.narrow_longs(&bits)
    }

    /// The low halves of lanes of 64 bits.
    fn narrow_longs(&mut self, x: &Parts) -> Parts {
        if self.wide() {
            return self.narrow(x, NarrowLong);
        }
        x.chunks(2).map(|pair| self.low_words(pair[0], pair[1])).collect()
    }

    /// Truncates and saturates; NaN becomes 0.
    fn double_to_long(&mut self, signed: bool, x: &Parts) -> Option<Parts> {
        if !self.wide() {
            let function = calls::to_long(signed, false)?;
            return Some(self.map1(x, |g, x| g.call(function, [x, x])));
        }
        // The instruction returns the least integer, or all ones, for numbers out of range.
        Some(self.map1(x, |g, x| {
            let zero = g.long(0);
            let nan = g.imm2(CmpPd, x, x, relation::UNORDERED);
            let y = if signed {
                let (limit, most) = (g.f64(63.0f64.exp2()), g.long(i64::MAX as u64));
                let y = g.op1(PdToLong, x);
                let above = g.imm2(CmpPd, x, limit, relation::GE);
                g.op3(BlendPd, above, y, most)
            } else {
                let x = g.op2(MaxPd, zero, x);
                g.op1(PdToUlong, x)
            };
            g.op3(BlendPd, nan, y, zero)
        }))
    }

    /// Truncates and saturates; NaN becomes 0.
    fn float_to_integer(&mut self, to: DType, x: &Parts) -> Option<Parts> {
        let bits = 8 * to.size() as i32;
        let signed = kind(to)? == Kind::Int;
        if bits == 32 && !signed && !self.wide() {
            let x = self.widen(x, PsToPd);
            return self.double_to_integer(to, &x);
        }
        Some(self.map1(x, |g, x| {
            let zero = g.word(0);
            let nan = g.imm2(CmpPs, x, x, relation::UNORDERED);
            let y = if bits == 32 && signed {
                let (limit, most) = (g.f32(2_147_483_648.0), g.word(i32::MAX as u32));
                let y = g.op1(PsToInt, x);
                let above = g.imm2(CmpPs, x, limit, relation::GE);
                g.op3(Blend, above, y, most)
            } else if bits == 32 {
                let x = g.op2(MaxPs, zero, x);
                g.op1(PsToUint, x)
            } else {
                let (low, high) =
                    if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
                let (low, high) = (g.f32(low as f32), g.f32(high as f32));
                let x = g.op2(MaxPs, low, x);
                let x = g.op2(MinPs, high, x);
                g.op1(PsToInt, x)
            };
            g.op3(Blend, nan, y, zero)
        }))
    }

    fn double_to_integer(&mut self, to: DType, x: &Parts) -> Option<Parts> {
        let bits = 8 * to.size() as i32;
        let signed = kind(to)? == Kind::Int;
        let (low, high) =
            if signed { (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1) } else { (0, (1i64 << bits) - 1) };
        let y = self.map1(x, |g, x| {
            let (low, high, zero) = (g.f64(low as f64), g.f64(high as f64), g.long(0));
            let nan = g.imm2(CmpPd, x, x, relation::UNORDERED);
            let x = g.op3(BlendPd, nan, x, zero);
            let x = g.op2(MaxPd, low, x);
            g.op2(MinPd, high, x)
        });
        if bits == 32 && !signed {
            return Some(y.chunks(2).map(|pair| self.pd_to_uint(pair[0], pair[1])).collect());
        }
        Some(self.narrow(&y, PdToInt))
    }

    pub fn bitcast(&mut self, from: DType, to: DType, x: &Parts) -> Option<Parts> {
        let (source, target) = (kind(from)?, kind(to)?);
        if from == to {
            return Some(x.clone());
        }
        if source == Kind::Mask || target == Kind::Mask || from == DType::F16 || to == DType::F16 {
            return None;
        }
        Some(match (from, to) {
            (DType::BF16, DType::I16) => self.map1(x, |g, x| g.imm1(SarD, x, 16)),
            (DType::BF16, _) => self.map1(x, |g, x| g.imm1(ShrD, x, 16)),
            (_, DType::BF16) => self.map1(x, |g, x| g.imm1(ShlD, x, 16)),
            _ => self.fit(to, x.clone()),
        })
    }
}

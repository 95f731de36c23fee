//! Conversions between types.

use jarrah_base::DType;
use jarrah_tile::Direction;
use smallvec::smallvec;

use super::super::graph::{Graph, Parts};
use super::super::math::relation;
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
            (Kind::Double, Kind::Float) if to == DType::F32 => self.narrow(x, PdToPs),
            (Kind::Int | Kind::Uint, Kind::Float) => {
                // Halves are rounded once: from integers that a float holds.
                if to != DType::F32 && !exact {
                    return None;
                }
                let op = if source == Kind::Uint && !exact { UintToPs } else { IntToPs };
                if op == UintToPs && !self.wide() {
                    return None;
                }
                let y = self.map1(x, |g, x| g.op1(op, x));
                self.fit(to, y)
            }
            (Kind::Int, Kind::Double) => self.widen(x, IntToPd),
            (Kind::Uint, Kind::Double) if exact => self.widen(x, IntToPd),
            (Kind::Uint, Kind::Double) if self.wide() => self.widen(x, UintToPd),
            (Kind::Int | Kind::Uint, Kind::Int | Kind::Uint) => self.fit(to, x.clone()),
            (Kind::Int, Kind::Long | Kind::Ulong) => self.widen(x, WidenInt),
            (Kind::Uint, Kind::Long | Kind::Ulong) => self.widen(x, WidenUint),
            (Kind::Long | Kind::Ulong, Kind::Long | Kind::Ulong) => x.clone(),
            (Kind::Long | Kind::Ulong, Kind::Int | Kind::Uint) if self.wide() => {
                let y = self.narrow(x, NarrowLong);
                self.fit(to, y)
            }
            (Kind::Long, Kind::Double) if self.wide() => self.map1(x, |g, x| g.op1(LongToPd, x)),
            (Kind::Ulong, Kind::Double) if self.wide() => self.map1(x, |g, x| g.op1(UlongToPd, x)),
            (Kind::Long, Kind::Float) if self.wide() && to == DType::F32 => self.narrow(x, LongToPs),
            (Kind::Ulong, Kind::Float) if self.wide() && to == DType::F32 => self.narrow(x, UlongToPs),
            (Kind::Float, Kind::Int | Kind::Uint) => self.float_to_integer(to, x)?,
            (Kind::Double, Kind::Int | Kind::Uint) => self.double_to_integer(to, x)?,
            _ => return None,
        })
    }

    /// Truncates and saturates; NaN becomes 0.
    fn float_to_integer(&mut self, to: DType, x: &Parts) -> Option<Parts> {
        let bits = 8 * to.size() as i32;
        let signed = kind(to)? == Kind::Int;
        if bits == 32 && !signed && !self.wide() {
            return None;
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
        if bits == 32 && !signed && !self.wide() {
            return None;
        }
        let (low, high) =
            if signed { (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1) } else { (0, (1i64 << bits) - 1) };
        let y = self.map1(x, |g, x| {
            let (low, high, zero) = (g.f64(low as f64), g.f64(high as f64), g.long(0));
            let nan = g.imm2(CmpPd, x, x, relation::UNORDERED);
            let x = g.op3(BlendPd, nan, x, zero);
            let x = g.op2(MaxPd, low, x);
            g.op2(MinPd, high, x)
        });
        Some(self.narrow(&y, if bits == 32 && !signed { PdToUint } else { PdToInt }))
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

//! Reductions: identities, steps, and the sixteen lanes at the end.

use jarrah_base::DType;
use jarrah_tile::{Binary, LoopReducer};

use super::super::graph::{Graph, Parts, V};
use super::super::math::floats;
use super::super::ops::Opcode::*;
use super::{Kind, kind};

fn function(f: LoopReducer) -> Binary {
    match f {
        LoopReducer::Add => Binary::Add,
        LoopReducer::Multiply => Binary::Multiply,
        LoopReducer::Maximum => Binary::Maximum,
        LoopReducer::Minimum => Binary::Minimum,
        LoopReducer::And => Binary::And,
        LoopReducer::Or => Binary::Or,
        LoopReducer::Xor => Binary::Xor,
    }
}

impl Graph<'_> {
    /// The identity of a reduction as a constant, and the constant that fills lanes without elements.
    pub fn identity(&mut self, f: LoopReducer, dtype: DType) -> Option<(V, V)> {
        let kind = kind(dtype)?;
        let bits = 8 * dtype.size() as u32;
        let word = |g: &mut Self, x: i64| if kind.is_wide() { g.long(x as u64) } else { g.word(x as u32) };
        let float = |g: &mut Self, x: f64| if kind == Kind::Double { g.f64(x) } else { g.f32(x as f32) };
        let both = |v| Some((v, v));
        match (kind, f) {
            (Kind::Mask, _) => None,
            // A sum begins with +0; -0 changes no sum.
            (_, LoopReducer::Add) if kind.is_float() => Some((float(self, 0.0), float(self, -0.0))),
            (_, LoopReducer::Multiply) if kind.is_float() => both(float(self, 1.0)),
            (_, LoopReducer::Maximum) if kind.is_float() => both(float(self, f64::NEG_INFINITY)),
            (_, LoopReducer::Minimum) if kind.is_float() => both(float(self, f64::INFINITY)),
            (_, _) if kind.is_float() => None,
            (_, LoopReducer::Add | LoopReducer::Or | LoopReducer::Xor) => both(word(self, 0)),
            (_, LoopReducer::Multiply) => both(word(self, 1)),
            (_, LoopReducer::And) => both(word(self, -1)),
            (Kind::Int | Kind::Long, LoopReducer::Maximum) => both(word(self, i64::MIN >> (64 - bits))),
            (Kind::Int | Kind::Long, LoopReducer::Minimum) => both(word(self, i64::MAX >> (64 - bits))),
            (_, LoopReducer::Maximum) => both(word(self, 0)),
            (_, LoopReducer::Minimum) => both(word(self, (u64::MAX >> (64 - bits)) as i64)),
        }
    }

    /// Whether a step of a reduction is one instruction.
    pub fn is_one(&self, f: LoopReducer, kind: Kind) -> bool {
        self.direct(function(f), kind).is_some()
    }

    /// One step of a reduction, in the type of its accumulators.
    pub fn combine(&mut self, f: LoopReducer, dtype: DType, x: V, y: V) -> Option<V> {
        let kind = kind(dtype)?;
        let f = function(f);
        if kind.is_float() && matches!(f, Binary::Maximum | Binary::Minimum) {
            return Some(self.extreme_float(f == Binary::Maximum, floats(kind == Kind::Double), x, y));
        }
        self.lanes(f, kind, x, y)
    }

    /// Combines the sixteen lanes of `x`, each of which holds one of `elements` elements or none, in the order of the elements;
    /// the result is in every lane.
    pub fn in_order(&mut self, f: LoopReducer, dtype: DType, x: &Parts, elements: usize) -> Option<V> {
        let double = kind(dtype)?.is_wide();
        let lanes = 16 / x.len();
        let mut all = None;
        for i in 0..elements.max(1) {
            let (v, lane) = (x[i / lanes], (i % lanes) as u8);
            let per_group = if double { 2 } else { 4 };
            let (group, at) = (lane / per_group, lane % per_group);
            // The group of 128 bits is broadcast to all groups, then the element within it to all lanes.
            let v = self.imm2(Swap128, v, v, if self.wide() { group * 0x55 } else { group * 0x11 });
            let picked = if double { [0x44, 0xee][usize::from(at)] } else { at * 0x55 };
            let v = self.imm1(Permute, v, picked);
            all = Some(match all {
                None => v,
                Some(before) => self.combine(f, dtype, before, v)?,
            });
        }
        all
    }

    /// Combines the sixteen lanes of `x` by halving; the result is in every lane.
    pub fn halve(&mut self, f: LoopReducer, dtype: DType, x: &Parts) -> Option<V> {
        let wide = kind(dtype)?.is_wide();
        let mut x = x.clone();
        while x.len() > 1 {
            let half = x.len() / 2;
            x = (0..half).map(|i| self.combine(f, dtype, x[i], x[i + half])).collect::<Option<Parts>>()?;
        }
        let mut v = x[0];
        if self.wide() {
            let other = self.imm2(Swap256, v, v, 0x4e);
            v = self.combine(f, dtype, v, other)?;
        }
        let other = self.imm2(Swap128, v, v, if self.wide() { 0xb1 } else { 1 });
        v = self.combine(f, dtype, v, other)?;
        let other = self.imm1(Permute, v, 0x4e);
        v = self.combine(f, dtype, v, other)?;
        if !wide {
            let other = self.imm1(Permute, v, 0xb1);
            v = self.combine(f, dtype, v, other)?;
        }
        Some(v)
    }
}

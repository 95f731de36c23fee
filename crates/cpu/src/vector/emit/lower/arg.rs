//! The column of the greatest or least element of a row: each lane keeps the best element that it met and its column; of equal
//! elements it keeps the first.

use jarrah_base::DType;
use jarrah_tile::{Direction, LoopReducer};

use super::super::graph::{Effect, Graph, Home, Node, Parts, V};
use super::super::math::{floats, relation};
use super::super::ops::Opcode::{Blend, BlendPd, MaskAnd, MaskOr, Permute, Swap128, Swap256};
use super::super::values::{Kind, kind};
use super::{Carried, Folded, MOST_COPIES};
use crate::vector::element::compute_type;

/// The best elements so far and their columns, in lanes of equal width.
#[derive(Clone, Copy)]
struct Candidates {
    x: V,
    column: V,
}

impl Graph<'_> {
    fn home(&self, v: V) -> Option<Home> {
        match self.block.nodes[v as usize] {
            Node::Home(home) => Some(home),
            _ => None,
        }
    }

    fn relation(&mut self, direction: Direction, kind: Kind, x: V, y: V) -> V {
        self.compare_lanes(direction, false, kind, &Parts::from_elem(x, 1), &Parts::from_elem(y, 1))[0]
    }

    /// A mask of the lanes in which x is better than `best`: NaN is better than any number.
    fn is_better(&mut self, max: bool, kind: Kind, x: V, best: V) -> V {
        let direction = if max { Direction::Gt } else { Direction::Lt };
        let better = self.relation(direction, kind, x, best);
        if !kind.is_float() {
            return better;
        }
        let compare = floats(kind == Kind::Double).compare;
        let nan = self.imm2(compare, x, x, relation::UNORDERED);
        let number = self.imm2(compare, best, best, relation::ORDERED);
        let first = self.op2(MaskAnd, nan, number);
        self.op2(MaskOr, better, first)
    }

    /// A mask of the lanes in which x and y are equal, or both NaN.
    fn ties(&mut self, kind: Kind, x: V, y: V) -> V {
        let equal = self.relation(Direction::Eq, kind, x, y);
        if !kind.is_float() {
            return equal;
        }
        let compare = floats(kind == Kind::Double).compare;
        let nans = [x, y].map(|v| self.imm2(compare, v, v, relation::UNORDERED));
        let both = self.op2(MaskAnd, nans[0], nans[1]);
        self.op2(MaskOr, equal, both)
    }

    fn choose(&mut self, kind: Kind, mask: V, no: Candidates, yes: Candidates) -> Candidates {
        let blend = if kind.is_wide() { BlendPd } else { Blend };
        let x = self.op3(blend, mask, no.x, yes.x);
        Candidates { x, column: self.op3(blend, mask, no.column, yes.column) }
    }

    /// The better of two candidates in each lane, of equal ones the one with the lesser column.
    fn better(&mut self, max: bool, kind: Kind, a: Candidates, b: Candidates) -> Candidates {
        let better = self.is_better(max, kind, b.x, a.x);
        let ties = self.ties(kind, b.x, a.x);
        let columns = if kind.is_wide() { Kind::Long } else { Kind::Int };
        let before = self.relation(Direction::Lt, columns, b.column, a.column);
        let first = self.op2(MaskAnd, ties, before);
        let mask = self.op2(MaskOr, better, first);
        self.choose(kind, mask, a, b)
    }

    /// Adds a step of the reduction, from accumulator `number` on; `Folded` has the elements, then the columns.
    pub(super) fn arg_step(
        &mut self,
        max: bool,
        dtype: DType,
        x: &Parts,
        number: usize,
    ) -> Option<(Vec<Carried>, Folded)> {
        let (kind, reducer) = (kind(dtype)?, if max { LoopReducer::Maximum } else { LoopReducer::Minimum });
        // The identity is never better, so a row of identities has column 0.
        let (identity, filler) = self.identity(reducer, compute_type(dtype))?;
        let zero = self.word(0);
        let columns = self.columns();
        let columns = if kind.is_wide() { self.convert(DType::I32, DType::I64, &columns)? } else { columns };
        let (mut carried, mut slots) = (Vec::new(), vec![Vec::new(); 2]);
        for (p, (&x, &column)) in x.iter().zip(&columns).enumerate() {
            let x = self.node(Node::Tail { value: x, identity: filler, part: p as u8, wide: kind.is_wide() });
            let first = number + carried.len();
            for (slots, start) in slots.iter_mut().zip([identity, zero]) {
                let own: Vec<u16> = (0..MOST_COPIES).map(|_| self.shared.slot()).collect();
                slots.push(own.clone());
                carried.push(Carried { identity: self.home(start)?, slots: own, split: true });
            }
            let held = [0, 1].map(|i| self.node(Node::Accumulator { number: (first + i) as u8 }));
            let mask = self.is_better(max, kind, x, held[0]);
            let held = Candidates { x: held[0], column: held[1] };
            let new = self.choose(kind, mask, held, Candidates { x, column });
            for (i, value) in [new.x, new.column].into_iter().enumerate() {
                self.effect(Effect::Accumulate { number: (first + i) as u8, value });
            }
        }
        Some((carried, slots))
    }

    /// The column, in every lane of 32 bits, and the element there, in every lane.
    pub(super) fn arg_folded(&mut self, max: bool, dtype: DType, slots: &Folded) -> Option<(V, V)> {
        let kind = kind(dtype)?;
        let mut best: Option<Candidates> = None;
        for (xs, columns) in slots[0].iter().zip(&slots[1]) {
            for (&x, &column) in xs.iter().zip(columns) {
                let next = Candidates { x: self.slot(x), column: self.slot(column) };
                best = Some(match best {
                    None => next,
                    Some(best) => self.better(max, kind, best, next),
                });
            }
        }
        let mut best = best?;
        let mut join = |g: &mut Self, swap: &dyn Fn(&mut Self, V) -> V| {
            let other = Candidates { x: swap(g, best.x), column: swap(g, best.column) };
            best = g.better(max, kind, best, other);
        };
        if self.wide() {
            join(self, &|g, v| g.imm2(Swap256, v, v, 0x4e));
        }
        let pairs = if self.wide() { 0xb1 } else { 1 };
        join(self, &|g, v| g.imm2(Swap128, v, v, pairs));
        join(self, &|g, v| g.imm1(Permute, v, 0x4e));
        if !kind.is_wide() {
            join(self, &|g, v| g.imm1(Permute, v, 0xb1));
            return Some((best.column, best.x));
        }
        // The low words of the lanes of 64 bits.
        Some((self.imm1(Permute, best.column, 0xa0), best.x))
    }
}

//! Values that are multiplied into chains in registers, instead of being stored.

use jarrah_base::DType;
use jarrah_tile::Inst;
use rustc_hash::FxHashMap;

use super::super::graph::{Block, Effect, Graph, Node, Parts, V};
use super::super::ops::Opcode::{DotWords, FmaPs, Or, ShrD};
use super::{Lowering, Source};
use crate::vector::streaming::Chains;

/// Where chains lie, and the slots of what the values are multiplied by.
pub(super) struct Multiplied {
    words: bool,
    chains: Vec<u16>,
    factors: Vec<Vec<u16>>,
}

impl Lowering<'_> {
    /// Puts the factors into slots, once per row.
    pub(super) fn multiplied(&mut self, chains: &Chains, row: &mut Block) -> Multiplied {
        let units = self.task.stores.len() / if chains.words { 2 } else { 1 };
        // Factors are 32 bits each, whatever they mean.
        let access = |l: &mut Self, source| l.pointer(source, DType::F32);
        let rows: Vec<u16> = (0..chains.rows).map(|r| access(self, Source::Chain(r as u16))).collect();
        let count = chains.rows * units;
        let factors: Vec<u16> = (0..count).map(|f| access(self, Source::Factor(f as u16))).collect();
        let mut g = Graph::on(&mut self.shared, std::mem::take(row));
        let slots: Vec<u16> = (factors.into_iter())
            .map(|access| {
                let value = g.node(Node::Broadcast { access });
                let slot = g.shared.slot();
                g.effect(Effect::Save { slot, value });
                slot
            })
            .collect();
        *row = g.block;
        let factors = slots.chunks(units.max(1)).map(<[u16]>::to_vec).collect();
        Multiplied { words: chains.words, chains: rows, factors }
    }

    /// The chains behind the values of the stores `stores`.
    pub(super) fn multiply(
        &self,
        g: &mut Graph<'_>,
        to: &Multiplied,
        stores: &[usize],
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<()> {
        let values: Vec<usize> = stores.iter().map(|&s| self.task.kernel.stores[s].value.index()).collect();
        let units: Option<Vec<Parts>> = match to.words {
            false => values.iter().map(|&i| self.parts_of(g, i, local)).collect(),
            true if !g.wide() => return None,
            true => values.chunks(2).map(|pair| self.words(g, [pair[0], pair[1]], local)).collect(),
        };
        let units = units?;
        for (&access, factors) in to.chains.iter().zip(&to.factors) {
            for part in 0..g.parts(false) {
                let mut chain = g.node(Node::Load { access, part: part as u8 });
                for (unit, &factor) in units.iter().zip(factors) {
                    let factor = g.slot(factor);
                    chain = match to.words {
                        false => g.op3(FmaPs, unit[part], factor, chain),
                        true => g.op3(DotWords, chain, unit[part], factor),
                    };
                }
                g.effect(Effect::Store { access, part: part as u8, value: chain });
            }
        }
        Some(())
    }

    /// The words that two rows of `bf16` make.
    fn words(
        &self,
        g: &mut Graph<'_>,
        rows: [usize; 2],
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<Parts> {
        // What is rounded for the words alone is rounded as they are made.
        let rounded = rows.map(|i| match *self.inst(i) {
            Inst::Convert(_, x) if self.dtype(x.index()) == DType::F32 && !self.tables.contains_key(&i) => {
                Some(x.index())
            }
            _ => None,
        });
        if let [Some(low), Some(high)] = rounded {
            let (low, high) = (self.parts_of(g, low, local)?, self.parts_of(g, high, local)?);
            return Some(low.iter().zip(&high).map(|(&low, &high)| g.words(low, high)).collect());
        }
        let [low, high] = rows.map(|i| self.parts_of(g, i, local));
        // The bits of a `bf16` are the upper ones of its value as a float.
        let join = |(&low, &high): (&V, &V)| {
            let low = g.imm1(ShrD, low, 16);
            g.op2(Or, low, high)
        };
        Some(low?.iter().zip(&high?).map(join).collect())
    }
}

//! Values that are multiplied into chains in registers, instead of being stored.

use jarrah_base::DType;
use rustc_hash::FxHashMap;

use super::super::graph::{Block, Effect, Graph, Node, Parts};
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
        let values = stores.iter().map(|&s| {
            let i = self.task.kernel.stores[s].value.index();
            self.parts_of(g, i, local)
        });
        let values: Vec<Parts> = values.collect::<Option<_>>()?;
        let units: Vec<Parts> = match to.words {
            false => values,
            true if !g.wide() => return None,
            // The bits of a `bf16` are the upper ones of its value as a float.
            true => (values.chunks(2))
                .map(|pair| {
                    let join = |(&low, &high)| {
                        let low = g.imm1(ShrD, low, 16);
                        g.op2(Or, low, high)
                    };
                    pair[0].iter().zip(&pair[1]).map(join).collect()
                })
                .collect(),
        };
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
}

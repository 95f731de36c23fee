//! The use of the units that calls make: they are multiplied into chains in registers, or stored to panels.

use std::ops::Range;

use jarrah_base::DType;
use jarrah_tile::{Inst, ScalarBits};
use rustc_hash::FxHashMap;

use super::super::graph::{Effect, Graph, Node, Parts, V};
use super::super::ops::Opcode::{DotWords, FmaPs, Or, PermuteWords, ShrD};
use super::known::{self, Known};
use super::{Lowering, Source};
use crate::vector::row_blocks::{Calls, Scaling, To};

/// The use of the units that a call makes, and the memory for it.
pub(super) struct Uses {
    words: bool,
    of: Use,
}

enum Use {
    /// They are multiplied into chains.
    Multiplied(Multiplied),
    /// They are stored, each in its row of a panel.
    Stored(Vec<u16>),
}

/// The most rows whose chains registers of 256 bits hold beside what is multiplied.
const NARROW_ROWS: usize = 4;

/// The chains that a call adds products to, the scales of their sums, and the factors of its units.
struct Multiplied {
    words: bool,
    /// Whether the two values of a word are multiplied one after another.
    halves: bool,
    chains: Vec<u16>,
    scales: Option<Scales>,
    /// For each row of chains the accesses to its factors, of 32 bits each, which instructions broadcast to all lanes.
    factors: Vec<Vec<u16>>,
}

/// Where the scales of a call are.
#[derive(Clone, Copy)]
enum Scales {
    /// In memory.
    Access(u16),
    /// The value that the last store would write.
    Made,
}

/// The values of the rows of B that a call makes, which become its units.
#[derive(Clone, Copy)]
struct Values<'a> {
    known: &'a [Known],
    units: &'a [usize],
    /// The value of the scales, if calls make them.
    scales: Option<usize>,
}

impl Lowering<'_> {
    /// The pointers for the use of the units.
    pub(super) fn uses(&mut self, calls: &Calls) -> Uses {
        // Units are 32 bits each, whatever they mean, as are factors.
        let access = |l: &mut Self, source| l.pointer(source, DType::F32);
        let units = calls.units;
        let (rows, scales) = match calls.to {
            To::Chains { rows, scales } => (rows, scales),
            To::Panel(columns) => {
                let rows = (0..units).map(|u| access(self, Source::Panel((u * columns) as u32)));
                return Uses { words: calls.words, of: Use::Stored(rows.collect()) };
            }
        };
        let chains: Vec<u16> = (0..rows).map(|r| access(self, Source::Chain(r as u16))).collect();
        let scales = scales.map(|scales| match scales {
            Scaling::Apart(_) => Scales::Access(access(self, Source::Chain(rows as u16))),
            Scaling::Made => Scales::Made,
        });
        let factors: Vec<u16> =
            (0..calls.factors()).map(|f| access(self, Source::Factor(f as u16))).collect();
        let of_row = (units * calls.factors_of_unit()).max(1);
        let factors = factors.chunks(of_row).map(<[u16]>::to_vec).collect();
        let multiplied = Multiplied { words: calls.words, halves: calls.halves, chains, scales, factors };
        Uses { words: calls.words, of: Use::Multiplied(multiplied) }
    }

    /// Adds the code that makes units from the stored values and uses them.
    pub(super) fn use_units(
        &self,
        g: &mut Graph<'_>,
        uses: &Uses,
        stores: &[usize],
        loads: &FxHashMap<usize, u16>,
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<()> {
        let known = known::of(self.task);
        let mut values: Vec<usize> =
            stores.iter().map(|&s| self.task.kernel.stores[s].value.index()).collect();
        let by = match &uses.of {
            Use::Multiplied(by) => by,
            Use::Stored(rows) => {
                let each = if uses.words { 2 } else { 1 };
                for (values, &access) in values.chunks(each).zip(rows) {
                    for (part, value) in self.unit(g, &known, values, loads, local)?.into_iter().enumerate() {
                        g.effect(Effect::Store { access, part: part as u8, value });
                    }
                }
                return Some(());
            }
        };
        let made_scales = if let Some(Scales::Made) = by.scales { values.pop() } else { None };
        // The values are computed while subnormal numbers are flushed, so they must not depend on the mode.
        if by.halves && !values.iter().all(|&i| known[i].steady) {
            return None;
        }
        let values = Values { known: &known, units: &values, scales: made_scales };
        let rows = by.chains.len();
        let passes = rows.div_ceil(if g.wide() { rows.max(1) } else { NARROW_ROWS }).max(1);
        let each = rows.div_ceil(passes).max(1);
        for first in (0..rows).step_by(each) {
            // If registers do not hold the chains of all rows, the values are made again for further rows: that needs no memory.
            g.forget();
            let mut made = FxHashMap::default();
            self.multiply(g, by, first..(first + each).min(rows), values, loads, &mut made)?;
        }
        g.block.apart = true;
        // Compiled functions may not run while subnormal numbers are zeros.
        let calls = |node: &Node| matches!(node, Node::Call { .. } | Node::Guard { .. });
        if by.halves && g.block.nodes.iter().any(calls) {
            return None;
        }
        Some(())
    }

    /// Multiplies units into the chains of `rows`.
    fn multiply(
        &self,
        g: &mut Graph<'_>,
        by: &Multiplied,
        rows: Range<usize>,
        Values { known, units: values, scales: made_scales }: Values<'_>,
        loads: &FxHashMap<usize, u16>,
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<()> {
        let &Multiplied { words, halves, scales, .. } = by;
        let (to, factors) = (&by.chains[rows.clone()], &by.factors[rows]);
        let parts = g.parts(false);
        let places = || to.iter().flat_map(|&access| (0..parts as u8).map(move |part| (access, part)));
        let load = |g: &mut Graph<'_>, (access, part)| g.node(Node::Load { access, part });
        let mut chains: Vec<V> = match scales {
            Some(_) => vec![g.word(0); parts * to.len()],
            None => places().map(|place| load(g, place)).collect(),
        };
        for (number, values) in values.chunks(if words { 2 } else { 1 }).enumerate() {
            // The second value of a word is multiplied first.
            let units = match values {
                &[low, high] if halves => {
                    let low = self.float(g, known, low, loads, local)?;
                    let high = self.float(g, known, high, loads, local)?;
                    [Some((high, 2 * number + 1)), Some((low, 2 * number))]
                }
                values => [Some((self.unit(g, known, values, loads, local)?, number)), None],
            };
            for (chains, factors) in chains.chunks_mut(parts).zip(factors) {
                for (unit, factor) in units.iter().flatten() {
                    let factor = g.node(Node::Element { access: factors[*factor] });
                    for (chain, &unit) in chains.iter_mut().zip(unit) {
                        *chain = match words && !halves {
                            false => g.op3(FmaPs, unit, factor, *chain),
                            true => g.op3(DotWords, *chain, unit, factor),
                        };
                    }
                }
            }
        }
        // Products with scales are computed in full `f32`, without flushing.
        if halves && scales.is_some() {
            let value = chains.iter().copied().max()?;
            g.effect(Effect::Flush { on: false, value });
        }
        let made_scales = match made_scales {
            Some(i) => {
                self.make(g, i, loads, local)?;
                Some(self.parts_of(g, i, local)?)
            }
            None => None,
        };
        let mut last = 0;
        for ((access, part), chain) in places().zip(chains) {
            let scale = match (scales, &made_scales) {
                (Some(Scales::Access(scales)), _) => Some(load(g, (scales, part))),
                (_, Some(made)) => Some(made[usize::from(part)]),
                _ => None,
            };
            let value = match scale {
                Some(scale) => {
                    let before = load(g, (access, part));
                    g.op3(FmaPs, chain, scale, before)
                }
                None => chain,
            };
            last = last.max(value);
            g.effect(Effect::Store { access, part, value });
        }
        if halves && scales.is_some() {
            g.effect(Effect::Flush { on: true, value: last });
        }
        Some(())
    }

    /// A value of `bf16` as floats; it is not rounded if it fits in `bf16` before.
    fn float(
        &self,
        g: &mut Graph<'_>,
        known: &[Known],
        i: usize,
        loads: &FxHashMap<usize, u16>,
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<Parts> {
        match *self.inst(i) {
            Inst::Convert(DType::BF16, x)
                if known[x.index()].narrow && !self.tables.of_16.contains_key(&i) && !self.is_uniform(i) =>
            {
                let (i, of) = (x.index(), self.dtype(x.index()));
                self.make(g, i, loads, local)?;
                let parts = self.parts_of(g, i, local)?;
                if of.is_float() { Some(parts) } else { g.convert(of, DType::F32, &parts) }
            }
            _ => {
                self.make(g, i, loads, local)?;
                self.parts_of(g, i, local)
            }
        }
    }

    /// The unit of one value, or the word of two values.
    fn unit(
        &self,
        g: &mut Graph<'_>,
        known: &[Known],
        values: &[usize],
        loads: &FxHashMap<usize, u16>,
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<Parts> {
        match *values {
            [low, high] if g.shared.dots => self.words(g, [low, high], loads, local),
            // The bits of a `bf16` are the upper ones of its value as a float.
            [low, high] => {
                let low = self.float(g, known, low, loads, local)?;
                let high = self.float(g, known, high, loads, local)?;
                let join = |(&low, &high): (&V, &V)| {
                    let low = g.imm1(ShrD, low, 16);
                    g.op2(Or, low, high)
                };
                Some(low.iter().zip(&high).map(join).collect())
            }
            _ => {
                self.make(g, values[0], loads, local)?;
                self.parts_of(g, values[0], local)
            }
        }
    }

    /// The words of two rows of `bf16`.
    fn words(
        &self,
        g: &mut Graph<'_>,
        rows: [usize; 2],
        loads: &FxHashMap<usize, u16>,
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<Parts> {
        if let Some(words) = self.words_of_codes(g, rows, loads, local)? {
            return Some(words);
        }
        // Values that are only used in words are rounded when the words are made; small integers are exact already.
        let rounded = rows.map(|i| match *self.inst(i) {
            Inst::Convert(_, x) if !self.tables.of_16.contains_key(&i) => {
                let of = self.dtype(x.index());
                (of == DType::F32 || of.is_integer() && of.size() <= 2).then_some((x.index(), of))
            }
            _ => None,
        });
        if let [Some(low), Some(high)] = rounded {
            let mut float = |(i, of): (usize, DType)| {
                self.make(g, i, loads, local)?;
                let parts = self.parts_of(g, i, local)?;
                if of == DType::F32 { Some(parts) } else { g.convert(of, DType::F32, &parts) }
            };
            let (low, high) = (float(low)?, float(high)?);
            return Some(low.iter().zip(&high).map(|(&low, &high)| g.words(low, high)).collect());
        }
        rows.into_iter().try_for_each(|i| self.make(g, i, loads, local))?;
        let [low, high] = rows.map(|i| self.parts_of(g, i, local));
        // The bits of a `bf16` are the upper ones of its value as a float.
        let join = |(&low, &high): (&V, &V)| {
            let low = g.imm1(ShrD, low, 16);
            g.op2(Or, low, high)
        };
        Some(low?.iter().zip(&high?).map(join).collect())
    }

    /// The words of two rows of `bf16` by one look-up for both halves, if both rows use one table and their index bits lie
    /// sixteen apart in the same words, or are sums of such bits and one number.
    fn words_of_codes(
        &self,
        g: &mut Graph<'_>,
        rows: [usize; 2],
        loads: &FxHashMap<usize, u16>,
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<Option<Parts>> {
        if let [Some(low), Some(high)] = rows.map(|i| self.tables.of_32.get(&i))
            && low.scalars == high.scalars
        {
            for table in [low, high] {
                self.make(g, table.index, loads, local)?;
            }
            let codes = [low, high].map(|table| self.parts_of(g, table.index, local));
            let [low_codes, high_codes] = [codes[0].as_ref()?, codes[1].as_ref()?];
            let sums: Option<Parts> =
                low_codes.iter().zip(high_codes).map(|(&low, &high)| g.word_of_sums([low, high])).collect();
            let table = words_table(|i| low.scalars[i]);
            return Some(sums.map(|sums| {
                let table = g.constant(table);
                sums.iter().map(|&sum| g.op2(PermuteWords, sum, table)).collect()
            }));
        }
        let [Some(low), Some(high)] = rows.map(|i| self.tables.of_16.get(&i)) else { return Some(None) };
        if low.scalars != high.scalars || rows.iter().any(|&i| self.dtype(i) != DType::BF16) {
            return Some(None);
        }
        for table in [low, high] {
            self.make(g, table.index, loads, local)?;
        }
        let (low_codes, high_codes) =
            (self.parts_of(g, low.index, local)?, self.parts_of(g, high.index, local)?);
        let apart = |(&low, &high): (&V, &V)| {
            let ((x, by), (y, further)) = (g.shifted(low), g.shifted(high));
            x == y && further == by + 16
        };
        if !low_codes.iter().zip(&high_codes).all(apart) {
            return Some(None);
        }
        // The table has 32 entries, of which the codes name 16.
        let table = g.constant(words_table(|i| low.scalars[i % 16]));
        Some(Some(low_codes.iter().map(|&codes| g.op2(PermuteWords, codes, table)).collect()))
    }
}

/// The register of 32 table entries of 16 bits, indexed by five bits.
fn words_table(of: impl Fn(usize) -> ScalarBits) -> [u64; 8] {
    let word = |i: usize| of(i).bits & 0xffff;
    std::array::from_fn(|i| (0..4).fold(0, |bits, j| bits | word(4 * i + j) << (16 * j)))
}

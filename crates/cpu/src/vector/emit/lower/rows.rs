//! Lowering of the code that runs once per row, and of reductions.

use jarrah_base::DType;
use jarrah_tile::{Binary, Direction, Inst, LoopReducer};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::graph::{Block, Effect, Graph, Node, Parts, V};
use super::super::values::{Kind, kind};
use super::{CHUNK, Carried, Chunks, Columns, Folded, Lowering, MOST_COPIES, Source, compute_type};
use crate::vector::fold::LANES;

/// The memory for the result of a part of a row.
struct Partial {
    value: u16,
    of: DType,
    /// The memory for the column, if the value is the element there.
    index: Option<u16>,
}

impl Lowering<'_> {
    /// The block that runs once per row, when the reductions of the lower levels are done.
    pub(super) fn row_block(
        &mut self,
        level: usize,
        needed: &FxHashSet<usize>,
        folds: &[usize],
        stores: &[usize],
    ) -> Option<Block> {
        let task = self.task;
        let here: Vec<usize> = {
            let mut all: Vec<usize> = (needed.iter().copied())
                .filter(|&i| self.is_uniform(i) && self.levels[i] == level)
                .filter(|&i| !matches!(self.inst(i), Inst::Const(_)))
                .collect();
            all.sort_unstable();
            all
        };
        // The values that other blocks read, too.
        let mut shared_by: FxHashSet<usize> = FxHashSet::default();
        for &i in needed {
            for o in self.operands(i) {
                if !self.is_uniform(i) || self.levels[i] != level {
                    shared_by.insert(o);
                }
            }
        }
        for &s in task.stores {
            shared_by.insert(task.kernel.stores[s].value.index());
        }
        let mut loads: FxHashMap<usize, u16> = FxHashMap::default();
        for &i in &here {
            let dtype = self.dtype(i);
            if let Some(g) = task.given[i].filter(|_| self.is_given(i)) {
                loads.insert(i, self.pointer(Source::Given(g), dtype));
            } else if let Inst::Load { input, map, .. } = self.inst(i) {
                let (input, map) = (*input, map.clone());
                loads.insert(i, self.pointer(Source::Input(input, map), dtype));
            }
        }
        let mut partials: Vec<(usize, Partial)> = Vec::new();
        for &r in folds {
            if let Some(p) = task.partial[r].filter(|_| !task.kernel.is_column() && self.levels[r] == level) {
                let of = compute_type(self.dtype(self.inst(r).operands()[0].index()));
                let value = self.pointer(Source::Partial(p), of);
                let index = matches!(self.inst(r), Inst::ArgReduce { .. })
                    .then(|| self.pointer(Source::PartialIndex(p), DType::I32));
                partials.push((r, Partial { value, of, index }));
            }
        }
        let mut outs: Vec<(usize, u16)> = Vec::new();
        for &s in stores {
            let store = &task.kernel.stores[s];
            let dtype = task.kernel.outputs[store.output];
            let access = self.pointer(Source::Output(store.output, store.map.clone()), dtype);
            outs.push((store.value.index(), access));
        }
        let mut shared = std::mem::take(&mut self.shared);
        let mut g = Graph::new(&mut shared);
        let mut local: FxHashMap<usize, Parts> = FxHashMap::default();
        for &i in &here {
            let x = if let Some(&access) = loads.get(&i) {
                g.broadcast(access, self.dtype(i))?
            } else if self.inst(i).is_reduction() {
                let (v, extreme) = self.folded(&mut g, i)?;
                let v = if self.dtype(i) == DType::Bool { g.vector_to_mask(v) } else { v };
                if let Some((_, partial)) = partials.iter().find(|p| p.0 == i) {
                    g.store_one(partial.value, partial.of, &Parts::from_elem(extreme.unwrap_or(v), 1));
                    if let Some(index) = partial.index {
                        g.store_one(index, DType::I32, &Parts::from_elem(v, 1));
                    }
                }
                let x = Parts::from_elem(v, g.parts(kind(self.dtype(i))?.is_wide()));
                g.fit(self.dtype(i), x)
            } else {
                self.value(&mut g, i, &mut local)?
            };
            local.insert(i, x.clone());
            if shared_by.contains(&i) {
                let mask = kind(self.dtype(i))? == Kind::Mask;
                let mut saved: FxHashMap<V, u16> = FxHashMap::default();
                let mut slots = Vec::new();
                for &v in &x {
                    let slot = *saved.entry(v).or_insert_with(|| {
                        let slot = g.shared.slot();
                        let value = if mask { g.mask_to_vector(v) } else { v };
                        g.effect(Effect::Save { slot, value });
                        slot
                    });
                    slots.push(slot);
                }
                self.slots.insert(i, slots);
            }
        }
        for (i, access) in outs {
            let x = self.parts_of(&mut g, i, &mut local)?;
            g.store_one(access, self.dtype(i), &x);
        }
        let block = g.block;
        self.shared = shared;
        Some(block)
    }

    /// Adds a step of the reduction `r` to the loop. Returns the values that the loop carries.
    pub(super) fn accumulate(
        &mut self,
        g: &mut Graph<'_>,
        r: usize,
        x: &Parts,
        number: usize,
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<Vec<Carried>> {
        let (carried, slots) = match *self.inst(r) {
            Inst::Pick { index, .. } => {
                if !self.task.reductions.is_empty() {
                    return None;
                }
                let of = self.dtype(index.index());
                let index = self.parts_of(g, index.index(), local)?;
                self.pick_step(g, self.dtype(r), x, of, &index, number)?
            }
            Inst::ArgReduce { max, x: of } => g.arg_step(max, self.dtype(of.index()), x, number)?,
            _ => {
                let (f, dtype) = self.fold_of(r)?;
                let bool = self.dtype(r) == DType::Bool;
                let x = if bool { x.iter().map(|&x| g.mask_to_vector(x)).collect() } else { x.clone() };
                fold_step(g, f, dtype, &x, number)?
            }
        };
        self.folded.insert(r, slots);
        Some(carried)
    }

    /// The function that joins the accumulators of the reduction `r`, and their type.
    fn fold_of(&self, r: usize) -> Option<(LoopReducer, DType)> {
        match *self.inst(r) {
            // Truth values are 0 or all ones.
            Inst::Reduce(f, _) if self.dtype(r) == DType::Bool => Some(match f {
                LoopReducer::Add | LoopReducer::Or | LoopReducer::Maximum => (LoopReducer::Or, DType::I32),
                LoopReducer::Multiply | LoopReducer::And | LoopReducer::Minimum => {
                    (LoopReducer::And, DType::I32)
                }
                LoopReducer::Xor => (LoopReducer::Xor, DType::I32),
            }),
            Inst::Reduce(f, x) => Some((f, compute_type(self.dtype(x.index())))),
            // All lanes but one are 0, so that `or` gives the element.
            Inst::Pick { .. } => {
                let wide = kind(self.dtype(r))?.is_wide();
                Some((LoopReducer::Or, if wide { DType::I64 } else { DType::I32 }))
            }
            _ => None,
        }
    }

    /// Adds a step that keeps the element whose column is the index, clamped into the row.
    fn pick_step(
        &self,
        g: &mut Graph<'_>,
        dtype: DType,
        x: &Parts,
        of: DType,
        index: &Parts,
        number: usize,
    ) -> Option<(Vec<Carried>, Folded)> {
        use super::super::ops::Opcode::{MaxSD, MinSD, MinUD};
        let last = u32::try_from(self.task.kernel.cols.checked_sub(1)?).ok()?;
        let wide = kind(dtype)?.is_wide();
        let index = if kind(of)?.is_wide() {
            let parts = index.len();
            let (zero, most) = (g.long(0), g.long(u64::from(last)));
            let index = g.binary(Binary::Minimum, of, index, &Parts::from_elem(most, parts))?;
            let index = g.binary(Binary::Maximum, of, &index, &Parts::from_elem(zero, parts))?;
            g.convert(of, DType::I32, &index)?
        } else {
            index.clone()
        };
        let (zero, most) = (g.word(0), g.word(last));
        let index: Parts = match kind(of)? {
            Kind::Int => (index.iter())
                .map(|&i| {
                    let i = g.op2(MinSD, i, most);
                    g.op2(MaxSD, i, zero)
                })
                .collect(),
            Kind::Uint => index.iter().map(|&i| g.op2(MinUD, i, most)).collect(),
            Kind::Long | Kind::Ulong => index,
            _ => return None,
        };
        let x: Parts = match kind(dtype)? {
            Kind::Mask => x.iter().map(|&x| g.mask_to_vector(x)).collect(),
            _ => x.clone(),
        };
        let columns = g.columns();
        let here = g.compare(Direction::Eq, false, DType::I32, &columns, &index)?;
        let zero = if wide { g.long(0) } else { zero };
        let Node::Home(identity) = g.block.nodes[zero as usize] else { return None };
        let mut carried = Vec::new();
        let mut slots = Vec::new();
        let mut old = Parts::new();
        for p in 0..x.len() {
            let slot = g.shared.slot();
            carried.push(Carried { identity, slots: vec![slot], split: false });
            slots.push(vec![slot]);
            old.push(g.node(Node::Accumulator { number: (number + p) as u8 }));
        }
        let of = if dtype == DType::Bool { DType::I32 } else { dtype };
        let new = g.select(of, &here, &x, &old)?;
        for (p, value) in new.into_iter().enumerate() {
            g.effect(Effect::Accumulate { number: (number + p) as u8, value });
        }
        Some((carried, vec![slots]))
    }

    /// Adds a step of the reduction `r` whose lanes are in memory.
    pub(super) fn accumulate_lanes(&self, g: &mut Graph<'_>, r: usize, x: &Parts, access: u16) -> Option<()> {
        let Inst::Reduce(f, operand) = *self.inst(r) else { return None };
        let dtype = compute_type(self.dtype(operand.index()));
        let lanes = g.load(access, dtype)?;
        let sums = (lanes.iter().zip(x)).map(|(&lane, &x)| g.combine(f, dtype, lane, x));
        let sums = sums.collect::<Option<Parts>>()?;
        let sums = g.fit(dtype, sums);
        g.store(access, dtype, &sums);
        Some(())
    }

    /// The result of the reduction `r` in every lane, in the accumulators' type; if the result is a column, the element there,
    /// too.
    fn folded(&self, g: &mut Graph<'_>, r: usize) -> Option<(V, Option<V>)> {
        let values = self.folded.get(&r)?;
        if let Inst::ArgReduce { max, x } = *self.inst(r) {
            let (column, extreme) = g.arg_folded(max, self.dtype(x.index()), values)?;
            return Some((column, Some(extreme)));
        }
        let (f, dtype) = self.fold_of(r)?;
        let mut parts: Vec<Parts> = Vec::new();
        for value in values {
            let mut joined = Parts::new();
            for copies in value {
                let mut v = g.slot(copies[0]);
                for &s in &copies[1..] {
                    let next = g.slot(s);
                    v = g.combine(f, dtype, v, next)?;
                }
                joined.push(v);
            }
            parts.push(joined);
        }
        let mut x = parts[0].clone();
        for more in &parts[1..] {
            x = (x.iter().zip(more)).map(|(&a, &b)| g.combine(f, dtype, a, b)).collect::<Option<Parts>>()?;
        }
        // The sums and products of short rows are in the order of the elements.
        let columns = self.task.kernel.cols;
        let rounds = kind(dtype)?.is_float() && matches!(f, LoopReducer::Add | LoopReducer::Multiply);
        if rounds && columns <= LANES {
            return Some((g.in_order(f, dtype, &x, columns)?, None));
        }
        Some((g.halve(f, dtype, &x)?, None))
    }

    /// The block after each chunk of a long row, and the fold of the chunks' results.
    pub(super) fn chunks(&mut self, here: &[usize]) -> Option<Chunks> {
        let count = self.task.cols.div_ceil(CHUNK);
        let mut results = Vec::new();
        for &r in here {
            let (_, dtype) = self.fold_of(r)?;
            let memory = match kind(dtype)? {
                k if k.is_wide() => dtype,
                Kind::Float => DType::F32,
                _ => DType::I32,
            };
            results.push((r, dtype, memory, self.buffer(memory, count)));
        }
        let mut shared = std::mem::take(&mut self.shared);
        let mut g = Graph::new(&mut shared);
        for &(r, _, memory, access) in &results {
            let (v, _) = self.folded(&mut g, r)?;
            g.store_one(access, memory, &Parts::from_elem(v, 1));
        }
        let each = g.block;
        let mut g = Graph::new(&mut shared);
        let mut all = Columns::default();
        for &(r, dtype, memory, access) in &results {
            let (f, _) = self.fold_of(r)?;
            let x = g.load(access, memory)?;
            let (carried, slots) = fold_step(&mut g, f, dtype, &x, all.carried.len())?;
            all.carried.extend(carried);
            self.folded.insert(r, slots);
        }
        all.block = g.block;
        self.shared = shared;
        Some(Chunks { each, all })
    }
}

/// Adds a step of a fold, from accumulator `number` on. Returns the carried values, and their slots per value, part and copy.
fn fold_step(
    g: &mut Graph<'_>,
    f: LoopReducer,
    dtype: DType,
    x: &Parts,
    number: usize,
) -> Option<(Vec<Carried>, Folded)> {
    let kind = kind(dtype)?;
    let (identity, filler) = g.identity(f, dtype)?;
    let Node::Home(home) = g.block.nodes[identity as usize] else { return None };
    let extreme = kind.is_float() && matches!(f, LoopReducer::Maximum | LoopReducer::Minimum);
    let mut carried = Vec::new();
    let mut slots: Vec<Vec<Vec<u16>>> = vec![Vec::new(); if extreme && g.wide() { 2 } else { 1 }];
    for (p, &x) in x.iter().enumerate() {
        let x = g.node(Node::Tail { value: x, identity: filler, part: p as u8, wide: kind.is_wide() });
        let mut carry = |g: &mut Graph<'_>, which: usize, split: bool| {
            let copies = if split { MOST_COPIES } else { 1 };
            let own: Vec<u16> = (0..copies).map(|_| g.shared.slot()).collect();
            slots[which].push(own.clone());
            carried.push(Carried { identity: home, slots: own, split });
            let at = (number + carried.len() - 1) as u8;
            (at, g.node(Node::Accumulator { number: at }))
        };
        if extreme && g.wide() {
            // Numbers and NaNs are reduced separately, so that only one instruction depends on the last group; NaNs are merged at
            // the end.
            use super::super::ops::Opcode::{Blend, BlendPd, CmpPd, CmpPs, RangePd, RangePs};
            let double = kind == Kind::Double;
            let (range, compare, blend) =
                if double { (RangePd, CmpPd, BlendPd) } else { (RangePs, CmpPs, Blend) };
            let (at, a) = carry(g, 0, true);
            let imm = if f == LoopReducer::Maximum { 0b0101 } else { 0b0100 };
            let value = g.imm2(range, a, x, imm);
            g.effect(Effect::Accumulate { number: at, value });
            let (at, a) = carry(g, 1, false);
            let unordered = g.imm2(compare, x, x, super::super::math::relation::UNORDERED);
            let value = g.op3(blend, unordered, a, x);
            g.effect(Effect::Accumulate { number: at, value });
        } else {
            // A step of several instructions needs its own value for each copy.
            let split = !g.is_one(f, kind);
            let (at, a) = carry(g, 0, split);
            let value = g.combine(f, dtype, a, x)?;
            g.effect(Effect::Accumulate { number: at, value });
        }
    }
    Some((carried, slots))
}

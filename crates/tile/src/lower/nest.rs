//! The loop nest of a kernel: which dimensions are outer, reduced and columns.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jarrah_hlo::ops::{BlockIndex, Kernel, Reducer};
use jarrah_hlo::{Instr, Op};
use rustc_hash::FxHashMap;

use super::dims::{Array, DimId, Dims};

/// The dimensions of the nest, outermost first.
#[derive(Debug)]
pub struct Nest {
    pub outer: Vec<DimId>,
    pub reduce: Vec<DimId>,
    pub cols: Option<DimId>,
    /// For each grid axis the dimension within blocks that runs along the whole arrays in its stead.
    pub merged: Vec<Option<DimId>>,
    /// The extent of each dimension.
    pub extents: Vec<usize>,
}

/// A box of a nest.
#[derive(Clone, Debug)]
pub struct NestBox {
    /// The positions along the dimensions that are cut.
    ranges: FxHashMap<DimId, Range<usize>>,
}

impl NestBox {
    /// The positions along a dimension of this extent.
    pub fn range(&self, dim: DimId, extent: usize) -> Range<usize> {
        self.ranges.get(&dim).cloned().unwrap_or(0..extent)
    }
}

impl Nest {
    pub fn of(kernel: &Kernel, dims: &Dims<'_>) -> Option<Nest> {
        let folds = Folds::of(kernel, dims)?;
        let mut nest = Nest {
            outer: Vec::new(),
            reduce: Vec::new(),
            cols: None,
            merged: vec![None; kernel.grid.len()],
            extents: (0..dims_len(dims)).map(|d| dims.extent(d)).collect(),
        };
        let uses = kernel.body.use_counts();
        for (axis, &positions) in uses.iter().enumerate().take(kernel.grid.len()) {
            nest.merge(kernel, dims, &folds, axis, positions > 0)?;
        }
        for (axis, &extent) in kernel.grid.iter().enumerate() {
            if nest.merged[axis].is_none() && extent != 1 {
                nest.outer.push(axis);
            }
        }
        // Outputs name their dimensions outermost first.
        let outputs = &dims.arrays[kernel.inputs.len()..];
        let mut within: Vec<DimId> = Vec::new();
        for output in outputs {
            for dim in dims.roots(&output.within) {
                if !within.contains(&dim) {
                    within.push(dim);
                }
            }
        }
        match folds.form {
            Form::Map => {
                let last = outputs.iter().find_map(|o| o.within.last().copied().flatten());
                nest.cols = last.map(|d| dims.root(d)).or(within.last().copied());
            }
            Form::Row => nest.cols = folds.dims.first().copied(),
            Form::Column => {
                nest.reduce = folds.dims.clone();
                let free = folds.operand.iter().rev().find(|d| !folds.dims.contains(d));
                nest.cols = free.filter(|d| within.contains(d)).or(within.last()).copied();
            }
        }
        let taken = |nest: &Nest, d: DimId| nest.cols == Some(d) || nest.reduce.contains(&d);
        for dim in within {
            if !taken(&nest, dim) {
                nest.outer.push(dim);
            }
        }
        Some(nest)
    }

    /// The boxes into which the places of values that are put beside others cut the nest; `None` where they cut a dimension that
    /// is folded, or cut too often.
    pub fn boxes(&self, kernel: &Kernel, dims: &Dims<'_>) -> Option<Vec<NestBox>> {
        const MOST: usize = 32;
        let mut boxes = vec![NestBox { ranges: FxHashMap::default() }];
        if dims.places.is_empty() {
            return Some(boxes);
        }
        let is_loop = |d: &DimId| self.cols == Some(*d) || self.outer.contains(d) || self.reduce.contains(d);
        let folds: Vec<DimId> =
            kernel.body.instrs().iter().filter_map(|instr| folded(dims, instr)).flatten().collect();
        let mut cuts: BTreeMap<DimId, BTreeSet<usize>> = BTreeMap::new();
        for place in &dims.places {
            let (dim, first) = dims.origin(place.whole);
            let part_is_loop = place.part.is_some_and(|part| is_loop(&dims.root(part)));
            if part_is_loop || !is_loop(&dim) || folds.contains(&dim) {
                return None;
            }
            let start = first + place.start;
            cuts.entry(dim).or_default().extend([0, start, start + place.count, self.extents[dim]]);
        }
        for (dim, cuts) in cuts {
            let cuts: Vec<usize> = cuts.into_iter().collect();
            let ranges = cuts.windows(2).map(|pair| pair[0]..pair[1]);
            let with = |range: Range<usize>| {
                boxes.iter().cloned().map(move |mut b| {
                    b.ranges.insert(dim, range.clone());
                    b
                })
            };
            boxes = ranges.flat_map(with).collect();
            if boxes.len() > MOST {
                return None;
            }
        }
        Some(boxes)
    }

    /// Takes grid axis `axis` and the blocks along it as one dimension if nothing tells them apart; `is_read` if the body uses the
    /// position along it.
    fn merge(
        &mut self,
        kernel: &Kernel,
        dims: &Dims<'_>,
        folds: &Folds,
        axis: usize,
        is_read: bool,
    ) -> Option<()> {
        let (mut block, mut whole) = (None, None);
        let mut one = true;
        let mut even = true;
        for Array { spec, within, extents, .. } in &dims.arrays {
            for ((&index, &dim), &extent) in spec.axes.iter().zip(within).zip(extents) {
                match index {
                    BlockIndex::Block { size, grid } if grid == axis => {
                        even &= extent % size == 0;
                        one &= *whole.get_or_insert(extent) == extent;
                        match dim {
                            Some(d) => one &= *block.get_or_insert(dims.root(d)) == dims.root(d),
                            None => one = false,
                        }
                    }
                    BlockIndex::Point { grid } if grid == axis => one = false,
                    _ => {}
                }
            }
        }
        let Some(whole) = whole else { return Some(()) };
        if let Some(block) = block {
            // The dimension of the blocks must run along this grid axis wherever an array has it.
            for Array { spec, within, .. } in &dims.arrays {
                for (&index, &dim) in spec.axes.iter().zip(within) {
                    let along = matches!(index, BlockIndex::Block { grid, .. } if grid == axis);
                    one &= along || dim.map(|d| dims.root(d)) != Some(block);
                }
            }
            one &= !folds.dims.contains(&block);
            for instr in kernel.body.instrs() {
                if let Op::Iota(op) = &instr.op {
                    let dim = dims.values[instr.result().index()][op.axis];
                    one &= dim.map(|d| dims.root(d)) != Some(block);
                }
            }
            let placed = dims.places.iter().flat_map(|place| [Some(dims.origin(place.whole).0), place.part]);
            one &= placed.flatten().all(|dim| dims.root(dim) != block);
            one &= !is_read;
            if one {
                self.merged[axis] = Some(block);
                self.extents[block] = whole;
                return Some(());
            }
        }
        // Two dimensions: every block is a full one.
        even.then_some(())
    }
}

fn dims_len(dims: &Dims<'_>) -> usize {
    dims.values
        .iter()
        .flatten()
        .chain(dims.arrays.iter().flat_map(|a| &a.within))
        .flatten()
        .max()
        .map_or(0, |d| d + 1)
}

enum Form {
    Map,
    Row,
    Column,
}

/// The dimensions that the reductions of a body fold, and the form of the kernel.
struct Folds {
    form: Form,
    /// The dimensions, in the order of the operand's axes.
    dims: Vec<DimId>,
    /// The dimensions of the operand of the first reduction.
    operand: Vec<DimId>,
}

impl Folds {
    fn of(kernel: &Kernel, dims: &Dims<'_>) -> Option<Folds> {
        let mut found: Option<Folds> = None;
        let mut arg = false;
        for instr in kernel.body.instrs() {
            let Some(folded) = folded(dims, instr) else { continue };
            let Op::Reduce(op) = &instr.op else { continue };
            if matches!(op.reducer, Reducer::General(_)) {
                return None;
            }
            if folded.is_empty() {
                continue;
            }
            arg |= matches!(op.reducer, Reducer::ArgMax(_) | Reducer::ArgMin(_));
            let operand = dims.roots(&dims.values[instr.operands[0].index()]);
            match &found {
                None => found = Some(Folds { form: Form::Row, dims: folded, operand }),
                Some(folds) if folds.dims == folded => {}
                Some(_) => return None,
            }
        }
        let Some(mut folds) = found else {
            return Some(Folds { form: Form::Map, dims: Vec::new(), operand: Vec::new() });
        };
        let row = folds.dims.len() == 1;
        let column = !arg && !repeats(kernel, dims, &folds.dims);
        folds.form = match (row, column) {
            (true, _) if folds.operand.last() == folds.dims.last() => Form::Row,
            (_, true) => Form::Column,
            (true, false) => Form::Row,
            (false, false) => return None,
        };
        Some(folds)
    }
}

/// The dimensions above extent one that an instruction folds.
pub fn folded(dims: &Dims<'_>, instr: &Instr) -> Option<Vec<DimId>> {
    let Op::Reduce(op) = &instr.op else { return None };
    let operand = &dims.values[instr.operands[0].index()];
    let axes: Vec<Option<DimId>> = op.axes.iter().map(|&a| operand[a]).collect();
    Some(dims.roots(&axes))
}

/// Whether a value that depends on a reduction has a dimension again that was folded.
fn repeats(kernel: &Kernel, dims: &Dims<'_>, folds: &[DimId]) -> bool {
    let mut reduced = vec![false; kernel.body.value_count()];
    for instr in kernel.body.instrs() {
        let fold = folded(dims, instr).is_some_and(|f| !f.is_empty());
        let after = fold || instr.operands.iter().any(|o| reduced[o.index()]);
        if !after {
            continue;
        }
        for value in instr.results() {
            reduced[value.index()] = true;
            if dims.roots(&dims.values[value.index()]).iter().any(|d| folds.contains(d)) {
                return true;
            }
        }
        // An operand that still runs along a folded dimension would meet a value after the fold.
        if fold && reduced[instr.operands[0].index()] {
            return true;
        }
    }
    false
}

//! Loops that compute [row blocks](RowBlock) of a matrix, several rows at a time. In products of few rows, a row block is multiplied in
//! registers by all rows of the left operand, and never stored; in other products it is packed in panels.

use std::ops::Range;

use jarrah_base::{DType, ElementKind, Result};
use jarrah_tile::{Axis, Binary, Class, Inst, LoopKernel, Map, Reg, ScalarBits, Store};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::boxes::BoxPlan;
use super::frame::{Buffers, Frame, Tile, with_scratch};
use super::plan::{Plan, Source, TILE, Tier};
use super::rows::unravel;
use super::runnable::Runnable;
use crate::gemm::{Destination, RowBlock};
use crate::isa::{Isa, has_bf16};

/// A task whose every row is a call that makes several rows of a matrix at once: units x\[u\], which are the values that it
/// stores, or the words made from pairs of `bf16` values.
#[cfg_attr(
    not(all(target_arch = "x86_64", unix, not(jarrah_portable))),
    allow(dead_code, reason = "only machine code has them")
)]
pub(super) struct Calls {
    /// The number of units of a column that a call makes.
    pub units: usize,
    /// Whether two values make a word.
    pub words: bool,
    /// Whether the two values of a word are multiplied one after another, each by a factor of its own, because no instruction
    /// multiplies words.
    pub halves: bool,
    /// Whether the loop goes through panels, of which it makes all columns; otherwise it makes parts of rows.
    pub in_panels: bool,
    /// How far the index of the rows moves from a call to the next, along each dimension.
    pub next: Vec<usize>,
    /// The use of the units.
    pub to: To,
}

/// The use of the units that a call makes.
#[cfg_attr(
    not(all(target_arch = "x86_64", unix, not(jarrah_portable))),
    allow(dead_code, reason = "only machine code has them")
)]
pub(super) enum To {
    /// They are multiplied into rows of chains of `f32`: `chain[r] = chain[r] + factor[r, u] x[u]`, one after another, each a fused
    /// multiply-add.
    Chains {
        /// The rows of chains.
        rows: usize,
        /// Whether the sum of a call begins at zero and is added, times the scale of its column, to what the chains hold:
        /// `chain[r] + scale sum[r]`, a fused multiply-add.
        scales: Option<Scaling>,
    },
    /// The units are stored in a panel of this many columns, one row for each unit.
    Panel(usize),
}

impl Calls {
    /// The rows of the matrix that a call makes.
    pub fn count(&self) -> usize {
        if self.words { 2 * self.units } else { self.units }
    }

    /// The number of factors of a call, of 32 bits each: words, halves of words, or numbers.
    pub fn factors(&self) -> usize {
        self.rows() * self.units * self.factors_of_unit()
    }

    /// The number of factors of a unit.
    pub fn factors_of_unit(&self) -> usize {
        if self.halves { 2 } else { 1 }
    }

    /// The rows of chains.
    pub fn rows(&self) -> usize {
        match self.to {
            To::Chains { rows, .. } => rows,
            To::Panel(_) => 0,
        }
    }
}

/// Where the scales of a call are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scaling {
    /// The scales are a row behind the rows of chains, this many elements before the scales of the next call.
    Apart(usize),
    /// The last value that the task stores is the row of scales.
    Made,
}

/// A loop that makes a matrix, compiled to compute its row blocks in registers, and to multiply or pack them there.
pub struct RowBlocks {
    runnable: Runnable,
    extents: Vec<usize>,
    /// The dimension along which row blocks run, and how far its index moves from one to the next.
    run: Option<(usize, usize)>,
    /// The rows of a row block.
    count: usize,
    /// The bytes of a row block's factors, and the bytes of its scales, if they lie behind the chains, or of its part of a panel.
    pitches: [usize; 2],
    /// Whether the machine code computes the scales, too.
    pub computes_scales: bool,
    /// Whether the factors of a word are its halves as two floats, because no instruction multiplies words.
    pub halves: bool,
}

impl RowBlocks {
    /// Compiles `makes` for row blocks like `block`. The code computes the scales, too, if `scales_of` makes them over the same panels.
    /// `None` if there is no machine code for it, if its dimensions cannot be divided into row blocks, or if the panels in which row blocks
    /// are packed do not divide those that the loop goes through.
    ///
    /// # Errors
    /// There is no executable memory.
    pub fn new(makes: &BoxPlan, scales_of: Option<&BoxPlan>, block: RowBlock) -> Result<Option<RowBlocks>> {
        let RowBlock { units, words, to } = block;
        match to {
            Destination::Sums { rows, scales } => {
                RowBlocks::of(makes, scales_of.filter(|_| scales.is_some()), (units, words), |made| {
                    let scales = scales.map(|apart| if made { Scaling::Made } else { Scaling::Apart(apart) });
                    To::Chains { rows, scales }
                })
            }
            Destination::Panels { columns } => match makes.panel() {
                Some(wide) if wide.is_multiple_of(columns) => {
                    RowBlocks::of(makes, None, (units, words), |_| To::Panel(columns))
                }
                _ => Ok(None),
            },
        }
    }

    /// Compiles `makes` in calls of `units` units, of two values each if they are words; `to` gives their use, and its argument
    /// says whether calls make the scales, too.
    fn of(
        makes: &BoxPlan,
        scales_of: Option<&BoxPlan>,
        (units, words): (usize, bool),
        to: impl FnOnce(bool) -> To,
    ) -> Result<Option<RowBlocks>> {
        let Plan { kernel, isa, .. } = &makes.plan;
        let count = units * if words { 2 } else { 1 };
        let (types, [store]) = (kernel.verify()?, &kernel.stores[..]) else { return Ok(None) };
        if Tier::best(*isa) != Tier::Native {
            return Ok(None);
        }
        let Some((body, types, values)) = several(kernel, &types, store.value, count) else {
            return Ok(None);
        };
        let Some(next) = digits(count, count, &kernel.outer) else { return Ok(None) };
        let mut moves = next.iter().enumerate().filter(|(_, by)| **by > 0);
        let run = match (moves.next(), moves.next()) {
            (Some((dim, &by)), None) => Some((dim, by)),
            _ => None,
        };
        let mut stores: Vec<Store> =
            values.into_iter().map(|value| Store { value, ..store.clone() }).collect();
        let mut kernel = LoopKernel { body, ..kernel.clone() };
        let mut types = types;
        let inside = makes.in_panels.is_some();
        let made = scales_of.filter(|_| inside).and_then(|of| beside(&mut kernel, &mut types, of, run?));
        stores.extend(made.map(|value| Store { value, ..store.clone() }));
        kernel.stores = stores;
        let source = Source {
            kernel: &kernel,
            types: &types,
            isa: *isa,
            tier: Tier::Native,
            direct: true,
            tile: TILE,
        };
        let (all, none) = ((0..kernel.stores.len()).collect::<Vec<_>>(), vec![None; types.len()]);
        let to = to(made.is_some());
        let halves = words && matches!(to, To::Chains { .. }) && !(*isa == Isa::Avx512 && has_bf16());
        let calls = Calls { units, words, halves, in_panels: inside, next, to };
        let behind = match calls.to {
            To::Chains { scales: Some(Scaling::Apart(apart)), .. } => apart,
            To::Chains { .. } => 0,
            To::Panel(columns) => units * columns,
        };
        let pitches = [calls.factors(), behind].map(|elements| elements * size_of::<f32>());
        let runnable =
            Runnable::native(&source, &[], &all, &none, &none, run.map(|(dim, _)| dim), Some(calls))?;
        let (extents, computes_scales) = (kernel.outer.clone(), made.is_some());
        Ok(runnable.map(|runnable| RowBlocks {
            runnable,
            extents,
            run,
            count,
            pitches,
            computes_scales,
            halves,
        }))
    }

    /// Computes `calls` row blocks, from `row` on, of the matrix that `makes` makes, and adds their products to the columns
    /// `cols` of the chains, which point to the first of these columns. `factors` has, for each row block, the factors of each row of
    /// chains in turn, of 32 bits each. If sums have scales that are not computed, the scales are one more chain. Where row blocks are
    /// packed, `cols` are the columns of a panel, the panel is the one chain, and there are no factors.
    ///
    /// # Safety
    /// `makes` is what this was made of, and its inputs are there; `factors` holds the factors of a row block's units for each row block and each row of chains, each of
    /// which has as many elements as there are columns and meets nothing else; `row` is a multiple of the rows of a row block, and so many follow.
    pub unsafe fn run(
        &self,
        makes: &BoxPlan,
        (row, calls): (usize, usize),
        cols: Range<usize>,
        inputs: &[*const u8],
        factors: *mut u8,
        chains: &[*mut u8],
    ) {
        let mut index: SmallVec<[usize; 8]> = smallvec![0; self.extents.len()];
        let first = cols.start;
        with_scratch(self.runnable.scratch(0, 0), |scratch| {
            for (rows, part, at) in makes.parts(row..row + calls * self.count, cols) {
                // Chains begin at the first of the columns.
                let mut lanes: SmallVec<[*mut u8; 17]> = SmallVec::from_slice(chains);
                let before = (part.start as isize - (at - first) as isize) * size_of::<f32>() as isize;
                lanes.iter_mut().for_each(|chain| *chain = chain.wrapping_offset(-before));
                let mut call = 0;
                while call < calls {
                    unravel(rows.start + call * self.count, &self.extents, &mut index);
                    let left = self.run.map_or(1, |(dim, by)| (self.extents[dim] - index[dim]).div_ceil(by));
                    let tile = Tile {
                        index: &index,
                        run: self.run.map(|(dim, _)| dim),
                        rows: left.min(calls - call),
                        first_col: part.start,
                        cols: part.len(),
                        row: 0,
                        chunk: 0,
                        chunks: 1,
                        lane: 0,
                    };
                    let [factors_of, behind] = self.pitches.map(|bytes| call * bytes);
                    let buffers = Buffers {
                        inputs,
                        outputs: &[],
                        given: &[factors.wrapping_add(factors_of)],
                        partial: &[],
                        partial_index: &[],
                        stream: false,
                    };
                    let mut lanes = lanes.clone();
                    if let Some(last) = lanes.last_mut().filter(|_| behind > 0) {
                        *last = last.wrapping_add(behind);
                    }
                    call += tile.rows;
                    let mut frame = Frame::new(&self.runnable, scratch, 0, 0, &lanes);
                    // SAFETY: the scratch is as long as the code says; the rest is the caller's promise.
                    unsafe { frame.run(&tile, &buffers) };
                }
            }
        });
    }
}

/// Adds the loop `of` that makes scales to the body of a kernel whose calls make a group each. Returns the value of the scales;
/// its inputs follow the kernel's. `None` if the two do not go through the same panels, or use indices; `run` is the dimension of
/// calls, and how far its index moves from one call to the next.
fn beside(
    kernel: &mut LoopKernel,
    types: &mut Vec<(DType, Class)>,
    of: &BoxPlan,
    (dim, by): (usize, usize),
) -> Option<Reg> {
    let scales = &of.plan.kernel;
    let of_types = scales.verify().ok()?;
    let (rank, panels) = (kernel.outer.len(), kernel.outer[0]);
    let groups = kernel.outer[dim] / by;
    let fits = of.in_panels == Some(groups)
        && dim == 1
        && scales.outer[..] == [panels, groups]
        && scales.cols == kernel.cols
        && kernel.outer[dim].is_multiple_of(by);
    let [store] = &scales.stores[..] else { return None };
    if !fits || of_types[store.value.index()].0 != DType::F32 {
        return None;
    }
    let (insts, inputs) = (kernel.body.len(), kernel.inputs.len());
    let mut body = Vec::new();
    for inst in &scales.body {
        body.push(match inst {
            Inst::Load { input, map, class } => {
                let mut rows: SmallVec<[i64; 8]> = smallvec![0; rank];
                rows[0] = map.rows[0];
                if map.rows[1] % by as i64 != 0 {
                    return None;
                }
                rows[dim] = map.rows[1] / by as i64;
                let map = Map { rows: rows.into_iter().collect(), ..map.clone() };
                Inst::Load { input: inputs + input, map, class: *class }
            }
            Inst::Iota { .. } => return None,
            inst => inst.map_operands(|reg| Reg((insts + reg.index()) as u32)),
        });
    }
    kernel.body.extend(body);
    kernel.inputs.extend(scales.inputs.iter().copied());
    types.extend(of_types);
    Some(Reg((insts + store.value.index()) as u32))
}

/// The distance of the index of row `by` from that of row 0, along each of the dimensions `extents`, counted from any row that is
/// a multiple of `count`; `None` if it differs between such rows.
fn digits(by: usize, count: usize, extents: &[usize]) -> Option<Vec<usize>> {
    let (mut by, mut count) = (by, count);
    let mut digits = vec![0; extents.len()];
    for (d, &extent) in extents.iter().enumerate().rev() {
        if d == 0 || extent.is_multiple_of(count) && by < extent {
            digits[d] = by;
            return Some(digits);
        }
        if !count.is_multiple_of(extent) && !extent.is_multiple_of(count) {
            return None;
        }
        digits[d] = by % extent;
        by /= extent;
        count = (count / extent).max(1);
    }
    None
}

type Several = (Vec<Inst>, Vec<(DType, Class)>, Vec<Reg>);

/// The body that makes `count` rows at once, and the value of each row.
fn several(kernel: &LoopKernel, types: &[(DType, Class)], value: Reg, count: usize) -> Option<Several> {
    let mut all = Body::default();
    let mut values = Vec::new();
    for row in 0..count {
        let digits = digits(row, count, &kernel.outer)?;
        let mut regs: Vec<Reg> = Vec::new();
        for (inst, &(dtype, class)) in kernel.body.iter().zip(types) {
            let reg = match inst {
                Inst::Load { input, map, class } => {
                    let by =
                        map.rows.iter().zip(&digits).map(|(&stride, &by)| stride * by as i64).sum::<i64>();
                    let map = Map { offset: map.offset + by, ..map.clone() };
                    all.push(Inst::Load { input: *input, map, class: *class }, dtype, *class)
                }
                // Along a dimension that a call covers, the index begins at 0.
                Inst::Iota { axis: Axis::Row(d), .. }
                    if *d > 0 && count.is_multiple_of(kernel.outer[*d..].iter().product()) =>
                {
                    let digit = ScalarBits::from_f64(dtype, digits[*d] as f64);
                    all.push(Inst::Const(digit), dtype, Class::Scalar)
                }
                Inst::Iota { axis: Axis::Row(d), .. } if digits[*d] > 0 => {
                    if !dtype.is_integer() {
                        return None;
                    }
                    let first = all.push(inst.clone(), dtype, class);
                    let digit = ScalarBits::from_f64(dtype, digits[*d] as f64);
                    let digit = all.push(Inst::Const(digit), dtype, Class::Scalar);
                    all.push(Inst::Binary(Binary::Add, first, digit), dtype, class)
                }
                inst => all.push(inst.map_operands(|reg| regs[reg.index()]), dtype, class),
            };
            regs.push(reg);
        }
        values.push(regs[value.index()]);
    }
    Some((all.insts, all.types, values))
}

/// A body in which equal instructions occur once.
#[derive(Default)]
struct Body {
    insts: Vec<Inst>,
    types: Vec<(DType, Class)>,
    known: FxHashMap<Inst, Reg>,
}

impl Body {
    fn push(&mut self, inst: Inst, dtype: DType, class: Class) -> Reg {
        let (inst, class) = match self.known(&inst) {
            Some(known) => (Inst::Const(known), Class::Scalar),
            None => (inst, class),
        };
        *self.known.entry(inst).or_insert_with_key(|inst| {
            self.insts.push(inst.clone());
            self.types.push((dtype, class));
            Reg(self.insts.len() as u32 - 1)
        })
    }

    /// The value of an instruction on constant integers, such as the number of bits by which a row's elements are shifted.
    fn known(&self, inst: &Inst) -> Option<ScalarBits> {
        let constant = |reg: Reg| match self.insts[reg.index()] {
            Inst::Const(x) if x.dtype.is_integer() => Some((x, 8 * x.dtype.size() as u32)),
            _ => None,
        };
        let (dtype, bits) = match *inst {
            Inst::Convert(to, x) if to.is_integer() => {
                let (x, width) = constant(x)?;
                let wide = (x.bits as i64) << (64 - width);
                (
                    to,
                    (if x.dtype.kind() == ElementKind::Signed { wide >> (64 - width) } else { x.bits as i64 })
                        as u64,
                )
            }
            Inst::Binary(Binary::Multiply, x, y) => {
                let ((x, _), (y, _)) = (constant(x)?, constant(y)?);
                (x.dtype, x.bits.wrapping_mul(y.bits))
            }
            Inst::Binary(Binary::Add, x, y) => {
                let ((x, _), (y, _)) = (constant(x)?, constant(y)?);
                (x.dtype, x.bits.wrapping_add(y.bits))
            }
            Inst::Binary(Binary::ShiftLeft, x, y) => {
                let ((x, width), (y, _)) = (constant(x)?, constant(y)?);
                (x.dtype, if y.bits < u64::from(width) { x.bits << y.bits } else { 0 })
            }
            _ => return None,
        };
        Some(ScalarBits { dtype, bits: bits & u64::MAX >> (64 - 8 * dtype.size() as u32) })
    }
}

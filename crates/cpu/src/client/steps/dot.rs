//! Contractions as batched matrix products over strides.

use std::sync::Arc;

use jarrah_base::{DType, Error, Result, Type};
use jarrah_compiler::is_strided;
use jarrah_execute::{Place, PlacedArray, Step, StepSite};
use jarrah_hlo::Panels;
use jarrah_hlo::ops::{DotGeneral, Kernel};
use jarrah_runtime::Way;
use smallvec::SmallVec;

use super::prologue::{BoundPrologue, LoopPrologue, Pointers, Side};
use super::{merged_stride, row_major};
use crate::client::device::{Cpu, Frame, FramePointers, StepBuilder};
use crate::client::plans::Over;
use crate::copy::copy;
use crate::gemm::{
    self, EpilogueTile, Gemm, GroupScales, OperandSource, PROLOGUE_SCALES, Rounded, Streamed, Strided, gemm,
};
use crate::vector::BoxPlan;

/// One operand of a product.
#[derive(Clone)]
struct Operand {
    array: PlacedArray,
    /// Strides of the batch axes, of the merged free axes and of the merged contracted axes.
    batch: Vec<isize>,
    free: isize,
    contract: isize,
    /// Where the operand is transposed to first, if it cannot be read in place.
    packed: Option<Packed>,
    /// The loop that computes it as it is read.
    prologue: Option<LoopPrologue>,
    /// Whether it lies in panels as products read them.
    in_panels: bool,
}

#[derive(Clone)]
struct Packed {
    to: Place,
    extents: Vec<usize>,
    strides: Vec<isize>,
}

impl Operand {
    fn new(
        b: &mut StepBuilder,
        array: PlacedArray,
        batch: &[usize],
        free: &[usize],
        contract: &[usize],
    ) -> Operand {
        let dims = array.dims();
        let strides = row_major(&dims);
        let side = |free, contract, packed| Operand {
            array,
            batch: batch.iter().map(|&a| strides[a]).collect(),
            free,
            contract,
            packed,
            prologue: None,
            in_panels: false,
        };
        if let (Some(f), Some(c)) =
            (merged_stride(&dims, &strides, free), merged_stride(&dims, &strides, contract))
        {
            return side(f, c, None);
        }
        let order = [batch, free, contract].concat();
        let extents: Vec<usize> = order.iter().map(|&a| dims[a]).collect();
        let dense = row_major(&extents);
        let depth: usize = contract.iter().map(|&a| dims[a]).product();
        let to = b.own(array.bytes());
        let strides = order.iter().map(|&a| strides[a]).collect();
        let packed = Packed { to, extents, strides };
        let batch = dense[..batch.len()].to_vec();
        Operand { batch, ..side(depth as isize, 1, Some(packed)) }
    }

    /// A right operand that lies in panels.
    fn in_panels(array: PlacedArray, batch: &[usize]) -> Operand {
        let strides = row_major(&array.dims());
        let batch = batch.iter().map(|&a| strides[a]).collect();
        Operand { array, batch, free: 1, contract: 1, packed: None, prologue: None, in_panels: true }
    }

    /// The prologue of a batch of operands, of which the first begins at element `first`, on the inputs at `reads`.
    fn bind<'a>(
        &'a self,
        reads: Option<&'a Pointers>,
        side: Side,
        [first, batch]: [isize; 2],
    ) -> Option<BoundPrologue<'a>> {
        Some(self.prologue.as_ref()?.bind(reads?, side, first, batch))
    }

    /// The addresses of the prologue's inputs.
    fn reads(&self, frame: &Frame<'_>) -> Option<Pointers> {
        Some(self.prologue.as_ref()?.reads(frame))
    }

    /// The source of a batch of operands, `batch` elements apart, of which the first begins at `ptr`; it is `prologue`, if there is one.
    fn source<'a, T: Streamed>(
        &self,
        ptr: *const T,
        side: Side,
        batch: isize,
        [k, n]: [usize; 2],
        prologue: Option<&'a BoundPrologue<'a>>,
    ) -> OperandSource<'a, T> {
        let (row, col) = match side {
            Side::Left => (self.free, self.contract),
            Side::Right => (self.contract, self.free),
        };
        match prologue {
            Some(prologue) => OperandSource::Prologue(prologue),
            // SAFETY: the operand is an array of whole panels, one behind the other.
            None if self.in_panels => OperandSource::Panels(unsafe { gemm::PackedPanels::at(ptr, k, n) }),
            None => OperandSource::Memory(Strided { ptr, row, col, batch }),
        }
    }

    /// The first element of the operand, transposed if need be.
    fn ready(&self, frame: &Frame<'_>) -> *const u8 {
        let from = frame.at(self.array.loc);
        let Some(p) = &self.packed else { return from };
        let to = frame.at(p.to);
        let dense = row_major(&p.extents);
        // SAFETY: the dense array and the step's scratch have the same size.
        unsafe { copy(&frame.device.pool, self.array.size(), &p.extents, from, &p.strides, to, &dense) };
        to
    }
}

/// A batched matrix product.
#[derive(Clone)]
pub struct Product {
    lhs: Operand,
    rhs: Operand,
    out: PlacedArray,
    /// Batch axes that cannot be merged with the last.
    outer: Vec<usize>,
    batch: usize,
    m: usize,
    n: usize,
    /// The elements that are contracted.
    pub k: usize,
    groups: Option<Groups>,
    epilogue: Option<Arc<Fused>>,
}

/// The groups of a product's contracted axes, whose sums have scales.
#[derive(Clone)]
pub struct Groups {
    /// The elements of a group.
    pub each: usize,
    /// A row of scales for each group.
    pub scales: PlacedArray,
    /// The loop that computes them, if they lie nowhere.
    pub prologue: Option<LoopPrologue>,
}

impl Groups {
    /// The scales, a row of `n` for each group: those that `prologue` computes, or in memory from element `first` on.
    pub fn scales<'a>(
        &self,
        frame: &Frame<'_>,
        prologue: Option<&'a BoundPrologue<'a>>,
        [first, n]: [usize; 2],
    ) -> GroupScales<'a> {
        let panel = self.prologue.as_ref().and_then(|prologue| prologue.plan.panel());
        let source = match prologue {
            Some(prologue) => OperandSource::Prologue(prologue),
            None => {
                let scales = frame.at(self.scales.loc).cast_const().cast::<f32>();
                Strided::row_major(scales.wrapping_add(first), n).into()
            }
        };
        GroupScales { each: self.each, most: panel.unwrap_or(PROLOGUE_SCALES), source }
    }

    /// The elements of a group, and the distance between the scales of a group and those of the next, which are `n` in memory.
    pub fn form(&self, n: usize) -> (usize, usize) {
        (self.each, self.prologue.as_ref().map_or(n, |prologue| prologue.stride))
    }
}

/// An epilogue: the elementwise kernel that runs on each part of a product as soon as the part is final.
struct Fused {
    plan: Arc<BoxPlan>,
    inputs: Vec<Place>,
    outputs: Vec<Place>,
}

/// Evaluates an expression in which `$t` and `$o` are the element types of the operands and the result of a matrix product; `None` where
/// there is no such product.
macro_rules! with_product {
    ($from:expr, $to:expr, $t:ident, $o:ident => $body:expr) => {{
        use jarrah_base::{DType, bf16, c64, c128, f16};
        macro_rules! of {
            ($from_type:ty, $to_type:ty) => {{
                type $t = $from_type;
                type $o = $to_type;
                Some($body)
            }};
        }
        match ($from, $to) {
            (DType::F32, DType::F32) => of!(f32, f32),
            (DType::F64, DType::F64) => of!(f64, f64),
            (DType::C64, DType::C64) => of!(c64, c64),
            (DType::C128, DType::C128) => of!(c128, c128),
            (DType::BF16, DType::BF16) => of!(bf16, bf16),
            (DType::BF16, DType::F32) => of!(bf16, f32),
            (DType::F16, DType::F16) => of!(f16, f16),
            (DType::F16, DType::F32) => of!(f16, f32),
            (DType::I8, DType::I8) => of!(i8, i8),
            (DType::I8, DType::I32) => of!(i8, i32),
            (DType::I16, DType::I16) => of!(i16, i16),
            (DType::I16, DType::I32) => of!(i16, i32),
            (DType::I32, DType::I32) => of!(i32, i32),
            (DType::I64, DType::I64) => of!(i64, i64),
            _ => None,
        }
    }};
}
pub(super) use with_product;

/// Whether there are matrix products of these operands and results.
pub fn has_matrices(from: DType, to: DType) -> bool {
    with_product!(from, to, _T, _O => ()).is_some()
}

/// The panels in which products of such elements read right operands.
pub fn panels(from: DType, to: DType) -> Option<Panels> {
    let (columns, together) = gemm::panel_shape(from).filter(|_| has_matrices(from, to))?;
    Some(Panels { columns, together })
}

/// Whether the right operand of a product lies in the panels in which products read it, beside a left one over strides.
fn in_panels(dot: &DotGeneral, operands: [Type; 2]) -> bool {
    let lie = Panels::of(dot, operands[1]);
    lie.is_some() && lie == panels(operands[1].dtype(), dot.out) && is_strided(dot, operands)[0]
}

/// Whether there is a step for a product of these operands.
pub fn runs(dot: &DotGeneral, operands: [Type; 2]) -> bool {
    is_strided(dot, operands) == [true; 2] || in_panels(dot, operands)
}

pub fn step(b: &mut StepBuilder, site: &StepSite<'_>, op: &DotGeneral) -> Result<Product> {
    let (lhs, rhs) = (site.operands[0], site.operands[1]);
    let (lhs_dims, rhs_dims) = (lhs.dims(), rhs.dims());
    let (lhs_free, rhs_free) = (op.lhs_free(lhs_dims.len()), op.rhs_free(rhs_dims.len()));
    let extent = |dims: &[usize], axes: &[usize]| axes.iter().map(|&a| dims[a]).product::<usize>();
    let batch_dims: Vec<usize> = op.lhs_batch.iter().map(|&a| lhs_dims[a]).collect();
    let of_rhs = match in_panels(op, [lhs.ty, rhs.ty]) {
        true => Operand::in_panels(rhs, &op.rhs_batch),
        false => Operand::new(b, rhs, &op.rhs_batch, &rhs_free, &op.rhs_contract),
    };
    let mut product = Product {
        lhs: Operand::new(b, lhs, &op.lhs_batch, &lhs_free, &op.lhs_contract),
        rhs: of_rhs,
        out: site.results[0],
        outer: Vec::new(),
        batch: 1,
        m: extent(&lhs_dims, &lhs_free),
        n: extent(&rhs_dims, &rhs_free),
        k: extent(&lhs_dims, &op.lhs_contract),
        groups: None,
        epilogue: None,
    };
    product.batches(&batch_dims);
    Ok(product)
}

impl Product {
    /// The product of operands that these loops compute, where there are loops. The right one is compiled to compute row blocks, if it
    /// can be: see [`LoopPrologue::fuse`].
    pub fn with_prologues(
        mut self,
        [lhs, rhs]: [Option<LoopPrologue>; 2],
        groups: Option<Groups>,
    ) -> Result<Product> {
        (self.lhs.prologue, self.rhs.prologue, self.groups) = (lhs, rhs, groups);
        let Some(prologue) = &mut self.rhs.prologue else { return Ok(self) };
        // A loop computes rows or columns.
        self.rhs.in_panels = false;
        let groups = self.groups.as_ref();
        let scales = groups.and_then(|groups| groups.prologue.as_ref());
        let form = groups.map(|groups| groups.form(self.n));
        prologue.fuse(self.rhs.array.ty.dtype(), [self.m, self.k], form, scales)?;
        Ok(self)
    }

    /// Merges neighbouring batch axes where both operands allow; the last becomes the batch of one product.
    fn batches(&mut self, dims: &[usize]) {
        let mut merged: Vec<(usize, isize, isize)> = Vec::new();
        for ((&extent, &l), &r) in dims.iter().zip(&self.lhs.batch).zip(&self.rhs.batch) {
            if extent == 1 {
                continue;
            }
            match merged.last_mut() {
                Some((outer, ol, or)) if *ol == l * extent as isize && *or == r * extent as isize => {
                    (*outer, *ol, *or) = (*outer * extent, l, r);
                }
                _ => merged.push((extent, l, r)),
            }
        }
        let (extent, l, r) = merged.pop().unwrap_or((1, 0, 0));
        self.batch = extent;
        self.outer = merged.iter().map(|m| m.0).collect();
        self.lhs.batch = merged.iter().map(|m| m.1).chain([l]).collect();
        self.rhs.batch = merged.iter().map(|m| m.2).chain([r]).collect();
    }

    /// Calls `each` with the element offsets of both operands and the result, for every product of batches.
    fn each(&self, mut each: impl FnMut(isize, isize, isize)) {
        let rounds: usize = self.outer.iter().product();
        for round in 0..rounds {
            let (mut rest, mut l, mut r) = (round, 0, 0);
            for (axis, &extent) in self.outer.iter().enumerate().rev() {
                let i = (rest % extent) as isize;
                rest /= extent;
                l += i * self.lhs.batch[axis];
                r += i * self.rhs.batch[axis];
            }
            each(l, r, (round * self.batch * self.m * self.n) as isize);
        }
    }

    /// The product with `kernel`, which stands at `site` and reads it, as its epilogue; `None` if the loop runs on no boxes.
    pub fn with_epilogue(
        &self,
        b: &mut StepBuilder,
        site: &StepSite<'_>,
        kernel: &Kernel,
        reads: SmallVec<[usize; 2]>,
    ) -> Result<Option<Product>> {
        let types: Vec<Type> = site.operands.iter().map(|o| o.ty).collect();
        let Some(loops) = jarrah_tile::lower_to_one(kernel, &types) else { return Ok(None) };
        let rows = self.outer.iter().product::<usize>() * self.batch * self.m;
        let over = Over::Read(reads.into_vec(), [rows, self.n]);
        let Some(plan) = b.plans.boxes(loops, over)? else { return Ok(None) };
        let locs = |arrays: &[PlacedArray]| arrays.iter().map(|a| a.loc).collect();
        let fused = Fused { plan, inputs: locs(&site.operands), outputs: locs(&site.results) };
        Ok(Some(Product { epilogue: Some(Arc::new(fused)), ..self.clone() }))
    }

    /// Computes the products of all batches.
    fn gemm<T: Streamed, O: Rounded<Acc = T::Acc>>(&self, frame: &Frame<'_>) {
        let (a, b) = (self.lhs.ready(frame).cast::<T>(), self.rhs.ready(frame).cast::<T>());
        let c = frame.at(self.out.loc).cast::<O>();
        let batch = self.outer.len();
        let (a_batch, b_batch) = (self.lhs.batch[batch], self.rhs.batch[batch]);
        let (a_reads, b_reads) = (self.lhs.reads(frame), self.rhs.reads(frame));
        let of_scales = self.groups.as_ref().and_then(|groups| groups.prologue.as_ref());
        let scale_reads = of_scales.map(|prologue| prologue.reads(frame));
        let of_scales = of_scales.zip(scale_reads.as_ref());
        let of_scales = of_scales.map(|(prologue, reads)| prologue.bind(reads, Side::Right, 0, 0));
        let scales = self.groups.as_ref().map(|groups| groups.scales(frame, of_scales.as_ref(), [0, self.n]));
        let epilogue = self.epilogue.as_ref();
        let epilogue = epilogue.map(|fused| (fused, Pointers::new(frame, &fused.inputs, &fused.outputs)));
        self.each(|l, r, o| {
            let of_a = self.lhs.bind(a_reads.as_ref(), Side::Left, [l, a_batch]);
            let of_b = self.rhs.bind(b_reads.as_ref(), Side::Right, [r, b_batch]);
            let (extents, a, b) = ([self.k, self.n], a.wrapping_offset(l), b.wrapping_offset(r));
            let product = Gemm {
                batch: self.batch,
                m: self.m,
                n: self.n,
                k: self.k,
                a: self.lhs.source(a, Side::Left, a_batch, extents, of_a.as_ref()),
                b: self.rhs.source(b, Side::Right, b_batch, extents, of_b.as_ref()),
                c: c.wrapping_offset(o),
                c_row: self.n,
                c_batch: self.m * self.n,
                accumulate: false,
                scales,
            };
            // With its factors exchanged, a product of complex numbers is another sum in the imaginary part.
            let product = if self.out.ty.dtype().is_complex() { product } else { of_transposes(product) };
            let first = o as usize / self.n;
            let fused = |tile: EpilogueTile<'_, O>| {
                let Some((fused, p)) = &epilogue else { return };
                let top = first + tile.batch * self.m;
                let rows = top + tile.rows.start..top + tile.rows.end;
                // SAFETY: this tile of the product is final and this task's own; results lie neither on the product's
                // operands nor, but for the same elements, on the kernel's.
                unsafe { fused.plan.run(rows, tile.cols.clone(), &p.inputs, &p.outputs) };
            };
            // SAFETY: extents and strides are those of the operands' and the result's dense arrays.
            unsafe { gemm(&frame.device.pool, &product, epilogue.is_some().then_some(&fused)) };
        });
    }
}

/// A product whose result is one contiguous column, as the product of the transposes, whose vector lanes run over the rows; other products as they are.
fn of_transposes<T: Streamed, O>(product: Gemm<'_, T, O>) -> Gemm<'_, T, O> {
    let transposed = |s: Strided<T>| OperandSource::Memory(Strided { row: s.col, col: s.row, ..s });
    match (product.n, product.m, product.a, product.b) {
        (1, 2.., OperandSource::Memory(a), OperandSource::Memory(b)) if product.scales.is_none() => {
            Gemm { m: 1, n: product.m, a: transposed(b), b: transposed(a), c_row: product.m, ..product }
        }
        _ => product,
    }
}

impl Step<Cpu> for Product {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (from, to) = (self.lhs.array.ty.dtype(), self.out.ty.dtype());
        with_product!(from, to, T, O => self.gemm::<T, O>(frame))
            .ok_or_else(|| Error::internal(format!("a product of {from} as {to}")))
    }

    fn way(&self) -> Way {
        Way::Product
    }
}

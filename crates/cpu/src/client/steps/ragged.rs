//! Products of groups of rows whose sizes are known when they run: a matrix product for each group.

use std::cmp::Reverse;
use std::ops::Range;

use jarrah_base::{Error, Result, Type};
use jarrah_execute::{PlacedArray, Step, StepSite};
use jarrah_hlo::Panels;
use jarrah_hlo::ops::{GroupMatrices, RaggedDot, RaggedKind};
use jarrah_runtime::Way;

use super::dot::{Groups, has_matrices, panels, with_product};
use super::prologue::{BoundPrologue, LoopPrologue, Side};
use crate::client::device::{Cpu, Frame, FramePointers};
use crate::gemm::{self, Gemm, OperandSource, Rounded, Streamed, Strided, gemm};

/// A group of more than a thread's rows by so many is shared by all threads.
const SHARES: usize = 4;

/// The most rows of a group for which there is code of its own that multiplies row blocks of a matrix.
const FEW: usize = 16;

struct Ragged {
    kind: RaggedKind,
    lhs: PlacedArray,
    rhs: PlacedArray,
    sizes: PlacedArray,
    out: PlacedArray,
    /// The parts of matrices whose rows have scales.
    parts: Option<Groups>,
    /// If a loop computes the matrices: the prologues for groups of one row, of two, and so on; the last is for groups of more rows, too.
    prologues: Vec<LoopPrologue>,
}

/// The product, whose matrices `prologue` computes as they are read, if there is one, and whose scales `scales` computes.
pub fn step(
    site: &StepSite<'_>,
    op: &RaggedDot,
    prologue: Option<LoopPrologue>,
    scales: Option<LoopPrologue>,
) -> Result<Box<dyn Step<Cpu>>> {
    let [lhs, rhs, sizes] = [0, 1, 2].map(|i| site.operands[i]);
    let [rows, inner] = [0, 1].map(|axis| lhs.ty.dim(axis));
    let parts = site.operands.get(3).map(|of| {
        let each = inner / of.ty.dim(1).max(1);
        Groups { each, scales: *of, prologue: scales }
    });
    let groups = parts.as_ref().map(|parts| parts.form(parts.scales.ty.dim(2)));
    let mut prologues = Vec::new();
    if let Some(prologue) = prologue {
        let scales = parts.as_ref().and_then(|parts| parts.prologue.as_ref());
        for rows in 1..=rows.clamp(1, FEW + 1) {
            let mut prologue = prologue.clone();
            prologue.fuse(lhs.ty.dtype(), [rows, inner], groups, scales)?;
            prologues.push(prologue);
        }
    }
    Ok(Box::new(Ragged { kind: op.kind, lhs, rhs, sizes, out: site.results[0], parts, prologues }))
}

/// Whether there is a step for such products of these operands.
pub fn runs(op: &RaggedDot, operands: &[Type]) -> bool {
    let (lhs, rhs) = (operands[0], operands[1]);
    let known = panels(lhs.dtype(), op.out);
    let lie = || Panels { columns: rhs.dim(3), together: rhs.dim(4) };
    has_matrices(lhs.dtype(), op.out)
        && (op.kind != RaggedKind::Rows(GroupMatrices::Panels) || known == Some(lie()))
        && (operands.len() == 3 || RaggedDot::scales_sums(operands))
}

impl Ragged {
    /// The product of group `group`, whose rows are `rows` and whose matrix and scales prologues may compute.
    fn product<'a, T: Streamed, O: Rounded<Acc = T::Acc>>(
        &self,
        frame: &'a Frame<'_>,
        group: usize,
        rows: Range<usize>,
        prologue: Option<&'a BoundPrologue<'a>>,
        scales: Option<&'a BoundPrologue<'a>>,
    ) -> Gemm<'a, T, O> {
        let (lhs, rhs) = (frame.at(self.lhs.loc).cast::<T>(), frame.at(self.rhs.loc).cast::<T>());
        let out = frame.at(self.out.loc).cast::<O>();
        let (inner, last) = (self.lhs.ty.dim(1), self.rhs.ty.rank() - 1);
        let first = lhs.cast_const().wrapping_add(rows.start * inner);
        let (m, n, k, a, b, c) = match self.kind {
            RaggedKind::Rows(lie) => {
                let n = self.out.ty.dim(1);
                let matrix = rhs.cast_const().wrapping_add(group * inner * n);
                let b = match lie {
                    _ if let Some(prologue) = prologue => OperandSource::Prologue(prologue),
                    GroupMatrices::Plain => Strided::row_major(matrix, n).into(),
                    GroupMatrices::Transposed => Strided::col_major(matrix, inner).into(),
                    // SAFETY: each group has a matrix, in panels as this processor reads them.
                    GroupMatrices::Panels => {
                        OperandSource::Panels(unsafe { gemm::PackedPanels::at(matrix, inner, n) })
                    }
                };
                (rows.len(), n, inner, Strided::row_major(first, inner), b, rows.start * n)
            }
            RaggedKind::Contracted => {
                let n = self.rhs.ty.dim(last);
                let b = Strided::row_major(rhs.cast_const().wrapping_add(rows.start * n), n);
                let a = Strided::col_major(first, inner);
                (inner, n, rows.len(), a, b.into(), group * inner * n)
            }
        };
        let c = out.wrapping_add(c);
        let a = a.into();
        let scales = self.parts.as_ref().map(|parts| {
            let first = group * parts.scales.ty.dim(1) * n;
            parts.scales(frame, scales, [first, n])
        });
        Gemm { batch: 1, m, n, k, a, b, c, c_row: n, c_batch: 0, accumulate: false, scales }
    }

    fn all<T: Streamed, O: Rounded<Acc = T::Acc>>(&self, frame: &Frame<'_>) {
        let (count, groups) = (self.lhs.ty.dim(0), self.sizes.ty.dim(0));
        // SAFETY: the sizes are i32s, as inference has checked.
        let sizes = unsafe { std::slice::from_raw_parts(frame.at(self.sizes.loc).cast::<i32>(), groups) };
        let mut end = 0;
        let rows = sizes.iter().map(|&size| {
            let start = end;
            end = count.min(start + usize::try_from(size).unwrap_or(0));
            start..end
        });
        let mut rows: Vec<(usize, Range<usize>)> = rows.enumerate().collect();
        if let RaggedKind::Rows(_) = self.kind {
            rows.retain(|(_, rows)| !rows.is_empty());
            let n = self.out.ty.dim(1);
            let rest = frame.at(self.out.loc).cast::<O>().wrapping_add(end * n);
            // SAFETY: the rows behind the last group.
            unsafe { rest.write_bytes(0, (count - end) * n) };
        }
        // Large groups are shared by all threads, one after another; of the others each thread takes one at a time, the largest first.
        rows.sort_by_key(|(_, rows)| Reverse(rows.len()));
        let threads = frame.device.pool.threads();
        let work = 2 * end * self.lhs.ty.dim(1) * self.out.ty.extents().last().unwrap_or(1);
        let large = match threads == 1 || work < gemm::SMALL {
            true => rows.len(),
            false => rows.partition_point(|(_, rows)| rows.len() * SHARES * threads > end),
        };
        let reads = self.prologues.last().map(|prologue| prologue.reads(frame));
        let matrix = self.lhs.ty.dim(1) * self.out.ty.extents().last().unwrap_or(1);
        let matrices = rows.iter().map(|(group, rows)| {
            let prologue = self.prologues.get(rows.len() - 1).or(self.prologues.last())?;
            Some(prologue.bind(reads.as_ref()?, Side::Right, (group * matrix) as isize, 0))
        });
        let matrices: Vec<Option<BoundPrologue<'_>>> = matrices.collect();
        let of_scales =
            self.parts.as_ref().and_then(|parts| Some((parts.prologue.as_ref()?, parts.scales.ty)));
        let reads_of_scales = of_scales.map(|(prologue, _)| prologue.reads(frame));
        let scales = rows.iter().map(|(group, _)| {
            let (prologue, ty) = of_scales?;
            let first = group * ty.dim(1) * ty.dim(2);
            Some(prologue.bind(reads_of_scales.as_ref()?, Side::Right, first as isize, 0))
        });
        let scales: Vec<Option<BoundPrologue<'_>>> = scales.collect();
        let products = rows.into_iter().zip(&matrices).zip(&scales);
        let products = products.map(|(((group, rows), matrix), scales)| {
            self.product::<T, O>(frame, group, rows, matrix.as_ref(), scales.as_ref())
        });
        let products: Vec<Gemm<'_, T, O>> = products.collect();
        let (pool, (large, small)) = (&frame.device.pool, products.split_at(large));
        // SAFETY: the rows are among those of the left side, and each group has a matrix and rows, or a matrix, of the result.
        let run = |product: &Gemm<'_, T, O>| unsafe { gemm(pool, product, None) };
        large.iter().for_each(run);
        pool.run(small.len(), &|task| run(&small[task]));
    }
}

impl Step<Cpu> for Ragged {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (from, to) = (self.lhs.ty.dtype(), self.out.ty.dtype());
        with_product!(from, to, T, O => self.all::<T, O>(frame))
            .ok_or_else(|| Error::internal(format!("a ragged product of {from} as {to}")))
    }

    fn way(&self) -> Way {
        Way::Product
    }
}

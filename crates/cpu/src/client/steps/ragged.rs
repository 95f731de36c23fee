//! Products of groups of rows whose sizes are known when they run: one matrix product after another, each shared among the threads.

use std::ops::Range;

use jarrah_base::{Error, Result};
use jarrah_hlo::ops::{RaggedDot, RaggedKind};
use jarrah_runtime::Way;

use super::dot::with_product;
use crate::client::frame::{Frame, Step};
use crate::client::site::{Array, Site};
use crate::gemm::{Gemm, Rhs, Rounded, Streamed, Strided, gemm};

struct Ragged {
    kind: RaggedKind,
    lhs: Array,
    rhs: Array,
    sizes: Array,
    out: Array,
}

pub fn step(site: &Site<'_>, op: &RaggedDot) -> Box<dyn Step> {
    let [lhs, rhs, sizes] = [0, 1, 2].map(|i| site.operands[i]);
    Box::new(Ragged { kind: op.kind, lhs, rhs, sizes, out: site.results[0] })
}

impl Ragged {
    /// The product of group `group`, whose rows are `rows`, and the place of its result.
    fn group<T: Streamed, O: Rounded<Acc = T::Acc>>(
        &self,
        frame: &Frame<'_>,
        group: usize,
        rows: Range<usize>,
    ) {
        let (lhs, rhs) = (frame.at(self.lhs.loc).cast::<T>(), frame.at(self.rhs.loc).cast::<T>());
        let out = frame.at(self.out.loc).cast::<O>();
        let (inner, last) = (self.lhs.ty.dim(1), self.rhs.ty.rank() - 1);
        let first = lhs.cast_const().wrapping_add(rows.start * inner);
        let (m, n, k, a, b, c) = match self.kind {
            RaggedKind::Rows { transposed } => {
                let n = self.out.ty.dim(1);
                let matrix = rhs.cast_const().wrapping_add(group * inner * n);
                let b = match transposed {
                    false => Strided::row_major(matrix, n),
                    true => Strided::col_major(matrix, inner),
                };
                (rows.len(), n, inner, Strided::row_major(first, inner), b, rows.start * n)
            }
            RaggedKind::Contracted => {
                let n = self.rhs.ty.dim(last);
                let b = Strided::row_major(rhs.cast_const().wrapping_add(rows.start * n), n);
                (inner, n, rows.len(), Strided::col_major(first, inner), b, group * inner * n)
            }
        };
        let product = Gemm {
            batch: 1,
            m,
            n,
            k,
            a: a.into(),
            b: Rhs::Unpacked(b.into()),
            c: out.wrapping_add(c),
            c_row: n,
            c_batch: 0,
            accumulate: false,
        };
        // SAFETY: the rows are among those of the left side, and each group has a matrix and rows, or a matrix, of the result.
        unsafe { gemm(frame.pool, &product, None) };
    }

    fn all<T: Streamed, O: Rounded<Acc = T::Acc>>(&self, frame: &Frame<'_>) {
        let (count, groups) = (self.lhs.ty.dim(0), self.sizes.ty.dim(0));
        // SAFETY: the sizes are i32s, as inference has checked.
        let sizes = unsafe { std::slice::from_raw_parts(frame.at(self.sizes.loc).cast::<i32>(), groups) };
        let mut end = 0;
        for (group, &size) in sizes.iter().enumerate() {
            let start = end;
            end = count.min(start + usize::try_from(size).unwrap_or(0));
            let empty = matches!(self.kind, RaggedKind::Rows { .. }) && start == end;
            if !empty {
                self.group::<T, O>(frame, group, start..end);
            }
        }
        if let RaggedKind::Rows { .. } = self.kind {
            let n = self.out.ty.dim(1);
            let rest = frame.at(self.out.loc).cast::<O>().wrapping_add(end * n);
            // SAFETY: the rows behind the last group.
            unsafe { rest.write_bytes(0, (count - end) * n) };
        }
    }
}

impl Step for Ragged {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (from, to) = (self.lhs.ty.dtype(), self.out.ty.dtype());
        with_product!(from, to, T, O => self.all::<T, O>(frame))
            .ok_or_else(|| Error::internal(format!("a ragged product of {from} as {to}")))
    }

    fn way(&self) -> Way {
        Way::Product
    }
}

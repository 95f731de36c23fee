use jarrah_base::{Dims, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::Pad;
use crate::example::{Example, varied};
use crate::rules::*;

/// The elements from `starts` up to `limits`, every `strides`-th.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Slice {
    /// The first position along each axis.
    pub starts: Dims,
    /// The position after the last.
    pub limits: Dims,
    /// The distance between neighbours.
    pub strides: Dims,
}

impl Rules for Slice {
    fn name(&self) -> &'static str {
        "slice"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let from = operands[0];
        let dims = from.dims();
        let ranks = [self.starts.len(), self.limits.len(), self.strides.len()];
        if ranks.iter().any(|&r| r != from.rank()) {
            let error = format!(
                "starts, limits and strides have {ranks:?} entries for the {} axes of {from}",
                from.rank()
            );
            return Err(Error::program(error));
        }
        let mut sizes = Dims::new();
        for (axis, &extent) in dims.iter().enumerate() {
            let (start, limit, stride) = (self.starts[axis], self.limits[axis], self.strides[axis]);
            if start > limit {
                return Err(Error::program(format!(
                    "{start}..{limit} along axis {axis} of {from} ends before it begins"
                )));
            }
            if limit > extent || stride == 0 {
                return Err(Error::program(format!(
                    "{start}..{limit} in steps of {stride} does not lie in axis {axis} of {from}"
                )));
            }
            sizes.push((limit - start).div_ceil(stride));
        }
        Ok(TypeVec::from_slice(&[from.with_dims(sizes)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let from = cx.ty(0).dims();
        let sizes = cx.b.ty(ct).dims();
        let zero = cx.b.zeros(Type::scalar(cx.ty(0).dtype()))?;
        let mut pad = Pad { low: SmallVec::new(), high: SmallVec::new(), interior: Dims::new() };
        for axis in 0..from.len() {
            let (start, stride, size) = (self.starts[axis], self.strides[axis], sizes[axis]);
            let covered = if size == 0 { 0 } else { (size - 1) * stride + 1 };
            pad.low.push(start as i64);
            pad.high.push(from[axis] as i64 - (start + covered) as i64);
            pad.interior.push(stride - 1);
        }
        Ok(Transpose::Cotangents(vec![Some(cx.b.one(pad, &[ct, zero])?)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut slice = self.clone();
        slice.starts.insert(0, 0);
        slice.limits.insert(0, cx.size);
        slice.strides.insert(0, 1);
        Ok(Batch::Results(vec![Batched::yes(cx.b.one(slice, &[cx.operands[0].value])?)]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let (from, to) = (cx.operands[0], cx.results[0]);
        let Some(RowGrowth { axis, .. }) = from.or(to) else { return Ok(Rows::Alike) };
        let limits = Slice { limits: self.limits.clone(), ..fewer.clone() };
        let others_differ = (0..self.limits.len()).any(|a| a != axis && self.limits[a] != fewer.limits[a]);
        if *self != limits || others_differ {
            return Ok(Rows::Alike);
        }
        Ok(match (from, to) {
            // As many of the first as there are rows.
            (None, Some(_)) => Rows::Apart,
            // The first rows, of which there are as many over fewer rows.
            (Some(_), None) if self.limits[axis] == fewer.limits[axis] => Rows::Apart,
            // Of each row the same positions.
            (Some(from), Some(to))
                if self.starts[axis] < self.strides[axis] && from.each == self.strides[axis] * to.each =>
            {
                Rows::Apart
            }
            _ => Rows::Refuse("it takes rows by their distance from the last"),
        })
    }

    fn cost(&self, _: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(results, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The elements from `starts` up to `limits`, every `strides`-th.",
            source: "StableHLO specification, slice",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let op = |starts: &[usize], limits: &[usize], strides: &[usize]| Slice {
            starts: Dims::from_slice(starts),
            limits: Dims::from_slice(limits),
            strides: Dims::from_slice(strides),
        };
        vec![
            Example::new("block", op(&[1, 0], &[3, 2], &[1, 1]), vec![varied(&[3, 4], -1.0, 1.0)]),
            Example::new("every third", op(&[1], &[8], &[3]), vec![varied(&[9], -1.0, 1.0)]),
            Example::new("nothing", op(&[2], &[2], &[1]), vec![varied(&[4], -1.0, 1.0)]),
        ]
    }
}

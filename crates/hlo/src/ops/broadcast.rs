use jarrah_base::{Dims, Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::Axes;
use crate::example::{Example, varied};
use crate::rules::*;

/// The operand repeated along new axes and along those where its extent is one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct BroadcastInDim {
    /// The extents of the result.
    pub dims: Dims,
    /// The result axis of each operand axis, increasing.
    pub axes: Axes,
}

impl Rules for BroadcastInDim {
    fn name(&self) -> &'static str {
        "broadcast_in_dim"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let from = operands[0];
        let to = from.with_dims(self.dims.iter().copied());
        if self.axes.len() != from.rank() {
            let error = format!("{} axes are named for the {} of {from}", self.axes.len(), from.rank());
            return Err(Error::program(error));
        }
        if self.axes.windows(2).any(|w| w[0] >= w[1]) || self.axes.last().is_some_and(|&a| a >= to.rank()) {
            return Err(Error::program(format!("axes {:?} are not increasing axes of {to}", &self.axes[..])));
        }
        for (i, &axis) in self.axes.iter().enumerate() {
            let extent = from.dim(i);
            if extent != 1 && extent != to.dim(axis) {
                return Err(Error::program(format!(
                    "axis {i} of {from} is {extent}, which cannot become {} in {to}",
                    to.dim(axis)
                ))
                .help("an axis is repeated only if its extent is 1"));
            }
        }
        Ok(TypeVec::from_slice(&[to]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let (ct, ty) = (cx.cotangent()?, cx.ty(0));
        Ok(Transpose::Cotangents(vec![Some(cx.b.sum_to(ct, ty, &self.axes)?)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut dims = self.dims.clone();
        dims.insert(0, cx.size);
        let axes: Axes = std::iter::once(0).chain(self.axes.iter().map(|a| a + 1)).collect();
        let result = cx.b.one(BroadcastInDim { dims, axes }, &[cx.operands[0].value])?;
        Ok(Batch::Results(vec![Batched::yes(result)]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let moved = |from: RowGrowth| RowGrowth { axis: self.axes[from.axis], ..from };
        if self.axes != fewer.axes || (cx.operands[0].is_some() && cx.operands[0].map(moved) != cx.results[0])
        {
            return Ok(Rows::Refuse("it repeats rows"));
        }
        Ok(Rows::Apart)
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The operand repeated along new axes and along those where its extent is one.",
            source: "StableHLO specification, broadcast_in_dim",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let op = |dims: &[usize], axes: &[usize]| BroadcastInDim {
            dims: Dims::from_slice(dims),
            axes: Axes::from_slice(axes),
        };
        vec![
            Example::new("scalar", op(&[2, 3], &[]), vec![varied(&[], -1.0, 1.0)]),
            Example::new("row", op(&[2, 3], &[1]), vec![varied(&[3], -1.0, 1.0)]),
            Example::new("column", op(&[2, 3], &[0]), vec![varied(&[2], -1.0, 1.0)]),
            Example::new("extent one", op(&[2, 4, 3], &[0, 2]), vec![varied(&[2, 1], -1.0, 1.0)]),
        ]
    }
}

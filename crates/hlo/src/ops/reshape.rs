use jarrah_base::{Dims, Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::Axes;
use crate::example::{Example, varied};
use crate::rules::*;

/// The elements of the operand, in row-major order, under other extents.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Reshape {
    /// The extents.
    pub dims: Dims,
}

/// The axes in another order: axis `i` of the result is axis `permutation[i]` of the operand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TransposeAxes {
    /// The order.
    pub permutation: Axes,
}

/// The elements in opposite order along some axes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Reverse {
    /// The axes.
    pub axes: Axes,
}

impl Rules for Reshape {
    fn name(&self) -> &'static str {
        "reshape"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let from = operands[0];
        let to = from.with_dims(self.dims.iter().copied());
        if from != to && from.elements()? != to.elements()? {
            let (a, b) = (from.elements()?, to.elements()?);
            return Err(Error::program(format!("{from} has {a} elements, {to} has {b}")));
        }
        Ok(TypeVec::from_slice(&[to]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let (ct, ty) = (cx.cotangent()?, cx.ty(0));
        Ok(Transpose::Cotangents(vec![Some(cx.b.reshape(ct, &ty.dims())?)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut dims = self.dims.clone();
        dims.insert(0, cx.size);
        Ok(Batch::Results(vec![Batched::yes(cx.b.reshape(cx.operands[0].value, &dims)?)]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let (Some(from), Some(to)) = (cx.operands[0], cx.results[0]) else { return Ok(Rows::Alike) };
        // The elements of rows are runs, as many as the extents in front say; these must be the same runs in the result.
        let runs: [usize; 2] =
            [cx.types[0][0].extents().take(from.axis).product(), self.dims[..to.axis].iter().product()];
        Ok(match runs {
            [before, after] if before == after => Rows::Apart,
            _ => Rows::Refuse("it merges the rows into an axis in front of them, or parts that from them"),
        })
    }

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        Ok(Cost::default())
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The same elements in row-major order under other extents.",
            source: "StableHLO specification, reshape",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let op = |dims: &[usize]| Reshape { dims: Dims::from_slice(dims) };
        vec![
            Example::new("to vector", op(&[6]), vec![varied(&[2, 3], -1.0, 1.0)]),
            Example::new("to matrix", op(&[3, 4]), vec![varied(&[2, 6], -1.0, 1.0)]),
            Example::new("to scalar", op(&[]), vec![varied(&[1, 1], -1.0, 1.0)]),
        ]
    }
}

impl Rules for TransposeAxes {
    fn name(&self) -> &'static str {
        "transpose"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let from = operands[0];
        let mut sorted = self.permutation.clone();
        sorted.sort_unstable();
        if sorted.len() != from.rank() || sorted.iter().enumerate().any(|(i, &a)| i != a) {
            let error = format!("{:?} is no permutation of the axes of {from}", &self.permutation[..]);
            return Err(Error::program(error));
        }
        let dims = self.permutation.iter().map(|&a| from.dim(a));
        Ok(TypeVec::from_slice(&[from.with_dims(dims)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let mut inverse: Axes = self.permutation.iter().map(|_| 0).collect();
        for (i, &axis) in self.permutation.iter().enumerate() {
            inverse[axis] = i;
        }
        Ok(Transpose::Cotangents(vec![Some(cx.b.transpose(ct, &inverse)?)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let order: Axes = std::iter::once(0).chain(self.permutation.iter().map(|a| a + 1)).collect();
        Ok(Batch::Results(vec![Batched::yes(cx.b.transpose(cx.operands[0].value, &order)?)]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Alike);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs { summary: "The axes in another order.", source: "StableHLO specification, transpose" }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let op = |axes: &[usize]| TransposeAxes { permutation: Axes::from_slice(axes) };
        vec![
            Example::new("matrix", op(&[1, 0]), vec![varied(&[2, 3], -1.0, 1.0)]),
            Example::new("heads", op(&[0, 2, 1, 3]), vec![varied(&[2, 3, 2, 2], -1.0, 1.0)]),
        ]
    }
}

impl Rules for Reverse {
    fn name(&self) -> &'static str {
        "reverse"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let axes = &self.axes;
        if axes.windows(2).any(|w| w[0] >= w[1]) || axes.last().is_some_and(|&a| a >= operands[0].rank()) {
            return Err(Error::program(format!(
                "{:?} are not increasing axes of {}",
                &axes[..],
                operands[0]
            )));
        }
        Ok(TypeVec::from_slice(operands))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        Ok(Transpose::Cotangents(vec![Some(cx.b.one(self.clone(), &[ct])?)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let axes = self.axes.iter().map(|a| a + 1).collect();
        Ok(Batch::Results(vec![Batched::yes(cx.b.one(Reverse { axes }, &[cx.operands[0].value])?)]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let meets = cx.operands[0].is_some_and(|growth| self.axes.contains(&growth.axis));
        Ok(if meets { Rows::Refuse("it reverses the rows") } else { Rows::Alike })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The elements in opposite order along some axes.",
            source: "StableHLO specification, reverse",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let op = |axes: &[usize]| Reverse { axes: Axes::from_slice(axes) };
        vec![
            Example::new("columns", op(&[1]), vec![varied(&[2, 3], -1.0, 1.0)]),
            Example::new("both axes", op(&[0, 1]), vec![varied(&[2, 3], -1.0, 1.0)]),
        ]
    }
}

use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::Axes;
use crate::example::{Example, varied};
use crate::program::Value;
use crate::rules::*;

/// Sums of products along the contracted axes; the result has the batch axes, then the free ones of each side.
///
/// `out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, n, k]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct DotGeneral {
    /// Batch axes of the left side.
    pub lhs_batch: Axes,
    /// Batch axes of the right side, in the same order.
    pub rhs_batch: Axes,
    /// Contracted axes of the left side.
    pub lhs_contract: Axes,
    /// Contracted axes of the right side, in the same order.
    pub rhs_contract: Axes,
    /// The element type of the result, at least as wide as that of the operands.
    pub out: DType,
}

impl DotGeneral {
    /// The product of two matrices or of two stacks of them: contracts the last axis of the left with the last but
    /// one of the right.
    pub fn matmul(batch: usize, out: DType) -> Self {
        let axes: Axes = (0..batch).collect();
        DotGeneral {
            lhs_batch: axes.clone(),
            rhs_batch: axes,
            lhs_contract: Axes::from_slice(&[batch + 1]),
            rhs_contract: Axes::from_slice(&[batch]),
            out,
        }
    }

    /// The axes of the left side that are neither batch nor contracted, of `rank` in all.
    pub fn lhs_free(&self, rank: usize) -> Axes {
        free(rank, &self.lhs_batch, &self.lhs_contract)
    }

    /// The axes of the right side that are neither batch nor contracted, of `rank` in all.
    pub fn rhs_free(&self, rank: usize) -> Axes {
        free(rank, &self.rhs_batch, &self.rhs_contract)
    }

    /// The product with its operands exchanged; only the order of the result's axes differs.
    fn flipped(&self) -> DotGeneral {
        DotGeneral {
            lhs_batch: self.rhs_batch.clone(),
            rhs_batch: self.lhs_batch.clone(),
            lhs_contract: self.rhs_contract.clone(),
            rhs_contract: self.lhs_contract.clone(),
            out: self.out,
        }
    }

    /// The cotangent of the left side, of type `lhs`, from that of the result, whose axes are batch, left free, right
    /// free if `!flipped` and batch, right free, left free otherwise.
    fn lhs_cotangent(
        &self,
        cx: &mut TransposeCx<'_>,
        lhs: Type,
        rhs: Value,
        ct: Value,
        flipped: bool,
    ) -> Result<Value> {
        let rhs_ty = cx.b.ty(rhs);
        let (lhs_free, rhs_free) = (self.lhs_free(lhs.rank()), self.rhs_free(rhs_ty.rank()));
        let batch = self.lhs_batch.len();
        let after_batch = |n: usize, skip: usize| -> Axes { (batch + skip..batch + skip + n).collect() };
        let ct_rhs_free = if flipped {
            after_batch(rhs_free.len(), 0)
        } else {
            after_batch(rhs_free.len(), lhs_free.len())
        };
        let ct_dtype = cx.b.ty(ct).dtype();
        let rhs = cx.b.convert(rhs, ct_dtype)?;
        let dot = DotGeneral {
            lhs_batch: (0..batch).collect(),
            rhs_batch: self.rhs_batch.clone(),
            lhs_contract: ct_rhs_free,
            rhs_contract: rhs_free,
            out: ct_dtype,
        };
        let product = cx.b.one(dot, &[ct, rhs])?;
        // The product's axes are batch, left free, then the contracted axes in the order they have on the right.
        let mut contracted: Vec<(usize, usize)> =
            self.rhs_contract.iter().copied().zip(self.lhs_contract.iter().copied()).collect();
        contracted.sort_unstable();
        let order =
            self.lhs_batch.iter().copied().chain(lhs_free).chain(contracted.into_iter().map(|(_, l)| l));
        let mut permutation: Axes = (0..lhs.rank()).collect();
        for (position, axis) in order.enumerate() {
            permutation[axis] = position;
        }
        let product = cx.b.transpose(product, &permutation)?;
        cx.b.convert(product, lhs.dtype())
    }
}

fn free(rank: usize, batch: &[usize], contract: &[usize]) -> Axes {
    (0..rank).filter(|a| !batch.contains(a) && !contract.contains(a)).collect()
}

fn check_axes(side: &str, ty: Type, batch: &[usize], contract: &[usize]) -> Result<()> {
    let all: Axes = batch.iter().chain(contract).copied().collect();
    for (i, &axis) in all.iter().enumerate() {
        if axis >= ty.rank() {
            return Err(Error::program(format!("{side} {ty} has no axis {axis}")));
        }
        if all[..i].contains(&axis) {
            return Err(Error::program(format!("axis {axis} of {side} {ty} is named twice")));
        }
    }
    Ok(())
}

impl Rules for DotGeneral {
    fn name(&self) -> &'static str {
        "dot_general"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 2)?;
        let (lhs, rhs) = (operands[0], operands[1]);
        if lhs.dtype() != rhs.dtype() {
            let error = format!("dtypes differ: lhs {lhs}, rhs {rhs}");
            return Err(Error::program(error).help("convert one of them"));
        }
        check_axes("lhs", lhs, &self.lhs_batch, &self.lhs_contract)?;
        check_axes("rhs", rhs, &self.rhs_batch, &self.rhs_contract)?;
        let pairs = [
            ("contracting", &self.lhs_contract, &self.rhs_contract),
            ("batch", &self.lhs_batch, &self.rhs_batch),
        ];
        for (what, l, r) in pairs {
            if l.len() != r.len() {
                let error = format!("{} {what} axes of lhs {lhs} meet {} of rhs {rhs}", l.len(), r.len());
                return Err(Error::program(error));
            }
            for (&a, &b) in l.iter().zip(r) {
                if lhs.dim(a) != rhs.dim(b) {
                    let (m, n) = (lhs.dim(a), rhs.dim(b));
                    return Err(Error::program(format!(
                        "{what} dimensions differ: lhs {lhs} axis {a} is {m}, rhs {rhs} axis {b} is {n}"
                    )));
                }
            }
        }
        let batch = self.lhs_batch.iter().map(|&a| lhs.dim(a));
        let left = self.lhs_free(lhs.rank()).into_iter().map(|a| lhs.dim(a));
        let right = self.rhs_free(rhs.rank()).into_iter().map(|a| rhs.dim(a));
        Ok(TypeVec::from_slice(&[Type::tensor(self.out, batch.chain(left).chain(right))]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(if self.out.is_differentiable() { Jvp::Bilinear } else { Jvp::Zero })
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        if cx.is_linear(0) {
            let (lhs, rhs) = (cx.ty(0), cx.known(1)?);
            let ct = self.lhs_cotangent(cx, lhs, rhs, ct, false)?;
            return Ok(Transpose::Cotangents(vec![Some(ct), None]));
        }
        let (lhs, rhs) = (cx.known(0)?, cx.ty(1));
        let ct = self.flipped().lhs_cotangent(cx, rhs, lhs, ct, true)?;
        Ok(Transpose::Cotangents(vec![None, Some(ct)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let shift = |axes: &Axes, by: bool| -> Axes { axes.iter().map(|a| a + usize::from(by)).collect() };
        let (lhs, rhs) = (cx.operands[0], cx.operands[1]);
        let mut dot = DotGeneral {
            lhs_batch: shift(&self.lhs_batch, lhs.batched),
            rhs_batch: shift(&self.rhs_batch, rhs.batched),
            lhs_contract: shift(&self.lhs_contract, lhs.batched),
            rhs_contract: shift(&self.rhs_contract, rhs.batched),
            out: self.out,
        };
        // A batch axis on one side only is a free axis there: the first, so its place in the result is known.
        let place = if lhs.batched && rhs.batched {
            dot.lhs_batch.insert(0, 0);
            dot.rhs_batch.insert(0, 0);
            0
        } else if lhs.batched {
            self.lhs_batch.len()
        } else {
            self.lhs_batch.len() + self.lhs_free(cx.ty(0).rank()).len()
        };
        let result = cx.b.one(dot, &[lhs.value, rhs.value])?;
        Ok(Batch::Results(vec![Batched::yes(cx.b.move_axis(result, place, 0)?)]))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let sums = |side: usize, axes: &[usize]| cx.operands[side].is_some_and(|g| axes.contains(&g.axis));
        let meets = sums(0, &self.lhs_contract) || sums(1, &self.rhs_contract);
        Ok(if meets { Rows::Refuse("it sums over the rows") } else { Rows::Alike })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let mut flops = 2.0 * results[0].elements()? as f64;
        for &axis in &self.lhs_contract {
            flops *= operands[0].dim(axis) as f64;
        }
        Cost::new(flops, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Sums of products along the contracted axes: `out[b,m,n] = sum_k lhs[b,m,k] rhs[b,n,k]`.",
            source: "StableHLO specification, dot_general",
        }
    }

    no_programs!();
    pure!(Save);

    fn precision(&self) -> Precision {
        Precision::Accumulate
    }

    fn examples() -> Vec<Example> {
        let axes = Axes::from_slice;
        let heads = DotGeneral {
            lhs_batch: axes(&[0, 2]),
            rhs_batch: axes(&[0, 2]),
            lhs_contract: axes(&[3]),
            rhs_contract: axes(&[3]),
            out: DType::F32,
        };
        let outer = DotGeneral {
            lhs_batch: axes(&[]),
            rhs_batch: axes(&[]),
            lhs_contract: axes(&[]),
            rhs_contract: axes(&[]),
            out: DType::F32,
        };
        let two = DotGeneral { lhs_contract: axes(&[0, 2]), rhs_contract: axes(&[2, 1]), ..outer.clone() };
        vec![
            Example::new(
                "matrix product",
                DotGeneral::matmul(0, DType::F32),
                vec![varied(&[2, 3], -1.0, 1.0), varied(&[3, 4], -1.0, 1.0)],
            ),
            Example::new(
                "stack of products",
                DotGeneral::matmul(1, DType::F32),
                vec![varied(&[2, 2, 3], -1.0, 1.0), varied(&[2, 3, 2], -1.0, 1.0)],
            ),
            Example::new(
                "attention scores",
                heads,
                vec![varied(&[1, 3, 2, 4], -1.0, 1.0), varied(&[1, 5, 2, 4], -1.0, 1.0)],
            ),
            Example::new("outer product", outer, vec![varied(&[3], -1.0, 1.0), varied(&[2], -1.0, 1.0)]),
            Example::new(
                "two contracted axes",
                two,
                vec![varied(&[2, 4, 3], -1.0, 1.0), varied(&[5, 3, 2], -1.0, 1.0)],
            ),
        ]
    }
}

//! A batch of attentions is an attention of more sequences.

use jarrah_base::{Result, product};

use super::{Attention, AttentionKind, AttentionMoves, AttentionOperand};
use crate::ops::ElementwiseKind;
use crate::program::{Operands, Value};
use crate::rules::*;

pub(super) fn batch(op: &Attention, cx: &mut BatchCx<'_>) -> Result<Batch> {
    let moves = match op.kind {
        AttentionKind::Forward => None,
        AttentionKind::Tangent(moves) | AttentionKind::Transpose(moves) => Some(moves),
    };
    let merging = Merging { op, sequences: cx.ty(0).dim(0), pools: pools_are_batched(op, cx) };
    let list = op.inputs.list();
    let mut operands = Operands::new();
    for i in 0..cx.operands.len() {
        operands.push(match list.get(i) {
            Some(&operand) => merging.input(cx, i, operand, moves.unwrap_or_default())?,
            None => merging.derived(cx, i)?,
        });
    }
    let ours = result_types(op, cx)?;
    let mut results = Vec::new();
    for (value, ty) in cx.b.push(op.clone(), &operands)?.into_iter().zip(ours) {
        results.push(Batched::yes(merging.separate(cx, value, ty.dims()[0])?));
    }
    Ok(Batch::Results(results))
}

fn result_types(op: &Attention, cx: &BatchCx<'_>) -> Result<TypeVec> {
    let types: TypeVec = (0..cx.operands.len()).map(|i| cx.ty(i)).collect();
    op.infer(&types)
}

/// Whether what lies in pages differs along the batch.
fn pools_are_batched(op: &Attention, cx: &BatchCx<'_>) -> bool {
    let list = op.inputs.list();
    op.inputs.pages && (0..list.len()).any(|i| is_pool(list[i]) && cx.operands[i].batched)
}

/// Whether an operand lies in pages, where there are any.
fn is_pool(operand: AttentionOperand) -> bool {
    matches!(
        operand,
        AttentionOperand::Key
            | AttentionOperand::Value
            | AttentionOperand::KeyScales
            | AttentionOperand::ValueScales
    )
}

struct Merging<'a> {
    op: &'a Attention,
    /// The sequences of each element of the batch, B.
    sequences: usize,
    pools: bool,
}

impl Merging<'_> {
    fn input(
        &self,
        cx: &mut BatchCx<'_>,
        i: usize,
        operand: AttentionOperand,
        moves: AttentionMoves,
    ) -> Result<Value> {
        let Batched { value, batched } = cx.operands[i];
        match operand {
            _ if self.op.inputs.pages && is_pool(operand) && !self.pools => Ok(value),
            AttentionOperand::Pages => self.pages(cx, i),
            AttentionOperand::Mask
            | AttentionOperand::Bias
            | AttentionOperand::Sinks
            | AttentionOperand::Multiplier => {
                let moves = match operand {
                    AttentionOperand::Bias => moves.bias,
                    AttentionOperand::Sinks => moves.sinks,
                    _ => false,
                };
                let repeats = cx.ty(i).dim(0) == 1;
                if !batched && !moves && repeats { Ok(value) } else { self.each(cx, i) }
            }
            _ => merge(cx, i),
        }
    }

    /// An operand behind the inputs: tangents of what repeats along the sequences are given for each, as that is.
    fn derived(&self, cx: &mut BatchCx<'_>, i: usize) -> Result<Value> {
        if cx.ty(i).rank() > 0 && cx.ty(i).dim(0) == 1 { self.each(cx, i) } else { merge(cx, i) }
    }

    /// The operand `i` for each sequence of each element of the batch.
    fn each(&self, cx: &mut BatchCx<'_>, i: usize) -> Result<Value> {
        let value = cx.batched(i)?;
        let mut dims = cx.b.ty(value).dims();
        dims[1] = self.sequences;
        let axes: Vec<usize> = (0..dims.len()).collect();
        let value = cx.b.broadcast_in_dim(value, &dims, &axes)?;
        merged(cx, value)
    }

    /// The table of pages, in which the pages of an element of the batch follow those of the elements before, if each has
    /// its own.
    fn pages(&self, cx: &mut BatchCx<'_>, i: usize) -> Result<Value> {
        let table = cx.batched(i)?;
        if !self.pools {
            return merged(cx, table);
        }
        let (ty, count) = (cx.b.ty(table), cx.ty(1).dim(0));
        let (first, last) = (cx.b.zeros(ty)?, cx.b.full(ty, count as f64 - 1.0)?);
        let table = cx.b.binary(ElementwiseKind::Maximum, table, first)?;
        let table = cx.b.binary(ElementwiseKind::Minimum, table, last)?;
        let element = cx.b.iota(ty, 0)?;
        let count = cx.b.full(ty, count as f64)?;
        let before = cx.b.mul(element, count)?;
        let table = cx.b.add(table, before)?;
        merged(cx, table)
    }

    /// A result for each element of the batch, whose leading extent is `leading` there: the sequences, or 1 if they are
    /// summed.
    fn separate(&self, cx: &mut BatchCx<'_>, value: Value, leading: usize) -> Result<Value> {
        let ty = cx.b.ty(value);
        let dims: Vec<usize> = [cx.size, self.sequences].into_iter().chain(ty.extents().skip(1)).collect();
        let value = cx.b.reshape(value, &dims)?;
        if leading == self.sequences {
            return Ok(value);
        }
        let summed = cx.b.sum(value, &[1])?;
        let dims: Vec<usize> = [cx.size, 1].into_iter().chain(ty.extents().skip(1)).collect();
        cx.b.reshape(summed, &dims)
    }
}

/// The operand `i` with the batch in front of the sequences.
fn merge(cx: &mut BatchCx<'_>, i: usize) -> Result<Value> {
    let value = cx.batched(i)?;
    merged(cx, value)
}

fn merged(cx: &mut BatchCx<'_>, value: Value) -> Result<Value> {
    let dims = cx.b.ty(value).dims();
    let merged: Vec<usize> =
        std::iter::once(product(dims[0], dims[1])?).chain(dims[2..].iter().copied()).collect();
    cx.b.reshape(value, &merged)
}

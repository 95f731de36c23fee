//! Contractions whose groups of axes each have one stride, and reductions in a form that kernels have.
//!
//! `reduce(x) = reduce(transpose(x))` with the reduced axes last, in their order, where they are not adjacent.
//!
//! `dot(x, y) = dot(transpose(x), y)` with the axes renamed: a transpose is inserted where the free or the contracted
//! axes of an operand are not adjacent and in order in memory. Batch axes may stand anywhere. A product of `f32` or
//! `f64` with another result type is one with the operands' type, converted.

use jarrah_base::{DType, Result, Type};
use jarrah_hlo::ops::{Axes, Convert, DotGeneral, Reduce, Reducer};
use jarrah_hlo::{Builder, Op, Program, Value};

use crate::fusion::reduction_form;
use crate::rebuild::{Memo, rebuild};

pub fn run(program: &Program) -> Result<Program> {
    pass(program, &mut Memo::default())
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    rebuild(program, |b, instr, operands| match &instr.op {
        Op::DotGeneral(dot) => {
            let (lhs_ty, rhs_ty) = (b.ty(operands[0]), b.ty(operands[1]));
            let lhs_free = dot.lhs_free(lhs_ty.rank());
            let rhs_free = dot.rhs_free(rhs_ty.rank());
            let (lhs, lhs_batch, lhs_contract) =
                side(b, operands[0], &dot.lhs_batch, &lhs_free, &dot.lhs_contract)?;
            let (rhs, rhs_batch, rhs_contract) =
                side(b, operands[1], &dot.rhs_batch, &rhs_free, &dot.rhs_contract)?;
            // `f32` and `f64` products sum in their own type; a `Convert` rounds the sums to another type.
            let sums = lhs_ty.dtype().accumulator();
            let rounded = matches!(lhs_ty.dtype(), DType::F32 | DType::F64) && dot.out != sums;
            let out = if rounded { sums } else { dot.out };
            let results =
                b.push(DotGeneral { lhs_batch, rhs_batch, lhs_contract, rhs_contract, out }, &[lhs, rhs])?;
            if !rounded {
                return Ok(results);
            }
            b.push(Convert { to: dot.out }, &results)
        }
        Op::Reduce(reduce) if !matches!(reduce.reducer, Reducer::General(_)) => {
            let ty = b.ty(operands[0]);
            if reduction_form(&ty.dims(), &reduce.axes).is_some() {
                return Ok(b.copy(program, instr, operands));
            }
            let kept = (0..ty.rank()).filter(|a| !reduce.axes.contains(a));
            let order: Axes = kept.chain(reduce.axes.iter().copied()).collect();
            let value = b.transpose(operands[0], &order)?;
            let axes = (ty.rank() - reduce.axes.len()..ty.rank()).collect();
            b.push(Reduce { reducer: reduce.reducer.clone(), axes }, &[value])
        }
        op => match memo.apply_inside(op, pass)? {
            Some(op) => b.push(op, operands),
            None => Ok(b.copy(program, instr, operands)),
        },
    })
}

fn side(
    b: &mut Builder,
    value: Value,
    batch: &[usize],
    free: &[usize],
    contract: &[usize],
) -> Result<(Value, Axes, Axes)> {
    let ty = b.ty(value);
    if collapses(ty, free) && collapses(ty, contract) {
        return Ok((value, batch.into(), contract.into()));
    }
    let order: Axes = batch.iter().chain(free).chain(contract).copied().collect();
    let value = b.transpose(value, &order)?;
    let (first, last) = (batch.len(), batch.len() + free.len());
    Ok((value, (0..first).collect(), (last..order.len()).collect()))
}

/// Whether these axes, in this order, are adjacent in a contiguous array; axes of extent one do not count.
fn collapses(ty: Type, axes: &[usize]) -> bool {
    let long = |axis: usize| ty.dim(axis) != 1;
    let axes: Axes = axes.iter().copied().filter(|&a| long(a)).collect();
    axes.windows(2).all(|w| w[0] < w[1] && (w[0] + 1..w[1]).all(|between| !long(between)))
}

//! Contractions whose groups of axes each have one stride, and reductions in a form that kernels have.
//!
//! `reduce(x) = reduce(transpose(x))` with the reduced axes last, in their order, where they are not adjacent.
//!
//! `dot(x, y) = dot(transpose(x), y)` with the axes renamed: a transpose is inserted where the free or the contracted
//! axes of an operand are not adjacent and in order in memory. Batch axes may stand anywhere. A product of `f32` or
//! `f64` with another result type is one with the operands' type, converted.
//!
//! `bitcast(transpose(x)) = or of x[i] << i bits` where the parts `i` of the elements of an integer are an axis of `x`: kernels read the slices of
//! `x`, and no array of the parts next to one another is made.

use jarrah_base::{DType, Result, Type};
use jarrah_hlo::ops::{Axes, BitcastConvert, Convert, DotGeneral, ElementwiseKind, Reduce, Reducer};
use jarrah_hlo::{Builder, Op, Program, Value};

use crate::rebuild::{Memo, rebuild};
use crate::reduction;
use crate::target::Target;

pub fn run(program: &Program, target: &dyn Target) -> Result<Program> {
    pass(program, target, &mut Memo::default())
}

fn pass(program: &Program, target: &dyn Target, memo: &mut Memo) -> Result<Program> {
    rebuild(program, |b, instr, operands| match &instr.op {
        Op::DotGeneral(dot) => {
            // Products of `f32`, `f64` and complex numbers sum in their own type; a `Convert` rounds the sums to another type.
            let from = b.ty(operands[0]).dtype();
            let sums = from.accumulator();
            let exact = from.is_complex() || matches!(from, DType::F32 | DType::F64);
            let rounded = exact && dot.out != sums;
            let out = if rounded { sums } else { dot.out };
            let result = program.ty(instr.result()).with_dtype(out);
            let product = DotGeneral { out, ..DotGeneral::clone(dot) };
            let (product, sides) = laid_out(b, product, [operands[0], operands[1]], result, target)?;
            let results = b.push(product, &sides)?;
            if !rounded {
                return Ok(results);
            }
            b.push(Convert { to: dot.out }, &results)
        }
        Op::Reduce(reduce) if !matches!(reduce.reducer, Reducer::General(_)) => {
            let ty = b.ty(operands[0]);
            let in_loops = target.loops(&instr.op, &[ty], &[program.ty(instr.result())]);
            if !in_loops || reduction::form(&ty.dims(), &reduce.axes).is_some() {
                return Ok(b.copy(program, instr, operands));
            }
            let kept = (0..ty.rank()).filter(|a| !reduce.axes.contains(a));
            let order: Axes = kept.chain(reduce.axes.iter().copied()).collect();
            let value = b.transpose(operands[0], &order)?;
            let axes = (ty.rank() - reduce.axes.len()..ty.rank()).collect();
            b.push(Reduce { reducer: reduce.reducer.clone(), axes }, &[value])
        }
        Op::BitcastConvert(op) => match joined(b, op.to, operands[0])? {
            Some(value) => Ok(std::iter::once(value).collect()),
            None => Ok(b.copy(program, instr, operands)),
        },
        op => match memo.apply_inside(op, |program, memo| pass(program, target, memo))? {
            Some(op) => b.push(op, operands),
            None => Ok(b.copy(program, instr, operands)),
        },
    })
}

/// The integers of type `to` whose parts a transpose puts next to one another, from the slices that have them; `None` where `x` is no such transpose.
fn joined(b: &mut Builder, to: DType, x: Value) -> Result<Option<Value>> {
    let unsigned = |dtype: DType| {
        Some(match dtype {
            DType::I8 | DType::U8 => DType::U8,
            DType::I16 | DType::U16 => DType::U16,
            DType::I32 | DType::U32 => DType::U32,
            _ => return None,
        })
    };
    let ty = b.ty(x);
    let (Some(part), Some(whole)) = (unsigned(ty.dtype()), unsigned(to)) else { return Ok(None) };
    let Some(instr) = b.definition(x).filter(|_| part.size() < whole.size()) else { return Ok(None) };
    let (Op::TransposeAxes(op), &[parts]) = (&instr.op, &instr.operands[..]) else { return Ok(None) };
    let (others, axis) = (&op.permutation[..ty.rank() - 1], op.permutation[ty.rank() - 1]);
    if !others.is_sorted() {
        return Ok(None);
    }
    let (from, dims) = (b.ty(parts), ty.dims()[..ty.rank() - 1].to_vec());
    let mut sum = None;
    for i in 0..from.dim(axis) {
        let (mut starts, mut limits) = (vec![0; from.rank()], from.dims().to_vec());
        (starts[axis], limits[axis]) = (i, i + 1);
        let x = b.slice(parts, &starts, &limits)?;
        let x = b.reshape(x, &dims)?;
        let x = if from.dtype() == part { x } else { b.one(BitcastConvert { to: part }, &[x])? };
        let mut x = b.convert(x, whole)?;
        if i > 0 {
            let bits = b.full(b.ty(x), (8 * part.size() * i) as f64)?;
            x = b.binary(ElementwiseKind::ShiftLeft, x, bits)?;
        }
        sum = Some(match sum {
            Some(sum) => b.binary(ElementwiseKind::Or, sum, x)?,
            None => x,
        });
    }
    match sum {
        Some(sum) if whole != to => Ok(Some(b.one(BitcastConvert { to }, &[sum])?)),
        sum => Ok(sum),
    }
}

/// The product with operands that the target reads: as they are, or else with one side transposed, or both.
fn laid_out(
    b: &mut Builder,
    dot: DotGeneral,
    operands: [Value; 2],
    result: Type,
    target: &dyn Target,
) -> Result<(DotGeneral, [Value; 2])> {
    let types = operands.map(|v| b.ty(v));
    let free = [dot.lhs_free(types[0].rank()), dot.rhs_free(types[1].rank())];
    let order = |batch: &Axes, free: &Axes, contract: &Axes| -> Axes {
        batch.iter().chain(free).chain(contract).copied().collect()
    };
    let orders = [
        order(&dot.lhs_batch, &free[0], &dot.lhs_contract),
        order(&dot.rhs_batch, &free[1], &dot.rhs_contract),
    ];
    let batch: Axes = (0..dot.lhs_batch.len()).collect();
    let contract = |side: usize| -> Axes { (batch.len() + free[side].len()..types[side].rank()).collect() };
    for [turn_lhs, turn_rhs] in [[false, false], [true, false], [false, true], [true, true]] {
        let (mut turned, mut turned_types) = (dot.clone(), types);
        if turn_lhs {
            (turned.lhs_batch, turned.lhs_contract) = (batch.clone(), contract(0));
            turned_types[0] = types[0].with_dims(orders[0].iter().map(|&axis| types[0].dim(axis)));
        }
        if turn_rhs {
            (turned.rhs_batch, turned.rhs_contract) = (batch.clone(), contract(1));
            turned_types[1] = types[1].with_dims(orders[1].iter().map(|&axis| types[1].dim(axis)));
        }
        let last = turn_lhs && turn_rhs;
        if last || target.runs(&Op::from(turned.clone()), &turned_types, &[result]) {
            let [mut lhs, mut rhs] = operands;
            if turn_lhs {
                lhs = b.transpose(lhs, &orders[0])?;
            }
            if turn_rhs {
                rhs = b.transpose(rhs, &orders[1])?;
            }
            return Ok((turned, [lhs, rhs]));
        }
    }
    Ok((dot, operands))
}

/// Whether each group of axes of the left and of the right operand of a product, batch axes aside, has one stride: the free and the
/// contracted axes, in the order in which they are listed, are adjacent.
pub fn is_strided(dot: &DotGeneral, [lhs, rhs]: [Type; 2]) -> [bool; 2] {
    [
        collapses(lhs, &dot.lhs_free(lhs.rank())) && collapses(lhs, &dot.lhs_contract),
        collapses(rhs, &dot.rhs_free(rhs.rank())) && collapses(rhs, &dot.rhs_contract),
    ]
}

/// Whether these axes, in this order, are adjacent in a contiguous array; axes of extent one do not count.
fn collapses(ty: Type, axes: &[usize]) -> bool {
    let long = |axis: usize| ty.dim(axis) != 1;
    let axes: Axes = axes.iter().copied().filter(|&a| long(a)).collect();
    axes.windows(2).all(|w| w[0] < w[1] && (w[0] + 1..w[1]).all(|between| !long(between)))
}

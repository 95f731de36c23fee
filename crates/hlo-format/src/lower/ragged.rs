//! `ragged_all_to_all`: each device sends slices of rows, whose sizes are values, to places in the results of others.
//!
//! A rank of a group of `g` has `g * k` slices, `k` for each rank in turn. With `i`, `s` and `o` for the offset, the size and the target
//! of a slice that arrives, which the ranks tell each other, row `m` of the result is
//!
//! ```text
//! result[m] = operand_q[i + m - o]    where o <= m < o + s for a slice of rank q, of the last one if there are several
//! result[m] = output[m]               where there is none
//! ```
//!
//! The rows come of an all-gather: a device holds the operands of all ranks of its group, and one number for each pair of a row of the
//! result and a slice.

use jarrah_base::{DType, Error, Literal, Result};
use jarrah_hlo::ops::{AxisGroups, Collective, CollectiveKind, Comparison, ElementwiseKind, Gather, Reducer};
use jarrah_hlo::{Builder, Value};

use crate::ir::{Attr, Attributes, IrOp};

/// Whether an op is a ragged all-to-all.
pub(super) fn is_ragged(op: &IrOp) -> bool {
    op.name() == "stablehlo.custom_call" && op.text("call_target_name") == Some("ragged_all_to_all")
}

/// The attributes in which an exchange states its groups and its channel.
pub(super) fn attributes(op: &IrOp) -> &Attributes {
    match op.attr("backend_config") {
        Some(Attr::Dictionary(fields)) if is_ragged(op) => fields,
        _ => &op.attributes,
    }
}

/// The operands: rows, the result where nothing arrives, and for each slice its offset, size, target, and the size of the slice that
/// arrives in its place, which follows from the others.
type Operands = [Value; 6];

fn six(operands: &[Value]) -> Result<Operands> {
    Operands::try_from(operands)
        .map_err(|_| Error::program(format!("takes 6 operands, {} are given", operands.len())))
}

/// The number of slices for each rank of a group of `ranks`.
fn slices(b: &Builder, [operand, output, tables @ ..]: Operands, ranks: usize) -> Result<usize> {
    let (rows, result) = (b.ty(operand), b.ty(output));
    let alike = rows.rank() > 0
        && result.rank() > 0
        && rows.dtype() == result.dtype()
        && rows.without_leading() == result.without_leading();
    if !alike {
        return Err(Error::program(format!("moves rows of {rows} to {result}")));
    }
    let first = b.ty(tables[0]);
    let fits = |&table: &Value| {
        let ty = b.ty(table);
        ty.dtype().is_integer() && ty.rank() == 1 && ty.same_dims(first)
    };
    if !tables.iter().all(fits) || !first.dim(0).is_multiple_of(ranks) {
        let message =
            format!("its offsets and sizes are no lists of integers with an entry for each of {ranks} ranks");
        return Err(Error::program(message));
    }
    if rows.dim(0).saturating_mul(ranks).max(result.dim(0)) > i32::MAX as usize {
        return Err(Error::program("the devices of a group have more than 2^31 rows"));
    }
    Ok(first.dim(0) / ranks)
}

/// The op on the devices of a group, as exchanges among them.
pub(super) fn on_devices(b: &mut Builder, operands: &[Value], over: &AxisGroups) -> Result<Value> {
    let operands = six(operands)?;
    let ranks = over.group_size().ok_or_else(|| Error::program("has groups of different sizes"))?;
    let each = slices(b, operands, ranks)?;
    let [operand, output, tables @ ..] = operands;
    let rows = match over.axes.is_empty() {
        true => operand,
        false => {
            let mut dims = b.ty(operand).dims();
            dims[0] *= ranks;
            let op = Collective { kind: CollectiveKind::AllGather, over: over.clone() };
            let gathered = b.one(op, &[operand])?;
            b.reshape(gathered, &dims)?
        }
    };
    let mut arriving = [rows; 3];
    for (arriving, table) in arriving.iter_mut().zip(tables) {
        let table = b.convert(table, DType::I32)?;
        *arriving = match over.axes.is_empty() {
            true => table,
            false => {
                let table = b.reshape(table, &[ranks, each])?;
                let op = Collective { kind: CollectiveKind::AllToAll, over: over.clone() };
                let received = b.one(op, &[table])?;
                b.reshape(received, &[ranks * each])?
            }
        };
    }
    result(b, rows, output, arriving, ranks)
}

/// The results of a group, given the operands of its ranks.
pub(super) fn in_one(b: &mut Builder, brought: &[Vec<Value>]) -> Result<Vec<Value>> {
    let ranks = brought.len();
    let mut operands = Vec::new();
    let mut each = 0;
    for values in brought {
        let values = six(values)?;
        each = slices(b, values, ranks)?;
        operands.push(values);
    }
    let all: Vec<Value> = operands.iter().map(|values| values[0]).collect();
    let rows = b.concatenate(&all, 0)?;
    let mut results = Vec::new();
    for (rank, [_, output, ..]) in operands.iter().enumerate() {
        let mut arriving = [rows; 3];
        for (at, arriving) in arriving.iter_mut().enumerate() {
            let mut parts = Vec::new();
            for values in &operands {
                let part = b.slice_axis(values[2 + at], 0, rank * each, (rank + 1) * each)?;
                parts.push(b.convert(part, DType::I32)?);
            }
            *arriving = b.concatenate(&parts, 0)?;
        }
        results.push(result(b, rows, *output, arriving, ranks)?);
    }
    Ok(results)
}

/// `x[indices]` along the first axis.
fn taken(b: &mut Builder, x: Value, indices: Value) -> Result<Value> {
    let gather = Gather::rows(b.ty(x), b.ty(indices))?;
    b.one(gather, &[x, indices])
}

/// The rows of the result, of those of all ranks and of `output`.
fn result(b: &mut Builder, rows: Value, output: Value, arriving: [Value; 3], ranks: usize) -> Result<Value> {
    let [offsets, sizes, targets] = arriving;
    let (ty, count) = (b.ty(output), b.ty(targets).dim(0));
    let (from, extent) = (b.ty(rows).dim(0) / ranks, ty.dim(0));
    if from == 0 || extent == 0 || count == 0 {
        return Ok(output);
    }
    let pairs = b.ty(targets).with_dims([extent, count]);
    let row = b.iota(pairs, 0)?;
    let start = b.broadcast_in_dim(targets, &[extent, count], &[1])?;
    let end = b.add(targets, sizes)?;
    let end = b.broadcast_in_dim(end, &[extent, count], &[1])?;
    let after = b.compare(Comparison::Ge, row, start)?;
    let before = b.compare(Comparison::Lt, row, end)?;
    let inside = b.binary(ElementwiseKind::And, after, before)?;
    // The number of the slice that fills a row; -1 is none.
    let number = b.iota(pairs, 1)?;
    let none = b.constant(Literal::full(pairs, -1.0)?)?;
    let number = b.select(inside, number, none)?;
    let number = b.reduce(Reducer::Max, number, &[1])?;
    let zeros = b.zeros_like(number)?;
    let filled = b.compare(Comparison::Ge, number, zeros)?;
    let number = b.binary(ElementwiseKind::Maximum, number, zeros)?;
    let firsts: Vec<i32> = (0..count).map(|slice| (slice / (count / ranks) * from) as i32).collect();
    let firsts = b.constant(Literal::from_slice(&[count], &firsts)?)?;
    let shift = b.sub(offsets, targets)?;
    let shift = b.add(shift, firsts)?;
    let shift = taken(b, shift, number)?;
    let row = b.iota(b.ty(number), 0)?;
    let source = b.add(row, shift)?;
    let value = taken(b, rows, source)?;
    let filled = b.broadcast_in_dim(filled, &ty.dims(), &[0])?;
    b.select(filled, value, output)
}

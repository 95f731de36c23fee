use jarrah_base::{Dims, Result, Type};
use jarrah_hlo::ops::{Axes, Convert, DynamicSlice, DynamicUpdateSlice, Gather, Scatter, Update};
use jarrah_hlo::ops::{Clamp, ElementwiseKind, Reducer};
use jarrah_hlo::{Op, Program};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::reductions::folds_with;
use crate::templates;

pub(super) fn dynamic_slice(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.operands()?;
    let sizes = cx.sizes("slice_sizes")?;
    Ok(all(&[cx.one(DynamicSlice { sizes }, &operands)?]))
}

pub(super) fn dynamic_update_slice(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.operands()?;
    Ok(all(&[cx.one(DynamicUpdateSlice, &operands)?]))
}

pub(super) fn gather(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [operand, indices] = cx.some()?;
    let sizes = cx.sizes("slice_sizes")?;
    let gather = numbered(cx, sizes)?;
    Ok(all(&[cx.one(gather, &[operand, indices])?]))
}

/// The gather of slices of these sizes, with the op's dimension numbers.
pub(super) fn numbered(cx: &Cx<'_, '_>, sizes: Dims) -> Result<Gather> {
    let numbers = cx.fields("dimension_numbers")?;
    Ok(Gather {
        offset_axes: cx.axes_in(numbers, "offset_dims")?,
        collapsed_axes: cx.axes_in(numbers, "collapsed_slice_dims")?,
        operand_batch_axes: cx.axes_in(numbers, "operand_batching_dims")?,
        indices_batch_axes: cx.axes_in(numbers, "start_indices_batching_dims")?,
        index_map: cx.axes_in(numbers, "start_index_map")?,
        index_vector_axis: cx.size_in(numbers, "index_vector_dim")?.unwrap_or(0),
        sizes,
        sorted: cx.flag("indices_are_sorted")?,
    })
}

pub(super) fn scatter(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let mut operands = cx.operands()?;
    let region = cx.only_region()?;
    let body = cx.closed(region, None)?;
    // The body may compute in a wider type, to which inputs and updates, on both sides of the indices, are
    // converted.
    let types = body.param_types();
    let inputs = operands.len() / 2;
    for (i, ty) in types.iter().enumerate() {
        let Some(operand) = operands.get_mut(if i < inputs { i } else { i + 1 }) else { continue };
        if cx.ty(*operand).dtype().bits() < ty.dtype().bits() {
            *operand = cx.b().convert(*operand, ty.dtype())?;
        }
    }
    let numbers = cx.fields("scatter_dimension_numbers")?;
    let general = cx.flag("jarrah.general")?;
    let second = body.params().len() == 2 && body.results() == [body.param(1)];
    let fold = folds_with(&body).and_then(templates::reducer);
    let update = match fold {
        _ if second && !general => Update::Assign,
        Some(reducer) if !general => Update::Reduce(reducer),
        // x - u = x + (-u), in every bit
        None if !general && subtracts(&body) => {
            operands[2] = cx.b().neg(operands[2])?;
            Update::Reduce(Reducer::Add)
        }
        _ => Update::Reduce(Reducer::General(body)),
    };
    let scatter = Scatter {
        window_axes: cx.axes_in(numbers, "update_window_dims")?,
        inserted_axes: cx.axes_in(numbers, "inserted_window_dims")?,
        operand_batch_axes: cx.axes_in(numbers, "input_batching_dims")?,
        indices_batch_axes: cx.axes_in(numbers, "scatter_indices_batching_dims")?,
        index_map: cx.axes_in(numbers, "scatter_dims_to_operand_dims")?,
        index_vector_axis: cx.size_in(numbers, "index_vector_dim")?.unwrap_or(0),
        sorted: cx.flag("indices_are_sorted")?,
        unique: cx.flag("unique_indices")?,
        update,
    };
    Ok(all(&cx.push(scatter, &operands)?))
}

/// Whether the body takes its second argument from its first.
fn subtracts(body: &Program) -> bool {
    let [instr] = body.instrs() else { return false };
    let subtract = matches!(&instr.op, Op::Elementwise(e) if e.kind == ElementwiseKind::Subtract);
    subtract && instr.operands[..] == [body.param(0), body.param(1)] && body.results() == [instr.result()]
}

/// Slices of one axis by position: `result[b, i, j] = operand[b, index[b, i], j]`, positions clamped.
pub(super) fn torch_index_select(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [operand, index] = cx.some()?;
    let (axis, batch) = (cx.size("dim")?, cx.size("batch_dims")?);
    let (ty, index_ty) = (cx.ty(operand), cx.ty(index));
    if axis >= ty.rank() || batch > axis || batch > index_ty.rank() {
        return Err(cx.fail(format!("axis {axis} with {batch} batch axes does not fit {ty} and {index_ty}")));
    }
    // Gather clamps positions as signed numbers of their own width; unsigned ones are clamped here too.
    let index = if index_ty.dtype().is_integer() {
        index
    } else {
        cx.one(Convert { to: jarrah_base::DType::I64 }, &[index])?
    };
    let scalar = Type::scalar(cx.ty(index).dtype());
    let low = cx.b().full(scalar, 0.0)?;
    let high = cx.b().full(scalar, ty.dim(axis).saturating_sub(1) as f64)?;
    let low = cx.broadcast_scalar(low, index)?;
    let high = cx.broadcast_scalar(high, index)?;
    let index = cx.one(Clamp, &[low, index, high])?;
    let index_rank = index_ty.rank();
    let free = index_rank - batch;
    let result_rank = ty.rank() - 1 + free;
    let sizes = ty.extents().enumerate().map(|(a, extent)| if a == axis || a < batch { 1 } else { extent });
    let sizes = sizes.collect();
    let gather = Gather {
        offset_axes: (batch..axis).chain(axis + free..result_rank).collect(),
        collapsed_axes: Axes::from_slice(&[axis]),
        operand_batch_axes: (0..batch).collect(),
        indices_batch_axes: (0..batch).collect(),
        index_map: Axes::from_slice(&[axis]),
        index_vector_axis: index_rank,
        sizes,
        sorted: false,
    };
    Ok(all(&[cx.one(gather, &[operand, index])?]))
}

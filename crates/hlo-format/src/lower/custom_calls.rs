//! Custom calls, by the name of their target.

use jarrah_base::{DType, Dims, ElementKind, Result, Type};
use jarrah_hlo::ops::{Threefry2x32, Window};
use jarrah_hlo::{ProgramRef, Value};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::{checks, control, elementwise, host, lapack, linalg, sorting, windows};
use crate::ir::{Attr, Attributes, Definition};

pub(super) fn op(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let target = cx.word("call_target_name")?;
    match target {
        "check.eq" | "check.expect_almost_eq" | "check.expect_close" | "check.expect_eq" => {
            checks::custom_call(cx, target)
        }
        "ApproxTopK" | "PartialReduce" | "stablehlo.dynamic_approx_top_k" => approximate_top_k(cx),
        "cu_threefry2x32_ffi" | "hip_threefry2x32_ffi" => {
            let operands = arguments(cx)?;
            Ok(all(&cx.push(Threefry2x32, &operands)?))
        }
        "mhlo.topk" => top_k(cx),
        "shape_assertion" => shape_assertion(cx),
        "stablehlo.dynamic_reduce_window" => dynamic_reduce_window(cx),
        "stablehlo.dynamic_rng_bit_generator" => linalg::dynamic_rng_bit_generator(cx),
        "stablehlo.dynamic_top_k" => dynamic_top_k(cx),
        "LayoutConstraint"
        | "MoveToDevice"
        | "MoveToHost"
        | "PinToDevice"
        | "SPMDFullToShardShape"
        | "SPMDShardToFullShape"
        | "Sharding"
        | "annotate_device_placement"
        | "control_dep" => annotation(cx, target),
        name if name.starts_with("xla.sdy.") => annotation(cx, target),
        name => {
            let function =
                name.strip_prefix("mhlo.").and_then(|name| Definition::function(&format!("chlo.{name}")));
            match function {
                Some(kind) => elementwise::function(cx, kind),
                None => match lapack::custom_call(cx, target)? {
                    Some(outcome) => Ok(outcome),
                    None => host::call(cx, target),
                },
            }
        }
    }
}

/// An annotation of its operands: returns them.
fn annotation(cx: &mut Cx<'_, '_>, target: &str) -> Result<Outcome> {
    let operands = cx.operands()?;
    let stated = cx.results()?;
    if stated.is_empty() {
        return Ok(Outcome::new());
    }
    for (&value, leaf) in operands.iter().zip(stated) {
        if !leaf.admits(cx.ty(value)) {
            return Err(cx
                .fail(format!("@{target} changes shapes: the program is for more than one device"))
                .help("it is read as Shardy writes it, with sdy.manual_computation: in JAX, jax_use_shardy_partitioner"));
        }
    }
    control::identity(cx)
}

/// The attributes of a custom call, wherever its API version puts them.
pub(super) fn config<'a>(cx: &Cx<'_, 'a>) -> Option<&'a Attributes> {
    ["mhlo.backend_config", "mhlo.attributes", "backend_config"].iter().find_map(|name| {
        match cx.op.attr(name)? {
            Attr::Dictionary(fields) => Some(fields),
            _ => None,
        }
    })
}

/// The number `name` among the attributes of a custom call.
pub(super) fn number(cx: &Cx<'_, '_>, name: &str) -> Result<i64> {
    let number = config(cx).and_then(|fields| fields.get(name)).or_else(|| cx.op.attr(name));
    number.and_then(Attr::integer).ok_or_else(|| cx.fail(format!("the custom call has no number `{name}`")))
}

/// The largest or the smallest elements along the last axis.
fn top_k(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let x = cx.operand(0)?;
    let k = number(cx, "k")?;
    let smallest = config(cx).and_then(|fields| fields.get("largest")) == Some(&Attr::Bool(false));
    sorting::extreme(cx, x, usize::try_from(k).unwrap_or(usize::MAX), !smallest)
}

fn dynamic_top_k(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let x = cx.operand(0)?;
    let &[k] = &cx.needed_sizes(1)?[..] else {
        return Err(cx.fail("operand 1 is no scalar"));
    };
    sorting::extreme(cx, x, k, true)
}

/// The operands, except those that only state the extents of results.
pub(super) fn arguments(cx: &mut Cx<'_, '_>) -> Result<Vec<Value>> {
    let shapes = cx.optional_numbers("indices_of_shape_operands")?.unwrap_or_default();
    let mut all = Vec::new();
    for i in 0..cx.op.operands.len() {
        if !shapes.contains(&(i as i64)) {
            all.extend(cx.leaves(i)?);
        }
    }
    Ok(all)
}

/// The first function that a custom call names, for scalars of these types.
fn computation(cx: &mut Cx<'_, '_>, types: &[Type]) -> Result<ProgramRef> {
    let functions = match cx.op.attr("called_computations") {
        Some(Attr::Array(functions)) => &functions[..],
        _ => &[],
    };
    let Some(Attr::Symbol(path)) = functions.first() else {
        return Err(cx.fail("names no function"));
    };
    let name = path.join("::");
    let function = cx.lower.find(cx.op, &name)?;
    let done = cx.lower.function(&name, function, types, &[])?;
    cx.block.height = cx.block.height.max(done.height);
    Ok(done.program)
}

/// The first elements in the order of a comparator, computed exactly. Operands are tensors, as many initial values,
/// which only an approximation needs, and possibly the number of elements.
fn approximate_top_k(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let all = arguments(cx)?;
    let operands = &all[..all.len() / 2];
    let rank = operands.first().map_or(0, |&v| cx.ty(v).rank());
    let axis = usize::try_from(number(cx, "reduction_dim")?).ok().filter(|&a| a < rank);
    let axis = axis.ok_or_else(|| cx.fail("`reduction_dim` is no axis"))?;
    let dtypes: Vec<DType> = operands.iter().map(|&v| cx.ty(v).dtype()).collect();
    let types: Vec<Type> = dtypes.iter().flat_map(|&d| [Type::scalar(d); 2]).collect();
    let comparator = computation(cx, &types)?;
    let k = match (cx.result(0)?.concrete(), all.last()) {
        (Some(ty), _) if axis < ty.rank() => ty.dim(axis),
        (_, Some(&last)) if all.len() % 2 == 1 => {
            let known = cx.known_numbers(last).and_then(|n| usize::try_from(*n.first()?).ok());
            known
                .ok_or_else(|| cx.fail("how many elements are wanted is not known before the program runs"))?
        }
        _ => usize::try_from(number(cx, "top_k")?).unwrap_or(usize::MAX),
    };
    let sorted = sorting::sorted(cx, (axis, true), comparator, operands, false)?;
    sorting::first(cx, &sorted, axis, k)
}

/// Operands are tensors, as many initial values, and the windows: sizes, strides, both dilations and padding.
fn dynamic_reduce_window(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let all = arguments(cx)?;
    let Some(count) = all.len().checked_sub(5).filter(|n| n.is_multiple_of(2)) else {
        return Err(cx.fail("takes tensors, initial values and five lists"));
    };
    let mut lists = Vec::new();
    for &list in &all[count..] {
        let known =
            cx.block.known(list, &mut cx.lower.work).filter(|l| l.dtype().is_integer() && l.len() <= 1 << 10);
        let numbers = known.map(|l| l.to_i128_vec().into_iter().map(|n| n.clamp(-1 << 40, 1 << 40) as i64));
        let numbers = numbers.map(|n| n.collect::<Vec<i64>>());
        lists.push(numbers.ok_or_else(|| cx.fail("the windows are not known before the program runs"))?);
    }
    let sizes = |list: &[i64]| -> Dims { list.iter().map(|&n| usize::try_from(n).unwrap_or(0)).collect() };
    let (low, high) = windows::sides(&lists[4]);
    let window = Window {
        sizes: sizes(&lists[0]),
        strides: sizes(&lists[1]),
        base_dilations: sizes(&lists[2]),
        dilations: sizes(&lists[3]),
        low: low.into(),
        high: high.into(),
    };
    let scalars: Vec<Type> = all[count / 2..count].iter().map(|&v| cx.ty(v)).collect();
    let types: Vec<Type> = scalars.iter().chain(&scalars).copied().collect();
    let body = computation(cx, &types)?;
    windows::by_body(cx, body, window, &all[..count])
}

/// An assertion on the shapes of the arguments.
fn shape_assertion(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.operands()?;
    let Some((&holds, inputs)) = operands.split_first() else {
        return Err(cx.fail("asserts nothing"));
    };
    let is_flag = cx.ty(holds).rank() == 0 && cx.ty(holds).dtype().kind() == ElementKind::Bool;
    if !is_flag {
        return Err(cx.fail("what is asserted is no truth value"));
    }
    if cx.block.known(holds, &mut cx.lower.work).is_none_or(|known| known.get_i128(0) != 0) {
        return Ok(all(&[]));
    }
    let mut message = cx.optional_word("error_message")?.unwrap_or("an assertion on shapes fails").to_owned();
    for (i, &input) in inputs.iter().enumerate() {
        let text = cx
            .block
            .known(input, &mut cx.lower.work)
            .map_or("?".to_owned(), |known| known.get_i128(0).to_string());
        message = message.replace(&format!("{{{i}}}"), &text);
    }
    Err(cx.fail(message))
}

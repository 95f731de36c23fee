use jarrah_base::{DType, Literal, Result, Type};
use jarrah_hlo::ops::{Call, Case, Convert, OptimizationBarrier, Scan, While};
use jarrah_hlo::{Builder, Op, Program, ProgramRef, Value};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::types;
use crate::ir::Region;

/// The most steps of a loop that is unrolled for its probes.
const MAX_WRITTEN_OUT: usize = 1000;

pub(super) fn while_loop(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let carry = cx.operands()?;
    let [cond, body] = &cx.op.regions[..] else {
        return Err(cx.fail(format!("has two regions, {} are given", cx.op.regions.len())));
    };
    if cx.lower.options.checks && body.ops.iter().any(|op| op.name() == "interpreter.probe") {
        return written_out(cx, cond, body, carry.to_vec());
    }
    let captures = cx.captures(&[cond, body])?;
    let types: Vec<Type> = carry.iter().map(|&v| cx.ty(v)).collect();
    let known = invariants(cx, body, &carry)?;
    let cond = cx.program("cond", cond, &captures, &types, &known)?;
    let body = cx.program("body", body, &captures, &types, &known)?;
    let mut operands = captures.values;
    let consts = operands.len();
    operands.extend(carry);
    Ok(all(&cx.push(While { cond, body, consts }, &operands)?))
}

/// Unrolls a loop, so that a probe inside has one value per step.
fn written_out<'a>(
    cx: &mut Cx<'_, 'a>,
    cond: &'a Region,
    body: &'a Region,
    mut carry: Vec<Value>,
) -> Result<Outcome> {
    for _ in 0..MAX_WRITTEN_OUT {
        cx.lower.bind(cx.block, cx.op, cond, &carry)?;
        let (_, going) = cx.lower.body(cx.block, cx.op, cond)?;
        match going.first().and_then(|&v| cx.block.known(v, &mut cx.lower.work)) {
            Some(known) if known.get_i128(0) == 0 => return Ok(all(&carry)),
            Some(_) => {}
            None => return Err(cx.fail("a loop that is probed must have a known number of steps")),
        }
        cx.lower.bind(cx.block, cx.op, body, &carry)?;
        carry = cx.lower.body(cx.block, cx.op, body)?.1;
    }
    Err(cx.fail(format!("a loop that is probed has more than {MAX_WRITTEN_OUT} steps")))
}

/// The known contents of the carries that the body returns unchanged.
fn invariants(cx: &mut Cx<'_, '_>, body: &Region, carry: &[Value]) -> Result<Vec<Option<Literal>>> {
    let returned = body.ops.last().map_or(&[][..], |op| &op.operands);
    let mut known = Vec::new();
    let mut values = carry.iter();
    for (i, &arg) in body.args.iter().enumerate() {
        for _ in types::leaves(cx.lower.module, cx.op, cx.lower.module.ty(arg))? {
            let same = returned.get(i) == Some(&arg);
            known.push(values.next().filter(|_| same).and_then(|&v| cx.known_if_small(v)));
        }
    }
    Ok(known)
}

pub(super) fn case(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [index] = cx.some()?;
    let regions: Vec<&Region> = cx.op.regions.iter().collect();
    branches(cx, index, &regions)
}

/// A `Case` on the predicate as a number, so the second branch is the one for true.
pub(super) fn if_else(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [predicate] = cx.some()?;
    let (DType::Bool, [on_true, on_false]) = (cx.ty(predicate).dtype(), &cx.op.regions[..]) else {
        return Err(cx.fail("takes a truth value and has two regions"));
    };
    let index = cx.one(Convert { to: DType::I32 }, &[predicate])?;
    branches(cx, index, &[on_false, on_true])
}

fn branches<'a>(cx: &mut Cx<'_, 'a>, index: Value, regions: &[&'a Region]) -> Result<Outcome> {
    if regions.is_empty() {
        return Err(cx.fail("has no branch"));
    }
    let captures = cx.captures(regions)?;
    let mut branches = Vec::new();
    for region in regions {
        branches.push(cx.program("branch", region, &captures, &[], &[])?);
    }
    let mut operands = vec![index];
    operands.extend(captures.values);
    Ok(all(&cx.push(Case { branches }, &operands)?))
}

/// A call of the function that the attribute `name` names.
pub(super) fn call(cx: &mut Cx<'_, '_>, name: &str) -> Result<Outcome> {
    let callee = cx.symbol(name)?;
    call_function(cx, &callee)
}

/// A call of a function with the op's operands.
pub(super) fn call_function(cx: &mut Cx<'_, '_>, name: &str) -> Result<Outcome> {
    let operands = cx.operands()?;
    call_function_with(cx, name, &operands)
}

/// A call of a function with these arguments.
pub(super) fn call_function_with(cx: &mut Cx<'_, '_>, name: &str, operands: &[Value]) -> Result<Outcome> {
    let function = cx.lower.find(cx.op, name)?;
    let types: Vec<Type> = operands.iter().map(|&v| cx.ty(v)).collect();
    let mut known = Vec::new();
    if cx.lower.is_dynamic(name) {
        let varies = std::mem::replace(&mut cx.block.shapes_vary, true);
        for (i, &operand) in operands.iter().enumerate() {
            known.extend(cx.known_if_small(operand).map(|literal| (i, literal)));
        }
        cx.block.shapes_vary = varies;
    }
    let done = cx.lower.function(name, function, &types, &known)?;
    cx.block.height = cx.block.height.max(done.height);
    cx.lower.check_height(cx.block.height, cx.op)?;
    let results = cx.push(Call { callee: done.program.clone() }, operands)?;
    for check in done.checks {
        cx.block.checks.push(check.map(&mut |i| results[i]));
    }
    Ok(all(&results[..done.own]))
}

pub(super) fn optimization_barrier(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.operands()?;
    if operands.is_empty() {
        return Ok(Outcome::new());
    }
    Ok(all(&cx.push(OptimizationBarrier, &operands)?))
}

/// An annotation: returns its operands.
pub(super) fn identity(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    Ok(all(&cx.operands()?))
}

/// The element `index` of a tuple.
pub(super) fn get_tuple_element(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let index = cx.size("index")?;
    let leaves = cx.leaves(0)?;
    let crate::ir::Ty::Tuple(parts) = cx.lower.module.ty(cx.op.operands[0]) else {
        return Err(cx.fail("the operand is no tuple"));
    };
    let mut start = 0;
    for (i, part) in parts.iter().enumerate() {
        let count = types::leaves(cx.lower.module, cx.op, part)?.len();
        if i == index {
            return Ok(all(&leaves[start..start + count]));
        }
        start += count;
    }
    Err(cx.fail(format!("a tuple of {} parts has no part {index}", parts.len())))
}

/// An op that stands for its region applied to its operands.
pub(super) fn inlined(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let region = cx.only_region()?;
    let operands = cx.operands()?;
    let types: Vec<Type> = operands.iter().map(|&v| cx.ty(v)).collect();
    cx.check_arguments(region, &types)?;
    cx.lower.bind(cx.block, cx.op, region, &operands)?;
    let (_, results) = cx.lower.body(cx.block, cx.op, region)?;
    Ok(all(&results))
}

/// A function of scalars applied to each element.
pub(super) fn map(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let mut operands = cx.operands()?;
    let region = cx.only_region()?;
    let (body, captured) = cx.scalar_program(region, 1)?;
    let Some((like, ty)) = operands.first().map(|&v| (v, cx.ty(v))) else {
        return Err(cx.fail("takes at least one tensor"));
    };
    for scalar in captured {
        operands.push(cx.broadcast_scalar(scalar, like)?);
    }
    let scalars = body.params().iter().all(|p| p.ty.rank() == 0) && body.params().len() == operands.len();
    let same = operands.iter().all(|&v| cx.ty(v).same_dims(ty));
    if !scalars || !same || body.result_types().iter().any(|ty| ty.rank() > 0) {
        return Err(cx.fail("takes tensors of equal extents and a region over as many scalars"));
    }
    Ok(all(&mapped(cx, &body, &operands)?))
}

/// A function of scalars applied to each element of tensors of equal extents.
pub(super) fn mapped(cx: &mut Cx<'_, '_>, body: &ProgramRef, operands: &[Value]) -> Result<Vec<Value>> {
    let ty = cx.ty(operands[0]);
    if body.instrs().iter().all(|i| is_elementwise(&i.op)) {
        return widened(cx, body, operands, ty);
    }
    // Any other function runs once per element, in a scan.
    let length = ty.elements()?;
    let mut flat = Vec::new();
    for &operand in operands {
        flat.push(cx.b().reshape(operand, &[length])?);
    }
    let scan = Scan { body: body.clone(), consts: 0, carry: 0, length, reverse: false };
    let stacked = cx.push(scan, &flat)?;
    stacked.into_iter().map(|value| cx.b().reshape(value, &ty.dims())).collect()
}

/// Whether an op on scalars can be applied to tensors element by element.
fn is_elementwise(op: &Op) -> bool {
    matches!(
        op,
        Op::BitcastConvert(_)
            | Op::Clamp(_)
            | Op::Compare(_)
            | Op::Constant(_)
            | Op::Convert(_)
            | Op::Elementwise(_)
            | Op::Select(_)
    )
}

/// A program of elementwise ops on scalars, applied to tensors with the extents of `ty`.
fn widened(cx: &mut Cx<'_, '_>, body: &Program, operands: &[Value], ty: Type) -> Result<Vec<Value>> {
    let mut map: Vec<Value> = operands.to_vec();
    for instr in body.instrs() {
        if let Op::Constant(constant) = &instr.op {
            let scalar = cx.constant(constant.value.clone())?;
            map.push(cx.b().broadcast_in_dim(scalar, &ty.dims(), &[])?);
            continue;
        }
        let operands: Vec<Value> = instr.operands.iter().map(|v| map[v.index()]).collect();
        map.extend(cx.push(instr.op.clone(), &operands)?);
    }
    Ok(body.results().iter().map(|v| map[v.index()]).collect())
}

/// A loop along an axis: `output[i], carry = body(input[i], carry)`.
pub(super) fn scan(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.operands()?;
    let region = cx.only_region()?;
    let axis = cx.size("dimension")?;
    let stated = cx.argument_types(region)?;
    if stated.len() != operands.len() {
        return Err(cx.fail(format!(
            "{} operands for a region of {} arguments",
            operands.len(),
            stated.len()
        )));
    }
    // The body takes slices of the inputs, which lack the axis, and the carries whole.
    let inputs =
        operands.iter().zip(&stated).take_while(|(v, ty)| cx.ty(**v).rank() == ty.rank() + 1).count();
    let mut arguments = Vec::new();
    let mut length = cx.size_in(&cx.op.attributes, "scan_dim_size")?;
    let mut arrays = Vec::new();
    for (i, &operand) in operands.iter().enumerate() {
        let ty = cx.ty(operand);
        if i >= inputs {
            arguments.push(ty);
            continue;
        }
        if axis >= ty.rank() {
            return Err(cx.fail(format!("{ty} has no axis {axis}")));
        }
        length = Some(ty.dim(axis));
        let array = cx.b().move_axis(operand, axis, 0)?;
        arguments.push(cx.ty(array).without_leading());
        arrays.push(array);
    }
    let length = length.ok_or_else(|| cx.fail("has neither an input nor `scan_dim_size`"))?;
    let body = cx.closed(region, Some(&arguments))?;
    let carry = operands.len() - inputs;
    let Some(outputs) = body.results().len().checked_sub(carry) else {
        return Err(cx.fail(format!("the region returns less than the {carry} values it carries")));
    };
    let scan = Scan {
        body: carry_first(&body, inputs, outputs)?.into(),
        consts: 0,
        carry,
        length,
        reverse: cx.flag("is_reverse")?,
    };
    let operands: Vec<Value> = operands[inputs..].iter().copied().chain(arrays).collect();
    let results = cx.push(scan, &operands)?;
    let mut outcome = Vec::new();
    for &output in &results[carry..] {
        outcome.push(cx.b().move_axis(output, 0, axis)?);
    }
    outcome.extend(&results[..carry]);
    Ok(all(&outcome))
}

/// `body` with its carries moved before the inputs and before the outputs.
fn carry_first(body: &Program, inputs: usize, outputs: usize) -> Result<Program> {
    let mut b = Builder::new(body.name());
    let types = body.param_types();
    let carry: Vec<Value> = types[inputs..].iter().map(|&ty| b.param(ty, "")).collect();
    let mut args: Vec<Value> = types[..inputs].iter().map(|&ty| b.param(ty, "")).collect();
    args.extend(carry);
    let mut results = b.inline(body, &args)?;
    results.rotate_left(outputs);
    b.finish(&results)
}

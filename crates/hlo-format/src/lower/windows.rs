//! Ops over windows.

use jarrah_base::{Dims, Result};
use jarrah_hlo::ops::{self, ReducePrecision, ReduceWindow, Reducer, Window, WindowArg, WindowSelect};
use jarrah_hlo::{Program, ProgramRef, Value};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::reductions::{folds_with, promoted};
use crate::templates;

pub(super) fn reduce_window(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let region = cx.only_region()?;
    let body = cx.closed(region, None)?;
    let window = stated(cx)?;
    if cx.op.operands.len() == 2
        && !cx.flag("jarrah.general")?
        && let Some(reducer) = folds_with(&body).and_then(templates::reducer)
    {
        let dtype = body.params()[0].ty.dtype();
        let identity = reducer.identity(dtype)?;
        let init = cx.op.operands[1];
        if cx.constant_operand(init) == Some(identity) {
            let x = cx.operand(0)?;
            let x = cx.b().convert(x, dtype)?;
            let op = ReduceWindow { reducer: reducer.clone(), window: window.clone() };
            if jarrah_hlo::Op::from(op.clone()).infer(&[cx.ty(x)]).is_ok() {
                cx.absorb(init);
                return Ok(all(&[cx.one(op, &[x])?]));
            }
        }
    }
    let operands = promoted(cx, &body)?;
    by_body(cx, body, window, &operands)
}

/// Tensors reduced over windows by a program, from initial values.
pub(super) fn by_body(
    cx: &mut Cx<'_, '_>,
    body: ProgramRef,
    window: Window,
    operands: &[Value],
) -> Result<Outcome> {
    let general = cx.flag("jarrah.general")?;
    if let (&[x, init], Some(reducer), false) =
        (operands, folds_with(&body).and_then(templates::reducer), general)
    {
        let op = ReduceWindow { reducer: reducer.clone(), window: window.clone() };
        if jarrah_hlo::Op::from(op).infer(&[cx.ty(x)]).is_ok() {
            return Ok(all(&[ops::reduce_window(cx.b(), reducer, window, x, init)?]));
        }
    }
    Ok(all(&cx.push(ReduceWindow { reducer: Reducer::General(body), window }, operands)?))
}

pub(super) fn select_and_scatter(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [operand, source, init] = cx.some()?;
    let (select, scatter) = (cx.region(0)?, cx.region(1)?);
    let (select, scatter) = (cx.closed(select, None)?, cx.closed(scatter, None)?);
    let rank = cx.ty(operand).rank();
    let window = window(cx, cx.sizes_or("window_dimensions", rank, 1)?)?;
    // The tensors are converted to the element types in which the regions compute.
    let to = |program: &Program| program.params().first().map(|p| p.ty.dtype());
    let (x, y) = (to(&select), to(&scatter));
    let operand = match x {
        Some(to) if x == y => cx.b().convert(operand, to)?,
        _ => operand,
    };
    let (source, init) = match y {
        Some(to) => (cx.b().convert(source, to)?, cx.b().convert(init, to)?),
        None => (source, init),
    };
    let result = ops::select_and_scatter(cx.b(), operand, source, init, &select, &scatter, window)?;
    Ok(all(&[result]))
}

pub(super) fn reduce_precision(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let bits = |name| u32::try_from(cx.size(name)?).map_err(|_| cx.fail("too many bits"));
    let (exponent_bits, mantissa_bits) = (bits("exponent_bits")?, bits("mantissa_bits")?);
    Ok(all(&[cx.one(ReducePrecision { exponent_bits, mantissa_bits }, &[x])?]))
}

pub(super) fn window_arg(cx: &mut Cx<'_, '_>) -> Result<WindowArg> {
    let select = match cx.word("select")? {
        "GE" => WindowSelect::Ge,
        "GT" => WindowSelect::Gt,
        "LE" => WindowSelect::Le,
        "LT" => WindowSelect::Lt,
        "program" => {
            let region = cx.only_region()?;
            WindowSelect::General(cx.closed(region, None)?)
        }
        other => return Err(cx.fail(format!("`{other}` is no selection"))),
    };
    Ok(WindowArg { select, window: stated(cx)?, to: cx.result_dtype(0)? })
}

/// The windows that the attributes describe.
fn stated(cx: &Cx<'_, '_>) -> Result<Window> {
    window(cx, cx.sizes("window_dimensions")?)
}

/// Windows of these sizes; all other attributes may be left out.
pub(super) fn window(cx: &Cx<'_, '_>, sizes: Dims) -> Result<Window> {
    let rank = sizes.len();
    let (low, high) = padding(cx, rank)?;
    Ok(Window {
        strides: cx.sizes_or("window_strides", rank, 1)?,
        base_dilations: cx.sizes_or("base_dilations", rank, 1)?,
        dilations: cx.sizes_or("window_dilations", rank, 1)?,
        low: low.into(),
        high: high.into(),
        sizes,
    })
}

/// The padding before and after each of `rank` axes.
pub(super) fn padding(cx: &Cx<'_, '_>, rank: usize) -> Result<(Vec<i64>, Vec<i64>)> {
    let pairs = cx.optional_numbers("padding")?.unwrap_or_else(|| vec![0; 2 * rank]);
    if pairs.len() != 2 * rank {
        return Err(cx.fail(format!("`padding` has {} numbers for {rank} axes", pairs.len())));
    }
    Ok(sides(&pairs))
}

/// The first and the second of each pair.
pub(super) fn sides(pairs: &[i64]) -> (Vec<i64>, Vec<i64>) {
    let side = |first: usize| pairs.iter().skip(first).step_by(2).copied().collect();
    (side(0), side(1))
}

//! Custom calls of targets that are not known as math: calls of host code.

use std::sync::Arc;

use jarrah_base::{DType, Literal, Result, Type};
use jarrah_hlo::Effects;
use jarrah_hlo::host::{CallAttribute, CallAttributes as Fields, Config};
use jarrah_hlo::ops::{CallTarget, CustomCall, OutputAlias, VmapMethod};

use super::block::{Outcome, all};
use super::custom_calls::config;
use super::cx::Cx;
use super::elementwise;
use crate::ir::{Attr, ElementTy, Ty, ValueId};

/// A call of host code, by name.
pub(super) fn call(cx: &mut Cx<'_, '_>, target: &str) -> Result<Outcome> {
    if cx.flag("jarrah.host_function")? {
        let error = cx.fail(format!("@{target} is a function of the process that wrote the program"));
        return Err(error
            .help("register a handler under a name, and call it by this name, in programs that are kept"));
    }
    if let Some(Attr::Array(functions)) = cx.op.attr("called_computations")
        && !functions.is_empty()
    {
        return Err(cx.fail(format!("@{target} is host code, which cannot call functions of the program")));
    }
    check_layouts(cx, "operand_layouts", &cx.op.operands)?;
    check_layouts(cx, "result_layouts", &cx.op.results)?;
    let call = CustomCall {
        target: CallTarget::Named(target.into()),
        config: configuration(cx)?,
        results: cx.result_types()?,
        effects: effects(cx)?,
        aliases: aliases(cx)?,
        batching: batching(cx)?,
    };
    let operands = cx.operands()?;
    Ok(all(&cx.push(call, &operands)?))
}

fn configuration(cx: &Cx<'_, '_>) -> Result<Config> {
    if let Some(attributes) = config(cx) {
        return Ok(Config::Typed(fields(cx, attributes)?));
    }
    let text = cx.optional_word("backend_config")?.unwrap_or_default();
    match cx.op.attr("api_version").and_then(Attr::integer).unwrap_or(1) {
        4 if text.is_empty() => Ok(Config::empty()),
        version @ 1..4 => Ok(Config::Text(text.into(), version as u8)),
        version => Err(cx.fail(format!("`api_version` {version} is not known, or takes no text"))),
    }
}

fn fields(cx: &Cx<'_, '_>, attributes: &crate::ir::Attributes) -> Result<Fields> {
    attributes.iter().map(|(name, attr)| Ok((name.clone(), attribute(cx, name, attr)?))).collect()
}

fn attribute(cx: &Cx<'_, '_>, name: &Arc<str>, attr: &Attr) -> Result<CallAttribute> {
    let wrong = || cx.fail(format!("the attribute `{name}` is nothing that host code can be given"));
    if let Some(scalar) = scalar(attr)? {
        return Ok(CallAttribute::Scalar(scalar));
    }
    Ok(match attr {
        Attr::String(text) => CallAttribute::Text(text.clone()),
        Attr::Dictionary(inner) => CallAttribute::Dictionary(fields(cx, inner)?),
        Attr::Dense(dense) => CallAttribute::Array(elementwise::literal(dense).ok_or_else(wrong)?),
        Attr::Integers(ElementTy::Number(dtype), list) => {
            let values: Vec<i128> = list.iter().map(|&n| n.into()).collect();
            CallAttribute::Array(Literal::from_i128s(Type::tensor(*dtype, [list.len()]), &values)?)
        }
        Attr::Floats(ElementTy::Number(dtype), list) => {
            CallAttribute::Array(Literal::from_f64s(Type::tensor(*dtype, [list.len()]), list)?)
        }
        Attr::Array(list) => {
            let scalars: Option<Vec<Literal>> = list.iter().map(scalar).collect::<Result<_>>()?;
            let scalars = scalars.ok_or_else(wrong)?;
            let dtype = scalars.first().map_or(DType::I64, Literal::dtype);
            if scalars.iter().any(|x| x.dtype() != dtype) {
                return Err(wrong());
            }
            let bytes: Vec<u8> = scalars.iter().flat_map(|x| x.bytes().iter().copied()).collect();
            CallAttribute::Array(Literal::from_bytes(Type::tensor(dtype, [list.len()]), &bytes)?)
        }
        _ => return Err(wrong()),
    })
}

/// The number or truth value that an attribute is.
fn scalar(attr: &Attr) -> Result<Option<Literal>> {
    Ok(match attr {
        Attr::Bool(b) => Some(Literal::from_bools(&[], &[*b])?),
        Attr::Integer(n, ElementTy::Number(dtype)) => Some(Literal::from_i128s(Type::scalar(*dtype), &[*n])?),
        Attr::Float(x, ElementTy::Number(dtype)) => Some(Literal::from_f64s(Type::scalar(*dtype), &[*x])?),
        _ => None,
    })
}

/// The effects of a host call: as export wrote them, or by the call's flag and tokens.
fn effects(cx: &Cx<'_, '_>) -> Result<Effects> {
    if let Some(attr) = cx.op.attr("jarrah.effects") {
        return listed(attr).ok_or_else(|| cx.fail("`jarrah.effects` is no list of effects"));
    }
    let is_token = |&id: &ValueId| has_token(cx.lower.module.ty(id));
    Ok(if cx.op.operands.iter().chain(&cx.op.results).any(is_token) {
        Effects::ORDERED
    } else if cx.flag("has_side_effect")? {
        Effects::OBSERVED
    } else {
        Effects::NONE
    })
}

fn listed(attr: &Attr) -> Option<Effects> {
    let Attr::Array(names) = attr else { return None };
    let mut effects = Effects::NONE;
    for name in names {
        match name {
            Attr::String(name) if &**name == "observed" => effects.observed = true,
            Attr::String(name) if &**name == "once" => effects.once = true,
            Attr::String(name) if &**name == "ordered" => effects.ordered = true,
            _ => return None,
        }
    }
    Some(effects)
}

fn has_token(ty: &Ty) -> bool {
    match ty {
        Ty::Token => true,
        Ty::Tuple(parts) | Ty::Future(parts) => parts.iter().any(has_token),
        _ => false,
    }
}

fn batching(cx: &Cx<'_, '_>) -> Result<VmapMethod> {
    Ok(match cx.optional_word("jarrah.vmap_method")? {
        None | Some("sequential") => VmapMethod::Sequential,
        Some("expand_dims") => VmapMethod::ExpandDims,
        Some("broadcast_all") => VmapMethod::BroadcastAll,
        Some(other) => return Err(cx.fail(format!("`{other}` is no way to make a batch of host calls"))),
    })
}

/// Pairs of a result and an operand that share memory, by their positions among tensors.
fn aliases(cx: &mut Cx<'_, '_>) -> Result<Vec<OutputAlias>> {
    let Some(Attr::Array(list)) = cx.op.attr("output_operand_aliases") else { return Ok(Vec::new()) };
    let mut aliases = Vec::new();
    for alias in list {
        let wrong = || cx.fail("`output_operand_aliases` is no list of pairs of a result and an operand");
        let (Attr::Struct(_, fields) | Attr::Dictionary(fields)) = alias else { return Err(wrong()) };
        let path = |name: &str| fields.get(name).and_then(Attr::integers).unwrap_or_default();
        let operand = fields.get("operand_index").and_then(Attr::integer);
        let operand = operand.and_then(|n| usize::try_from(n).ok()).filter(|&n| n < cx.op.operands.len());
        // The tokens in front of an operand or a result, which programs do not have, do not count.
        let (operand, result) =
            match (operand, &path("operand_tuple_indices")[..], &path("output_tuple_indices")[..]) {
                (Some(operand), [], []) => (operand, 0),
                (Some(operand), [], &[result]) => (operand, usize::try_from(result).map_err(|_| wrong())?),
                _ => return Err(wrong()),
            };
        let results = match &cx.op.results[..] {
            [only] => match cx.lower.module.ty(*only) {
                Ty::Tuple(parts) => parts.iter().take(result).map(count).sum(),
                _ => result,
            },
            all => all.iter().take(result).map(|&id| count(cx.lower.module.ty(id))).sum(),
        };
        let operands = cx.op.operands[..operand].iter().map(|&id| count(cx.lower.module.ty(id))).sum();
        aliases.push(OutputAlias { result: results, operand: operands });
    }
    Ok(aliases)
}

/// How many tensors a value of this type is.
fn count(ty: &Ty) -> usize {
    match ty {
        Ty::Token | Ty::None => 0,
        Ty::Tuple(parts) | Ty::Future(parts) => parts.iter().map(count).sum(),
        _ => 1,
    }
}

/// Checks that all tensors are row-major: layouts list axes from the one that varies fastest.
fn check_layouts(cx: &Cx<'_, '_>, name: &str, values: &[ValueId]) -> Result<()> {
    let Some(Attr::Array(layouts)) = cx.op.attr(name) else { return Ok(()) };
    for (layout, &value) in layouts.iter().zip(values) {
        let order = layout.integers().unwrap_or_default();
        if !order.iter().rev().copied().eq(0..order.len() as i64) {
            let what =
                cx.lower.module.ty(value).tensor().map_or("a tensor".to_owned(), super::types::describe);
            return Err(cx
                .fail(format!("`{name}` asks for {what} with its axes in the order {order:?}, fastest first"))
                .help("host code is given row-major tensors: transpose around the call"));
        }
    }
    Ok(())
}

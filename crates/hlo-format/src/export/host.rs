//! Calls of host code.

use std::sync::Arc;

use jarrah_base::{DType, Literal};
use jarrah_hlo::Effects;
use jarrah_hlo::host::{CallAttribute, CallAttributes as Fields, Config};
use jarrah_hlo::ops::{CallTarget, CustomCall, OutputAlias, VmapMethod};

use super::attributes::{dense, integer, integers};
use crate::ir::{Attr, Attributes, ElementTy, IrOp};

/// Order is written as an attribute: a token would have to pass through every loop and function on the way.
pub(super) fn custom_call(op: &CustomCall, out: &mut IrOp) {
    let mut set = |name: &str, attr: Attr| out.attributes.set(name, attr);
    match &op.target {
        CallTarget::Named(name) => set("call_target_name", Attr::String(name.clone())),
        CallTarget::Function(function) => {
            set("call_target_name", Attr::string(function.name()));
            set("jarrah.host_function", Attr::Bool(true));
        }
    }
    let version = match &op.config {
        Config::Text(text, version) => {
            set("backend_config", Attr::String(text.clone()));
            *version
        }
        Config::Typed(attributes) => {
            set("backend_config", Attr::Dictionary(fields(attributes)));
            4
        }
    };
    set("api_version", Attr::Integer(version.into(), ElementTy::Number(DType::I32)));
    let stated = if op.effects.may_drop() { Effects::NONE } else { Effects::OBSERVED };
    if !stated.is_pure() {
        set("has_side_effect", Attr::Bool(true));
    }
    if op.effects != stated {
        let Effects { observed, once, ordered, .. } = op.effects;
        let names = [(observed, "observed"), (once, "once"), (ordered, "ordered")];
        let names = names.iter().filter(|(has, _)| *has).map(|(_, name)| Attr::string(name));
        set("jarrah.effects", Attr::Array(names.collect()));
    }
    if !op.aliases.is_empty() {
        set(
            "output_operand_aliases",
            Attr::Array(op.aliases.iter().map(|a| alias(a, op.results.len())).collect()),
        );
    }
    let method = match op.batching {
        VmapMethod::Sequential => return,
        VmapMethod::ExpandDims => "expand_dims",
        VmapMethod::BroadcastAll => "broadcast_all",
    };
    set("jarrah.vmap_method", Attr::string(method));
}

fn alias(alias: &OutputAlias, results: usize) -> Attr {
    let path: &[usize] = if results == 1 { &[] } else { &[alias.result] };
    let fields: [(&str, Attr); 3] = [
        ("output_tuple_indices", integers(path)),
        ("operand_index", integer(alias.operand)),
        ("operand_tuple_indices", integers(&[])),
    ];
    Attr::Struct("stablehlo.output_operand_alias", fields.into_iter().map(|(n, a)| (n.into(), a)).collect())
}

fn fields(all: &Fields) -> Attributes {
    all.iter().map(|(name, value)| (Arc::from(name), attribute(value))).collect()
}

fn attribute(value: &CallAttribute) -> Attr {
    match value {
        CallAttribute::Scalar(x) => scalar(x),
        CallAttribute::Array(x) => dense(x),
        CallAttribute::Text(text) => Attr::String(text.clone()),
        CallAttribute::Dictionary(inner) => Attr::Dictionary(fields(inner)),
    }
}

fn scalar(x: &Literal) -> Attr {
    let dtype = x.dtype();
    match dtype {
        DType::Bool => Attr::Bool(x.get_i128(0) != 0),
        _ if dtype.is_float() => Attr::Float(x.get_f64(0), ElementTy::Number(dtype)),
        _ if dtype.is_integer() => Attr::Integer(x.get_i128(0), ElementTy::Number(dtype)),
        _ => dense(x),
    }
}

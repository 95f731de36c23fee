use jarrah_base::DType;

use super::attributes;
use crate::assembly::element;
use crate::ir::{ElementTy, Quantized, TensorTy, Ty};

/// Writes a type.
pub(super) fn ty(ty: &Ty, out: &mut String) {
    match ty {
        Ty::Tensor(t) => tensor("tensor", t, out),
        Ty::Buffer(t) => tensor("memref", t, out),
        Ty::Scalar(e) => self::element(e, out),
        Ty::Token => out.push_str("!stablehlo.token"),
        Ty::None => out.push_str("none"),
        Ty::Opaque(text) => out.push_str(text),
        Ty::Tuple(elements) => {
            out.push_str("tuple<");
            list(elements, out);
            out.push('>');
        }
        Ty::Future(elements) => {
            out.push_str("!stablehlo.future<");
            list(elements, out);
            out.push('>');
        }
        Ty::Function(function) => {
            out.push('(');
            list(&function.0, out);
            out.push_str(") -> ");
            results(&function.1, out);
        }
    }
}

/// `a, b`.
pub(super) fn list<'t>(types: impl IntoIterator<Item = &'t Ty>, out: &mut String) {
    for (i, t) in types.into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        ty(t, out);
    }
}

/// `a`, or `(a, b)`.
pub(super) fn results(types: &[Ty], out: &mut String) {
    match types {
        [only] if !matches!(only, Ty::Function(_)) => ty(only, out),
        _ => {
            out.push('(');
            list(types, out);
            out.push(')');
        }
    }
}

pub(super) fn tensor(word: &str, tensor: &TensorTy, out: &mut String) {
    out.push_str(word);
    out.push('<');
    match &tensor.dims {
        None => out.push_str("*x"),
        Some(dims) => {
            for dim in dims {
                match dim {
                    Some(extent) => out.push_str(&extent.to_string()),
                    None => out.push('?'),
                }
                out.push('x');
            }
        }
    }
    element(&tensor.element, out);
    if let Some(encoding) = &tensor.encoding {
        out.push_str(", ");
        attributes::attribute(encoding, out);
    }
    out.push('>');
}

pub(super) fn element(element: &ElementTy, out: &mut String) {
    match element {
        ElementTy::Number(dtype) => out.push_str(&element::name(*dtype)),
        ElementTy::Index => out.push_str("index"),
        ElementTy::Tf32 => out.push_str("tf32"),
        ElementTy::Opaque(text) => out.push_str(text),
        ElementTy::Quantized(q) => quantized(q, out),
    }
}

fn quantized(q: &Quantized, out: &mut String) {
    let storage = element::name(q.storage).replacen("ui", "u", 1);
    out.push_str("!quant.uniform<");
    out.push_str(&storage);
    if q.range != Quantized::full_range(q.storage) {
        out.push_str(&format!("<{}:{}>", q.range.0, q.range.1));
    }
    out.push(':');
    out.push_str(&element::name(q.expressed));
    if let Some(axis) = q.axis {
        out.push_str(&format!(":{axis}"));
    }
    out.push_str(", ");
    if q.axis.is_some() {
        out.push('{');
    }
    for (i, (scale, zero_point)) in q.scales.iter().zip(&q.zero_points).enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        element::float(&scale.to_le_bytes(), DType::F64, out);
        if *zero_point != 0 {
            out.push_str(&format!(":{zero_point}"));
        }
    }
    if q.axis.is_some() {
        out.push('}');
    }
    out.push('>');
}

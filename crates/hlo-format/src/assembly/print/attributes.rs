use std::sync::Arc;

use jarrah_base::{DType, with_element};

use super::{dense, structures, types};
use crate::assembly::element;
use crate::assembly::lexer::quote;
use crate::ir::{Attr, AttrKind, ElementTy};

/// Writes an attribute with its type.
pub(super) fn attribute(attr: &Attr, out: &mut String) {
    match attr {
        Attr::Unit => out.push_str("unit"),
        Attr::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Attr::Integer(value, ty) => {
            out.push_str(&value.to_string());
            out.push_str(" : ");
            types::element(ty, out);
        }
        Attr::Float(value, ty) => {
            float(*value, ty, out);
            out.push_str(" : ");
            types::element(ty, out);
        }
        Attr::String(text) => out.push_str(&quote(text)),
        Attr::Type(ty) => types::ty(ty, out),
        Attr::Symbol(path) => symbol(path, out),
        Attr::Array(list) => {
            out.push('[');
            for (i, item) in list.iter().enumerate() {
                separate(i, out);
                attribute(item, out);
            }
            out.push(']');
        }
        Attr::Dictionary(entries) => dictionary(entries.iter(), out),
        Attr::Integers(ty, list) => {
            array(ty, list, out, |n, out| match ty {
                ElementTy::Number(DType::Bool) => out.push_str(if *n == 0 { "false" } else { "true" }),
                _ => out.push_str(&n.to_string()),
            });
        }
        Attr::Floats(ty, list) => array(ty, list, out, |x, out| float(*x, ty, out)),
        Attr::Dense(value) => dense::write(value, None, out, &mut |_| {}),
        Attr::Enum(kind, word) => enumeration(kind, word, out),
        Attr::Struct(name, fields) => {
            out.push('#');
            out.push_str(name);
            structures::fields(name, fields, out);
        }
        Attr::Opaque(text) => out.push_str(text),
    }
}

fn separate(i: usize, out: &mut String) {
    if i > 0 {
        out.push_str(", ");
    }
}

fn array<T>(ty: &ElementTy, list: &[T], out: &mut String, mut item: impl FnMut(&T, &mut String)) {
    out.push_str("array<");
    types::element(ty, out);
    for (i, x) in list.iter().enumerate() {
        out.push_str(if i == 0 { ": " } else { ", " });
        item(x, out);
    }
    out.push('>');
}

/// `[1, 2]`, with `?` for what is not known.
pub(super) fn integers(list: &[i64], out: &mut String) {
    out.push('[');
    bare_integers(list, out);
    out.push(']');
}

pub(super) fn bare_integers(list: &[i64], out: &mut String) {
    for (i, n) in list.iter().enumerate() {
        separate(i, out);
        match n {
            &i64::MIN => out.push('?'),
            n => out.push_str(&n.to_string()),
        }
    }
}

/// A float without its type.
pub(super) fn float(value: f64, ty: &ElementTy, out: &mut String) {
    let dtype = match ty {
        ElementTy::Number(dtype) if dtype.is_float() => *dtype,
        _ => DType::F64,
    };
    with_element!(dtype, T => {
        let element = <T as jarrah_base::Element>::from_f64(value);
        element::float(bytemuck::bytes_of(&element), dtype, out);
    });
}

fn symbol(path: &[Arc<str>], out: &mut String) {
    for (i, name) in path.iter().enumerate() {
        if i > 0 {
            out.push_str("::");
        }
        symbol_name(name, out);
    }
}

/// `@name`, with quotes where it needs them.
pub(super) fn symbol_name(name: &str, out: &mut String) {
    out.push('@');
    if is_plain(name) { out.push_str(name) } else { out.push_str(&quote(name)) }
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
}

/// `{a = 1, b}`.
pub(super) fn dictionary<'a>(entries: impl Iterator<Item = (&'a Arc<str>, &'a Attr)>, out: &mut String) {
    out.push('{');
    for (i, (name, attr)) in entries.enumerate() {
        separate(i, out);
        if is_plain(name) {
            out.push_str(name)
        } else {
            out.push_str(&quote(name))
        }
        if *attr != Attr::Unit {
            out.push_str(" = ");
            attribute(attr, out);
        }
    }
    out.push('}');
}

fn enumeration(kind: &str, word: &str, out: &mut String) {
    let (dialect, name) = kind.split_once('.').unwrap_or(("", kind));
    // The one that has a syntax of its own.
    let text = match kind {
        "stablehlo.result_accuracy_mode" => format!("#{kind}<{word}>"),
        _ => format!("#{dialect}<{name} {word}>"),
    };
    out.push_str(&text);
}

/// An attribute of this kind as it stands in an op's own syntax, without its type.
pub(super) fn attribute_of(kind: AttrKind, attr: &Attr, out: &mut String) {
    match (kind, attr) {
        (AttrKind::Integer(_), Attr::Integer(value, _)) => out.push_str(&value.to_string()),
        (AttrKind::Float(_), Attr::Float(value, ty)) => float(*value, ty, out),
        (AttrKind::Integers(_), Attr::Integers(_, list)) => integers(list, out),
        (AttrKind::Enum(_), Attr::Enum(_, word)) => out.push_str(word),
        (AttrKind::Struct(_), Attr::Struct(name, fields)) => structures::fields(name, fields, out),
        (AttrKind::Text(start), Attr::Opaque(text)) => {
            let text = text.strip_prefix(start).unwrap_or(text);
            let text = if start.contains('<') { text.strip_suffix('>').unwrap_or(text) } else { text };
            out.push_str(text);
        }
        _ => attribute(attr, out),
    }
}

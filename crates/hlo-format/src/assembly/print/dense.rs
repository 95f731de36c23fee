use jarrah_base::{DType, Literal};

use super::{CHUNK, Printer, types};
use crate::assembly::element;
use crate::ir::Dense;

/// Tensors of more elements are written as the bytes they have.
const MAX_LISTED: usize = 100;

/// Writes `dense<...> : type`; `flush` may remove the text so far from `out`.
pub(super) fn write(
    dense: &Dense,
    elide: Option<usize>,
    out: &mut String,
    flush: &mut dyn FnMut(&mut String),
) {
    let value = &dense.value;
    if !dense.is_splat() && elide.is_some_and(|most| value.len() > most) {
        out.push_str("dense_resource<__elided__>");
    } else {
        out.push_str("dense<");
        if dense.is_splat() {
            item(value, 0, out);
        } else if value.len() > MAX_LISTED && value.dtype() != DType::Bool {
            hexadecimal(value, out, flush);
        } else if !value.is_empty() {
            lists(value, &value.dims(), &mut 0, out, flush);
        }
        out.push('>');
    }
    out.push_str(" : ");
    types::tensor("tensor", &dense.ty, out);
}

fn hexadecimal(value: &Literal, out: &mut String, flush: &mut dyn FnMut(&mut String)) {
    out.push_str("\"0x");
    for chunk in value.bytes().chunks(CHUNK / 2) {
        out.reserve(2 * chunk.len());
        chunk.iter().for_each(|b| element::push_hex(*b, out));
        flush(out);
    }
    out.push('"');
}

fn lists(
    value: &Literal,
    dims: &[usize],
    next: &mut usize,
    out: &mut String,
    flush: &mut dyn FnMut(&mut String),
) {
    let [extent, inner @ ..] = dims else {
        item(value, *next, out);
        *next += 1;
        return;
    };
    out.push('[');
    for i in 0..*extent {
        if i > 0 {
            out.push_str(", ");
        }
        lists(value, inner, next, out, flush);
    }
    out.push(']');
    if out.len() > CHUNK {
        flush(out);
    }
}

fn item(value: &Literal, index: usize, out: &mut String) {
    let dtype = value.dtype();
    let size = dtype.size();
    let Some(bytes) = value.bytes().get(index * size..(index + 1) * size) else { return };
    if dtype.is_complex() {
        let (re, im) = bytes.split_at(size / 2);
        out.push('(');
        element::float(re, dtype.real(), out);
        out.push_str(", ");
        element::float(im, dtype.real(), out);
        out.push(')');
    } else if dtype.is_float() {
        element::float(bytes, dtype, out);
    } else if dtype == DType::Bool {
        out.push_str(if bytes[0] == 0 { "false" } else { "true" });
    } else {
        out.push_str(&value.get_i128(index).to_string());
    }
}

impl Printer<'_> {
    /// `dense<...> : type`.
    pub(super) fn dense(&mut self, dense: &Dense) {
        let Printer { out, sink, error, options, .. } = self;
        write(dense, options.elide_larger_than, out, &mut |out| {
            let Some(sink) = sink.as_deref_mut() else { return };
            if error.is_none()
                && let Err(e) = sink.write_all(out.as_bytes())
            {
                *error = Some(e);
            }
            out.clear();
        });
    }
}

use jarrah_base::{DType, ElementKind, Literal, with_element};

use super::Options;
use super::types;

/// Tensors of more elements are written as the bytes they have.
const MAX_LISTED: usize = 100;

/// `dense<...> : type`.
pub(super) fn dense(literal: &Literal, options: &Options) -> String {
    let ty = types::ty(literal.ty());
    if options.elide_larger_than.is_some_and(|most| literal.len() > most) {
        return format!("dense_resource<__elided__> : {ty}");
    }
    let mut out = String::from("dense<");
    match literal.splat() {
        Some(scalar) => out.push_str(&element(&scalar, 0)),
        None if literal.len() > MAX_LISTED && literal.dtype() != DType::Bool => {
            out.push_str("\"0x");
            literal.bytes().iter().for_each(|b| out.push_str(&format!("{b:02X}")));
            out.push('"');
        }
        None => {
            if !literal.is_empty() {
                lists(literal, &literal.dims(), &mut 0, &mut out);
            }
        }
    }
    out.push_str("> : ");
    out.push_str(&ty);
    out
}

fn lists(literal: &Literal, dims: &[usize], next: &mut usize, out: &mut String) {
    let [extent, inner @ ..] = dims else {
        out.push_str(&element(literal, *next));
        *next += 1;
        return;
    };
    out.push('[');
    for i in 0..*extent {
        if i > 0 {
            out.push_str(", ");
        }
        lists(literal, inner, next, out);
    }
    out.push(']');
}

fn element(literal: &Literal, index: usize) -> String {
    match literal.dtype().kind() {
        ElementKind::Bool => (literal.get_i128(index) != 0).to_string(),
        ElementKind::Signed | ElementKind::Unsigned => literal.get_i128(index).to_string(),
        ElementKind::Float => {
            let size = literal.dtype().size();
            let bytes = &literal.bytes()[index * size..(index + 1) * size];
            float(literal.dtype(), literal.get_f64(index), bytes)
        }
        ElementKind::Complex => {
            let (size, dtype) = (literal.dtype().size(), literal.dtype().real());
            let (re, im) = literal.bytes()[index * size..][..size].split_at(size / 2);
            let value = literal.get_c128(index);
            format!("({},{})", float(dtype, value.re, re), float(dtype, value.im, im))
        }
    }
}

/// The float `x` of these bytes: six digits if those say it exactly, else as many as it takes; its bits if it is not
/// finite.
pub(super) fn float(dtype: DType, x: f64, bytes: &[u8]) -> String {
    if !x.is_finite() {
        let digits: String = bytes.iter().rev().map(|b| format!("{b:02X}")).collect();
        return format!("0x{digits}");
    }
    let short = scientific(&format!("{x:.6e}"));
    let reads_as = |text: &str| {
        text.parse::<f64>().is_ok_and(|y| {
            with_element!(dtype, T => {
                Literal::scalar(<T as jarrah_base::Element>::from_f64(y)).bytes() == bytes
            })
        })
    };
    if reads_as(&short) {
        return short;
    }
    let exact = match dtype {
        DType::F64 => format!("{x:e}"),
        // The shortest digits that name an `f32` name every narrower float too.
        _ => format!("{:e}", x as f32),
    };
    scientific(&exact)
}

/// `1.5e-3` with a point and an exponent of two digits, as C writes it.
fn scientific(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}{point}e{sign}{digits:0>2}")
}

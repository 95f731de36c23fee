use super::attributes::{attribute, bare_integers, float, integers};
use super::types;
use crate::assembly::lexer::quote;
use crate::ir::{Attr, Attributes, StructureAttr, StructureField};

/// The fields of a structured attribute, from its `<` on.
pub(super) fn fields(name: &str, fields: &Attributes, out: &mut String) {
    let list = |field: &str| match fields.get(field) {
        Some(Attr::Integers(_, list)) => &list[..],
        _ => &[],
    };
    match name {
        "stablehlo.bounds" => {
            out.push('<');
            bare_integers(list("bounds"), out);
            out.push('>');
            return;
        }
        "stablehlo.conv" => {
            if let Some(axes) = convolution_axes(fields) {
                out.push('<');
                out.push_str(&axes);
                out.push('>');
                return;
            }
        }
        "stablehlo.sub_axis_info" => {
            let number = |field| fields.get(field).and_then(Attr::integer).unwrap_or(0);
            out.push_str(&format!("({}){}", number("pre_size"), number("size")));
            return;
        }
        _ => {}
    }
    out.push('<');
    if name == "stablehlo.conv" {
        out.push_str("raw ");
    }
    let known = StructureAttr::find(name).map_or(&[][..], |s| s.fields);
    let mut first = true;
    for (field, kind) in known {
        let Some(attr) = fields.get(field) else { continue };
        if !first {
            out.push_str(", ");
        }
        first = false;
        out.push_str(field);
        out.push_str(" = ");
        value(*kind, attr, out);
    }
    out.push('>');
}

fn value(kind: StructureField, attr: &Attr, out: &mut String) {
    match (kind, attr) {
        (StructureField::Dims, Attr::Integers(_, list)) => integers(list, out),
        (StructureField::Integer, Attr::Integer(value, _)) => out.push_str(&value.to_string()),
        (StructureField::Float, Attr::Float(value, ty)) => float(*value, ty, out),
        (StructureField::Type, Attr::Type(ty)) => types::ty(ty, out),
        (StructureField::String, Attr::String(text)) => out.push_str(&quote(text)),
        (StructureField::Attr, Attr::Struct(name @ "stablehlo.sub_axis_info", inner)) => {
            fields(name, inner, out)
        }
        _ => attribute(attr, out),
    }
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`; `None` if the axes do not fill such lists.
pub(super) fn convolution_axes(fields: &Attributes) -> Option<String> {
    let number = |field: &str| fields.get(field)?.integer();
    let list = |field: &str| match fields.get(field)? {
        Attr::Integers(_, list) => Some(&list[..]),
        _ => None,
    };
    let axes = |spatial: &str, others: [(&str, &str); 2]| {
        let spatial = list(spatial)?;
        let mut labels = vec![None; spatial.len() + 2];
        let others = others.map(|(letter, field)| Some((letter.to_owned(), number(field)?)));
        let spatial = spatial.iter().enumerate().map(|(i, &at)| Some((i.to_string(), at)));
        for label in others.into_iter().chain(spatial) {
            let (label, at) = label?;
            let slot = labels.get_mut(usize::try_from(at).ok()?)?;
            if slot.replace(label).is_some() {
                return None;
            }
        }
        let labels: Option<Vec<String>> = labels.into_iter().collect();
        Some(labels?.join(", "))
    };
    Some(format!(
        "[{}]x[{}]->[{}]",
        axes("input_spatial_dimensions", [("b", "input_batch_dimension"), ("f", "input_feature_dimension")])?,
        axes(
            "kernel_spatial_dimensions",
            [("i", "kernel_input_feature_dimension"), ("o", "kernel_output_feature_dimension")]
        )?,
        axes(
            "output_spatial_dimensions",
            [("b", "output_batch_dimension"), ("f", "output_feature_dimension")]
        )?,
    ))
}

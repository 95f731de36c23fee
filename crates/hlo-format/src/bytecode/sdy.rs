//! Attributes of shardings, which the tree has as text.

use std::fmt::Write;

use jarrah_base::Result;
use jarrah_hlo::sharding::quoted_name;

use super::decoder::Decoder;
use super::wire::Cursor;
use crate::ir::Attr;

/// A sharding attribute.
pub fn attribute(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Attr> {
    let code = at.varint()?;
    let text = match code {
        0 => {
            let names = d.attrs(at)?;
            let quoted = names.iter().map(|name| match name {
                Attr::String(name) => Ok(quoted_name(name)),
                _ => Err(at.error("the name of an axis is expected")),
            });
            format!("#sdy<manual_axes{{{}}}>", quoted.collect::<Result<Vec<_>>>()?.join(", "))
        }
        1 => format!("#sdy<mesh_axis{}={}>", quoted_name(&d.string(at)?), at.signed()?),
        2 => {
            let (axes, devices) = (parts(d, at)?.join(", "), at.signed_list()?);
            match devices.is_empty() {
                true => format!("#sdy.mesh<[{axes}]>"),
                false => format!("#sdy.mesh<[{axes}], device_ids=[{}]>", numbers(&devices)),
            }
        }
        3 => format!("#sdy<sub_axis_info({}){}>", at.signed()?, at.signed()?),
        4 => {
            let name = quoted_name(&d.string(at)?);
            match d.optional(at)? {
                Some(attr) => format!("#sdy<axis_ref{name}:{}>", bare(&attr, at)?),
                None => format!("#sdy<axis_ref{name}>"),
            }
        }
        5 => {
            let mut inner = parts(d, at)?;
            if at.byte()? == 0 {
                inner.push("?".to_owned());
            }
            let (priority, there) = at.flagged()?;
            format!(
                "#sdy<dimension_sharding{{{}}}{}>",
                inner.join(", "),
                if there { format!("p{priority}") } else { String::new() }
            )
        }
        6 | 15 | 17 => {
            let mesh = match d.attr(at)? {
                Attr::Symbol(name) => format!("@{}", name.join("::@")),
                mesh => format!("mesh{}", bare(&mesh, at)?),
            };
            let mut text = format!("#sdy.sharding<{mesh}, [{}]", parts(d, at)?.join(", "));
            axes(&mut text, "replicated=", &parts(d, at)?);
            if code != 6 {
                let unreduced = parts(d, at)?;
                let by = if code == 17 { at.signed()? } else { 0 };
                axes(
                    &mut text,
                    ["unreduced=", "unreduced=max", "unreduced=min"][usize::from(by as u8 % 3)],
                    &unreduced,
                );
            }
            text + ">"
        }
        7 | 16 => format!("#sdy.sharding_per_value<[{}]>", parts(d, at)?.join(", ")),
        8 => format!("#sdy<dim_mapping{}>", at.signed_list()?.iter().map(|&n| factor(n)).collect::<String>()),
        9 => format!("#sdy<tensor_mapping[{}]>", parts(d, at)?.join(", ")),
        10 => rule(d, at)?,
        11 => format!("#sdy<axis_ref_list{{{}}}>", parts(d, at)?.join(", ")),
        12 => format!("#sdy<list_of_axis_ref_lists[{}]>", parts(d, at)?.join(", ")),
        13 => format!(
            "#sdy<all_to_all_param{{{}}}: {}->{}>",
            parts(d, at)?.join(", "),
            at.signed()?,
            at.signed()?
        ),
        14 => format!("#sdy<all_to_all_param_list[{}]>", parts(d, at)?.join(", ")),
        _ => return Err(d.unknown(at, "the sharding attribute", code)),
    };
    d.charge(text.len() as u64 / 16, at)?;
    Ok(Attr::Opaque(text.into()))
}

/// How an operation may be partitioned.
fn rule(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<String> {
    let sizes = at.signed_list()?;
    let (operands, results) = (parts(d, at)?.join(", "), parts(d, at)?.join(", "));
    let mut text = format!("#sdy.op_sharding_rule<({operands})->({results})");
    if !sizes.is_empty() {
        let sizes: Vec<_> = (0..).zip(&sizes).map(|(i, size)| format!("{}={size}", factor(i))).collect();
        let _ = write!(text, " {{{}}}", sizes.join(", "));
    }
    for group in ["reduction", "need_replication", "permutation", "blocked_propagation"] {
        let factors: Vec<_> = at.signed_list()?.iter().map(|&n| factor(n)).collect();
        if !factors.is_empty() {
            let _ = write!(text, " {group}={{{}}}", factors.join(", "));
        }
    }
    Ok(text + if at.byte()? != 0 { ", custom>" } else { ">" })
}

/// The symbol of the factor `n`: i to z, then z_1 and so on.
fn factor(n: i64) -> String {
    const LAST: i64 = (b'z' - b'i') as i64;
    match n {
        0..=LAST => char::from(b'i' + n as u8).to_string(),
        _ => format!("z_{}", n.saturating_sub(LAST)),
    }
}

fn axes(text: &mut String, keyword: &str, axes: &[String]) {
    if !axes.is_empty() {
        let _ = write!(text, ", {keyword}{{{}}}", axes.join(", "));
    }
}

fn numbers(list: &[i64]) -> String {
    list.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

/// The text of a nested attribute, without the dialect and the name.
fn bare(attr: &Attr, at: &Cursor<'_>) -> Result<String> {
    let Attr::Opaque(text) = attr else { return Err(at.error("a sharding attribute is expected")) };
    if let Some(inner) = text.strip_prefix("#sdy<").and_then(|t| t.strip_suffix('>')) {
        let stripped = NESTED.iter().find_map(|name| inner.strip_prefix(name));
        return stripped
            .map(str::to_owned)
            .ok_or_else(|| at.error(format!("`{text}` cannot stand in another one")));
    }
    let inner = text
        .strip_prefix("#sdy.")
        .map(|t| t.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_'));
    inner.map(str::to_owned).ok_or_else(|| at.error("a sharding attribute is expected"))
}

/// Attributes whose name is left out in others.
const NESTED: &[&str] = &[
    "mesh_axis",
    "sub_axis_info",
    "axis_ref_list",
    "axis_ref",
    "dimension_sharding",
    "dim_mapping",
    "tensor_mapping",
    "all_to_all_param",
];

/// The texts of several nested attributes.
fn parts(d: &mut Decoder<'_, '_>, at: &mut Cursor<'_>) -> Result<Vec<String>> {
    d.attrs(at)?.iter().map(|attr| bare(attr, at)).collect()
}

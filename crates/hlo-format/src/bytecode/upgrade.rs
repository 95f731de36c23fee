//! From the attributes of a portable op, in any of its versions, to those of the op of the tree.

use jarrah_base::DType;

use super::dialects;
use super::table::{Default, Field, Kind, Part, Row, Spread};
use crate::ir::{Attr, Attributes, Dense, ElementTy};

/// How many elements a list of dimensions may have.
const DIMENSIONS: usize = 1 << 12;

/// The attributes of the op of the tree that `given` stand for; what is at its default is left out.
///
/// # Errors
/// An attribute is missing or of the wrong kind.
pub fn attributes(row: &Row, version: u8, mut given: Attributes) -> Result<Attributes, String> {
    let mut made = Attributes::default();
    let mut spreads: Vec<(Spread, Vec<(&'static str, Attr)>)> = Vec::new();
    let layouts = ["operand_layouts", "result_layouts"];
    let no_layouts = layouts.iter().all(|l| given.get(l).is_none_or(|a| is_default(Default::EmptyArray, a)));
    for field in row.fields(version) {
        let Some(attr) = given.remove(field.name) else {
            return Err(format!("the attribute `{}` is missing", field.name));
        };
        let silent = match field.name {
            "operand_layouts" | "result_layouts" => no_layouts,
            // These have a default, and are there nevertheless.
            "infeed_config" | "outfeed_config" => false,
            _ => is_default(field.default, &attr),
        };
        let wrong = || format!("the attribute `{}` is not of the kind that it has to be", field.name);
        if silent || (row.op, field.name) == ("stablehlo.dynamic_conv", "padding") {
            continue;
        }
        if let Kind::Part(spread, part, name) = field.kind {
            let value = one_part(part, attr).ok_or_else(wrong)?;
            match spreads.iter_mut().find(|s| s.0 == spread) {
                Some((_, parts)) => parts.push((name, value)),
                None => spreads.push((spread, vec![(name, value)])),
            }
            continue;
        }
        let (name, attr) = converted(field, attr).ok_or_else(wrong)?;
        made.set(name, attr);
    }
    for (spread, parts) in spreads {
        let (attribute, name) = spread.names();
        made.set(attribute, dialects::structured(name, parts));
    }
    for (name, attr) in given.iter() {
        made.set(name.clone(), attr.clone());
    }
    Ok(made)
}

/// An attribute that stays one, under the name that it has in the tree.
fn converted(field: &Field, attr: Attr) -> Option<(&'static str, Attr)> {
    let attr = match (field.kind, attr) {
        (Kind::Same | Kind::ApiVersion, attr) => attr,
        (Kind::Integers, Attr::Dense(dense)) => Attr::i64s(dense.integers(DIMENSIONS)?),
        (Kind::Booleans, Attr::Dense(dense)) => {
            Attr::Integers(ElementTy::Number(DType::Bool), dense.integers(DIMENSIONS)?)
        }
        (Kind::Symbol, Attr::String(name)) => Attr::Symbol(vec![name]),
        (Kind::Symbols, Attr::Array(names)) => {
            let symbol = |name| match name {
                Attr::String(name) => Some(Attr::Symbol(vec![name])),
                _ => None,
            };
            Attr::Array(names.into_iter().map(symbol).collect::<Option<_>>()?)
        }
        (Kind::Channel, attr @ Attr::Integer(..)) => {
            let parts = [("handle", attr), ("type", Attr::i64(0))];
            return Some(("channel_handle", dialects::structured("stablehlo.channel_handle", parts)));
        }
        (Kind::Flag, Attr::Bool(true)) => Attr::Unit,
        _ => return None,
    };
    Some((field.name, attr))
}

/// A field of a structured attribute.
fn one_part(part: Part, attr: Attr) -> Option<Attr> {
    match (part, attr) {
        (Part::Integers, Attr::Dense(dense)) => Some(Attr::i64s(dense.integers(DIMENSIONS)?)),
        (Part::Integer, attr @ Attr::Integer(..))
        | (Part::Type, attr @ Attr::Type(_))
        | (Part::Boolean, attr @ Attr::Bool(_)) => Some(attr),
        _ => None,
    }
}

/// Whether the elements of a tensor are all equal to `n`, and there is one.
fn all_equal(dense: &Dense, n: i128) -> bool {
    !dense.value.is_empty() && (0..dense.value.len()).all(|i| dense.value.get_i128(i) == n)
}

/// Whether `attr` says nothing that the default does not say.
pub fn is_default(default: Default, attr: &Attr) -> bool {
    match (default, attr) {
        (Default::None, _) => false,
        (Default::False, Attr::Bool(b)) => !b,
        (Default::Integer(n), Attr::Integer(m, _)) => i128::from(n) == *m,
        (Default::EmptyString, Attr::String(text)) => text.is_empty(),
        (Default::EmptyString | Default::EmptyDictionary, Attr::Dictionary(all)) => all.is_empty(),
        // A list of dictionaries without entries says as little as none.
        (Default::EmptyArray, Attr::Array(all)) => {
            all.iter().all(|a| matches!(a, Attr::Dictionary(entries) if entries.is_empty()))
        }
        (Default::EmptyTensor, Attr::Dense(dense)) => dense.value.is_empty(),
        (Default::Ones, Attr::Dense(dense)) => all_equal(dense, 1),
        (Default::Falses | Default::ZeroPairs, Attr::Dense(dense)) => all_equal(dense, 0),
        (Default::Precisions, Attr::Array(all)) => all.iter().all(|a| matches!(a, Attr::Enum(_, "DEFAULT"))),
        (Default::NoComparisonType, Attr::Enum(_, case)) => *case == "NOTYPE",
        (Default::OriginalApi, Attr::Integer(n, _)) => *n == 1,
        (Default::ResultAccuracy, Attr::Struct(_, fields)) => {
            let zero = |name| match fields.get(name) {
                Some(Attr::Float(x, _)) => *x == 0.0,
                Some(attr) => attr.integer() == Some(0),
                None => true,
            };
            let default = matches!(fields.get("mode"), None | Some(Attr::Enum(_, "DEFAULT")));
            default && ["atol", "rtol", "ulps"].into_iter().all(zero)
        }
        (Default::NoneType, Attr::Type(ty)) => *ty == crate::ir::Ty::None,
        _ => false,
    }
}

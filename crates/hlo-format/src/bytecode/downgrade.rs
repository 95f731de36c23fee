//! From the attributes of an op of the tree to those of a version of the portable op.

use jarrah_base::{DType, Literal, Type};

use super::table::{Default, Field, Kind, Limit, Part, Row};
use super::upgrade::is_default;
use super::version::Version;
use crate::ir::{Attr, Attributes, Dense, ElementTy, IrModule, IrOp, TensorTy, Ty};

/// The attributes of an op in a version of the portable dialect.
pub struct Portable {
    /// Its attributes, in the order of the table. `true` marks the enumeration that the tree has as an integer.
    pub fields: Vec<(&'static str, Attr, bool)>,
    /// Attributes that are not the op's own.
    pub rest: Attributes,
}

/// The attributes of version `version` of the op.
///
/// # Errors
/// An attribute is missing, of the wrong kind, or needs a newer release.
pub fn attributes(row: &Row, version: u8, op: &IrOp) -> Result<Portable, String> {
    let mut given = op.attributes.clone();
    let rank = rank(row, &given);
    let mut fields = Vec::new();
    for field in row.fields {
        let said = say(field, &mut given)?;
        if version < field.versions.0 {
            let silent = |attr: &Attr| {
                is_default(field.default, attr) || matches!(attr, Attr::Integers(_, list) if list.is_empty())
            };
            if said.as_ref().is_some_and(|attr| !silent(attr)) {
                let since = row.since[usize::from(field.versions.0) - 1];
                return Err(format!("the attribute `{}` needs version {since}", field.name));
            }
        } else if version <= field.versions.1 {
            let attr = said.or_else(|| default(field.default, rank));
            let attr = attr.ok_or_else(|| format!("the attribute `{}` is missing", field.name))?;
            fields.push((field.name, attr, field.kind == Kind::ApiVersion));
        }
    }
    for field in row.fields {
        match field.kind {
            Kind::Part(spread, ..) => given.remove(spread.names().0),
            Kind::Channel => given.remove("channel_handle"),
            _ => None,
        };
    }
    Ok(Portable { fields, rest: given })
}

/// The portable form of the tree's attribute for `field`; `None` if the tree has no such attribute.
fn say(field: &Field, given: &mut Attributes) -> Result<Option<Attr>, String> {
    let wrong = || format!("the attribute `{}` is not of the kind that it has to be", field.name);
    let name = |attr: &Attr| match attr {
        Attr::Symbol(path) if path.len() == 1 => Some(Attr::String(path[0].clone())),
        _ => None,
    };
    match field.kind {
        Kind::Part(spread, part, name) => match given.get(spread.names().0) {
            None if field.default == Default::None => {
                Err(format!("the attribute `{}` is missing", spread.names().0))
            }
            None => Ok(None),
            Some(Attr::Struct(_, parts)) => match (parts.get(name), part) {
                (Some(attr), _) => Ok(Some(attr.clone())),
                (None, Part::Integers) => Ok(Some(Attr::i64s([]))),
                (None, Part::Integer) => Ok(Some(Attr::i64(0))),
                (None, _) => Err(wrong()),
            },
            Some(_) => Err(wrong()),
        },
        Kind::Channel => match given.get("channel_handle") {
            None => Ok(None),
            Some(Attr::Struct(_, parts)) => {
                Ok(Some(parts.get("handle").cloned().unwrap_or_else(|| Attr::i64(0))))
            }
            Some(_) => Err(wrong()),
        },
        _ => {
            let Some(attr) = given.remove(field.name) else { return Ok(None) };
            let said = match (field.kind, attr) {
                (Kind::Same, attr) => Some(attr),
                (Kind::ApiVersion, attr @ Attr::Integer(..)) => Some(attr),
                (Kind::Integers | Kind::Booleans, attr @ (Attr::Integers(..) | Attr::Dense(_))) => Some(attr),
                (Kind::Symbol, attr) => name(&attr),
                (Kind::Symbols, Attr::Array(all)) => {
                    all.iter().map(name).collect::<Option<_>>().map(Attr::Array)
                }
                (Kind::Flag, Attr::Unit) => Some(Attr::Bool(true)),
                (Kind::Flag, attr @ Attr::Bool(_)) => Some(attr),
                _ => None,
            };
            said.map(Some).ok_or_else(wrong)
        }
    }
}

/// How many dimensions the defaults of an op have.
fn rank(row: &Row, given: &Attributes) -> usize {
    let conv = given.get("dimension_numbers").and_then(|attr| match attr {
        Attr::Struct(_, parts) => parts.get(row.rank),
        _ => None,
    });
    let list = conv.or_else(|| given.get(row.rank)).and_then(Attr::integers);
    list.map_or(0, |list| list.len())
}

fn default(default: Default, rank: usize) -> Option<Attr> {
    Some(match default {
        Default::None => return None,
        Default::False => Attr::Bool(false),
        Default::Integer(n) => Attr::i64(n),
        Default::EmptyString => Attr::string(""),
        Default::EmptyArray => Attr::Array(Vec::new()),
        Default::EmptyDictionary => Attr::Dictionary(Attributes::default()),
        Default::EmptyTensor => Attr::i64s([]),
        Default::Ones => Attr::i64s(vec![1; rank]),
        Default::Falses => Attr::Integers(ElementTy::Number(DType::Bool), vec![0; rank]),
        Default::ZeroPairs => {
            let dims = Some([Some(rank as u64), Some(2)].into_iter().collect());
            let ty = TensorTy { dims, element: ElementTy::Number(DType::I64), encoding: None };
            Attr::Dense(Dense { value: Literal::zeros(Type::tensor(DType::I64, [rank, 2])).ok()?, ty })
        }
        Default::Precisions => Attr::Array(vec![Attr::Enum("stablehlo.precision", "DEFAULT"); 2]),
        Default::NoComparisonType => Attr::Enum("stablehlo.comparison_type", "NOTYPE"),
        Default::OriginalApi => Attr::Integer(1, ElementTy::Number(DType::I32)),
        Default::ResultAccuracy => Attr::Struct("stablehlo.result_accuracy", Attributes::default()),
        Default::NoneType => Attr::Type(Ty::None),
    })
}

/// Checks that the release `target` can express the op's operands, results and regions.
///
/// # Errors
/// The op needs a newer release.
pub fn check(row: &Row, version: u8, target: Version, module: &IrModule, op: &IrOp) -> Result<(), String> {
    let one = || {
        let many = version < 2 && op.operands.len() != 1;
        if many { Err(format!("several operands need version {}", row.since[1])) } else { Ok(()) }
    };
    let same = || {
        let element = |v| module.ty(v).tensor().map(|t| &t.element);
        let promoted = op.operands.iter().zip(&op.results).any(|(&o, &r)| element(o) != element(r));
        let promoted = promoted && target.release() < Version::new(0, 17);
        if promoted {
            Err("a result of another element type than the operand needs version 0.17.0".to_owned())
        } else {
            Ok(())
        }
    };
    let needs = |bad: bool, what: &str, since: Version| {
        if bad && target.release() < since { Err(format!("{what} need version {since}")) } else { Ok(()) }
    };
    match row.limit {
        Limit::Nothing => Ok(()),
        Limit::OneOperand => one(),
        Limit::SameTypes => same(),
        Limit::OneOperandSameTypes => one().and_then(|()| same()),
        Limit::Regions => needs(!op.regions.is_empty(), "regions", row.since[1]),
        Limit::CustomCall => {
            let dictionary = matches!(op.attr("backend_config"), Some(Attr::Dictionary(_)));
            needs(dictionary, "dictionaries as `backend_config`", Version::new(1, 3))?;
            let typed = op.attr("api_version").and_then(Attr::integer) == Some(4);
            needs(typed, "calls by the typed interface", Version::new(1, 3))?;
            let mut types = op.operands.iter().chain(&op.results).map(|&v| module.ty(v));
            needs(types.clone().any(|ty| matches!(ty, Ty::Buffer(_))), "buffers", Version::new(1, 13))?;
            needs(types.any(|ty| matches!(ty, Ty::Future(_))), "futures", Version::new(1, 17))
        }
    }
}

use jarrah_base::Result;

use super::decoder::Value;
use super::scalars;
use super::wire::Cursor;
use crate::assembly;
use crate::ir::{Attr, ElementTy, Ty};

/// An attribute without a binary encoding, as its dialect prints it.
pub fn attribute(text: &str, at: &Cursor<'_>) -> Result<Value> {
    parse(text, at).map(Value::Attr)
}

/// A type without a binary encoding, as its dialect prints it.
pub fn ty(text: &str, at: &Cursor<'_>) -> Result<Ty> {
    match scalars::from_name(text) {
        ElementTy::Opaque(_) => match parse(text, at)? {
            Attr::Type(ty) => Ok(ty),
            _ => Err(at.error(format!("`{text}` is no type"))),
        },
        element => Ok(Ty::Scalar(element)),
    }
}

/// Parses the text of an attribute.
fn parse(text: &str, at: &Cursor<'_>) -> Result<Attr> {
    let module = assembly::parse("", &format!("module attributes {{a = {text}}} {{}}"));
    let mut module = module.map_err(|e| at.error(format!("the text `{text}`: {}", e.message())))?;
    let attr = module
        .op
        .attributes
        .remove("a")
        .filter(|_| module.op.attributes.is_empty() && module.ops().is_empty());
    attr.ok_or_else(|| at.error(format!("`{text}` is more than one attribute")))
}

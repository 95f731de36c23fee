//! The attributes of an op, by name and kind.

use jarrah_base::Result;
use jarrah_hlo::ops::{Axes, Sizes};

use super::Importer;
use crate::ast::{Attribute, Dense, Op};

/// No number in a text is larger: beyond, arithmetic on extents may overflow.
const MAX_NUMBER: i64 = 1 << 40;

pub(super) type Fields<'r, 't> = &'r [(&'t str, Attribute<'t>)];

/// The attribute under the first of the names that is there.
pub(super) fn find<'r, 't>(fields: Fields<'r, 't>, names: &[&str]) -> Option<&'r Attribute<'t>> {
    names.iter().find_map(|name| fields.iter().find(|(n, _)| n == name).map(|(_, a)| a))
}

/// The numbers of a list or of a one-dimensional tensor.
fn numbers(attribute: &Attribute<'_>) -> Option<Vec<i64>> {
    let list: Option<Vec<i64>> = match attribute {
        Attribute::List(items) => items.iter().map(number).collect(),
        Attribute::Dense(dense) => match &**dense {
            Dense::Literal(literal) if literal.dtype().is_integer() => {
                (0..literal.len()).map(|i| literal.get_i128(i).try_into().ok()).collect()
            }
            _ => None,
        },
        _ => None,
    };
    list.filter(|list| list.iter().all(|n| n.checked_abs().is_some_and(|n| n <= MAX_NUMBER)))
}

fn number(attribute: &Attribute<'_>) -> Option<i64> {
    match attribute {
        Attribute::Number(digits) => {
            digits.parse().ok().filter(|n: &i64| n.checked_abs().is_some_and(|n| n <= MAX_NUMBER))
        }
        Attribute::Bool(b) => Some(i64::from(*b)),
        _ => None,
    }
}

impl<'a, 't> Importer<'a, 't> {
    /// The list of numbers under one of the names, if it is there.
    pub(super) fn optional_numbers(
        &self,
        op: &Op<'t>,
        fields: Fields<'_, 't>,
        names: &[&str],
    ) -> Result<Option<Vec<i64>>> {
        let Some(attribute) = find(fields, names) else { return Ok(None) };
        let list = numbers(attribute);
        list.map(Some).ok_or_else(|| {
            self.fail(op, format!("`{}` is no list of numbers, or one is too large", names[0]))
        })
    }

    /// The list of numbers under one of the names.
    pub(super) fn numbers(&self, op: &Op<'t>, names: &[&str]) -> Result<Vec<i64>> {
        let list = self.optional_numbers(op, &op.attributes, names)?;
        list.ok_or_else(|| self.fail(op, format!("the attribute `{}` is missing", names[0])))
    }

    fn naturals(&self, op: &Op<'t>, list: &[i64], name: &str) -> Result<Sizes> {
        let naturals: Option<Sizes> = list.iter().map(|&n| usize::try_from(n).ok()).collect();
        naturals.ok_or_else(|| self.fail(op, format!("`{name}` has a negative number")))
    }

    /// The axes or extents under one of the names.
    pub(super) fn sizes(&self, op: &Op<'t>, names: &[&str]) -> Result<Sizes> {
        let list = self.numbers(op, names)?;
        self.naturals(op, &list, names[0])
    }

    /// The axes under one of the names; none if it is not there.
    pub(super) fn axes(&self, op: &Op<'t>, fields: Fields<'_, 't>, names: &[&str]) -> Result<Axes> {
        let list = self.optional_numbers(op, fields, names)?.unwrap_or_default();
        self.naturals(op, &list, names[0])
    }

    /// The natural number under one of the names, if it is there.
    pub(super) fn optional_size(
        &self,
        op: &Op<'t>,
        fields: Fields<'_, 't>,
        names: &[&str],
    ) -> Result<Option<usize>> {
        let Some(attribute) = find(fields, names) else { return Ok(None) };
        let size = number(attribute).and_then(|n| usize::try_from(n).ok());
        size.map(Some)
            .ok_or_else(|| self.fail(op, format!("`{}` is no natural number, or too large", names[0])))
    }

    /// The natural number under one of the names.
    pub(super) fn size(&self, op: &Op<'t>, names: &[&str]) -> Result<usize> {
        let size = self.optional_size(op, &op.attributes, names)?;
        size.ok_or_else(|| self.fail(op, format!("the attribute `{}` is missing", names[0])))
    }

    /// Whether a flag is set; a flag that is not there is not.
    pub(super) fn flag(&self, op: &Op<'t>, name: &str) -> Result<bool> {
        match op.attribute(name) {
            None => Ok(false),
            Some(Attribute::Bool(flag)) => Ok(*flag),
            Some(Attribute::Unit) => Ok(true),
            Some(_) => Err(self.fail(op, format!("`{name}` is no truth value"))),
        }
    }

    /// The word or string under a name.
    pub(super) fn word<'r>(&self, op: &'r Op<'t>, name: &str) -> Result<&'r str> {
        match op.attribute(name) {
            Some(Attribute::Word(word)) => Ok(word),
            Some(Attribute::Text(text)) => Ok(text),
            _ => Err(self.fail(op, format!("the attribute `{name}` is missing, or no word"))),
        }
    }

    /// The fields of the structured attribute under a name.
    pub(super) fn structure<'r>(&self, op: &'r Op<'t>, name: &str) -> Result<Fields<'r, 't>> {
        match op.attribute(name) {
            Some(Attribute::Fields(fields)) => Ok(fields),
            _ => Err(self.fail(op, format!("the attribute `{name}` is missing, or has no fields"))),
        }
    }
}

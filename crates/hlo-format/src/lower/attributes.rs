//! Reads an op's attributes, by name and kind.

use jarrah_base::Result;
use smallvec::SmallVec;

use super::cx::Cx;
use crate::ir::{Attr, Attributes};

/// The largest extent or position accepted; arithmetic on larger ones may overflow.
const MAX_NUMBER: i64 = 1 << 40;

/// A list of axes or extents.
type Naturals = SmallVec<[usize; 6]>;

impl<'a> Cx<'_, 'a> {
    /// The attribute `name`.
    pub fn attr(&self, name: &str) -> Result<&'a Attr> {
        let attr = self.op.attr(name);
        attr.ok_or_else(|| self.fail(format!("the attribute `{name}` is missing")))
    }

    fn list_of(&self, fields: &Attributes, name: &str) -> Result<Option<Vec<i64>>> {
        let Some(attr) = fields.get(name) else { return Ok(None) };
        let list =
            attr.integers().filter(|l| l.iter().all(|n| n.checked_abs().is_some_and(|n| n <= MAX_NUMBER)));
        let list =
            list.ok_or_else(|| self.fail(format!("`{name}` is no list of numbers, or one is too large")))?;
        Ok(Some(list))
    }

    fn naturals(&self, list: &[i64], name: &str) -> Result<Naturals> {
        let naturals: Option<Naturals> = list.iter().map(|&n| usize::try_from(n).ok()).collect();
        naturals.ok_or_else(|| self.fail(format!("`{name}` has a negative number")))
    }

    /// The list of numbers `name`, if the attribute is present.
    pub fn optional_numbers(&self, name: &str) -> Result<Option<Vec<i64>>> {
        self.list_of(&self.op.attributes, name)
    }

    /// The list of numbers `name`.
    pub fn numbers(&self, name: &str) -> Result<Vec<i64>> {
        let list = self.optional_numbers(name)?;
        list.ok_or_else(|| self.fail(format!("the attribute `{name}` is missing")))
    }

    /// The axes or extents `name`.
    pub fn sizes(&self, name: &str) -> Result<Naturals> {
        let list = self.numbers(name)?;
        self.naturals(&list, name)
    }

    /// The axes or extents `name`; `count` times `default` if the attribute is absent.
    pub fn sizes_or(&self, name: &str, count: usize, default: usize) -> Result<Naturals> {
        match self.optional_numbers(name)? {
            Some(list) => self.naturals(&list, name),
            None => Ok(SmallVec::from_elem(default, count)),
        }
    }

    /// The axes `name` of a structured attribute; none if the field is absent.
    pub fn axes_in(&self, fields: &Attributes, name: &str) -> Result<Naturals> {
        let list = self.list_of(fields, name)?.unwrap_or_default();
        self.naturals(&list, name)
    }

    /// The natural number `name` of a structured attribute, if the field is present.
    pub fn size_in(&self, fields: &Attributes, name: &str) -> Result<Option<usize>> {
        let Some(attr) = fields.get(name) else { return Ok(None) };
        let size = attr.integer().filter(|&n| n <= MAX_NUMBER).and_then(|n| usize::try_from(n).ok());
        let size = size.ok_or_else(|| self.fail(format!("`{name}` is no natural number, or too large")))?;
        Ok(Some(size))
    }

    /// The natural number `name`.
    pub fn size(&self, name: &str) -> Result<usize> {
        let size = self.size_in(&self.op.attributes, name)?;
        size.ok_or_else(|| self.fail(format!("the attribute `{name}` is missing")))
    }

    /// Whether the flag `name` is set; an absent flag is not.
    pub fn flag(&self, name: &str) -> Result<bool> {
        match self.op.attr(name) {
            None => Ok(false),
            Some(Attr::Bool(flag)) => Ok(*flag),
            Some(Attr::Unit) => Ok(true),
            Some(_) => Err(self.fail(format!("`{name}` is no truth value"))),
        }
    }

    /// The enumerator or string `name`, if the attribute is present.
    pub fn optional_word(&self, name: &str) -> Result<Option<&'a str>> {
        match self.op.attr(name) {
            None => Ok(None),
            Some(Attr::Enum(_, word)) => Ok(Some(word)),
            Some(Attr::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.fail(format!("`{name}` is no word"))),
        }
    }

    /// The enumerator or string `name`.
    pub fn word(&self, name: &str) -> Result<&'a str> {
        let word = self.optional_word(name)?;
        word.ok_or_else(|| self.fail(format!("the attribute `{name}` is missing")))
    }

    /// The fields of the structured attribute `name`.
    pub fn fields(&self, name: &str) -> Result<&'a Attributes> {
        match self.attr(name)? {
            Attr::Struct(_, fields) | Attr::Dictionary(fields) => Ok(fields),
            _ => Err(self.fail(format!("`{name}` has no fields"))),
        }
    }

    /// The name of the function that the attribute `name` refers to.
    pub fn symbol(&self, name: &str) -> Result<String> {
        match self.attr(name)? {
            Attr::Symbol(path) => Ok(path.join("::")),
            _ => Err(self.fail(format!("`{name}` names no function"))),
        }
    }
}

use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::container::{Container, Entry};
use super::wire::Cursor;
use super::{builtin, dialects, sdy, textual, vhlo};
use crate::MAX_DEPTH;
use crate::ir::{Attr, Attributes, Loc, Ty, strings};

/// An entry of the container's table of attributes, which holds locations too.
#[derive(Clone)]
pub enum Value {
    Attr(Attr),
    Loc(Loc),
}

/// An entry that is read once.
enum Slot<T> {
    Unread,
    Reading,
    Read { value: T, size: u64, height: usize },
}

/// Reads attributes and types when they are asked for.
///
/// Entries refer to each other, in any order and any number of times. What is made of them is a tree, so shared
/// entries are copied: the sizes of the copies are counted, against a budget that the length of the file sets.
pub struct Decoder<'a, 'f> {
    pub file: &'f Container<'a>,
    attributes: Vec<Slot<Value>>,
    types: Vec<Slot<Ty>>,
    budget: u64,
    depth: usize,
    /// The size and height of what the entry being read refers to.
    size: u64,
    height: usize,
}

/// How deep locations are kept; what lies deeper is cut off.
const LOC_DEPTH: usize = MAX_DEPTH / 2;

trait Table: Sized + Clone {
    const WHAT: &'static str;
    fn slots<'d>(decoder: &'d mut Decoder<'_, '_>) -> &'d mut Vec<Slot<Self>>;
    fn entries<'a, 'f>(file: &'f Container<'a>) -> &'f [Entry<'a>];
    fn read(decoder: &mut Decoder<'_, '_>, entry: Entry<'_>) -> Result<Self>;
}

impl Table for Value {
    const WHAT: &'static str = "attribute";

    fn slots<'d>(decoder: &'d mut Decoder<'_, '_>) -> &'d mut Vec<Slot<Self>> {
        &mut decoder.attributes
    }

    fn entries<'a, 'f>(file: &'f Container<'a>) -> &'f [Entry<'a>] {
        &file.attributes
    }

    fn read(decoder: &mut Decoder<'_, '_>, entry: Entry<'_>) -> Result<Value> {
        let mut data = entry.data;
        let value = match (entry.binary, entry.dialect) {
            (false, _) => {
                let text = data.c_string()?;
                return textual::attribute(text, &entry.data);
            }
            (true, "builtin") => builtin::attribute(decoder, &mut data)?,
            (true, "vhlo") => Value::Attr(vhlo::attribute(decoder, &mut data)?),
            (true, "stablehlo") => Value::Attr(dialects::stablehlo(decoder, &mut data)?),
            (true, "chlo") => Value::Attr(dialects::chlo(&mut data)?),
            (true, "sdy") => Value::Attr(sdy::attribute(decoder, &mut data)?),
            (true, other) => {
                return Err(data.error(format!("the attributes of the dialect `{other}` are not known")));
            }
        };
        data.finish("an attribute")?;
        Ok(value)
    }
}

impl Table for Ty {
    const WHAT: &'static str = "type";

    fn slots<'d>(decoder: &'d mut Decoder<'_, '_>) -> &'d mut Vec<Slot<Self>> {
        &mut decoder.types
    }

    fn entries<'a, 'f>(file: &'f Container<'a>) -> &'f [Entry<'a>] {
        &file.types
    }

    fn read(decoder: &mut Decoder<'_, '_>, entry: Entry<'_>) -> Result<Ty> {
        let mut data = entry.data;
        let ty = match (entry.binary, entry.dialect) {
            (false, _) => return textual::ty(data.c_string()?, &entry.data),
            (true, "builtin") => builtin::ty(decoder, &mut data)?,
            (true, "vhlo") => vhlo::ty(decoder, &mut data)?,
            (true, "stablehlo") => dialects::stablehlo_ty(decoder, &mut data)?,
            (true, "quant") => dialects::quant_ty(decoder, &mut data)?,
            (true, other) => {
                return Err(data.error(format!("the types of the dialect `{other}` are not known")));
            }
        };
        data.finish("a type")?;
        Ok(ty)
    }
}

impl<'a, 'f> Decoder<'a, 'f> {
    pub fn new(file: &'f Container<'a>, length: usize) -> Self {
        Decoder {
            file,
            attributes: file.attributes.iter().map(|_| Slot::Unread).collect(),
            types: file.types.iter().map(|_| Slot::Unread).collect(),
            budget: (1 << 16) + 16 * length as u64,
            depth: 0,
            size: 0,
            height: 0,
        }
    }

    /// Counts `size` things that are made.
    pub fn charge(&mut self, size: u64, at: &Cursor<'_>) -> Result<()> {
        self.size = self.size.saturating_add(size);
        match self.budget.checked_sub(size) {
            Some(rest) => self.budget = rest,
            None => return Err(at.error("what the attributes and types say is far larger than the file")),
        }
        Ok(())
    }

    fn entry<T: Table>(&mut self, index: usize, at: &Cursor<'_>) -> Result<T> {
        let too_deep = || at.error(format!("attributes or types nest more than {MAX_DEPTH} deep"));
        let slot = &mut T::slots(self)[index];
        match slot {
            Slot::Reading => return Err(at.error(format!("{} {index} refers to itself", T::WHAT))),
            Slot::Read { value, size, height } => {
                let (value, size, height) = (value.clone(), *size, *height);
                if self.depth + height > MAX_DEPTH {
                    return Err(too_deep());
                }
                self.height = self.height.max(height);
                self.charge(size, at)?;
                return Ok(value);
            }
            Slot::Unread => *slot = Slot::Reading,
        }
        if self.depth >= MAX_DEPTH {
            return Err(too_deep());
        }
        let outer = (std::mem::take(&mut self.size), std::mem::take(&mut self.height));
        self.depth += 1;
        self.charge(1, at)?;
        let value = T::read(self, T::entries(self.file)[index])?;
        self.depth -= 1;
        let (size, height) = (self.size, self.height + 1);
        (self.size, self.height) = (outer.0.saturating_add(size), outer.1.max(height));
        T::slots(self)[index] = Slot::Read { value: value.clone(), size, height };
        Ok(value)
    }

    pub fn attr_at(&mut self, index: usize, at: &Cursor<'_>) -> Result<Attr> {
        match self.entry::<Value>(index, at)? {
            Value::Attr(attr) => Ok(attr),
            Value::Loc(_) => Err(at.error("a location stands where an attribute is expected")),
        }
    }

    /// The attribute that `at` refers to.
    pub fn attr(&mut self, at: &mut Cursor<'_>) -> Result<Attr> {
        let index = at.index(self.attributes.len(), "attribute")?;
        self.attr_at(index, at)
    }

    /// The attribute that `at` refers to, if it does.
    pub fn optional(&mut self, at: &mut Cursor<'_>) -> Result<Option<Attr>> {
        let (index, there) = at.flagged()?;
        if !there {
            return Ok(None);
        }
        let index = at.checked(index, self.attributes.len(), "attribute")?;
        self.attr_at(index, at).map(Some)
    }

    pub fn attrs(&mut self, at: &mut Cursor<'_>) -> Result<Vec<Attr>> {
        (0..at.count()?).map(|_| self.attr(at)).collect()
    }

    pub fn dictionary(&mut self, at: &mut Cursor<'_>) -> Result<Attributes> {
        match self.attr(at)? {
            Attr::Dictionary(attributes) => Ok(attributes),
            _ => Err(at.error("a dictionary of attributes is expected")),
        }
    }

    /// The text of the string attribute that `at` refers to.
    pub fn text(&mut self, at: &mut Cursor<'_>) -> Result<Arc<str>> {
        match self.attr(at)? {
            Attr::String(text) => Ok(text),
            _ => Err(at.error("a string attribute is expected")),
        }
    }

    /// The names and values of a dictionary.
    pub fn named(&mut self, at: &mut Cursor<'_>) -> Result<Attributes> {
        let mut attributes = Vec::new();
        for _ in 0..at.count()? {
            attributes.push((self.text(at)?, self.attr(at)?));
        }
        Ok(attributes.into_iter().collect())
    }

    /// The location that `at` refers to.
    pub fn loc(&mut self, at: &mut Cursor<'_>) -> Result<Loc> {
        let index = at.index(self.attributes.len(), "attribute")?;
        let height = match &self.attributes[index] {
            Slot::Read { height, .. } => *height,
            _ => 1,
        };
        if self.depth + height > LOC_DEPTH {
            return Ok(Loc::Unknown);
        }
        match self.entry::<Value>(index, at)? {
            Value::Loc(loc) => Ok(loc),
            Value::Attr(_) => Err(at.error("an attribute stands where a location is expected")),
        }
    }

    pub fn ty_at(&mut self, index: usize, at: &Cursor<'_>) -> Result<Ty> {
        self.entry(index, at)
    }

    /// The type that `at` refers to.
    pub fn ty(&mut self, at: &mut Cursor<'_>) -> Result<Ty> {
        let index = at.index(self.types.len(), "type")?;
        self.entry(index, at)
    }

    pub fn tys(&mut self, at: &mut Cursor<'_>) -> Result<Vec<Ty>> {
        (0..at.count()?).map(|_| self.ty(at)).collect()
    }

    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// The string that `at` refers to.
    pub fn string(&mut self, at: &mut Cursor<'_>) -> Result<Arc<str>> {
        let index = at.index(self.file.strings.len(), "string")?;
        Ok(strings::from_bytes(self.file.strings[index].to_vec()).into())
    }

    /// The error that a dialect has no attribute or type with this code.
    pub fn unknown(&self, at: &Cursor<'_>, what: &str, code: u64) -> Error {
        at.error(format!("{what} {code} is not known: the file may be of a newer version"))
    }
}

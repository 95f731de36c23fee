//! Reading of untrusted bytes: every count is checked against the number of bytes left before memory is reserved for it.

use jarrah_base::{Error, Result};
use rmp::Marker;

/// An item of MessagePack, up to the items in it.
pub(crate) enum Item<'a> {
    Nil,
    Bool(bool),
    Integer(i64),
    /// An integer that is written without a sign.
    Unsigned(u64),
    Float(f64),
    Text(&'a [u8]),
    Bytes(&'a [u8]),
    /// The number of items that follow.
    List(usize),
    /// The number of pairs of items that follow.
    Map(usize),
    Extension(i8, &'a [u8]),
}

/// The items of a file, read one after the other.
pub(crate) struct Items<'a> {
    whole: &'a [u8],
    at: usize,
}

pub(super) fn wrong(error: impl Into<String>) -> Error {
    Error::input(error).op("msgpack")
}

impl<'a> Items<'a> {
    pub fn new(whole: &'a [u8]) -> Self {
        Items { whole, at: 0 }
    }

    /// The number of bytes that have been read.
    pub fn position(&self) -> usize {
        self.at
    }

    pub fn is_at_end(&self) -> bool {
        self.at == self.whole.len()
    }

    /// # Errors
    /// Bytes are left.
    pub fn finish(&self) -> Result<()> {
        match self.is_at_end() {
            true => Ok(()),
            false => Err(wrong(format!("the value ends at byte {} of {}", self.at, self.whole.len()))),
        }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let left = &self.whole[self.at..];
        let Some(taken) = left.get(..count) else {
            let (at, left) = (self.at, left.len());
            return Err(wrong(format!(
                "it is cut short: {count} bytes are said to follow byte {at}, and {left} do"
            )));
        };
        self.at += count;
        Ok(taken)
    }

    fn unsigned(&mut self, bytes: usize) -> Result<u64> {
        Ok(self.take(bytes)?.iter().fold(0, |n, &byte| n << 8 | u64::from(byte)))
    }

    fn signed(&mut self, bytes: usize) -> Result<i64> {
        let unused = 64 - 8 * bytes as u32;
        Ok((self.unsigned(bytes)? as i64) << unused >> unused)
    }

    /// A number of parts, each of at least `each` bytes.
    fn count(&mut self, bytes: usize, each: usize) -> Result<usize> {
        let count = self.unsigned(bytes)? as usize;
        self.possible(count, each)
    }

    fn possible(&self, count: usize, each: usize) -> Result<usize> {
        let left = self.whole.len() - self.at;
        if count.saturating_mul(each) > left {
            return Err(wrong(format!(
                "it is cut short: byte {} begins {count} values, and {left} bytes follow",
                self.at
            )));
        }
        Ok(count)
    }

    /// The next item.
    ///
    /// # Errors
    /// The bytes end within it, or begin no item.
    pub fn next(&mut self) -> Result<Item<'a>> {
        use Marker::*;
        let start = self.at;
        let code = self.take(1)?[0];
        Ok(match Marker::from_u8(code) {
            FixPos(n) => Item::Integer(n.into()),
            FixNeg(n) => Item::Integer(n.into()),
            FixMap(count) => Item::Map(self.possible(count.into(), 2)?),
            FixArray(count) => Item::List(self.possible(count.into(), 1)?),
            FixStr(count) => Item::Text(self.take(count.into())?),
            Null => Item::Nil,
            False => Item::Bool(false),
            True => Item::Bool(true),
            Bin8 => Item::Bytes(self.counted(1)?),
            Bin16 => Item::Bytes(self.counted(2)?),
            Bin32 => Item::Bytes(self.counted(4)?),
            Str8 => Item::Text(self.counted(1)?),
            Str16 => Item::Text(self.counted(2)?),
            Str32 => Item::Text(self.counted(4)?),
            F32 => Item::Float(f32::from_bits(self.unsigned(4)? as u32).into()),
            F64 => Item::Float(f64::from_bits(self.unsigned(8)?)),
            U8 => Item::Unsigned(self.unsigned(1)?),
            U16 => Item::Unsigned(self.unsigned(2)?),
            U32 => Item::Unsigned(self.unsigned(4)?),
            U64 => Item::Unsigned(self.unsigned(8)?),
            I8 => Item::Integer(self.signed(1)?),
            I16 => Item::Integer(self.signed(2)?),
            I32 => Item::Integer(self.signed(4)?),
            I64 => Item::Integer(self.signed(8)?),
            Array16 => Item::List(self.count(2, 1)?),
            Array32 => Item::List(self.count(4, 1)?),
            Map16 => Item::Map(self.count(2, 2)?),
            Map32 => Item::Map(self.count(4, 2)?),
            FixExt1 => self.extension(1)?,
            FixExt2 => self.extension(2)?,
            FixExt4 => self.extension(4)?,
            FixExt8 => self.extension(8)?,
            FixExt16 => self.extension(16)?,
            Ext8 => self.count(1, 1).and_then(|count| self.extension(count))?,
            Ext16 => self.count(2, 1).and_then(|count| self.extension(count))?,
            Ext32 => self.count(4, 1).and_then(|count| self.extension(count))?,
            Reserved => return Err(wrong(format!("byte {start} is {code:#x}, which begins no value"))),
        })
    }

    /// The bytes that a number of `bytes` bytes counts.
    fn counted(&mut self, bytes: usize) -> Result<&'a [u8]> {
        let count = self.count(bytes, 1)?;
        self.take(count)
    }

    fn extension(&mut self, count: usize) -> Result<Item<'a>> {
        let kind = self.take(1)?[0] as i8;
        Ok(Item::Extension(kind, self.take(count)?))
    }
}

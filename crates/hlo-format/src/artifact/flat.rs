//! FlatBuffers, as far as artifacts use them.
//!
//! A table begins with the distance back to its layout, which lists where in the table each field stands. Strings,
//! vectors and tables in tables are distances forward.

use std::cell::Cell;

use jarrah_base::{Error, Result};

/// A table in a buffer.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
    budget: &'a Budget,
}

/// A limit on the size of the tree read from a buffer: a part of the buffer may be referred to any number of times.
pub struct Budget(Cell<usize>);

impl Budget {
    pub fn of(bytes: &[u8]) -> Self {
        Budget(Cell::new(8 * bytes.len() + 4096))
    }

    fn spend(&self, n: usize) -> Result<()> {
        let rest = self.0.get().checked_sub(n);
        self.0.set(
            rest.ok_or_else(|| Error::input("the artifact is damaged: it says far more than it holds"))?,
        );
        Ok(())
    }
}

fn damaged(at: usize) -> Error {
    Error::input(format!("the artifact is damaged at byte {at}: it refers to what is not there"))
}

/// The `N` bytes at `at`.
fn word<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N]> {
    let found = at.checked_add(N).and_then(|end| bytes.get(at..end)?.try_into().ok());
    found.ok_or_else(|| damaged(at))
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16> {
    word(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32> {
    word(bytes, at).map(u32::from_le_bytes)
}

/// Where the distance at `at` leads.
fn follow(bytes: &[u8], at: usize) -> Result<usize> {
    at.checked_add(u32_at(bytes, at)? as usize)
        .filter(|&to| to < bytes.len() && to != at)
        .ok_or_else(|| damaged(at))
}

impl<'a> Table<'a> {
    /// The table that the buffer begins with.
    pub fn root(bytes: &'a [u8], budget: &'a Budget) -> Result<Self> {
        Ok(Table { bytes, at: follow(bytes, 0)?, budget })
    }

    /// Where the field `slot` stands, if it is there.
    fn field(&self, slot: usize) -> Result<Option<usize>> {
        let back = i32::from_le_bytes(word(self.bytes, self.at)?);
        let layout = usize::try_from(self.at as i64 - i64::from(back)).map_err(|_| damaged(self.at))?;
        let entry = 4 + 2 * slot;
        if entry + 2 > usize::from(u16_at(self.bytes, layout)?) {
            return Ok(None);
        }
        match u16_at(self.bytes, layout + entry)? {
            0 => Ok(None),
            offset => Ok(Some(self.at + usize::from(offset))),
        }
    }

    pub fn u8(&self, slot: usize) -> Result<u8> {
        self.field(slot)?.map_or(Ok(0), |at| word::<1>(self.bytes, at).map(|b| b[0]))
    }

    pub fn u16(&self, slot: usize) -> Result<u16> {
        self.field(slot)?.map_or(Ok(0), |at| u16_at(self.bytes, at))
    }

    pub fn u32(&self, slot: usize) -> Result<Option<u32>> {
        self.field(slot)?.map(|at| u32_at(self.bytes, at)).transpose()
    }

    pub fn table(&self, slot: usize) -> Result<Option<Table<'a>>> {
        self.field(slot)?.map(|at| Ok(Table { at: follow(self.bytes, at)?, ..*self })).transpose()
    }

    /// The elements of a vector, each of `size` bytes: where the first stands, and how many there are.
    fn vector(&self, slot: usize, size: usize) -> Result<(usize, usize)> {
        let (at, count) = match self.field(slot)? {
            Some(at) => span(self.bytes, follow(self.bytes, at)?, size)?,
            None => (0, 0),
        };
        self.budget.spend(count)?;
        Ok((at, count))
    }

    /// The text at `at`.
    fn text(&self, at: usize) -> Result<String> {
        let (first, count) = span(self.bytes, follow(self.bytes, at)?, 1)?;
        self.budget.spend(count)?;
        let text = std::str::from_utf8(&self.bytes[first..first + count]);
        Ok(text
            .map_err(|_| Error::input(format!("the artifact has a text that is not UTF-8 at byte {at}")))?
            .to_owned())
    }

    pub fn bytes(&self, slot: usize) -> Result<&'a [u8]> {
        let (at, count) = self.vector(slot, 1)?;
        Ok(&self.bytes[at..at + count])
    }

    pub fn u16s(&self, slot: usize) -> Result<Vec<u16>> {
        let (at, count) = self.vector(slot, 2)?;
        (0..count).map(|i| u16_at(self.bytes, at + 2 * i)).collect()
    }

    pub fn u32s(&self, slot: usize) -> Result<Vec<u32>> {
        let (at, count) = self.vector(slot, 4)?;
        (0..count).map(|i| u32_at(self.bytes, at + 4 * i)).collect()
    }

    pub fn string(&self, slot: usize) -> Result<Option<String>> {
        self.field(slot)?.map(|at| self.text(at)).transpose()
    }

    pub fn strings(&self, slot: usize) -> Result<Vec<String>> {
        let (at, count) = self.vector(slot, 4)?;
        (0..count).map(|i| self.text(at + 4 * i)).collect()
    }

    pub fn tables(&self, slot: usize) -> Result<Vec<Table<'a>>> {
        let (at, count) = self.vector(slot, 4)?;
        (0..count).map(|i| Ok(Table { at: follow(self.bytes, at + 4 * i)?, ..*self })).collect()
    }
}

/// The elements of the vector at `at`.
fn span(bytes: &[u8], at: usize, size: usize) -> Result<(usize, usize)> {
    let count = u32_at(bytes, at)? as usize;
    let first = at + 4;
    if count > (bytes.len() - first) / size {
        return Err(damaged(at));
    }
    Ok((first, count))
}

/// A field of a table that is written.
pub enum Value {
    U8(u8),
    U16(u16),
    U32(u32),
    Bytes(Vec<u8>),
    Text(String),
    U16s(Vec<u16>),
    U32s(Vec<u32>),
    Texts(Vec<String>),
    Table(Fields),
    Tables(Vec<Fields>),
}

/// A table that is written: its fields by their slots.
pub type Fields = Vec<(usize, Value)>;

/// The buffer that begins with this table.
pub fn buffer(root: &Fields) -> Vec<u8> {
    let mut out = vec![0; 4];
    let at = table(&mut out, root);
    out[..4].copy_from_slice(&(at as u32).to_le_bytes());
    out
}

fn align(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(4), 0);
}

/// Writes at `from` the distance to `to`.
fn point(out: &mut [u8], from: usize, to: usize) {
    out[from..from + 4].copy_from_slice(&((to - from) as u32).to_le_bytes());
}

fn vector(out: &mut Vec<u8>, count: usize, bytes: &[u8]) -> usize {
    align(out);
    let at = out.len();
    out.extend((count as u32).to_le_bytes());
    out.extend(bytes);
    at
}

/// Writes a table, and behind it what it refers to; every field takes four bytes.
fn table(out: &mut Vec<u8>, fields: &Fields) -> usize {
    align(out);
    let slots = fields.iter().map(|f| f.0 + 1).max().unwrap_or(0);
    let layout = out.len();
    let size = 4 + 4 * fields.len();
    out.extend((4 + 2 * slots as u16).to_le_bytes());
    out.extend((size as u16).to_le_bytes());
    for slot in 0..slots {
        let at = fields.iter().position(|f| f.0 == slot).map_or(0, |i| 4 + 4 * i);
        out.extend((at as u16).to_le_bytes());
    }
    align(out);
    let at = out.len();
    out.extend(((at - layout) as i32).to_le_bytes());
    for (_, value) in fields {
        let word = match value {
            Value::U8(n) => u32::from(*n),
            Value::U16(n) => u32::from(*n),
            Value::U32(n) => *n,
            _ => 0,
        };
        out.extend(word.to_le_bytes());
    }
    for (i, (_, value)) in fields.iter().enumerate() {
        let to = match value {
            Value::U8(_) | Value::U16(_) | Value::U32(_) => continue,
            Value::Bytes(bytes) => vector(out, bytes.len(), bytes),
            Value::Text(text) => string(out, text),
            Value::U16s(list) => {
                vector(out, list.len(), &list.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
            }
            Value::U32s(list) => {
                vector(out, list.len(), &list.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
            }
            Value::Texts(list) => many(out, list, |out, text| string(out, text)),
            Value::Table(fields) => table(out, fields),
            Value::Tables(list) => many(out, list, table),
        };
        point(out, at + 4 + 4 * i, to);
    }
    at
}

fn string(out: &mut Vec<u8>, text: &str) -> usize {
    let at = vector(out, text.len(), text.as_bytes());
    out.push(0);
    at
}

fn many<T>(out: &mut Vec<u8>, list: &[T], each: impl Fn(&mut Vec<u8>, &T) -> usize) -> usize {
    let at = vector(out, list.len(), &vec![0; 4 * list.len()]);
    for (i, item) in list.iter().enumerate() {
        let to = each(out, item);
        point(out, at + 4 + 4 * i, to);
    }
    at
}

//! The wire format of protocol buffers: a message is a sequence of fields, each a number and a value of one of four forms.
//!
//! ```
//! use jarrah_pjrt::proto::{ProtoValue, Writer, fields};
//!
//! let mut message = Writer::default();
//! message.varint(4, 150);
//! message.bytes(7, b"name");
//! let read = fields(message.as_bytes()).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(read, [(4, ProtoValue::Varint(150)), (7, ProtoValue::Bytes(b"name"))]);
//! # Ok::<(), jarrah_base::Error>(())
//! ```

use jarrah_base::{Error, Result};

/// The value of a field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ProtoValue<'a> {
    /// An integer, a truth value or a member of an enumeration.
    Varint(u64),
    /// Eight bytes: a double or a fixed integer.
    Fixed64(u64),
    /// A string, bytes, a message, or numbers packed one after another.
    Bytes(&'a [u8]),
    /// Four bytes: a float or a fixed integer.
    Fixed32(u32),
}

impl<'a> ProtoValue<'a> {
    /// The value as an integer; negative ones are written in two's complement.
    ///
    /// # Errors
    /// The field is of another form.
    pub fn integer(self) -> Result<i64> {
        match self {
            ProtoValue::Varint(value) => Ok(value.cast_signed()),
            _ => Err(Error::input(format!("a number stands in the message as {self:?}"))),
        }
    }

    /// The value as a truth value.
    ///
    /// # Errors
    /// The field is of another form.
    pub fn truth(self) -> Result<bool> {
        Ok(self.integer()? != 0)
    }

    /// The value as a double.
    ///
    /// # Errors
    /// The field is of another form.
    pub fn double(self) -> Result<f64> {
        match self {
            ProtoValue::Fixed64(bits) => Ok(f64::from_bits(bits)),
            _ => Err(Error::input(format!("a double stands in the message as {self:?}"))),
        }
    }

    /// The bytes of a string or a message.
    ///
    /// # Errors
    /// The field is of another form.
    pub fn bytes(self) -> Result<&'a [u8]> {
        match self {
            ProtoValue::Bytes(bytes) => Ok(bytes),
            _ => Err(Error::input(format!("text or a message stands in the message as {self:?}"))),
        }
    }

    /// The value as a string.
    ///
    /// # Errors
    /// The field is of another form, or is not UTF-8.
    pub fn text(self) -> Result<String> {
        let text = std::str::from_utf8(self.bytes()?);
        text.map(str::to_owned).map_err(|e| Error::input(format!("a text of the message is not UTF-8: {e}")))
    }

    /// Adds the integers of a repeated field, which may be packed.
    ///
    /// # Errors
    /// The field is of another form, or ends within a number.
    pub fn integers(self, into: &mut Vec<i64>) -> Result<()> {
        let ProtoValue::Bytes(mut rest) = self else {
            into.push(self.integer()?);
            return Ok(());
        };
        while !rest.is_empty() {
            into.push(varint(&mut rest)?.cast_signed());
        }
        Ok(())
    }
}

/// The fields of a message, in the order in which they stand.
pub fn fields(message: &[u8]) -> ProtoFields<'_> {
    ProtoFields { rest: message }
}

/// Iterator of [`fields`]; it ends after an error.
pub struct ProtoFields<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for ProtoFields<'a> {
    type Item = Result<(u32, ProtoValue<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = field(&mut self.rest);
        if field.is_err() {
            self.rest = &[];
        }
        Some(field)
    }
}

fn field<'a>(rest: &mut &'a [u8]) -> Result<(u32, ProtoValue<'a>)> {
    let key = varint(rest)?;
    let number = u32::try_from(key >> 3).ok().filter(|&number| number > 0);
    let number = number.ok_or_else(|| Error::input(format!("the message has a field {}", key >> 3)))?;
    let value = match key & 7 {
        0 => ProtoValue::Varint(varint(rest)?),
        1 => ProtoValue::Fixed64(u64::from_le_bytes(array(take(rest, 8)?)?)),
        2 => {
            let len = varint(rest)?;
            ProtoValue::Bytes(take(rest, usize::try_from(len).unwrap_or(usize::MAX))?)
        }
        5 => ProtoValue::Fixed32(u32::from_le_bytes(array(take(rest, 4)?)?)),
        form => {
            return Err(Error::input(format!("field {number} of the message has the unknown form {form}")));
        }
    };
    Ok((number, value))
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Result<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(len).ok_or_else(ends)?;
    *rest = after;
    Ok(taken)
}

fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N]> {
    bytes.try_into().map_err(|_| ends())
}

fn varint(rest: &mut &[u8]) -> Result<u64> {
    let mut value = 0;
    for at in 0..10 {
        let (&byte, after) = rest.split_first().ok_or_else(ends)?;
        *rest = after;
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Error::input("a number of the message has more than ten bytes"))
}

fn ends() -> Error {
    Error::input("the message ends within a field")
}

/// Writes a message.
#[derive(Clone, Default, Debug)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// The message so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// An integer.
    pub fn varint(&mut self, field: u32, value: u64) {
        self.key(field, 0);
        self.raw(value);
    }

    /// An integer with a sign.
    pub fn integer(&mut self, field: u32, value: i64) {
        self.varint(field, value.cast_unsigned());
    }

    /// A truth value.
    pub fn truth(&mut self, field: u32, value: bool) {
        self.varint(field, value.into());
    }

    /// A double.
    pub fn double(&mut self, field: u32, value: f64) {
        self.key(field, 1);
        self.bytes.extend(value.to_le_bytes());
    }

    /// A string, bytes or a message.
    pub fn bytes(&mut self, field: u32, value: &[u8]) {
        self.key(field, 2);
        self.raw(value.len() as u64);
        self.bytes.extend(value);
    }

    /// A message that `write` fills.
    pub fn message(&mut self, field: u32, write: impl FnOnce(&mut Writer)) {
        let mut inner = Writer::default();
        write(&mut inner);
        self.bytes(field, &inner.bytes);
    }

    /// Integers, packed; nothing if there are none.
    pub fn packed(&mut self, field: u32, values: impl IntoIterator<Item = i64>) {
        let mut packed = Writer::default();
        values.into_iter().for_each(|value| packed.raw(value.cast_unsigned()));
        if !packed.bytes.is_empty() {
            self.bytes(field, &packed.bytes);
        }
    }

    fn key(&mut self, field: u32, form: u64) {
        self.raw(u64::from(field) << 3 | form);
    }

    fn raw(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

use jarrah_base::{Error, Result};

use crate::ir::OriginFile;

/// The byte that fills gaps before aligned data.
const PADDING: u8 = 0xCB;

/// Bytes of a file, read from the front.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    origin: &'a OriginFile,
}

impl<'a> Cursor<'a> {
    /// All of the file `origin`.
    pub fn new(origin: &'a OriginFile, bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0, origin }
    }

    /// The offset in the file of what is read next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The error that something is wrong here.
    pub fn error(&self, message: impl Into<String>) -> Error {
        self.origin.error(self.at, message)
    }

    /// The next `n` bytes.
    pub fn take(&mut self, n: u64) -> Result<Cursor<'a>> {
        let left = self.bytes.len();
        let n = usize::try_from(n).ok().filter(|&n| n <= left);
        let Some(n) = n else {
            return Err(self.error(format!("the file ends too early: {left} bytes are left")));
        };
        let taken = Cursor { bytes: &self.bytes[..n], ..*self };
        self.bytes = &self.bytes[n..];
        self.at += n;
        Ok(taken)
    }

    /// The bytes that were not taken yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    pub fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?.bytes[0])
    }

    /// An integer whose first byte says, by its trailing zeros, how many bytes follow.
    pub fn varint(&mut self) -> Result<u64> {
        let first = self.byte()?;
        let following = first.trailing_zeros().min(8) as usize;
        let mut word = [0; 8];
        if following == 8 {
            word.copy_from_slice(self.take(8)?.bytes);
            return Ok(u64::from_le_bytes(word));
        }
        word[0] = first;
        word[1..=following].copy_from_slice(self.take(following as u64)?.bytes);
        Ok(u64::from_le_bytes(word) >> (following + 1))
    }

    /// As [`Cursor::varint`], the sign in the lowest bit.
    pub fn signed(&mut self) -> Result<i64> {
        let n = self.varint()?;
        Ok((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// An integer with a truth value in its lowest bit.
    pub fn flagged(&mut self) -> Result<(u64, bool)> {
        let n = self.varint()?;
        Ok((n >> 1, n & 1 == 1))
    }

    /// A position among `count` things that are `what`.
    pub fn index(&mut self, count: usize, what: &str) -> Result<usize> {
        let before = *self;
        let n = self.varint()?;
        before.checked(n, count, what)
    }

    /// `n`, if it is a position among `count` things that are `what`.
    pub fn checked(&self, n: u64, count: usize, what: &str) -> Result<usize> {
        usize::try_from(n)
            .ok()
            .filter(|&n| n < count)
            .ok_or_else(|| self.error(format!("{what} {n} is used, but there are {count}")))
    }

    /// A number of things of at least one byte each that follow.
    pub fn count(&mut self) -> Result<usize> {
        let n = self.varint()?;
        self.bounded(n)
    }

    /// `n`, if so many things of at least one byte each can follow.
    pub fn bounded(&self, n: u64) -> Result<usize> {
        let left = self.bytes.len();
        usize::try_from(n)
            .ok()
            .filter(|&n| n <= left)
            .ok_or_else(|| self.error(format!("{n} things are announced, but {left} bytes are left")))
    }

    /// Several integers, after their number.
    pub fn signed_list(&mut self) -> Result<Vec<i64>> {
        (0..self.count()?).map(|_| self.signed()).collect()
    }

    /// Text up to a zero byte.
    pub fn c_string(&mut self) -> Result<&'a str> {
        let before = *self;
        let end =
            self.bytes.iter().position(|&b| b == 0).ok_or_else(|| self.error("a text without an end"))?;
        let text = self.take(end as u64)?;
        self.byte()?;
        std::str::from_utf8(text.bytes).map_err(|_| before.error("a text that is not UTF-8"))
    }

    /// Skips what fills the gap up to a multiple of `alignment`.
    pub fn align(&mut self, alignment: u64) -> Result<()> {
        if !alignment.is_power_of_two() {
            return Err(self.error(format!("an alignment of {alignment} bytes is no power of two")));
        }
        while self.at as u64 & (alignment - 1) != 0 {
            if self.byte()? != PADDING {
                return Err(self.error("the gap before aligned data is not filled as it should be"));
            }
        }
        Ok(())
    }

    /// The kind and the content of the next section.
    pub fn section(&mut self) -> Result<(u8, Cursor<'a>)> {
        let kind = self.byte()?;
        let length = self.varint()?;
        if kind & 0x80 != 0 {
            let alignment = self.varint()?;
            self.align(alignment)?;
        }
        Ok((kind & 0x7F, self.take(length)?))
    }

    /// Checks that nothing is left of `what`.
    pub fn finish(&self, what: &str) -> Result<()> {
        if self.bytes.is_empty() { Ok(()) } else { Err(self.error(format!("bytes are left after {what}"))) }
    }
}

/// Bytes that are written.
#[derive(Default)]
pub struct Buffer(pub Vec<u8>);

impl Buffer {
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub fn varint(&mut self, n: u64) {
        let bits = 64 - n.leading_zeros().min(63);
        let bytes = bits.div_ceil(7) as usize;
        if bytes > 8 {
            self.0.push(0);
            self.0.extend_from_slice(&n.to_le_bytes());
            return;
        }
        let word = (u128::from(n) << 1 | 1) << (bytes - 1);
        self.0.extend_from_slice(&word.to_le_bytes()[..bytes]);
    }

    pub fn signed(&mut self, n: i64) {
        self.varint(((n << 1) ^ (n >> 63)) as u64);
    }

    pub fn flagged(&mut self, n: u64, flag: bool) {
        self.varint(n << 1 | u64::from(flag));
    }

    pub fn signed_list(&mut self, list: &[i64]) {
        self.varint(list.len() as u64);
        list.iter().for_each(|&n| self.signed(n));
    }

    /// Bytes after their number.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub fn c_string(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(0);
    }

    pub fn section(&mut self, kind: u8, content: &Buffer) {
        self.byte(kind);
        self.blob(&content.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_read_as_they_are_written() {
        let origin = OriginFile::default();
        let values =
            (0..64).flat_map(|b| [1u64 << b, (1 << b) - 1, u64::MAX >> b, 0x0123_4567_89AB_CDEF >> b]);
        for n in values {
            let mut out = Buffer::default();
            out.varint(n);
            out.signed(n as i64);
            out.signed((n as i64).wrapping_neg());
            let mut cursor = Cursor::new(&origin, &out.0);
            assert_eq!(cursor.varint().ok(), Some(n));
            assert_eq!(cursor.signed().ok(), Some(n as i64));
            assert_eq!(cursor.signed().ok(), Some((n as i64).wrapping_neg()));
            assert!(cursor.is_empty());
        }
    }

    #[test]
    fn lengths_of_integers_are_those_of_the_format() {
        for (n, bytes) in
            [(0, 1), (127, 1), (128, 2), (16383, 2), (16384, 3), ((1 << 56) - 1, 8), (1 << 56, 9)]
        {
            let mut out = Buffer::default();
            out.varint(n);
            assert_eq!(out.0.len(), bytes, "{n}");
        }
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let origin = OriginFile::default();
        for bytes in [&[][..], &[0, 1, 2], &[0x80, 1], &[4, 0]] {
            assert!(Cursor::new(&origin, bytes).varint().is_err());
        }
        assert!(Cursor::new(&origin, &[0xFE, 0xFF, 0]).count().is_err());
        assert!(Cursor::new(&origin, b"abc").c_string().is_err());
    }
}

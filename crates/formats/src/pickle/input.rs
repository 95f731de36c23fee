use jarrah_base::{Error, Result};

use super::wrong;

/// The bytes of a pickle, read one after the other.
pub struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Input { bytes, at: 0 }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn byte(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.take(N)?;
        Ok(bytes.try_into().expect("invariant: as many bytes as were asked for"))
    }

    /// An unsigned number of `width` bytes.
    pub fn length(&mut self, width: usize) -> Result<usize> {
        let mut word = [0; 8];
        word[..width].copy_from_slice(self.take(width)?);
        Ok(usize::try_from(u64::from_le_bytes(word)).unwrap_or(usize::MAX))
    }

    pub fn number(&mut self) -> Result<usize> {
        let line = self.line()?;
        line.parse().map_err(|_| wrong(format!("the pickle has {line:?} in the place of a number")))
    }

    pub fn line(&mut self) -> Result<&'a str> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&b| b == b'\n').ok_or_else(|| self.cut())?;
        self.at += end + 1;
        std::str::from_utf8(&rest[..end]).map_err(|_| wrong("a line of the pickle is no text"))
    }

    pub fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| self.cut())?;
        let bytes = &self.bytes[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    fn cut(&self) -> Error {
        wrong(format!("the pickle of {} bytes is cut short at {}", self.bytes.len(), self.at))
    }
}

use std::borrow::Cow;

use jarrah_base::Result;

use super::wrong;

/// The fields of a part of an OCDBT database, read one after the other.
pub(super) struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The part, for errors: `manifest`.
    part: Cow<'static, str>,
}

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8], part: &'static str) -> Self {
        Input { bytes, at: 0, part: part.into() }
    }

    /// The bytes that have been read.
    pub fn position(&self) -> usize {
        self.at
    }

    pub fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    pub fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| {
            wrong(format!(
                "the {} of {} bytes is cut short: {length} more are named at {}",
                self.part,
                self.bytes.len(),
                self.at
            ))
        })?;
        let bytes = &self.bytes[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    /// A number in base 128, its lowest digits first; the highest bit of a byte says that another follows.
    pub fn varint(&mut self) -> Result<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let digits = u64::from(byte & 127);
            if shift == 63 && digits > 1 {
                break;
            }
            value |= digits << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(wrong(format!("the {} has a number of more than 64 bits at {}", self.part, self.at)))
    }

    pub fn varints(&mut self, count: usize) -> Result<Vec<u64>> {
        // A number takes a byte at least, so that a count beyond the bytes that are left asks for no memory.
        let mut values = Vec::with_capacity(count.min(self.bytes.len() - self.at));
        for _ in 0..count {
            values.push(self.varint()?);
        }
        Ok(values)
    }

    /// A number of things that lie in memory.
    pub fn count(&mut self) -> Result<usize> {
        Ok(usize::try_from(self.varint()?).unwrap_or(usize::MAX))
    }

    /// # Errors
    /// Bytes are left.
    pub fn finish(&self) -> Result<()> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            left => Err(wrong(format!("the {} has {left} bytes behind its end", self.part))),
        }
    }
}

/// Texts that are stored as the length of the prefix that each shares with the text before it and the rest: `prefixes` has one number less than `suffixes`.
///
/// Calls `take` with each text. All texts together may have `most` bytes.
pub(super) fn prefixed<'a>(
    input: &mut Input<'a>,
    [prefixes, suffixes]: [&[u64]; 2],
    most: usize,
    take: &mut dyn FnMut(usize, &[u8]) -> Result<()>,
) -> Result<()> {
    let (mut text, mut total) = (Vec::new(), 0usize);
    for (i, &suffix) in suffixes.iter().enumerate() {
        let shared = if i == 0 { 0 } else { prefixes[i - 1] };
        let shared = usize::try_from(shared).ok().filter(|&shared| shared <= text.len());
        let shared = shared.ok_or_else(|| wrong("a key shares more with the key before it than that has"))?;
        text.truncate(shared);
        text.extend_from_slice(input.take(usize::try_from(suffix).unwrap_or(usize::MAX))?);
        total = total.saturating_add(text.len());
        if total > most {
            return Err(wrong(format!("the keys of a node have more than {most} bytes")));
        }
        take(i, &text)?;
    }
    Ok(())
}

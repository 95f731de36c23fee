//! Strings of MLIR are bytes; here they are text.
//!
//! A byte that is no part of UTF-8 is the character that many places behind `OUTSIDE`, in a plane that nobody uses.

use std::borrow::Cow;

const OUTSIDE: u32 = 0x10_fe00;

/// The text that stands for `bytes`.
pub(crate) fn from_bytes(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|&b| char::from_u32(OUTSIDE + u32::from(b))));
    }
    text
}

/// The bytes that `text` stands for.
pub(crate) fn to_bytes(text: &str) -> Cow<'_, [u8]> {
    let outside =
        |c: char| (c as u32).checked_sub(OUTSIDE).and_then(|b| u8::try_from(b).ok()).filter(|b| *b > 127);
    if !text.contains(|c| outside(c).is_some()) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match outside(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_come_back() {
        let bytes: Vec<u8> = (0..=255).chain("é".bytes()).chain([0xc3]).collect();
        assert_eq!(*to_bytes(&from_bytes(bytes.clone())), bytes);
        assert_eq!(from_bytes("é".into()), "é");
    }
}

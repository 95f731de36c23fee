//! A text as the pieces of a model are written: characters replaced by rules, spaces as U+2581.
//!
//! Source: `normalizer.cc` of SentencePiece.

use jarrah_base::{Error, Result};

use super::proto::Normalization;
use crate::trie::Trie;

/// The character that stands for a space in pieces.
pub(super) const SPACE: &str = "\u{2581}";

/// The most bytes that a rule writes: the longest one of NFKC writes 33.
const LONGEST_RULE: usize = 256;

pub struct Normalizer {
    rules: Option<Rules>,
    options: Normalization,
    suffix: bool,
}

impl Normalizer {
    pub fn new(mut options: Normalization, suffix: bool) -> Result<Self> {
        let charsmap = std::mem::take(&mut options.charsmap);
        let rules = if charsmap.is_empty() { None } else { Some(Rules::parse(&charsmap)?) };
        Ok(Normalizer { rules, options, suffix })
    }

    pub fn options(&self) -> &Normalization {
        &self.options
    }

    pub fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// The text after normalization; `kept` are the strings that no rule applies to.
    pub fn normalize(&self, text: &str, kept: Option<&Trie>) -> Result<String> {
        let mut rest = text;
        let squeeze = self.options.remove_extra_whitespaces;
        let space = if self.options.escape_whitespaces { SPACE } else { " " };
        while squeeze && !rest.is_empty() {
            let (piece, length) = self.first(rest, kept)?;
            if piece != " " {
                break;
            }
            rest = &rest[length..];
        }
        let mut out = String::new();
        if rest.is_empty() {
            return Ok(out);
        }
        out.reserve(rest.len() * 2);
        let dummy = self.options.add_dummy_prefix;
        if dummy && !self.suffix {
            out.push_str(space);
        }
        let mut after_space = squeeze;
        while !rest.is_empty() {
            let (mut piece, length) = self.first(rest, kept)?;
            if after_space {
                piece = piece.trim_start_matches(' ');
            }
            if !piece.is_empty() {
                match self.options.escape_whitespaces {
                    true => piece.split(' ').enumerate().for_each(|(i, part)| {
                        out.push_str(if i > 0 { SPACE } else { "" });
                        out.push_str(part);
                    }),
                    false => out.push_str(piece),
                }
                after_space = piece.ends_with(' ');
            }
            after_space &= squeeze;
            rest = &rest[length..];
        }
        if squeeze {
            out.truncate(out.trim_end_matches(space).len());
        }
        if dummy && self.suffix {
            out.push_str(space);
        }
        Ok(out)
    }

    /// The replacement of the first bytes of a text, and the number of these bytes.
    fn first<'a>(&'a self, text: &'a str, kept: Option<&Trie>) -> Result<(&'a str, usize)> {
        if let Some((length, _)) = kept.and_then(|kept| kept.longest(text.as_bytes())) {
            return Ok((&text[..length], length));
        }
        match self.rules.as_ref().and_then(|rules| rules.longest(text.as_bytes())) {
            // A rule may end within a character only if it is wrong.
            Some((length, at)) if text.is_char_boundary(length) => {
                let rules = self.rules.as_ref().expect("invariant: a rule was found");
                Ok((rules.text(at)?, length))
            }
            _ => {
                let length = text.chars().next().map_or(1, char::len_utf8);
                Ok((&text[..length], length))
            }
        }
    }
}

/// Rules as a double array (Darts), whose values are places in a list of texts that end with a zero.
struct Rules {
    units: Vec<u32>,
    texts: Vec<u8>,
}

impl Rules {
    fn parse(blob: &[u8]) -> Result<Rules> {
        let wrong = || Error::input("the model's rules of normalization are cut short");
        let (size, rest) = blob.split_first_chunk::<4>().ok_or_else(wrong)?;
        let size = u32::from_le_bytes(*size) as usize;
        let (units, texts) = rest.split_at_checked(size).ok_or_else(wrong)?;
        if units.is_empty() || std::str::from_utf8(texts).is_err() {
            return Err(wrong());
        }
        let units = units.as_chunks().0.iter().map(|&unit| u32::from_le_bytes(unit)).collect();
        Ok(Rules { units, texts: texts.to_vec() })
    }

    /// The longest rule that begins `key`: its length and its value.
    fn longest(&self, key: &[u8]) -> Option<(usize, usize)> {
        let offset = |unit: u32| ((unit >> 10) << ((unit & (1 << 9)) >> 6)) as usize;
        let mut at = offset(*self.units.first()?);
        let mut found = None;
        for (i, &byte) in key.iter().enumerate() {
            at ^= usize::from(byte);
            let Some(&unit) = self.units.get(at) else { break };
            if unit & (1 << 31 | 0xff) != u32::from(byte) {
                break;
            }
            at ^= offset(unit);
            if unit >> 8 & 1 == 1 {
                let Some(&leaf) = self.units.get(at) else { break };
                found = Some((i + 1, (leaf & !(1 << 31)) as usize));
            }
        }
        found
    }

    fn text(&self, at: usize) -> Result<&str> {
        let rest = self.texts.get(at..).unwrap_or_default();
        let end = rest.iter().position(|&b| b == 0).unwrap_or(rest.len());
        if end > LONGEST_RULE {
            return Err(Error::input(format!("a rule of normalization writes {end} bytes for a character")));
        }
        std::str::from_utf8(&rest[..end]).map_err(|_| Error::input("a rule of normalization writes no text"))
    }
}

//! SentencePiece models (`tokenizer.model`): unigram and BPE, as the library of that name reads them.

mod bpe;
mod normalizer;
mod proto;
mod unigram;

use std::ops::Range;

use jarrah_base::{Error, Result};
use rustc_hash::FxHashMap;

use self::normalizer::{Normalizer, SPACE};
use self::proto::Kind;
pub(crate) use self::proto::{Piece, Proto};
use crate::trie::Trie;

/// A model: a vocabulary and how texts are divided into its pieces.
pub(crate) struct Model {
    vocabulary: Vec<Piece>,
    // The pieces that texts are divided into, and those that only stand for something.
    pieces: FxHashMap<String, u32>,
    reserved: FxHashMap<String, u32>,
    trie: Trie,
    // The pieces that users defined: never divided, never normalized.
    kept: Trie,
    // The ids of the bytes, in models that have them.
    bytes: Option<Vec<u32>>,
    unknown: u32,
    lowest: f32,
    unigram: bool,
    unknown_surface: String,
    normalizer: Normalizer,
    denormalizer: Normalizer,
    /// The ids of the tokens that begin and end a text.
    pub begin: Option<u32>,
    pub end: Option<u32>,
}

impl Model {
    pub fn parse(bytes: &[u8]) -> Result<Model> {
        let proto = Proto::parse(bytes)?;
        let unigram = match proto.model_type {
            1 => true,
            2 => false,
            kind => {
                let kind =
                    ["", "", "", "words", "characters"].get(kind as usize).unwrap_or(&"something else");
                return Err(Error::input(format!("the SentencePiece model divides texts into {kind}"))
                    .help("unigram and BPE models are read here"));
            }
        };
        let vocabulary = proto.pieces;
        if vocabulary.len() >= 1 << 31 {
            return Err(Error::input("the vocabulary has more than 2^31 pieces"));
        }
        let (mut pieces, mut reserved) = (FxHashMap::default(), FxHashMap::default());
        let mut unknown = None;
        let mut lowest = f32::MAX;
        for (id, piece) in (0u32..).zip(&vocabulary) {
            match piece.kind {
                Kind::Normal => lowest = lowest.min(piece.score),
                Kind::Unknown if unknown.replace(id).is_some() => {
                    return Err(Error::input("the SentencePiece model has two pieces for the unknown"));
                }
                _ => {}
            }
            let divided = matches!(piece.kind, Kind::Normal | Kind::UserDefined | Kind::Unused);
            let map = if divided { &mut pieces } else { &mut reserved };
            if map.insert(piece.text.clone(), id).is_some() {
                return Err(Error::input(format!("{:?} is in the vocabulary twice", piece.text)));
            }
        }
        let unknown =
            unknown.ok_or_else(|| Error::input("the SentencePiece model has no piece for the unknown"))?;
        let strings = |kept: bool| {
            let found =
                pieces.iter().filter(|(_, id)| !kept || vocabulary[**id as usize].kind == Kind::UserDefined);
            found.map(|(text, &id)| (text.as_bytes(), id)).collect()
        };
        let (trie, kept) = (Trie::new(strings(false))?, Trie::new(strings(true))?);
        let bytes = match proto.byte_fallback {
            false => None,
            true => {
                let ids = (0..=255u8).map(|byte| reserved.get(&format!("<0x{byte:02X}>")).copied());
                let missing =
                    || Error::input("the SentencePiece model falls back to bytes and lacks pieces for some");
                Some(ids.collect::<Option<Vec<u32>>>().ok_or_else(missing)?)
            }
        };
        let in_vocabulary =
            |id: &u32| vocabulary.get(*id as usize).is_some_and(|piece| piece.kind == Kind::Control);
        Ok(Model {
            begin: proto.begin.filter(in_vocabulary),
            end: proto.end.filter(in_vocabulary),
            normalizer: Normalizer::new(proto.normalizer, proto.whitespace_as_suffix)?,
            denormalizer: Normalizer::new(proto.denormalizer, false)?,
            unknown_surface: proto.unknown_surface,
            vocabulary,
            pieces,
            reserved,
            trie,
            kept,
            bytes,
            unknown,
            lowest,
            unigram,
        })
    }

    pub fn len(&self) -> usize {
        self.vocabulary.len()
    }

    /// The id of a piece.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.reserved.get(piece).or_else(|| self.pieces.get(piece)).copied()
    }

    pub fn piece(&self, id: u32) -> Option<&str> {
        self.vocabulary.get(id as usize).map(|piece| piece.text.as_str())
    }

    /// The bytes that a piece adds behind other pieces' text.
    pub fn bytes(&self, id: u32) -> Option<Vec<u8>> {
        let piece = self.vocabulary.get(id as usize)?;
        Some(match (piece.kind, byte(&piece.text)) {
            (Kind::Byte, Some(byte)) => vec![byte],
            (Kind::Control | Kind::Unknown, _) => piece.text.clone().into_bytes(),
            _ => piece.text.replace(SPACE, " ").into_bytes(),
        })
    }

    /// The pieces that stand for no text.
    pub fn controls(&self) -> impl Iterator<Item = (&str, u32)> {
        let ids = (0u32..).zip(&self.vocabulary);
        let controls = ids.filter(|(_, piece)| matches!(piece.kind, Kind::Control | Kind::Unknown));
        controls.map(|(id, piece)| (piece.text.as_str(), id))
    }

    /// The ids of a text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let normalized = self.normalizer.normalize(text, Some(&self.kept))?;
        let found: Vec<(Range<usize>, u32)> =
            if self.unigram { unigram::encode(self, &normalized) } else { bpe::encode(self, &normalized) };
        let mut ids = Vec::with_capacity(found.len());
        let mut after_unknown = false;
        for (range, id) in found {
            match (&self.bytes, id == self.unknown) {
                (Some(bytes), true) => {
                    ids.extend(normalized.as_bytes()[range].iter().map(|&byte| bytes[usize::from(byte)]));
                }
                // Neighbouring unknown characters are one token.
                (None, true) if after_unknown => {}
                _ => ids.push(id),
            }
            after_unknown = id == self.unknown;
        }
        Ok(ids)
    }

    /// The text of ids; the names of tokens that stand for no text are written if `show`, also those that were `added` to the
    /// model's own.
    pub fn decode<'a>(&'a self, ids: &[u32], show: bool, added: &dyn Fn(u32) -> &'a str) -> Result<String> {
        let options = self.normalizer.options();
        let strips = options.add_dummy_prefix || options.remove_extra_whitespaces;
        let (mut out, mut bytes) = (String::new(), Vec::new());
        let (mut first, mut stripped) = (true, false);
        for &id in ids {
            let Some(piece) = self.vocabulary.get(id as usize) else {
                characters(&mut bytes, &mut out);
                out.push_str(if show { added(id) } else { "" });
                continue;
            };
            if let (Kind::Byte, Some(byte)) = (piece.kind, byte(&piece.text)) {
                bytes.push(byte);
                continue;
            }
            characters(&mut bytes, &mut out);
            first &= !stripped && out.is_empty();
            stripped = false;
            match piece.kind {
                Kind::Control if show => out.push_str(&piece.text),
                Kind::Control => {}
                Kind::Unknown => out.push_str(&self.unknown_surface),
                _ => {
                    let text = piece.text.strip_prefix(SPACE).filter(|_| first && strips);
                    stripped = text.is_some() && !options.remove_extra_whitespaces;
                    out.push_str(&text.unwrap_or(&piece.text).replace(SPACE, " "));
                }
            }
        }
        characters(&mut bytes, &mut out);
        match self.denormalizer.has_rules() {
            true => self.denormalizer.normalize(&out, None),
            false => Ok(out),
        }
    }
}

/// The byte that a piece such as `<0x0A>` stands for.
fn byte(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    u8::from_str_radix(digits, 16).ok()
}

/// The bytes of the character of `text` at `at`.
fn character(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

/// Moves bytes to a text, each that is no part of a character as U+FFFD.
fn characters(bytes: &mut Vec<u8>, out: &mut String) {
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(std::iter::repeat_n(char::REPLACEMENT_CHARACTER, chunk.invalid().len()));
    }
    bytes.clear();
}

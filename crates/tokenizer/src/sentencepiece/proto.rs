//! The protocol buffer of a SentencePiece model: the fields that encoding and decoding need.
//!
//! Source: `sentencepiece_model.proto` of SentencePiece.

use jarrah_base::{Error, Result};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

pub struct Piece {
    pub text: String,
    pub score: f32,
    pub kind: Kind,
}

pub struct Normalization {
    pub charsmap: Vec<u8>,
    pub add_dummy_prefix: bool,
    pub remove_extra_whitespaces: bool,
    pub escape_whitespaces: bool,
}

pub struct Proto {
    pub pieces: Vec<Piece>,
    /// 1: unigram, 2: BPE, 3: words, 4: characters.
    pub model_type: u64,
    pub byte_fallback: bool,
    pub whitespace_as_suffix: bool,
    pub unknown_surface: String,
    /// The ids of the tokens that begin and end a text, in models that have them.
    pub begin: Option<u32>,
    pub end: Option<u32>,
    pub normalizer: Normalization,
    pub denormalizer: Normalization,
}

/// A field's value.
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Word(u32),
}

impl Value<'_> {
    fn flag(&self) -> bool {
        matches!(self, Value::Number(n) if *n != 0)
    }

    /// An id, where it is not negative.
    fn id(&self) -> Option<u32> {
        match self {
            Value::Number(n) => u32::try_from(*n).ok().filter(|&id| id < 1 << 31),
            _ => None,
        }
    }

    fn text(&self) -> Result<String> {
        match self {
            Value::Bytes(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            _ => Err(wrong("a text is a number")),
        }
    }
}

fn wrong(what: &str) -> Error {
    Error::input(format!("it is no SentencePiece model: {what}"))
}

/// The fields of a message: their numbers and values.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn varint(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or_else(|| wrong("it is cut short"))?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(wrong("a number is too long"))
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8]> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(|| wrong("it is cut short"))?;
        self.0 = rest;
        Ok(bytes)
    }

    fn next(&mut self) -> Result<Option<(u64, Value<'a>)>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => {
                self.take(8)?;
                Value::Number(0)
            }
            2 => {
                let length = self.varint()?;
                Value::Bytes(self.take(length)?)
            }
            5 => {
                let word = self.take(4)?;
                Value::Word(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            }
            _ => return Err(wrong("a field is of no kind")),
        };
        Ok(Some((key >> 3, value)))
    }
}

impl Default for Normalization {
    fn default() -> Self {
        Normalization {
            charsmap: Vec::new(),
            add_dummy_prefix: true,
            remove_extra_whitespaces: true,
            escape_whitespaces: true,
        }
    }
}

impl Kind {
    /// The number of the kind in files, GGUF's too.
    pub fn number(self) -> u8 {
        match self {
            Kind::Normal => 1,
            Kind::Unknown => 2,
            Kind::Control => 3,
            Kind::UserDefined => 4,
            Kind::Unused => 5,
            Kind::Byte => 6,
        }
    }
}

impl Proto {
    pub fn parse(bytes: &[u8]) -> Result<Proto> {
        let mut proto = Proto {
            pieces: Vec::new(),
            model_type: 1,
            byte_fallback: false,
            whitespace_as_suffix: false,
            unknown_surface: " \u{2047} ".to_owned(),
            begin: Some(1),
            end: Some(2),
            normalizer: Normalization::default(),
            denormalizer: Normalization::default(),
        };
        let mut fields = Fields(bytes);
        while let Some((number, value)) = fields.next()? {
            match (number, value) {
                (1, Value::Bytes(bytes)) => proto.pieces.push(piece(bytes)?),
                (2, Value::Bytes(bytes)) => proto.trainer(bytes)?,
                (3, Value::Bytes(bytes)) => proto.normalizer = normalization(bytes)?,
                (5, Value::Bytes(bytes)) => proto.denormalizer = normalization(bytes)?,
                _ => {}
            }
        }
        match proto.pieces.is_empty() {
            true => Err(wrong("it has no pieces")),
            false => Ok(proto),
        }
    }

    fn trainer(&mut self, bytes: &[u8]) -> Result<()> {
        let mut fields = Fields(bytes);
        while let Some((number, value)) = fields.next()? {
            match (number, value) {
                (3, Value::Number(kind)) => self.model_type = kind,
                (24, value) => self.whitespace_as_suffix = value.flag(),
                (35, value) => self.byte_fallback = value.flag(),
                (41, value) => self.begin = value.id(),
                (42, value) => self.end = value.id(),
                (44, value) => self.unknown_surface = value.text()?,
                _ => {}
            }
        }
        Ok(())
    }
}

fn piece(bytes: &[u8]) -> Result<Piece> {
    let mut piece = Piece { text: String::new(), score: 0.0, kind: Kind::Normal };
    let mut fields = Fields(bytes);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (1, Value::Bytes(text)) => {
                let text = std::str::from_utf8(text).map_err(|_| wrong("a piece is no text"))?;
                piece.text = text.to_owned();
            }
            (2, Value::Word(bits)) => piece.score = f32::from_bits(bits),
            (3, Value::Number(kind)) => {
                piece.kind = match kind {
                    1 => Kind::Normal,
                    2 => Kind::Unknown,
                    3 => Kind::Control,
                    4 => Kind::UserDefined,
                    5 => Kind::Unused,
                    6 => Kind::Byte,
                    _ => return Err(wrong("a piece is of no kind")),
                }
            }
            _ => {}
        }
    }
    if piece.text.is_empty() || piece.score.is_nan() {
        return Err(wrong("a piece is empty, or has no score"));
    }
    Ok(piece)
}

fn normalization(bytes: &[u8]) -> Result<Normalization> {
    let mut normalization = Normalization::default();
    let mut fields = Fields(bytes);
    while let Some((number, value)) = fields.next()? {
        match (number, value) {
            (2, Value::Bytes(charsmap)) => normalization.charsmap = charsmap.to_vec(),
            (3, value) => normalization.add_dummy_prefix = value.flag(),
            (4, value) => normalization.remove_extra_whitespaces = value.flag(),
            (5, value) => normalization.escape_whitespaces = value.flag(),
            _ => {}
        }
    }
    Ok(normalization)
}

use jarrah_base::{Error, Result};

use crate::library::{Library, Reach, no_pairs};
use crate::ranks::Ranks;
use crate::sentencepiece;
use crate::special::{Part, Special};

/// The reader of texts and ids, by the kind of the tokenizer's file.
pub(crate) enum Engine {
    Library(Box<Library>),
    Pieces { model: Box<sentencepiece::Model>, special: Special, begin: Option<u32>, end: Option<u32> },
    Ranks { ranks: Ranks, special: Special, begin: Option<u32> },
}

impl Engine {
    /// The largest id plus one.
    pub fn vocab_size(&self) -> usize {
        let after = |special: &Special| special.largest().map_or(0, |id| id as usize + 1);
        match self {
            Engine::Library(library) => library.vocab_size(),
            Engine::Pieces { model, special, .. } => model.len().max(after(special)),
            Engine::Ranks { ranks, special, .. } => after(special).max(ranks.largest() as usize + 1),
        }
    }

    /// The token that ends a text, where the file says it.
    pub fn end(&self) -> Option<u32> {
        match self {
            Engine::Pieces { model, .. } => model.end,
            Engine::Library(_) | Engine::Ranks { .. } => None,
        }
    }

    pub fn to_json(&self) -> Result<String> {
        match self {
            Engine::Library(library) => library.to_json(),
            Engine::Pieces { .. } | Engine::Ranks { .. } => {
                Err(Error::input("a tokenizer of another file is not written as tokenizer.json")
                    .help("copy the file that it was read from"))
            }
        }
    }

    pub fn token_id(&self, token: &str) -> Option<u32> {
        match self {
            Engine::Library(library) => library.token_id(token),
            Engine::Pieces { model, special, .. } => model.id(token).or_else(|| special.id(token)),
            Engine::Ranks { ranks, special, .. } => ranks.id(token.as_bytes()).or_else(|| special.id(token)),
        }
    }

    pub fn token(&self, id: u32) -> Option<String> {
        match self {
            Engine::Library(library) => library.token(id),
            Engine::Pieces { model, special, .. } => {
                model.piece(id).or_else(|| special.name(id)).map(str::to_owned)
            }
            Engine::Ranks { ranks, special, .. } => match ranks.bytes(id) {
                Some(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
                None => special.name(id).map(str::to_owned),
            },
        }
    }

    /// The bytes that a token adds behind other tokens' text.
    pub fn token_bytes(&self, id: u32) -> Option<Vec<u8>> {
        match self {
            Engine::Library(library) => library.token_bytes(id),
            Engine::Pieces { model, special, .. } => {
                model.bytes(id).or_else(|| special.name(id).map(|name| name.as_bytes().to_vec()))
            }
            Engine::Ranks { ranks, special, .. } => {
                ranks.bytes(id).or_else(|| special.name(id).map(str::as_bytes)).map(<[u8]>::to_vec)
            }
        }
    }

    pub fn is_special(&self, id: u32) -> bool {
        match self {
            Engine::Library(library) => library.is_special(id),
            Engine::Pieces { special, .. } => special.name(id).is_some(),
            Engine::Ranks { ranks, special, .. } => ranks.bytes(id).is_none() && special.name(id).is_some(),
        }
    }

    /// The ids of a text in which no name of a token is known.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        match self {
            Engine::Library(library) => library.encode(text),
            Engine::Pieces { model, .. } => model.encode(text),
            Engine::Ranks { ranks, .. } => ranks.encode(text),
        }
    }

    /// The ids of a text in which special tokens are known by name, with the tokens that stand `around` texts or without.
    pub fn encode_pair(&self, first: &str, second: &str) -> Result<(Vec<u32>, usize)> {
        match self {
            Engine::Library(library) => library.encode_pair(first, second),
            Engine::Pieces { .. } | Engine::Ranks { .. } => Err(no_pairs()),
        }
    }

    pub fn encode_special(&self, text: &str, around: bool) -> Result<Vec<u32>> {
        let (special, begin, end) = match self {
            Engine::Library(library) => return library.encode_special(text, around),
            Engine::Pieces { special, begin, end, .. } => (special, *begin, *end),
            Engine::Ranks { special, begin, .. } => (special, *begin, None),
        };
        let mut ids: Vec<u32> = begin.filter(|_| around).into_iter().collect();
        for part in special.parts(text) {
            match part {
                Part::Token(id) => ids.push(id),
                Part::Text(text) => ids.extend(self.encode(text)?),
            }
        }
        ids.extend(end.filter(|_| around));
        Ok(ids)
    }

    /// The text of ids of the vocabulary.
    pub fn decode(&self, ids: &[u32], skip_special: bool) -> Result<String> {
        match self {
            Engine::Library(library) => library.decode(ids, skip_special),
            Engine::Pieces { model, special, .. } => {
                model.decode(ids, !skip_special, &|id| special.name(id).unwrap_or_default())
            }
            Engine::Ranks { ranks, special, .. } => {
                let mut out = Vec::new();
                for &id in ids {
                    match (ranks.bytes(id), special.name(id)) {
                        (Some(bytes), _) => out.extend_from_slice(bytes),
                        (None, Some(name)) if !skip_special => out.extend_from_slice(name.as_bytes()),
                        _ => {}
                    }
                }
                Ok(String::from_utf8_lossy(&out).into_owned())
            }
        }
    }

    /// How many bytes of a text a token stands for at most, where all bytes are told by tokens.
    pub fn reach(&self) -> Option<Reach> {
        match self {
            Engine::Library(library) => library.reach(),
            // A run of unknown characters is a single token, however long.
            Engine::Pieces { .. } => None,
            Engine::Ranks { ranks, special, .. } => {
                let tells = |byte: u8| ranks.id(&[byte]).is_some();
                let length = |id| {
                    let name = special.name(id).map_or(0, str::len);
                    ranks.bytes(id).map_or(0, <[u8]>::len).max(name)
                };
                let longest = (0..self.vocab_size() as u32).map(length).max().unwrap_or(0);
                (0..=255).all(tells).then_some(Reach { ascii: longest, any: longest })
            }
        }
    }

    /// Whether the tokens behind this token may change how its text is read.
    pub fn continues(&self, id: u32) -> bool {
        matches!(self, Engine::Library(library) if library.is_byte(id))
    }
}

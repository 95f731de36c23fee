//! A Hugging Face `tokenizer.json`, by the `tokenizers` crate.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::OnceLock;

use jarrah_base::parallel::{cores, try_map};
use jarrah_base::{Error, Result, panic_message};
use serde_json::Value;
use tokenizers::{DecoderWrapper, Model, ModelWrapper, PreTokenizerWrapper};

use crate::chunk;
use crate::ranks::base64;
use crate::words::Words;

/// The bytes of a large text that a thread encodes at a time.
const PIECE: usize = 1 << 18;
/// How many times longer the rules of a tokenizer may make a text.
const MOST_GROWTH: f64 = 256.0;
/// How many bytes an added token may have: to look for them, the library makes a table in the time of their squares.
const LONGEST_ADDED: usize = 512;
/// How many bytes a token of a unigram model may have: the library has a map in a map for each, and drops them by a function that calls
/// itself.
const LONGEST_UNIGRAM: usize = 1024;

/// The most bytes of a text that a token stands for.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The bound for texts of ASCII.
    pub ascii: usize,
    /// The bound for other texts, which rules may make shorter before they are read.
    pub any: usize,
}

pub(crate) struct Library {
    // Reads the names of special tokens in a text as text.
    plain: tokenizers::Tokenizer,
    // Reads them as the tokens; made when first asked for.
    special: OnceLock<tokenizers::Tokenizer>,
    // For the tokenizers that allow it: the fast way, and cutting.
    words: Option<Words>,
    // Whether tokens of single bytes are a text together or none of them is.
    byte_fallback: bool,
    // Whether tokens are written in GPT-2's characters for bytes.
    byte_level: bool,
}

impl Library {
    pub fn new(mut plain: tokenizers::Tokenizer) -> Result<Self> {
        plain.set_encode_special_tokens(true);
        let words = splits_into_gpt2_words(&plain).then(Words::new).transpose()?;
        let byte_level = plain.get_decoder().is_some_and(is_byte_level);
        Ok(Library { plain, special: OnceLock::new(), words, byte_fallback: false, byte_level })
    }

    /// Reads the bytes of a `tokenizer.json`; `file` is what errors call it. What it says of padding and truncation is for
    /// those who ask for these.
    pub fn parse(bytes: &[u8], file: &Path) -> Result<Self> {
        let json: Value = serde_json::from_slice(bytes).map_err(|e| {
            Error::input(format!("{} is not JSON: {e}", file.display()))
                .help("pass a Hugging Face tokenizer.json")
        })?;
        let growth =
            f64::max(growth(&[&json["normalizer"], &json["pre_tokenizer"]]), growth(&[&json["decoder"]]));
        if growth > MOST_GROWTH {
            return Err(Error::input(format!(
                "the rules of {} may make a text {growth:.0} times longer; {MOST_GROWTH} are allowed",
                file.display()
            )));
        }
        let longest = longest_tokens(&json).into_iter().find(|(_, length, most)| length > most);
        if let Some((what, length, most)) = longest {
            let file = file.display();
            return Err(Error::input(format!("{file} has {what} of {length} bytes; {most} are allowed")));
        }
        // The library's own instance of its readers is used: `from_bytes` would make another one in this crate.
        let text = String::from_utf8_lossy(bytes);
        let read = guarded("read", || text.parse::<tokenizers::Tokenizer>());
        let mut plain = read.map_err(|e| diagnose(file, &json, e.message()))?;
        plain.with_padding(None);
        let truncation = plain.with_truncation(None);
        truncation.map_err(|e| diagnose(file, &json, &e.to_string()))?;
        let mut library = Library::new(plain)?;
        library.byte_fallback = json["decoder"].to_string().contains(r#""type":"ByteFallback""#);
        Ok(library)
    }

    /// Whether the token is a single byte of a run that is read as a whole.
    pub fn is_byte(&self, id: u32) -> bool {
        let named = |name: String| name.len() == 6 && name.starts_with("<0x") && name.ends_with('>');
        self.byte_fallback && self.token(id).is_some_and(named)
    }

    pub fn to_json(&self) -> Result<String> {
        self.plain.to_string(true).map_err(|e| Error::internal(format!("cannot write the tokenizer: {e}")))
    }

    pub fn vocab_size(&self) -> usize {
        // Ids without a gap are as many as there are; a list of all tokens takes longer than the rest of a start.
        let model = self.plain.get_model();
        let count = model.get_vocab_size();
        let has_all = (0..count).all(|id| u32::try_from(id).is_ok_and(|id| model.id_to_token(id).is_some()));
        if !has_all {
            return self.plain.get_vocab(true).values().max().map_or(0, |&id| id as usize + 1);
        }
        let added = self.plain.get_added_vocabulary().get_added_tokens_decoder().keys();
        added.map(|&id| id as usize + 1).max().unwrap_or(0).max(count)
    }

    pub fn token_id(&self, token: &str) -> Option<u32> {
        self.plain.token_to_id(token)
    }

    pub fn token(&self, id: u32) -> Option<String> {
        self.plain.id_to_token(id)
    }

    /// The bytes that a token adds behind other tokens' text: those of a byte-level decoder, the byte that `<0x0A>` stands for,
    /// or the text that the decoder adds for the token behind others.
    pub fn token_bytes(&self, id: u32) -> Option<Vec<u8>> {
        let token = self.token(id)?;
        if self.plain.get_added_vocabulary().get_added_tokens_decoder().contains_key(&id) {
            return Some(token.into_bytes());
        }
        if self.byte_level {
            // A vocabulary may hold a token that no bytes are written as: its decoder takes it as it stands.
            let bytes: Option<Vec<u8>> = token.chars().map(byte_of).collect();
            return Some(bytes.unwrap_or_else(|| token.into_bytes()));
        }
        if self.is_byte(id) {
            return u8::from_str_radix(&token[3..5], 16).ok().map(|byte| vec![byte]);
        }
        let alone = self.decode(&[id], false).ok()?;
        let twice = self.decode(&[id, id], false).ok()?;
        Some(twice.strip_prefix(&alone).unwrap_or(&alone).as_bytes().to_vec())
    }

    pub fn is_special(&self, id: u32) -> bool {
        self.plain.get_added_vocabulary().is_special_token(&self.token(id).unwrap_or_default())
    }

    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let Some(words) = &self.words else { return ids_of(&self.plain, text, false) };
        let model = self.plain.get_model();
        let threads = cores().min(text.len() / PIECE);
        if threads < 2 {
            return words.encode(model, text);
        }
        let pieces = chunk::at_white_space(text, PIECE);
        Ok(try_map(threads, &pieces, |piece| words.encode(model, piece))?.concat())
    }

    pub fn encode_special(&self, text: &str, around: bool) -> Result<Vec<u32>> {
        let special = self.special.get_or_init(|| {
            let mut inner = self.plain.clone();
            inner.set_encode_special_tokens(false);
            inner
        });
        ids_of(special, text, around)
    }

    /// How many bytes of a text a token stands for at most: where every byte has a token, and no rule drops text.
    pub fn reach(&self) -> Option<Reach> {
        // Written as in `to_json`, which needs the same code.
        let rules = |part: serde_json::Result<String>| -> Value {
            part.and_then(|json| serde_json::from_str(&json)).unwrap_or_else(|_| "unknown".into())
        };
        let shrinks = shrinks(&rules(serde_json::to_string_pretty(&self.plain.get_normalizer())))?;
        let keeps_all = keeps_all(&rules(serde_json::to_string_pretty(&self.plain.get_pre_tokenizer())));
        let added = self.plain.get_added_tokens_decoder();
        let eats_spaces = added.values().any(|token| token.lstrip || token.rstrip);
        let ModelWrapper::BPE(model) = self.plain.get_model() else { return None };
        if !keeps_all || eats_spaces {
            return None;
        }
        let (mut told, mut longest) = ([false; 256], 0);
        for id in 0..self.vocab_size() as u32 {
            let Some(token) = self.token(id) else { continue };
            let bytes = if self.byte_level { self.token_bytes(id) } else { None };
            longest = longest.max(bytes.as_ref().map_or(token.len(), Vec::len));
            let byte = match bytes.as_deref() {
                Some(&[byte]) => Some(byte),
                None if model.byte_fallback && self.is_byte(id) => u8::from_str_radix(&token[3..5], 16).ok(),
                _ => None,
            };
            if let Some(byte) = byte {
                told[usize::from(byte)] = true;
            }
        }
        told.iter().all(|told| *told).then_some(Reach { ascii: longest, any: longest * shrinks })
    }

    pub fn encode_pair(&self, first: &str, second: &str) -> Result<(Vec<u32>, usize)> {
        let encoding = guarded("encode", || self.plain.encode((first, second), true))
            .map_err(|e| Error::input(format!("cannot encode two texts: {}", e.message())))?;
        let begins = encoding.get_type_ids().iter().position(|&kind| kind == 1).ok_or_else(no_pairs)?;
        Ok((encoding.get_ids().to_vec(), begins))
    }

    pub fn decode(&self, ids: &[u32], skip_special: bool) -> Result<String> {
        guarded("decode", || self.plain.decode(ids, skip_special))
            .map_err(|e| Error::input(format!("cannot decode {} tokens: {}", ids.len(), e.message())))
    }
}

/// The error of a tokenizer whose file has no template of pairs.
pub(crate) fn no_pairs() -> Error {
    Error::input("the tokenizer does not say how two texts are put together")
        .help("`post_processor` of tokenizer.json has a template of pairs where a model takes them")
}

/// Whether a decoder, or one of a sequence of them, reads GPT-2's characters for bytes.
fn is_byte_level(decoder: &DecoderWrapper) -> bool {
    match decoder {
        DecoderWrapper::ByteLevel(_) => true,
        DecoderWrapper::Sequence(all) => all.get_decoders().iter().any(is_byte_level),
        _ => false,
    }
}

/// The byte that a character stands for where tokens are written as GPT-2's are: printable characters of Latin-1 for themselves, the
/// others in their order from U+0100 on.
fn byte_of(character: char) -> Option<u8> {
    let itself = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    match u32::from(character) {
        code @ 0..=255 => u8::try_from(code).ok().filter(|&byte| itself(byte)),
        code => (0..=255u8).filter(|&byte| !itself(byte)).nth(code.checked_sub(256)? as usize),
    }
}

/// How many times shorter the rules of a normalizer may make a text, which is said of those that drop nothing.
fn shrinks(rules: &Value) -> Option<usize> {
    match rules["type"].as_str() {
        None if rules.is_null() => Some(1),
        Some("Prepend") => Some(1),
        // A letter of three bytes in the place of its parts, of up to nine.
        Some("NFC") => Some(3),
        Some("Replace") => {
            let (pattern, content) = (rules["pattern"]["String"].as_str()?, rules["content"].as_str()?);
            (content.len() >= pattern.len()).then_some(1)
        }
        Some("Sequence") => rules["normalizers"].as_array()?.iter().map(shrinks).product(),
        _ => None,
    }
}

/// Whether the rules by which a text is cut leave nothing out.
fn keeps_all(rules: &Value) -> bool {
    match rules["type"].as_str() {
        None => rules.is_null(),
        Some("ByteLevel" | "Digits" | "Metaspace") => true,
        Some("Split") => rules["behavior"] != "Removed",
        Some("Sequence") => rules["pretokenizers"].as_array().is_some_and(|all| all.iter().all(keeps_all)),
        Some(_) => false,
    }
}

/// Runs a function of the library, of which a tokenizer that contradicts itself may make an error or a panic: an error.
fn guarded<T>(what: &str, run: impl FnOnce() -> tokenizers::Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result.map_err(|e| Error::input(e.to_string())),
        Err(panic) => Err(Error::input(format!(
            "the tokenizer contradicts itself, which showed when it was to {what}: {}",
            panic_message(&*panic).unwrap_or("it says no more")
        ))),
    }
}

/// Whether a text's ids are those of its GPT-2 words, one after the other.
fn splits_into_gpt2_words(inner: &tokenizers::Tokenizer) -> bool {
    let words = matches!(
        inner.get_pre_tokenizer(),
        Some(PreTokenizerWrapper::ByteLevel(b)) if b.use_regex && !b.add_prefix_space
    );
    // Dropout takes another path through the merges each time.
    let certain = matches!(inner.get_model(), ModelWrapper::BPE(bpe) if bpe.dropout.is_none());
    words
        && certain
        && inner.get_normalizer().is_none()
        && inner.get_truncation().is_none()
        && inner.get_padding().is_none()
        && inner.get_added_tokens_decoder().values().all(|t| t.special)
}

fn ids_of(inner: &tokenizers::Tokenizer, text: &str, add_special: bool) -> Result<Vec<u32>> {
    let encoding = guarded("encode", || inner.encode_fast(text, add_special)).map_err(|e| {
        Error::input(format!("cannot encode a text of {} bytes: {}", text.len(), e.message()))
    })?;
    Ok(encoding.get_ids().to_vec())
}

/// How many times longer the rules of these parts of a tokenizer may make a text, one after the other.
fn growth(parts: &[&Value]) -> f64 {
    let mut growth = 1.0;
    let mut values = parts.to_vec();
    while let Some(value) = values.pop() {
        match value {
            Value::Array(items) => values.extend(items),
            Value::Object(entries) => {
                growth *= match entries.get("type").and_then(Value::as_str) {
                    Some("Replace") => {
                        let content = entries.get("content").and_then(Value::as_str).unwrap_or("");
                        match entries.get("pattern").and_then(|p| p["String"].as_str()) {
                            Some(pattern) => {
                                f64::max(1.0, content.len() as f64 / pattern.len().max(1) as f64)
                            }
                            // A regular expression may match a character, or nothing beside each.
                            None => 1.0 + content.len() as f64,
                        }
                    }
                    // A byte becomes a character of two.
                    Some("ByteLevel") => 2.0,
                    Some("Precompiled") => {
                        let rules = entries.get("precompiled_charsmap").and_then(Value::as_str).unwrap_or("");
                        longest_rule(rules) as f64
                    }
                    _ => 1.0,
                };
                values.extend(entries.values().filter(|value| !value.is_string()));
            }
            _ => {}
        }
    }
    growth
}

/// For each kind of token whose length is limited by the library: its name, the length of the longest token, and the limit in
/// bytes.
fn longest_tokens(json: &Value) -> [(&'static str, usize, usize); 2] {
    let longest = |list: &Value, text: fn(&Value) -> &Value| {
        let texts = list.as_array().into_iter().flatten().filter_map(|token| text(token).as_str());
        texts.map(str::len).max().unwrap_or(0)
    };
    [
        ("an added token", longest(&json["added_tokens"], |token| &token["content"]), LONGEST_ADDED),
        ("a token", longest(&json["model"]["vocab"], |token| &token[0]), LONGEST_UNIGRAM),
    ]
}

/// The bytes of the longest text that rules of normalization write: behind their units they end with zeros.
fn longest_rule(rules: &str) -> usize {
    let bytes = base64(rules).unwrap_or_default();
    let texts =
        bytes.split_first_chunk().and_then(|(size, rest)| rest.get(u32::from_le_bytes(*size) as usize..));
    texts.unwrap_or_default().split(|&byte| byte == 0).map(<[u8]>::len).max().unwrap_or(0).max(1)
}

/// An error that explains why a file is not a tokenizer.
fn diagnose(path: &Path, json: &Value, error: &str) -> Error {
    const KINDS: [&str; 4] = ["BPE", "Unigram", "WordLevel", "WordPiece"];
    let file = path.display();
    let Some(model) = json.get("model") else {
        return Error::input(format!("{file} is not a tokenizer: it has no `model`"))
            .help("pass a Hugging Face tokenizer.json");
    };
    match model["type"].as_str() {
        Some(kind) if !KINDS.contains(&kind) => Error::input(format!(
            "{file} has a tokenizer model of type {kind:?}; known are {}",
            KINDS.join(", ")
        )),
        _ => Error::input(format!("{file} is not a usable tokenizer: {error}")),
    }
}

use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use jarrah_base::parallel::{cores, try_map};
use jarrah_base::{Error, Result};
use serde_json::Value;
use tokenizers::{ModelWrapper, PreTokenizerWrapper};

use crate::chunk;
use crate::stream::DecodeStream;
use crate::words::Words;

/// What a thread encodes at a time of a large text.
const PIECE: usize = 1 << 18;

/// The names that end-of-text tokens have, in the order they are looked for.
const EOS_NAMES: [&str; 9] = [
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|im_end|>",
    "<|eot_id|>",
    "</s>",
    "<eos>",
    "<|eos|>",
    "<｜end▁of▁sentence｜>",
    "[SEP]",
];

/// A vocabulary with its rules: text to ids and back. Cloning shares it.
#[derive(Clone)]
pub struct Tokenizer(Arc<Inner>);

struct Inner {
    // Reads the names of special tokens in a text as text.
    plain: tokenizers::Tokenizer,
    // Reads them as the tokens; made when first asked for.
    special: OnceLock<tokenizers::Tokenizer>,
    vocab_size: usize,
    eos: Option<u32>,
    // For the tokenizers that allow it: the fast way, and cutting.
    words: Option<Words>,
}

impl Tokenizer {
    pub(crate) fn new(mut inner: tokenizers::Tokenizer, eos: Option<&str>) -> Result<Self> {
        inner.set_encode_special_tokens(true);
        let vocab_size = inner.get_vocab(true).values().max().map_or(0, |&id| id as usize + 1);
        if vocab_size == 0 {
            return Err(Error::input("the vocabulary is empty"));
        }
        let eos = match eos {
            Some(name) => inner.token_to_id(name),
            None => EOS_NAMES.iter().find_map(|name| inner.token_to_id(name)),
        };
        let words = splits_into_gpt2_words(&inner).then(Words::new).transpose()?;
        let special = OnceLock::new();
        Ok(Tokenizer(Arc::new(Inner { plain: inner, special, vocab_size, eos, words })))
    }

    /// Reads a `tokenizer.json`, or the one in the folder `path`.
    ///
    /// The end-of-text token is the one that a `tokenizer_config.json` beside it names, else the first that bears one
    /// of the usual names.
    ///
    /// # Errors
    /// The file is missing, is not JSON, or is not a tokenizer this library knows (`Input`, naming the file).
    pub fn load(path: &Path) -> Result<Self> {
        let file = if path.is_dir() { path.join("tokenizer.json") } else { path.to_owned() };
        let bytes = fs::read(&file).map_err(|e| Error::io("read tokenizer", &file, &e))?;
        let inner =
            tokenizers::Tokenizer::from_bytes(&bytes).map_err(|e| diagnose(&file, &bytes, &e.to_string()))?;
        let eos = configured_eos(&file.with_file_name("tokenizer_config.json"))?;
        Self::new(inner, eos.as_deref()).map_err(|e| e.context(format!("while reading {}", file.display())))
    }

    /// Reads the text of a `tokenizer.json`.
    ///
    /// # Errors
    /// It is not JSON, or not a tokenizer this library knows (`Input`).
    pub fn from_json(json: &str) -> Result<Self> {
        let inner = tokenizers::Tokenizer::from_bytes(json)
            .map_err(|e| diagnose(Path::new("tokenizer.json"), json.as_bytes(), &e.to_string()))?;
        Self::new(inner, None)
    }

    /// The text of its `tokenizer.json`, the same for the same tokenizer.
    ///
    /// # Errors
    /// Only by a defect of the library beneath.
    pub fn to_json(&self) -> Result<String> {
        self.0.plain.to_string(true).map_err(|e| Error::internal(format!("cannot write the tokenizer: {e}")))
    }

    /// Writes its `tokenizer.json` to the file `path`.
    ///
    /// # Errors
    /// The file cannot be written (`Environment`).
    pub fn save(&self, path: &Path) -> Result<()> {
        fs::write(path, self.to_json()?).map_err(|e| Error::io("write tokenizer", path, &e))
    }

    /// The number of ids: the largest one plus one.
    pub fn vocab_size(&self) -> usize {
        self.0.vocab_size
    }

    /// The id of the token that ends a document.
    ///
    /// # Errors
    /// No token bears a usual name (`Input`).
    pub fn eos_id(&self) -> Result<u32> {
        self.0.eos.ok_or_else(|| {
            Error::input("the tokenizer has no end-of-text token").help(format!(
                "name it as `eos_token` in tokenizer_config.json, or give it one of these names: {}",
                { EOS_NAMES.join(" ") }
            ))
        })
    }

    /// The id of the token written `token` in the vocabulary.
    pub fn token_id(&self, token: &str) -> Option<u32> {
        self.0.plain.token_to_id(token)
    }

    /// The token with this id as the vocabulary writes it.
    pub fn token(&self, id: u32) -> Option<String> {
        self.0.plain.id_to_token(id)
    }

    /// The ids of `text`: nothing is added, and the name of a special token in it is ordinary text.
    ///
    /// Large texts are cut where the result cannot change and encoded by all cores.
    ///
    /// # Errors
    /// The vocabulary cannot express the text and has no token for the unknown.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let Some(words) = &self.0.words else { return ids_of(&self.0.plain, text, false) };
        let model = self.0.plain.get_model();
        let threads = cores().min(text.len() / PIECE);
        if threads < 2 {
            return words.encode(model, text);
        }
        let pieces = chunk::at_white_space(text, PIECE);
        Ok(try_map(threads, &pieces, |piece| words.encode(model, piece))?.concat())
    }

    /// The ids of a model's prompt: special tokens are recognised by name, and those that the tokenizer puts around a
    /// text (a begin token, say) are added.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_prompt(&self, text: &str) -> Result<Vec<u32>> {
        let special = self.0.special.get_or_init(|| {
            let mut inner = self.0.plain.clone();
            inner.set_encode_special_tokens(false);
            inner
        });
        ids_of(special, text, true)
    }

    /// The text of `ids`, bytes that are no character as U+FFFD; with `skip_special`, without special tokens.
    ///
    /// # Errors
    /// An id is not in the vocabulary.
    pub fn decode(&self, ids: &[u32], skip_special: bool) -> Result<String> {
        self.check(ids)?;
        self.0
            .plain
            .decode(ids, skip_special)
            .map_err(|e| Error::input(format!("cannot decode {} tokens: {e}", ids.len())))
    }

    /// A decoder for ids that arrive one by one.
    pub fn decode_stream(&self, skip_special: bool) -> DecodeStream {
        DecodeStream::new(self.clone(), skip_special)
    }

    pub(crate) fn check(&self, ids: &[u32]) -> Result<()> {
        match ids.iter().find(|&&id| id as usize >= self.0.vocab_size) {
            Some(id) => Err(Error::input(format!(
                "token id {id} is not in the vocabulary of {} tokens",
                self.0.vocab_size
            ))),
            None => Ok(()),
        }
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
    let encoding = inner
        .encode_fast(text, add_special)
        .map_err(|e| Error::input(format!("cannot encode a text of {} bytes: {e}", text.len())))?;
    Ok(encoding.get_ids().to_vec())
}

/// The `eos_token` of a `tokenizer_config.json`, a string or an object with `content`; none without the file.
fn configured_eos(path: &Path) -> Result<Option<String>> {
    let Ok(bytes) = fs::read(path) else { return Ok(None) };
    let config: Value = serde_json::from_slice(&bytes)
        .map_err(|e| Error::input(format!("{} is not JSON: {e}", path.display())))?;
    let eos = &config["eos_token"];
    Ok(eos.as_str().or_else(|| eos["content"].as_str()).map(str::to_owned))
}

/// Says what is wrong with a file that is not a tokenizer.
fn diagnose(path: &Path, bytes: &[u8], error: &str) -> Error {
    const KINDS: [&str; 4] = ["BPE", "Unigram", "WordLevel", "WordPiece"];
    let file = path.display();
    let json: Value = match serde_json::from_slice(bytes) {
        Ok(json) => json,
        Err(e) => {
            return Error::input(format!("{file} is not JSON: {e}"))
                .help("pass a Hugging Face tokenizer.json");
        }
    };
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

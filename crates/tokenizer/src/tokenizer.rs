use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use jarrah_base::{Error, Result};

use crate::engine::Engine;
use crate::library::{Library, Reach};

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
    engine: Engine,
    vocab_size: usize,
    eos: Option<u32>,
    /// The most bytes of a text that a token stands for, where that has a bound; found when it is first asked for.
    reach: OnceLock<Option<Reach>>,
}

impl Tokenizer {
    pub(crate) fn new(inner: tokenizers::Tokenizer, eos: Option<&str>) -> Result<Self> {
        Self::of(Engine::Library(Box::new(Library::new(inner)?)), eos)
    }

    /// The tokenizer of an engine, whose end-of-text token is called `eos`, if that is known.
    pub(crate) fn of(engine: Engine, eos: Option<&str>) -> Result<Self> {
        let vocab_size = engine.vocab_size();
        if vocab_size == 0 {
            return Err(Error::input("the vocabulary is empty"));
        }
        let id = |name: &str| engine.token_id(name);
        let eos = match eos {
            Some(name) => id(name),
            None => engine.end().or_else(|| EOS_NAMES.iter().find_map(|name| id(name))),
        };
        Ok(Tokenizer(Arc::new(Inner { engine, vocab_size, eos, reach: OnceLock::new() })))
    }

    /// The text of its `tokenizer.json`, the same for the same tokenizer.
    ///
    /// # Errors
    /// The tokenizer was not read from a `tokenizer.json`: others are kept as their own files (`Input`).
    pub fn to_json(&self) -> Result<String> {
        self.0.engine.to_json()
    }

    /// Writes its `tokenizer.json` to the file `path`.
    ///
    /// # Errors
    /// The file cannot be written (`Environment`).
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
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
        self.0.engine.token_id(token)
    }

    /// The token with this id as the vocabulary writes it.
    pub fn token(&self, id: u32) -> Option<String> {
        self.0.engine.token(id)
    }

    /// The bytes that a token adds to a text that others have begun, which may be a part of a character; none where the vocabulary has no such
    /// id. A special token adds its name.
    ///
    /// ```
    /// use jarrah_tokenizer::{TrainOptions, train};
    /// let tokenizer = train(&["a"], &TrainOptions::new(257))?;
    /// let bytes = tokenizer.encode("é")?.iter().flat_map(|&id| tokenizer.token_bytes(id).unwrap()).collect();
    /// assert_eq!(String::from_utf8(bytes).unwrap(), "é");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn token_bytes(&self, id: u32) -> Option<Vec<u8>> {
        self.0.engine.token_bytes(id)
    }

    /// The bytes of a text that begins with the token: those of [`token_bytes`](Self::token_bytes), without the leading space
    /// that words have in this tokenizer but texts do not begin with.
    ///
    /// ```
    /// use jarrah_tokenizer::{TrainOptions, train};
    /// let tokenizer = train(&["a"], &TrainOptions::new(257))?;
    /// let id = tokenizer.encode(" ")?[0];
    /// assert_eq!(tokenizer.first_bytes(id).unwrap(), b" ");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn first_bytes(&self, id: u32) -> Option<Vec<u8>> {
        let bytes = self.token_bytes(id)?;
        let rest = bytes.strip_prefix(b" ").filter(|_| !self.is_special(id));
        let begins =
            rest.is_some_and(|rest| self.decode(&[id], false).is_ok_and(|text| text.as_bytes() == rest));
        Some(if begins { bytes[1..].to_vec() } else { bytes })
    }

    /// Whether the token stands for no text: one that begins or ends a message, say.
    pub fn is_special(&self, id: u32) -> bool {
        self.0.engine.is_special(id)
    }

    /// The ids of `text`: nothing is added, and the name of a special token in it is ordinary text.
    ///
    /// Large texts are cut where the result cannot change and encoded by all cores, where the tokenizer allows it.
    ///
    /// # Errors
    /// The vocabulary cannot express the text and has no token for the unknown.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        self.0.engine.encode(text)
    }

    /// How many ids a text has at least, found without reading it: 0 where the rules may drop some of a text, or a token stands for any unknown word.
    ///
    /// ```
    /// use jarrah_tokenizer::{TrainOptions, train};
    /// let tokenizer = train(&["aa aa aa"], &TrainOptions::new(260))?;
    /// let text = "aa ".repeat(100);
    /// let (least, count) = (tokenizer.fewest_ids(&text), tokenizer.encode(&text)?.len());
    /// assert!(least > 20 && least <= count);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn fewest_ids(&self, text: &str) -> usize {
        let Some(reach) = self.0.reach.get_or_init(|| self.0.engine.reach()) else { return 0 };
        text.len() / if text.is_ascii() { reach.ascii } else { reach.any }.max(1)
    }

    /// The ids of a model's prompt: special tokens are recognised by name, and those that the tokenizer puts around a
    /// text (a begin token, say) are added.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_prompt(&self, text: &str) -> Result<Vec<u32>> {
        self.0.engine.encode_special(text, true)
    }

    /// The ids of two texts, put together as the tokenizer says, and where those of the second begin.
    ///
    /// # Errors
    /// The tokenizer does not say how (`Input`); as [`encode`](Self::encode).
    pub fn encode_pair(&self, first: &str, second: &str) -> Result<(Vec<u32>, usize)> {
        self.0.engine.encode_pair(first, second)
    }

    /// The ids of what a chat template wrote: special tokens are recognised by name, and none is added, since the template
    /// writes those that begin and end a text itself.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_chat(&self, rendered: &str) -> Result<Vec<u32>> {
        self.0.engine.encode_special(rendered, false)
    }

    /// The text of `ids`, bytes that are no character as U+FFFD; with `skip_special`, without special tokens.
    ///
    /// # Errors
    /// An id is not in the vocabulary.
    pub fn decode(&self, ids: &[u32], skip_special: bool) -> Result<String> {
        self.check(ids)?;
        self.0.engine.decode(ids, skip_special)
    }

    /// Whether the tokens behind this token may change how its text is read.
    pub(crate) fn continues(&self, id: u32) -> bool {
        self.0.engine.continues(id)
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

use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_tokenizer::Tokenizer;
use llguidance::ParserFactory;
use llguidance::earley::SlicedBiasComputer;
use llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, TokEnv, TokRxInfo, TokTrie};

use crate::limits;

/// The longest token that a grammar may use: the trie of tokens has ten bits for the depth of a node.
const LONGEST_TOKEN: usize = 1000;
/// The most logits: the trie has 22 bits for the number of nodes below one.
const MOST_LOGITS: usize = 1 << 21;

/// The tokens of a model as a grammar sees them: the bytes of each, the special ones by name, and those that end an output.
///
/// It is made once from a tokenizer, in about a second for 128 thousand tokens, and shared by all requests.
///
/// ```
/// use jarrah_structured::MaskVocabulary;
/// use jarrah_tokenizer::{END_OF_TEXT, TrainOptions, train};
/// let tokenizer = train(&["a"], &TrainOptions::new(257))?;
/// let vocabulary = MaskVocabulary::new(&tokenizer, &[tokenizer.eos_id()?], 257)?;
/// assert_eq!(vocabulary.special(END_OF_TEXT), tokenizer.token_id(END_OF_TEXT));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct MaskVocabulary {
    factory: ParserFactory,
    ends: Vec<u32>,
    size: usize,
    // Special tokens by name, the longest first.
    special: Vec<(String, u32)>,
    // The bytes that their names begin with.
    first: [bool; 256],
}

impl MaskVocabulary {
    /// The tokens of `tokenizer`, of which `ends` end an output, for a model with `logits` logits: ids of which the tokenizer says nothing are
    /// never allowed.
    ///
    /// # Errors
    /// There is no end, one is not below `logits`, or `logits` are more than 2²¹ (`Input`).
    pub fn new(tokenizer: &Tokenizer, ends: &[u32], logits: usize) -> Result<MaskVocabulary> {
        if logits > MOST_LOGITS {
            let error = Error::input(format!("a vocabulary of {logits} logits is too large for masks"));
            return Err(error.help(format!("at most {MOST_LOGITS} are supported")));
        }
        if let Some(end) = ends.iter().find(|&&end| end as usize >= logits) {
            return Err(Error::input(format!("the end token {end} is not one of {logits} logits")));
        }
        let Some(&end) = ends.first() else {
            return Err(Error::input("no token ends an output")
                .help("give the ids of `eos_token_id` in generation_config.json"));
        };
        let mut words = Vec::with_capacity(logits);
        let mut special = Vec::new();
        for id in 0..logits as u32 {
            let bytes = tokenizer.token_bytes(id).unwrap_or_default();
            let word = if tokenizer.is_special(id) || ends.contains(&id) {
                let name = tokenizer.token(id).unwrap_or_else(|| format!("<{id}>"));
                // No text has the byte 0xff: only a grammar that names the token can use it.
                let word = [&[TokTrie::SPECIAL_TOKEN_MARKER][..], name.as_bytes()].concat();
                special.push((name, id));
                word
            } else {
                bytes
            };
            words.push(if word.len() <= LONGEST_TOKEN { word } else { Vec::new() });
        }
        special.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut first = [false; 256];
        special
            .iter()
            .filter_map(|(name, _)| name.bytes().next())
            .for_each(|byte| first[usize::from(byte)] = true);
        let info = TokRxInfo::new(logits as u32, end);
        let trie = TokTrie::from(&info, &words).with_eos_tokens(ends);
        let environment: TokEnv = Arc::new(ApproximateTokEnv::new(trie));
        let slices = SlicedBiasComputer::general_slices();
        let mut factory = ParserFactory::new(&environment, InferenceCapabilities::default(), &slices)
            .map_err(|e| Error::internal(format!("cannot divide the vocabulary: {e}")))?;
        factory.quiet();
        *factory.limits_mut() = limits::parser();
        Ok(MaskVocabulary { factory, ends: ends.to_vec(), size: logits, special, first })
    }

    /// The number of logits, which is the size of its masks.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The tokens that end an output.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The id of the special token with this name: one that no text is made of.
    pub fn special(&self, name: &str) -> Option<u32> {
        self.special.iter().find(|(own, _)| own == name).map(|(_, id)| *id)
    }

    /// The special token whose name `text` begins with, the longest of several, and the bytes of its name.
    pub(crate) fn special_at(&self, text: &str) -> Option<(u32, usize)> {
        if !text.bytes().next().is_some_and(|byte| self.first[usize::from(byte)]) {
            return None;
        }
        let found = self.special.iter().find(|(name, _)| !name.is_empty() && text.starts_with(name.as_str()));
        found.map(|(name, id)| (*id, name.len()))
    }

    pub(crate) fn factory(&self) -> &ParserFactory {
        &self.factory
    }
}

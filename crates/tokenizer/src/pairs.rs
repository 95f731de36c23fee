//! Tokenizers of byte-level pairs in two files, as GPT-2's was published: `vocab.json`, the ids of tokens, and `merges.txt`, the pairs of
//! tokens that become one, in their order. Which rules divide a text, and which tokens stand around it, shows the class that
//! `tokenizer_config.json` names.
//!
//! Source: the tokenizers of GPT-2, CodeGen, RoBERTa and Qwen 2 in transformers 5.24.

use std::collections::BTreeMap;

use jarrah_base::{Error, Result};
use jarrah_formats::tokenizers::PAIR;
use serde_json::{Map, Value, json};

/// A token of a configuration, a string or an object with `content`.
pub(crate) fn token_name(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value["content"].as_str())
}

/// The file of merges beside a vocabulary.
pub(crate) const MERGES: &str = PAIR[1];

/// How texts of Qwen 2 are divided.
const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// The keys of special tokens.
const SPECIAL: [&str; 7] =
    ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];

/// A kind of tokenizer: its rules, and the special tokens that it has without being told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Gpt2,
    Roberta,
    Qwen2,
}

impl Kind {
    /// The kind of a class of transformers.
    fn of(class: &str) -> Result<Kind> {
        match class.trim_end_matches("Fast") {
            "GPT2Tokenizer" | "CodeGenTokenizer" => Ok(Kind::Gpt2),
            "RobertaTokenizer" | "LongformerTokenizer" | "BartTokenizer" => Ok(Kind::Roberta),
            "Qwen2Tokenizer" => Ok(Kind::Qwen2),
            other => Err(Error::input(format!(
                "the tokenizer is a {other}, whose vocab.json and {MERGES} are not read here"
            ))
            .help("`AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)` of transformers writes tokenizer.json")),
        }
    }

    fn usual(self, key: &str) -> Option<&'static str> {
        let end = Some("<|endoftext|>");
        match (self, key) {
            (Kind::Gpt2, "bos_token" | "eos_token" | "unk_token") => end,
            (Kind::Qwen2, "eos_token" | "unk_token" | "pad_token") => end,
            (Kind::Roberta, "bos_token" | "cls_token") => Some("<s>"),
            (Kind::Roberta, "eos_token" | "sep_token") => Some("</s>"),
            (Kind::Roberta, "unk_token") => Some("<unk>"),
            (Kind::Roberta, "pad_token") => Some("<pad>"),
            (Kind::Roberta, "mask_token") => Some("<mask>"),
            _ => None,
        }
    }
}

/// The files of a tokenizer of pairs, parsed; those that are not there are null.
pub(crate) struct Pairs<'a> {
    /// `vocab.json`: ids by token.
    pub vocab: &'a Map<String, Value>,
    /// `merges.txt`.
    pub merges: &'a str,
    /// `tokenizer_config.json`.
    pub config: &'a Value,
    /// `special_tokens_map.json`.
    pub special: &'a Value,
    /// `added_tokens.json`: ids by token.
    pub added: &'a Value,
}

/// A token and its id.
type Named = (String, u64);

impl Pairs<'_> {
    /// The `tokenizer.json` that says what the files do.
    ///
    /// # Errors
    /// The class is of another kind, a line of the merges is no pair, or a special token has no id (`Input`).
    pub fn json(&self) -> Result<Value> {
        let kind = self.config["tokenizer_class"].as_str().map_or(Ok(Kind::Gpt2), Kind::of)?;
        let merges = self.merges()?;
        let tokens = self.tokens(kind)?;
        let around = self.around(kind, &tokens)?;
        let tokens: Vec<Value> = tokens.into_values().collect();
        let space = self.has("add_prefix_space");
        let bytes = |use_regex: bool| json!({"type": "ByteLevel", "add_prefix_space": space, "trim_offsets": true, "use_regex": use_regex});
        let split =
            json!({"type": "Split", "pattern": {"Regex": QWEN2}, "behavior": "Isolated", "invert": false});
        let (normalizer, divides) = match kind {
            Kind::Qwen2 => {
                (json!({"type": "NFC"}), json!({"type": "Sequence", "pretokenizers": [split, bytes(false)]}))
            }
            Kind::Gpt2 | Kind::Roberta => (Value::Null, bytes(true)),
        };
        Ok(json!({
            "version": "1.0", "truncation": null, "padding": null, "added_tokens": tokens, "normalizer": normalizer,
            "pre_tokenizer": divides, "post_processor": around,
            "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
            "model": {
                "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": "", "end_of_word_suffix": "",
                "fuse_unk": false, "byte_fallback": false, "ignore_merges": false, "vocab": self.vocab, "merges": merges,
            },
        }))
    }

    fn has(&self, flag: &str) -> bool {
        self.config[flag].as_bool().unwrap_or(false)
    }

    fn merges(&self) -> Result<Vec<Value>> {
        let is_version = |(i, line): &(usize, &str)| *i == 0 && line.starts_with("#version");
        let lines = self.merges.lines().enumerate().filter(|line| !line.1.is_empty() && !is_version(line));
        let pair = |(i, line): (usize, &str)| match line.split_once(' ') {
            Some((a, b)) if !a.is_empty() && !b.is_empty() && !b.contains(' ') => Ok(json!([a, b])),
            _ => Err(Error::input(format!("line {} of {MERGES} is no pair of tokens", i + 1))),
        };
        lines.map(pair).collect()
    }

    /// The special token of a key, as the files or the class name it.
    fn name(&self, kind: Kind, key: &str) -> Option<String> {
        let told = [&self.config[key], &self.special[key]].into_iter().find_map(token_name);
        told.or_else(|| kind.usual(key)).map(str::to_owned)
    }

    fn id(&self, token: &str) -> Option<u64> {
        self.vocab.get(token).and_then(Value::as_u64).or_else(|| self.added[token].as_u64())
    }

    /// The added tokens by their ids: the library numbers them as they stand.
    fn tokens(&self, kind: Kind) -> Result<BTreeMap<u64, Value>> {
        let (config, special) = (self.config, self.special);
        let mut tokens = BTreeMap::new();
        for (token, id) in self.added.as_object().into_iter().flatten() {
            let id =
                id.as_u64().ok_or_else(|| Error::input(format!("added_tokens.json gives {token} no id")))?;
            tokens.insert(id, added(id, token, &Value::Null, true));
        }
        for key in SPECIAL {
            let about = if config[key].is_object() { &config[key] } else { &special[key] };
            if let Some(token) = self.name(kind, key)
                && let Some(id) = self.id(&token)
            {
                // RoBERTa's mask takes the space before it.
                let mask = json!({"lstrip": true});
                let is_mask = kind == Kind::Roberta && key == "mask_token" && !about.is_object();
                tokens.insert(id, added(id, &token, if is_mask { &mask } else { about }, true));
            }
        }
        let more = [config, special].map(|file| &file["additional_special_tokens"]);
        for about in more.into_iter().filter_map(Value::as_array).flatten() {
            if let Some(token) = token_name(about)
                && let Some(id) = self.id(token)
            {
                tokens.insert(id, added(id, token, about, true));
            }
        }
        for (id, about) in config["added_tokens_decoder"].as_object().into_iter().flatten() {
            if let (Ok(id), Some(token)) = (id.parse(), token_name(about)) {
                tokens.insert(id, added(id, token, about, false));
            }
        }
        let first = self.vocab.len() as u64;
        let mut beyond = (first..).zip(tokens.keys().copied().filter(|&id| id >= first));
        match beyond.find(|(expected, id)| expected != id) {
            None => Ok(tokens),
            Some((expected, id)) => Err(Error::input(format!(
                "the added token {} has the id {id}, but the first free one is {expected}",
                tokens[&id]["content"]
            ))),
        }
    }

    /// The rule that puts tokens around a text; null where there are none.
    fn around(&self, kind: Kind, tokens: &BTreeMap<u64, Value>) -> Result<Value> {
        let named = |key: &str| -> Result<Named> {
            let token =
                self.name(kind, key).ok_or_else(|| Error::input(format!("the tokenizer has no {key}")))?;
            let is_it = |(_, about): &(&u64, &Value)| about["content"] == token.as_str();
            let id = self.id(&token).or_else(|| tokens.iter().find(is_it).map(|(id, _)| *id));
            let id = id.ok_or_else(|| Error::input(format!("the {key} {token} has no id")))?;
            Ok((token, id))
        };
        if kind == Kind::Roberta {
            let (cls, sep) = (named("cls_token")?, named("sep_token")?);
            return Ok(json!({
                "type": "RobertaProcessing", "sep": sep, "cls": cls, "trim_offsets": true,
                "add_prefix_space": self.has("add_prefix_space"),
            }));
        }
        let wanted = |flag: &str, key: &str| self.has(flag).then(|| named(key)).transpose();
        let (begin, end) = (wanted("add_bos_token", "bos_token")?, wanted("add_eos_token", "eos_token")?);
        if begin.is_none() && end.is_none() {
            return Ok(Value::Null);
        }
        let part = |(name, _): &Named| json!({"SpecialToken": {"id": name, "type_id": 0}});
        let of = |text: &str| -> Vec<Value> {
            let text = json!({"Sequence": {"id": text, "type_id": 0}});
            begin.iter().map(part).chain([text]).chain(end.iter().map(part)).collect()
        };
        let about = |(name, id): &Named| (name.clone(), json!({"id": name, "ids": [id], "tokens": [name]}));
        let known: Map<String, Value> = begin.iter().chain(&end).map(about).collect();
        let pair = [of("A"), of("B")].concat();
        Ok(json!({
            "type": "TemplateProcessing", "single": of("A"), "pair": pair,
            "special_tokens": known,
        }))
    }
}

/// An added token as `tokenizer.json` has it.
fn added(id: u64, token: &str, about: &Value, is_special: bool) -> Value {
    let is = |key: &str, usual: bool| about[key].as_bool().unwrap_or(usual);
    json!({
        "id": id, "content": token, "single_word": is("single_word", false), "lstrip": is("lstrip", false),
        "rstrip": is("rstrip", false), "normalized": is("normalized", !is_special), "special": is("special", is_special),
    })
}

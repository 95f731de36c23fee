//! A tokenizer as llama.cpp's files have it: a list of tokens, and how texts are divided into them.

use std::collections::BTreeMap;

use jarrah_base::{Error, Result};
use serde_json::{Map, Value, json};

use crate::sentencepiece::{Piece, Proto};

/// A way of cutting texts before merges apply.
struct Cut {
    /// llama.cpp's names of it.
    names: &'static [&'static str],
    /// The pattern of a `tokenizer.json`, empty for GPT-2's own.
    pattern: &'static str,
    /// Whether letters are composed first.
    composed: bool,
    /// Whether prompts begin with the begin token where a file does not say it.
    begins: bool,
}

/// The ways of cutting texts, of which the first name is written.
///
/// Source: `llama_vocab::impl::load` of llama.cpp.
const CUTS: [Cut; 4] = [
    Cut {
        names: &[
            "gpt-2",
            "phi-2",
            "jina-es",
            "jina-de",
            "jina-v2-es",
            "jina-v2-de",
            "gigachat",
            "a.x-4.0",
            "mellum",
            "modern-bert",
            "exaone4",
        ],
        pattern: "",
        composed: false,
        begins: false,
    },
    Cut {
        names: &[
            "llama-bpe",
            "llama3",
            "llama-v3",
            "falcon3",
            "falcon-h1",
            "pixtral",
            "midm-2.0",
            "lfm2",
            "jina-v5-nano",
        ],
        pattern: LLAMA3,
        composed: false,
        begins: true,
    },
    Cut { names: &["smaug-bpe"], pattern: LLAMA3, composed: false, begins: false },
    Cut {
        names: &["qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez"],
        pattern: QWEN2,
        composed: true,
        begins: false,
    },
];
const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// The kinds of tokens, by their numbers in files.
const NORMAL: u8 = 1;
const CONTROL: u8 = 3;
const USER: u8 = 4;
const UNUSED: u8 = 5;

/// A vocabulary: a byte-level BPE (`gpt2`) or a SentencePiece model of merges (`llama`), as the fields `tokenizer.ggml.*` of a GGUF file have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vocabulary {
    /// `gpt2` or `llama`.
    pub model: String,
    /// How texts are cut, of `gpt2`.
    pub pre: String,
    /// The tokens by their ids.
    pub tokens: Vec<String>,
    /// The score of each, of `llama`.
    pub scores: Vec<f32>,
    /// 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte.
    pub kinds: Vec<u8>,
    /// Pairs with a space between, the first first, of `gpt2`.
    pub merges: Vec<String>,
    /// The token that begins a text.
    pub begin: Option<u32>,
    /// The token that ends a text.
    pub end: Option<u32>,
    /// The token for unknown text.
    pub unknown: Option<u32>,
    /// Whether prompts begin with the begin token.
    pub add_begin: bool,
    /// Whether prompts end with the end token.
    pub add_end: bool,
    /// Whether texts get a space before them, of `llama`.
    pub add_space: bool,
}

impl Vocabulary {
    /// The vocabulary of a tokenizer's files, which `files` gives by name; none where it is of neither kind.
    ///
    /// # Errors
    /// A file is wrong (`Input`).
    pub fn of_files<'a>(files: impl Fn(&str) -> Option<&'a [u8]>) -> Result<Option<Self>> {
        let parsed = |name: &str| match files(name) {
            None => Ok(Value::Null),
            Some(text) => jarrah_formats::json::value(text)
                .map_err(|e| Error::input(format!("{name} is not JSON: {e}"))),
        };
        let (json, config) = (parsed("tokenizer.json")?, parsed("tokenizer_config.json")?);
        let made = match files("tokenizer.model") {
            _ if of_bytes(&json) => Self::of_json(&json),
            Some(bytes) => Self::of_pieces(bytes)?,
            None => None,
        };
        let Some(mut made) = made else { return Ok(None) };
        for (id, token) in config["added_tokens_decoder"].as_object().into_iter().flatten() {
            if let (Ok(id), Some(text)) = (id.parse(), token["content"].as_str()) {
                made.put(id, text, added_kind(token))?;
            }
        }
        let named = |key: &str| {
            let name = config[key].as_str().or_else(|| config[key]["content"].as_str())?;
            made.tokens.iter().position(|token| token == name).map(|id| id as u32)
        };
        let (begin, end) = (named("bos_token").or(made.begin), named("eos_token").or(made.end));
        (made.begin, made.end) = (begin, end);
        made.add_begin = config["add_bos_token"].as_bool().unwrap_or(made.add_begin) && begin.is_some();
        made.add_end = config["add_eos_token"].as_bool().unwrap_or(made.add_end) && end.is_some();
        Ok(Some(made))
    }

    /// Sets a token, with unused ones before it where there are too few.
    fn put(&mut self, id: usize, text: &str, kind: u8) -> Result<()> {
        if id >= 1 << 20 {
            return Err(Error::input(format!("the id {id} of the token {text:?} is not below 2^20")));
        }
        self.fill(id + 1);
        self.tokens[id] = text.to_owned();
        self.kinds[id] = kind;
        Ok(())
    }

    /// Adds unused tokens until there are `count`.
    pub fn fill(&mut self, count: usize) {
        for id in self.tokens.len()..count {
            self.tokens.push(format!("[PAD{id}]"));
            self.kinds.push(UNUSED);
            self.scores.extend((self.model == "llama").then_some(0.0));
        }
    }

    fn of_json(json: &Value) -> Option<Self> {
        let cuts = json["pre_tokenizer"].to_string();
        let pattern = |pattern: &str| match pattern {
            "" => cuts.contains(r#""use_regex":true"#) && !cuts.contains("Split"),
            _ => cuts.contains(&Value::from(pattern).to_string()),
        };
        let pre = CUTS.iter().find(|cut| pattern(cut.pattern))?.names[0];
        let model = &json["model"];
        let mut made = Vocabulary { model: "gpt2".to_owned(), pre: pre.to_owned(), ..Self::default() };
        for (token, id) in model["vocab"].as_object()? {
            made.put(usize::try_from(id.as_u64()?).ok()?, token, NORMAL).ok()?;
        }
        for merge in model["merges"].as_array()? {
            made.merges.push(match (merge.as_str(), merge.as_array().map(Vec::as_slice)) {
                (Some(merge), _) => merge.to_owned(),
                (None, Some([a, b])) => format!("{} {}", a.as_str()?, b.as_str()?),
                _ => return None,
            });
        }
        for token in json["added_tokens"].as_array().into_iter().flatten() {
            let (id, text) = (usize::try_from(token["id"].as_u64()?).ok()?, token["content"].as_str()?);
            made.put(id, text, added_kind(token)).ok()?;
        }
        let processor = &json["post_processor"];
        let all = processor["processors"].as_array().map_or(std::slice::from_ref(processor), Vec::as_slice);
        let around = all.iter().find_map(|p| p["single"].as_array()).map(Vec::as_slice).unwrap_or_default();
        let id = |item: Option<&Value>| {
            let name = item?["SpecialToken"]["id"].as_str()?;
            made.tokens.iter().position(|token| token == name).map(|id| id as u32)
        };
        let (begin, end) = (id(around.first()), id(around.last()));
        (made.add_begin, made.add_end) = (begin.is_some(), end.is_some());
        (made.begin, made.end) = (begin, end);
        Some(made)
    }

    fn of_pieces(bytes: &[u8]) -> Result<Option<Self>> {
        let proto = Proto::parse(bytes)?;
        // Merges alone: llama.cpp's form has no place for a unigram model's search.
        if proto.model_type != 2 {
            return Ok(None);
        }
        let unknown = proto.pieces.iter().position(|piece| piece.kind.number() == 2);
        Ok(Some(Vocabulary {
            model: "llama".to_owned(),
            pre: "default".to_owned(),
            tokens: proto.pieces.iter().map(|piece| piece.text.clone()).collect(),
            scores: proto.pieces.iter().map(|piece| piece.score).collect(),
            kinds: proto.pieces.iter().map(|Piece { kind, .. }| kind.number()).collect(),
            begin: proto.begin,
            end: proto.end,
            unknown: unknown.map(|id| id as u32),
            add_begin: proto.begin.is_some(),
            add_space: proto.normalizer.add_dummy_prefix,
            ..Self::default()
        }))
    }

    /// The files of a tokenizer with this vocabulary: `tokenizer.json` or `tokenizer.model`, and `tokenizer_config.json`.
    ///
    /// # Errors
    /// It is of neither kind, or cuts texts in a way that is not known here (`Input`).
    ///
    /// ```
    /// use jarrah_tokenizer::{Tokenizer, Vocabulary, train, TrainOptions};
    /// let tokenizer = train(&["the quick brown fox"], &TrainOptions::new(270))?;
    /// let json = tokenizer.to_json()?;
    /// let vocabulary = Vocabulary::of_files(|name| (name == "tokenizer.json").then_some(json.as_bytes()))?.unwrap();
    /// let files = vocabulary.files()?;
    /// let again = Tokenizer::from_files(|name| files.get(name).map(Vec::as_slice))?;
    /// assert_eq!(again.encode("the fox")?, tokenizer.encode("the fox")?);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn files(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let name = |id: Option<u32>| id.and_then(|id| self.tokens.get(id as usize));
        let mut config = Map::new();
        for (key, id) in [("bos_token", self.begin), ("eos_token", self.end), ("unk_token", self.unknown)] {
            config.extend(name(id).map(|token| (key.to_owned(), Value::from(token.as_str()))));
        }
        config.insert("add_bos_token".to_owned(), self.add_begin.into());
        config.insert("add_eos_token".to_owned(), self.add_end.into());
        let (file, content) = match self.cut()? {
            Some(cut) => ("tokenizer.json", self.json(cut).to_string().into_bytes()),
            None => ("tokenizer.model", self.proto()),
        };
        Ok([
            (file.to_owned(), content),
            ("tokenizer_config.json".to_owned(), format!("{:#}\n", Value::Object(config)).into_bytes()),
        ]
        .into())
    }

    /// How the vocabulary cuts texts, where it is one of `gpt2`.
    fn cut(&self) -> Result<Option<&'static Cut>> {
        match self.model.as_str() {
            "llama" => Ok(None),
            "gpt2" => {
                let cut = CUTS.iter().find(|cut| cut.names.contains(&self.pre.as_str()));
                cut.map(Some).ok_or_else(|| {
                    let known: Vec<&str> = CUTS.iter().flat_map(|cut| cut.names).copied().collect();
                    let error = Error::input(format!("the tokenizer cuts texts as `{}` does", self.pre));
                    error.help(format!("known are {}", known.join(", ")))
                })
            }
            other => Err(Error::input(format!("the tokenizer is of the kind {other}"))
                .help("known are gpt2 and llama")),
        }
    }

    /// Whether prompts begin with the begin token where a file does not say it.
    ///
    /// ```
    /// use jarrah_tokenizer::Vocabulary;
    /// let of = |pre: &str| Vocabulary { model: "gpt2".into(), pre: pre.into(), ..Vocabulary::default() };
    /// assert!(of("llama3").begins()? && !of("qwen2").begins()?);
    /// assert!(of("dbrx").begins().is_err());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`files`](Self::files).
    pub fn begins(&self) -> Result<bool> {
        Ok(self.cut()?.is_none_or(|cut| cut.begins))
    }

    fn json(&self, cut: &Cut) -> Value {
        let Cut { pattern, composed, .. } = cut;
        let bytes = |regex: bool| json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": regex});
        let cut = match pattern.is_empty() {
            true => bytes(true),
            false => json!({"type": "Sequence", "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": false}, bytes(false)]}),
        };
        let kind = |id: usize| self.kinds.get(id).copied().unwrap_or(NORMAL);
        // Unused tokens stand for nothing in a text.
        let named = || (0u32..).zip(&self.tokens).filter(|(id, _)| kind(*id as usize) != UNUSED);
        let added: Vec<Value> = named()
            .filter(|(id, _)| matches!(kind(*id as usize), CONTROL | USER))
            .map(|(id, text)| {
                json!({"id": id, "content": text, "single_word": false, "lstrip": false, "rstrip": false,
                    "normalized": false, "special": kind(id as usize) == CONTROL})
            })
            .collect();
        let vocabulary: Map<String, Value> = named().map(|(id, token)| (token.clone(), id.into())).collect();
        let merges: Vec<Value> = self
            .merges
            .iter()
            .map(|merge| merge.split_once(' ').map_or_else(|| json!(merge), |(a, b)| json!([a, b])))
            .collect();
        let around = |id: Option<u32>| {
            let (id, token) = id.and_then(|id| Some((id, self.tokens.get(id as usize)?)))?;
            Some((
                json!({"SpecialToken": {"id": token, "type_id": 0}}),
                token.clone(),
                json!({"id": token, "ids": [id], "tokens": [token]}),
            ))
        };
        let before = around(self.begin.filter(|_| self.add_begin));
        let after = around(self.end.filter(|_| self.add_end));
        let processor = match before.is_none() && after.is_none() {
            true => bytes(true),
            false => {
                let text = |part: &str| json!({"Sequence": {"id": part, "type_id": 0}});
                let of = |part: &str| -> Vec<Value> {
                    let own = [
                        before.as_ref().map(|b| b.0.clone()),
                        Some(text(part)),
                        after.as_ref().map(|a| a.0.clone()),
                    ];
                    own.into_iter().flatten().collect()
                };
                let (single, pair) = (of("A"), [of("A"), of("B")].concat());
                let tokens: Map<String, Value> = before
                    .iter()
                    .chain(&after)
                    .map(|(_, name, token)| (name.clone(), token.clone()))
                    .collect();
                json!({"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": tokens})
            }
        };
        json!({
            "version": "1.0", "truncation": null, "padding": null, "added_tokens": added,
            "normalizer": composed.then(|| json!({"type": "NFC"})),
            "pre_tokenizer": cut, "post_processor": processor, "decoder": bytes(true),
            "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
                "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
                "ignore_merges": pattern == &LLAMA3, "vocab": vocabulary, "merges": merges},
        })
    }

    /// The protocol buffer of a SentencePiece model of merges.
    fn proto(&self) -> Vec<u8> {
        let mut out = Vec::new();
        // Unused tokens behind the others only fill the table of the model up.
        let used = self.kinds.iter().rposition(|kind| *kind != UNUSED).map_or(self.tokens.len(), |id| id + 1);
        for (id, token) in self.tokens.iter().enumerate().take(used) {
            let mut piece = Vec::new();
            bytes(&mut piece, 1, token.as_bytes());
            varint(&mut piece, 2 << 3 | 5);
            piece.extend(self.scores.get(id).copied().unwrap_or(0.0).to_le_bytes());
            number(&mut piece, 3, self.kinds.get(id).copied().unwrap_or(NORMAL).into());
            bytes(&mut out, 1, &piece);
        }
        let mut trainer = Vec::new();
        number(&mut trainer, 3, 2);
        let has_bytes = self.tokens.iter().any(|token| token == "<0x00>");
        number(&mut trainer, 35, has_bytes.into());
        // An id that no piece has means that there is no such token.
        for (field, id) in [(40, self.unknown), (41, self.begin), (42, self.end)] {
            number(&mut trainer, field, id.map_or(u64::MAX, u64::from));
        }
        bytes(&mut out, 2, &trainer);
        let mut normalizer = Vec::new();
        bytes(&mut normalizer, 1, b"identity");
        number(&mut normalizer, 3, self.add_space.into());
        number(&mut normalizer, 4, 0);
        number(&mut normalizer, 5, 1);
        bytes(&mut out, 3, &normalizer);
        out
    }
}

/// The kind of a token that a file lists as added.
fn added_kind(token: &Value) -> u8 {
    if token["special"].as_bool() == Some(false) { USER } else { CONTROL }
}

/// Whether a `tokenizer.json` is a BPE of bytes.
fn of_bytes(json: &Value) -> bool {
    json["model"]["type"] == "BPE" && json["decoder"].to_string().contains(r#""type":"ByteLevel""#)
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A field of a protocol buffer that is a number.
fn number(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3);
    varint(out, value);
}

/// One that is bytes.
fn bytes(out: &mut Vec<u8>, field: u64, value: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, value.len() as u64);
    out.extend(value);
}

//! Tokenizers of byte-level pairs in two files, as GPT-2's was published: `vocab.json`, the ids of tokens, and `merges.txt`, the pairs of
//! tokens that become one, in their order. Which rules divide a text, and which tokens stand around it, shows the class that
//! `tokenizer_config.json` names.
//!
//! Source: the tokenizers of GPT-2, CodeGen, RoBERTa and Qwen 2 in transformers 5.24.

use std::collections::BTreeMap;

use jarrah_base::{Error, Result};
use serde_json::{Map, Value, json};

use crate::load::token_name;

/// The file of merges beside a vocabulary.
pub(crate) const MERGES: &str = "merges.txt";

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

/// The `tokenizer.json` of a vocabulary and merges.
///
/// * `config`: the `tokenizer_config.json`, or null
/// * `special`: the `special_tokens_map.json`, or null
/// * `added`: the `added_tokens.json`, ids by token, or null
///
/// # Errors
/// The class is of another kind, a line of the merges is no pair, or a special token has no id (`Input`).
pub(crate) fn json(
    vocab: &Map<String, Value>,
    merges: &str,
    config: &Value,
    special: &Value,
    added: &Value,
) -> Result<Value> {
    let kind = config["tokenizer_class"].as_str().map_or(Ok(Kind::Gpt2), Kind::of)?;
    let lines = merges
        .lines()
        .enumerate()
        .filter(|(i, line)| !(line.is_empty() || *i == 0 && line.starts_with("#version")));
    let pair = |(i, line): (usize, &str)| match line.split_once(' ') {
        Some((a, b)) if !a.is_empty() && !b.is_empty() && !b.contains(' ') => Ok(json!([a, b])),
        _ => Err(Error::input(format!("line {} of {MERGES} is no pair of tokens", i + 1))),
    };
    let merges: Vec<Value> = lines.map(pair).collect::<Result<_>>()?;
    let name = |key: &str| {
        let told = [&config[key], &special[key]].into_iter().find_map(token_name);
        told.map(str::to_owned).or_else(|| kind.usual(key).map(str::to_owned))
    };
    let own = |token: &str| vocab.get(token).and_then(Value::as_u64).or_else(|| added[token].as_u64());
    // By id: the added tokens of the library are numbered as they stand.
    let mut tokens: BTreeMap<u64, Value> = BTreeMap::new();
    let mut add = |id: u64, token: &str, about: &Value, is_special: bool| {
        let is = |key: &str| about[key].as_bool().unwrap_or(false);
        let token = json!({
            "id": id, "content": token, "single_word": is("single_word"), "lstrip": is("lstrip"), "rstrip": is("rstrip"),
            "normalized": about["normalized"].as_bool().unwrap_or(!is_special), "special": about["special"].as_bool().unwrap_or(is_special),
        });
        tokens.insert(id, token);
    };
    for (token, id) in added.as_object().into_iter().flatten() {
        let id = id.as_u64().ok_or_else(|| Error::input(format!("added_tokens.json gives {token} no id")))?;
        add(id, token, &Value::Null, true);
    }
    for key in SPECIAL {
        let about = if config[key].is_object() { &config[key] } else { &special[key] };
        if let Some(token) = name(key)
            && let Some(id) = own(&token)
        {
            // RoBERTa's mask takes the space before it.
            let mask = json!({"lstrip": true});
            let is_mask = kind == Kind::Roberta && key == "mask_token" && !about.is_object();
            add(id, &token, if is_mask { &mask } else { about }, true);
        }
    }
    for more in [&config["additional_special_tokens"], &special["additional_special_tokens"]] {
        for about in more.as_array().into_iter().flatten() {
            if let Some(token) = token_name(about)
                && let Some(id) = own(token)
            {
                add(id, token, about, true);
            }
        }
    }
    for (id, about) in config["added_tokens_decoder"].as_object().into_iter().flatten() {
        if let (Ok(id), Some(token)) = (id.parse(), token_name(about)) {
            add(id, token, about, false);
        }
    }
    let beyond: Vec<u64> = tokens.keys().copied().filter(|&id| id >= vocab.len() as u64).collect();
    if let Some((expected, id)) = (vocab.len() as u64..).zip(&beyond).find(|(expected, id)| expected != *id) {
        return Err(Error::input(format!(
            "the added token {} has the id {id}, but the first free one is {expected}",
            tokens[id]["content"]
        )));
    }
    let id_of = |key: &str| -> Result<(String, u64)> {
        let token = name(key).ok_or_else(|| Error::input(format!("the tokenizer has no {key}")))?;
        let id = own(&token)
            .or_else(|| tokens.iter().find(|(_, t)| t["content"] == token.as_str()).map(|(id, _)| *id));
        let id = id.ok_or_else(|| Error::input(format!("the {key} {token} has no id")))?;
        Ok((token, id))
    };
    let space = config["add_prefix_space"].as_bool().unwrap_or(false);
    let bytes = |use_regex: bool| json!({"type": "ByteLevel", "add_prefix_space": space, "trim_offsets": true, "use_regex": use_regex});
    let split =
        json!({"type": "Split", "pattern": {"Regex": QWEN2}, "behavior": "Isolated", "invert": false});
    let (normalizer, divides) = match kind {
        Kind::Qwen2 => {
            (json!({"type": "NFC"}), json!({"type": "Sequence", "pretokenizers": [split, bytes(false)]}))
        }
        Kind::Gpt2 | Kind::Roberta => (Value::Null, bytes(true)),
    };
    let flag = |key: &str| config[key].as_bool().unwrap_or(false);
    let around = match kind {
        Kind::Roberta => {
            let [(first, first_id), (last, last_id)] = [id_of("cls_token")?, id_of("sep_token")?];
            json!({
                "type": "RobertaProcessing", "sep": [last, last_id], "cls": [first, first_id], "trim_offsets": true, "add_prefix_space": space,
            })
        }
        Kind::Gpt2 | Kind::Qwen2 if flag("add_bos_token") || flag("add_eos_token") => {
            let part = |(name, _): &(String, u64)| json!({"SpecialToken": {"id": name, "type_id": 0}});
            let begin = if flag("add_bos_token") { Some(id_of("bos_token")?) } else { None };
            let end = if flag("add_eos_token") { Some(id_of("eos_token")?) } else { None };
            let text = |id: &str| json!({"Sequence": {"id": id, "type_id": 0}});
            let of = |id: &str| -> Vec<Value> {
                begin.iter().map(part).chain([text(id)]).chain(end.iter().map(part)).collect()
            };
            let known: Map<String, Value> = begin
                .iter()
                .chain(&end)
                .map(|(name, id)| (name.clone(), json!({"id": name, "ids": [id], "tokens": [name]})))
                .collect();
            let pair: Vec<Value> = of("A").into_iter().chain(of("B")).collect();
            json!({"type": "TemplateProcessing", "single": of("A"), "pair": pair, "special_tokens": known})
        }
        Kind::Gpt2 | Kind::Qwen2 => Value::Null,
    };
    let tokens: Vec<Value> = tokens.into_values().collect();
    Ok(json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": tokens, "normalizer": normalizer,
        "pre_tokenizer": divides, "post_processor": around,
        "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
        "model": {
            "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": "", "end_of_word_suffix": "",
            "fuse_unk": false, "byte_fallback": false, "ignore_merges": false, "vocab": vocab, "merges": merges,
        },
    }))
}

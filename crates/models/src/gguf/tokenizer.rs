//! The tokenizer of a GGUF file and the files of a folder that say the same.

use std::collections::{BTreeMap, BTreeSet};

use jarrah_array::Result;
use jarrah_formats::tokenizers::CHAT_TEMPLATE;
use jarrah_formats::{Folder, GgufField, GgufFields};
use jarrah_tokenizer::Vocabulary;
use serde_json::{Value, json};

const TEMPLATE: &str = "tokenizer.chat_template";

/// The tokens that end a text in llama.cpp, whatever fields say: `special_eog_ids` of its `llama-vocab.cpp`.
const ENDS: [&str; 22] = [
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "</s>",
    "<|eom_id|>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<|end_of_text|>",
    "<end_of_utterance>",
    "<eos>",
    "<turn|>",
    "<|tool_response>",
    "<｜end▁of▁sentence｜>",
    "[e~[",
];

/// The fields that name an end, and the tokens that are that end where the field is not there.
const NAMED_ENDS: [(&str, &[&str]); 6] = [
    ("eos_token_id", &[]),
    ("eot_token_id", &[]),
    ("eom_token_id", &[]),
    ("fim_pad_token_id", &["<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"]),
    ("fim_rep_token_id", &["<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"]),
    ("fim_sep_token_id", &["<|file_sep|>"]),
];

/// Tokens of [`ENDS`] that end nothing beside others: each of these others is there, by one of its names.
const NO_ENDS: [(&str, &[&[&str]]); 3] = [
    ("<|end|>", &[&["<|return|>"], &["<|call|>", "<|calls|>"]]),
    ("<|end|>", &[&["<|flush|>"], &["<|call|>", "<|calls|>"]]),
    ("</s>", &[&["<|tool_response>"]]),
];

/// The tokens of `llama` that fields name, and their ids where no field does.
const DEFAULTS: [(&str, u32); 3] = [("bos_token_id", 1), ("eos_token_id", 2), ("unknown_token_id", 0)];

/// The token that a field names; where there is no such field, or no such token, the one that llama.cpp takes.
pub fn token(fields: &GgufFields, name: &str) -> Option<u32> {
    let get = |name: &str| fields.get(&format!("tokenizer.ggml.{name}"));
    let named = get(name).and_then(GgufField::as_usize).and_then(|id| u32::try_from(id).ok());
    let Some(tokens) = get("tokens").and_then(GgufField::as_array) else { return named };
    let is_there = |id: &u32| (*id as usize) < tokens.len();
    let pieces = get("model").and_then(GgufField::as_str) == Some("llama");
    let default = || DEFAULTS.iter().find(|(known, _)| pieces && *known == name).map(|(_, id)| *id);
    named.filter(is_there).or_else(|| default().filter(is_there))
}

/// The tokens at which llama.cpp ends a text that a model of these fields writes.
fn ends(fields: &GgufFields) -> Vec<u32> {
    let get = |name: &str| fields.get(&format!("tokenizer.ggml.{name}"));
    let tokens = get("tokens").and_then(GgufField::as_array).unwrap_or_default();
    let texts: BTreeMap<&str, u32> =
        (0..).zip(tokens).filter_map(|(id, token)| Some((token.as_str()?, id))).collect();
    let mut ends: Vec<u32> = Vec::new();
    for (name, otherwise) in NAMED_ENDS {
        ends.extend(
            token(fields, name).or_else(|| otherwise.iter().find_map(|text| texts.get(text).copied())),
        );
    }
    ends.extend(ENDS.iter().filter_map(|text| texts.get(text)));
    let is_there = |any: &&[&str]| any.iter().any(|text| texts.contains_key(text));
    let no_ends = NO_ENDS.iter().filter(|(_, beside)| beside.iter().all(is_there));
    let no_ends: Vec<u32> = no_ends.filter_map(|(text, _)| texts.get(text).copied()).collect();
    let mut seen = BTreeSet::new();
    ends.retain(|end| !no_ends.contains(end) && seen.insert(*end));
    ends
}

/// The vocabulary of the fields without its tokens; none where they have no tokens.
fn outline(fields: &GgufFields) -> Option<Vocabulary> {
    let get = |name: &str| fields.get(&format!("tokenizer.ggml.{name}"));
    let text = |name: &str| get(name).and_then(GgufField::as_str).filter(|text| !text.is_empty());
    get("tokens")?;
    Some(Vocabulary {
        model: text("model").unwrap_or_default().to_owned(),
        pre: text("pre").unwrap_or("default").to_owned(),
        ..Vocabulary::default()
    })
}

/// A sentence on why nothing here reads the tokenizer of the fields, if there is one.
pub fn unread(fields: &GgufFields) -> Option<String> {
    let error = outline(fields)?.begins().err()?;
    let help = error.advice().map_or(String::new(), |help| format!("; {help}"));
    Some(format!("the file's tokenizer is not read: {}{help}", error.message()))
}

/// Sets the kinds of pieces that the fields do not say: by the ids of special tokens, and by the names of bytes.
fn set_kinds(vocabulary: &mut Vocabulary) {
    const UNKNOWN: u8 = 2;
    if vocabulary.kinds.is_empty() {
        let is_byte = |token: &str| token.len() == 6 && token.starts_with("<0x") && token.ends_with('>');
        vocabulary.kinds = vocabulary.tokens.iter().map(|token| if is_byte(token) { 6 } else { 1 }).collect();
        for id in [vocabulary.begin, vocabulary.end].into_iter().flatten() {
            vocabulary.kinds[id as usize] = 3;
        }
    }
    if !vocabulary.kinds.contains(&UNKNOWN)
        && let Some(kind) = vocabulary.unknown.and_then(|id| vocabulary.kinds.get_mut(id as usize))
    {
        *kind = UNKNOWN;
    }
}

/// The files of a folder that describe the tokenizer of the fields; none if its kind is not known here.
pub fn files(fields: &GgufFields) -> Result<BTreeMap<String, Vec<u8>>> {
    let get = |name: &str| fields.get(&format!("tokenizer.ggml.{name}"));
    let list = |name: &str| get(name).and_then(GgufField::as_array).unwrap_or_default();
    let texts = |name: &str| list(name).iter().filter_map(|x| x.as_str().map(str::to_owned)).collect();
    let flag = |name: &str, otherwise: bool| get(name).and_then(GgufField::as_bool).unwrap_or(otherwise);
    let mut files = BTreeMap::new();
    let known = outline(fields).and_then(|outline| Some((outline.begins().ok()?, outline)));
    if let Some((begins, outline)) = known {
        let pieces = outline.model == "llama";
        let mut vocabulary = Vocabulary {
            tokens: texts("tokens"),
            merges: texts("merges"),
            scores: list("scores").iter().map(|x| x.as_f64().unwrap_or(0.0) as f32).collect(),
            kinds: list("token_type").iter().map(|x| x.as_usize().unwrap_or(1) as u8).collect(),
            begin: token(fields, "bos_token_id"),
            end: token(fields, "eos_token_id"),
            unknown: token(fields, "unknown_token_id"),
            add_begin: flag("add_bos_token", begins),
            add_end: flag("add_eos_token", false),
            add_space: flag("add_space_prefix", pieces),
            ..outline
        };
        if pieces {
            set_kinds(&mut vocabulary);
        }
        files = vocabulary.files()?;
    }
    if let Some(template) = fields.get(TEMPLATE).and_then(GgufField::as_str) {
        files.insert(CHAT_TEMPLATE.to_owned(), template.as_bytes().to_vec());
    }
    let ends = ends(fields);
    if !ends.is_empty() {
        let generation = format!("{:#}\n", json!({"eos_token_id": ends}));
        files.insert("generation_config.json".to_owned(), generation.into_bytes());
    }
    Ok(files)
}

/// Adds the fields of the tokenizer of a folder, for a model of so many tokens. Returns the ends of texts that no field has room for.
pub fn add(fields: &mut GgufFields, folder: &Folder, tokens: usize) -> Result<Vec<u32>> {
    let mut lost = Vec::new();
    let mut push = |name: &str, field: GgufField| fields.push(format!("tokenizer.ggml.{name}"), field);
    if let Some(mut vocabulary) = Vocabulary::of_files(|name| folder.file(name))? {
        vocabulary.fill(tokens);
        push("model", vocabulary.model.into());
        push("pre", vocabulary.pre.into());
        push("tokens", GgufField::array(vocabulary.tokens));
        if !vocabulary.scores.is_empty() {
            push("scores", GgufField::array(vocabulary.scores));
            push("add_space_prefix", vocabulary.add_space.into());
        }
        push("token_type", GgufField::array(vocabulary.kinds.into_iter().map(i32::from)));
        if !vocabulary.merges.is_empty() {
            push("merges", GgufField::array(vocabulary.merges));
        }
        let said = folder.generation_config().unwrap_or(folder.config());
        let ends = match &said["eos_token_id"] {
            Value::Array(ids) => ids.iter().filter_map(Value::as_u64).map(|id| id as u32).collect(),
            id => id.as_u64().map(|id| id as u32).into_iter().collect::<Vec<u32>>(),
        };
        let end = vocabulary.end.or(ends.first().copied());
        let mut others = ends.iter().copied().filter(|id| Some(*id) != end);
        for (name, id) in [
            ("bos_token_id", vocabulary.begin),
            ("eos_token_id", end),
            ("unknown_token_id", vocabulary.unknown),
            ("eot_token_id", others.next()),
            ("eom_token_id", others.next()),
        ] {
            if let Some(id) = id {
                push(name, id.into());
            }
        }
        push("add_bos_token", vocabulary.add_begin.into());
        push("add_eos_token", vocabulary.add_end.into());
        let said = self::ends(fields);
        lost.extend(ends.into_iter().filter(|end| !said.contains(end)));
    }
    let config = folder
        .file("tokenizer_config.json")
        .and_then(|text| serde_json::from_slice::<Value>(&jarrah_formats::json::python(text)).ok());
    let template = match folder.file(CHAT_TEMPLATE) {
        Some(text) => Some(String::from_utf8_lossy(text).into_owned()),
        None => config.and_then(|config| Some(config["chat_template"].as_str()?.to_owned())),
    };
    if let Some(template) = template {
        fields.push(TEMPLATE, template);
    }
    Ok(lost)
}

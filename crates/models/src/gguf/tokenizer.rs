//! The tokenizer of a GGUF file and the files of a folder that say the same.

use std::collections::{BTreeMap, BTreeSet};

use jarrah_array::Result;
use jarrah_formats::{Field, Fields, Folder};
use jarrah_tokenizer::Vocabulary;
use serde_json::{Value, json};

const TEMPLATE: &str = "tokenizer.chat_template";
const TEMPLATE_FILE: &str = "chat_template.jinja";

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

/// The tokens at which llama.cpp ends a text that a model of these fields writes.
fn ends(fields: &Fields) -> Vec<u32> {
    let get = |name: &str| fields.get(&format!("tokenizer.ggml.{name}"));
    let tokens = get("tokens").and_then(Field::as_array).unwrap_or_default();
    let texts: BTreeMap<&str, u32> =
        (0..).zip(tokens).filter_map(|(id, token)| Some((token.as_str()?, id))).collect();
    let mut ends: Vec<u32> = Vec::new();
    for (name, otherwise) in NAMED_ENDS {
        let named = get(name).and_then(Field::as_usize).and_then(|id| u32::try_from(id).ok());
        ends.extend(named.or_else(|| otherwise.iter().find_map(|text| texts.get(text).copied())));
    }
    ends.extend(ENDS.iter().filter_map(|text| texts.get(text)));
    let is_there = |any: &&[&str]| any.iter().any(|text| texts.contains_key(text));
    let no_ends = NO_ENDS.iter().filter(|(_, beside)| beside.iter().all(is_there));
    let no_ends: Vec<u32> = no_ends.filter_map(|(text, _)| texts.get(text).copied()).collect();
    let mut seen = BTreeSet::new();
    ends.retain(|end| !no_ends.contains(end) && seen.insert(*end));
    ends
}

/// The files of a folder that describe the tokenizer of the fields; none if its kind is not known here.
pub fn files(fields: &Fields) -> Result<BTreeMap<String, Vec<u8>>> {
    let get = |name: &str| fields.get(&format!("tokenizer.ggml.{name}"));
    let text = |name: &str| get(name).and_then(Field::as_str).unwrap_or_default().to_owned();
    let list = |name: &str| get(name).and_then(Field::as_array).unwrap_or_default();
    let texts = |name: &str| list(name).iter().filter_map(|x| x.as_str().map(str::to_owned)).collect();
    let id = |name: &str| get(name).and_then(Field::as_usize).and_then(|id| u32::try_from(id).ok());
    let flag = |name: &str, otherwise: bool| get(name).and_then(Field::as_bool).unwrap_or(otherwise);
    let model = text("model");
    let pieces = model == "llama";
    let vocabulary = Vocabulary {
        pre: text("pre"),
        tokens: texts("tokens"),
        merges: texts("merges"),
        scores: list("scores").iter().map(|x| x.as_f64().unwrap_or(0.0) as f32).collect(),
        kinds: list("token_type").iter().map(|x| x.as_usize().unwrap_or(1) as u8).collect(),
        begin: id("bos_token_id"),
        end: id("eos_token_id"),
        unknown: id("unknown_token_id"),
        add_begin: flag("add_bos_token", pieces),
        add_end: flag("add_eos_token", false),
        add_space: flag("add_space_prefix", pieces),
        model,
    };
    let mut files = vocabulary.files().unwrap_or_default();
    if let Some(template) = fields.get(TEMPLATE).and_then(Field::as_str) {
        files.insert(TEMPLATE_FILE.to_owned(), template.as_bytes().to_vec());
    }
    let ends = ends(fields);
    if !ends.is_empty() {
        let generation = format!("{:#}\n", json!({"eos_token_id": ends}));
        files.insert("generation_config.json".to_owned(), generation.into_bytes());
    }
    Ok(files)
}

/// Adds the fields of the tokenizer of a folder, for a model of so many tokens. Returns the ends of texts that no field has room for.
pub fn add(fields: &mut Fields, folder: &Folder, tokens: usize) -> Result<Vec<u32>> {
    let mut lost = Vec::new();
    let mut push = |name: &str, field: Field| fields.push(format!("tokenizer.ggml.{name}"), field);
    if let Some(mut vocabulary) = Vocabulary::of_files(|name| folder.file(name))? {
        vocabulary.fill(tokens);
        push("model", vocabulary.model.into());
        push("pre", vocabulary.pre.into());
        push("tokens", Field::array(vocabulary.tokens));
        if !vocabulary.scores.is_empty() {
            push("scores", Field::array(vocabulary.scores));
            push("add_space_prefix", vocabulary.add_space.into());
        }
        push("token_type", Field::array(vocabulary.kinds.into_iter().map(i32::from)));
        if !vocabulary.merges.is_empty() {
            push("merges", Field::array(vocabulary.merges));
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
    let template = match folder.file(TEMPLATE_FILE) {
        Some(text) => Some(String::from_utf8_lossy(text).into_owned()),
        None => config.and_then(|config| Some(config["chat_template"].as_str()?.to_owned())),
    };
    if let Some(template) = template {
        fields.push(TEMPLATE, template);
    }
    Ok(lost)
}

//! What of a folder is served, beside the weights.

use std::fs;
use std::path::Path;

use jarrah_array::random::Key;
use jarrah_models::Pretrained;
use jarrah_serve::{Engine, EngineOptions, LoadOptions, Served};
use jarrah_tokenizer::chat::{Template, Templates};
use jarrah_tokenizer::{TrainOptions, train};

fn save(folder: &Path) {
    let mut json = Pretrained::preset("test-llama").unwrap();
    json["vocab_size"] = 300.into();
    Pretrained::random(json, &Key::new(1)).unwrap().save(folder).unwrap();
}

fn text() -> String {
    train(&["fn main() {}"], &TrainOptions::new(257)).unwrap().to_json().unwrap()
}

fn load(folder: &Path) -> Served {
    Served::open(folder, &LoadOptions::default()).unwrap()
}

fn start(served: Served) -> Result<Engine, String> {
    let options = EngineOptions { warm: false, ..EngineOptions::default() };
    Engine::start(served, options).map_err(|error| error.to_string())
}

/// A model would be served without chats, and nobody would know why.
#[test]
fn no_engine_starts_with_a_template_that_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    save(folder.path());
    write("tokenizer.json", &text());
    assert!(start(load(folder.path())).unwrap().templates().is_none());
    for (name, text) in [
        ("tokenizer_config.json", r#"{"chat_template": "{% for m in %}"}"#),
        ("chat_template.json", r#"{"chat_template": [{"name": "tool_use", "template": "{{ a"}]}"#),
        ("chat_template.jinja", "{% if %}"),
    ] {
        write(name, text);
        let error = start(load(folder.path())).err().unwrap();
        assert!(error.contains("the chat template is wrong"), "{name}: {error}");
    }
    // A run with another template, or without chats, goes on.
    let served = load(folder.path());
    let other = Templates::default().with("default", Template::new("{{ messages[0].content }}").unwrap());
    let served = Served { templates: Some(other), wrong_templates: None, ..served };
    assert!(start(served).unwrap().templates().is_some());
    write("chat_template.jinja", "{{ messages[0].content }}");
    assert!(start(load(folder.path())).unwrap().templates().is_some());
}

/// Each was left out by one of the lists of names that there were.
#[test]
fn a_tokenizer_is_found_by_every_name_that_it_may_have() {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let line = |b: usize| format!("{}{}== {b}\n", digits[b >> 2] as char, digits[(b & 3) << 4] as char);
    let ranks: String = (0..256).map(line).collect();
    for name in ["spiece.model", "tokenizer.model", "tiktoken.model", "qwen.tiktoken"] {
        let folder = tempfile::tempdir().unwrap();
        save(folder.path());
        fs::write(folder.path().join(name), &ranks).unwrap();
        let read = Served::open(folder.path(), &LoadOptions::default());
        // Ranks of no known encoding are told: the file is not passed over.
        match read {
            Ok(served) => assert!(served.tokenizer.is_some(), "{name}"),
            Err(error) => assert!(error.to_string().contains(name), "{name}: {error}"),
        }
    }
    for part in ["vocab.json", "vocab.txt"] {
        let folder = tempfile::tempdir().unwrap();
        save(folder.path());
        fs::write(folder.path().join(part), "{}").unwrap();
        let error = Served::open(folder.path(), &LoadOptions::default()).err().unwrap().to_string();
        assert!(error.contains(&format!("there is {part} alone")), "{error}");
    }
}

#[test]
fn what_has_no_effect_is_told() {
    let folder = tempfile::tempdir().unwrap();
    save(folder.path());
    assert_eq!(load(folder.path()).notes, Vec::<String>::new());
    let file = folder.path().join("config.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen('{', "{\"partial_rotary_factor\": 0.5,", 1)).unwrap();
    let notes = load(folder.path()).notes;
    assert!(notes.len() == 1 && notes[0].contains("partial_rotary_factor"), "{notes:?}");
}

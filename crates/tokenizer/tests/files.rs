use std::fs;
use std::path::Path;

use jarrah_base::{Error, ErrorKind};
use jarrah_tokenizer::{Tokenizer, TrainOptions, train};

use super::text;

fn error(path: &Path) -> Error {
    let e = Tokenizer::load(path).err().unwrap();
    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
    e
}

#[test]
fn saving_and_loading_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokenizer.json");
    let tokenizer = train(&[text(200)], &TrainOptions::new(400)).unwrap();
    tokenizer.save(&path).unwrap();
    for from in [path.as_path(), folder.path()] {
        let loaded = Tokenizer::load(from).unwrap();
        assert_eq!(loaded.to_json().unwrap(), tokenizer.to_json().unwrap());
        assert_eq!(loaded.eos_id().unwrap(), tokenizer.eos_id().unwrap());
        assert_eq!(loaded.encode(&text(20)).unwrap(), tokenizer.encode(&text(20)).unwrap());
    }
}

#[test]
fn a_word_level_tokenizer_with_a_configured_end_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let json = r#"{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,
        "pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,
        "model":{"type":"WordLevel","vocab":{"[UNK]":0,"stop":1,"hello":2,"world":9},"unk_token":"[UNK]"}}"#;
    fs::write(folder.path().join("tokenizer.json"), json).unwrap();
    let tokenizer = Tokenizer::load(folder.path()).unwrap();
    assert_eq!(tokenizer.vocab_size(), 10);
    assert_eq!(tokenizer.encode("hello big world").unwrap(), [2, 0, 9]);
    assert_eq!(tokenizer.eos_id().unwrap_err().message(), "the tokenizer has no end-of-text token");
    fs::write(folder.path().join("tokenizer_config.json"), r#"{"eos_token":{"content":"stop"}}"#).unwrap();
    assert_eq!(Tokenizer::load(folder.path()).unwrap().eos_id().unwrap(), 1);
}

#[test]
fn wrong_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.json");
    let shown = path.display();
    assert!(error(&path).message().starts_with(&format!("cannot read tokenizer {shown}: ")));

    fs::write(&path, "not json").unwrap();
    assert!(error(&path).message().starts_with(&format!("{shown} is not JSON: expected")));

    fs::write(&path, "{}").unwrap();
    assert_eq!(error(&path).message(), format!("{shown} is not a tokenizer: it has no `model`"));

    fs::write(&path, r#"{"model":{"type":"Gru"}}"#).unwrap();
    let message = format!(
        "{shown} has a tokenizer model of type \"Gru\"; known are BPE, Unigram, WordLevel, WordPiece"
    );
    assert_eq!(error(&path).message(), message);

    fs::write(&path, r#"{"version":"1.0","added_tokens":[],"model":{"type":"BPE"}}"#).unwrap();
    assert!(error(&path).message().starts_with(&format!("{shown} is not a usable tokenizer: ")));

    let json =
        r#"{"version":"1.0","added_tokens":[],"model":{"type":"WordLevel","vocab":{},"unk_token":"u"}}"#;
    fs::write(&path, json).unwrap();
    let e = error(&path);
    assert_eq!(e.message(), "the vocabulary is empty");
    assert!(e.to_string().contains(&shown.to_string()));
}

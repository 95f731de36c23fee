use std::process::Command;

use jarrah_base::ErrorKind;
use jarrah_tokenizer::{END_OF_TEXT, TrainOptions, train};

use super::text;

#[test]
fn special_tokens_come_first_and_the_size_is_kept() {
    let mut options = TrainOptions::new(400);
    options.special_tokens.push("<|pad|>".into());
    let tokenizer = train(&[text(200)], &options).unwrap();
    assert_eq!(tokenizer.vocab_size(), 400);
    assert_eq!(tokenizer.token_id(END_OF_TEXT), Some(0));
    assert_eq!(tokenizer.token_id("<|pad|>"), Some(1));
    assert_eq!(tokenizer.eos_id().unwrap(), 0);
}

#[test]
fn frequent_words_become_tokens() {
    let tokenizer = train(&["return value; ".repeat(100)], &TrainOptions::new(300)).unwrap();
    let ids = tokenizer.encode(" return value;").unwrap();
    assert_eq!(ids.len(), 3);
    assert!(tokenizer.vocab_size() < 300, "pairs that occur once were merged");
}

#[test]
fn the_same_documents_give_the_same_bytes() {
    let documents: Vec<String> = (1..40).map(text).collect();
    let json = |_| train(&documents, &TrainOptions::new(600)).unwrap().to_json().unwrap();
    let first = json(0);
    assert!((1..4).map(json).all(|other| other == first));
}

/// Hash maps are seeded per process: another process, with one thread, must agree.
#[test]
fn another_process_gives_the_same_bytes() {
    const OUT: &str = "JARRAH_TOKENIZER_TEST_OUT";
    let json = train(&[text(300)], &TrainOptions::new(500)).unwrap().to_json().unwrap();
    if let Some(path) = std::env::var_os(OUT) {
        return std::fs::write(path, json).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.json");
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "training::another_process_gives_the_same_bytes"])
        .env(OUT, &path)
        .env("TOKENIZERS_PARALLELISM", "false")
        .output()
        .unwrap();
    assert!(status.status.success());
    assert_eq!(std::fs::read_to_string(path).unwrap(), json);
}

#[test]
fn a_long_line_does_not_stall() {
    let line = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo".repeat(30_000);
    let tokenizer = train(&[line.as_str()], &TrainOptions::new(400)).unwrap();
    assert_eq!(tokenizer.decode(&tokenizer.encode(&line).unwrap(), false).unwrap(), line);
}

#[test]
fn wrong_options_are_input_errors() {
    let e = train(&["text"], &TrainOptions::new(100)).err().unwrap();
    assert_eq!(e.kind(), ErrorKind::Input);
    assert_eq!(e.message(), "a vocabulary of 100 is too small: 256 bytes and 1 special tokens need 257");
    let e = train(&[""], &TrainOptions::new(300)).err().unwrap();
    assert_eq!(e.message(), "there is no text to learn a tokenizer from");
}

use jarrah_base::ErrorKind;
use jarrah_tokenizer::{END_OF_TEXT, Tokenizer, TrainOptions, train};

use super::text;

fn tokenizer() -> Tokenizer {
    train(&[text(200)], &TrainOptions::new(400)).unwrap()
}

#[test]
fn any_text_survives() {
    let tokenizer = tokenizer();
    for text in ["", " ", "\n\n  a\t\r\n", "unseen Ωμέγα \u{0} \u{10ffff}", &text(50)] {
        let ids = tokenizer.encode(text).unwrap();
        assert_eq!(tokenizer.decode(&ids, false).unwrap(), text);
    }
}

/// A prompt without special names takes the library's own path: both ways must give the same ids.
#[test]
fn the_fast_way_is_the_library_s() {
    let tokenizer = tokenizer();
    let every_byte: String = (0..0x800).map(|c| char::from_u32(c).unwrap()).collect();
    let mut texts: Vec<String> =
        ["", " ", "  a", "a \n\n b\t", "it's 'll x'd'", "\u{2028}\u{85}\u{a0}x"].map(Into::into).into();
    texts.extend([every_byte, "x".repeat(5000), " ".repeat(5000), text(100)]);
    for text in &texts {
        for _ in 0..2 {
            assert_eq!(tokenizer.encode(text).unwrap(), tokenizer.encode_prompt(text).unwrap(), "{text:?}");
        }
    }
}

/// Large texts are cut and encoded in parallel; the ids must be those of the whole.
#[test]
fn cutting_a_large_text_changes_no_id() {
    let tokenizer = tokenizer();
    let large = text(20_000);
    assert!(large.len() > 1 << 20);
    assert_eq!(tokenizer.encode(&large).unwrap(), tokenizer.encode_prompt(&large).unwrap());
}

#[test]
fn the_name_of_a_special_token_is_text_except_in_a_prompt() {
    let tokenizer = tokenizer();
    let eos = tokenizer.eos_id().unwrap();
    let text = format!("a{END_OF_TEXT}b");
    let ids = tokenizer.encode(&text).unwrap();
    assert!(!ids.contains(&eos));
    assert_eq!(tokenizer.decode(&ids, true).unwrap(), text);
    let ids = tokenizer.encode_prompt(&text).unwrap();
    assert_eq!(ids.iter().filter(|&&id| id == eos).count(), 1);
    assert_eq!(tokenizer.decode(&ids, true).unwrap(), "ab");
    assert_eq!(tokenizer.decode(&ids, false).unwrap(), text);
}

#[test]
fn an_unknown_id_is_an_error() {
    let e = tokenizer().decode(&[1, 4000], false).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Input);
    assert_eq!(e.message(), "token id 4000 is not in the vocabulary of 400 tokens");
}

use jarrah_tokenizer::{Tokenizer, TrainOptions, train};

use super::text;

fn bytes_only() -> Tokenizer {
    train(&["a"], &TrainOptions::new(257)).unwrap()
}

fn pieces(tokenizer: &Tokenizer, ids: &[u32]) -> Vec<String> {
    let mut stream = tokenizer.decode_stream(false);
    let mut pieces: Vec<String> = ids.iter().map(|&id| stream.push(id).unwrap()).collect();
    pieces.push(stream.finish().unwrap());
    pieces
}

#[test]
fn a_character_comes_with_its_last_byte() {
    let tokenizer = bytes_only();
    let ids = tokenizer.encode("é🦀!").unwrap();
    assert_eq!(pieces(&tokenizer, &ids), ["", "é", "", "", "", "🦀", "!", ""]);
}

#[test]
fn pieces_join_to_the_text() {
    let tokenizer = train(&[text(100)], &TrainOptions::new(320)).unwrap();
    let text = text(30);
    assert_eq!(pieces(&tokenizer, &tokenizer.encode(&text).unwrap()).concat(), text);
}

/// What an untrained model emits: bytes in any order.
#[test]
fn broken_bytes_join_to_what_decode_gives() {
    let tokenizer = bytes_only();
    let mut state = 3u64;
    for length in 0..200 {
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as u32 % 257
        };
        let ids: Vec<u32> = (0..length).map(|_| next()).collect();
        assert_eq!(pieces(&tokenizer, &ids).concat(), tokenizer.decode(&ids, false).unwrap());
    }
}

#[test]
fn a_replacement_character_in_the_text_is_kept() {
    let tokenizer = bytes_only();
    let text = "a\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}b\u{fffd}";
    assert_eq!(pieces(&tokenizer, &tokenizer.encode(text).unwrap()).concat(), text);
}

#[test]
fn an_unknown_id_leaves_the_stream_as_it_was() {
    let tokenizer = bytes_only();
    let ids = tokenizer.encode("é").unwrap();
    let mut stream = tokenizer.decode_stream(false);
    assert_eq!(stream.push(ids[0]).unwrap(), "");
    assert!(stream.push(9999).is_err());
    assert_eq!(stream.push(ids[1]).unwrap(), "é");
}

/// The bytes of tokens, behind others, are what the text of all of them has there.
#[test]
fn the_bytes_of_tokens_join_to_the_text() {
    let (_, json) = super::reference::all();
    let texts = super::reference::texts(60);
    let mut seen = 0;
    for name in json["tokenizers"].as_object().unwrap().keys() {
        let tokenizer = super::reference::open(name);
        for text in texts.iter().filter(|text| !text.is_empty()) {
            let ids = tokenizer.encode(text).unwrap();
            // What is unknown is written otherwise than it is called.
            if ids.iter().any(|&id| tokenizer.is_special(id)) {
                continue;
            }
            let whole = tokenizer.decode(&ids, false).unwrap();
            let bytes: Vec<u8> = ids.iter().flat_map(|&id| tokenizer.token_bytes(id).unwrap()).collect();
            // What is no text at the beginning of one: a space that was put before it. Decoders that tidy words up are others' business.
            let joined = String::from_utf8_lossy(&bytes).into_owned();
            let same = joined == whole || joined.strip_prefix(' ') == Some(&whole);
            let tidies = ["bert", "t5", "unigram"].iter().any(|own| name.starts_with(own));
            assert!(same || tidies, "{name}: {joined:?} is not {whole:?}");
            seen += usize::from(same);
        }
        assert_eq!(tokenizer.token_bytes(u32::MAX), None);
    }
    assert!(seen > 500, "{seen}");
    let tokenizer = super::reference::open("bpe.model");
    let special = |name: &str| tokenizer.is_special(tokenizer.token_id(name).unwrap());
    assert!(special("<s>") && special("</s>") && !tokenizer.is_special(300));
    let trained = bytes_only();
    assert!(
        trained.is_special(trained.eos_id().unwrap()) && !trained.is_special(trained.encode("a").unwrap()[0])
    );
}

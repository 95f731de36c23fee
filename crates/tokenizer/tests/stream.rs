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

use std::fs;
use std::path::Path;

use jarrah_base::{Error, ErrorKind};
use jarrah_tokenizer::{Encoding, Tokenizer};

/// Files of each kind, by the name that says what they are.
const FILES: [&str; 7] = [
    "bpe.model",
    "unigram_plain.model",
    "small.tiktoken",
    "llama.json",
    "bert.json",
    "t5.json",
    "mistral.json",
];

fn golden(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)).unwrap()
}

/// A folder for many small files: in memory, where there is such a place.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// Loads a tokenizer and uses all of it.
fn used(path: &Path) -> Result<(), Error> {
    let tokenizer = Tokenizer::load(path)?;
    let text = "<s> Hello, the dog's 日本 ﬁ  12345\n\n\u{0}</s><user>";
    for ids in [tokenizer.encode(text)?, tokenizer.encode_prompt(text)?] {
        for skip in [true, false] {
            tokenizer.decode(&ids, skip)?;
        }
        let mut stream = tokenizer.decode_stream(true);
        for id in ids {
            stream.push(id)?;
        }
        stream.finish()?;
    }
    Ok(())
}

fn refused(name: &str, bytes: &[u8]) -> String {
    let folder = scratch();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let e = used(&path).err().unwrap_or_else(|| panic!("{name} was read"));
    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
    e.to_string()
}

#[test]
fn a_tokenizer_cut_short_is_no_panic() {
    let folder = scratch();
    for name in FILES {
        let bytes = golden(name);
        let path = folder.path().join(name);
        // Every length near both ends, and a hundred between.
        let step = (bytes.len() / 100).max(1);
        let lengths = (0..bytes.len()).filter(|&at| at < 200 || at + 200 > bytes.len() || at % step == 0);
        let mut errors = 0;
        for length in lengths {
            fs::write(&path, &bytes[..length]).unwrap();
            if let Err(e) = used(&path) {
                assert_eq!(e.kind(), ErrorKind::Input, "{name} at {length}: {e}");
                errors += 1;
            }
        }
        assert!(errors > 200, "{name}: {errors} errors");
    }
}

/// Each rule doubles a text: sixty of them would fill any memory.
#[test]
fn rules_that_make_texts_explode_are_refused() {
    let rule = r#"{"type":"Replace","pattern":{"String":"a"},"content":"aa"}"#;
    let rules = vec![rule; 60].join(",");
    let json = format!(
        r#"{{"version":"1.0","added_tokens":[],"normalizer":{{"type":"Sequence","normalizers":[{rules}]}},
        "model":{{"type":"WordLevel","vocab":{{"a":0}},"unk_token":"a"}}}}"#
    );
    let e = refused("tokenizer.json", json.as_bytes());
    assert!(e.contains("may make a text 1152921504606846976 times longer; 256 are allowed"), "{e}");
    // Of bytes beyond ASCII each step makes two characters of two bytes.
    let bytes = r#"{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":false,"use_regex":false}"#;
    let json = format!(
        r#"{{"version":"1.0","added_tokens":[],"pre_tokenizer":{{"type":"Sequence","pretokenizers":[{}]}},
        "model":{{"type":"WordLevel","vocab":{{"a":0}},"unk_token":"a"}}}}"#,
        vec![bytes; 66].join(",")
    );
    let e = refused("tokenizer.json", json.as_bytes());
    assert!(e.contains("may make a text 73786976294838206464 times longer"), "{e}");
    // A rule in base 64: no units, and a text of 300 bytes.
    let text = "YWFh".repeat(100);
    let json = format!(
        r#"{{"version":"1.0","added_tokens":[],"normalizer":{{"type":"Precompiled","precompiled_charsmap":"AAAAAAAA{text}"}},
        "model":{{"type":"WordLevel","vocab":{{"a":0}},"unk_token":"a"}}}}"#
    );
    let e = refused("tokenizer.json", json.as_bytes());
    assert!(e.contains("may make a text 300 times longer"), "{e}");
}

#[test]
fn a_json_that_contradicts_itself_is_refused() {
    let json = |model: &str| format!(r#"{{"version":"1.0","added_tokens":[],"model":{model}}}"#);
    for model in [
        // A merge into what is no token; a prefix longer than the token that it is cut from.
        r#"{"type":"BPE","vocab":{"a":0,"b":1},"merges":["a b"]}"#,
        r#"{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"],"continuing_subword_prefix":"é#####"}"#,
        r#"{"type":"Unigram","vocab":[["a",0.0]],"unk_id":7}"#,
        r#"{"type":"Unigram","vocab":[]}"#,
    ] {
        let e = refused("tokenizer.json", json(model).as_bytes());
        assert!(e.contains("tokenizer"), "{e}");
    }
    // What is said of padding is for those who pad.
    let folder = scratch();
    let path = folder.path().join("tokenizer.json");
    let padded = r#"{"version":"1.0","added_tokens":[],"padding":{"strategy":{"Fixed":1000000000000},"direction":"Right",
        "pad_to_multiple_of":null,"pad_id":0,"pad_type_id":0,"pad_token":"a"},"model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"a"}}"#;
    fs::write(&path, padded).unwrap();
    assert_eq!(Tokenizer::load(&path).unwrap().encode_prompt("a").unwrap(), [0]);
    // A list in a list in a list.
    let deep = format!(r#"{{"model":{}"#, "[".repeat(100_000));
    assert!(refused("tokenizer.json", deep.as_bytes()).contains("is not JSON"));
}

#[test]
fn ranks_that_lie_are_refused_in_words() {
    let text = String::from_utf8(golden("small.tiktoken")).unwrap();
    let first = text.lines().next().unwrap();
    assert!(
        refused("x.tiktoken", text.replacen(first, "", 1).as_bytes()).contains("no token for the byte 0x00")
    );
    assert!(refused("x.tiktoken", format!("{text}{first}\n").as_bytes()).contains("line 601 of the ranks"));
    assert!(refused("x.tiktoken", format!("{text}**** 700\n").as_bytes()).contains("not base 64"));
    assert!(refused("x.tiktoken", format!("{text}YWJj 4294967295\n").as_bytes()).contains("beyond 2^31"));
    let e = refused("x.tiktoken", text.as_bytes());
    assert!(e.contains("600 ranks are those of no known encoding"), "{e}");
}

/// A model of SentencePiece with these fields, each its number and its bytes.
fn message(fields: &[(u8, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, bytes) in fields {
        out.push(number << 3 | 2);
        let mut length = bytes.len();
        while length >= 128 {
            out.push(length as u8 | 128);
            length >>= 7;
        }
        out.push(length as u8);
        out.extend_from_slice(bytes);
    }
    out
}

#[test]
fn models_of_pieces_that_lie_are_refused_in_words() {
    let unknown = [&message(&[(1, b"<unk>")])[..], &[3 << 3, 2]].concat();
    let a = message(&[(1, b"a")]);
    let model = |more: &[(u8, &[u8])]| message(&[&[(1, &unknown[..]), (1, &a[..])][..], more].concat());
    let said = |more: &[(u8, &[u8])]| refused("tokenizer.model", &model(more));
    assert!(said(&[(1, &a)]).contains("\"a\" is in the vocabulary twice"));
    assert!(said(&[(1, &unknown)]).contains("two pieces for the unknown"));
    assert!(said(&[(1, &message(&[(1, b"")]))]).contains("a piece is empty"));
    assert!(said(&[(1, &message(&[(1, b"\xff")]))]).contains("a piece is no text"));
    assert!(said(&[(2, &[3 << 3, 3])]).contains("divides texts into words"));
    assert!(said(&[(2, &[35u8 << 3 & 0x7f | 0x80, 2, 1])]).contains("lacks pieces for some"));
    assert!(refused("tokenizer.model", &message(&[(1, &a)])).contains("no piece for the unknown"));
    assert!(refused("tokenizer.model", b"").contains("it has no pieces"));
    assert!(
        refused("tokenizer.model", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01").contains("too long")
    );
    // Rules of normalization whose every unit leads to itself: a walk through them has to end.
    let units = [0u32; 3];
    let mut map = (units.len() as u32 * 4).to_le_bytes().to_vec();
    map.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    map.extend(b"x");
    let folder = scratch();
    let path = folder.path().join("tokenizer.model");
    fs::write(&path, model(&[(3, &message(&[(2, &map)]))])).unwrap();
    used(&path).unwrap();
}

/// Patterns that go back again and again end, and patterns too large to build are refused.
#[test]
fn patterns_that_run_away_are_stopped() {
    let json = |pattern: &str| {
        let pattern = serde_json::Value::from(pattern);
        format!(
            r#"{{"version":"1.0","added_tokens":[{{"id":4000000000,"content":"","single_word":false,"lstrip":false,"rstrip":false,
            "normalized":false,"special":true}}],"pre_tokenizer":{{"type":"Split","pattern":{{"Regex":{pattern}}},
            "behavior":"Isolated","invert":false}},"model":{{"type":"WordLevel","vocab":{{"a":0}},"unk_token":"a"}}}}"#
        )
    };
    let tokenizer = Tokenizer::from_json(&json(r"(?:(a|ab|b)*)\1\1c(?=d)")).unwrap();
    let start = std::time::Instant::now();
    assert_eq!(tokenizer.encode(&"ab".repeat(5000)).unwrap(), [0]);
    assert!(start.elapsed().as_secs() < 20);
    let e = Tokenizer::from_json(&json(r"(?:\p{L}{1000}){1000}")).err().unwrap();
    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
    assert!(Tokenizer::from_json(&json(&"(".repeat(100_000))).is_err());
}

/// White space without end is more than patterns are matched against: the text is encoded whole or refused, never cut.
#[test]
fn texts_that_patterns_give_up_on_are_not_cut() {
    let ranks = String::from_utf8(golden("small.tiktoken")).unwrap();
    use Encoding::{Cl100k, Gpt2, Llama3, O200k, P50k, Qwen};
    let texts = [format!("{}x", " ".repeat(3_000_000)), "\n ".repeat(1_000_000), "a".repeat(3_000_000)];
    let mut refused = 0;
    for encoding in [Gpt2, P50k, Cl100k, O200k, Llama3, Qwen] {
        let tokenizer = Tokenizer::from_tiktoken(&ranks, Some(encoding)).unwrap();
        for text in &texts {
            match tokenizer.encode(text) {
                Ok(ids) => assert!(tokenizer.decode(&ids, true).unwrap() == *text),
                Err(e) => {
                    assert!(e.to_string().contains("the pattern that divides texts gave up"), "{e}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused < 12, "{refused}");
}

/// The table by which the library looks for added tokens would take minutes to make; the maps in maps that it has for those of a
/// unigram model would overflow the stack when they are dropped.
#[test]
fn tokens_without_end_are_refused() {
    let long = "a".repeat(1 << 16);
    let added = format!(
        r#"{{"version":"1.0","added_tokens":[{{"id":0,"content":"{long}","single_word":false,"lstrip":false,"rstrip":false,
        "normalized":false,"special":true}}],"model":{{"type":"WordLevel","vocab":{{"a":0}},"unk_token":"a"}}}}"#
    );
    let e = refused("tokenizer.json", added.as_bytes());
    assert!(e.contains("tokenizer.json has an added token of 65536 bytes; 512 are allowed"), "{e}");
    let unigram = format!(
        r#"{{"version":"1.0","added_tokens":[],"model":{{"type":"Unigram","unk_id":0,"vocab":[["a",0.0],["{long}",0.0]]}}}}"#
    );
    let e = refused("tokenizer.json", unigram.as_bytes());
    assert!(e.contains("tokenizer.json has a token of 65536 bytes; 1024 are allowed"), "{e}");
}

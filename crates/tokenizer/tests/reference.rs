use std::path::PathBuf;

use jarrah_tokenizer::{Encoding, Tokenizer, TrainOptions, train};
use serde_json::Value;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn bits(stream: u64, index: u64) -> u64 {
    let z = (stream << 32 | index).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The random texts of `oracle/tokenizers_ids.py`, which describes how they are drawn.
pub fn texts(count: u64) -> Vec<String> {
    let ranges = [
        (0x20, 0x7F),
        (0x20, 0x7F),
        (0x61, 0x7B),
        (0x61, 0x7B),
        (0x30, 0x3A),
        (0xA0, 0x250),
        (0x300, 0x370),
        (0x370, 0x530),
        (0x590, 0x700),
        (0x4E00, 0x9FA6),
        (0x3040, 0x3100),
        (0x1F300, 0x1F650),
        (0xFF00, 0xFFE0),
        (0x20, 0x3000),
    ];
    let spaces = [
        " ", "  ", "\n", "\r\n", "\t", "\u{3000}", "\u{a0}", "\u{2028}", "     ", "\n\n\n", " \n ",
        "\u{2581}", "\u{200b}", "\0",
    ];
    let words = [
        "the",
        " and",
        "The",
        "Hello",
        " world",
        "don't",
        "I'LL",
        "it's",
        "'S",
        "fi\u{fb01}",
        "caf\u{e9}",
        "cafe\u{301}",
        "\u{fdfa}",
        "\u{2460}",
        "\u{ff21}\u{ff22}",
        "<s>",
        "</s>",
        "<unk>",
        "<user>",
        "<|endoftext|>",
        "1234567",
        "3.14",
        "http://a.b/c?d=e",
        "\u{1F469}\u{200d}\u{1F469}\u{200d}\u{1F467}",
        "\u{1F1E9}\u{1F1EA}",
        "\u{e2a}\u{e27}\u{e31}\u{e2a}",
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
        "\u{d55c}\u{ad6d}\u{c5b4}",
        "\u{17f}",
        "\u{212a}",
    ];
    let text = |i: u64| {
        let parts = bits(3000 + i, 0) % 24;
        let part = |k: u64| {
            let choice = bits(3000 + i, 2 * k + 2);
            match (bits(3000 + i, 2 * k + 1) % 16) as usize {
                14 => spaces[(choice % spaces.len() as u64) as usize].to_owned(),
                15 => words[(choice % words.len() as u64) as usize].to_owned(),
                row => {
                    let (from, to) = ranges[row];
                    char::from_u32(from + (choice % u64::from(to - from)) as u32).unwrap().to_string()
                }
            }
        };
        (0..parts).map(part).collect()
    };
    (0..count).map(text).collect()
}

/// The FNV-1a hashes of 100 lists of numbers at a time.
fn hashes(lists: &[Vec<u32>]) -> Vec<String> {
    let hash = |lists: &[Vec<u32>]| {
        let numbers = lists.iter().flat_map(|list| list.iter().copied().chain([u32::MAX]));
        let hash = numbers.flat_map(u32::to_le_bytes).fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
        });
        format!("{hash:016x}")
    };
    lists.chunks(100).map(hash).collect()
}

fn same(name: &str, what: &str, lists: &[Vec<u32>], wanted: &Value) {
    for (i, (found, wanted)) in hashes(lists).iter().zip(wanted.as_array().unwrap()).enumerate() {
        assert_eq!(found, wanted, "{name}: {what} of texts {} to {}", 100 * i, 100 * i + 99);
    }
}

pub fn open(name: &str) -> Tokenizer {
    use Encoding::{Cl100k, Gpt2, Llama3, O200k, P50k, Qwen};
    match name.split_once(' ') {
        None => Tokenizer::load(&golden(name)).unwrap(),
        Some((file, encoding)) => {
            let all = [Gpt2, P50k, Cl100k, O200k, Llama3, Qwen];
            let encoding = all.into_iter().find(|e| format!("{e:?}").eq_ignore_ascii_case(encoding));
            Tokenizer::from_tiktoken(&std::fs::read_to_string(golden(file)).unwrap(), encoding).unwrap()
        }
    }
}

/// The names of the tokenizers that the script made, and what it says of them.
pub fn all() -> (u64, Value) {
    let json: Value = serde_json::from_str(&std::fs::read_to_string(golden("ids.json")).unwrap()).unwrap();
    (json["count"].as_u64().unwrap(), json)
}

/// Ids of random texts, and the texts of the ids, are those of `sentencepiece`, `tiktoken` and `tokenizers`.
#[test]
fn ids_and_texts_are_those_of_the_libraries() {
    let (count, json) = all();
    let texts = texts(count);
    let bytes = |text: &String| text.bytes().map(u32::from).collect::<Vec<u32>>();
    same("texts", "bytes", &texts.iter().map(bytes).collect::<Vec<_>>(), &json["texts"]);
    let tokenizers = json["tokenizers"].as_object().unwrap();
    assert_eq!(tokenizers.len(), 15);
    for (name, wanted) in tokenizers {
        let tokenizer = open(name);
        let ids: Vec<Vec<u32>> = texts.iter().map(|text| tokenizer.encode(text).unwrap()).collect();
        same(name, "ids", &ids, &wanted["ids"]);
        same(name, "ids of all", &[tokenizer.encode(&texts.concat()).unwrap()], &wanted["long"]);
        let back: Vec<Vec<u32>> =
            ids.iter().map(|ids| bytes(&tokenizer.decode(ids, true).unwrap())).collect();
        same(name, "texts", &back, &wanted["texts"]);
        if let Some(prompts) = wanted.get("prompts") {
            let ids: Vec<Vec<u32>> =
                texts.iter().map(|text| tokenizer.encode_prompt(text).unwrap()).collect();
            same(name, "prompts", &ids, prompts);
        }
    }
}

/// What a stream gives out, joined, is the text of all ids; no piece of it ends within a character, whatever ids come.
#[test]
fn streams_of_every_tokenizer_join_to_the_text() {
    let (_, json) = all();
    let texts = texts(300);
    for name in json["tokenizers"].as_object().unwrap().keys() {
        let tokenizer = open(name);
        let size = tokenizer.vocab_size() as u64;
        let random = (0..100).map(|i| (0..30).map(|k| (bits(9000 + i, k) % size) as u32).collect());
        let encoded = texts.iter().map(|text| tokenizer.encode_prompt(text).unwrap());
        for ids in encoded.chain(random) {
            for skip in [true, false] {
                let whole = tokenizer.decode(&ids, skip).unwrap();
                let mut stream = tokenizer.decode_stream(skip);
                let mut joined: String = ids.iter().map(|&id| stream.push(id).unwrap()).collect();
                joined += &stream.finish().unwrap();
                assert_eq!(joined, whole, "{name} {skip} {ids:?}");
            }
        }
    }
}

#[test]
fn prompts_know_special_tokens_by_name() {
    let tokenizer = open("bpe.model");
    let (begin, end) = (tokenizer.token_id("<s>").unwrap(), tokenizer.token_id("</s>").unwrap());
    let word = tokenizer.encode("dog").unwrap();
    let wanted = [&[begin][..], &word, &[end], &word].concat();
    assert_eq!(tokenizer.encode_prompt("dog</s>dog").unwrap(), wanted);
    assert_eq!(tokenizer.encode_chat("dog</s>dog").unwrap(), wanted[1..]);
    assert_eq!(tokenizer.decode(&wanted, false).unwrap(), "<s> dog</s> dog");
    assert!(!tokenizer.encode("dog</s>dog").unwrap().contains(&end));
    assert_eq!(tokenizer.eos_id().unwrap(), end);
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(golden("bpe.model"), folder.path().join("tokenizer.model")).unwrap();
    let config =
        r#"{"add_bos_token":false,"add_eos_token":true,"added_tokens_decoder":{"700":{"content":"<tool>"}}}"#;
    std::fs::write(folder.path().join("tokenizer_config.json"), config).unwrap();
    let tokenizer = Tokenizer::load(folder.path()).unwrap();
    assert_eq!(tokenizer.encode_prompt("<tool>dog").unwrap(), [&[700][..], &word, &[end]].concat());
    assert_eq!((tokenizer.vocab_size(), tokenizer.token(700).as_deref()), (701, Some("<tool>")));
    assert_eq!(tokenizer.decode(&[700], false).unwrap(), "<tool>");

    let llama = Tokenizer::from_tiktoken(
        &std::fs::read_to_string(golden("small.tiktoken")).unwrap(),
        Some(Encoding::Llama3),
    );
    let llama = llama.unwrap();
    assert_eq!(llama.vocab_size(), 600 + 256);
    assert_eq!(llama.token_id("<|eot_id|>"), Some(609));
    assert_eq!(llama.encode_prompt("<|eot_id|>").unwrap(), [600, 609]);
    assert_eq!(llama.encode_chat("<|eot_id|>").unwrap(), [609]);
    assert_eq!(llama.eos_id().unwrap(), 601);
    let json = open("llama.json");
    let begin = json.token_id("<s>").unwrap();
    assert_eq!(json.encode_prompt("<s>").unwrap(), [begin, begin]);
    assert_eq!(json.encode_chat("<s>").unwrap(), [begin]);
}

/// White space at the end of a text: cl100k takes it as one part, those after it divide behind the last line break.
#[test]
fn encodings_differ_at_the_end_of_a_text() {
    // Tokens of U+00A0, and of a line break before it.
    let ranks = std::fs::read_to_string(golden("small.tiktoken")).unwrap() + "wqA= 600\nCsKg 601\n";
    let ids =
        |encoding| Tokenizer::from_tiktoken(&ranks, Some(encoding)).unwrap().encode("\n\u{a0}").unwrap();
    for encoding in [Encoding::Gpt2, Encoding::P50k, Encoding::Cl100k] {
        assert_eq!(ids(encoding), [601], "{encoding:?}");
    }
    for encoding in [Encoding::O200k, Encoding::Llama3, Encoding::Qwen] {
        assert_eq!(ids(encoding), [10, 600], "{encoding:?}");
    }
}

/// What is certain by the length of a text is never more than there is, and is known where a token has a longest text.
#[test]
fn no_text_has_fewer_ids_than_its_length_makes_certain() {
    let (count, json) = all();
    let mut texts = texts(count.min(300));
    texts.push(texts.concat());
    // Letters in parts, which a rule puts together.
    texts.push("\u{1112}\u{1161}\u{11ab}".repeat(500));
    texts.extend(["</s>", "a", " ", "\u{e9}"].map(|text| text.repeat(500)));
    let mut tokenizers: Vec<(String, Tokenizer)> =
        json["tokenizers"].as_object().unwrap().keys().map(|name| (name.clone(), open(name))).collect();
    let folder = tempfile::tempdir().unwrap();
    let trained =
        train(&["the \u{d55c}\u{d55c}\u{d55c} \u{e9}\u{e9}\u{e9}"], &TrainOptions::new(280)).unwrap();
    let mut composed: Value = serde_json::from_str(&trained.to_json().unwrap()).unwrap();
    composed["normalizer"] = serde_json::json!({"type": "NFC"});
    std::fs::write(folder.path().join("tokenizer.json"), composed.to_string()).unwrap();
    tokenizers.push(("composed".to_owned(), Tokenizer::load(folder.path()).unwrap()));
    for (name, tokenizer) in &tokenizers {
        let mut known = false;
        for text in &texts {
            let least = tokenizer.fewest_ids(text);
            let found =
                tokenizer.encode(text).unwrap().len().min(tokenizer.encode_prompt(text).unwrap().len());
            assert!(
                least <= found,
                "{name}: {least} of {found}: {:?}",
                &text[..text.floor_char_boundary(50)]
            );
            known |= least > 0;
        }
        let has_longest = name == "mistral.json" || name.contains("tiktoken") || name == "composed";
        assert_eq!(known, has_longest, "{name}");
    }
}

/// `vocab.json` with `merges.txt`: ids are those of the classes of transformers that read the two.
#[test]
fn a_vocabulary_with_its_merges_is_a_tokenizer() {
    let read =
        |name: &str| serde_json::from_str::<Value>(&std::fs::read_to_string(golden(name)).unwrap()).unwrap();
    let (model, pairs) = (&read("llama.json")["model"], read("pairs.json"));
    let texts = texts(3000);
    let folder = |case: &Value| {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("vocab.json", &model["vocab"].to_string());
        write("merges.txt", pairs["merges"].as_str().unwrap());
        write("tokenizer_config.json", &case["config"].to_string());
        if case["added_tokens"].is_object() {
            write("added_tokens.json", &case["added_tokens"].to_string());
        }
        folder
    };
    for case in pairs["cases"].as_array().unwrap() {
        let folder = folder(case);
        let tokenizer = Tokenizer::load(folder.path()).unwrap();
        let name = case["config"].to_string();
        assert_eq!(tokenizer.vocab_size() as u64, case["size"].as_u64().unwrap(), "{name}");
        assert_eq!(Some(u64::from(tokenizer.eos_id().unwrap())), case["eos"].as_u64(), "{name}");
        let ids =
            |encode: &dyn Fn(&str) -> Vec<u32>| texts.iter().map(|text| encode(text)).collect::<Vec<_>>();
        same(&name, "chats", &ids(&|text| tokenizer.encode_chat(text).unwrap()), &case["chats"]);
        same(&name, "prompts", &ids(&|text| tokenizer.encode_prompt(text).unwrap()), &case["prompts"]);
        // Among the files of a model, and by the file itself.
        let file = |name: &str| std::fs::read(folder.path().join(name)).ok();
        let files = ["vocab.json", "merges.txt", "tokenizer_config.json", "added_tokens.json"];
        let files: Vec<(&str, Vec<u8>)> =
            files.into_iter().filter_map(|name| Some((name, file(name)?))).collect();
        let among = |name: &str| files.iter().find(|(known, _)| *known == name).map(|(_, bytes)| &bytes[..]);
        let text = "The dog's </s>1234";
        let wanted = tokenizer.encode_prompt(text).unwrap();
        assert_eq!(Tokenizer::from_files(among).unwrap().encode_prompt(text).unwrap(), wanted);
        let alone = Tokenizer::load(folder.path().join("vocab.json")).unwrap();
        assert_eq!(alone.encode_prompt(text).unwrap(), wanted);
        // A run keeps the tokenizer as a `tokenizer.json`.
        let kept = Tokenizer::from_json(&tokenizer.to_json().unwrap()).unwrap();
        assert_eq!(kept.encode_prompt(text).unwrap(), wanted);
    }
    let case = &pairs["cases"][0];
    for (name, text, what) in [
        ("merges.txt", "#version: 0.2\na b\nab\n", "line 3 of merges.txt is no pair of tokens"),
        ("vocab.json", "[]", "is no object from tokens to ids"),
        (
            "tokenizer_config.json",
            r#"{"tokenizer_class": "CLIPTokenizer"}"#,
            "the tokenizer is a CLIPTokenizer",
        ),
        (
            "added_tokens.json",
            r#"{"<a>": 502}"#,
            "the added token \"<a>\" has the id 502, but the first free one is 500",
        ),
    ] {
        let folder = folder(case);
        std::fs::write(folder.path().join(name), text).unwrap();
        let error = Tokenizer::load(folder.path()).err().unwrap().to_string();
        assert!(error.contains(what), "{name}: {error}");
    }
}

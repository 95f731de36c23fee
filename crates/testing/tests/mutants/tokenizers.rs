use std::path::Path;

use jarrah_base::Result;
use jarrah_tokenizer::Tokenizer;
use serde_json::json;

use super::*;

const GOLDEN: &str = "tokenizer/tests/golden";
const JSON: [&str; 4] = ["llama.json", "bert.json", "t5.json", "mistral.json"];
/// Models of pieces and ranks, the large one left out.
const BYTES: [&str; 5] =
    ["bpe.model", "bpe_suffix.model", "bpe_unused.model", "unigram_plain.model", "small.tiktoken"];

/// Loads a tokenizer and uses all of it.
fn used(path: &Path) -> Result<()> {
    let tokenizer = Tokenizer::load(path)?;
    let text = "<s> Hello, the dog's 日本 ﬁ  12345\n\n\u{0}</s><user>";
    let within = |e: Error| e.context(format!("with the tokenizer of {}", path.display()));
    for ids in [tokenizer.encode(text).map_err(within)?, tokenizer.encode_prompt(text).map_err(within)?] {
        for skip in [true, false] {
            tokenizer.decode(&ids, skip).map_err(within)?;
        }
        let mut stream = tokenizer.decode_stream(true);
        for id in ids {
            stream.push(id).map_err(within)?;
        }
        stream.finish().map_err(within)?;
    }
    Ok(())
}

/// Rules of normalization with one rule, which writes `bb` for `e`: a double array, and texts that end with a zero.
fn rules() -> Vec<u8> {
    let mut units = [0u32; 512];
    // The children of the root are at 256 and on; that of the letter has a value, which is beside it: 0, the place of the text.
    units[0] = 256 << 10;
    units[256 ^ usize::from(b'e')] = u32::from(b'e') | 1 << 8 | 1 << 10;
    units[256 ^ usize::from(b'e') ^ 1] = 1 << 31;
    let units: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    [&(units.len() as u32).to_le_bytes()[..], &units, b"bb\0"].concat()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let of_three = |three: &[u8]| -> String {
        let word = three.iter().chain([&0; 2]).take(3).fold(0, |word, &byte| word << 8 | usize::from(byte));
        let digit = |i: usize| if i > three.len() { '=' } else { DIGITS[word >> (18 - 6 * i) & 63].into() };
        (0..4).map(digit).collect()
    };
    bytes.chunks(3).map(of_three).collect()
}

#[test]
fn damaged_tokenizers_in_json_do_no_harm() {
    alone_within("mutants::tokenizers::damaged_tokenizers_in_json_do_no_harm", Some(SPACE), || {
        let place = Place::new();
        let mut files = JSON.map(|name| json_of(&format!("{GOLDEN}/{name}"))).to_vec();
        let mut ruled = files[2].clone();
        ruled["normalizer"]["normalizers"][0] =
            json!({"type": "Precompiled", "precompiled_charsmap": base64(&rules())});
        files.push(ruled);
        used(&place.write("tokenizer.json", files[4].to_string().as_bytes())).unwrap();
        trial(1200, |number, random| {
            let mut json = files[number % files.len()].clone();
            change(&mut json, random);
            judged(used(&place.write("tokenizer.json", &text_of(&json, random))), "tokenizer.json")
        });
    });
}

/// Models of SentencePiece, and ranks of tiktoken.
#[test]
fn damaged_tokenizers_in_bytes_do_no_harm() {
    alone_within("mutants::tokenizers::damaged_tokenizers_in_bytes_do_no_harm", Some(SPACE), || {
        let (place, files) = (Place::new(), BYTES.map(|name| bytes_of(&format!("{GOLDEN}/{name}"))));
        trial(2000, |number, random| {
            let mut bytes = files[number % files.len()].clone();
            let other = random.below(files.len());
            damage(&mut bytes, &files[other], random);
            judged(used(&place.write("tokenizer.model", &bytes)), "tokenizer.model")
        });
    });
}

/// What stands beside a model of pieces, and beside ranks.
#[test]
fn damaged_configurations_of_tokenizers_do_no_harm() {
    alone_within("mutants::tokenizers::damaged_configurations_of_tokenizers_do_no_harm", Some(SPACE), || {
        let places = ["bpe.model", "llama.json"].map(|name| {
            let place = Place::new();
            let bytes = bytes_of(&format!("{GOLDEN}/{name}"));
            place.write(if name.ends_with("json") { "tokenizer.json" } else { "tokenizer.model" }, &bytes);
            place
        });
        let token = |text: &str| json!({"content": text, "lstrip": false, "special": true});
        let json = json!({
            "add_bos_token": true, "add_eos_token": true, "bos_token": "<s>", "eos_token": token("</s>"),
            "added_tokens_decoder": {"0": token("<unk>"), "1": token("<s>"), "2": token("</s>"), "300": token("<user>")},
            "model_max_length": 1e30, "tokenizer_class": "LlamaTokenizer",
        });
        trial(2000, |number, random| {
            let mut json = json.clone();
            change(&mut json, random);
            let place = &places[number % 2];
            place.write("tokenizer_config.json", &text_of(&json, random));
            judged(used(place.path()), "token")
        });
    });
}

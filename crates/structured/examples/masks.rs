//! What masks cost: microseconds a mask and a token, for some constraints, at vocabularies of 32 and 128 thousand tokens.
//!
//! The vocabularies are learned from the sources of this repository, or from the folders that are named, and filled up with words of letters drawn
//! at random where there is too little text.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jarrah_base::Result;
use jarrah_structured::{Constraint, MaskVocabulary, Matcher, TokenMask};
use jarrah_tokenizer::{Encoding, Tokenizer, TrainOptions, train};
use serde_json::json;

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 11
}

fn texts(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let known = path.extension().is_some_and(|end| end == "rs" || end == "md" || end == "py");
        if path.is_dir() && !path.ends_with("target") && !path.ends_with(".git") {
            texts(&path, found);
        } else if known && let Ok(text) = fs::read_to_string(&path) {
            found.push(text);
        }
    }
}

/// Ranks of `size` tokens: the bytes, what `tokenizer` has, and words of random letters with the lengths of real ones.
fn ranks(tokenizer: &Tokenizer, size: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    let mut seen: HashSet<Vec<u8>> = tokens.iter().cloned().collect();
    let own = (0..tokenizer.vocab_size() as u32).filter_map(|id| tokenizer.token_bytes(id));
    let mut state = 1;
    let mut words = own.chain(std::iter::from_fn(move || {
        let length = 3 + random(&mut state) % 8;
        let letter = |state: &mut u64| b'a' + (random(state) % 26) as u8;
        let space = (random(&mut state).is_multiple_of(2)).then_some(b' ');
        Some(space.into_iter().chain((0..length).map(|_| letter(&mut state)).collect::<Vec<_>>()).collect())
    }));
    while tokens.len() < size {
        if let Some(word) = words.next().filter(|word: &Vec<u8>| seen.insert(word.clone())) {
            tokens.push(word);
        }
    }
    let mut lines = String::new();
    for (rank, token) in tokens.iter().enumerate() {
        for chunk in token.chunks(3) {
            let bits =
                chunk.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
            for i in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize] as char;
                lines.push(if i <= chunk.len() { digit } else { '=' });
            }
        }
        lines.push_str(&format!(" {rank}\n"));
    }
    lines
}

fn main() -> Result<()> {
    let mut folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    }
    let mut found = Vec::new();
    folders.iter().for_each(|folder| texts(folder, &mut found));
    let learned = train(&found, &TrainOptions { max_bytes: 64 << 20, ..TrainOptions::new(128_000) })?;
    println!("{} tokens are learned, the others are random words", learned.vocab_size());
    let person = json!({"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "mail": {"type": "string", "format": "email"}, "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 8},
        "address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"enum": ["Perth", "Albany", "Broome"]}}, "required": ["street", "city"]}},
        "required": ["name", "age", "tags", "address"], "additionalProperties": false});
    let constraints = [
        ("a JSON object", Constraint::JsonObject),
        ("a schema of ten properties", Constraint::JsonSchema(person)),
        ("a text of at most 200 characters", Constraint::JsonSchema(json!({"type": "string", "maxLength": 200}))),
        ("a regular expression", Constraint::Regex("[A-Z][a-z]{1,20}( [a-z]{1,20}){0,30}\\.".to_owned())),
        ("a grammar of expressions", Constraint::Grammar(
            "root ::= sum\nsum ::= sum [-+] product | product\nproduct ::= product [*/] atom | atom\natom ::= [0-9]{1,9} | [a-z_]{1,12} | \"(\" sum \")\"".to_owned(),
        )),
    ];
    for size in [32_000, 128_000] {
        let tokenizer = Tokenizer::from_tiktoken(&ranks(&learned, size - 1), Some(Encoding::Gpt2))?;
        let start = Instant::now();
        let vocabulary = Arc::new(MaskVocabulary::new(&tokenizer, &[tokenizer.eos_id()?], size)?);
        println!("\n{size} tokens; the vocabulary is made in {:.0?}", start.elapsed());
        println!(
            "{:34} {:>10} {:>9} {:>9} {:>9} {:>9}",
            "microseconds", "compile", "mask", "median", "99 %", "push"
        );
        for (name, constraint) in &constraints {
            let mut masks: Vec<Duration> = Vec::new();
            let (mut pushes, mut compiled) = (Duration::MAX, Duration::MAX);
            // The same outputs several times, each time compiled anew: the least of each mask is what a busy machine has not disturbed.
            for _ in 0..4 {
                let start = Instant::now();
                let fresh = Matcher::new(&vocabulary, constraint)?;
                compiled = compiled.min(start.elapsed());
                let (mut number, mut pushed, mut state) = (0, Duration::ZERO, 7);
                let mut mask = TokenMask::new(size);
                while number < 2000 {
                    let mut matcher = fresh.clone();
                    for _ in 0..200 {
                        let start = Instant::now();
                        matcher.mask(&mut mask)?;
                        let taken = start.elapsed();
                        match masks.get_mut(number) {
                            Some(least) => *least = taken.min(*least),
                            None => masks.push(taken),
                        }
                        number += 1;
                        let chosen = random(&mut state) as usize % mask.count();
                        let token = mask.iter().nth(chosen).unwrap_or(0);
                        let start = Instant::now();
                        matcher.push(token)?;
                        pushed += start.elapsed();
                        if matcher.is_finished() {
                            break;
                        }
                    }
                }
                pushes = pushes.min(pushed);
            }
            masks.sort();
            let micro = |time: Duration| time.as_secs_f64() * 1e6;
            let mean = micro(masks.iter().sum::<Duration>()) / masks.len() as f64;
            println!(
                "{name:34} {:10.0} {mean:9.1} {:9.1} {:9.1} {:9.1}",
                micro(compiled),
                micro(masks[masks.len() / 2]),
                micro(masks[masks.len() * 99 / 100]),
                micro(pushes) / masks.len() as f64
            );
        }
    }
    Ok(())
}

//! Damage that is done to serialized things, the same each time.

use jarrah_testing::mutants::{self, Random};

/// Does some damage to `bytes`; `other` is something else of the same kind. In one of some it is done to the sections and numbers of MLIR.
pub fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    match random.below(24) {
        0 => exchange(bytes, other, random),
        1 => {
            // A number whose first byte says that eight follow.
            let at = random.below(bytes.len());
            let value: u64 = *random.one_of(&[1 << 20, 1 << 32, i64::MAX as u64, u64::MAX]);
            bytes.splice(at..at + 1, [&[0][..], &value.to_le_bytes()].concat());
        }
        _ => mutants::damage(bytes, other, random),
    }
}

/// Removes, repeats or moves a section of MLIR bytecode, or puts one of `other` in its place.
fn exchange(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let (own, others) = (sections(bytes), sections(other));
    if own.is_empty() || others.is_empty() {
        return;
    }
    let (at, to) = (own[random.below(own.len())].clone(), own[random.below(own.len())].start);
    let copy = bytes[at.clone()].to_vec();
    match random.below(4) {
        0 => drop(bytes.drain(at)),
        1 => drop(bytes.splice(to..to, copy)),
        // The section of the same kind, if there is one.
        2 => {
            let kind = bytes[at.start];
            let same = others.iter().find(|section| other[section.start] == kind).unwrap_or(&others[0]);
            bytes.splice(at, other[same.clone()].iter().copied());
        }
        _ => drop(bytes.splice(at, other[others[random.below(others.len())].clone()].iter().copied())),
    }
}

/// The sections of MLIR bytecode: what begins with `ML\xefR`, a version and the producer's name with a zero. Empty if the bytes
/// are something else.
fn sections(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    if !bytes.starts_with(b"ML\xefR") {
        return found;
    }
    let mut at = 4;
    number(bytes, &mut at);
    at += bytes[at.min(bytes.len())..].iter().position(|&byte| byte == 0).unwrap_or(0) + 1;
    while at < bytes.len() {
        let start = at;
        at += 1;
        let length = number(bytes, &mut at);
        if bytes[start] & 0x80 != 0 {
            number(bytes, &mut at);
            at += bytes[at.min(bytes.len())..].iter().take_while(|&&byte| byte == 0xcb).count();
        }
        at = at.saturating_add(length).min(bytes.len());
        found.push(start..at);
    }
    found
}

/// A number of MLIR: the zeros at the end of its first byte say how many bytes follow.
fn number(bytes: &[u8], at: &mut usize) -> usize {
    let mut word = [0; 16];
    let rest = &bytes[(*at).min(bytes.len())..];
    let there = rest.len().min(9);
    word[..there].copy_from_slice(&rest[..there]);
    let word = u128::from_le_bytes(word);
    let more = word.trailing_zeros().min(8);
    *at += more as usize + 1;
    let bits = 7 * (more + 1) + u32::from(more == 8);
    (word >> (more + 1 - u32::from(more == 8)) & ((1 << bits) - 1)) as usize
}

/// What stands in texts of programs and means something else elsewhere.
const WORDS: &[&str] = &[
    "f32",
    "f64",
    "i32",
    "i64",
    "i1",
    "ui8",
    "bf16",
    "complex<f32>",
    "f8E4M3FN",
    "i4",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "65536",
    "4294967296",
    "9223372036854775807",
    "true",
    "false",
    "dense<0>",
    "tensor<4xf32>",
    "tensor<0xf32>",
    "tensor<i32>",
    "tensor<?xf32>",
    "!stablehlo.token",
    "LT",
    "GE",
    "NE",
    "%arg0",
    "%0",
    "[]",
    "[0]",
    "[0, 1]",
    "[1, 0]",
    "array<i64: 0>",
    "#stablehlo<precision DEFAULT>",
    "unit",
    "\"jax.buffer_donor\"",
];

/// Element types.
const ELEMENTS: &[&str] =
    &["f32", "f64", "bf16", "i32", "i64", "i8", "ui8", "i4", "i1", "complex<f32>", "f8E4M3FN", "f4E2M1FN"];

/// Numbers, most of which may be extents.
const NUMBERS: &[&str] =
    &["-1", "0", "1", "2", "3", "4", "5", "8", "17", "300", "2x3", "4294967297", "9223372036854775807"];

/// Does damage to the text of a program by words: most of what comes out is still well-formed.
pub fn reword(text: &str, random: &mut Random) -> String {
    let mut pieces = words(text);
    let one_of = |list: &[&str], random: &mut Random| list[random.below(list.len())].to_owned();
    for _ in 0..=random.below(6) / 4 {
        let (at, other) = (random.below(pieces.len()), random.below(pieces.len()));
        let is_number = |at: usize| pieces[at].starts_with(|c: char| c.is_ascii_digit());
        let is_type = |at: usize| ELEMENTS.contains(&pieces[at].as_str());
        let is_op = |at: usize| pieces[at].starts_with("stablehlo.") || pieces[at].starts_with("chlo.");
        let is_value = |at: usize| pieces[at].starts_with('%');
        let is_word = |at: usize| pieces[at].starts_with(char::is_alphanumeric);
        let is_extent = |at: usize| is_number(at) && pieces.get(at + 1).is_some_and(|next| next == "x");
        let next = |from: usize, wanted: &dyn Fn(usize) -> bool| {
            (from..pieces.len()).chain(0..from).find(|&at| wanted(at)).unwrap_or(from)
        };
        let everywhere = |pieces: &mut [String], old: String, new: String| {
            pieces.iter_mut().filter(|piece| **piece == old).for_each(|piece| piece.clone_from(&new));
        };
        match random.below(8) {
            0 | 1 => {
                // A number that is no extent: of an axis, a window, a value.
                let at = next(at, &|at| is_number(at) && !is_extent(at));
                pieces[at] = one_of(NUMBERS, random);
            }
            2 => {
                let old = pieces[next(at, &is_number)].clone();
                everywhere(&mut pieces, old, one_of(NUMBERS, random));
            }
            3 => {
                let old = pieces[next(at, &is_type)].clone();
                everywhere(&mut pieces, old, one_of(ELEMENTS, random));
            }
            4 => {
                let (at, other) = (next(at, &is_op), next(other, &is_op));
                pieces[at] = pieces[other].clone();
            }
            5 => {
                let (at, other) = (next(at, &is_value), next(other, &is_value));
                pieces[at] = pieces[other].clone();
            }
            6 => {
                let at = next(at, &is_word);
                pieces[at] = one_of(WORDS, random);
            }
            _ => pieces.swap(at, other),
        }
    }
    pieces.concat()
}

/// A text as names, numbers, and what stands between them.
fn words(text: &str) -> Vec<String> {
    let inside = |c: char| c.is_alphanumeric() || "_.%@#!".contains(c);
    // `4x8xf32` is five words.
    let splits = |a: char, b: char| {
        inside(a) != inside(b) || a.is_ascii_digit() && b == 'x' || a == 'x' && b.is_alphanumeric()
    };
    let chars: Vec<char> = text.chars().collect();
    chars.chunk_by(|&a, &b| !splits(a, b)).map(|piece| piece.iter().collect()).collect()
}

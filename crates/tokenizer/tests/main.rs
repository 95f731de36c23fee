//! Training, files and streaming of the tokenizer.

#![allow(clippy::unwrap_used, reason = "helpers of tests are no test functions to clippy")]

mod chat;
mod files;
mod hostile;
mod reference;
mod roundtrip;
mod stream;
mod training;
mod values;

/// Text with words, code, several scripts and characters of one to four bytes.
fn text(lines: usize) -> String {
    let words = [
        "let",
        "fn",
        "value",
        "Größe",
        "日本語",
        "🦀",
        "naïve",
        "x1",
        "==",
        "  ",
        "\n    ",
        "it's",
        "ﬁ",
        "𝄞",
    ];
    let mut state = 7u64;
    let mut out = String::new();
    for _ in 0..lines * 8 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        out.push_str(words[(state >> 40) as usize % words.len()]);
        out.extend((0..4).map(|i| (b'a' + (state >> (20 + 8 * i)) as u8 % 12) as char));
        out.push(if state >> 33 & 7 == 0 { '\n' } else { ' ' });
    }
    out
}

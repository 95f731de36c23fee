//! The pieces whose scores have the largest sum, found by one walk through the text.
//!
//! Source: `EncodeOptimized` in `unigram_model.cc` of SentencePiece. Sums are of singles, as there.

use std::ops::Range;

use super::Model;
use super::proto::Kind;

/// The score of a character without a piece lies this much below the worst piece's.
const UNKNOWN_PENALTY: f32 = 10.0;

/// Where sums are beyond this, they are counted anew, so that they stay exact enough.
const RESET: f32 = 100_000.0;

/// The best way to the end of a piece.
#[derive(Clone, Copy)]
struct Best {
    id: u32,
    score: f32,
    start: Option<usize>,
}

/// The pieces of a normalized text: ranges and ids.
pub fn encode(model: &Model, text: &str) -> Vec<(Range<usize>, u32)> {
    let bytes = text.as_bytes();
    let unknown = model.lowest - UNKNOWN_PENALTY;
    let mut best = vec![Best { id: 0, score: 0.0, start: None }; bytes.len() + 1];
    let (mut at, mut reached) = (0, 0);
    while at < bytes.len() {
        let mut here = best[at].score;
        if here.abs() > RESET {
            best[at..=reached].iter_mut().for_each(|best| best.score -= here);
            here = 0.0;
        }
        let character = super::character(text, at);
        let mut single = false;
        for (length, id) in model.trie.prefixes(&bytes[at..]) {
            let piece = &model.vocabulary[id as usize];
            let score = match piece.kind {
                Kind::Unused => continue,
                // Always taken, and the longer ones all the more.
                Kind::UserDefined => (0.1 * (length - 1) as f64) as f32,
                _ => piece.score,
            };
            reached = reached.max(at + length);
            better(&mut best[at + length], score + here, id, at);
            single |= length == character;
        }
        if !single {
            reached = reached.max(at + character);
            better(&mut best[at + character], unknown + here, model.unknown, at);
        }
        at += character;
    }
    let mut out = Vec::new();
    let mut end = bytes.len();
    while end > 0 {
        let Best { id, start, .. } = best[end];
        let start = start.expect("invariant: a piece ends at every end that was reached");
        out.push((start..end, id));
        end = start;
    }
    out.reverse();
    out
}

fn better(best: &mut Best, score: f32, id: u32, start: usize) {
    if best.start.is_none() || score > best.score {
        *best = Best { id, score, start: Some(start) };
    }
}

//! Pairs of neighbours become pieces, the one with the highest score first, of equal ones the leftmost.
//!
//! Source: `bpe_model.cc` of SentencePiece.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Model;
use super::proto::Kind;

struct Symbol {
    range: Range<usize>,
    previous: Option<usize>,
    next: Option<usize>,
    frozen: bool,
}

#[derive(PartialEq)]
struct Merge {
    score: f32,
    left: Reverse<usize>,
    right: usize,
    size: usize,
}

impl Eq for Merge {}
impl PartialOrd for Merge {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Merge {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| self.left.cmp(&other.left))
    }
}

/// The pieces of a normalized text: ranges and ids.
pub fn encode(model: &Model, text: &str) -> Vec<(Range<usize>, u32)> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let kept = model.kept.longest(&text.as_bytes()[at..]);
        let length = kept.map_or_else(|| super::character(text, at), |(length, _)| length);
        let number = symbols.len();
        symbols.push(Symbol {
            range: at..at + length,
            previous: number.checked_sub(1),
            next: (at + length < text.len()).then_some(number + 1),
            frozen: kept.is_some(),
        });
        at += length;
    }
    let mut agenda = BinaryHeap::new();
    // How a piece that is not used was put together.
    let mut parts: FxHashMap<&str, usize> = FxHashMap::default();
    let mut consider =
        |symbols: &[Symbol], agenda: &mut BinaryHeap<Merge>, left: Option<usize>, right: Option<usize>| {
            let (Some(left), Some(right)) = (left, right) else { return };
            let (a, b) = (&symbols[left], &symbols[right]);
            if a.frozen || b.frozen {
                return;
            }
            let piece = &text[a.range.start..b.range.end];
            let Some(&id) = model.pieces.get(piece) else { return };
            let score = model.vocabulary[id as usize].score;
            agenda.push(Merge { score: score + 0.0, left: Reverse(left), right, size: piece.len() });
            if model.vocabulary[id as usize].kind == Kind::Unused {
                parts.insert(piece, a.range.len());
            }
        };
    for right in 1..symbols.len() {
        consider(&symbols, &mut agenda, Some(right - 1), Some(right));
    }
    while let Some(Merge { left: Reverse(left), right, size, .. }) = agenda.pop() {
        let (a, b) = (symbols[left].range.clone(), symbols[right].range.clone());
        if a.is_empty() || b.is_empty() || a.len() + b.len() != size {
            continue;
        }
        symbols[left].range = a.start..b.end;
        symbols[right].range = b.end..b.end;
        let next = symbols[right].next;
        symbols[left].next = next;
        if let Some(next) = next {
            symbols[next].previous = Some(left);
        }
        let previous = symbols[left].previous;
        consider(&symbols, &mut agenda, previous, Some(left));
        consider(&symbols, &mut agenda, Some(left), next);
    }
    let mut out = Vec::new();
    let mut index = (!symbols.is_empty()).then_some(0);
    while let Some(i) = index {
        // Pieces that are not used are taken apart again, as they were put together.
        let mut stack = vec![symbols[i].range.clone()];
        while let Some(range) = stack.pop() {
            let piece = &text[range.clone()];
            let id = model.id(piece).unwrap_or(model.unknown);
            match parts.get(piece) {
                Some(&length) if model.vocabulary[id as usize].kind == Kind::Unused => {
                    stack.extend([range.start + length..range.end, range.start..range.start + length]);
                }
                _ => out.push((range, id)),
            }
        }
        index = symbols[i].next;
    }
    out
}

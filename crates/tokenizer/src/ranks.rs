//! Byte-level BPE by ranks, as tiktoken has it: a text is divided by a pattern, and in each part the two neighbours whose
//! joined bytes have the lowest rank become one, of equal ones the leftmost, until none have a rank.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use jarrah_base::{Error, Result};
use rustc_hash::FxHashMap;
use tokenizers::pattern::Pattern;
use tokenizers::utils::SysRegex;

use crate::encoding::Encoding;

/// The bytes of parts that are merged without an agenda.
const SHORT: usize = 48;

/// A vocabulary of byte strings, whose ranks are their ids.
pub(crate) struct Ranks {
    ranks: FxHashMap<Box<[u8]>, u32>,
    tokens: FxHashMap<u32, Box<[u8]>>,
    pattern: SysRegex,
}

impl Ranks {
    /// Reads lines of a token in base 64 and its rank. Gives the special tokens of the encoding, too.
    pub fn parse(text: &str, encoding: Option<Encoding>) -> Result<(Ranks, Vec<(String, u32)>)> {
        let (mut ranks, mut tokens) = (FxHashMap::default(), FxHashMap::default());
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let wrong = |what: &str| Error::input(format!("line {number} of the ranks {what}"));
            let (token, rank) = line.split_once(' ').ok_or_else(|| wrong("has no rank"))?;
            let token: Box<[u8]> =
                base64(token).ok_or_else(|| wrong("has a token that is not base 64"))?.into();
            let rank: u32 = rank.trim().parse().map_err(|_| wrong("has a rank that is no number"))?;
            if rank >= 1 << 31 {
                return Err(wrong("has a rank beyond 2^31"));
            }
            if ranks.insert(token.clone(), rank).is_some() || tokens.insert(rank, token).is_some() {
                return Err(wrong("has a token or a rank that was there before"));
            }
        }
        if let Some(byte) = (0..=255u8).find(|&byte| !ranks.contains_key(&[byte][..])) {
            return Err(Error::input(format!("the ranks have no token for the byte {byte:#04x}")));
        }
        let encoding = encoding.or_else(|| Encoding::of(ranks.len())).ok_or_else(|| {
            Error::input(format!("{} ranks are those of no known encoding", ranks.len()))
                .help("say which pattern divides texts: Tokenizer::from_tiktoken")
        })?;
        let pattern = SysRegex::new(encoding.pattern())
            .map_err(|e| Error::internal(format!("the pattern of {encoding:?}: {e}")))?;
        let next = tokens.keys().max().map_or(0, |&id| id + 1);
        Ok((Ranks { ranks, tokens, pattern }, encoding.special(next)))
    }

    pub fn largest(&self) -> u32 {
        self.tokens.keys().copied().max().unwrap_or(0)
    }

    pub fn id(&self, token: &[u8]) -> Option<u32> {
        self.ranks.get(token).copied()
    }

    pub fn bytes(&self, id: u32) -> Option<&[u8]> {
        self.tokens.get(&id).map(|token| &**token)
    }

    /// The ids of a text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let mut ids = Vec::with_capacity(text.len() / 3);
        let parts = (&self.pattern).find_matches(text);
        let parts =
            parts.map_err(|e| Error::input(format!("cannot encode a text of {} bytes: {e}", text.len())))?;
        for ((start, end), found) in parts.into_iter().filter(|((start, end), _)| start < end) {
            // The patterns match every character, unless they went back too often.
            if !found {
                let message =
                    format!("the pattern that divides texts gave up on one of {} bytes", text.len());
                return Err(Error::input(message).help("it has very long white space: divide the text there"));
            }
            self.part(&text.as_bytes()[start..end], &mut ids);
        }
        Ok(ids)
    }

    fn part(&self, part: &[u8], ids: &mut Vec<u32>) {
        if let Some(&rank) = self.ranks.get(part) {
            return ids.push(rank);
        }
        if part.len() <= SHORT { self.short(part, ids) } else { self.long(part, ids) }
    }

    /// The ids of a part of few bytes: all neighbours are looked at for each merge.
    fn short(&self, part: &[u8], ids: &mut Vec<u32>) {
        const NONE: u32 = u32::MAX;
        let rank = |start: usize, end: usize| self.ranks.get(&part[start..end]).copied().unwrap_or(NONE);
        // Where tokens begin, and the rank of each joined with the next one.
        let mut starts = [(0u8, NONE); SHORT + 1];
        let mut count = part.len();
        for (i, start) in starts.iter_mut().enumerate().take(count + 1) {
            *start = (i as u8, if i + 2 <= count { rank(i, i + 2) } else { NONE });
        }
        let at = |starts: &[(u8, u32)], i: usize| usize::from(starts[i].0);
        while let Some((i, lowest)) =
            starts[..count].iter().map(|(_, rank)| *rank).enumerate().min_by_key(|&(_, rank)| rank)
        {
            if lowest == NONE {
                break;
            }
            starts.copy_within(i + 2..=count, i + 1);
            count -= 1;
            let joined = |starts: &[(u8, u32)], i: usize| match i + 2 <= count {
                true => rank(at(starts, i), at(starts, i + 2)),
                false => NONE,
            };
            starts[i].1 = joined(&starts, i);
            if i > 0 {
                starts[i - 1].1 = joined(&starts, i - 1);
            }
        }
        for i in 0..count {
            let token = &part[at(&starts, i)..at(&starts, i + 1)];
            ids.push(*self.ranks.get(token).expect("invariant: bytes and what was merged have ranks"));
        }
    }

    /// The ids of a part of any number of bytes: merges wait in order.
    fn long(&self, part: &[u8], ids: &mut Vec<u32>) {
        // Where each token ends, by where it begins, and where the one before it begins.
        let mut ends: Vec<usize> = (1..=part.len()).collect();
        let mut before: Vec<usize> = (0..part.len()).map(|i| i.saturating_sub(1)).collect();
        let mut agenda = BinaryHeap::new();
        let consider = |agenda: &mut BinaryHeap<Reverse<(u32, usize, usize)>>, start: usize, end: usize| {
            if let Some(&rank) = self.ranks.get(&part[start..end]) {
                agenda.push(Reverse((rank, start, end)));
            }
        };
        for start in 0..part.len() - 1 {
            consider(&mut agenda, start, start + 2);
        }
        while let Some(Reverse((_, start, end))) = agenda.pop() {
            let middle = ends[start];
            // Both halves have to be tokens still; one that was merged away ends nowhere.
            if middle == usize::MAX || middle >= end || ends[middle] != end {
                continue;
            }
            ends[start] = end;
            ends[middle] = usize::MAX;
            if end < part.len() {
                before[end] = start;
                consider(&mut agenda, start, ends[end]);
            }
            if start > 0 {
                consider(&mut agenda, before[start], end);
            }
        }
        let mut start = 0;
        while start < part.len() {
            let end = ends[start];
            ids.push(
                *self.ranks.get(&part[start..end]).expect("invariant: bytes and what was merged have ranks"),
            );
            start = end;
        }
    }
}

/// The bytes of a text in base 64.
pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let (mut bytes, mut word, mut bits) = (Vec::with_capacity(text.len() * 3 / 4), 0u32, 0);
    for c in text.bytes() {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        word = word << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    Some(bytes)
}

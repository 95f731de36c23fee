use std::collections::BTreeMap;

use crate::read::Document;

/// A document with the hash of its group; documents of one group are held out together.
pub(crate) struct Unit {
    pub(crate) document: Document,
    pub(crate) group: u64,
}

/// The hash of a group's name or of a document.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let hash = blake3::hash(bytes);
    u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("invariant: the hash has 32 bytes"))
}

/// The training documents and the held-out documents, each in their order.
///
/// Groups with hash % 100 < 5 are held out, in the order of the hashes, while they are at most a tenth of the text;
/// if they are less than a hundredth, further groups follow in that order. Where no choice of groups fits (few
/// documents, or one that outweighs the rest), the last twentieth of every document is held out, from a line's start, if documents
/// may be `cut`.
pub(crate) fn split(units: Vec<Unit>, cut: bool) -> (Vec<Document>, Vec<Document>) {
    let mut sizes: BTreeMap<u64, usize> = BTreeMap::new();
    for unit in &units {
        *sizes.entry(unit.group).or_default() += unit.document.text.len();
    }
    let total: usize = sizes.values().sum();
    let (most, least) = (total / 10, total.div_ceil(100));

    let (lucky, others): (Vec<_>, Vec<_>) = sizes.iter().partition(|(hash, _)| **hash % 100 < 5);
    let (mut held, mut size) = (std::collections::BTreeSet::new(), 0);
    for (i, (hash, bytes)) in lucky.iter().chain(&others).enumerate() {
        if i >= lucky.len() && size >= least {
            break;
        }
        if size + **bytes <= most {
            size += **bytes;
            held.insert(**hash);
        }
    }
    if size < least || size == 0 {
        return if cut { tails(units) } else { (documents(units), Vec::new()) };
    }
    let (held, train): (Vec<_>, Vec<_>) = units.into_iter().partition(|u| held.contains(&u.group));
    (documents(train), documents(held))
}

fn documents(units: Vec<Unit>) -> Vec<Document> {
    units.into_iter().map(|u| u.document).collect()
}

fn tails(units: Vec<Unit>) -> (Vec<Document>, Vec<Document>) {
    let (mut train, mut held) = (Vec::new(), Vec::new());
    for Unit { mut document, .. } in units {
        if let Some(cut) = tail(&document.text) {
            held.push(Document { text: document.text.split_off(cut), place: document.place.clone() });
        }
        train.push(document);
    }
    (train, held)
}

/// Where the last twentieth of `text` begins; `None` if `text` has less than twenty bytes.
fn tail(text: &str) -> Option<usize> {
    let from = text.len() - text.len() / 20;
    let line = text.as_bytes()[..from].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    if from < text.len() && line * 10 >= text.len() * 8 {
        return Some(line);
    }
    // A text of few long lines is cut within a line.
    (from..text.len()).find(|&i| text.is_char_boundary(i))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(n: usize, of: impl Fn(usize) -> String) -> Vec<Unit> {
        let document = |text| Document { text, place: None };
        (0..n).map(of).map(|text| Unit { group: hash(text.as_bytes()), document: document(text) }).collect()
    }

    fn split(units: Vec<Unit>, cut: bool) -> (Vec<String>, Vec<String>) {
        let texts = |all: Vec<Document>| all.into_iter().map(|document| document.text).collect();
        let (train, held) = super::split(units, cut);
        (texts(train), texts(held))
    }

    #[test]
    fn many_documents_are_split_whole() {
        let (train, held) = split(units(1000, |i| format!("document {i:04}")), true);
        assert_eq!(train.len() + held.len(), 1000);
        assert!((30..=100).contains(&held.len()), "{}", held.len());
        assert!(train.iter().all(|t| !held.contains(t)));
    }

    #[test]
    fn a_dozen_documents_hold_out_at_least_one() {
        let (train, held) = split(units(12, |i| format!("document {i:04}")), true);
        assert_eq!((train.len(), held.len()), (11, 1));
    }

    #[test]
    fn one_group_stays_together() {
        let mut all = units(40, |i| format!("{i:05}"));
        for unit in &mut all[10..13] {
            unit.group = 0;
        }
        let (_, held) = split(all, true);
        assert!(["00010", "00011", "00012"].iter().all(|t| held.iter().any(|h| h == t)));
    }

    #[test]
    fn one_document_is_split_at_a_line() {
        let text: String = (0..100).map(|i| format!("line {i:02}\n")).collect();
        let (train, held) = split(units(1, |_| text.clone()), true);
        assert_eq!(held, ["line 95\nline 96\nline 97\nline 98\nline 99\n"]);
        assert_eq!(train.concat() + &held.concat(), text);
    }

    #[test]
    fn a_document_that_outweighs_the_rest_is_not_held_out() {
        let (train, held) = split(units(2, |i| if i == 0 { "é".repeat(1000) } else { "tiny".into() }), true);
        assert_eq!(train.len(), 2);
        assert_eq!(held[0], "é".repeat(50));
    }

    #[test]
    fn texts_too_small_to_split_are_kept() {
        assert_eq!(split(units(1, |_| "abc".into()), true), (vec!["abc".to_owned()], vec![]));
        assert_eq!(split(Vec::new(), true), (vec![], vec![]));
    }
}

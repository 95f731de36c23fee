//! Splits that the names of files and folders tell.

use std::path::{Path, PathBuf};

/// Names of splits, with the words that stand for them.
const KEYWORDS: [(&str, &[&str]); 3] = [
    ("train", &["train", "training"]),
    ("validation", &["validation", "valid", "dev", "val"]),
    ("test", &["test", "testing", "eval", "evaluation"]),
];

fn is_between(c: char) -> bool {
    matches!(c, '-' | '.' | '_' | ' ') || c.is_ascii_digit()
}

/// The place of a word in a name that other letters do not touch: at its beginning, or within. In the name of a file, an ending stands behind it.
fn word_at(name: &str, word: &str, may_end: bool) -> Option<Place> {
    let mut places = name.match_indices(word).filter_map(|(at, _)| {
        let before = name[..at].chars().next_back();
        let after = name[at + word.len()..].chars().next();
        let is_word = before.is_none_or(is_between) && after.map_or(may_end, is_between);
        is_word.then_some(Place { is_within: at > 0, goes_on: after.is_some() })
    });
    places.next()
}

/// Files whose names begin with the word come before others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    is_within: bool,
    goes_on: bool,
}

/// The parts of `train-00000-of-00002.parquet`: the name before the numbers, the numbers, and what stands behind them.
fn shard(name: &str) -> Option<(&str, usize, usize, &str)> {
    let (before, rest) = name.split_once("-of-")?;
    let (before, index) = before.rsplit_once('-')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (count, end) = rest.split_at(digits);
    let is_number = |text: &str| text.len() >= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    match is_number(index) && is_number(count) {
        true => Some((before, index.parse().ok()?, count.parse().ok()?, end)),
        false => None,
    }
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// A shard that is missing among files of which another one is there.
pub(super) fn missing_shard(files: &[PathBuf]) -> Option<PathBuf> {
    for path in files {
        let Some((before, _, count, end)) = shard(name_of(path)) else { continue };
        let width = name_of(path)[before.len() + 1..].find('-')?;
        let mut there: Vec<usize> = files
            .iter()
            .filter(|other| other.parent() == path.parent())
            .filter_map(|other| shard(name_of(other)))
            .filter(|found| found.0 == before && found.2 == count && split_end(found.3) == split_end(end))
            .map(|found| found.1)
            .collect();
        there.sort_unstable();
        if there.len() < count {
            let first =
                there.iter().enumerate().find(|(i, index)| i != *index).map_or(there.len(), |(i, _)| i);
            return Some(path.with_file_name(format!("{before}-{first:0width$}-of-{count:0width$}{end}")));
        }
    }
    None
}

/// The ending of a name: a fingerprint may stand before it.
fn split_end(end: &str) -> &str {
    end.rsplit_once('.').map_or(end, |(_, end)| end)
}

/// The splits of files, with the files of each.
pub(super) fn splits(files: &[PathBuf]) -> Vec<(String, Vec<PathBuf>)> {
    let mut shards: Vec<(String, Vec<PathBuf>)> = Vec::new();
    for path in files.iter().filter(|path| path.parent() == Some(Path::new("data"))) {
        let Some((split, ..)) = shard(name_of(path)) else { continue };
        match shards.iter_mut().find(|(name, _)| name == split) {
            Some((_, files)) => files.push(path.clone()),
            None => shards.push((split.to_owned(), vec![path.clone()])),
        }
    }
    if !shards.is_empty() {
        let place =
            |name: &str| KEYWORDS.iter().position(|(split, _)| *split == name).unwrap_or(KEYWORDS.len());
        shards.sort_by(|(a, _), (b, _)| (place(a), a).cmp(&(place(b), b)));
        return shards;
    }
    let in_folder = |path: &Path, word: &str| {
        let folders = path.parent().into_iter().flat_map(Path::components);
        folders.filter_map(|part| word_at(&part.as_os_str().to_string_lossy(), word, true)).min()
    };
    let in_name = |path: &Path, word: &str| word_at(name_of(path), word, false);
    let by = |place: &dyn Fn(&Path, &str) -> Option<Place>| -> Vec<(String, Vec<PathBuf>)> {
        let of = |words: &[&str]| {
            let mut found: Vec<PathBuf> = Vec::new();
            for word in words {
                let mut placed: Vec<(Place, &PathBuf)> =
                    files.iter().filter_map(|path| Some((place(path, word)?, path))).collect();
                placed.sort();
                placed.retain(|(_, path)| !found.contains(path));
                found.extend(placed.into_iter().map(|(_, path)| path.clone()));
            }
            found
        };
        let found = KEYWORDS.iter().map(|(split, words)| ((*split).to_owned(), of(words)));
        found.filter(|(_, files)| !files.is_empty()).collect()
    };
    let found = by(&in_folder);
    if !found.is_empty() {
        return found;
    }
    match by(&in_name) {
        found if found.is_empty() => vec![("train".to_owned(), files.to_vec())],
        found => found,
    }
}

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use jarrah_base::Result;

use super::input::{Input, prefixed};
use super::location::{Location, file_table, located};
use super::wrong;

/// So many entries are looked at behind the last that was found before a key is searched among all.
const NEAR: usize = 3;

/// A decoded node of a B+tree.
pub(super) struct Node {
    /// 0 for leaves.
    pub height: u8,
    pub entries: Vec<Entry>,
    keys: Vec<u8>,
    body: Vec<u8>,
    /// The entry that was found last: keys are mostly asked for in their order.
    last: AtomicUsize,
}

/// A key and its value, or the first key of a child and the child.
pub(super) struct Entry {
    key: Range<usize>,
    /// The prefix that all keys of the child have, which they are stored without.
    pub common: Vec<u8>,
    pub place: Place,
}

pub(super) enum Place {
    /// The bytes in the node's body.
    Inline(Range<usize>),
    File(Location),
}

impl Node {
    /// Reads a node from its decompressed body. Its keys may have `most` bytes together.
    pub fn read(body: Vec<u8>, base: &str, most: usize) -> Result<Node> {
        let mut input = Input::new(&body, "B+tree node");
        let height = input.byte()?;
        let files = file_table(&mut input, base)?;
        let count = input.count()?;
        if count == 0 {
            return Err(wrong("a B+tree node has no entry"));
        }
        let prefixes = input.varints(count - 1)?;
        let suffixes = input.varints(count)?;
        let commons = if height > 0 { input.varints(count)? } else { Vec::new() };
        let (mut keys, mut ranges) = (Vec::new(), Vec::<Range<usize>>::with_capacity(suffixes.len()));
        prefixed(&mut input, [&prefixes, &suffixes], most, &mut |_, key| {
            let start = keys.len();
            if ranges.last().is_some_and(|last| keys[last.clone()] >= *key) {
                return Err(wrong("the keys of a B+tree node are not in order"));
            }
            keys.extend_from_slice(key);
            ranges.push(start..keys.len());
            Ok(())
        })?;
        let entries = match height {
            0 => leaf(&mut input, ranges, &files)?,
            _ => children(&mut input, ranges, &keys, &commons, &files)?,
        };
        input.finish()?;
        Ok(Node { height, entries, keys, body, last: AtomicUsize::new(0) })
    }

    /// The memory that the node takes, about.
    pub fn held(&self) -> usize {
        self.body.len() + self.keys.len() + self.entries.len() * (size_of::<Entry>() + 16)
    }

    pub fn body(&self) -> &[u8] {
        &self.body
    }

    pub fn key(&self, entry: &Entry) -> &[u8] {
        &self.keys[entry.key.clone()]
    }

    /// The number of the entry with this key.
    pub fn find(&self, key: &[u8]) -> Option<usize> {
        let last = self.last.load(Ordering::Relaxed);
        let mut near = last..(last + NEAR).min(self.entries.len());
        let found = near.find(|&at| self.key(&self.entries[at]) == key);
        let found = found.or_else(|| self.entries.binary_search_by(|entry| self.key(entry).cmp(key)).ok())?;
        self.last.store(found, Ordering::Relaxed);
        Some(found)
    }

    /// The child that a key would be in: the last whose first key is not behind it.
    pub fn child(&self, key: &[u8]) -> Option<&Entry> {
        let after = self.entries.partition_point(|entry| self.key(entry) <= key);
        self.entries.get(after.checked_sub(1)?)
    }
}

type Files = [(std::sync::Arc<str>, usize)];

fn leaf(input: &mut Input<'_>, keys: Vec<Range<usize>>, files: &Files) -> Result<Vec<Entry>> {
    let lengths = input.varints(keys.len())?;
    let kinds = input.varints(keys.len())?;
    if let Some(kind) = kinds.iter().find(|kind| **kind > 1) {
        return Err(wrong(format!("a value is of kind {kind}; known are 0 and 1")));
    }
    let outside = kinds.iter().filter(|kind| **kind == 1).count();
    let mut ids = input.varints(outside)?.into_iter();
    let mut offsets = input.varints(outside)?.into_iter();
    let mut entries = Vec::with_capacity(keys.len());
    for ((key, length), kind) in keys.into_iter().zip(lengths).zip(kinds) {
        let place = match (kind, kind == 1) {
            (_, true) => {
                let (id, offset) = ids.next().zip(offsets.next()).expect("invariant: one for each kind 1");
                Place::File(located(files, id, offset, length)?)
            }
            _ => {
                let start = input.position();
                input.take(usize::try_from(length).unwrap_or(usize::MAX))?;
                Place::Inline(start..input.position())
            }
        };
        entries.push(Entry { key, common: Vec::new(), place });
    }
    Ok(entries)
}

fn children(
    input: &mut Input<'_>,
    ranges: Vec<Range<usize>>,
    keys: &[u8],
    commons: &[u64],
    files: &Files,
) -> Result<Vec<Entry>> {
    let count = ranges.len();
    let [ids, offsets, lengths] = [input.varints(count)?, input.varints(count)?, input.varints(count)?];
    let _statistics = [input.varints(count)?, input.varints(count)?, input.varints(count)?];
    let mut entries = Vec::with_capacity(count);
    for (i, key) in ranges.into_iter().enumerate() {
        let common = usize::try_from(commons[i]).ok().and_then(|common| keys[key.clone()].get(..common));
        let common = common.ok_or_else(|| wrong("a child's prefix is longer than its first key"))?.to_vec();
        entries.push(Entry {
            key,
            common,
            place: Place::File(located(files, ids[i], offsets[i], lengths[i])?),
        });
    }
    Ok(entries)
}

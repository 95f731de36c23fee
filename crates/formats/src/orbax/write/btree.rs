//! B+trees of OCDBT databases, built from the leaves up.

use std::collections::BTreeMap;
use std::sync::Arc;

use jarrah_base::Result;

use crate::orbax::location::Location;
use crate::orbax::output::{common, prefixed, varint, varints};

/// A key and its value.
pub(super) struct Stored {
    pub key: Vec<u8>,
    pub value: StoredValue,
}

pub(super) enum StoredValue {
    Inline(Vec<u8>),
    File(Location),
}

/// A node that was written.
#[derive(Clone)]
pub(super) struct Root {
    pub location: Location,
    pub height: u8,
    pub sums: Sums,
}

/// Sums over a node and all below it: the keys, the bytes of nodes, and the bytes of values that lie in files.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub keys: u64,
    pub tree_bytes: u64,
    pub file_bytes: u64,
}

/// A child of a node in the making.
struct Child {
    first_key: Vec<u8>,
    /// The length of the prefix that all keys of the child have.
    prefix: usize,
    node: Root,
}

/// The bytes of an entry beside its key and its value, about.
const ENTRY: usize = 32;

/// Writes the nodes of a tree with these entries, whose keys are in order; none for no entries.
///
/// `write` takes the body of a node and gives its location. Nodes have `most` bytes at most, if they have more than two entries.
pub(super) fn build(
    entries: &[Stored],
    most: usize,
    write: &mut dyn FnMut(&[u8]) -> Result<Location>,
) -> Result<Option<Root>> {
    let size = |entry: &Stored| match &entry.value {
        StoredValue::Inline(value) => entry.key.len() + value.len() + ENTRY,
        StoredValue::File(_) => entry.key.len() + ENTRY,
    };
    let groups = groups(entries, most, size);
    let is_root = groups.len() == 1;
    let mut children = Vec::with_capacity(groups.len());
    for group in groups {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return Ok(None) };
        let prefix = if is_root { 0 } else { common(&first.key, &last.key) };
        let location = write(&leaf(group, prefix))?;
        let mut sums = Sums { keys: group.len() as u64, tree_bytes: location.length, file_bytes: 0 };
        for entry in group {
            if let StoredValue::File(location) = &entry.value {
                sums.file_bytes += location.length;
            }
        }
        children.push(Child {
            first_key: first.key.clone(),
            prefix,
            node: Root { location, height: 0, sums },
        });
    }
    let mut height = 0u8;
    while children.len() > 1 {
        // A node has two children at least: a tree of 2^64 keys has fewer than 255 levels.
        height += 1;
        let groups = self::groups(&children, most, |child| child.first_key.len() + 2 * ENTRY);
        let is_root = groups.len() == 1;
        let mut parents = Vec::with_capacity(groups.len());
        for group in groups {
            let (Some(first), Some(last)) = (group.first(), group.last()) else { return Ok(None) };
            // All keys of the last child begin with its prefix, and have nothing else in common.
            let shared = common(&first.first_key, &last.first_key[..last.prefix]);
            let prefix =
                if is_root { 0 } else { group.iter().fold(shared, |prefix, child| prefix.min(child.prefix)) };
            let location = write(&interior(group, prefix, height))?;
            let mut sums = Sums { tree_bytes: location.length, ..Sums::default() };
            for child in group {
                sums.keys += child.node.sums.keys;
                sums.tree_bytes += child.node.sums.tree_bytes;
                sums.file_bytes += child.node.sums.file_bytes;
            }
            let node = Root { location, height, sums };
            parents.push(Child { first_key: first.first_key.clone(), prefix, node });
        }
        children = parents;
    }
    Ok(children.pop().map(|child| child.node))
}

/// Cuts a list into stretches of `most` bytes, but of two entries at least.
fn groups<T>(list: &[T], most: usize, size: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let (mut groups, mut start, mut total) = (Vec::new(), 0, 0usize);
    for (i, entry) in list.iter().enumerate() {
        let size = size(entry);
        if i >= start + 2 && total.saturating_add(size) > most {
            groups.push(&list[start..i]);
            (start, total) = (i, 0);
        }
        total = total.saturating_add(size);
    }
    groups.push(&list[start..]);
    groups
}

/// The data files that a node refers to, with their numbers.
struct Files(BTreeMap<(Arc<str>, usize), u64>);

impl Files {
    fn new<'l>(locations: impl Iterator<Item = &'l Location>) -> Files {
        let mut files: BTreeMap<(Arc<str>, usize), u64> = BTreeMap::new();
        for location in locations {
            files.entry((location.path.clone(), location.base)).or_insert(0);
        }
        files.values_mut().zip(0..).for_each(|(value, number)| *value = number);
        Files(files)
    }

    fn write(&self, out: &mut Vec<u8>) {
        varint(out, self.0.len() as u64);
        let paths: Vec<&[u8]> = self.0.keys().map(|file| file.0.as_bytes()).collect();
        prefixed(out, &paths, |out| varints(out, self.0.keys().map(|file| file.1 as u64)));
    }

    fn number(&self, location: &Location) -> u64 {
        self.0.get(&(location.path.clone(), location.base)).copied().unwrap_or(0)
    }
}

/// The table of data files with the file of one location alone, which has the number 0.
pub(super) fn file_table(out: &mut Vec<u8>, location: &Location) {
    Files::new(std::iter::once(location)).write(out);
}

/// The body of a leaf, whose keys are stored without the first `prefix` bytes.
pub(super) fn leaf(entries: &[Stored], prefix: usize) -> Vec<u8> {
    let outside = || {
        entries.iter().filter_map(|entry| match &entry.value {
            StoredValue::File(location) => Some(location),
            StoredValue::Inline(_) => None,
        })
    };
    let files = Files::new(outside());
    let mut out = vec![0];
    files.write(&mut out);
    varint(&mut out, entries.len() as u64);
    let keys: Vec<&[u8]> = entries.iter().map(|entry| &entry.key[prefix..]).collect();
    prefixed(&mut out, &keys, |_| {});
    varints(
        &mut out,
        entries.iter().map(|entry| match &entry.value {
            StoredValue::Inline(value) => value.len() as u64,
            StoredValue::File(location) => location.length,
        }),
    );
    varints(&mut out, entries.iter().map(|entry| u64::from(matches!(entry.value, StoredValue::File(_)))));
    varints(&mut out, outside().map(|location| files.number(location)));
    varints(&mut out, outside().map(|location| location.offset));
    for entry in entries {
        if let StoredValue::Inline(value) = &entry.value {
            out.extend_from_slice(value);
        }
    }
    out
}

/// The body of a node above leaves. The prefix of each child is stored as far as it is longer than that of the node.
fn interior(children: &[Child], prefix: usize, height: u8) -> Vec<u8> {
    let files = Files::new(children.iter().map(|child| &child.node.location));
    let mut out = vec![height];
    files.write(&mut out);
    varint(&mut out, children.len() as u64);
    let keys: Vec<&[u8]> = children.iter().map(|child| &child.first_key[prefix..]).collect();
    prefixed(&mut out, &keys, |out| {
        varints(out, children.iter().map(|child| (child.prefix - prefix) as u64))
    });
    let locations = || children.iter().map(|child| &child.node.location);
    varints(&mut out, locations().map(|location| files.number(location)));
    varints(&mut out, locations().map(|location| location.offset));
    varints(&mut out, locations().map(|location| location.length));
    varints(&mut out, children.iter().map(|child| child.node.sums.keys));
    varints(&mut out, children.iter().map(|child| child.node.sums.tree_bytes));
    varints(&mut out, children.iter().map(|child| child.node.sums.file_bytes));
    out
}

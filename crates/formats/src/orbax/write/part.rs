use jarrah_base::Result;

use super::btree::{Stored, StoredValue, leaf};
use super::refused;
use crate::orbax::input::Input;
use crate::orbax::location::Location;
use crate::orbax::node::{Node, Place};
use crate::orbax::output::{varint, varints};

/// The part of a tree that one process wrote, for the process that merges all parts.
///
/// ```
/// use jarrah_formats::OrbaxPart;
/// assert!(OrbaxPart::from_bytes(b"no part").is_err());
/// ```
pub struct OrbaxPart {
    pub(super) process: usize,
    /// The mark of the plan.
    pub(super) mark: [u8; 32],
    /// For each array, the numbers of the chunks that were written, in order.
    pub(super) chunks: Vec<Vec<u64>>,
    /// The entries of the process's database, in the order of their keys. Locations are in the database's folder.
    pub(super) entries: Vec<Stored>,
}

impl OrbaxPart {
    /// The number of the process.
    pub fn process(&self) -> usize {
        self.process
    }

    /// The bytes by which another process is told of the part. They have the small values of the process's database, not its large ones.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.mark.to_vec();
        varints(&mut out, [self.process as u64, self.chunks.len() as u64]);
        for chunks in &self.chunks {
            varint(&mut out, chunks.len() as u64);
            let before = std::iter::once(0).chain(chunks.iter().map(|chunk| chunk + 1));
            varints(&mut out, chunks.iter().zip(before).map(|(chunk, before)| chunk - before));
        }
        if !self.entries.is_empty() {
            out.extend(leaf(&self.entries, 0));
        }
        out
    }

    /// The part whose [`to_bytes`](Self::to_bytes) these are.
    ///
    /// # Errors
    /// They are not (`Input`).
    pub fn from_bytes(bytes: &[u8]) -> Result<OrbaxPart> {
        let mut input = Input::new(bytes, "part of a checkpoint");
        let mark = input.take(32)?.first_chunk::<32>().copied().unwrap_or_default();
        let process = input.count()?;
        let mut chunks = Vec::new();
        for _ in 0..input.count()? {
            let mut next = 0u64;
            let mut of_array = Vec::new();
            let count = input.count()?;
            for skipped in input.varints(count)? {
                let chunk = next.checked_add(skipped).filter(|chunk| *chunk < u64::MAX);
                let chunk =
                    chunk.ok_or_else(|| refused("a part of a checkpoint has a chunk of no number"))?;
                of_array.push(chunk);
                next = chunk + 1;
            }
            chunks.push(of_array);
        }
        let rest = &bytes[input.position()..];
        let entries = if rest.is_empty() { Vec::new() } else { entries(rest)? };
        Ok(OrbaxPart { process, mark, chunks, entries })
    }
}

/// The entries of a leaf.
fn entries(body: &[u8]) -> Result<Vec<Stored>> {
    let node = Node::read(body.to_vec(), "", usize::MAX)?;
    if node.height != 0 {
        return Err(refused("the entries of a part of a checkpoint are in a node that is no leaf"));
    }
    let stored = |entry: &crate::orbax::node::Entry| Stored {
        key: node.key(entry).to_vec(),
        value: match &entry.place {
            Place::Inline(range) => StoredValue::Inline(node.body()[range.clone()].to_vec()),
            Place::File(location) => StoredValue::File(Location::clone(location)),
        },
    };
    Ok(node.entries.iter().map(stored).collect())
}

impl std::fmt::Debug for OrbaxPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let chunks: usize = self.chunks.iter().map(Vec::len).sum();
        write!(f, "OrbaxPart(process {}, {chunks} chunks of {} arrays)", self.process, self.chunks.len())
    }
}

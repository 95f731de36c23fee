use std::collections::BTreeMap;

use jarrah_base::{Error, Result};
use jarrah_formats::OrbaxPart;
use serde::{Deserialize, Serialize};

use super::FileRecord;

/// The part of a checkpoint that one process wrote.
#[derive(Default, Debug)]
pub struct Part {
    pub process: usize,
    /// The part of each tree, by the name of its item.
    pub trees: BTreeMap<String, TreePart>,
    /// The files that the process wrote.
    pub files: Vec<FileRecord>,
    /// The bytes of those that are links, and were not written.
    pub linked_bytes: u64,
}

/// The part of a tree.
#[derive(Debug)]
pub struct TreePart {
    pub orbax: OrbaxPart,
    pub sums: Vec<ShardSum>,
}

/// The checksum of a shard.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct ShardSum {
    /// The name of the tensor in its tree.
    pub tensor: String,
    /// The number of the shard in the grid of the tensor.
    pub cell: usize,
    pub blake3: String,
}

/// The first line of the text of a [`Part`]: the parts of its trees follow, one after the other.
#[derive(Serialize, Deserialize)]
struct Head {
    process: usize,
    /// The items, with the length of the part of each tree.
    trees: Vec<(String, usize, Vec<ShardSum>)>,
    files: Vec<FileRecord>,
    linked_bytes: u64,
}

impl Part {
    /// The bytes by which process 0 is told of the part.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let (mut trees, mut rest) = (Vec::new(), Vec::new());
        for (item, tree) in &self.trees {
            let bytes = tree.orbax.to_bytes();
            trees.push((item.clone(), bytes.len(), tree.sums.clone()));
            rest.extend(bytes);
        }
        let (files, linked_bytes) = (self.files.clone(), self.linked_bytes);
        let head = Head { process: self.process, trees, files, linked_bytes };
        let mut bytes =
            serde_json::to_vec(&head).map_err(|e| Error::internal(format!("a part of a checkpoint: {e}")))?;
        bytes.push(b'\n');
        bytes.extend(rest);
        Ok(bytes)
    }

    /// The part whose [`to_bytes`](Self::to_bytes) these are.
    ///
    /// # Errors
    /// They are not (`Input`).
    pub fn from_bytes(bytes: &[u8]) -> Result<Part> {
        let wrong = || {
            Error::input("a part of a checkpoint that another process wrote cannot be read").op("checkpoint")
        };
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(wrong)?;
        let head: Head = serde_json::from_slice(&bytes[..end]).map_err(|_| wrong())?;
        let (mut trees, mut at) = (BTreeMap::new(), end + 1);
        for (item, len, sums) in head.trees {
            let tree = at.checked_add(len).and_then(|end| bytes.get(at..end)).ok_or_else(wrong)?;
            trees.insert(item, TreePart { orbax: OrbaxPart::from_bytes(tree)?, sums });
            at += len;
        }
        match at == bytes.len() {
            true => {
                Ok(Part { process: head.process, trees, files: head.files, linked_bytes: head.linked_bytes })
            }
            false => Err(wrong()),
        }
    }
}

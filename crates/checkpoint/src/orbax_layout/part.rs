use jarrah_base::{Error, Result};
use jarrah_formats::OrbaxPart;
use serde::{Deserialize, Serialize};

use super::FileRecord;

/// The part of a checkpoint that one process wrote.
#[derive(Default, Debug)]
pub struct Part {
    pub process: usize,
    /// The part of each tree.
    pub trees: Vec<OrbaxPart>,
    /// The checksums of the shards of each tree.
    pub sums: Vec<Vec<ShardSum>>,
    /// The files that the process wrote.
    pub files: Vec<FileRecord>,
}

/// The checksum of a shard.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct ShardSum {
    /// The number of the tensor in its tree.
    pub tensor: usize,
    /// The number of the shard in the grid of the tensor.
    pub cell: usize,
    pub blake3: String,
}

/// The first line of the text of a [`Part`]: the parts of its trees follow, one after the other.
#[derive(Serialize, Deserialize)]
struct Head {
    process: usize,
    trees: Vec<usize>,
    sums: Vec<Vec<ShardSum>>,
    files: Vec<FileRecord>,
}

impl Part {
    /// The bytes by which process 0 is told of the part.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let trees: Vec<Vec<u8>> = self.trees.iter().map(OrbaxPart::to_bytes).collect();
        let head = Head {
            process: self.process,
            trees: trees.iter().map(Vec::len).collect(),
            sums: self.sums.clone(),
            files: self.files.clone(),
        };
        let mut bytes =
            serde_json::to_vec(&head).map_err(|e| Error::internal(format!("a part of a checkpoint: {e}")))?;
        bytes.push(b'\n');
        trees.iter().for_each(|tree| bytes.extend(tree));
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
        let (mut trees, mut at) = (Vec::new(), end + 1);
        for len in head.trees {
            let tree = at.checked_add(len).and_then(|end| bytes.get(at..end)).ok_or_else(wrong)?;
            trees.push(OrbaxPart::from_bytes(tree)?);
            at += len;
        }
        if at != bytes.len() || head.sums.len() != trees.len() {
            return Err(wrong());
        }
        Ok(Part { process: head.process, trees, sums: head.sums, files: head.files })
    }
}

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use blake3::Hasher;
use jarrah_base::{Literal, Result, Type};
use jarrah_formats::{OrbaxCheckpoint, OrbaxKey, OrbaxLeaf, OrbaxTree};
use serde::Deserialize;

use super::{FileRecord, stored};
use crate::folder::{Folder, compare, hash};
use crate::hash::hex;
use crate::layout::orbax::{JARRAH, MANIFEST, METRICS, STATE};
use crate::manifest::{Content, DAMAGED, TensorRecord, damaged, unsealed};
use crate::snapshot::SnapshotState;

const VERSION: u64 = 2;

/// Tensors are verified in pieces of about so many bytes.
const PIECE: usize = 64 << 20;

#[derive(Deserialize)]
struct Manifest {
    step: u64,
    tensors: Vec<TensorRecord>,
    files: Vec<FileRecord>,
    state: SnapshotState,
}

/// The files of a checkpoint of version 2.
pub struct OrbaxLayout {
    files: Vec<FileRecord>,
}

/// The tensors of a checkpoint of version 2.
pub struct OrbaxReader {
    /// The folder of the item.
    path: PathBuf,
    bytes: u64,
    /// The tree; none where the checkpoint has no tensors.
    tree: Option<OrbaxTree>,
}

impl OrbaxLayout {
    /// Reads the text of the manifest at `path`.
    pub fn of(bytes: &[u8], path: &Path) -> Result<(Content, OrbaxLayout)> {
        let Manifest { step, tensors, files, state } = unsealed(bytes, VERSION, path)?;
        Ok((Content { step, tensors, state }, OrbaxLayout { files }))
    }

    /// Checks the lengths of all files and the checksums of all bytes but those of tensors, and that the items have no other files.
    pub fn check(&self, folder: &Folder<'_>) -> Result<()> {
        let mut names: HashSet<&str> = HashSet::from([MANIFEST]);
        for record in &self.files {
            let FileRecord { name, bytes, tensor_bytes, blake3 } = record;
            let object = folder.of_length(name, *bytes)?;
            let path = folder.path(name);
            if tensor_bytes > bytes {
                return Err(damaged(&path, "it has fewer bytes than its tensors".into()));
            }
            let found = hash(&*object, *tensor_bytes, *bytes)?;
            compare(&path, &format!("the part from byte {tensor_bytes} on"), &found, blake3)?;
            names.insert(name);
        }
        for item in [STATE, JARRAH, METRICS] {
            if let Some(other) = folder.files(item)?.iter().find(|file| !names.contains(file.as_str())) {
                let what =
                    "it is not in the manifest, and readers might take it for a part of the checkpoint";
                return Err(damaged(&folder.path(other), what.into()));
            }
        }
        Ok(())
    }

    /// Reads the descriptions of the tensors in the checkpoint's folder, and gives their types.
    pub fn open(self, folder: &Path, content: &Content) -> Result<(Vec<Type>, OrbaxReader)> {
        let path = folder.join(STATE);
        let bytes = self.files.iter().map(|file| file.bytes).sum();
        let tree = match content.tensors.is_empty() {
            true => None,
            false => Some(OrbaxCheckpoint::open(folder)?.tree(STATE).map_err(|e| e.help(DAMAGED))?),
        };
        let reader = OrbaxReader { path, bytes, tree };
        let types = reader.agree(content).map_err(|what| damaged(&reader.path, what))?;
        Ok((types, reader))
    }
}

impl OrbaxReader {
    /// The bytes of all files but the manifest.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The value of a tensor, checked.
    pub fn tensor(&self, record: &TensorRecord, ty: Type) -> Result<Literal> {
        let read = self.leaf(record)?.literal().map_err(|e| self.within(e))?;
        self.compare(record, &hex(Hasher::new().update(read.bytes())))?;
        if read.ty() == ty { Ok(read) } else { Literal::from_bytes(ty, read.bytes()) }
    }

    /// Compares the checksums of all tensors; those of the rest were compared when the checkpoint was opened.
    pub fn verify(&self, content: &Content) -> Result<()> {
        for record in &content.tensors {
            let leaf = self.leaf(record)?;
            let mut hasher = Hasher::new();
            for region in pieces(leaf.dims().unwrap_or(&[]), leaf.ty()?.dtype().size()) {
                hasher.update(leaf.region(&region).map_err(|e| self.within(e))?.bytes());
            }
            self.compare(record, &hex(&hasher))?;
        }
        Ok(())
    }

    fn compare(&self, record: &TensorRecord, found: &str) -> Result<()> {
        compare(&self.path, &format!("tensor {}", record.name), found, &record.blake3)
    }

    fn within(&self, error: jarrah_base::Error) -> jarrah_base::Error {
        error.context(format!("in {}", self.path.display())).help(DAMAGED)
    }

    fn leaf(&self, record: &TensorRecord) -> Result<&OrbaxLeaf> {
        let leaf = self.tree.as_ref().and_then(|tree| tree.get(&record.name.replace('/', ".")).ok());
        leaf.ok_or_else(|| damaged(&self.path, format!("it has no array for tensor {}", record.name)))
    }

    /// The types of the manifest's tensors, if the descriptions of the arrays say the same of them.
    fn agree(&self, content: &Content) -> Result<Vec<Type>, String> {
        let mut names = HashSet::new();
        let mut types = Vec::with_capacity(content.tensors.len());
        for record in &content.tensors {
            let differs = || format!("its arrays and the manifest differ about tensor {}", record.name);
            let leaf = self.leaf(record).map_err(|_| differs())?;
            let same_name = is_name(&record.name, leaf.keys()) && names.insert(&record.name);
            // The extents first: only then is their product known not to overflow.
            let ty = (same_name && leaf.dims() == Some(&record.shape)).then(|| record.ty()).flatten();
            let ty = ty.ok_or_else(differs)?;
            if leaf.ty().is_ok_and(|found| found.dtype() == stored(ty.dtype())) {
                types.push(ty);
            } else {
                return Err(differs());
            }
        }
        let arrays = self.tree.as_ref().map_or(0, |tree| tree.leaves().len());
        if types.len() != arrays {
            return Err(format!("it holds {arrays} arrays, but the manifest names {}", types.len()));
        }
        Ok(types)
    }
}

/// Whether the keys are the parts of the name.
fn is_name(name: &str, keys: &[OrbaxKey]) -> bool {
    let mut parts = name.split('/');
    keys.iter().all(|key| matches!(key, OrbaxKey::Name(key) if parts.next() == Some(key.as_str())))
        && parts.next().is_none()
}

/// The boxes of an array, in the order of its elements: as many rows as have [`PIECE`] bytes, or one.
fn pieces(dims: &[usize], size: usize) -> Vec<Vec<Range<usize>>> {
    let Some((&rows, rest)) = dims.split_first() else { return vec![Vec::new()] };
    // However long the other axes are said to be.
    if dims.contains(&0) {
        return Vec::new();
    }
    let row = rest.iter().product::<usize>().saturating_mul(size).max(1);
    let count = (PIECE / row).max(1);
    let piece = |begin: usize| {
        let first = begin..(begin + count).min(rows);
        std::iter::once(first).chain(rest.iter().map(|extent| 0..*extent)).collect()
    };
    (0..rows).step_by(count).map(piece).collect()
}

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use blake3::Hasher;
use jarrah_base::{DType, Error, Literal, Result, Type};
use jarrah_formats::{OrbaxCheckpoint, OrbaxKey, OrbaxLeaf, OrbaxStretch, OrbaxTree};
use jarrah_store::{Name, ObjectStore};
use serde::Deserialize;
use serde_json::Value;

use super::{FileRecord, has_loose_bits, stored};
use crate::contents::read_all;
use crate::folder::{Folder, compare, hash};
use crate::hash::{hashed, hex, read_hashed, sum_of};
use crate::layout::orbax::{JARRAH, MANIFEST, METRICS};
use crate::manifest::{Content, DAMAGED, Fields, ItemRecord, TensorRecord, VERSION, damaged, unsealed};
use crate::snapshot::SnapshotState;
use crate::tensor::Grid;

/// Tensors are verified in pieces of about so many bytes.
const PIECE: usize = 64 << 20;

/// Values of as many bytes are lent from the mapped file instead of copied, where they begin at a multiple of [`ALIGNED`] bytes, as processors want them.
const LENT: u64 = 64 << 10;
const ALIGNED: usize = 64;

#[derive(Deserialize)]
struct Manifest {
    format: Option<Value>,
    version: Option<Value>,
    step: u64,
    time: Option<u64>,
    #[serde(default = "ItemRecord::state")]
    items: Vec<ItemRecord>,
    tensors: Vec<TensorRecord>,
    files: Vec<FileRecord>,
    state: SnapshotState,
}

impl Fields for Manifest {
    fn head(&self) -> [&Option<Value>; 2] {
        [&self.format, &self.version]
    }
}

/// The files of a checkpoint.
pub struct OrbaxLayout {
    files: Vec<FileRecord>,
}

/// The items of a checkpoint.
pub struct OrbaxReader {
    store: Arc<dyn ObjectStore>,
    folder: Name,
    /// The path that errors name.
    path: PathBuf,
    files: Vec<FileRecord>,
    /// The trees of the items that have a tensor.
    trees: BTreeMap<String, ItemTree>,
    /// The shards whose checksums were compared, by the numbers of their tensors and their own.
    verified: Mutex<HashSet<(usize, usize)>>,
}

/// The tree of an item. Its description is read when a tensor is: the manifest says all else.
#[derive(Default)]
struct ItemTree {
    /// The number of its tensors in the manifest.
    tensors: usize,
    tree: OnceLock<Result<OrbaxTree>>,
}

impl OrbaxLayout {
    /// Reads the text of the manifest at `path`.
    pub fn of(bytes: &[u8], path: &Path) -> Result<(Content, OrbaxLayout)> {
        let Manifest { step, time, items, tensors, mut files, state, .. } =
            unsealed(bytes, 2..=VERSION, path)?;
        let is_name = |name: &str| !name.contains('/') && Name::new(name).is_ok();
        if let Some(item) = items.iter().find(|item| !is_name(&item.name)) {
            return Err(damaged(
                path,
                format!("it names an item {:?}, which is no name of a folder", item.name),
            ));
        }
        let is_possible = |item: &ItemRecord| {
            item.processes.is_none_or(|count| item.is_json && (1..=files.len()).contains(&count))
        };
        if let Some(item) = items.iter().find(|item| !is_possible(item)) {
            return Err(damaged(
                path,
                format!("it has not a file for each process of the item {:?}", item.name),
            ));
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((Content { step, nanos: time, items, tensors, state }, OrbaxLayout { files }))
    }

    /// Checks the lengths of all files and the checksums of all bytes but those of tensors, and that the items have no other files.
    pub fn check(&self, folder: &Folder<'_>, content: &Content) -> Result<()> {
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
        let items = content.items.iter().map(|item| item.name.as_str());
        for item in items.chain([JARRAH, METRICS]) {
            if let Some(other) = folder.files(item)?.iter().find(|file| !names.contains(file.as_str())) {
                let what =
                    "it is not in the manifest, and readers might take it for a part of the checkpoint";
                return Err(damaged(&folder.path(other), what.into()));
            }
        }
        Ok(())
    }

    /// The reader of the checkpoint in a folder of a store, and the types of its tensors.
    pub fn open(
        self,
        store: Arc<dyn ObjectStore>,
        folder: Name,
        path: &Path,
        content: &Content,
    ) -> Result<(Vec<Type>, OrbaxReader)> {
        let mut trees: BTreeMap<String, ItemTree> = BTreeMap::new();
        for item in content.items.iter().filter(|item| !item.is_json) {
            trees.insert(item.name.clone(), ItemTree::default());
        }
        let mut names = HashSet::new();
        let mut types = Vec::with_capacity(content.tensors.len());
        for record in &content.tensors {
            let wrong = |what: &str| damaged(&path.join(MANIFEST), format!("{what} tensor {}", record.name));
            let tree = trees.get_mut(&record.item);
            tree.ok_or_else(|| wrong("it names no tree that is the item of"))?.tensors += 1;
            if !names.insert((&record.item, &record.name)) {
                return Err(wrong("it names twice"));
            }
            record.grid().ok_or_else(|| wrong("it has not a checksum for each shard of"))?;
            types.push(record.ty().ok_or_else(|| wrong("it has an unknown type for"))?);
        }
        trees.retain(|_, tree| tree.tensors > 0);
        let (path, files) = (path.to_owned(), self.files);
        Ok((types, OrbaxReader { store, folder, path, files, trees, verified: Mutex::default() }))
    }
}

impl OrbaxReader {
    /// The bytes of all files but the manifest.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// The content of a file that is JSON.
    pub fn json(&self, file: &str) -> Result<Value> {
        let folder = Folder::new(&*self.store, self.folder.clone(), &self.path);
        let path = folder.path(file);
        let bytes = folder.read(file)?.ok_or_else(|| damaged(&path, "it is missing".into()))?;
        // The folder may be another one by now, which replaced the one that was opened.
        compare(&path, "the file", &hex(Hasher::new().update(&bytes)), self.json_sum(file))?;
        serde_json::from_slice(&bytes).map_err(|e| damaged(&path, e.to_string()))
    }

    /// The checksum of a file that is JSON.
    pub fn json_sum(&self, file: &str) -> &str {
        self.files.iter().find(|record| record.name == file).map_or("", |record| record.blake3.as_str())
    }

    /// A box of the tensor `number`, checked: the checksum of a shard that lies partly in the box is compared the first time.
    pub fn region(
        &self,
        number: usize,
        record: &TensorRecord,
        ty: Type,
        region: &[Range<usize>],
    ) -> Result<Literal> {
        let leaf = self.leaf(record)?;
        let grid = self.grid(record)?;
        let cells = grid.touched(region);
        let whole = match cells.as_slice() {
            [cell] if grid.region(*cell) == region => Some(*cell),
            _ => None,
        };
        if whole.is_none() {
            for cell in cells {
                self.verify_shard(number, record, &grid, cell)?;
            }
        }
        if let Some(cell) = whole
            && !has_loose_bits(ty.dtype())
            && let Some(stretch) = leaf.stretch(region).map_err(|e| self.within(record, e))?
        {
            let ty = ty.with_dims(region.iter().map(Range::len));
            let view = Some(&stretch).filter(|stretch| stretch.len() >= LENT).and_then(OrbaxStretch::mapped);
            let view = view.filter(|view| view.bytes().as_ptr().addr().is_multiple_of(ALIGNED));
            let (value, found) = match view {
                Some(view) => {
                    let found = sum_of(view.bytes())?;
                    (Literal::lent(ty, view)?, found)
                }
                None => {
                    let mut value = Literal::zeros(ty)?;
                    let found =
                        read_hashed(&stretch, value.bytes_mut()).map_err(|e| self.within(record, e))?;
                    (value, found)
                }
            };
            self.compare(record, &grid, cell, &found)?;
            return Ok(value);
        }
        let read = leaf.region(region).map_err(|e| self.within(record, e))?;
        if let Some(cell) = whole {
            self.compare(record, &grid, cell, &hex(Hasher::new().update(read.bytes())))?;
        }
        match read.dtype() == ty.dtype() {
            true => Ok(read),
            false => Literal::from_bytes(ty.with_dims(read.dims()), read.bytes()),
        }
    }

    /// Compares the checksums of all tensors; those of the rest were compared when the checkpoint was opened.
    pub fn verify(&self, content: &Content) -> Result<()> {
        self.verified.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let all: Vec<(usize, &TensorRecord)> = content.tensors.iter().enumerate().collect();
        let bytes = |(_, record): &(usize, &TensorRecord)| {
            record.ty().and_then(|ty| ty.bytes().ok()).unwrap_or(usize::MAX)
        };
        read_all(&all, bytes, |&(number, record)| {
            let grid = self.grid(record)?;
            (0..grid.len()).try_for_each(|cell| self.verify_shard(number, record, &grid, cell))
        })
        .map(drop)
    }

    /// blake3 of the bytes of a whole tensor, whose shards have their own checksums.
    pub fn whole_sum(&self, record: &TensorRecord) -> Result<String> {
        let whole: Vec<Range<usize>> = record.shape.iter().map(|&extent| 0..extent).collect();
        self.streamed(record, &whole)
    }

    /// Compares the checksum of a shard, unless it was compared before.
    fn verify_shard(&self, number: usize, record: &TensorRecord, grid: &Grid, cell: usize) -> Result<()> {
        let verified = || self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if verified().contains(&(number, cell)) {
            return Ok(());
        }
        let found = self.streamed(record, &grid.region(cell))?;
        self.compare(record, grid, cell, &found)?;
        verified().insert((number, cell));
        Ok(())
    }

    /// blake3 of the elements of a box, in their order.
    fn streamed(&self, record: &TensorRecord, of: &[Range<usize>]) -> Result<String> {
        let leaf = self.leaf(record)?;
        if let Some(stretch) = leaf.stretch(of).map_err(|e| self.within(record, e))? {
            let len = usize::try_from(stretch.len()).unwrap_or(usize::MAX);
            return hashed(&stretch, len).map_err(|e| self.within(record, e));
        }
        let mut hasher = Hasher::new();
        for region in pieces(of, leaf.ty()?.dtype().size()) {
            hasher.update(leaf.region(&region).map_err(|e| self.within(record, e))?.bytes());
        }
        Ok(hex(&hasher))
    }

    fn compare(&self, record: &TensorRecord, grid: &Grid, cell: usize, found: &str) -> Result<()> {
        let part = match grid.len() {
            1 => format!("tensor {}", record.name),
            _ => format!("the shard {:?} of tensor {}", grid.region(cell), record.name),
        };
        compare(&self.path.join(&record.item), &part, found, record.sum(cell))
    }

    fn grid(&self, record: &TensorRecord) -> Result<Grid> {
        record.grid().ok_or_else(|| {
            let what = format!("the manifest has not a checksum for each shard of tensor {}", record.name);
            damaged(&self.path.join(MANIFEST), what)
        })
    }

    fn within(&self, record: &TensorRecord, error: Error) -> Error {
        error.context(format!("in {}", self.path.join(&record.item).display())).help(DAMAGED)
    }

    /// The array of a tensor, of which its description and the manifest say the same.
    fn leaf(&self, record: &TensorRecord) -> Result<&OrbaxLeaf> {
        let leaf = self.tree(&record.item)?.get(&record.name.replace('/', ".")).ok();
        let is_same = |leaf: &&OrbaxLeaf| {
            let dtypes = leaf.ty().ok().map(|ty| ty.dtype()).zip(DType::from_name(&record.dtype));
            is_name(&record.name, leaf.keys())
                && leaf.dims() == Some(&record.shape)
                && dtypes.is_some_and(|(found, dtype)| found == stored(dtype))
        };
        leaf.filter(is_same).ok_or_else(|| {
            let what = format!("its arrays and the manifest differ about tensor {}", record.name);
            damaged(&self.path.join(&record.item), what)
        })
    }

    /// The tree of an item, whose description is read the first time.
    fn tree(&self, item: &str) -> Result<&OrbaxTree> {
        let path = self.path.join(item);
        let Some(ItemTree { tensors, tree }) = self.trees.get(item) else {
            return Err(damaged(&path, "it has no tensors".into()));
        };
        let open = || {
            let checkpoint = OrbaxCheckpoint::open_in(self.store.clone(), &self.folder)?;
            let tree = checkpoint.tree(item).map_err(|e| e.help(DAMAGED))?;
            match tree.leaves().len() {
                arrays if arrays == *tensors => Ok(tree),
                arrays => {
                    let what = format!("it holds {arrays} arrays, but the manifest names {tensors}");
                    Err(damaged(&path, what))
                }
            }
        };
        tree.get_or_init(open).as_ref().map_err(Error::clone)
    }

    /// The way in which a tensor was cut among devices, in words.
    ///
    /// # Errors
    /// The description of the tree is damaged (`Input`).
    pub fn sharding(&self, record: &TensorRecord) -> Result<Option<&str>> {
        // A tree none of whose arrays was cut has no such file.
        let file = format!("{}/_sharding", record.item);
        match self.files.binary_search_by(|record| record.name.cmp(&file)) {
            Ok(_) => Ok(self.leaf(record)?.sharding()),
            Err(_) => Ok(None),
        }
    }
}

/// Whether the keys are the parts of the name.
fn is_name(name: &str, keys: &[OrbaxKey]) -> bool {
    let mut parts = name.split('/');
    keys.iter().all(|key| matches!(key, OrbaxKey::Name(key) if parts.next() == Some(key.as_str())))
        && parts.next().is_none()
}

/// The parts of a box, in the order of its elements: as many rows of its first long axis as have [`PIECE`] bytes, or one.
fn pieces(of: &[Range<usize>], size: usize) -> Box<dyn Iterator<Item = Vec<Range<usize>>> + '_> {
    // However long the other axes are said to be.
    if of.iter().any(Range::is_empty) {
        return Box::new(std::iter::empty());
    }
    let Some(axis) = of.iter().position(|range| range.len() > 1) else {
        return Box::new(std::iter::once(of.to_vec()));
    };
    let (rows, rest) = (of[axis].clone(), &of[axis + 1..]);
    let row = rest.iter().map(Range::len).product::<usize>().saturating_mul(size).max(1);
    let count = (PIECE / row).max(1);
    Box::new(rows.clone().step_by(count).map(move |begin| {
        let mut piece = of.to_vec();
        piece[axis] = begin..(begin + count).min(rows.end);
        piece
    }))
}

//! Version 1 of the format, which is read: `tensors.safetensors` and `manifest.json`.

use std::collections::HashSet;
use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};

use blake3::Hasher;
use jarrah_base::{Literal, Result, Type, memory};
use jarrah_formats::safetensors::stored;
use jarrah_store::Object;
use safetensors::tensor::Metadata;
use serde::Deserialize;
use serde_json::Value;

use crate::folder::{Folder, compare, hash};
use crate::hash::hex;
use crate::layout::orbax::STATE;
use crate::layout::safetensors::TENSORS;
use crate::manifest::{Checksums, Content, Fields, ItemRecord, TensorRecord, damaged, unsealed};
use crate::snapshot::SnapshotState;

const VERSION: u64 = 1;

#[derive(Deserialize)]
struct Manifest {
    format: Option<Value>,
    version: Option<Value>,
    step: u64,
    file: FileRecord,
    tensors: Vec<PlacedTensor>,
    state: SnapshotState,
}

impl Fields for Manifest {
    fn head(&self) -> [&Option<Value>; 2] {
        [&self.format, &self.version]
    }
}

/// The tensor file: its length and checksum, and the same of the header that precedes the tensors.
#[derive(Deserialize)]
struct FileRecord {
    bytes: u64,
    blake3: String,
    header_bytes: u64,
    header_blake3: String,
}

/// One tensor: `offsets` are bytes of the tensor file, counted from the end of its header.
#[derive(Deserialize)]
struct PlacedTensor {
    name: String,
    dtype: String,
    shape: Vec<usize>,
    offsets: (u64, u64),
    blake3: String,
}

/// The places of the tensors in their file.
pub struct SafetensorsLayout {
    file: FileRecord,
    offsets: Vec<(u64, u64)>,
}

/// The tensors of a checkpoint of version 1.
pub struct SafetensorsReader {
    path: PathBuf,
    layout: SafetensorsLayout,
    file: Box<dyn Object>,
}

impl SafetensorsLayout {
    /// Reads the text of the manifest at `path`.
    pub fn of(bytes: &[u8], path: &Path) -> Result<(Content, SafetensorsLayout)> {
        let manifest: Manifest = unsealed(bytes, VERSION..=VERSION, path)?;
        let offsets = manifest.tensors.iter().map(|tensor| tensor.offsets).collect();
        let record = |PlacedTensor { name, dtype, shape, blake3, .. }| TensorRecord {
            name,
            item: STATE.to_owned(),
            dtype,
            shape,
            sums: Checksums::Whole { blake3 },
        };
        let tensors = manifest.tensors.into_iter().map(record).collect();
        let content = Content {
            step: manifest.step,
            nanos: None,
            items: ItemRecord::state(),
            tensors,
            state: manifest.state,
        };
        Ok((content, SafetensorsLayout { file: manifest.file, offsets }))
    }

    /// Checks the length of the tensor file, and its header.
    pub fn check(&self, folder: &Folder<'_>) -> Result<()> {
        let object = folder.of_length(TENSORS, self.file.bytes)?;
        let path = folder.path(TENSORS);
        if self.file.header_bytes > self.file.bytes {
            return Err(damaged(&path, "it is shorter than its header".into()));
        }
        let found = hash(&*object, 0, self.file.header_bytes)?;
        compare(&path, "the header", &found, &self.file.header_blake3)
    }

    /// Opens the tensor file, and gives the types of the tensors.
    pub fn open(self, folder: &Folder<'_>, content: &Content) -> Result<(Vec<Type>, SafetensorsReader)> {
        let path = folder.path(TENSORS);
        let file = folder.of_length(TENSORS, self.file.bytes)?;
        let reader = SafetensorsReader { path, layout: self, file };
        let types = reader.agree(content).map_err(|what| damaged(&reader.path, what))?;
        Ok((types, reader))
    }
}

impl SafetensorsReader {
    /// The length of the tensor file.
    pub fn bytes(&self) -> u64 {
        self.layout.file.bytes
    }

    /// The value of a tensor, checked.
    pub fn tensor(&self, number: usize, record: &TensorRecord, ty: Type) -> Result<Literal> {
        Literal::from_bytes(ty, &self.checked_content(number, record)?)
    }

    /// Compares every checksum.
    pub fn verify(&self, content: &Content) -> Result<()> {
        for (number, record) in content.tensors.iter().enumerate() {
            self.checked_content(number, record)?;
        }
        compare(&self.path, "the file", &hash(&*self.file, 0, self.file.len())?, &self.layout.file.blake3)
    }

    fn checked_content(&self, number: usize, record: &TensorRecord) -> Result<Vec<u8>> {
        let place =
            self.place(number).expect("invariant: opening compared every place with the file's header");
        let bytes = read(&*self.file, place)?;
        let found = hex(Hasher::new().update(&bytes));
        compare(&self.path, &format!("tensor {}", record.name), &found, record.sum(0))?;
        Ok(bytes)
    }

    /// The bytes of the file that a tensor lies in, if the file has them.
    fn place(&self, number: usize) -> Option<Range<u64>> {
        let header = self.layout.file.header_bytes;
        let (begin, end) = self.layout.offsets[number];
        let (begin, end) = (header.checked_add(begin)?, header.checked_add(end)?);
        (begin <= end && end <= self.file.len()).then_some(begin..end)
    }

    /// The types of the manifest's tensors, if the tensor file's own header says the same of them.
    fn agree(&self, content: &Content) -> Result<Vec<Type>, String> {
        let header = read(&*self.file, 0..self.layout.file.header_bytes).map_err(|e| e.to_string())?;
        let malformed = |e: &dyn Display| format!("its header is malformed: {e}");
        // The header's length stands before it.
        let Some((length, text)) = header.split_first_chunk::<8>() else {
            return Err(malformed(&"it has no length"));
        };
        if u64::from_le_bytes(*length) != text.len() as u64 {
            return Err(malformed(&"its length is another than the manifest says"));
        }
        let header: Metadata = serde_json::from_slice(text).map_err(|e| malformed(&e))?;
        let infos = header.tensors();
        let mut names = HashSet::new();
        let mut types = Vec::with_capacity(content.tensors.len());
        for (number, record) in content.tensors.iter().enumerate() {
            let differs = || format!("its header and the manifest differ about tensor {}", record.name);
            let info = infos.get(&record.name).ok_or_else(differs)?;
            let offsets = (info.data_offsets.0 as u64, info.data_offsets.1 as u64);
            let same_place = offsets == self.layout.offsets[number] && names.insert(&record.name);
            // The extents first: only then is their product known not to overflow.
            let ty = (same_place && info.shape == record.shape).then(|| record.ty()).flatten();
            let ty = ty.ok_or_else(differs)?;
            let len = self.place(number).and_then(|place| usize::try_from(place.end - place.start).ok());
            if Some(info.dtype) != stored(ty.dtype()) || len != ty.bytes().ok() || len.is_none() {
                return Err(differs());
            }
            types.push(ty);
        }
        if types.len() != infos.len() {
            return Err(format!("it holds {} tensors, but the manifest names {}", infos.len(), types.len()));
        }
        Ok(types)
    }
}

/// Bytes of an object.
fn read(object: &dyn Object, range: Range<u64>) -> Result<Vec<u8>> {
    let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
    memory::check(length, &"a tensor of a checkpoint")?;
    let mut bytes = vec![0; length];
    object.read_at(range.start, &mut bytes)?;
    Ok(bytes)
}

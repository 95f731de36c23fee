//! One snapshot to one folder.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::Path;

use blake3::Hasher;
use jarrah_base::{Error, Literal, Result};
use jarrah_formats::safetensors::{METADATA, Row, header, stored};

use crate::hash::hex;
use crate::layout::{self, Hidden, MANIFEST, TENSORS, names};
use crate::manifest::{FileRecord, Manifest, TensorRecord};
use crate::snapshot::Snapshot;
use crate::storage::{Sink, Storage};

const CHUNK: usize = 1 << 20;

/// Writes `snapshot` as the folder of its step in `dir` and gives the bytes written; on an error nothing of it is left.
pub fn write(storage: &dyn Storage, dir: &Path, snapshot: &Snapshot) -> Result<u64> {
    let new = Hidden::New.path(dir, snapshot.step);
    if new.exists() {
        remove(storage, &new)?;
    }
    let result = fill(storage, &new, snapshot).and_then(|bytes| {
        publish(storage, dir, &new, snapshot.step)?;
        Ok(bytes)
    });
    if result.is_err() && new.exists() {
        // The next opening of the directory tries again, and the first error is the one to tell.
        let _ = remove(storage, &new);
    }
    result
}

fn fill(storage: &dyn Storage, folder: &Path, snapshot: &Snapshot) -> Result<u64> {
    let (header, mut tensors, order) = plan(snapshot)?;
    storage.create_dir(folder).map_err(|e| failed("create", folder, &e))?;

    let path = folder.join(TENSORS);
    let mut file = File::create(storage, &path)?;
    file.write(&header)?;
    let header_blake3 = hex(&file.hasher);
    for i in order {
        tensors[i].blake3 = file.write(snapshot.tensors[i].1.bytes())?;
    }
    let (bytes, blake3) = file.finish()?;

    let manifest = Manifest {
        step: snapshot.step,
        file: FileRecord {
            name: TENSORS.into(),
            bytes,
            blake3,
            header_bytes: header.len() as u64,
            header_blake3,
        },
        tensors,
        state: snapshot.state.clone(),
    };
    let text = manifest.to_text()?;
    let path = folder.join(MANIFEST);
    let mut file = File::create(storage, &path)?;
    file.write(text.as_bytes())?;
    file.finish()?;
    storage.sync_dir(folder).map_err(|e| failed("sync", folder, &e))?;
    Ok(bytes + text.len() as u64)
}

/// Renames the finished folder `new` to its step's name, over one that is there already.
fn publish(storage: &dyn Storage, dir: &Path, new: &Path, step: u64) -> Result<()> {
    let (target, replaced) = (layout::path(dir, step), Hidden::Replaced.path(dir, step));
    let replaces = target.exists();
    if replaces {
        if replaced.exists() {
            remove(storage, &replaced)?;
        }
        storage.rename(&target, &replaced).map_err(|e| failed("rename", &target, &e))?;
    }
    if let Err(e) = storage.rename(new, &target) {
        if replaces {
            storage.rename(&replaced, &target).map_err(|e| failed("rename", &replaced, &e))?;
        }
        return Err(failed("rename", new, &e));
    }
    storage.sync_dir(dir).map_err(|e| failed("sync", dir, &e))?;
    if replaces { remove(storage, &replaced) } else { Ok(()) }
}

/// Checks that `folder` holds nothing but the files of a checkpoint, so that it may be removed.
pub fn only_ours(folder: &Path) -> Result<()> {
    match names(folder)?.into_iter().find(|name| name != MANIFEST && name != TENSORS) {
        None => Ok(()),
        Some(other) => {
            Err(Error::environment(format!("{} is not removed: it holds {other}", folder.display()))
                .help("move that file elsewhere"))
        }
    }
}

/// Removes a folder and the files of a checkpoint in it; one that holds anything else stays as it is.
pub fn remove(storage: &dyn Storage, folder: &Path) -> Result<()> {
    only_ours(folder)?;
    // The manifest first: a folder without one is nobody's checkpoint.
    for file in [MANIFEST, TENSORS] {
        let path = folder.join(file);
        match storage.remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed("remove", &path, &e)),
            _ => {}
        }
    }
    storage.remove_dir(folder).map_err(|e| failed("remove", folder, &e))
}

/// The tensor file's header, the manifest's records without checksums, and the order of the tensors in the file.
fn plan(snapshot: &Snapshot) -> Result<(Vec<u8>, Vec<TensorRecord>, Vec<usize>)> {
    let mut names = HashSet::new();
    for (name, _) in &snapshot.tensors {
        if name == METADATA || !names.insert(name.as_str()) {
            return Err(Error::program(format!("the tensor name {name:?} is taken")).op("checkpoint"));
        }
    }
    // Wide elements first keeps every tensor aligned to its element.
    let mut order: Vec<usize> = (0..snapshot.tensors.len()).collect();
    let tensor = |i: usize| -> (&str, &Literal) { (&snapshot.tensors[i].0, &snapshot.tensors[i].1) };
    order.sort_by_key(|&i| (std::cmp::Reverse(tensor(i).1.dtype().size()), tensor(i).0));

    let mut offset = 0;
    let mut rows = Vec::new();
    let mut records = vec![None; order.len()];
    for &i in &order {
        let (name, literal) = tensor(i);
        let (begin, end) = (offset, offset + literal.bytes().len());
        offset = end;
        let (dtype, shape) = (literal.dtype(), literal.dims());
        let dtype = stored(dtype).ok_or_else(|| {
            let error = Error::program(format!("{name}: a tensor file has no element type {dtype}"));
            error.op("checkpoint").help("convert the tensor before saving it, for example to f32")
        })?;
        rows.push(Row { name, dtype, shape: shape.clone(), bytes: end - begin });
        records[i] = Some(TensorRecord {
            name: name.to_owned(),
            dtype: literal.dtype().name().to_owned(),
            shape,
            offsets: (begin as u64, end as u64),
            blake3: String::new(),
        });
    }
    let header = header(&rows, &BTreeMap::new()).map_err(|e| e.op("checkpoint"))?;
    Ok((header, records.into_iter().flatten().collect(), order))
}

/// A failed write: the machine's fault, whatever the operating system calls it.
pub fn failed(action: &str, path: &Path, error: &io::Error) -> Error {
    let failed = Error::environment(format!("cannot {action} {}: {error}", path.display()));
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => failed
            .help("free some space; the checkpoints that are there are whole, and the next one is tried as usual"),
        _ => failed,
    }
}

/// A file being written and hashed.
struct File<'a> {
    path: &'a Path,
    to: io::BufWriter<Box<dyn Sink>>,
    hasher: Hasher,
    bytes: u64,
}

impl<'a> File<'a> {
    fn create(storage: &dyn Storage, path: &'a Path) -> Result<Self> {
        let sink = storage.create(path).map_err(|e| failed("create", path, &e))?;
        Ok(File { path, to: io::BufWriter::with_capacity(CHUNK, sink), hasher: Hasher::new(), bytes: 0 })
    }

    /// Appends `bytes` and gives their checksum.
    fn write(&mut self, bytes: &[u8]) -> Result<String> {
        let mut own = Hasher::new();
        for chunk in bytes.chunks(CHUNK) {
            own.update(chunk);
            self.hasher.update(chunk);
            self.to.write_all(chunk).map_err(|e| failed("write", self.path, &e))?;
        }
        self.bytes += bytes.len() as u64;
        Ok(hex(&own))
    }

    /// Makes the file durable and gives its length and checksum.
    fn finish(mut self) -> Result<(u64, String)> {
        self.to.flush().map_err(|e| failed("write", self.path, &e))?;
        self.to.get_mut().sync().map_err(|e| failed("sync", self.path, &e))?;
        Ok((self.bytes, hex(&self.hasher)))
    }
}

//! Folders of `torch.distributed.checkpoint`: `.metadata` says which chunks a tensor is cut into, and which stretch of which
//! file `__RANK_NUMBER.distcp` has each, as `torch.save` wrote it.
//!
//! Opening reads the metadata, and checks that the chunks of each tensor are all of it and lie within files that are there; a chunk
//! itself is looked at when its tensor is read.

mod metadata;

use std::path::Path;

use jarrah_base::{Error, Result};

use crate::chunks::{Chunk, check_stretches, tiled};
use crate::encoding::TensorEncoding;
use crate::file::{File, is_name_in_folder};
use crate::listing::Entry;
use crate::pickle;
use crate::tensors::Tensors;

/// The file that a save writes last.
pub const METADATA: &str = ".metadata";
/// The ending of the files with the chunks.
pub const EXTENSION: &str = "distcp";

/// The tensors of the checkpoint in `folder`.
pub fn open(folder: &Path) -> Result<Tensors> {
    let path = folder.join(METADATA);
    let file = File::open(&path)?;
    let read = || {
        let mut description = metadata::read(&file.data)?;
        for tensor in &mut description.tensors {
            let bytes = TensorEncoding::Plain(tensor.dtype).bytes(&tensor.dims);
            if bytes.is_none() {
                let (name, dims) = (&tensor.name, &tensor.dims);
                return Err(pickle::wrong(format!("the tensor {name}, {dims:?}, is larger than any memory")));
            }
            tensor.chunks = tiled(&tensor.name, &tensor.dims, std::mem::take(&mut tensor.chunks))?;
        }
        Ok(description)
    };
    let description = read().map_err(|e| e.context(format!("while reading {}", path.display())))?;
    let mut files = Vec::new();
    for (number, name) in description.files.iter().enumerate() {
        let whose = || {
            let has = |chunk: &Chunk| chunk.file == number;
            let tensor = description.tensors.iter().find(|tensor| tensor.chunks.iter().any(has));
            tensor.map_or("a tensor", |tensor| tensor.name.as_str())
        };
        if !is_name_in_folder(name) {
            return Err(Error::input(format!(
                "{} puts {} into {name:?}, which is no name of a file of the folder",
                path.display(),
                whose()
            )));
        }
        if !folder.join(name).is_file() {
            return Err(Error::input(format!(
                "{} puts chunks of {} into {name}, which is not there",
                path.display(),
                whose()
            ))
            .help("copy the missing file into the folder"));
        }
        files.push(File::open(&folder.join(name))?);
    }
    let tensors = &description.tensors;
    let named: Vec<(&str, &[Chunk])> = tensors.iter().map(|t| (t.name.as_str(), &t.chunks[..])).collect();
    check_stretches(&files, &named)?;
    let (mut entries, mut cut) = (Vec::new(), Vec::new());
    for tensor in description.tensors {
        let encoding = TensorEncoding::Plain(tensor.dtype);
        let file = cut.len();
        entries.push(Entry {
            name: tensor.name,
            encoding,
            dims: tensor.dims,
            strides: None,
            file,
            start: 0,
            bytes: 0,
        });
        cut.push(tensor.chunks);
    }
    // Chunks count the files from the first one on.
    files.push(file);
    Tensors::of_chunks(files, entries, cut, description.others)
}

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Literal, Result};
use rustc_hash::FxHashMap;

use crate::chunks::{Chunk, Chunks};
use crate::encoding::TensorEncoding;
use crate::file::File;
use crate::listing::{Entry, Listing};
use crate::stamp::Stamp;
use crate::tensor::{Place, Tensor};
use crate::{gguf, pickle, safetensors};

/// The format of a file of tensors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileFormat {
    /// Safetensors.
    Safetensors,
    /// A file of `torch.save`.
    Pickle,
    /// GGUF.
    Gguf,
    /// A folder of `torch.distributed.checkpoint`, whose tensors are cut into chunks.
    TorchDistributed,
    /// None: the tensors are values in memory.
    Memory,
}

/// The tensors of a model's files, by name: mapped into memory, and copied when they are read.
///
/// A folder is read by its index (`model.safetensors.index.json`, `pytorch_model.bin.index.json`), or is one file of weights, the
/// parts of one GGUF file, or a checkpoint of `torch.distributed.checkpoint` (`.metadata` and files `*.distcp`).
/// The format of a file is recognized by its first bytes.
///
/// ```
/// use jarrah_base::{DType, Literal};
/// use jarrah_formats::{SaveOptions, Tensor, Tensors, save};
/// # let dir = tempfile::tempdir().unwrap();
/// # let folder = dir.path();
/// let value = Literal::from_slice(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
/// save(folder, &[Tensor::of("lm_head.weight", &value)], &SaveOptions::default())?;
/// let tensors = Tensors::open(folder)?;
/// assert_eq!(tensors.get("lm_head.weight")?.literal()?, value);
/// assert_eq!(tensors.get("lm_head.weight")?.to(DType::BF16)?.to_string(), "lm_head.weight bf16[2, 2]");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Tensors {
    pub(crate) format: FileFormat,
    pub(crate) files: Vec<File>,
    /// The values, one for each entry, of tensors that are in no file.
    values: Vec<Literal>,
    /// The chunks of tensors that are cut, by the numbers that entries have in the place of a file's.
    cut: Vec<Vec<Chunk>>,
    others: Vec<String>,
    pub(crate) entries: Vec<Entry>,
    index: FxHashMap<String, usize>,
    pub(crate) metadata: BTreeMap<String, String>,
    pub(crate) fields: gguf::GgufFields,
}

impl Tensors {
    /// The tensors of all these files together.
    pub(crate) fn of_files(paths: &[PathBuf]) -> Result<Tensors> {
        let (mut entries, mut files, mut formats) = (Vec::new(), Vec::new(), Vec::new());
        let (mut metadata, mut fields) = (BTreeMap::new(), gguf::GgufFields::default());
        for path in paths {
            let file = File::open(path)?;
            let (format, listing) =
                list(&file.data).map_err(|e| e.context(format!("while reading {}", path.display())))?;
            for mut entry in listing.entries {
                entry.file = files.len();
                entries.push(entry);
            }
            metadata.extend(listing.metadata);
            // Files that belong together say of the model what the first one says, or less.
            let new = listing.fields.0.into_iter().filter(|(name, _)| fields.get(name).is_none());
            let new: Vec<(String, gguf::GgufField)> = new.collect();
            fields.0.extend(new);
            files.push(file);
            formats.push(format);
        }
        let format = formats.first().copied().unwrap_or(FileFormat::Safetensors);
        let index = indexed(&entries, |entry| files[entry.file].path.display().to_string())?;
        let (values, cut, others) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Tensors { format, files, values, cut, others, entries, index, metadata, fields })
    }

    /// Tensors that are cut into chunks, and the names of what is stored beside them.
    pub(crate) fn of_chunks(
        files: Vec<File>,
        entries: Vec<Entry>,
        cut: Vec<Vec<Chunk>>,
        others: Vec<String>,
    ) -> Result<Tensors> {
        let index = indexed(&entries, |_| "the metadata".to_owned())?;
        let (metadata, fields) = (BTreeMap::new(), gguf::GgufFields::default());
        let format = FileFormat::TorchDistributed;
        Ok(Tensors { format, files, values: Vec::new(), cut, others, entries, index, metadata, fields })
    }

    /// Tensors that are values in memory, such as those that files of another kind were read as. Reading one shares its storage.
    ///
    /// ```
    /// use jarrah_base::Literal;
    /// use jarrah_formats::Tensors;
    /// let head = Literal::from_slice(&[2], &[1.0f32, 2.0])?;
    /// let tensors = Tensors::of_values([("lm_head.weight".to_owned(), head.clone())])?;
    /// assert_eq!(tensors.get("lm_head.weight")?.literal()?, head);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// Two have the same name (`Input`).
    pub fn of_values(named: impl IntoIterator<Item = (String, Literal)>) -> Result<Tensors> {
        let (mut entries, mut values) = (Vec::new(), Vec::new());
        for (name, value) in named {
            let encoding = TensorEncoding::Plain(value.dtype());
            let (dims, bytes) = (value.dims().to_vec(), value.bytes().len());
            entries.push(Entry { name, encoding, dims, strides: None, file: entries.len(), start: 0, bytes });
            values.push(value);
        }
        let index = indexed(&entries, |_| "memory".to_owned())?;
        let (metadata, fields) = Default::default();
        Ok(Tensors {
            format: FileFormat::Memory,
            files: Vec::new(),
            values,
            cut: Vec::new(),
            others: Vec::new(),
            entries,
            index,
            metadata,
            fields,
        })
    }

    /// The format of the files.
    pub fn format(&self) -> FileFormat {
        self.format
    }

    /// The number of tensors.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no tensor.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The tensors, in the order in which the files name them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Tensor<'_>> {
        self.entries.iter().map(|entry| self.tensor(entry))
    }

    /// The tensor called `name`.
    ///
    /// # Errors
    /// No tensor has this name: the error lists the names that are spelled most alike.
    pub fn get(&self, name: &str) -> Result<Tensor<'_>> {
        if let Some(tensor) = self.find(name) {
            return Ok(tensor);
        }
        let last = name.rsplit('.').nth(1).unwrap_or(name);
        let like: Vec<&str> =
            self.entries.iter().map(|e| e.name.as_str()).filter(|e| e.contains(last)).take(3).collect();
        let error = Error::input(format!("there is no tensor called {name}"));
        Err(match like.is_empty() {
            true => error.help(format!("there are {} tensors: list their names", self.len())),
            false => error.help(format!("there are {}", like.join(", "))),
        })
    }

    /// The tensor called `name`, if there is one.
    pub fn find(&self, name: &str) -> Option<Tensor<'_>> {
        self.index.get(name).map(|&i| self.tensor(&self.entries[i]))
    }

    /// The texts that safetensors files have beside their tensors, such as `format: pt`.
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.metadata
    }

    /// The fields of a GGUF file beside its tensors: about the model and its tokenizer.
    pub fn fields(&self) -> &gguf::GgufFields {
        &self.fields
    }

    /// The names of the values of a distributed checkpoint of PyTorch that are no tensors, such as numbers and texts: they are not read.
    pub fn others(&self) -> &[String] {
        &self.others
    }

    /// The files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }

    /// A hash of the files' names, lengths, numbers in their file system and times of the last change: files of one identity have the same tensors.
    ///
    /// None where that cannot be known: the system does not tell, a file was changed less than two seconds ago, and may change again without another time,
    /// or the tensors are in no file.
    pub fn identity(&self) -> Option<[u8; blake3::OUT_LEN]> {
        if self.format == FileFormat::Memory {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        for file in &self.files {
            let stamp = file.stamp.filter(Stamp::is_settled)?;
            let text = format!("{:?} {stamp:?}", file.path.file_name());
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        Some(*hasher.finalize().as_bytes())
    }

    /// The name of the file, without its folder, that the tensor called `name` lies in, or its first chunk.
    pub fn file_of(&self, name: &str) -> Option<&str> {
        let entry = &self.entries[*self.index.get(name)?];
        let file = match self.cut.get(entry.file) {
            Some(chunks) => chunks.first()?.file,
            None => entry.file,
        };
        self.files.get(file)?.path.file_name()?.to_str()
    }

    fn tensor<'a>(&'a self, entry: &'a Entry) -> Tensor<'a> {
        if let Some(value) = self.values.get(entry.file) {
            return Tensor::of(entry.name.as_str(), value);
        }
        if let Some(chunks) = self.cut.get(entry.file) {
            return Tensor {
                name: entry.name.as_str().into(),
                encoding: entry.encoding,
                dims: entry.dims.clone(),
                strides: None,
                bytes: &[],
                dtype: entry.encoding.dtype(),
                place: Place::Chunks(Chunks { files: &self.files, chunks }),
            };
        }
        let file = &self.files[entry.file].data;
        Tensor {
            name: entry.name.as_str().into(),
            encoding: entry.encoding,
            dims: entry.dims.clone(),
            strides: entry.strides.as_deref(),
            bytes: &file[entry.start..entry.start + entry.bytes],
            dtype: entry.encoding.dtype(),
            place: Place::File(file, entry.start),
        }
    }
}

impl fmt::Debug for Tensors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tensors of {} files ({:?})", self.len(), self.files.len(), self.format)
    }
}

/// The entries' numbers by name.
///
/// # Errors
/// Two have the same name: the error says where each is, by `at`.
fn indexed(entries: &[Entry], at: impl Fn(&Entry) -> String) -> Result<FxHashMap<String, usize>> {
    let mut index = FxHashMap::default();
    for (i, entry) in entries.iter().enumerate() {
        let Some(other) = index.insert(entry.name.clone(), i) else { continue };
        let places = format!("in {} and {}", at(&entries[other]), at(entry));
        return Err(Error::input(format!("two tensors are called {}", entry.name)).context(places));
    }
    Ok(index)
}

/// The kind of a file, by its first bytes, and its tensors.
fn list(data: &[u8]) -> Result<(FileFormat, Listing)> {
    match data {
        [b'G', b'G', b'U', b'F', ..] => Ok((FileFormat::Gguf, gguf::list(data)?)),
        [b'P', b'K', 3 | 5, 4 | 6, ..] | [0x80, 0..=5, ..] if !safetensors::plausible(data) => {
            Ok((FileFormat::Pickle, pickle::list(data)?))
        }
        _ => Ok((FileFormat::Safetensors, safetensors::list(data)?)),
    }
}

//! An OCDBT database in the making.

use std::collections::HashSet;
use std::sync::Arc;

use jarrah_base::Result;
use jarrah_store::{Condition, Draft, Name, Upload};

use super::btree::{Root, Stored, StoredValue, build, file_table};
use super::options::{OrbaxCompression, OrbaxWriteOptions};
use super::{finish, put};
use crate::orbax::encode::{Sink, zstd};
use crate::orbax::location::Location;
use crate::orbax::ocdbt::{MANIFEST, MANIFEST_MAGIC, NODE_MAGIC};
use crate::orbax::output::{varint, varints};

/// Values of as many bytes begin at a multiple of [`ALIGNED`] bytes where they lie as they do in memory, so that a mapped file has them as processors want them.
const LARGE: u64 = 64 << 10;
const ALIGNED: u64 = 64;

/// The versions of a database that a node of its tree of versions has: two to the power of this.
const VERSIONS: u8 = 4;

/// A database that is written: values go to its data files as they come, keys are held in memory until the end.
pub(super) struct DatabaseWriter<'d> {
    draft: &'d dyn Draft,
    folder: Name,
    options: OrbaxWriteOptions,
    file: Option<DataFile>,
    files: u64,
    /// The data files that are one value each.
    apart: HashSet<String>,
    pub entries: Vec<Stored>,
}

/// A data file that is being written.
struct DataFile {
    upload: Box<dyn Upload>,
    name: Name,
    path: Arc<str>,
    length: u64,
}

impl<'d> DatabaseWriter<'d> {
    pub fn new(draft: &'d dyn Draft, folder: &Name, options: &OrbaxWriteOptions) -> DatabaseWriter<'d> {
        DatabaseWriter {
            draft,
            folder: folder.clone(),
            options: options.clone(),
            file: None,
            files: 0,
            apart: HashSet::new(),
            entries: Vec::new(),
        }
    }

    /// Begins the value of a key. About `length` bytes of it will come.
    pub fn value(&mut self, key: String, length: u64) -> Result<ValueWriter<'_, 'd>> {
        let limit = self.options.data_file_bytes;
        let is_full =
            |file: &DataFile| limit > 0 && file.length > 0 && file.length.saturating_add(length) > limit;
        if self.file.as_ref().is_some_and(is_full) {
            self.end_file()?;
        }
        let is_aligned = length >= LARGE && self.options.compression == OrbaxCompression::None;
        Ok(ValueWriter { database: self, key: key.into_bytes(), held: Vec::new(), begun: None, is_aligned })
    }

    /// Fills up the data file: what comes next begins at a multiple of [`ALIGNED`] bytes.
    fn align(&mut self) -> Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let missing = file.length.next_multiple_of(ALIGNED) - file.length;
        file.length += missing;
        file.upload.write(&[0; ALIGNED as usize][..missing as usize])
    }

    fn append(&mut self, bytes: &[u8]) -> Result<Location> {
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                self.files += 1;
                let digits: String = random(&self.options, &self.folder, self.files)
                    .map(|byte| format!("{byte:02x}"))
                    .concat();
                let path = format!("d/{digits}");
                let name = self.folder.join(&path)?;
                let upload = self.draft.create(&name)?;
                none.insert(DataFile { upload, name, path: path.into(), length: 0 })
            }
        };
        file.upload.write(bytes)?;
        let at =
            Location { path: file.path.clone(), base: 0, offset: file.length, length: bytes.len() as u64 };
        file.length += bytes.len() as u64;
        Ok(at)
    }

    /// Enters the value of a key that is all of a data file of its own, called by these digits. `make` makes the file, the first time that it is named.
    pub fn value_file(
        &mut self,
        key: String,
        digits: &str,
        length: u64,
        make: &mut dyn FnMut(&Name) -> Result<()>,
    ) -> Result<()> {
        let path = format!("d/{digits}");
        if !self.apart.contains(digits) {
            make(&self.folder.join(&path)?)?;
            self.apart.insert(digits.to_owned());
        }
        let value = StoredValue::File(Location { path: path.into(), base: 0, offset: 0, length });
        self.entries.push(Stored { key: key.into_bytes(), value });
        Ok(())
    }

    fn end_file(&mut self) -> Result<()> {
        match self.file.take() {
            // No other database has a file of this name, and a second database of the process has a second manifest, which is refused.
            Some(file) => finish(file.upload, &file.name, Condition::Always),
            None => Ok(()),
        }
    }

    /// Writes the tree and the manifest and gives the entries in the order of their keys. A database without keys has no files.
    pub fn finish(mut self) -> Result<Vec<Stored>> {
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        let compressed = self.options.compress_nodes;
        let root = build(&entries, self.options.node_bytes, &mut |body| {
            self.append(&sealed(NODE_MAGIC, body, compressed))
        })?;
        self.end_file()?;
        if let Some(root) = root {
            let body = manifest(&root, random(&self.options, &self.folder, 0), &self.options);
            put(self.draft, &self.folder.join(MANIFEST)?, &sealed(MANIFEST_MAGIC, &body, compressed))?;
        }
        Ok(entries)
    }
}

/// Sixteen bytes that differ for each `number` of a database, and for each database of a save.
fn random(options: &OrbaxWriteOptions, folder: &Name, number: u64) -> [u8; 16] {
    let hash = blake3::hash(format!("{} {folder} {number}", options.seed).as_bytes());
    hash.as_bytes().first_chunk::<16>().copied().unwrap_or_default()
}

/// The body of a manifest whose one version has this root.
fn manifest(root: &Root, uuid: [u8; 16], options: &OrbaxWriteOptions) -> Vec<u8> {
    let mut out = uuid.to_vec();
    // A manifest in one file.
    varints(&mut out, [0, options.inline_bytes as u64, options.node_bytes as u64]);
    out.push(VERSIONS);
    varint(&mut out, u64::from(options.compress_nodes));
    if options.compress_nodes {
        // The default level of zstd.
        out.extend(0u32.to_le_bytes());
    }
    file_table(&mut out, &root.location);
    // One version, of generation 1.
    varints(&mut out, [1, 1]);
    out.push(root.height);
    let Location { offset, length, .. } = root.location;
    varints(&mut out, [0, offset, length, root.sums.keys, root.sums.tree_bytes, root.sums.file_bytes]);
    out.extend(options.time_nanos.to_le_bytes());
    // No nodes of older versions.
    varint(&mut out, 0);
    out
}

/// A manifest or a node, with its header and its checksum.
fn sealed(magic: u32, body: &[u8], is_compressed: bool) -> Vec<u8> {
    let mut out = magic.to_be_bytes().to_vec();
    // The length is known at the end; the format has version 0.
    out.extend([0; 9]);
    out.push(u8::from(is_compressed));
    match is_compressed {
        true => zstd(body, &mut out).expect("invariant: a vector takes all bytes"),
        false => out.extend_from_slice(body),
    }
    let length = out.len() as u64 + 4;
    out[4..12].copy_from_slice(&length.to_le_bytes());
    out.extend(crc32c::crc32c(&out).to_le_bytes());
    out
}

/// A value that is being written. It is held until it has too many bytes to lie in a node; then it goes to a data file as it comes.
pub(super) struct ValueWriter<'w, 'd> {
    database: &'w mut DatabaseWriter<'d>,
    key: Vec<u8>,
    held: Vec<u8>,
    /// The place of the bytes that went to a data file.
    begun: Option<Location>,
    is_aligned: bool,
}

impl Sink for ValueWriter<'_, '_> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some(begun) = &mut self.begun {
            begun.length += self.database.append(bytes)?.length;
        } else if self.held.len() + bytes.len() <= self.database.options.inline_bytes {
            self.held.extend_from_slice(bytes);
        } else {
            if self.is_aligned {
                self.database.align()?;
            }
            let mut begun = self.database.append(&std::mem::take(&mut self.held))?;
            begun.length += self.database.append(bytes)?.length;
            self.begun = Some(begun);
        }
        Ok(())
    }
}

impl ValueWriter<'_, '_> {
    pub fn finish(self) {
        let value = match self.begun {
            Some(location) => StoredValue::File(location),
            None => StoredValue::Inline(self.held),
        };
        self.database.entries.push(Stored { key: self.key, value });
    }
}

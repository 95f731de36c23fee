//! Databases of TensorStore's driver OCDBT: a manifest names the root of a B+tree, whose leaves have values or say where in a data file they lie.
//!
//! Source: TensorStore's documentation of the kvstore driver `ocdbt`, "Storage format".

use std::borrow::Cow;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

use jarrah_base::{Error, Result};
use jarrah_store::Object;
use rustc_hash::FxHashMap;

use super::bytes::Bytes;
use super::files::Files;
use super::input::Input;
use super::kept::Kept;
use super::location::{Location, file_table, located};
use super::node::{Entry, Node, Place};
use super::wrong;

pub(super) const MANIFEST: &str = "manifest.ocdbt";
pub(super) const MANIFEST_MAGIC: u32 = 0x0cdb_3a2a;
pub(super) const NODE_MAGIC: u32 = 0x0cdb_20de;

/// The decoded leaves that are kept, and the inner nodes, in bytes.
const KEPT: [usize; 2] = [64 << 20, 256 << 20];

/// A part may be this many times as large decoded as it is encoded, and [`SPARE`] bytes more: as many as a node that Orbax writes, in which the descriptions
/// of a hundred thousand equal arrays are compressed to less than a three-hundredth.
const RATIO: usize = 256;
const SPARE: usize = 100_000_000;

/// A database, opened at its latest version.
pub(super) struct Database {
    folder: Files,
    root: Option<(Location, u8)>,
    files: Mutex<FxHashMap<Arc<str>, Arc<dyn Object>>>,
    nodes: Mutex<Kept<Location, Node>>,
}

impl Database {
    /// The database in a folder; none where there is no manifest.
    pub fn open(folder: &Files) -> Result<Option<Database>> {
        let Some(found) = manifest(folder, MANIFEST)? else { return Ok(None) };
        let root = match found {
            Manifest::Versions(root) => root,
            Manifest::Numbered => {
                let name = latest_numbered(folder)?;
                match manifest(folder, &name)? {
                    Some(Manifest::Versions(root)) => root,
                    Some(Manifest::Numbered) => {
                        return Err(wrong("a numbered manifest refers to numbered manifests")
                            .context(format!("in {}", folder.path().join(name).display())));
                    }
                    None => return Err(wrong(format!("{name} was removed while it was read"))),
                }
            }
        };
        Ok(Some(Database {
            folder: folder.clone(),
            root,
            files: Mutex::default(),
            nodes: Mutex::new(Kept::new(KEPT)),
        }))
    }

    /// The value of `key`.
    pub fn get(&self, key: &str) -> Result<Option<Bytes>> {
        let Some((mut at, mut height)) = self.root.clone() else { return Ok(None) };
        let mut rest = key.as_bytes();
        loop {
            let node = self.node(&at, height)?;
            if height == 0 {
                let Some(entry) = node.find(rest) else { return Ok(None) };
                return match &node.entries[entry].place {
                    Place::Inline(range) => Ok(Some(Bytes::Node(node.clone(), range.clone()))),
                    Place::File(location) => Ok(Some(self.stretch(location)?)),
                };
            }
            let Some(Entry { common, place: Place::File(location), .. }) = node.child(rest) else {
                return Ok(None);
            };
            let Some(behind) = rest.strip_prefix(common.as_slice()) else { return Ok(None) };
            rest = behind;
            at = location.clone();
            height -= 1;
        }
    }

    /// The bytes of a stretch of a data file.
    fn stretch(&self, at: &Location) -> Result<Bytes> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match files.get(&at.path) {
            Some(file) => file.clone(),
            None => {
                let file = self.folder.required(&at.path)?;
                files.insert(at.path.clone(), file.clone());
                file
            }
        };
        let end = at.offset.checked_add(at.length).filter(|&end| end <= file.len());
        let end = end.ok_or_else(|| {
            wrong(format!(
                "the database refers to {} bytes at {} of {}, which has {}",
                at.length,
                at.offset,
                at.path,
                file.len()
            ))
        })?;
        Ok(Bytes::Object(file, at.offset..end))
    }

    /// The node at a location, which has to have this height: children are lower than their parents, so that a tree has no cycle.
    fn node(&self, at: &Location, height: u8) -> Result<Arc<Node>> {
        let kept = self.nodes.lock().unwrap_or_else(PoisonError::into_inner).get(at);
        let node = match kept {
            Some(node) => node,
            None => {
                let place = || format!("in {} at {}", at.path, at.offset);
                let bytes = self.stretch(at)?;
                let bytes = bytes.all().map_err(|e| e.context(place()))?;
                let body = part(&bytes, NODE_MAGIC, "B+tree node").map_err(|e| e.context(place()))?;
                let most = bytes.len().saturating_mul(RATIO).saturating_add(SPARE);
                let node = Node::read(body.into_owned(), &at.path[..at.base], most);
                let node = Arc::new(node.map_err(|e| e.context(place()))?);
                let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
                nodes.put(at.clone(), node.clone(), node.held(), node.height);
                node
            }
        };
        if node.height != height {
            return Err(wrong(format!("a B+tree node has height {}, its parent says {height}", node.height))
                .context(format!("in {} at {}", at.path, at.offset)));
        }
        Ok(node)
    }
}

enum Manifest {
    /// The location of the root of the latest version, and its height; none where there is no key.
    Versions(Option<(Location, u8)>),
    /// The versions are in files of their own.
    Numbered,
}

/// The manifest in a file of a folder; none where there is no such file.
fn manifest(folder: &Files, name: &str) -> Result<Option<Manifest>> {
    let Some(bytes) = folder.read(name)? else { return Ok(None) };
    let read = || -> Result<Manifest> {
        let body = part(&bytes, MANIFEST_MAGIC, "manifest")?;
        let mut input = Input::new(&body, "manifest");
        let _uuid = input.take(16)?;
        let kind = input.varint()?;
        let _largest = [input.varint()?, input.varint()?];
        let _arity = input.byte()?;
        match input.varint()? {
            0 => {}
            1 => _ = input.take(4)?,
            method => return Err(wrong(format!("the manifest names the compression method {method}"))),
        }
        match kind {
            0 => Ok(Manifest::Versions(latest(&mut input)?)),
            1 => Ok(Manifest::Numbered),
            _ => Err(wrong(format!("the manifest is of kind {kind}; known are 0 and 1"))),
        }
    };
    read().map(Some).map_err(|e| e.context(format!("in {}", folder.path().join(name).display())))
}

/// The root of the latest of a manifest's inline versions. References to older versions lie behind them.
fn latest(input: &mut Input<'_>) -> Result<Option<(Location, u8)>> {
    let files = file_table(input, "")?;
    let count = input.count()?;
    let _generations = input.varints(count)?;
    let heights = input.take(count)?;
    let [ids, offsets, lengths] = [input.varints(count)?, input.varints(count)?, input.varints(count)?];
    let (Some(&height), Some(&id), Some(&offset), Some(&length)) =
        (heights.last(), ids.last(), offsets.last(), lengths.last())
    else {
        return Ok(None);
    };
    // A tree without keys has no root.
    if offset == u64::MAX && length == u64::MAX {
        return Ok(None);
    }
    Ok(Some((located(&files, id, offset, length)?, height)))
}

/// The name of the manifest with the highest number: `manifest.0000000000000005`.
fn latest_numbered(folder: &Files) -> Result<String> {
    let mut latest: Option<String> = None;
    for name in folder.files()? {
        let number = name.strip_prefix("manifest.").filter(|number| number.len() == 16);
        let is_number = number.is_some_and(|n| n.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')));
        if is_number && latest.as_ref().is_none_or(|latest| *latest < name) {
            latest = Some(name);
        }
    }
    latest.ok_or_else(|| wrong(format!("{} has no numbered manifest", folder.path().display())))
}

/// The body of a manifest or of a node: its header and checksum are checked, and it is decompressed.
fn part<'a>(bytes: &'a [u8], magic: u32, name: &'static str) -> Result<Cow<'a, [u8]>> {
    let Some((rest, checksum)) = bytes.split_last_chunk::<4>() else {
        return Err(wrong(format!("a {name} of {} bytes is cut short", bytes.len())));
    };
    let mut input = Input::new(rest, name);
    if input.take(4)? != magic.to_be_bytes() {
        return Err(wrong(format!("the bytes are no {name} of OCDBT: they begin otherwise")));
    }
    if input.take(8)? != (bytes.len() as u64).to_le_bytes() {
        return Err(wrong(format!("a {name} of {} bytes says that it has another length", bytes.len())));
    }
    if u32::from_le_bytes(*checksum) != crc32c::crc32c(rest) {
        return Err(wrong(format!("the checksum of a {name} differs: the file is damaged")));
    }
    let version = input.varint()?;
    if version != 0 {
        return Err(wrong(format!("a {name} has version {version} of its format; known is 0")));
    }
    let compression = input.varint()?;
    let body = &rest[input.position()..];
    match compression {
        0 => Ok(Cow::Borrowed(body)),
        1 => Ok(Cow::Owned(decompress(body, name)?)),
        _ => Err(wrong(format!("a {name} has the compression format {compression}; known are 0 and 1"))),
    }
}

fn decompress(body: &[u8], name: &str) -> Result<Vec<u8>> {
    let most = body.len().saturating_mul(RATIO).saturating_add(SPARE);
    let mut decoded = Vec::new();
    let decoder = ruzstd::decoding::StreamingDecoder::new(body).map_err(|e| bad(name, &e))?;
    decoder.take(most as u64 + 1).read_to_end(&mut decoded).map_err(|e| bad(name, &e))?;
    match decoded.len() <= most {
        true => Ok(decoded),
        false => Err(wrong(format!("a {name} of {} bytes has more than {most} decompressed", body.len()))),
    }
}

fn bad(name: &str, e: &dyn std::fmt::Display) -> Error {
    wrong(format!("a {name} is not what zstd writes: {e}"))
}

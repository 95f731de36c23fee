use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use blake3::Hasher;
use jarrah_base::Result;
use jarrah_store::{Condition, Draft, Name, ObjectVersion, Upload};

use super::FileRecord;
use crate::hash::hex;

/// A draft that records the length and the checksum of each file that is written to it.
#[derive(Debug)]
pub struct Recorder {
    draft: Box<dyn Draft>,
    recorded: Arc<Recorded>,
}

#[derive(Default, Debug)]
struct Recorded {
    /// Whether the bytes that come are those of tensors, which have checksums of their own.
    is_tensor: AtomicBool,
    files: Mutex<Vec<FileRecord>>,
    linked_bytes: AtomicU64,
}

impl Recorder {
    pub fn new(draft: Box<dyn Draft>) -> Recorder {
        Recorder { draft, recorded: Arc::default() }
    }

    /// Tells the bytes that follow: of tensors that have checksums of their own, or others.
    pub fn tensors(&self, is_tensor: bool) {
        self.recorded.is_tensor.store(is_tensor, Ordering::Relaxed);
    }

    /// Tells a file of these bytes of tensors that is a link, and was not written.
    pub fn linked(&self, name: &Name, bytes: u64, sum: &str) {
        let is_tensor = self.recorded.is_tensor.load(Ordering::Relaxed);
        let (tensor_bytes, blake3) =
            if is_tensor { (bytes, hex(&Hasher::new())) } else { (0, sum.to_owned()) };
        let record = FileRecord { name: name.to_string(), bytes, tensor_bytes, blake3 };
        self.recorded.linked_bytes.fetch_add(bytes, Ordering::Relaxed);
        self.recorded.files.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    /// The bytes of files that are links.
    pub fn linked_bytes(&self) -> u64 {
        self.recorded.linked_bytes.load(Ordering::Relaxed)
    }

    /// The files that were written so far, by name.
    pub fn files(&self) -> Vec<FileRecord> {
        let mut files = self.recorded.files.lock().unwrap_or_else(PoisonError::into_inner).clone();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files
    }
}

impl Draft for Recorder {
    fn token(&self) -> &str {
        self.draft.token()
    }

    fn create(&self, name: &Name) -> Result<Box<dyn Upload>> {
        Ok(Box::new(RecordedUpload {
            upload: self.draft.create(name)?,
            name: name.to_string(),
            recorded: self.recorded.clone(),
            bytes: 0,
            tensor_bytes: 0,
            hasher: Hasher::new(),
        }))
    }

    fn link(&self, name: &Name, object: &Name) -> Result<bool> {
        self.draft.link(name, object)
    }

    fn publish(self: Box<Self>) -> Result<bool> {
        self.draft.publish()
    }

    fn replace(self: Box<Self>) -> Result<()> {
        self.draft.replace()
    }
}

struct RecordedUpload {
    upload: Box<dyn Upload>,
    name: String,
    recorded: Arc<Recorded>,
    bytes: u64,
    tensor_bytes: u64,
    hasher: Hasher,
}

impl Upload for RecordedUpload {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let is_first = self.bytes == self.tensor_bytes;
        self.bytes += bytes.len() as u64;
        match is_first && self.recorded.is_tensor.load(Ordering::Relaxed) {
            true => self.tensor_bytes = self.bytes,
            false => drop(self.hasher.update(bytes)),
        }
        self.upload.write(bytes)
    }

    fn finish(self: Box<Self>, condition: Condition) -> Result<Option<ObjectVersion>> {
        let version = self.upload.finish(condition)?;
        if version.is_some() {
            let blake3 = hex(&self.hasher);
            let record =
                FileRecord { name: self.name, bytes: self.bytes, tensor_bytes: self.tensor_bytes, blake3 };
            self.recorded.files.lock().unwrap_or_else(PoisonError::into_inner).push(record);
        }
        Ok(version)
    }
}

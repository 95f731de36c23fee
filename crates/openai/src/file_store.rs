//! The files that clients upload and batches write, kept in memory until they are deleted or the server ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use hyper::StatusCode;
use serde_json::{Value, json};

use crate::clock::now;
use crate::refusal::{Refusal, Result};

/// The most files. The limit of bytes does not bound small files, whose records take memory too.
const MOST: usize = 4096;
/// All files, whose bytes together are limited.
pub struct Files {
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The files in the order in which they came.
    files: Vec<Arc<File>>,
    /// The bytes of all files, and of drafts that are still written.
    bytes: usize,
}

/// A file.
pub struct File {
    pub id: String,
    name: String,
    purpose: String,
    created: u64,
    /// Whether a client has downloaded the file.
    pub is_read: AtomicBool,
    pub content: Bytes,
}

impl File {
    pub fn new(id: String, name: String, purpose: &str, content: Bytes) -> File {
        let is_read = AtomicBool::new(false);
        File { id, name, purpose: purpose.to_owned(), created: now(), is_read, content }
    }

    /// The file as a JSON object of OpenAI's API.
    pub fn card(&self) -> Value {
        json!({
            "id": self.id, "object": "file", "bytes": self.content.len(), "created_at": self.created,
            "filename": self.name, "purpose": self.purpose, "status": "processed", "expires_at": null,
            "status_details": null,
        })
    }
}

/// The lines of a file that is being written, whose bytes are counted in `Kept::bytes` already.
pub struct Draft<'a> {
    files: &'a Files,
    lines: Vec<(usize, String)>,
    bytes: usize,
}

impl Draft<'_> {
    /// Adds the line of this number. Returns whether the limit of bytes had room for it.
    pub fn push(&mut self, number: usize, line: String) -> bool {
        let bytes = line.len() + 1;
        let has_room = self.files.take(bytes);
        if has_room {
            self.lines.push((number, line));
            self.bytes += bytes;
        }
        has_room
    }

    /// Makes a file of the lines, in the order of their numbers; nothing if there are no lines.
    pub fn finish(mut self, id: String, name: String) -> Option<Arc<File>> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.sort_unstable_by_key(|(number, _)| *number);
        let mut text = String::with_capacity(std::mem::take(&mut self.bytes));
        for (_, line) in lines {
            text += &line;
            text.push('\n');
        }
        let file = File::new(id, name, "batch_output", Bytes::from(text));
        let file = Arc::new(file);
        (!file.content.is_empty()).then(|| self.files.lock().files.push(file.clone()))?;
        Some(file)
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        self.files.lock().bytes -= self.bytes;
    }
}

impl Files {
    /// A store for at most `most` bytes of files.
    pub fn new(most: usize) -> Files {
        Files { most, kept: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes room for so many bytes of one file. Returns whether there is room.
    pub fn take(&self, bytes: usize) -> bool {
        let mut kept = self.lock();
        let has_room = kept.bytes + bytes <= self.most && kept.files.len() < MOST;
        kept.bytes += if has_room { bytes } else { 0 };
        has_room
    }

    /// Keeps a file, whose bytes were taken.
    pub fn keep(&self, file: File) -> Arc<File> {
        let file = Arc::new(file);
        self.lock().files.push(file.clone());
        file
    }

    /// An empty draft of a file.
    pub fn draft(&self) -> Draft<'_> {
        Draft { files: self, lines: Vec::new(), bytes: 0 }
    }

    /// The file of an id.
    pub fn get(&self, id: &str) -> Result<Arc<File>> {
        let found = self.lock().files.iter().find(|file| file.id == id).cloned();
        found.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, format!("there is no file `{id}` here")))
    }

    /// Whether the file of an id exists and nobody has downloaded it.
    pub fn is_unread(&self, id: &str) -> bool {
        self.get(id).is_ok_and(|file| !file.is_read.load(Ordering::Relaxed))
    }

    /// Deletes the file of an id.
    pub fn delete(&self, id: &str) -> Result<Value> {
        let file = self.get(id)?;
        let mut kept = self.lock();
        let before = kept.files.len();
        kept.files.retain(|other| other.id != file.id);
        // Another request may have deleted the file meanwhile.
        kept.bytes -= if kept.files.len() < before { file.content.len() } else { 0 };
        Ok(json!({"id": id, "object": "file", "deleted": true}))
    }

    /// All files as JSON objects, the newest first.
    pub fn cards(&self) -> Vec<Value> {
        self.lock().files.iter().rev().map(|file| file.card()).collect()
    }

    pub fn full(&self) -> Refusal {
        let message = format!(
            "the server keeps files of {} bytes together, and {MOST} of them: delete some",
            self.most
        );
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message).at("file")
    }
}

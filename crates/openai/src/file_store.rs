//! The files that clients upload and batches write, kept in memory until they are deleted or the server ends.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
    /// The files in the order in which they came.
    kept: Mutex<Vec<Arc<File>>>,
    limit: Arc<Limit>,
}

/// The bytes that files and drafts may have together, and those that they have.
struct Limit {
    most: usize,
    used: AtomicUsize,
}

/// Bytes of the limit. A file has them until its last holder is gone, so that a deleted file whose batch waits still counts.
pub struct Room {
    limit: Arc<Limit>,
    bytes: usize,
}

impl Room {
    /// Takes so many bytes more. Returns whether the limit has them.
    fn grow(&mut self, bytes: usize) -> bool {
        let most = self.limit.most;
        let more = |used: usize| used.checked_add(bytes).filter(|&used| used <= most);
        let has_room = self.limit.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok();
        self.bytes += if has_room { bytes } else { 0 };
        has_room
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.limit.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
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
    _room: Room,
}

impl File {
    pub fn new(id: String, name: String, purpose: &str, content: Bytes, room: Room) -> File {
        let is_read = AtomicBool::new(false);
        File { id, name, purpose: purpose.to_owned(), created: now(), is_read, content, _room: room }
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

/// The lines of a file that is being written, whose bytes count already.
pub struct Draft<'a> {
    files: &'a Files,
    lines: Vec<(usize, String)>,
    room: Room,
}

impl Draft<'_> {
    /// Adds the line of this number. Returns whether the limit of bytes had room for it.
    pub fn push(&mut self, number: usize, line: String) -> bool {
        let has_room = self.files.has_place() && self.room.grow(line.len() + 1);
        if has_room {
            self.lines.push((number, line));
        }
        has_room
    }

    /// Makes a file of the lines, in the order of their numbers; nothing if there are no lines.
    pub fn finish(mut self, id: String, name: String) -> Option<Arc<File>> {
        self.lines.sort_unstable_by_key(|(number, _)| *number);
        let mut text = String::with_capacity(self.room.bytes);
        for (_, line) in self.lines {
            text += &line;
            text.push('\n');
        }
        let file = File::new(id, name, "batch_output", Bytes::from(text), self.room);
        (!file.content.is_empty()).then(|| self.files.keep(file))
    }
}

impl Files {
    /// A store for at most `most` bytes of files.
    pub fn new(most: usize) -> Files {
        Files { kept: Mutex::default(), limit: Arc::new(Limit { most, used: AtomicUsize::new(0) }) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<File>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether one file more may be kept.
    fn has_place(&self) -> bool {
        self.lock().len() < MOST
    }

    /// Room for so many bytes of one file, if there is room.
    pub fn take(&self, bytes: usize) -> Option<Room> {
        let mut room = Room { limit: self.limit.clone(), bytes: 0 };
        (self.has_place() && room.grow(bytes)).then_some(room)
    }

    /// Keeps a file.
    pub fn keep(&self, file: File) -> Arc<File> {
        let file = Arc::new(file);
        self.lock().push(file.clone());
        file
    }

    /// An empty draft of a file.
    pub fn draft(&self) -> Draft<'_> {
        Draft { files: self, lines: Vec::new(), room: Room { limit: self.limit.clone(), bytes: 0 } }
    }

    /// The file of an id.
    pub fn get(&self, id: &str) -> Result<Arc<File>> {
        let found = self.lock().iter().find(|file| file.id == id).cloned();
        found.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, format!("there is no file `{id}` here")))
    }

    /// Whether the file of an id exists and nobody has downloaded it.
    pub fn is_unread(&self, id: &str) -> bool {
        self.get(id).is_ok_and(|file| !file.is_read.load(Ordering::Relaxed))
    }

    /// Deletes the file of an id.
    pub fn delete(&self, id: &str) -> Result<Value> {
        let file = self.get(id)?;
        self.lock().retain(|other| other.id != file.id);
        Ok(json!({"id": id, "object": "file", "deleted": true}))
    }

    /// All files as JSON objects, the newest first.
    pub fn cards(&self) -> Vec<Value> {
        self.lock().iter().rev().map(|file| file.card()).collect()
    }

    pub fn full(&self) -> Refusal {
        let message = format!(
            "the server keeps files of {} bytes together, and {MOST} of them: delete some",
            self.limit.most
        );
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message).at("file")
    }
}

//! `/v1/files`: files that clients upload and batches write, kept in memory until they are deleted or the server ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::Response;
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use serde_json::{Value, json};

use crate::app::{App, now};
use crate::body::whole;
use crate::multipart::parts;
use crate::refusal::{Refusal, Result};

/// The most files. The limit of bytes does not bound small files, whose records take memory too.
const MOST: usize = 4096;
/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 512;

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
    is_read: AtomicBool,
    pub content: Bytes,
}

impl File {
    fn new(id: String, name: String, purpose: &str, content: Bytes) -> File {
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

    fn take(&self, bytes: usize) -> bool {
        let mut kept = self.lock();
        let has_room = kept.bytes + bytes <= self.most && kept.files.len() < MOST;
        kept.bytes += if has_room { bytes } else { 0 };
        has_room
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

    fn full(&self) -> Refusal {
        let message = format!(
            "the server keeps files of {} bytes together, and {MOST} of them: delete some",
            self.most
        );
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message).at("file")
    }
}

/// Stores the file of an upload: `multipart/form-data` with the parts `file` and `purpose`.
pub async fn upload(app: Arc<App>, request: Request) -> Result<Value> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.to_owned();
    if !kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        let message = format!("the body must be of type multipart/form-data, but is of type `{kind}`");
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    // The multipart headers around a file have a few hundred bytes.
    let body = whole(&app, request, app.options.most_files.saturating_add(1 << 12)).await?;
    let parts = parts(&kind, &body.bytes)?;
    let part = |name: &str| {
        let found = parts.iter().find(|part| part.name == name);
        found.ok_or_else(|| Refusal::field(name, format!("`{name}` is missing")))
    };
    let (file, purpose) = (part("file")?, part("purpose")?);
    let purpose = match purpose.content {
        b"batch" => "batch",
        other => {
            let message = format!(
                "`purpose` is `{}`, but files are kept here for batches: write `batch`",
                String::from_utf8_lossy(other).chars().take(40).collect::<String>()
            );
            return Err(Refusal::field("purpose", message));
        }
    };
    let name = file.file.clone().unwrap_or_else(|| "file".to_owned());
    if name.len() > LONGEST_NAME {
        return Err(Refusal::field(
            "file",
            format!("the name of the file is longer than {LONGEST_NAME} bytes"),
        ));
    }
    if !app.files.take(file.content.len()) {
        return Err(app.files.full());
    }
    let content = Bytes::copy_from_slice(file.content);
    let file = Arc::new(File::new(format!("file-{}", app.id()), name, purpose, content));
    app.files.lock().files.push(file.clone());
    Ok(file.card())
}

/// The response with the bytes of a file.
pub fn content(app: &App, id: &str) -> Result<Response> {
    let file = app.files.get(id)?;
    file.is_read.store(true, Ordering::Relaxed);
    let mut response = Response::new(Body::from(file.content.clone()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    Ok(response)
}

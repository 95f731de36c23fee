//! `/v1/files`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use jarrah_http::{Asked, Whole};

use crate::app::App;
use crate::file_store::File;
use crate::lists::page;
use crate::multipart::parts;
use crate::refusal::{Refusal, Result, tell};

/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 512;

/// Stores the file of an upload: `multipart/form-data` with the parts `file` and `purpose`.
pub async fn upload(app: Arc<App>, request: Request) -> Result<Response> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.to_owned();
    if !kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        let message = format!("the body must be of type multipart/form-data, but is of type `{kind}`");
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    // The multipart headers around a file have a few hundred bytes.
    let mut body = Whole::read(&app.shared, request, app.options.most_files.saturating_add(1 << 12)).await?;
    let parts = parts(&kind, std::mem::take(&mut body.bytes)).await?;
    let part = |name: &str| {
        let found = parts.iter().find(|part| part.name == name);
        found.ok_or_else(|| Refusal::field(name, format!("`{name}` is missing")))
    };
    let (file, purpose) = (part("file")?, part("purpose")?);
    let purpose = match &*purpose.content {
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
    let room = app.files.take(file.content.len()).ok_or_else(|| app.files.full())?;
    let content = file.content.clone();
    let file = app.files.keep(File::new(format!("file-{}", app.id()), name, purpose, content, room));
    Ok(tell(&file.card()))
}

/// Lists the files.
pub fn list(app: &App, asked: &Asked) -> Result<Response> {
    page(app.files.cards(), asked)
}

/// Tells of a file.
pub fn get(app: &App, asked: &Asked) -> Result<Response> {
    Ok(tell(&app.files.get(&asked.variable)?.card()))
}

/// Deletes a file.
pub fn delete(app: &App, asked: &Asked) -> Result<Response> {
    Ok(tell(&app.files.delete(&asked.variable)?))
}

/// Answers with the bytes of a file.
pub fn content(app: &App, asked: &Asked) -> Result<Response> {
    let file = app.files.get(&asked.variable)?;
    file.is_read.store(true, Ordering::Relaxed);
    let mut response = Response::new(Body::from(file.content.clone()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    Ok(response)
}

//! Reads `multipart/form-data`, the body of a form with files.

use axum::body::{Body, Bytes};
use hyper::header::CONTENT_DISPOSITION;
use multer::{Error, Multipart, parse_boundary};

use crate::refusal::{Refusal, Result};

/// The most bytes of a boundary.
const LONGEST_BOUNDARY: usize = 70;

/// A part of a body.
pub struct Part {
    pub name: String,
    /// The file name, if the part is a file.
    pub file: Option<String>,
    pub content: Bytes,
}

/// The parts of a body of the type `multipart/form-data`.
///
/// Source: RFC 7578, and RFC 2046, section 5.1.
pub async fn parts(kind: &str, body: Vec<u8>) -> Result<Vec<Part>> {
    let boundary = parse_boundary(kind).ok();
    let boundary = boundary.filter(|boundary| (1..=LONGEST_BOUNDARY).contains(&boundary.len()));
    let boundary = boundary.ok_or_else(|| damaged("its type names no boundary"))?;
    let mut form = Multipart::new(Body::from(body).into_data_stream(), boundary);
    let mut parts = Vec::new();
    while let Some(field) = form.next_field().await.map_err(|e| wrong(&e, parts.is_empty()))? {
        let lacks = match field.headers().contains_key(CONTENT_DISPOSITION) {
            true => "a part has no name",
            false => "a part has no content-disposition",
        };
        let name = field.name().ok_or_else(|| damaged(lacks))?.to_owned();
        let file = field.file_name().map(str::to_owned);
        let content = field.bytes().await.map_err(|e| wrong(&e, false))?;
        parts.push(Part { name, file, content });
    }
    Ok(parts)
}

fn damaged(what: &str) -> Refusal {
    Refusal::bad(format!("the body is no multipart/form-data: {what}"))
}

/// The refusal of a body that cannot be divided into parts.
fn wrong(error: &Error, is_first: bool) -> Refusal {
    match error {
        Error::IncompleteStream if is_first => damaged("it has no part"),
        Error::IncompleteStream | Error::IncompleteFieldData { .. } => damaged("its last part has no end"),
        Error::IncompleteHeaders | Error::ReadHeaderFailed(_) => damaged("a part has no head"),
        Error::DecodeHeaderName { .. } | Error::DecodeHeaderValue { .. } => {
            damaged("the head of a part is no text")
        }
        other => damaged(&other.to_string()),
    }
}

//! Parser of `multipart/form-data`, the body of a form with files.

use crate::refusal::{Refusal, Result};

/// A part of a body.
#[derive(Debug, PartialEq)]
pub struct Part<'a> {
    pub name: String,
    /// The file name, if the part is a file.
    pub file: Option<String>,
    pub content: &'a [u8],
}

/// The parts of a body of the type `multipart/form-data`.
///
/// Source: RFC 7578, and RFC 2046, section 5.1.
pub fn parts<'a>(kind: &str, body: &'a [u8]) -> Result<Vec<Part<'a>>> {
    let damaged = |what: &str| Refusal::bad(format!("the body is no multipart/form-data: {what}"));
    let boundary = parameter(kind, "boundary").filter(|boundary| (1..=70).contains(&boundary.len()));
    let boundary = boundary.ok_or_else(|| damaged("its type names no boundary"))?;
    let mark = format!("\r\n--{boundary}").into_bytes();
    // The first mark may be the beginning of the body.
    let first = &mark[2..];
    let mut rest = match body.strip_prefix(first) {
        Some(rest) => rest,
        None => &body[find(body, &mark).ok_or_else(|| damaged("it has no part"))? + mark.len()..],
    };
    let mut parts = Vec::new();
    while !rest.starts_with(b"--") {
        let end = find(rest, &mark).ok_or_else(|| damaged("its last part has no end"))?;
        let (part, behind) = (&rest[..end], &rest[end + mark.len()..]);
        let head = find(part, b"\r\n\r\n").ok_or_else(|| damaged("a part has no head"))?;
        let (head, content) = (&part[..head], &part[head + 4..]);
        let head = std::str::from_utf8(head).map_err(|_| damaged("the head of a part is no text"))?;
        let disposition = head.split("\r\n").find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
        });
        let disposition = disposition.ok_or_else(|| damaged("a part has no content-disposition"))?;
        let name = parameter(disposition, "name").ok_or_else(|| damaged("a part has no name"))?;
        parts.push(Part { name, file: parameter(disposition, "filename"), content });
        rest = behind;
    }
    Ok(parts)
}

/// The parameter `name` of a header such as `form-data; name="file"; filename="a.jsonl"`.
fn parameter(header: &str, name: &str) -> Option<String> {
    let mut rest = header.split_once(';')?.1;
    loop {
        let (key, value) = rest.split_once('=')?;
        let is_it = key.trim().eq_ignore_ascii_case(name);
        let (text, behind) = match value.strip_prefix('"') {
            None => value
                .split_once(';')
                .map_or((value.trim().to_owned(), ""), |(text, behind)| (text.trim().to_owned(), behind)),
            Some(quoted) => quotation(quoted)?,
        };
        if is_it {
            return Some(text);
        }
        rest = behind.trim_start().trim_start_matches(';');
    }
}

/// The text up to the closing quotation mark, unescaped, and the text behind the mark.
fn quotation(text: &str) -> Option<(String, &str)> {
    let mut unquoted = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((unquoted, &text[at + 1..])),
            '\\' => unquoted.push(characters.next()?.1),
            c => unquoted.push(c),
        }
    }
    None
}

/// The position of the first `what` in `bytes`.
fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    let first = *what.first()?;
    let mut from = 0;
    while let Some(at) = bytes.get(from..)?.iter().position(|byte| *byte == first) {
        if bytes[from + at..].starts_with(what) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

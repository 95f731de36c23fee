use jarrah_base::{Error, Result};

use super::json_object::{JsonObject, plain};

/// The text of a field of a record that is an object of JSON: that of a string, and of any other value as it is written. Dots in `path` lead to fields of fields.
/// `None`, where there is no such field, or it is null.
///
/// ```
/// use jarrah_data::json_text;
/// let record = br#"{"text": "so it goes", "meta": {"stars": 5, "by": null}}"#;
/// assert_eq!(json_text(record, "text")?.as_deref(), Some("so it goes"));
/// assert_eq!(json_text(record, "meta.stars")?.as_deref(), Some("5"));
/// assert_eq!(json_text(record, "meta.by")?, None);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// The record is no object of JSON (`Input`).
pub fn json_text(record: &[u8], path: &str) -> Result<Option<String>> {
    let read = |text: &[u8]| {
        JsonObject::read(text).ok_or_else(|| {
            let start = String::from_utf8_lossy(&text[..text.len().min(60)]);
            Error::input(format!("the record is no object of JSON, which has the field `{path}`: {start}"))
        })
    };
    let mut object = read(record)?;
    let mut keys = path.split('.').peekable();
    while let Some(key) = keys.next() {
        let Some(value) = object.get(key).filter(|value| *value != "null") else { return Ok(None) };
        if keys.peek().is_none() {
            return Ok(Some(plain(value)));
        }
        object = match JsonObject::read(value.as_bytes()) {
            Some(inner) => inner,
            None => return Ok(None),
        };
    }
    Ok(None)
}

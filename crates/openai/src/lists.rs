//! Lists of objects, a page at a time.

use axum::response::Response;
use jarrah_http::Asked;
use serde_json::{Value, json};

use crate::refusal::{Refusal, Result, tell};

/// The page of a list that the query selects: at most `limit` items after the one whose id is `after`, the newest first, or the
/// oldest first with `order=asc`.
pub fn page(mut all: Vec<Value>, asked: &Asked) -> Result<Response> {
    let named = |name: &str| asked.query(name).filter(|value| !value.is_empty());
    match named("order").as_deref() {
        None | Some("desc") => {}
        Some("asc") => all.reverse(),
        Some(_) => return Err(Refusal::field("order", "`order` must be `asc` or `desc`")),
    }
    if let Some(purpose) = named("purpose") {
        all.retain(|entry| entry["purpose"] == purpose);
    }
    if let Some(after) = named("after") {
        let missing = || Refusal::field("after", format!("`after` is `{after}`, which is not in the list"));
        let at = all.iter().position(|entry| entry["id"] == after).ok_or_else(missing)?;
        all.drain(..=at);
    }
    let limit = named("limit").map(|limit| limit.parse().ok().filter(|&limit| limit > 0));
    let limit = match limit {
        Some(None) => return Err(Refusal::field("limit", "`limit` must be a whole number above 0")),
        Some(Some(limit)) => limit,
        None => usize::MAX,
    };
    let has_more = all.len() > limit;
    all.truncate(limit);
    let id = |entry: Option<&Value>| entry.map_or(Value::Null, |entry| entry["id"].clone());
    let (first, last) = (id(all.first()), id(all.last()));
    Ok(tell(
        &json!({"object": "list", "data": all, "first_id": first, "last_id": last, "has_more": has_more}),
    ))
}

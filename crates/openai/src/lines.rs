//! The lines of OpenAI's batch files: requests, and the answers to them.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body as Bytes;
use axum::response::{IntoResponse, Response};
use http_body::Body as _;
use hyper::StatusCode;
use jarrah_http::{RequestRecord, refused};
use jarrah_tokenizer::chat::{ChatValue, ValueKind, read};
use serde_json::{Value, json};
use tokio::task::{Id, JoinSet};
use tokio::time::sleep;

use crate::app::{App, Begin, Caller};
use crate::refusal::{Refusal, Result};
use jarrah_tokenizer::chat::fields::{Fault, Fields, text, wrong};

/// How long a request waits before it is submitted again, where the engine's queue was full.
const PATIENCE: Duration = Duration::from_millis(20);

/// A request of a batch file: `{"custom_id", "method": "POST", "url", "body"}`.
///
/// Source: <https://platform.openai.com/docs/guides/batch>.
pub struct Line {
    pub custom_id: String,
    pub url: String,
    begin: Begin,
    body: ChatValue,
}

/// The answer to a line of a batch file.
#[derive(Clone, Debug)]
pub struct BatchAnswer {
    /// Whether the request was answered, and not refused.
    pub is_good: bool,
    /// The answer as a line of JSON: `{"id", "custom_id", "response": {"status_code", "request_id", "body"}, "error"}`.
    pub line: String,
}

impl Line {
    /// Reads a line; a byte order mark may stand before it.
    ///
    /// # Errors
    /// The line is not JSON, or asks for something that batches do not have; the error has the line's `custom_id`, if there is
    /// one.
    pub fn read(app: &App, line: &str) -> std::result::Result<Line, (Option<String>, Refusal)> {
        let not_json = |e: serde_json::Error| {
            // The message of `serde_json` counts lines within this line, so its "at line 1" is removed.
            let (what, column) = (e.to_string(), e.column());
            let what = what.split(" at line ").next().unwrap_or_default();
            (None, Refusal::bad(format!("not JSON: {what}, at column {column}")))
        };
        let value: ChatValue = read(line.trim_start_matches('\u{feff}').as_bytes()).map_err(not_json)?;
        let custom_id = || value.get_attr("custom_id").ok().and_then(|id| id.as_str().map(str::to_owned));
        Line::of(app, &value).map_err(|refusal| (custom_id(), refusal))
    }

    fn of(app: &App, value: &ChatValue) -> Result<Line> {
        if value.kind() != ValueKind::Map {
            return Err(wrong("the line", "an object", value).into());
        }
        let fields = Fields::body(value)?;
        let custom_id = fields.need("custom_id", text)?;
        let method = fields.need("method", text)?;
        if method != "POST" {
            return Err(Refusal::field("method", format!("`method` is `{method}`, but must be `POST`")));
        }
        let url = fields.need("url", text)?;
        let begin = app.call(&url).ok_or_else(|| {
            let paths: Vec<&str> = app.calls.iter().map(|(path, _)| *path).collect();
            let message = format!("`url` is `{url}`, but must be one of {}", paths.join(", "));
            Refusal::field("url", message)
        })?;
        let body = fields.need("body", |body, path| {
            let fields = Fields::of(body, path.to_owned())?;
            fields.without("stream", "answers of a batch come as a whole")?;
            Ok::<_, Fault>(body.clone())
        })?;
        fields.all_known()?;
        Ok(Line { custom_id, url, begin, body })
    }

    /// Answers the request as the server would, and writes the response as a line of the output file.
    async fn answer(self, app: Arc<App>) -> BatchAnswer {
        let Line { custom_id, begin, body, url } = self;
        let body = Arc::new(body);
        let record = RequestRecord::begin(app.shared.options.log.as_ref(), &url, &custom_id);
        let response = loop {
            let caller = Caller { app: app.clone(), parent: None, record: record.clone() };
            let given = body.clone();
            let begun = tokio::task::spawn_blocking(move || begin(&caller, &given)).await;
            match begun.unwrap_or_else(|_| Err(Refusal::internal("the server failed to read the request"))) {
                Err(refusal) if refusal.status == StatusCode::TOO_MANY_REQUESTS => sleep(PATIENCE).await,
                Err(refusal) => break refusal.into_response(),
                Ok(begun) => break begun.await.unwrap_or_else(IntoResponse::into_response),
            }
        };
        let status = response.status();
        if let Some(record) = record {
            record.answer(status, refused(&response));
        }
        let body = text_of(response).await;
        // The body is inserted as text: parsing and writing its numbers again might change them.
        let line = format!(
            r#"{{"id":"batch_req_{}","custom_id":{},"response":{{"status_code":{},"request_id":"{}","body":{body}}},"error":null}}"#,
            app.id(),
            Value::from(custom_id),
            status.as_u16(),
            app.id(),
        );
        BatchAnswer { is_good: status.is_success(), line }
    }
}

impl BatchAnswer {
    /// The answer to a line that is not a valid request.
    pub fn refused(app: &App, custom_id: Option<&str>, refusal: &Refusal) -> BatchAnswer {
        let error = &refusal.json()["error"];
        let error = json!({"code": "invalid_request", "message": error["message"], "param": error["param"]});
        let id = format!("batch_req_{}", app.id());
        let line = json!({"id": id, "custom_id": custom_id, "response": null, "error": error});
        BatchAnswer { is_good: false, line: line.to_string() }
    }
}

async fn text_of(response: Response) -> String {
    let (mut body, mut bytes): (Bytes, Vec<u8>) = (response.into_body(), Vec::new());
    while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        bytes.extend(frame.data_ref().into_iter().flatten());
    }
    String::from_utf8(bytes).unwrap_or_else(|_| "null".to_owned())
}

/// Answers requests, each with the number of its line, as many at a time as the engine runs sequences. `each` gets the answers as
/// they come, and returns whether to go on.
pub async fn answer_all(
    app: &Arc<App>,
    lines: &mut (dyn Iterator<Item = (usize, std::result::Result<Line, (Option<String>, Refusal)>)> + Send),
    each: &mut (dyn FnMut(usize, BatchAnswer) -> bool + Send),
) {
    let most = app.engine.options().sequences.max(1);
    let mut open = JoinSet::new();
    let mut known: HashMap<Id, (usize, String)> = HashMap::new();
    loop {
        while open.len() < most {
            let Some((number, line)) = lines.next() else { break };
            match line {
                Ok(line) => {
                    let custom_id = line.custom_id.clone();
                    let task = open.spawn(line.answer(app.clone()));
                    known.insert(task.id(), (number, custom_id));
                }
                Err((custom_id, refusal)) => {
                    if !each(number, BatchAnswer::refused(app, custom_id.as_deref(), &refusal)) {
                        return;
                    }
                }
            }
        }
        let Some(ended) = open.join_next_with_id().await else { return };
        let id = ended.as_ref().map_or_else(|failed| failed.id(), |(id, _)| *id);
        let Some((number, custom_id)) = known.remove(&id) else { continue };
        let failed = || Refusal::internal("the server failed to answer the request");
        let answer = ended
            .map_or_else(|_| BatchAnswer::refused(app, Some(&custom_id), &failed()), |(_, answer)| answer);
        if !each(number, answer) {
            return;
        }
    }
}

//! `/v1/batches`: the requests of a file, answered while the server serves others, one file after another.

use std::collections::HashSet;
use std::future::poll_fn;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::task::Poll;

use axum::response::Response;
use jarrah_http::Asked;
use jarrah_tokenizer::chat::ChatValue;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::app::{App, Begun, Caller, ready};
use crate::batch_store::{Batch, Status};
use crate::clock::now;
use crate::file_store::{Draft, File};
use crate::lines::{BatchAnswer, Line, answer_all};
use crate::lists::page;
use crate::refusal::{Refusal, Result, tell};
use jarrah_tokenizer::chat::fields::{Fields, object, one_of, text};

/// The most requests of a batch.
const MOST_LINES: usize = 50_000;
/// The most errors of a file that a batch reports.
const MOST_ERRORS: usize = 20;

/// Lists the batches.
pub fn list(app: &App, asked: &Asked) -> Result<Response> {
    page(app.batches.cards(), asked)
}

/// Tells of a batch.
pub fn get(app: &App, asked: &Asked) -> Result<Response> {
    Ok(tell(&app.batches.get(&asked.variable)?.card()))
}

/// Cancels a batch.
pub fn cancel(app: &App, asked: &Asked) -> Result<Response> {
    Ok(tell(&app.batches.cancel(&asked.variable)?))
}

/// Reads a request for a batch, and begins it.
pub fn create(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let endpoint = fields.need("endpoint", text)?;
    if app.call(&endpoint).is_none() {
        let message = format!("`endpoint` is `{endpoint}`, which answers no requests of a batch");
        return Err(Refusal::field("endpoint", message));
    }
    let input = fields.need("input_file_id", text)?;
    let file = app.files.get(&input).map_err(|e| e.at("input_file_id"))?;
    let window = fields.read("completion_window", one_of(&["24h"]))?.unwrap_or_else(|| "24h".to_owned());
    let metadata = fields.read("metadata", object(|fields| fields.json()))?.unwrap_or(Value::Null);
    fields.known(&["output_expires_after"]);
    fields.all_known()?;
    let batch = Arc::new(Batch {
        id: format!("batch_{}", app.id()),
        endpoint,
        input,
        window,
        metadata,
        created: now(),
        state: Mutex::default(),
        cancelled: watch::Sender::new(false),
    });
    app.batches.add(batch.clone())?;
    let card = batch.card();
    let app = app.clone();
    Ok(Box::pin(async move {
        // The batch joins the queue before its creator gets the response and can create another, so batches run in the order of
        // creation.
        let mut turn = Box::pin(app.batches.turn.clone().acquire_owned());
        let at_once = poll_fn(|cx| Poll::Ready(turn.as_mut().poll(cx))).await;
        let turn = async move {
            match at_once {
                Poll::Ready(turn) => turn,
                Poll::Pending => turn.await,
            }
        };
        tokio::spawn(run(app, batch, file, turn));
        ready(card).await
    }))
}

/// Answers the requests of a batch when its turn comes.
async fn run<T>(app: Arc<App>, batch: Arc<Batch>, file: Arc<File>, turn: impl Future<Output = T>) {
    let mut cancelled = batch.cancelled.subscribe();
    let _turn = tokio::select! {
        biased;
        _ = cancelled.wait_for(|is_cancelled| *is_cancelled) => return batch.reach(Status::Cancelled),
        turn = turn => turn,
    };
    let (reads, content, endpoint) = (app.clone(), file.content.clone(), batch.endpoint.clone());
    let checked = tokio::task::spawn_blocking(move || check(&reads, &content, &endpoint)).await;
    let lines = match checked {
        Ok(Ok(lines)) => lines,
        Ok(Err(errors)) => return batch.fail(errors),
        Err(_) => {
            return batch.fail(vec![error(0, &Refusal::internal("the server failed to read the file"))]);
        }
    };
    batch.lock().total = lines.len();
    batch.reach(Status::InProgress);
    let (mut good, mut bad, mut has_room) = (app.files.draft(), app.files.draft(), true);
    let mut requests = lines.into_iter().enumerate().map(|(number, at)| {
        (number, Line::read(&app, std::str::from_utf8(&file.content[at]).unwrap_or_default()))
    });
    let mut each = |number, answer: BatchAnswer| {
        let mut state = batch.lock();
        let (draft, count) = match answer.is_good {
            true => (&mut good, &mut state.completed),
            false => (&mut bad, &mut state.failed),
        };
        has_room = draft.push(number, answer.line);
        *count += usize::from(has_room);
        has_room
    };
    tokio::select! {
        biased;
        _ = cancelled.wait_for(|is_cancelled| *is_cancelled) => {}
        () = answer_all(&app, &mut requests, &mut each) => {}
    }
    drop(requests);
    batch.reach(Status::Finalizing);
    let keep = |draft: Draft<'_>, what: &str| {
        let name = format!("{}_{what}.jsonl", batch.id);
        draft.finish(format!("file-{}", app.id()), name).map(|file| file.id.clone())
    };
    let (output, errors) = (keep(good, "output"), keep(bad, "error"));
    let mut state = batch.lock();
    (state.output, state.errors) = (output, errors);
    let end = match (state.status, has_room) {
        (Status::Cancelling, _) => Status::Cancelled,
        (_, true) => Status::Completed,
        (_, false) => {
            let message = "the server has no room for the answers: delete files";
            state.wrong = vec![error(0, &Refusal::busy(message))];
            Status::Failed
        }
    };
    state.reach(end);
}

/// The byte ranges of a file's lines, if all lines are requests to the endpoint; otherwise the errors found in them.
fn check(app: &App, file: &[u8], endpoint: &str) -> std::result::Result<Vec<Range<usize>>, Vec<Value>> {
    let (mut lines, mut errors, mut ids) = (Vec::new(), Vec::new(), HashSet::new());
    let mut begin = 0;
    for (number, line) in file.split(|byte| *byte == b'\n').enumerate() {
        let at = begin..begin + line.len();
        begin = at.end + 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let text = std::str::from_utf8(line).map_err(|_| Refusal::bad("the line is not UTF-8 text"));
        let read =
            text.and_then(|text| Line::read(app, text).map_err(|(_, refusal)| refusal)).and_then(|line| {
                if line.url != endpoint {
                    let message = format!("`url` is `{}`, but the batch is for {endpoint}", line.url);
                    return Err(Refusal::field("url", message));
                }
                match ids.insert(line.custom_id.clone()) {
                    true => Ok(()),
                    false => {
                        let message = format!("`custom_id` is `{}`, as in a line before", line.custom_id);
                        Err(Refusal::field("custom_id", message))
                    }
                }
            });
        match read {
            Ok(()) => lines.push(at),
            Err(refusal) => errors.push(error(number + 1, &refusal)),
        }
        if lines.len() > MOST_LINES {
            let message = format!("the file has more than {MOST_LINES} requests");
            errors.push(error(number + 1, &Refusal::bad(message)));
        }
        if lines.len() > MOST_LINES || errors.len() >= MOST_ERRORS {
            break;
        }
    }
    if lines.is_empty() && errors.is_empty() {
        errors.push(error(0, &Refusal::bad("the file has no request")));
    }
    if errors.is_empty() { Ok(lines) } else { Err(errors) }
}

/// An error of a batch as JSON, with the number of its line; 0 where the error belongs to no line.
fn error(line: usize, refusal: &Refusal) -> Value {
    let error = &refusal.json()["error"];
    let line = (line > 0).then_some(line);
    json!({"code": "invalid_request", "line": line, "message": error["message"], "param": error["param"]})
}

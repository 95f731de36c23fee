//! `/v1/batches`: the requests of a file, answered while the server serves others, one file after another.

use std::collections::HashSet;
use std::future::poll_fn;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use axum::body::Bytes;
use hyper::StatusCode;
use jarrah_tokenizer::chat::Value as Body;
use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, watch};

use crate::app::{App, now};
use crate::calls::{Begun, CALLS, Caller, ready};
use crate::files::Files;
use crate::lines::{Line, answer_all};
use crate::refusal::{Refusal, Result};
use jarrah_tokenizer::chat::fields::{Fields, object, one_of, text};

/// The most batches that are kept; beyond it, the batches that ended first are forgotten.
const MOST: usize = 1024;
/// The most requests of a batch.
const MOST_LINES: usize = 50_000;
/// The most errors of a file that a batch reports.
const MOST_ERRORS: usize = 20;

/// All batches that the server knows.
pub struct Batches {
    all: Mutex<Vec<Arc<Batch>>>,
    /// The permit to run: one batch has it at a time, in the order in which they were created.
    turn: Arc<Semaphore>,
}

impl Default for Batches {
    fn default() -> Batches {
        Batches { all: Mutex::default(), turn: Arc::new(Semaphore::new(1)) }
    }
}

/// A batch.
pub struct Batch {
    id: String,
    endpoint: String,
    input: String,
    window: String,
    metadata: Value,
    created: u64,
    state: Mutex<State>,
    cancelled: watch::Sender<bool>,
}

/// The progress of a batch.
#[derive(Default)]
struct State {
    status: Status,
    /// When the batch reached each status, by keys such as `in_progress_at`.
    times: Map<String, Value>,
    total: usize,
    completed: usize,
    failed: usize,
    output: Option<String>,
    errors: Option<String>,
    /// The errors found in the batch's input file.
    wrong: Vec<Value>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Status {
    #[default]
    Validating,
    InProgress,
    Finalizing,
    Completed,
    Failed,
    Cancelling,
    Cancelled,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Status::Validating => "validating",
            Status::InProgress => "in_progress",
            Status::Finalizing => "finalizing",
            Status::Completed => "completed",
            Status::Failed => "failed",
            Status::Cancelling => "cancelling",
            Status::Cancelled => "cancelled",
        }
    }

    fn is_end(self) -> bool {
        matches!(self, Status::Completed | Status::Failed | Status::Cancelled)
    }
}

impl State {
    fn reach(&mut self, status: Status) {
        if self.status != Status::Cancelling || status.is_end() {
            self.status = status;
            self.times.insert(format!("{}_at", status.name()), now().into());
        }
    }
}

impl Batch {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the batch to its next status. A batch that is being cancelled moves to an end status only.
    fn reach(&self, status: Status) {
        self.lock().reach(status);
    }

    fn fail(&self, errors: Vec<Value>) {
        let mut state = self.lock();
        state.wrong = errors;
        state.reach(Status::Failed);
    }

    /// The work that is lost if the server ends now, as text: requests without answers, or answer files that nobody has read.
    pub fn lost(&self, files: &Files) -> Option<String> {
        let State { status, total, completed, failed, output, errors, .. } = &*self.lock();
        let is_unread = |id: &Option<String>| id.as_ref().is_some_and(|id| files.is_unread(id));
        let id = &self.id;
        match status.is_end() {
            false if *total == 0 => Some(format!("{id} (not begun)")),
            false => Some(format!("{id} ({} of {total} requests answered)", completed + failed)),
            true if is_unread(output) || is_unread(errors) => Some(format!("{id} (answered, and not read)")),
            true => None,
        }
    }

    /// The batch as a JSON object of OpenAI's API.
    pub fn card(&self) -> Value {
        let state = self.lock();
        let wrong = (!state.wrong.is_empty()).then(|| json!({"object": "list", "data": state.wrong}));
        let mut card = json!({
            "id": self.id, "object": "batch", "endpoint": self.endpoint, "errors": wrong,
            "input_file_id": self.input, "completion_window": self.window, "status": state.status.name(),
            "output_file_id": state.output, "error_file_id": state.errors, "created_at": self.created,
            "in_progress_at": null, "expires_at": null, "finalizing_at": null, "completed_at": null, "failed_at": null,
            "expired_at": null, "cancelling_at": null, "cancelled_at": null,
            "request_counts": {"total": state.total, "completed": state.completed, "failed": state.failed},
            "metadata": self.metadata,
        });
        for (name, at) in &state.times {
            card[name] = at.clone();
        }
        card
    }
}

impl Batches {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Batch>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The batch of an id.
    pub fn get(&self, id: &str) -> Result<Arc<Batch>> {
        let found = self.lock().iter().find(|batch| batch.id == id).cloned();
        found.ok_or_else(|| {
            Refusal::new(StatusCode::NOT_FOUND, format!("there is no batch `{id}` here")).at("id")
        })
    }

    /// All batches as JSON objects, the newest first.
    pub fn cards(&self) -> Vec<Value> {
        self.lock().iter().rev().map(|batch| batch.card()).collect()
    }

    /// Cancels a batch; the requests answered so far are kept.
    pub fn cancel(&self, id: &str) -> Result<Value> {
        let batch = self.get(id)?;
        let mut state = batch.lock();
        if state.status.is_end() {
            let message = format!("the batch `{id}` has ended: it is {}", state.status.name());
            return Err(Refusal::new(StatusCode::CONFLICT, message).at("id"));
        }
        state.reach(Status::Cancelling);
        drop(state);
        batch.cancelled.send_replace(true);
        Ok(batch.card())
    }

    /// All batches, in the order in which they were created.
    pub fn all(&self) -> Vec<Arc<Batch>> {
        self.lock().clone()
    }

    fn add(&self, batch: Arc<Batch>) -> Result<()> {
        let mut all = self.lock();
        if all.len() >= MOST {
            let ended = all.iter().position(|batch| batch.lock().status.is_end());
            let full = || {
                Refusal::new(StatusCode::TOO_MANY_REQUESTS, format!("{MOST} batches wait, as many as may"))
                    .code("rate_limit_exceeded")
            };
            all.remove(ended.ok_or_else(full)?);
        }
        all.push(batch);
        Ok(())
    }
}

/// Reads a request for a batch, and begins it.
pub fn create(caller: &Caller, body: &Body) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let endpoint = fields.need("endpoint", text)?;
    if !CALLS.iter().any(|(path, _)| *path == endpoint) {
        let message = format!("`endpoint` is `{endpoint}`, which answers no requests of a batch");
        return Err(Refusal::field("endpoint", message));
    }
    let input = fields.need("input_file_id", text)?;
    let content = app.files.get(&input).map_err(|e| e.at("input_file_id"))?.content.clone();
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
        tokio::spawn(run(app, batch, content, turn));
        ready(card).await
    }))
}

/// Answers the requests of a batch when its turn comes.
async fn run<T>(app: Arc<App>, batch: Arc<Batch>, content: Bytes, turn: impl Future<Output = T>) {
    let mut cancelled = batch.cancelled.subscribe();
    let _turn = tokio::select! {
        biased;
        _ = cancelled.wait_for(|is_cancelled| *is_cancelled) => return batch.reach(Status::Cancelled),
        turn = turn => turn,
    };
    let (file, endpoint) = (content.clone(), batch.endpoint.clone());
    let checked = tokio::task::spawn_blocking(move || check(&file, &endpoint)).await;
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
    let mut requests = lines
        .into_iter()
        .enumerate()
        .map(|(number, at)| (number, Line::read(std::str::from_utf8(&content[at]).unwrap_or_default())));
    let mut each = |number, answer: crate::lines::BatchAnswer| {
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
    let keep = |draft: crate::files::Draft<'_>, what: &str| {
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
fn check(file: &[u8], endpoint: &str) -> std::result::Result<Vec<Range<usize>>, Vec<Value>> {
    let (mut lines, mut errors, mut ids) = (Vec::new(), Vec::new(), HashSet::new());
    let mut begin = 0;
    for (number, line) in file.split(|byte| *byte == b'\n').enumerate() {
        let at = begin..begin + line.len();
        begin = at.end + 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let text = std::str::from_utf8(line).map_err(|_| Refusal::bad("the line is not UTF-8 text"));
        let read = text.and_then(|text| Line::read(text).map_err(|(_, refusal)| refusal)).and_then(|line| {
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

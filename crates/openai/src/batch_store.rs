//! The batches that the server knows, and how far they are.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::StatusCode;
use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, watch};

use crate::clock::now;
use crate::file_store::Files;
use crate::refusal::{Refusal, Result};

/// The most batches that are kept; beyond it, the batches that ended first are forgotten.
const MOST: usize = 1024;
/// All batches that the server knows.
pub struct Batches {
    all: Mutex<Vec<Arc<Batch>>>,
    /// The permit to run: one batch has it at a time, in the order in which they were created.
    pub turn: Arc<Semaphore>,
}

impl Default for Batches {
    fn default() -> Batches {
        Batches { all: Mutex::default(), turn: Arc::new(Semaphore::new(1)) }
    }
}

/// A batch.
pub struct Batch {
    pub id: String,
    pub endpoint: String,
    pub input: String,
    pub window: String,
    pub metadata: Value,
    pub created: u64,
    pub state: Mutex<State>,
    pub cancelled: watch::Sender<bool>,
}

/// The progress of a batch.
#[derive(Default)]
pub struct State {
    pub status: Status,
    /// When the batch reached each status, by keys such as `in_progress_at`.
    times: Map<String, Value>,
    pub total: usize,
    pub completed: usize,
    pub failed: usize,
    pub output: Option<String>,
    pub errors: Option<String>,
    /// The errors found in the batch's input file.
    pub wrong: Vec<Value>,
}

/// How far a batch is, by OpenAI's words.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Status {
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
    /// Moves to the next status; from `Cancelling` to an end only.
    pub fn reach(&mut self, status: Status) {
        if self.status != Status::Cancelling || status.is_end() {
            self.status = status;
            self.times.insert(format!("{}_at", status.name()), now().into());
        }
    }
}

impl Batch {
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the batch to its next status. A batch that is being cancelled moves to an end status only.
    pub fn reach(&self, status: Status) {
        self.lock().reach(status);
    }

    pub fn fail(&self, errors: Vec<Value>) {
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

    /// Keeps a new batch.
    pub fn add(&self, batch: Arc<Batch>) -> Result<()> {
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

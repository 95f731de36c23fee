//! What a request gets back.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use jarrah_base::Error;

use super::Shared;
use crate::sampler::TokenLogprobs;

/// Why an answer ended.
#[derive(Clone, Debug)]
pub enum Finish {
    /// The model ended the text.
    EndOfText,
    /// This token of `stop_tokens` came.
    StopToken(u32),
    /// This string of `stop` came.
    StopString(String),
    /// It has as many tokens as were asked for, or as there is room for.
    MaxTokens,
    /// It repeats itself, as `repetition` says.
    Repetition,
    /// The request was aborted, or the engine was shut down.
    Cancelled,
    /// Something failed.
    Failed(Error),
}

/// What came since the last time.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    /// Which answer, from 0.
    pub choice: usize,
    /// The text that is certain now; without a tokenizer none.
    pub text: String,
    /// The tokens that were chosen.
    pub tokens: Vec<u32>,
    /// What was asked to be told of these.
    pub logprobs: Vec<TokenLogprobs>,
    /// What was asked to be told of the tokens of the prompt, in the first delta of the first answer: nothing of the first token.
    pub prompt_logprobs: Option<Vec<Option<TokenLogprobs>>>,
    /// How many tokens of the prompt were found in the prefix cache, in the first delta of an answer.
    pub cached: Option<usize>,
    /// The vector that was asked for.
    pub vector: Option<Vec<f32>>,
    /// Why the answer ends with this, if it does.
    pub finish: Option<Finish>,
}

impl Delta {
    /// Takes what came later of the same answer.
    pub(super) fn join(&mut self, later: Delta) {
        self.choice = later.choice;
        self.cached = self.cached.or(later.cached);
        if self.prompt_logprobs.is_none() {
            self.prompt_logprobs = later.prompt_logprobs;
        }
        self.text += &later.text;
        self.tokens.extend(later.tokens);
        self.logprobs.extend(later.logprobs);
        self.vector = later.vector;
        self.finish = later.finish;
    }
}

#[derive(Default)]
struct Pending {
    deltas: VecDeque<Delta>,
    /// How many answers have not ended.
    open: usize,
    waker: Option<Waker>,
    /// Whether a thread waits for what comes.
    waits: bool,
}

/// The two ends' common part of a stream.
#[derive(Default)]
pub struct Channel {
    pending: Mutex<Pending>,
    came: Condvar,
}

impl Channel {
    pub fn new(answers: usize) -> Channel {
        Channel { pending: Mutex::new(Pending { open: answers, ..Pending::default() }), came: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a delta to the reader. One that the reader has not taken yet grows, so there are as many as answers at most.
    pub fn send(&self, delta: Delta) {
        let mut pending = self.lock();
        pending.open -= usize::from(delta.finish.is_some());
        match pending.deltas.iter_mut().find(|other| other.choice == delta.choice) {
            Some(earlier) => earlier.join(delta),
            None => pending.deltas.push_back(delta),
        }
        let waker = pending.waker.take();
        let waits = std::mem::take(&mut pending.waits);
        drop(pending);
        // To wake nobody is a call of the system, too.
        if waits {
            self.came.notify_one();
        }
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The answers to a request as they come, an iterator of what came since the last time, of one answer; it waits where nothing has, and ends when all
/// answers have ended. Dropping it aborts the request.
pub struct Stream {
    pub(super) channel: Arc<Channel>,
    pub(super) ids: Vec<u64>,
    pub(super) shared: Arc<Shared>,
}

impl Iterator for Stream {
    type Item = Delta;

    fn next(&mut self) -> Option<Delta> {
        let mut pending = self.channel.lock();
        loop {
            if let Some(delta) = pending.deltas.pop_front() {
                return Some(delta);
            }
            if pending.open == 0 {
                return None;
            }
            pending.waits = true;
            pending = self.channel.came.wait(pending).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Stream {
    /// As [`next`](Iterator::next), for tasks: where nothing has come yet, the task is woken when something does.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Delta>> {
        let mut pending = self.channel.lock();
        match pending.deltas.pop_front() {
            Some(delta) => Poll::Ready(Some(delta)),
            None if pending.open == 0 => Poll::Ready(None),
            None => {
                pending.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.channel.lock().open > 0 {
            self.shared.abort(&self.ids);
        }
    }
}

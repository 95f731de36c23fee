//! The stream through which a request receives its answers.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use jarrah_base::Error;

use super::Shared;
use crate::sampler::TokenLogprobs;

/// The reason why an answer ended.
#[derive(Clone, Debug)]
pub enum Finish {
    /// The model chose an end token.
    EndOfText,
    /// The model chose this token of `stop_tokens`.
    StopToken(u32),
    /// The text reached this string of `stop`.
    StopString(String),
    /// The answer has as many tokens as were asked for, or as the context has room for.
    MaxTokens,
    /// The answer repeats itself, as `repetition` defines.
    Repetition,
    /// The request was aborted, or the engine was shut down.
    Cancelled,
    /// An error ended the answer.
    Failed(Error),
}

/// The part of an answer that came since the last delta.
#[derive(Clone, Debug, Default)]
pub struct AnswerDelta {
    /// The index of the answer, from 0.
    pub choice: usize,
    /// The new text that is certain; empty without a tokenizer.
    pub text: String,
    /// The new tokens.
    pub tokens: Vec<u32>,
    /// The logprobs of the new tokens, if the request asks for them.
    pub logprobs: Vec<TokenLogprobs>,
    /// The logprobs of the prompt's tokens, if the request asks for them, in the first delta of the first answer; nothing for the
    /// first token.
    pub prompt_logprobs: Option<Vec<Option<TokenLogprobs>>>,
    /// The number of prompt tokens that were found in the prefix cache, in the first delta of an answer.
    pub cached: Option<usize>,
    /// The vector, if the request asks for one.
    pub vector: Option<Vec<f32>>,
    /// The reason why the answer ends with this delta, if it does.
    pub finish: Option<Finish>,
}

impl AnswerDelta {
    /// Appends a later delta of the same answer.
    pub(super) fn join(&mut self, later: AnswerDelta) {
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
    deltas: VecDeque<AnswerDelta>,
    /// The number of answers that have not ended.
    open: usize,
    waker: Option<Waker>,
    /// Whether a thread waits for deltas.
    waits: bool,
}

/// The channel between the engine and the reader of a stream.
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

    /// Sends a delta to the reader. It is joined to an unread delta of the same answer, so there are at most as many unread
    /// deltas as answers.
    pub fn send(&self, delta: AnswerDelta) {
        let mut pending = self.lock();
        pending.open -= usize::from(delta.finish.is_some());
        match pending.deltas.iter_mut().find(|other| other.choice == delta.choice) {
            Some(earlier) => earlier.join(delta),
            None => pending.deltas.push_back(delta),
        }
        let waker = pending.waker.take();
        let waits = std::mem::take(&mut pending.waits);
        drop(pending);
        // Notifying is a system call even if nobody waits.
        if waits {
            self.came.notify_one();
        }
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The answers to a request as they come: an iterator of deltas, each of one answer. It blocks until a delta comes, and ends when
/// all answers have ended. Dropping it aborts the request.
pub struct Stream {
    pub(super) channel: Arc<Channel>,
    pub(super) ids: Vec<u64>,
    pub(super) shared: Arc<Shared>,
}

impl Iterator for Stream {
    type Item = AnswerDelta;

    fn next(&mut self) -> Option<AnswerDelta> {
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
    /// As [`next`](Iterator::next), for async tasks: if no delta is there, the task is woken when one comes.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<AnswerDelta>> {
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

//! The steps that several processes save by rules that each of them sees otherwise: a clock, a notice that reaches one machine.
//!
//! A thread of each process looks at the files of a meeting. Process 0 begins a round when its clock asks, or when a notice reached any process. Each process then
//! tells the last step that it promises to answer for without the outcome, which is a little ahead of the step that it was asked about last. Process 0 decides for the
//! step behind all of these. Nobody has answered for that step yet, so all answer alike; a process that comes to the end of its promise before it knows waits.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::directory::Directory;
use crate::meeting::Meeting;
use crate::processes::Processes;
use crate::save_when::SaveWhen;

/// The time between two looks at the files.
const PAUSE: Duration = Duration::from_millis(100);

/// A process promises to answer for the steps that come in about so much time.
const AHEAD: Duration = Duration::from_secs(1);

/// The beginning of the name of the file by which a process tells that a notice reached it.
const NOTICE: &str = "notice_";

/// The beginning of the name of the file by which a process promises, which it takes back once it has read the outcome.
const PROMISE: &str = "promise_";

/// The agreement of the processes of a manager on the steps that they save.
pub struct Agreement {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    rules: Vec<SaveWhen>,
    /// The number of this process, and of all.
    process: usize,
    count: usize,
    pause: Duration,
    /// How long the other processes are waited for.
    limit: Duration,
}

#[derive(Debug)]
struct State {
    /// The steps that were asked about of late, and when.
    asked: VecDeque<(Instant, u64)>,
    /// When the last save began, or the manager was opened.
    since: Instant,
    /// The number of the round.
    number: u64,
    round: Round,
    /// The last step that a round ended with.
    granted: Option<u64>,
    /// Whether the processes have agreed that a notice was given.
    is_preempted: bool,
    failure: Option<Error>,
    is_over: bool,
}

#[derive(Debug)]
enum Round {
    /// None is under way.
    Idle,
    /// This process answers for no step behind this one before the outcome is known; for none at all, where it was asked about none.
    Promised {
        last: Option<u64>,
        begun: Instant,
    },
    Decided {
        step: u64,
        is_preemption: bool,
    },
    /// The processes do not agree any more.
    Ended,
}

/// The words of process 0 at the end of a round: a step, an error, or that the run is over.
#[derive(Serialize, Deserialize)]
struct Outcome {
    step: Option<u64>,
    is_preemption: bool,
    error: Option<String>,
}

impl Agreement {
    /// Begins to look at the files of the meeting of this name.
    ///
    /// # Errors
    /// The thread cannot be started (`Environment`).
    pub fn begin(
        directory: Arc<Directory>,
        rules: &[SaveWhen],
        processes: Processes,
        name: String,
        patience: Duration,
    ) -> Result<Agreement> {
        let state = State {
            asked: VecDeque::new(),
            since: Instant::now(),
            number: 0,
            round: Round::Idle,
            granted: None,
            is_preempted: false,
            failure: None,
            is_over: false,
        };
        let limit = Meeting::silence_of(patience);
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
            rules: rules.iter().filter(|rule| rule.is_local()).cloned().collect(),
            process: processes.index(),
            count: processes.count(),
            pause: PAUSE.min(limit / 20),
            limit,
        });
        let of_thread = shared.clone();
        let job = move || {
            let meeting =
                Meeting::new(directory.store(), processes.session(), &name, processes.index(), patience);
            match meeting {
                Ok(meeting) => of_thread.watch(&meeting),
                Err(error) => of_thread.state().end(Some(error)),
            }
        };
        let thread = thread::Builder::new().name("checkpoint steps".into()).spawn(job);
        let failed = |e| Error::environment(format!("cannot start the thread that agrees on steps: {e}"));
        Ok(Agreement { shared, thread: Some(thread.map_err(failed)?) })
    }

    /// Whether the processes save this step, which all of them ask about. It waits where this process has promised not to answer before the outcome is known.
    pub fn asks(&self, step: u64) -> bool {
        let mut state = self.shared.state();
        if state.is_preempted || state.granted == Some(step) {
            return true;
        }
        let now = Instant::now();
        state.asked.push_back((now, step));
        while state.asked.len() > 1 && now.duration_since(state.asked[0].0) > AHEAD {
            state.asked.pop_front();
        }
        loop {
            match state.round {
                Round::Promised { last, begun } if last.is_none_or(|last| step > last) => {
                    if begun.elapsed() > 3 * self.shared.limit {
                        state.end(Some(Error::internal("the thread that agrees on steps is gone")));
                        return false;
                    }
                    let waited = self.shared.changed.wait_timeout(state, self.shared.limit);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Round::Decided { step: decided, is_preemption } if step >= decided => {
                    state.round = Round::Idle;
                    state.number += 1;
                    state.granted = Some(step);
                    state.since = now;
                    state.is_preempted = is_preemption;
                    return true;
                }
                _ => return false,
            }
        }
    }

    /// Whether the processes have agreed that a notice was given.
    pub fn is_preempted(&self) -> bool {
        self.shared.state().is_preempted
    }

    /// Tells that a save has begun.
    pub fn save_begins(&self) {
        self.shared.state().since = Instant::now();
    }

    /// The reason for which the processes do not agree any more, once.
    pub fn failure(&self) -> Option<Error> {
        self.shared.state().failure.take()
    }
}

impl Drop for Agreement {
    fn drop(&mut self) {
        self.shared.state().is_over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has told so.
            let _ = thread.join();
        }
    }
}

impl State {
    fn end(&mut self, failure: Option<Error>) {
        self.round = Round::Ended;
        self.failure = failure;
    }

    /// The last step for which this process answers without the outcome.
    fn promise(&self) -> Option<u64> {
        let (first, last) = (self.asked.front()?.1, self.asked.back()?.1);
        Some(last + last.saturating_sub(first))
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the files until the manager is dropped.
    fn watch(&self, meeting: &Meeting<'_>) {
        loop {
            // A store that is out of reach may be there again at the next look.
            let trouble = self.look(meeting).err();
            let mut state = self.state();
            if let Round::Promised { begun, .. } = state.round
                // Process 0 names the process that is missing first.
                && begun.elapsed() > 2 * self.limit
            {
                let late = || {
                    Error::environment(format!("process 0 did not decide on a step within {:?}", self.limit))
                };
                state.end(Some(trouble.unwrap_or_else(late).op("checkpoint")));
            }
            self.changed.notify_all();
            if state.is_over {
                break;
            }
            drop(self.changed.wait_timeout(state, self.pause));
        }
        let (number, is_open) = {
            let state = self.state();
            (state.number, matches!(state.round, Round::Promised { .. }))
        };
        if self.process != 0 {
            return;
        }
        if is_open {
            // Processes that wait for the outcome are told that there is none.
            let over = Outcome { step: None, is_preemption: false, error: None };
            let _ = meeting.tell(&outcome_of(number), &words(&over));
        }
        let _ = meeting.wait_for(PROMISE, 0);
    }

    fn look(&self, meeting: &Meeting<'_>) -> Result<()> {
        let (number, promised) = {
            let state = self.state();
            let promised = match state.round {
                Round::Idle => None,
                Round::Promised { begun, .. } => Some(begun),
                Round::Decided { .. } | Round::Ended => return Ok(()),
            };
            (state.number, promised)
        };
        match promised {
            None => self.look_for_round(meeting, number),
            Some(begun) if self.process == 0 => self.decide(meeting, number, begun),
            Some(_) => self.look_for_outcome(meeting, number),
        }
    }

    /// Begins a round where a rule asks, and joins one that process 0 has begun.
    fn look_for_round(&self, meeting: &Meeting<'_>, number: u64) -> Result<()> {
        let (clock, notice) = {
            let state = self.state();
            let since = state.since.elapsed();
            let rules = self.rules.iter().filter(|_| !state.is_preempted);
            let asks = |notice: bool| {
                rules.clone().any(|rule| match rule {
                    SaveWhen::Every(span) => !notice && since >= *span,
                    SaveWhen::Preempted(given) => notice && given.is_given(),
                    _ => false,
                })
            };
            (asks(false), asks(true))
        };
        if self.process == 0 {
            let notice = notice || (!self.state().is_preempted && meeting.has(NOTICE)?);
            if notice || clock {
                meeting.tell(&round_of(number), if notice { b"notice" } else { b"clock" })?;
                self.promise(meeting, number)?;
            }
            return Ok(());
        }
        let own = format!("{NOTICE}{}", self.process);
        // Process 0 removes the files of runs before when it begins, and may have taken this one for such a file.
        if notice && meeting.read_file(&own)?.is_none() {
            meeting.tell(&own, b"")?;
        }
        match meeting.read_file(&round_of(number))? {
            Some(_) => self.promise(meeting, number),
            None => Ok(()),
        }
    }

    /// Promises, and tells process 0 so.
    fn promise(&self, meeting: &Meeting<'_>, number: u64) -> Result<()> {
        let last = {
            let mut state = self.state();
            let last = state.promise();
            state.round = Round::Promised { last, begun: Instant::now() };
            last
        };
        if self.process == 0 { Ok(()) } else { self.tell_promise(meeting, number, last) }
    }

    fn tell_promise(&self, meeting: &Meeting<'_>, number: u64, last: Option<u64>) -> Result<()> {
        let text = last.map_or_else(String::new, |last| last.to_string());
        meeting.tell(&promise_of(number, self.process), text.as_bytes())
    }

    /// Decides once all have promised.
    fn decide(&self, meeting: &Meeting<'_>, number: u64, begun: Instant) -> Result<()> {
        let mut next = match self.state().round {
            Round::Promised { last: Some(last), .. } => last + 1,
            _ => 0,
        };
        for process in 1..self.count {
            let Some(text) = meeting.read_file(&promise_of(number, process))? else {
                if begun.elapsed() <= self.limit {
                    return Ok(());
                }
                let message =
                    format!("process {process} did not agree on a step to save within {:?}", self.limit);
                let outcome = Outcome { step: None, is_preemption: false, error: Some(message.clone()) };
                meeting.tell(&outcome_of(number), &words(&outcome))?;
                let error = Error::environment(message).op("checkpoint").help(HELP);
                self.state().end(Some(error));
                return Ok(());
            };
            if let Ok(last) = String::from_utf8_lossy(&text).parse::<u64>() {
                next = next.max(last + 1);
            }
        }
        let is_preemption = meeting.read_file(&round_of(number))?.is_some_and(|reason| reason == b"notice");
        let outcome = Outcome { step: Some(next), is_preemption, error: None };
        meeting.tell(&outcome_of(number), &words(&outcome))?;
        if let Some(before) = number.checked_sub(1) {
            // All have promised in this round, so all know the outcome of the one before.
            [round_of(before), outcome_of(before)].iter().for_each(|file| meeting.take_back(file));
        }
        self.state().round = Round::Decided { step: next, is_preemption };
        Ok(())
    }

    fn look_for_outcome(&self, meeting: &Meeting<'_>, number: u64) -> Result<()> {
        let own = promise_of(number, self.process);
        let Some(text) = meeting.read_file(&outcome_of(number))? else {
            let Round::Promised { last, .. } = self.state().round else { return Ok(()) };
            if meeting.read_file(&round_of(number))?.is_none() {
                // Process 0 has removed the meeting: its run is over.
                self.state().end(None);
            } else if meeting.read_file(&own)?.is_none() {
                // The words did not arrive the first time.
                self.tell_promise(meeting, number, last)?;
            }
            return Ok(());
        };
        let outcome: Outcome = serde_json::from_slice(&text)
            .map_err(|e| Error::input(format!("words of process 0 cannot be read: {e}")).op("checkpoint"))?;
        // Process 0 stays until all have read the outcome.
        meeting.take_back(&own);
        let mut state = self.state();
        match outcome {
            Outcome { step: Some(step), is_preemption, .. } => {
                state.round = Round::Decided { step, is_preemption };
            }
            Outcome { error: Some(message), .. } => {
                let error = Error::environment(message).op("checkpoint").context("so says process 0");
                state.end(Some(error.help(HELP)));
            }
            Outcome { .. } => state.end(None),
        }
        Ok(())
    }
}

/// The help of an error about processes that do not agree.
const HELP: &str = "steps are no longer saved by a clock or a notice; all processes ask about the same steps, and see one folder";

/// The file by which process 0 begins a round.
fn round_of(number: u64) -> String {
    format!("round_{number}")
}

/// The file by which a process tells its promise.
fn promise_of(number: u64, process: usize) -> String {
    format!("{PROMISE}{number}_{process}")
}

/// The file by which process 0 tells the outcome.
fn outcome_of(number: u64) -> String {
    format!("outcome_{number}")
}

fn words(outcome: &Outcome) -> Vec<u8> {
    serde_json::to_vec(outcome).expect("invariant: numbers and text are JSON")
}

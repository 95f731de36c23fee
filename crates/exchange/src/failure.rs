//! The first cause for which an exchange ended, which every later error names.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::lock::held;

/// The rank at fault, and the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub rank: usize,
    /// The sentence that follows the rank: `is lost: ...`.
    pub fault: String,
    /// The rank that said so, where this process did not find it out by itself.
    pub told_by: Option<usize>,
}

impl Cause {
    pub(crate) fn new(rank: usize, fault: impl Into<String>) -> Self {
        Cause { rank, fault: fault.into(), told_by: None }
    }
}

/// The fault of a rank that said goodbye too early.
pub(crate) fn desertion(rank: usize) -> Cause {
    Cause::new(rank, "has ended, or given up its devices, before its part was done")
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} {}", self.rank, self.fault)?;
        match self.told_by {
            Some(by) if by != self.rank => write!(f, " (process {by} found this)"),
            _ => Ok(()),
        }
    }
}

/// The cause, once there is one.
#[derive(Default)]
pub(crate) struct Failure {
    happened: AtomicBool,
    cause: Mutex<Option<Cause>>,
    noted: Option<Box<dyn Fn(&Cause) + Send + Sync>>,
}

impl Failure {
    /// A failure whose cause is noted when there is one.
    pub(crate) fn noted(note: impl Fn(&Cause) + Send + Sync + 'static) -> Failure {
        Failure { noted: Some(Box::new(note)), ..Failure::default() }
    }

    /// Records the cause unless there is one; whether this was the first.
    pub(crate) fn set(&self, cause: Cause) -> bool {
        let mut first = held(&self.cause);
        let is_first = first.is_none();
        let cause = first.get_or_insert(cause);
        if let Some(note) = self.noted.as_ref().filter(|_| is_first) {
            note(cause);
        }
        self.happened.store(true, Ordering::Release);
        is_first
    }

    #[inline(always)]
    pub(crate) fn happened(&self) -> bool {
        self.happened.load(Ordering::Acquire)
    }

    pub(crate) fn cause(&self) -> Option<Cause> {
        held(&self.cause).clone()
    }
}

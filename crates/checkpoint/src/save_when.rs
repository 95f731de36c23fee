use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A rule by which [`CheckpointManager::should_save`](crate::CheckpointManager::should_save) asks for a checkpoint. Of several rules each asks for its own.
///
/// Source: Orbax's `SaveDecisionPolicy`.
#[derive(Clone)]
pub enum SaveWhen {
    /// At the steps that the number divides; at none, where it is 0.
    EverySteps(u64),
    /// So long after the save before; the first time so long after the manager was opened. Of several processes the clock of process 0 counts.
    Every(Duration),
    /// At the steps named.
    Steps(Vec<u64>),
    /// At the first step that is asked about, where the folder has no checkpoint yet.
    First,
    /// Once a notice says that the machine is about to be taken away. One that reaches any of several processes makes all of them save the same step.
    Preempted(Preemption),
    /// Where a function of the step and of the last step that was saved says so.
    Custom(Arc<dyn Fn(u64, Option<u64>) -> bool + Send + Sync>),
}

/// The state of a manager as rules see it.
pub(crate) struct Moment {
    pub step: u64,
    /// The last step that was saved, here or by a run before.
    pub saved: Option<u64>,
    /// When the last save began, or the manager was opened.
    pub since: Instant,
}

impl SaveWhen {
    pub(crate) fn asks(&self, moment: &Moment) -> bool {
        match self {
            SaveWhen::EverySteps(number) => *number > 0 && moment.step.is_multiple_of(*number),
            SaveWhen::Every(span) => moment.since.elapsed() >= *span,
            SaveWhen::Steps(steps) => steps.contains(&moment.step),
            SaveWhen::First => moment.saved.is_none(),
            SaveWhen::Preempted(notice) => notice.is_given(),
            SaveWhen::Custom(asks) => asks(moment.step, moment.saved),
        }
    }

    /// Whether processes may answer differently.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self, SaveWhen::Every(_) | SaveWhen::Preempted(_))
    }
}

impl fmt::Debug for SaveWhen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveWhen::EverySteps(number) => write!(f, "EverySteps({number})"),
            SaveWhen::Every(span) => write!(f, "Every({span:?})"),
            SaveWhen::Steps(steps) => write!(f, "Steps({steps:?})"),
            SaveWhen::First => f.write_str("First"),
            SaveWhen::Preempted(notice) => write!(f, "Preempted({notice:?})"),
            SaveWhen::Custom(_) => f.write_str("Custom"),
        }
    }
}

/// A notice that the machine is about to be taken away: it is given by a call from any thread, such as one that hears a signal, by a file that appears, or by a
/// deadline.
///
/// ```
/// use jarrah_checkpoint::Preemption;
/// let notice = Preemption::new();
/// let elsewhere = notice.clone();
/// assert!(!notice.is_given());
/// std::thread::spawn(move || elsewhere.give()).join().unwrap();
/// assert!(notice.is_given());
/// ```
#[derive(Clone, Default)]
pub struct Preemption {
    given: Arc<AtomicBool>,
    file: Option<PathBuf>,
    deadline: Option<Instant>,
}

impl Preemption {
    /// A notice that is not given yet.
    pub fn new() -> Preemption {
        Preemption::default()
    }

    /// It is given, too, once a file is there.
    pub fn or_file(mut self, path: impl AsRef<Path>) -> Preemption {
        self.file = Some(path.as_ref().to_owned());
        self
    }

    /// It is given, too, once so much time has passed, such as the time that a scheduler grants, less that of a save.
    pub fn or_after(mut self, span: Duration) -> Preemption {
        self.deadline = Instant::now().checked_add(span);
        self
    }

    /// Gives the notice.
    pub fn give(&self) {
        self.given.store(true, Ordering::SeqCst);
    }

    /// Whether it was given.
    pub fn is_given(&self) -> bool {
        self.given.load(Ordering::SeqCst)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.file.as_ref().is_some_and(|file| file.exists())
    }
}

impl fmt::Debug for Preemption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_given() { "given" } else { "not given" })
    }
}

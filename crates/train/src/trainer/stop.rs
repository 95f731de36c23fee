use std::sync::atomic::{AtomicBool, Ordering};

/// A wish, from another thread, that a run stops.
#[derive(Debug, Default)]
pub struct Stop {
    asked: AtomicBool,
    training: AtomicBool,
}

impl Stop {
    /// Asks the run to stop.
    ///
    /// Returns whether it will: it then saves and ends by itself, within about two seconds, also in the midst of a long step. A run that has not come to its
    /// first step has nothing to save and looks at nothing: whoever asks may end the process, and nothing is lost.
    pub fn ask(&self) -> bool {
        self.asked.store(true, Ordering::SeqCst);
        self.training.load(Ordering::SeqCst)
    }

    /// Whether it was asked to.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// The run looks at the wish from now on.
    pub(super) fn begin_training(&self) {
        self.training.store(true, Ordering::SeqCst);
    }
}

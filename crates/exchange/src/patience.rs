//! The times that processes wait for each other.

use std::time::Duration;

/// The times that processes wait for each other.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// A process that gives no sign of life for so long is lost. Signs come from a thread of their own, ten in this time, so a process
    /// may compute for as long as it likes.
    pub silence: Duration,
    /// The time within which all processes must have joined.
    pub join: Duration,
}

impl Default for Patience {
    /// Five seconds of silence, and a minute to join.
    fn default() -> Self {
        Patience { silence: Duration::from_secs(5), join: Duration::from_secs(60) }
    }
}

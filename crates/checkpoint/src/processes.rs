use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jarrah_base::{Error, Result};

/// The processes of a run, which save and restore together: each writes its shards, process 0 makes one checkpoint of the parts.
///
/// They meet by files beside the checkpoints, so all of them see one folder; they save the same steps in the same order.
#[derive(Clone, Debug)]
pub struct Processes {
    index: usize,
    count: usize,
    session: String,
    /// The number of the next meeting, of all managers that have this value or a copy of it.
    next: Arc<AtomicU64>,
}

impl Processes {
    /// This process and the number of all, with a text that all of them have and no run before had. Managers of one run have copies of one value.
    ///
    /// ```
    /// use jarrah_checkpoint::Processes;
    /// assert!(Processes::new(1, 4, "7f3a9c").is_ok());
    /// assert!(Processes::new(4, 4, "7f3a9c").is_err());
    /// ```
    ///
    /// # Errors
    /// There are fewer, or the text has other characters than letters and digits (`Program`).
    pub fn new(index: usize, count: usize, session: impl Into<String>) -> Result<Processes> {
        let session = session.into();
        let is_name = !session.is_empty() && session.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match index < count && is_name {
            true => Ok(Processes { index, count, session, next: Arc::default() }),
            false => {
                let error = format!("process {index} of {count} saves in the session {session:?}");
                Err(Error::program(error).op("checkpoint"))
            }
        }
    }

    /// The number of this process.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The number of processes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether this process is the one that makes checkpoints of the parts, and removes them.
    pub fn is_first(&self) -> bool {
        self.index == 0
    }

    /// The number of a new meeting: all processes ask for the same ones in the same order.
    pub(crate) fn next(&self) -> u64 {
        self.next.fetch_add(1, Ordering::SeqCst)
    }

    /// The text that the processes of this run alone have.
    pub(crate) fn session(&self) -> &str {
        &self.session
    }
}

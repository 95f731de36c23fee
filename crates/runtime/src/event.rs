//! Work that completes later.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use jarrah_base::{Error, Result};

/// The completion of some work: it has succeeded, has failed, or is still to come. Clones are the same completion.
///
/// ```
/// use jarrah_runtime::Event;
///
/// let (promise, event) = Event::promise();
/// assert!(!event.is_ready());
/// promise.complete(Ok(()));
/// event.wait()?;
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone)]
pub struct Event(Option<Arc<Shared>>);

/// The duty to complete an [`Event`]. Dropping it completes the event with an error, so that nobody waits for ever.
pub struct Promise(Option<Arc<Shared>>);

type Callback = Box<dyn FnOnce(&Result<()>) + Send>;

#[derive(Default)]
struct Shared {
    outcome: OnceLock<Result<()>>,
    /// The functions that run on completion; the lock also orders completion against waiting and registering.
    callbacks: Mutex<Vec<Callback>>,
    completed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Vec<Callback>> {
        self.callbacks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self) -> Result<()> {
        if let Some(outcome) = self.outcome.get() {
            return outcome.clone();
        }
        let mut callbacks = self.lock();
        loop {
            if let Some(outcome) = self.outcome.get() {
                return outcome.clone();
            }
            callbacks = self.completed.wait(callbacks).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn complete(&self, outcome: Result<()>) {
        let callbacks = {
            let mut callbacks = self.lock();
            // A promise completes once, so the cell is empty.
            let _ = self.outcome.set(outcome);
            std::mem::take(&mut *callbacks)
        };
        self.completed.notify_all();
        if let Some(outcome) = self.outcome.get() {
            callbacks.into_iter().for_each(|callback| callback(outcome));
        }
    }
}

impl Event {
    /// The completion of work that is done.
    pub const fn done() -> Event {
        Event(None)
    }

    /// The completion of work that has failed.
    pub fn failed(error: Error) -> Event {
        let (promise, event) = Event::promise();
        promise.complete(Err(error));
        event
    }

    /// A completion to come, and the duty to bring it about.
    pub fn promise() -> (Promise, Event) {
        let shared = Arc::new(Shared::default());
        (Promise(Some(shared.clone())), Event(Some(shared)))
    }

    /// Whether the work has succeeded or failed.
    #[inline]
    pub fn is_ready(&self) -> bool {
        self.0.as_ref().is_none_or(|shared| shared.outcome.get().is_some())
    }

    /// How the work ended; `None` while it has not.
    pub fn outcome(&self) -> Option<Result<()>> {
        self.0.as_ref().map_or(Some(Ok(())), |shared| shared.outcome.get().cloned())
    }

    /// Waits until the work has ended.
    ///
    /// # Errors
    /// The work failed, or whoever was to do it gave it up.
    #[inline]
    pub fn wait(&self) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |shared| shared.wait())
    }

    /// Calls `f` with the outcome: at once if there is one, otherwise on the thread that completes the work. `f` must
    /// not wait for other work of the same device.
    pub fn on_ready(&self, f: impl FnOnce(&Result<()>) + Send + 'static) {
        let Some(shared) = &self.0 else { return f(&Ok(())) };
        if shared.outcome.get().is_none() {
            let mut callbacks = shared.lock();
            if shared.outcome.get().is_none() {
                callbacks.push(Box::new(f));
                return;
            }
        }
        if let Some(outcome) = shared.outcome.get() {
            f(outcome);
        }
    }
}

impl Promise {
    /// Completes the event.
    pub fn complete(mut self, outcome: Result<()>) {
        if let Some(shared) = self.0.take() {
            shared.complete(outcome);
        }
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        if let Some(shared) = self.0.take() {
            shared.complete(Err(Error::internal("the work was given up before it was done")));
        }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome() {
            None => f.write_str("Event(pending)"),
            Some(Ok(())) => f.write_str("Event(done)"),
            Some(Err(error)) => write!(f, "Event(failed: {error})"),
        }
    }
}

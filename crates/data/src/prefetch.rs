use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use jarrah_base::{Error, Result, panic_message};

use crate::dataset::DataState;
use crate::dataset::IterDataset;

type Ahead<T> = Result<(T, DataState)>;

/// Prepares the next examples on a separate thread while the caller works on one.
///
/// The state is that after the examples taken, however many the thread has prepared. An error on the thread is
/// returned in the place of its example, and from then on. Dropping the `Prefetch` ends the thread.
pub struct Prefetch<T> {
    queue: Option<Receiver<Ahead<T>>>,
    thread: Option<JoinHandle<()>>,
    state: DataState,
    failed: Option<Error>,
}

impl<T: Send + 'static> Prefetch<T> {
    /// Keeps up to `depth` examples of `source` ready, at least one.
    ///
    /// # Errors
    /// The thread cannot be started (`Environment`).
    pub fn new<I>(source: I, depth: usize) -> Result<Self>
    where
        I: IterDataset<Item = T> + Send + 'static,
    {
        let (sender, queue) = sync_channel(depth.max(1));
        let state = source.state();
        let thread = thread::Builder::new()
            .name("jarrah-data".to_owned())
            .spawn(move || produce(source, &sender))
            .map_err(|e| Error::environment(format!("cannot start the data thread: {e}")))?;
        Ok(Prefetch { queue: Some(queue), thread: Some(thread), state, failed: None })
    }

    fn stopped(&mut self) -> Error {
        let panic = self.thread.take().and_then(|t| t.join().err());
        Error::internal(match panic.as_deref().and_then(panic_message) {
            Some(text) => format!("the data thread panicked: {text}"),
            None => "the data thread stopped".to_owned(),
        })
    }
}

impl<T: Send + 'static> IterDataset for Prefetch<T> {
    type Item = T;

    fn advance(&mut self) -> Result<T> {
        if let Some(e) = &self.failed {
            return Err(e.clone());
        }
        let received = self.queue.as_ref().and_then(|q| q.recv().ok());
        match received.unwrap_or_else(|| Err(self.stopped())) {
            Ok((item, state)) => {
                self.state = state;
                Ok(item)
            }
            Err(e) => {
                self.failed = Some(e.clone());
                Err(e)
            }
        }
    }

    fn state(&self) -> DataState {
        self.state.clone()
    }
}

/// The examples, until the first error, which is the last item.
impl<T: Send + 'static> Iterator for Prefetch<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.failed.is_none().then(|| self.advance())
    }
}

impl<T> Drop for Prefetch<T> {
    fn drop(&mut self) {
        // Without a receiver the thread's next send fails, which ends it.
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // Nobody is left to report the thread's panic to, if it had one.
            let _ = thread.join();
        }
    }
}

fn produce<I: IterDataset>(mut source: I, sender: &SyncSender<Ahead<I::Item>>) {
    loop {
        let ahead = source.advance().map(|item| (item, source.state()));
        let last = ahead.is_err();
        if sender.send(ahead).is_err() || last {
            return;
        }
    }
}

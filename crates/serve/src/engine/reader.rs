//! The thread that reads the files of keys and values for all other threads.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result};
use jarrah_runtime::DiskKey;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that reads files, so that storage which does not answer blocks nobody else: callers go on without pages that do not
/// come in time.
pub struct Reader {
    jobs: Sender<Job>,
    /// When the thread asked storage for the file that it is reading now.
    since: Arc<Mutex<Option<Instant>>>,
    /// How long storage may take to answer.
    patience: Duration,
}

impl Reader {
    /// Starts the thread, which ends when this value is dropped.
    pub fn new(patience: Duration) -> Result<Reader> {
        let (jobs, asked) = channel::<Job>();
        let run = move || asked.into_iter().for_each(|job| job());
        thread::Builder::new().name("kv-reader".to_owned()).spawn(run).map_err(|e| {
            Error::environment(format!("the thread that reads keys and values cannot start: {e}"))
        })?;
        Ok(Reader { jobs, since: Arc::default(), patience })
    }

    /// The results of `look` for these keys, up to the first key without a result, or until storage does not answer in time.
    /// While storage is not answering an earlier call, there are no results, at once.
    pub fn look<T: Send + 'static>(
        &self,
        keys: Vec<DiskKey>,
        look: impl Fn(DiskKey) -> Option<T> + Send + 'static,
    ) -> Vec<T> {
        let mut found = Vec::with_capacity(keys.len());
        if self.is_stuck() {
            return found;
        }
        let (tell, told) = channel();
        let since = self.since.clone();
        let run = move || {
            let asks = |now| *since.lock().unwrap_or_else(PoisonError::into_inner) = now;
            for key in keys {
                asks(Some(Instant::now()));
                let one = look(key);
                asks(None);
                // A result that comes too late has no receiver any more, and the job ends.
                if one.is_none_or(|one| tell.send(one).is_err()) {
                    return;
                }
            }
        };
        // If the thread has ended, nothing is found.
        let _ = self.jobs.send(Box::new(run));
        loop {
            match told.recv_timeout(self.patience) {
                Ok(one) => found.push(one),
                Err(RecvTimeoutError::Disconnected) => return found,
                Err(RecvTimeoutError::Timeout) if self.is_stuck() => return found,
                // The thread is busy with jobs of other callers first.
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn is_stuck(&self) -> bool {
        let since = *self.since.lock().unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| since.elapsed() >= self.patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(count: u8) -> Vec<DiskKey> {
        (0..count).map(|i| DiskKey::of([i; 32])).collect()
    }

    #[test]
    fn what_storage_does_not_answer_in_time_is_missing_until_it_answers_again() {
        let patience = Duration::from_millis(300);
        let reader = Reader::new(patience).unwrap();
        let all = keys(4);
        let third = all[2];
        assert_eq!(reader.look(all.clone(), move |key| (key != third).then_some(key)), all[..2]);
        // Storage that answers two, and hangs.
        let (answer, hangs) = channel::<()>();
        let hangs = Mutex::new(hangs);
        let begun = Instant::now();
        let found = reader.look(all.clone(), move |key| {
            if key == third {
                let _ = hangs.lock().unwrap().recv();
            }
            Some(key)
        });
        assert_eq!(found, all[..2]);
        assert!(begun.elapsed() >= patience && begun.elapsed() < 20 * patience, "{:?}", begun.elapsed());
        // Others do not wait for it.
        let begun = Instant::now();
        for _ in 0..10 {
            assert!(reader.look(all.clone(), Some).is_empty());
        }
        assert!(begun.elapsed() < 5 * patience, "{:?}", begun.elapsed());
        drop(answer);
        while reader.is_stuck() {
            thread::yield_now();
        }
        assert_eq!(reader.look(all.clone(), Some), all);
    }

    /// A caller whose job waits behind others waits longer than its patience, as long as storage answers.
    #[test]
    fn those_that_look_together_find_all() {
        let patience = Duration::from_secs(1);
        let reader = Reader::new(patience).unwrap();
        let begun = Instant::now();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let slow = |key| {
                        thread::sleep(Duration::from_millis(50));
                        Some(key)
                    };
                    assert_eq!(reader.look(keys(6), slow), keys(6));
                });
            }
        });
        assert!(begun.elapsed() > patience, "{:?}", begun.elapsed());
    }
}

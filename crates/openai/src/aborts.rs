//! Registry of the running requests by id, through which a request can be aborted.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

/// The requests that are being answered, by id.
#[derive(Default)]
pub struct Aborts {
    all: Mutex<HashMap<String, Arc<Abort>>>,
    /// Whether the server shuts down without answering: every request, running or new, is then aborted.
    is_shut: AtomicBool,
}

/// The abort flag of one request, and the waker of the task that polls it.
#[derive(Default)]
struct Abort {
    is_asked: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

/// The registration of one request in [`Aborts`], removed when this is dropped.
pub struct Abortable {
    all: Arc<Aborts>,
    id: String,
    abort: Arc<Abort>,
}

impl Aborts {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Abort>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a request under its id.
    pub fn begin(self: &Arc<Aborts>, id: &str) -> Abortable {
        let abort = Arc::new(Abort::default());
        self.lock().insert(id.to_owned(), abort.clone());
        if self.is_shut.load(Ordering::Acquire) {
            abort.is_asked.store(true, Ordering::Release);
        }
        Abortable { all: self.clone(), id: id.to_owned(), abort }
    }

    /// Aborts all requests, those that arrive later included: the engine sleeps and computes nothing for them.
    pub fn shut(&self) {
        self.is_shut.store(true, Ordering::Release);
        self.end(None);
    }

    /// Aborts the requests of these ids, or all requests without ids. Returns how many there were.
    pub fn end(&self, ids: Option<&[String]>) -> usize {
        let all = self.lock();
        let ended: Vec<Arc<Abort>> = match ids {
            None => all.values().cloned().collect(),
            Some(ids) => ids.iter().filter_map(|id| all.get(id).cloned()).collect(),
        };
        drop(all);
        for abort in &ended {
            abort.is_asked.store(true, Ordering::Release);
            let waker = abort.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
            waker.into_iter().for_each(Waker::wake);
        }
        ended.len()
    }
}

impl Abortable {
    /// Whether the request ends because [`Aborts::shut`] aborted every request.
    pub fn is_left_alone(&self) -> bool {
        self.all.is_shut.load(Ordering::Acquire)
    }

    /// Whether the request was aborted; if not, the task is woken when it is.
    pub fn poll(&self, cx: &mut Context<'_>) -> bool {
        let is_asked = || self.abort.is_asked.load(Ordering::Acquire);
        if is_asked() {
            return true;
        }
        let mut waker = self.abort.waker.lock().unwrap_or_else(PoisonError::into_inner);
        if !waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            *waker = Some(cx.waker().clone());
        }
        drop(waker);
        is_asked()
    }
}

impl Drop for Abortable {
    fn drop(&mut self) {
        self.all.lock().remove(&self.id);
    }
}

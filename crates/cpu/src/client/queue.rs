//! The queue of a device: what was submitted runs in order, on one thread.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

/// The most tasks that wait. Whoever submits another one waits as well, so that a loop that never reads a result does not
/// run ahead of the device with all its arguments in memory.
const WAITING: usize = 32;

thread_local! {
    /// Whether this thread runs the tasks of some queue.
    static SERVES: Cell<bool> = const { Cell::new(false) };
}

/// A task: it catches its own panics.
pub type Task = Box<dyn FnOnce() + Send>;

/// A queue of tasks and the thread that runs them, which begins at the first task and ends when the queue is dropped and
/// empty. Tasks hold what they need, so nothing that they use ends before them.
pub struct Queue {
    name: String,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// A task came, or the queue was closed.
    filled: Condvar,
    /// A task was taken.
    taken: Condvar,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    /// Tasks that wait or run.
    unfinished: usize,
    started: bool,
    closed: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) {
        SERVES.set(true);
        let mut state = self.lock();
        loop {
            if let Some(task) = state.tasks.pop_front() {
                drop(state);
                self.taken.notify_one();
                task();
                state = self.lock();
                state.unfinished -= 1;
            } else if state.closed {
                return;
            } else {
                state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl Queue {
    /// An empty queue, whose thread will have this name.
    pub fn new(name: String) -> Queue {
        Queue { name, shared: Arc::default() }
    }

    /// Whether a task may run on the calling thread right away: nothing is before it, or the caller is itself a task,
    /// which would wait for ever for a task after it.
    pub fn may_run_here(&self) -> bool {
        SERVES.get() || self.shared.lock().unfinished == 0
    }

    /// Runs the task after those before it. The calling thread runs it if the system refuses a thread.
    pub fn submit(&self, task: Task) {
        if SERVES.get() {
            return task();
        }
        let mut state = self.shared.lock();
        if !state.started {
            let shared = self.shared.clone();
            state.started = Builder::new().name(self.name.clone()).spawn(move || shared.serve()).is_ok();
            if !state.started {
                drop(state);
                return task();
            }
        }
        while state.tasks.len() >= WAITING {
            state = self.shared.taken.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.tasks.push_back(task);
        state.unfinished += 1;
        drop(state);
        self.shared.filled.notify_one();
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.filled.notify_one();
    }
}

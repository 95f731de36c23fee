//! The queue of a device: a submitted task runs once the events that it needs are complete, one task after another, on one
//! thread. Ordered tasks run in the order in which they were submitted, whatever they wait for.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use jarrah_runtime::Event;

/// The most tasks that are submitted and not done, not counting tasks that wait for something outside of the queues. Submitting
/// one more blocks, so that a loop that never reads a result does not run ahead of the device with all its arguments in memory.
const AHEAD: usize = 32;

thread_local! {
    /// Whether this thread runs the tasks of some queue.
    static SERVES: Cell<bool> = const { Cell::new(false) };
}

/// A task.
pub type Task = Box<dyn FnOnce() + Send>;

struct Entry {
    task: Task,
    /// Whether the task counts towards [`AHEAD`].
    counts: bool,
}

/// A queue of tasks and the thread that runs them, which begins at the first task and ends when the queue is dropped and
/// its tasks are done. Tasks hold what they need, so nothing that they use ends before them.
pub struct Queue(Arc<Shared>);

struct Shared {
    name: String,
    state: Mutex<State>,
    /// Notified when a task was added, or the queue was closed.
    filled: Condvar,
    /// Notified when a task is done.
    done: Condvar,
}

#[derive(Default)]
struct State {
    /// Tasks that can run.
    tasks: VecDeque<Entry>,
    /// The number of tasks that are submitted and not done, including tasks that wait for events.
    unfinished: usize,
    /// The number of unfinished tasks that count towards [`AHEAD`].
    ahead: usize,
    /// The end of the last submitted ordered task, and whether that task waits for something outside of the queues.
    ordered: Option<(Event, bool)>,
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
            if let Some(entry) = state.tasks.pop_front() {
                drop(state);
                self.run(entry);
                state = self.lock();
            } else if state.closed && state.unfinished == 0 {
                return;
            } else {
                state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn run(&self, entry: Entry) {
        // The queue goes on, whatever becomes of a task; the panic itself was reported where it happened.
        let _ = catch_unwind(AssertUnwindSafe(entry.task));
        let mut state = self.lock();
        state.unfinished -= 1;
        state.ahead -= usize::from(entry.counts);
        drop(state);
        self.done.notify_one();
    }

    /// Starts the thread, unless it is at work. Whether there is one: the system may refuse it.
    fn start(self: &Arc<Self>, state: &mut State) -> bool {
        if !state.started {
            let shared = self.clone();
            state.started = Builder::new().name(self.name.clone()).spawn(move || shared.serve()).is_ok();
        }
        state.started
    }

    /// Appends a task that can run. The calling thread runs it if the system refuses a thread.
    fn push(self: &Arc<Self>, entry: Entry) {
        let mut state = self.lock();
        if !self.start(&mut state) {
            drop(state);
            return self.run(entry);
        }
        state.tasks.push_back(entry);
        drop(state);
        self.filled.notify_one();
    }
}

impl Queue {
    /// An empty queue, whose thread will have this name.
    pub fn new(name: String) -> Queue {
        let (filled, done) = (Condvar::new(), Condvar::new());
        Queue(Arc::new(Shared { name, state: Mutex::default(), filled, done }))
    }

    /// Whether a task may run on the calling thread at once: the queue is empty, or the caller is itself a queue's task, which
    /// would wait for ever for a later task.
    pub fn may_run_here(&self) -> bool {
        SERVES.get() || self.0.lock().unfinished == 0
    }

    /// Reserves a place in the queue for a task; blocks while too many tasks are unfinished. A task that submits another one runs
    /// it at once.
    ///
    /// A task is `outside` if it waits for something that is no task of a queue: the limit of tasks does not wait for it, since
    /// the caller may be the one to bring that about. `ends` is the event of the end of an ordered task; the next ordered task
    /// waits for it, whether it fails or not.
    pub fn reserve(&self, outside: bool, ends: Option<&Event>) -> Reserved {
        if SERVES.get() {
            return Reserved { here: true, outside, before: None };
        }
        let mut state = self.0.lock();
        loop {
            let before = ends.and(state.ordered.as_ref()).filter(|(event, _)| !event.is_ready()).cloned();
            let outside = outside || before.as_ref().is_some_and(|(_, outside)| *outside);
            if !outside && state.ahead >= AHEAD {
                state = self.0.done.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.unfinished += 1;
            state.ahead += usize::from(!outside);
            if let Some(ends) = ends {
                state.ordered = Some((ends.clone(), outside));
            }
            return Reserved { here: false, outside, before: before.map(|(event, _)| event) };
        }
    }

    /// Says of the calling thread that it runs a task of some queue.
    pub fn serve_here() {
        SERVES.set(true);
    }

    /// Whether the calling thread runs the tasks of some queue, so that tasks that it submits run at once.
    pub fn serves() -> bool {
        SERVES.get()
    }

    /// Says of a task that has its place that it waits for something outside of the queues.
    pub fn wait_outside(&self, place: &mut Reserved, ordered: bool) {
        if place.outside {
            return;
        }
        place.outside = true;
        let mut state = self.0.lock();
        state.ahead -= 1;
        if let Some((_, outside)) = state.ordered.as_mut().filter(|_| ordered) {
            *outside = true;
        }
        drop(state);
        self.0.done.notify_one();
    }

    /// Starts the queue's thread, unless it is at work. Whether there is one.
    pub fn starts(&self) -> bool {
        self.0.start(&mut self.0.lock())
    }

    /// Appends a task that can run now.
    pub fn append(&self, place: Reserved, task: Task) {
        self.0.push(Entry { task, counts: !place.outside });
    }

    /// Runs the task when the events are complete, whether they failed or not.
    pub fn submit(&self, place: Reserved, events: impl IntoIterator<Item = Event>, task: Task) {
        if place.here {
            return task();
        }
        let (queue, entry) = (self.0.clone(), Entry { task, counts: !place.outside });
        when_ready(events.into_iter().chain(place.before), move || queue.push(entry));
    }
}

/// Calls `f` when the events are complete, whether they failed or not: at once if they are.
pub fn when_ready(events: impl Iterator<Item = Event>, f: impl FnOnce() + Send + 'static) {
    let pending: Vec<Event> = events.filter(|event| !event.is_ready()).collect();
    if pending.is_empty() {
        return f();
    }
    let waiting = Arc::new((AtomicUsize::new(pending.len()), Mutex::new(Some(f))));
    for event in pending {
        let waiting = waiting.clone();
        event.on_ready(move |_| {
            if waiting.0.fetch_sub(1, Ordering::AcqRel) > 1 {
                return;
            }
            let f = waiting.1.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(f) = f {
                f();
            }
        });
    }
}

/// A place in a queue, which a task has to take.
pub struct Reserved {
    /// Whether the task runs within the call that submits it.
    here: bool,
    /// Whether the task waits for something outside of the queues.
    pub outside: bool,
    /// The end of the ordered task before it.
    pub before: Option<Event>,
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.filled.notify_one();
    }
}

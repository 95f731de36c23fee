//! Listeners to events in the library: traces, compilations, cache hits.
//!
//! ```
//! use std::sync::{Arc, Mutex};
//! use jarrah_array::monitoring::{MonitoringEvent, register_listener};
//! use jarrah_array::{Array, jit};
//!
//! let seen = Arc::new(Mutex::new(Vec::new()));
//! let sink = seen.clone();
//! let listener = register_listener(move |event| sink.lock().unwrap().push(event.name()));
//! jit(|x: &Array| x.sin()).call(Array::from_slice(&[1.0f32, 2.0]))?;
//! drop(listener);
//! assert_eq!(*seen.lock().unwrap(), ["trace", "compile"]);
//! # Ok::<(), jarrah_array::Error>(())
//! ```

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jarrah_base::Location;

use crate::trace::outside;

/// An event that listeners get.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use jarrah_array::{Array, jit, monitoring};
///
/// let times = Arc::new(Mutex::new(Vec::new()));
/// let sink = times.clone();
/// let _listener = monitoring::register_listener(move |event| {
///     sink.lock().unwrap().push((event.name(), event.duration().is_some()));
/// });
/// let f = jit(|x: &Array| x.sin());
/// f.call(Array::from_slice(&[1.0f32, 2.0]))?;
/// f.call(Array::from_slice(&[1.0f32]))?;
/// let all = [("trace", true), ("compile", true), ("retrace", false), ("trace", true), ("compile", true)];
/// assert_eq!(*times.lock().unwrap(), all);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum MonitoringEvent {
    /// A compiled function was traced.
    Trace {
        /// The function.
        function: String,
        /// The line of the call.
        at: Location,
        /// The instructions of its program.
        instructions: usize,
        /// How long it took.
        took: Duration,
    },
    /// A compiled function is traced again.
    Retrace {
        /// The function.
        function: String,
        /// The line of the call.
        at: Location,
        /// The first argument that differs from the last call, with its old and its new type.
        why: String,
    },
    /// A program was compiled, or read from the cache on disk.
    Compile {
        /// The program.
        program: String,
        /// How long it took.
        took: Duration,
    },
    /// A program was found compiled in the memory of the process.
    CacheHit {
        /// The program.
        program: String,
    },
}

impl MonitoringEvent {
    /// The kind: `trace`, `retrace`, `compile` or `cache_hit`.
    pub fn name(&self) -> &'static str {
        match self {
            MonitoringEvent::Trace { .. } => "trace",
            MonitoringEvent::Retrace { .. } => "retrace",
            MonitoringEvent::Compile { .. } => "compile",
            MonitoringEvent::CacheHit { .. } => "cache_hit",
        }
    }

    /// The duration of the event, for kinds that take time.
    pub fn duration(&self) -> Option<Duration> {
        match self {
            MonitoringEvent::Trace { took, .. } | MonitoringEvent::Compile { took, .. } => Some(*took),
            MonitoringEvent::Retrace { .. } | MonitoringEvent::CacheHit { .. } => None,
        }
    }
}

type Hears = Arc<dyn Fn(&MonitoringEvent) + Send + Sync>;

static LISTENERS: RwLock<Vec<(u64, Hears)>> = RwLock::new(Vec::new());
/// The number of listeners; while it is zero no events are built.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A listener, which hears no more once this is dropped.
#[must_use = "a listener that is dropped hears nothing"]
#[derive(Debug)]
pub struct Listener(u64);

/// Calls `f` with every event of the process, on the thread on which it happens. `f` may use arrays, and compiled functions too:
/// it hears of these as well.
pub fn register_listener(f: impl Fn(&MonitoringEvent) + Send + Sync + 'static) -> Listener {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut listeners = LISTENERS.write().unwrap_or_else(PoisonError::into_inner);
    listeners.push((id, Arc::new(f)));
    COUNT.store(listeners.len(), Ordering::Relaxed);
    Listener(id)
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut listeners = LISTENERS.write().unwrap_or_else(PoisonError::into_inner);
        let at = listeners.iter().position(|(id, _)| *id == self.0);
        let gone = at.map(|at| listeners.swap_remove(at));
        COUNT.store(listeners.len(), Ordering::Relaxed);
        // The listeners, and whatever they hold, are dropped after the lock is released.
        drop(listeners);
        drop(gone);
    }
}

thread_local! {
    /// Events that are passed to the listeners once no lock is held.
    static WAITING: RefCell<Option<Vec<MonitoringEvent>>> = const { RefCell::new(None) };
}

/// Calls `f`, which holds locks that a listener may need; events within it are passed to the listeners at its end.
pub(crate) fn tell_after<R>(f: impl FnOnce() -> R) -> R {
    /// Ends the waiting, also where `f` panics.
    struct Waiting;
    impl Drop for Waiting {
        fn drop(&mut self) {
            WAITING.take();
        }
    }
    if COUNT.load(Ordering::Relaxed) == 0 || WAITING.with_borrow(Option::is_some) {
        return f();
    }
    WAITING.set(Some(Vec::new()));
    let waiting = Waiting;
    let result = f();
    let events = WAITING.take().unwrap_or_default();
    drop(waiting);
    events.iter().for_each(hear);
    result
}

/// Builds an event and passes it to the listeners, unless there are none.
pub(crate) fn tell(event: impl FnOnce() -> MonitoringEvent) {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return;
    }
    let mut event = Some(event());
    WAITING.with_borrow_mut(|waiting| waiting.iter_mut().for_each(|waiting| waiting.extend(event.take())));
    event.iter().for_each(hear);
}

fn hear(event: &MonitoringEvent) {
    // The listeners are called without the lock, as a listener may register another one.
    let listeners: Vec<Hears> =
        LISTENERS.read().unwrap_or_else(PoisonError::into_inner).iter().map(|(_, f)| f.clone()).collect();
    // A listener's operations are its own, whatever is being traced.
    outside(|| listeners.iter().for_each(|hears| hears(event)));
}

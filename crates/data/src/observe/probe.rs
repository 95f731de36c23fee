//! The meters that a thread fills, and the stages that it is in.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jarrah_base::Result;

use super::meters::{Counters, Meters, add, nanoseconds};
use super::sizes::bytes_of;
use crate::stage::Lineage;

thread_local! {
    static PROBE: RefCell<Option<Probe>> = const { RefCell::new(None) };
}

struct Probe {
    meters: Arc<Meters>,
    /// The stages that the thread is in, the innermost last.
    frames: Vec<Frame>,
}

/// A stage at work.
struct Frame {
    counters: Arc<Counters>,
    /// The time of stages before, and the time that it waited.
    elsewhere: Duration,
}

/// The stage at work on a thread, for threads that work for it.
#[derive(Clone)]
pub(crate) struct Here {
    meters: Arc<Meters>,
    pub(crate) counters: Arc<Counters>,
}

/// The stage at work, if this thread measures.
pub(crate) fn here() -> Option<Here> {
    PROBE.with_borrow(|probe| {
        let probe = probe.as_ref()?;
        let counters = probe.frames.last()?.counters.clone();
        Some(Here { meters: probe.meters.clone(), counters })
    })
}

/// Puts the probe back that a thread had before.
struct Restored(Option<Probe>);

impl Drop for Restored {
    fn drop(&mut self) {
        PROBE.set(self.0.take());
    }
}

/// Calls `f`, on behalf of a stage if one is given; the stages in it fill `meters`.
pub(crate) fn measuring<R>(meters: &Arc<Meters>, stage: Option<Arc<Counters>>, f: impl FnOnce() -> R) -> R {
    let frames = stage.into_iter().map(|counters| Frame { counters, elsewhere: Duration::ZERO }).collect();
    let _restored = Restored(PROBE.replace(Some(Probe { meters: meters.clone(), frames })));
    f()
}

/// Calls `f` on a thread that works for the stage at `here`, with the stage's counters.
pub(crate) fn below<R>(here: Option<Here>, f: impl FnOnce(Option<&Counters>) -> R) -> R {
    match here {
        None => f(None),
        Some(Here { meters, counters }) => measuring(&meters, Some(counters.clone()), || f(Some(&counters))),
    }
}

/// The counters of a stage, if this thread measures and the stage is one of the pipeline's.
pub(crate) fn find(lineage: &Lineage) -> Option<Arc<Counters>> {
    PROBE.with_borrow(|probe| probe.as_ref()?.meters.of(lineage).cloned())
}

/// The element that `f` makes as a stage, whose counters are filled.
pub(crate) fn run<T: 'static>(
    counters: &Arc<Counters>,
    f: impl FnOnce() -> Result<Option<T>>,
) -> Result<Option<T>> {
    let mut running = Running::begin(counters);
    let made = f();
    if let Ok(Some(element)) = &made {
        running.bytes = Some(bytes_of(element));
    }
    made
}

/// A stage that is on the stack of frames until this is dropped.
struct Running {
    begun: Instant,
    /// The bytes of the element that was made.
    bytes: Option<u64>,
}

impl Running {
    fn begin(counters: &Arc<Counters>) -> Self {
        PROBE.with_borrow_mut(|probe| {
            let frames = probe.iter_mut().map(|probe| &mut probe.frames);
            frames.for_each(|frames| {
                frames.push(Frame { counters: counters.clone(), elsewhere: Duration::ZERO });
            });
        });
        Running { begun: Instant::now(), bytes: None }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let elapsed = self.begun.elapsed();
        PROBE.with_borrow_mut(|probe| {
            let Some(probe) = probe else { return };
            let Some(Frame { counters, elsewhere }) = probe.frames.pop() else { return };
            add(&counters.own, nanoseconds(elapsed.saturating_sub(elsewhere)));
            if let Some(bytes) = self.bytes {
                add(&counters.elements_out, 1);
                add(&counters.bytes_out, bytes);
            }
            if let Some(behind) = probe.frames.last_mut() {
                behind.elsewhere += elapsed;
                add(&behind.counters.elements_in, u64::from(self.bytes.is_some()));
            }
        });
    }
}

/// Calls `f`, in which the stage at work waits for threads.
pub(crate) fn waiting<R>(f: impl FnOnce() -> R) -> R {
    let Some(here) = here() else { return f() };
    let begun = Instant::now();
    let result = f();
    let waited = begun.elapsed();
    add(&here.counters.waited, nanoseconds(waited));
    PROBE.with_borrow_mut(|probe| {
        if let Some(frame) = probe.as_mut().and_then(|probe| probe.frames.last_mut()) {
            frame.elsewhere += waited;
        }
    });
    result
}

/// Takes note of the bytes that the stage at work holds; `bytes` is called where the thread measures.
pub(crate) fn holds(bytes: impl FnOnce() -> u64) {
    if let Some(here) = here() {
        let bytes = bytes();
        here.counters.take(bytes);
        here.counters.release(bytes);
    }
}

/// Takes note of bytes that the stage at work keeps; `bytes` is called where the thread measures.
pub(crate) fn took(bytes: impl FnOnce() -> u64) {
    if let Some(here) = here() {
        here.counters.take(bytes());
    }
}

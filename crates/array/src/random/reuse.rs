//! Detection of programs that use a random key twice.
//!
//! With `JARRAH_DEBUG_KEY_REUSE=1` in the environment, or within [`debug_key_reuse`], drawing from a key or splitting it a
//! second time is an error with both lines: the second would give the numbers of the first. Clones are one key; a key with
//! another folded into it is not used up. A compiled function uses the keys that it is given in each call, a branch those of
//! the branch that is taken, and a loop may not use a key from outside at all, since each of its steps would.
//!
//! A key is identified by the array of its words, on this thread: equal words in another array are another key.

use std::cell::{Cell, RefCell};
use std::sync::Weak;

use jarrah_base::{Error, Location};
use rustc_hash::FxHashMap;

use crate::array::Array;
use crate::eager::Node;
use crate::error::{fail_at, with_context};
use crate::scope::{Choice, Scoped};
use crate::trace::{self, Identity};

/// The use of a key.
#[derive(Clone)]
struct Use {
    at: Location,
    /// The number of the next trace at that time: the use is part of the open traces with lower numbers.
    time: u64,
    /// A weak reference to a concrete array, so that no other array gets its address; empty for tracers.
    node: Weak<Node>,
}

type Used = FxHashMap<Identity, Use>;

thread_local! {
    static HERE: Cell<Option<bool>> = const { Cell::new(None) };
    static USED: RefCell<Used> = RefCell::default();
    /// The number of the trace of the innermost loop's body.
    static LOOP: Cell<Option<u64>> = const { Cell::new(None) };
}

static CHECKED: Choice<bool> = Choice::new(&HERE, "JARRAH_DEBUG_KEY_REUSE", |value| value != "0");

/// Calls `f`, in which using a key twice is an error.
///
/// ```
/// use jarrah_array::random::{Key, debug_key_reuse};
/// use jarrah_array::try_trace;
/// let key = Key::new(0);
/// let error = debug_key_reuse(|| try_trace(|| (key.normal(&[2]), key.uniform(&[2])))).unwrap_err();
/// assert!(error.to_string().contains("used before"));
/// ```
pub fn debug_key_reuse<R>(f: impl FnOnce() -> R) -> R {
    CHECKED.with(true, f)
}

/// Whether the uses of keys are looked at.
pub(crate) fn is_checking() -> bool {
    CHECKED.now()
}

/// Uses the key with these words at the line of the caller.
#[track_caller]
pub(crate) fn consume(words: &Array) {
    if is_checking() {
        consume_at(words, Location::caller());
    }
}

/// Uses the key with these words at the line `at`.
#[track_caller]
pub(crate) fn consume_at(words: &Array, at: Location) {
    let Some(identity) = words.identity() else { return };
    let from_outside = |first: u64| match identity {
        Identity::Tracer(trace, _) => trace < first,
        Identity::Node(_) => true,
    };
    let error = if trace::is_tracing() && LOOP.get().is_some_and(from_outside) {
        Error::program("every step of the loop would use this random key, and draw the same numbers")
            .help("carry the key and split it in each step, fold the number of the step into it, or loop over split keys")
    } else {
        let node = words.node().map(std::sync::Arc::downgrade).unwrap_or_default();
        let Some(before) =
            USED.with_borrow_mut(|used| insert(used, identity, Use { at, time: trace::next_number(), node }))
        else {
            return;
        };
        Error::program("this random key was used before, and would give the same numbers again")
            .label(before.at, "it was used")
            .help("split the key and use each part once, or fold a number into it for each use")
    };
    let error = error.op("debug_key_reuse");
    let error = match words.source().location {
        Some(made) => error.label(made, "it was made"),
        None => error,
    };
    fail_at(at, with_context(error))
}

/// Notes the use of a key, unless it was used before.
fn insert(used: &mut Used, identity: Identity, new: Use) -> Option<Use> {
    if let Some(before) = used.get(&identity) {
        return Some(before.clone());
    }
    // Before the table grows, the keys that no longer exist are removed.
    if used.len() == used.capacity() {
        used.retain(|identity, known| match identity {
            Identity::Node(_) => known.node.strong_count() > 0,
            Identity::Tracer(trace, _) => trace::is_open(*trace),
        });
    }
    used.insert(identity, new);
    None
}

/// The numbers of the arrays that were used as keys since a trace began, and the lines.
pub(crate) fn used_in<'a>(trace: u64, arrays: impl Iterator<Item = &'a Array>) -> Vec<(usize, Location)> {
    let used = |array: &Array| {
        let identity = array.identity()?;
        let known = USED.with_borrow(|used| used.get(&identity).map(|known| (known.time, known.at)));
        known.filter(|(time, _)| *time > trace).map(|(_, at)| at)
    };
    arrays.enumerate().filter_map(|(i, array)| Some((i, used(array)?))).collect()
}

/// The table of used keys as it will be when this is dropped.
struct Restore(Option<Used>);

impl Drop for Restore {
    fn drop(&mut self) {
        if let Some(used) = self.0.take() {
            USED.set(used);
        }
    }
}

fn saved() -> Restore {
    Restore(is_checking().then(|| USED.with_borrow(Clone::clone)))
}

/// Calls `f` without counting its uses of keys, for a trace that is not run.
pub(crate) fn unused<R>(f: impl FnOnce() -> R) -> R {
    let restore = saved();
    if restore.0.is_some() {
        USED.take();
    }
    f()
}

/// Calls `f` for each of the alternatives, of which one will run; afterwards the keys that any of them uses count as used.
pub(crate) fn alternatives<T, R>(of: impl IntoIterator<Item = T>, mut f: impl FnMut(T) -> R) -> Vec<R> {
    let mut together = saved();
    let results = of.into_iter().map(|alternative| {
        let before = saved();
        let result = f(alternative);
        if let Some(together) = &mut together.0 {
            together.extend(USED.with_borrow(Clone::clone));
        }
        drop(before);
        result
    });
    let results = results.collect();
    drop(together);
    results
}

/// Calls `f` as the body of a loop, whose trace is the innermost: there, using a key from outside of the loop is an error.
pub(crate) fn repeated<R>(f: impl FnOnce() -> R) -> R {
    let _scope = Scoped::set(&LOOP, trace::innermost());
    f()
}

//! How much work is done, counted rather than timed, so that a test can say how it grows with a program.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts `steps` more steps of work on this thread; nothing in release builds.
///
/// Loops whose length does not follow from the program alone call it: searches, walks along chains, merges.
#[inline]
pub fn step(steps: usize) {
    if cfg!(debug_assertions) {
        STEPS.set(STEPS.get() + steps as u64);
    }
}

/// The steps of work that `f` takes on this thread, and what it returns.
///
/// ```
/// use jarrah_base::work;
///
/// let (steps, sum) = work::counted(|| {
///     work::step(3);
///     1 + 1
/// });
/// assert_eq!(sum, 2);
/// assert!(steps == 3 || !cfg!(debug_assertions));
/// ```
pub fn counted<T>(f: impl FnOnce() -> T) -> (u64, T) {
    let before = STEPS.get();
    let result = f();
    (STEPS.get() - before, result)
}

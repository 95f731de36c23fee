//! Work shared among threads where the system may refuse to start them.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The number of cores this process may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// `f` of every item, in the order of the items, computed on up to `threads` threads.
///
/// The calling thread takes part, so threads that the system refuses to start only make it slower.
///
/// ```
/// use jarrah_base::parallel::{cores, map};
/// assert_eq!(map(cores(), &[1, 2, 3], |x| x * x), [1, 4, 9]);
/// ```
///
/// # Panics
/// `f` panics.
pub fn map<T: Sync, R: Send>(threads: usize, items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let work = || {
        while let Some((i, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, items.get(i)?)))
        {
            let result = f(item);
            done.lock().expect("invariant: no holder of the lock panics").push((i, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let mut done = done.into_inner().expect("invariant: no holder of the lock panics");
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

/// As [`map`], until one fails: of several errors, that of the first item.
///
/// # Errors
/// The errors of `f`.
pub fn try_map<T: Sync, R: Send, E: Send>(
    threads: usize,
    items: &[T],
    f: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    // Items are handed out in order: those before one that failed have been handed out, and are computed.
    let failed = AtomicUsize::new(usize::MAX);
    let places: Vec<usize> = (0..items.len()).collect();
    let results = map(threads, &places, |&i| {
        if failed.load(Ordering::Relaxed) < i {
            return None;
        }
        let result = f(&items[i]);
        if result.is_err() {
            failed.fetch_min(i, Ordering::Relaxed);
        }
        Some(result)
    });
    results.into_iter().map_while(|result| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_the_first_error_wins() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(map(threads, &items, |&x| x + 1), (1..=1000).collect::<Vec<_>>());
            let fails = |&x: &usize| if x % 400 == 399 { Err(x) } else { Ok(x) };
            assert_eq!(try_map(threads, &items, fails), Err(399));
            assert_eq!(try_map(threads, &items[..399], fails).map(|done| done.len()), Ok(399));
        }
        assert!(map(4, &[] as &[usize], |&x| x).is_empty());
    }
}

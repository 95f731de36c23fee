//! Values that may be deleted while other threads read them.

#![allow(unsafe_code, reason = "a count of readers decides who drops the value")]

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

/// A value that is dropped once it was deleted and its last reader is done.
///
/// A mutex around a counted handle does the same with twice the atomic operations.
///
/// ```
/// use jarrah_base::Deletable;
///
/// let value = Deletable::new(vec![1, 2]);
/// let reading = value.read().ok_or("deleted")?;
/// value.delete();
/// assert_eq!((*reading).len(), 2);
/// assert!(value.read().is_none());
/// # Ok::<(), &str>(())
/// ```
pub struct Deletable<T> {
    /// The number of readers, in units of [`READER`], and the bit [`DELETED`].
    state: AtomicUsize,
    value: UnsafeCell<Option<T>>,
}

const DELETED: usize = 1;
const READER: usize = 2;

// SAFETY: the value is owned, as in an `Option`.
unsafe impl<T: Send> Send for Deletable<T> {}
// SAFETY: threads share references to the value (`T: Sync`), and any of them may be the one that drops it (`T: Send`).
unsafe impl<T: Send + Sync> Sync for Deletable<T> {}

impl<T> Deletable<T> {
    /// The value, which nobody has deleted.
    pub fn new(value: T) -> Deletable<T> {
        Deletable { state: AtomicUsize::new(0), value: UnsafeCell::new(Some(value)) }
    }

    /// Begins to read the value; `None` if it was deleted.
    #[inline]
    pub fn read(&self) -> Option<Reading<'_, T>> {
        self.begin().then(|| Reading(self))
    }

    /// Begins to read the value, unless it was deleted; each `true` asks for one [`Deletable::end`].
    #[inline]
    fn begin(&self) -> bool {
        let mut state = self.state.load(Ordering::Relaxed);
        while state & DELETED == 0 {
            // A count that wrapped around would let the value go too soon.
            assert!(state < usize::MAX / 2, "a value has too many readers");
            match self.state.compare_exchange_weak(
                state,
                state + READER,
                Ordering::Acquire,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(found) => state = found,
            }
        }
        false
    }

    /// The value.
    ///
    /// # Safety
    /// The caller has begun to read, and does not use the reference after the end.
    #[inline]
    unsafe fn get(&self) -> &T {
        // SAFETY: the value is dropped when there are no readers; the caller is one.
        let value = unsafe { &*self.value.get() };
        value.as_ref().expect("invariant: what is read is not dropped")
    }

    /// Ends a reading.
    ///
    /// # Safety
    /// The caller has begun to read, and ends it once.
    #[inline]
    unsafe fn end(&self) {
        if self.state.fetch_sub(READER, Ordering::Release) == DELETED + READER {
            fence(Ordering::Acquire);
            // SAFETY: nobody begins to read what was deleted, and this was the last reader.
            unsafe { self.remove() };
        }
    }

    /// Deletes the value: it can be read no more, and is dropped when the last reader is done. Deleting it again does nothing.
    pub fn delete(&self) {
        if self.state.fetch_or(DELETED, Ordering::AcqRel) == 0 {
            // SAFETY: nobody begins to read what was deleted, and there was no reader when it was.
            unsafe { self.remove() };
        }
    }

    /// Whether the value was deleted.
    pub fn is_deleted(&self) -> bool {
        self.state.load(Ordering::Acquire) & DELETED != 0
    }

    /// Drops the value.
    ///
    /// # Safety
    /// The value was deleted and has no readers; this is called once, by whoever made that so.
    #[cold]
    unsafe fn remove(&self) {
        // SAFETY: no reference to the value exists, nor will one.
        drop(unsafe { (*self.value.get()).take() });
    }
}

/// A value that is being read: it stays until this is dropped, even if it is deleted meanwhile.
pub struct Reading<'a, T>(&'a Deletable<T>);

impl<'a, T> Reading<'a, T> {
    /// The holder of the value.
    pub fn holder(&self) -> &'a Deletable<T> {
        self.0
    }
}

impl<T> std::ops::Deref for Reading<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the reading began when this was made, and ends when it is dropped.
        unsafe { self.0.get() }
    }
}

impl<T> Drop for Reading<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the reading began when this was made, and ends here.
        unsafe { self.0.end() };
    }
}

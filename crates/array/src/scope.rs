//! The scope path of recorded instructions, and values that hold for the length of a call.

use std::cell::Cell;

use jarrah_base::Scope;

thread_local! {
    static CURRENT: Cell<Option<Scope>> = const { Cell::new(None) };
}

/// Gives a cell another value while it lives.
pub(crate) struct Scoped<T: Copy + 'static>(&'static std::thread::LocalKey<Cell<T>>, T);

impl<T: Copy> Scoped<T> {
    pub(crate) fn set(cell: &'static std::thread::LocalKey<Cell<T>>, value: T) -> Self {
        Scoped(cell, cell.replace(value))
    }
}

impl<T: Copy> Drop for Scoped<T> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

/// The current scope of this thread.
pub(crate) fn current() -> Scope {
    CURRENT.get().unwrap_or_else(Scope::root)
}

/// Runs `f` in an inner scope: instructions recorded in it carry the scope's path, which errors, dumps and profiles
/// show.
///
/// ```
/// use jarrah_array::{Array, named_scope};
/// let y = named_scope("layers.0", || Array::zeros(&[2]) + 1.0);
/// # let _ = y;
/// ```
pub fn named_scope<R>(name: &str, f: impl FnOnce() -> R) -> R {
    let _scope = Scoped::set(&CURRENT, Some(current().join(name)));
    f()
}

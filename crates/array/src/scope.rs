//! The scope path of recorded instructions.

use std::cell::Cell;

use jarrah_base::Scope;

thread_local! {
    static CURRENT: Cell<Option<Scope>> = const { Cell::new(None) };
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
    struct Guard(Option<Scope>);
    impl Drop for Guard {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _guard = Guard(CURRENT.replace(Some(current().join(name))));
    f()
}

//! The scope path of recorded instructions, and settings that apply for the length of a call.

use std::cell::Cell;
use std::sync::OnceLock;
use std::thread::LocalKey;

use jarrah_base::{Location, Scope};

use crate::checkify::{self, Looking};
use crate::random::{self, PrngImpl};
use crate::ranks::{self, RankPromotion};
use crate::trace;

/// The settings that a program traced now depends on, apart from its arguments.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Settings {
    looking: Looking,
    /// The default generator of keys that the program makes.
    generator: PrngImpl,
    /// Whether the program's uses of keys are checked.
    keys: bool,
    ranks: RankPromotion,
}

impl Settings {
    /// The settings of this thread.
    pub(crate) fn now() -> Self {
        Settings {
            looking: checkify::looking(),
            generator: random::chosen(),
            keys: random::is_checking(),
            ranks: ranks::promotion(),
        }
    }

    /// The first difference from the settings `before`, as a sentence.
    pub(crate) fn news(&self, before: &Settings) -> Option<String> {
        if self.looking != before.looking {
            return Some("failures are looked for, or no longer".to_owned());
        }
        if self.keys != before.keys {
            return Some("the reuse of keys is looked at, or no more".to_owned());
        }
        if self.ranks != before.ranks {
            return Some("operands of different rank may broadcast, or no more".to_owned());
        }
        (self.generator != before.generator).then(|| {
            format!(
                "the default generator of random numbers is {}, it was {}",
                self.generator, before.generator
            )
        })
    }
}

thread_local! {
    static CURRENT: Cell<Option<Scope>> = const { Cell::new(None) };
    /// The line that entered the current scope.
    static ENTERED: Cell<Option<Location>> = const { Cell::new(None) };
}

/// A thread-local cell set to another value until this guard is dropped, which restores the old one.
pub(crate) struct Scoped<T: Copy + 'static>(&'static LocalKey<Cell<T>>, T);

impl<T: Copy> Scoped<T> {
    pub(crate) fn set(cell: &'static LocalKey<Cell<T>>, value: T) -> Self {
        Scoped(cell, cell.replace(value))
    }
}

impl<T: Copy> Drop for Scoped<T> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

/// A setting that each thread may choose for the length of a call; otherwise a variable of the environment decides for all
/// threads.
pub(crate) struct Choice<T: Copy + 'static> {
    here: &'static LocalKey<Cell<Option<T>>>,
    /// The variable of the environment.
    variable: &'static str,
    /// Parses a value of the variable; an invalid value is reported here.
    parse: fn(&str) -> T,
    default: OnceLock<T>,
}

impl<T: Copy + Default> Choice<T> {
    pub(crate) const fn new(
        here: &'static LocalKey<Cell<Option<T>>>,
        variable: &'static str,
        parse: fn(&str) -> T,
    ) -> Self {
        Choice { here, variable, parse, default: OnceLock::new() }
    }

    /// Calls `f`, in which this thread has chosen `value`.
    pub(crate) fn with<R>(&self, value: T, f: impl FnOnce() -> R) -> R {
        let _scope = Scoped::set(self.here, Some(value));
        f()
    }

    /// The setting in effect on this thread: the one that the thread has set, else the value of the environment variable, else
    /// the type's default if the variable is unset or empty.
    pub(crate) fn now(&self) -> T {
        self.here.get().unwrap_or_else(|| {
            *self.default.get_or_init(|| match std::env::var_os(self.variable) {
                Some(value) if !value.is_empty() => (self.parse)(&value.to_string_lossy()),
                _ => T::default(),
            })
        })
    }
}

/// The current scope of this thread.
pub(crate) fn current() -> Scope {
    CURRENT.get().unwrap_or_else(Scope::root)
}

/// Describes the current scope for an error at `place`: its path, and the line that entered it, unless that is `place`.
pub(crate) fn whereabouts(place: Location) -> Option<String> {
    let scope = current().path();
    if scope.is_empty() {
        return None;
    }
    Some(match ENTERED.get().filter(|line| *line != place) {
        Some(line) => format!("in {scope}, called at {line}"),
        None => format!("in {scope}"),
    })
}

/// Runs `f` in an inner scope: instructions recorded in it carry the scope's path, which errors, dumps and profiles
/// show.
///
/// ```
/// use jarrah_array::{Array, named_scope};
/// let y = named_scope("layers.0", || Array::zeros(&[2]) + 1.0);
/// # let _ = y;
/// ```
#[track_caller]
pub fn named_scope<R>(name: &str, f: impl FnOnce() -> R) -> R {
    let _scope = Scoped::set(&CURRENT, Some(current().join(name)));
    let _line = Scoped::set(&ENTERED, Some(trace::acting_line(Location::caller())));
    f()
}

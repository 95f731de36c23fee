//! The arrays that are alive.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::{Arc, Weak};

use jarrah_base::{Location, Type};

use crate::device::Device;
use crate::eager::{self, Node};
use crate::scope::Scoped;

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static MADE: RefCell<Vec<Weak<Node>>> = const { RefCell::new(Vec::new()) };
}

/// The number of recorded arrays from which on those that were dropped are removed from the list.
const MANY: usize = 1024;

/// A concrete array to which a handle exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveArray {
    /// Its dtype and extents.
    pub ty: Type,
    /// The bytes of its elements; several arrays may share them.
    pub bytes: usize,
    /// The device that the array is on, or will be computed on.
    pub device: Device,
    /// The line at which the array was made.
    pub made: Option<Location>,
}

impl fmt::Display for LiveArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}, {} bytes", self.ty, self.device, self.bytes)?;
        self.made.iter().try_for_each(|made| write!(f, ", made at {made}"))
    }
}

/// The result of `f`, and the concrete arrays made within it on this thread that are still alive at its end: shows which arrays
/// use memory. Recorded operations run first, so that only your program's handles keep arrays alive.
///
/// ```
/// use jarrah_array::{Array, live_arrays};
/// let (kept, alive) = live_arrays(|| {
///     let x = Array::ones(&[1000]);
///     let y = &x * 2.0;
///     vec![y.sum(..)]
/// });
/// assert_eq!(alive.len(), 1);
/// assert_eq!(alive[0].ty, kept[0].ty());
/// println!("{}", alive[0]);
/// ```
pub fn live_arrays<R>(f: impl FnOnce() -> R) -> (R, Vec<LiveArray>) {
    struct Restore(Vec<Weak<Node>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            // Arrays made in the inner call also count as made in the outer call.
            MADE.with_borrow_mut(|made| {
                self.0.append(made);
                std::mem::swap(made, &mut self.0);
            });
        }
    }
    let _watched = Scoped::set(&WATCHED, true);
    let restore = Restore(MADE.take());
    let result = f();
    eager::flush();
    let alive: Vec<Arc<Node>> = MADE.with_borrow(|made| made.iter().filter_map(Weak::upgrade).collect());
    drop(restore);
    let describe = |node: &Arc<Node>| LiveArray {
        ty: node.ty(),
        bytes: node.ty().bytes().unwrap_or(usize::MAX),
        device: node.location(),
        made: node.source().location,
    };
    (result, alive.iter().map(describe).collect())
}

/// Records that an array was made.
#[inline]
pub(crate) fn made(node: &Arc<Node>) {
    if WATCHED.get() {
        MADE.with_borrow_mut(|made| {
            if made.len() >= MANY && made.len() == made.capacity() {
                made.retain(|node| node.strong_count() > 0);
                // The list doubles its room, so that it is searched again only after as many further arrays.
                made.reserve(made.len());
            }
            made.push(Arc::downgrade(node));
        });
    }
}

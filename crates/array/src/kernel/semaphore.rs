//! Semaphores, which count finished copies, and the asynchronous copies that signal them.
//!
//! A kernel's points run in a defined order, so a semaphore is a plain counter, and waiting subtracts from it. Waiting for a
//! signal that never comes is an error.

use std::cell::Cell;
use std::rc::Rc;

use jarrah_base::{DType, Error, Location, Type};

use crate::array::Array;
use crate::checkify;
use crate::error::{fail, with_context};
use crate::kernel::RefAt;
use crate::mutable::Ref;
use crate::trace;

/// A counter that is signalled and waited for.
///
/// ```
/// use jarrah_array::kernel::Semaphore;
/// let ready = Semaphore::new();
/// ready.signal(2);
/// ready.wait(1);
/// assert_eq!(ready.read().item::<i32>()?, 1);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.semaphore_signal` and its kin.
#[derive(Clone)]
pub struct Semaphore {
    count: Ref,
    /// The trace in which the semaphore was made.
    home: Option<u64>,
    /// The count while it follows from the program alone, so that it is known during tracing.
    known: Rc<Cell<Option<i64>>>,
}

impl Default for Semaphore {
    #[track_caller]
    fn default() -> Self {
        Semaphore::new()
    }
}

impl Semaphore {
    /// A counter at zero.
    ///
    /// ```
    /// use jarrah_array::kernel::Semaphore;
    /// assert_eq!(Semaphore::new().read().item::<i32>()?, 0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new() -> Self {
        let count = Ref::new(&Array::zeros_of(Type::tensor(DType::I32, [])));
        Semaphore { count, home: trace::innermost(), known: Rc::new(Cell::new(Some(0))) }
    }

    /// The counter in a scratch array of a kernel, an `i32` scalar, which keeps its count from point to point.
    ///
    /// # Errors
    /// A program error if the array is no `i32` scalar.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, BlockDim, Semaphore, kernel};
    /// use jarrah_array::{DType, Type};
    /// let counts = kernel(|[y, count]| {
    ///     let count = Semaphore::of(&count);
    ///     count.signal(1);
    ///     y.set(count.read());
    /// })
    /// .grid(&[3])
    /// .output(Type::tensor(DType::I32, [3]), Block::new([BlockDim::Squeezed], |[i]| [i]))
    /// .scratch(Type::tensor(DType::I32, []));
    /// assert_eq!(counts.call_one(&[]).to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn of(count: &Ref) -> Self {
        if count.ty() != Type::tensor(DType::I32, []) {
            let error = Error::program(format!("a semaphore is an i32 scalar, the Ref holds {}", count.ty()));
            let help = "give the kernel scratch of type i32[]: scratch(Type::tensor(DType::I32, []))";
            fail(with_context(error.op("semaphore").at(Location::caller()).help(help)));
        }
        Semaphore { count: count.clone(), home: trace::innermost(), known: Rc::new(Cell::new(None)) }
    }

    /// Counts `n` up.
    ///
    /// ```
    /// # use jarrah_array::kernel::Semaphore;
    /// let ready = Semaphore::new();
    /// ready.signal(3);
    /// assert_eq!(ready.read().item::<i32>()?, 3);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn signal(&self, n: u32) {
        self.change(i64::from(n));
        self.count.addupdate(n);
    }

    /// Counts `n` down, where the counter is at `n` or above.
    ///
    /// # Errors
    /// A program error if the count is known to be lower; if it turns out lower when the program runs, the run fails.
    ///
    /// ```
    /// use jarrah_array::kernel::Semaphore;
    /// use jarrah_array::try_trace;
    /// assert!(try_trace(|| Semaphore::new().wait(1)).is_err());
    /// ```
    #[track_caller]
    pub fn wait(&self, n: u32) {
        if let Some(count) = self.known.get().filter(|&count| self.is_straight() && count < i64::from(n)) {
            let error = Error::program(format!("the semaphore is at {count}: a wait for {n} never ends"));
            fail(with_context(
                error.op("wait").at(Location::caller()).help("signal it before, or start the copy that does"),
            ));
        }
        if self.known.get().is_none() || !self.is_straight() {
            let count = self.count.get();
            checkify::check(
                &count.ge(n),
                &format!("the semaphore is at {{}}: a wait for {n} never ends"),
                &[&count],
            );
        }
        self.change(-i64::from(n));
        self.count.addupdate(-(n as i32));
    }

    /// The count.
    ///
    /// ```
    /// # use jarrah_array::kernel::Semaphore;
    /// assert_eq!(Semaphore::new().read().item::<i32>()?, 0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn read(&self) -> Array {
        self.count.get()
    }

    /// Whether operations recorded now are in the trace where the semaphore was made, so that they run exactly once and in order.
    fn is_straight(&self) -> bool {
        trace::innermost() == self.home
    }

    /// In a loop or a branch how often this happens is not known.
    fn change(&self, by: i64) {
        let now = self.known.get().filter(|_| self.is_straight()).map(|count| count + by);
        self.known.set(now);
    }
}

/// A copy between two places, whose completion a semaphore counts; made by [`async_copy`].
pub struct AsyncCopy {
    from: RefAt,
    to: RefAt,
    done: Semaphore,
}

/// An asynchronous copy of the elements at `from` to `to`, not started yet.
///
/// It takes place as a whole when it is started: none of it is visible before, and all of it after.
///
/// ```
/// use jarrah_array::kernel::{Semaphore, async_copy, ds};
/// use jarrah_array::{Array, Ref};
/// let (from, to, done) = (Ref::new(&Array::arange(4)), Ref::new(&(Array::arange(2) * 0)), Semaphore::new());
/// let copy = async_copy(from.at(ds(1, 2)), to.at(..), &done);
/// copy.start();
/// copy.wait();
/// assert_eq!(to.get().to_vec::<i32>()?, [1, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.tpu.make_async_copy`.
pub fn async_copy(from: RefAt, to: RefAt, done: &Semaphore) -> AsyncCopy {
    AsyncCopy { from, to, done: done.clone() }
}

impl AsyncCopy {
    /// Begins the copy.
    ///
    /// ```
    /// # use jarrah_array::kernel::{Semaphore, async_copy};
    /// # use jarrah_array::{Array, Ref};
    /// let (from, to, done) = (Ref::new(&Array::arange(2)), Ref::new(&(Array::arange(2) * 0)), Semaphore::new());
    /// async_copy(from.at(..), to.at(..), &done).start();
    /// assert_eq!(done.read().item::<i32>()?, 1);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn start(&self) {
        self.to.set(self.from.get());
        self.done.signal(1);
    }

    /// Waits until the copy is done.
    ///
    /// # Errors
    /// As [`Semaphore::wait`]; a program error if nothing was started.
    ///
    /// ```
    /// # use jarrah_array::kernel::{Semaphore, async_copy};
    /// # use jarrah_array::{Array, Ref, try_trace};
    /// let (from, to, done) = (Ref::new(&Array::arange(2)), Ref::new(&(Array::arange(2) * 0)), Semaphore::new());
    /// let copy = async_copy(from.at(..), to.at(..), &done);
    /// assert!(try_trace(|| copy.wait()).is_err());
    /// ```
    #[track_caller]
    pub fn wait(&self) {
        self.done.wait(1);
    }
}

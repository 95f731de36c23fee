//! Cells that hold an array and can be written: [`Ref`].
//!
//! A write inside of a traced function is no effect of its program. The trace keeps the cell's latest value; the initial content
//! of the cell is one more parameter of the program, and the final content one more result, which the surrounding transformation
//! writes back. So a program stays a function of its operands, and every pass and rule is right for it.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use jarrah_base::{DType, Error, Location, Result, Type};
use jarrah_hlo::{Builder, Value};

use crate::array::Array;
use crate::callback;
use crate::checkify;
use crate::eager::Node;
use crate::error::{fail, with_context};
use crate::function::or_fail;
use crate::numpy::IntoIndices;
use crate::operators::{IntoOperand, Operand};
use crate::trace::{self, Traced};

/// A cell that holds an array of one type, which can be replaced: state that a function changes while it runs, such as a
/// counter, a cache or running statistics.
///
/// Clones are handles to the same cell. A function captures the cells that it uses, or finds them in static fields of its
/// argument; it may read and write them under [`crate::jit`], in loops and branches, under [`crate::checkpoint`] and
/// derivatives, and call by call the cell holds what it would hold if the function ran line by line. Under a compiled
/// function the cell's memory is used again for its new value if no other handle to the old value is left.
///
/// If a run fails, reading the cells that it writes fails too, until they are set again. A host function cannot use a cell that
/// the surrounding run writes.
///
/// Derivatives flow through a cell within the function that is differentiated; what it leaves in a cell from outside is a
/// value, as the second result of [`crate::value_and_grad_with_aux`] is. Elements of a [`crate::vmap`] cannot write
/// different values to one cell from outside.
///
/// ```
/// use jarrah_array::{Array, Ref, jit};
/// let count = Ref::new(&Array::scalar(0));
/// let counted = jit(|x: &Array| {
///     count.update(|n| n + 1);
///     x * 2
/// });
/// counted.call(Array::scalar(1.0))?;
/// counted.call(Array::scalar(2.0))?;
/// assert_eq!(count.get().item::<i32>()?, 2);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.new_ref`.
#[derive(Clone)]
pub struct Ref {
    cell: Arc<Cell>,
}

struct Cell {
    ty: Type,
    /// The trace in which the cell was made; `None` for a cell made outside of all traces.
    home: Option<u64>,
    /// The cell's value in the trace `home`.
    content: Mutex<Content>,
    /// Whether access to the cell is an error until a run that calls host functions ends.
    running: AtomicBool,
    /// A cell of truth values, which elements were written, and a description of the cell: for blocks and scratch arrays of a
    /// kernel in checked mode.
    written: Option<(Ref, String)>,
}

enum Content {
    Value(Array),
    /// The content was taken out at this line.
    Gone(Location),
}

impl Content {
    fn value(&self) -> Result<Array> {
        match self {
            Content::Value(array) => Ok(array.clone()),
            Content::Gone(at) => Err(Error::program("the Ref holds nothing any more")
                .label(*at, "it was frozen")
                .help("use the array that freeze gave, or make a new Ref of it")),
        }
    }
}

/// A cell locked for this thread. Dropping this restores the content that [`Locked::take`] took out, unless other content was
/// set.
pub(crate) struct Locked<'a> {
    content: MutexGuard<'a, Content>,
    running: &'a AtomicBool,
    taken: Option<Array>,
}

impl Locked<'_> {
    pub(crate) fn value(&self) -> Result<Array> {
        self.content.value()
    }

    pub(crate) fn set(&mut self, value: Array) {
        *self.content = Content::Value(value);
        self.taken = None;
    }

    /// Takes the content out of the cell. Returns whether the cell held the only reference to it.
    pub(crate) fn take(&mut self) -> Result<bool> {
        let value = self.content.value()?;
        *self.content = Content::Gone(Location::caller());
        Ok(self.taken.insert(value).node().is_some_and(Node::is_sole))
    }

    /// From now on reading or writing the cell in a host function is an error: this would wait for the run that waits for it.
    pub(crate) fn close_to_callbacks(&self) {
        self.running.store(true, Ordering::SeqCst);
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        if let Some(value) = self.taken.take() {
            *self.content = Content::Value(value);
        }
        self.running.store(false, Ordering::SeqCst);
    }
}

impl Ref {
    /// Makes a cell with the content `value`.
    ///
    /// ```
    /// # use jarrah_array::{Array, Ref};
    /// let (x, cell) = (Array::from_slice(&[1i32, 2]), Ref::new(&Array::from_slice(&[1i32, 2])));
    /// cell.set(&x * 10);
    /// assert_eq!((x.to_vec::<i32>()?, cell.get().to_vec::<i32>()?), (vec![1, 2], vec![10, 20]));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new(value: &Array) -> Self {
        Ref::with(value, None)
    }

    /// A cell that is described as `what`, for which reads of elements that were not written are errors; `written` marks the
    /// written elements.
    pub(crate) fn watched(value: &Array, written: Ref, what: String) -> Self {
        Ref::with(value, Some((written, what)))
    }

    fn with(value: &Array, written: Option<(Ref, String)>) -> Self {
        let content = Mutex::new(Content::Value(value.clone()));
        let running = AtomicBool::new(false);
        Ref { cell: Arc::new(Cell { ty: value.ty(), home: trace::innermost(), content, running, written }) }
    }

    /// The type of the cell's content.
    ///
    /// ```
    /// # use jarrah_array::{Array, Ref};
    /// assert_eq!(Ref::new(&Array::zeros(&[2, 3])).ty().to_string(), "f32[2,3]");
    /// ```
    pub fn ty(&self) -> Type {
        self.cell.ty
    }

    /// The cell's value now, which later writes do not change.
    ///
    /// ```
    /// # use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::scalar(1));
    /// let before = cell.get();
    /// cell.set(2);
    /// assert_eq!((before.item::<i32>()?, cell.get().item::<i32>()?), (1, 2));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn get(&self) -> Array {
        self.check_written(Array::clone, None);
        self.peek()
    }

    /// The cell's value now, without checking that it was written.
    #[track_caller]
    pub(crate) fn peek(&self) -> Array {
        let at = Location::caller();
        or_fail(at, trace::read(self, at).map_err(|error| error.op("get")))
    }

    /// Sets the content to `value`, which has the cell's type.
    #[track_caller]
    pub(crate) fn put(&self, value: Array) {
        let at = Location::caller();
        or_fail(at, trace::write(self, value, at).map_err(|error| error.op("set")));
    }

    /// Records a check that the elements selected by `places` have been written, except where the mask is false.
    #[track_caller]
    pub(crate) fn check_written(&self, places: impl FnOnce(&Array) -> Array, mask: Option<&Array>) {
        let Some((written, what)) = &self.cell.written else { return };
        let written = places(&written.peek());
        let holds = match mask {
            Some(mask) => written | !mask,
            None => written,
        };
        checkify::check(&holds, &format!("an element of {what} is read that nothing has written"), &[]);
    }

    /// Marks elements as written: `f` maps the old marks to the new ones.
    #[track_caller]
    pub(crate) fn mark_written(&self, f: impl FnOnce(&Array) -> Array) {
        if let Some((written, _)) = &self.cell.written {
            written.put(f(&written.peek()));
        }
    }

    /// The elements at `indices`, as [`Array::index`] takes them.
    ///
    /// ```
    /// # use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::arange(6).reshape(&[2, 3]));
    /// assert_eq!(cell.index((.., 0)).to_vec::<i32>()?, [0, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn index(&self, indices: impl IntoIndices) -> Array {
        self.get().index(indices)
    }

    /// Replaces the content by `value`: an array of the cell's type, or a number for all its elements.
    ///
    /// # Errors
    ///
    /// A program error if `value` has another type.
    ///
    /// ```
    /// # use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::zeros(&[2]));
    /// cell.set(Array::from_slice(&[1.0f32, 2.0]));
    /// assert_eq!(cell.get().to_vec::<f32>()?, [1.0, 2.0]);
    /// cell.set(7);
    /// assert_eq!(cell.get().to_vec::<f32>()?, [7.0, 7.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn set(&self, value: impl IntoOperand) {
        let at = Location::caller();
        let ty = self.cell.ty;
        let value = match value.into_operand() {
            Operand::Array(array) if array.ty() == ty => array,
            Operand::Number(number) => {
                Array::constant(number.fit("set", ty.dtype())).broadcast_to(&ty.dims())
            }
            Operand::Array(array) => {
                let error = Error::program(format!("the Ref holds {ty}, it cannot hold {}", array.ty()));
                let help = "a Ref keeps its type: convert the value with astype or broadcast_to, or write a part: \
                            r.at(i).set(v)";
                fail(with_context(error.op("set").at(at).help(help)))
            }
        };
        or_fail(at, trace::write(self, value, at).map_err(|error| error.op("set")));
        self.mark_written(|written| Array::full(&written.shape(), true, DType::Bool));
    }

    /// Replaces the content by `f` of it: `count.update(|n| n + 1)`, `cache.update(|c| c.at(i).set(row))`.
    ///
    /// ```
    /// # use jarrah_array::{Array, Ref};
    /// let cache = Ref::new(&Array::zeros(&[3]));
    /// cache.update(|c| c.at(1).set(5.0));
    /// assert_eq!(cache.get().to_vec::<f32>()?, [0.0, 5.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn update(&self, f: impl FnOnce(&Array) -> Array) {
        self.set(f(&self.get()));
    }

    /// Adds to the content; the sum is converted to the cell's dtype.
    ///
    /// ```
    /// # use jarrah_array::{Array, Ref};
    /// let count = Ref::new(&Array::from_slice(&[1i32, 2]));
    /// count.addupdate(Array::from_slice(&[10.9f32, 20.0]));
    /// assert_eq!(count.get().to_vec::<i32>()?, [11, 22]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn addupdate(&self, value: impl IntoOperand) {
        let old = self.get();
        self.set((&old + value).astype(old.dtype()));
    }

    /// Replaces the content by `value`, and returns the old content.
    ///
    /// ```
    /// # use jarrah_array::{Array, Ref};
    /// let cell = Ref::new(&Array::scalar(1));
    /// assert_eq!(cell.swap(2).item::<i32>()?, 1);
    /// assert_eq!(cell.get().item::<i32>()?, 2);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn swap(&self, value: impl IntoOperand) -> Array {
        let old = self.get();
        self.set(value);
        old
    }

    /// The cell's last value; afterwards, no handle can read or write the cell.
    ///
    /// # Errors
    ///
    /// A program error inside of a traced function, for a cell made outside of it.
    ///
    /// ```
    /// # use jarrah_array::{Array, Ref, try_trace};
    /// let cell = Ref::new(&Array::scalar(1));
    /// let other = cell.clone();
    /// assert_eq!(cell.freeze().item::<i32>()?, 1);
    /// assert!(try_trace(|| other.get()).is_err());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn freeze(&self) -> Array {
        let at = Location::caller();
        let value = self.get();
        if self.cell.home != trace::innermost() {
            let error = Error::program("a Ref is frozen inside a function that it comes from outside of");
            let help = "freeze it where it was made, after the function; get() reads it here";
            fail(with_context(error.op("freeze").at(at).help(help)));
        }
        *self.content() = Content::Gone(at);
        value
    }

    pub(crate) fn home(&self) -> Option<u64> {
        self.cell.home
    }

    pub(crate) fn is(&self, other: &Ref) -> bool {
        Arc::ptr_eq(&self.cell, &other.cell)
    }

    /// The cell's value in the trace where it was made.
    pub(crate) fn at_home(&self) -> Result<Array> {
        self.check_run()?;
        self.content().value()
    }

    /// An error in a host function that the run calls which writes the cell.
    fn check_run(&self) -> Result<()> {
        if !callback::is_inside() || !self.cell.running.load(Ordering::SeqCst) {
            return Ok(());
        }
        let error = Error::program("a host function uses a Ref that the run around it writes");
        Err(error
            .help("pass what the Ref holds to the host function as an argument, and write what it returns"))
    }

    pub(crate) fn store(&self, value: Array) {
        *self.content() = Content::Value(value);
    }

    /// Locks these cells against other threads, in the order of their addresses, so that two threads never wait for each other.
    pub(crate) fn lock_all<'a>(cells: impl Iterator<Item = &'a Ref>) -> Result<Vec<Locked<'a>>> {
        let mut order: Vec<(usize, &Ref)> = cells.enumerate().collect();
        order.sort_by_key(|(_, cell)| Arc::as_ptr(&cell.cell));
        let mut locked: Vec<(usize, Locked)> = Vec::with_capacity(order.len());
        for (i, cell) in order {
            cell.check_run()?;
            locked.push((i, Locked { content: cell.content(), running: &cell.cell.running, taken: None }));
        }
        locked.sort_by_key(|(i, _)| *i);
        Ok(locked.into_iter().map(|(_, locked)| locked).collect())
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.cell.content.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Calls `f` with cells whose initial contents are `init`; returns also their final contents.
///
/// ```
/// use jarrah_array::{Array, Ref, run_state};
/// let double = |cells: &[Ref]| cells[0].update(|x| x * 2);
/// let end = run_state(double, &[Array::scalar(3.0)]);
/// assert_eq!(end[0].item::<f32>()?, 6.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn run_state(f: impl FnOnce(&[Ref]), init: &[Array]) -> Vec<Array> {
    let cells: Vec<Ref> = init.iter().map(Ref::new).collect();
    f(&cells);
    let mut end = Vec::with_capacity(cells.len());
    for cell in &cells {
        end.push(cell.freeze());
    }
    end
}

/// Handles are equal if they are to one cell, so that a cell can be a static field of a tree.
impl PartialEq for Ref {
    fn eq(&self, other: &Self) -> bool {
        self.is(other)
    }
}

impl Eq for Ref {}

impl Hash for Ref {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.cell).hash(state);
    }
}

impl fmt::Debug for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Equality is identity, so where the cell lies tells it from others of its type.
        write!(f, "Ref({} at {:p})", self.cell.ty, Arc::as_ptr(&self.cell))
    }
}

/// A cell from outside that a traced function has used.
#[derive(Clone)]
pub(crate) struct Used {
    pub(crate) cell: Ref,
    /// The index of the capture that is the cell's value at the start.
    pub(crate) capture: usize,
    /// Where the function wrote it last, if it did.
    pub(crate) written: Option<Location>,
}

/// The written cells, in the order of their values among the results.
pub(crate) fn written(cells: &[Used]) -> impl Iterator<Item = &Used> {
    cells.iter().filter(|used| used.written.is_some())
}

/// As [`written`], each cell with the line that wrote it last.
pub(crate) fn written_at(cells: &[Used]) -> impl Iterator<Item = (&Ref, Location)> {
    cells.iter().filter_map(|used| used.written.map(|line| (&used.cell, line)))
}

/// Takes the final contents of the written cells from the end of `results` and stores them in the cells, each with the line at
/// which the function wrote the cell; the function was called at the line `at`.
#[track_caller]
pub(crate) fn write_back<'a>(
    cells: impl IntoIterator<Item = (&'a Ref, Location)>,
    results: &mut Vec<Array>,
    at: Location,
) {
    let cells: Vec<(&Ref, Location)> = cells.into_iter().collect();
    let values = results.split_off(results.len() - cells.len());
    for ((cell, line), value) in cells.into_iter().zip(values) {
        or_fail(at, trace::write(cell, value, line));
    }
}

impl Traced {
    /// The function with the cells as explicit parameters and results: after its first `explicit` parameters come the initial
    /// contents of all `cells`, after its own results their final contents, also of cells that the function does not use.
    #[track_caller]
    pub(crate) fn through_cells(&self, cells: &[Ref], explicit: usize, at: Location) -> Traced {
        let used = |cell: &Ref| self.cells.iter().find(|used| used.cell == *cell);
        let mut b = Builder::new(self.program.name());
        let mut params: Vec<Option<Value>> = vec![None; self.program.params().len()];
        for (slot, param) in params.iter_mut().zip(&self.program.params()[..explicit]) {
            *slot = Some(b.param_at(*param));
        }
        let starts: Vec<Value> = cells.iter().map(|cell| b.param(cell.ty(), "")).collect();
        for (cell, &start) in cells.iter().zip(&starts) {
            if let Some(used) = used(cell) {
                params[explicit + used.capture] = Some(start);
            }
        }
        let mut captures = Vec::new();
        let rest = params.iter_mut().zip(self.program.params()).skip(explicit).zip(&self.captures);
        for ((slot, param), capture) in rest {
            if slot.is_none() {
                *slot = Some(b.param_at(*param));
                captures.push(capture.clone());
            }
        }
        let args: Vec<Value> = params.into_iter().flatten().collect();
        let program = b.inline(&self.program, &args).and_then(|results| {
            let (own, ends) = results.split_at(self.own_results());
            let written: Vec<(&Used, &Value)> = written(&self.cells).zip(ends).collect();
            let mut all = own.to_vec();
            for (cell, &start) in cells.iter().zip(&starts) {
                let end = written.iter().find(|(used, _)| used.cell == *cell);
                all.push(end.map_or(start, |(_, end)| **end));
            }
            b.finish(&all)
        });
        Traced { program: or_fail(at, program), captures, cells: Vec::new(), keys: Vec::new() }
    }
}

/// The values of these cells now.
#[track_caller]
pub(crate) fn read_all(cells: &[Ref]) -> Vec<Array> {
    let mut values = Vec::with_capacity(cells.len());
    for cell in cells {
        values.push(cell.peek());
    }
    values
}

/// The cells that any of the functions writes, each once, and where.
pub(crate) fn written_by<'a>(functions: impl IntoIterator<Item = &'a Traced>) -> (Vec<Ref>, Vec<Location>) {
    let (mut cells, mut lines) = (Vec::new(), Vec::new());
    for (cell, line) in functions.into_iter().flat_map(|function| written_at(&function.cells)) {
        if !cells.contains(cell) {
            cells.push(cell.clone());
            lines.push(line);
        }
    }
    (cells, lines)
}

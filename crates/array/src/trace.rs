//! The stack of open traces of a thread; an operation is recorded in the innermost.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Weak};

use jarrah_base::{Error, Location, Result, Source, Type};
use jarrah_hlo::ops::NamedAxis;
use jarrah_hlo::{Builder, MAX_DEPTH, Op, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::array::{Array, Repr};
use crate::eager::{self, Node};
use crate::error::{fail_at, with_context};
use crate::mutable::{Ref, Used, written};
use crate::random;
use crate::scope::{self, Scoped};

/// A stand-in for a value of a program being traced.
#[derive(Clone)]
pub(crate) struct Tracer {
    trace: u64,
    value: Value,
    ty: Type,
    source: Source,
    /// The concrete value, if the program is traced on concrete arguments: under `grad` outside of `jit` and
    /// `vmap`.
    shadow: Option<Arc<Node>>,
    /// A count of the tracer's handles, kept if the trace checks at its end which tracers are still held.
    _held: Option<Arc<()>>,
}

impl Tracer {
    pub(crate) fn ty(&self) -> Type {
        self.ty
    }

    pub(crate) fn source(&self) -> Source {
        self.source
    }

    pub(crate) fn shadow(&self) -> Option<&Arc<Node>> {
        self.shadow.as_ref()
    }

    /// An identity shared by all tracers of the same value.
    pub(crate) fn identity(&self) -> Identity {
        Identity::Tracer(self.trace, self.value)
    }

    /// Whether the tracer's trace is not open on this thread.
    pub(crate) fn has_ended(&self) -> bool {
        STACK.with_borrow(|stack| !stack.iter().any(|trace| trace.id == self.trace))
    }

    /// The name of the trace that the tracer belongs to, for the error that it has no concrete value.
    pub(crate) fn describe_trace(&self) -> String {
        let name = STACK.with_borrow(|s| s.iter().find(|t| t.id == self.trace).map(|t| t.name.clone()));
        name.unwrap_or_else(|| "a finished trace".to_owned())
    }
}

/// A program being traced.
struct Trace {
    id: u64,
    name: String,
    /// The line that the function is traced for.
    at: Location,
    builder: Builder,
    captures: Vec<Array>,
    captured: FxHashMap<Identity, Value>,
    /// Cells from outside that the function used, with their contents at the start and now.
    cells: Vec<(Used, [Array; 2])>,
    /// Whether tracers carry concrete values, where the arrays they stand for have some.
    shadows: Shadows,
    /// The trace's tracers, collected if it is an error for one of them to outlive the trace.
    tracers: Option<Vec<Held>>,
}

/// A tracer that is still held.
struct Held {
    handles: Weak<()>,
    ty: Type,
    source: Source,
}

impl Trace {
    /// A tracer of this trace.
    fn tracer(&mut self, value: Value, ty: Type, source: Source, shadow: Option<Arc<Node>>) -> Array {
        let held = self.tracers.as_mut().map(|tracers| {
            let held = Arc::new(());
            tracers.push(Held { handles: Arc::downgrade(&held), ty, source });
            held
        });
        Array::from_tracer(Tracer { trace: self.id, value, ty, source, shadow, _held: held })
    }
}

/// An identity that all handles to one array share, and no other array has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    Node(*const Node),
    Tracer(u64, Value),
}

thread_local! {
    static STACK: RefCell<Vec<Trace>> = const { RefCell::new(Vec::new()) };

    /// The line of the user for which this crate and others [act](acting), if they do.
    static ACTING: Cell<Option<Acting>> = const { Cell::new(None) };

    /// The named axes of the maps around, innermost last.
    static AXES: RefCell<Vec<NamedAxis>> = const { RefCell::new(Vec::new()) };

    /// Whether traces check at their end which of their tracers are still held.
    static CHECKING: Cell<bool> = const { Cell::new(false) };

    /// Whether the operations that run now bypass the open traces.
    static ASIDE: Cell<bool> = const { Cell::new(false) };

    /// Whether arrays made from numbers become constants of the program being traced instead of captures.
    static INLINING: Cell<bool> = const { Cell::new(false) };
}

static NEXT: AtomicU64 = AtomicU64::new(1);

/// The open traces of all threads, to tell a leaked tracer from a tracer on the wrong thread.
static OPEN: LazyLock<Mutex<FxHashSet<u64>>> = LazyLock::new(Mutex::default);

fn open_traces() -> std::sync::MutexGuard<'static, FxHashSet<u64>> {
    OPEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Runs host code that a program calls: its operations are its own, whatever is being traced on this thread.
///
/// Recording an operation may run programs, so the stack is not borrowed while it does.
pub(crate) fn outside<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(Vec<Trace>, Vec<NamedAxis>);
    impl Drop for Restore {
        fn drop(&mut self) {
            STACK.set(std::mem::take(&mut self.0));
            AXES.set(std::mem::take(&mut self.1));
        }
    }
    let _restore = Restore(STACK.take(), AXES.take());
    f()
}

/// Calls `f` with a check at the end of each trace: an array of the traced function that is still held is an error, with the line
/// that made the array. Without this, the error comes only where such an array is used.
///
/// ```
/// use std::cell::RefCell;
/// use jarrah_array::{Array, checking_leaks, grad, try_trace};
/// let kept = RefCell::new(None);
/// let f = |x: &Array| {
///     let y = x * x;
///     kept.replace(Some(y.clone()));
///     y
/// };
/// let error = try_trace(|| checking_leaks(|| grad(f)(&Array::scalar(3.0)))).unwrap_err();
/// assert!(error.message().contains("an array of type f32[] is held after the end of its trace"));
/// ```
pub fn checking_leaks<R>(f: impl FnOnce() -> R) -> R {
    let _scope = Scoped::set(&CHECKING, true);
    f()
}

/// Calls `f` with its operations run at once, even inside of a traced function: it works with concrete arrays only, and its
/// result is a constant of the traced function.
///
/// An array of a function that is traced has no value yet: to use one in `f` is an error.
///
/// ```
/// use jarrah_array::{Array, ensure_compile_time_eval, jit};
/// let f = jit(|x: &Array| {
///     let steps = ensure_compile_time_eval(|| (Array::arange(0..4) * 2).sum(..).to_f64());
///     x * steps.unwrap()
/// });
/// assert_eq!(f.call(Array::scalar(0.5))?.item::<f32>()?, 6.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn ensure_compile_time_eval<R>(f: impl FnOnce() -> R) -> R {
    outside(|| {
        let _scope = Scoped::set(&ASIDE, true);
        f()
    })
}

/// Runs `f`, which is mapped over `axis`, if that has a name.
pub(crate) fn within_axis<R>(axis: Option<NamedAxis>, f: impl FnOnce() -> R) -> R {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            AXES.with_borrow_mut(|axes| axes.truncate(self.0));
        }
    }
    let _restore = Restore(AXES.with_borrow(Vec::len));
    AXES.with_borrow_mut(|axes| axes.extend(axis));
    f()
}

/// The named axes of the maps around, innermost last.
pub(crate) fn named_axes() -> Vec<NamedAxis> {
    AXES.with_borrow(Vec::clone)
}

/// Until the guard is dropped, arrays made from numbers, unless they are large, become constants of the function being traced.
pub(crate) fn inlining() -> Scoped<bool> {
    Scoped::set(&INLINING, true)
}

/// Whether a new array of this many elements becomes a constant of the function being traced instead of a capture.
pub(crate) fn inlines(elements: usize) -> bool {
    const LARGEST: usize = 256;
    INLINING.get() && elements <= LARGEST && is_tracing()
}

/// Whether operations are recorded in a program rather than run.
pub(crate) fn is_tracing() -> bool {
    STACK.with_borrow(|stack| !stack.is_empty())
}

/// The number that the next trace will have; numbers grow.
pub(crate) fn next_number() -> u64 {
    NEXT.load(Ordering::Relaxed)
}

/// The innermost trace.
pub(crate) fn innermost() -> Option<u64> {
    STACK.with_borrow(|stack| stack.last().map(|trace| trace.id))
}

/// Whether the trace with this number is open on some thread.
pub(crate) fn is_open(trace: u64) -> bool {
    open_traces().contains(&trace)
}

/// The names of the open traces, innermost first.
pub(crate) fn stack_names() -> Vec<String> {
    STACK.with_borrow(|stack| stack.iter().rev().map(|t| t.name.clone()).collect())
}

/// The result of tracing a function.
pub(crate) struct Traced {
    /// The program. Its parameters are the arguments, then the captures; its last results are the final contents of the written
    /// cells.
    pub(crate) program: Program,
    /// Arrays from outside that the function used.
    pub(crate) captures: Vec<Array>,
    /// Cells from outside that the function used.
    pub(crate) cells: Vec<Used>,
    /// The parameters that the function used as random keys, and the lines, if it was traced under
    /// [`crate::random::debug_key_reuse`].
    pub(crate) keys: Vec<(usize, Location)>,
}

impl Traced {
    /// How many results are of the function, and not of cells that it wrote.
    pub(crate) fn own_results(&self) -> usize {
        self.program.results().len() - written(&self.cells).count()
    }
}

/// Whether the tracers of a function carry concrete values.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shadows {
    /// They do, if the arguments have concrete values.
    Keep,
    /// They do not: the program will run on other values.
    Drop,
}

/// One parameter of a function to trace.
pub(crate) struct Parameter {
    pub(crate) ty: Type,
    pub(crate) path: String,
    /// The concrete value of the argument, if there is one.
    pub(crate) shadow: Option<Arc<Node>>,
}

/// Traces `f`: calls it with one tracer per parameter and records its operations. `f` returns the arrays that become the results
/// of the program, and a value that is passed on to the caller. Errors about the parameters are reported at the line `at`.
#[track_caller]
pub(crate) fn trace<R>(
    name: &str,
    at: Location,
    parameters: Vec<Parameter>,
    shadows: Shadows,
    f: impl FnOnce(Vec<Array>) -> (Vec<Array>, R),
) -> (Traced, R) {
    let (open, args) = Open::new(name, at, parameters, shadows);
    let (results, extra) = f(args);
    (open.finish(name, results), extra)
}

/// A trace while its function runs; dropping this closes the trace, also when the function panics. The type is not generic, so
/// that its code is compiled only once.
struct Open {
    id: u64,
    at: Location,
    /// The tracers of the arguments, if uses of random keys are recorded.
    watched: Option<Vec<Array>>,
    on_stack: bool,
}

impl Drop for Open {
    fn drop(&mut self) {
        open_traces().remove(&self.id);
        if self.on_stack {
            STACK.with_borrow_mut(|stack| {
                stack.truncate(stack.iter().position(|t| t.id == self.id).unwrap_or(0))
            });
        }
    }
}

impl Open {
    /// Opens a trace; returns it with a tracer for each parameter.
    #[track_caller]
    fn new(name: &str, at: Location, parameters: Vec<Parameter>, shadows: Shadows) -> (Open, Vec<Array>) {
        if STACK.with_borrow(Vec::len) >= MAX_DEPTH {
            let error = Error::program(format!("traces nest deeper than {MAX_DEPTH}")).op(name);
            let help =
                "a traced function that calls itself is traced for ever: repeat with scan or while_loop";
            fail_at(at, error.help(help));
        }
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let source = Source { location: Some(at), scope: scope::current() };
        let mut builder = Builder::new(name);
        let values: Vec<Value> = parameters.iter().map(|p| builder.param(p.ty, &p.path)).collect();
        let mut trace = Trace {
            id,
            name: name.to_owned(),
            at,
            builder,
            captures: Vec::new(),
            captured: FxHashMap::default(),
            cells: Vec::new(),
            shadows,
            tracers: CHECKING.get().then(Vec::new),
        };
        let tracer = |(p, value): (Parameter, Value)| trace.tracer(value, p.ty, source, p.shadow);
        let args: Vec<Array> = parameters.into_iter().zip(values).map(tracer).collect();
        let watched = random::is_checking().then(|| args.clone());
        open_traces().insert(id);
        STACK.with_borrow_mut(|stack| stack.push(trace));
        (Open { id, at, watched, on_stack: true }, args)
    }

    /// Closes the trace of a function that returned `results`.
    #[track_caller]
    fn finish(mut self, name: &str, results: Vec<Array>) -> Traced {
        let Open { id, at, .. } = self;
        let values: Result<Vec<Value>> = STACK.with_borrow_mut(|stack| {
            let cells = stack.last().map_or(&[][..], |trace| &trace.cells).iter();
            let held: Vec<Array> =
                cells.filter(|(used, _)| used.written.is_some()).map(|(_, [_, now])| now.clone()).collect();
            results.iter().chain(&held).map(|array| lift(stack, array)).collect()
        });
        let values = match values {
            Ok(values) => values,
            Err(error) => fail_at(at, with_context(error.op(name))),
        };
        let mut trace = STACK.with_borrow_mut(|stack| stack.pop()).expect("invariant: pushed above");
        self.on_stack = false;
        drop(results);
        let (cells, held): (Vec<Used>, Vec<[Array; 2]>) =
            std::mem::take(&mut trace.cells).into_iter().unzip();
        let keys = self.watched.take().map_or_else(Vec::new, |args| {
            let mut captures: Vec<&Array> = trace.captures.iter().collect();
            for (used, [start, _]) in cells.iter().zip(&held) {
                captures[used.capture] = start;
            }
            let keys = random::used_in(id, args.iter().chain(captures));
            // Who uses a key that a cell held at the start uses it outside.
            for &(i, used) in &keys {
                let capture = i.checked_sub(args.len());
                if cells.iter().any(|cell| Some(cell.capture) == capture) {
                    random::consume_at(&trace.captures[i - args.len()], used);
                }
            }
            keys
        });
        drop(held);
        let held = trace.tracers.iter().flatten().find(|tracer| tracer.handles.strong_count() > 0);
        if let Some(Held { ty, source, .. }) = held {
            let error = Error::program(format!("an array of type {ty} is held after the end of its trace"));
            let error =
                error.op(name).help("return it from the traced function instead of storing it elsewhere");
            fail_at(
                at,
                match source.location {
                    Some(location) => error.label(location, "it was made"),
                    None => error,
                },
            );
        }
        let program = match trace.builder.finish(&values) {
            Ok(program) => program,
            Err(error) => fail_at(at, error),
        };
        Traced { program, captures: trace.captures, cells, keys }
    }
}

/// The value of a cell in the innermost trace.
pub(crate) fn read(cell: &Ref, at: Location) -> Result<Array> {
    STACK.with_borrow_mut(|stack| {
        let level = stack.len();
        held(stack, level, cell, at)
    })
}

/// Whether `at` is a line of this crate.
fn is_ours(at: Location) -> bool {
    let folder = file!().strip_suffix("trace.rs").unwrap_or_default();
    at.file().starts_with(folder)
}

/// The user's line at which operations are reported while library code computes on the user's behalf, and the crates whose code
/// that is.
#[derive(Clone, Copy)]
pub(crate) struct Acting {
    at: Location,
    /// The folders of crates on top of this one whose code acts too; empty strings are free slots.
    folders: [&'static str; 4],
}

/// Until the guard is dropped, operations that this crate runs in closures, which do not know their callers, are reported at the
/// line `at`.
pub(crate) fn acting(at: Location) -> Scoped<Option<Acting>> {
    acting_in("", at)
}

/// As [`acting`], also for operations of the crate whose source files are in `folder`.
pub(crate) fn acting_in(folder: &'static str, at: Location) -> Scoped<Option<Acting>> {
    let mut folders = ACTING.get().map_or_else(Default::default, |acting| acting.folders);
    if let Some(place) = folders.iter().position(|known| known.is_empty() || *known == folder) {
        folders[place] = folder;
    }
    Scoped::set(&ACTING, Some(Acting { at: acting_line(at), folders }))
}

/// The line at which an operation called at `at` is reported: the [acting](acting) line if `at` lies in code that acts for the
/// user; otherwise, if `at` is in the standard library, the user's line of the innermost trace; otherwise `at`.
pub(crate) fn acting_line(at: Location) -> Location {
    match acted_for(at) {
        Some(line) => line,
        None if at.is_of_std() => users_line(at),
        None => at,
    }
}

/// The line for which others [act](acting) where `at` is theirs or the standard library's.
fn acted_for(at: Location) -> Option<Location> {
    let is_theirs = |acting: &Acting| {
        is_ours(at)
            || at.is_of_std()
            || acting.folders.iter().any(|folder| !folder.is_empty() && at.file().starts_with(folder))
    };
    ACTING.get().filter(is_theirs).map(|acting| acting.at)
}

/// The line of the user for a caller at `at`: the one for which others [act](acting), or that of the innermost trace where a
/// transformation of this crate is the caller, as it calls the function that it traces.
pub(crate) fn users_line(at: Location) -> Location {
    let is_users = |&at: &Location| !is_ours(at) && !at.is_of_std();
    if let Some(line) = acted_for(at) {
        return line;
    }
    if is_users(&at) {
        return at;
    }
    STACK.with_borrow(|stack| stack.iter().rev().map(|trace| trace.at).find(is_users).unwrap_or(at))
}

/// Sets the content of a cell to `value` in the innermost trace.
pub(crate) fn write(cell: &Ref, value: Array, at: Location) -> Result<()> {
    STACK.with_borrow_mut(|stack| {
        match &value.repr {
            Repr::Traced(tracer) if !stack.iter().any(|t| t.id == tracer.trace) => {
                return Err(leaked(tracer));
            }
            Repr::Abstract(ty) => return Err(no_data(*ty)),
            _ => {}
        }
        let level = stack.len();
        held(stack, level, cell, at)?;
        match stack.last_mut().and_then(|trace| trace.cells.iter_mut().find(|(used, _)| used.cell == *cell)) {
            Some((used, [_, now])) => {
                used.written = Some(at);
                *now = value;
            }
            None => cell.store(value),
        }
        Ok(())
    })
}

/// The current content of a cell, as seen in the innermost of the first `level` traces. In each trace between that one and the
/// cell's own, the content becomes a capture, so that transformations see its use.
fn held(stack: &mut [Trace], level: usize, cell: &Ref, at: Location) -> Result<Array> {
    let here = level.checked_sub(1).map(|top| stack[top].id);
    if here == cell.home() {
        return cell.at_home();
    }
    let Some(top) = level.checked_sub(1) else {
        return match &cell.at_home()?.repr {
            Repr::Traced(tracer) => Err(leaked(tracer)),
            _ => Err(Error::program("a Ref was used after the trace it belongs to had ended")
                .help("return its value from the traced function: freeze() gives it")),
        };
    };
    if let Some((_, [_, now])) = stack[top].cells.iter().find(|(used, _)| used.cell == *cell) {
        return Ok(now.clone());
    }
    let before = held(stack, top, cell, at)?;
    let trace = &mut stack[top];
    let value = trace.builder.param(cell.ty(), "");
    let shadow = if trace.shadows == Shadows::Keep { before.concrete().cloned() } else { None };
    let source = Source { location: Some(at), scope: scope::current() };
    let now = trace.tracer(value, cell.ty(), source, shadow);
    let used = Used { cell: cell.clone(), capture: trace.captures.len(), written: None };
    trace.captures.push(before);
    trace.cells.push((used, [now.clone(), now.clone()]));
    Ok(now)
}

/// The value of the innermost trace for `array`, which is captured if it comes from outside.
fn lift(stack: &mut [Trace], array: &Array) -> Result<Value> {
    let top = stack.last().map_or(0, |t| t.id);
    match &array.repr {
        Repr::Traced(tracer) if tracer.trace == top => return Ok(tracer.value),
        Repr::Traced(tracer) if !stack.iter().any(|t| t.id == tracer.trace) => return Err(leaked(tracer)),
        _ => {}
    }
    let identity = array.identity().ok_or_else(|| no_data(array.ty()))?;
    let trace = stack.last_mut().expect("invariant: a trace is open");
    if let Some(&value) = trace.captured.get(&identity) {
        return Ok(value);
    }
    let value = trace.builder.param(array.ty(), "");
    trace.captured.insert(identity, value);
    trace.captures.push(array.clone());
    Ok(value)
}

/// Why an array of a trace that is not open on this thread cannot be used.
pub(crate) fn leaked(tracer: &Tracer) -> Error {
    let elsewhere = open_traces().contains(&tracer.trace);
    let error = if elsewhere && ASIDE.get() {
        let ty = tracer.ty;
        Error::program(format!("an array of type {ty} is being traced: it has no value to compute with now"))
            .help("in ensure_compile_time_eval use concrete arrays alone")
    } else if elsewhere {
        Error::program(format!("an array of type {} is being traced on another thread", tracer.ty))
            .help("trace on one thread; pass concrete arrays between threads")
    } else {
        Error::program(format!(
            "an array of type {} was used after the trace it belongs to had ended",
            tracer.ty
        ))
        .help("return it from the traced function instead of storing it elsewhere")
    };
    match tracer.source.location {
        Some(location) => error.label(location, "it was made"),
        None => error,
    }
}

fn no_data(ty: Type) -> Error {
    Error::program(format!("an abstract array of type {ty} has no data")).help("use it with eval_shape only")
}

/// Records `op` in the innermost trace; without a trace, applies it to the concrete operands.
#[track_caller]
pub(crate) fn apply(op: impl Into<Op>, operands: &[&Array]) -> Vec<Array> {
    apply_at(Location::caller(), op, operands)
}

/// The results of any op on arrays, as [`apply_op`](crate::lax::apply_op) has them, recorded at the line `at`.
///
/// ```
/// use jarrah_array::{Array, Location, library, make_program};
/// use jarrah_hlo::ops::{Elementwise, ElementwiseKind};
/// let (at, negate) = (Location::caller(), Elementwise { kind: ElementwiseKind::Negate });
/// let program = make_program(|x: &Array| library::apply_at(at, negate.clone(), &[x]), &Array::scalar(1.0));
/// assert_eq!(program.instrs()[0].source.location, Some(at));
/// ```
#[track_caller]
pub fn apply_at(at: Location, op: impl Into<Op>, operands: &[&Array]) -> Vec<Array> {
    applied(at, op.into(), operands)
}

#[track_caller]
fn applied(at: Location, op: Op, operands: &[&Array]) -> Vec<Array> {
    let at = acting_line(at);
    let source = Source { location: Some(at), scope: scope::current() };
    let name = op.called().to_owned();
    match try_apply(op, operands, source) {
        Ok(results) => results,
        Err(error) => fail_at(at, with_context(error.op(&name).help(advice(&name)))),
    }
}

/// The requirements on the operands of an op, for errors that do not state them.
fn advice(op: &str) -> &'static str {
    match op {
        "transpose" => "name each axis once",
        "slice" | "dynamic_slice" => "the slice has to lie in the array: compare its extents",
        "and" | "or" | "xor" | "not" | "shift_left" => {
            "compare floats first, or convert them to integers with astype"
        }
        "subtract" | "negate" => "convert truth values with astype; `^` says where two differ",
        "floor" | "ceil" | "round" => "take the real or the imaginary part first",
        "conv_general_dilated" => {
            "the kernel has as many input features as the array divided by feature_group_count"
        }
        "assert" => "the message says what has to hold",
        "reduce_window" => "give one extent of the window for each axis",
        _ => "compare the shapes and dtypes of the operands: reshape, broadcast_to and astype change them",
    }
}

/// Applies an op with one result.
#[track_caller]
pub(crate) fn apply_one(op: impl Into<Op>, operands: &[&Array]) -> Array {
    applied_one(op.into(), operands)
}

#[track_caller]
fn applied_one(op: Op, operands: &[&Array]) -> Array {
    let mut results = applied(Location::caller(), op, operands);
    match results.pop() {
        Some(result) if results.is_empty() => result,
        _ => fail_at(Location::caller(), Error::internal("an op with one result was expected")),
    }
}

fn try_apply(op: Op, operands: &[&Array], source: Source) -> Result<Vec<Array>> {
    if !is_tracing() {
        let mut nodes = eager::Operands::with_capacity(operands.len());
        for array in operands {
            nodes.push(match &array.repr {
                Repr::Node(node) => node.clone(),
                Repr::Traced(tracer) => return Err(leaked(tracer)),
                Repr::Abstract(ty) => return Err(no_data(*ty)),
            });
        }
        let results = eager::record(op, nodes, source)?;
        return Ok(results.into_iter().map(Array::from_node).collect());
    }
    let values: Vec<Value> =
        STACK.with_borrow_mut(|stack| operands.iter().map(|a| lift(stack, a)).collect::<Result<_>>())?;
    // The program will call host code; calling it for a shadow too would be once more than anybody expects.
    let twice = op.effects().may_duplicate() && !matches!(op, Op::CustomCall(_));
    let shadows: Option<eager::Operands> = match twice {
        true => operands.iter().map(|a| a.concrete().cloned()).collect(),
        false => None,
    };
    // The shadows, if all operands have concrete values, are computed from a copy of the op; a constant, which has no operands,
    // always has a shadow.
    let copy = shadows.is_some().then(|| op.clone());
    STACK.with_borrow_mut(|stack| {
        let trace = stack.last_mut().expect("invariant: a trace is open");
        trace.builder.set_source(source);
        let results = trace.builder.push(op, &values)?;
        let types = trace.builder.types(&results);
        let mut shadows = match (copy, shadows) {
            (Some(op), Some(operands)) => eager::shadows(op, operands, source, &types)?.into_iter(),
            _ => Vec::new().into_iter(),
        };
        let tracer = |(value, &ty): (Value, &Type)| trace.tracer(value, ty, source, shadows.next());
        Ok(results.into_iter().zip(&types).map(tracer).collect())
    })
}

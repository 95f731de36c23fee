//! Operations on concrete arrays, outside of every trace.
//!
//! There are three [modes](EagerMode) of running them. They differ in speed only: results have the same bits in each.
//!
//! ```
//! use jarrah_array::Array;
//! use jarrah_array::eager::{self, EagerMode};
//!
//! let x = Array::from_slice(&[1.0f32, 2.0]);
//! let y = eager::mode(EagerMode::Strict, || &x * 2.0 + 1.0);
//! assert_eq!(y.to_vec::<f32>()?, (&x * 2.0 + 1.0).to_vec::<f32>()?);
//! # Ok::<(), jarrah_array::Error>(())
//! ```
//!
//! `strict` begins each operation at once, by an executable found by the op and the types of its operands; `debug` also waits for
//! it. In `fused`, the default, a thread writes its operations on a tape. The tape runs as one program when one of its values is
//! read, or when it becomes long or holds much memory ([`EagerLimits`]): all of it, so the operations that a loop runs between two
//! reads are one program.
//!
//! * Executables are found by the tape's structure, hashed while it is written: ops, operands and types, dead results included,
//!   numbers such as the `1.0` of `x + 1.0` left out. Liveness of results and changed numbers are no part of it: an executable
//!   with more results and more parameters than needed serves too. Each of the first executables compiled for a structure adds to
//!   the results and parameters of the one before, and the fourth has all.
//! * A tape that became long is cut where the line recurs at which it began, so a loop that reads nothing runs whole rounds.
//! * If a tape cannot be compiled as a whole, its operations run one by one, so only those fail that have to. A call of host code
//!   runs by itself.
//!
//! Limits: a tape holds the operands of its operations, dead ones included, until it runs. A run that fails after it began (out
//! of memory, say) fails all results of its tape; `debug` finds the operation. Eager runs donate nothing: a value held by the
//! tape alone is freed after the run.

mod cache;
mod lazy;
mod node;
mod rows;
mod strict;
mod tape;

use std::cell::{Cell, RefCell};
use std::sync::{Arc, LazyLock};

use jarrah_base::{Error, Result, Source, Type, memory, report, work};
use jarrah_hlo::ops::CallTarget;
use jarrah_hlo::{Builder, Categories, Op, Value};
use jarrah_runtime::Buffer;
use smallvec::SmallVec;

pub(crate) use cache::Cache;
use lazy::lazy;
pub(crate) use node::Node;
use node::{Scalar, State};
pub(crate) use rows::{cut, padded};
use tape::Tape;

use crate::device::{self, Device, default_device};
use crate::number::Number;
use crate::sanitize;
use crate::scope::{Choice, Scoped};

/// When operations on concrete arrays are executed.
///
/// The default is `Fused`, unless the environment variable `JARRAH_EAGER` says otherwise, as in `JARRAH_EAGER=strict`. [`mode`]
/// sets the mode for a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EagerMode {
    /// Operations are recorded, and run together, as one compiled program, when a value is read or much is recorded.
    #[default]
    Fused,
    /// Each operation is submitted at once, as a program of its own.
    Strict,
    /// As `Strict`, and each operation ends before the next one begins: an error of a run names the line of the operation.
    Debug,
}

/// How much is recorded before it is run even though no result was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EagerLimits {
    /// The number of recorded operations from which on they are run as soon as a loop starts a new round; at eight times this
    /// number they are run in any case.
    pub operations: usize,
    /// The limit in bytes on the operands of recorded operations and on those of their results that are still held. After a count
    /// the sum may grow by half of the limit before it is counted again.
    pub bytes: usize,
}

impl Default for EagerLimits {
    /// 512 operations, and an eighth of the machine's memory.
    fn default() -> Self {
        static BYTES: LazyLock<usize> = LazyLock::new(|| memory::limit().map_or(1 << 30, |limit| limit / 8));
        EagerLimits { operations: 512, bytes: *BYTES }
    }
}

/// The operations that a thread has recorded and not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pending {
    /// The number of operations.
    pub operations: usize,
    /// A lower bound on the bytes of the operands of recorded operations and of those of their results that are still held.
    pub bytes: usize,
}

thread_local! {
    static HERE: Cell<Option<EagerMode>> = const { Cell::new(None) };
    static LIMITS: Cell<Option<EagerLimits>> = const { Cell::new(None) };
    static TAPE: RefCell<Arc<Tape>> = RefCell::default();
}

static MODE: Choice<EagerMode> = Choice::new(&HERE, "JARRAH_EAGER", |value| match value {
    "fused" => EagerMode::Fused,
    "strict" => EagerMode::Strict,
    "debug" => EagerMode::Debug,
    _ => {
        report(format_args!(
            "jarrah: JARRAH_EAGER is fused, strict or debug, not {value:?}; it is taken as fused"
        ));
        EagerMode::Fused
    }
});

/// Calls `f` with another mode on this thread.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_array::eager::{self, EagerMode};
/// let recorded = |mode| {
///     eager::mode(mode, || {
///         let _y = Array::from_slice(&[1.0f32]) + 1.0;
///         eager::pending().operations
///     })
/// };
/// assert_eq!(recorded(EagerMode::Debug), 0);
/// assert_eq!(recorded(EagerMode::Fused), 1);
/// ```
pub fn mode<R>(mode: EagerMode, f: impl FnOnce() -> R) -> R {
    MODE.with(mode, f)
}

/// Calls `f` with other limits on this thread.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_array::eager::{self, EagerLimits, EagerMode};
/// let add = || {
///     let mut x = Array::zeros(&[2]);
///     for _ in 0..100 {
///         x = x.sin() + 1.0;
///     }
///     let recorded = eager::pending().operations;
///     x.block_until_ready().map(|()| recorded)
/// };
/// let many = eager::mode(EagerMode::Fused, add)?;
/// let few = eager::limits(EagerLimits { operations: 10, ..EagerLimits::default() }, || eager::mode(EagerMode::Fused, add))?;
/// assert!(few <= 80 && few < many);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn limits<R>(limits: EagerLimits, f: impl FnOnce() -> R) -> R {
    let _scope = Scoped::set(&LIMITS, Some(limits));
    f()
}

/// The operations that this thread has recorded and not run.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_array::eager::{self, EagerMode};
/// eager::mode(EagerMode::Fused, || {
///     let y = Array::from_slice(&[1.0f32, 2.0]) + 1.0;
///     assert!(eager::pending().operations > 0);
///     assert_eq!(y.to_vec::<f32>()?, [2.0, 3.0]);
///     assert_eq!(eager::pending().operations, 0);
///     Ok::<(), jarrah_array::Error>(())
/// })?;
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn pending() -> Pending {
    current_tape().pending()
}

fn current_mode() -> EagerMode {
    if sanitize::wanted() != Categories::NONE {
        return EagerMode::Debug;
    }
    MODE.now()
}

fn current_tape() -> Arc<Tape> {
    TAPE.with_borrow(Arc::clone)
}

/// Runs the operations that this thread has recorded.
pub(crate) fn flush() {
    current_tape().flush();
}

/// The operands of an operation.
pub(crate) type Operands = SmallVec<[Arc<Node>; 3]>;

/// Records `op` applied to `operands`, or runs it, depending on the mode; a function of this process is called at once.
pub(crate) fn record(op: Op, operands: Operands, source: Source) -> Result<Vec<Arc<Node>>> {
    if let Op::Constant(constant) = &op {
        return Ok(vec![Node::constant(&constant.value, source)]);
    }
    work::step(1 + operands.len());
    let mode = current_mode();
    if mode != EagerMode::Fused
        && let Some(nodes) = strict::again(&op, &operands, source, mode == EagerMode::Debug)
    {
        return Ok(nodes);
    }
    let types: SmallVec<[Type; 4]> = operands.iter().map(|n| n.ty()).collect();
    let results = op.infer(&types).map_err(|error| {
        // The builder's errors name the operands: let it find this error again.
        let mut b = Builder::new("eager");
        let values: Vec<Value> = operands.iter().map(|n| b.param(n.ty(), "")).collect();
        b.set_source(source);
        let error = b.push(op.clone(), &values).err().unwrap_or(error);
        label_operands(&op, error, &operands, source)
    })?;
    let put = device::common(operands.iter().map(|node| node.device()));
    let put = put.map_err(|error| label_operands(&op, error.op(op.name()), &operands, source))?;
    if let Op::CustomCall(call) = &op
        && let CallTarget::Function(_) = &call.target
    {
        let values = operands.iter().map(Node::literal).collect::<Result<_>>()?;
        let results = call.evaluate(values)?;
        return Ok(results.into_iter().map(|literal| Node::from_literal(literal, source)).collect());
    }
    if let Op::BroadcastInDim(_) = &op
        && let [operand] = &operands[..]
        && let Some(number) = operand.scalar()
    {
        return Ok(vec![Node::new(results[0], source, put, State::Scalar(number))]);
    }
    if calls_host(&op) && op.effects().may_drop() {
        return Ok(lazy(op, operands, source, &results, put));
    }
    let mut nodes = Vec::with_capacity(results.len());
    perform(&op, &operands, source, &results, put.as_ref(), |index, state| {
        let node = Node::new(results[index], source, put.clone(), state);
        nodes.push(node.clone());
        node
    })?;
    Ok(nodes)
}

/// A tensor of type `ty` with `number` in every element; `None` if the number is not known without a computation.
pub(crate) fn repeated(number: Number, ty: Type, source: Source) -> Option<Arc<Node>> {
    Some(Node::new(ty, source, None, State::Scalar(Scalar::of_number(number, ty.dtype())?)))
}

/// The concrete values of a traced operation's results. The operation is recorded only when one of these values is needed.
pub(crate) fn shadows(op: Op, operands: Operands, source: Source, types: &[Type]) -> Result<Vec<Arc<Node>>> {
    if let Op::Constant(constant) = &op {
        return Ok(vec![Node::constant(&constant.value, source)]);
    }
    let put = device::common(operands.iter().map(|node| node.device()));
    let put = put.map_err(|error| label_operands(&op, error.op(op.name()), &operands, source))?;
    Ok(lazy(op, operands, source, types, put))
}

/// Whether an operation calls host code, which may take long or fail: it runs by itself.
fn calls_host(op: &Op) -> bool {
    matches!(op, Op::CustomCall(_)) || op.programs().iter().any(|p| p.calls_functions() || p.calls_names())
}

/// Records an operation, or runs it, depending on the mode; `node` makes the nodes of its results, or finds them.
///
/// # Errors
/// The errors of an operation that runs for its effects; errors of other operations become errors of their results.
fn perform(
    op: &Op,
    operands: &[Arc<Node>],
    source: Source,
    types: &[Type],
    put: Option<&Device>,
    mut node: impl FnMut(usize, State) -> Arc<Node>,
) -> Result<()> {
    let device = put.cloned().unwrap_or_else(default_device);
    let mode = current_mode();
    let for_effects = !op.effects().may_drop();
    if mode == EagerMode::Fused && !for_effects && !calls_host(op) {
        let limits = LIMITS.get().unwrap_or_default();
        return current_tape().push(op, operands, source, types, &device, limits, node);
    }
    let finished = |buffers: Vec<Buffer>| match mode {
        EagerMode::Debug => buffers.iter().try_for_each(|b| b.ready().wait()).map(|()| buffers),
        EagerMode::Fused | EagerMode::Strict => Ok(buffers),
    };
    let explain = |error: Error| match source.location {
        Some(location) if error.location().is_none() => error.op(op.name()).at(location),
        _ => error,
    };
    match strict::run(op, operands, &device, source).and_then(finished).map_err(explain) {
        Ok(buffers) => {
            for (index, buffer) in buffers.into_iter().enumerate() {
                node(index, State::Ready(buffer, device.clone()));
            }
        }
        Err(error) if for_effects => return Err(error),
        Err(error) => (0..types.len()).for_each(|index| drop(node(index, State::Failed(error.clone())))),
    }
    Ok(())
}

fn label_operands(op: &Op, error: Error, operands: &[Arc<Node>], source: Source) -> Error {
    op.label_operands(error, operands.iter().map(|node| node.source().location), source.location)
}

/// Makes sure that the operation that computes `node` has been submitted or has run.
fn settle(node: &Arc<Node>) -> Result<()> {
    node.schedule()?;
    let state = node.state();
    if let State::Pending(tape, _) = state {
        tape.flush();
    }
    Ok(())
}

/// The buffers of these nodes on `device`. Nodes that were put on a device were put on this one.
pub(crate) fn force(targets: &[Arc<Node>], device: &Device) -> Result<Vec<Buffer>> {
    // All are recorded before any runs.
    targets.iter().try_for_each(Node::schedule)?;
    targets.iter().try_for_each(settle)?;
    targets.iter().map(|node| node.bring(device)).collect()
}

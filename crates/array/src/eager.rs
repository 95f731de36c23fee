//! Concrete arrays: operations on them are recorded, and run when a value is needed.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

use jarrah_base::{Error, Literal, Result, Source, Type, work};
use jarrah_hlo::ops::Target;
use jarrah_hlo::{Builder, Op, Value};
use jarrah_runtime::{Arg, Buffer, CompileOptions, HostSource};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::device::{self, Device, default_device};

/// A chain of recorded operations runs when it becomes this long.
const LONGEST_CHAIN: u32 = 512;

/// A concrete array: its data, or the recorded operation that makes it.
pub(crate) struct Node {
    ty: Type,
    source: Source,
    /// The device it was put on; without one, it goes where it is used.
    device: Option<Device>,
    /// The length of the longest chain of recorded operations that ends here; it may have run since.
    depth: u32,
    state: Mutex<State>,
}

#[derive(Clone)]
enum State {
    Host(Literal),
    /// The data, on this device.
    Ready(Buffer, Device),
    Pending(Arc<Pending>),
    Failed(Error),
}

/// A recorded operation that has not run.
struct Pending {
    op: Op,
    operands: SmallVec<[Arc<Node>; 3]>,
    source: Source,
    results: OnceLock<Vec<Weak<Node>>>,
}

impl Node {
    pub(crate) fn from_literal(literal: Literal, source: Source) -> Arc<Node> {
        let state = Mutex::new(State::Host(literal.clone()));
        Arc::new(Node { ty: literal.ty(), source, device: None, depth: 0, state })
    }

    /// The node of data on `home`, which stays there if it is `put`.
    pub(crate) fn from_buffer(buffer: Buffer, home: Device, put: bool, source: Source) -> Arc<Node> {
        let (ty, device) = (buffer.ty(), put.then(|| home.clone()));
        Arc::new(Node { ty, source, device, depth: 0, state: Mutex::new(State::Ready(buffer, home)) })
    }

    /// The device it was put on.
    pub(crate) fn device(&self) -> Option<&Device> {
        self.device.as_ref()
    }

    /// The device it is on, or goes to when it is computed.
    pub(crate) fn location(&self) -> Device {
        match (&self.device, &*self.lock()) {
            (Some(device), _) | (None, State::Ready(_, device)) => device.clone(),
            _ => default_device(),
        }
    }

    /// The same tensor, put on a device.
    pub(crate) fn put(self: &Arc<Self>, device: &Device, source: Source) -> Result<Arc<Node>> {
        if self.device.as_ref() == Some(device) {
            return Ok(self.clone());
        }
        // What is on no device yet is computed where it is wanted; the rest is copied from where it is.
        let home = match (&self.device, &self.state()) {
            (Some(home), _) | (None, State::Ready(_, home)) => home.clone(),
            _ => device.clone(),
        };
        let buffer = force(std::slice::from_ref(self), &home)?.pop();
        let buffer = buffer.ok_or_else(|| Error::internal("no buffer was made"))?;
        Ok(Node::from_buffer(device.bring(&buffer, &home)?, device.clone(), true, source))
    }

    pub(crate) fn ty(&self) -> Type {
        self.ty
    }

    pub(crate) fn source(&self) -> Source {
        self.source
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn state(&self) -> State {
        self.lock().clone()
    }

    /// Whether the operation that makes it has not run.
    pub(crate) fn is_pending(&self) -> bool {
        matches!(&*self.lock(), State::Pending(..))
    }

    fn pending_depth(&self) -> u32 {
        if self.is_pending() { self.depth } else { 0 }
    }

    /// The data in host memory.
    pub(crate) fn literal(self: &Arc<Self>) -> Result<Literal> {
        if let State::Host(literal) = &*self.lock() {
            return Ok(literal.clone());
        }
        let buffer = force(std::slice::from_ref(self), &self.location())?.pop();
        buffer.ok_or_else(|| Error::internal("no buffer was made"))?.read().map_err(|e| self.explain(e))
    }

    /// The buffer by value, if it is computed and this is the only handle to the array.
    pub(crate) fn into_buffer(self: Arc<Self>) -> Option<Buffer> {
        let node = Arc::into_inner(self)?;
        match node.state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            State::Ready(buffer, _) => Some(buffer),
            _ => None,
        }
    }

    fn explain(&self, error: Error) -> Error {
        match self.source.location {
            Some(location) if error.location().is_some() => error.label(location, "the operation started"),
            Some(location) => error.at(location),
            None => error,
        }
    }
}

/// Records `op` applied to `operands`; a function of this process is called at once.
pub(crate) fn record(op: Op, operands: Vec<Arc<Node>>, source: Source) -> Result<Vec<Arc<Node>>> {
    let types: SmallVec<[Type; 4]> = operands.iter().map(|n| n.ty).collect();
    work::step(1 + operands.len());
    let results = op.infer(&types).map_err(|error| {
        // The builder's errors name the operands: let it find this error again.
        let mut b = Builder::new("eager");
        let values: Vec<Value> = operands.iter().map(|n| b.param(n.ty, "")).collect();
        b.set_source(source);
        let error = b.push(op.clone(), &values).err().unwrap_or(error);
        label_operands(error, &operands, source)
    })?;
    let device = device::common(operands.iter().map(|node| node.device()));
    let device = device.map_err(|error| label_operands(error.op(op.name()), &operands, source))?;
    if let Op::CustomCall(call) = &op
        && let Target::Function(_) = &call.target
    {
        let values = operands.iter().map(Node::literal).collect::<Result<_>>()?;
        let results = call.evaluate(values)?;
        return Ok(results.into_iter().map(|literal| Node::from_literal(literal, source)).collect());
    }
    let depth = 1 + operands.iter().map(|n| n.pending_depth()).max().unwrap_or(0);
    if let Op::Constant(constant) = &op {
        return Ok(vec![Node::from_literal(constant.value.clone(), source)]);
    }
    let pending =
        Arc::new(Pending { op, operands: SmallVec::from_vec(operands), source, results: OnceLock::new() });
    let node = |&ty: &Type| {
        let state = Mutex::new(State::Pending(pending.clone()));
        Arc::new(Node { ty, source, device: device.clone(), depth, state })
    };
    let nodes: Vec<Arc<Node>> = results.iter().map(node).collect();
    // The cell is empty: the operation was just made.
    let _ = pending.results.set(nodes.iter().map(Arc::downgrade).collect());
    if !pending.op.effects().may_drop() {
        // Here and now, whether or not anybody reads the results.
        run(&nodes, Some(pending), &device.unwrap_or_else(default_device))?;
        return Ok(nodes);
    }
    drop(pending);
    if depth >= LONGEST_CHAIN {
        // The nodes keep a failure, and report it when they are read.
        let _ = force(&nodes, &device.unwrap_or_else(default_device));
    }
    Ok(nodes)
}

fn label_operands(mut error: Error, operands: &[Arc<Node>], source: Source) -> Error {
    let names: &[&str] = if operands.len() == 2 { &["lhs", "rhs"] } else { &[] };
    for (i, node) in operands.iter().enumerate() {
        if let Some(location) = node.source.location.filter(|l| Some(*l) != source.location) {
            let name = names.get(i).map_or_else(|| format!("operand {i}"), |n| (*n).to_owned());
            error = error.label(location, format!("{name} made"));
        }
    }
    error
}

/// Runs the operations that `targets` need, as one program, and returns the targets' buffers on `device`. Targets that were
/// put on a device were put on this one.
///
/// Intermediate arrays with live handles become results too, so that nothing is computed twice.
pub(crate) fn force(targets: &[Arc<Node>], device: &Device) -> Result<Vec<Buffer>> {
    let mut buffers = Vec::with_capacity(targets.len());
    for node in targets {
        match node.state() {
            State::Failed(error) => return Err(error),
            State::Pending(..) => {
                run(targets, None, device)?;
                return force(targets, device);
            }
            state => buffers.push(node.bring(state, device)?),
        }
    }
    Ok(buffers)
}

impl Node {
    /// The data on `device`, which it was put on if it was put on one.
    fn bring(&self, state: State, device: &Device) -> Result<Buffer> {
        let buffer = match state {
            State::Host(literal) => device.client().buffer_from_host(
                literal.ty(),
                HostSource::Borrowed(literal.bytes()),
                device.id().into(),
            )?,
            State::Ready(buffer, home) if home == *device => return Ok(buffer),
            State::Ready(buffer, home) => device.bring(&buffer, &home)?,
            State::Failed(error) => return Err(error),
            State::Pending(_) => return Err(Error::internal("an array was not computed")),
        };
        *self.lock() = State::Ready(buffer.clone(), device.clone());
        Ok(buffer)
    }
}

/// The recorded operations that some targets need.
#[derive(Default)]
struct Graph {
    /// Every operation after those it depends on.
    order: Vec<Arc<Pending>>,
    /// How often each array is an operand of these operations.
    uses: FxHashMap<*const Node, usize>,
    /// Arrays with data: the program's parameters.
    inputs: Vec<(Arc<Node>, State)>,
}

impl Graph {
    /// Counts the operands of an operation, and gives each to `visit`, the last one first.
    fn enter(&mut self, pending: &Pending, mut visit: impl FnMut(Arc<Node>)) {
        for operand in pending.operands.iter().rev() {
            *self.uses.entry(Arc::as_ptr(operand)).or_insert(0) += 1;
            visit(operand.clone());
        }
    }

    fn collect(targets: &[Arc<Node>], root: Option<Arc<Pending>>) -> Result<Graph> {
        enum Visit {
            Enter(Arc<Node>),
            Leave(Arc<Pending>),
        }
        let mut graph = Graph::default();
        let mut seen_nodes: FxHashSet<*const Node> = FxHashSet::default();
        let mut seen: FxHashSet<*const Pending> = FxHashSet::default();
        let mut stack: Vec<Visit> = targets.iter().rev().cloned().map(Visit::Enter).collect();
        if let Some(root) = root {
            seen.insert(Arc::as_ptr(&root));
            graph.enter(&root, |operand| stack.push(Visit::Enter(operand)));
            // Under everything else on the stack, so that it comes last.
            stack.insert(0, Visit::Leave(root));
        }
        while let Some(visit) = stack.pop() {
            work::step(1);
            match visit {
                Visit::Leave(pending) => graph.order.push(pending),
                Visit::Enter(node) => {
                    if !seen_nodes.insert(Arc::as_ptr(&node)) {
                        continue;
                    }
                    match node.state() {
                        State::Failed(error) => return Err(error),
                        state @ (State::Host(_) | State::Ready(..)) => graph.inputs.push((node, state)),
                        State::Pending(pending) => {
                            if !seen.insert(Arc::as_ptr(&pending)) {
                                continue;
                            }
                            stack.push(Visit::Leave(pending.clone()));
                            graph.enter(&pending, |operand| stack.push(Visit::Enter(operand)));
                        }
                    }
                }
            }
        }
        Ok(graph)
    }
}

/// Runs the operations that `targets` need, and `root`, on `device`.
fn run(targets: &[Arc<Node>], root: Option<Arc<Pending>>, device: &Device) -> Result<()> {
    let graph = Graph::collect(targets, root)?;
    let mut b = Builder::new("eager");
    let wanted: FxHashSet<*const Node> = targets.iter().map(Arc::as_ptr).collect();
    let mut values: FxHashMap<*const Node, Value> = FxHashMap::default();
    for (node, _) in &graph.inputs {
        values.insert(Arc::as_ptr(node), b.param(node.ty, ""));
    }
    let mut outputs: Vec<(Arc<Node>, Value)> = Vec::new();
    for pending in &graph.order {
        let operand = |n: &Arc<Node>| {
            let value = values.get(&Arc::as_ptr(n)).copied();
            value.ok_or_else(|| Error::internal("an operand was not collected"))
        };
        let operands: Vec<Value> = pending.operands.iter().map(operand).collect::<Result<_>>()?;
        b.set_source(pending.source);
        let results = b.push(pending.op.clone(), &operands)?;
        let nodes = pending.results.get().map_or(&[][..], Vec::as_slice);
        for (weak, value) in nodes.iter().zip(results) {
            let Some(node) = weak.upgrade() else { continue };
            values.insert(Arc::as_ptr(&node), value);
            // One handle is `node`, and each use as an operand is another. Further handles mean that somebody may
            // read it.
            let inside = 1 + graph.uses.get(&Arc::as_ptr(&node)).copied().unwrap_or(0);
            if wanted.contains(&Arc::as_ptr(&node)) || Arc::strong_count(&node) > inside {
                outputs.push((node, value));
            }
        }
    }
    let results: Vec<Value> = outputs.iter().map(|(_, value)| *value).collect();
    let program = Arc::new(b.finish(&results)?);
    let outcome = execute(&program, graph.inputs, device);
    match outcome {
        Ok(buffers) => {
            for ((node, _), buffer) in outputs.iter().zip(buffers) {
                *node.lock() = State::Ready(buffer, device.clone());
            }
            Ok(())
        }
        Err(error) => {
            for (node, _) in &outputs {
                *node.lock() = State::Failed(error.clone());
            }
            Err(error)
        }
    }
}

fn execute(
    program: &Arc<jarrah_hlo::Program>,
    inputs: Vec<(Arc<Node>, State)>,
    device: &Device,
) -> Result<Vec<Buffer>> {
    let executable = device.executable(program, &CompileOptions::default())?;
    let arg = |(node, state): (Arc<Node>, State)| Ok(Arg::Borrow(node.bring(state, device)?));
    let args = inputs.into_iter().map(arg).collect::<Result<Vec<_>>>()?;
    executable.run_on(device.id(), args)
}

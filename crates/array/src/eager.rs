//! Concrete arrays: operations on them are recorded, and run when a value is needed.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

use jarrah_base::{Error, Literal, Result, Source, Type, work};
use jarrah_hlo::{Builder, Op, Value};
use jarrah_runtime::{Buffer, CompileOptions};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::backend;

/// A chain of recorded operations runs when it becomes this long.
const LONGEST_CHAIN: u32 = 512;

/// A concrete array: its data, or the recorded operation that makes it.
pub(crate) struct Node {
    ty: Type,
    source: Source,
    /// The length of the longest chain of recorded operations that ends here; it may have run since.
    depth: u32,
    state: Mutex<State>,
}

#[derive(Clone)]
enum State {
    Host(Literal),
    Ready(Buffer),
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
        Arc::new(Node { ty: literal.ty(), source, depth: 0, state: Mutex::new(State::Host(literal)) })
    }

    pub(crate) fn from_buffer(buffer: Buffer, source: Source) -> Arc<Node> {
        Arc::new(Node { ty: buffer.ty(), source, depth: 0, state: Mutex::new(State::Ready(buffer)) })
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

    fn pending_depth(&self) -> u32 {
        if matches!(&*self.lock(), State::Pending(..)) { self.depth } else { 0 }
    }

    /// The data in host memory.
    pub(crate) fn literal(self: &Arc<Self>) -> Result<Literal> {
        if let State::Host(literal) = &*self.lock() {
            return Ok(literal.clone());
        }
        let buffer = force(std::slice::from_ref(self))?.pop();
        buffer.ok_or_else(|| Error::internal("no buffer was made"))?.read().map_err(|e| self.explain(e))
    }

    /// The buffer by value, if it is computed and this is the only handle to the array.
    pub(crate) fn into_buffer(self: Arc<Self>) -> Option<Buffer> {
        let node = Arc::into_inner(self)?;
        match node.state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            State::Ready(buffer) => Some(buffer),
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

/// Records `op` applied to `operands`.
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
    let depth = 1 + operands.iter().map(|n| n.pending_depth()).max().unwrap_or(0);
    if let Op::Constant(constant) = &op {
        return Ok(vec![Node::from_literal(constant.value.clone(), source)]);
    }
    let pending =
        Arc::new(Pending { op, operands: SmallVec::from_vec(operands), source, results: OnceLock::new() });
    let node = |&ty: &Type| {
        let state = Mutex::new(State::Pending(pending.clone()));
        Arc::new(Node { ty, source, depth, state })
    };
    let nodes: Vec<Arc<Node>> = results.iter().map(node).collect();
    // The cell is empty: the operation was just made.
    let _ = pending.results.set(nodes.iter().map(Arc::downgrade).collect());
    drop(pending);
    if depth >= LONGEST_CHAIN {
        // The nodes keep a failure, and report it when they are read.
        let _ = force(&nodes);
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

/// Runs the operations that `targets` need, as one program, and returns the targets' buffers.
///
/// Intermediate arrays with live handles become results too, so that nothing is computed twice.
pub(crate) fn force(targets: &[Arc<Node>]) -> Result<Vec<Buffer>> {
    let backend = backend::current();
    let mut buffers = Vec::with_capacity(targets.len());
    for node in targets {
        match node.state() {
            State::Ready(buffer) => buffers.push(buffer),
            State::Host(literal) => {
                let buffer = backend.cache.client().upload(&literal)?;
                *node.lock() = State::Ready(buffer.clone());
                buffers.push(buffer);
            }
            State::Failed(error) => return Err(error),
            State::Pending(..) => {
                run(targets)?;
                return force(targets);
            }
        }
    }
    Ok(buffers)
}

/// The recorded operations that some targets need.
#[derive(Default)]
struct Graph {
    /// Every operation after those it depends on.
    order: Vec<Arc<Pending>>,
    /// How often each array is an operand of these operations.
    uses: FxHashMap<*const Node, usize>,
    /// Arrays with data: the program's parameters.
    inputs: Vec<(Arc<Node>, Input)>,
}

enum Input {
    Host(Literal),
    Ready(Buffer),
}

impl Graph {
    fn collect(targets: &[Arc<Node>]) -> Result<Graph> {
        enum Visit {
            Enter(Arc<Node>),
            Leave(Arc<Pending>),
        }
        let mut graph = Graph::default();
        let mut seen_nodes: FxHashSet<*const Node> = FxHashSet::default();
        let mut seen: FxHashSet<*const Pending> = FxHashSet::default();
        let mut stack: Vec<Visit> = targets.iter().rev().cloned().map(Visit::Enter).collect();
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
                        State::Host(literal) => graph.inputs.push((node, Input::Host(literal))),
                        State::Ready(buffer) => graph.inputs.push((node, Input::Ready(buffer))),
                        State::Pending(pending) => {
                            if !seen.insert(Arc::as_ptr(&pending)) {
                                continue;
                            }
                            stack.push(Visit::Leave(pending.clone()));
                            for operand in pending.operands.iter().rev() {
                                *graph.uses.entry(Arc::as_ptr(operand)).or_insert(0) += 1;
                                stack.push(Visit::Enter(operand.clone()));
                            }
                        }
                    }
                }
            }
        }
        Ok(graph)
    }
}

fn run(targets: &[Arc<Node>]) -> Result<()> {
    let graph = Graph::collect(targets)?;
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
    let outcome = execute(&program, &graph);
    match outcome {
        Ok(buffers) => {
            for ((node, _), buffer) in outputs.iter().zip(buffers) {
                *node.lock() = State::Ready(buffer);
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

fn execute(program: &Arc<jarrah_hlo::Program>, graph: &Graph) -> Result<Vec<Buffer>> {
    let backend = backend::current();
    let executable = backend.cache.executable(program, &CompileOptions::default())?;
    let mut args = Vec::with_capacity(graph.inputs.len());
    for (node, input) in &graph.inputs {
        args.push(match input {
            Input::Ready(buffer) => buffer.clone(),
            Input::Host(literal) => {
                let buffer = backend.cache.client().upload(literal)?;
                *node.lock() = State::Ready(buffer.clone());
                buffer
            }
        });
    }
    executable.run(args)
}

//! Operations that run at once, each by an executable that is found by the op and the types of its operands.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use jarrah_base::{Error, Result, Source, Type};
use jarrah_hlo::{Builder, Categories, Op, Value};
use jarrah_runtime::{Arg, Buffer, CompileOptions, Executable};
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::node::{Node, State};
use super::{calls_host, force, node};
use crate::device::{self, Device, default_device};
use crate::sanitize;

/// The type of each operand, and whether one number stands for all of its elements.
type Kinds = SmallVec<[(Type, bool); 4]>;

/// An operation on operands of some types, compiled.
pub(super) struct Prepared {
    op: Op,
    kinds: Kinds,
    results: SmallVec<[Type; 2]>,
    executable: Arc<dyn Executable>,
}

impl Prepared {
    fn new(op: &Op, kinds: &Kinds, device: &Device, source: Source) -> Result<Prepared> {
        let mut b = Builder::new(op.name());
        b.set_source(source);
        let mut operands: SmallVec<[Value; 4]> = SmallVec::new();
        for &(ty, repeated) in kinds {
            operands.push(match repeated {
                true => {
                    let number = b.param(Type::scalar(ty.dtype()), "");
                    b.one(node::fill(ty), &[number])?
                }
                false => b.param(ty, ""),
            });
        }
        let values = b.push(op.clone(), &operands)?;
        let results = SmallVec::from_slice(&b.types(&values));
        let program = Arc::new(b.finish(&values)?);
        let executable = match sanitize::wanted() {
            Categories::NONE => device.executable(&program, &CompileOptions::default())?,
            looked_for => sanitize::executable(device, &program, looked_for)?,
        };
        Ok(Prepared { op: op.clone(), kinds: kinds.clone(), results, executable })
    }
}

/// Starts an operation on `device`, and returns the buffers of its results.
pub(super) fn run(op: &Op, operands: &[Arc<Node>], device: &Device, source: Source) -> Result<Vec<Buffer>> {
    let explain = |error: Error| match source.location {
        Some(location) if error.location().is_none() => error.op(op.name()).at(location),
        _ => error,
    };
    let mut kinds = Kinds::with_capacity(operands.len());
    let mut args = Vec::with_capacity(operands.len());
    for operand in operands {
        let number = operand.scalar();
        kinds.push((operand.ty(), number.is_some() && operand.ty().rank() > 0));
        let buffer = match number {
            Some(number) => device.eager().scalar(number, device)?,
            None => force(std::slice::from_ref(operand), device)?.swap_remove(0),
        };
        args.push(Arg::Borrow(buffer));
    }
    let executable = prepare(op, &kinds, device, source).map_err(explain)?;
    executable.run_on(device.id(), args).map_err(explain)
}

fn prepare(op: &Op, kinds: &Kinds, device: &Device, source: Source) -> Result<Arc<dyn Executable>> {
    let make = || Prepared::new(op, kinds, device, source);
    if calls_host(op) || sanitize::wanted() != Categories::NONE {
        return Ok(make()?.executable);
    }
    let (hash, same) = (hash_of(op, kinds), |known: &Prepared| known.kinds == *kinds && known.op == *op);
    let eager = device.eager();
    let prepared = eager.known(hash, same).map_or_else(|| Ok(eager.keep(hash, make()?)), Ok::<_, Error>)?;
    Ok(prepared.executable.clone())
}

fn hash_of(op: &Op, kinds: &Kinds) -> u64 {
    let mut hash = FxHasher::default();
    (op, kinds).hash(&mut hash);
    hash.finish()
}

/// Starts an operation that was prepared before, on operands that have data; `None` if it was not prepared, an operand has no
/// data, or it fails: the slow path then finds the reason.
pub(super) fn again(op: &Op, operands: &[Arc<Node>], source: Source, wait: bool) -> Option<Vec<Arc<Node>>> {
    if sanitize::wanted() != Categories::NONE {
        return None;
    }
    let put = device::common(operands.iter().map(|node| node.device())).ok()?;
    let device = put.clone().unwrap_or_else(default_device);
    let mut kinds = Kinds::with_capacity(operands.len());
    let mut args = Vec::with_capacity(operands.len());
    for operand in operands {
        let (buffer, repeated) = match operand.scalar() {
            Some(number) => (device.eager().scalar(number, &device).ok()?, operand.ty().rank() > 0),
            None => (operand.ready_on(&device)?.clone(), false),
        };
        kinds.push((operand.ty(), repeated));
        args.push(Arg::Borrow(buffer));
    }
    let same = |known: &Prepared| known.kinds == kinds && known.op == *op;
    let prepared = device.eager().known(hash_of(op, &kinds), same)?;
    let buffers = prepared.executable.run_on(device.id(), args).ok()?;
    if wait && buffers.iter().any(|buffer| buffer.ready().wait().is_err()) {
        return None;
    }
    let node = |(buffer, ty): (Buffer, &Type)| {
        Node::new(*ty, source, put.clone(), State::Ready(buffer, device.clone()))
    };
    Some(buffers.into_iter().zip(&prepared.results).map(node).collect())
}

/// A buffer filled with the number of a node that has one number for all elements.
pub(super) fn fill(node: &Node, device: &Device) -> Result<Buffer> {
    let Some(number) = node.scalar() else { return Err(Error::internal("a tensor of one number has none")) };
    let scalar = Node::new(number.ty(), node.source(), None, State::Scalar(number));
    let mut filled = run(&node::fill(node.ty()).into(), &[scalar], device, node.source())?;
    filled.pop().ok_or_else(|| Error::internal("no buffer was made"))
}

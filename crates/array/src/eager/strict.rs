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
use crate::device::Device;
use crate::sanitize;

/// The types of operands, and which of them are given by one number for all elements.
type Kinds = SmallVec<[(Type, bool); 4]>;

/// An operation on operands of some types, compiled.
pub(super) struct Prepared {
    op: Op,
    kinds: Kinds,
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
        let results = b.push(op.clone(), &operands)?;
        let program = Arc::new(b.finish(&results)?);
        let executable = match sanitize::wanted() {
            Categories::NONE => device.executable(&program, &CompileOptions::default())?,
            looked_for => sanitize::executable(device, &program, looked_for)?,
        };
        Ok(Prepared { op: op.clone(), kinds: kinds.clone(), executable })
    }
}

/// Begins to run an operation on `device`, and gives the buffers of its results.
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
    let mut hash = FxHasher::default();
    (op, kinds).hash(&mut hash);
    let same = |known: &Prepared| known.kinds == *kinds && known.op == *op;
    Ok(device.eager().prepared(hash.finish(), same, make)?.executable.clone())
}

/// The buffer of a node whose elements are all one number.
pub(super) fn fill(node: &Node, device: &Device) -> Result<Buffer> {
    let Some(number) = node.scalar() else { return Err(Error::internal("a tensor of one number has none")) };
    let scalar = Node::new(number.ty(), node.source(), None, State::Scalar(number));
    let mut filled = run(&node::fill(node.ty()).into(), &[scalar], device, node.source())?;
    filled.pop().ok_or_else(|| Error::internal("no buffer was made"))
}

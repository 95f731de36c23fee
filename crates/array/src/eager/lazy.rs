//! Operations that are recorded only when somebody asks for their results: the shadows of tracers, and calls of host code.

use std::sync::{Arc, OnceLock, Weak};

use jarrah_base::{Result, Source, Type, work};
use jarrah_hlo::Op;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::node::{Node, State};
use super::{Operands, perform};
use crate::device::Device;

/// An operation, and the nodes of its results.
pub(crate) struct Recipe {
    op: Op,
    operands: Operands,
    source: Source,
    types: SmallVec<[Type; 2]>,
    device: Option<Device>,
    results: OnceLock<Vec<Weak<Node>>>,
}

/// The results of an operation that is not recorded until the value of one of them is needed.
pub(crate) fn lazy(
    op: Op,
    operands: Operands,
    source: Source,
    types: &[Type],
    device: Option<Device>,
) -> Vec<Arc<Node>> {
    let types = SmallVec::from_slice(types);
    let recipe = Arc::new(Recipe { op, operands, source, types, device, results: OnceLock::new() });
    let node = |&ty: &Type| Node::lazy(ty, source, recipe.device.clone(), &recipe);
    let nodes: Vec<Arc<Node>> = recipe.types.iter().map(node).collect();
    // The cell is empty: the recipe was just made.
    let _ = recipe.results.set(nodes.iter().map(Arc::downgrade).collect());
    nodes
}

/// Records the operation that makes `node`, after the lazy operations that it depends on.
pub(super) fn schedule(node: &Arc<Node>) -> Result<()> {
    enum Visit {
        Enter(Arc<Node>),
        Leave(Arc<Recipe>),
    }
    let mut seen: FxHashSet<*const Recipe> = FxHashSet::default();
    let mut stack = vec![Visit::Enter(node.clone())];
    while let Some(visit) = stack.pop() {
        work::step(1);
        match visit {
            Visit::Leave(recipe) => recipe.record()?,
            Visit::Enter(node) => {
                let State::Lazy(recipe) = node.state() else { continue };
                if !seen.insert(Arc::as_ptr(&recipe)) {
                    continue;
                }
                stack.push(Visit::Leave(recipe.clone()));
                stack.extend(recipe.operands.iter().rev().cloned().map(Visit::Enter));
            }
        }
    }
    Ok(())
}

impl Recipe {
    fn record(&self) -> Result<()> {
        let nodes = self.results.get().map_or(&[][..], Vec::as_slice);
        let device = self.device.as_ref();
        perform(&self.op, &self.operands, self.source, &self.types, device, |index, state| {
            // A result that nobody holds any more is as good as any other that nobody reads.
            let node = nodes.get(index).and_then(Weak::upgrade);
            let new = || Node::new(self.types[index], self.source, self.device.clone(), state.clone());
            let node = node.unwrap_or_else(new);
            node.set(state);
            node
        })
    }
}

impl Drop for Recipe {
    /// Dropped in a loop: recursion would overflow the stack on a long chain of operations.
    fn drop(&mut self) {
        let mut operands = std::mem::take(&mut self.operands);
        while let Some(node) = operands.pop() {
            if let Some(mut recipe) = node.into_recipe().and_then(Arc::into_inner) {
                operands.extend(std::mem::take(&mut recipe.operands));
            }
        }
    }
}

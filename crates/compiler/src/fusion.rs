//! Elementwise-like ops, broadcasts and reductions become kernels.
//!
//! 1. [`graph`] sorts instructions into nodes (what kernels compute), views (how kernels read) and opaque steps, and
//!    says which values are cheap to compute again.
//! 2. [`group`] puts nodes together, in program order, where they share an iteration space and no cycle arises.
//! 3. [`emit`] decides, from the last group to the first, which values have to be stored, and writes the kernels.
//!
//! Opaque steps, and so everything that has an effect, keep their order.
//!
//! Fusion changes no bit: each op is computed in its own element type, and a reduction's tree depends on its extent.

mod body;
mod emit;
mod graph;
mod group;

use jarrah_base::Result;
use jarrah_hlo::Program;

use crate::rebuild::Memo;
use crate::target::Target;

pub fn run(program: &Program, target: &dyn Target) -> Result<Program> {
    pass(program, target, &mut Memo::default())
}

fn pass(program: &Program, target: &dyn Target, memo: &mut Memo) -> Result<Program> {
    let graph = graph::Graph::new(program, target)?;
    let grouping = group::group(graph)?;
    emit::emit(&grouping, memo, &|program, memo| pass(program, target, memo))
}

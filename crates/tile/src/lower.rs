//! From the kernels of a program to vector loops.

mod dims;
mod emit;
mod known;
mod nest;

use jarrah_base::Type;
use jarrah_hlo::ops::Kernel;

use crate::kernel::LoopKernel;
use dims::Dims;
use emit::Emit;
pub use emit::has_loop;
pub use known::{has_op, work};
use nest::Nest;

/// The loop nest that computes `kernel`, which has no state, over dense row-major operands of these types, its inputs and outputs in the
/// kernel's order; `None` where the body is no such loop.
///
/// Every axis of every value is one dimension of the nest. Bodies are taken that consist of elementwise ops,
/// broadcasts, transpositions, reshapes that only add or drop axes of extent one, scalar constants, indices, and
/// reductions that either fold one dimension, which later values may have again (a row kernel), or fold the same
/// dimensions, which no later value has (a column reduction).
pub fn lower(kernel: &Kernel, operands: &[Type]) -> Option<LoopKernel> {
    let covered = operands.iter().zip(&kernel.inputs).all(|(ty, block)| block.covers(*ty, &kernel.grid))
        && kernel.outputs.iter().all(|output| output.block.covers(output.ty, &kernel.grid));
    if !kernel.is_stateless() || kernel.prefetch > 0 || !covered {
        return None;
    }
    let dims = Dims::of(kernel, operands)?;
    let nest = Nest::of(kernel, &dims)?;
    let loops = Emit::new(kernel, &dims, &nest).run()?;
    loops.verify().is_ok().then_some(loops)
}

//! From the kernels of a program to vector loops.

mod bits;
mod body;
mod dims;
mod emit;
mod functions;
mod known;
mod narrow;
mod nest;
mod parts;

use jarrah_base::Type;
use jarrah_hlo::Value;
use jarrah_hlo::ops::Kernel;

use crate::kernel::LoopKernel;
use dims::Dims;
use emit::Emit;
pub use functions::has_loop;
pub use known::{has_op, work};
pub use narrow::stored;
use nest::Nest;
use parts::{InParts, as_words, has_complex};

/// The loop nests that compute `kernel`, which has no state, over dense row-major operands of these types, its inputs and outputs in
/// the kernel's order; `None` where the body is no such loop.
///
/// Every axis of every value is one dimension of the nest. Bodies are taken that consist of elementwise ops,
/// broadcasts, transpositions, reshapes that only add or drop axes of extent one, scalar constants, indices, and
/// reductions that either fold one dimension, which later values may have again (a row kernel), or fold the same
/// dimensions, which no later value has (a column reduction). A body of more than a few thousand instructions is none: it
/// runs in several loops.
///
/// Elements narrower than [`DTYPES`](crate::DTYPES) are loaded and stored as bytes ([`stored`]), and between these the
/// loop has instructions that find the numbers the bytes stand for, and that round to them.
///
/// Padding and concatenations cut the nest into boxes, in each of which every operand of theirs is there as a whole or not at
/// all: there is one nest for each box.
///
/// Arrays of complex numbers are arrays of their parts, which the loops read and write two elements apart; where a kernel
/// only moves them, arrays of words.
pub fn lower(kernel: &Kernel, operands: &[Type]) -> Option<Vec<LoopKernel>> {
    let covered = operands.iter().zip(&kernel.inputs).all(|(ty, block)| block.covers(*ty, &kernel.grid))
        && kernel.outputs.iter().all(|output| output.block.covers(output.ty, &kernel.grid));
    if !kernel.is_stateless() || kernel.prefetch > 0 || !covered {
        return None;
    }
    if !has_complex(kernel) {
        return nests(kernel, operands, &[]);
    }
    if let Some((kernel, operands)) = as_words(kernel, operands) {
        return nests(&kernel, &operands, &[]);
    }
    let parts = InParts::of(kernel, operands)?;
    let loops = nests(&parts.kernel, &parts.operands, &parts.pairs)?;
    let joined = loops.into_iter().map(|loops| {
        let loops = parts.join(loops);
        loops.verify().is_ok().then_some(loops)
    });
    joined.collect()
}

/// The loop nests of a kernel over real numbers; `pairs` are values of its body that have the same dimensions.
fn nests(kernel: &Kernel, operands: &[Type], pairs: &[[Value; 2]]) -> Option<Vec<LoopKernel>> {
    let dims = Dims::of(kernel, operands, pairs)?;
    let nest = Nest::of(kernel, &dims)?;
    let boxes = nest.boxes(kernel, &dims)?;
    let loops = boxes.iter().map(|within| {
        let loops = Emit::new(kernel, &dims, &nest, within).run()?;
        loops.verify().is_ok().then_some(loops)
    });
    loops.collect()
}

/// As [`lower`], where that is one nest.
pub fn lower_to_one(kernel: &Kernel, operands: &[Type]) -> Option<LoopKernel> {
    let [loops] = <[LoopKernel; 1]>::try_from(lower(kernel, operands)?).ok()?;
    Some(loops)
}

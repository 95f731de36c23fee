//! Ops that the target neither runs nor has in its kernels become their definitions:
//!
//! * `attention` and its derivatives, `threefry2x32`, and a `kernel` that is no loop of the target's or has no points: their algorithms;
//! * `scan`: a `while` that counts;
//! * `window_arg`: a reduction of windows over pairs of an element and its position;
//! * `rng_bit_generator`: its arithmetic of integers;
//! * products and convolutions of floats narrower than two bytes: those of the same numbers as `bf16`; those with results of a
//!   type that is neither the operands' nor that of the sums: the sums, converted;
//! * reductions of narrow floats by programs that round: reductions of `f64`, rounded once;
//! * convolutions, reductions, sorts and other ops over complex numbers: ops over their parts.
//!
//! Two functions rewrite complex numbers. `jarrah_tile::parts` makes a program over real and imaginary parts from a program over complex
//! numbers: the tile compiler uses it for kernel bodies (arrays of parts two elements apart), and it gives the scalar programs of reductions,
//! windows, scatters and sorts machine code. [`over_parts`] rewrites an op that is no loop: a complex convolution becomes a real one with
//! twice as many terms, whose left operand and result are the complex arrays as they lie in memory.
//!
//! Ops without a definition stay.

mod bits;
mod complex;
mod loops;
mod narrow;
mod threefry;
mod wide;

use jarrah_base::{Result, Type};
use jarrah_hlo::{Builder, Op, Program, Results, Value};
use smallvec::SmallVec;

use bits::{has_bits, rng_bit_generator};
use complex::{halved, has_real_definition, over_parts};
use narrow::{has_sum_definition, over_sums};
use threefry::threefry2x32;
use wide::{has_wide_definition, over_doubles};

use crate::rebuild::{Memo, rebuild};
use crate::target::Target;

pub fn run(program: &Program, target: &dyn Target) -> Result<Program> {
    pass(program, target, &mut Memo::default(), &mut Memo::default())
}

/// `memo` has the sub-programs after this pass, `halves` those of them that are over complex numbers as programs over
/// parts.
fn pass(program: &Program, target: &dyn Target, memo: &mut Memo, halves: &mut Memo) -> Result<Program> {
    rebuild(program, |b, instr, operands| {
        let inside = memo.apply_inside(&instr.op, |program, memo| pass(program, target, memo, halves))?;
        let op = inside.as_ref().unwrap_or(&instr.op);
        let results: SmallVec<[Type; 4]> = instr.results().map(|v| program.ty(v)).collect();
        if let Some(made) = define(b, op, operands, &results, target, [memo, halves])? {
            return Ok(made);
        }
        match inside {
            Some(op) => b.push(op, operands),
            None => Ok(b.copy(program, instr, operands)),
        }
    })
}

/// The definition of an op that the target lacks, where there is one.
fn define(
    b: &mut Builder,
    op: &Op,
    operands: &[Value],
    results: &[Type],
    target: &dyn Target,
    [memo, halves]: [&mut Memo; 2],
) -> Result<Option<Results>> {
    let types = b.types(operands);
    if target.widens() && has_wide_definition(op) {
        return over_doubles(b, op, operands).map(Some);
    }
    if !has_definition(op, &types) {
        return Ok(None);
    }
    let idle = matches!(op, Op::Kernel(kernel) if kernel.has_no_points());
    if !idle && (target.loops(op, &types, results) || target.runs(op, &types, results)) {
        return Ok(None);
    }
    let definition = match (op, operands) {
        (Op::Attention(attention), _) => attention.definition(&types)?,
        (Op::Kernel(kernel), _) if idle || !target.takes(kernel, &types) => kernel.definition(&types)?,
        (Op::Scan(scan), _) => return loops::scan(b, scan, operands).map(Some),
        (Op::RaggedDot(dot), _) => dot.definition(&types)?,
        (Op::WindowArg(arg), _) => arg.definition(types[0])?,
        (Op::Threefry2x32(_), &[k0, k1, x0, x1]) => {
            let words: [Value; 2] = threefry2x32(b, [k0, k1, x0, x1])?;
            return Ok(Some(words.into_iter().collect()));
        }
        (Op::RngBitGenerator(op), &[state]) => {
            let results: [Value; 2] = rng_bit_generator(b, op, state)?;
            return Ok(Some(results.into_iter().collect()));
        }
        (op, _) if has_sum_definition(op, &types) => {
            let result = over_sums(b, op, operands)?;
            return Ok(Some(std::iter::once(result).collect()));
        }
        (op, _) => {
            return over_parts(b, op, operands, &mut |program| {
                halves.apply(program, |program, _| halved(program))
            });
        }
    };
    let definition = pass(&definition, target, memo, halves)?;
    Ok(Some(b.inline(&definition, operands)?.into()))
}

/// Whether there is a definition to put in the place of `op`, for operands of these types.
fn has_definition(op: &Op, operands: &[Type]) -> bool {
    is_own(op) || has_plain_definition(op, operands)
}

/// Whether `op` is one of those above StableHLO that have a definition in its ops.
pub(crate) fn is_own(op: &Op) -> bool {
    matches!(
        op,
        Op::Attention(_)
            | Op::RaggedDot(_)
            | Op::Scan(_)
            | Op::Kernel(_)
            | Op::Threefry2x32(_)
            | Op::WindowArg(_)
    )
}

/// Whether `op`, one of StableHLO, has a definition in other ops of it: random bits, products of narrow floats, and ops over complex
/// numbers, which are ops over their parts.
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_compiler::has_plain_definition;
/// use jarrah_hlo::Op;
/// use jarrah_hlo::ops::{Sort, SortOrder};
///
/// let [real, complex] = [DType::F32, DType::C64].map(|dtype| Type::tensor(dtype, [2, 2]));
/// let sort = Op::from(Sort { axis: 0, stable: true, order: SortOrder::Ascending { keys: 1 } });
/// assert!(has_plain_definition(&sort, &[complex]) && !has_plain_definition(&sort, &[real]));
/// ```
pub fn has_plain_definition(op: &Op, operands: &[Type]) -> bool {
    match op {
        Op::RngBitGenerator(op) => has_bits(op),
        op => has_real_definition(op, operands) || has_sum_definition(op, operands),
    }
}

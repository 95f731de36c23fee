//! The state of a kernel body that is being traced: its position in the grid, and the part of its program that is kept.

use std::cell::RefCell;

use jarrah_base::{Error, Location, Type};
use jarrah_hlo::{Builder, Program, Value};

use crate::array::Array;
use crate::checkify;
use crate::error::{fail, with_context};
use crate::function::or_fail;

/// A kernel whose body is being traced.
struct Frame {
    /// The position in the grid, an `i32` for each axis.
    positions: Vec<Array>,
    grid: Vec<usize>,
    /// Whether accesses are checked.
    checked: bool,
}

thread_local! {
    /// The kernels whose bodies are being traced on this thread, the innermost last.
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// Calls `f` as the body of a kernel with this grid, at this position.
pub(crate) fn within<R>(positions: &[Array], grid: &[usize], checked: bool, f: impl FnOnce() -> R) -> R {
    struct Pop(usize);
    impl Drop for Pop {
        fn drop(&mut self) {
            FRAMES.with_borrow_mut(|frames| frames.truncate(self.0));
        }
    }
    let _pop = Pop(FRAMES.with_borrow(Vec::len));
    let frame = Frame { positions: positions.to_vec(), grid: grid.to_vec(), checked };
    FRAMES.with_borrow_mut(|frames| frames.push(frame));
    f()
}

/// Whether accesses are checked here.
pub(crate) fn is_checked() -> bool {
    FRAMES.with_borrow(|frames| frames.last().is_some_and(|frame| frame.checked))
}

/// Whether a kernel launched here is checked without having asked for it: inside of a checked kernel, or under `checkify` for
/// checks of the user.
pub(crate) fn is_checked_by_context() -> bool {
    is_checked() || checkify::is_debugging()
}

/// The result of `f` for the innermost kernel being traced; a program error if there is none or its grid lacks the axis.
#[track_caller]
fn along<R>(op: &str, axis: usize, f: impl FnOnce(&Frame) -> R) -> R {
    let at = Location::caller();
    // The error is raised outside of the closure, since inside of it the caller's line is not known.
    let said = FRAMES.with_borrow(|frames| {
        let Some(frame) = frames.last() else {
            let error = Error::program(format!("{op} is called outside of a kernel"));
            return Err(error.help("call it in the body that is given to kernel(..)"));
        };
        if axis >= frame.grid.len() {
            let error = Error::program(format!("the grid {:?} has no axis {axis}", frame.grid));
            return Err(error.help("axes are counted from 0; grid(&[..]) gives an extent for each"));
        }
        Ok(f(frame))
    });
    match said {
        Ok(said) => said,
        Err(error) => fail(with_context(error.op(op).at(at))),
    }
}

/// The position of the point along a grid axis, an `i32` scalar.
///
/// # Errors
/// A program error outside of a kernel, or if its grid has no such axis.
///
/// ```
/// use jarrah_array::kernel::{Block, BlockDim, kernel, program_id};
/// use jarrah_array::{DType, Type};
/// let positions = kernel(|[y]| y.set(program_id(0) * 10))
///     .grid(&[3])
///     .output(Type::tensor(DType::I32, [3]), Block::new([BlockDim::Squeezed], |[i]| [i]));
/// assert_eq!(positions.call_one(&[]).to_vec::<i32>()?, [0, 10, 20]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.program_id`.
#[track_caller]
pub fn program_id(axis: usize) -> Array {
    along("program_id", axis, |frame| frame.positions[axis].clone())
}

/// The number of points along a grid axis.
///
/// # Errors
/// As [`program_id`].
///
/// ```
/// use jarrah_array::kernel::{Block, BlockDim, kernel, num_programs, program_id};
/// use jarrah_array::{DType, Type};
/// let left = kernel(|[y]| y.set(num_programs(0) as i64 - 1 - program_id(0)))
///     .grid(&[3])
///     .output(Type::tensor(DType::I32, [3]), Block::new([BlockDim::Squeezed], |[i]| [i]));
/// assert_eq!(left.call_one(&[]).to_vec::<i32>()?, [2, 1, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.num_programs`.
#[track_caller]
pub fn num_programs(axis: usize) -> usize {
    along("num_programs", axis, |frame| frame.grid[axis])
}

/// A parameter of a program that [`kept`] makes.
#[derive(Clone, Copy)]
pub(crate) enum Param {
    /// The parameter of this index in the old program.
    Old(usize),
    /// One that the program does not use.
    Unused(Type),
}

/// The program restricted to these parameters and results, with the operations that the results and the effects need.
#[track_caller]
pub(crate) fn kept(program: &Program, params: &[Param], results: &[Value], at: Location) -> Program {
    let live = program.needed_for(results);
    let mut b = Builder::new(program.name());
    let mut values: Vec<Option<Value>> = vec![None; program.value_count()];
    for &param in params {
        match param {
            Param::Old(i) => values[program.param(i).index()] = Some(b.param_at(program.params()[i])),
            Param::Unused(ty) => drop(b.param(ty, "")),
        }
    }
    let new = |values: &[Option<Value>], value: Value| {
        values[value.index()].expect("invariant: what is live is a parameter or was computed")
    };
    for instr in program.instrs() {
        if instr.op.effects().may_drop() && !instr.results().any(|result| live[result.index()]) {
            continue;
        }
        let operands: Vec<Value> = instr.operands.iter().map(|&value| new(&values, value)).collect();
        for (old, copied) in instr.results().zip(b.copy(program, instr, &operands)) {
            values[old.index()] = Some(copied);
        }
    }
    let results: Vec<Value> = results.iter().map(|&value| new(&values, value)).collect();
    or_fail(at, b.finish(&results))
}

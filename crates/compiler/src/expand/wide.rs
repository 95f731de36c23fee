//! Reductions by programs, computed in `f64`.

use jarrah_base::{Error, Result};
use jarrah_hlo::ops::{Reduce, ReduceWindow, Reducer};
use jarrah_hlo::{Builder, Op, Results, Value, doubled, widened};

/// The program by which a reduction combines narrow floats, in `f64`.
fn wide_reducer(op: &Op) -> Result<Option<Op>> {
    let reducer = match op {
        Op::Reduce(op) => &op.reducer,
        Op::ReduceWindow(op) => &op.reducer,
        _ => return Ok(None),
    };
    let Reducer::General(body) = reducer else { return Ok(None) };
    let Some(body) = widened(body)? else { return Ok(None) };
    let reducer = Reducer::General(body);
    Ok(match op {
        Op::Reduce(op) => Some(Reduce { reducer, axes: op.axes.clone() }.into()),
        Op::ReduceWindow(op) => Some(ReduceWindow { reducer, window: op.window.clone() }.into()),
        _ => None,
    })
}

/// Whether [`over_doubles`] has a definition of `op`: a reduction, of windows too, by a program that rounds floats narrower than `f64`.
pub fn has_wide_definition(op: &Op) -> bool {
    matches!(wide_reducer(op), Ok(Some(_)))
}

/// A reduction by a program as one of `f64`, of which the results are rounded once.
///
/// # Errors
/// `op` is another one, or as [`Builder::push`].
pub fn over_doubles(b: &mut Builder, op: &Op, operands: &[Value]) -> Result<Results> {
    let types = b.types(operands);
    let wide = wide_reducer(op)?.ok_or_else(|| Error::internal("rounds no narrow floats").op(op.name()))?;
    let mut doubles = Vec::with_capacity(operands.len());
    for (&operand, &ty) in operands.iter().zip(&types) {
        doubles.push(b.convert(operand, doubled(ty).dtype())?);
    }
    let results = b.push(wide, &doubles)?;
    results.into_iter().zip(&types).map(|(result, ty)| b.convert(result, ty.dtype())).collect()
}

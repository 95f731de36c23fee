//! Reductions and selections of windows that any program makes, as the ops that they are.

use jarrah_base::{DType, Error, Result, Type};
use smallvec::smallvec;

use super::reduce::check_body;
use crate::builder::Builder;
use crate::op::Op;
use crate::ops::{
    Axes, Compare, Elementwise, Pad, ReduceWindow, Reducer, Scatter, Update, Window, WindowArg, WindowSelect,
};
use crate::program::{Program, Value};
use crate::rules::ProgramRef;

/// `operand` in windows, reduced from `init` on, of which the padding consists too (StableHLO, `reduce_window`).
///
/// `init + (x[i] + ...)`, where `init` is not the identity of the reducer, with the padding written out.
///
/// # Errors
/// As [`Builder::push`].
pub fn reduce_window(
    b: &mut Builder,
    reducer: Reducer,
    window: Window,
    operand: Value,
    init: Value,
) -> Result<Value> {
    let identity = reducer.identity(b.ty(operand).dtype())?;
    if b.constant_of(init) == Some(&identity) {
        return b.one(ReduceWindow { reducer, window }, &[operand]);
    }
    let kind = reducer.elementwise();
    window.check(b.ty(operand).rank(), "the operand")?;
    let mut padded = operand;
    let mut bare = window.clone();
    if !window.is_unpadded() {
        let result = window.result(b.ty(operand))?;
        if result.elements()? == 0 {
            return b.zeros(result);
        }
        let pad = Pad {
            low: window.low.clone(),
            high: window.high.clone(),
            interior: window.base_dilations.iter().map(|d| d - 1).collect(),
        };
        padded = b.one(pad, &[operand, init])?;
        bare = Window::new(&window.sizes).strided(&window.strides);
        bare.dilations = window.dilations;
    }
    let reduced = b.one(ReduceWindow { reducer: reducer.clone(), window: bare }, &[padded])?;
    let Some(kind) = kind else { return Ok(reduced) };
    let start = b.broadcast_in_dim(init, &b.ty(reduced).dims(), &[])?;
    b.one(Elementwise { kind }, &[start, reduced])
}

/// The selection that a program from two scalars to a truth value makes.
fn selection(select: &ProgramRef) -> WindowSelect {
    let direct = || {
        let ([instr], [result]) = (select.instrs(), select.results()) else { return None };
        let (Op::Compare(Compare { comparison, .. }), [a, b]) = (&instr.op, &instr.operands[..]) else {
            return None;
        };
        let in_order = select.params().len() == 2 && *a == select.param(0) && *b == select.param(1);
        (in_order && instr.result() == *result).then(|| WindowSelect::by(*comparison)).flatten()
    };
    direct().unwrap_or_else(|| WindowSelect::General(select.clone()))
}

/// The reducer whose combination a program from two scalars to one is.
fn combination(scatter: &Program) -> Option<Reducer> {
    let ([instr], [result]) = (scatter.instrs(), scatter.results()) else { return None };
    let (Op::Elementwise(Elementwise { kind }), &[x, y]) = (&instr.op, &instr.operands[..]) else {
        return None;
    };
    let both = scatter.params().len() == 2
        && [[x, y], [y, x]].contains(&[scatter.param(0), scatter.param(1)])
        && instr.result() == *result;
    let all =
        [Reducer::Add, Reducer::Mul, Reducer::Max, Reducer::Min, Reducer::And, Reducer::Or, Reducer::Xor];
    let reducer = all.into_iter().find(|r| r.elementwise() == Some(*kind))?;
    (both && reducer.check(scatter.ty(x)).is_ok()).then_some(reducer)
}

/// A tensor like `operand` full of `init`, with each element of `source` combined by `scatter` into it where `select`
/// selects an element of its window (StableHLO, `select_and_scatter`).
///
/// `select` maps the element held and the next to whether the former stays; `scatter` what is there and the element of
/// the source to what is there then. Linear in `source` and `init` where `scatter` adds.
///
/// # Errors
/// As [`Builder::push`].
pub fn select_and_scatter(
    b: &mut Builder,
    operand: Value,
    source: Value,
    init: Value,
    select: &ProgramRef,
    scatter: &ProgramRef,
    window: Window,
) -> Result<Value> {
    let ty = b.ty(operand);
    let scalar = Type::scalar(ty.dtype());
    check_body(select, &[scalar, scalar], &[Type::scalar(DType::Bool)])?;
    let wide = window.sums_in(ty.dtype());
    let arg = WindowArg { select: selection(select), window, to: WindowArg::index_type(ty)? };
    let positions = b.one(arg, &[operand])?;
    let (at, from) = (b.ty(positions), b.ty(source));
    if !at.same_dims(from) {
        let text = format!("there are {:?} windows over operand {ty}, source is {from}", at.dims());
        return Err(Error::program(text).op("select_and_scatter"));
    }
    let count = ty.elements()?;
    let reducer = combination(scatter);
    // Sums and products are rounded once.
    let wide = if matches!(reducer, Some(Reducer::Add | Reducer::Mul)) { wide } else { ty.dtype() };
    let (init, source) = (b.convert(init, wide)?, b.convert(source, wide)?);
    let full = b.broadcast_in_dim(init, &[count], &[])?;
    let update = Update::Reduce(reducer.unwrap_or_else(|| Reducer::General(scatter.clone())));
    let op = Scatter {
        window_axes: Axes::new(),
        inserted_axes: smallvec![0],
        operand_batch_axes: Axes::new(),
        indices_batch_axes: Axes::new(),
        index_map: smallvec![0],
        index_vector_axis: at.rank(),
        sorted: false,
        unique: false,
        update,
    };
    let row = b.one(op, &[full, positions, source])?;
    let row = b.convert(row, ty.dtype())?;
    b.reshape(row, &ty.dims())
}

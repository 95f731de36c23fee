use jarrah_base::{DType, Dims, ElementKind, Error, Literal, Result, Type, c128, with_element};
use jarrah_hlo::ops::{Cumulative, Pad, ReduceWindow, Reducer, Run, Window, WindowArg, WindowSelect};
use jarrah_hlo::widened;
use smallvec::SmallVec;

use crate::copy::row_major;
use crate::elementwise::{combination, holds};
use crate::machine::Machine;
use crate::movement;
use crate::number::Numbers;
use crate::reduce::{element, in_doubles};
use crate::running::Running;

/// The elements along one axis, of extent `extent`, that each of `windows` windows meets.
pub fn runs(window: &Window, axis: usize, extent: usize, windows: usize) -> Vec<Run> {
    (0..windows).map(|i| window.run(axis, extent, i)).collect()
}

/// Calls `visit` for each window, in row-major order, with the positions of its elements in row-major order.
fn each(
    window: &Window,
    dims: &[usize],
    counts: &[usize],
    mut visit: impl FnMut(usize, &[usize]) -> Result<()>,
) -> Result<()> {
    if counts.contains(&0) {
        return Ok(());
    }
    let rank = dims.len();
    let strides = row_major(dims);
    let runs: Vec<Vec<Run>> = (0..rank).map(|axis| runs(window, axis, dims[axis], counts[axis])).collect();
    // `positions[a]` are those of the elements along the axes before `a`, at 0 along the others.
    let mut positions: Vec<Vec<usize>> = vec![Vec::new(); rank + 1];
    positions[0].push(0);
    let mut index: SmallVec<[usize; 6]> = counts.iter().map(|_| 0).collect();
    let mut changed = 0;
    for out in 0.. {
        for axis in changed..rank {
            let Run { first, step, count } = runs[axis][index[axis]];
            let stride = strides[axis] as usize;
            let (before, after) = positions.split_at_mut(axis + 1);
            let next = &mut after[0];
            next.clear();
            for &at in &before[axis] {
                next.extend((0..count).map(|k| at + (first + k * step) * stride));
            }
        }
        visit(out, &positions[rank])?;
        let Some(axis) = (0..rank).rev().find(|&a| index[a] + 1 < counts[a]) else { break };
        index[axis] += 1;
        index[axis + 1..].fill(0);
        changed = axis;
    }
    Ok(())
}

/// Calls `visit` for the windows of each line along the axis in turn, the shortest first, with the position of the
/// result and those of the elements that it has more than the one before, in the order in which they are combined.
fn grow(
    along: Cumulative,
    dims: &[usize],
    counts: &[usize],
    mut visit: impl FnMut(usize, &mut dyn Iterator<Item = usize>, bool) -> Result<()>,
) -> Result<()> {
    let (extent, count) = (dims[along.axis], counts[along.axis]);
    let before: usize = dims[..along.axis].iter().product();
    let step: usize = dims[along.axis + 1..].iter().product();
    for (outer, inner) in (0..before).flat_map(|outer| (0..step).map(move |inner| (outer, inner))) {
        let at = |i: usize, extent: usize| (outer * extent + i) * step + inner;
        let mut reached = if along.from_end { extent } else { 0 };
        for i in 0..count {
            let window = if along.from_end { count - 1 - i } else { i };
            let bound = along.bound(window, extent);
            let result = at(window, count);
            match along.from_end {
                false => visit(result, &mut (reached..bound).map(|p| at(p, extent)), i == 0)?,
                true => visit(result, &mut (bound..reached).rev().map(|p| at(p, extent)), i == 0)?,
            }
            reached = bound;
        }
    }
    Ok(())
}

/// The elements of each window combined by `step`, one after another, beginning with `first`; `put` is given the number of the window,
/// and what its elements make.
fn fold<A: Copy>(
    window: &Window,
    [dims, counts]: [&[usize]; 2],
    first: A,
    step: impl Fn(A, usize) -> A,
    mut put: impl FnMut(usize, A),
) -> Result<()> {
    match window.cumulative(dims)? {
        Some(along) => {
            let mut value = first;
            grow(along, dims, counts, |i, more, begins| {
                value = more.fold(if begins { first } else { value }, &step);
                put(i, value);
                Ok(())
            })
        }
        None => each(window, dims, counts, |i, at| {
            put(i, at.iter().fold(first, |a, &p| step(a, p)));
            Ok(())
        }),
    }
}

/// The elements of each window combined, one after another. Sums and products of floats are in `f64`, those of `f64` [`Running`],
/// and rounded once; products of complex numbers likewise, of which sums are those of their parts.
pub fn reduce_window(
    machine: &mut Machine<'_>,
    op: &ReduceWindow,
    operands: &[Literal],
    results: &[Type],
) -> Result<Vec<Literal>> {
    if let Reducer::General(body) = &op.reducer {
        if let Some(body) = widened(body)? {
            return in_doubles(operands, results, |operands, results| {
                general(machine, &body, &op.window, operands, results)
            });
        }
        return general(machine, body, &op.window, operands, results);
    }
    let kind =
        op.reducer.elementwise().ok_or_else(|| Error::internal("windows have no positions of extrema"))?;
    let (x, to) = (&operands[0], results[0]);
    let (x_dims, counts) = (x.dims(), to.dims());
    let extents = [&x_dims[..], &counts];
    if let (Reducer::Add | Reducer::Mul, ElementKind::Float | ElementKind::Complex) =
        (&op.reducer, to.dtype().kind())
    {
        return Ok(vec![accumulated(op, x, extents, to)?]);
    }
    let identity = op.reducer.identity(to.dtype())?;
    let mut out = Literal::zeros(to)?;
    with_element!(to.dtype(), T => {
        let combine = combination::<T>(kind, to.dtype())
            .ok_or_else(|| Error::internal(format!("{} is not defined for {to}", kind.name())))?;
        let first = identity.as_slice::<T>()?[0];
        let x = x.as_slice::<T>()?;
        let out = out.as_mut_slice::<T>()?;
        fold(&op.window, extents, first, |a, p| combine(a, x[p]), |i, value| out[i] = value)?;
    });
    Ok(vec![out])
}

/// Sums or products of floats or complex numbers in windows.
fn accumulated(op: &ReduceWindow, x: &Literal, extents: [&[usize]; 2], to: Type) -> Result<Literal> {
    let (window, adds) = (&op.window, op.reducer == Reducer::Add);
    let first = if adds { 0.0 } else { 1.0 };
    if to.dtype().is_complex() {
        let x = x.to_c128_vec();
        let mut out = vec![c128::default(); to.elements()?];
        if adds && to.dtype() == DType::C128 {
            let step = |[re, im]: [Running; 2], p: usize| [re.plus(x[p].re), im.plus(x[p].im)];
            let put = |i: usize, [re, im]: [Running; 2]| out[i] = c128::new(re.value(), im.value());
            fold(window, extents, [Running::from(0.0); 2], step, put)?;
        } else {
            let multiply = combination::<c128>(jarrah_hlo::ops::ElementwiseKind::Multiply, DType::C128)
                .ok_or_else(|| Error::internal("complex numbers have no product"))?;
            let step = |a: c128, p: usize| if adds { a + x[p] } else { multiply(a, x[p]) };
            fold(window, extents, c128::new(first, 0.0), step, |i, value| out[i] = value)?;
        }
        return Literal::from_c128s(to, &out);
    }
    let x = x.to_f64_vec();
    let mut out = vec![0.0; to.elements()?];
    if to.dtype() == DType::F64 {
        let step = |a: Running, p: usize| if adds { a.plus(x[p]) } else { a.times(x[p]) };
        fold(window, extents, Running::from(first), step, |i, value| out[i] = value.value())?;
    } else {
        let step = |a: f64, p: usize| if adds { a + x[p] } else { a * x[p] };
        fold(window, extents, first, step, |i, value| out[i] = value)?;
    }
    Literal::from_f64s(to, &out)
}

/// The reduction by a program: its initial values are what the padding consists of.
fn general(
    machine: &mut Machine<'_>,
    body: &jarrah_hlo::Program,
    window: &Window,
    operands: &[Literal],
    results: &[Type],
) -> Result<Vec<Literal>> {
    let (inputs, initial) = operands.split_at(operands.len() / 2);
    let mut out: Vec<Literal> = results.iter().map(|&ty| Literal::zeros(ty)).collect::<Result<_>>()?;
    let counts = results.first().map_or(Dims::new(), |&ty| ty.dims());
    if counts.contains(&0) {
        return Ok(out);
    }
    let pad = Pad {
        low: window.low.clone(),
        high: window.high.clone(),
        interior: window.base_dilations.iter().map(|d| d - 1).collect(),
    };
    let mut padded = Vec::with_capacity(inputs.len());
    for (x, value) in inputs.iter().zip(initial) {
        let to = jarrah_hlo::Op::from(pad.clone()).infer(&[x.ty(), value.ty()])?;
        padded.push(movement::pad(&pad, x, value, to[0])?);
    }
    let dims = padded.first().map_or(Vec::new(), Literal::dims);
    // A chain of initial values alone is one of them where the program keeps it, and then windows that begin with
    // padding, or none, grow from the one before.
    if let Some(along) = window.cumulative(&inputs.first().map_or(Vec::new(), Literal::dims))?
        && !along.from_end
        && machine.run(body, [initial, initial].concat())? == initial
    {
        let along = Cumulative { reach: window.sizes[along.axis] as i128, ..along };
        let mut values = initial.to_vec();
        grow(along, &dims, &counts, |i, more, begins| {
            if begins {
                values = initial.to_vec();
            }
            for p in more {
                values = combined(machine, body, std::mem::take(&mut values), &padded, p)?;
            }
            store(&mut out, i, &values);
            Ok(())
        })?;
        return Ok(out);
    }
    let dense =
        Window { dilations: window.dilations.clone(), ..Window::new(&window.sizes).strided(&window.strides) };
    each(&dense, &dims, &counts, |i, at| {
        let mut values = initial.to_vec();
        for &p in at {
            values = combined(machine, body, values, &padded, p)?;
        }
        store(&mut out, i, &values);
        Ok(())
    })?;
    Ok(out)
}

/// The results of `body` for these values and the elements at a position.
fn combined(
    machine: &mut Machine<'_>,
    body: &jarrah_hlo::Program,
    values: Vec<Literal>,
    tensors: &[Literal],
    position: usize,
) -> Result<Vec<Literal>> {
    let elements = tensors.iter().map(|x| element(x, position)).collect::<Result<Vec<_>>>()?;
    machine.run(body, values.into_iter().chain(elements).collect())
}

/// Scalars as the elements at a position.
fn store(out: &mut [Literal], position: usize, values: &[Literal]) {
    for (out, value) in out.iter_mut().zip(values) {
        let size = value.bytes().len();
        out.bytes_mut()[position * size..][..size].copy_from_slice(value.bytes());
    }
}

/// The position of the element that each window selects, -1 where it has none.
pub fn window_arg(machine: &mut Machine<'_>, op: &WindowArg, x: &Literal, to: Type) -> Result<Literal> {
    let (dims, counts) = (x.dims(), to.dims());
    let mut chosen: Vec<i128> = vec![-1; to.elements()?];
    if let WindowSelect::General(select) = &op.select {
        each(&op.window, &dims, &counts, |i, at| {
            let Some((&first, rest)) = at.split_first() else { return Ok(()) };
            let mut held = first;
            for &next in rest {
                let pair = vec![element(x, held)?, element(x, next)?];
                if machine.run(select, pair)?.first().is_some_and(|stays| stays.get_i128(0) == 0) {
                    held = next;
                }
            }
            chosen[i] = held as i128;
            Ok(())
        })?;
    } else {
        let comparison =
            op.select.comparison().ok_or_else(|| Error::internal("a selection without an order"))?;
        let numbers = Numbers::of(x);
        each(&op.window, &dims, &counts, |i, at| {
            let held = at.iter().copied().reduce(|held, next| {
                if holds(comparison, numbers.order(held, &numbers, next)) { held } else { next }
            });
            chosen[i] = held.map_or(-1, |p| p as i128);
            Ok(())
        })?;
    }
    Literal::from_i128s(to, &chosen)
}

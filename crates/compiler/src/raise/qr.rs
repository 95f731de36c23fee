//! The QR decomposition that JAX exports as several ops, as one op.
//!
//! JAX exports `jnp.linalg.qr` as `geqrf`, whose packed result holds `R` in its upper triangle and reflections below;
//! `householder_product` of the packed matrix, cut or padded to the columns of `Q`; and a select of zeros below the
//! diagonal of the packed matrix, cut to the rows of `R`. These ops have no derivative, for the reflections jump
//! where a column is zero below its diagonal; the decomposition has one.

use std::cell::Cell;

use jarrah_base::{ElementKind, Result, Type, work};
use jarrah_hlo::ops::{Comparison, ElementwiseKind, Qr};
use jarrah_hlo::{Builder, Instr, Op, Program, Value};

use super::without_calls;
use crate::rebuild::{Memo, rebuild};

/// The program with every QR decomposition by reflections as one [`Qr`], so that it differentiates.
///
/// Reflections with any other use stay.
pub(super) fn raise_qr(program: &Program) -> Result<Program> {
    pass(program, &mut Memo::default())
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    let flat;
    let (program, parts) = if program.instrs().iter().any(|i| matches!(i.op, Op::Geqrf(_))) {
        flat = without_calls(program)?;
        (&flat, parts(&flat))
    } else {
        (program, vec![None; program.instrs().len()])
    };
    // The two factors of each decomposition.
    let mut factors: Vec<Option<(Value, Value)>> = vec![None; program.instrs().len()];
    let mut index = 0;
    rebuild(program, |b, instr, operands| {
        let here = index;
        index += 1;
        match parts[here] {
            Some(Part::Whole { full_matrices }) => {
                let qr = b.push(Qr { full_matrices }, operands)?;
                factors[here] = Some((qr[0], qr[1]));
            }
            Some(Part::Q { of }) => {
                if let Some((q, _)) = factors[of] {
                    return Ok([fitted(b, q, program.ty(instr.result()))?].into_iter().collect());
                }
            }
            Some(Part::R { of, operand }) => {
                if let Some((_, r)) = factors[of] {
                    let mut operands = operands.to_vec();
                    operands[operand] = fitted(b, r, program.ty(instr.result()))?;
                    return b.push(instr.op.clone(), &operands);
                }
            }
            None => {}
        }
        match memo.apply_inside(&instr.op, pass)? {
            Some(op) => b.push(op, operands),
            None => Ok(b.copy(program, instr, operands)),
        }
    })
}

/// Matrices with the rows and columns of `ty`: cut, or padded with zeros.
fn fitted(b: &mut Builder, x: Value, ty: Type) -> Result<Value> {
    let mut out = x;
    for axis in ty.rank() - 2..ty.rank() {
        let (has, wanted) = (b.ty(out).dim(axis), ty.dim(axis));
        if has > wanted {
            out = b.slice_axis(out, axis, 0, wanted)?;
        } else if has < wanted {
            let mut dims = b.ty(out).dims().to_vec();
            dims[axis] = wanted - has;
            let zeros = b.zeros(ty.with_dims(dims))?;
            out = b.concatenate(&[out, zeros], axis)?;
        }
    }
    Ok(out)
}

/// The role of an instruction in a decomposition; `of` is the index of its `geqrf`.
#[derive(Clone, Copy)]
enum Part {
    /// The `geqrf`, which becomes the decomposition.
    Whole { full_matrices: bool },
    /// The `householder_product` that gives `Q`.
    Q { of: usize },
    /// The select that gives `R` from its operand number `operand`.
    R { of: usize, operand: usize },
}

/// The part of a decomposition that a value holds.
#[derive(Clone, Copy)]
enum Held {
    /// The packed matrix, cut to these rows and columns, and whether it was padded after them.
    Packed { of: usize, rows: usize, columns: usize, padded: bool },
    /// The scalar factors of the reflections.
    Factors { of: usize },
}

impl Held {
    fn of(self) -> usize {
        let (Held::Packed { of, .. } | Held::Factors { of }) = self;
        of
    }
}

/// The role of every instruction in a decomposition; none if its reflections have other uses too.
fn parts(program: &Program) -> Vec<Option<Part>> {
    let mut held: Vec<Option<Held>> = vec![None; program.value_count()];
    let mut parts = vec![None; program.instrs().len()];
    let mut used_otherwise = vec![false; program.instrs().len()];
    for (index, instr) in program.instrs().iter().enumerate() {
        let operands: Vec<Option<Held>> = instr.operands.iter().map(|v| held[v.index()]).collect();
        if let Op::Geqrf(_) = instr.op {
            let ty = program.ty(instr.operands[0]);
            if let (&[.., rows, columns], None) = (&*ty.dims(), operands[0]) {
                let whole =
                    [Held::Packed { of: index, rows, columns, padded: false }, Held::Factors { of: index }];
                instr.results().zip(whole).for_each(|(v, whole)| held[v.index()] = Some(whole));
                parts[index] = Some(Part::Whole { full_matrices: false });
                continue;
            }
        }
        if operands.iter().all(Option::is_none) {
            continue;
        }
        if let Some(kept) = kept(program, instr, operands[0]) {
            held[instr.result().index()] = Some(kept);
        } else if let Some((of, full)) = product(program, instr, &operands) {
            parts[index] = Some(Part::Q { of });
            if let (true, Some(Part::Whole { full_matrices })) = (full, &mut parts[of]) {
                *full_matrices = true;
            }
        } else if let Some((of, operand)) = triangle(program, instr, &operands) {
            parts[index] = Some(Part::R { of, operand });
        } else {
            operands.iter().flatten().for_each(|held| used_otherwise[held.of()] = true);
        }
    }
    for value in program.results() {
        if let Some(held) = held[value.index()] {
            used_otherwise[held.of()] = true;
        }
    }
    for (index, part) in parts.iter_mut().enumerate() {
        let of = match *part {
            Some(Part::Q { of } | Part::R { of, .. }) => of,
            _ => index,
        };
        if used_otherwise[of] {
            *part = None;
        }
    }
    parts
}

/// The part of a packed matrix that remains after an instruction cuts or pads the end of its rows and columns.
fn kept(program: &Program, instr: &Instr, held: Option<Held>) -> Option<Held> {
    let Some(Held::Packed { of, mut rows, mut columns, mut padded }) = held else { return None };
    let ty = program.ty(instr.operands[0]);
    let batch = ty.rank() - 2;
    match &instr.op {
        Op::Slice(slice) => {
            let whole = |axis: usize| slice.limits[axis] == ty.dim(axis);
            let leading = slice.starts.iter().all(|&n| n == 0) && slice.strides.iter().all(|&n| n == 1);
            if !leading || !(0..batch).all(whole) {
                return None;
            }
            rows = rows.min(slice.limits[batch]);
            columns = columns.min(slice.limits[batch + 1]);
        }
        Op::Pad(pad) => {
            let trailing = pad.low.iter().all(|&n| n == 0) && pad.interior.iter().all(|&n| n == 0);
            if !trailing || pad.high[..batch].iter().any(|&n| n != 0) || pad.high.iter().any(|&n| n < 0) {
                return None;
            }
            padded = true;
        }
        _ => return None,
    }
    Some(Held::Packed { of, rows, columns, padded })
}

/// The decomposition whose reflections are multiplied, and whether to a square `Q` with more columns than
/// reflections.
fn product(program: &Program, instr: &Instr, operands: &[Option<Held>]) -> Option<(usize, bool)> {
    let (Op::HouseholderProduct(_), &[Some(vectors), Some(Held::Factors { of })]) = (&instr.op, operands)
    else {
        return None;
    };
    let Held::Packed { of: packed, rows, columns, .. } = vectors else { return None };
    let (ty, whole) = (program.ty(instr.result()), program.ty(program.instrs()[of].operands[0]));
    let (&[.., height, width], &[.., m, _]) = (&*ty.dims(), &*whole.dims()) else { return None };
    let count = *program.ty(instr.operands[1]).dims().last()?;
    let all = packed == of && height == m && rows == m && columns >= count;
    all.then_some((of, width > count))
}

/// The decomposition whose upper triangle a select keeps, and the number of the operand that is its packed matrix.
fn triangle(program: &Program, instr: &Instr, operands: &[Option<Held>]) -> Option<(usize, usize)> {
    let (operand, held) = match (&instr.op, operands) {
        (Op::Select(_), &[None, Some(held), None]) => (1, held),
        (Op::Select(_), &[None, None, Some(held)]) => (2, held),
        _ => return None,
    };
    let Held::Packed { of, padded: false, .. } = held else { return None };
    let masks = Masks { program, definitions: program.definitions(), left: Cell::new(MOST_MASK_OPS) };
    masks.never_below_diagonal(instr.operands[0], operand == 1).then_some((of, operand))
}

/// The most ops that are followed to see which positions a mask keeps; a triangle's mask has about ten.
const MOST_MASK_OPS: usize = 100;

/// Truth values and integers that depend only on the position in a matrix.
struct Masks<'p> {
    program: &'p Program,
    definitions: Vec<Option<usize>>,
    /// How many more ops are followed.
    left: Cell<usize>,
}

impl Masks<'_> {
    /// The instruction that makes `value`; `None` for parameters, and once too many were asked for.
    fn instr(&self, value: Value) -> Option<&Instr> {
        work::step(1);
        self.left.set(self.left.get().checked_sub(1)?);
        Some(&self.program.instrs()[self.definitions[value.index()]?])
    }

    /// Whether no element of the mask below the diagonal is `truth`.
    fn never_below_diagonal(&self, mask: Value, truth: bool) -> bool {
        // Below the diagonal of one row there is nothing.
        let one_row = matches!(*self.program.ty(mask).dims(), [.., m, _] if m == 1);
        one_row || self.constant_below_diagonal(mask).is_some_and(|always| always != truth)
    }

    /// The value that all elements of a mask below the diagonal have.
    fn constant_below_diagonal(&self, mask: Value) -> Option<bool> {
        let instr = self.instr(mask)?;
        match &instr.op {
            Op::BroadcastInDim(op) => {
                self.same_matrix(instr, &op.axes).then(|| self.constant_below_diagonal(instr.operands[0]))?
            }
            Op::Elementwise(op) if op.kind == ElementwiseKind::Not => {
                self.constant_below_diagonal(instr.operands[0]).map(|always| !always)
            }
            Op::Compare(op) => {
                let (x, y) = (self.place(instr.operands[0])?, self.place(instr.operands[1])?);
                let difference = |row: i128, column: i128| {
                    (x.start - y.start) + (x.row - y.row) * row + (x.column - y.column) * column
                };
                let holds = |n: i128| match op.comparison {
                    Comparison::Lt => Some(n < 0),
                    Comparison::Le => Some(n <= 0),
                    Comparison::Gt => Some(n > 0),
                    Comparison::Ge => Some(n >= 0),
                    Comparison::Eq | Comparison::Ne => None,
                };
                let [.., m, n] = *self.program.ty(mask).dims() else { return None };
                let (m, n) = (m as i128, n as i128);
                // A linear function compares alike along a row if it does at both ends.
                let mut ends = (1..m).flat_map(|row| [(row, 0), (row, n.min(row) - 1)]);
                let (row, column) = ends.next()?;
                let first = holds(difference(row, column))?;
                ends.all(|(row, column)| holds(difference(row, column)) == Some(first)).then_some(first)
            }
            _ => None,
        }
    }

    /// Whether a broadcast repeats whole matrices.
    fn same_matrix(&self, instr: &Instr, axes: &[usize]) -> bool {
        let (from, to) = (self.program.ty(instr.operands[0]), self.program.ty(instr.result()));
        let last = |ty: Type| ty.dims().split_last_chunk::<2>().map(|(_, last)| *last);
        to.rank() >= 2 && axes.ends_with(&[to.rank() - 2, to.rank() - 1]) && last(from) == last(to)
    }

    /// The integer at a position, as a linear function of row and column.
    fn place(&self, value: Value) -> Option<Place> {
        let (ty, instr) = (self.program.ty(value), self.instr(value)?);
        // Wide signed integers do not wrap: extents and constants are far below their limits.
        if ty.dtype().kind() != ElementKind::Signed || ty.dtype().bits() < 32 {
            return None;
        }
        let both = || Some((self.place(instr.operands[0])?, self.place(instr.operands[1])?));
        let place = match &instr.op {
            Op::Constant(op) => Place { start: op.value.splat()?.get_i128(0), row: 0, column: 0 },
            Op::Iota(op) if op.axis + 2 == ty.rank() => Place { start: 0, row: 1, column: 0 },
            Op::Iota(op) if op.axis + 1 == ty.rank() => Place { start: 0, row: 0, column: 1 },
            Op::BroadcastInDim(op) => {
                let place = self.place(instr.operands[0])?;
                let constant = place.row == 0 && place.column == 0;
                (constant || self.same_matrix(instr, &op.axes)).then_some(place)?
            }
            Op::Elementwise(op) if op.kind == ElementwiseKind::Add => {
                let (x, y) = both()?;
                Place { start: x.start + y.start, row: x.row + y.row, column: x.column + y.column }
            }
            Op::Elementwise(op) if op.kind == ElementwiseKind::Subtract => {
                let (x, y) = both()?;
                Place { start: x.start - y.start, row: x.row - y.row, column: x.column - y.column }
            }
            _ => return None,
        };
        let near = place.start.abs() < 1 << 24 && place.row.abs() < 16 && place.column.abs() < 16;
        (near && ty.extents().all(|n| n < 1 << 24)).then_some(place)
    }
}

/// The integer `start + row * i + column * j` in row `i` and column `j`.
#[derive(Clone, Copy)]
struct Place {
    start: i128,
    row: i128,
    column: i128,
}

use std::cmp::Ordering;

use jarrah_base::{DType, Error, Literal, Result, Type, c128, with_element};
use jarrah_hlo::ops::{Reduce, Reducer};
use jarrah_hlo::widened;

use crate::copy::permuted;
use crate::elementwise::combination;
use crate::machine::Machine;
use crate::number::Numbers;

/// Elements that are reduced as one; longer rows are cut into chunks of this many.
const CHUNK: usize = 4096;
/// Sums that run side by side.
const LANES: usize = 16;

/// Elements combined along some axes, in row-major order of these.
///
/// Sums and products follow a tree that depends on the number of elements only: see [`tree`]. Products of complex
/// numbers are chains.
pub fn reduce(
    machine: &mut Machine<'_>,
    op: &Reduce,
    operands: &[Literal],
    results: &[Type],
) -> Result<Vec<Literal>> {
    if let Reducer::General(body) = &op.reducer
        && let Some(body) = widened(body)?
    {
        let op = Reduce { reducer: Reducer::General(body), axes: op.axes.clone() };
        return in_doubles(operands, results, |operands, results| reduce(machine, &op, operands, results));
    }
    let inputs = match op.reducer {
        Reducer::General(_) => operands.len() / 2,
        _ => 1,
    };
    let dims = operands[0].dims();
    let kept: Vec<usize> = (0..dims.len()).filter(|a| !op.axes.contains(a)).collect();
    let order = [&kept[..], &op.axes].concat();
    let count: usize = op.axes.iter().map(|&a| dims[a]).product();
    let mut rows = Vec::with_capacity(inputs);
    for x in &operands[..inputs] {
        rows.push(permuted(x, &order)?);
    }
    if let Reducer::General(body) = &op.reducer {
        let mut out: Vec<Literal> = results.iter().map(|&ty| Literal::zeros(ty)).collect::<Result<_>>()?;
        let outputs = results.first().map_or(Ok(0), |ty| ty.elements())?;
        for row in 0..outputs {
            let mut values = operands[inputs..].to_vec();
            for i in row * count..(row + 1) * count {
                let elements = rows.iter().map(|x| element(x, i)).collect::<Result<Vec<_>>>()?;
                values = machine.run(body, values.into_iter().chain(elements).collect())?;
            }
            for (out, value) in out.iter_mut().zip(values) {
                let size = value.bytes().len();
                out.bytes_mut()[row * size..][..size].copy_from_slice(value.bytes());
            }
        }
        return Ok(out);
    }
    let (x, to) = (&rows[0], results[0]);
    let out = match &op.reducer {
        Reducer::Add => {
            let sum = Operation {
                identity: 0.0,
                in_f32: |a, b| a + b,
                in_f64: |a, b| a + b,
                in_complexes: Complexes::Tree(|a, b| a + b),
                in_integers: i128::wrapping_add,
            };
            tree_rows(x, count, to, &sum)?
        }
        Reducer::Mul => {
            let product = Operation {
                identity: 1.0,
                in_f32: |a, b| a * b,
                in_f64: |a, b| a * b,
                in_complexes: Complexes::Chain(|a, b| a * b),
                in_integers: i128::wrapping_mul,
            };
            tree_rows(x, count, to, &product)?
        }
        Reducer::Max | Reducer::Min | Reducer::And | Reducer::Or | Reducer::Xor => {
            fold_rows(x, count, to, &op.reducer)?
        }
        Reducer::ArgMax(_) => positions(x, count, to, Ordering::Greater)?,
        Reducer::ArgMin(_) => positions(x, count, to, Ordering::Less)?,
        Reducer::General(_) => return Err(Error::internal("was handled above")),
    };
    Ok(vec![out])
}

/// The results of `run` for operands of which the floats are of type `f64`, rounded to the types of `results`.
pub fn in_doubles(
    operands: &[Literal],
    results: &[Type],
    run: impl FnOnce(&[Literal], &[Type]) -> Result<Vec<Literal>>,
) -> Result<Vec<Literal>> {
    let double = |ty: Type| if ty.dtype().is_float() { ty.with_dtype(DType::F64) } else { ty };
    let convert = |x: &Literal, ty: Type| -> Result<Literal> {
        if x.ty() == ty { Ok(x.clone()) } else { Literal::from_f64s(ty, &x.to_f64_vec()) }
    };
    let operands = operands.iter().map(|x| convert(x, double(x.ty()))).collect::<Result<Vec<_>>>()?;
    let doubles: Vec<Type> = results.iter().map(|&ty| double(ty)).collect();
    let found = run(&operands, &doubles)?;
    found.iter().zip(results).map(|(x, &ty)| convert(x, ty)).collect()
}

/// The element at a row-major position, as a scalar.
pub fn element(x: &Literal, index: usize) -> Result<Literal> {
    let size = x.dtype().size();
    Literal::from_bytes(Type::scalar(x.dtype()), &x.bytes()[index * size..][..size])
}

/// The elements of a row combined along a fixed tree.
///
/// Up to 16 elements: one after another. Up to 4096: 16 lanes start from the identity, lane `i` takes the elements `i, i + 16, ...` in order, then
/// lane `i` takes lane `i + 8`, `i + 4`, `i + 2`, `i + 1`. More: chunks of 4096 are combined so, and then their results.
fn tree<A: Copy>(row: &[A], identity: A, op: fn(A, A) -> A) -> A {
    if row.len() <= LANES { row.iter().fold(identity, |a, &x| op(a, x)) } else { lanes(row, identity, op) }
}

/// [`tree`] of a row, or of a part of one, of more than 16 elements.
fn lanes<A: Copy>(row: &[A], identity: A, op: fn(A, A) -> A) -> A {
    if row.len() > CHUNK {
        let chunks: Vec<A> = row.chunks(CHUNK).map(|chunk| lanes(chunk, identity, op)).collect();
        return lanes(&chunks, identity, op);
    }
    let mut lanes = [identity; LANES];
    for (i, &x) in row.iter().enumerate() {
        lanes[i % LANES] = op(lanes[i % LANES], x);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] = op(lanes[i], lanes[i + width]);
        }
        width /= 2;
    }
    lanes[0]
}

/// How complex numbers are combined: along the tree, part by part, or one after another.
enum Complexes {
    Tree(fn(c128, c128) -> c128),
    Chain(fn(c128, c128) -> c128),
}

/// The operations of a sum or a product.
struct Operation {
    identity: f64,
    in_f32: fn(f32, f32) -> f32,
    in_f64: fn(f64, f64) -> f64,
    in_complexes: Complexes,
    in_integers: fn(i128, i128) -> i128,
}

/// [`tree`] of each row: in `f64` for `f32`, in `f32` for narrower floats, with `f64` parts for complex numbers, with one
/// rounding at the end; in the element type otherwise.
fn tree_rows(x: &Literal, count: usize, to: Type, op: &Operation) -> Result<Literal> {
    fn trees<A: Copy>(all: &[A], count: usize, rows: usize, identity: A, op: fn(A, A) -> A) -> Vec<A> {
        (0..rows).map(|i| tree(&all[i * count..][..count], identity, op)).collect()
    }
    let rows = to.elements()?;
    let wide = if to.dtype() == DType::F32 { DType::F64 } else { to.dtype().accumulator() };
    match wide {
        DType::F64 => Literal::from_f64s(to, &trees(&x.to_f64_vec(), count, rows, op.identity, op.in_f64)),
        DType::F32 => {
            let all: Vec<f32> = x.to_f64_vec().into_iter().map(|x| x as f32).collect();
            let sums = trees(&all, count, rows, op.identity as f32, op.in_f32);
            Literal::from_f64s(to, &sums.into_iter().map(f64::from).collect::<Vec<_>>())
        }
        DType::C64 | DType::C128 => {
            let (all, identity) = (x.to_c128_vec(), c128::new(op.identity, 0.0));
            match op.in_complexes {
                Complexes::Tree(add) => Literal::from_c128s(to, &trees(&all, count, rows, identity, add)),
                Complexes::Chain(multiply) => {
                    let chain =
                        |i: usize| all[i * count..][..count].iter().fold(identity, |a, &z| multiply(a, z));
                    Literal::from_c128s(to, &(0..rows).map(chain).collect::<Vec<_>>())
                }
            }
        }
        _ => {
            let (all, identity) = (x.to_i128_vec(), op.identity as i128);
            let fold =
                |i: usize| all[i * count..][..count].iter().fold(identity, |a, &x| (op.in_integers)(a, x));
            Literal::from_i128s(to, &(0..rows).map(fold).collect::<Vec<_>>())
        }
    }
}

/// Each row combined from the identity on, for operations whose order does not matter.
fn fold_rows(x: &Literal, count: usize, to: Type, reducer: &Reducer) -> Result<Literal> {
    let kind = reducer.elementwise().ok_or_else(|| Error::internal("positions are no values"))?;
    let undefined = || Error::program(format!("{} is not defined for {to}", kind.name()));
    let identity = reducer.identity(to.dtype())?;
    let mut out = Literal::zeros(to)?;
    with_element!(to.dtype(), T => {
        let combine = combination::<T>(kind, to.dtype()).ok_or_else(undefined)?;
        let first = identity.as_slice::<T>()?[0];
        let rows = x.as_slice::<T>()?;
        for (i, out) in out.as_mut_slice::<T>()?.iter_mut().enumerate() {
            *out = rows[i * count..][..count].iter().fold(first, |a, &x| combine(a, x));
        }
    });
    Ok(out)
}

/// Where in each row the first NaN stands, or else the first element that no other beats.
fn positions(x: &Literal, count: usize, to: Type, beats: Ordering) -> Result<Literal> {
    let numbers = Numbers::of(x);
    let best = |row: usize| -> i128 {
        let start = row * count;
        let mut at = 0;
        for j in 0..count {
            let better = if numbers.is_nan(start + j) || numbers.is_nan(start + at) {
                !numbers.is_nan(start + at)
            } else {
                numbers.order(start + j, &numbers, start + at) == Some(beats)
            };
            if better {
                at = j;
            }
        }
        at as i128
    };
    Literal::from_i128s(to, &(0..to.elements()?).map(best).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_the_documented_one() {
        // With string concatenation the order becomes visible.
        fn join(a: &'static str, b: &'static str) -> &'static str {
            match (a, b) {
                ("", x) | (x, "") => x,
                _ => Box::leak(format!("({a}{b})").into_boxed_str()),
            }
        }
        assert_eq!(tree(&["a", "b", "c"], "", join), "((ab)c)");
        assert_eq!(lanes(&["a", "b", "c"], "", join), "((ac)b)");
        let letters = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q"];
        let expected = "(((((aq)i)(em))((ck)(go)))(((bj)(fn))((dl)(hp))))";
        assert_eq!(tree(&letters, "", join), expected);
    }

    #[test]
    fn long_rows_are_cut_into_chunks() {
        // The first chunk loses its small numbers against the large one, the second keeps them.
        let mut row = vec![1.0f32; 2 * CHUNK];
        row[0] = 1e8;
        let first = tree(&row[..CHUNK], 0.0, |a, b| a + b);
        assert_eq!(tree(&row, 0.0, |a, b| a + b), first + CHUNK as f32);
    }
}

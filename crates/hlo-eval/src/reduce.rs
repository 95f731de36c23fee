use jarrah_base::{DType, Element, Error, Literal, Result, Type, with_element};
use jarrah_hlo::ops::{ElementwiseKind, Reduce, Reducer};

use crate::copy::permuted;
use crate::elementwise::combination;
use crate::machine::{Datum, Machine};

/// Elements that are reduced as one; longer rows are cut into chunks of this many.
const CHUNK: usize = 4096;
/// Sums that run side by side.
const LANES: usize = 16;

/// Elements combined along some axes, in row-major order of these.
///
/// Sums and products follow a tree that depends on the number of elements only: see [`tree`].
pub fn reduce(
    machine: &mut Machine<'_>,
    op: &Reduce,
    operands: &[Literal],
    results: &[Type],
) -> Result<Vec<Literal>> {
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
                values =
                    machine.run(body, values.into_iter().chain(elements).map(Datum::Tensor).collect())?;
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
        Reducer::Add => tree_rows(x, count, to, 0.0, |a, b| a + b, |a, b| a + b, i128::wrapping_add)?,
        Reducer::Mul => tree_rows(x, count, to, 1.0, |a, b| a * b, |a, b| a * b, i128::wrapping_mul)?,
        Reducer::Max => fold_rows(x, count, to, ElementwiseKind::Maximum)?,
        Reducer::Min => fold_rows(x, count, to, ElementwiseKind::Minimum)?,
        Reducer::And => fold_rows(x, count, to, ElementwiseKind::And)?,
        Reducer::Or => fold_rows(x, count, to, ElementwiseKind::Or)?,
        Reducer::Xor => fold_rows(x, count, to, ElementwiseKind::Xor)?,
        Reducer::ArgMax(_) => positions(x, count, to, |a, b| a > b, |a, b| a > b)?,
        Reducer::ArgMin(_) => positions(x, count, to, |a, b| a < b, |a, b| a < b)?,
        Reducer::General(_) => return Err(Error::internal("was handled above")),
    };
    Ok(vec![out])
}

/// The element at a row-major position, as a scalar.
pub fn element(x: &Literal, index: usize) -> Result<Literal> {
    let size = x.dtype().size();
    Literal::from_bytes(Type::scalar(x.dtype()), &x.bytes()[index * size..][..size])
}

/// The elements of a row combined along a fixed tree.
///
/// Up to 4096 elements: 16 lanes start from the identity, lane `i` takes the elements `i, i + 16, ...` in order, then
/// lane `i` takes lane `i + 8`, `i + 4`, `i + 2`, `i + 1`. More: chunks of 4096 are combined so, and then their results.
fn tree<A: Copy>(row: &[A], identity: A, op: fn(A, A) -> A) -> A {
    if row.len() > CHUNK {
        let chunks: Vec<A> = row.chunks(CHUNK).map(|chunk| tree(chunk, identity, op)).collect();
        return tree(&chunks, identity, op);
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

/// [`tree`] of each row: in `f32` for narrower floats with one rounding at the end, in the element type otherwise.
fn tree_rows(
    x: &Literal,
    count: usize,
    to: Type,
    identity: f64,
    in_f32: fn(f32, f32) -> f32,
    in_f64: fn(f64, f64) -> f64,
    in_integers: fn(i128, i128) -> i128,
) -> Result<Literal> {
    let mut out = Literal::zeros(to)?;
    with_element!(to.dtype(), T => {
        let rows = x.as_slice::<T>()?;
        for (i, out) in out.as_mut_slice::<T>()?.iter_mut().enumerate() {
            let row = &rows[i * count..][..count];
            *out = match to.dtype() {
                DType::F64 => {
                    let row: Vec<f64> = row.iter().map(|x| x.to_f64()).collect();
                    T::from_f64(tree(&row, identity, in_f64))
                }
                DType::F32 | DType::BF16 | DType::F16 => {
                    let row: Vec<f32> = row.iter().map(|x| x.to_f64() as f32).collect();
                    Element::from_f64(tree(&row, identity as f32, in_f32).into())
                }
                _ => T::from_i128(row.iter().fold(identity as i128, |a, x| in_integers(a, x.to_i128()))),
            };
        }
    });
    Ok(out)
}

/// The value that `kind` leaves every other value of the type as it is with.
fn identity<T: Element>(kind: ElementwiseKind, dtype: DType) -> Result<T> {
    let float = dtype.is_float();
    let (lowest, highest) = dtype.integer_range().unwrap_or_default();
    Ok(match kind {
        ElementwiseKind::Maximum if float => T::from_f64(f64::NEG_INFINITY),
        ElementwiseKind::Minimum if float => T::from_f64(f64::INFINITY),
        ElementwiseKind::Maximum => T::from_i128(lowest),
        ElementwiseKind::Minimum => T::from_i128(highest),
        ElementwiseKind::And => T::from_i128(if dtype == DType::Bool { 1 } else { -1 }),
        ElementwiseKind::Or | ElementwiseKind::Xor => T::from_i128(0),
        other => return Err(Error::internal(format!("{} has no identity here", other.name()))),
    })
}

/// Each row combined from the identity on, for operations whose order does not matter.
fn fold_rows(x: &Literal, count: usize, to: Type, kind: ElementwiseKind) -> Result<Literal> {
    let mut out = Literal::zeros(to)?;
    with_element!(to.dtype(), T => {
        let combine = combination::<T>(kind, to.dtype())
            .ok_or_else(|| Error::internal(format!("{} is not defined for {to}", kind.name())))?;
        let first = identity::<T>(kind, to.dtype())?;
        let rows = x.as_slice::<T>()?;
        for (i, out) in out.as_mut_slice::<T>()?.iter_mut().enumerate() {
            *out = rows[i * count..][..count].iter().fold(first, |a, &x| combine(a, x));
        }
    });
    Ok(out)
}

/// Where in each row the first NaN stands, or else the first element that no other beats.
fn positions(
    x: &Literal,
    count: usize,
    to: Type,
    float_beats: fn(f64, f64) -> bool,
    integer_beats: fn(i128, i128) -> bool,
) -> Result<Literal> {
    let mut best = Vec::new();
    let outputs = to.elements()?;
    with_element!(x.dtype(), T => {
        let rows = x.as_slice::<T>()?;
        for i in 0..outputs {
            let row = &rows[i * count..][..count];
            let mut at = 0;
            for (j, &x) in row.iter().enumerate() {
                let held = row[at];
                let better = if x.to_f64().is_nan() || held.to_f64().is_nan() {
                    !held.to_f64().is_nan()
                } else if T::DTYPE.is_float() {
                    float_beats(x.to_f64(), held.to_f64())
                } else {
                    integer_beats(x.to_i128(), held.to_i128())
                };
                if better {
                    at = j;
                }
            }
            best.push(at);
        }
    });
    let mut out = Literal::zeros(to)?;
    with_element!(to.dtype(), T => {
        for (out, at) in out.as_mut_slice::<T>()?.iter_mut().zip(best) {
            *out = T::from_i128(at as i128);
        }
    });
    Ok(out)
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
        assert_eq!(tree(&["a", "b", "c"], "", join), "((ac)b)");
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

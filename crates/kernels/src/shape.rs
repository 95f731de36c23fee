//! Pieces that all kernels use: blocks of rows, blocks of flat arrays, and errors about shapes.

use jarrah_array::kernel::{Block, kernel_of};
use jarrah_array::{Array, DType, Error, Ref, Type, fail};

/// The elements in a block of a flat array.
const FLAT: usize = 4096;

/// The rows in a block, if there are enough.
const ROWS: usize = 32;

/// Ends with an error of `op` unless `holds`.
#[track_caller]
pub(crate) fn require(op: &str, holds: bool, message: impl FnOnce() -> String) {
    if !holds {
        fail(Error::program(message()).op(op));
    }
}

/// The extents of an array of `N` axes.
#[track_caller]
pub(crate) fn extents<const N: usize>(op: &str, name: &str, x: &Array) -> [usize; N] {
    match <[usize; N]>::try_from(&x.shape()[..]) {
        Ok(extents) => extents,
        Err(_) => fail(Error::program(format!("{name} has {N} axes, not the shape {:?}", x.shape())).op(op)),
    }
}

/// `f` of each element of arrays of one shape, block by block of the flat arrays.
#[track_caller]
pub(crate) fn flat(name: &str, xs: &[&Array], dtype: DType, f: impl Fn(&[Array]) -> Array) -> Array {
    let shape = xs[0].shape();
    require(name, xs.iter().all(|x| x.shape() == shape), || {
        let shapes: Vec<String> = xs.iter().map(|x| x.ty().to_string()).collect();
        format!("the arrays have one shape, not {}", shapes.join(", "))
    });
    let (size, block) = (xs[0].size(), xs[0].size().clamp(1, FLAT));
    let body = |refs: &[Ref]| {
        if let Some((y, xs)) = refs.split_last() {
            y.set(f(&xs.iter().map(Ref::get).collect::<Vec<_>>()));
        }
    };
    let mut run = kernel_of(body).name(name).grid(&[size.div_ceil(block)]);
    for _ in xs {
        run = run.input(Block::new([block], |[i]| [i]));
    }
    let run = run.output(Type::tensor(dtype, [size]), Block::new([block], |[i]| [i]));
    let xs: Vec<Array> = xs.iter().map(|x| x.reshape(&[size])).collect();
    run.call_one(&xs.iter().collect::<Vec<_>>()).reshape(&shape[..])
}

/// The array as a matrix whose rows are the vectors along the last axis.
#[track_caller]
pub(crate) fn as_rows(op: &str, x: &Array) -> Array {
    let Some(&width) = x.shape().last() else {
        fail(Error::program("a scalar has no rows").op(op));
    };
    let rows: usize = x.shape()[..x.rank() - 1].iter().product();
    x.reshape(&[rows, width])
}

/// How many rows are in a block, and how many blocks there are.
pub(crate) fn row_blocks(rows: usize) -> (usize, usize) {
    let block = rows.clamp(1, ROWS);
    (block, rows.div_ceil(block))
}

/// An operand of [`by_rows`].
pub(crate) enum Operand<'a> {
    /// A matrix, of which a point sees some rows.
    Rows(&'a Array),
    /// An array that a point sees whole.
    Whole(&'a Array),
}

/// `f` of blocks of rows: the results are matrices of these widths and dtypes, with as many rows.
#[track_caller]
pub(crate) fn by_rows(
    name: &str,
    operands: &[Operand<'_>],
    results: &[(usize, DType)],
    f: impl Fn(&[Array]) -> Vec<Array>,
) -> Vec<Array> {
    let rows = operands.iter().find_map(|operand| match operand {
        Operand::Rows(x) => Some(x.shape()[0]),
        Operand::Whole(_) => None,
    });
    let rows = rows.unwrap_or(1);
    let (block, blocks) = row_blocks(rows);
    let count = operands.len();
    let body = |refs: &[Ref]| {
        let values: Vec<Array> = refs[..count].iter().map(Ref::get).collect();
        for (y, value) in refs[count..].iter().zip(f(&values)) {
            y.set(value);
        }
    };
    let mut run = kernel_of(body).name(name).grid(&[blocks]);
    let mut arrays = Vec::with_capacity(count);
    for operand in operands {
        let (x, spec) = match operand {
            Operand::Rows(x) => (*x, Block::new([block, x.shape()[1]], |[i]| (i, 0))),
            Operand::Whole(x) => (*x, Block::whole()),
        };
        run = run.input(spec);
        arrays.push(x);
    }
    for &(width, dtype) in results {
        run = run.output(Type::tensor(dtype, [rows, width]), Block::new([block, width], |[i]| (i, 0)));
    }
    run.call(&arrays)
}

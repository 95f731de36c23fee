//! Errors about operands.

use jarrah_array::{Array, DType, Error, fail};

/// Runs `f`, whose operations and errors in this crate are at the caller's line: closures do not know their callers.
#[track_caller]
pub(crate) fn relay<R>(f: impl FnOnce() -> R) -> R {
    const FOLDER: &str = file!().split_at(file!().len() - "check.rs".len()).0;
    jarrah_array::relay(FOLDER, f)
}

/// Ends with an error of `op` unless `holds`.
#[track_caller]
pub(crate) fn require(op: &str, holds: bool, message: impl FnOnce() -> String) {
    if !holds {
        fail(Error::program(message()).op(op));
    }
}

/// Ends with an error of `op` unless `x` has this dtype and shape.
#[track_caller]
pub(crate) fn require_type(op: &str, name: &str, x: &Array, dtype: DType, shape: &[usize]) {
    require(op, x.dtype() == dtype && x.shape() == *shape, || {
        let wanted = x.ty().with_dtype(dtype).with_dims(shape.iter().copied());
        format!("{name} is {}, where the other operands ask for {wanted}", x.ty())
    });
}

/// The extents of the axes before the last two, and those two.
#[track_caller]
pub(crate) fn matrices(op: &str, name: &str, x: &Array) -> (Vec<usize>, usize, usize) {
    let shape = x.shape();
    match *shape {
        [ref lead @ .., rows, columns] => (lead.to_vec(), rows, columns),
        _ => fail(
            Error::program(format!(
                "{name} is {}: it needs two axes at least, the contracted one first; reshape it",
                x.ty()
            ))
            .op(op),
        ),
    }
}

/// `lead` with these axes behind.
pub(crate) fn with(lead: &[usize], axes: &[usize]) -> Vec<usize> {
    [lead, axes].concat()
}

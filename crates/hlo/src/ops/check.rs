use std::fmt::Write;

use jarrah_base::{Error, Result, Type};

/// Checks that there is one tensor for each name.
pub(super) fn tensors(operands: &[Type], names: &[&str]) -> Result<()> {
    if operands.len() != names.len() {
        let (takes, found) = (names.len(), operands.len());
        let list = names.join(", ");
        return Err(Error::program(format!("takes {takes} operands ({list}), {found} were given")));
    }
    Ok(())
}

/// Checks that two operands have one element type.
pub(super) fn same_dtype(a_name: &str, a: Type, b_name: &str, b: Type) -> Result<()> {
    if a.dtype() == b.dtype() {
        return Ok(());
    }
    Err(Error::program(format!("element types differ: {a_name} is {a}, {b_name} is {b}")))
}

/// Checks that `axes`, called `what`, are distinct axes of a tensor of rank `rank`, called `of`.
pub(super) fn axes(what: &str, axes: &[usize], rank: usize, of: &str) -> Result<()> {
    for (i, &axis) in axes.iter().enumerate() {
        if axis >= rank {
            let text = format!("{what} {} name axis {axis} of {of}, which has {rank}", list(axes));
            return Err(Error::program(text));
        }
        if axes[..i].contains(&axis) {
            return Err(Error::program(format!("{what} {} name axis {axis} twice", list(axes))));
        }
    }
    Ok(())
}

/// Checks that `axes`, called `what`, increase.
pub(super) fn increasing(what: &str, axes: &[usize]) -> Result<()> {
    if axes.windows(2).all(|w| w[0] < w[1]) {
        return Ok(());
    }
    Err(Error::program(format!("{what} {} must increase", list(axes))))
}

/// Checks that a list called `what` has an entry for each axis of `of`.
pub(super) fn one_per_axis(what: &str, entries: usize, of: &str, ty: Type) -> Result<()> {
    if entries == ty.rank() {
        return Ok(());
    }
    Err(Error::program(format!("{what} has {entries} entries, {of} {ty} has {} axes", ty.rank())))
}

/// `[0, 2]`.
pub(super) fn list(axes: &[usize]) -> String {
    let mut text = String::from("[");
    for (i, axis) in axes.iter().enumerate() {
        let _ = write!(text, "{}{axis}", if i > 0 { ", " } else { "" });
    }
    text + "]"
}

//! The forms of reductions that kernels have.

/// The iteration space of a reduction that keeps the last axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    pub outer: usize,
    pub reduced: usize,
    pub inner: usize,
}

/// The positions that a reduction folds, in row-major order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// The innermost positions, so many.
    Row(usize),
    /// The middle of three axes.
    Column(Column),
}

/// The row or column form of a reduction along `axes`; `None` if the operand has to be transposed first.
pub fn form(dims: &[usize], axes: &[usize]) -> Option<Reduction> {
    let mut outer = 1;
    let mut reduced = 1;
    let mut inner = 1;
    for (axis, &extent) in dims.iter().enumerate() {
        if extent == 1 {
            continue;
        }
        match axes.contains(&axis) {
            true if inner > 1 => return None,
            true => reduced *= extent,
            false if reduced > 1 => inner *= extent,
            false => outer *= extent,
        }
    }
    Some(if inner == 1 {
        Reduction::Row(reduced)
    } else {
        Reduction::Column(Column { outer, reduced, inner })
    })
}

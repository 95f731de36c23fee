use std::fmt;
use std::sync::Arc;

use jarrah_array::{Array, Error, Result};

/// Which axes of a weight are the rows and columns of a matrix: the axes that a product sums over, and the axes of its result.
/// All other axes count as a batch of matrices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DimensionNumbers {
    /// The axes that are summed over, the rows. Negative ones count from the last.
    pub reduction: Vec<isize>,
    /// The axes of the result, the columns. Negative ones count from the last.
    pub output: Vec<isize>,
}

impl Default for DimensionNumbers {
    fn default() -> Self {
        DimensionNumbers { reduction: vec![0], output: vec![1] }
    }
}

/// Which parameters are matrices, and how: by path and array.
#[derive(Clone)]
pub struct MatrixDimensions(Arc<dyn Fn(&str, &Array) -> Option<DimensionNumbers> + Send + Sync>);

impl MatrixDimensions {
    /// The parameters for which `f(path, array)` gives axes.
    pub fn new(f: impl Fn(&str, &Array) -> Option<DimensionNumbers> + Send + Sync + 'static) -> Self {
        MatrixDimensions(Arc::new(f))
    }

    /// The axes of this parameter, if it counts as a matrix.
    pub fn of(&self, path: &str, array: &Array) -> Option<DimensionNumbers> {
        (self.0)(path, array)
    }
}

impl Default for MatrixDimensions {
    /// All arrays of two axes, as `[in, out]`.
    fn default() -> Self {
        MatrixDimensions::new(|_, array| (array.rank() == 2).then(DimensionNumbers::default))
    }
}

impl fmt::Debug for MatrixDimensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Matrices")
    }
}

/// A weight as a batch of matrices, and back.
pub(super) struct Folded {
    order: Vec<isize>,
    shape: Vec<usize>,
    /// `[batch, rows, columns]`.
    pub(super) matrix: [usize; 3],
}

impl Folded {
    pub(super) fn of(x: &Array, axes: &DimensionNumbers) -> Result<Self> {
        let rank = x.rank() as isize;
        let resolve =
            |all: &[isize]| all.iter().map(|&a| if a < 0 { a + rank } else { a }).collect::<Vec<isize>>();
        let (rows, columns) = (resolve(&axes.reduction), resolve(&axes.output));
        let used: Vec<isize> = [rows.clone(), columns.clone()].concat();
        let twice = used.iter().enumerate().any(|(i, a)| used[..i].contains(a));
        if twice || used.iter().any(|a| !(0..rank).contains(a)) || rank < 2 {
            let error = Error::program(format!(
                "{} has no matrix along {:?} and {:?}",
                x.ty(),
                axes.reduction,
                axes.output
            ));
            return Err(error.help("name each axis of rows and columns once"));
        }
        let batch: Vec<isize> = (0..rank).filter(|a| !used.contains(a)).collect();
        let extent = |all: &[isize]| all.iter().map(|&a| x.shape()[a as usize]).product::<usize>();
        let matrix = [extent(&batch), extent(&rows), extent(&columns)];
        let order = [batch, rows, columns].concat();
        let shape = order.iter().map(|&a| x.shape()[a as usize]).collect();
        Ok(Folded { order, shape, matrix })
    }

    pub(super) fn fold(&self, x: &Array) -> Array {
        x.transpose(&self.order).reshape(&self.matrix)
    }

    pub(super) fn unfold(&self, x: &Array) -> Array {
        let mut back = vec![0; self.order.len()];
        for (i, &axis) in self.order.iter().enumerate() {
            back[axis as usize] = i as isize;
        }
        x.reshape(&self.shape).transpose(&back)
    }
}

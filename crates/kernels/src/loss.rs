//! Softmax and its relatives, and the loss of classification with its gradient.

use jarrah_array::{Array, DType, Error, along, fail, lax, where_};

use crate::shape::{Operand, as_rows, by_rows, require};

/// `e^(x - max x) / sum e^(x - max x)` of each row of a block.
#[track_caller]
fn softmax_of(x: &Array) -> Array {
    let e = (x - x.max(along(1).keepdims())).exp();
    &e / e.sum(along(1).keepdims())
}

/// `log sum e^x` of each row of a block, as a column.
#[track_caller]
fn logsumexp_of(x: &Array) -> Array {
    let max = x.max(along(1).keepdims());
    (x - &max).exp().sum(along(1).keepdims()).log() + max
}

/// `f` of the rows of `x`, with as many columns.
#[track_caller]
fn rows(name: &str, x: &Array, f: impl Fn(&Array) -> Array) -> Array {
    let matrix = as_rows(name, x);
    let width = matrix.shape()[1];
    let y = by_rows(name, &[Operand::Rows(&matrix)], &[(width, x.dtype())], |xs| vec![f(&xs[0])]);
    y[0].reshape(&x.shape()[..])
}

/// `e^x / sum e^x` along the last axis.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_kernels::softmax(&Array::zeros(&[2, 4]));
/// assert_eq!(y.to_vec::<f32>()?, [0.25; 8]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn softmax(x: &Array) -> Array {
    rows("softmax", x, softmax_of)
}

/// `x - log sum e^x` along the last axis.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_kernels::log_softmax(&Array::zeros(&[1, 2]));
/// assert!((y.index((0, 0)).item::<f32>()? + 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn log_softmax(x: &Array) -> Array {
    rows("log_softmax", x, |x| x - logsumexp_of(x))
}

/// `log sum e^x` along the last axis, which goes.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_kernels::logsumexp(&Array::zeros(&[3, 4]));
/// assert_eq!(y.shape(), [3]);
/// ```
#[track_caller]
pub fn logsumexp(x: &Array) -> Array {
    let matrix = as_rows("logsumexp", x);
    let y =
        by_rows("logsumexp", &[Operand::Rows(&matrix)], &[(1, x.dtype())], |xs| vec![logsumexp_of(&xs[0])]);
    y[0].reshape(&x.shape()[..x.rank() - 1])
}

/// The softmax along the last axis of the elements where `mask` holds; elsewhere, and in a row without any, it is 0.
///
/// ```
/// use jarrah_array::Array;
/// let mask = Array::from_slice(&[true, true, false, false, false, false]).reshape(&[2, 3]);
/// let y = jarrah_kernels::masked_softmax(&Array::zeros(&[2, 3]), &mask);
/// assert_eq!(y.to_vec::<f32>()?, [0.5, 0.5, 0.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn masked_softmax(x: &Array, mask: &Array) -> Array {
    require("masked_softmax", x.shape() == mask.shape(), || {
        format!("the mask has the shape of the array, {:?}, not {:?}", x.shape(), mask.shape())
    });
    let (matrix, mask) = (as_rows("masked_softmax", x), as_rows("masked_softmax", &mask.astype(DType::Bool)));
    let width = matrix.shape()[1];
    let operands = [Operand::Rows(&matrix), Operand::Rows(&mask)];
    let y = by_rows("masked_softmax", &operands, &[(width, x.dtype())], |xs| {
        let (x, mask) = (&xs[0], &xs[1]);
        let kept = where_(mask, x, f64::NEG_INFINITY);
        let max = kept.max(along(1).keepdims());
        let e = where_(mask, (x - where_(&max.isfinite(), &max, 0.0)).exp(), 0.0);
        let total = e.sum(along(1).keepdims());
        vec![&e / where_(&total.gt(0.0), &total, 1.0)]
    });
    y[0].reshape(&x.shape()[..])
}

/// `logsumexp(x) - x[label]` of each row of logits `[rows, classes]` with labels `[rows]`, integers.
///
/// ```
/// use jarrah_array::Array;
/// let loss = jarrah_kernels::cross_entropy(&Array::zeros(&[2, 4]), &Array::from_slice(&[0i32, 3]));
/// assert!((loss.index(0).item::<f32>()? - 4f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cross_entropy(logits: &Array, labels: &Array) -> Array {
    let labels = column_of_labels("cross_entropy", logits, labels);
    let operands = [Operand::Rows(logits), Operand::Rows(&labels)];
    let loss = by_rows("cross_entropy", &operands, &[(1, logits.dtype())], |xs| {
        let chosen = where_(&is_label(&xs[0], &xs[1]), &xs[0], 0.0).sum(along(1).keepdims());
        vec![logsumexp_of(&xs[0]) - chosen]
    });
    loss[0].reshape(&logits.shape()[..1])
}

/// The gradient of the sum of `weight cross_entropy(logits, labels)` by the logits, `weight (softmax(x) - [column = label])`, with
/// weights `[rows]`.
///
/// ```
/// use jarrah_array::Array;
/// let (logits, labels, weight) = (Array::zeros(&[1, 2]), Array::from_slice(&[1i32]), Array::ones(&[1]));
/// let slope = jarrah_kernels::cross_entropy_gradient(&logits, &labels, &weight);
/// assert_eq!(slope.to_vec::<f32>()?, [0.5, -0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cross_entropy_gradient(logits: &Array, labels: &Array, weight: &Array) -> Array {
    let labels = column_of_labels("cross_entropy_gradient", logits, labels);
    let (rows, width) = (logits.shape()[0], logits.shape()[1]);
    require("cross_entropy_gradient", weight.shape() == [rows], || {
        format!("there are {rows} weights, not {}", weight.ty())
    });
    let weight = weight.reshape(&[rows, 1]);
    let operands = [Operand::Rows(logits), Operand::Rows(&labels), Operand::Rows(&weight)];
    let slope = by_rows("cross_entropy_gradient", &operands, &[(width, logits.dtype())], |xs| {
        let here = is_label(&xs[0], &xs[1]).astype(xs[0].dtype());
        vec![(softmax_of(&xs[0]) - here) * &xs[2]]
    });
    slope[0].clone()
}

/// Where a column is the label of its row.
#[track_caller]
fn is_label(logits: &Array, labels: &Array) -> Array {
    lax::iota(DType::I32, &logits.shape(), 1).eq(labels)
}

#[track_caller]
fn column_of_labels(op: &str, logits: &Array, labels: &Array) -> Array {
    if logits.rank() != 2 || labels.shape() != logits.shape()[..1] || !labels.dtype().is_integer() {
        let error = Error::program(format!("the logits are {}, the labels are {}", logits.ty(), labels.ty()));
        fail(error.op(op).help("give logits [rows, classes] and an integer label for each row"));
    }
    labels.astype(DType::I32).reshape(&[labels.shape()[0], 1])
}

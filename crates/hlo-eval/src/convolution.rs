use jarrah_base::{Literal, Result, Type};
use jarrah_hlo::ops::{Axes, Convolution, DotGeneral, Pad};
use smallvec::{SmallVec, smallvec};

use crate::copy::{View, dense_copy, permuted};
use crate::{dot, movement};

/// The windows of the padded left side as rows, times the kernel: padding is zeros that are multiplied like any others.
pub fn convolution(op: &Convolution, lhs: &Literal, rhs: &Literal, to: Type) -> Result<Literal> {
    let window = op.window(rhs.ty());
    let spatial = window.rank();
    let order = |axes: &jarrah_hlo::ops::ConvAxes| -> Vec<usize> {
        [axes.batch].into_iter().chain(axes.spatial.iter().copied()).chain([axes.feature]).collect()
    };
    let out_order = order(&op.out_axes);
    let counts: Vec<usize> = out_order.iter().map(|&a| to.dim(a)).collect();
    if counts.contains(&0) {
        return Literal::zeros(to);
    }
    let x = padded(op, &permuted(lhs, &order(&op.lhs_axes))?)?;
    let dims = x.dims();
    let dense = View::dense(&dims);
    let groups = op.feature_groups.max(op.batch_groups);
    let (batch, features) = (dims[0] / op.batch_groups, dims[spatial + 1] / op.feature_groups);
    let across = if op.batch_groups > 1 { batch as isize * dense.strides[0] } else { features as isize };

    // Groups; batch and windows; places and features.
    let mut view = View { base: 0, strides: smallvec![across, dense.strides[0]] };
    let mut extents: SmallVec<[usize; 6]> = smallvec![groups, batch];
    for axis in 0..spatial {
        extents.push(counts[axis + 1]);
        view.strides.push(dense.strides[axis + 1] * window.strides[axis] as isize);
    }
    for axis in 0..spatial {
        let step = dense.strides[axis + 1] * window.dilations[axis] as isize;
        extents.push(window.sizes[axis]);
        if op.reversed[axis] {
            view.base += step * (window.sizes[axis] as isize - 1);
        }
        view.strides.push(if op.reversed[axis] { -step } else { step });
    }
    extents.push(features);
    view.strides.push(1);
    let depth = window.sizes.iter().product::<usize>() * features;
    let rows = counts[..spatial + 1].iter().product::<usize>();
    if depth == 0 {
        return Literal::zeros(to);
    }
    let patches = dense_copy(&x, &view, &extents)?.reshape(&[groups, rows, depth])?;

    let kernel_order: Vec<usize> =
        op.rhs_axes.spatial.iter().copied().chain([op.rhs_axes.feature, op.rhs_axes.batch]).collect();
    let outputs = counts[spatial + 1] / groups;
    let kernel = permuted(rhs, &kernel_order)?.reshape(&[depth, groups, outputs])?;
    let product = DotGeneral {
        lhs_batch: Axes::from_slice(&[0]),
        rhs_batch: Axes::from_slice(&[1]),
        lhs_contract: Axes::from_slice(&[2]),
        rhs_contract: Axes::from_slice(&[0]),
        out: op.out,
    };
    let ty = Type::tensor(op.out, [groups, rows, outputs]);
    let out = dot::dot_general(&product, &patches, &kernel, ty)?;
    let out = permuted(&out, &[1, 0, 2])?.reshape(&counts)?;
    let mut back = vec![0; out_order.len()];
    for (position, &axis) in out_order.iter().enumerate() {
        back[axis] = position;
    }
    permuted(&out, &back)
}

/// A tensor with its batch first and its features last, its spatial axes dilated and padded with zeros.
fn padded(op: &Convolution, x: &Literal) -> Result<Literal> {
    let around = |padding: &[i64]| [0].into_iter().chain(padding.iter().copied()).chain([0]).collect();
    let pad = Pad {
        low: around(&op.low),
        high: around(&op.high),
        interior: [0].into_iter().chain(op.lhs_dilations.iter().map(|d| d - 1)).chain([0]).collect(),
    };
    let zero = Literal::zeros(Type::scalar(x.dtype()))?;
    let to = jarrah_hlo::Op::from(pad.clone()).infer(&[x.ty(), zero.ty()])?;
    movement::pad(&pad, x, &zero, to[0])
}

use jarrah_base::{Element, Literal, Result, Type, with_element};
use jarrah_hlo::ops::{BroadcastInDim, Pad};
use smallvec::{SmallVec, smallvec};

use crate::copy::{View, copy_box, dense_copy, permuted, walk};

type Indices = SmallVec<[usize; 6]>;

/// The position along `axis`.
pub fn iota(ty: Type, axis: usize) -> Result<Literal> {
    let dims = ty.dims();
    let mut along = View { base: 0, strides: smallvec![0; dims.len()] };
    along.strides[axis] = 1;
    let mut out = Literal::zeros(ty)?;
    with_element!(ty.dtype(), T => {
        let out = out.as_mut_slice::<T>()?;
        walk(&dims, [&View::dense(&dims), &along], |[o, i]| out[o] = T::from_i128(i as i128));
    });
    Ok(out)
}

pub fn broadcast(op: &BroadcastInDim, x: &Literal, to: Type) -> Result<Literal> {
    let (from, dims) = (x.dims(), to.dims());
    let mut view = View { base: 0, strides: smallvec![0; dims.len()] };
    let dense = View::dense(&from);
    for (axis, &target) in op.axes.iter().enumerate() {
        if from[axis] != 1 {
            view.strides[target] = dense.strides[axis];
        }
    }
    dense_copy(x, &view, &dims)
}

pub fn transpose(x: &Literal, permutation: &[usize]) -> Result<Literal> {
    permuted(x, permutation)
}

pub fn reverse(x: &Literal, axes: &[usize]) -> Result<Literal> {
    let dims = x.dims();
    let last = (0..dims.len()).map(|a| if axes.contains(&a) { dims[a].saturating_sub(1) } else { 0 });
    let mut view = View::dense(&dims).at(last);
    for &axis in axes {
        view.strides[axis] = -view.strides[axis];
    }
    dense_copy(x, &view, &dims)
}

pub fn slice(x: &Literal, starts: &[usize], strides: &[usize], to: Type) -> Result<Literal> {
    let mut view = View::dense(&x.dims()).at(starts.iter().copied());
    for (stride, &step) in view.strides.iter_mut().zip(strides) {
        *stride *= step as isize;
    }
    dense_copy(x, &view, &to.dims())
}

/// `out[low + i * (interior + 1)] = x[i]` where that lies inside, `value` elsewhere.
pub fn pad(op: &Pad, x: &Literal, value: &Literal, to: Type) -> Result<Literal> {
    let (from, dims) = (x.dims(), to.dims());
    let mut out = dense_copy(value, &View { base: 0, strides: smallvec![0; dims.len()] }, &dims)?;
    let (mut sources, mut targets, mut counts) = (Indices::new(), Indices::new(), Indices::new());
    for axis in 0..dims.len() {
        let (step, low) = (op.interior[axis] as i128 + 1, i128::from(op.low[axis]));
        // The first element that lands at 0 or later, and the first that lands at the end or later.
        let ceil = |n: i128| (n.max(0) + step - 1) / step;
        let first = ceil(-low).min(from[axis] as i128);
        let end = ceil(dims[axis] as i128 - low).min(from[axis] as i128);
        sources.push(first as usize);
        targets.push((low + first * step).max(0) as usize);
        counts.push((end - first).max(0) as usize);
    }
    let mut to_view = View::dense(&dims).at(targets);
    for (stride, &interior) in to_view.strides.iter_mut().zip(&op.interior) {
        *stride *= interior as isize + 1;
    }
    copy_box(&mut out, &to_view, x, &View::dense(&from).at(sources), &counts)?;
    Ok(out)
}

pub fn concatenate(operands: &[Literal], axis: usize, to: Type) -> Result<Literal> {
    let dims = to.dims();
    let mut out = Literal::zeros(to)?;
    let mut starts: Indices = smallvec![0; dims.len()];
    for x in operands {
        let from = x.dims();
        copy_box(&mut out, &View::dense(&dims).at(starts.iter().copied()), x, &View::dense(&from), &from)?;
        starts[axis] += from[axis];
    }
    Ok(out)
}

/// Starts moved inside, so that a block of `sizes` fits.
fn clamped(starts: &[Literal], dims: &[usize], sizes: &[usize]) -> Indices {
    let starts = starts.iter().zip(dims.iter().zip(sizes));
    starts.map(|(s, (&dim, &size))| s.get_i128(0).clamp(0, (dim - size) as i128) as usize).collect()
}

pub fn dynamic_slice(x: &Literal, starts: &[Literal], sizes: &[usize]) -> Result<Literal> {
    let dims = x.dims();
    dense_copy(x, &View::dense(&dims).at(clamped(starts, &dims, sizes)), sizes)
}

/// Operands are the tensor, the update and the starts; the tensor is written in place if nothing else holds it.
pub fn dynamic_update_slice(operands: Vec<Literal>) -> Result<Literal> {
    let mut operands = operands.into_iter();
    let (Some(mut x), Some(update)) = (operands.next(), operands.next()) else {
        return Err(jarrah_base::Error::internal("operands are missing"));
    };
    let starts: Vec<Literal> = operands.collect();
    let (dims, sizes) = (x.dims(), update.dims());
    let to = View::dense(&dims).at(clamped(&starts, &dims, &sizes));
    copy_box(&mut x, &to, &update, &View::dense(&sizes), &sizes)?;
    Ok(x)
}

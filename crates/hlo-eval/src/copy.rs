use jarrah_base::{Literal, Result};
use smallvec::{SmallVec, smallvec};

/// Runs `$body` with the constant `$N` bound to the size of an element.
macro_rules! with_width {
    ($size:expr, $N:ident => $body:expr) => {
        $crate::copy::with_width!(@ $size, $N => $body; 1 2 4 8 16)
    };
    (@ $size:expr, $N:ident => $body:expr; $($width:literal)*) => {
        match $size {
            $($width => {
                const $N: usize = $width;
                $body
            })*
            other => return Err(jarrah_base::Error::internal(format!("no element has {other} bytes"))),
        }
    };
}
pub(crate) use with_width;

/// Distances between neighbours along each axis, in elements.
pub type Strides = SmallVec<[isize; 6]>;

/// Where a box of elements lies in a tensor.
#[derive(Clone, Debug)]
pub struct View {
    /// The position of its first element.
    pub base: isize,
    /// The distance between neighbours along each of its axes.
    pub strides: Strides,
}

/// The strides of a dense tensor.
pub fn row_major(dims: &[usize]) -> Strides {
    let mut strides: Strides = smallvec![1; dims.len()];
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = strides[axis] * dims[axis] as isize;
    }
    strides
}

impl View {
    /// All of a dense tensor.
    pub fn dense(dims: &[usize]) -> View {
        View { base: 0, strides: row_major(dims) }
    }

    /// The box with its first element at the index `starts`.
    pub fn at(mut self, starts: impl IntoIterator<Item = usize>) -> View {
        self.base += starts.into_iter().zip(&self.strides).map(|(i, s)| i as isize * s).sum::<isize>();
        self
    }

    /// The box whose axes are these ones of this box.
    pub fn axes(&self, axes: &[usize]) -> View {
        View { base: self.base, strides: axes.iter().map(|&a| self.strides[a]).collect() }
    }
}

/// Calls `visit` with the position in each view of every index below `extents`, in row-major order.
pub fn walk<const N: usize>(extents: &[usize], views: [&View; N], mut visit: impl FnMut([usize; N])) {
    if extents.contains(&0) {
        return;
    }
    let mut index: SmallVec<[usize; 6]> = smallvec![0; extents.len()];
    let mut at = views.map(|v| v.base);
    loop {
        visit(at.map(|p| p as usize));
        let mut axis = extents.len();
        loop {
            let Some(next) = axis.checked_sub(1) else {
                return;
            };
            axis = next;
            index[axis] += 1;
            for (p, view) in at.iter_mut().zip(views) {
                *p += view.strides[axis];
            }
            if index[axis] < extents[axis] {
                break;
            }
            for (p, view) in at.iter_mut().zip(views) {
                *p -= view.strides[axis] * extents[axis] as isize;
            }
            index[axis] = 0;
        }
    }
}

/// Copies a box of `extents` from one tensor into another of the same element type.
pub fn copy_box(
    to: &mut Literal,
    to_view: &View,
    from: &Literal,
    from_view: &View,
    extents: &[usize],
) -> Result<()> {
    let (outer, inner) = match extents.split_last() {
        Some((&inner, outer)) => (outer, inner),
        None => (extents, 1),
    };
    let step = |view: &View| view.strides.last().copied().unwrap_or(0);
    let (to_step, from_step) = (step(to_view), step(from_view));
    with_width!(to.dtype().size(), N => {
        let from = from.bytes().as_chunks::<N>().0;
        let to = to.bytes_mut().as_chunks_mut::<N>().0;
        walk(outer, [to_view, from_view], |[t, f]| {
            for i in 0..inner as isize {
                to[(t as isize + i * to_step) as usize] = from[(f as isize + i * from_step) as usize];
            }
        });
    });
    Ok(())
}

/// The dense tensor with the elements of a box.
pub fn dense_copy(from: &Literal, view: &View, extents: &[usize]) -> Result<Literal> {
    let mut to = Literal::zeros(from.ty().with_dims(extents.iter().copied()))?;
    copy_box(&mut to, &View::dense(extents), from, view, extents)?;
    Ok(to)
}

/// The tensor with its axes in another order.
pub fn permuted(from: &Literal, axes: &[usize]) -> Result<Literal> {
    let dims = from.dims();
    let extents: SmallVec<[usize; 6]> = axes.iter().map(|&a| dims[a]).collect();
    dense_copy(from, &View::dense(&dims).axes(axes), &extents)
}

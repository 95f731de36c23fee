use std::convert::Infallible;
use std::ops::Range;

use jarrah_base::{Error, Literal, Result};

/// A row-major array of at most three axes, and the place in it where a box begins.
pub struct BoxSide<'a> {
    /// The extents of the array.
    pub dims: &'a [usize],
    /// The indices of the first element of the box.
    pub start: &'a [usize],
    /// The elements of the array.
    pub bytes: &'a mut [u8],
}

/// Copies a box of elements of `size` bytes from the second array to the first (`into_first`), or from the first to the second.
///
/// `extent` is the extent of the box in the first array. In the second array, rows of the box are `step` rows apart, and the last two
/// axes are exchanged if it is `swapped`; its rank may be smaller: then leading extents of the box are 1.
///
/// ```
/// use jarrah_formats::{BoxSide, copy_box};
/// let (mut x, mut y) = ([1u8, 2, 3, 4, 5, 6], [0u8; 6]);
/// let of_x = BoxSide { dims: &[2, 3], start: &[0, 0], bytes: &mut x };
/// let of_y = BoxSide { dims: &[3, 2], start: &[0, 0], bytes: &mut y };
/// copy_box(1, &[2, 3], [of_x, of_y], 1, true, false);
/// assert_eq!(y, [1, 4, 2, 5, 3, 6]);
/// ```
pub fn copy_box(
    size: usize,
    extent: &[usize],
    [first, second]: [BoxSide<'_>; 2],
    step: usize,
    swapped: bool,
    into_first: bool,
) {
    let mut take = |at: usize, there: usize, bytes: usize| {
        let (own, other) = (&mut first.bytes[at..at + bytes], &mut second.bytes[there..there + bytes]);
        if into_first { own.copy_from_slice(other) } else { other.copy_from_slice(own) }
    };
    if step > 1 {
        let bytes = first.dims[1..].iter().product::<usize>() * size;
        for row in 0..extent[0] {
            take((first.start[0] + row) * bytes, (second.start[0] + row * step) * bytes, bytes);
        }
        return;
    }
    // Boxes are seen with three axes, the leading ones of extent 1.
    let three = |values: &[usize], fill: usize| -> [usize; 3] {
        let mut all = [fill; 3];
        all[3 - values.len()..].copy_from_slice(values);
        all
    };
    // A box of an array of fewer axes lies at its beginning.
    let lead = if second.start.len() < extent.len() { 0 } else { three(extent, 1)[0] };
    let (start, extent, other_start) = (three(first.start, 0), three(extent, 1), three(second.start, 0));
    let (dims, other_dims) = (three(first.dims, 1), three(second.dims, 1));
    let place = |dims: [usize; 3], at: [usize; 3]| ((at[0] * dims[1] + at[1]) * dims[2] + at[2]) * size;
    for i in 0..lead.max(1) {
        for j in 0..extent[1] {
            let (count, columns) = if swapped { (1, extent[2]) } else { (extent[2], 1) };
            for k in 0..columns {
                let at = [start[0] + i, start[1] + j, start[2] + k];
                let (row, column) = if swapped { (k, j) } else { (j, k) };
                let there = [other_start[0] + i, other_start[1] + row, other_start[2] + column];
                take(place(dims, at), place(other_dims, there), count * size);
            }
        }
    }
}

/// Copies `count` indices of an axis from one row-major array to another, whose other axes have the same extents.
///
/// * `outer`: the product of the extents before the axis
/// * `inner`: the bytes of one index of the axis, which are the extents behind it times the bytes of an element
/// * `from`, `to`: the bytes of each array, the extent of its axis, and the first index there
///
/// ```
/// use jarrah_formats::copy_indices;
/// let mut column = [0u8; 2];
/// // The second column of `[[1, 2, 3], [4, 5, 6]]`.
/// copy_indices(2, 1, 1, (&[1, 2, 3, 4, 5, 6], 3, 1), (&mut column, 1, 0));
/// assert_eq!(column, [2, 5]);
/// ```
pub fn copy_indices(
    outer: usize,
    inner: usize,
    count: usize,
    from: (&[u8], usize, usize),
    to: (&mut [u8], usize, usize),
) {
    for i in 0..outer {
        let (there, here) = ((i * from.1 + from.2) * inner, (i * to.1 + to.2) * inner);
        to.0[here..here + count * inner].copy_from_slice(&from.0[there..there + count * inner]);
    }
}

/// Copies a box of elements of `size` bytes from one row-major array to another.
///
/// Boxes are those of one index space, a range for each axis: an array has the elements of the box beside its bytes, and `both` lies in the boxes of the two.
///
/// ```
/// use jarrah_formats::copy_region;
/// let (block, mut column) = ([1u8, 2, 3, 4, 5, 6], [0u8; 2]);
/// // The block has rows 4 and 5 of a matrix, and its columns 10, 11 and 12.
/// copy_region(1, (&block, &[4..6, 10..13]), (&mut column, &[4..6, 11..12]), &[4..6, 11..12]);
/// assert_eq!(column, [2, 5]);
/// ```
///
/// # Panics
/// `both` does not lie in the two boxes, or an array has fewer bytes than its box.
pub fn copy_region(
    size: usize,
    from: (&[u8], &[Range<usize>]),
    to: (&mut [u8], &[Range<usize>]),
    both: &[Range<usize>],
) {
    if both.iter().any(Range::is_empty) {
        return;
    }
    let extents = |of: &[Range<usize>]| of.iter().map(Range::len).collect::<Vec<_>>();
    let starts =
        |of: &[Range<usize>]| both.iter().zip(of).map(|(a, b)| a.start - b.start).collect::<Vec<_>>();
    let strides = strides(&extents(to.1));
    let at = starts(to.1).iter().zip(&strides).map(|(start, stride)| start * stride).sum();
    let window = Window { start: starts(from.1), extent: extents(both), at, strides };
    copy_window(from.0, &extents(from.1), &window, size, to.0);
}

/// A box of a value, a range for each axis; clones share the elements of a whole value.
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_formats::cut;
/// let value = Literal::from_slice(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!(cut(&value, &[0..2, 1..2])?, Literal::from_slice(&[2, 1], &[2.0f32, 5.0])?);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// The box does not lie in the value (`Program`).
pub fn cut(whole: &Literal, region: &[Range<usize>]) -> Result<Literal> {
    let dims = whole.dims();
    if !lies_in(region, &dims) {
        let error = format!("the box {region:?} does not lie in a value of the extents {dims:?}");
        return Err(Error::program(error));
    }
    let extent: Vec<usize> = region.iter().map(Range::len).collect();
    if extent == dims {
        return Ok(whole.clone());
    }
    let all: Vec<Range<usize>> = dims.iter().map(|&extent| 0..extent).collect();
    let mut part = Literal::zeros(whole.ty().with_dims(extent))?;
    copy_region(whole.dtype().size(), (whole.bytes(), &all), (part.bytes_mut(), region), region);
    Ok(part)
}

/// Whether a box, a range for each axis, lies in an array of these extents.
pub fn lies_in(region: &[Range<usize>], dims: &[usize]) -> bool {
    let fits = |(range, &extent): (&Range<usize>, &usize)| range.start <= range.end && range.end <= extent;
    region.len() == dims.len() && region.iter().zip(dims).all(fits)
}

/// The distances along the axes of a row-major array of these extents, in elements.
pub(crate) fn strides(extents: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; extents.len()];
    for axis in (1..extents.len()).rev() {
        strides[axis - 1] = strides[axis] * extents[axis];
    }
    strides
}

/// A box of a row-major array, which is not empty, and where in the result its elements go.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub start: Vec<usize>,
    pub extent: Vec<usize>,
    /// The place in the result of the box's first element, and the distances along the axes, in elements.
    pub at: usize,
    pub strides: Vec<usize>,
}

/// Copies the box `window` of a row-major array, whose elements have `size` bytes, to where it goes.
pub(crate) fn copy_window(bytes: &[u8], shape: &[usize], window: &Window, size: usize, out: &mut [u8]) {
    let Ok(()) = each_run(shape, window, size, |from, to, run| -> Result<(), Infallible> {
        out[to..to + run].copy_from_slice(&bytes[from..from + run]);
        Ok(())
    });
}

/// Calls `take` with each run of bytes of the box `window` of a row-major array: where it begins in the array and in the result, and its length. Runs come in the order in which
/// they lie in the array.
///
/// # Errors
/// A run cannot be taken: the errors of `take`.
pub(crate) fn each_run<E>(
    shape: &[usize],
    window: &Window,
    size: usize,
    mut take: impl FnMut(usize, usize, usize) -> Result<(), E>,
) -> Result<(), E> {
    let mut distance = size;
    // Axes with the distances between their elements in the array and in the result, in bytes; those that lie in one run in both are one axis.
    let mut axes: Vec<[usize; 3]> = Vec::new();
    let (mut from, mut run) = (0, size);
    for i in (0..shape.len()).rev() {
        from += window.start[i] * distance;
        let (extent, stride) = (window.extent[i], window.strides[i] * size);
        if axes.is_empty() && distance == run && (stride == run || extent == 1) {
            run *= extent;
        } else if extent != 1 {
            axes.push([extent, distance, stride]);
        }
        distance *= shape[i];
    }
    let mut to = window.at * size;
    let mut index = vec![0; axes.len()];
    loop {
        take(from, to, run)?;
        let mut axis = 0;
        loop {
            let Some([extent, step, stride]) = axes.get(axis) else { return Ok(()) };
            index[axis] += 1;
            from += step;
            to += stride;
            if index[axis] < *extent {
                break;
            }
            from -= step * extent;
            to -= stride * extent;
            index[axis] = 0;
            axis += 1;
        }
    }
}

use jarrah_array::library::resolve;
use jarrah_array::ops::{segment_max, segment_min, segment_sum};
use jarrah_array::{Array, lax};
use jarrah_base::DType;

/// The rank of equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankMethod {
    /// The mean of the ranks they would have in any order.
    Average,
    /// The smallest of these ranks.
    Min,
    /// The largest of these ranks.
    Max,
    /// As `Min`, but the next larger number has the next rank.
    Dense,
    /// Each its own, in the order of their positions.
    Ordinal,
}

/// The elements along the last axis as rows: sorted, with the positions they had, and the number of the group of equal
/// elements that each belongs to, other numbers in other rows.
struct Groups {
    sorted: Array,
    order: Array,
    groups: Array,
    rows: usize,
    extent: usize,
}

impl Groups {
    #[track_caller]
    fn of(x: &Array) -> Groups {
        let extent = x.shape()[x.rank() - 1];
        let rows = x.size() / extent.max(1);
        let flat = x.reshape([rows, extent].as_slice());
        let parts = lax::sort(&[&flat, &lax::iota(DType::I32, &[rows, extent], 1)], 1);
        let (sorted, order) = (parts[0].clone(), parts[1].clone());
        let apart = sorted.slice(1, 1..).ne(sorted.slice(1, ..extent - 1)).astype(DType::I32);
        let steps = lax::pad(&apart, &Array::scalar(0i32), &[0, 1], &[0, 0]).cumsum(1).astype(DType::I32);
        let groups = steps + lax::iota(DType::I32, &[rows, extent], 0) * extent as i64;
        Groups { sorted, order, groups, rows, extent }
    }

    /// The result of `reduce` over `data` in the group of each sorted element.
    #[track_caller]
    fn each(&self, data: &Array, reduce: fn(&Array, &Array, usize) -> Array) -> Array {
        let count = self.rows * self.extent;
        let flat = |x: &Array| x.reshape([count].as_slice());
        let groups = flat(&self.groups);
        let reduced = reduce(&flat(data), &groups, count);
        lax::take(&reduced, &groups, 0).reshape([self.rows, self.extent].as_slice())
    }
}

/// The ranks of the elements along an axis, from 1, as `f32`, or `f64` for an `f64` array.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::stats::{RankMethod, rankdata};
/// let x = Array::from_slice(&[30i32, 10, 30]);
/// assert_eq!(rankdata(&x, RankMethod::Average, 0).to_vec::<f32>()?, [2.5, 1.0, 2.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn rankdata(x: &Array, method: RankMethod, axis: isize) -> Array {
    let at = resolve("rankdata", x, axis, x.rank());
    let dtype = if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
    if x.size() == 0 {
        return Array::full(&x.shape(), 0, dtype);
    }
    let moved = lax::move_axis(x, at, x.rank() - 1);
    let groups = Groups::of(&moved);
    let places = lax::iota(DType::I32, &[groups.rows, groups.extent], 1);
    let ranks = match method {
        RankMethod::Ordinal => places.astype(dtype),
        RankMethod::Min => groups.each(&places, segment_min).astype(dtype),
        RankMethod::Max => groups.each(&places, segment_max).astype(dtype),
        RankMethod::Average => {
            let (low, high) = (groups.each(&places, segment_min), groups.each(&places, segment_max));
            (low + high).astype(dtype) * 0.5
        }
        RankMethod::Dense => {
            let first = lax::iota(DType::I32, &[groups.rows, groups.extent], 0) * groups.extent as i64;
            (&groups.groups - first).astype(dtype)
        }
    };
    let unsorted = lax::sort(&[&groups.order, &(ranks + 1)], 1).swap_remove(1);
    lax::move_axis(&unsorted.reshape(&moved.shape()), x.rank() - 1, at)
}

/// The most frequent element along an axis, the smallest of several, and how often it occurs, as `i32`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::stats;
/// let (value, count) = stats::mode(&Array::from_slice(&[3i32, 1, 3, 2]), 0);
/// assert_eq!((value.item::<i32>()?, count.item::<i32>()?), (3, 2));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn mode(x: &Array, axis: isize) -> (Array, Array) {
    let at = resolve("mode", x, axis, x.rank());
    let moved = lax::move_axis(x, at, x.rank() - 1);
    let groups = Groups::of(&moved);
    let ones = Array::full(&[groups.rows, groups.extent], 1, DType::I32);
    let counts = groups.each(&ones, segment_sum);
    let best = counts.argmax(1).expand_dims(1);
    let shape = moved.shape();
    let pick = |x: &Array| lax::take_along_axis(x, &best, 1).reshape(&shape[..shape.len() - 1]);
    (pick(&groups.sorted), pick(&counts))
}

/// The standard error of the mean along an axis: the standard deviation, with `ddof` degrees of freedom less than
/// elements, over the square root of their number; usually `ddof` is 1.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_science::stats;
/// assert_eq!(stats::sem(&Array::from_slice(&[1.0f32, 3.0]), 0, 1).item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sem(x: &Array, axis: isize, ddof: usize) -> Array {
    let at = resolve("sem", x, axis, x.rank());
    (x.inexact().var(at as isize) / (x.shape()[at] as f64 - ddof as f64)).sqrt()
}

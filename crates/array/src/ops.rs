//! Reductions of groups of slices.

use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::{Axes, Reducer, Scatter, Update};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::trace::apply_one;

/// The sums of slices of equal number: slice `i` of the result is the sum of `data[j]` where `segments[j]` is `i`.
///
/// `segments` is a vector of integers, one for each slice along the first axis of `data`; numbers out of range, negative ones
/// too, belong to no segment. A segment without slices is 0.
///
/// ```
/// use jarrah_array::{Array, ops};
/// let data = Array::from_slice(&[1.0f32, 2.0, 4.0]);
/// let sums = ops::segment_sum(&data, &Array::from_slice(&[2i32, 0, 2]), 3);
/// assert_eq!(sums.to_vec::<f32>()?, [2.0, 0.0, 5.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn segment_sum(data: &Array, segments: &Array, count: usize) -> Array {
    segment("segment_sum", data, segments, count, Reducer::Add)
}

/// The products of slices with the same segment number: see [`segment_sum`]. A segment without slices is 1.
///
/// ```
/// use jarrah_array::{Array, ops};
/// let data = Array::from_slice(&[3.0f32, 2.0, 4.0]);
/// let products = ops::segment_prod(&data, &Array::from_slice(&[2i32, 0, 2]), 3);
/// assert_eq!(products.to_vec::<f32>()?, [2.0, 1.0, 12.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn segment_prod(data: &Array, segments: &Array, count: usize) -> Array {
    segment("segment_prod", data, segments, count, Reducer::Mul)
}

/// The largest elements of slices with the same segment number: see [`segment_sum`]. A segment without slices is the lowest
/// value.
///
/// ```
/// use jarrah_array::{Array, ops};
/// let data = Array::from_slice(&[1i32, 2, 4]);
/// let largest = ops::segment_max(&data, &Array::from_slice(&[2i32, 0, 2]), 3);
/// assert_eq!(largest.to_vec::<i32>()?, [2, i32::MIN, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn segment_max(data: &Array, segments: &Array, count: usize) -> Array {
    segment("segment_max", data, segments, count, Reducer::Max)
}

/// The smallest elements of slices with the same segment number: see [`segment_sum`]. A segment without slices is the highest
/// value.
///
/// ```
/// use jarrah_array::{Array, ops};
/// let data = Array::from_slice(&[1i32, 2, 4]);
/// let smallest = ops::segment_min(&data, &Array::from_slice(&[2i32, 0, 2]), 3);
/// assert_eq!(smallest.to_vec::<i32>()?, [2, i32::MAX, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn segment_min(data: &Array, segments: &Array, count: usize) -> Array {
    segment("segment_min", data, segments, count, Reducer::Min)
}

#[track_caller]
fn segment(op: &str, data: &Array, segments: &Array, count: usize, reducer: Reducer) -> Array {
    let shape = data.shape();
    if !segments.dtype().is_integer() || segments.rank() != 1 || !shape.starts_with(&segments.shape()) {
        let error = format!("segments {} do not number the slices of {}", segments.ty(), data.ty());
        let help = "segments are a vector of integers, one for each slice along the first axis";
        fail(with_context(Error::program(error).op(op).at(Location::caller()).help(help)));
    }
    let identity = match (&reducer, data.dtype().integer_range(), data.dtype().float_range()) {
        (Reducer::Add, ..) => Number::Integer(0),
        (Reducer::Mul, ..) => Number::Integer(1),
        (Reducer::Max, Some((lowest, _)), _) => Number::Integer(lowest),
        (Reducer::Min, Some((_, highest)), _) => Number::Integer(highest),
        (Reducer::Max, _, Some((lowest, _))) => Number::Float(lowest),
        (Reducer::Min, _, Some((_, highest))) => Number::Float(highest),
        _ => {
            let error = Error::program(format!("{} has no order", data.dtype()));
            fail(with_context(error.op(op).at(Location::caller())))
        }
    };
    let init = Array::full(&[&[count], &shape[1..]].concat(), identity, data.dtype());
    // Numbers of an unsigned type beyond the signed one stay out of range.
    let places = match segments.dtype() {
        DType::I64 | DType::U64 | DType::U32 => lax::wide_index(segments, count),
        _ => segments.astype(DType::I32),
    };
    let scatter = Scatter {
        window_axes: (1..shape.len()).collect(),
        inserted_axes: Axes::from_slice(&[0]),
        operand_batch_axes: Axes::new(),
        indices_batch_axes: Axes::new(),
        index_map: Axes::from_slice(&[0]),
        index_vector_axis: 1,
        sorted: false,
        unique: false,
        update: Update::Reduce(reducer),
    };
    apply_one(scatter, &[&init, &places, data])
}

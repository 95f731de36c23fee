//! Indices: the expressions between the brackets in NumPy's `x[...]`.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::numpy::Stepped;
use crate::tuples::for_tuples;

/// An index, which takes elements along an axis, or adds an axis.
#[derive(Clone, Debug)]
pub enum Index {
    /// One position, counted from the end if it is negative; the axis is removed.
    At(i64),
    /// A range of positions, counted from the end where they are negative, with a step that is not 0.
    Slice {
        /// The first position; without one, the first in the direction of the step.
        start: Option<i64>,
        /// The position before which the range ends; without one, it includes the last position in its direction.
        stop: Option<i64>,
        /// The distance between neighbouring positions.
        step: i64,
    },
    /// An array of positions; or an array of truth values over one or several axes, which selects the elements where it is true
    /// and has to be concrete.
    Array(Array),
    /// All axes of the array that the other indices do not cover.
    Ellipsis,
    /// A new axis of extent one.
    NewAxis,
}

/// [`Index::Ellipsis`], `...` in NumPy.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsis;

/// [`Index::NewAxis`], `None` in NumPy.
#[derive(Clone, Copy, Debug)]
pub struct NewAxis;

impl From<Ellipsis> for Index {
    fn from(_: Ellipsis) -> Index {
        Index::Ellipsis
    }
}
impl From<NewAxis> for Index {
    fn from(_: NewAxis) -> Index {
        Index::NewAxis
    }
}
impl From<Array> for Index {
    fn from(positions: Array) -> Index {
        Index::Array(positions)
    }
}
impl From<&Array> for Index {
    fn from(positions: &Array) -> Index {
        Index::Array(positions.clone())
    }
}
impl From<RangeFull> for Index {
    fn from(_: RangeFull) -> Index {
        Index::Slice { start: None, stop: None, step: 1 }
    }
}

/// The position after `last`, which is no position from the end if `last` is the last one.
fn after(last: i64) -> Option<i64> {
    if last == -1 { None } else { Some(last.saturating_add(1)) }
}

/// A number as a position; a number that `i64` cannot represent becomes the largest position.
fn position<T: TryInto<i64>>(x: T) -> i64 {
    x.try_into().unwrap_or(i64::MAX)
}

macro_rules! from_numbers {
    ($($t:ty)*) => {$(
        impl From<$t> for Index {
            fn from(at: $t) -> Index {
                Index::At(position(at))
            }
        }
        impl From<Range<$t>> for Index {
            fn from(range: Range<$t>) -> Index {
                Index::Slice { start: Some(position(range.start)), stop: Some(position(range.end)), step: 1 }
            }
        }
        impl From<RangeFrom<$t>> for Index {
            fn from(range: RangeFrom<$t>) -> Index {
                Index::Slice { start: Some(position(range.start)), stop: None, step: 1 }
            }
        }
        impl From<RangeTo<$t>> for Index {
            fn from(range: RangeTo<$t>) -> Index {
                Index::Slice { start: None, stop: Some(position(range.end)), step: 1 }
            }
        }
        impl From<RangeInclusive<$t>> for Index {
            fn from(range: RangeInclusive<$t>) -> Index {
                let (start, last) = range.into_inner();
                Index::Slice { start: Some(position(start)), stop: after(position(last)), step: 1 }
            }
        }
        impl From<RangeToInclusive<$t>> for Index {
            fn from(range: RangeToInclusive<$t>) -> Index {
                Index::Slice { start: None, stop: after(position(range.end)), step: 1 }
            }
        }
        impl From<Stepped<$t>> for Index {
            fn from(range: Stepped<$t>) -> Index {
                let step = position(range.step);
                Index::Slice { start: range.start.map(position), stop: range.stop.map(position), step }
            }
        }
    )*};
}
from_numbers! { i32 i64 isize usize }

/// A list of indices for an array: one [`Index`], or a tuple, vector or slice of them.
pub trait IntoIndices {
    /// The indices, for the first axis first.
    fn into_indices(self) -> Vec<Index>;
}

impl<T: Into<Index>> IntoIndices for T {
    fn into_indices(self) -> Vec<Index> {
        vec![self.into()]
    }
}
impl IntoIndices for Vec<Index> {
    fn into_indices(self) -> Vec<Index> {
        self
    }
}
impl IntoIndices for &[Index] {
    fn into_indices(self) -> Vec<Index> {
        self.to_vec()
    }
}
impl IntoIndices for () {
    fn into_indices(self) -> Vec<Index> {
        Vec::new()
    }
}
for_tuples! { IntoIndices, into_indices, Index }

/// An axis and how it is indexed, or a new axis.
#[derive(Clone)]
pub(crate) enum Item {
    /// `count` positions along `axis`, from `start` on, `step` apart.
    Slice {
        axis: usize,
        start: usize,
        count: usize,
        step: i64,
    },
    /// One position along `axis`.
    At {
        axis: usize,
        at: usize,
    },
    /// Positions along `axis`, one for each element of all arrays of positions together.
    Positions {
        axis: usize,
        array: Array,
    },
    NewAxis,
}

/// Indices next to the axes of an array.
pub(crate) struct Plan {
    pub(crate) items: Vec<Item>,
    /// Whether any of the indices is an array.
    pub(crate) gathers: bool,
}

impl Plan {
    /// The plan of indexing `x` with `indices`.
    #[track_caller]
    pub(crate) fn new(op: &str, x: &Array, indices: Vec<Index>) -> Plan {
        let indices = spread_masks(op, x, indices);
        let consumed = indices.iter().filter(|i| !matches!(i, Index::Ellipsis | Index::NewAxis)).count();
        let ellipses = indices.iter().filter(|i| matches!(i, Index::Ellipsis)).count();
        if consumed > x.rank() || ellipses > 1 {
            let error = match ellipses > 1 {
                true => Error::program("there is more than one Ellipsis among the indices"),
                false => {
                    Error::program(format!("{consumed} axes of {} are indexed, it has {}", x.ty(), x.rank()))
                }
            };
            fail(with_context(
                error
                    .op(op)
                    .help("give at most one index for each axis, and one Ellipsis")
                    .at(Location::caller()),
            ));
        }
        let whole = x.rank() - consumed;
        let gathers = indices.iter().any(|i| matches!(i, Index::Array(_)));
        let shape = x.shape();
        let mut items = Vec::with_capacity(indices.len() + whole);
        let mut axis = 0;
        let all = |axis: usize| Item::Slice { axis, start: 0, count: shape[axis], step: 1 };
        for index in indices.into_iter().chain((ellipses == 0).then_some(Index::Ellipsis)) {
            match index {
                Index::Ellipsis => {
                    items.extend((axis..axis + whole).map(all));
                    axis += whole;
                    continue;
                }
                Index::NewAxis => {
                    items.push(Item::NewAxis);
                    continue;
                }
                Index::At(at) => items.push(Item::At { axis, at: place(op, x, axis, at) }),
                Index::Slice { start, stop, step } => {
                    let (start, count) = slice(op, shape[axis], start, stop, step);
                    items.push(Item::Slice { axis, start, count, step });
                }
                Index::Array(array) => items.push(Item::Positions { axis, array }),
            }
            axis += 1;
        }
        Plan { items, gathers }
    }
}

/// Replaces an array of truth values by its positions: for each of its axes, the positions of the true elements.
#[track_caller]
fn spread_masks(op: &str, x: &Array, indices: Vec<Index>) -> Vec<Index> {
    let mut spread = Vec::with_capacity(indices.len());
    let shape = x.shape();
    // The axis that the next index applies to; not known after an Ellipsis.
    let mut axis = Some(0);
    for index in indices {
        let axes = match &index {
            Index::NewAxis => 0,
            Index::Array(mask) if mask.dtype() == DType::Bool => mask.rank(),
            _ => 1,
        };
        let first = axis;
        axis = axis.filter(|_| !matches!(index, Index::Ellipsis)).map(|axis| axis + axes);
        match index {
            Index::Array(mask) if mask.dtype() == DType::Bool => {
                let selected = first.and_then(|axis| shape.get(axis..axis + axes));
                if first.is_some() && selected != Some(&mask.shape()[..]) {
                    let error = format!(
                        "the mask {} does not fit the axes of {} that it selects from",
                        mask.ty(),
                        x.ty()
                    );
                    let help = "a mask has the extents of the axes that it stands for";
                    fail(with_context(Error::program(error).op(op).at(Location::caller()).help(help)));
                }
                if mask.concrete().is_none() {
                    let error = Error::program(format!(
                        "how many elements a mask of {} selects is not known",
                        mask.ty()
                    ));
                    let error = error.op(op).at(Location::caller());
                    fail(with_context(
                        error.help("where_ keeps the shape; nonzero_sized takes a number of elements"),
                    ));
                }
                spread.extend(mask.nonzero().into_iter().map(Index::Array));
            }
            other => spread.push(other),
        }
    }
    spread
}

/// A position that `axis` has.
#[track_caller]
fn place(op: &str, x: &Array, axis: usize, at: i64) -> usize {
    let extent = x.shape()[axis] as i64;
    let place = if at < 0 { at + extent } else { at };
    if !(0..extent).contains(&place) {
        let error = Error::program(format!("position {at} is out of range for axis {axis} of {}", x.ty()));
        fail(with_context(
            error
                .op(op)
                .help("positions along an axis run from minus its extent to its extent less one")
                .at(Location::caller()),
        ));
    }
    place as usize
}

/// The first position and the number of positions of a slice of an axis, which bounds it.
#[track_caller]
fn slice(op: &str, extent: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> (usize, usize) {
    if step == 0 {
        fail(with_context(Error::program("the step of a range is 0").op(op).at(Location::caller())));
    }
    let extent = extent as i64;
    // Going down, a range may end before the first element, at -1.
    let (low, high) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
    let inside = |at: i64| (if at < 0 { at + extent } else { at }).clamp(low, high);
    let start = start.map_or(if step > 0 { low } else { high }, inside);
    let stop = stop.map_or(if step > 0 { high } else { low }, inside);
    let count = ((stop - start + step - step.signum()) / step).max(0);
    (if count == 0 { 0 } else { start as usize }, count as usize)
}

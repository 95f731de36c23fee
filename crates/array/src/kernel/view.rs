//! A view of a part of a [`Ref`](crate::Ref)'s content, through which it is read and written.

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, fail_at, with_context};
use crate::kernel::checked;
use crate::kernel::window::{KernelWindow, RefIndex};
use crate::lax;
use crate::number::Number;
use crate::numpy::{At, Index};
use crate::operators::Operand;
use crate::take::TakeMode;

/// A view of a part of a cell: windows whose positions are arrays, and ranges and positions within these windows.
#[derive(Clone)]
pub(super) struct View {
    /// Axes, the first position along each, and the number of elements.
    pub(super) windows: Vec<(usize, Array, usize)>,
    /// The ranges and positions taken within the windows.
    indices: Vec<Index>,
    /// The first window at a constant position that does not fit into the array: its line and the error, which is reported unless
    /// a mask excludes the elements outside.
    outside: Option<(Location, String)>,
}

impl View {
    /// The part of `x` that these indices select.
    #[track_caller]
    pub(super) fn new(x: &Array, indices: Vec<RefIndex>) -> View {
        let consumed = |index: &RefIndex| match index {
            RefIndex::Index(Index::Ellipsis | Index::NewAxis) => 0,
            RefIndex::Index(Index::Array(mask)) if mask.dtype() == DType::Bool => mask.rank(),
            _ => 1,
        };
        let total: usize = indices.iter().map(consumed).sum();
        let mut view =
            View { windows: Vec::new(), indices: Vec::with_capacity(indices.len()), outside: None };
        let mut axis = 0;
        for index in indices {
            let axes = consumed(&index);
            let index = match index {
                RefIndex::Index(Index::Ellipsis) => {
                    axis += x.rank().saturating_sub(total);
                    Index::Ellipsis
                }
                RefIndex::Index(Index::Array(at))
                    if at.rank() == 0 && at.dtype().is_integer() && axis < x.rank() =>
                {
                    if x.shape()[axis] == 0 {
                        too_long(x, axis, 1);
                    }
                    let at = lax::normalize_index(&at, x.shape()[axis]);
                    view.windows.push((axis, at, 1));
                    Index::At(0)
                }
                RefIndex::Index(index) => index,
                RefIndex::Window(window) => view.window(x, axis, window),
            };
            view.indices.push(index);
            axis += axes;
        }
        view
    }

    /// The index that selects a window's elements, in the array, or in the block that the windows cover.
    #[track_caller]
    fn window(&mut self, x: &Array, axis: usize, window: KernelWindow) -> Index {
        let shape = x.shape();
        let Some(&extent) = shape.get(axis) else {
            let error =
                Error::program(format!("there is a window of axis {axis}, {} has {} axes", x.ty(), x.rank()));
            fail(with_context(
                error.op("at").at(Location::caller()).help("give at most one index for each axis"),
            ))
        };
        let (span, step) = (window.span(), window.step as i64);
        if span > extent {
            too_long(x, axis, span);
        }
        match window.start {
            Operand::Number(Number::Integer(start))
                if start >= 0 && start + span as i128 <= extent as i128 =>
            {
                Index::Slice { start: Some(start as i64), stop: Some(start as i64 + span as i64), step }
            }
            Operand::Number(Number::Integer(start)) => {
                let error = format!(
                    "a window of {span} elements from {start} on does not lie in axis {axis} of {}",
                    x.ty()
                );
                self.outside.get_or_insert((Location::caller(), error));
                // Before all elements, or behind them, every start is as good.
                let start = start.clamp(-(span as i128), extent as i128) as i64;
                self.windows.push((
                    axis,
                    lax::wide_index(&Array::full(&[], start, DType::I64), extent),
                    span,
                ));
                Index::Slice { start: None, stop: None, step }
            }
            Operand::Number(number) => {
                let error = Error::program(format!("a window begins at {number}, which is no integer"));
                fail(with_context(error.op("at").at(Location::caller()).help("give an integer")))
            }
            Operand::Array(start) => {
                if start.rank() != 0 || !start.dtype().is_integer() {
                    let error =
                        Error::program(format!("a window begins at {}, it must be one integer", start.ty()));
                    let help = "take one position with index, or convert it with astype";
                    fail(with_context(error.op("at").at(Location::caller()).help(help)));
                }
                self.windows.push((axis, lax::wide_index(&start, extent), span));
                Index::Slice { start: None, stop: None, step }
            }
        }
    }

    /// Fails if a window at a constant position does not fit into the array.
    #[track_caller]
    pub(super) fn check_numbers(&self) {
        if let Some((place, error)) = &self.outside {
            let help =
                "begin it so that it ends inside, or leave out what is outside with a mask: at(..).mask(&m)";
            fail_at(*place, with_context(Error::program(error.clone()).op("at").help(help)));
        }
    }

    /// The positions where the windows begin, moved to lie inside, one for each axis of `x`, and the extents.
    #[track_caller]
    fn corner(&self, x: &Array) -> (Vec<Array>, Vec<usize>) {
        let mut sizes = x.shape().to_vec();
        let long = sizes.iter().any(|&extent| extent > i32::MAX as usize);
        let dtype = if long { DType::I64 } else { DType::I32 };
        let mut starts = vec![Array::full(&[], 0, dtype); x.rank()];
        for (axis, start, span) in &self.windows {
            starts[*axis] = start.clip(0, (sizes[*axis] - span) as i64).astype(dtype);
            sizes[*axis] = *span;
        }
        (starts, sizes)
    }

    /// In a checked kernel, records checks that the windows lie in `x`.
    #[track_caller]
    pub(super) fn check(&self, x: &Array) {
        for (axis, start, span) in &self.windows {
            let extent = x.shape()[*axis];
            let inside = start.ge(0) & start.le((extent - span) as i64);
            checked::check(
                &inside,
                &format!("{span} elements from {{}} on do not lie in axis {axis} of {}", x.ty()),
                start,
            );
        }
        for (axis, index) in self.indices.iter().enumerate() {
            // After an Ellipsis or a mask the axis of a position is not `axis`; such positions are checked when the kernel runs.
            let Index::Array(at) = index else {
                if matches!(index, Index::Ellipsis | Index::NewAxis) { break } else { continue }
            };
            if !at.dtype().is_integer() || axis >= x.rank() {
                break;
            }
            let extent = x.shape()[axis] as i64;
            let at = &lax::wide_index(at, x.shape()[axis]);
            let inside = at.ge(-extent) & at.lt(extent);
            checked::check(&inside, &format!("position {{}} is not in axis {axis} of {}", x.ty()), at);
        }
    }

    /// The block of `x` that the windows cover. Where a window extends beyond `x`, the elements outside are zeros if `exact`,
    /// else the window is moved inside.
    #[track_caller]
    fn block(&self, x: &Array, exact: bool) -> Array {
        if self.windows.is_empty() {
            return x.clone();
        }
        let (starts, sizes) = self.corner(x);
        let mut block = lax::dynamic_slice(x, &starts, &sizes);
        if exact {
            for window @ (axis, ..) in &self.windows {
                block = shifted(&block, *axis, &beyond(x, window, &starts));
            }
        }
        block
    }

    #[track_caller]
    pub(super) fn read(&self, x: &Array, exact: bool) -> Array {
        self.block(x, exact).index(&self.indices[..])
    }

    /// `x` with the selected elements replaced by the result of `f`, which is given these places of the block under the windows.
    #[track_caller]
    pub(super) fn write(&self, x: &Array, f: impl FnOnce(At<'_>) -> Array) -> Array {
        if self.windows.is_empty() {
            return f(x.at(&self.indices[..]));
        }
        let (starts, sizes) = self.corner(x);
        let block = lax::dynamic_slice(x, &starts, &sizes);
        lax::dynamic_update_slice(x, &f(block.at(&self.indices[..])), &starts)
    }

    /// Whether positions in arrays are among the indices, of which one may be named twice.
    pub(super) fn gathers(&self) -> bool {
        self.indices.iter().any(|index| matches!(index, Index::Array(_)))
    }

    /// The numbers of the selected elements, taken from `numbers`, which numbers the elements of the array from one. A place
    /// outside of the array, or outside of a window that is `exact`, gets no positive number.
    #[track_caller]
    pub(super) fn numbered(&self, numbers: &Array, exact: bool) -> Array {
        self.block(numbers, exact).at(&self.indices[..]).mode(TakeMode::Fill).get()
    }

    /// `x` with `values` stored at the places where `mask` is true; each place occurs once, and nothing is stored outside of `x`.
    #[track_caller]
    pub(super) fn write_masked(&self, x: &Array, values: &Array, mask: &Array) -> Array {
        let set = |x: &Array, values: &Array| {
            let places = x.index(&self.indices[..]);
            x.at(&self.indices[..]).set(where_(mask, values.astype(x.dtype()), places))
        };
        if self.windows.is_empty() {
            return set(x, values);
        }
        let (starts, sizes) = self.corner(x);
        let block = lax::dynamic_slice(x, &starts, &sizes);
        // The values in the form of the block, and where they are stored.
        let mut new = set(&block.zeros_like(), values);
        let mut chosen = set(&Array::full(&sizes, false, DType::Bool), &Array::full(&[], true, DType::Bool));
        for window @ (axis, ..) in &self.windows {
            let by = -beyond(x, window, &starts);
            new = shifted(&new, *axis, &by);
            chosen = shifted(&chosen, *axis, &by);
        }
        lax::dynamic_update_slice(x, &where_(&chosen, &new, &block), &starts)
    }
}

/// Fails: a window of `span` elements is longer than the axis.
#[track_caller]
fn too_long(x: &Array, axis: usize, span: usize) -> ! {
    let extent = x.shape()[axis];
    let error = Error::program(format!(
        "a window of {span} elements is taken of axis {axis} of {}, which has {extent}",
        x.ty()
    ));
    let help =
        "take at most as many elements as there are; a block that reaches out of its array reads zeros there";
    fail(with_context(error.op("at").at(Location::caller()).help(help)))
}

/// `x` broadcast to the `shape` of the places that are written; errors call `x` by the name `what`.
#[track_caller]
pub(super) fn spread(what: &str, x: &Array, shape: &[usize]) -> Array {
    let own = x.shape();
    let fits = own.len() <= shape.len()
        && own.iter().rev().zip(shape.iter().rev()).all(|(&own, &extent)| own == extent || own == 1);
    if !fits {
        let error = Error::program(format!("{} does not broadcast to the {shape:?} of the places", x.ty()));
        let help = "align shapes from the last axis; extents must be equal or one";
        fail(with_context(error.op(what).at(Location::caller()).help(help)));
    }
    x.broadcast_to(shape)
}

/// How many elements after its block a window begins. A window without elements in `x` is moved to begin just outside, so that an
/// `i32` can represent the distance.
#[track_caller]
fn beyond(x: &Array, (axis, start, span): &(usize, Array, usize), starts: &[Array]) -> Array {
    start.clip(-(*span as i64), x.shape()[*axis] as i64) - &starts[*axis]
}

/// `x` shifted along `axis`, so that each element is the one `by` positions later; zeros where that lies outside.
#[track_caller]
fn shifted(x: &Array, axis: usize, by: &Array) -> Array {
    let extent = x.shape()[axis];
    let places = lax::iota(DType::I32, &[extent], 0) + by.astype(DType::I32);
    let inside = places.ge(0) & places.lt(extent);
    let moved = lax::take(x, &places.clip(0, extent as i64 - 1), axis);
    let inside = lax::broadcast_in_dim(&inside, &moved.shape(), &[axis]);
    where_(&inside, &moved, moved.zeros_like())
}

//! Convolutions: windows copied to the rows of a matrix, a tile of windows at a time, times the kernel.
//!
//! The input is padded with written zeros, so a result sums over kernel positions and input features in the same
//! order as in the reference evaluator, whatever the tiles.

use jarrah_base::{Error, Result};
use jarrah_execute::{Place, PlacedArray, Step, StepSite};
use jarrah_hlo::ops::{ConvAxes, Convolution};
use jarrah_runtime::Way;

use super::dot::{has_matrices, with_product};
use super::{reference, row_major};
use crate::buffers::Scratch;
use crate::client::device::{Cpu, Frame, FramePointers, StepBuilder};
use crate::copy::copy;
use crate::gemm::{Gemm, PackedB, Rounded, Shared, Streamed, Strided, gemm};

/// Elements of a tile of the window matrix.
const TILE: usize = 1 << 20;

/// A kernel of at most so many bytes is read in place, a larger one packed once for all tiles.
const SMALL_KERNEL: usize = 128 << 10;

/// A strided box of elements, copied between an array and the step's scratch.
struct Move {
    extents: Vec<usize>,
    strides: Vec<isize>,
    /// Strides in the scratch, and the first element of the box in the scratch and in the array.
    own_strides: Vec<isize>,
    own_start: usize,
    start: usize,
}

struct Conv {
    lhs: PlacedArray,
    rhs: PlacedArray,
    out: PlacedArray,
    /// The padded input, the kernel and the result, each with its axes in the order below.
    padded: Place,
    padded_bytes: usize,
    kernel: Place,
    product: Place,
    from_lhs: Move,
    from_rhs: Move,
    to_out: Move,
    groups: usize,
    /// From the first element of a group to that of the next, in the padded input.
    group_step: isize,
    /// Batch and spatial axes of a group's windows: extents, and strides in the padded input.
    windows: Vec<usize>,
    window_strides: Vec<isize>,
    /// Kernel positions and input features: extents, and strides in the padded input from the first position on.
    places: Vec<usize>,
    place_strides: Vec<isize>,
    first_place: isize,
    /// Output features of a group.
    outputs: usize,
}

pub fn step(b: &mut StepBuilder, site: &StepSite<'_>, op: &Convolution) -> Result<Box<dyn Step<Cpu>>> {
    let (lhs, rhs, out) = (site.operands[0], site.operands[1], site.results[0]);
    let window = op.window(rhs.ty);
    let places: usize = window.sizes.iter().product();
    if !has_matrices(lhs.ty.dtype(), out.ty.dtype()) || places == 0 || lhs.bytes() == 0 || rhs.bytes() == 0 {
        return Ok(reference::step(site));
    }
    let (dims, padded_bytes, from_lhs) = padded_input(lhs, op)?;
    let groups = op.feature_groups.max(op.batch_groups);
    let from_rhs = kernel(rhs, op, groups);
    // The result: batch, windows, features.
    let to_out = Move::dense(out, &axes(&op.out_axes));

    let (dense, spatial) = (row_major(&dims), window.rank());
    let features = dims[spatial + 1] / op.feature_groups;
    let batch = dims[0] / op.batch_groups;
    let group_step = if op.batch_groups > 1 { batch as isize * dense[0] } else { features as isize };
    let mut windows = vec![batch];
    let mut window_strides = vec![dense[0]];
    let (mut place_extents, mut place_strides, mut first_place) = (Vec::new(), Vec::new(), 0);
    for axis in 0..spatial {
        windows.push(to_out.extents[axis + 1]);
        window_strides.push(dense[axis + 1] * window.strides[axis] as isize);
        let step = dense[axis + 1] * window.dilations[axis] as isize;
        place_extents.push(window.sizes[axis]);
        if op.reversed[axis] {
            first_place += step * (window.sizes[axis] as isize - 1);
        }
        place_strides.push(if op.reversed[axis] { -step } else { step });
    }
    place_extents.push(features);
    place_strides.push(1);

    let up = |bytes: usize| bytes.next_multiple_of(64);
    let total = up(padded_bytes) + up(rhs.bytes()) + up(out.bytes());
    let scratch = b.shared(total);
    let at = |offset: usize| Place { offset: scratch.offset + offset, ..scratch };
    let in_place = to_out.strides == to_out.own_strides;
    Ok(Box::new(Conv {
        padded: at(0),
        padded_bytes,
        kernel: at(up(padded_bytes)),
        product: if in_place { out.loc } else { at(up(padded_bytes) + up(rhs.bytes())) },
        lhs,
        rhs,
        out,
        from_lhs,
        outputs: from_rhs.extents[spatial + 2],
        from_rhs,
        to_out,
        groups,
        group_step,
        windows,
        window_strides,
        places: place_extents,
        place_strides,
        first_place,
    }))
}

/// The axes in the order batch, spatial axes, feature.
fn axes(axes: &ConvAxes) -> Vec<usize> {
    [axes.batch].into_iter().chain(axes.spatial.iter().copied()).chain([axes.feature]).collect()
}

/// The padded input, batch, spatial axes, features: its extents, its bytes, and the copy of the left side into it.
fn padded_input(lhs: PlacedArray, op: &Convolution) -> Result<(Vec<usize>, usize, Move)> {
    let mut from_lhs = Move::dense(lhs, &axes(&op.lhs_axes));
    let from = from_lhs.extents.clone();
    let (mut dims, spatial) = (from.clone(), op.lhs_axes.spatial.len());
    for axis in 0..spatial {
        let spread = (from[axis + 1] as i128 - 1) * op.lhs_dilations[axis] as i128 + 1;
        let padded = spread + i128::from(op.low[axis]) + i128::from(op.high[axis]);
        dims[axis + 1] = usize::try_from(padded).map_err(|_| Error::program("the padding is too large"))?;
    }
    let bytes =
        dims.iter().try_fold(lhs.size(), |n, &d| n.checked_mul(d).filter(|&n| n < isize::MAX as usize));
    let bytes = bytes.ok_or_else(|| Error::program("the padded left side is too large"))?;
    let dense = row_major(&dims);
    from_lhs.own_strides.clone_from(&dense);
    for axis in 0..spatial {
        let (low, step) = (i128::from(op.low[axis]), op.lhs_dilations[axis] as i128);
        // Elements that land at 0 or later, and before the end.
        let at_least = |n: i128| ((n.max(0) + step - 1) / step).min(from[axis + 1] as i128);
        let (first, end) = (at_least(-low), at_least(dims[axis + 1] as i128 - low));
        from_lhs.extents[axis + 1] = (end - first).max(0) as usize;
        if end > first {
            from_lhs.start += first as usize * from_lhs.strides[axis + 1] as usize;
            from_lhs.own_start += (low + first * step) as usize * dense[axis + 1] as usize;
        }
        from_lhs.own_strides[axis + 1] *= step as isize;
    }
    Ok((dims, bytes, from_lhs))
}

/// The copy of the kernel: groups, places, input features, output features of a group.
fn kernel(rhs: PlacedArray, op: &Convolution, groups: usize) -> Move {
    let order = op.rhs_axes.spatial.iter().copied().chain([op.rhs_axes.feature, op.rhs_axes.batch]);
    let Move { mut extents, mut strides, .. } = Move::dense(rhs, &order.collect::<Vec<usize>>());
    let last = extents.len() - 1;
    extents[last] /= groups;
    strides.insert(0, strides[last] * extents[last] as isize);
    extents.insert(0, groups);
    Move { own_strides: row_major(&extents), extents, strides, own_start: 0, start: 0 }
}

impl Step<Cpu> for Conv {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let (from, to) = (self.lhs.ty.dtype(), self.out.ty.dtype());
        with_product!(from, to, T, O => self.product::<T, O>(frame))
            .unwrap_or_else(|| Err(Error::internal(format!("a convolution of {from} as {to}"))))
    }

    fn way(&self) -> Way {
        Way::Product
    }
}

impl Conv {
    fn product<T: Streamed, O: Rounded<Acc = T::Acc>>(&self, frame: &Frame<'_>) -> Result<()> {
        let pool = &frame.device.pool;
        let (padded, kernel) = (frame.at(self.padded).cast::<T>(), frame.at(self.kernel).cast::<T>());
        // SAFETY: operands are readable; the scratch is this step's alone and holds the boxes; zero bytes are zeros
        // in all types.
        unsafe {
            std::ptr::write_bytes(padded.cast::<u8>(), 0, self.padded_bytes);
            let (x, k) = (frame.at(self.lhs.loc).cast::<T>(), frame.at(self.rhs.loc).cast::<T>());
            self.from_lhs.bring(pool, x, padded);
            self.from_rhs.bring(pool, k, kernel);
        }
        let depth: usize = self.places.iter().product();
        let rows: usize = self.windows.iter().product();
        let (n, line) = (self.outputs, self.windows[self.windows.len() - 1]);
        let width = n * self.groups;
        let tile = (TILE / depth).clamp(32, 1024).min(rows.div_ceil(2 * pool.threads())).max(8);
        let tiles = rows.div_ceil(tile);
        let out = Shared(frame.at(self.product).cast::<O>());
        let patch_dims: Vec<usize> = [1].into_iter().chain(self.places.iter().copied()).collect();
        let patch_strides = row_major(&patch_dims);
        let (padded, kernel) = (Shared(padded), Shared(kernel));
        for group in 0..self.groups {
            let b = Strided::row_major(kernel.get().wrapping_add(group * depth * n).cast_const(), n);
            let packed = match tiles > 1 && depth * n * size_of::<T>() > SMALL_KERNEL {
                // SAFETY: the kernel of the group has `depth` rows of `n`.
                true => Some(unsafe { PackedB::new(pool, &b, depth, n)? }),
                false => None,
            };
            pool.run(tiles, &|task| {
                let tile_rows = task * tile..((task + 1) * tile).min(rows);
                let mut scratch = Scratch::new::<T>(tile * depth);
                let patches = scratch.ptr::<T>();
                let mut row = tile_rows.start;
                while row < tile_rows.end {
                    let count = (line - row % line).min(tile_rows.end - row);
                    let mut extents = patch_dims.clone();
                    extents[0] = count;
                    let mut strides = vec![self.window_strides[self.window_strides.len() - 1]];
                    strides.extend(&self.place_strides);
                    let from = self.window(group, row);
                    let mut to_strides = patch_strides.clone();
                    to_strides[0] = depth as isize;
                    // SAFETY: inference counted only windows that lie inside the padded left side; the tile's rows
                    // lie in the scratch.
                    unsafe {
                        let from = padded.get().offset(from).cast_const().cast();
                        let to = patches.add((row - tile_rows.start) * depth).cast();
                        copy(pool, size_of::<T>(), &extents, from, &strides, to, &to_strides);
                    }
                    row += count;
                }
                let product = Gemm {
                    batch: 1,
                    m: tile_rows.len(),
                    n,
                    k: depth,
                    a: Strided::row_major(patches.cast_const(), depth).into(),
                    b: packed.as_ref().map_or(b.into(), |packed| packed.panels().into()),
                    c: out.get().wrapping_add(tile_rows.start * width + group * n),
                    c_row: width,
                    c_batch: 0,
                    accumulate: false,
                    scales: None,
                };
                // SAFETY: the tile and the kernel hold the elements named, and these rows and columns of the result
                // are this task's.
                unsafe { gemm(pool, &product, None) };
            });
        }
        if self.product != self.out.loc {
            // SAFETY: all of the product goes to as many elements of the result.
            unsafe { self.to_out.take(pool, out.get().cast_const(), frame.at(self.out.loc).cast::<O>()) };
        }
        Ok(())
    }

    /// Where the first place of a window lies in the padded left side.
    fn window(&self, group: usize, row: usize) -> isize {
        let (mut rest, mut at) = (row, group as isize * self.group_step + self.first_place);
        for (&extent, &stride) in self.windows.iter().zip(&self.window_strides).rev() {
            at += (rest % extent) as isize * stride;
            rest /= extent;
        }
        at
    }
}

impl Move {
    /// A copy of a whole array to a scratch with its axes in this order.
    fn dense(array: PlacedArray, order: &[usize]) -> Move {
        let (dims, dense) = (array.dims(), row_major(&array.dims()));
        let extents: Vec<usize> = order.iter().map(|&axis| dims[axis]).collect();
        let strides = order.iter().map(|&axis| dense[axis]).collect();
        Move { own_strides: row_major(&extents), extents, strides, own_start: 0, start: 0 }
    }

    /// Copies the box from the array `from` to the step's scratch `own`.
    ///
    /// # Safety
    /// The box lies in both arrays, which do not overlap.
    unsafe fn bring<T>(&self, pool: &crate::threads::ThreadPool, from: *const T, own: *mut T) {
        // SAFETY: the caller's contract.
        unsafe {
            let (from, own) = (from.wrapping_add(self.start).cast(), own.wrapping_add(self.own_start).cast());
            copy(pool, size_of::<T>(), &self.extents, from, &self.strides, own, &self.own_strides);
        }
    }

    /// Copies the box from the step's scratch `own` to the array `to`.
    ///
    /// # Safety
    /// The box lies in both arrays, which do not overlap.
    unsafe fn take<T>(&self, pool: &crate::threads::ThreadPool, own: *const T, to: *mut T) {
        // SAFETY: the caller's contract.
        unsafe {
            let (own, to) = (own.wrapping_add(self.own_start).cast(), to.wrapping_add(self.start).cast());
            copy(pool, size_of::<T>(), &self.extents, own, &self.own_strides, to, &self.strides);
        }
    }
}

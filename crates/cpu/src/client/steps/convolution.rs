//! Convolutions: windows copied to the rows of a matrix, a tile of windows at a time, times the kernel.
//!
//! The input is padded with written zeros, so a result sums over kernel positions and input features in the same
//! order as in the reference evaluator, whatever the tiles.

use jarrah_base::{Error, Result};
use jarrah_hlo::ops::{ConvAxes, Convolution};
use jarrah_runtime::Way;

use super::dot::{has_matrices, with_product};
use super::{reference, row_major};
use crate::buffers::Scratch;
use crate::client::frame::{Frame, Loc, Step};
use crate::client::site::{Array, Site, StepBuilder};
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
    lhs: Array,
    rhs: Array,
    out: Array,
    /// The padded input, the kernel and the result, each with its axes in the order below.
    padded: Loc,
    padded_bytes: usize,
    kernel: Loc,
    product: Loc,
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

pub fn step(b: &mut StepBuilder, site: &Site<'_>, op: &Convolution) -> Result<Box<dyn Step>> {
    let (lhs, rhs, out) = (site.operands[0], site.operands[1], site.results[0]);
    let window = op.window(rhs.ty);
    let places: usize = window.sizes.iter().product();
    if !has_matrices(lhs.ty.dtype(), out.ty.dtype()) || places == 0 || lhs.bytes() == 0 || rhs.bytes() == 0 {
        return Ok(reference::step(site));
    }
    let spatial = window.rank();
    let order = |axes: &ConvAxes| -> Vec<usize> {
        [axes.batch].into_iter().chain(axes.spatial.iter().copied()).chain([axes.feature]).collect()
    };
    let pick = |all: &[usize], order: &[usize]| -> Vec<usize> { order.iter().map(|&a| all[a]).collect() };
    let strides = |array: &Array, order: &[usize]| -> Vec<isize> {
        let dense = row_major(&array.dims());
        order.iter().map(|&a| dense[a]).collect()
    };

    // The padded input: batch, spatial axes, features.
    let lhs_order = order(&op.lhs_axes);
    let from = pick(&lhs.dims(), &lhs_order);
    let mut dims = from.clone();
    for axis in 0..spatial {
        let spread = (from[axis + 1] as i128 - 1) * op.lhs_dilations[axis] as i128 + 1;
        let padded = spread + i128::from(op.low[axis]) + i128::from(op.high[axis]);
        dims[axis + 1] = usize::try_from(padded).map_err(|_| Error::program("the padding is too large"))?;
    }
    let size = lhs.size();
    let padded_bytes =
        dims.iter().try_fold(size, |n, &d| n.checked_mul(d).filter(|&n| n < isize::MAX as usize));
    let padded_bytes = padded_bytes.ok_or_else(|| Error::program("the padded left side is too large"))?;
    let dense = row_major(&dims);
    let mut from_lhs = Move {
        extents: from.clone(),
        strides: strides(&lhs, &lhs_order),
        own_strides: dense.clone(),
        own_start: 0,
        start: 0,
    };
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

    // The kernel: groups, places, input features, output features.
    let groups = op.feature_groups.max(op.batch_groups);
    let kernel_axes: Vec<usize> =
        op.rhs_axes.spatial.iter().copied().chain([op.rhs_axes.feature, op.rhs_axes.batch]).collect();
    let mut kernel_dims = pick(&rhs.dims(), &kernel_axes);
    let mut kernel_strides = strides(&rhs, &kernel_axes);
    let (all_outputs, output_stride) = (kernel_dims[spatial + 1], kernel_strides[spatial + 1]);
    let outputs = all_outputs / groups;
    kernel_dims[spatial + 1] = outputs;
    kernel_dims.insert(0, groups);
    kernel_strides.insert(0, output_stride * outputs as isize);
    let from_rhs = Move {
        own_strides: row_major(&kernel_dims),
        extents: kernel_dims,
        strides: kernel_strides,
        own_start: 0,
        start: 0,
    };

    // The result: batch, windows, features.
    let out_order = order(&op.out_axes);
    let out_dims = pick(&out.dims(), &out_order);
    let to_out = Move {
        own_strides: row_major(&out_dims),
        strides: strides(&out, &out_order),
        extents: out_dims.clone(),
        own_start: 0,
        start: 0,
    };

    let features = dims[spatial + 1] / op.feature_groups;
    let batch = dims[0] / op.batch_groups;
    let group_step = if op.batch_groups > 1 { batch as isize * dense[0] } else { features as isize };
    let mut windows = vec![batch];
    let mut window_strides = vec![dense[0]];
    let (mut place_extents, mut place_strides, mut first_place) = (Vec::new(), Vec::new(), 0);
    for axis in 0..spatial {
        windows.push(out_dims[axis + 1]);
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
    let at = |offset: usize| Loc { offset: scratch.offset + offset, ..scratch };
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
        from_rhs,
        to_out,
        groups,
        group_step,
        windows,
        window_strides,
        places: place_extents,
        place_strides,
        first_place,
        outputs,
    }))
}

impl Step for Conv {
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
        let pool = frame.pool;
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
    /// # Safety
    /// The box lies in both arrays.
    unsafe fn bring<T>(&self, pool: &crate::threads::Pool, from: *const T, own: *mut T) {
        // SAFETY: the caller's contract.
        unsafe {
            let (from, own) = (from.wrapping_add(self.start).cast(), own.wrapping_add(self.own_start).cast());
            copy(pool, size_of::<T>(), &self.extents, from, &self.strides, own, &self.own_strides);
        }
    }

    /// # Safety
    /// The box lies in both arrays.
    unsafe fn take<T>(&self, pool: &crate::threads::Pool, own: *const T, to: *mut T) {
        // SAFETY: the caller's contract.
        unsafe {
            let (own, to) = (own.wrapping_add(self.own_start).cast(), to.wrapping_add(self.start).cast());
            copy(pool, size_of::<T>(), &self.extents, own, &self.own_strides, to, &self.strides);
        }
    }
}

//! Gathers, and the addressing they share with scatters.

use jarrah_base::{DType, Result};
use jarrah_execute::{PlacedArray, Step, StepSite};
use jarrah_hlo::ops::Gather;
use jarrah_runtime::Way;

use super::{integer, row_major};
use crate::client::device::{Cpu, Frame, FramePointers};
use crate::gemm::Shared;

/// A step over fewer bytes than this stays on the calling thread.
pub(super) const SMALL: usize = 1 << 16;

/// The attributes that gathers and scatters share; `sizes` has the extent of a slice along every operand axis.
pub(super) struct Attributes<'a> {
    pub window_axes: &'a [usize],
    pub dropped: &'a [usize],
    pub operand_batch: &'a [usize],
    pub indices_batch: &'a [usize],
    pub index_map: &'a [usize],
    pub vector_axis: usize,
    pub sizes: &'a [usize],
}

/// Finds the slice that belongs to an index vector. The other tensor is a gather's result or a scatter's updates.
/// Strides count elements.
pub(super) struct Addressing {
    indices: PlacedArray,
    /// For each axis of the indices but the vector axis: extent, and strides in the indices, in the operand (along
    /// batch axes) and in the other tensor.
    batch: Vec<(usize, [isize; 3])>,
    /// The distance between the components of an index vector.
    component: usize,
    /// For each component its stride in the operand and the largest start.
    steps: Vec<(isize, i128)>,
    /// The axes of a slice but its innermost run: extents, strides in the operand and in the other tensor.
    pub outer: Vec<(usize, [isize; 2])>,
    /// The innermost run of a slice: extent, strides in the operand and in the other tensor.
    pub run: (usize, [isize; 2]),
}

impl Addressing {
    pub fn new(
        attributes: &Attributes<'_>,
        operand: &PlacedArray,
        indices: &PlacedArray,
        other: &PlacedArray,
    ) -> Addressing {
        let (operand_dims, index_dims, other_dims) = (operand.dims(), indices.dims(), other.dims());
        let strides = [row_major(&index_dims), row_major(&operand_dims), row_major(&other_dims)];
        let vector = attributes.vector_axis;
        let other_batch = (0..other_dims.len()).filter(|a| !attributes.window_axes.contains(a));
        let batch_axes = (0..index_dims.len()).filter(|&a| a != vector);
        let batch = batch_axes.zip(other_batch).map(|(axis, out)| {
            let along = attributes.indices_batch.iter().position(|&i| i == axis);
            let operand = along.map_or(0, |i| strides[1][attributes.operand_batch[i]]);
            (index_dims[axis], [strides[0][axis], operand, strides[2][out]])
        });
        let kept = (0..operand_dims.len())
            .filter(|a| !attributes.dropped.contains(a) && !attributes.operand_batch.contains(a));
        let mut outer: Vec<(usize, [isize; 2])> = Vec::new();
        for (axis, &out) in kept.zip(attributes.window_axes) {
            let (extent, here) = (attributes.sizes[axis], [strides[1][axis], strides[2][out]]);
            match outer.last_mut() {
                _ if extent == 1 => {}
                Some((e, s)) if *s == here.map(|x| x * extent as isize) => (*e, *s) = (*e * extent, here),
                _ => outer.push((extent, here)),
            }
        }
        let limit = |axis: usize| (operand_dims[axis] - attributes.sizes[axis]) as i128;
        Addressing {
            indices: *indices,
            batch: batch.collect(),
            component: strides[0].get(vector).map_or(0, |&s| s as usize),
            steps: attributes.index_map.iter().map(|&axis| (strides[1][axis], limit(axis))).collect(),
            run: outer.pop().unwrap_or((1, [1, 1])),
            outer,
        }
    }

    /// The number of index vectors.
    pub fn slices(&self) -> usize {
        self.batch.iter().map(|b| b.0).product()
    }

    /// Where slice `index` starts in the operand (clamped) and in the other tensor, and whether clamping left it
    /// alone.
    ///
    /// # Safety
    /// `indices` holds the operand's elements.
    pub unsafe fn slice(&self, index: usize, indices: *const u8) -> (isize, isize, bool) {
        let (mut rest, mut at, mut start, mut other) = (index, 0, 0, 0);
        for &(extent, [i, operand, out]) in self.batch.iter().rev() {
            let position = (rest % extent) as isize;
            rest /= extent;
            at += position * i;
            start += position * operand;
            other += position * out;
        }
        let mut inside = true;
        for (i, &(step, limit)) in self.steps.iter().enumerate() {
            let element = at as usize + i * self.component;
            // SAFETY: the caller's contract; the position lies in the indices.
            let wanted = unsafe {
                match self.indices.ty.dtype() {
                    DType::I32 => i128::from(indices.cast::<i32>().add(element).read()),
                    dtype => integer(dtype, indices, element),
                }
            };
            let clamped = wanted.clamp(0, limit);
            inside &= wanted == clamped;
            start += clamped as isize * step;
        }
        (start, other, inside)
    }

    /// Calls `visit` with the operand and other offsets of every innermost run of a slice, in row-major order.
    pub fn runs(&self, start: isize, other: isize, mut visit: impl FnMut(isize, isize)) {
        let rounds: usize = self.outer.iter().map(|o| o.0).product();
        for round in 0..rounds {
            let (mut rest, mut s, mut o) = (round, start, other);
            for &(extent, [here, there]) in self.outer.iter().rev() {
                let i = (rest % extent) as isize;
                rest /= extent;
                s += i * here;
                o += i * there;
            }
            visit(s, o);
        }
    }

    /// Where slices are single elements, contiguous in the other tensor and in the order of their indices: the
    /// operand stride of an index, and the largest index.
    pub fn single(&self) -> Option<(isize, i128)> {
        let &[step] = &self.steps[..] else { return None };
        let mut next = 1;
        for &(extent, strides) in self.batch.iter().rev() {
            if extent != 1 && strides != [next, 0, next] {
                return None;
            }
            next *= extent as isize;
        }
        (self.outer.is_empty() && self.run.0 == 1).then_some(step)
    }

    pub fn index_type(&self) -> DType {
        self.indices.ty.dtype()
    }

    pub fn indices(&self, frame: &Frame<'_>) -> *const u8 {
        frame.at(self.indices.loc)
    }
}

/// An operand without elements is read as zeros.
struct Rows {
    addressing: Addressing,
    operand: PlacedArray,
    result: PlacedArray,
}

pub fn step(site: &StepSite<'_>, op: &Gather) -> Result<Box<dyn Step<Cpu>>> {
    let attributes = Attributes {
        window_axes: &op.offset_axes,
        dropped: &op.collapsed_axes,
        operand_batch: &op.operand_batch_axes,
        indices_batch: &op.indices_batch_axes,
        index_map: &op.index_map,
        vector_axis: op.index_vector_axis,
        sizes: &op.sizes,
    };
    let (operand, indices, result) = (site.operands[0], site.operands[1], site.results[0]);
    let addressing = Addressing::new(&attributes, &operand, &indices, &result);
    Ok(Box::new(Rows { addressing, operand, result }))
}

impl Step<Cpu> for Rows {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        if self.operand.bytes() == 0 {
            // SAFETY: the result is this step's.
            unsafe { frame.at(self.result.loc).write_bytes(0, self.result.bytes()) };
            return Ok(());
        }
        match self.operand.size() {
            1 => self.run_as::<u8>(frame),
            2 => self.run_as::<u16>(frame),
            4 => self.run_as::<u32>(frame),
            _ => self.run_as::<u64>(frame),
        }
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Copy
    }
}

impl Rows {
    fn run_as<T: Copy>(&self, frame: &Frame<'_>) {
        let a = &self.addressing;
        let (count, [from_step, to_step]) = a.run;
        let indices = Shared(a.indices(frame).cast_mut());
        let from = Shared(frame.at(self.operand.loc).cast::<T>());
        let to = Shared(frame.at(self.result.loc).cast::<T>());
        let slices = a.slices();
        let tasks = if self.result.bytes() < SMALL { 1 } else { slices.min(4 * frame.device.pool.threads()) };
        frame.device.pool.run(tasks, &|task| {
            for index in slices * task / tasks..slices * (task + 1) / tasks {
                // SAFETY: slices are moved inside the operand; each has a part of the result for itself.
                unsafe {
                    let (start, out, _) = a.slice(index, indices.get());
                    a.runs(start, out, |s, o| {
                        let (from, to) = (from.get().offset(s), to.get().offset(o));
                        if from_step == 1 && to_step == 1 {
                            std::ptr::copy_nonoverlapping(from, to, count);
                            return;
                        }
                        for i in 0..count as isize {
                            to.offset(i * to_step).write(from.offset(i * from_step).read());
                        }
                    });
                }
            }
        });
    }
}

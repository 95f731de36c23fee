//! Slices whose positions are known only when the program runs.

use jarrah_base::Result;
use jarrah_execute::{PlacedArray, Step, StepSite};
use jarrah_hlo::ops::DynamicSlice;
use jarrah_runtime::Way;

use super::{copy, row_major, scalar};
use crate::client::device::{Cpu, Frame, FramePointers};

/// A box that is copied between the dense array `part` and its position in `around`.
struct Dynamic {
    around: PlacedArray,
    part: PlacedArray,
    starts: Vec<PlacedArray>,
    /// For each axis of `around`: the stride in bytes, and the largest start.
    axes: Vec<(usize, i128)>,
    extents: Vec<usize>,
    around_strides: Vec<isize>,
    part_strides: Vec<isize>,
    /// For an update, the array that is copied to `around` before `part` is written into it.
    update: Option<PlacedArray>,
}

impl Dynamic {
    fn new(
        around: PlacedArray,
        part: PlacedArray,
        starts: &[PlacedArray],
        update: Option<PlacedArray>,
    ) -> Dynamic {
        let (dims, extents) = (around.dims(), part.dims());
        let around_strides = row_major(&dims);
        let limits = dims.iter().zip(&extents).map(|(d, e)| (d - e) as i128);
        let steps = around_strides.iter().map(|&s| s as usize * around.size());
        Dynamic {
            around,
            part,
            starts: starts.to_vec(),
            axes: steps.zip(limits).collect(),
            part_strides: row_major(&extents),
            extents,
            around_strides,
            update,
        }
    }
}

impl Step<Cpu> for Dynamic {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let offset = self
            .starts
            .iter()
            .zip(&self.axes)
            .map(|(start, &(stride, limit))| scalar(frame, start).clamp(0, limit) as usize * stride);
        let offset: usize = offset.sum();
        let (inside, part) = (frame.at(self.around.loc).wrapping_add(offset), frame.at(self.part.loc));
        let (size, extents) = (self.part.size(), &self.extents);
        let (pool, outer, inner) = (&frame.device.pool, &self.around_strides, &self.part_strides);
        // SAFETY: the clamped box lies within the array; the arrays are distinct.
        unsafe {
            match self.update {
                None => crate::copy::copy(pool, size, extents, inside, outer, part, inner),
                Some(from) => {
                    if from.loc != self.around.loc {
                        copy::bytes(frame, frame.at(from.loc), frame.at(self.around.loc), from.bytes());
                    }
                    crate::copy::copy(pool, size, extents, part, inner, inside, outer);
                }
            }
        }
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Copy
    }
}

pub fn slice(site: &StepSite<'_>, _: &DynamicSlice) -> Box<dyn Step<Cpu>> {
    Box::new(Dynamic::new(site.operands[0], site.results[0], &site.operands[1..], None))
}

pub fn update(site: &StepSite<'_>) -> Box<dyn Step<Cpu>> {
    let (x, update) = (site.operands[0], site.operands[1]);
    Box::new(Dynamic::new(site.results[0], update, &site.operands[2..], Some(x)))
}

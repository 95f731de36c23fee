//! Steps that move elements and compute nothing.

use jarrah_base::Result;
use jarrah_execute::{Place, Step, StepSite};
use jarrah_hlo::ops::{BroadcastInDim, Concatenate, Pad, Reverse, Slice, TransposeAxes};
use jarrah_runtime::Way;

use super::row_major;
use crate::client::device::{Cpu, Frame, FramePointers};
use crate::copy::copy;

/// Strided copies, one after another.
struct Copies {
    size: usize,
    parts: Vec<Part>,
}

/// A strided box of elements to copy.
pub struct Part {
    pub extents: Vec<usize>,
    pub from: Place,
    pub from_strides: Vec<isize>,
    pub to: Place,
    pub to_strides: Vec<isize>,
}

impl Step<Cpu> for Copies {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        for p in &self.parts {
            let (from, to) = (frame.at(p.from), frame.at(p.to));
            // SAFETY: the box lies within both arrays, which are distinct; its places are distinct.
            unsafe {
                copy(&frame.device.pool, self.size, &p.extents, from, &p.from_strides, to, &p.to_strides)
            };
        }
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Copy
    }
}

fn one(size: usize, part: Part) -> Box<dyn Step<Cpu>> {
    Box::new(Copies { size, parts: vec![part] })
}

/// Copies `count` bytes.
///
/// # Safety
/// As for `memcpy`.
pub unsafe fn bytes(frame: &Frame<'_>, from: *const u8, to: *mut u8, count: usize) {
    // As many bytes as are worth several threads.
    const LARGE: usize = 256 << 10;
    match count < LARGE {
        // SAFETY: the caller's contract.
        true => unsafe { to.copy_from_nonoverlapping(from, count) },
        // SAFETY: the caller's contract.
        false => unsafe { copy(&frame.device.pool, 1, &[count], from, &[1], to, &[1]) },
    }
}

/// The dense result of reading the first operand with these strides, from element `start` on.
fn strided(site: &StepSite<'_>, start: isize, strides: Vec<isize>) -> Box<dyn Step<Cpu>> {
    let (from, to) = (site.operands[0], site.results[0]);
    let offset = from.loc.offset.wrapping_add_signed(start * from.size() as isize);
    let extents = to.dims();
    one(
        from.size(),
        Part {
            from: Place { offset, ..from.loc },
            from_strides: strides,
            to: to.loc,
            to_strides: row_major(&extents),
            extents,
        },
    )
}

pub fn broadcast(site: &StepSite<'_>, op: &BroadcastInDim) -> Box<dyn Step<Cpu>> {
    let from = site.operands[0].dims();
    let dense = row_major(&from);
    let mut strides = vec![0; op.dims.len()];
    for (i, &axis) in op.axes.iter().enumerate() {
        if from[i] != 1 {
            strides[axis] = dense[i];
        }
    }
    strided(site, 0, strides)
}

pub fn transpose(site: &StepSite<'_>, op: &TransposeAxes) -> Box<dyn Step<Cpu>> {
    let dense = row_major(&site.operands[0].dims());
    strided(site, 0, op.permutation.iter().map(|&axis| dense[axis]).collect())
}

pub fn reverse(site: &StepSite<'_>, op: &Reverse) -> Box<dyn Step<Cpu>> {
    let dims = site.operands[0].dims();
    let mut strides = row_major(&dims);
    let mut start = 0;
    for &axis in &op.axes {
        start += (dims[axis] as isize - 1) * strides[axis];
        strides[axis] = -strides[axis];
    }
    strided(site, start, strides)
}

pub fn slice(site: &StepSite<'_>, op: &Slice) -> Box<dyn Step<Cpu>> {
    let dense = row_major(&site.operands[0].dims());
    let start = dense.iter().zip(&op.starts).map(|(stride, &at)| stride * at as isize).sum();
    strided(site, start, dense.iter().zip(&op.strides).map(|(stride, &by)| stride * by as isize).collect())
}

/// `out[low + i * (interior + 1)] = x[i]` where that index lies inside, the padding value elsewhere.
pub fn pad(site: &StepSite<'_>, op: &Pad) -> Box<dyn Step<Cpu>> {
    let (x, value, out) = (site.operands[0], site.operands[1], site.results[0]);
    let (from, dims) = (x.dims(), out.dims());
    let (from_strides, mut to_strides) = (row_major(&from), row_major(&dims));
    let (mut source, mut target, mut extents) = (0, 0, Vec::new());
    for axis in 0..dims.len() {
        let (step, low) = (op.interior[axis] as i128 + 1, i128::from(op.low[axis]));
        // The first element that lands at 0 or later, and the first beyond the end.
        let ceil = |n: i128| (n.max(0) + step - 1) / step;
        let first = ceil(-low).min(from[axis] as i128);
        let end = ceil(dims[axis] as i128 - low).min(from[axis] as i128);
        extents.push((end - first).max(0) as usize);
        source += first as isize * from_strides[axis];
        target += (low + first * step).max(0) as isize * to_strides[axis];
        to_strides[axis] *= step as isize;
    }
    let moved = |loc: Place, elements: isize| Place {
        offset: loc.offset.wrapping_add_signed(elements * x.size() as isize),
        ..loc
    };
    let whole: usize = dims.iter().product();
    let fill = Part {
        extents: vec![whole],
        from: value.loc,
        from_strides: vec![0],
        to: out.loc,
        to_strides: vec![1],
    };
    let inside =
        Part { extents, from: moved(x.loc, source), from_strides, to: moved(out.loc, target), to_strides };
    Box::new(Copies { size: x.size(), parts: vec![fill, inside] })
}

pub fn concatenate(site: &StepSite<'_>, op: &Concatenate) -> Box<dyn Step<Cpu>> {
    let out = site.results[0];
    let to_strides = row_major(&out.dims());
    let mut at = 0;
    let mut parts = Vec::new();
    for x in &site.operands {
        let extents = x.dims();
        let offset = out.loc.offset + at * to_strides[op.axis] as usize * out.size();
        at += extents[op.axis];
        parts.push(Part {
            from: x.loc,
            from_strides: row_major(&extents),
            to: Place { offset, ..out.loc },
            to_strides: to_strides.clone(),
            extents,
        });
    }
    Box::new(Copies { size: out.size(), parts })
}

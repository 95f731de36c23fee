//! Scatters: updates combined in row-major order of the index vectors, then of the window.

use jarrah_base::{DType, Element, Error, Result, with_element};
use jarrah_execute::{PlacedArray, Step, StepSite};
use jarrah_hlo::Program;
use jarrah_hlo::ops::{Reducer, Scatter, Update};
use jarrah_runtime::Way;

use super::gather::{Addressing, Attributes, SMALL};
use super::{by_program, copy, reference};
use crate::client::device::{Cpu, Frame, FramePointers};
use crate::gemm::Shared;

struct Combine {
    addressing: Addressing,
    operand: PlacedArray,
    updates: PlacedArray,
    result: PlacedArray,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Assign,
    Add,
    Mul,
    Max,
    Min,
    And,
    Or,
    Xor,
}

pub fn step(site: &StepSite<'_>, op: &Scatter) -> Result<Box<dyn Step<Cpu>>> {
    let kind = match &op.update {
        Update::Assign => Kind::Assign,
        Update::Reduce(reducer) => match reducer {
            Reducer::Add => Kind::Add,
            Reducer::Mul => Kind::Mul,
            Reducer::Max => Kind::Max,
            Reducer::Min => Kind::Min,
            Reducer::And => Kind::And,
            Reducer::Or => Kind::Or,
            Reducer::Xor => Kind::Xor,
            Reducer::General(program) => return by_a_program(site, op, program),
            Reducer::ArgMax(_) | Reducer::ArgMin(_) => {
                return Err(Error::internal("positions of extrema cannot be scattered"));
            }
        },
    };
    let addressing = addressing(site, op, 1);
    let (operand, updates, result) = (site.operands[0], site.operands[2], site.results[0]);
    Ok(Box::new(Combine { addressing, operand, updates, result, kind }))
}

/// Of several tensors, or by what only a program says.
fn by_a_program(site: &StepSite<'_>, op: &Scatter, program: &Program) -> Result<Box<dyn Step<Cpu>>> {
    let step = by_program::scatter(site, addressing(site, op, site.results.len()), program)?;
    Ok(step.unwrap_or_else(|| reference::step(site)))
}

/// The addressing of so many tensors, which have the same extents.
fn addressing(site: &StepSite<'_>, op: &Scatter, tensors: usize) -> Addressing {
    let (operand, indices, updates) = (site.operands[0], site.operands[tensors], site.operands[tensors + 1]);
    let sizes = op.window_sizes(operand.ty, updates.ty);
    let attributes = Attributes {
        window_axes: &op.window_axes,
        dropped: &op.inserted_axes,
        operand_batch: &op.operand_batch_axes,
        indices_batch: &op.indices_batch_axes,
        index_map: &op.index_map,
        vector_axis: op.index_vector_axis,
        sizes: &sizes,
    };
    Addressing::new(&attributes, &operand, &indices, &updates)
}

impl Step<Cpu> for Combine {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        if self.operand.loc != self.result.loc {
            let (from, to) = (frame.at(self.operand.loc), frame.at(self.result.loc));
            // SAFETY: operand and result are distinct arrays of one type.
            unsafe { copy::bytes(frame, from, to, self.result.bytes()) };
        }
        if self.updates.bytes() == 0 || self.result.bytes() == 0 {
            return Ok(());
        }
        let dtype = self.result.ty.dtype();
        match (dtype, self.kind) {
            (DType::F32, Kind::Add) => self.run_as::<f32>(frame, |a, b| a + b),
            _ => with_element!(dtype, T => self.run_as::<T>(frame, combination::<T>(self.kind, dtype))),
        }
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Routine
    }
}

impl Combine {
    fn run_as<T: Element>(&self, frame: &Frame<'_>, combine: impl Fn(T, T) -> T + Sync) {
        let a = &self.addressing;
        let (count, [to_step, from_step]) = a.run;
        let indices = Shared(a.indices(frame).cast_mut());
        let to = Shared(frame.at(self.result.loc).cast::<T>());
        let from = Shared(frame.at(self.updates.loc).cast::<T>());
        let slices = a.slices();
        if let (Some((step, limit)), DType::I32) = (a.single(), a.index_type()) {
            // Every task applies the updates, in order, to a range of places that no other task touches.
            let places = limit as usize + 1;
            let tasks = if self.updates.bytes() < SMALL { 1 } else { frame.device.pool.threads() };
            frame.device.pool.run(tasks, &|task| {
                let own = places * task / tasks..places * (task + 1) / tasks;
                for i in 0..slices {
                    // SAFETY: there are as many updates as indices; places lie in the result.
                    unsafe {
                        let index = indices.get().cast::<i32>().add(i).read();
                        if own.contains(&(index as usize)) && index >= 0 {
                            let to = to.get().offset(index as isize * step);
                            to.write(combine(to.read(), from.get().add(i).read()));
                        }
                    }
                }
            });
            return;
        }
        // Every task applies all updates, in order, to a range of columns that no other task touches.
        let tasks = match self.updates.bytes() < SMALL || count < 64 {
            true => 1,
            false => frame.device.pool.threads().min(count / 32),
        };
        frame.device.pool.run(tasks, &|task| {
            let columns = count * task / tasks..count * (task + 1) / tasks;
            for index in 0..a.slices() {
                // SAFETY: windows that are not inside are dropped; tasks touch distinct columns of the run.
                unsafe {
                    let (start, other, inside) = a.slice(index, indices.get());
                    if !inside {
                        continue;
                    }
                    a.runs(start, other, |s, o| {
                        let (to, from) = (to.get().offset(s), from.get().offset(o));
                        if to_step == 1 && from_step == 1 {
                            let to = std::slice::from_raw_parts_mut(to.add(columns.start), columns.len());
                            let from = std::slice::from_raw_parts(from.add(columns.start), columns.len());
                            for (to, &from) in to.iter_mut().zip(from) {
                                *to = combine(*to, from);
                            }
                            return;
                        }
                        for i in columns.start as isize..columns.end as isize {
                            let to = to.offset(i * to_step);
                            to.write(combine(to.read(), from.offset(i * from_step).read()));
                        }
                    });
                }
            }
        });
    }
}

/// The function that combines an element with its update, rounded to the element type once.
fn combination<T: Element>(kind: Kind, dtype: DType) -> fn(T, T) -> T {
    let float = dtype.is_float();
    let truth = dtype == DType::Bool;
    match kind {
        Kind::Assign => |_, b| b,
        Kind::Add if float => |a, b| T::from_f64(a.to_f64() + b.to_f64()),
        Kind::Mul if float => |a, b| T::from_f64(a.to_f64() * b.to_f64()),
        Kind::Max if float => |a, b| extreme(a, b, true),
        Kind::Min if float => |a, b| extreme(a, b, false),
        Kind::Add if truth => |a, b| T::from_i128(a.to_i128() | b.to_i128()),
        Kind::Add => |a, b| T::from_i128(a.to_i128().wrapping_add(b.to_i128())),
        Kind::Mul => |a, b| T::from_i128(a.to_i128().wrapping_mul(b.to_i128())),
        Kind::Max => |a, b| T::from_i128(a.to_i128().max(b.to_i128())),
        Kind::Min => |a, b| T::from_i128(a.to_i128().min(b.to_i128())),
        Kind::And => |a, b| T::from_i128(a.to_i128() & b.to_i128()),
        Kind::Or => |a, b| T::from_i128(a.to_i128() | b.to_i128()),
        Kind::Xor => |a, b| T::from_i128(a.to_i128() ^ b.to_i128()),
    }
}

/// The larger or the smaller of two elements; NaN wins, -0 is below +0.
fn extreme<T: Element>(a: T, b: T, larger: bool) -> T {
    let (x, y) = (a.to_f64(), b.to_f64());
    if x.is_nan() || y.is_nan() {
        return T::from_f64(if x.is_nan() { x } else { y });
    }
    let first = if x == y { x.is_sign_positive() } else { x > y };
    if first == larger { a } else { b }
}

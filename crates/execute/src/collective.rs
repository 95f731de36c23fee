//! The steps of collectives, and of the numbers of replicas and partitions.
//!
//! A device reads the operands and the results of the others in their memory. It comes to a collective with its own, waits for its group,
//! takes or combines its share in the order of the ranks, and waits until all have done so, since others read its memory until then. A
//! large sum is shared out: each rank combines a slice, then all copy the slices of the others.

use std::sync::Arc;

use jarrah_base::{DType, Error, Result, Type};
use jarrah_compiler::{CompiledProgram, PassOptions};
use jarrah_hlo::ops::{AxisIndex, Collective, CollectiveKind, Reducer};
use jarrah_hlo::{Builder, Program};
use jarrah_runtime::Way;

use crate::backend::{AddressOf, Backend, BackendAddress, BuiltStep, Frame, Step, StepBuilder};
use crate::control;
use crate::place::{Place, PlacedArray, PlacedProgram, StepSite};

/// Operands of at most so many bytes are combined by every rank; larger ones are shared out.
const SMALL: usize = 1 << 14;
/// Slices of a sum begin at multiples of so many elements.
const ALIGNED: usize = 64;

/// A collective.
struct Exchange<D: Backend> {
    /// Its number among those of the program.
    number: usize,
    /// For each device, its rank in its group and the group's devices. Groups are told apart by their first.
    groups: Vec<(usize, Arc<[usize]>)>,
    operand: PlacedArray,
    result: PlacedArray,
    share: Share<D>,
    name: Arc<str>,
}

/// The share of a device in a collective.
enum Share<D: Backend> {
    /// Its result is a combination of the operands of all, each from the slice with the number of the rank on, if they have slices.
    Combined { sum: Sum<D>, scattered: bool },
    /// Its result is the combination of the operands of its group, whose size is among these.
    Uneven { sums: Vec<(usize, Sum<D>)> },
    /// It combines a slice of the operands, `slice` elements each but for the last, and copies those of the others.
    Shared { sum: Sum<D>, last: Option<Sum<D>>, slice: usize },
    /// The slices of its result are the operands of the others.
    Gathered,
    /// The slices of its result are slices of the operands of the others.
    Transposed,
    /// Its result is the operand of another one, or zeros.
    Permuted { sources: Box<[Option<u32>]>, zeros: Option<Sum<D>> },
}

/// A program over arrays of several devices, with the bases of its parameters and of its result.
struct Sum<D: Backend> {
    parameters: Vec<u32>,
    result: u32,
    steps: Vec<BuiltStep<D>>,
}

impl<D: Backend> Sum<D> {
    /// The steps of a program whose parameters and result the step binds.
    fn new(b: &mut StepBuilder<D>, target: &D::Target, program: &Program) -> Result<Sum<D>> {
        let CompiledProgram { program, buffers, .. } =
            jarrah_compiler::compile(program, target, PassOptions::default())?;
        let parameters: Vec<u32> = program.params().iter().map(|_| b.base()).collect();
        let result = b.base();
        let arena = b.own(buffers.arena());
        let params = parameters.iter().map(|&base| Place::base(base)).collect();
        let results = vec![Place::base(result)];
        let placed = PlacedProgram { program: &program, assignment: &buffers, params, results, arena };
        let steps = b.unlisted(|b| b.block(&placed))?;
        Ok(Sum { parameters, result, steps })
    }

    /// `x_0 + x_1 + ...` of `ranks` arrays of `len` elements, narrow floats in a wide sum that is rounded once.
    fn of(
        b: &mut StepBuilder<D>,
        target: &D::Target,
        ranks: usize,
        len: usize,
        dtype: DType,
        reducer: &Reducer,
    ) -> Result<Sum<D>> {
        let kind = reducer.elementwise();
        let kind = kind.ok_or_else(|| Error::internal("a collective combines by no elementwise function"))?;
        let held = match reducer {
            Reducer::Add | Reducer::Mul => dtype.accumulator(),
            _ => dtype,
        };
        let mut builder = Builder::new("combine");
        let mut total = None;
        for _ in 0..ranks {
            let x = builder.param(Type::tensor(dtype, [len]), "");
            let x = builder.convert(x, held)?;
            total = Some(match total {
                None => x,
                Some(total) => builder.binary(kind, total, x)?,
            });
        }
        let total = total.ok_or_else(|| Error::internal("a group without members"))?;
        let total = builder.convert(total, dtype)?;
        Sum::new(b, target, &builder.finish(&[total])?)
    }

    fn run(
        &self,
        frame: &Frame<'_, D>,
        parameters: impl Iterator<Item = AddressOf<D>>,
        result: AddressOf<D>,
    ) -> Result<()> {
        let mut frame = frame.clone().unobserved();
        for (&base, address) in self.parameters.iter().zip(parameters) {
            frame.bind(base, address);
        }
        frame.bind(self.result, result);
        frame.run(&self.steps)
    }
}

/// The step of a collective.
///
/// # Errors
/// The step of a combination cannot be built.
pub(crate) fn exchange<D: Backend>(
    b: &mut StepBuilder<D>,
    site: &StepSite<'_>,
    op: &Collective,
) -> Result<Box<dyn Step<D>>> {
    let groups = b.grid.groups(&op.over);
    let (operand, result) = (site.operands[0], site.results[0]);
    let target = b.target.clone();
    let target = &*target;
    let most = groups.iter().map(|(_, group)| group.len()).max().unwrap_or(1);
    let len = |ty: Type| ty.elements().unwrap_or(0);
    let dtype = operand.ty.dtype();
    let share = match &op.kind {
        CollectiveKind::AllReduce(reducer) => {
            let slice = len(operand.ty).div_ceil(most).next_multiple_of(ALIGNED);
            if groups.iter().any(|(_, group)| group.len() != most) {
                let mut sizes: Vec<usize> = groups.iter().map(|(_, group)| group.len()).collect();
                sizes.sort_unstable();
                sizes.dedup();
                let sum = |size| Ok((size, Sum::of(b, target, size, len(operand.ty), dtype, reducer)?));
                Share::Uneven { sums: sizes.into_iter().map(sum).collect::<Result<_>>()? }
            } else if operand.bytes() <= SMALL || slice * (most - 1) >= len(operand.ty) {
                let sum = Sum::of(b, target, most, len(operand.ty), dtype, reducer)?;
                Share::Combined { sum, scattered: false }
            } else {
                let rest = len(operand.ty) - slice * (most - 1);
                let last = match rest == slice {
                    true => None,
                    false => Some(Sum::of(b, target, most, rest, dtype, reducer)?),
                };
                Share::Shared { sum: Sum::of(b, target, most, slice, dtype, reducer)?, last, slice }
            }
        }
        CollectiveKind::ReduceScatter(reducer) => Share::Combined {
            sum: Sum::of(b, target, most, len(result.ty), dtype, reducer)?,
            scattered: true,
        },
        CollectiveKind::AllGather => Share::Gathered,
        CollectiveKind::AllToAll => Share::Transposed,
        CollectiveKind::Permute(sources) => {
            let zeros = match sources.iter().any(Option::is_none) {
                true => {
                    let mut builder = Builder::new("zeros");
                    let zeros = builder.zeros(result.ty)?;
                    Some(Sum::new(b, target, &builder.finish(&[zeros])?)?)
                }
                false => None,
            };
            Share::Permuted { sources: sources.clone(), zeros }
        }
    };
    let at = site.instr.source.location.map_or(String::new(), |at| format!(" ({at})"));
    let name = format!("{}{at}", op.kind.name().trim_start_matches("jarrah."));
    b.exchanges += 1;
    let number = b.exchanges;
    Ok(Box::new(Exchange { number, groups, operand, result, share, name: name.into() }))
}

/// The step of the number of a replica or partition, which lies in the device's memory.
pub(crate) fn coordinate<D: Backend>(
    b: &mut StepBuilder<D>,
    site: &StepSite<'_>,
    op: &AxisIndex,
) -> Box<dyn Step<D>> {
    let base = b.base();
    b.coordinates.push((base, op.axis.clone()));
    control::copy(PlacedArray { loc: Place::base(base), ..site.results[0] }, site.results[0].loc)
}

impl<D: Backend> Exchange<D> {
    /// Waits for the group of the device at `position`. Returns the operands and the results of all members.
    fn meet(&self, frame: &Frame<'_, D>) -> Result<Vec<(AddressOf<D>, AddressOf<D>)>> {
        let own = (frame.address(self.operand.loc), frame.address(self.result.loc));
        let Some(member) = frame.member else { return Ok(vec![own]) };
        let (rank, group) = &self.groups[member.position];
        if group.len() == 1 {
            return Ok(vec![own]);
        }
        if !frame.device.runs_inline() {
            frame.device.finish().wait()?;
        }
        member.meet((self.number, group[0]), (*rank, group.len()), own, &self.name)
    }
}

impl<D: Backend> Step<D> for Exchange<D> {
    fn run(&self, frame: &mut Frame<'_, D>) -> Result<()> {
        let all = self.meet(frame)?;
        let rank = frame.member.map_or(0, |member| self.groups[member.position].0);
        let result = frame.address(self.result.loc);
        let size = self.operand.size();
        match &self.share {
            Share::Combined { sum, scattered } => {
                let from = if *scattered { rank * self.result.bytes() } else { 0 };
                sum.run(frame, all.iter().map(|(operand, _)| operand.plus(from)), result)?;
            }
            Share::Uneven { sums } => {
                let sum = sums.iter().find(|(size, _)| *size == all.len());
                let (_, sum) = sum.ok_or_else(|| Error::internal("a group of another size"))?;
                sum.run(frame, all.iter().map(|(operand, _)| *operand), result)?;
            }
            Share::Shared { sum, last, slice } => {
                let bytes = self.operand.bytes();
                let slice = slice * size;
                let own = rank * slice;
                let sum = last.as_ref().filter(|_| rank + 1 == all.len()).unwrap_or(sum);
                sum.run(frame, all.iter().map(|(operand, _)| operand.plus(own)), result.plus(own))?;
                self.meet(frame)?;
                for (other, (_, from)) in all.iter().enumerate().filter(|(other, _)| *other != rank) {
                    let (from, to) = (from.plus(other * slice), result.plus(other * slice));
                    D::copy(frame, from, to, slice.min(bytes - other * slice))?;
                }
            }
            Share::Gathered => {
                let bytes = self.operand.bytes();
                for (other, (from, _)) in all.iter().enumerate() {
                    D::copy(frame, *from, result.plus(other * bytes), bytes)?;
                }
            }
            Share::Transposed => {
                let bytes = self.operand.bytes() / all.len();
                for (other, (from, _)) in all.iter().enumerate() {
                    D::copy(frame, from.plus(rank * bytes), result.plus(other * bytes), bytes)?;
                }
            }
            Share::Permuted { sources, zeros } => match (sources.get(rank).copied().flatten(), zeros) {
                (Some(source), _) => D::copy(frame, all[source as usize].0, result, self.result.bytes())?,
                (None, Some(zeros)) => zeros.run(frame, std::iter::empty(), result)?,
                (None, None) => return Err(Error::internal("a permutation without its zeros")),
            },
        }
        self.meet(frame)?;
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Exchange
    }

    fn is_long(&self) -> bool {
        true
    }
}

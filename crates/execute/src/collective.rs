//! The steps of collectives, and of the numbers of replicas and partitions.
//!
//! A device reads the operands and the results of the others in their memory. It comes to a collective with its own, waits for its group,
//! takes or combines its share in the order of the ranks, and waits until all have done so, since others read its memory until then. A
//! large sum is shared out: each rank combines a slice, then all copy the slices of the others. The values of devices of other
//! processes are copied to this one first (`span.rs`).

use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{DType, Error, Location, Result, Type};
use jarrah_compiler::{CompiledProgram, PassOptions};
use jarrah_exchange::{CollectiveCall, Tag};
use jarrah_hlo::ops::{AxisIndex, Collective, CollectiveKind, Reducer};
use jarrah_hlo::{Builder, Program};
use jarrah_runtime::Way;
use rustc_hash::FxHashMap;

use crate::address::{Posted, Read, Seen};
use crate::backend::{AddressOf, Backend, BackendAddress, BuiltStep, Frame, Step, StepBuilder};
use crate::control;
use crate::grid::DeviceGrid;
use crate::meeting::{At, Kept};
use crate::place::{Place, PlacedArray, PlacedProgram, StepSite};
use crate::span::Span;

/// Operands of at most so many bytes are combined by every rank; larger ones are shared out.
const SMALL: usize = 1 << 14;
/// Slices of a sum begin at multiples of so many elements.
const ALIGNED: usize = 64;

/// A collective.
struct Exchange<D: Backend> {
    /// Its number among those of the program.
    number: usize,
    /// For each device, its rank in its group and the group.
    members: Vec<(usize, Arc<Group>)>,
    operand: PlacedArray,
    result: PlacedArray,
    share: Share<D>,
    name: Arc<str>,
    /// Its name and its line.
    kind: &'static str,
    location: Option<Location>,
}

/// Devices that exchange values.
struct Group {
    /// The first of them, by which groups are told apart.
    first: usize,
    size: usize,
    /// How many belong to this process.
    here: usize,
    /// The processes that they belong to.
    span: Span,
}

/// The share of a device in a collective.
enum Share<D: Backend> {
    /// Its result is a combination of the operands of all, each from the slice with the number of the rank on, if they have slices.
    Combined { sum: Sum<D>, scattered: bool },
    /// Its result is the combination of the operands of its group, whose size is among these.
    Uneven { sums: Vec<(usize, Sum<D>)> },
    /// It combines a slice of the operands, `slice` elements each but for the last, and copies those of the others. The slices of a process's
    /// ranks stand side by side.
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
    let members = members(&groups, &b.grid);
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
    let location = site.instr.source.location;
    let at = location.map_or(String::new(), |at| format!(" ({at})"));
    let kind = op.kind.name().trim_start_matches("jarrah.");
    let name = format!("{kind}{at}").into();
    b.between |= members.iter().any(|(_, group)| group.span.is_wide());
    let reducer = op.kind.reducer().and_then(Reducer::elementwise);
    let function = reducer.map_or(String::new(), |kind| format!(" ({})", kind.name()));
    b.exchanged.add(
        &format!("{kind}{function} of {}", operand.ty),
        location,
        &format!("{op:?} {}", operand.ty),
    );
    let number = b.exchanged.count();
    Ok(Box::new(Exchange { number, members, operand, result, share, name, kind, location }))
}

/// For each device, its rank in its group and the group.
fn members(groups: &[(usize, Arc<[usize]>)], grid: &DeviceGrid) -> Vec<(usize, Arc<Group>)> {
    let mut known: FxHashMap<usize, Arc<Group>> = FxHashMap::default();
    let member = |(rank, devices): &(usize, Arc<[usize]>)| {
        let first = devices.first().copied().unwrap_or(usize::MAX);
        let new = || {
            let owners: Vec<usize> = devices.iter().map(|&device| grid.owner(device)).collect();
            let here = owners.iter().filter(|&&owner| owner == grid.own).count();
            Arc::new(Group { first, size: devices.len(), here, span: Span::new(&owners) })
        };
        (*rank, known.entry(first).or_insert_with(new).clone())
    };
    groups.iter().map(member).collect()
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
    /// Waits for the group of the device. Returns the memory of all members that is `read`, by rank, as far as this process needs it.
    fn meet(&self, frame: &Frame<'_, D>, read: Option<Read>) -> Result<Vec<Seen<AddressOf<D>>>> {
        let own = (frame.address(self.operand.loc), frame.address(self.result.loc));
        let alone = || Ok(vec![Seen::whole(if read == Some(Read::Results) { own.1 } else { own.0 })]);
        let Some(member) = frame.member else { return alone() };
        let (rank, group) = &self.members[member.position];
        if group.size == 1 {
            return alone();
        }
        if !frame.device.runs_inline() {
            frame.device.finish().wait()?;
        }
        let at = At { place: (self.number, group.first), rank: *rank, size: group.size, here: group.here };
        let fetch = |posted: &[Posted<AddressOf<D>>], turn: u64| {
            let between = member.meeting.between.as_ref();
            let between =
                between.ok_or_else(|| Error::internal("a group of several processes in a run of one"))?;
            let tag = Tag { step: self.number as u32, group: group.first as u32, turn, ..between.tag() };
            let call = CollectiveCall { tag, name: self.kind, location: self.location };
            let read = read.unwrap_or(Read::Operands);
            let needs = |to: &[usize], from: usize| self.needs(group, read, to, from);
            let (kept, seen) = group.span.fetch(frame, between, &call, posted, read, &needs)?;
            Ok((kept as Kept, seen))
        };
        let fetch = (group.span.is_wide() && read.is_some()).then_some(&fetch as _);
        member.meet(at, own, &self.name, read.unwrap_or(Read::Operands), fetch)
    }

    /// The bytes of the operand or the result of the rank `from` that these ranks need.
    fn needs(&self, group: &Group, read: Read, to: &[usize], from: usize) -> Range<usize> {
        let whole = 0..self.operand.bytes();
        let parts = |bytes: usize| {
            let (first, last) =
                (to.iter().min().copied().unwrap_or(0), to.iter().max().copied().unwrap_or(0));
            first * bytes..(last + 1) * bytes
        };
        match &self.share {
            Share::Combined { scattered: true, .. } => parts(self.result.bytes()),
            Share::Combined { .. } | Share::Uneven { .. } | Share::Gathered => whole,
            Share::Transposed => parts(self.operand.bytes() / group.size),
            Share::Shared { slice, .. } => {
                let slice = slice * self.operand.size();
                let at = |place: usize| (place * slice).min(whole.end);
                match read {
                    Read::Operands => {
                        let places = to.iter().map(|&rank| group.span.place(rank));
                        let (first, last) = (places.clone().min().unwrap_or(0), places.max().unwrap_or(0));
                        at(first)..at(last + 1)
                    }
                    Read::Results => at(group.span.place(from))..at(group.span.place(from) + 1),
                }
            }
            Share::Permuted { sources, .. } => {
                let takes = |rank: &usize| sources.get(*rank).copied().flatten() == Some(from as u32);
                if to.iter().any(takes) { whole } else { 0..0 }
            }
        }
    }
}

impl<D: Backend> Step<D> for Exchange<D> {
    fn run(&self, frame: &mut Frame<'_, D>) -> Result<()> {
        let all = self.meet(frame, Some(Read::Operands))?;
        let (rank, group) = match frame.member {
            Some(member) => {
                let (rank, group) = &self.members[member.position];
                (*rank, Some(group))
            }
            None => (0, None),
        };
        let result = frame.address(self.result.loc);
        let size = self.operand.size();
        match &self.share {
            Share::Combined { sum, scattered } => {
                let from = if *scattered { rank * self.result.bytes() } else { 0 };
                sum.run(frame, all.iter().map(|operand| operand.at(from)), result)?;
            }
            Share::Uneven { sums } => {
                let sum = sums.iter().find(|(size, _)| *size == all.len());
                let (_, sum) = sum.ok_or_else(|| Error::internal("a group of another size"))?;
                sum.run(frame, all.iter().map(|operand| operand.at(0)), result)?;
            }
            Share::Shared { sum, last, slice } => {
                let place = |rank: usize| group.map_or(rank, |group| group.span.place(rank));
                let bytes = self.operand.bytes();
                let slice = slice * size;
                let own = place(rank) * slice;
                let sum = last.as_ref().filter(|_| place(rank) + 1 == all.len()).unwrap_or(sum);
                sum.run(frame, all.iter().map(|operand| operand.at(own)), result.plus(own))?;
                let all = self.meet(frame, Some(Read::Results))?;
                for (other, from) in all.iter().enumerate().filter(|(other, _)| *other != rank) {
                    let at = place(other) * slice;
                    D::copy(frame, from.at(at), result.plus(at), slice.min(bytes - at))?;
                }
            }
            Share::Gathered => {
                let bytes = self.operand.bytes();
                for (other, from) in all.iter().enumerate() {
                    D::copy(frame, from.at(0), result.plus(other * bytes), bytes)?;
                }
            }
            Share::Transposed => {
                let bytes = self.operand.bytes() / all.len();
                for (other, from) in all.iter().enumerate() {
                    D::copy(frame, from.at(rank * bytes), result.plus(other * bytes), bytes)?;
                }
            }
            Share::Permuted { sources, zeros } => match (sources.get(rank).copied().flatten(), zeros) {
                (Some(source), _) => {
                    D::copy(frame, all[source as usize].at(0), result, self.result.bytes())?;
                }
                (None, Some(zeros)) => zeros.run(frame, std::iter::empty(), result)?,
                (None, None) => return Err(Error::internal("a permutation without its zeros")),
            },
        }
        self.meet(frame, None)?;
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Exchange
    }

    fn is_long(&self) -> bool {
        true
    }
}

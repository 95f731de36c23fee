//! Small steps that touch nothing of each other, such as an optimizer's updates of many small parameters, run as the tasks of
//! one parallel region: a region costs a few microseconds, which is more than such a step takes.

use jarrah_base::Result;
use jarrah_runtime::Way;
use smallvec::SmallVec;

use crate::backend::{Backend, Beside, BuiltStep, Frame, Independent, Step};
use crate::place::{Place, PlacedArray};

/// The most bytes that a step touches to be one task of a region; larger ones use all threads by themselves.
const SMALL: usize = 256 << 10;
/// The fewest bytes that are worth a region.
const WORTHWHILE: usize = 64 << 10;
/// How many of the last steps and groups are looked at for a group that a step may join.
const REACH: usize = 8;
/// The most steps of a group.
const MOST: usize = 64;

/// The memory that a step touches. Distinct bases are distinct memory, but for what is only read.
#[derive(Default)]
struct Touched {
    reads: Vec<(Place, usize)>,
    writes: Vec<(Place, usize)>,
    bytes: usize,
}

impl Touched {
    fn new<D: Backend>(step: &dyn Independent<D>) -> Touched {
        let memory = |arrays: &[PlacedArray]| arrays.iter().map(|a| (a.loc, a.bytes())).collect::<Vec<_>>();
        let (reads, writes) = (memory(step.reads()), memory(step.writes()));
        let bytes = reads.iter().chain(&writes).map(|(_, bytes)| bytes).sum();
        Touched { reads, writes, bytes }
    }

    /// Whether the two steps touch a place that one of them writes, so that their order matters.
    fn meets(&self, other: &Touched) -> bool {
        let overlap = |(a, of_a): &(Place, usize), (b, of_b): &(Place, usize)| {
            a.base == b.base && a.offset < b.offset + of_b && b.offset < a.offset + of_a
        };
        let any = |writes: &[(Place, usize)], all: &[(Place, usize)]| {
            writes.iter().any(|write| all.iter().any(|place| overlap(write, place)))
        };
        any(&self.writes, &other.writes) || any(&self.writes, &other.reads) || any(&other.writes, &self.reads)
    }
}

/// Steps whose order does not matter.
struct Together<D: Backend>(Vec<BuiltStep<D>>);

impl<D: Backend> Step<D> for Together<D> {
    fn run(&self, frame: &mut Frame<'_, D>) -> Result<()> {
        let steps: SmallVec<[Beside<'_, D>; MOST]> = self.0.iter().filter_map(BuiltStep::beside).collect();
        D::beside(frame, &steps)
    }

    fn way(&self) -> Way {
        Way::Control
    }

    fn nests(&self) -> bool {
        true
    }
}

/// A step in its place, or small steps that run in the place of the first of them.
enum Slot<D: Backend> {
    One(BuiltStep<D>, Option<Touched>),
    Group(Vec<(BuiltStep<D>, Touched)>),
}

impl<D: Backend> Slot<D> {
    /// Whether the slot has to come before a step that touches this memory.
    fn precedes(&self, touched: &Touched) -> bool {
        match self {
            Slot::One(_, Some(own)) => own.meets(touched),
            Slot::One(_, None) => true,
            Slot::Group(group) => group.iter().any(|(_, own)| own.meets(touched)),
        }
    }
}

/// The steps, with small ones that touch nothing of each other as one. A step that joins a group runs before the steps between,
/// which touch nothing of it either.
///
/// The work for each step is bounded by [`REACH`] and [`MOST`].
pub fn group<D: Backend>(steps: Vec<BuiltStep<D>>) -> Vec<BuiltStep<D>> {
    let mut slots: Vec<Slot<D>> = Vec::with_capacity(steps.len());
    for prepared in steps {
        let Some(touched) = prepared.step.independent().map(Touched::new) else {
            slots.push(Slot::One(prepared, None));
            continue;
        };
        if touched.bytes > SMALL {
            slots.push(Slot::One(prepared, Some(touched)));
            continue;
        }
        let mut home = None;
        for (back, slot) in slots.iter().rev().take(REACH).enumerate() {
            if slot.precedes(&touched) {
                break;
            }
            if matches!(slot, Slot::Group(group) if group.len() < MOST) {
                home = Some(slots.len() - 1 - back);
                break;
            }
        }
        match home.and_then(|at| slots.get_mut(at)) {
            Some(Slot::Group(group)) => group.push((prepared, touched)),
            _ => slots.push(Slot::Group(vec![(prepared, touched)])),
        }
    }
    let mut grouped = Vec::with_capacity(slots.len());
    for slot in slots {
        match slot {
            Slot::One(prepared, _) => grouped.push(prepared),
            Slot::Group(group) => {
                let bytes: usize = group.iter().map(|(_, touched)| touched.bytes).sum();
                let steps = group.into_iter().map(|(prepared, _)| prepared);
                if bytes < WORTHWHILE {
                    grouped.extend(steps);
                    continue;
                }
                let steps: Vec<BuiltStep<D>> = steps.collect();
                if !steps.is_empty() {
                    grouped.push(BuiltStep { number: None, step: Box::new(Together(steps)) });
                }
            }
        }
    }
    grouped
}

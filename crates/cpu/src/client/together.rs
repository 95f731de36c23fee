//! Small steps that touch nothing of each other, such as an optimizer's updates of many small parameters, run as the tasks of
//! one parallel region: a region costs a few microseconds, which is more than such a step takes.

use jarrah_base::Result;
use jarrah_runtime::Way;

use super::frame::{Frame, Loc, Prepared, Step};
use super::site::Array;

/// The most bytes that a step touches to be one task of a region; larger ones use all threads by themselves.
const SMALL: usize = 256 << 10;
/// The fewest bytes that are worth a region.
const WORTHWHILE: usize = 64 << 10;
/// How many of the last steps and groups are looked at for a group that a step may join.
const REACH: usize = 8;
/// The most steps of a group.
const MOST: usize = 64;

/// A step that needs the addresses of its frame only, so that it may run while other steps do.
pub trait Independent: Send + Sync {
    /// The arrays that the step reads.
    fn reads(&self) -> &[Array];

    /// The arrays that the step writes.
    fn writes(&self) -> &[Array];

    /// Runs the step.
    fn run_beside(&self, frame: &Frame<'_>);
}

/// The memory that a step touches. Distinct bases are distinct memory, but for what is only read.
#[derive(Default)]
struct Touched {
    reads: Vec<(Loc, usize)>,
    writes: Vec<(Loc, usize)>,
    bytes: usize,
}

impl Touched {
    fn new(step: &dyn Independent) -> Touched {
        let memory = |arrays: &[Array]| arrays.iter().map(|a| (a.loc, a.bytes())).collect::<Vec<_>>();
        let (reads, writes) = (memory(step.reads()), memory(step.writes()));
        let bytes = reads.iter().chain(&writes).map(|(_, bytes)| bytes).sum();
        Touched { reads, writes, bytes }
    }

    /// Whether the two steps touch a place that one of them writes, so that their order matters.
    fn meets(&self, other: &Touched) -> bool {
        let overlap = |(a, of_a): &(Loc, usize), (b, of_b): &(Loc, usize)| {
            a.base == b.base && a.offset < b.offset + of_b && b.offset < a.offset + of_a
        };
        let any = |writes: &[(Loc, usize)], all: &[(Loc, usize)]| {
            writes.iter().any(|write| all.iter().any(|place| overlap(write, place)))
        };
        any(&self.writes, &other.writes) || any(&self.writes, &other.reads) || any(&other.writes, &self.reads)
    }
}

/// Steps whose order does not matter.
struct Together(Vec<Prepared>);

/// A frame whose addresses several tasks read.
struct Addresses<'a, 'b>(&'a Frame<'b>);

// SAFETY: tasks only read the addresses, which nobody binds meanwhile.
unsafe impl Sync for Addresses<'_, '_> {}

impl<'b> Addresses<'_, 'b> {
    fn frame(&self) -> &Frame<'b> {
        self.0
    }
}

impl Step for Together {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        // Steps are timed one by one, so they run one by one where that is asked for.
        if frame.is_timed() {
            return frame.run(&self.0);
        }
        let addresses = Addresses(frame);
        frame.pool.run(self.0.len(), &|task| {
            if let Some(step) = self.0[task].step.independent() {
                step.run_beside(addresses.frame());
            }
        });
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Control
    }

    fn nests(&self) -> bool {
        true
    }
}

/// A step in its place, or small steps that run in the place of the first of them.
enum Slot {
    One(Prepared, Option<Touched>),
    Group(Vec<(Prepared, Touched)>),
}

impl Slot {
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
pub fn group(steps: Vec<Prepared>) -> Vec<Prepared> {
    let mut slots: Vec<Slot> = Vec::with_capacity(steps.len());
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
                let steps: Vec<Prepared> = steps.collect();
                if let Some(first) = steps.first() {
                    grouped.push(Prepared { number: first.number, step: Box::new(Together(steps)) });
                }
            }
        }
    }
    grouped
}

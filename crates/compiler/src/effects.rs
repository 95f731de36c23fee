//! Whether a pass kept the effects of a program: none lost, none doubled, and the ordered ones in their order.

use std::hash::{Hash, Hasher};

use jarrah_base::{Error, Result, Source, work};
use jarrah_hlo::ops::CustomCall;
use jarrah_hlo::{Op, Program};
use rustc_hash::FxHashMap;

/// Something that a program does, or something that does such things.
enum Event<'p> {
    Call(Identity<'p>),
    /// The effects of each step of a loop.
    Loop(Vec<Event<'p>>),
    /// The effects of each branch.
    Branches(Vec<Vec<Event<'p>>>),
}

/// A call, and where it stands.
#[derive(Clone, Copy)]
struct Identity<'p> {
    call: &'p CustomCall,
    source: Source,
}

/// A pass may change a call's operands; and as equal sub-programs are transformed once, it may change the line.
impl PartialEq for Identity<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.call == other.call
    }
}

impl Eq for Identity<'_> {}

impl Hash for Identity<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.call.hash(state);
    }
}

/// How often a call stands in a program, and how often of these in a branch, which goes if its index is constant.
#[derive(Clone, Copy, Default)]
struct Count {
    all: usize,
    in_branches: usize,
}

/// The effects of a program.
#[derive(Default)]
struct Effects<'p> {
    /// Every call that may not be dropped or run twice, by the number of loops around it.
    counts: FxHashMap<(Identity<'p>, usize), Count>,
}

/// Checks that `after`, which a pass made of `before`, has the same effects: each as often, under as many loops, and
/// the ordered ones in the same order. A branch on a constant may have become what it selects.
///
/// # Errors
/// An internal error, at the line of the call that is lost, doubled or out of order.
pub fn check_effects(before: &Program, after: &Program) -> Result<()> {
    let (mut old, mut new) = (Effects::default(), Effects::default());
    let (old_events, new_events) = (old.of(before, 0, false), new.of(after, 0, false));
    for (&(identity, loops), count) in &old.counts {
        let now = new.counts.get(&(identity, loops)).copied().unwrap_or_default();
        let lost = now.all < count.all - count.in_branches && !identity.call.effects.may_drop();
        if now.all > count.all || lost {
            let what = if now.all > count.all { "doubled" } else { "lost" };
            return Err(broken(identity, what, after));
        }
    }
    if let Some(((identity, _), _)) = new.counts.iter().find(|(key, _)| !old.counts.contains_key(key)) {
        return Err(broken(*identity, "added or moved out of or into a loop", after));
    }
    let end = follow(&old_events, &new_events).map_err(|lost| broken(lost, "out of order", after))?;
    match new_events.get(end).and_then(first) {
        Some(identity) => Err(broken(identity, "out of order", after)),
        None => Ok(()),
    }
}

fn broken(identity: Identity<'_>, what: &str, program: &Program) -> Error {
    let target = &identity.call.target;
    let error =
        Error::internal(format!("the effect of the call of {target:?} in {} is {what}", program.name()));
    identity.source.location.map_or(error.clone(), |location| error.at(location))
}

impl<'p> Effects<'p> {
    /// Counts the calls of `program`, which runs in `loops` loops, and gives its ordered events.
    fn of(&mut self, program: &'p Program, loops: usize, in_branch: bool) -> Vec<Event<'p>> {
        let mut events = Vec::new();
        if program.effects().is_pure() {
            return events;
        }
        for instr in program.instrs() {
            work::step(1);
            let effects = instr.op.effects();
            if effects.is_pure() {
                continue;
            }
            match &instr.op {
                Op::CustomCall(call) => {
                    let identity = Identity { call, source: instr.source };
                    if effects.ordered {
                        events.push(Event::Call(identity));
                    }
                    let count = self.counts.entry((identity, loops)).or_default();
                    count.all += 1;
                    count.in_branches += usize::from(in_branch);
                }
                Op::Case(op) => {
                    let branches: Vec<_> = op.branches.iter().map(|b| self.of(b, loops, true)).collect();
                    if branches.iter().any(|events| !events.is_empty()) {
                        events.push(Event::Branches(branches));
                    }
                }
                op if let Some(callee) = op.callee() => events.extend(self.of(callee, loops, in_branch)),
                op => {
                    let mut step = Vec::new();
                    for program in op.programs() {
                        step.extend(self.of(program, loops + 1, in_branch));
                    }
                    if !step.is_empty() {
                        events.push(Event::Loop(step));
                    }
                }
            }
        }
        events
    }
}

/// How many of the first events in `new` are those in `old`.
///
/// # Errors
/// The first event in `old` that is not there.
fn follow<'p>(old: &[Event<'p>], new: &[Event<'p>]) -> Result<usize, Identity<'p>> {
    let whole = |old: &[Event<'p>], new: &[Event<'p>]| follow(old, new) == Ok(new.len());
    let mut at = 0;
    for event in old {
        work::step(1);
        let lost = || first(event).map_or(Ok(()), Err);
        match (event, new.get(at)) {
            (Event::Call(a), Some(Event::Call(b))) if a == b => at += 1,
            (Event::Loop(a), Some(Event::Loop(b))) if whole(a, b) => at += 1,
            (Event::Branches(a), Some(Event::Branches(b)))
                if a.len() == b.len() && a.iter().zip(b).all(|(a, b)| whole(a, b)) =>
            {
                at += 1;
            }
            // The selected branch stands in the place of all.
            (Event::Branches(branches), _) => {
                match branches.iter().filter_map(|b| follow(b, &new[at..]).ok()).max() {
                    Some(count) => at += count,
                    None => lost()?,
                }
            }
            _ => lost()?,
        }
    }
    Ok(at)
}

/// The first call of an event.
fn first<'p>(event: &Event<'p>) -> Option<Identity<'p>> {
    match event {
        Event::Call(identity) => Some(*identity),
        Event::Loop(step) => step.iter().find_map(first),
        Event::Branches(branches) => branches.iter().flatten().find_map(first),
    }
}

//! Values that are computed again near their later uses, so that their memory is free in between:
//! `y = f(x); g(); h(y)  =  y = f(x); g(); y' = f(x); h(y')`.
//!
//! The pass works on the steps as they are scheduled, since these decide what is alive when. While the step with the most
//! live bytes is above the target, one value that is alive there and not used there is computed again before its next use,
//! together with those of its operands that are gone by then: the one with the most bytes times steps of lifetime for each
//! operation and byte that computing it again costs. A round is taken only where the place at which it is made again stays below the
//! target, or wins more than it adds. Steps that are computed again are the same steps, so every bit stays.
//!
//! Where a loop or a branch is the step of the peak, the same is done to the programs inside.
//!
//! Only steps whose effects allow it are computed again, and no random bits. What is returned stays, since results have memory of
//! their own for the whole run.

use jarrah_base::{Location, Result, Type, work};
use jarrah_hlo::{Alias, Builder, Instr, Op, Operands, Program, ProgramRef, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::assignment::{Assignment, Carry, MemoryPlace};
use crate::buffers::{self, reusable};
use crate::plan::what_it_does;
use crate::rebuild::{has_steps, rebuild};
use crate::target::Target;

/// A step that runs again, so that what it makes need not be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recomputed {
    /// The step in words.
    pub what: String,
    /// The types of what it makes, and their bytes.
    pub types: Vec<String>,
    /// The bytes of what it makes.
    pub bytes: usize,
    /// The operations that a further time takes, in units of one.
    pub flops: u64,
    /// How many times more it runs.
    pub times: usize,
    /// The line that asked for it.
    pub line: Option<String>,
}

impl std::fmt::Display for Recomputed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Recomputed { what, types, bytes, flops, times, line } = self;
        let at = line.as_ref().map_or(String::new(), |line| format!(" at {line}"));
        let again = if *times == 1 { String::new() } else { format!(", {times} times") };
        let (size, types) = (jarrah_base::memory::size(*bytes), types.join(", "));
        write!(f, "{size}: {types}, {what}{at}, computed again{again} ({flops} flops)")
    }
}

/// How many times the target for live bytes is lowered because memory in pieces needs more than what is live.
const TRIES: usize = 12;
/// The targets on the way to the one that is needed.
const STAGES: u64 = 8;
/// The most steps that are run again to have one value again.
const CHAIN: usize = 48;
/// The most rounds, for each instruction of the program.
const ROUNDS: usize = 4;
/// The cost of moving a byte, in operations.
const BYTE: f64 = 4.0;

/// The program with values computed again so that its arguments, results and temporaries take at most `limit` bytes, or as
/// little as this pass reaches, and what is computed again.
///
/// # Errors
/// A type has more bytes than addresses reach.
pub fn run(
    program: &Program,
    aliases: &[Alias],
    limit: usize,
    target: &dyn Target,
) -> Result<(Program, Vec<Recomputed>)> {
    let measure = |program: &Program| {
        let assignment = buffers::run(program, aliases, target, 0)?;
        Ok((assignment.memory.total(), assignment))
    };
    let (program, mut again) = shrink(program, limit, target.alignment(), &measure)?;
    again.sort_by_key(|note| std::cmp::Reverse(note.bytes));
    Ok((program, again))
}

/// As [`run`] for a program whose memory and assignment `measure` says.
fn shrink(
    program: &Program,
    limit: usize,
    alignment: usize,
    measure: &dyn Fn(&Program) -> Result<(usize, Assignment)>,
) -> Result<(Program, Vec<Recomputed>)> {
    let (mut best, assignment) = measure(program)?;
    let mut found = (program.clone(), Vec::new());
    if best <= limit {
        return Ok(found);
    }
    let first = best;
    // Where choices for the limit itself lead nowhere, others, on the way to as little as can be, may lead further.
    for goal in [limit, 0] {
        let mut draft = Draft::new(program, &assignment)?;
        let most = draft.most();
        let mut target = most.saturating_sub((first - goal) as u64);
        // In stages: what rises above a later target on its way to free memory is lowered in turn.
        for stage in 1..STAGES {
            draft.lower(most - (most - target) / STAGES * stage)?;
        }
        for _ in 0..TRIES {
            let reached = draft.lower(target)?;
            let again = draft.program()?;
            let (total, _) = measure(&again)?;
            if total < best {
                best = total;
                found = (again, draft.recomputed());
            }
            if total <= limit || !reached {
                break;
            }
            target = target.saturating_sub((total - goal) as u64);
        }
        if best <= limit {
            break;
        }
    }
    // What is left to win is inside the loop or branch that is the step of the peak.
    let mut done = FxHashSet::default();
    while best > limit {
        let (_, assignment) = measure(&found.0)?;
        let Some(peak) = Draft::new(&found.0, &assignment)?.peak_inside() else { break };
        if !done.insert(peak) {
            break;
        }
        let (next, again) = inside(&found.0, &assignment, peak, best - limit, alignment)?;
        let (total, _) = measure(&next)?;
        if total >= best {
            break;
        }
        best = total;
        found.0 = next;
        found.1.extend(again);
    }
    Ok(found)
}

/// The program with the programs inside the instruction `index` made to take `excess` bytes less, as far as that goes.
fn inside(
    program: &Program,
    assignment: &Assignment,
    index: usize,
    excess: usize,
    alignment: usize,
) -> Result<(Program, Vec<Recomputed>)> {
    let op = &program.instrs()[index].op;
    let inner = assignment.nested.get(&index).map_or(&[][..], |nested| &nested.programs);
    let most = inner.iter().map(Assignment::arena).max().unwrap_or(0);
    let (mut programs, mut again) = (Vec::new(), Vec::new());
    for (which, body) in op.programs().into_iter().enumerate() {
        let measure = |body: &Program| {
            let assignment = buffers::inside(op, which, body, alignment)?;
            Ok((assignment.arena(), assignment))
        };
        let (body, notes) = shrink(body, most.saturating_sub(excess), alignment, &measure)?;
        programs.push(ProgramRef::new(body));
        again.extend(notes);
    }
    let mut position = 0;
    let next = rebuild(program, |b, instr, operands| {
        position += 1;
        match position - 1 == index {
            true => b.push(instr.op.with_programs(&programs), operands),
            false => Ok(b.copy(program, instr, operands)),
        }
    })?;
    Ok((next, again))
}

/// A value of the draft.
type Node = usize;

/// A step of the draft: an instruction of the program, with operands that may be other values than it had.
#[derive(Clone)]
struct Step {
    instr: usize,
    operands: SmallVec<[Node; 4]>,
    first: Node,
    /// Whether the step runs again.
    again: bool,
}

/// A value of the draft.
#[derive(Clone, Copy)]
struct Slot {
    /// The value of the program that it is, or is again.
    value: Value,
    /// The bytes that it takes in the arena while it is alive: none for arguments, constants, reshapes and results.
    bytes: u64,
}

/// A program whose steps are being added to.
struct Draft<'a> {
    program: &'a Program,
    steps: Vec<Step>,
    slots: Vec<Slot>,
    results: Vec<Node>,
    /// The bytes that loops and branches use inside, by instruction.
    inside: Vec<u64>,
    /// The cost of running an instruction again; `None` where it may not run again.
    cost: Vec<Option<f64>>,
    /// Which operands' memory the results of an instruction may take over.
    reusable: Vec<Vec<(usize, Value)>>,
    /// Whether each parameter keeps what it holds to the end; others are written over.
    kept: Vec<bool>,
    /// The nodes that hold the same as each value.
    same: FxHashMap<Value, SmallVec<[Node; 2]>>,
}

/// When the nodes of a draft are alive, and how much is at each step.
struct Alive {
    /// The node that each node reshapes, or itself.
    roots: Vec<Node>,
    /// The step that makes a node, counted from one, and for a root the last one that uses it.
    spans: Vec<(usize, usize)>,
    /// The steps that use a root.
    uses: Vec<SmallVec<[usize; 4]>>,
    /// Whether a root is a result, or a result reshapes it.
    returned: Vec<bool>,
    /// The live bytes at each step.
    bytes: Vec<u64>,
}

/// A way to have values again.
struct Choice {
    score: f64,
    /// The step before which they are made again.
    at: usize,
    steps: Vec<Step>,
    slots: Vec<Slot>,
    /// The new node of each old one.
    map: FxHashMap<Node, Node>,
}

impl<'a> Draft<'a> {
    fn new(program: &'a Program, assignment: &Assignment) -> Result<Draft<'a>> {
        let partners: Vec<usize> = assignment.donations.iter().flatten().copied().collect();
        let mut slots: Vec<Slot> = Vec::with_capacity(program.value_count());
        let mut same: FxHashMap<Value, SmallVec<[Node; 2]>> = FxHashMap::default();
        for value in program.param_values() {
            slots.push(Slot { value, bytes: 0 });
        }
        let (mut steps, mut inside, mut cost) = (Vec::new(), Vec::new(), Vec::new());
        let given = program.instrs().iter().enumerate();
        let reusable =
            given.map(|(index, instr)| reusable(program, instr, assignment.nested.get(&index))).collect();
        for (index, instr) in program.instrs().iter().enumerate() {
            let first = slots.len();
            for value in instr.results() {
                let bytes = match assignment.places[value.index()] {
                    MemoryPlace::Temporary { bytes, .. } => bytes as u64,
                    _ => 0,
                };
                same.entry(value).or_default().push(slots.len());
                slots.push(Slot { value, bytes });
            }
            let operands = instr.operands.iter().map(|v| v.index()).collect();
            steps.push(Step { instr: index, operands, first, again: false });
            let mut within = 0;
            if let Some(nested) = assignment.nested.get(&index) {
                within += nested.within(&instr.op) as u64;
                for (carry, value) in nested.carry.iter().zip(instr.results()) {
                    if matches!(carry, Carry::Double { .. }) {
                        within += program.ty(value).bytes()? as u64;
                    }
                }
            }
            inside.push(within);
            cost.push(cost_of(program, instr)?);
        }
        let results: Vec<Node> = program.results().iter().map(|v| v.index()).collect();
        let kept = (0..program.params().len()).map(|i| !partners.contains(&i)).collect();
        Ok(Draft { program, steps, slots, results, inside, cost, reusable, kept, same })
    }

    fn instr(&self, step: &Step) -> &'a Instr {
        &self.program.instrs()[step.instr]
    }

    fn alive(&self) -> Alive {
        let mut roots: Vec<Node> = (0..self.slots.len()).collect();
        let mut spans = vec![(0, 0); self.slots.len()];
        let mut uses: Vec<SmallVec<[usize; 4]>> = vec![SmallVec::new(); self.slots.len()];
        for (index, step) in self.steps.iter().enumerate() {
            let (instr, position) = (self.instr(step), index + 1);
            work::step(1 + step.operands.len());
            for node in step.first..step.first + instr.results().len() {
                spans[node] = (position, position);
                if matches!(instr.op, Op::Reshape(_)) {
                    roots[node] = roots[step.operands[0]];
                }
            }
            for &operand in &step.operands {
                let root = roots[operand];
                spans[root].1 = position;
                if uses[root].last() != Some(&position) {
                    uses[root].push(position);
                }
            }
        }
        let mut returned = vec![false; self.slots.len()];
        for &result in &self.results {
            returned[roots[result]] = true;
            spans[roots[result]].1 = self.steps.len() + 1;
        }
        let mut change = vec![0i128; self.steps.len() + 3];
        for (node, slot) in self.slots.iter().enumerate() {
            change[spans[node].0] += i128::from(slot.bytes);
            change[spans[node].1 + 1] -= i128::from(slot.bytes);
        }
        let mut live = 0i128;
        let mut bytes: Vec<u64> = Vec::with_capacity(change.len());
        for change in change {
            live += change;
            bytes.push(live as u64);
        }
        for (index, step) in self.steps.iter().enumerate() {
            let at = &mut bytes[index + 1];
            *at += self.inside[step.instr];
            *at -= self.taken_over(step, index + 1, &roots, &spans).min(*at);
        }
        Alive { roots, spans, uses, returned, bytes }
    }

    /// The bytes of results that take over the memory of an operand which dies at the step.
    fn taken_over(&self, step: &Step, position: usize, roots: &[Node], spans: &[(usize, usize)]) -> u64 {
        let instr = self.instr(step);
        let (mut saved, mut taken) = (0, SmallVec::<[Node; 4]>::new());
        let first = instr.results().next().map_or(0, Value::index);
        for &(operand, result) in &self.reusable[step.instr] {
            let from = roots[step.operands[operand]];
            let to = step.first + (result.index() - first);
            let dies = spans[from].1 == position && self.slots[from].bytes == self.slots[to].bytes;
            if dies && !taken.contains(&from) && !taken.contains(&to) {
                taken.extend([from, to]);
                saved += self.slots[to].bytes;
            }
        }
        saved
    }

    /// The most bytes alive at once.
    fn most(&self) -> u64 {
        self.alive().bytes.into_iter().max().unwrap_or(0)
    }

    /// The instruction of the step with the most bytes alive, if it is a loop or a branch with temporaries of its own.
    fn peak_inside(&self) -> Option<usize> {
        let bytes = self.alive().bytes;
        let peak = (1..=self.steps.len()).max_by_key(|&step| bytes[step])?;
        let instr = self.steps[peak - 1].instr;
        (self.inside[instr] > 0 && has_steps(&self.program.instrs()[instr].op)).then_some(instr)
    }

    /// Computes values again until at most `target` bytes are alive at each step; false where that cannot be reached.
    fn lower(&mut self, target: u64) -> Result<bool> {
        // Each round lowers what is above the target; the bound is for rounds that win next to nothing.
        for _ in 0..ROUNDS * self.program.instrs().len() {
            let alive = self.alive();
            // The last of the highest steps: what is alive there is used soonest.
            let peak = (0..alive.bytes.len()).max_by_key(|&step| alive.bytes[step]).unwrap_or(0);
            if alive.bytes[peak] <= target {
                return Ok(true);
            }
            let Some(choice) = self.best(&alive, peak, target)? else { return Ok(false) };
            self.take(choice, &alive);
        }
        Ok(false)
    }

    /// The best choice that frees memory at the step `peak`.
    fn best(&self, alive: &Alive, peak: usize, target: u64) -> Result<Option<Choice>> {
        let mut best: Option<Choice> = None;
        for step in &self.steps[..peak.saturating_sub(1).min(self.steps.len())] {
            if self.cost[step.instr].is_none() {
                continue;
            }
            let results = self.instr(step).results().len();
            // The values of this step that are only waiting at the peak, and their next uses.
            let (mut waiting, mut next, mut lifetime) = (SmallVec::<[Node; 4]>::new(), usize::MAX, 0);
            for node in step.first..step.first + results {
                if self.slots[node].bytes == 0 || alive.returned[node] || alive.spans[node].1 <= peak {
                    continue;
                }
                let uses = &alive.uses[node];
                let after = uses.partition_point(|&u| u < peak);
                if uses.get(after) == Some(&peak) {
                    continue;
                }
                let before = after.checked_sub(1).map_or(alive.spans[node].0, |i| uses[i]);
                waiting.push(node);
                next = next.min(uses[after]);
                lifetime = lifetime.max(uses[after] - before);
            }
            if waiting.is_empty() {
                continue;
            }
            work::step(waiting.len());
            let choice = self.again(alive, &waiting, next, lifetime, target);
            best = match (best, choice) {
                (Some(best), Some(choice)) if choice.score > best.score => Some(choice),
                (None, choice) => choice,
                (best, _) => best,
            };
        }
        Ok(best)
    }

    /// How to have the values `waiting` again right before step `at`; `None` where it is not possible within `target`.
    fn again(
        &self,
        alive: &Alive,
        waiting: &[Node],
        at: usize,
        lifetime: usize,
        target: u64,
    ) -> Option<Choice> {
        let mut chain = Chain {
            draft: self,
            alive,
            at,
            gone: waiting,
            steps: Vec::new(),
            slots: Vec::new(),
            map: FxHashMap::default(),
            waiting: 0,
            cost: 0.0,
        };
        for &node in waiting {
            let made = chain.node(node)?;
            chain.map.insert(node, made);
        }
        let saved: u64 = waiting.iter().map(|&node| self.slots[node].bytes).sum();
        let made: u64 = chain.slots.iter().map(|slot| slot.bytes).sum();
        // What is made on the way comes on top of what is alive from the step before to this one.
        let across = alive.bytes[at].min(alive.bytes[at - 1]);
        if made > saved && across.saturating_add(made - saved) > target {
            return None;
        }
        let score = saved as f64 * lifetime as f64 / (chain.cost + 1.0);
        Some(Choice { score, at, steps: chain.steps, slots: chain.slots, map: chain.map })
    }

    /// Adds the steps of a choice, and lets what comes after use what they make.
    fn take(&mut self, choice: Choice, alive: &Alive) {
        let Choice { at, steps, slots, mut map, .. } = choice;
        for (i, slot) in slots.iter().enumerate() {
            self.same.entry(slot.value).or_default().push(self.slots.len() + i);
        }
        self.slots.extend(slots);
        let gone: Vec<Node> = map.keys().copied().collect();
        let later = self.steps.split_off(at - 1);
        self.steps.extend(steps);
        for mut step in later {
            for operand in &mut step.operands {
                // A reshape that was made before, of what is made again, is made again too.
                let before = alive.spans[*operand].0 < at && gone.contains(&alive.roots[*operand]);
                if before {
                    *operand = self.reshape_again(*operand, &mut map, alive);
                } else if let Some(&again) = map.get(operand) {
                    *operand = again;
                }
            }
            self.steps.push(step);
        }
    }

    /// The node that stands for `node`, a reshape of a value that was made again; a step is added if there is none yet.
    fn reshape_again(&mut self, node: Node, map: &mut FxHashMap<Node, Node>, alive: &Alive) -> Node {
        // Steps before the one in question are where they were.
        let step_of = |this: &Self, node: Node| this.steps[alive.spans[node].0 - 1].clone();
        let (mut open, mut from) = (Vec::new(), node);
        while !map.contains_key(&from) {
            open.push(from);
            from = step_of(self, from).operands[0];
        }
        let mut made = map[&from];
        for node in open.into_iter().rev() {
            let step = step_of(self, node);
            let again = self.slots.len();
            self.slots.push(self.slots[node]);
            self.same.entry(self.slots[node].value).or_default().push(again);
            self.steps.push(Step {
                operands: SmallVec::from_slice(&[made]),
                first: again,
                again: true,
                ..step
            });
            map.insert(node, again);
            made = again;
        }
        made
    }

    fn program(&self) -> Result<Program> {
        let mut b = Builder::like(self.program);
        let mut map: Vec<Option<Value>> = vec![None; self.slots.len()];
        for param in self.program.param_values() {
            map[param.index()] = Some(param);
        }
        for step in &self.steps {
            let instr = &self.program.instrs()[step.instr];
            let operands: Operands = step.operands.iter().filter_map(|&node| map[node]).collect();
            b.set_source(instr.source);
            for (i, value) in b.copy(self.program, instr, &operands).into_iter().enumerate() {
                map[step.first + i] = Some(value);
            }
        }
        let results: Vec<Value> = self.results.iter().filter_map(|&node| map[node]).collect();
        b.finish(&results)
    }

    /// The instructions that run again.
    fn recomputed(&self) -> Vec<Recomputed> {
        let mut times: FxHashMap<usize, usize> = FxHashMap::default();
        for step in self.steps.iter().filter(|step| step.again) {
            *times.entry(step.instr).or_default() += 1;
        }
        let mut order: Vec<(usize, usize)> = times.into_iter().collect();
        order.sort_unstable();
        let note = |(index, times): (usize, usize)| {
            let instr = &self.program.instrs()[index];
            if matches!(instr.op, Op::Reshape(_)) {
                return None;
            }
            let types: Vec<Type> = instr.results().map(|v| self.program.ty(v)).collect();
            Some(Recomputed {
                what: what_it_does(instr),
                bytes: types.iter().filter_map(|ty| ty.bytes().ok()).sum(),
                types: types.iter().map(Type::to_string).collect(),
                flops: flops(self.program, instr) as u64,
                times,
                line: instr.source.location.map(|location: Location| location.to_string()),
            })
        };
        order.into_iter().filter_map(note).collect()
    }
}

/// The steps that make values again.
struct Chain<'d, 'a> {
    draft: &'d Draft<'a>,
    alive: &'d Alive,
    at: usize,
    /// The values whose memory is to be free before.
    gone: &'d [Node],
    steps: Vec<Step>,
    slots: Vec<Slot>,
    map: FxHashMap<Node, Node>,
    /// The steps that wait for their operands.
    waiting: usize,
    cost: f64,
}

impl Chain<'_, '_> {
    /// The node that holds what `node` holds right before step `at`.
    fn node(&mut self, node: Node) -> Option<Node> {
        let draft = self.draft;
        if let Some(&made) = self.map.get(&node) {
            return Some(made);
        }
        if let Some(known) = self.available(node) {
            return Some(known);
        }
        if node < draft.program.params().len() || self.steps.len() + self.waiting >= CHAIN {
            return None;
        }
        let step = &draft.steps[self.alive.spans[node].0 - 1];
        self.cost += draft.cost[step.instr]?;
        let mut operands = SmallVec::new();
        self.waiting += 1;
        for &operand in &step.operands {
            operands.push(self.node(operand)?);
        }
        self.waiting -= 1;
        let first = draft.slots.len() + self.slots.len();
        for i in 0..draft.instr(step).results().len() {
            self.slots.push(draft.slots[step.first + i]);
            // The step's other results are used from where they are, unless they are to be gone.
            if step.first + i == node || self.gone.contains(&(step.first + i)) {
                self.map.insert(step.first + i, first + i);
            }
        }
        self.steps.push(Step { instr: step.instr, operands, first, again: true });
        self.map.get(&node).copied()
    }

    /// A node with the value of `node` that is alive right before the step, and stays so until it has run.
    fn available(&self, node: Node) -> Option<Node> {
        let (draft, alive) = (self.draft, self.alive);
        let lives = |other: Node| {
            let root = alive.roots[other];
            let (from, to) = alive.spans[root];
            let stays = match from.checked_sub(1) {
                None => draft.kept[root] || to >= self.at,
                Some(maker) => {
                    let constant = matches!(draft.instr(&draft.steps[maker]).op, Op::Constant(_));
                    constant || alive.returned[root] || to >= self.at
                }
            };
            stays && alive.spans[other].0 < self.at && !self.gone.contains(&root)
        };
        let same = draft.same.get(&draft.slots[node].value);
        let others = same.into_iter().flatten().copied();
        std::iter::once(node).chain(others).find(|&other| lives(other))
    }
}

/// Whether nobody knows how often a program of the op runs, and so what it costs.
fn loops_on(op: &Op) -> bool {
    matches!(op, Op::While(_))
        || op.programs().into_iter().any(|program| program.instrs().iter().any(|instr| loops_on(&instr.op)))
}

fn flops(program: &Program, instr: &Instr) -> f64 {
    let operands: Vec<Type> = instr.operands.iter().map(|&v| program.ty(v)).collect();
    let results: Vec<Type> = instr.results().map(|v| program.ty(v)).collect();
    instr.op.cost(&operands, &results).map_or(0.0, |cost| cost.flops)
}

/// The cost of running an instruction again; `None` where it may not run again.
fn cost_of(program: &Program, instr: &Instr) -> Result<Option<f64>> {
    let effects = instr.op.effects();
    let random = matches!(instr.op, Op::RngBitGenerator(_) | Op::CustomCall(_));
    if !effects.is_pure() || !effects.may_duplicate() || random || loops_on(&instr.op) {
        return Ok(None);
    }
    let operands: Vec<Type> = instr.operands.iter().map(|&v| program.ty(v)).collect();
    let results: Vec<Type> = instr.results().map(|v| program.ty(v)).collect();
    let cost = instr.op.cost(&operands, &results)?;
    Ok(Some(cost.flops + BYTE * cost.bytes))
}

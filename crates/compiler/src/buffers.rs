//! Where each value lies.
//!
//! 1. A reshape shares the memory of its root, the value it reshapes.
//! 2. Backwards, a result takes over the memory of an operand that dies there, where the op allows it, so that a
//!    chain of updates ends in a result of the program and begins in a donated parameter.
//! 3. Every other value that is no parameter, constant or result gets a buffer in the arena of the first memory that has room
//!    for it: largest first, each in the tightest gap among the buffers alive at the same time.

mod arena;
mod bounds;
mod check;

use jarrah_base::{Error, Result};
use jarrah_hlo::ops::{Case, Kernel, KernelForm, Start};
use jarrah_hlo::{Alias, Instr, Op, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

pub use bounds::check_bounds;
pub use check::{check, check_aliases, check_limit, check_memory};

use crate::assignment::{AssignedMemory, Assignment, Carry, MemoryPlace, NestedAssignment};
use crate::contract::{Contraction, is_contraction};
use crate::liveness::{carried, kept, lifetimes, partners, roots};
use crate::rebuild::has_steps;
use crate::target::{DeviceMemory, Target};
use arena::{Arena, Interval};

/// The assignment of `program`, whose steps need `scratch` bytes of the first memory besides.
pub fn run(program: &Program, aliases: &[Alias], target: &dyn Target, scratch: usize) -> Result<Assignment> {
    let pairs = partners(program, aliases)?;
    let mut room: Vec<usize> = target.memories().iter().map(DeviceMemory::available).collect();
    if let Some(first) = room.first_mut() {
        *first = first.saturating_sub(scratch);
    }
    assign(program, &pairs, &Room { alignment: target.alignment(), room, made: SmallVec::new() })
}

/// Where the temporaries of a program may lie.
struct Room {
    alignment: usize,
    /// The bytes of each memory.
    room: Vec<usize>,
    /// The values that lie in none: see [`MemoryPlace::Made`].
    made: SmallVec<[Value; 2]>,
}

impl Room {
    /// The room of a program inside an op: its arena lies in the arena of the program around it, so no bound applies.
    fn inside(alignment: usize) -> Room {
        Room { alignment, room: vec![usize::MAX], made: SmallVec::new() }
    }
}

/// Memory that several values use one after another.
#[derive(Clone, Default)]
struct Slot {
    parameter: Option<usize>,
    result: Option<usize>,
    constant: Option<usize>,
    start: usize,
    end: usize,
    bytes: usize,
}

fn assign(program: &Program, partners: &[Option<usize>], room: &Room) -> Result<Assignment> {
    let inner = nests(program, room.alignment)?;
    let shared = share(program, partners, &inner)?;
    place(program, shared, inner, room)
}

/// Which values of a program share memory.
struct Shared {
    roots: Vec<Value>,
    slots: Vec<Slot>,
    /// The slot of each root.
    slot_of: Vec<usize>,
    /// For each result, the parameter whose memory it takes over.
    donations: Vec<Option<usize>>,
    /// For each result, the parameter that it is, if that is not donated.
    unchanged: Vec<Option<usize>>,
    /// The operands of contractions whose memory a result takes, by instruction.
    taken_over: FxHashMap<usize, Vec<(usize, Value)>>,
}

fn share(
    program: &Program,
    partners: &[Option<usize>],
    inner: &FxHashMap<usize, NestedAssignment>,
) -> Result<Shared> {
    let roots = roots(program);
    let lifetimes = lifetimes(program, &roots);
    let mut slots: Vec<Slot> = Vec::with_capacity(program.value_count());
    let mut slot_of: Vec<usize> = (0..program.value_count()).collect();
    for (value, &(start, end)) in lifetimes.iter().enumerate() {
        slots.push(Slot { start, end, ..Slot::default() });
        if value < program.params().len() {
            slots[value].parameter = Some(value);
        }
    }
    for (index, instr) in program.instrs().iter().enumerate() {
        for value in instr.results() {
            slots[value.index()].bytes = program.ty(value).bytes()?;
            if matches!(instr.op, Op::Constant(_)) {
                slots[value.index()].constant = Some(index);
            }
        }
    }
    for (j, result) in program.results().iter().enumerate() {
        let slot = &mut slots[roots[result.index()].index()];
        if slot.parameter.is_none() && slot.constant.is_none() && slot.result.is_none() {
            slot.result = Some(j);
        }
    }

    let mut taken_over: FxHashMap<usize, Vec<(usize, Value)>> = FxHashMap::default();
    // Backwards, so that the slot of a result is known when its operands are looked at.
    for (index, instr) in program.instrs().iter().enumerate().rev() {
        let mut pairs = reusable(program, instr, inner.get(&index));
        if pairs.is_empty() {
            continue;
        }
        // Operands whose memory was taken here, and results that took it.
        let mut taken: FxHashSet<usize> = FxHashSet::default();
        let readings = readings(instr, &roots);
        // Donated parameters first: only their own memory will do for the result that takes it.
        let root = |operand: usize| roots[instr.operands[operand].index()].index();
        let is_contraction = is_contraction(&instr.op);
        pairs.sort_by_key(|&(operand, _)| root(operand) >= program.params().len());
        for (operand, result) in pairs {
            let (from, to) = (roots[instr.operands[operand].index()].index(), result.index());
            let alone = readings[&roots[from]] == 1;
            if taken.contains(&from) || taken.contains(&to) || !alone || lifetimes[from].1 != index + 1 {
                continue;
            }
            let (source, target) = (&slots[slot_of[from]], &slots[slot_of[to]]);
            let allowed = match source.parameter {
                None => source.constant.is_none() && source.result.is_none(),
                Some(i) => {
                    partners[i].is_some() && partners[i] == target.result && target.parameter.is_none()
                }
            };
            if !allowed {
                continue;
            }
            taken.extend([from, to]);
            if is_contraction {
                taken_over.entry(index).or_default().push((operand, result));
            }
            let (parameter, start) = (source.parameter, source.start);
            let target = slot_of[to];
            slot_of[from] = target;
            slots[target].parameter = slots[target].parameter.or(parameter);
            slots[target].start = slots[target].start.min(start);
        }
    }

    let mut donations = vec![None; program.results().len()];
    for (i, partner) in partners.iter().enumerate() {
        let Some(j) = *partner else { continue };
        let root = roots[program.results()[j].index()].index();
        let slot = &mut slots[slot_of[root]];
        let itself = root == i;
        let later = slot.parameter.is_none() && slot.result == Some(j) && slot.start > lifetimes[i].1;
        if itself || later || slot.parameter == Some(i) {
            slot.parameter = Some(i);
            donations[j] = Some(i);
        }
    }
    let unchanged = program.results().iter().map(|result| {
        let root = roots[result.index()].index();
        (root < program.params().len() && partners[root].is_none()).then_some(root)
    });
    let unchanged = unchanged.collect();
    Ok(Shared { roots, slots, slot_of, donations, unchanged, taken_over })
}

/// The places of the values that share memory as `shared` says, around the memory of the programs inside.
fn place(
    program: &Program,
    shared: Shared,
    mut inner: FxHashMap<usize, NestedAssignment>,
    room: &Room,
) -> Result<Assignment> {
    let Shared { roots, slots, slot_of, donations, unchanged, mut taken_over } = shared;
    let mut assignment = Assignment { donations, unchanged, ..Assignment::default() };
    let mut arena = Arena::new(room.alignment);
    let mut nested: Vec<(usize, NestedAssignment, Option<usize>, Vec<Option<usize>>)> = Vec::new();
    let mut buffer_of: Vec<Option<usize>> = vec![None; slots.len()];
    for (value, root) in roots.iter().enumerate() {
        let slot = slot_of[value];
        let Slot { parameter, result, constant, start, end, bytes } = slots[slot];
        let lies = parameter.or(result).or(constant).is_some() || room.made.contains(root);
        if root.index() != value || slot != value || lies {
            continue;
        }
        buffer_of[value] = Some(arena.add(Interval { start, end, bytes }));
    }
    for (index, instr) in program.instrs().iter().enumerate() {
        let inner = if is_contraction(&instr.op) {
            contraction(instr, &taken_over.remove(&index).unwrap_or_default(), room.alignment)?
        } else {
            let Some(inner) = inner.remove(&index) else { continue };
            inner
        };
        let at = |bytes| Interval { start: index + 1, end: index + 1, bytes };
        let bytes = inner.within(&instr.op);
        let region = (bytes > 0).then(|| arena.add(at(bytes)));
        let mut carries = Vec::new();
        for (carry, value) in inner.carry.iter().zip(instr.results()) {
            let second = match carry {
                Carry::InPlace => None,
                Carry::Double { .. } => Some(arena.add(at(program.ty(value).bytes()?))),
            };
            carries.push(second);
        }
        nested.push((index, inner, region, carries));
    }
    let mut memory = AssignedMemory::default();
    for param in program.params() {
        memory.arguments = memory.arguments.saturating_add(param.ty.bytes()?);
    }
    let parameters = assignment.donations.iter().zip(&assignment.unchanged);
    for (result, (donation, unchanged)) in program.results().iter().zip(parameters) {
        if donation.or(*unchanged).is_none() {
            memory.results = memory.results.saturating_add(program.ty(*result).bytes()?);
        }
    }
    // Arguments and results lie in the first memory.
    let mut left = room.room.clone();
    if let Some(first) = left.first_mut() {
        *first = first.saturating_sub(memory.arguments).saturating_sub(memory.results);
    }
    let placed = arena.place(&left);
    for (index, mut inner, region, carries) in nested {
        (inner.memory, inner.offset) = region.map_or((0, 0), |buffer| placed.places[buffer]);
        for (carry, buffer) in inner.carry.iter_mut().zip(carries) {
            if let Some(buffer) = buffer {
                let (memory, offset) = placed.places[buffer];
                *carry = Carry::Double { memory, offset };
            }
        }
        assignment.nested.insert(index, inner);
    }

    for (value, &root) in roots.iter().enumerate() {
        let slot = slot_of[root.index()];
        assignment.places.push(if root.index() != value {
            MemoryPlace::Alias(root)
        } else if value < program.params().len() {
            MemoryPlace::Parameter(value)
        } else if room.made.contains(&root) {
            MemoryPlace::Made
        } else {
            match slots[slot] {
                Slot { result: Some(j), .. } => MemoryPlace::Result(j),
                Slot { parameter: Some(i), .. } => MemoryPlace::Parameter(i),
                Slot { constant: Some(index), .. } => MemoryPlace::Constant(index),
                Slot { bytes, .. } => {
                    let buffer = buffer_of[slot].ok_or_else(|| Error::internal("a slot without memory"))?;
                    let (memory, offset) = placed.places[buffer];
                    MemoryPlace::Temporary { memory, offset, bytes }
                }
            }
        });
    }
    memory.temporaries = placed.bytes.iter().fold(0, |sum, &bytes| sum.saturating_add(bytes));
    assignment.arenas = placed.bytes;
    assignment.memory = memory;
    Ok(assignment)
}

/// The memory of the programs of each loop, branch and kernel, contractions apart, by the index of its instruction.
fn nests(program: &Program, alignment: usize) -> Result<FxHashMap<usize, NestedAssignment>> {
    let with_steps = program.instrs().iter().enumerate().filter(|(_, instr)| has_steps(&instr.op));
    with_steps.map(|(index, instr)| Ok((index, nest(&instr.op, alignment)?))).collect()
}

/// The memory of the body of a contraction with these results in the memory of these operands. What makes an operand of the
/// product takes none.
fn contraction(instr: &Instr, over: &[(usize, Value)], alignment: usize) -> Result<NestedAssignment> {
    let first = instr.results().next().map_or(0, Value::index);
    let mut partners = vec![None; instr.operands.len()];
    over.iter().for_each(|&(operand, result)| partners[operand] = Some(result.index() - first));
    let room = Room { made: made_in(&instr.op), ..Room::inside(alignment) };
    let programs = instr.op.programs().into_iter().map(|p| assign(p, &partners, &room));
    Ok(NestedAssignment { programs: programs.collect::<Result<_>>()?, ..NestedAssignment::default() })
}

/// The values of the body of a contraction that lie in no memory.
fn made_in(op: &Op) -> SmallVec<[Value; 2]> {
    match op {
        Op::Kernel(kernel) => {
            Contraction::of(kernel).map(|contraction| contraction.made()).unwrap_or_default()
        }
        _ => SmallVec::new(),
    }
}

/// The memory of the programs of a loop, a branch or a kernel.
fn nest(op: &Op, alignment: usize) -> Result<NestedAssignment> {
    if let Op::Case(case) = op {
        return branches(case, alignment);
    }
    let kept = |body: &Assignment, first: usize, count: usize| -> Vec<Carry> {
        let in_place = |i: usize| body.donations[i] == Some(first + i);
        (0..count)
            .map(|i| if in_place(i) { Carry::InPlace } else { Carry::Double { memory: 0, offset: 0 } })
            .collect()
    };
    let mut nested = NestedAssignment::default();
    for (which, program) in op.programs().into_iter().enumerate() {
        nested.programs.push(inside(op, which, program, alignment)?);
    }
    match op {
        Op::While(w) => nested.carry = kept(&nested.programs[1], w.consts, w.body.results().len()),
        Op::Scan(scan) => nested.carry = kept(&nested.programs[0], scan.consts, scan.carry),
        _ => {}
    }
    Ok(nested)
}

/// The memory of branches. A result that a branch passes on lies where the operand does if all branches can do with that.
fn branches(case: &Case, alignment: usize) -> Result<NestedAssignment> {
    /// After so many rounds in which a pair was found that a branch cannot do with, no pair is tried any more.
    const ROUNDS: usize = 2;
    let inner = case.branches.iter().map(|branch| nests(branch, alignment)).collect::<Result<Vec<_>>>()?;
    let (mut partners, mut round) = (passed_on(case), 0);
    loop {
        let branches = case.branches.iter().zip(&inner);
        let shared = branches.map(|(b, inner)| share(b, &partners, inner)).collect::<Result<Vec<_>>>()?;
        let mut is_settled = true;
        for (i, partner) in partners.iter_mut().enumerate() {
            let Some(j) = *partner else { continue };
            if round == ROUNDS || shared.iter().any(|shared| shared.donations[j] != Some(i)) {
                (*partner, is_settled) = (None, false);
            }
        }
        if is_settled {
            let room = Room::inside(alignment);
            let branches = case.branches.iter().zip(shared).zip(inner);
            let programs = branches.map(|((branch, shared), inner)| place(branch, shared, inner, &room));
            return Ok(NestedAssignment {
                programs: programs.collect::<Result<_>>()?,
                ..NestedAssignment::default()
            });
        }
        round += 1;
    }
}

/// For each parameter of branches a result that is the parameter in one of them.
fn passed_on(case: &Case) -> Vec<Option<usize>> {
    let Some(first) = case.branches.first() else { return Vec::new() };
    let mut partners = vec![None; first.params().len()];
    let mut taken = vec![false; first.results().len()];
    for branch in &case.branches {
        let roots = roots(branch);
        for (j, result) in branch.results().iter().enumerate() {
            let root = roots[result.index()].index();
            if let Some(partner) = partners.get_mut(root)
                && partner.is_none()
                && !std::mem::replace(&mut taken[j], true)
            {
                *partner = Some(j);
            }
        }
    }
    partners
}

/// The assignment of `program`, which stands for program number `which` of a loop, a branch or a kernel. It has one arena,
/// which lies in one of the outer program.
pub(crate) fn inside(op: &Op, which: usize, program: &Program, alignment: usize) -> Result<Assignment> {
    let none = || vec![None; program.params().len()];
    let pairs = match op {
        Op::While(w) if which == 1 => carried(program, w.consts, program.results().len()),
        Op::Scan(scan) => carried(program, scan.consts, scan.carry),
        Op::Kernel(kernel) if which == 0 => kept(kernel),
        _ => none(),
    };
    assign(program, &pairs, &Room::inside(alignment))
}

/// How many operands of an instruction lie in the memory of each root.
fn readings(instr: &Instr, roots: &[Value]) -> FxHashMap<Value, usize> {
    let mut readings = FxHashMap::default();
    for operand in &instr.operands {
        *readings.entry(roots[operand.index()]).or_insert(0) += 1;
    }
    readings
}

/// Pairs of an operand and a result that may take its memory if the operand dies here; `nested` is the memory of the
/// instruction's programs.
pub(crate) fn reusable(
    program: &Program,
    instr: &Instr,
    nested: Option<&NestedAssignment>,
) -> Vec<(usize, Value)> {
    match &instr.op {
        Op::Kernel(kernel) if kernel.form == KernelForm::Contract => reusable_by_contraction(instr, kernel),
        // The first operand says which branch.
        Op::Case(_) => {
            let pairs = nested.map(NestedAssignment::in_place).unwrap_or_default().into_iter();
            pairs.filter_map(|(i, j)| Some((i + 1, instr.results().nth(j)?))).collect()
        }
        Op::Kernel(kernel) => reusable_by_kernel(program, instr, kernel),
        Op::DynamicUpdateSlice(_) | Op::Scatter(_) | Op::OptimizationBarrier(_) | Op::CheckpointName(_) => {
            instr.results().enumerate().collect()
        }
        // A bitcast changes the type of its operand, not the bytes.
        Op::BitcastConvert(op) if op.keeps_bytes(program.ty(instr.operands[0]).dtype()) => {
            instr.results().enumerate().collect()
        }
        Op::CustomCall(call) => {
            let results = instr.results().enumerate();
            results.filter_map(|(i, v)| Some((call.aliased(i)?, v))).collect()
        }
        Op::While(w) => instr.results().enumerate().map(|(i, v)| (w.consts + i, v)).collect(),
        Op::Scan(scan) => {
            instr.results().take(scan.carry).enumerate().map(|(i, v)| (scan.consts + i, v)).collect()
        }
        _ => Vec::new(),
    }
}

/// The pairs that the loop behind the product allows, without operands that the product reads: the loop runs on finished parts while the product still
/// reads its operands for others.
fn reusable_by_contraction(instr: &Instr, kernel: &Kernel) -> Vec<(usize, Value)> {
    let body = &kernel.body;
    let Some(contraction) = Contraction::of(kernel) else { return Vec::new() };
    let Some(epilogue) = &contraction.epilogue else { return Vec::new() };
    let pairs = reusable_by_kernel(body, epilogue.instr, epilogue.kernel).into_iter();
    let of_operands = pairs.filter_map(|(operand, result)| {
        let operand = epilogue.instr.operands[operand];
        let at = body.results().iter().position(|&v| v == result)?;
        let given =
            operand.index() < body.params().len() && contraction.reads_in_parts().all(|v| v != operand);
        given.then_some((operand.index(), instr.results().nth(at)?))
    });
    of_operands.collect()
}

fn reusable_by_kernel(program: &Program, instr: &Instr, kernel: &Kernel) -> Vec<(usize, Value)> {
    let mut pairs = Vec::new();
    let is_loop = kernel.form != KernelForm::Steps;
    if is_loop && !keeps_positions(&kernel.body) {
        return pairs;
    }
    let uses = if is_loop { Vec::new() } else { kernel.body.use_counts() };
    for (value, output) in instr.results().zip(&kernel.outputs) {
        if !is_loop {
            // A point that reads the operand has to be the only one that stores there.
            let apart = |i: usize| {
                let same = || kernel.inputs[i - kernel.prefetch] == output.block && !output.block.is_found();
                i >= kernel.prefetch
                    && (uses[kernel.grid.len() + i] == 0 || same() && output.block.is_distinct(&kernel.grid))
            };
            if let Start::Operand(i) = output.start
                && apart(i)
            {
                pairs.push((i, value));
            }
            continue;
        }
        for (i, &operand) in instr.operands.iter().enumerate() {
            let from = program.ty(operand);
            let (same, size) = (from.same_dims(output.ty), output.ty.dtype().size());
            if kernel.inputs[i] == output.block && same && from.dtype().size() == size {
                pairs.push((i, value));
            }
        }
    }
    pairs
}

/// Whether each element of a result of this body, a loop, depends on elements at the same position of blocks of the result's
/// shape.
fn keeps_positions(body: &Program) -> bool {
    body.instrs().iter().all(|instr| match &instr.op {
        Op::Reduce(_) | Op::TransposeAxes(_) | Op::Slice(_) | Op::Reverse(_) => false,
        // There is a loop for each box, and a result that has not all dimensions is stored by several of them.
        Op::Pad(_) | Op::Concatenate(_) => false,
        Op::BroadcastInDim(op) => op.axes.windows(2).all(|pair| pair[0] < pair[1]),
        _ => true,
    })
}

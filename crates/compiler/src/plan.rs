//! The memory plan of a compiled program as a value: which buffer lies where, from when to when, and made by what.

use std::cmp::Reverse;
use std::fmt;

use jarrah_base::memory::size;
use jarrah_base::{Location, Type};
use jarrah_hlo::{Instr, Op, Program, Value};
use jarrah_tile::LoopKernel;
use rustc_hash::FxHashMap;

use crate::assignment::{AssignedMemory, Assignment, Carry, MemoryPlace};
use crate::contract::{Contraction, is_contraction};
use crate::liveness::{lifetimes, roots};
use crate::rebuild::{has_memory, is_loop};

/// The memory in which a buffer lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// The memory of the argument with this number.
    Argument(usize),
    /// The memory of the result with this number.
    Result(usize),
    /// The arena of the memory with this number, so many bytes from its start.
    Arena(usize, usize),
}

/// A buffer of a compiled program.
#[derive(Clone, Debug)]
pub struct PlannedBuffer {
    /// Where it lies.
    pub space: Space,
    /// Its bytes.
    pub bytes: usize,
    /// The first and the last step, counted from one, at which it is needed; arguments are there from step zero.
    pub live: (usize, usize),
    /// The type of the value in it; `None` for the memory of the programs inside a loop or a branch together.
    pub ty: Option<Type>,
    /// The op that writes it, or the argument.
    pub maker: String,
    /// The line that asked for it.
    pub location: Option<Location>,
    /// The scope path of that line.
    pub scope: String,
}

impl PlannedBuffer {
    /// `512 B: f32[16,8], exponential at src/model.rs:3:5`.
    fn line(&self) -> String {
        let ty = self.ty.map_or(String::new(), |ty| format!("{ty}, "));
        let at = self.location.map_or(String::new(), |location| format!(" at {location}"));
        format!("{}: {ty}{}{at}", size(self.bytes), self.maker)
    }
}

/// Where every buffer of a program lies, for how long, and what is there when most is.
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_compiler::{MemoryPlan, PassOptions, Reference, compile};
/// use jarrah_hlo::Builder;
/// use jarrah_hlo::ops::DotGeneral;
///
/// let mut b = Builder::new("f");
/// let x = b.param(Type::tensor(DType::F32, [32, 32]), "x");
/// let y = b.one(DotGeneral::matmul(0, DType::F32), &[x, x])?;
/// let z = b.one(DotGeneral::matmul(0, DType::F32), &[y, y])?;
/// let compiled = compile(&b.finish(&[z])?, &Reference::default(), PassOptions::default())?;
/// let plan = MemoryPlan::new(&compiled.program, &compiled.buffers);
/// assert_eq!(plan.memory.temporaries, 32 * 32 * 4);
/// assert_eq!(plan.buffers.len(), 3);
/// assert!(plan.largest(1)[0].starts_with("4096 B: f32[32,32]"));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MemoryPlan {
    /// The program's name.
    pub name: String,
    /// The number of steps.
    pub steps: usize,
    /// The bytes that a run needs.
    pub memory: AssignedMemory,
    /// The bytes that the steps need besides while they run, on all threads: the device says.
    pub scratch: usize,
    /// The step, counted from one, at which most of the arena is in use; 0 where there are no temporaries.
    pub peak: usize,
    /// The bytes of the arena in use at that step.
    pub live_at_peak: usize,
    /// Every buffer: arguments, results, then the arena by the step that makes it.
    pub buffers: Vec<PlannedBuffer>,
    /// The buffers at the peak of the program inside the loop or branch that is the step of the peak.
    inside: Vec<PlannedBuffer>,
}

impl MemoryPlan {
    /// The plan of a program with its assignment.
    pub fn new(program: &Program, assignment: &Assignment) -> MemoryPlan {
        let last = program.instrs().len() + 1;
        let roots = roots(program);
        let lifetimes = lifetimes(program, &roots);
        let mut buffers: Vec<PlannedBuffer> = Vec::new();
        let definitions = program.definitions();
        for (index, param) in program.params().iter().enumerate() {
            buffers.push(PlannedBuffer {
                space: Space::Argument(index),
                bytes: bytes(param.ty),
                live: (0, last),
                ty: Some(param.ty),
                maker: match param.path.path() {
                    "" => "an argument".to_owned(),
                    path => format!("the argument {path}"),
                },
                location: None,
                scope: String::new(),
            });
        }
        for (j, &result) in program.results().iter().enumerate() {
            if assignment.donations[j].or(assignment.unchanged[j]).is_some() {
                continue;
            }
            let maker = definitions[roots[result.index()].index()].map(|index| &program.instrs()[index]);
            let space = Space::Result(j);
            buffers.push(made(space, bytes(program.ty(result)), (1, last), Some(program.ty(result)), maker));
        }
        for (index, instr) in program.instrs().iter().enumerate() {
            let step = (index + 1, index + 1);
            for value in instr.results() {
                if let MemoryPlace::Temporary { memory, offset, .. } = assignment.places[value.index()] {
                    let ty = program.ty(value);
                    let live = lifetimes[value.index()];
                    buffers.push(made(Space::Arena(memory, offset), bytes(ty), live, Some(ty), Some(instr)));
                }
            }
            let Some(nested) = assignment.nested.get(&index) else { continue };
            let within = nested.within(&instr.op);
            if within > 0 {
                let space = Space::Arena(nested.memory, nested.offset);
                let mut all = made(space, within, step, None, Some(instr));
                all.maker = format!("temporaries inside {}", all.maker);
                buffers.push(all);
            }
            for (carry, value) in nested.carry.iter().zip(instr.results()) {
                if let Carry::Double { memory, offset } = *carry {
                    let ty = program.ty(value);
                    let space = Space::Arena(memory, offset);
                    let mut second = made(space, bytes(ty), step, Some(ty), Some(instr));
                    second.maker = format!("the second buffer of a carry of {}", second.maker);
                    buffers.push(second);
                }
            }
        }
        let (peak, live_at_peak) = peak(&buffers, last);
        let nested = peak.checked_sub(1).and_then(|index| Some((index, assignment.nested.get(&index)?)));
        let inside = nested.and_then(|(index, nested)| {
            let op = &program.instrs()[index].op;
            if nested.within(op) == 0 {
                return None;
            }
            let programs = op.programs();
            let (inner, assignment) =
                programs.into_iter().zip(&nested.programs).max_by_key(|(_, inner)| inner.arena())?;
            let plan = MemoryPlan::new(inner, assignment);
            Some(plan.live().filter(|buffer| matches!(buffer.space, Space::Arena(..))).cloned().collect())
        });
        MemoryPlan {
            name: program.name().to_owned(),
            steps: program.instrs().len(),
            memory: assignment.memory,
            scratch: 0,
            peak,
            live_at_peak,
            buffers,
            inside: inside.unwrap_or_default(),
        }
    }

    /// The plan of a program whose steps need so many bytes besides.
    pub fn with_scratch(self, bytes: usize) -> MemoryPlan {
        MemoryPlan { scratch: bytes, ..self }
    }

    /// The buffers that are there at the peak, each stretch of memory once.
    fn live(&self) -> impl Iterator<Item = &PlannedBuffer> {
        let at_peak = |b: &&PlannedBuffer| match b.space {
            Space::Argument(_) | Space::Result(_) => true,
            Space::Arena(..) => b.live.0 <= self.peak && self.peak <= b.live.1 && b.bytes > 0,
        };
        // A value that takes over an operand's memory stands for both: the later one by its first step.
        let mut latest: FxHashMap<Space, &PlannedBuffer> = FxHashMap::default();
        for buffer in self.buffers.iter().filter(at_peak) {
            let known = latest.entry(buffer.space).or_insert(buffer);
            if known.live.0 < buffer.live.0 {
                *known = buffer;
            }
        }
        let is_latest = move |b: &&PlannedBuffer| latest.get(&b.space).is_some_and(|&l| std::ptr::eq(l, *b));
        let is_inside = |b: &&PlannedBuffer| b.ty.is_none() && !self.inside.is_empty();
        let mine = self.buffers.iter().filter(is_latest).filter(move |b| !is_inside(b));
        mine.chain(&self.inside)
    }

    /// The `count` largest buffers that are there when most memory is in use, a line each: size, type, what makes it, and
    /// where.
    pub fn largest(&self, count: usize) -> Vec<String> {
        let mut live: Vec<&PlannedBuffer> = self.live().collect();
        live.sort_by_key(|buffer| Reverse(buffer.bytes));
        live.into_iter().take(count).map(PlannedBuffer::line).collect()
    }
}

fn bytes(ty: Type) -> usize {
    ty.bytes().unwrap_or(usize::MAX)
}

fn made(
    space: Space,
    bytes: usize,
    live: (usize, usize),
    ty: Option<Type>,
    maker: Option<&Instr>,
) -> PlannedBuffer {
    PlannedBuffer {
        space,
        bytes,
        live,
        ty,
        maker: maker.map_or_else(|| "a copy of an argument".to_owned(), what_it_does),
        location: maker.and_then(|instr| instr.source.location),
        scope: maker.map_or_else(String::new, |instr| instr.source.scope.path().to_owned()),
    }
}

/// The step at which most of the arena is in use, and how much. Values that take turns in one stretch of memory count once.
fn peak(buffers: &[PlannedBuffer], last: usize) -> (usize, usize) {
    let mut stretches: Vec<((usize, usize), usize, usize, usize)> = Vec::new();
    for buffer in buffers {
        if let Space::Arena(memory, offset) = buffer.space {
            stretches.push(((memory, offset), buffer.live.0, buffer.live.1, buffer.bytes));
        }
    }
    stretches.sort_unstable();
    stretches.dedup_by(|next, kept| {
        let same = next.0 == kept.0 && next.1 <= kept.2;
        if same {
            kept.2 = kept.2.max(next.2);
            kept.3 = kept.3.max(next.3);
        }
        same
    });
    let mut change = vec![0i128; last + 2];
    for &(_, from, to, bytes) in &stretches {
        change[from] += bytes as i128;
        change[to.min(last) + 1] -= bytes as i128;
    }
    let (mut live, mut most) = (0, (0, 0));
    for (step, change) in change.into_iter().enumerate() {
        live += change;
        if live > most.1 {
            most = (step, live);
        }
    }
    (most.0, usize::try_from(most.1).unwrap_or(usize::MAX))
}

/// A line about the whole, then one for each buffer.
impl fmt::Display for MemoryPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AssignedMemory { arguments, results, temporaries } = self.memory;
        let mut parts = vec![("arguments", arguments), ("results", results), ("temporaries", temporaries)];
        if self.scratch > 0 {
            parts.push(("scratch of steps", self.scratch));
        }
        let parts: Vec<String> =
            parts.iter().map(|&(part, bytes)| format!("{part} {}", size(bytes))).collect();
        let total = size(self.memory.total().saturating_add(self.scratch));
        writeln!(f, "memory of {}: {total} ({})", self.name, parts.join(", "))?;
        if self.peak > 0 {
            let live = size(self.live_at_peak);
            writeln!(f, "most temporaries are in use at step {} of {}: {live}", self.peak, self.steps)?;
        }
        writeln!(f, "{:<12} {:>14} {:>14} {:>13}  value", "space", "offset", "bytes", "steps")?;
        for buffer in &self.buffers {
            let (space, offset) = match buffer.space {
                Space::Argument(index) => (format!("argument {index}"), String::new()),
                Space::Result(index) => (format!("result {index}"), String::new()),
                Space::Arena(0, offset) => ("arena".to_owned(), offset.to_string()),
                Space::Arena(memory, offset) => (format!("memory {memory}"), offset.to_string()),
            };
            let ty = buffer.ty.map_or(String::new(), |ty| format!("{ty}, "));
            let at = buffer.location.map_or(String::new(), |location| format!(" at {location}"));
            let scope = if buffer.scope.is_empty() { String::new() } else { format!(", {}", buffer.scope) };
            let steps = format!("{}..{}", buffer.live.0, buffer.live.1);
            let (bytes, maker) = (buffer.bytes, &buffer.maker);
            writeln!(f, "{space:<12} {offset:>14} {bytes:>14} {steps:>13}  {ty}{maker}{at}{scope}")?;
        }
        Ok(())
    }
}

/// The op of an instruction as its author knows it: of a kernel, the ops that were fused.
pub fn what_it_does(instr: &Instr) -> String {
    let Op::Kernel(kernel) = &instr.op else { return instr.op.name().to_owned() };
    if let Some(contraction) = Contraction::of(kernel) {
        return contraction.parts().map(what_it_does).collect::<Vec<_>>().join(" -> ");
    }
    let mut names: Vec<&str> = Vec::new();
    for op in kernel.body.instrs().iter().map(|instr| &instr.op) {
        if !names.contains(&op.name()) {
            names.push(op.name());
        }
    }
    if names.is_empty() { "copy".to_owned() } else { names.join(" + ") }
}

/// The kernels of a program as text, those inside loops and branches too, in order: the number and the name of the step, the
/// line that asked for it, and what `show` says of the vector loops it becomes; of a kernel that is no loop, that it runs block by
/// block.
pub fn kernels(program: &Program, show: impl Fn(&LoopKernel) -> String) -> String {
    let mut text = String::new();
    write_kernels(program, "", &show, &mut text);
    text
}

fn write_kernels(program: &Program, within: &str, show: &dyn Fn(&LoopKernel) -> String, text: &mut String) {
    for (index, instr) in program.instrs().iter().enumerate() {
        let number = format!("{within}{}", index + 1);
        if let Op::Kernel(kernel) = &instr.op
            && !is_contraction(&instr.op)
        {
            let types: Vec<Type> = instr.operands.iter().map(|&v: &Value| program.ty(v)).collect();
            let at = instr.source.location.map_or(String::new(), |location| format!(" at {location}"));
            *text += &format!("// step {number}: {}{at}\n", what_it_does(instr));
            match jarrah_tile::lower(kernel, &types).filter(|_| is_loop(&instr.op)) {
                Some(loops) => loops.iter().for_each(|loops| *text += &format!("{}\n\n", show(loops))),
                None => *text += "// no vector loop: each point of the grid runs the steps of the body\n\n",
            }
        }
        if has_memory(&instr.op) {
            for (i, inner) in instr.op.programs().into_iter().enumerate() {
                write_kernels(inner, &format!("{number}.{i}."), show, text);
            }
        }
    }
}

//! The order of the steps, chosen to need little memory.
//!
//! Of the steps that are ready, the one that frees the most and allocates the least comes next, the earlier one among
//! equals; a kernel comes right after the contraction it reads, while that is in cache. The given order stays if its
//! peak is no higher. Instructions with effects that are ordered keep their order. A donated parameter counts like a value: its last reader may write over it.

use std::collections::BTreeSet;

use jarrah_base::{Result, work};
use jarrah_hlo::{Alias, Builder, Op, Operands, Program, Value};
use smallvec::SmallVec;

use crate::liveness::{carried, kept, partners, roots};
use crate::rebuild::{Memo, has_steps, is_loop};

pub fn run(program: &Program, aliases: &[Alias]) -> Result<Program> {
    reorder(program, &partners(program, aliases)?, &mut Memo::default())
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    reorder(program, &vec![None; program.params().len()], memo)
}

/// The loop, branch or kernel with its programs reordered; a carry counts as donated to its next value.
fn nested(op: &Op, memo: &mut Memo) -> Result<Option<Op>> {
    match op {
        Op::Scan(scan) => {
            let pairs = |p: &Program| carried(p, scan.consts, scan.carry);
            let body = memo.apply(&scan.body, |p, memo| reorder(p, &pairs(p), memo))?;
            Ok(Some(op.with_programs(&[body])))
        }
        Op::While(w) => {
            let pairs = |p: &Program| carried(p, w.consts, p.results().len());
            let cond = memo.apply(&w.cond, pass)?;
            let body = memo.apply(&w.body, |p, memo| reorder(p, &pairs(p), memo))?;
            Ok(Some(op.with_programs(&[cond, body])))
        }
        Op::Case(_) => memo.apply_inside(op, pass),
        Op::Kernel(kernel) if has_steps(op) => {
            let body = memo.apply(&kernel.body, |p, memo| reorder(p, &kept(kernel), memo))?;
            let map = kernel.map.as_ref().map(|map| memo.apply(map, pass)).transpose()?;
            Ok(Some(op.with_programs(&std::iter::once(body).chain(map).collect::<Vec<_>>())))
        }
        _ => Ok(None),
    }
}

fn reorder(program: &Program, partners: &[Option<usize>], memo: &mut Memo) -> Result<Program> {
    let steps = Steps::new(program, partners)?;
    let given: Vec<usize> = (0..program.instrs().len()).collect();
    let greedy = steps.greedy();
    let order = if steps.peak(&greedy) < steps.peak(&given) { greedy } else { given };

    let mut b = Builder::like(program);
    let mut map: Vec<Option<Value>> = vec![None; program.value_count()];
    for param in program.param_values() {
        map[param.index()] = Some(param);
    }
    for index in order {
        let instr = &program.instrs()[index];
        let operands: Operands = instr.operands.iter().filter_map(|v| map[v.index()]).collect();
        b.set_source(instr.source);
        let results = match nested(&instr.op, memo)? {
            Some(op) => b.push(op, &operands)?,
            None => b.copy(program, instr, &operands),
        };
        for (old, new) in instr.results().zip(results) {
            map[old.index()] = Some(new);
        }
    }
    let results: Vec<Value> = program.results().iter().filter_map(|v| map[v.index()]).collect();
    b.finish(&results)
}

/// The bytes that instructions allocate and free.
struct Steps<'a> {
    program: &'a Program,
    definitions: Vec<Option<usize>>,
    /// For each value its root.
    roots: Vec<Value>,
    /// The bytes that are freed when a root's last reader has run; none for constants and for parameters that are
    /// not donated.
    bytes: Vec<usize>,
    /// The instructions that read a root, but not reshapes; a root in `returned` is never freed.
    users: Vec<SmallVec<[usize; 4]>>,
    returned: Vec<bool>,
    /// The roots that each instruction reads, without repetition.
    reads: Vec<SmallVec<[Value; 4]>>,
    /// Pairs of a reader of a donated parameter and the instruction that overwrites the parameter.
    writes_over: Vec<(usize, usize)>,
}

/// Each of `all` once, in order.
fn distinct<T: Copy + Ord>(all: impl Iterator<Item = T>) -> SmallVec<[T; 4]> {
    let mut all: SmallVec<[T; 4]> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl<'a> Steps<'a> {
    fn new(program: &'a Program, partners: &[Option<usize>]) -> Result<Self> {
        let roots = roots(program);
        let mut bytes = vec![0; program.value_count()];
        for (param, partner) in partners.iter().enumerate() {
            if partner.is_some() {
                bytes[param] = program.params()[param].ty.bytes()?;
            }
        }
        let mut users: Vec<SmallVec<[usize; 4]>> = vec![SmallVec::new(); program.value_count()];
        let mut reads = Vec::with_capacity(program.instrs().len());
        for (index, instr) in program.instrs().iter().enumerate() {
            if !matches!(instr.op, Op::Reshape(_) | Op::Constant(_)) {
                for value in instr.results() {
                    bytes[value.index()] = program.ty(value).bytes()?;
                }
            }
            let read = distinct(instr.operands.iter().map(|v| roots[v.index()]));
            if !matches!(instr.op, Op::Reshape(_)) {
                for root in &read {
                    users[root.index()].push(index);
                }
            }
            reads.push(read);
        }
        let mut returned = vec![false; program.value_count()];
        for result in program.results() {
            returned[roots[result.index()].index()] = true;
        }
        let definitions = program.definitions();
        let mut writes_over = Vec::new();
        for (param, partner) in partners.iter().enumerate() {
            let result = partner.map(|j| roots[program.results()[j].index()]);
            let Some(writer) = result.and_then(|v| definitions[v.index()]) else { continue };
            // Only readers that already come before the writer, so that no cycle arises.
            let readers = users[param].iter().filter(|&&reader| reader < writer);
            writes_over.extend(readers.map(|&reader| (reader, writer)));
        }
        Ok(Steps { program, definitions, roots, bytes, users, returned, reads, writes_over })
    }

    fn is_free(&self, index: usize) -> bool {
        matches!(self.program.instrs()[index].op, Op::Reshape(_) | Op::Constant(_))
    }

    /// The most bytes alive at once; sums of sizes may exceed the address space, and are refused later.
    fn peak(&self, order: &[usize]) -> u128 {
        let mut left: Vec<usize> = self.users.iter().map(SmallVec::len).collect();
        let mut live: u128 =
            self.bytes[..self.program.params().len()].iter().map(|&bytes| bytes as u128).sum();
        let mut peak = live;
        for &index in order {
            for value in self.program.instrs()[index].results() {
                live += self.bytes[value.index()] as u128;
            }
            peak = peak.max(live);
            if self.is_free(index) {
                continue;
            }
            for root in &self.reads[index] {
                left[root.index()] -= 1;
                if left[root.index()] == 0 && !self.returned[root.index()] {
                    live -= self.bytes[root.index()] as u128;
                }
            }
        }
        peak
    }

    /// The bytes that running the instruction adds to those alive.
    fn growth(&self, index: usize, left: &[usize]) -> i128 {
        work::step(self.reads[index].len());
        let bytes = |value: Value| self.bytes[value.index()] as i128;
        let made: i128 = self.program.instrs()[index].results().map(bytes).sum();
        let freed = self.reads[index].iter().filter(|r| left[r.index()] == 1 && !self.returned[r.index()]);
        made - freed.copied().map(bytes).sum::<i128>()
    }

    fn greedy(&self) -> Vec<usize> {
        let instrs = self.program.instrs();
        let mut left: Vec<usize> = self.users.iter().map(SmallVec::len).collect();
        let mut waits: Vec<usize> = vec![0; instrs.len()];
        let mut consumers: Vec<SmallVec<[usize; 4]>> = vec![SmallVec::new(); instrs.len()];
        for (index, instr) in instrs.iter().enumerate() {
            let producers = distinct(instr.operands.iter().filter_map(|v| self.definitions[v.index()]));
            for &producer in &producers {
                consumers[producer].push(index);
            }
            waits[index] = producers.len();
        }
        // An instruction that waits twice for the same reader is told twice.
        for &(reader, writer) in &self.writes_over {
            consumers[reader].push(writer);
            waits[writer] += 1;
        }
        for (before, after) in self.program.order_edges() {
            consumers[before].push(after);
            waits[after] += 1;
        }
        let mut growth: Vec<i128> = vec![0; instrs.len()];
        let mut is_ready = vec![false; instrs.len()];
        let mut ready: BTreeSet<(i128, usize)> = BTreeSet::new();
        let mut free: Vec<usize> = Vec::new();
        let mut order = Vec::with_capacity(instrs.len());
        let mut enter = |index: usize,
                         left: &[usize],
                         ready: &mut BTreeSet<(i128, usize)>,
                         free: &mut Vec<usize>,
                         growth: &mut [i128]| {
            is_ready[index] = true;
            if self.is_free(index) {
                free.push(index);
            } else {
                growth[index] = self.growth(index, left);
                ready.insert((growth[index], index));
            }
        };
        for index in (0..instrs.len()).filter(|&i| waits[i] == 0) {
            enter(index, &left, &mut ready, &mut free, &mut growth);
        }
        let mut contraction: Option<Value> = None;
        loop {
            let index = if let Some(index) = free.pop() {
                index
            } else {
                let hot = contraction.take().and_then(|value| {
                    let users = self.users[value.index()].iter().copied();
                    let mut kernels = users.filter(|&u| is_loop(&instrs[u].op));
                    kernels.find(|&u| ready.contains(&(growth[u], u)))
                });
                let Some(index) = hot.or_else(|| ready.first().map(|&(_, i)| i)) else { break };
                ready.remove(&(growth[index], index));
                index
            };
            order.push(index);
            if !self.is_free(index) {
                if matches!(instrs[index].op, Op::DotGeneral(_)) {
                    contraction = Some(self.roots[instrs[index].result().index()]);
                }
                for root in &self.reads[index] {
                    left[root.index()] -= 1;
                    if left[root.index()] != 1 {
                        continue;
                    }
                    // Whoever is left to read it now frees it.
                    let freed =
                        if self.returned[root.index()] { 0 } else { self.bytes[root.index()] as i128 };
                    work::step(self.users[root.index()].len());
                    for &user in &self.users[root.index()] {
                        if ready.remove(&(growth[user], user)) {
                            growth[user] -= freed;
                            ready.insert((growth[user], user));
                        }
                    }
                }
            }
            for &consumer in &consumers[index] {
                waits[consumer] -= 1;
                if waits[consumer] == 0 {
                    enter(consumer, &left, &mut ready, &mut free, &mut growth);
                }
            }
        }
        order
    }
}

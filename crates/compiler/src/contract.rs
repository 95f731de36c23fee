//! A product, the elementwise kernels right before it that make its operands, and the one right behind it become one step, where
//! the target contracts them: an operand is made part by part as the product reads it, and the kernel behind runs on each part of
//! the product as soon as that part is final. So neither need go through memory as a whole.
//!
//! `w = j(a); p = dot(x, w); z = k(p, b)  =  z = contract { w = j(a); p = dot(x, w); k(p, b) }(x, a, b)`
//!
//! The step is a kernel of the form `Contract`: a grid of one point, whose body is the loops that make operands, the product, reshapes of
//! these, and the loop behind. So its definition is the steps as they were, and its bits are theirs. Where other steps read
//! the product too, it is one more result, behind those of the loop. What makes an operand is no result: it is made again by each
//! product that reads it, and only where all that read it are products that make it.
//!
//! Of a product of groups of rows, with a matrix for each group, the rows, the matrices and their scales may be made; the sizes lie in memory.
//!
//! The pass comes last, since the schedule decides which kernel comes right behind a product.

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::ops::{BlockSpec, DotGeneral, Kernel, KernelForm};
use jarrah_hlo::{Alias, Builder, Instr, Op, Operands, Program, ProgramRef, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::liveness::roots;
use crate::rebuild::{Memo, is_loop};
use crate::target::Target;

/// The parts of a kernel of the form `Contract`.
pub struct Contraction<'a> {
    /// The loop that makes each operand; `None` for one that is in memory.
    pub prologues: [Option<ContractionPart<'a>>; 3],
    /// The operands: the left one, the right one, and, if sums of parts of what is contracted have scales, these.
    pub operands: SmallVec<[Value; 3]>,
    /// The product, or that of each group; of groups of rows, the product of any of them with all matrices.
    pub dot: DotGeneral,
    /// The sizes of groups of rows, if each has a matrix of its own.
    pub sizes: Option<Value>,
    /// The body's instruction that is the product.
    pub product: &'a Instr,
    /// The sums of groups, and the scales of each of them, which are in no memory.
    pub groups: Option<[Value; 2]>,
    /// The product's value; of a product in groups, the scaled sum of the groups.
    pub value: Value,
    /// The loop behind the product.
    pub epilogue: Option<ContractionPart<'a>>,
}

/// A loop of a contraction.
pub struct ContractionPart<'a> {
    /// The loop.
    pub kernel: &'a Kernel,
    /// The body's instruction that it is.
    pub instr: &'a Instr,
    /// Which of the body's instructions that is.
    pub index: usize,
}

impl<'a> Contraction<'a> {
    /// The parts of `kernel`; `None` if its body is anything but loops that make operands of a product, the product, a loop that reads
    /// it, and reshapes between them.
    pub fn of(kernel: &'a Kernel) -> Option<Self> {
        let body: &'a Program = &kernel.body;
        let instrs = body.instrs();
        let at = instrs.iter().position(|instr| matches!(instr.op, Op::DotGeneral(_) | Op::RaggedDot(_)))?;
        let product = &instrs[at];
        let (dot, sizes) = match &product.op {
            Op::DotGeneral(dot) => (DotGeneral::clone(dot), None),
            Op::RaggedDot(of_rows) => (of_rows.of_matrices()?, Some(product.operands[2])),
            _ => return None,
        };
        let roots = roots(body);
        let root = |v: &Value| roots[v.index()];
        let is_operand = |v: &Value| v.index() < body.params().len();
        let part = |index: usize| match &instrs[index].op {
            Op::Kernel(kernel) if is_loop(&instrs[index].op) => {
                Some(ContractionPart { kernel, instr: &instrs[index], index })
            }
            _ => None,
        };
        let is_reshape_of = |instr: &Instr, of: &dyn Fn(&Value) -> bool| {
            matches!(instr.op, Op::Reshape(_)) && of(&root(&instr.result()))
        };
        let mut operands: SmallVec<[Value; 3]> = SmallVec::from_slice(&product.operands[..2]);
        operands.extend(product.operands.get(SCALES).copied().filter(|_| sizes.is_some()));
        let (mut value, mut groups, mut last) = (product.result(), None, at);
        if sizes.is_none()
            && let [spread, over, ..] = &instrs[at + 1..]
            && let (Op::BroadcastInDim(_), Op::DotGeneral(_)) = (&spread.op, &over.op)
        {
            if over.operands[..] != [product.result(), spread.result()] {
                return None;
            }
            operands.push(spread.operands[0]);
            (value, groups, last) = (over.result(), Some([product.result(), spread.result()]), at + 2);
        }
        let mut prologues = [None, None, None];
        for (side, operand) in operands.iter().enumerate() {
            let made = instrs[..at].iter().position(|instr| instr.results().any(|v| v == root(operand)));
            prologues[side] = match made {
                Some(index) if instrs[index].results().len() == 1 => Some(part(index)?),
                None if is_operand(operand) => None,
                _ => return None,
            };
        }
        let makes = |index: usize| prologues.iter().flatten().any(|part| part.index == index);
        let is_made = |v: &Value| prologues.iter().flatten().any(|part| part.instr.result() == *v);
        let before = instrs[..at].iter().enumerate().all(|(index, instr)| match makes(index) {
            true => instr.operands.iter().all(is_operand),
            false => is_reshape_of(instr, &is_made),
        });
        let is_product = |v: &Value| *v == value;
        let (epilogue, reshapes) = match instrs[last + 1..].split_last() {
            Some((instr, reshapes)) if is_loop(&instr.op) => (part(instrs.len() - 1), reshapes),
            _ => (None, &instrs[last + 1..]),
        };
        let behind = epilogue.iter().all(|part| {
            let mut operands = part.instr.operands.iter();
            operands.all(|v| is_operand(v) || is_product(&root(v)))
                && part.instr.operands.iter().any(|v| is_product(&root(v)))
        });
        let of_groups = |v: &Value| groups.is_some_and(|groups: [Value; 2]| groups.contains(v));
        let formed = kernel.form == KernelForm::Contract
            && before
            && behind
            && sizes.iter().all(is_operand)
            && reshapes.iter().all(|instr| is_reshape_of(instr, &is_product))
            && body.results().iter().all(|v| !is_operand(v) && !is_made(&root(v)) && !of_groups(&root(v)))
            && (epilogue.is_some() || groups.is_some() || prologues.iter().any(Option::is_some));
        formed.then_some(Contraction { prologues, operands, dot, sizes, product, groups, value, epilogue })
    }

    /// The body's instructions that are the loops and the product, in the order in which they run.
    pub fn parts(&self) -> impl Iterator<Item = &'a Instr> {
        let [left, right, scales] = &self.prologues;
        let same = left.as_ref().zip(right.as_ref()).is_some_and(|(left, right)| left.index == right.index);
        let before = left.iter().chain(right.iter().filter(move |_| !same)).chain(scales);
        before.map(|part| part.instr).chain([self.product]).chain(self.epilogue.iter().map(|part| part.instr))
    }

    /// Which operands of the loop behind are the product.
    pub fn reads(&self, body: &Program) -> SmallVec<[usize; 2]> {
        let Some(epilogue) = &self.epilogue else { return SmallVec::new() };
        let roots = roots(body);
        let is_product = |&i: &usize| roots[epilogue.instr.operands[i].index()] == self.value;
        (0..epilogue.instr.operands.len()).filter(is_product).collect()
    }

    /// The values of the body that are in no memory: operands that are made as the product reads them, and the sums of groups.
    pub fn made(&self) -> SmallVec<[Value; 2]> {
        let of_groups = self.groups.into_iter().flatten();
        self.prologues.iter().flatten().map(|part| part.instr.result()).chain(of_groups).collect()
    }

    /// The operands of the body that are read while parts of the product are made.
    pub fn reads_in_parts(&self) -> impl Iterator<Item = Value> {
        let made = self.prologues.iter().flatten().flat_map(|part| &part.instr.operands);
        self.operands.iter().chain(&self.sizes).chain(made).copied()
    }
}

/// Whether `op` is a product, by itself, in groups, or of groups of rows with a matrix each.
fn is_product(op: &Op) -> bool {
    match op {
        Op::RaggedDot(of_rows) => of_rows.of_matrices().is_some(),
        op => matches!(op, Op::DotGeneral(_)) || is_contraction(op),
    }
}

/// The operand of a product of groups of rows that is the scales, if it has any.
const SCALES: usize = 3;

/// Whether a loop may make the operand `side` of a product: the sizes of groups of rows lie in memory.
fn may_be_made(product: &Instr, side: usize) -> bool {
    !matches!(product.op, Op::RaggedDot(_)) || side != 2
}

/// Whether `op` is a kernel of the form `Contract`.
pub fn is_contraction(op: &Op) -> bool {
    matches!(op, Op::Kernel(kernel) if kernel.form == KernelForm::Contract)
}

pub fn run(program: &Program, target: &dyn Target, aliases: &[Alias]) -> Result<Program> {
    pass(program, target, aliases, &mut Memo::default())
}

fn pass(program: &Program, target: &dyn Target, aliases: &[Alias], memo: &mut Memo) -> Result<Program> {
    let roots = roots(program);
    let Joined { steps, made } = joined(program, &roots, target, aliases)?;
    let at: FxHashMap<Value, usize> =
        steps.iter().map(|(&at, step)| (program.instrs()[step.product].result(), at)).collect();
    let mut b = Builder::like(program);
    let mut map: Vec<Option<Value>> = vec![None; program.value_count()];
    for param in program.param_values() {
        map[param.index()] = Some(param);
    }
    let missing = || Error::internal("is read before it is computed");
    let look = |map: &[Option<Value>], values: &[Value]| -> Result<Operands> {
        values.iter().map(|v| map[v.index()].ok_or_else(missing)).collect()
    };
    // Reshapes of a product that stand before the loop.
    let mut late: Vec<&Instr> = Vec::new();
    for (index, instr) in program.instrs().iter().enumerate() {
        b.set_source(instr.source);
        if let Some(step) = steps.get(&index) {
            let operands = look(&map, &step.operands)?;
            let results = b.push(step.kernel.clone(), &operands)?;
            let product = program.instrs()[step.product].result();
            let of_loop = instr.results().filter(|v| *v != product);
            let of_step = of_loop.chain(step.kept.then_some(product));
            of_step.zip(results).for_each(|(old, new)| map[old.index()] = Some(new));
            for reshape in late.drain(..).filter(|_| step.kept) {
                let operands = look(&map, &reshape.operands)?;
                map[reshape.result().index()] = Some(b.copy(program, reshape, &operands)[0]);
            }
            continue;
        }
        let root = instr.results().next().map(|v| roots[v.index()]);
        match (&instr.op, root.and_then(|root| at.get(&root))) {
            _ if root.is_some_and(|root| made.contains(&root)) => continue,
            (op, Some(_)) if is_product(op) => continue,
            (Op::Reshape(_), Some(&at)) if index < at => {
                late.push(instr);
                continue;
            }
            _ => {}
        }
        let operands = look(&map, &instr.operands)?;
        let results = match memo.apply_inside(&instr.op, |program, memo| pass(program, target, &[], memo))? {
            Some(op) => b.push(op, &operands)?,
            None => b.copy(program, instr, &operands),
        };
        instr.results().zip(results).for_each(|(old, new)| map[old.index()] = Some(new));
    }
    let results = look(&map, program.results())?;
    b.finish(&results)
}

/// The steps that the pass joins in a program.
#[derive(Default)]
struct Joined {
    /// By the instruction in whose place each stands: the loop behind the product, or the product.
    steps: FxHashMap<usize, Step>,
    /// The values that are made only as products read them.
    made: FxHashSet<Value>,
}

/// A step in the place of a product and loops.
struct Step {
    kernel: Kernel,
    operands: Vec<Value>,
    /// The product's instruction.
    product: usize,
    /// Whether the product is the last result.
    kept: bool,
}

fn joined(program: &Program, roots: &[Value], target: &dyn Target, aliases: &[Alias]) -> Result<Joined> {
    let instrs = program.instrs();
    let products: Vec<usize> = (0..instrs.len()).filter(|&index| is_product(&instrs[index].op)).collect();
    let mut joined = Joined::default();
    if products.is_empty() {
        return Ok(joined);
    }
    let readers = readers(program, roots);
    let taken = |parts: &Parts<'_>| -> Result<Option<Step>> {
        let others =
            readers[parts.product.1.result().index()].count() - usize::from(parts.consumer.is_some());
        let step = parts.join(program, roots, others > 0)?;
        let types: Vec<Type> = step.operands.iter().map(|&v| program.ty(v)).collect();
        Ok(target.contracts(&step.kernel, &types).then_some(step))
    };
    // A parameter that is given up may be written over by the loop behind, but not while the product still reads it.
    let donors: FxHashSet<usize> = aliases.iter().map(|alias| alias.parameter).collect();
    let given_up = |v: Value| donors.contains(&roots[v.index()].index());
    let mut behind: FxHashMap<usize, (usize, Step)> = FxHashMap::default();
    for (product, consumer) in right_behind(program, roots) {
        let read = |v: Value| instrs[consumer].operands.iter().any(|w| roots[w.index()] == roots[v.index()]);
        let in_the_way = instrs[product].operands.iter().any(|&v| given_up(v) && read(v));
        let parts =
            Parts { consumer: Some((consumer, &instrs[consumer])), ..Parts::of(product, &instrs[product]) };
        if !in_the_way && let Some(step) = taken(&parts)? {
            behind.insert(product, (consumer, step));
        }
    }
    let follows: FxHashSet<usize> = behind.values().map(|(consumer, _)| *consumer).collect();
    for (index, instr) in instrs.iter().enumerate() {
        // A parameter that is given up is read now, so that a step between this one and the product may write over it.
        if follows.contains(&index) || instr.operands.iter().any(|&v| given_up(v)) {
            continue;
        }
        let Some(value) = candidate(program, roots, instr, &readers)? else { continue };
        let of = &readers[value.index()].steps;
        let mut all = true;
        let sides = |&product: &usize| (0..instrs[product].operands.len()).map(move |side| (product, side));
        for (product, side) in of.iter().flat_map(sides) {
            if all && roots[instrs[product].operands[side].index()] == value {
                let mut parts = Parts::of(product, &instrs[product]);
                parts.makers[side] = Some(instr);
                all = may_be_made(&instrs[product], side) && taken(&parts)?.is_some();
            }
        }
        if all {
            joined.made.insert(value);
        }
    }
    let makers: FxHashMap<Value, &Instr> = instrs
        .iter()
        .filter_map(|instr| Some((instr.results().next()?, instr)))
        .filter(|(value, _)| joined.made.contains(value))
        .collect();
    for product in products {
        let instr = &instrs[product];
        let mut parts = Parts::of(product, instr);
        for (side, operand) in instr.operands.iter().enumerate() {
            parts.makers[side] = makers.get(&roots[operand.index()]).copied();
        }
        let (at, step) = match (behind.remove(&product), parts.makers) {
            (None, [None, None, None, None]) => continue,
            (Some((consumer, step)), [None, None, None, None]) => (consumer, Some(step)),
            (Some((consumer, _)), _) => {
                parts.consumer = Some((consumer, &instrs[consumer]));
                (consumer, taken(&parts)?)
            }
            (None, _) => (product, taken(&parts)?),
        };
        let lacks = || Error::internal("a target that contracts a product with each loop and not with all");
        joined.steps.insert(at, step.ok_or_else(lacks)?);
    }
    Ok(joined)
}

/// Products, each with the loop right behind it that reads it.
fn right_behind(program: &Program, roots: &[Value]) -> Vec<(usize, usize)> {
    let instrs = program.instrs();
    let mut found = Vec::new();
    let mut last: Option<usize> = None;
    for (index, instr) in instrs.iter().enumerate() {
        if matches!(instr.op, Op::Reshape(_) | Op::Constant(_)) {
            continue;
        }
        if let Some(product) = last.replace(index)
            && is_product(&instrs[product].op)
            && is_loop(&instr.op)
            && instr.operands.iter().any(|v| roots[v.index()] == instrs[product].result())
        {
            found.push((product, index));
        }
    }
    found
}

/// The instructions and results that read a value, or a reshape of it.
#[derive(Clone, Default)]
struct Readers {
    /// The instructions, reshapes apart.
    steps: SmallVec<[usize; 2]>,
    /// How many results of the program it is.
    results: usize,
}

impl Readers {
    fn count(&self) -> usize {
        self.steps.len() + self.results
    }
}

/// The readers of each root.
fn readers(program: &Program, roots: &[Value]) -> Vec<Readers> {
    let mut readers = vec![Readers::default(); program.value_count()];
    for (index, instr) in program.instrs().iter().enumerate() {
        if matches!(instr.op, Op::Reshape(_)) {
            continue;
        }
        for operand in &instr.operands {
            let steps = &mut readers[roots[operand.index()].index()].steps;
            if steps.last() != Some(&index) {
                steps.push(index);
            }
        }
    }
    for result in program.results() {
        readers[roots[result.index()].index()].results += 1;
    }
    readers
}

/// The result of a loop that products may make as they read it: one that only products read, for which no more goes through
/// memory than does with the result there, and that keeps no more memory alive.
fn candidate(
    program: &Program,
    roots: &[Value],
    instr: &Instr,
    readers: &[Readers],
) -> Result<Option<Value>> {
    if !is_loop(&instr.op) || instr.results().len() != 1 {
        return Ok(None);
    }
    let (value, instrs) = (instr.result(), program.instrs());
    let Readers { steps, results } = &readers[value.index()];
    let Some(&last) = steps.last() else { return Ok(None) };
    if *results > 0 || !steps.iter().all(|&index| is_product(&instrs[index].op)) {
        return Ok(None);
    }
    let (mut read, mut kept) = (0usize, 0usize);
    for (i, operand) in instr.operands.iter().enumerate() {
        let root = roots[operand.index()];
        if instr.operands[..i].iter().any(|v| roots[v.index()] == root) {
            continue;
        }
        let bytes = program.ty(root).bytes()?;
        read = read.saturating_add(bytes);
        let Readers { steps, results } = &readers[root.index()];
        let stays = root.index() < program.params().len() || *results > 0 || steps.last() >= Some(&last);
        kept = kept.saturating_add(if stays { 0 } else { bytes });
    }
    let (times, bytes) = (steps.len(), program.ty(value).bytes()?);
    let repeated = read.saturating_mul(times - 1);
    Ok((kept <= bytes && repeated <= bytes.saturating_mul(times + 1)).then_some(value))
}

/// The product and the loops that become one step.
struct Parts<'a> {
    /// The product, and which instruction it is.
    product: (usize, &'a Instr),
    /// The loop that makes each operand.
    makers: [Option<&'a Instr>; SCALES + 1],
    /// The loop behind, and which instruction it is.
    consumer: Option<(usize, &'a Instr)>,
}

impl<'a> Parts<'a> {
    fn of(index: usize, product: &'a Instr) -> Self {
        Parts { product: (index, product), makers: [None; SCALES + 1], consumer: None }
    }

    /// The values that are read while parts of the product are made.
    fn reads_in_parts(&self) -> impl Iterator<Item = Value> {
        let sides = self.product.1.operands.iter().zip(self.makers);
        sides.flat_map(|(operand, maker)| match maker {
            Some(maker) => maker.operands.clone(),
            None => Operands::from_iter([*operand]),
        })
    }

    /// The kernel of them, and its operands, each once; the product is a result, too, where it is `kept`.
    fn join(&self, program: &Program, roots: &[Value], kept: bool) -> Result<Step> {
        let (index, product) = self.product;
        let kept = kept || self.consumer.is_none();
        let mut b = Builder::new("contract");
        let mut operands: Vec<Value> = Vec::new();
        let mut values: FxHashMap<Value, Value> = FxHashMap::default();
        let is_product = |v: Value| roots[v.index()] == product.result();
        let of_loop = self.consumer.iter().flat_map(|(_, consumer)| &consumer.operands).copied();
        for value in self.reads_in_parts().chain(of_loop.filter(|&v| !is_product(v))) {
            values.entry(value).or_insert_with(|| {
                operands.push(value);
                b.param(program.ty(value), "")
            });
        }
        let mut sides = Operands::new();
        for (&operand, maker) in product.operands.iter().zip(self.makers) {
            let Some(maker) = maker else {
                sides.push(values[&operand]);
                continue;
            };
            b.set_source(maker.source);
            let made = match values.get(&maker.result()) {
                Some(&made) => made,
                None => {
                    let read: Operands = maker.operands.iter().map(|v| values[v]).collect();
                    b.copy(program, maker, &read)[0]
                }
            };
            values.insert(maker.result(), made);
            let ty = program.ty(operand);
            sides.push(if b.ty(made) == ty { made } else { b.reshape(made, &ty.dims())? });
        }
        b.set_source(product.source);
        let value = match &product.op {
            Op::Kernel(groups) => b.inline(&groups.body, &sides)?[0],
            _ => b.copy(program, product, &sides)[0],
        };
        let mut results = Vec::new();
        if let Some((_, consumer)) = self.consumer {
            let mut shaped: FxHashMap<Type, Value> = FxHashMap::from_iter([(b.ty(value), value)]);
            let mut reads = Operands::new();
            for &operand in &consumer.operands {
                let ty = program.ty(operand);
                reads.push(match (is_product(operand), shaped.get(&ty)) {
                    (false, _) => values[&operand],
                    (true, Some(&known)) => known,
                    (true, None) => {
                        let reshaped = b.reshape(value, &ty.dims())?;
                        shaped.insert(ty, reshaped);
                        reshaped
                    }
                });
            }
            b.set_source(consumer.source);
            results.extend(b.copy(program, consumer, &reads));
        }
        results.extend(kept.then_some(value));
        let whole = |ty: &Type| BlockSpec::whole(ty.rank());
        let outputs = b.types(&results).iter().map(|ty| (*ty, whole(ty))).collect();
        let inputs = operands.iter().map(|&v| whole(&program.ty(v))).collect();
        let body = ProgramRef::new(b.finish(&results)?);
        let kernel =
            Kernel { form: KernelForm::Contract, ..Kernel::new(SmallVec::new(), inputs, outputs, body) };
        Ok(Step { kernel, operands, product: index, kept })
    }
}

//! A product and the elementwise kernel right behind it become one step, where the target contracts them: the kernel runs on
//! each part of the product as soon as that part is final, so the product as a whole need not go through memory.
//!
//! `p = dot(x, y); z = k(p, b)  =  z = contract { p = dot(x, y); k(p, b) }(x, y, b)`
//!
//! The step is a kernel of the form `Contract`: a grid of one point, whose body is the product, reshapes of it, and the loop. So
//! its definition is the two steps as they were, and its bits are theirs. Where other steps read the product too, it is one
//! more result, behind those of the loop.
//!
//! The pass comes last, since the schedule decides which kernel comes right behind a product.

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::ops::{BlockSpec, DotGeneral, Kernel, KernelForm};
use jarrah_hlo::{Alias, Builder, Instr, Op, Operands, Program, ProgramRef, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::rebuild::{Memo, is_loop};
use crate::schedule::roots;
use crate::target::Target;

/// The parts of a kernel of the form `Contract`.
pub struct Contraction<'a> {
    /// The product, and the instruction that it is.
    pub dot: &'a DotGeneral,
    /// The body's instruction that is the product.
    pub product: &'a Instr,
    /// The loop behind it, and the body's instruction that it is.
    pub epilogue: &'a Kernel,
    /// The body's instruction that is the loop.
    pub consumer: &'a Instr,
    /// The operands of the loop that are the product.
    pub reads: SmallVec<[usize; 2]>,
}

impl<'a> Contraction<'a> {
    /// The parts of `kernel`; `None` if its body is anything but a product of operands, reshapes of the product, and a loop that
    /// reads it.
    pub fn of(kernel: &'a Kernel) -> Option<Self> {
        let body: &'a Program = &kernel.body;
        let (product, rest) = body.instrs().split_first()?;
        let (consumer, reshapes) = rest.split_last()?;
        let (Op::DotGeneral(dot), Op::Kernel(epilogue)) = (&product.op, &consumer.op) else { return None };
        let is_operand = |v: &Value| v.index() < body.params().len();
        let roots = roots(body);
        let is_product = |v: &Value| roots[v.index()] == product.result();
        let formed = kernel.form == KernelForm::Contract
            && is_loop(&consumer.op)
            && product.operands.iter().all(is_operand)
            && consumer.operands.iter().all(|v| is_operand(v) || is_product(v))
            && reshapes.iter().all(|i| matches!(i.op, Op::Reshape(_)) && is_product(&i.result()));
        let reads: SmallVec<[usize; 2]> =
            (0..consumer.operands.len()).filter(|&i| is_product(&consumer.operands[i])).collect();
        (formed && !reads.is_empty()).then_some(Contraction { dot, product, epilogue, consumer, reads })
    }
}

/// Whether `op` is a kernel of the form `Contract`.
pub fn is_contraction(op: &Op) -> bool {
    matches!(op, Op::Kernel(kernel) if kernel.form == KernelForm::Contract)
}

pub fn run(program: &Program, target: &dyn Target, aliases: &[Alias]) -> Result<Program> {
    pass(program, target, aliases, &mut Memo::default())
}

/// A step in the place of a product and a loop.
struct Joined {
    kernel: Kernel,
    operands: Vec<Value>,
    /// Whether the product is the last result.
    kept: bool,
}

fn pass(program: &Program, target: &dyn Target, aliases: &[Alias], memo: &mut Memo) -> Result<Program> {
    let roots = roots(program);
    let joined = joined(program, &roots, target, aliases)?;
    let is_joined: FxHashMap<Value, usize> =
        joined.iter().map(|(&at, (product, _))| (program.instrs()[*product].result(), at)).collect();
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
        if let Some((product, step)) = joined.get(&index) {
            let operands = look(&map, &step.operands)?;
            let results = b.push(step.kernel.clone(), &operands)?;
            let product = program.instrs()[*product].result();
            let of_loop = instr.results().chain(step.kept.then_some(product));
            of_loop.zip(results).for_each(|(old, new)| map[old.index()] = Some(new));
            for reshape in late.drain(..).filter(|_| step.kept) {
                let operands = look(&map, &reshape.operands)?;
                map[reshape.result().index()] = Some(b.copy(program, reshape, &operands)[0]);
            }
            continue;
        }
        let product = instr.results().next().and_then(|v| is_joined.get(&roots[v.index()]));
        match (&instr.op, product) {
            (Op::DotGeneral(_), Some(_)) => continue,
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

/// For each loop that joins a product: the product's instruction, and the step that both become.
fn joined(
    program: &Program,
    roots: &[Value],
    target: &dyn Target,
    aliases: &[Alias],
) -> Result<FxHashMap<usize, (usize, Joined)>> {
    let instrs = program.instrs();
    let mut found: Vec<(usize, usize)> = Vec::new();
    // A parameter that is given up may be written over by the loop, but not while the product still reads it.
    let given_up = |v: &Value| aliases.iter().any(|alias| alias.parameter == roots[v.index()].index());
    let in_the_way = |product: &Instr, consumer: &Instr| {
        let read = |v: &Value| consumer.operands.iter().any(|w| roots[w.index()] == roots[v.index()]);
        product.operands.iter().any(|v| given_up(v) && read(v))
    };
    let mut last: Option<usize> = None;
    for (index, instr) in instrs.iter().enumerate() {
        if matches!(instr.op, Op::Reshape(_) | Op::Constant(_)) {
            continue;
        }
        if let Some(product) = last.replace(index)
            && matches!(instrs[product].op, Op::DotGeneral(_))
            && is_loop(&instr.op)
            && instr.operands.iter().any(|v| roots[v.index()] == instrs[product].result())
            && !in_the_way(&instrs[product], instr)
        {
            found.push((product, index));
        }
    }
    let mut joined = FxHashMap::default();
    if found.is_empty() {
        return Ok(joined);
    }
    let mut readers = vec![0usize; program.value_count()];
    for instr in instrs.iter().filter(|instr| !matches!(instr.op, Op::Reshape(_))) {
        let mut read: SmallVec<[Value; 4]> = instr.operands.iter().map(|v| roots[v.index()]).collect();
        read.sort_unstable();
        read.dedup();
        read.iter().for_each(|v| readers[v.index()] += 1);
    }
    for result in program.results() {
        readers[roots[result.index()].index()] += 1;
    }
    for (product, index) in found {
        let kept = readers[instrs[product].result().index()] > 1;
        let step = join(program, roots, &instrs[product], &instrs[index], kept)?;
        let types: Vec<Type> = step.operands.iter().map(|&v| program.ty(v)).collect();
        if target.contracts(&step.kernel, &types) {
            joined.insert(index, (product, step));
        }
    }
    Ok(joined)
}

/// The kernel of a product and a loop, and its operands, each once.
fn join(program: &Program, roots: &[Value], product: &Instr, consumer: &Instr, kept: bool) -> Result<Joined> {
    let mut b = Builder::new("contract");
    let mut operands: Vec<Value> = Vec::new();
    let mut params: FxHashMap<Value, Value> = FxHashMap::default();
    let is_product = |v: Value| roots[v.index()] == product.result();
    for &value in product.operands.iter().chain(consumer.operands.iter().filter(|&&v| !is_product(v))) {
        params.entry(value).or_insert_with(|| {
            operands.push(value);
            b.param(program.ty(value), "")
        });
    }
    b.set_source(product.source);
    let sides: Operands = product.operands.iter().map(|v| params[v]).collect();
    let value = b.copy(program, product, &sides)[0];
    let mut shaped: FxHashMap<Type, Value> = FxHashMap::from_iter([(b.ty(value), value)]);
    let mut reads = Operands::new();
    for &operand in &consumer.operands {
        let ty = program.ty(operand);
        reads.push(match (is_product(operand), shaped.get(&ty)) {
            (false, _) => params[&operand],
            (true, Some(&known)) => known,
            (true, None) => {
                let reshaped = b.reshape(value, &ty.dims())?;
                shaped.insert(ty, reshaped);
                reshaped
            }
        });
    }
    b.set_source(consumer.source);
    let results = b.copy(program, consumer, &reads);
    let results: Vec<Value> = results.into_iter().chain(kept.then_some(value)).collect();
    let whole = |ty: &Type| BlockSpec::whole(ty.rank());
    let outputs = b.types(&results).iter().map(|ty| (*ty, whole(ty))).collect();
    let inputs = operands.iter().map(|&v| whole(&program.ty(v))).collect();
    let body = ProgramRef::new(b.finish(&results)?);
    let kernel = Kernel { form: KernelForm::Contract, ..Kernel::new(SmallVec::new(), inputs, outputs, body) };
    Ok(Joined { kernel, operands, kept })
}

//! Helpers shared by the ops that hold programs.

use jarrah_base::{Error, Result, Type};

use crate::builder::Builder;
use crate::op::Op;
use crate::ops::Scan;
use crate::program::{Program, Value};
use crate::rules::{Batch, BatchCx, Batched, Cost, Effects, PartialValue, ProgramRef, Tangent};

/// The effects of running each of these.
pub(super) fn effects(programs: &[&ProgramRef]) -> Effects {
    programs.iter().fold(Effects::NONE, |all, p| all.union(p.effects()))
}

/// The cost of running `program` once.
pub(super) fn cost(program: &Program) -> Result<Cost> {
    program.check_expansion()?;
    let mut total = Cost::default();
    for instr in program.instrs() {
        let operands: Vec<Type> = instr.operands.iter().map(|&v| program.ty(v)).collect();
        let results: Vec<Type> = instr.results().map(|v| program.ty(v)).collect();
        total = total.plus(instr.op.cost(&operands, &results)?);
    }
    Ok(total)
}

/// Checks that the types of `what` are as they must be.
pub(super) fn same_types(what: &str, expected: &[Type], found: &[Type]) -> Result<()> {
    if expected.len() != found.len() {
        let (expected, found) = (expected.len(), found.len());
        return Err(Error::program(format!("{what}: there are {found} values, {expected} are needed")));
    }
    match expected.iter().zip(found).position(|(e, f)| e != f) {
        Some(i) => {
            Err(Error::program(format!("{what}: value {i} is {}, {} is needed", found[i], expected[i])))
        }
        None => Ok(()),
    }
}

/// The types that have tangents.
pub(super) fn differentiable(types: &[Type]) -> Vec<Type> {
    types.iter().copied().filter(|t| t.dtype().is_differentiable()).collect()
}

/// For each value of `program`, whether it depends on a parameter in `params`.
pub(super) fn depends(program: &Program, params: &[bool]) -> Vec<bool> {
    let mut depends = params.to_vec();
    for instr in program.instrs() {
        let any = instr.operands.iter().any(|v| depends[v.index()]);
        depends.extend(instr.results().map(|_| any));
    }
    depends
}

/// For each value of `program`, whether the results in `results` depend on it.
pub(super) fn needed(program: &Program, results: &[bool]) -> Vec<bool> {
    program.needed_for(&chosen(program.results(), results))
}

/// The entries of `all` where `mask` says so.
pub(super) fn chosen<T: Copy>(all: &[T], mask: &[bool]) -> Vec<T> {
    all.iter().zip(mask).filter(|(_, m)| **m).map(|(x, _)| *x).collect()
}

/// Sets in `mask` what is set in `other`, and says whether that changed anything.
pub(super) fn join(mask: &mut [bool], other: &[bool]) -> bool {
    let mut changed = false;
    for (m, &o) in mask.iter_mut().zip(other) {
        changed |= o && !*m;
        *m |= o;
    }
    changed
}

/// Which tangents are not zero.
pub(super) fn active(tangents: &[Tangent]) -> Vec<bool> {
    tangents.iter().map(|t| t.value().is_some()).collect()
}

/// The tangents of results, given which of them have one and those.
pub(super) fn tangents(types: &[Type], active: &[bool], values: &[Value]) -> Vec<Tangent> {
    let mut values = values.iter();
    let tangent = |(&ty, &active): (&Type, &bool)| match active.then(|| values.next()).flatten() {
        Some(&value) => Tangent::Value(value),
        None => Tangent::Zero(ty),
    };
    types.iter().zip(active).map(tangent).collect()
}

/// Which operands are known.
pub(super) fn known(operands: &[PartialValue]) -> Vec<bool> {
    operands.iter().map(|o| matches!(o, PartialValue::Known(_))).collect()
}

/// The known and the unknown operands.
pub(super) fn parted(operands: &[PartialValue]) -> (Vec<Value>, Vec<Value>) {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for operand in operands {
        match *operand {
            PartialValue::Known(v) => known.push(v),
            PartialValue::Unknown(v) => unknown.push(v),
        }
    }
    (known, unknown)
}

/// The results of an instruction, given which are known, those, and the others.
pub(super) fn rejoined(mask: &[bool], known: &[Value], unknown: &[Value]) -> Result<Vec<PartialValue>> {
    let (mut known, mut unknown) = (known.iter(), unknown.iter());
    let next = |&is_known: &bool| {
        if is_known {
            known.next().map(|&v| PartialValue::Known(v))
        } else {
            unknown.next().map(|&v| PartialValue::Unknown(v))
        }
    };
    let all: Option<Vec<PartialValue>> = mask.iter().map(next).collect();
    all.ok_or_else(|| Error::internal("partial evaluation of a sub-program lost a result"))
}

/// The order that puts each group's tangents behind its primals.
///
/// Transformed programs have all primals, then all tangents of those in `active`; loops want each of their groups
/// (constants, carry, arrays) together. Entry `j` is the position in the former order of what stands at `j` in the
/// latter.
pub(super) fn grouped(groups: &[usize], active: &[bool]) -> Vec<usize> {
    let (mut order, mut start, mut tangent) = (Vec::new(), 0, active.len());
    for &count in groups {
        order.extend(start..start + count);
        for _ in active[start..start + count].iter().filter(|a| **a) {
            order.push(tangent);
            tangent += 1;
        }
        start += count;
    }
    order
}

/// The entries of `all` at the positions `order`.
pub(super) fn reordered<T: Copy>(all: &[T], order: &[usize]) -> Vec<T> {
    order.iter().map(|&i| all[i]).collect()
}

/// Undoes [`reordered`].
pub(super) fn restored<T: Copy>(all: &[T], order: &[usize]) -> Vec<T> {
    let mut original = all.to_vec();
    for (&position, &entry) in order.iter().zip(all) {
        original[position] = entry;
    }
    original
}

/// `program` with its parameters and results in other orders.
pub(super) fn permuted(program: &Program, params: &[usize], results: &[usize]) -> Result<Program> {
    let params: Vec<Value> = params.iter().map(|&i| program.param(i)).collect();
    program.extract(&params, &reordered(program.results(), results))
}

/// Whether the elements of a batch that take different ways through these programs run one by one. They run together where
/// the programs speak of a named axis: in what is exchanged along it every element takes part.
pub(super) fn runs_apart<'a>(cx: &BatchCx<'_>, programs: impl IntoIterator<Item = &'a ProgramRef>) -> bool {
    cx.one_by_one && !programs.into_iter().any(|program| program.names_axes())
}

/// A batch of an op that has to run once for each element, in order: a scan over the elements, whose constants are the
/// operands without a batch axis.
pub(super) fn one_by_one(cx: &mut BatchCx<'_>, op: impl Into<Op>) -> Result<Batch> {
    let op = op.into();
    let length = cx.size;
    let mut b = Builder::new(op.name());
    b.set_source(cx.b.source());
    let mut args = vec![None; cx.operands.len()];
    let mut operands = Vec::new();
    for batched in [false, true] {
        for i in (0..args.len()).filter(|&i| cx.operands[i].batched == batched) {
            args[i] = Some(b.param(cx.ty(i), ""));
            operands.push(cx.operands[i].value);
        }
    }
    let consts = cx.operands.iter().filter(|o| !o.batched).count();
    let args: Vec<Value> = args.into_iter().flatten().collect();
    let results = b.push(op, &args)?;
    let scan = Scan { body: b.finish(&results)?.into(), consts, carry: 0, length, reverse: false };
    let results = cx.b.push(scan, &operands)?;
    Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
}

//! The values that a checkpoint keeps of a program, and the program that recomputes the rest: also within loops and branches.

use jarrah_base::{Error, Result, Type};
use rustc_hash::FxHashMap;

use super::{Case, Saveable, Scan, sub};
use crate::builder::{Builder, Results};
use crate::op::Op;
use crate::program::{Program, Value};

/// A program in two parts: one that runs, and one that computes some of its values again.
pub(super) struct Resumption {
    /// Returns the results, then what is kept.
    pub(super) known: Program,
    /// Takes the parameters in `params`, then what is kept; returns the values that were wanted.
    pub(super) again: Program,
    /// The positions of the parameters that are needed again.
    pub(super) params: Vec<usize>,
}

/// How an instruction of which something is wanted runs again.
enum Plan {
    /// As it is.
    Whole,
    /// A loop or a branch, from what is kept of its programs.
    Inside(Inside),
}

/// A loop or a branch that keeps values of its programs.
struct Inside {
    /// The op that also returns what is kept, as its last results.
    known: Op,
    /// The op that takes the operands at the positions in `operands`, then what `known` keeps.
    again: Op,
    operands: Vec<usize>,
    /// The results of the instruction that `again` returns, in order.
    wanted: Vec<usize>,
}

/// The program of `results` in two parts, where `saveable` says what may be kept of the values from which those in `wanted` follow. Results of
/// instructions that may not run twice are kept in any case.
pub(super) fn resume(
    program: &Program,
    results: &[Value],
    wanted: &[Value],
    saveable: &Saveable,
) -> Result<Resumption> {
    let mut kept = saveable.kept(program);
    let mut needed = vec![false; program.value_count()];
    for &value in wanted {
        needed[value.index()] = true;
    }
    let mut plans = Plans::default();
    for (i, instr) in program.instrs().iter().enumerate().rev() {
        if !instr.op.effects().may_duplicate() {
            instr.results().for_each(|v| kept[v.index()] = true);
        }
        if let Op::Scan(scan) = &instr.op {
            // A stack of values that may be kept may be kept itself.
            let inside = saveable.kept(&scan.body);
            for (value, of_body) in instr.results().zip(scan.body.results()).skip(scan.carry) {
                kept[value.index()] |= inside[of_body.index()];
            }
        }
        let open: Vec<bool> = instr.results().map(|v| needed[v.index()] && !kept[v.index()]).collect();
        if !open.contains(&true) {
            continue;
        }
        let plan = match &instr.op {
            Op::Scan(scan) => Plan::Inside(scanned(scan, open, saveable)?),
            Op::Case(case) => Plan::Inside(branched(case, &open, saveable)?),
            _ => Plan::Whole,
        };
        match &plan {
            Plan::Whole => instr.operands.iter().for_each(|v| needed[v.index()] = true),
            Plan::Inside(inside) => {
                inside.operands.iter().for_each(|&at| needed[instr.operands[at].index()] = true);
            }
        }
        plans.insert(i, plan);
    }
    let is_kept: Vec<bool> = needed.iter().zip(&kept).map(|(needed, kept)| *needed && *kept).collect();
    let params: Vec<usize> = (0..program.params().len()).filter(|&i| needed[i]).collect();
    let (known, extras) = known(program, results, &plans, &is_kept)?;
    let again = again(program, &params, wanted, (&plans, &is_kept, &extras))?;
    Ok(Resumption { known, again, params })
}

/// The plans of the instructions that run again, by their numbers.
type Plans = FxHashMap<usize, Plan>;

/// The program that runs first, of `results` and then the values of `program` that are kept, each instruction's followed by the values that its
/// loop or branches keep; and the types of these, for each instruction.
fn known(
    program: &Program,
    results: &[Value],
    plans: &Plans,
    is_kept: &[bool],
) -> Result<(Program, Vec<Vec<Type>>)> {
    let mut b = Builder::like(program);
    let mut map: Vec<Value> = program.param_values().collect();
    let (mut returned, mut extras) = (Vec::new(), Vec::with_capacity(program.instrs().len()));
    for (i, instr) in program.instrs().iter().enumerate() {
        let operands: Vec<Value> = instr.operands.iter().map(|v| map[v.index()]).collect();
        let results = match plans.get(&i) {
            Some(Plan::Inside(inside)) => {
                b.set_source(instr.source);
                b.push(inside.known.clone(), &operands)?
            }
            _ => b.copy(program, instr, &operands),
        };
        let count = instr.results().len();
        map.extend(&results[..count]);
        returned.extend(instr.results().filter(|v| is_kept[v.index()]).map(|v| map[v.index()]));
        returned.extend(&results[count..]);
        extras.push(results[count..].iter().map(|&v| b.ty(v)).collect());
    }
    let own = results.iter().map(|v| map[v.index()]);
    let returned: Vec<Value> = own.chain(returned).collect();
    let known = b.finish(&returned)?;
    let known = known.extract(&known.param_values().collect::<Vec<_>>(), known.results())?;
    Ok((known, extras))
}

/// The program that computes the values in `wanted` again, of the parameters in `params` and then all that [`known`] keeps.
fn again(
    program: &Program,
    params: &[usize],
    wanted: &[Value],
    (plans, is_kept, extras): (&Plans, &[bool], &[Vec<Type>]),
) -> Result<Program> {
    let mut b = Builder::new(program.name());
    let mut map: Vec<Option<Value>> = vec![None; program.value_count()];
    for &i in params {
        map[i] = Some(b.param_at(program.params()[i]));
    }
    let mut stacks: Vec<Vec<Value>> = Vec::with_capacity(extras.len());
    for (instr, extras) in program.instrs().iter().zip(extras) {
        for value in instr.results().filter(|v| is_kept[v.index()]) {
            map[value.index()] = Some(b.param(program.ty(value), ""));
        }
        stacks.push(extras.iter().map(|&ty| b.param(ty, "")).collect());
    }
    let lost = || Error::internal("a value to be computed again has no origin");
    for (i, instr) in program.instrs().iter().enumerate() {
        let Some(plan) = plans.get(&i) else { continue };
        let (results, of): (Results, Vec<Value>) = match plan {
            Plan::Whole => {
                let operands = instr.operands.iter().map(|v| map[v.index()].ok_or_else(lost));
                let operands = operands.collect::<Result<Vec<Value>>>()?;
                (b.copy(program, instr, &operands), instr.results().collect())
            }
            Plan::Inside(inside) => {
                let operand = |&at: &usize| map[instr.operands[at].index()].ok_or_else(lost);
                let mut operands = inside.operands.iter().map(operand).collect::<Result<Vec<Value>>>()?;
                operands.extend(&stacks[i]);
                b.set_source(instr.source);
                let all: Vec<Value> = instr.results().collect();
                let of = inside.wanted.iter().map(|&result| all[result]).collect();
                (b.push(inside.again.clone(), &operands)?, of)
            }
        };
        for (value, result) in of.into_iter().zip(results) {
            map[value.index()].get_or_insert(result);
        }
    }
    let wanted = wanted.iter().map(|v| map[v.index()].ok_or_else(lost)).collect::<Result<Vec<Value>>>()?;
    b.finish(&wanted)
}

/// The plan for a loop of which the results in `open` are wanted: what may be kept within is stacked, and the loop that runs again
/// takes it slice by slice.
fn scanned(scan: &Scan, mut open: Vec<bool>, saveable: &Saveable) -> Result<Inside> {
    let body = &scan.body;
    let kept = saveable.kept(body);
    loop {
        let needed = body.needed_from(&kept, &sub::chosen(body.results(), &open));
        let carry: Vec<bool> = (0..scan.carry).map(|i| needed[scan.consts + i]).collect();
        if !sub::join(&mut open[..scan.carry], &carry) {
            break;
        }
    }
    let Resumption { known, again, params } =
        resume(body, body.results(), &sub::chosen(body.results(), &open), saveable)?;
    let loose = scan.consts + scan.carry;
    let carried = (0..scan.carry).filter(|&i| open[i]).map(|i| scan.consts + i);
    let consts = params.iter().filter(|&&i| i < scan.consts).count();
    let carry = carried.clone().count();
    let arrays = params.iter().copied().filter(|&i| i >= loose);
    let operands: Vec<usize> = params[..consts].iter().copied().chain(carried).chain(arrays).collect();
    let types = body.param_types();
    let stacked = &known.result_types()[body.results().len()..];
    let again = over(&again, &operands, &types, &params, (stacked, &|i| i))?;
    Ok(Inside {
        known: Scan { body: known.into(), ..scan.clone() }.into(),
        again: Scan { body: again.into(), consts, carry, length: scan.length, reverse: scan.reverse }.into(),
        operands,
        wanted: (0..open.len()).filter(|&i| open[i]).collect(),
    })
}

/// The plan for branches of which the results in `open` are wanted. Only one of them runs, so what they keep of one type shares a
/// result.
fn branched(case: &Case, open: &[bool], saveable: &Saveable) -> Result<Inside> {
    let count = open.len();
    let mut slots: Vec<Type> = Vec::new();
    let mut slots_of: FxHashMap<Type, Vec<usize>> = FxHashMap::default();
    let mut parts = Vec::with_capacity(case.branches.len());
    let mut is_needed = vec![false; case.branches[0].params().len()];
    for branch in &case.branches {
        let part = resume(branch, branch.results(), &sub::chosen(branch.results(), open), saveable)?;
        let mut taken: FxHashMap<Type, usize> = FxHashMap::default();
        let mut places = Vec::new();
        for &ty in &part.known.result_types()[count..] {
            let (of_type, taken) = (slots_of.entry(ty).or_default(), taken.entry(ty).or_insert(0));
            if *taken == of_type.len() {
                of_type.push(slots.len());
                slots.push(ty);
            }
            places.push(of_type[*taken]);
            *taken += 1;
        }
        part.params.iter().for_each(|&i| is_needed[i] = true);
        parts.push((part, places));
    }
    let params: Vec<usize> = (0..is_needed.len()).filter(|&i| is_needed[i]).collect();
    let types = case.branches[0].param_types();
    let (mut known, mut again) = (Vec::new(), Vec::new());
    for (part, places) in &parts {
        let mut b = Builder::like(&part.known);
        let args: Vec<Value> = part.known.param_values().collect();
        let results = b.inline(&part.known, &args)?;
        let mut returned = results[..count].to_vec();
        for (slot, &ty) in slots.iter().enumerate() {
            returned.push(match places.iter().position(|&place| place == slot) {
                Some(i) => results[count + i],
                None => b.zeros(ty)?,
            });
        }
        known.push(b.finish(&returned)?.into());
        again.push(over(&part.again, &params, &types, &part.params, (&slots, &|i| places[i]))?.into());
    }
    Ok(Inside {
        known: Case { branches: known }.into(),
        again: Case { branches: again }.into(),
        operands: std::iter::once(0).chain(params.iter().map(|i| i + 1)).collect(),
        wanted: (0..count).filter(|&i| open[i]).collect(),
    })
}

/// `again`, which takes the parameters in `params`, then what is kept, over all parameters in `given`, then over all values of the
/// types `kept`, of which `place` says where each is that it takes.
fn over(
    again: &Program,
    given: &[usize],
    types: &[Type],
    params: &[usize],
    (kept, place): (&[Type], &dyn Fn(usize) -> usize),
) -> Result<Program> {
    let mut b = Builder::new(again.name());
    let slots: FxHashMap<usize, Value> = given.iter().map(|&i| (i, b.param(types[i], ""))).collect();
    let kept: Vec<Value> = kept.iter().map(|&ty| b.param(ty, "")).collect();
    let mut args = Vec::with_capacity(again.params().len());
    for i in params {
        let slot = slots.get(i).copied();
        args.push(slot.ok_or_else(|| Error::internal("a carried value to be computed again is lost"))?);
    }
    args.extend((0..again.params().len() - params.len()).map(|i| kept[place(i)]));
    let results = b.inline(again, &args)?;
    b.finish(&results)
}

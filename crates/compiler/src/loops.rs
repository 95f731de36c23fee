//! Loops, branches and kernels without unused operands, carries and results, and without carries that never change.

use jarrah_base::{Result, work};
use jarrah_hlo::ops::{Case, Kernel, KernelOutput, Scan, Start, While};
use jarrah_hlo::{Op, Program, ProgramRef, Value};

use crate::liveness::kept;
use crate::rebuild::has_steps;

/// A loop, branch or kernel over some of its operands, with some of its results.
pub struct Restriction {
    /// The restricted op.
    pub op: Op,
    /// The operands of the original op that it takes.
    pub operands: Vec<usize>,
    /// The results of the original op that it has; at least one.
    pub results: Vec<usize>,
}

/// `op` restricted to what its results in `used` need; `None` where nothing can be dropped.
pub fn restrict(op: &Op, used: &[bool]) -> Result<Option<Restriction>> {
    let restriction = match op {
        Op::Scan(scan) => restrict_scan(scan, used)?,
        Op::While(w) => restrict_while(w, used)?,
        Op::Case(case) => restrict_case(case, used)?,
        Op::Kernel(kernel) if has_steps(op) => restrict_kernel(kernel, used)?,
        _ => return Ok(None),
    };
    let params: usize = match op {
        Op::Case(case) => case.branches[0].params().len() + 1,
        Op::Kernel(kernel) => kernel.prefetch + kernel.inputs.len(),
        _ => op.programs()[0].params().len(),
    };
    let smaller = restriction.operands.len() < params || restriction.results.len() < used.len();
    Ok((smaller && !restriction.results.is_empty()).then_some(restriction))
}

fn extract(program: &Program, params: &[usize], results: &[usize]) -> Result<ProgramRef> {
    let params: Vec<Value> = params.iter().map(|&i| program.param(i)).collect();
    let results: Vec<Value> = results.iter().map(|&i| program.results()[i]).collect();
    Ok(program.extract(&params, &results)?.into())
}

/// Which values of a loop's body its results in `live` need, over all steps: a carry that is needed needs the result
/// that replaces it, which is added to `live`. The carries are the `carry` parameters from `first` on.
fn needed_by_steps(body: &Program, first: usize, carry: usize, live: &mut [bool]) -> Vec<bool> {
    let definitions = body.definitions();
    let mut needed = vec![false; body.value_count()];
    let mut followed = vec![false; body.instrs().len()];
    let mut open: Vec<Value> =
        body.results().iter().zip(&*live).filter(|(_, l)| **l).map(|(v, _)| *v).collect();
    for instr in body.instrs().iter().filter(|i| !i.op.effects().may_drop()) {
        open.extend(&instr.operands);
    }
    while let Some(value) = open.pop() {
        work::step(1);
        if std::mem::replace(&mut needed[value.index()], true) {
            continue;
        }
        match definitions[value.index()] {
            Some(index) if !std::mem::replace(&mut followed[index], true) => {
                open.extend(&body.instrs()[index].operands);
            }
            Some(_) => {}
            None => {
                let i = value.index().checked_sub(first).filter(|&i| i < carry);
                if let Some(i) = i.filter(|&i| !std::mem::replace(&mut live[i], true)) {
                    open.push(body.results()[i]);
                }
            }
        }
    }
    needed
}

fn restrict_scan(scan: &Scan, used: &[bool]) -> Result<Restriction> {
    let Scan { body, consts, carry, .. } = scan;
    let mut live = used.to_vec();
    let needed = needed_by_steps(body, *consts, *carry, &mut live);
    let is_carry = |i: usize| i >= *consts && i < consts + carry;
    let kept = |i: &usize| if is_carry(*i) { live[i - consts] } else { needed[*i] };
    let operands: Vec<usize> = (0..body.params().len()).filter(kept).collect();
    let results: Vec<usize> = (0..live.len()).filter(|&i| live[i]).collect();
    let op = Scan {
        body: extract(body, &operands, &results)?,
        consts: operands.iter().filter(|&&i| i < *consts).count(),
        carry: operands.iter().filter(|&&i| is_carry(i)).count(),
        ..*scan
    };
    Ok(Restriction { op: op.into(), operands, results })
}

fn restrict_while(w: &While, used: &[bool]) -> Result<Restriction> {
    let count = w.body.params().len();
    let tested = w.cond.needed_for(w.cond.results());
    let mut carried: Vec<bool> = used.iter().zip(&tested[w.consts..]).map(|(u, t)| *u || *t).collect();
    let needed = needed_by_steps(&w.body, w.consts, count - w.consts, &mut carried);
    let mut live: Vec<bool> = needed[..w.consts].iter().zip(&tested).map(|(n, t)| *n || *t).collect();
    live.extend(carried);
    let operands: Vec<usize> = (0..count).filter(|&i| live[i]).collect();
    let results: Vec<usize> = operands.iter().filter(|&&i| i >= w.consts).map(|i| i - w.consts).collect();
    let op = While {
        cond: extract(&w.cond, &operands, &[0])?,
        body: extract(&w.body, &operands, &results)?,
        consts: operands.iter().filter(|&&i| i < w.consts).count(),
    };
    Ok(Restriction { op: op.into(), operands, results })
}

fn restrict_case(case: &Case, used: &[bool]) -> Result<Restriction> {
    let results: Vec<usize> = (0..used.len()).filter(|&i| used[i]).collect();
    let mut needed = vec![false; case.branches[0].params().len()];
    for branch in &case.branches {
        let values: Vec<Value> = results.iter().map(|&i| branch.results()[i]).collect();
        let of_branch = branch.needed_for(&values);
        for (n, o) in needed.iter_mut().zip(of_branch) {
            *n |= o;
        }
    }
    let params: Vec<usize> = (0..needed.len()).filter(|&i| needed[i]).collect();
    let mut branches = Vec::new();
    for branch in &case.branches {
        branches.push(extract(branch, &params, &results)?);
    }
    let operands = std::iter::once(0).chain(params.iter().map(|i| i + 1)).collect();
    Ok(Restriction { op: Case { branches }.into(), operands, results })
}

/// Prefetched operands stay: the map may read them.
fn restrict_kernel(kernel: &Kernel, used: &[bool]) -> Result<Restriction> {
    let Kernel { grid, prefetch, inputs, outputs, body, .. } = kernel;
    // The result that replaces each held block and each scratch array.
    let state: Vec<usize> = kept(kernel).into_iter().flatten().collect();
    let first = body.params().len() - state.len();
    let mut live = used.to_vec();
    live.resize(body.results().len(), false);
    let needed = loop {
        let returned: Vec<Value> =
            body.results().iter().zip(&live).filter(|(_, live)| **live).map(|(value, _)| *value).collect();
        let needed = body.needed_for(&returned);
        let open: Vec<usize> = state
            .iter()
            .enumerate()
            .filter(|&(j, &i)| needed[first + j] && !live[i])
            .map(|(_, &i)| i)
            .collect();
        if open.is_empty() {
            break needed;
        }
        open.into_iter().for_each(|i| live[i] = true);
    };
    let begins = |operand: usize| {
        outputs.iter().zip(&live).any(|(output, live)| *live && output.start == Start::Operand(operand))
    };
    let takes = |i: &usize| *i < *prefetch || needed[grid.len() + i] || begins(*i);
    let operands: Vec<usize> = (0..prefetch + inputs.len()).filter(takes).collect();
    let mut params: Vec<usize> = (0..grid.len()).collect();
    params.extend(operands.iter().map(|i| grid.len() + i));
    params.extend(state.iter().enumerate().filter(|(_, i)| live[**i]).map(|(j, _)| first + j));
    let all: Vec<usize> = (0..live.len()).filter(|&i| live[i]).collect();
    let results: Vec<usize> = all.iter().copied().filter(|&i| i < outputs.len()).collect();
    let output = |&i: &usize| {
        let start = match outputs[i].start {
            Start::Operand(from) => Start::Operand(operands.partition_point(|&operand| operand < from)),
            start => start,
        };
        KernelOutput { start, ..outputs[i].clone() }
    };
    let op = Kernel {
        inputs: operands[*prefetch..].iter().map(|i| inputs[i - prefetch].clone()).collect(),
        outputs: results.iter().map(output).collect(),
        scratch: all[results.len()..].iter().map(|i| kernel.scratch[i - outputs.len()]).collect(),
        body: extract(body, &params, &all)?,
        ..kernel.clone()
    };
    Ok(Restriction { op: op.into(), operands, results })
}

/// `scan` with its invariant carries as constants: the new scan, the operands of `scan` that it takes, and where each
/// result of `scan` is found.
pub fn hoist_invariant_carries(scan: &Scan) -> Result<Option<(Scan, Vec<usize>, Vec<Hoisted>)>> {
    let body = &scan.body;
    let same = |i: usize| body.results()[i] == body.param(scan.consts + i);
    let fixed: Vec<usize> = (0..scan.carry).filter(|&i| same(i)).collect();
    if fixed.is_empty() {
        return Ok(None);
    }
    let moving: Vec<usize> = (0..scan.carry).filter(|&i| !same(i)).collect();
    let mut operands: Vec<usize> = (0..scan.consts).collect();
    operands.extend(fixed.iter().map(|i| scan.consts + i));
    operands.extend(moving.iter().map(|i| scan.consts + i));
    operands.extend(scan.consts + scan.carry..body.params().len());
    let kept: Vec<usize> = (0..body.results().len()).filter(|&i| i >= scan.carry || !same(i)).collect();
    let mut results: Vec<Hoisted> =
        (0..body.results().len()).map(|i| Hoisted::Operand(scan.consts + i)).collect();
    for (position, &i) in kept.iter().enumerate() {
        results[i] = Hoisted::Result(position);
    }
    let scan = Scan {
        body: extract(body, &operands, &kept)?,
        consts: scan.consts + fixed.len(),
        carry: moving.len(),
        ..*scan
    };
    Ok(Some((scan, operands, results)))
}

/// Where a result of a scan is found after its invariant carries became constants.
#[derive(Clone, Copy)]
pub enum Hoisted {
    /// It equals this operand of the original scan.
    Operand(usize),
    /// It is this result of the new scan.
    Result(usize),
}

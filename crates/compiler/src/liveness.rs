//! Which values lie in one memory, and from when to when.

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::ops::Kernel;
use jarrah_hlo::{Alias, Op, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The root of each value: what a reshape reshapes, else the value itself.
pub fn roots(program: &Program) -> Vec<Value> {
    let mut roots: Vec<Value> = program.param_values().collect();
    for instr in program.instrs() {
        match instr.op {
            Op::Reshape(_) => roots.push(roots[instr.operands[0].index()]),
            _ => roots.extend(instr.results()),
        }
    }
    roots
}

/// The first and the last instruction at which each root is alive, counted from one; parameters live from zero,
/// results to the end.
pub(crate) fn lifetimes(program: &Program, roots: &[Value]) -> Vec<(usize, usize)> {
    let mut lifetimes = vec![(0, 0); program.value_count()];
    for (index, instr) in program.instrs().iter().enumerate() {
        for value in instr.results() {
            lifetimes[value.index()] = (index + 1, index + 1);
        }
        for operand in &instr.operands {
            // A reshape reads nothing itself: whoever reads the reshape keeps its root alive.
            lifetimes[roots[operand.index()].index()].1 = index + 1;
        }
    }
    for result in program.results() {
        lifetimes[roots[result.index()].index()].1 = program.instrs().len() + 1;
    }
    lifetimes
}

/// For each parameter that is given up, the result that may take its memory: the one its alias names, the result that is
/// this parameter, or else the first one of its type that no other parameter has.
pub(crate) fn partners(program: &Program, aliases: &[Alias]) -> Result<Vec<Option<usize>>> {
    let count = program.params().len();
    let mut partners = vec![None; count];
    let mut is_donor = vec![false; count];
    for alias in aliases {
        is_donor[alias.parameter] = alias.result.is_none();
        partners[alias.parameter] = alias.result;
    }
    let named: FxHashSet<usize> = aliases.iter().filter_map(|alias| alias.result).collect();
    let roots = roots(program);
    // The results that are left, by type, the last one first.
    let mut left: FxHashMap<Type, Vec<usize>> = FxHashMap::default();
    for (j, result) in program.results().iter().enumerate().rev() {
        if roots[result.index()].index() >= count && !named.contains(&j) {
            left.entry(program.ty(*result)).or_default().push(j);
        }
    }
    for (j, result) in program.results().iter().enumerate() {
        let root = roots[result.index()].index();
        if root < count && is_donor[root] && partners[root].is_none() && !named.contains(&j) {
            partners[root] = Some(j);
        }
    }
    for (i, parameter) in program.params().iter().enumerate() {
        if is_donor[i] && partners[i].is_none() {
            partners[i] = left.get_mut(&parameter.ty).and_then(Vec::pop);
        }
    }
    // A result takes one parameter's memory, of the size it needs.
    let mut taken = FxHashSet::default();
    for (i, partner) in partners.iter_mut().enumerate() {
        let fits = |j: usize| {
            Ok::<_, Error>(program.ty(program.results()[j]).bytes()? == program.params()[i].ty.bytes()?)
        };
        if let Some(j) = *partner
            && !(fits(j)? && taken.insert(j))
        {
            *partner = None;
        }
    }
    Ok(partners)
}

/// For each parameter of a loop's body the result that replaces it in the next step.
pub(crate) fn carried(program: &Program, first: usize, count: usize) -> Vec<Option<usize>> {
    let carry = |i: usize| i.checked_sub(first).filter(|&i| i < count);
    (0..program.params().len()).map(carry).collect()
}

/// For each parameter of a kernel's body the result that replaces it: of a held block the block, of a scratch array what
/// the next point gets.
pub(crate) fn kept(kernel: &Kernel) -> Vec<Option<usize>> {
    let scratch = kernel.scratch.len();
    let mut kept = vec![None; kernel.body.params().len() - scratch - kernel.held().count()];
    kept.extend(kernel.held().map(Some));
    kept.extend((0..scratch).map(|i| Some(kernel.outputs.len() + i)));
    kept
}

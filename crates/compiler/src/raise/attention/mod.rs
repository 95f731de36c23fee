//! Attention that an imported program has written out, as one [`Attention`](jarrah_hlo::ops::Attention).
//!
//! Programs of other frameworks compute `softmax(scale q k^T + mask) v` by a product, steps on scores, exponentials, a sum, a
//! division and a second product, in many orders and layouts. The walk begins at an exponential. Backwards it follows the
//! [`scores`] to the first product; forwards it computes, for everything made of the exponential, what it is in terms of
//! exponentials, their sum and the cotangent of the result ([`poly`]), to the second product, and, where the program has
//! the derivative too, to the products that make the cotangents of q, k and v. A program that has the derivative alone lacks the
//! second product: what meets the cotangent of the result in its place are the values. [`space`] follows the axes through all of it.
//! A value that the walk does not understand, or one that something else uses, is the end of the match: nothing is computed
//! twice.

mod backward;
mod blind;
mod emit;
mod graph;
mod mask;
mod plan;
mod poly;
mod scores;
mod space;
mod weights;

use jarrah_base::Result;
use jarrah_hlo::ops::ElementwiseKind;
use jarrah_hlo::{Op, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::without_calls;
use crate::rebuild::{Memo, rebuild};
use emit::{Done, Emit};
use graph::Graph;
use plan::Plan;
use scores::Walk;
use space::Space;

/// The program with every attention that is written out as one op.
pub(super) fn raise_attention(program: &Program) -> Result<Program> {
    pass(program, &mut Memo::default())
}

fn pass(program: &Program, memo: &mut Memo) -> Result<Program> {
    let has_calls = program.instrs().iter().any(|i| matches!(i.op, Op::Call(_)));
    let flat = match parts(program, &mut FxHashSet::default()) {
        // An attention has an exponential and two products, which may stand in functions that are called.
        (true, true) if has_calls => Some(crate::cse::run(&without_calls(program)?)?),
        (true, true) => Some(crate::cse::run(program)?),
        _ => None,
    };
    let found = flat.as_ref().map(plans).unwrap_or_default();
    let (program, plans) = match &flat {
        Some(flat) if !found.is_empty() => (flat, found),
        _ => (program, Vec::new()),
    };
    let output_of: FxHashMap<Value, usize> =
        plans.iter().enumerate().filter_map(|(i, p)| Some((p.output.as_ref()?.value, i))).collect();
    let cotangent_of: FxHashMap<Value, usize> =
        plans.iter().enumerate().flat_map(|(i, p)| p.backward.all().map(move |c| (c.value, i))).collect();
    let mut map: Vec<Value> = Vec::new();
    let mut done: Vec<Option<Done>> = plans.iter().map(|_| None).collect();
    let mut cotangents: FxHashMap<Value, Value> = FxHashMap::default();
    let mut differentiated = vec![false; plans.len()];
    let params: Vec<Value> = program.param_values().collect();
    map.extend(params);
    rebuild(program, |b, instr, operands| {
        let value = instr.results().next();
        let at = value.and_then(|v| output_of.get(&v).or(cotangent_of.get(&v)).copied());
        let made = match (at, value) {
            (Some(at), Some(value)) => {
                let plan = &plans[at];
                let mut emit = Emit { b, plan, map: &map };
                let finished = match &mut done[at] {
                    Some(finished) => finished,
                    none => none.insert(emit.forward()?),
                };
                match &plan.output {
                    Some(output) if output.value == value => Some(emit.output(finished, output)?),
                    _ => {
                        if !differentiated[at] {
                            differentiated[at] = true;
                            cotangents.extend(emit.backward(finished)?);
                        }
                        cotangents.get(&value).copied()
                    }
                }
            }
            _ => None,
        };
        let results = match (made, instr.results().next()) {
            (Some(made), Some(value)) => {
                let made = b.convert(made, program.ty(value).dtype())?;
                [made].into_iter().collect()
            }
            _ => match memo.apply_inside(&instr.op, pass)? {
                Some(op) => b.push(op, operands)?,
                None => b.copy(program, instr, operands),
            },
        };
        map.extend(results.iter().copied());
        Ok(results)
    })
}

/// Whether a program, with what it calls, has an exponential, and a product.
fn parts(program: &Program, seen: &mut FxHashSet<*const Program>) -> (bool, bool) {
    let (mut exponential, mut product) = (false, false);
    for instr in program.instrs() {
        match &instr.op {
            Op::Elementwise(op) => exponential |= op.kind == ElementwiseKind::Exponential,
            Op::DotGeneral(_) => product = true,
            Op::Call(call) if seen.insert(std::sync::Arc::as_ptr(&call.callee)) => {
                let (e, p) = parts(&call.callee, seen);
                exponential |= e;
                product |= p;
            }
            _ => {}
        }
    }
    (exponential, product)
}

/// The attentions of a program without calls.
fn plans(program: &Program) -> Vec<Plan> {
    let graph = Graph::new(program);
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    let mut plans = Vec::new();
    for (index, instr) in program.instrs().iter().enumerate() {
        if matches!(&instr.op, Op::Elementwise(op) if op.kind == ElementwiseKind::Exponential)
            && program.ty(instr.result()).dtype().is_float()
            && let Some((plan, used)) = attention(&graph, index)
            && used.is_disjoint(&taken)
        {
            taken.extend(used);
            plans.push(plan);
        }
    }
    plans
}

/// The attention of which instruction `exponential` is a part, and all of its instructions.
fn attention(graph: &Graph<'_>, exponential: usize) -> Option<(Plan, FxHashSet<usize>)> {
    let mut walk = Walk { graph, space: Space::default(), taken: FxHashSet::default() };
    let value = graph.program.instrs()[exponential].result();
    let layout = walk.space.all_fresh(graph.ty(value).extents());
    let mut scores = walk.scores(exponential, layout.clone())?;
    let weights = weights::weights(&mut walk, &mut scores, exponential, layout)?;
    let seen_outside: FxHashSet<Value> =
        weights.output.iter().map(|o| o.value).chain(weights.backward.all().map(|c| c.value)).collect();
    for &index in &walk.taken {
        for value in graph.program.instrs()[index].results() {
            let inside = || graph.users(value).iter().all(|user| walk.taken.contains(user));
            if !seen_outside.contains(&value) && (graph.is_returned(value) || !inside()) {
                return None;
            }
        }
    }
    // The attention stands in the place of its result, or of the first cotangent, which has to be behind the values.
    let values = weights.dot.sides[1].value;
    let forward = weights.output.as_ref().map_or(values, |output| output.value);
    let forward = graph.index(forward).unwrap_or(0);
    if weights.backward.all().any(|c| graph.index(c.value).is_none_or(|at| at < forward)) {
        return None;
    }
    let taken = std::mem::take(&mut walk.taken);
    Some((plan::plan(walk, scores, weights)?, taken))
}

use jarrah_base::{DType, Error, Result};
use jarrah_hlo::ops::{Case, CustomRule, Remat, Rule, Scan, While};
use jarrah_hlo::{Builder, Op, Program, Results, Value};

use super::affine::Steps;
use super::{integer, without_calls};
use crate::rebuild::{Memo, is_fused, rebuild};

/// A loop of more steps is not bounded by what its condition says.
const MOST_FOUND: usize = 1 << 16;

/// The program with every remaining `while` as a scan of at most `max_steps` steps, so that it differentiates in
/// reverse.
///
/// Steps after the loop has ended leave the carry unchanged. If `max_steps` was not enough, every float result is
/// NaN: a wrong gradient is never silent. The scan runs `sqrt(max_steps)` segments of as many steps, and the backward
/// pass computes each segment again from its first carry, so it stores `2 * sqrt(max_steps)` carries rather than all.
///
/// # Errors
/// `max_steps` is zero, or the condition of a loop has effects.
pub fn bound_loops(program: &Program, max_steps: usize) -> Result<Program> {
    if max_steps == 0 {
        return Err(Error::program("a loop was bounded by 0 steps").help("give at least 1"));
    }
    let replace = |b: &mut Builder, op: &While, operands: &[Value]| {
        if !op.cond.effects().is_pure() {
            return Err(Error::program("the condition of a loop that is to be bounded has effects")
                .help("move them to the body: the condition is evaluated again after the loop has ended"));
        }
        bounded(b, op, operands, max_steps).map(Some)
    };
    each_loop(program, &replace, &mut Memo::default())
}

/// The replacement of a loop; `None` where the loop stays.
type Replace<'a> = dyn Fn(&mut Builder, &While, &[Value]) -> Result<Option<Results>> + 'a;

/// The program with every loop replaced, the innermost first.
fn each_loop(program: &Program, replace: &Replace<'_>, memo: &mut Memo) -> Result<Program> {
    rebuild(program, |b, instr, operands| {
        let programs = instr.op.programs();
        if programs.is_empty() || is_fused(&instr.op) {
            return Ok(b.copy(program, instr, operands));
        }
        let mut done = Vec::new();
        for inner in programs {
            done.push(memo.apply(inner, |p, memo| each_loop(p, replace, memo))?);
        }
        let op = instr.op.with_programs(&done);
        if let Op::While(op) = &op
            && let Some(results) = replace(b, op, operands)?
        {
            return Ok(results);
        }
        b.push(op, operands)
    })
}

/// The program with a derivative for every loop that is left and whose condition bounds its steps by a counter, as well
/// as ending it earlier: the loop runs as it is, and its derivative is that of the scan that [`bound_loops`] makes.
///
/// `jvp` gives a program with the tangents of all floats among parameters and results, as
/// [`Rule::Jvp`](jarrah_hlo::ops::Rule::Jvp) has them; a loop of which it has no derivative stays as it is.
///
/// # Errors
/// None for a program that verifies.
pub fn derive_bounded_loops(program: &Program, jvp: &dyn Fn(&Program) -> Result<Program>) -> Result<Program> {
    let replace = |b: &mut Builder, op: &While, operands: &[Value]| match rule(b, op, operands, jvp)? {
        Some(rule) => b.push(rule, operands).map(Some),
        None => Ok(None),
    };
    each_loop(program, &replace, &mut Memo::default())
}

fn rule(
    b: &Builder,
    op: &While,
    operands: &[Value],
    jvp: &dyn Fn(&Program) -> Result<Program>,
) -> Result<Option<CustomRule>> {
    if !op.cond.effects().is_pure() {
        return Ok(None);
    }
    let initial: Vec<Option<i128>> = operands.iter().map(|&v| integer(b, v)).collect();
    let (cond, body) = (without_calls(&op.cond)?, without_calls(&op.body)?);
    let steps = Steps::most(&cond, &body, op.consts, &initial).map(|steps| steps.count);
    let Some(steps) = steps.filter(|n| (1..=MOST_FOUND).contains(n)) else { return Ok(None) };
    let inputs: Vec<Value> = op.body.param_values().collect();
    let mut primal = Builder::like(&op.body);
    let results = primal.push(op.clone(), &inputs)?;
    let primal = primal.finish(&results)?;
    let mut scan = Builder::like(&op.body);
    let results = bounded(&mut scan, op, &inputs, steps)?;
    let Ok(rule) = jvp(&scan.finish(&results)?) else { return Ok(None) };
    Ok(Some(CustomRule::new(primal, Rule::Jvp(rule.into()))))
}

fn bounded(b: &mut Builder, op: &While, operands: &[Value], max_steps: usize) -> Result<Results> {
    let segment = max_steps.isqrt().max(1);
    let step = step(op)?;
    let carry = operands.len() - op.consts;
    let scan = |body: Program, length: usize| Scan {
        body: body.into(),
        consts: op.consts,
        carry,
        length,
        reverse: false,
    };

    let mut inner = Builder::like(&op.body);
    let args: Vec<Value> = (0..operands.len()).map(|i| op.body.param(i)).collect();
    let results = inner.push(scan(step, segment), &args)?;
    let inner = inner.finish(&results)?;

    let mut outer = Builder::like(&op.body);
    let results = outer.push(Remat::new(inner), &args)?;
    let outer = outer.finish(&results)?;
    let results = b.push(scan(outer, max_steps.div_ceil(segment)), operands)?;

    let mut last = operands[..op.consts].to_vec();
    last.extend(&results);
    let unfinished = b.inline(&op.cond, &last)?[0];
    let poisoned = results.into_iter().map(|value| {
        let ty = b.ty(value);
        if !ty.dtype().is_differentiable() {
            return Ok(value);
        }
        let nan = b.full(ty, f64::NAN)?;
        let unfinished = b.broadcast_in_dim(unfinished, &ty.dims(), &[])?;
        b.select(unfinished, nan, value)
    });
    poisoned.collect()
}

/// One step of the loop, or the carry unchanged if the condition does not hold.
fn step(op: &While) -> Result<Program> {
    let mut stay = Builder::like(&op.body);
    let carry: Vec<Value> = (op.consts..op.body.params().len()).map(|i| op.body.param(i)).collect();
    stay.set_source(jarrah_base::Source::unknown());
    let stay = stay.finish(&carry)?;

    let mut b = Builder::like(&op.body);
    let args: Vec<Value> = op.body.param_values().collect();
    let running = b.inline(&op.cond, &args)?[0];
    let index = b.convert(running, DType::I32)?;
    let mut operands = vec![index];
    operands.extend(args);
    let results = b.push(Case { branches: vec![stay.into(), op.body.clone()] }, &operands)?;
    b.finish(&results)
}

//! The integers of a loop's body, as functions of the step number.

use jarrah_base::DType;
use jarrah_hlo::ops::{Comparison, ElementwiseKind};
use jarrah_hlo::{Instr, Op, Program, Value};
use rustc_hash::FxHashSet;

/// The integer `start + slope * step`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Affine {
    pub start: i128,
    pub slope: i128,
}

impl Affine {
    pub fn constant(start: i128) -> Affine {
        Affine { start, slope: 0 }
    }

    pub fn at(self, step: i128) -> i128 {
        self.start + self.slope * step
    }

    fn value(self) -> Option<i128> {
        (self.slope == 0).then_some(self.start)
    }

    /// The least and the greatest value over `count` steps.
    fn range(self, count: i128) -> (i128, i128) {
        let last = self.at(count - 1);
        (self.start.min(last), self.start.max(last))
    }
}

/// The number of steps of a loop.
#[derive(Clone, Copy)]
pub struct Steps {
    pub count: usize,
}

/// A loop of more steps than this is not raised.
pub const MOST_STEPS: i128 = 1 << 31;

/// Whether `n` is a value of the integer type `dtype`.
pub fn fits(n: i128, dtype: DType) -> bool {
    dtype.integer_range().is_some_and(|(lowest, highest)| (lowest..=highest).contains(&n))
}

/// The body's parameters as functions of the step: constants, and carries that a step increases by a constant from a
/// known initial value.
fn counters(body: &Program, consts: usize, initial: &[Option<i128>]) -> Vec<Option<Affine>> {
    let definitions = body.definitions();
    let constant = |value: Value| match &body.instrs()[definitions[value.index()]?].op {
        Op::Constant(constant) if constant.value.ty().rank() == 0 => Some(constant.value.get_i128(0)),
        _ => None,
    };
    let counter = |p: usize| -> Option<Affine> {
        let start = initial[p]?;
        if p < consts {
            return Some(Affine::constant(start));
        }
        let (param, result) = (body.param(p), body.results()[p - consts]);
        if result == param {
            return Some(Affine::constant(start));
        }
        let instr = &body.instrs()[definitions[result.index()]?];
        let Op::Elementwise(op) = &instr.op else { return None };
        let slope = match (op.kind, &instr.operands[..]) {
            (ElementwiseKind::Add, [x, step] | [step, x]) if *x == param && *step != param => {
                constant(*step)?
            }
            (ElementwiseKind::Subtract, [x, step]) if *x == param => -constant(*step)?,
            _ => return None,
        };
        Some(Affine { start, slope })
    };
    (0..body.params().len()).map(counter).collect()
}

/// The values that a condition compares, as functions of the step number where they are counters of the body or constants.
fn compared(cond: &Program, body: &Program, consts: usize, initial: &[Option<i128>]) -> Vec<Option<Affine>> {
    let mut known = counters(body, consts, initial);
    known.resize(cond.value_count(), None);
    for instr in cond.instrs() {
        if let Op::Constant(constant) = &instr.op
            && constant.value.ty().rank() == 0
            && constant.value.dtype().is_integer()
        {
            known[instr.result().index()] = Some(Affine::constant(constant.value.get_i128(0)));
        }
    }
    known
}

/// For how many steps the comparison `holds` does.
fn steps_while(cond: &Program, known: &[Option<Affine>], holds: Value) -> Option<Steps> {
    let instr = &cond.instrs()[cond.definitions()[holds.index()]?];
    let Op::Compare(compare) = &instr.op else { return None };
    let operand = |i: usize| known[instr.operands[i].index()];
    let (x, y) = (operand(0)?, operand(1)?);
    // x - y compared with zero.
    let difference = Affine { start: x.start - y.start, slope: x.slope - y.slope };
    let count = run_length(difference, compare.comparison)?;
    let dtype = cond.ty(instr.operands[0]).dtype();
    let ends = |value: Affine| fits(value.start, dtype) && fits(value.at(count), dtype);
    if count > MOST_STEPS || !ends(x) || !ends(y) {
        return None;
    }
    Some(Steps { count: count as usize })
}

impl Steps {
    /// The number of steps, if the condition compares a counter with a constant.
    pub fn of(cond: &Program, body: &Program, consts: usize, initial: &[Option<i128>]) -> Option<Steps> {
        let known = compared(cond, body, consts, initial);
        steps_while(cond, &known, cond.results()[0])
    }

    /// The most steps, if the condition compares a counter with a constant and may ask for more besides.
    pub fn most(cond: &Program, body: &Program, consts: usize, initial: &[Option<i128>]) -> Option<Steps> {
        let known = compared(cond, body, consts, initial);
        let definitions = cond.definitions();
        let mut open = vec![cond.results()[0]];
        let mut least: Option<Steps> = None;
        let mut looked_at = FxHashSet::default();
        while let Some(holds) = open.pop() {
            if !looked_at.insert(holds) {
                continue;
            }
            if let Some(steps) = steps_while(cond, &known, holds) {
                let count = least.map_or(steps.count, |l| l.count.min(steps.count));
                least = Some(Steps { count });
            }
            if let Some(index) = definitions[holds.index()]
                && let Op::Elementwise(op) = &cond.instrs()[index].op
                && op.kind == ElementwiseKind::And
            {
                open.extend(&cond.instrs()[index].operands);
            }
        }
        least
    }

    /// The integers of the body that are affine in the step and never wrap.
    pub fn values(&self, body: &Program, consts: usize, initial: &[Option<i128>]) -> Vec<Option<Affine>> {
        let count = self.count as i128;
        let inside = |value: &Affine, dtype: DType| {
            let (low, high) = value.range(count);
            fits(low, dtype) && fits(high, dtype)
        };
        let mut known = counters(body, consts, initial);
        for (p, value) in known.iter_mut().enumerate() {
            // The counter after the last step is a result of the loop, so it must fit too.
            *value = value.filter(|v| {
                let dtype = body.params()[p].ty.dtype();
                inside(v, dtype) && fits(v.at(count), dtype)
            });
        }
        for instr in body.instrs() {
            if instr.results().len() != 1 {
                known.extend(instr.results().map(|_| None));
                continue;
            }
            let ty = body.ty(instr.result());
            let value = (ty.rank() == 0).then(|| evaluate(instr, &known, count)).flatten();
            known.push(value.filter(|v| inside(v, ty.dtype())));
        }
        known
    }
}

/// The number of steps before the comparison of `difference` with zero first fails.
fn run_length(difference: Affine, comparison: Comparison) -> Option<i128> {
    let Affine { start, slope } = difference;
    let ceil = |a: i128, b: i128| (a + b - 1).div_euclid(b);
    match comparison {
        Comparison::Lt if start >= 0 => Some(0),
        Comparison::Lt if slope > 0 => Some(ceil(-start, slope)),
        Comparison::Le if start > 0 => Some(0),
        Comparison::Le if slope > 0 => Some((-start).div_euclid(slope) + 1),
        Comparison::Gt if start <= 0 => Some(0),
        Comparison::Gt if slope < 0 => Some(ceil(start, -slope)),
        Comparison::Ge if start < 0 => Some(0),
        Comparison::Ge if slope < 0 => Some(start.div_euclid(-slope) + 1),
        Comparison::Ne if start == 0 => Some(0),
        Comparison::Ne if slope != 0 && start % slope == 0 && start / slope < 0 => Some(-(start / slope)),
        Comparison::Eq if start != 0 => Some(0),
        Comparison::Eq if slope != 0 => Some(1),
        _ => None,
    }
}

/// The integer or truth value that an instruction computes, if it is affine in the step.
fn evaluate(instr: &Instr, known: &[Option<Affine>], count: i128) -> Option<Affine> {
    let operand = |i: usize| known[instr.operands[i].index()];
    match &instr.op {
        Op::Constant(constant) => {
            let dtype = constant.value.dtype();
            let whole = dtype.is_integer() || dtype == DType::Bool;
            whole.then(|| Affine::constant(constant.value.get_i128(0)))
        }
        Op::Reshape(_) | Op::BroadcastInDim(_) | Op::Convert(_) => operand(0),
        Op::Elementwise(op) => {
            let x = operand(0)?;
            match op.kind {
                ElementwiseKind::Negate => Some(Affine { start: -x.start, slope: -x.slope }),
                ElementwiseKind::Add => {
                    let y = operand(1)?;
                    Some(Affine { start: x.start + y.start, slope: x.slope + y.slope })
                }
                ElementwiseKind::Subtract => {
                    let y = operand(1)?;
                    Some(Affine { start: x.start - y.start, slope: x.slope - y.slope })
                }
                ElementwiseKind::Multiply => {
                    let y = operand(1)?;
                    let (factor, other) = match (x.value(), y.value()) {
                        (Some(factor), _) => (factor, y),
                        (_, Some(factor)) => (factor, x),
                        _ => return None,
                    };
                    let start = factor.checked_mul(other.start)?;
                    Some(Affine { start, slope: factor.checked_mul(other.slope)? })
                }
                ElementwiseKind::Maximum => extreme(x, operand(1)?, count, true),
                ElementwiseKind::Minimum => extreme(x, operand(1)?, count, false),
                _ => None,
            }
        }
        Op::Compare(op) => {
            let (x, y) = (operand(0)?, operand(1)?);
            let difference = Affine { start: x.start - y.start, slope: x.slope - y.slope };
            truth(difference, op.comparison, count).map(|t| Affine::constant(t.into()))
        }
        Op::Select(_) => match operand(0)?.value()? {
            0 => operand(2),
            _ => operand(1),
        },
        Op::Clamp(_) => {
            let raised = extreme(operand(1)?, operand(0)?, count, true)?;
            extreme(raised, operand(2)?, count, false)
        }
        _ => None,
    }
}

/// The larger or the smaller of `x` and `y`, if the same one is it at every step.
fn extreme(x: Affine, y: Affine, count: i128, larger: bool) -> Option<Affine> {
    let difference = Affine { start: x.start - y.start, slope: x.slope - y.slope };
    let (low, high) = difference.range(count);
    if low >= 0 {
        return Some(if larger { x } else { y });
    }
    (high <= 0).then_some(if larger { y } else { x })
}

/// The comparison of `difference` with zero, if it is the same at every step.
fn truth(difference: Affine, comparison: Comparison, count: i128) -> Option<bool> {
    let (low, high) = difference.range(count);
    let always = |holds: bool, fails: bool| if holds { Some(true) } else { fails.then_some(false) };
    match comparison {
        Comparison::Lt => always(high < 0, low >= 0),
        Comparison::Le => always(high <= 0, low > 0),
        Comparison::Gt => always(low > 0, high <= 0),
        Comparison::Ge => always(low >= 0, high < 0),
        Comparison::Eq => always(low == 0 && high == 0, low > 0 || high < 0),
        Comparison::Ne => always(low > 0 || high < 0, low == 0 && high == 0),
    }
}

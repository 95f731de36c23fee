//! Guards of rows without a visible key, as PyTorch's `_safe_softmax` has them: weights are zero where all scores of a row are minus
//! infinity, which is what an [`Attention`](jarrah_hlo::ops::Attention) gives.

use jarrah_base::DType;
use jarrah_hlo::ops::{Axes, Comparison, ElementwiseKind, Reducer};
use jarrah_hlo::{Op, Value};

use super::graph::{DEPTH, Side};
use super::space::{self, Axis, Layout};
use super::weights::Forward;

/// The role of a value on the walk from a guard back to the scores.
enum Stage {
    /// A truth value of each row.
    Truth,
    /// A truth value of each score; the axes along which they are joined.
    Each(Axes),
    /// The maximum of each row.
    Maximum,
}

impl Forward<'_, '_, '_> {
    /// Whether the truth value, which has this layout, is `holds` in just those rows of which all scores are minus infinity. If so, its
    /// instructions become part of the match.
    pub(super) fn is_blind(&mut self, value: Value, layout: &Layout, holds: bool) -> bool {
        match self.blind(value, layout.clone(), holds) {
            Some(walked) => {
                self.walk.taken.extend(walked);
                true
            }
            None => false,
        }
    }

    fn blind(&mut self, mut value: Value, mut layout: Layout, mut holds: bool) -> Option<Vec<usize>> {
        let graph = self.walk.graph;
        let plain = self.scores.sink.is_none() && !self.hides_exponentials;
        (plain && graph.ty(value).dtype() == DType::Bool).then_some(())?;
        let (mut stage, mut walked) = (Stage::Truth, Vec::new());
        for _ in 0..DEPTH {
            let instr = graph.instr(value)?;
            walked.push(graph.index(value)?);
            let operand = *instr.operands.first()?;
            match (&stage, &instr.op) {
                (Stage::Truth | Stage::Each(_), Op::Elementwise(op)) if op.kind == ElementwiseKind::Not => {
                    holds = !holds;
                }
                (Stage::Truth, Op::Reduce(op)) => {
                    // All are minus infinity, or none is another number.
                    match op.reducer {
                        Reducer::And => holds.then_some(())?,
                        Reducer::Or => (!holds).then_some(())?,
                        _ => return None,
                    }
                    stage = Stage::Each(op.axes.clone());
                }
                (Stage::Truth | Stage::Each(_), Op::Compare(op)) => {
                    let infinite = graph.scalar(instr.operands[1])? == f64::NEG_INFINITY;
                    let equal = match op.comparison {
                        Comparison::Eq => true,
                        Comparison::Ne => false,
                        _ => return None,
                    };
                    (infinite && holds == equal).then_some(())?;
                    if let Stage::Each(axes) = &stage {
                        return self.is_of_scores(operand, &layout, axes).then_some(walked);
                    }
                    stage = Stage::Maximum;
                }
                (Stage::Maximum, Op::Reduce(op)) if matches!(op.reducer, Reducer::Max) => {
                    return self.is_of_scores(operand, &layout, &op.axes).then_some(walked);
                }
                (Stage::Maximum, Op::Elementwise(op)) if op.kind == ElementwiseKind::Maximum => {
                    let lowest = |at: usize| graph.scalar(instr.operands[at]) == Some(f64::NEG_INFINITY);
                    let at = if lowest(0) { 1 } else { lowest(1).then_some(0)? };
                    value = instr.operands[at];
                    continue;
                }
                (Stage::Truth | Stage::Maximum, Op::BroadcastInDim(op)) => {
                    layout = space::before_broadcast(&layout, &op.axes, &graph.ty(operand).dims());
                }
                (Stage::Truth | Stage::Maximum, Op::TransposeAxes(op)) => {
                    layout = space::before_transpose(&layout, &op.permutation);
                }
                (Stage::Truth | Stage::Maximum, Op::Reshape(_)) => {
                    layout = self.walk.space.reshape(&layout, &graph.ty(operand).dims())?;
                }
                _ => return None,
            }
            value = operand;
        }
        None
    }

    /// Whether what is joined along `axes` to something with the layout `rows` are all scores of the rows.
    fn is_of_scores(&self, value: Value, rows: &Layout, axes: &Axes) -> bool {
        let space = &self.walk.space;
        let Side { value: scores, layout } = &self.scores.top;
        if self.widened(value) != self.widened(*scores) {
            return false;
        }
        let layout = space.now(layout);
        let sorted = |mut atoms: Axis| {
            atoms.sort_unstable();
            atoms
        };
        let joined = sorted(axes.iter().flat_map(|&a| layout[a].clone()).collect());
        let rest = (0..layout.len()).filter(|i| !axes.contains(i)).map(|i| layout[i].clone());
        let summed = self.summed.as_ref().map(|summed| sorted(space.axis(summed)));
        summed == Some(joined) && space.now(rows) == rest.collect::<Layout>()
    }

    /// The value before its conversions to wider floats, which keep every number.
    fn widened(&self, mut value: Value) -> Value {
        let graph = self.walk.graph;
        while let Some(instr) = graph.instr(value)
            && matches!(instr.op, Op::Convert(_))
        {
            let (from, to) = (graph.ty(instr.operands[0]).dtype(), graph.ty(value).dtype());
            if !from.is_float() || from.bits() >= to.bits() {
                break;
            }
            value = instr.operands[0];
        }
        value
    }
}

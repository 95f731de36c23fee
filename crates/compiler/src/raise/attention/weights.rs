//! From the exponential on: the sum, the weights, their product with the values, and the derivative where the program has it too.

use std::collections::BTreeSet;

use jarrah_hlo::ops::{ElementwiseKind, Reducer};
use jarrah_hlo::{Instr, Op, Value};
use rustc_hash::FxHashMap;

use super::graph::{DEPTH, Graph, Side};
use super::mask::two_valued;
use super::poly::{Poly, Symbol};
use super::scores::{Dot, Scores, Step, Walk};
use super::space::{self, Axis, Layout};

/// More instructions than an attention and its derivative have.
const MOST: usize = 400;

/// The meaning of a value in terms of the attention.
#[derive(Clone, Debug)]
struct Known {
    what: What,
    layout: Layout,
    /// Whether it is zero at hidden pairs, whatever else stands there.
    clean: bool,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Number(Poly),
    /// Whether a row has a sum.
    Guard,
    /// The cotangent of the scores, of which some axes are summed.
    Part(f64),
}

/// A multiplier of the weights.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Factor {
    pub side: Side,
    /// Of truth values, the number where they hold and where they do not.
    pub numbers: Option<(f64, f64)>,
}

/// The attention's result.
pub(super) struct Output {
    pub value: Value,
    pub layout: Layout,
    /// The factor between the attention and this value.
    pub factor: f64,
}

/// The result of the walk from the exponential on.
pub(super) struct Weights {
    /// The product of weights and values; side 0 are the weights.
    pub dot: Dot,
    /// `None` where the program has the derivative alone.
    pub output: Option<Output>,
    pub multipliers: Vec<Factor>,
    /// Whether a row without a visible key has zeros.
    pub blind_is_zero: bool,
    /// The axis over which exponentials are summed.
    pub summed: Axis,
    pub backward: Backward,
    /// Whether the derivative is right only where every query sees a key.
    pub needs_sight: bool,
}

/// A cotangent that the program computes: the value, its layout, and the factor to that of the attention.
#[derive(Debug)]
pub(super) struct Cotangent {
    pub value: Value,
    pub layout: Layout,
    pub factor: f64,
}

/// The derivative that the program has.
#[derive(Default, Debug)]
pub(super) struct Backward {
    /// The cotangent of the result, from which everything is made.
    pub given: Option<Side>,
    pub of_q: Option<Cotangent>,
    pub of_k: Option<Cotangent>,
    pub of_v: Option<Cotangent>,
    pub of_bias: Option<Cotangent>,
}

impl Backward {
    pub fn all(&self) -> impl Iterator<Item = &Cotangent> {
        [&self.of_q, &self.of_k, &self.of_v, &self.of_bias].into_iter().flatten()
    }
}

/// A product of something of this attention, with the axes of the result and those that are summed.
pub(super) struct Product {
    pub poly: Poly,
    pub clean: bool,
    pub mine: Side,
    pub other: Side,
    pub contracted: Axis,
    pub out: Layout,
}

pub(super) struct Forward<'w, 'g, 'p> {
    pub(super) walk: &'w mut Walk<'g, 'p>,
    pub(super) scores: &'w mut Scores,
    known: FxHashMap<Value, Known>,
    queue: BTreeSet<usize>,
    exponential: Value,
    pub(super) summed: Option<Axis>,
    /// The axis of the weights that meet values.
    pub(super) keys: Option<Axis>,
    pub(super) multipliers: Vec<Factor>,
    pub(super) dot: Option<(Dot, Poly)>,
    /// Products that are no product of weights and values, before there is one.
    later: Vec<usize>,
    output: Option<Output>,
    safe: bool,
    /// Whether a mask puts exponentials to zero, of which the scores know nothing.
    pub(super) hides_exponentials: bool,
    clean: bool,
    pub(super) backward: Backward,
    pub(super) needs_sight: bool,
}

/// Follows everything that is made of an exponential with this layout.
pub(super) fn weights(
    walk: &mut Walk<'_, '_>,
    scores: &mut Scores,
    exponential: usize,
    layout: Layout,
) -> Option<Weights> {
    let graph = walk.graph;
    let value = graph.program.instrs()[exponential].result();
    let mut forward = Forward {
        walk,
        scores,
        known: FxHashMap::default(),
        queue: BTreeSet::new(),
        exponential: value,
        summed: None,
        keys: None,
        multipliers: Vec::new(),
        dot: None,
        later: Vec::new(),
        output: None,
        safe: false,
        hides_exponentials: false,
        clean: false,
        backward: Backward::default(),
        needs_sight: false,
    };
    forward.seed_tanh();
    forward.know(value, Poly::of(&[(Symbol::Exp, 1)]), layout, false)?;
    let mut steps = 0;
    while let Some(index) = forward.queue.pop_first() {
        if forward.walk.taken.contains(&index) {
            continue;
        }
        steps += 1;
        (steps <= MOST).then_some(())?;
        jarrah_base::work::step(1);
        let instr = &graph.program.instrs()[index];
        forward.walk.taken.insert(index);
        forward.step(index, instr)?;
    }
    let Forward { summed, multipliers, dot, later, output, safe, clean, backward, needs_sight, .. } = forward;
    let (dot, _) = dot?;
    let has_result = output.is_some() || backward.all().next().is_some();
    (later.is_empty() && has_result).then_some(())?;
    Some(Weights {
        dot,
        output,
        multipliers,
        blind_is_zero: safe || clean,
        summed: summed?,
        backward,
        needs_sight,
    })
}

impl<'p> Forward<'_, '_, 'p> {
    fn graph(&self) -> &Graph<'p> {
        self.walk.graph
    }

    fn know(&mut self, value: Value, poly: Poly, layout: Layout, clean: bool) -> Option<()> {
        self.know_what(value, What::Number(poly), layout, clean)
    }

    pub(super) fn know_what(&mut self, value: Value, what: What, layout: Layout, clean: bool) -> Option<()> {
        (!self.graph().is_returned(value)).then_some(())?;
        self.know_inside(value, what, layout, clean);
        Some(())
    }

    /// Takes what is known of a value, whether or not the program returns it.
    pub(super) fn know_inside(&mut self, value: Value, what: What, layout: Layout, clean: bool) {
        self.queue.extend(self.walk.graph.users(value).iter().copied());
        self.known.insert(value, Known { what, layout, clean });
    }

    fn number(&self, value: Value) -> Option<(Poly, Layout, bool)> {
        let known = self.known.get(&value)?;
        match &known.what {
            What::Number(poly) => Some((poly.clone(), self.walk.space.now(&known.layout), known.clean)),
            What::Guard | What::Part(_) => None,
        }
    }

    fn step(&mut self, index: usize, instr: &Instr) -> Option<()> {
        if let Op::DotGeneral(_) = &instr.op {
            return self.product(index, instr);
        }
        let value = instr.results().next()?;
        (instr.results().len() == 1).then_some(())?;
        if let Some(done) = self.view(instr, value) {
            return done;
        }
        match &instr.op {
            Op::Reduce(op) if matches!(op.reducer, Reducer::Add) => self.sum(value, instr, &op.axes),
            Op::Slice(op) => {
                // The column of the sink goes.
                let (poly, mut layout, clean) = self.number(instr.operands[0])?;
                let sink = self.scores.sink.as_ref()?;
                let joined = self.walk.space.axis(&sink.joined);
                let from = self.graph().ty(instr.operands[0]);
                let axis = layout.iter().position(|a| *a == joined)?;
                for i in 0..from.rank() {
                    let (mut start, mut limit) = (0, from.dim(i));
                    if i == axis && sink.first {
                        start = 1;
                    } else if i == axis {
                        limit -= 1;
                    }
                    let whole = op.starts[i] == start && op.limits[i] == limit && op.strides[i] == 1;
                    whole.then_some(())?;
                }
                layout[axis] = sink.keys.clone();
                self.know(value, poly, layout, clean)
            }
            Op::Compare(_) => {
                // Whether a sum is zero.
                let (poly, layout, _) = self.number(instr.operands[0])?;
                let zero = self.graph().scalar(instr.operands[1])? == 0.0;
                (zero && poly == Poly::of(&[(Symbol::Sum, 1)])).then_some(())?;
                self.know_what(value, What::Guard, layout, false)
            }
            Op::Select(_) => self.select(value, instr),
            Op::Elementwise(op) => self.elementwise(value, instr, op.kind),
            _ => None,
        }
    }

    /// A value that has the elements of another; `None` if the instruction is no view.
    fn view(&mut self, instr: &Instr, value: Value) -> Option<Option<()>> {
        let operand = *instr.operands.first()?;
        let layout = match &instr.op {
            Op::Convert(_) if self.graph().ty(value).dtype().is_float() => Some(None),
            Op::OptimizationBarrier(_) if instr.operands.len() == 1 => Some(None),
            Op::Reshape(_) => Some(Some(0)),
            Op::TransposeAxes(_) => Some(Some(1)),
            Op::BroadcastInDim(_) => Some(Some(2)),
            _ => None,
        }?;
        let Some(Known { what, layout: before, clean }) = self.known.get(&operand).cloned() else {
            return Some(None);
        };
        let before = self.walk.space.now(&before);
        let to = self.graph().ty(value).dims();
        let from = self.graph().ty(operand).dims();
        let after = match (&instr.op, layout) {
            (_, None) => Some(before),
            (Op::TransposeAxes(op), _) => Some(space::transposed(&before, &op.permutation)),
            (Op::BroadcastInDim(op), _) => {
                let mut after = Layout::new();
                for (i, &n) in to.iter().enumerate() {
                    let at = op.axes.iter().position(|&a| a == i);
                    after.push(match at {
                        Some(at) if from[at] == n => before[at].clone(),
                        _ => self.walk.space.repeated(n),
                    });
                }
                Some(after)
            }
            _ => self.walk.space.reshape(&before, &to),
        };
        Some(after.and_then(|after| match what {
            What::Number(poly) => self.finish(value, poly, after, clean),
            What::Part(factor) => self.bias_part(value, factor, after),
            What::Guard => self.know_what(value, What::Guard, after, clean),
        }))
    }

    fn sum(&mut self, value: Value, instr: &Instr, axes: &[usize]) -> Option<()> {
        if let Some(Known { what: What::Part(factor), layout, .. }) =
            self.known.get(&instr.operands[0]).cloned()
        {
            return self.bias_sum(value, factor, &layout, axes);
        }
        let (poly, layout, clean) = self.number(instr.operands[0])?;
        let summed: Axis = axes.iter().flat_map(|&a| layout[a].clone()).collect();
        let rest: Layout =
            (0..layout.len()).filter(|i| !axes.contains(i)).map(|i| layout[i].clone()).collect();
        if summed.is_empty() {
            return self.know(value, poly, rest, false);
        }
        // What repeats is summed as many times.
        let summed = {
            let mut s = summed;
            s.sort_unstable();
            s
        };
        let expected = match &self.summed {
            None => {
                (poly == Poly::of(&[(Symbol::Exp, 1)])).then_some(())?;
                (!self.walk.space.repeats(std::slice::from_ref(&summed))).then_some(())?;
                self.summed = Some(summed.clone());
                summed.clone()
            }
            Some(expected) => {
                let mut axis = self.walk.space.axis(expected);
                axis.sort_unstable();
                axis
            }
        };
        if summed == expected {
            let sum = poly.sum_of_row(!self.multipliers.is_empty())?;
            return self.know(value, sum, rest, false);
        }
        self.masked_where_needed(clean);
        let factor = poly.over(&self.cotangent_of_scores(false)?)?;
        self.bias_sum(value, factor, &layout, axes)
    }

    fn select(&mut self, value: Value, instr: &Instr) -> Option<()> {
        let (pred, on_true, on_false) = (instr.operands[0], instr.operands[1], instr.operands[2]);
        if let Some(Known { what: What::Guard, .. }) = self.known.get(&pred) {
            // The sum where there is one, else a number.
            let constant = |v| self.graph().scalar(v).is_some_and(|c| c != 0.0);
            let main = if constant(on_true) {
                on_false
            } else if constant(on_false) {
                on_true
            } else {
                return None;
            };
            let (poly, layout, _) = self.number(main)?;
            (poly == Poly::of(&[(Symbol::Sum, 1)])).then_some(())?;
            self.safe = true;
            return self.know(value, poly, layout, false);
        }
        let zero = |v| self.graph().scalar(v) == Some(0.0);
        let (main, when) = if zero(on_false) {
            (on_true, true)
        } else if zero(on_true) {
            (on_false, false)
        } else {
            return None;
        };
        let (poly, layout, clean) = self.number(main)?;
        let weights = |m| Poly::of(&[(Symbol::Exp, 1), (Symbol::Sum, -1), (Symbol::Multiplier, m)]);
        let is_weights = [0, 1].into_iter().any(|m| poly.over(&weights(m)).is_some());
        if is_weights && self.is_blind(pred, &layout, !when) {
            self.safe = true;
            return self.know(value, poly, layout, clean);
        }
        let side = self.walk.side(pred, &layout);
        if let Some(hidden) = self.is_mask(&side, when) {
            let alone = self.scores.steps.iter().filter(|s| matches!(s, Step::Mask { .. })).count() == 1;
            if hidden == f64::NEG_INFINITY {
                return self.know(value, poly, layout, clean || alone);
            }
            // The derivative of a score that a mask replaced is zero.
            if self.dot.is_some() {
                return self.finish(value, poly, layout, true);
            }
        }
        self.multiplied(value, main, side, Some(if when { (1.0, 0.0) } else { (0.0, 1.0) }))
    }

    /// The number that a mask of the scores, which is visible where `side` is `when`, puts at hidden pairs.
    fn is_mask(&mut self, side: &Side, when: bool) -> Option<f64> {
        let space = &self.walk.space;
        let layout = space.now(&side.layout);
        self.scores.steps.iter().find_map(|step| match step {
            Step::Mask { side: mask, visible, hidden, .. } => {
                let same = mask.value == side.value && space.now(&mask.layout) == layout && *visible == when;
                same.then_some(*hidden)
            }
            _ => None,
        })
    }

    /// `main` times a multiplier of pairs.
    fn multiplied(
        &mut self,
        value: Value,
        main: Value,
        side: Side,
        numbers: Option<(f64, f64)>,
    ) -> Option<()> {
        let (poly, layout, clean) = self.number(main)?;
        let exponentials = Poly::of(&[(Symbol::Exp, 1)]);
        if poly == exponentials && self.summed.is_none() {
            // Exponentials that a mask puts to zero are those of scores of minus infinity.
            let alone =
                self.graph().users(self.exponential).len() == 1 || self.walk.graph.users(main).len() == 1;
            let visible = match numbers? {
                (1.0, 0.0) => true,
                (0.0, 1.0) => false,
                _ => return None,
            };
            (alone && self.scores.sink.is_none()).then_some(())?;
            self.hides_exponentials = true;
            self.scores.steps.push(Step::Mask { side, visible, hidden: f64::NEG_INFINITY, soft: None });
            return self.know(value, poly, layout, false);
        }
        let factor = Factor { side: Side { layout: self.walk.space.now(&side.layout), ..side }, numbers };
        let known = self.multipliers.iter().any(|m| {
            m.side.value == factor.side.value
                && self.walk.space.now(&m.side.layout) == factor.side.layout
                && m.numbers == factor.numbers
        });
        if !known {
            // One factor: a second one is another attention's business.
            (self.multipliers.is_empty() && self.dot.is_none()).then_some(())?;
            self.multipliers.push(factor);
        }
        let times = Poly::of(&[(Symbol::Multiplier, 1)]);
        self.know(value, poly.mul(&times)?, layout, clean)
    }

    fn elementwise(&mut self, value: Value, instr: &Instr, kind: ElementwiseKind) -> Option<()> {
        let x = instr.operands[0];
        let Some(&y) = instr.operands.get(1) else {
            let (poly, layout, clean) = self.number(x)?;
            (kind == ElementwiseKind::Negate).then_some(())?;
            return self.finish(value, poly.scaled(-1.0), layout, clean);
        };
        if kind == ElementwiseKind::Maximum {
            // A sum of exponentials less their maximum is at least one, unless every one is hidden.
            let (main, bound) = if self.known.contains_key(&x) { (x, y) } else { (y, x) };
            let (poly, layout, _) = self.number(main)?;
            let bound = self.graph().scalar(bound)?;
            let fits = poly == Poly::of(&[(Symbol::Sum, 1)]) && bound > 0.0 && bound <= 1.0;
            (fits && !self.scores.shifts.is_empty()).then_some(())?;
            self.safe = true;
            return self.know(value, poly, layout, false);
        }
        let operand = |this: &mut Self, v: Value, other: Value| -> Option<(Poly, Option<Layout>, bool)> {
            if let Some((poly, layout, clean)) = this.number(v) {
                return Some((poly, Some(layout), clean));
            }
            if this.known.contains_key(&v) {
                return None;
            }
            if let Some(c) = this.graph().scalar(v) {
                return Some((Poly::number(c), None, true));
            }
            let (_, layout, _) = this.number(other)?;
            let (poly, layout) = this.cotangent(v, layout)?;
            Some((poly, Some(layout), false))
        };
        let multiplies = kind == ElementwiseKind::Multiply;
        if multiplies || kind == ElementwiseKind::Divide {
            // A multiplier that no float decides.
            let (main, other) = if self.known.contains_key(&x) { (x, y) } else { (y, x) };
            let unknown = !self.known.contains_key(&other) && self.graph().scalar(other).is_none();
            if multiplies
                && unknown
                && let Some((_, layout, _)) = self.number(main)
            {
                let found = two_valued(self.walk.graph, &mut self.walk.space, other, layout.clone(), DEPTH);
                if let Some(two) = found {
                    return self.multiplied(value, main, two.side, Some((two.on_true, two.on_false)));
                }
                let side = self.walk.side(other, &layout);
                if self.dot.is_none() && self.is_drawn(side.value, DEPTH) {
                    return self.multiplied(value, main, side, None);
                }
                let seen = self.multipliers.iter().any(|m| m.side.value == side.value);
                if seen {
                    return self.multiplied(value, main, side, None);
                }
            }
        }
        let (p, p_layout, p_clean) = operand(self, x, y)?;
        let (q, q_layout, q_clean) = operand(self, y, x)?;
        let layout = match (p_layout, q_layout) {
            (Some(p), Some(q)) => self.walk.space.meet(&p, &q)?,
            (Some(layout), None) | (None, Some(layout)) => layout,
            (None, None) => return None,
        };
        let one_number = self.graph().scalar(x).is_some() || self.graph().scalar(y).is_some();
        let poly = match kind {
            ElementwiseKind::Multiply => p.mul(&q)?,
            ElementwiseKind::Divide => p.mul(&q.inverse()?)?,
            ElementwiseKind::Add => p.add(&q)?,
            ElementwiseKind::Subtract => p.add(&q.scaled(-1.0))?,
            _ => return None,
        };
        self.finish(value, poly, layout, one_number && multiplies && p_clean && q_clean)
    }

    /// Takes a new number: the attention's result where exponentials are divided by their sum behind the product.
    fn finish(&mut self, value: Value, poly: Poly, layout: Layout, clean: bool) -> Option<()> {
        let mixed = Poly::of(&[(Symbol::Mixed, 1), (Symbol::Sum, -1)]);
        if self.output.is_none()
            && let Some(factor) = poly.over(&mixed)
        {
            self.output = Some(Output { value, layout, factor });
            return Some(());
        }
        if self.dot.is_some() && self.walk.graph.is_returned(value) {
            return self.bias_returned(value, poly, layout, clean);
        }
        self.know(value, poly, layout, clean)
    }

    /// Whether a number is made of truth values and constants alone, so that nothing is differentiated by it.
    pub(super) fn is_drawn(&self, value: Value, depth: usize) -> bool {
        let (Some(instr), Some(depth)) = (self.graph().instr(value), depth.checked_sub(1)) else {
            return false;
        };
        let float = |v: &&Value| self.graph().ty(**v).dtype().is_float();
        match &instr.op {
            Op::Constant(_) | Op::Iota(_) => true,
            Op::Convert(_)
            | Op::Select(_)
            | Op::Elementwise(_)
            | Op::BroadcastInDim(_)
            | Op::Reshape(_)
            | Op::TransposeAxes(_) => instr.operands.iter().filter(float).all(|&v| self.is_drawn(v, depth)),
            _ => false,
        }
    }

    /// A weight: an exponential over its row's sum, times the multiplier.
    pub(super) fn weight(&self) -> Poly {
        let m = i8::from(!self.multipliers.is_empty());
        Poly::of(&[(Symbol::Exp, 1), (Symbol::Sum, -1), (Symbol::Multiplier, m)])
    }

    /// Takes the product of weights, which are `poly`, and values along `keys`.
    pub(super) fn know_product(&mut self, dot: Dot, poly: Poly, keys: Axis) {
        self.keys = Some(keys);
        self.dot = Some((dot, poly));
        self.queue.extend(self.later.drain(..));
    }

    fn product(&mut self, index: usize, instr: &Instr) -> Option<()> {
        let Op::DotGeneral(op) = &instr.op else { return None };
        let at = usize::from(!self.known.contains_key(&instr.operands[0]));
        (!self.known.contains_key(&instr.operands[1 - at])).then_some(())?;
        let (poly, layout, clean) = self.number(instr.operands[at])?;
        (!self.walk.space.repeats(&layout)).then_some(())?;
        let other = instr.operands[1 - at];
        // The axes of the other side: those that it shares, and new ones.
        let ty = self.graph().ty(other);
        let (mine, theirs) = if at == 0 {
            ((&op.lhs_batch, &op.lhs_contract), (&op.rhs_batch, &op.rhs_contract))
        } else {
            ((&op.rhs_batch, &op.rhs_contract), (&op.lhs_batch, &op.lhs_contract))
        };
        let mut axes = self.walk.space.all_fresh(ty.extents());
        for (m, t) in [(mine.0, theirs.0), (mine.1, theirs.1)] {
            m.iter().zip(t).for_each(|(&m, &t)| axes[t] = layout[m].clone());
        }
        let (lhs, rhs) = if at == 0 { (&layout, &axes) } else { (&axes, &layout) };
        let mut out: Layout = op.lhs_batch.iter().map(|&a| lhs[a].clone()).collect();
        out.extend(op.lhs_free(lhs.len()).iter().map(|&a| lhs[a].clone()));
        out.extend(op.rhs_free(rhs.len()).iter().map(|&a| rhs[a].clone()));
        let mut contracted: Axis = mine.1.iter().flat_map(|&a| layout[a].clone()).collect();
        contracted.sort_unstable();
        let weights = Side { value: instr.operands[at], layout };
        let values = Side { value: other, layout: axes };
        let result = instr.result();
        if self.dot.is_none() {
            let keys = match &self.scores.sink {
                Some(sink) => sink.keys.clone(),
                None => self.summed.clone().or_else(|| Some(contracted.clone()))?,
            };
            let mut keys = self.walk.space.axis(&keys);
            keys.sort_unstable();
            if keys != contracted {
                // The cotangent of values, if anything: that may stand before what tells which values.
                self.walk.taken.remove(&index);
                self.later.push(index);
                return Some(());
            }
            self.clean = clean;
            let dot = Dot { index, sides: [weights, values] };
            if let Some(factor) = poly.over(&self.weight()) {
                self.output = Some(Output { value: result, layout: out, factor });
                self.know_product(dot, poly, keys);
                return Some(());
            }
            let factor = poly.over(&self.weight().mul(&Poly::of(&[(Symbol::Sum, 1)]))?)?;
            self.know_product(dot, poly, keys);
            return self.know(result, Poly::of(&[(Symbol::Mixed, 1)]).scaled(factor), out, false);
        }
        self.backward_product(result, Product { poly, clean, mine: weights, other: values, contracted, out })
    }
}

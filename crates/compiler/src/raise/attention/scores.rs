//! From the exponential back to the product of queries and keys: what scores are made of.

use jarrah_hlo::ops::{DotGeneral, ElementwiseKind, Reducer};
use jarrah_hlo::{Instr, Op, Value};
use rustc_hash::FxHashSet;

use super::graph::{DEPTH, Graph, Side};
use super::mask::two_valued;
use super::space::{self, Axis, Layout, Space};

/// The largest number that hides a pair where it is added to the score: about the least `f16`.
const LEAST_MASK: f64 = -6e4;

/// One step from the product to the scores.
#[derive(Debug)]
pub(super) enum Step {
    /// `s = c s`.
    Scale(f64),
    /// `s = tanh(s)`, which is this value.
    Tanh(Side),
    /// `s = s + factor x`.
    Bias { side: Side, factor: f64 },
    /// `s = hidden` where the truth value is not `visible`; `soft` if `s = s + hidden` there.
    Mask { side: Side, visible: bool, hidden: f64, soft: Option<Bias> },
    /// `s = s where the truth value is `visible`, else 0`, which the next step makes a mask.
    Gate { side: Side, visible: bool },
}

/// A bias, its factor.
pub(super) type Bias = (Side, f64);

/// A mask that is added to scores: `hidden` where the truth value is not `visible`, else zero.
struct AddedMask {
    side: Side,
    visible: bool,
    hidden: f64,
}

/// A product of two values whose axes are known.
#[derive(Debug)]
pub(super) struct Dot {
    pub index: usize,
    pub sides: [Side; 2],
}

/// One more score of each row, for nothing.
#[derive(Debug)]
pub(super) struct Sink {
    pub side: Side,
    /// The axis of keys and the sink.
    pub joined: Axis,
    /// The axis of keys.
    pub keys: Axis,
    /// Whether it stands before the keys.
    pub first: bool,
}

/// The scores of an exponential.
pub(super) struct Scores {
    pub dot: Dot,
    /// The value from which each row's shift is subtracted.
    pub top: Side,
    /// From the product on.
    pub steps: Vec<Step>,
    pub sink: Option<Sink>,
    /// The layouts of what was subtracted from each row; none if nothing was.
    pub shifts: Vec<Layout>,
}

/// Walks over the instructions of one attention.
pub(super) struct Walk<'g, 'p> {
    pub graph: &'g Graph<'p>,
    pub space: Space,
    /// The instructions that the attention takes the place of.
    pub taken: FxHashSet<usize>,
}

impl Walk<'_, '_> {
    /// The scores of which an exponential with this layout is taken.
    pub fn scores(&mut self, exponential: usize, layout: Layout) -> Option<Scores> {
        let graph = self.graph;
        self.taken.insert(exponential);
        let mut value = graph.program.instrs()[exponential].operands[0];
        let mut shifts = Vec::new();
        // Conversions between the exponential and the difference.
        for _ in 0..DEPTH {
            let instr = graph.instr(value)?;
            match &instr.op {
                Op::Convert(_) if graph.ty(instr.operands[0]).dtype().is_float() => {
                    self.taken.insert(graph.index(value)?);
                    value = instr.operands[0];
                }
                Op::Elementwise(op) if op.kind == ElementwiseKind::Subtract => {
                    let mut walked = Vec::new();
                    if let Some(shift) = self.shift(instr.operands[1], layout.clone(), &mut walked, DEPTH) {
                        self.taken.insert(graph.index(value)?);
                        self.taken.extend(walked);
                        shifts.push(shift.layout);
                        value = instr.operands[0];
                        // The maximum of the same scores, made a second time.
                        if shift.value != value {
                            let (mut second, mut sink) = (Vec::new(), None);
                            let extents = graph.ty(shift.value).dims();
                            let fresh = self.space.all_fresh(extents);
                            let dot = self.chain(shift.value, fresh, &mut second, &mut sink)?;
                            let again = self.root(value)?;
                            if dot.index != again {
                                return None;
                            }
                        }
                        continue;
                    }
                    break;
                }
                _ => break,
            }
        }
        let (mut steps, mut sink) = (Vec::new(), None);
        let top = Side { value, layout: layout.clone() };
        let dot = self.chain(value, layout, &mut steps, &mut sink)?;
        steps.reverse();
        Some(Scores { dot, top, steps, sink, shifts })
    }

    /// The product that scores are made of, by the same steps as [`Walk::chain`], without taking any.
    fn root(&mut self, value: Value) -> Option<usize> {
        let taken = self.taken.clone();
        let fresh = self.space.all_fresh(self.graph.ty(value).dims());
        let dot = self.chain(value, fresh, &mut Vec::new(), &mut None);
        self.taken = taken;
        dot.map(|dot| dot.index)
    }

    /// The value whose row maximum is the row's shift, and the layout of the maximum.
    fn shift(&self, value: Value, layout: Layout, walked: &mut Vec<usize>, depth: usize) -> Option<Side> {
        let (graph, depth) = (self.graph, depth.checked_sub(1)?);
        let instr = graph.instr(value)?;
        walked.push(graph.index(value)?);
        let operand = instr.operands[0];
        let constant = |at: usize| graph.scalar(instr.operands[at]).is_some();
        match &instr.op {
            Op::BroadcastInDim(op) => {
                let before = space::before_broadcast(&layout, &op.axes, &graph.ty(operand).dims());
                self.shift(operand, before, walked, depth)
            }
            Op::TransposeAxes(op) => {
                self.shift(operand, space::before_transpose(&layout, &op.permutation), walked, depth)
            }
            Op::Reshape(_) => {
                // Reshapes here insert axes of extent one.
                let kept: Vec<&Axis> = graph
                    .ty(value)
                    .dims()
                    .iter()
                    .zip(&layout)
                    .filter(|(n, _)| **n != 1)
                    .map(|(_, a)| a)
                    .collect();
                let dims = graph.ty(operand).dims();
                if dims.iter().filter(|&&n| n != 1).count() != kept.len() {
                    return None;
                }
                let mut kept = kept.into_iter();
                let before = dims
                    .iter()
                    .map(|&n| if n == 1 { Some(Axis::new()) } else { kept.next().cloned() })
                    .collect::<Option<Layout>>()?;
                self.shift(operand, before, walked, depth)
            }
            Op::Convert(_) => self.shift(operand, layout, walked, depth),
            Op::OptimizationBarrier(_) if instr.operands.len() == 1 => {
                self.shift(operand, layout, walked, depth)
            }
            Op::Elementwise(op) if op.kind == ElementwiseKind::Maximum => {
                let main = if constant(0) { instr.operands[1] } else { operand };
                (constant(0) || constant(1)).then_some(())?;
                self.shift(main, layout, walked, depth)
            }
            // The maximum where it is finite, else a number.
            Op::Select(_) if constant(2) || constant(1) => {
                let main = if constant(2) { instr.operands[1] } else { instr.operands[2] };
                let asks = graph.instr(operand)?;
                let about = match &asks.op {
                    Op::Compare(_) if graph.scalar(asks.operands[1]).is_some() => asks.operands[0],
                    _ => return None,
                };
                let about = graph
                    .unary(about, ElementwiseKind::Abs)
                    .inspect(|_| {
                        walked.extend(graph.index(about));
                    })
                    .unwrap_or(about);
                (about == main).then_some(())?;
                walked.push(graph.index(operand)?);
                self.shift(main, layout, walked, depth)
            }
            Op::Reduce(op) if matches!(op.reducer, Reducer::Max) => Some(Side { value: operand, layout }),
            _ => None,
        }
    }

    /// The product at the end of a chain of steps, which are gathered from the scores on.
    fn chain(
        &mut self,
        value: Value,
        layout: Layout,
        steps: &mut Vec<Step>,
        sink: &mut Option<Sink>,
    ) -> Option<Dot> {
        let (graph, mut value, mut layout) = (self.graph, value, layout);
        for _ in 0..2 * DEPTH {
            let index = graph.index(value)?;
            let instr = graph.instr(value)?;
            self.taken.insert(index);
            let operand = instr.operands.first().copied()?;
            let scalar = |at: usize| graph.scalar(instr.operands[at]);
            match &instr.op {
                Op::DotGeneral(op) => return self.dot(index, op, &layout),
                Op::Convert(_) => value = graph.ty(operand).dtype().is_float().then_some(operand)?,
                Op::OptimizationBarrier(_) => {
                    let at = instr.results().position(|v| v == value)?;
                    (instr.operands.len() == 1).then_some(())?;
                    value = instr.operands[at];
                }
                Op::Reshape(_) => {
                    layout = self.space.reshape(&layout, &graph.ty(operand).dims())?;
                    value = operand;
                }
                Op::TransposeAxes(op) => {
                    layout = space::before_transpose(&layout, &op.permutation);
                    value = operand;
                }
                Op::BroadcastInDim(op) => {
                    // Scores that repeat are those of fewer pairs.
                    let from = graph.ty(operand);
                    (from.elements().ok()? == graph.ty(value).elements().ok()?).then_some(())?;
                    layout = space::before_broadcast(&layout, &op.axes, &from.dims());
                    value = operand;
                }
                Op::Concatenate(op) if sink.is_none() && instr.operands.len() == 2 => {
                    steps.is_empty().then_some(())?;
                    let (main, column) = self.with_sink(instr, op.axis, &mut layout)?;
                    *sink = Some(column);
                    value = main;
                }
                Op::Select(_) => {
                    let pick = [1, 2].into_iter().find(|&at| scalar(3 - at).is_some())?;
                    let hidden = scalar(3 - pick)?;
                    let side = self.side(operand, &layout);
                    let visible = pick == 1;
                    steps.push(Step::Mask { side, visible, hidden, soft: None });
                    value = instr.operands[pick];
                }
                Op::Elementwise(op) => value = self.elementwise(op.kind, value, &layout, steps)?,
                _ => return None,
            }
        }
        None
    }

    /// The scores among the two operands of a concatenation of scores and a column, and the column as a sink. `layout`, which is that
    /// of the result, becomes that of the scores.
    fn with_sink(&mut self, instr: &Instr, axis: usize, layout: &mut Layout) -> Option<(Value, Sink)> {
        let single = |at: usize| self.graph.ty(instr.operands[at]).dim(axis) == 1;
        let first = match (single(0), single(1)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) => !self.leads_to_product(instr.operands[0]),
            _ => return None,
        };
        let (main, column) = (instr.operands[usize::from(first)], instr.operands[usize::from(!first)]);
        let joined = self.space.axis(&layout[axis]);
        (joined.len() == 1).then_some(())?;
        let keys = self.space.fresh(self.graph.ty(main).dim(axis));
        let mut column_layout = layout.clone();
        column_layout[axis] = Axis::new();
        layout[axis] = keys.clone();
        let side = self.side(column, &column_layout);
        Some((main, Sink { side, joined, keys, first }))
    }

    /// Pushes the steps of an elementwise operation whose result is `value`, and returns the operand that the chain goes on with.
    fn elementwise(
        &mut self,
        kind: ElementwiseKind,
        value: Value,
        layout: &Layout,
        steps: &mut Vec<Step>,
    ) -> Option<Value> {
        let graph = self.graph;
        let operands = &graph.instr(value)?.operands;
        let scalar = |at: usize| graph.scalar(operands[at]);
        match kind {
            ElementwiseKind::Tanh => {
                steps.push(Step::Tanh(Side { value, layout: layout.clone() }));
                Some(operands[0])
            }
            ElementwiseKind::Negate => {
                steps.push(Step::Scale(-1.0));
                Some(operands[0])
            }
            ElementwiseKind::Multiply => {
                if let Some((main, c)) =
                    [0, 1].into_iter().find_map(|at| Some((operands[1 - at], scalar(at)?)))
                {
                    steps.push(Step::Scale(c));
                    return Some(main);
                }
                let (main, side, visible) = [0, 1].into_iter().find_map(|at| {
                    let two = two_valued(graph, &mut self.space, operands[at], layout.clone(), DEPTH)?;
                    let visible = match (two.on_true, two.on_false) {
                        (1.0, 0.0) => true,
                        (0.0, 1.0) => false,
                        _ => return None,
                    };
                    Some((operands[1 - at], two.side, visible))
                })?;
                steps.push(Step::Gate { side, visible });
                Some(main)
            }
            ElementwiseKind::Divide => {
                steps.push(Step::Scale(1.0 / scalar(1)?));
                Some(operands[0])
            }
            ElementwiseKind::Add | ElementwiseKind::Subtract => {
                let minus = kind == ElementwiseKind::Subtract;
                let at = usize::from(!self.leads_to_product(operands[0]));
                let factor = if minus && at == 0 { -1.0 } else { 1.0 };
                self.add(operands[1 - at], factor, layout, steps);
                if minus && at == 1 {
                    steps.push(Step::Scale(-1.0));
                }
                Some(operands[at])
            }
            _ => None,
        }
    }

    /// Pushes the steps that add `factor other`: a mask where a truth value decides between zero and a number that hides, else a bias. A
    /// sum of masks and a bias is taken apart, as masks may be bounds on positions, of which a bias does not tell.
    fn add(&mut self, other: Value, factor: f64, layout: &Layout, steps: &mut Vec<Step>) {
        let (mut left, mut budget) = (vec![(other, layout.clone())], DEPTH);
        while let Some((value, layout)) = left.pop() {
            if self.graph.scalar(value) == Some(0.0) {
                continue;
            }
            let side = self.side(value, &layout);
            if let Some(mask) = self.added_mask(value, factor, &layout) {
                let soft = Some((side, factor));
                steps.push(Step::Mask { side: mask.side, visible: mask.visible, hidden: mask.hidden, soft });
                continue;
            }
            if let (Some(rest), Some(instr)) = (budget.checked_sub(1), self.graph.instr(side.value)) {
                budget = rest;
                let operands = &instr.operands;
                match &instr.op {
                    Op::Elementwise(op)
                        if op.kind == ElementwiseKind::Add
                            && [0, 1].into_iter().any(|at| {
                                self.graph.scalar(operands[at]) == Some(0.0)
                                    || self.added_mask(operands[at], factor, &side.layout).is_some()
                            }) =>
                    {
                        left.extend([0, 1].map(|at| (operands[at], side.layout.clone())));
                        continue;
                    }
                    Op::Select(_) => {
                        let scalar = |at: usize| self.graph.scalar(operands[at]);
                        let hides = |at: usize| scalar(at).map(|c| factor * c) == Some(f64::NEG_INFINITY);
                        if let Some(pick) = [1, 2].into_iter().find(|&at| hides(3 - at)) {
                            let mask = self.side(operands[0], &side.layout);
                            let (visible, hidden) = (pick == 1, f64::NEG_INFINITY);
                            steps.push(Step::Mask { side: mask, visible, hidden, soft: None });
                            left.push((operands[pick], side.layout));
                            continue;
                        }
                    }
                    _ => {}
                }
            }
            steps.push(Step::Bias { side, factor });
        }
    }

    /// The mask that adding `factor value` is: zero where it shows a pair, and a number that hides it elsewhere.
    fn added_mask(&mut self, value: Value, factor: f64, layout: &Layout) -> Option<AddedMask> {
        let two = two_valued(self.graph, &mut self.space, value, layout.clone(), DEPTH)?;
        let (on_true, on_false) = (factor * two.on_true, factor * two.on_false);
        let (visible, hidden) = match (on_true == 0.0, on_false == 0.0) {
            (true, false) => (true, on_false),
            (false, true) => (false, on_true),
            _ => return None,
        };
        (hidden <= LEAST_MASK).then_some(AddedMask { side: two.side, visible, hidden })
    }

    /// The value that a value beside the chain is a view of, with its layout.
    pub fn side(&mut self, value: Value, layout: &Layout) -> Side {
        let (value, layout) = self.graph.peel(&mut self.space, value, layout.clone());
        Side { value, layout }
    }

    /// Whether a value is made of a product by steps that scores may take.
    pub fn leads_to_product(&self, value: Value) -> bool {
        let mut budget = 4 * DEPTH;
        self.leads(value, &mut budget)
    }

    fn leads(&self, value: Value, budget: &mut usize) -> bool {
        let graph = self.graph;
        let Some(left) = budget.checked_sub(1) else { return false };
        *budget = left;
        let Some(instr) = graph.instr(value) else { return false };
        match &instr.op {
            Op::DotGeneral(_) => true,
            Op::Convert(_) | Op::Reshape(_) | Op::TransposeAxes(_) | Op::OptimizationBarrier(_) => {
                self.leads(instr.operands[0], budget)
            }
            Op::BroadcastInDim(_) => {
                graph.ty(instr.operands[0]).elements().ok() == graph.ty(value).elements().ok()
                    && self.leads(instr.operands[0], budget)
            }
            Op::Select(_) => [1, 2].into_iter().any(|at| {
                graph.scalar(instr.operands[at]).is_none() && self.leads(instr.operands[at], budget)
            }),
            Op::Elementwise(op) => match op.kind {
                ElementwiseKind::Tanh | ElementwiseKind::Negate => self.leads(instr.operands[0], budget),
                ElementwiseKind::Divide => self.leads(instr.operands[0], budget),
                ElementwiseKind::Multiply | ElementwiseKind::Add | ElementwiseKind::Subtract => {
                    self.leads(instr.operands[0], budget) || self.leads(instr.operands[1], budget)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The operands of a product whose result has this layout.
    pub fn dot(&mut self, index: usize, op: &DotGeneral, layout: &Layout) -> Option<Dot> {
        let instr = &self.graph.program.instrs()[index];
        let (lhs, rhs) = (instr.operands[0], instr.operands[1]);
        let (lhs_ty, rhs_ty) = (self.graph.ty(lhs), self.graph.ty(rhs));
        let mut sides = [vec![Axis::new(); lhs_ty.rank()], vec![Axis::new(); rhs_ty.rank()]];
        for (&l, &r) in op.lhs_contract.iter().zip(&op.rhs_contract) {
            let axis = self.space.fresh(lhs_ty.dim(l));
            sides[0][l] = axis.clone();
            sides[1][r] = axis;
        }
        let mut axes = layout.iter();
        for (&l, &r) in op.lhs_batch.iter().zip(&op.rhs_batch) {
            let axis = axes.next()?.clone();
            sides[0][l] = axis.clone();
            sides[1][r] = axis;
        }
        for l in op.lhs_free(lhs_ty.rank()) {
            sides[0][l] = axes.next()?.clone();
        }
        for r in op.rhs_free(rhs_ty.rank()) {
            sides[1][r] = axes.next()?.clone();
        }
        let [l, r] = sides;
        Some(Dot { index, sides: [Side { value: lhs, layout: l }, Side { value: rhs, layout: r }] })
    }
}

//! The derivative of an attention that a program has written out, as a training step that JAX exports does.

use jarrah_hlo::ops::ElementwiseKind;
use jarrah_hlo::{Op, Value};

use super::graph::{DEPTH, Side};
use super::mask::two_valued;
use super::poly::{Poly, Symbol};
use super::scores::{Dot, Step};
use super::space::{self, Atom, Axis, Layout};
use super::weights::{Cotangent, Factor, Forward, Product, What};

/// A factor of a cotangent; for truth values, the numbers that stand for true and for false.
type Multiplier = (Side, Option<(f64, f64)>);

/// Atoms in the place of others.
type Renaming = Vec<(Atom, Atom)>;

fn renamed(layout: &[Axis], renaming: &Renaming) -> Layout {
    let of = |atom: &Atom| renaming.iter().find(|(from, _)| from == atom).map_or(*atom, |&(_, to)| to);
    layout.iter().map(|axis| axis.iter().map(of).collect()).collect()
}

fn sorted(mut atoms: Axis) -> Axis {
    atoms.sort_unstable();
    atoms
}

fn without(atoms: &Axis, others: &Axis) -> Axis {
    atoms.iter().filter(|a| !others.contains(a)).copied().collect()
}

impl Forward<'_, '_, '_> {
    /// Makes a cap's share known: it is in the derivative too.
    pub(super) fn seed_tanh(&mut self) {
        let tanh = self.scores.steps.iter().find_map(|step| match step {
            Step::Tanh(side) => Some(side.clone()),
            _ => None,
        });
        if let Some(Side { value, layout }) = tanh {
            self.know_inside(value, What::Number(Poly::of(&[(Symbol::Tanh, 1)])), layout, false);
        }
    }

    /// Notes that hidden pairs may have a derivative here that the attention's lack.
    pub(super) fn masked_where_needed(&mut self, clean: bool) {
        self.needs_sight |= !clean;
    }

    /// The product of weights and values: its factor, weights and values.
    fn forward_product(&self) -> Option<(&Poly, &Side, &Side)> {
        let (dot, poly) = self.dot.as_ref()?;
        Some((poly, &dot.sides[0], &dot.sides[1]))
    }

    /// The cotangent of the scores in terms of the cotangent of the result; `capped` for that of the scores before a cap.
    pub(super) fn cotangent_of_scores(&self, capped: bool) -> Option<Poly> {
        let (poly, ..) = self.forward_product()?;
        let weight = self.weight();
        let factor = poly.over(&weight)?;
        let direct = weight.mul(&Poly::of(&[(Symbol::Cotangent, 1)]))?;
        let mean = Poly::of(&[(Symbol::Exp, 1), (Symbol::Sum, -2), (Symbol::Mean, 1)]);
        let all = direct.add(&mean.scaled(-1.0))?.scaled(factor);
        if !capped {
            return Some(all);
        }
        let slope = Poly::number(1.0).add(&Poly::of(&[(Symbol::Tanh, 2)]).scaled(-1.0))?;
        all.mul(&slope)
    }

    fn is_capped(&self) -> bool {
        self.scores.steps.iter().any(|step| matches!(step, Step::Tanh(_)))
    }

    /// The meaning and the layout of a value that is made of the product of the result's cotangent and the values; `layout` is
    /// that of a value next to it.
    pub(super) fn cotangent(&mut self, value: Value, layout: Layout) -> Option<(Poly, Layout)> {
        let graph = self.walk.graph;
        let (mut at, mut here, top) = (value, layout.clone(), layout);
        let (mut factor, mut multiplied, mut walked) = (1.0, Vec::new(), Vec::new());
        let (index, op) = 'product: {
            for _ in 0..DEPTH {
                let (instr, index) = (graph.instr(at)?, graph.index(at)?);
                let operand = *instr.operands.first()?;
                match &instr.op {
                    Op::DotGeneral(op) => break 'product (index, op),
                    Op::Convert(_) if graph.ty(operand).dtype().is_float() => at = operand,
                    Op::Reshape(_) => {
                        here = self.walk.space.reshape(&here, &graph.ty(operand).dims())?;
                        at = operand;
                    }
                    Op::TransposeAxes(op) => {
                        here = space::before_transpose(&here, &op.permutation);
                        at = operand;
                    }
                    Op::BroadcastInDim(op) => {
                        let from = graph.ty(operand);
                        (from.elements().ok()? == graph.ty(at).elements().ok()?).then_some(())?;
                        here = space::before_broadcast(&here, &op.axes, &from.dims());
                        at = operand;
                    }
                    Op::Select(_) => {
                        let zero = |i: usize| graph.scalar(instr.operands[i]) == Some(0.0);
                        let (main, numbers) = match (zero(2), zero(1)) {
                            (true, false) => (1, (1.0, 0.0)),
                            (false, true) => (2, (0.0, 1.0)),
                            _ => return None,
                        };
                        // Rows without a visible key have no derivative.
                        if !self.is_blind(operand, &here, main == 2) {
                            let side = self.walk.side(operand, &here);
                            multiplied.push((side, Some(numbers)));
                        }
                        at = instr.operands[main];
                    }
                    Op::Elementwise(op) if op.kind == ElementwiseKind::Multiply => {
                        let (x, y) = (operand, instr.operands[1]);
                        if let Some(c) = graph.scalar(y) {
                            (factor, at) = (factor * c, x);
                        } else if let Some(c) = graph.scalar(x) {
                            (factor, at) = (factor * c, y);
                        } else {
                            // The multiplier is what no product is behind.
                            let main = usize::from(!self.walk.leads_to_product(x));
                            let (main, other) = if main == 0 { (x, y) } else { (y, x) };
                            let found = two_valued(graph, &mut self.walk.space, other, here.clone(), DEPTH);
                            multiplied.push(match found {
                                Some(two) => (two.side, Some((two.on_true, two.on_false))),
                                None => (self.walk.side(other, &here), None),
                            });
                            at = main;
                        }
                    }
                    Op::Elementwise(op) if op.kind == ElementwiseKind::Divide => {
                        (factor, at) = (factor / graph.scalar(instr.operands[1])?, operand);
                    }
                    _ => return None,
                }
                walked.push(index);
            }
            return None;
        };
        let here = self.walk.space.now(&here);
        let dot = self.walk.dot(index, op, &here)?;
        if self.dot.is_none() {
            self.product_left_out(&dot, &here, &multiplied)?;
        }
        let renaming = (0..2).find_map(|side| self.result_cotangent(&dot.sides, side))?;
        // Only now it is known which axes are which.
        let m = i8::try_from(multiplied.len()).ok()?;
        for (side, numbers) in multiplied {
            let layout = renamed(&self.walk.space.now(&side.layout), &renaming);
            self.is_multiplier(&Side { layout, ..side }, numbers).then_some(())?;
        }
        self.walk.taken.insert(index);
        self.walk.taken.extend(walked);
        let top = self.walk.space.now(&top);
        let poly = Poly::of(&[(Symbol::Cotangent, 1), (Symbol::Multiplier, m)]).scaled(factor);
        Some((poly, renamed(&top, &renaming)))
    }

    /// Takes the product of weights and values that a program has not, as nothing reads its result. The values are what meets the
    /// result's cotangent in `dot`, of which the result has the layout `here`, times what is in `multiplied`.
    fn product_left_out(&mut self, dot: &Dot, here: &Layout, multiplied: &[Multiplier]) -> Option<()> {
        let space = &self.walk.space;
        let keys = sorted(space.axis(self.summed.as_ref()?));
        // What is divided by a row's sum repeats along the row.
        let repeats: Axis = space.now(here).into_iter().flatten().filter(|&a| space.is_wild(a)).collect();
        let missing = without(&keys, &space.flat(here));
        (repeats.len() == missing.len()).then_some(())?;
        let renaming: Renaming = repeats.into_iter().zip(missing).collect();
        renaming.iter().all(|&(from, to)| space.extent(from) == space.extent(to)).then_some(())?;
        let known = |side: &Side| Side { layout: renamed(&space.now(&side.layout), &renaming), ..*side };
        let sides = dot.sides.each_ref().map(known);
        let has_keys = |side: &Side| keys.iter().all(|a| space.flat(&side.layout).contains(a));
        let at = (0..2).find(|&i| has_keys(&sides[i]))?;
        let layout = renamed(&space.now(here), &renaming);
        let weights = Side { value: self.walk.graph.program.instrs()[dot.index].result(), layout };
        if let ([(side, numbers)], []) = (multiplied, &self.multipliers[..]) {
            (numbers.is_some() || self.is_drawn(side.value, DEPTH)).then_some(())?;
            let layout = renamed(&space.now(&side.layout), &renaming);
            self.multipliers.push(Factor { side: Side { layout, ..*side }, numbers: *numbers });
        }
        let [lhs, rhs] = sides;
        let values = if at == 0 { lhs } else { rhs };
        let poly = self.weight();
        self.know_product(Dot { index: dot.index, sides: [weights, values] }, poly, keys);
        Some(())
    }

    fn is_multiplier(&self, side: &Side, numbers: Option<(f64, f64)>) -> bool {
        let space = &self.walk.space;
        let layout = space.now(&side.layout);
        self.multipliers.iter().any(|m| {
            m.side.value == side.value && space.now(&m.side.layout) == layout && m.numbers == numbers
        })
    }

    /// Checks that side `values` of a product is the values, and takes the other as the cotangent of the result; what the
    /// atoms of the product are called.
    fn result_cotangent(&mut self, sides: &[Side; 2], values: usize) -> Option<Renaming> {
        let (_, weights, known) = self.forward_product()?;
        let (weights, known) = (weights.clone(), known.clone());
        let renaming = self.same_operand(&sides[values], &known)?;
        let given = Side {
            value: sides[1 - values].value,
            layout: renamed(&self.walk.space.now(&sides[1 - values].layout), &renaming),
        };
        let space = &self.walk.space;
        let all = |side: &Side| sorted(space.flat(&side.layout));
        let (of_weights, of_values) = (all(&weights), all(&known));
        let keys = self.keys.clone().map(|keys| sorted(space.axis(&keys)))?;
        let mut expected = without(&of_weights, &keys);
        expected.extend(without(&of_values, &of_weights));
        (all(&given) == sorted(expected)).then_some(())?;
        self.take_given(given)?;
        Some(renaming)
    }

    fn take_given(&mut self, given: Side) -> Option<()> {
        let (value, layout) = self.walk.graph.peel(&mut self.walk.space, given.value, given.layout);
        let given = Side { value, layout: self.walk.space.now(&layout) };
        match &self.backward.given {
            None => self.backward.given = Some(given),
            Some(known) => {
                let same = known.value == given.value && self.walk.space.now(&known.layout) == given.layout;
                same.then_some(())?;
            }
        }
        Some(())
    }

    /// Whether two operands are views of the same value along the same axes: the renaming of the first one's atoms that
    /// makes them so. New atoms and repetitions alone have other names.
    fn same_operand(&mut self, side: &Side, known: &Side) -> Option<Renaming> {
        let graph = self.walk.graph;
        let (value, _) = graph.peel_whole(&mut self.walk.space, side.value, side.layout.clone());
        let (known_value, _) = graph.peel_whole(&mut self.walk.space, known.value, known.layout.clone());
        (value == known_value).then_some(())?;
        // Peeling both may divide atoms of either: only now are the layouts final.
        let (_, layout) = graph.peel_whole(&mut self.walk.space, side.value, side.layout.clone());
        let (_, known_layout) = graph.peel_whole(&mut self.walk.space, known.value, known.layout.clone());
        let (layout, known_layout) = (self.walk.space.now(&layout), self.walk.space.now(&known_layout));
        let mut renaming = Renaming::new();
        let used = self.used_atoms()?;
        for (mine, theirs) in layout.iter().zip(&known_layout) {
            (mine.len() == theirs.len()).then_some(())?;
            for (&a, &b) in mine.iter().zip(theirs) {
                if a == b {
                    continue;
                }
                let same = self.walk.space.extent(a) == self.walk.space.extent(b);
                (same && !used.contains(&a) && !renaming.iter().any(|&(from, to)| from == a || to == b))
                    .then_some(())?;
                renaming.push((a, b));
            }
        }
        Some(renaming)
    }

    /// The atoms of the two products of the forward function.
    fn used_atoms(&self) -> Option<Axis> {
        let space = &self.walk.space;
        let (_, weights, values) = self.forward_product()?;
        let mut used = space.flat(&weights.layout);
        used.extend(space.flat(&values.layout));
        self.scores.dot.sides.iter().for_each(|side| used.extend(space.flat(&side.layout)));
        Some(used)
    }

    /// A product behind that of weights and values: one of three of the derivative.
    pub(super) fn backward_product(&mut self, result: Value, product: Product) -> Option<()> {
        let Product { poly, clean, mine, other, contracted, out } = product;
        let (forward, weights, values) = self.forward_product()?;
        let (forward, weights, values) = (forward.clone(), weights.clone(), values.clone());
        let [scores_lhs, scores_rhs] = self.scores.dot.sides.clone();
        if let Some(factor) = poly.over(&forward) {
            // With the cotangent of the result: the cotangent of the values.
            let space = &self.walk.space;
            let (of_weights, of_values) = (space.flat(&weights.layout), space.flat(&values.layout));
            (contracted == sorted(without(&of_weights, &of_values))).then_some(())?;
            let width = without(&of_values, &of_weights);
            let new = without(&space.flat(&other.layout), &space.flat(&mine.layout));
            let renaming: Renaming = match (&new[..], &width[..]) {
                ([], []) => Vec::new(),
                (&[from], &[to]) if space.extent(from) == space.extent(to) => vec![(from, to)],
                _ => return None,
            };
            let layout = renamed(&space.now(&other.layout), &renaming);
            self.take_given(Side { value: other.value, layout })?;
            let layout = renamed(&self.walk.space.now(&out), &renaming);
            return put(&mut self.backward.of_v, Cotangent { value: result, layout, factor });
        }
        let factor = poly.over(&self.cotangent_of_scores(self.is_capped())?)?;
        self.masked_where_needed(clean);
        let keys = self.keys.clone().map(|keys| sorted(self.walk.space.axis(&keys)))?;
        let lhs_is_q = !self.walk.space.flat(&scores_lhs.layout).iter().any(|a| keys.contains(a));
        let (q, k) = if lhs_is_q { (scores_lhs, scores_rhs) } else { (scores_rhs, scores_lhs) };
        let of_q = contracted == keys;
        let known = if of_q { &k } else { &q };
        let renaming = self.same_operand(&other, known)?;
        let space = &self.walk.space;
        if !of_q {
            let expected = without(&space.flat(&mine.layout), &space.flat(&k.layout));
            (contracted == sorted(expected)).then_some(())?;
        }
        let layout = renamed(&space.now(&out), &renaming);
        let slot = if of_q { &mut self.backward.of_q } else { &mut self.backward.of_k };
        put(slot, Cotangent { value: result, layout, factor })
    }

    /// The only bias, and its factor.
    fn bias(&self) -> Option<(Side, f64)> {
        let mut all = self.scores.steps.iter().filter_map(|step| match step {
            Step::Bias { side, factor } => Some((side.clone(), *factor)),
            _ => None,
        });
        let found = all.next()?;
        all.next().is_none().then_some(found)
    }

    /// A sum of the cotangent of the scores along axes of which it has more.
    pub(super) fn bias_sum(
        &mut self,
        value: Value,
        factor: f64,
        layout: &Layout,
        axes: &[usize],
    ) -> Option<()> {
        let rest: Layout =
            (0..layout.len()).filter(|i| !axes.contains(i)).map(|i| layout[i].clone()).collect();
        self.bias_part(value, factor, rest)
    }

    /// A value that is a sum of the cotangent of the scores: that of the bias, if it has its axes.
    pub(super) fn bias_part(&mut self, value: Value, factor: f64, layout: Layout) -> Option<()> {
        let (side, _) = self.bias()?;
        let space = &self.walk.space;
        if sorted(space.flat(&layout)) == sorted(space.flat(&side.layout)) {
            let layout = space.now(&layout);
            return put(&mut self.backward.of_bias, Cotangent { value, layout, factor });
        }
        self.know_what(value, What::Part(factor), layout, true)
    }

    /// A value of the derivative that the program returns: the cotangent of a bias with all axes.
    pub(super) fn bias_returned(
        &mut self,
        value: Value,
        poly: Poly,
        layout: Layout,
        clean: bool,
    ) -> Option<()> {
        let factor = poly.over(&self.cotangent_of_scores(false)?)?;
        let (side, _) = self.bias()?;
        let space = &self.walk.space;
        (sorted(space.flat(&layout)) == sorted(space.flat(&side.layout))).then_some(())?;
        let cotangent = Cotangent { value, layout: space.now(&layout), factor };
        self.masked_where_needed(clean);
        put(&mut self.backward.of_bias, cotangent)?;
        self.know_inside(value, What::Number(poly), layout, clean);
        Some(())
    }
}

/// Fills a slot that may be filled once.
fn put(slot: &mut Option<Cotangent>, cotangent: Cotangent) -> Option<()> {
    slot.is_none().then_some(())?;
    *slot = Some(cotangent);
    Some(())
}

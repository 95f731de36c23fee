//! The attention that a match is: which axes are which, and which attributes and operands it has.

use jarrah_base::DType;
use jarrah_hlo::Value;
use jarrah_hlo::ops::{Attention, AttentionInputs};

use super::graph::{DEPTH, Graph, Side, rounded};
use super::mask::{Condition, Conditions, Found, Roles};
use super::scores::{Scores, Step, Walk};
use super::space::{Atom, Axis, Space};
use super::weights::{Backward, Factor, Output, Weights};

/// The axes of an attention's operands, each the product of atoms.
#[derive(Debug, Default)]
pub(super) struct Axes {
    pub batch: Axis,
    pub queries: Axis,
    pub groups: Axis,
    /// Groups, then the heads that share one.
    pub heads: Axis,
    pub width: Axis,
    pub keys: Axis,
    pub value_width: Axis,
}

/// An integer of each sequence, `side + plus`, or `plus` alone.
#[derive(Clone, Debug)]
pub(super) struct Count {
    pub side: Option<Side>,
    pub plus: i64,
}

/// Everything that is needed to put an attention in the place of a match.
pub(super) struct Plan {
    pub space: Space,
    pub axes: Axes,
    pub op: Attention,
    pub dtype: DType,
    pub q: Side,
    pub k: Side,
    pub v: Side,
    /// The factors of q and k before their product in the program; the scale of the attention includes both.
    pub by: [f64; 2],
    pub offset: Count,
    pub lengths: Option<Count>,
    pub segments: Option<[Side; 2]>,
    /// Truth values, and whether they show or hide.
    pub masks: Vec<(Side, bool)>,
    pub biases: Vec<(Side, f64)>,
    pub sink: Option<(Side, f64)>,
    pub multiplier: Option<Factor>,
    /// Whether a query that sees no key gives NaN.
    pub blind_is_nan: bool,
    pub output: Option<Output>,
    pub backward: Backward,
}

/// A mask or an added mask, before it is decided which it is.
struct Hiding {
    side: Side,
    visible: bool,
    hidden: f64,
    soft: Option<(Side, f64)>,
}

/// How the steps act on the product of queries and keys.
struct Scaled {
    scale: f64,
    cap: Option<f64>,
    biases: Vec<(Side, f64)>,
    hiding: Vec<Hiding>,
    /// Whether something was added behind a mask.
    added_behind: bool,
}

fn scaled(steps: &[Step]) -> Option<Scaled> {
    let mut s = Scaled { scale: 1.0, cap: None, biases: Vec::new(), hiding: Vec::new(), added_behind: false };
    let mut gate: Option<(&Side, bool)> = None;
    for step in steps {
        if gate.is_some() && !matches!(step, Step::Mask { .. }) {
            return None;
        }
        match step {
            Step::Scale(c) => {
                let fits = c.is_finite() && *c != 0.0 && (*c > 0.0 || s.hiding.is_empty());
                fits.then_some(())?;
                match &mut s.cap {
                    Some(cap) => *cap *= c,
                    None => s.scale *= c,
                }
                s.biases.iter_mut().for_each(|(_, factor)| *factor *= c);
                for hiding in &mut s.hiding {
                    hiding.hidden *= c;
                    if let Some((_, factor)) = &mut hiding.soft {
                        *factor *= c;
                    }
                }
            }
            Step::Tanh(_) => {
                let first = s.cap.is_none() && s.biases.is_empty() && s.hiding.is_empty();
                first.then_some(())?;
                s.cap = Some(1.0);
            }
            Step::Bias { side, factor } => {
                s.added_behind |= !s.hiding.is_empty();
                s.biases.push((side.clone(), *factor));
            }
            Step::Mask { side, visible, hidden, soft } => {
                let mut soft = soft.clone();
                if let Some((gated, shown)) = gate.take() {
                    // Scores that are zero where a number hides them.
                    let same = gated.value == side.value && gated.layout == side.layout && shown == *visible;
                    (same && soft.take().is_some()).then_some(())?;
                }
                s.hiding.push(Hiding { side: side.clone(), visible: *visible, hidden: *hidden, soft });
            }
            Step::Gate { side, visible } => gate = Some((side, *visible)),
        }
    }
    gate.is_none().then_some(())?;
    // tanh is odd.
    if let Some(cap) = &mut s.cap {
        s.scale *= *cap;
        *cap = cap.abs();
    }
    Some(s)
}

/// The operands of the two products of a match.
struct Operands {
    q: Side,
    k: Side,
    v: Side,
    /// The weights, the other operand of the product with `v`.
    mixing: Side,
    /// The factors of q and k before their product.
    by: [f64; 2],
    /// The axis of keys.
    keys: Axis,
}

/// The operands of a match, without views and, for queries and keys, without factors.
fn operands(graph: &Graph<'_>, space: &mut Space, scores: &Scores, weights: &Weights) -> Option<Operands> {
    let [lhs, rhs] = scores.dot.sides.clone();
    let [mixing, values] = weights.dot.sides.clone();
    let has_backward = weights.backward.all().next().is_some();
    let peel = |space: &mut Space, side: Side| {
        let (value, layout) = if has_backward {
            graph.peel_whole(space, side.value, side.layout)
        } else {
            graph.peel(space, side.value, side.layout)
        };
        Side { value, layout }
    };
    let unscaled = |space: &mut Space, mut side: Side| {
        let mut by = 1.0;
        for _ in 0..DEPTH {
            side = peel(space, side);
            let Some((value, factor)) = graph.multiple(side.value) else { break };
            (side.value, by) = (value, by * factor);
        }
        (side, by)
    };
    let ((lhs, by_lhs), (rhs, by_rhs)) = (unscaled(space, lhs), unscaled(space, rhs));
    let v = peel(space, values);
    // Atoms may have been divided by any of these.
    let summed = space.axis(&weights.summed);
    let keys = match &scores.sink {
        Some(sink) => {
            (space.axis(&sink.joined) == summed).then_some(())?;
            space.axis(&sink.keys)
        }
        None => summed,
    };
    let now = |side: Side| Side { layout: space.now(&side.layout), ..side };
    let (lhs, rhs, v, mixing) = (now(lhs), now(rhs), now(v), now(mixing));
    if [&lhs, &rhs, &v].iter().any(|side| space.repeats(&side.layout)) {
        return None;
    }
    let has_keys = |side: &Side| space.flat(&side.layout).iter().any(|a| keys.contains(a));
    let (q, k, by) = match (has_keys(&lhs), has_keys(&rhs)) {
        (false, true) => (lhs, rhs, [by_lhs, by_rhs]),
        (true, false) => (rhs, lhs, [by_rhs, by_lhs]),
        _ => return None,
    };
    Some(Operands { q, k, v, mixing, by, keys })
}

/// Whether no value that was subtracted from a row of scores varies along that row, which is the keys and a sink.
fn varies_along_queries_alone(space: &Space, scores: &Scores, keys: &Axis) -> bool {
    let joined = scores.sink.as_ref().map(|sink| space.axis(&sink.joined)).unwrap_or_default();
    let in_row = |a: &Atom| keys.contains(a) || joined.contains(a);
    !scores.shifts.iter().any(|shift| space.flat(shift).iter().any(in_row))
}

/// The roles of the operands' atoms, and the axes that they make but for those of queries, groups and sequences.
fn arranged(space: &Space, operands: &Operands) -> Option<(Roles, Axes)> {
    let Operands { q, k, v, mixing, keys, .. } = operands;
    let flat = |side: &Side| space.flat(&side.layout);
    let (in_q, in_k, in_v, in_weights) = (flat(q), flat(k), flat(v), flat(mixing));
    // Every axis of keys is one of k, of v and of the weights.
    keys.iter().all(|a| in_k.contains(a) && in_v.contains(a) && in_weights.contains(a)).then_some(())?;
    (!keys.is_empty() && in_weights.len() == mixing.layout.iter().map(|axis| axis.len()).sum::<usize>())
        .then_some(())?;
    let chosen = |of: &Axis, chooses: &dyn Fn(&Atom) -> bool| -> Axis {
        of.iter().filter(|a| chooses(a)).copied().collect()
    };
    let keys = chosen(&in_k, &|a| keys.contains(a));
    let rest = chosen(&in_weights, &|a| !keys.contains(a));
    let of_queries = chosen(&in_q, &|a| rest.contains(a) && !in_k.contains(a) && !in_v.contains(a));
    let batch = chosen(&rest, &|a| !of_queries.contains(a));
    let width = chosen(&in_k, &|a| !keys.contains(a) && !rest.contains(a));
    let value_width = chosen(&in_v, &|a| !keys.contains(a) && !rest.contains(a));
    // A contracted atom is in both operands, and no atom is in one alone.
    let known = |a: &Atom| rest.contains(a) || width.contains(a);
    (in_q.iter().all(known) && width.iter().all(|a| in_q.contains(a))).then_some(())?;
    let mut all = rest.iter().chain(&keys).chain(&width).chain(&value_width);
    if all.any(|&a| space.extent(a) == 0) {
        return None;
    }
    let axes = Axes { width, keys: keys.clone(), value_width, ..Axes::default() };
    Some((Roles { batch, of_queries, keys }, axes))
}

/// The plan of a match; `None` if it is no attention after all.
pub(super) fn plan(walk: Walk<'_, '_>, mut scores: Scores, weights: Weights) -> Option<Plan> {
    let Walk { graph, mut space, .. } = walk;
    let steps = std::mem::take(&mut scores.steps);
    let scaled = scaled(&steps)?;
    let has_backward = weights.backward.all().next().is_some();
    (!has_backward || weights.backward.given.is_some()).then_some(())?;

    let operands = operands(graph, &mut space, &scores, &weights)?;
    varies_along_queries_alone(&space, &scores, &operands.keys).then_some(())?;
    let (roles, axes) = arranged(&space, &operands)?;
    let Operands { q, k, v, by, .. } = operands;
    let dtype = dtype(graph, &[&q, &k, &v], &weights.dot, &scores.dot)?;
    let Decided { hidden, conditions, biases, sees } =
        decide(graph, &mut space, &roles, scaled.biases, scaled.hiding, scaled.added_behind, dtype)?;
    (!(weights.needs_sight && has_backward && hidden.is_finite() && !sees)).then_some(())?;

    let mut plan = Plan {
        axes,
        op: Attention {
            hidden_bits: hidden.to_bits(),
            softcap_bits: scaled.cap.map(f64::to_bits),
            ..Attention::full(scaled.scale * by[0] * by[1])
        },
        dtype,
        q,
        k,
        v,
        by,
        offset: Count { side: None, plus: 0 },
        lengths: None,
        segments: None,
        masks: Vec::new(),
        biases,
        sink: scores.sink.map(|sink| (sink.side, 1.0)),
        multiplier: weights.multipliers.into_iter().next(),
        blind_is_nan: false,
        output: weights.output,
        backward: weights.backward,
        space,
    };
    plan.take(&roles, conditions)?;
    let may_be_infinite = !plan.biases.iter().all(|(side, _)| is_finite(graph, side.value, DEPTH));
    let hides = plan.op.before.is_some()
        || plan.op.after.is_some()
        || plan.lengths.is_some()
        || plan.segments.is_some()
        || !plan.masks.is_empty();
    let blind = may_be_infinite || (hides && hidden == f64::NEG_INFINITY && !sees);
    plan.blind_is_nan = blind && plan.sink.is_none() && !weights.blind_is_zero;
    // Rows whose sum was guarded are zero; a finite score of hidden pairs leaves none.
    plan.arrange(&roles)?;
    plan.op.inputs = AttentionInputs {
        lengths: plan.lengths.is_some(),
        segments: plan.segments.is_some(),
        mask: !plan.masks.is_empty(),
        bias: !plan.biases.is_empty(),
        sinks: plan.sink.is_some(),
        multiplier: plan.multiplier.is_some(),
        ..AttentionInputs::default()
    };
    if has_backward && (plan.sink.is_some() || (plan.backward.of_bias.is_some() && plan.biases.len() != 1)) {
        return None;
    }
    Some(plan)
}

/// The element type of the attention: one in which it is at least as exact as what it replaces.
fn dtype(
    graph: &Graph<'_>,
    sides: &[&Side; 3],
    product: &super::scores::Dot,
    scores: &super::scores::Dot,
) -> Option<DType> {
    let result = |dot: &super::scores::Dot| graph.ty(graph.program.instrs()[dot.index].result()).dtype();
    let all = sides.iter().map(|side| graph.ty(side.value).dtype()).chain([result(product)]);
    let fits = |d: &DType| matches!(d, DType::F16 | DType::BF16 | DType::F32 | DType::F64);
    all.clone().all(|d| fits(&d)).then_some(())?;
    let widest = all.max_by_key(|d| d.bits())?;
    let mixed = sides
        .iter()
        .map(|side| graph.ty(side.value).dtype())
        .any(|d| d.bits() == widest.bits() && d != widest);
    let widest = if mixed { DType::F32 } else { widest };
    Some(if result(scores) == DType::F64 { DType::F64 } else { widest })
}

struct Decided {
    hidden: f64,
    conditions: Vec<Found>,
    biases: Vec<(Side, f64)>,
    /// Whether every query sees a key.
    sees: bool,
}

/// Whether scores of this size vanish in a sum with `hidden`, whose type is `dtype`.
fn absorbs(hidden: f64) -> bool {
    hidden <= -1e30
}

/// Decides which masks are masks, and which are numbers that are added.
#[allow(clippy::too_many_arguments, reason = "one call")]
fn decide(
    graph: &Graph<'_>,
    space: &mut Space,
    roles: &Roles,
    mut biases: Vec<(Side, f64)>,
    hiding: Vec<Hiding>,
    added_behind: bool,
    dtype: DType,
) -> Option<Decided> {
    let mut conditions_of = |hiding: &[Hiding]| {
        let mut conditions = Conditions::new(graph, &mut *space, roles);
        hiding.iter().for_each(|h| conditions.of(h.side.value, h.side.layout.clone(), h.visible));
        conditions.found
    };
    let mut kept = hiding;
    let mut conditions = conditions_of(&kept);
    let mut sees = every_query_sees(space_extents(space), roles, &conditions);
    let near = |h: &Hiding| !absorbs(h.hidden) && h.soft.is_some();
    let large = |h: &Hiding| h.hidden <= -1e9 || (dtype == DType::F16 && h.hidden <= -6e4);
    // A number that is added hides where every row has a score that it leaves far behind.
    if kept.iter().any(|h| near(h) && !(sees && large(h))) {
        let (masks, added): (Vec<_>, Vec<_>) = kept.into_iter().partition(|h| !near(h));
        biases.extend(added.into_iter().filter_map(|h| h.soft));
        kept = masks;
        let mut again = Conditions::new(graph, &mut *space, roles);
        kept.iter().for_each(|h| again.of(h.side.value, h.side.layout.clone(), h.visible));
        conditions = again.found;
        sees = every_query_sees(space_extents(space), roles, &conditions);
    }
    let mut hidden = f64::NEG_INFINITY;
    if let Some(first) = kept.first() {
        hidden = first.hidden;
        let alike = kept.iter().all(|h| h.hidden == hidden);
        let far = kept.iter().all(|h| h.hidden <= -1e9);
        if !alike {
            (sees && far).then_some(())?;
            hidden = f64::NEG_INFINITY;
        }
        if added_behind && hidden.is_finite() {
            (absorbs(hidden) || (sees && far)).then_some(())?;
        }
        if hidden.is_finite() {
            hidden = rounded(hidden, if dtype == DType::F64 { DType::F64 } else { DType::F32 });
        }
        (!hidden.is_nan() && hidden < f64::INFINITY).then_some(())?;
    }
    Some(Decided { hidden, conditions, biases, sees })
}

/// The extents of atoms, which do not change any more.
fn space_extents(space: &Space) -> impl Fn(&[Atom]) -> usize + '_ {
    |atoms| space.size(atoms)
}

/// Whether the conditions leave a key to every query, whatever the operands are.
fn every_query_sees(size: impl Fn(&[Atom]) -> usize, roles: &Roles, conditions: &[Found]) -> bool {
    let keys = size(&roles.keys) as i64;
    let (mut low, mut high, mut rows) = (i64::MIN / 4, i64::MAX / 4, None);
    let mut themselves = true;
    for found in conditions {
        match &found.condition {
            Condition::Band { at_least, at_most, moved: None, queries } => {
                if rows.as_ref().is_some_and(|r| r != queries) {
                    return false;
                }
                rows = Some(queries.clone());
                low = low.max(at_least.unwrap_or(low));
                high = high.min(at_most.unwrap_or(high));
            }
            // A token is of its own segment.
            Condition::Segments { queries, keys } if queries.value == keys.value => themselves = false,
            _ => return false,
        }
    }
    let queries = rows.map_or(1, |rows| size(&rows) as i64);
    let sees = |t: i64| (t + low).max(0) <= (t + high).min(keys - 1);
    if !themselves {
        return low <= 0 && high >= 0 && queries <= keys && same_tokens(conditions, &size, keys);
    }
    sees(0) && sees(queries - 1)
}

/// Whether segments are those of as many queries as keys.
fn same_tokens(conditions: &[Found], size: &impl Fn(&[Atom]) -> usize, keys: i64) -> bool {
    conditions.iter().all(|found| match &found.condition {
        Condition::Segments { queries, keys: of_keys } => {
            let extents = |side: &Side| side.layout.iter().map(|axis| size(axis)).collect::<Vec<_>>();
            extents(queries) == extents(of_keys) && extents(queries).contains(&(keys as usize))
        }
        _ => true,
    })
}

/// Whether no element of a number is infinite or NaN, as constants, truth values and sums of them tell.
fn is_finite(graph: &Graph<'_>, value: Value, depth: usize) -> bool {
    if let Some(c) = graph.scalar(value) {
        return c.is_finite();
    }
    depth > 0
        && super::mask::two_valued(
            graph,
            &mut Space::default(),
            value,
            vec![Axis::new(); graph.ty(value).rank()],
            8,
        )
        .is_some_and(|two| two.on_true.is_finite() && two.on_false.is_finite())
}

impl Plan {
    /// Takes conditions as attributes and operands.
    fn take(&mut self, roles: &Roles, conditions: Vec<Found>) -> Option<()> {
        let mut band: Option<(Option<i64>, Option<i64>, Option<Side>)> = None;
        // A second length, segment or moved band is a truth value like any other.
        for Found { condition, side, holds } in conditions {
            match condition {
                Condition::Band { at_least, at_most, moved, queries }
                    if (self.axes.queries.is_empty() || self.axes.queries == queries)
                        && band.as_ref().is_none_or(|(.., by)| *by == moved) =>
                {
                    self.axes.queries = queries;
                    let (low, high, _) = band.get_or_insert((None, None, moved));
                    *low = at_least.into_iter().chain(*low).max();
                    *high = at_most.into_iter().chain(*high).min();
                }
                Condition::Length { length, plus } if self.lengths.is_none() => {
                    self.lengths = Some(Count { side: length, plus });
                }
                Condition::Segments { queries, keys } if self.segments.is_none() => {
                    self.segments = Some([queries, keys]);
                }
                _ => self.masks.push((side, holds)),
            }
        }
        let number = |n: i64| u32::try_from(n).ok().filter(|&n| n < 1 << 30);
        if let Some((low, high, moved)) = band {
            let offset = match (low, high) {
                (None, Some(high)) => high,
                (Some(low), None) => low,
                (Some(low), Some(high)) if moved.is_none() && low <= 0 && high >= 0 => 0,
                (Some(_), Some(high)) => high,
                (None, None) => 0,
            };
            self.offset = Count { side: moved, plus: offset };
            if let Some(low) = low {
                self.op.before = Some(number(offset - low)?);
            }
            if let Some(high) = high {
                self.op.after = Some(number(high - offset)?);
            }
        }
        // Positions of queries: those that the band speaks of, the most numerous, or the last.
        if self.axes.queries.is_empty() {
            let segment = self.segments.as_ref().map(|[q, _]| self.space.flat(&q.layout));
            let of_segment = segment
                .map(|atoms| atoms.into_iter().filter(|a| roles.of_queries.contains(a)).collect::<Axis>());
            self.axes.queries = match of_segment {
                Some(atoms) => atoms,
                None => {
                    let most = roles.of_queries.iter().max_by_key(|&&a| self.space.extent(a));
                    most.copied().into_iter().collect()
                }
            };
        }
        if let Some([queries, _]) = &self.segments {
            let known = |a: &Atom| self.axes.queries.contains(a) || roles.batch.contains(a);
            self.space.flat(&queries.layout).iter().all(known).then_some(())?;
        }
        Some(())
    }

    /// Decides which independent products are sequences, and which are heads.
    fn arrange(&mut self, roles: &Roles) -> Option<()> {
        let shared: Axis =
            roles.of_queries.iter().filter(|a| !self.axes.queries.contains(a)).copied().collect();
        let space = &self.space;
        let of_k = space.flat(&self.k.layout);
        let key = of_k.iter().position(|a| self.axes.keys.contains(a)).unwrap_or(0);
        // In the order in which keys lie; what lies behind a key belongs to heads.
        let place = |a: &Atom| of_k.iter().position(|b| a == b);
        let mut batch = roles.batch.clone();
        batch.sort_by_key(|a| place(a).unwrap_or(0));
        let natural = |a: &Atom| place(a).is_some_and(|p| p > key);
        let per_pair: Vec<Axis> = self
            .masks
            .iter()
            .map(|(side, _)| side)
            .chain(self.biases.iter().map(|(side, _)| side))
            .chain(self.multiplier.iter().map(|m| &m.side))
            .chain(self.sink.iter().map(|(side, _)| side))
            .map(|side| space.flat(&side.layout))
            .collect();
        let mut per_sequence: Vec<Axis> = Vec::new();
        let counts = [Some(&self.offset), self.lengths.as_ref()];
        per_sequence.extend(
            counts.into_iter().flatten().filter_map(|c| c.side.as_ref()).map(|s| space.flat(&s.layout)),
        );
        per_sequence.extend(self.segments.iter().flatten().map(|s| space.flat(&s.layout)));
        let cost = |groups: &Axis| {
            let sequences: Axis = batch.iter().filter(|a| !groups.contains(a)).copied().collect();
            let heads: Axis = groups.iter().chain(&shared).copied().collect();
            let partly = |atoms: &Axis, class: &Axis| {
                let has = class.iter().filter(|a| atoms.contains(a)).count();
                usize::from(has != 0 && has != class.len())
            };
            let of_pairs: usize = per_pair.iter().map(|a| partly(a, &sequences) + partly(a, &heads)).sum();
            let impossible = per_sequence.iter().any(|atoms| heads.iter().any(|h| atoms.contains(h)));
            if impossible { usize::MAX } else { of_pairs }
        };
        let first: Axis = batch.iter().filter(|a| natural(a)).copied().collect();
        let mut best = (cost(&first), first);
        for set in 0..1usize << batch.len().min(6) {
            let groups: Axis = (0..batch.len()).filter(|i| set >> i & 1 == 1).map(|i| batch[i]).collect();
            let cost = cost(&groups);
            if cost < best.0 {
                best = (cost, groups);
            }
        }
        (best.0 != usize::MAX).then_some(())?;
        let groups = best.1;
        self.axes.batch = batch.into_iter().filter(|a| !groups.contains(a)).collect();
        self.axes.heads = groups.iter().chain(&shared).copied().collect();
        self.axes.groups = groups;
        self.operands_fit().then_some(())
    }

    /// Whether every operand has axes of its own kind alone.
    fn operands_fit(&self) -> bool {
        let Axes { batch, queries, groups, heads, width, keys, value_width } = &self.axes;
        let within = |side: &Side, classes: &[&Axis]| {
            let mut atoms = side.layout.iter().flat_map(|axis| self.space.axis(axis));
            atoms.all(|a| classes.iter().any(|class| class.contains(&a)))
        };
        let pairs = |side: &Side| within(side, &[batch, heads, queries, keys]);
        let counts = [Some(&self.offset), self.lengths.as_ref()];
        within(&self.q, &[batch, queries, heads, width])
            && within(&self.k, &[batch, keys, groups, width])
            && within(&self.v, &[batch, keys, groups, value_width])
            && counts.into_iter().flatten().filter_map(|c| c.side.as_ref()).all(|s| within(s, &[batch]))
            && self.segments.iter().all(|[q, k]| within(q, &[batch, queries]) && within(k, &[batch, keys]))
            && self.masks.iter().all(|(side, _)| pairs(side))
            && self.biases.iter().all(|(side, _)| pairs(side))
            && self.multiplier.iter().all(|m| pairs(&m.side))
            && self.sink.iter().all(|(side, _)| within(side, &[batch, heads]))
    }
}

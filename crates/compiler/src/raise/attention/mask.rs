//! The condition on queries and keys that a mask expresses: a band of distances, a length, segments, or just truth values.

use jarrah_base::{DType, ElementKind};
use jarrah_hlo::ops::{Comparison, ElementwiseKind};
use jarrah_hlo::{Op, Value};
use smallvec::SmallVec;

use super::graph::{Graph, Side};
use super::space::{Atom, Axis, Layout, Space};

/// Numbers that a truth value picks one of two from.
pub(super) struct TwoValued {
    pub side: Side,
    pub on_true: f64,
    pub on_false: f64,
}

/// The truth value that decides between the only two numbers that a value has.
pub(super) fn two_valued(
    graph: &Graph<'_>,
    space: &mut Space,
    value: Value,
    layout: Layout,
    depth: usize,
) -> Option<TwoValued> {
    let depth = depth.checked_sub(1)?;
    let (value, layout) = graph.peel(space, value, layout);
    let instr = graph.instr(value)?;
    let mut of = |at: usize| two_valued(graph, space, instr.operands[at], layout.clone(), depth);
    let scalar = |at: usize| graph.scalar(instr.operands[at]);
    let map = |two: TwoValued, f: &dyn Fn(f64) -> f64| {
        let (on_true, on_false) = (f(two.on_true), f(two.on_false));
        TwoValued { on_true, on_false, ..two }
    };
    match &instr.op {
        Op::Select(_) => {
            let (on_true, on_false) = (scalar(1)?, scalar(2)?);
            let (value, layout) = graph.peel(space, instr.operands[0], layout);
            Some(TwoValued { side: Side { value, layout }, on_true, on_false })
        }
        Op::Convert(_) if graph.ty(instr.operands[0]).dtype() == DType::Bool => {
            let (value, layout) = graph.peel(space, instr.operands[0], layout);
            Some(TwoValued { side: Side { value, layout }, on_true: 1.0, on_false: 0.0 })
        }
        Op::Convert(_) => of(0),
        Op::Elementwise(op) => {
            let both: &[usize] = if instr.operands.len() == 2 { &[0, 1] } else { &[] };
            let constant = both.iter().find_map(|&at| Some((1 - at, scalar(at)?)));
            match (op.kind, constant) {
                (ElementwiseKind::Negate, _) => Some(map(of(0)?, &|x| -x)),
                (ElementwiseKind::Multiply, Some((at, c))) => {
                    Some(map(of(at)?, &|x| if x == 0.0 { 0.0 } else { x * c }))
                }
                (ElementwiseKind::Add, Some((at, c))) => Some(map(of(at)?, &|x| x + c)),
                (ElementwiseKind::Subtract, Some((0, c))) => Some(map(of(0)?, &|x| x - c)),
                (ElementwiseKind::Subtract, Some((1, c))) => Some(map(of(1)?, &|x| c - x)),
                (ElementwiseKind::Divide, Some((0, c))) => Some(map(of(0)?, &|x| x / c)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Atoms of an attention by what they number.
#[derive(Clone, Debug, Default)]
pub(super) struct Roles {
    /// Atoms that number independent products.
    pub batch: Axis,
    /// Atoms that queries alone have: positions, and heads that share keys.
    pub of_queries: Axis,
    /// Keys, the slowest first.
    pub keys: Axis,
}

/// A condition under which a pair is visible. A mask is the conjunction of its conditions.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// `key - query <= at_most` or `>= at_least`, where the numbers are moved by an integer of each sequence.
    Band { at_least: Option<i64>, at_most: Option<i64>, moved: Option<Side>, queries: Axis },
    /// `key < length + plus`.
    Length { length: Option<Side>, plus: i64 },
    /// The segments of query and key are equal.
    Segments { queries: Side, keys: Side },
    /// The truth value, and no more is known of it.
    Truth,
}

/// A condition, and the truth value that says it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub condition: Condition,
    pub side: Side,
    pub holds: bool,
}

/// The conditions under which a truth value is `holds`.
pub(super) struct Conditions<'c, 'g, 'p> {
    pub graph: &'g Graph<'p>,
    pub space: &'c mut Space,
    pub roles: &'c Roles,
    pub found: Vec<Found>,
    /// The truth value that is looked at, and what it should be.
    pub current: Option<(Side, bool)>,
    /// How many values may be looked at yet.
    pub budget: usize,
}

impl<'c, 'g, 'p> Conditions<'c, 'g, 'p> {
    pub fn new(graph: &'g Graph<'p>, space: &'c mut Space, roles: &'c Roles) -> Self {
        Conditions { graph, space, roles, found: Vec::new(), current: None, budget: 200 }
    }

    pub fn of(&mut self, value: Value, layout: Layout, holds: bool) {
        let (value, layout) = self.graph.peel(self.space, value, layout);
        let layout = self.space.now(&layout);
        let side = Side { value, layout: layout.clone() };
        self.current = Some((side.clone(), holds));
        if !self.parts(value, &layout, holds) {
            self.found.push(Found { condition: Condition::Truth, side, holds });
        }
    }

    fn push(&mut self, condition: Condition) {
        if let Some((side, holds)) = self.current.take() {
            self.found.push(Found { condition, side, holds });
        }
    }

    /// Whether the condition was said by simpler ones.
    fn parts(&mut self, value: Value, layout: &Layout, holds: bool) -> bool {
        let Some(left) = self.budget.checked_sub(1) else { return false };
        self.budget = left;
        let Some(instr) = self.graph.instr(value) else { return false };
        let operands = &instr.operands;
        match &instr.op {
            Op::Elementwise(op) => match (op.kind, holds) {
                (ElementwiseKind::And, true) | (ElementwiseKind::Or, false) => {
                    self.of(operands[0], layout.clone(), holds);
                    self.of(operands[1], layout.clone(), holds);
                    true
                }
                (ElementwiseKind::Not, _) => {
                    self.of(operands[0], layout.clone(), !holds);
                    true
                }
                _ => false,
            },
            Op::Select(_) => {
                let truth = |v: Value| self.graph.scalar(v).map(|x| x != 0.0);
                let (a, b) = (truth(operands[1]), truth(operands[2]));
                match (a, b) {
                    (Some(a), Some(b)) if a != b => self.of(operands[0], layout.clone(), a == holds),
                    // One branch says no.
                    (_, Some(b)) if b != holds => {
                        self.of(operands[0], layout.clone(), true);
                        self.of(operands[1], layout.clone(), holds);
                    }
                    (Some(a), _) if a != holds => {
                        self.of(operands[0], layout.clone(), false);
                        self.of(operands[2], layout.clone(), holds);
                    }
                    _ => return false,
                }
                true
            }
            Op::Constant(constant) => match constant.value.splat() {
                Some(value) => (value.get_f64(0) != 0.0) == holds,
                None => self.literal(value, layout, holds),
            },
            // A truth value again from its number.
            Op::Convert(_) if self.graph.ty(operands[0]).dtype() == DType::Bool => {
                self.of(operands[0], layout.clone(), holds);
                true
            }
            Op::Compare(op) => self.comparison(op.comparison, operands[0], operands[1], layout, holds),
            _ => false,
        }
    }

    fn comparison(
        &mut self,
        comparison: Comparison,
        x: Value,
        y: Value,
        layout: &Layout,
        holds: bool,
    ) -> bool {
        if let Some(c) = self.graph.scalar(y)
            && let Some(two) = two_valued(self.graph, self.space, x, layout.clone(), 8)
        {
            let (a, b) = (holds_for(comparison, two.on_true, c), holds_for(comparison, two.on_false, c));
            if a != b {
                self.of(two.side.value, two.side.layout, a == holds);
                return true;
            }
            return false;
        }
        let comparison = if holds { comparison } else { contrary(comparison) };
        let (ax, ay) = (self.affine(x, layout, 16), self.affine(y, layout, 16));
        if let (Some(ax), Some(ay)) = (ax, ay)
            && let Some(condition) = self.linear(comparison, &ax, &ay)
        {
            self.push(condition);
            return true;
        }
        comparison == Comparison::Eq && self.segments(x, y, layout)
    }

    /// Equality of an integer of the query and one of the key.
    fn segments(&mut self, x: Value, y: Value, layout: &Layout) -> bool {
        let mut side = |v: Value| {
            let (value, layout) = self.graph.peel(self.space, v, layout.clone());
            let layout = self.space.now(&layout);
            Side { value, layout }
        };
        let (x, y) = (side(x), side(y));
        let is_integer = |s: &Side| {
            let dtype = self.graph.ty(s.value).dtype();
            dtype.kind() == ElementKind::Signed && dtype.bits() <= 32
        };
        let atoms = |s: &Side| self.space.flat(&s.layout);
        let apart = |q: &Side, k: &Side| {
            let (q, k) = (atoms(q), atoms(k));
            let of_queries = |a: &Atom| self.roles.of_queries.contains(a);
            let of_keys = |a: &Atom| self.roles.keys.contains(a);
            q.iter().any(of_queries)
                && k.iter().any(of_keys)
                && !q.iter().any(of_keys)
                && !k.iter().any(of_queries)
        };
        if !is_integer(&x) || !is_integer(&y) {
            return false;
        }
        let (queries, keys) = if apart(&x, &y) {
            (x, y)
        } else if apart(&y, &x) {
            (y, x)
        } else {
            return false;
        };
        self.push(Condition::Segments { queries, keys });
        true
    }

    /// `x ? y` as a band or a length.
    fn linear(&self, comparison: Comparison, x: &Affine, y: &Affine) -> Option<Condition> {
        let mut d = x.minus(y)?;
        // `d <= bound` or `d >= bound`.
        let (mut at_most, mut bound) = match comparison {
            Comparison::Lt => (true, -1),
            Comparison::Le => (true, 0),
            Comparison::Gt => (false, 1),
            Comparison::Ge => (false, 0),
            Comparison::Eq | Comparison::Ne => return None,
        };
        let per_key = self.slope(&d, &self.roles.keys)?;
        if per_key == -1 {
            (d, at_most, bound) = (d.negated(), !at_most, -bound);
        } else if per_key != 1 {
            return None;
        }
        let queries: Axis = self.roles.of_queries.iter().filter(|a| d.slope(**a) != 0).copied().collect();
        let counted = self.roles.keys.iter().chain(&queries);
        if d.slopes.iter().any(|(a, n)| *n != 0 && !counted.clone().any(|c| c == a)) {
            return None;
        }
        // key + per_query query + start + sign moved <= bound
        let moved = match &d.moved {
            None => None,
            Some((side, -1)) => Some(side.clone()),
            Some(_) => return None,
        };
        let bound = bound - d.start;
        if queries.is_empty() {
            return at_most.then_some(Condition::Length { length: moved, plus: bound + 1 });
        }
        // Of several axes of queries the order is that in which their numbers grow.
        let mut queries = queries;
        queries.sort_by_key(|&a| d.slope(a));
        (self.slope(&d, &queries)? == -1).then_some(())?;
        let (at_least, at_most) = if at_most { (None, Some(bound)) } else { (Some(bound), None) };
        Some(Condition::Band { at_least, at_most, moved, queries })
    }

    /// The slope along the merged index of atoms, if there is one.
    fn slope(&self, d: &Affine, atoms: &[Atom]) -> Option<i64> {
        let mut stride = 1;
        let mut slope = None;
        for &atom in atoms.iter().rev() {
            let here = d.slope(atom);
            (here % stride == 0).then_some(())?;
            (*slope.get_or_insert(here / stride) == here / stride).then_some(())?;
            stride *= self.space.extent(atom) as i64;
        }
        Some(slope.unwrap_or(0))
    }

    /// The integer at each pair as a linear function of its indices.
    fn affine(&mut self, value: Value, layout: &Layout, depth: usize) -> Option<Affine> {
        let depth = depth.checked_sub(1)?;
        let dtype = self.graph.ty(value).dtype();
        (dtype.kind() == ElementKind::Signed && dtype.bits() >= 32).then_some(())?;
        if let Some(c) = self.graph.scalar(value) {
            return (c.abs() < LARGE as f64).then(|| Affine { start: c as i64, ..Affine::default() });
        }
        let (value, layout) = self.graph.peel(self.space, value, layout.clone());
        let layout = self.space.now(&layout);
        if let Some(instr) = self.graph.instr(value) {
            let both = |this: &mut Self| {
                let x = this.affine(instr.operands[0], &layout, depth)?;
                Some((x, this.affine(instr.operands[1], &layout, depth)?))
            };
            match &instr.op {
                Op::Iota(op) => return Some(self.counted(&layout[op.axis], 0, 1)),
                Op::Constant(op) => {
                    // One row of equidistant numbers.
                    let numbers = op.value.to_i128_vec();
                    let axis = layout.iter().find(|axis| !axis.is_empty())?;
                    (self.space.size(axis) == numbers.len()).then_some(())?;
                    let (start, step) = (numbers[0], numbers.get(1)? - numbers[0]);
                    let even = numbers.iter().enumerate().all(|(i, &n)| n == start + step * i as i128);
                    let small = start.abs() < LARGE && step.abs() < LARGE;
                    return (even && small).then(|| self.counted(axis, start as i64, step as i64));
                }
                Op::Elementwise(op) if op.kind == ElementwiseKind::Add => {
                    if let Some((x, y)) = both(self) {
                        return x.plus(&y);
                    }
                }
                Op::Elementwise(op) if op.kind == ElementwiseKind::Subtract => {
                    if let Some((x, y)) = both(self) {
                        return x.minus(&y);
                    }
                }
                Op::Convert(_) => {
                    if let Some(affine) = self.affine(instr.operands[0], &layout, depth) {
                        return Some(affine);
                    }
                }
                _ => {}
            }
        }
        // An integer of each sequence.
        let of_sequences = self.space.flat(&layout).iter().all(|a| self.roles.batch.contains(a));
        (of_sequences && dtype == DType::I32)
            .then(|| Affine { moved: Some((Side { value, layout: layout.clone() }, 1)), ..Affine::default() })
    }

    fn counted(&self, axis: &Axis, start: i64, step: i64) -> Affine {
        let mut slopes = SmallVec::new();
        let mut stride = step;
        for &atom in axis.iter().rev() {
            slopes.push((atom, stride));
            stride *= self.space.extent(atom) as i64;
        }
        Affine { start, slopes, moved: None }
    }

    /// A band that the program has as a table of truth values.
    fn literal(&mut self, value: Value, layout: &Layout, holds: bool) -> bool {
        let Some(Op::Constant(constant)) = self.graph.instr(value).map(|i| &i.op) else { return false };
        let atoms = self.space.flat(layout);
        let keys = &self.roles.keys;
        let queries: Axis = atoms.iter().filter(|a| !keys.contains(a)).copied().collect();
        let rows_first = atoms.ends_with(keys) && queries.iter().all(|a| self.roles.of_queries.contains(a));
        if !rows_first || queries.is_empty() {
            return false;
        }
        let columns = self.space.size(keys);
        let visible: Vec<bool> = constant.value.bytes().iter().map(|&b| (b != 0) == holds).collect();
        if constant.value.dtype() != DType::Bool || columns == 0 || visible.is_empty() {
            return false;
        }
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        let pairs =
            || visible.iter().enumerate().map(|(i, &v)| ((i % columns) as i64 - (i / columns) as i64, v));
        for (distance, _) in pairs().filter(|(_, v)| *v) {
            (low, high) = (low.min(distance), high.max(distance));
        }
        let (last_row, last) = ((visible.len() / columns) as i64 - 1, columns as i64 - 1);
        if low > high || !pairs().all(|(distance, v)| v == (low..=high).contains(&distance)) {
            return false;
        }
        self.push(Condition::Band {
            at_least: (low > -last_row).then_some(low),
            at_most: (high < last).then_some(high),
            moved: None,
            queries,
        });
        true
    }
}

/// Distances and lengths beyond this are no positions.
const LARGE: i128 = 1 << 30;

#[derive(Clone, Debug, Default)]
struct Affine {
    start: i64,
    slopes: SmallVec<[(Atom, i64); 4]>,
    /// An integer of each sequence, with its sign.
    moved: Option<(Side, i64)>,
}

impl Affine {
    fn slope(&self, atom: Atom) -> i64 {
        self.slopes.iter().filter(|(a, _)| *a == atom).map(|(_, n)| n).sum()
    }

    fn negated(&self) -> Affine {
        let moved = self.moved.clone().map(|(side, sign)| (side, -sign));
        Affine { start: -self.start, slopes: self.slopes.iter().map(|&(a, n)| (a, -n)).collect(), moved }
    }

    fn plus(&self, other: &Affine) -> Option<Affine> {
        let moved = match (&self.moved, &other.moved) {
            (Some(_), Some(_)) => return None,
            (Some(moved), None) | (None, Some(moved)) => Some(moved.clone()),
            (None, None) => None,
        };
        let slopes = self.slopes.iter().chain(&other.slopes).copied().collect();
        Some(Affine { start: self.start + other.start, slopes, moved })
    }

    fn minus(&self, other: &Affine) -> Option<Affine> {
        self.plus(&other.negated())
    }
}

fn holds_for(comparison: Comparison, x: f64, y: f64) -> bool {
    match comparison {
        Comparison::Eq => x == y,
        Comparison::Ne => x != y,
        Comparison::Lt => x < y,
        Comparison::Le => x <= y,
        Comparison::Gt => x > y,
        Comparison::Ge => x >= y,
    }
}

fn contrary(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Lt => Comparison::Ge,
        Comparison::Le => Comparison::Gt,
        Comparison::Gt => Comparison::Le,
        Comparison::Ge => Comparison::Lt,
    }
}

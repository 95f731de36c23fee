//! `check.*` ops: assertions on the results of a program, which test programs contain.

use jarrah_base::{DType, Literal, Location, Result, Type};
use jarrah_hlo::Value;
use jarrah_hlo::ops::{Comparison, ElementwiseKind, Reducer};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::elementwise;
use super::types::{self, Leaf};
use crate::ir::{Attr, Dense};

/// A condition on the results of a program.
#[derive(Clone, Debug)]
pub struct Check {
    /// The comparison.
    pub kind: CheckKind,
    /// The index of the result that is checked.
    pub actual: usize,
    /// The tensor that the result is compared to.
    pub expected: Expected,
    /// Where the module has the check.
    pub location: Option<Location>,
}

/// How two tensors are compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CheckKind {
    /// Equal elements; a NaN equals a NaN.
    Eq,
    /// Elements that differ by at most `tolerance`; a NaN equals a NaN.
    AlmostEq {
        /// The largest difference.
        tolerance: f64,
    },
    /// Elements between `min_ulp` and `max_ulp` units in the last place apart.
    Close {
        /// The least distance.
        min_ulp: u64,
        /// The greatest distance.
        max_ulp: u64,
    },
}

/// The tensor that a result is compared to.
#[derive(Clone, Debug)]
pub enum Expected {
    /// The result with this index.
    Result(usize),
    /// A constant; a scalar if all its elements are equal.
    Literal(Literal),
}

/// A check whose tensors are values of a program under construction, or results of a finished one.
#[derive(Clone)]
pub(super) struct Pending<V = Value> {
    kind: CheckKind,
    actual: V,
    expected: Result<V, Literal>,
    location: Option<Location>,
}

impl<V> Pending<V> {
    pub fn map<W>(self, change: &mut impl FnMut(V) -> W) -> Pending<W> {
        let Pending { kind, actual, expected, location } = self;
        Pending { kind, actual: change(actual), expected: expected.map(change), location }
    }
}

impl Pending<usize> {
    pub fn finish(self) -> Check {
        let Pending { kind, actual, expected, location } = self;
        let expected = match expected {
            Ok(result) => Expected::Result(result),
            Err(literal) => Expected::Literal(literal),
        };
        Check { kind, actual, expected, location }
    }
}

fn add(cx: &mut Cx<'_, '_>, kind: CheckKind, actual: Value, expected: Result<Value, Literal>) {
    if cx.lower.options.checks {
        let location = cx.lower.module.origin.location(cx.op.at);
        cx.block.checks.push(Pending { kind, actual, expected, location });
    }
}

pub(super) fn op(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let kind = match cx.op.name() {
        "check.expect_almost_eq" | "check.expect_almost_eq_const" => {
            let tolerance = match cx.op.attr("tolerance") {
                None => 1e-4,
                Some(Attr::Float(x, _)) => *x,
                Some(_) => return Err(cx.fail("`tolerance` is no number")),
            };
            CheckKind::AlmostEq { tolerance }
        }
        "check.expect_close" => CheckKind::Close {
            min_ulp: steps_of(cx, "min_ulp_difference", 0)?,
            max_ulp: steps_of(cx, "max_ulp_difference", 3)?,
        },
        _ => CheckKind::Eq,
    };
    match (cx.op.name(), &cx.operands()?[..]) {
        ("check.expect_serialized_eq", &[expected]) => {
            let id = cx.word("probe_id")?;
            let iteration = cx.size_in(&cx.op.attributes, "iteration")?.unwrap_or(0);
            let probed = cx.block.probes.iter().filter(|(probe, _)| *probe == id).nth(iteration);
            match probed.map(|(_, value)| *value) {
                Some(probed) => add(cx, kind, probed, Ok(expected)),
                None if cx.lower.options.checks => {
                    return Err(
                        cx.fail(format!("`{id}` is not probed {} times outside of regions", iteration + 1))
                    );
                }
                None => {}
            }
        }
        ("check.expect_almost_eq_const" | "check.expect_eq_const", &[actual]) => {
            let Attr::Dense(dense) = cx.attr("value")? else {
                return Err(cx.fail("the value is no tensor"));
            };
            let literal = constant(cx, dense, cx.ty(actual))?;
            add(cx, kind, actual, Err(literal));
        }
        (_, &[actual, expected]) => add(cx, kind, actual, Ok(expected)),
        (_, operands) => return Err(cx.fail(format!("does not take {} operands", operands.len()))),
    }
    Ok(Outcome::new())
}

/// A number of units in the last place, which may use all 64 bits.
fn steps_of(cx: &Cx<'_, '_>, name: &str, default: u64) -> Result<u64> {
    match cx.op.attr(name) {
        None => Ok(default),
        Some(Attr::Integer(n, _)) if *n < 0 => Ok(*n as i64 as u64),
        Some(Attr::Integer(n, _)) => Ok(u64::try_from(*n).unwrap_or(u64::MAX)),
        Some(_) => Err(cx.fail(format!("`{name}` is no number"))),
    }
}

/// An attribute's tensor, to compare with an operand of type `ty`; a scalar if all elements are equal.
fn constant(cx: &Cx<'_, '_>, dense: &Dense, ty: Type) -> Result<Literal> {
    let stated = Leaf(&dense.ty);
    let fits = dense.is_splat() || dense.value.ty() == ty;
    if !stated.admits(ty) || dense.value.dtype() != ty.dtype() || !fits {
        return Err(cx.fail(format!("the value is {}, the operand {ty}", types::describe(&dense.ty))));
    }
    Ok(dense.value.clone())
}

/// A custom call that is a check; if it has a result, that is whether the check holds.
pub(super) fn custom_call(cx: &mut Cx<'_, '_>, target: &str) -> Result<Outcome> {
    let [actual, expected] = cx.some()?;
    let dtype = cx.ty(expected).dtype();
    let kind = match target {
        "check.eq" if dtype.is_integer() || dtype == DType::Bool => CheckKind::Eq,
        "check.eq" => CheckKind::AlmostEq { tolerance: 1e-4 },
        "check.expect_almost_eq" => CheckKind::AlmostEq { tolerance: 1e-3 },
        "check.expect_close" => CheckKind::Close { min_ulp: 0, max_ulp: 3 },
        _ => CheckKind::Eq,
    };
    add(cx, kind, actual, Ok(expected));
    if cx.result_count()? == 0 {
        return Ok(Outcome::new());
    }
    let dims = cx.result_type(0)?.dims();
    let holds = holds(cx, kind, actual, expected)?;
    Ok(all(&[cx.b().broadcast_in_dim(holds, &dims, &[])?]))
}

/// Whether a check holds, as a value of the program.
fn holds(cx: &mut Cx<'_, '_>, kind: CheckKind, x: Value, y: Value) -> Result<Value> {
    let mut good = cx.b().compare(Comparison::Eq, x, y)?;
    if let CheckKind::AlmostEq { tolerance } = kind {
        let difference = cx.b().sub(x, y)?;
        let size = cx.b().unary(ElementwiseKind::Abs, difference)?;
        let most = elementwise::full_like(cx, size, tolerance)?;
        let near = cx.b().compare(Comparison::Le, size, most)?;
        good = cx.b().binary(ElementwiseKind::Or, good, near)?;
    }
    if !cx.ty(x).dtype().is_integer() {
        let x = cx.b().compare(Comparison::Ne, x, x)?;
        let y = cx.b().compare(Comparison::Ne, y, y)?;
        let both = cx.b().binary(ElementwiseKind::And, x, y)?;
        good = cx.b().binary(ElementwiseKind::Or, good, both)?;
    }
    let axes: Vec<usize> = (0..cx.ty(good).rank()).collect();
    cx.b().reduce(Reducer::And, good, &axes)
}

/// Remembers a value by the name of the probe, and returns it.
pub(super) fn probe(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let [x] = cx.some()?;
    let id = cx.word("probe_id")?;
    cx.block.probes.push((id, x));
    Ok(all(&[x]))
}

/// Tests a check on the results of its program.
///
/// # Errors
/// The check fails: the first element that differs, both values, and where the check stands.
pub fn check(check: &Check, results: &[Literal]) -> Result<(), String> {
    let missing = || "the program did not return what the check compares".to_owned();
    let actual = results.get(check.actual).ok_or_else(missing)?;
    let expected = match &check.expected {
        Expected::Result(index) => results.get(*index).ok_or_else(missing)?,
        Expected::Literal(literal) => literal,
    };
    let splat = matches!(check.expected, Expected::Literal(_)) && expected.ty().rank() == 0;
    let same_type = if splat { actual.dtype() == expected.dtype() } else { actual.ty() == expected.ty() };
    if !same_type {
        return Err(format!("the result is {}, {} was expected", actual.ty(), expected.ty()));
    }
    let parts = if actual.dtype().is_complex() { 2 } else { 1 };
    let (a, e) = (numbers(actual)?, numbers(expected)?);
    for at in 0..a.len() {
        let pair = Pair { actual: &a, at, expected: &e, against: if splat { at % parts } else { at } };
        let good = match check.kind {
            CheckKind::Eq => pair.same(),
            CheckKind::AlmostEq { tolerance } => {
                let (x, y) = pair.floats();
                pair.same() || x.is_finite() && y.is_finite() && (x - y).abs() <= tolerance
            }
            CheckKind::Close { min_ulp, max_ulp } => (min_ulp..=max_ulp).contains(&pair.steps()),
        };
        if !good {
            return Err(pair.message(check.kind, actual.ty(), at / parts));
        }
    }
    Ok(())
}

/// The elements as real numbers: a complex element is two.
fn numbers(literal: &Literal) -> Result<Literal, String> {
    let dtype = literal.dtype();
    if !dtype.is_complex() {
        return Ok(literal.clone());
    }
    let ty = Type::tensor(dtype.real(), [2 * literal.len()]);
    Literal::from_bytes(ty, literal.bytes()).map_err(|e| e.message().to_owned())
}

/// An element and the element it is compared to.
struct Pair<'a> {
    actual: &'a Literal,
    at: usize,
    expected: &'a Literal,
    against: usize,
}

impl Pair<'_> {
    fn floats(&self) -> (f64, f64) {
        (self.actual.get_f64(self.at), self.expected.get_f64(self.against))
    }

    fn integers(&self) -> (i128, i128) {
        (self.actual.get_i128(self.at), self.expected.get_i128(self.against))
    }

    fn same(&self) -> bool {
        if !self.actual.dtype().is_float() {
            let (x, y) = self.integers();
            return x == y;
        }
        let (x, y) = self.floats();
        x == y || x.is_nan() && y.is_nan()
    }

    /// The distance in floats: 0 between equals and NaNs, otherwise `u64::MAX` if either is not finite.
    fn steps(&self) -> u64 {
        let dtype = self.actual.dtype();
        if !dtype.is_float() {
            let (x, y) = self.integers();
            return x.abs_diff(y).try_into().unwrap_or(u64::MAX);
        }
        let (x, y) = self.floats();
        if x.is_nan() && y.is_nan() || x == y && x != 0.0 {
            return 0;
        }
        if !x.is_finite() || !y.is_finite() {
            return u64::MAX;
        }
        let size = dtype.size();
        let magnitude = |literal: &Literal, at: usize| {
            let mut bytes = [0; 8];
            bytes[..size].copy_from_slice(&literal.bytes()[at * size..(at + 1) * size]);
            let sign = if dtype == DType::F8E8M0FNU { 0 } else { 1 };
            u64::from_le_bytes(bytes) & (u64::MAX >> (64 - dtype.bits() + sign))
        };
        let (p, q) = (magnitude(self.actual, self.at), magnitude(self.expected, self.against));
        if x.is_sign_negative() == y.is_sign_negative() { p.abs_diff(q) } else { p.saturating_add(q) }
    }

    /// The message for the element `element` of a tensor of type `ty`.
    fn message(&self, kind: CheckKind, ty: Type, element: usize) -> String {
        let mut index = Vec::new();
        let mut rest = element;
        for n in ty.dims().iter().rev().map(|&extent| extent.max(1)) {
            index.push((rest % n).to_string());
            rest /= n;
        }
        index.reverse();
        let (x, y) = match self.actual.dtype().is_float() {
            true => (format!("{:e}", self.floats().0), format!("{:e}", self.floats().1)),
            false => (self.integers().0.to_string(), self.integers().1.to_string()),
        };
        let how = match kind {
            CheckKind::Eq => String::new(),
            CheckKind::AlmostEq { tolerance } => format!(" (they may differ by {tolerance})"),
            CheckKind::Close { max_ulp, .. } => {
                format!(" ({} steps apart, at most {max_ulp} are allowed)", self.steps())
            }
        };
        format!("element [{}] of {ty} is {x}, {y} was expected{how}", index.join(", "))
    }
}

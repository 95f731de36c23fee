//! The shardings of results that a module leaves open.
//!
//! Every value is whole where it is computed, so any sharding is right: callers expect one that follows from those that are
//! stated. It goes from operands to results through ops that keep axes, and no way back.

use std::collections::HashMap;

use jarrah_hlo::sharding::{DimSharding, TensorSharding, per_value};
use jarrah_hlo_format::ir::{Attr, IrModule, IrOp, Region, ValueId};

/// Ops that give each element of a result from the elements at the same place of operands.
const ELEMENTWISE: &[&str] = &[
    "abs",
    "add",
    "and",
    "cbrt",
    "ceil",
    "clamp",
    "compare",
    "convert",
    "cosine",
    "divide",
    "exponential",
    "exponential_minus_one",
    "floor",
    "imag",
    "is_finite",
    "log",
    "log_plus_one",
    "logistic",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "optimization_barrier",
    "or",
    "popcnt",
    "power",
    "real",
    "remainder",
    "round_nearest_even",
    "rsqrt",
    "select",
    "sign",
    "sine",
    "sqrt",
    "subtract",
    "tan",
    "tanh",
    "xor",
];
/// The custom call by which a program asks how its operand is cut.
pub const QUESTION: &str = "jarrah_inspect_sharding";
/// How deep functions may call each other.
const MAX_DEPTH: usize = 32;

/// Whether an op asks how its operand is cut.
pub fn is_question(op: &IrOp) -> bool {
    op.name() == "stablehlo.custom_call" && op.text("call_target_name") == Some(QUESTION)
}

/// The shardings of a module's values, as far as they are known.
pub struct Known<'m> {
    module: &'m IrModule,
    by_value: HashMap<ValueId, TensorSharding>,
    /// The calls that ask how their operand is cut, with the answers.
    asked: Vec<(&'m IrOp, Cut)>,
    /// Whether the walk is in a manual computation.
    manual: bool,
}

/// How a value is cut over the devices.
pub enum Cut {
    /// The value belongs to a manual computation: it is the part of each device.
    Manual,
    /// The sharding that follows from those that the module states, if one does.
    Sharding(Option<TensorSharding>),
}

impl<'m> Known<'m> {
    /// The shardings that follow for the results of a function whose arguments have these.
    pub fn results(
        module: &'m IrModule,
        function: &'m IrOp,
        arguments: &[Option<TensorSharding>],
    ) -> Vec<Option<TensorSharding>> {
        Known::new(module).function(function, arguments, 0)
    }

    /// The calls in a function, and in those that it calls, that ask how their operand is cut.
    pub fn asked(
        module: &'m IrModule,
        function: &'m IrOp,
        arguments: &[Option<TensorSharding>],
    ) -> Vec<(&'m IrOp, Cut)> {
        let mut known = Known::new(module);
        known.function(function, arguments, 0);
        known.asked
    }

    fn new(module: &'m IrModule) -> Known<'m> {
        Known { module, by_value: HashMap::new(), asked: Vec::new(), manual: false }
    }

    fn function(
        &mut self,
        function: &'m IrOp,
        arguments: &[Option<TensorSharding>],
        depth: usize,
    ) -> Vec<Option<TensorSharding>> {
        let Some(body) = function.regions.first().filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        for (&value, sharding) in body.args.iter().zip(arguments) {
            self.note(value, sharding.clone());
        }
        self.ops(body, depth);
        let returned = body.ops.last().map_or(&[][..], |last| &last.operands);
        returned.iter().map(|value| self.by_value.get(value).cloned()).collect()
    }

    fn ops(&mut self, body: &'m Region, depth: usize) {
        for op in &body.ops {
            let known = self.op(op, depth);
            for (&value, sharding) in op.results.iter().zip(known) {
                self.note(value, sharding);
            }
        }
    }

    /// Notes a sharding, or that there is none: a function that is called again has other ones.
    fn note(&mut self, value: ValueId, sharding: Option<TensorSharding>) {
        match sharding {
            Some(sharding) => self.by_value.insert(value, sharding),
            None => self.by_value.remove(&value),
        };
    }

    fn rank(&self, value: ValueId) -> Option<usize> {
        self.module.ty(value).tensor().and_then(|ty| Some(ty.dims.as_ref()?.len()))
    }

    /// The shardings of an op's results.
    fn op(&mut self, op: &'m IrOp, depth: usize) -> Vec<Option<TensorSharding>> {
        let name = op.name();
        if is_question(op) {
            let sharding = || op.operands.first().and_then(|value| self.by_value.get(value).cloned());
            let cut = if self.manual { Cut::Manual } else { Cut::Sharding(sharding()) };
            self.asked.push((op, cut));
        }
        let outside = self.manual;
        self.manual |= name == "sdy.manual_computation";
        op.regions.iter().for_each(|body| self.ops(body, depth));
        self.manual = outside;
        match name {
            "func.call" => {
                let callee = match op.attr("callee") {
                    Some(Attr::Symbol(path)) => path.last(),
                    _ => None,
                };
                let module = self.module;
                let mut functions = module.ops().iter().filter(|op| op.name() == "func.func");
                let function = functions.find(|op| op.text("sym_name") == callee.map(|name| &**name));
                let given: Vec<_> =
                    op.operands.iter().map(|value| self.by_value.get(value).cloned()).collect();
                function.map_or(Vec::new(), |function| self.function(function, &given, depth + 1))
            }
            "sdy.manual_computation" => match op.attr("out_shardings") {
                Some(Attr::Opaque(text)) => {
                    per_value(text).unwrap_or_default().into_iter().map(Some).collect()
                }
                _ => Vec::new(),
            },
            "sdy.sharding_constraint" => match op.attr("sharding") {
                Some(Attr::Opaque(text)) => vec![text.parse().ok()],
                _ => Vec::new(),
            },
            "stablehlo.transpose" => vec![self.moved(op, "permutation", |sharding, axes| {
                axes.iter().map(|&axis| sharding.dims.get(axis).cloned()).collect()
            })],
            "stablehlo.broadcast_in_dim" => {
                let rank = op.results.first().and_then(|&value| self.rank(value)).unwrap_or(0);
                vec![self.broadcast(op, rank)]
            }
            _ => vec![self.elementwise(op, name)],
        }
    }

    /// The sharding of the operand, its axes moved as an attribute says.
    fn moved(
        &self,
        op: &IrOp,
        attribute: &str,
        dims: impl FnOnce(&TensorSharding, &[usize]) -> Option<Vec<DimSharding>>,
    ) -> Option<TensorSharding> {
        let sharding = self.by_value.get(op.operands.first()?)?;
        let axes = op.attr(attribute)?.integers()?;
        let axes: Vec<usize> =
            axes.into_iter().map(|axis| usize::try_from(axis).ok()).collect::<Option<_>>()?;
        Some(TensorSharding { dims: dims(sharding, &axes)?, ..sharding.clone() })
    }

    /// Axes that the operand has keep their sharding if they keep their extent; the others are whole.
    fn broadcast(&self, op: &IrOp, rank: usize) -> Option<TensorSharding> {
        let extents = |value: ValueId| self.module.ty(value).tensor()?.dims.clone();
        let (from, to) = (extents(*op.operands.first()?)?, extents(*op.results.first()?)?);
        self.moved(op, "broadcast_dimensions", |sharding, axes| {
            let mut dims = vec![DimSharding::default(); rank];
            for (at, &axis) in axes.iter().enumerate() {
                if from.get(at)? == to.get(axis)? {
                    dims[axis] = sharding.dims.get(at)?.clone();
                }
            }
            Some(dims)
        })
    }

    /// The sharding of the first operand that has one, of those with the result's axes.
    fn elementwise(&self, op: &IrOp, name: &str) -> Option<TensorSharding> {
        let kept = name.strip_prefix("stablehlo.").is_some_and(|name| ELEMENTWISE.contains(&name));
        let constraint = op.text("call_target_name") == Some("LayoutConstraint");
        if !kept && !constraint {
            return None;
        }
        let rank = self.rank(*op.results.first()?)?;
        let known = op.operands.iter().filter(|&&value| self.rank(value) == Some(rank));
        let mut known = known.filter_map(|value| self.by_value.get(value));
        known.find(|sharding| sharding.dims.len() == rank && !sharding.is_replicated()).cloned()
    }
}

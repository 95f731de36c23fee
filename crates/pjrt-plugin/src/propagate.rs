//! The shardings of results that a module leaves open.
//!
//! Every value is whole where it is computed, so any sharding is right: callers expect one that follows from those that are
//! stated. It goes from operands to results through ops that keep axes, and no way back.

use std::collections::HashMap;

use jarrah_hlo::sharding::{DimSharding, TensorSharding, per_value};
use jarrah_hlo_format::ir::{Attr, IrModule, IrOp, ValueId};

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
/// How deep functions may call each other.
const MAX_DEPTH: usize = 32;

/// The shardings of a module's values, as far as they are known.
pub struct Known<'m> {
    module: &'m IrModule,
    by_value: HashMap<ValueId, TensorSharding>,
}

impl<'m> Known<'m> {
    /// The shardings that follow for the results of a function whose arguments have these.
    pub fn results(
        module: &'m IrModule,
        function: &IrOp,
        arguments: &[Option<TensorSharding>],
    ) -> Vec<Option<TensorSharding>> {
        Known { module, by_value: HashMap::new() }.function(function, arguments, 0)
    }

    fn function(
        &mut self,
        function: &IrOp,
        arguments: &[Option<TensorSharding>],
        depth: usize,
    ) -> Vec<Option<TensorSharding>> {
        let Some(body) = function.regions.first().filter(|_| depth < MAX_DEPTH) else { return Vec::new() };
        for (&value, sharding) in body.args.iter().zip(arguments) {
            self.note(value, sharding.clone());
        }
        for op in &body.ops {
            let known = self.op(op, depth);
            for (&value, sharding) in op.results.iter().zip(known) {
                self.note(value, sharding);
            }
        }
        let returned = body.ops.last().map_or(&[][..], |last| &last.operands);
        returned.iter().map(|value| self.by_value.get(value).cloned()).collect()
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
    fn op(&mut self, op: &IrOp, depth: usize) -> Vec<Option<TensorSharding>> {
        let name = op.name();
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

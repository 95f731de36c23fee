use jarrah_base::{Literal, Result, Type};
use jarrah_hlo::{Builder, Op as Operation, Results, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Importer;
use crate::ast::{Attribute, Dense, Op, Signature, Use};

/// A program under construction, and the names of its values.
pub(super) struct Block<'a, 't> {
    pub b: Builder,
    pub names: FxHashMap<Use<'t>, Bound<'a, 't>>,
    /// How deep the programs inside it nest.
    pub height: usize,
    /// Values that the form of an op here made needless, such as the initial value of a sum.
    pub absorbed: Vec<Value>,
}

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Bound<'a, 't> {
    Value(Value),
    /// The result of an op that printing added: it exists only if something needs it.
    Implied(&'a Op<'t>),
    /// A result that nothing uses and that was not made.
    Unused,
}

/// The results of an op; `None` for one that nothing uses.
pub(super) type Outcome = SmallVec<[Option<Value>; 2]>;

impl<'a, 't> Block<'a, 't> {
    pub fn new(name: &str) -> Self {
        Block { b: Builder::new(name), names: FxHashMap::default(), height: 0, absorbed: Vec::new() }
    }
}

impl<'a, 't> Importer<'a, 't> {
    pub(super) fn value(&mut self, block: &mut Block<'a, 't>, op: &Op<'t>, used: Use<'t>) -> Result<Value> {
        match block.names.get(&used) {
            Some(&Bound::Value(value)) => Ok(value),
            Some(&Bound::Implied(definition)) => {
                let before = block.b.source();
                let results = self.apply(block, definition)?;
                block.b.set_source(before);
                let value = results.first().copied().flatten();
                let value = value.ok_or_else(|| self.fail(definition, "has no result"))?;
                block.names.insert(used, Bound::Value(value));
                Ok(value)
            }
            Some(Bound::Unused) | None => {
                let number = if used.index > 0 { format!("#{}", used.index) } else { String::new() };
                Err(self.fail(op, format!("the value %{}{number} is not defined here", used.name)))
            }
        }
    }

    /// The values of all operands.
    pub(super) fn operands(
        &mut self,
        block: &mut Block<'a, 't>,
        op: &Op<'t>,
    ) -> Result<SmallVec<[Value; 4]>> {
        op.operands.iter().map(|&u| self.value(block, op, u)).collect()
    }

    /// The values of exactly `N` operands.
    pub(super) fn some_operands<const N: usize>(
        &mut self,
        block: &mut Block<'a, 't>,
        op: &Op<'t>,
    ) -> Result<[Value; N]> {
        let operands = self.operands(block, op)?;
        <[Value; N]>::try_from(&operands[..])
            .map_err(|_| self.fail(op, format!("takes {N} operands, {} are given", operands.len())))
    }

    /// The constant that a name stands for.
    pub(super) fn constant_of(&self, block: &Block<'a, 't>, used: Use<'t>) -> Option<Literal> {
        match block.names.get(&used)? {
            Bound::Value(value) => match &block.b.definition(*value)?.op {
                Operation::Constant(constant) => Some(constant.value.clone()),
                _ => None,
            },
            Bound::Implied(op) => match op.attribute("value")? {
                Attribute::Dense(dense) => match &**dense {
                    Dense::Literal(literal) => Some(literal.clone()),
                    Dense::Splat(..) => None,
                },
                _ => None,
            },
            Bound::Unused => None,
        }
    }

    /// Notes that an operand is not needed after all.
    pub(super) fn absorb(&self, block: &mut Block<'a, 't>, used: Use<'t>) {
        if let Some(&Bound::Value(value)) = block.names.get(&used) {
            block.absorbed.push(value);
        }
    }

    /// Appends an instruction.
    pub(super) fn push(
        &self,
        block: &mut Block<'a, 't>,
        op: &Op<'t>,
        operation: impl Into<Operation>,
        operands: &[Value],
    ) -> Result<Results> {
        block.b.push(operation, operands).map_err(|e| self.refused(op, &e))
    }

    /// Appends an instruction with one result.
    pub(super) fn one(
        &self,
        block: &mut Block<'a, 't>,
        op: &Op<'t>,
        operation: impl Into<Operation>,
        operands: &[Value],
    ) -> Result<Value> {
        block.b.one(operation, operands).map_err(|e| self.refused(op, &e))
    }

    /// The type that the text gives the only result.
    pub(super) fn result_type(&self, op: &Op<'t>) -> Result<Type> {
        let types = match &op.signature {
            Signature::None => &[][..],
            Signature::List(types) => types,
            Signature::Function(_, types) => types,
        };
        types.last().copied().ok_or_else(|| self.fail(op, "has no result type"))
    }

    /// Runs one op and binds its results.
    pub(super) fn op(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<()> {
        if op.attribute("jarrah.implied").is_some()
            && op.operands.is_empty()
            && let [(name, 1)] = op.results[..]
        {
            let used = Use { name, index: 0 };
            if block.names.insert(used, Bound::Implied(op)).is_some() {
                return Err(self.fail(op, format!("%{name} is defined twice")));
            }
            return Ok(());
        }
        let results = self.apply(block, op)?;
        let named: usize = op.results.iter().map(|&(_, count)| count as usize).sum();
        if named != results.len() && !op.results.is_empty() {
            return Err(self.fail(op, format!("has {} results, {named} are named", results.len())));
        }
        let names =
            op.results.iter().flat_map(|&(name, count)| (0..count).map(move |index| Use { name, index }));
        for (used, result) in names.zip(results) {
            let bound = result.map_or(Bound::Unused, Bound::Value);
            if block.names.insert(used, bound).is_some() {
                return Err(self.fail(op, format!("%{} is defined twice", used.name)));
            }
        }
        Ok(())
    }

    fn apply(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        let source = self.source(op);
        block.b.set_source(source);
        let results = self.dispatch(block, op)?;
        block.b.set_source(source);
        self.check_signature(block, op, &results)?;
        Ok(results)
    }

    fn check_signature(&self, block: &Block<'a, 't>, op: &Op<'t>, results: &Outcome) -> Result<()> {
        let stated = match &op.signature {
            Signature::None => return Ok(()),
            Signature::List(types) if results.len() == 1 => &types[types.len() - 1..],
            Signature::List(types) => types,
            Signature::Function(operands, results) => {
                if operands.len() != op.operands.len() {
                    let message = format!("{} operands with {} types", op.operands.len(), operands.len());
                    return Err(self.fail(op, message));
                }
                for (used, &stated) in op.operands.iter().zip(operands) {
                    let Some(&Bound::Value(value)) = block.names.get(used) else { continue };
                    let ty = block.b.ty(value);
                    if ty != stated {
                        return Err(self.fail(op, format!("%{} is {ty}, not {stated}", used.name)));
                    }
                }
                results
            }
        };
        if stated.len() != results.len() {
            return Err(self.fail(op, format!("has {} results, not {}", results.len(), stated.len())));
        }
        for (result, &stated) in results.iter().zip(stated) {
            let Some(value) = *result else { continue };
            let ty = block.b.ty(value);
            if ty != stated {
                return Err(self.fail(op, format!("the result is {ty}, not {stated}")));
            }
        }
        Ok(())
    }

    fn dispatch(&mut self, block: &mut Block<'a, 't>, op: &'a Op<'t>) -> Result<Outcome> {
        if let Some(kind) = crate::names::elementwise(op.name) {
            return self.elementwise(block, op, kind);
        }
        match op.name {
            "stablehlo.constant" => self.constant(block, op),
            "stablehlo.iota" => self.iota(block, op),
            "stablehlo.compare" => self.compare(block, op),
            "stablehlo.select" => self.select(block, op),
            "stablehlo.clamp" => self.clamp(block, op),
            "stablehlo.convert" => self.convert(block, op),
            "stablehlo.bitcast_convert" => self.bitcast_convert(block, op),
            "stablehlo.is_finite" => self.is_finite(block, op),
            "chlo.square" => self.square(block, op),
            "stablehlo.broadcast_in_dim" => self.broadcast_in_dim(block, op),
            "stablehlo.reshape" => self.reshape(block, op),
            "stablehlo.transpose" => self.transpose(block, op),
            "stablehlo.reverse" => self.reverse(block, op),
            "stablehlo.slice" => self.slice(block, op),
            "stablehlo.pad" => self.pad(block, op),
            "stablehlo.concatenate" => self.concatenate(block, op),
            "stablehlo.dynamic_slice" => self.dynamic_slice(block, op),
            "stablehlo.dynamic_update_slice" => self.dynamic_update_slice(block, op),
            "stablehlo.gather" => self.gather(block, op),
            "stablehlo.scatter" => self.scatter(block, op),
            "stablehlo.convolution" => self.convolution(block, op),
            "stablehlo.dot_general" => self.dot_general(block, op),
            "stablehlo.reduce" => self.reduce(block, op),
            "stablehlo.reduce_precision" => self.reduce_precision(block, op),
            "stablehlo.reduce_window" => self.reduce_window(block, op),
            "stablehlo.sort" => self.sort(block, op),
            "chlo.top_k" => self.top_k(block, op),
            "stablehlo.while" => self.while_loop(block, op),
            "stablehlo.case" => self.case(block, op),
            "stablehlo.if" => self.if_else(block, op),
            "call" | "func.call" => self.call(block, op, "callee"),
            "stablehlo.composite" => self.call(block, op, "decomposition"),
            "stablehlo.optimization_barrier" => self.optimization_barrier(block, op),
            "sdy.sharding_constraint" => self.annotation(block, op),
            _ => self.own(block, op),
        }
    }
}

/// All results, as those of an op of the text.
pub(super) fn all(results: &[Value]) -> Outcome {
    results.iter().map(|&v| Some(v)).collect()
}

use jarrah_base::{Error, ErrorKind, Literal, Result, work};
use jarrah_hlo::{Builder, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::channels::Sends;
use super::checks::Pending;
use super::cx::Cx;
use super::functions::Lower;
use super::types::LeafTypes;
use super::{dispatch, types};
use crate::ir::{IrOp, ValueId};

/// The program values of a module value: the flattened elements of a tuple, none for a token.
pub(super) type Leaves = SmallVec<[Value; 1]>;

/// The results of an op, tuples flattened; `None` for an unused result that was not built.
pub(super) type Outcome = SmallVec<[Option<Value>; 2]>;

/// A program under construction.
pub(super) struct Block<'a> {
    pub b: Builder,
    pub bound: FxHashMap<ValueId, Bound<'a>>,
    /// Values that shapes may depend on and whose contents are known: arguments, and what was computed from them.
    pub known: FxHashMap<Value, Literal>,
    /// Whether shapes may depend on arguments; only then are the contents of arguments kept in `known`.
    pub shapes_vary: bool,
    /// How deep the sub-programs nest.
    pub height: usize,
    /// Values that are not needed if nothing else reads them, such as the initial value of a sum that became a
    /// `Reduce`, and the result of a collective in the shape that StableHLO has for it.
    pub absorbed: FxHashSet<Value>,
    pub sends: Sends<'a>,
    pub checks: Vec<Pending>,
    /// The probed values, by the name of the probe.
    pub probes: Vec<(&'a str, Value)>,
}

/// The values of the program that a value of the module stands for.
#[derive(Clone)]
pub(super) enum Bound<'a> {
    Values(Leaves),
    /// The result of an op that export added: it is built only if something reads it.
    Implied(&'a IrOp),
    /// An unused result that was not built.
    Unused,
}

impl Block<'_> {
    pub fn new(name: &str) -> Self {
        Block {
            b: Builder::new(name),
            bound: FxHashMap::default(),
            known: FxHashMap::default(),
            shapes_vary: false,
            height: 0,
            absorbed: FxHashSet::default(),
            sends: Sends::default(),
            checks: Vec::new(),
            probes: Vec::new(),
        }
    }
}

impl Block<'_> {
    /// The contents of `value`, if it is a constant or a parameter that stands for one.
    pub fn constant(&self, value: Value) -> Option<&Literal> {
        self.known.get(&value).or_else(|| self.b.constant_of(value))
    }
}

impl<'a> Lower<'a> {
    /// The program values of a module value.
    pub(super) fn leaves(&mut self, block: &mut Block<'a>, op: &IrOp, id: ValueId) -> Result<Leaves> {
        match block.bound.get(&id) {
            Some(Bound::Values(leaves)) => Ok(leaves.clone()),
            Some(&Bound::Implied(definition)) => {
                let before = block.b.source();
                let outcome = self.apply(block, definition)?;
                block.b.set_source(before);
                let leaves: Leaves = outcome.into_iter().flatten().collect();
                block.bound.insert(id, Bound::Values(leaves.clone()));
                Ok(leaves)
            }
            Some(Bound::Unused) | None => {
                Err(self.module.error(op, "an operand is not defined where it is used"))
            }
        }
    }

    /// Builds one op and binds its results.
    pub(super) fn op(&mut self, block: &mut Block<'a>, op: &'a IrOp) -> Result<()> {
        if op.attr("jarrah.implied").is_some()
            && op.operands.is_empty()
            && op.regions.is_empty()
            && let [result] = op.results[..]
        {
            block.bound.insert(result, Bound::Implied(op));
            return Ok(());
        }
        let outcome = self.apply(block, op)?;
        let mut outcome = outcome.into_iter();
        for &result in &op.results {
            let count = types::leaves(self.module, op, self.module.ty(result))?.len();
            let leaves: Option<Leaves> = outcome.by_ref().take(count).collect();
            block.bound.insert(result, leaves.map_or(Bound::Unused, Bound::Values));
        }
        Ok(())
    }

    /// Builds one op and checks its results against their stated types.
    fn apply(&mut self, block: &mut Block<'a>, op: &'a IrOp) -> Result<Outcome> {
        self.count(op)?;
        let source = self.source(op);
        block.b.set_source(source);
        let mut cx = Cx { lower: self, block, op, real: false };
        let outcome = dispatch::op(&mut cx).map_err(|e| self.refused(op, e))?;
        block.b.set_source(source);
        self.check_results(block, op, &outcome)?;
        Ok(outcome)
    }

    /// The stated types of an op's results, tuples flattened.
    pub(super) fn stated(&self, op: &IrOp) -> Result<LeafTypes<'a>> {
        let mut stated = LeafTypes::new();
        for &result in &op.results {
            work::step(1);
            stated.extend(types::leaves(self.module, op, self.module.ty(result))?);
        }
        Ok(stated)
    }

    fn check_results(&self, block: &Block<'a>, op: &IrOp, outcome: &Outcome) -> Result<()> {
        let stated = self.stated(op)?;
        if stated.len() != outcome.len() {
            let message = format!("has {} results, {} are stated", outcome.len(), stated.len());
            return Err(self.module.error(op, message));
        }
        for (i, (stated, value)) in stated.iter().zip(outcome).enumerate() {
            let Some(value) = *value else { continue };
            let ty = block.b.ty(value);
            if !stated.admits(ty) {
                let number = if outcome.len() > 1 { format!(" {i}") } else { String::new() };
                let stated = types::describe(stated.tensor());
                return Err(self.module.error(op, format!("the result{number} is {ty}, {stated} is stated")));
            }
        }
        Ok(())
    }

    /// An error from building a program, as an error of the module at `op`.
    pub(super) fn refused(&self, op: &IrOp, error: Error) -> Error {
        match error.kind() {
            ErrorKind::Input | ErrorKind::Memory => error,
            _ => self.module.error(op, error.message()),
        }
    }
}

/// `results` as an outcome: every result was built.
pub(super) fn all(results: &[Value]) -> Outcome {
    results.iter().map(|&v| Some(v)).collect()
}

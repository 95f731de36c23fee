use std::sync::Arc;

use jarrah_base::{Literal, Result, Type, work};
use jarrah_hlo::ops::Constant;
use jarrah_hlo::{Builder, Op, Program, ProgramRef, Value};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::block::{Block, Bound, Leaves};
use super::cx::Cx;
use super::functions::Lower;
use super::types;
use crate::MAX_DEPTH;
use crate::ir::{IrOp, Region, ValueId};

/// The values that regions capture, in the order of their programs' parameters.
pub(super) struct Captures {
    taken: Vec<Captured>,
    pub values: Vec<Value>,
}

struct Captured {
    id: ValueId,
    types: SmallVec<[Type; 1]>,
    /// The contents of the values, if known and if shapes may depend on them.
    known: SmallVec<[Option<Literal>; 1]>,
}

/// Whether an op ends a block.
pub(super) fn is_return(op: &IrOp) -> bool {
    matches!(op.name(), "func.return" | "stablehlo.return" | "chlo.return" | "sdy.return")
}

impl<'a> Lower<'a> {
    /// Builds the ops of a region; returns the op that ends it and that op's operands.
    pub(super) fn body(
        &mut self,
        block: &mut Block<'a>,
        op: &'a IrOp,
        region: &'a Region,
    ) -> Result<(&'a IrOp, Vec<Value>)> {
        if self.depth >= MAX_DEPTH {
            return Err(self.module.error(op, format!("regions and calls nest more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        let ops = &region.ops[usize::from(binding(region).is_some())..];
        let returns = ops.iter().position(is_return).unwrap_or(ops.len());
        for op in &ops[..returns] {
            self.op(block, op)?;
        }
        let last = match &ops[returns..] {
            [last] => last,
            [] => return Err(self.module.error(op, "the block does not end with a return")),
            [early, ..] => return Err(self.module.error(early, "is not the last op of its block")),
        };
        let mut results = Vec::new();
        for &operand in &last.operands {
            results.extend(self.leaves(block, last, operand)?);
        }
        self.depth -= 1;
        Ok((last, results))
    }
}

impl Captures {
    /// Appends the parameters of a region's program that stand for the captures, and binds them.
    pub fn enter(&self, block: &mut Block<'_>, region: &Region) {
        let mut params = Vec::new();
        for captured in &self.taken {
            let mut leaves = Leaves::new();
            for (&ty, known) in captured.types.iter().zip(&captured.known) {
                let value = block.b.param(ty, "");
                leaves.push(value);
                params.push(value);
                if let Some(known) = known {
                    block.known.insert(value, known.clone());
                }
            }
            block.bound.insert(captured.id, Bound::Values(leaves));
        }
        if let Some(binding) = binding(region) {
            for (&id, &value) in binding.results.iter().zip(&params) {
                block.bound.insert(id, Bound::Values(SmallVec::from_slice(&[value])));
            }
        }
    }
}

impl<'a> Cx<'_, 'a> {
    /// The values that the regions capture.
    pub fn captures(&mut self, regions: &[&'a Region]) -> Result<Captures> {
        let free = free(regions);
        let bindings: Vec<&IrOp> = regions.iter().filter_map(|r| binding(r)).collect();
        let ids = match &bindings[..] {
            [] => free,
            [first, others @ ..] => {
                let same = others.iter().all(|o| o.operands == first.operands);
                let named: FxHashSet<&ValueId> = first.operands.iter().collect();
                if !same || bindings.len() != regions.len() || free.iter().any(|u| !named.contains(u)) {
                    return Err(self.fail("the regions name different parameters"));
                }
                first.operands.to_vec()
            }
        };
        let mut captures = Captures { taken: Vec::new(), values: Vec::new() };
        for id in ids {
            let leaves = self.lower.leaves(self.block, self.op, id)?;
            captures.taken.push(Captured {
                id,
                types: leaves.iter().map(|&v| self.block.b.ty(v)).collect(),
                known: leaves.iter().map(|v| self.known_capture(*v)).collect(),
            });
            captures.values.extend(leaves);
        }
        Ok(captures)
    }

    /// The contents of a captured `value`, if shapes may depend on them or if it is a scalar constant: MLIR hoists the
    /// constants of regions to the function, past branches and loops, so that an inner region captures them.
    fn known_capture(&mut self, value: Value) -> Option<Literal> {
        let scalar = self.ty(value).rank() == 0;
        let constant = self.block.constant(value).filter(|_| scalar).cloned();
        constant.or_else(|| self.known_if_small(value))
    }

    /// The contents of `value`, if known and small, as the values are that shapes depend on.
    pub fn known_if_small(&mut self, value: Value) -> Option<Literal> {
        let ty = self.ty(value);
        let small = ty.dtype().is_integer() && ty.rank() <= 1 && ty.elements().is_ok_and(|n| n <= 64);
        if small && self.block.shapes_vary { self.block.known(value, &mut self.lower.work) } else { None }
    }

    /// The program of a region: it takes the captures, then the region's arguments, of these types, with the
    /// contents of some known.
    pub fn program(
        &mut self,
        name: &str,
        region: &'a Region,
        captures: &Captures,
        arguments: &[Type],
        known: &[Option<Literal>],
    ) -> Result<ProgramRef> {
        let mut block = Block::new(name);
        block.shapes_vary = self.block.shapes_vary;
        captures.enter(&mut block, region);
        self.region_program(block, region, arguments, known)
    }

    /// The program of a region whose captures are all known; they are copied into it as constants.
    pub fn closed(&mut self, region: &'a Region, arguments: Option<&[Type]>) -> Result<ProgramRef> {
        let (block, unknown) = self.with_constants(region)?;
        if let Some(&value) = unknown.iter().flat_map(|(_, leaves)| leaves).next() {
            let ty = self.ty(value);
            return Err(self.fail(format!(
                "the region uses a value of type {ty} from outside that is no constant, which only the regions of \
                 sorts, maps, branches and loops may"
            )));
        }
        let stated;
        let arguments = match arguments {
            Some(arguments) => arguments,
            None => {
                stated = self.argument_types(region)?;
                &stated
            }
        };
        self.region_program(block, region, arguments, &[])
    }

    /// The program of a region over scalars whose captures are scalars, too, and the captures that are no constants.
    /// The program takes each of these `copies` times, behind the region's arguments, and uses the first.
    pub fn scalar_program(
        &mut self,
        region: &'a Region,
        copies: usize,
    ) -> Result<(ProgramRef, SmallVec<[Value; 4]>)> {
        let (mut block, unknown) = self.with_constants(region)?;
        let arguments = self.argument_types(region)?;
        self.enter(&mut block, region, &arguments, &[])?;
        let mut captured = SmallVec::new();
        for (id, outer) in unknown {
            let mut inner = Leaves::new();
            for value in outer {
                let ty = self.ty(value);
                if ty.rank() > 0 {
                    return Err(self.fail(format!(
                        "the region uses a value of type {ty} from outside; it may use scalars and constants"
                    )));
                }
                inner.push(block.b.param(ty, ""));
                for _ in 1..copies {
                    block.b.param(ty, "");
                }
                captured.push(value);
            }
            block.bound.insert(id, Bound::Values(inner));
        }
        let (last, results) = self.lower.body(&mut block, self.op, region)?;
        Ok((self.leave(block, last, &results)?, captured))
    }

    /// A block that has the known captures of a region as constants, and the captures that are not known.
    fn with_constants(&mut self, region: &'a Region) -> Result<(Block<'a>, Vec<(ValueId, Leaves)>)> {
        let mut block = Block::new("region");
        let mut unknown = Vec::new();
        for id in free(&[region]) {
            let known = match self.constant_operand(id) {
                Some(literal) => vec![literal],
                None => {
                    let leaves = self.lower.leaves(self.block, self.op, id)?;
                    match leaves.iter().map(|&v| self.block.known(v, &mut self.lower.work)).collect() {
                        Some(known) => known,
                        None => {
                            unknown.push((id, leaves));
                            continue;
                        }
                    }
                }
            };
            let mut leaves = Leaves::new();
            for literal in known {
                leaves.push(block.b.one(Constant { value: literal }, &[])?);
            }
            block.bound.insert(id, Bound::Values(leaves));
        }
        Ok((block, unknown))
    }

    /// The stated types of a region's arguments, which must be complete.
    pub fn argument_types(&self, region: &Region) -> Result<Vec<Type>> {
        let mut all = Vec::new();
        for &arg in &region.args {
            for leaf in types::leaves(self.lower.module, self.op, self.lower.module.ty(arg))? {
                let ty = leaf.concrete();
                let text = || types::describe(leaf.tensor());
                all.push(ty.ok_or_else(|| self.fail(format!("an argument of the region is {}", text())))?);
            }
        }
        Ok(all)
    }

    fn region_program(
        &mut self,
        mut block: Block<'a>,
        region: &'a Region,
        arguments: &[Type],
        known: &[Option<Literal>],
    ) -> Result<ProgramRef> {
        self.enter(&mut block, region, arguments, known)?;
        let (last, results) = self.lower.body(&mut block, self.op, region)?;
        self.leave(block, last, &results)
    }

    /// Appends the parameters of a region's program that stand for its arguments, and binds them.
    pub fn enter(
        &mut self,
        block: &mut Block<'a>,
        region: &'a Region,
        arguments: &[Type],
        known: &[Option<Literal>],
    ) -> Result<()> {
        self.check_arguments(region, arguments)?;
        let mut params = Vec::new();
        for (i, &ty) in arguments.iter().enumerate() {
            let value = block.b.param(ty, "");
            if let Some(Some(known)) = known.get(i) {
                block.known.insert(value, known.clone());
            }
            params.push(value);
        }
        self.lower.bind(block, self.op, region, &params)
    }

    /// Checks that a region takes arguments of these types.
    pub fn check_arguments(&self, region: &Region, arguments: &[Type]) -> Result<()> {
        let mut stated = Vec::new();
        for &arg in &region.args {
            stated.extend(types::leaves(self.lower.module, self.op, self.lower.module.ty(arg))?);
        }
        if stated.len() != arguments.len() {
            let message = format!("a region takes {} values, not {}", stated.len(), arguments.len());
            return Err(self.fail(message));
        }
        for (i, (stated, &ty)) in stated.iter().zip(arguments).enumerate() {
            if !stated.admits(ty) {
                let text = types::describe(stated.tensor());
                return Err(self.fail(format!("argument {i} of a region is {text}, not {ty}")));
            }
        }
        Ok(())
    }

    /// Finishes the program of a region whose ops are built.
    pub fn leave(&mut self, block: Block<'a>, last: &IrOp, results: &[Value]) -> Result<ProgramRef> {
        block.sends.check_received(self.lower.module)?;
        let Block { b, height, absorbed, checks, .. } = block;
        if !checks.is_empty() {
            return Err(self.fail("a check inside a region is not supported"));
        }
        self.lower.check_height(height, self.op)?;
        let program = b.finish(results).map_err(|e| self.lower.refused(last, e))?;
        let program = without(program, &absorbed).map_err(|e| self.lower.refused(last, e))?;
        self.block.height = self.block.height.max(height + 1);
        Ok(Arc::new(program))
    }
}

/// The op that lists a region's captures, if the region's text does not determine them.
fn binding(region: &Region) -> Option<&IrOp> {
    let first = region.ops.first()?;
    (first.name() == "stablehlo.optimization_barrier" && first.attr("jarrah.parameters").is_some())
        .then_some(first)
}

/// The values that regions use but do not define, in the order of first use.
pub(super) fn free(regions: &[&Region]) -> Vec<ValueId> {
    let mut walk = Free { defined: FxHashSet::default(), seen: FxHashSet::default(), order: Vec::new() };
    regions.iter().for_each(|r| walk.region(r));
    walk.order
}

struct Free {
    defined: FxHashSet<ValueId>,
    seen: FxHashSet<ValueId>,
    order: Vec<ValueId>,
}

impl Free {
    fn region(&mut self, region: &Region) {
        self.defined.extend(&region.args);
        for op in &region.ops {
            for &used in &op.operands {
                work::step(1);
                if !self.defined.contains(&used) && self.seen.insert(used) {
                    self.order.push(used);
                }
            }
            op.regions.iter().for_each(|r| self.region(r));
            self.defined.extend(&op.results);
        }
    }
}

/// Marks every value that an op inside `op` uses.
pub(super) fn uses(op: &IrOp, used: &mut [bool]) {
    for inner in op.regions.iter().flat_map(|r| &r.ops) {
        for operand in &inner.operands {
            if let Some(used) = used.get_mut(operand.index()) {
                *used = true;
            }
        }
        uses(inner, used);
    }
}

/// The program without those `absorbed` values that nothing uses.
pub(super) fn without(program: Program, absorbed: &FxHashSet<Value>) -> Result<Program> {
    if absorbed.is_empty() {
        return Ok(program);
    }
    let uses = program.use_counts();
    let mut dead = vec![false; program.value_count()];
    for value in absorbed {
        dead[value.index()] = uses[value.index()] == 0;
    }
    let is_dead = |op: &Op, value: Option<Value>| {
        matches!(op, Op::Constant(_) | Op::Iota(_) | Op::Reshape(_) | Op::Convert(_))
            && value.is_some_and(|v| dead[v.index()])
    };
    let mut b = Builder::like(&program);
    let mut map: Vec<Option<Value>> = program.param_values().map(Some).collect();
    for instr in program.instrs() {
        if is_dead(&instr.op, instr.results().next()) {
            map.push(None);
            continue;
        }
        let operands: Option<Vec<Value>> = instr.operands.iter().map(|v| map[v.index()]).collect();
        let operands = operands.ok_or_else(|| jarrah_base::Error::internal("a used value was dropped"))?;
        map.extend(b.copy(&program, instr, &operands).into_iter().map(Some));
    }
    let results: Vec<Value> = program.results().iter().filter_map(|v| map[v.index()]).collect();
    b.finish(&results)
}

use std::sync::Arc;

use jarrah_base::{Literal, Result, Type};
use jarrah_hlo::ops::Constant;
use jarrah_hlo::{Builder, Op as Operation, Program, ProgramRef, Value};
use rustc_hash::FxHashSet;

use super::Importer;
use super::block::{Block, Bound};
use crate::ast::{Op, Region, Use};
use crate::names::is_return;

impl<'a, 't> Importer<'a, 't> {
    /// The program of a region, whose parameters are `captures` and then the region's own, and how deep it nests.
    pub(super) fn block(
        &mut self,
        name: &str,
        region: &'a Region<'t>,
        captures: &[(Use<'t>, Type)],
        constants: &[(Use<'t>, Literal)],
    ) -> Result<(Program, usize)> {
        let mut block = Block::new(name);
        let mut ops = &region.ops[..];
        let mut params = Vec::new();
        for &(used, ty) in captures {
            let value = block.b.param(ty, "");
            params.push(value);
            block.names.insert(used, Bound::Value(value));
        }
        for param in &region.params {
            let value = block.b.param(param.ty, &param.path);
            if block.names.insert(Use { name: param.name, index: 0 }, Bound::Value(value)).is_some() {
                return Err(self.text.error(region.at, format!("%{} is defined twice", param.name)));
            }
        }
        if let Some(binding) = binding(region) {
            let names =
                binding.results.iter().flat_map(|&(name, n)| (0..n).map(move |index| Use { name, index }));
            for (used, &value) in names.zip(&params) {
                block.names.insert(used, Bound::Value(value));
            }
            ops = &ops[1..];
        }
        for (used, literal) in constants {
            let made = block.b.one(Constant { value: literal.clone() }, &[]);
            let value = made.map_err(|e| self.text.error(region.at, e.message()))?;
            block.names.insert(*used, Bound::Value(value));
        }
        let returns = ops.iter().position(|op| is_return(op.name)).unwrap_or(ops.len());
        for op in &ops[..returns] {
            self.op(&mut block, op)?;
        }
        let last = match &ops[returns..] {
            [last] => last,
            [] => return Err(self.text.error(region.at, "the block does not end with a return")),
            [early, ..] => return Err(self.fail(early, "is not the last op of its block")),
        };
        let results = self.operands(&mut block, last)?;
        if let crate::ast::Signature::List(stated) | crate::ast::Signature::Function(stated, _) =
            &last.signature
            && *stated != block.b.types(&results)[..]
        {
            let message = format!("returns {:?}, not {stated:?}", block.b.types(&results));
            return Err(self.fail(last, message));
        }
        let Block { b, height, absorbed, .. } = block;
        self.check_height(height, region.at)?;
        let program = b.finish(&results).map_err(|e| self.refused(last, &e))?;
        let program = without(program, &absorbed).map_err(|e| self.refused(last, &e))?;
        Ok((program, height + 1))
    }

    /// The program of a region that takes `captures` and its own parameters.
    pub(super) fn region(
        &mut self,
        outer: &mut Block<'a, 't>,
        name: &str,
        region: &'a Region<'t>,
        captures: &[(Use<'t>, Type)],
    ) -> Result<ProgramRef> {
        let (program, height) = self.block(name, region, captures, &[])?;
        outer.height = outer.height.max(height);
        Ok(Arc::new(program))
    }

    /// The program of a region that may use nothing from outside but constants, which are copied into it.
    pub(super) fn closed(
        &mut self,
        outer: &mut Block<'a, 't>,
        op: &Op<'t>,
        region: &'a Region<'t>,
    ) -> Result<ProgramRef> {
        let mut constants = Vec::new();
        for used in free(&[region]) {
            match self.constant_of(outer, used) {
                Some(literal) => constants.push((used, literal)),
                None => {
                    let name = used.name;
                    return Err(
                        self.fail(op, format!("the region uses %{name}, which is no constant, from outside"))
                    );
                }
            }
        }
        let (program, height) = self.block("region", region, &[], &constants)?;
        outer.height = outer.height.max(height);
        Ok(Arc::new(program))
    }

    /// The only region of an op that has one.
    pub(super) fn only_region(&self, op: &'a Op<'t>) -> Result<&'a Region<'t>> {
        match &op.regions[..] {
            [region] => Ok(region),
            regions => Err(self.fail(op, format!("has one region, {} are given", regions.len()))),
        }
    }

    /// What the regions of `op` use from outside, in the order in which their programs take it.
    pub(super) fn captures(
        &mut self,
        block: &mut Block<'a, 't>,
        op: &'a Op<'t>,
        regions: &[&'a Region<'t>],
    ) -> Result<(Vec<(Use<'t>, Type)>, Vec<Value>)> {
        let free = free(regions);
        let bindings: Vec<&Op<'t>> = regions.iter().filter_map(|r| binding(r)).collect();
        let names = match &bindings[..] {
            [] => free,
            [first, others @ ..] => {
                let same = others.iter().all(|o| o.operands == first.operands);
                if !same
                    || bindings.len() != regions.len()
                    || free.iter().any(|u| !first.operands.contains(u))
                {
                    return Err(self.fail(op, "the regions name different parameters"));
                }
                first.operands.clone()
            }
        };
        let mut captures = Vec::new();
        let mut values = Vec::new();
        for used in names {
            let value = self.value(block, op, used)?;
            captures.push((used, block.b.ty(value)));
            values.push(value);
        }
        Ok((captures, values))
    }
}

/// The op that names a region's captures, where those do not follow from the region's text.
fn binding<'r, 't>(region: &'r Region<'t>) -> Option<&'r Op<'t>> {
    let first = region.ops.first()?;
    (first.name == "stablehlo.optimization_barrier" && first.attribute("jarrah.parameters").is_some())
        .then_some(first)
}

/// The values that regions use and do not define, in the order of their first use.
fn free<'t>(regions: &[&Region<'t>]) -> Vec<Use<'t>> {
    let mut walk = Free { defined: FxHashSet::default(), seen: FxHashSet::default(), order: Vec::new() };
    regions.iter().for_each(|r| walk.region(r));
    walk.order
}

struct Free<'t> {
    defined: FxHashSet<&'t str>,
    seen: FxHashSet<Use<'t>>,
    order: Vec<Use<'t>>,
}

impl<'t> Free<'t> {
    fn region(&mut self, region: &Region<'t>) {
        let params = region.params.iter().map(|p| p.name);
        let mut here: Vec<&'t str> = params.filter(|name| self.defined.insert(name)).collect();
        for op in &region.ops {
            for &used in &op.operands {
                if !self.defined.contains(used.name) && self.seen.insert(used) {
                    self.order.push(used);
                }
            }
            op.regions.iter().for_each(|r| self.region(r));
            here.extend(op.results.iter().map(|&(name, _)| name).filter(|name| self.defined.insert(name)));
        }
        for name in here {
            self.defined.remove(name);
        }
    }
}

/// The program without those of the `absorbed` values that nothing uses.
fn without(program: Program, absorbed: &[Value]) -> Result<Program> {
    if absorbed.is_empty() {
        return Ok(program);
    }
    let uses = program.use_counts();
    let mut dead = vec![false; program.value_count()];
    for value in absorbed {
        dead[value.index()] = uses[value.index()] == 0;
    }
    let is_dead = |op: &Operation, value: Option<Value>| {
        matches!(op, Operation::Constant(_) | Operation::Iota(_)) && value.is_some_and(|v| dead[v.index()])
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

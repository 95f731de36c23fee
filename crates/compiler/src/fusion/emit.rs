//! Writes the program of kernels and opaque steps.

use jarrah_base::{Error, Result, Type, work};
use jarrah_hlo::ops::KernelForm;
use jarrah_hlo::{Builder, Op, Operands, Program, Value};
use rustc_hash::FxHashMap;

use super::body::{Built, build};
use super::group::{Grouping, Step};
use crate::rebuild::{Memo, has_steps};

pub fn emit(
    grouping: &Grouping<'_>,
    memo: &mut Memo,
    nested: &dyn Fn(&Program, &mut Memo) -> Result<Program>,
) -> Result<Program> {
    let program = grouping.graph.program;
    let mut order: Vec<usize> = (0..grouping.units.len()).filter(|&u| grouping.is_live(u)).collect();
    order.sort_by_key(|&u| grouping.units[u].position);

    // Backwards, since a unit stores the values that later units read.
    let mut needed = vec![false; program.value_count()];
    for &result in program.results() {
        need(grouping, &mut needed, result);
    }
    let mut kernels: Vec<Option<Built>> = Vec::new();
    kernels.resize_with(grouping.units.len(), || None);
    for &unit in order.iter().rev() {
        match &grouping.units[unit].step {
            Step::Opaque(index) => {
                for &operand in &program.instrs()[*index].operands {
                    need(grouping, &mut needed, operand);
                }
            }
            Step::Group(group) => {
                let mut outputs = Vec::new();
                for &(node, _) in &group.nodes {
                    let results = grouping.graph.instr(grouping.graph.node(node)).results();
                    outputs.extend(results.filter(|v| needed[v.index()]));
                }
                if outputs.is_empty() {
                    continue;
                }
                if let Some(index) = grouping.lone_place(group) {
                    for &operand in &program.instrs()[index].operands {
                        need(grouping, &mut needed, operand);
                    }
                    continue;
                }
                let built = build(grouping, unit, group, outputs)?;
                for (value, _) in &built.inputs {
                    need(grouping, &mut needed, *value);
                }
                kernels[unit] = Some(built);
            }
        }
    }

    let mut writer = Writer {
        grouping,
        b: Builder::like(program),
        map: vec![None; program.value_count()],
        roots: FxHashMap::default(),
        reshapes: FxHashMap::default(),
    };
    for param in program.param_values() {
        writer.map[param.index()] = Some(param);
    }
    for unit in order {
        match &grouping.units[unit].step {
            Step::Opaque(index) => writer.opaque(*index, memo, nested)?,
            Step::Group(group) => match (kernels[unit].take(), grouping.lone_place(group)) {
                (Some(built), _) => writer.kernel(built)?,
                (None, Some(index)) if needed[program.instrs()[index].result().index()] => {
                    writer.opaque(index, memo, nested)?;
                }
                (None, _) => {}
            },
        }
    }
    let mut results = Vec::new();
    for &result in program.results() {
        results.push(writer.get(result)?);
    }
    writer.b.finish(&results)
}

/// Marks the values that have to be stored so that `value` can be read.
fn need(grouping: &Grouping<'_>, needed: &mut [bool], mut value: Value) {
    let graph = &grouping.graph;
    while !std::mem::replace(&mut needed[value.index()], true) {
        work::step(1);
        let Some(index) = graph.definitions[value.index()] else { return };
        let instr = &graph.program.instrs()[index];
        if !matches!(instr.op, Op::Reshape(_) | Op::TransposeAxes(_)) {
            return;
        }
        value = instr.operands[0];
    }
}

struct Writer<'g, 'a> {
    grouping: &'g Grouping<'a>,
    b: Builder,
    map: Vec<Option<Value>>,
    /// The value that each reshape reshapes.
    roots: FxHashMap<Value, Value>,
    /// The reshape of a value to a type.
    reshapes: FxHashMap<(Value, Type), Value>,
}

impl Writer<'_, '_> {
    /// `value` in the new program; reshapes, transposes and scalars are written at their first read.
    fn get(&mut self, value: Value) -> Result<Value> {
        let dims = self.grouping.graph.program.ty(value).dims();
        let known = self.raw(value)?;
        self.reshaped(known, &dims)
    }

    /// `value` in the new program, possibly with other extents.
    fn raw(&mut self, value: Value) -> Result<Value> {
        let graph = &self.grouping.graph;
        let program = graph.program;
        // Reshapes and transposes that were not written yet, the last one first.
        let mut open = Vec::new();
        let mut value = value;
        let mut new = loop {
            work::step(1);
            if let Some(known) = self.map[value.index()] {
                break known;
            }
            let index = graph.definitions[value.index()];
            let index = index.ok_or_else(|| Error::internal("a parameter that is not there"))?;
            let instr = &program.instrs()[index];
            match &instr.op {
                Op::Reshape(_) | Op::TransposeAxes(_) => {
                    open.push(instr);
                    value = instr.operands[0];
                }
                Op::Constant(_) => {
                    self.b.set_source(instr.source);
                    let new = self.b.copy(program, instr, &[])[0];
                    self.map[value.index()] = Some(new);
                    break new;
                }
                op => return Err(Error::internal("is read before it is computed").op(op.name())),
            }
        };
        for instr in open.into_iter().rev() {
            if !matches!(instr.op, Op::Reshape(_)) {
                let operand = self.reshaped(new, &program.ty(instr.operands[0]).dims())?;
                self.b.set_source(instr.source);
                new = self.b.copy(program, instr, &[operand])[0];
            }
            self.map[instr.result().index()] = Some(new);
        }
        Ok(new)
    }

    /// `value` with other extents: a reshape of its root, written once.
    fn reshaped(&mut self, value: Value, dims: &[usize]) -> Result<Value> {
        let root = self.roots.get(&value).copied().unwrap_or(value);
        let ty = self.b.ty(root).with_dims(dims.iter().copied());
        if ty == self.b.ty(root) {
            return Ok(root);
        }
        if let Some(&known) = self.reshapes.get(&(root, ty)) {
            return Ok(known);
        }
        let new = self.b.reshape(root, dims)?;
        self.roots.insert(new, root);
        self.reshapes.insert((root, ty), new);
        Ok(new)
    }

    fn opaque(
        &mut self,
        index: usize,
        memo: &mut Memo,
        nested: &dyn Fn(&Program, &mut Memo) -> Result<Program>,
    ) -> Result<()> {
        let program = self.grouping.graph.program;
        let instr = &program.instrs()[index];
        let mut operands = Operands::new();
        for &operand in &instr.operands {
            operands.push(self.get(operand)?);
        }
        self.b.set_source(instr.source);
        let as_loop = match &instr.op {
            Op::Kernel(kernel) if has_steps(&instr.op) => {
                let taken = self.grouping.graph.target.takes(kernel, &self.b.types(&operands));
                taken.then(|| kernel.as_loop().into())
            }
            _ => None,
        };
        let inside = match as_loop {
            None if has_steps(&instr.op) => memo.apply_inside(&instr.op, nested)?,
            as_loop => as_loop,
        };
        let results = match (&instr.op, inside) {
            // No later pass merges or moves instructions: the barrier can go.
            (Op::OptimizationBarrier(_), _) => operands.iter().copied().collect(),
            (_, Some(op)) => self.b.push(op, &operands)?,
            (_, None) => self.b.copy(program, instr, &operands),
        };
        for (old, new) in instr.results().zip(results) {
            self.map[old.index()] = Some(new);
        }
        Ok(())
    }

    fn kernel(&mut self, built: Built) -> Result<()> {
        let program = self.grouping.graph.program;
        let mut operands = Operands::new();
        for (value, dims) in &built.inputs {
            let value = self.raw(*value)?;
            operands.push(self.reshaped(value, dims)?);
        }
        if let Some(index) = built.outputs.first().and_then(|v| self.grouping.graph.definitions[v.index()]) {
            self.b.set_source(program.instrs()[index].source);
        }
        let mut kernel = built.kernel;
        if !self.grouping.graph.target.takes(&kernel, &self.b.types(&operands)) {
            // The points run the ops of the body, whose bits are those of loops.
            kernel.form = KernelForm::Steps;
        }
        let results = self.b.push(kernel, &operands)?;
        for (old, new) in built.outputs.into_iter().zip(results) {
            self.map[old.index()] = Some(new);
        }
        Ok(())
    }
}

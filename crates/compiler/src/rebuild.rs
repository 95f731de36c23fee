//! The loop over instructions that every pass shares.

use std::sync::Arc;

use jarrah_base::{Result, work};
use jarrah_hlo::ops::KernelForm;
use jarrah_hlo::{Builder, Instr, Op, Operands, Program, ProgramRef, Results, Value};
use rustc_hash::FxHashMap;

/// The program that `emit` makes of each instruction of `program` in turn.
///
/// `emit` gets the operands as values of the builder and returns as many results as the instruction has.
pub fn rebuild(
    program: &Program,
    mut emit: impl FnMut(&mut Builder, &Instr, &[Value]) -> Result<Results>,
) -> Result<Program> {
    let mut b = Builder::like(program);
    let mut map: Vec<Value> = program.param_values().collect();
    map.reserve(program.value_count() - map.len());
    let mut operands = Operands::new();
    for instr in program.instrs() {
        work::step(1 + instr.operands.len());
        operands.clear();
        operands.extend(instr.operands.iter().map(|v| map[v.index()]));
        b.set_source(instr.source);
        let results = emit(&mut b, instr, &operands)?;
        debug_assert_eq!(results.len(), instr.results().len());
        map.extend(results);
    }
    let results: Vec<Value> = program.results().iter().map(|v| map[v.index()]).collect();
    b.finish(&results)
}

/// The sub-programs that a pass has transformed, so that identical ones are transformed once.
#[derive(Default)]
pub struct Memo {
    by_address: FxHashMap<*const Program, (ProgramRef, ProgramRef)>,
    by_structure: FxHashMap<ProgramRef, ProgramRef>,
}

impl Memo {
    /// `pass` applied to a sub-program.
    pub fn apply(
        &mut self,
        program: &ProgramRef,
        pass: impl FnOnce(&Program, &mut Memo) -> Result<Program>,
    ) -> Result<ProgramRef> {
        let address = Arc::as_ptr(program);
        if let Some((_, done)) = self.by_address.get(&address) {
            return Ok(done.clone());
        }
        if let Some(done) = self.by_structure.get(program) {
            return Ok(done.clone());
        }
        let done = ProgramRef::new(pass(program, self)?);
        // The entry keeps the program alive, so that its address is not reused.
        self.by_address.insert(address, (program.clone(), done.clone()));
        self.by_structure.insert(program.clone(), done.clone());
        Ok(done)
    }

    /// `op` with `pass` applied to its sub-programs; `None` if it has none, or is a kernel that passes made.
    pub fn apply_inside(
        &mut self,
        op: &Op,
        mut pass: impl FnMut(&Program, &mut Memo) -> Result<Program>,
    ) -> Result<Option<Op>> {
        let programs = op.programs();
        if programs.is_empty() || is_fused(op) {
            return Ok(None);
        }
        let mut done = Vec::with_capacity(programs.len());
        for program in programs {
            done.push(self.apply(program, &mut pass)?);
        }
        Ok(Some(op.with_programs(&done)))
    }
}

/// Whether a loop, a branch or a kernel runs the programs of `op`, as steps like those of the whole program.
pub fn has_steps(op: &Op) -> bool {
    match op {
        Op::While(_) | Op::Case(_) | Op::Scan(_) => true,
        Op::Kernel(kernel) => kernel.form == KernelForm::Steps,
        _ => false,
    }
}

/// Whether `op` is a kernel whose body is no list of steps.
pub fn is_fused(op: &Op) -> bool {
    matches!(op, Op::Kernel(kernel) if kernel.form != KernelForm::Steps)
}

/// Whether an assignment says where values of the programs of `op` lie.
pub fn has_memory(op: &Op) -> bool {
    has_steps(op) || matches!(op, Op::Kernel(kernel) if kernel.form == KernelForm::Contract)
}

/// Whether each thread that runs points of `op`, a kernel, has memory of its own for them.
pub fn has_points(op: &Op) -> bool {
    matches!(op, Op::Kernel(kernel) if kernel.form == KernelForm::Steps)
}

/// Whether `op` is a kernel that runs as one loop.
pub fn is_loop(op: &Op) -> bool {
    matches!(op, Op::Kernel(kernel) if kernel.form == KernelForm::Loop)
}

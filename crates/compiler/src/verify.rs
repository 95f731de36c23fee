//! Whether a compiled program is one that its target runs: the contract between compiler and device.

use jarrah_base::{Error, Result, Type, work};
use jarrah_hlo::ops::KernelForm;
use jarrah_hlo::{Instr, Op, Program, Value};
use smallvec::SmallVec;

use crate::assignment::Assignment;
use crate::buffers::{check, check_bounds, check_memory};
use crate::contract::Contraction;
use crate::rebuild::{has_steps, is_fused};
use crate::rematerialize::Recomputed;
use crate::target::Target;

/// A program ready for a device: see the [crate's documentation](crate).
#[derive(Clone, Debug)]
pub struct CompiledProgram {
    /// The steps, in order.
    pub program: Program,
    /// Where values lie.
    pub buffers: Assignment,
    /// The steps that run again so that the program stays within its memory limit, the largest first.
    pub recomputed: Vec<Recomputed>,
    /// A number of the program before the passes, which depend on the target, with all bytes of its constants: processes compare it.
    pub source: u64,
}

/// Checks what a device relies on, by the target's own answers:
///
/// * the program is well-formed, and ops with effects stand where they keep their order;
/// * each step is an op that the target runs, each kernel of the form `Loop` one that it takes, of the
///   form `Contract` one that it contracts, in loops and branches too;
/// * each value has a place, aligned, large enough, and within a memory of the target; no two values that are needed at the
///   same time overlap, those aside that share memory on purpose;
/// * arguments, results and temporaries fit into the target's memories.
///
/// That the program computes what another one does is not looked at: [`check_effects`](crate::check_effects) compares effects.
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_compiler::{PassOptions, Reference, compile, verify};
/// use jarrah_hlo::Builder;
///
/// let mut b = Builder::new("f");
/// let x = b.param(Type::tensor(DType::F32, [8, 4]), "x");
/// let y = b.exp(x)?;
/// let target = Reference::default();
/// let mut compiled = compile(&b.finish(&[y])?, &target, PassOptions::default())?;
/// verify(&compiled, &target)?;
/// compiled.buffers.places.pop();
/// assert!(verify(&compiled, &target).is_err());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// The first thing that does not hold, at the line that asked for the step: a defect of a pass, or an op that the target has no
/// step for.
pub fn verify(compiled: &CompiledProgram, target: &dyn Target) -> Result<()> {
    let CompiledProgram { program, buffers, .. } = compiled;
    program.verify()?;
    check_steps(program, target)?;
    check_kernels(program, target)?;
    check_bounds(program, buffers, target.alignment())?;
    check(program, buffers)?;
    check_memory(program, buffers, 0, target)
}

/// Checks that each step, kernels that passes made aside, is an op that the target runs.
///
/// # Errors
/// One is not: a program error at the line that asked for it.
pub fn check_steps(program: &Program, target: &dyn Target) -> Result<()> {
    each_step(program, &|instr, operands, results| {
        let runs = match &instr.op {
            Op::Constant(_) | Op::Reshape(_) => true,
            op => is_fused(op) || target.runs(op, operands, results),
        };
        match &instr.op {
            _ if runs => Ok(()),
            Op::AxisIndex(op) => Err(op.axis.unbound()),
            Op::Collective(op) => Err(op.over.unbound()),
            Op::ManualComputation(op) => Err(op.alone()),
            _ => Err(Error::program(format!("{} has no step for it", target.name()))),
        }
    })
}

/// Checks that each kernel that passes made is one that the target takes.
fn check_kernels(program: &Program, target: &dyn Target) -> Result<()> {
    each_step(program, &|instr, operands, _| match &instr.op {
        Op::Kernel(kernel) => match kernel.form {
            KernelForm::Loop if !target.takes(kernel, operands) => {
                Err(Error::internal(format!("{} does not take this kernel as a loop", target.name())))
            }
            KernelForm::Contract if Contraction::of(kernel).is_none() => {
                Err(Error::internal("a contraction that is no product with a loop behind it"))
            }
            KernelForm::Contract if !target.contracts(kernel, operands) => {
                Err(Error::internal(format!("{} does not contract this", target.name())))
            }
            _ => Ok(()),
        },
        _ => Ok(()),
    })
}

/// A check of a step, given the types of its operands and results.
type Look<'a> = dyn Fn(&Instr, &[Type], &[Type]) -> Result<()> + 'a;

/// Calls `look` with each step, in loops, branches and kernels too.
fn each_step(program: &Program, look: &Look<'_>) -> Result<()> {
    for instr in program.instrs() {
        work::step(1);
        let types = |values: &[Value]| values.iter().map(|&v| program.ty(v)).collect::<SmallVec<[Type; 4]>>();
        let results: SmallVec<[Value; 4]> = instr.results().collect();
        let (operands, results) = (types(&instr.operands), types(&results));
        look(instr, &operands, &results).map_err(|error| {
            let written: Vec<String> = operands.iter().map(ToString::to_string).collect();
            let error = error.op(instr.op.called()).context(format!("for operands {}", written.join(", ")));
            instr.source.location.map_or(error.clone(), |location| error.at(location))
        })?;
        if has_steps(&instr.op) {
            instr.op.programs().into_iter().try_for_each(|inner| each_step(inner, look))?;
        }
    }
    Ok(())
}

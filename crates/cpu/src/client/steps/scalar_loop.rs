//! Loops whose every value is one scalar, as one piece of machine code.

use jarrah_base::{DType, Result, Type};
use jarrah_execute::{Place, PlacedArray, Step, StepSite};
use jarrah_hlo::ops::{KernelForm, Scan, While};
use jarrah_hlo::{Op, Program, Value};
use jarrah_runtime::Way;
use jarrah_tile::{Class, Inst, LoopKernel, Map, Reg, ScalarBits, Store, stored};

use super::kernel::alone;
use crate::client::device::{Cpu, Frame, FramePointers};
use crate::vector::scalars::{Compiled, Scalars};

/// Loops of fewer steps are not worth the code.
const FEW: usize = 32;
/// Loops of more steps take long.
const MANY: usize = 1000;

struct ScalarLoop {
    code: Compiled,
    /// The array that each pointer of the code points into, and the byte of it at the first step.
    pointers: Vec<(Place, usize)>,
    /// None of a loop with a condition.
    steps: usize,
}

impl Step<Cpu> for ScalarLoop {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        let pointers = self.pointers.iter().map(|&(loc, ahead)| frame.at(loc).wrapping_add(ahead));
        // SAFETY: operands and results are of the types that the code was made for, and have an element for each step.
        unsafe { self.code.caller().run(pointers, self.steps) };
        Ok(())
    }

    fn way(&self) -> Way {
        Way::MachineCode
    }

    /// How often a condition holds is not known, and of other loops each step waits for the one before.
    fn is_long(&self) -> bool {
        self.steps == 0 || self.steps > MANY
    }
}

/// The program as a kernel without dimensions; `None` unless it computes scalars of scalars by what loops have.
pub(super) fn kernel(program: &Program) -> Option<LoopKernel> {
    let is_scalar = |ty: Type| ty.elements().is_ok_and(|n| n == 1) && !ty.dtype().is_complex();
    let map = Map { offset: 0, rows: Vec::new(), col: 0 };
    let mut loops = LoopKernel { cols: 1, ..LoopKernel::default() };
    let mut registers: Vec<Reg> = Vec::with_capacity(program.value_count());
    let push = |inst: Inst, loops: &mut LoopKernel| {
        loops.body.push(inst);
        Reg(loops.body.len() as u32 - 1)
    };
    for (input, ty) in program.param_types().into_iter().enumerate() {
        if !is_scalar(ty) {
            return None;
        }
        loops.inputs.push(stored(ty.dtype()));
        registers.push(push(Inst::Load { input, map: map.clone(), class: Class::Row }, &mut loops));
    }
    for instr in program.instrs() {
        if !instr.results().all(|value| is_scalar(program.ty(value))) {
            return None;
        }
        let operand = |i: usize| registers[instr.operands[i].index()];
        match &instr.op {
            Op::Constant(constant) => {
                let mut bits = [0u8; 8];
                let bytes = constant.value.bytes();
                bits.get_mut(..bytes.len())?.copy_from_slice(bytes);
                let scalar =
                    ScalarBits { dtype: stored(constant.value.dtype()), bits: u64::from_le_bytes(bits) };
                let register = push(Inst::Const(scalar), &mut loops);
                registers.push(register);
            }
            Op::Reshape(_) => registers.push(operand(0)),
            op => {
                let types: Vec<Type> = instr.operands.iter().map(|&v: &Value| program.ty(v)).collect();
                let inner = match op {
                    Op::Kernel(op) if op.form == KernelForm::Loop => jarrah_tile::lower_to_one(op, &types)?,
                    Op::Elementwise(_) | Op::Compare(_) | Op::Select(_) | Op::Clamp(_) | Op::Convert(_) => {
                        let results: Vec<Type> = instr.results().map(|value| program.ty(value)).collect();
                        jarrah_tile::lower_to_one(&alone(op.clone(), &types, &results).ok()?, &types)?
                    }
                    _ => return None,
                };
                let mut inside: Vec<Reg> = Vec::with_capacity(inner.body.len());
                for inst in &inner.body {
                    let register = match inst {
                        Inst::Load { input, .. } => operand(*input),
                        Inst::Iota { dtype, .. } => {
                            push(Inst::Const(ScalarBits::from_f64(*dtype, 0.0)), &mut loops)
                        }
                        _ if inst.is_reduction() => return None,
                        _ => push(inst.map_operands(|r| inside[r.index()]), &mut loops),
                    };
                    inside.push(register);
                }
                let mut written = vec![None; inner.outputs.len()];
                for store in &inner.stores {
                    *written.get_mut(store.output)? = Some(inside[store.value.index()]);
                }
                for register in written {
                    registers.push(register?);
                }
            }
        }
    }
    for (output, &result) in program.results().iter().enumerate() {
        loops.outputs.push(stored(program.ty(result).dtype()));
        loops.stores.push(Store { output, map: map.clone(), value: registers[result.index()] });
    }
    loops.verify().is_ok().then_some(loops)
}

fn at_once(arrays: &[PlacedArray]) -> impl Iterator<Item = (Place, usize)> + '_ {
    arrays.iter().map(|array| (array.loc, 0))
}

/// A loop with a condition.
///
/// # Errors
/// There is no executable memory.
pub fn repeat(site: &StepSite<'_>, op: &While) -> Result<Option<Box<dyn Step<Cpu>>>> {
    let (Some(test), Some(body)) = (kernel(&op.cond), kernel(&op.body)) else { return Ok(None) };
    if test.outputs != [DType::Bool] {
        return Ok(None);
    }
    let carried = site.results.len();
    let scalars = Scalars { test: Some(&test), body: &body, fixed: op.consts, carried, strides: &[] };
    let Some(code) = scalars.compile()? else { return Ok(None) };
    let pointers = at_once(&site.operands).chain(at_once(&site.results)).collect();
    Ok(Some(Box::new(ScalarLoop { code, pointers, steps: 0 })))
}

/// A loop over elements.
///
/// # Errors
/// There is no executable memory.
pub fn scan(site: &StepSite<'_>, op: &Scan) -> Result<Option<Box<dyn Step<Cpu>>>> {
    if op.length < FEW {
        return Ok(None);
    }
    let Some(body) = kernel(&op.body) else { return Ok(None) };
    let (fixed, carried, reverse) = (op.consts, op.carry, op.reverse);
    let strides = vec![if reverse { -1 } else { 1 }; body.inputs.len() + body.outputs.len()];
    let strides = &strides[fixed + 2 * carried..];
    let scalars = Scalars { test: None, body: &body, fixed, carried, strides };
    let Some(code) = scalars.compile()? else { return Ok(None) };
    let (first, read) = site.operands.split_at(fixed + carried);
    let (last, written) = site.results.split_at(carried);
    let element = |array: &PlacedArray| {
        let behind = if reverse { op.length - 1 } else { 0 };
        (array.loc, behind * array.size())
    };
    let pointers = at_once(first)
        .chain(at_once(last))
        .chain(read.iter().map(element))
        .chain(written.iter().map(element))
        .collect();
    Ok(Some(Box::new(ScalarLoop { code, pointers, steps: op.length })))
}

//! The CPU's steps of each op.

use jarrah_base::{Error, Result, Type};
use jarrah_execute::{PlacedArray, Step, StepSite, control};
use jarrah_hlo::ops::{KernelForm, Reducer};
use jarrah_hlo::{Op, family};

use super::device::{Cpu, StepBuilder};
use super::steps;

/// Appends the steps of an instruction.
// A table: a row for each op.
pub fn lower(
    builder: &mut StepBuilder,
    site: &StepSite<'_>,
    steps: &mut Vec<Box<dyn Step<Cpu>>>,
) -> Result<()> {
    let mut push = |step: Box<dyn Step<Cpu>>| steps.push(step);
    match &site.instr.op {
        Op::Constant(_) => {}
        Op::Elementwise(_) if site.operands[0].ty.dtype().is_complex() && !has_loop(site) => {
            push(steps::scalars::step(site))
        }
        _ if lacks_code(site) => push(steps::reference::step(site)),
        Op::Reshape(_) | Op::OptimizationBarrier(_) | Op::CheckpointName(_) | Op::BitcastConvert(_) => {
            for (from, to) in site.operands.iter().zip(&site.results) {
                if from.loc != to.loc {
                    push(control::copy(*from, to.loc));
                }
            }
        }
        Op::Elementwise(_) if !has_loop(site) => push(steps::scalars::step(site)),
        Op::Elementwise(_)
        | Op::Compare(_)
        | Op::Select(_)
        | Op::Clamp(_)
        | Op::Convert(_)
        | Op::ReducePrecision(_)
        | Op::Complex(_)
        | Op::Real(_)
        | Op::Imag(_)
        | Op::Iota(_)
        | Op::Threefry2x32(_) => push(steps::kernel::single(builder, site)?),
        Op::Reduce(op) => match &op.reducer {
            Reducer::General(program) => push(
                steps::by_program::reduce(site, op, program)?.unwrap_or_else(|| steps::reference::step(site)),
            ),
            _ => push(steps::kernel::single(builder, site)?),
        },
        Op::Kernel(op) if op.form == KernelForm::Contract => {
            steps::contraction::contract(builder, site, op)?.into_iter().for_each(push);
        }
        Op::Kernel(op) => push(steps::kernel::kernel(builder, site, op)?),
        Op::BroadcastInDim(op) => push(steps::copy::broadcast(site, op)),
        Op::TransposeAxes(op) => push(steps::copy::transpose(site, op)),
        Op::Reverse(op) => push(steps::copy::reverse(site, op)),
        Op::Slice(op) => push(steps::copy::slice(site, op)),
        Op::Pad(op) => push(steps::copy::pad(site, op)),
        Op::Concatenate(op) => push(steps::copy::concatenate(site, op)),
        Op::DynamicSlice(op) => push(steps::dynamic::slice(site, op)),
        Op::DynamicUpdateSlice(_) => push(steps::dynamic::update(site)),
        Op::Gather(op) => push(steps::gather::step(site, op)?),
        Op::Scatter(op) => push(steps::scatter::step(site, op)?),
        Op::Convolution(op) => push(steps::convolution::step(builder, site, op)?),
        Op::DotGeneral(op) => push(Box::new(steps::dot::step(builder, site, op)?)),
        Op::ReduceWindow(op) => push(steps::window::reduce(site, op)?),
        Op::WindowArg(op) => push(steps::window::arg(site, op)?),
        Op::Sort(op) => push(steps::sort::step(builder, site, op)?),
        family!(LinearAlgebra) | family!(Transform) | Op::Assert(_) => push(steps::reference::step(site)),
        Op::CustomCall(op) => push(steps::custom_call::step(site, op)),
        Op::RaggedDot(op) => push(steps::ragged::step(site, op, None, None)?),
        Op::Attention(op) => push(steps::attention::step(site, op)),
        Op::While(op) => push(match steps::scalar_loop::repeat(site, op)? {
            Some(step) => step,
            None => control::repeat(builder, site, op)?,
        }),
        Op::Case(op) => push(control::case(builder, site, op)?),
        Op::Scan(op) => push(match steps::scalar_loop::scan(site, op)? {
            Some(step) => step,
            None => control::scan(builder, site, op)?,
        }),
        Op::Call(_) | Op::Remat(_) | Op::CustomRule(_) | Op::LinearSolve(_) => {
            return Err(Error::internal("a call is left, which the compiler should have inlined"));
        }
        Op::AxisIndex(op) => return Err(op.axis.unbound()),
        Op::Collective(op) => return Err(op.over.unbound()),
        Op::ManualComputation(op) => return Err(op.alone()),
        Op::CustomTangent(_) => {
            let error = "the tangent of a custom backward rule cannot be computed";
            return Err(Error::program(error)
                .help("use grad or vjp, or give the function a forward rule with custom_jvp"));
        }
    }
    Ok(())
}

/// Whether the instruction has an element type for which this crate has no code. Ops that move whole arrays or run programs
/// take every type.
fn lacks_code(site: &StepSite<'_>) -> bool {
    let known = |array: &PlacedArray| jarrah_tile::DTYPES.contains(&array.ty.dtype());
    match &site.instr.op {
        Op::Attention(op) => {
            let types: Vec<Type> = site.operands.iter().map(|operand| operand.ty).collect();
            !steps::attention::has_kernels(op, &types)
        }
        Op::Gather(_) => site.operands[0].size() > size_of::<u64>(),
        Op::Constant(_)
        | family!(Movement)
        | family!(Indexing)
        | family!(Loop)
        | family!(Call)
        | family!(Collective)
        | family!(Marker)
        | family!(Host)
        | family!(Fused) => false,
        // Products, of which the compiler leaves only those that have matrices.
        Op::DotGeneral(_) => false,
        Op::BitcastConvert(op) => !op.keeps_bytes(site.operands[0].ty.dtype()),
        // Elements of every type are combined and compared one at a time; `window.rs` gives the evaluator the windows it lacks.
        family!(Reduction) => false,
        // Elementwise ops that are no loop run element by element.
        Op::Elementwise(_) => false,
        _ => !has_loop(site) && !site.operands.iter().chain(&site.results).all(known),
    }
}

/// Whether the instruction alone can run as a vector loop.
fn has_loop(site: &StepSite<'_>) -> bool {
    let types = |arrays: &[PlacedArray]| arrays.iter().map(|array| array.ty).collect::<Vec<_>>();
    jarrah_tile::has_op(&site.instr.op, &types(&site.operands), &types(&site.results))
}

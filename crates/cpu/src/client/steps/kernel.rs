//! Kernels as vector loops.

use std::sync::Arc;

use jarrah_base::{Result, Type};
use jarrah_execute::{Independent, PlacedArray, Step, StepSite};
use jarrah_hlo::ops::{BlockSpec, Kernel, KernelForm, Reduce};
use jarrah_hlo::{Builder as Body, Op, Value};
use jarrah_runtime::Way;
use smallvec::SmallVec;

use crate::client::device::{Cpu, Frame, FramePointers, StepBuilder};
use crate::vector::Plan;

/// A vector loop, or one for each box of its space.
struct Loop {
    plans: SmallVec<[Arc<Plan>; 1]>,
    inputs: Vec<PlacedArray>,
    outputs: Vec<PlacedArray>,
}

impl Step<Cpu> for Loop {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        self.run_beside(frame);
        Ok(())
    }

    fn way(&self) -> Way {
        match self.plans.iter().all(|plan| plan.is_native()) {
            true => Way::MachineCode,
            false => Way::Tiles,
        }
    }

    fn independent(&self) -> Option<&dyn Independent<Cpu>> {
        Some(self)
    }
}

impl Independent<Cpu> for Loop {
    fn reads(&self) -> &[PlacedArray] {
        &self.inputs
    }

    fn writes(&self) -> &[PlacedArray] {
        &self.outputs
    }

    fn run_beside(&self, frame: &Frame<'_>) {
        let inputs: SmallVec<[*const u8; 8]> =
            self.inputs.iter().map(|a| frame.at(a.loc).cast_const()).collect();
        let outputs: SmallVec<[*mut u8; 4]> = self.outputs.iter().map(|a| frame.at(a.loc)).collect();
        for plan in &self.plans {
            // SAFETY: the loop was made for arrays of these types, which are aligned and hold valid elements; an output
            // lies on an input only where each iteration reads what it alone writes.
            unsafe { plan.run(&frame.device.pool, &inputs, &outputs) };
        }
    }
}

fn vector_loop(
    b: &mut StepBuilder,
    kernel: &Kernel,
    operands: &[PlacedArray],
    results: &[PlacedArray],
) -> Result<Option<Box<dyn Step<Cpu>>>> {
    let types: Vec<Type> = operands.iter().map(|o| o.ty).collect();
    let Some(loops) = jarrah_tile::lower(kernel, &types) else { return Ok(None) };
    let (inputs, outputs) = (operands.to_vec(), results.to_vec());
    let plans = loops.into_iter().map(|loops| b.plans.plan(loops)).collect::<Result<_>>()?;
    Ok(Some(Box::new(Loop { plans, inputs, outputs })))
}

/// A kernel that the compiler found to be a loop, or one whose points run steps.
pub fn kernel(b: &mut StepBuilder, site: &StepSite<'_>, op: &Kernel) -> Result<Box<dyn Step<Cpu>>> {
    if op.form == KernelForm::Steps {
        return super::points::step(b, site, op);
    }
    Ok(vector_loop(b, op, &site.operands, &site.results)?.unwrap_or_else(|| super::reference::step(site)))
}

/// An elementwise-like op or a reduction outside a kernel, as a kernel of one grid point.
pub fn single(b: &mut StepBuilder, site: &StepSite<'_>) -> Result<Box<dyn Step<Cpu>>> {
    let (mut inputs, mut outputs) = (site.operands.clone(), site.results.clone());
    let mut op = site.instr.op.clone();
    if let Op::Reduce(reduce) = &mut op {
        merge_axes(Arc::make_mut(reduce), &mut inputs[0], &mut outputs[0]);
    }
    let types = |arrays: &[PlacedArray]| arrays.iter().map(|array| array.ty).collect::<Vec<_>>();
    let kernel = alone(op, &types(&inputs), &types(&outputs))?;
    match vector_loop(b, &kernel, &inputs, &outputs)? {
        Some(step) => Ok(step),
        None => Ok(super::reference::step(site)),
    }
}

/// The kernel of one grid point that is an op alone.
///
/// # Errors
/// The op does not take such operands.
pub(super) fn alone(op: Op, inputs: &[Type], outputs: &[Type]) -> Result<Kernel> {
    let mut body = Body::new(op.name());
    let blocks: Vec<Value> = inputs.iter().map(|&ty| body.param(ty, "")).collect();
    let values = body.push(op, &blocks)?;
    let whole = |ty: &Type| BlockSpec::whole(ty.rank());
    Ok(Kernel::new(
        SmallVec::new(),
        inputs.iter().map(whole).collect(),
        outputs.iter().map(|ty| (*ty, whole(ty))).collect(),
        body.finish(&values)?.into(),
    ))
}

/// Merges adjacent axes that are all reduced or all kept.
fn merge_axes(op: &mut Reduce, operand: &mut PlacedArray, result: &mut PlacedArray) {
    use jarrah_hlo::ops::Reducer::{ArgMax, ArgMin};
    if matches!(op.reducer, ArgMax(_) | ArgMin(_)) {
        return;
    }
    let mut groups: Vec<(usize, bool)> = Vec::new();
    for (axis, extent) in operand.dims().into_iter().enumerate() {
        let folded = op.axes.contains(&axis);
        match groups.last_mut() {
            Some((merged, like)) if *like == folded => *merged *= extent,
            _ => groups.push((extent, folded)),
        }
    }
    op.axes = groups.iter().enumerate().filter(|(_, (_, folded))| *folded).map(|(i, _)| i).collect();
    operand.ty = operand.ty.with_dims(groups.iter().map(|(extent, _)| *extent));
    result.ty = result.ty.with_dims(groups.iter().filter(|(_, folded)| !folded).map(|(extent, _)| *extent));
}

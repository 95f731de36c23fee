//! Attention on its blockwise kernels.

use jarrah_base::{DType, Result, Type, bf16, f16};
use jarrah_hlo::ops::{Attention as Op, AttentionInputs, AttentionKind};
use jarrah_runtime::Way;

use crate::attention::{AttentionCall, Gradients, Heads, HeadsMut, Real, backward, forward};
use crate::client::frame::{Frame, Step};
use crate::client::site::{Array, Site};
use crate::gemm::Factor;

struct Attend {
    op: Op,
    operands: Vec<Array>,
    results: Vec<Array>,
}

/// Whether this attention is a step: one that has kernels, or one over floats so narrow that the reference evaluator
/// computes it.
pub fn runs(op: &Op, operands: &[Type]) -> bool {
    has_kernels(op, operands) || !is_wide(operands[0]) && !matches!(op.kind, AttentionKind::Tangent(_))
}

/// Whether the kernels take queries of this type.
fn is_wide(ty: Type) -> bool {
    matches!(ty.dtype(), DType::F64 | DType::F32 | DType::BF16 | DType::F16)
}

/// Whether there are kernels for this attention over operands of these types.
pub fn has_kernels(op: &Op, operands: &[Type]) -> bool {
    let plain = Op { inputs: op.inputs, after: op.after.map(|_| 0), ..Op::full(op.scale()) };
    *op == plain.with_kind(op.kind)
        && !matches!(op.kind, AttentionKind::Tangent(_))
        && op.inputs == AttentionInputs::default()
        && operands[1] == operands[2]
        && is_wide(operands[0])
}

/// Blockwise kernels, for what [has them](has_kernels).
pub fn step(site: &Site<'_>, op: &Op) -> Box<dyn Step> {
    Box::new(Attend { op: op.clone(), operands: site.operands.clone(), results: site.results.clone() })
}

impl Step for Attend {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        match self.operands[0].ty.dtype() {
            DType::F64 => self.run_as::<f64>(frame),
            DType::BF16 => self.run_as::<bf16>(frame),
            DType::F16 => self.run_as::<f16>(frame),
            _ => self.run_as::<f32>(frame),
        }
        Ok(())
    }

    fn way(&self) -> Way {
        Way::Product
    }
}

impl Attend {
    fn run_as<T: Factor<Acc: Real>>(&self, frame: &Frame<'_>) {
        let (q, k) = (self.operands[0].dims(), self.operands[1].dims());
        let offset = frame.at(self.operands[3].loc).cast_const().cast::<i32>();
        // SAFETY: the operand is an i32 for each sequence.
        let offset = unsafe { std::slice::from_raw_parts(offset, q[0]) };
        let attention = AttentionCall {
            batch: q[0],
            queries: q[1],
            keys: k[1],
            heads: q[2],
            kv_heads: k[2],
            dim: q[3],
            causal: self.op.after.map(|_| offset),
            scale: self.op.scale(),
        };
        let input = |i: usize| heads::<T>(frame, &self.operands[i]);
        let (q, k, v) = (input(0), input(1), input(2));
        // SAFETY: operands and results are dense arrays of the types the op has inferred, and distinct.
        unsafe {
            if self.op.kind == AttentionKind::Forward {
                let (o, lse) = (out::<T>(frame, &self.results[0]), out::<T::Acc>(frame, &self.results[1]));
                forward(frame.pool, &attention, q, k, v, o, lse);
                return;
            }
            let gradients = Gradients {
                o: input(4),
                lse: heads::<T::Acc>(frame, &self.operands[5]),
                d_o: input(6),
                d_lse: Some(heads::<T::Acc>(frame, &self.operands[7])),
                dq: out(frame, &self.results[0]),
                dk: out(frame, &self.results[1]),
                dv: out(frame, &self.results[2]),
            };
            backward(frame.pool, &attention, q, k, v, &gradients);
        }
    }
}

fn heads<T>(frame: &Frame<'_>, array: &Array) -> Heads<T> {
    let dims = array.dims();
    let dim = dims.get(3).copied().unwrap_or(1);
    Heads::dense(frame.at(array.loc).cast_const().cast(), dims[1], dims[2], dim)
}

fn out<T>(frame: &Frame<'_>, array: &Array) -> HeadsMut<T> {
    let dims = array.dims();
    let dim = dims.get(3).copied().unwrap_or(1);
    HeadsMut::dense(frame.at(array.loc).cast(), dims[1], dims[2], dim)
}

//! Attention on its blockwise kernels.

use jarrah_base::{DType, Literal, Result, Type, bf16, f16};
use jarrah_execute::{PlacedArray, Step, StepSite};
use jarrah_hlo::ops::{Attention as Op, AttentionKind, AttentionOperand};
use jarrah_runtime::Way;

use crate::attention::{
    AttentionCall, AttentionFloat, Elements, Floats, FloatsMut, Gradients, Heads, HeadsMut, KvStorage,
    PageTable, Pairs, Segments, backward, forward,
};
use crate::client::device::{Cpu, Frame, FramePointers};
use crate::gemm::Rounded;

struct Attend {
    op: Op,
    operands: Vec<PlacedArray>,
    results: Vec<PlacedArray>,
    /// The number that each byte of keys and values with scales encodes.
    values: Option<Box<[f32; 256]>>,
}

/// Whether this attention is a step: one that has kernels, or one over floats so narrow that the reference evaluator
/// computes it.
pub fn runs(op: &Op, operands: &[Type]) -> bool {
    has_kernels(op, operands) || !is_wide(operands[0]) && !matches!(op.kind, AttentionKind::Tangent(_))
}

/// Whether kernels take floats of this type as queries, and beside the scores.
fn is_wide(ty: Type) -> bool {
    matches!(ty.dtype(), DType::F64 | DType::F32 | DType::BF16 | DType::F16)
}

/// Whether there are kernels for this attention over operands of these types.
pub fn has_kernels(op: &Op, operands: &[Type]) -> bool {
    let beside = [AttentionOperand::Bias, AttentionOperand::Sinks, AttentionOperand::Multiplier];
    let mut floats = beside.into_iter().filter_map(|operand| op.inputs.position(operand));
    !matches!(op.kind, AttentionKind::Tangent(_))
        && is_wide(operands[0])
        && floats.all(|i| is_wide(operands[i]))
}

/// Blockwise kernels, for what [has them](has_kernels).
pub fn step(site: &StepSite<'_>, op: &Op) -> Box<dyn Step<Cpu>> {
    let values = op.inputs.scales.then(|| values(site.operands[1].ty.dtype()));
    let (operands, results) = (site.operands.clone(), site.results.clone());
    Box::new(Attend { op: op.clone(), operands, results, values })
}

/// The number that each byte encodes as an element of this type.
fn values(dtype: DType) -> Box<[f32; 256]> {
    let bytes: [u8; 256] = std::array::from_fn(|i| i as u8);
    let all = Literal::from_bytes(Type::tensor(dtype, [256]), &bytes).expect("invariant: elements are bytes");
    let mut values = Box::new([0.0; 256]);
    values.iter_mut().zip(all.to_f64_vec()).for_each(|(value, x)| *value = x as f32);
    values
}

impl Step<Cpu> for Attend {
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
    fn given(&self, operand: AttentionOperand) -> Option<&PlacedArray> {
        self.op.inputs.position(operand).map(|i| &self.operands[i])
    }

    /// An operand of type `i32`.
    fn integers<'a>(&self, frame: &'a Frame<'_>, operand: AttentionOperand) -> Option<&'a [i32]> {
        let array = self.given(operand)?;
        let count = array.dims().iter().product();
        // SAFETY: the operand is a dense array of as many numbers.
        Some(unsafe { std::slice::from_raw_parts(frame.at(array.loc).cast_const().cast(), count) })
    }

    fn pairs(&self, frame: &Frame<'_>, operand: AttentionOperand) -> Option<Pairs<Floats>> {
        self.given(operand).map(|array| Pairs::dense(floats(frame, array), extents(array)))
    }

    fn call<'a>(&self, frame: &'a Frame<'_>) -> AttentionCall<'a> {
        let (q, k, v) = (self.operands[0].dims(), self.operands[1].dims(), self.operands[2].dims());
        let keys = match self.given(AttentionOperand::Pages) {
            None => k[1],
            Some(pages) => pages.dims()[1] * k[1],
        };
        let ints = |operand| self.integers(frame, operand);
        let queries = ints(AttentionOperand::QuerySegments);
        AttentionCall {
            value_dim: v[3],
            scale: self.op.scale(),
            softcap: self.op.softcap(),
            hidden: self.op.hidden(),
            apart: self.op.apart,
            offset: ints(AttentionOperand::Offset).unwrap_or_default(),
            before: self.op.before,
            after: self.op.after,
            lengths: ints(AttentionOperand::Lengths),
            segments: queries
                .zip(ints(AttentionOperand::KeySegments))
                .map(|(queries, keys)| Segments { queries, keys }),
            mask: self
                .given(AttentionOperand::Mask)
                .map(|array| Pairs::dense(frame.at(array.loc).cast_const().cast(), extents(array))),
            bias: self.pairs(frame, AttentionOperand::Bias),
            sinks: self.given(AttentionOperand::Sinks).map(|array| (floats(frame, array), rows(array))),
            multiplier: self.pairs(frame, AttentionOperand::Multiplier),
            ..AttentionCall::full(q[0], q[1], keys, q[2], k[2], q[3])
        }
    }

    /// Keys or values.
    fn stored<'a, T>(&'a self, frame: &'a Frame<'_>, i: usize, scales: AttentionOperand) -> KvStorage<'a, T> {
        let array = &self.operands[i];
        let elements = match (&self.values, self.given(scales)) {
            (Some(values), Some(scales)) => {
                let dims = scales.dims();
                let scales = Heads::dense(frame.at(scales.loc).cast_const().cast(), dims[1], dims[2], 1);
                Elements::Scaled { bytes: heads(frame, array), values, scales }
            }
            _ => Elements::Floats(heads(frame, array)),
        };
        let dims = array.dims();
        let pages = self.given(AttentionOperand::Pages).zip(self.integers(frame, AttentionOperand::Pages));
        let pages = pages.map(|(of, table)| PageTable {
            table,
            per_sequence: of.dims()[1],
            size: dims[1],
            count: dims[0],
        });
        KvStorage { elements, pages }
    }

    fn run_as<T: Rounded<Acc: AttentionFloat>>(&self, frame: &Frame<'_>) {
        let attention = self.call(frame);
        let moves = match self.op.kind {
            AttentionKind::Transpose(moves) => moves,
            AttentionKind::Forward | AttentionKind::Tangent(_) => {
                let k = self.stored::<T>(frame, 1, AttentionOperand::KeyScales);
                let v = self.stored::<T>(frame, 2, AttentionOperand::ValueScales);
                let q = heads::<T>(frame, &self.operands[0]);
                let (o, lse) = (out::<T>(frame, &self.results[0]), out::<T::Acc>(frame, &self.results[1]));
                // SAFETY: operands and results are dense arrays of the types the op has inferred, and distinct.
                unsafe { forward(&frame.device.pool, &attention, q, k, v, o, lse) };
                return;
            }
        };
        if attention.has_no_query() {
            for result in &self.results {
                // SAFETY: a result is a dense array of as many bytes.
                unsafe { frame.at(result.loc).write_bytes(0, result.bytes()) };
            }
            return;
        }
        let behind = self.op.inputs.count();
        let wanted = |moves: bool, at: usize| {
            let array = moves.then(|| self.results.get(at)).flatten();
            array.filter(|array| array.bytes() > 0)
        };
        let (d_bias, d_sinks) = (wanted(moves.bias, 3), wanted(moves.sinks, 3 + usize::from(moves.bias)));
        let input = |i: usize| heads::<T>(frame, &self.operands[i]);
        let gradients = Gradients {
            d_o: input(behind + 2),
            d_lse: Some(heads::<T::Acc>(frame, &self.operands[behind + 3])),
            dq: out(frame, &self.results[0]),
            dk: out(frame, &self.results[1]),
            dv: out(frame, &self.results[2]),
            d_bias: d_bias.map(|array| Pairs::dense(FloatsMut::new(floats(frame, array)), extents(array))),
            d_sinks: d_sinks.map(|array| (FloatsMut::new(floats(frame, array)), rows(array))),
        };
        // SAFETY: operands and results are dense arrays of the types the op has inferred, and distinct.
        unsafe { backward(&frame.device.pool, &attention, input(0), input(1), input(2), &gradients) };
    }
}

fn heads<T>(frame: &Frame<'_>, array: &PlacedArray) -> Heads<T> {
    let dims = array.dims();
    let dim = dims.get(3).copied().unwrap_or(1);
    Heads::dense(frame.at(array.loc).cast_const().cast(), dims[1], dims[2], dim)
}

fn out<T>(frame: &Frame<'_>, array: &PlacedArray) -> HeadsMut<T> {
    let dims = array.dims();
    let dim = dims.get(3).copied().unwrap_or(1);
    HeadsMut::dense(frame.at(array.loc).cast(), dims[1], dims[2], dim)
}

fn floats(frame: &Frame<'_>, array: &PlacedArray) -> Floats {
    let ptr = frame.at(array.loc).cast_const();
    match array.ty.dtype() {
        DType::F64 => Floats::F64(ptr.cast()),
        DType::BF16 => Floats::BF16(ptr.cast()),
        DType::F16 => Floats::F16(ptr.cast()),
        _ => Floats::F32(ptr.cast()),
    }
}

/// The extents of what repeats to `[B, H, T, S]`.
fn extents(array: &PlacedArray) -> [usize; 4] {
    let dims = array.dims();
    std::array::from_fn(|axis| dims[axis])
}

/// The strides of what repeats to `[B, H]`.
fn rows(array: &PlacedArray) -> [usize; 2] {
    let dims = array.dims();
    [if dims[0] > 1 { dims[1] } else { 0 }, usize::from(dims[1] > 1)]
}

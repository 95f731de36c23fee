//! The computation of each op.

use jarrah_base::{Error, Literal, Result, Type};
use jarrah_hlo::ops::RaggedDot;
use jarrah_hlo::{Op, family};

use crate::machine::Machine;
use crate::{
    complex, control, convert, convolution, dot, elementwise, fft, gather, kernel, linalg, movement,
    precision, ragged, reduce, rng, sort, threefry, window,
};

impl Machine<'_> {
    /// The results of `op`, of these types.
    pub fn apply(&mut self, op: &Op, operands: Vec<Literal>, results: &[Type]) -> Result<Vec<Literal>> {
        if let Some(callee) = op.callee() {
            return self.run(callee, operands);
        }
        match op {
            Op::While(op) => return control::repeat(self, op, operands),
            Op::Case(op) => return control::case(self, op, operands),
            Op::Scan(op) => return control::scan(self, op, operands, results),
            _ => {}
        }
        let x = &operands[..];
        let one = match op {
            Op::Elementwise(op) => elementwise::elementwise(op.kind, x),
            Op::Compare(op) => elementwise::compare(op, &x[0], &x[1]),
            Op::Select(_) => elementwise::select(&x[0], &x[1], &x[2]),
            Op::Clamp(_) => elementwise::clamp(&x[0], &x[1], &x[2]),
            Op::Convert(op) => convert::convert(&x[0], op.to),
            Op::BitcastConvert(op) => convert::bitcast(op, &x[0], results[0]),
            Op::Complex(_) => complex::complex(&x[0], &x[1]),
            Op::Real(_) => complex::real(&x[0]),
            Op::Imag(_) => complex::imag(&x[0]),
            Op::Constant(op) => Ok(op.value.clone()),
            Op::Iota(op) => movement::iota(op.ty, op.axis),
            Op::BroadcastInDim(op) => movement::broadcast(op, &x[0], results[0]),
            Op::Reshape(_) => x[0].reshape(&results[0].dims()),
            Op::TransposeAxes(op) => movement::transpose(&x[0], &op.permutation),
            Op::Reverse(op) => movement::reverse(&x[0], &op.axes),
            Op::Slice(op) => movement::slice(&x[0], &op.starts, &op.strides, results[0]),
            Op::Pad(op) => movement::pad(op, &x[0], &x[1], results[0]),
            Op::Concatenate(op) => movement::concatenate(x, op.axis, results[0]),
            Op::DynamicSlice(op) => movement::dynamic_slice(&x[0], &x[1..], &op.sizes),
            Op::DynamicUpdateSlice(_) => movement::dynamic_update_slice(operands),
            Op::Gather(op) => gather::gather(op, &x[0], &x[1], results[0]),
            Op::Scatter(op) => return gather::scatter(self, op, operands),
            Op::Convolution(op) => convolution::convolution(op, &x[0], &x[1], results[0]),
            Op::DotGeneral(op) => dot::dot_general(op, &x[0], &x[1], results[0]),
            Op::Reduce(op) => return reduce::reduce(self, op, x, results),
            Op::ReducePrecision(op) => precision::reduce_precision(op, &x[0]),
            Op::ReduceWindow(op) => return window::reduce_window(self, op, x, results),
            Op::WindowArg(op) => window::window_arg(self, op, &x[0], results[0]),
            Op::Sort(op) => return sort::sort(self, op, x),
            Op::Fft(op) => fft::fft(op, &x[0], results[0]),
            Op::RngBitGenerator(op) => return rng::rng_bit_generator(op, &x[0]),
            family!(LinearAlgebra) => return linalg::linalg(op, x, results),
            Op::OptimizationBarrier(_) | Op::CheckpointName(_) => return Ok(operands),
            Op::Assert(op) => return op.evaluate(x).map(|()| Vec::new()),
            Op::AxisIndex(op) => Err(op.axis.unbound()),
            Op::Collective(op) => Err(op.over.unbound()),
            Op::ManualComputation(op) => Err(op.alone()),
            Op::CustomTangent(_) => {
                Err(Error::program("a function with a backward rule of its own has no forward derivative")
                    .help("give it a jvp rule, or differentiate it in reverse"))
            }
            Op::CustomCall(op) => return op.evaluate(operands),
            Op::Threefry2x32(_) => return threefry::threefry(x),
            Op::RaggedDot(op) => {
                let types: Vec<Type> = x.iter().map(Literal::ty).collect();
                if types.len() == 4 && !RaggedDot::scales_sums(&types) {
                    let definition = op.definition(&types)?;
                    return self.run(&definition, operands);
                }
                ragged::ragged_dot(op, x, results[0])
            }
            Op::Attention(op) => {
                let types: Vec<Type> = x.iter().map(Literal::ty).collect();
                let definition = op.definition(&types)?;
                return self.run(&definition, operands);
            }
            Op::Kernel(op) => return kernel::kernel(self, op, x),
            family!(Loop) | Op::Call(_) | Op::Remat(_) | Op::CustomRule(_) | Op::LinearSolve(_) => {
                Err(Error::internal("was handled above"))
            }
        };
        Ok(vec![one?])
    }
}

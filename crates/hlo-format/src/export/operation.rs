use jarrah_base::ElementKind;
use jarrah_hlo::ops::Comparison;
use jarrah_hlo::{Instr, Op, family};

use super::attributes::{axes, dense, integer, integers, signed};
use super::block::Block;
use super::{Exporter, host, linalg, op, own, windows};
use crate::ir::{Attr, Definition, IrOp};

impl<'p> Exporter<'p> {
    /// Exports an instruction as an op, with the further ops and attributes that the module needs for it.
    // A table: a row for each op.
    pub(super) fn instruction(&mut self, block: &mut Block<'p>, instr: &'p Instr) {
        let mut out = match &instr.op {
            Op::Elementwise(op) => IrOp::new(Definition::of_function(op.kind), 0),
            other => op(name(other)),
        };
        let made = match &instr.op {
            Op::Reduce(op) => Some(self.reduce(block, instr, op, out.clone())),
            Op::AxisIndex(op) => self.axis_index(block, op),
            Op::Collective(op) => self.collective(block, instr, op),
            _ => None,
        };
        if let Some(results) = made {
            block.values.extend(results);
            return;
        }
        if !matches!(instr.op, Op::While(_) | Op::Case(_)) {
            out.operands.extend(block.ids(&instr.operands));
        }
        let set = |out: &mut IrOp, name: &str, attr: Attr| out.attributes.set(name, attr);
        match &instr.op {
            Op::Compare(op) => {
                let kind = match block.ty(instr.operands[0]).dtype().kind() {
                    ElementKind::Signed => "SIGNED",
                    ElementKind::Unsigned | ElementKind::Bool => "UNSIGNED",
                    _ if op.total_order => "TOTALORDER",
                    _ => "FLOAT",
                };
                let direction = Attr::Enum("stablehlo.comparison_direction", comparison(op.comparison));
                set(&mut out, "comparison_direction", direction);
                set(&mut out, "compare_type", Attr::Enum("stablehlo.comparison_type", kind));
            }
            Op::Constant(op) => set(&mut out, "value", dense(&op.value)),
            Op::Iota(op) => set(&mut out, "iota_dimension", integer(op.axis)),
            Op::BroadcastInDim(op) => set(&mut out, "broadcast_dimensions", integers(&op.axes)),
            Op::TransposeAxes(op) => set(&mut out, "permutation", integers(&op.permutation)),
            Op::Reverse(op) => set(&mut out, "dimensions", integers(&op.axes)),
            Op::Slice(op) => {
                set(&mut out, "start_indices", integers(&op.starts));
                set(&mut out, "limit_indices", integers(&op.limits));
                set(&mut out, "strides", integers(&op.strides));
            }
            Op::Pad(op) => {
                set(&mut out, "edge_padding_low", signed(&op.low));
                set(&mut out, "edge_padding_high", signed(&op.high));
                set(&mut out, "interior_padding", integers(&op.interior));
            }
            Op::Concatenate(op) => set(&mut out, "dimension", integer(op.axis)),
            Op::DynamicSlice(op) => set(&mut out, "slice_sizes", integers(&op.sizes)),
            Op::Gather(op) => {
                let lists = [
                    ("offset_dims", &op.offset_axes[..]),
                    ("collapsed_slice_dims", &op.collapsed_axes),
                    ("operand_batching_dims", &op.operand_batch_axes),
                    ("start_indices_batching_dims", &op.indices_batch_axes),
                    ("start_index_map", &op.index_map),
                ];
                let numbers = axes("stablehlo.gather", &lists, op.index_vector_axis);
                set(&mut out, "dimension_numbers", numbers);
                set(&mut out, "slice_sizes", integers(&op.sizes));
                set(&mut out, "indices_are_sorted", Attr::Bool(op.sorted));
            }
            Op::Scatter(op) => self.scatter(block, instr, op, &mut out),
            Op::Convolution(op) => windows::convolution(op, &mut out),
            Op::DotGeneral(op) => {
                let lists = [
                    ("lhs_batching_dimensions", &op.lhs_batch[..]),
                    ("rhs_batching_dimensions", &op.rhs_batch),
                    ("lhs_contracting_dimensions", &op.lhs_contract),
                    ("rhs_contracting_dimensions", &op.rhs_contract),
                ];
                set(&mut out, "dot_dimension_numbers", axes("stablehlo.dot", &lists, 0));
            }
            Op::ReducePrecision(op) => windows::reduce_precision(op, &mut out),
            Op::ReduceWindow(op) => self.reduce_window(block, instr, op, &mut out),
            Op::WindowArg(op) => self.window_arg(op, &mut out),
            Op::Sort(op) => self.sort(block, instr, op, &mut out),
            Op::While(op) => self.while_loop(block, instr, op, &mut out),
            Op::Case(op) => self.case(block, instr, op, &mut out),
            Op::Call(op) => {
                let callee = self.callee(&op.callee);
                set(&mut out, "callee", Attr::Symbol(vec![callee]));
            }
            Op::Scan(op) => self.scan(op, &mut out),
            Op::Remat(op) => self.remat(op, &mut out),
            Op::CheckpointName(op) => set(&mut out, "name", Attr::string(&op.name)),
            Op::Assert(op) => set(&mut out, "message", Attr::string(&op.message)),
            Op::LinearSolve(op) => self.linear_solve(op, &mut out),
            Op::AxisIndex(op) => own::named_axis(&op.axis, &mut out),
            Op::Collective(op) => own::collective(op, &mut out),
            Op::ManualComputation(op) => self.manual_computation(op, &mut out),
            Op::CustomRule(op) => self.custom_rule(op, &mut out),
            Op::CustomTangent(op) => {
                out.regions.push(self.closed(&op.backward, "stablehlo.return"));
                set(&mut out, "residuals", integer(op.residuals));
            }
            family!(LinearAlgebra) | family!(Transform) => linalg::linalg(&instr.op, &mut out),
            Op::CustomCall(op) => host::custom_call(op, &mut out),
            Op::Attention(op) => own::attention(op, &mut out),
            Op::RaggedDot(op) => own::ragged_dot(op, &mut out),
            Op::Kernel(op) => self.kernel(op, &mut out),
            // The operands and types of these ops say all about them.
            Op::Elementwise(_)
            | Op::Select(_)
            | Op::Clamp(_)
            | Op::Convert(_)
            | Op::BitcastConvert(_)
            | Op::Complex(_)
            | Op::Real(_)
            | Op::Imag(_)
            | Op::Reshape(_)
            | Op::DynamicUpdateSlice(_)
            | Op::Reduce(_)
            | Op::OptimizationBarrier(_)
            | Op::Threefry2x32(_) => {}
        }
        let results = self.append(block, out, &block.result_types(instr));
        block.values.extend(results);
    }
}

/// The op's name with its dialect.
fn name(op: &Op) -> &'static str {
    match op {
        Op::Call(_) => "func.call",
        // The attribute `kind` tells its derivatives apart.
        Op::Attention(_) => "jarrah.attention",
        Op::ManualComputation(_) => "sdy.manual_computation",
        other => {
            let name = other.name();
            let found = Definition::find(name).or_else(|| Definition::find(&format!("stablehlo.{name}")));
            found.expect("invariant: every op is defined").name
        }
    }
}

fn comparison(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Eq => "EQ",
        Comparison::Ne => "NE",
        Comparison::Lt => "LT",
        Comparison::Le => "LE",
        Comparison::Gt => "GT",
        Comparison::Ge => "GE",
    }
}

//! Ops over windows.

use std::sync::Arc;

use jarrah_base::{DType, Literal};
use jarrah_hlo::Instr;
use jarrah_hlo::ops::{Convolution, ReducePrecision, ReduceWindow, Reducer, Window, WindowArg, WindowSelect};

use super::Exporter;
use super::attributes::{dense, integer, integers};
use super::block::Block;
use crate::ir::{Attr, Attributes, ElementTy, IrOp};
use crate::templates;

impl<'p> Exporter<'p> {
    pub(super) fn reduce_window(
        &mut self,
        block: &mut Block<'p>,
        instr: &Instr,
        op: &'p ReduceWindow,
        out: &mut IrOp,
    ) {
        window(&op.window, out);
        if let Reducer::General(body) = &op.reducer {
            out.attributes.set("jarrah.general", Attr::Unit);
            out.regions.push(self.closed(body, "stablehlo.return"));
            return;
        }
        let kind = op.reducer.elementwise().expect("invariant: inference refuses positions");
        let dtype = block.ty(instr.operands[0]).dtype();
        let init = self.identity(block, kind, dtype);
        out.operands.push(init);
        let body = templates::binary(kind, dtype).expect("invariant: inference checked the dtype");
        out.regions.push(self.template(&body));
    }

    pub(super) fn window_arg(&mut self, op: &'p WindowArg, out: &mut IrOp) {
        window(&op.window, out);
        let select = match &op.select {
            WindowSelect::Ge => "GE",
            WindowSelect::Gt => "GT",
            WindowSelect::Le => "LE",
            WindowSelect::Lt => "LT",
            WindowSelect::General(select) => {
                out.regions.push(self.closed(select, "stablehlo.return"));
                "program"
            }
        };
        out.attributes.set("select", Attr::string(select));
    }
}

pub(super) fn reduce_precision(op: &ReducePrecision, out: &mut IrOp) {
    let bits = |n: u32| Attr::Integer(n.into(), ElementTy::Number(DType::I32));
    out.attributes.set("exponent_bits", bits(op.exponent_bits));
    out.attributes.set("mantissa_bits", bits(op.mantissa_bits));
}

pub(super) fn convolution(op: &Convolution, out: &mut IrOp) {
    let (x, k, y) = (&op.lhs_axes, &op.rhs_axes, &op.out_axes);
    let fields: Attributes = [
        ("input_batch_dimension", integer(x.batch)),
        ("input_feature_dimension", integer(x.feature)),
        ("input_spatial_dimensions", integers(&x.spatial)),
        ("kernel_input_feature_dimension", integer(k.feature)),
        ("kernel_output_feature_dimension", integer(k.batch)),
        ("kernel_spatial_dimensions", integers(&k.spatial)),
        ("output_batch_dimension", integer(y.batch)),
        ("output_feature_dimension", integer(y.feature)),
        ("output_spatial_dimensions", integers(&y.spatial)),
    ]
    .into_iter()
    .map(|(name, attr)| (Arc::from(name), attr))
    .collect();
    let flags = op.reversed.iter().map(|&r| i64::from(r)).collect();
    out.attributes.set("window_strides", integers(&op.strides));
    out.attributes.set("padding", padding(&op.low, &op.high));
    out.attributes.set("lhs_dilation", integers(&op.lhs_dilations));
    out.attributes.set("rhs_dilation", integers(&op.rhs_dilations));
    out.attributes.set("window_reversal", Attr::Integers(ElementTy::Number(DType::Bool), flags));
    out.attributes.set("dimension_numbers", Attr::Struct("stablehlo.conv", fields));
    out.attributes.set("feature_group_count", integer(op.feature_groups));
    out.attributes.set("batch_group_count", integer(op.batch_groups));
}

/// The attributes of windows, by StableHLO's names.
fn window(window: &Window, out: &mut IrOp) {
    out.attributes.set("window_dimensions", integers(&window.sizes));
    out.attributes.set("window_strides", integers(&window.strides));
    out.attributes.set("base_dilations", integers(&window.base_dilations));
    out.attributes.set("window_dilations", integers(&window.dilations));
    out.attributes.set("padding", padding(&window.low, &window.high));
}

/// The padding before and after each axis, as a tensor of pairs.
pub(super) fn padding(low: &[i64], high: &[i64]) -> Attr {
    let pairs: Vec<i64> = low.iter().zip(high).flat_map(|(&l, &h)| [l, h]).collect();
    dense(&Literal::from_slice(&[low.len(), 2], &pairs).expect("invariant: a pair for each axis"))
}

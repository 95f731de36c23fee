//! Ops over windows.

use jarrah_base::Type;
use jarrah_hlo::Instr;
use jarrah_hlo::ops::{Convolution, ReduceWindow, Reducer, Window, WindowArg, WindowSelect};

use super::block::Block;
use super::operation::{array, integer, numbers};
use super::{Printer, types};
use crate::templates;

impl Block<'_> {
    pub(super) fn reduce_window(
        &mut self,
        printer: &mut Printer<'_>,
        instr: &Instr,
        op: &ReduceWindow,
    ) -> String {
        let properties = window(&op.window);
        if let Reducer::General(body) = &op.reducer {
            let region = self.closed_region(printer, body);
            let mut all = properties;
            all.push(("jarrah.general", String::new()));
            return self.with_discardable("stablehlo.reduce_window", instr, all, region);
        }
        let kind = templates::fold(&op.reducer).expect("invariant: inference refuses positions");
        let ty = self.program.ty(instr.operands[0]);
        let init = self.identity(printer, kind, ty.dtype());
        let body = templates::binary(kind, ty.dtype()).expect("invariant: inference checked the dtype");
        let region = self.closed_region(printer, &body);
        let uses = format!("{}, {init}", self.name(instr.operands[0]));
        let signature = types::signature(&[ty, Type::scalar(ty.dtype())], &self.result_types(instr));
        self.generic_on("stablehlo.reduce_window", &uses, &properties, &[region], &signature)
    }

    pub(super) fn window_arg(&mut self, printer: &mut Printer<'_>, instr: &Instr, op: &WindowArg) -> String {
        let mut properties = window(&op.window);
        let select = match &op.select {
            WindowSelect::Ge => "GE",
            WindowSelect::Gt => "GT",
            WindowSelect::Le => "LE",
            WindowSelect::Lt => "LT",
            WindowSelect::General(_) => "program",
        };
        properties.push(("select", format!("\"{select}\"")));
        let mut regions = Vec::new();
        if let WindowSelect::General(body) = &op.select {
            regions.push(self.closed_region(printer, body));
        }
        self.generic("jarrah.window_arg", instr, &properties, &regions)
    }
}

/// The attributes of a convolution.
pub(super) fn convolution(op: &Convolution) -> Vec<(&'static str, String)> {
    let flags: Vec<String> = op.reversed.iter().map(ToString::to_string).collect();
    let flags =
        if flags.is_empty() { "array<i1>".to_owned() } else { format!("array<i1: {}>", flags.join(", ")) };
    let (x, k, y) = (&op.lhs_axes, &op.rhs_axes, &op.out_axes);
    let axes = [
        ("input_batch_dimension", x.batch.to_string()),
        ("input_feature_dimension", x.feature.to_string()),
        ("input_spatial_dimensions", numbers(&x.spatial)),
        ("kernel_input_feature_dimension", k.feature.to_string()),
        ("kernel_output_feature_dimension", k.batch.to_string()),
        ("kernel_spatial_dimensions", numbers(&k.spatial)),
        ("output_batch_dimension", y.batch.to_string()),
        ("output_feature_dimension", y.feature.to_string()),
        ("output_spatial_dimensions", numbers(&y.spatial)),
    ];
    let axes: Vec<String> = axes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    vec![
        ("batch_group_count", integer(op.batch_groups)),
        ("dimension_numbers", format!("#stablehlo.conv<raw {}>", axes.join(", "))),
        ("feature_group_count", integer(op.feature_groups)),
        ("lhs_dilation", array(&op.lhs_dilations)),
        ("padding", padding(&op.low, &op.high)),
        ("rhs_dilation", array(&op.rhs_dilations)),
        ("window_reversal", flags),
        ("window_strides", array(&op.strides)),
    ]
}

fn padding(low: &[i64], high: &[i64]) -> String {
    if low.is_empty() {
        return "array<i64>".to_owned();
    }
    let pairs: Vec<String> = low.iter().zip(high).map(|(l, h)| format!("[{l}, {h}]")).collect();
    format!("dense<[{}]> : tensor<{}x2xi64>", pairs.join(", "), pairs.len())
}

/// The attributes of windows, by StableHLO's names.
fn window(window: &Window) -> Vec<(&'static str, String)> {
    vec![
        ("base_dilations", array(&window.base_dilations)),
        ("padding", padding(&window.low, &window.high)),
        ("window_dilations", array(&window.dilations)),
        ("window_dimensions", array(&window.sizes)),
        ("window_strides", array(&window.strides)),
    ]
}

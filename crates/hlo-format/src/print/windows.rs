//! Ops over windows.

use jarrah_base::Type;
use jarrah_hlo::Instr;
use jarrah_hlo::ops::{ReduceWindow, Reducer, Window, WindowArg, WindowSelect};

use super::block::Block;
use super::operation::array;
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

/// The attributes of windows, by StableHLO's names.
fn window(window: &Window) -> Vec<(&'static str, String)> {
    let pairs: Vec<String> =
        window.low.iter().zip(&window.high).map(|(l, h)| format!("[{l}, {h}]")).collect();
    vec![
        ("base_dilations", array(&window.base_dilations)),
        ("padding", format!("dense<[{}]> : tensor<{}x2xi64>", pairs.join(", "), pairs.len())),
        ("window_dilations", array(&window.dilations)),
        ("window_dimensions", array(&window.sizes)),
        ("window_strides", array(&window.strides)),
    ]
}

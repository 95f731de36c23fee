//! Ops over windows.

use jarrah_base::Literal;
use jarrah_hlo::Instr;
use jarrah_hlo::ops::{ReducePrecision, ReduceWindow, Reducer, Window, WindowArg, WindowSelect};

use super::Exporter;
use super::attributes::{dense, integers};
use super::block::Block;
use crate::ir::{Attr, Element, Op};
use crate::templates;

impl<'p> Exporter<'p> {
    pub(super) fn reduce_window(
        &mut self,
        block: &mut Block<'p>,
        instr: &Instr,
        op: &'p ReduceWindow,
        out: &mut Op,
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

    pub(super) fn window_arg(&mut self, op: &'p WindowArg, out: &mut Op) {
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

pub(super) fn reduce_precision(op: &ReducePrecision, out: &mut Op) {
    let bits = |n: u32| Attr::Integer(n.into(), Element::Number(jarrah_base::DType::I32));
    out.attributes.set("exponent_bits", bits(op.exponent_bits));
    out.attributes.set("mantissa_bits", bits(op.mantissa_bits));
}

/// The attributes of windows, by StableHLO's names.
fn window(window: &Window, out: &mut Op) {
    out.attributes.set("window_dimensions", integers(&window.sizes));
    out.attributes.set("window_strides", integers(&window.strides));
    out.attributes.set("base_dilations", integers(&window.base_dilations));
    out.attributes.set("window_dilations", integers(&window.dilations));
    out.attributes.set("padding", padding(&window.low, &window.high));
}

/// What comes before and after each axis, as a tensor of pairs.
pub(super) fn padding(low: &[i64], high: &[i64]) -> Attr {
    let pairs: Vec<i64> = low.iter().zip(high).flat_map(|(&l, &h)| [l, h]).collect();
    dense(&Literal::from_slice(&[low.len(), 2], &pairs).expect("invariant: a pair for each axis"))
}

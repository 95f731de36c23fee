//! Ops that StableHLO lacks.

use jarrah_base::DType;
use jarrah_hlo::ops::{Attention, AttentionKind, BlockIndex, BlockSpec, CustomRule, Kernel, Rule, Scan};

use super::Exporter;
use super::attributes::{integer, integers};
use crate::ir::{Attr, Attributes, Element, Op};

impl<'p> Exporter<'p> {
    pub(super) fn scan(&mut self, op: &'p Scan, out: &mut Op) {
        out.regions.push(self.closed(&op.body, "stablehlo.return"));
        out.attributes.set("carry", integer(op.carry));
        out.attributes.set("consts", integer(op.consts));
        out.attributes.set("length", integer(op.length));
        out.attributes.set("reverse", Attr::Bool(op.reverse));
    }

    pub(super) fn custom_rule(&mut self, op: &'p CustomRule, out: &mut Op) {
        out.regions.push(self.closed(&op.primal, "stablehlo.return"));
        let name = match &op.rule {
            Rule::Jvp(rule) => {
                out.regions.push(self.closed(rule, "stablehlo.return"));
                "jvp"
            }
            Rule::Vjp { forward, backward } => {
                out.regions.push(self.closed(forward, "stablehlo.return"));
                out.regions.push(self.closed(backward, "stablehlo.return"));
                "vjp"
            }
        };
        out.attributes.set("rule", Attr::string(name));
    }

    pub(super) fn kernel(&mut self, op: &'p Kernel, out: &mut Op) {
        out.regions.push(self.closed(&op.body, "stablehlo.return"));
        out.attributes.set("grid", integers(&op.grid));
        out.attributes.set("inputs", Attr::Array(op.inputs.iter().map(block_spec).collect()));
        out.attributes.set("outputs", Attr::Array(op.outputs.iter().map(|(_, s)| block_spec(s)).collect()));
    }
}

pub(super) fn attention(op: &Attention, out: &mut Op) {
    let kind = match op.kind {
        AttentionKind::Forward => "forward",
        AttentionKind::Tangent => "tangent",
        AttentionKind::Transpose => "transpose",
    };
    out.attributes.set("causal", Attr::Bool(op.causal));
    out.attributes.set("kind", Attr::string(kind));
    let scale = f64::from_bits(op.scale_bits);
    out.attributes.set("scale", Attr::Float(scale, Element::Number(DType::F64)));
}

fn block_spec(spec: &BlockSpec) -> Attr {
    let axis = |index: &BlockIndex| match index {
        BlockIndex::Whole => Attr::string("whole"),
        BlockIndex::First => Attr::string("first"),
        BlockIndex::Block { size, grid } => fields([("block", integer(*size)), ("grid", integer(*grid))]),
        BlockIndex::Point { grid } => fields([("point", integer(*grid))]),
    };
    Attr::Array(spec.axes.iter().map(axis).collect())
}

fn fields<const N: usize>(fields: [(&str, Attr); N]) -> Attr {
    let fields: Attributes = fields.into_iter().map(|(name, attr)| (name.into(), attr)).collect();
    Attr::Dictionary(fields)
}

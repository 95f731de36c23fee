use jarrah_base::DType;
use jarrah_hlo::Instr;
use jarrah_hlo::ops::{Attention, AttentionKind, BlockIndex, BlockSpec, CustomRule, Kernel, Rule, Scan};

use super::block::Block;
use super::operation::{array, integer};
use super::{Printer, literal};

impl Block<'_> {
    pub(super) fn scan(&mut self, printer: &mut Printer<'_>, instr: &Instr, op: &Scan) -> String {
        let body = self.closed_region(printer, &op.body);
        let properties = [
            ("carry", integer(op.carry)),
            ("consts", integer(op.consts)),
            ("length", integer(op.length)),
            ("reverse", op.reverse.to_string()),
        ];
        self.generic("jarrah.scan", instr, &properties, &[body])
    }

    pub(super) fn custom_rule(
        &mut self,
        printer: &mut Printer<'_>,
        instr: &Instr,
        op: &CustomRule,
    ) -> String {
        let mut regions = vec![self.closed_region(printer, &op.primal)];
        let rule = match &op.rule {
            Rule::Jvp(rule) => {
                regions.push(self.closed_region(printer, rule));
                "\"jvp\""
            }
            Rule::Vjp { forward, backward } => {
                regions.push(self.closed_region(printer, forward));
                regions.push(self.closed_region(printer, backward));
                "\"vjp\""
            }
        };
        self.generic("jarrah.custom_rule", instr, &[("rule", rule.to_owned())], &regions)
    }

    pub(super) fn attention(&self, instr: &Instr, op: &Attention) -> String {
        let kind = match op.kind {
            AttentionKind::Forward => "\"forward\"",
            AttentionKind::Tangent => "\"tangent\"",
            AttentionKind::Transpose => "\"transpose\"",
        };
        let scale = literal::float(DType::F64, f64::from_bits(op.scale_bits), &op.scale_bits.to_le_bytes());
        let properties = [
            ("causal", op.causal.to_string()),
            ("kind", kind.to_owned()),
            ("scale", format!("{scale} : f64")),
        ];
        self.generic("jarrah.attention", instr, &properties, &[])
    }

    pub(super) fn kernel(&mut self, printer: &mut Printer<'_>, instr: &Instr, op: &Kernel) -> String {
        let body = self.closed_region(printer, &op.body);
        let inputs: Vec<String> = op.inputs.iter().map(block_spec).collect();
        let outputs: Vec<String> = op.outputs.iter().map(|(_, spec)| block_spec(spec)).collect();
        let properties = [
            ("grid", array(&op.grid)),
            ("inputs", format!("[{}]", inputs.join(", "))),
            ("outputs", format!("[{}]", outputs.join(", "))),
        ];
        self.generic("jarrah.kernel", instr, &properties, &[body])
    }
}

fn block_spec(spec: &BlockSpec) -> String {
    let axis = |index: &BlockIndex| match index {
        BlockIndex::Whole => "\"whole\"".to_owned(),
        BlockIndex::Block { size, grid } => format!("{{block = {size} : i64, grid = {grid} : i64}}"),
        BlockIndex::Point { grid } => format!("{{point = {grid} : i64}}"),
        BlockIndex::First => "\"first\"".to_owned(),
    };
    format!("[{}]", spec.axes.iter().map(axis).collect::<Vec<_>>().join(", "))
}

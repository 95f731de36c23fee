//! Ops that StableHLO lacks.

use jarrah_base::DType;
use jarrah_hlo::ops::{
    Attention, AttentionInputs, AttentionKind, AttentionMoves, AxisGroups, BlockIndex, BlockSpec, Collective,
    CollectiveKind, CustomRule, GroupMatrices, Kernel, KernelForm, LinearSolve, ManualComputation, NamedAxis,
    RaggedDot, RaggedKind, Reducer, Remat, Rule, Saveable, Scan, Start,
};
use jarrah_hlo::sharding::{TensorSharding, quoted_name};

use super::Exporter;
use super::attributes::{integer, integers};
use crate::ir::{Attr, Attributes, ElementTy, IrOp};

impl<'p> Exporter<'p> {
    pub(super) fn scan(&mut self, op: &'p Scan, out: &mut IrOp) {
        out.regions.push(self.closed(&op.body, "stablehlo.return"));
        out.attributes.set("carry", integer(op.carry));
        out.attributes.set("consts", integer(op.consts));
        out.attributes.set("length", integer(op.length));
        out.attributes.set("reverse", Attr::Bool(op.reverse));
    }

    pub(super) fn custom_rule(&mut self, op: &'p CustomRule, out: &mut IrOp) {
        out.regions.push(self.closed(&op.primal, "stablehlo.return"));
        let name = match &op.rule {
            Rule::Jvp(rule) => {
                out.regions.push(self.closed(rule, "stablehlo.return"));
                "jvp"
            }
            Rule::Tangent(rule) => {
                out.regions.push(self.closed(rule, "stablehlo.return"));
                "tangent"
            }
            Rule::Vjp { forward, backward } => {
                out.regions.push(self.closed(forward, "stablehlo.return"));
                out.regions.push(self.closed(backward, "stablehlo.return"));
                "vjp"
            }
            Rule::Transpose(rule) => {
                out.regions.push(self.closed(rule, "stablehlo.return"));
                "transpose"
            }
            Rule::Batch(_) => "batch",
        };
        out.attributes.set("rule", Attr::string(name));
        out.attributes.set("captures", integer(op.captures));
    }

    pub(super) fn remat(&mut self, op: &'p Remat, out: &mut IrOp) {
        out.regions.push(self.closed(&op.body, "stablehlo.return"));
        out.attributes.set("saveable", saveable(&op.saveable));
    }

    pub(super) fn linear_solve(&mut self, op: &'p LinearSolve, out: &mut IrOp) {
        let transposed = op.transpose.iter().flat_map(|t| [&t.matvec, &t.solve]);
        for program in [&op.matvec, &op.solve].into_iter().chain(transposed) {
            out.regions.push(self.closed(program, "stablehlo.return"));
        }
        out.attributes.set("consts", integer(op.consts));
    }

    pub(super) fn kernel(&mut self, op: &'p Kernel, out: &mut IrOp) {
        for program in std::iter::once(&op.body).chain(&op.map) {
            out.regions.push(self.closed(program, "stablehlo.return"));
        }
        let arbitrary: Vec<usize> = (0..op.grid.len()).filter(|&axis| op.arbitrary[axis]).collect();
        if !arbitrary.is_empty() {
            out.attributes.set("arbitrary", integers(&arbitrary));
        }
        if let Some(flops) = op.flops {
            out.attributes.set("flops", Attr::Integer(flops.into(), ElementTy::Number(DType::U64)));
        }
        match op.form {
            KernelForm::Steps => {}
            KernelForm::Loop => out.attributes.set("form", Attr::string("loop")),
            KernelForm::Contract => out.attributes.set("form", Attr::string("contract")),
        }
        out.attributes.set("grid", integers(&op.grid));
        out.attributes.set("inputs", Attr::Array(op.inputs.iter().map(block_spec).collect()));
        out.attributes.set("outputs", Attr::Array(op.outputs.iter().map(|o| block_spec(&o.block)).collect()));
        if op.prefetch > 0 {
            out.attributes.set("prefetch", integer(op.prefetch));
        }
        if !op.scratch.is_empty() {
            let types = op.scratch.iter().map(|&ty| Attr::Type(super::types::ty(ty)));
            out.attributes.set("scratch", Attr::Array(types.collect()));
        }
        if op.held().next().is_some() {
            let starts = op.outputs.iter().map(|output| match output.start {
                Start::Fresh => Attr::string("fresh"),
                Start::Zeros => Attr::string("zeros"),
                Start::Operand(i) => fields([("operand", integer(i))]),
            });
            out.attributes.set("starts", Attr::Array(starts.collect()));
        }
    }
}

/// The policy of a checkpoint: its name, then the names of values or the policies that it holds.
fn saveable(policy: &Saveable) -> Attr {
    let listed = |kind: &str, names: &[Box<str>]| {
        let names = names.iter().map(|name| Attr::string(name));
        Attr::Array(std::iter::once(Attr::string(kind)).chain(names).collect())
    };
    match policy {
        Saveable::Nothing => Attr::string("nothing"),
        Saveable::Dots => Attr::string("dots"),
        Saveable::DotsWithNoBatchDims => Attr::string("dots_with_no_batch_dims"),
        Saveable::Names(names) => listed("names", names),
        Saveable::NamesBut(names) => listed("names_but", names),
        Saveable::AllBut(names) => listed("all_but", names),
        Saveable::Either(policies) => {
            let policies = policies.iter().map(saveable);
            Attr::Array(std::iter::once(Attr::string("either")).chain(policies).collect())
        }
    }
}

pub(super) fn named_axis(axis: &NamedAxis, out: &mut IrOp) {
    out.attributes.set("axis", Attr::string(&axis.name));
    out.attributes.set("size", integer(axis.size));
}

pub(super) fn collective(op: &Collective, out: &mut IrOp) {
    let AxisGroups { axes, groups } = &op.over;
    out.attributes.set("axes", Attr::Array(axes.iter().map(|axis| Attr::string(&axis.name)).collect()));
    out.attributes.set("sizes", integers(&axes.iter().map(|axis| axis.size).collect::<Vec<_>>()));
    if let Some(groups) = groups {
        let group = |group: &[u32]| Attr::i64s(group.iter().map(|&at| at.into()));
        out.attributes.set("groups", Attr::Array(groups.iter().map(|members| group(members)).collect()));
    }
    if let Some(function) = op.kind.reducer().and_then(Reducer::elementwise) {
        out.attributes.set("reducer", Attr::string(function.name()));
    }
    if let CollectiveKind::Permute(sources) = &op.kind {
        let numbers = sources.iter().map(|source| source.map_or(-1, i64::from));
        out.attributes.set("sources", Attr::i64s(numbers));
    }
}

impl<'p> Exporter<'p> {
    pub(super) fn manual_computation(&mut self, op: &'p ManualComputation, out: &mut IrOp) {
        let cuts = |all: &[TensorSharding]| {
            let one = |sharding: &TensorSharding| {
                sharding.to_string().trim_start_matches("#sdy.sharding").to_owned()
            };
            let all: Vec<String> = all.iter().map(one).collect();
            Attr::Opaque(format!("#sdy.sharding_per_value<[{}]>", all.join(", ")).into())
        };
        let axes: Vec<String> = op.axes.iter().map(|name| quoted_name(name)).collect();
        out.attributes.set("in_shardings", cuts(&op.operands));
        out.attributes.set("out_shardings", cuts(&op.results));
        out.attributes
            .set("manual_axes", Attr::Opaque(format!("#sdy<manual_axes{{{}}}>", axes.join(", ")).into()));
        self.manuals.push(op);
        out.regions.push(self.closed(&op.body, "sdy.return"));
        self.manuals.pop();
    }
}

pub(super) fn ragged_dot(op: &RaggedDot, out: &mut IrOp) {
    let kind = match op.kind {
        RaggedKind::Rows(GroupMatrices::Plain) => "rows",
        RaggedKind::Rows(GroupMatrices::Transposed) => "rows_transposed",
        RaggedKind::Rows(GroupMatrices::Panels) => "rows_in_panels",
        RaggedKind::Contracted => "contracted",
    };
    out.attributes.set("kind", Attr::string(kind));
}

pub(super) fn attention(op: &Attention, out: &mut IrOp) {
    let number = |x: f64| Attr::Float(x, ElementTy::Number(DType::F64));
    let list = |names: Vec<&str>| Attr::Array(names.into_iter().map(Attr::string).collect());
    let (kind, moves) = match op.kind {
        AttentionKind::Forward => ("forward", AttentionMoves::default()),
        AttentionKind::Tangent(moves) => ("tangent", moves),
        AttentionKind::Transpose(moves) => ("transpose", moves),
    };
    if op.apart {
        out.attributes.set("apart", Attr::Bool(true));
    }
    for (name, bound) in [("after", op.after), ("before", op.before)] {
        if let Some(bound) = bound {
            out.attributes.set(name, integer(bound as usize));
        }
    }
    if op.hidden() != f64::NEG_INFINITY {
        out.attributes.set("hidden", number(op.hidden()));
    }
    if op.inputs.count() > AttentionInputs::default().count() {
        out.attributes.set("inputs", list(op.inputs.names()));
    }
    out.attributes.set("kind", Attr::string(kind));
    let moves: Vec<&str> = [("bias", moves.bias), ("sinks", moves.sinks)]
        .into_iter()
        .filter_map(|(name, m)| m.then_some(name))
        .collect();
    if !moves.is_empty() {
        out.attributes.set("moves", list(moves));
    }
    out.attributes.set("scale", number(op.scale()));
    if let Some(cap) = op.softcap() {
        out.attributes.set("softcap", number(cap));
    }
}

fn block_spec(spec: &BlockSpec) -> Attr {
    let axis = |index: &BlockIndex| match index {
        BlockIndex::Whole => Attr::string("whole"),
        BlockIndex::First => Attr::string("first"),
        BlockIndex::Block { size, grid } => fields([("block", integer(*size)), ("grid", integer(*grid))]),
        BlockIndex::Point { grid } => fields([("point", integer(*grid))]),
        BlockIndex::At { size, unit, result } => {
            fields([("at", integer(*result)), ("size", integer(*size)), ("unit", integer(*unit))])
        }
        BlockIndex::PointAt { result } => fields([("point_at", integer(*result))]),
    };
    Attr::Array(spec.axes.iter().map(axis).collect())
}

fn fields<const N: usize>(fields: [(&str, Attr); N]) -> Attr {
    let fields: Attributes = fields.into_iter().map(|(name, attr)| (name.into(), attr)).collect();
    Attr::Dictionary(fields)
}

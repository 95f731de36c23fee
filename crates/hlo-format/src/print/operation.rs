use jarrah_base::ElementKind;
use jarrah_hlo::ops::{Comparison, DotGeneral, ElementwiseKind, Gather, Reduce, Reducer, Slice};
use jarrah_hlo::{Instr, Op};

use super::block::{Block, location};
use super::{Printer, literal, types, windows};
use crate::names;

impl Block<'_> {
    /// One instruction with its location.
    pub fn instruction(&mut self, printer: &mut Printer<'_>, instr: &Instr) {
        let text = self.operation(printer, instr);
        let names = match &instr.op {
            // The text has the extreme value as its first result.
            Op::Reduce(Reduce { reducer: Reducer::ArgMax(_) | Reducer::ArgMin(_), .. }) => {
                let names = self.bind(2);
                let position = self.names.pop();
                self.names.pop();
                self.names.extend(position);
                names
            }
            _ => self.bind(instr.results().len()),
        };
        let mut line = names + &text;
        if printer.options.locations {
            line.push_str(&location(instr.source));
        }
        self.line(&line);
    }

    /// An instruction without its results: name, operands, attributes, regions, types.
    fn operation(&mut self, printer: &mut Printer<'_>, instr: &Instr) -> String {
        let uses = self.uses(&instr.operands);
        let signature = self.signature(instr);
        let result = instr.results().next().map(|v| types::ty(self.program.ty(v))).unwrap_or_default();
        match &instr.op {
            Op::Elementwise(op) => match names::dialect(op.kind) {
                "chlo" => self.chlo(op.kind, instr),
                _ => format!("stablehlo.{} {uses} : {result}", op.kind.name()),
            },
            Op::Compare(op) => {
                let kind = match self.program.ty(instr.operands[0]).dtype().kind() {
                    ElementKind::Float if op.total_order => "TOTALORDER",
                    ElementKind::Float | ElementKind::Complex => "FLOAT",
                    ElementKind::Signed => "SIGNED",
                    ElementKind::Unsigned | ElementKind::Bool => "UNSIGNED",
                };
                format!("stablehlo.compare {}, {uses}, {kind} : {signature}", comparison(op.comparison))
            }
            Op::Select(_) => {
                let types = self.operand_types(instr);
                format!("stablehlo.select {uses} : {}", types::list(&types[..2]))
            }
            Op::Clamp(_) => format!("stablehlo.clamp {uses} : {result}"),
            Op::Convert(_) => format!("stablehlo.convert {uses} : {signature}"),
            Op::BitcastConvert(_) => format!("stablehlo.bitcast_convert {uses} : {signature}"),
            Op::Constant(op) => format!("stablehlo.constant {}", literal::dense(&op.value, printer.options)),
            Op::Iota(op) => format!("stablehlo.iota dim = {} : {result}", op.axis),
            Op::BroadcastInDim(op) => {
                format!("stablehlo.broadcast_in_dim {uses}, dims = {} : {signature}", numbers(&op.axes))
            }
            Op::Reshape(_) => format!("stablehlo.reshape {uses} : {signature}"),
            Op::TransposeAxes(op) => {
                format!("stablehlo.transpose {uses}, dims = {} : {signature}", numbers(&op.permutation))
            }
            Op::Reverse(op) => format!("stablehlo.reverse {uses}, dims = {} : {result}", numbers(&op.axes)),
            Op::Slice(op) => format!("stablehlo.slice {uses} {} : {signature}", ranges(op)),
            Op::Pad(op) => {
                let (low, high, interior) = (numbers(&op.low), numbers(&op.high), numbers(&op.interior));
                format!(
                    "stablehlo.pad {uses}, low = {low}, high = {high}, interior = {interior} : {signature}"
                )
            }
            Op::Concatenate(op) => format!("stablehlo.concatenate {uses}, dim = {} : {signature}", op.axis),
            Op::DynamicSlice(op) => {
                format!("stablehlo.dynamic_slice {uses}, sizes = {} : {signature}", numbers(&op.sizes))
            }
            Op::DynamicUpdateSlice(_) => format!("stablehlo.dynamic_update_slice {uses} : {signature}"),
            Op::Gather(op) => self.generic("stablehlo.gather", instr, &gather(op), &[]),
            Op::Scatter(op) => self.scatter(printer, instr, op),
            Op::Convolution(op) => {
                self.generic("stablehlo.convolution", instr, &windows::convolution(op), &[])
            }
            Op::DotGeneral(op) => format!("stablehlo.dot_general {uses}{} : {signature}", contraction(op)),
            Op::Reduce(op) => self.reduce(printer, instr, op),
            Op::ReducePrecision(op) => format!(
                "stablehlo.reduce_precision {uses}, format = e{}m{} : {result}",
                op.exponent_bits, op.mantissa_bits
            ),
            Op::ReduceWindow(op) => self.reduce_window(printer, instr, op),
            Op::WindowArg(op) => self.window_arg(printer, instr, op),
            Op::Sort(op) => self.sort(printer, instr, op),
            Op::While(op) => self.while_loop(printer, instr, op),
            Op::Case(op) => self.case(printer, instr, op),
            Op::Call(op) => format!("func.call @{}({uses}) : {signature}", printer.callee_symbol(&op.callee)),
            Op::OptimizationBarrier(_) => match &instr.operands[..] {
                [] => self.generic("stablehlo.optimization_barrier", instr, &[], &[]),
                _ => format!(
                    "stablehlo.optimization_barrier {uses} : {}",
                    types::list(&self.operand_types(instr))
                ),
            },
            Op::Scan(op) => self.scan(printer, instr, op),
            Op::Remat(op) => {
                let body = self.closed_region(printer, &op.body);
                self.generic("jarrah.remat", instr, &[], &[body])
            }
            Op::CustomRule(op) => self.custom_rule(printer, instr, op),
            Op::CustomTangent(op) => {
                let backward = self.closed_region(printer, &op.backward);
                let residuals = ("residuals", integer(op.residuals));
                self.generic("jarrah.custom_tangent", instr, &[residuals], &[backward])
            }
            Op::Threefry2x32(_) => self.generic("jarrah.threefry2x32", instr, &[], &[]),
            Op::Attention(op) => self.attention(instr, op),
            Op::Kernel(op) => self.kernel(printer, instr, op),
            Op::Load(_) => self.generic("jarrah.load", instr, &[], &[]),
            Op::Store(_) => self.generic("jarrah.store", instr, &[], &[]),
            Op::ProgramId(op) => self.generic("jarrah.program_id", instr, &[("axis", integer(op.axis))], &[]),
        }
    }

    fn chlo(&self, kind: ElementwiseKind, instr: &Instr) -> String {
        let (operands, results) = (self.operand_types(instr), self.result_types(instr));
        let uses = self.uses(&instr.operands);
        format!("chlo.{} {uses} : {} -> {}", kind.name(), types::list(&operands), types::list(&results))
    }

    /// `"name"(operands) <{properties}> ({regions}) : type`.
    pub fn generic(
        &self,
        name: &str,
        instr: &Instr,
        properties: &[(&str, String)],
        regions: &[String],
    ) -> String {
        self.generic_on(name, &self.uses(&instr.operands), properties, regions, &self.signature(instr))
    }

    pub fn generic_on(
        &self,
        name: &str,
        uses: &str,
        properties: &[(&str, String)],
        regions: &[String],
        signature: &str,
    ) -> String {
        let mut out = format!("\"{name}\"({uses})");
        if !properties.is_empty() {
            let all: Vec<String> = properties
                .iter()
                .map(
                    |(name, value)| {
                        if value.is_empty() { (*name).to_owned() } else { format!("{name} = {value}") }
                    },
                )
                .collect();
            out.push_str(&format!(" <{{{}}}>", all.join(", ")));
        }
        if !regions.is_empty() {
            out.push_str(&format!(" ({})", regions.join(", ")));
        }
        out.push_str(" : ");
        out.push_str(signature);
        out
    }
}

pub(super) fn comparison(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Eq => "EQ",
        Comparison::Ne => "NE",
        Comparison::Lt => "LT",
        Comparison::Le => "LE",
        Comparison::Gt => "GT",
        Comparison::Ge => "GE",
    }
}

/// `[0, 2]`.
pub(super) fn numbers(list: &[impl ToString]) -> String {
    format!("[{}]", list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

/// `array<i64: 0, 2>`.
pub(super) fn array(list: &[usize]) -> String {
    match list {
        [] => "array<i64>".to_owned(),
        list => {
            format!("array<i64: {}>", list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}

pub(super) fn integer(n: usize) -> String {
    format!("{n} : i64")
}

/// `[0:4, 2:8:2]`.
fn ranges(op: &Slice) -> String {
    let range = |i: usize| match op.strides[i] {
        1 => format!("{}:{}", op.starts[i], op.limits[i]),
        stride => format!("{}:{}:{stride}", op.starts[i], op.limits[i]),
    };
    format!("[{}]", (0..op.starts.len()).map(range).collect::<Vec<_>>().join(", "))
}

fn contraction(op: &DotGeneral) -> String {
    let mut out = String::new();
    if !op.lhs_batch.is_empty() {
        out.push_str(&format!(", batching_dims = {} x {}", numbers(&op.lhs_batch), numbers(&op.rhs_batch)));
    }
    format!("{out}, contracting_dims = {} x {}", numbers(&op.lhs_contract), numbers(&op.rhs_contract))
}

/// The fields of a structured attribute, those that are not empty.
pub(super) fn fields(name: &str, lists: &[(&str, &[usize])], index_vector_axis: usize) -> String {
    let mut all: Vec<String> = lists
        .iter()
        .filter(|(_, l)| !l.is_empty())
        .map(|(name, l)| format!("{name} = {}", numbers(l)))
        .collect();
    if index_vector_axis > 0 {
        all.push(format!("index_vector_dim = {index_vector_axis}"));
    }
    format!("#stablehlo.{name}<{}>", all.join(", "))
}

fn gather(op: &Gather) -> [(&'static str, String); 3] {
    let lists = [
        ("offset_dims", &op.offset_axes[..]),
        ("collapsed_slice_dims", &op.collapsed_axes),
        ("operand_batching_dims", &op.operand_batch_axes),
        ("start_indices_batching_dims", &op.indices_batch_axes),
        ("start_index_map", &op.index_map),
    ];
    [
        ("dimension_numbers", fields("gather", &lists, op.index_vector_axis)),
        ("indices_are_sorted", op.sorted.to_string()),
        ("slice_sizes", array(&op.sizes)),
    ]
}

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::{ElementwiseKind, Reduce, Reducer, Scatter, Sort, SortOrder, Update};
use jarrah_hlo::{Instr, Program};

use super::block::Block;
use super::operation::{fields, integer, numbers};
use super::{Printer, literal, types};
use crate::templates;

impl Block<'_> {
    /// A line for an op that the text needs and the program does not have; returns the name of its result.
    fn implied(&mut self, text: &str) -> String {
        let name = self.counters.value();
        self.line(&format!("{name} = {text}"));
        name
    }

    fn implied_constant(&mut self, printer: &Printer<'_>, value: &Literal) -> String {
        self.implied(&format!(
            "stablehlo.constant {{jarrah.implied}} {}",
            literal::dense(value, printer.options)
        ))
    }

    pub(super) fn identity(&mut self, printer: &Printer<'_>, kind: ElementwiseKind, dtype: DType) -> String {
        let value = templates::identity(kind, dtype).expect("invariant: scalars have concrete extents");
        self.implied_constant(printer, &value)
    }

    pub(super) fn reduce(&mut self, printer: &mut Printer<'_>, instr: &Instr, op: &Reduce) -> String {
        let axes = numbers(&op.axes);
        match &op.reducer {
            Reducer::ArgMax(index) => self.arg_reduce(printer, instr, &axes, true, *index),
            Reducer::ArgMin(index) => self.arg_reduce(printer, instr, &axes, false, *index),
            Reducer::General(body) => {
                let (inputs, inits) = instr.operands.split_at(instr.operands.len() / 2);
                let pairs = inputs.iter().zip(inits);
                let pairs: Vec<String> = pairs
                    .map(|(&x, &init)| format!("({} init: {})", self.name(x), self.name(init)))
                    .collect();
                let signature = self.signature(instr);
                let region = self.reducer_region(printer, body);
                format!(
                    "stablehlo.reduce{} across dimensions = {axes} {{jarrah.general}} : {signature}\n{region}",
                    pairs.join(", ")
                )
            }
            folding => {
                let kind = templates::fold(folding).expect("invariant: the other reducers are handled above");
                let x = instr.operands[0];
                let ty = self.program.ty(x);
                let init = self.identity(printer, kind, ty.dtype());
                let signature = types::signature(&[ty, Type::scalar(ty.dtype())], &self.result_types(instr));
                format!(
                    "stablehlo.reduce({} init: {init}) applies stablehlo.{} across dimensions = {axes} : {signature}",
                    self.name(x),
                    kind.name()
                )
            }
        }
    }

    /// The reduction of values together with their positions.
    fn arg_reduce(
        &mut self,
        printer: &mut Printer<'_>,
        instr: &Instr,
        axes: &str,
        largest: bool,
        index: DType,
    ) -> String {
        let x = instr.operands[0];
        let ty = self.program.ty(x);
        let axis = axes.trim_matches(['[', ']']);
        let positions = ty.with_dtype(index);
        let iota = self
            .implied(&format!("stablehlo.iota dim = {axis} {{jarrah.implied}} : {}", types::ty(positions)));
        let kind = if largest { ElementwiseKind::Maximum } else { ElementwiseKind::Minimum };
        let init = self.identity(printer, kind, ty.dtype());
        let first = self.identity(printer, ElementwiseKind::Add, index);
        let result = self.result_types(instr)[0];
        let operands = [ty, positions, Type::scalar(ty.dtype()), Type::scalar(index)];
        let signature = types::signature(&operands, &[result.with_dtype(ty.dtype()), result]);
        let body =
            templates::arg_reducer(largest, ty.dtype(), index).expect("invariant: every dtype compares");
        let region = self.reducer_region(printer, &body);
        format!(
            "stablehlo.reduce({} init: {init}), ({iota} init: {first}) across dimensions = {axes} : {signature}\n{region}",
            self.name(x)
        )
    }

    /// `reducer(%a: type, %x: type) ... {ops}` on a line of its own.
    fn reducer_region(&mut self, printer: &mut Printer<'_>, body: &Program) -> String {
        let params: Vec<String> = body.params().iter().map(|_| self.counters.param()).collect();
        let count = params.len() / 2;
        let typed = |i: usize| format!("{}: {}", params[i], types::ty(body.params()[i].ty));
        let pairs: Vec<String> =
            (0..count).map(|i| format!("({}, {})", typed(i), typed(i + count))).collect();
        let region = self.inner(printer, body, params.clone(), "");
        format!("{}reducer{} {{\n{region}", " ".repeat(self.indent + 1), pairs.join(" "))
    }

    pub(super) fn sort(&mut self, printer: &mut Printer<'_>, instr: &Instr, op: &Sort) -> String {
        let dtypes: Vec<DType> = self.operand_types(instr).iter().map(|t| t.dtype()).collect();
        let template = |keys: usize, descending: bool| {
            templates::comparator(&dtypes, keys, descending).expect("invariant: every dtype compares")
        };
        let mut properties = vec![("dimension", integer(op.axis)), ("is_stable", op.stable.to_string())];
        let comparator = match &op.order {
            SortOrder::Ascending { keys } => self.closed_region(printer, &template(*keys, false)),
            SortOrder::Descending { keys } => self.closed_region(printer, &template(*keys, true)),
            SortOrder::General(comparator) => {
                properties.push(("jarrah.general", String::new()));
                self.closed_region(printer, comparator)
            }
        };
        self.with_discardable("stablehlo.sort", instr, properties, comparator)
    }

    pub(super) fn scatter(&mut self, printer: &mut Printer<'_>, instr: &Instr, op: &Scatter) -> String {
        let lists = [
            ("update_window_dims", &op.window_axes[..]),
            ("inserted_window_dims", &op.inserted_axes),
            ("input_batching_dims", &op.operand_batch_axes),
            ("scatter_indices_batching_dims", &op.indices_batch_axes),
            ("scatter_dims_to_operand_dims", &op.index_map),
        ];
        let mut properties = vec![
            ("indices_are_sorted", op.sorted.to_string()),
            ("scatter_dimension_numbers", fields("scatter", &lists, op.index_vector_axis)),
            ("unique_indices", op.unique.to_string()),
        ];
        let dtype = self.program.ty(instr.operands[0]).dtype();
        let region = match &op.update {
            Update::Assign => templates::second(dtype).map(|t| self.closed_region(printer, &t)),
            Update::Reduce(Reducer::General(body)) => {
                properties.push(("jarrah.general", String::new()));
                Ok(self.closed_region(printer, body))
            }
            Update::Reduce(reducer) => match templates::fold(reducer) {
                Some(kind) => templates::binary(kind, dtype).map(|t| self.closed_region(printer, &t)),
                // Positions cannot be scattered, so no program that verifies has this.
                None => Ok("{\n\"jarrah.invalid\"() : () -> ()\n}".to_owned()),
            },
        };
        let region = region.expect("invariant: inference checked that the update applies to the dtype");
        self.with_discardable("stablehlo.scatter", instr, properties, region)
    }

    /// A generic op whose last property, if it is one of ours, stands among the discardable attributes.
    pub(super) fn with_discardable(
        &self,
        name: &str,
        instr: &Instr,
        mut properties: Vec<(&str, String)>,
        region: String,
    ) -> String {
        let ours = properties.pop_if(|(name, _)| name.starts_with("jarrah."));
        let region = match ours {
            Some((name, _)) => format!("({region}) {{{name}}}"),
            None => format!("({region})"),
        };
        let head = self.generic_on(name, &self.uses(&instr.operands), &properties, &[], "");
        let head = head.trim_end_matches([' ', ':']);
        format!("{head} {region} : {}", self.signature(instr))
    }
}

use super::structures::{convolution_axes, fields};
use super::{Printer, attributes, types};
use crate::assembly::format::Directive;
use crate::ir::{Attr, ElementTy, IrOp, Ty};

impl<'m> Printer<'m> {
    /// A piece of text that has its own code; its shape has been checked.
    // A table: a row for each directive.
    pub(super) fn directive(&mut self, directive: Directive, op: &'m IrOp) {
        match directive {
            Directive::Signature => {
                self.space();
                self.signature(op);
            }
            Directive::Same => {
                self.space();
                let module = self.module;
                match &op.results[..] {
                    [result] if op.operands.iter().all(|v| module.ty(*v) == module.ty(*result)) => {
                        types::ty(module.ty(*result), &mut self.out);
                    }
                    _ => self.signature(op),
                }
            }
            Directive::OperandTypes => {
                self.space();
                self.types_of(&op.operands);
            }
            Directive::OperandTypesIfAny => {
                if !op.operands.is_empty() {
                    self.push(" : ");
                    self.types_of(&op.operands);
                }
            }
            Directive::ResultTypes | Directive::TupleType => {
                self.space();
                self.types_of(&op.results);
            }
            Directive::SelectType => {
                self.space();
                let module = self.module;
                let ty = |i: usize| op.operands.get(i).map(|v| module.ty(*v));
                let result = op.results.first().map(|v| module.ty(*v));
                if ty(1) == result && ty(2) == result {
                    self.types_of(&op.operands[..2]);
                } else {
                    self.signature(op);
                }
            }
            Directive::ComplexType => {
                self.space();
                if self.operands_are_parts(op) { self.types_of(&op.results) } else { self.signature(op) }
            }
            Directive::OperandsAndComma => {
                let fixed = op.definition.signature().operand_count().0;
                if let Some(rest) = op.operands.get(fixed..).filter(|r| !r.is_empty()) {
                    self.space();
                    self.values(rest);
                    self.out.push(',');
                }
            }
            Directive::Barrier => {
                if op.operands.is_empty() {
                    self.push("()");
                } else {
                    self.space();
                    self.values(&op.operands);
                    self.push(" : ");
                    self.types_of(&op.operands);
                }
            }
            Directive::Value => self.constant_value(op),
            Directive::Constant => {
                self.remaining(op, "");
                self.constant_value(op);
            }
            Directive::Slice => self.slice(op),
            Directive::Precision => {
                if let Some(Attr::Array(list)) = op.attr("precision_config") {
                    self.push(", precision = [");
                    self.commas(list, |p, attr| match attr {
                        Attr::Enum(_, word) => p.push(word),
                        other => attributes::attribute(other, &mut p.out),
                    });
                    self.out.push(']');
                }
            }
            Directive::Algorithm => {
                if let Some(Attr::Struct(name, inner)) = op.attr("algorithm") {
                    self.push(", algorithm = ");
                    fields(name, inner, &mut self.out);
                }
            }
            Directive::DotDimensions => self.dot_dimensions(op),
            Directive::ConvolutionDimensions => {
                self.space();
                if let Some(Attr::Struct(_, inner)) = op.attr("dimension_numbers")
                    && let Some(axes) = convolution_axes(inner)
                {
                    self.push(&axes);
                }
            }
            Directive::Window => self.window(op),
            Directive::ExponentMantissa => {
                self.space();
                let bits = |name: &str| op.attr(name).and_then(Attr::integer).unwrap_or(0);
                let text = format!("e{}m{}", bits("exponent_bits"), bits("mantissa_bits"));
                self.push(&text);
            }
            Directive::Target => {
                self.space();
                attributes::symbol_name(op.text("call_target_name").unwrap_or(""), &mut self.out);
            }
            Directive::SymbolName => {
                self.space();
                attributes::symbol_name(op.text("sym_name").unwrap_or(""), &mut self.out);
            }
            Directive::CompositeRegions => {
                if !op.regions.is_empty() {
                    self.push(" (");
                    self.commas(&op.regions, |p, region| p.region(region, true, ""));
                    self.out.push(')');
                }
            }
            Directive::Module => self.module_op(op),
            Directive::Function => self.function(op),
            Directive::Reduce => self.reduce(op),
            Directive::While => self.while_op(op),
            Directive::Scan => self.scan(op),
            Directive::ManualComputation => self.manual_computation(op),
            Directive::NamedComputation => self.named_computation(op),
        }
    }

    /// Whether the operands have the type of the result's real part.
    fn operands_are_parts(&self, op: &IrOp) -> bool {
        let Some(Ty::Tensor(result)) = op.results.first().map(|v| self.module.ty(*v)) else { return false };
        let ElementTy::Number(dtype) = result.element else { return false };
        let mut part = result.clone();
        part.element = ElementTy::Number(dtype.real());
        let part = Ty::Tensor(part);
        dtype.is_complex() && op.operands.iter().all(|v| *self.module.ty(*v) == part)
    }

    fn constant_value(&mut self, op: &'m IrOp) {
        self.space();
        if let Some(Attr::Dense(dense)) = op.attr("value") {
            self.dense(dense);
        }
    }

    fn slice(&mut self, op: &IrOp) {
        self.space();
        self.out.push('[');
        let list = |name: &str| op.attr(name).and_then(Attr::integers).unwrap_or_default();
        let (starts, limits, strides) = (list("start_indices"), list("limit_indices"), list("strides"));
        let ranges = starts.iter().zip(&limits).zip(&strides);
        self.commas(ranges, |p, ((start, limit), stride)| {
            p.push(&format!("{start}:{limit}"));
            if *stride != 1 {
                p.push(&format!(":{stride}"));
            }
        });
        self.out.push(']');
    }

    fn dot_dimensions(&mut self, op: &IrOp) {
        let Some(Attr::Struct(_, numbers)) = op.attr("dot_dimension_numbers") else { return };
        self.space();
        let list = |name: &str| numbers.get(name).and_then(Attr::integers).unwrap_or_default();
        let (left, right) = (list("lhs_batching_dimensions"), list("rhs_batching_dimensions"));
        if !left.is_empty() || !right.is_empty() {
            self.pair("batching_dims", &left, &right);
            self.push(", ");
        }
        self.pair(
            "contracting_dims",
            &list("lhs_contracting_dimensions"),
            &list("rhs_contracting_dimensions"),
        );
    }

    fn pair(&mut self, name: &str, left: &[i64], right: &[i64]) {
        self.push(name);
        self.push(" = ");
        attributes::integers(left, &mut self.out);
        self.push(" x ");
        attributes::integers(right, &mut self.out);
    }

    fn window(&mut self, op: &IrOp) {
        let names = [
            ("stride", "window_strides"),
            ("pad", "padding"),
            ("lhs_dilate", "lhs_dilation"),
            ("rhs_dilate", "rhs_dilation"),
            ("reverse", "window_reversal"),
        ];
        let given = names.into_iter().filter_map(|(word, name)| Some((word, op.attr(name)?.integers()?)));
        self.commas(given, |p, (word, list)| {
            p.push(word);
            p.push(" = [");
            match word {
                "pad" => p.commas(list.chunks_exact(2), |p, row| attributes::integers(row, &mut p.out)),
                "reverse" => p.commas(list, |p, n| p.push(if n == 0 { "false" } else { "true" })),
                _ => attributes::bare_integers(&list, &mut p.out),
            }
            p.out.push(']');
        });
        self.spacing = super::Spacing::default();
    }
}

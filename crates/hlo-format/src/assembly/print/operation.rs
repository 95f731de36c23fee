use jarrah_base::work;

use super::{Printer, Spacing, attributes, types};
use crate::assembly::format::Piece;
use crate::ir::{Attr, ElementTy, IrOp, Region, Ty, ValueId};

impl<'m> Printer<'m> {
    /// An op on lines of its own; names of the dialect `default` are short.
    pub(super) fn operation(&mut self, op: &'m IrOp, default: &str) {
        work::step(1);
        let integers = op.results.first().is_some_and(|r| is_integer(self.module.ty(*r)));
        self.names.results(op, integers);
        if !op.results.is_empty() {
            self.names.write_definition(&op.results, &mut self.out);
            self.push(" = ");
        }
        match op.definition.format() {
            Some(format) if !self.options.generic && self.fits(op, &format.0) => {
                let name = match op.name().split_once('.') {
                    Some((dialect, short)) if dialect == default => short,
                    _ => op.name(),
                };
                self.push(name);
                self.spacing = Spacing::default();
                self.pieces(op, &format.0);
            }
            _ => self.generic(op),
        }
        self.location(&op.loc);
        self.out.push('\n');
        self.flush_if_long();
    }

    /// The ops of a region, each indented.
    pub(super) fn ops(&mut self, region: &'m Region, default: &str) {
        self.indent += 1;
        for op in &region.ops {
            for _ in 0..self.indent {
                self.out.push_str("  ");
            }
            self.operation(op, default);
        }
        self.indent -= 1;
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    /// `{...}`; its arguments, which have been named, are shown if they are not shown elsewhere.
    pub(super) fn region(&mut self, region: &'m Region, show_args: bool, default: &str) {
        let before = self.names.counters();
        self.out.push_str("{\n");
        if show_args {
            self.names.arguments(&region.args);
            if !region.args.is_empty() {
                for _ in 0..self.indent {
                    self.out.push_str("  ");
                }
                self.push("^bb0(");
                self.commas(region.args.iter().copied(), Self::typed_argument);
                self.push("):\n");
            }
        }
        self.ops(region, default);
        self.out.push('}');
        self.names.restore(before);
    }

    /// `%arg0: a loc(...)`.
    pub(super) fn typed_argument(&mut self, arg: ValueId) {
        self.value(arg);
        self.push(": ");
        let module = self.module;
        types::ty(module.ty(arg), &mut self.out);
        self.location(&module.data(arg).loc);
    }

    pub(super) fn value(&mut self, value: ValueId) {
        self.names.write(value, &mut self.out);
    }

    pub(super) fn values(&mut self, values: &[ValueId]) {
        self.commas(values.iter().copied(), Self::value);
    }

    pub(super) fn types_of(&mut self, values: &[ValueId]) {
        let module = self.module;
        types::list(values.iter().map(|v| module.ty(*v)), &mut self.out);
    }

    /// `(a, b) -> c`.
    pub(super) fn signature(&mut self, op: &IrOp) {
        self.out.push('(');
        self.types_of(&op.operands);
        self.push(") -> ");
        let module = self.module;
        match &op.results[..] {
            [only] if !matches!(module.ty(*only), Ty::Function(_)) => {
                types::ty(module.ty(*only), &mut self.out)
            }
            several => {
                self.out.push('(');
                self.types_of(several);
                self.out.push(')');
            }
        }
    }

    /// A space, unless the last piece wants none.
    pub(super) fn space(&mut self) {
        if !self.spacing.tight && !self.spacing.opened {
            self.out.push(' ');
        }
        self.spacing = Spacing::default();
    }

    fn pieces(&mut self, op: &'m IrOp, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Literal(literal) => self.literal(literal),
                Piece::Tight => self.spacing.tight = true,
                Piece::Operand(name, _) => {
                    let operands = op.operands_named(name);
                    if !operands.is_empty() {
                        self.space();
                        self.values(operands);
                    }
                }
                Piece::Operands => {
                    if !op.operands.is_empty() {
                        self.space();
                        self.values(&op.operands);
                    }
                }
                Piece::Attribute(name, kind) => {
                    self.space();
                    match op.attr(name) {
                        Some(Attr::Dense(dense)) => self.dense(dense),
                        Some(attr) => attributes::attribute_of(*kind, attr, &mut self.out),
                        None => {}
                    }
                }
                Piece::Dictionary => self.remaining(op, ""),
                Piece::Directive(directive) => self.directive(*directive, op),
                Piece::Types(names) => {
                    self.space();
                    let values = names.iter().flat_map(|n| op.operands_named(n)).copied();
                    let values: Vec<ValueId> = values.collect();
                    self.types_of(&values);
                }
                Piece::Group(inner) => {
                    let present = inner.iter().any(|p| match p {
                        Piece::Attribute(name, _) => op.attr(name).is_some(),
                        _ => false,
                    });
                    if present {
                        self.pieces(op, inner);
                    }
                }
            }
        }
    }

    /// A word or sign with the spaces around it that MLIR has.
    fn literal(&mut self, literal: &str) {
        let space = if literal.len() > 1 {
            true
        } else if self.spacing.sign {
            !">)}],".contains(literal)
        } else {
            !"<>(){}[],".contains(literal)
        };
        if space && !self.spacing.tight && !self.spacing.opened {
            self.out.push(' ');
        }
        self.push(literal);
        self.spacing = Spacing {
            tight: false,
            opened: matches!(literal, "(" | "[" | "{" | "<"),
            sign: !literal.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'),
        };
    }

    /// The dictionary of the attributes that the format does not show, behind `keyword`, if there are any.
    pub(super) fn remaining(&mut self, op: &'m IrOp, keyword: &str) {
        let Some(format) = op.definition.format() else { return };
        let mut entries = op.attributes.iter().filter(|(n, _)| !format.owns(n)).peekable();
        if entries.peek().is_some() {
            self.space();
            self.push(keyword);
            attributes::dictionary(entries, &mut self.out);
        }
    }
}

fn is_integer(ty: &Ty) -> bool {
    match ty {
        Ty::Tensor(tensor) => match tensor.element {
            ElementTy::Number(dtype) => dtype.integer_range().is_some(),
            ElementTy::Index => true,
            _ => false,
        },
        _ => false,
    }
}

use super::{Printer, Spacing, attributes};
use crate::assembly::lexer::quote;
use crate::assembly::parse::COMMUTATIVE;
use crate::ir::{Attr, ElementTy, IrOp, Region, TensorTy, Ty, ValueId};

impl<'m> Printer<'m> {
    /// `(%a init: %b) applies stablehlo.add across dimensions = [1] : (a, b) -> c`.
    pub(super) fn reduce(&mut self, op: &'m IrOp) {
        let Some(body) = op.regions.first() else { return };
        let count = op.operands.len() / 2;
        self.commas(0..count, |p, i| {
            p.out.push('(');
            p.value(op.operands[i]);
            p.push(" init: ");
            p.value(op.operands[i + count]);
            p.out.push(')');
        });
        let applied = self.applied(op, body);
        if let Some(name) = applied {
            self.push(" applies ");
            self.push(name);
        }
        self.push(" across dimensions = ");
        let dimensions = op.attr("dimensions").and_then(Attr::integers).unwrap_or_default();
        attributes::integers(&dimensions, &mut self.out);
        self.spacing = Spacing::default();
        self.remaining(op, "");
        self.push(" : ");
        self.signature(op);
        if applied.is_some() {
            return;
        }
        let before = self.names.counters();
        self.names.arguments(&body.args);
        self.indent += 1;
        self.new_line();
        self.indent -= 1;
        self.push("reducer");
        for i in 0..count {
            self.push(if i == 0 { "(" } else { " (" });
            self.typed_argument(body.args[i]);
            self.push(", ");
            self.typed_argument(body.args[i + count]);
            self.out.push(')');
        }
        self.out.push(' ');
        self.region(body, false, "");
        self.names.restore(before);
    }

    /// The function that a reduction does nothing but apply to its arguments.
    fn applied(&self, op: &IrOp, body: &Region) -> Option<&'static str> {
        let [inner, last] = &body.ops[..] else { return None };
        let Ty::Tensor(input) = self.module.ty(*op.operands.first()?) else { return None };
        let scalar =
            TensorTy { dims: Some(Default::default()), element: input.element.clone(), encoding: None };
        let is_scalar = |v: &ValueId| self.module.ty(*v).tensor() == Some(&scalar);
        let plain = COMMUTATIVE.contains(&inner.name())
            && inner.attributes.is_empty()
            && inner.regions.is_empty()
            && inner.operands[..] == body.args[..]
            && inner.operands.iter().chain(&inner.results).all(is_scalar)
            && inner.results.len() == 1
            && last.name() == "stablehlo.return"
            && last.attributes.is_empty()
            && last.operands[..] == inner.results[..]
            && !matches!(scalar.element, ElementTy::Opaque(_));
        plain.then(|| inner.name())
    }

    /// `(%iterArg = %0) : a cond {...} do {...}`.
    pub(super) fn while_op(&mut self, op: &'m IrOp) {
        let [condition, body] = &op.regions[..] else { return };
        let before = self.names.counters();
        self.names.iterated([&condition.args, &body.args]);
        self.out.push('(');
        self.commas(body.args.iter().zip(&op.operands), |p, (arg, operand)| {
            p.value(*arg);
            p.push(" = ");
            p.value(*operand);
        });
        self.out.push(')');
        if !op.operands.is_empty() {
            self.push(" : ");
            self.types_of(&op.operands);
        }
        self.spacing = Spacing::default();
        self.remaining(op, "attributes ");
        self.new_line();
        self.push("cond ");
        self.region(condition, false, "");
        self.push(" do ");
        self.region(body, false, "");
        self.names.restore(before);
    }

    /// `(%a) inits (%b) dimension=0 {...} : (a, b) -> (c, d)`.
    pub(super) fn scan(&mut self, op: &'m IrOp) {
        let sizes = op.attr("operandSegmentSizes").and_then(Attr::integers).unwrap_or_default();
        let inputs = sizes.first().map_or(0, |n| *n as usize).min(op.operands.len());
        let Some(body) = op.regions.first() else { return };
        self.out.push('(');
        self.values(&op.operands[..inputs]);
        self.push(") inits (");
        self.values(&op.operands[inputs..]);
        self.push(") dimension=");
        let dimension = op.attr("dimension").and_then(Attr::integer).unwrap_or(0);
        self.push(&dimension.to_string());
        self.spacing = Spacing::default();
        self.remaining(op, "attributes ");
        self.out.push(' ');
        self.region(body, true, "");
        self.push(" : ");
        self.signature(op);
    }

    /// `(%a) in_shardings=[...] out_shardings=[...] manual_axes={...} (%x: a) {...} : (a) -> b`.
    pub(super) fn manual_computation(&mut self, op: &'m IrOp) {
        self.out.push('(');
        self.values(&op.operands);
        self.out.push(')');
        self.shardings(op, "in_shardings");
        self.shardings(op, "out_shardings");
        if let Some(Attr::Opaque(text)) = op.attr("manual_axes") {
            let axes = text.strip_prefix("#sdy<manual_axes").and_then(|t| t.strip_suffix('>'));
            self.push(" manual_axes=");
            self.push(axes.unwrap_or(text));
        }
        self.computation(op);
    }

    /// `<"name">(%a) in_shardings=[...] out_shardings=[...] (%x: a) {...} : (a) -> b`.
    pub(super) fn named_computation(&mut self, op: &'m IrOp) {
        let name = quote(op.text("name").unwrap_or(""));
        self.push(&format!("<{name}>("));
        self.values(&op.operands);
        self.out.push(')');
        self.shardings(op, "in_shardings");
        self.shardings(op, "out_shardings");
        self.computation(op);
    }

    fn shardings(&mut self, op: &IrOp, name: &str) {
        if let Some(Attr::Opaque(text)) = op.attr(name) {
            let list = text.strip_prefix("#sdy.sharding_per_value<").and_then(|t| t.strip_suffix('>'));
            self.push(&format!(" {name}={}", list.unwrap_or(text)));
        }
    }

    fn computation(&mut self, op: &'m IrOp) {
        let Some(body) = op.regions.first() else { return };
        let before = self.names.counters();
        self.names.arguments(&body.args);
        self.push(" (");
        self.commas(body.args.iter().copied(), Self::typed_argument);
        self.push(") ");
        self.region(body, false, "");
        self.names.restore(before);
        self.spacing = Spacing::default();
        self.remaining(op, "");
        self.push(" : ");
        self.signature(op);
    }
}

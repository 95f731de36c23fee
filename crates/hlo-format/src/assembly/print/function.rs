use super::{Printer, attributes, types};
use crate::ir::{Attr, Attributes, IrOp, Ty};

impl<'m> Printer<'m> {
    /// ` @name attributes {...} {...}`.
    pub(super) fn module_op(&mut self, op: &'m IrOp) {
        self.visibility(op);
        if let Some(name) = op.text("sym_name") {
            self.out.push(' ');
            attributes::symbol_name(name, &mut self.out);
        }
        self.remaining(op, "attributes ");
        self.out.push(' ');
        let before = self.names.counters();
        self.names.restart();
        if let Some(region) = op.regions.first() {
            self.region(region, false, "builtin");
        }
        self.names.restore(before);
    }

    fn visibility(&mut self, op: &IrOp) {
        if let Some(word) = op.text("sym_visibility") {
            self.out.push(' ');
            self.push(word);
        }
    }

    /// ` public @name(%arg0: a {...}) -> (b {...}) attributes {...} {...}`.
    pub(super) fn function(&mut self, op: &'m IrOp) {
        let (Some(Attr::Type(Ty::Function(ty))), Some(body)) = (op.attr("function_type"), op.regions.first())
        else {
            return;
        };
        self.visibility(op);
        self.out.push(' ');
        attributes::symbol_name(op.text("sym_name").unwrap_or(""), &mut self.out);
        let before = self.names.counters();
        self.names.restart();
        self.names.arguments(&body.args);
        let declared = body.args.is_empty() && body.ops.is_empty();
        self.out.push('(');
        let module = self.module;
        self.commas(ty.0.iter().enumerate(), |p, (i, ty)| {
            let arg = body.args.get(i).copied();
            if let Some(arg) = arg {
                p.value(arg);
                p.push(": ");
            }
            types::ty(ty, &mut p.out);
            p.own_dictionary(dictionary(op, "arg_attrs", i));
            if let Some(arg) = arg {
                p.location(&module.data(arg).loc);
            }
        });
        self.out.push(')');
        self.function_results(op, &ty.1);
        self.remaining(op, "attributes ");
        if !declared {
            self.out.push(' ');
            self.region(body, false, "func");
        }
        self.names.restore(before);
    }

    fn function_results(&mut self, op: &IrOp, types: &[Ty]) {
        match types {
            [] => {}
            [only] if op.attr("res_attrs").is_none() && !matches!(only, Ty::Function(_)) => {
                self.push(" -> ");
                types::ty(only, &mut self.out);
            }
            _ => {
                self.push(" -> (");
                self.commas(types.iter().enumerate(), |p, (i, ty)| {
                    types::ty(ty, &mut p.out);
                    p.own_dictionary(dictionary(op, "res_attrs", i));
                });
                self.out.push(')');
            }
        }
    }

    fn own_dictionary(&mut self, entries: Option<&Attributes>) {
        if let Some(entries) = entries {
            self.out.push(' ');
            attributes::dictionary(entries.iter(), &mut self.out);
        }
    }
}

/// The attributes of a parameter or result, if it has any.
fn dictionary<'o>(op: &'o IrOp, name: &str, i: usize) -> Option<&'o Attributes> {
    match op.attr(name)? {
        Attr::Array(list) => match list.get(i)? {
            Attr::Dictionary(entries) if !entries.is_empty() => Some(entries),
            _ => None,
        },
        _ => None,
    }
}

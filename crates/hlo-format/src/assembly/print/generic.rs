use super::{Printer, attributes};
use crate::assembly::lexer::quote;
use crate::ir::{Attr, IrOp};

impl<'m> Printer<'m> {
    /// `"name"(%a) <{...}> ({...}) {...} : (a) -> b`.
    pub(super) fn generic(&mut self, op: &'m IrOp) {
        self.push(&quote(op.name()));
        self.out.push('(');
        self.values(&op.operands);
        self.out.push(')');
        let signature = op.definition.signature();
        let own = |name: &str| signature.slot(name).is_some();
        self.generic_dictionary(op, " <", ">", own);
        if !op.regions.is_empty() {
            self.push(" (");
            if op.name() == "builtin.module" && op.regions.iter().all(|r| r.ops.is_empty()) {
                // A module has a block even if that is empty.
                self.push("{\n^bb0:\n}");
            } else {
                self.commas(&op.regions, |p, region| p.region(region, true, ""));
            }
            self.out.push(')');
        }
        self.generic_dictionary(op, " ", "", |name| !own(name));
        self.push(" : ");
        self.signature(op);
    }

    fn generic_dictionary(&mut self, op: &'m IrOp, open: &str, close: &str, shown: impl Fn(&str) -> bool) {
        let mut entries = op.attributes.iter().filter(|(n, _)| shown(n)).peekable();
        if entries.peek().is_none() {
            return;
        }
        self.push(open);
        match entries.peek() {
            // Large constants go to the writer piece by piece.
            Some((name, Attr::Dense(dense))) if op.name() == "stablehlo.constant" && &***name == "value" => {
                self.push("{value = ");
                self.dense(dense);
                self.out.push('}');
            }
            _ => attributes::dictionary(entries, &mut self.out),
        }
        self.push(close);
    }
}

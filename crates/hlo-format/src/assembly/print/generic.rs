use super::{Printer, attributes};
use crate::assembly::lexer::quote;
use crate::ir::{Attr, Op};

impl<'m> Printer<'m> {
    /// `"name"(%a) <{...}> ({...}) {...} : (a) -> b`.
    pub(super) fn generic(&mut self, op: &'m Op) {
        self.push(&quote(op.name()));
        self.out.push('(');
        self.values(&op.operands);
        self.out.push(')');
        let signature = op.definition.signature();
        let own = |name: &str| signature.slot(name).is_some();
        self.generic_dictionary(op, " <", ">", own);
        if !op.regions.is_empty() {
            self.push(" (");
            let before = self.names.counters();
            if is_isolated(op) {
                self.names.restart();
            }
            self.commas(&op.regions, |p, region| p.region(region, true, ""));
            self.names.restore(before);
            self.out.push(')');
        }
        self.generic_dictionary(op, " ", "", |name| !own(name));
        self.push(" : ");
        self.signature(op);
    }

    fn generic_dictionary(&mut self, op: &'m Op, open: &str, close: &str, shown: impl Fn(&str) -> bool) {
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

/// Whether the regions of an op see nothing from outside.
pub(super) fn is_isolated(op: &Op) -> bool {
    matches!(op.name(), "func.func" | "builtin.module" | "stablehlo.async_start" | "chlo.scan")
}

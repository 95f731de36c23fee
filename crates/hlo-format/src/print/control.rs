use jarrah_hlo::ops::{Case, While};
use jarrah_hlo::{Instr, Program, Value};

use super::block::Block;
use super::captures::follow_from_use;
use super::{Printer, types};

impl Block<'_> {
    /// The names by which regions call the values they capture, and the line that gives them, if one is needed.
    fn capture(&mut self, programs: &[&Program], values: &[Value]) -> (Vec<String>, String) {
        let outer: Vec<String> = values.iter().map(|&v| self.name(v).to_owned()).collect();
        if follow_from_use(programs, values) {
            return (outer, String::new());
        }
        let base = self.counters.value();
        let types = self.types(values);
        let (names, count) = match values.len() {
            1 => (vec![base.clone()], String::new()),
            n => ((0..n).map(|i| format!("{base}#{i}")).collect(), format!(":{n}")),
        };
        let line = format!(
            "{base}{count} = \"stablehlo.optimization_barrier\"({}) {{jarrah.parameters}} : {}",
            outer.join(", "),
            types::signature(&types, &types)
        );
        (names, line)
    }

    pub(super) fn while_loop(&mut self, printer: &mut Printer<'_>, instr: &Instr, op: &While) -> String {
        let (consts, carry) = instr.operands.split_at(op.consts);
        let (captured, line) = self.capture(&[&op.cond, &op.body], consts);
        let own: Vec<String> = carry.iter().map(|_| self.counters.param()).collect();
        let names: Vec<String> = captured.into_iter().chain(own.iter().cloned()).collect();
        let types = self.types(carry);
        let regions = [&op.cond, &op.body].map(|p| self.inner(printer, p, names.clone(), &line));
        if carry.is_empty() {
            let regions = regions.map(|r| format!("{{\n{r}"));
            return self.generic_on("stablehlo.while", "", &[], &regions, "() -> ()");
        }
        let pairs = own.iter().zip(carry);
        let pairs: Vec<String> = pairs.map(|(own, &v)| format!("{own} = {}", self.name(v))).collect();
        let [cond, body] = regions;
        let indent = " ".repeat(self.indent);
        format!(
            "stablehlo.while({}) : {}\n{indent}cond {{\n{cond} do {{\n{body}",
            pairs.join(", "),
            types::list(&types)
        )
    }

    pub(super) fn case(&mut self, printer: &mut Printer<'_>, instr: &Instr, op: &Case) -> String {
        let (index, args) = instr.operands.split_at(1);
        let programs: Vec<&Program> = op.branches.iter().map(|b| &**b).collect();
        let (names, line) = self.capture(&programs, args);
        let regions: Vec<String> = programs
            .iter()
            .map(|p| format!("{{\n{}", self.inner(printer, p, names.clone(), &line)))
            .collect();
        let signature = types::signature(&self.types(index), &self.result_types(instr));
        self.generic_on("stablehlo.case", &self.uses(index), &[], &regions, &signature)
    }
}

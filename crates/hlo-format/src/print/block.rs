use jarrah_base::{Source, Type};
use jarrah_hlo::{Instr, Program, Value};

use super::{Printer, types};
use crate::lexer::quote;

/// A region being printed: its program, the names of its values, and the text so far.
pub(super) struct Block<'p> {
    pub program: &'p Program,
    pub names: Vec<String>,
    pub out: String,
    /// How far its ops are indented.
    pub indent: usize,
    /// Numbers for the names of values and of parameters, unique within a function.
    pub counters: Counters,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    values: usize,
    params: usize,
}

impl Counters {
    pub fn param(&mut self) -> String {
        self.params += 1;
        format!("%arg{}", self.params - 1)
    }

    pub fn value(&mut self) -> String {
        self.values += 1;
        format!("%{}", self.values - 1)
    }
}

impl<'p> Block<'p> {
    /// The outermost block of a function.
    pub fn function(program: &'p Program) -> Self {
        let mut counters = Counters::default();
        let names = program.params().iter().map(|_| counters.param()).collect();
        Block { program, names, out: String::new(), indent: 4, counters }
    }

    /// All ops and the one that returns.
    pub fn body(&mut self, printer: &mut Printer<'_>, terminator: &str) {
        for instr in self.program.instrs() {
            self.instruction(printer, instr);
        }
        let results = self.program.results();
        let mut line = terminator.to_owned();
        if !results.is_empty() {
            line = format!("{line} {} : {}", self.uses(results), types::list(&self.program.result_types()));
        }
        self.line(&line);
    }

    pub fn finish(self) -> String {
        self.out
    }

    pub fn line(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub fn name(&self, value: Value) -> &str {
        &self.names[value.index()]
    }

    /// The names of values with commas between them.
    pub fn uses(&self, values: &[Value]) -> String {
        values.iter().map(|&v| self.name(v)).collect::<Vec<_>>().join(", ")
    }

    pub fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|&v| self.program.ty(v)).collect()
    }

    pub fn operand_types(&self, instr: &Instr) -> Vec<Type> {
        self.types(&instr.operands)
    }

    pub fn result_types(&self, instr: &Instr) -> Vec<Type> {
        instr.results().map(|v| self.program.ty(v)).collect()
    }

    /// `(operand types) -> result types` of an instruction.
    pub fn signature(&self, instr: &Instr) -> String {
        types::signature(&self.operand_types(instr), &self.result_types(instr))
    }

    /// Names the results of an instruction; returns what stands in front of the op.
    pub fn bind(&mut self, count: usize) -> String {
        if count == 0 {
            return String::new();
        }
        let base = self.counters.value();
        if count == 1 {
            self.names.push(base.clone());
            return format!("{base} = ");
        }
        self.names.extend((0..count).map(|i| format!("{base}#{i}")));
        format!("{base}:{count} = ")
    }

    /// A region whose parameters are its own: `({\n^bb0(...): ... })` without the parentheses.
    pub fn closed_region(&mut self, printer: &mut Printer<'_>, program: &Program) -> String {
        let names: Vec<String> = program.params().iter().map(|_| self.counters.param()).collect();
        let params: Vec<String> = names
            .iter()
            .zip(program.params())
            .map(|(name, p)| format!("{name}: {}", types::ty(p.ty)))
            .collect();
        let mut out = String::from("{\n");
        if !params.is_empty() {
            out.extend(std::iter::repeat_n(' ', self.indent));
            out.push_str(&format!("^bb0({}):\n", params.join(", ")));
        }
        out.push_str(&self.inner(printer, program, names, ""));
        out
    }

    /// The ops of a region whose parameters have these names, and its closing brace; `first` is a line in front.
    pub fn inner(
        &mut self,
        printer: &mut Printer<'_>,
        program: &Program,
        names: Vec<String>,
        first: &str,
    ) -> String {
        let mut block =
            Block { program, names, out: String::new(), indent: self.indent + 2, counters: self.counters };
        if !first.is_empty() {
            block.line(first);
        }
        block.body(printer, "stablehlo.return");
        self.counters = block.counters;
        let mut out = block.out;
        out.extend(std::iter::repeat_n(' ', self.indent));
        out.push('}');
        out
    }
}

/// ` loc(...)`.
pub(super) fn location(source: Source) -> String {
    let scope = source.scope.path();
    let position = source.location.map(|l| format!("{}:{}:{}", quote(l.file()), l.line(), l.column()));
    match (scope, position) {
        ("", None) => " loc(unknown)".to_owned(),
        ("", Some(position)) => format!(" loc({position})"),
        (scope, None) => format!(" loc({})", quote(scope)),
        (scope, Some(position)) => format!(" loc({}({position}))", quote(scope)),
    }
}

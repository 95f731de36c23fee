//! From program to text.

mod block;
mod captures;
mod control;
mod literal;
mod operation;
mod own;
mod reductions;
mod types;
mod windows;

use std::fmt::Write;

use jarrah_hlo::Program;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lexer::quote;
use block::Block;
pub(crate) use types::element_type;

/// What a text shows.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether each instruction is followed by its location and scope.
    pub locations: bool,
    /// Constants with more elements than this are left out. Such a text is for reading: it does not parse.
    pub elide_larger_than: Option<usize>,
}

/// The text of a module with these public functions.
pub(crate) fn module(name: &str, functions: &[(&str, &Program)], options: &Options) -> String {
    let mut printer = Printer {
        options,
        taken: functions.iter().map(|(name, _)| (*name).to_owned()).collect(),
        by_address: FxHashMap::default(),
        by_text: FxHashMap::default(),
        private: String::new(),
    };
    let mut out = String::from("module");
    if !name.is_empty() {
        out.push_str(" @");
        out.push_str(&symbol(name));
    }
    out.push_str(" {\n");
    for (name, program) in functions {
        out.push_str("  func.func public @");
        out.push_str(&symbol(name));
        out.push_str(&printer.function(program));
        out.push('\n');
    }
    out.push_str(&printer.private);
    out.push_str("}\n");
    out
}

/// What functions have been printed so far.
struct Printer<'o> {
    options: &'o Options,
    taken: FxHashSet<String>,
    by_address: FxHashMap<*const Program, String>,
    by_text: FxHashMap<String, String>,
    private: String,
}

impl Printer<'_> {
    /// A function from its parameters on.
    fn function(&mut self, program: &Program) -> String {
        let mut block = Block::function(program);
        let mut out = String::from("(");
        for (i, param) in program.params().iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(out, "{comma}{}: {}", block.names[i], types::ty(param.ty));
            if !param.path.path().is_empty() {
                let _ = write!(out, " {{jarrah.path = {}}}", quote(param.path.path()));
            }
        }
        out.push(')');
        match &program.result_types()[..] {
            [] => {}
            [ty] => out.push_str(&format!(" -> {}", types::ty(*ty))),
            types => out.push_str(&format!(" -> ({})", types::list(types))),
        }
        out.push_str(" {\n");
        block.body(self, "return");
        out.push_str(&block.finish());
        out.push_str("  }");
        out
    }

    /// The name of the private function that `program` is; identical functions have one name.
    fn callee(&mut self, program: &Program) -> String {
        let address: *const Program = program;
        if let Some(name) = self.by_address.get(&address) {
            return name.clone();
        }
        let text = self.function(program);
        let name = match self.by_text.get(&text) {
            Some(name) => name.clone(),
            None => {
                let name = self.free_name(program.name());
                self.private.push_str(&format!("  func.func private @{}{text}\n", symbol(&name)));
                self.by_text.insert(text, name.clone());
                name
            }
        };
        self.by_address.insert(address, name.clone());
        name
    }

    fn callee_symbol(&mut self, program: &Program) -> String {
        symbol(&self.callee(program))
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "function" } else { wanted };
        let mut name = wanted.to_owned();
        for i in 0.. {
            if self.taken.insert(name.clone()) {
                break;
            }
            name = format!("{wanted}_{i}");
        }
        name
    }
}

/// The name as it stands behind `@`.
fn symbol(name: &str) -> String {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'));
    let starts = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    if plain && starts { name.to_owned() } else { quote(name) }
}

//! From tree to program.

mod block;
mod control;
mod elementwise;
mod fields;
mod movement;
mod own;
mod reductions;
mod regions;
mod scatter;
mod sources;
mod windows;

use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_hlo::{Program, ProgramRef};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Function, Module, Op, Region, Use};
use crate::lexer::unescape;
use crate::text::Text;
use crate::{MAX_DEPTH, Module as Programs};

/// The program that the module's main function is.
pub(crate) fn entry<'t>(text: &'t Text<'t>, module: &Module<'t>) -> Result<Program> {
    let mut importer = Importer::new(text, module)?;
    let all: Vec<&Function<'t>> = module.functions.iter().collect();
    let public: Vec<&Function<'t>> = module.functions.iter().filter(|f| f.public).collect();
    let main = module.functions.iter().find(|f| f.name == "main");
    let function = match (main, &public[..], &all[..]) {
        (Some(main), _, _) => main,
        (None, [only], _) | (None, [], [only]) => only,
        (None, [], []) => return Err(text.error(0, "the text has no function")),
        _ => {
            let names: Vec<String> = public.iter().map(|f| format!("@{}", f.name)).collect();
            let error = text.error(0, format!("none of the functions is @main: {}", names.join(", ")));
            return Err(error.help("name one of them @main, or make only one of them public"));
        }
    };
    let (program, _) = importer.function(function.name, function.at)?;
    drop(importer);
    let program = Arc::unwrap_or_clone(program);
    Ok(match (&module.name, function.name) {
        (Some(name), "main") if !name.is_empty() => program.named(name.clone()),
        _ => program,
    })
}

/// Every public function of the module.
pub(crate) fn public<'t>(text: &'t Text<'t>, module: &Module<'t>) -> Result<Programs> {
    let mut importer = Importer::new(text, module)?;
    let public = module.functions.iter().filter(|f| f.public);
    let functions = public.map(|f| Ok(importer.function(f.name, f.at)?.0)).collect::<Result<_>>()?;
    Ok(Programs { name: module.name.clone().unwrap_or_default(), functions })
}

/// What is known while a module is turned into programs. `'a` is the tree, `'t` the text.
struct Importer<'a, 't> {
    text: &'t Text<'t>,
    module: &'a Module<'t>,
    functions: FxHashMap<&'t str, &'a Function<'t>>,
    /// Finished functions, and how deep they nest.
    done: FxHashMap<&'t str, (ProgramRef, usize)>,
    /// The functions being worked on, the innermost last, with the values that are used in them.
    active: Vec<(&'t str, FxHashSet<Use<'t>>)>,
    sources: FxHashMap<&'t str, jarrah_base::Source>,
}

impl<'a, 't> Importer<'a, 't> {
    fn new(text: &'t Text<'t>, module: &'a Module<'t>) -> Result<Self> {
        let mut functions = FxHashMap::default();
        for function in &module.functions {
            if functions.insert(function.name, function).is_some() {
                return Err(text.error(function.at, format!("a second function @{}", function.name)));
            }
        }
        Ok(Importer {
            text,
            module,
            functions,
            done: FxHashMap::default(),
            active: Vec::new(),
            sources: FxHashMap::default(),
        })
    }

    /// The program of the function `name`, wanted at the offset `at`, and how deep it nests.
    fn function(&mut self, name: &str, at: usize) -> Result<(ProgramRef, usize)> {
        if let Some(done) = self.done.get(name) {
            return Ok(done.clone());
        }
        let Some(&function) = self.functions.get(name) else {
            return Err(self.text.error(at, format!("there is no function @{name}")));
        };
        if self.active.iter().any(|(n, _)| *n == name) {
            return Err(self.text.error(at, format!("the function @{name} calls itself")));
        }
        self.check_height(self.active.len(), at)?;
        let mut used = FxHashSet::default();
        uses(&function.body, &mut used);
        self.active.push((function.name, used));
        let (program, height) = self.block(&unescape(function.name), &function.body, &[], &[])?;
        self.active.pop();
        if let Some(stated) = &function.results {
            let returned = program.result_types();
            if *stated != returned {
                let message = format!("@{name} is said to return {stated:?}, but returns {returned:?}");
                return Err(self.text.error(function.at, message));
            }
        }
        let done = (Arc::new(program), height);
        self.done.insert(function.name, done.clone());
        Ok(done)
    }

    fn check_height(&self, height: usize, at: usize) -> Result<()> {
        if height < MAX_DEPTH {
            return Ok(());
        }
        Err(self.text.error(at, format!("regions and calls nest more than {MAX_DEPTH} deep")))
    }

    /// The error that `op` is wrong.
    fn fail(&self, op: &Op<'t>, message: impl Into<String>) -> Error {
        self.text.error(op.at, message).op(op.name)
    }

    /// An error from building a program, as one of the text.
    fn refused(&self, op: &Op<'t>, error: &Error) -> Error {
        self.fail(op, error.message())
    }
}

/// Every value that is used somewhere in a region.
fn uses<'t>(region: &Region<'t>, used: &mut FxHashSet<Use<'t>>) {
    for op in &region.ops {
        used.extend(op.operands.iter().copied());
        op.regions.iter().for_each(|r| uses(r, used));
    }
}

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use jarrah_base::{Error, Result};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Handler, NamedHandler};
use crate::op::Op;
use crate::ops::{CallTarget, CustomCall};
use crate::program::{Instr, Program};
use crate::rules::ProgramRef;

/// Handlers by the name that programs call them by; clones share the entries.
///
/// A client has one. What programs call is looked up when they are compiled, so a handler has to be there by then.
#[derive(Clone, Default)]
pub struct Registry(Arc<RwLock<BTreeMap<Arc<str>, Entry>>>);

#[derive(Clone)]
struct Entry {
    function: NamedHandler,
    /// Whether calls mean something in this process only.
    local: bool,
}

/// Sub-programs by address, and what each became; the first entry keeps the program, and with it the address, alive.
type Resolved = FxHashMap<*const Program, (ProgramRef, ProgramRef)>;

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Registry::default()
    }

    /// Gives `handler` a name.
    ///
    /// # Errors
    /// The name is taken: programs that were compiled keep the handler they found, so it is not replaced.
    pub fn register(&self, name: &str, handler: impl Handler + 'static) -> Result<()> {
        self.add(name, handler, false)
    }

    /// As [`Registry::register`], for a handler whose configuration means something in this process only, such as an
    /// address: programs that call it are neither serialized nor loaded.
    ///
    /// # Errors
    /// As [`Registry::register`].
    pub fn register_local(&self, name: &str, handler: impl Handler + 'static) -> Result<()> {
        self.add(name, handler, true)
    }

    fn add(&self, name: &str, handler: impl Handler + 'static, local: bool) -> Result<()> {
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if entries.contains_key(name) {
            return Err(Error::program(format!("a handler of custom calls @{name} is registered already")));
        }
        let name: Arc<str> = name.into();
        entries.insert(name.clone(), Entry { function: NamedHandler::new(name, handler), local });
        Ok(())
    }

    /// The handler called `name`.
    pub fn get(&self, name: &str) -> Option<NamedHandler> {
        self.entry(name).map(|entry| entry.function)
    }

    fn entry(&self, name: &str) -> Option<Entry> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Checks that the program means the same in another process.
    ///
    /// # Errors
    /// It calls a function of this process, or a handler that was registered as [local](Registry::register_local).
    pub fn check_portable(&self, program: &Program) -> Result<()> {
        match self.find_local(program, &mut FxHashSet::default()) {
            None => Ok(()),
            Some(what) => Err(Error::program(format!(
                "{} calls {what}, which means something in this process only",
                program.name()
            ))
            .help("compile the program in the process that runs it")),
        }
    }

    /// The name of a function that the program calls and that means something in this process only.
    fn find_local(&self, program: &Program, seen: &mut FxHashSet<*const Program>) -> Option<String> {
        if !(program.calls_names() || program.calls_functions()) {
            return None;
        }
        program.instrs().iter().find_map(|instr| match &instr.op {
            Op::CustomCall(call) => match &call.target {
                CallTarget::Function(function) => Some(format!("the function {}", function.name())),
                CallTarget::Named(name) if self.entry(name).is_some_and(|entry| entry.local) => {
                    Some(format!("@{name}"))
                }
                CallTarget::Named(_) => None,
            },
            op => op.programs().into_iter().find_map(|inner| {
                if seen.insert(Arc::as_ptr(inner)) { self.find_local(inner, seen) } else { None }
            }),
        })
    }

    /// All names, in alphabetical order.
    pub fn names(&self) -> Vec<String> {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        entries.keys().map(|name| name.to_string()).collect()
    }

    /// The program with a handler in the place of each name that it calls.
    ///
    /// # Errors
    /// It calls a name that is not registered; the error names the line and lists the names that are.
    pub fn resolve<'p>(&self, program: &'p Program) -> Result<Cow<'p, Program>> {
        if !program.calls_names() {
            return Ok(Cow::Borrowed(program));
        }
        self.resolved(program, &mut Resolved::default()).map(Cow::Owned)
    }

    fn resolved(&self, program: &Program, done: &mut Resolved) -> Result<Program> {
        let mut program = program.clone();
        for instr in &mut program.instrs {
            if let Some(op) = self.resolve_op(instr, done)? {
                instr.op = op;
            }
        }
        program.seal()
    }

    fn resolve_op(&self, instr: &Instr, done: &mut Resolved) -> Result<Option<Op>> {
        if let Op::CustomCall(op) = &instr.op
            && let CallTarget::Named(name) = &op.target
        {
            let function = self.get(name).ok_or_else(|| self.unknown(name, instr))?;
            return Ok(Some(CustomCall { target: CallTarget::Function(function), ..(**op).clone() }.into()));
        }
        let programs = instr.op.programs();
        if !programs.iter().any(|p| p.calls_names()) {
            return Ok(None);
        }
        let mut new = Vec::with_capacity(programs.len());
        for program in programs {
            let known = done.get(&Arc::as_ptr(program)).map(|(_, known)| known.clone());
            new.push(match known {
                Some(known) => known,
                None if !program.calls_names() => program.clone(),
                None => {
                    let resolved = ProgramRef::new(self.resolved(program, done)?);
                    done.insert(Arc::as_ptr(program), (program.clone(), resolved.clone()));
                    resolved
                }
            });
        }
        Ok(Some(instr.op.with_programs(&new)))
    }

    fn unknown(&self, name: &str, instr: &Instr) -> Error {
        let known = self.names();
        let known = match &known[..] {
            [] => "none is registered".to_owned(),
            known => format!("registered are @{}", known.join(", @")),
        };
        let error = Error::input(format!("no handler of custom calls @{name} is known, {known}"));
        let help = match name.contains("callback") {
            true => {
                "it calls back into the process that made the program: make the program without callbacks, debug \
                     prints and checks on the host, or run it in that process"
            }
            false => "register a handler under this name before the program is compiled",
        };
        let error = error.op(instr.op.name()).help(help);
        instr.source.location.map_or(error.clone(), |location| error.at(location))
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registry").field(&self.names()).finish()
    }
}

use std::cell::RefCell;

use jarrah_base::{Error, Result};
use jarrah_hlo::{
    Builder, Categories, CheckCx, CheckState, Checker, Program, ProgramRef, Site, Value, fresh_state,
};
use rustc_hash::FxHashMap;

use crate::engine::explain;

/// A program that looks for what may go wrong in it: see [`checked`].
#[derive(Clone, Debug)]
pub struct CheckedProgram {
    /// Returns the results, then the number of the site that failed first, from one, and the numbers that it says.
    pub program: Program,
    /// The sites.
    pub sites: Vec<Site>,
}

/// The program that also says which of its instructions failed first, if one did: which made a NaN, divided by zero, indexed
/// outside, failed a check of the user.
///
/// The instructions of loops, branches and calls are looked at too; custom rules become the programs they run, so
/// derivatives are taken before.
///
/// # Errors
/// As [`Builder::push`].
pub fn checked(program: &Program, categories: Categories) -> Result<CheckedProgram> {
    program.check_expansion()?;
    let search = Search { categories, sites: RefCell::default(), known: RefCell::default() };
    let inner = search.with_state(program)?;
    let mut b = Builder::new(program.name());
    let mut args: Vec<Value> = program.params().iter().map(|&param| b.param_at(param)).collect();
    args.extend(fresh_state(&mut b)?.values());
    let results = b.inline(&inner, &args)?;
    Ok(CheckedProgram { program: b.finish(&results)?, sites: search.sites.into_inner() })
}

struct Search {
    categories: Categories,
    sites: RefCell<Vec<Site>>,
    /// For each sub-program, by its address, the sub-program kept alive and its checked version, so that shared sub-programs stay shared.
    known: RefCell<FxHashMap<*const Program, (ProgramRef, ProgramRef)>>,
}

impl Search {
    fn with_state(&self, program: &Program) -> Result<Program> {
        let mut b = Builder::new(program.name());
        let mut values: Vec<Value> = program.params().iter().map(|&param| b.param_at(param)).collect();
        let [site, numbers] = CheckState::types().map(|ty| b.param(ty, ""));
        let mut state = CheckState { site, numbers };
        for instr in program.instrs() {
            b.set_source(instr.source);
            let operands: Vec<Value> = instr.operands.iter().map(|v| values[v.index()]).collect();
            let mut cx = CheckCx::new(&mut b, (&instr.op, instr.source), &operands, state, self);
            let results = cx.push().map_err(|error| explain(error, instr, "checking", program))?;
            state = cx.state;
            if results.len() != instr.results().len() {
                return Err(Error::internal(format!("the rule of {} lost a result", instr.op.name())));
            }
            values.extend(results);
        }
        let mut results: Vec<Value> = program.results().iter().map(|v| values[v.index()]).collect();
        results.extend(state.values());
        b.finish(&results)
    }
}

impl Checker for Search {
    fn categories(&self) -> Categories {
        self.categories
    }

    fn site(&self, site: Site) -> i32 {
        let mut sites = self.sites.borrow_mut();
        sites.push(site);
        sites.len() as i32
    }

    fn program(&self, program: &ProgramRef) -> Result<ProgramRef> {
        let key = std::ptr::from_ref::<Program>(program);
        if let Some((_, made)) = self.known.borrow().get(&key) {
            return Ok(made.clone());
        }
        let made: ProgramRef = self.with_state(program)?.into();
        self.known.borrow_mut().insert(key, (program.clone(), made.clone()));
        Ok(made)
    }
}

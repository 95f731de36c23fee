use std::ops::BitOr;
use std::sync::Arc;

use jarrah_base::{Literal, Result, Type};
use jarrah_hlo::ProgramRef;
use rustc_hash::{FxHashMap, FxHashSet};

use super::block::{Block, Bound, Leaves};
use super::calls::{self, Calls};
use super::checks::Pending;
use super::parallel::{Place, is_exchange};
use super::types::{self, Leaf};
use super::{EffectTokens, EntryFunction, LowerOptions, dynamic, known, regions, sources};
use crate::MAX_DEPTH;
use crate::artifact::platform;
use crate::ir::{Attr, Attributes, IrModule, IrOp, Region, Ty};

/// The most ops that the programs of a module may be built from.
const MAX_INSTRUCTIONS: usize = 1 << 24;

/// The state of turning a module into programs.
pub(super) struct Lower<'a> {
    pub module: &'a IrModule,
    pub options: &'a LowerOptions,
    functions: FxHashMap<String, &'a IrOp>,
    /// How deep the calls of each function nest.
    calls: FxHashMap<String, Calls>,
    /// The functions in the order of the module.
    order: Vec<(String, &'a IrOp)>,
    /// Whether the shapes in a function depend on those of its arguments.
    dynamic: FxHashMap<String, bool>,
    done: FxHashMap<Key, Done>,
    mentions: FxHashMap<String, Mentions>,
    /// The place in the grid of the process being built.
    pub place: Option<Place>,
    /// Whether some op uses each module value.
    used: Vec<bool>,
    /// How deep the regions and functions being built nest.
    pub depth: usize,
    instructions: usize,
    /// The work that is left for values that shapes depend on.
    pub work: f64,
}

/// A function with the types of its arguments, and the contents of the arguments that are known.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    name: String,
    arguments: Vec<Type>,
    known: Vec<(usize, Literal)>,
    /// The place of the process, if the function asks for it.
    place: Option<Place>,
}

/// A finished function.
#[derive(Clone)]
pub(super) struct Done {
    pub program: ProgramRef,
    /// How deep the sub-programs nest.
    pub height: usize,
    /// The function's checks; their values are results of the program, by position.
    pub checks: Vec<Pending<usize>>,
    /// How many results the function has, before those that checks need.
    pub own: usize,
}

/// How ops depend on the grid of processes.
#[derive(Clone, Copy, Default)]
pub(super) struct Mentions {
    /// Some op exchanges values with other processes.
    pub exchange: bool,
    /// Some op asks for this process's number.
    pub place: bool,
}

impl BitOr for Mentions {
    type Output = Mentions;

    fn bitor(self, other: Mentions) -> Mentions {
        Mentions { exchange: self.exchange | other.exchange, place: self.place | other.place }
    }
}

impl<'a> Lower<'a> {
    pub fn new(module: &'a IrModule, options: &'a LowerOptions) -> Result<Self> {
        let mut order = Vec::new();
        collect(&module.op, "", &mut order);
        let mut functions = FxHashMap::default();
        for (name, op) in &order {
            if functions.insert(name.clone(), *op).is_some() {
                return Err(module.error(op, format!("a second function @{name}")));
            }
        }
        let mut used = vec![false; module.value_count()];
        regions::uses(&module.op, &mut used);
        Ok(Lower {
            module,
            options,
            calls: calls::depths(&functions),
            functions,
            order,
            dynamic: FxHashMap::default(),
            mentions: FxHashMap::default(),
            place: None,
            done: FxHashMap::default(),
            used,
            depth: 0,
            instructions: 0,
            work: known::WORK,
        })
    }

    /// Builds `@main`, or else the only public function.
    pub fn entry(mut self) -> Result<EntryFunction> {
        self.check_devices()?;
        let error = |message: String| self.module.origin.error(self.module.op.at, message);
        let public: Vec<&(String, &IrOp)> = self.order.iter().filter(|(_, op)| is_public(op)).collect();
        let main = self.order.iter().find(|(name, _)| name == "main");
        let (name, op) = match (main, &public[..], &self.order[..]) {
            (Some(main), _, _) => main,
            (None, [only], _) => *only,
            (None, [], [only]) => only,
            (None, [], []) => return Err(error("the module has no function".into())),
            _ => {
                let names: Vec<String> = public.iter().map(|(name, _)| format!("@{name}")).collect();
                let error = error(format!("none of the functions is @main: {}", names.join(", ")));
                return Err(error.help("name one of them @main, or make only one of them public"));
            }
        };
        let (name, op) = (name.clone(), *op);
        platform::check(self.module, op)?;
        let entry = self.exported(&name, op, true)?;
        Ok(match self.module.name() {
            Some(title) if !title.is_empty() && name == "main" => {
                EntryFunction { program: entry.program.named(title), ..entry }
            }
            _ => entry,
        })
    }

    /// Builds every public function that no op refers to and whose shapes are known.
    pub fn roots(mut self) -> Result<Vec<EntryFunction>> {
        let mut named = FxHashSet::default();
        mentioned(&self.module.op, &mut named);
        let mut entries = Vec::new();
        for (name, op) in self.order.clone() {
            if !is_public(op) || named.contains(name.as_str()) {
                continue;
            }
            let (stated, _) = self.parameters(op)?;
            if stated.iter().all(|leaf| leaf.concrete().is_some()) {
                entries.push(self.exported(&name, op, false)?);
            }
        }
        Ok(entries)
    }

    /// Builds a function that no other calls: the options give its arguments.
    fn exported(&mut self, name: &str, op: &'a IrOp, refined: bool) -> Result<EntryFunction> {
        let (stated, paths) = self.parameters(op)?;
        let given = self.options.arguments.as_ref().filter(|_| refined);
        if let Some(given) = given
            && given.len() != stated.len()
        {
            let message = format!("@{name} takes {} arguments, {} are given", stated.len(), given.len());
            return Err(self.module.error(op, message));
        }
        let mut arguments = Vec::new();
        for (i, (stated, path)) in stated.iter().zip(&paths).enumerate() {
            let path = if path.is_empty() { String::new() } else { format!(" ({path})") };
            let text =
                stated.concrete().map_or_else(|| types::describe(stated.tensor()), |ty| ty.to_string());
            match (given, stated.concrete()) {
                (Some(given), _) if stated.admits(given[i]) => arguments.push(given[i]),
                (Some(given), _) => {
                    let message = format!("argument {i}{path} of @{name} is {text}, not {}", given[i]);
                    return Err(self.module.error(op, message));
                }
                (None, Some(ty)) => arguments.push(ty),
                (None, None) => {
                    let dims = stated.tensor().dims.as_ref();
                    let axis = dims.and_then(|dims| dims.iter().position(Option::is_none));
                    let what = axis.map_or("its shape".into(), |axis| format!("its dimension {axis}"));
                    let error = self
                        .module
                        .error(op, format!("argument {i}{path} of @{name} is {text}: {what} is not known"));
                    return Err(error.help(
                        "give the types of the arguments: `jarrah hlo` takes them as --types f32[4,8],f32[8]",
                    ));
                }
            }
        }
        let values = if refined { &self.options.values[..] } else { &[] };
        for (i, value) in values {
            if arguments.get(*i) != Some(&value.ty()) {
                let message = format!("the value of argument {i} of @{name} is {}", value.ty());
                return Err(self
                    .module
                    .error(op, message)
                    .help("its type is another, or there is no such argument"));
            }
        }
        let Done { program, checks, .. } = self.function(name, op, &arguments, values)?;
        self.done.clear();
        let mut program = Arc::unwrap_or_clone(program);
        if self.devices().is_some() && checks.is_empty() {
            let shardings = self.shardings(op)?;
            program = program.with_shardings(shardings).map_err(|e| self.module.error(op, e.message()))?;
        }
        Ok(EntryFunction {
            program,
            checks: checks.into_iter().map(|check| check.finish()).collect(),
            tokens: self.tokens(op),
        })
    }

    /// The stated types and the paths of a function's parameters, tuples flattened.
    fn parameters(&self, op: &'a IrOp) -> Result<(Vec<Leaf<'a>>, Vec<&'a str>)> {
        let Some(region) = op.regions.first() else {
            return Err(self.module.error(op, "has no body"));
        };
        let (mut all, mut paths) = (Vec::new(), Vec::new());
        for (i, &arg) in region.args.iter().enumerate() {
            let data = self.module.data(arg);
            let path = match argument_attribute(op, i, "jarrah.path") {
                Some(Attr::String(path)) => path,
                _ => sources::path(&data.loc),
            };
            for leaf in types::leaves(self.module, op, &data.ty)? {
                all.push(leaf);
                paths.push(path);
            }
        }
        Ok((all, paths))
    }

    /// Where a function states tokens.
    fn tokens(&self, op: &IrOp) -> EffectTokens {
        let positions = |types: &mut dyn Iterator<Item = &Ty>| {
            types.enumerate().filter(|(_, ty)| **ty == Ty::Token).map(|(i, _)| i).collect()
        };
        let args = op.regions.iter().take(1).flat_map(|region| &region.args);
        let results = match op.attr("function_type") {
            Some(Attr::Type(Ty::Function(signature))) => &signature.1[..],
            _ => &[],
        };
        EffectTokens {
            arguments: positions(&mut args.map(|&id| self.module.ty(id))),
            results: positions(&mut results.iter()),
        }
    }

    /// The function `name`, which `op` refers to.
    pub fn find(&self, op: &IrOp, name: &str) -> Result<&'a IrOp> {
        let found = self.functions.get(name).copied();
        found.ok_or_else(|| self.module.error(op, format!("there is no function @{name}")))
    }

    /// The program of a function for arguments of these types, with the contents of some known.
    pub fn function(
        &mut self,
        name: &str,
        op: &'a IrOp,
        arguments: &[Type],
        known: &[(usize, Literal)],
    ) -> Result<Done> {
        self.check_calls(name, op)?;
        let place = self.place.filter(|_| self.mentions(op).place);
        let key = Key { name: name.to_owned(), arguments: arguments.to_vec(), known: known.to_vec(), place };
        if let Some(done) = self.done.get(&key) {
            return Ok(done.clone());
        }
        let (stated, paths) = self.parameters(op)?;
        if stated.len() != arguments.len() {
            let message = format!("@{name} takes {} arguments, {} are given", stated.len(), arguments.len());
            return Err(self.module.error(op, message));
        }
        let mut block = Block::new(name);
        block.shapes_vary = self.is_dynamic(name);
        let mut params = Vec::new();
        for (i, ((stated, path), &ty)) in stated.iter().zip(&paths).zip(arguments).enumerate() {
            if !stated.admits(ty) {
                let text = types::describe(stated.tensor());
                let message = format!("argument {i} of @{name} is {text}, {ty} is given");
                return Err(self.module.error(op, message));
            }
            params.push(block.b.param(ty, path));
        }
        for (i, value) in known {
            block.known.insert(params[*i], value.clone());
        }
        let region = &op.regions[0];
        self.bind(&mut block, op, region, &params)?;
        let (last, results) = self.body(&mut block, op, region)?;
        self.check_signature(&block, op, last, &results)?;
        let own = results.len();
        let done = self.finish(block, op, results, own)?;
        self.done.insert(key, done.clone());
        Ok(done)
    }

    /// Binds the arguments of a region to values, one for each leaf.
    pub fn bind(
        &mut self,
        block: &mut Block<'a>,
        op: &IrOp,
        region: &Region,
        values: &[jarrah_hlo::Value],
    ) -> Result<()> {
        let mut values = values.iter().copied();
        for &arg in &region.args {
            let count = types::leaves(self.module, op, self.module.ty(arg))?.len();
            let leaves: Leaves = values.by_ref().take(count).collect();
            block.bound.insert(arg, Bound::Values(leaves));
        }
        Ok(())
    }

    /// The program with `results`, followed by the values that checks need.
    fn finish(
        &mut self,
        block: Block<'a>,
        op: &IrOp,
        mut results: Vec<jarrah_hlo::Value>,
        own: usize,
    ) -> Result<Done> {
        block.sends.check_received(self.module)?;
        let Block { b, height, absorbed, checks, .. } = block;
        let mut position = |value| {
            results.push(value);
            results.len() - 1
        };
        let checks = checks.into_iter().map(|check| check.map(&mut position)).collect();
        self.check_height(height, op)?;
        let program = b.finish(&results).map_err(|e| self.refused(op, e))?;
        let program = regions::without(program, &absorbed).map_err(|e| self.refused(op, e))?;
        Ok(Done { program: Arc::new(program), height: height + 1, checks, own })
    }

    /// Checks the results against the function's stated signature.
    fn check_signature(
        &self,
        block: &Block<'a>,
        op: &IrOp,
        last: &IrOp,
        results: &[jarrah_hlo::Value],
    ) -> Result<()> {
        let Some(Attr::Type(Ty::Function(signature))) = op.attr("function_type") else { return Ok(()) };
        let mut stated = Vec::new();
        for ty in &signature.1 {
            stated.extend(types::leaves(self.module, op, ty)?);
        }
        if stated.len() != results.len() {
            let message = format!("returns {} values, the function states {}", results.len(), stated.len());
            return Err(self.module.error(last, message));
        }
        for (i, (stated, &value)) in stated.iter().zip(results).enumerate() {
            let ty = block.b.ty(value);
            if !stated.admits(ty) {
                let text = types::describe(stated.tensor());
                return Err(self
                    .module
                    .error(last, format!("result {i} is {ty}, the function states {text}")));
            }
        }
        Ok(())
    }

    /// Checks that the calls of a function end, and not too deep.
    fn check_calls(&self, name: &str, op: &IrOp) -> Result<()> {
        match self.calls.get(name) {
            None | Some(Calls::Deep(_)) => Ok(()),
            Some(Calls::TooDeep) => {
                let message = format!("the calls of @{name} nest more than {MAX_DEPTH} deep");
                Err(self.module.error(op, message))
            }
            Some(Calls::Endless) => {
                // A function that is met twice while such calls are followed calls itself.
                let mut name = name.to_owned();
                let mut followed = FxHashSet::default();
                while followed.insert(name.clone()) {
                    let mut all = Vec::new();
                    if let Some(op) = self.functions.get(&name) {
                        calls::callees(op, &mut all);
                    }
                    let endless = all.into_iter().find(|c| self.calls.get(c) == Some(&Calls::Endless));
                    name = endless.unwrap_or(name);
                }
                let op = self.functions.get(&name).copied().unwrap_or(op);
                Err(self.module.error(op, format!("the function @{name} calls itself")))
            }
        }
    }

    fn calls_end(&self, name: &str) -> bool {
        matches!(self.calls.get(name), Some(Calls::Deep(_)))
    }

    /// Whether the shapes in the function `name` depend on those of its arguments.
    pub fn is_dynamic(&mut self, name: &str) -> bool {
        if let Some(&known) = self.dynamic.get(name) {
            return known;
        }
        let Some(&op) = self.functions.get(name) else { return false };
        // A function whose calls nest too deep, or do not end, is refused when it is built.
        let mut answer = dynamic::mentions_unknown_shapes(self.module, op);
        let mut callees = Vec::new();
        if self.calls_end(name) {
            calls::callees(op, &mut callees);
        }
        for callee in callees {
            answer = answer || self.is_dynamic(&callee);
        }
        self.dynamic.insert(name.to_owned(), answer);
        answer
    }

    /// How an op, the ops inside it and its callees depend on other processes.
    pub fn mentions(&mut self, op: &IrOp) -> Mentions {
        let mut found = Mentions::default();
        for callee in ["callee", "decomposition"] {
            if let Some(Attr::Symbol(path)) = op.attr(callee) {
                found = found | self.mentions_of_function(&path.join("::"));
            }
        }
        for inner in op.regions.iter().flat_map(|r| &r.ops) {
            found.exchange |= is_exchange(inner) || inner.name() == "sdy.manual_computation";
            found.place |= matches!(inner.name(), "stablehlo.partition_id" | "stablehlo.replica_id");
            found = found | self.mentions(inner);
        }
        found
    }

    fn mentions_of_function(&mut self, name: &str) -> Mentions {
        if let Some(&known) = self.mentions.get(name) {
            return known;
        }
        let Some(&op) = self.functions.get(name) else { return Mentions::default() };
        // A function whose calls nest too deep, or do not end, is refused when it is built.
        if !self.calls_end(name) {
            return Mentions::default();
        }
        let found = self.mentions(op);
        self.mentions.insert(name.to_owned(), found);
        found
    }

    /// Whether any op uses a module value.
    pub fn is_used(&self, value: crate::ir::ValueId) -> bool {
        self.used.get(value.index()).copied().unwrap_or(false)
    }

    /// Counts an op towards the most that are allowed.
    pub fn count(&mut self, op: &IrOp) -> Result<()> {
        self.instructions += 1;
        if self.instructions <= MAX_INSTRUCTIONS {
            return Ok(());
        }
        Err(self.module.error(op, format!("the programs have more than {MAX_INSTRUCTIONS} instructions")))
    }

    pub fn check_height(&self, height: usize, op: &IrOp) -> Result<()> {
        if height < MAX_DEPTH {
            return Ok(());
        }
        Err(self.module.error(op, format!("regions and calls nest more than {MAX_DEPTH} deep")))
    }
}

/// The functions of a module; those of nested modules have the module's name as prefix.
fn collect<'a>(op: &'a IrOp, prefix: &str, all: &mut Vec<(String, &'a IrOp)>) {
    for inner in op.regions.iter().flat_map(|r| &r.ops) {
        let Some(name) = inner.text("sym_name") else {
            if inner.name() == "builtin.module" {
                collect(inner, prefix, all);
            }
            continue;
        };
        let name = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}::{name}") };
        match inner.name() {
            "func.func" => all.push((name, inner)),
            "builtin.module" => collect(inner, &name, all),
            _ => {}
        }
    }
}

/// The symbols that an op and all ops inside it refer to.
fn mentioned<'a>(op: &'a IrOp, all: &mut FxHashSet<&'a str>) {
    fn within<'a>(attr: &'a Attr, all: &mut FxHashSet<&'a str>) {
        match attr {
            Attr::Symbol(path) => all.extend(path.last().map(|name| &**name)),
            Attr::Array(list) => list.iter().for_each(|attr| within(attr, all)),
            Attr::Dictionary(fields) => fields.iter().for_each(|(_, attr)| within(attr, all)),
            _ => {}
        }
    }
    op.attributes.iter().for_each(|(_, attr)| within(attr, all));
    op.regions.iter().flat_map(|region| &region.ops).for_each(|op| mentioned(op, all));
}

fn is_public(op: &IrOp) -> bool {
    !matches!(op.text("sym_visibility"), Some("private" | "nested"))
}

/// An attribute of the argument `index` of a function.
fn argument_attribute<'a>(op: &'a IrOp, index: usize, name: &str) -> Option<&'a Attr> {
    let Attr::Array(all) = op.attr("arg_attrs")? else { return None };
    let Attr::Dictionary(attributes) = all.get(index)? else { return None };
    Attributes::get(attributes, name)
}

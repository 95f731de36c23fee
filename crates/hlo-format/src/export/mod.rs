//! From program to tree.

mod attributes;
mod block;
mod captures;
mod collectives;
mod control;
mod host;
mod linalg;
mod operation;
mod own;
mod reductions;
mod types;
mod windows;

use std::sync::Arc;

use jarrah_base::{DType, work};
use jarrah_hlo::ops::ManualComputation;
use jarrah_hlo::sharding::TensorSharding;
use jarrah_hlo::{Param, Program};
use rustc_hash::FxHashMap;

use crate::ir::{Attr, Attributes, Definition, ElementTy, IrModule, IrOp, OriginFile, Region, Ty};
use collectives::Devices;

/// The module called `name` with these public functions; what they call follows as private functions, identical ones
/// once.
pub(crate) fn module(name: &str, functions: &[(&str, &Program)]) -> IrModule {
    let mut exporter = Exporter::new(Devices::of(functions));
    exporter.taken = functions.iter().map(|(name, _)| ((*name).to_owned(), 0)).collect();
    if !name.is_empty() {
        exporter.module.op.attributes.set("sym_name", Attr::string(name));
    }
    let public: Vec<IrOp> = functions.iter().map(|(name, p)| exporter.function(name, p, "public")).collect();
    let Exporter { mut module, private, devices, names_devices, .. } = exporter;
    if names_devices {
        for (name, count) in
            [("mhlo.num_partitions", devices.partitions), ("mhlo.num_replicas", devices.replicas)]
        {
            module.op.attributes.set(name, Attr::Integer(count as i128, ElementTy::Number(DType::I32)));
        }
    }
    module.op.regions[0].ops = public.into_iter().chain(private).collect();
    module
}

/// An op that is known to be defined.
fn op(name: &'static str) -> IrOp {
    IrOp::new(Definition::find(name).expect("invariant: ops that export makes are defined"), 0)
}

/// The state of an export: the module and the functions that are in it so far.
struct Exporter<'p> {
    module: IrModule,
    /// The names that functions have, each with the first number that may be free behind it.
    taken: FxHashMap<String, usize>,
    by_address: FxHashMap<(*const Program, Around), Arc<str>>,
    by_content: FxHashMap<(&'p Program, Around), Arc<str>>,
    private: Vec<IrOp>,
    devices: Devices,
    /// Whether an op names devices by their numbers.
    names_devices: bool,
    /// The manual computations in whose bodies the instruction at hand stands, the outermost first.
    manuals: Vec<&'p ManualComputation>,
}

/// The manual computations around a function that speaks of their axes; none around another function.
type Around = Vec<*const ManualComputation>;

impl<'p> Exporter<'p> {
    fn new(devices: Devices) -> Self {
        Exporter {
            module: IrModule::new(Arc::new(OriginFile::default())),
            taken: FxHashMap::default(),
            by_address: FxHashMap::default(),
            by_content: FxHashMap::default(),
            private: Vec::new(),
            devices,
            names_devices: false,
            manuals: Vec::new(),
        }
    }

    fn function(&mut self, name: &str, program: &'p Program, visibility: &str) -> IrOp {
        let mut function = op("func.func");
        let attributes = &mut function.attributes;
        attributes.set("sym_name", Attr::string(name));
        let list = |types: Vec<jarrah_base::Type>| types.into_iter().map(types::ty).collect::<Vec<Ty>>();
        let signature = (list(program.param_types()), list(program.result_types()));
        attributes.set("function_type", Attr::Type(Ty::Function(Arc::new(signature))));
        attributes.set("sym_visibility", Attr::string(visibility));
        let sharding = |one: Option<&Option<TensorSharding>>| {
            let text = one?.as_ref()?.to_string();
            Some(("sdy.sharding".into(), Attr::Opaque(text.into())))
        };
        let shardings = program.shardings();
        let argument = |(at, param): (usize, &Param)| {
            let path = param.path.path();
            let named = (!path.is_empty()).then(|| ("jarrah.path".into(), Attr::string(path)));
            let lies = sharding(shardings.and_then(|shardings| shardings.parameters.get(at)));
            named.into_iter().chain(lies).collect::<Attributes>()
        };
        let arguments: Vec<Attributes> = program.params().iter().enumerate().map(argument).collect();
        if arguments.iter().any(|one| one.iter().next().is_some()) {
            attributes.set("arg_attrs", Attr::Array(arguments.into_iter().map(Attr::Dictionary).collect()));
        }
        if let Some(shardings) = shardings {
            let results = shardings.results.iter().map(|one| sharding(Some(one)).into_iter().collect());
            attributes.set("res_attrs", Attr::Array(results.map(Attr::Dictionary).collect()));
        }
        function.regions.push(self.closed(program, "func.return"));
        function
    }

    /// A region whose arguments are the program's parameters.
    fn closed(&mut self, program: &'p Program, terminator: &'static str) -> Region {
        let types = program.params().iter().map(|p| types::ty(p.ty));
        let args: Vec<_> = types.map(|ty| self.module.value(ty, Default::default())).collect();
        let ops = self.body(program, args.clone(), Vec::new(), terminator);
        Region { args, ops }
    }

    /// The name of the private function that `program` is; equal programs have one name, if their axes are those of the same computations.
    fn callee(&mut self, program: &'p Program) -> Arc<str> {
        let around: Around = match program.names_axes() {
            true => self.manuals.iter().map(|&manual| std::ptr::from_ref(manual)).collect(),
            false => Vec::new(),
        };
        let address = (std::ptr::from_ref(program), around.clone());
        if let Some(name) = self.by_address.get(&address) {
            return name.clone();
        }
        let content = (program, around);
        let name = match self.by_content.get(&content) {
            Some(name) => name.clone(),
            None => {
                let name: Arc<str> = self.free_name(program.name()).into();
                self.by_content.insert(content, name.clone());
                let at = self.private.len();
                let function = self.function(&name, program, "private");
                self.private.insert(at, function);
                name
            }
        };
        self.by_address.insert(address, name.clone());
        name
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "function" } else { wanted };
        let mut name = wanted.to_owned();
        if let Some(&first) = self.taken.get(wanted) {
            let mut number = first;
            while self.taken.contains_key(&name) {
                work::step(1);
                name = format!("{wanted}_{number}");
                number += 1;
            }
            self.taken.insert(wanted.to_owned(), number);
        }
        self.taken.insert(name.clone(), 0);
        name
    }
}

//! A function traced at several sizes, and the artifact made from these traces.

use std::sync::Arc;

use jarrah_base::{DType, Error, Location, Result, Type};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_hlo_format::artifact::{self, Aval, AvalType, Extent, MemorySpace, Sharding};
use jarrah_hlo_format::bytecode::{self, Version};
use jarrah_hlo_format::ir::IrModule;
use jarrah_hlo_format::symbolic::{Generalized, Polynomial, Sizes, SymbolicScope, generalize};
use jarrah_transforms::ResidualPolicy;
use jarrah_tree::{Tree, TreeExt};

use super::SIZES_VARY;
use super::specs::ArgSpecs;
use super::tree::{self, Shaped};
use crate::array::Array;
use crate::function::{Function, Shadows, trace_function};
use crate::scope::Scoped;

/// A function as programs, one for each of the sizes.
#[derive(Clone)]
pub(super) struct Traced {
    name: String,
    at: Location,
    scope: SymbolicScope,
    sizes: Arc<Sizes>,
    /// The shape of each parameter, including parameters that the programs do not take.
    shapes: Vec<Vec<Polynomial>>,
    /// The element types of all parameters.
    dtypes: Vec<AvalType>,
    in_tree: artifact::PyTree,
    out_tree: artifact::PyTree,
    /// The element types of the results.
    out_dtypes: Vec<AvalType>,
    /// The programs take the parameters that are arrays of numbers, in the order of `in_tree`.
    programs: Arc<Vec<Program>>,
}

impl Traced {
    /// Traces `f`; errors are reported at the line `at`.
    #[track_caller]
    pub(super) fn of<A: Tree<Array>, R: Tree<Array>>(
        f: &impl Function<A, Output = R>,
        name: String,
        specs: ArgSpecs<'_, A>,
        at: Location,
    ) -> Result<Traced> {
        let ArgSpecs { args, leaves, scope, shapes } = specs;
        let Shaped { tree: in_tree, order } = tree::of_arguments(&leaves.structure);
        let dtypes: Vec<DType> = leaves.types().iter().map(|ty| ty.dtype()).collect();
        let sizes = scope.sizes(&shapes).map_err(|error| error.at(at))?;
        let mut programs = Vec::with_capacity(sizes.all().len());
        let mut out: Option<(artifact::PyTree, Vec<AvalType>)> = None;
        let _scope = Scoped::set(&SIZES_VARY, !scope.names().is_empty());
        for (i, size) in sizes.all().iter().enumerate() {
            let typed = |(shape, &dtype): (&Vec<Polynomial>, &DType)| type_at(shape, dtype, size);
            let types: Vec<Type> = shapes.iter().zip(&dtypes).map(typed).collect::<Result<_>>()?;
            let title = match scope.names().is_empty() {
                true => "export".to_owned(),
                false => format!("export for {}", sizes.describe(&scope, i)),
            };
            let traced = crate::random::unused(|| {
                trace_function(&title, at, args, &types, Shadows::Drop, |args: &A| f.apply(args))
            });
            let result = tree::of(&traced.prototype.structure());
            let program =
                bound(&name, &traced.traced.program, &traced.traced.captures, &order, &result.order)?;
            let out_dtypes = program.result_types().iter().map(|ty| AvalType::Number(ty.dtype())).collect();
            match &out {
                Some((tree, _)) if *tree != result.tree => {
                    let error =
                        format!("the function returns {tree} for some sizes and {} for others", result.tree);
                    return Err(Error::program(error).op("export").at(at));
                }
                Some(_) => {}
                None => out = Some((result.tree, out_dtypes)),
            }
            programs.push(program);
        }
        let (out_tree, out_dtypes) = out.ok_or_else(|| Error::internal("there are no sizes").op("export"))?;
        Ok(Traced {
            name,
            at,
            scope,
            sizes: Arc::new(sizes),
            shapes: order.iter().map(|&i| shapes[i].clone()).collect(),
            dtypes: order.iter().map(|&i| AvalType::Number(dtypes[i])).collect(),
            in_tree,
            out_tree,
            out_dtypes,
            programs: Arc::new(programs),
        })
    }

    /// The positions of the parameters that the programs take.
    fn kept(&self) -> Vec<usize> {
        (0..self.dtypes.len()).filter(|&i| self.dtypes[i] != AvalType::Float0).collect()
    }

    /// The types of all parameters for one choice of sizes; a `float0` is represented as a truth value.
    fn types(&self, sizes: &[i64]) -> Result<Vec<Type>> {
        let typed = |(shape, dtype): (&Vec<Polynomial>, &AvalType)| match dtype {
            AvalType::Number(dtype) => type_at(shape, *dtype, sizes),
            _ => type_at(shape, DType::Bool, sizes),
        };
        self.shapes.iter().zip(&self.dtypes).map(typed).collect()
    }

    /// The module with symbols, and the shapes of its results.
    fn generalized(&self, platforms: usize) -> Result<Generalized> {
        let mut modules = Vec::with_capacity(self.programs.len());
        for program in &*self.programs {
            modules.push(jarrah_hlo_format::export(&jarrah_compiler::portable(program)?));
        }
        let arguments: Vec<Vec<Polynomial>> =
            self.kept().into_iter().map(|i| self.shapes[i].clone()).collect();
        let generalized = generalize(&self.scope, &self.sizes, &modules, &arguments, platforms);
        generalized.map_err(|error| if error.location().is_some() { error } else { error.at(self.at) })
    }

    /// The artifact for these platforms.
    pub(super) fn artifact(&self, platforms: &[&str]) -> Result<artifact::ExportedFunction> {
        let Generalized { module, results } = self.generalized(platforms.len())?;
        let aval = |shape: &Vec<Polynomial>, dtype: AvalType| {
            let extent = |p: &Polynomial| match p.as_constant().and_then(|n| u64::try_from(n).ok()) {
                Some(n) => Extent::Constant(n),
                None => Extent::Symbolic(self.scope.display(p)),
            };
            Aval { shape: shape.iter().map(extent).collect(), dtype, memory: MemorySpace::Device }
        };
        let avals = |shapes: &[Vec<Polynomial>], dtypes: &[AvalType]| -> Vec<Aval> {
            shapes.iter().zip(dtypes).map(|(shape, &dtype)| aval(shape, dtype)).collect()
        };
        let kept: Option<Vec<u16>> = self.kept().into_iter().map(|i| u16::try_from(i).ok()).collect();
        let many =
            || Error::program("the function has more arguments than artifacts have").op("export").at(self.at);
        let module = oldest_bytecode(&module)?;
        Ok(artifact::ExportedFunction {
            fun_name: self.name.clone(),
            in_tree: self.in_tree.clone(),
            in_avals: avals(&self.shapes, &self.dtypes),
            out_tree: self.out_tree.clone(),
            out_avals: avals(&results, &self.out_dtypes),
            devices: 1,
            in_shardings: vec![Sharding::Unspecified; self.dtypes.len()],
            out_shardings: vec![Sharding::Unspecified; self.out_dtypes.len()],
            platforms: platforms.iter().map(|&name| name.to_owned()).collect(),
            ordered_effects: Vec::new(),
            unordered_effects: Vec::new(),
            disabled_checks: Vec::new(),
            module,
            calling_convention: artifact::NEWEST_CONVENTION,
            kept: kept.ok_or_else(many)?,
            uses_global_constants: !self.scope.names().is_empty() || platforms.len() > 1,
            vjp: None,
            origin: String::new(),
        })
    }

    /// The reverse-mode derivative: takes the arguments, then a cotangent for each result; returns a cotangent for each argument.
    /// The cotangent of an argument that is no float has the type `float0`, which carries no data.
    pub(super) fn vjp(&self) -> Result<Traced> {
        let at_sizes = self.programs.iter().zip(self.sizes.all());
        let derived: Result<Vec<Program>> =
            at_sizes.map(|(program, sizes)| derivative(program, &self.types(sizes)?)).collect();
        let programs =
            derived.map_err(|error| if error.location().is_some() { error } else { error.at(self.at) })?;
        let tangent = |&dtype: &AvalType| match dtype {
            AvalType::Number(dtype) if dtype.is_differentiable() => AvalType::Number(dtype),
            _ => AvalType::Float0,
        };
        // The shapes of the results are known when the function is generalised.
        let results = self.generalized(1)?.results;
        let out_dtypes: Vec<AvalType> = self.dtypes.iter().map(tangent).collect();
        let dtypes: Vec<AvalType> =
            self.dtypes.iter().copied().chain(self.out_dtypes.iter().map(tangent)).collect();
        Ok(Traced {
            name: format!("{}_vjp", self.name),
            shapes: self.shapes.iter().cloned().chain(results).collect(),
            in_tree: tree::flat_arguments(dtypes.len()),
            out_tree: artifact::PyTree::Tuple(vec![artifact::PyTree::Leaf; out_dtypes.len()]),
            dtypes,
            out_dtypes,
            programs: Arc::new(programs),
            ..self.clone()
        })
    }
}

/// The module as portable bytecode of the oldest version 1 that has all its ops, so that older readers can read it.
fn oldest_bytecode(module: &IrModule) -> Result<Vec<u8>> {
    let older = (0..Version::CURRENT.minor).find_map(|minor| {
        let written = bytecode::write(module, Version::new(Version::CURRENT.major, minor));
        written.ok()
    });
    older.map_or_else(|| bytecode::write(module, Version::CURRENT), Ok)
}

/// The type of an array of a symbolic shape for one choice of sizes.
fn type_at(shape: &[Polynomial], dtype: DType, sizes: &[i64]) -> Result<Type> {
    let extent = |p: &Polynomial| p.evaluate(sizes).and_then(|n| usize::try_from(n).ok());
    let dims: Option<Vec<usize>> = shape.iter().map(extent).collect();
    let dims = dims.ok_or_else(|| Error::internal("an extent is not positive").op("export"))?;
    Ok(Type::tensor(dtype, dims))
}

/// The program with constants in place of the captures, and with its parameters and results in these orders.
fn bound(
    name: &str,
    program: &Program,
    captures: &[Array],
    params: &[usize],
    results: &[usize],
) -> Result<Program> {
    let mut b = Builder::new(name);
    let mut args: Vec<Option<Value>> = vec![None; params.len()];
    for &i in params {
        args[i] = Some(b.param_at(program.params()[i]));
    }
    let mut args: Vec<Value> = args.into_iter().flatten().collect();
    for capture in captures {
        args.push(b.constant(capture.to_literal()?)?);
    }
    let values = b.inline(program, &args)?;
    let ordered: Vec<Value> = results.iter().map(|&i| values[i]).collect();
    b.finish(&ordered)
}

/// The reverse-mode derivative of one program. `types` are those of all arguments, including the `float0` ones, which the program
/// does not take and which count as truth values.
fn derivative(program: &Program, types: &[Type]) -> Result<Program> {
    let active: Vec<bool> = program.param_types().iter().map(|ty| ty.dtype().is_differentiable()).collect();
    let parts = jarrah_transforms::vjp(program, &active, ResidualPolicy::default())?;
    let mut b = Builder::like(program);
    let params: Vec<Value> = program.param_values().collect();
    let mut residuals = b.inline(&parts.forward, &params)?.split_off(program.results().len());
    for ty in program.result_types() {
        if ty.dtype().is_differentiable() {
            residuals.push(b.param(ty, ""));
        }
    }
    let mut pulled = b.inline(&parts.backward, &residuals)?.into_iter();
    let mut returned = Vec::with_capacity(types.len());
    for ty in types {
        returned.push(if ty.dtype().is_differentiable() {
            pulled.next().ok_or_else(|| Error::internal("a cotangent is missing").op("export"))?
        } else {
            b.zeros(ty.with_dtype(DType::Bool))?
        });
    }
    b.finish(&returned)
}

//! What a module says about its arguments and results beside their types.

use jarrah_base::Type;
use jarrah_hlo::sharding::{ProgramShardings, TileSharding};
use jarrah_hlo::{Alias, Program};
use jarrah_hlo_format::ir::{Attr, Attributes, IrModule, IrOp, Ty, ValueId};
use jarrah_runtime::MemoryKind;

use crate::failure::{Failure, Outcome};
use crate::order::{self, Order, Wish};
use crate::shardings::Stated;
use crate::topology::memory_kind;

/// The arguments and results of `@main`, and what its attributes say of them.
///
/// The caller's arguments and results are those of the function; the program's are these without tokens.
pub struct Metadata {
    /// The type of each argument; `None` for a token.
    pub parameters: Vec<Option<Type>>,
    /// The type of each result; `None` for a token.
    pub results: Vec<Option<Type>>,
    /// Which of the program's arguments the caller may give up, and for which of the program's results.
    pub aliases: Vec<Alias>,
    /// The memory of each argument.
    pub parameter_kinds: Vec<MemoryKind>,
    /// The memory of each result.
    pub result_kinds: Vec<MemoryKind>,
    /// How the axes of each argument lie in memory; a token has none.
    pub parameter_orders: Vec<Order>,
    /// How the axes of each result lie in memory.
    pub result_orders: Vec<Order>,
    /// How each argument is cut over the partitions.
    pub parameter_shardings: Vec<TileSharding>,
    /// How each result is cut over the partitions.
    pub result_shardings: Vec<TileSharding>,
}

impl Metadata {
    /// Reads the attributes of the function that `program` was made of, which is to run in so many partitions. The shardings of results that
    /// are `open` may be chosen.
    pub fn read(module: &IrModule, program: &Program, partitions: usize, open: &[bool]) -> Outcome<Metadata> {
        let main = main(module)?;
        let Some(Attr::Type(Ty::Function(signature))) = main.attr("function_type") else {
            return Err(Failure::invalid("the function of the module has no type"));
        };
        let parameters = typed("arguments", &signature.0, &program.param_types())?;
        let results = typed("results", &signature.1, &program.result_types())?;
        let of_parameters = attributes(main, "arg_attrs", parameters.len());
        let of_results = attributes(main, "res_attrs", results.len());
        let fits = |at: usize, sharding: &TileSharding| match results.get(at) {
            Some(Some(ty)) => sharding.slices(partitions, &ty.extents().collect::<Vec<_>>()).is_ok(),
            _ => false,
        };
        let stated = Stated::read(module, main, &of_parameters, &of_results, open, &fits)?;
        let argument_orders = order::of_arguments(program, &wishes("argument", &of_parameters, &parameters)?);
        let given_wishes = constrained(main, wishes("result", &of_results, &results)?, &results);
        let given_orders = order::of_results(program, &given_wishes);
        let given_up = of_parameters.iter().zip(&parameters).filter(|(_, ty)| ty.is_some()).enumerate();
        Ok(Metadata {
            aliases: given_up.filter_map(|(at, (one, _))| alias(at, one, &results)).collect(),
            parameter_kinds: of_parameters.iter().map(kind).collect::<Outcome<_>>()?,
            result_kinds: of_results.iter().map(kind).collect::<Outcome<_>>()?,
            parameter_orders: with_tokens(&parameters, argument_orders),
            result_orders: with_tokens(&results, given_orders),
            parameter_shardings: stated.arguments,
            result_shardings: stated.results,
            parameters,
            results,
        })
    }
}

/// The function that runs.
pub fn main(module: &IrModule) -> Outcome<&IrOp> {
    let functions = || module.ops().iter().filter(|op| op.name() == "func.func");
    let named = functions().find(|op| op.text("sym_name") == Some("main"));
    let public = || functions().find(|op| op.text("sym_visibility") != Some("private"));
    let main = named.or_else(public).or_else(|| functions().next());
    main.ok_or_else(|| Failure::invalid("the module has no function"))
}

/// The types of a program's arguments or results where the function has tensors.
fn typed(what: &str, stated: &[Ty], types: &[Type]) -> Outcome<Vec<Option<Type>>> {
    let tensors = stated.iter().filter(|ty| !matches!(ty, Ty::Token)).count();
    if tensors != types.len() {
        return Err(Failure::unimplemented(format!("{what} that are tuples are not supported")));
    }
    let mut types = types.iter().copied();
    Ok(stated.iter().map(|ty| if matches!(ty, Ty::Token) { None } else { types.next() }).collect())
}

/// The attributes in a list of a function, as many as it has arguments or results.
pub fn attributes(function: &IrOp, name: &str, count: usize) -> Vec<Attributes> {
    let given = match function.attr(name) {
        Some(Attr::Array(list)) => list.as_slice(),
        _ => &[],
    };
    let one = |at| match given.get(at) {
        Some(Attr::Dictionary(attributes)) => attributes.clone(),
        _ => Attributes::default(),
    };
    (0..count).map(one).collect()
}

/// What becomes of the program's argument `parameter`. A result is named by its position among the function's.
fn alias(parameter: usize, attributes: &Attributes, results: &[Option<Type>]) -> Option<Alias> {
    let result = attributes.get("tf.aliasing_output").and_then(Attr::integer);
    if let Some(result) = result.and_then(|result| usize::try_from(result).ok()) {
        let tokens = results.iter().take(result).filter(|ty| ty.is_none()).count();
        return Some(Alias::may(parameter, result - tokens));
    }
    let donor = attributes.get("jax.buffer_donor").and_then(Attr::integer);
    (donor == Some(1)).then(|| Alias::donor(parameter))
}

fn kind(attributes: &Attributes) -> Outcome<MemoryKind> {
    match attributes.get("mhlo.memory_kind") {
        Some(Attr::String(name)) => memory_kind(name),
        _ => Ok(MemoryKind::Device),
    }
}

/// The layouts that are wished for tensors; one that is not spoken of is row-major.
fn wishes(what: &str, list: &[Attributes], types: &[Option<Type>]) -> Outcome<Vec<Wish>> {
    let mut wishes = Vec::new();
    for (at, (attributes, ty)) in list.iter().zip(types).enumerate() {
        let Some(ty) = ty else { continue };
        wishes.push(match attributes.get("mhlo.layout_mode") {
            Some(Attr::String(layout)) => Wish::read(layout, ty.rank())
                .map_err(|failure| failure.during(format!("{what} {at} of type {ty}")))?,
            _ => Wish::Order(Order::row_major(ty.rank())),
        });
    }
    Ok(wishes)
}

/// The wishes for the results of a function, of which one that may lie anyhow is to lie as its last op says, if that is a constraint.
fn constrained(main: &IrOp, wishes: Vec<Wish>, results: &[Option<Type>]) -> Vec<Wish> {
    let ops = main.regions.first().map_or(&[][..], |body| &body.ops);
    let Some((last, before)) = ops.split_last() else { return wishes };
    let returned = last.operands.iter().zip(results).filter(|(_, ty)| ty.is_some());
    let wish = |(wish, (value, ty)): (Wish, (&ValueId, &Option<Type>))| {
        let op = before.iter().rfind(|op| op.results.contains(value));
        let layouts = op.filter(|op| op.text("call_target_name") == Some("LayoutConstraint"));
        match (layouts.and_then(|op| op.attr("result_layouts")), &wish) {
            (Some(Attr::Array(layouts)), Wish::Any) => {
                let axes = layouts.first().and_then(Attr::integers);
                let rank = ty.map_or(0, |ty| ty.rank());
                axes.and_then(|axes| Order::from_fastest(&axes, rank)).map_or(wish, Wish::Order)
            }
            _ => wish,
        }
    };
    wishes.into_iter().zip(returned).map(wish).collect()
}

/// An order for each tensor or token, of which only tensors have one.
fn with_tokens(types: &[Option<Type>], orders: Vec<Order>) -> Vec<Order> {
    let mut orders = orders.into_iter();
    let order = |ty: &Option<Type>| ty.and_then(|_| orders.next()).unwrap_or_else(|| Order::row_major(0));
    types.iter().map(order).collect()
}

impl Metadata {
    /// The program of each of so many partitions.
    pub fn partition(&self, program: Program, partitions: usize) -> Outcome<Program> {
        if partitions == 1 {
            return Ok(program);
        }
        let all = |what: &str, shardings: &[TileSharding], types: &[Option<Type>]| {
            let mut all = Vec::new();
            for (at, (sharding, ty)) in shardings.iter().zip(types).enumerate() {
                let Some(ty) = ty else { continue };
                let axes = sharding.axes(ty.rank());
                all.push(Some(axes.map_err(|error| Failure::from(error).during(format!("{what} {at}")))?));
            }
            Ok::<_, Failure>(all)
        };
        let shardings = ProgramShardings {
            parameters: all("argument", &self.parameter_shardings, &self.parameters)?,
            results: all("result", &self.result_shardings, &self.results)?,
        };
        Ok(jarrah_compiler::partition(&program.with_shardings(shardings)?, partitions)?.program)
    }

    /// The program on the buffers that hold its arguments and results.
    pub fn on_stored(&self, program: Program) -> Outcome<Program> {
        let of = |types: &[Option<Type>], orders: &[Order]| {
            let tensors = orders.iter().zip(types).filter(|(_, ty)| ty.is_some());
            tensors.map(|(order, _)| order.clone()).collect::<Vec<_>>()
        };
        let arguments = of(&self.parameters, &self.parameter_orders);
        Ok(order::on_stored(program, &arguments, &of(&self.results, &self.result_orders))?)
    }
}

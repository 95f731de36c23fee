//! What a module says about its arguments and results beside their types.

use jarrah_base::Type;
use jarrah_hlo::{Alias, Program};
use jarrah_hlo_format::ir::{Attr, Attributes, Module};
use jarrah_runtime::MemoryKind;

use crate::error::{Failure, Outcome};
use crate::topology::memory_kind;

/// The attributes of `@main`.
pub struct Metadata {
    /// Which arguments the caller may give up, and for which result.
    pub aliases: Vec<Alias>,
    /// The memory of each argument.
    pub parameter_kinds: Vec<MemoryKind>,
    /// The memory of each result.
    pub result_kinds: Vec<MemoryKind>,
    /// The first argument or result that is not whole on each device, and its sharding.
    pub sharded: Option<String>,
}

impl Metadata {
    /// Reads the attributes of the function that `program` was made of.
    pub fn read(module: &Module, program: &Program) -> Outcome<Metadata> {
        let functions = || module.ops().iter().filter(|op| op.name() == "func.func");
        let named = functions().find(|op| op.text("sym_name") == Some("main"));
        let public = || functions().find(|op| op.text("sym_visibility") != Some("private"));
        let main = named.or_else(public).or_else(|| functions().next());
        let main = main.ok_or_else(|| Failure::invalid("the module has no function"))?;
        let list = |name: &str, count: usize| {
            let given = match main.attr(name) {
                Some(Attr::Array(list)) => list.as_slice(),
                _ => &[],
            };
            let one = |at| match given.get(at) {
                Some(Attr::Dictionary(attributes)) => attributes.clone(),
                _ => Attributes::default(),
            };
            (0..count).map(one).collect::<Vec<Attributes>>()
        };
        let parameters = list("arg_attrs", program.params().len());
        let results = list("res_attrs", program.results().len());
        let sharded = |what: &str, list: &[Attributes]| {
            let shardings = list.iter().enumerate().filter_map(|(at, one)| Some((at, sharding(one)?)));
            let mut split = shardings.filter(|(_, text)| !is_replicated(text));
            split.next().map(|(at, text)| format!("{what} {at} has the sharding {text}"))
        };
        check_layouts("argument", &parameters, &program.param_types())?;
        check_layouts("result", &results, &program.result_types())?;
        Ok(Metadata {
            aliases: parameters.iter().enumerate().filter_map(|(at, one)| alias(at, one)).collect(),
            parameter_kinds: parameters.iter().map(kind).collect::<Outcome<_>>()?,
            result_kinds: results.iter().map(kind).collect::<Outcome<_>>()?,
            sharded: sharded("argument", &parameters).or_else(|| sharded("result", &results)),
        })
    }
}

fn alias(parameter: usize, attributes: &Attributes) -> Option<Alias> {
    let result = attributes.get("tf.aliasing_output").and_then(Attr::integer);
    if let Some(result) = result.and_then(|result| usize::try_from(result).ok()) {
        return Some(Alias::may(parameter, result));
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

/// A layout that is asked for has to be that of all tensors: the last axis varies fastest.
fn check_layouts(what: &str, list: &[Attributes], types: &[Type]) -> Outcome {
    for (at, (attributes, ty)) in list.iter().zip(types).enumerate() {
        let Some(Attr::String(layout)) = attributes.get("mhlo.layout_mode") else { continue };
        let wished = layout.trim_matches(['{', '}']).split(',').filter(|axis| !axis.is_empty());
        let order: Vec<String> = (0..ty.rank()).rev().map(|axis| axis.to_string()).collect();
        if !matches!(&**layout, "default" | "auto") && !wished.eq(order.iter().map(String::as_str)) {
            return Err(Failure::unimplemented(format!(
                "{what} {at} of type {ty} is wished in the layout {layout}; all tensors are row-major"
            )));
        }
    }
    Ok(())
}

fn sharding(attributes: &Attributes) -> Option<String> {
    match attributes.get("mhlo.sharding").or_else(|| attributes.get("sdy.sharding"))? {
        Attr::String(text) | Attr::Opaque(text) => Some(text.to_string()),
        other => Some(format!("{other:?}")),
    }
}

/// Whether each device holds the whole tensor. A sharding names the axes of the mesh it splits by in quotes, or lists
/// the devices of each part.
fn is_replicated(sharding: &str) -> bool {
    let of_shardy = sharding.starts_with("#sdy");
    match of_shardy {
        true => !sharding.split_once('[').is_some_and(|(_, dims)| dims.contains('"')),
        false => sharding == "{replicated}" || sharding == "{manual}",
    }
}

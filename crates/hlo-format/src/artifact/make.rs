use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::exported::*;
use super::{NEWEST_CONVENTION, platform, write};
use crate::bytecode::{self, Version};
use crate::ir::{Attr, ElementTy, IrModule, IrOp, Ty};

/// The artifact of a module alone: its function `@main`, of arrays of known shapes, for one device of `platform`.
///
/// Arguments are positional; several results are a tuple. `target` is the version of the portable dialect.
///
/// # Errors
/// There is no `@main`, one of its types is no array of a known shape that artifacts have, or the module cannot be
/// written for `target`.
pub fn export(module: &IrModule, platform: &str, target: Version) -> Result<Vec<u8>> {
    let main = module.ops().iter().find(|op| platform::is_main(op));
    let main = main.ok_or_else(|| Error::program("the module has no function `@main` to export"))?;
    let Some(Attr::Type(Ty::Function(types))) = main.attr("function_type") else {
        return Err(module.error(main, "a function without a type"));
    };
    platform::check(module, main)?;
    let avals = |types: &[Ty]| types.iter().map(|ty| aval(module, main, ty)).collect::<Result<Vec<_>>>();
    let (in_avals, out_avals) = (avals(&types.0)?, avals(&types.1)?);
    let leaves = |n: usize| vec![PyTree::Leaf; n];
    let kept = u16::try_from(in_avals.len())
        .map_err(|_| module.error(main, "more arguments than artifacts have"))?;
    let exported = ExportedFunction {
        fun_name: module.name().unwrap_or("main").to_owned(),
        in_tree: PyTree::Tuple(vec![PyTree::Tuple(leaves(in_avals.len())), PyTree::Dict(Vec::new())]),
        out_tree: if out_avals.len() == 1 { PyTree::Leaf } else { PyTree::Tuple(leaves(out_avals.len())) },
        devices: 1,
        in_shardings: vec![Sharding::Unspecified; in_avals.len()],
        out_shardings: vec![Sharding::Unspecified; out_avals.len()],
        platforms: vec![platform.to_owned()],
        ordered_effects: Vec::new(),
        unordered_effects: Vec::new(),
        disabled_checks: Vec::new(),
        module: bytecode::write(&public(module), target)?,
        calling_convention: NEWEST_CONVENTION,
        kept: (0..kept).collect(),
        uses_global_constants: false,
        vjp: None,
        origin: String::new(),
        in_avals,
        out_avals,
    };
    write(&exported)
}

fn aval(module: &IrModule, main: &IrOp, ty: &Ty) -> Result<Aval> {
    let wrong = || {
        module
            .error(main, "a function to export takes and gives arrays of known shapes")
            .help("an artifact states how the results' shapes follow from the arguments', which a module does not say")
    };
    let tensor = ty.tensor().ok_or_else(wrong)?;
    let dims = tensor.dims.as_ref().ok_or_else(wrong)?;
    let shape = dims.iter().map(|d| d.map(Extent::Constant)).collect::<Option<_>>().ok_or_else(wrong)?;
    let dtype = match tensor.element {
        ElementTy::Number(dtype) => AvalType::Number(dtype),
        _ => return Err(wrong()),
    };
    Ok(Aval { shape, dtype, memory: MemorySpace::Device })
}

/// The module with its `@main` public, as its callers expect it.
fn public(module: &IrModule) -> IrModule {
    let mut module = module.clone();
    for op in module.op.regions.iter_mut().flat_map(|r| &mut r.ops) {
        if platform::is_main(op) {
            op.attributes.set("sym_visibility", Attr::String(Arc::from("public")));
        }
    }
    module
}

//! Functions for several platforms: the first argument of `@main` is the number of the one it runs on, by which what
//! differs among them is chosen. A module alone does not say which platforms these are.

use std::sync::Arc;

use jarrah_base::{DType, Literal, Result};
use smallvec::SmallVec;

use crate::ir::{Attr, Definition, Dense, ElementTy, IrModule, IrOp, TensorTy, Ty};

/// The name of the argument of `@main` that holds the index of the platform.
const INDEX: &str = "_platform_index";

pub fn is_main(op: &IrOp) -> bool {
    op.name() == "func.func" && op.text("sym_name") == Some("main")
}

/// Which of the arguments of a function is the number of the platform.
fn index(function: &IrOp) -> Option<usize> {
    let Some(Attr::Array(all)) = function.attr("arg_attrs") else { return None };
    all.iter().position(|attributes| match attributes {
        Attr::Dictionary(attributes) => {
            matches!(attributes.get("jax.global_constant"), Some(Attr::String(name)) if **name == *INDEX)
        }
        _ => false,
    })
}

/// Refuses a function that has to be told its platform.
pub fn check(module: &IrModule, function: &IrOp) -> Result<()> {
    let Some(at) = index(function) else { return Ok(()) };
    let name = function.text("sym_name").unwrap_or_default();
    let message = format!(
        "argument {at} of @{name} is `{INDEX}`: the number of the platform that it runs on, among those it was \
         lowered for, which a module alone does not say"
    );
    let help = "convert the artifact that it comes from: `jarrah hlo convert FILE.jax_export OUT --platform NAME` \
                puts a constant there; or lower it for one platform";
    Err(module.error(function, message).help(help))
}

/// Puts the constant `number` in the place of the argument of `@main`, if it has it.
pub fn settle(module: &mut IrModule, number: i32) -> Result<()> {
    let Some(place) = module.ops().iter().position(is_main) else { return Ok(()) };
    let Some(at) = index(&module.ops()[place]) else { return Ok(()) };
    let main = &module.ops()[place];
    let value = main.regions.first().and_then(|r| r.args.get(at)).copied();
    let types = match main.attr("function_type") {
        Some(Attr::Type(Ty::Function(types))) if at < types.0.len() => Some(types.clone()),
        _ => None,
    };
    let ty = TensorTy { dims: Some(SmallVec::new()), element: ElementTy::Number(DType::I32), encoding: None };
    let (Some(value), Some(types)) = (value, types) else {
        return Err(module.error(main, format!("the function has no argument {at}")));
    };
    if *module.ty(value) != Ty::Tensor(ty.clone()) {
        return Err(module.error(main, format!("argument {at}, `{INDEX}`, is no tensor<i32>")));
    }
    let definition = Definition::find("stablehlo.constant").expect("invariant: constants are defined");
    let mut constant = IrOp::new(definition, main.at);
    constant.attributes.set("value", Attr::Dense(Dense { ty, value: Literal::scalar(number) }));
    constant.results.push(value);
    let (mut inputs, outputs) = (types.0.clone(), types.1.clone());
    inputs.remove(at);
    let main = &mut module.op.regions[0].ops[place];
    main.attributes.set("function_type", Attr::Type(Ty::Function(Arc::new((inputs, outputs)))));
    if let Some(Attr::Array(mut all)) = main.attributes.remove("arg_attrs") {
        all.remove(at);
        let empty = |one: &Attr| matches!(one, Attr::Dictionary(attributes) if attributes.is_empty());
        if !all.iter().all(empty) {
            main.attributes.set("arg_attrs", Attr::Array(all));
        }
    }
    let region = &mut main.regions[0];
    region.args.remove(at);
    region.ops.insert(0, constant);
    Ok(())
}

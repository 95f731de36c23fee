//! The text of a program for readers that know StableHLO and nothing of this compiler.

use jarrah_base::DType;
use jarrah_hlo::Program;
use jarrah_hlo_format::ir::{Attr, Definition, ElementTy, IrOp};
use jarrah_hlo_format::{PrintOptions, export, print_tree};

/// The text of a program, its `jarrah.*` ops as custom calls of their names: jaxlib, which turns the text into HLO for
/// `compiled.as_text()`, refuses ops of dialects that it does not know. Ops with regions, which no custom call can have, stay.
pub fn text(program: &Program) -> String {
    let mut module = export(program);
    let call = Definition::find("stablehlo.custom_call").expect("invariant: custom calls are defined");
    rewrite(&mut module.op, call);
    print_tree(&module, &PrintOptions::default())
}

fn rewrite(op: &mut IrOp, call: &'static Definition) {
    for inner in op.regions.iter_mut().flat_map(|region| &mut region.ops) {
        rewrite(inner, call);
    }
    if !op.name().starts_with("jarrah.") || !op.regions.is_empty() {
        return;
    }
    let name = op.name();
    op.definition = call;
    let config = std::mem::take(&mut op.attributes);
    op.attributes.set("call_target_name", Attr::string(name));
    op.attributes.set("backend_config", Attr::Dictionary(config));
    // The version of custom calls whose configuration is a dictionary.
    op.attributes.set("api_version", Attr::Integer(4, ElementTy::Number(DType::I32)));
}

//! Programs may ask how a value is cut over the devices; the answer is given when the program is compiled.
//!
//! A question is a custom call of `@jarrah_inspect_sharding` without results, whose operand is the value. Its configuration names the
//! function that gets the answer, a serialized `xla.OpSharding` and its length, as that of a [`callback`] does. The compiled program
//! has no instruction for it.

use std::ffi::c_void;

use jarrah_hlo_format::ir::{IrModule, IrOp};

use crate::callback;
use crate::failure::Outcome;
use crate::metadata::{self, attributes};
use crate::propagate::{Known, is_question};
use crate::shardings;

fn asks(op: &IrOp) -> bool {
    is_question(op) || op.regions.iter().flat_map(|body| &body.ops).any(asks)
}

/// Answers all questions of a module that this process has written.
pub fn answer(module: &IrModule) -> Outcome {
    if !module.ops().iter().any(asks) {
        return Ok(());
    }
    let main = metadata::main(module)?;
    let count = main.regions.first().map_or(0, |body| body.args.len());
    let stated = attributes(main, "arg_attrs", count);
    let arguments: Vec<_> = stated.iter().map(shardings::of).collect();
    for (op, cut) in Known::asked(module, main, &arguments) {
        let sharding = shardings::serialized(module, &cut);
        let size = sharding.len() as u64;
        let operands: [*const c_void; 2] = [sharding.as_ptr().cast(), (&raw const size).cast()];
        callback::call(op.text("backend_config").unwrap_or_default(), &operands, &[])
            .map_err(|error| error.context("while asking for the sharding of a value"))?;
    }
    Ok(())
}

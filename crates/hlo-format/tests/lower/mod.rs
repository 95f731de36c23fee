//! From tree to program.

mod checks;
mod contractions;
mod control;
mod custom_calls;
mod deprecated;
mod devices;
mod dynamic;
mod errors;
mod lapack;
mod on_devices;
mod processes;
mod quantized;
mod ragged;
mod reductions;
mod round_trip;
mod rules;
mod transfers;

use jarrah_base::Literal;
use jarrah_hlo::Program;
use jarrah_hlo_format::assembly;
use jarrah_hlo_format::lower::{EntryFunction, LowerOptions, entry};

/// The program of a text.
fn lower_with(text: &str, options: &LowerOptions) -> jarrah_base::Result<EntryFunction> {
    entry(&assembly::parse("test.mlir", text)?, options)
}

fn lower(text: &str) -> Program {
    let program = lower_with(text, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}")).program;
    program.verify().unwrap();
    program
}

/// What the program of a text returns.
fn run(text: &str, arguments: &[Literal]) -> Vec<Literal> {
    jarrah_hlo_eval::evaluate(&lower(text), arguments).unwrap_or_else(|e| panic!("{e}"))
}

/// The message with which a text is refused, and where.
fn refusal(text: &str) -> (String, u32) {
    let error = lower_with(text, &LowerOptions::default()).unwrap_err();
    (error.message().to_owned(), error.location().map_or(0, |l| l.line()))
}

fn f32s(dims: &[usize], values: &[f32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

fn i32s(dims: &[usize], values: &[i32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

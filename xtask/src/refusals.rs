//! The table of what has no derivative, no transpose or no batched form, found by trying every op's examples.

use std::collections::BTreeSet;

use jarrah_base::Result;
use jarrah_hlo::{Builder, Example, Op, Program, Value};
use jarrah_transforms::{ResidualPolicy, batch, jvp, vjp};

/// The table, as Markdown.
pub(crate) fn table() -> Result<String> {
    let mut rows: BTreeSet<[String; 3]> = BTreeSet::new();
    for example in Op::examples() {
        let program = program_of(&example)?;
        for (transformation, message) in refused(&program) {
            rows.insert([example.op.name().to_owned(), transformation.to_owned(), message]);
        }
    }
    let mut text = String::from(
        "# Refusals\n\nWhat cannot be transformed, and why; made by `cargo xtask bless` from every op's examples. The \
         table grows only with a new op.\n\n| op | transformation | reason |\n|---|---|---|\n",
    );
    for [op, transformation, reason] in rows {
        text.push_str(&format!("| `{op}` | {transformation} | {reason} |\n"));
    }
    Ok(text)
}

fn program_of(example: &Example) -> Result<Program> {
    let mut b = Builder::new("example");
    let values: Vec<Value> = example.operands.iter().map(|l| b.param(l.ty(), "")).collect();
    let results = b.push(example.op.clone(), &values)?;
    b.finish(&results)
}

/// What an error says, with its advice.
fn reason(error: &jarrah_base::Error) -> String {
    match error.advice() {
        Some(advice) => format!("{}; {advice}", error.message()),
        None => error.message().to_owned(),
    }
}

/// The transformations that fail, with the reason each gives.
fn refused(program: &Program) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let active: Vec<bool> = program.param_types().iter().map(|ty| ty.dtype().is_differentiable()).collect();
    let results = vec![false; program.results().len()];
    if active.contains(&true) {
        match jvp(program, &active, &results) {
            Err(error) => found.push(("jvp", reason(&error))),
            Ok(_) => {
                if let Err(error) = vjp(program, &active, ResidualPolicy::default()) {
                    found.push(("vjp", reason(&error)));
                }
            }
        }
    }
    if !active.is_empty() {
        let batched = vec![true; active.len()];
        if let Err(error) = batch(program, 3, &batched, &results) {
            found.push(("vmap", reason(&error)));
        }
    }
    found
}

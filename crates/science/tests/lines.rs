//! Errors and operations stand at the user's lines, as those of `jarrah-array` do.

use jarrah_array::{Array, Error, explain_retraces, jit, make_program, try_trace};
use jarrah_hlo::Program;
use jarrah_science::ode::odeint;
use jarrah_science::optimize::minimize;
use jarrah_science::signal::{self, Mode};
use jarrah_science::sparse::{Bcoo, MaybeSparse, sparsify};

/// The line of this file that an error names.
fn line_of(error: &Error) -> u32 {
    let at = error.location().unwrap();
    assert!(at.file().ends_with("tests/lines.rs"), "{error}");
    at.line()
}

/// The places of a program's instructions that are not in this file, those of programs within included.
fn elsewhere(program: &Program) -> Vec<String> {
    let mut found = Vec::new();
    for instr in program.instrs() {
        let at = instr.source.location.filter(|at| !at.file().ends_with("tests/lines.rs"));
        found.extend(at.map(|at| format!("{} at {at}", instr.op.called())));
        found.extend(instr.op.programs().iter().flat_map(|inner| elsewhere(inner)));
    }
    found
}

fn bowl(x: &Array) -> Array {
    (x - 3.0).square().sum(..)
}

#[test]
fn arrays_of_which_neither_contains_the_other_are_refused_at_their_line() {
    let (x, y) = (Array::zeros(&[2, 3]), Array::zeros(&[3, 2]));
    let error = try_trace(|| signal::convolve(&x, &y, Mode::Valid)).unwrap_err();
    assert_eq!(line_of(&error), line!() - 1);
    let text = "[convolve] f32[2,3] and f32[3,2] cannot be convolved: neither contains the other";
    assert!(error.to_string().starts_with(text), "{error}");
    assert!(error.to_string().contains("  = help: pad one of them, or use Mode::Full"), "{error}");
}

#[test]
fn a_search_computes_at_the_line_of_its_caller() {
    let f = jit(bowl);
    let program = make_program(|x: &Array| minimize(&f, x, &Default::default()), &Array::zeros(&[2]));
    assert_eq!(elsewhere(&program), [""; 0]);
}

#[test]
fn a_compiled_function_is_traced_again_for_the_line_of_the_search() {
    let f = jit(bowl);
    let search = |n: usize| minimize(&f, &Array::zeros(&[n]), &Default::default());
    let (_, lines) = explain_retraces(|| [search(2), search(3)]);
    let place = format!("tests/lines.rs:{}:", line!() - 2);
    assert!(lines[0].contains(&place), "{lines:?}");
}

#[test]
fn a_system_of_another_shape_is_refused_at_the_line_of_its_solution() {
    let times = Array::from_slice(&[0.0f32, 1.0]);
    let wrong = |y: &Array, _: &Array, _: &()| y.slice(0, ..1);
    let error =
        try_trace(|| odeint(wrong, &Array::zeros(&[2]), &times, &(), &Default::default())).err().unwrap();
    assert_eq!(line_of(&error), line!() - 1);
}

#[test]
fn a_function_of_sparse_arrays_computes_where_it_was_made() {
    let m = Bcoo::from_dense(&Array::eye(2), 2);
    let f = jit(|args: &Vec<Array>| vec![args[0].sin().matmul(&args[1])]);
    let sparse = sparsify(&f);
    let product = |x: &Array| sparse(&vec![MaybeSparse::from(&m), MaybeSparse::from(x)])[0].to_dense();
    assert_eq!(elsewhere(&make_program(product, &Array::zeros(&[2]))), [""; 0]);
}

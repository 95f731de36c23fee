//! The evaluator against values computed by hand.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use jarrah_base::{Literal, Result, Type};
use jarrah_hlo::{Builder, Op, Program};
use jarrah_hlo_eval::evaluate;

mod control;
mod convert;
mod dot;
mod elementwise;
mod examples;
mod gather;
mod kernel;
mod movement;
mod precision;
mod reduce;
mod sort;
mod window;

/// The program that applies `op` to its parameters.
fn program(op: impl Into<Op>, types: &[Type]) -> Result<Program> {
    let mut b = Builder::new("test");
    let operands: Vec<_> = types.iter().map(|&ty| b.param(ty, "")).collect();
    let results = b.push(op, &operands)?;
    b.finish(&results)
}

/// All results of `op`.
fn run_all(op: impl Into<Op>, operands: &[Literal]) -> Vec<Literal> {
    let types: Vec<Type> = operands.iter().map(Literal::ty).collect();
    evaluate(&program(op, &types).unwrap(), operands).unwrap()
}

/// The only result of `op`.
fn run(op: impl Into<Op>, operands: &[Literal]) -> Literal {
    let results = run_all(op, operands);
    assert_eq!(results.len(), 1);
    results[0].clone()
}

fn f32s(dims: &[usize], values: &[f32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

fn i32s(dims: &[usize], values: &[i32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

fn i32_scalar(value: i32) -> Literal {
    Literal::scalar(value)
}

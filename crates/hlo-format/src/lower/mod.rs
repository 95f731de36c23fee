//! From a module to programs: what its ops mean.
//!
//! Everything that only the interchange form has ends here. Tuples are flattened, tokens become the order of effects,
//! captures of regions become operands, quantized tensors become the integers that are stored, deprecated and composite
//! ops are expanded, and dynamic shapes are refined: a function is built for the types of its arguments, and the values
//! that shapes depend on are computed while it is built.

mod attributes;
mod block;
mod broadcasting;
mod calls;
mod channels;
mod checks;
mod contractions;
mod control;
mod convolutions;
mod custom_calls;
mod cx;
mod dispatch;
mod dynamic;
mod elementwise;
mod functions;
mod host;
mod indexing;
mod known;
mod lapack;
mod linalg;
mod movement;
mod normalization;
mod own;
mod parallel;
mod quantized;
mod ragged;
mod reductions;
mod regions;
mod sorting;
pub(crate) mod sources;
pub(crate) mod spmd;
mod types;
mod windows;

use jarrah_base::{Literal, Result, Type};
use jarrah_hlo::Program;

use crate::ir::IrModule;
use functions::Lower;

pub use checks::{Check, CheckKind, Expected, check};

/// How a module becomes programs.
#[derive(Clone, Default, Debug)]
pub struct LowerOptions {
    /// The types of the arguments, which refine the stated ones; `None` if the stated ones are complete.
    pub arguments: Option<Vec<Type>>,
    /// The contents of arguments, by position, that shapes may depend on. They remain parameters, but the program
    /// is right for these contents only.
    pub values: Vec<(usize, Literal)>,
    /// Whether each `check.*` op becomes a [`Check`] and additional results of the program.
    pub checks: bool,
    /// The replicas and the partitions that the program will run in: one of each, as a rule. In several, its collectives become ops along
    /// [`NamedAxis::REPLICA`](jarrah_hlo::ops::NamedAxis::REPLICA) and [`NamedAxis::PARTITION`](jarrah_hlo::ops::NamedAxis::PARTITION), and
    /// arguments and results lie on partitions as the module says. In one, a program for several is refused, but for manual computations:
    /// one device computes what each of their devices does.
    pub processes: (usize, usize),
}

impl LowerOptions {
    /// The options for these arguments: their types, and the contents of small integer tensors.
    pub fn for_arguments(arguments: &[Literal]) -> LowerOptions {
        let small = |x: &Literal| x.dtype().is_integer() && x.ty().rank() <= 1 && x.len() <= 64;
        LowerOptions {
            arguments: Some(arguments.iter().map(Literal::ty).collect()),
            values: arguments.iter().cloned().enumerate().filter(|(_, x)| small(x)).collect(),
            ..LowerOptions::default()
        }
    }
}

/// A function of a module.
#[derive(Clone, Debug)]
pub struct EntryFunction {
    /// The program; results that only checks need follow the function's own.
    pub program: Program,
    /// The checks, in the order of the module.
    pub checks: Vec<Check>,
    /// Where the function states tokens, which the program does not have.
    pub tokens: EffectTokens,
}

/// The positions of tokens in the signature of a function, whose order effects keep without them.
///
/// Callers that count arguments and results as the function states them, as JAX does, leave out and add values at these
/// positions; JAX gives and takes empty arrays of truth values for them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EffectTokens {
    /// Among the arguments.
    pub arguments: Vec<usize>,
    /// Among the results.
    pub results: Vec<usize>,
}

impl EntryFunction {
    /// The number of results without those that only checks need.
    pub fn own_results(&self) -> usize {
        let firsts = self.checks.iter().map(|c| c.actual);
        firsts.min().unwrap_or(self.program.results().len())
    }
}

/// Builds `@main`, or else the only public function of a module.
///
/// # Errors
/// The module has an op that programs cannot express, or states types that differ from those its ops give; the error
/// says where.
pub fn entry(module: &IrModule, options: &LowerOptions) -> Result<EntryFunction> {
    Lower::new(module, options)?.entry()
}

/// Builds every public function of a module that no other refers to and whose shapes are known.
///
/// # Errors
/// As [`entry`].
pub fn roots(module: &IrModule, options: &LowerOptions) -> Result<Vec<EntryFunction>> {
    Lower::new(module, options)?.roots()
}

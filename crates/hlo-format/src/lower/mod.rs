//! From tree to program: what the ops of a module mean.
//!
//! What exists only in the interchange form gets its meaning here. Tuples are taken apart, tokens dropped, what a
//! region captures becomes an operand, quantized tensors become the integers that are stored, deprecated and composite
//! ops are expanded, and dynamic shapes are refined: a function is built for the types of the arguments it is given,
//! and what shapes depend on is computed while it is built.

mod attributes;
mod block;
mod broadcasting;
mod checks;
mod collectives;
mod contractions;
mod control;
mod convolutions;
mod custom_calls;
mod cx;
mod dispatch;
mod dynamic;
mod elementwise;
mod functions;
mod indexing;
mod known;
mod lapack;
mod linalg;
mod movement;
mod normalization;
mod own;
mod parallel;
mod quantized;
mod reductions;
mod regions;
mod sorting;
mod sources;
mod types;
mod windows;

use jarrah_base::{Literal, Result, Type};
use jarrah_hlo::Program;

use crate::ir::Module;
use functions::Lower;

pub use checks::{Check, CheckKind, Expected, check};

/// How a module becomes programs.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The types of the arguments, which refine those that the module states; `None` if these are complete.
    pub arguments: Option<Vec<Type>>,
    /// Arguments whose values shapes may depend on, by position. They remain parameters of the program, which is right
    /// for these values only.
    pub values: Vec<(usize, Literal)>,
    /// Whether `check.*` ops become additional results of the program, with a [`Check`] each.
    pub checks: bool,
}

impl Options {
    /// The options for these arguments: their types, and the values of small integer tensors among them.
    pub fn for_arguments(arguments: &[Literal]) -> Options {
        let small = |x: &Literal| x.dtype().is_integer() && x.ty().rank() <= 1 && x.len() <= 64;
        Options {
            arguments: Some(arguments.iter().map(Literal::ty).collect()),
            values: arguments.iter().cloned().enumerate().filter(|(_, x)| small(x)).collect(),
            checks: false,
        }
    }
}

/// A function of a module.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The program; results that only checks need stand behind the function's own.
    pub program: Program,
    /// The checks, in the order of the module.
    pub checks: Vec<Check>,
}

impl Entry {
    /// How many results the function itself has.
    pub fn own_results(&self) -> usize {
        let firsts = self.checks.iter().map(|c| c.actual);
        firsts.min().unwrap_or(self.program.results().len())
    }
}

/// The function `@main` of a module, or the only public one.
///
/// # Errors
/// The module uses what programs cannot express, or the types it states are not those of its ops; the error says
/// where.
pub fn entry(module: &Module, options: &Options) -> Result<Entry> {
    Lower::new(module, options)?.entry()
}

/// Every public function of a module that no other names and whose shapes are known, each a program of that name.
///
/// # Errors
/// As [`entry`].
pub fn roots(module: &Module, options: &Options) -> Result<Vec<Entry>> {
    Lower::new(module, options)?.roots()
}

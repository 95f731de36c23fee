//! A compiled program with its steps, and the bases that have to be bound before they run.

use std::sync::{Arc, OnceLock};

use jarrah_base::{Error, Literal, Location, Type};
use jarrah_compiler::CompiledProgram;
use jarrah_hlo::ops::NamedAxis;
use jarrah_runtime::{CompileOptions, CompiledMemory, DeviceId, ObservedStep};

use crate::backend::{Backend, BuiltStep, Needs};
use crate::exchanged::Exchanged;
use crate::shared::Shared;

/// A compiled program with its steps.
pub(crate) struct Code<D: Backend> {
    pub client: Arc<Shared<D>>,
    pub options: CompileOptions,
    pub compiled: CompiledProgram,
    pub results: Vec<ResultAt>,
    /// The types of the parameters.
    pub takes: Vec<Type>,
    /// The parameters whose memory the steps may write.
    pub overwritten: Vec<usize>,
    /// The parameters that a caller must donate.
    pub must: Vec<usize>,
    pub arena: usize,
    pub own: usize,
    pub shared: usize,
    pub needs_shared: Option<Needs>,
    pub bases: u32,
    pub first_param: u32,
    pub constants: Vec<(u32, Literal)>,
    /// The bases of the coordinates of a device among those of a run, each with its axis.
    pub coordinates: Vec<(u32, NamedAxis)>,
    /// The collectives.
    pub exchanged: Arc<Exchanged>,
    /// The process of each device, where some collectives are between devices of several processes.
    pub between: Option<Arc<[usize]>>,
    /// The devices of this process, each with its position among all; none of a portable program.
    pub here: Vec<(usize, DeviceId)>,
    /// The constants and then the coordinates, in the memory of each device that has run the program.
    pub placed: Box<[OnceLock<Vec<D::Memory>>]>,
    pub steps: Vec<BuiltStep<D>>,
    /// The label and the cost of each step, by its number.
    pub costs: Arc<[ObservedStep]>,
    pub memory: CompiledMemory,
    /// Whether a run takes less time than handing it to the device's thread.
    pub short: bool,
    /// Whether runs have effects that must happen in the order of the runs.
    pub ordered: bool,
}

/// The memory that holds a result after the last step.
pub(crate) struct ResultAt {
    pub ty: Type,
    pub source: From,
    /// The op that computes the result, and its line, for errors; nothing for a parameter.
    pub made: Option<(String, Option<Location>)>,
}

pub(crate) enum From {
    /// In fresh memory, bound to this base.
    Fresh(u32),
    /// In the memory of this parameter.
    Parameter(usize),
}

impl ResultAt {
    /// The error of the memory of the result, with the op that computes it.
    pub(crate) fn made(&self, error: Error) -> Error {
        match &self.made {
            Some((op, location)) => made_by(error, op, *location),
            None => error,
        }
    }
}

/// The error, with the op that needs the memory, and its line.
pub(crate) fn made_by(error: Error, op: &str, location: Option<Location>) -> Error {
    let error = error.op(op);
    match location {
        Some(location) => error.at(location),
        None => error,
    }
}

use jarrah_base::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::program::Program;

/// That the memory of a parameter may, or must, become that of a result: the caller gives the parameter up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Alias {
    /// The parameter that is given up.
    pub parameter: usize,
    /// The result that takes its memory; `None` leaves the choice to the compiler, which may find none.
    pub result: Option<usize>,
    /// Whether it is an error if the result cannot lie in the parameter's memory; otherwise it gets memory of its own.
    pub must: bool,
}

impl Alias {
    /// A parameter that any result may overwrite.
    pub fn donor(parameter: usize) -> Alias {
        Alias { parameter, result: None, must: false }
    }

    /// A parameter that `result` overwrites if it can.
    pub fn may(parameter: usize, result: usize) -> Alias {
        Alias { parameter, result: Some(result), must: false }
    }

    /// A parameter that `result` overwrites.
    pub fn must(parameter: usize, result: usize) -> Alias {
        Alias { parameter, result: Some(result), must: true }
    }

    /// Checks that aliases name parameters and results of `program`, and no parameter twice.
    ///
    /// # Errors
    /// They do not.
    pub fn check(aliases: &[Alias], program: &Program) -> Result<()> {
        let (name, parameters, results) = (program.name(), program.params().len(), program.results().len());
        let mut given_up = vec![false; parameters];
        for &Alias { parameter, result, .. } in aliases {
            if parameter >= parameters {
                let error = format!("parameter {parameter} of {name} is donated, there are {parameters}");
                return Err(Error::program(error));
            }
            if std::mem::replace(&mut given_up[parameter], true) {
                return Err(Error::program(format!("parameter {parameter} of {name} is donated twice")));
            }
            if let Some(result) = result.filter(|&result| result >= results) {
                let error = format!(
                    "parameter {parameter} of {name} is to become result {result}, there are {results}"
                );
                return Err(Error::program(error));
            }
        }
        Ok(())
    }
}

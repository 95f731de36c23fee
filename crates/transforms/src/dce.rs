use jarrah_base::Result;
use jarrah_hlo::{Program, Value};

/// The program without the instructions that neither a result nor an effect needs; its parameters all stay.
///
/// An instruction that may be dropped goes with its results; one with an effect that somebody sees stays.
///
/// # Errors
/// The program does not verify.
pub fn dce(program: &Program) -> Result<Program> {
    let params: Vec<Value> = program.param_values().collect();
    program.extract(&params, program.results())
}

/// Which parameters a result or an effect needs.
pub fn used_params(program: &Program) -> Vec<bool> {
    let mut used = program.needed_for(program.results());
    used.truncate(program.params().len());
    used
}

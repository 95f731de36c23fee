use jarrah_base::Result;
use jarrah_hlo::ops::Remat;
use jarrah_hlo::{Builder, Program, Value};

/// A program that computes what `program` does, whose backward pass keeps the parameters and recomputes all other values.
///
/// # Errors
/// As [`Builder::push`].
pub fn remat(program: &Program) -> Result<Program> {
    let mut b = Builder::like(program);
    let args: Vec<Value> = program.param_values().collect();
    let results = b.push(Remat::new(program.clone()), &args)?;
    b.finish(&results)
}

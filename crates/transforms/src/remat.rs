use jarrah_base::Result;
use jarrah_hlo::ops::Remat;
use jarrah_hlo::{Builder, Program, Value};

/// The same function, of which the backward pass keeps the parameters and computes the rest again.
///
/// # Errors
/// As [`Builder::push`].
pub fn remat(program: &Program) -> Result<Program> {
    let mut b = Builder::like(program);
    let args: Vec<Value> = program.param_values().collect();
    let results = b.push(Remat::new(program.clone()), &args)?;
    b.finish(&results)
}

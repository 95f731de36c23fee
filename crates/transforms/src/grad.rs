use jarrah_base::{Error, Result, Type};
use jarrah_hlo::{Builder, Effects, Program, SplitProgram, Value};

use crate::engine::{Tangents, explain};
use crate::jvp::derived;
use crate::partial::{ResidualPolicy, partial_eval};
use crate::transpose::transpose;

/// The derivative of the program at a point, apart from the point.
///
/// The first part takes the parameters and returns the results, then the residuals; the second, which is linear, takes
/// the residuals, then the tangents of the parameters in `active`, and returns the tangents of all results that are
/// floats, zeros included.
///
/// # Errors
/// An op on the way has no derivative. An ordered effect on a tangent comes before one that a result needs.
pub fn linearize(program: &Program, active: &[bool], policy: ResidualPolicy) -> Result<SplitProgram> {
    linearize_results(program, active, &smooth(program), policy, Tangents::Computed)
}

/// Which results have tangents.
fn smooth(program: &Program) -> Vec<bool> {
    program.result_types().iter().map(|t| t.dtype().is_differentiable()).collect()
}

/// [`linearize`] with tangents of the results in `wanted` only; `becomes` says whether the tangents are computed.
fn linearize_results(
    program: &Program,
    active: &[bool],
    wanted: &[bool],
    policy: ResidualPolicy,
    becomes: Tangents,
) -> Result<SplitProgram> {
    let jvp = derived(program, active, wanted, becomes)?;
    let primals = program.params().len();
    let (results, tangents) = jvp.program.results().split_at(program.results().len());
    let of_wanted = jvp.active.iter().zip(wanted).filter(|(active, _)| **active).map(|(_, wanted)| *wanted);
    let tangents = tangents.iter().zip(of_wanted).filter(|(_, wanted)| *wanted).map(|(v, _)| *v);
    let returned: Vec<Value> = results.iter().copied().chain(tangents).collect();
    let params: Vec<Value> = jvp.program.param_values().collect();
    let both = jvp.program.extract(&params, &returned)?;
    let known: Vec<bool> = (0..params.len()).map(|i| i < primals).collect();
    let unknown: Vec<bool> = (0..returned.len()).map(|i| i >= results.len()).collect();
    let split = partial_eval(&both, &known, &unknown, policy)?;
    match split.known_results[..results.len()].iter().position(|k| !k) {
        Some(result) => Err(out_of_order(&split.unknown, program, result)),
        None => Ok(split),
    }
}

/// Why `result` of a program is not known before the tangents are: an ordered effect that the `linear` part has comes
/// before one that the result needs, so that this one waits. No result of a derivative is computed from a tangent.
fn out_of_order(linear: &Program, program: &Program, result: usize) -> Error {
    let first = linear.instrs().iter().find(|instr| instr.op.effects().conflicts(Effects::ORDERED));
    let Some(first) = first else {
        return Error::internal(format!("result {result} of {} depends on a tangent", program.name()));
    };
    let error = Error::program(format!(
        "has an ordered effect on a tangent before one that result {result} needs, and in reverse mode all results are \
         computed before any tangent"
    ));
    let error = error.help("forward mode (jvp) keeps both in order; no effect on a tangent has a transpose");
    explain(error, first, "linearizing", program)
}

/// A program and its derivative in reverse: see [`vjp`].
#[derive(Clone, Debug)]
pub struct VjpPrograms {
    /// Takes the parameters; returns the results, then the residuals.
    pub forward: Program,
    /// Takes the residuals, then the cotangents of the results that are floats; returns the cotangents of the active
    /// parameters.
    pub backward: Program,
    /// How many residuals pass from one to the other.
    pub residuals: usize,
}

/// The program and its derivative in reverse, `ct_y -> (dy/dx)^T ct_y`, for the parameters in `active`.
///
/// # Errors
/// An op on the way has no derivative, or none in reverse.
pub fn vjp(program: &Program, active: &[bool], policy: ResidualPolicy) -> Result<VjpPrograms> {
    reversed(linearize_results(program, active, &smooth(program), policy, Tangents::Transposed)?)
}

fn reversed(split: SplitProgram) -> Result<VjpPrograms> {
    let SplitProgram { known, unknown, residuals, .. } = split;
    let linear: Vec<bool> = (0..unknown.params().len()).map(|i| i >= residuals).collect();
    let backward = transpose(&unknown, &linear, &vec![true; unknown.results().len()])?;
    Ok(VjpPrograms { forward: known, backward, residuals })
}

/// The transpose of a program that is linear in the parameters in `linear`, whatever it is in the others: the forward part
/// takes the others and returns what the backward part needs of them; no result is computed forward.
///
/// # Errors
/// An op on the way has no transpose, or is not linear in what it was given.
pub fn linear_transpose(program: &Program, linear: &[bool]) -> Result<VjpPrograms> {
    let known: Vec<bool> = linear.iter().map(|linear| !linear).collect();
    let unknown = vec![true; program.results().len()];
    reversed(partial_eval(program, &known, &unknown, ResidualPolicy::default())?)
}

/// The program that returns what `program` returns, then the gradients of result 0 with respect to the parameters in
/// `wrt`, in that order.
///
/// Result 0 is a scalar float; the other results are passed on and not differentiated. A parameter on which result 0
/// does not depend has a gradient of zeros.
///
/// # Errors
/// Result 0 is no scalar float; a parameter in `wrt` is no float or does not exist; an op on the way has no derivative,
/// or none in reverse.
pub fn value_and_grad(program: &Program, wrt: &[usize], policy: ResidualPolicy) -> Result<Program> {
    let mut active = vec![false; program.params().len()];
    for &i in wrt {
        match active.get_mut(i) {
            Some(active) => *active = true,
            None => {
                let (name, count) = (program.name(), program.params().len());
                return Err(Error::program(format!("{name} has {count} parameters, no parameter {i}")));
            }
        }
    }
    let Some(value) = program.result_types().first().copied() else {
        return Err(Error::program(format!("{} returns nothing to differentiate", program.name())));
    };
    if value != Type::scalar(value.dtype()) || !value.dtype().is_differentiable() {
        let error = format!("{} returns {value}, and only a scalar float has a gradient", program.name());
        return Err(Error::program(error).help("reduce it to one number, with sum or mean, or use vjp"));
    }
    let wanted: Vec<bool> = (0..program.results().len()).map(|i| i == 0).collect();
    let parts = reversed(linearize_results(program, &active, &wanted, policy, Tangents::Transposed)?)?;

    let mut b = Builder::like(program);
    let params: Vec<Value> = program.param_values().collect();
    let mut results = b.inline(&parts.forward, &params)?;
    let mut args = results.split_off(program.results().len());
    args.push(b.full(value, 1.0)?);
    let gradients = b.inline(&parts.backward, &args)?;
    let mut gradients = gradients.into_iter();
    let of_params: Vec<Option<Value>> =
        active.iter().map(|a| a.then(|| gradients.next()).flatten()).collect();
    results.extend(wrt.iter().filter_map(|&i| of_params[i]));
    b.finish(&results)
}

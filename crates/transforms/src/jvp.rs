use jarrah_base::{Error, Result, Source, Type};
use jarrah_hlo::{Builder, Instr, Jvp, JvpCx, JvpProgram, Program, Tangent, Value};

use crate::engine::{ProgramTransforms, Tangents, check_mask, check_types, explain, refusal};

/// The program with its tangents: `(x, dx) -> (f(x), f'(x) dx)`.
///
/// The result takes the parameters of `program`, then a tangent for each of those in `active`; it returns the results,
/// then the tangents of those that depend on an active parameter or stand in `instantiate`. Tangents have the types of
/// what they belong to; integers and truth values have none.
///
/// # Errors
/// An op on the way has no derivative; or a value in `active` or `instantiate` has no tangent.
pub fn jvp(program: &Program, active: &[bool], instantiate: &[bool]) -> Result<JvpProgram> {
    derived(program, active, instantiate, Tangents::Computed)
}

/// [`jvp`] of a program whose tangents are computed or only transposed, as `becomes` says.
pub(crate) fn derived(
    program: &Program,
    active: &[bool],
    instantiate: &[bool],
    becomes: Tangents,
) -> Result<JvpProgram> {
    program.check_expansion()?;
    check_mask("active", active, program.params().len(), "parameters")?;
    check_mask("instantiated", instantiate, program.results().len(), "results")?;
    let mut b = Builder::like(program);
    let mut values: Vec<Value> = program.param_values().collect();
    let mut tangents: Vec<Tangent> = Vec::with_capacity(program.value_count());
    for (param, &active) in program.params().iter().zip(active) {
        if active && !param.ty.dtype().is_differentiable() {
            return Err(no_tangent(param.ty, &format!("parameter {}", tangents.len()), param.path.path()));
        }
        tangents.push(if active { Tangent::Value(b.param_at(*param)) } else { Tangent::Zero(param.ty) });
    }
    for instr in program.instrs() {
        b.set_source(instr.source);
        push(&mut b, program, instr, &mut values, &mut tangents, becomes)
            .map_err(|e| explain(e, instr, "differentiating", program))?;
    }
    b.set_source(Source::unknown());

    let mut results: Vec<Value> = program.results().iter().map(|v| values[v.index()]).collect();
    let mut returned = Vec::new();
    for (i, (result, &instantiate)) in program.results().iter().zip(instantiate).enumerate() {
        let tangent = tangents[result.index()];
        if instantiate && !program.ty(*result).dtype().is_differentiable() {
            return Err(no_tangent(program.ty(*result), &format!("result {i}"), ""));
        }
        returned.push(instantiate || tangent.value().is_some());
        if returned[i] {
            results.push(tangent.instantiate(&mut b)?);
        }
    }
    Ok(JvpProgram { program: b.finish(&results)?, active: returned })
}

fn no_tangent(ty: Type, what: &str, path: &str) -> Error {
    let path = if path.is_empty() { String::new() } else { format!(" ({path})") };
    Error::program(format!("{what}{path} is {ty}, and only floats have derivatives"))
}

/// Appends one instruction and its tangents.
fn push(
    b: &mut Builder,
    program: &Program,
    instr: &Instr,
    values: &mut Vec<Value>,
    tangents: &mut Vec<Tangent>,
    becomes: Tangents,
) -> Result<()> {
    let operands: Vec<Value> = instr.operands.iter().map(|v| values[v.index()]).collect();
    let of_operands: Vec<Tangent> = instr.operands.iter().map(|v| tangents[v.index()]).collect();
    let types: Vec<Type> = instr.results().map(|v| program.ty(v)).collect();
    let smooth = |ty: &Type| ty.dtype().is_differentiable();
    let constant = of_operands.iter().all(|t| t.value().is_none());
    let discrete = !types.is_empty() && !types.iter().any(smooth);
    if constant || discrete {
        values.extend(b.copy(program, instr, &operands));
        tangents.extend(types.into_iter().map(Tangent::Zero));
        return Ok(());
    }

    let engine = ProgramTransforms { tangents: becomes, ..ProgramTransforms::DEFAULT };
    let mut cx = JvpCx::new(b, &instr.op, &operands, &of_operands, &engine);
    let answer = instr.op.jvp(&mut cx)?;
    let (results, of_results) = match answer {
        Jvp::Replace { results, tangents } => (results, tangents),
        Jvp::Tangents(tangents) => (cx.results()?.to_vec(), tangents),
        Jvp::Zero => (cx.results()?.to_vec(), types.iter().copied().map(Tangent::Zero).collect()),
        Jvp::Linear(n) => {
            let results = cx.results()?.to_vec();
            if n > operands.len() || of_operands[n..].iter().any(|t| t.value().is_some()) {
                return Err(Error::internal(format!("an operand after the first {n} has a tangent")));
            }
            let mut along = operands.clone();
            for (value, tangent) in along.iter_mut().zip(&of_operands[..n]) {
                *value = tangent.instantiate(cx.b)?;
            }
            let made = cx.b.push(instr.op.clone(), &along)?;
            let tangent = |(v, ty): (Value, &Type)| {
                if smooth(ty) { Tangent::Value(v) } else { Tangent::Zero(*ty) }
            };
            (results, made.into_iter().zip(&types).map(tangent).collect())
        }
        Jvp::Bilinear => {
            let results = cx.results()?.to_vec();
            if of_operands.iter().skip(2).any(|t| t.value().is_some()) || types.len() != 1 {
                return Err(Error::internal(
                    "an op that is not bilinear in its first two operands says it is",
                ));
            }
            let mut sum: Option<Value> = None;
            for (i, tangent) in of_operands.iter().take(2).enumerate() {
                let Some(tangent) = tangent.value() else { continue };
                let mut along = operands.clone();
                along[i] = tangent;
                let term = cx.b.one(instr.op.clone(), &along)?;
                sum = Some(match sum {
                    Some(sum) => cx.b.add(sum, term)?,
                    None => term,
                });
            }
            (results, vec![sum.map_or(Tangent::Zero(types[0]), Tangent::Value)])
        }
        Jvp::Refuse(reason) => return Err(refusal("has no derivative", reason)),
    };
    check_types("results", results.iter().map(|&v| b.ty(v)), types.iter().copied())?;
    let of_tangent = |t: &Tangent| match *t {
        Tangent::Zero(ty) => ty,
        Tangent::Value(v) => b.ty(v),
    };
    check_types("tangents", of_results.iter().map(of_tangent), types.iter().copied())?;
    if of_results.iter().zip(&types).any(|(t, ty)| t.value().is_some() && !smooth(ty)) {
        return Err(Error::internal("the rule gave a tangent to a result that has none"));
    }
    values.extend(results);
    tangents.extend(of_results);
    Ok(())
}

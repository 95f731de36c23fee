use jarrah_base::{Error, Result, Source};
use jarrah_hlo::{Batch, BatchCx, Batched, Builder, Instr, Program, Value};

use crate::engine::{ProgramTransforms, check_mask, check_types, explain, refusal};

/// The program over a batch: the parameters in `batched` get one more axis of extent `size` in front.
///
/// Also says which results have that axis: those that depend on a batched parameter, and those in `force`, which are
/// repeated if need be.
///
/// # Errors
/// An op on the way cannot be batched.
pub fn batch(
    program: &Program,
    size: usize,
    batched: &[bool],
    force: &[bool],
) -> Result<(Program, Vec<bool>)> {
    batch_along(program, size, Batching::default(), batched, force)
}

/// How a program is batched.
#[derive(Clone, Copy, Debug, Default)]
pub struct Batching<'a> {
    /// The name of the axis: the ops that speak of it become ordinary ones.
    pub axis: Option<&'a str>,
    /// Whether elements that take different branches, or different numbers of steps, are run one by one. Together is faster,
    /// but then each element also computes what it takes no part in, and [`crate::checked`] would find failures there.
    pub one_by_one: bool,
}

/// As [`batch`], in the way that `batching` says.
///
/// # Errors
/// An op on the way cannot be batched.
pub fn batch_along(
    program: &Program,
    size: usize,
    batching: Batching<'_>,
    batched: &[bool],
    force: &[bool],
) -> Result<(Program, Vec<bool>)> {
    program.check_expansion()?;
    check_mask("batched", batched, program.params().len(), "parameters")?;
    check_mask("forced", force, program.results().len(), "results")?;
    let mut b = Builder::new(program.name());
    let mut values: Vec<Batched> = Vec::with_capacity(program.value_count());
    for (param, &batched) in program.params().iter().zip(batched) {
        let ty = if batched { param.ty.with_leading(size) } else { param.ty };
        values.push(Batched { value: b.param(ty, param.path.path()), batched });
    }
    for instr in program.instrs() {
        b.set_source(instr.source);
        push(&mut b, program, instr, (size, batching), &mut values)
            .map_err(|e| explain(e, instr, "batching", program))?;
    }
    b.set_source(Source::unknown());
    let (mut results, mut mask) = (Vec::new(), Vec::new());
    for (result, &force) in program.results().iter().zip(force) {
        let Batched { value, batched } = values[result.index()];
        results.push(if force && !batched { b.broadcast_leading(value, size)? } else { value });
        mask.push(force || batched);
    }
    Ok((b.finish(&results)?, mask))
}

/// Appends one instruction over operands of which some may be batched, along an axis of this extent.
fn push(
    b: &mut Builder,
    program: &Program,
    instr: &Instr,
    (size, batching): (usize, Batching<'_>),
    values: &mut Vec<Batched>,
) -> Result<()> {
    let operands: Vec<Batched> = instr.operands.iter().map(|v| values[v.index()]).collect();
    let Batching { axis, one_by_one } = batching;
    let speaks = axis.is_some() && instr.op.names_axes();
    if operands.iter().all(|o| !o.batched) && !speaks {
        let operands: Vec<Value> = operands.iter().map(|o| o.value).collect();
        values.extend(b.copy(program, instr, &operands).into_iter().map(Batched::no));
        return Ok(());
    }
    let engine = ProgramTransforms { batching, ..ProgramTransforms::DEFAULT };
    let mut cx = BatchCx { b, operands: &operands, size, axis, one_by_one, sub: &engine };
    let results = match instr.op.batch(&mut cx)? {
        Batch::Results(results) => results,
        Batch::Elementwise => {
            let mut all = Vec::new();
            for i in 0..operands.len() {
                all.push(cx.batched(i)?);
            }
            cx.b.push(instr.op.clone(), &all)?.into_iter().map(Batched::yes).collect()
        }
        Batch::Refuse(reason) => return Err(refusal("cannot be batched", reason)),
    };
    let expected = instr.results().zip(&results).map(|(v, r)| {
        let ty = program.ty(v);
        if r.batched { ty.with_leading(size) } else { ty }
    });
    if results.len() != instr.results().len() {
        return Err(Error::internal(format!(
            "the rule gave {} results, not {}",
            results.len(),
            instr.results().len()
        )));
    }
    let expected: Vec<_> = expected.collect();
    check_types("results", results.iter().map(|r| b.ty(r.value)), expected.into_iter())?;
    values.extend(results);
    Ok(())
}

use jarrah_base::{Error, Result, Source, Type};
use jarrah_hlo::{Builder, Instr, LinearOperand, Program, Transpose, TransposeCx, Value};

use crate::engine::{ProgramTransforms, check_mask, check_types, explain, refusal};

/// The transpose of a program that is linear in the parameters in `linear`: with `y = A(p) x`, the program
/// `(p, ct_y) -> A(p)^T ct_y`.
///
/// The result takes the other parameters, then the cotangents of the results in `active`; it returns the cotangents of
/// the linear parameters, zeros included. Cotangents of a value that is used many times are added from its last use to
/// its first, so the sum has one order.
///
/// # Errors
/// An op on the way has no transpose, or is not linear in what it was given.
pub fn transpose(program: &Program, linear: &[bool], active: &[bool]) -> Result<Program> {
    program.check_expansion()?;
    check_mask("linear", linear, program.params().len(), "parameters")?;
    check_mask("active", active, program.results().len(), "results")?;
    let mut b = Builder::new(program.name());
    let mut forward = Forward {
        program,
        definitions: program.definitions(),
        linear: linear.to_vec(),
        values: vec![None; program.value_count()],
    };
    for instr in program.instrs() {
        let any = forward.is_linear(instr);
        forward.linear.extend(instr.results().map(|_| any));
    }
    for (i, param) in program.params().iter().enumerate().filter(|(i, _)| !linear[*i]) {
        forward.values[i] = Some(b.param_at(*param));
    }
    let mut cotangents: Vec<Option<Value>> = vec![None; program.value_count()];
    for (&result, _) in program.results().iter().zip(active).filter(|(_, active)| **active) {
        let ct = b.param(program.ty(result), "");
        accumulate(&mut b, &mut cotangents[result.index()], ct)?;
    }
    for instr in program.instrs() {
        if !instr.op.effects().is_pure() && !forward.is_linear(instr) {
            forward.run(&mut b, instr);
        }
    }
    for instr in program.instrs().iter().rev() {
        if !forward.is_linear(instr) {
            continue;
        }
        b.set_source(instr.source);
        pull(&mut b, &mut forward, instr, &mut cotangents)
            .map_err(|e| explain(e, instr, "transposing", program))?;
    }
    b.set_source(Source::unknown());
    let mut results = Vec::new();
    for (i, param) in program.params().iter().enumerate().filter(|(i, _)| linear[*i]) {
        results.push(match cotangents[i] {
            Some(ct) => ct,
            None => b.zeros(param.ty)?,
        });
    }
    let whole = b.finish(&results)?;
    let params: Vec<Value> = whole.param_values().collect();
    whole.extract(&params, whole.results())
}

/// The part of the program that does not depend on linear parameters; it is run where its values are needed.
struct Forward<'a> {
    program: &'a Program,
    definitions: Vec<Option<usize>>,
    linear: Vec<bool>,
    values: Vec<Option<Value>>,
}

impl Forward<'_> {
    fn is_linear(&self, instr: &Instr) -> bool {
        instr.operands.iter().any(|v| self.linear[v.index()])
    }

    /// Appends `instr`, whose operands are no linear values, and what it needs.
    fn run(&mut self, b: &mut Builder, instr: &Instr) {
        let program = self.program;
        let mut open: Vec<&Instr> = vec![instr];
        while let Some(&instr) = open.last() {
            let done = instr.results().next().is_some_and(|v| self.values[v.index()].is_some());
            if done {
                open.pop();
                continue;
            }
            let missing = open.len();
            for operand in instr.operands.iter().filter(|v| self.values[v.index()].is_none()) {
                open.extend(self.definitions[operand.index()].map(|d| &program.instrs()[d]));
            }
            if open.len() == missing {
                let operands: Vec<Value> =
                    instr.operands.iter().filter_map(|v| self.values[v.index()]).collect();
                for (old, new) in instr.results().zip(b.copy(program, instr, &operands)) {
                    self.values[old.index()] = Some(new);
                }
                open.pop();
            }
        }
    }

    fn operand(&mut self, b: &mut Builder, v: Value) -> Result<LinearOperand> {
        if self.linear[v.index()] {
            return Ok(LinearOperand::Linear(self.program.ty(v)));
        }
        if let (None, Some(definition)) = (self.values[v.index()], self.definitions[v.index()]) {
            let program = self.program;
            self.run(b, &program.instrs()[definition]);
        }
        let value = self.values[v.index()];
        value.map(LinearOperand::Known).ok_or_else(|| Error::internal(format!("{v:?} was not computed")))
    }
}

/// Passes the cotangents of an instruction's results on to its operands.
fn pull(
    b: &mut Builder,
    forward: &mut Forward<'_>,
    instr: &Instr,
    cotangents: &mut [Option<Value>],
) -> Result<()> {
    let of_results: Vec<Option<Value>> = instr.results().map(|v| cotangents[v.index()]).collect();
    if of_results.iter().all(Option::is_none) {
        if !instr.op.effects().may_drop() {
            return Err(Error::program(
                "has no transpose: it has an effect on a value that is linear in the inputs",
            ));
        }
        return Ok(());
    }
    let mut operands = Vec::with_capacity(instr.operands.len());
    for &operand in &instr.operands {
        operands.push(forward.operand(b, operand)?);
    }
    let result_types: Vec<Type> = instr.results().map(|v| forward.program.ty(v)).collect();
    let mut cx = TransposeCx {
        b,
        operands: &operands,
        cotangents: &of_results,
        result_types: &result_types,
        sub: &ProgramTransforms::DEFAULT,
    };
    let answer = match instr.op.transpose(&mut cx)? {
        Transpose::Cotangents(answer) => answer,
        Transpose::Refuse(reason) => return Err(refusal("has no transpose", reason)),
    };
    let expected = instr.operands.iter().map(|&v| forward.program.ty(v));
    let found =
        answer.iter().zip(&instr.operands).map(|(ct, &v)| ct.map_or(forward.program.ty(v), |ct| b.ty(ct)));
    if answer.len() != instr.operands.len() {
        return Err(Error::internal(format!(
            "the rule gave {} cotangents, not {}",
            answer.len(),
            operands.len()
        )));
    }
    check_types("cotangents", found, expected)?;
    for ((ct, operand), &v) in answer.into_iter().zip(&operands).zip(&instr.operands) {
        if let (Some(ct), true) = (ct, operand.is_linear()) {
            accumulate(b, &mut cotangents[v.index()], ct)?;
        }
    }
    Ok(())
}

fn accumulate(b: &mut Builder, sum: &mut Option<Value>, term: Value) -> Result<()> {
    *sum = Some(match *sum {
        Some(sum) => b.accumulate(sum, term)?,
        None => term,
    });
    Ok(())
}

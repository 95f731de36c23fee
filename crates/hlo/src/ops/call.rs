use jarrah_base::{Error, Literal, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::sub;
use crate::builder::{Builder, check_arguments};
use crate::example::{Example, varied};
use crate::op::Op;
use crate::program::{Program, Value};
use crate::rules::*;

/// Runs another program: `results = callee(operands)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Call {
    /// The program.
    #[serde(with = "crate::serial::apart")]
    pub callee: ProgramRef,
}

/// Returns its operands, and keeps the compiler from merging or moving computations across it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct OptimizationBarrier;

/// A call of the program with its tangents.
pub(super) fn jvp_of(cx: &mut JvpCx<'_>, program: &Program, make: impl Fn(ProgramRef) -> Op) -> Result<Jvp> {
    let active = sub::active(cx.tangents);
    let jvp = cx.sub.jvp(program, &active, &vec![false; program.results().len()])?;
    let mut operands = cx.operands.to_vec();
    operands.extend(cx.tangents.iter().filter_map(|t| t.value()));
    let all = cx.b.push(make(jvp.program.into()), &operands)?;
    let (results, tangents) = all.split_at(program.results().len());
    let tangents = sub::tangents(&program.result_types(), &jvp.active, tangents);
    Ok(Jvp::Replace { results: results.to_vec(), tangents })
}

/// A call of the transposed program.
pub(super) fn transpose_of(
    cx: &mut TransposeCx<'_>,
    program: &Program,
    make: impl Fn(ProgramRef) -> Op,
) -> Result<Transpose> {
    let linear: Vec<bool> = cx.operands.iter().map(|o| o.is_linear()).collect();
    let active: Vec<bool> = cx.cotangents.iter().map(Option::is_some).collect();
    let transposed = cx.sub.transpose(program, &linear, &active)?;
    let mut operands: Vec<Value> = Vec::new();
    for i in (0..linear.len()).filter(|&i| !linear[i]) {
        operands.push(cx.known(i)?);
    }
    operands.extend(cx.cotangents.iter().flatten());
    let mut results = cx.b.push(make(transposed.into()), &operands)?.into_iter();
    Ok(Transpose::Cotangents(linear.iter().map(|l| l.then(|| results.next()).flatten()).collect()))
}

/// A call of the batched program.
pub(super) fn batch_of(
    cx: &mut BatchCx<'_>,
    program: &Program,
    make: impl Fn(ProgramRef) -> Op,
) -> Result<Batch> {
    let batched: Vec<bool> = cx.operands.iter().map(|o| o.batched).collect();
    let force = vec![false; program.results().len()];
    let (program, batched) = cx.sub.batch(program, cx.size, &batched, &force)?;
    let operands: Vec<Value> = cx.operands.iter().map(|o| o.value).collect();
    let results = cx.b.push(make(program.into()), &operands)?;
    let results = results.into_iter().zip(batched).map(|(value, batched)| Batched { value, batched });
    Ok(Batch::Results(results.collect()))
}

impl Rules for Call {
    fn name(&self) -> &'static str {
        "call"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        check_arguments(&self.callee, operands)?;
        Ok(self.callee.result_types().into())
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        jvp_of(cx, &self.callee, |callee| Call { callee }.into())
    }

    fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        let known = sub::known(cx.operands);
        let (known_args, mut unknown_args) = sub::parted(cx.operands);
        let split = cx.sub.partial_eval(&self.callee, &known, &vec![false; self.callee.results().len()])?;
        let count = split.known_results.iter().filter(|k| **k).count();
        let (results, residuals) = split.known.results().split_at(count);
        // A residual that is a parameter is the operand itself, not a result of the call.
        let is_param = |v: &Value| v.index() < known_args.len();
        let mut returned = results.to_vec();
        returned.extend(residuals.iter().filter(|v| !is_param(v)));
        let params: Vec<Value> = split.known.param_values().collect();
        let callee: ProgramRef = split.known.extract(&params, &returned)?.into();
        let made = if returned.is_empty() && callee.effects().may_drop() {
            Default::default()
        } else {
            cx.split.known().push(Call { callee }, &known_args)?
        };
        let (known_results, computed) = made.split_at(count);
        let mut computed = computed.iter();
        let mut operands = Vec::new();
        for residual in residuals {
            let value = if is_param(residual) { known_args.get(residual.index()) } else { computed.next() };
            let value = value.ok_or_else(|| Error::internal("a residual of a call has no value"))?;
            operands.push(cx.split.residual(*value)?);
        }
        operands.append(&mut unknown_args);
        let callee: ProgramRef = split.unknown.into();
        let unknown_results = if callee.results().is_empty() && callee.effects().may_drop() {
            Default::default()
        } else {
            cx.split.unknown().push(Call { callee }, &operands)?
        };
        Ok(PartialEval::Results(sub::rejoined(&split.known_results, known_results, &unknown_results)?))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        transpose_of(cx, &self.callee, |callee| Call { callee }.into())
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        batch_of(cx, &self.callee, |callee| Call { callee }.into())
    }

    fn effects(&self) -> Effects {
        sub::effects(&self.programs())
    }

    fn residual_class(&self) -> ResidualClass {
        ResidualClass::Save
    }

    fn precision(&self) -> Precision {
        Precision::Inside
    }

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        cx.inside(&self.callee, |callee| Call { callee }.into())
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        cx.sub.check(&self.callee, &fewer.callee)?;
        Ok(Rows::Apart)
    }

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        sub::cost(&self.callee)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Runs another program: `results = callee(operands)`.",
            source: "func dialect, func.call",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        smallvec![&self.callee]
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        Call { callee: programs[0].clone() }
    }

    fn examples() -> Vec<Example> {
        let (product, operands) = product_program();
        let (swap, pair) = swap_program();
        vec![
            Example::new("product", Call { callee: product }, operands),
            Example::new("two results, one an operand", Call { callee: swap }, pair),
        ]
    }
}

impl Rules for OptimizationBarrier {
    fn name(&self) -> &'static str {
        "optimization_barrier"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        Ok(operands.into())
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let values: Vec<Value> = cx.tangents.iter().filter_map(|t| t.value()).collect();
        let values = cx.b.push(OptimizationBarrier, &values)?;
        let types = cx.b.types(cx.operands);
        Ok(Jvp::Tangents(sub::tangents(&types, &sub::active(cx.tangents), &values)))
    }

    fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        let (known, unknown) = sub::parted(cx.operands);
        let known = if known.is_empty() {
            Default::default()
        } else {
            cx.split.known().push(self.clone(), &known)?
        };
        let unknown = cx.split.unknown().push(self.clone(), &unknown)?;
        Ok(PartialEval::Results(sub::rejoined(&sub::known(cx.operands), &known, &unknown)?))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let values: Vec<Value> = cx.cotangents.iter().copied().flatten().collect();
        let mut values = cx.b.push(OptimizationBarrier, &values)?.into_iter();
        let passed = cx.cotangents.iter().map(|c| c.and_then(|_| values.next()));
        Ok(Transpose::Cotangents(passed.zip(cx.operands).map(|(c, o)| c.filter(|_| o.is_linear())).collect()))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let values: Vec<Value> = cx.operands.iter().map(|o| o.value).collect();
        let values = cx.b.push(OptimizationBarrier, &values)?;
        let results = values.into_iter().zip(cx.operands);
        Ok(Batch::Results(results.map(|(value, o)| Batched { value, batched: o.batched }).collect()))
    }

    fn effects(&self) -> Effects {
        Effects::NONE
    }

    fn residual_class(&self) -> ResidualClass {
        ResidualClass::Save
    }

    keeps_precision!();

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Alike);

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        Ok(Cost::default())
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Its operands; computations are not merged or moved across it.",
            source: "StableHLO specification, optimization_barrier",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("one operand", OptimizationBarrier, vec![varied(&[3], -1.0, 1.0)]),
            Example::new(
                "two operands",
                OptimizationBarrier,
                vec![varied(&[2, 2], -1.0, 1.0), varied(&[], 1.0, 2.0)],
            ),
        ]
    }
}

/// `(x, y) -> e^x * y`.
pub(super) fn product_program() -> (ProgramRef, Vec<Literal>) {
    let operands = vec![varied(&[2, 3], -1.0, 1.0), varied(&[2, 3], 0.5, 1.5)];
    let build = || {
        let mut b = Builder::new("product");
        let (x, y) = (b.param(operands[0].ty(), "x"), b.param(operands[1].ty(), "y"));
        let e = b.exp(x)?;
        let product = b.mul(e, y)?;
        b.finish(&[product])
    };
    (build().expect("invariant: the example is well-formed").into(), operands)
}

/// `(x, y) -> (x * y, x)`.
pub(super) fn swap_program() -> (ProgramRef, Vec<Literal>) {
    let operands = vec![varied(&[4], -1.0, 1.0), varied(&[4], 0.5, 1.5)];
    let build = || {
        let mut b = Builder::new("swap");
        let (x, y) = (b.param(operands[0].ty(), "x"), b.param(operands[1].ty(), "y"));
        let product = b.mul(x, y)?;
        b.finish(&[product, x])
    };
    (build().expect("invariant: the example is well-formed").into(), operands)
}

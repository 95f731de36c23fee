use jarrah_base::{Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Call, sub};
use crate::builder::Builder;
use crate::example::{Example, varied};
use crate::program::{Program, Value};
use crate::rules::*;

/// The solution `x` of `A x = b` for a linear map `A` given as a program, found by another program.
///
/// Its derivative is the one of the equation, not of the steps that solved it: `dx` solves `A dx = db - dA x`, and the
/// cotangent of `b` solves the transposed equation. Operands are what the programs need besides, then `b`; each program
/// takes the same, and returns as many tensors as `b` and `x` have, of their types.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LinearSolve {
    /// `x -> A x`.
    #[serde(with = "crate::serial::apart")]
    pub matvec: ProgramRef,
    /// `b -> x` with `A x = b`.
    #[serde(with = "crate::serial::apart")]
    pub solve: ProgramRef,
    /// The programs for the transpose of `A`; without them the op has no reverse mode.
    pub transpose: Option<TransposedSolve>,
    /// How many operands stand before `b`.
    pub consts: usize,
}

/// The transposed equation of a [`LinearSolve`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TransposedSolve {
    /// `y -> A^T y`.
    #[serde(with = "crate::serial::apart")]
    pub matvec: ProgramRef,
    /// `c -> y` with `A^T y = c`.
    #[serde(with = "crate::serial::apart")]
    pub solve: ProgramRef,
}

impl Rules for LinearSolve {
    fn name(&self) -> &'static str {
        "jarrah.linear_solve"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        if operands.len() < self.consts {
            let (consts, found) = (self.consts, operands.len());
            return Err(Error::program(format!(
                "{consts} constants are needed, {found} operands were given"
            )));
        }
        let vector = &operands[self.consts..];
        for (program, what) in self.programs().iter().zip([
            "the linear map",
            "the solution",
            "the transposed map",
            "the solution of the transposed equation",
        ]) {
            sub::same_types(&format!("the parameters of {what}"), operands, &program.param_types())?;
            sub::same_types(&format!("the results of {what}"), vector, &program.result_types())?;
        }
        Ok(vector.into())
    }

    /// `A dx = db - dA x`.
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let solution = cx.results()?.to_vec();
        let types = cx.b.types(&solution);
        if let Some(ty) = types.iter().find(|ty| !ty.dtype().is_differentiable()) {
            return Err(Error::program(format!("an unknown of type {ty} has no derivative")));
        }
        let mut active = sub::active(&cx.tangents[..self.consts]);
        active.resize(cx.operands.len(), false);
        let mut right: Vec<Tangent> = cx.tangents[self.consts..].to_vec();
        if active.contains(&true) {
            let derived = cx.sub.jvp(&self.matvec, &active, &vec![false; solution.len()])?;
            let mut args = cx.operands[..self.consts].to_vec();
            args.extend(&solution);
            args.extend(cx.tangents[..self.consts].iter().filter_map(|t| t.value()));
            let all = cx.b.inline(&derived.program, &args)?;
            let moved = sub::tangents(&types, &derived.active, &all[solution.len()..]);
            for (right, moved) in right.iter_mut().zip(moved) {
                if let Tangent::Value(moved) = moved {
                    let from = right.instantiate(cx.b)?;
                    *right = Tangent::Value(cx.b.sub(from, moved)?);
                }
            }
        }
        if right.iter().all(|t| t.value().is_none()) {
            return Ok(Jvp::Tangents(right));
        }
        let mut operands = cx.operands[..self.consts].to_vec();
        for tangent in right {
            operands.push(tangent.instantiate(cx.b)?);
        }
        let tangents = cx.b.push(self.clone(), &operands)?;
        Ok(Jvp::Tangents(tangents.into_iter().map(Tangent::Value).collect()))
    }

    fn partial_eval(&self, _: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        Ok(PartialEval::AllOrNothing)
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let Some(transpose) = &self.transpose else {
            return Ok(Transpose::Refuse(
                "the linear solve was given no solution of the transposed equation; give it transpose_solve",
            ));
        };
        let mut operands = Vec::with_capacity(cx.operands.len());
        for i in 0..self.consts {
            operands.push(cx.known(i)?);
        }
        for (ct, &ty) in cx.cotangents.iter().zip(cx.result_types) {
            operands.push(match ct {
                Some(ct) => *ct,
                None => cx.b.zeros(ty)?,
            });
        }
        let op = LinearSolve {
            matvec: transpose.matvec.clone(),
            solve: transpose.solve.clone(),
            transpose: Some(TransposedSolve { matvec: self.matvec.clone(), solve: self.solve.clone() }),
            consts: self.consts,
        };
        let solved = cx.b.push(op, &operands)?;
        let mut cotangents = vec![None; self.consts];
        let of_vector = solved.into_iter().zip(&cx.operands[self.consts..]);
        cotangents.extend(of_vector.map(|(ct, operand)| operand.is_linear().then_some(ct)));
        Ok(Transpose::Cotangents(cotangents))
    }

    /// The right sides and the unknowns are batched, all of them.
    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut batched: Vec<bool> = cx.operands[..self.consts].iter().map(|o| o.batched).collect();
        batched.resize(cx.operands.len(), true);
        let force = vec![true; cx.operands.len() - self.consts];
        let mut programs: Vec<ProgramRef> = Vec::new();
        for program in self.programs() {
            programs.push(cx.sub.batch(program, cx.size, &batched, &force)?.0.into());
        }
        let mut operands: Vec<Value> = cx.operands[..self.consts].iter().map(|o| o.value).collect();
        for i in self.consts..cx.operands.len() {
            operands.push(cx.batched(i)?);
        }
        let results = cx.b.push(self.with_programs(&programs), &operands)?;
        Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
    }

    /// The effects of the program that solves.
    fn effects(&self) -> Effects {
        self.solve.effects()
    }

    fn residual_class(&self) -> ResidualClass {
        ResidualClass::Save
    }

    keeps_precision!();

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        cx.inside(&self.solve, |callee| Call { callee }.into())
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        cx.sub.check(&self.solve, &fewer.solve)?;
        Ok(Rows::Apart)
    }

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        sub::cost(&self.solve)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The solution `x` of `A x = b`, found by a program; its derivative is that of the equation.",
            source: "jax.lax.custom_linear_solve",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        let mut programs: SmallVec<[&ProgramRef; 2]> = SmallVec::from_slice(&[&self.matvec, &self.solve]);
        programs.extend(self.transpose.iter().flat_map(|t| [&t.matvec, &t.solve]));
        programs
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        LinearSolve {
            matvec: programs[0].clone(),
            solve: programs[1].clone(),
            transpose: self
                .transpose
                .as_ref()
                .map(|_| TransposedSolve { matvec: programs[2].clone(), solve: programs[3].clone() }),
            consts: self.consts,
        }
    }

    fn examples() -> Vec<Example> {
        let operands = vec![varied(&[3], 0.5, 2.0), varied(&[3], -1.0, 1.0)];
        // The diagonal matrix of `d` is its own transpose.
        let diagonal = |name: &str, f: fn(&mut Builder, Value, Value) -> Result<Value>| -> Result<Program> {
            let mut b = Builder::new(name);
            let (d, v) = (b.param(operands[0].ty(), "d"), b.param(operands[1].ty(), "v"));
            let result = f(&mut b, v, d)?;
            b.finish(&[result])
        };
        let build = || -> Result<LinearSolve> {
            let matvec: ProgramRef = diagonal("matvec", |b, v, d| b.mul(v, d))?.into();
            let solve: ProgramRef = diagonal("solve", |b, v, d| b.div(v, d))?.into();
            let transpose = Some(TransposedSolve { matvec: matvec.clone(), solve: solve.clone() });
            Ok(LinearSolve { matvec, solve, transpose, consts: 1 })
        };
        let op = build().expect("invariant: the example is well-formed");
        vec![Example::new("diagonal", op, operands)]
    }
}

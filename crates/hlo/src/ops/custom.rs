use jarrah_base::{Error, Result, Source, Type};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::call::batch_of;
use super::{BatchRule, Call, sub};
use crate::builder::{Builder, check_arguments};
use crate::example::{Example, varied};
use crate::program::{Instr, Program, Value};
use crate::rules::*;

/// A program of which one rule is given, not derived: its derivative, its transpose, or how a batch of it is made.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CustomRule {
    /// The program.
    #[serde(with = "crate::serial::apart")]
    pub primal: ProgramRef,
    /// The rule.
    pub rule: Rule,
    /// How many of the last operands are captures: the rule has no derivative for them.
    pub captures: usize,
}

/// The rule that a [`CustomRule`] gives.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Rule {
    /// Takes the operands, then the tangents of the differentiable primals, which are the operands but for the captures;
    /// returns the results, then the tangents of
    /// the differentiable ones. Linear in the tangents.
    Jvp(#[serde(with = "crate::serial::apart")] ProgramRef),
    /// Takes the operands, the results, then the tangents of the differentiable primals; returns the tangents of the
    /// differentiable results. Linear in the tangents.
    ///
    /// The results are those of the op itself, whose derivative this is again: it serves derivatives of every order.
    Tangent(#[serde(with = "crate::serial::apart")] ProgramRef),
    /// A forward and a backward program.
    Vjp {
        /// Takes the primals; returns the results, then residuals.
        #[serde(with = "crate::serial::apart")]
        forward: ProgramRef,
        /// Takes the residuals, then the cotangents of the differentiable results; returns the cotangents of the
        /// differentiable primals.
        #[serde(with = "crate::serial::apart")]
        backward: ProgramRef,
    },
    /// The transpose, of a program that is linear in its last operands: takes the operands before these, then the cotangents of
    /// the results; returns the cotangents of the linear operands. There are no captures.
    Transpose(#[serde(with = "crate::serial::apart")] ProgramRef),
    /// How a batch is made.
    Batch(BatchRule),
}

/// The linear map of which only the transpose is known: what the tangent of a custom backward rule is.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CustomTangent {
    /// The transpose: takes the residuals, then the cotangents of the results; returns those of the tangents.
    #[serde(with = "crate::serial::apart")]
    pub backward: ProgramRef,
    /// How many of the operands are residuals; the others are tangents.
    pub residuals: usize,
    /// The types of the results.
    pub results: Vec<Type>,
}

/// Which of `flags` belong to values that have tangents.
fn of_differentiable(types: &[Type], flags: &[bool]) -> Vec<bool> {
    types.iter().zip(flags).filter(|(t, _)| t.dtype().is_differentiable()).map(|(_, &f)| f).collect()
}

/// The tangents of results of these types, given those of the differentiable ones.
fn spread(types: &[Type], tangents: &[Value]) -> Vec<Tangent> {
    let active: Vec<bool> = types.iter().map(|t| t.dtype().is_differentiable()).collect();
    sub::tangents(types, &active, tangents)
}

impl CustomRule {
    /// The program with this derivative for all of its operands.
    pub fn new(primal: impl Into<ProgramRef>, rule: Rule) -> CustomRule {
        CustomRule { primal: primal.into(), rule, captures: 0 }
    }

    /// How many operands come before the captures.
    fn primals(&self) -> usize {
        self.primal.params().len().saturating_sub(self.captures)
    }

    /// The tangents of the differentiable primals, zeros included.
    fn tangents(&self, cx: &mut JvpCx<'_>) -> Result<Vec<Value>> {
        let mut tangents = Vec::new();
        for (i, tangent) in cx.tangents[..self.primals()].iter().enumerate() {
            if cx.ty(i).dtype().is_differentiable() {
                tangents.push(tangent.instantiate(cx.b)?);
            }
        }
        Ok(tangents)
    }

    fn batch_jvp(
        &self,
        cx: &BatchCx<'_>,
        jvp: &Program,
        batched: &[bool],
    ) -> Result<(CustomRule, Vec<bool>)> {
        let types = self.primal.param_types();
        let results = self.primal.result_types();
        let mut of_jvp = batched.to_vec();
        of_jvp.extend(of_differentiable(&types[..self.primals()], batched));
        let mut force = vec![false; results.len()];
        loop {
            let (primal, marked) = cx.sub.batch(&self.primal, cx.size, batched, &force)?;
            let mut force_jvp = force.clone();
            force_jvp.extend(of_differentiable(&results, &force));
            let (rule, marked_jvp) = cx.sub.batch(jvp, cx.size, &of_jvp, &force_jvp)?;
            // A result and its tangent have one type, so they are batched together.
            let (of_results, of_tangents) = marked_jvp.split_at(results.len());
            let mut of_tangents = of_tangents.iter().copied();
            let together: Vec<bool> = results
                .iter()
                .enumerate()
                .map(|(i, ty)| {
                    let tangent = ty.dtype().is_differentiable() && of_tangents.next().unwrap_or_default();
                    marked[i] || of_results[i] || tangent
                })
                .collect();
            if !sub::join(&mut force, &together) {
                let rule = Rule::Jvp(rule.into());
                return Ok((CustomRule { primal: primal.into(), rule, captures: self.captures }, force));
            }
        }
    }

    /// Every result is batched, so that it is of one kind with its tangent.
    fn batch_tangent(
        &self,
        cx: &BatchCx<'_>,
        tangent: &Program,
        batched: &[bool],
    ) -> Result<(CustomRule, Vec<bool>)> {
        let results = self.primal.result_types();
        let all = vec![true; results.len()];
        let (primal, _) = cx.sub.batch(&self.primal, cx.size, batched, &all)?;
        let of_tangents = of_differentiable(&self.primal.param_types()[..self.primals()], batched);
        let of_rule = [batched, &all, &of_tangents].concat();
        let (rule, _) = cx.sub.batch(tangent, cx.size, &of_rule, &of_differentiable(&results, &all))?;
        let rule = Rule::Tangent(rule.into());
        Ok((CustomRule { primal: primal.into(), rule, captures: self.captures }, all))
    }

    /// Every result is batched: the rule may give an operand a cotangent on which the result does not depend.
    fn batch_vjp(
        &self,
        cx: &BatchCx<'_>,
        forward: &Program,
        backward: &Program,
        batched: &[bool],
    ) -> Result<(CustomRule, Vec<bool>)> {
        let count = self.primal.results().len();
        let all = vec![true; count];
        let (primal, _) = cx.sub.batch(&self.primal, cx.size, batched, &all)?;
        let mut force = all.clone();
        force.resize(forward.results().len(), false);
        let (forward, marked) = cx.sub.batch(forward, cx.size, batched, &force)?;
        let mut of_backward = marked[count..].to_vec();
        of_backward.resize(backward.params().len(), true);
        let wanted = of_differentiable(&self.primal.param_types()[..self.primals()], batched);
        let (backward, marked) = cx.sub.batch(backward, cx.size, &of_backward, &wanted)?;
        let backward = summed(&backward, &marked, &wanted, cx.b.source())?;
        let rule = Rule::Vjp { forward: forward.into(), backward: backward.into() };
        Ok((CustomRule { primal: primal.into(), rule, captures: self.captures }, all))
    }

    /// Every operand in which the program is linear, and every result, is batched, so that the two programs stay transposes.
    fn batch_transpose(
        &self,
        cx: &BatchCx<'_>,
        transpose: &Program,
        batched: &[bool],
    ) -> Result<(CustomRule, Vec<bool>)> {
        let all = vec![true; self.primal.results().len()];
        let (primal, _) = cx.sub.batch(&self.primal, cx.size, batched, &all)?;
        let linear = vec![true; transpose.results().len()];
        let of_transpose = [&batched[..batched.len() - linear.len()], &all].concat();
        let (transpose, _) = cx.sub.batch(transpose, cx.size, &of_transpose, &linear)?;
        Ok((CustomRule::new(primal, Rule::Transpose(transpose.into())), all))
    }

    /// The batch that the rule makes.
    fn batch_by_rule(&self, cx: &mut BatchCx<'_>, rule: &BatchRule, batched: &[bool]) -> Result<Batch> {
        let (args, captures) = batched.split_at(self.primals());
        if captures.contains(&true) {
            let error =
                "the function captures an array that is mapped, which its batching rule does not know";
            let error = Error::program(error).op("custom_vmap");
            return Err(error.help("make it an argument, so that the rule is given it"));
        }
        if !args.contains(&true) {
            return batch_of(cx, &self.primal, |callee| Call { callee }.into());
        }
        let (program, marked) = rule.apply(cx.sub, cx.size, args)?;
        let operands: Vec<Value> = cx.operands[..args.len()].iter().map(|o| o.value).collect();
        let results = cx.b.inline(&program, &operands)?.into_iter().zip(marked);
        Ok(Batch::Results(results.map(|(value, batched)| Batched { value, batched }).collect()))
    }

    /// The program with its tangents, batched by the derivative of the rule.
    fn jvp_of_batch(&self, cx: &mut JvpCx<'_>, rule: &BatchRule) -> Result<Jvp> {
        let types = self.primal.result_types();
        let wanted: Vec<bool> = types.iter().map(|ty| ty.dtype().is_differentiable()).collect();
        let active = sub::active(cx.tangents);
        let jvp = cx.sub.jvp(&self.primal, &active, &wanted)?;
        let tangents: Vec<Value> = cx.tangents.iter().filter_map(|t| t.value()).collect();
        if !cx.sub.runs_tangents() {
            // Only the transpose is made of the tangents, which is batched as any program is.
            let mut results = cx.results()?.to_vec();
            let all = cx.b.inline(&jvp.program, &[cx.operands, &tangents].concat())?;
            let tangents = sub::tangents(&types, &jvp.active, &all[types.len()..]);
            results.truncate(types.len());
            return Ok(Jvp::Replace { results, tangents });
        }
        // The captures stay last.
        let (primals, count) = (self.primals(), jvp.program.params().len());
        let order: Vec<usize> =
            (0..primals).chain(active.len()..count).chain(primals..active.len()).collect();
        let returned: Vec<usize> = (0..jvp.program.results().len()).collect();
        let op = CustomRule {
            primal: sub::permuted(&jvp.program, &order, &returned)?.into(),
            rule: Rule::Batch(rule.derivative(&active[..primals])),
            captures: self.captures,
        };
        let operands = sub::reordered(&[cx.operands, &tangents].concat(), &order);
        let all = cx.b.push(op, &operands)?;
        let (results, tangents) = all.split_at(types.len());
        let tangents = sub::tangents(&types, &jvp.active, tangents);
        Ok(Jvp::Replace { results: results.to_vec(), tangents })
    }

    /// The tangent of a linear program is the program of the tangents; to that comes what its other operands change.
    fn jvp_of_transpose(&self, cx: &mut JvpCx<'_>, transpose: &Program) -> Result<Jvp> {
        let types = self.primal.result_types();
        let others = cx.operands.len() - transpose.results().len();
        let results = cx.results()?.to_vec();
        let mut tangents = vec![None; types.len()];
        let active = sub::active(cx.tangents);
        if active[others..].contains(&true) {
            let mut operands = cx.operands[..others].to_vec();
            for tangent in &cx.tangents[others..] {
                operands.push(tangent.instantiate(cx.b)?);
            }
            tangents = cx.b.push(self.clone(), &operands)?.into_iter().map(Some).collect();
        }
        if active[..others].contains(&true) {
            let mut of_others = active[..others].to_vec();
            of_others.resize(active.len(), false);
            let jvp = cx.sub.jvp(&self.primal, &of_others, &vec![false; types.len()])?;
            let mut args = cx.operands.to_vec();
            args.extend(cx.tangents[..others].iter().filter_map(|t| t.value()));
            let mut computed = cx.b.inline(&jvp.program, &args)?.split_off(types.len()).into_iter();
            for (tangent, _) in tangents.iter_mut().zip(&jvp.active).filter(|(_, active)| **active) {
                *tangent = match (*tangent, computed.next()) {
                    (Some(a), Some(b)) => Some(cx.b.add(a, b)?),
                    (a, b) => a.or(b),
                };
            }
        }
        let tangent = |(t, &ty): (&Option<Value>, &Type)| t.map_or(Tangent::Zero(ty), Tangent::Value);
        let tangents = tangents.iter().zip(&types).map(tangent).collect();
        Ok(Jvp::Replace { results, tangents })
    }
}

/// The map of tangents whose transpose is `backward`: the transpose of that, over the same residuals.
fn transposed(cx: &JvpCx<'_>, backward: &Program, residuals: usize) -> Result<Program> {
    let mut linear = vec![false; residuals];
    linear.resize(backward.params().len(), true);
    let transposed = cx.sub.transpose(backward, &linear, &vec![true; backward.results().len()]);
    transposed.map_err(|error| {
        error.context("while transposing the backward pass of a custom rule, which gives its forward derivative").help(
            "forward mode needs a backward pass that is linear in the cotangents; otherwise give the rule as a custom_jvp",
        )
    })
}

/// The program whose batched results are summed over the batch where the operand they belong to has no batch axis.
fn summed(program: &Program, batched: &[bool], wanted: &[bool], source: Source) -> Result<Program> {
    let mut b = Builder::like(program);
    b.set_source(source);
    let args: Vec<Value> = program.param_values().collect();
    let mut results = b.inline(program, &args)?;
    for (i, result) in results.iter_mut().enumerate() {
        if batched[i] && !wanted[i] {
            *result = b.sum(*result, &[0])?;
        }
    }
    b.finish(&results)
}

impl Rules for CustomRule {
    fn name(&self) -> &'static str {
        "jarrah.custom_rule"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        check_arguments(&self.primal, operands)?;
        if self.captures > operands.len() {
            let (captures, found) = (self.captures, operands.len());
            return Err(Error::program(format!("{captures} captures are among {found} operands")));
        }
        let results = self.primal.result_types();
        let tangents = sub::differentiable(&operands[..self.primals()]);
        let result_tangents = sub::differentiable(&results);
        match &self.rule {
            Rule::Jvp(jvp) => {
                let expected = [operands, &tangents].concat();
                sub::same_types("the parameters of the derivative", &expected, &jvp.param_types())?;
                let expected = [&results[..], &result_tangents].concat();
                sub::same_types("the results of the derivative", &expected, &jvp.result_types())?;
            }
            Rule::Tangent(tangent) => {
                let expected = [operands, &results, &tangents].concat();
                sub::same_types("the parameters of the tangent program", &expected, &tangent.param_types())?;
                let found = tangent.result_types();
                sub::same_types("the results of the tangent program", &result_tangents, &found)?;
            }
            Rule::Vjp { forward, backward } => {
                sub::same_types("the parameters of the forward program", operands, &forward.param_types())?;
                let returned = forward.result_types();
                let (of_forward, residuals) = returned.split_at(results.len().min(returned.len()));
                sub::same_types("the results of the forward program", &results, of_forward)?;
                let expected = [residuals, &result_tangents].concat();
                sub::same_types(
                    "the parameters of the backward program",
                    &expected,
                    &backward.param_types(),
                )?;
                sub::same_types("the results of the backward program", &tangents, &backward.result_types())?;
            }
            Rule::Transpose(transpose) => {
                let linear = transpose.results().len();
                let Some(others) = operands.len().checked_sub(linear).filter(|_| self.captures == 0) else {
                    let error = format!("there are {} operands for {linear} cotangents", operands.len());
                    return Err(Error::program(error));
                };
                let expected = [&operands[..others], &results].concat();
                sub::same_types("the parameters of the transpose", &expected, &transpose.param_types())?;
                let found = transpose.result_types();
                sub::same_types("the results of the transpose", &operands[others..], &found)?;
            }
            // Its programs are made, and looked at, where a batch is.
            Rule::Batch(_) => {}
        }
        Ok(results.into())
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        if cx.tangents[self.primals()..].iter().any(|t| t.value().is_some()) {
            let op = match self.rule {
                Rule::Vjp { .. } => "custom_vjp",
                Rule::Batch(_) => "custom_vmap",
                _ => "custom_jvp",
            };
            let error = "the function captures an array that depends on what is differentiated, and the rule gives no \
                         derivative for it";
            return Err(Error::program(error)
                .op(op)
                .help("make it an argument, so that its derivative can be given"));
        }
        let types = self.primal.result_types();
        let tangents = match &self.rule {
            Rule::Transpose(transpose) => return self.jvp_of_transpose(cx, transpose),
            Rule::Batch(rule) => return self.jvp_of_batch(cx, rule),
            _ => self.tangents(cx)?,
        };
        let (results, tangents) = match &self.rule {
            Rule::Jvp(jvp) => {
                let args = [cx.operands, &tangents].concat();
                let mut all = cx.b.inline(jvp, &args)?;
                let tangents = all.split_off(types.len());
                (all, tangents)
            }
            Rule::Tangent(tangent) => {
                let all = cx.b.push(self.clone(), cx.operands)?.to_vec();
                let mut args = [cx.operands, &all, &tangents].concat();
                let given: Vec<bool> =
                    cx.tangents[..self.primals()].iter().map(|t| t.value().is_some()).collect();
                let given = of_differentiable(&cx.b.types(&cx.operands[..self.primals()]), &given);
                if !given.contains(&false) {
                    let tangents = cx.b.inline(tangent, &args)?;
                    return Ok(Jvp::Replace { results: all, tangents: spread(&types, &tangents) });
                }
                // The derivative of a linear program is the program: of the tangents that are given alone, so that a slope by another
                // operand, which may be infinite, is not multiplied by zeros.
                let mut active = vec![false; cx.operands.len() + all.len()];
                active.extend(&given);
                let count = tangent.results().len();
                let linear = cx.sub.jvp(tangent, &active, &vec![true; count])?;
                args.extend(tangents.iter().zip(&given).filter(|(_, given)| **given).map(|(t, _)| *t));
                let tangents = cx.b.inline(&linear.program, &args)?.split_off(count);
                (all, tangents)
            }
            Rule::Vjp { forward, backward } => {
                let mut all = cx.b.inline(forward, cx.operands)?;
                let mut operands = all.split_off(types.len());
                let residuals = operands.len();
                operands.extend(tangents);
                if cx.sub.runs_tangents() {
                    let tangent = transposed(cx, backward, residuals)?;
                    let tangents = cx.b.inline(&tangent, &operands)?;
                    return Ok(Jvp::Replace { results: all, tangents: spread(&types, &tangents) });
                }
                let results = sub::differentiable(&types);
                let op = CustomTangent { backward: backward.clone(), residuals, results };
                (all, cx.b.push(op, &operands)?.to_vec())
            }
            Rule::Transpose(_) | Rule::Batch(_) => return Err(Error::internal("was handled above")),
        };
        Ok(Jvp::Replace { results, tangents: spread(&types, &tangents) })
    }

    fn partial_eval(&self, _: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        Ok(PartialEval::AllOrNothing)
    }

    /// A program that is linear is transposed itself, unless its transpose is what is given: other rules say nothing new.
    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        if let Rule::Transpose(transpose) = &self.rule {
            let others = cx.operands.len() - transpose.results().len();
            let mut operands = (0..others).map(|i| cx.known(i)).collect::<Result<Vec<Value>>>()?;
            for (ct, &ty) in cx.cotangents.iter().zip(cx.result_types) {
                operands.push(match ct {
                    Some(ct) => *ct,
                    None => cx.b.zeros(ty)?,
                });
            }
            let op = CustomRule::new(transpose.clone(), Rule::Transpose(self.primal.clone()));
            let mut cotangents = vec![None; others];
            cotangents.extend(cx.b.push(op, &operands)?.into_iter().map(Some));
            let of_linear = cotangents.into_iter().zip(cx.operands);
            return Ok(Transpose::Cotangents(
                of_linear.map(|(ct, o)| ct.filter(|_| o.is_linear())).collect(),
            ));
        }
        let linear: Vec<bool> = cx.operands.iter().map(|o| o.is_linear()).collect();
        let active: Vec<bool> = cx.cotangents.iter().map(Option::is_some).collect();
        let transposed = cx.sub.transpose(&self.primal, &linear, &active)?;
        let mut args = Vec::new();
        for i in (0..linear.len()).filter(|&i| !linear[i]) {
            args.push(cx.known(i)?);
        }
        args.extend(cx.cotangents.iter().flatten());
        let mut results = cx.b.inline(&transposed, &args)?.into_iter();
        Ok(Transpose::Cotangents(linear.iter().map(|l| l.then(|| results.next()).flatten()).collect()))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut batched: Vec<bool> = cx.operands.iter().map(|o| o.batched).collect();
        let mut operands: Vec<Value> = cx.operands.iter().map(|o| o.value).collect();
        let (op, marked) = match &self.rule {
            Rule::Jvp(jvp) => self.batch_jvp(cx, jvp, &batched)?,
            Rule::Tangent(tangent) => self.batch_tangent(cx, tangent, &batched)?,
            Rule::Vjp { forward, backward } => self.batch_vjp(cx, forward, backward, &batched)?,
            Rule::Transpose(transpose) => {
                for i in batched.len() - transpose.results().len()..batched.len() {
                    let value = cx.batched(i)?;
                    (operands[i], batched[i]) = (value, true);
                }
                self.batch_transpose(cx, transpose, &batched)?
            }
            Rule::Batch(rule) => return self.batch_by_rule(cx, rule, &batched),
        };
        let results = cx.b.push(op, &operands)?.into_iter().zip(marked);
        Ok(Batch::Results(results.map(|(value, batched)| Batched { value, batched }).collect()))
    }

    /// The effects of the program that runs. The rule's effects count in programs that transformations put in its place.
    fn effects(&self) -> Effects {
        self.primal.effects()
    }

    /// A function of elements with a derivative of its own is computed again, as those of the elementwise table are.
    fn residual_class(&self) -> ResidualClass {
        let recomputed = |instr: &Instr| {
            instr.operands.is_empty() || instr.op.residual_class() == ResidualClass::Recompute
        };
        match self.rule {
            Rule::Tangent(_) if self.primal.instrs().iter().all(recomputed) => ResidualClass::Recompute,
            _ => ResidualClass::Save,
        }
    }

    fn precision(&self) -> Precision {
        Precision::Inside
    }

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        // The program alone: derivatives are taken before failures are looked for.
        cx.inside(&self.primal, |callee| Call { callee }.into())
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        cx.sub.check(&self.primal, &fewer.primal)?;
        Ok(Rows::Apart)
    }

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        sub::cost(&self.primal)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Runs a program whose derivative, transpose or batch is given with it.",
            source: "jax.custom_jvp, jax.custom_vjp, jax.custom_batching, jax.custom_derivatives.linear_call",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        match &self.rule {
            Rule::Jvp(rule) | Rule::Tangent(rule) | Rule::Transpose(rule) => smallvec![&self.primal, rule],
            Rule::Batch(_) => smallvec![&self.primal],
            Rule::Vjp { forward, backward } => smallvec![&self.primal, forward, backward],
        }
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        let rule = match &self.rule {
            Rule::Jvp(_) => Rule::Jvp(programs[1].clone()),
            Rule::Tangent(_) => Rule::Tangent(programs[1].clone()),
            Rule::Vjp { .. } => Rule::Vjp { forward: programs[1].clone(), backward: programs[2].clone() },
            Rule::Transpose(_) => Rule::Transpose(programs[1].clone()),
            Rule::Batch(rule) => Rule::Batch(rule.clone()),
        };
        CustomRule { primal: programs[0].clone(), rule, captures: self.captures }
    }

    fn examples() -> Vec<Example> {
        let operands = vec![varied(&[3], -1.0, 1.0), varied(&[3], 0.5, 1.5)];
        // (x, y) -> e^x y, with the derivative e^x y dx + e^x dy.
        let build = || -> Result<(ProgramRef, [Rule; 3])> {
            let params = |b: &mut Builder| (b.param(operands[0].ty(), "x"), b.param(operands[1].ty(), "y"));
            let mut b = Builder::new("primal");
            let (x, y) = params(&mut b);
            let e = b.exp(x)?;
            let z = b.mul(e, y)?;
            let primal = b.finish(&[z])?.into();

            let mut b = Builder::new("jvp");
            let (x, y) = params(&mut b);
            let (dx, dy) = params(&mut b);
            let e = b.exp(x)?;
            let z = b.mul(e, y)?;
            let (from_x, from_y) = (b.mul(z, dx)?, b.mul(e, dy)?);
            let dz = b.add(from_x, from_y)?;
            let jvp = Rule::Jvp(b.finish(&[z, dz])?.into());

            let mut b = Builder::new("tangent");
            let (x, _) = params(&mut b);
            let z = b.param(operands[0].ty(), "z");
            let (dx, dy) = params(&mut b);
            let e = b.exp(x)?;
            let (from_x, from_y) = (b.mul(z, dx)?, b.mul(e, dy)?);
            let dz = b.add(from_x, from_y)?;
            let tangent = Rule::Tangent(b.finish(&[dz])?.into());

            let (forward, backward) = vjp_programs(operands[0].ty())?;
            Ok((primal, [jvp, tangent, Rule::Vjp { forward, backward }]))
        };
        // (y, x) -> x y, linear in x, whose transpose is (y, ct) -> ct y.
        let product = || -> Result<CustomRule> {
            let mut b = Builder::new("product");
            let (y, x) = (b.param(operands[0].ty(), "y"), b.param(operands[1].ty(), "x"));
            let product = b.mul(x, y)?;
            let program: ProgramRef = b.finish(&[product])?.into();
            Ok(CustomRule::new(program.clone(), Rule::Transpose(program)))
        };
        let linear = product().expect("invariant: the example is well-formed");
        let (primal, [jvp, tangent, vjp]) = build().expect("invariant: the example is well-formed");
        vec![
            Example::new("jvp", CustomRule::new(primal.clone(), jvp), operands.clone()),
            Example::new("tangent", CustomRule::new(primal.clone(), tangent), operands.clone()),
            Example::new("vjp", CustomRule::new(primal, vjp), operands.clone()),
            Example::new("transpose", linear, operands),
        ]
    }
}

/// The forward and the backward program of `(x, y) -> e^x y`.
fn vjp_programs(ty: Type) -> Result<(ProgramRef, ProgramRef)> {
    let mut b = Builder::new("forward");
    let (x, y) = (b.param(ty, "x"), b.param(ty, "y"));
    let e = b.exp(x)?;
    let z = b.mul(e, y)?;
    let forward = b.finish(&[z, e, z])?.into();

    let mut b = Builder::new("backward");
    let (e, z, ct) = (b.param(ty, "e"), b.param(ty, "z"), b.param(ty, "ct"));
    let (ct_x, ct_y) = (b.mul(z, ct)?, b.mul(e, ct)?);
    Ok((forward, b.finish(&[ct_x, ct_y])?.into()))
}

impl Rules for CustomTangent {
    fn name(&self) -> &'static str {
        "jarrah.custom_tangent"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        if operands.len() < self.residuals {
            let (residuals, found) = (self.residuals, operands.len());
            return Err(Error::program(format!(
                "{residuals} residuals are needed, {found} operands were given"
            )));
        }
        let (residuals, tangents) = operands.split_at(self.residuals);
        let expected = [residuals, &self.results].concat();
        sub::same_types("the parameters of the backward program", &expected, &self.backward.param_types())?;
        sub::same_types("the results of the backward program", tangents, &self.backward.result_types())?;
        Ok(TypeVec::from_slice(&self.results))
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        if cx.tangents[..self.residuals].iter().any(|t| t.value().is_some()) {
            return Ok(Jvp::Refuse(
                "of a custom backward rule only the transpose is known here, so its tangent cannot be differentiated \
                 further; give the rule as a custom_jvp",
            ));
        }
        let mut operands = cx.operands[..self.residuals].to_vec();
        for tangent in &cx.tangents[self.residuals..] {
            operands.push(tangent.instantiate(cx.b)?);
        }
        let tangents = cx.b.push(self.clone(), &operands)?;
        Ok(Jvp::Tangents(tangents.into_iter().map(Tangent::Value).collect()))
    }

    fn partial_eval(&self, _: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        Ok(PartialEval::AllOrNothing)
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let mut args = Vec::new();
        for i in 0..self.residuals {
            args.push(cx.known(i)?);
        }
        for (ct, &ty) in cx.cotangents.iter().zip(&self.results) {
            args.push(match ct {
                Some(ct) => *ct,
                None => cx.b.zeros(ty)?,
            });
        }
        let mut cotangents = vec![None; self.residuals];
        cotangents.extend(cx.b.inline(&self.backward, &args)?.into_iter().map(Some));
        for (ct, operand) in cotangents.iter_mut().zip(cx.operands) {
            *ct = ct.filter(|_| operand.is_linear());
        }
        Ok(Transpose::Cotangents(cotangents))
    }

    /// Every tangent is batched; the transpose of the broadcast that makes it so sums the cotangents.
    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut operands: Vec<Value> = cx.operands[..self.residuals].iter().map(|o| o.value).collect();
        for i in self.residuals..cx.operands.len() {
            operands.push(cx.batched(i)?);
        }
        let mut batched: Vec<bool> = cx.operands[..self.residuals].iter().map(|o| o.batched).collect();
        batched.resize(self.backward.params().len(), true);
        let force = vec![true; self.backward.results().len()];
        let (backward, _) = cx.sub.batch(&self.backward, cx.size, &batched, &force)?;
        let results = self.results.iter().map(|ty| ty.with_leading(cx.size)).collect();
        let op = CustomTangent { backward: backward.into(), residuals: self.residuals, results };
        let results = cx.b.push(op, &operands)?;
        Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
    }

    /// It never runs: its transpose does.
    fn effects(&self) -> Effects {
        Effects::NONE
    }

    fn residual_class(&self) -> ResidualClass {
        ResidualClass::Save
    }

    fn precision(&self) -> Precision {
        Precision::Inside
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Refuse("only its transpose is known"));

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        sub::cost(&self.backward)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The linear map whose transpose is a given program; it cannot be evaluated, only transposed.",
            source: "jax.custom_vjp",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        smallvec![&self.backward]
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        CustomTangent { backward: programs[0].clone(), ..self.clone() }
    }

    fn examples() -> Vec<Example> {
        let tangents = [varied(&[3], -1.0, 1.0), varied(&[3], 0.5, 1.5)];
        let ty = tangents[0].ty();
        let (_, product) = vjp_programs(ty).expect("invariant: the example is well-formed");
        let scale = || -> Result<ProgramRef> {
            let mut b = Builder::new("scale");
            let ct = b.param(ty, "ct");
            let scaled = b.scale(ct, 2.5)?;
            Ok(b.finish(&[scaled])?.into())
        };
        let scale = scale().expect("invariant: the example is well-formed");
        let mut operands = vec![varied(&[3], 0.5, 2.0), varied(&[3], -2.0, 2.0)];
        operands.extend(tangents.clone());
        vec![
            Example::new(
                "two residuals",
                CustomTangent { backward: product, residuals: 2, results: vec![ty] },
                operands,
            ),
            Example::new(
                "no residual",
                CustomTangent { backward: scale, residuals: 0, results: vec![ty] },
                vec![tangents[0].clone()],
            ),
        ]
    }
}

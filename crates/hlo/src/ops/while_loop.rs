use jarrah_base::{DType, Error, Literal, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::{Comparison, Reducer, sub};
use crate::builder::{Builder, Results, check_arguments};
use crate::example::{Example, ints, varied};
use crate::program::{Program, Value};
use crate::rules::*;

/// Repeats `carry = body(consts, carry)` while `cond(consts, carry)` holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct While {
    /// Takes the constants and the carry; returns one truth value.
    #[serde(with = "crate::serial::apart")]
    pub cond: ProgramRef,
    /// Takes the constants and the carry; returns the carry.
    #[serde(with = "crate::serial::apart")]
    pub body: ProgramRef,
    /// How many of the operands are constants; the others are the initial carry.
    pub consts: usize,
}

impl While {
    fn carry(&self) -> usize {
        self.body.results().len()
    }

    /// Which operands the carry in `live` and the condition depend on, step after step, effects aside.
    fn live(&self, carry: &[bool]) -> Vec<bool> {
        let operands = self.body.params().len();
        let needed = |p: &Program, results: &[Value]| p.needed_from(&vec![false; p.value_count()], results);
        let mut live = needed(&self.cond, self.cond.results())[..operands].to_vec();
        sub::join(&mut live[self.consts..], carry);
        loop {
            let needed = needed(&self.body, &sub::chosen(self.body.results(), &live[self.consts..]));
            if !sub::join(&mut live, &needed[..operands]) {
                return live;
            }
        }
    }

    /// The loop over the operands in `live` only, without the effects that these do not need.
    fn restricted(&self, live: &[bool]) -> Result<While> {
        let params = |p: &Program| sub::chosen(&p.param_values().collect::<Vec<_>>(), live);
        let returned = sub::chosen(self.body.results(), &live[self.consts..]);
        Ok(While {
            cond: self.cond.slice(&params(&self.cond), self.cond.results())?.into(),
            body: self.body.slice(&params(&self.body), &returned)?.into(),
            consts: live[..self.consts].iter().filter(|l| **l).count(),
        })
    }

    /// The loop in which each element of the batch stops by itself: it runs while any element does, and the carry of
    /// those that are done stays as it is.
    fn batch_apart(&self, cx: &mut BatchCx<'_>, mut batched: Vec<bool>) -> Result<Batch> {
        // An element that is done has no more effects.
        if !self.effects().is_pure() || sub::runs_apart(cx, [&self.cond, &self.body]) {
            return sub::one_by_one(cx, self.clone());
        }
        // Whatever the body changes differs between elements, for they stop at different steps.
        for (i, &result) in self.body.results().iter().enumerate() {
            batched[self.consts + i] |= result != self.body.param(self.consts + i);
        }
        let (body, _) = cx.sub.batch(&self.body, cx.size, &batched, &batched[self.consts..])?;
        let (cond, _) = cx.sub.batch(&self.cond, cx.size, &batched, &[true])?;
        let mut operands = Vec::new();
        for (i, &batched) in batched.iter().enumerate() {
            operands.push(if batched { cx.batched(i)? } else { cx.operands[i].value });
        }
        let running = cx.b.inline(&cond, &operands)?[0];
        let running_ty = cx.b.ty(running);

        let source = cx.b.source();
        let build = |name: &str| {
            let mut b = Builder::new(name);
            b.set_source(source);
            let params = body.params();
            let mut args: Vec<Value> = params[..self.consts].iter().map(|&p| b.param_at(p)).collect();
            let running = b.param(running_ty, "");
            args.extend(params[self.consts..].iter().map(|&p| b.param_at(p)));
            (b, args, running)
        };
        let (mut b, _, flags) = build(cond.name());
        let any = b.reduce(Reducer::Or, flags, &[0])?;
        let any = b.finish(&[any])?;

        let (mut b, mut args, flags) = build(body.name());
        let next = b.inline(&body, &args)?;
        for (i, value) in next.into_iter().enumerate() {
            let old = args[self.consts + i];
            if batched[self.consts + i] {
                let dims = b.ty(value).dims();
                let flags = b.broadcast_in_dim(flags, &dims, &[0])?;
                args[self.consts + i] = b.select(flags, value, old)?;
            }
        }
        let mut returned = b.inline(&cond, &args)?;
        returned.extend(&args[self.consts..]);
        let body = b.finish(&returned)?;

        operands.insert(self.consts, running);
        let results =
            cx.b.push(While { cond: any.into(), body: body.into(), consts: self.consts }, &operands)?;
        let results = results.into_iter().skip(1).zip(&batched[self.consts..]);
        Ok(Batch::Results(results.map(|(value, &batched)| Batched { value, batched }).collect()))
    }
}

impl Rules for While {
    fn name(&self) -> &'static str {
        "while"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        if operands.len() < self.consts {
            let (consts, found) = (self.consts, operands.len());
            return Err(Error::program(format!(
                "{consts} constants are needed, {found} operands were given"
            )));
        }
        check_arguments(&self.cond, operands)?;
        check_arguments(&self.body, operands)?;
        let (cond, results) = (self.cond.result_types(), self.body.result_types());
        sub::same_types("the results of the condition", &[Type::scalar(DType::Bool)], &cond)?;
        sub::same_types("the carry that the body returns", &operands[self.consts..], &results)
            .map_err(|e| e.help("the carry must keep its shape and element type from step to step"))?;
        Ok(results.into())
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let mut active = sub::active(cx.tangents);
        let jvp = loop {
            let jvp = cx.sub.jvp(&self.body, &active, &active[self.consts..])?;
            if !sub::join(&mut active[self.consts..], &jvp.active) {
                break jvp;
            }
        };
        let mut operands = cx.operands.to_vec();
        for i in (0..active.len()).filter(|&i| active[i]) {
            operands.push(cx.tangents[i].instantiate(cx.b)?);
        }
        let params = sub::grouped(&[self.consts, self.carry()], &active);
        let returned = sub::grouped(&[self.carry()], &jvp.active);

        let mut b = Builder::new(self.cond.name());
        let types = cx.b.types(&operands);
        let slots: Vec<Value> = params.iter().map(|&p| b.param(types[p], "")).collect();
        let args = sub::restored(&slots, &params);
        let holds = b.inline(&self.cond, &args[..active.len()])?;
        let while_loop = While {
            cond: b.finish(&holds)?.into(),
            body: sub::permuted(&jvp.program, &params, &returned)?.into(),
            consts: self.consts + active[..self.consts].iter().filter(|a| **a).count(),
        };
        let all = cx.b.push(while_loop, &sub::reordered(&operands, &params))?;
        let all = sub::restored(&all, &returned);
        let (results, tangents) = all.split_at(self.carry());
        let tangents = sub::tangents(&self.body.result_types(), &jvp.active, tangents);
        Ok(Jvp::Replace { results: results.to_vec(), tangents })
    }

    /// The carry that the known operands determine is computed in a loop of its own; the loop of the others computes
    /// again what it needs of that, from the initial values.
    fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        let mut known = sub::known(cx.operands);
        let split = loop {
            let waits: Vec<bool> = known[self.consts..].iter().map(|k| !k).collect();
            let split = cx.sub.partial_eval(&self.body, &known, &waits)?;
            let mut changed = false;
            for (known, &returned) in known[self.consts..].iter_mut().zip(&split.known_results) {
                changed |= *known && !returned;
                *known &= returned;
            }
            if !changed {
                break split;
            }
        };
        let cond = cx.sub.partial_eval(&self.cond, &known, &[false])?;
        if !cond.known_results[0] || !known[self.consts..].contains(&true) {
            return Ok(PartialEval::AllOrNothing);
        }
        let waits: Vec<bool> = known[self.consts..].iter().map(|k| !k).collect();
        let live = self.live(&waits);
        let again = self.restricted(&live)?;
        // The second loop runs again what it needs of the first, and the effects of both would no longer alternate.
        if ![&split.unknown, &cond.unknown].iter().all(|p| p.effects().may_drop())
            || !again.effects().may_duplicate()
        {
            return Ok(PartialEval::AllOrNothing);
        }
        let count = split.known_results.iter().filter(|k| **k).count();
        let (mut operands, mut known_consts) = (Vec::new(), 0);
        for (i, operand) in cx.operands.iter().enumerate() {
            if let (true, PartialValue::Known(value)) = (known[i], *operand) {
                operands.push(value);
                known_consts += usize::from(i < self.consts);
            }
        }
        let params = |p: &Program| p.param_values().collect::<Vec<_>>();
        let of_known = While {
            cond: cond.known.extract(&params(&cond.known), &cond.known.results()[..1])?.into(),
            body: split.known.extract(&params(&split.known), &split.known.results()[..count])?.into(),
            consts: known_consts,
        };
        let known_results = cx.split.known().push(of_known, &operands)?;

        let mut unknown_results = Results::new();
        if waits.contains(&true) {
            let mut operands = Vec::new();
            for i in (0..live.len()).filter(|&i| live[i]) {
                operands.push(cx.unknown_operand(i)?);
            }
            let results = cx.split.unknown().push(again, &operands)?;
            let of_results = sub::chosen(&waits, &live[self.consts..]);
            unknown_results = sub::chosen(&results, &of_results).into();
        }
        Ok(PartialEval::Results(sub::rejoined(&split.known_results, &known_results, &unknown_results)?))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse(
            "a loop with an unknown number of steps has no reverse mode, for nothing bounds what it would have to \
             keep; give the most steps with bounded_while_loop, loop with scan, or use forward mode",
        ))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut batched: Vec<bool> = cx.operands.iter().map(|o| o.batched).collect();
        let body = loop {
            let (body, results) = cx.sub.batch(&self.body, cx.size, &batched, &batched[self.consts..])?;
            if !sub::join(&mut batched[self.consts..], &results) {
                break body;
            }
        };
        let (cond, apart) = cx.sub.batch(&self.cond, cx.size, &batched, &[false])?;
        if apart[0] {
            return self.batch_apart(cx, batched);
        }
        let mut operands = Vec::new();
        for (i, &batched) in batched.iter().enumerate() {
            operands.push(if batched { cx.batched(i)? } else { cx.operands[i].value });
        }
        let results =
            cx.b.push(While { cond: cond.into(), body: body.into(), consts: self.consts }, &operands)?;
        let results = results.into_iter().zip(&batched[self.consts..]);
        Ok(Batch::Results(results.map(|(value, &batched)| Batched { value, batched }).collect()))
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
        let (cond, body) = (cx.checker.program(&self.cond)?, cx.checker.program(&self.body)?);
        let params: Vec<Type> = body.param_types();
        // The condition looks for failures where it is computed again: before each step, and after the last.
        let mut b = Builder::new(self.cond.name());
        let values: Vec<Value> = params.iter().map(|&ty| b.param(ty, "")).collect();
        let goes_on = b.inline(&self.cond, &values[..values.len() - 2])?;
        let plain = b.finish(&goes_on)?;
        let mut b = Builder::new(self.body.name());
        let mut values: Vec<Value> = params.iter().map(|&ty| b.param(ty, "")).collect();
        let after = b.inline(&cond, &values)?;
        let state = values.len() - 2;
        values[state..].copy_from_slice(&after[1..]);
        let carry = b.inline(&body, &values)?;
        let op = While { cond: plain.into(), body: b.finish(&carry)?.into(), consts: self.consts };
        let operands: Vec<Value> = cx.operands.iter().copied().chain(cx.state.values()).collect();
        let last = cx.b.push(op, &operands)?.to_vec();
        let values: Vec<Value> =
            cx.operands[..self.consts].iter().copied().chain(last.iter().copied()).collect();
        let after = cx.b.inline(&cond, &values)?;
        let mut results = last;
        let state = results.len() - 2;
        results[state..].copy_from_slice(&after[1..]);
        cx.state = CheckState::split_off(&mut results);
        Ok(Checked::Results(results))
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        if self.consts != fewer.consts {
            return Ok(Rows::Alike);
        }
        cx.sub.check(&self.cond, &fewer.cond)?;
        cx.sub.check(&self.body, &fewer.body)?;
        Ok(Rows::Apart)
    }

    /// One step, for the number of steps is not known.
    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        Ok(sub::cost(&self.cond)?.plus(sub::cost(&self.body)?))
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Repeats `carry = body(consts, carry)` while `cond(consts, carry)` holds.",
            source: "StableHLO specification, while",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        smallvec![&self.cond, &self.body]
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        While { cond: programs[0].clone(), body: programs[1].clone(), consts: self.consts }
    }

    fn examples() -> Vec<Example> {
        let x = varied(&[3], 0.5, 1.5);
        let counter = Type::scalar(DType::I32);
        // (w, i, limit, x) -> (i + 1, limit, x * w) while i < limit
        let counted = || -> Result<While> {
            let params = |b: &mut Builder| {
                let w = b.param(x.ty(), "w");
                [w, b.param(counter, "i"), b.param(counter, "limit"), b.param(x.ty(), "x")]
            };
            let mut b = Builder::new("cond");
            let [_, i, limit, _] = params(&mut b);
            let holds = b.compare(Comparison::Lt, i, limit)?;
            let cond = b.finish(&[holds])?.into();
            let mut b = Builder::new("body");
            let [w, i, limit, x] = params(&mut b);
            let one = b.scalar(1i32)?;
            let (i, x) = (b.add(i, one)?, b.mul(x, w)?);
            Ok(While { cond, body: b.finish(&[i, limit, x])?.into(), consts: 1 })
        };
        // x -> 2 x while x < limit
        let doubled = || -> Result<While> {
            let ty = Type::scalar(DType::F32);
            let mut b = Builder::new("cond");
            let (limit, x) = (b.param(ty, "limit"), b.param(ty, "x"));
            let holds = b.compare(Comparison::Lt, x, limit)?;
            let cond = b.finish(&[holds])?.into();
            let mut b = Builder::new("body");
            let (_, x) = (b.param(ty, "limit"), b.param(ty, "x"));
            let x = b.add(x, x)?;
            Ok(While { cond, body: b.finish(&[x])?.into(), consts: 1 })
        };
        let counted = counted().expect("invariant: the example is well-formed");
        let doubled = doubled().expect("invariant: the example is well-formed");
        let w = varied(&[3], 0.8, 1.2);
        let counts = |limit: i32| vec![w.clone(), ints(&[], &[0]), ints(&[], &[limit]), x.clone()];
        vec![
            Example::new("counted", counted.clone(), counts(3)),
            Example::new("no step", counted, counts(0)),
            Example::new(
                "until a value is reached",
                doubled,
                vec![Literal::scalar(10.0f32), Literal::scalar(0.3f32)],
            ),
        ]
    }
}

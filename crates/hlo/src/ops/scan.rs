use jarrah_base::{Error, Literal, Result, Type, work};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::sub;
use crate::builder::{Builder, Results, check_arguments};
use crate::example::{Example, varied};
use crate::program::{Program, Value};
use crate::rules::*;

/// A loop over the leading axis: `carry, y[i] = body(consts, carry, x[i])` for each `i` in order.
///
/// Operands are the constants, the initial carry and the arrays looped over; results are the final carry and the
/// stacked `y`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Scan {
    /// Takes the constants, the carry and one slice of each array; returns the carry and one slice of each `y`.
    #[serde(with = "crate::serial::apart")]
    pub body: ProgramRef,
    /// How many operands are constants.
    pub consts: usize,
    /// How many operands are carry.
    pub carry: usize,
    /// The number of steps: the leading extent of every array.
    pub length: usize,
    /// Whether the last slice comes first.
    pub reverse: bool,
}

/// The role of an operand of a scan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Const,
    Carry(usize),
    Array,
}

impl Scan {
    fn role(&self, operand: usize) -> Role {
        if operand < self.consts {
            Role::Const
        } else if operand < self.consts + self.carry {
            Role::Carry(operand - self.consts)
        } else {
            Role::Array
        }
    }

    fn arrays(&self) -> usize {
        self.body.params().len() - self.consts - self.carry
    }

    fn outputs(&self) -> usize {
        self.body.results().len() - self.carry
    }

    /// The initial carry among things that there is one of per operand.
    fn carry_of<'a, T>(&self, all: &'a mut [T]) -> &'a mut [T] {
        &mut all[self.consts..self.consts + self.carry]
    }

    /// Which operands the transpose treats as linear: those that are, and the carry that depends on them.
    fn linear(&self, operands: &[LinearOperand]) -> Vec<bool> {
        let mut linear: Vec<bool> = operands.iter().map(|o| o.is_linear()).collect();
        loop {
            let depends = sub::depends(&self.body, &linear);
            let carry: Vec<bool> =
                self.body.results()[..self.carry].iter().map(|v| depends[v.index()]).collect();
            if !sub::join(self.carry_of(&mut linear), &carry) {
                return linear;
            }
        }
    }

    /// The body in two parts, and which operands are known to the first: those of a known carry that every step returns known.
    fn split(&self, cx: &mut PartialEvalCx<'_>) -> Result<(Vec<bool>, SplitProgram)> {
        let mut known = sub::known(cx.operands);
        loop {
            let mut unknown: Vec<bool> = self.carry_of(&mut known).iter().map(|k| !k).collect();
            unknown.resize(self.body.results().len(), false);
            let split = cx.sub.partial_eval(&self.body, &known, &unknown)?;
            let mut waits: Vec<bool> = known.iter().map(|k| !k).collect();
            let returned: Vec<bool> = split.known_results[..self.carry].iter().map(|k| !k).collect();
            if !sub::join(self.carry_of(&mut waits), &returned) {
                return Ok((known, split));
            }
            known = waits.iter().map(|w| !w).collect();
        }
    }

    /// The scan of the unknown part of the body, and its operands. `outside` has for each residual whether it is a constant of this
    /// scan, else one of its arrays, and the operand.
    fn unknown_part(
        &self,
        cx: &mut PartialEvalCx<'_>,
        known: &[bool],
        unknown: &Program,
        outside: &[(bool, Value)],
    ) -> Result<(Scan, Vec<Value>)> {
        let (mut consts, mut arrays) = (Distinct::default(), Distinct::default());
        // Whether each residual is a constant, and its position among those or among the arrays.
        let mut places = Vec::with_capacity(outside.len());
        for &(constant, value) in outside {
            let among = if constant { &mut consts } else { &mut arrays };
            places.push((constant, among.position(value)));
        }
        let mut operands = Vec::new();
        for &value in &consts.all {
            operands.push(cx.split.residual(value)?);
        }
        let mut rest = Vec::new();
        for i in (0..known.len()).filter(|&i| !known[i]) {
            rest.push((self.role(i), cx.unknown_operand(i)?));
        }
        let of = |wanted: fn(&Role) -> bool| rest.iter().filter(move |(r, _)| wanted(r)).map(|(_, v)| *v);
        operands.extend(of(|r| *r == Role::Const));
        let const_count = operands.len();
        operands.extend(of(|r| matches!(r, Role::Carry(_))));
        let loose = operands.len();
        for &value in &arrays.all {
            operands.push(cx.split.residual(value)?);
        }
        operands.extend(of(|r| *r == Role::Array));

        let mut b = Builder::new(unknown.name());
        let types = cx.split.unknown().types(&operands);
        let slice = |(i, ty): (usize, Type)| if i < loose { ty } else { ty.without_leading() };
        let params: Vec<Value> = types.into_iter().enumerate().map(slice).map(|ty| b.param(ty, "")).collect();
        let place = |&(constant, i): &(bool, usize)| params[if constant { i } else { loose + i }];
        let mut args: Vec<Value> = places.iter().map(place).collect();
        args.extend(&params[consts.all.len()..loose]);
        args.extend(&params[loose + arrays.all.len()..]);
        let results = b.inline(unknown, &args)?;
        let body = b.finish(&results)?.into();
        Ok((Scan { body, consts: const_count, carry: loose - const_count, ..*self }, operands))
    }

    /// The transpose of a scan of which some carry is not linear: that part runs first, in a scan of its own.
    fn transpose_apart(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let linear: Vec<bool> = cx.operands.iter().map(|o| o.is_linear()).collect();
        let known: Vec<bool> = linear.iter().map(|l| !l).collect();
        let wanted: Vec<bool> = cx.cotangents.iter().map(Option::is_some).collect();
        let mut b = Builder::new(self.body.name());
        b.set_source(cx.b.source());
        let params: Vec<Value> = (0..linear.len()).map(|i| b.param(cx.ty(i), "")).collect();
        let results = b.push(self.clone(), &params)?;
        let split = cx.sub.partial_eval(&b.finish(&results)?, &known, &wanted)?;
        let waits: Vec<bool> = split.known_results.iter().map(|k| !k).collect();
        let active = sub::chosen(&wanted, &waits);

        let mut args = Vec::new();
        for i in (0..linear.len()).filter(|&i| !linear[i]) {
            args.push(cx.known(i)?);
        }
        let values = cx.b.inline(&split.known, &args)?;
        let mut args = values[values.len() - split.residuals..].to_vec();
        args.extend(cx.cotangents.iter().flatten());
        let mut of_unknown = vec![false; split.residuals];
        of_unknown.resize(split.unknown.params().len(), true);
        let transposed = cx.sub.transpose(&split.unknown, &of_unknown, &active)?;
        let mut results = cx.b.inline(&transposed, &args)?.into_iter();
        Ok(Transpose::Cotangents(linear.iter().map(|l| l.then(|| results.next()).flatten()).collect()))
    }
}

/// Values in the order in which they were added, each once.
#[derive(Default)]
struct Distinct {
    all: Vec<Value>,
    positions: FxHashMap<Value, usize>,
}

impl Distinct {
    /// Adds `value` unless it is there, and returns its position.
    fn position(&mut self, value: Value) -> usize {
        work::step(1);
        *self.positions.entry(value).or_insert_with(|| {
            self.all.push(value);
            self.all.len() - 1
        })
    }

    /// The position of `value`, if it is there.
    fn find(&self, value: Value) -> Option<usize> {
        self.positions.get(&value).copied()
    }
}

/// The values of the known body of a scan that are the same in every step.
fn invariants(body: &Program, params: impl Iterator<Item = bool>) -> Vec<bool> {
    let mut invariant: Vec<bool> = params.collect();
    for instr in body.instrs() {
        let same = instr.op.effects().is_pure() && instr.operands.iter().all(|v| invariant[v.index()]);
        invariant.extend(instr.results().map(|_| same));
    }
    invariant
}

/// The part of a scan that partial evaluation knows, and the residuals that the unknown part takes of it.
struct KnownPart<'s> {
    body: &'s Program,
    /// For each parameter of the body its role in the scan, and the operand.
    origin: Vec<(Role, Value)>,
    /// How many results are no residuals.
    count: usize,
    /// Whether each value of the body is the same in every step.
    invariant: Vec<bool>,
    /// The residuals that no step changes, which are computed once, before the loop.
    hoisted: Distinct,
    /// The residuals that the loop stacks. One that is an operand is passed as it is.
    stacked: Distinct,
}

impl<'s> KnownPart<'s> {
    fn of(split: &'s SplitProgram, origin: Vec<(Role, Value)>) -> Self {
        let body = &split.known;
        let consts = origin.iter().filter(|(role, _)| *role == Role::Const).count();
        let count = split.known_results.iter().filter(|k| **k).count();
        let (returned, residuals) = body.results().split_at(count);
        let same = |p: usize| match origin[p].0 {
            Role::Const => true,
            Role::Carry(_) => returned[p - consts] == body.param(p),
            Role::Array => false,
        };
        let invariant = invariants(body, (0..origin.len()).map(same));
        let is_param = |v: Value| v.index() < origin.len();
        let (mut hoisted, mut stacked) = (Distinct::default(), Distinct::default());
        for &value in residuals {
            let slice = is_param(value) && origin[value.index()].0 == Role::Array;
            if invariant[value.index()] {
                if !is_param(value) {
                    hoisted.position(value);
                }
            } else if !slice {
                stacked.position(value);
            }
        }
        KnownPart { body, origin, count, invariant, hoisted, stacked }
    }

    fn consts(&self) -> usize {
        self.origin.iter().filter(|(role, _)| *role == Role::Const).count()
    }

    /// The program of the hoisted residuals, and its arguments.
    fn ahead(&self) -> Result<(Program, Vec<Value>)> {
        let params: Vec<Value> = self.body.param_values().filter(|p| self.invariant[p.index()]).collect();
        let args = params.iter().map(|p| self.origin[p.index()].1).collect();
        Ok((self.body.slice(&params, &self.hoisted.all)?, args))
    }

    /// The part of `whole` that is known: the hoisted residuals are its last constants, the stacked ones its last results.
    fn scan(&self, whole: &Scan) -> Result<Scan> {
        let (body, consts) = (self.body, self.consts());
        let mut b = Builder::new(body.name());
        let mut map: Vec<Value> = Vec::new();
        let params = body.params();
        map.extend(params[..consts].iter().map(|&p| b.param_at(p)));
        let from_outside: Vec<Value> = self.hoisted.all.iter().map(|&v| b.param(body.ty(v), "")).collect();
        map.extend(params[consts..].iter().map(|&p| b.param_at(p)));
        for instr in body.instrs() {
            let operands: Vec<Value> = instr.operands.iter().map(|v| map[v.index()]).collect();
            let results = b.copy(body, instr, &operands);
            let replaced = |(old, new)| self.hoisted.find(old).map_or(new, |i| from_outside[i]);
            map.extend(instr.results().zip(results).map(replaced));
        }
        let returned = &body.results()[..self.count];
        let results: Vec<Value> = returned.iter().chain(&self.stacked.all).map(|v| map[v.index()]).collect();
        let all = b.finish(&results)?;
        let params: Vec<Value> = all.param_values().collect();
        Ok(Scan {
            body: all.extract(&params, all.results())?.into(),
            consts: consts + self.hoisted.all.len(),
            carry: self.origin.iter().filter(|(role, _)| matches!(role, Role::Carry(_))).count(),
            ..*whole
        })
    }

    /// The operands of [`scan`](Self::scan), where `once` are the hoisted residuals.
    fn operands(&self, once: &[Value]) -> Vec<Value> {
        let mut operands: Vec<Value> = self.origin.iter().map(|(_, v)| *v).collect();
        let consts = self.consts();
        operands.splice(consts..consts, once.iter().copied());
        operands
    }

    /// Whether a residual is the same in every step, and its value outside of the loop: a constant, or an array with a slice for each
    /// step.
    fn outside(&mut self, residual: Value, once: &[Value], stacks: &[Value]) -> (bool, Value) {
        let origin = self.origin.get(residual.index());
        if self.invariant[residual.index()] {
            let hoisted = || once[self.hoisted.position(residual)];
            return (true, origin.map_or_else(hoisted, |(_, operand)| *operand));
        }
        match origin {
            Some((Role::Array, operand)) => (false, *operand),
            _ => (false, stacks[self.stacked.position(residual)]),
        }
    }
}

impl Rules for Scan {
    fn name(&self) -> &'static str {
        "jarrah.scan"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let loose = self.consts + self.carry;
        if operands.len() < loose {
            let (consts, carry, found) = (self.consts, self.carry, operands.len());
            return Err(Error::program(format!(
                "{consts} constants and {carry} carried values are needed, {found} operands were given"
            )));
        }
        let mut params = operands[..loose].to_vec();
        for (i, &ty) in operands[loose..].iter().enumerate() {
            if ty.rank() == 0 {
                return Err(Error::program(format!("array {i} is {ty}, which has no axis to loop over")));
            }
            if ty.dim(0) != self.length {
                let length = self.length;
                return Err(Error::program(format!(
                    "array {i} is {ty}, its axis 0 must have the length {length}"
                )));
            }
            params.push(ty.without_leading());
        }
        check_arguments(&self.body, &params)?;
        let results = self.body.result_types();
        if results.len() < self.carry {
            let (carry, found) = (self.carry, results.len());
            return Err(Error::program(format!("the body returns {found} values, but {carry} are carried")));
        }
        let (carry, outputs) = results.split_at(self.carry);
        sub::same_types("the carry that the body returns", &operands[self.consts..loose], carry)
            .map_err(|e| e.help("the carry must keep its shape and element type from step to step"))?;
        let mut all = TypeVec::from(carry);
        all.extend(outputs.iter().map(|ty| ty.with_leading(self.length)));
        Ok(all)
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let mut active = sub::active(cx.tangents);
        let mut instantiate = vec![false; self.body.results().len()];
        let jvp = loop {
            instantiate[..self.carry].copy_from_slice(self.carry_of(&mut active));
            let jvp = cx.sub.jvp(&self.body, &active, &instantiate)?;
            if !sub::join(self.carry_of(&mut active), &jvp.active[..self.carry]) {
                break jvp;
            }
        };
        let mut operands = cx.operands.to_vec();
        for i in (0..active.len()).filter(|&i| active[i]) {
            operands.push(cx.tangents[i].instantiate(cx.b)?);
        }
        let params = sub::grouped(&[self.consts, self.carry, self.arrays()], &active);
        let returned = sub::grouped(&[self.carry, self.outputs()], &jvp.active);
        let count =
            |range: std::ops::Range<usize>| range.len() + active[range].iter().filter(|a| **a).count();
        let scan = Scan {
            body: sub::permuted(&jvp.program, &params, &returned)?.into(),
            consts: count(0..self.consts),
            carry: count(self.consts..self.consts + self.carry),
            ..*self
        };
        let all = cx.b.push(scan, &sub::reordered(&operands, &params))?;
        let all = sub::restored(&all, &returned);
        let (results, tangents) = all.split_at(jvp.active.len());
        let types = cx.b.types(results);
        Ok(Jvp::Replace { results: results.to_vec(), tangents: sub::tangents(&types, &jvp.active, tangents) })
    }

    fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        let (known, split) = self.split(cx)?;
        if split.known.effects().conflicts(split.unknown.effects()) {
            // In two loops, the effects of one step would no longer come before those of the next.
            return Ok(PartialEval::AllOrNothing);
        }
        let mut origin: Vec<(Role, Value)> = Vec::new();
        for (i, operand) in cx.operands.iter().enumerate() {
            if let (true, PartialValue::Known(value)) = (known[i], *operand) {
                origin.push((self.role(i), value));
            }
        }
        let mut part = KnownPart::of(&split, origin);
        let (ahead, args) = part.ahead()?;
        let once = cx.split.known().inline(&ahead, &args)?;
        let mut made = Results::new();
        if part.count + part.stacked.all.len() > 0 || !split.known.effects().may_drop() {
            made = cx.split.known().push(part.scan(self)?, &part.operands(&once))?;
        }
        let (known_results, stacks) = made.split_at(part.count);

        let mut unknown_results = Results::new();
        if part.count < split.known_results.len() || !split.unknown.effects().may_drop() {
            let residuals = &split.known.results()[part.count..];
            let outside: Vec<_> = residuals.iter().map(|&v| part.outside(v, &once, stacks)).collect();
            let (scan, operands) = self.unknown_part(cx, &known, &split.unknown, &outside)?;
            unknown_results = cx.split.unknown().push(scan, &operands)?;
        }
        Ok(PartialEval::Results(sub::rejoined(&split.known_results, known_results, &unknown_results)?))
    }

    /// The loop runs backwards: cotangents of the carry are carried, those of the constants are summed up, and those
    /// of the arrays are stacked.
    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let linear = self.linear(cx.operands);
        let carry_at = |i: usize| self.consts + i;
        if (0..self.carry).any(|i| linear[carry_at(i)] && !cx.ty(carry_at(i)).dtype().is_differentiable()) {
            return Ok(Transpose::Refuse("a carried value without tangents depends on a linear operand"));
        }
        if (0..self.carry).any(|i| !linear[carry_at(i)]) {
            return self.transpose_apart(cx);
        }
        let mut active: Vec<bool> = cx.cotangents.iter().map(Option::is_some).collect();
        let needed = loop {
            let needed = sub::needed(&self.body, &active);
            let carry: Vec<bool> = (0..self.carry).map(|i| needed[carry_at(i)]).collect();
            if !sub::join(&mut active[..self.carry], &carry) {
                break needed;
            }
        };
        let transposed = cx.sub.transpose(&self.body, &linear, &active)?;

        let all = 0..linear.len();
        let residual_consts: Vec<usize> = all.clone().filter(|&i| i < self.consts && !linear[i]).collect();
        let linear_consts: Vec<usize> =
            all.clone().filter(|&i| i < self.consts && linear[i] && needed[i]).collect();
        let residual_arrays: Vec<usize> =
            all.clone().filter(|&i| i >= carry_at(self.carry) && !linear[i]).collect();
        let linear_arrays: Vec<usize> =
            all.clone().filter(|&i| i >= carry_at(self.carry) && linear[i] && needed[i]).collect();
        let carried: Vec<usize> = (0..self.carry).filter(|&i| active[i]).collect();
        let outputs: Vec<usize> = (self.carry..active.len()).filter(|&i| active[i]).collect();
        // The results of the transposed body: one for each linear operand.
        let mut places = Vec::with_capacity(linear.len());
        let mut next = 0;
        for &linear in &linear {
            work::step(1);
            places.push(next);
            next += usize::from(linear);
        }
        let place = |operand: usize| places[operand];

        let mut b = Builder::new(self.body.name());
        b.set_source(cx.b.source());
        let mut slots =
            |types: Vec<Type>| -> Vec<Value> { types.into_iter().map(|ty| b.param(ty, "")).collect() };
        let types = self.body.param_types();
        let of = |operands: &[usize]| -> Vec<Type> { operands.iter().map(|&i| types[i]).collect() };
        let result_types = self.body.result_types();
        let mut args = slots(of(&residual_consts));
        let carry_params = slots(carried.iter().map(|&i| result_types[i]).collect());
        let sums = slots(of(&linear_consts));
        let output_params = slots(outputs.iter().map(|&i| result_types[i]).collect());
        args.extend(slots(of(&residual_arrays)));
        args.extend(carry_params);
        args.extend(output_params);
        let values = b.inline(&transposed, &args)?;
        let mut returned: Vec<Value> = carried.iter().map(|&i| values[place(carry_at(i))]).collect();
        for (&sum, &operand) in sums.iter().zip(&linear_consts) {
            returned.push(b.accumulate(sum, values[place(operand)])?);
        }
        returned.extend(linear_arrays.iter().map(|&i| values[place(i)]));
        let scan = Scan {
            body: b.finish(&returned)?.into(),
            consts: residual_consts.len(),
            carry: carried.len() + linear_consts.len(),
            length: self.length,
            reverse: !self.reverse,
        };

        let mut operands = Vec::new();
        for &i in &residual_consts {
            operands.push(cx.known(i)?);
        }
        for &i in &carried {
            operands.push(match cx.cotangents[i] {
                Some(ct) => ct,
                None => cx.b.zeros(result_types[i])?,
            });
        }
        for &i in &linear_consts {
            operands.push(cx.b.zeros(types[i])?);
        }
        operands.extend(outputs.iter().filter_map(|&i| cx.cotangents[i]));
        for &i in &residual_arrays {
            operands.push(cx.known(i)?);
        }
        let results = cx.b.push(scan, &operands)?;
        let mut cotangents = vec![None; linear.len()];
        let targets = carried.iter().map(|&i| carry_at(i)).chain(linear_consts).chain(linear_arrays);
        for (operand, ct) in targets.zip(results) {
            cotangents[operand] = Some(ct).filter(|_| cx.is_linear(operand));
        }
        Ok(Transpose::Cotangents(cotangents))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut batched: Vec<bool> = cx.operands.iter().map(|o| o.batched).collect();
        let mut force = vec![false; self.body.results().len()];
        let (body, results_batched) = loop {
            force[..self.carry].copy_from_slice(self.carry_of(&mut batched));
            let (body, results) = cx.sub.batch(&self.body, cx.size, &batched, &force)?;
            if !sub::join(self.carry_of(&mut batched), &results[..self.carry]) {
                break (body, results);
            }
        };
        let mut operands = Vec::new();
        for (i, &batched) in batched.iter().enumerate() {
            let value = if batched { cx.batched(i)? } else { cx.operands[i].value };
            let inner = batched && self.role(i) == Role::Array;
            operands.push(if inner { cx.b.move_axis(value, 1, 0)? } else { value });
        }
        let results = cx.b.push(Scan { body: body.into(), ..*self }, &operands)?;
        let mut all = Vec::new();
        for (i, (value, batched)) in results.into_iter().zip(results_batched).enumerate() {
            let inner = batched && i >= self.carry;
            let value = if inner { cx.b.move_axis(value, 1, 0)? } else { value };
            all.push(Batched { value, batched });
        }
        Ok(Batch::Results(all))
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
        let body = cx.checker.program(&self.body)?;
        let body = with_state_at(&body, self.consts + self.carry, self.carry)?;
        let op = Scan { body: body.into(), carry: self.carry + 2, ..self.clone() };
        let (before, arrays) = cx.operands.split_at(self.consts + self.carry);
        let operands: Vec<Value> =
            before.iter().copied().chain(cx.state.values()).chain(arrays.iter().copied()).collect();
        let mut results = cx.b.push(op, &operands)?.to_vec();
        results[self.carry..].rotate_left(2);
        cx.state = CheckState::split_off(&mut results);
        Ok(Checked::Results(results))
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        if self.length != fewer.length {
            // A loop over the rows whose steps know nothing of each other.
            let map = Scan { length: self.length, ..fewer.clone() };
            let apart = self.carry == 0 && *self == map && self.body.effects().is_pure();
            return Ok(if apart { Rows::Apart } else { Rows::Refuse("its steps pass on what rows hold") });
        }
        if *self != (Scan { body: self.body.clone(), ..fewer.clone() }) {
            return Ok(Rows::Alike);
        }
        cx.sub.check(&self.body, &fewer.body)?;
        Ok(Rows::Apart)
    }

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        Ok(sub::cost(&self.body)?.times(self.length as f64))
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "A loop over the leading axis: `carry, y[i] = body(consts, carry, x[i])`.",
            source: "jax.lax.scan",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        smallvec![&self.body]
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        Scan { body: programs[0].clone(), ..*self }
    }

    fn examples() -> Vec<Example> {
        let constant = varied(&[3], 0.2, 0.8);
        let carry = varied(&[3], -1.0, 1.0);
        let arrays: Literal = varied(&[4, 3], 0.5, 1.5);
        // (w, c, x) -> (c * w + x, c * x)
        let build = || -> Result<ProgramRef> {
            let mut b = Builder::new("step");
            let [w, c, x] = ["w", "c", "x"].map(|name| b.param(constant.ty(), name));
            let product = b.mul(c, w)?;
            let next = b.add(product, x)?;
            let y = b.mul(c, x)?;
            Ok(b.finish(&[next, y])?.into())
        };
        // (x) -> e^x, and no carry.
        let map = || -> Result<ProgramRef> {
            let mut b = Builder::new("map");
            let x = b.param(constant.ty(), "x");
            let y = b.exp(x)?;
            Ok(b.finish(&[y])?.into())
        };
        let build = build().expect("invariant: the example is well-formed");
        let map = map().expect("invariant: the example is well-formed");
        let recurrence = Scan { body: build, consts: 1, carry: 1, length: 4, reverse: false };
        let operands = vec![constant, carry, arrays.clone()];
        vec![
            Example::new("linear recurrence", recurrence.clone(), operands.clone()),
            Example::new("from the end", Scan { reverse: true, ..recurrence }, operands),
            Example::new(
                "map",
                Scan { body: map, consts: 0, carry: 0, length: 4, reverse: false },
                vec![arrays],
            ),
        ]
    }
}

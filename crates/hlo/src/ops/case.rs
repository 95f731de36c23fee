use jarrah_base::{DType, Error, Literal, Result, Source, Type, work};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Comparison, sub};
use crate::builder::{Builder, Results, check_arguments};
use crate::example::{Example, ints, varied};
use crate::program::{Program, Value};
use crate::rules::*;

/// Runs the branch that operand 0, an `i32` scalar, selects; an index out of range selects the last.
///
/// The other operands go to whichever branch runs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Case {
    /// The branches: equal parameter types, equal result types.
    #[serde(with = "crate::serial::all_apart")]
    pub branches: Vec<ProgramRef>,
}

impl Case {
    fn result_count(&self) -> usize {
        self.branches[0].results().len()
    }

    /// Transforms every branch, twice where the first answers differ: `transform(branch, mask)` gives the branch and
    /// which of its results are marked; in the end all branches have the same marked.
    fn agreed<T>(
        &self,
        mut mask: Vec<bool>,
        transform: impl Fn(&Program, &[bool]) -> Result<(T, Vec<bool>)>,
    ) -> Result<(Vec<T>, Vec<bool>)> {
        loop {
            let mut branches = Vec::new();
            let mut answers = Vec::new();
            for branch in &self.branches {
                let (transformed, marked) = transform(branch, &mask)?;
                sub::join(&mut mask, &marked);
                branches.push(transformed);
                answers.push(marked);
            }
            if answers.iter().all(|marked| *marked == mask) {
                return Ok((branches, mask));
            }
        }
    }

    /// All branches, and for each result the one of the branch that the element of the batch selects.
    fn batch_select(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        // Only the branch that an element selects may have its effects.
        if !self.effects().is_pure() || sub::runs_apart(cx, &self.branches) {
            return sub::one_by_one(cx, self.clone());
        }
        let batched: Vec<bool> = cx.operands[1..].iter().map(|o| o.batched).collect();
        let args: Vec<Value> = cx.operands[1..].iter().map(|o| o.value).collect();
        let index = cx.operands[0].value;
        let mut results: Option<Vec<Value>> = None;
        for (k, branch) in self.branches.iter().enumerate().rev() {
            let (program, _) = cx.sub.batch(branch, cx.size, &batched, &vec![true; self.result_count()])?;
            let values = cx.b.inline(&program, &args)?;
            results = Some(match results {
                None => values,
                Some(others) => {
                    let k = cx.b.full(cx.b.ty(index), k as f64)?;
                    let here = cx.b.compare(Comparison::Eq, index, k)?;
                    let mut selected = Vec::new();
                    for (value, other) in values.into_iter().zip(others) {
                        let dims = cx.b.ty(value).dims();
                        let here = cx.b.broadcast_in_dim(here, &dims, &[0])?;
                        selected.push(cx.b.select(here, value, other)?);
                    }
                    selected
                }
            });
        }
        Ok(Batch::Results(results.unwrap_or_default().into_iter().map(Batched::yes).collect()))
    }
}

/// Where the unknown part of a branch finds a residual.
enum Residual {
    /// It is this argument of the branch.
    Argument(usize),
    /// In this slot.
    Slot(usize),
}

/// The residuals of the branches of a `case` in two parts. Only one branch runs, so residuals of one type from different branches
/// share a slot.
struct Kept {
    /// The types of the slots.
    slots: Vec<Type>,
    /// For each branch, where its unknown part finds each residual.
    places: Vec<Vec<Residual>>,
    /// For each branch, the residual in each of the first slots.
    filled: Vec<Vec<Option<Value>>>,
}

impl Kept {
    /// The residuals of `splits`, which stand behind `count` results of the known parts; those of the first `args` values are
    /// arguments.
    fn of(splits: &[SplitProgram], count: usize, args: usize) -> Kept {
        let mut kept = Kept { slots: Vec::new(), places: Vec::new(), filled: Vec::new() };
        let mut slots_of: FxHashMap<Type, Vec<usize>> = FxHashMap::default();
        for split in splits {
            let mut mine: Vec<Option<Value>> = vec![None; kept.slots.len()];
            let mut slot_of: FxHashMap<Value, usize> = FxHashMap::default();
            // How many slots of each type the branch fills.
            let mut taken: FxHashMap<Type, usize> = FxHashMap::default();
            let mut branch = Vec::new();
            for &value in &split.known.results()[count..] {
                if value.index() < args {
                    branch.push(Residual::Argument(value.index()));
                    continue;
                }
                let ty = split.known.ty(value);
                work::step(1);
                let slot = *slot_of.entry(value).or_insert_with(|| {
                    let (of_type, taken) = (slots_of.entry(ty).or_default(), taken.entry(ty).or_insert(0));
                    if *taken == of_type.len() {
                        of_type.push(kept.slots.len());
                        kept.slots.push(ty);
                        mine.push(None);
                    }
                    *taken += 1;
                    of_type[*taken - 1]
                });
                mine[slot] = Some(value);
                branch.push(Residual::Slot(slot));
            }
            kept.places.push(branch);
            kept.filled.push(mine);
        }
        kept
    }

    /// The known part of a branch: its first `count` results, then the slots, of which it fills some and leaves zeros in the others.
    fn known_branch(
        &self,
        known: &Program,
        source: Source,
        (count, args): (usize, usize),
        filled: &[Option<Value>],
    ) -> Result<Program> {
        let mut b = Builder::like(known);
        b.set_source(source);
        let args: Vec<Value> = (0..args).map(|i| known.param(i)).collect();
        let mut wanted = known.results()[..count].to_vec();
        wanted.extend(filled.iter().flatten());
        let values = b.inline(&known.extract(&args, &wanted)?, &args)?;
        let mut returned = values[..count].to_vec();
        let mut residuals = values[count..].iter();
        for (s, &ty) in self.slots.iter().enumerate() {
            let mine = filled.get(s).copied().flatten().and_then(|_| residuals.next());
            returned.push(match mine {
                Some(&value) => value,
                None => b.zeros(ty)?,
            });
        }
        b.finish(&returned)
    }

    /// The arguments, of so many, that are residuals of a branch.
    fn arguments(&self, args: usize) -> Vec<usize> {
        let mut is_residual = vec![false; args];
        for place in self.places.iter().flatten() {
            if let Residual::Argument(i) = *place {
                is_residual[i] = true;
            }
        }
        (0..args).filter(|&i| is_residual[i]).collect()
    }

    /// The unknown part of a branch, of parameters of these types: the arguments that are residuals, the slots, and the unknown
    /// arguments.
    fn unknown_branch(
        &self,
        unknown: &Program,
        types: &[Type],
        arguments: &[usize],
        places: &[Residual],
    ) -> Result<Program> {
        let mut b = Builder::new(unknown.name());
        let params: Vec<Value> = types.iter().map(|&ty| b.param(ty, "")).collect();
        let place = |r: &Residual| match r {
            Residual::Argument(i) => params[arguments.partition_point(|a| a < i)],
            Residual::Slot(s) => params[arguments.len() + s],
        };
        let mut args: Vec<Value> = places.iter().map(place).collect();
        args.extend(&params[arguments.len() + self.slots.len()..]);
        let results = b.inline(unknown, &args)?;
        b.finish(&results)
    }
}

impl Rules for Case {
    fn name(&self) -> &'static str {
        "case"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let Some((index, args)) = operands.split_first() else {
            return Err(Error::program("an index is needed as operand 0"));
        };
        if *index != Type::scalar(DType::I32) {
            return Err(
                Error::program(format!("the index is {index}, i32[] is needed")).help("convert the index")
            );
        }
        let Some(first) = self.branches.first() else {
            return Err(Error::program("at least one branch is needed"));
        };
        for (i, branch) in self.branches.iter().enumerate() {
            check_arguments(branch, args)?;
            let what =
                format!("the results of branch {i} ({}) against branch 0 ({})", branch.name(), first.name());
            sub::same_types(&what, &first.result_types(), &branch.result_types())?;
        }
        Ok(first.result_types().into())
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let active = sub::active(&cx.tangents[1..]);
        let (branches, marked) = self.agreed(vec![false; self.result_count()], |branch, instantiate| {
            let jvp = cx.sub.jvp(branch, &active, instantiate)?;
            Ok((jvp.program.into(), jvp.active))
        })?;
        let mut operands = cx.operands.to_vec();
        operands.extend(cx.tangents.iter().filter_map(|t| t.value()));
        let all = cx.b.push(Case { branches }, &operands)?;
        let (results, tangents) = all.split_at(self.result_count());
        let tangents = sub::tangents(&self.branches[0].result_types(), &marked, tangents);
        Ok(Jvp::Replace { results: results.to_vec(), tangents })
    }

    fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        let PartialValue::Known(index) = cx.operands[0] else {
            return Ok(PartialEval::AllOrNothing);
        };
        let known = sub::known(&cx.operands[1..]);
        let (known_args, unknown_args) = sub::parted(&cx.operands[1..]);
        let (splits, unknown) = self.agreed(vec![false; self.result_count()], |branch, unknown| {
            let split = cx.sub.partial_eval(branch, &known, unknown)?;
            let unknown = split.known_results.iter().map(|k| !k).collect();
            Ok((split, unknown))
        })?;
        let count = unknown.iter().filter(|u| !**u).count();
        let kept = Kept::of(&splits, count, known_args.len());

        let mut made = Results::new();
        let drops = |of: fn(&SplitProgram) -> &Program| splits.iter().all(|s| of(s).effects().may_drop());
        if count + kept.slots.len() > 0 || !drops(|s| &s.known) {
            let source = cx.split.known().source();
            let known = splits.iter().zip(&kept.filled);
            let branches = known.map(|(split, filled)| {
                Ok(kept.known_branch(&split.known, source, (count, known_args.len()), filled)?.into())
            });
            let branches = branches.collect::<Result<_>>()?;
            let mut operands = vec![index];
            operands.extend(&known_args);
            made = cx.split.known().push(Case { branches }, &operands)?;
        }
        let (known_results, slot_values) = made.split_at(count);

        let mut unknown_results = Results::new();
        if unknown.contains(&true) || !drops(|s| &s.unknown) {
            let arguments = kept.arguments(known_args.len());
            let mut operands = vec![cx.split.residual(index)?];
            for &value in arguments.iter().map(|&i| &known_args[i]).chain(slot_values) {
                operands.push(cx.split.residual(value)?);
            }
            operands.extend(&unknown_args);
            let types = cx.split.unknown().types(&operands[1..]);
            let unknown = splits.iter().zip(&kept.places);
            let branches = unknown.map(|(split, places)| {
                Ok(kept.unknown_branch(&split.unknown, &types, &arguments, places)?.into())
            });
            let branches = branches.collect::<Result<_>>()?;
            unknown_results = cx.split.unknown().push(Case { branches }, &operands)?;
        }
        let mask: Vec<bool> = unknown.iter().map(|u| !u).collect();
        Ok(PartialEval::Results(sub::rejoined(&mask, known_results, &unknown_results)?))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let linear: Vec<bool> = cx.operands.iter().map(|o| o.is_linear()).collect();
        let active: Vec<bool> = cx.cotangents.iter().map(Option::is_some).collect();
        let mut operands = Vec::new();
        for i in (0..linear.len()).filter(|&i| i == 0 || !linear[i]) {
            operands.push(cx.known(i)?);
        }
        operands.extend(cx.cotangents.iter().flatten());
        let mut branches = Vec::new();
        for branch in &self.branches {
            branches.push(cx.sub.transpose(branch, &linear[1..], &active)?.into());
        }
        let mut results = cx.b.push(Case { branches }, &operands)?.into_iter();
        Ok(Transpose::Cotangents(linear.iter().map(|l| l.then(|| results.next()).flatten()).collect()))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        if cx.operands[0].batched {
            return self.batch_select(cx);
        }
        let batched: Vec<bool> = cx.operands[1..].iter().map(|o| o.batched).collect();
        let (branches, batched) = self.agreed(vec![false; self.result_count()], |branch, force| {
            let (program, batched) = cx.sub.batch(branch, cx.size, &batched, force)?;
            Ok((program.into(), batched))
        })?;
        let operands: Vec<Value> = cx.operands.iter().map(|o| o.value).collect();
        let results = cx.b.push(Case { branches }, &operands)?;
        let results = results.into_iter().zip(batched).map(|(value, batched)| Batched { value, batched });
        Ok(Batch::Results(results.collect()))
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
        let mut branches = Vec::with_capacity(self.branches.len());
        for branch in &self.branches {
            branches.push(cx.checker.program(branch)?);
        }
        let operands: Vec<Value> = cx.operands.iter().copied().chain(cx.state.values()).collect();
        let mut results = cx.b.push(Case { branches }, &operands)?.to_vec();
        cx.state = CheckState::split_off(&mut results);
        Ok(Checked::Results(results))
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        if self.branches.len() != fewer.branches.len() {
            return Ok(Rows::Alike);
        }
        for (more, fewer) in self.branches.iter().zip(&fewer.branches) {
            cx.sub.check(more, fewer)?;
        }
        Ok(Rows::Apart)
    }

    /// The most expensive branch.
    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        let mut most = Cost::default();
        for branch in &self.branches {
            let cost = sub::cost(branch)?;
            most = Cost { flops: most.flops.max(cost.flops), bytes: most.bytes.max(cost.bytes) };
        }
        Ok(most)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Runs the branch that operand 0 selects on the other operands; out of range selects the last.",
            source: "StableHLO specification, case",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        self.branches.iter().collect()
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        Case { branches: programs.to_vec() }
    }

    fn examples() -> Vec<Example> {
        let x = varied(&[3], 0.5, 1.5);
        let build = || -> Result<Case> {
            let branch =
                |name: &str, body: &dyn Fn(&mut Builder, Value) -> Result<Value>| -> Result<ProgramRef> {
                    let mut b = Builder::new(name);
                    let x = b.param(x.ty(), "x");
                    let y = body(&mut b, x)?;
                    Ok(b.finish(&[y])?.into())
                };
            let branches = vec![
                branch("exp", &|b, x| b.exp(x))?,
                branch("square", &|b, x| b.mul(x, x))?,
                branch("constant", &|b, x| b.ones_like(x))?,
            ];
            Ok(Case { branches })
        };
        let case = build().expect("invariant: the example is well-formed");
        let example = |name: &'static str, index: i32| -> Example {
            let operands: Vec<Literal> = vec![ints(&[], &[index]), x.clone()];
            Example::new(name, case.clone(), operands)
        };
        vec![
            example("first branch", 0),
            example("second branch", 1),
            example("a branch that ignores its operand", 2),
            example("out of range", -7),
        ]
    }
}

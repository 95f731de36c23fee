use jarrah_base::{Error, Result, Source};
use jarrah_hlo::{
    Builder, Effects, Instr, PartialEval, PartialEvalCx, PartialValue, Program, ResidualClass, Split,
    SplitProgram, Value,
};
use rustc_hash::FxHashMap;

use crate::cut::keep;
use crate::engine::{ProgramTransforms, check_mask, check_types, explain};

/// Which values pass from the known part of a program to the unknown part: the residuals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ResidualPolicy {
    /// The fewest bytes from which the rest follows by cheap instructions (those whose op says
    /// [`ResidualClass::Recompute`]), each of which is computed again at most once.
    #[default]
    Recompute,
    /// Every value that the unknown part uses; only constants are made anew.
    SaveAll,
}

/// The program in two parts: what the parameters in `known` determine, and the rest.
///
/// The first takes the known parameters and returns the known results, then the residuals; the second takes the
/// residuals, then the other parameters, and returns the other results. The results in `unknown` are left to the second
/// part even if they are known. Parameters of the whole count as kept anyway, so that taking one as a residual is free.
///
/// # Errors
/// As [`Builder::push`].
pub fn partial_eval(
    program: &Program,
    known: &[bool],
    unknown: &[bool],
    policy: ResidualPolicy,
) -> Result<SplitProgram> {
    split(program, known, unknown, policy, true)
}

/// The two programs under construction.
///
/// A residual is a parameter of the unknown program at first; which of them stay and which are computed again is
/// decided when all are known.
struct Splitter {
    known: Builder,
    unknown: Builder,
    /// The known values that the unknown program asked for, in the order of its further parameters.
    asked: Vec<Value>,
    memo: FxHashMap<Value, Value>,
}

impl Splitter {
    /// The instruction that makes `value` out of nothing but constants; `depth` bounds the search.
    fn constant(&self, value: Value, depth: usize) -> Option<&Instr> {
        let instr = self.known.definition(value)?;
        let cheap = instr.op.residual_class() == ResidualClass::Recompute || instr.operands.is_empty();
        let of_constants =
            || instr.operands.iter().all(|&v| depth > 0 && self.constant(v, depth - 1).is_some());
        (cheap && instr.op.effects().may_duplicate() && of_constants()).then_some(instr)
    }
}

/// How long a chain from constants is looked at before it is treated like any other value.
const CONSTANT_DEPTH: usize = 3;

impl Split for Splitter {
    fn known(&mut self) -> &mut Builder {
        &mut self.known
    }

    fn unknown(&mut self) -> &mut Builder {
        &mut self.unknown
    }

    fn residual(&mut self, value: Value) -> Result<Value> {
        if let Some(&there) = self.memo.get(&value) {
            return Ok(there);
        }
        let there = match self.constant(value, CONSTANT_DEPTH).cloned() {
            Some(instr) => {
                let mut operands = Vec::new();
                for &operand in &instr.operands {
                    operands.push(self.residual(operand)?);
                }
                let before = self.unknown.set_source(instr.source);
                let made = self.unknown.push(instr.op.clone(), &operands);
                self.unknown.set_source(before);
                let made = made?;
                self.memo.extend(instr.results().zip(made));
                self.memo[&value]
            }
            None => {
                self.asked.push(value);
                self.unknown.param(self.known.ty(value), "")
            }
        };
        self.memo.insert(value, there);
        Ok(there)
    }
}

pub(crate) fn split(
    program: &Program,
    known: &[bool],
    unknown: &[bool],
    policy: ResidualPolicy,
    free_params: bool,
) -> Result<SplitProgram> {
    program.check_expansion()?;
    check_mask("known", known, program.params().len(), "parameters")?;
    check_mask("unknown", unknown, program.results().len(), "results")?;
    let mut splitter = Splitter {
        known: Builder::new(program.name()),
        unknown: Builder::new(program.name()),
        asked: Vec::new(),
        memo: FxHashMap::default(),
    };
    let mut values: Vec<PartialValue> = Vec::with_capacity(program.value_count());
    for (param, &known) in program.params().iter().zip(known) {
        values.push(match known {
            true => PartialValue::Known(splitter.known.param_at(*param)),
            false => PartialValue::Unknown(splitter.unknown.param_at(*param)),
        });
    }
    let unknown_params = splitter.unknown.params().len();
    let mut late = Effects::NONE;
    for instr in program.instrs() {
        splitter.known.set_source(instr.source);
        splitter.unknown.set_source(instr.source);
        push(&mut splitter, program, instr, &mut values, &mut late, policy)
            .map_err(|e| explain(e, instr, "splitting", program))?;
    }
    splitter.known.set_source(Source::unknown());
    splitter.unknown.set_source(Source::unknown());

    let (mut known_results, mut unknown_results, mut mask) = (Vec::new(), Vec::new(), Vec::new());
    for (&result, &forced) in program.results().iter().zip(unknown) {
        mask.push(false);
        match values[result.index()] {
            PartialValue::Known(v) if !forced => {
                known_results.push(v);
                *mask.last_mut().expect("invariant: pushed above") = true;
            }
            PartialValue::Known(v) => unknown_results.push(splitter.residual(v)?),
            PartialValue::Unknown(v) => unknown_results.push(v),
        }
    }

    let Splitter { known, unknown, asked, .. } = splitter;
    let known = known.finish(&known_results)?;
    // What was asked for now are the parameters after the first `unknown_params`.
    let unknown = unknown.finish(&unknown_results)?;
    let needed = unknown.needed_for(unknown.results());
    let is_asked = |i: usize| needed[unknown.param(unknown_params + i).index()];
    let asked: Vec<Option<Value>> =
        asked.iter().enumerate().map(|(i, &v)| is_asked(i).then_some(v)).collect();
    let mut wanted: Vec<Value> = asked.iter().copied().flatten().collect();
    wanted.sort();
    let kept = match policy {
        ResidualPolicy::SaveAll => wanted,
        ResidualPolicy::Recompute => keep(&known, &wanted, free_params),
    };

    let unknown = connect(&known, &kept, &unknown, &asked, unknown_params)?;
    let params: Vec<Value> = known.param_values().collect();
    let results: Vec<Value> = known_results.iter().chain(&kept).copied().collect();
    let known = known.extract(&params, &results)?;
    Ok(SplitProgram { known, unknown, known_results: mask, residuals: kept.len() })
}

/// Appends one instruction to the known or the unknown program, or parts of it to both.
///
/// `late` are the effects that the unknown program has: what must not come before them waits too.
fn push(
    splitter: &mut Splitter,
    program: &Program,
    instr: &Instr,
    values: &mut Vec<PartialValue>,
    late: &mut Effects,
    policy: ResidualPolicy,
) -> Result<()> {
    let operands: Vec<PartialValue> = instr.operands.iter().map(|v| values[v.index()]).collect();
    let effects = instr.op.effects();
    let waits = effects.conflicts(*late);
    let known: Option<Vec<Value>> = operands
        .iter()
        .map(|o| match *o {
            PartialValue::Known(v) => Some(v),
            PartialValue::Unknown(_) => None,
        })
        .collect();
    if let (Some(known), false) = (&known, waits) {
        values.extend(splitter.known.copy(program, instr, known).into_iter().map(PartialValue::Known));
        return Ok(());
    }
    let engine = ProgramTransforms { policy, ..ProgramTransforms::DEFAULT };
    let before = splitter.unknown.instrs().len();
    let mut cx = PartialEvalCx { split: splitter, operands: &operands, sub: &engine };
    let answer = if waits { PartialEval::AllOrNothing } else { instr.op.partial_eval(&mut cx)? };
    match answer {
        PartialEval::AllOrNothing => {
            let mut there = Vec::new();
            for i in 0..operands.len() {
                there.push(cx.unknown_operand(i)?);
            }
            values
                .extend(splitter.unknown.copy(program, instr, &there).into_iter().map(PartialValue::Unknown));
        }
        PartialEval::Results(results) => {
            let ty = |r: &PartialValue| match *r {
                PartialValue::Known(v) => splitter.known.ty(v),
                PartialValue::Unknown(v) => splitter.unknown.ty(v),
            };
            check_types("results", results.iter().map(ty), instr.results().map(|v| program.ty(v)))?;
            values.extend(results);
        }
    }
    for instr in &splitter.unknown.instrs()[before..] {
        *late = late.union(instr.op.effects());
    }
    Ok(())
}

/// The unknown program over the values in `kept`; what else was asked for of the known program is computed again where
/// it is first used.
fn connect(
    known: &Program,
    kept: &[Value],
    unknown: &Program,
    asked: &[Option<Value>],
    unknown_params: usize,
) -> Result<Program> {
    let mut b = Builder::new(unknown.name());
    let definitions = known.definitions();
    let mut again: FxHashMap<Value, Value> = FxHashMap::default();
    for &value in kept {
        again.insert(value, b.param(known.ty(value), ""));
    }
    let mut map: Vec<Option<Value>> = vec![None; unknown.value_count()];
    for (i, &param) in unknown.params()[..unknown_params].iter().enumerate() {
        map[i] = Some(b.param_at(param));
    }
    let mut value = |b: &mut Builder, map: &mut Vec<Option<Value>>, v: Value| -> Result<Value> {
        if let Some(there) = map[v.index()] {
            return Ok(there);
        }
        let origin = v.index().checked_sub(unknown_params).and_then(|i| asked.get(i).copied().flatten());
        let origin =
            origin.ok_or_else(|| Error::internal(format!("{v:?} of the unknown program has no origin")))?;
        let there = recompute(b, known, &definitions, &mut again, origin)?;
        map[v.index()] = Some(there);
        Ok(there)
    };
    let needed = unknown.needed_for(unknown.results());
    for instr in unknown.instrs() {
        if !instr.results().any(|v| needed[v.index()]) && instr.op.effects().may_drop() {
            continue;
        }
        let mut operands = Vec::new();
        for &operand in &instr.operands {
            operands.push(value(&mut b, &mut map, operand)?);
        }
        for (old, new) in instr.results().zip(b.copy(unknown, instr, &operands)) {
            map[old.index()] = Some(new);
        }
    }
    let mut results = Vec::new();
    for &result in unknown.results() {
        results.push(value(&mut b, &mut map, result)?);
    }
    b.finish(&results)
}

/// Appends to `b` the instructions of `known` that make `wanted` out of what `again` has.
fn recompute(
    b: &mut Builder,
    known: &Program,
    definitions: &[Option<usize>],
    again: &mut FxHashMap<Value, Value>,
    wanted: Value,
) -> Result<Value> {
    let mut open = vec![wanted];
    while let Some(&v) = open.last() {
        if again.contains_key(&v) {
            open.pop();
            continue;
        }
        let Some(definition) = definitions[v.index()] else {
            return Err(Error::internal(format!("the parameter {v:?} was to be computed again")));
        };
        let instr = &known.instrs()[definition];
        let missing = open.len();
        open.extend(instr.operands.iter().filter(|o| !again.contains_key(o)));
        if open.len() == missing {
            let operands: Vec<Value> = instr.operands.iter().map(|o| again[o]).collect();
            again.extend(instr.results().zip(b.copy(known, instr, &operands)));
        }
    }
    Ok(again[&wanted])
}

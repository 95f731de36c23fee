use jarrah_base::{Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::call::{batch_of, jvp_of, product_program, swap_program, transpose_of};
use super::resume::{Resumption, resume};
use super::{Call, CheckpointName, OptimizationBarrier, sub};
use crate::builder::{Builder, Results, check_arguments};
use crate::example::Example;
use crate::op::Op;
use crate::program::{Instr, Program, Value};
use crate::rules::*;

/// Runs another program whose intermediate values are not kept for the backward pass but computed again, those aside
/// that `saveable` names.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Remat {
    /// The program.
    #[serde(with = "crate::serial::apart")]
    pub body: ProgramRef,
    /// The intermediate values that may be kept all the same.
    pub saveable: Saveable,
}

/// Which intermediate values of a [`Remat`] may be kept for the backward pass: the policy of a checkpoint.
///
/// A value that may be kept is kept if the backward pass needs it; arguments always are. Within a scan a value is kept as a stack
/// of those of all steps, within branches for the one that runs; a `while` keeps nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Saveable {
    /// None.
    #[default]
    Nothing,
    /// Results of dot products.
    Dots,
    /// Results of dot products without batch axes: of weights and activations, not within attention.
    DotsWithNoBatchDims,
    /// Values with one of these names.
    Names(Vec<Box<str>>),
    /// Values with a name that is none of these.
    NamesBut(Vec<Box<str>>),
    /// All but values with one of these names.
    AllBut(Vec<Box<str>>),
    /// Values that one of these policies keeps.
    Either(Vec<Saveable>),
}

impl Saveable {
    /// The names that it lists, those of values to keep and those of values not to keep.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Saveable::Nothing | Saveable::Dots | Saveable::DotsWithNoBatchDims => Vec::new(),
            Saveable::Names(list) | Saveable::NamesBut(list) | Saveable::AllBut(list) => {
                list.iter().map(|name| &**name).collect()
            }
            Saveable::Either(policies) => policies.iter().flat_map(Saveable::names).collect(),
        }
    }

    /// Whether the results of `instr` may be kept; `names` are those that they have.
    fn keeps(&self, instr: &Instr, names: &[&str]) -> bool {
        let listed = |list: &[Box<str>], name: &str| list.iter().any(|listed| **listed == *name);
        match (self, &instr.op) {
            (Saveable::Nothing, _) => false,
            (Saveable::Dots, op) => matches!(op, Op::DotGeneral(_)),
            (Saveable::DotsWithNoBatchDims, Op::DotGeneral(dot)) => dot.lhs_batch.is_empty(),
            (Saveable::DotsWithNoBatchDims, _) => false,
            (Saveable::Names(list), Op::CheckpointName(CheckpointName { name })) => listed(list, name),
            (Saveable::NamesBut(list), Op::CheckpointName(CheckpointName { name })) => !listed(list, name),
            (Saveable::Names(_) | Saveable::NamesBut(_), _) => false,
            (Saveable::AllBut(list), _) => !names.iter().any(|name| listed(list, name)),
            (Saveable::Either(policies), _) => policies.iter().any(|policy| policy.keeps(instr, names)),
        }
    }

    /// The values of `program` that may be kept. One that gets a name counts as having it.
    pub(super) fn kept(&self, program: &Program) -> Vec<bool> {
        let mut names: Vec<Vec<&str>> = vec![Vec::new(); program.value_count()];
        for instr in program.instrs() {
            if let Op::CheckpointName(CheckpointName { name }) = &instr.op {
                names[instr.operands[0].index()].push(name);
                names[instr.result().index()].push(name);
            }
        }
        let mut kept = vec![false; program.value_count()];
        for instr in program.instrs().iter().filter(|instr| !instr.operands.is_empty()) {
            for result in instr.results() {
                kept[result.index()] = self.keeps(instr, &names[result.index()]);
            }
        }
        kept
    }
}

/// The program with its calls written out, those within loops and branches too, so that their values can be kept one by one.
fn without_calls(program: &Program) -> Result<Program> {
    fn splice(b: &mut Builder, program: &Program, args: &[Value]) -> Result<Vec<Value>> {
        let mut map = args.to_vec();
        for instr in program.instrs() {
            let operands: Vec<Value> = instr.operands.iter().map(|v| map[v.index()]).collect();
            match &instr.op {
                Op::Call(Call { callee }) => map.extend(splice(b, callee, &operands)?),
                Op::Scan(_) | Op::Case(_) => {
                    let mut programs = Vec::new();
                    for inner in instr.op.programs() {
                        programs.push(written_out(inner)?.into());
                    }
                    b.set_source(instr.source);
                    map.extend(b.push(instr.op.with_programs(&programs), &operands)?);
                }
                _ => map.extend(b.copy(program, instr, &operands)),
            }
        }
        Ok(program.results().iter().map(|v| map[v.index()]).collect())
    }
    fn written_out(program: &Program) -> Result<Program> {
        let mut b = Builder::like(program);
        let args: Vec<Value> = program.param_values().collect();
        let results = splice(&mut b, program, &args)?;
        b.finish(&results)
    }
    program.check_expansion()?;
    written_out(program)
}

impl Remat {
    /// The program, of whose values none is kept.
    pub fn new(body: impl Into<ProgramRef>) -> Remat {
        Remat { body: body.into(), saveable: Saveable::Nothing }
    }

    /// This policy over another program.
    fn with(&self, body: ProgramRef) -> Remat {
        Remat { body, saveable: self.saveable.clone() }
    }
}

impl Rules for Remat {
    fn name(&self) -> &'static str {
        "jarrah.remat"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        check_arguments(&self.body, operands)?;
        Ok(self.body.result_types().into())
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        jvp_of(cx, &self.body, |body| self.with(body).into())
    }

    fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        let known = sub::known(cx.operands);
        let (known_args, unknown_args) = sub::parted(cx.operands);
        let unknown = vec![false; self.body.results().len()];
        let split = match self.saveable {
            Saveable::Nothing => cx.sub.partial_eval(&self.body, &known, &unknown)?,
            // What may be kept has to be asked for by itself, not what it is cheaply made of.
            _ => cx.sub.partial_eval_as_is(&without_calls(&self.body)?, &known, &unknown)?,
        };
        let count = split.known_results.iter().filter(|k| **k).count();
        let (results, residuals) = split.known.results().split_at(count);
        let resumption = resume(&split.known, results, residuals, &self.saveable)?;
        let Resumption { known: program, again, params } = resumption;
        let mut made = Results::new();
        if !program.results().is_empty() || !program.effects().may_drop() {
            made = cx.split.known().push(self.with(program.into()), &known_args)?;
        }
        let (known_results, kept_values) = made.split_at(count);

        // The residuals are operands; what else the unknown part needs is computed from them again. The barrier keeps
        // that computation from being merged with the one of the known part.
        let mut args = Vec::new();
        for value in params.iter().map(|&param| &known_args[param]).chain(kept_values) {
            args.push(cx.split.residual(*value)?);
        }
        let b = cx.split.unknown();
        if !again.instrs().is_empty() && !args.is_empty() {
            args = b.push(OptimizationBarrier, &args)?.to_vec();
        }
        let mut operands = b.inline(&again, &args)?;
        operands.extend(unknown_args);
        let unknown_results = b.inline(&split.unknown, &operands)?;
        Ok(PartialEval::Results(sub::rejoined(&split.known_results, known_results, &unknown_results)?))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        transpose_of(cx, &self.body, |body| self.with(body).into())
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        batch_of(cx, &self.body, |body| self.with(body).into())
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
        cx.inside(&self.body, |body| self.with(body).into())
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        cx.sub.check(&self.body, &fewer.body)?;
        Ok(Rows::Apart)
    }

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        sub::cost(&self.body)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Runs another program; the backward pass computes its intermediate values again.",
            source: "jax.checkpoint",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        smallvec![&self.body]
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        self.with(programs[0].clone())
    }

    fn examples() -> Vec<Example> {
        let (product, operands) = product_program();
        let (swap, pair) = swap_program();
        vec![
            Example::new("product", Remat::new(product.clone()), operands.clone()),
            Example::new(
                "everything kept",
                Remat { body: product, saveable: Saveable::AllBut(Vec::new()) },
                operands,
            ),
            Example::new("two results, one an operand", Remat::new(swap), pair),
        ]
    }
}

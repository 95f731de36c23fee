use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use jarrah_base::{Error, Result, Type};
use smallvec::SmallVec;

use crate::builder::Builder;
pub(crate) use crate::checked::with_state_at;
pub use crate::checked::{CheckCx, CheckState, Checked};
pub use crate::effects::Effects;
use crate::example::Example;
use crate::op::Op;
use crate::program::{Program, Value};
pub(crate) use crate::rows::rows;
pub use crate::rows::{RowGrowth, Rows, RowsCx, is_prefix};

/// A few types: operands or results of an instruction.
pub type TypeVec = SmallVec<[Type; 4]>;

/// A sub-program inside an op, shared between identical ones.
pub type ProgramRef = Arc<Program>;

/// The sub-programs of an op.
pub type ProgramRefs<'a> = SmallVec<[&'a ProgramRef; 2]>;

/// Everything the stack knows about an op, in one place.
///
/// There are no default methods on purpose: an op that lacks a rule does not compile, and a new rule method breaks
/// every op until it has answered. Answers that many ops share are enumerated, so most bodies are one word.
pub trait Rules: Sized + Clone + Eq + Hash + Debug + Into<Op> {
    /// The name in StableHLO, or `jarrah.*` for ops of our own.
    fn name(&self) -> &'static str;

    /// The types of the results.
    ///
    /// # Errors
    /// The operands' number, dtypes or shapes do not fit, in words that name them.
    fn infer(&self, operands: &[Type]) -> Result<TypeVec>;

    /// The tangents of the results, given those of the operands.
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp>;

    /// The part of the op that the known operands determine, and the part that has to wait.
    fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval>;

    /// The cotangents of the linear operands, given those of the results.
    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose>;

    /// The op over operands some of which have one more axis in front.
    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch>;

    /// The op, and a search for what may go wrong in it.
    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked>;

    /// Whether rows stay apart, where the op is `fewer` over fewer of them. It is not asked where nothing grows and the ops are equal.
    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows>;

    /// The effects besides computing results.
    fn effects(&self) -> Effects;

    /// Whether its results are worth keeping for the backward pass.
    fn residual_class(&self) -> ResidualClass;

    /// The types that the op computes in where a program computes in a narrower float than it was written in.
    fn precision(&self) -> Precision;

    /// The work of one execution.
    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost>;

    /// The op's documentation for people.
    fn docs(&self) -> Docs;

    /// The sub-programs it holds.
    fn programs(&self) -> ProgramRefs<'_>;

    /// This op with other sub-programs, as many as [`Rules::programs`] gives, in that order.
    fn with_programs(&self, programs: &[ProgramRef]) -> Self;

    /// Concrete uses, by which the op enters the law tests.
    fn examples() -> Vec<Example>;
}

/// The two methods on sub-programs, for an op that holds none.
macro_rules! no_programs {
    () => {
        fn programs(&self) -> smallvec::SmallVec<[&crate::rules::ProgramRef; 2]> {
            smallvec::SmallVec::new()
        }

        fn with_programs(&self, _: &[crate::rules::ProgramRef]) -> Self {
            self.clone()
        }
    };
}
pub(crate) use no_programs;

/// The rule of an op that computes in the types it was written in.
macro_rules! keeps_precision {
    () => {
        fn precision(&self) -> crate::rules::Precision {
            crate::rules::Precision::Keep
        }
    };
}
pub(crate) use keeps_precision;

/// The rules of an op that only computes its results, all at once: no effects, known or unknown as a whole.
macro_rules! pure {
    ($class:ident) => {
        fn partial_eval(
            &self,
            _: &mut crate::rules::PartialEvalCx<'_>,
        ) -> jarrah_base::Result<crate::rules::PartialEval> {
            Ok(crate::rules::PartialEval::AllOrNothing)
        }

        fn effects(&self) -> crate::rules::Effects {
            crate::rules::Effects::NONE
        }

        fn residual_class(&self) -> crate::rules::ResidualClass {
            crate::rules::ResidualClass::$class
        }
    };
}
pub(crate) use pure;

/// The derivative of an op that another program defines.
pub(crate) fn jvp_by_definition(cx: &mut JvpCx<'_>, definition: &Program) -> Result<Jvp> {
    let active: Vec<bool> = cx.tangents.iter().map(|t| t.value().is_some()).collect();
    let count = definition.results().len();
    let derived = cx.sub.jvp(definition, &active, &vec![false; count])?;
    let args: Vec<Value> =
        cx.operands.iter().copied().chain(cx.tangents.iter().filter_map(|t| t.value())).collect();
    let mut results = cx.b.inline(&derived.program, &args)?;
    let mut computed = results.split_off(count).into_iter();
    let tangents = results.iter().zip(&derived.active).map(|(&result, &active)| {
        let tangent = if active { computed.next() } else { None };
        tangent.map_or(Tangent::Zero(cx.b.ty(result)), Tangent::Value)
    });
    let tangents = tangents.collect();
    Ok(Jvp::Replace { results, tangents })
}

/// The tangents of an op from those of a program that defines it; its results remain the op's own.
pub(crate) fn tangents_by_definition(cx: &mut JvpCx<'_>, definition: &Program) -> Result<Jvp> {
    match jvp_by_definition(cx, definition)? {
        Jvp::Replace { tangents, .. } => Ok(Jvp::Tangents(tangents)),
        other => Ok(other),
    }
}

/// A batch of an op that another program defines.
pub(crate) fn batch_by_definition(cx: &mut BatchCx<'_>, definition: &Program) -> Result<Batch> {
    let batched: Vec<bool> = cx.operands.iter().map(|o| o.batched).collect();
    let force = vec![true; definition.results().len()];
    let (program, _) = cx.sub.batch(definition, cx.size, &batched, &force)?;
    let args: Vec<Value> = cx.operands.iter().map(|o| o.value).collect();
    let results = cx.b.inline(&program, &args)?;
    Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
}

/// The transpose of an op that another program defines.
pub(crate) fn transpose_by_definition(cx: &mut TransposeCx<'_>, definition: &Program) -> Result<Transpose> {
    let linear: Vec<bool> = cx.operands.iter().map(|o| o.is_linear()).collect();
    let active: Vec<bool> = cx.cotangents.iter().map(Option::is_some).collect();
    let program = cx.sub.transpose(definition, &linear, &active)?;
    let mut args: Vec<Value> = Vec::new();
    for operand in cx.operands {
        if let LinearOperand::Known(value) = operand {
            args.push(*value);
        }
    }
    args.extend(cx.cotangents.iter().flatten());
    let mut computed = cx.b.inline(&program, &args)?.into_iter();
    Ok(Transpose::Cotangents(linear.iter().map(|&l| if l { computed.next() } else { None }).collect()))
}

/// The number of operands an op takes, checked.
pub(crate) fn arity(operands: &[Type], expected: usize) -> Result<()> {
    if operands.len() == expected {
        return Ok(());
    }
    Err(Error::program(format!("takes {expected} operands, {} were given", operands.len())))
}

/// The derivative of a value along the direction being followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tangent {
    /// Identically zero, and not computed; integers and truth values have no other tangent.
    Zero(Type),
    /// A value of the same type.
    Value(Value),
}

impl Tangent {
    /// The value, unless the tangent is zero.
    pub fn value(self) -> Option<Value> {
        match self {
            Tangent::Zero(_) => None,
            Tangent::Value(v) => Some(v),
        }
    }

    /// The tangent as a value, made of zeros where it is zero.
    ///
    /// # Errors
    /// The elements of the type exceed the address space.
    pub fn instantiate(self, b: &mut Builder) -> Result<Value> {
        match self {
            Tangent::Zero(ty) => b.zeros(ty),
            Tangent::Value(v) => Ok(v),
        }
    }
}

/// The arguments of a JVP rule.
pub struct JvpCx<'a> {
    /// Where instructions go.
    pub b: &'a mut Builder,
    /// The op's operands.
    pub operands: &'a [Value],
    /// Their tangents; at least one is not zero.
    pub tangents: &'a [Tangent],
    /// Transformations of sub-programs.
    pub sub: &'a dyn Transforms,
    op: &'a Op,
    results: Option<Vec<Value>>,
}

impl<'a> JvpCx<'a> {
    /// The context for one instruction.
    pub fn new(
        b: &'a mut Builder,
        op: &'a Op,
        operands: &'a [Value],
        tangents: &'a [Tangent],
        sub: &'a dyn Transforms,
    ) -> Self {
        JvpCx { b, operands, tangents, sub, op, results: None }
    }

    /// The op's own results; the instruction is pushed at the first call.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn results(&mut self) -> Result<&[Value]> {
        if self.results.is_none() {
            self.results = Some(self.b.push(self.op.clone(), self.operands)?.to_vec());
        }
        Ok(self.results.as_deref().expect("invariant: pushed above"))
    }

    /// The op's own results, which are `N`.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn all_results<const N: usize>(&mut self) -> Result<[Value; N]> {
        let results = self.results()?;
        results.try_into().map_err(|_| Error::internal(format!("{} results instead of {N}", results.len())))
    }

    /// The only result.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn result(&mut self) -> Result<Value> {
        Ok(self.results()?[0])
    }

    /// The type of the operand `index`.
    pub fn ty(&self, index: usize) -> Type {
        self.b.ty(self.operands[index])
    }
}

/// The answer of a JVP rule.
#[derive(Debug)]
pub enum Jvp {
    /// All tangents are zero: integer results, or piecewise constant functions.
    Zero,
    /// The op is jointly linear in its first `n` operands and takes the others as they are.
    Linear(usize),
    /// The op is linear in each of its first two operands: `op(t0, x1) + op(x0, t1)`.
    Bilinear,
    /// The tangents, one per result.
    Tangents(Vec<Tangent>),
    /// Results and tangents computed together; the op itself is not pushed.
    Replace {
        /// The results.
        results: Vec<Value>,
        /// Their tangents.
        tangents: Vec<Tangent>,
    },
    /// There is no derivative, because of this.
    Refuse(&'static str),
}

/// A value during partial evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartialValue {
    /// A value of the known program.
    Known(Value),
    /// A value of the unknown program.
    Unknown(Value),
}

/// The two programs that partial evaluation builds, and the passage from one to the other.
pub trait Split {
    /// The program of what is known first.
    fn known(&mut self) -> &mut Builder;
    /// The program of what waits.
    fn unknown(&mut self) -> &mut Builder;
    /// The value of the unknown program that equals the known `value`: a residual, or a recomputation from residuals
    /// where the policy prefers that.
    ///
    /// # Errors
    /// As [`Builder::push`].
    fn residual(&mut self, value: Value) -> Result<Value>;
}

/// The arguments of a partial evaluation rule.
pub struct PartialEvalCx<'a> {
    /// The two programs.
    pub split: &'a mut dyn Split,
    /// The operands; at least one is unknown.
    pub operands: &'a [PartialValue],
    /// Transformations of sub-programs.
    pub sub: &'a dyn Transforms,
}

impl PartialEvalCx<'_> {
    /// The operand `index` as a value of the unknown program.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn unknown_operand(&mut self, index: usize) -> Result<Value> {
        match self.operands[index] {
            PartialValue::Known(v) => self.split.residual(v),
            PartialValue::Unknown(v) => Ok(v),
        }
    }

    /// The type of the operand `index`.
    pub fn ty(&mut self, index: usize) -> Type {
        match self.operands[index] {
            PartialValue::Known(v) => self.split.known().ty(v),
            PartialValue::Unknown(v) => self.split.unknown().ty(v),
        }
    }
}

/// The answer of a partial evaluation rule.
#[derive(Debug)]
pub enum PartialEval {
    /// Known if every operand is, otherwise wholly unknown.
    AllOrNothing,
    /// The results, some known.
    Results(Vec<PartialValue>),
}

/// An operand of an instruction being transposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinearOperand {
    /// The op is linear in it; it has a type and no value.
    Linear(Type),
    /// A value.
    Known(Value),
}

impl LinearOperand {
    /// Whether the op is linear in it.
    pub fn is_linear(self) -> bool {
        matches!(self, LinearOperand::Linear(_))
    }
}

/// The arguments of a transpose rule.
pub struct TransposeCx<'a> {
    /// Where instructions go.
    pub b: &'a mut Builder,
    /// The operands; at least one is linear.
    pub operands: &'a [LinearOperand],
    /// The cotangents of the results; `None` is zero, and not all are.
    pub cotangents: &'a [Option<Value>],
    /// The types of the results.
    pub result_types: &'a [Type],
    /// Transformations of sub-programs.
    pub sub: &'a dyn Transforms,
}

impl TransposeCx<'_> {
    /// The type of the operand `index`.
    pub fn ty(&self, index: usize) -> Type {
        match self.operands[index] {
            LinearOperand::Linear(ty) => ty,
            LinearOperand::Known(v) => self.b.ty(v),
        }
    }

    /// Whether the op is linear in the operand `index`.
    pub fn is_linear(&self, index: usize) -> bool {
        self.operands[index].is_linear()
    }

    /// The value of the operand `index`, in which the op is not linear here.
    ///
    /// # Errors
    /// The operand is linear: the op is not linear in the operands it was given.
    pub fn known(&self, index: usize) -> Result<Value> {
        match self.operands[index] {
            LinearOperand::Known(v) => Ok(v),
            LinearOperand::Linear(_) => {
                Err(Error::internal(format!("operand {index} is linear where the op is not")))
            }
        }
    }

    /// The cotangent of the only result.
    ///
    /// # Errors
    /// It is zero, which the caller rules out for ops with one result.
    pub fn cotangent(&self) -> Result<Value> {
        let first = self.cotangents.first().copied().flatten();
        first.ok_or_else(|| Error::internal("a zero cotangent reached a transpose rule"))
    }
}

/// The answer of a transpose rule.
#[derive(Debug)]
pub enum Transpose {
    /// The cotangents, one per operand; `None` is zero, and what operands that are not linear have.
    Cotangents(Vec<Option<Value>>),
    /// The op has no transpose, because of this.
    Refuse(&'static str),
}

/// A value that may have one more axis, in front, than the program that is being batched says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batched {
    /// The value.
    pub value: Value,
    /// Whether it has the batch axis.
    pub batched: bool,
}

impl Batched {
    /// A value with the batch axis.
    pub fn yes(value: Value) -> Self {
        Batched { value, batched: true }
    }

    /// A value without it.
    pub fn no(value: Value) -> Self {
        Batched { value, batched: false }
    }
}

/// The arguments of a batching rule.
pub struct BatchCx<'a> {
    /// Where instructions go.
    pub b: &'a mut Builder,
    /// The operands; at least one is batched, or the op speaks of a named axis.
    pub operands: &'a [Batched],
    /// The extent of the batch axis.
    pub size: usize,
    /// The name of the batch axis.
    pub axis: Option<&'a str>,
    /// Whether elements that take different branches, or different numbers of steps, are run one by one, so that none computes
    /// what it takes no part in. Programs that look for failures need that.
    pub one_by_one: bool,
    /// Transformations of sub-programs.
    pub sub: &'a dyn Transforms,
}

impl BatchCx<'_> {
    /// The operand `index` with the batch axis, broadcast if it had none.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn batched(&mut self, index: usize) -> Result<Value> {
        let Batched { value, batched } = self.operands[index];
        if batched { Ok(value) } else { self.b.broadcast_leading(value, self.size) }
    }

    /// The type the operand `index` has in the program that is being batched.
    pub fn ty(&self, index: usize) -> Type {
        let Batched { value, batched } = self.operands[index];
        let ty = self.b.ty(value);
        if batched { ty.without_leading() } else { ty }
    }
}

/// The answer of a batching rule.
#[derive(Debug)]
pub enum Batch {
    /// This op over all operands with the batch axis in front.
    Elementwise,
    /// The results.
    Results(Vec<Batched>),
    /// The op cannot be batched, because of this.
    Refuse(&'static str),
}

/// Whether the results of an op are worth keeping between the forward and the backward pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResidualClass {
    /// Expensive to compute again, or impossible: contractions, reductions, gathers, loops.
    Save,
    /// Cheap and fusible: computed again from what is kept.
    Recompute,
}

/// The types that an op computes in where a program computes in a narrower float than it was written in: `bf16` or `f16` instead of `f32`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Precision {
    /// It computes in the types it was written in: sums, functions, what moves elements.
    Keep,
    /// Its programs compute in the narrower float.
    Inside,
    /// It sums products of its first two operands: these are rounded, the sums have the type that they had. So have the sums in its
    /// derivatives, of which the cotangents are rounded too.
    Accumulate,
    /// The operands with these numbers are rounded; results that are narrower thereby get the type back that they had.
    Compute(SmallVec<[usize; 8]>),
}

/// The work of one execution of an op.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cost {
    /// Floating-point operations; a multiply-add counts two.
    pub flops: f64,
    /// Bytes of operands read and results written, each counted once.
    pub bytes: f64,
}

impl Cost {
    /// The cost of `flops` operations, and of reading all operands and writing all results.
    ///
    /// # Errors
    /// The elements of a type exceed the address space.
    pub fn new(flops: f64, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let mut bytes = 0;
        for ty in operands.iter().chain(results) {
            bytes += ty.bytes()?;
        }
        Ok(Cost { flops, bytes: bytes as f64 })
    }

    /// The cost of moving data and computing nothing.
    ///
    /// # Errors
    /// The elements of a type exceed the address space.
    pub fn movement(operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::new(0.0, operands, results)
    }

    /// The sum of two costs.
    pub fn plus(self, other: Cost) -> Cost {
        Cost { flops: self.flops + other.flops, bytes: self.bytes + other.bytes }
    }

    /// This cost `n` times.
    pub fn times(self, n: f64) -> Cost {
        Cost { flops: self.flops * n, bytes: self.bytes * n }
    }
}

/// An op's documentation for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Docs {
    /// One sentence, with the equation where there is one.
    pub summary: &'static str,
    /// Where it is specified.
    pub source: &'static str,
}

/// A program with its tangents: see [`Transforms::jvp`].
#[derive(Debug, Clone)]
pub struct JvpProgram {
    /// Takes the primals, then the tangents of the active parameters; returns the results, then the tangents of the
    /// active results.
    pub program: Program,
    /// Which results have a tangent.
    pub active: Vec<bool>,
}

/// A program in two parts: see [`Transforms::partial_eval`].
#[derive(Debug, Clone)]
pub struct SplitProgram {
    /// Takes the known parameters; returns the known results, then the residuals.
    pub known: Program,
    /// Takes the residuals, then the unknown parameters; returns the unknown results.
    pub unknown: Program,
    /// Which results are known.
    pub known_results: Vec<bool>,
    /// How many residuals pass from one part to the other.
    pub residuals: usize,
}

/// Transformations of sub-programs, for the rules of ops that hold some.
pub trait Transforms {
    /// The program with its tangents, for the parameters in `active`; the results in `instantiate` get a tangent even
    /// if it is zero (only differentiable ones may be asked for).
    ///
    /// # Errors
    /// An op on the way has no derivative.
    fn jvp(&self, program: &Program, active: &[bool], instantiate: &[bool]) -> Result<JvpProgram>;

    /// The program in two parts: what the parameters in `known` determine, and the rest. The results in `unknown` are
    /// left to the second part even if they are known.
    ///
    /// # Errors
    /// As [`Builder::push`].
    fn partial_eval(&self, program: &Program, known: &[bool], unknown: &[bool]) -> Result<SplitProgram>;

    /// Partial evaluation whose residuals are all known values that the second part uses: nothing
    /// but constants is computed again.
    ///
    /// # Errors
    /// As [`Builder::push`].
    fn partial_eval_as_is(&self, program: &Program, known: &[bool], unknown: &[bool])
    -> Result<SplitProgram>;

    /// Whether tangents are computed, so that each has to be a program that runs; otherwise they are only transposed.
    fn runs_tangents(&self) -> bool;

    /// The transpose of a program that is linear in the parameters in `linear`: takes the other parameters, then the
    /// cotangents of the results in `active`; returns the cotangents of the linear parameters, zeros included.
    ///
    /// # Errors
    /// An op on the way has no transpose.
    fn transpose(&self, program: &Program, linear: &[bool], active: &[bool]) -> Result<Program>;

    /// The program over parameters that have, where `batched` says so, one more axis of extent `size` in front, and
    /// which of its results have one; those in `force` always do.
    ///
    /// # Errors
    /// An op on the way cannot be batched.
    fn batch(
        &self,
        program: &Program,
        size: usize,
        batched: &[bool],
        force: &[bool],
    ) -> Result<(Program, Vec<bool>)>;
}

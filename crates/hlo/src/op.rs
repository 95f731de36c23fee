use std::sync::Arc;

use jarrah_base::{Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use crate::example::Example;
use crate::ops::*;
use crate::rules::{
    Batch, BatchCx, CheckCx, Checked, Cost, Docs, Effects, Jvp, JvpCx, PartialEval, PartialEvalCx, Precision,
    ProgramRef, ProgramRefs, ResidualClass, Rows, RowsCx, Rules, Transpose, TransposeCx, TypeVec,
};

/// The payload of an op's variant: the op's struct, or an `Arc` of it.
macro_rules! held {
    ($op:ident) => { $op };
    ($op:ident Arc) => { Arc<$op> };
}

macro_rules! ops {
    ($($op:ident $(($holder:ident))?),* $(,)?) => {
        /// Every operation there is: a closed list, so that a match over it is complete.
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "each variant is documented by its type")]
        pub enum Op {
            $($op(held!($op $($holder)?))),*
        }

        $(impl From<$op> for Op {
            fn from(op: $op) -> Op {
                Op::$op(op.into())
            }
        })*

        impl Op {
            /// Whether it, or a program inside, speaks of a named axis or of the devices of a mesh: batching changes it even where no operand is
            /// batched, and so does partitioning.
            pub fn names_axes(&self) -> bool {
                matches!(self, Op::AxisIndex(_) | Op::Collective(_) | Op::ManualComputation(_))
                    || self.programs().iter().any(|program| program.names_axes())
            }

            /// The program that the op runs once, on its operands, for its results; other programs that it holds are for
            /// transformations.
            pub fn callee(&self) -> Option<&ProgramRef> {
                match self {
                    Op::Call(op) => Some(&op.callee),
                    Op::Remat(op) => Some(&op.body),
                    Op::CustomRule(op) => Some(&op.primal),
                    Op::LinearSolve(op) => Some(&op.solve),
                    _ => None,
                }
            }

            /// The programs that may run: the callee alone where there is one, else all.
            pub fn runs(&self) -> ProgramRefs<'_> {
                match self.callee() {
                    Some(callee) => smallvec![callee],
                    None => self.programs(),
                }
            }

            /// See [`Rules::name`].
            pub fn name(&self) -> &'static str {
                match self { $(Op::$op(op) => op.name()),* }
            }

            /// The name by which users know the op, for messages: that of the function that makes it, or of the host
            /// function that it calls.
            pub fn called(&self) -> &str {
                match self {
                    Op::CustomCall(op) => match &op.target {
                        CallTarget::Function(function) => function.name(),
                        CallTarget::Named(_) => op.name(),
                    },
                    Op::Case(op) if op.branches.len() > 2 => "switch",
                    Op::Case(_) => "cond",
                    Op::While(_) => "while_loop",
                    Op::Convolution(_) => "conv_general_dilated",
                    Op::CustomRule(op) => match op.rule {
                        Rule::Transpose(_) => "linear_call",
                        Rule::Batch(_) => "custom_vmap",
                        Rule::Jvp(_) | Rule::Tangent(_) | Rule::Vjp { .. } => "custom_vjp",
                    },
                    Op::CustomTangent(_) => "custom_jvp",
                    Op::LinearSolve(_) => "custom_linear_solve",
                    op => match op.name().strip_prefix("jarrah.").unwrap_or(op.name()) {
                        "sine" => "sin",
                        "cosine" => "cos",
                        "exponential" => "exp",
                        "exponential_minus_one" => "expm1",
                        "log_plus_one" => "log1p",
                        "logistic" => "sigmoid",
                        "power" => "pow",
                        "round_nearest_even" => "round",
                        "round_nearest_afz" => "round_away",
                        "popcnt" => "population_count",
                        "count_leading_zeros" => "clz",
                        "next_after" => "nextafter",
                        name => name,
                    },
                }
            }

            /// See [`Rules::infer`].
            ///
            /// # Errors
            /// The operands do not fit.
            pub fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
                self.check_effects()?;
                let results = match self { $(Op::$op(op) => op.infer(operands)?),* };
                results.iter().try_for_each(|ty| ty.check_size())?;
                Ok(results)
            }

            /// Checks that an op that runs its programs as often as it likes, such as a reduction, has only programs
            /// for which that makes no difference. A custom rule and a linear solve hold programs for transformations,
            /// and run one of them.
            fn check_effects(&self) -> Result<()> {
                if matches!(self, Op::CustomRule(_) | Op::CustomTangent(_) | Op::LinearSolve(_)) {
                    return Ok(());
                }
                let own = self.effects();
                match self.programs().iter().find(|p| !own.covers(p.effects())) {
                    Some(program) => Err(Error::program(format!(
                        "{} has effects, but how often it runs, and in which order, is not defined here",
                        program.name()
                    ))),
                    None => Ok(()),
                }
            }

            /// See [`Rules::jvp`].
            ///
            /// # Errors
            /// A derivative that is needed does not exist.
            pub fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
                match self { $(Op::$op(op) => op.jvp(cx)),* }
            }

            /// See [`Rules::partial_eval`].
            ///
            /// # Errors
            /// As [`crate::Builder::push`].
            pub fn partial_eval(&self, cx: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
                match self { $(Op::$op(op) => op.partial_eval(cx)),* }
            }

            /// See [`Rules::transpose`].
            ///
            /// # Errors
            /// As [`crate::Builder::push`].
            pub fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
                match self { $(Op::$op(op) => op.transpose(cx)),* }
            }

            /// See [`Rules::batch`].
            ///
            /// # Errors
            /// As [`crate::Builder::push`].
            pub fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
                match self { $(Op::$op(op) => op.batch(cx)),* }
            }

            /// See [`Rules::checked`].
            ///
            /// # Errors
            /// As [`crate::Builder::push`].
            pub fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
                match self { $(Op::$op(op) => op.checked(cx)),* }
            }

            /// Whether rows stay apart, where `fewer` stands in its place over fewer of them: see [`Rules::rows_apart`].
            ///
            /// # Errors
            /// A program inside mixes rows.
            pub fn rows_apart(&self, fewer: &Op, cx: &RowsCx<'_>) -> Result<Rows> {
                match (self, fewer) {
                    $((Op::$op(op), Op::$op(fewer)) => op.rows_apart(fewer, cx),)*
                    _ => Ok(Rows::Refuse("another op stands there over fewer rows")),
                }
            }

            /// See [`Rules::effects`].
            pub fn effects(&self) -> Effects {
                match self { $(Op::$op(op) => op.effects()),* }
            }

            /// See [`Rules::residual_class`].
            pub fn residual_class(&self) -> ResidualClass {
                match self { $(Op::$op(op) => op.residual_class()),* }
            }

            /// See [`Rules::precision`].
            pub fn precision(&self) -> Precision {
                match self { $(Op::$op(op) => op.precision()),* }
            }

            /// See [`Rules::cost`].
            ///
            /// # Errors
            /// The elements of a type exceed the address space.
            pub fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
                match self { $(Op::$op(op) => op.cost(operands, results)),* }
            }

            /// See [`Rules::docs`].
            pub fn docs(&self) -> Docs {
                match self { $(Op::$op(op) => op.docs()),* }
            }

            /// See [`Rules::programs`].
            pub fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
                match self { $(Op::$op(op) => op.programs()),* }
            }

            /// See [`Rules::with_programs`].
            pub fn with_programs(&self, programs: &[ProgramRef]) -> Op {
                match self { $(Op::$op(op) => Op::$op(op.with_programs(programs).into())),* }
            }

            /// The examples of every op.
            pub fn examples() -> Vec<Example> {
                let mut all = Vec::new();
                $(all.extend(<$op as Rules>::examples());)*
                all
            }
        }
    };
}

// Programs are copied again and again, and every instruction takes the space of the largest variant: what is larger than
// three words is shared instead.
ops! {
    Elementwise,
    Compare,
    Select,
    Clamp,
    Convert,
    BitcastConvert,
    Complex,
    Real,
    Imag,
    Constant,
    Iota(Arc),
    BroadcastInDim(Arc),
    Reshape(Arc),
    TransposeAxes(Arc),
    Reverse(Arc),
    Slice(Arc),
    Pad(Arc),
    Concatenate,
    DynamicSlice(Arc),
    DynamicUpdateSlice(Arc),
    Gather(Arc),
    Scatter(Arc),
    DotGeneral(Arc),
    Convolution(Arc),
    Reduce(Arc),
    ReducePrecision,
    ReduceWindow(Arc),
    WindowArg(Arc),
    Sort(Arc),
    Fft(Arc),
    RngBitGenerator(Arc),
    Cholesky,
    TriangularSolve,
    Lu,
    Qr,
    Geqrf,
    HouseholderProduct,
    Eigh,
    Svd,
    Eig,
    Schur,
    Hessenberg,
    Tridiagonal,
    TridiagonalSolve,
    While,
    Case,
    Call,
    Scan(Arc),
    Remat(Arc),
    OptimizationBarrier,
    CheckpointName,
    CustomRule(Arc),
    CustomTangent(Arc),
    LinearSolve(Arc),
    AxisIndex,
    Collective(Arc),
    ManualComputation(Arc),
    CustomCall(Arc),
    Assert,
    Threefry2x32,
    RaggedDot,
    Attention(Arc),
    Kernel(Arc),
}

const _: () = assert!(size_of::<Op>() <= 32, "ops are small: share the op that is not");

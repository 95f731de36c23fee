use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use jarrah_base::{Error, Result, Scope, Source, Type};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::effects::Effects;
use crate::op::Op;
use crate::ops::CallTarget;
use crate::sharding::ProgramShardings;

/// A value of one program: a parameter or the result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Value(pub(crate) u32);

impl Value {
    /// The position in the program's list of values.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// The operands of an instruction.
pub type Operands = SmallVec<[Value; 4]>;

/// A parameter of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// Its type.
    pub ty: Type,
    /// Its path in the user's argument tree: `params.layers.3.weight`; empty where there is none.
    pub path: Scope,
}

/// One operation applied to values; its results are consecutive values.
#[derive(Clone, Debug)]
pub struct Instr {
    /// The op.
    pub op: Op,
    /// To what.
    pub operands: Operands,
    pub(crate) first_result: u32,
    pub(crate) result_count: u32,
    /// The user's line and the part of the model it belongs to.
    pub source: Source,
}

impl Instr {
    /// The values it defines.
    pub fn results(&self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + use<> {
        (self.first_result..self.first_result + self.result_count).map(Value)
    }

    /// The value it defines, for an instruction with one result.
    pub fn result(&self) -> Value {
        debug_assert_eq!(self.result_count, 1);
        Value(self.first_result)
    }
}

/// A closed function in SSA form.
///
/// Values are numbered: the parameters first, then the results of each instruction in order, so an instruction's
/// operands have smaller numbers than its results. Sub-programs inside ops are closed too: what a region of StableHLO
/// would capture is an operand here.
///
/// Equality and hashing look at structure and types, not at names and sources.
#[derive(Clone)]
pub struct Program {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) types: Vec<Type>,
    pub(crate) instrs: Vec<Instr>,
    pub(crate) results: Vec<Value>,
    pub(crate) shardings: Option<Arc<ProgramShardings>>,
    pub(crate) summary: Summary,
}

/// Properties of a program, computed once when it is finished: programs share sub-programs, and an
/// answer that walked each of them once per use would take exponentially long.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    /// The hash of everything that equality looks at.
    fingerprint: u64,
    effects: Effects,
    /// Whether it calls a name that a registry has to know.
    calls_names: bool,
    /// Whether it calls a function of this process.
    calls_functions: bool,
    /// Whether it speaks of a named axis.
    names_axes: bool,
    /// How deep sub-programs nest; one where there are none.
    depth: usize,
    /// The instructions when each sub-program is written out where it is used.
    expanded: u64,
}

/// How deep sub-programs may nest: what walks them is recursive.
pub const MAX_DEPTH: usize = 256;

/// How many instructions a program may have when each sub-program is written out where it is used.
pub const MAX_EXPANDED: u64 = 1 << 22;

impl Program {
    /// The name, for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// This program under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The parameters; the i-th is the value returned by [`Program::param`].
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// The value of the parameter `index`, which must exist.
    pub fn param(&self, index: usize) -> Value {
        assert!(index < self.params.len(), "parameter {index} of {}", self.params.len());
        Value(index as u32)
    }

    /// The values of all parameters.
    pub fn param_values(&self) -> impl ExactSizeIterator<Item = Value> + use<> {
        (0..self.params.len() as u32).map(Value)
    }

    /// The types of the parameters.
    pub fn param_types(&self) -> Vec<Type> {
        self.params.iter().map(|p| p.ty).collect()
    }

    /// The instructions, in an order that defines values before their uses.
    pub fn instrs(&self) -> &[Instr] {
        &self.instrs
    }

    /// The values that the program returns.
    pub fn results(&self) -> &[Value] {
        &self.results
    }

    /// The types of what the program returns.
    pub fn result_types(&self) -> Vec<Type> {
        self.results.iter().map(|&v| self.ty(v)).collect()
    }

    /// How arguments and results lie on the devices that run the program, if that is stated.
    pub fn shardings(&self) -> Option<&ProgramShardings> {
        self.shardings.as_deref()
    }

    /// This program with arguments and results that lie so on the devices that run it.
    ///
    /// # Errors
    /// They do not fit the arguments and results: see [`ProgramShardings::check`].
    pub fn with_shardings(mut self, shardings: ProgramShardings) -> Result<Program> {
        shardings.check(&self.param_types(), &self.result_types())?;
        self.shardings = Some(Arc::new(shardings)).filter(|shardings| !shardings.is_empty());
        self.seal()
    }

    /// The type of a value of this program.
    pub fn ty(&self, value: Value) -> Type {
        self.types[value.index()]
    }

    /// The number of values.
    pub fn value_count(&self) -> usize {
        self.types.len()
    }

    /// For each value the index of the instruction that defines it; `None` for parameters.
    pub fn definitions(&self) -> Vec<Option<usize>> {
        let mut definitions = vec![None; self.types.len()];
        for (index, instr) in self.instrs.iter().enumerate() {
            for value in instr.results() {
                definitions[value.index()] = Some(index);
            }
        }
        definitions
    }

    /// For each value how many operands and program results name it.
    pub fn use_counts(&self) -> Vec<u32> {
        let mut uses = vec![0; self.types.len()];
        let operands = self.instrs.iter().flat_map(|i| i.operands.iter());
        for value in operands.chain(&self.results) {
            uses[value.index()] += 1;
        }
        uses
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.summary.fingerprint == other.summary.fingerprint
            && self.params.len() == other.params.len()
            && self.types == other.types
            && self.shardings == other.shardings
            && self.results == other.results
            && self.instrs.len() == other.instrs.len()
            && self.instrs.iter().zip(&other.instrs).all(|(a, b)| a.operands == b.operands && a.op == b.op)
    }
}
impl Eq for Program {}
impl Hash for Program {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.summary.fingerprint);
    }
}

impl Program {
    /// The effects of a run besides computing the results.
    pub fn effects(&self) -> Effects {
        self.summary.effects
    }

    /// Whether it calls a name that a [`Registry`](crate::host::Registry) has to know before it runs.
    pub fn calls_names(&self) -> bool {
        self.summary.calls_names
    }

    /// Whether it calls a function of this process, so that it means nothing elsewhere: in a file, say.
    pub fn calls_functions(&self) -> bool {
        self.summary.calls_functions
    }

    /// Whether an op of it, or of a program inside, speaks of a named axis.
    pub fn names_axes(&self) -> bool {
        self.summary.names_axes
    }

    /// A number that equal programs have, in every process of one build: it depends on structure and types, on the first 128 bytes of a
    /// constant, and on the names and typed attributes of host functions, not on their texts. Different programs have different ones but for one in 2⁶⁴.
    ///
    /// ```
    /// use jarrah_base::{DType, Type};
    /// use jarrah_hlo::Builder;
    ///
    /// let add = |number: f32| {
    ///     let mut b = Builder::new("add");
    ///     let x = b.param(Type::scalar(DType::F32), "x");
    ///     let number = b.scalar(number)?;
    ///     let sum = b.add(x, number)?;
    ///     b.finish(&[sum])
    /// };
    /// assert_eq!(add(1.0)?.fingerprint(), add(1.0)?.named("other").fingerprint());
    /// assert_ne!(add(1.0)?.fingerprint(), add(2.0)?.fingerprint());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        self.summary.fingerprint
    }

    /// How many instructions it has when each program that it calls is written out where it is used.
    pub fn expanded(&self) -> u64 {
        self.summary.expanded
    }

    /// Whether the other is equal, also in what equality leaves out: names, paths and sources, those of programs inside
    /// included. Takes time in proportion to [`Program::expanded`] at each level of nesting.
    pub fn is_identical(&self, other: &Program) -> bool {
        let identical = |(a, b): (&Instr, &Instr)| {
            let (inner, other) = (a.op.programs(), b.op.programs());
            a.source == b.source
                && inner.iter().zip(&other).all(|(a, b)| Arc::ptr_eq(a, b) || a.is_identical(b))
        };
        self == other
            && self.name == other.name
            && self.params == other.params
            && self.instrs.iter().zip(&other.instrs).all(identical)
    }

    /// Checks that the program stays within [`MAX_EXPANDED`] instructions when each sub-program is written out where
    /// it is used, as compiling and differentiating do.
    ///
    /// # Errors
    /// It has more; the error names the innermost program that has more, too.
    pub fn check_expansion(&self) -> Result<()> {
        let too_large = |p: &Program| p.summary.expanded > MAX_EXPANDED;
        if !too_large(self) {
            return Ok(());
        }
        let mut innermost = self;
        while let Some(inner) = innermost.instrs.iter().flat_map(|i| i.op.programs()).find(|p| too_large(p)) {
            innermost = inner;
        }
        let count = |p: &Program| match p.summary.expanded {
            u64::MAX => "more than 2^64".to_owned(),
            count => count.to_string(),
        };
        let mut error = Error::program(format!(
            "{} has {} instructions with all that it calls, {MAX_EXPANDED} are allowed",
            self.name,
            count(self)
        ));
        if !std::ptr::eq(innermost, self) {
            let (name, own) = (&innermost.name, innermost.instrs.len());
            error = error.context(format!(
                "{name}, which it calls, has {own} of its own and {} with all that it calls in turn",
                count(innermost)
            ));
        }
        Err(error.help("turn calls that repeat into a scan"))
    }

    /// Takes the summary of a program that is otherwise finished.
    pub(crate) fn seal(mut self) -> Result<Program> {
        let mut summary = Summary { depth: 1, ..Summary::default() };
        for instr in &self.instrs {
            summary.effects = summary.effects.union(instr.op.effects());
            summary.expanded = summary.expanded.saturating_add(1);
            if let Op::CustomCall(call) = &instr.op {
                summary.calls_names |= matches!(call.target, CallTarget::Named(_));
                summary.calls_functions |= matches!(call.target, CallTarget::Function(_));
            }
            summary.names_axes |= instr.op.names_axes();
            for inner in instr.op.programs() {
                summary.calls_names |= inner.summary.calls_names;
                summary.calls_functions |= inner.summary.calls_functions;
                summary.depth = summary.depth.max(1 + inner.summary.depth);
                summary.expanded = summary.expanded.saturating_add(inner.summary.expanded);
            }
            if summary.depth > MAX_DEPTH {
                let error = format!("in {}, programs nest deeper than {MAX_DEPTH}", self.name);
                let error = Error::program(error).op(instr.op.name());
                return Err(match instr.source.location {
                    Some(location) => error.at(location),
                    None => error,
                });
            }
        }
        let mut state = FxHasher::default();
        self.params.len().hash(&mut state);
        for instr in &self.instrs {
            instr.op.hash(&mut state);
            instr.operands.hash(&mut state);
        }
        self.types.hash(&mut state);
        self.results.hash(&mut state);
        if let Some(shardings) = &self.shardings {
            shardings.hash(&mut state);
        }
        summary.fingerprint = state.finish();
        self.summary = summary;
        Ok(self)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (i, p) in self.params.iter().enumerate() {
            write!(f, "{}%{i}: {}", if i > 0 { ", " } else { "" }, p.ty)?;
        }
        writeln!(f, ") {{")?;
        for instr in &self.instrs {
            let results: Vec<Value> = instr.results().collect();
            let types: Vec<Type> = instr.results().map(|v| self.ty(v)).collect();
            writeln!(f, "  {results:?} = {:?} {:?} : {types:?}", instr.op, &instr.operands[..])?;
        }
        write!(f, "  return {:?}\n}}", self.results)
    }
}

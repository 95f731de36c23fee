//! Failures of a running program that the program itself reports: the rule [`crate::Rules::checked`] of ops.

use jarrah_base::{DType, Result, Source, Type};
use smallvec::SmallVec;

use crate::builder::Builder;
use crate::op::Op;
use crate::ops::{Comparison, ElementwiseKind, Reducer};
use crate::program::{Program, Value};
use crate::rules::ProgramRef;

/// The failures to look for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Categories {
    /// Results that are no numbers.
    pub nan: bool,
    /// Results that are infinite.
    pub infinity: bool,
    /// Divisions by zero.
    pub division: bool,
    /// Positions outside of what is indexed.
    pub bounds: bool,
    /// Checks that the user wrote.
    pub user: bool,
}

impl Categories {
    /// None.
    pub const NONE: Categories =
        Categories { nan: false, infinity: false, division: false, bounds: false, user: false };
    /// Results that are no numbers.
    pub const NAN: Categories = Categories { nan: true, ..Categories::NONE };
    /// Results that are infinite.
    pub const INFINITY: Categories = Categories { infinity: true, ..Categories::NONE };
    /// Divisions by zero.
    pub const DIVISION: Categories = Categories { division: true, ..Categories::NONE };
    /// Positions outside of what is indexed.
    pub const INDEX: Categories = Categories { bounds: true, ..Categories::NONE };
    /// Checks that the user wrote.
    pub const USER: Categories = Categories { user: true, ..Categories::NONE };
    /// NaNs and divisions by zero.
    pub const FLOAT: Categories = Categories { nan: true, division: true, ..Categories::NONE };
    /// NaNs, divisions by zero and positions outside.
    pub const AUTOMATIC: Categories =
        Categories { nan: true, division: true, bounds: true, ..Categories::NONE };
    /// All of [`Categories::AUTOMATIC`], and checks that the user wrote.
    pub const ALL: Categories = Categories { user: true, ..Categories::AUTOMATIC };
}

impl std::ops::BitOr for Categories {
    type Output = Categories;

    fn bitor(self, other: Categories) -> Categories {
        Categories {
            nan: self.nan | other.nan,
            infinity: self.infinity | other.infinity,
            division: self.division | other.division,
            bounds: self.bounds | other.bounds,
            user: self.user | other.user,
        }
    }
}

/// The way in which an instruction failed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Failure {
    /// A result is no number.
    Nan,
    /// A result is infinite.
    Infinity,
    /// A divisor is zero.
    Division,
    /// A position is outside of a tensor of this type along this axis.
    Bounds(Type, usize),
    /// A check that the user wrote, whose message has a `{}` for each number.
    User(Box<str>),
}

/// An instruction that may fail.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// How.
    pub failure: Failure,
    /// The name of its op.
    pub op: &'static str,
    /// The user's line.
    pub source: Source,
}

/// How many numbers a failure says about itself.
pub const NUMBERS: usize = 4;

impl Site {
    /// The failure as a sentence, with the numbers that the program gave.
    ///
    /// ```
    /// use jarrah_base::{DType, Source, Type};
    /// use jarrah_hlo::{Failure, Site};
    /// let failure = Failure::Bounds(Type::tensor(DType::F32, [3]), 0);
    /// let site = Site { failure, op: "gather", source: Source::unknown() };
    /// assert_eq!(site.describe(&[7.0]), "index 7 is out of bounds of axis 0 of f32[3]");
    /// ```
    pub fn describe(&self, numbers: &[f64]) -> String {
        filled(&self.template().0, numbers)
    }

    /// The message with a `{}` for each number, and how many there are.
    pub fn template(&self) -> (String, usize) {
        match &self.failure {
            Failure::Nan => (format!("{} made a NaN", self.op), 0),
            Failure::Infinity => (format!("{} made an infinity", self.op), 0),
            Failure::Division => ("division by zero".to_owned(), 0),
            Failure::Bounds(ty, axis) => (format!("index {{}} is out of bounds of axis {axis} of {ty}"), 1),
            Failure::User(message) => (message.to_string(), message.matches("{}").count()),
        }
    }
}

/// The message with each `{}` replaced by the number in its turn.
pub fn filled(message: &str, numbers: &[f64]) -> String {
    let mut parts = message.split("{}");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (i, part) in parts.enumerate() {
        match numbers.get(i) {
            Some(number) => text.push_str(&number.to_string()),
            None => text.push_str("{}"),
        }
        text.push_str(part);
    }
    text
}

/// The first failure of a run: the number of its site from one, zero while there is none, and its numbers.
#[derive(Clone, Copy, Debug)]
pub struct CheckState {
    /// An `i32` scalar.
    pub site: Value,
    /// An `f64[NUMBERS]`.
    pub numbers: Value,
}

impl CheckState {
    /// The types of its values.
    pub fn types() -> [Type; 2] {
        [Type::scalar(DType::I32), Type::tensor(DType::F64, [NUMBERS])]
    }

    /// Its values.
    pub fn values(self) -> [Value; 2] {
        [self.site, self.numbers]
    }

    /// The state at the end of `values`, which are taken off.
    pub(crate) fn split_off(values: &mut Vec<Value>) -> CheckState {
        let state = values.split_off(values.len() - 2);
        CheckState { site: state[0], numbers: state[1] }
    }
}

/// The answer of [`crate::Rules::checked`].
#[derive(Debug)]
pub enum Checked {
    /// The op runs as it is; it moves, makes or compares elements.
    AsIs,
    /// The op runs as it is, and its results are looked at: it computes numbers.
    Numbers,
    /// The rule has made these results itself.
    Results(Vec<Value>),
}

/// A transformation that makes programs report failures: it numbers sites, and rewrites the sub-programs of ops.
pub trait Checker {
    /// The failures to look for.
    fn categories(&self) -> Categories;

    /// The number of a new site.
    fn site(&self, site: Site) -> i32;

    /// The program that also takes and returns a [`CheckState`], after its other parameters and results.
    ///
    /// # Errors
    /// As [`Builder::push`].
    fn program(&self, program: &ProgramRef) -> Result<ProgramRef>;
}

/// The arguments of the rule `checked`.
pub struct CheckCx<'a> {
    /// Where instructions go.
    pub b: &'a mut Builder,
    /// The op's operands.
    pub operands: &'a [Value],
    /// The first failure so far, which the rule updates.
    pub state: CheckState,
    /// The transformation that calls the rule.
    pub checker: &'a dyn Checker,
    op: &'a Op,
    source: Source,
}

impl<'a> CheckCx<'a> {
    /// The context for an instruction.
    pub fn new(
        b: &'a mut Builder,
        (op, source): (&'a Op, Source),
        operands: &'a [Value],
        state: CheckState,
        checker: &'a dyn Checker,
    ) -> Self {
        CheckCx { b, operands, state, checker, op, source }
    }

    /// The instruction, with what its rule looks for.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn push(&mut self) -> Result<Vec<Value>> {
        match self.op.checked(self)? {
            Checked::Results(results) => Ok(results),
            Checked::AsIs => Ok(self.b.push(self.op.clone(), self.operands)?.to_vec()),
            Checked::Numbers => {
                let results = self.b.push(self.op.clone(), self.operands)?.to_vec();
                for &result in &results {
                    self.numbers(result)?;
                }
                Ok(results)
            }
        }
    }

    /// Looks at the elements of a result.
    fn numbers(&mut self, x: Value) -> Result<()> {
        for (failure, fails) in wrong_numbers(self.b, x, self.checker.categories())? {
            self.fail(fails, failure, &[])?;
        }
        Ok(())
    }

    /// Looks for zeros in a divisor.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn divisor(&mut self, x: Value) -> Result<()> {
        if !self.checker.categories().division {
            return Ok(());
        }
        let zero = self.b.zeros_like(x)?;
        let fails = self.b.compare(Comparison::Eq, x, zero)?;
        self.fail_any(fails, Failure::Division)
    }

    /// Looks for positions in `indices`, along `axis` of a tensor of type `of`, that are not in `0..=last`.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn position(&mut self, indices: Value, of: Type, axis: usize, last: usize) -> Result<()> {
        if !self.checker.categories().bounds {
            return Ok(());
        }
        let wide = self.b.convert(indices, DType::F64)?;
        let ty = self.b.ty(wide);
        let (zero, last) = (self.b.zeros(ty)?, self.b.full(ty, last as f64)?);
        let below = self.b.compare(Comparison::Lt, wide, zero)?;
        let above = self.b.compare(Comparison::Gt, wide, last)?;
        let fails = self.b.binary(ElementwiseKind::Or, below, above)?;
        // Of all positions outside the largest, or the smallest where none is too large.
        let outside = self.b.select(fails, wide, zero)?;
        let axes: Vec<usize> = (0..ty.rank()).collect();
        let largest = self.b.reduce(Reducer::Max, outside, &axes)?;
        let smallest = self.b.reduce(Reducer::Min, outside, &axes)?;
        let zero = self.b.zeros_like(largest)?;
        let is_above = self.b.compare(Comparison::Gt, largest, zero)?;
        let index = self.b.select(is_above, largest, smallest)?;
        let fails = any(self.b, fails)?;
        self.fail(fails, Failure::Bounds(of, axis), &[index])
    }

    /// Records a failure where an element of `fails` is true.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn fail_any(&mut self, fails: Value, failure: Failure) -> Result<()> {
        let fails = any(self.b, fails)?;
        self.fail(fails, failure, &[])
    }

    /// Records a failure, unless there is one already, where the scalar `fails` is true; `numbers` are `f64` scalars.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn fail(&mut self, fails: Value, failure: Failure, numbers: &[Value]) -> Result<()> {
        let number = self.checker.site(Site { failure, op: self.op.name(), source: self.source });
        let CheckState { site, numbers: before } = self.state;
        let zero = self.b.scalar(0i32)?;
        let fine = self.b.compare(Comparison::Eq, site, zero)?;
        let first = self.b.binary(ElementwiseKind::And, fine, fails)?;
        let number = self.b.scalar(number)?;
        self.state.site = self.b.select(first, number, site)?;
        if !numbers.is_empty() {
            let mut all: Vec<Value> = Vec::with_capacity(NUMBERS);
            for &number in numbers.iter().take(NUMBERS) {
                all.push(self.b.reshape(number, &[1])?);
            }
            if all.len() < NUMBERS {
                all.push(self.b.zeros(Type::tensor(DType::F64, [NUMBERS - all.len()]))?);
            }
            let all = self.b.concatenate(&all, 0)?;
            let first = self.b.broadcast_in_dim(first, &[NUMBERS], &[])?;
            self.state.numbers = self.b.select(first, all, before)?;
        }
        Ok(())
    }

    /// Runs the op `make` of a program that looks for failures itself, in the place of one that holds `program`.
    pub(crate) fn inside(
        &mut self,
        program: &ProgramRef,
        make: impl FnOnce(ProgramRef) -> Op,
    ) -> Result<Checked> {
        let op = make(self.checker.program(program)?);
        let operands: Vec<Value> = self.operands.iter().copied().chain(self.state.values()).collect();
        let mut results = self.b.push(op, &operands)?.to_vec();
        self.state = CheckState::split_off(&mut results);
        Ok(Checked::Results(results))
    }
}

/// For each kind of wrong number that is looked for whether `x` has one, a scalar.
///
/// # Errors
/// As [`Builder::push`].
pub fn wrong_numbers(b: &mut Builder, x: Value, categories: Categories) -> Result<Vec<(Failure, Value)>> {
    let dtype = b.ty(x).dtype();
    let mut found = Vec::new();
    if !(dtype.is_float() || dtype.is_complex()) || !(categories.nan || categories.infinity) {
        return Ok(found);
    }
    let parts: SmallVec<[Value; 2]> = match dtype.is_complex() {
        true => SmallVec::from_slice(&[b.one(crate::ops::Real, &[x])?, b.one(crate::ops::Imag, &[x])?]),
        false => SmallVec::from_slice(&[x]),
    };
    for part in parts {
        let ty = b.ty(part);
        if categories.nan {
            let fails = b.compare(Comparison::Ne, part, part)?;
            found.push((Failure::Nan, any(b, fails)?));
        }
        if categories.infinity && ty.dtype().has_infinity() {
            let (size, limit) = (b.unary(ElementwiseKind::Abs, part)?, b.full(ty, f64::INFINITY)?);
            let fails = b.compare(Comparison::Eq, size, limit)?;
            found.push((Failure::Infinity, any(b, fails)?));
        }
    }
    Ok(found)
}

/// Whether an element of `flags` is true, a scalar.
pub(crate) fn any(b: &mut Builder, flags: Value) -> Result<Value> {
    let axes: Vec<usize> = (0..b.ty(flags).rank()).collect();
    if axes.is_empty() { Ok(flags) } else { b.reduce(Reducer::Or, flags, &axes) }
}

/// A program that looks for failures, with the parameters of its state at the position `params` and their results at
/// `results`, instead of last.
pub(crate) fn with_state_at(program: &Program, params: usize, results: usize) -> Result<Program> {
    let mut order: Vec<Value> = program.param_values().collect();
    order[params..].rotate_right(2);
    let mut returned = program.results().to_vec();
    returned[results..].rotate_right(2);
    program.extract(&order, &returned)
}

/// A state without a failure.
///
/// # Errors
/// As [`Builder::push`].
pub fn fresh(b: &mut Builder) -> Result<CheckState> {
    let [_, numbers] = CheckState::types();
    Ok(CheckState { site: b.scalar(0i32)?, numbers: b.zeros(numbers)? })
}

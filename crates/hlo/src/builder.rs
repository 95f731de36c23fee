use jarrah_base::{Error, Location, Result, Scope, Source, Type, work};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::op::Op;
use crate::program::{Instr, Operands, Param, Program, Summary, Value};
use crate::rules::TypeVec;
use crate::sharding::ProgramShardings;

/// The results of one instruction.
pub type Results = SmallVec<[Value; 2]>;

/// Builds a [`Program`], inferring and checking each instruction as it is pushed.
///
/// Constants, iotas and broadcasts are value-numbered: pushing the same one twice gives the same value.
pub struct Builder {
    program: Program,
    param_values: Vec<Value>,
    source: Source,
    numbered: FxHashMap<(Op, Operands), Value>,
}

impl Builder {
    /// An empty program called `name`.
    pub fn new(name: impl Into<String>) -> Self {
        Builder {
            program: Program {
                name: name.into(),
                params: Vec::new(),
                types: Vec::new(),
                instrs: Vec::new(),
                results: Vec::new(),
                shardings: None,
                summary: Summary::default(),
            },
            param_values: Vec::new(),
            source: Source::unknown(),
            numbered: FxHashMap::default(),
        }
    }

    /// A builder with the same name and parameters as `program`, and no instruction. Where it gets as many results, these lie on devices as
    /// those of `program` do.
    pub fn like(program: &Program) -> Self {
        let mut builder = Builder::new(program.name());
        // As a rule what is built is about as long.
        builder.program.types.reserve(program.value_count());
        builder.program.instrs.reserve(program.instrs().len());
        for param in program.params() {
            builder.param(param.ty, param.path.path());
        }
        builder.program.shardings = program.shardings.clone();
        builder
    }

    /// Adds a parameter.
    ///
    /// Parameters may be added after instructions; [`Builder::finish`] numbers them first.
    pub fn param(&mut self, ty: Type, path: &str) -> Value {
        let path = if path.is_empty() { Scope::root() } else { Scope::new(path) };
        self.param_at(Param { ty, path })
    }

    /// Adds a parameter described by `param`.
    pub fn param_at(&mut self, param: Param) -> Value {
        let value = Value(self.program.types.len() as u32);
        self.program.types.push(param.ty);
        self.program.params.push(param);
        self.param_values.push(value);
        value
    }

    /// The type of a value made by this builder.
    pub fn ty(&self, value: Value) -> Type {
        self.program.types[value.index()]
    }

    /// The types of several values.
    pub fn types(&self, values: &[Value]) -> TypeVec {
        values.iter().map(|&v| self.ty(v)).collect()
    }

    /// The source that pushed instructions get.
    pub fn source(&self) -> Source {
        self.source
    }

    /// Sets the source that pushed instructions get and returns the one before.
    pub fn set_source(&mut self, source: Source) -> Source {
        std::mem::replace(&mut self.source, source)
    }

    /// The parameters so far.
    pub fn params(&self) -> &[Param] {
        &self.program.params
    }

    /// The instructions so far.
    pub fn instrs(&self) -> &[Instr] {
        &self.program.instrs
    }

    /// The instruction that made `value`; `None` for a parameter.
    pub fn definition(&self, value: Value) -> Option<&Instr> {
        let instrs = &self.program.instrs;
        let after = instrs.partition_point(|i| i.first_result <= value.0);
        let instr = instrs[..after].last()?;
        (value.0 < instr.first_result + instr.result_count).then_some(instr)
    }

    /// Where `value` was made, if that is known.
    pub fn location(&self, value: Value) -> Option<Location> {
        self.definition(value)?.source.location
    }

    /// Appends `op` applied to `operands` and returns its results.
    ///
    /// # Errors
    /// The fault that the op's inference finds, with the op's name, the current source, and where each operand was made.
    pub fn push(&mut self, op: impl Into<Op>, operands: &[Value]) -> Result<Results> {
        let op = op.into();
        let types = self.types(operands);
        match op.infer(&types) {
            Ok(results) => Ok(self.push_typed(op, operands, &results, self.source)),
            Err(error) => Err(self.explain(error, &op, operands)),
        }
    }

    /// Appends an op with one result.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn one(&mut self, op: impl Into<Op>, operands: &[Value]) -> Result<Value> {
        let results = self.push(op, operands)?;
        match results[..] {
            [value] => Ok(value),
            _ => Err(Error::internal(format!("one result was expected, {} were made", results.len()))),
        }
    }

    fn explain(&self, error: Error, op: &Op, operands: &[Value]) -> Error {
        let mut error = error.op(op.called());
        if let Some(location) = self.source.location {
            error = error.at(location);
        }
        let made = operands.iter().map(|&operand| self.location(operand));
        error = op.label_operands(error, made, self.source.location);
        if !self.source.scope.path().is_empty() {
            error = error.context(format!("in {}", self.source.scope.path()));
        }
        error
    }

    pub(crate) fn push_typed(
        &mut self,
        op: Op,
        operands: &[Value],
        results: &[Type],
        source: Source,
    ) -> Results {
        work::step(1 + operands.len() + results.len());
        let operands = Operands::from_slice(operands);
        let numbered = matches!(op, Op::Constant(_) | Op::Iota(_) | Op::BroadcastInDim(_));
        if numbered && let Some(&known) = self.numbered.get(&(op.clone(), operands.clone())) {
            return Results::from_slice(&[known]);
        }
        let first_result = self.program.types.len() as u32;
        self.program.types.extend_from_slice(results);
        if numbered {
            self.numbered.insert((op.clone(), operands.clone()), Value(first_result));
        }
        let result_count = results.len() as u32;
        self.program.instrs.push(Instr { op, operands, first_result, result_count, source });
        (first_result..first_result + result_count).map(Value).collect()
    }

    /// Appends an instruction of another program with these operands, keeping its source; one without a source gets that of pushed
    /// instructions.
    ///
    /// The operands must have the types they had there; this is checked in debug builds only.
    pub fn copy(&mut self, program: &Program, instr: &Instr, operands: &[Value]) -> Results {
        debug_assert!(
            instr.operands.iter().zip(operands).all(|(&a, &b)| program.ty(a) == self.ty(b)),
            "operands of {} changed type",
            instr.op.name()
        );
        let types: TypeVec = instr.results().map(|v| program.ty(v)).collect();
        let source = if instr.source == Source::unknown() { self.source } else { instr.source };
        self.push_typed(instr.op.clone(), operands, &types, source)
    }

    /// Appends the body of `program` with `args` for its parameters and returns its results.
    ///
    /// # Errors
    /// The number or types of the arguments are not those of the parameters.
    pub fn inline(&mut self, program: &Program, args: &[Value]) -> Result<Vec<Value>> {
        check_arguments(program, &self.types(args))?;
        let mut map: Vec<Value> = Vec::with_capacity(program.value_count());
        map.extend_from_slice(args);
        let mut operands = Operands::new();
        for instr in program.instrs() {
            operands.clear();
            operands.extend(instr.operands.iter().map(|v| map[v.index()]));
            let results = self.copy(program, instr, &operands);
            map.extend(results);
        }
        Ok(program.results().iter().map(|v| map[v.index()]).collect())
    }

    /// The program, with `results` as what it returns.
    ///
    /// # Errors
    /// A result is no value of this builder, sub-programs nest deeper than [`crate::MAX_DEPTH`], or a parameter has more
    /// elements than the address space.
    pub fn finish(self, results: &[Value]) -> Result<Program> {
        let Builder { mut program, param_values, .. } = self;
        program.params.iter().try_for_each(|param| param.ty.check_size())?;
        if let Some(alien) = results.iter().find(|v| v.index() >= program.types.len()) {
            return Err(Error::internal(format!("{alien:?} is no value of {}", program.name)));
        }
        program.results = results.to_vec();
        let fits = |shardings: &ProgramShardings| {
            shardings.check(&program.param_types(), &program.result_types()).is_ok()
        };
        if program.shardings.as_deref().is_some_and(|shardings| !fits(shardings)) {
            program.shardings = None;
        }
        // An instruction without results may stand before a parameter whose number is right.
        let late = program.instrs.first().is_some_and(|i| i.first_result as usize != param_values.len());
        if late || param_values.iter().enumerate().any(|(i, v)| v.index() != i) {
            renumber(&mut program, &param_values);
        }
        program.seal()
    }
}

/// Whether values of these types can be given to `program`.
pub(crate) fn check_arguments(program: &Program, args: &[Type]) -> Result<()> {
    if args.len() != program.params().len() {
        let (expected, found) = (program.params().len(), args.len());
        return Err(Error::program(format!(
            "{} takes {expected} values, {found} were given",
            program.name()
        )));
    }
    for (i, (param, &arg)) in program.params().iter().zip(args).enumerate() {
        if param.ty != arg {
            let name = if param.path.path().is_empty() {
                String::new()
            } else {
                format!(" ({})", param.path.path())
            };
            return Err(Error::program(format!(
                "argument {i}{name} of {} is {}, {arg} was given",
                program.name(),
                param.ty
            )));
        }
    }
    Ok(())
}

/// Numbers the parameters before all other values.
fn renumber(program: &mut Program, param_values: &[Value]) {
    let mut order: Vec<Value> = param_values.to_vec();
    order.extend(program.instrs.iter().flat_map(|i| i.results()));
    let mut new = vec![Value(0); program.types.len()];
    for (position, old) in order.iter().enumerate() {
        new[old.index()] = Value(position as u32);
    }
    program.types = order.iter().map(|v| program.types[v.index()]).collect();
    let mut defined = param_values.len() as u32;
    for instr in &mut program.instrs {
        for operand in &mut instr.operands {
            *operand = new[operand.index()];
        }
        instr.first_result = defined;
        defined += instr.result_count;
    }
    for result in &mut program.results {
        *result = new[result.index()];
    }
}

impl Op {
    /// The error of this op at the line `at`, with the lines that made its operands, where they are others: labels call operands as
    /// the op's own errors do.
    pub fn label_operands(
        &self,
        error: Error,
        made: impl ExactSizeIterator<Item = Option<Location>>,
        at: Option<Location>,
    ) -> Error {
        let count = made.len();
        let has_sides =
            matches!(self, Op::Elementwise(_) | Op::Compare(_) | Op::DotGeneral(_) | Op::Convolution(_));
        let name = |i: usize| match (count, i) {
            (1, _) => "operand".to_owned(),
            (2, 0) if has_sides => "lhs".to_owned(),
            (2, 1) if has_sides => "rhs".to_owned(),
            _ => format!("operand {i}"),
        };
        let others = made.enumerate().filter(|(_, made)| *made != at);
        let others = others.filter_map(|(i, made)| Some((i, made?)));
        others.fold(error, |error, (i, made)| error.label(made, format!("{} made", name(i))))
    }
}

//! Programs as bytes: for caches and serialized executables.
//!
//! The fields of an op are serialized as they are declared, but for its sub-programs: programs stand in one list, each once and
//! after those it uses, and instructions have their numbers. So a program that shares sub-programs stays as small as it is,
//! and nothing here is recursive when bytes are read.

use std::borrow::Cow;
use std::sync::Arc;

use jarrah_base::{Error, Location, Result, Scope, Source, Type};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::op::Op;
use crate::program::{Instr, Operands, Param, Program, Summary, Value};
use crate::rules::{ProgramRef, TypeVec};
use crate::sharding::ProgramShardings;

/// A list of programs, of which the last is the one that was serialized.
#[derive(Serialize, Deserialize)]
struct Programs<'a> {
    /// The names of files and scopes.
    #[serde(borrow)]
    names: Vec<Cow<'a, str>>,
    programs: Vec<Listed<'a>>,
}

#[derive(Serialize, Deserialize)]
struct Listed<'a> {
    name: Cow<'a, str>,
    /// Types, and the numbers of paths.
    params: Vec<(Type, usize)>,
    instrs: Vec<ListedInstr<'a>>,
    results: Cow<'a, [Value]>,
    shardings: Option<Cow<'a, ProgramShardings>>,
}

#[derive(Serialize, Deserialize)]
struct ListedInstr<'a> {
    op: Cow<'a, Op>,
    /// The numbers of the op's programs.
    programs: Vec<usize>,
    operands: Cow<'a, Operands>,
    /// The number of the file, line and column.
    location: Option<(usize, u32, u32)>,
    /// The number of the scope.
    scope: usize,
}

impl Program {
    /// The program as bytes, names and sources included. Their layout is that of one version of this library.
    ///
    /// # Errors
    /// It calls a function of this process.
    ///
    /// ```
    /// use jarrah_base::{DType, Type};
    /// use jarrah_hlo::{Builder, Program};
    ///
    /// let mut b = Builder::new("double");
    /// let x = b.param(Type::tensor(DType::F32, [8]), "x");
    /// let y = b.add(x, x)?;
    /// let program = b.finish(&[y])?;
    /// assert_eq!(Program::from_bytes(&program.to_bytes()?)?, program);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        if self.calls_functions() {
            let name = self.name();
            return Err(Error::program(format!(
                "{name} calls a function of this process, so it cannot be serialized"
            )));
        }
        let mut list = List::default();
        list.add(self);
        let programs = Programs { names: list.names, programs: list.programs };
        postcard::to_stdvec(&programs)
            .map_err(|error| Error::program(format!("{} cannot be serialized: {error}", self.name())))
    }

    /// The program that [`Program::to_bytes`] wrote.
    ///
    /// # Errors
    /// The bytes are damaged, or another version wrote them: an input error. What is returned verifies.
    pub fn from_bytes(bytes: &[u8]) -> Result<Program> {
        let damaged = |error: &dyn std::fmt::Display| Error::input(format!("a serialized program: {error}"));
        let (Programs { names, programs }, rest) =
            postcard::take_from_bytes(bytes).map_err(|error| damaged(&error))?;
        if !rest.is_empty() {
            return Err(damaged(&format!("{} bytes too many", rest.len())));
        }
        let mut read: Vec<ProgramRef> = Vec::with_capacity(programs.len());
        for listed in programs {
            let program = listed.read(&names, &read).map_err(|error| damaged(&error))?;
            read.push(Arc::new(program));
        }
        let last = read.pop().ok_or_else(|| damaged(&"none is there"))?;
        Ok(Arc::unwrap_or_clone(last))
    }
}

/// The list of a program and those it uses, while it is written.
#[derive(Default)]
struct List<'a> {
    names: Vec<Cow<'a, str>>,
    named: FxHashMap<&'a str, usize>,
    programs: Vec<Listed<'a>>,
    /// The numbers of programs, by address.
    listed: FxHashMap<*const Program, usize>,
}

impl<'a> List<'a> {
    fn name(&mut self, name: &'a str) -> usize {
        *self.named.entry(name).or_insert_with(|| {
            self.names.push(name.into());
            self.names.len() - 1
        })
    }

    /// Lists a program behind those that it uses.
    fn add(&mut self, program: &'a Program) -> usize {
        if let Some(&number) = self.listed.get(&std::ptr::from_ref(program)) {
            return number;
        }
        let params = program.params.iter().map(|param| (param.ty, self.name(param.path.path()))).collect();
        let instrs = program.instrs.iter().map(|instr| ListedInstr {
            op: Cow::Borrowed(&instr.op),
            programs: instr.op.programs().into_iter().map(|inner| self.add(inner)).collect(),
            operands: Cow::Borrowed(&instr.operands),
            location: instr.source.location.map(|at| (self.name(at.file()), at.line(), at.column())),
            scope: self.name(instr.source.scope.path()),
        });
        let instrs = instrs.collect();
        let results = Cow::Borrowed(&program.results[..]);
        let shardings = program.shardings.as_deref().map(Cow::Borrowed);
        self.programs.push(Listed { name: (&program.name).into(), params, instrs, results, shardings });
        let number = self.programs.len() - 1;
        self.listed.insert(program, number);
        number
    }
}

impl Listed<'_> {
    /// The program, given the names and the programs before it.
    fn read(self, names: &[Cow<'_, str>], before: &[ProgramRef]) -> Result<Program> {
        let name = |number: usize| {
            names
                .get(number)
                .map(|name| &**name)
                .ok_or_else(|| Error::input(format!("there is no name {number}")))
        };
        let scope =
            |number| name(number).map(|path| if path.is_empty() { Scope::root() } else { Scope::new(path) });
        let mut program = Program {
            name: self.name.into_owned(),
            params: Vec::with_capacity(self.params.len()),
            types: Vec::with_capacity(self.params.len()),
            instrs: Vec::with_capacity(self.instrs.len()),
            results: self.results.into_owned(),
            shardings: None,
            summary: Summary::default(),
        };
        for (ty, path) in self.params {
            ty.check_size()?;
            program.params.push(Param { ty, path: scope(path)? });
            program.types.push(ty);
        }
        for ListedInstr { op, programs, operands, location, scope: of, .. } in self.instrs {
            let inner = programs.into_iter().map(|number| {
                before
                    .get(number)
                    .cloned()
                    .ok_or_else(|| Error::input(format!("there is no program {number}")))
            });
            let inner: Vec<ProgramRef> = inner.collect::<Result<_>>()?;
            let (has, found) = (op.programs().len(), inner.len());
            if has != found {
                return Err(Error::input(format!("{} has {has} programs, {found} are there", op.name())));
            }
            let op = if has > 0 { op.with_programs(&inner) } else { op.into_owned() };
            let location = match location {
                Some((file, line, column)) => Some(Location::new(name(file)?, line, column)),
                None => None,
            };
            program.append(op, operands.into_owned(), Source { location, scope: scope(of)? })?;
        }
        program.check_results()?;
        match self.shardings {
            Some(shardings) => program.with_shardings(shardings.into_owned()),
            None => program.seal(),
        }
    }
}

impl Program {
    /// Appends an instruction, whose result types are what inference says.
    fn append(&mut self, op: Op, operands: Operands, source: Source) -> Result<()> {
        let defined = self.types.len();
        if let Some(late) = operands.iter().find(|value| value.index() >= defined) {
            return Err(Error::input(format!("{} uses {late:?} before it is defined", op.name())));
        }
        let types: TypeVec = operands.iter().map(|&value| self.ty(value)).collect();
        let results = op.infer(&types).map_err(|error| error.op(op.name()))?;
        let (first_result, result_count) = (defined as u32, results.len() as u32);
        self.types.extend(results);
        self.instrs.push(Instr { op, operands, first_result, result_count, source });
        Ok(())
    }

    fn check_results(&self) -> Result<()> {
        match self.results.iter().find(|value| value.index() >= self.types.len()) {
            Some(late) => Err(Error::input(format!("{late:?} is returned and not defined"))),
            None => Ok(()),
        }
    }
}

/// A program inside an op: it is listed apart, nothing is written of it here.
pub(crate) mod apart {
    use std::sync::{Arc, LazyLock};

    use serde::{Deserializer, Serializer};

    use crate::builder::Builder;
    use crate::rules::ProgramRef;

    pub fn serialize<S: Serializer>(_: &ProgramRef, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_unit()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(_: D) -> Result<ProgramRef, D::Error> {
        Ok(missing())
    }

    /// Stands for a program until the one that is listed takes its place.
    pub fn missing() -> ProgramRef {
        static MISSING: LazyLock<ProgramRef> = LazyLock::new(|| {
            Arc::new(Builder::new("missing").finish(&[]).expect("invariant: the empty program is one"))
        });
        MISSING.clone()
    }
}

/// Programs inside an op: only their number is written here.
pub(crate) mod all_apart {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::rules::ProgramRef;

    /// More programs than any op has.
    const MOST: usize = 1 << 16;

    pub fn serialize<S: Serializer>(programs: &[ProgramRef], to: S) -> Result<S::Ok, S::Error> {
        programs.len().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ProgramRef>, D::Error> {
        match usize::deserialize(from)? {
            count @ ..MOST => Ok(vec![super::apart::missing(); count]),
            count => Err(D::Error::custom(format!("an op with {count} programs"))),
        }
    }
}

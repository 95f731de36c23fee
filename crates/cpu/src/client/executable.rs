//! A compiled program and its runs.

use std::sync::Arc;

use jarrah_base::{Error, Literal, Location, Result, Type, memory};
use jarrah_compiler::{Compiled, Options, Place, TargetInfo};
use jarrah_hlo::{Instr, Param, Program, Value};
use jarrah_runtime::{Buffer, CompileOptions, Executable, Memory};
use rustc_hash::FxHashMap;

use super::Inner;
use super::buffer::CpuBuffer;
use super::build::{ARENA, Block, Builder, Needs, OWN, SHARED};
use super::frame::{Frame, Loc, Prepared};
use crate::buffers::PooledMemory;

/// The steps of a program, and the bases that have to be bound before they run.
pub struct CpuExecutable {
    client: Arc<Inner>,
    name: String,
    params: Vec<Param>,
    results: Vec<ResultAt>,
    /// The parameters whose memory the steps may write.
    overwritten: Vec<bool>,
    arena: usize,
    own: usize,
    shared: usize,
    needs_shared: Option<Needs>,
    bases: u32,
    first_param: u32,
    constants: Vec<(u32, Literal)>,
    steps: Vec<Prepared>,
    memory: Memory,
    /// The largest buffers, for errors.
    largest: Vec<String>,
}

/// The memory that holds a result after the last step.
struct ResultAt {
    ty: Type,
    source: From,
    /// The op that computes it, and its line, for errors; of a parameter there is none.
    made: Option<(String, Option<Location>)>,
}

enum From {
    /// In fresh memory, bound to this base.
    Fresh(u32),
    /// In the memory of this parameter.
    Parameter(usize),
}

impl CpuExecutable {
    pub fn compile(client: Arc<Inner>, program: &Program, options: &CompileOptions) -> Result<CpuExecutable> {
        let wanted = Options { donated: options.donated.clone(), ..Options::default() };
        let target = TargetInfo { attention: true, memory: memory::limit() };
        let Compiled { program, buffers: assignment } = jarrah_compiler::compile(program, &target, wanted)?;
        let mut builder = Builder::new(client.pool.threads());
        let first_param = builder.bases;
        let params: Vec<Loc> = program.params().iter().map(|_| Loc::base(builder.base())).collect();
        let mut results = Vec::new();
        let mut locs = Vec::new();
        let mut overwritten = vec![false; params.len()];
        let mut donated = vec![false; params.len()];
        for &p in &options.donated {
            donated[p] = true;
        }
        let makers: FxHashMap<Value, &Instr> =
            program.instrs().iter().flat_map(|instr| instr.results().map(move |v| (v, instr))).collect();
        for (j, &value) in program.results().iter().enumerate() {
            let taken = assignment.donations.get(j).copied().flatten();
            let source = match (taken, origin(&assignment.places, value)) {
                (Some(p), _) => {
                    overwritten[p] = true;
                    From::Parameter(p)
                }
                // A parameter that is itself a result needs no copy: buffers are shared and never change.
                (None, Place::Parameter(p)) if !donated[p] => From::Parameter(p),
                _ => From::Fresh(builder.base()),
            };
            locs.push(match source {
                From::Parameter(p) => params[p],
                From::Fresh(base) => Loc::base(base),
            });
            let made =
                makers.get(&value).map(|instr| (jarrah_compiler::what_it_does(instr), instr.source.location));
            results.push(ResultAt { ty: program.ty(value), source, made });
        }
        for place in &assignment.places[program.params().len()..] {
            if let Place::Parameter(p) = *place {
                overwritten[p] = true;
            }
        }
        let block = Block {
            program: &program,
            assignment: &assignment,
            params,
            results: locs,
            arena: Loc::base(ARENA),
        };
        let steps = builder.block(&block)?;
        let bytes = |types: Vec<Type>| {
            types.iter().try_fold(0usize, |sum, ty| Ok::<_, Error>(sum.saturating_add(ty.bytes()?)))
        };
        let fresh = results.iter().filter(|r| matches!(r.source, From::Fresh(_)));
        let memory = Memory {
            arguments: bytes(program.param_types())?,
            results: bytes(fresh.map(|r| r.ty).collect())?,
            temporaries: assignment.arena.saturating_add(builder.own).saturating_add(builder.shared),
        };
        Ok(CpuExecutable {
            client,
            name: program.name().to_owned(),
            params: program.params().to_vec(),
            results,
            overwritten,
            arena: assignment.arena,
            own: builder.own,
            shared: builder.shared,
            needs_shared: builder.needs_shared,
            bases: builder.bases,
            first_param,
            constants: builder.constants,
            steps,
            memory,
            largest: jarrah_compiler::largest(&program, &assignment, 3),
        })
    }

    /// The scratch that steps share.
    fn scratch(&self) -> Result<PooledMemory> {
        let needs = self.needs_shared.as_ref();
        let of = needs.map_or(String::new(), |needs| format!(" of {}", needs.types));
        let taken = self.client.take(self.shared, || format!("the scratch{of} in {}", self.name));
        taken.map_err(|error| match needs {
            Some(needs) => made_by(error, &needs.op, needs.location),
            None => error,
        })
    }

    /// The memory of an argument, type-checked; a copy if the steps overwrite it and another handle holds it too.
    fn argument(&self, index: usize, buffer: Buffer) -> Result<Arc<PooledMemory>> {
        let param = &self.params[index];
        let path = param.path.path();
        let path = if path.is_empty() { String::new() } else { format!(" ({path})") };
        let what = format!("argument {index}{path} of {}", self.name);
        if buffer.ty() != param.ty {
            return Err(Error::program(format!("{what} is {}, {} was given", param.ty, buffer.ty())));
        }
        let Some(data) = buffer.downcast_ref::<CpuBuffer>() else {
            return Err(Error::program(format!("{what} is a buffer of another client, not of the CPU"))
                .help("upload it to this client first"));
        };
        if !self.overwritten[index] {
            return Ok(data.memory.clone());
        }
        let memory = match buffer.into_unique::<CpuBuffer>() {
            Ok(data) => data.memory,
            Err(shared) => match shared.downcast_ref::<CpuBuffer>() {
                Some(data) => data.memory.clone(),
                None => return Err(Error::internal("a buffer changed its client")),
            },
        };
        if Arc::strong_count(&memory) == 1 {
            return Ok(memory);
        }
        let bytes = param.ty.bytes()?;
        let mut copy = self
            .client
            .take(bytes, || format!("a copy of {what}, which is overwritten and has other handles"))?;
        copy.bytes_mut()[..bytes].copy_from_slice(&memory.bytes()[..bytes]);
        Ok(Arc::new(copy))
    }
}

impl ResultAt {
    /// Memory for the result that an error calls `name`.
    fn take(&self, client: &Inner, name: impl FnOnce() -> String) -> Result<PooledMemory> {
        let taken = client.take(self.ty.bytes()?, || format!("{}, {}", self.ty, name()));
        taken.map_err(|error| match &self.made {
            Some((op, location)) => made_by(error, op, *location),
            None => error,
        })
    }
}

/// The error, with the op that needs the memory, and its line.
fn made_by(error: Error, op: &str, location: Option<Location>) -> Error {
    let error = error.op(op);
    match location {
        Some(location) => error.at(location),
        None => error,
    }
}

/// The place of a value; for an alias, that of its root.
fn origin(places: &[Place], value: Value) -> Place {
    match places[value.index()] {
        Place::Alias(of) => places[of.index()],
        place => place,
    }
}

/// The address of `memory`; steps write through it only where the memory is theirs.
fn address(memory: &PooledMemory) -> *mut u8 {
    memory.as_ptr().cast_mut()
}

impl Executable for CpuExecutable {
    fn execute(&self, args: Vec<Buffer>) -> Result<Vec<Buffer>> {
        let start = std::time::Instant::now();
        if args.len() != self.params.len() {
            let (takes, found) = (self.params.len(), args.len());
            return Err(Error::program(format!("{} takes {takes} arguments, {found} were given", self.name)));
        }
        let mut frame = Frame::new(&self.client.pool, self.bases, self.client.profile);
        let mut arguments = Vec::with_capacity(args.len());
        for (index, buffer) in args.into_iter().enumerate() {
            let memory = self.argument(index, buffer)?;
            frame.bind(self.first_param + index as u32, address(&memory));
            arguments.push(memory);
        }
        let temporaries = |bytes| {
            let taken = self.client.take(bytes, || format!("the temporaries of {}", self.name));
            taken.map_err(|error| self.largest.iter().fold(error, |error, line| error.context(line)))
        };
        let (arena, own, shared) = (temporaries(self.arena)?, temporaries(self.own)?, self.scratch()?);
        frame.bind(ARENA, address(&arena));
        frame.bind(OWN, address(&own));
        frame.bind(SHARED, address(&shared));
        for (base, literal) in &self.constants {
            frame.bind(*base, literal.bytes().as_ptr().cast_mut());
        }
        let mut fresh = Vec::with_capacity(self.results.len());
        for (j, result) in self.results.iter().enumerate() {
            fresh.push(match result.source {
                From::Fresh(base) => {
                    let memory = result.take(&self.client, || format!("result {j} of {}", self.name))?;
                    frame.bind(base, address(&memory));
                    Some(Arc::new(memory))
                }
                From::Parameter(_) => None,
            });
        }
        frame.run(&self.steps)?;
        if let Some(profile) = &frame.profile {
            eprintln!("{}", profile.report(&self.name, start.elapsed()));
        }
        let results = self.results.iter().zip(fresh).map(|(result, fresh)| {
            let memory = match (&result.source, fresh) {
                (From::Parameter(p), _) => arguments[*p].clone(),
                (From::Fresh(_), Some(memory)) => memory,
                (From::Fresh(_), None) => return Err(Error::internal("a result without memory")),
            };
            Ok(Buffer::new(CpuBuffer { ty: result.ty, memory }))
        });
        results.collect()
    }

    fn memory(&self) -> Memory {
        self.memory
    }
}

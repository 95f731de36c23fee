//! Compiled programs with their steps.

use std::sync::{Arc, OnceLock};

use jarrah_base::{Error, Result, Type};
use jarrah_compiler::{CompiledProgram, MemoryPlace};
use jarrah_hlo::{Instr, Program, Value};
use jarrah_runtime::{
    Arg, Buffer, CompileOptions, CompiledMemory, DeviceId, Event, Executable, ExecuteOptions, Execution,
    StepLabel, portable_device,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::backend::{Backend, BuiltStep, StepBuilder};
use crate::code::{Code, From, ResultAt};
use crate::grid::DeviceGrid;
use crate::place::{ARENA, Place, PlacedProgram};
use crate::run::{Arguments, begin};
use crate::shared::Shared;
use crate::spmd::{begin_together, between};
use crate::stored;
use crate::together;

/// The steps of a program, and the bases that have to be bound before they run.
pub struct DeviceExecutable<D: Backend>(Arc<Code<D>>);

/// A run is short if it takes less than about this many nanoseconds, ...
const SHORT: f64 = 50_000.0;
/// ... where a step takes this many, ...
const STEP: f64 = 300.0;
/// ... and a flop or a byte this many more.
const UNIT: f64 = 0.1;

impl<D: Backend> DeviceExecutable<D> {
    /// The bytes that the steps need besides arguments, results and temporaries.
    pub fn scratch_bytes(&self) -> usize {
        self.0.memory.temporaries - self.0.compiled.buffers.arena()
    }

    /// Builds the steps of a compiled program.
    pub fn new(
        client: Arc<Shared<D>>,
        compiled: CompiledProgram,
        options: &CompileOptions,
    ) -> Result<DeviceExecutable<D>> {
        // A program in the cache refers to handlers by name, as a serialized one must: the names are resolved here.
        let program = client.registry.resolve(&compiled.program)?;
        let (program, assignment) = (&*program, &compiled.buffers);
        let grid = DeviceGrid::of(options, &client.devices, client.process());
        grid.check_program(program)?;
        let owners = grid.owners.clone();
        let here = options.devices.iter().copied().enumerate();
        let here = here.filter(|(position, _)| grid.owner(*position) == grid.own).collect();
        let mut builder = StepBuilder::new(&client.lanes[0].device, grid);
        let first_param = builder.bases;
        let params: Vec<Place> = program.params().iter().map(|_| Place::base(builder.base())).collect();
        let mut results = Vec::new();
        let mut locs = Vec::new();
        let mut overwritten = vec![false; params.len()];
        let makers: FxHashMap<Value, &Instr> =
            program.instrs().iter().flat_map(|instr| instr.results().map(move |v| (v, instr))).collect();
        for (j, &value) in program.results().iter().enumerate() {
            let source = match (assignment.donations[j], assignment.unchanged[j]) {
                (Some(p), _) => {
                    overwritten[p] = true;
                    From::Parameter(p)
                }
                // Buffers are shared and never change.
                (None, Some(p)) => From::Parameter(p),
                (None, None) => From::Fresh(builder.base()),
            };
            locs.push(match source {
                From::Parameter(p) => params[p],
                From::Fresh(base) => Place::base(base),
            });
            let made =
                makers.get(&value).map(|instr| (jarrah_compiler::what_it_does(instr), instr.source.location));
            results.push(ResultAt { ty: program.ty(value), source, made });
        }
        for place in &assignment.places[program.params().len()..] {
            if let MemoryPlace::Parameter(p) = *place {
                overwritten[p] = true;
            }
        }
        let block = PlacedProgram { program, assignment, params, results: locs, arena: Place::base(ARENA) };
        let steps = builder.block(&block)?;
        let time = |step: &BuiltStep<D>| {
            let cost =
                step.number.map_or(0.0, |number| builder.steps[number].flops + builder.steps[number].bytes);
            if step.step.is_long() { SHORT } else { STEP + UNIT * cost }
        };
        let short = steps.iter().map(time).sum::<f64>() < SHORT;
        let steps = together::group(steps);
        let bytes = |types: Vec<Type>| {
            types.iter().try_fold(0usize, |sum, ty| Ok::<_, Error>(sum.saturating_add(ty.bytes()?)))
        };
        let fresh = results.iter().filter(|r| matches!(r.source, From::Fresh(_)));
        let memory = CompiledMemory {
            arguments: bytes(program.param_types())?,
            results: bytes(fresh.map(|r| r.ty).collect())?,
            temporaries: assignment.arena().saturating_add(builder.own).saturating_add(builder.shared),
        };
        let placed = client.lanes.iter().map(|_| OnceLock::new()).collect();
        Ok(DeviceExecutable(Arc::new(Code {
            client,
            placed,
            options: options.clone(),
            results,
            takes: program.param_types(),
            overwritten: (0..overwritten.len()).filter(|&p| overwritten[p]).collect(),
            must: options.aliases.iter().filter(|alias| alias.must).map(|alias| alias.parameter).collect(),
            arena: assignment.arena(),
            own: builder.own,
            shared: builder.shared,
            needs_shared: builder.needs_shared,
            bases: builder.bases,
            first_param,
            constants: builder.constants,
            coordinates: builder.coordinates,
            exchanged: Arc::new(builder.exchanged.of(
                program.name(),
                &program.param_types(),
                compiled.source,
            )),
            between: builder.between.then_some(owners),
            here,
            steps,
            costs: builder.steps.into(),
            memory,
            short,
            ordered: compiled.program.effects().ordered,
            compiled,
        })))
    }
}

impl<D: Backend> Executable for DeviceExecutable<D> {
    fn program(&self) -> &Program {
        self.0.program()
    }

    fn options(&self) -> &CompileOptions {
        &self.0.options
    }

    fn execute_on_one(&self, args: Vec<Arg>, options: &ExecuteOptions) -> Result<(Vec<Buffer>, Event)> {
        self.begin_on_one(args.first().map(Arg::buffer), args.iter().map(given), options)
    }

    fn execute_borrowed(&self, args: &[&Buffer], options: &ExecuteOptions) -> Result<(Vec<Buffer>, Event)> {
        self.begin_on_one(args.first().copied(), args.iter().map(|&buffer| (buffer, false)), options)
    }

    fn execute(&self, args: Vec<Vec<Arg>>, options: &ExecuteOptions) -> Result<Execution> {
        let code = &self.0;
        let mut here: SmallVec<[(usize, DeviceId); 1]> = code.here.as_slice().into();
        if code.options.devices.is_empty() {
            let first = args.first().and_then(|args| args.first()).map(Arg::buffer);
            here.push((0, portable_device(options, first, code.client.first())));
        }
        let checked = match code.checked(&here, &args) {
            Ok(checked) => checked,
            Err(error) => {
                // The other processes begin this run, and have to hear of it.
                if let Some(run) = between(code).filter(|_| !here.is_empty()) {
                    run.refuse(error.clone());
                }
                return Err(error);
            }
        };
        if here.len() > 1 || code.options.devices.len() > 1 {
            return Ok(begin_together(code, here.into_iter().zip(checked).collect()));
        }
        let mut execution = Execution { results: Vec::new(), done: Vec::new() };
        for ((_, device), arguments) in here.into_iter().zip(checked) {
            let (results, done) = begin(code, device, arguments);
            execution.results.push(results);
            execution.done.push(done);
        }
        Ok(execution)
    }

    fn memory(&self) -> CompiledMemory {
        self.0.memory
    }

    fn notes(&self) -> Vec<String> {
        self.0.compiled.recomputed.iter().map(ToString::to_string).collect()
    }

    fn steps(&self) -> Vec<StepLabel> {
        self.0.costs.iter().map(|step| step.label.clone()).collect()
    }

    fn serialize(&self) -> Result<Vec<u8>> {
        stored::to_bytes(&self.0.client, &self.0.compiled, &self.0.options)
    }
}

impl<D: Backend> Code<D> {
    /// The arguments of the devices of this process: nothing begins before all are known to be right.
    fn checked<'a>(
        &self,
        here: &[(usize, DeviceId)],
        args: &'a [Vec<Arg>],
    ) -> Result<SmallVec<[Arguments<'a, D::Memory>; 1]>> {
        if here.len() != args.len() {
            return Err(self.arguments_for(here.len(), args.len()));
        }
        let one = |(&(_, device), args): (&(usize, DeviceId), &'a Vec<Arg>)| {
            self.client.check(device.into())?;
            self.arguments(device, args.iter().map(given))
        };
        here.iter().zip(args).map(one).collect()
    }
}

/// The buffer of an argument, and whether it is donated.
fn given(arg: &Arg) -> (&Buffer, bool) {
    (arg.buffer(), matches!(arg, Arg::Donate(_)))
}

impl<D: Backend> DeviceExecutable<D> {
    /// Begins a run on one device, which by default is that of the `first` argument.
    fn begin_on_one<'a>(
        &self,
        first: Option<&Buffer>,
        args: impl ExactSizeIterator<Item = (&'a Buffer, bool)>,
        options: &ExecuteOptions,
    ) -> Result<(Vec<Buffer>, Event)> {
        let code = &self.0;
        let device = match code.options.devices[..] {
            [] => portable_device(options, first, code.client.first()),
            [device] => device,
            _ => return Err(code.arguments_for(code.here.len(), 1)),
        };
        code.client.check(device.into())?;
        Ok(begin(code, device, code.arguments(device, args)?))
    }
}

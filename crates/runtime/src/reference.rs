use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use jarrah_base::{Error, HostView, Literal, Result, Type, memory};
use jarrah_hlo::host::Registry;
use jarrah_hlo::ops::DotGeneral;
use jarrah_hlo::{Panels, Program};
use rustc_hash::FxHashSet;

use crate::buffer::{Buffer, BufferData, BufferPromise, HostSource, Reader};
use crate::check::{Parameters, check_compile_options, check_placement};
use crate::client::{Arg, Client, CompileOptions, CompiledMemory, Executable, ExecuteOptions, Execution};
use crate::device::{DeviceId, DeviceInfo, MemoryKind, MemoryStats, Placement, RuntimeDevice};
use crate::event::{Event, Promise};
use crate::serial::Serialized;

/// Runs programs on the reference evaluator, each within the call that begins it: slow, and right by definition.
#[derive(Debug)]
pub struct ReferenceClient {
    devices: [RuntimeDevice; 1],
    registry: Registry,
}

impl ReferenceClient {
    /// A client with one device.
    pub fn new() -> ReferenceClient {
        let info = DeviceInfo {
            id: DeviceId(0),
            process: 0,
            kind: "reference".into(),
            memories: vec![MemoryKind::Device],
            attributes: Vec::new(),
        };
        ReferenceClient { devices: [RuntimeDevice::new(info)], registry: Registry::new() }
    }
}

impl Default for ReferenceClient {
    fn default() -> Self {
        ReferenceClient::new()
    }
}

/// A tensor, from when it is there until it is deleted.
struct Held {
    ty: Type,
    ready: Event,
    /// Gone when the buffer was deleted; who began to read it by then has the cell.
    cell: Mutex<Option<Arc<Cell>>>,
}

/// Filled before the buffer is ready.
type Cell = OnceLock<Literal>;

impl Held {
    fn new(literal: Literal) -> Held {
        Held { ty: literal.ty(), ready: Event::done(), cell: Mutex::new(Some(Arc::new(literal.into()))) }
    }

    fn promise(ty: Type) -> (Held, Arc<Cell>, Promise) {
        let (promise, ready) = Event::promise();
        let cell = Arc::default();
        (Held { ty, ready, cell: Mutex::new(Some(Arc::clone(&cell))) }, cell, promise)
    }

    fn failed(ty: Type, ready: Event) -> Held {
        Held { ty, ready, cell: Mutex::new(Some(Arc::default())) }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<Cell>>> {
        self.cell.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tensor of a cell that is filled.
fn filled(cell: &Cell) -> Result<&Literal> {
    cell.get().ok_or_else(|| Error::internal("a buffer is ready and has no tensor"))
}

impl BufferData for Held {
    fn ty(&self) -> Type {
        self.ty
    }

    fn placement(&self) -> Placement {
        Placement::default()
    }

    fn ready(&self) -> Event {
        self.ready.clone()
    }

    fn read(&self) -> Result<Literal> {
        let reader = self.reader()?;
        Literal::from_bytes(self.ty, reader.view()?.bytes())
    }

    fn reader(&self) -> Result<Reader> {
        struct Bytes(Arc<Cell>);
        impl AsRef<[u8]> for Bytes {
            fn as_ref(&self) -> &[u8] {
                self.0.get().map_or(&[], Literal::bytes)
            }
        }
        let cell = self.lock().clone();
        let deleted = || Error::program(format!("a buffer of type {} was deleted or donated", self.ty));
        let cell = cell.ok_or_else(deleted)?;
        Ok(Reader::new(self.ready.clone(), move || filled(&cell).map(|_| HostView::new(Bytes(cell.clone())))))
    }

    fn delete(&self) {
        *self.lock() = None;
    }

    fn is_deleted(&self) -> bool {
        self.lock().is_none()
    }
}

impl ReferenceClient {
    fn check(&self, placement: Placement) -> Result<()> {
        check_placement(&self.devices, placement)
    }
}

impl Client for ReferenceClient {
    fn platform(&self) -> &str {
        PLATFORM
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn devices(&self) -> &[RuntimeDevice] {
        &self.devices
    }

    fn registry(&self) -> &Registry {
        &self.registry
    }

    fn buffer_from_host(&self, ty: Type, source: HostSource<'_>, placement: Placement) -> Result<Buffer> {
        self.check(placement)?;
        Ok(Buffer::new(Held::new(Literal::from_bytes(ty, source.bytes())?)))
    }

    fn promise(&self, ty: Type, placement: Placement) -> Result<(Buffer, BufferPromise)> {
        self.check(placement)?;
        let (held, cell, promise) = Held::promise(ty);
        let keep = move |tensor: Result<HostSource<'_>>| {
            let literal = tensor.and_then(|source| Literal::from_bytes(ty, source.bytes()));
            promise.complete(literal.map(|literal| {
                // A promise is kept once, so the cell is empty.
                let _ = cell.set(literal);
            }));
        };
        Ok((Buffer::new(held), BufferPromise::new(keep)))
    }

    fn copy(&self, buffer: &Buffer, placement: Placement) -> Result<Buffer> {
        self.check(placement)?;
        if buffer.downcast_ref::<Held>().is_none() {
            return Err(Error::program("a buffer of another client cannot be copied by this one"));
        }
        Ok(Buffer::new(Held::new(buffer.read()?)))
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Arc<dyn Executable>> {
        self.evaluated(program, options).map(|evaluated| Arc::new(evaluated) as _)
    }

    fn panels(&self, _: &DotGeneral, _: [Type; 2]) -> Option<Panels> {
        None
    }

    fn panels_of_makers(&self, _: &DotGeneral, _: [Type; 2]) -> Option<usize> {
        None
    }

    fn load(&self, serialized: &[u8], devices: Option<&[DeviceId]>) -> Result<Arc<dyn Executable>> {
        let Serialized { mut options, content, .. } = Serialized::from_bytes(serialized, PLATFORM, VERSION)?;
        if let Some(devices) = devices {
            options.devices = devices.to_vec();
        }
        self.compile(&Program::from_bytes(&content)?, &options)
    }

    fn memory_stats(&self, device: DeviceId) -> Result<MemoryStats> {
        self.check(device.into())?;
        Ok(MemoryStats { limit: memory::limit(), ..MemoryStats::default() })
    }
}

impl ReferenceClient {
    fn evaluated(&self, program: &Program, options: &CompileOptions) -> Result<Evaluated> {
        check_compile_options(&self.devices, program, options)?;
        if let Some(alias) = options.aliases.iter().find(|alias| alias.must) {
            return Err(Error::program(format!(
                "parameter {} must become a result in place, which the reference client does not do",
                alias.parameter
            )));
        }
        if options.memory_limit.is_some() {
            return Err(Error::program("the reference client plans no memory, so it keeps no memory limit"));
        }
        program.check_expansion()?;
        let evaluated = Evaluated {
            resolved: self.registry.resolve(program)?.into_owned(),
            program: program.clone(),
            options: options.clone(),
        };
        if let Some(available) = memory::limit() {
            let CompiledMemory { arguments, results, temporaries } = evaluated.memory();
            let parts = [("arguments", arguments), ("results", results), ("largest temporary", temporaries)];
            memory::fits(program.name(), &parts, available)?;
        }
        Ok(evaluated)
    }
}

const PLATFORM: &str = "reference";
const VERSION: &str = env!("CARGO_PKG_VERSION");

struct Evaluated {
    program: Program,
    /// The program with the functions that it calls by name.
    resolved: Program,
    options: CompileOptions,
}

impl Executable for Evaluated {
    fn program(&self) -> &Program {
        &self.program
    }

    fn options(&self) -> &CompileOptions {
        &self.options
    }

    fn execute(&self, args: Vec<Vec<Arg>>, _: &ExecuteOptions) -> Result<Execution> {
        let [args] = <[Vec<Arg>; 1]>::try_from(args)
            .map_err(|args| Error::program(format!("arguments for {} devices, there is one", args.len())))?;
        let types = self.program.param_types();
        let parameters = Parameters { program: &self.program, types: &types, device: DeviceId(0) };
        parameters.check_count(args.len())?;
        for (index, arg) in args.iter().enumerate() {
            parameters.check(index, arg.buffer().downcast_ref::<Held>())?;
        }
        parameters.check_donations(&[], |index| match &args[index] {
            Arg::Borrow(buffer) => (std::ptr::from_ref(&**buffer).addr(), false),
            Arg::Donate(buffer) => (std::ptr::from_ref(&**buffer).addr(), true),
        })?;
        let mut literals = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let literal = arg.buffer().read();
            literals.push(literal.map_err(|error| error.context(Parameters::name(&self.program, index)))?);
        }
        for arg in args {
            if let Arg::Donate(buffer) = arg {
                buffer.delete();
            }
        }
        let (results, done) = match jarrah_hlo_eval::evaluate(&self.resolved, &literals) {
            Ok(results) => (results.into_iter().map(Held::new).collect::<Vec<_>>(), Event::done()),
            Err(error) => {
                let failed = Event::failed(error);
                let held = |ty| Held::failed(ty, failed.clone());
                (self.program.result_types().into_iter().map(held).collect(), failed)
            }
        };
        Ok(Execution { results: vec![results.into_iter().map(Buffer::new).collect()], done: vec![done] })
    }

    fn memory(&self) -> CompiledMemory {
        let size = |ty: &Type| ty.bytes().unwrap_or(usize::MAX);
        let bytes = |types: Vec<Type>| types.iter().map(size).fold(0, usize::saturating_add);
        let kept: FxHashSet<_> = self.program.results().iter().copied().collect();
        let values = self.program.instrs().iter().flat_map(|instr| instr.results());
        let temporaries =
            values.filter(|value| !kept.contains(value)).map(|value| size(&self.program.ty(value)));
        CompiledMemory {
            arguments: bytes(self.program.param_types()),
            results: bytes(self.program.result_types()),
            temporaries: temporaries.max().unwrap_or(0),
        }
    }
    fn serialize(&self) -> Result<Vec<u8>> {
        let content = self.program.to_bytes()?;
        Serialized::new(PLATFORM, VERSION, self.options.clone(), content).to_bytes()
    }
}

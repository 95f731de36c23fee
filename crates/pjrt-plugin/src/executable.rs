//! Executables: how programs become them, and what is known of them.

use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use jarrah_base::{NUMERICS_VERSION, Type};
use jarrah_compiler::Reference;
use jarrah_hlo::{Program, Value};
use jarrah_pjrt::abi::*;
use jarrah_pjrt::element;
use jarrah_pjrt::named::Named;
use jarrah_pjrt::proto::{Writer, fields};
use jarrah_runtime::{Client, DeviceAttribute, DeviceId, Executable, MemoryKind};

use crate::backend;
use crate::call::Call;
use crate::client::{Shared, client};
use crate::failure::{Failure, Outcome};
use crate::layouts::Layouts;
use crate::object::{self, Object, borrow, bytes, give, place, raw_text};
use crate::program::{Given, during};
use crate::shardings::Shardings;
use crate::text::text;
use crate::topology::topology;
use crate::{ffi, host};

/// A compiled program, which may be loaded by clients.
pub struct ExecutableObject(pub Arc<Info>);

impl Object for ExecutableObject {
    type Handle = PJRT_Executable;
    const WHAT: &'static str = "executable";
}

/// What is known of a compiled program. C gets pointers into it.
pub struct Info {
    pub given: Given,
    pub executable: Arc<dyn Executable>,
    /// By result, whether it is an argument that stays with the caller: two buffers never share memory that either may
    /// hand out, so such a result is copied.
    pub forwarded: Vec<bool>,
    name: String,
    fingerprint: String,
    results: Results,
    parameter_kinds: Kinds,
    result_kinds: Kinds,
    pub parameter_layouts: Layouts,
    pub result_layouts: Layouts,
    pub parameter_shardings: Shardings,
    pub result_shardings: Shardings,
    cost: OnceLock<Named>,
    /// The optimized program as text.
    text: OnceLock<String>,
}

/// Types of results as C takes them.
struct Results {
    types: Vec<PJRT_Buffer_Type>,
    dims: Vec<i64>,
    ranks: Vec<usize>,
}

/// Names of kinds of memory as C takes them.
struct Kinds {
    names: Vec<*const c_char>,
    sizes: Vec<usize>,
}

// SAFETY: the pointers are to names that live as long as the process.
unsafe impl Send for Kinds {}
// SAFETY: as above.
unsafe impl Sync for Kinds {}

impl Kinds {
    fn of(kinds: &[MemoryKind]) -> Kinds {
        let (names, sizes) = kinds.iter().map(|kind| raw_text(kind.name())).unzip();
        Kinds { names, sizes }
    }
}

impl Results {
    fn of(types: &[Option<Type>]) -> Results {
        let dims = |ty: &Option<Type>| ty.map_or(Vec::new(), host::dims_of);
        let dims: Vec<Vec<i64>> = types.iter().map(dims).collect();
        let number =
            |ty: &Option<Type>| ty.map_or(PJRT_Buffer_Type::TOKEN, |ty| element::number_of(ty.dtype()));
        Results {
            types: types.iter().map(number).collect(),
            ranks: dims.iter().map(Vec::len).collect(),
            dims: dims.concat(),
        }
    }
}

impl Info {
    /// Compiles a program for the devices of a client.
    pub fn compile(client: &dyn Client, given: Given) -> Outcome<Arc<Info>> {
        ffi::offer(client.registry());
        let compiled = client.compile(&given.program, &given.runtime_options());
        let executable = compiled.map_err(during("compiling", given.program.name()))?;
        Ok(Info::of(client, executable, given))
    }

    /// What is known of a program that was compiled.
    fn of(client: &dyn Client, executable: Arc<dyn Executable>, given: Given) -> Arc<Info> {
        Arc::new(Info {
            fingerprint: fingerprint(client, &given.code, &given.options),
            results: Results::of(&given.metadata.results),
            parameter_kinds: Kinds::of(&given.metadata.parameter_kinds),
            result_kinds: Kinds::of(&given.metadata.result_kinds),
            parameter_layouts: Layouts::of(&given.metadata.parameter_orders),
            result_layouts: Layouts::of(&given.metadata.result_orders),
            parameter_shardings: Shardings::of(&given.metadata.parameter_shardings),
            result_shardings: Shardings::of(&given.metadata.result_shardings),
            cost: OnceLock::new(),
            text: OnceLock::new(),
            forwarded: forwarded(&*executable, &given),
            name: given.program.name().to_owned(),
            executable,
            given,
        })
    }

    /// The module and its options, which say what the program was, and the executable.
    fn write(&self) -> Outcome<Vec<u8>> {
        let mut out = Writer::default();
        out.bytes(1, SERIALIZED.as_bytes());
        out.bytes(2, &self.given.code);
        out.bytes(3, &self.given.options);
        out.bytes(4, self.fingerprint.as_bytes());
        out.bytes(5, &self.executable.serialize()?);
        Ok(out.into_bytes())
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The program as it is compiled, but for its kernels, in which readers would find nothing again.
    fn text(&self) -> Outcome<&str> {
        if let Some(text) = self.text.get() {
            return Ok(text);
        }
        let program = jarrah_compiler::simplified(&self.given.program, &Reference::default())?;
        Ok(self.text.get_or_init(|| text(&program)))
    }

    fn cost(&self) -> Outcome<&Named> {
        if let Some(cost) = self.cost.get() {
            return Ok(cost);
        }
        let cost = self.given.program.cost()?;
        let named = [("flops", cost.flops), ("bytes accessed", cost.bytes)];
        let named = named.map(|(name, value)| (name.to_owned(), DeviceAttribute::Float(value)));
        Ok(self.cost.get_or_init(|| Named::new(named.into())))
    }
}

fn forwarded(executable: &dyn Executable, given: &Given) -> Vec<bool> {
    let program = executable.program();
    let parameters: Vec<Value> = program.param_values().collect();
    let donated = |at: usize| given.metadata.aliases.iter().any(|alias| alias.parameter == at);
    let argument = |value: &Value| parameters.iter().position(|parameter| parameter == value);
    program.results().iter().map(|value| argument(value).is_some_and(|at| !donated(at))).collect()
}

/// What serialized executables begin with.
const SERIALIZED: &str = "jarrah executable 2";

/// The name of a program and its options, for this version of the client.
fn fingerprint(client: &dyn Client, code: &[u8], options: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [code, options, client.version().as_bytes()] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.update(&NUMERICS_VERSION.to_le_bytes());
    hasher.finalize().to_hex().to_string()
}

/// A compiled program that a client can run.
pub struct LoadedObject {
    pub info: Arc<Info>,
    pub shared: Arc<Shared>,
    pub deleted: AtomicBool,
    /// The devices of a run that are this process's; a portable program is said to be on the first one.
    pub own: Vec<DeviceId>,
    devices: Vec<*mut PJRT_Device>,
    logical: Vec<PJRT_LogicalDeviceIds>,
}

// SAFETY: the handles are those of devices of the client beside them.
unsafe impl Send for LoadedObject {}
// SAFETY: as above.
unsafe impl Sync for LoadedObject {}

impl Object for LoadedObject {
    type Handle = PJRT_LoadedExecutable;
    const WHAT: &'static str = "loaded executable";
}

impl LoadedObject {
    /// A program of a client that was compiled for it.
    fn new(shared: &Arc<Shared>, info: Arc<Info>) -> Outcome<LoadedObject> {
        let assignment = &info.given.assignment;
        let logical = assignment.logical();
        let devices = match assignment.assigned() {
            [] => vec![shared.client.first()],
            devices => devices.to_vec(),
        };
        let own = devices.into_iter().enumerate().filter(|(_, id)| shared.is_own(*id));
        let own: Vec<(usize, DeviceId)> = own.collect();
        Ok(LoadedObject {
            devices: own.iter().map(|&(_, id)| shared.device(id)).collect::<Outcome<_>>()?,
            logical: own.iter().map(|&(at, _)| logical[at]).collect(),
            own: own.into_iter().map(|(_, id)| id).collect(),
            shared: shared.clone(),
            deleted: AtomicBool::new(false),
            info,
        })
    }
}

/// What is known of the executable behind a handle.
pub fn info(handle: *const PJRT_Executable) -> Outcome<&'static Info> {
    borrow::<ExecutableObject>(handle).map(|object| &*object.0)
}

/// The loaded executable behind a handle.
pub fn loaded(handle: *mut PJRT_LoadedExecutable) -> Outcome<&'static LoadedObject> {
    borrow(handle)
}

impl Call for PJRT_Client_Compile_Args {
    fn call(&mut self) -> Outcome {
        let shared = client(self.client)?;
        let given = Given::of(self.program, self.compile_options, self.compile_options_size)?;
        self.executable = give(LoadedObject::new(shared, Info::compile(&*shared.client, given)?)?);
        Ok(())
    }
}

impl Call for PJRT_Compile_Args {
    /// Compiles without the devices: as for a client that has as many.
    fn call(&mut self) -> Outcome {
        let devices = topology(self.topology)?.len();
        let given = Given::of(self.program, self.compile_options, self.compile_options_size)?;
        let client = backend::client_of(devices)?;
        self.executable = give(ExecutableObject(Info::compile(&*client, given)?));
        Ok(())
    }
}

impl Call for PJRT_Client_Load_Args {
    fn call(&mut self) -> Outcome {
        let shared = client(self.client)?;
        let info = info(self.executable)?;
        let options = match self.compile_options_size {
            0 => info.given.options.clone(),
            size => bytes(self.compile_options, size, "compile options")?.to_vec(),
        };
        let given = Given::read(info.given.code.clone(), options)?;
        self.loaded_executable = give(LoadedObject::new(shared, Info::compile(&*shared.client, given)?)?);
        Ok(())
    }
}

impl Call for PJRT_Executable_DeserializeAndLoad_Args {
    fn call(&mut self) -> Outcome {
        let shared = client(self.client)?;
        let message = bytes(self.serialized_executable, self.serialized_executable_size, "executable")?;
        let (mut kind, mut name) = (String::new(), String::new());
        let (mut code, mut options, mut executable) = (Vec::new(), Vec::new(), &[][..]);
        for field in fields(message) {
            match field? {
                (1, value) => kind = value.text()?,
                (2, value) => code = value.bytes()?.to_vec(),
                (3, value) => options = value.bytes()?.to_vec(),
                (4, value) => name = value.text()?,
                (5, value) => executable = value.bytes()?,
                _ => {}
            }
        }
        if kind != SERIALIZED {
            return Err(Failure::invalid("the bytes are no executable of this plugin"));
        }
        if name != fingerprint(&*shared.client, &code, &options) {
            return Err(Failure::invalid(
                "the executable is damaged, or was written by another version of the plugin",
            ));
        }
        if self.overridden_serialized_compile_options_size > 0 {
            let (data, size) =
                (self.overridden_serialized_compile_options, self.overridden_serialized_compile_options_size);
            options = bytes(data, size, "compile options")?.to_vec();
        }
        let given = Given::read(code, options)?;
        ffi::offer(shared.client.registry());
        let executable = shared.client.load(executable, Some(given.assignment.assigned()));
        let executable = executable.map_err(during("loading", given.program.name()))?;
        let types = |program: &Program| (program.param_types(), program.result_types());
        if types(executable.program()) != types(&given.program) {
            return Err(Failure::invalid(
                "the executable and the module beside it are not of the same program",
            ));
        }
        self.loaded_executable =
            give(LoadedObject::new(shared, Info::of(&*shared.client, executable, given))?);
        Ok(())
    }
}

impl Call for PJRT_Executable_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<ExecutableObject>(self.executable));
        Ok(())
    }
}

impl Call for PJRT_LoadedExecutable_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<LoadedObject>(self.executable));
        Ok(())
    }
}

impl Call for PJRT_LoadedExecutable_GetExecutable_Args {
    fn call(&mut self) -> Outcome {
        self.executable = give(ExecutableObject(loaded(self.loaded_executable)?.info.clone()));
        Ok(())
    }
}

/// Bytes that C frees by a function of the type of their handle.
macro_rules! serialized {
    ($($name:ident $handle:ident $free:ident)*) => {$(
        struct $name(Vec<u8>);

        impl Object for $name {
            type Handle = $handle;
            const WHAT: &'static str = "list of bytes";
        }

        unsafe extern "C" fn $free(handle: *mut $handle) {
            drop(object::take::<$name>(handle));
        }
    )*};
}

serialized! {
    Assignment PJRT_DeviceAssignmentSerialized free_assignment
    Serialized PJRT_SerializedExecutable free_executable
    Options PJRT_SerializedCompileOptions free_options
}

impl Call for PJRT_LoadedExecutable_GetDeviceAssignment_Args {
    fn call(&mut self) -> Outcome {
        let kept = Assignment(loaded(self.executable)?.info.given.assignment.write());
        (self.serialized_bytes, self.serialized_bytes_size) = (kept.0.as_ptr().cast(), kept.0.len());
        self.serialized_device_assignment = give(kept);
        self.serialized_device_assignment_deleter = Some(free_assignment);
        Ok(())
    }
}

impl Call for PJRT_Executable_Name_Args {
    fn call(&mut self) -> Outcome {
        (self.executable_name, self.executable_name_size) = raw_text(&info(self.executable)?.name);
        Ok(())
    }
}

impl Call for PJRT_Executable_NumReplicas_Args {
    fn call(&mut self) -> Outcome {
        self.num_replicas = info(self.executable)?.given.assignment.replicas();
        Ok(())
    }
}

impl Call for PJRT_Executable_NumPartitions_Args {
    fn call(&mut self) -> Outcome {
        self.num_partitions = info(self.executable)?.given.assignment.partitions();
        Ok(())
    }
}

impl Call for PJRT_LoadedExecutable_AddressableDevices_Args {
    fn call(&mut self) -> Outcome {
        let devices = &loaded(self.executable)?.devices;
        (self.addressable_devices, self.num_addressable_devices) = (devices.as_ptr(), devices.len());
        Ok(())
    }
}

impl Call for PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args {
    fn call(&mut self) -> Outcome {
        let ids = &loaded(self.executable)?.logical;
        self.addressable_device_logical_ids = ids.as_ptr().cast_mut();
        self.num_addressable_device_logical_ids = ids.len();
        Ok(())
    }
}

impl Call for PJRT_Executable_OptimizedProgram_Args {
    /// The first call, without a place for the code, says how long it is.
    fn call(&mut self) -> Outcome {
        let code = info(self.executable)?.text()?;
        let program = place(self.program)?;
        (program.format, program.format_size) = raw_text("mlir");
        if !program.code.is_null() {
            if program.code_size < code.len() {
                return Err(Failure::invalid(format!(
                    "the program has {} bytes, there is place for {}",
                    code.len(),
                    program.code_size
                )));
            }
            object::list_mut(program.code.cast::<u8>(), code.len(), "bytes")?
                .copy_from_slice(code.as_bytes());
        }
        program.code_size = code.len();
        Ok(())
    }
}

impl Call for PJRT_LoadedExecutable_Delete_Args {
    fn call(&mut self) -> Outcome {
        loaded(self.executable)?.deleted.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl Call for PJRT_LoadedExecutable_IsDeleted_Args {
    fn call(&mut self) -> Outcome {
        self.is_deleted = loaded(self.executable)?.deleted.load(Ordering::Relaxed);
        Ok(())
    }
}

impl Call for PJRT_Executable_NumOutputs_Args {
    fn call(&mut self) -> Outcome {
        self.num_outputs = info(self.executable)?.results.types.len();
        Ok(())
    }
}

impl Call for PJRT_Executable_SizeOfGeneratedCodeInBytes_Args {
    /// Programs are run by code that is there already.
    fn call(&mut self) -> Outcome {
        info(self.executable)?;
        self.size_in_bytes = 0;
        Ok(())
    }
}

impl Call for PJRT_Executable_Fingerprint_Args {
    fn call(&mut self) -> Outcome {
        let fingerprint = &info(self.executable)?.fingerprint;
        (self.executable_fingerprint, self.executable_fingerprint_size) = raw_text(fingerprint);
        Ok(())
    }
}

impl Call for PJRT_LoadedExecutable_Fingerprint_Args {
    fn call(&mut self) -> Outcome {
        let fingerprint = &loaded(self.executable)?.info.fingerprint;
        (self.executable_fingerprint, self.executable_fingerprint_size) = raw_text(fingerprint);
        Ok(())
    }
}

impl Call for PJRT_Executable_GetCostAnalysis_Args {
    fn call(&mut self) -> Outcome {
        let cost = info(self.executable)?.cost()?;
        (self.properties, self.num_properties) = (cost.as_ptr(), cost.len());
        Ok(())
    }
}

impl Call for PJRT_Executable_GetCompiledMemoryStats_Args {
    fn call(&mut self) -> Outcome {
        let info = info(self.executable)?;
        let memory = info.executable.memory();
        let mut results = 0usize;
        for ty in info.given.program.result_types() {
            results = results.saturating_add(ty.bytes()?);
        }
        // Callers leave the places for results as they are, so every one is set.
        *self = PJRT_Executable_GetCompiledMemoryStats_Args {
            struct_size: self.struct_size,
            extension_start: self.extension_start,
            executable: self.executable,
            argument_size_in_bytes: memory.arguments as i64,
            output_size_in_bytes: results as i64,
            alias_size_in_bytes: results.saturating_sub(memory.results) as i64,
            temp_size_in_bytes: memory.temporaries as i64,
            peak_memory_in_bytes: memory.total() as i64,
            total_size_in_bytes: memory.total() as i64,
            total_allocation_bytes: memory.total() as i64,
            peak_unpadded_heap_bytes: memory.total() as i64,
            ..Default::default()
        };
        Ok(())
    }
}

impl Call for PJRT_Executable_OutputElementTypes_Args {
    fn call(&mut self) -> Outcome {
        let types = &info(self.executable)?.results.types;
        (self.output_types, self.num_output_types) = (types.as_ptr().cast_mut(), types.len());
        Ok(())
    }
}

impl Call for PJRT_Executable_OutputDimensions_Args {
    fn call(&mut self) -> Outcome {
        let results = &info(self.executable)?.results;
        self.num_outputs = results.ranks.len();
        (self.dims, self.dim_sizes) = (results.dims.as_ptr(), results.ranks.as_ptr());
        Ok(())
    }
}

impl Call for PJRT_Executable_ParameterMemoryKinds_Args {
    fn call(&mut self) -> Outcome {
        let kinds = &info(self.executable)?.parameter_kinds;
        self.num_parameters = kinds.names.len();
        (self.memory_kinds, self.memory_kind_sizes) = (kinds.names.as_ptr(), kinds.sizes.as_ptr());
        Ok(())
    }
}

impl Call for PJRT_Executable_OutputMemoryKinds_Args {
    fn call(&mut self) -> Outcome {
        let kinds = &info(self.executable)?.result_kinds;
        self.num_outputs = kinds.names.len();
        (self.memory_kinds, self.memory_kind_sizes) = (kinds.names.as_ptr(), kinds.sizes.as_ptr());
        Ok(())
    }
}

impl Call for PJRT_Executable_Serialize_Args {
    fn call(&mut self) -> Outcome {
        let kept = Serialized(info(self.executable)?.write()?);
        (self.serialized_bytes, self.serialized_bytes_size) = (kept.0.as_ptr().cast(), kept.0.len());
        self.serialized_executable = give(kept);
        self.serialized_executable_deleter = Some(free_executable);
        Ok(())
    }
}

impl Call for PJRT_Executable_GetCompileOptions_Args {
    fn call(&mut self) -> Outcome {
        let kept = Options(info(self.executable)?.given.options.clone());
        (self.serialized_bytes, self.serialized_bytes_size) = (kept.0.as_ptr().cast(), kept.0.len());
        self.serialized_compile_options = give(kept);
        self.serialized_compile_options_deleter = Some(free_options);
        Ok(())
    }
}

impl Call for PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
    fn call(&mut self) -> Outcome {
        (self.layouts, self.num_outputs) = info(self.executable)?.result_layouts.raw();
        Ok(())
    }
}

impl Call for PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args {
    fn call(&mut self) -> Outcome {
        (self.layouts, self.num_parameters) = info(self.executable)?.parameter_layouts.raw();
        Ok(())
    }
}

impl Call for PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
    fn call(&mut self) -> Outcome {
        let info = info(self.executable)?;
        let of = &info.parameter_shardings;
        (self.shardings, self.sharding_sizes, self.num_parameters) =
            of.raw(info.given.assignment.partitions());
        Ok(())
    }
}

impl Call for PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
    fn call(&mut self) -> Outcome {
        let info = info(self.executable)?;
        let of = &info.result_shardings;
        (self.shardings, self.sharding_sizes, self.num_outputs) = of.raw(info.given.assignment.partitions());
        Ok(())
    }
}

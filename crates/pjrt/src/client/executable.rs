//! Programs that a plugin has compiled and loaded.

use std::ptr::null_mut;
use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_hlo::Program;
use jarrah_runtime::{
    Arg, CompileOptions, CompiledMemory, DeviceId, Executable, ExecuteOptions, Execution, Parameters,
    Serialized, check_compile_options, portable_device,
};

use super::Shared;
use super::buffer::PluginBuffer;
use super::compiled::CompiledExecutable;
use super::event::completion;
use super::plugin::{Object, ask};
use super::program;
use crate::abi::*;
use crate::compile_options::{CompileOptionsProto as Wishes, DeviceAssignment};

/// A program on the devices of a plugin.
pub struct PluginExecutable {
    loaded: Object<PJRT_LoadedExecutable>,
    compiled: CompiledExecutable,
    program: Program,
    options: CompileOptions,
    memory: CompiledMemory,
    /// Whether each execution names a device.
    portable: bool,
    /// The client, which is freed after its executables.
    shared: Arc<Shared>,
}

impl PluginExecutable {
    pub(super) fn compile(
        shared: &Arc<Shared>,
        program: &Program,
        options: &CompileOptions,
    ) -> Result<PluginExecutable> {
        let plugin = shared.plugin;
        let version = plugin.stablehlo_version()?;
        let code = program::artifact(program, &options.aliases, &shared.platform, version)?;
        let given = program::given(&code);
        let wishes = wishes(shared, options).write();
        let made = ask!(
            plugin,
            PJRT_Client_Compile(PJRT_Client_Compile_Args {
                client: shared.client.get(),
                program: &raw const given,
                compile_options: wishes.as_ptr().cast(),
                compile_options_size: wishes.len(),
            })
        )?;
        PluginExecutable::of(shared, made.executable, program.clone(), options.clone())
    }

    /// The executable that [`Executable::serialize`] wrote, on these devices if some are given.
    pub(super) fn load(
        shared: &Arc<Shared>,
        serialized: &[u8],
        devices: Option<&[DeviceId]>,
    ) -> Result<PluginExecutable> {
        let plugin = shared.plugin;
        let Serialized { mut options, content, .. } =
            Serialized::from_bytes(serialized, &shared.platform, &shared.version)?;
        if let Some(devices) = devices {
            options.devices = devices.to_vec();
        }
        let damaged = |_| Error::input("the serialized executable is damaged");
        let (program, code): (&[u8], &[u8]) = postcard::from_bytes(&content).map_err(damaged)?;
        let program = Program::from_bytes(program)?;
        check_compile_options(&shared.devices.list, &program, &options)?;
        let wishes = wishes(shared, &options).write();
        let made = ask!(
            plugin,
            PJRT_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args {
                client: shared.client.get(),
                serialized_executable: code.as_ptr().cast(),
                serialized_executable_size: code.len(),
                overridden_serialized_compile_options: wishes.as_ptr().cast(),
                overridden_serialized_compile_options_size: wishes.len(),
            })
        )?;
        PluginExecutable::of(shared, made.loaded_executable, program, options)
    }

    /// The executable that the plugin has loaded for a program.
    fn of(
        shared: &Arc<Shared>,
        loaded: *mut PJRT_LoadedExecutable,
        program: Program,
        options: CompileOptions,
    ) -> Result<PluginExecutable> {
        let plugin = shared.plugin;
        let loaded = Object::new(plugin, loaded)?;
        let asked = ask!(
            plugin,
            PJRT_LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args {
                loaded_executable: loaded.get()
            })
        )?;
        let compiled = CompiledExecutable(Object::new(plugin, asked.executable)?);
        let (has, wanted) = (compiled.results()?, program.results().len());
        if has != wanted {
            return Err(Error::internal(format!(
                "{} has {wanted} results, as the plugin {} compiled it {has}",
                program.name(),
                plugin.name()
            )));
        }
        let memory = match compiled.memory() {
            Ok(memory) => memory,
            // What is known without the plugin.
            Err(_) => {
                let bytes = |types: Vec<jarrah_base::Type>| {
                    types.iter().try_fold(0usize, |sum, ty| Ok::<_, Error>(sum.saturating_add(ty.bytes()?)))
                };
                CompiledMemory {
                    arguments: bytes(program.param_types())?,
                    results: bytes(program.result_types())?,
                    temporaries: 0,
                }
            }
        };
        Ok(PluginExecutable {
            loaded,
            compiled,
            portable: portable(shared, &options),
            program,
            options,
            memory,
            shared: shared.clone(),
        })
    }

    /// The plugin's description of the program.
    pub fn compiled(&self) -> &CompiledExecutable {
        &self.compiled
    }

    /// The devices of an execution.
    fn devices(&self, args: &[Vec<Arg>], options: &ExecuteOptions) -> Result<Vec<DeviceId>> {
        let name = self.program.name();
        let wanted = self.options.devices.len().max(1);
        if args.len() != wanted {
            let given = args.len();
            return Err(Error::program(format!(
                "{name} runs on {wanted} devices, there are arguments for {given}"
            )));
        }
        match (&self.options.devices[..], options.device) {
            ([], _) => {
                let device = portable_device(options, args[0].first().map(Arg::buffer), DeviceId(0));
                self.shared.check(device.into())?;
                Ok(vec![device])
            }
            ([only], Some(device)) if *only != device => Err(Error::program(format!(
                "{name} was compiled for device {only}, and is to run on device {device}"
            ))),
            (devices, _) => Ok(devices.to_vec()),
        }
    }

    /// The handles of a device's arguments, which have to be what the program takes.
    fn arguments(&self, device: DeviceId, args: &[Arg]) -> Result<Vec<*mut PJRT_Buffer>> {
        let types = self.program.param_types();
        let parameters = Parameters { program: &self.program, types: &types, device };
        parameters.check_count(args.len())?;
        let handle = |(at, arg): (usize, &Arg)| {
            let data = PluginBuffer::of(&self.shared, arg.buffer()).ok();
            parameters.check(at, data).map(PluginBuffer::handle)
        };
        let handles = args.iter().enumerate().map(handle).collect::<Result<Vec<_>>>()?;
        let aliases = self.options.aliases.iter().filter(|alias| alias.must);
        let must: Vec<usize> = aliases.map(|alias| alias.parameter).collect();
        let given = |at: usize| (handles[at].addr(), matches!(args[at], Arg::Donate(_)));
        parameters.check_donations(&must, given)?;
        Ok(handles)
    }

    /// The parameters that the plugin may not overwrite though the program says that it may. The list is for all devices:
    /// what is given up on one and borrowed on another is not overwritten.
    fn kept(&self, args: &[Vec<Arg>]) -> Vec<i64> {
        let parameters = self.options.aliases.iter().map(|alias| alias.parameter);
        let borrowed = |at: &usize| args.iter().any(|list| matches!(list[*at], Arg::Borrow(_)));
        parameters.filter(borrowed).map(|at| at as i64).collect()
    }
}

/// Whether each execution names a device.
fn portable(shared: &Shared, options: &CompileOptions) -> bool {
    options.devices.is_empty() && shared.devices.list.len() > 1
}

/// The options of a compilation, as the plugin takes them.
fn wishes(shared: &Shared, options: &CompileOptions) -> Wishes {
    let ids: Vec<i64> = options.devices.iter().map(|&id| shared.devices.plugin_id(id)).collect();
    Wishes {
        compile_portable_executable: portable(shared, options),
        num_replicas: ids.len().max(1) as i64,
        device_assignment: (!ids.is_empty()).then(|| DeviceAssignment { devices: vec![ids] }),
        ..Wishes::default()
    }
}

impl Executable for PluginExecutable {
    /// The program as it was given; [`CompiledExecutable::optimized`] has it after the plugin's passes.
    fn program(&self) -> &Program {
        &self.program
    }

    fn options(&self) -> &CompileOptions {
        &self.options
    }

    fn execute(&self, args: Vec<Vec<Arg>>, options: &ExecuteOptions) -> Result<Execution> {
        let devices = self.devices(&args, options)?;
        let handles = devices.iter().zip(&args).map(|(&device, args)| self.arguments(device, args));
        let handles = handles.collect::<Result<Vec<_>>>()?;
        let given_up: Vec<_> = args.iter().flatten().filter(|arg| matches!(arg, Arg::Donate(_))).collect();
        // When a tensor is there can be asked as long as it is not given up.
        given_up.iter().for_each(|arg| drop(arg.buffer().ready()));
        let kept = self.kept(&args);
        let mut wishes = PJRT_ExecuteOptions {
            non_donatable_input_indices: kept.as_ptr(),
            num_non_donatable_input_indices: kept.len(),
            ..Default::default()
        };
        let types = self.program.result_types();
        let lists: Vec<_> = handles.iter().map(|list| list.as_ptr()).collect();
        let mut results = vec![vec![null_mut(); types.len()]; devices.len()];
        let places: Vec<_> = results.iter_mut().map(Vec::as_mut_ptr).collect();
        let mut events = vec![null_mut(); devices.len()];
        ask!(
            self.shared.plugin,
            PJRT_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args {
                executable: self.loaded.get(),
                options: &raw mut wishes,
                argument_lists: lists.as_ptr(),
                num_devices: devices.len(),
                num_args: self.program.params().len(),
                output_lists: places.as_ptr(),
                device_complete_events: events.as_mut_ptr(),
                execute_device: match self.portable {
                    true => self.shared.devices.handle(devices[0]),
                    false => null_mut(),
                },
            })
        )?;
        let done = events.into_iter().map(|event| completion(self.shared.plugin, event)).collect();
        // What the plugin did not take, because the program has no use for the memory, goes as well.
        given_up.iter().for_each(|arg| arg.buffer().delete());
        let on_device = |(list, &device): (Vec<_>, &DeviceId)| {
            let made = list.into_iter().zip(&types);
            made.map(|(handle, &ty)| PluginBuffer::wrap(&self.shared, handle, ty, device.into())).collect()
        };
        let results = results.into_iter().zip(&devices).map(on_device).collect::<Result<_>>()?;
        Ok(Execution { results, done })
    }

    fn memory(&self) -> CompiledMemory {
        self.memory
    }

    fn serialize(&self) -> Result<Vec<u8>> {
        let code = self.compiled.serialize()?;
        let content = postcard::to_stdvec(&(self.program.to_bytes()?, code))
            .map_err(|error| Error::internal(format!("an executable cannot be serialized: {error}")))?;
        let Shared { platform, version, .. } = &*self.shared;
        Serialized::new(platform, version, self.options.clone(), content).to_bytes()
    }
}

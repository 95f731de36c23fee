//! Any PJRT plugin as a client of the runtime.
//!
//! A [`Plugin`] is a function table, out of a shared library or of this process. [`PluginClient`] has its devices, and is a
//! [`Client`] like any other. [`PluginTopology`] compiles for devices that are not there.
//!
//! Calls of C: `plugin` makes them, and frees objects; `event` turns events of C into those of the runtime.
//! Everything else fills argument structs with handles that it holds and with pointers to what it owns.

mod buffer;
mod compiled;
mod device;
mod event;
mod executable;
mod plugin;
mod program;
mod topology;

use std::path::Path;
use std::sync::Arc;

use jarrah_base::{Error, Result, Type};
use jarrah_hlo::Program;
use jarrah_hlo::host::Registry;
use jarrah_runtime::{
    Buffer, BufferPromise, Client, CompileOptions, DeviceAttribute, DeviceId, Executable, HostSource,
    MemoryStats, NoPreferences, Observer, Observing, Placement, Preferences, RuntimeDevice,
    check_compile_options, check_placement,
};

pub use compiled::{CompiledExecutable, OptimizedProgram};
pub use device::Description;
pub use executable::PluginExecutable;
pub use plugin::Plugin;
pub use topology::PluginTopology;

use crate::abi::*;
use crate::named::{Named, text};
use buffer::PluginBuffer;
use device::Devices;
use plugin::{Object, ask};

/// The devices of a plugin that this process drives, and the plugin's compiler.
///
/// Differences from other clients: an alias that must hold is an error, since programs cannot say so to a plugin; an argument
/// that is given up and that no alias names is deleted once the execution has begun; calls of host code are those that the
/// plugin's platform knows, so the registry has no effect; an error of a run may already be the error of its beginning.
///
/// ```no_run
/// use jarrah_pjrt::client::PluginClient;
/// use jarrah_runtime::Client;
///
/// let client = PluginClient::load("libpjrt.so", Vec::new())?;
/// println!("{} devices of {}", client.devices().len(), client.platform());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct PluginClient {
    shared: Arc<Shared>,
    registry: Registry,
}

/// The plugin's client, shared by its buffers and executables; it lives as long as one of them does.
struct Shared {
    client: Object<PJRT_Client>,
    plugin: &'static Plugin,
    platform: String,
    version: String,
    devices: Devices,
}

impl Shared {
    fn check(&self, placement: Placement) -> Result<()> {
        check_placement(&self.devices.list, self.process(), placement)
    }

    /// This process, whose devices alone are listed.
    fn process(&self) -> usize {
        self.devices.list[0].process
    }
}

impl PluginClient {
    /// A client of the plugin in the shared library at `path`, with the plugin's own options.
    ///
    /// # Errors
    /// As [`Plugin::load`] and [`PluginClient::new`].
    pub fn load(path: impl AsRef<Path>, options: Vec<(String, DeviceAttribute)>) -> Result<PluginClient> {
        let path = path.as_ref();
        PluginClient::new(Plugin::load(path)?, options)
    }

    /// A client of a plugin, with the plugin's own options.
    ///
    /// # Errors
    /// The plugin finds no device, or does not know an option.
    pub fn new(plugin: &'static Plugin, options: Vec<(String, DeviceAttribute)>) -> Result<PluginClient> {
        let options = Named::new(options);
        let made = ask!(
            plugin,
            PJRT_Client_Create(PJRT_Client_Create_Args {
                create_options: options.as_ptr(),
                num_options: options.len(),
            })
        )
        .map_err(|error| error.context(format!("while the plugin {} looked for devices", plugin.name())))?;
        let client = Object::new(plugin, made.client)?;
        let name =
            ask!(plugin, PJRT_Client_PlatformName(PJRT_Client_PlatformName_Args { client: client.get() }))?;
        let version = ask!(
            plugin,
            PJRT_Client_PlatformVersion(PJRT_Client_PlatformVersion_Args { client: client.get() })
        )?;
        let shared = Shared {
            devices: Devices::new(plugin, client.get())?,
            // SAFETY: the plugin gave the texts, which live as long as the client.
            platform: unsafe { text(name.platform_name, name.platform_name_size, "name of the platform")? },
            // SAFETY: as above.
            version: unsafe {
                text(version.platform_version, version.platform_version_size, "version of the platform")?
            },
            plugin,
            client,
        };
        Ok(PluginClient { shared: Arc::new(shared), registry: Registry::new() })
    }

    /// The plugin.
    pub fn plugin(&self) -> &'static Plugin {
        self.shared.plugin
    }

    /// As [`Client::compile`], with what the plugin says of the program.
    ///
    /// # Errors
    /// As [`Client::compile`]; the program uses what StableHLO lacks.
    pub fn compile(&self, program: &Program, options: &CompileOptions) -> Result<PluginExecutable> {
        check_compile_options(&self.shared.devices.list, program, options)?;
        if options.memory_limit.is_some() {
            return Err(Error::program("a plugin cannot be told a memory limit"));
        }
        program.check_expansion()?;
        PluginExecutable::compile(&self.shared, program, options).map_err(|error| {
            error.context(format!("while compiling {} with {}", program.name(), self.plugin().name()))
        })
    }
}

impl Client for PluginClient {
    fn platform(&self) -> &str {
        &self.shared.platform
    }

    /// The version of the platform, in the plugin's words.
    fn version(&self) -> &str {
        &self.shared.version
    }

    fn devices(&self) -> &[RuntimeDevice] {
        &self.shared.devices.list
    }

    fn process(&self) -> usize {
        self.shared.process()
    }

    fn registry(&self) -> &Registry {
        &self.registry
    }

    fn buffer_from_host(&self, ty: Type, source: HostSource<'_>, placement: Placement) -> Result<Buffer> {
        self.shared.check(placement)?;
        PluginBuffer::from_host(&self.shared, ty, source, placement)
    }

    fn promise(&self, ty: Type, placement: Placement) -> Result<(Buffer, BufferPromise)> {
        self.shared.check(placement)?;
        PluginBuffer::promise(&self.shared, ty, placement)
    }

    fn copy(&self, buffer: &Buffer, placement: Placement) -> Result<Buffer> {
        self.shared.check(placement)?;
        PluginBuffer::of(&self.shared, buffer)?.copy(placement)
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Arc<dyn Executable>> {
        Ok(Arc::new(PluginClient::compile(self, program, options)?))
    }

    /// Plugins say nothing of it.
    fn preferences(&self) -> &dyn Preferences {
        &NoPreferences
    }

    fn observe(&self, _: Arc<dyn Observer>) -> Result<Observing> {
        Err(Error::program(format!("the devices of {} tell nobody when they run what", self.platform()))
            .help("a plugin may have a profiler of its own"))
    }

    fn load(&self, serialized: &[u8], devices: Option<&[DeviceId]>) -> Result<Arc<dyn Executable>> {
        let loaded = PluginExecutable::load(&self.shared, serialized, devices);
        let loaded = loaded.map_err(|error| {
            error.context(format!("while loading an executable with {}", self.plugin().name()))
        });
        Ok(Arc::new(loaded?))
    }

    fn memory_stats(&self, device: DeviceId) -> Result<MemoryStats> {
        self.shared.check(device.into())?;
        device::memory_stats(self.shared.plugin, self.shared.devices.handle(device))
    }
}

//! Compilation for devices that need not be there.

use jarrah_base::Result;
use jarrah_hlo::Program;
use jarrah_runtime::DeviceAttribute;

use super::compiled::CompiledExecutable;
use super::device::Description;
use super::plugin::{Object, Plugin, ask};
use super::program;
use crate::abi::*;
use crate::compile_options::CompileOptionsProto;
use crate::named::{Named, list, text};

/// Devices of a plugin, as programs are compiled for them: none of them is used.
pub struct PluginTopology {
    object: Object<PJRT_TopologyDescription>,
    platform: String,
}

impl PluginTopology {
    /// The devices that the plugin knows by this name, such as `v5e:2x4`; what names there are is the plugin's to say.
    ///
    /// # Errors
    /// There is no topology of this name, or the plugin has none at all.
    pub fn new(
        plugin: &'static Plugin,
        name: &str,
        options: Vec<(String, DeviceAttribute)>,
    ) -> Result<PluginTopology> {
        let options = Named::new(options);
        let made = ask!(
            plugin,
            PJRT_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args {
                topology_name: name.as_ptr().cast(),
                topology_name_size: name.len(),
                create_options: options.as_ptr(),
                num_options: options.len(),
            })
        )?;
        let object = Object::new(plugin, made.topology)?;
        let said = ask!(
            plugin,
            PJRT_TopologyDescription_PlatformName(PJRT_TopologyDescription_PlatformName_Args {
                topology: object.get()
            })
        )?;
        // SAFETY: the plugin gave the text, which lives as long as the topology.
        let platform = unsafe { text(said.platform_name, said.platform_name_size, "name of the platform")? };
        Ok(PluginTopology { object, platform })
    }

    /// The devices.
    ///
    /// # Errors
    /// The plugin does not say.
    pub fn devices(&self) -> Result<Vec<Description>> {
        let plugin = self.object.plugin();
        let said = ask!(
            plugin,
            PJRT_TopologyDescription_GetDeviceDescriptions(
                PJRT_TopologyDescription_GetDeviceDescriptions_Args { topology: self.object.get() }
            )
        )?;
        // SAFETY: the plugin gave the list, which lives as long as the topology.
        let list = unsafe { list(said.descriptions, said.num_descriptions, "list of devices")? };
        list.iter().map(|&one| Description::read(plugin, one)).collect()
    }

    /// Compiles a program for one of the devices.
    ///
    /// # Errors
    /// The program uses what the plugin lacks.
    pub fn compile(&self, program: &Program) -> Result<CompiledExecutable> {
        let plugin = self.object.plugin();
        let code = program::artifact(program, &[], &self.platform, plugin.stablehlo_version()?)?;
        let given = program::given(&code);
        let wishes = CompileOptionsProto::default().write();
        let made = ask!(
            plugin,
            PJRT_Compile(PJRT_Compile_Args {
                topology: self.object.get(),
                program: &raw const given,
                compile_options: wishes.as_ptr().cast(),
                compile_options_size: wishes.len(),
            })
        )?;
        Ok(CompiledExecutable(Object::new(plugin, made.executable)?))
    }
}

//! The devices of a plugin's client and their memories.

use jarrah_base::{Error, Result};
use jarrah_runtime::{
    DeviceAttribute, DeviceId, DeviceInfo, MemoryKind, MemoryStats, Placement, RuntimeDevice,
};

use super::plugin::{Plugin, ask};
use crate::abi::*;
use crate::named::{self, list, text};

/// The devices that this process drives, and the handles behind them.
pub(super) struct Devices {
    pub list: Vec<RuntimeDevice>,
    behind: Vec<Behind>,
}

/// The handle and numbers by which a plugin knows a device.
struct Behind {
    handle: *mut PJRT_Device,
    id: i64,
    /// The memory of each of the device's kinds; null where the plugin does not tell memories apart.
    memories: Vec<(MemoryKind, *mut PJRT_Memory)>,
}

// SAFETY: the client, which is kept as long as this, owns the devices and memories, and any thread may use them.
unsafe impl Send for Devices {}
// SAFETY: as above.
unsafe impl Sync for Devices {}

impl Devices {
    pub fn new(plugin: &'static Plugin, client: *mut PJRT_Client) -> Result<Devices> {
        let asked = ask!(
            plugin,
            PJRT_Client_AddressableDevices(PJRT_Client_AddressableDevices_Args { client: client })
        )?;
        // SAFETY: the plugin gave the list, which lives as long as the client.
        let handles =
            unsafe { list(asked.addressable_devices, asked.num_addressable_devices, "list of devices")? };
        if handles.is_empty() {
            return Err(Error::environment(format!(
                "the plugin {} has no device for this process",
                plugin.name()
            )));
        }
        let (mut list, mut behind) = (Vec::new(), Vec::new());
        for (index, &handle) in handles.iter().enumerate() {
            let memories = memories(plugin, handle)?;
            let asked =
                ask!(plugin, PJRT_Device_GetDescription(PJRT_Device_GetDescription_Args { device: handle }))?;
            let description = Description::read(plugin, asked.device_description)?;
            list.push(RuntimeDevice::new(DeviceInfo {
                id: DeviceId(index as u32),
                process: usize::try_from(description.process).unwrap_or(0),
                kind: description.kind,
                memories: memories.iter().map(|&(kind, _)| kind).collect(),
                attributes: description.attributes,
            }));
            behind.push(Behind { handle, id: description.id, memories });
        }
        Ok(Devices { list, behind })
    }

    /// The handle of a device that there is.
    pub fn handle(&self, id: DeviceId) -> *mut PJRT_Device {
        self.behind[id.index()].handle
    }

    /// The number by which the plugin knows a device that there is.
    pub fn plugin_id(&self, id: DeviceId) -> i64 {
        self.behind[id.index()].id
    }

    /// The handle of a memory that there is, or null where the plugin does not tell memories apart.
    pub fn memory(&self, place: Placement) -> *mut PJRT_Memory {
        let mut memories = self.behind[place.device.index()].memories.iter();
        memories.find(|(kind, _)| *kind == place.memory).map_or(std::ptr::null_mut(), |&(_, handle)| handle)
    }
}

/// The memories of a device by kind, the default one first. The default memory is the one that programs work in, whatever
/// the plugin calls it. Memories of further kinds than the runtime has are left out.
fn memories(
    plugin: &'static Plugin,
    device: *mut PJRT_Device,
) -> Result<Vec<(MemoryKind, *mut PJRT_Memory)>> {
    if plugin.table.PJRT_Memory_Kind.is_none() {
        return Ok(vec![(MemoryKind::Device, std::ptr::null_mut())]);
    }
    let asked = ask!(
        plugin,
        PJRT_Device_AddressableMemories(PJRT_Device_AddressableMemories_Args { device: device })
    )?;
    // SAFETY: the plugin gave the list, which lives as long as the client.
    let handles = unsafe { list(asked.memories, asked.num_memories, "list of memories")? };
    let default = ask!(plugin, PJRT_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args { device: device }))?;
    let mut found = vec![(MemoryKind::Device, default.memory)];
    for &memory in handles.iter().filter(|&&memory| memory != default.memory) {
        let kind = ask!(plugin, PJRT_Memory_Kind(PJRT_Memory_Kind_Args { memory: memory }))?;
        // SAFETY: the plugin gave the text, which lives as long as the memory.
        let name = unsafe { text(kind.kind, kind.kind_size, "kind of a memory")? };
        match MemoryKind::from_name(&name) {
            Some(kind) if found.iter().all(|&(known, _)| known != kind) => found.push((kind, memory)),
            _ => {}
        }
    }
    Ok(found)
}

/// The description of a device by its plugin, whether the device is there or is part of a topology.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// The number by which the plugin knows the device.
    pub id: i64,
    /// The process that drives it.
    pub process: i64,
    /// The model of the hardware.
    pub kind: String,
    /// Further properties, by name.
    pub attributes: Vec<(String, DeviceAttribute)>,
}

impl Description {
    pub(super) fn read(plugin: &'static Plugin, handle: *mut PJRT_DeviceDescription) -> Result<Description> {
        let id = ask!(
            plugin,
            PJRT_DeviceDescription_Id(PJRT_DeviceDescription_Id_Args { device_description: handle })
        )?;
        let process = ask!(
            plugin,
            PJRT_DeviceDescription_ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args {
                device_description: handle
            })
        )?;
        let kind = ask!(
            plugin,
            PJRT_DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args { device_description: handle })
        )?;
        let said = ask!(
            plugin,
            PJRT_DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args {
                device_description: handle
            })
        )?;
        Ok(Description {
            id: id.id.into(),
            process: process.process_index.into(),
            // SAFETY: the plugin gave the text, which lives as long as the description.
            kind: unsafe { text(kind.device_kind, kind.device_kind_size, "kind of a device")? },
            // SAFETY: likewise the list.
            attributes: unsafe { named::read(said.attributes, said.num_attributes)? },
        })
    }
}

/// How the memory of a device is used, as far as the plugin says.
pub(super) fn memory_stats(plugin: &'static Plugin, device: *mut PJRT_Device) -> Result<MemoryStats> {
    let said = ask!(plugin, PJRT_Device_MemoryStats(PJRT_Device_MemoryStats_Args { device: device }))?;
    let stated = |is_set: bool, number: i64| usize::try_from(number).ok().filter(|_| is_set);
    let in_use = usize::try_from(said.bytes_in_use).unwrap_or(0);
    Ok(MemoryStats {
        in_use,
        peak: stated(said.peak_bytes_in_use_is_set, said.peak_bytes_in_use).unwrap_or(in_use),
        pool: stated(said.pool_bytes_is_set, said.pool_bytes).unwrap_or(0),
        limit: stated(said.bytes_limit_is_set, said.bytes_limit),
        largest: stated(said.largest_alloc_size_is_set, said.largest_alloc_size).unwrap_or(0),
        allocations: stated(said.num_allocs_is_set, said.num_allocs).unwrap_or(0) as u64,
    })
}

//! Devices of a client and their memories.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use jarrah_pjrt::abi::*;
use jarrah_pjrt::named::Named;
use jarrah_runtime::{DeviceId, MemoryKind, Placement, RuntimeDevice};

use crate::call::Call;
use crate::client::Shared;
use crate::description::{DescriptionObject, kind_id};
use crate::failure::{Failure, Outcome};
use crate::object::{self, Object, borrow, give, handle, list, raw_text, text};

/// A device of a client.
pub struct DeviceObject {
    client: Weak<Shared>,
    pub description: DescriptionObject,
    memories: Vec<*mut PJRT_Memory>,
}

impl Object for DeviceObject {
    type Handle = PJRT_Device;
    const WHAT: &'static str = "device";
}

impl DeviceObject {
    pub fn new(client: Weak<Shared>, device: &RuntimeDevice, memories: &[MemoryObject]) -> DeviceObject {
        DeviceObject {
            client,
            description: DescriptionObject::new(device),
            memories: memories.iter().map(handle).collect(),
        }
    }

    pub fn id(&self) -> DeviceId {
        self.description.device().id
    }

    pub fn client(&self) -> Outcome<Arc<Shared>> {
        self.client.upgrade().ok_or_else(|| Failure::invalid("the client of the device was destroyed"))
    }

    fn default_memory(&self) -> *mut PJRT_Memory {
        self.memories.first().copied().unwrap_or(std::ptr::null_mut())
    }
}

/// A memory of a device. C may keep data with it.
#[repr(C)]
pub struct MemoryObject {
    table: PJRT_Memory,
    client: Weak<Shared>,
    device: DeviceId,
    pub kind: MemoryKind,
    id: c_int,
    debug: String,
    text: String,
    kept: Mutex<HashMap<usize, Kept>>,
}

impl Object for MemoryObject {
    type Handle = PJRT_Memory;
    const WHAT: &'static str = "memory";
}

/// What C keeps with a memory under a key.
struct Kept {
    data: *mut c_void,
    free: Option<unsafe extern "C" fn(*mut c_void)>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            // SAFETY: whoever left the data said that this function takes it, once.
            unsafe { free(self.data) }
        }
    }
}

struct Table(PJRT_Memory_FunctionTable);

// SAFETY: the table has functions and a null pointer, which every thread may read.
unsafe impl Sync for Table {}

static TABLE: Table = Table(PJRT_Memory_FunctionTable {
    struct_size: PJRT_Memory_FunctionTable::STRUCT_SIZE,
    extension_start: std::ptr::null_mut(),
    instance_struct_size: size_of::<PJRT_Memory>(),
    get_user_data: Some(get_user_data),
    set_user_data: Some(set_user_data),
});

unsafe extern "C" fn get_user_data(memory: *mut PJRT_Memory, key: *const c_void) -> *mut c_void {
    let found =
        borrow::<MemoryObject>(memory).ok().and_then(|m| m.kept().get(&key.addr()).map(|kept| kept.data));
    found.unwrap_or(std::ptr::null_mut())
}

unsafe extern "C" fn set_user_data(
    memory: *mut PJRT_Memory,
    key: *const c_void,
    data: *mut c_void,
    free: Option<unsafe extern "C" fn(*mut c_void)>,
) {
    if let Ok(memory) = borrow::<MemoryObject>(memory) {
        let before = memory.kept().insert(key.addr(), Kept { data, free });
        // Not under the lock: the function that frees what was there may ask for other data.
        drop(before);
    }
}

impl MemoryObject {
    pub fn new(client: Weak<Shared>, device: &RuntimeDevice, kind: MemoryKind, id: usize) -> MemoryObject {
        MemoryObject {
            table: PJRT_Memory { vtable: &raw const TABLE.0 },
            client,
            device: device.id,
            kind,
            id: id as c_int,
            debug: format!("memory {kind} of device {}", device.id),
            text: format!("JarrahMemory(device={}, kind={kind})", device.id),
            kept: Mutex::default(),
        }
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<usize, Kept>> {
        debug_assert!(!self.table.vtable.is_null());
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn placement(&self) -> Placement {
        Placement { device: self.device, memory: self.kind }
    }

    pub fn client(&self) -> Outcome<Arc<Shared>> {
        self.client.upgrade().ok_or_else(|| Failure::invalid("the client of the memory was destroyed"))
    }
}

/// The place that C means by a memory or, where that is null, by the default memory of a device.
pub fn placement_of(device: *mut PJRT_Device, memory: *mut PJRT_Memory) -> Outcome<Placement> {
    match object::optional::<MemoryObject>(memory) {
        Some(memory) => Ok(memory.placement()),
        None => Ok(borrow::<DeviceObject>(device)?.id().into()),
    }
}

fn device(handle: *mut PJRT_Device) -> Outcome<&'static DeviceObject> {
    borrow(handle)
}

fn memory(handle: *mut PJRT_Memory) -> Outcome<&'static MemoryObject> {
    borrow(handle)
}

impl Call for PJRT_Device_GetDescription_Args {
    fn call(&mut self) -> Outcome {
        self.device_description = handle(&device(self.device)?.description);
        Ok(())
    }
}

impl Call for PJRT_Device_IsAddressable_Args {
    fn call(&mut self) -> Outcome {
        let device = device(self.device)?;
        self.is_addressable = device.client()?.is_own(device.id());
        Ok(())
    }
}

impl Call for PJRT_Device_LocalHardwareId_Args {
    fn call(&mut self) -> Outcome {
        let device = device(self.device)?;
        self.local_hardware_id = device.client()?.local_id(device.id()) as c_int;
        Ok(())
    }
}

impl Call for PJRT_Device_AddressableMemories_Args {
    fn call(&mut self) -> Outcome {
        let memories = &device(self.device)?.memories;
        (self.memories, self.num_memories) = (memories.as_ptr(), memories.len());
        Ok(())
    }
}

impl Call for PJRT_Device_DefaultMemory_Args {
    fn call(&mut self) -> Outcome {
        self.memory = device(self.device)?.default_memory();
        Ok(())
    }
}

impl Call for PJRT_Device_MemoryStats_Args {
    fn call(&mut self) -> Outcome {
        let device = device(self.device)?;
        let stats = device.client()?.client.memory_stats(device.id())?;
        // Callers leave the places for results as they are, so every one is set.
        *self = PJRT_Device_MemoryStats_Args {
            bytes_in_use: stats.in_use as i64,
            peak_bytes_in_use: stats.peak as i64,
            peak_bytes_in_use_is_set: true,
            num_allocs: stats.allocations as i64,
            num_allocs_is_set: true,
            largest_alloc_size: stats.largest as i64,
            largest_alloc_size_is_set: true,
            bytes_limit: stats.limit.unwrap_or(0) as i64,
            bytes_limit_is_set: stats.limit.is_some(),
            pool_bytes: stats.pool as i64,
            pool_bytes_is_set: true,
            struct_size: self.struct_size,
            extension_start: self.extension_start,
            device: self.device,
            ..Default::default()
        };
        Ok(())
    }
}

impl Call for PJRT_Device_ClearMemoryStats_Args {
    fn call(&mut self) -> Outcome {
        device(self.device)?;
        Err(Failure::unimplemented(
            "PJRT_Device_ClearMemoryStats: the peak of the memory in use cannot be reset",
        ))
    }
}

impl Call for PJRT_Device_PoisonExecution_Args {
    fn call(&mut self) -> Outcome {
        device(self.device)?;
        Err(Failure::unimplemented(
            "PJRT_Device_PoisonExecution: executions cannot be made to fail from outside",
        ))
    }
}

/// Attributes of a device that C frees.
struct DeviceAttributes(Named);

impl Object for DeviceAttributes {
    type Handle = PJRT_Device_Attributes;
    const WHAT: &'static str = "list of attributes";
}

unsafe extern "C" fn free_attributes(attributes: *mut PJRT_Device_Attributes) {
    drop(object::take::<DeviceAttributes>(attributes));
}

impl Call for PJRT_Device_GetAttributes_Args {
    fn call(&mut self) -> Outcome {
        let device = device(self.device)?.description.device();
        let kept = DeviceAttributes(Named::new(device.attributes.clone()));
        (self.attributes, self.num_attributes) = (kept.0.as_ptr(), kept.0.len());
        self.device_attributes = give(kept);
        self.attributes_deleter = Some(free_attributes);
        Ok(())
    }
}

/// A span of work that C wishes to see in profiles.
struct TrackingObject(#[allow(dead_code, reason = "kept for debuggers")] String);

impl Object for TrackingObject {
    type Handle = PJRT_AsyncTrackingEvent;
    const WHAT: &'static str = "tracking event";
}

impl Call for PJRT_Device_CreateAsyncTrackingEvent_Args {
    fn call(&mut self) -> Outcome {
        device(self.device)?;
        let said = text(self.description, self.description_size, "description")?;
        self.event = give(TrackingObject(said.to_owned()));
        Ok(())
    }
}

impl Call for PJRT_AsyncTrackingEvent_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<TrackingObject>(self.event));
        Ok(())
    }
}

impl Call for PJRT_Memory_Id_Args {
    fn call(&mut self) -> Outcome {
        self.id = memory(self.memory)?.id;
        Ok(())
    }
}

impl Call for PJRT_Memory_Kind_Args {
    fn call(&mut self) -> Outcome {
        (self.kind, self.kind_size) = raw_text(memory(self.memory)?.kind.name());
        Ok(())
    }
}

impl Call for PJRT_Memory_Kind_Id_Args {
    fn call(&mut self) -> Outcome {
        self.kind_id = kind_id(memory(self.memory)?.kind);
        Ok(())
    }
}

impl Call for PJRT_Memory_DebugString_Args {
    fn call(&mut self) -> Outcome {
        (self.debug_string, self.debug_string_size) = raw_text(&memory(self.memory)?.debug);
        Ok(())
    }
}

impl Call for PJRT_Memory_ToString_Args {
    fn call(&mut self) -> Outcome {
        (self.to_string, self.to_string_size) = raw_text(&memory(self.memory)?.text);
        Ok(())
    }
}

impl Call for PJRT_Memory_AddressableByDevices_Args {
    fn call(&mut self) -> Outcome {
        let memory = memory(self.memory)?;
        let client = memory.client()?;
        let devices = list(client.device_handles.as_ptr(), client.device_handles.len(), "devices")?;
        let at = memory.device.index();
        (self.devices, self.num_devices) = (devices[at..].as_ptr(), 1);
        Ok(())
    }
}

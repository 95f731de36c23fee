//! Devices, their descriptions and their memories.

use super::*;

structs! {
    args PJRT_Memory_FunctionTable {
        instance_struct_size: usize,
        get_user_data: Option<unsafe extern "C" fn(memory: *mut PJRT_Memory, key: *const c_void) -> *mut c_void>,
        set_user_data: Option<unsafe extern "C" fn(memory: *mut PJRT_Memory, key: *const c_void, data: *mut c_void, dtor: Option<unsafe extern "C" fn(*mut c_void)>)>,
    }
    plain PJRT_Memory { vtable: *const PJRT_Memory_FunctionTable }
    args PJRT_DeviceDescription_Id_Args { device_description: *mut PJRT_DeviceDescription, id: c_int }
    args PJRT_DeviceDescription_ProcessIndex_Args {
        device_description: *mut PJRT_DeviceDescription, process_index: c_int,
    }
    args PJRT_DeviceDescription_Attributes_Args {
        device_description: *mut PJRT_DeviceDescription, num_attributes: usize, attributes: *const PJRT_NamedValue,
    }
    args PJRT_DeviceDescription_Kind_Args {
        device_description: *mut PJRT_DeviceDescription, device_kind: *const c_char, device_kind_size: usize,
    }
    args PJRT_DeviceDescription_DebugString_Args {
        device_description: *mut PJRT_DeviceDescription, debug_string: *const c_char, debug_string_size: usize,
    }
    args PJRT_DeviceDescription_ToString_Args {
        device_description: *mut PJRT_DeviceDescription, to_string: *const c_char, to_string_size: usize,
    }
    args PJRT_Device_GetDescription_Args { device: *mut PJRT_Device, device_description: *mut PJRT_DeviceDescription }
    args PJRT_Device_IsAddressable_Args { device: *mut PJRT_Device, is_addressable: bool }
    args PJRT_Device_LocalHardwareId_Args { device: *mut PJRT_Device, local_hardware_id: c_int }
    args PJRT_Device_AddressableMemories_Args {
        device: *mut PJRT_Device, memories: *const *mut PJRT_Memory, num_memories: usize,
    }
    args PJRT_Device_DefaultMemory_Args { device: *mut PJRT_Device, memory: *mut PJRT_Memory }
    args PJRT_Device_MemoryStats_Args {
        device: *mut PJRT_Device, bytes_in_use: i64, peak_bytes_in_use: i64, peak_bytes_in_use_is_set: bool,
        num_allocs: i64, num_allocs_is_set: bool, largest_alloc_size: i64, largest_alloc_size_is_set: bool,
        bytes_limit: i64, bytes_limit_is_set: bool, bytes_reserved: i64, bytes_reserved_is_set: bool,
        peak_bytes_reserved: i64, peak_bytes_reserved_is_set: bool, bytes_reservable_limit: i64,
        bytes_reservable_limit_is_set: bool, largest_free_block_bytes: i64, largest_free_block_bytes_is_set: bool,
        pool_bytes: i64, pool_bytes_is_set: bool, peak_pool_bytes: i64, peak_pool_bytes_is_set: bool,
        peak_allocated_bytes: i64, peak_allocated_bytes_is_set: bool,
    }
    args PJRT_Device_ClearMemoryStats_Args { device: *mut PJRT_Device }
    args PJRT_Device_PoisonExecution_Args {
        device: *mut PJRT_Device, launch_id: i32, error_code: PJRT_Error_Code, error_message: *const c_char,
        error_message_size: usize, poisoned: bool, payload: *const PJRT_NamedValue, num_payload: usize,
    }
    args PJRT_Device_GetAttributes_Args {
        device: *mut PJRT_Device, attributes: *const PJRT_NamedValue, num_attributes: usize,
        device_attributes: *mut PJRT_Device_Attributes,
        attributes_deleter: Option<unsafe extern "C" fn(device_attributes: *mut PJRT_Device_Attributes)>,
    }
    args PJRT_Device_CreateAsyncTrackingEvent_Args {
        device: *mut PJRT_Device, description: *const c_char, description_size: usize,
        event: *mut PJRT_AsyncTrackingEvent,
    }
    args PJRT_AsyncTrackingEvent_Destroy_Args { event: *mut PJRT_AsyncTrackingEvent }
    args PJRT_Memory_Id_Args { memory: *mut PJRT_Memory, id: c_int }
    args PJRT_Memory_Kind_Args { memory: *mut PJRT_Memory, kind: *const c_char, kind_size: usize }
    args PJRT_Memory_Kind_Id_Args { memory: *mut PJRT_Memory, kind_id: c_int }
    args PJRT_Memory_DebugString_Args {
        memory: *mut PJRT_Memory, debug_string: *const c_char, debug_string_size: usize,
    }
    args PJRT_Memory_ToString_Args { memory: *mut PJRT_Memory, to_string: *const c_char, to_string_size: usize }
    args PJRT_Memory_AddressableByDevices_Args {
        memory: *mut PJRT_Memory, devices: *const *mut PJRT_Device, num_devices: usize,
    }
}

//! Clients, programs and their compilation.

use super::*;

structs! {
    args PJRT_KeyValueGetCallback_Args {
        key: *const c_char, key_size: usize, timeout_in_ms: c_int, callback_error: *mut PJRT_CallbackError,
        user_arg: *mut c_void, value: *mut c_char, value_size: usize,
        value_deleter_callback: Option<PJRT_KeyValueGetCallback_ValueDeleter>,
    }
    args PJRT_KeyValueTryGetCallback_Args {
        key: *const c_char, key_size: usize, callback_error: *mut PJRT_CallbackError, user_arg: *mut c_void,
        value: *mut c_char, value_size: usize,
        value_deleter_callback: Option<PJRT_KeyValueTryGetCallback_ValueDeleter>,
    }
    args PJRT_KeyValuePutCallback_Args {
        key: *const c_char, key_size: usize, value: *const c_char, value_size: usize,
        callback_error: *mut PJRT_CallbackError, user_arg: *mut c_void,
    }
    args PJRT_Client_Create_Args {
        create_options: *const PJRT_NamedValue, num_options: usize, kv_get_callback: Option<PJRT_KeyValueGetCallback>,
        kv_get_user_arg: *mut c_void, kv_put_callback: Option<PJRT_KeyValuePutCallback>, kv_put_user_arg: *mut c_void,
        client: *mut PJRT_Client, kv_try_get_callback: Option<PJRT_KeyValueTryGetCallback>,
        kv_try_get_user_arg: *mut c_void,
    }
    args PJRT_Client_Destroy_Args { client: *mut PJRT_Client }
    args PJRT_Client_PlatformName_Args {
        client: *mut PJRT_Client, platform_name: *const c_char, platform_name_size: usize,
    }
    args PJRT_Client_ProcessIndex_Args { client: *mut PJRT_Client, process_index: c_int }
    args PJRT_Client_PlatformVersion_Args {
        client: *mut PJRT_Client, platform_version: *const c_char, platform_version_size: usize,
    }
    args PJRT_Client_TopologyDescription_Args { client: *mut PJRT_Client, topology: *mut PJRT_TopologyDescription }
    args PJRT_Client_Devices_Args { client: *mut PJRT_Client, devices: *const *mut PJRT_Device, num_devices: usize }
    args PJRT_Client_AddressableDevices_Args {
        client: *mut PJRT_Client, addressable_devices: *const *mut PJRT_Device, num_addressable_devices: usize,
    }
    args PJRT_Client_LookupDevice_Args { client: *mut PJRT_Client, id: c_int, device: *mut PJRT_Device }
    args PJRT_Client_LookupAddressableDevice_Args {
        client: *mut PJRT_Client, local_hardware_id: c_int, addressable_device: *mut PJRT_Device,
    }
    sized PJRT_ProcessInfo {
        task_id: c_int, incarnation_id: u64, state: PJRT_ProcessState, error_code: c_int,
        error_message: *const c_char, error_message_size: usize,
    }
    args PJRT_Client_UpdateGlobalProcessInfo_Args {
        client: *mut PJRT_Client, process_infos: *mut PJRT_ProcessInfo, num_process_infos: usize,
    }
    args PJRT_Client_AddressableMemories_Args {
        client: *mut PJRT_Client, addressable_memories: *const *mut PJRT_Memory, num_addressable_memories: usize,
    }
    args PJRT_Program { code: *mut c_char, code_size: usize, format: *const c_char, format_size: usize }
    args PJRT_Client_Compile_Args {
        client: *mut PJRT_Client, program: *const PJRT_Program, compile_options: *const c_char,
        compile_options_size: usize, executable: *mut PJRT_LoadedExecutable,
    }
    args PJRT_Client_Load_Args {
        client: *mut PJRT_Client, executable: *mut PJRT_Executable, compile_options: *const c_char,
        compile_options_size: usize, loaded_executable: *mut PJRT_LoadedExecutable,
    }
    args PJRT_Client_DefaultDeviceAssignment_Args {
        client: *mut PJRT_Client, num_replicas: c_int, num_partitions: c_int, default_assignment_size: usize,
        default_assignment: *mut c_int,
    }
    args PJRT_Compile_Args {
        topology: *const PJRT_TopologyDescription, program: *const PJRT_Program, compile_options: *const c_char,
        compile_options_size: usize, client: *mut PJRT_Client, executable: *mut PJRT_Executable,
    }
}

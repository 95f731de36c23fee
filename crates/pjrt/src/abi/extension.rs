//! Extensions: structs chained to the function table, each with functions of its own.

use super::*;

structs! {
    args PJRT_Layouts_MemoryLayout_Destroy_Args { layout: *mut PJRT_Layouts_MemoryLayout }
    args PJRT_Layouts_MemoryLayout_Serialize_Args {
        layout: *mut PJRT_Layouts_MemoryLayout, serialized_bytes: *const c_char, serialized_bytes_size: usize,
        serialized_layout: *mut PJRT_Layouts_SerializedLayout,
        serialized_layout_deleter: Option<unsafe extern "C" fn(s_layout: *mut PJRT_Layouts_SerializedLayout)>,
    }
    args PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
        buffer: *mut PJRT_Buffer, layout: *mut PJRT_Layouts_MemoryLayout,
    }
    args PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
        client: *mut PJRT_Client, r#type: PJRT_Buffer_Type, dims: *const i64, num_dims: usize,
        layout: *mut PJRT_Layouts_MemoryLayout,
    }
    args PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
        topology_description: *mut PJRT_TopologyDescription, r#type: PJRT_Buffer_Type, dims: *const i64,
        num_dims: usize, layout: *mut PJRT_Layouts_MemoryLayout,
    }
    args PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
        executable: *mut PJRT_Executable, num_outputs: usize, layouts: *mut *mut PJRT_Layouts_MemoryLayout,
    }
    args PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args {
        executable: *mut PJRT_Executable, num_parameters: usize, layouts: *mut *mut PJRT_Layouts_MemoryLayout,
    }
    plain PJRT_Layouts_Extension {
        base: PJRT_Extension_Base, PJRT_Layouts_MemoryLayout_Destroy: AbiFunction<PJRT_Layouts_MemoryLayout_Destroy_Args>,
        PJRT_Layouts_MemoryLayout_Serialize: AbiFunction<PJRT_Layouts_MemoryLayout_Serialize_Args>,
        PJRT_Layouts_PJRT_Client_GetDefaultLayout: AbiFunction<PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args>,
        PJRT_Layouts_PJRT_Buffer_MemoryLayout: AbiFunction<PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args>,
        PJRT_Layouts_PJRT_Topology_GetDefaultLayout: AbiFunction<PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args>,
        PJRT_Layouts_PJRT_Executable_GetOutputLayouts: AbiFunction<PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args>,
        PJRT_Layouts_PJRT_Executable_GetParameterLayouts: AbiFunction<PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args>,
    }
    plain PJRT_FFI_Type_Info {
        deleter: Option<unsafe extern "C" fn(object: *mut c_void)>, serialize: Option<unsafe extern "C" fn()>,
        deserialize: Option<unsafe extern "C" fn()>,
    }
    args PJRT_FFI_Type_Register_Args {
        type_name: *const c_char, type_name_size: usize, type_id: i64, type_info: *mut PJRT_FFI_Type_Info,
    }
    plain PJRT_FFI_UserData { type_id: i64, data: *mut c_void }
    args PJRT_FFI_UserData_Add_Args { context: *mut PJRT_ExecuteContext, user_data: PJRT_FFI_UserData }
    sized PJRT_FFI_Register_Handler_Args {
        target_name: *const c_char, target_name_size: usize, handler: *mut c_void, platform_name: *const c_char,
        platform_name_size: usize, traits: PJRT_FFI_Handler_TraitsBits,
    }
    plain PJRT_FFI_Extension {
        base: PJRT_Extension_Base, type_register: AbiFunction<PJRT_FFI_Type_Register_Args>,
        user_data_add: AbiFunction<PJRT_FFI_UserData_Add_Args>, register_handler: AbiFunction<PJRT_FFI_Register_Handler_Args>,
    }
    args PJRT_DeviceDescription_MemoryDescriptions_Args {
        device_description: *mut PJRT_DeviceDescription, memory_descriptions: *const *const PJRT_MemoryDescription,
        num_memory_descriptions: usize, default_memory_index: usize,
    }
    args PJRT_MemoryDescription_Kind_Args {
        memory_description: *const PJRT_MemoryDescription, kind: *const c_char, kind_size: usize, kind_id: c_int,
    }
    plain PJRT_MemoryDescriptions_Extension {
        base: PJRT_Extension_Base,
        PJRT_DeviceDescription_MemoryDescriptions: AbiFunction<PJRT_DeviceDescription_MemoryDescriptions_Args>,
        PJRT_MemoryDescription_Kind: AbiFunction<PJRT_MemoryDescription_Kind_Args>,
    }
    plain PJRT_Profiler_Extension {
        base: PJRT_Extension_Base, profiler_api: *mut PLUGIN_Profiler_Api, traceme_context_id: i64,
    }
    args PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
        executable: *mut PJRT_Executable, num_parameters: usize, shardings: *const *const c_char,
        sharding_sizes: *const usize,
    }
    args PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
        executable: *mut PJRT_Executable, num_outputs: usize, shardings: *const *const c_char,
        sharding_sizes: *const usize,
    }
    plain PJRT_Shardings_Extension {
        base: PJRT_Extension_Base,
        PJRT_Shardings_PJRT_Executable_ParameterShardings: AbiFunction<PJRT_Shardings_PJRT_Executable_ParameterShardings_Args>,
        PJRT_Shardings_PJRT_Executable_OutputShardings: AbiFunction<PJRT_Shardings_PJRT_Executable_OutputShardings_Args>,
    }
    sized PJRT_Get_Stream_For_External_Ready_Events_Args { device: *mut PJRT_Device, stream: isize }
    sized PJRT_Wait_Until_Buffer_Ready_On_Stream_Args { stream: isize, buffer: *mut PJRT_Buffer }
    plain PJRT_Stream_Extension {
        base: PJRT_Extension_Base, get_stream: AbiFunction<PJRT_Get_Stream_For_External_Ready_Events_Args>,
        wait_stream: AbiFunction<PJRT_Wait_Until_Buffer_Ready_On_Stream_Args>,
    }
    sized PLUGIN_Profiler_Error_Destroy_Args { r#priv: *mut c_void, error: *mut PLUGIN_Profiler_Error }
    sized PLUGIN_Profiler_Error_Message_Args {
        r#priv: *mut c_void, error: *const PLUGIN_Profiler_Error, message: *const c_char, message_size: usize,
    }
    sized PLUGIN_Profiler_Error_GetCode_Args {
        r#priv: *mut c_void, error: *const PLUGIN_Profiler_Error, code: c_int,
    }
    sized PLUGIN_Profiler_Create_Args { options: *const c_char, options_size: usize, profiler: *mut PLUGIN_Profiler }
    sized PLUGIN_Profiler_Destroy_Args { profiler: *mut PLUGIN_Profiler }
    sized PLUGIN_Profiler_Start_Args { profiler: *mut PLUGIN_Profiler }
    sized PLUGIN_Profiler_Stop_Args { profiler: *mut PLUGIN_Profiler }
    sized PLUGIN_Profiler_CollectData_Args {
        profiler: *mut PLUGIN_Profiler, buffer: *mut u8, buffer_size_in_bytes: usize,
    }
    sized PLUGIN_Profiler_Api {
        r#priv: *mut c_void,
        error_destroy: Option<unsafe extern "C" fn(args: *mut PLUGIN_Profiler_Error_Destroy_Args)>,
        error_message: Option<unsafe extern "C" fn(args: *mut PLUGIN_Profiler_Error_Message_Args)>,
        error_get_code: ProfilerEntry<PLUGIN_Profiler_Error_GetCode_Args>,
        create: ProfilerEntry<PLUGIN_Profiler_Create_Args>,
        destroy: ProfilerEntry<PLUGIN_Profiler_Destroy_Args>,
        start: ProfilerEntry<PLUGIN_Profiler_Start_Args>,
        stop: ProfilerEntry<PLUGIN_Profiler_Stop_Args>,
        collect_data: ProfilerEntry<PLUGIN_Profiler_CollectData_Args>,
    }
}

/// A function of the profiler's own table.
pub type ProfilerEntry<A> = Option<unsafe extern "C" fn(args: *mut A) -> *mut PLUGIN_Profiler_Error>;

/// The version of the profiler's interface.
pub const PLUGIN_PROFILER_VERSION: usize = 1;

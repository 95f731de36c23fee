//! The XLA foreign function interface, version 0.3: how handlers in C that programs call are given their arguments.

use super::*;

structs! {
    sized XLA_FFI_Extension_Base { r#type: XLA_FFI_Extension_Type, next: *mut XLA_FFI_Extension_Base }
    ffi XLA_FFI_Api_Version { major_version: c_int, minor_version: c_int }
    ffi XLA_FFI_Error_Create_Args { message: *const c_char, errc: PJRT_Error_Code }
    ffi XLA_FFI_Error_GetMessage_Args { error: *mut XLA_FFI_Error, message: *const c_char }
    ffi XLA_FFI_Error_Destroy_Args { error: *mut XLA_FFI_Error }
    ffi XLA_FFI_Buffer { dtype: XLA_FFI_DataType, data: *mut c_void, rank: i64, dims: *mut i64 }
    plain XLA_FFI_ByteSpan { ptr: *const c_char, len: usize }
    plain XLA_FFI_Scalar { dtype: XLA_FFI_DataType, value: *mut c_void }
    plain XLA_FFI_Array { dtype: XLA_FFI_DataType, size: usize, data: *mut c_void }
    plain XLA_FFI_TypeId { type_id: i64 }
    ffi XLA_FFI_TypeInfo { deleter: Option<unsafe extern "C" fn(object: *mut c_void)> }
    ffi XLA_FFI_Future_Create_Args { future: *mut XLA_FFI_Future }
    ffi XLA_FFI_Future_SetAvailable_Args { future: *mut XLA_FFI_Future }
    ffi XLA_FFI_Future_SetError_Args { future: *mut XLA_FFI_Future, error: *mut XLA_FFI_Error }
    ffi XLA_FFI_Args { size: i64, types: *mut XLA_FFI_ArgType, args: *mut *mut c_void }
    ffi XLA_FFI_Rets { size: i64, types: *mut XLA_FFI_RetType, rets: *mut *mut c_void }
    ffi XLA_FFI_Attrs {
        size: i64, types: *mut XLA_FFI_AttrType, names: *mut *mut XLA_FFI_ByteSpan, attrs: *mut *mut c_void,
    }
    ffi XLA_FFI_CallFrame {
        api: *const XLA_FFI_Api, ctx: *mut XLA_FFI_ExecutionContext, stage: XLA_FFI_ExecutionStage,
        args: XLA_FFI_Args, rets: XLA_FFI_Rets, attrs: XLA_FFI_Attrs, future: *mut XLA_FFI_Future,
    }
    plain XLA_FFI_Handler_Bundle {
        instantiate: Option<XLA_FFI_Handler>, prepare: Option<XLA_FFI_Handler>,
        initialize: Option<XLA_FFI_Handler>, execute: Option<XLA_FFI_Handler>,
    }
    ffi XLA_FFI_Handler_Register_Args {
        name: XLA_FFI_ByteSpan, platform: XLA_FFI_ByteSpan, bundle: XLA_FFI_Handler_Bundle, traits: u32,
    }
    ffi XLA_FFI_Type_Register_Args {
        name: XLA_FFI_ByteSpan, type_id: *mut XLA_FFI_TypeId, type_info: *const XLA_FFI_TypeInfo,
    }
    ffi XLA_FFI_ExecutionContext_Get_Args {
        ctx: *mut XLA_FFI_ExecutionContext, type_id: *mut XLA_FFI_TypeId, data: *mut c_void,
    }
    ffi XLA_FFI_State_Set_Args {
        ctx: *mut XLA_FFI_ExecutionContext, stage: XLA_FFI_ExecutionStage, type_id: *mut XLA_FFI_TypeId,
        state: *mut c_void,
    }
    ffi XLA_FFI_State_Get_Args {
        ctx: *mut XLA_FFI_ExecutionContext, stage: XLA_FFI_ExecutionStage, type_id: *mut XLA_FFI_TypeId,
        state: *mut c_void,
    }
    ffi XLA_FFI_Stream_Get_Args { ctx: *mut XLA_FFI_ExecutionContext, stream: *mut c_void }
    ffi XLA_FFI_DeviceMemory_Allocate_Args {
        ctx: *mut XLA_FFI_ExecutionContext, size: usize, alignment: usize, data: *mut c_void,
    }
    ffi XLA_FFI_DeviceMemory_Free_Args { ctx: *mut XLA_FFI_ExecutionContext, size: usize, data: *mut c_void }
    ffi XLA_FFI_ThreadPool_Schedule_Args {
        ctx: *mut XLA_FFI_ExecutionContext, task: Option<unsafe extern "C" fn(data: *mut c_void)>,
        data: *mut c_void,
    }
    ffi XLA_FFI_ThreadPool_NumThreads_Args { ctx: *mut XLA_FFI_ExecutionContext, num_threads: *mut i64 }
    ffi XLA_FFI_RunId_Get_Args { ctx: *mut XLA_FFI_ExecutionContext, run_id: i64 }
    ffi XLA_FFI_DeviceOrdinal_Get_Args { ctx: *mut XLA_FFI_ExecutionContext, device_ordinal: i32 }
    sized XLA_FFI_Metadata {
        api_version: XLA_FFI_Api_Version, traits: u32, state_type_id: XLA_FFI_TypeId,
    }
    plain XLA_FFI_Metadata_Extension {
        extension_base: XLA_FFI_Extension_Base, metadata: *mut XLA_FFI_Metadata,
    }
    ffi XLA_FFI_Api {
        api_version: XLA_FFI_Api_Version, internal_api: *const XLA_FFI_InternalApi,
        XLA_FFI_Error_Create: FfiEntry<XLA_FFI_Error_Create_Args>,
        XLA_FFI_Error_GetMessage: Option<unsafe extern "C" fn(args: *mut XLA_FFI_Error_GetMessage_Args)>,
        XLA_FFI_Error_Destroy: Option<unsafe extern "C" fn(args: *mut XLA_FFI_Error_Destroy_Args)>,
        XLA_FFI_Handler_Register: FfiEntry<XLA_FFI_Handler_Register_Args>,
        XLA_FFI_Stream_Get: FfiEntry<XLA_FFI_Stream_Get_Args>,
        XLA_FFI_Type_Register: FfiEntry<XLA_FFI_Type_Register_Args>,
        XLA_FFI_ExecutionContext_Get: FfiEntry<XLA_FFI_ExecutionContext_Get_Args>,
        XLA_FFI_State_Set: FfiEntry<XLA_FFI_State_Set_Args>,
        XLA_FFI_State_Get: FfiEntry<XLA_FFI_State_Get_Args>,
        XLA_FFI_DeviceMemory_Allocate: FfiEntry<XLA_FFI_DeviceMemory_Allocate_Args>,
        XLA_FFI_DeviceMemory_Free: FfiEntry<XLA_FFI_DeviceMemory_Free_Args>,
        XLA_FFI_ThreadPool_Schedule: FfiEntry<XLA_FFI_ThreadPool_Schedule_Args>,
        XLA_FFI_ThreadPool_NumThreads: FfiEntry<XLA_FFI_ThreadPool_NumThreads_Args>,
        XLA_FFI_Future_Create: FfiEntry<XLA_FFI_Future_Create_Args>,
        XLA_FFI_Future_SetAvailable: FfiEntry<XLA_FFI_Future_SetAvailable_Args>,
        XLA_FFI_Future_SetError: FfiEntry<XLA_FFI_Future_SetError_Args>,
        XLA_FFI_RunId_Get: FfiEntry<XLA_FFI_RunId_Get_Args>,
        XLA_FFI_DeviceOrdinal_Get: FfiEntry<XLA_FFI_DeviceOrdinal_Get_Args>,
    }
}

/// A function of the interface's own table.
pub type FfiEntry<A> = Option<unsafe extern "C" fn(args: *mut A) -> *mut XLA_FFI_Error>;

/// A function that programs call: it reads and writes what the frame says, and returns null or an error.
pub type XLA_FFI_Handler = unsafe extern "C" fn(frame: *mut XLA_FFI_CallFrame) -> *mut XLA_FFI_Error;

/// The major version of the interface.
pub const XLA_FFI_API_MAJOR: c_int = 0;

/// The minor version of the interface.
pub const XLA_FFI_API_MINOR: c_int = 3;

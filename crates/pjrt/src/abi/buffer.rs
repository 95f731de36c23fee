//! Buffers: how they are made, read, copied and given away.

use super::*;

structs! {
    args PJRT_Client_DmaMap_Args { client: *mut PJRT_Client, data: *mut c_void, size: usize }
    args PJRT_Client_DmaUnmap_Args { client: *mut PJRT_Client, data: *mut c_void }
    args PJRT_Buffer_MemoryLayout_Tiled {
        minor_to_major: *const i64, minor_to_major_size: usize, tile_dims: *const i64, tile_dim_sizes: *const usize,
        num_tiles: usize,
    }
    args PJRT_Buffer_MemoryLayout_Strides { byte_strides: *const i64, num_byte_strides: usize }
    args PJRT_Buffer_MemoryLayout { layout: PJRT_Buffer_MemoryLayout_Value, r#type: PJRT_Buffer_MemoryLayout_Type }
    args PJRT_Client_CreateUninitializedBuffer_Args {
        client: *mut PJRT_Client, shape_dims: *const i64, shape_num_dims: usize, shape_element_type: PJRT_Buffer_Type,
        shape_layout: *mut PJRT_Buffer_MemoryLayout, device: *mut PJRT_Device, memory: *mut PJRT_Memory,
        buffer: *mut PJRT_Buffer,
    }
    args PJRT_Client_CreateErrorBuffer_Args {
        client: *mut PJRT_Client, error_code: PJRT_Error_Code, error_message: *const c_char,
        error_message_size: usize, shape_dims: *const i64, shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type, shape_layout: *mut PJRT_Buffer_MemoryLayout, memory: *mut PJRT_Memory,
        buffer: *mut PJRT_Buffer, payload: *const PJRT_NamedValue, num_payload: usize,
    }
    args PJRT_Client_CreateAliasBuffer_Args {
        client: *mut PJRT_Client, memory: *mut PJRT_Memory, shape_dims: *const i64, shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type, shape_layout: *mut PJRT_Buffer_MemoryLayout,
        alias_buffer: *mut PJRT_Buffer, fulfill_alias_buffer_cb: *mut PJRT_FulfillAliasBufferCallback,
    }
    args PJRT_Client_FulfillAliasBuffer_Args {
        client: *mut PJRT_Client, buffer: *mut PJRT_Buffer, status_code: PJRT_Error_Code,
        error_message: *const c_char, error_message_size: usize,
        fulfill_alias_buffer_cb: *mut PJRT_FulfillAliasBufferCallback,
    }
    args PJRT_Client_BufferFromHostBuffer_Args {
        client: *mut PJRT_Client, data: *const c_void, r#type: PJRT_Buffer_Type, dims: *const i64, num_dims: usize,
        byte_strides: *const i64, num_byte_strides: usize, host_buffer_semantics: PJRT_HostBufferSemantics,
        device: *mut PJRT_Device, memory: *mut PJRT_Memory, device_layout: *mut PJRT_Buffer_MemoryLayout,
        done_with_host_buffer: *mut PJRT_Event, buffer: *mut PJRT_Buffer,
    }
    args PJRT_Client_CreateViewOfDeviceBuffer_Args {
        client: *mut PJRT_Client, device_buffer_ptr: *mut c_void, dims: *const i64, num_dims: usize,
        element_type: PJRT_Buffer_Type, layout: *mut PJRT_Buffer_MemoryLayout, device: *mut PJRT_Device,
        on_delete_callback: Option<unsafe extern "C" fn(device_buffer_ptr: *mut c_void, user_arg: *mut c_void)>,
        on_delete_callback_arg: *mut c_void, stream: isize, buffer: *mut PJRT_Buffer, memory: *mut PJRT_Memory,
    }
    args PJRT_Buffer_Destroy_Args { buffer: *mut PJRT_Buffer }
    args PJRT_Buffer_ElementType_Args { buffer: *mut PJRT_Buffer, r#type: PJRT_Buffer_Type }
    args PJRT_Buffer_Dimensions_Args { buffer: *mut PJRT_Buffer, dims: *const i64, num_dims: usize }
    args PJRT_Buffer_UnpaddedDimensions_Args { buffer: *mut PJRT_Buffer, unpadded_dims: *const i64, num_dims: usize }
    args PJRT_Buffer_DynamicDimensionIndices_Args {
        buffer: *mut PJRT_Buffer, dynamic_dim_indices: *const usize, num_dynamic_dims: usize,
    }
    args PJRT_Buffer_GetMemoryLayout_Args { buffer: *mut PJRT_Buffer, layout: PJRT_Buffer_MemoryLayout }
    args PJRT_Buffer_ToHostBuffer_Args {
        src: *mut PJRT_Buffer, host_layout: *mut PJRT_Buffer_MemoryLayout, dst: *mut c_void, dst_size: usize,
        event: *mut PJRT_Event,
    }
    args PJRT_Buffer_OnDeviceSizeInBytes_Args { buffer: *mut PJRT_Buffer, on_device_size_in_bytes: usize }
    args PJRT_Buffer_Delete_Args { buffer: *mut PJRT_Buffer }
    args PJRT_Buffer_IsDeleted_Args { buffer: *mut PJRT_Buffer, is_deleted: bool }
    args PJRT_Buffer_CopyRawToHost_Args {
        buffer: *mut PJRT_Buffer, dst: *mut c_void, offset: i64, transfer_size: i64, event: *mut PJRT_Event,
    }
    sized PJRT_Buffer_CopyRawToHostFuture_Callback_Args {
        callback_data: *mut c_void, error_code: PJRT_Error_Code, error_message: *const c_char,
        error_message_size: usize, dst: *mut c_void,
    }
    args PJRT_Buffer_CopyRawToHostFuture_Args {
        buffer: *mut PJRT_Buffer, offset: i64, transfer_size: i64, event: *mut PJRT_Event, callback_data: *mut c_void,
        future_ready_callback: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_CopyRawToHostFuture_Callback_Args)>,
    }
    args PJRT_Buffer_CopyToDevice_Args {
        buffer: *mut PJRT_Buffer, dst_device: *mut PJRT_Device, dst_buffer: *mut PJRT_Buffer,
    }
    args PJRT_Buffer_CopyToMemory_Args {
        buffer: *mut PJRT_Buffer, dst_memory: *mut PJRT_Memory, dst_buffer: *mut PJRT_Buffer,
    }
    args PJRT_Buffer_Bitcast_Args {
        buffer: *mut PJRT_Buffer, element_type: PJRT_Buffer_Type, dims: *const i64, num_dims: usize,
        device_layout: *mut PJRT_Buffer_MemoryLayout, out_buffer: *mut PJRT_Buffer,
    }
    args PJRT_Buffer_IsOnCpu_Args { buffer: *mut PJRT_Buffer, is_on_cpu: bool }
    args PJRT_Buffer_Device_Args { buffer: *mut PJRT_Buffer, device: *mut PJRT_Device }
    args PJRT_Buffer_Memory_Args { buffer: *mut PJRT_Buffer, memory: *mut PJRT_Memory }
    args PJRT_Buffer_ReadyEvent_Args { buffer: *mut PJRT_Buffer, event: *mut PJRT_Event }
    args PJRT_Buffer_UnsafePointer_Args { buffer: *mut PJRT_Buffer, buffer_pointer: usize }
    args PJRT_Buffer_IncreaseExternalReferenceCount_Args { buffer: *mut PJRT_Buffer }
    args PJRT_Buffer_DecreaseExternalReferenceCount_Args { buffer: *mut PJRT_Buffer }
    args PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args { buffer: *mut PJRT_Buffer, device_memory_ptr: *mut c_void }
    sized PJRT_Buffer_DonateWithControlDependency_Callback_Args {
        callback_data: *mut c_void, error_code: PJRT_Error_Code, error_message: *const c_char,
        error_message_size: usize,
    }
    args PJRT_Buffer_DonateWithControlDependency_Args {
        buffer: *mut PJRT_Buffer, callback_data: *mut c_void,
        dependency_ready_callback: Option<unsafe extern "C" fn(args: *mut PJRT_Buffer_DonateWithControlDependency_Callback_Args)>,
        out_buffer: *mut PJRT_Buffer,
    }
}

//! Opaque objects: only the plugin that made them knows what they hold.

/// Declares types that exist behind pointers only.
macro_rules! handles {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of the C header.")]
        #[repr(C)]
        pub struct $name {
            _opaque: [u8; 0],
        }
    )*};
}

handles! {
    PJRT_AsyncHostToDeviceTransferManager
    PJRT_AsyncTrackingEvent
    PJRT_Buffer
    PJRT_Client
    PJRT_CopyToDeviceStream
    PJRT_Device
    PJRT_DeviceAssignmentSerialized
    PJRT_DeviceDescription
    PJRT_Device_Attributes
    PJRT_Event
    PJRT_Executable
    PJRT_ExecuteContext
    PJRT_FulfillAliasBufferCallback
    PJRT_Layouts_MemoryLayout
    PJRT_Layouts_SerializedLayout
    PJRT_LoadedExecutable
    PJRT_MemoryDescription
    PJRT_MultiSlice_Config
    PJRT_PhaseCompiler
    PJRT_SerializedCompileOptions
    PJRT_SerializedExecutable
    PJRT_SerializedTopology
    PJRT_TopologyDescription
    PLUGIN_Profiler
    PLUGIN_Profiler_Error
    XLA_FFI_Error
    XLA_FFI_ExecutionContext
    XLA_FFI_Future
    XLA_FFI_InternalApi
}

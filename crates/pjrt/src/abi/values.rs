//! Enumerations, unions and the types of callbacks.

use super::*;

/// Declares enumerations of C: numbers with names. A number without a name is a value of the type as well, because the other
/// side may know more names.
macro_rules! enumerations {
    ($($name:ident { $($value:ident = $number:literal),* $(,)? })*) => {$(
        #[doc = concat!("`", stringify!($name), "` of the C header.")]
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(pub c_uint);

        #[allow(non_upper_case_globals)]
        impl $name {
            $(pub const $value: $name = $name($number);)*

            /// The name of the value, if it has one.
            pub fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some(stringify!($value)),)*
                    _ => None,
                }
            }
        }
    )*};
}

enumerations! {
    PJRT_Extension_Type {
        Gpu_Custom_Call = 0, Profiler = 1, Custom_Partitioner = 2, Stream = 3, Layouts = 4, FFI = 5,
        MemoryDescriptions = 6, Triton = 7, RawBuffer = 8, PhaseCompile = 9, Example = 10, Unknown = 11,
        CrossHostTransfers = 12, ExecutableMetadata = 13, Callback = 14, HostAllocator = 15,
        TpuTopology = 16, TpuExecutable = 17, Megascale = 18, Shardings = 19, AbiVersion = 20,
        Collectives = 21, MultiSlice = 22, HostMemoryAllocator = 23, XlaTransform = 24,
    }
    PJRT_Error_Code {
        OK = 0, CANCELLED = 1, UNKNOWN = 2, INVALID_ARGUMENT = 3, DEADLINE_EXCEEDED = 4, NOT_FOUND = 5,
        ALREADY_EXISTS = 6, PERMISSION_DENIED = 7, RESOURCE_EXHAUSTED = 8, FAILED_PRECONDITION = 9,
        ABORTED = 10, OUT_OF_RANGE = 11, UNIMPLEMENTED = 12, INTERNAL = 13, UNAVAILABLE = 14,
        DATA_LOSS = 15, UNAUTHENTICATED = 16,
    }
    PJRT_NamedValue_Type {
        String = 0, Int64 = 1, Int64List = 2, Float = 3, Bool = 4,
    }
    PJRT_ProcessState {
        Unspecified = 0, Uninitialized = 1, Disconnected = 2, Connected = 3, Error = 4,
    }
    PJRT_Buffer_Type {
        INVALID = 0, PRED = 1, S8 = 2, S16 = 3, S32 = 4, S64 = 5, U8 = 6, U16 = 7, U32 = 8, U64 = 9,
        F16 = 10, F32 = 11, F64 = 12, BF16 = 13, C64 = 14, C128 = 15, F8E5M2 = 16, F8E4M3FN = 17,
        F8E4M3B11FNUZ = 18, F8E5M2FNUZ = 19, F8E4M3FNUZ = 20, S4 = 21, U4 = 22, TOKEN = 23, S2 = 24,
        U2 = 25, F8E4M3 = 26, F8E3M4 = 27, F8E8M0FNU = 28, F4E2M1FN = 29, S1 = 30, U1 = 31, F6E2M3FN = 32,
        F6E3M2FN = 33,
    }
    PJRT_HostBufferSemantics {
        ImmutableOnlyDuringCall = 0, ImmutableUntilTransferCompletes = 1, ImmutableZeroCopy = 2,
        MutableZeroCopy = 3,
    }
    PJRT_Buffer_MemoryLayout_Type {
        Tiled = 0, Strides = 1,
    }
    XLA_FFI_Extension_Type { Metadata = 1 }
    XLA_FFI_DataType {
        INVALID = 0, PRED = 1, S8 = 2, S16 = 3, S32 = 4, S64 = 5, U8 = 6, U16 = 7, U32 = 8, U64 = 9, F16 = 10, F32 = 11,
        F64 = 12, C64 = 15, BF16 = 16, TOKEN = 17, C128 = 18, F8E5M2 = 19, F8E4M3FN = 20, S4 = 21, U4 = 22,
        F8E4M3B11FNUZ = 23, F8E5M2FNUZ = 24, F8E4M3FNUZ = 25, S2 = 26, U2 = 27, F8E4M3 = 28, F8E3M4 = 29, S1 = 30,
        U1 = 31, F4E2M1FN = 32, F8E8M0FNU = 33,
    }
    XLA_FFI_ArgType { BUFFER = 1 }
    XLA_FFI_RetType { BUFFER = 1 }
    XLA_FFI_AttrType { ARRAY = 1, DICTIONARY = 2, SCALAR = 3, STRING = 4 }
    XLA_FFI_ExecutionStage { INSTANTIATE = 0, PREPARE = 1, INITIALIZE = 2, EXECUTE = 3 }
    PJRT_FFI_Handler_TraitsBits { COMMAND_BUFFER_COMPATIBLE = 1 }
}

/// The value of a [`PJRT_NamedValue`]; its type says which.
#[repr(C)]
#[derive(Clone, Copy)]
pub union PJRT_NamedValue_Value {
    pub string_value: *const c_char,
    pub int64_value: i64,
    pub int64_array_value: *const i64,
    pub float_value: f32,
    pub bool_value: bool,
}

/// The layout within a [`PJRT_Buffer_MemoryLayout`]; its type says which.
#[repr(C)]
#[derive(Clone, Copy)]
pub union PJRT_Buffer_MemoryLayout_Value {
    pub tiled: PJRT_Buffer_MemoryLayout_Tiled,
    pub strides: PJRT_Buffer_MemoryLayout_Strides,
}

/// Makes an error for a callback to return to the implementation that gave it this function.
pub type PJRT_CallbackError = unsafe extern "C" fn(
    code: PJRT_Error_Code,
    message: *const c_char,
    message_size: usize,
) -> *mut PJRT_Error;
pub type PJRT_Error_PayloadVisitor = unsafe extern "C" fn(
    key: *const c_char,
    key_size: usize,
    value: *const c_char,
    value_size: usize,
    user_arg: *mut c_void,
);
/// Is given an error that it frees, or null.
pub type PJRT_Event_OnReadyCallback = unsafe extern "C" fn(error: *mut PJRT_Error, user_arg: *mut c_void);
pub type PJRT_KeyValueGetCallback_ValueDeleter = unsafe extern "C" fn(value: *mut c_char);
pub type PJRT_KeyValueTryGetCallback_ValueDeleter = unsafe extern "C" fn(value: *mut c_char);
pub type PJRT_KeyValueGetCallback =
    unsafe extern "C" fn(args: *mut PJRT_KeyValueGetCallback_Args) -> *mut PJRT_Error;
pub type PJRT_KeyValueTryGetCallback =
    unsafe extern "C" fn(args: *mut PJRT_KeyValueTryGetCallback_Args) -> *mut PJRT_Error;
pub type PJRT_KeyValuePutCallback =
    unsafe extern "C" fn(args: *mut PJRT_KeyValuePutCallback_Args) -> *mut PJRT_Error;
pub type PJRT_SendCallback = unsafe extern "C" fn(
    chunk: *mut PJRT_Chunk,
    callback_error: *mut PJRT_CallbackError,
    total_size_in_bytes: usize,
    done: bool,
    user_arg: *mut c_void,
) -> *mut PJRT_Error;
pub type PJRT_RecvCallback =
    unsafe extern "C" fn(stream: *mut PJRT_CopyToDeviceStream, user_arg: *mut c_void);
pub type PJRT_HloOutputCallback = unsafe extern "C" fn(
    replica_id: i64,
    partition_id: i64,
    data: *const c_void,
    shape_dims: *const i64,
    shape_num_dims: usize,
    shape_element_type: PJRT_Buffer_Type,
    operand_index: i64,
    user_arg: *mut c_void,
);

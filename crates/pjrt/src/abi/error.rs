//! Errors, named values, events, and what is asked of a plugin as a whole.

use super::*;

structs! {
    sized PJRT_Extension_Base { r#type: PJRT_Extension_Type, next: *mut PJRT_Extension_Base }
    args PJRT_Api_Version { major_version: c_int, minor_version: c_int }
    args PJRT_Error_Destroy_Args { error: *mut PJRT_Error }
    args PJRT_Error_Message_Args { error: *const PJRT_Error, message: *const c_char, message_size: usize }
    sized PJRT_Error_FunctionTable {
        instance_size: usize, extension_start: *mut PJRT_Extension_Base,
        destroy: Option<unsafe extern "C" fn(error: *mut PJRT_Error)>,
        message: Option<unsafe extern "C" fn(error: *const PJRT_Error, message: *mut *const c_char, message_size: *mut usize)>,
        get_code: Option<unsafe extern "C" fn(error: *const PJRT_Error) -> PJRT_Error_Code>,
        for_each_payload: Option<unsafe extern "C" fn(error: *const PJRT_Error, visitor: PJRT_Error_PayloadVisitor, user_arg: *mut c_void)>,
    }
    plain PJRT_Error { vtable: *const PJRT_Error_FunctionTable }
    args PJRT_Error_GetCode_Args { error: *const PJRT_Error, code: PJRT_Error_Code }
    args PJRT_Error_ForEachPayload_Args {
        error: *const PJRT_Error, visitor: Option<PJRT_Error_PayloadVisitor>, user_arg: *mut c_void,
    }
    args PJRT_NamedValue {
        name: *const c_char, name_size: usize, r#type: PJRT_NamedValue_Type, value: PJRT_NamedValue_Value,
        value_size: usize,
    }
    args PJRT_Plugin_Initialize_Args {}
    args PJRT_Plugin_Attributes_Args { attributes: *const PJRT_NamedValue, num_attributes: usize }
    args PJRT_Event_Destroy_Args { event: *mut PJRT_Event }
    args PJRT_Event_IsReady_Args { event: *mut PJRT_Event, is_ready: bool }
    args PJRT_Event_Error_Args { event: *mut PJRT_Event }
    args PJRT_Event_Await_Args { event: *mut PJRT_Event }
    args PJRT_Event_OnReady_Args {
        event: *mut PJRT_Event, callback: Option<PJRT_Event_OnReadyCallback>, user_arg: *mut c_void,
    }
    args PJRT_Event_Create_Args { event: *mut PJRT_Event }
    args PJRT_Event_Set_Args {
        event: *mut PJRT_Event, error_code: PJRT_Error_Code, error_message: *const c_char, error_message_size: usize,
    }
}

//! Errors as C sees them.

use std::ffi::{c_char, c_void};

use jarrah_pjrt::abi::*;
pub use jarrah_pjrt::error::foreign;

use crate::call::Call;
use crate::failure::{Failure, Outcome};
use crate::object::{self, Object};

impl Failure {
    /// The failure as an error object that C frees.
    pub fn into_raw(self) -> *mut PJRT_Error {
        object::give(ErrorObject { _table: PJRT_Error { vtable: &raw const TABLE.0 }, failure: self })
    }
}

/// An error object: C may use it by the function table it begins with, or by the functions of the plugin's table.
#[repr(C)]
pub struct ErrorObject {
    _table: PJRT_Error,
    failure: Failure,
}

impl ErrorObject {
    pub fn into_failure(self) -> Failure {
        self.failure
    }
}

impl Object for ErrorObject {
    type Handle = PJRT_Error;
    const WHAT: &'static str = "error";
}

struct Table(PJRT_Error_FunctionTable);

// SAFETY: the table has functions and a null pointer, which every thread may read.
unsafe impl Sync for Table {}

static TABLE: Table = Table(PJRT_Error_FunctionTable {
    struct_size: PJRT_Error_FunctionTable::STRUCT_SIZE,
    instance_size: size_of::<ErrorObject>(),
    extension_start: std::ptr::null_mut(),
    destroy: Some(table_destroy),
    message: Some(table_message),
    get_code: Some(table_code),
    for_each_payload: Some(table_payloads),
});

unsafe extern "C" fn table_destroy(error: *mut PJRT_Error) {
    drop(object::take::<ErrorObject>(error));
}

unsafe extern "C" fn table_message(error: *const PJRT_Error, message: *mut *const c_char, size: *mut usize) {
    let text = object::borrow::<ErrorObject>(error).map_or("", |object| &object.failure.message);
    if let (Ok(message), Ok(size)) = (object::place(message), object::place(size)) {
        (*message, *size) = (text.as_ptr().cast(), text.len());
    }
}

unsafe extern "C" fn table_code(error: *const PJRT_Error) -> PJRT_Error_Code {
    object::borrow::<ErrorObject>(error).map_or(PJRT_Error_Code::OK, |object| object.failure.code)
}

/// Errors of this plugin carry no payloads.
unsafe extern "C" fn table_payloads(_: *const PJRT_Error, _: PJRT_Error_PayloadVisitor, _: *mut c_void) {}

/// Frees an error.
///
/// # Safety
/// `args` is null or valid.
pub unsafe extern "C" fn destroy(args: *mut PJRT_Error_Destroy_Args) {
    if let Ok(args) = object::place(args) {
        drop(object::take::<ErrorObject>(args.error));
    }
}

/// Gives the message of an error.
///
/// # Safety
/// `args` is null or valid.
pub unsafe extern "C" fn message(args: *mut PJRT_Error_Message_Args) {
    if let Ok(args) = object::place(args) {
        let text = object::borrow::<ErrorObject>(args.error).map_or("", |object| &object.failure.message);
        (args.message, args.message_size) = (text.as_ptr().cast(), text.len());
    }
}

impl Call for PJRT_Error_GetCode_Args {
    fn call(&mut self) -> Outcome {
        self.code = object::borrow::<ErrorObject>(self.error)?.failure.code;
        Ok(())
    }
}

impl Call for PJRT_Error_ForEachPayload_Args {
    /// Errors of this plugin carry no payloads.
    fn call(&mut self) -> Outcome {
        object::borrow::<ErrorObject>(self.error).map(|_| ())
    }
}

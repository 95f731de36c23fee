//! The function table.

use std::sync::OnceLock;

use jarrah_pjrt::abi::*;

use crate::call::entry;
use crate::{error, ffi, layouts, profiler, shardings};

struct Table(PJRT_Api);

// SAFETY: the table and the extensions it points to live as long as the process and never change.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

macro_rules! fill {
    ($($name:ident($args:ident))*) => {
        PJRT_Api {
            struct_size: PJRT_Api::STRUCT_SIZE,
            extension_start: extensions(),
            pjrt_api_version: PJRT_Api_Version {
                major_version: PJRT_API_MAJOR,
                minor_version: PJRT_API_MINOR,
                ..PJRT_Api_Version::default()
            },
            PJRT_Error_Destroy: Some(error::destroy),
            PJRT_Error_Message: Some(error::message),
            $($name: Some(entry::<$args>),)*
        }
    };
}

/// The table, made at the first call.
pub fn api() -> *const PJRT_Api {
    static TABLE: OnceLock<Table> = OnceLock::new();
    &raw const TABLE.get_or_init(|| Table(jarrah_pjrt::for_each_function!(fill))).0
}

/// The chain of extensions.
fn extensions() -> *mut PJRT_Extension_Base {
    let mut first = std::ptr::null_mut();
    for add in
        [layouts::extension, layouts::memories, shardings::extension, ffi::extension, profiler::extension]
    {
        first = add(first);
    }
    first
}

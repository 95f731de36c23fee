//! Extensions of the function table.

use jarrah_pjrt::abi::{PJRT_Extension_Base, PJRT_Extension_Type};

/// The beginning of an extension of type `E`.
pub fn base<E>(r#type: PJRT_Extension_Type, next: *mut PJRT_Extension_Base) -> PJRT_Extension_Base {
    PJRT_Extension_Base { struct_size: size_of::<E>(), r#type, next }
}

/// Moves an extension to where it stays as long as the process; the table is made once.
pub fn keep<E>(extension: E) -> *mut PJRT_Extension_Base {
    std::ptr::from_mut(Box::leak(Box::new(extension))).cast()
}

//! The structs, enumerations and function table of the PJRT C interface, version 0.114.
//!
//! Names are those of the C header, which says what each means. A struct is one entry of a `structs!` list and the functions
//! are rows of [`for_each_function`](crate::for_each_function); layouts are compared with those of a C compiler by
//! `tests/abi.rs`.
//!
//! Versions: the interface only grows, at the ends of its structs. The first field of a struct is the size its maker knew
//! of it, so fields beyond that size do not exist for the other side.

#![allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    reason = "names and their meanings are those of the C header"
)]

use std::ffi::{c_char, c_int, c_uint, c_void};

// The macros of this file are used by the files below.
#[macro_use]
mod layout;

mod api;
mod buffer;
mod client;
mod device;
mod error;
mod executable;
mod extension;
mod handles;
mod topology;
mod transfer;
mod values;
mod xla_ffi;

pub use api::*;
pub use buffer::*;
pub use client::*;
pub use device::*;
pub use error::*;
pub use executable::*;
pub use extension::*;
pub use handles::*;
pub use layout::{AbiStruct, Layout};
pub use topology::*;
pub use transfer::*;
pub use values::*;
pub use xla_ffi::*;

/// A function of the interface: its arguments are one struct, its result is null or an error that the caller frees.
pub type AbiFunction<A> = Option<unsafe extern "C" fn(args: *mut A) -> *mut PJRT_Error>;

/// The layout of each struct of the interface, for tests and for comparing with other versions of the header.
pub fn layouts() -> impl Iterator<Item = &'static Layout> {
    let files = [
        error::LAYOUTS,
        client::LAYOUTS,
        device::LAYOUTS,
        executable::LAYOUTS,
        buffer::LAYOUTS,
        transfer::LAYOUTS,
        topology::LAYOUTS,
        extension::LAYOUTS,
        api::LAYOUTS,
        xla_ffi::LAYOUTS,
    ];
    files.into_iter().flatten()
}

//! The extension that tells of shardings.

use std::ffi::c_char;

use jarrah_pjrt::abi::*;

use crate::call::entry;
use crate::extension::{base, keep};

/// The extension.
pub fn extension(next: *mut PJRT_Extension_Base) -> *mut PJRT_Extension_Base {
    keep(PJRT_Shardings_Extension {
        base: base::<PJRT_Shardings_Extension>(PJRT_Extension_Type::Shardings, next),
        PJRT_Shardings_PJRT_Executable_ParameterShardings: Some(entry),
        PJRT_Shardings_PJRT_Executable_OutputShardings: Some(entry),
    })
}

/// Serialized shardings, as many as there are arguments or results.
///
/// Everything is whole on each device; `xla.OpSharding` says so by being empty.
pub struct Shardings {
    texts: Vec<*const c_char>,
    sizes: Vec<usize>,
}

// SAFETY: the pointers are to a text that lives as long as the process.
unsafe impl Send for Shardings {}
// SAFETY: as above.
unsafe impl Sync for Shardings {}

impl Shardings {
    pub fn replicated(count: usize) -> Shardings {
        Shardings { texts: vec![c"".as_ptr(); count], sizes: vec![0; count] }
    }

    /// Pointers and number; null where the program has one partition, so that there is nothing to split.
    pub fn raw(&self, partitions: usize) -> (*const *const c_char, *const usize, usize) {
        match partitions {
            1 => (std::ptr::null(), std::ptr::null(), self.sizes.len()),
            _ => (self.texts.as_ptr(), self.sizes.as_ptr(), self.sizes.len()),
        }
    }
}

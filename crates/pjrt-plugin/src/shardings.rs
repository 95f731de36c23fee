//! The extension that tells of shardings.

use std::ffi::c_char;

use jarrah_pjrt::abi::*;

use crate::call::{Call, entry};
use crate::error::Outcome;
use crate::executable::info;
use crate::table::{base, keep};

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
    fn raw(&self, partitions: usize) -> (*const *const c_char, *const usize, usize) {
        match partitions {
            1 => (std::ptr::null(), std::ptr::null(), self.sizes.len()),
            _ => (self.texts.as_ptr(), self.sizes.as_ptr(), self.sizes.len()),
        }
    }
}

impl Call for PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
    fn call(&mut self) -> Outcome {
        let info = info(self.executable)?;
        let of = &info.parameter_shardings;
        (self.shardings, self.sharding_sizes, self.num_parameters) = of.raw(info.given.partitions);
        Ok(())
    }
}

impl Call for PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
    fn call(&mut self) -> Outcome {
        let info = info(self.executable)?;
        let of = &info.result_shardings;
        (self.shardings, self.sharding_sizes, self.num_outputs) = of.raw(info.given.partitions);
        Ok(())
    }
}

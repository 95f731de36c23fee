//! Memory for machine code: written, then made executable, never both at once.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use jarrah_base::{Error, Result};
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// The alignment of functions, so that they share no cache lines.
const ALIGN: usize = 64;

/// One mapping, readable and executable, for the code of one plan.
pub(super) struct Code {
    base: NonNull<c_void>,
    bytes: usize,
    entries: Vec<usize>,
}

// SAFETY: the mapping is never written after `Code::new`, and unmapped only when it is dropped.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

/// Mappings of dropped plans, by size, kept so that many small plans do not map and unmap memory each time.
static SPARE: Mutex<Vec<Spare>> = Mutex::new(Vec::new());
/// The most mappings that are kept, and the largest.
const KEPT: usize = 64;
const LARGEST: usize = 64 << 10;

struct Spare(NonNull<c_void>, usize);
// SAFETY: a spare mapping belongs to nobody.
unsafe impl Send for Spare {}

impl Code {
    /// Puts functions into executable memory.
    ///
    /// # Errors
    /// The system refuses the memory, or to make it executable.
    pub fn new(functions: &[Vec<u8>]) -> Result<Code> {
        let failed = |e: rustix::io::Errno| Error::environment(format!("memory for machine code: {e}"));
        let mut entries = Vec::with_capacity(functions.len());
        let mut at = 0usize;
        for f in functions {
            entries.push(at);
            at = (at + f.len()).next_multiple_of(ALIGN);
        }
        let bytes = at.max(1).next_multiple_of(rustix::param::page_size());
        let spare = {
            let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
            let found = spare.iter().position(|s| s.1 == bytes);
            found.map(|i| spare.swap_remove(i))
        };
        let base = match spare {
            Some(Spare(base, _)) => {
                // SAFETY: nobody runs the code of a spare mapping.
                unsafe { mprotect(base.as_ptr(), bytes, MprotectFlags::READ | MprotectFlags::WRITE) }
                    .map_err(failed)?;
                base
            }
            None => {
                // SAFETY: a fresh private mapping at an address of the system's choice.
                let base = unsafe {
                    mmap_anonymous(
                        std::ptr::null_mut(),
                        bytes,
                        ProtFlags::READ | ProtFlags::WRITE,
                        MapFlags::PRIVATE,
                    )
                }
                .map_err(failed)?;
                NonNull::new(base).ok_or_else(|| Error::environment("memory for machine code: no address"))?
            }
        };
        let code = Code { base, bytes, entries };
        for (f, &at) in functions.iter().zip(&code.entries) {
            // SAFETY: the mapping has `bytes` writable bytes, of which the functions take distinct parts.
            unsafe {
                std::ptr::copy_nonoverlapping(f.as_ptr(), code.base.as_ptr().cast::<u8>().add(at), f.len())
            };
        }
        // SAFETY: the mapping is this object's own.
        unsafe { mprotect(code.base.as_ptr(), bytes, MprotectFlags::READ | MprotectFlags::EXEC) }
            .map_err(failed)?;
        Ok(code)
    }

    /// The address of function `i`.
    pub fn entry(&self, i: usize) -> *const u8 {
        self.base.as_ptr().cast::<u8>().wrapping_add(self.entries[i]).cast_const()
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if self.bytes <= LARGEST {
            let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
            if spare.len() < KEPT {
                spare.push(Spare(self.base, self.bytes));
                return;
            }
        }
        // SAFETY: the mapping is this object's own; a plan runs only while it is borrowed. A failure leaks memory.
        let _ = unsafe { munmap(self.base.as_ptr(), self.bytes) };
    }
}

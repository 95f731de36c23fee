#![allow(unsafe_code, reason = "a file is mapped into memory here and nowhere else")]

use std::fs::File;
use std::ops::{Deref, Range};
use std::path::Path;

use crate::error::{Error, Result};

/// A file mapped read-only into memory, seen as its bytes.
///
/// A process that truncates the file while it is mapped ends this one; files written by this project are replaced by
/// renaming, never changed in place.
pub struct MappedFile(memmap2::Mmap);

impl MappedFile {
    /// Maps the file at `path`.
    ///
    /// # Errors
    /// The file is missing, is not a regular file, or cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let fail = |e: std::io::Error| Error::io("read", path, &e);
        let file = File::open(path).map_err(fail)?;
        if !file.metadata().map_err(fail)?.is_file() {
            return Err(Error::input(format!("cannot read {}: it is not a file", path.display())));
        }
        MappedFile::of(&file).map_err(fail)
    }

    /// Maps an open file.
    ///
    /// # Errors
    /// The system cannot map it.
    pub fn of(file: &File) -> std::io::Result<Self> {
        // SAFETY: the map is read-only and private; the only hazard, another process shrinking the file, is documented
        // on the type.
        unsafe { memmap2::Mmap::map(file) }.map(MappedFile)
    }

    /// Asks the system to read these bytes, where they are not in memory yet, while this process does something else.
    pub fn will_need(&self, range: Range<usize>) {
        let (start, end) = (range.start.min(self.0.len()), range.end.min(self.0.len()));
        // A system that takes no advice reads them when they are looked at.
        #[cfg(unix)]
        if start < end {
            let _ = self.0.advise_range(memmap2::Advice::WillNeed, start, end - start);
        }
    }

    /// Asks the system to read the file in pages as large as it has, where it is not in memory yet: for who goes through all of a large file again and again.
    pub fn in_large_pages(&self) {
        // A system that has none reads it as ever.
        #[cfg(target_os = "linux")]
        let _ = self.0.advise(memmap2::Advice::HugePage);
    }

    /// Gives the memory of these bytes back to the system: who reads a large file once need not hold it. The bytes stay
    /// readable, and come from the file again.
    pub fn release(&self, range: Range<usize>) {
        let (start, end) = (range.start.min(self.0.len()), range.end.min(self.0.len()));
        #[cfg(unix)]
        if start < end {
            use memmap2::UncheckedAdvice::DontNeed;
            // SAFETY: nothing was written to the map, so its pages hold what the file holds, from which they come back.
            // A refusal leaves the pages where they are.
            let _ = unsafe { self.0.unchecked_advise_range(DontNeed, start, end - start) };
        }
    }
}

impl Deref for MappedFile {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

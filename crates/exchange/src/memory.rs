#![allow(unsafe_code, reason = "memory is shared between processes here and nowhere else in this crate")]
//! Memory that several threads or processes see: always as atomic words, so that a process that writes at the wrong time makes wrong
//! values, which checksums find, and no undefined behaviour.

use std::sync::atomic::{AtomicU32, AtomicU64};

/// Words that others see too.
pub(crate) enum Memory {
    /// Shared among the threads of this process.
    Heap(Box<[AtomicU64]>),
    /// Shared between processes.
    #[cfg(target_os = "linux")]
    Mapped(Mapping),
}

impl Memory {
    /// Zeros in this process.
    pub(crate) fn heap(words: usize) -> Self {
        Memory::Heap((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    /// All words.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[AtomicU64] {
        match self {
            Memory::Heap(words) => words,
            #[cfg(target_os = "linux")]
            Memory::Mapped(mapping) => mapping.words(),
        }
    }
}

/// The two counters of a bell, see [`crate::bell`].
pub(crate) enum Counters {
    Heap([AtomicU32; 2]),
    #[cfg(target_os = "linux")]
    Mapped(Mapping),
}

impl Counters {
    pub(crate) fn both(&self) -> (&AtomicU32, &AtomicU32) {
        match self {
            Counters::Heap([rings, sleepers]) => (rings, sleepers),
            #[cfg(target_os = "linux")]
            Counters::Mapped(mapping) => mapping.counters(),
        }
    }
}

#[cfg(target_os = "linux")]
pub(crate) use mapping::Mapping;

#[cfg(target_os = "linux")]
mod mapping {
    use std::ffi::c_void;
    use std::os::fd::{BorrowedFd, OwnedFd};
    use std::ptr::{NonNull, null_mut};
    use std::sync::atomic::{AtomicU32, AtomicU64};

    use rustix::fs::{MemfdFlags, SealFlags};
    use rustix::mm::{MapFlags, ProtFlags};

    /// Pages that another process maps too.
    pub(crate) struct Mapping {
        start: NonNull<AtomicU64>,
        bytes: usize,
    }

    // SAFETY: the pages are only ever seen as atomics, which threads may share, and live until the drop.
    unsafe impl Send for Mapping {}
    // SAFETY: as above.
    unsafe impl Sync for Mapping {}

    impl Mapping {
        /// New pages of zeros under a name that `/proc` shows, and the file by which others map them.
        ///
        /// The size is sealed: access to a page that a peer cut off would end this process. With `mine`, nobody else can write to the pages.
        pub(crate) fn create(name: &str, bytes: usize, mine: bool) -> std::io::Result<(Self, OwnedFd)> {
            let file = rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
            rustix::fs::ftruncate(&file, bytes as u64)?;
            let map = Self::map(&file, bytes, ProtFlags::READ | ProtFlags::WRITE)?;
            let mut seals = SealFlags::SHRINK | SealFlags::GROW;
            if mine {
                seals |= SealFlags::FUTURE_WRITE;
            }
            rustix::fs::fcntl_add_seals(&file, seals)?;
            rustix::fs::fcntl_add_seals(&file, SealFlags::SEAL)?;
            Ok((map, file))
        }

        /// The pages of a file from another process, which must be of this size and sealed.
        pub(crate) fn open(file: &OwnedFd, bytes: usize, writable: bool) -> std::io::Result<Self> {
            let wrong = |what: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, what.to_owned());
            if !rustix::fs::fcntl_get_seals(file)?.contains(SealFlags::SHRINK) {
                return Err(wrong("the shared memory is not sealed"));
            }
            if rustix::fs::fstat(file)?.st_size != bytes as i64 {
                return Err(wrong("the shared memory has another size"));
            }
            let protection = if writable { ProtFlags::READ | ProtFlags::WRITE } else { ProtFlags::READ };
            Self::map(file, bytes, protection)
        }

        fn map(file: &OwnedFd, bytes: usize, protection: ProtFlags) -> std::io::Result<Self> {
            let file: BorrowedFd<'_> = std::os::fd::AsFd::as_fd(file);
            // SAFETY: the system chooses an address where nothing is, so no memory of this process is affected.
            let start =
                unsafe { rustix::mm::mmap(null_mut(), bytes, protection, MapFlags::SHARED, file, 0) }?;
            let start =
                NonNull::new(start.cast()).expect("invariant: the system maps nothing at address zero");
            Ok(Mapping { start, bytes })
        }

        #[inline(always)]
        pub(crate) fn words(&self) -> &[AtomicU64] {
            // SAFETY: the pages are mapped for `bytes` bytes until the drop, page-aligned, and their size is sealed. All processes
            // access them atomically; one that does not makes values that readers check as they check any. Pages mapped
            // read-only are loaded from and never stored to: `Ring` stores to this process's own memory alone.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes / 8) }
        }

        pub(crate) fn counters(&self) -> (&AtomicU32, &AtomicU32) {
            // SAFETY: as above; pages of counters are mapped writable, hold at least 8 bytes, and are seen as words of 32 bits alone.
            let start = self.start.as_ptr().cast::<AtomicU32>();
            unsafe { (&*start, &*start.add(1)) }
        }
    }

    impl Drop for Mapping {
        fn drop(&mut self) {
            // SAFETY: these pages were mapped by `map`, and no reference to them outlives `self`.
            let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast::<c_void>(), self.bytes) };
        }
    }
}

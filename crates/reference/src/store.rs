//! Memory that only its owner can read: blocks of bytes by number.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jarrah_base::{Error, HostView, Result};
use jarrah_execute::{BackendAddress, BackendMemory};
use jarrah_runtime::MemoryStats;
use rustc_hash::FxHashMap;

/// The contents of memory that was taken and not written: steps that read it compute what nobody expects.
const UNWRITTEN: u8 = 0xA5;

/// The memory of a device.
#[derive(Clone, Default)]
pub struct Store(Arc<Mutex<Blocks>>);

#[derive(Default)]
struct Blocks {
    blocks: FxHashMap<u64, Vec<u8>>,
    stats: MemoryStats,
}

/// A block of a store.
pub struct Block {
    store: Store,
    number: u64,
}

/// A byte of a block.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct At {
    block: u64,
    offset: usize,
}

impl BackendAddress for At {
    fn plus(self, bytes: usize) -> Self {
        At { offset: self.offset + bytes, ..self }
    }
}

impl Store {
    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block of so many bytes, or `None` if the system has no more memory.
    pub fn take(&self, bytes: usize, fill: Option<u8>) -> Option<Block> {
        let mut contents = Vec::new();
        contents.try_reserve_exact(bytes).ok()?;
        contents.resize(bytes, fill.unwrap_or(UNWRITTEN));
        let mut inner = self.lock();
        let Blocks { blocks, stats } = &mut *inner;
        stats.allocations += 1;
        stats.in_use += bytes;
        stats.peak = stats.peak.max(stats.in_use);
        stats.largest = stats.largest.max(bytes);
        // No block has the number of an address that was never bound.
        let number = stats.allocations;
        blocks.insert(number, contents);
        drop(inner);
        Some(Block { store: self.clone(), number })
    }

    /// The bytes from `at` on.
    ///
    /// # Errors
    /// They do not lie in a block: the executor has lost it.
    pub fn read(&self, at: At, bytes: usize) -> Result<Vec<u8>> {
        let inner = self.lock();
        let found = inner.blocks.get(&at.block).and_then(|block| block.get(range(at, bytes)));
        found.map(<[u8]>::to_vec).ok_or_else(|| lost(at, bytes))
    }

    /// Writes bytes from `at` on.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub fn write(&self, at: At, bytes: &[u8]) -> Result<()> {
        let mut inner = self.lock();
        let found = inner.blocks.get_mut(&at.block).and_then(|block| block.get_mut(range(at, bytes.len())));
        found.map(|place| place.copy_from_slice(bytes)).ok_or_else(|| lost(at, bytes.len()))
    }

    /// How the memory is used.
    pub fn usage(&self) -> MemoryStats {
        self.lock().stats
    }
}

fn range(at: At, bytes: usize) -> Range<usize> {
    at.offset..at.offset.saturating_add(bytes)
}

#[cold]
fn lost(at: At, bytes: usize) -> Error {
    Error::internal(format!("{bytes} bytes at {at:?} lie in no block of the device's memory"))
}

impl Drop for Block {
    fn drop(&mut self) {
        let mut inner = self.store.lock();
        if let Some(contents) = inner.blocks.remove(&self.number) {
            inner.stats.in_use -= contents.len();
        }
    }
}

impl BackendMemory for Block {
    type Address = At;

    fn address(&self) -> At {
        At { block: self.number, offset: 0 }
    }

    fn is_writable(&self) -> bool {
        true
    }

    fn view(self: &Arc<Self>, bytes: usize) -> Result<HostView> {
        Ok(HostView::new(self.store.read(self.address(), bytes)?))
    }

    fn populate(&self, _: Range<usize>) {}
}

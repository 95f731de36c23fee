//! Large aligned memory that is reused: fresh pages cost more than most kernels.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jarrah_base::work;
use jarrah_runtime::MemoryStats;

const ALIGN: usize = 64;
const HUGE: usize = 2 << 20;
const ALIGNMENT: NonZeroUsize = NonZeroUsize::new(ALIGN).expect("invariant: 64 is not zero");

/// The least size of a block that is allocated in a slab, where blocks share huge pages.
const SHARED: usize = HUGE / 8;
/// The largest size of a block in a slab; larger blocks fill huge pages of their own well enough.
const MOST_SHARED: usize = 2 * HUGE;
/// The bytes of a slab: a mapping for blocks of one size, which share its huge pages.
const SLAB: usize = 16 * HUGE;

/// Uninterpreted memory, aligned to 64 bytes, or to 2 MiB and backed by huge pages where it is that large; blocks of a few hundred kilobytes share huge pages.
#[derive(Debug)]
pub struct Allocation {
    ptr: NonNull<u8>,
    len: usize,
    place: Place,
}

/// Where a block lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In the process's heap allocator.
    Heap,
    /// In a slab that is divided into this number of blocks.
    Slab(usize),
    /// In a mapping of its own.
    PageTable,
}

// SAFETY: the memory is owned and has no thread affinity.
unsafe impl Send for Allocation {}
// SAFETY: shared access is to plain bytes.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// At least `len` bytes, or `None` when the system has no more memory. Contents are initialised but arbitrary.
    pub fn new(len: usize) -> Option<Allocation> {
        if len == 0 {
            return Some(Allocation { ptr: NonNull::without_provenance(ALIGNMENT), len, place: Place::Heap });
        }
        let (place, layout) = Allocation::layout(len)?;
        let ptr = match place {
            Place::PageTable => pages::map(layout)?,
            Place::Slab(count) => slabs().take(count, layout.size())?,
            // SAFETY: the layout has a nonzero size.
            Place::Heap => NonNull::new(unsafe { alloc_zeroed(layout) })?,
        };
        Some(Allocation { ptr, len: layout.size(), place })
    }

    /// The place and the rounded size of a block. A large size is rounded up by at most a 128th, so that blocks of about one size
    /// are reusable and little is wasted; to whole pages of the system; and to whole huge pages if that adds at most an eighth,
    /// since memory behind the last huge page is read at half the speed. The size of a block in a slab is rounded up to divide
    /// the slab evenly, by at most an eighth.
    fn layout(len: usize) -> Option<(Place, Layout)> {
        let whole = len.checked_next_multiple_of(HUGE)?;
        let (place, align, unit) = match len {
            HUGE.. if (whole - len) * 8 <= len => (Place::PageTable, HUGE, HUGE),
            SHARED..=MOST_SHARED if pages::ARE_HUGE => {
                let count = SLAB / len;
                let size = SLAB / count / ALIGN * ALIGN;
                return Some((Place::Slab(count), Layout::from_size_align(size, ALIGN).ok()?));
            }
            HUGE.. => {
                let unit = (len.checked_next_power_of_two()? / 256).min(HUGE).max(pages::size());
                (Place::PageTable, HUGE, unit)
            }
            _ => (Place::Heap, ALIGN, ALIGN),
        };
        Some((place, Layout::from_size_align(len.checked_next_multiple_of(unit)?, align).ok()?))
    }

    /// The size of a block of at least `len` bytes.
    fn size_of(len: usize) -> Option<usize> {
        Some(Allocation::layout(len)?.1.size())
    }

    /// The size in bytes, at least what was asked for.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first byte.
    pub fn as_ptr(&self) -> *const u8 {
        self.ptr.as_ptr()
    }

    /// The first byte, for writing.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.ptr.as_ptr()
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `len` initialised bytes belong to this value.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }

    /// The bytes, for writing.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: `len` initialised bytes belong to this value, borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }

    /// Makes the system provide memory for these bytes now, if the block has a mapping of its own.
    pub fn populate(&self, bytes: Range<usize>) {
        let (start, end) = (bytes.start.min(self.len), bytes.end.min(self.len));
        if self.place == Place::PageTable && start < end {
            pages::populate(&self.bytes()[start..end]);
        }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if self.len == 0 {
            return;
        }
        let align = if self.place == Place::PageTable { HUGE } else { ALIGN };
        let Ok(layout) = Layout::from_size_align(self.len, align) else { return };
        match self.place {
            // SAFETY: mapped by `new` with this layout.
            Place::PageTable => unsafe { pages::unmap(self.ptr, layout) },
            Place::Slab(count) => slabs().give_back(count, self.ptr),
            // SAFETY: allocated by `new` with this layout.
            Place::Heap => unsafe { dealloc(self.ptr.as_ptr(), layout) },
        }
    }
}

/// Blocks that share huge pages. With pages of 4 KiB, page-table walks for the data that every step of a model reads would cost
/// as much as reading it.
struct Slabs {
    /// The slabs, by the number of their blocks and their address.
    slabs: BTreeMap<(usize, usize), Slab>,
    /// The slabs that have free blocks.
    open: BTreeSet<(usize, usize)>,
}

struct Slab {
    memory: NonNull<u8>,
    /// The size of a block.
    size: usize,
    /// The free blocks, and the number of blocks at the end that were never taken.
    free: Vec<usize>,
    fresh: usize,
}

impl Slab {
    fn left(&self) -> usize {
        self.free.len() + self.fresh
    }
}

// SAFETY: the memory has no thread affinity.
unsafe impl Send for Slab {}

/// The process's slabs, locked.
fn slabs() -> MutexGuard<'static, Slabs> {
    static SLABS: Mutex<Slabs> = Mutex::new(Slabs { slabs: BTreeMap::new(), open: BTreeSet::new() });
    SLABS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slabs {
    fn layout() -> Option<Layout> {
        Layout::from_size_align(SLAB, SLAB).ok()
    }

    /// Takes a block out of a slab of `count` blocks of `size` bytes.
    fn take(&mut self, count: usize, size: usize) -> Option<NonNull<u8>> {
        let at = match self.open.range((count, 0)..(count + 1, 0)).next() {
            Some(&at) => at,
            None => {
                let memory = pages::map(Slabs::layout()?)?;
                let at = (count, memory.addr().get());
                self.slabs.insert(at, Slab { memory, size, free: Vec::new(), fresh: count });
                self.open.insert(at);
                at
            }
        };
        let slab = self.slabs.get_mut(&at)?;
        let block = slab.free.pop().unwrap_or_else(|| {
            slab.fresh -= 1;
            count - 1 - slab.fresh
        });
        if slab.left() == 0 {
            self.open.remove(&at);
        }
        // SAFETY: the slab has `count` blocks.
        Some(unsafe { slab.memory.add(block * slab.size) })
    }

    /// Takes a block back; a slab whose blocks are all free goes back to the system.
    fn give_back(&mut self, count: usize, block: NonNull<u8>) {
        let at = (count, block.addr().get() / SLAB * SLAB);
        let Some(slab) = self.slabs.get_mut(&at) else { return };
        slab.free.push((block.addr().get() - at.1) / slab.size);
        self.open.insert(at);
        if slab.left() == count
            && self.open.remove(&at)
            && let (Some(slab), Some(layout)) = (self.slabs.remove(&at), Slabs::layout())
        {
            // SAFETY: mapped by `take` with this layout; none of its blocks is taken.
            unsafe { pages::unmap(slab.memory, layout) };
        }
    }
}

/// Large blocks, mapped by the system: zeros, whose pages are provided at the first write.
#[cfg(target_os = "linux")]
mod pages {
    use std::alloc::Layout;
    use std::ptr::{NonNull, null_mut};

    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

    /// Whether large blocks are in huge pages.
    pub const ARE_HUGE: bool = true;

    /// The bytes of a page: only whole pages are given back.
    pub fn size() -> usize {
        rustix::param::page_size()
    }

    pub fn map(layout: Layout) -> Option<NonNull<u8>> {
        let (size, align) = (layout.size(), layout.align());
        let whole = size.checked_add(align)?;
        // SAFETY: the system chooses where; nobody else knows of the range.
        let from = unsafe {
            mmap_anonymous(null_mut(), whole, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE).ok()?
        };
        let before = from.cast::<u8>().align_offset(align);
        let behind = align - before;
        // SAFETY: `before` and `behind` are `align` together, so that both ends are within the range just mapped and hold nothing.
        unsafe {
            let start = from.cast::<u8>().add(before);
            if before > 0 {
                let _ = munmap(from, before);
            }
            if behind > 0 {
                let _ = munmap(start.add(size).cast(), behind);
            }
            // Advice only: a kernel without huge pages serves small ones.
            let _ = madvise(start.cast(), size, Advice::LinuxHugepage);
            NonNull::new(start)
        }
    }

    /// Makes the system provide memory for the pages of `bytes` now, as a write to each of them would.
    pub fn populate(bytes: &[u8]) {
        let before = bytes.as_ptr().addr() % size();
        let start = bytes.as_ptr().wrapping_sub(before).cast_mut();
        // SAFETY: the pages are mapped, as the bytes are there; no byte changes. It is advice only: an old kernel refuses, and memory is taken at the first write.
        let _ = unsafe { madvise(start.cast(), bytes.len() + before, Advice::LinuxPopulateWrite) };
    }

    /// # Safety
    /// [`map`] gave the block for this layout, and nothing refers to it.
    pub unsafe fn unmap(ptr: NonNull<u8>, layout: Layout) {
        // SAFETY: by the contract.
        let _ = unsafe { munmap(ptr.as_ptr().cast(), layout.size()) };
    }
}

/// Large blocks from the heap allocator, filled with zeros.
#[cfg(not(target_os = "linux"))]
mod pages {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    /// Whether large blocks are in huge pages: the heap allocator does not say.
    pub const ARE_HUGE: bool = false;

    /// The allocator takes any size.
    pub fn size() -> usize {
        1
    }

    pub fn map(layout: Layout) -> Option<NonNull<u8>> {
        // SAFETY: large layouts have a size.
        NonNull::new(unsafe { alloc_zeroed(layout) })
    }

    /// Does nothing: the system provides memory at the first write.
    pub fn populate(_: &[u8]) {}

    /// # Safety
    /// [`map`] gave the block for this layout, and nothing refers to it.
    pub unsafe fn unmap(ptr: NonNull<u8>, layout: Layout) {
        // SAFETY: by the contract.
        unsafe { dealloc(ptr.as_ptr(), layout) };
    }
}

/// A bounded store of [`Allocation`] for reuse, shared by clones.
///
/// ```
/// use jarrah_cpu::buffers::BufferPool;
/// let pool = BufferPool::new(1 << 30);
/// let first = pool.take(1 << 20).expect("1 MiB is free");
/// let address = first.as_ptr();
/// drop(first);
/// assert_eq!(pool.take(1 << 20).expect("1 MiB is free").as_ptr(), address);
/// ```
#[derive(Clone, Debug)]
pub struct BufferPool(Arc<Store>);

#[derive(Debug)]
struct Store {
    limit: usize,
    free: Mutex<Free>,
}

#[derive(Debug, Default)]
struct Free {
    /// Statistics of the blocks in use; the bytes of free blocks are in `bytes`.
    usage: MemoryStats,
    bytes: usize,
    /// Small free blocks by size, found without a search: blocks of `(i + 1) * ALIGN` bytes at `i`, the last returned one last.
    small: Vec<VecDeque<(u64, Allocation)>>,
    /// The larger free blocks that were returned last, in order; a program that runs again and again takes these.
    recent: VecDeque<(u64, Allocation)>,
    /// All other free blocks, by size, and within a size by when they were returned.
    blocks: BTreeMap<(usize, u64), Allocation>,
    /// The sizes of the blocks in `blocks`, by when they were returned.
    sizes: BTreeMap<u64, usize>,
    /// The number of blocks returned so far, which numbers them.
    returned: u64,
}

/// The number of larger blocks that are searched one after another.
const RECENT: usize = 8;
/// The size up to which blocks are small, in bytes, and how many of one size are kept as such.
const SMALL: usize = 4096;
const OF_ONE_SIZE: usize = 256;

impl Free {
    /// Takes out the smallest block that fits, the most recently returned of that size.
    fn fitting(&mut self, len: usize) -> Option<Allocation> {
        // The rounded size is the least that fits.
        let exact = Allocation::size_of(len)?;
        if let Some((_, memory)) = self.small.get_mut(exact / ALIGN - 1).and_then(VecDeque::pop_back) {
            self.bytes -= exact;
            return Some(memory);
        }
        if let Some(at) = self.recent.iter().rposition(|(_, memory)| memory.len() == exact) {
            self.bytes -= exact;
            return self.recent.remove(at).map(|(_, memory)| memory);
        }
        self.settle(0);
        let (&(size, _), _) = self.blocks.range((len, 0)..).next()?;
        // A much larger block is not taken: the next large request would miss it.
        if size / 2 > len.max(4096) {
            return None;
        }
        let (&(_, latest), _) = self.blocks.range(..=(size, u64::MAX)).next_back()?;
        self.remove(size, latest)
    }

    fn insert(&mut self, memory: Allocation) {
        self.bytes += memory.len();
        let number = self.returned;
        self.returned += 1;
        if memory.len() <= SMALL {
            if self.small.is_empty() {
                self.small.resize_with(SMALL / ALIGN, VecDeque::new);
            }
            let alike = &mut self.small[memory.len() / ALIGN - 1];
            if alike.len() < OF_ONE_SIZE {
                return alike.push_back((number, memory));
            }
        }
        self.recent.push_back((number, memory));
        self.settle(RECENT);
    }

    /// Moves all but the last `most` returned blocks from `recent` to the ordered maps.
    fn settle(&mut self, most: usize) {
        while self.recent.len() > most {
            let Some((number, memory)) = self.recent.pop_front() else { return };
            let size = memory.len();
            self.blocks.insert((size, number), memory);
            self.sizes.insert(number, size);
        }
    }

    /// Removes the free block that was returned to the pool longest ago, which is evicted first; `None` if no block is free.
    fn oldest(&mut self) -> Option<Allocation> {
        self.settle(0);
        let first = |(alike, blocks): (usize, &VecDeque<(u64, Allocation)>)| Some((blocks.front()?.0, alike));
        let small = self.small.iter().enumerate().filter_map(first).min();
        let ordered = self.sizes.first_key_value().map(|(&number, &size)| (number, size));
        match (small, ordered) {
            (Some((number, alike)), ordered) if ordered.is_none_or(|(other, _)| number < other) => {
                let (_, memory) = self.small[alike].pop_front()?;
                self.bytes -= memory.len();
                Some(memory)
            }
            (_, Some((number, size))) => self.remove(size, number),
            (_, None) => None,
        }
    }

    fn remove(&mut self, size: usize, returned: u64) -> Option<Allocation> {
        work::step(1);
        self.sizes.remove(&returned);
        self.bytes -= size;
        self.blocks.remove(&(size, returned))
    }
}

impl BufferPool {
    /// A pool that keeps at most `limit` unused bytes.
    pub fn new(limit: usize) -> BufferPool {
        BufferPool(Arc::new(Store { limit, free: Mutex::default() }))
    }

    /// Memory of at least `len` bytes with arbitrary contents, returned to the pool on drop; `None` when the system
    /// has no more.
    pub fn take(&self, len: usize) -> Option<PooledMemory> {
        if len == 0 {
            return Some(PooledMemory { memory: Allocation::new(0), counts: 0, pool: self.0.clone() });
        }
        let mut free = self.lock();
        let memory = match free.fitting(len) {
            Some(memory) => memory,
            None => {
                // Mapping is slow: not under the lock.
                drop(free);
                let memory = Allocation::new(len).or_else(|| {
                    self.clear();
                    Allocation::new(len)
                })?;
                free = self.lock();
                memory
            }
        };
        Some(self.counted(free, memory, len))
    }

    /// Memory of zeros; a large block is mapped anew, and its pages are provided at the first write. `None` when the system has
    /// no more.
    ///
    /// ```
    /// use jarrah_cpu::buffers::BufferPool;
    /// let pool = BufferPool::new(1 << 30);
    /// pool.take(4 << 20).expect("4 MiB are free").bytes_mut().fill(1);
    /// assert!(pool.zeros(4 << 20).expect("4 MiB are free").bytes().iter().all(|&byte| byte == 0));
    /// ```
    pub fn zeros(&self, len: usize) -> Option<PooledMemory> {
        if Allocation::layout(len)?.0 != Place::PageTable {
            let mut memory = self.take(len)?;
            memory.bytes_mut().fill(0);
            return Some(memory);
        }
        let memory = Allocation::new(len).or_else(|| {
            self.clear();
            Allocation::new(len)
        })?;
        Some(self.counted(self.lock(), memory, len))
    }

    /// Counts a block as taken. A block in a slab counts as the bytes that were asked for, since its rounding stays unused.
    fn counted(&self, mut free: MutexGuard<'_, Free>, memory: Allocation, len: usize) -> PooledMemory {
        let usage = &mut free.usage;
        let counts = match memory.place {
            Place::Slab(_) => len.next_multiple_of(ALIGN),
            Place::Heap | Place::PageTable => memory.len(),
        };
        usage.in_use += counts;
        usage.peak = usage.peak.max(usage.in_use);
        usage.largest = usage.largest.max(counts);
        usage.allocations += 1;
        drop(free);
        PooledMemory { memory: Some(memory), counts, pool: self.0.clone() }
    }

    /// Unused bytes held for reuse.
    pub fn free_bytes(&self) -> usize {
        self.lock().bytes
    }

    /// The bytes in use now, the most that were in use, and the bytes kept for reuse.
    pub fn usage(&self) -> MemoryStats {
        let free = self.lock();
        MemoryStats { pool: free.bytes, ..free.usage }
    }

    /// Gives all unused memory back to the system.
    pub fn clear(&self) {
        let mut free = self.lock();
        let usage = free.usage;
        let unused = std::mem::replace(&mut *free, Free { usage, ..Free::default() });
        // Unmapping is slow: not under the lock.
        drop(free);
        drop(unused);
    }

    fn lock(&self) -> MutexGuard<'_, Free> {
        self.0.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// [`Allocation`] that goes back to its [`BufferPool`] on drop.
#[derive(Debug)]
pub struct PooledMemory {
    memory: Option<Allocation>,
    /// The bytes that the block counts as.
    counts: usize,
    pool: Arc<Store>,
}

impl std::ops::Deref for PooledMemory {
    type Target = Allocation;

    fn deref(&self) -> &Allocation {
        self.memory.as_ref().expect("invariant: the memory is present until drop")
    }
}

impl std::ops::DerefMut for PooledMemory {
    fn deref_mut(&mut self) -> &mut Allocation {
        self.memory.as_mut().expect("invariant: the memory is present until drop")
    }
}

impl Drop for PooledMemory {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take().filter(|memory| !memory.is_empty()) else { return };
        let mut evicted = Vec::new();
        let mut free = self.pool.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.usage.in_use -= self.counts;
        if memory.len() > self.pool.limit {
            drop(free);
            return;
        }
        free.insert(memory);
        while free.bytes > self.pool.limit {
            evicted.extend(free.oldest());
        }
        // Unmapping is slow: not under the lock.
        drop(free);
        drop(evicted);
    }
}

/// The most scratch memory a thread keeps per buffer between kernels.
const KEPT: usize = 64 << 20;

thread_local! {
    static SCRATCH: RefCell<Vec<Allocation>> = const { RefCell::new(Vec::new()) };
}

/// Working memory of the current thread, kept from call to call.
pub(crate) struct Scratch {
    memory: Option<Allocation>,
}

impl Scratch {
    /// Memory for `len` elements; aborts the process as `Vec` does when there is none.
    pub(crate) fn new<T: Copy>(len: usize) -> Scratch {
        let bytes = len.checked_mul(size_of::<T>()).expect("invariant: tile sizes are bounded");
        if bytes == 0 {
            return Scratch { memory: None };
        }
        let kept = SCRATCH.with_borrow_mut(|kept| {
            let best = (0..kept.len()).filter(|&i| kept[i].len() >= bytes).min_by_key(|&i| kept[i].len());
            // If all kept blocks are too small, one of them is dropped, so that a thread ends up with as many blocks as a kernel
            // needs at once.
            best.map(|i| kept.swap_remove(i)).or_else(|| {
                kept.pop();
                None
            })
        });
        let memory = kept.or_else(|| Allocation::new(bytes.next_power_of_two().max(4096)));
        if memory.is_none() {
            std::alloc::handle_alloc_error(Layout::new::<u8>());
        }
        Scratch { memory }
    }

    /// Successive parts of the memory, each aligned to a register; every part costs up to a register more.
    pub(crate) fn carve<T: Copy>(&mut self) -> impl FnMut(usize) -> *mut T {
        let base = self.ptr::<T>();
        let room = self.memory.as_ref().map_or(0, Allocation::len) / size_of::<T>();
        let mut used = 0;
        move |len| {
            let at = used;
            used += len.next_multiple_of(ALIGN / size_of::<T>());
            assert!(used <= room, "scratch of {room} elements is too small for {used}");
            base.wrapping_add(at)
        }
    }

    /// The first element, to be read.
    pub(crate) fn first<T>(&self) -> *const T {
        self.memory.as_ref().map_or(std::ptr::dangling(), |memory| memory.as_ptr().cast())
    }

    pub(crate) fn ptr<T: Copy>(&mut self) -> *mut T {
        self.memory.as_mut().map_or(std::ptr::dangling_mut(), |m| m.as_mut_ptr().cast())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take() else { return };
        if memory.len() <= KEPT {
            // The thread may be ending and its store gone; the memory is then simply freed.
            let _ = SCRATCH.try_with(|kept| kept.borrow_mut().push(memory));
        }
    }
}

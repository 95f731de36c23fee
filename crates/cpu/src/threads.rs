//! The worker pool: parallel regions over task indices.

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use jarrah_base::parallel::cores;

use crate::core_of;

/// How long a thread spins before it parks: long enough that the next call finds the workers awake and on their cores; short
/// enough that another process that needs the core gets it.
const PATIENCE: Duration = Duration::from_micros(100);

/// The gate word: generation above, then the open bit, then the number of workers inside the region.
const OPEN: u64 = 1 << 16;
const ACTIVE: u64 = OPEN - 1;
const GENERATION: u64 = OPEN << 1;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    /// Whether the thread counts as a caller at work.
    static COUNTED: Cell<bool> = const { Cell::new(false) };
}

/// A fixed set of worker threads that run parallel regions.
///
/// The calling thread takes part, so `ThreadPool::new(n)` starts `n - 1` workers. Tasks are handed out by an atomic
/// counter; idle workers park after a short spin.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// let pool = jarrah_cpu::threads::ThreadPool::new(2);
/// let sum = AtomicUsize::new(0);
/// pool.run(10, &|i| {
///     sum.fetch_add(i, Ordering::Relaxed);
/// });
/// assert_eq!(sum.into_inner(), 45);
/// ```
pub struct ThreadPool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    region: Mutex<()>,
    /// The callers at work, where several devices share the pool.
    callers: Option<AtomicUsize>,
}

struct Shared {
    gate: AtomicU64,
    next: AtomicUsize,
    /// The first so many workers take part in the region.
    helpers: AtomicUsize,
    stop: AtomicBool,
    parked: Vec<AtomicBool>,
    /// The core on which the caller woke workers last.
    core: AtomicUsize,
    job: UnsafeCell<Job>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

struct Job {
    tasks: usize,
    body: *const (dyn Fn(usize) + Sync),
    caller: Option<Thread>,
}

// SAFETY: `job` is written only while the gate is closed and no worker is inside (the caller then holds `region`),
// and read only by workers counted inside an open gate, for whom the caller waits before it returns; the body it
// points to is `Sync`.
unsafe impl Sync for Shared {}
// SAFETY: as above; the raw pointer in `Job` is dereferenced only between opening and closing of the gate.
unsafe impl Send for Shared {}

impl ThreadPool {
    /// The most threads of a pool.
    pub const MOST: usize = 1024;

    /// Starts a pool of `threads` threads, the caller included; zero counts as one, and more than [`MOST`](Self::MOST)
    /// as that many.
    pub fn new(threads: usize) -> ThreadPool {
        const { assert!(ThreadPool::MOST as u64 <= ACTIVE) };
        let workers = threads.clamp(1, ThreadPool::MOST) - 1;
        let shared = Arc::new(Shared {
            gate: AtomicU64::new(0),
            next: AtomicUsize::new(0),
            helpers: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            parked: (0..workers).map(|_| AtomicBool::new(false)).collect(),
            core: AtomicUsize::new(usize::MAX),
            job: UnsafeCell::new(Job { tasks: 0, body: &|_| (), caller: None }),
            panic: Mutex::new(None),
        });
        let workers = (0..workers)
            .map_while(|index| {
                let shared = shared.clone();
                let builder = std::thread::Builder::new().name(format!("jarrah-cpu-{}", index + 1));
                // A system that refuses more threads gets a smaller pool; results do not depend on its size.
                builder.spawn(move || shared.work(index)).ok()
            })
            .collect();
        ThreadPool { shared, workers, region: Mutex::new(()), callers: None }
    }

    /// The pool as so many devices share it: a worker helps a device only while fewer devices than threads are at work, so that
    /// no more threads compete than there are cores.
    pub fn shared_by(mut self, devices: usize) -> ThreadPool {
        self.callers = (devices > 1).then(|| AtomicUsize::new(0));
        self
    }

    /// The pool of the process, one thread per available core, started at the first call.
    pub fn global() -> &'static ThreadPool {
        static GLOBAL: OnceLock<ThreadPool> = OnceLock::new();
        GLOBAL.get_or_init(|| ThreadPool::new(cores()))
    }

    /// The number of threads that take part in a region, the caller included: inside a task, one.
    pub fn threads(&self) -> usize {
        if INSIDE.get() { 1 } else { self.workers.len() + 1 }
    }

    /// Runs `body(i)` once for each `i` in `0..tasks`, in no particular order, and returns when all are done.
    ///
    /// Inside a task, and while another thread runs a region on this pool, the tasks run on the calling thread; so they do
    /// while the devices that share the pool keep its threads busy.
    ///
    /// # Panics
    /// With the payload of a task that panicked; tasks not yet begun are then dropped.
    pub fn run(&self, tasks: usize, body: &(dyn Fn(usize) + Sync)) {
        let inside = self.workers.is_empty() || INSIDE.get();
        let caller = self.callers.as_ref().filter(|_| !inside).map(Caller::begin);
        let others = caller.as_ref().map_or(0, |caller| caller.others);
        let inline = inside || tasks <= 1 || others >= self.workers.len();
        let region = if inline { None } else { self.region.try_lock().ok() };
        let Some(region) = region else {
            (0..tasks).for_each(body);
            return;
        };
        let shared = &*self.shared;
        // SAFETY: the gate is closed with no worker inside, as `close` left it, and `region` keeps other callers
        // out. The lifetime of `body` is erased; `close` below returns before `body` can end.
        unsafe {
            *shared.job.get() = Job {
                tasks,
                body: std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync)>(
                    body,
                ),
                caller: Some(std::thread::current()),
            };
        }
        shared.next.store(0, Ordering::Relaxed);
        let helpers = self.workers.len() - others;
        shared.helpers.store(helpers, Ordering::SeqCst);
        let closed = shared.gate.load(Ordering::Relaxed);
        shared.gate.store(closed.wrapping_add(GENERATION) | OPEN, Ordering::SeqCst);
        for (worker, parked) in self.workers.iter().zip(&shared.parked).take(helpers.min(tasks - 1)) {
            if parked.load(Ordering::SeqCst) && parked.swap(false, Ordering::SeqCst) {
                shared.core.store(core_of::this_thread(), Ordering::Relaxed);
                worker.thread().unpark();
            }
        }
        shared.drain(tasks, body);
        shared.close();
        let payload = shared.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(region);
        if let Some(payload) = payload {
            resume_unwind(payload);
        }
    }
}

/// A caller at work, and the number of others when it began. A call within a call counts no thread again.
struct Caller<'p> {
    callers: &'p AtomicUsize,
    others: usize,
    is_outer: bool,
}

impl<'p> Caller<'p> {
    fn begin(callers: &'p AtomicUsize) -> Caller<'p> {
        let is_outer = !COUNTED.replace(true);
        let others = match is_outer {
            true => callers.fetch_add(1, Ordering::Relaxed),
            false => callers.load(Ordering::Relaxed).saturating_sub(1),
        };
        Caller { callers, others, is_outer }
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        if self.is_outer {
            COUNTED.set(false);
            self.callers.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // A worker catches every panic of a task, so there is nothing to report here.
            let _ = worker.join();
        }
    }
}

impl Shared {
    /// Takes tasks until none is left; a panic is kept for the caller and ends the region early.
    fn drain(&self, tasks: usize, body: &(dyn Fn(usize) + Sync)) {
        INSIDE.set(true);
        let result = catch_unwind(AssertUnwindSafe(|| {
            loop {
                let task = self.next.fetch_add(1, Ordering::Relaxed);
                if task >= tasks {
                    break;
                }
                body(task);
            }
        }));
        INSIDE.set(false);
        if let Err(payload) = result {
            self.next.store(tasks, Ordering::Relaxed);
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
        }
    }

    /// Closes the gate and waits until the last worker has left.
    fn close(&self) {
        let mut gate = self.gate.fetch_and(!OPEN, Ordering::AcqRel) & !OPEN;
        let mut wait = Wait::default();
        while gate & ACTIVE != 0 {
            if !wait.spin() {
                std::thread::park();
            }
            gate = self.gate.load(Ordering::Acquire);
        }
    }

    fn work(&self, index: usize) {
        let mut seen = 0;
        loop {
            seen = self.await_region(index, seen);
            if self.stop.load(Ordering::SeqCst) {
                return;
            }
            // SAFETY: this worker is counted inside the open gate, so the caller keeps the job alive and unchanged.
            let job = unsafe { &*self.job.get() };
            // SAFETY: as above; the body outlives the region.
            self.drain(job.tasks, unsafe { &*job.body });
            let caller = job.caller.clone();
            let before = self.gate.fetch_sub(1, Ordering::AcqRel);
            if before & OPEN == 0
                && before & ACTIVE == 1
                && let Some(caller) = caller
            {
                caller.unpark();
            }
        }
    }

    /// Waits for a region this worker has not yet seen, enters it and returns its generation.
    fn await_region(&self, index: usize, mut seen: u64) -> u64 {
        let mut wait = Wait::default();
        loop {
            let gate = self.gate.load(Ordering::SeqCst);
            let generation = gate & !(OPEN | ACTIVE);
            if self.stop.load(Ordering::SeqCst) {
                return generation;
            }
            let fresh = |gate: u64, seen| gate & OPEN != 0 && gate & !(OPEN | ACTIVE) != seen;
            if fresh(gate, seen) && index >= self.helpers.load(Ordering::SeqCst) {
                // The number of helpers is written before the gate opens, so it is that of this region or of a later one.
                seen = generation;
            } else if fresh(gate, seen) {
                if self
                    .gate
                    .compare_exchange_weak(gate, gate + 1, Ordering::SeqCst, Ordering::Relaxed)
                    .is_ok()
                {
                    return generation;
                }
            } else if !wait.spin() {
                // The flag is raised before the last look at the gate and the caller opens the gate before it
                // looks at the flag, so one of the two sees the other.
                self.parked[index].store(true, Ordering::SeqCst);
                if !fresh(self.gate.load(Ordering::SeqCst), seen) && !self.stop.load(Ordering::SeqCst) {
                    std::thread::park();
                    core_of::leave(self.core.load(Ordering::Relaxed));
                }
                self.parked[index].store(false, Ordering::SeqCst);
                wait = Wait::default();
            }
        }
    }
}

/// A wait that spins for a while, then tells its caller to park.
#[derive(Default)]
struct Wait {
    spins: u32,
    since: Option<Instant>,
}

impl Wait {
    /// Spins once, unless it has spun for [`PATIENCE`].
    fn spin(&mut self) -> bool {
        self.spins += 1;
        if self.spins.is_multiple_of(64) && self.since.get_or_insert_with(Instant::now).elapsed() >= PATIENCE
        {
            return false;
        }
        std::hint::spin_loop();
        true
    }
}

//! The core that a thread is on. A system may wake a worker on the core of the thread that waits for it, although another one is
//! idle, and leave both there for milliseconds.

/// The number of the core that this thread is on, where the system says it.
#[cfg(target_os = "linux")]
pub fn this_thread() -> usize {
    rustix::thread::sched_getcpu()
}

/// Moves this thread off `core` if it runs there and may run on others. Its affinity stays unchanged.
#[cfg(target_os = "linux")]
pub fn leave(core: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    if sched_getcpu() != core || core >= CpuSet::MAX_CPU {
        return;
    }
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let mut others = allowed;
    others.unset(core);
    if others.count() > 0 && sched_setaffinity(None, &others).is_ok() {
        // A system that gave the one set gives the other; if not, the thread works where it is.
        let _ = sched_setaffinity(None, &allowed);
    }
}

/// No core's number: the system does not say which core a thread is on.
#[cfg(not(target_os = "linux"))]
pub fn this_thread() -> usize {
    usize::MAX
}

/// Does nothing: the system does not say which core a thread is on.
#[cfg(not(target_os = "linux"))]
pub fn leave(_: usize) {}

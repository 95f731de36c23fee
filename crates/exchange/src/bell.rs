//! The bell of a process: threads that wait for messages or for room sleep on it, and peers ring it.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use crate::memory::Counters;

/// A sleeper looks again after this time even if no bell rang, so that a peer that forgets to ring cannot stop it for ever.
const NAP: Duration = Duration::from_millis(20);

/// A counter of rings and a counter of sleepers, which several processes share.
#[derive(Clone)]
pub(crate) struct Bell(Arc<Counters>);

impl Bell {
    pub(crate) fn new(counters: Counters) -> Self {
        Bell(Arc::new(counters))
    }

    /// The rings so far, to be read before the last look at whatever is waited for.
    pub(crate) fn rings(&self) -> u32 {
        self.0.both().0.load(SeqCst)
    }

    /// Wakes all sleepers.
    pub(crate) fn ring(&self) {
        let (rings, sleepers) = self.0.both();
        rings.fetch_add(1, SeqCst);
        if sleepers.load(SeqCst) != 0 {
            wake(rings);
        }
    }

    /// Sleeps until the bell rings, if it has not rung since `seen` was read.
    pub(crate) fn sleep(&self, seen: u32) {
        let (rings, sleepers) = self.0.both();
        sleepers.fetch_add(1, SeqCst);
        wait(rings, seen);
        sleepers.fetch_sub(1, SeqCst);
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::sync::atomic::AtomicU32;

    use rustix::thread::futex;

    use super::NAP;

    pub(super) fn wake(rings: &AtomicU32) {
        // A refusal only makes the sleepers nap to the end.
        let _ = futex::wake(rings, futex::Flags::empty(), i32::MAX as u32);
    }

    pub(super) fn wait(rings: &AtomicU32, seen: u32) {
        let nap = rustix::fs::Timespec { tv_sec: 0, tv_nsec: i64::from(NAP.subsec_nanos()) };
        // An interruption is as good as a ring: the caller looks again.
        let _ = futex::wait(rings, futex::Flags::empty(), seen, Some(&nap));
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::sync::atomic::AtomicU32;
    use std::sync::atomic::Ordering::SeqCst;
    use std::time::{Duration, Instant};

    pub(super) fn wake(_: &AtomicU32) {}

    pub(super) fn wait(rings: &AtomicU32, seen: u32) {
        let start = Instant::now();
        while rings.load(SeqCst) == seen && start.elapsed() < super::NAP {
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

use system::{wait, wake};

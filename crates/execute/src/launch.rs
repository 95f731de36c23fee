//! The order of runs on several devices.
//!
//! The parts of such a run may wait for each other while they run, so each device does them in the same order: a run is put into the
//! queues of its devices at one moment, when the arguments of all its parts are ready, and behind every run on several devices that
//! was begun before it and shares a device with it. Whatever stands before a part in its queue can run and ends; so the parts of a run
//! meet, whichever runs are in flight. Runs on one device wait for nobody, and nobody's arguments keep one waiting but its own.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jarrah_runtime::DeviceId;
use rustc_hash::FxHashSet;

use crate::queue::{Reserved, Task};

/// The runs on several devices that were begun and are not in the queues.
#[derive(Default)]
pub struct Launches {
    waiting: Mutex<Waiting>,
    reserving: Mutex<()>,
}

#[derive(Default)]
struct Waiting {
    next: u64,
    launches: VecDeque<Launch>,
}

struct Launch {
    number: u64,
    /// Whether the arguments of all parts are there.
    ready: bool,
    parts: Vec<LaunchPart>,
}

/// The part of a run on one device: its place in the queue and its work.
pub struct LaunchPart {
    pub device: DeviceId,
    pub place: Reserved,
    pub task: Task,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Launches {
    /// While the guard lives, no other launch takes its places in the queues and begins, so that runs wait for each other in one order
    /// on all devices.
    pub fn reserving(&self) -> MutexGuard<'_, ()> {
        lock(&self.reserving)
    }

    /// Whether a launch on these devices comes behind one that waits for something outside of the queues.
    pub fn is_outside(&self, devices: impl Iterator<Item = DeviceId>) -> bool {
        let waiting = lock(&self.waiting);
        if waiting.launches.is_empty() {
            return false;
        }
        let devices: FxHashSet<DeviceId> = devices.collect();
        let parts = waiting.launches.iter().flat_map(|launch| &launch.parts);
        parts.into_iter().any(|part| part.place.outside && devices.contains(&part.device))
    }

    /// Registers a launch behind those that were begun before. Returns its number.
    pub fn begin(&self, parts: Vec<LaunchPart>) -> u64 {
        let mut waiting = lock(&self.waiting);
        let number = waiting.next;
        waiting.next += 1;
        waiting.launches.push_back(Launch { number, ready: false, parts });
        number
    }

    /// Says that the arguments of a launch are there, and gives `append` all parts that can be put into the queues now, in order.
    pub fn ready(&self, number: u64, append: impl Fn(LaunchPart)) {
        let mut waiting = lock(&self.waiting);
        let mut taken: FxHashSet<DeviceId> = FxHashSet::default();
        let mut left = VecDeque::new();
        for mut launch in std::mem::take(&mut waiting.launches) {
            launch.ready |= launch.number == number;
            if launch.ready && !launch.parts.iter().any(|part| taken.contains(&part.device)) {
                launch.parts.into_iter().for_each(&append);
            } else {
                taken.extend(launch.parts.iter().map(|part| part.device));
                left.push_back(launch);
            }
        }
        waiting.launches = left;
    }
}

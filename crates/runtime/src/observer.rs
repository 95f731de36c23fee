//! Observers of runs: profiles, timelines, and whatever else shows where the time of a run goes.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::device::DeviceId;
use crate::steps::StepLabel;

/// Someone who watches the runs and the transfers of a client: see [`Client::observe`](crate::Client::observe).
///
/// Its functions are called on the threads that do the work, several at once; what they take, the work takes.
pub trait Observer: Send + Sync {
    /// A run begins on a device. The observer of its steps, if they are of interest.
    fn run(&self, run: &ObservedRun<'_>) -> Option<Box<dyn RunObserver>>;

    /// A tensor was brought to a device.
    fn transfer(&self, transfer: &Transfer);
}

/// A run that begins.
#[derive(Clone, Copy, Debug)]
pub struct ObservedRun<'a> {
    /// The name of the program.
    pub program: &'a str,
    /// The device.
    pub device: DeviceId,
    /// The steps, by their numbers.
    pub steps: &'a Arc<[ObservedStep]>,
}

/// A step of a program, and the work of one execution of it.
#[derive(Clone, Debug)]
pub struct ObservedStep {
    /// Its description.
    pub label: StepLabel,
    /// Floating-point operations.
    pub flops: f64,
    /// Bytes that it reads and writes.
    pub bytes: f64,
    /// Whether it runs other steps, which are observed one by one: a loop or a branch.
    pub nests: bool,
}

/// Someone who watches one run.
pub trait RunObserver: Send + Sync {
    /// A step has run on this thread, or was asked of a device that works by itself. A step that runs others ends after them.
    fn step(&self, number: usize, began: Instant, ended: Instant);

    /// The run is over: the device has done all steps, or one failed.
    fn end(self: Box<Self>);
}

/// A tensor on its way to a device.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// Where from: a device, or the host.
    pub from: Option<DeviceId>,
    /// The device.
    pub to: DeviceId,
    /// The bytes of the tensor.
    pub bytes: usize,
    /// When it began.
    pub began: Instant,
    /// When the tensor was there, or its copy was asked of the device.
    pub ended: Instant,
}

/// An observer at work, until this is dropped.
pub struct Observing(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Observing {
    /// An observer that `stop` takes away.
    pub fn new(stop: impl FnOnce() + Send + Sync + 'static) -> Observing {
        Observing(Some(Box::new(stop)))
    }
}

impl Drop for Observing {
    fn drop(&mut self) {
        if let Some(stop) = self.0.take() {
            stop();
        }
    }
}

impl fmt::Debug for Observing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observing")
    }
}

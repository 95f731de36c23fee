//! The observers of the runs of a client.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use jarrah_runtime::{DeviceId, ObservedRun, Observer, RunObserver, Transfer};

/// The observers of a client.
#[derive(Default)]
pub struct Observers {
    /// Whether there is any: all that a run looks at if there is none.
    any: AtomicBool,
    next: AtomicU64,
    list: RwLock<Vec<(u64, Arc<dyn Observer>)>>,
}

impl Observers {
    /// Adds an observer. Returns its number.
    pub fn add(&self, observer: Arc<dyn Observer>) -> u64 {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.change(|list| list.push((number, observer)));
        number
    }

    /// Takes an observer away.
    pub fn remove(&self, number: u64) {
        self.change(|list| list.retain(|(known, _)| *known != number));
    }

    fn change(&self, f: impl FnOnce(&mut Vec<(u64, Arc<dyn Observer>)>)) {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        f(&mut list);
        self.any.store(!list.is_empty(), Ordering::Release);
    }

    fn all(&self) -> Vec<Arc<dyn Observer>> {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        list.iter().map(|(_, observer)| observer.clone()).collect()
    }

    /// The observers of this run, as one.
    #[inline]
    pub fn run<'a>(&self, run: impl FnOnce() -> ObservedRun<'a>) -> Option<Box<dyn RunObserver>> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let run = run();
        let mut found: Vec<_> = self.all().iter().filter_map(|observer| observer.run(&run)).collect();
        match found.len() {
            0 | 1 => found.pop(),
            _ => Some(Box::new(Several(found))),
        }
    }

    /// Moves a tensor by `f`, and tells of it.
    pub fn transfer<R>(
        &self,
        from: Option<DeviceId>,
        to: DeviceId,
        bytes: usize,
        f: impl FnOnce() -> R,
    ) -> R {
        if !self.any.load(Ordering::Acquire) {
            return f();
        }
        let began = Instant::now();
        let done = f();
        let transfer = Transfer { from, to, bytes, began, ended: Instant::now() };
        self.all().iter().for_each(|observer| observer.transfer(&transfer));
        done
    }
}

/// Several who watch one run.
struct Several(Vec<Box<dyn RunObserver>>);

impl RunObserver for Several {
    fn step(&self, number: usize, began: Instant, ended: Instant) {
        self.0.iter().for_each(|observer| observer.step(number, began, ended));
    }

    fn end(self: Box<Self>) {
        self.0.into_iter().for_each(RunObserver::end);
    }
}

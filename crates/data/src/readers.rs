//! Threads that read a [`MapDataset`](crate::MapDataset) ahead, chunk by chunk, delivered in order.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::vec;

use jarrah_base::{Error, Result, panic_message};

use crate::iter::ReadOptions;
use crate::map::MapStage;
use crate::observe::{Counters, bytes_of, probe, timed};

/// The greatest number of elements that a thread makes before it hands them over.
const CHUNK: usize = 64;

/// Elements with their indices, and the error that ended the chunk.
struct Chunk<T> {
    elements: Vec<(u64, T)>,
    error: Option<Error>,
}

struct Queue<T> {
    /// The chunks from the first one that was not delivered on; `None` where a thread is at work.
    chunks: VecDeque<Option<Chunk<T>>>,
    /// The number of chunks that were delivered.
    delivered: u64,
    /// The number of chunks that are to be made; fewer once one has failed.
    end: u64,
    stopped: bool,
}

struct Shared<T> {
    queue: Mutex<Queue<T>>,
    /// There may be a chunk to make.
    work: Condvar,
    /// There may be a chunk to deliver.
    ready: Condvar,
    /// The greatest number of chunks that are made or being made and not delivered.
    window: usize,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Queue<T>> {
        // A thread that panics holds no lock: panics of stages are caught where they run.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) struct Readers<T> {
    shared: Arc<Shared<T>>,
    threads: Vec<JoinHandle<()>>,
    current: vec::IntoIter<(u64, T)>,
    error: Option<Error>,
    counters: Option<Arc<Counters>>,
}

impl<T: Send + 'static> Readers<T> {
    /// Threads that read `parent` from index `start` on.
    ///
    /// # Errors
    /// A thread cannot be started (`Environment`).
    pub(crate) fn start(parent: &Arc<dyn MapStage<T>>, start: u64, options: ReadOptions) -> Result<Self> {
        let chunk = (options.buffer / (2 * options.threads)).clamp(1, CHUNK);
        // Beside those there is a chunk, if it is of more than one element, of which some are delivered.
        let window = (options.buffer / chunk).saturating_sub(usize::from(chunk > 1)).max(options.threads);
        let end = (parent.len() - start).div_ceil(chunk as u64);
        let queue = Mutex::new(Queue { chunks: VecDeque::new(), delivered: 0, end, stopped: false });
        let shared = Arc::new(Shared { queue, work: Condvar::new(), ready: Condvar::new(), window });
        let probe = probe::here();
        let counters = probe.as_ref().map(|probe| probe.counters.clone());
        let current = Vec::new().into_iter();
        let mut readers = Readers { shared, threads: Vec::new(), current, error: None, counters };
        for i in 0..options.threads {
            let (parent, shared, probe) = (parent.clone(), readers.shared.clone(), probe.clone());
            let thread = thread::Builder::new()
                .name(format!("jarrah-data-{i}"))
                .spawn(move || {
                    probe::below(probe, |counters| read(&*parent, &shared, start, chunk as u64, counters));
                })
                .map_err(|e| Error::environment(format!("cannot start a thread that reads data: {e}")))?;
            readers.threads.push(thread);
        }
        Ok(readers)
    }

    /// The next element and its index.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, T)>> {
        loop {
            if let Some(next) = self.current.next() {
                if let Some(counters) = &self.counters {
                    counters.release(bytes_of(&next.1));
                }
                return Ok(Some(next));
            }
            if let Some(e) = self.error.take() {
                return Err(e);
            }
            let mut queue = self.shared.lock();
            let chunk = loop {
                if queue.delivered >= queue.end {
                    return Ok(None);
                }
                match queue.chunks.front_mut().and_then(Option::take) {
                    Some(chunk) => break chunk,
                    None => {
                        let ready = probe::waiting(|| self.shared.ready.wait(queue));
                        queue = ready.unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            queue.chunks.pop_front();
            queue.delivered += 1;
            drop(queue);
            self.shared.work.notify_all();
            self.current = chunk.elements.into_iter();
            self.error = chunk.error;
        }
    }
}

impl<T> Drop for Readers<T> {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.work.notify_all();
        for thread in self.threads.drain(..) {
            // A thread catches the panics of the stages that it runs.
            let _ = thread.join();
        }
    }
}

fn read<T: Send + 'static>(
    parent: &dyn MapStage<T>,
    shared: &Shared<T>,
    start: u64,
    size: u64,
    counters: Option<&Counters>,
) {
    let len = parent.len();
    loop {
        let mut queue = shared.lock();
        let number = loop {
            let number = queue.delivered + queue.chunks.len() as u64;
            if queue.stopped || number >= queue.end {
                return;
            }
            if queue.chunks.len() < shared.window {
                break number;
            }
            let room = timed(counters, || shared.work.wait(queue));
            queue = room.unwrap_or_else(PoisonError::into_inner);
        };
        queue.chunks.push_back(None);
        drop(queue);
        let first = start + number * size;
        let chunk = made(parent, first, len.min(first.saturating_add(size)));
        if let Some(counters) = counters {
            counters.take(chunk.elements.iter().map(|(_, element)| bytes_of(element)).sum());
        }
        let mut queue = shared.lock();
        if chunk.error.is_some() {
            queue.end = queue.end.min(number + 1);
        }
        let place = (number - queue.delivered) as usize;
        queue.chunks[place] = Some(chunk);
        drop(queue);
        shared.ready.notify_one();
    }
}

fn made<T>(parent: &dyn MapStage<T>, first: u64, end: u64) -> Chunk<T> {
    let mut elements = Vec::with_capacity((end - first) as usize);
    let error = catch_unwind(AssertUnwindSafe(|| {
        for index in first..end {
            match parent.get(index) {
                Ok(Some(element)) => elements.push((index, element)),
                Ok(None) => {}
                Err(e) => return Some(e),
            }
        }
        None
    }));
    let error = error.unwrap_or_else(|panic| {
        let text = panic_message(panic.as_ref()).unwrap_or("a value that is no text");
        Some(Error::internal(format!("reading the elements {first}..{end} panicked: {text}")))
    });
    Chunk { elements, error }
}

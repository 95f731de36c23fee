//! The exchange between threads of one process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Release;

use crate::bell::Bell;
use crate::exchange::Exchange;
use crate::failure::{Cause, Failure};
use crate::memory::{Counters, Memory};
use crate::mesh::{Link, Links, Mesh, Signals};
use crate::ring::WORDS;

/// Exchanges whose ranks are threads of this process: for tests, and for devices of one process.
pub struct Threads;

impl Threads {
    /// An exchange for each of `size` ranks, to be given to threads.
    ///
    /// ```
    /// use jarrah_exchange::{CollectiveCall, Tag, Threads};
    /// let ranks = Threads::start(3);
    /// let gather = CollectiveCall::new("all_gather", Tag::default());
    /// std::thread::scope(|scope| {
    ///     for rank in &ranks {
    ///         scope.spawn(move || {
    ///             let names = rank.all_gather(&gather, &[0, 1, 2], format!("rank {}", rank.rank()).as_bytes());
    ///             assert_eq!(names.unwrap()[2], b"rank 2");
    ///         });
    ///     }
    /// });
    /// ```
    pub fn start(size: usize) -> Vec<Arc<dyn Exchange>> {
        let bells: Vec<Bell> = (0..size).map(|_| Bell::new(Counters::Heap(Default::default()))).collect();
        let failures: Vec<Arc<Failure>> = (0..size).map(|_| Arc::default()).collect();
        // `memories[a][b]` is written by the rank `a` for the rank `b`.
        let memories: Vec<Vec<Arc<Memory>>> = (0..size)
            .map(|a| (0..size).map(|b| Arc::new(Memory::heap(if a == b { 0 } else { WORDS }))).collect())
            .collect();
        let links: Vec<Vec<Option<Link>>> = (0..size)
            .map(|a| {
                let link =
                    |b: usize| Link::new(memories[a][b].clone(), memories[b][a].clone(), bells[b].clone());
                (0..size).map(|b| (a != b).then(|| link(b))).collect()
            })
            .collect();
        // For each rank, the flags by which the others know that it has left.
        let flags: Vec<Vec<Arc<AtomicBool>>> = (0..size)
            .map(|rank| {
                links.iter().filter_map(|of| of[rank].as_ref()).map(|link| link.left.clone()).collect()
            })
            .collect();
        let ranks = links.into_iter().zip(flags).enumerate().map(|(rank, (links, left))| {
            let signals = Neighbours { rank, failures: failures.clone(), bells: bells.clone(), left };
            let links = Links::new(rank, links, bells[rank].clone());
            let mesh = Mesh::new(links, failures[rank].clone(), Box::new(signals));
            Arc::new(mesh) as Arc<dyn Exchange>
        });
        ranks.collect()
    }
}

/// The other ranks, as one of them reaches them.
struct Neighbours {
    rank: usize,
    failures: Vec<Arc<Failure>>,
    bells: Vec<Bell>,
    left: Vec<Arc<AtomicBool>>,
}

impl Signals for Neighbours {
    fn abort(&self, cause: &Cause) {
        let told = Cause { told_by: cause.told_by.or(Some(self.rank)), ..cause.clone() };
        for (failure, bell) in self.failures.iter().zip(&self.bells) {
            failure.set(told.clone());
            bell.ring();
        }
    }

    fn goodbye(&self) {
        self.left.iter().for_each(|left| left.store(true, Release));
        self.bells.iter().for_each(Bell::ring);
    }
}

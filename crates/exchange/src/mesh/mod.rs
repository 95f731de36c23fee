//! The engine of the forms whose ranks see common memory: a mesh of links between all ranks.
//!
//! A message of up to 16 KiB is sent at once, as far as the receiver's mailbox has room for it; a longer one, or one that finds no
//! room, is *offered*, and sent in pieces when its receiver grants that. So no sender fills more of a receiver's memory than two rings
//! and a mailbox of 192 KiB, and a message that nobody asks for never holds up one that somebody waits for. No thread works behind
//! the calls: those that wait do the copying themselves.

mod intake;
mod link;
mod transfer;

use std::sync::atomic::Ordering::{AcqRel, Acquire, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, Weak};

use jarrah_base::{Error, Result};

use crate::bell::Bell;
use crate::collectives;
use crate::exchange::Exchange;
use crate::failure::{Cause, Failure, desertion};
use crate::frame::Name;
use crate::messages::{CollectiveCall, Combine, Messages, Receive};
use crate::standing::{Report, Watch, Witness};
use intake::{Apart, Folded, Intake};
pub(crate) use link::Link;
use transfer::{Transfer, chunk};

/// Turns without progress before a thread lets others run, and then before it sleeps.
struct Spin {
    spins: u32,
    yields: u32,
}

impl Spin {
    fn of(size: usize) -> Self {
        // Spinning is quicker than sleeping only where every rank has a core.
        match jarrah_base::parallel::cores() >= size {
            true => Spin { spins: 200, yields: 20 },
            false => Spin { spins: 0, yields: 4 },
        }
    }
}

/// The way by which a rank tells the others how it fares.
pub(crate) trait Signals: Send + Sync {
    /// Tells all others of a failure.
    fn abort(&self, cause: &Cause);
    /// Tells all others that this rank is done.
    fn goodbye(&self);
}

/// The links of a rank to all others, and its transfers that wait.
pub(crate) struct Links {
    pub rank: usize,
    pub links: Vec<Option<Link>>,
    pub bell: Bell,
    pub watch: Watch,
    /// Changes with every frame that is read.
    news: AtomicU64,
}

impl Links {
    pub(crate) fn new(rank: usize, links: Vec<Option<Link>>, bell: Bell) -> Arc<Links> {
        Arc::new(Links { rank, links, bell, watch: Watch::default(), news: AtomicU64::new(0) })
    }

    /// The ranks that have said goodbye.
    pub(crate) fn left(&self) -> Vec<bool> {
        self.links.iter().map(|link| link.as_ref().is_some_and(|link| link.left.load(Acquire))).collect()
    }

    /// Where this rank stands, unless it is in motion.
    ///
    /// # Errors
    /// A rank wrote garbage.
    pub(crate) fn report(&self) -> Result<Option<Report>, Cause> {
        let mut sorted = false;
        for (rank, link) in self.links.iter().enumerate() {
            if let Some(link) = link {
                sorted |= link.pump(&self.news).map_err(transfer::garbage(rank))?;
            }
        }
        if sorted {
            self.bell.ring();
        }
        let frames = || self.links.iter().map(|link| link.as_ref().map_or((0, 0), Link::frames)).collect();
        Ok(self.watch.report(frames, || self.news.load(SeqCst)))
    }
}

/// A rank, linked to all others.
pub(crate) struct Mesh {
    ground: Arc<Links>,
    /// The peers whose rings of large messages a transfer of this process holds.
    lanes: Mutex<Vec<bool>>,
    failure: Arc<Failure>,
    signals: Box<dyn Signals>,
    closed: AtomicBool,
    spin: Spin,
}

impl Mesh {
    pub(crate) fn new(ground: Arc<Links>, failure: Arc<Failure>, signals: Box<dyn Signals>) -> Self {
        let size = ground.links.len();
        Mesh {
            ground,
            lanes: Mutex::new(vec![false; size]),
            failure,
            signals,
            closed: AtomicBool::new(false),
            spin: Spin::of(size),
        }
    }

    /// Ends the exchange, unless it has ended before.
    fn fail(&self, cause: Cause) {
        if self.failure.set(cause.clone()) {
            self.signals.abort(&cause);
            self.ground.bell.ring();
        }
    }

    /// The error of a collective after a failure.
    fn error(&self, collective: &CollectiveCall<'_>) -> Error {
        collective.failed(self.ground.rank, self.failure.cause())
    }

    fn check(&self, collective: &CollectiveCall<'_>, ranks: impl Iterator<Item = usize>) -> Result<()> {
        collective.check_ranks((self.ground.rank, self.ground.links.len()), ranks)
    }

    fn run(
        &self,
        collective: &CollectiveCall<'_>,
        phase: u8,
        chunk: usize,
        sends: &[(usize, &[u8])],
        intake: &mut dyn Intake,
    ) -> Result<()> {
        let tag = collective.tag;
        let name = Name { tag, phase };
        let mut transfer = Transfer::new(name, chunk, sends, intake);
        let peers = transfer.peers();
        let (mut idle, mut watched) = (0, None);
        loop {
            if self.failure.happened() || self.closed.load(Acquire) {
                return Err(self.error(collective));
            }
            let (rings, news) = (self.ground.bell.rings(), self.ground.news.load(SeqCst));
            let gone = self.ground.left();
            if let Some(rank) = transfer.refuses(&gone) {
                self.fail(desertion(rank));
                continue;
            }
            let (any, own) = match self.turn(&mut transfer, &peers) {
                Ok(_) if transfer.is_done() => {
                    // Others of this process may wait for a ring that is free now.
                    self.ground.bell.ring();
                    return Ok(());
                }
                Ok(progress) => progress,
                Err(cause) => {
                    self.fail(cause);
                    continue;
                }
            };
            if own {
                watched = None;
            }
            if any {
                idle = 0;
                continue;
            }
            match transfer.deserted(&self.ground.links, &gone) {
                Ok(None) => {}
                Ok(Some(rank)) => {
                    self.fail(desertion(rank));
                    continue;
                }
                Err(cause) => {
                    self.fail(cause);
                    continue;
                }
            }
            idle += 1;
            if idle <= self.spin.spins {
                std::hint::spin_loop();
            } else if idle <= self.spin.spins + self.spin.yields {
                std::thread::yield_now();
            } else {
                let watched = watched.get_or_insert_with(|| self.ground.watch.waits(tag));
                if transfer.only_waits() {
                    watched.sleeps(news);
                }
                self.ground.bell.sleep(rings);
                watched.wakes();
            }
        }
    }

    /// One turn of a transfer: whether anything was done, and whether it was for the transfer.
    fn turn(&self, transfer: &mut Transfer<'_>, peers: &[usize]) -> Result<(bool, bool), Cause> {
        let mut sorted = false;
        for &rank in peers {
            sorted |= transfer::link(&self.ground.links, rank)
                .pump(&self.ground.news)
                .map_err(transfer::garbage(rank))?;
        }
        let progress = transfer.advance(&self.ground.links, &self.lanes, self.ground.rank)?;
        if sorted || progress.freed {
            // Another thread of this process may wait for what was sorted or freed here.
            self.ground.bell.ring();
        }
        Ok((sorted || progress.any, progress.any))
    }
}

impl Messages for Mesh {
    fn rank(&self) -> usize {
        self.ground.rank
    }

    fn size(&self) -> usize {
        self.ground.links.len()
    }

    fn transfer(
        &self,
        collective: &CollectiveCall<'_>,
        phase: u8,
        sends: &[(usize, &[u8])],
        receives: &mut [Receive<'_>],
    ) -> Result<()> {
        self.check(collective, sends.iter().map(|(to, _)| *to))?;
        self.check(collective, receives.iter().map(|receive| receive.from))?;
        self.run(collective, phase, chunk(0), sends, &mut Apart(receives))
    }

    fn fold(
        &self,
        collective: &CollectiveCall<'_>,
        phase: u8,
        group: &[usize],
        sends: &[(usize, &[u8])],
        into: &mut [u8],
        combine: Combine<'_>,
    ) -> Result<()> {
        let place = collectives::check_fold(self, collective, group, into, combine)?;
        self.check(collective, sends.iter().map(|(to, _)| *to))?;
        let chunk = chunk(combine.element);
        if !chunk.is_multiple_of(combine.element) {
            // Elements larger than a piece.
            return collectives::fold(self, collective, phase, group, sends, into, combine);
        }
        self.run(collective, phase, chunk, sends, &mut Folded::new(group, place, into, combine, chunk))
    }

    fn witness(&self, witness: Weak<dyn Witness>) {
        self.ground.watch.add(witness);
    }

    fn abort(&self, reason: &str) {
        self.fail(Cause::new(self.ground.rank, format!("failed: {reason}")));
    }

    fn close(&self) -> Result<()> {
        if let Some(cause) = self.failure.cause() {
            return Err(Error::environment(cause.to_string()).op("close"));
        }
        if !self.closed.swap(true, AcqRel) {
            self.signals.goodbye();
            self.ground.bell.ring();
        }
        Ok(())
    }
}

impl Exchange for Mesh {}

impl Drop for Mesh {
    fn drop(&mut self) {
        if std::thread::panicking() && !self.closed.load(Acquire) {
            self.abort("its thread panicked");
        }
        // After a failure the others know already.
        let _ = self.close();
    }
}

//! The form for many hosts: messages by MPI, which a cluster's launcher (`mpirun`, `srun`) starts the processes with.
//!
//! Every message begins with a header in a message of MPI of its own; a small one is whole there, a larger one follows in pieces under a tag
//! that its header names. So messages never meet by a hash of their names, and one that nobody asks for holds up no other. MPI reads and
//! writes memory of this module alone, which outlives a failure.
//!
//! One thread says to all ranks, ten times in [`Patience::silence`], that this one lives. A rank that stops answering is named; one that ends
//! makes the launcher end all.

mod world;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result};

use crate::collectives;
use crate::exchange::Exchange;
use crate::exit::closed_at_exit;
use crate::failure::{Cause, Failure, desertion};
use crate::frame::{Head, Kind, Name, Read};
use crate::lock::held;
use crate::messages::{CollectiveCall, Combine, Messages, Receive, ReceiveInto};
use crate::patience::Patience;
use crate::standing::{Report, Watch, Witness};
use world::{Passing, World};

/// The tag of headers.
const HEADERS: i32 = 0;
/// The tags of pieces are those from 1 to this one, which every MPI has.
const MOST_TAG: u32 = 32_767;
/// The longest message that goes with its header.
const SMALL: usize = 16 << 10;
/// The longest piece.
const PIECE: usize = 1 << 20;
/// The pieces of a message that are on their way at once.
const WINDOW: usize = 4;
/// The bytes of a header.
const HEADER: usize = 64;
/// Turns without progress before a thread sleeps.
const YIELDS: u32 = 200;
/// The time that it sleeps.
const NAP: Duration = Duration::from_micros(50);

/// A message that has come, or its length and the tag of its pieces.
enum Arrival {
    Whole(Vec<u8>),
    Pieces { length: usize, tag: i32 },
}

struct State {
    world: World,
    arrived: HashMap<(usize, Name), VecDeque<Arrival>>,
    /// When a rank was last heard, and whether it has said goodbye.
    heard: Vec<Instant>,
    left: Vec<bool>,
    /// Headers on their way.
    passing: Vec<Passing>,
    /// The number of messages in pieces so far, by receiver.
    numbers: Vec<u32>,
    /// The messages sent to and received from each rank.
    passed: Vec<Passed>,
    /// The turns that have brought progress.
    news: u64,
}

/// The messages to and from a rank.
#[derive(Clone, Copy, Default)]
struct Passed {
    /// Headers of messages.
    sent: u32,
    read: u32,
    /// The sum of a number of each message in pieces that has gone or come.
    whole_sent: u32,
    whole_read: u32,
}

/// A number of the message whose pieces have this tag, of which no sum of a few is that of a few others.
fn mixed(tag: i32) -> u32 {
    let mixed = (tag as u32).wrapping_mul(0x9e37_79b1);
    (mixed ^ (mixed >> 15)).wrapping_mul(0x85eb_ca77)
}

/// A rank of MPI's world.
pub(crate) struct Mpi(Arc<Shared>, Mutex<Option<std::thread::JoinHandle<()>>>);

struct Shared {
    rank: usize,
    size: usize,
    state: Mutex<State>,
    failure: Failure,
    closed: AtomicBool,
    patience: Patience,
    watch: Watch,
}

/// Whether a launcher of MPI has started this process.
pub(crate) fn is_launched() -> bool {
    ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"].iter().any(|name| std::env::var_os(name).is_some())
}

/// Joins the processes that a launcher of MPI has started: returns when all have.
///
/// # Errors
/// MPI refuses, or was begun before in this process.
pub fn mpi(patience: &Patience) -> Result<Arc<dyn Exchange>> {
    let world = World::begin()?;
    let (rank, size) = (world.rank, world.size);
    let state = State {
        world,
        arrived: HashMap::new(),
        heard: vec![Instant::now(); size],
        left: vec![false; size],
        passing: Vec::new(),
        numbers: vec![0; size],
        passed: vec![Passed::default(); size],
        news: 0,
    };
    let shared = Arc::new(Shared {
        rank,
        size,
        state: Mutex::new(state),
        failure: Failure::default(),
        closed: AtomicBool::new(false),
        patience: *patience,
        watch: Watch::default(),
    });
    let beating = shared.clone();
    let thread = std::thread::Builder::new()
        .name("jarrah-exchange".into())
        .spawn(move || beating.beat())
        .map_err(|e| Error::environment(format!("cannot start the thread of the exchange: {e}")))?;
    Ok(closed_at_exit(Arc::new(Mpi(shared, Mutex::new(Some(thread))))))
}

/// The header of a message.
fn header(kind: Kind, name: Name, value: u64, length: usize) -> Vec<u8> {
    let words = Head { kind, name, value, length: length as u32 }.encode(0, 0);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

impl Shared {
    /// Ends the exchange, unless it has ended before, and tells all others.
    fn fail(&self, state: &mut State, cause: Cause) {
        if !self.failure.set(cause.clone()) {
            return;
        }
        for to in (0..self.size).filter(|&to| to != self.rank) {
            let mut bytes = header(Kind::Abort, Name::default(), cause.rank as u64, cause.fault.len());
            bytes.extend_from_slice(cause.fault.as_bytes());
            // A rank that cannot be told finds out by itself.
            if let Ok(passing) = state.world.send(to, HEADERS, bytes) {
                state.passing.push(passing);
            }
        }
    }

    fn error(&self, collective: &CollectiveCall<'_>) -> Error {
        collective.failed(self.rank, self.failure.cause())
    }

    /// Sorts the headers that have come; whether there were messages among them.
    fn sort(&self, state: &mut State) -> Result<bool, Cause> {
        let own = |error: Error| Cause::new(self.rank, format!("failed: {error}"));
        let mut any = false;
        while let Some((from, mut bytes)) = state.world.next(HEADERS).map_err(own)? {
            let faulty = || Cause::new(from, "is faulty: it sent bytes that are no message");
            let body = bytes.split_off(HEADER.min(bytes.len()));
            let words: Vec<u64> =
                bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
            let words = words.try_into().map_err(|_| faulty())?;
            let Read { head, .. } = Head::decode(&words).ok_or_else(faulty)?;
            if head.length as usize != body.len() {
                return Err(faulty());
            }
            state.heard[from] = Instant::now();
            let arrival = match head.kind {
                Kind::Eager => Arrival::Whole(body),
                Kind::Offer => Arrival::Pieces {
                    length: usize::try_from(head.value).map_err(|_| faulty())?,
                    tag: i32::from_le_bytes(body.try_into().map_err(|_| faulty())?),
                },
                Kind::Beat => continue,
                Kind::Goodbye => {
                    state.left[from] = true;
                    continue;
                }
                Kind::Abort => {
                    let rank = usize::try_from(head.value).ok().filter(|&rank| rank < self.size);
                    let fault = String::from_utf8_lossy(&body).into_owned();
                    let cause = Cause::new(rank.ok_or_else(faulty)?, jarrah_base::visible(&fault));
                    self.failure.set(Cause { told_by: Some(from), ..cause });
                    continue;
                }
                Kind::Question => {
                    self.watch.ask();
                    continue;
                }
                Kind::Standing => {
                    let report = Report::decode(&body, self.size).ok_or_else(faulty)?;
                    self.watch.heard(from, report);
                    continue;
                }
                Kind::Grant | Kind::Credit | Kind::Data => return Err(faulty()),
            };
            any = true;
            state.news += 1;
            state.passed[from].read = state.passed[from].read.wrapping_add(1);
            state.arrived.entry((from, head.name)).or_default().push_back(arrival);
        }
        let mut sent = Ok(());
        let world = &mut state.world;
        state.passing.retain_mut(|passing| match world.is_done(passing, false) {
            Ok(done) => !done,
            Err(error) => {
                sent = Err(own(error));
                true
            }
        });
        sent.map(|()| any)
    }

    /// Says that this rank lives, and looks whether the others do, until the exchange ends.
    fn beat(&self) {
        let pause = self.patience.silence / 10;
        // Beats that a rank has not taken are not sent again.
        let mut beats: Vec<Option<Passing>> = (0..self.size).map(|_| None).collect();
        while !self.closed.load(Acquire) && !self.failure.happened() {
            let mut guard = held(&self.state);
            let state = &mut *guard;
            if let Err(cause) = self.sort(state) {
                self.fail(state, cause);
            }
            // A rank that has said goodbye waits for the goodbye of this one, and has to know that it lives.
            let stalled = self.watch.is_stalled();
            let kind = if stalled { Kind::Question } else { Kind::Beat };
            for to in (0..self.size).filter(|&to| to != self.rank) {
                let passed = match &mut beats[to] {
                    Some(beat) => state.world.is_done(beat, false).unwrap_or(false),
                    None => true,
                };
                if passed {
                    beats[to] = state.world.send(to, HEADERS, header(kind, Name::default(), 0, 0)).ok();
                }
            }
            if self.watch.was_asked() || stalled {
                self.report(state, stalled);
            }
            let silent = |&rank: &usize| {
                rank != self.rank && !state.left[rank] && state.heard[rank].elapsed() > self.patience.silence
            };
            if let Some(rank) = (0..self.size).find(silent) {
                let seconds = self.patience.silence.as_secs_f64();
                self.fail(state, Cause::new(rank, format!("is lost: no sign of life for {seconds} s")));
            }
            drop(guard);
            std::thread::sleep(pause);
        }
        held(&self.state).passing.extend(beats.into_iter().flatten());
    }
}

impl Shared {
    /// Tells the others where this rank stands, and ends the exchange if a run goes on never.
    fn report(&self, state: &mut State, stalled: bool) {
        let both = |headers: u32, wholes: u32| u64::from(headers) << 32 | u64::from(wholes);
        let pair = |p: &Passed| (both(p.sent, p.whole_sent), both(p.read, p.whole_read));
        let report = self.watch.report(|| state.passed.iter().map(pair).collect(), || state.news);
        let Some(report) = report else { return };
        if let Some(body) = report.encode() {
            for to in (0..self.size).filter(|&to| to != self.rank) {
                let mut bytes = header(Kind::Standing, Name::default(), 0, body.len());
                bytes.extend_from_slice(&body);
                // A rank that cannot be told is lost, and named as that.
                if let Ok(passing) = state.world.send(to, HEADERS, bytes) {
                    state.passing.push(passing);
                }
            }
        }
        let verdict = || self.watch.verdict(self.rank, report, &state.left);
        if let Some(cause) = stalled.then(verdict).flatten() {
            self.fail(state, cause);
        }
    }
}

/// A message on its way out.
struct Sending<'t> {
    to: usize,
    bytes: &'t [u8],
    begun: bool,
    at: usize,
    tag: i32,
    pieces: VecDeque<Passing>,
}

/// A message on its way in.
struct Receiving {
    from: usize,
    /// The length and the tag of its pieces, once its header has come.
    follows: Option<(usize, i32)>,
    asked: usize,
    pieces: VecDeque<Passing>,
    done: bool,
}

/// The messages of a transfer.
struct Transfer<'t> {
    name: Name,
    sending: Vec<Sending<'t>>,
    receiving: Vec<Receiving>,
}

impl Transfer<'_> {
    fn is_done(&self) -> bool {
        let is_out =
            |send: &Sending<'_>| !send.begun || send.at < send.bytes.len() || !send.pieces.is_empty();
        !self.sending.iter().any(is_out) && self.receiving.iter().all(|receive| receive.done)
    }

    /// Whether nothing but a message of another rank can bring progress.
    fn only_waits(&self) -> bool {
        self.receiving.iter().all(|receive| receive.done || receive.follows.is_none())
    }

    /// A rank that has left and takes or sends nothing more: its goodbye comes behind all that it has sent.
    fn deserted(&self, left: &[bool]) -> Option<usize> {
        let waits = |receive: &&Receiving| !receive.done && receive.follows.is_none() && left[receive.from];
        let sends = |send: &&Sending<'_>| !send.pieces.is_empty() && left[send.to];
        let from = self.receiving.iter().find(waits).map(|receive| receive.from);
        from.or_else(|| self.sending.iter().find(sends).map(|send| send.to))
    }
}

impl Sending<'_> {
    /// Sends as far as there is room: whether that was anything.
    fn advance(&mut self, state: &mut State, name: Name) -> Result<bool> {
        let mut any = !self.begun;
        if !self.begun {
            self.begun = true;
            let length = self.bytes.len();
            let bytes = if length <= SMALL {
                self.at = length;
                let mut bytes = header(Kind::Eager, name, 0, length);
                bytes.extend_from_slice(self.bytes);
                bytes
            } else {
                let number = &mut state.numbers[self.to];
                self.tag = (*number % MOST_TAG + 1) as i32;
                *number = number.wrapping_add(1);
                let mut bytes = header(Kind::Offer, name, length as u64, 4);
                bytes.extend_from_slice(&self.tag.to_le_bytes());
                bytes
            };
            let passing = state.world.send(self.to, HEADERS, bytes)?;
            state.passing.push(passing);
            state.passed[self.to].sent = state.passed[self.to].sent.wrapping_add(1);
        }
        while self.pieces.len() < WINDOW && self.at < self.bytes.len() {
            let piece = &self.bytes[self.at..][..PIECE.min(self.bytes.len() - self.at)];
            self.at += piece.len();
            self.pieces.push_back(state.world.send_taken(self.to, self.tag, piece.to_vec())?);
            any = true;
        }
        while let Some(piece) = self.pieces.front_mut() {
            if !state.world.is_done(piece, false)? {
                break;
            }
            self.pieces.pop_front();
            any = true;
            if self.at == self.bytes.len() && self.pieces.is_empty() {
                let passed = &mut state.passed[self.to];
                passed.whole_sent = passed.whole_sent.wrapping_add(mixed(self.tag));
            }
        }
        Ok(any)
    }
}

impl Receiving {
    /// Takes the header, or the message if it is whole there: whether it has come. `own` is at fault for a wrong length.
    fn begin(
        &mut self,
        state: &mut State,
        name: Name,
        into: &mut ReceiveInto<'_>,
        own: usize,
    ) -> Result<bool, Cause> {
        let key = (self.from, name);
        let Some(queue) = state.arrived.get_mut(&key) else { return Ok(false) };
        let arrival = queue.pop_front();
        if queue.is_empty() {
            state.arrived.remove(&key);
        }
        let Some(arrival) = arrival else { return Ok(false) };
        let length = match &arrival {
            Arrival::Whole(bytes) => bytes.len(),
            Arrival::Pieces { length, .. } => *length,
        };
        match (into, arrival) {
            (ReceiveInto::Exact(into), _) if into.len() != length => {
                let (expected, from) = (into.len(), self.from);
                let fault = format!("expects {expected} bytes of process {from}, which sends {length}");
                return Err(Cause::new(own, fault));
            }
            (into, Arrival::Whole(bytes)) => {
                put(into, 0, &bytes);
                self.done = true;
            }
            (_, Arrival::Pieces { length, tag }) => self.follows = Some((length, tag)),
        }
        Ok(true)
    }

    /// Takes the pieces that have come: whether there were any.
    fn advance(&mut self, state: &mut State, into: &mut ReceiveInto<'_>) -> Result<bool> {
        let Some((length, tag)) = self.follows.filter(|_| !self.done) else { return Ok(false) };
        let mut any = false;
        while self.pieces.len() < WINDOW && self.asked < length {
            let piece = vec![0; PIECE.min(length - self.asked)];
            self.asked += piece.len();
            self.pieces.push_back(state.world.receive(self.from, tag, piece)?);
            any = true;
        }
        while let Some(piece) = self.pieces.front_mut() {
            if !state.world.is_done(piece, true)? {
                break;
            }
            let waiting: usize = self.pieces.iter().map(|piece| piece.bytes().len()).sum();
            if let Some(piece) = self.pieces.pop_front() {
                put(into, self.asked - waiting, piece.bytes());
            }
            any = true;
        }
        self.done = self.asked == length && self.pieces.is_empty();
        if self.done {
            let passed = &mut state.passed[self.from];
            passed.whole_read = passed.whole_read.wrapping_add(mixed(tag));
        }
        Ok(any)
    }
}

/// Puts the bytes that a message has from `at` on to their place.
fn put(into: &mut ReceiveInto<'_>, at: usize, bytes: &[u8]) {
    match into {
        ReceiveInto::Exact(into) => into[at..][..bytes.len()].copy_from_slice(bytes),
        ReceiveInto::Any(into) => into.extend_from_slice(bytes),
    }
}

impl Mpi {
    /// One turn of a transfer: whether anything was done, and whether it was for the transfer.
    fn turn(
        &self,
        state: &mut State,
        transfer: &mut Transfer<'_>,
        receives: &mut [Receive<'_>],
    ) -> Result<(bool, bool), Cause> {
        let own = self.0.rank;
        let failed = |error: Error| Cause::new(own, format!("failed: {error}"));
        let (sorted, mut any) = (self.0.sort(state)?, false);
        for send in &mut transfer.sending {
            any |= send.advance(state, transfer.name).map_err(failed)?;
        }
        for (receive, into) in transfer.receiving.iter_mut().zip(receives) {
            if receive.follows.is_none() && !receive.done {
                any |= receive.begin(state, transfer.name, &mut into.into, own)?;
            }
            any |= receive.advance(state, &mut into.into).map_err(failed)?;
        }
        Ok((sorted || any, any))
    }
}

impl Messages for Mpi {
    fn rank(&self) -> usize {
        self.0.rank
    }

    fn size(&self) -> usize {
        self.0.size
    }

    fn transfer(
        &self,
        collective: &CollectiveCall<'_>,
        phase: u8,
        sends: &[(usize, &[u8])],
        receives: &mut [Receive<'_>],
    ) -> Result<()> {
        let ranks = (self.0.rank, self.0.size);
        collective.check_ranks(ranks, sends.iter().map(|(to, _)| *to))?;
        collective.check_ranks(ranks, receives.iter().map(|receive| receive.from))?;
        let sending =
            |&(to, bytes)| Sending { to, bytes, begun: false, at: 0, tag: 0, pieces: VecDeque::new() };
        let receiving = |receive: &Receive<'_>| Receiving {
            from: receive.from,
            follows: None,
            asked: 0,
            pieces: VecDeque::new(),
            done: false,
        };
        let mut transfer = Transfer {
            name: Name { tag: collective.tag, phase },
            sending: sends.iter().map(sending).collect(),
            receiving: receives.iter().map(receiving).collect(),
        };
        let (mut idle, mut watched) = (0, None);
        loop {
            if self.0.failure.happened() || self.0.closed.load(Acquire) {
                return Err(self.0.error(collective));
            }
            let mut guard = held(&self.0.state);
            let state = &mut *guard;
            let turn = self.turn(state, &mut transfer, receives);
            state.news += u64::from(matches!(turn, Ok((_, true))));
            match turn {
                Ok(_) if transfer.is_done() => return Ok(()),
                Ok((any, own)) => {
                    if own {
                        watched = None;
                    }
                    if any {
                        idle = 0;
                        continue;
                    }
                }
                Err(cause) => {
                    self.0.fail(state, cause);
                    continue;
                }
            }
            if let Some(rank) = transfer.deserted(&state.left) {
                self.0.fail(state, desertion(rank));
                continue;
            }
            idle += 1;
            if idle <= YIELDS {
                drop(guard);
                std::thread::yield_now();
            } else {
                let watched = watched.get_or_insert_with(|| self.0.watch.waits(collective.tag));
                if transfer.only_waits() {
                    watched.sleeps(state.news);
                }
                drop(guard);
                std::thread::sleep(NAP);
                let _looking = held(&self.0.state);
                watched.wakes();
            }
        }
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
        collectives::fold(self, collective, phase, group, sends, into, combine)
    }

    fn witness(&self, witness: Weak<dyn Witness>) {
        self.0.watch.add(witness);
    }

    fn abort(&self, reason: &str) {
        let cause = Cause::new(self.0.rank, format!("failed: {reason}"));
        self.0.fail(&mut held(&self.0.state), cause);
    }

    /// MPI ends in all processes at once: waits until all have said goodbye.
    fn close(&self) -> Result<()> {
        let failed = || self.0.failure.cause().map(|cause| Error::environment(cause.to_string()).op("close"));
        if let Some(error) = failed() {
            return Err(error);
        }
        if self.0.closed.swap(true, AcqRel) {
            return Ok(());
        }
        if let Some(thread) = held(&self.1).take() {
            // A panic of the thread is not passed on: the exchange ends in any case.
            let _ = thread.join();
        }
        for to in (0..self.0.size).filter(|&to| to != self.0.rank) {
            let mut state = held(&self.0.state);
            let passing = state.world.send(to, HEADERS, header(Kind::Goodbye, Name::default(), 0, 0))?;
            state.passing.push(passing);
        }
        loop {
            if let Some(error) = failed() {
                return Err(error);
            }
            let mut guard = held(&self.0.state);
            let state = &mut *guard;
            if let Err(cause) = self.0.sort(state) {
                self.0.fail(state, cause);
            }
            let mut others = (0..self.0.size).filter(|&rank| rank != self.0.rank);
            if state.passing.is_empty() && others.clone().all(|rank| state.left[rank]) {
                return state.world.end();
            }
            // A rank that has not said goodbye still sends signs of life.
            let silent =
                |rank: &usize| !state.left[*rank] && state.heard[*rank].elapsed() > self.0.patience.silence;
            if let Some(rank) = others.find(silent) {
                return Err(Error::environment(format!("process {rank} is lost: it has not said goodbye"))
                    .op("close"));
            }
            drop(guard);
            std::thread::sleep(NAP);
        }
    }
}

impl Exchange for Mpi {}

impl Drop for Mpi {
    fn drop(&mut self) {
        if std::thread::panicking() && !self.0.closed.load(Acquire) {
            self.abort("its thread panicked");
        }
        // After a failure the others know already, and MPI is not ended: the launcher ends all.
        let _ = self.close();
        self.0.closed.store(true, Release);
    }
}

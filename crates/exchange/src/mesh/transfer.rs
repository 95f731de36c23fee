//! One call of a transfer: messages out and messages in, until all are done or the exchange fails.
//!
//! **Order of lanes.** Each peer has one ring for large messages to this process, which one message at a time may use. A transfer
//! takes the rings of all its large messages at once, and only when all their senders have offered them: no transfer holds a ring
//! while it waits for a sender or for another ring, so none waits in a circle.

use std::cmp::min;

use crate::failure::Cause;
use crate::frame::{Head, Kind, Name};
use crate::lock::held;
use crate::mesh::intake::{Intake, Stream, TURN};
use crate::mesh::link::{Arrival, EAGER, Link};
use crate::ring::Garbage;

/// How far a message to a peer is.
enum Sending {
    Start,
    Offered(u64),
    Streaming(usize),
    Done,
}

/// How far a message from a peer is.
#[derive(Clone, Copy, PartialEq)]
enum Receiving {
    Waiting,
    Offered {
        number: u64,
        length: usize,
    },
    /// The ring is this transfer's, and the grant is to be sent.
    Holding {
        number: u64,
    },
    Streaming,
    Done,
}

/// A transfer on its way.
pub(crate) struct Transfer<'t> {
    name: Name,
    chunk: usize,
    sends: &'t [(usize, &'t [u8])],
    sending: Vec<Sending>,
    senders: Vec<usize>,
    receiving: Vec<Receiving>,
    streams: Vec<Option<Stream>>,
    intake: &'t mut dyn Intake,
}

/// The fault of a peer that wrote garbage.
pub(crate) fn garbage(rank: usize) -> impl Fn(Garbage) -> Cause {
    move |Garbage(sent)| Cause::new(rank, format!("is faulty: it wrote {sent}"))
}

impl<'t> Transfer<'t> {
    pub(crate) fn new(
        name: Name,
        chunk: usize,
        sends: &'t [(usize, &'t [u8])],
        intake: &'t mut dyn Intake,
    ) -> Self {
        let senders = intake.senders();
        Transfer {
            name,
            chunk,
            sends,
            sending: sends.iter().map(|_| Sending::Start).collect(),
            receiving: vec![Receiving::Waiting; senders.len()],
            streams: senders.iter().map(|_| None).collect(),
            senders,
            intake,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.sending.iter().all(|send| matches!(send, Sending::Done))
            && self.receiving.iter().all(|receive| *receive == Receiving::Done)
            && !self.intake.is_pending()
    }

    /// Whether nothing but a frame of another rank can bring progress: messages are awaited, or offered and not granted.
    pub(crate) fn only_waits(&self) -> bool {
        let sends = self.sending.iter().all(|send| matches!(send, Sending::Done | Sending::Offered(_)));
        // A message that is offered waits for the others, or for a ring of this process if there are no others.
        let receives = self.receiving.iter().all(|receive| {
            matches!(receive, Receiving::Done | Receiving::Waiting | Receiving::Offered { .. })
        });
        let hears = self.receiving.iter().any(|receive| matches!(receive, Receiving::Offered { .. }))
            && !self.receiving.contains(&Receiving::Waiting);
        sends && receives && !hears
    }

    /// The ranks that this transfer has messages to or from.
    pub(crate) fn peers(&self) -> Vec<usize> {
        let mut peers: Vec<_> = self.sends.iter().map(|(to, _)| *to).chain(self.senders.clone()).collect();
        peers.sort_unstable();
        peers.dedup();
        peers
    }

    /// Does all that can be done without waiting: whether that was anything.
    ///
    /// `lanes` says which peers' rings of large messages are in use; `own` is this process's rank, at fault for a wrong length.
    pub(crate) fn advance(
        &mut self,
        links: &[Option<Link>],
        lanes: &std::sync::Mutex<Vec<bool>>,
        own: usize,
    ) -> Result<Progress, Cause> {
        let mut progress = Progress::default();
        for i in 0..self.sends.len() {
            let rank = self.sends[i].0;
            progress.any |= self.send(i, link(links, rank)).map_err(garbage(rank))?;
        }
        for i in 0..self.senders.len() {
            progress.any |= self.receive(i, link(links, self.senders[i]), own)?;
        }
        progress.any |= self.hold(lanes);
        let of_senders: Vec<&Link> = self.senders.iter().map(|&rank| link(links, rank)).collect();
        let drained = self.intake.drain(&of_senders, &mut self.streams);
        progress.any |= drained.map_err(|(i, sent)| garbage(self.senders[i])(sent))?;
        for i in 0..self.senders.len() {
            if self.receiving[i] == Receiving::Streaming
                && self.streams[i].as_ref().is_some_and(Stream::is_done)
            {
                self.receiving[i] = Receiving::Done;
                held(lanes)[self.senders[i]] = false;
                (progress.any, progress.freed) = (true, true);
            }
        }
        Ok(progress)
    }

    fn send(&mut self, i: usize, link: &Link) -> Result<bool, Garbage> {
        let bytes = self.sends[i].1;
        let next = match &mut self.sending[i] {
            Sending::Done => return Ok(false),
            Sending::Start if link.send_whole(self.name, bytes)? => Sending::Done,
            Sending::Start => match link.offer(self.name, bytes.len())? {
                Some(number) => Sending::Offered(number),
                None => return Ok(false),
            },
            Sending::Offered(number) if link.take_grant(*number) => Sending::Streaming(0),
            Sending::Offered(_) => return Ok(false),
            Sending::Streaming(at) => {
                let start = *at;
                let mut ring = held(&link.bulk_out);
                for _ in 0..TURN {
                    let piece = &bytes[*at..][..min(self.chunk, bytes.len() - *at)];
                    let length = piece.len() as u32;
                    let head = Head { kind: Kind::Data, name: self.name, value: *at as u64, length };
                    if piece.is_empty() || ring.push(&head, piece)?.is_none() {
                        break;
                    }
                    link.bell.ring();
                    *at += piece.len();
                }
                match *at == bytes.len() {
                    true => Sending::Done,
                    false => return Ok(*at > start),
                }
            }
        };
        self.sending[i] = next;
        Ok(true)
    }

    fn receive(&mut self, i: usize, link: &Link, own: usize) -> Result<bool, Cause> {
        let from = self.senders[i];
        let check = |length: u64, expected: Option<usize>| match expected {
            Some(expected) if expected as u64 != length => Err(Cause::new(
                own,
                format!("expects {expected} bytes of process {from}, which sends {length}"),
            )),
            _ => Ok(length as usize),
        };
        match self.receiving[i] {
            Receiving::Waiting => match link.take(&self.name).map_err(garbage(from))? {
                None => return Ok(false),
                Some(Arrival::Whole(bytes)) => {
                    check(bytes.len() as u64, self.intake.expected(i))?;
                    self.intake.whole(i, bytes);
                    self.receiving[i] = Receiving::Done;
                }
                Some(Arrival::Offer { number, length }) => {
                    let length = check(length, self.intake.expected(i))?;
                    self.receiving[i] = Receiving::Offered { number, length };
                }
            },
            Receiving::Holding { number } if link.grant(self.name, number).map_err(garbage(from))? => {
                self.receiving[i] = Receiving::Streaming;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes the rings of all large messages, once all messages are here or offered and the rings are free.
    fn hold(&mut self, lanes: &std::sync::Mutex<Vec<bool>>) -> bool {
        let is_offered = |receive: &Receiving| matches!(receive, Receiving::Offered { .. });
        if !self.receiving.iter().any(is_offered) || self.receiving.contains(&Receiving::Waiting) {
            return false;
        }
        let mut lanes = held(lanes);
        let mut wanted = self.senders.iter().zip(&self.receiving).filter(|(_, receive)| is_offered(receive));
        if wanted.any(|(&rank, _)| lanes[rank]) {
            return false;
        }
        for (i, receive) in self.receiving.iter_mut().enumerate() {
            if let Receiving::Offered { number, length } = *receive {
                lanes[self.senders[i]] = true;
                // Only now: until then the pieces in the ring are another message's.
                self.streams[i] = Some(Stream::new(self.name, length, self.chunk));
                *receive = Receiving::Holding { number };
            }
        }
        true
    }

    /// A peer that has left and takes nothing more.
    pub(crate) fn refuses(&self, left: &[bool]) -> Option<usize> {
        let waits = |(_, send): &(_, &Sending)| !matches!(send, Sending::Done);
        self.sends.iter().zip(&self.sending).filter(waits).map(|((to, _), _)| *to).find(|to| left[*to])
    }

    /// A peer that has left and from which nothing more can come: to be asked after a turn without progress, of the peers that had left
    /// before it.
    pub(crate) fn deserted(&self, links: &[Option<Link>], left: &[bool]) -> Result<Option<usize>, Cause> {
        for (i, &from) in self.senders.iter().enumerate().filter(|(_, from)| left[**from]) {
            let has_more = match (self.receiving[i], &self.streams[i]) {
                (Receiving::Done, _) => true,
                (Receiving::Streaming, Some(stream)) => {
                    stream.next(link(links, from)).map_err(garbage(from))?.is_some()
                }
                _ => false,
            };
            if !has_more {
                return Ok(Some(from));
            }
        }
        Ok(None)
    }
}

/// The outcome of a turn.
#[derive(Default)]
pub(crate) struct Progress {
    /// Something was done.
    pub any: bool,
    /// A ring for large messages is free again, for which other threads may wait.
    pub freed: bool,
}

/// The link to a rank that the caller has checked to be another's.
pub(crate) fn link(links: &[Option<Link>], rank: usize) -> &Link {
    links[rank].as_ref().expect("invariant: there is a link to every other rank")
}

/// The longest piece of a message, for elements of this many bytes.
pub(crate) fn chunk(element: usize) -> usize {
    /// Half of a second-level cache, so that a piece is read where it was written.
    const CHUNK: usize = 128 << 10;
    const { assert!(CHUNK > EAGER) };
    match element {
        0 => CHUNK,
        element => (CHUNK - CHUNK % element).max(EAGER),
    }
}

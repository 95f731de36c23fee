//! The receiving half of a transfer: messages that stay apart, and messages that are combined piece by piece as they come.

use std::cmp::min;

use crate::frame::{Kind, Name};
use crate::lock::held;
use crate::mesh::link::Link;
use crate::messages::{Combine, Receive, ReceiveInto};
use crate::ring::Garbage;

/// The most frames that are read or written before the other half of a transfer has its turn.
pub(crate) const TURN: usize = 4;

/// A granted message on its way.
pub(crate) struct Stream {
    name: Name,
    total: usize,
    at: usize,
    chunk: usize,
}

impl Stream {
    pub(crate) fn new(name: Name, total: usize, chunk: usize) -> Self {
        Stream { name, total, at: 0, chunk }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at == self.total
    }

    /// The length of the next piece, if it has come.
    pub(crate) fn next(&self, link: &Link) -> Result<Option<usize>, Garbage> {
        let Some(head) = held(&link.bulk_in).peek()? else { return Ok(None) };
        let length = min(self.chunk, self.total - self.at);
        let expected = (Kind::Data, self.name, self.at as u64, length);
        match (head.kind, head.name, head.value, head.length as usize) == expected {
            true => Ok(Some(length)),
            false => Err(Garbage("a piece of another message")),
        }
    }

    /// Reads the piece that [`Stream::next`] saw.
    fn take(&mut self, link: &Link, into: &mut [u8]) -> Result<(), Garbage> {
        let mut ring = held(&link.bulk_in);
        ring.pop(into)?;
        let has_room = ring.is_half_empty();
        drop(ring);
        self.at += into.len();
        if has_room {
            link.bell.ring();
        }
        Ok(())
    }
}

/// The place of messages, each known by its index among the receives of a transfer.
pub(crate) trait Intake {
    /// The ranks that send.
    fn senders(&self) -> Vec<usize>;

    /// The length that the message must have; `None` for any.
    fn expected(&self, index: usize) -> Option<usize>;

    /// A small message has come.
    fn whole(&mut self, index: usize, bytes: Vec<u8>);

    /// Takes pieces of the streams as far as they have come: whether there were any.
    fn drain(&mut self, links: &[&Link], streams: &mut [Option<Stream>]) -> Result<bool, (usize, Garbage)>;

    /// Whether bytes that have come are still to be worked on.
    fn is_pending(&self) -> bool {
        false
    }
}

/// Messages that go to places of their own.
pub(crate) struct Apart<'r, 'a>(pub &'r mut [Receive<'a>]);

impl Intake for Apart<'_, '_> {
    fn senders(&self) -> Vec<usize> {
        self.0.iter().map(|receive| receive.from).collect()
    }

    fn expected(&self, index: usize) -> Option<usize> {
        match &self.0[index].into {
            ReceiveInto::Exact(bytes) => Some(bytes.len()),
            ReceiveInto::Any(_) => None,
        }
    }

    fn whole(&mut self, index: usize, bytes: Vec<u8>) {
        match &mut self.0[index].into {
            ReceiveInto::Exact(into) => into.copy_from_slice(&bytes),
            ReceiveInto::Any(into) => into.extend_from_slice(&bytes),
        }
    }

    fn drain(&mut self, links: &[&Link], streams: &mut [Option<Stream>]) -> Result<bool, (usize, Garbage)> {
        let mut any = false;
        for (i, (stream, link)) in streams.iter_mut().zip(links).enumerate() {
            let Some(stream) = stream else { continue };
            for _ in 0..TURN {
                if stream.is_done() {
                    break;
                }
                let Some(length) = stream.next(link).map_err(|garbage| (i, garbage))? else { break };
                any = true;
                let into = match &mut self.0[i].into {
                    ReceiveInto::Exact(into) => &mut into[stream.at..][..length],
                    // The vector grows with the bytes that have come, not by a length that a peer only claims.
                    ReceiveInto::Any(into) => {
                        let start = into.len();
                        into.resize(start + length, 0);
                        &mut into[start..]
                    }
                };
                stream.take(link, into).map_err(|garbage| (i, garbage))?;
            }
        }
        Ok(any)
    }
}

/// Messages of one length that are combined, with this process's part, in the order of a group.
pub(crate) struct Folded<'a> {
    /// For each member in order: the index of its message among the receives, or `None` for this process's part.
    members: Vec<(usize, Option<usize>)>,
    /// First this process's part, and from the start on the combination.
    into: &'a mut [u8],
    combine: Combine<'a>,
    chunk: usize,
    wholes: Vec<Option<Vec<u8>>>,
    scratch: Vec<u8>,
    /// This process's part of the piece at `at`, where the first member's takes its place.
    own: Vec<u8>,
    /// The bytes that all members were combined of, and the members that the piece behind them was combined of.
    at: usize,
    done: usize,
}

impl<'a> Folded<'a> {
    pub(crate) fn new(
        group: &[usize],
        place: usize,
        into: &'a mut [u8],
        combine: Combine<'a>,
        chunk: usize,
    ) -> Self {
        let index = |i: usize| (i != place).then(|| i - usize::from(i > place));
        let members = group.iter().enumerate().map(|(i, &rank)| (rank, index(i))).collect();
        let wholes = vec![None; group.len() - 1];
        let (scratch, own) = (Vec::new(), Vec::new());
        Folded { members, into, combine, chunk, wholes, scratch, own, at: 0, done: 0 }
    }
}

impl Intake for Folded<'_> {
    fn senders(&self) -> Vec<usize> {
        self.members.iter().filter(|(_, index)| index.is_some()).map(|(rank, _)| *rank).collect()
    }

    fn expected(&self, _: usize) -> Option<usize> {
        Some(self.into.len())
    }

    fn whole(&mut self, index: usize, bytes: Vec<u8>) {
        self.wholes[index] = Some(bytes);
    }

    fn drain(&mut self, links: &[&Link], streams: &mut [Option<Stream>]) -> Result<bool, (usize, Garbage)> {
        let mut any = false;
        let own = &mut self.own;
        for _ in 0..TURN * self.members.len() {
            let range = self.at..min(self.at + self.chunk, self.into.len());
            if range.is_empty() {
                break;
            }
            if own.is_empty() && self.members[0].1.is_some() {
                own.extend_from_slice(&self.into[range.clone()]);
            }
            let from = match self.members[self.done].1 {
                // As the first member, it stands there already.
                None if self.done == 0 => &[],
                None => &own[..],
                Some(i) => match (&self.wholes[i], &mut streams[i]) {
                    (Some(bytes), _) => &bytes[range.clone()],
                    (None, Some(stream)) => {
                        let Some(length) = stream.next(links[i]).map_err(|garbage| (i, garbage))? else {
                            break;
                        };
                        self.scratch.resize(length, 0);
                        stream.take(links[i], &mut self.scratch).map_err(|garbage| (i, garbage))?;
                        &self.scratch
                    }
                    (None, None) => break,
                },
            };
            any = true;
            let into = &mut self.into[range.clone()];
            if self.done > 0 {
                (self.combine.function)(into, from);
            } else if self.members[0].1.is_some() {
                into.copy_from_slice(from);
            }
            self.done += 1;
            if self.done == self.members.len() {
                (self.at, self.done) = (range.end, 0);
                own.clear();
            }
        }
        Ok(any)
    }

    fn is_pending(&self) -> bool {
        self.at < self.into.len()
    }
}

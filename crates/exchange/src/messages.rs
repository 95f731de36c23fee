//! The messages that every form of exchange gives, from which the collectives follow.

use std::sync::Weak;

use jarrah_base::{Error, Location, Result};

use crate::failure::Cause;
use crate::standing::Witness;
use crate::tag::Tag;

/// A collective as its members call it: the tag by which its messages meet, and the words by which errors describe it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CollectiveCall<'a> {
    /// The tag of its messages.
    pub tag: Tag,
    /// Its name in errors, such as `all_reduce`.
    pub name: &'a str,
    /// The source line that asks for it.
    pub location: Option<Location>,
}

impl<'a> CollectiveCall<'a> {
    /// The collective `name` with this tag, of no known source line.
    pub fn new(name: &'a str, tag: Tag) -> Self {
        CollectiveCall { tag, name, location: None }
    }

    /// The collective of this source line.
    pub fn at(self, location: Location) -> Self {
        CollectiveCall { location: Some(location), ..self }
    }
}

impl CollectiveCall<'_> {
    /// The error of the collective in a process, after a failure, or after the process has closed its exchange.
    pub(crate) fn failed(&self, process: usize, cause: Option<Cause>) -> Error {
        let cause = cause.map_or_else(|| "the exchange is closed".to_owned(), |cause| cause.to_string());
        let Tag { run, step, turn, .. } = self.tag;
        let place = match step {
            0 => format!("in {} (run {run}), in process {process}", self.name),
            _ => format!("in {}, step {step} of run {run}, turn {turn}, in process {process}", self.name),
        };
        let error = Error::environment(cause).op(self.name).context(place);
        match self.location {
            Some(location) => error.at(location),
            None => error,
        }
    }

    /// Checks that ranks are others than `own` among `size`, each at most once.
    pub(crate) fn check_ranks(
        &self,
        (own, size): (usize, usize),
        ranks: impl Iterator<Item = usize>,
    ) -> Result<()> {
        let mut seen = vec![false; size];
        for rank in ranks {
            let problem = match seen.get_mut(rank) {
                None => format!("there is no rank {rank} among {size}"),
                Some(_) if rank == own => format!("rank {rank} has a message for itself"),
                Some(seen) if *seen => format!("two messages of one transfer with rank {rank}"),
                Some(seen) => {
                    *seen = true;
                    continue;
                }
            };
            return Err(Error::program(problem).op(self.name));
        }
        Ok(())
    }
}

/// The place that a message goes to.
#[derive(Debug)]
pub enum ReceiveInto<'a> {
    /// Exactly these bytes; a message of another length is an error.
    Exact(&'a mut [u8]),
    /// The end of this vector; the length is the sender's choice.
    Any(&'a mut Vec<u8>),
}

/// A message to receive.
#[derive(Debug)]
pub struct Receive<'a> {
    /// The rank of the sender, another than the receiver's.
    pub from: usize,
    /// The place for its bytes.
    pub into: ReceiveInto<'a>,
}

/// Elements in bytes that are combined: `combine(into, from)` is `into = into + from` for each element, for whatever is meant by `+`.
#[derive(Clone, Copy)]
pub struct Combine<'a> {
    /// The bytes of an element: pieces begin and end between elements.
    pub element: usize,
    /// The function, of two slices of the same length, a multiple of `element`. It is called in pieces of any such length.
    pub function: &'a (dyn Fn(&mut [u8], &[u8]) + Sync),
}

/// The part of an exchange that each form has its own way of; see [`Exchange`](crate::Exchange) for what holds of all calls.
pub trait Messages: Send + Sync {
    /// This process's number, from zero.
    fn rank(&self) -> usize;

    /// The number of processes.
    fn size(&self) -> usize;

    /// Sends and receives messages to and from other ranks, all at once: no message waits for another of the same call.
    ///
    /// `phase` tells apart the messages of one collective; receives from one rank under one tag and phase meet its sends in order.
    fn transfer(
        &self,
        collective: &CollectiveCall<'_>,
        phase: u8,
        sends: &[(usize, &[u8])],
        receives: &mut [Receive<'_>],
    ) -> Result<()>;

    /// Sends messages to other members of the group, and combines those of all other members with `into`, all of the same length, in
    /// the order of the group: `into` holds this rank's part, and then the combination.
    fn fold(
        &self,
        collective: &CollectiveCall<'_>,
        phase: u8,
        group: &[usize],
        sends: &[(usize, &[u8])],
        into: &mut [u8],
        combine: Combine<'_>,
    ) -> Result<()>;

    /// Lets this witness say where the runs of this process stand, by which processes that wait for each other for ever are found.
    fn witness(&self, witness: Weak<dyn Witness>);

    /// Tells all ranks that this one cannot go on, and why: all their calls fail with `reason` and this rank.
    fn abort(&self, reason: &str);

    /// Says goodbye: the other ranks know that this one is done, not lost. Dropping an exchange does it, too.
    ///
    /// # Errors
    /// The exchange has failed before.
    fn close(&self) -> Result<()>;
}

//! The groups of a collective whose devices belong to several processes: which bytes each process needs of the others.
//!
//! One device of a process, the last of its group to come to the collective, exchanges messages with the other processes for all
//! of them, and puts the bytes into memory of its own, where the steps read them as those of devices of this process.

use std::ops::Range;
use std::sync::Arc;

use jarrah_base::Result;
use jarrah_exchange::{CollectiveCall, Receive, ReceiveInto};

use crate::address::{BackendAddress, Posted, Read, Seen};
use crate::backend::{AddressOf, Backend, BackendMemory, Frame};
use crate::processes::ProcessRun;
use crate::shared::full;

/// The phase of the messages of a collective.
const VALUES: u8 = 0;
/// Messages of at most so many bytes are sent as one.
const SMALL: usize = 16 << 10;

/// The processes of a group of devices, and the ranks of each.
pub(crate) struct Span {
    /// Each process with its ranks; processes and ranks increase.
    parties: Vec<(usize, Vec<usize>)>,
    /// The place of each rank where those of a process stand side by side.
    places: Vec<usize>,
}

/// A message: the bytes of some ranks, one after another.
type Message = Vec<(usize, Range<usize>)>;

impl Span {
    /// The processes of a group whose ranks belong to these.
    pub fn new(owners: &[usize]) -> Span {
        let mut processes = owners.to_vec();
        processes.sort_unstable();
        processes.dedup();
        let ranks = |process: usize| (0..owners.len()).filter(|&rank| owners[rank] == process).collect();
        let parties: Vec<(usize, Vec<usize>)> = processes.iter().map(|&p| (p, ranks(p))).collect();
        let mut places = vec![0; owners.len()];
        for (place, &rank) in parties.iter().flat_map(|(_, ranks)| ranks).enumerate() {
            places[rank] = place;
        }
        Span { parties, places }
    }

    /// Whether the devices belong to several processes.
    pub fn is_wide(&self) -> bool {
        self.parties.len() > 1
    }

    /// The place of a rank.
    pub fn place(&self, rank: usize) -> usize {
        self.places[rank]
    }

    /// The messages from one process to another, given the bytes of a rank that some ranks need.
    fn messages(
        from: &[usize],
        to: &[usize],
        needs: &dyn Fn(&[usize], usize) -> Range<usize>,
    ) -> Vec<Message> {
        let pieces = from.iter().map(|&rank| (rank, needs(to, rank))).filter(|(_, bytes)| !bytes.is_empty());
        let pieces: Message = pieces.collect();
        match pieces.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() {
            0 => Vec::new(),
            1..=SMALL => vec![pieces],
            _ => pieces.into_iter().map(|piece| vec![piece]).collect(),
        }
    }

    /// Brings the bytes that the ranks of this process need of those of the others. `seen` gets their places; they stay as long as the memory
    /// that is returned.
    ///
    /// `needs` says which bytes of a rank some ranks need.
    ///
    /// # Errors
    /// The exchange has failed; there is no memory left.
    pub fn fetch<D: Backend>(
        &self,
        frame: &Frame<'_, D>,
        run: &ProcessRun,
        call: &CollectiveCall<'_>,
        posted: &[Posted<AddressOf<D>>],
        read: Read,
        needs: &dyn Fn(&[usize], usize) -> Range<usize>,
    ) -> Result<(Arc<D::Memory>, Vec<Seen<AddressOf<D>>>)> {
        let own = run.own();
        let address = |rank: usize| match read {
            Read::Operands => posted[rank].0,
            Read::Results => posted[rank].1,
        };
        let mine = self.parties.iter().find(|(process, _)| *process == own);
        let mine: &[usize] = mine.map_or(&[], |(_, ranks)| ranks);
        let others = || self.parties.iter().filter(|(process, _)| *process != own);
        let sent: Vec<(usize, Vec<Message>)> =
            others().map(|(process, ranks)| (*process, Span::messages(mine, ranks, needs))).collect();
        let received: Vec<(usize, Vec<Message>)> =
            others().map(|(process, ranks)| (*process, Span::messages(ranks, mine, needs))).collect();
        let length = |message: &Message| message.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        let total = received.iter().flat_map(|(_, messages)| messages).map(length).sum();
        let mut staged = frame
            .device
            .take(total)
            .ok_or_else(|| full(total, &format!("the values of other processes in {}", call.name)))?;
        let rounds = sent.iter().chain(&received).map(|(_, messages)| messages.len()).max().unwrap_or(0);
        // The places in the memory, round by round and process by process.
        let mut places = Vec::new();
        frame.device.fill(&mut staged, total, &mut |mut rest| {
            let mut at = 0;
            for round in 0..rounds {
                let mut receives = Vec::new();
                for (from, message) in received.iter().filter_map(|(p, all)| Some((*p, all.get(round)?))) {
                    let (into, behind) = rest.split_at_mut(length(message));
                    rest = behind;
                    receives.push(Receive { from, into: ReceiveInto::Exact(into) });
                    for (rank, bytes) in message {
                        places.push((*rank, at, bytes.start));
                        at += bytes.len();
                    }
                }
                let piece = |(rank, bytes): &(usize, Range<usize>)| {
                    D::bytes(frame, address(*rank).plus(bytes.start), bytes.len())
                };
                let mut sends = Vec::new();
                for (to, message) in sent.iter().filter_map(|(p, all)| Some((*p, all.get(round)?))) {
                    let mut pieces = message.iter().map(piece).collect::<Result<Vec<_>>>()?;
                    let bytes = match pieces.len() {
                        1 => pieces.remove(0),
                        _ => pieces.concat().into(),
                    };
                    sends.push((to, bytes));
                }
                let sends: Vec<(usize, &[u8])> = sends.iter().map(|(to, bytes)| (*to, &**bytes)).collect();
                run.exchange.transfer(call, VALUES, &sends, &mut receives)?;
            }
            Ok(())
        })?;
        let base = staged.address();
        let mut seen: Vec<_> = (0..posted.len()).map(|rank| Seen::whole(address(rank))).collect();
        for (rank, at, start) in places {
            seen[rank] = Seen::copy(base.plus(at), start);
        }
        Ok((Arc::new(staged), seen))
    }
}

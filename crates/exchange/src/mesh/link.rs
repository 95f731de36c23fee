//! The rings between this process and one peer, and the mailbox of what has come from it.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};

use crate::bell::Bell;
use crate::frame::{Head, Kind, Name};
use crate::lock::held;
use crate::memory::Memory;
use crate::ring::{Garbage, Lane, Reader, Writer};

/// The longest message that is sent before the receiver asks for it.
pub(crate) const EAGER: usize = 16 << 10;
/// The bytes of small messages from one peer that may wait for their receivers.
const CREDIT: usize = 192 << 10;
/// The cost of a small message besides its payload.
const COST: usize = 128;
/// The offers of one peer that may wait: one for each of its threads that sends.
const OFFERS: usize = 1 << 14;

/// A message that has come, or that waits at its sender.
pub(crate) enum Arrival {
    Whole(Vec<u8>),
    Offer { number: u64, length: u64 },
}

/// The ring of small messages and control to the peer.
struct Outgoing {
    mail: Writer,
    credit: usize,
}

/// The ring of small messages and control from the peer, and what has come by it.
struct Incoming {
    mail: Reader,
    arrived: HashMap<Name, VecDeque<Arrival>>,
    /// The offers among the arrivals.
    offers: usize,
    /// The bytes of small messages among the arrivals, and those taken whose credit the peer does not have back yet.
    waiting: usize,
    owed: usize,
    /// Offers of this process that wait for a grant, and grants that wait for their sender.
    offered: HashSet<u64>,
    granted: HashSet<u64>,
}

/// A peer, as this process reaches it.
///
/// A thread that holds `incoming` may lock `outgoing`, never the reverse.
pub(crate) struct Link {
    outgoing: Mutex<Outgoing>,
    incoming: Mutex<Incoming>,
    pub bulk_out: Mutex<Writer>,
    pub bulk_in: Mutex<Reader>,
    /// The bell of the peer.
    pub bell: Bell,
    /// Whether the peer has said goodbye.
    pub left: Arc<AtomicBool>,
}

impl Link {
    /// The link over memory that this process writes and memory that the peer writes.
    pub(crate) fn new(mine: Arc<Memory>, peers: Arc<Memory>, bell: Bell) -> Self {
        Link {
            outgoing: Mutex::new(Outgoing { mail: Writer::new(&mine, &peers, Lane::Mail), credit: CREDIT }),
            incoming: Mutex::new(Incoming {
                mail: Reader::new(&mine, &peers, Lane::Mail),
                arrived: HashMap::new(),
                offers: 0,
                waiting: 0,
                owed: 0,
                offered: HashSet::new(),
                granted: HashSet::new(),
            }),
            bulk_out: Mutex::new(Writer::new(&mine, &peers, Lane::Bulk)),
            bulk_in: Mutex::new(Reader::new(&mine, &peers, Lane::Bulk)),
            bell,
            left: Arc::default(),
        }
    }

    /// The frames that were sent to the peer, and those that were read.
    pub(crate) fn frames(&self) -> (u64, u64) {
        // Two counts in one number: that of the mailbox and that of large messages.
        let both = |mail: u64, bulk: u64| mail << 32 ^ (bulk & 0xffff_ffff);
        let sent = both(held(&self.outgoing).mail.sent(), held(&self.bulk_out).sent());
        (sent, both(held(&self.incoming).mail.read(), held(&self.bulk_in).read()))
    }

    /// Sends a small message whole; false if the peer has no room for it now.
    pub(crate) fn send_whole(&self, name: Name, bytes: &[u8]) -> Result<bool, Garbage> {
        let cost = bytes.len() + COST;
        let mut outgoing = held(&self.outgoing);
        if bytes.len() > EAGER || outgoing.credit < cost {
            return Ok(false);
        }
        let head = Head { kind: Kind::Eager, name, value: 0, length: bytes.len() as u32 };
        if outgoing.mail.push(&head, bytes)?.is_none() {
            return Ok(false);
        }
        outgoing.credit -= cost;
        drop(outgoing);
        self.bell.ring();
        Ok(true)
    }

    /// Offers a message, and returns the number by which the grant will name it, or `None` if there is no room for the offer now.
    pub(crate) fn offer(&self, name: Name, length: usize) -> Result<Option<u64>, Garbage> {
        // Held until the number is noted, so that no grant comes before.
        let mut incoming = held(&self.incoming);
        let head = Head { kind: Kind::Offer, name, value: length as u64, length: 0 };
        let number = held(&self.outgoing).mail.push(&head, &[])?;
        if let Some(number) = number {
            incoming.offered.insert(number);
            self.bell.ring();
        }
        Ok(number)
    }

    /// Whether the peer has granted the offer; true once.
    pub(crate) fn take_grant(&self, number: u64) -> bool {
        held(&self.incoming).granted.remove(&number)
    }

    /// Grants an offer; false if there is no room for the grant now.
    pub(crate) fn grant(&self, name: Name, number: u64) -> Result<bool, Garbage> {
        let head = Head { kind: Kind::Grant, name, value: number, length: 0 };
        let sent = held(&self.outgoing).mail.push(&head, &[])?.is_some();
        if sent {
            self.bell.ring();
        }
        Ok(sent)
    }

    /// Takes the first arrival of this name.
    pub(crate) fn take(&self, name: &Name) -> Result<Option<Arrival>, Garbage> {
        let incoming = &mut *held(&self.incoming);
        let Some(queue) = incoming.arrived.get_mut(name) else { return Ok(None) };
        let arrival = queue.pop_front();
        if queue.is_empty() {
            incoming.arrived.remove(name);
        }
        match &arrival {
            Some(Arrival::Whole(bytes)) => incoming.owed += bytes.len() + COST,
            Some(Arrival::Offer { .. }) => incoming.offers -= 1,
            None => {}
        }
        if incoming.owed >= CREDIT / 4 {
            let head =
                Head { kind: Kind::Credit, name: Name::default(), value: incoming.owed as u64, length: 0 };
            if held(&self.outgoing).mail.push(&head, &[])?.is_some() {
                incoming.waiting -= incoming.owed;
                incoming.owed = 0;
                self.bell.ring();
            }
        }
        Ok(arrival)
    }

    /// Sorts the frames that have come; whether there were any. Then `news` changes before the frames count as read.
    pub(crate) fn pump(&self, news: &AtomicU64) -> Result<bool, Garbage> {
        let mut incoming = held(&self.incoming);
        let mut any = false;
        while let Some(head) = incoming.mail.peek()? {
            any = true;
            news.fetch_add(1, SeqCst);
            let mut payload = vec![0; head.length as usize];
            incoming.mail.pop(&mut payload)?;
            match head.kind {
                Kind::Eager => {
                    incoming.waiting += payload.len() + COST;
                    if payload.len() > EAGER || incoming.waiting > CREDIT {
                        return Err(Garbage("more than it was allowed"));
                    }
                    incoming.arrived.entry(head.name).or_default().push_back(Arrival::Whole(payload));
                }
                Kind::Offer => {
                    incoming.offers += 1;
                    if incoming.offers > OFFERS {
                        return Err(Garbage("more offers than it was allowed"));
                    }
                    // The ring counts the frames that were read, this one included.
                    let number = incoming.mail.read() - 1;
                    let offer = Arrival::Offer { number, length: head.value };
                    incoming.arrived.entry(head.name).or_default().push_back(offer);
                }
                Kind::Grant => {
                    if !incoming.offered.remove(&head.value) {
                        return Err(Garbage("a grant that nothing asked for"));
                    }
                    incoming.granted.insert(head.value);
                }
                Kind::Credit => {
                    let mut outgoing = held(&self.outgoing);
                    let credit = usize::try_from(head.value)
                        .ok()
                        .and_then(|more| outgoing.credit.checked_add(more))
                        .filter(|credit| *credit <= CREDIT)
                        .ok_or(Garbage("a credit that cannot be"))?;
                    outgoing.credit = credit;
                }
                Kind::Data => return Err(Garbage("a piece where none may be")),
                Kind::Beat | Kind::Goodbye | Kind::Abort | Kind::Question | Kind::Standing => {
                    return Err(Garbage("a message to its mailbox that belongs to its socket"));
                }
            }
        }
        if any {
            // Room for a writer that waits.
            self.bell.ring();
        }
        Ok(any)
    }
}

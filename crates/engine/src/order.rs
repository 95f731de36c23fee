use crate::Scheduler;

/// Where a sequence stands: the lowest place goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Its priority, or [`Place::URGENT`].
    pub(crate) rank: i64,
    /// The arrival of the request; a fork has its parent's.
    pub(crate) arrival: u64,
    /// Tells sequences of the same arrival apart.
    pub(crate) serial: u64,
    pub(crate) index: u32,
}

impl Place {
    /// The rank of sequences that nothing more of what came later may overtake.
    pub(crate) const URGENT: i64 = i64::MIN;
}

/// Puts a place where it belongs in a queue.
pub(crate) fn insert(queue: &mut Vec<Place>, place: Place) {
    let at = queue.partition_point(|other| *other < place);
    queue.insert(at, place);
}

/// Takes a place out of a queue.
pub(crate) fn remove(queue: &mut Vec<Place>, place: Place) {
    if let Ok(at) = queue.binary_search(&place) {
        queue.remove(at);
    }
}

/// The places of a queue that `place` overtakes: they came before it and stand behind it.
fn overtaken(queue: &[Place], place: Place) -> impl Iterator<Item = Place> {
    let behind = queue.partition_point(|other| other.rank <= place.rank);
    queue[behind..].iter().copied().filter(move |other| other.arrival < place.arrival)
}

impl Scheduler {
    /// Whether `place` may be admitted with `tokens` without breaking a bound. A sequence whose bound it would break
    /// is urgent from now on.
    pub(crate) fn may_overtake(&mut self, place: Place, tokens: u64) -> bool {
        let most = self.limits.overtake;
        let mut may = true;
        loop {
            let broken = |other: &Place| self.get(other.index).overtaken + tokens > most;
            let waits = overtaken(&self.waiting, place).find(broken);
            let Some(other) = waits.or_else(|| overtaken(&self.running, place).find(broken)) else {
                return may;
            };
            may = false;
            let queue = if waits.is_some() { &mut self.waiting } else { &mut self.running };
            remove(queue, other);
            let urgent = Place { rank: Place::URGENT, ..other };
            insert(queue, urgent);
            self.get_mut(other.index).place = urgent;
        }
    }

    /// Counts the admission of `place` with `tokens` against all that it overtakes.
    pub(crate) fn overtake(&mut self, place: Place, tokens: u64) {
        for queue in [&self.waiting, &self.running] {
            for other in overtaken(queue, place) {
                if let Some(sequence) = &mut self.sequences[other.index as usize] {
                    sequence.overtaken += tokens;
                }
            }
        }
    }
}

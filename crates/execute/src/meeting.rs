//! The devices of one run, which wait for each other where they exchange values.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use jarrah_base::{Error, Result};
use rustc_hash::FxHashMap;

/// The devices of one run on several, with addresses of this kind.
pub struct Meeting<A> {
    /// The number of devices.
    members: usize,
    state: Mutex<State<A>>,
    /// Notified when a device has ended.
    ended: Condvar,
}

/// A device of a run on several: its position among them, and their meeting.
pub struct Member<'a, A> {
    pub position: usize,
    pub meeting: &'a Meeting<A>,
}

impl<A> Clone for Member<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Member<'_, A> {}

/// The number of a collective among the steps of a program, and the number of the group that meets there.
pub type Place = (usize, usize);

/// The operand and the result of a member.
pub type Posted<A> = (A, A);

struct State<A> {
    groups: FxHashMap<Place, Group<A>>,
    /// The device at each position: where it waits, by the place and its name, or that it has ended.
    stands: Vec<Stands>,
    /// The number of devices at work.
    at_work: usize,
    failed: Option<Error>,
}

#[derive(Clone)]
enum Stands {
    AtWork,
    Waits(Place, Arc<str>),
    Ended,
}

/// A group of devices at a collective.
struct Group<A> {
    posted: Vec<Option<Posted<A>>>,
    arrived: usize,
    /// How often all have arrived.
    turns: u64,
    changed: Arc<Condvar>,
}

impl<A> Meeting<A> {
    /// The meeting of so many devices.
    pub fn new(members: usize) -> Meeting<A> {
        let stands = vec![Stands::AtWork; members];
        let state = State { groups: FxHashMap::default(), stands, at_work: members, failed: None };
        Meeting { members, state: Mutex::new(state), ended: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that the device at a position has ended its part of the run. An error ends the parts of the others, too.
    pub fn leave(&self, position: usize, error: Option<&Error>) {
        let mut state = self.lock();
        if matches!(state.stands[position], Stands::Ended) {
            return;
        }
        state.stand(position, Stands::Ended);
        match error {
            Some(error) => state.fail(error.clone()),
            None => state.check(self.members),
        }
        drop(state);
        self.ended.notify_all();
    }

    /// Ends the parts of all devices with this error, where they wait for each other next.
    pub fn fail(&self, error: Error) {
        self.lock().fail(error);
    }

    /// Waits until all devices have ended their parts: from then on none reads the memory of another.
    pub fn wait_for_all(&self) {
        let mut state = self.lock();
        while state.stands.iter().any(|stands| !matches!(stands, Stands::Ended)) {
            state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<A> State<A> {
    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
        self.groups.values().for_each(|group| group.changed.notify_all());
    }

    fn stand(&mut self, position: usize, stands: Stands) {
        let before = std::mem::replace(&mut self.stands[position], stands);
        self.at_work -= usize::from(matches!(before, Stands::AtWork));
        self.at_work += usize::from(matches!(self.stands[position], Stands::AtWork));
    }

    /// Ends a run whose devices all wait or have ended: nobody would come.
    fn check(&mut self, members: usize) {
        if self.at_work > 0 || !self.stands.iter().any(|stands| matches!(stands, Stands::Waits(..))) {
            return;
        }
        let said = self.stands.iter().enumerate().map(|(position, stands)| match stands {
            Stands::Waits(_, at) => format!("device {position} at {at}"),
            Stands::AtWork => format!("device {position} at work"),
            Stands::Ended => format!("device {position} at the end"),
        });
        let said: Vec<String> = said.collect();
        let error =
            format!("the {members} devices of a run wait for each other for ever: {}", said.join(", "));
        self.fail(Error::program(error).help(
            "devices take different ways where a branch or a loop depends on values that differ among them: exchange values outside of it",
        ));
    }
}

impl<A: Copy> Member<'_, A> {
    /// Waits until all members of a group have come to `place` with their addresses, which are returned by rank. The device has done all
    /// that it was asked when it comes.
    ///
    /// # Errors
    /// Another device has failed; the devices wait for each other for ever.
    pub fn meet(
        &self,
        place: Place,
        (rank, size): (usize, usize),
        posted: Posted<A>,
        name: &Arc<str>,
    ) -> Result<Vec<Posted<A>>> {
        let mut state = self.meeting.lock();
        if let Some(error) = &state.failed {
            return Err(error.clone());
        }
        let new = || Group { posted: vec![None; size], arrived: 0, turns: 0, changed: Arc::default() };
        let group = state.groups.entry(place).or_insert_with(new);
        group.posted[rank] = Some(posted);
        group.arrived += 1;
        if group.arrived == size {
            group.arrived = 0;
            group.turns += 1;
            group.changed.notify_all();
            let all = group.posted.iter().copied().collect::<Option<Vec<_>>>();
            // The members of the group count as at work from here on, also those whose threads have yet to wake up.
            for position in 0..state.stands.len() {
                if matches!(&state.stands[position], Stands::Waits(at, _) if *at == place) {
                    state.stand(position, Stands::AtWork);
                }
            }
            return all.ok_or_else(|| Error::internal("a member of a group has posted nothing"));
        }
        let (turn, changed) = (group.turns, group.changed.clone());
        state.stand(self.position, Stands::Waits(place, name.clone()));
        state.check(self.meeting.members);
        loop {
            let Some(group) = state.groups.get(&place) else {
                return Err(Error::internal("a group has gone"));
            };
            if group.turns != turn {
                let all = group.posted.iter().copied().collect::<Option<Vec<_>>>();
                return all.ok_or_else(|| Error::internal("a member of a group has posted nothing"));
            }
            if let Some(error) = &state.failed {
                return Err(error.clone());
            }
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

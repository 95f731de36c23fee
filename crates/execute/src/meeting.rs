//! The devices of one run, which wait for each other where they exchange values.
//!
//! Devices of other processes have positions among them, too: the last device of a group that comes to a place here brings their values.

use std::any::Any;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use jarrah_base::{Error, Result};
use jarrah_exchange::Tag;
use rustc_hash::FxHashMap;

use crate::address::{BackendAddress, Posted, Read, Seen};
use crate::processes::{BEGIN, ProcessRun, Stand};

/// The devices of one run on several, with addresses of this kind.
pub struct Meeting<A> {
    /// The run of all processes, where some of the devices exchange values with those of other processes.
    pub between: Option<ProcessRun>,
    standing: Arc<MeetingStanding<A>>,
    /// Notified when a device has ended.
    ended: Condvar,
}

/// Where the devices stand. Other processes may ask for it, so it does not hold the exchange with them.
struct MeetingStanding<A> {
    /// Whether the processes have begun the run, once that is known.
    begun: OnceLock<bool>,
    /// Whether the runs of each device take place one after another, in queues.
    in_order: bool,
    state: Mutex<State<A>>,
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

/// A device at a collective.
#[derive(Clone, Copy)]
pub struct At {
    pub place: Place,
    /// Its rank in its group, the size of the group, and how many of the group belong to this process.
    pub rank: usize,
    pub size: usize,
    pub here: usize,
}

/// The values of other processes at a place, and the memory that holds them; of what the devices here have posted, and of the number of times
/// that they have come to the place before.
pub type Fetch<'f, A> = &'f dyn Fn(&[Posted<A>], u64) -> Result<(Kept, Vec<Seen<A>>)>;

/// Memory that is kept until the group comes to the place again.
pub type Kept = Arc<dyn Any + Send + Sync>;

struct State<A> {
    groups: FxHashMap<Place, Group<A>>,
    /// The device at each position: where it waits, by the place and its name, or that it has ended.
    stands: Vec<Stands>,
    /// The number of devices of this process at work.
    at_work: usize,
    failed: Option<Error>,
}

#[derive(Clone)]
enum Stands {
    /// The device has not begun the run.
    Ahead,
    AtWork,
    Waits(Place, Arc<str>),
    /// It brings the values of other processes.
    Brings(Place, Arc<str>),
    Ended,
    /// In another process.
    Elsewhere,
}

/// A group of devices at a collective.
struct Group<A> {
    posted: Vec<Posted<A>>,
    arrived: usize,
    /// The values of all ranks when all had arrived last.
    seen: Vec<Seen<A>>,
    kept: Option<Kept>,
    /// How often all have arrived.
    turns: u64,
    changed: Arc<Condvar>,
}

impl<A: BackendAddress> Meeting<A> {
    /// The meeting of devices, of which some may belong to other processes. `in_order` says whether the runs of each device take place one after
    /// another.
    pub fn new(
        is_here: impl Iterator<Item = bool>,
        in_order: bool,
        between: Option<ProcessRun>,
    ) -> Arc<Meeting<A>> {
        let stands: Vec<Stands> =
            is_here.map(|here| if here { Stands::Ahead } else { Stands::Elsewhere }).collect();
        let at_work = stands.iter().filter(|stands| stands.is_at_work()).count();
        let state = State { groups: FxHashMap::default(), stands, at_work, failed: None };
        let standing = MeetingStanding { begun: OnceLock::new(), in_order, state: Mutex::new(state) };
        let standing = Arc::new(standing);
        if let Some(between) = &between {
            let stand: Weak<dyn Stand> = Arc::<MeetingStanding<A>>::downgrade(&standing);
            between.met_by(stand);
        }
        Arc::new(Meeting { between, standing, ended: Condvar::new() })
    }
}

impl<A: BackendAddress> Stand for MeetingStanding<A> {
    fn stand(&self, waits: &dyn Fn(Tag) -> bool) -> (Vec<usize>, Option<String>) {
        let is_begun = self.begun.get().is_some();
        let state = self.lock();
        // Devices that have yet to hear of a failure do not wait.
        let waits = |tag: Tag| state.failed.is_none() && waits(tag);
        let is_on_the_way =
            |stands: &Stands| !matches!(stands, Stands::Ahead | Stands::Elsewhere | Stands::Ended);
        let begun = state.stands.iter().enumerate();
        let begun = begun.filter(|(_, stands)| self.in_order && is_on_the_way(stands));
        let begun = begun.map(|(position, _)| position).collect();
        if !is_begun {
            let waits = waits(Tag { step: BEGIN, ..Tag::default() });
            return (begun, waits.then(|| "the beginning of the run".to_owned()));
        }
        let mut places: Vec<&str> = Vec::new();
        for stands in &state.stands {
            match stands {
                Stands::Ahead | Stands::AtWork => return (begun, None),
                Stands::Waits(..) if state.failed.is_some() => return (begun, None),
                Stands::Brings((step, group), name) => {
                    let tag = Tag { step: *step as u32, group: *group as u32, ..Tag::default() };
                    if !waits(tag) {
                        return (begun, None);
                    }
                    places.push(name);
                }
                Stands::Waits(_, name) => places.push(name),
                Stands::Ended | Stands::Elsewhere => {}
            }
        }
        places.sort_unstable();
        places.dedup();
        let places = if places.is_empty() { "the end of the run".to_owned() } else { places.join(" and ") };
        (begun, Some(places))
    }
}

impl<A> MeetingStanding<A> {
    fn lock(&self) -> MutexGuard<'_, State<A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stands {
    fn is_at_work(&self) -> bool {
        matches!(self, Stands::Ahead | Stands::AtWork | Stands::Brings(..))
    }
}

impl<A> Meeting<A> {
    /// Begins the run with the other processes, for the device at a position; the first device that is here does.
    ///
    /// # Errors
    /// A process cannot begin it: none does.
    pub fn begin(&self, position: usize, failed: Option<&Error>) -> Result<()> {
        self.lock().stand(position, Stands::AtWork);
        let Some(between) = &self.between else { return failed.map_or(Ok(()), |error| Err(error.clone())) };
        let begun = *self.standing.begun.get_or_init(|| match between.begin(failed) {
            Ok(()) => true,
            Err(error) => {
                self.fail(error);
                false
            }
        });
        match begun {
            true => Ok(()),
            false => Err(self.failure()),
        }
    }

    fn failure(&self) -> Error {
        self.lock().failed.clone().unwrap_or_else(|| Error::internal("a run failed without an error"))
    }

    fn lock(&self) -> MutexGuard<'_, State<A>> {
        self.standing.lock()
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
            None => state.check(),
        }
        let failed = state.failed.clone();
        drop(state);
        self.ended.notify_all();
        if let (Some(between), Some(true), Some(error)) = (&self.between, self.standing.begun.get(), failed) {
            between.abort(&error);
        }
    }

    /// Ends the parts of all devices with this error, where they wait for each other next.
    pub fn fail(&self, error: Error) {
        self.lock().fail(error);
    }

    /// Waits until all devices have ended their parts: from then on none reads the memory of another.
    pub fn wait_for_all(&self) {
        let mut state = self.lock();
        while state.stands.iter().any(|stands| !matches!(stands, Stands::Ended | Stands::Elsewhere)) {
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
        self.at_work -= usize::from(before.is_at_work());
        self.at_work += usize::from(self.stands[position].is_at_work());
    }

    /// Ends a run whose devices all wait or have ended: nobody would come.
    fn check(&mut self) {
        if self.at_work > 0 || !self.stands.iter().any(|stands| matches!(stands, Stands::Waits(..))) {
            return;
        }
        let said = self.stands.iter().enumerate().filter_map(|(position, stands)| match stands {
            Stands::Waits(_, at) => Some(format!("device {position} at {at}")),
            Stands::Ahead | Stands::AtWork | Stands::Brings(..) => Some(format!("device {position} at work")),
            Stands::Ended => Some(format!("device {position} at the end")),
            Stands::Elsewhere => None,
        });
        let said: Vec<String> = said.collect();
        let devices = match (said.len(), self.stands.len()) {
            (here, all) if here == all => format!("the {all} devices of a run"),
            (here, all) => format!("{here} of the {all} devices of a run, those of this process,"),
        };
        let error = format!("{devices} wait for each other for ever: {}", said.join(", "));
        self.fail(Error::program(error).help(
            "devices take different ways where a branch or a loop depends on values that differ among them: exchange values outside of it",
        ));
    }
}

impl<A: BackendAddress> Member<'_, A> {
    /// Waits until all members of a group have come to a place with their addresses. Returns the values of all by rank, of the memory that is
    /// `read`. The device has done all that it was asked when it comes.
    ///
    /// # Errors
    /// Another device has failed; the devices wait for each other for ever.
    pub fn meet(
        &self,
        at: At,
        posted: Posted<A>,
        name: &Arc<str>,
        read: Read,
        fetch: Option<Fetch<'_, A>>,
    ) -> Result<Vec<Seen<A>>> {
        let At { place, rank, size, here } = at;
        let mut state = self.meeting.lock();
        if let Some(error) = &state.failed {
            return Err(error.clone());
        }
        let new = || Group {
            posted: vec![Posted::default(); size],
            arrived: 0,
            seen: Vec::new(),
            kept: None,
            turns: 0,
            changed: Arc::default(),
        };
        let group = state.groups.entry(place).or_insert_with(new);
        group.posted[rank] = posted;
        group.arrived += 1;
        let (turn, changed) = (group.turns, group.changed.clone());
        if group.arrived == here {
            group.arrived = 0;
            let (kept, seen) = match fetch {
                None => {
                    let of = |&(operand, result): &Posted<A>| match read {
                        Read::Operands => operand,
                        Read::Results => result,
                    };
                    (None, group.posted.iter().map(|posted| Seen::whole(of(posted))).collect())
                }
                Some(fetch) => {
                    let all = group.posted.clone();
                    state.stand(self.position, Stands::Brings(place, name.clone()));
                    drop(state);
                    let fetched = fetch(&all, turn);
                    state = self.meeting.lock();
                    state.stand(self.position, Stands::AtWork);
                    let (kept, seen) = fetched?;
                    (Some(kept), seen)
                }
            };
            let group = state.groups.get_mut(&place).ok_or_else(|| Error::internal("a group has gone"))?;
            (group.kept, group.seen) = (kept, seen.clone());
            group.turns += 1;
            group.changed.notify_all();
            // The members of the group count as at work from here on, also those whose threads have yet to wake up.
            for position in 0..state.stands.len() {
                if matches!(&state.stands[position], Stands::Waits(at, _) if *at == place) {
                    state.stand(position, Stands::AtWork);
                }
            }
            return Ok(seen);
        }
        state.stand(self.position, Stands::Waits(place, name.clone()));
        state.check();
        loop {
            let Some(group) = state.groups.get(&place) else {
                return Err(Error::internal("a group has gone"));
            };
            if group.turns != turn {
                return Ok(group.seen.clone());
            }
            if let Some(error) = &state.failed {
                return Err(error.clone());
            }
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

//! Runs that wait for each other for ever, found by processes that tell each other where their runs stand.
//!
//! A process that waits for messages without any progress asks all others where they stand, and each sends a report: its runs, whether every
//! device of them waits for messages, and how many frames it has sent to and read from each process. Reports that agree on the number of frames
//! between each two processes show one moment at which nothing was on its way; a run of which every process waits or has ended at that
//! moment goes on never.

use std::collections::HashMap;
use std::sync::{Mutex, Weak};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::failure::Cause;
use crate::lock::held;
use crate::tag::Tag;

/// A transfer that makes no progress for so long asks where the others stand.
const STALLED: Duration = Duration::from_secs(1);
/// The longest report that is sent, and the most runs in it.
pub(crate) const REPORT: usize = 64 << 10;
const RUNS: usize = 256;
/// The longest place that is told.
const PLACE: usize = 400;

/// A run in progress, as its process tells the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStanding {
    /// The devices of the run, as a number.
    pub devices: u32,
    /// The number of the run among those of its devices.
    pub run: u32,
    /// The devices of the run, each with its process; none before a device of this process has begun it.
    pub members: Vec<(u32, usize)>,
    /// The devices of this process that have begun the run and not ended it, and take part in no other before.
    pub begun: Vec<u32>,
    /// The places where its devices wait, if all of them wait for messages or have ended.
    pub waits: Option<String>,
}

/// All runs of a process, as it tells the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// For some devices, as a number, the number of their next run: of runs before it, those that are not in progress have ended.
    pub next: Vec<(u32, u32)>,
    /// The runs in progress.
    pub runs: Vec<RunStanding>,
}

/// Says where the runs of this process stand.
pub trait Witness: Send + Sync {
    /// The runs in progress. `waits` says whether a transfer waits for messages whose tag is this one, but for its turn; a run waits if
    /// all of its devices wait for such transfers, or for each other.
    fn standing(&self, waits: &dyn Fn(Tag) -> bool) -> Standing;
}

/// The frames that a process has sent to and read from each process.
pub(crate) type Frames = Vec<(u64, u64)>;

/// A process at one moment: the frames, and the runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Report {
    pub frames: Frames,
    pub standing: Standing,
}

impl Report {
    /// The bytes of the report; none if they are too many to be sent.
    pub(crate) fn encode(&self) -> Option<Vec<u8>> {
        let few = self.standing.runs.len() <= RUNS;
        few.then(|| serde_json::to_vec(self).ok())?.filter(|bytes| bytes.len() <= REPORT)
    }

    /// The report in these bytes, of a process among `size`.
    pub(crate) fn decode(bytes: &[u8], size: usize) -> Option<Report> {
        let mut report: Report = serde_json::from_slice(bytes).ok()?;
        for place in report.standing.runs.iter_mut().filter_map(|run| run.waits.as_mut()) {
            place.truncate(place.floor_char_boundary(PLACE));
            *place = jarrah_base::visible(place).into();
        }
        (report.frames.len() == size && report.standing.runs.len() <= RUNS).then_some(report)
    }
}

/// A transfer that waits.
struct Waiting {
    number: u64,
    tag: Tag,
    since: Instant,
    /// The news of the exchange when the transfer last looked and found nothing for itself, while it sleeps.
    asleep: Option<u64>,
}

/// The transfers of a process that wait, and the reports of all processes.
#[derive(Default)]
pub(crate) struct Watch(Mutex<State>);

#[derive(Default)]
struct State {
    next: u64,
    waiting: Vec<Waiting>,
    witnesses: Vec<Weak<dyn Witness>>,
    asked: bool,
    reports: HashMap<usize, Report>,
}

/// A transfer among those that wait, until this goes.
pub(crate) struct Watched<'w> {
    watch: &'w Watch,
    number: u64,
}

impl Watch {
    pub(crate) fn add(&self, witness: Weak<dyn Witness>) {
        let mut state = held(&self.0);
        state.witnesses.retain(|witness| witness.strong_count() > 0);
        state.witnesses.push(witness);
    }

    /// Notes that a transfer waits.
    pub(crate) fn waits(&self, tag: Tag) -> Watched<'_> {
        let mut state = held(&self.0);
        let number = state.next;
        state.next += 1;
        state.waiting.push(Waiting { number, tag, since: Instant::now(), asleep: None });
        Watched { watch: self, number }
    }

    /// Whether a transfer has waited for long: the others are to be asked where they stand.
    pub(crate) fn is_stalled(&self) -> bool {
        held(&self.0).waiting.iter().any(|waiting| waiting.since.elapsed() >= STALLED)
    }

    /// Notes that another process asks for reports.
    pub(crate) fn ask(&self) {
        held(&self.0).asked = true;
    }

    /// Whether another process has asked for a report since the last call.
    pub(crate) fn was_asked(&self) -> bool {
        std::mem::take(&mut held(&self.0).asked)
    }

    pub(crate) fn heard(&self, rank: usize, report: Report) {
        held(&self.0).reports.insert(rank, report);
    }

    /// The report of this process, unless it is in motion. `frames` are those sent and read, `news` a number that changes with whatever a
    /// transfer may wait for.
    pub(crate) fn report(&self, frames: impl Fn() -> Frames, news: impl Fn() -> u64) -> Option<Report> {
        let asleep = || -> Vec<Tag> {
            let (state, news) = (held(&self.0), news());
            let asleep = state.waiting.iter().filter(|waiting| waiting.asleep == Some(news));
            asleep.map(|waiting| Tag { turn: 0, ..waiting.tag }).collect()
        };
        let (before, waiting) = (frames(), asleep());
        let witnesses: Vec<_> = held(&self.0).witnesses.iter().filter_map(Weak::upgrade).collect();
        let mut standing = Standing::default();
        for witness in witnesses {
            let Standing { next, runs } = witness.standing(&|tag| waiting.contains(&Tag { turn: 0, ..tag }));
            standing.next.extend(next);
            standing.runs.extend(runs);
        }
        // A transfer that has gone on between the two looks has read or sent a frame.
        (frames() == before && asleep() == waiting).then_some(Report { frames: before, standing })
    }

    /// A process that waits for ever, and its fault, as far as the reports of all that have not `left` show one.
    pub(crate) fn verdict(&self, own: usize, report: Report, left: &[bool]) -> Option<Cause> {
        let mut state = held(&self.0);
        state.reports.insert(own, report);
        state.reports.retain(|&rank, _| !left[rank]);
        let size = left.iter().filter(|left| !**left).count();
        (state.reports.len() == size).then(|| judge(&state.reports))?
    }
}

impl Watched<'_> {
    fn set(&self, change: impl FnOnce(&mut Waiting)) {
        if let Some(waiting) = held(&self.watch.0).waiting.iter_mut().find(|w| w.number == self.number) {
            change(waiting);
        }
    }

    /// The transfer sleeps: it has found nothing for itself when the news was this.
    pub(crate) fn sleeps(&self, news: u64) {
        self.set(|waiting| waiting.asleep = Some(news));
    }

    /// The transfer is about to look again.
    pub(crate) fn wakes(&self) {
        self.set(|waiting| waiting.asleep = None);
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        held(&self.watch.0).waiting.retain(|waiting| waiting.number != self.number);
    }
}

/// A process, as seen from a run.
enum At<'r> {
    /// It works on the run or may begin it, or nothing is known of it.
    Work,
    Waits(&'r str),
    Ended,
    /// It has not begun the run, and each of its devices is in one of these others.
    Elsewhere(Vec<RunId>),
}

/// The devices of a run, as a number, and its number.
type RunId = (u32, u32);

impl RunStanding {
    fn id(&self) -> RunId {
        (self.devices, self.run)
    }

    /// The processes of the run.
    fn processes(&self) -> Vec<usize> {
        let mut processes: Vec<usize> = self.members.iter().map(|(_, process)| *process).collect();
        processes.sort_unstable();
        processes.dedup();
        processes
    }

    /// How far a process is with this run.
    fn at<'r>(&self, reports: &'r HashMap<usize, Report>, process: usize) -> At<'r> {
        let Some(Report { standing, .. }) = reports.get(&process) else { return At::Work };
        let found = standing.runs.iter().find(|other| other.id() == self.id());
        match found {
            Some(RunStanding { waits: Some(place), .. }) => return At::Waits(place),
            Some(found) if !found.begun.is_empty() => return At::Work,
            // It is put into queues.
            Some(_) => {}
            None => {
                let is_behind = |next: u32| next.wrapping_sub(self.run) as i32 > 0;
                if standing.next.iter().any(|&(devices, next)| devices == self.devices && is_behind(next)) {
                    return At::Ended;
                }
            }
        }
        let own = self.members.iter().filter(|(_, owner)| *owner == process);
        let holder = |(device, _): &(u32, usize)| {
            let holds = |other: &&RunStanding| other.id() != self.id() && other.begun.contains(device);
            standing.runs.iter().find(holds).map(RunStanding::id)
        };
        own.map(holder).collect::<Option<_>>().map_or(At::Work, At::Elsewhere)
    }
}

/// Says which run goes on never, if one does, and the first process that waits in it.
fn judge(reports: &HashMap<usize, Report>) -> Option<Cause> {
    let sent = |from: &usize, to: usize| reports[from].frames.get(to).map(|(sent, _)| *sent);
    let read = |to: &usize, from: usize| reports[to].frames.get(from).map(|(_, read)| *read);
    let ranks = || reports.keys();
    if ranks().any(|from| ranks().any(|to| from != to && sent(from, *to) != read(to, *from))) {
        return None;
    }
    let runs = reports.values().flat_map(|report| &report.standing.runs);
    let mut stuck: Vec<&RunStanding> = runs.filter(|run| !run.members.is_empty()).collect();
    // A run goes on if one of its processes works on it, may begin it, or is in a run that goes on.
    loop {
        let ids: Vec<RunId> = stuck.iter().map(|run| run.id()).collect();
        let is_stuck = |run: &&RunStanding| {
            run.processes().into_iter().all(|process| match run.at(reports, process) {
                At::Work => false,
                At::Waits(_) | At::Ended => true,
                At::Elsewhere(others) => others.iter().all(|other| ids.contains(other)),
            })
        };
        let left: Vec<&RunStanding> = stuck.iter().copied().filter(is_stuck).collect();
        if left.len() == stuck.len() {
            break;
        }
        stuck = left;
    }
    let waiting = |run: &RunStanding| {
        run.processes().into_iter().find(|&process| matches!(run.at(reports, process), At::Waits(_)))
    };
    let waits = stuck.iter().filter_map(|run| Some((run, waiting(run)?)));
    let (run, first) = waits.min_by_key(|(run, _)| (run.run, run.devices))?;
    let place = |process: usize| match run.at(reports, process) {
        At::Waits(place) => format!("process {process} waits in {place}"),
        At::Ended => format!("process {process} has ended the run"),
        At::Elsewhere(_) => {
            format!("process {process} is in a run on other devices, some of them of this run")
        }
        At::Work => format!("process {process} is at work"),
    };
    let places: Vec<String> = run.processes().into_iter().map(place).collect();
    Some(Cause::new(first, format!("waits for ever in run {}: {}", run.run, places.join(", "))))
}

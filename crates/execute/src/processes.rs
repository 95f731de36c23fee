//! The processes whose devices one client has: how they find each other's devices, and how they begin runs together.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use jarrah_base::{Error, Result};
use jarrah_exchange::{CollectiveCall, Exchange, RunStanding, Standing, Tag, Witness};
use jarrah_runtime::{DeviceId, DeviceInfo, MemoryKind, RuntimeDevice};
use rustc_hash::FxHashMap;

use crate::exchanged::{Exchanged, number_of};

/// This process and the others, and how many runs each set of devices has begun.
pub(crate) struct Processes {
    exchange: Arc<dyn Exchange>,
    /// The number of the client among those of the exchange.
    client: u32,
    runs: Arc<Runs>,
}

/// The runs of this process among several.
#[derive(Default)]
struct Runs(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The number of the next run of each set of devices.
    next: FxHashMap<u32, u32>,
    open: Vec<Weak<OpenRun>>,
    /// The first run that ended the exchange, or found it ended.
    last: Option<(Tag, String)>,
}

/// A run that has not ended in this process.
pub(crate) struct OpenRun {
    /// The tag of the run's messages, of no collective.
    tag: Tag,
    processes: Vec<usize>,
    devices: Vec<u32>,
    /// The process of each device.
    owners: Vec<usize>,
    meeting: OnceLock<Weak<dyn Stand>>,
}

/// The devices of a run in this process, whose places others ask for.
pub(crate) trait Stand: Send + Sync {
    /// The positions of the devices that have begun the run, and the places where all devices wait, if none is at work. `waits` says whether a
    /// device waits for messages of this tag.
    fn stand(&self, waits: &dyn Fn(Tag) -> bool) -> (Vec<usize>, Option<String>);
}

/// A run that this process refuses: it waits for the others to tell them.
struct Refusal;

impl Stand for Refusal {
    fn stand(&self, waits: &dyn Fn(Tag) -> bool) -> (Vec<usize>, Option<String>) {
        let waits = waits(Tag { step: BEGIN, ..Tag::default() });
        (Vec::new(), waits.then(|| "the beginning of a run that it refuses".to_owned()))
    }
}

impl Witness for Runs {
    fn standing(&self, waits: &dyn Fn(Tag) -> bool) -> Standing {
        let (next, open) = {
            let known = self.lock();
            let next = known.next.iter().map(|(&devices, &next)| (devices, next)).collect();
            (next, known.open.iter().filter_map(Weak::upgrade).collect::<Vec<_>>())
        };
        let run = |run: Arc<OpenRun>| {
            let waits = |tag: Tag| waits(Tag { devices: run.tag.devices, run: run.tag.run, ..tag });
            let meeting = run.meeting.get().and_then(Weak::upgrade);
            let (begun, waits) = meeting.map_or((Vec::new(), None), |meeting| meeting.stand(&waits));
            let is_begun = waits.is_some() || !begun.is_empty();
            let members = run.devices.iter().copied().zip(run.owners.iter().copied());
            RunStanding {
                devices: run.tag.devices,
                run: run.tag.run,
                members: if is_begun { members.collect() } else { Vec::new() },
                begun: begun.into_iter().map(|position| run.devices[position]).collect(),
                waits,
            }
        };
        Standing { next, runs: open.into_iter().map(run).collect() }
    }
}

impl Runs {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The step by which processes begin a run; collectives count from 1.
pub(crate) const BEGIN: u32 = 0;
/// The most devices of one process: a number that another process only claims takes no memory.
const MOST_DEVICES: u32 = 1 << 16;

/// The devices of all processes, those of the first process first.
pub(crate) fn devices(counts: &[u32], kind: &str, memories: &[MemoryKind]) -> Vec<RuntimeDevice> {
    let owners = counts.iter().enumerate().flat_map(|(owner, &count)| (0..count).map(move |_| owner));
    let device = |(id, process): (usize, usize)| {
        RuntimeDevice::new(DeviceInfo {
            id: DeviceId(id as u32),
            process,
            kind: kind.to_owned(),
            memories: memories.to_vec(),
            attributes: Vec::new(),
        })
    };
    owners.enumerate().map(device).collect()
}

/// The number of devices of each process, and the number of the client among those of the exchange, by the first process. All devices are of one
/// kind and of one version, so that they give the same bits.
pub(crate) fn counts(
    exchange: &dyn Exchange,
    own: u32,
    kind: &str,
    version: &str,
) -> Result<(Vec<u32>, u32)> {
    let everyone: Vec<usize> = (0..exchange.size()).collect();
    let call = CollectiveCall::new("the meeting of the processes", Tag::default());
    static CLIENTS: AtomicU32 = AtomicU32::new(0);
    let number = CLIENTS.fetch_add(1, Ordering::Relaxed);
    let mine = format!("{number}\n{own}\n{kind}\n{version}");
    let said = exchange.all_gather(&call, &everyone, mine.as_bytes())?;
    let mut client = 0;
    let one = |(process, said): (usize, Vec<u8>)| {
        let said = String::from_utf8_lossy(&said);
        let mut lines = said.splitn(4, '\n');
        let number = lines.next().and_then(|number| number.parse().ok()).unwrap_or(0);
        if process == 0 {
            client = number;
        }
        let count = lines.next().and_then(|count| count.parse().ok());
        let count = count.filter(|count| (1..=MOST_DEVICES).contains(count));
        match (count, lines.next(), lines.next()) {
            (Some(count), Some(its_kind), Some(its_version))
                if its_kind == kind && its_version == version =>
            {
                Ok(count)
            }
            (Some(_), Some(its_kind), Some(its_version)) => {
                let (its_kind, its_version) =
                    (jarrah_base::visible(its_kind), jarrah_base::visible(its_version));
                Err(Error::environment(format!(
                    "process {process} has devices {its_kind} ({its_version}), this process has {kind} ({version})"
                ))
                .help("start the same version in all processes; JARRAH_CPU=avx2 makes processors alike"))
            }
            _ => Err(Error::environment(format!("process {process} does not say which devices it has"))),
        }
    };
    let counts = said.into_iter().enumerate().map(one).collect::<Result<_>>()?;
    Ok((counts, client))
}

impl Processes {
    pub fn new(exchange: Arc<dyn Exchange>, client: u32) -> Processes {
        let runs = Arc::<Runs>::default();
        let witness: Weak<dyn Witness> = Arc::<Runs>::downgrade(&runs);
        exchange.witness(witness);
        Processes { exchange, client, runs }
    }

    pub fn exchange(&self) -> &Arc<dyn Exchange> {
        &self.exchange
    }

    /// The next run on these devices, which belong to these processes, of a program with these collectives.
    pub fn next_run(
        &self,
        devices: &[DeviceId],
        owners: &[usize],
        collectives: &Arc<Exchanged>,
    ) -> ProcessRun {
        let set = number_of(&(self.client, devices));
        let mut processes = owners.to_vec();
        processes.sort_unstable();
        processes.dedup();
        let devices = devices.iter().map(|device| device.0).collect();
        let mut known = self.runs.lock();
        let next = known.next.entry(set as u32).or_default();
        let run = std::mem::replace(next, next.wrapping_add(1));
        let tag = Tag { devices: set as u32, run, ..Tag::default() };
        let open =
            Arc::new(OpenRun { tag, processes, devices, owners: owners.to_vec(), meeting: OnceLock::new() });
        known.open.retain(|run| run.strong_count() > 0);
        known.open.push(Arc::downgrade(&open));
        drop(known);
        let digest = number_of(&(set, collectives.number));
        let (exchange, runs) = (self.exchange.clone(), self.runs.clone());
        ProcessRun { exchange, runs, open, digest, collectives: collectives.clone() }
    }
}

/// A run on devices of several processes, as one of them sees it.
pub(crate) struct ProcessRun {
    pub exchange: Arc<dyn Exchange>,
    runs: Arc<Runs>,
    open: Arc<OpenRun>,
    /// A number of the devices and the collectives of the run.
    digest: u64,
    collectives: Arc<Exchanged>,
}

impl ProcessRun {
    /// This process.
    pub fn own(&self) -> usize {
        self.exchange.rank()
    }

    /// The tag of the run's messages, of no collective.
    pub fn tag(&self) -> Tag {
        self.open.tag
    }

    /// Lets the meeting of the devices say where the run stands.
    pub fn met_by(&self, meeting: Weak<dyn Stand>) {
        // A run has one meeting.
        let _ = self.open.meeting.set(meeting);
    }

    /// Waits until all processes begin the run.
    ///
    /// # Errors
    /// One has begun a run of another program, or cannot begin: all processes hear of it, and none begins.
    pub fn begin(&self, failed: Option<&Error>) -> Result<()> {
        let call = CollectiveCall {
            location: self.collectives.location,
            ..CollectiveCall::new("the beginning of a run", Tag { step: BEGIN, ..self.tag() })
        };
        let gather = |call: &CollectiveCall<'_>, mine: &[u8]| {
            self.exchange.all_gather(call, &self.open.processes, mine).map_err(|error| self.over(error))
        };
        let mut mine = self.digest.to_le_bytes().to_vec();
        if let Some(error) = failed {
            // The first byte says that there is an error, which may be an empty text.
            mine.extend_from_slice(format!("!{error}").as_bytes());
        }
        let said = gather(&call, &mine)?;
        if let Some(error) = failed {
            return Err(error.clone());
        }
        let processes = || self.open.processes.iter().copied();
        let (mut others, digest) = (None, self.digest.to_le_bytes());
        for (process, said) in processes().zip(&said) {
            let (its, error) = said.split_at_checked(8).unwrap_or((&[], b"!no number of its run"));
            if let Some((_, error)) = error.split_first() {
                let error = String::from_utf8_lossy(error);
                let error = jarrah_base::visible(&error);
                return Err(Error::environment(format!(
                    "process {process} could not begin this run: {error}"
                )));
            }
            others = others.or((its != digest).then_some(process));
        }
        // If the programs of two differ, every process finds one that differs from its own, and all tell their collectives.
        let Some(other) = others else { return Ok(()) };
        let call = CollectiveCall { tag: Tag { turn: 1, ..call.tag }, ..call };
        let told = gather(&call, &self.collectives.encode())?;
        let of_other = processes().zip(&told).find(|(process, _)| *process == other);
        let of_other = of_other.map_or_else(Exchanged::default, |(_, told)| Exchanged::decode(told));
        Err(self.collectives.differs(self.own(), other, &of_other))
    }

    /// Tells the other processes that this one cannot begin the run, when they begin it; they may never, so nobody here waits for them.
    pub fn refuse(self, error: Error) {
        let refusal: Arc<dyn Stand> = Arc::new(Refusal);
        self.met_by(Arc::downgrade(&refusal));
        let tell = move || {
            // The caller has the error already.
            let _ = self.begin(Some(&error));
            drop(refusal);
        };
        // A system without threads tells nobody: the others find that this process never begins the run.
        let _ = std::thread::Builder::new().name("jarrah-refusal".into()).spawn(tell);
    }

    /// Ends the exchange between the processes: others may wait for a message that this one cannot send.
    pub fn abort(&self, error: &Error) {
        self.ends_exchange();
        self.exchange.abort(&error.to_string());
    }

    /// Notes that the exchange ends with this run, and gives the run with which it has ended.
    fn ends_exchange(&self) -> (Tag, String) {
        let own = || (self.tag(), self.collectives.words());
        self.runs.lock().last.get_or_insert_with(own).clone()
    }

    /// The error of this run, which cannot begin as the exchange has ended.
    fn over(&self, error: Error) -> Error {
        let (last, program) = self.ends_exchange();
        let error = match last == self.tag() {
            true => error.context(format!("not begun: {program}")),
            false => {
                let (cause, run) = (error.message(), last.run);
                let words = format!(
                    "the exchange between the processes has ended, and run {run} of {program}, was the first to fail here: {cause}"
                );
                let over = Error::environment(words).op("the beginning of a run");
                self.collectives.location.into_iter().fold(over, Error::at)
            }
        };
        error.help(
            "start all processes of the run again: this process has exchanged its last value with others",
        )
    }
}

//! The processes whose devices one client has: how they find each other's devices, and how they begin runs together.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jarrah_base::{Error, Result};
use jarrah_exchange::{CollectiveCall, Exchange, Tag};
use jarrah_runtime::{DeviceId, DeviceInfo, MemoryKind, RuntimeDevice};
use rustc_hash::{FxHashMap, FxHasher};

/// This process and the others, and how many runs each set of devices has begun.
pub(crate) struct Processes {
    exchange: Arc<dyn Exchange>,
    /// The number of the client among those of the exchange.
    client: u32,
    begun: Mutex<FxHashMap<u32, u32>>,
}

/// The step by which processes begin a run; collectives count from 1.
const BEGIN: u32 = 0;
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
        Processes { exchange, client, begun: Mutex::default() }
    }

    pub fn exchange(&self) -> &Arc<dyn Exchange> {
        &self.exchange
    }

    /// The next run on these devices, which belong to these processes, of a program with these collectives.
    pub fn next_run(&self, devices: &[DeviceId], owners: &[usize], collectives: u64) -> ProcessRun {
        let set = number_of(&(self.client, devices));
        let run = {
            let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
            let next = begun.entry(set as u32).or_default();
            std::mem::replace(next, next.wrapping_add(1))
        };
        let mut processes = owners.to_vec();
        processes.sort_unstable();
        processes.dedup();
        let tag = Tag { devices: set as u32, run, ..Tag::default() };
        let digest = number_of(&(set, collectives));
        ProcessRun { exchange: self.exchange.clone(), processes, tag, digest }
    }
}

/// A number that equal values have in all processes of a version.
pub(crate) fn number_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A run on devices of several processes, as one of them sees it.
pub(crate) struct ProcessRun {
    pub exchange: Arc<dyn Exchange>,
    processes: Vec<usize>,
    /// The tag of the run's messages, of no collective.
    pub tag: Tag,
    /// A number of the devices and the collectives of the run.
    digest: u64,
}

impl ProcessRun {
    /// This process.
    pub fn own(&self) -> usize {
        self.exchange.rank()
    }

    /// Waits until all processes begin the run.
    ///
    /// # Errors
    /// One has begun a run of another program, or cannot begin: all processes hear of it, and none begins.
    pub fn begin(&self, failed: Option<&Error>) -> Result<()> {
        let call = CollectiveCall::new("the begin of a run", Tag { step: BEGIN, ..self.tag });
        let mut mine = self.digest.to_le_bytes().to_vec();
        if let Some(error) = failed {
            // The first byte says that there is an error, which may be an empty text.
            mine.extend_from_slice(format!("!{error}").as_bytes());
        }
        let said = self.exchange.all_gather(&call, &self.processes, &mine)?;
        if let Some(error) = failed {
            return Err(error.clone());
        }
        for (&process, said) in self.processes.iter().zip(&said) {
            let (digest, error) = said.split_at_checked(8).unwrap_or((&[], b"!no number of its run"));
            if let Some((_, error)) = error.split_first() {
                let error = String::from_utf8_lossy(error);
                let error = jarrah_base::visible(&error);
                return Err(Error::environment(format!(
                    "process {process} could not begin this run: {error}"
                )));
            }
            if digest != self.digest.to_le_bytes() {
                return Err(Error::program(format!(
                    "process {process} has begun a run of another program on these devices than process {}",
                    self.own()
                ))
                .help("all processes begin the same programs in the same order"));
            }
        }
        Ok(())
    }

    /// Ends the exchange between the processes: others may wait for a message that this one cannot send.
    pub fn abort(&self, error: &Error) {
        self.exchange.abort(&error.to_string());
    }
}

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result, panic_message};

use crate::dataset::{ENDLESS, MapDataset};
use crate::iter::{Advance, IterStage, Lane, ReadOptions};
use crate::iter_dataset::IterDataset;
use crate::loading::ShardOptions;
use crate::observe::{Counters, bytes_of, probe, timed};
use crate::stage::{Lineage, StageName};
use crate::state::{IterState, LANES};

const LANE: &str = "lane";
/// The greatest number of elements, and the time, that a thread collects before it hands them over.
const CHUNK: usize = 64;
const PATIENCE: Duration = Duration::from_millis(2);

/// A pipeline cut into lanes, whose elements come in turn: element i of the source is of lane i mod the number of lanes.
///
/// Each lane has stages of its own, with state of their own: filters, packing, windows. Hosts and threads each take some lanes, and a state holds the
/// position of each lane; so elements, order and positions are the same for any number of hosts and threads, and a run goes on with other numbers of
/// them. The next element is of the lane that has delivered the fewest ones, the first of these. Hosts whose number divides that of lanes, and which
/// step together, deliver the order of one host until a lane ends; any others deliver each element once.
///
/// The order is that of Grain with as many worker processes as there are lanes (`mp_prefetch`).
///
/// ```
/// use jarrah_data::{IterState, MapDataset, ReadOptions, ShardOptions};
/// let lanes = MapDataset::range(0, 24, 1).lanes(4, |lane| lane.to_iter().filter(|x| x % 5 != 0));
/// let whole: Vec<i64> = lanes.to_iter(ReadOptions::default()).iter()?.collect::<Result<_, _>>()?;
///
/// // Two hosts deliver three elements each, then three threads of one host the rest.
/// let (mut before, mut states) = (Vec::new(), Vec::new());
/// for host in 0..2 {
///     let shard = lanes.shard(ShardOptions::new(host, 2)?);
///     let mut iterator = shard.to_iter(ReadOptions::default()).iter()?;
///     before.push(iterator.by_ref().take(3).collect::<Result<Vec<i64>, _>>()?);
///     states.push(iterator.state());
/// }
/// let mut resumed = lanes.to_iter(ReadOptions { threads: 3, buffer: 8 }).iter()?;
/// resumed.set_state(&IterState::merge(&states)?)?;
/// let turns = (0..3).flat_map(|i| [before[0][i], before[1][i]]);
/// let rest: Vec<i64> = resumed.collect::<Result<_, _>>()?;
/// assert_eq!(turns.chain(rest).collect::<Vec<_>>(), whole);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Lanes<T> {
    lanes: Vec<(u64, IterDataset<T>)>,
    count: u64,
    lineage: Arc<Lineage>,
    fault: Option<Error>,
}

impl<T: Send + 'static> MapDataset<T> {
    /// The dataset in `count` lanes, each with the stages that `pipeline` puts behind it.
    ///
    /// No lane is an error of the result.
    #[track_caller]
    pub fn lanes<U: Send + 'static>(
        &self,
        count: u64,
        pipeline: impl Fn(MapDataset<T>) -> IterDataset<U>,
    ) -> Lanes<U> {
        let name = StageName::new(LANES);
        let step = i64::try_from(count).ok().filter(|&count| count > 0);
        let fault = step.is_none().then(|| name.fault("there must be at least one lane"));
        let lane = |lane: i64| {
            // A lane derives the seeds that the dataset derives.
            let lineage = self.lineage.clone();
            let slice = MapDataset { lineage, ..self.slice(Some(lane), None, step.unwrap_or(1)) };
            (lane as u64, pipeline(slice))
        };
        Lanes {
            lanes: (0..step.unwrap_or(0)).map(lane).collect(),
            count,
            lineage: Lineage::of(name, vec![self.lineage.clone()]),
            fault,
        }
    }
}

impl<T: Send + 'static> Lanes<T> {
    /// The number of lanes of all hosts.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The lanes of a host: those whose number modulo the number of hosts is the host's.
    pub fn shard(&self, shard: ShardOptions) -> Self {
        let own = |(number, _): &&(u64, IterDataset<T>)| number % shard.count() == shard.index();
        Lanes {
            lanes: self.lanes.iter().filter(own).cloned().collect(),
            count: self.count,
            lineage: self.lineage.clone(),
            fault: self.fault.clone(),
        }
    }

    /// The elements of the lanes in turn, made ahead by threads that share the lanes.
    pub fn to_iter(&self, options: ReadOptions) -> IterDataset<T> {
        let stage = self.fault.clone().map_or(Ok(()), Err).and_then(|()| {
            let lanes = self.lanes.iter().map(|(number, lane)| Ok((*number, lane.stage.clone()?)));
            let lanes = lanes.collect::<Result<Vec<_>>>()?;
            Ok(LaneStage { lanes, count: Some(self.count), options })
        });
        let lanes = self.lanes.iter().map(|(_, lane)| lane.lineage.clone()).collect();
        IterDataset::made(Lineage::with_lanes(&self.lineage, lanes), stage)
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// Makes up to `buffer` elements ahead on a thread of its own. Elements and positions stay the same.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let mut iterator = MapDataset::range(0, 9, 1).to_iter().prefetch(4).iter()?;
    /// assert_eq!(iterator.next().transpose()?, Some(0));
    /// assert_eq!(iterator.state().values(), [1]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn prefetch(&self, buffer: usize) -> Self {
        let name = StageName::new("prefetch");
        let options = ReadOptions { threads: 1, buffer };
        self.then(name, |parent, _| Ok(LaneStage { lanes: vec![(0, parent)], count: None, options }))
    }
}

struct LaneStage<T> {
    lanes: Vec<(u64, Arc<dyn IterStage<T>>)>,
    /// The number of all lanes; `None` for one lane that is the whole dataset, whose state is that of its parent.
    count: Option<u64>,
    options: ReadOptions,
}

impl<T: Send + 'static> IterStage<T> for LaneStage<T> {
    fn iter(&self, outer: Lane) -> Result<Box<dyn Advance<T>>> {
        let mut turns = Turns { lanes: Vec::new() };
        let mut stages = Vec::new();
        for (number, stage) in &self.lanes {
            let lane = self.count.map_or(outer, |count| Lane { index: *number, count });
            let iterator = stage.iter(lane)?;
            turns.lanes.push(Turn { number: *number, delivered: 0, ended: false, state: iterator.state() });
            stages.push((stage.clone(), lane, Some(iterator)));
        }
        Ok(Box::new(Merged { turns, stages, count: self.count, options: self.options, workers: None }))
    }
}

/// A lane's place in the order of turns, and its position.
#[derive(Clone)]
struct Turn {
    number: u64,
    delivered: u64,
    ended: bool,
    state: IterState,
}

#[derive(Clone)]
struct Turns {
    lanes: Vec<Turn>,
}

impl Turns {
    /// The lane whose turn it is.
    fn next(&self) -> Option<usize> {
        let open = self.lanes.iter().enumerate().filter(|(_, turn)| !turn.ended);
        open.min_by_key(|(_, turn)| (turn.delivered, turn.number)).map(|(i, _)| i)
    }

    /// Takes note of what a lane delivered.
    fn took(&mut self, lane: usize, delivered: bool) {
        let turn = &mut self.lanes[lane];
        turn.delivered += u64::from(delivered);
        turn.ended = !delivered;
    }
}

struct Merged<T> {
    turns: Turns,
    /// For each lane, its stage and its iterator, unless a worker has that.
    stages: Vec<(Arc<dyn IterStage<T>>, Lane, Option<Box<dyn Advance<T>>>)>,
    count: Option<u64>,
    options: ReadOptions,
    workers: Option<Vec<Worker<T>>>,
}

impl<T: Send + 'static> Merged<T> {
    fn start(&mut self) -> Result<Vec<Worker<T>>> {
        let count = self.options.threads.min(self.stages.len());
        let buffer = self.options.buffer / count.max(1);
        let mut workers = Vec::new();
        for worker in 0..count {
            let mut turns = Turns { lanes: Vec::new() };
            let mut lanes = Vec::new();
            for lane in (worker..self.stages.len()).step_by(count) {
                let (stage, place, iterator) = &mut self.stages[lane];
                let iterator = match iterator.take() {
                    Some(iterator) => iterator,
                    None => {
                        let mut iterator = stage.iter(*place)?;
                        iterator.set_state(&self.turns.lanes[lane].state)?;
                        iterator
                    }
                };
                turns.lanes.push(self.turns.lanes[lane].clone());
                lanes.push(iterator);
            }
            workers.push(Worker::start(turns, lanes, buffer)?);
        }
        Ok(workers)
    }
}

impl<T: Send + 'static> Advance<T> for Merged<T> {
    fn next(&mut self) -> Result<Option<T>> {
        if self.options.threads > 0 && self.workers.is_none() {
            self.workers = Some(self.start()?);
        }
        while let Some(lane) = self.turns.next() {
            let element = match (&mut self.workers, &mut self.stages[lane].2) {
                (Some(workers), _) => {
                    let count = workers.len();
                    let (element, state) = workers[lane % count].next()?;
                    self.turns.lanes[lane].state = state;
                    element
                }
                (None, Some(iterator)) => iterator.next()?,
                (None, None) => return Err(Error::internal("a lane has neither an iterator nor a thread")),
            };
            self.turns.took(lane, element.is_some());
            if element.is_some() {
                return Ok(element);
            }
        }
        Ok(None)
    }

    fn state(&self) -> IterState {
        let state = |lane: usize| match &self.stages[lane].2 {
            Some(iterator) => iterator.state(),
            None => self.turns.lanes[lane].state.clone(),
        };
        let Some(count) = self.count else { return state(0) };
        let lanes = self.turns.lanes.iter().enumerate();
        let lanes = lanes.map(|(lane, t)| {
            IterState::new(LANE, &[t.number, t.delivered, u64::from(t.ended)], vec![state(lane)])
        });
        IterState::new(LANES, &[count], lanes.collect())
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        self.workers = None;
        let mut states = Vec::new();
        let Some(own) = self.count else { return self.go_to(vec![(0, false, state)]) };
        let [count] = state.read(LANES, None)?;
        if own != count {
            return Err(Error::input(format!(
                "the data position is one of {count} lanes, but the pipeline has {own}"
            ))
            .help("keep the number of lanes; those of hosts and of threads may change"));
        }
        for turn in &self.turns.lanes {
            let Some(lane) = state.parents().iter().find(|lane| lane.values().first() == Some(&turn.number))
            else {
                return Err(Error::input(format!("the data position has no lane {}", turn.number))
                    .help("merge the positions of all hosts"));
            };
            let [_, delivered, ended] = lane.read(LANE, Some(1))?;
            if delivered >= ENDLESS {
                return Err(lane.unreachable());
            }
            states.push((delivered, ended != 0, &lane.parents()[0]));
        }
        self.go_to(states)
    }
}

impl<T: Send + 'static> Merged<T> {
    /// Puts each lane at its number of delivered elements, its end and its position.
    fn go_to(&mut self, states: Vec<(u64, bool, &IterState)>) -> Result<()> {
        for (lane, (delivered, ended, state)) in states.into_iter().enumerate() {
            let (stage, place, slot) = &mut self.stages[lane];
            let mut iterator = match slot.take() {
                Some(iterator) => iterator,
                None => stage.iter(*place)?,
            };
            iterator.set_state(state)?;
            let turn = &mut self.turns.lanes[lane];
            (turn.delivered, turn.ended, turn.state) = (delivered, ended, state.clone());
            *slot = Some(iterator);
        }
        Ok(())
    }
}

/// An element or the end of a lane, in the order of turns of the worker's lanes, and the lane's position behind it.
type Event<T> = Result<(Option<T>, IterState)>;

/// A thread with some of the lanes.
struct Worker<T> {
    queue: Option<Receiver<Vec<Event<T>>>>,
    received: VecDeque<Event<T>>,
    counters: Option<Arc<Counters>>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Worker<T> {
    fn start(turns: Turns, lanes: Vec<Box<dyn Advance<T>>>, buffer: usize) -> Result<Self> {
        let chunk = (buffer / 4).clamp(1, CHUNK);
        // Beside those in the queue there are a chunk that waits for room and, of more than one element, a chunk of which some are delivered.
        let (sender, queue) = sync_channel((buffer / chunk).saturating_sub(if chunk > 1 { 2 } else { 1 }));
        let probe = probe::here();
        let counters = probe.as_ref().map(|probe| probe.counters.clone());
        let thread = thread::Builder::new()
            .name("jarrah-data".to_owned())
            .spawn(move || probe::below(probe, |counters| work(turns, lanes, chunk, &sender, counters)))
            .map_err(|e| Error::environment(format!("cannot start a thread that makes data: {e}")))?;
        Ok(Worker { queue: Some(queue), received: VecDeque::new(), counters, thread: Some(thread) })
    }

    fn next(&mut self) -> Event<T> {
        loop {
            if let Some(event) = self.received.pop_front() {
                if let (Some(counters), Ok((Some(element), _))) = (&self.counters, &event) {
                    counters.release(bytes_of(element));
                }
                return event;
            }
            let events = probe::waiting(|| self.queue.as_ref().and_then(|queue| queue.recv().ok()));
            match events {
                Some(events) => self.received.extend(events),
                None => return Err(self.stopped()),
            }
        }
    }

    fn stopped(&mut self) -> Error {
        let panic = self.thread.take().and_then(|thread| thread.join().err());
        Error::internal(match panic.as_deref().and_then(panic_message) {
            Some(text) => format!("the data thread panicked: {text}"),
            None => "the data thread stopped".to_owned(),
        })
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        // Without a receiver the thread's next send fails, which ends it.
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // Nobody is left to report the thread's panic to, if it had one.
            let _ = thread.join();
        }
    }
}

fn work<T: 'static>(
    mut turns: Turns,
    mut lanes: Vec<Box<dyn Advance<T>>>,
    size: usize,
    sender: &SyncSender<Vec<Event<T>>>,
    counters: Option<&Counters>,
) {
    let mut events = Vec::with_capacity(size);
    let mut begun = Instant::now();
    while let Some(lane) = turns.next() {
        let element = lanes[lane].next();
        let failed = element.is_err();
        turns.took(lane, matches!(element, Ok(Some(_))));
        if let (Some(counters), Ok(Some(element))) = (counters, &element) {
            counters.take(bytes_of(element));
        }
        events.push(element.map(|element| (element, lanes[lane].state())));
        if failed || events.len() == size || begun.elapsed() > PATIENCE {
            let full = std::mem::replace(&mut events, Vec::with_capacity(size));
            if timed(counters, || sender.send(full)).is_err() || failed {
                return;
            }
            begun = Instant::now();
        }
    }
    // Nobody waits for the last events of a pipeline that was dropped.
    let _ = sender.send(events);
}

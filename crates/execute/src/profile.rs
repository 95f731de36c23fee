//! Profiles: the time that runs spend in each step.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jarrah_base::report;
use jarrah_runtime::{ObservedRun, ObservedStep, Observer, RunObserver, StepLabel, Transfer};

/// A step of profiled runs, or several steps of one kind at one line.
#[derive(Clone, Debug)]
pub struct ProfiledStep {
    /// The kind and the line of the step.
    pub label: StepLabel,
    /// The number of times that the step ran.
    pub count: u64,
    /// The total time of the step.
    pub time: Duration,
    /// The total number of floating-point operations.
    pub flops: f64,
    /// The total number of bytes read and written.
    pub bytes: f64,
}

/// The times of profiled runs.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The number of runs.
    pub runs: u64,
    /// The total time of the runs, each from copies of its arguments to the end of the last step.
    pub whole: Duration,
    /// The steps, the slowest first.
    pub steps: Vec<ProfiledStep>,
}

impl Profile {
    /// The total time of all steps, where threads ran some at once that of each; the rest of [`Profile::whole`] was spent between them.
    pub fn within_steps(&self) -> Duration {
        self.steps.iter().map(|step| step.time).sum()
    }
}

#[derive(Default, Clone, Copy)]
struct Entry {
    count: u64,
    time: Duration,
    flops: f64,
    bytes: f64,
}

impl Entry {
    fn take_in(&mut self, other: &Entry) {
        self.count += other.count;
        self.time += other.time;
        self.flops += other.flops;
        self.bytes += other.bytes;
    }

    fn line(&self, name: &str) -> String {
        let seconds = self.time.as_secs_f64().max(1e-9);
        let (gflops, gbytes) = (self.flops / seconds * 1e-9, self.bytes / seconds * 1e-9);
        format!("{:9.3} ms {:6}x {gflops:8.1} GFLOP/s {gbytes:7.1} GB/s  {name}", seconds * 1e3, self.count)
    }
}

/// Records the times of all steps that run on a client: `CpuOptions::profiler`.
///
/// Clones write to the same profile. Runs of several programs add up.
///
/// ```
/// use jarrah_base::{DType, Literal, Type};
/// use jarrah_cpu::{CpuClient, CpuOptions, Profiler};
/// use jarrah_hlo::Builder;
/// use jarrah_runtime::{Client, CompileOptions};
///
/// let mut b = Builder::new("double");
/// let x = b.param(Type::tensor(DType::F32, [3]), "x");
/// let y = b.add(x, x)?;
/// let program = b.finish(&[y])?;
///
/// let profiler = Profiler::new();
/// let client = CpuClient::with_options(CpuOptions { profiler: Some(profiler.clone()), ..CpuOptions::default() });
/// let double = client.compile(&program, &CompileOptions::default())?;
/// double.run(vec![client.upload(&Literal::from_slice(&[3], &[1.0f32, 2.0, 3.0])?)?])?[0].read()?;
/// let profile = profiler.take();
/// assert_eq!((profile.runs, profile.steps.len()), (1, 1));
/// assert_eq!((profile.steps[0].label.what.as_str(), profile.steps[0].flops), ("add", 3.0));
/// assert!(profile.within_steps() <= profile.whole);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Profiler {
    taken: Arc<Mutex<Taken>>,
    reports: bool,
}

#[derive(Debug, Default)]
struct Taken {
    runs: u64,
    whole: Duration,
    steps: BTreeMap<StepLabel, Entry>,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.line(""))
    }
}

impl Profiler {
    /// A profiler that has recorded nothing yet.
    pub fn new() -> Profiler {
        Profiler::default()
    }

    /// A profiler that prints the times of each run to the standard error, and keeps nothing.
    pub fn reporting() -> Profiler {
        Profiler { reports: true, ..Profiler::default() }
    }

    /// The profile of all runs since the last call.
    pub fn take(&self) -> Profile {
        let taken = std::mem::take(&mut *self.taken.lock().unwrap_or_else(PoisonError::into_inner));
        let step =
            |(label, Entry { count, time, flops, bytes })| ProfiledStep { label, count, time, flops, bytes };
        let mut steps: Vec<ProfiledStep> = taken.steps.into_iter().map(step).collect();
        steps.sort_by_key(|step| std::cmp::Reverse(step.time));
        Profile { runs: taken.runs, whole: taken.whole, steps }
    }

    /// Adds a run.
    fn add(&self, run: &Recorded, whole: Duration) {
        let ran = run.steps.iter().zip(&run.times).filter_map(|(step, (count, nanoseconds))| {
            let count = count.load(Ordering::Relaxed);
            let times = count as f64;
            let time = Duration::from_nanos(nanoseconds.load(Ordering::Relaxed));
            let entry = Entry { count, time, flops: step.flops * times, bytes: step.bytes * times };
            (count > 0 && !step.nests).then_some((&step.label, entry))
        });
        if self.reports {
            return report(text(&run.program, ran.collect(), whole));
        }
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.runs += 1;
        taken.whole += whole;
        for (label, entry) in ran {
            taken.steps.entry(label.clone()).or_default().take_in(&entry);
        }
    }
}

impl Observer for Profiler {
    fn run(&self, run: &ObservedRun<'_>) -> Option<Box<dyn RunObserver>> {
        Some(Box::new(Recorded {
            profiler: self.clone(),
            program: run.program.to_owned(),
            steps: run.steps.clone(),
            times: run.steps.iter().map(|_| Default::default()).collect(),
            began: Instant::now(),
        }))
    }

    fn transfer(&self, _: &Transfer) {}
}

/// A run that is being profiled.
struct Recorded {
    profiler: Profiler,
    program: String,
    steps: Arc<[ObservedStep]>,
    /// For each step, by its number, how often it ran and for how many nanoseconds.
    times: Vec<(AtomicU64, AtomicU64)>,
    began: Instant,
}

impl RunObserver for Recorded {
    fn step(&self, number: usize, began: Instant, ended: Instant) {
        let (count, nanoseconds) = &self.times[number];
        count.fetch_add(1, Ordering::Relaxed);
        nanoseconds.fetch_add((ended - began).as_nanos() as u64, Ordering::Relaxed);
    }

    fn end(self: Box<Self>) {
        let whole = self.began.elapsed();
        self.profiler.add(&self, whole);
    }
}

/// The report of a run: totals by kind of step, then the 30 slowest lines.
fn text(name: &str, entries: Vec<(&StepLabel, Entry)>, whole: Duration) -> String {
    let mut kinds: BTreeMap<&str, Entry> = BTreeMap::new();
    let mut places: BTreeMap<&StepLabel, Entry> = BTreeMap::new();
    for (label, entry) in &entries {
        kinds.entry(label.kind).or_default().take_in(entry);
        places.entry(label).or_default().take_in(entry);
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, e)| std::cmp::Reverse(e.time));
    let mut places: Vec<_> = places.into_iter().collect();
    places.sort_by_key(|(_, e)| std::cmp::Reverse(e.time));
    let mut lines = vec![format!("profile of {name}: {:.3} ms", whole.as_secs_f64() * 1e3)];
    lines.extend(kinds.iter().map(|(kind, entry)| entry.line(kind)));
    lines.push("longest:".to_owned());
    let place = |(label, entry): &(&StepLabel, Entry)| {
        entry.line(&format!("{}  {} {} {}", label.kind, label.types, label.scope, label.line))
    };
    lines.extend(places.iter().take(30).map(place));
    lines.join("\n")
}

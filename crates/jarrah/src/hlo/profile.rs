//! Where the time of a program goes, step by step.

use std::time::Duration;

use jarrah::Result;
use jarrah_base::parallel::cores;
use jarrah_cpu::threads::ThreadPool;
use jarrah_cpu::{CpuClient, CpuOptions, Profile, ProfiledStep, Profiler};
use jarrah_runtime::{Client, CompileOptions};

use super::stats::scaled;
use super::{inputs, load, tensors, time};
use crate::cli::Profile as Arguments;
use crate::machine::Machine;
use crate::output::show;

/// The resource that bounds a step's time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Arithmetic,
    Memory,
    /// Neither flops nor bytes are known of it.
    Unknown,
}

impl Bound {
    fn name(self) -> &'static str {
        match self {
            Bound::Arithmetic => "arithmetic",
            Bound::Memory => "memory",
            Bound::Unknown => "",
        }
    }
}

impl Machine {
    /// The resource that bounds work of so many operations and bytes, and the least time that the work takes.
    fn bound(&self, flops: f64, bytes: f64) -> (Bound, f64) {
        let (compute, memory) = (flops / self.flops, bytes / self.bytes);
        match () {
            () if compute > memory => (Bound::Arithmetic, compute),
            () if memory > 0.0 => (Bound::Memory, memory),
            () => (Bound::Unknown, 0.0),
        }
    }
}

pub fn profile(arguments: &Arguments) -> Result<()> {
    let file = load::file(&arguments.file)?;
    let inputs = arguments.inputs.as_deref().map(tensors::read).transpose()?;
    let program = match &inputs {
        Some(inputs) => file.program(Some(&inputs.types(&file)?))?,
        None => file.program(arguments.types.as_deref())?,
    };
    let program = jarrah_compiler::raise_attention(&program)?;
    let threads = if arguments.threads == 0 { CpuOptions::from_env().threads } else { arguments.threads };
    let pool = ThreadPool::new(threads.min(cores()));
    let machine = Machine::of(&pool, arguments.gflops, arguments.gbytes);
    drop(pool);
    let profiler = Profiler::new();
    let options = CpuOptions {
        threads,
        profiler: Some(profiler.clone()),
        // A run ends within its call, so that no other time is in it.
        asynchronous: false,
        ..CpuOptions::from_env()
    };
    let client = CpuClient::with_options(options);
    let executable = client.compile(&program, &CompileOptions::default())?;
    let random = inputs.is_none().then_some(arguments.random);
    let buffers = inputs::upload(&client, &program, inputs, random)?;
    let run = || -> Result<()> {
        let results = executable.run(buffers.clone())?;
        results.iter().try_for_each(|result| result.ready().wait())
    };
    run()?;
    profiler.take();
    for _ in 0..arguments.iterations {
        run()?;
    }
    let profile = profiler.take();
    if arguments.json {
        return show(&format!("{}\n", json(program.name(), &profile, &machine)));
    }
    show(&table(program.name(), &profile, &machine, arguments.top))
}

/// Seconds of one run.
fn each(profile: &Profile, time: Duration) -> f64 {
    time.as_secs_f64() / profile.runs.max(1) as f64
}

fn table(name: &str, profile: &Profile, machine: &Machine, top: usize) -> String {
    let runs = profile.runs.max(1) as f64;
    let whole = each(profile, profile.whole);
    let share = |seconds: f64| 100.0 * seconds / whole.max(1e-12);
    let mut text = format!(
        "{name}: {} a run, mean of {}; {:.0} GFLOP/s of f32 and {:.0} GB/s at most\n{:>10} {:>7} {:>7} {:>10} {:>10} {:>9} {:<10}  step\n",
        time(whole),
        super::count(profile.runs as usize, "run"),
        machine.flops / 1e9,
        machine.bytes / 1e9,
        "time",
        "share",
        "times",
        "flops",
        "bytes",
        "achieved",
        "bound by"
    );
    let mut row = |seconds: f64, count: f64, flops: f64, bytes: f64, what: &str| {
        let (bound, least) = machine.bound(flops, bytes);
        let achieved = match bound {
            Bound::Unknown => String::new(),
            _ => format!("{:.0} %", 100.0 * least / seconds.max(1e-12)),
        };
        text += &format!(
            "{:>10} {:>5.1} % {:>7} {:>10} {:>10} {:>9} {:<10}  {what}\n",
            time(seconds),
            share(seconds),
            count.round(),
            scaled(flops),
            scaled(bytes),
            achieved,
            bound.name()
        );
    };
    let mut rest = ProfiledSum::default();
    for (i, step) in profile.steps.iter().enumerate() {
        if i >= top {
            rest.add(step);
            continue;
        }
        let seconds = each(profile, step.time);
        let times = step.count as f64 / runs;
        row(seconds, times, step.flops / runs, step.bytes / runs, &step.label.to_string());
    }
    if rest.steps > 0 {
        let what = format!("({} more)", super::count(rest.steps, "step"));
        let seconds = each(profile, rest.time);
        row(seconds, rest.count as f64 / runs, rest.flops / runs, rest.bytes / runs, &what);
    }
    let between = profile.whole.saturating_sub(profile.within_steps());
    row(each(profile, between), 1.0, 0.0, 0.0, "(between steps)");
    let (flops, bytes) = totals(profile);
    row(whole, 1.0, flops / runs, bytes / runs, "whole");
    text
}

/// The sum over the steps that have no line of their own.
#[derive(Default)]
struct ProfiledSum {
    steps: usize,
    count: u64,
    time: Duration,
    flops: f64,
    bytes: f64,
}

impl ProfiledSum {
    fn add(&mut self, step: &ProfiledStep) {
        self.steps += 1;
        self.count += step.count;
        self.time += step.time;
        self.flops += step.flops;
        self.bytes += step.bytes;
    }
}

fn totals(profile: &Profile) -> (f64, f64) {
    profile.steps.iter().fold((0.0, 0.0), |(f, b), step| (f + step.flops, b + step.bytes))
}

fn json(name: &str, profile: &Profile, machine: &Machine) -> serde_json::Value {
    let runs = profile.runs.max(1) as f64;
    let steps = profile.steps.iter().map(|step| {
        let seconds = each(profile, step.time);
        let (flops, bytes) = (step.flops / runs, step.bytes / runs);
        let (bound, least) = machine.bound(flops, bytes);
        let label = &step.label;
        serde_json::json!({
            "kind": label.kind, "way": label.way.name(), "what": label.what, "types": label.types, "scope": label.scope, "line": label.line,
            "count": step.count as f64 / runs, "seconds": seconds, "flops": flops, "bytes": bytes,
            "bound": bound.name(), "achieved": least / seconds.max(1e-12),
        })
    });
    let between = profile.whole.saturating_sub(profile.within_steps());
    serde_json::json!({
        "program": name,
        "runs": profile.runs,
        "seconds": each(profile, profile.whole),
        "between_s": each(profile, between),
        "flops_per_s": machine.flops,
        "bytes_per_s": machine.bytes,
        "steps": steps.collect::<Vec<_>>(),
    })
}

//! `jarrah bench`: the times of this library for common work, next to JAX and PyTorch where Python has them.

mod load;
mod peer;
mod serving;
mod workloads;

use std::fs::{self, File};
use std::thread::sleep;
use std::time::{Duration, Instant};

use jarrah::{Error, Result};
use jarrah_base::parallel::cores;
use jarrah_cpu::threads::ThreadPool;
use jarrah_cpu::vector::Isa;
use serde_json::{Value, json};

use crate::cli::Bench;
use crate::hlo::time;
use crate::machine::Machine;
use crate::output::{note, show};
use jarrah_base::nearest;
use peer::Peer;
use workloads::{Made, Sizes, WORKLOADS, Workload};

/// The time in seconds that a round of a workload takes at least: short calls are repeated.
const ROUND: f64 = 0.02;
/// The most calls in a round.
const CALLS: usize = 2000;
/// How long everyone rests before a turn. Threads of frameworks spin for a while when they have done their work, and take
/// a core from whoever comes next.
const REST: Duration = Duration::from_millis(20);

/// The times of one workload.
struct Row {
    name: &'static str,
    what: String,
    /// Seconds of a call in each round.
    ours: Vec<f64>,
    /// The name of the workload that does this work in `f32`, and seconds of a call of it in each round.
    wide: Option<(&'static str, Vec<f64>)>,
    peers: Vec<Theirs>,
}

/// The times of a framework for the same workload.
struct Theirs {
    framework: &'static str,
    /// Whether it did all that it was asked for so far.
    works: bool,
    seconds: Vec<f64>,
    /// Why there are no times, or an oddity about them.
    remark: Option<String>,
}

pub fn bench(arguments: &Bench) -> Result<()> {
    if let Some(serving) = &arguments.serving {
        return serving::bench(serving);
    }
    if arguments.list {
        let line = |w: &Workload| format!("{:<23} {}\n", w.name, (w.what)(&Sizes::full()));
        return show(&WORKLOADS.iter().map(line).collect::<String>());
    }
    let chosen = chosen(&arguments.names)?;
    if let Some(path) = &arguments.json {
        // Fails before the minutes of measuring if the file cannot be written; its old content stays until there is a new one.
        File::options().create(true).append(true).open(path).map_err(|e| Error::io("write", path, &e))?;
    }
    let threads = if arguments.threads == 0 { cores().min(2) } else { arguments.threads };
    jarrah::train::use_threads(threads);
    let sizes = if arguments.tiny { Sizes::tiny() } else { Sizes::full() };
    let mut peer = match (&arguments.python, arguments.alone) {
        (_, true) => None,
        (python, false) => Peer::start(python.as_deref(), threads).map_err(|why| note(&why)).ok(),
    };
    let machine = machine(threads, peer.as_ref());
    show(&format!("{}\n{}", machine.0, head(peer.as_ref())))?;
    let mut rows = Vec::new();
    for workload in chosen {
        let row = measure(workload, &sizes, arguments.rounds, peer.as_mut())?;
        show(&line(&row, peer.as_ref()))?;
        rows.push(row);
    }
    show(&legend(&rows, peer.as_ref()))?;
    for row in &rows {
        for theirs in &row.peers {
            if let Some(remark) = &theirs.remark {
                note(&format!("[{} in {}: {remark}]", row.name, theirs.framework));
            }
        }
    }
    let Some(path) = &arguments.json else { return Ok(()) };
    let report = json!({"machine": machine.1, "workloads": rows.iter().map(json).collect::<Vec<_>>()});
    fs::write(path, format!("{report:#}\n")).map_err(|e| Error::io("write", path, &e))
}

fn chosen(names: &[String]) -> Result<Vec<&'static Workload>> {
    if names.is_empty() {
        return Ok(WORKLOADS.iter().collect());
    }
    let find = |name: &String| {
        WORKLOADS.iter().find(|w| w.name == name).ok_or_else(|| {
            let known: Vec<&str> = WORKLOADS.iter().map(|w| w.name).collect();
            let serving = ["throughput", "latency", "startup", "serve"];
            let error = Error::input(format!("there is no workload {name}"));
            error.help(match nearest(name, known.iter().chain(&serving).copied()) {
                Some(near) => format!("there is `{near}`"),
                None => {
                    format!("there are {}; and {} of a served model", known.join(", "), serving.join(", "))
                }
            })
        })
    };
    names.iter().map(find).collect()
}

/// The machine in words and as JSON.
fn machine(threads: usize, peer: Option<&Peer>) -> (String, Value) {
    let measured = Machine::of(&ThreadPool::new(threads), None, None);
    let (flops, bytes) = (measured.flops / 1e9, measured.bytes / 1e9);
    let said = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = said.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name).to_owned();
    let versions = peer.map_or(Value::Null, |peer| peer.versions.clone());
    let isa = format!("{:?}", Isa::detect()).to_lowercase();
    let text = format!("{model}, {isa}, {threads} of {} cores, {flops:.0} GFLOP/s, {bytes:.0} GB/s", cores());
    let value = json!({
        "model": model, "instructions": isa, "cores": cores(), "threads": threads, "gflops": flops, "gbytes": bytes, "peers": versions,
        "version": env!("CARGO_PKG_VERSION"), "optimized": !cfg!(debug_assertions),
    });
    (text, value)
}

/// Work that is made ready.
struct Ready {
    made: Made,
    /// How often it is called in a round.
    calls: usize,
}

impl Ready {
    fn of(workload: &Workload, sizes: &Sizes) -> Result<Ready> {
        let mut made = (workload.make)(sizes)?;
        (made.call)()?;
        let begun = Instant::now();
        (made.call)()?;
        let once = begun.elapsed().as_secs_f64();
        let calls = ((ROUND / once.max(1e-9)) as usize).clamp(1, if sizes.tiny { 2 } else { CALLS });
        Ok(Ready { made, calls })
    }

    /// The seconds of a call in one round. A call that is not counted brings back caches and threads, here as there.
    fn round(&mut self) -> Result<f64> {
        sleep(REST);
        (self.made.call)()?;
        let begun = Instant::now();
        for _ in 0..self.calls {
            (self.made.call)()?;
        }
        Ok(begun.elapsed().as_secs_f64() / self.calls as f64)
    }
}

/// The workload that does the same in `f32`: its name is this one's without the dtype.
fn in_f32(workload: &Workload) -> Option<&'static Workload> {
    const NARROW: [&str; 4] = ["bf16", "i8", "int8", "int4"];
    let parts = workload.name.split('-').filter(|part| !NARROW.contains(part));
    let name = parts.collect::<Vec<_>>().join("-");
    WORKLOADS.iter().find(|other| other.name == name && other.name != workload.name)
}

/// Rounds of ours and theirs in turn, so that a machine's moods hit all alike.
fn measure(
    workload: &'static Workload,
    sizes: &Sizes,
    rounds: usize,
    peer: Option<&mut Peer>,
) -> Result<Row> {
    let mut ready = Ready::of(workload, sizes)?;
    let (calls, check) = (ready.calls, ready.made.check);
    let mut wide = match in_f32(workload) {
        Some(other) => Some((Ready::of(other, sizes)?, other.name)),
        None => None,
    };
    let what = (workload.what)(sizes);
    let mut row = Row {
        name: workload.name,
        what,
        ours: Vec::new(),
        wide: wide.as_ref().map(|(_, name)| (*name, Vec::new())),
        peers: Vec::new(),
    };
    let mut peer = peer;
    if let Some(peer) = &mut peer {
        for framework in peer.frameworks() {
            let prepared = peer.prepare(framework, workload.name, sizes);
            let (works, remark) = match prepared {
                Err(why) => (false, Some(why)),
                Ok(theirs) => (true, differs(check, theirs)),
            };
            row.peers.push(Theirs { framework, works, seconds: Vec::new(), remark });
        }
    }
    for _ in 0..rounds {
        row.ours.push(ready.round()?);
        if let (Some((wide, _)), Some((_, seconds))) = (&mut wide, &mut row.wide) {
            seconds.push(wide.round()?);
        }
        let Some(peer) = &mut peer else { continue };
        for theirs in row.peers.iter_mut().filter(|theirs| theirs.works) {
            sleep(REST);
            match peer.run(theirs.framework, workload.name, calls) {
                Ok(seconds) => theirs.seconds.push(seconds),
                Err(why) => (theirs.works, theirs.remark) = (false, Some(why)),
            }
        }
    }
    Ok(row)
}

/// A remark for the case that the means of the results differ.
fn differs(ours: Option<f64>, theirs: Option<f64>) -> Option<String> {
    let (ours, theirs) = (ours?, theirs?);
    let apart = (ours - theirs).abs() > 1e-3 * ours.abs().max(theirs.abs()).max(1.0);
    apart.then(|| format!("the mean of its result is {theirs}, ours is {ours}"))
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

/// How many times longer the second took, the median of the rounds.
fn ratio(ours: &[f64], theirs: &[f64]) -> Option<f64> {
    median(&theirs.iter().zip(ours).map(|(t, o)| t / o.max(1e-12)).collect::<Vec<_>>())
}

/// The meaning of the columns of ratios.
fn legend(rows: &[Row], peer: Option<&Peer>) -> String {
    let mut text = String::new();
    if rows.iter().any(|row| row.wide.is_some()) {
        text += "of f32: the time over that of the same work in f32, which took turns with it; below 1 is faster\n";
    }
    if peer.is_some() {
        text += "times: how many times longer the other one took, the median of rounds in turn; above 1 it is slower\n";
    }
    text
}

fn head(peer: Option<&Peer>) -> String {
    let mut text = format!("{:<23} {:<42} {:>10} {:>7}", "workload", "what", "here", "of f32");
    for framework in peer.map(Peer::frameworks).unwrap_or_default() {
        text += &format!(" {:>10} {:>7}", peer::called(framework), "times");
    }
    text + "\n"
}

fn line(row: &Row, peer: Option<&Peer>) -> String {
    let wide = row.wide.as_ref().and_then(|(_, seconds)| ratio(seconds, &row.ours));
    let wide = wide.map_or(String::new(), |ratio| format!("{ratio:.2}"));
    let ours = median(&row.ours).map_or(String::new(), time);
    let mut text = format!("{:<23} {:<42} {ours:>10} {wide:>7}", row.name, row.what);
    for framework in peer.map(Peer::frameworks).unwrap_or_default() {
        let theirs = row.peers.iter().find(|theirs| theirs.framework == framework);
        let seconds = theirs.map_or(&[][..], |theirs| &theirs.seconds);
        let took = median(seconds).map_or("-".to_owned(), time);
        let times = ratio(&row.ours, seconds).map_or("-".to_owned(), |ratio| format!("{ratio:.2}x"));
        text += &format!(" {took:>10} {times:>7}");
    }
    text + "\n"
}

fn json(row: &Row) -> Value {
    let theirs = |theirs: &Theirs| {
        json!({
            "framework": theirs.framework, "seconds": theirs.seconds, "median_s": median(&theirs.seconds),
            "times": ratio(&row.ours, &theirs.seconds), "remark": theirs.remark,
        })
    };
    let wide = |(name, seconds): &(&str, Vec<f64>)| {
        json!({
            "name": name, "seconds": seconds, "median_s": median(seconds), "of": ratio(seconds, &row.ours),
        })
    };
    json!({
        "name": row.name, "what": row.what, "seconds": row.ours, "median_s": median(&row.ours),
        "f32": row.wide.as_ref().map(wide),
        "peers": row.peers.iter().map(theirs).collect::<Vec<_>>(),
    })
}

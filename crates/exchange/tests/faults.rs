//! One process of four is stopped, killed, slow, or writes garbage at a random moment.
//!
//! `JARRAH_TRIALS=200 cargo test -p jarrah-exchange faults` runs many trials.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jarrah_base::{Location, Result};
use jarrah_exchange::{CollectiveCall, Exchange, Launch, Tag};
use rustix::process::{Pid, Signal, getpid, kill_process};

use crate::processes::{Folder, PATIENCE, command};
use crate::random::Random;
use crate::scenario::{SUM, floats, sum};

const SIZE: usize = 4;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    Killed,
    Stopped,
    Slow,
    Socket,
    Memory,
    Ended,
}

const FAULTS: [Fault; 6] =
    [Fault::Killed, Fault::Stopped, Fault::Slow, Fault::Socket, Fault::Memory, Fault::Ended];

/// The fault of a seed, its rank, and its moment.
fn of(seed: u64) -> (Fault, usize, Duration) {
    let mut random = Random::new(seed + 1000);
    let victim = random.below(SIZE);
    (FAULTS[seed as usize % FAULTS.len()], victim, Duration::from_micros(random.below(400_000) as u64))
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs_f64()
}

/// A process of a trial.
pub fn member(exchange: Arc<dyn Exchange>, seed: u64, folder: &Path) {
    let (fault, victim, moment) = of(seed);
    let rank = exchange.rank();
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(60));
        eprintln!("a process hangs");
        std::process::exit(98);
    });
    let (is_slow, ends) = (AtomicBool::new(false), AtomicBool::new(false));
    let result = std::thread::scope(|scope| {
        if rank == victim {
            scope.spawn(|| {
                std::thread::sleep(moment);
                let mut random = Random::new(seed + 7);
                let mut noted = fs::File::create(folder.join("fault")).expect("a file");
                let mut note = || noted.write_all(now().to_string().as_bytes()).expect("written");
                match fault {
                    Fault::Killed => {
                        note();
                        let _ = kill_process(getpid(), Signal::KILL);
                    }
                    Fault::Stopped => {
                        fs::write(folder.join("stopped"), getpid().as_raw_nonzero().to_string())
                            .expect("written");
                        note();
                        // A shell that ends continues the stopped processes of its jobs.
                        for _ in 0..100 {
                            let _ = kill_process(getpid(), Signal::STOP);
                        }
                    }
                    Fault::Slow => is_slow.store(true, SeqCst),
                    Fault::Ended => {
                        note();
                        ends.store(true, SeqCst);
                    }
                    Fault::Socket => {
                        note();
                        write_to_sockets(&mut random);
                    }
                    Fault::Memory => {
                        note();
                        // Again and again, as what is written is soon written over.
                        for _ in 0..40 {
                            write_to_memory(&mut random);
                            std::thread::sleep(Duration::from_millis(1));
                        }
                    }
                }
            });
        }
        let runs: Vec<_> = (0..2)
            .map(|run| {
                let (exchange, is_slow, ends) = (&exchange, &is_slow, &ends);
                scope.spawn(move || work(&**exchange, run, seed, fault, is_slow, ends))
            })
            .collect();
        runs.into_iter().map(|run| run.join().expect("no panic")).collect::<Vec<_>>()
    });
    let mut report = String::new();
    for result in result {
        report += &match result {
            Ok(()) => "fine\n".to_owned(),
            Err(error) => format!("{} {}\n", now(), error.to_string().replace('\n', " ")),
        };
    }
    fs::write(folder.join(format!("report-{rank}")), report).expect("written");
    // All later calls fail at once with the same cause.
    if exchange.close().is_err() {
        let collective = CollectiveCall::new("later", Tag::default());
        assert!(exchange.barrier(&collective, &[0, 1, 2, 3]).is_err());
    }
}

/// Collectives until one fails or the time is over; each result is checked.
fn work(
    exchange: &dyn Exchange,
    run: u64,
    seed: u64,
    fault: Fault,
    is_slow: &AtomicBool,
    ends: &AtomicBool,
) -> Result<()> {
    let group: Vec<usize> = (0..SIZE).collect();
    let mut random = Random::new(seed * 2 + run);
    let start = Instant::now();
    // A stop takes the silence to be noticed; the slow are slow for longer than that.
    let limit = match fault {
        Fault::Killed | Fault::Stopped | Fault::Ended => Duration::from_secs(30),
        _ => PATIENCE.silence * 2 + Duration::from_millis(500),
    };
    for step in 0.. {
        let named = |name, turn| {
            let tag = Tag { run: run as u32, step, turn, ..Tag::default() };
            CollectiveCall::new(name, tag).at(Location::new("tests/fault.rs", 100 + run as u32, 1))
        };
        let data = random.next();
        let count = [10, 1000, 30_000, 150_000][random.below(4)] + random.below(9);
        let mut bytes = floats(data, exchange.rank(), count);
        exchange.all_reduce(&named("all_reduce", 0), &group, &mut bytes, SUM)?;
        if bytes != sum(data, &group, count) {
            eprintln!("a wrong number on rank {} in step {step}", exchange.rank());
            std::process::exit(99);
        }
        if is_slow.swap(false, SeqCst) {
            std::thread::sleep(PATIENCE.silence + Duration::from_secs(1));
        }
        if ends.load(SeqCst) {
            exchange.abort("its disk is full");
        }
        let mut goes_on = [u8::from(start.elapsed() < limit)];
        exchange.broadcast(&named("broadcast", 1), &group, 0, &mut goes_on)?;
        if goes_on == [0] {
            break;
        }
    }
    Ok(())
}

fn noise(random: &mut Random, length: usize) -> Vec<u8> {
    (0..length).map(|_| random.next() as u8).collect()
}

/// Writes garbage to every socket of this process.
fn write_to_sockets(random: &mut Random) {
    let own =
        rustix::process::pidfd_open(getpid(), rustix::process::PidfdFlags::empty()).expect("own process");
    for entry in fs::read_dir("/proc/self/fd").expect("own files").flatten() {
        let is_socket =
            fs::read_link(entry.path()).is_ok_and(|target| target.to_string_lossy().starts_with("socket:"));
        let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let (true, Some(number)) = (is_socket, number) {
            let flags = rustix::process::PidfdGetfdFlags::empty();
            let Ok(file) = rustix::process::pidfd_getfd(&own, number, flags) else { continue };
            let length = 40 + random.below(200);
            let _ = rustix::io::write(file, &noise(random, length));
        }
    }
}

/// Writes garbage to the memory that this process writes for one of its peers.
fn write_to_memory(random: &mut Random) {
    let maps = fs::read_to_string("/proc/self/maps").expect("own maps");
    let written: Vec<u64> = maps
        .lines()
        .filter(|line| line.contains("/memfd:jarrah-") && !line.contains("bell") && line.contains(" rw-s "))
        .map(|line| u64::from_str_radix(line.split('-').next().expect("a range"), 16).expect("an address"))
        .collect();
    assert_eq!(written.len(), SIZE - 1, "one memory for each peer: {maps}");
    let start = written[random.below(written.len())];
    let mut memory = fs::OpenOptions::new().write(true).open("/proc/self/mem").expect("own memory");
    let mut put = |offset: u64, bytes: &[u8]| {
        memory.seek(SeekFrom::Start(start + offset)).expect("a place");
        memory.write_all(bytes).expect("the memory is this process's own");
    };
    let (counts, small, large) = (4096, 1 << 18, 1 << 20);
    match random.below(8) {
        0 => put(0, &noise(random, counts)),
        1 => put(counts as u64, &noise(random, small)),
        2 => put((counts + small) as u64, &noise(random, large)),
        // A few bytes here and there, which are mostly in the middle of payloads.
        _ => (0..200).for_each(|_| {
            let offset = counts + random.below(small + large - 8);
            put(offset as u64, &noise(random, 8));
        }),
    }
}

/// The reports of a trial's survivors are as they must be; otherwise, what is wrong.
fn judge(seed: u64, folder: &Path) -> std::result::Result<bool, String> {
    let (fault, victim, _) = of(seed);
    let read = |name: String| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let is_over = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        // The launcher has no reason to end a stopped process when all others have ended well.
        scope.spawn(|| {
            let reported =
                || (0..SIZE).all(|rank| rank == victim || !read(format!("report-{rank}")).is_empty());
            while !is_over.load(SeqCst) && !reported() {
                std::thread::sleep(Duration::from_millis(20));
            }
            let stopped = read("stopped".into()).parse().ok().and_then(Pid::from_raw);
            if let Some(process) = stopped {
                let _ = kill_process(process, Signal::KILL);
            }
        });
        let mut launch = Launch::new(SIZE, |_| command("fault", seed, folder));
        launch.grace = Duration::from_secs(11);
        launch.prefix = false;
        let ended = launch.run().map_err(|error| error.to_string());
        is_over.store(true, SeqCst);
        ended
    })?;
    let begun: Option<f64> = read("fault".into()).parse().ok();
    let mut noticed = 0;
    for process in &ended {
        if process.rank == victim && matches!(fault, Fault::Killed | Fault::Stopped) {
            continue;
        }
        if process.by_launcher || !process.status.success() {
            return Err(format!("rank {} hung or failed: {process:?}", process.rank));
        }
        let report = read(format!("report-{}", process.rank));
        if report.lines().count() != 2 {
            return Err(format!("rank {} has no report", process.rank));
        }
        for (run, line) in report.lines().enumerate().filter(|(_, line)| *line != "fine") {
            noticed += 1;
            let (at, error) = line.split_once(' ').ok_or("no time")?;
            let late =
                at.parse::<f64>().map_err(|e| e.to_string())? - begun.ok_or("an error without a fault")?;
            let parts =
                [format!("process {victim} "), format!("tests/fault.rs:{}", 100 + run), "step ".into()];
            if let Some(missing) = parts.iter().find(|part| !error.contains(&***part)) {
                return Err(format!("rank {} does not say {missing:?}: {error}", process.rank));
            }
            if !error.contains("[all_reduce]") && !error.contains("[broadcast]") {
                return Err(format!("rank {} does not name the collective: {error}", process.rank));
            }
            let kind = match fault {
                Fault::Killed => "without a goodbye",
                Fault::Stopped => "no sign of life",
                Fault::Ended => "failed: its disk is full",
                Fault::Socket | Fault::Memory => "is faulty",
                Fault::Slow => "no error at all",
            };
            if !error.contains(kind) {
                return Err(format!("rank {} gives another cause than {kind:?}: {error}", process.rank));
            }
            if late > 10.0 {
                return Err(format!("rank {} needed {late:.1} s: {error}", process.rank));
            }
        }
    }
    let expected = match fault {
        Fault::Killed | Fault::Stopped => Some(2 * (SIZE - 1)),
        Fault::Ended | Fault::Socket => Some(2 * SIZE),
        Fault::Slow => Some(0),
        // Garbage where nothing is read does no harm.
        Fault::Memory => None,
    };
    match expected {
        Some(expected) if noticed != expected => Err(format!("{noticed} of {expected} runs noticed")),
        _ => Ok(noticed > 0),
    }
}

#[test]
fn every_survivor_names_the_faulty() {
    let trials: u64 = std::env::var("JARRAH_TRIALS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let mut noticed = [0; FAULTS.len()];
    for seed in 0..trials {
        let folder = Folder::new(&format!("fault-{seed}"));
        match judge(seed, &folder.0) {
            Ok(was_noticed) => noticed[seed as usize % FAULTS.len()] += u32::from(was_noticed),
            Err(problem) => panic!("trial {seed}, {:?}: {problem}", of(seed)),
        }
    }
    println!("noticed in {trials} trials: {:?}", FAULTS.iter().zip(noticed).collect::<Vec<_>>());
}

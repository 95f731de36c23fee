//! The form of MPI, under the system's `mpirun`: `cargo test -p jarrah-exchange --features mpi mpi`.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use jarrah_exchange::{CollectiveCall, Tag, mpi};

use crate::processes::{Folder, PATIENCE, command};
use crate::scenario::{SUM, floats, sum};
use crate::standing;

/// Runs a role on so many processes that `mpirun` starts, and the time that it took.
fn mpirun(size: usize, role: &str, seed: u64, folder: &Path) -> (ExitStatus, Duration) {
    let child = command(role, seed, folder);
    let mut run = Command::new("mpirun");
    run.args(["--allow-run-as-root", "--oversubscribe", "-n", &size.to_string()]);
    run.arg(child.get_program()).args(child.get_args());
    run.envs(child.get_envs().filter_map(|(name, value)| Some((name, value?))));
    run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begun = Instant::now();
    (run.status().expect("mpirun is installed"), begun.elapsed())
}

#[test]
fn processes_of_mpi_compute_the_bits_of_straightforward_computation() {
    let folder = Folder::new("mpi-collectives");
    for (size, seed) in [(4, 1), (3, 2), (1, 3)] {
        let (status, _) = mpirun(size, "collectives", seed, &folder.0);
        assert!(status.success(), "{size} processes: {status}");
    }
}

/// The number of processes, the one at fault, and its faults.
const SIZE: usize = 3;
const AT_FAULT: usize = 1;
const STOPS: u64 = 0;
const DIES: u64 = 1;
const ABORTS: u64 = 2;

/// A process of a run in which one has a fault in its third step.
pub fn member(fault: u64, folder: &Path) {
    let exchange = mpi(&PATIENCE).unwrap();
    let rank = exchange.rank();
    let group: Vec<usize> = (0..SIZE).collect();
    for step in 0.. {
        if step == 3 && rank == AT_FAULT {
            match fault {
                STOPS => {
                    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP)
                        .unwrap()
                }
                DIES => std::process::exit(7),
                _ => exchange.abort("its disk is full"),
            }
        }
        let call = CollectiveCall::new("all_reduce", Tag { step, ..Tag::default() });
        let count = [10, 300_000][step as usize % 2];
        let mut bytes = floats(u64::from(step), rank, count);
        match exchange.all_reduce(&call, &group, &mut bytes, SUM) {
            Ok(()) => assert!(bytes == sum(u64::from(step), &group, count), "a wrong number"),
            Err(error) => {
                fs::write(folder.join(format!("{fault}-{rank}")), error.to_string()).unwrap();
                // The launcher ends all when the first ends without a goodbye to MPI.
                std::thread::sleep(Duration::from_secs(1));
                std::process::exit(1);
            }
        }
    }
}

/// The process that ends later than the other, and the one that sends to a process that has said goodbye.
const LATE: u64 = 0;
const SENDS: u64 = 1;

/// A process of a run of two whose ends differ.
pub fn end(case: u64) {
    let exchange = mpi(&PATIENCE).unwrap();
    let call = CollectiveCall::new("send", Tag::default());
    match (case, exchange.rank()) {
        (LATE, 0) => std::thread::sleep(PATIENCE.silence * 2),
        (SENDS, 0) => {
            let error = exchange.send(&call, 1, &vec![0; 8 << 20]).unwrap_err().to_string();
            assert!(error.contains("process 1 has ended, or given up its devices"), "{error}");
            return;
        }
        (SENDS, _) => {
            assert!(exchange.close().is_err());
            return;
        }
        _ => {}
    }
    // As a static does: the end of the process closes it.
    std::mem::forget(exchange);
    std::process::exit(0);
}

/// The cases of processes that diverge: whether the first ends its run, and the bytes of the messages.
const DIVERGING: [(bool, usize); 4] = [(false, 100), (false, 3_000_000), (true, 100), (true, 3_000_000)];

/// A process of two that wait for each other for ever.
pub fn diverge(case: u64, folder: &Path) {
    let exchange = mpi(&PATIENCE).unwrap();
    let (ends, bytes) = DIVERGING[case as usize];
    if let Some(error) = standing::diverge(&*exchange, ends, bytes) {
        fs::write(folder.join(format!("{case}-{}", exchange.rank())), error).unwrap();
    }
    std::process::exit(0);
}

#[test]
fn processes_of_mpi_that_wait_for_each_other_for_ever_end() {
    let folder = Folder::new("mpi-diverge");
    for (case, (ends, _)) in DIVERGING.into_iter().enumerate() {
        mpirun(2, "mpi-diverge", case as u64, &folder.0);
        for rank in usize::from(ends)..2 {
            let report = fs::read_to_string(folder.0.join(format!("{case}-{rank}"))).unwrap();
            assert!(standing::is_told(&report, ends), "{report}");
        }
    }
}

#[test]
fn a_process_of_mpi_waits_at_its_end_for_those_that_live() {
    let folder = Folder::new("mpi-end");
    let (status, took) = mpirun(2, "mpi-end", LATE, &folder.0);
    assert!(status.success() && took >= PATIENCE.silence * 2, "{status} after {took:?}");
}

#[test]
fn a_large_message_of_mpi_to_a_process_that_has_left_fails() {
    let folder = Folder::new("mpi-sends");
    let (_, took) = mpirun(2, "mpi-end", SENDS, &folder.0);
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn a_lost_rank_of_mpi_is_named_and_all_end() {
    let folder = Folder::new("mpi-faults");
    for (fault, said) in [(STOPS, "process 1 is lost"), (ABORTS, "process 1 failed: its disk is full")] {
        let (status, took) = mpirun(SIZE, "mpi-fault", fault, &folder.0);
        assert!(!status.success());
        assert!(took < Duration::from_secs(10), "{took:?}");
        for rank in [0, 2] {
            let report = fs::read_to_string(folder.0.join(format!("{fault}-{rank}"))).unwrap();
            assert!(report.contains(said) && report.contains("step 3"), "{report}");
        }
    }
    let (status, took) = mpirun(SIZE, "mpi-fault", DIES, &folder.0);
    assert!(!status.success());
    assert!(took < Duration::from_secs(10), "{took:?}");
}

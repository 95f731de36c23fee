//! Processes of this binary: they run the test `child`, which does what their role says.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jarrah_exchange::{
    ADDRESS, CollectiveCall, Ended, Exchange, Launch, Patience, RANK, ReceiveInto, Rendezvous, Tag,
    WORLD_SIZE, join,
};
use rustix::process::Pid;

use crate::collectives::on_threads;
use crate::{faults, scenario};

const ROLE: &str = "JARRAH_EXCHANGE_TEST_ROLE";
const FOLDER: &str = "JARRAH_EXCHANGE_TEST_FOLDER";
const SEED: &str = "JARRAH_EXCHANGE_TEST_SEED";

/// The command of a process with a role.
pub fn command(role: &str, seed: u64, folder: &std::path::Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command.args(["processes::child", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, role).env(SEED, seed.to_string()).env(FOLDER, folder).env("RUST_BACKTRACE", "0");
    command.stdout(std::process::Stdio::null());
    command
}

/// A folder for what processes report.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("jarrah-test-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a new folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A short silence, for tests that wait for it.
pub const PATIENCE: Patience =
    Patience { silence: Duration::from_millis(1500), join: Duration::from_secs(60) };

/// Joins as the environment says, with little patience.
fn joined() -> Arc<dyn Exchange> {
    let variable = |name| std::env::var(name).expect("a variable of the launcher");
    let number = |name| variable(name).parse().expect("a number");
    join(variable(ADDRESS).as_ref(), number(RANK), number(WORLD_SIZE), &PATIENCE).expect("all join")
}

/// The entry of processes that other tests start; without a role, nothing.
#[test]
fn child() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let seed = std::env::var(SEED).expect("a seed").parse().expect("a number");
    let folder = PathBuf::from(std::env::var(FOLDER).expect("a folder"));
    match &*role {
        "collectives" => {
            let exchange = jarrah_exchange::from_env().unwrap().expect("the launcher's environment");
            std::thread::scope(|scope| {
                for run in 0..2 {
                    let exchange = &exchange;
                    scope.spawn(move || scenario::check(&**exchange, run, seed + run, 12).unwrap());
                }
            });
            exchange.close().unwrap();
        }
        "environment" => crate::environment::say(&folder),
        "fault" => faults::member(joined(), seed, &folder),
        #[cfg(feature = "mpi")]
        "mpi-fault" => crate::mpi::member(seed, &folder),
        #[cfg(feature = "mpi")]
        "mpi-end" => crate::mpi::end(seed),
        #[cfg(feature = "mpi")]
        "mpi-diverge" => crate::mpi::diverge(seed, &folder),
        "forgets" => {
            let exchange = joined();
            if exchange.rank() == 0 {
                // As a static does.
                std::mem::forget(exchange);
                std::process::exit(0);
            }
            std::thread::sleep(PATIENCE.silence);
            let collective = CollectiveCall::new("barrier", Tag::default());
            let error = exchange.barrier(&collective, &[0, 1]).unwrap_err().to_string();
            assert!(error.contains("process 0 has ended, or given up its devices"), "{error}");
        }
        "fails" => {
            println!("a line of rank {}", std::env::var(RANK).unwrap());
            let exchange = joined();
            if exchange.rank() == 1 {
                std::process::exit(7);
            }
            let collective = CollectiveCall::new("barrier", Tag::default());
            assert!(exchange.barrier(&collective, &[0, 1, 2]).unwrap_err().to_string().contains("process 1"));
            if exchange.rank() == 2 {
                // It neither ends nor answers the first request to.
                std::thread::sleep(Duration::from_secs(600));
            }
        }
        "waits" => {
            let exchange = jarrah_exchange::from_env().map(|exchange| exchange.map(|e| e.rank()));
            let error = exchange.expect_err("one never joins").to_string();
            std::fs::write(folder.join(std::env::var(RANK).unwrap()), error).expect("written");
            std::process::exit(4);
        }
        "stops" => {
            let exchange = joined();
            let collective =
                CollectiveCall::new("barrier", Tag::default()).at(jarrah_base::Location::new("a.py", 3, 1));
            if exchange.rank() == 1 {
                exchange.barrier(&collective, &[0, 1, 2]).unwrap();
                let _ =
                    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP);
            }
            let later = CollectiveCall { tag: Tag { step: 1, ..Tag::default() }, ..collective };
            let met = exchange.barrier(&collective, &[0, 1, 2]);
            let error = met.and_then(|()| exchange.barrier(&later, &[0, 1, 2])).unwrap_err().to_string();
            std::fs::write(folder.join(exchange.rank().to_string()), error).expect("written");
            if seed == 1 {
                std::thread::sleep(Duration::from_secs(600));
            }
            std::process::exit(4);
        }
        "launches-many" => {
            let ended = Launch::new(3, |_| command("collectives", seed, &folder)).run().unwrap();
            assert!(ended.iter().all(|process| process.status.success()), "{ended:?}");
        }
        "launches" => {
            let path = folder.join("process");
            let sleeps = Launch::new(1, |_| {
                let mut command = Command::new("sh");
                command.args(["-c", &format!("echo $$ > {} && exec sleep 60", path.display())]);
                command
            });
            sleeps.run().unwrap();
        }
        role => panic!("no role {role}"),
    }
}

/// A process by the number that is written to a file.
fn process_of(file: &std::path::Path) -> Pid {
    loop {
        if let Ok(text) = std::fs::read_to_string(file)
            && let Some(process) = text.strip_suffix('\n').and_then(|text| Pid::from_raw(text.parse().ok()?))
        {
            return process;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits for the end of a process; then the number is gone, or that of one that has ended and that nobody waits for.
fn assert_ends(process: Pid) {
    let begun = Instant::now();
    let is_alive = || {
        let stat =
            std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
    };
    while is_alive() {
        assert!(begun.elapsed() < Duration::from_secs(5), "process {process:?} lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The path of a socket has a limit, that of a folder for temporary files has not.
#[test]
fn processes_meet_in_a_folder_with_a_long_path() {
    let folder = Folder::new("long");
    let long = folder.0.join("a".repeat(200));
    std::fs::create_dir(&long).expect("a folder");
    let mut launcher = command("launches-many", 1, &folder.0);
    let launched = launcher.env("TMPDIR", long).output().expect("a launcher");
    assert!(launched.status.success(), "{}", String::from_utf8_lossy(&launched.stderr));
}

/// Runs `f` on a thread for each rank of one machine's form.
pub fn on_local<R: Send>(size: usize, f: impl Fn(Arc<dyn Exchange>) -> R + Sync) -> Vec<R> {
    let rendezvous = Rendezvous::create().expect("a folder");
    let (f, address) = (&f, rendezvous.address());
    std::thread::scope(|scope| {
        let member = |rank| move || f(join(address, rank, size, &PATIENCE).expect("all join"));
        let ranks: Vec<_> = (0..size).map(|rank| scope.spawn(member(rank))).collect();
        ranks.into_iter().map(|rank| rank.join().expect("no rank panics")).collect()
    })
}

#[test]
fn processes_compute_the_bits_of_straightforward_computation() {
    let folder = Folder::new("collectives");
    for (size, seed) in [(4, 1), (3, 2), (1, 3)] {
        let ended = Launch::new(size, |_| command("collectives", seed, &folder.0)).run().unwrap();
        assert_eq!(ended.len(), size);
        assert!(ended.iter().all(|process| process.status.success()), "{ended:?}");
    }
}

#[test]
fn threads_and_shared_memory_give_the_same_bits_twice() {
    let sum = |exchange: Arc<dyn Exchange>| {
        let mut bytes = scenario::floats(5, exchange.rank(), 100_003);
        let collective = CollectiveCall::new("all_reduce", Tag::default());
        exchange.all_reduce(&collective, &[2, 0, 1], &mut bytes, scenario::SUM).unwrap();
        bytes
    };
    let expected = vec![scenario::sum(5, &[2, 0, 1], 100_003); 3];
    assert!(expected[0] != scenario::sum(5, &[0, 1, 2], 100_003), "the order shows in the bits");
    for _ in 0..2 {
        assert!(on_threads(3, sum) == expected);
        assert!(on_local(3, sum) == expected);
    }
}

#[test]
fn a_process_that_ends_without_closing_its_exchange_says_goodbye() {
    let folder = Folder::new("forgets");
    let ended = Launch::new(2, |_| command("forgets", 0, &folder.0)).run().unwrap();
    assert!(ended.iter().all(|process| process.status.success()), "{ended:?}");
}

#[test]
fn a_finished_process_is_not_lost() {
    on_local(2, |exchange| {
        let collective = CollectiveCall::new("send", Tag::default());
        if exchange.rank() == 0 {
            exchange.send(&collective, 1, b"before the goodbye").unwrap();
            return;
        }
        // Longer than the silence after which a process is lost.
        std::thread::sleep(PATIENCE.silence * 2);
        let mut bytes = Vec::new();
        exchange.receive(&collective, 0, ReceiveInto::Any(&mut bytes)).unwrap();
        assert_eq!(bytes, b"before the goodbye");
        let error = exchange.send(&collective, 0, b"after it").unwrap_err().to_string();
        assert!(error.contains("process 0 has ended, or given up its devices"), "{error}");
    });
}

#[test]
fn the_launcher_ends_the_rest_after_a_failure() {
    let folder = Folder::new("fails");
    let mut launch = Launch::new(3, |_| command("fails", 0, &folder.0));
    launch.grace = Duration::from_secs(2);
    let ended: Vec<Ended> = launch.run().unwrap();
    let of = |rank| ended.iter().find(|process| process.rank == rank).expect("each rank ends");
    assert_eq!((of(1).status.code(), of(1).by_launcher), (Some(7), false));
    assert!(of(0).status.success(), "{ended:?}");
    assert!(of(2).by_launcher && !of(2).status.success(), "{ended:?}");
    assert_eq!(ended.iter().find(|process| !process.status.success()).map(|first| first.rank), Some(1));
}

/// The folder of a launcher that was killed goes when the next one starts; folders in use and others' folders stay.
#[test]
fn the_folder_of_a_killed_launcher_is_removed_by_the_next() {
    let left = Rendezvous::create().expect("a folder");
    let used = Rendezvous::create().expect("a folder");
    let (path, kept) = (left.address().to_path_buf(), used.address().to_path_buf());
    let old = std::time::SystemTime::now() - Duration::from_secs(600);
    for folder in [&path, &kept] {
        std::fs::File::open(folder).expect("a folder").set_modified(old).expect("an old folder");
    }
    // As if its process had been killed: the lock goes, the folder stays.
    let copy = path.with_extension("copy");
    std::fs::create_dir(&copy).expect("a copy");
    std::fs::set_permissions(&copy, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("a copy");
    std::fs::copy(path.join("secret"), copy.join("secret")).expect("a copy");
    drop(left);
    std::fs::rename(&copy, &path).expect("the folder again");
    std::fs::File::open(&path).expect("a folder").set_modified(old).expect("an old folder");
    // A folder of somebody else's that is named like one, with more in it.
    let strange = path.with_file_name("jarrah-0123456789abcdef");
    std::fs::create_dir_all(&strange).expect("a folder");
    std::fs::set_permissions(&strange, std::os::unix::fs::PermissionsExt::from_mode(0o700))
        .expect("a folder");
    std::fs::copy(kept.join("secret"), strange.join("secret")).expect("a copy");
    std::fs::write(strange.join("thesis"), "a year of work").expect("a file");
    std::fs::File::open(&strange).expect("a folder").set_modified(old).expect("an old folder");
    drop(Rendezvous::create().expect("a folder"));
    assert!(!path.exists() && kept.exists() && strange.join("thesis").exists());
    std::fs::remove_dir_all(&strange).expect("a folder");
}

/// A launcher that is killed takes its processes with it.
#[test]
fn the_processes_of_a_killed_launcher_end() {
    let folder = Folder::new("killed-launcher");
    let mut launcher = command("launches", 0, &folder.0).spawn().expect("a launcher");
    let process = process_of(&folder.0.join("process"));
    assert!(rustix::process::test_kill_process(process).is_ok());
    launcher.kill().expect("a launcher");
    launcher.wait().expect("a launcher");
    assert_ends(process);
}

/// Processes that wait for one that has ended, with or without success, hear of it at once.
#[test]
fn a_process_that_ends_before_it_joins_is_told_to_those_that_wait() {
    for code in [3, 0] {
        for never in [0, 1, 2] {
            let folder = Folder::new(&format!("never-{code}-{never}"));
            let begun = Instant::now();
            let launch = Launch::new(3, |rank| match rank == never {
                true => {
                    let mut command = Command::new("sh");
                    command.args(["-c", &format!("sleep 0.3; exit {code}")]);
                    command
                }
                false => command("waits", 0, &folder.0),
            });
            let ended = launch.run().unwrap();
            assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
            assert_eq!((ended[0].rank, ended[0].status.code()), (never, Some(code)), "{ended:?}");
            for rank in (0..3).filter(|&rank| rank != never) {
                let error = std::fs::read_to_string(folder.0.join(rank.to_string())).expect("an error");
                let words = format!("process {never} ended before it joined the run (exit status: {code})");
                assert!(error.contains(&words), "{rank}: {error}");
            }
        }
    }
}

/// A shell that starts the process of a run in the background ends with it.
#[test]
fn what_a_process_has_started_ends_with_it() {
    let folder = Folder::new("grandchildren");
    let shell = |script: String| {
        let mut command = Command::new("sh");
        command.args(["-c", &script]);
        command
    };
    let sleeps = |rank: usize, then: &str| {
        let path = folder.0.join(rank.to_string());
        shell(format!("sleep 60 & echo $! > {}; {then}", path.display()))
    };
    // The first waits for what it has started, the second has left it, the third fails.
    let launch = Launch::new(3, |rank| match rank {
        0 => sleeps(0, "wait"),
        1 => sleeps(1, "exit 0"),
        _ => shell("sleep 0.5; exit 6".into()),
    });
    let begun = Instant::now();
    let ended = Launch { grace: Duration::from_millis(200), ..launch }.run().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(ended.iter().any(|process| (process.rank, process.status.code()) == (2, Some(6))), "{ended:?}");
    (0..2).for_each(|rank| assert_ends(process_of(&folder.0.join(rank.to_string()))));
}

/// Where a run ends well, what its processes have left in the background stays.
#[test]
fn what_a_process_leaves_behind_stays_where_a_run_ends_well() {
    let folder = Folder::new("left-behind");
    let path = folder.0.join("process");
    let launch = Launch::new(1, |_| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("sleep 60 >/dev/null 2>&1 & echo $! > {}", path.display())]);
        command
    });
    assert!(launch.run().unwrap().iter().all(|process| process.status.success()));
    std::thread::sleep(Duration::from_millis(100));
    rustix::process::kill_process(process_of(&path), rustix::process::Signal::KILL)
        .expect("the process is there");
}

/// A process that is stopped is named by the others, and by the launcher once they have ended for want of it.
#[test]
fn a_stopped_process_is_named() {
    let folder = Folder::new("stopped");
    let begun = Instant::now();
    let ended = Launch::new(3, |_| command("stops", 0, &folder.0)).run().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    for rank in [0, 2] {
        let error = std::fs::read_to_string(folder.0.join(rank.to_string())).expect("an error");
        for part in ["process 1 is lost: it has given no sign of life", "[barrier]", "a.py:3", "step 1"] {
            assert!(error.contains(part), "{rank}: {error}");
        }
    }
    let stopped: Vec<_> = ended.iter().map(|process| (process.rank, process.stopped)).collect();
    assert_eq!(stopped[2], (1, Some("SIGSTOP")), "{ended:?}");
    assert!(stopped[..2].iter().all(|(_, stopped)| stopped.is_none()), "{ended:?}");
}

/// The others may wait for something else than the process that is stopped, such as a framework's end.
#[test]
fn a_stopped_process_ends_the_launch_though_the_others_do_not_end() {
    let folder = Folder::new("stopped-all");
    let begun = Instant::now();
    let mut launch = Launch::new(3, |_| command("stops", 1, &folder.0));
    launch.grace = Duration::from_millis(300);
    let ended = launch.run().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    let of = |rank| ended.iter().find(|process| process.rank == rank).expect("each rank ends");
    assert_eq!((of(1).stopped, of(0).fault.or(of(2).fault)), (Some("SIGSTOP"), Some(1)), "{ended:?}");
}

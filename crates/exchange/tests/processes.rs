//! Processes of this binary: they run the test `child`, which does what their role says.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use jarrah_exchange::{
    ADDRESS, CollectiveCall, Ended, Exchange, Launch, Patience, RANK, ReceiveInto, Rendezvous, Tag,
    WORLD_SIZE, join,
};

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
            assert!(error.contains("process 0 has closed its exchange"), "{error}");
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
        assert!(error.contains("process 0 has closed its exchange"), "{error}");
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
    let number = folder.0.join("process");
    let process = loop {
        if let Ok(text) = std::fs::read_to_string(&number)
            && let Some(process) = text.trim().parse().ok().and_then(rustix::process::Pid::from_raw)
        {
            break process;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(rustix::process::test_kill_process(process).is_ok());
    launcher.kill().expect("a launcher");
    launcher.wait().expect("a launcher");
    let begun = std::time::Instant::now();
    // The number is gone, or that of a process that has ended and that nobody waits for.
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

//! Damaged inputs, the same each time: what is read of a mutant is an error in words, or works; it never panics, ends the process,
//! runs long or takes much memory.
//!
//! `JARRAH_MUTANTS=100000` asks a test for so many mutants, `JARRAH_FIRST_MUTANT=N` begins with the one of that number.

mod bytes;
mod json;

use std::any::Any;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jarrah_base::{memory, panic_message};

pub use bytes::damage;
pub use json::{change, text_of};

/// Random numbers: xorshift64.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }

    /// One of `list`, which has some.
    pub fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// The number in the variable `name` of the environment, or `usual`.
pub fn asked(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// How many damaged inputs a test makes: `JARRAH_MUTANTS`, or `usual`.
pub fn mutants(usual: usize) -> usize {
    asked("JARRAH_MUTANTS", usual)
}

/// Runs `test`, which is the whole of the test `name`, in a process that runs no other: the memory that the process holds is
/// that of this test, and a crash is a failure that shows what was printed before.
pub fn alone(name: &str, test: fn()) {
    alone_within(name, None, test);
}

/// Runs a test alone in a process, whose address space has at most `space` bytes: larger allocations fail.
pub fn alone_within(name: &str, space: Option<usize>, test: fn()) {
    const ALONE: &str = "JARRAH_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return test();
    }
    let own = std::env::current_exe().expect("a path");
    let mut child = match space {
        None => Command::new(own),
        Some(bytes) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("ulimit -v {} && exec \"$0\" \"$@\"", bytes >> 10)]).arg(own);
            shell
        }
    };
    let done = child.args(["--exact", name, "--nocapture"]).env(ALONE, "1").output().expect("a process");
    let said = [done.stdout, done.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    let ends = said.each_ref().map(|said| &said[said.floor_char_boundary(said.len().saturating_sub(6000))..]);
    assert!(
        done.status.success() && said[0].contains("1 passed"),
        "{}: {}\n{}",
        done.status,
        ends[0],
        ends[1]
    );
    println!("{}", ends[0]);
}

/// The resources that a mutant may take.
#[derive(Clone, Copy)]
pub struct MutantLimits {
    /// The longest time of the processors.
    pub time: Duration,
    /// By so many bytes a mutant may raise the most memory that was ever held.
    pub memory: usize,
}

/// A mutant that takes so long, however busy the machine is, does not end.
const ENDLESS: Duration = Duration::from_secs(20);

/// Goes through mutants, and gathers what each of them came to.
pub struct Trial {
    counts: BTreeMap<&'static str, usize>,
    defects: BTreeMap<String, usize>,
    slowest: (Duration, usize),
    running: Arc<Mutex<Option<(usize, Instant)>>>,
}

impl Trial {
    /// Tries `count` mutants, or as many as were asked for, in a process that is [`alone`]. `attempt` is given a mutant's number and
    /// random numbers that depend on it alone, and says what became of it, or which defect it shows; a panic is a defect, too.
    /// Gives how many became what.
    ///
    /// # Panics
    /// There are defects.
    pub fn run(
        limits: MutantLimits,
        count: usize,
        mut attempt: impl FnMut(usize, &mut Random) -> Result<&'static str, String>,
    ) -> BTreeMap<&'static str, usize> {
        let running = Arc::new(Mutex::new(None));
        watch(running.clone());
        let mut trial =
            Trial { counts: BTreeMap::new(), defects: BTreeMap::new(), slowest: Default::default(), running };
        let place = Arc::new(Mutex::new(String::new()));
        let (before, seen) = (take_hook(), place.clone());
        set_hook(Box::new(move |panic| {
            *seen.lock().expect("a lock") = panic.location().map_or(String::new(), ToString::to_string);
        }));
        let first = asked("JARRAH_FIRST_MUTANT", 0);
        let mut held = memory::peak();
        for number in first..first + mutants(count) {
            println!("mutant {number}");
            let mut random = Random((number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            *trial.running.lock().expect("a lock") = Some((number, Instant::now()));
            let begun = processors();
            let outcome = catch_unwind(AssertUnwindSafe(|| attempt(number, &mut random)));
            let taken = processors().saturating_sub(begun);
            trial.slowest = trial.slowest.max((taken, number));
            let grown = memory::peak().saturating_sub(held);
            held += grown;
            if grown > limits.memory {
                trial.defect(number, &format!("{} more memory were held", memory::size(grown)));
            }
            if taken > limits.time {
                trial.defect(number, &format!("it took {taken:?}"));
            }
            match outcome {
                Ok(Ok(what)) => *trial.counts.entry(what).or_default() += 1,
                Ok(Err(defect)) => trial.defect(number, &defect),
                Err(panic) => trial.defect(number, &panicked(&*panic, &place.lock().expect("a lock"))),
            }
        }
        *trial.running.lock().expect("a lock") = None;
        set_hook(before);
        let Trial { counts, defects, slowest: (taken, number), .. } = trial;
        println!("{counts:?}; mutant {number} took {taken:?}; at most {} were held", memory::size(held));
        assert!(defects.is_empty(), "by the first mutant of each: {defects:#?}");
        counts
    }

    /// Defects that differ in numbers alone count as one.
    fn defect(&mut self, number: usize, message: &str) {
        let alike = message.chars().filter(|c| !c.is_ascii_digit()).take(200).collect();
        self.defects.entry(alike).or_insert_with(|| {
            println!("mutant {number}: {message}");
            number
        });
    }
}

fn panicked(panic: &(dyn Any + Send), place: &str) -> String {
    format!("it panicked at {place}: {}", panic_message(panic).unwrap_or("it says no more"))
}

/// The time that the processors have spent on this process: in steps of 10 ms, and 0 where the system does not say.
fn processors() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the process, in parentheses, may hold anything.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// Ends the process when a mutant does not end.
fn watch(running: Arc<Mutex<Option<(usize, Instant)>>>) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let now = *running.lock().expect("a lock");
            if let Some((number, begun)) = now.filter(|(_, begun)| begun.elapsed() > ENDLESS) {
                eprintln!("mutant {number} has taken {:?}", begun.elapsed());
                std::process::exit(1);
            }
        }
    });
}

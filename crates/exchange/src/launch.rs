//! The start, watch and end of the processes of a run on one machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use jarrah_base::Result;
use rustix::process::Signal;

use crate::local::Rendezvous;
use crate::process::{Process, State, is_for_terminal};
use crate::variables::{ADDRESS, RANK, WORLD_SIZE};

/// The processes of a run, to be started.
///
/// Each process leads a group of its own, and is ended with its group: what it has started ends with it. No group but the launcher's may read the
/// terminal, so a process that does is stopped by the system, and the run ends with its name; one that needs an input is given a file, a pipe or
/// [`Stdio::null`]. Processes that a rank has left in its group stay where the run ends well.
pub struct Launch<F> {
    /// The number of processes.
    pub size: usize,
    /// The command of a rank. The launcher adds the environment by which [`from_env`](crate::from_env) joins the run.
    pub command: F,
    /// Whether each line that a process prints begins with its rank: `[2] step 7`.
    pub prefix: bool,
    /// The time that processes have to end by themselves after the first has failed.
    pub grace: Duration,
    /// The number of requests to end the run: at the first, all processes are asked to end; at the second, they are ended.
    pub requests: Arc<AtomicU32>,
    /// The time that processes have to end by themselves after the first request, such as to save a checkpoint.
    pub notice: Duration,
    /// When it is set, all processes are stopped and then the launcher, as by Ctrl-Z, until the launcher is continued.
    pub pause: Arc<AtomicBool>,
}

/// The time between the request to end and the end of a process of a failed run that does not heed it.
const AFTER: Duration = Duration::from_secs(2);
/// The time between two looks for faults that processes have found.
const FAULTS: Duration = Duration::from_millis(100);
/// The time that what the processes of a failed run have left in their groups has to end by itself.
const LEFT: Duration = Duration::from_millis(500);

/// The end of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Its rank.
    pub rank: usize,
    /// Its exit status.
    pub status: ExitStatus,
    /// Whether the launcher ended it because another had failed.
    pub by_launcher: bool,
    /// The signal that had stopped it, if the launcher ended a process that could not go on.
    pub stopped: Option<&'static str>,
    /// The rank that it found at fault, if it failed for want of another one.
    pub fault: Option<usize>,
}

impl<F: FnMut(usize) -> Command> Launch<F> {
    /// `size` processes of these commands, with prefixes, 15 seconds of grace (a survivor needs up to ten to name the lost) and 30 seconds of notice.
    ///
    /// ```
    /// use jarrah_exchange::Launch;
    /// use std::process::Command;
    /// let ended = Launch::new(2, |rank| {
    ///     let mut command = Command::new("sh");
    ///     command.args(["-c", &format!("test $JARRAH_RANK = {rank} && test $JARRAH_WORLD_SIZE = 2")]);
    ///     command
    /// })
    /// .run()?;
    /// assert!(ended.iter().all(|process| process.status.success()));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn new(size: usize, command: F) -> Self {
        let (grace, notice) = (Duration::from_secs(15), Duration::from_secs(30));
        let (requests, pause) = (Arc::default(), Arc::default());
        Launch { size, command, prefix: true, grace, requests, notice, pause }
    }

    /// Starts the processes and waits for all to end: their ends in the order in which they came, so that the first failure is the
    /// first without success.
    ///
    /// A process that ends before it has joined the run is told to those that wait for it.
    ///
    /// # Errors
    /// A process cannot be started; then those that were are ended.
    pub fn run(mut self) -> Result<Vec<Ended>> {
        let rendezvous = Rendezvous::create()?;
        let mut running = Running { processes: Vec::new(), over: false };
        let mut output = Vec::new();
        for rank in 0..self.size {
            let mut command = (self.command)(rank);
            command
                .env(ADDRESS, rendezvous.address())
                .env(RANK, rank.to_string())
                .env(WORLD_SIZE, self.size.to_string());
            if self.prefix {
                command.stdout(Stdio::piped()).stderr(Stdio::piped());
            }
            let mut process = Process::start(rank, &mut command)?;
            if let Some(stdout) = process.child.stdout.take() {
                output.push(std::thread::spawn(move || forward(rank, stdout, &mut std::io::stdout())));
            }
            if let Some(stderr) = process.child.stderr.take() {
                output.push(std::thread::spawn(move || forward(rank, stderr, &mut std::io::stderr())));
            }
            running.processes.push(Watched { process, ended: false, stopped: None });
        }
        let ended = self.wait(&mut running, &rendezvous)?;
        running.over = true;
        // A process that a rank left behind may hold its output open: all that the rank itself printed comes soon.
        let end = Instant::now() + Duration::from_secs(1);
        while Instant::now() < end && output.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(ended)
    }

    fn wait(&self, running: &mut Running, rendezvous: &Rendezvous) -> Result<Vec<Ended>> {
        let mut ended: Vec<Ended> = Vec::new();
        // The time of the first failure and of the last end; when they were asked to end, and whether they were killed.
        let (mut failed, mut last, mut asked, mut killed) = (None, Instant::now(), None::<Instant>, false);
        let mut looked = last;
        loop {
            if self.pause.swap(false, Ordering::Relaxed) {
                running.signal(Signal::STOP);
                // The launcher stands still here until it is continued.
                let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::STOP);
                running.signal(Signal::CONT);
            }
            for watched in running.open() {
                let rank = watched.process.rank;
                match watched.process.state()? {
                    State::Ended(status) => {
                        rendezvous.note_end(rank, status);
                        last = Instant::now();
                        if !status.success() && asked.is_none() {
                            failed.get_or_insert(last);
                        }
                        let by_launcher = asked.is_some() && !status.success();
                        let stopped = watched.stopped.filter(|_| by_launcher);
                        let fault = rendezvous.fault(rank);
                        ended.push(Ended { rank, status, by_launcher, stopped, fault });
                        watched.ended = true;
                    }
                    // A process that was asked to end is continued for that, however it was stopped.
                    _ if asked.is_some() => {}
                    State::Stopped(by) => {
                        watched.stopped = Some(by);
                        if is_for_terminal(by) {
                            failed.get_or_insert_with(Instant::now);
                        }
                    }
                    State::Runs => watched.stopped = None,
                }
            }
            if failed.is_none() && looked.elapsed() > FAULTS {
                looked = Instant::now();
                // Others have found a process at fault that goes on no more, though none has ended for that.
                let goes_on = |rank: &usize| {
                    running
                        .processes
                        .iter()
                        .any(|of| of.process.rank == *rank && !of.ended && of.stopped.is_none())
                };
                failed = rendezvous.faults().into_iter().find(|fault| !goes_on(fault)).map(|_| looked);
            }
            let over = running.open().next().is_none();
            let has_rest = || (failed.is_some() || asked.is_some()) && !killed && running.has_groups();
            if over && !has_rest() {
                return Ok(ended);
            }
            // Processes that all stand still end by nothing that the others do.
            let since = failed.map_or(Duration::ZERO, |failed: Instant| failed.elapsed());
            let stuck = failed.is_some() && running.open().all(|watched| watched.stopped.is_some());
            let ends = match over {
                true => last.elapsed() > LEFT,
                false => since > self.grace || stuck,
            };
            let requests = self.requests.load(Ordering::Relaxed);
            if asked.is_none() && (ends || requests > 0) {
                asked = Some(Instant::now());
                running.signal(Signal::TERM);
                running.signal(Signal::CONT);
            }
            let patience = match requests {
                1 if failed.is_none() && !over => self.notice,
                0 | 1 => AFTER,
                _ => Duration::ZERO,
            };
            if asked.is_some_and(|asked| asked.elapsed() > patience) && !killed {
                killed = true;
                running.signal(Signal::KILL);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A process, and what the launcher has seen of it.
struct Watched {
    process: Process,
    ended: bool,
    stopped: Option<&'static str>,
}

/// Processes that end with this value, unless their run is over.
struct Running {
    processes: Vec<Watched>,
    over: bool,
}

impl Running {
    /// The processes that have not ended.
    fn open(&mut self) -> impl Iterator<Item = &mut Watched> {
        self.processes.iter_mut().filter(|watched| !watched.ended)
    }

    /// Sends a signal to all groups.
    fn signal(&self, signal: Signal) {
        self.processes.iter().for_each(|watched| watched.process.signal(signal));
    }

    fn has_groups(&self) -> bool {
        self.processes.iter().any(|watched| watched.process.has_group())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.over {
            self.signal(Signal::KILL);
        }
    }
}

/// Prints the lines of a process with its rank before each.
fn forward(rank: usize, from: impl Read, to: &mut dyn Write) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    // A line longer than this is cut, so that a process cannot fill the launcher's memory.
    const LONGEST: u64 = 1 << 16;
    loop {
        line.clear();
        match from.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if line.last() != Some(&b'\n') {
            line.push(b'\n');
        }
        let mut whole = format!("[{rank}] ").into_bytes();
        whole.extend_from_slice(&line);
        if to.write_all(&whole).is_err() {
            // Nobody reads the output of the launcher: the rank finds its own closed, as it would without prefixes.
            return;
        }
    }
}

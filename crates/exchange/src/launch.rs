//! The start, watch and end of the processes of a run on one machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result};

use crate::environment::{ADDRESS, RANK, WORLD_SIZE};
use crate::local::Rendezvous;

/// The processes of a run, to be started.
pub struct Launch<F> {
    /// The number of processes.
    pub size: usize,
    /// The command of a rank. The launcher adds the environment by which [`from_env`](crate::from_env) joins the run.
    pub command: F,
    /// Whether each line that a process prints begins with its rank: `[2] step 7`.
    pub prefix: bool,
    /// The time that processes have to end by themselves after the first has failed.
    pub grace: Duration,
    /// When it is set, all processes are asked to end.
    pub stop: Arc<AtomicBool>,
}

/// The time between the request to end and the end of a process that does not heed it.
const AFTER: Duration = Duration::from_secs(2);

/// The end of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Its rank.
    pub rank: usize,
    /// Its exit status.
    pub status: ExitStatus,
    /// Whether the launcher ended it because another had failed.
    pub by_launcher: bool,
}

impl<F: FnMut(usize) -> Command> Launch<F> {
    /// `size` processes of these commands, with prefixes and 15 seconds of grace: a survivor needs up to ten to name the lost.
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
        Launch { size, command, prefix: true, grace: Duration::from_secs(15), stop: Arc::default() }
    }

    /// Starts the processes and waits for all to end: their ends in the order in which they came, so that the first failure is the
    /// first without success.
    ///
    /// # Errors
    /// A process cannot be started; then those that were are ended.
    pub fn run(mut self) -> Result<Vec<Ended>> {
        let rendezvous = Rendezvous::create()?;
        let mut running = Running(Vec::new());
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
            end_with_this_process(&mut command);
            let mut child = command
                .spawn()
                .map_err(|e| Error::environment(format!("cannot start {:?}: {e}", command.get_program())))?;
            if let Some(stdout) = child.stdout.take() {
                output.push(std::thread::spawn(move || forward(rank, stdout, &mut std::io::stdout())));
            }
            if let Some(stderr) = child.stderr.take() {
                output.push(std::thread::spawn(move || forward(rank, stderr, &mut std::io::stderr())));
            }
            running.0.push((rank, child));
        }
        let ended = self.wait(&mut running)?;
        // A process that a rank left behind may hold its output open: all that the rank itself printed comes soon.
        let end = Instant::now() + Duration::from_secs(1);
        while Instant::now() < end && output.iter().any(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(ended)
    }

    fn wait(&self, running: &mut Running) -> Result<Vec<Ended>> {
        let mut ended: Vec<Ended> = Vec::new();
        // The time of the first failure; whether they were asked to end, and whether they were killed.
        let (mut failed, mut asked, mut killed) = (None::<Instant>, None::<Instant>, false);
        while !running.0.is_empty() {
            let mut i = 0;
            while i < running.0.len() {
                let (rank, child) = &mut running.0[i];
                match child.try_wait()? {
                    Some(status) => {
                        if !status.success() {
                            failed.get_or_insert_with(Instant::now);
                        }
                        ended.push(Ended {
                            rank: *rank,
                            status,
                            by_launcher: asked.is_some() && !status.success(),
                        });
                        running.0.swap_remove(i);
                    }
                    None => i += 1,
                }
            }
            let since = failed.map_or(Duration::ZERO, |failed| failed.elapsed());
            if asked.is_none() && (since > self.grace || self.stop.load(Ordering::Relaxed)) {
                asked = Some(Instant::now());
                running.end(rustix::process::Signal::TERM);
            }
            if asked.is_some_and(|asked| asked.elapsed() > AFTER) && !killed {
                killed = true;
                running.end(rustix::process::Signal::KILL);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(ended)
    }
}

/// Asks the system to ask the command's process to end if the thread that starts it is gone, as when the launcher is killed.
#[allow(unsafe_code, reason = "a call between fork and exec has a contract of its own")]
fn end_with_this_process(command: &mut Command) {
    let launcher = rustix::process::getpid();
    let ask = move || {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
        match rustix::process::getppid() {
            Some(parent) if parent == launcher => Ok(()),
            _ => Err(rustix::io::Errno::SRCH.into()),
        }
    };
    // SAFETY: `ask` makes two system calls and allocates nothing.
    unsafe { std::os::unix::process::CommandExt::pre_exec(command, ask) };
}

/// Processes that end with this value.
struct Running(Vec<(usize, Child)>);

impl Running {
    fn end(&self, signal: rustix::process::Signal) {
        for (_, child) in &self.0 {
            // The process is a child that was not waited for, so the number is still its own.
            let _ = rustix::process::kill_process(rustix::process::Pid::from_child(child), signal);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for (_, child) in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
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

//! Starts the processes of a run on this machine.

#[cfg(target_os = "linux")]
use std::io::IsTerminal;
use std::process::ExitCode;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};
#[cfg(target_os = "linux")]
use std::sync::atomic::Ordering;

use jarrah::{Error, Result};
#[cfg(target_os = "linux")]
use jarrah_exchange::Ended;

use crate::cli::Launch;
#[cfg(target_os = "linux")]
use crate::output::note;
#[cfg(target_os = "linux")]
use crate::signals::{Signals, listen};

/// Runs a command in several processes. Its exit status is that of the first process that failed by itself.
#[cfg(target_os = "linux")]
pub fn launch(arguments: &Launch) -> Result<ExitCode> {
    let [program, rest @ ..] = &arguments.command[..] else {
        return Err(Error::input("there is no command to launch"));
    };
    let coordinator = coordinator();
    let command = |rank| {
        let mut command = Command::new(program);
        command.args(rest);
        if let Some(address) = &coordinator {
            // One of the environment may be that of another launch.
            command.env(COORDINATOR, address);
        }
        // One process can read a file or a pipe; none can read a terminal from a group of its own.
        if rank > 0 || std::io::stdin().is_terminal() {
            command.stdin(Stdio::null());
        }
        command
    };
    let mut launch = jarrah_exchange::Launch::new(arguments.processes.into(), command);
    launch.prefix = !arguments.plain;
    let (requests, notice) = (launch.requests.clone(), launch.notice.as_secs());
    let asked = move || {
        if requests.fetch_add(1, Ordering::Relaxed) == 0 {
            note(&format!("the processes are asked to end; they have {notice} s, or until the next request"));
        }
    };
    listen(Signals::All, asked)?;
    signal_hook::flag::register(signal_hook::consts::SIGTSTP, launch.pause.clone())
        .map_err(|e| Error::environment(format!("cannot listen for signals: {e}")))?;
    let ended = launch.run()?;
    let Some(first) = first_failure(&ended) else { return Ok(ExitCode::SUCCESS) };
    match first.stopped {
        Some(by) => {
            note(&format!("process {} did not go on: it was stopped by {by}{}", first.rank, wish(by)))
        }
        None => {
            let at_fault =
                first.fault.map_or(String::new(), |fault| format!(", for want of process {fault}"));
            note(&format!("process {} ended with {}{at_fault}", first.rank, first.status))
        }
    }
    let code = first.status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.filter(|&code| code != 0).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The variable by which JAX's processes know where their coordinator listens.
#[cfg(target_os = "linux")]
const COORDINATOR: &str = "JAX_COORDINATOR_ADDRESS";

/// The address of a port that is free now, at which the first of JAX's processes may listen.
#[cfg(target_os = "linux")]
fn coordinator() -> Option<String> {
    let free = std::net::TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    // JAX says what is missing where there is none.
    free.ok().map(|address| address.to_string())
}

/// The process that is at fault for a failure: one that a signal has stopped or ended, or the first that failed by itself, and for no want of
/// another one that failed or was stopped. Behind those come processes that failed for want of one that ended well.
#[cfg(target_os = "linux")]
fn first_failure(ended: &[Ended]) -> Option<&Ended> {
    let failed = |process: &Ended| !process.status.success() && !process.by_launcher;
    let is_cause =
        |rank| ended.iter().any(|other| other.rank == rank && (failed(other) || other.stopped.is_some()));
    let by_itself = |process: &&Ended| failed(process) && !process.fault.is_some_and(is_cause);
    // A process that a signal ended has not failed for want of another one, whichever was seen to end first.
    let by_signal = |process: &&Ended| by_itself(process) && process.status.code().is_none();
    let first = ended.iter().find(by_signal);
    let first = first.or_else(|| ended.iter().find(|process| process.stopped.is_some()));
    let first = first.or_else(|| ended.iter().find(by_itself));
    let first = first.or_else(|| ended.iter().find(|process| failed(process)));
    first.or_else(|| ended.iter().find(|process| !process.status.success()))
}

/// The reason for which the system stops a process by a signal, if there is one.
#[cfg(target_os = "linux")]
fn wish(stop: &str) -> &'static str {
    match stop {
        "SIGTTIN" => ", as it read the terminal, which no process of a launch can",
        "SIGTTOU" => ", as it changed the terminal, which no process of a launch can",
        _ => "",
    }
}

/// Processes exchange values on Linux alone.
#[cfg(not(target_os = "linux"))]
pub fn launch(_: &Launch) -> Result<ExitCode> {
    Err(Error::environment("processes of one machine exchange values on Linux alone"))
}

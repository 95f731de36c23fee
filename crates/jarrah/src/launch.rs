//! Starts the processes of a run on this machine.

use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jarrah::{Error, Result};

use crate::cli::Launch;
use crate::output::note;
use crate::signals::{Signals, listen};

/// Runs a command in several processes. Its exit status is that of the first process that failed by itself.
#[cfg(target_os = "linux")]
pub fn launch(arguments: &Launch) -> Result<ExitCode> {
    let [program, rest @ ..] = &arguments.command[..] else {
        return Err(Error::input("there is no command to launch"));
    };
    let command = |_| {
        let mut command = Command::new(program);
        command.args(rest);
        command
    };
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    listen(Signals::All, move || asked.store(true, Ordering::Relaxed))?;
    let mut launch = jarrah_exchange::Launch::new(arguments.processes.into(), command);
    launch.prefix = !arguments.plain;
    launch.stop = stop;
    let ended = launch.run()?;
    let failed = |process: &&jarrah_exchange::Ended| !process.status.success() && !process.by_launcher;
    // A process that a signal ended has not failed for want of another one, whichever was seen to end first.
    let by_signal = |process: &&jarrah_exchange::Ended| failed(process) && process.status.code().is_none();
    let first = ended.iter().find(by_signal).or_else(|| ended.iter().find(failed));
    let Some(first) = first.or_else(|| ended.iter().find(|process| !process.status.success())) else {
        return Ok(ExitCode::SUCCESS);
    };
    note(&format!("process {} ended with {}", first.rank, first.status));
    let code = first.status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Processes exchange values on Linux alone.
#[cfg(not(target_os = "linux"))]
pub fn launch(_: &Launch) -> Result<ExitCode> {
    Err(Error::environment("processes of one machine exchange values on Linux alone"))
}

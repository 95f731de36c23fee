//! A process of a run, as its launcher sees it.
//!
//! A process leads a group of its own, so that whatever it has started can be ended with it. The launcher takes note of an end without
//! taking the process out of the system's table: until then no other process or group can have its number, and a signal reaches nobody else.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

use jarrah_base::{Error, Result};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, getppid, kill_process_group, set_parent_process_death_signal,
    waitid,
};

/// A process of a run, and the group that it leads.
pub(crate) struct Process {
    pub rank: usize,
    pub child: Child,
    group: Pid,
}

/// Where a process stands.
pub(crate) enum State {
    Runs,
    /// A signal of this name has stopped it.
    Stopped(&'static str),
    Ended(ExitStatus),
}

/// The signals that stop a process.
const STOPS: [(Signal, &str); 4] = [
    (Signal::STOP, "SIGSTOP"),
    (Signal::TSTP, "SIGTSTP"),
    (Signal::TTIN, "SIGTTIN"),
    (Signal::TTOU, "SIGTTOU"),
];

/// Whether a process that this signal has stopped wanted the terminal, which its group never has.
pub(crate) fn is_for_terminal(stop: &str) -> bool {
    matches!(stop, "SIGTTIN" | "SIGTTOU")
}

impl Process {
    pub fn start(rank: usize, command: &mut Command) -> Result<Process> {
        command.process_group(0);
        end_with_this_process(command);
        let child = command
            .spawn()
            .map_err(|e| Error::environment(format!("cannot start {:?}: {e}", command.get_program())))?;
        let group = Pid::from_child(&child);
        Ok(Process { rank, child, group })
    }

    /// Where the process stands now.
    pub fn state(&self) -> Result<State> {
        let options =
            WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.group), options).map_err(std::io::Error::from)?;
        let Some(status) = status else { return Ok(State::Runs) };
        if let Some(signal) = status.stopping_signal() {
            let name = STOPS.iter().find(|(stop, _)| stop.as_raw() == signal);
            return Ok(State::Stopped(name.map_or("a signal", |(_, name)| name)));
        }
        let signal = status.terminating_signal().map(|signal| signal | i32::from(status.dumped()) << 7);
        let code = status.exit_status().map(|code| code << 8);
        Ok(match signal.or(code) {
            Some(raw) => State::Ended(ExitStatus::from_raw(raw)),
            None => State::Runs,
        })
    }

    /// Sends a signal to the process and all others of its group.
    pub fn signal(&self, signal: Signal) {
        // A group whose processes have all ended needs none.
        let _ = kill_process_group(self.group, signal);
    }

    /// Whether a process of the group has not ended.
    pub fn has_group(&self) -> bool {
        let Ok(entries) = std::fs::read_dir("/proc") else { return false };
        let group = self.group.as_raw_nonzero().to_string();
        entries.flatten().any(|entry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            // Behind the name, which may hold any character: the state, the parent, the group.
            let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
            let state = fields.next();
            state.is_some_and(|state| state != "Z" && state != "X") && fields.nth(1) == Some(&group)
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process has ended, or been killed.
        let _ = self.child.wait();
    }
}

/// Asks the system to ask the command's process to end if the thread that starts it is gone, as when the launcher is killed.
#[allow(unsafe_code, reason = "a call between fork and exec has a contract of its own")]
fn end_with_this_process(command: &mut Command) {
    let launcher = getpid();
    let ask = move || {
        set_parent_process_death_signal(Some(Signal::TERM))?;
        match getppid() {
            Some(parent) if parent == launcher => Ok(()),
            _ => Err(rustix::io::Errno::SRCH.into()),
        }
    };
    // SAFETY: `ask` makes two system calls and allocates nothing.
    unsafe { command.pre_exec(ask) };
}

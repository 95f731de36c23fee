//! The standard output and error of the command.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use jarrah::train::Console;
use jarrah::{Error, Result};
use jarrah_base::visible;

/// The exit status that a shell gives a program ended by SIGPIPE.
const CLOSED: i32 = 141;

/// The standard output. Where its reader has gone away, writing ends the program, quietly and at once.
pub struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(io::stdout().flush())
    }
}

fn unless_closed<T>(outcome: io::Result<T>) -> io::Result<T> {
    match outcome {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => std::process::exit(CLOSED),
        outcome => outcome,
    }
}

/// Writes to the standard output: to a terminal with its control characters [made visible](visible), elsewhere as it is.
pub fn show(text: &str) -> Result<()> {
    match io::stdout().is_terminal() {
        true => show_bytes(visible(text).as_bytes()),
        false => show_bytes(text.as_bytes()),
    }
}

/// Writes bytes that are no text to the standard output, as they are.
pub fn show_bytes(bytes: &[u8]) -> Result<()> {
    let written = Output.write_all(bytes).and_then(|()| Output.flush());
    written.map_err(|e| Error::environment(format!("cannot write to the standard output: {e}")))
}

/// A line on the standard error; what it quotes of files shows its control characters on a terminal. Nothing depends on whether it can be written.
pub fn note(line: &str) {
    let _ = match io::stderr().is_terminal() {
        true => writeln!(io::stderr(), "{}", visible(line)),
        false => writeln!(io::stderr(), "{line}"),
    };
}

/// The standard output for a run to tell its way.
pub fn console() -> Console {
    match io::stdout().is_terminal() {
        true => Console::terminal(Output, || columns(terminal_columns(io::stdout()))),
        false => Console::to(Output),
    }
}

/// The standard error, for messages that are no results.
pub fn error_console() -> Console {
    match io::stderr().is_terminal() {
        true => Console::terminal(io::stderr(), || columns(terminal_columns(io::stderr()))),
        false => Console::to(io::stderr()),
    }
}

/// How far something is that takes a while, on the standard error: on a terminal, a line that the next one replaces; elsewhere nothing.
pub struct Progress {
    console: Console,
    begun: Instant,
    /// When the line was written last.
    told: Option<Instant>,
    of: usize,
}

impl Progress {
    /// The progress of work on `of` things.
    pub fn new(of: usize) -> Progress {
        let console = if io::stderr().is_terminal() { error_console() } else { Console::silent() };
        Progress { console, begun: Instant::now(), told: None, of }
    }

    /// So many are done, `failed` of them not well. More than ten lines a second are not written.
    pub fn tell(&mut self, done: usize, failed: usize) {
        let now = Instant::now();
        if done < self.of && self.told.is_some_and(|told| now - told < Duration::from_millis(100)) {
            return;
        }
        self.told = Some(now);
        let rate = done as f64 / (now - self.begun).as_secs_f64().max(1e-9);
        let failed = if failed > 0 { format!("  {failed} with an error") } else { String::new() };
        let left = (self.of - done.min(self.of)) as f64 / rate;
        let left = if left.is_finite() { format!("  {left:.0} s left") } else { String::new() };
        self.console.transient(&format!("{done}/{} answered{failed}  {rate:.1}/s{left}", self.of));
    }

    /// Takes away what was told.
    pub fn clear(mut self) {
        self.console.text("");
    }

    /// Writes a line that stays, in the place of what was told.
    pub fn end(mut self, line: &str) {
        match self.console.is_terminal() {
            true => self.console.line(line),
            false => note(line),
        }
    }
}

/// The width of a terminal: `COLUMNS` says it, else the terminal does.
fn columns(of_terminal: Option<usize>) -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|n| n.parse().ok());
    said.or(of_terminal).filter(|&n| n > 0).unwrap_or(80)
}

#[cfg(unix)]
fn terminal_columns(terminal: impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    Some(size.ws_col.into())
}

#[cfg(not(unix))]
fn terminal_columns<T>(_: T) -> Option<usize> {
    None
}

/// Refuses to write to the file or folder that is read: its content would be lost.
///
/// # Errors
/// Both are the same file or folder (`Input`).
pub fn apart(from: &Path, to: &Path) -> Result<()> {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    match real(from).filter(|from| real(to).as_ref() == Some(from)) {
        None => Ok(()),
        Some(_) => Err(Error::input(format!("{} is read, and would be written over", from.display()))
            .help("name another place to write to")),
    }
}

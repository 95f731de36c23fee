//! The standard output and error of the command.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use jarrah::train::Console;
use jarrah::{Error, Result};

/// What a shell says of a program that SIGPIPE ended.
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

/// Writes to the standard output.
pub fn show(text: &str) -> Result<()> {
    show_bytes(text.as_bytes())
}

/// The same with what is no text.
pub fn show_bytes(bytes: &[u8]) -> Result<()> {
    let written = Output.write_all(bytes).and_then(|()| Output.flush());
    written.map_err(|e| Error::environment(format!("cannot write to the standard output: {e}")))
}

/// A line on the standard error. Nothing depends on whether it can be written.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// The standard output for a run to tell its way.
pub fn console() -> Console {
    match io::stdout().is_terminal() {
        true => Console::terminal(Output, columns),
        false => Console::to(Output),
    }
}

/// The width of the terminal: `COLUMNS` says it, else the terminal does.
fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|n| n.parse().ok());
    said.or_else(terminal_columns).filter(|&n| n > 0).unwrap_or(80)
}

#[cfg(unix)]
fn terminal_columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(size.ws_col.into())
}

#[cfg(not(unix))]
fn terminal_columns() -> Option<usize> {
    None
}

/// Refuses to write where it reads: what is there would be lost.
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

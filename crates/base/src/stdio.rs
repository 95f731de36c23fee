//! The standard output and error without their locks.
//!
//! A thread that prints the result of a run, as `println!("{y}")` does, may hold the lock while it waits for the run; where the
//! run itself printed under the lock, each would wait for the other.

use std::fmt::Display;
use std::io::{self, Write};

/// The standard output without its lock.
///
/// # Errors
/// The process has none.
#[cfg(unix)]
pub fn output() -> io::Result<impl Write> {
    use std::os::fd::AsFd;
    Ok(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// The standard error without its lock.
#[cfg(unix)]
fn errors() -> io::Result<impl Write> {
    use std::os::fd::AsFd;
    Ok(std::fs::File::from(io::stderr().as_fd().try_clone_to_owned()?))
}

/// The standard output, with its lock: there is no other way to it here.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn output() -> io::Result<impl Write> {
    Ok(io::stdout())
}

/// The standard error, with its lock.
#[cfg(not(unix))]
fn errors() -> io::Result<impl Write> {
    Ok(io::stderr())
}

/// Writes `text` and the end of a line to the standard error, whoever holds its lock; without a standard error, nothing.
///
/// ```
/// let _held = std::io::stderr().lock();
/// jarrah_base::report("profile of main: 1.5 ms");
/// ```
pub fn report(text: impl Display) {
    // One write, so that lines of several threads do not mix.
    let line = format!("{text}\n");
    // A report that nobody can read is no failure of what it reports.
    let _ = errors().and_then(|mut errors| errors.write_all(line.as_bytes()));
}

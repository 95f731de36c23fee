//! The standard output and error without their locks.
//!
//! A thread that prints the result of a run, as `println!("{y}")` does, may hold the lock while it waits for the run; where the
//! run itself printed under the lock, each would wait for the other.

use std::borrow::Cow;
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

/// A text of unknown origin, such as that of a model, as a terminal may show it: of its control characters, which move the cursor, set the title or answer for the
/// user, only newlines and tabs are left. Others are written as `cat -v` and `less` do: `^[` for an escape, `^?` for a deletion, `<U+009B>` for those above.
///
/// ```
/// assert_eq!(jarrah_base::visible("a\tb\n"), "a\tb\n");
/// assert_eq!(jarrah_base::visible("\u{1b}[2J\r\u{7f}\u{9b}m"), "^[[2J^M^?<U+009B>m");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !is_hidden(c) => shown.push(c),
            // The letter of the key that makes it with Ctrl: 64 further, and of a deletion 64 before.
            c if c.is_ascii() => shown.extend(['^', char::from(c as u8 ^ 0x40)]),
            c => shown += &format!("<U+{:04X}>", u32::from(c)),
        }
    }
    Cow::Owned(shown)
}

//! Signals that ask a program to stop.

use jarrah::{Error, Result};

/// The signals that a command listens for. Any other signal has the system's effect.
#[derive(Clone, Copy)]
pub enum Signals {
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-C, a request to end, and the end of the terminal.
    All,
}

/// How soon behind a request to end another one is the same one: `timeout` and managers of services send it to a process and to its group.
#[cfg(unix)]
const SAME: std::time::Duration = std::time::Duration::from_secs(1);

/// Calls `asked` at each of these signals, in a thread of its own. Requests to end within a second are one; Ctrl-C is a key that somebody pressed.
///
/// # Errors
/// The system refuses (`Environment`).
#[cfg(unix)]
pub fn listen(signals: Signals, mut asked: impl FnMut() + Send + 'static) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let numbers: &[i32] = match signals {
        Signals::Interrupt => &[SIGINT],
        Signals::All => &[SIGINT, SIGTERM, SIGHUP],
    };
    let failed = |e: std::io::Error| Error::environment(format!("cannot listen for signals: {e}"));
    let mut signals = signal_hook::iterator::Signals::new(numbers).map_err(failed)?;
    let thread = std::thread::Builder::new().name("signals".to_owned());
    let mut ended: Option<std::time::Instant> = None;
    let heard = move |signal: i32| {
        let is_same = signal != SIGINT && ended.is_some_and(|before| before.elapsed() < SAME);
        if signal != SIGINT && !is_same {
            ended = Some(std::time::Instant::now());
        }
        if !is_same {
            asked();
        }
    };
    thread.spawn(move || signals.forever().for_each(heard)).map_err(failed)?;
    Ok(())
}

/// Elsewhere Ctrl-C ends the program.
#[cfg(not(unix))]
pub fn listen(_: Signals, _: impl FnMut() + Send + 'static) -> Result<()> {
    Ok(())
}

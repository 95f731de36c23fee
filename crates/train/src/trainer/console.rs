use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jarrah_base::visible;

/// After how long something that takes its time is first said to go on, and then how often: on a terminal, where the line is overwritten, and elsewhere.
const ON_TERMINAL: [Duration; 2] = [Duration::from_secs(1); 2];
const ELSEWHERE: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(30)];

/// Where a run reports: lines, and on a terminal one last line that is overwritten.
///
/// A terminal is shown the control characters of texts, such as those of a sample, and does not do what they say ([`visible`]). A failed write, as to a full disk,
/// is ignored: it must not end a run.
pub struct Console(Arc<Mutex<Inner>>);

struct Inner {
    out: Box<dyn Write + Send>,
    // The terminal's number of columns.
    columns: Option<Box<dyn Fn() -> usize + Send>>,
    // The columns in use on the last, unfinished line.
    open: usize,
}

impl Console {
    /// Writes lines to `out`, which is no terminal.
    pub fn to(out: impl Write + Send + 'static) -> Self {
        Console(Arc::new(Mutex::new(Inner { out: Box::new(out), columns: None, open: 0 })))
    }

    /// Writes lines to a terminal, whose width is asked for before every overwritten line.
    pub fn terminal(out: impl Write + Send + 'static, columns: impl Fn() -> usize + Send + 'static) -> Self {
        let columns: Box<dyn Fn() -> usize + Send> = Box::new(columns);
        Console(Arc::new(Mutex::new(Inner { out: Box::new(out), columns: Some(columns), open: 0 })))
    }

    /// Writes nothing.
    pub fn silent() -> Self {
        Self::to(io::sink())
    }

    /// Whether a line can be overwritten.
    pub fn is_terminal(&self) -> bool {
        self.lock().columns.is_some()
    }

    /// Writes a line that stays.
    pub fn line(&mut self, text: &str) {
        self.lock().line(text);
    }

    /// Writes a line that the next one replaces; without a terminal, nothing. The line's parts are separated by two
    /// spaces; parts that do not fit the terminal are left out.
    pub fn transient(&mut self, text: &str) {
        self.lock().transient(text);
    }

    /// Writes text of any number of lines.
    pub fn text(&mut self, text: &str) {
        let mut inner = self.lock();
        let (clear, text) = (inner.clear(), inner.shown(text));
        let _ = write!(inner.out, "{clear}{text}");
        let _ = inner.out.flush();
    }

    /// A problem that does not end the run.
    pub fn warn(&mut self, text: &str) {
        self.line(&format!("warning: {text}"));
    }

    /// Says `what` goes on, such as `compiling the step`, and for how long it has, from time to time until the value is dropped: on a terminal each second, in a
    /// line that the next one replaces, elsewhere in a line after ten seconds and then every thirty.
    ///
    /// ```
    /// use jarrah_train::Console;
    /// let mut console = Console::silent();
    /// let working = console.working("reading");
    /// // ... something that takes its time ...
    /// drop(working);
    /// console.line("it is read");
    /// ```
    pub fn working(&self, what: &str) -> Working {
        let (told, ended) = channel::<String>();
        let (inner, mut what) = (self.0.clone(), what.to_owned());
        let beat = move || {
            let mut pulse = Pulse::new();
            loop {
                match ended.recv_timeout(Pulse::LOOK) {
                    Err(RecvTimeoutError::Timeout) => pulse.beat(&mut lock(&inner), &what),
                    Ok(now) => {
                        what = ended.try_iter().last().unwrap_or(now);
                        pulse.beat(&mut lock(&inner), &what);
                    }
                    // Dropping the sender is the end.
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        };
        // Without a thread nothing is said.
        let thread = thread::Builder::new().name("jarrah-console".to_owned()).spawn(beat).ok();
        Working { told: Some(told), thread }
    }

    /// As [`working`](Self::working) for a loop that looks at something else meanwhile.
    pub(super) fn beat(&mut self, pulse: &mut Pulse, what: &str) {
        pulse.beat(&mut self.lock(), what);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.0)
    }
}

/// A writer that panicked leaves a line at worst.
fn lock(inner: &Mutex<Inner>) -> MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    fn line(&mut self, text: &str) {
        let (clear, text) = (self.clear(), self.shown(text));
        let _ = writeln!(self.out, "{clear}{text}");
        let _ = self.out.flush();
    }

    fn transient(&mut self, text: &str) {
        let Some(columns) = &self.columns else { return };
        let shown = visible(text);
        let text = fitting(&shown, columns());
        let clear = self.clear();
        let _ = write!(self.out, "{clear}{text}");
        let _ = self.out.flush();
        self.open = text.chars().count();
    }

    fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.columns.is_some() { visible(text) } else { Cow::Borrowed(text) }
    }

    /// The text that erases the unfinished line.
    fn clear(&mut self) -> String {
        match std::mem::take(&mut self.open) {
            0 => String::new(),
            columns => format!("\r{}\r", " ".repeat(columns)),
        }
    }
}

/// Something that goes on, which the [`Console`] says until this is dropped.
#[must_use = "dropping it ends what is said"]
pub struct Working {
    told: Option<Sender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Working {
    /// Says that it has come so far, in the place of what was said before.
    pub fn says(&self, what: &str) {
        if let Some(told) = &self.told {
            // Where there is no thread, nobody is told.
            let _ = told.send(what.to_owned());
        }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.told = None;
        if let Some(thread) = self.thread.take() {
            // A thread that only writes lines has no error to pass on.
            let _ = thread.join();
        }
    }
}

/// When to say again that something goes on.
pub(super) struct Pulse {
    begun: Instant,
    told: Option<Instant>,
}

impl Pulse {
    /// How often to look whether it is time.
    pub const LOOK: Duration = Duration::from_millis(100);

    pub fn new() -> Pulse {
        Pulse { begun: Instant::now(), told: None }
    }

    fn beat(&mut self, inner: &mut Inner, what: &str) {
        let is_terminal = inner.columns.is_some();
        let [first, then] = if is_terminal { ON_TERMINAL } else { ELSEWHERE };
        let is_due = match self.told {
            None => self.begun.elapsed() >= first,
            Some(told) => told.elapsed() >= then,
        };
        if !is_due {
            return;
        }
        self.told = Some(Instant::now());
        let line = format!("{what}: {} so far", span(self.begun.elapsed().as_secs_f64()));
        if is_terminal { inner.transient(&line) } else { inner.line(&line) }
    }
}

/// The leading parts of `text` that fit into `columns`; the beginning of a first part that is too long.
fn fitting(text: &str, columns: usize) -> &str {
    let Some((most, _)) = text.char_indices().nth(columns) else { return text };
    let ends = text.match_indices("  ").map(|(end, _)| end);
    &text[..ends.take_while(|&end| end <= most).last().unwrap_or(most)]
}

/// `2 min 05 s` of 125.
pub(super) fn span(seconds: f64) -> String {
    let s = if seconds.is_finite() { seconds.round() as u64 } else { 0 };
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {:02} s", s / 60, s % 60),
        _ => format!("{} h {:02} min", s / 3600, s / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn whole_parts_are_left_out() {
        let line = "step 3/12  loss 5.1  9 s left";
        for (columns, shown) in [
            (99, line),
            (29, line),
            (28, "step 3/12  loss 5.1"),
            (19, "step 3/12  loss 5.1"),
            (18, "step 3/12"),
        ] {
            assert_eq!(fitting(line, columns), shown, "{columns}");
        }
        assert_eq!([fitting(line, 9), fitting(line, 4), fitting(line, 0)], ["step 3/12", "step", ""]);
        assert_eq!(fitting("\u{e4}\u{f6}\u{fc}", 2), "\u{e4}\u{f6}");
    }
}

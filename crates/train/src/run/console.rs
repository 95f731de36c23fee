use std::io::{self, IsTerminal, Write};

/// Where a run tells what it does: lines, and on a terminal one line that is written over.
///
/// A closed or full output is no reason to end a run: nothing here fails.
pub struct Console {
    out: Box<dyn Write>,
    terminal: bool,
    // How many columns of the last, unfinished line are written on.
    open: usize,
}

impl Console {
    /// The standard output.
    pub fn stdout() -> Self {
        let out = io::stdout();
        let terminal = out.is_terminal();
        Console { out: Box::new(out), terminal, open: 0 }
    }

    /// Lines to `out`, which is no terminal.
    pub fn to(out: impl Write + 'static) -> Self {
        Console { out: Box::new(out), terminal: false, open: 0 }
    }

    /// Nothing at all.
    pub fn silent() -> Self {
        Self::to(io::sink())
    }

    /// Whether lines can be written over.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// A line that stays.
    pub fn line(&mut self, text: &str) {
        let clear = self.clear();
        let _ = writeln!(self.out, "{clear}{text}");
        let _ = self.out.flush();
    }

    /// A line that the next one replaces; without a terminal, nothing.
    pub fn transient(&mut self, text: &str) {
        if self.terminal {
            let clear = self.clear();
            let _ = write!(self.out, "{clear}{text}");
            let _ = self.out.flush();
            self.open = text.chars().count();
        }
    }

    /// Text as it comes, of a line or more.
    pub fn text(&mut self, text: &str) {
        let clear = self.clear();
        let _ = write!(self.out, "{clear}{text}");
        let _ = self.out.flush();
    }

    /// Something that is wrong but ends nothing.
    pub fn warn(&mut self, text: &str) {
        self.line(&format!("warning: {text}"));
    }

    /// What takes the unfinished line away.
    fn clear(&mut self) -> String {
        match std::mem::take(&mut self.open) {
            0 => String::new(),
            columns => format!("\r{}\r", " ".repeat(columns)),
        }
    }
}

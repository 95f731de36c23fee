use std::borrow::Cow;
use std::io::{self, Write};

use jarrah_base::visible;

/// Where a run reports: lines, and on a terminal one last line that is overwritten.
///
/// A terminal is shown the control characters of texts, such as those of a sample, and does not do what they say ([`visible`]). A failed write, as to a full disk,
/// is ignored: it must not end a run.
pub struct Console {
    out: Box<dyn Write + Send>,
    // The terminal's number of columns.
    columns: Option<Box<dyn Fn() -> usize + Send>>,
    // The columns in use on the last, unfinished line.
    open: usize,
}

impl Console {
    /// Writes lines to `out`, which is no terminal.
    pub fn to(out: impl Write + Send + 'static) -> Self {
        Console { out: Box::new(out), columns: None, open: 0 }
    }

    /// Writes lines to a terminal, whose width is asked for before every overwritten line.
    pub fn terminal(out: impl Write + Send + 'static, columns: impl Fn() -> usize + Send + 'static) -> Self {
        Console { out: Box::new(out), columns: Some(Box::new(columns)), open: 0 }
    }

    /// Writes nothing.
    pub fn silent() -> Self {
        Self::to(io::sink())
    }

    /// Whether a line can be overwritten.
    pub fn is_terminal(&self) -> bool {
        self.columns.is_some()
    }

    /// Writes a line that stays.
    pub fn line(&mut self, text: &str) {
        let (clear, text) = (self.clear(), self.shown(text));
        let _ = writeln!(self.out, "{clear}{text}");
        let _ = self.out.flush();
    }

    /// Writes a line that the next one replaces; without a terminal, nothing. The line's parts are separated by two
    /// spaces; parts that do not fit the terminal are left out.
    pub fn transient(&mut self, text: &str) {
        let Some(columns) = &self.columns else { return };
        let shown = visible(text);
        let text = fitting(&shown, columns());
        let clear = self.clear();
        let _ = write!(self.out, "{clear}{text}");
        let _ = self.out.flush();
        self.open = text.chars().count();
    }

    /// Writes text of any number of lines.
    pub fn text(&mut self, text: &str) {
        let (clear, text) = (self.clear(), self.shown(text));
        let _ = write!(self.out, "{clear}{text}");
        let _ = self.out.flush();
    }

    /// A problem that does not end the run.
    pub fn warn(&mut self, text: &str) {
        self.line(&format!("warning: {text}"));
    }

    fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_terminal() { visible(text) } else { Cow::Borrowed(text) }
    }

    /// The text that erases the unfinished line.
    fn clear(&mut self) -> String {
        match std::mem::take(&mut self.open) {
            0 => String::new(),
            columns => format!("\r{}\r", " ".repeat(columns)),
        }
    }
}

/// The leading parts of `text` that fit into `columns`; the beginning of a first part that is too long.
fn fitting(text: &str, columns: usize) -> &str {
    let Some((most, _)) = text.char_indices().nth(columns) else { return text };
    let ends = text.match_indices("  ").map(|(end, _)| end);
    &text[..ends.take_while(|&end| end <= most).last().unwrap_or(most)]
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

use std::io::{self, Write};

/// Where a run tells what it does: lines, and on a terminal one line that is written over.
///
/// A full output is no reason to end a run: nothing here fails.
pub struct Console {
    out: Box<dyn Write>,
    // How many columns a terminal has.
    columns: Option<Box<dyn Fn() -> usize>>,
    // How many columns of the last, unfinished line are written on.
    open: usize,
}

impl Console {
    /// Lines to `out`, which is no terminal.
    pub fn to(out: impl Write + 'static) -> Self {
        Console { out: Box::new(out), columns: None, open: 0 }
    }

    /// Lines to a terminal, whose width is asked for before every line that is written over.
    pub fn terminal(out: impl Write + 'static, columns: impl Fn() -> usize + 'static) -> Self {
        Console { out: Box::new(out), columns: Some(Box::new(columns)), open: 0 }
    }

    /// Nothing at all.
    pub fn silent() -> Self {
        Self::to(io::sink())
    }

    /// Whether lines can be written over.
    pub fn is_terminal(&self) -> bool {
        self.columns.is_some()
    }

    /// A line that stays.
    pub fn line(&mut self, text: &str) {
        let clear = self.clear();
        let _ = writeln!(self.out, "{clear}{text}");
        let _ = self.out.flush();
    }

    /// A line that the next one replaces; without a terminal, nothing. Its parts stand apart by two spaces; those that do
    /// not fit the terminal are left out.
    pub fn transient(&mut self, text: &str) {
        let Some(columns) = &self.columns else { return };
        let text = fitting(text, columns());
        let clear = self.clear();
        let _ = write!(self.out, "{clear}{text}");
        let _ = self.out.flush();
        self.open = text.chars().count();
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

/// The leading parts of `text` that fit into `columns`; of a first part that is too long, its beginning.
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

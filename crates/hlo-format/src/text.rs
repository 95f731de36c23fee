use jarrah_base::{Error, Location};

/// A text, its name, and where its lines begin.
pub(crate) struct Text<'t> {
    pub name: &'t str,
    pub body: &'t str,
    lines: Vec<usize>,
}

impl<'t> Text<'t> {
    pub fn new(name: &'t str, body: &'t str) -> Self {
        let ends = body.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i + 1);
        Text { name, body, lines: std::iter::once(0).chain(ends).collect() }
    }

    /// The line and column, in bytes, of the offset `at`.
    pub fn location(&self, at: usize) -> Location {
        let line = self.lines.partition_point(|&start| start <= at);
        let column = at - self.lines[line - 1] + 1;
        Location::new(self.name, line as u32, column as u32)
    }

    /// The error that something is wrong at the offset `at`.
    pub fn error(&self, at: usize, message: impl Into<String>) -> Error {
        Error::input(message).at(self.location(at))
    }
}

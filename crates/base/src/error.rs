use std::fmt::{self, Display};
use std::path::Path;

use crate::location::Location;

/// The result of anything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The party that has to act on an error; the command line maps it to an exit code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// The program is wrong: shapes, dtypes, axes, a leaked tracer. Its author mends it.
    Program,
    /// A file, an argument, a recipe or a checkpoint is wrong. Exit code 2.
    Input,
    /// The request needs more memory than there is; a smaller one may fit. Exit code 2.
    Memory,
    /// The machine said no: memory that it promised, disk, device, permission. Exit code 1.
    Environment,
    /// A defect of this library.
    Internal,
}

/// The text as one word of a shell, for the commands that errors advise.
///
/// ```
/// assert_eq!(jarrah_base::quoted("runs/1"), "runs/1");
/// assert_eq!(jarrah_base::quoted("my runs/1"), "'my runs/1'");
/// ```
pub fn quoted(text: impl Display) -> String {
    let text = text.to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,+@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// A further place that matters to an error, with what stands there.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The place.
    pub location: Location,
    /// Its part in the error: `lhs made here`.
    pub text: String,
}

/// An error that ends the search: what failed, where, what surrounds it, and how to mend it.
///
/// Printed as
/// ```text
/// [dot] contracting dimensions differ: lhs f32[8,128] axis 1 is 128, rhs f32[64,256] axis 0 is 64
///   --> src/model.rs:41:18      (lhs made at src/model.rs:38:13)
///   = while tracing jit(train_step)
///   = help: transpose rhs
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    op: Option<String>,
    message: String,
    location: Option<Location>,
    labels: Vec<Label>,
    context: Vec<String>,
    help: Option<String>,
}

impl Error {
    /// An error of `kind` that says `message`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner {
            kind,
            op: None,
            message: message.into(),
            location: None,
            labels: Vec::new(),
            context: Vec::new(),
            help: None,
        }))
    }

    /// The program is wrong.
    pub fn program(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Program, message)
    }

    /// A file or an argument is wrong.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, message)
    }

    /// An error of a request that needs more memory than there is.
    pub fn memory(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Memory, message)
    }

    /// The machine said no.
    pub fn environment(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Environment, message)
    }

    /// A defect of this library.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// A failed operation on a file: a missing or malformed one is the input's fault, the rest the machine's.
    pub fn io(action: &str, path: &Path, error: &std::io::Error) -> Self {
        Self::new(at_fault(error), format!("cannot {action} {}: {error}", path.display()))
    }

    /// Names the op that found the error, unless one is named already.
    pub fn op(mut self, name: &str) -> Self {
        self.0.op.get_or_insert_with(|| name.to_owned());
        self
    }

    /// Sets the place, unless one is set already.
    pub fn at(mut self, location: Location) -> Self {
        self.0.location.get_or_insert(location);
        self
    }

    /// Moves the place, if it has one.
    pub fn moved(mut self, to: impl FnOnce(Location) -> Location) -> Self {
        self.0.location = self.0.location.map(to);
        self
    }

    /// Adds a further place.
    pub fn label(mut self, location: Location, text: impl Into<String>) -> Self {
        self.0.labels.push(Label { location, text: text.into() });
        self
    }

    /// Adds a line on what was going on: `while tracing jit(f)`.
    pub fn context(mut self, line: impl Into<String>) -> Self {
        self.0.context.push(line.into());
        self
    }

    /// Says how to mend it, unless that is said already.
    pub fn help(mut self, line: impl Into<String>) -> Self {
        self.0.help.get_or_insert_with(|| line.into());
        self
    }

    /// Says how to mend it, in the place of what was said before: for a caller whose user cannot follow that.
    pub fn with_help(mut self, line: impl Into<String>) -> Self {
        self.0.help = Some(line.into());
        self
    }

    /// The party that has to act.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The message, without place and help.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// How to mend it.
    pub fn advice(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The place.
    pub fn location(&self) -> Option<Location> {
        self.0.location
    }

    /// The further places.
    pub fn labels(&self) -> &[Label] {
        &self.0.labels
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &self.0;
        if let Some(op) = &inner.op {
            write!(f, "[{op}] ")?;
        }
        f.write_str(&inner.message)?;
        let labels: Vec<String> =
            inner.labels.iter().map(|l| format!("{} at {}", l.text, l.location)).collect();
        match inner.location {
            Some(location) if labels.is_empty() => write!(f, "\n  --> {location}")?,
            Some(location) => write!(f, "\n  --> {location}      ({})", labels.join(", "))?,
            None => labels.iter().try_for_each(|label| write!(f, "\n  = {label}"))?,
        }
        for line in &inner.context {
            write!(f, "\n  = {line}")?;
        }
        if let Some(help) = &inner.help {
            write!(f, "\n  = help: {help}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// The party that has to act on a failed operation of the system.
fn at_fault(error: &std::io::Error) -> ErrorKind {
    use std::io::ErrorKind as Io;
    match error.kind() {
        Io::NotFound | Io::InvalidData | Io::UnexpectedEof | Io::IsADirectory | Io::NotADirectory => {
            ErrorKind::Input
        }
        _ => ErrorKind::Environment,
    }
}

/// An error of the system, so that `?` passes on what `std` says. [`Error::io`] also says which file it was.
///
/// ```
/// use jarrah_base::{ErrorKind, Result};
/// fn length(path: &str) -> Result<usize> {
///     Ok(std::fs::read(path)?.len())
/// }
/// assert_eq!(length("no such file").unwrap_err().kind(), ErrorKind::Input);
/// ```
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        // An error of this type that went through `std`, as `io::Error::other` takes it, keeps its kind and its help.
        match error.downcast::<Error>() {
            Ok(own) => own,
            Err(error) => Self::new(at_fault(&error), error.to_string()),
        }
    }
}

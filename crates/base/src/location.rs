use std::fmt;
use std::sync::{LazyLock, Mutex};

use crate::intern::{Intern, Interned, Table};

/// A place in a source file: the user's Rust line, or the line of an imported program.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Location {
    file: Interned<String>,
    line: u32,
    column: u32,
}

impl Intern for String {
    fn table() -> &'static Table<Self> {
        static TABLE: LazyLock<Table<String>> = LazyLock::new(|| Mutex::new(Default::default()));
        &TABLE
    }
}

/// The most names that are kept. A process that goes on importing programs with ever new names loses those of the later
/// ones, and no memory.
const NAMES: usize = 1 << 14;
/// The most bytes of a name that are kept.
const LENGTH: usize = 512;

/// The handle of a file's name or of a scope.
fn name(text: &str) -> Interned<String> {
    let text = match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    };
    Interned::among(text, NAMES, |_| "(one of many names)".into())
}

impl Location {
    /// The place `line:column` of `file`, both counted from one.
    pub fn new(file: &str, line: u32, column: u32) -> Self {
        Location { file: name(file), line, column }
    }

    /// The place that called the function that calls this one, when that is `#[track_caller]`.
    #[track_caller]
    pub fn caller() -> Self {
        Self::from_rust(std::panic::Location::caller())
    }

    /// The place that a value of the standard library's type names.
    pub fn from_rust(place: &'static std::panic::Location<'static>) -> Self {
        thread_local! {
            static LAST: std::cell::Cell<Option<(*const u8, Interned<String>)>> = const { std::cell::Cell::new(None) };
        }
        let file = place.file();
        let file = LAST.with(|last| match last.get() {
            Some((address, interned)) if address == file.as_ptr() && interned.len() == file.len() => interned,
            _ => {
                let interned = name(file);
                last.set(Some((file.as_ptr(), interned)));
                interned
            }
        });
        Location { file, line: place.line(), column: place.column() }
    }

    /// Whether this is a place in the standard library: a file by the compiler's name for its sources, or by their path on this machine
    /// where they are installed (the component `rust-src`, which editors add). The standard library is the caller of a function that is
    /// passed by its path, as in `jit(Array::exp)`.
    ///
    /// ```
    /// use jarrah_base::Location;
    /// let is_of_std = |file: &str| Location::new(file, 1, 1).is_of_std();
    /// assert!(is_of_std("/rustc/59807616e1/library/core/src/ops/function.rs"));
    /// assert!(is_of_std("/home/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/ops/function.rs"));
    /// assert!(!is_of_std("src/main.rs") && !is_of_std("/home/me/library/core/src/main.rs"));
    /// ```
    pub fn is_of_std(&self) -> bool {
        let file = self.file();
        let is_installed = || {
            ["/rustlib/src/rust/library/", r"\rustlib\src\rust\library\"]
                .iter()
                .any(|part| file.contains(part))
        };
        file.starts_with("/rustc/") || std::path::Path::new(file).is_absolute() && is_installed()
    }

    /// The file's name as the compiler or the import recorded it.
    pub fn file(&self) -> &'static str {
        self.file.get()
    }

    /// The line, from one.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The column, from one.
    pub fn column(&self) -> u32 {
        self.column
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file(), self.line, self.column)
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A dotted path that says which part of a model an instruction belongs to, such as `layers.3.attention.q_proj`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scope(Interned<String>);

impl Scope {
    /// The scope with this path.
    pub fn new(path: &str) -> Self {
        Scope(name(path))
    }

    /// The empty path.
    pub fn root() -> Self {
        static ROOT: LazyLock<Scope> = LazyLock::new(|| Scope::new(""));
        *ROOT
    }

    /// The path below this one by `name`.
    pub fn join(self, name: &str) -> Self {
        if self.path().is_empty() { Scope::new(name) } else { Scope::new(&format!("{}.{name}", self.path())) }
    }

    /// The dotted path; empty at the root.
    pub fn path(self) -> &'static str {
        self.0.get()
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path())
    }
}

/// Where an instruction comes from: the source position, if one is known, and the scope path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The user's line.
    pub location: Option<Location>,
    /// The part of the model.
    pub scope: Scope,
}

impl Source {
    /// No position, the root scope.
    pub fn unknown() -> Self {
        Source { location: None, scope: Scope::root() }
    }

    /// A position in the root scope.
    pub fn at(location: Location) -> Self {
        Source { location: Some(location), scope: Scope::root() }
    }
}

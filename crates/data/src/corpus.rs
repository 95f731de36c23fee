use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};

use crate::manifest::Manifest;
use crate::read::{self, Document, ReadFile};
pub use crate::read::{Documents, RecordPlace};
use crate::split::{self, Unit};
use crate::{discover, rust_sources};

/// The text of a run: training documents, held-out documents, and the list of their files.
pub struct Corpus {
    /// The documents to train on, in a fixed order.
    pub train: Vec<String>,
    /// The held-out documents, to evaluate on; training never sees them. May be empty if the text is tiny.
    pub held_out: Vec<String>,
    /// Where each record of `train` stands; nothing for texts.
    pub train_places: Vec<RecordPlace>,
    /// Where each record of `held_out` stands; nothing for texts.
    pub held_out_places: Vec<RecordPlace>,
    /// The list of the files, which a run stores.
    pub manifest: Manifest,
    /// Counts of what was found, for display.
    pub summary: Summary,
}

/// The sources of a [`Corpus`], for display.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The arguments, or the place searched.
    pub origin: String,
    /// Files used.
    pub files: usize,
    /// Bytes of the training text.
    pub train_bytes: usize,
    /// Bytes of the held-out text.
    pub held_out_bytes: usize,
    /// Files left out because they are binary.
    pub binary: Vec<PathBuf>,
    /// Files of folders left out because they are notes on the data, or licences: `README.md`, `LICENSE`, `MANIFEST.md`.
    pub notes: Vec<PathBuf>,
}

impl Corpus {
    /// The text of the files, folders and globs in `arguments`; of a line of a `.jsonl` file, its `text`, else
    /// `content`.
    ///
    /// Binary files (a NUL byte, or not UTF-8), and the notes and licences of folders (`README.md`, `LICENSE`, `MANIFEST.md`, ...), are left out and listed in
    /// the summary; a note that is named itself is text like any other. About 5 % is held out: whole
    /// documents, chosen by the hash of their text; with few documents, the last 5 % of each.
    ///
    /// # Errors
    /// An argument matches nothing, no file is text, or a line of a `.jsonl` has no text (`Input`).
    pub fn open<S: AsRef<str>>(arguments: &[S]) -> Result<Self> {
        Self::open_as(arguments, Documents::Texts)
    }

    /// As [`open`](Self::open), with documents of a kind. Records are held out whole or not at all.
    ///
    /// # Errors
    /// As [`open`](Self::open); a file of records is no list in JSON (`Input`).
    pub fn open_as<S: AsRef<str>>(arguments: &[S], kind: Documents) -> Result<Self> {
        let names: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
        let origin = names.join(" ");
        let mut binary = Vec::new();
        let mut files = Vec::new();
        let discover::Found { files: paths, notes } = discover::files(arguments)?;
        for path in paths {
            files.extend(read::found(path, None, kind, &mut binary)?);
        }
        files.retain(|f| !f.documents.is_empty());
        if files.is_empty() {
            let why = match binary.len() {
                0 if !notes.is_empty() => format!("there are only notes and licences ({})", shown(&notes)),
                0 => "there is no file, or all are empty".to_owned(),
                n => format!(
                    "{n} {} binary ({})",
                    if n == 1 { "file is" } else { "files are" },
                    shown(&binary)
                ),
            };
            return Err(Error::input(format!("no text to train on in {origin}: {why}"))
                .help("pass text files, folders, globs or .jsonl files with a `text` field"));
        }
        Ok(Self::assemble(origin, files, (binary, notes), kind))
    }

    /// Text that every Rust user has: the sources in the local cargo registry, at most `max_bytes`, in the order of
    /// hashes.
    ///
    /// The registry is searched in `$CARGO_HOME`, else `~/.cargo`. Whole crates are held out, by the hash of their
    /// name. Without a registry, the text is this project's sources and documentation.
    ///
    /// # Errors
    /// Neither is found (`Input`).
    pub fn rust_sources(max_bytes: u64) -> Result<Self> {
        let named = env::var_os("CARGO_HOME").filter(|home| !home.is_empty());
        let home = named.map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
        Self::rust_sources_in(
            home.as_deref(),
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")),
            max_bytes,
        )
    }

    /// As [`rust_sources`](Self::rust_sources), with the two folders given.
    ///
    /// # Errors
    /// There is no source in the registry of `cargo_home` or in `project` (`Input`).
    pub fn rust_sources_in(
        cargo_home: Option<&Path>,
        project: impl AsRef<Path>,
        max_bytes: u64,
    ) -> Result<Self> {
        let project = project.as_ref();
        if let Some(home) = cargo_home {
            let files = rust_sources::from_registry(home, max_bytes)?;
            if !files.is_empty() {
                return Ok(Self::assemble(
                    "the cargo registry".to_owned(),
                    files,
                    Default::default(),
                    Documents::Texts,
                ));
            }
        }
        if project.is_dir() {
            let files = rust_sources::from_project(project, max_bytes)?;
            if !files.is_empty() {
                return Ok(Self::assemble(
                    "this project's sources".to_owned(),
                    files,
                    Default::default(),
                    Documents::Texts,
                ));
            }
        }
        let place = cargo_home.map_or("~/.cargo".to_owned(), |h| h.display().to_string());
        Err(Error::input(format!("no text to train on: there are no Rust sources in {place}/registry/src"))
            .help("pass your own text: --data FILE_OR_FOLDER"))
    }

    /// The text of the listed files, unchanged since the list was made; no other file is read.
    ///
    /// # Errors
    /// A file is missing or has changed (`Input`, with its path and both hashes).
    pub fn reopen(manifest: &Manifest, kind: Documents) -> Result<Self> {
        let read = |source: &crate::SourceFile| {
            let text = read::text(source.read_unchanged()?).ok_or_else(|| {
                Error::input(format!("{} is listed as a source file but is no text", source.path.display()))
            })?;
            Ok(ReadFile { source: source.clone(), documents: read::documents(&source.path, text, kind)? })
        };
        let files = manifest.files.iter().map(read).collect::<Result<Vec<_>>>()?;
        Ok(Self::assemble("the run's own list of files".to_owned(), files, Default::default(), kind))
    }

    fn assemble(
        origin: String,
        files: Vec<ReadFile>,
        (binary, notes): (Vec<PathBuf>, Vec<PathBuf>),
        kind: Documents,
    ) -> Self {
        let mut sources = Vec::with_capacity(files.len());
        let mut units = Vec::new();
        for ReadFile { source, documents } in files {
            let by_name = source.group.as_ref().map(|name| split::hash(name.as_bytes()));
            units.extend(documents.into_iter().map(|document| {
                let group = by_name.unwrap_or_else(|| split::hash(document.text.as_bytes()));
                Unit { document, group }
            }));
            sources.push(source);
        }
        let (train, held_out) = split::split(units, kind == Documents::Texts);
        let [(train, train_places), (held_out, held_out_places)] = [train, held_out].map(apart);
        let bytes = |documents: &[String]| documents.iter().map(String::len).sum();
        let summary = Summary {
            origin,
            files: sources.len(),
            train_bytes: bytes(&train),
            held_out_bytes: bytes(&held_out),
            binary,
            notes,
        };
        Corpus { train, held_out, train_places, held_out_places, manifest: Manifest::new(sources), summary }
    }
}

/// The texts of documents, and the places of those that are records.
fn apart(documents: Vec<Document>) -> (Vec<String>, Vec<RecordPlace>) {
    let mut places = Vec::new();
    let texts = documents.into_iter().map(|document| {
        places.extend(document.place);
        document.text
    });
    (texts.collect(), places)
}

/// One line: `142 files in src, 1.3 MB to train on, 0.1 MB held out; 2 binary files left out (a.png, b.bin)`.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = |bytes: usize| match bytes {
            0..10_000 => format!("{bytes} bytes"),
            10_000..1_000_000 => format!("{} kB", bytes / 1000),
            _ => format!("{:.1} MB", bytes as f64 / 1e6),
        };
        let files = if self.files == 1 { "file" } else { "files" };
        write!(
            f,
            "{} {files} in {}, {} to train on, {} held out",
            self.files,
            self.origin,
            size(self.train_bytes),
            size(self.held_out_bytes)
        )?;
        match self.binary.as_slice() {
            [] => {}
            [one] => write!(f, "; 1 binary file left out ({})", shown(std::slice::from_ref(one)))?,
            all => write!(f, "; {} binary files left out ({})", all.len(), shown(all))?,
        }
        match self.notes.as_slice() {
            [] => Ok(()),
            [one] => {
                write!(f, "; a note left out, unless it is named ({})", shown(std::slice::from_ref(one)))
            }
            all => write!(f, "; {} notes left out, unless they are named ({})", all.len(), shown(all)),
        }
    }
}

/// The names of up to three of the files.
fn shown(paths: &[PathBuf]) -> String {
    let name = |p: &PathBuf| p.file_name().unwrap_or(p.as_os_str()).to_string_lossy().into_owned();
    let mut names: Vec<String> = paths.iter().take(3).map(name).collect();
    if paths.len() > names.len() {
        names.push("...".to_owned());
    }
    names.join(", ")
}

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jarrah_base::{Error, Result, files, quoted};
use jarrah_checkpoint::{Claim, Lock};
use jarrah_formats::tokenizers::tokenizer_among;

use crate::names::{
    CHART, CHECKPOINTS, EVENTS, LATEST, MANIFEST, MARKER, METRICS, MODEL, RECIPE, RUNS, SAMPLES, VERSION,
    is_of_texts,
};
use crate::resolve;

/// The folder of a run; while this value lives, only this process writes to it.
///
/// A folder is a run once it has `run.json`, which is written before any work: whatever is missing then is made on
/// resume.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
    // Whether this process made the folder.
    made: bool,
    // `None` where the file system has no locks.
    lock: Option<Arc<Lock>>,
}

impl RunFolder {
    /// Makes the folder of a new run, `out`, or else the next free number in `runs`, and claims it. The folder is a run once [`begin`](Self::begin) has
    /// returned.
    ///
    /// # Errors
    /// The folder is already a run, holds other files, belongs to another process, or cannot be written (`Input`).
    pub fn create(out: Option<&Path>) -> Result<Self> {
        Self::may_begin(out)?;
        match out {
            Some(out) => claim_new(out),
            None => {
                let path = next_free(Path::new(RUNS))?;
                Ok(RunFolder { made: true, ..claim_new(&path)? })
            }
        }
    }

    /// Writes the first files of a new run, each with its name, and the one that makes the folder a run.
    ///
    /// # Errors
    /// The folder cannot be written (`Input`); nothing is left of it.
    pub fn begin(self, files: &[(&str, &[u8])]) -> Result<Self> {
        let marker = format!("{{\"version\": {VERSION}}}\n");
        let mut files = files.iter().copied().chain([(MARKER, marker.as_bytes())]);
        match files.try_for_each(|(name, content)| self.write(name, content)) {
            Ok(()) => Ok(self),
            Err(error) => {
                self.abandon();
                Err(error)
            }
        }
    }

    /// Looks whether a new run may have the folder `out`, or one in `runs`, so that a run that may not is refused before anything is computed. Nothing is
    /// made.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn may_begin(out: Option<&Path>) -> Result<()> {
        let path = out.unwrap_or(Path::new(RUNS));
        if path.is_dir() && out.is_some() {
            RunFolder { path: path.to_owned(), made: false, lock: None }.refuse_others()?;
        }
        let mut named = path.ancestors().filter(|above| !above.as_os_str().is_empty());
        let above = named.find(|above| above.exists()).unwrap_or(Path::new("."));
        // Whether a file can be made there is known once one is.
        let probe = above.join(format!("{PROBE}{}", std::process::id()));
        fs::write(&probe, "").and_then(|()| fs::remove_file(&probe)).map_err(|e| unwritable(path, &e))
    }

    /// Removes what [`create`](Self::create) made and what was written since, for a run that failed or was stopped before its first step was done. Without
    /// a lock nothing is removed: another process may own it.
    pub fn abandon(self) {
        if self.lock.is_none() {
            return;
        }
        for name in [MARKER, RECIPE, MANIFEST, MODEL, METRICS, SAMPLES] {
            let _ = fs::remove_file(self.path.join(name));
        }
        for name in fs::read_dir(&self.path).into_iter().flatten().flatten().map(|entry| entry.file_name()) {
            if name.to_str().is_some_and(|name| is_of_texts(name) || name.starts_with(EVENTS)) {
                let _ = fs::remove_file(self.path.join(name));
            }
        }
        for folder in [self.checkpoints(), self.path] {
            let _ = fs::remove_file(folder.join(Lock::FILE));
            // A folder that is not empty cannot be removed, and stays.
            let _ = self.made.then(|| fs::remove_dir(folder));
        }
    }

    /// Removes the run that `path` names, if it was stopped before its first step was done: then there is no checkpoint and no measurement. Whether it did.
    ///
    /// # Errors
    /// The folder is no run, or belongs to another process (`Input`).
    pub fn remove_unbegun(path: &Path) -> Result<bool> {
        let run = RunFolder { made: true, ..Self::open(path)? };
        let checkpoints = fs::read_dir(run.checkpoints()).into_iter().flatten().flatten();
        let is_saved = checkpoints.filter(|entry| entry.file_name() != Lock::FILE).count() > 0;
        let is_measured = fs::metadata(run.path.join(METRICS)).is_ok_and(|lines| lines.len() > 0);
        if is_saved || is_measured || run.lock.is_none() {
            return Ok(false);
        }
        let runs = run.path.parent().map(Path::to_owned);
        run.abandon();
        // The newest run is another one now.
        if let Some(runs) = runs.filter(|runs| runs.file_name().is_some_and(|name| name == RUNS)) {
            let begun =
                |path: &PathBuf| fs::metadata(path.join(MARKER)).and_then(|file| file.modified()).ok();
            let all = fs::read_dir(&runs).into_iter().flatten().flatten().map(|entry| entry.path());
            let others =
                all.filter(|path| !path.is_symlink() && path.file_name().is_some_and(|name| name != LATEST));
            match others.filter_map(|path| Some((begun(&path)?, path))).max() {
                Some((_, path)) => RunFolder { path, made: false, lock: None }.point_latest(),
                None => drop(fs::remove_file(runs.join(LATEST))),
            }
        }
        Ok(true)
    }

    /// Opens the run that `path` names, to resume it.
    ///
    /// # Errors
    /// The folder is no run, belongs to another process, or cannot be written (`Input`).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let path = resolve(path)?;
        let writable = "a run goes on in its own folder: make it writable, or copy the run to one that is";
        let lock = claim(&path).map_err(|e| unwritable(&path, &e).with_help(writable))?;
        let lock = lock.map_err(|e| e.with_help("end that process first"))?;
        Ok(RunFolder { path, made: false, lock })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the tokenizer, where there is one.
    pub fn tokenizer(&self) -> Option<PathBuf> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        tokenizer_among(names.iter().map(String::as_str)).map(|name| self.path.join(name))
    }

    /// The path of what is said of the model.
    pub fn model(&self) -> PathBuf {
        self.path.join(MODEL)
    }

    /// The path of the list of source files.
    pub fn manifest(&self) -> PathBuf {
        self.path.join(MANIFEST)
    }

    /// The folder of the checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.path.join(CHECKPOINTS)
    }

    /// The path of the loss curve.
    pub fn chart(&self) -> PathBuf {
        self.path.join(CHART)
    }

    /// Writes a file atomically: it is complete, or not there.
    ///
    /// # Errors
    /// The folder cannot be written (`Input`).
    pub fn write(&self, name: &str, content: &[u8]) -> Result<()> {
        self.place(name, |path| fs::write(path, content).map_err(|e| unwritable(path, &e)))
    }

    /// Lets `make` write a file atomically, which is on the disk when this returns.
    ///
    /// # Errors
    /// `make` failed, or the folder cannot be written (`Input`).
    pub fn place(&self, name: &str, make: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let (path, part) = (self.path.join(name), self.path.join(partial(name)));
        make(&part)?;
        files::place(&part, &path).map_err(|e| unwritable(&path, &e))
    }

    /// Refuses a folder with files other than those of a run that was killed while it began.
    fn refuse_others(&self) -> Result<()> {
        let shown = self.path.display();
        let left = [RECIPE.to_owned(), partial(RECIPE), partial(MARKER), Lock::FILE.to_owned()];
        let mut other = None;
        for entry in fs::read_dir(&self.path).map_err(|e| unwritable(&self.path, &e))? {
            let name = entry.map_err(|e| unwritable(&self.path, &e))?.file_name();
            // A process that is killed while it looks whether it may write leaves the file that it looks with.
            let is_probe = name.to_str().is_some_and(|name| name.starts_with(PROBE));
            if !is_probe && !left.iter().any(|l| name == l.as_str()) {
                other = Some(name);
            }
        }
        // Last: another process may make a run of the folder while its files are listed.
        if self.path.join(MARKER).exists() {
            return Err(Error::input(format!("{shown} is a run already")).help(format!(
                "go on with it: jarrah train --resume {}; or give another --out",
                quoted(shown)
            )));
        }
        match other {
            Some(name) => {
                Err(Error::input(format!("{shown} is not empty: it holds {}", name.to_string_lossy()))
                    .help("give an empty or a new folder as --out"))
            }
            None => Ok(()),
        }
    }

    /// Makes `runs/latest` point to this run, if the folder is in `runs`. A failure is ignored: the run does not
    /// need it.
    pub fn point_latest(&self) {
        let Some((parent, name)) = self.path.parent().zip(self.path.file_name()) else { return };
        if parent.file_name().is_none_or(|n| n != RUNS) {
            return;
        }
        // The run's name makes this one unique: other runs may do the same at the same moment.
        let part = parent.join(partial(&format!("{LATEST}-{}", name.to_string_lossy())));
        let latest = parent.join(LATEST);
        let _ = fs::remove_file(&part);
        #[cfg(unix)]
        let linked = std::os::unix::fs::symlink(name, &part);
        #[cfg(not(unix))]
        let linked: io::Result<()> = Err(io::ErrorKind::Unsupported.into());
        // Without symbolic links, a file holds the folder's name: see `resolve`.
        let placed = linked.or_else(|_| fs::write(&part, format!("{}\n", name.to_string_lossy())));
        if placed.and_then(|()| fs::rename(&part, &latest)).is_err() {
            let _ = fs::remove_file(&part);
        }
    }
}

/// The beginning of the name of the file with which a process looks whether it may write into a folder; the process's number follows.
const PROBE: &str = ".jarrah-probe-";

/// Makes the folder `path` if it is missing, and claims it for a new run.
fn claim_new(path: &Path) -> Result<RunFolder> {
    let wrong = |e: io::Error| unwritable(path, &e);
    loop {
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(wrong)?;
        let made = match fs::create_dir(path) {
            Ok(()) => true,
            Err(_) if path.is_dir() => false,
            Err(e) => return Err(wrong(e)),
        };
        let mut run = RunFolder { path: path.to_owned(), made, lock: None };
        // Checked before the lock, which would put a file into someone else's folder, and again with the lock,
        // because another run may have begun in between.
        run.refuse_others()?;
        run.lock = match claim(path) {
            // The process that had the folder removed it.
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            claimed => claimed.map_err(wrong)??,
        };
        run.refuse_others()?;
        if made {
            // The name of the folder, and of those above it that are new, is to be there after a loss of power.
            files::sync_names(path).map_err(wrong)?;
        }
        return Ok(run);
    }
}

/// The lock of a run's folder; `None` if the file system has no locks.
fn claim(path: &Path) -> io::Result<Result<Option<Arc<Lock>>>> {
    let owner = match Lock::claim(path)? {
        Claim::Ours(lock) => return Ok(Ok(Some(Arc::new(lock)))),
        Claim::Unsupported => return Ok(Ok(None)),
        Claim::Theirs(owner) => owner.map_or(String::new(), |number| format!(" ({number})")),
    };
    let message = format!("{} belongs to another process{owner}", path.display());
    Ok(Err(Error::input(message).help("end that process, or give another --out")))
}

fn partial(name: &str) -> String {
    format!(".{name}.part")
}

/// Makes `runs/<n>` with the number after the highest there.
fn next_free(runs: &Path) -> Result<PathBuf> {
    fs::create_dir_all(runs).map_err(|e| unwritable(runs, &e))?;
    let entries = fs::read_dir(runs).map_err(|e| unwritable(runs, &e))?;
    let number = |entry: io::Result<fs::DirEntry>| entry.ok()?.file_name().to_str()?.parse::<u64>().ok();
    let mut n = entries.filter_map(number).max().unwrap_or(0);
    loop {
        n += 1;
        let path = runs.join(n.to_string());
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            // Another run took this number first.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(unwritable(&path, &e)),
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::input(format!("cannot write the run folder {}: {error}", path.display()))
        .help("give a folder that can be written (`--out` of `jarrah train`)")
}

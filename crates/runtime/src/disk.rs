use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use jarrah_base::{Error, NUMERICS_VERSION, Result, files, report};
use jarrah_hlo::Program;

use crate::client::CompileOptions;

/// What can be made again, kept in a folder: serialized executables, so that a program is compiled by the first process that needs it and loaded by the
/// others; or something else, by its [`Kept`].
///
/// Each is a file of its own that is written whole; processes may share the folder. When the files exceed the limit, those
/// that were used longest ago go. A file that cannot be used is removed, and a folder that cannot be written is said once:
/// neither is an error, what is missing is made.
#[derive(Debug)]
pub struct DiskCache {
    folder: PathBuf,
    limit: u64,
    kept: Kept,
    state: Mutex<State>,
}

/// What a [`DiskCache`] keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// How the names of its files end.
    pub ending: &'static str,
    /// What is said before the reason where the folder cannot be written.
    pub unwritten: &'static str,
    /// Whether it is said that a file was no good: one that is of another version is no surprise, if files have versions.
    pub says_damage: bool,
}

impl Kept {
    const EXECUTABLES: Kept =
        Kept { ending: ".jarrah", unwritten: "programs are compiled and not kept", says_damage: false };
}

#[derive(Debug, Default)]
struct State {
    /// The bytes in the folder when it was last looked at.
    seen: Option<u64>,
    /// The bytes that were added since then.
    added: u64,
    /// Whether it was said that the folder cannot be written.
    said: bool,
    uses: DiskUse,
}

/// What came of asking a [`DiskCache`], by how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiskUse {
    /// The executable was there.
    pub found: u64,
    /// It was not.
    pub missing: u64,
    /// Its file could not be used, and was removed.
    pub refused: u64,
}

/// What is found by in a [`DiskCache`]: a hash of all that it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiskKey(blake3::Hash);

impl DiskKey {
    /// The key of a program, names and lines included, compiled by a client of this
    /// [version](crate::Client::version).
    ///
    /// # Errors
    /// As [`Program::to_bytes`].
    pub fn new(program: &Program, options: &CompileOptions, version: &str) -> Result<DiskKey> {
        let options = postcard::to_stdvec(options).map_err(|error| Error::internal(error.to_string()))?;
        let mut hasher = blake3::Hasher::new();
        for part in [&program.to_bytes()?, &options, version.as_bytes(), &NUMERICS_VERSION.to_le_bytes()[..]]
        {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Ok(DiskKey(hasher.finalize()))
    }

    /// The key that is this hash of 32 bytes.
    pub fn of(hash: [u8; blake3::OUT_LEN]) -> DiskKey {
        DiskKey(hash.into())
    }
}

/// How long a file that is being written may lie around before it counts as left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);
/// How far the clocks of machines that share a folder may be apart.
const APART: Duration = Duration::from_secs(3600);

impl DiskCache {
    /// The bytes that the files may have if nobody says otherwise.
    pub const LIMIT: u64 = 1 << 30;

    /// The cache in `folder`, which is made when it is first written to.
    pub fn new(folder: impl Into<PathBuf>, limit: u64) -> DiskCache {
        DiskCache::keeping(Kept::EXECUTABLES, folder, limit)
    }

    /// The same of something else.
    pub fn keeping(kept: Kept, folder: impl Into<PathBuf>, limit: u64) -> DiskCache {
        DiskCache { folder: folder.into(), limit, kept, state: Mutex::default() }
    }

    /// The cache in the folder that the environment names as `JARRAH_CACHE`, if it does, with up to `JARRAH_CACHE_LIMIT`
    /// bytes.
    ///
    /// # Errors
    /// The limit is no number of bytes.
    pub fn from_env() -> Result<Option<DiskCache>> {
        let Some(folder) = std::env::var_os("JARRAH_CACHE").filter(|folder| !folder.is_empty()) else {
            return Ok(None);
        };
        let limit = match std::env::var("JARRAH_CACHE_LIMIT") {
            Err(_) => DiskCache::LIMIT,
            Ok(limit) => limit.parse().map_err(|_| {
                Error::input(format!("JARRAH_CACHE_LIMIT is a number of bytes, not {limit:?}"))
            })?,
        };
        Ok(Some(DiskCache::new(folder, limit)))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How it was used.
    pub fn uses(&self) -> DiskUse {
        self.lock().uses
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, key: DiskKey) -> PathBuf {
        self.folder.join(format!("{}{}", key.0.to_hex(), self.kept.ending))
    }

    /// The content of a file: not of a pipe or a device, and of no more than the cache would write.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() || metadata.len() > self.limit {
            return Err(io::ErrorKind::InvalidData.into());
        }
        fs::read(path)
    }

    /// A file without the key that it begins with: a file may have got another one's name.
    fn content(key: DiskKey, file: &[u8]) -> Result<&[u8]> {
        let content = file.strip_prefix(key.0.as_bytes());
        content.ok_or_else(|| Error::input("the file has the name of another one"))
    }

    /// Whether something is kept under `key`.
    pub fn has(&self, key: DiskKey) -> bool {
        fs::metadata(self.path(key)).is_ok_and(|metadata| metadata.is_file())
    }

    /// What `open` makes of the bytes that are kept under `key`, if there are any and it succeeds.
    pub fn get<T>(&self, key: DiskKey, open: impl FnOnce(&[u8]) -> Result<T>) -> Option<T> {
        let path = self.path(key);
        let Ok(bytes) = self.read(&path) else {
            self.lock().uses.missing += 1;
            return None;
        };
        match DiskCache::content(key, &bytes).and_then(open) {
            Ok(found) => {
                // The time of its last use is that of its last change. A folder that is only read has no order.
                let _ =
                    File::options().append(true).open(&path).and_then(|f| f.set_modified(SystemTime::now()));
                self.lock().uses.found += 1;
                Some(found)
            }
            Err(error) => {
                // It may be gone already: another process finds the same.
                let removed = fs::remove_file(&path).is_ok();
                if self.kept.says_damage && removed {
                    report(format_args!("jarrah: {} is no good, and removed: {error}", path.display()));
                }
                self.lock().uses.refused += 1;
                None
            }
        }
    }

    /// Keeps bytes under `key`.
    pub fn put(&self, key: DiskKey, bytes: &[u8]) {
        let file = [key.0.as_bytes(), bytes].concat();
        if file.len() as u64 > self.limit {
            return;
        }
        let made = fs::create_dir_all(&self.folder).map_err(|error| Error::io("make", &self.folder, &error));
        let written = made.and_then(|()| files::replace_soon(&self.path(key), &file));
        let mut state = self.lock();
        if let Err(error) = written {
            if !std::mem::replace(&mut state.said, true) {
                report(format_args!("jarrah: {}: {error}", self.kept.unwritten));
            }
            return;
        }
        state.added += file.len() as u64;
        // What other processes add is seen when the folder is looked at, which is before much was added.
        let due =
            state.seen.is_none_or(|seen| seen + state.added > self.limit || state.added > self.limit / 8);
        if due {
            state.added = 0;
            state.seen = Some(self.trim());
        }
    }

    /// Removes what was used longest ago until an eighth of the limit is free, if the files exceed it, and what processes
    /// left behind that ended while they wrote. Returns the bytes that stay.
    ///
    /// Of a use in times to come, as the clock was set back, nobody knows when it was: such files go first, or they would
    /// stay until then and all others go.
    fn trim(&self) -> u64 {
        let Ok(entries) = fs::read_dir(&self.folder) else { return 0 };
        let now = SystemTime::now();
        let mut kept = Vec::new();
        for entry in entries.flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let (Some(name), Ok(metadata)) = (name.to_str(), entry.metadata()) else { continue };
            let Ok(modified) = metadata.modified() else { continue };
            if is_key(name.strip_suffix(self.kept.ending).unwrap_or_default()) {
                let ahead = modified.duration_since(now).is_ok_and(|ahead| ahead > APART);
                let used = if ahead { SystemTime::UNIX_EPOCH } else { modified };
                kept.push((used, metadata.len(), path));
            } else if name
                .strip_prefix('.')
                .and_then(|name| name.split(self.kept.ending).next())
                .is_some_and(is_key)
                && now.duration_since(modified).is_ok_and(|age| age > LEFT_BEHIND)
            {
                let _ = fs::remove_file(path);
            }
        }
        let mut total: u64 = kept.iter().map(|(_, bytes, _)| bytes).sum();
        if total <= self.limit {
            return total;
        }
        kept.sort();
        for (_, bytes, path) in kept {
            if total <= self.limit - self.limit / 8 {
                break;
            }
            // Where it cannot be removed it still counts.
            if fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
        total
    }
}

/// Whether a name of a file is that of a key.
fn is_key(name: &str) -> bool {
    name.len() == 2 * blake3::OUT_LEN && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use jarrah_base::{Error, HostView, MappedFile, NUMERICS_VERSION, Result, files, report};
use jarrah_hlo::Program;

use crate::client::CompileOptions;

/// A folder of bytes that can be made again: serialized executables, so that a program is compiled by the first process that needs it and loaded by the
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
    /// The bytes that the disk took of what is to be mapped.
    taken: AtomicU64,
}

/// The kind of bytes that a [`DiskCache`] keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    /// How the names of its files end.
    pub ending: &'static str,
    /// The words before the reason where the folder cannot be written.
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

/// Hits and misses of a [`DiskCache`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiskUse {
    /// The executable was there.
    pub found: u64,
    /// It was not.
    pub missing: u64,
    /// Its file could not be used, and was removed.
    pub refused: u64,
}

/// The key of bytes in a [`DiskCache`]: a hash of all that they depend on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

    /// The key of what depends on these parts besides what this is the key of.
    ///
    /// ```
    /// use jarrah_runtime::DiskKey;
    /// let key = DiskKey::of([0; 32]);
    /// assert_ne!(key.with(&[b"ab", b"c"]), key.with(&[b"a", b"bc"]));
    /// ```
    #[must_use]
    pub fn with(self, parts: &[&[u8]]) -> DiskKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.0.as_bytes());
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        DiskKey(hasher.finalize())
    }

    /// The key that is this hash of 32 bytes.
    pub fn of(hash: [u8; blake3::OUT_LEN]) -> DiskKey {
        DiskKey(hash.into())
    }
}

/// The header of bytes that are mapped: their key and their hash, which leave them aligned as buffers are.
const HEAD: usize = 2 * blake3::OUT_LEN;

/// A hash of the bytes of a key at about the speed of memory, to find damage, not forgery: `h = rotate((h ^ x) * c)` of each of 32 columns of words. A step can be undone, so
/// one word that is another changes it for certain, and others do but for one in 2³².
fn sum(key: DiskKey, bytes: &[u8]) -> blake3::Hash {
    let mut columns = [0x9e37_79b9u32; 32];
    let (rows, rest) = bytes.as_chunks::<128>();
    for row in rows {
        for (column, word) in columns.iter_mut().zip(row.as_chunks().0) {
            *column = (*column ^ u32::from_le_bytes(*word)).wrapping_mul(0x85eb_ca6b).rotate_left(13);
        }
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(key.0.as_bytes());
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    for column in columns {
        hasher.update(&column.to_le_bytes());
    }
    hasher.update(rest);
    hasher.finalize()
}

/// Some of the bytes of a mapped file.
struct Part {
    file: MappedFile,
    range: Range<usize>,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.file[self.range.clone()]
    }
}

/// The bytes of a file that is to be mapped which wait for the disk at most. Those that are written at once the system keeps in pages as large as they can be.
const PART: usize = 8 << 20;
/// How long a file that is being written may lie around before it counts as left behind, where nobody can be seen to write it.
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

    /// A cache of bytes of another kind.
    pub fn keeping(kept: Kept, folder: impl Into<PathBuf>, limit: u64) -> DiskCache {
        DiskCache { folder: folder.into(), limit, kept, state: Mutex::default(), taken: AtomicU64::new(0) }
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

    /// The bytes that its files may have.
    pub fn limit(&self) -> u64 {
        self.limit
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

    /// Whether a file is there: no pipe or device, and no more than the cache would write.
    fn is_file(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= self.limit)
    }

    /// The content of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.is_file(path) { fs::read(path) } else { Err(io::ErrorKind::InvalidData.into()) }
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

    /// The value that `open` makes of the bytes that are kept under `key`, if there are any and it succeeds.
    pub fn get<T>(&self, key: DiskKey, open: impl FnOnce(&[u8]) -> Result<T>) -> Option<T> {
        let path = self.path(key);
        let Ok(bytes) = self.read(&path) else {
            self.lock().uses.missing += 1;
            return None;
        };
        self.settle(&path, DiskCache::content(key, &bytes).and_then(open))
    }

    /// The bytes that [`put_mapped`](Self::put_mapped) kept under `key`, mapped into memory: nothing is copied, and they begin at a multiple of 64 bytes. They are
    /// looked at once; a file in which they are not what was written is removed.
    ///
    /// ```
    /// use jarrah_runtime::{DiskCache, DiskKey, Kept};
    /// # let folder = std::env::temp_dir().join(format!("mapped-{}", std::process::id()));
    /// let kept = Kept { ending: ".numbers", unwritten: "numbers are not kept", says_damage: false };
    /// let (files, key) = (DiskCache::keeping(kept, &folder, 1 << 20), DiskKey::of([7; 32]));
    /// assert!(files.map(key).is_none());
    /// files.put_mapped(key, b"numbers");
    /// assert_eq!(files.map(key).unwrap().bytes(), b"numbers");
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// ```
    pub fn map(&self, key: DiskKey) -> Option<HostView> {
        let path = self.path(key);
        let file = if self.is_file(&path) { MappedFile::open(&path).ok() } else { None };
        let Some(file) = file else {
            self.lock().uses.missing += 1;
            return None;
        };
        file.in_large_pages();
        let opened = DiskCache::content(key, &file).and_then(|content| {
            let (hash, bytes) = content.split_at_checked(blake3::OUT_LEN).unwrap_or_default();
            match sum(key, bytes).as_bytes()[..] == *hash {
                true => Ok(HEAD..HEAD + bytes.len()),
                false => Err(Error::input("its bytes are not those that were written")),
            }
        });
        let range = self.settle(&path, opened)?;
        Some(HostView::new(Part { file, range }))
    }

    /// The value that was read of a file; a file that is no good is removed.
    fn settle<T>(&self, path: &Path, opened: Result<T>) -> Option<T> {
        match opened {
            Ok(found) => {
                // The time of its last use is that of its last change. A folder that is only read has no order.
                let _ =
                    File::options().append(true).open(path).and_then(|f| f.set_modified(SystemTime::now()));
                self.lock().uses.found += 1;
                Some(found)
            }
            Err(error) => {
                // It may be gone already: another process finds the same.
                let removed = fs::remove_file(path).is_ok();
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
        self.write(file.len(), || files::replace_soon(&self.path(key), &file));
    }

    /// Keeps bytes under `key` for [`map`](Self::map). They are on the disk when this returns, as far as it can be known: a file that was cut short by a loss of power
    /// would be found out by whoever maps it, at the price of making the bytes again.
    pub fn put_mapped(&self, key: DiskKey, bytes: &[u8]) {
        let file = [key.0.as_bytes(), sum(key, bytes).as_bytes(), bytes].concat();
        let write = || {
            files::replace_with(&self.path(key), &mut |out| {
                file.chunks(PART).try_for_each(|part| {
                    out.write_all(part)?;
                    out.flush()?;
                    self.taken.fetch_add(part.len() as u64, Ordering::Relaxed);
                    Ok(())
                })
            })
        };
        self.write(file.len(), write);
    }

    /// The bytes that the disk has taken so far of what is kept for [`map`](Self::map), also of a file that is not whole yet: while they grow, storage is slow, and does
    /// not hang.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Writes a file of so many bytes, if the cache may have as many.
    fn write(&self, bytes: usize, write: impl FnOnce() -> Result<()>) {
        let bytes = bytes as u64;
        if bytes > self.limit {
            return;
        }
        let made = fs::create_dir_all(&self.folder).map_err(|error| Error::io("make", &self.folder, &error));
        let written = made.and_then(|()| write());
        let mut state = self.lock();
        match written {
            Ok(()) => state.added += bytes,
            // What others left behind may be what fills the disk.
            Err(error) if !std::mem::replace(&mut state.said, true) => {
                report(format_args!("jarrah: {}: {error}", self.kept.unwritten));
            }
            Err(_) => return,
        }
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
                && (now.duration_since(modified).is_ok_and(|age| age > LEFT_BEHIND)
                    || files::is_left_behind(&path))
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

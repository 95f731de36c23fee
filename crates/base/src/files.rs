//! Files that are written at once and whole.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};

/// Puts a file with this content in the place of `path`, so that whoever opens it sees the old content or the new, and
/// a full disk or a kill leaves the old. What is no file, as a pipe or a terminal is none, is written to.
///
/// ```
/// let path = std::env::temp_dir().join(format!("replace-{}", std::process::id()));
/// jarrah_base::files::replace(&path, b"old")?;
/// jarrah_base::files::replace(&path, b"new")?;
/// assert_eq!(std::fs::read(&path).unwrap(), b"new");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// `path` names no file, or its folder cannot be written.
pub fn replace(path: impl AsRef<Path>, content: &[u8]) -> Result<()> {
    let path = path.as_ref();
    put(path, &mut |file| file.write_all(content), true)
}

/// As [`replace`], of a content that `write` writes piece by piece, so that it need not be in memory as a whole. A `flush` waits until the disk has what was
/// written so far.
///
/// ```
/// let path = std::env::temp_dir().join(format!("replace-with-{}", std::process::id()));
/// jarrah_base::files::replace_with(&path, &mut |file| (0..3).try_for_each(|i| write!(file, "{i}")))?;
/// assert_eq!(std::fs::read(&path).unwrap(), b"012");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// As [`replace`], and those of `write`: the old file stays.
pub fn replace_with(
    path: impl AsRef<Path>,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let path = path.as_ref();
    put(path, write, true)
}

/// Gives a file or folder that is complete its name in the place of another, so that after a loss of power either all of it is there under its name, or what
/// was there before: what is within `from` is brought to the disk, then the name `to`, in its folder.
///
/// ```
/// use jarrah_base::files;
/// let folder = std::env::temp_dir().join(format!("place-{}", std::process::id()));
/// std::fs::create_dir_all(folder.join(".run.part"))?;
/// std::fs::write(folder.join(".run.part/file"), "whole")?;
/// files::place(&folder.join(".run.part"), &folder.join("run"))?;
/// assert_eq!(std::fs::read(folder.join("run/file"))?, b"whole");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Something within `from` cannot be read, or `to` not be written; then `from` is where it was, unless only the disk failed.
pub fn place(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let (from, to) = (from.as_ref(), to.as_ref());
    sync_within(from)?;
    fs::rename(from, to)?;
    sync_name(to).map(|_| ())
}

/// Brings a file, or a folder with everything in it, to the disk.
fn sync_within(path: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(path)?;
    if kind.is_dir() {
        for entry in fs::read_dir(path)? {
            sync_within(&entry?.path())?;
        }
    }
    // A link has nothing but its name.
    if kind.is_dir() || kind.is_file() { sync(path) } else { Ok(()) }
}

/// Brings the name of a file or folder to the disk, in the folder that it is in, and the names of all folders above it. A folder that may not be read is left
/// out: it was not made by whoever asks.
///
/// # Errors
/// The disk failed.
pub fn sync_names(path: impl AsRef<Path>) -> io::Result<()> {
    for above in std::path::absolute(path.as_ref())?.ancestors() {
        if !sync_name(above)? {
            break;
        }
    }
    Ok(())
}

/// Brings the name of a file or folder to the disk; false where the folder that it is in cannot be asked to.
fn sync_name(path: &Path) -> io::Result<bool> {
    let folder = match path.parent() {
        None => return Ok(false),
        Some(folder) if folder == Path::new("") => Path::new("."),
        Some(folder) => folder,
    };
    match sync(folder) {
        // One that others own, and file systems that take no such wish.
        Err(e) if matches!(e.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput) => {
            Ok(false)
        }
        done => done.map(|()| true),
    }
}

fn sync(path: &Path) -> io::Result<()> {
    #[cfg(all(test, unix))]
    tests::SYNCED.with_borrow_mut(|synced| synced.push(path.to_owned()));
    File::open(path)?.sync_all()
}

/// A file that is written, whose `flush` waits for the disk where it must be there.
struct Written {
    file: File,
    durable: bool,
}

impl Write for Written {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        self.file.write(content)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.durable { self.file.sync_data() } else { Ok(()) }
    }
}

/// Whether a file is one that a process of this machine began to put in the place of another, by a function of this module, and left behind when it was killed: it has bytes, and
/// nobody holds its lock. Where the file system has no locks it is never known.
///
/// ```
/// use jarrah_base::files::{is_left_behind, replace_with};
/// # let folder = std::env::temp_dir().join(format!("left-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// let part = || std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
/// replace_with(&folder.join("file"), &mut |file| {
///     file.write_all(b"some")?;
///     file.flush()?;
///     assert!(!is_left_behind(&part()));
///     Ok(())
/// })?;
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn is_left_behind(part: impl AsRef<Path>) -> bool {
    let part = part.as_ref();
    // A lock of its writer is there before its first byte.
    let has_bytes = fs::symlink_metadata(part).is_ok_and(|part| part.is_file() && part.len() > 0);
    has_bytes && File::options().append(true).open(part).is_ok_and(|part| part.try_lock().is_ok())
}

/// As [`replace`], without waiting for the disk: after the machine lost its power the file may be cut short, so whoever
/// reads it has to notice.
///
/// # Errors
/// As [`replace`].
pub fn replace_soon(path: impl AsRef<Path>, content: &[u8]) -> Result<()> {
    let path = path.as_ref();
    put(path, &mut |file| file.write_all(content), false)
}

fn put(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>, durable: bool) -> Result<()> {
    let failed = |error: io::Error| Error::io("write", path, &error);
    // Behind a symbolic link, what it points to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let written = File::options().write(true).open(&target).and_then(|mut file| write(&mut file));
        return written.map_err(failed);
    }
    let name = target.file_name().ok_or_else(|| Error::input(format!("{} names no file", path.display())))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    // Threads, too, may write to one path at once.
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    hidden.push(format!(".{}-{}", std::process::id(), WRITTEN.fetch_add(1, Ordering::Relaxed)));
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let hidden = folder.join(hidden);
    let written = || {
        let file = File::create_new(&hidden)?;
        // By it others see that somebody writes; some file systems have none.
        let _ = file.try_lock();
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        let mut file = BufWriter::new(Written { file, durable });
        write(&mut file)?;
        let Written { file, .. } = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if durable {
            file.sync_all()?;
        }
        fs::rename(&hidden, &target)?;
        if durable { sync_name(&target).map(|_| ()) } else { Ok(()) }
    };
    let outcome = written();
    if outcome.is_err() {
        // The file may not have come into being; the error that is reported is the first one.
        let _ = fs::remove_file(&hidden);
    }
    outcome.map_err(failed)
}

#[cfg(all(test, unix))]
mod tests {
    use std::cell::RefCell;

    use super::*;

    thread_local! {
        /// The paths that this thread brought to the disk, in order.
        pub(super) static SYNCED: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
    }

    #[test]
    fn a_folder_that_is_placed_is_on_the_disk_with_its_content_and_its_name() {
        let folder = std::env::temp_dir().join(format!("jarrah-place-{}", std::process::id()));
        let part = folder.join(".run.part");
        fs::create_dir_all(part.join("inner")).unwrap();
        for file in ["a", "inner/b"] {
            fs::write(part.join(file), file).unwrap();
        }
        std::os::unix::fs::symlink("nowhere", part.join("link")).unwrap();
        place(&part, folder.join("run")).unwrap();
        let synced = SYNCED.take();
        let at = |path: &Path| {
            synced.iter().position(|other| other == path).unwrap_or_else(|| panic!("{path:?}: {synced:?}"))
        };
        // Content before the folders that name it, and the folder itself before the one in which it gets its name.
        let [a, inner, b] = ["a", "inner", "inner/b"].map(|name| at(&part.join(name)));
        assert!(b < inner && a.max(inner) < at(&part) && at(&part) < at(&folder), "{synced:?}");
        assert_eq!(fs::read(folder.join("run/inner/b")).unwrap(), b"inner/b");
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Another name of the old file still has its content: nothing is written over.
    #[test]
    fn the_old_content_is_never_written_over() {
        let folder = std::env::temp_dir().join(format!("jarrah-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [path, other, link] = ["file", "other", "link"].map(|name| folder.join(name));
        replace(&path, b"old").unwrap();
        fs::hard_link(&path, &other).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), fs::read(&other).unwrap()), (b"new".to_vec(), b"old".to_vec()));
        assert!(link.is_symlink());
        replace(Path::new("/dev/null"), b"gone").unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing else is left");
        fs::remove_dir_all(&folder).unwrap();
    }
}

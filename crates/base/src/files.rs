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
pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
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
pub fn replace_with(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    put(path, write, true)
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
pub fn is_left_behind(part: &Path) -> bool {
    // A lock of its writer is there before its first byte.
    let has_bytes = fs::symlink_metadata(part).is_ok_and(|part| part.is_file() && part.len() > 0);
    has_bytes && File::options().append(true).open(part).is_ok_and(|part| part.try_lock().is_ok())
}

/// As [`replace`], without waiting for the disk: after the machine lost its power the file may be cut short, so whoever
/// reads it has to notice.
///
/// # Errors
/// As [`replace`].
pub fn replace_soon(path: &Path, content: &[u8]) -> Result<()> {
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
        if durable { File::open(&folder)?.sync_all() } else { Ok(()) }
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
    use super::*;

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

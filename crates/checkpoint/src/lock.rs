use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process;

/// The right to write to a folder, which one process has at a time.
///
/// It is a locked file in the folder. The operating system releases the lock however the process ends; the file stays.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// The outcome of asking for a [`Lock`].
#[derive(Debug)]
pub enum Claim {
    /// This process has it.
    Ours(Lock),
    /// Another process has it, of this number where it is known.
    Theirs(Option<u32>),
    /// The file system has no locks.
    Unsupported,
}

impl Lock {
    /// The name of the locked file.
    pub const FILE: &'static str = ".jarrah-lock";

    /// Asks for the right to write to `folder`, without waiting.
    ///
    /// # Errors
    /// The folder is missing or cannot be written.
    pub fn claim(folder: impl AsRef<Path>) -> io::Result<Claim> {
        let folder = folder.as_ref();
        let path = folder.join(Lock::FILE);
        loop {
            let mut file = File::options().read(true).write(true).create(true).truncate(false).open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut owner = String::new();
                    let _ = file.read_to_string(&mut owner);
                    return Ok(Claim::Theirs(owner.trim().parse().ok()));
                }
                Err(TryLockError::Error(_)) => return Ok(Claim::Unsupported),
            }
            // The owner before may have removed the file between the two calls: then another file has to be locked.
            if is_at(&file, &path)? {
                // The number is for people: without it the lock is as good.
                let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", process::id()));
                return Ok(Claim::Ours(Lock { file }));
            }
        }
    }
}

impl Lock {
    /// Whether some process has the right to write to `folder`; false where that is not known.
    ///
    /// ```
    /// use jarrah_checkpoint::Lock;
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let folder = dir.path();
    /// let claim = Lock::claim(folder).unwrap();
    /// assert!(Lock::is_held(folder));
    /// drop(claim);
    /// assert!(!Lock::is_held(folder));
    /// // The number that a killed process left says nothing.
    /// std::fs::write(folder.join(Lock::FILE), "4711").unwrap();
    /// assert!(!Lock::is_held(folder));
    /// ```
    pub fn is_held(folder: impl AsRef<Path>) -> bool {
        let folder = folder.as_ref();
        // A file without a number is one that was given back.
        let numbered = fs::read(folder.join(Lock::FILE)).is_ok_and(|number| !number.is_empty());
        let file = numbered.then(|| File::open(folder.join(Lock::FILE)).ok()).flatten();
        // The lock of a process that was killed can be had; it is given back at once, by closing the file.
        file.is_some_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
        // Closing is not enough while a child process that was just forked shares the file.
        let _ = self.file.unlock();
    }
}

/// Whether `file` is the one that is called `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    match fs::metadata(path) {
        Ok(named) => Ok((ours.dev(), ours.ino()) == (named.dev(), named.ino())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// Where files that are open cannot be removed, it is.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::exists(path)
}

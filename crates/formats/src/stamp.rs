//! Stamps of files, by which changes are detected.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long ago the last change of a file has to be, so that a later one has another time.
const SETTLED: Duration = Duration::from_secs(2);

/// A file's number in its file system, its length, and the times of its last changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    number: u64,
    length: u64,
    modified: SystemTime,
    changed: SystemTime,
}

impl Stamp {
    /// The stamp of the file at `path`; `None` if the system does not tell.
    pub fn of(path: &Path) -> Option<Stamp> {
        let about = fs::metadata(path).ok()?;
        let (number, changed) = changed(&about)?;
        Some(Stamp { number, length: about.len(), modified: about.modified().ok()?, changed })
    }

    /// Whether a change from now on shows.
    pub fn is_settled(&self) -> bool {
        SystemTime::now().duration_since(self.changed).is_ok_and(|age| age >= SETTLED)
    }
}

/// The number of a file, and when anything of it was changed, which cannot be set as the time of its content can.
#[cfg(unix)]
fn changed(about: &Metadata) -> Option<(u64, SystemTime)> {
    use std::os::unix::fs::MetadataExt;
    let seconds = Duration::from_secs(u64::try_from(about.ctime()).ok()?);
    let parts = Duration::from_nanos(u64::try_from(about.ctime_nsec()).ok()?);
    Some((about.ino(), SystemTime::UNIX_EPOCH + seconds + parts))
}

/// When the content was changed, where the system knows no more.
#[cfg(not(unix))]
fn changed(about: &Metadata) -> Option<(u64, SystemTime)> {
    Some((0, about.modified().ok()?))
}

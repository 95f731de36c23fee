use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The file system as the writer sees it: every operation that can fail while a checkpoint is written or removed.
///
/// [`Disk`] is the real one. Others add a latency, a quota, or the failures a test asks for.
pub trait Storage: Send + Sync + 'static {
    /// Creates a folder whose parent exists.
    fn create_dir(&self, path: &Path) -> io::Result<()>;
    /// Creates a file that does not exist yet.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>>;
    /// Makes the entries of a folder durable.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
    /// Renames a folder.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;
}

/// A file being written.
pub trait Sink: Write {
    /// Makes what was written durable.
    fn sync(&mut self) -> io::Result<()>;
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Storage for Disk {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        Ok(Box::new(File::create_new(path)?))
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }
}

impl Sink for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

//! The operations of a file system that a store needs.

use std::any::Any;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use jarrah_base::MappedFile;

/// A file system, as [`LocalStore`](crate::LocalStore) sees it.
///
/// [`Disk`] is the machine's. [`SimulatedDisk`](crate::SimulatedDisk) is one in memory that loses its power, fails and fills up as a test asks. Every call may fail
/// with an error of the system; the kinds that a store tells apart are `NotFound`, `AlreadyExists`, `NotADirectory`, `IsADirectory`, `DirectoryNotEmpty`,
/// `InvalidFilename`, `StorageFull`, `QuotaExceeded`, `Unsupported` and `UnexpectedEof`.
pub trait Files: fmt::Debug + Send + Sync + 'static {
    /// Creates a file that does not exist yet.
    ///
    /// # Errors
    /// The name is taken (`AlreadyExists`), or the folder is missing (`NotFound`).
    fn create(&self, path: &Path) -> io::Result<Box<dyn FileWriter>>;

    /// Opens a file for reading.
    ///
    /// # Errors
    /// The file is missing (`NotFound`).
    fn open(&self, path: &Path) -> io::Result<Box<dyn FileReader>>;

    /// Creates a folder whose parent exists.
    ///
    /// # Errors
    /// The name is taken (`AlreadyExists`), or the parent is missing (`NotFound`).
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// The names in a folder, in no order.
    ///
    /// # Errors
    /// The folder is missing (`NotFound`), or is a file (`NotADirectory`).
    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>>;

    /// The status of the file or folder of this name, behind symbolic links.
    ///
    /// # Errors
    /// There is none (`NotFound`).
    fn status(&self, path: &Path) -> io::Result<FileStatus>;

    /// Makes the bytes of a file durable, whoever wrote them.
    ///
    /// # Errors
    /// The disk failed: the bytes may be lost even if a later call succeeds.
    fn sync_file(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a folder durable.
    ///
    /// # Errors
    /// The disk failed.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// Renames at once: a file takes the place of another file, a folder that of an empty folder.
    ///
    /// # Errors
    /// A folder that is not empty has the name (`DirectoryNotEmpty` or `AlreadyExists`), or an entry of another kind has (`NotADirectory`, `IsADirectory`).
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Exchanges the names of two entries of a folder at once: at no moment is one of the names free.
    ///
    /// # Errors
    /// One of them is missing (`NotFound`), or the file system has no such operation (`Unsupported`).
    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        let _ = (a, b);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Renames a file to a name that is free: of two that try, one succeeds.
    ///
    /// # Errors
    /// The name is taken (`AlreadyExists`), or the file system has no such operation (`Unsupported`).
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file a second name: its bytes stay until both are removed.
    ///
    /// # Errors
    /// The name is taken (`AlreadyExists`), the file is missing (`NotFound`), or the file system has no such operation (`Unsupported`).
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let _ = (from, to);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Whether files that several threads make durable at once take about the time of one.
    fn syncs_at_once(&self) -> bool;

    /// Removes a file, or a symbolic link.
    ///
    /// # Errors
    /// There is none (`NotFound`).
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty folder.
    ///
    /// # Errors
    /// The folder is missing (`NotFound`) or not empty (`DirectoryNotEmpty`).
    fn remove_folder(&self, path: &Path) -> io::Result<()>;

    /// Waits for the lock of a folder, which ends with the value that is given and, at the latest, with the process. A lock that is not `exclusive` is shared with
    /// others that are not.
    ///
    /// # Errors
    /// The folder is missing (`NotFound`), or the file system has no locks (`Unsupported`).
    fn lock(&self, folder: &Path, exclusive: bool) -> io::Result<Box<dyn Any + Send>>;

    /// A number that no other call, here or in another process, is likely to give.
    fn token(&self) -> u64;

    /// The time of the clock, which may go back.
    fn now(&self) -> SystemTime;
}

/// A file that is being written, at its end.
pub trait FileWriter: Write + Send {
    /// Makes the bytes written so far durable, with the file's status.
    ///
    /// # Errors
    /// The disk failed: the bytes may be lost even if a later call succeeds.
    fn sync(&mut self) -> io::Result<()>;

    /// Sets the time of the last change.
    ///
    /// # Errors
    /// The file system keeps no such time.
    fn set_modified(&mut self, time: SystemTime) -> io::Result<()>;

    /// The status of the file.
    ///
    /// # Errors
    /// The file cannot be asked.
    fn status(&self) -> io::Result<FileStatus>;
}

/// A file that is read; it stays readable when its name is removed.
pub trait FileReader: Send + Sync {
    /// Fills `bytes` with those from `offset` on.
    ///
    /// # Errors
    /// The file ends before (`UnexpectedEof`).
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// The status of the file.
    ///
    /// # Errors
    /// The file cannot be asked.
    fn status(&self) -> io::Result<FileStatus>;

    /// The whole file, mapped into memory; none where that is not possible.
    fn map(&self) -> Option<MappedFile> {
        None
    }
}

/// A name in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The last part of its path.
    pub name: OsString,
    /// The kind of the entry itself: a symbolic link is neither a file nor a folder.
    pub kind: FileKind,
}

/// The kind of an entry of a file system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, a pipe, a device.
    Other,
}

/// The status of a file or folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileStatus {
    /// Its kind.
    pub kind: FileKind,
    /// Its length in bytes.
    pub len: u64,
    /// The time of its last change.
    pub modified: SystemTime,
    /// Its number in the file system, which no other file has while this one exists; 0 where files have none.
    pub number: u64,
}

/// The file system of the machine.
///
/// ```
/// use jarrah_store::{Disk, Files};
/// let path = std::env::temp_dir().join(format!("disk-{}", std::process::id()));
/// let mut file = Disk.create(&path)?;
/// file.write_all(b"0123456789")?;
/// file.sync()?;
/// let mut part = [0; 3];
/// Disk.open(&path)?.read_at(4, &mut part)?;
/// assert_eq!(&part, b"456");
/// Disk.remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn FileWriter>> {
        Ok(Box::new(File::create_new(path)?))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn FileReader>> {
        #[cfg(target_os = "linux")]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // A pipe in place of a file is not waited for.
            let at_once = rustix::fs::OFlags::NONBLOCK.bits() as i32;
            Ok(Box::new(File::options().read(true).custom_flags(at_once).open(path)?))
        }
        #[cfg(not(target_os = "linux"))]
        Ok(Box::new(File::open(path)?))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>> {
        let listed = |entry: fs::DirEntry| {
            let kind = kind(entry.file_type()?);
            Ok(Listed { name: entry.file_name(), kind })
        };
        fs::read_dir(folder)?.map(|entry| entry.and_then(listed)).collect()
    }

    fn status(&self, path: &Path) -> io::Result<FileStatus> {
        status(&fs::metadata(path)?)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        match File::open(path)?.sync_all() {
            // A file system that makes names durable by itself, or never.
            Err(e) if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
            synced => synced,
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    #[cfg(target_os = "linux")]
    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).map_err(|e| match e {
            Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP => io::Error::new(io::ErrorKind::Unsupported, e),
            e => e.into(),
        })
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            use rustix::io::Errno;
            // File systems without hard links have this, and NFS, which lacks it, has those.
            match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
                Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
                renamed => return renamed.map_err(Into::into),
            }
        }
        self.link(from, to)?;
        // The second name is of no use; one that stays is cleared with the unfinished files.
        let _ = fs::remove_file(from);
        Ok(())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to).map_err(|e| match e.kind() {
            // File systems without links, files that have as many names as one may have, and names on two file systems.
            io::ErrorKind::PermissionDenied | io::ErrorKind::TooManyLinks | io::ErrorKind::CrossesDevices => {
                io::Error::new(io::ErrorKind::Unsupported, e)
            }
            _ => e,
        })
    }

    fn syncs_at_once(&self) -> bool {
        true
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn lock(&self, folder: &Path, exclusive: bool) -> io::Result<Box<dyn Any + Send>> {
        let file = File::open(folder)?;
        loop {
            match if exclusive { file.lock() } else { file.lock_shared() } {
                Ok(()) => return Ok(Box::new(file)),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                // The folder was opened: any error that is left says that this file system locks no folders.
                Err(e) => return Err(io::Error::new(io::ErrorKind::Unsupported, e)),
            }
        }
    }

    fn token(&self) -> u64 {
        // The keys of a new state are random.
        RandomState::new().hash_one(std::process::id())
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

impl FileWriter for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }

    fn set_modified(&mut self, time: SystemTime) -> io::Result<()> {
        File::set_modified(self, time)
    }

    fn status(&self) -> io::Result<FileStatus> {
        status(&self.metadata()?)
    }
}

impl FileReader for File {
    #[cfg(unix)]
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, bytes, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut bytes: &mut [u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, bytes, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => (bytes, offset) = (&mut bytes[n..], offset + n as u64),
            }
        }
        Ok(())
    }

    fn status(&self) -> io::Result<FileStatus> {
        status(&self.metadata()?)
    }

    fn map(&self) -> Option<MappedFile> {
        MappedFile::of(self).ok()
    }
}

fn kind(of: fs::FileType) -> FileKind {
    match (of.is_file(), of.is_dir()) {
        (true, _) => FileKind::File,
        (_, true) => FileKind::Folder,
        _ => FileKind::Other,
    }
}

fn status(of: &Metadata) -> io::Result<FileStatus> {
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(of);
    #[cfg(not(unix))]
    let number = 0;
    Ok(FileStatus { kind: kind(of.file_type()), len: of.len(), modified: of.modified()?, number })
}

//! The folder in which the processes of a run find each other, and the secret that they share.

use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jarrah_base::{Error, Result};

/// A folder that this user alone can enter, with a secret of 32 random bytes: whoever reads it may join the run.
///
/// Dropping it removes the folder. That of a process that was killed is removed by the next process of the user that makes one.
#[derive(Debug)]
pub struct Rendezvous {
    folder: PathBuf,
    /// The file of the secret, locked for as long as the process lives.
    _secret: File,
}

/// The name of the file with the secret.
const SECRET: &str = "secret";
/// The name of the file with the processes that have ended, a line for each.
const ENDED: &str = "ended";
/// The name of the file with the faults that processes have found in others, a line for each.
const FAULTS: &str = "faults";
/// The name of the file with the processes that have come, a line for each with the number of processes of the run as it knows it.
const COME: &str = "come";
/// The beginning of the names of folders.
const PREFIX: &str = "jarrah-";
/// A younger folder may be one that is not locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// Random bytes of the system.
pub(super) fn random() -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    let mut filled = 0;
    while filled < bytes.len() {
        filled += rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())
            .map_err(|e| Error::environment(format!("the system gives no random bytes: {e}")))?;
    }
    Ok(bytes)
}

impl Rendezvous {
    /// A new folder below that for temporary files.
    ///
    /// ```
    /// let rendezvous = jarrah_exchange::Rendezvous::create()?;
    /// let alone = jarrah_exchange::join(rendezvous.address(), 0, 1, &Default::default())?;
    /// assert_eq!(alone.size(), 1);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The system refuses the folder or gives no random bytes.
    pub fn create() -> Result<Self> {
        let secret = random()?;
        let name: String = random()?[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let parent = std::env::temp_dir();
        remove_left_over(&parent);
        let folder = parent.join(format!("{PREFIX}{name}"));
        let fail = |path: &Path, e: std::io::Error| Error::io("create", path, &e);
        std::fs::DirBuilder::new().mode(0o700).create(&folder).map_err(|e| fail(&folder, e))?;
        let path = folder.join(SECRET);
        let made = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).and_then(
            |mut file| {
                // Where the file system has no locks, the folder of a killed process stays.
                let _ = file.try_lock();
                std::io::Write::write_all(&mut file, &secret).map(|()| file)
            },
        );
        match made {
            Ok(file) => Ok(Rendezvous { folder, _secret: file }),
            Err(e) => {
                let _ = std::fs::remove_dir_all(&folder);
                Err(fail(&path, e))
            }
        }
    }

    /// Notes that a process of the run has ended, for those that wait for it to join.
    pub(crate) fn note_end(&self, rank: usize, status: std::process::ExitStatus) {
        // Where there is no room for the line, those that wait find out when their time is over.
        let _ = append(&self.folder.join(ENDED), &format!("{rank} {status}\n"));
    }

    /// The rank at fault for the failure of a process, as that process found it.
    pub(crate) fn fault(&self, rank: usize) -> Option<usize> {
        let (_, fault) =
            lines(&self.folder.join(FAULTS)).into_iter().find(|(process, _)| *process == rank)?;
        fault.parse().ok()
    }

    /// The ranks that processes have found at fault.
    pub(crate) fn faults(&self) -> Vec<usize> {
        lines(&self.folder.join(FAULTS)).into_iter().filter_map(|(_, fault)| fault.parse().ok()).collect()
    }

    /// The folder, which is the address that processes join.
    pub fn address(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Rendezvous {
    fn drop(&mut self) {
        // Nothing is lost with a folder that the system will not remove.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Removes the folders of this user's processes that ended without doing so: nobody has a lock on their secrets.
fn remove_left_over(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    let user = rustix::process::geteuid().as_raw();
    let is_ours = |name: &str| {
        let digits = name.strip_prefix(PREFIX).unwrap_or_default();
        digits.len() == 16 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_ours)) {
        let folder = entry.path();
        let is_old = |meta: &std::fs::Metadata| {
            meta.is_dir()
                && (meta.uid(), meta.mode() & 0o777) == (user, 0o700)
                && meta.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > YOUNG))
        };
        if !std::fs::symlink_metadata(&folder).is_ok_and(|meta| is_old(&meta)) {
            continue;
        }
        let is_left = File::open(folder.join(SECRET)).is_ok_and(|file| {
            file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() == 32) && file.try_lock().is_ok()
        });
        if is_left {
            remove(&folder);
        }
    }
}

/// Notes the rank at fault for the failure of a process, for the launcher, which names it.
pub(super) fn note_fault(folder: &Path, rank: usize, fault: usize) {
    // Without the line, the launcher names the process that ended first.
    let _ = append(&folder.join(FAULTS), &format!("{rank} {fault}\n"));
}

/// Notes that a process has come, which is one of so many.
pub(super) fn note_coming(folder: &Path, rank: usize, size: usize) {
    // Without the line, processes that differ in it wait for each other until their time is over.
    let _ = append(&folder.join(COME), &format!("{rank} {size}\n"));
}

/// A process that has come and knows of another number of processes than this, with that number.
pub(super) fn other_size(folder: &Path, size: usize) -> Option<(usize, usize)> {
    let sizes = lines(&folder.join(COME)).into_iter();
    sizes.filter_map(|(rank, its)| Some((rank, its.parse().ok()?))).find(|(_, its)| *its != size)
}

/// The processes of the run in this folder that have ended, each with its exit status, in the order in which their launcher saw it.
pub(super) fn ended(folder: &Path) -> Vec<(usize, String)> {
    lines(&folder.join(ENDED))
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path)?;
    std::io::Write::write_all(&mut file, line.as_bytes())
}

/// The lines of a file, each with the rank that it begins with.
fn lines(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    // A line without its end is being written.
    let lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')?.split_once(' '));
    lines.filter_map(|(rank, status)| Some((rank.parse().ok()?, status.to_owned()))).collect()
}

/// Removes a folder with the secret, the sockets, and the files of the processes that have come, have ended or are at fault. One with anything else stays, as does one that another process removes at the same time.
fn remove(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_socket = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
        if [SECRET, ENDED, FAULTS, COME].iter().any(|ours| name == *ours)
            || name.to_str().is_some_and(is_socket)
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    let _ = std::fs::remove_dir(folder);
}

/// The secret of a folder, if folder and file are this user's alone.
pub(super) fn read(folder: &Path) -> Result<[u8; 32]> {
    let path = folder.join(SECRET);
    let user = rustix::process::geteuid().as_raw();
    for path in [folder, &path] {
        let meta = std::fs::symlink_metadata(path).map_err(|e| Error::io("read", path, &e))?;
        if meta.uid() != user || meta.mode() & 0o077 != 0 || meta.is_symlink() {
            return Err(Error::input(format!("{} is open to other users", path.display()))
                .help(format!("`chmod -R go= {}`, as its owner", jarrah_base::quoted(folder.display()))));
        }
    }
    let bytes = std::fs::read(&path).map_err(|e| Error::io("read", &path, &e))?;
    bytes.try_into().map_err(|_| Error::input(format!("{} does not hold 32 bytes", path.display())))
}

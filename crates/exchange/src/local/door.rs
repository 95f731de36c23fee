//! The paths of the sockets at which the processes of a run meet.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};

/// The longest path of a socket.
const LONGEST: usize = 107;

/// The folder with the sockets, held open.
pub(super) struct Doors<'a> {
    pub address: &'a Path,
    open: File,
}

impl<'a> Doors<'a> {
    pub fn of(address: &'a Path) -> Result<Doors<'a>> {
        let open = File::open(address).map_err(|e| Error::io("open", address, &e))?;
        Ok(Doors { address, open })
    }

    /// The path of the socket of a process, as people know it.
    pub fn named(&self, rank: usize) -> PathBuf {
        self.address.join(rank.to_string())
    }

    /// The path by which the system takes the socket of a process: one that is too long for it begins at the open folder.
    pub fn path(&self, rank: usize) -> PathBuf {
        let named = self.named(rank);
        match named.as_os_str().len() <= LONGEST {
            true => named,
            false => format!("/proc/self/fd/{}/{rank}", self.open.as_raw_fd()).into(),
        }
    }
}

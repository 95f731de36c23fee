//! The folder in which the processes of a run find each other, and the secret that they share.

use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};

/// A folder that this user alone can enter, with a secret of 32 random bytes: whoever reads it may join the run.
///
/// Dropping it removes the folder.
#[derive(Debug)]
pub struct Rendezvous(PathBuf);

/// The name of the file with the secret.
const SECRET: &str = "secret";

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
        let folder = std::env::temp_dir().join(format!("jarrah-{name}"));
        let fail = |path: &Path, e: std::io::Error| Error::io("create", path, &e);
        std::fs::DirBuilder::new().mode(0o700).create(&folder).map_err(|e| fail(&folder, e))?;
        let rendezvous = Rendezvous(folder);
        let path = rendezvous.0.join(SECRET);
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .map_err(|e| fail(&path, e))?;
        std::io::Write::write_all(&mut file, &secret).map_err(|e| fail(&path, e))?;
        Ok(rendezvous)
    }

    /// The folder, which is the address that processes join.
    pub fn address(&self) -> &Path {
        &self.0
    }
}

impl Drop for Rendezvous {
    fn drop(&mut self) {
        // Nothing is lost with a folder that the system will not remove.
        let _ = std::fs::remove_dir_all(&self.0);
    }
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

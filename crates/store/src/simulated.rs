//! A file system in memory that loses its power, fails and fills up as a test asks.

mod state;

use std::any::Any;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::files::{FileReader, FileStatus, FileWriter, Files, Listed};
pub use state::DiskFault;
use state::{State, Sync};

/// A file system in memory that models what a disk keeps when the power is lost, and injects faults.
///
/// Bytes that were written but not synced may be lost, in whole, behind some length, or in a random set of sectors of 512 bytes. Names that were made, changed or
/// removed without a sync of their folder may or may not survive, each alone: a later one without an earlier one, too. A rename within a folder survives in whole or
/// not at all, as on file systems with a journal; one between two folders may leave both names or none. A sync of a file that fails drops the bytes, as Linux
/// does: a later one that succeeds does not bring them to the disk. The numbers of removed files are given again at once.
///
/// The values are the same for the same calls and the same seed.
///
/// ```
/// use std::path::Path;
/// use jarrah_store::{Files, SimulatedDisk};
/// let disk = SimulatedDisk::new();
/// let path = Path::new("/file");
/// let mut file = disk.create(path)?;
/// file.write_all(b"bytes")?;
/// file.sync()?;
/// // The bytes are durable; the name is not.
/// assert!((0..100).any(|seed| disk.crash(seed).open(path).is_err()));
/// disk.sync_folder(Path::new("/"))?;
/// assert!((0..100).all(|seed| disk.crash(seed).open(path).is_ok()));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SimulatedDisk {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    unlocked: Condvar,
}

impl Default for SimulatedDisk {
    fn default() -> SimulatedDisk {
        SimulatedDisk::new()
    }
}

impl SimulatedDisk {
    /// An empty disk, with the folder `/`.
    pub fn new() -> SimulatedDisk {
        SimulatedDisk::of(State::new())
    }

    fn of(state: State) -> SimulatedDisk {
        SimulatedDisk { shared: Arc::new(Shared { state: Mutex::new(state), unlocked: Condvar::new() }) }
    }

    /// The disk as it is found when the power was lost now and has returned: `seed` chooses what survived. This disk stays as it is, and the one that is given has no
    /// faults, no quota and no latency.
    pub fn crash(&self, seed: u64) -> SimulatedDisk {
        SimulatedDisk::of(self.state().crashed(seed))
    }

    /// The operations until now, each call of [`Files`] or of an opened file being one, but for those that lock, ask the time or draw a token.
    pub fn operations(&self) -> u64 {
        self.state().operations
    }

    /// Cuts the power after so many more operations: all later ones fail and change nothing.
    pub fn cut_power_after(&self, operations: u64) {
        let mut state = self.state();
        state.power_until = state.operations + operations;
    }

    /// Lets one operation fail: the next one but `operations`. A write that fails has written half of its bytes.
    pub fn fail_after(&self, operations: u64, fault: DiskFault) {
        let mut state = self.state();
        state.fault = Some((state.operations + operations, fault));
    }

    /// Sets how many bytes the files may have in all; a write beyond them writes what fits and fails.
    pub fn set_quota(&self, bytes: Option<u64>) {
        self.state().quota = bytes;
    }

    /// Lets each operation take so long.
    pub fn set_latency(&self, latency: Duration) {
        self.state().latency = latency;
    }

    /// Sets the clock, which stands still but for this.
    pub fn set_clock(&self, time: SystemTime) {
        self.state().clock = time;
    }

    /// Takes capital letters of names for small ones, or not.
    pub fn set_folds_case(&self, folds: bool) {
        self.state().folds_case = folds;
    }

    /// Has the operation that exchanges two names, as at first, or lacks it, as many file systems do.
    pub fn set_exchanges(&self, exchanges: bool) {
        self.state().lacks_exchange = !exchanges;
    }

    /// Gives files second names, as at first, or cannot, as some file systems.
    pub fn set_links(&self, links: bool) {
        self.state().lacks_links = !links;
    }

    /// Cuts a file short in place, as another program may.
    ///
    /// # Errors
    /// There is no such file (`NotFound`).
    pub fn truncate(&self, path: impl AsRef<Path>, len: u64) -> io::Result<()> {
        let mut state = self.state();
        let node = state.find(path.as_ref())?;
        state.truncate(node, len as usize)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state for one more operation, and the fault that meets it.
    fn step(&self) -> io::Result<(MutexGuard<'_, State>, Option<DiskFault>)> {
        let latency = self.state().latency;
        if !latency.is_zero() {
            thread::sleep(latency);
        }
        let mut state = self.state();
        let fault = state.step()?;
        Ok((state, fault))
    }

    /// The state for one more operation that a fault keeps from doing anything.
    fn operation(&self) -> io::Result<MutexGuard<'_, State>> {
        match self.step()? {
            (state, None) => Ok(state),
            (_, Some(fault)) => Err(fault.error()),
        }
    }

    fn sync_node(&self, find: impl FnOnce(&State) -> io::Result<usize>) -> io::Result<()> {
        let (mut state, fault) = self.step()?;
        let node = find(&state)?;
        match fault {
            None => {
                state.sync(node, Sync::Done);
                Ok(())
            }
            Some(fault) => {
                state.sync(node, Sync::Lost);
                Err(fault.error())
            }
        }
    }

    fn handle(&self, node: usize) -> Handle {
        Handle { disk: self.clone(), node }
    }
}

impl Files for SimulatedDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn FileWriter>> {
        let node = self.operation()?.create_file(path)?;
        Ok(Box::new(self.handle(node)))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn FileReader>> {
        let node = self.operation()?.find(path)?;
        Ok(Box::new(self.handle(node)))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.operation()?.create_folder(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>> {
        self.operation()?.list(folder)
    }

    fn status(&self, path: &Path) -> io::Result<FileStatus> {
        let state = self.operation()?;
        state.find(path).map(|node| state.status(node))
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.sync_node(|state| state.find(path))
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.sync_node(|state| state.find(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.operation()?.rename(from, to)
    }

    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        self.operation()?.exchange(a, b)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.operation()?.rename_new(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.operation()?.link(from, to)
    }

    fn syncs_at_once(&self) -> bool {
        false
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.operation()?.remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.operation()?.remove_folder(path)
    }

    fn lock(&self, folder: &Path, exclusive: bool) -> io::Result<Box<dyn Any + Send>> {
        let mut state = self.state();
        let node = state.find(folder)?;
        while !state.lock(node, exclusive) {
            state = self.shared.unlocked.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(Box::new(Lock { disk: self.clone(), node, exclusive }))
    }

    fn token(&self) -> u64 {
        self.state().token()
    }

    fn now(&self) -> SystemTime {
        self.state().clock
    }
}

struct Lock {
    disk: SimulatedDisk,
    node: usize,
    exclusive: bool,
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.disk.state().unlock(self.node, self.exclusive);
        self.disk.shared.unlocked.notify_all();
    }
}

/// An opened file.
struct Handle {
    disk: SimulatedDisk,
    node: usize,
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (mut state, fault) = self.disk.step()?;
        match fault {
            None => state.append(self.node, bytes),
            Some(fault) => {
                state.append(self.node, &bytes[..bytes.len() / 2])?;
                Err(fault.error())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl FileWriter for Handle {
    fn sync(&mut self) -> io::Result<()> {
        self.disk.sync_node(|_| Ok(self.node))
    }

    fn set_modified(&mut self, time: SystemTime) -> io::Result<()> {
        self.disk.operation()?.set_modified(self.node, time);
        Ok(())
    }

    fn status(&self) -> io::Result<FileStatus> {
        Ok(self.disk.operation()?.status(self.node))
    }
}

impl FileReader for Handle {
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.disk.operation()?.read(self.node, offset, bytes)
    }

    fn status(&self) -> io::Result<FileStatus> {
        Ok(self.disk.operation()?.status(self.node))
    }
}

//! A place of files in which the processes that save together tell each other how far they are.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result};
use jarrah_store::{Condition, Entry, Name, ObjectStore};

/// The folder of all meetings, in that of the checkpoints.
const MEETINGS: &str = "jarrah-processes";

/// The longest time between two looks for the file of another process.
const PAUSE: Duration = Duration::from_millis(50);

/// How long a process that had begun says nothing before it is taken for lost, unless the patience is shorter.
const SILENCE: Duration = Duration::from_secs(120);

/// How long process 0, at its end, leaves its last words to those who have not read them.
const GRACE: Duration = Duration::from_secs(10);

pub struct Meeting<'s> {
    store: &'s dyn ObjectStore,
    folder: Name,
    /// The number of this process.
    process: usize,
    /// How long another process is waited for that has not begun.
    patience: Duration,
}

impl<'s> Meeting<'s> {
    /// The meeting of this name in a session.
    pub fn new(
        store: &'s dyn ObjectStore,
        session: &str,
        name: &str,
        process: usize,
        patience: Duration,
    ) -> Result<Meeting<'s>> {
        let folder = Name::new(format!("{MEETINGS}/{session}/{name}"))?;
        Ok(Meeting { store, folder, process, patience })
    }

    /// Puts a file there.
    pub fn tell(&self, file: &str, bytes: &[u8]) -> Result<()> {
        let mut upload = self.store.create(&self.folder.join(file)?)?;
        upload.write(bytes)?;
        upload.finish(Condition::Always).map(drop)
    }

    /// Takes a file back; it may be gone already, with the whole meeting.
    pub fn take_back(&self, file: &str) {
        let _ = self.folder.join(file).and_then(|name| self.store.delete(&name));
    }

    /// Removes the meeting.
    pub fn remove(&self) -> Result<()> {
        self.store.delete_folder(&self.folder).map(drop)
    }

    /// Waits until so many files with this beginning are there, or until the others had their time for it.
    pub fn wait_for(&self, beginning: &str, count: usize) -> Result<()> {
        let begun = Instant::now();
        let is_one = |entry: &&Entry| entry.name.starts_with(beginning);
        while begun.elapsed() < GRACE && self.store.list(&self.folder)?.iter().filter(is_one).count() != count
        {
            thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    /// Runs a function while a thread says every now and then that this process is at work.
    pub fn alive<R>(&self, f: impl FnOnce() -> R) -> R {
        let (is_over, over) = (Mutex::new(false), Condvar::new());
        let beat = self.silence() / 10;
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut is_over = is_over.lock().unwrap_or_else(PoisonError::into_inner);
                for number in 0u64.. {
                    // A store that cannot be written is told by what this process writes there itself.
                    let _ = self.tell(&alive(self.process), number.to_string().as_bytes());
                    is_over = over.wait_timeout(is_over, beat).unwrap_or_else(PoisonError::into_inner).0;
                    if *is_over {
                        return;
                    }
                }
            });
            // Also when the function panics, lest the thread be waited for without end.
            let _over = Over(|| {
                *is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
                over.notify_all();
            });
            f()
        })
    }

    /// Waits for one of these files of another process, and gives its number among them and its content. A process at work is waited for however long that takes.
    ///
    /// # Errors
    /// The process does not begin in the time of the patience, or says no more that it is at work (`Environment`).
    pub fn told(&self, whose: usize, files: &[&str]) -> Result<(usize, Vec<u8>)> {
        let names = files.iter().map(|file| self.folder.join(file)).collect::<Result<Vec<Name>>>()?;
        let alive = self.folder.join(alive(whose))?;
        let (mut said, mut since) = (None, Instant::now());
        let (mut looked, mut pause) = (since, Duration::from_millis(1));
        loop {
            for (number, name) in names.iter().enumerate() {
                if let Some(bytes) = self.read(name)? {
                    return Ok((number, bytes));
                }
            }
            if looked.elapsed() > self.silence() / 20 {
                looked = Instant::now();
                let says = self.read(&alive)?;
                if says.is_some() && says != said {
                    (said, since) = (says, looked);
                }
            }
            let (limit, what) = match said {
                None => (self.patience, "did not begin this save within"),
                Some(_) => (self.silence(), "has begun this save, and has said nothing for"),
            };
            if since.elapsed() > limit {
                return Err(Error::environment(format!("process {whose} {what} {limit:?}"))
                    .op("checkpoint")
                    .help("all processes save the same steps, into one folder that all of them see"));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(PAUSE);
        }
    }

    /// How long a process that is at work may say nothing, for one that waits with this patience.
    pub fn silence_of(patience: Duration) -> Duration {
        patience.min(SILENCE)
    }

    fn silence(&self) -> Duration {
        Meeting::silence_of(self.patience)
    }

    /// The content of a file, if it is there.
    pub fn read_file(&self, file: &str) -> Result<Option<Vec<u8>>> {
        self.read(&self.folder.join(file)?)
    }

    /// Whether there is a file whose name begins so.
    pub fn has(&self, beginning: &str) -> Result<bool> {
        Ok(self.store.list(&self.folder)?.iter().any(|entry| entry.name.starts_with(beginning)))
    }

    fn read(&self, name: &Name) -> Result<Option<Vec<u8>>> {
        let Some(object) = self.store.open(name)? else { return Ok(None) };
        let mut bytes = vec![0; usize::try_from(object.len()).unwrap_or(usize::MAX)];
        object.read_at(0, &mut bytes)?;
        Ok(Some(bytes))
    }
}

/// The file by which a process says that it is at work.
fn alive(process: usize) -> String {
    format!("alive_{process}")
}

/// Calls a function when it is dropped.
struct Over<F: Fn()>(F);

impl<F: Fn()> Drop for Over<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Removes what processes told each other in earlier runs.
pub fn clear(store: &dyn ObjectStore) -> Result<()> {
    store.delete_folder(&Name::new(MEETINGS)?).map(drop)
}

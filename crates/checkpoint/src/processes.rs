use std::thread;
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result};
use jarrah_store::{Condition, Draft, Files, Name, ObjectStore};
use serde::{Deserialize, Serialize};

use crate::items::CheckpointItems;
use crate::orbax_layout::{Begin, Part, Recorder, Writing};

/// The folder in which processes meet that save together, in that of the checkpoints.
const MEETINGS: &str = "processes";

/// The longest time between two looks for the file of another process.
const PAUSE: Duration = Duration::from_millis(50);

/// How long process 0, at its end, leaves its last words to those who have not read them.
const GRACE: Duration = Duration::from_secs(2);

/// The processes of a run, which save and restore together: each writes its shards, process 0 makes one checkpoint of the parts.
///
/// They meet by files beside the checkpoints, so all of them see one folder; they save the same steps in the same order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Processes {
    index: usize,
    count: usize,
    session: String,
}

impl Processes {
    /// This process and the number of all, with a text that all of them have and no run before had.
    ///
    /// ```
    /// use jarrah_checkpoint::Processes;
    /// assert!(Processes::new(1, 4, "7f3a9c").is_ok());
    /// assert!(Processes::new(4, 4, "7f3a9c").is_err());
    /// ```
    ///
    /// # Errors
    /// There are fewer, or the text has other characters than letters and digits (`Program`).
    pub fn new(index: usize, count: usize, session: impl Into<String>) -> Result<Processes> {
        let session = session.into();
        let is_name = !session.is_empty() && session.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match index < count && is_name {
            true => Ok(Processes { index, count, session }),
            false => {
                let error = format!("process {index} of {count} saves in the session {session:?}");
                Err(Error::program(error).op("checkpoint"))
            }
        }
    }

    /// The number of this process.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The number of processes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether this process is the one that makes checkpoints of the parts, and removes them.
    pub fn is_first(&self) -> bool {
        self.index == 0
    }

    /// The place of the files of a save.
    fn meeting(&self, save: u64) -> Result<Name> {
        Name::new(format!("{MEETINGS}/{}/{save}", self.session))
    }
}

/// One save of several processes.
pub struct Together<'s> {
    pub store: &'s dyn ObjectStore,
    pub files: &'s dyn Files,
    pub processes: &'s Processes,
    /// The number of the save, of those of this run.
    pub save: u64,
    /// How long another process is waited for.
    pub patience: Duration,
}

/// The words of process 0 at the beginning.
#[derive(Serialize, Deserialize)]
struct BeginText {
    step: u64,
    token: String,
    nanos: u64,
    seed: u64,
}

/// The words of process 0 at the end: the bytes of the checkpoint, or an error.
#[derive(Serialize, Deserialize)]
struct EndText {
    bytes: u64,
    error: Option<String>,
}

impl Together<'_> {
    /// Writes a checkpoint into the folder, and gives the bytes of all files; on an error nothing of it is left.
    pub fn write(&self, folder: &Name, items: &CheckpointItems) -> Result<u64> {
        match self.processes.is_first() {
            true => self.first(folder, items),
            false => self.other(folder, items),
        }
    }

    fn first(&self, folder: &Name, items: &CheckpointItems) -> Result<u64> {
        let written = self.gathered(folder, items);
        let end = match &written {
            Ok(bytes) => EndText { bytes: *bytes, error: None },
            Err(error) => EndText { bytes: 0, error: Some(error.message().to_owned()) },
        };
        self.tell("end", &text(&end)?)?;
        written
    }

    fn gathered(&self, folder: &Name, items: &CheckpointItems) -> Result<u64> {
        let begin = Begin::now(self.files);
        let draft = Recorder::new(self.store.draft(folder)?);
        let token = draft.token().to_owned();
        let Begin { nanos, seed } = begin;
        self.tell("begin", &text(&BeginText { step: items.step(), token, nanos, seed })?)?;
        let writing = Writing::new(items, begin)?;
        let mut parts = vec![writing.part(&draft, 0, self.processes.count)?];
        for process in 1..self.processes.count {
            let bytes = self.told(&self.part_file(process), &format!("process {process}"))?;
            let part = Part::from_bytes(&bytes).map_err(|error| match String::from_utf8(bytes) {
                // A process that failed says why.
                Ok(words) if words.starts_with(FAILED) => {
                    Error::environment(format!("process {process} {words}")).op("checkpoint")
                }
                _ => error,
            })?;
            parts.push(part);
        }
        if self.save > 0 {
            // All have begun this save, so they were told the end of the one before.
            self.store.delete_folder(&self.processes.meeting(self.save - 1)?)?;
        }
        let bytes = writing.complete(&draft, parts, self.files)?;
        Box::new(draft).replace()?;
        Ok(bytes)
    }

    fn other(&self, folder: &Name, items: &CheckpointItems) -> Result<u64> {
        let begin: BeginText = parsed(&self.told("begin", "process 0")?)?;
        let part = match begin.step == items.step() {
            true => self.part(folder, items, &begin),
            false => Err(Error::program(format!(
                "process {} saves step {}, process 0 step {}: all processes save the same steps",
                self.processes.index,
                items.step(),
                begin.step
            ))
            .op("checkpoint")),
        };
        let told = match &part {
            Ok(part) => part.to_bytes()?,
            Err(error) => format!("{FAILED}{}", error.message()).into_bytes(),
        };
        self.tell(&self.part_file(self.processes.index), &told)?;
        part?;
        let end: EndText = parsed(&self.told("end", "process 0")?)?;
        // Process 0 may have removed it already, with all that was told.
        let own = self.processes.meeting(self.save)?.join(self.part_file(self.processes.index))?;
        let _ = self.store.delete(&own);
        match end.error {
            None => Ok(end.bytes),
            Some(error) => Err(Error::environment(error)
                .op("checkpoint")
                .context("so says process 0, which makes the checkpoint of the parts")),
        }
    }

    fn part(&self, folder: &Name, items: &CheckpointItems, begin: &BeginText) -> Result<Part> {
        let draft = Recorder::new(self.store.join_draft(folder, &begin.token)?);
        let writing = Writing::new(items, Begin { nanos: begin.nanos, seed: begin.seed })?;
        writing.part(&draft, self.processes.index, self.processes.count)
    }

    /// The file by which a process tells its part, which it removes once it was told the end.
    fn part_file(&self, process: usize) -> String {
        format!("part_{process}")
    }

    /// Removes what the processes told each other, behind the last save of process 0. One that was not told the end yet has [`GRACE`] for it.
    pub fn leave(&self) -> Result<()> {
        let meeting = self.processes.meeting(self.save)?;
        let begun = Instant::now();
        let is_part = |entry: &jarrah_store::Entry| entry.name.starts_with("part_");
        while begun.elapsed() < GRACE && self.store.list(&meeting)?.iter().any(is_part) {
            thread::sleep(Duration::from_millis(2));
        }
        self.store.delete_folder(&Name::new(MEETINGS)?).map(drop)
    }

    /// Puts a file into the place where the processes meet.
    fn tell(&self, file: &str, bytes: &[u8]) -> Result<()> {
        let mut upload = self.store.create(&self.processes.meeting(self.save)?.join(file)?)?;
        upload.write(bytes)?;
        upload.finish(Condition::Always).map(drop)
    }

    /// Waits for the file of another process.
    fn told(&self, file: &str, whose: &str) -> Result<Vec<u8>> {
        let name = self.processes.meeting(self.save)?.join(file)?;
        let (begun, mut pause) = (Instant::now(), Duration::from_millis(1));
        loop {
            if let Some(object) = self.store.open(&name)? {
                let mut bytes = vec![0; usize::try_from(object.len()).unwrap_or(usize::MAX)];
                object.read_at(0, &mut bytes)?;
                return Ok(bytes);
            }
            if begun.elapsed() > self.patience {
                let error = format!("{whose} did not write its part within {:?}", self.patience);
                return Err(Error::environment(error)
                    .op("checkpoint")
                    .help("all processes save the same steps, into one folder that all of them see"));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(PAUSE);
        }
    }
}

/// The first words of a process that failed to write its part.
const FAILED: &str = "did not write its part: ";

fn text<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|e| Error::internal(format!("words to other processes: {e}")))
}

fn parsed<T: for<'d> Deserialize<'d>>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes)
        .map_err(|e| Error::input(format!("words of process 0 cannot be read: {e}")).op("checkpoint"))
}

/// Removes what processes told each other in earlier runs.
pub fn clear_meetings(store: &dyn ObjectStore) -> Result<()> {
    store.delete_folder(&Name::new(MEETINGS)?).map(drop)
}

//! A checkpoint that several processes write: each its shards, process 0 all that they have in common.

use std::time::Duration;

use jarrah_base::{Error, Result};
use jarrah_store::{Draft, Files, Name, ObjectStore};
use serde::{Deserialize, Serialize};

use crate::items::CheckpointItems;
use crate::meeting::Meeting;
use crate::orbax_layout::{Begin, Links, Part, Recorder, Writing};
use crate::processes::Processes;

/// The words of process 0 at the beginning, and at the end.
const BEGIN: &str = "begin";
const END: &str = "end";
/// The beginning of the name of a process's part.
pub const PART: &str = "part_";
/// The first words of a process that failed to write its part.
const FAILED: &str = "did not write its part: ";

/// One save of several processes.
pub struct Together<'s> {
    pub store: &'s dyn ObjectStore,
    pub files: &'s dyn Files,
    pub processes: &'s Processes,
    /// The number of the save, of those of this run.
    pub save: u64,
    /// How long a process is waited for that has not begun.
    pub patience: Duration,
    /// The least bytes of a shard that may be a link to a file of the checkpoint before.
    pub least: Option<usize>,
    /// The folder of the checkpoint before.
    pub before: Option<String>,
    /// Whether the folder may be written.
    pub may_write: &'s dyn Fn() -> Result<()>,
}

/// The beginning of a save, by which the others join in.
#[derive(Serialize, Deserialize)]
struct BeginText {
    step: u64,
    token: String,
    nanos: u64,
    seed: u64,
    /// The checkpoint whose files those of this one may be links to.
    before: Option<String>,
}

/// The end of a save: the bytes of the checkpoint, or an error.
#[derive(Serialize, Deserialize)]
struct EndText {
    bytes: u64,
    error: Option<String>,
}

impl Together<'_> {
    /// Writes a checkpoint into the folder, and gives the bytes of all files; on an error nothing of it is left.
    pub fn write(&self, folder: &Name, items: &CheckpointItems) -> Result<u64> {
        let meeting = self.meeting(self.save)?;
        meeting.alive(|| match self.processes.is_first() {
            true => self.first(&meeting, folder, items),
            false => self.other(&meeting, folder, items),
        })
    }

    fn meeting(&self, save: u64) -> Result<Meeting<'_>> {
        Meeting::new(
            self.store,
            self.processes.session(),
            &save.to_string(),
            self.processes.index(),
            self.patience,
        )
    }

    fn first(&self, meeting: &Meeting<'_>, folder: &Name, items: &CheckpointItems) -> Result<u64> {
        let written = self.gathered(meeting, folder, items);
        let end = match &written {
            Ok(bytes) => EndText { bytes: *bytes, error: None },
            Err(error) => EndText { bytes: 0, error: Some(error.message().to_owned()) },
        };
        let told = meeting.tell(END, &text(&end)?);
        let bytes = written?;
        told.map(|()| bytes)
    }

    fn gathered(&self, meeting: &Meeting<'_>, folder: &Name, items: &CheckpointItems) -> Result<u64> {
        (self.may_write)()?;
        let begin = Begin::now(self.files);
        let draft = Recorder::new(self.store.draft(folder)?);
        let token = draft.token().to_owned();
        let Begin { nanos, seed } = begin;
        let before = self.before.clone();
        meeting.tell(BEGIN, &text(&BeginText { step: items.step(), token, nanos, seed, before })?)?;
        let writing = Writing::new(items, begin)?;
        let links = self.links(self.before.as_deref())?;
        let mut parts = vec![writing.part(&draft, 0, self.processes.count(), links.as_ref())?];
        for process in 1..self.processes.count() {
            let (_, bytes) = meeting.told(process, &[&part_of(process)])?;
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
            // A meeting that cannot be removed now is removed when the run ends, or by the next one.
            let _ = self.meeting(self.save - 1)?.remove();
        }
        let bytes = writing.complete(&draft, parts, self.files)?;
        Box::new(draft).replace()?;
        Ok(bytes)
    }

    fn other(&self, meeting: &Meeting<'_>, folder: &Name, items: &CheckpointItems) -> Result<u64> {
        let own = part_of(self.processes.index());
        // Process 0 may end before it has begun.
        let part = match meeting.told(0, &[BEGIN, END])? {
            (0, begin) => self.part(folder, items, &parsed(&begin)?),
            (_, end) => return ended(&end),
        };
        let told = match &part {
            Ok(part) => part.to_bytes()?,
            Err(error) => format!("{FAILED}{}", error.message()).into_bytes(),
        };
        meeting.tell(&own, &told)?;
        let end = meeting.told(0, &[END]).and_then(|(_, end)| ended(&end));
        meeting.take_back(&own);
        let (Err(own), Err(first)) = (&part, &end) else { return part.and(end) };
        // A process that fails after another one may fail for want of the draft, which is gone since.
        match first.message().starts_with(&culprit(self.processes.index())) {
            true => Err(own.clone()),
            false => end,
        }
    }

    fn part(&self, folder: &Name, items: &CheckpointItems, begin: &BeginText) -> Result<Part> {
        if begin.step != items.step() {
            let (process, own, first) = (self.processes.index(), items.step(), begin.step);
            return Err(Error::program(format!(
                "process {process} saves step {own}, process 0 step {first}: all processes save the same steps"
            ))
            .op("checkpoint"));
        }
        let draft = Recorder::new(self.store.join_draft(folder, &begin.token)?);
        let writing = Writing::new(items, Begin { nanos: begin.nanos, seed: begin.seed })?;
        let links = self.links(begin.before.as_deref())?;
        writing.part(&draft, self.processes.index(), self.processes.count(), links.as_ref())
    }

    fn links(&self, before: Option<&str>) -> Result<Option<Links<'_>>> {
        self.least.map(|least| Links::new(self.store, before, least)).transpose()
    }
}

/// The first words of the error that a process has caused.
fn culprit(process: usize) -> String {
    format!("process {process} {FAILED}")
}

/// The file by which a process tells its part, which it takes back once it was told the end.
fn part_of(process: usize) -> String {
    format!("{PART}{process}")
}

/// The outcome by the words of process 0.
fn ended(text: &[u8]) -> Result<u64> {
    let end: EndText = parsed(text)?;
    match end.error {
        None => Ok(end.bytes),
        Some(error) => Err(Error::environment(error)
            .op("checkpoint")
            .context("so says process 0, which makes the checkpoint of the parts")),
    }
}

fn text<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|e| Error::internal(format!("words to other processes: {e}")))
}

fn parsed<T: for<'d> Deserialize<'d>>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes)
        .map_err(|e| Error::input(format!("words of process 0 cannot be read: {e}")).op("checkpoint"))
}

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jarrah_base::{Error, Result};

use super::lines::{append, failed};

/// A TensorBoard event file: TFRecords of `tensorflow.Event` messages.
///
/// A record is the length of its data, the masked crc32c of that length, the data, and the masked crc32c of the data,
/// all little-endian. A reader drops a record that a killed writer left incomplete.
pub struct EventWriter {
    path: PathBuf,
    file: File,
    end: u64,
}

impl EventWriter {
    /// How the names of event files begin.
    pub const PREFIX: &str = jarrah_run::names::EVENTS;

    /// Starts an event file in `dir`; with `resume_after`, readers ignore later steps in earlier files of `dir`.
    ///
    /// # Errors
    /// `dir` cannot be written.
    pub fn create(dir: impl AsRef<Path>, now: SystemTime, resume_after: Option<u64>) -> Result<Self> {
        let dir = dir.as_ref();
        let seconds = since_epoch(now).as_secs();
        let (path, file) = (0..)
            .find_map(|n| {
                let name = format!("{}.{seconds:010}.jarrah.{}.{n}", Self::PREFIX, std::process::id());
                let path = dir.join(name);
                match File::create_new(&path) {
                    Err(e) if e.kind() == io::ErrorKind::AlreadyExists => None,
                    result => Some(result.map(|file| (path, file))),
                }
            })
            .expect("invariant: some number is free")
            .map_err(|e| {
                Error::input(format!("cannot write {}: {e}", dir.display()))
                    .help("give a folder that can be written")
            })?;
        let mut writer = EventWriter { path, file, end: 0 };
        writer.write(&event(now, 0, |e| e.text(field::FILE_VERSION, "brain.Event:2")))?;
        if let Some(step) = resume_after {
            let start =
                |e: &mut Message| e.message(field::SESSION_LOG, |log| log.varint(field::LOG_STATUS, START));
            writer.write(&event(now, step + 1, start))?;
        }
        Ok(writer)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends the scalars of `step`, measured at `now`; values are rounded to `f32`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn scalars(&mut self, now: SystemTime, step: u64, values: &[(&str, f64)]) -> Result<()> {
        let summary = |summary: &mut Message| {
            for (tag, x) in values {
                summary.message(field::SUMMARY_VALUE, |value| {
                    value.text(field::VALUE_TAG, tag);
                    value.float(field::VALUE_SIMPLE, *x as f32);
                });
            }
        };
        self.write(&event(now, step, |e| e.message(field::SUMMARY, summary)))
    }

    fn write(&mut self, event: &Message) -> Result<()> {
        let data = &event.0;
        let len = (data.len() as u64).to_le_bytes();
        let record = [&len[..], &masked_crc(&len), data, &masked_crc(data)].concat();
        append(&mut self.file, &mut self.end, &record).map_err(|e| failed(&self.path, &e))
    }
}

fn since_epoch(now: SystemTime) -> Duration {
    now.duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// rotate_right(crc32c(bytes), 15) + 0xa282ead8: masked, since a crc of data that contains its own crc is weak.
fn masked_crc(bytes: &[u8]) -> [u8; 4] {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

/// Field numbers of `event.proto` and `summary.proto`.
mod field {
    pub const WALL_TIME: u8 = 1;
    pub const STEP: u8 = 2;
    pub const FILE_VERSION: u8 = 3;
    pub const SUMMARY: u8 = 5;
    pub const SESSION_LOG: u8 = 7;
    pub const LOG_STATUS: u8 = 1;
    pub const SUMMARY_VALUE: u8 = 1;
    pub const VALUE_TAG: u8 = 1;
    pub const VALUE_SIMPLE: u8 = 2;
}

// SessionLog.SessionStatus.START
const START: u64 = 1;

fn event(now: SystemTime, step: u64, what: impl FnOnce(&mut Message)) -> Message {
    let mut event = Message(Vec::new());
    event.double(field::WALL_TIME, since_epoch(now).as_secs_f64());
    event.varint(field::STEP, step);
    what(&mut event);
    event
}

/// A protobuf message under construction: each field is its number, its wire type and its value.
struct Message(Vec<u8>);

impl Message {
    fn key(&mut self, field: u8, wire_type: u8) {
        self.0.push(field << 3 | wire_type);
    }

    fn raw_varint(&mut self, mut x: u64) {
        while x >= 0x80 {
            self.0.push(x as u8 | 0x80);
            x >>= 7;
        }
        self.0.push(x as u8);
    }

    fn varint(&mut self, field: u8, x: u64) {
        self.key(field, 0);
        self.raw_varint(x);
    }

    fn double(&mut self, field: u8, x: f64) {
        self.key(field, 1);
        self.0.extend(x.to_le_bytes());
    }

    fn float(&mut self, field: u8, x: f32) {
        self.key(field, 5);
        self.0.extend(x.to_le_bytes());
    }

    fn text(&mut self, field: u8, s: &str) {
        self.key(field, 2);
        self.raw_varint(s.len() as u64);
        self.0.extend(s.as_bytes());
    }

    fn message(&mut self, field: u8, fill: impl FnOnce(&mut Message)) {
        let mut inner = Message(Vec::new());
        fill(&mut inner);
        self.key(field, 2);
        self.raw_varint(inner.0.len() as u64);
        self.0.extend(inner.0);
    }
}

//! Checkpoints written as Orbax 0.12.8 writes them, into a folder of a store that appears when its draft is published.
//!
//! [`plan`] checks a tree and cuts its arrays into chunks; [`cut`] chooses their shapes and [`names`] checks the names. [`writer`] is one process that
//! writes chunks, into a [`database`] whose B+trees [`btree`] makes, or into a folder per array; [`part`] is the text by which it tells another process what it
//! wrote, and [`merge`] makes one item of the parts. [`describe`] has the descriptions of a tree, [`checkpoint`] those of a checkpoint.

mod btree;
mod checkpoint;
mod cut;
mod database;
mod describe;
mod merge;
mod names;
mod options;
mod part;
mod plan;
mod sharding;
mod writer;

pub use checkpoint::{OrbaxDescription, OrbaxHandler, write_orbax_json, write_orbax_random_key};
pub use options::{OrbaxArraySpec, OrbaxCompression, OrbaxLeafSpec, OrbaxWriteOptions};
pub use part::OrbaxPart;
pub use plan::OrbaxPlan;
pub use sharding::OrbaxSharding;
pub use writer::OrbaxWriter;

use jarrah_base::{Error, Result};
use jarrah_store::{Condition, Draft, Name};

/// Writes a whole object of a draft; one of its name must not be there, so that a database, the descriptions of process 0 and an item are written once.
fn put(draft: &dyn Draft, name: &Name, bytes: &[u8]) -> Result<()> {
    let mut upload = draft.create(name)?;
    upload.write(bytes)?;
    finish(upload, name, Condition::Absent)
}

/// Makes an object durable. Data files and chunks, which may be larger than a bucket takes under a condition, are put there under none.
fn finish(upload: Box<dyn jarrah_store::Upload>, name: &Name, condition: Condition) -> Result<()> {
    match upload.finish(condition)? {
        Some(_) => Ok(()),
        None => Err(refused(format!("{name} was written before"))
            .help("write each process's part and each item once")),
    }
}

/// An error about a checkpoint that is asked for.
fn refused(message: impl Into<String>) -> Error {
    Error::input(message.into()).op("orbax")
}

//! Files of other libraries, read and written: compared with what those libraries read and write.

#![allow(clippy::unwrap_used, reason = "helpers of tests are no test functions to clippy")]

mod boxes;
mod distcp;
mod distcp_hostile;
mod folders;
mod hostile;
mod json;
mod memory;
mod orbax;
mod orbax_hostile;
mod orbax_kept;
mod orbax_write;
mod orbax_written;
mod reading;
mod report;
mod writing;

use std::path::PathBuf;

use jarrah_formats::Tensors;

/// A file that a script under `oracle/` made.
fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn open(name: &str) -> Tensors {
    Tensors::open(golden(name)).unwrap()
}

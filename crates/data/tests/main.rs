//! The corpus, its manifest, packing, the shuffle, and iteration that resumes anywhere.

#![allow(clippy::unwrap_used, reason = "helpers of tests are no test functions to clippy")]

mod corpus;
mod elastic;
mod fields;
mod iteration;
mod manifest;
mod observe;
mod order;
mod packing;
mod pipelines;
mod prefetch;
mod records;
mod registry;
mod shuffle;

use std::fs;
use std::path::Path;

use jarrah_base::{ErrorKind, Result};

/// Writes files below `root`, making folders on the way.
fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The message of an `Input` error.
fn input_error<T>(result: Result<T>) -> String {
    let e = result.err().unwrap();
    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
    e.message().to_owned()
}

/// A tokenizer of bytes, with 0 as the end of a document.
fn bytes(text: &str) -> Result<Vec<u32>> {
    Ok(text.bytes().map(u32::from).collect())
}

//! Writers of files of records.

use std::io::{self, Write};
use std::path::Path;

use jarrah_base::{Error, Result, files};

use super::stream_codec::{StreamCompression, StreamWriter};

/// A writer of records, one behind the other.
pub trait RecordWriter {
    /// Writes a record.
    ///
    /// # Errors
    /// The format cannot hold the record (`Input`), or it cannot be written (`Environment`).
    fn write(&mut self, record: &[u8]) -> Result<()>;

    /// Writes what stands behind the last record; after it nothing is written.
    ///
    /// # Errors
    /// It cannot be written (`Environment`).
    fn finish(&mut self) -> Result<()>;
}

/// An error of writing, where the path is not known: [`whole`] names it.
pub(crate) fn unwritten(e: io::Error) -> Error {
    Error::environment(format!("cannot write records: {e}"))
}

/// As [`whole`], of a file whose name may say that it is compressed.
pub(crate) fn whole_as_named(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    whole(path, &mut |out| {
        let mut out = StreamWriter::new(out, StreamCompression::of_name(path));
        write(&mut out)?;
        out.finish().map_err(unwritten)
    })
}

/// Puts a file in the place of `path` that has what `write` writes, whole or not at all.
pub(crate) fn whole(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut failed = None;
    let done = files::replace_with(path, &mut |out| {
        write(out).map_err(|e| {
            let told = io::Error::other(e.message().to_owned());
            failed = Some(e);
            told
        })
    });
    match failed {
        Some(e) => Err(e.context(format!("while {} was written", path.display()))),
        None => done,
    }
}

//! Damaged files of models: everything that a folder of others brings in, and a GGUF file.

mod adapters;
mod chats;
mod checkpoints;
mod models;
mod structured;
mod tokenizers;
mod weights;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jarrah_base::{Error, ErrorKind};
use jarrah_testing::mutants::{MutantLimits, Random, Trial, alone_within, change, damage, text_of};
use serde_json::Value;

/// What a file of some kilobytes may take. A model without numbers of a thousand layers, in encoder and decoder each, takes half of it.
const LIMITS: MutantLimits = MutantLimits { time: Duration::from_secs(10), memory: 256 << 20 };
/// What more than this is asked for at once ends the process.
const SPACE: usize = 8 << 30;

/// The files that the tests of another crate have.
fn files_of(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// A file of the tests of another crate.
fn bytes_of(path: &str) -> Vec<u8> {
    fs::read(files_of(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn json_of(path: &str) -> Value {
    serde_json::from_slice(&bytes_of(path)).unwrap()
}

/// A folder for many small files: in memory, where there is such a place.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Puts the files of the folder `from` here, in the place of all others.
    fn fill(&self, from: &Path) {
        for entry in fs::read_dir(self.path()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            if name != "expected.safetensors" {
                fs::copy(&path, self.path().join(name)).unwrap();
            }
        }
    }
}

/// What became of a mutant in the file `name`: whatever is wrong with it is the input's fault, and said of the file.
fn judged(result: Result<(), Error>, name: &str) -> Result<&'static str, String> {
    let Err(error) = result else { return Ok("read") };
    let text = error.to_string();
    match error.kind() {
        ErrorKind::Input | ErrorKind::Memory if error.message().is_empty() => {
            Err(format!("no words: {text}"))
        }
        ErrorKind::Input | ErrorKind::Memory if text.contains(name) => Ok("refused"),
        ErrorKind::Input | ErrorKind::Memory => Err(format!("{name} is not named: {text}")),
        kind => Err(format!("an error of the kind {kind:?}: {text}")),
    }
}

/// Tries `count` mutants. At least one of fifty is to be read, and one refused: what is always refused, or never, tests little.
fn trial(count: usize, attempt: impl FnMut(usize, &mut Random) -> Result<&'static str, String>) {
    let counts: BTreeMap<&str, usize> = Trial::run(LIMITS, count, attempt);
    let all: usize = counts.values().sum();
    for what in ["read", "refused"] {
        assert!(counts.get(what).copied().unwrap_or_default() > all / 50, "{counts:?}");
    }
}

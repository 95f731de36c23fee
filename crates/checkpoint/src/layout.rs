//! The names of files and folders of a checkpoint directory.

use std::fs;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};

pub const TENSORS: &str = "tensors.safetensors";
pub const MANIFEST: &str = "manifest.json";

/// Why a folder is hidden; its name says so, so that whoever opens the directory after a crash knows what to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hidden {
    /// Being written: worth nothing until renamed.
    New,
    /// Replaced by a newer one of the same step: comes back if the newer one never arrived.
    Replaced,
    /// Being removed.
    Dropped,
}

impl Hidden {
    const ALL: [Hidden; 3] = [Hidden::New, Hidden::Replaced, Hidden::Dropped];

    fn prefix(self) -> &'static str {
        match self {
            Hidden::New => ".jarrah-new-",
            Hidden::Replaced => ".jarrah-replaced-",
            Hidden::Dropped => ".jarrah-dropped-",
        }
    }

    /// The hidden folder of `step`.
    pub fn path(self, dir: &Path, step: u64) -> PathBuf {
        dir.join(format!("{}{}", self.prefix(), name(step)))
    }

    /// The reason and the step, if `folder` is a hidden name.
    pub fn parse(folder: &str) -> Option<(Hidden, u64)> {
        Hidden::ALL.into_iter().find_map(|h| Some((h, parse(folder.strip_prefix(h.prefix())?)?)))
    }
}

fn name(step: u64) -> String {
    format!("step_{step:08}")
}

/// The folder of `step`.
pub fn path(dir: &Path, step: u64) -> PathBuf {
    dir.join(name(step))
}

/// The step, if `folder` is the name of a checkpoint, spelled as it is written.
pub fn parse(folder: &str) -> Option<u64> {
    let step = folder.strip_prefix("step_")?.parse().ok()?;
    (name(step) == folder).then_some(step)
}

/// The names in `dir` that are text.
pub fn names(dir: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(dir).map_err(|e| Error::io("read", dir, &e))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| Error::io("read", dir, &e))?;
        names.extend(entry.file_name().into_string().ok());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_written_names_are_read() {
        assert_eq!(parse("step_00000100"), Some(100));
        assert_eq!(parse("step_123456789"), Some(123456789));
        for other in ["step_100", "step_+0000100", "step_00000100.bak", "step_", "step_000000100"] {
            assert_eq!(parse(other), None, "{other}");
        }
        assert_eq!(Hidden::parse(".jarrah-dropped-step_00000007"), Some((Hidden::Dropped, 7)));
        assert_eq!(Hidden::parse(".tmp-step_00000007"), None);
    }
}

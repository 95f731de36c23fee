//! The names of files and folders of a checkpoint directory.

use std::fs;
use std::path::Path;

use jarrah_base::{Error, Result};

/// The files of a checkpoint of version 1.
pub mod safetensors {
    pub const TENSORS: &str = "tensors.safetensors";
    pub const MANIFEST: &str = "manifest.json";
}

/// The items and files of a checkpoint of version 2, which is one of Orbax.
pub mod orbax {
    /// The item that is the tree of tensors.
    pub const STATE: &str = "state";
    /// The item that is the manifest.
    pub const JARRAH: &str = "jarrah";
    pub const MANIFEST: &str = "jarrah/metadata";
    /// The item by which Orbax's manager chooses the best checkpoint.
    pub const METRICS: &str = "metrics";
    pub const METRICS_FILE: &str = "metrics/metrics";

    /// The file of a process in an item that is JSON of each of so many processes.
    pub fn process_file(item: &str, process: usize, count: usize) -> String {
        format!("{item}/process_{process}-of-{count}.json")
    }
}

/// Files in the folder of a checkpoint.
const FILES: [&str; 3] = [safetensors::TENSORS, safetensors::MANIFEST, "_CHECKPOINT_METADATA"];

/// Files in the folder of an item: those of JSON and of a tree.
const ITEM_FILES: [&str; 6] =
    ["metadata", "metrics", "_METADATA", "_sharding", "_strings.json", "manifest.ocdbt"];

/// Whether a checkpoint has a file of this path in its folder.
pub fn is_ours(file: &str) -> bool {
    let is_data = |name: &str| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parts: Vec<&str> = file.split('/').collect();
    match parts.as_slice() {
        [file] => FILES.contains(file),
        [_, file] => ITEM_FILES.contains(file) || is_of_process(file),
        [_, "array_metadatas", file] => is_numbered(file, "process_"),
        [_, "d", file] => is_data(file),
        [_, folder, "manifest.ocdbt"] => is_numbered(folder, "ocdbt.process_"),
        [_, folder, "d", file] => is_numbered(folder, "ocdbt.process_") && is_data(file),
        _ => false,
    }
}

/// Whether a checkpoint may have a folder of this path in its own. Any may be an item.
pub fn is_our_folder(folder: &str) -> bool {
    match folder.split('/').collect::<Vec<_>>().as_slice() {
        [_] => true,
        [_, folder] => matches!(*folder, "d" | "array_metadatas") || is_numbered(folder, "ocdbt.process_"),
        [_, folder, "d"] => is_numbered(folder, "ocdbt.process_"),
        _ => false,
    }
}

/// Whether a name is that of the JSON of one of several processes.
fn is_of_process(name: &str) -> bool {
    let numbers = name.strip_suffix(".json").and_then(|name| name.split_once("-of-"));
    numbers.is_some_and(|(process, count)| is_numbered(process, "process_") && is_numbered(count, ""))
}

/// Whether a name is this beginning with a number behind it.
fn is_numbered(name: &str, beginning: &str) -> bool {
    let digits = name.strip_prefix(beginning).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Why a folder is hidden, of those that earlier releases hid: they gave no other reserved names.
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
    const ALL: [(Hidden, &str); 3] = [
        (Hidden::New, ".jarrah-new-"),
        (Hidden::Replaced, ".jarrah-replaced-"),
        (Hidden::Dropped, ".jarrah-dropped-"),
    ];

    /// The reason and the step, if `folder` is a hidden name.
    pub fn parse(folder: &str) -> Option<(Hidden, u64)> {
        Hidden::ALL.into_iter().find_map(|(hidden, prefix)| {
            Some((hidden, StepNames::default().parse(folder.strip_prefix(prefix)?)?))
        })
    }
}

/// The names of the folders of steps: `step_00000100` by default, `100` as Orbax's manager has it by default.
///
/// ```
/// use jarrah_checkpoint::StepNames;
/// assert_eq!(StepNames::default().name(100), "step_00000100");
/// assert_eq!(StepNames::new("", 0)?.name(100), "100");
/// assert_eq!(StepNames::new("ckpt_", 6)?.parse("ckpt_000100"), Some(100));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepNames {
    pub(crate) prefix: String,
    pub(crate) digits: usize,
}

impl Default for StepNames {
    fn default() -> StepNames {
        StepNames { prefix: "step_".to_owned(), digits: 8 }
    }
}

impl StepNames {
    /// Names of a beginning and a number with at least so many digits. Orbax's `step_prefix="ckpt"` is the beginning `ckpt_`.
    ///
    /// # Errors
    /// The beginning ends with a digit, or is none of a folder (`Program`).
    pub fn new(prefix: &str, digits: usize) -> Result<StepNames> {
        let names = StepNames { prefix: prefix.to_owned(), digits };
        let is_name = !prefix.contains('/')
            && !prefix.starts_with(['.', '_'])
            && !prefix.ends_with(|c: char| c.is_ascii_digit())
            && digits <= 20
            && jarrah_store::Name::new(names.name(0)).is_ok();
        match is_name {
            true => Ok(names),
            false => {
                let error =
                    format!("folders of steps are to be called {prefix:?} and a number of {digits} digits");
                Err(Error::program(error)
                    .op("checkpoint")
                    .help("take a beginning such as `step_`, and at most 20 digits"))
            }
        }
    }

    /// The name of the folder of `step`.
    pub fn name(&self, step: u64) -> String {
        format!("{}{step:0digits$}", self.prefix, digits = self.digits)
    }

    /// The step, if `folder` is the name of a checkpoint, spelled as it is written.
    pub fn parse(&self, folder: &str) -> Option<u64> {
        let step = folder.strip_prefix(&self.prefix)?.parse().ok()?;
        (self.name(step) == folder).then_some(step)
    }
}

/// The names in `dir` that are text.
pub fn folder_names(dir: &Path) -> Result<Vec<String>> {
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
        let parse = |folder: &str| StepNames::default().parse(folder);
        assert_eq!(parse("step_00000100"), Some(100));
        assert_eq!(parse("step_123456789"), Some(123456789));
        assert_eq!(StepNames::new("", 0).expect("a name").parse("0100"), None);
        for (prefix, digits) in [("a/", 8), ("v1", 8), (".", 3), ("", 21), ("x.orbax-checkpoint-tmp", 1)] {
            assert!(StepNames::new(prefix, digits).is_err(), "{prefix}");
        }
        for other in ["step_100", "step_+0000100", "step_00000100.bak", "step_", "step_000000100"] {
            assert_eq!(parse(other), None, "{other}");
        }
        assert_eq!(Hidden::parse(".jarrah-dropped-step_00000007"), Some((Hidden::Dropped, 7)));
        assert_eq!(Hidden::parse(".tmp-step_00000007"), None);
        assert_eq!(Hidden::parse(".jarrah-old-step_00000007"), None);
    }

    #[test]
    fn files_of_others_are_told_from_ours() {
        let digits = "0123456789abcdef0123456789abcdef";
        assert!(is_ours("jarrah/metadata") && is_ours("tensors.safetensors"));
        assert!(
            is_ours(&format!("state/d/{digits}")) && is_ours(&format!("state/ocdbt.process_0/d/{digits}"))
        );
        for other in [
            "notes.txt",
            "state/notes.txt",
            "metadata",
            "state/d/notes.txt",
            "jarrah/manifest.json",
            "a/b/metadata",
        ] {
            assert!(!is_ours(other), "{other}");
        }
        assert!(is_ours("data/process_3-of-16.json") && !is_ours("data/process_3.json"));
        for file in
            ["params/_sharding", "params/array_metadatas/process_3", "params/ocdbt.process_12/manifest.ocdbt"]
        {
            assert!(is_ours(file), "{file}");
        }
        for folder in ["jarrah", "state", "state/d", "state/ocdbt.process_0", "state/ocdbt.process_0/d"] {
            assert!(is_our_folder(folder), "{folder}");
        }
        assert!(!is_our_folder("notes/more") && !is_our_folder("state/d/x"));
    }
}

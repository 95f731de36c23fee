use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};
use serde_json::{Value, json};

/// A text that a model wrote during its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The step after which it was written.
    pub step: u64,
    /// The prompt.
    pub prompt: String,
    /// The text behind the prompt, as the model wrote it.
    pub text: String,
}

/// The texts that a run wrote, in its folder: `samples.jsonl`, each a line `{"step": 200, "prompt": "fn", "text": " main() {"}`.
///
/// ```
/// use jarrah_train::metrics::{Samples, Text};
/// # let dir = tempfile::tempdir().unwrap();
/// # let dir = dir.path();
/// let samples = Samples::new(dir);
/// let text = |step| Text { step, prompt: "fn".into(), text: " main() {".into() };
/// samples.add(&text(100))?;
/// samples.add(&text(200))?;
/// // The run is resumed after step 150: what came after it is written again.
/// samples.cut(150)?;
/// assert_eq!(samples.read()?, [text(100)]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Samples {
    path: PathBuf,
}

impl Samples {
    /// The name of the file.
    pub const FILE: &str = jarrah_run::names::SAMPLES;

    /// The texts of the run in the folder `dir`.
    pub fn new(dir: impl AsRef<Path>) -> Samples {
        let dir = dir.as_ref();
        Samples { path: dir.join(Self::FILE) }
    }

    /// Appends a text.
    ///
    /// # Errors
    /// The file cannot be written; the run may go on.
    pub fn add(&self, text: &Text) -> Result<()> {
        let line = json!({"step": text.step, "prompt": text.prompt, "text": text.text});
        let written = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path)
            .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|e| Error::environment(format!("cannot write {}: {e}", self.path.display())))
    }

    /// All texts; none where there is no file. Lines that are none, such as one that a killed writer left incomplete, are left out.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self) -> Result<Vec<Text>> {
        let bytes = match fs::read(&self.path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            bytes => bytes.map_err(|e| Error::io("read", &self.path, &e))?,
        };
        let text = |line: &[u8]| {
            let line: Value = serde_json::from_slice(line).ok()?;
            let word = |name: &str| line[name].as_str().map(str::to_owned);
            Some(Text { step: line["step"].as_u64()?, prompt: word("prompt")?, text: word("text")? })
        };
        Ok(bytes.split(|&byte| byte == b'\n').filter_map(text).collect())
    }

    /// Leaves out the texts of steps after `step`.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn cut(&self, step: u64) -> Result<()> {
        let texts = self.read()?;
        if texts.iter().all(|text| text.step <= step) {
            return Ok(());
        }
        fs::write(&self.path, "").map_err(|e| Error::io("write", &self.path, &e))?;
        texts.iter().filter(|text| text.step <= step).try_for_each(|text| self.add(text))
    }
}

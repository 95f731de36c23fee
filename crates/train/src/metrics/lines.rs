use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Location, Result};
use serde_json::Value;

/// The values measured at one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The step.
    pub step: u64,
    /// Names and values; infinities and NaN are written as `"Infinity"`, `"-Infinity"` and `"NaN"`.
    pub values: Vec<(String, f64)>,
}

impl Line {
    /// The value called `name`.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(n, _)| n == name).map(|(_, x)| *x)
    }
}

/// A file with one JSON object per line: `{"step":10,"loss":3.25}`.
///
/// Every line is written in one call, so a reader that follows the file sees whole lines.
pub struct JsonLines {
    path: PathBuf,
    file: File,
    end: u64,
}

impl JsonLines {
    /// Starts the file at `path`.
    ///
    /// # Errors
    /// The file exists, or its folder cannot be written.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        match File::create_new(path) {
            Ok(file) => Ok(JsonLines { path: path.to_owned(), file, end: 0 }),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                Err(Error::input(format!("{} exists: it belongs to another run", path.display()))
                    .help("resume that run, or give this one another folder"))
            }
            Err(e) => Err(unwritable(path, &e)),
        }
    }

    /// Continues the file at `path` after `step`: lines of later steps are cut, and so is a last line that a killed
    /// writer left incomplete. A missing file is made.
    ///
    /// # Errors
    /// A line before the last is malformed, or the file cannot be written.
    pub fn resume(path: impl AsRef<Path>, step: u64) -> Result<Self> {
        let path = path.as_ref();
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Self::create(path),
            Err(e) => return Err(unwritable(path, &e)),
        };
        let keep =
            scan(path, &text)?.take_while(|(line, _)| line.step <= step).last().map_or(0, |(_, end)| end);
        let file = OpenOptions::new().append(true).open(path).map_err(|e| unwritable(path, &e))?;
        file.set_len(keep as u64).map_err(|e| unwritable(path, &e))?;
        Ok(JsonLines { path: path.to_owned(), file, end: keep as u64 })
    }

    /// Appends a line.
    ///
    /// # Errors
    /// A name is `step`, stands twice, is empty or has a control character (`Input`), or the file cannot be written.
    pub fn write(&mut self, step: u64, values: &[(&str, f64)]) -> Result<()> {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        if let Some(problem) = unfit(&names) {
            return Err(Error::input(problem));
        }
        let mut text = format!("{{\"step\":{step}");
        for (name, x) in values {
            let number = serde_json::Number::from_f64(*x).map_or_else(|| word(*x).into(), Value::Number);
            text += &format!(",{}:{number}", Value::from(*name));
        }
        text += "}\n";
        append(&mut self.file, &mut self.end, text.as_bytes()).map_err(|e| failed(&self.path, &e))
    }

    /// All complete lines of the file at `path`.
    ///
    /// # Errors
    /// The file is missing, or a line before the last is malformed.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<Line>> {
        let path = path.as_ref();
        let text = fs::read(path).map_err(|e| Error::io("read", path, &e))?;
        Ok(scan(path, &text)?.map(|(line, _)| line).collect())
    }
}

/// The value of a metric as it is shown: four digits behind the point, or four digits in all where those would say little.
///
/// ```
/// use jarrah_train::metrics::shown;
/// assert_eq!([2.5, 0.0, 3.25e-6, f64::NAN].map(shown), ["2.5000", "0.0000", "3.250e-6", "NaN"]);
/// ```
pub fn shown(value: f64) -> String {
    match value.abs() {
        small if small > 0.0 && small < 0.01 => format!("{value:.3e}"),
        _ => format!("{value:.4}"),
    }
}

/// The reason why metrics cannot have these names, if there is one: each is a key of a line that has `step` too.
pub(crate) fn unfit(names: &[&str]) -> Option<String> {
    let problem = |(i, name): (usize, &&str)| {
        let is_twice = names[..i].contains(name);
        match *name {
            "step" => Some("a metric is called `step`, which is the number of the step".to_owned()),
            name if is_twice => Some(format!("two metrics are called {name:?}")),
            name if name.is_empty() || name.contains(char::is_control) => {
                Some(format!("a metric is called {name:?}, which is no word of a line"))
            }
            _ => None,
        }
    };
    names.iter().enumerate().find_map(problem)
}

/// The lines, each with the offset of its end; an incomplete last line is left out.
fn scan(path: &Path, text: &[u8]) -> Result<impl Iterator<Item = (Line, usize)>> {
    let mut lines = Vec::new();
    let mut end = 0;
    for (i, raw) in text.split_inclusive(|&b| b == b'\n').enumerate() {
        end += raw.len();
        let line = raw.strip_suffix(b"\n").ok_or_else(|| "it does not end".to_string()).and_then(parse);
        match line {
            Ok(line) => lines.push((line, end)),
            Err(_) if end == text.len() => break,
            Err(what) => {
                let place = Location::new(&path.display().to_string(), i as u32 + 1, 1);
                return Err(Error::input(format!("a line of metrics is malformed: {what}"))
                    .at(place)
                    .help("remove the line: a run needs none of them"));
            }
        }
    }
    Ok(lines.into_iter())
}

/// The values of a line.
pub(super) fn parse(raw: &[u8]) -> Result<Line, String> {
    let object: serde_json::Map<String, Value> = serde_json::from_slice(raw).map_err(|e| e.to_string())?;
    let step = object.get("step").and_then(Value::as_u64).ok_or("it has no step")?;
    let number = |(name, value): (&String, &Value)| {
        let x = match value {
            Value::String(word) => word.parse().ok(),
            other => other.as_f64(),
        };
        x.map(|x| (name.clone(), x)).ok_or(format!("{name} is {value}, which is no number"))
    };
    let values = object.iter().filter(|(name, _)| *name != "step").map(number).collect::<Result<_, _>>()?;
    Ok(Line { step, values })
}

fn word(x: f64) -> &'static str {
    if x.is_nan() {
        "NaN"
    } else if x > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::input(format!("cannot write {}: {error}", path.display()))
        .help("give a folder that can be written")
}

/// Writes `bytes` at `end` and advances `end`; on an error, the bytes that were written are cut off again.
pub fn append(file: &mut File, end: &mut u64, bytes: &[u8]) -> io::Result<()> {
    if let Err(error) = file.write_all(bytes) {
        file.set_len(*end)?;
        file.seek(io::SeekFrom::Start(*end))?;
        return Err(error);
    }
    *end += bytes.len() as u64;
    Ok(())
}

/// The error for a failed write during the run, an environment error.
pub fn failed(path: &Path, error: &io::Error) -> Error {
    Error::environment(format!("cannot write {}: {error}", path.display()))
}

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};

use super::lines::parse;

/// The metrics of a run by name, which follow a file of JSON lines while it is written.
///
/// A last line that does not end is left for the next look. A file that was cut, as resuming a run does, is read anew. Lines that are no metrics
/// are counted and passed over: somebody who looks at a run wants to see the rest.
///
/// ```
/// use jarrah_train::metrics::{Curves, JsonLines};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("metrics.jsonl");
/// let mut lines = JsonLines::create(&path)?;
/// lines.write(1, &[("loss", 4.0)])?;
/// let mut curves = Curves::new(&path);
/// assert!(curves.refresh()?);
/// lines.write(2, &[("loss", 3.5)])?;
/// assert!(curves.refresh()? && !curves.refresh()?);
/// assert_eq!(curves.get("loss").unwrap().last(), Some((2, 3.5)));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Curves {
    path: PathBuf,
    /// The bytes of the file up to the end of the last whole line.
    read: u64,
    /// The last whole line, by which a file that was cut and has grown again is known.
    last: Vec<u8>,
    curves: Vec<Curve>,
    malformed: usize,
}

/// The values of one metric, by ascending step.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    name: String,
    steps: Vec<u64>,
    values: Vec<f64>,
}

/// Neighbouring points of a [`Curve`], of which a chart shows one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The step of the last of them.
    pub step: u64,
    /// The mean of those that are finite; NaN where none is.
    pub mean: f64,
    /// The least of those.
    pub min: f64,
    /// The largest of those.
    pub max: f64,
    /// How many are infinite or no number.
    pub lost: usize,
}

impl Curves {
    /// Follows the file at `path`, which need not be there yet.
    pub fn new(path: impl AsRef<Path>) -> Curves {
        let path = path.as_ref();
        Curves { path: path.to_owned(), read: 0, last: Vec::new(), curves: Vec::new(), malformed: 0 }
    }

    /// Reads what the file has got since the last time; whether that changed a curve.
    ///
    /// # Errors
    /// The file is there, but cannot be read.
    pub fn refresh(&mut self) -> Result<bool> {
        let before = self.read;
        match self.follow() {
            Ok(changed) => Ok(changed),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                *self = Curves::new(&self.path);
                Ok(before > 0)
            }
            Err(e) => Err(Error::io("read", &self.path, &e)),
        }
    }

    fn follow(&mut self) -> io::Result<bool> {
        // To open something else may wait for ever, as may to read it.
        if !std::fs::metadata(&self.path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let mut file = File::open(&self.path)?;
        let length = file.metadata()?.len();
        let mut changed = false;
        if !self.is_as_it_was(&mut file, length)? {
            *self = Curves::new(&self.path);
            changed = true;
        }
        if length == self.read {
            return Ok(changed);
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let count = reader.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                return Ok(changed);
            }
            self.read += count as u64;
            match parse(&line) {
                Ok(parsed) => parsed.values.into_iter().for_each(|(name, x)| self.push(name, parsed.step, x)),
                Err(_) => self.malformed += 1,
            }
            std::mem::swap(&mut self.last, &mut line);
            changed = true;
        }
    }

    /// Whether the last line that was read still stands where it stood.
    fn is_as_it_was(&self, file: &mut File, length: u64) -> io::Result<bool> {
        if length < self.read {
            return Ok(false);
        }
        let mut line = vec![0; self.last.len()];
        file.seek(SeekFrom::Start(self.read - line.len() as u64))?;
        file.read_exact(&mut line)?;
        Ok(line == self.last)
    }

    fn push(&mut self, name: String, step: u64, value: f64) {
        let curve = match self.curves.iter_mut().position(|curve| curve.name == name) {
            Some(at) => &mut self.curves[at],
            None => {
                self.curves.push(Curve { name, ..Curve::default() });
                self.curves.last_mut().expect("invariant: it was pushed")
            }
        };
        // What was measured again counts.
        let keep = curve.steps.len() - curve.steps.iter().rev().take_while(|&&s| s >= step).count();
        curve.steps.truncate(keep);
        curve.values.truncate(keep);
        curve.steps.push(step);
        curve.values.push(value);
    }

    /// All curves, in the order in which they appeared.
    pub fn all(&self) -> &[Curve] {
        &self.curves
    }

    /// The curve of the metric called `name`.
    pub fn get(&self, name: &str) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.name == name)
    }

    /// A number that is another one after each change: the bytes read.
    pub fn version(&self) -> u64 {
        self.read
    }

    /// How many lines are no metrics.
    pub fn malformed(&self) -> usize {
        self.malformed
    }
}

impl Curve {
    /// The metric's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The first step, and its value.
    pub fn first(&self) -> Option<(u64, f64)> {
        self.steps.first().copied().zip(self.values.first().copied())
    }

    /// The last step, and its value.
    pub fn last(&self) -> Option<(u64, f64)> {
        self.steps.last().copied().zip(self.values.last().copied())
    }

    /// The least finite value, with its step.
    pub fn least(&self) -> Option<(u64, f64)> {
        let points = self.steps.iter().copied().zip(self.values.iter().copied());
        points.filter(|(_, x)| x.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The points of the steps `from` to `to`, in at most `most` bins, each of as many neighbouring points as the others. The least and the
    /// largest value of what is shown are among the bins', however few they are.
    pub fn thin(&self, from: u64, to: u64, most: usize) -> Vec<Bin> {
        let begin = self.steps.partition_point(|&step| step < from);
        let end = self.steps.partition_point(|&step| step <= to).max(begin);
        let each = (end - begin).div_ceil(most.max(1)).max(1);
        let bin = |(steps, values): (&[u64], &[f64])| {
            let finite = || values.iter().copied().filter(|x| x.is_finite());
            let count = finite().count();
            let of = |pick: fn(f64, f64) -> f64| finite().reduce(pick).unwrap_or(f64::NAN);
            Bin {
                step: steps.last().copied().unwrap_or(0),
                mean: finite().sum::<f64>() / count as f64,
                min: of(f64::min),
                max: of(f64::max),
                lost: values.len() - count,
            }
        };
        self.steps[begin..end].chunks(each).zip(self.values[begin..end].chunks(each)).map(bin).collect()
    }
}

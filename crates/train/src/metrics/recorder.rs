use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use jarrah_base::Result;

use super::chart::{Chart, Series};
use super::events::EventWriter;
use super::lines::JsonLines;

/// The metrics of a run, in its folder: `metrics.jsonl` and TensorBoard event files.
///
/// A line ends with `time`, the seconds since 1970 when it was written; events have that, too.
///
/// ```
/// use jarrah_train::metrics::Recorder;
/// # let dir = tempfile::tempdir().unwrap();
/// # let dir = dir.path();
/// let mut recorder = Recorder::create(dir)?;
/// recorder.record(1, &[("loss", 4.0), ("lr", 1e-3)])?;
/// recorder.record(2, &[("loss", 3.5), ("val_loss", 3.75)])?;
/// drop(recorder);
/// // The newest checkpoint is of step 1: what came after it is measured again.
/// let mut recorder = Recorder::resume(dir, 1)?;
/// recorder.record(2, &[("loss", 3.5), ("val_loss", 3.75)])?;
/// recorder.chart("a run", &[("loss", "train"), ("val_loss", "validation")])?.write(&dir.join("loss.png"))?;
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Recorder {
    path: PathBuf,
    lines: JsonLines,
    events: EventWriter,
}

impl Recorder {
    /// The name of the file of JSON lines.
    pub const LINES: &str = jarrah_run::names::METRICS;
    /// The name of the time in these.
    pub const TIME: &str = "time";

    /// Starts the metrics of a new run in the folder `dir`.
    ///
    /// # Errors
    /// The folder already has metrics, or `dir` cannot be written.
    pub fn create(dir: impl AsRef<Path>) -> Result<Self> {
        let dir = dir.as_ref();
        let path = dir.join(Self::LINES);
        let lines = JsonLines::create(&path)?;
        Ok(Recorder { path, lines, events: EventWriter::create(dir, SystemTime::now(), None)? })
    }

    /// Continues the metrics of the run in `dir` after `step`: lines of later steps are cut from `metrics.jsonl`, and a new event
    /// file makes TensorBoard ignore them.
    ///
    /// # Errors
    /// The lines are malformed, or `dir` cannot be written.
    pub fn resume(dir: impl AsRef<Path>, step: u64) -> Result<Self> {
        let dir = dir.as_ref();
        let path = dir.join(Self::LINES);
        let lines = JsonLines::resume(&path, step)?;
        Ok(Recorder { path, lines, events: EventWriter::create(dir, SystemTime::now(), Some(step))? })
    }

    /// Appends the values of `step`.
    ///
    /// # Errors
    /// A file cannot be written; the run may go on.
    pub fn record(&mut self, step: u64, values: &[(&str, f64)]) -> Result<()> {
        let now = SystemTime::now();
        let seconds = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as f64 / 1e3;
        self.lines.write(step, &[values, &[(Self::TIME, seconds)]].concat())?;
        self.events.scalars(now, step, values)
    }

    /// A chart of some recorded metrics over the steps; each metric comes with its name in the legend.
    ///
    /// # Errors
    /// The lines cannot be read.
    pub fn chart(&self, title: &str, metrics: &[(&str, &str)]) -> Result<Chart> {
        let lines = JsonLines::read(&self.path)?;
        let series = metrics.iter().map(|(metric, name)| {
            let point = |line: &super::Line| Some((line.step as f64, line.get(metric)?));
            Series { name: (*name).to_owned(), points: lines.iter().filter_map(point).collect() }
        });
        Ok(Chart {
            title: title.to_owned(),
            x_label: "step".into(),
            y_label: "loss".into(),
            series: series.collect(),
        })
    }
}

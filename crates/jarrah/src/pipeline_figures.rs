//! The figures of a pipeline that ran for a while.

use std::time::Duration;

use jarrah::data::StageStatistics;
use jarrah_base::memory::size;

/// The columns of a row of figures.
pub const COLUMNS: usize = 11;

/// The figures of a pipeline that ran for a while.
pub struct Measured {
    pub elements: u64,
    pub elapsed: Duration,
    /// Whether the pipeline came to its end.
    pub has_ended: bool,
    pub stages: Vec<StageStatistics>,
}

impl Measured {
    /// A rate.
    pub fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The records that the sources delivered, and their bytes.
    pub fn records(&self) -> (u64, u64) {
        let sources = self.stages.iter().filter(|stage| stage.stage.inputs.is_empty());
        sources.fold((0, 0), |(records, bytes), s| (records + s.elements_out, bytes + s.bytes_out))
    }

    /// The share of a stage of the time that all stages took.
    pub fn share(&self, stage: &StageStatistics) -> f64 {
        let all: Duration = self.stages.iter().map(|s| s.own).sum();
        stage.own.as_secs_f64() / all.as_secs_f64().max(1e-9)
    }

    /// A row of figures for each stage, the first row with their names.
    pub fn rows(&self) -> Vec<[String; COLUMNS]> {
        let names = ["", "stage", "line", "from", "in", "out", "out/s", "own", "share", "waited", "held"];
        let row = |(i, s): (usize, &StageStatistics)| {
            let from: Vec<String> = s.stage.inputs.iter().map(usize::to_string).collect();
            [
                i.to_string(),
                s.stage.name.to_owned(),
                s.stage.at.line().to_string(),
                from.join(","),
                s.elements_in.to_string(),
                s.elements_out.to_string(),
                rate(self.per_second(s.elements_out)),
                time(s.own),
                format!("{:.0}%", 100.0 * self.share(s)),
                time(s.waited),
                if s.held > 0 { size(s.held as usize) } else { "-".to_owned() },
            ]
        };
        let rows = self.stages.iter().enumerate().map(row);
        std::iter::once(names.map(str::to_owned)).chain(rows).collect()
    }

    /// A sentence on what bounds the rate.
    pub fn bound(&self) -> String {
        let Some(most) = self.stages.iter().max_by_key(|s| s.own) else { return String::new() };
        let waited: Duration = self.stages.iter().map(|s| s.waited).sum();
        let idle: Duration = self.stages.iter().map(|s| s.idle).sum();
        let line = most.stage.at.line();
        let mut text = format!(
            "most time: {} (line {line}), {:.0}% of {} on all threads",
            most.stage.name,
            100.0 * self.share(most),
            time(self.stages.iter().map(|s| s.own).sum())
        );
        if waited > Duration::ZERO {
            text += &format!("; {} of waiting for threads", time(waited));
        }
        if idle > Duration::ZERO {
            text += &format!("; threads waited {} for room", time(idle));
        }
        text
    }
}

/// A rate with three digits.
pub fn rate(per_second: f64) -> String {
    match per_second {
        x if x >= 1e6 => format!("{:.2}M", x / 1e6),
        x if x >= 1e4 => format!("{:.1}k", x / 1e3),
        x if x >= 100.0 => format!("{x:.0}"),
        x => format!("{x:.2}"),
    }
}

/// A time in the unit that fits.
pub fn time(duration: Duration) -> String {
    match duration.as_secs_f64() {
        0.0 => "-".to_owned(),
        s if s < 1e-3 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

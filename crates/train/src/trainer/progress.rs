use std::time::{Duration, Instant};

use super::console::{Console, span};
use crate::metrics::shown;

/// The work of a step, in units that speed is shown and recorded in.
///
/// ```
/// use jarrah_train::StepWork;
/// let images = StepWork { unit: "images", per_step: 64.0, ..StepWork::default() };
/// assert_eq!(StepWork::default().unit, "steps");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepWork {
    /// The name of a unit, in the plural: metrics have `{unit}_per_second`.
    pub unit: &'static str,
    /// The units of a step.
    pub per_step: f64,
    /// The floating-point operations of a step, and the most that the machine can do in a second, if they are known.
    pub flops: Option<(f64, f64)>,
}

impl Default for StepWork {
    fn default() -> Self {
        StepWork { unit: "steps", per_step: 1.0, flops: None }
    }
}

/// Reports how far a run is, and its speed.
pub(super) struct Progress {
    steps: u64,
    work: StepWork,
    began: Instant,
    first: u64,
    /// The time in evaluations, checkpoints and hooks, which the speed leaves out.
    paused: Duration,
    /// The moment, the step and the time left out at the last report.
    window: (Instant, u64, Duration),
}

/// The speed over some steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Speed {
    /// Units of work per second.
    pub units: f64,
    /// The model's floating-point operations per second.
    pub flops: Option<f64>,
    /// The share of the time that steps took; evaluations, hooks and checkpoints took the rest.
    pub goodput: f64,
}

impl Progress {
    /// The progress of a run that starts or resumes at step `first`.
    pub fn new(first: u64, steps: u64, work: StepWork) -> Self {
        let now = Instant::now();
        Progress {
            steps,
            work,
            began: now,
            first,
            paused: Duration::ZERO,
            window: (now, first, Duration::ZERO),
        }
    }

    /// Leaves so much time out of the speed.
    pub fn leave_out(&mut self, time: Duration) {
        self.paused += time;
    }

    /// Runs `f`, and leaves its time out of the speed.
    pub fn aside<R>(&mut self, f: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = f();
        self.leave_out(start.elapsed());
        result
    }

    /// The seconds that so many steps take at the machine's peak, if the work of a step is known.
    pub fn least(&self, steps: u64) -> Option<f64> {
        self.work.flops.map(|(flops, peak)| steps as f64 * flops / peak.max(1.0))
    }

    /// The speed of `steps` steps in `whole`, of which `spent` went into steps.
    fn speed_of(&self, steps: u64, whole: Duration, spent: Duration) -> Speed {
        let spent = spent.as_secs_f64().max(1e-9);
        let rate = steps as f64 / spent;
        Speed {
            units: rate * self.work.per_step,
            flops: self.work.flops.map(|(flops, _)| rate * flops),
            goodput: spent / whole.as_secs_f64().max(1e-9),
        }
    }

    /// The speed since the run began here, up to a step.
    pub fn speed_so_far(&self, step: u64) -> Speed {
        let whole = self.began.elapsed();
        self.speed_of(step - self.first, whole, whole.saturating_sub(self.paused))
    }

    /// The speed since this was last called.
    pub fn speed(&mut self, step: u64) -> Speed {
        let (then, from, paused) = self.window;
        let now = Instant::now();
        self.window = (now, step, self.paused);
        let whole = now - then;
        self.speed_of(step - from, whole, whole.saturating_sub(self.paused - paused))
    }

    /// Shows a step with one of its metrics: on a terminal in the place of the last one, elsewhere on a new line.
    pub fn show(&mut self, console: &mut Console, step: u64, metric: Option<&(String, f64)>, speed: Speed) {
        let total = self.began.elapsed();
        let rate = (step - self.first) as f64 / total.as_secs_f64().max(1e-9);
        let left = (self.steps - step) as f64 / rate.max(1e-9);
        let metric = metric.map(|(name, value)| format!("  {name} {}", shown(*value))).unwrap_or_default();
        let units = match speed.units {
            units if units >= 10.0 => grouped(units as u64),
            units => format!("{units:.1}"),
        };
        let flops = speed.flops.zip(self.work.flops).map(|(flops, (_, peak))| {
            format!("  {}FLOP/s ({:.0}% of peak)", scaled(flops), 100.0 * flops / peak)
        });
        let line = format!(
            "step {step}/{}{metric}  {units} {}/s{}  {} left",
            self.steps,
            self.work.unit,
            flops.unwrap_or_default(),
            span(left),
        );
        if console.is_terminal() {
            console.transient(&line);
        } else {
            console.line(&line);
        }
    }
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `12.3 G` of 12,300,000,000.
fn scaled(x: f64) -> String {
    let (divisor, unit) = match x {
        _ if x >= 1e12 => (1e12, "T"),
        _ if x >= 1e9 => (1e9, "G"),
        _ if x >= 1e6 => (1e6, "M"),
        _ => (1e3, "k"),
    };
    format!("{:.1} {unit}", x / divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_well() {
        assert_eq!([scaled(1.25e10), scaled(3.5e6), scaled(10.0)], ["12.5 G", "3.5 M", "0.0 k"]);
        assert_eq!([span(7.4), span(125.0), span(7_500.0)], ["7 s", "2 min 05 s", "2 h 05 min"]);
    }
}

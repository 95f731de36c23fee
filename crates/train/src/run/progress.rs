use std::time::{Duration, Instant};

use super::console::Console;
use super::text::grouped;

/// Reports how far a run is, and its speed.
pub struct Progress {
    steps: u64,
    tokens_per_step: u64,
    flops_per_step: f64,
    peak: f64,
    // `paused` is the time in evaluations and checkpoints, which the speed leaves out.
    began: Instant,
    first: u64,
    paused: Duration,
    window: (Instant, u64, Duration),
}

/// The speed since the last report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Training tokens per second.
    pub tokens: f64,
    /// The model's floating-point operations per second.
    pub flops: f64,
    /// The share of the time that steps took; evaluations, samples and checkpoints took the rest.
    pub goodput: f64,
}

impl Progress {
    /// The progress of a run that starts or resumes at step `first`; `peak` is the machine's peak FLOP/s.
    pub fn new(first: u64, steps: u64, tokens_per_step: u64, flops_per_step: f64, peak: f64) -> Self {
        let now = Instant::now();
        Progress {
            steps,
            tokens_per_step,
            flops_per_step,
            peak,
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

    /// The seconds that so many steps take at the machine's peak.
    pub fn least(&self, steps: u64) -> f64 {
        steps as f64 * self.flops_per_step / self.peak.max(1.0)
    }

    /// The speed since the run began here, up to a step.
    pub fn speed_so_far(&self, step: u64) -> Speed {
        let whole = self.began.elapsed();
        let spent = whole.saturating_sub(self.paused).as_secs_f64().max(1e-9);
        let rate = (step - self.first) as f64 / spent;
        Speed {
            tokens: rate * self.tokens_per_step as f64,
            flops: rate * self.flops_per_step,
            goodput: spent / whole.as_secs_f64().max(1e-9),
        }
    }

    /// The speed since this was last called.
    pub fn speed(&mut self, step: u64) -> Speed {
        let (then, from, paused) = self.window;
        let now = Instant::now();
        self.window = (now, step, self.paused);
        let spent = (now - then).saturating_sub(self.paused - paused).as_secs_f64();
        let rate = (step - from) as f64 / spent.max(1e-9);
        Speed {
            tokens: rate * self.tokens_per_step as f64,
            flops: rate * self.flops_per_step,
            goodput: spent / (now - then).as_secs_f64().max(1e-9),
        }
    }

    /// Shows a step: on a terminal in the place of the last one, elsewhere on a new line.
    pub fn show(&mut self, console: &mut Console, step: u64, loss: f64, speed: Speed) {
        let total = self.began.elapsed();
        let rate = (step - self.first) as f64 / total.as_secs_f64().max(1e-9);
        let left = (self.steps - step) as f64 / rate.max(1e-9);
        let line = format!(
            "step {step}/{}  loss {loss:.4}  {} tokens/s  {}FLOP/s ({:.0}% of peak)  {} left",
            self.steps,
            grouped(speed.tokens as u64),
            scaled(speed.flops),
            100.0 * speed.flops / self.peak,
            span(left),
        );
        if console.is_terminal() {
            console.transient(&line);
        } else {
            console.line(&line);
        }
    }
}

/// `12.3 G` of 12,300,000,000.
pub fn scaled(x: f64) -> String {
    let (divisor, unit) = match x {
        _ if x >= 1e12 => (1e12, "T"),
        _ if x >= 1e9 => (1e9, "G"),
        _ if x >= 1e6 => (1e6, "M"),
        _ => (1e3, "k"),
    };
    format!("{:.1} {unit}", x / divisor)
}

/// `2 min 05 s` of 125.
pub fn span(seconds: f64) -> String {
    let s = if seconds.is_finite() { seconds.round() as u64 } else { 0 };
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {:02} s", s / 60, s % 60),
        _ => format!("{} h {:02} min", s / 3600, s / 60 % 60),
    }
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

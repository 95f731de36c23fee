use crate::scheduler::Scheduler;

/// How much longer a step may take than its decodes alone would.
const LONGER: f64 = 1.5;
/// In so many steps all that is left of prompts would be computed, if no more came.
const SOON: usize = Scheduler::BACKLOG;
/// The weight of a new time against the average so far.
const NEW: f64 = 0.125;

/// How large a step is in which answers go on while prompts are computed.
///
/// A prompt that is computed at once holds up all answers that run: their readers wait for many times as long as for
/// another token. Part by part, it takes no more time of the machine, as the steps of the answers take place anyway, but
/// comes later to its own first token. So a step takes at most half as long again as its decodes alone would, unless much
/// is left of prompts. If a step of `n` tokens took `c(n)` of late, and the choice of the tokens of `d` answers `r(d)`,
///
/// ```text
/// most = max(max { n : c(n) + r(d) <= 1.5 (c(d) + r(d)) }, d + part)
/// part = the largest left / 64 since nothing was left
/// ```
///
/// made as large as the next size that there is a program for. Where very much is left, steps become full: no throughput
/// is lost. A step in which nothing goes on has no bound but `tokens_per_step`.
///
/// The time of a size that was not observed yet is interpolated between observed sizes, or is proportional to the time of the
/// nearest: as long as no small step was observed, nothing speaks for large ones. Only times depend on the size of steps, not
/// results.
///
/// ```
/// use jarrah_engine::Pace;
/// let mut pace = Pace::new(vec![1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
/// assert_eq!(pace.most(4, 0), usize::MAX);
/// // 8 ms, and 1 ms for each token. The first run of each size may have compiled its program.
/// for tokens in [1, 1, 512, 512] {
///     pace.observe(tokens, 8e-3 + 1e-3 * tokens as f64);
/// }
/// assert_eq!((pace.most(4, 100), pace.most(16, 100)), (8, 32));
/// // More is left; it is computed at the same rate to its end.
/// assert_eq!((pace.most(4, 1000), pace.most(4, 10_000), pace.most(4, 10)), (32, 256, 256));
/// // Nothing is left, or nothing goes on.
/// assert_eq!((pace.most(4, 0), pace.most(0, 10)), (8, usize::MAX));
/// ```
///
/// Source: Agrawal et al., Taming throughput-latency tradeoff in LLM inference with Sarathi-Serve, 2024 (prompts in parts
/// beside decodes, within a budget of tokens; here the budget is measured).
#[derive(Clone, Debug)]
pub struct Pace {
    sizes: Vec<usize>,
    times: Vec<Time>,
    /// Seconds in which the token of an answer is chosen.
    choice: f64,
    /// How much of a step is of prompts, at least, until nothing is left of them.
    part: usize,
}

/// The observed time of steps of a size.
#[derive(Clone, Copy, Debug)]
enum Time {
    Unknown,
    /// There was one, of so many seconds, which may have compiled a program.
    Begun(f64),
    /// Seconds.
    Known(f64),
}

impl Pace {
    /// For steps that are filled up to one of these sizes, in ascending order.
    pub fn new(sizes: Vec<usize>) -> Pace {
        Pace { times: vec![Time::Unknown; sizes.len()], sizes, choice: 0.0, part: 0 }
    }

    /// Takes what the computation of a step took, without the choice of tokens.
    pub fn observe(&mut self, tokens: usize, seconds: f64) {
        let Some(time) = self.sizes.iter().position(|&size| size >= tokens).map(|at| &mut self.times[at])
        else {
            return;
        };
        *time = match *time {
            Time::Unknown => Time::Begun(seconds),
            Time::Begun(first) => Time::Known(seconds.min(first)),
            // Something else may have held a step up.
            Time::Known(known) => Time::Known(known + NEW * (seconds.min(2.0 * known) - known)),
        };
    }

    /// Takes how long it took to choose tokens for so many answers.
    pub fn observe_choice(&mut self, answers: usize, seconds: f64) {
        if answers > 0 {
            self.choice += NEW * (seconds / answers as f64 - self.choice);
        }
    }

    /// The most tokens of the next step, with `decodes` tokens of answers, while `left` tokens of prompts remain to be
    /// computed; more than `decodes`.
    pub fn most(&mut self, decodes: usize, left: usize) -> usize {
        self.part = if left == 0 { 0 } else { self.part.max(left / SOON) };
        let at = |tokens: usize| self.sizes.iter().position(|&size| size >= tokens);
        let alone = at(decodes).and_then(|at| Some((at, self.seconds(at)?)));
        let Some((from, alone)) = alone.filter(|_| decodes > 0) else { return usize::MAX };
        let choice = self.choice * decodes as f64;
        let is_short = |at: &usize| {
            self.seconds(*at).is_some_and(|seconds| seconds + choice <= LONGER * (alone + choice))
        };
        let last = (from..self.sizes.len()).take_while(is_short).last().unwrap_or(from);
        let wanted = self.sizes[last].max(decodes + 1).max(decodes + self.part);
        at(wanted).map_or(usize::MAX, |at| self.sizes[at])
    }

    /// The time in seconds of a step of a size, if any size was observed.
    fn seconds(&self, at: usize) -> Option<f64> {
        let known = |at: usize| match self.times[at] {
            Time::Known(seconds) => Some((self.sizes[at] as f64, seconds)),
            Time::Unknown | Time::Begun(_) => None,
        };
        let size = self.sizes[at] as f64;
        match ((0..=at).rev().find_map(known), (at..self.sizes.len()).find_map(known)) {
            (Some((from, less)), Some((to, more))) if from < to => {
                Some(less + (more - less) * (size - from) / (to - from))
            }
            (Some((known, seconds)), _) | (None, Some((known, seconds))) => Some(seconds * size / known),
            (None, None) => None,
        }
    }
}

//! What an engine counts.

/// Bounds of times that take from a millisecond to minutes, in seconds.
const TIMES: &[f64] = &[
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0,
    80.0, 160.0, 640.0, 2560.0,
];
/// Bounds of times of whole requests, in seconds.
const LONG_TIMES: &[f64] = &[
    0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0, 240.0, 480.0,
    960.0, 1920.0, 7680.0,
];
/// Bounds of times between tokens, in seconds.
const SHORT_TIMES: &[f64] = &[
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0, 80.0,
];
/// Bounds of numbers of tokens.
const TOKENS: &[f64] = &[
    1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10000.0, 20000.0, 50000.0,
    100000.0,
];
/// Bounds of numbers of tokens of a step.
const STEP_TOKENS: &[f64] =
    &[1.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0];
/// Bounds of numbers of answers.
const FEW: &[f64] = &[1.0, 2.0, 5.0, 10.0, 20.0];

/// How many observations there were up to each of some bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The bounds, ascending.
    pub bounds: &'static [f64],
    /// How many observations are at most the bound of the same place, and above the one before; the last, above all bounds.
    pub counts: Vec<u64>,
    /// The sum of all.
    pub sum: f64,
}

impl Histogram {
    fn new(bounds: &'static [f64]) -> Histogram {
        Histogram { bounds, counts: vec![0; bounds.len() + 1], sum: 0.0 }
    }

    pub(super) fn observe(&mut self, value: f64) {
        let at = self.bounds.iter().position(|&bound| value <= bound).unwrap_or(self.bounds.len());
        self.counts[at] += 1;
        self.sum += value;
    }

    /// The number of observations.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// How many answers ended, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// At an end token, a stop token or a stop string.
    pub stop: u64,
    /// With as many tokens as they may have.
    pub length: u64,
    /// Aborted.
    pub abort: u64,
    /// Failed.
    pub error: u64,
}

/// What an engine has, and what happened since it started. Times are in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics {
    /// Answers that are computed.
    pub running: usize,
    /// Answers that wait.
    pub waiting: usize,
    /// The share of pages that answers hold.
    pub cache_usage: f64,
    /// Pages.
    pub pages: usize,
    /// Tokens of a page.
    pub page: usize,
    /// Tokens of prompts that were computed or found in the prefix cache.
    pub prompt_tokens: u64,
    /// Of these those that were found.
    pub cached_prompt_tokens: u64,
    /// Tokens that were chosen.
    pub generation_tokens: u64,
    /// Tokens that were looked for in the prefix cache, repeated admissions included.
    pub prefix_queries: u64,
    /// Of these those that were found.
    pub prefix_hits: u64,
    /// Tokens of prompts that were looked for in files, where keys and values are kept in such.
    pub offload_queries: u64,
    /// Of these those that were brought back.
    pub offload_hits: u64,
    /// Pages that were read from files.
    pub restored_pages: u64,
    /// Pages that lost what they had, and were given to be written to files.
    pub offloaded_pages: u64,
    /// The same, and were not, since writing could not keep up.
    pub offload_lost_pages: u64,
    /// Answers that gave back their pages for others.
    pub preemptions: u64,
    /// Requests that found the queue full.
    pub rejected: u64,
    /// Drafts that were tried.
    pub drafts: u64,
    /// Their tokens.
    pub drafted_tokens: u64,
    /// Of these those that came, by their place in the draft.
    pub accepted_tokens: Vec<u64>,
    /// Answers that ended.
    pub finished: Finished,
    /// From arrival to the first token.
    pub time_to_first_token: Histogram,
    /// From a token to the next.
    pub inter_token: Histogram,
    /// From arrival to the end.
    pub end_to_end: Histogram,
    /// From arrival to the first step.
    pub queue: Histogram,
    /// From the first step to the first token.
    pub prefill: Histogram,
    /// From the first token to the end.
    pub decode: Histogram,
    /// From the first step to the end.
    pub inference: Histogram,
    /// The mean time of a token behind the first, of each answer.
    pub time_per_output_token: Histogram,
    /// Tokens of prompts.
    pub prompt_length: Histogram,
    /// Tokens of answers.
    pub generation_length: Histogram,
    /// The most tokens that answers might have.
    pub max_tokens: Histogram,
    /// Answers asked for by a request.
    pub n: Histogram,
    /// Tokens of steps.
    pub step_tokens: Histogram,
}

impl Metrics {
    pub(super) fn new() -> Metrics {
        Metrics {
            running: 0,
            waiting: 0,
            cache_usage: 0.0,
            pages: 0,
            page: 0,
            prompt_tokens: 0,
            cached_prompt_tokens: 0,
            generation_tokens: 0,
            prefix_queries: 0,
            prefix_hits: 0,
            offload_queries: 0,
            offload_hits: 0,
            restored_pages: 0,
            offloaded_pages: 0,
            offload_lost_pages: 0,
            preemptions: 0,
            rejected: 0,
            drafts: 0,
            drafted_tokens: 0,
            accepted_tokens: Vec::new(),
            finished: Finished::default(),
            time_to_first_token: Histogram::new(TIMES),
            inter_token: Histogram::new(SHORT_TIMES),
            end_to_end: Histogram::new(LONG_TIMES),
            queue: Histogram::new(LONG_TIMES),
            prefill: Histogram::new(LONG_TIMES),
            decode: Histogram::new(LONG_TIMES),
            inference: Histogram::new(LONG_TIMES),
            time_per_output_token: Histogram::new(SHORT_TIMES),
            prompt_length: Histogram::new(TOKENS),
            generation_length: Histogram::new(TOKENS),
            max_tokens: Histogram::new(TOKENS),
            n: Histogram::new(FEW),
            step_tokens: Histogram::new(STEP_TOKENS),
        }
    }
}

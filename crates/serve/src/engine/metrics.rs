//! The counters and histograms of an engine.

/// Histogram bounds for times from a millisecond to minutes, in seconds.
const TIMES: &[f64] = &[
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0,
    80.0, 160.0, 640.0, 2560.0,
];
/// Histogram bounds for times of whole requests, in seconds.
const LONG_TIMES: &[f64] = &[
    0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0, 240.0, 480.0,
    960.0, 1920.0, 7680.0,
];
/// Histogram bounds for times between tokens, in seconds.
const SHORT_TIMES: &[f64] = &[
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0, 80.0,
];
/// Histogram bounds for numbers of tokens in a prompt or an answer.
const TOKENS: &[f64] = &[
    1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10000.0, 20000.0, 50000.0,
    100000.0,
];
/// Histogram bounds for numbers of tokens in a step.
const STEP_TOKENS: &[f64] =
    &[1.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0];
/// Histogram bounds for numbers of answers to a request.
const FEW: &[f64] = &[1.0, 2.0, 5.0, 10.0, 20.0];

/// A histogram: the number of observations between consecutive bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The bounds, ascending.
    pub bounds: &'static [f64],
    /// For each bound the number of observations up to it and above the bound before; last the number above all bounds.
    pub counts: Vec<u64>,
    /// The sum of all observations.
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

/// The number of answers that ended, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// Ended at an end token, a stop token or a stop string.
    pub stop: u64,
    /// Ended with as many tokens as they may have.
    pub length: u64,
    /// Aborted by the client or a shutdown.
    pub abort: u64,
    /// Ended with an error.
    pub error: u64,
}

/// The engine's present state, and what it has counted since it started. Times are in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineMetrics {
    /// The number of answers that are being computed.
    pub running: usize,
    /// The number of answers in the queue.
    pub waiting: usize,
    /// The share of pages of keys and values that answers hold.
    pub cache_usage: f64,
    /// The number of pages of keys and values.
    pub pages: usize,
    /// The number of tokens in a page.
    pub page: usize,
    /// Tokens of prompts, computed or found in the prefix cache.
    pub prompt_tokens: u64,
    /// Tokens of prompts that were found in the prefix cache.
    pub cached_prompt_tokens: u64,
    /// Tokens that were generated.
    pub generation_tokens: u64,
    /// Tokens that were looked for in the prefix cache, repeated admissions included.
    pub prefix_queries: u64,
    /// Tokens that were found in the prefix cache, repeated admissions included.
    pub prefix_hits: u64,
    /// Tokens of prompts that were looked for in the files of keys and values, if there are any.
    pub offload_queries: u64,
    /// Tokens of prompts whose keys and values were brought back from files.
    pub offload_hits: u64,
    /// Pages that were read from files.
    pub restored_pages: u64,
    /// Evicted pages that were handed to the thread that writes files.
    pub offloaded_pages: u64,
    /// Evicted pages that were dropped, since the thread that writes files could not keep up.
    pub offload_lost_pages: u64,
    /// Preemptions: answers that gave up their pages to others.
    pub preemptions: u64,
    /// Requests that were rejected because the queue was full.
    pub rejected: u64,
    /// Drafts that were verified.
    pub drafts: u64,
    /// Tokens of drafts that were verified.
    pub drafted_tokens: u64,
    /// Tokens of drafts that were accepted, by their position in the draft.
    pub accepted_tokens: Vec<u64>,
    /// Answers that ended, by the reason.
    pub finished: Finished,
    /// Seconds from arrival to the first token.
    pub time_to_first_token: Histogram,
    /// Seconds from a token to the next.
    pub inter_token: Histogram,
    /// Seconds from arrival to the end.
    pub end_to_end: Histogram,
    /// Seconds from arrival to the first step.
    pub queue: Histogram,
    /// Seconds from the first step to the first token.
    pub prefill: Histogram,
    /// Seconds from the first token to the end.
    pub decode: Histogram,
    /// Seconds from the first step to the end.
    pub inference: Histogram,
    /// Seconds per token after the first, the mean of each answer.
    pub time_per_output_token: Histogram,
    /// Tokens per prompt.
    pub prompt_length: Histogram,
    /// Tokens per answer.
    pub generation_length: Histogram,
    /// The limit `max_tokens` per answer.
    pub max_tokens: Histogram,
    /// Answers per request.
    pub n: Histogram,
    /// Tokens per step.
    pub step_tokens: Histogram,
}

impl EngineMetrics {
    pub(super) fn new() -> EngineMetrics {
        EngineMetrics {
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

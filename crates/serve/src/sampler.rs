//! Sampling: the choice of tokens from logits.

use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_structured::TokenMask;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::params::Params;

/// The number of largest weights that are sorted first when `top_p` looks for the fewest tokens with most of the probability.
const FIRST: usize = 256;

/// A token with its logprob, by the model's unchanged logits, and its rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logprob {
    /// The token.
    pub token: u32,
    /// The natural logarithm of the token's probability.
    pub logprob: f32,
    /// The number of tokens that are at least as likely, the token itself included; of equally likely tokens, the lower id ranks
    /// first.
    pub rank: usize,
}

/// The logprobs at one position of a text: the chosen token's, and those of the likeliest tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenLogprobs {
    /// The token that was chosen.
    pub chosen: Logprob,
    /// The likeliest tokens, likeliest first, as many as were asked for; or the tokens that were asked for.
    pub top: Vec<Logprob>,
    /// The place of the chosen token in the text of its answer.
    pub place: AnswerPlace,
}

/// The place of a token in the text of its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerPlace {
    /// The token begins the text: tokenizers may drop the space before it.
    Begins,
    /// The token stands behind others, or there is no text.
    #[default]
    Within,
    /// The token is no part of the text: it ends the answer, or is a special token that the text leaves out.
    Outside,
}

/// A user's function that changes the logits of an answer, before all other changes.
pub trait LogitsProcessor: Send + Sync {
    /// Changes the logits of the token that follows `tokens`, those of the prompt and of the answer so far. The change must
    /// depend on these arguments alone: otherwise the answer does not depend on the request alone.
    fn process(&self, tokens: &[u32], logits: &mut [f32]);
}

/// Chooses the tokens of one answer.
pub struct Sampler {
    params: Arc<Params>,
    seed: u64,
    /// The tokens that end the text, for `min_tokens`.
    ends: Vec<u32>,
    /// Bad words as tokens.
    bad: Vec<Vec<u32>>,
    /// For each token of the prompt and the answer the number of times that the answer has it, if penalties need it.
    counts: FxHashMap<u32, u32>,
    allowed: Option<FxHashSet<u32>>,
    /// The number of tokens chosen so far.
    chosen: usize,
}

impl Sampler {
    /// A sampler for the answer to `prompt`. `bad` are the bad words as tokens, each possibly in several spellings; `ends` are
    /// the model's end tokens.
    pub fn new(params: Arc<Params>, seed: u64, prompt: &[u32], bad: Vec<Vec<u32>>, ends: &[u32]) -> Sampler {
        let own: &[u32] = if params.ignore_eos { &[] } else { ends };
        let ends = own.iter().chain(&params.stop_tokens).copied().collect();
        let counts = match params.repetition_penalty == 1.0 {
            true => FxHashMap::default(),
            false => prompt.iter().map(|&token| (token, 0)).collect(),
        };
        let allowed = params.allowed_tokens.as_ref().map(|tokens| tokens.iter().copied().collect());
        Sampler { params, seed, ends, bad, counts, allowed, chosen: 0 }
    }

    fn has_penalties(&self) -> bool {
        let Params { presence_penalty, frequency_penalty, repetition_penalty, .. } = *self.params;
        presence_penalty != 0.0 || frequency_penalty != 0.0 || repetition_penalty != 1.0
    }

    /// Whether no parameter changes the logits of the next token.
    fn leaves_logits(&self) -> bool {
        self.params.logit_bias.is_empty()
            && self.allowed.is_none()
            && self.bad.is_empty()
            && self.chosen >= self.params.min_tokens
            && !self.has_penalties()
    }

    /// Whether the choice depends on the earlier tokens.
    pub fn reads_tokens(&self) -> bool {
        !self.bad.is_empty() || self.params.repetition.is_some()
    }

    /// Chooses the token at position `at` of the text, with its logprobs if asked for. `tokens` are the earlier tokens of prompt
    /// and answer; they may be missing unless [`reads_tokens`](Self::reads_tokens) is true or there is a processor.
    ///
    /// `allowed` is the mask of a constraint, if there is one; `processor` changes the logits first.
    ///
    /// # Errors
    /// A logit is NaN, or no token is allowed (`Input`).
    pub fn choose(
        &mut self,
        logits: &[f32],
        (at, tokens): (usize, &[u32]),
        allowed: Option<&TokenMask>,
        processor: Option<&dyn LogitsProcessor>,
    ) -> Result<(u32, Option<TokenLogprobs>)> {
        let token = match self.leaves_logits() && allowed.is_none() && processor.is_none() {
            true => self.draw(logits, at)?,
            false => {
                let mut changed = logits.to_vec();
                if let Some(processor) = processor {
                    processor.process(tokens, &mut changed);
                }
                self.change(&mut changed, tokens, allowed);
                self.draw(&changed, at)?
            }
        };
        let told = match (&self.params.logprob_tokens[..], self.params.logprobs) {
            ([], top) => top.map(|top| logprobs(logits, token, top)),
            (asked, _) => Some(logprobs_of(logits, token, asked)),
        };
        self.chosen += 1;
        if self.has_penalties() {
            *self.counts.entry(token).or_insert(0) += 1;
        }
        Ok((token, told))
    }

    /// Draws a draft token for position `at` by the logits of another model, with the temperature and random number that
    /// [`choose`](Self::choose) takes there; token 0 if the logits are not numbers.
    pub fn guess(&self, logits: &[f32], at: usize) -> u32 {
        self.draw(logits, at).unwrap_or(0)
    }

    fn change(&self, logits: &mut [f32], tokens: &[u32], allowed: Option<&TokenMask>) {
        let mut hide = |token: u32| {
            if let Some(logit) = logits.get_mut(token as usize) {
                *logit = f32::NEG_INFINITY;
            }
        };
        for word in &self.bad {
            let Some((last, begin)) = word.split_last() else { continue };
            let answer = &tokens[tokens.len() - self.chosen..];
            if answer.ends_with(begin) {
                hide(*last);
            }
        }
        if self.chosen < self.params.min_tokens {
            self.ends.iter().for_each(|&end| hide(end));
        }
        if let Some(set) = &self.allowed {
            for (token, logit) in (0..).zip(logits.iter_mut()) {
                if !set.contains(&token) {
                    *logit = f32::NEG_INFINITY;
                }
            }
        }
        if let Some(mask) = allowed {
            mask.apply(logits);
        }
        for &(token, bias) in &self.params.logit_bias {
            if let Some(logit) = logits.get_mut(token as usize) {
                *logit += bias;
            }
        }
        let Params { presence_penalty, frequency_penalty, repetition_penalty, .. } = *self.params;
        for (&token, &count) in &self.counts {
            let Some(logit) = logits.get_mut(token as usize).filter(|logit| logit.is_finite()) else {
                continue;
            };
            let x = f64::from(*logit);
            let x = if x > 0.0 { x / repetition_penalty } else { x * repetition_penalty };
            let presence = if count > 0 { presence_penalty } else { 0.0 };
            *logit = (x - frequency_penalty * f64::from(count) - presence) as f32;
        }
    }

    /// Draws the token for position `at` of the text.
    fn draw(&self, logits: &[f32], at: usize) -> Result<u32> {
        if self.params.temperature == 0.0 || self.params.top_k == 1 {
            return Ok(likeliest(logits)?.0);
        }
        Ok(picked(&candidates(logits, &self.params)?, uniform(self.seed, at as u64)))
    }
}

/// The tokens that can be drawn, in order of their ids, with their probabilities, which sum to one: the distribution after
/// temperature, `min_p`, `top_k` and `top_p`.
///
/// # Errors
/// A logit is NaN, or all are minus infinity (`Input`).
pub fn candidates(logits: &[f32], params: &Params) -> Result<Vec<(u32, f64)>> {
    let (token, largest) = likeliest(logits)?;
    let Params { temperature, top_p, top_k, min_p, .. } = *params;
    if temperature == 0.0 || top_k == 1 {
        return Ok(vec![(token, 1.0)]);
    }
    let largest = f64::from(largest);
    let weight = |token: u32| match f64::from(logits[token as usize]) {
        // A logit that equals the largest has weight 1; this also holds for infinite logits, where the difference would be NaN.
        logit if logit == largest => 1.0,
        logit => ((logit - largest) / temperature).exp(),
    };
    let all = 0..logits.len() as u32;
    let mut left: Vec<(u32, f64)> = match (top_k, top_p) {
        (0, 1.0) => all.map(|token| (token, weight(token))).collect(),
        _ => likeliest_of(logits, weight, (top_k, top_p, min_p)),
    };
    left.retain(|&(_, weight)| weight > 0.0 && weight >= min_p);
    let total: f64 = left.iter().map(|(_, weight)| weight).sum();
    left.iter_mut().for_each(|(_, weight)| *weight /= total);
    Ok(left)
}

/// The `top_k` likeliest tokens, of these the tokens that reach `min_p`, and of these the fewest that have the share `top_p` of the total, in
/// order of their ids.
fn likeliest_of(
    logits: &[f32],
    weight: impl Fn(u32) -> f64,
    (top_k, top_p, min_p): (usize, f64, f64),
) -> Vec<(u32, f64)> {
    let by_rank = |a: &u32, b: &u32| {
        let (x, y) = (logits[*a as usize], logits[*b as usize]);
        y.total_cmp(&x).then(a.cmp(b))
    };
    let mut ids: Vec<u32> = (0..logits.len() as u32).collect();
    if (1..ids.len()).contains(&top_k) {
        ids.select_nth_unstable_by(top_k - 1, by_rank);
        ids.truncate(top_k);
    }
    ids.retain(|&id| weight(id) >= min_p);
    if top_p < 1.0 {
        let wanted = top_p * ids.iter().map(|&id| weight(id)).sum::<f64>();
        let mut looked = FIRST.min(ids.len());
        loop {
            if looked < ids.len() {
                ids.select_nth_unstable_by(looked - 1, by_rank);
            }
            ids[..looked].sort_unstable_by(by_rank);
            let mut sum = 0.0;
            let reached = |id: &u32| {
                sum += weight(*id);
                sum >= wanted
            };
            if let Some(last) = ids[..looked].iter().position(reached) {
                ids.truncate(last + 1);
                break;
            }
            if looked == ids.len() {
                break;
            }
            looked = (4 * looked).min(ids.len());
        }
    }
    ids.sort_unstable();
    ids.into_iter().map(|id| (id, weight(id))).collect()
}

/// The token at which the cumulative probability passes `uniform`, a number in `[0, 1)`.
fn picked(candidates: &[(u32, f64)], uniform: f64) -> u32 {
    let mut sum = 0.0;
    let passed = |&&(_, share): &&(u32, f64)| {
        sum += share;
        uniform < sum
    };
    // The probabilities may sum to slightly less than one: then the last token is drawn.
    candidates.iter().find(passed).or(candidates.last()).map_or(0, |(token, _)| *token)
}

/// The error message for logits that are NaN.
const NOT_NUMBERS: &str = "the model's logits are not numbers";

/// Whether an answer failed because of the model's numbers, and not because of the request.
pub fn is_of_the_model(error: &Error) -> bool {
    error.message() == NOT_NUMBERS
}

/// The likeliest token and its logit.
fn likeliest(logits: &[f32]) -> Result<(u32, f32)> {
    let mut best = (0, f32::NEG_INFINITY);
    let mut broken = false;
    for (token, &logit) in (0..).zip(logits) {
        broken |= logit.is_nan();
        if logit > best.1 {
            best = (token, logit);
        }
    }
    if broken {
        return Err(Error::input(NOT_NUMBERS)
            .help("its weights are damaged or its training diverged; take an earlier checkpoint"));
    }
    if best.1 == f32::NEG_INFINITY {
        return Err(Error::input("no token may come next")
            .help("allowed tokens, bad words and the form of the answer contradict each other"));
    }
    Ok(best)
}

/// A random number in `[0, 1)` for a seed and a position: 53 bits of a hash of both.
///
/// Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014 (the finalizer).
fn uniform(seed: u64, at: u64) -> f64 {
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let bits = mix(mix(seed.wrapping_add(GOLDEN)).wrapping_add(at.wrapping_add(1).wrapping_mul(GOLDEN)));
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// The logarithm of the sum of the logits' exponentials.
fn normalizer(logits: &[f32]) -> f64 {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|&x| f64::from(x - largest).exp()).sum();
    f64::from(largest) + sum.ln()
}

fn rank(logits: &[f32], token: u32) -> usize {
    let own = logits[token as usize];
    let before = |(other, logit): &(u32, &f32)| **logit > own || (**logit == own && *other < token);
    1 + (0..).zip(logits).filter(before).count()
}

/// The logprobs of `token` and of the tokens in `asked`.
fn logprobs_of(logits: &[f32], token: u32, asked: &[u32]) -> TokenLogprobs {
    let normalizer = normalizer(logits);
    let of = |token: u32| {
        let logprob = (f64::from(logits[token as usize]) - normalizer) as f32;
        Logprob { token, logprob, rank: rank(logits, token) }
    };
    let top = asked.iter().map(|&token| of(token)).collect();
    TokenLogprobs { chosen: of(token), top, place: AnswerPlace::default() }
}

/// The logprobs of `token` and of the `top` likeliest tokens.
pub fn logprobs(logits: &[f32], token: u32, top: usize) -> TokenLogprobs {
    let normalizer = normalizer(logits);
    let of = |token: u32, rank: usize| {
        let logprob = (f64::from(logits[token as usize]) - normalizer) as f32;
        Logprob { token, logprob, rank }
    };
    let rank = rank(logits, token);
    let by_rank = |a: &u32, b: &u32| logits[*b as usize].total_cmp(&logits[*a as usize]).then(a.cmp(b));
    let top = top.min(logits.len());
    let mut ids: Vec<u32> = Vec::new();
    if top > 0 {
        ids = (0..logits.len() as u32).collect();
        if top < ids.len() {
            ids.select_nth_unstable_by(top - 1, by_rank);
            ids.truncate(top);
        }
        ids.sort_unstable_by(by_rank);
    }
    let top = (1..).zip(ids).map(|(rank, id)| of(id, rank)).collect();
    TokenLogprobs { chosen: of(token, rank), top, place: AnswerPlace::default() }
}

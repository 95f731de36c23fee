use jarrah_base::{Error, Result};

/// How the next token is chosen from the model's distribution.
///
/// The order is: scale by the temperature, keep the `top_k` likeliest, of those the fewest that have the probability
/// `top_p` together, draw among what is left. Equal logits rank by token id.
///
/// Source: Holtzman et al., The Curious Case of Neural Text Degeneration, 2020 (top-p).
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// Logits are divided by it; 0 takes the likeliest token.
    pub temperature: f64,
    /// How many of the likeliest tokens are candidates; 0 takes all.
    pub top_k: usize,
    /// The probability that the candidates have together at least; 1 takes all.
    pub top_p: f64,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling { temperature: 0.8, top_k: 50, top_p: 0.95 }
    }
}

impl Sampling {
    /// Always the likeliest token.
    pub fn greedy() -> Self {
        Sampling { temperature: 0.0, top_k: 0, top_p: 1.0 }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// The temperature is negative or `top_p` outside `[0, 1]` (`Input`).
    pub fn check(&self) -> Result<()> {
        if !(self.temperature >= 0.0 && self.temperature.is_finite()) {
            return Err(Error::input(format!(
                "the temperature is {}, but must be 0 or more",
                self.temperature
            )));
        }
        if !(0.0..=1.0).contains(&self.top_p) {
            return Err(Error::input(format!("top-p is {}, but must be between 0 and 1", self.top_p)));
        }
        Ok(())
    }

    /// The tokens that can be drawn, likeliest first, with their probabilities, which add up to one.
    ///
    /// # Errors
    /// A logit is NaN, or all are `-inf`: the model is broken (`Input`).
    pub fn candidates(&self, logits: &[f32]) -> Result<Vec<(u32, f64)>> {
        if logits.iter().any(|l| l.is_nan()) || logits.iter().all(|&l| l == f32::NEG_INFINITY) {
            return Err(Error::input("the model's logits are not numbers")
                .help("its weights are damaged or its training diverged; take an earlier checkpoint"));
        }
        let by_rank = |a: &u32, b: &u32| {
            let (x, y) = (logits[*a as usize], logits[*b as usize]);
            y.total_cmp(&x).then(a.cmp(b))
        };
        let mut ids: Vec<u32> = (0..logits.len() as u32).collect();
        let kept = match self.top_k {
            _ if self.temperature == 0.0 => 1,
            0 => ids.len(),
            k => k.min(ids.len()),
        };
        if kept < ids.len() {
            ids.select_nth_unstable_by(kept - 1, by_rank);
            ids.truncate(kept);
        }
        ids.sort_unstable_by(by_rank);
        if kept == 1 {
            return Ok(vec![(ids[0], 1.0)]);
        }
        let largest = f64::from(logits[ids[0] as usize]);
        // An infinite logit takes everything, and so do those equal to it.
        let weight = |&id: &u32| match f64::from(logits[id as usize]) {
            l if l == largest => 1.0,
            l => ((l - largest) / self.temperature).exp(),
        };
        let mut weights: Vec<f64> = ids.iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        let mut sum = 0.0;
        let reached = |w: &f64| {
            sum += w;
            sum >= self.top_p * total
        };
        let enough = weights.iter().position(reached).map_or(ids.len(), |last| last + 1);
        weights.truncate(enough);
        let total: f64 = weights.iter().sum();
        Ok(ids.into_iter().zip(weights).map(|(id, w)| (id, w / total)).collect())
    }

    /// The token at `uniform` of the way, in `[0, 1)`, through the candidates' probabilities.
    ///
    /// # Errors
    /// Those of [`candidates`](Self::candidates).
    pub fn pick(&self, logits: &[f32], uniform: f64) -> Result<u32> {
        let candidates = self.candidates(logits)?;
        let mut sum = 0.0;
        let passed = |&&(_, p): &&(u32, f64)| {
            sum += p;
            uniform < sum
        };
        // The sum of the probabilities may round to less than one.
        let last = candidates.last().ok_or_else(|| Error::internal("no token is left to draw"))?;
        Ok(candidates.iter().find(passed).unwrap_or(last).0)
    }
}

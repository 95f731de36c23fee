use std::collections::HashSet;

use jarrah_base::{Error, Result};

use super::bits::BitGenerator;
use super::normal;
use super::philox::Philox;

/// Draws of distributions, bit by bit those of `numpy.random.Generator` with the same bits and the same arguments.
///
/// ```
/// use jarrah_data::random::{Generator, Philox};
/// let mut rng = Generator::new(Philox::seeded(0));
/// assert_eq!(rng.integers(0, 10)?, 1);
/// assert_eq!(rng.random(), 0.2577672456246177);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator<B = Philox> {
    bits: B,
}

impl<B: BitGenerator> Generator<B> {
    /// A generator that draws from `bits`.
    pub fn new(bits: B) -> Self {
        Generator { bits }
    }

    /// The source of the bits.
    pub fn bits(&mut self) -> &mut B {
        &mut self.bits
    }

    /// An integer in `low..high`.
    ///
    /// # Errors
    /// The range is empty (`Program`).
    pub fn integers(&mut self, low: i64, high: i64) -> Result<i64> {
        if low >= high {
            return Err(Error::program(format!("integers: the range {low}..{high} is empty")));
        }
        let last = (high - 1).wrapping_sub(low) as u64;
        Ok(low.wrapping_add(self.bounded(last) as i64))
    }

    /// `count` integers in `low..high`.
    ///
    /// # Errors
    /// The range is empty (`Program`).
    pub fn integers_vec(&mut self, low: i64, high: i64, count: usize) -> Result<Vec<i64>> {
        (0..count).map(|_| self.integers(low, high)).collect()
    }

    /// A double in [0, 1), a multiple of 2^-53.
    pub fn random(&mut self) -> f64 {
        normal::unit(&mut self.bits)
    }

    /// A float in [0, 1), a multiple of 2^-24, as `random(dtype=float32)`.
    pub fn random_f32(&mut self) -> f32 {
        (self.bits.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// A double in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random()
    }

    /// A draw of the normal distribution with mean 0 and deviation 1.
    pub fn standard_normal(&mut self) -> f64 {
        normal::standard_normal(&mut self.bits)
    }

    /// A draw of the normal distribution with this mean and deviation.
    pub fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        mean + deviation * self.standard_normal()
    }

    /// A draw of the exponential distribution with rate 1.
    pub fn standard_exponential(&mut self) -> f64 {
        normal::standard_exponential(&mut self.bits)
    }

    /// A draw of the exponential distribution with this mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        mean * self.standard_exponential()
    }

    /// Puts `values` into a random order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for i in (1..values.len()).rev() {
            let j = self.interval(i as u64) as usize;
            values.swap(i, j);
        }
    }

    /// The numbers `0..count` in a random order.
    pub fn permutation(&mut self, count: usize) -> Vec<u64> {
        let mut order: Vec<u64> = (0..count as u64).collect();
        self.shuffle(&mut order);
        order
    }

    /// A number of `0..population`.
    ///
    /// # Errors
    /// `population` is zero (`Program`).
    pub fn choice(&mut self, population: u64) -> Result<u64> {
        match population {
            0 => Err(Error::program("choice: there is nothing to choose from")),
            _ => Ok(self.bounded(population - 1)),
        }
    }

    /// A number of `0..weights.len()`, each as probable as its weight.
    ///
    /// # Errors
    /// The weights are no probabilities: one is negative or no number, or their sum is not 1 to 1e-8 (`Program`).
    pub fn choice_weighted(&mut self, weights: &[f64]) -> Result<u64> {
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = weights
            .iter()
            .map(|w| {
                sum += w;
                sum
            })
            .collect();
        if weights.iter().any(|w| w.is_nan() || *w < 0.0) || (sum - 1.0).abs() > 1e-8 || weights.is_empty() {
            return Err(Error::program(format!(
                "choice: {weights:?} are no probabilities, which are at least 0 and sum to 1"
            )));
        }
        for value in &mut cumulative {
            *value /= sum;
        }
        let draw = self.random();
        Ok(cumulative.partition_point(|&c| c <= draw) as u64)
    }

    /// `count` different numbers of `0..population`, in a random order, as `choice(.., replace=False)`.
    ///
    /// # Errors
    /// `count` is greater than `population` (`Program`).
    pub fn choice_without_replacement(&mut self, population: u64, count: usize) -> Result<Vec<u64>> {
        if count as u64 > population {
            return Err(Error::program(format!("choice: {count} different numbers of only {population}")));
        }
        if population > 10_000 && count as u64 > population / 50 {
            let mut all: Vec<u64> = (0..population).collect();
            let behind = all.len() - count;
            self.shuffle_from(&mut all, behind.max(1));
            return Ok(all.split_off(behind));
        }
        // Floyd's algorithm: each step adds the number drawn, or the largest one yet if it is there already.
        let mut chosen = Vec::with_capacity(count);
        let mut seen = HashSet::with_capacity(count);
        for last in population - count as u64..population {
            let drawn = self.bounded(last);
            let number = if seen.insert(drawn) { drawn } else { last };
            seen.insert(number);
            chosen.push(number);
        }
        self.shuffle_from(&mut chosen, 1);
        Ok(chosen)
    }

    /// A number of `0..=last` without bias: as many bits as it has, drawn until they are no greater. NumPy's shuffles draw so.
    fn interval(&mut self, last: u64) -> u64 {
        let mask = u64::MAX.checked_shr(last.leading_zeros()).unwrap_or(0);
        loop {
            let drawn = match u32::try_from(last) {
                Ok(_) => u64::from(self.bits.next_u32()),
                Err(_) => self.bits.next_u64(),
            };
            if drawn & mask <= last {
                return drawn & mask;
            }
        }
    }

    /// Shuffles the places from `first` on with all those before them, as NumPy's choices do.
    fn shuffle_from<T>(&mut self, values: &mut [T], first: usize) {
        for i in (first..values.len()).rev() {
            let j = self.bounded(i as u64) as usize;
            values.swap(i, j);
        }
    }

    /// A number of `0..=last` without bias, by Lemire's multiplication.
    fn bounded(&mut self, last: u64) -> u64 {
        match last {
            0 => 0,
            u64::MAX => self.bits.next_u64(),
            0xffff_ffff => u64::from(self.bits.next_u32()),
            _ if last < 0xffff_ffff => {
                let count = last as u32 + 1;
                let mut product = u64::from(self.bits.next_u32()) * u64::from(count);
                if (product as u32) < count {
                    let threshold = (u32::MAX - last as u32) % count;
                    while (product as u32) < threshold {
                        product = u64::from(self.bits.next_u32()) * u64::from(count);
                    }
                }
                product >> 32
            }
            _ => {
                let count = last + 1;
                let mut product = u128::from(self.bits.next_u64()) * u128::from(count);
                if (product as u64) < count {
                    let threshold = (u64::MAX - last) % count;
                    while (product as u64) < threshold {
                        product = u128::from(self.bits.next_u64()) * u128::from(count);
                    }
                }
                (product >> 64) as u64
            }
        }
    }
}

use jarrah_base::{Error, Result};

use super::select::{Rule, selected};
use crate::dataset::{ENDLESS, MapDataset};
use crate::stage::StageName;

/// The shares of the datasets of a mixture, as integers.
///
/// Element k of the mixture is of the dataset whose count among the first k + 1 elements is greater than among the first k; with p_i the shares and
/// r_i the sum of p_i and those behind it, dataset i and those before it have k - floor(k (r_i - p_i) / r_i) of the first k elements, and so on
/// with those that are left.
#[derive(Clone, Debug)]
pub(crate) struct Proportions(Vec<u64>);

impl Proportions {
    /// Equal shares of `count` datasets, or those of `weights`, scaled so that the smallest is 100, and rounded down.
    pub(crate) fn new(count: usize, weights: Option<&[f64]>) -> Result<Self> {
        if count == 0 {
            return Err(Error::program("mix: there must be at least one dataset"));
        }
        let Some(weights) = weights else { return Ok(Proportions(vec![1; count])) };
        if weights.len() != count {
            return Err(Error::program(format!("mix: {} weights for {count} datasets", weights.len())));
        }
        if weights.iter().any(|w| !w.is_finite() || *w <= 0.0) {
            return Err(Error::program(format!(
                "mix: each weight must be greater than zero, but they are {weights:?}"
            )));
        }
        let scale = 100.0 / weights.iter().copied().fold(f64::INFINITY, f64::min);
        let shares: Vec<f64> = weights.iter().map(|w| w * scale).collect();
        match shares.iter().sum::<f64>() < 9.0e18 {
            true => Ok(Proportions(shares.iter().map(|&s| s as u64).collect())),
            false => Err(Error::program(format!("mix: the weights {weights:?} are too far apart"))),
        }
    }

    /// The greatest length of the mixture in which no dataset of these lengths begins again.
    fn len(&self, lengths: &[u64]) -> u64 {
        let sum: u64 = self.0.iter().sum();
        let longest = |(&len, &share): (&u64, &u64)| len as f64 / (share as f64 / sum as f64);
        (lengths.iter().zip(&self.0).map(longest).fold(f64::INFINITY, f64::min) as u64).min(ENDLESS)
    }

    /// The dataset of element `k` of the mixture, and the element's index in it.
    pub(crate) fn locate(&self, k: u64) -> (usize, u64) {
        let mut left: u64 = self.0.iter().sum();
        let (mut before, mut behind) = (k, k + 1);
        for (dataset, &share) in self.0.iter().enumerate() {
            let others =
                |count: u64| (u128::from(count) * u128::from(left - share) / u128::from(left)) as u64;
            let (next_before, next_behind) = (others(before), others(behind));
            let count = behind - next_behind;
            if before - next_before != count {
                return (dataset, count - 1);
            }
            left -= share;
            (before, behind) = (next_before, next_behind);
        }
        unreachable!("invariant: the last dataset takes each element that is left")
    }
}

impl<T: 'static> MapDataset<T> {
    /// A mixture of the datasets, in equal shares or by `weights`, spread evenly. It is as long as no dataset begins again.
    ///
    /// An empty dataset, and weights that are not greater than zero, are errors of the result. To mix shuffled datasets, shuffle them before:
    /// a shuffle of the mixture does not keep the shares of its parts.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let mixed = MapDataset::mix(&[MapDataset::range(0, 9, 1), MapDataset::range(100, 103, 1)], Some(&[0.75, 0.25]));
    /// let elements: Vec<_> = (0..8).map(|i| mixed.get(i)).collect::<Result<Option<_>, _>>()?.unwrap_or_default();
    /// assert_eq!(elements, [0, 1, 2, 100, 3, 4, 5, 101]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn mix(datasets: &[MapDataset<T>], weights: Option<&[f64]>) -> Self {
        selected(StageName::new("mix"), datasets, |lengths| {
            let proportions = Proportions::new(lengths.len(), weights)?;
            if let Some(empty) = lengths.iter().position(|&len| len == 0) {
                return Err(Error::program(format!("mix: dataset {empty} is empty")));
            }
            let len = proportions.len(lengths);
            Ok((len, Box::new(move |k| proportions.locate(k)) as Box<Rule>))
        })
    }
}

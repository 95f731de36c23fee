use std::fmt::Write;

use jarrah_base::{Error, Result};

use crate::dataset::MapDataset;
use crate::iter_dataset::IterDataset;
use crate::loading::ShardOptions;

/// Lines of a chunk of text.
const CHUNK: usize = 4096;

/// An order of records, as Grain delivers them.
///
/// ```
/// use jarrah_data::RecordOrder;
/// let order = RecordOrder { seed: Some(42), take: Some(3), ..RecordOrder::of(1000) };
/// assert_eq!(order.dataset()?.iter()?.count(), 3);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RecordOrder {
    /// The number of records of each dataset. Records are counted on from one dataset to the next.
    pub lengths: Vec<u64>,
    /// The weights of the datasets in a mixture; equal ones if there are none.
    pub weights: Option<Vec<f64>>,
    /// Shuffles each dataset i with the seed `seed` + i.
    pub seed: Option<u64>,
    /// Shuffles within windows of this size, rather than all of a dataset.
    pub window: Option<u64>,
    /// The number of epochs.
    pub epochs: u64,
    /// Takes every so many-th record of the order.
    pub shard: ShardOptions,
    /// The greatest number of records.
    pub take: Option<u64>,
}

impl RecordOrder {
    /// The records of one dataset in their order.
    pub fn of(len: u64) -> Self {
        RecordOrder {
            lengths: vec![len],
            weights: None,
            seed: None,
            window: None,
            epochs: 1,
            shard: ShardOptions::whole(),
            take: None,
        }
    }

    /// The indices of the records.
    ///
    /// # Errors
    /// There is no dataset, one is empty or too long, the weights are not those of the datasets, the seed is not below 2^32, or there is a window without a
    /// seed (`Input`).
    pub fn dataset(&self) -> Result<IterDataset<i64>> {
        if self.window.is_some() && self.seed.is_none() {
            return Err(Error::input("a shuffle in windows needs a seed"));
        }
        let mut datasets = Vec::new();
        let mut start = 0_i64;
        for (i, &len) in self.lengths.iter().enumerate() {
            let end = i64::try_from(len).ok().filter(|&len| len > 0).and_then(|len| start.checked_add(len));
            let Some(end) = end else {
                return Err(Error::input(format!(
                    "a dataset has {len} records, but it must have 1 to 2^63 - 1"
                )));
            };
            let records = MapDataset::range(start, end, 1);
            let seed = self.seed.map(|seed| seed.wrapping_add(i as u64));
            datasets.push(match (seed, self.window) {
                (Some(seed), Some(window)) => records.window_shuffle(window, seed),
                (Some(seed), None) => records.shuffle(seed),
                (None, _) => records,
            });
            start = end;
        }
        let records = match &datasets[..] {
            [] => return Err(Error::input("there is no dataset")),
            [one] if self.weights.is_none() => one.clone(),
            _ => MapDataset::mix(&datasets, self.weights.as_deref()),
        };
        let (first, step) = (self.shard.index() as i64, self.shard.count() as i64);
        let order = records.repeat(Some(self.epochs)).slice(Some(first), None, step).to_iter();
        let order = self.take.map_or(order.clone(), |take| order.limit(take));
        order.stage.as_ref().map_err(|e| Error::input(e.message()))?;
        Ok(order)
    }

    /// The indices as text, one a line, many lines an element.
    ///
    /// # Errors
    /// As [`dataset`](Self::dataset).
    pub fn lines(&self) -> Result<IterDataset<String>> {
        Ok(self.dataset()?.batch_with(CHUNK, false, |indices| {
            let mut text = String::with_capacity(indices.len() * 8);
            for index in indices {
                writeln!(text, "{index}")
                    .map_err(|e| Error::internal(format!("cannot write a number: {e}")))?;
            }
            Ok(text)
        }))
    }
}

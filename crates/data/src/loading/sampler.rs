use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::shard::ShardOptions;
use crate::dataset::{ENDLESS, MapDataset};
use crate::map::{MapStage, Slice};
use crate::random::{Generator, Philox};
use crate::stage::{Lineage, StageName};

/// A record on its way through a [`DataLoader`](super::DataLoader).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledRecord<T> {
    /// The position in the order of all hosts together.
    pub index: u64,
    /// The record's index in the source.
    pub key: u64,
    /// The record, or what operations made of it.
    pub data: T,
    /// Random numbers of this record, if the sampler has a seed.
    pub rng: Option<Generator>,
}

/// The order of records: the shards of hosts, shuffled or not, for a number of epochs.
///
/// ```
/// use jarrah_data::{IndexSampler, ShardOptions};
/// let sampler = IndexSampler::new(10, ShardOptions::new(1, 2)?).seed(3).shuffle().epochs(1);
/// let mut keys: Vec<u64> = sampler.keys()?;
/// keys.sort();
/// assert_eq!(keys, [5, 6, 7, 8, 9]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// As in Grain, each host delivers the records of all epochs divided by the number of hosts, rounded down: unless the division leaves no rest, some records are
/// not delivered in the last epoch. [`Lanes`](crate::Lanes) leave none out.
///
/// Source: `grain.samplers.IndexSampler` and `SequentialSampler`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexSampler {
    records: u64,
    shard: ShardOptions,
    /// Whether a shard has every so many-th record, rather than consecutive ones.
    strided: bool,
    shuffle: bool,
    epochs: Option<u64>,
    seed: Option<u64>,
}

impl IndexSampler {
    /// All records of the shard, which are consecutive ones, in their order, without end.
    pub fn new(records: u64, shard: ShardOptions) -> Self {
        IndexSampler { records, shard, strided: false, shuffle: false, epochs: None, seed: None }
    }

    /// One epoch of every so many-th record, as Grain's `SequentialSampler`.
    ///
    /// ```
    /// use jarrah_data::{IndexSampler, ShardOptions};
    /// assert_eq!(IndexSampler::sequential(10, ShardOptions::new(1, 3)?).keys()?, [1, 4, 7]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn sequential(records: u64, shard: ShardOptions) -> Self {
        IndexSampler { strided: true, epochs: Some(1), ..IndexSampler::new(records, shard) }
    }

    /// Gives each record random numbers, and the shuffle its order. The seed is below 2^32.
    pub fn seed(self, seed: u64) -> Self {
        IndexSampler { seed: Some(seed), ..self }
    }

    /// Shuffles the records of the shard, in each epoch anew.
    pub fn shuffle(self) -> Self {
        IndexSampler { shuffle: true, ..self }
    }

    /// Ends after `epochs` epochs.
    pub fn epochs(self, epochs: u64) -> Self {
        IndexSampler { epochs: Some(epochs), ..self }
    }

    /// The records of `source` in the order of this host.
    ///
    /// # Errors
    /// There is no record or no epoch, the source has fewer records, a shuffle has no seed, or the seed is not below 2^32 (`Input`).
    pub fn records<T: Send + 'static>(&self, source: &MapDataset<T>) -> Result<MapDataset<SampledRecord<T>>> {
        if source.len() < self.records {
            let len = source.len();
            return Err(Error::input(format!(
                "the sampler has {} records, but the source {len}",
                self.records
            )));
        }
        let source = source.clone();
        let name = StageName::new("sampler");
        let stage = Sampled {
            order: self.order()?,
            name,
            source: source.stage.clone()?,
            shard: self.shard,
            seed: self.seed,
            len: self.len(),
        };
        // The sampler does not count in the distances from which seeds are derived.
        let inputs = vec![source.lineage.clone()];
        Ok(MapDataset::made(Lineage::fed_by(name, &source.lineage, inputs), Ok(stage), source.sparse))
    }

    /// The keys of the records of this host, in their order.
    ///
    /// # Errors
    /// As those of [`records`](Self::records), and the epochs have no end (`Input`).
    pub fn keys(&self) -> Result<Vec<u64>> {
        if self.epochs.is_none() {
            return Err(Error::input("the keys of epochs without end cannot be listed"));
        }
        let order = self.order()?;
        (0..self.len()).filter_map(|i| order.get(i).transpose()).map(|key| Ok(key? as u64)).collect()
    }

    /// The number of records of this host.
    fn len(&self) -> u64 {
        let Some(epochs) = self.epochs else { return ENDLESS / self.shard.count() };
        let shard = self.shard.split(self.records);
        let each = match self.shard.drops_remainder() {
            true => (shard.end - shard.start) * self.shard.count(),
            false => self.records,
        };
        each.saturating_mul(epochs).min(ENDLESS) / self.shard.count()
    }

    fn order(&self) -> Result<MapDataset<i64>> {
        let fault = |text: String| Err(Error::input(format!("sampler: {text}")));
        if self.records == 0 || self.epochs == Some(0) {
            return fault("there must be at least one record and one epoch".to_owned());
        }
        if self.shuffle && self.seed.is_none() {
            return fault("a shuffle needs a seed".to_owned());
        }
        if let Some(seed) = self.seed.filter(|&seed| seed > u64::from(u32::MAX)) {
            return fault(format!("the seed {seed} is not below 2^32"));
        }
        let bound = |x: u64| i64::try_from(x).ok();
        let part = self.shard.split(self.records);
        let (start, end, step) = match self.strided {
            true => (self.shard.index(), self.records, self.shard.count()),
            false => (part.start, part.end, 1),
        };
        let keys = MapDataset::range(0, bound(self.records).unwrap_or(i64::MAX), 1);
        let step = bound(step).unwrap_or(i64::MAX);
        let keys = keys.then(StageName::new("slice"), |parent, _| {
            Ok(Slice::new(parent, bound(start), bound(end), step))
        });
        if keys.is_empty() {
            return fault(format!("shard {} of {} records has none", self.shard.index(), self.records));
        }
        Ok(match self.shuffle {
            true => keys.shuffle(self.seed.unwrap_or(0)),
            false => keys,
        })
    }
}

struct Sampled<T> {
    order: MapDataset<i64>,
    source: Arc<dyn MapStage<T>>,
    shard: ShardOptions,
    seed: Option<u64>,
    len: u64,
    name: StageName,
}

impl<T> MapStage<SampledRecord<T>> for Sampled<T> {
    fn len(&self) -> u64 {
        self.len
    }

    fn get(&self, place: u64) -> Result<Option<SampledRecord<T>>> {
        let Some(key) = self.order.get(place)? else { return Ok(None) };
        let index = place * self.shard.count() + self.shard.index();
        let key = key as u64;
        let Some(data) = self.name.call(place, || self.source.get(key))? else { return Ok(None) };
        let rng = self.seed.map(|seed| {
            let (low, carry) = seed.overflowing_add(index);
            Generator::new(Philox::keyed([low, u64::from(carry)]))
        });
        Ok(Some(SampledRecord { index, key, data, rng }))
    }
}

use std::sync::Arc;

use jarrah_base::Result;

use super::sampler::{IndexSampler, SampledRecord};
use crate::dataset::MapDataset;
use crate::iter::ReadOptions;
use crate::iter_dataset::IterDataset;

type Operations<S, T> = Arc<dyn Fn(IterDataset<SampledRecord<S>>) -> IterDataset<T> + Send + Sync>;

/// Records in the order of a sampler, with operations behind them, in `workers` lanes.
///
/// ```
/// use jarrah_data::{DataLoader, IndexSampler, MapDataset, ShardOptions};
/// let source = MapDataset::range(100, 110, 1);
/// let sampler = IndexSampler::new(10, ShardOptions::whole()).epochs(1);
/// let loader = DataLoader::new(&source, &sampler, |records| records.map(|record| record.data).batch(4))?;
/// let batches: Vec<_> = loader.dataset().iter()?.map(|b| Ok(b?.to_i128_vec())).collect::<Result<_, jarrah_base::Error>>()?;
/// assert_eq!(batches[2], [108, 109]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `grain.DataLoader`.
pub struct DataLoader<S, T> {
    records: MapDataset<SampledRecord<S>>,
    operations: Operations<S, T>,
    workers: u64,
    options: ReadOptions,
}

impl<S: Send + 'static, T: Send + 'static> DataLoader<S, T> {
    /// The records of `source` in the order of `sampler`, with `operations` behind them.
    ///
    /// # Errors
    /// As [`IndexSampler::records`].
    pub fn new(
        source: &MapDataset<S>,
        sampler: &IndexSampler,
        operations: impl Fn(IterDataset<SampledRecord<S>>) -> IterDataset<T> + Send + Sync + 'static,
    ) -> Result<Self> {
        let records = sampler.records(source)?;
        Ok(DataLoader {
            records,
            operations: Arc::new(operations),
            workers: 0,
            options: ReadOptions::default(),
        })
    }

    /// The order of Grain with this many worker processes: each has every so many-th record and operations of its own, and batches come from
    /// them in turn. Zero is one, in Grain's main process.
    pub fn workers(self, workers: u64) -> Self {
        DataLoader { workers, ..self }
    }

    /// The threads that make elements ahead; they change no element and no order.
    pub fn read_options(self, options: ReadOptions) -> Self {
        DataLoader { options, ..self }
    }

    /// The pipeline.
    pub fn dataset(&self) -> IterDataset<T> {
        match self.workers {
            0 => (self.operations)(self.records.to_iter_with(self.options)),
            _ => {
                let lanes = self.records.lanes(self.workers, |lane| (self.operations)(lane.to_iter()));
                lanes.to_iter(self.options)
            }
        }
    }
}

use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::MapStage;
use crate::dataset::{ENDLESS, MapDataset};
use crate::stage::{Lineage, StageName};

/// A rule that names, for each index, a dataset and an index in it.
pub(super) type Rule = dyn Fn(u64) -> (usize, u64) + Send + Sync;

struct Select<T> {
    parents: Vec<Arc<dyn MapStage<T>>>,
    len: u64,
    rule: Box<Rule>,
    name: StageName,
}

impl<T> MapStage<T> for Select<T> {
    fn len(&self) -> u64 {
        self.len
    }

    fn get(&self, index: u64) -> Result<Option<T>> {
        let (dataset, inner) = self.name.call(index, || Ok((self.rule)(index)))?;
        let Some(parent) = self.parents.get(dataset) else {
            let count = self.parents.len();
            return Err(self
                .name
                .fault(format!("element {index} is of dataset {dataset}, but there are {count}")));
        };
        if parent.len() == 0 {
            return Err(self.name.fault(format!("element {index} is of dataset {dataset}, which is empty")));
        }
        parent.get(inner).map_err(|e| e.context(format!("in dataset {dataset} of the stage {}", self.name)))
    }
}

/// A dataset that takes each element from one of `datasets`; `make` gives the length and the rule.
pub(super) fn selected<T: 'static>(
    name: StageName,
    datasets: &[MapDataset<T>],
    make: impl FnOnce(&[u64]) -> Result<(u64, Box<Rule>)>,
) -> MapDataset<T> {
    let stage = datasets.iter().map(|d| d.stage.clone()).collect::<Result<Vec<_>>>().and_then(|parents| {
        let lengths: Vec<u64> = parents.iter().map(|p| p.len()).collect();
        let (len, rule) =
            make(&lengths).map_err(|e: Error| e.context(format!("while the stage {name} was added")))?;
        Ok(Select { parents, len, rule, name })
    });
    let lineage = Lineage::of(name, datasets.iter().map(|d| d.lineage.clone()).collect());
    MapDataset::made(lineage, stage, datasets.iter().any(|d| d.sparse))
}

impl<T: 'static> MapDataset<T> {
    /// `len` elements, each from the dataset and at the index that `rule` names. `rule` also sees indices of later epochs.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let datasets = [MapDataset::range(0, 4, 1), MapDataset::range(100, 104, 1)];
    /// let selected = MapDataset::select(&datasets, 8, |i| ((i % 2) as usize, i / 2));
    /// assert_eq!((selected.get(2)?, selected.get(3)?), (Some(1), Some(101)));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn select(
        datasets: &[MapDataset<T>],
        len: u64,
        rule: impl Fn(u64) -> (usize, u64) + Send + Sync + 'static,
    ) -> Self {
        selected(StageName::new("select"), datasets, |_| Ok((len, Box::new(rule) as Box<Rule>)))
    }

    /// The elements of one dataset after the other; an epoch of the result is an epoch of each.
    ///
    /// A dataset without end, and no element at all, are errors of the result.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let both = MapDataset::concatenate(&[MapDataset::range(0, 2, 1), MapDataset::range(7, 9, 1)]);
    /// assert_eq!((both.len(), both.get(2)?), (4, Some(7)));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn concatenate(datasets: &[MapDataset<T>]) -> Self {
        selected(StageName::new("concatenate"), datasets, |lengths| {
            if let Some(endless) = lengths.iter().position(|&len| len >= ENDLESS) {
                return Err(Error::program(format!("concatenate: dataset {endless} has no end")));
            }
            let mut ends = Vec::with_capacity(lengths.len());
            let mut total = 0_u64;
            for len in lengths {
                total = total.saturating_add(*len).min(ENDLESS);
                ends.push(total);
            }
            let lengths = lengths.to_vec();
            let rule = move |index: u64| {
                let (epoch, index) = (index / total, index % total);
                let dataset = ends.partition_point(|&end| end <= index);
                let start = ends[dataset] - lengths[dataset];
                (dataset, index - start + epoch * lengths[dataset])
            };
            Ok((total, Box::new(rule) as Box<Rule>))
        })
    }
}

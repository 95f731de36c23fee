use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::MapDataset;
use crate::stage::{Lineage, StageName};

struct Zip<T> {
    parents: Vec<Arc<dyn MapStage<T>>>,
    len: u64,
}

impl<T> MapStage<Vec<T>> for Zip<T> {
    fn len(&self) -> u64 {
        self.len
    }

    fn get(&self, index: u64) -> Result<Option<Vec<T>>> {
        self.parents.iter().map(|parent| parent.get(index)).collect()
    }
}

struct ZipWith<T, U> {
    first: Arc<dyn MapStage<T>>,
    second: Arc<dyn MapStage<U>>,
}

impl<T, U> MapStage<(T, U)> for ZipWith<T, U> {
    fn len(&self) -> u64 {
        self.first.len()
    }

    fn get(&self, index: u64) -> Result<Option<(T, U)>> {
        Ok(self.first.get(index)?.zip(self.second.get(index)?))
    }
}

impl<T: 'static> MapDataset<T> {
    /// The elements of all datasets at each index. Where one of them has a hole, so has the result.
    ///
    /// No dataset, and datasets of different lengths, are errors of the result.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let pairs = MapDataset::zip(&[MapDataset::range(0, 3, 1), MapDataset::range(5, 8, 1)]);
    /// assert_eq!(pairs.get(1)?, Some(vec![1, 6]));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn zip(datasets: &[MapDataset<T>]) -> MapDataset<Vec<T>> {
        let name = StageName::new("zip");
        let lengths: Vec<u64> = datasets.iter().map(MapDataset::len).collect();
        let stage =
            datasets.iter().map(|d| d.stage.clone()).collect::<Result<Vec<_>>>().and_then(|parents| {
                let Some(&len) = lengths.first() else {
                    return Err(name.fault("there must be at least one dataset"));
                };
                if lengths.iter().any(|&l| l != len) {
                    return Err(name.fault(format!("the datasets have different lengths: {lengths:?}")));
                }
                Ok(Zip { parents, len })
            });
        let lineage = Lineage::of(name, datasets.iter().map(|d| d.lineage.clone()).collect());
        MapDataset::made(lineage, stage, datasets.iter().any(|d| d.sparse))
    }

    /// Pairs of the elements of two datasets at each index. Where one of them has a hole, so has the result.
    ///
    /// Different lengths are an error of the result.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let labelled = MapDataset::source(vec!["cat", "dog"]).zip_with(&MapDataset::range(0, 2, 1));
    /// assert_eq!(labelled.get(1)?, Some(("dog", 1)));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn zip_with<U: 'static>(&self, other: &MapDataset<U>) -> MapDataset<(T, U)> {
        let name = StageName::new("zip_with");
        let stage = self.stage.clone().and_then(|first| {
            let second = other.stage.clone()?;
            if first.len() != second.len() {
                return Err(name.fault(format!(
                    "the datasets have {} and {} elements",
                    first.len(),
                    second.len()
                )));
            }
            Ok(ZipWith { first, second })
        });
        let lineage = Lineage::of(name, vec![self.lineage.clone(), other.lineage.clone()]);
        MapDataset::made(lineage, stage, self.sparse || other.sparse)
    }
}

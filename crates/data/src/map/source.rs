use jarrah_base::Result;

use super::MapStage;
use crate::dataset::{MapDataset, RandomAccess};
use crate::stage::{Lineage, StageName};

struct Source<R> {
    records: R,
    name: StageName,
}

impl<R: RandomAccess> MapStage<R::Item> for Source<R> {
    fn len(&self) -> u64 {
        self.records.len()
    }

    fn get(&self, index: u64) -> Result<Option<R::Item>> {
        let index = index % self.records.len();
        self.name.call(index, || self.records.get_sound(index))
    }
}

struct Range {
    start: i64,
    len: u64,
    step: i64,
}

impl MapStage<i64> for Range {
    fn len(&self) -> u64 {
        self.len
    }

    fn get(&self, index: u64) -> Result<Option<i64>> {
        Ok(Some(self.start.wrapping_add(self.step.wrapping_mul((index % self.len) as i64))))
    }
}

/// The number of elements of `start, start + step, ..` before `stop`.
pub(super) fn range_len(start: i64, stop: i64, step: i64) -> u64 {
    let span = match step > 0 {
        true => i128::from(stop) - i128::from(start),
        false => i128::from(start) - i128::from(stop),
    };
    let step = u128::from(step.unsigned_abs());
    if span <= 0 { 0 } else { u64::try_from((span as u128).div_ceil(step)).unwrap_or(u64::MAX) }
}

impl<T: 'static> MapDataset<T> {
    /// The records of a source, in their order. Damaged records that the source leaves out are holes.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let words = MapDataset::source(vec!["so", "it", "goes"]);
    /// assert_eq!((words.len(), words.get(4)?), (3, Some("it")));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn source(records: impl RandomAccess<Item = T> + 'static) -> Self {
        let sparse = records.may_skip();
        let name = StageName::new("source");
        MapDataset::made(Lineage::of(name, Vec::new()), Ok(Source { records, name }), sparse)
    }
}

impl MapDataset<i64> {
    /// The integers `start, start + step, ..` before `stop`.
    ///
    /// A step of zero is an error of the dataset.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let odd = MapDataset::range(1, 8, 2);
    /// assert_eq!((odd.len(), odd.get(3)?), (4, Some(7)));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn range(start: i64, stop: i64, step: i64) -> Self {
        let name = StageName::new("range");
        let stage = match step {
            0 => Err(name.fault("a step must not be zero")),
            _ => Ok(Range { start, len: range_len(start, stop, step), step }),
        };
        MapDataset::made(Lineage::of(name, Vec::new()), stage, false)
    }
}

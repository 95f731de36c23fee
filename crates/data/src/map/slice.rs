use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use super::source::range_len;
use crate::dataset::MapDataset;
use crate::stage::StageName;

pub(crate) struct Slice<T> {
    parent: Arc<dyn MapStage<T>>,
    start: i64,
    step: i64,
    len: u64,
}

impl<T> Slice<T> {
    /// The elements that Python's `slice(start, stop, step)` selects; `step` is not zero.
    pub(crate) fn new(
        parent: Arc<dyn MapStage<T>>,
        start: Option<i64>,
        stop: Option<i64>,
        step: i64,
    ) -> Self {
        let len = i64::try_from(parent.len()).unwrap_or(i64::MAX);
        let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
        let place = |bound: i64| match bound < 0 {
            true => bound.saturating_add(len).clamp(low, high),
            false => bound.clamp(low, high),
        };
        let (first, last) = if step > 0 { (low, high) } else { (high, low) };
        let (start, stop) = (start.map_or(first, place), stop.map_or(last, place));
        Slice { start, step, len: range_len(start, stop, step), parent }
    }
}

impl<T> MapStage<T> for Slice<T> {
    fn len(&self) -> u64 {
        self.len
    }

    fn get(&self, index: u64) -> Result<Option<T>> {
        let (epoch, index) = (index / self.len, index % self.len);
        let place = self.start + self.step * index as i64;
        self.parent.get(place as u64 + epoch * self.parent.len())
    }
}

impl<T: 'static> MapDataset<T> {
    /// The elements that Python's `[start:stop:step]` selects: a negative bound counts from the end, `None` is no bound.
    ///
    /// A step of zero is an error of the dataset. `slice(Some(i), None, n)` is shard `i` of `n`.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let last = MapDataset::range(0, 10, 1).slice(Some(-3), None, 1);
    /// assert_eq!((last.len(), last.get(0)?), (3, Some(7)));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn slice(&self, start: Option<i64>, stop: Option<i64>, step: i64) -> Self {
        let name = StageName::new("slice");
        self.then(name, |parent, _| match step {
            0 => Err(name.fault("a step must not be zero")),
            _ => Ok(Slice::new(parent, start, stop, step)),
        })
    }
}

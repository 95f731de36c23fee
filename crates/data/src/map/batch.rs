use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::batching::Stack;
use crate::dataset::MapDataset;
use crate::stage::StageName;

struct Batch<T, F> {
    parent: Arc<dyn MapStage<T>>,
    size: u64,
    drop_remainder: bool,
    f: F,
    name: StageName,
}

impl<T, U, F: Fn(Vec<T>) -> Result<U> + Send + Sync> MapStage<U> for Batch<T, F> {
    fn len(&self) -> u64 {
        match self.drop_remainder {
            true => self.parent.len() / self.size,
            false => self.parent.len().div_ceil(self.size),
        }
    }

    fn get(&self, index: u64) -> Result<Option<U>> {
        let (epoch, batch) = (index / self.len(), index % self.len());
        let len = self.parent.len();
        let places = batch * self.size..len.min((batch + 1) * self.size);
        let mut elements = Vec::with_capacity((places.end - places.start) as usize);
        for place in places {
            match self.parent.get(epoch * len + place)? {
                Some(element) => elements.push(element),
                None => return Err(self.name.fault(format!("element {place} is missing"))),
            }
        }
        self.name.call(index, || (self.f)(elements)).map(Some)
    }
}

impl<T: 'static> MapDataset<T> {
    /// Batches of `size` elements, stacked as [`Stack`] says. The last batch of an epoch has fewer if `size` does not divide the length.
    ///
    /// Batches of no element, and a stage before that drops elements, are errors of the result.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let batches = MapDataset::range(0, 5, 1).batch(2);
    /// assert_eq!(batches.get(1)?.map(|b| b.to_i128_vec()), Some(vec![2, 3]));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn batch(&self, size: u64) -> MapDataset<T::Batch>
    where
        T: Stack,
        T::Batch: 'static,
    {
        self.batched(size, false, T::stack, StageName::new("batch"))
    }

    /// Batches of `size` elements as `f` makes them; without the last one if it has fewer and `drop_remainder` says so.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let sums = MapDataset::range(0, 5, 1).batch_with(2, true, |xs| Ok(xs.iter().sum::<i64>()));
    /// assert_eq!((sums.len(), sums.get(1)?), (2, Some(5)));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn batch_with<U: 'static>(
        &self,
        size: u64,
        drop_remainder: bool,
        f: impl Fn(Vec<T>) -> Result<U> + Send + Sync + 'static,
    ) -> MapDataset<U> {
        self.batched(size, drop_remainder, f, StageName::new("batch_with"))
    }

    fn batched<U: 'static>(
        &self,
        size: u64,
        drop_remainder: bool,
        f: impl Fn(Vec<T>) -> Result<U> + Send + Sync + 'static,
        name: StageName,
    ) -> MapDataset<U> {
        self.then(name, |parent, _| {
            self.refuse_holes(&name)?;
            match size {
                0 => Err(name.fault("a batch must have at least one element")),
                _ => Ok(Batch { parent, size, drop_remainder, f, name }),
            }
        })
    }
}

use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::MapDataset;
use crate::stage::StageName;

struct FilterMap<T, F> {
    parent: Arc<dyn MapStage<T>>,
    f: F,
    name: StageName,
}

impl<T, U, F: Fn(T) -> Result<Option<U>> + Send + Sync> MapStage<U> for FilterMap<T, F> {
    fn len(&self) -> u64 {
        self.parent.len()
    }

    fn get(&self, index: u64) -> Result<Option<U>> {
        let Some(element) = self.parent.get(index)? else { return Ok(None) };
        self.name.call(index, || (self.f)(element))
    }
}

impl<T: 'static> MapDataset<T> {
    /// `f` of each element; those of which it makes `None` leave holes. Its error names the stage and the element.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let halves = MapDataset::range(0, 5, 1).filter_map(|x| Ok((x % 2 == 0).then_some(x / 2)));
    /// assert_eq!((halves.len(), halves.get(1)?, halves.get(4)?), (5, None, Some(2)));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn filter_map<U: 'static>(
        &self,
        f: impl Fn(T) -> Result<Option<U>> + Send + Sync + 'static,
    ) -> MapDataset<U> {
        let name = StageName::new("filter_map");
        MapDataset { sparse: true, ..self.then(name, |parent, _| Ok(FilterMap { parent, f, name })) }
    }
}

use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::MapDataset;
use crate::stage::StageName;

struct Filter<T, F> {
    parent: Arc<dyn MapStage<T>>,
    f: F,
    name: StageName,
}

impl<T, F: Fn(&T) -> bool + Send + Sync> MapStage<T> for Filter<T, F> {
    fn len(&self) -> u64 {
        self.parent.len()
    }

    fn get(&self, index: u64) -> Result<Option<T>> {
        let Some(element) = self.parent.get(index)? else { return Ok(None) };
        Ok(self.name.call(index, || Ok((self.f)(&element)))?.then_some(element))
    }
}

impl<T: 'static> MapDataset<T> {
    /// The elements for which `f` is true. The others leave holes: the length stays.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let even = MapDataset::range(0, 5, 1).filter(|x| x % 2 == 0);
    /// assert_eq!((even.len(), even.get(1)?, even.get(2)?), (5, None, Some(2)));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn filter(&self, f: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        let name = StageName::new("filter");
        MapDataset { sparse: true, ..self.then(name, |parent, _| Ok(Filter { parent, f, name })) }
    }
}

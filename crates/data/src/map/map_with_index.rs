use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::MapDataset;
use crate::stage::StageName;

struct MapWithIndex<T, F> {
    parent: Arc<dyn MapStage<T>>,
    f: F,
    name: StageName,
}

impl<T, U, F: Fn(u64, T) -> U + Send + Sync> MapStage<U> for MapWithIndex<T, F> {
    fn len(&self) -> u64 {
        self.parent.len()
    }

    fn get(&self, index: u64) -> Result<Option<U>> {
        let Some(element) = self.parent.get(index)? else { return Ok(None) };
        self.name.call(index, || Ok((self.f)(index, element))).map(Some)
    }
}

impl<T: 'static> MapDataset<T> {
    /// `f` of the index of each element in this stage, later epochs counted on, and of the element.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let numbered = MapDataset::source(vec!["a", "b"]).map_with_index(|i, s| format!("{i}{s}"));
    /// assert_eq!(numbered.get(3)?.as_deref(), Some("3b"));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn map_with_index<U: 'static>(
        &self,
        f: impl Fn(u64, T) -> U + Send + Sync + 'static,
    ) -> MapDataset<U> {
        let name = StageName::new("map_with_index");
        self.then(name, |parent, _| Ok(MapWithIndex { parent, f, name }))
    }
}

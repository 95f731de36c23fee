use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::MapDataset;
use crate::stage::StageName;

struct Map<T, F> {
    parent: Arc<dyn MapStage<T>>,
    f: F,
    name: StageName,
}

impl<T, U, F: Fn(T) -> Result<U> + Send + Sync> MapStage<U> for Map<T, F> {
    fn len(&self) -> u64 {
        self.parent.len()
    }

    fn get(&self, index: u64) -> Result<Option<U>> {
        let Some(element) = self.parent.get(index)? else { return Ok(None) };
        self.name.call(index, || (self.f)(element)).map(Some)
    }
}

impl<T: 'static> MapDataset<T> {
    /// `f` of each element.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// assert_eq!(MapDataset::range(0, 5, 1).map(|x| x as f32 / 2.0).get(3)?, Some(1.5));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn map<U: 'static>(&self, f: impl Fn(T) -> U + Send + Sync + 'static) -> MapDataset<U> {
        let name = StageName::new("map");
        self.then(name, |parent, _| Ok(Map { parent, f: move |x| Ok(f(x)), name }))
    }

    /// `f` of each element, where `f` may fail; its error names the stage and the element.
    ///
    /// ```
    /// use jarrah_base::Error;
    /// use jarrah_data::MapDataset;
    /// let parsed = MapDataset::source(vec!["1", "x"]).try_map(|s| s.parse::<i64>().map_err(|e| Error::input(e.to_string())));
    /// assert_eq!(parsed.get(0)?, Some(1));
    /// let error = parsed.get(1).unwrap_err().to_string();
    /// assert!(error.contains("invalid digit") && error.contains("made element 1"), "{error}");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn try_map<U: 'static>(&self, f: impl Fn(T) -> Result<U> + Send + Sync + 'static) -> MapDataset<U> {
        let name = StageName::new("try_map");
        self.then(name, |parent, _| Ok(Map { parent, f, name }))
    }
}

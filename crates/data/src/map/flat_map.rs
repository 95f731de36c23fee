use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::{ENDLESS, MapDataset};
use crate::stage::StageName;

struct FlatMap<T, F> {
    parent: Arc<dyn MapStage<T>>,
    max_fan_out: u64,
    f: F,
    name: StageName,
}

impl<T, U, F: Fn(T) -> Vec<U> + Send + Sync> MapStage<U> for FlatMap<T, F> {
    fn len(&self) -> u64 {
        match self.parent.len() {
            len if len >= ENDLESS / self.max_fan_out => ENDLESS,
            len => len * self.max_fan_out,
        }
    }

    fn get(&self, index: u64) -> Result<Option<U>> {
        let (index, part) = (index / self.max_fan_out, (index % self.max_fan_out) as usize);
        let Some(element) = self.parent.get(index)? else { return Ok(None) };
        let mut parts = self.name.call(index, || Ok((self.f)(element)))?;
        if parts.len() as u64 > self.max_fan_out {
            return Err(self
                .name
                .fault(format!("element {index} became {} elements, but at most {} are declared", parts.len(), self.max_fan_out))
                .help("declare a greater `max_fan_out`, or call `flat_map` behind `to_iter`, which has no bound"));
        }
        Ok((part < parts.len()).then(|| parts.swap_remove(part)))
    }
}

impl<T: 'static> MapDataset<T> {
    /// The elements that `f` makes of each element, at most `max_fan_out`; fewer leave holes.
    ///
    /// `f` runs for each of them again: behind [`to_iter`](Self::to_iter) it runs once.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let letters = MapDataset::source(vec!["ab", "c"]).flat_map(2, |s| s.chars().collect());
    /// assert_eq!((letters.len(), letters.get(1)?, letters.get(2)?, letters.get(3)?), (4, Some('b'), Some('c'), None));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn flat_map<U: 'static>(
        &self,
        max_fan_out: u64,
        f: impl Fn(T) -> Vec<U> + Send + Sync + 'static,
    ) -> MapDataset<U> {
        let name = StageName::new("flat_map");
        let flat = self.then(name, |parent, _| match max_fan_out {
            0 => Err(name.fault("`max_fan_out` must be at least one")),
            _ => Ok(FlatMap { parent, max_fan_out, f, name }),
        });
        MapDataset { sparse: true, ..flat }
    }
}

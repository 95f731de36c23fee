use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::stage::StageName;
use crate::state::IterState;

type Function<T, U> = Arc<dyn Fn(u64, T) -> U + Send + Sync>;

struct MapWithIndex<T, U> {
    parent: Arc<dyn IterStage<T>>,
    f: Function<T, U>,
    name: StageName,
}

impl<T: 'static, U: 'static> IterStage<U> for MapWithIndex<T, U> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<U>>> {
        Ok(Box::new(Mapped { parent: self.parent.iter(lane)?, f: self.f.clone(), name: self.name, count: 0 }))
    }
}

struct Mapped<T, U> {
    parent: Box<dyn Advance<T>>,
    f: Function<T, U>,
    name: StageName,
    count: u64,
}

impl<T, U> Advance<U> for Mapped<T, U> {
    fn next(&mut self) -> Result<Option<U>> {
        let Some(element) = self.parent.next()? else { return Ok(None) };
        let index = self.count;
        self.count = self.count.wrapping_add(1);
        self.name.call(index, || Ok((self.f)(index, element))).map(Some)
    }

    fn state(&self) -> IterState {
        IterState::new(self.name.kind, &[self.count], vec![self.parent.state()])
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        [self.count] = state.read(self.name.kind, Some(1))?;
        self.parent.set_state(&state.parents()[0])
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// `f` of the number of elements before each element, and of the element.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let numbered = MapDataset::source(vec!["a", "b"]).to_iter().map_with_index(|i, s| format!("{i}{s}"));
    /// assert_eq!(numbered.iter()?.collect::<Result<Vec<_>, _>>()?, ["0a", "1b"]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn map_with_index<U: 'static>(
        &self,
        f: impl Fn(u64, T) -> U + Send + Sync + 'static,
    ) -> IterDataset<U> {
        let name = StageName::new("map_with_index");
        self.then(name, |parent, _| Ok(MapWithIndex { parent, f: Arc::new(f), name }))
    }
}

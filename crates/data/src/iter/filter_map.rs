use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::stage::StageName;
use crate::state::IterState;

type Function<T, U> = Arc<dyn Fn(T) -> Result<Option<U>> + Send + Sync>;

struct FilterMap<T, U> {
    parent: Arc<dyn IterStage<T>>,
    f: Function<T, U>,
    name: StageName,
}

impl<T: 'static, U: 'static> IterStage<U> for FilterMap<T, U> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<U>>> {
        Ok(Box::new(Mapped { parent: self.parent.iter(lane)?, f: self.f.clone(), name: self.name, count: 0 }))
    }
}

struct Mapped<T, U> {
    parent: Box<dyn Advance<T>>,
    f: Function<T, U>,
    name: StageName,
    /// Elements seen since the iterator was made, for errors.
    count: u64,
}

impl<T, U> Advance<U> for Mapped<T, U> {
    fn next(&mut self) -> Result<Option<U>> {
        while let Some(element) = self.parent.next()? {
            self.count += 1;
            let made = self.name.call(self.count - 1, || (self.f)(element))?;
            if made.is_some() {
                return Ok(made);
            }
        }
        Ok(None)
    }

    fn state(&self) -> IterState {
        self.parent.state()
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        self.parent.set_state(state)
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// `f` of each element, without those of which it makes `None`. Its error names the stage and the element, counted from where the iterator began.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let halves = MapDataset::range(0, 5, 1).to_iter().filter_map(|x| Ok((x % 2 == 0).then_some(x / 2)));
    /// assert_eq!(halves.iter()?.collect::<Result<Vec<_>, _>>()?, [0, 1, 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn filter_map<U: 'static>(
        &self,
        f: impl Fn(T) -> Result<Option<U>> + Send + Sync + 'static,
    ) -> IterDataset<U> {
        self.filter_mapped("filter_map", f)
    }

    /// As [`filter_map`](Self::filter_map), as a stage of this name.
    #[track_caller]
    pub(super) fn filter_mapped<U: 'static>(
        &self,
        name: &'static str,
        f: impl Fn(T) -> Result<Option<U>> + Send + Sync + 'static,
    ) -> IterDataset<U> {
        let name = StageName::new(name);
        self.then(name, |parent, _| Ok(FilterMap { parent, f: Arc::new(f), name }))
    }
}

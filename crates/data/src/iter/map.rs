use jarrah_base::Result;

use crate::iter_dataset::IterDataset;

impl<T: Send + 'static> IterDataset<T> {
    /// `f` of each element.
    #[track_caller]
    pub fn map<U: 'static>(&self, f: impl Fn(T) -> U + Send + Sync + 'static) -> IterDataset<U> {
        self.filter_mapped("map", move |x| Ok(Some(f(x))))
    }

    /// `f` of each element, where `f` may fail; its error names the stage and the element, counted from where the iterator began.
    #[track_caller]
    pub fn try_map<U: 'static>(&self, f: impl Fn(T) -> Result<U> + Send + Sync + 'static) -> IterDataset<U> {
        self.filter_mapped("try_map", move |x| f(x).map(Some))
    }
}

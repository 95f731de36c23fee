use crate::iter_dataset::IterDataset;

impl<T: Send + 'static> IterDataset<T> {
    /// The elements for which `f` is true.
    #[track_caller]
    pub fn filter(&self, f: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        self.filter_mapped("filter", move |x| Ok(Some(x).filter(&f)))
    }
}

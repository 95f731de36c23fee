use std::sync::Arc;

use jarrah_base::{Error, Result};

use crate::iter::{Advance, IterStage, Lane};
use crate::stage::Lineage;
use crate::state::IterState;

/// A pipeline whose elements come one after the other.
///
/// It is a description: [`iter`](Self::iter) makes an iterator, whose position is a small value. For the same stages and seeds the elements
/// and their order are those of Grain 0.2.18.
///
/// ```
/// use jarrah_data::MapDataset;
/// let dataset = MapDataset::range(0, 10, 1).to_iter().filter(|x| x % 3 == 0).batch(2);
/// let batches: Vec<_> = dataset.iter()?.map(|b| Ok(b?.to_i128_vec())).collect::<Result<_, jarrah_base::Error>>()?;
/// assert_eq!(batches, [vec![0, 3], vec![6, 9]]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `grain.IterDataset`.
pub struct IterDataset<T> {
    pub(crate) stage: Result<Arc<dyn IterStage<T>>>,
    pub(crate) lineage: Arc<Lineage>,
}

impl<T> Clone for IterDataset<T> {
    fn clone(&self) -> Self {
        IterDataset { stage: self.stage.clone(), lineage: self.lineage.clone() }
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// The dataset with a stage behind it, which `make` makes of the stage before and of the new lineage.
    pub(crate) fn then<U: 'static, S: IterStage<U> + 'static>(
        &self,
        make: impl FnOnce(Arc<dyn IterStage<T>>, &Lineage) -> Result<S>,
    ) -> IterDataset<U> {
        let lineage = Lineage::of(vec![self.lineage.clone()]);
        let stage = self.stage.clone().and_then(|parent| {
            let stage: Arc<dyn IterStage<U>> = Arc::new(make(parent, &lineage)?);
            Ok(stage)
        });
        IterDataset { stage, lineage }
    }

    /// An iterator at the beginning.
    ///
    /// # Errors
    /// A stage has wrong arguments, or its threads cannot be started.
    pub fn iter(&self) -> Result<DatasetIterator<T>> {
        let iterator = self.stage.as_ref().map_err(Error::clone)?.iter(Lane::default())?;
        Ok(DatasetIterator { iterator, failed_at: None })
    }

    /// Calls `f` with the dataset: a transformation of one's own in the middle of a chain.
    pub fn pipe<R>(self, f: impl FnOnce(Self) -> R) -> R {
        f(self)
    }

    /// Derives the seeds of the random stages behind this one from `seed` and from their distance.
    pub fn seed(&self, seed: u64) -> Self {
        IterDataset { lineage: Lineage::seeded(seed, self.lineage.clone()), ..self.clone() }
    }
}

/// The elements of a pipeline from a position on.
///
/// The first error is the last item; [`state`](Self::state) is then the position of the element that failed, from which the iteration can be
/// tried again.
pub struct DatasetIterator<T> {
    iterator: Box<dyn Advance<T>>,
    failed_at: Option<IterState>,
}

impl<T> DatasetIterator<T> {
    /// The position: an iterator that is set to it continues as this one does.
    pub fn state(&self) -> IterState {
        self.failed_at.clone().unwrap_or_else(|| self.iterator.state())
    }

    /// Goes to a position of an iterator over the same pipeline.
    ///
    /// # Errors
    /// The position is one of another pipeline or lies behind the end (`Input`), or a stage fails while it is reached again.
    pub fn set_state(&mut self, state: &IterState) -> Result<()> {
        self.failed_at = None;
        self.iterator.set_state(state)
    }
}

impl<T> Iterator for DatasetIterator<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.failed_at.is_some() {
            return None;
        }
        let before = self.iterator.state();
        let next = self.iterator.next();
        if next.is_err() {
            self.failed_at = Some(before);
        }
        next.transpose()
    }
}

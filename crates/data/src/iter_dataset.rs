use std::sync::Arc;

use jarrah_base::{Error, Result};

use crate::iter::{Advance, IterStage, Lane};
use crate::observe::{Graph, Meters, Observed, PipelineStage, StageObserver, probe};
use crate::stage::{Lineage, StageName};
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

impl<T: 'static> IterDataset<T> {
    /// A dataset whose last stage is `stage`, the stage of `lineage`.
    pub(crate) fn made<S: IterStage<T> + 'static>(lineage: Arc<Lineage>, stage: Result<S>) -> Self {
        let stage = stage.map(|stage| {
            let stage: Arc<dyn IterStage<T>> = Arc::new(Observed::new(stage, &lineage));
            stage
        });
        IterDataset { stage, lineage }
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// The dataset with a stage behind it, which `make` makes of the stage before and of the new lineage.
    pub(crate) fn then<U: 'static, S: IterStage<U> + 'static>(
        &self,
        name: StageName,
        make: impl FnOnce(Arc<dyn IterStage<T>>, &Lineage) -> Result<S>,
    ) -> IterDataset<U> {
        let lineage = Lineage::of(name, vec![self.lineage.clone()]);
        let stage = self.stage.clone().and_then(|parent| make(parent, &lineage));
        IterDataset::made(lineage, stage)
    }

    /// An iterator at the beginning.
    ///
    /// # Errors
    /// A stage has wrong arguments, or its threads cannot be started.
    pub fn iter(&self) -> Result<DatasetIterator<T>> {
        let iterator = self.stage.as_ref().map_err(Error::clone)?.iter(Lane::default())?;
        Ok(DatasetIterator { iterator, failed_at: None, meters: None })
    }

    /// An iterator at the beginning, and an observer of its stages: what each delivered, and the time and memory that it took.
    ///
    /// Elements, order and positions are those of [`iter`](Self::iter), whose iterators measure nothing. Measuring costs two looks at the clock for each element
    /// of a stage. The stages of datasets that [`interleave`](Self::interleave) opens are not listed: they count as part of it.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let even = MapDataset::range(0, 10, 1).filter(|x| x % 2 == 0).to_iter().batch(2);
    /// let (iterator, observer) = even.iter_observed()?;
    /// assert_eq!(iterator.count(), 3);
    /// let counts = observer.statistics().iter().map(|s| (s.stage.name, s.elements_in, s.elements_out)).collect::<Vec<_>>();
    /// assert_eq!(counts, [("range", 0, 10), ("filter", 10, 5), ("read", 5, 5), ("batch", 5, 3)]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`iter`](Self::iter).
    pub fn iter_observed(&self) -> Result<(DatasetIterator<T>, StageObserver)> {
        let stage = self.stage.as_ref().map_err(Error::clone)?;
        let observer = StageObserver::new(&self.lineage);
        let meters = observer.meters().clone();
        let iterator = probe::measuring(&meters, None, || stage.iter(Lane::default()))?;
        Ok((DatasetIterator { iterator, failed_at: None, meters: Some(meters) }, observer))
    }

    /// The stages, each behind those that feed it; this dataset's own is the last one. The stages of lanes, which have the same ones, are listed once.
    pub fn stages(&self) -> Vec<PipelineStage> {
        Graph::of(&self.lineage).stages
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
    meters: Option<Arc<Meters>>,
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
        match &self.meters {
            None => self.iterator.set_state(state),
            Some(meters) => probe::measuring(meters, None, || self.iterator.set_state(state)),
        }
    }
}

impl<T> Iterator for DatasetIterator<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.failed_at.is_some() {
            return None;
        }
        let before = self.iterator.state();
        let next = match &self.meters {
            None => self.iterator.next(),
            Some(meters) => probe::measuring(meters, None, || self.iterator.next()),
        };
        if next.is_err() {
            self.failed_at = Some(before);
        }
        next.transpose()
    }
}

use std::sync::Arc;

use jarrah_base::{Error, Result};

use crate::map::MapStage;
use crate::observe::{Graph, Observed, PipelineStage};
use crate::stage::{Lineage, StageName};

/// The length of a dataset without end, that of Grain: 2^63 - 1.
pub const ENDLESS: u64 = i64::MAX as u64;

/// Records by index, from any thread: a file, a vector, a table.
pub trait RandomAccess: Send + Sync {
    /// A record.
    type Item;

    /// The number of records.
    fn len(&self) -> u64;

    /// Whether there is no record.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record at `index`, which is below [`len`](Self::len).
    ///
    /// # Errors
    /// The record cannot be read.
    fn get(&self, index: u64) -> Result<Self::Item>;

    /// The records at `indices`, in their order. A source that decodes records in groups decodes each group once.
    ///
    /// # Errors
    /// A record cannot be read.
    fn get_many(&self, indices: &[u64]) -> Result<Vec<Self::Item>> {
        indices.iter().map(|&index| self.get(index)).collect()
    }

    /// Whether [`get_sound`](Self::get_sound) may leave records out.
    fn may_skip(&self) -> bool {
        false
    }

    /// The record at `index`, or `None` where it is damaged and the source was opened to leave damaged records out.
    ///
    /// # Errors
    /// The record cannot be read.
    fn get_sound(&self, index: u64) -> Result<Option<Self::Item>> {
        self.get(index).map(Some)
    }
}

impl<R: RandomAccess + ?Sized> RandomAccess for Arc<R> {
    type Item = R::Item;

    fn len(&self) -> u64 {
        (**self).len()
    }

    fn get(&self, index: u64) -> Result<R::Item> {
        (**self).get(index)
    }

    fn get_many(&self, indices: &[u64]) -> Result<Vec<R::Item>> {
        (**self).get_many(indices)
    }

    fn may_skip(&self) -> bool {
        (**self).may_skip()
    }

    fn get_sound(&self, index: u64) -> Result<Option<R::Item>> {
        (**self).get_sound(index)
    }
}

impl<T: Clone + Send + Sync> RandomAccess for Vec<T> {
    type Item = T;

    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn get(&self, index: u64) -> Result<T> {
        self.as_slice()
            .get(index as usize)
            .cloned()
            .ok_or_else(|| Error::program(format!("there is no record {index} of {}", self.as_slice().len())))
    }
}

/// A pipeline whose elements are found by index, in any order and from any thread.
///
/// An index from [`len`](Self::len) on belongs to a later epoch, in which a shuffle has another order and a random map draws other numbers. Elements
/// are made when they are asked for; a filter leaves holes ([`get`](Self::get) gives `None`), which [`to_iter`](Self::to_iter) closes.
///
/// An error in the arguments of a stage is that of every use of the dataset: of [`get`](Self::get), and of
/// [`IterDataset::iter`](crate::IterDataset::iter).
///
/// For the same stages and seeds the elements and their order are those of Grain 0.2.18.
///
/// ```
/// use jarrah_data::MapDataset;
/// let dataset = MapDataset::range(0, 6, 1).map(|x| x * x).filter(|x| x % 2 == 0);
/// assert_eq!((dataset.get(2)?, dataset.get(3)?), (Some(4), None));
/// let elements: Vec<i64> = dataset.to_iter().iter()?.collect::<Result<_, _>>()?;
/// assert_eq!(elements, [0, 4, 16]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `grain.MapDataset`.
pub struct MapDataset<T> {
    pub(crate) stage: Result<Arc<dyn MapStage<T>>>,
    pub(crate) lineage: Arc<Lineage>,
    /// Whether an index may have no element.
    pub(crate) sparse: bool,
}

impl<T> Clone for MapDataset<T> {
    fn clone(&self) -> Self {
        MapDataset { stage: self.stage.clone(), lineage: self.lineage.clone(), sparse: self.sparse }
    }
}

impl<T: 'static> MapDataset<T> {
    /// A dataset whose last stage is `stage`, the stage of `lineage`.
    pub(crate) fn made<S: MapStage<T> + 'static>(
        lineage: Arc<Lineage>,
        stage: Result<S>,
        sparse: bool,
    ) -> Self {
        let stage = stage.map(|stage| {
            let stage: Arc<dyn MapStage<T>> = Arc::new(Observed::new(stage, &lineage));
            stage
        });
        MapDataset { stage, lineage, sparse }
    }

    /// The dataset with a stage behind it, which `make` makes of the stage before and of the new lineage.
    pub(crate) fn then<U: 'static, S: MapStage<U> + 'static>(
        &self,
        name: StageName,
        make: impl FnOnce(Arc<dyn MapStage<T>>, &Lineage) -> Result<S>,
    ) -> MapDataset<U> {
        let lineage = Lineage::of(name, vec![self.lineage.clone()]);
        let stage = self.stage.clone().and_then(|parent| make(parent, &lineage));
        MapDataset::made(lineage, stage, self.sparse)
    }

    /// The number of indices of one epoch: of elements, and of the holes that filters leave.
    pub fn len(&self) -> u64 {
        self.stage.as_ref().map_or(0, |stage| stage.len())
    }

    /// Whether an epoch has no index.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an index may have no element, since a filter or a source that leaves out damaged records is before.
    pub fn may_have_holes(&self) -> bool {
        self.sparse
    }

    /// The element at `index`, or `None` where a filter dropped it.
    ///
    /// # Errors
    /// A stage has wrong arguments, the dataset is empty, or a stage fails or panics at this element; the error names the stage.
    pub fn get(&self, index: u64) -> Result<Option<T>> {
        let stage = self.stage.as_ref().map_err(Error::clone)?;
        if stage.len() == 0 {
            return Err(Error::program(format!("there is no element {index}: the dataset is empty")));
        }
        stage.get(index)
    }

    /// The stages, each behind those that feed it; this dataset's own is the last one.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let stages = MapDataset::range(0, 9, 1).shuffle(1).batch(2).stages();
    /// let names: Vec<&str> = stages.iter().map(|stage| stage.name).collect();
    /// assert_eq!((names, &stages[2].inputs[..]), (vec!["range", "shuffle", "batch"], &[1][..]));
    /// ```
    pub fn stages(&self) -> Vec<PipelineStage> {
        Graph::of(&self.lineage).stages
    }

    /// Calls `f` with the dataset: a transformation of one's own in the middle of a chain.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let twice = |dataset: MapDataset<i64>| dataset.map(|x| 2 * x);
    /// assert_eq!(MapDataset::range(0, 3, 1).pipe(twice).get(2)?, Some(4));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn pipe<R>(self, f: impl FnOnce(Self) -> R) -> R {
        f(self)
    }

    /// Derives the seeds of the random stages behind this one from `seed` and from their distance.
    ///
    /// ```
    /// use jarrah_data::{MapDataset, Seed};
    /// let dataset = MapDataset::range(0, 100, 1).seed(3).shuffle(Seed::Inherited);
    /// assert_ne!(dataset.get(0)?, Some(0));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn seed(&self, seed: u64) -> Self {
        MapDataset { lineage: Lineage::seeded(seed, self.lineage.clone()), ..self.clone() }
    }

    /// An error of a stage that cannot follow stages that drop elements.
    pub(crate) fn refuse_holes(&self, name: &StageName) -> Result<()> {
        match self.sparse {
            false => Ok(()),
            true => Err(name
                .fault("a stage before it may drop elements, so that indices have holes")
                .help("call `to_iter` first, whose elements have no holes")),
        }
    }
}

//! The batches of a run.

use jarrah_base::{Error, Result};
use jarrah_data::{DatasetIterator, IterDataset, IterState};
use serde_json::{Value, json};

/// An endless sequence of batches that a resumed run goes on with where it stood.
pub trait Batches {
    /// The arrays of a batch.
    type Batch;

    /// The next batch, and the position behind it, which checkpoints hold.
    ///
    /// # Errors
    /// The batch cannot be made.
    fn next_batch(&mut self) -> Result<(Self::Batch, Value)>;

    /// Goes to a position that [`next_batch`](Self::next_batch) gave.
    ///
    /// # Errors
    /// The position is not one of these batches (`Input`).
    fn go_to(&mut self, position: &Value) -> Result<()>;
}

impl<B: Batches + ?Sized> Batches for Box<B> {
    type Batch = B::Batch;

    fn next_batch(&mut self) -> Result<(Self::Batch, Value)> {
        (**self).next_batch()
    }

    fn go_to(&mut self, position: &Value) -> Result<()> {
        (**self).go_to(position)
    }
}

/// Batches that are a function of their number, counted from 0.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_train::{Batches, by_number};
/// let mut batches = by_number(|i| Ok(Array::scalar(i as i32)));
/// let (first, behind) = batches.next_batch()?;
/// assert_eq!(first.item::<i32>()?, 0);
/// batches.next_batch()?;
/// batches.go_to(&behind)?;
/// assert_eq!(batches.next_batch()?.0.item::<i32>()?, 1);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn by_number<B>(make: impl FnMut(u64) -> Result<B>) -> impl Batches<Batch = B> {
    ByNumber { make, next: 0 }
}

struct ByNumber<F> {
    make: F,
    next: u64,
}

impl<B, F: FnMut(u64) -> Result<B>> Batches for ByNumber<F> {
    type Batch = B;

    fn next_batch(&mut self) -> Result<(B, Value)> {
        let batch = (self.make)(self.next)?;
        self.next += 1;
        Ok((batch, json!({ "next": self.next })))
    }

    fn go_to(&mut self, position: &Value) -> Result<()> {
        self.next = position["next"].as_u64().ok_or_else(|| malformed(position))?;
        Ok(())
    }
}

/// The elements of a pipeline of data, each made into arrays. Behind its last element that is an error: repeat the data.
///
/// * `dataset`: a pipeline, whose position checkpoints hold
/// * `arrays`: the arrays of an element
///
/// # Errors
/// A stage of the pipeline has wrong arguments.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_data::MapDataset;
/// use jarrah_train::{Batches, of_dataset};
/// let dataset = MapDataset::range(0, 8, 1).shuffle(1).repeat(None).to_iter().batch(2);
/// let mut batches = of_dataset(&dataset, Array::from_literal)?;
/// let (_, behind) = batches.next_batch()?;
/// let second = batches.next_batch()?.0.to_vec::<i64>()?;
/// batches.go_to(&behind)?;
/// assert_eq!(batches.next_batch()?.0.to_vec::<i64>()?, second);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn of_dataset<T: Send + 'static, B, A: Fn(T) -> B>(
    dataset: &IterDataset<T>,
    arrays: A,
) -> Result<impl Batches<Batch = B> + use<T, B, A>> {
    Ok(OfDataset { elements: dataset.iter()?, arrays })
}

struct OfDataset<T, A> {
    elements: DatasetIterator<T>,
    arrays: A,
}

impl<T, B, A: Fn(T) -> B> Batches for OfDataset<T, A> {
    type Batch = B;

    fn next_batch(&mut self) -> Result<(B, Value)> {
        let element = self.elements.next().unwrap_or_else(|| {
            Err(Error::input("the data have ended").help("repeat them, or train for fewer steps"))
        })?;
        let position = serde_json::to_value(self.elements.state())
            .map_err(|e| Error::internal(format!("cannot write the data position: {e}")))?;
        Ok(((self.arrays)(element), position))
    }

    fn go_to(&mut self, position: &Value) -> Result<()> {
        let state: IterState = serde_json::from_value(position.clone()).map_err(|_| malformed(position))?;
        self.elements.set_state(&state)
    }
}

pub(crate) fn malformed(position: &Value) -> Error {
    Error::input(format!("the data position of the checkpoint is malformed: {position}"))
}

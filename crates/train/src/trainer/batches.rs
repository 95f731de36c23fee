//! The batches of a run.

use jarrah_base::{Error, Result};
use jarrah_data::IterDataset;
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

/// Batches of a data set, such as a [`Loader`](jarrah_data::Loader), each made into arrays.
///
/// * `open`: the data set from a position on, or from its beginning
/// * `arrays`: the arrays of one of its items
///
/// # Errors
/// `open` failed.
pub fn of_dataset<I: IterDataset, B>(
    open: impl Fn(Option<&jarrah_data::DataState>) -> Result<I>,
    arrays: impl Fn(I::Item) -> B,
) -> Result<impl Batches<Batch = B>> {
    Ok(OfDataset { dataset: open(None)?, open, arrays })
}

struct OfDataset<I, O, A> {
    dataset: I,
    open: O,
    arrays: A,
}

impl<I, B, O, A> Batches for OfDataset<I, O, A>
where
    I: IterDataset,
    O: Fn(Option<&jarrah_data::DataState>) -> Result<I>,
    A: Fn(I::Item) -> B,
{
    type Batch = B;

    fn next_batch(&mut self) -> Result<(B, Value)> {
        let item = self.dataset.advance()?;
        let position = serde_json::to_value(self.dataset.state())
            .map_err(|e| Error::internal(format!("cannot write the data position: {e}")))?;
        Ok(((self.arrays)(item), position))
    }

    fn go_to(&mut self, position: &Value) -> Result<()> {
        let state = serde_json::from_value(position.clone()).map_err(|_| malformed(position))?;
        self.dataset = (self.open)(Some(&state))?;
        Ok(())
    }
}

fn malformed(position: &Value) -> Error {
    Error::input(format!("the data position of the checkpoint is malformed: {position}"))
}

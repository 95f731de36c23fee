//! Sources that deliver records in order, from a position that is state.

use std::sync::Arc;

use jarrah_base::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::dataset::RandomAccess;
use crate::iter::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::stage::{Lineage, StageName};
use crate::state::IterState;

const STAGE: &str = "records";

/// A position in a [`RecordSource`]: the number of a file, and a place in it. A place has a meaning for the source alone: a byte, or a count of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePosition {
    /// The number of the file, from 0 on.
    pub file: u64,
    /// The place in the file; 0 is its beginning.
    pub place: u64,
}

/// Records in order, such as those of a compressed stream, from any position that a reader was at.
///
/// ```
/// use jarrah_data::{IterDataset, InOrder};
/// let words = IterDataset::records(InOrder::of(vec!["so", "it", "goes"]));
/// let mut iterator = words.iter()?;
/// assert_eq!(iterator.next().transpose()?, Some("so"));
/// let state = iterator.state();
/// let mut resumed = words.iter()?;
/// resumed.set_state(&state)?;
/// assert_eq!(resumed.next().transpose()?, Some("it"));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub trait RecordSource: Send + Sync {
    /// A record.
    type Item;

    /// A reader at the first record.
    ///
    /// # Errors
    /// The source cannot be opened.
    fn reader(&self) -> Result<Box<dyn SourceReader<Self::Item>>>;
}

/// A reader of the records of a [`RecordSource`].
pub trait SourceReader<T>: Send {
    /// The next record, or `None` behind the last one.
    ///
    /// # Errors
    /// The record is damaged, and the source was not opened to leave damaged records out.
    fn next(&mut self) -> Result<Option<T>>;

    /// The position of the next record.
    fn position(&self) -> SourcePosition;

    /// Goes to a position that a reader of the same source was at.
    ///
    /// # Errors
    /// The source has no such position (`Input`).
    fn seek(&mut self, position: SourcePosition) -> Result<()>;
}

/// A source by index as one in order: its positions are indices.
pub struct InOrder<R>(Arc<R>);

impl<R: RandomAccess + 'static> InOrder<R> {
    /// The records of `records` from the first to the last.
    pub fn of(records: R) -> Self {
        InOrder(Arc::new(records))
    }
}

impl<R: RandomAccess + 'static> RecordSource for InOrder<R> {
    type Item = R::Item;

    fn reader(&self) -> Result<Box<dyn SourceReader<R::Item>>> {
        Ok(Box::new(IndexReader { records: self.0.clone(), next: 0 }))
    }
}

struct IndexReader<R> {
    records: Arc<R>,
    next: u64,
}

impl<R: RandomAccess> SourceReader<R::Item> for IndexReader<R> {
    fn next(&mut self) -> Result<Option<R::Item>> {
        while self.next < self.records.len() {
            let record = self.records.get_sound(self.next)?;
            self.next += 1;
            if record.is_some() {
                return Ok(record);
            }
        }
        Ok(None)
    }

    fn position(&self) -> SourcePosition {
        SourcePosition { file: 0, place: self.next }
    }

    fn seek(&mut self, position: SourcePosition) -> Result<()> {
        if position.file != 0 || position.place > self.records.len() {
            return Err(no_position(position, &format_args!("{} records", self.records.len())));
        }
        self.next = position.place;
        Ok(())
    }
}

/// The error about a position that a source does not have.
pub(crate) fn no_position(position: SourcePosition, has: &dyn std::fmt::Display) -> Error {
    let SourcePosition { file, place } = position;
    Error::input(format!("the data position is place {place} of file {file}, but the source has {has}"))
        .help("resume with the data that the run began with")
}

struct Records<S> {
    source: S,
    name: StageName,
}

impl<S: RecordSource> IterStage<S::Item> for Records<S>
where
    S::Item: Send + 'static,
{
    fn iter(&self, _lane: Lane) -> Result<Box<dyn Advance<S::Item>>> {
        Ok(Box::new(Reading { reader: self.source.reader()?, name: self.name, count: 0 }))
    }
}

struct Reading<T> {
    reader: Box<dyn SourceReader<T>>,
    name: StageName,
    /// Records read since the iterator was made, for errors.
    count: u64,
}

impl<T> Advance<T> for Reading<T> {
    fn next(&mut self) -> Result<Option<T>> {
        self.count += 1;
        self.name.call(self.count - 1, || self.reader.next())
    }

    fn state(&self) -> IterState {
        let SourcePosition { file, place } = self.reader.position();
        IterState::new(STAGE, &[file, place], Vec::new())
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let [file, place] = state.read(STAGE, Some(0))?;
        self.reader.seek(SourcePosition { file, place })
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// The records of a source, in order.
    #[track_caller]
    pub fn records(source: impl RecordSource<Item = T> + 'static) -> Self {
        let name = StageName::new(STAGE);
        IterDataset::made(Lineage::of(name, Vec::new()), Ok(Records { source, name }))
    }
}

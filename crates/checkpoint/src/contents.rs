//! The content of a checkpoint on disk: its manifest, and the tensors that it names.

use std::ops::Range;
use std::path::PathBuf;

use jarrah_base::{Literal, Result, Type, parallel};
use jarrah_formats::cut;

use crate::hash::LARGE;
use crate::manifest::Content;
use crate::orbax_layout::OrbaxReader;
use crate::safetensors_layout::SafetensorsReader;

/// The results of `read` of each item, in their order: of large values one after the other, as all threads read each of them, then of small ones, several at once.
///
/// # Errors
/// An item cannot be read: the errors of `read`.
pub fn read_all<T: Sync, R: Send>(
    items: &[T],
    bytes: impl Fn(&T) -> usize,
    read: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let (large, small): (Vec<usize>, Vec<usize>) =
        (0..items.len()).partition(|&number| bytes(&items[number]) >= LARGE);
    let mut results = Vec::with_capacity(items.len());
    for number in large {
        results.push((number, read(&items[number])?));
    }
    let rest = parallel::try_map(parallel::cores(), &small, |&number| read(&items[number]))?;
    results.extend(small.into_iter().zip(rest));
    results.sort_unstable_by_key(|(number, _)| *number);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

pub struct Contents {
    /// The folder.
    pub path: PathBuf,
    pub content: Content,
    /// The types of the tensors, in the order of the manifest.
    pub types: Vec<Type>,
    pub reader: Reader,
}

pub enum Reader {
    Safetensors(SafetensorsReader),
    Orbax(OrbaxReader),
}

impl Contents {
    /// A box of the tensor of this number in the manifest.
    pub fn region(&self, number: usize, region: &[Range<usize>]) -> Result<Literal> {
        let (record, ty) = (&self.content.tensors[number], self.types[number]);
        match &self.reader {
            Reader::Safetensors(reader) => {
                let whole = reader.tensor(number, record, ty)?;
                cut(&whole, region)
            }
            Reader::Orbax(reader) => reader.region(number, record, ty, region),
        }
    }
}

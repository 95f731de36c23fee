//! The content of a checkpoint on disk: its manifest, and the tensors that it names.

use std::ops::Range;
use std::path::PathBuf;

use jarrah_base::{Error, Literal, Result, Type};

use crate::manifest::Content;
use crate::orbax_layout::OrbaxReader;
use crate::safetensors_layout::SafetensorsReader;

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

/// A box of a value.
///
/// # Errors
/// The box does not lie in the value (`Program`).
pub fn cut(whole: &Literal, region: &[Range<usize>]) -> Result<Literal> {
    let (dims, size) = (whole.dims(), whole.dtype().size());
    let fits = |(range, &extent): (&Range<usize>, &usize)| range.start <= range.end && range.end <= extent;
    if region.len() != dims.len() || !region.iter().zip(&dims).all(fits) {
        let error = format!("the box {region:?} does not lie in a value of the extents {dims:?}");
        return Err(Error::program(error).op("checkpoint"));
    }
    let wanted: Vec<usize> = region.iter().map(Range::len).collect();
    if wanted == dims {
        return Ok(whole.clone());
    }
    let mut bytes = Vec::new();
    let count: usize = wanted.iter().product();
    let row = wanted.last().map_or(1, |extent| *extent).max(1);
    for first in (0..count).step_by(row) {
        let (mut rest, mut at, mut stride) = (first, 0, 1);
        for ((range, &extent), &len) in region.iter().zip(&dims).zip(&wanted).rev() {
            at += (range.start + rest % len) * stride;
            rest /= len;
            stride *= extent;
        }
        bytes.extend_from_slice(&whole.bytes()[at * size..(at + row) * size]);
    }
    Literal::from_bytes(whole.ty().with_dims(wanted), &bytes)
}

use std::ops::Range;

use jarrah_base::{DType, ElementKind, Error, Literal, Result, Type, c128};
use serde_json::Value;

use super::bytes::Bytes;
use super::chunk::{Codecs, ElementSize, Output, each_chunk, elements};
use super::store::Store;
use super::wrong;
use crate::boxes::{Window, lies_in, strides};

/// The most chunks that a read looks for.
pub(super) const MOST_CHUNKS: usize = 1 << 24;

/// The most axes of an array.
pub(super) const MOST_AXES: usize = 32;

/// An array of zarr: its type, its grid of chunks, and how they are encoded.
#[derive(Debug)]
pub(super) struct ZarrArray {
    pub dims: Vec<usize>,
    /// The extents of a chunk; those at an upper end of the array are of this shape too.
    pub chunk: Vec<usize>,
    /// The name of the element type in the file.
    pub type_name: String,
    pub dtype: Option<DType>,
    pub fill: Value,
    pub codecs: Codecs,
    /// The beginning of the keys of chunks, and the character between indices.
    pub prefix: &'static str,
    pub separator: char,
}

/// The extents that a list of JSON names; `least` is the least extent.
pub(super) fn extents(value: Option<&Value>, field: &str, least: usize) -> Result<Vec<usize>> {
    let list = value.and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong(format!("the description of an array has no list `{field}`")))?;
    if list.len() > MOST_AXES {
        return Err(wrong(format!("an array has {} axes; the most are {MOST_AXES}", list.len())));
    }
    let extent = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n >= least);
    list.iter()
        .map(|value| extent(value).ok_or_else(|| wrong(format!("`{field}` of an array has {value}"))))
        .collect()
}

/// The type of an array, whose size a number counts.
pub(super) fn array_type(dtype: DType, dims: &[usize]) -> Result<Type> {
    let span = dims.iter().filter(|d| **d > 0).try_fold(dtype.size(), |n, d| n.checked_mul(*d));
    match span.is_some_and(|span| span <= isize::MAX as usize) {
        true => Ok(Type::tensor(dtype, dims.iter().copied())),
        false => Err(wrong(format!("an array of shape {dims:?} is larger than any memory"))),
    }
}

impl ZarrArray {
    /// The type of the array.
    pub fn ty(&self) -> Result<Type> {
        let dtype = self.dtype.ok_or_else(|| {
            wrong(format!("the elements are of type {}, which is not read here", self.type_name))
        })?;
        array_type(dtype, &self.dims)
    }

    /// The number of chunks along each axis.
    pub fn grid(&self) -> Vec<usize> {
        self.dims.iter().zip(&self.chunk).map(|(dim, chunk)| dim.div_ceil(*chunk)).collect()
    }

    /// Checks the description: axes, and extents that no number counts.
    pub fn checked(self) -> Result<ZarrArray> {
        if self.chunk.len() != self.dims.len() || self.codecs.axes.len() != self.dims.len() {
            return Err(wrong(format!(
                "an array of shape {:?} has chunks of shape {:?}",
                self.dims, self.chunk
            )));
        }
        match self.chunk.contains(&0)
            || self.dims.iter().zip(&self.chunk).any(|(d, c)| d.checked_add(*c).is_none())
        {
            true => Err(wrong(format!("an array has chunks of shape {:?}", self.chunk))),
            false => Ok(self),
        }
    }

    /// Reads a box of the array that is called `name`: of the chunks only those that have a part of it.
    pub fn read(
        &self,
        store: &Store,
        name: &str,
        region: &[Range<usize>],
        all_stored: bool,
    ) -> Result<Literal> {
        let whole = self.ty()?;
        let dtype = whole.dtype();
        if !lies_in(region, &self.dims) {
            return Err(Error::program(format!(
                "the region {region:?} does not lie in an array of shape {:?}",
                self.dims
            )));
        }
        let extent: Vec<usize> = region.iter().map(Range::len).collect();
        let ty = Type::tensor(dtype, extent.iter().copied());
        if extent.contains(&0) {
            return Literal::zeros(ty);
        }
        let span = |range: &Range<usize>, chunk: usize| (range.end - 1) / chunk - range.start / chunk + 1;
        let spans: Vec<usize> = region.iter().zip(&self.chunk).map(|(r, c)| span(r, *c)).collect();
        if elements(&spans).is_none_or(|count| count > MOST_CHUNKS) {
            return Err(wrong(format!(
                "more than {MOST_CHUNKS} chunks of shape {:?} are asked for",
                self.chunk
            )));
        }
        let strides = strides(&extent);
        let window = Window { start: region.iter().map(|r| r.start).collect(), extent, at: 0, strides };
        let mut literal = if all_stored { Literal::zeros(ty)? } else { filled(ty, &self.fill)? };
        let mut out = Output { bytes: literal.bytes_mut(), element: ElementSize::of(dtype), all_stored };
        each_chunk(&self.chunk, &window, &mut |at, part| {
            let key = join(name, &self.key(at));
            let failed = |e: Error| e.context(format!("in the chunk {key}"));
            match store.get(&key).map_err(failed)? {
                Some(bytes) => self.codecs.read(&bytes, &self.chunk, part, &mut out).map_err(failed),
                None if all_stored => Err(wrong(format!("the chunk {key} is not there"))),
                None => Ok(()),
            }
        })?;
        normalize(dtype, literal.bytes_mut());
        Ok(literal)
    }

    /// The bytes of a box that is one chunk, where the elements lie in them as they do in memory; none where they do not.
    pub fn plain(&self, store: &Store, name: &str, region: &[Range<usize>]) -> Result<Option<Bytes>> {
        let Some(dtype) = self.dtype.filter(|dtype| !has_loose_bits(*dtype)) else { return Ok(None) };
        let is_chunk = |(range, &chunk): (&Range<usize>, &usize)| {
            range.len() == chunk && range.start.is_multiple_of(chunk)
        };
        if !lies_in(region, &self.dims)
            || !region.iter().zip(&self.chunk).all(is_chunk)
            || !self.codecs.are_plain(ElementSize::of(dtype))
        {
            return Ok(None);
        }
        let at: Vec<usize> =
            region.iter().zip(&self.chunk).map(|(range, chunk)| range.start / chunk).collect();
        let key = join(name, &self.key(&at));
        let found = store.get(&key).map_err(|e| e.context(format!("in the chunk {key}")))?;
        // One that is not stored, or of another length, is told of by who reads it as a box.
        let length = elements(&self.chunk).and_then(|count| count.checked_mul(dtype.size()));
        Ok(found.filter(|bytes| usize::try_from(bytes.len()).ok() == length))
    }

    /// The key of a chunk below the array's name.
    pub fn key(&self, at: &[usize]) -> String {
        let indices: Vec<String> = at.iter().map(usize::to_string).collect();
        let separator = self.separator.to_string();
        match (self.prefix, indices.is_empty()) {
            ("", true) => "0".to_owned(),
            (prefix, true) => prefix.to_owned(),
            ("", false) => indices.join(&separator),
            (prefix, false) => format!("{prefix}{separator}{}", indices.join(&separator)),
        }
    }
}

/// A key in the folder of an array; an array without a name lies in the folder of its tree.
pub(super) fn join(name: &str, key: &str) -> String {
    if name.is_empty() { key.to_owned() } else { format!("{name}/{key}") }
}

/// An array whose elements all are the fill value of a description: zero where it has none.
fn filled(ty: Type, fill: &Value) -> Result<Literal> {
    let odd = || wrong(format!("the fill value {fill} is not read here"));
    let part = |value: &Value| match value {
        Value::Bool(value) => Some(f64::from(u8::from(*value))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.as_str() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    };
    match (fill, ty.dtype().kind()) {
        (Value::Null, _) => Literal::zeros(ty),
        (Value::Number(number), ElementKind::Signed | ElementKind::Unsigned) => {
            let exact = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
            let range = ty.dtype().integer_range().ok_or_else(odd)?;
            let exact = exact.filter(|x| (range.0..=range.1).contains(x)).ok_or_else(odd)?;
            let one = Literal::from_i128s(Type::tensor(ty.dtype(), []), &[exact])?;
            let mut literal = Literal::zeros(ty)?;
            if exact != 0 {
                let elements = literal.bytes_mut().chunks_exact_mut(one.bytes().len());
                elements.for_each(|element| element.copy_from_slice(one.bytes()));
            }
            Ok(literal)
        }
        (Value::Array(parts), ElementKind::Complex) if parts.len() == 2 => {
            let number = c128::new(part(&parts[0]).ok_or_else(odd)?, part(&parts[1]).ok_or_else(odd)?);
            Literal::full_c128(ty, number)
        }
        (Value::Array(_), _) | (_, ElementKind::Complex) => Err(odd()),
        (value, _) => match part(value).ok_or_else(odd)? {
            x if x.to_bits() == 0 => Literal::zeros(ty),
            x => Literal::full(ty, x),
        },
    }
}

/// Whether different bytes are read as one element.
fn has_loose_bits(dtype: DType) -> bool {
    dtype == DType::Bool || dtype.bits() < 8
}

/// Elements of fewer than eight bits have zeros above them here, and truth values are 0 or 1.
fn normalize(dtype: DType, bytes: &mut [u8]) {
    if dtype == DType::Bool {
        bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    } else if dtype.bits() < 8 {
        let mask = (1u8 << dtype.bits()) - 1;
        bytes.iter_mut().for_each(|byte| *byte &= mask);
    }
}

//! Records as values: what `features.json` says is put together from the lists of an Example.

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::Range;

use flate2::bufread::ZlibDecoder;
use jarrah_base::{DType, Error, Literal, Result, Type, memory};
use serde_json::Value;

use super::features::{Encoding, Feature, join, wrong};
use crate::sources::image::decode_image;
use crate::sources::json_object::{bytes_value, double_value, single_value};
use crate::sources::tf_example::{TfExample, TfFeature};

/// A value of a record: that of a feature, or the values of several.
///
/// A sequence of numbers is a tensor, whose first dimension is the sequence; one of texts, of images or of sequences is a list. A sequence of several features has a
/// sequence for each of them.
#[derive(Clone, Debug, PartialEq)]
pub enum TfdsValue {
    /// The value of an optional feature that the record does not have.
    None,
    /// A number, a class, an image `[height, width, channels]` or another tensor.
    Tensor(Literal),
    /// A text or other bytes.
    Bytes(Vec<u8>),
    /// The elements of a sequence.
    List(Vec<TfdsValue>),
    /// Features by their names.
    Dict(BTreeMap<String, TfdsValue>),
}

impl TfdsValue {
    /// The value of a feature; `None` where this is no [`Dict`](TfdsValue::Dict), or there is none of this name.
    pub fn get(&self, name: &str) -> Option<&TfdsValue> {
        match self {
            TfdsValue::Dict(features) => features.get(name),
            _ => None,
        }
    }

    /// The value in JSON: tensors are nested arrays, bytes that are no UTF-8 are in base64, NaN and infinities are null.
    ///
    /// # Errors
    /// There is not enough memory (`Environment`).
    pub fn to_json(&self) -> Result<Value> {
        Ok(match self {
            TfdsValue::None => Value::Null,
            TfdsValue::Tensor(tensor) => nested(tensor)?,
            TfdsValue::Bytes(bytes) => bytes_value(bytes),
            TfdsValue::List(values) => {
                Value::Array(values.iter().map(TfdsValue::to_json).collect::<Result<_>>()?)
            }
            TfdsValue::Dict(features) => {
                let entries = features.iter().map(|(name, value)| Ok((name.clone(), value.to_json()?)));
                Value::Object(entries.collect::<Result<_>>()?)
            }
        })
    }
}

/// The most rows of a tensor without elements.
const EMPTY: usize = 1 << 16;

/// A tensor as arrays within arrays.
fn nested(tensor: &Literal) -> Result<Value> {
    let dims = tensor.dims();
    let arrays = dims.iter().fold(1_usize, |product, &dim| product.saturating_mul(dim.max(1)));
    memory::check(arrays.saturating_mul(size_of::<Value>()), &"a tensor in JSON")?;
    if tensor.is_empty() && arrays > EMPTY {
        return Err(Error::input(format!("a tensor of {dims:?} is no JSON of a sensible size")));
    }
    let mut values: Vec<Value> = match tensor.dtype() {
        DType::Bool => tensor.to_i128_vec().into_iter().map(|x| Value::Bool(x != 0)).collect(),
        DType::F64 | DType::F16 => tensor.to_f64_vec().into_iter().map(double_value).collect(),
        dtype if dtype.is_float() => {
            tensor.to_f64_vec().into_iter().map(|x| single_value(x as f32)).collect()
        }
        _ => tensor.to_i128_vec().into_iter().map(integer).collect(),
    };
    for (axis, &dim) in dims.iter().enumerate().rev() {
        let rows = dims[..axis].iter().product::<usize>();
        let mut rest = values.into_iter();
        values = (0..rows).map(|_| Value::Array(rest.by_ref().take(dim).collect())).collect();
    }
    Ok(values.pop().unwrap_or_default())
}

fn integer(x: i128) -> Value {
    i64::try_from(x).map(Value::from).or_else(|_| u64::try_from(x).map(Value::from)).unwrap_or_default()
}

/// The values of an Example.
pub(super) struct Decoder<'a> {
    pub example: &'a TfExample,
    /// Whether images are decoded, or stay the bytes of their files.
    pub has_pixels: bool,
}

/// The lengths of the rows of sequences, from the outermost on, and the values of all rows.
struct Rows<'a> {
    lengths: Vec<&'a [i64]>,
    values: &'a TfFeature,
}

/// No values, of any kind.
static NONE: TfFeature = TfFeature::Ints(Vec::new());

fn count(feature: &TfFeature) -> usize {
    match feature {
        TfFeature::Bytes(values) => values.len(),
        TfFeature::Floats(values) => values.len(),
        TfFeature::Ints(values) => values.len(),
    }
}

impl<'a> Decoder<'a> {
    /// The value of a feature within `rank` sequences.
    pub(super) fn value(&self, feature: &Feature, key: &str, rank: usize) -> Result<TfdsValue> {
        match feature {
            Feature::Dict(features) => {
                let values = features
                    .iter()
                    .map(|(name, feature)| Ok((name.clone(), self.value(feature, &join(key, name), rank)?)));
                Ok(TfdsValue::Dict(values.collect::<Result<_>>()?))
            }
            Feature::Sequence(inner) => self.value(inner, key, rank + 1),
            leaf => self.leaf(leaf, key, rank),
        }
    }

    fn find(&self, key: &str) -> Option<&'a TfFeature> {
        self.example.features.get(key)
    }

    /// The stored values of a feature within `rank` sequences; `None` where there are none.
    fn rows(&self, key: &str, rank: usize) -> Result<Option<Rows<'a>>> {
        if rank < 2 {
            return Ok(self.find(key).map(|values| Rows { lengths: Vec::new(), values }));
        }
        let Some(values) = self.find(&format!("{key}/ragged_flat_values")) else { return Ok(None) };
        let lengths =
            (0..rank - 1).map(|level| match self.find(&format!("{key}/ragged_row_lengths_{level}")) {
                Some(TfFeature::Ints(lengths)) => Ok(&lengths[..]),
                Some(other) if count(other) == 0 => Ok(&[][..]),
                _ => Err(wrong(key, &format!("the lengths of the rows of level {level} are missing"))),
            });
        Ok(Some(Rows { lengths: lengths.collect::<Result<_>>()?, values }))
    }

    fn leaf(&self, leaf: &Feature, key: &str, rank: usize) -> Result<TfdsValue> {
        let (shape, is_optional) = match leaf {
            Feature::Text { shape, is_optional } | Feature::Tensor { shape, is_optional, .. } => {
                (&shape[..], *is_optional)
            }
            _ => (&[][..], false),
        };
        let unknown = shape.iter().filter(|dim| dim.is_none()).count();
        let (values_key, sizes) = match leaf {
            // The sizes of each tensor stand beside it.
            Feature::Tensor { shape, .. } if unknown > 1 => {
                let sizes = self.rows(&join(key, "shape"), rank)?;
                let sizes = sizes.map_or(&NONE, |rows| rows.values);
                (join(key, "value"), Some(sized(sizes, shape, key)?))
            }
            Feature::Text { .. } if unknown > 1 => {
                return Err(wrong(key, "texts of several unknown dimensions are not read"));
            }
            _ => (key.to_owned(), None),
        };
        let may_lack = rank > 0 || unknown == 1 && !is_bytes(leaf);
        let rows = match self.rows(&values_key, rank)? {
            Some(rows) => rows,
            None if rank == 0 && is_optional => return Ok(TfdsValue::None),
            None if may_lack => Rows { lengths: vec![&[]; rank.saturating_sub(1)], values: &NONE },
            None => return Err(wrong(key, "the record does not have it")),
        };
        let items = Items { leaf, key, values: rows.values, sizes, has_pixels: self.has_pixels };
        match rank {
            0 => items.one(),
            1 => items.many(0..items.count()?),
            _ => items.ragged(&rows.lengths),
        }
    }
}

/// Whether an item of a feature is one value of bytes.
fn is_bytes(leaf: &Feature) -> bool {
    match leaf {
        Feature::Tensor { encoding, .. } => *encoding != Encoding::Values,
        Feature::Image { .. } => true,
        _ => false,
    }
}

/// The shapes of tensors of which each has its own.
fn sized(sizes: &TfFeature, shape: &[Option<usize>], key: &str) -> Result<Vec<Vec<usize>>> {
    let TfFeature::Ints(sizes) = sizes else { return Err(wrong(key, "its shapes are no integers")) };
    let rows = sizes.chunks(shape.len()).map(|row| {
        let dims: Option<Vec<usize>> = row.iter().map(|&dim| usize::try_from(dim).ok()).collect();
        dims.filter(|dims| fits(dims, shape))
            .ok_or_else(|| wrong(key, "the shape of a tensor is not as it should be"))
    });
    rows.collect()
}

fn fits(dims: &[usize], shape: &[Option<usize>]) -> bool {
    dims.len() == shape.len()
        && dims.iter().zip(shape).all(|(&dim, known)| known.is_none_or(|known| known == dim))
}

/// The items of a feature: the values of a sequence, in a row.
struct Items<'a> {
    leaf: &'a Feature,
    key: &'a str,
    values: &'a TfFeature,
    /// The shape of each tensor, where each has its own.
    sizes: Option<Vec<Vec<usize>>>,
    has_pixels: bool,
}

impl Items<'_> {
    fn wrong(&self, text: &str) -> Error {
        wrong(self.key, text)
    }

    /// The shape of an item that is stored value by value, whose sizes are known.
    fn dims(&self) -> Option<Vec<usize>> {
        match self.leaf {
            Feature::Text { shape, .. } | Feature::Tensor { shape, encoding: Encoding::Values, .. } => {
                shape.iter().copied().collect()
            }
            _ => Some(Vec::new()),
        }
    }

    /// The number of items.
    fn count(&self) -> Result<usize> {
        let each = self.dims().map_or(1, |dims| dims.iter().product());
        let values = count(self.values);
        let items = values.checked_div(each).unwrap_or(0);
        match items * each == values {
            true => Ok(items),
            false => Err(self.wrong(&format!("{values} values are no tensors of {each} elements"))),
        }
    }

    /// The only item.
    fn one(&self) -> Result<TfdsValue> {
        let values = count(self.values);
        if let Feature::Text { shape, .. } | Feature::Tensor { shape, encoding: Encoding::Values, .. } =
            self.leaf
        {
            let known = shape.iter().flatten().product::<usize>();
            let open = shape.iter().filter(|dim| dim.is_none()).count();
            let rest = values.checked_div(known).unwrap_or(0);
            // Sizes that no values stand for could be of any size.
            let is_whole = open < 2 && rest * known == values && (values > 0 || known <= EMPTY);
            if !is_whole || open == 0 && rest != 1 && known > 0 {
                return Err(self.wrong(&format!("{values} values are no tensor of its shape")));
            }
            let dims: Vec<usize> = shape.iter().map(|dim| dim.unwrap_or(rest)).collect();
            return self.plain(0..values, &dims);
        }
        match values {
            1 => self.coded(0),
            _ => Err(self.wrong(&format!("it has {values} values instead of one"))),
        }
    }

    /// A sequence of items.
    fn many(&self, range: Range<usize>) -> Result<TfdsValue> {
        match self.dims() {
            Some(item) if !is_bytes(self.leaf) => {
                let each: usize = item.iter().product();
                let dims: Vec<usize> = std::iter::once(range.len()).chain(item).collect();
                self.plain(range.start * each..range.end * each, &dims)
            }
            _ => Ok(TfdsValue::List(range.map(|i| self.coded(i)).collect::<Result<_>>()?)),
        }
    }

    /// Sequences of sequences: lists of rows.
    fn ragged(&self, lengths: &[&[i64]]) -> Result<TfdsValue> {
        let Some((innermost, outer)) = lengths.split_last() else { return self.many(0..self.count()?) };
        let mut end = 0_usize;
        let count = self.count()?;
        let mut rows = Vec::new();
        for &length in *innermost {
            let length = usize::try_from(length).ok().filter(|&length| length <= count - end);
            let Some(length) = length else { break };
            rows.push(self.many(end..end + length)?);
            end += length;
        }
        if end != count || rows.len() != innermost.len() {
            return Err(self.wrong("the lengths of its rows are not those of its values"));
        }
        for level in outer.iter().rev() {
            let mut rest = rows.into_iter();
            let mut outer_rows = Vec::new();
            for &length in *level {
                let length = usize::try_from(length).ok().filter(|&length| length <= rest.len());
                let Some(length) = length else {
                    return Err(self.wrong("the lengths of its rows are not those of its values"));
                };
                outer_rows.push(TfdsValue::List(rest.by_ref().take(length).collect()));
            }
            if rest.len() > 0 {
                return Err(self.wrong("the lengths of its rows are not those of its values"));
            }
            rows = outer_rows;
        }
        Ok(TfdsValue::List(rows))
    }

    /// A tensor, or texts, of values that are stored one by one.
    fn plain(&self, range: Range<usize>, dims: &[usize]) -> Result<TfdsValue> {
        let Feature::Tensor { dtype, .. } = self.leaf else { return self.texts(range, dims) };
        let ty = Type::tensor(*dtype, dims.iter().copied());
        let mismatch = |kind| Err(self.wrong(&format!("{kind} are stored for a tensor of {}", dtype.name())));
        let tensor = match self.values {
            _ if range.is_empty() => Literal::zeros(ty)?,
            TfFeature::Bytes(_) => return mismatch("bytes"),
            TfFeature::Floats(values) if dtype.is_float() => match dtype {
                DType::F32 => Literal::from_slice(dims, &values[range])?,
                _ => Literal::from_f64s(ty, &values[range].iter().map(|&x| x.into()).collect::<Vec<f64>>())?,
            },
            TfFeature::Floats(_) => return mismatch("floats"),
            TfFeature::Ints(_) if dtype.is_float() => return mismatch("integers"),
            TfFeature::Ints(values) => match dtype {
                DType::I64 => Literal::from_slice(dims, &values[range])?,
                DType::Bool => {
                    Literal::from_bools(dims, &values[range].iter().map(|&x| x != 0).collect::<Vec<_>>())?
                }
                // Their bits are stored as those of signed integers.
                DType::U64 => {
                    Literal::from_slice(dims, &values[range].iter().map(|&x| x as u64).collect::<Vec<_>>())?
                }
                _ => {
                    let wide: Vec<i128> = values[range].iter().map(|&x| x.into()).collect();
                    let (least, most) = dtype.integer_range().unwrap_or((i128::MIN, i128::MAX));
                    if let Some(x) = wide.iter().find(|x| !(least..=most).contains(x)) {
                        return Err(self.wrong(&format!("{x} is no {}", dtype.name())));
                    }
                    Literal::from_i128s(ty, &wide)?
                }
            },
        };
        Ok(TfdsValue::Tensor(tensor))
    }

    /// Texts as lists within lists.
    fn texts(&self, range: Range<usize>, dims: &[usize]) -> Result<TfdsValue> {
        let mut values: Vec<TfdsValue> = match self.values {
            _ if range.is_empty() => Vec::new(),
            TfFeature::Bytes(values) => values[range].iter().cloned().map(TfdsValue::Bytes).collect(),
            _ => return Err(self.wrong("numbers are stored for a text")),
        };
        for (axis, &dim) in dims.iter().enumerate().rev() {
            let rows = dims[..axis].iter().product::<usize>();
            let mut rest = values.into_iter();
            values = (0..rows).map(|_| TfdsValue::List(rest.by_ref().take(dim).collect())).collect();
        }
        values.pop().ok_or_else(|| self.wrong("a text is missing"))
    }

    /// The item of a number, which is stored as bytes.
    fn coded(&self, number: usize) -> Result<TfdsValue> {
        let bytes = match self.values {
            TfFeature::Bytes(values) => values.get(number),
            _ => None,
        };
        let bytes = bytes.ok_or_else(|| self.wrong("numbers are stored where bytes should be"))?;
        match self.leaf {
            Feature::Image { .. } if !self.has_pixels => Ok(TfdsValue::Bytes(bytes.clone())),
            Feature::Image { dtype, shape } => self.image(bytes, *dtype, shape),
            Feature::Tensor { dtype, shape, encoding, .. } => {
                let dims = match &self.sizes {
                    Some(sizes) => sizes.get(number).cloned(),
                    None => self.inferred(*dtype, shape, *encoding, bytes)?,
                };
                let dims = dims.ok_or_else(|| self.wrong("the shape of a tensor is missing"))?;
                self.raw(bytes, *dtype, &dims, *encoding)
            }
            _ => Ok(TfdsValue::Bytes(bytes.clone())),
        }
    }

    /// The shape of a tensor of bytes, of which at most one size is not known.
    fn inferred(
        &self,
        dtype: DType,
        shape: &[Option<usize>],
        encoding: Encoding,
        bytes: &[u8],
    ) -> Result<Option<Vec<usize>>> {
        let Some(open) = shape.iter().position(Option::is_none) else {
            return Ok(shape.iter().copied().collect());
        };
        let row = shape.iter().flatten().product::<usize>().saturating_mul(dtype.size());
        let size = match encoding {
            Encoding::Zlib => self.inflated(bytes, memory::available() / 2)?.len(),
            _ => bytes.len(),
        };
        let mut dims: Vec<usize> = shape.iter().map(|dim| dim.unwrap_or(0)).collect();
        dims[open] = size.checked_div(row).unwrap_or(0);
        Ok(Some(dims))
    }

    /// The bytes that zlib has compressed: at most so many.
    fn inflated(&self, bytes: &[u8], most: usize) -> Result<Vec<u8>> {
        let mut content = Vec::new();
        let read = ZlibDecoder::new(bytes).take(most as u64).read_to_end(&mut content);
        read.map_err(|e| self.wrong(&format!("its bytes are not what zlib writes: {e}")))?;
        Ok(content)
    }

    /// A tensor of the bytes of its elements.
    fn raw(&self, bytes: &[u8], dtype: DType, dims: &[usize], encoding: Encoding) -> Result<TfdsValue> {
        let size = dims.iter().try_fold(dtype.size(), |size, &dim| size.checked_mul(dim));
        let size = size.ok_or_else(|| self.wrong("a tensor of its shape exceeds the address space"))?;
        let inflated;
        let bytes = match encoding {
            Encoding::Zlib => {
                memory::check(size, &"a tensor")?;
                inflated = self.inflated(bytes, size.saturating_add(1))?;
                &inflated
            }
            _ => bytes,
        };
        if bytes.len() != size {
            return Err(self.wrong(&format!("{} bytes are stored for a tensor of {size}", bytes.len())));
        }
        if dtype == DType::Bool && bytes.iter().any(|&byte| byte > 1) {
            return Err(self.wrong("a truth value is neither 0 nor 1"));
        }
        Ok(TfdsValue::Tensor(Literal::from_bytes(Type::tensor(dtype, dims.iter().copied()), bytes)?))
    }

    fn image(&self, bytes: &[u8], dtype: DType, shape: &[Option<usize>]) -> Result<TfdsValue> {
        // A float is stored as the four channels of a pixel.
        let channels = if dtype == DType::F32 { 4 } else { shape[2].unwrap_or(0) };
        let pixels = decode_image(bytes, channels)
            .map_err(|e| e.context(format!("while the feature `{}` was decoded", self.key)))?;
        let mut dims = pixels.dims();
        if dtype == DType::F32 {
            dims[2] = 1;
        }
        if !fits(&dims[..2], &shape[..2]) {
            return Err(self.wrong(&format!("the image has the shape {dims:?}")));
        }
        match dtype {
            DType::F32 => {
                Ok(TfdsValue::Tensor(Literal::from_bytes(Type::tensor(dtype, dims), pixels.bytes())?))
            }
            _ => Ok(TfdsValue::Tensor(pixels)),
        }
    }
}

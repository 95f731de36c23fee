use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{DType, Error, HostView, Literal, MappedFile, Result, Type};

use crate::blocks;
use crate::boxes::{copy_window, cut, lies_in, strides};
use crate::chunks::{Chunks, Part, Piece};
use crate::convert::{check, convert};
use crate::encoding::TensorEncoding;

/// The elements that are decoded at a time.
const STRETCH: usize = 1 << 18;

/// The elements of the largest block that is decoded.
const LARGEST_BLOCK: usize = 256;

/// A tensor of a file, or of memory, by name: read, converted or written only when that is asked for.
///
/// Cloning it copies no element.
#[derive(Clone)]
pub struct Tensor<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) encoding: TensorEncoding,
    pub(crate) dims: Vec<usize>,
    // Of tensors whose elements do not lie in row-major order: the distance along each axis, in elements.
    pub(crate) strides: Option<&'a [usize]>,
    pub(crate) bytes: &'a [u8],
    pub(crate) dtype: Option<DType>,
    pub(crate) place: Place<'a>,
}

/// Where the bytes of a tensor lie.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// From this byte on in a mapped file, whose memory is given back behind who reads.
    File(&'a Arc<MappedFile>, usize),
    /// In chunks, each in a stretch of a file.
    Chunks(Chunks<'a>),
    /// In a value, whose storage is shared with who reads it as it is.
    Value(&'a Literal),
}

impl<'a> Tensor<'a> {
    /// The tensor of a value in memory.
    ///
    /// ```
    /// use jarrah_base::{DType, Literal};
    /// use jarrah_formats::Tensor;
    /// let value = Literal::from_slice(&[2], &[1.0f32, 2.5])?;
    /// let half = Tensor::of("w", &value).to(DType::BF16)?;
    /// assert_eq!(half.literal()?.to_f64_vec(), [1.0, 2.5]);
    /// assert_eq!(half.to_string(), "w bf16[2]");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn of(name: impl Into<Cow<'a, str>>, value: &'a Literal) -> Tensor<'a> {
        Tensor {
            name: name.into(),
            encoding: TensorEncoding::Plain(value.dtype()),
            dims: value.dims(),
            strides: None,
            bytes: value.bytes(),
            dtype: Some(value.dtype()),
            place: Place::Value(value),
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Renames the tensor.
    pub fn named(mut self, name: impl Into<Cow<'a, str>>) -> Tensor<'a> {
        self.name = name.into();
        self
    }

    /// How the elements are stored.
    pub fn encoding(&self) -> TensorEncoding {
        self.encoding
    }

    /// The extents, outermost first.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The type that the tensor has when it is read.
    ///
    /// # Errors
    /// The tensor's encoding is not decoded here.
    pub fn ty(&self) -> Result<Type> {
        let dtype = self.dtype.ok_or_else(|| {
            Error::input(format!(
                "the tensor {} is stored as {}, which is not decoded here",
                self.name, self.encoding
            ))
            .help("decoded are plain elements, Q4_0, Q8_0, Q4_K and Q6_K: convert the file to one of these")
        })?;
        Ok(Type::tensor(dtype, self.dims.iter().copied()))
    }

    /// The bytes as they are stored, where they lie in row-major order and in one place.
    pub fn stored(&self) -> Option<&'a [u8]> {
        let is_there = self.strides.is_none() && !matches!(self.place, Place::Chunks(_));
        is_there.then_some(self.bytes)
    }

    /// Converts the elements to `dtype` when they are read: floats to floats, rounded to the nearest; integers to integers,
    /// wrapped, or to floats.
    ///
    /// # Errors
    /// Its elements are not decoded here, or no such numbers.
    pub fn to(mut self, dtype: DType) -> Result<Tensor<'a>> {
        self.ty()?;
        if let Some(stored) = self.encoding.dtype() {
            check(&self.name, stored, dtype)?;
        }
        self.dtype = Some(dtype);
        Ok(self)
    }

    /// The value. Elements that a file has as they are asked for stay where they lie in it, if they are aligned: they take no memory but what the
    /// system keeps of the file, and no time before they are looked at. As long as the value is there the file must not be changed in place
    /// ([`MappedFile`]); replacing or removing it does no harm. Other elements are made anew, while a few megabytes of the file are
    /// held, however large the tensor.
    ///
    /// # Errors
    /// As [`ty`](Self::ty); there is no memory for it.
    pub fn literal(&self) -> Result<Literal> {
        if let Place::Value(value) = self.place
            && Some(value.dtype()) == self.dtype
        {
            return Ok(value.clone());
        }
        if let Place::Chunks(chunks) = self.place
            && let [chunk] = chunks.chunks
        {
            return self.of_piece(&chunks.piece(&self.name, self.encoding, chunk)?).literal();
        }
        if let (Place::File(file, start), TensorEncoding::Plain(stored), None) =
            (self.place, self.encoding, self.strides)
            && Some(stored) == self.dtype
            && stored != DType::Bool
        {
            let range = start..start + self.bytes.len();
            return Literal::lent(self.ty()?, HostView::new(Stretch { file: file.clone(), range }));
        }
        let mut literal = Literal::zeros(self.ty()?)?;
        let mut rest = literal.bytes_mut();
        self.stretches(&mut |bytes| {
            let (now, later) = std::mem::take(&mut rest).split_at_mut(bytes.len());
            now.copy_from_slice(bytes);
            rest = later;
            Ok(())
        })?;
        Ok(literal)
    }

    /// A box of the value, a range for each axis. Of a tensor that lies in chunks, only those that have a part of the box are read.
    ///
    /// ```
    /// use jarrah_base::Literal;
    /// use jarrah_formats::Tensor;
    /// let value = Literal::from_slice(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let column = Tensor::of("w", &value).region(&[0..2, 1..2])?;
    /// assert_eq!(column, Literal::from_slice(&[2, 1], &[2.0f32, 5.0])?);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`literal`](Self::literal); the box does not lie in the tensor (`Program`).
    pub fn region(&self, region: &[Range<usize>]) -> Result<Literal> {
        if !lies_in(region, &self.dims) {
            return Err(Error::program(format!("the box {region:?} does not lie in the tensor {self}")));
        }
        let Place::Chunks(chunks) = self.place else {
            return cut(&self.literal()?, region);
        };
        let extent: Vec<usize> = region.iter().map(Range::len).collect();
        if extent == self.dims {
            return self.literal();
        }
        let mut literal = Literal::zeros(self.ty()?.with_dims(extent.iter().copied()))?;
        if extent.contains(&0) {
            return Ok(literal);
        }
        let (size, strides) = (literal.dtype().size(), strides(&extent));
        let out = literal.bytes_mut();
        for chunk in chunks.chunks {
            let Some(window) = chunk.window(region, &strides) else { continue };
            let piece = chunks.piece(&self.name, self.encoding, chunk)?;
            copy_window(self.of_piece(&piece).literal()?.bytes(), &chunk.sizes, &window, size, out);
        }
        Ok(literal)
    }

    /// Writes the elements, little-endian and in row-major order, without ever holding them all.
    ///
    /// # Errors
    /// As [`ty`](Self::ty), and those of `out`.
    pub fn write_to(&self, out: &mut dyn Write) -> Result<()> {
        self.stretches(&mut |bytes| {
            out.write_all(bytes)
                .map_err(|e| Error::environment(format!("cannot write the tensor {}: {e}", self.name)))
        })
    }

    /// A chunk as a tensor of its own, which is read as this one is.
    fn of_piece<'b>(&'b self, piece: &'b Piece<'b>) -> Tensor<'b> {
        Tensor {
            name: Cow::Borrowed(&self.name),
            encoding: self.encoding,
            dims: piece.dims.clone(),
            strides: piece.strides.as_deref(),
            bytes: piece.bytes,
            dtype: self.dtype,
            place: Place::File(piece.file, piece.start),
        }
    }

    /// The elements of all chunks. Chunks whose elements do not lie in row-major order are copied.
    fn parts(&self, chunks: Chunks<'a>) -> Result<Vec<Part<'a>>> {
        let mut parts = Vec::new();
        for chunk in chunks.chunks {
            let piece = chunks.piece(&self.name, self.encoding, chunk)?;
            let (bytes, place) = match piece.strides {
                None => (Cow::Borrowed(piece.bytes), Some((piece.file, piece.start))),
                Some(_) => {
                    let mut copy = Vec::new();
                    let plain = Tensor { dtype: self.encoding.dtype(), ..self.of_piece(&piece) };
                    plain.write_to(&mut copy)?;
                    (Cow::Owned(copy), None)
                }
            };
            parts.push(Part::new(&self.dims, chunk, bytes, place));
        }
        Ok(parts)
    }

    /// Calls `take` with the bytes of the elements, as they are read, stretch by stretch.
    pub(crate) fn stretches(&self, take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let dtype = self.ty()?.dtype();
        let (elements, bytes) = self.encoding.block();
        let mut parts = Vec::new();
        if let Place::Chunks(chunks) = self.place {
            if let [chunk] = chunks.chunks {
                return self.of_piece(&chunks.piece(&self.name, self.encoding, chunk)?).stretches(take);
            }
            parts = self.parts(chunks)?;
        }
        let count: usize = self.dims.iter().product();
        let mut converted = Vec::new();
        let mut decoded = Vec::new();
        let mut numbers = [0f32; LARGEST_BLOCK];
        let mut strided = self.strides.map(|strides| Positions::new(&self.dims, strides));
        for start in (0..count).step_by(STRETCH) {
            let end = count.min(start + STRETCH);
            let range = start / elements * bytes..end.div_ceil(elements) * bytes;
            let (stored, raw): (DType, &[u8]) = match (self.encoding, &mut strided) {
                (TensorEncoding::Plain(stored), _) if !parts.is_empty() => {
                    decoded.resize((end - start) * bytes, 0);
                    parts.iter().for_each(|part| part.copy(&(start..end), bytes, &mut decoded));
                    (stored, &decoded)
                }
                (TensorEncoding::Plain(stored), None) => (stored, &self.bytes[range.clone()]),
                (TensorEncoding::Plain(stored), Some(positions)) => {
                    decoded.clear();
                    for at in positions.by_ref().take(end - start) {
                        decoded.extend_from_slice(&self.bytes[at * bytes..][..bytes]);
                    }
                    (stored, &decoded)
                }
                (TensorEncoding::Halves(stored), _) => {
                    decoded.clear();
                    decoded.extend(self.bytes[range.clone()].iter().flat_map(|byte| [byte & 15, byte >> 4]));
                    (stored, &decoded)
                }
                (TensorEncoding::Blocks(kind), _) => {
                    let blocks = self.bytes[range.clone()].chunks_exact(bytes);
                    decoded.resize(blocks.len() * elements * size_of::<f32>(), 0);
                    for (block, out) in blocks.zip(decoded.chunks_exact_mut(elements * size_of::<f32>())) {
                        blocks::decode(kind, block, &mut numbers[..elements]);
                        for (to, number) in out.as_chunks_mut().0.iter_mut().zip(&numbers) {
                            *to = number.to_le_bytes();
                        }
                    }
                    (DType::F32, &decoded)
                }
                (TensorEncoding::Unread(..), _) => break,
            };
            if stored == dtype && stored != DType::Bool {
                take(raw)?;
            } else if stored == dtype {
                // Any byte but 0 means true in others' files; here it is 1.
                converted.clear();
                converted.extend(raw.iter().map(|&x| u8::from(x != 0)));
                take(&converted)?;
            } else {
                convert(stored, raw, dtype, &mut converted)?;
                take(&converted)?;
            }
            if let (Place::File(file, at), None) = (self.place, self.strides) {
                file.release(at + range.start..at + range.end);
            }
        }
        Ok(())
    }
}

/// Bytes of a file, which stays mapped as long as they are there.
struct Stretch {
    file: Arc<MappedFile>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Stretch {
    fn as_ref(&self) -> &[u8] {
        &self.file[self.range.clone()]
    }
}

impl Drop for Stretch {
    fn drop(&mut self) {
        self.file.release(self.range.clone());
    }
}

/// `w f32[2,3]`, or `w Q4_0[4096,4096]`.
impl std::fmt::Display for Tensor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.dtype {
            Some(dtype) if self.encoding.dtype() != self.dtype => {
                write!(f, "{} {dtype}{:?}", self.name, self.dims)
            }
            _ => write!(f, "{} {}{:?}", self.name, self.encoding, self.dims),
        }
    }
}

/// The positions of the elements, in row-major order, of a tensor that lies with strides.
struct Positions<'a> {
    dims: &'a [usize],
    strides: &'a [usize],
    index: Vec<usize>,
    at: usize,
}

impl<'a> Positions<'a> {
    fn new(dims: &'a [usize], strides: &'a [usize]) -> Self {
        Positions { dims, strides, index: vec![0; dims.len()], at: 0 }
    }
}

impl Iterator for Positions<'_> {
    type Item = usize;

    /// The next position; goes round behind the last one.
    fn next(&mut self) -> Option<usize> {
        let at = self.at;
        for axis in (0..self.dims.len()).rev() {
            self.index[axis] += 1;
            self.at += self.strides[axis];
            if self.index[axis] < self.dims[axis] {
                break;
            }
            self.at -= self.strides[axis] * self.dims[axis];
            self.index[axis] = 0;
        }
        Some(at)
    }
}

//! The codecs of an array: how the elements of a chunk lie in its bytes, and the copy of a box of them.

use std::borrow::Cow;

use jarrah_base::{DType, Result};

use super::bytes::Bytes;
use super::codecs::{ByteCodec, check_length, decode};
use super::wrong;
use crate::boxes::{Window, copy_window};

/// The codecs of a chunk, in the order in which they encode it.
#[derive(Debug)]
pub(super) struct Codecs {
    /// Axis i of the encoded array is this axis of the chunk.
    pub axes: Vec<usize>,
    pub layout: Layout,
    pub bytes: Vec<ByteCodec>,
}

#[derive(Debug)]
pub(super) enum Layout {
    /// Elements in row-major order.
    Elements { little_endian: bool },
    /// Chunks of this shape in the chunk, each encoded by codecs of its own, and an index of them.
    Shards { shape: Vec<usize>, codecs: Box<Codecs>, index: Index },
}

/// The offsets and lengths of the chunks in a shard: two numbers of 64 bits each.
#[derive(Debug)]
pub(super) struct Index {
    pub little_endian: bool,
    pub has_checksum: bool,
    pub is_at_end: bool,
}

/// The sizes of an element and of its parts whose bytes are in order: a complex number has two.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementSize {
    pub bytes: usize,
    pub part: usize,
}

impl ElementSize {
    pub fn of(dtype: DType) -> ElementSize {
        let parts = if dtype.is_complex() { 2 } else { 1 };
        ElementSize { bytes: dtype.size(), part: dtype.size() / parts }
    }
}

/// The result of a read.
pub(super) struct Output<'a> {
    pub bytes: &'a mut [u8],
    pub element: ElementSize,
    /// Whether a chunk that is not stored is an error; otherwise its elements stay as they are in `bytes`.
    pub all_stored: bool,
}

impl Codecs {
    /// Whether the elements of a chunk lie in its bytes as they do in memory.
    pub fn are_plain(&self, element: ElementSize) -> bool {
        let is_little = matches!(self.layout, Layout::Elements { little_endian: true });
        self.bytes.is_empty()
            && (is_little || element.part == 1 && matches!(self.layout, Layout::Elements { .. }))
            && self.axes.iter().copied().eq(0..self.axes.len())
    }

    /// Copies the box `window` of a chunk of this shape, whose bytes are `stored`, to `out`.
    pub fn read(&self, stored: &Bytes, shape: &[usize], window: &Window, out: &mut Output<'_>) -> Result<()> {
        let permuted = |values: &[usize]| self.axes.iter().map(|axis| values[*axis]).collect::<Vec<_>>();
        let shape = permuted(shape);
        let window = Window {
            start: permuted(&window.start),
            extent: permuted(&window.extent),
            at: window.at,
            strides: permuted(&window.strides),
        };
        match &self.layout {
            Layout::Elements { little_endian } => {
                let expected = elements(&shape).and_then(|count| count.checked_mul(out.element.bytes));
                let expected = expected.ok_or_else(|| wrong("a chunk has more bytes than any memory"))?;
                if self.bytes.is_empty() && (*little_endian || out.element.part == 1) {
                    check_length(stored.len(), expected)?;
                    return stored.read_window(&shape, &window, out.element.bytes, out.bytes);
                }
                let stored = stored.all()?;
                let mut bytes = decode(&self.bytes, &stored, expected)?;
                if !little_endian && out.element.part > 1 {
                    bytes.to_mut().chunks_exact_mut(out.element.part).for_each(<[u8]>::reverse);
                }
                copy_window(&bytes, &shape, &window, out.element.bytes, out.bytes);
                Ok(())
            }
            Layout::Shards { shape: inner, codecs, index } => {
                if !self.bytes.is_empty() {
                    return Err(wrong("shards are compressed as a whole, which is not decoded here"));
                }
                let counts: Vec<usize> = shape.iter().zip(inner).map(|(all, each)| all / each).collect();
                let index = index.of(stored, &counts)?;
                each_chunk(inner, &window, &mut |at, part| {
                    let place = at.iter().zip(&counts).fold(0, |place, (at, count)| place * count + at);
                    match index.chunk(stored, place)? {
                        Some(bytes) => codecs.read(&bytes, inner, part, out),
                        None if out.all_stored => {
                            Err(wrong(format!("the chunk {at:?} of a shard is not stored")))
                        }
                        None => Ok(()),
                    }
                })
            }
        }
    }
}

/// The index of a shard, checked for its length.
struct Chunks<'a> {
    bytes: Cow<'a, [u8]>,
    little_endian: bool,
}

impl Index {
    fn of<'a>(&self, stored: &'a Bytes, counts: &[usize]) -> Result<Chunks<'a>> {
        let length = elements(counts).and_then(|count| count.checked_mul(16)).unwrap_or(usize::MAX);
        let all = length.saturating_add(if self.has_checksum { 4 } else { 0 }) as u64;
        let start = stored.len().checked_sub(all).ok_or_else(|| {
            wrong(format!("a shard of {} bytes is too short for its index of {all}", stored.len()))
        })?;
        let bytes = stored.range(if self.is_at_end { start..stored.len() } else { 0..all })?;
        let (index, checksum) = bytes.split_at(length);
        if self.has_checksum && crc32c::crc32c(index).to_le_bytes() != checksum {
            return Err(wrong("the checksum of a shard's index differs: the file is damaged"));
        }
        Ok(Chunks { bytes, little_endian: self.little_endian })
    }
}

impl Chunks<'_> {
    /// The bytes of a chunk, if it is stored.
    fn chunk(&self, stored: &Bytes, place: usize) -> Result<Option<Bytes>> {
        let number = |at: usize| {
            let bytes = self.bytes[at..at + 8].try_into().expect("invariant: eight bytes");
            if self.little_endian { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) }
        };
        let (offset, length) = (number(16 * place), number(16 * place + 8));
        if (offset, length) == (u64::MAX, u64::MAX) {
            return Ok(None);
        }
        let end = offset.checked_add(length).filter(|&end| end <= stored.len());
        let end = end.ok_or_else(|| {
            wrong(format!(
                "{length} bytes at {offset} of a shard of {} bytes are not all there",
                stored.len()
            ))
        })?;
        stored.part(offset..end).map(Some)
    }
}

/// The number of elements of an array; none where no number counts them.
pub(super) fn elements(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1usize, |count, extent| count.checked_mul(*extent))
}

/// Calls `take` with the index of each chunk of this shape that has a part of the box, and with that part.
pub(super) fn each_chunk(
    chunk: &[usize],
    window: &Window,
    take: &mut dyn FnMut(&[usize], &Window) -> Result<()>,
) -> Result<()> {
    let rank = chunk.len();
    if window.extent.contains(&0) {
        return Ok(());
    }
    let first: Vec<usize> = (0..rank).map(|i| window.start[i] / chunk[i]).collect();
    let last: Vec<usize> = (0..rank).map(|i| (window.start[i] + window.extent[i] - 1) / chunk[i]).collect();
    let mut at = first.clone();
    loop {
        let mut part = window.clone();
        for i in 0..rank {
            let begin = at[i] * chunk[i];
            let start = window.start[i].max(begin);
            let end = (window.start[i] + window.extent[i]).min(begin + chunk[i]);
            part.start[i] = start - begin;
            part.extent[i] = end - start;
            part.at += (start - window.start[i]) * window.strides[i];
        }
        take(&at, &part)?;
        // The next index in row-major order.
        let Some(axis) = (0..rank).rev().find(|&i| at[i] < last[i]) else { return Ok(()) };
        at[axis] += 1;
        at[axis + 1..].copy_from_slice(&first[axis + 1..]);
    }
}

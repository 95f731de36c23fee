//! Chunks: boxes that together are a tensor.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{Error, MappedFile, Result};

use crate::boxes::Window;
use crate::encoding::TensorEncoding;
use crate::file::File;
use crate::pickle;

/// The most pairs of chunks of a tensor that are compared.
const MOST_PAIRS: usize = 1 << 26;

/// A box of a tensor, and the stretch of a file that `torch.save` wrote of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub offsets: Vec<usize>,
    pub sizes: Vec<usize>,
    pub file: usize,
    pub start: usize,
    pub length: usize,
}

impl Chunk {
    /// The part of the chunk that lies in a box of the tensor, and its place in an array of the box with these distances along its axes.
    pub fn window(&self, region: &[Range<usize>], strides: &[usize]) -> Option<Window> {
        let (mut start, mut extent, mut at) = (Vec::new(), Vec::new(), 0);
        for (axis, range) in region.iter().enumerate() {
            let first = range.start.max(self.offsets[axis]);
            let end = range.end.min(self.offsets[axis] + self.sizes[axis]);
            if first >= end {
                return None;
            }
            start.push(first - self.offsets[axis]);
            extent.push(end - first);
            at += (first - range.start) * strides[axis];
        }
        Some(Window { start, extent, at, strides: strides.to_vec() })
    }

    fn overlaps(&self, other: &Chunk) -> bool {
        (0..self.sizes.len()).all(|axis| {
            let starts = [self.offsets[axis], other.offsets[axis]];
            self.offsets[axis] + self.sizes[axis] > starts[1]
                && other.offsets[axis] + other.sizes[axis] > starts[0]
        })
    }
}

/// The chunks of a tensor with the extents `dims`, each once, if they are all of it and none overlaps another.
pub fn tiled(name: &str, dims: &[usize], mut chunks: Vec<Chunk>) -> Result<Vec<Chunk>> {
    let wrong = |message: String| pickle::wrong(format!("the tensor {name}, of extents {dims:?}, {message}"));
    for Chunk { offsets, sizes, .. } in &chunks {
        let ends = offsets.iter().zip(sizes).map(|(&start, &size)| start.checked_add(size));
        let is_inside = offsets.len() == dims.len()
            && sizes.len() == dims.len()
            && ends.zip(dims).all(|(end, &dim)| end.is_some_and(|end| end <= dim));
        if !is_inside {
            return Err(wrong(format!(
                "has a chunk at {offsets:?} of extents {sizes:?}, which is not within it"
            )));
        }
    }
    // The axis along which there are most cuts tells most chunks apart.
    let cuts = |axis: usize| {
        let mut starts: Vec<usize> = chunks.iter().map(|chunk| chunk.offsets[axis]).collect();
        starts.sort_unstable();
        starts.dedup();
        starts.len()
    };
    let along = (0..dims.len()).max_by_key(|&axis| cuts(axis)).unwrap_or(0);
    let key = |chunk: &Chunk| chunk.offsets.get(along).copied();
    chunks.sort_by(|a, b| (key(a), &a.offsets, &a.sizes).cmp(&(key(b), &b.offsets, &b.sizes)));
    chunks.dedup_by(|a, b| a.offsets == b.offsets && a.sizes == b.sizes);
    let mut pairs = 0;
    for (i, chunk) in chunks.iter().enumerate() {
        let end = key(chunk).map(|start| start + chunk.sizes[along]);
        for other in chunks[i + 1..].iter().take_while(|other| key(other) < end || end.is_none()) {
            pairs += 1;
            if pairs > MOST_PAIRS {
                return Err(wrong(format!("has {} chunks, which are too many to compare", chunks.len())));
            }
            if chunk.overlaps(other) {
                return Err(wrong(format!(
                    "has chunks that overlap: at {:?} of extents {:?}, and at {:?} of extents {:?}",
                    chunk.offsets, chunk.sizes, other.offsets, other.sizes
                )));
            }
        }
    }
    let there: usize = chunks.iter().map(|chunk| chunk.sizes.iter().product::<usize>()).sum();
    let count: usize = dims.iter().product();
    if there != count {
        return Err(wrong(format!(
            "misses chunks: those that are described have {there} of its {count} elements"
        )));
    }
    Ok(chunks)
}

/// The chunks of a tensor, and the files that they lie in.
#[derive(Clone, Copy)]
pub struct Chunks<'a> {
    pub files: &'a [File],
    pub chunks: &'a [Chunk],
}

/// The elements of a chunk.
pub struct Part<'a> {
    bytes: Cow<'a, [u8]>,
    /// The file, and where the bytes begin in it, if they lie there.
    place: Option<(&'a Arc<MappedFile>, usize)>,
    /// The elements that lie one after the other both in the tensor and in the chunk, the position of the first in the tensor,
    /// and the axes along which there are more of them: extents and distances in the tensor.
    run: usize,
    first: usize,
    outer: Vec<(usize, usize)>,
}

/// The tensor that `torch.save` wrote of a chunk.
pub struct Piece<'a> {
    pub file: &'a Arc<MappedFile>,
    pub start: usize,
    pub bytes: &'a [u8],
    pub dims: Vec<usize>,
    pub strides: Option<Vec<usize>>,
}

impl<'a> Chunks<'a> {
    /// Looks for the elements of a chunk of the tensor called `name`.
    pub fn piece(self, name: &str, encoding: TensorEncoding, chunk: &Chunk) -> Result<Piece<'a>> {
        let file = &self.files[chunk.file];
        let place = || format!("while reading the tensor {name} in {}", file.path.display());
        let stretch = &file.data[chunk.start..chunk.start + chunk.length];
        let listing = pickle::list(stretch).map_err(|e| e.context(place()))?;
        let count = listing.entries.len();
        let entry = listing.entries.into_iter().next().filter(|_| count == 1);
        let entry =
            entry.ok_or_else(|| pickle::wrong(format!("a chunk has {count} tensors")).context(place()))?;
        if entry.encoding != encoding || entry.dims != chunk.sizes {
            return Err(pickle::wrong(format!(
                "a chunk is {}{:?}, the metadata says {encoding}{:?}",
                entry.encoding, entry.dims, chunk.sizes
            ))
            .context(place()));
        }
        let start = chunk.start + entry.start;
        let bytes = &file.data[start..start + entry.bytes];
        Ok(Piece { file: &file.data, start, bytes, dims: entry.dims, strides: entry.strides })
    }
}

impl<'a> Part<'a> {
    /// The part that a chunk is of a tensor with the extents `dims`. `bytes` are its elements in row-major order.
    pub fn new(
        dims: &[usize],
        chunk: &Chunk,
        bytes: Cow<'a, [u8]>,
        place: Option<(&'a Arc<MappedFile>, usize)>,
    ) -> Part<'a> {
        let mut distances = vec![1; dims.len()];
        for axis in (1..dims.len()).rev() {
            distances[axis - 1] = distances[axis] * dims[axis];
        }
        let first = chunk.offsets.iter().zip(&distances).map(|(&at, &distance)| at * distance).sum();
        // The outermost axis of a run is the innermost that is cut.
        let cut = (0..dims.len()).rev().find(|&axis| chunk.sizes[axis] != dims[axis]).unwrap_or(0);
        let run = chunk.sizes[cut..].iter().product();
        let outer = chunk.sizes[..cut].iter().copied().zip(distances).collect();
        Part { bytes, place, run, first, outer }
    }

    /// Where run `number` begins in the tensor.
    fn position(&self, mut number: usize) -> usize {
        let mut at = self.first;
        for &(extent, distance) in self.outer.iter().rev() {
            at += number % extent * distance;
            number /= extent;
        }
        at
    }

    /// Copies the elements, of `size` bytes each, that the tensor has at `range` in row-major order; `out` holds that range.
    pub fn copy(&self, range: &Range<usize>, size: usize, out: &mut [u8]) {
        let runs = self.outer.iter().map(|&(extent, _)| extent).product();
        let (mut low, mut high) = (0, runs);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.position(middle) + self.run <= range.start { low = middle + 1 } else { high = middle }
        }
        let mut copied = 0..0;
        for number in low..runs {
            let begin = self.position(number);
            let (from, to) = (begin.max(range.start), (begin + self.run).min(range.end));
            if from >= to {
                break;
            }
            let there = (number * self.run + from - begin) * size;
            let bytes = (to - from) * size;
            out[(from - range.start) * size..][..bytes].copy_from_slice(&self.bytes[there..there + bytes]);
            copied = if copied.is_empty() { there..there + bytes } else { copied.start..there + bytes };
        }
        if let Some((file, start)) = self.place {
            file.release(start + copied.start..start + copied.end);
        }
    }
}

/// Checks that no two stretches of a file share bytes, and that each is within its file.
pub fn check_stretches(files: &[File], tensors: &[(&str, &[Chunk])]) -> Result<()> {
    let all = tensors.iter().flat_map(|&(name, chunks)| chunks.iter().map(move |chunk| (name, chunk)));
    let mut all: Vec<(&str, &Chunk)> = all.collect();
    all.sort_unstable_by_key(|(_, chunk)| (chunk.file, chunk.start));
    for &(name, chunk) in &all {
        let (path, there) = (files[chunk.file].path.display(), files[chunk.file].data.len());
        if chunk.start.checked_add(chunk.length).is_none_or(|end| end > there) {
            return Err(Error::input(format!(
                "the tensor {name} has a chunk in {} bytes from {} on of {path}, which has {there} bytes",
                chunk.length, chunk.start
            ))
            .help("the file may be cut short: compare its size with the original's"));
        }
    }
    for pair in all.windows(2) {
        let [(name, chunk), (other, next)] = pair else { continue };
        if chunk.file == next.file && chunk.start + chunk.length > next.start {
            let path = files[chunk.file].path.display();
            return Err(Error::input(format!("chunks of {name} and {other} share bytes of {path}")));
        }
    }
    Ok(())
}

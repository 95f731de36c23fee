//! A tensor made of others, of which a box is read at a time.

use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{DType, Error, Literal, Result, Type, memory};
use jarrah_formats::{copy_region, lies_in};

use super::convert::converted;

/// A tensor that is a leaf, or is made of leaves.
#[derive(Clone, Debug)]
pub enum View {
    /// The leaf of this number.
    Leaf(usize, Type),
    Reshape(Arc<View>, Type),
    Cast(Arc<View>, DType),
    /// A part along an axis.
    Slice(Arc<View>, usize, Range<usize>),
    Concat(Arc<[View]>, usize, Type),
    /// One value everywhere.
    Fill(f64, Type),
}

/// Reads a box of a leaf.
pub type ReadLeaf<'r> = &'r (dyn Fn(usize, &[Range<usize>]) -> Result<Literal> + Sync);

impl View {
    /// The type of the tensor.
    pub fn ty(&self) -> Type {
        match self {
            View::Leaf(_, ty) | View::Reshape(_, ty) | View::Concat(_, _, ty) | View::Fill(_, ty) => *ty,
            View::Cast(of, dtype) => of.ty().with_dtype(*dtype),
            View::Slice(of, axis, range) => {
                let extent = |(at, extent)| if at == *axis { range.len() } else { extent };
                of.ty().with_dims(of.ty().extents().enumerate().map(extent))
            }
        }
    }

    /// As [`region`](Self::region), of the leaf `name`, in which the box may not lie.
    ///
    /// # Errors
    /// As [`region`](Self::region); the box does not lie in the tensor (`Program`).
    pub fn checked_region(&self, name: &str, region: &[Range<usize>], read: ReadLeaf<'_>) -> Result<Literal> {
        let ty = self.ty();
        if !lies_in(region, &ty.extents().collect::<Vec<_>>()) {
            let error = format!("the box {region:?} does not lie in the leaf {name} {ty}");
            return Err(Error::program(error).op("checkpoint"));
        }
        self.region(region, read)
    }

    /// A box of the tensor, which lies in it. Of the leaves no more is read than the smallest boxes that have its elements.
    ///
    /// # Errors
    /// A leaf cannot be read; there is no memory for the box.
    pub fn region(&self, region: &[Range<usize>], read: ReadLeaf<'_>) -> Result<Literal> {
        let ty = self.ty().with_dims(region.iter().map(Range::len));
        if region.iter().any(Range::is_empty) {
            return Literal::zeros(ty);
        }
        match self {
            View::Leaf(number, _) => read(*number, region),
            View::Reshape(of, to) => {
                let parts = Part::of(of.ty(), *to, region);
                let needed: Vec<Range<usize>> = parts.iter().flat_map(|part| part.source.clone()).collect();
                gathered(&of.region(&needed, read)?, &parts, ty)
            }
            View::Cast(of, dtype) => converted(&of.region(region, read)?, *dtype),
            View::Slice(of, axis, range) => {
                let mut within = region.to_vec();
                within[*axis] = region[*axis].start + range.start..region[*axis].end + range.start;
                of.region(&within, read)
            }
            View::Concat(of, axis, _) => {
                let (mut parts, mut begin) = (Vec::new(), 0);
                for view in of.iter() {
                    let end = begin + view.ty().dim(*axis);
                    let wanted = region[*axis].start.max(begin)..region[*axis].end.min(end);
                    if !wanted.is_empty() {
                        let mut within = region.to_vec();
                        within[*axis] = wanted.start - begin..wanted.end - begin;
                        parts.push(view.region(&within, read)?);
                    }
                    begin = end;
                }
                joined(parts, *axis, ty)
            }
            View::Fill(value, _) => {
                memory::check(ty.bytes()?, &ty)?;
                Literal::full(ty, *value)
            }
        }
    }
}

/// The tensor of a type whose parts along an axis these are.
fn joined(mut parts: Vec<Literal>, axis: usize, ty: Type) -> Result<Literal> {
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let mut whole = Literal::zeros(ty)?;
    let all: Vec<Range<usize>> = ty.extents().map(|extent| 0..extent).collect();
    let mut begin = 0;
    for part in parts {
        let mut place = all.clone();
        place[axis] = begin..begin + part.ty().dim(axis);
        begin = place[axis].end;
        copy_region(ty.dtype().size(), (part.bytes(), &place), (whole.bytes_mut(), &all), &place);
    }
    Ok(whole)
}

/// Axes of a reshaped tensor, and those of its source that have as many elements: a box of the one is read from a box of the other.
struct Part {
    source: Vec<Range<usize>>,
    /// The elements of the box of the source.
    count: usize,
    /// For each element of the box, in order, its place in the box of the source; none where these are all elements in their order.
    places: Option<Vec<usize>>,
    /// The elements of the box.
    len: usize,
}

impl Part {
    /// The parts of a box of a tensor of the type `to`, reshaped from one of the type `from`; neither is empty.
    fn of(from: Type, to: Type, region: &[Range<usize>]) -> Vec<Part> {
        let (from, to): (Vec<usize>, Vec<usize>) = (from.extents().collect(), to.extents().collect());
        let (mut parts, mut source, mut target) = (Vec::new(), 0, 0);
        while source < from.len() || target < to.len() {
            let (begin, first) = (source, target);
            let next = |dims: &[usize], at: &mut usize| {
                let extent = dims.get(*at).copied();
                *at += usize::from(extent.is_some());
                extent.unwrap_or(1)
            };
            let (mut read, mut written) = (next(&from, &mut source), next(&to, &mut target));
            // Both have as many elements in all, so the shorter side has a further axis.
            while read != written {
                match read < written {
                    true => read *= next(&from, &mut source),
                    false => written *= next(&to, &mut target),
                }
            }
            parts.push(Part::between(&from[begin..source], &to[first..target], &region[first..target]));
        }
        parts
    }

    fn between(from: &[usize], to: &[usize], region: &[Range<usize>]) -> Part {
        let number = |at: &dyn Fn(&Range<usize>) -> usize| {
            region.iter().zip(to).fold(0, |number, (range, extent)| number * extent + at(range))
        };
        let (mut low, mut high) = (number(&|range| range.start), number(&|range| range.end - 1));
        let (mut source, mut stride) = (Vec::new(), from.iter().product::<usize>());
        // Behind the first axis along which the box is longer than one, it has all of every axis.
        let mut is_open = false;
        for &extent in from {
            stride /= extent;
            source.push(if is_open { 0..extent } else { low / stride..high / stride + 1 });
            is_open |= low / stride != high / stride;
            (low, high) = (low % stride, high % stride);
        }
        let (len, count) = (region.iter().map(Range::len).product(), source.iter().map(Range::len).product());
        let places = (len != count).then(|| places(&source, from, to, region));
        Part { source, count, places, len }
    }

    fn place(&self, number: usize) -> usize {
        self.places.as_ref().map_or(number, |places| places[number])
    }
}

/// For each element of a box of axes of the extents `to`, its place in the box `source` of axes of the extents `from`.
fn places(source: &[Range<usize>], from: &[usize], to: &[usize], region: &[Range<usize>]) -> Vec<usize> {
    let mut numbers = vec![0];
    for (range, extent) in region.iter().zip(to) {
        numbers =
            numbers.iter().flat_map(|number| range.clone().map(move |at| number * extent + at)).collect();
    }
    for number in &mut numbers {
        let (mut rest, mut place, mut stride) = (*number, 0, 1);
        for (range, extent) in source.iter().zip(from).rev() {
            place += (rest % extent - range.start) * stride;
            (rest, stride) = (rest / extent, stride * range.len());
        }
        *number = place;
    }
    numbers
}

/// The box of a reshaped tensor from the box of its source.
fn gathered(source: &Literal, parts: &[Part], ty: Type) -> Result<Literal> {
    let Some((last, first)) = parts.split_last().filter(|_| parts.iter().any(|part| part.places.is_some()))
    else {
        return source.reshape(&ty.extents().collect::<Vec<_>>());
    };
    let (mut result, size) = (Literal::zeros(ty)?, ty.dtype().size());
    let bytes = source.bytes();
    let mut elements = result.bytes_mut().chunks_exact_mut(size);
    let mut rows = vec![0];
    for part in first {
        let within = |row: &usize| {
            let begin = row * part.count;
            (0..part.len).map(move |number| begin + part.place(number))
        };
        rows = rows.iter().flat_map(within).collect();
    }
    for row in rows {
        for (number, element) in (0..last.len).zip(elements.by_ref()) {
            let at = (row * last.count + last.place(number)) * size;
            element.copy_from_slice(&bytes[at..at + size]);
        }
    }
    Ok(result)
}

//! Weights in few bits of the tensors of a file, and tensors of the weights.

use std::collections::BTreeMap;

use jarrah_array::{Array, Error, Result};
use jarrah_quant::{QuantizedTensor, ScaleBlock, Scales, Scheme};

use crate::family::{Piece, Tensor};

/// The place of a piece's outputs: the matrix of the stack, the first output there, the number of outputs, and the first output
/// in the tensor; `None` for a piece that is no matrix, or several.
fn outputs(piece: &Piece) -> Option<(usize, usize, usize, usize)> {
    let their_first =
        match (piece.their_start[..].split_at(piece.their_start.len().checked_sub(2)?), piece.swapped) {
            ((_, &[first, _]), false) | ((_, &[_, first]), true) => first,
            _ => return None,
        };
    match (&piece.start[..], &piece.extent[..]) {
        (&[start, _], &[count, _]) => Some((0, start, count, their_first)),
        (&[matrix, start, _], &[1, count, _]) => Some((matrix, start, count, their_first)),
        _ => None,
    }
}

/// The weight at `path`, `[.., inputs, outputs]`, of the tensors that it is in, which `read` reads; none, where no weight in few bits is made of them.
pub fn assembled(
    path: &str,
    sources: &[(String, &Tensor)],
    read: &dyn Fn(&str, &Tensor) -> Result<QuantizedTensor>,
) -> Result<Option<QuantizedTensor>> {
    if let [(name, tensor)] = sources
        && tensor.packs
    {
        return read(name, tensor).map(Some);
    }
    // By the matrix of a stack and the first output there.
    let mut parts: BTreeMap<(usize, usize), QuantizedTensor> = BTreeMap::new();
    let mut is_stack = false;
    for (name, tensor) in sources {
        let mut rows: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for piece in tensor.pieces.iter().filter(|piece| piece.ours == path) {
            let Some((matrix, start, count, theirs)) = outputs(piece) else { return Ok(None) };
            is_stack |= piece.start.len() == 3;
            let each = (0..count).map(|i| (start + i, theirs + i * piece.step));
            rows.entry(matrix).or_default().extend(each);
        }
        let whole = read(name, tensor)?;
        for (matrix, mut rows) in rows {
            rows.sort_unstable();
            let Some(&(first, theirs)) = rows.first() else { continue };
            let columns = whole.shape()[1];
            let part = match rows.iter().enumerate().all(|(i, (_, their))| *their == theirs + i) {
                true if rows.len() == columns => whole.clone(),
                true => whole.columns(theirs..theirs + rows.len()),
                false => {
                    let places: Vec<i32> = rows.iter().map(|(_, their)| *their as i32).collect();
                    whole.take_columns(&Array::from_slice(&places))
                }
            };
            parts.insert((matrix, first), part);
        }
    }
    let mut matrices: BTreeMap<usize, Vec<QuantizedTensor>> = BTreeMap::new();
    for ((matrix, _), part) in parts {
        matrices.entry(matrix).or_default().push(part);
    }
    let alike = |parts: &[QuantizedTensor]| {
        parts.split_first().is_some_and(|(first, rest)| rest.iter().all(|part| first.is_like(part)))
    };
    if !matrices.values().all(|parts| parts.len() == 1 || alike(parts)) {
        return Ok(None);
    }
    let joined: Vec<QuantizedTensor> =
        matrices.values().map(|parts| QuantizedTensor::beside(parts)).collect();
    match &joined[..] {
        [one] if !is_stack => Ok(Some(one.clone())),
        all if is_stack && alike(all) => Ok(Some(QuantizedTensor::stacked(all))),
        _ => Ok(None),
    }
}

/// The quantized weight that a tensor of a file, named `name` there, holds; `None` if the tensor is not quantized.
///
/// # Errors
/// The tensor holds parts of several weights that do not lie beside each other (`Input`).
pub fn written(
    name: &str,
    tensor: &Tensor,
    weights: &BTreeMap<String, QuantizedTensor>,
) -> Result<Option<QuantizedTensor>> {
    if tensor.pieces.iter().all(|piece| !weights.contains_key(&piece.ours)) {
        return Ok(None);
    }
    if let ([piece], true) = (&tensor.pieces[..], tensor.packs) {
        return Ok(weights.get(&piece.ours).cloned());
    }
    let mut parts: BTreeMap<usize, QuantizedTensor> = BTreeMap::new();
    for piece in &tensor.pieces {
        let Some(weight) = weights.get(&piece.ours) else { return Err(no_matrix(name)) };
        form(name, tensor, weight.scheme)?;
        let found = outputs(piece).filter(|_| piece.step == 1);
        let Some((matrix, start, count, theirs)) = found else { return Err(no_matrix(name)) };
        let matrix = if piece.start.len() == 3 { weight.matrix(matrix) } else { weight.clone() };
        let is_whole = start == 0 && matrix.shape()[1] == count;
        parts.insert(theirs, if is_whole { matrix } else { matrix.columns(start..start + count) });
    }
    let parts: Vec<QuantizedTensor> = parts.into_values().collect();
    match parts.split_first() {
        Some((first, rest)) if rest.iter().all(|part| first.is_like(part)) => {
            Ok(Some(by_channel(QuantizedTensor::beside(&parts))))
        }
        _ => Err(no_matrix(name)),
    }
}

/// The weight, whose columns have scales of their own where it is put together of weights with one scale each.
fn by_channel(weight: QuantizedTensor) -> QuantizedTensor {
    let are_wide = matches!(&weight.scales, Scales::Plain(scales) if scales.shape().last() != Some(&1));
    let scheme = match weight.scheme.block {
        ScaleBlock::Tensor if are_wide => weight.scheme.per_channel(),
        _ => weight.scheme,
    };
    QuantizedTensor { scheme, ..weight }
}

/// The error that the parts of a tensor cannot be one weight in few bits.
pub fn no_matrix(name: &str) -> Error {
    let error = format!("{name} is one matrix of the file, and its parts are not quantized alike");
    Error::input(error).help("write rules that give all of them one scheme")
}

/// Checks that files have a form for the tensor `name` in few bits by `scheme`.
///
/// A matrix that its family stores as `[inputs, outputs]`, such as those of GPT-2, is stored with its outputs first when it is
/// quantized, as all others are.
///
/// # Errors
/// The tensor is a stack of matrices that files do not store in this form (`Input`).
pub(super) fn form(name: &str, tensor: &Tensor, scheme: Scheme) -> Result<()> {
    let is_written = match tensor.packs {
        true => scheme == Scheme::MXFP4,
        false => tensor.dims.len() == 2 && name.ends_with(".weight"),
    };
    if is_written {
        return Ok(());
    }
    let error = format!(
        "{name} is a stack of matrices in the files of its family, which have no form for it in {scheme}"
    );
    let ours = tensor.pieces.first().map_or(name, |piece| &piece.ours);
    let steps: Vec<&str> =
        ours.split('.').map(|step| if step.parse::<usize>().is_ok() { "*" } else { step }).collect();
    let or = if tensor.packs { ", or give it mxfp4 and leave all others" } else { "" };
    Err(Error::input(error).help(format!("leave it: `{}=leave` is a rule that does{or}", steps.join("."))))
}

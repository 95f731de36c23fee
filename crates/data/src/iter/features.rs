use std::collections::BTreeMap;
use std::ops::Range;

use jarrah_base::{Error, Literal, Result, Type};

/// Named tensors, such as the tokens of a text: the first axis of each is that of its sequence. A scalar is a sequence of one.
pub type Features = BTreeMap<String, Literal>;

/// The length of a sequence.
pub(super) fn length(feature: &Literal) -> usize {
    feature.dims().first().copied().unwrap_or(1)
}

/// The feature of this name.
pub(super) fn feature<'a>(features: &'a Features, key: &str) -> Result<&'a Literal> {
    features.get(key).ok_or_else(|| {
        let keys: Vec<_> = features.keys().collect();
        Error::input(format!("an element has no feature `{key}`, which is to be packed; it has {keys:?}"))
    })
}

/// A part of a sequence in a packed row.
pub(super) struct Part<'a> {
    pub(super) feature: &'a Literal,
    pub(super) range: Range<usize>,
    /// The place of its first token in the row.
    pub(super) offset: usize,
}

/// A row of `len` tokens with these parts, and `padding` elsewhere.
pub(super) fn values(len: usize, parts: &[Part], padding: f64, first: Option<f64>) -> Result<Literal> {
    let Some(Part { feature: model, .. }) = parts.first() else {
        return Err(Error::internal("a packed row has no part"));
    };
    let trailing: Vec<usize> = model.dims().into_iter().skip(1).collect();
    let dims: Vec<usize> = std::iter::once(len).chain(trailing.iter().copied()).collect();
    let mut row = match padding == 0.0 {
        true => Literal::zeros(Type::tensor(model.dtype(), dims))?,
        false => Literal::full(Type::tensor(model.dtype(), dims), padding)?,
    };
    let width = row.bytes().len().checked_div(len).unwrap_or(0);
    let beginning = match first {
        Some(token) => Some(Literal::full(Type::tensor(model.dtype(), trailing.clone()), token)?),
        None => None,
    };
    let bytes = row.bytes_mut();
    for part in parts {
        if part.feature.dtype() != model.dtype() || part.feature.dims().iter().skip(1).ne(trailing.iter()) {
            return Err(Error::input(format!(
                "sequences of {} and {} cannot be packed together",
                model.ty(),
                part.feature.ty()
            )));
        }
        let source = &part.feature.bytes()[part.range.start * width..part.range.end * width];
        let start = part.offset * width;
        bytes[start..start + source.len()].copy_from_slice(source);
        if let Some(token) = beginning.as_ref().filter(|_| !part.range.is_empty()) {
            bytes[start..start + width].copy_from_slice(token.bytes());
        }
    }
    Ok(row)
}

/// For each token of a row, the number of its part from 1 on, and its place in the part; zero in the padding.
pub(super) fn segments(len: usize, parts: &[Part]) -> Result<(Literal, Literal)> {
    let (mut ids, mut positions) = (vec![0_i32; len], vec![0_i32; len]);
    for (id, part) in (1..).zip(parts) {
        for (position, place) in (0..).zip(part.offset..part.offset + part.range.len()) {
            (ids[place], positions[place]) = (id, position);
        }
    }
    Ok((Literal::from_slice(&[len], &ids)?, Literal::from_slice(&[len], &positions)?))
}

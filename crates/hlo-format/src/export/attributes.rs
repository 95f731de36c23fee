use std::sync::Arc;

use jarrah_base::Literal;

use crate::ir::{Attr, Attributes, Dense, ElementTy, TensorTy};

/// `n : i64`.
pub(super) fn integer(n: usize) -> Attr {
    Attr::i64(n as i64)
}

/// `array<i64: ...>`.
pub(super) fn integers(list: &[usize]) -> Attr {
    Attr::i64s(list.iter().map(|&n| n as i64))
}

/// `array<i64: ...>` of numbers that may be negative.
pub(super) fn signed(list: &[i64]) -> Attr {
    Attr::i64s(list.iter().copied())
}

/// `dense<...>`, a splat where all elements are equal.
pub(super) fn dense(value: &Literal) -> Attr {
    let dims = value.dims().into_iter().map(|d| Some(d as u64)).collect();
    let ty = TensorTy { dims: Some(dims), element: ElementTy::Number(value.dtype()), encoding: None };
    Attr::Dense(Dense { ty, value: value.splat().unwrap_or_else(|| value.clone()) })
}

/// The fields of a structured attribute: the lists that are not empty, and the index axis if it is not the first.
pub(super) fn axes(name: &'static str, lists: &[(&str, &[usize])], index_vector_axis: usize) -> Attr {
    let lists = lists.iter().filter(|(_, list)| !list.is_empty());
    let mut fields: Attributes = lists.map(|(name, list)| (Arc::from(*name), integers(list))).collect();
    if index_vector_axis > 0 {
        fields.set("index_vector_dim", integer(index_vector_axis));
    }
    Attr::Struct(name, fields)
}

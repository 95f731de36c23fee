//! The tensors of one file, as the reader of its format lists them.

use std::collections::BTreeMap;

use crate::encoding::TensorEncoding;
use crate::gguf;

/// Where a tensor lies: `bytes` bytes of a file from `start` on.
#[derive(Debug)]
pub(crate) struct Entry {
    pub name: String,
    pub encoding: TensorEncoding,
    pub dims: Vec<usize>,
    pub strides: Option<Vec<usize>>,
    pub file: usize,
    pub start: usize,
    pub bytes: usize,
}

/// The tensors and metadata of one file.
#[derive(Default)]
pub(crate) struct Listing {
    pub entries: Vec<Entry>,
    pub metadata: BTreeMap<String, String>,
    pub fields: gguf::GgufFields,
}

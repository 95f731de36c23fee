use std::ops::{Deref, Range};
use std::sync::Arc;

use jarrah_base::MappedFile;

use super::node::Node;

/// The bytes of a key.
pub(super) enum Bytes {
    File(Arc<MappedFile>, Range<usize>),
    Node(Arc<Node>, Range<usize>),
    Value(Arc<Vec<u8>>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::File(file, range) => &file[range.clone()],
            Bytes::Node(node, range) => &node.body()[range.clone()],
            Bytes::Value(value) => value,
        }
    }
}

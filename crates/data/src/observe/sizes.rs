use std::any::Any;

use jarrah_base::Literal;

use crate::iter::Features;
use crate::sources::RecordBytes;

/// The bytes of an element: those of its tensors, of a record or a text, and of a list of these; of any other value those of its type.
pub(crate) fn bytes_of<T: 'static>(element: &T) -> u64 {
    let element = element as &dyn Any;
    let of_literal = |literal: &Literal| literal.bytes().len() as u64;
    let of_features = |features: &Features| features.values().map(of_literal).sum::<u64>();
    if let Some(literal) = element.downcast_ref::<Literal>() {
        return of_literal(literal);
    }
    if let Some(features) = element.downcast_ref::<Features>() {
        return of_features(features);
    }
    if let Some(list) = element.downcast_ref::<Vec<Features>>() {
        return list.iter().map(of_features).sum();
    }
    if let Some(record) = element.downcast_ref::<RecordBytes>() {
        return record.len() as u64;
    }
    if let Some(text) = element.downcast_ref::<String>() {
        return text.len() as u64;
    }
    if let Some(text) = element.downcast_ref::<&'static str>() {
        return text.len() as u64;
    }
    if let Some(bytes) = element.downcast_ref::<Vec<u8>>() {
        return bytes.len() as u64;
    }
    size_of::<T>() as u64
}

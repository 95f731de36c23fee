//! Files of `torch.save`: a pickle of a dictionary of tensors, whose elements lie beside it in a ZIP archive or, in files
//! of PyTorch before 1.6, behind it. The pickle is read as data; nothing that it names is ever run: an object is the class that
//! the pickle names, the arguments of its call and its state.

mod input;
mod legacy;
mod machine;
mod torch;
mod value;
mod zip;

use jarrah_base::{Error, Result};

use crate::listing::Listing;

pub(crate) use machine::Machine;
pub(crate) use torch::{dtype, known};
pub(crate) use value::{Id, Value};

pub(crate) fn list(data: &[u8]) -> Result<Listing> {
    if data.starts_with(b"PK") { zip::list(data) } else { legacy::list(data) }
}

/// An error about a pickle.
pub(crate) fn wrong(message: impl Into<String>) -> Error {
    Error::input(message.into()).op("pickle")
}

/// Where the elements of a storage lie in the file, by its key.
trait Storages {
    fn find(&self, key: &str) -> Result<(usize, usize)>;
}
